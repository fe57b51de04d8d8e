// String: cutting, joining, changing. Strings are UTF-16 in C# and in JavaScript alike.

import { type ArrayObject, newArray } from '../array-objects.ts';
import { argumentNull, badArgument, outOfRange, raise } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { lowerInvariant, upperInvariant } from '../text.ts';
import { formatComposite, textFormatter } from '../to-text.ts';
import { over, type SpanValue, textSpan, type Value } from '../values.ts';
import { bySite, type MemberTable, type Native } from './native.ts';
import { character, concatenate, ignoresCase, isWhite, made, textOf, units } from './string-helpers.ts';

// --- cutting and joining ----------------------------------------------------------------------------------------------

function substring(text: string, start: number, length: number): string {
  if (start < 0) return outOfRange('startIndex', 'StartIndex cannot be less than zero.');
  if (start > text.length) return outOfRange('startIndex', 'startIndex cannot be larger than length of string.');
  if (length < 0) return outOfRange('length', 'Length cannot be less than zero.');
  if (start > text.length - length)
    return outOfRange('length', 'Index and length must refer to a location within the string.');
  return made(text.slice(start, start + length));
}

function remove(text: string, start: number, count: number): string {
  if (start < 0) return outOfRange('startIndex');
  if (count < 0) return outOfRange('count');
  if (count > text.length - start) return outOfRange('count');
  return made(text.slice(0, start) + text.slice(start + count));
}

function pad(text: string, width: number, unit: number, left: boolean): string {
  if (width < 0) return outOfRange('totalWidth');
  allocate(width * 2);
  return left ? text.padStart(width, character(unit)) : text.padEnd(width, character(unit));
}

/** Takes units off the ends: white space, or those given. */
function trim(text: string, wanted: ReadonlySet<number> | null, start: boolean, end: boolean): string {
  const drops = (unit: number) => (wanted === null || wanted.size === 0 ? isWhite(unit) : wanted.has(unit));
  let [from, to] = [0, text.length];
  while (start && from < to && drops(text.charCodeAt(from))) from++;
  while (end && to > from && drops(text.charCodeAt(to - 1))) to--;
  charge((text.length - (to - from)) >> 2);
  return made(text.slice(from, to));
}

function trims(name: string, start: boolean, end: boolean): Record<string, Native> {
  return {
    [`String.${name}()`]: (text) => trim(text, null, start, end),
    [`String.${name}(char)`]: (text, unit) => trim(text, new Set([unit]), start, end),
    [`String.${name}(char[])`]: (text, list) => trim(text, units(list), start, end),
  };
}

function replace(text: string, old: string | null, value: string | null, ignoreCase: boolean): string {
  if (old === null) return argumentNull('oldValue');
  if (old === '') return badArgument('String cannot be of zero length.', 'oldValue');
  charge(text.length >> 2);
  const [where, what] = ignoreCase ? [upperInvariant(text), upperInvariant(old)] : [text, old];
  const pieces: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, from)) {
    pieces.push(text.slice(from, at));
    from = at + old.length;
    allocate(((value?.length ?? 0) + 16) * 2);
  }
  pieces.push(text.slice(from));
  return made(pieces.join(value ?? ''));
}

const REMOVE_EMPTY = 1;
const TRIM_ENTRIES = 2;

/** The first separator at or after a place: where it is and how long. */
type FindSeparator = (text: string, from: number) => readonly [at: number, length: number] | null;

function split(text: string, find: FindSeparator, count: number, options: number): ArrayObject {
  if (count < 0) return outOfRange('count');
  if (options < 0 || options > 3) return badArgument(`Illegal enum value: ${options}.`);
  const parts: string[] = [];
  const add = (piece: string) => {
    const entry = (options & TRIM_ENTRIES) !== 0 ? trim(piece, null, true, true) : piece;
    if (entry === '' && (options & REMOVE_EMPTY) !== 0) return;
    allocate(entry.length * 2 + 32);
    parts.push(entry);
  };
  charge(text.length >> 2);
  let from = 0;
  if (count > 0) {
    for (let next = find(text, 0); next && parts.length < count - 1; next = find(text, from)) {
      add(text.slice(from, next[0]));
      from = next[0] + next[1];
    }
    // The last entry takes the rest, separators and all; empty entries before it are skipped.
    if ((options & REMOVE_EMPTY) !== 0 && parts.length === count - 1) {
      for (
        let next = find(text, from);
        next && text.slice(from, next[0]).trim() === '' && next[0] === from;
        next = find(text, from)
      ) {
        from = next[0] + next[1];
      }
    }
    add(text.slice(from));
  }
  return newArray({ kind: 'primitive', name: 'string' }, parts);
}

const bySpace: FindSeparator = (text, from) => {
  for (let at = from; at < text.length; at++) if (isWhite(text.charCodeAt(at))) return [at, 1];
  return null;
};

function byUnits(list: ArrayObject | null): FindSeparator {
  const wanted = units(list);
  if (wanted.size === 0) return bySpace;
  return (text, from) => {
    for (let at = from; at < text.length; at++) if (wanted.has(text.charCodeAt(at))) return [at, 1];
    return null;
  };
}

/** The earliest of several texts; of those at one place the first in the list. */
function byTexts(list: readonly (string | null)[]): FindSeparator {
  const wanted = list.filter((each): each is string => each !== null && each !== '');
  return (text, from) => {
    let best: readonly [number, number] | null = null;
    for (const each of wanted) {
      const at = text.indexOf(each, from);
      if (at >= 0 && (best === null || at < best[0])) best = [at, each.length];
    }
    return best;
  };
}

function splitByTexts(text: string, list: ArrayObject | null, count: number, options: number): ArrayObject {
  const separators = (list?.items ?? []) as string[];
  return split(text, separators.length === 0 ? bySpace : byTexts(separators), count, options);
}

const EVERY = 2147483647;

const SPLITS: MemberTable = {
  'String.Split(char,StringSplitOptions)': (text, unit, options) =>
    split(text, byTexts([character(unit)]), EVERY, options),
  'String.Split(char,int,StringSplitOptions)': (text, unit, count, options) =>
    split(text, byTexts([character(unit)]), count, options),
  'String.Split(char[])': (text, list) => split(text, byUnits(list), EVERY, 0),
  'String.Split(char[],int)': (text, list, count) => split(text, byUnits(list), count, 0),
  'String.Split(char[],StringSplitOptions)': (text, list, options) => split(text, byUnits(list), EVERY, options),
  'String.Split(char[],int,StringSplitOptions)': (text, list, count, options) =>
    split(text, byUnits(list), count, options),
  'String.Split(string,StringSplitOptions)': (text, value, options) =>
    split(text, value === null ? bySpace : byTexts([value]), EVERY, options),
  'String.Split(string,int,StringSplitOptions)': (text, value, count, options) =>
    split(text, value === null ? bySpace : byTexts([value]), count, options),
  'String.Split(string[],StringSplitOptions)': (text, list, options) => splitByTexts(text, list, EVERY, options),
  'String.Split(string[],int,StringSplitOptions)': splitByTexts,
};

function join(separator: string | null, texts: Iterable<string>): string {
  let text = '';
  let first = true;
  const between = separator ?? '';
  for (const each of texts) {
    allocate((each.length + between.length) * 2);
    text += first ? each : between + each;
    first = false;
  }
  return text;
}

function* textsOf(values: Iterable<Value>): Generator<string> {
  for (const value of values) yield textOf(value);
}

function itemsOf(list: ArrayObject | null, parameter: string): Value[] {
  return list === null ? argumentNull(parameter) : (list.items as Value[]);
}

/** Items of a sequence as text, by their static type. */
function formattedItems(separator: (value: Value) => string | null): ReturnType<typeof bySite> {
  return bySite((site) => {
    const format = textFormatter(site.typeArguments[0]!, null);
    return (value, sequence) => {
      const texts = function* () {
        for (const item of over(sequence, 'values')) yield format(item);
      };
      return join(separator(value), texts());
    };
  });
}

const concatItems = bySite((site) => {
  const format = textFormatter(site.typeArguments[0]!, null);
  return (sequence) => {
    const texts = function* () {
      for (const item of over(sequence, 'values')) yield format(item);
    };
    return join('', texts());
  };
});

const JOINS: MemberTable = {
  'String.Concat(object)': (a) => made(textOf(a)),
  'String.Concat(object,object)': (a, b) => concatenate(textOf(a), textOf(b)),
  'String.Concat(object,object,object)': (a, b, c) => concatenate(textOf(a), textOf(b), textOf(c)),
  'String.Concat(object[])': (list) => concatenate(...itemsOf(list, 'args').map(textOf)),
  'String.Concat<T>(IEnumerable<T>)': concatItems,
  'String.Concat(IEnumerable<string>)': (sequence) => join('', textsOf(over(sequence, 'values'))),
  'String.Concat(string,string)': concatenate,
  'String.Concat(string,string,string)': concatenate,
  'String.Concat(string,string,string,string)': concatenate,
  'String.Concat(string[])': (list) => concatenate(...itemsOf(list, 'values')),
  'String.Join(char,string[])': (unit, list) => join(character(unit), textsOf(itemsOf(list, 'value'))),
  'String.Join(char,object[])': (unit, list) => join(character(unit), textsOf(itemsOf(list, 'values'))),
  'String.Join<T>(char,IEnumerable<T>)': formattedItems(character),
  'String.Join(string,string[])': (separator, list) => join(separator, textsOf(itemsOf(list, 'value'))),
  'String.Join(string,object[])': (separator, list) => join(separator, textsOf(itemsOf(list, 'values'))),
  'String.Join<T>(string,IEnumerable<T>)': formattedItems((separator) => separator),
  'String.Join(string,IEnumerable<string>)': (separator, sequence) =>
    join(separator, textsOf(over(sequence, 'values'))),
  'String.Join(string,string[],int,int)': (separator, list, start, count) => {
    const items = itemsOf(list, 'value');
    if (start < 0 || count < 0 || start > items.length - count) return outOfRange('startIndex');
    return join(separator, textsOf(items.slice(start, start + count)));
  },
};

function format(text: string | null, values: readonly Value[]): string {
  return text === null ? argumentNull('format') : formatComposite(text, values);
}

const FORMATS: MemberTable = {
  'String.Format(string,object)': (text, a) => format(text, [a]),
  'String.Format(string,object,object)': (text, a, b) => format(text, [a, b]),
  'String.Format(string,object,object,object)': (text, a, b, c) => format(text, [a, b, c]),
  'String.Format(string,object[])': (text, list) => format(text, itemsOf(list, 'args')),
  'String.Format(IFormatProvider,string,object)': (_, text, a) => format(text, [a]),
  'String.Format(IFormatProvider,string,object,object)': (_, text, a, b) => format(text, [a, b]),
  'String.Format(IFormatProvider,string,object,object,object)': (_, text, a, b, c) => format(text, [a, b, c]),
  'String.Format(IFormatProvider,string,object[])': (_, text, list) => format(text, itemsOf(list, 'args')),
};

function fromUnits(list: ArrayObject | null, start: number, length: number): string {
  if (list === null) return '';
  if (start < 0 || length < 0 || start > list.items.length - length) return outOfRange('startIndex');
  allocate(length * 2 + 24);
  let text = '';
  for (let at = start; at < start + length; at++) text += character(list.items[at]);
  return text;
}

function toUnits(text: string, start: number, length: number): ArrayObject {
  if (start < 0 || start > text.length || start > text.length - length) return outOfRange('startIndex');
  if (length < 0) return outOfRange('length');
  allocate(length * 8 + 24);
  const items = Array.from({ length }, (_, at) => text.charCodeAt(start + at));
  return newArray({ kind: 'primitive', name: 'char' }, items);
}

const OTHERS: MemberTable = {
  'String.Empty': () => '',
  'String.new(char[])': (list) => fromUnits(list, 0, list?.items.length ?? 0),
  'String.new(char[],int,int)': (list, start, length) =>
    list === null ? argumentNull('value') : fromUnits(list, start, length),
  'String.new(char,int)': (unit, count) => {
    if (count < 0) return outOfRange('count');
    allocate(count * 2 + 24);
    return character(unit).repeat(count);
  },
  'String.new(ReadOnlySpan<char>)': (span: SpanValue) => span.toText(),
  'String.get_Item(int)': (text, index) =>
    index >= 0 && index < text.length ? text.charCodeAt(index) : raise('IndexOutOfRangeException'),
  'String.get_Length()': (text) => text.length,
  'String.CopyTo(int,char[],int,int)': (text, from, list, to, count) => {
    if (list === null) return argumentNull('destination');
    if (count < 0 || from < 0 || count > text.length - from) return outOfRange('sourceIndex');
    if (to < 0 || to > list.items.length - count) return outOfRange('destinationIndex');
    for (let at = 0; at < count; at++) list.items[to + at] = text.charCodeAt(from + at);
    return undefined;
  },
  'String.Insert(int,string)': (text, start, value) => {
    if (value === null) return argumentNull('value');
    if (start < 0 || start > text.length) return outOfRange('startIndex');
    return concatenate(text.slice(0, start), value, text.slice(start));
  },
  'String.IsNullOrEmpty(string)': (text) => text === null || text === '',
  'String.IsNullOrWhiteSpace(string)': (text) => text === null || trim(text, null, true, false) === '',
  // Without cultures every text counts as normalized.
  'String.IsNormalized()': () => true,
  'String.IsNormalized(NormalizationForm)': () => true,
  'String.Normalize()': (text) => text,
  'String.Normalize(NormalizationForm)': (text) => text,
  'String.PadLeft(int)': (text, width) => pad(text, width, 32, true),
  'String.PadLeft(int,char)': (text, width, unit) => pad(text, width, unit, true),
  'String.PadRight(int)': (text, width) => pad(text, width, 32, false),
  'String.PadRight(int,char)': (text, width, unit) => pad(text, width, unit, false),
  'String.Remove(int)': (text, start) => {
    if (start < 0 || start >= text.length) return outOfRange('startIndex');
    return made(text.slice(0, start));
  },
  'String.Remove(int,int)': remove,
  'String.Replace(char,char)': (text, old, value) => made(text.replaceAll(character(old), () => character(value))),
  'String.Replace(string,string)': (text, old, value) => replace(text, old, value, false),
  'String.Replace(string,string,StringComparison)': (text, old, value, comparison) =>
    replace(text, old, value, ignoresCase(comparison)),
  'String.Replace(string,string,bool,CultureInfo)': (text, old, value, ignoreCase) =>
    replace(text, old, value, ignoreCase),
  'String.Substring(int)': (text, start) => substring(text, start, text.length - start),
  'String.Substring(int,int)': substring,
  'String.ToCharArray()': (text) => toUnits(text, 0, text.length),
  'String.ToCharArray(int,int)': toUnits,
  'String.ToLower()': (text) => made(lowerInvariant(text)),
  'String.ToLower(CultureInfo)': (text) => made(lowerInvariant(text)),
  'String.ToLowerInvariant()': (text) => made(lowerInvariant(text)),
  'String.ToUpper()': (text) => made(upperInvariant(text)),
  'String.ToUpper(CultureInfo)': (text) => made(upperInvariant(text)),
  'String.ToUpperInvariant()': (text) => made(upperInvariant(text)),
  'String.ToString()': (text) => text,
  'String.ToString(IFormatProvider)': (text) => text,
  ...trims('Trim', true, true),
  ...trims('TrimStart', true, false),
  ...trims('TrimEnd', false, true),
  'String.op_Implicit(string)->ReadOnlySpan<char>': (text) => textSpan(text),
};

export const STRING_MEMBERS: MemberTable = {
  ...SPLITS,
  ...JOINS,
  ...FORMATS,
  ...OTHERS,
};
