// Span, ReadOnlySpan and MemoryExtensions.

import { newArray } from '../array-objects.ts';
import { equalValues } from '../equality.ts';
import { badArgument, outOfRange, raise } from '../exceptions.ts';
import { charge } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import { compareOrdinal, upperInvariant } from '../text.ts';
import { defaultOf, EMPTY_SPAN, SpanValue, textSpan, type Value } from '../values.ts';
import { bySite, type MemberTable, type Native, type SiteNative } from './native.ts';
import { isWhite } from './string-helpers.ts';

function spanOf(array: Value, start?: number, length?: number): SpanValue {
  if (array === null) return (start ?? 0) !== 0 || (length ?? 0) !== 0 ? outOfRange('start') : EMPTY_SPAN;
  const whole = new SpanValue(array.items, 0, array.items.length);
  return start === undefined ? whole : whole.slice(start, length ?? whole.length - start);
}

/** Copies all items to the beginning of another span, also onto itself; false when they do not fit. */
function copyItems(from: SpanValue, to: SpanValue): boolean {
  if (from.length > to.length) return false;
  charge(from.length >> 2);
  const part = from.items.slice(from.start, from.start + from.length);
  for (let at = 0; at < part.length; at++) to.items[to.start + at] = part[at];
  return true;
}

/** `spanOf` for spans that things are put through: an array of narrower items is none for them. */
const ownSpan = bySite(({ result }) => {
  const item = runtimeType(result.kind === 'named' ? result.arguments[0]! : result).key;
  return (array, start?: number, length?: number) => {
    if (array !== null && runtimeType(array.element).key !== item) return raise('ArrayTypeMismatchException');
    return spanOf(array, start, length);
  };
});

function itemAt(span: SpanValue, index: number): Value {
  return index >= 0 && index < span.length ? span.items[span.start + index] : raise('IndexOutOfRangeException');
}

function memberTable(name: string): Record<string, Native | SiteNative> {
  const owner = `${name}<T>`;
  const of = name === 'Span' ? ownSpan : (spanOf as Native);
  const characters = (type: Value) =>
    type?.kind === 'named' && type.arguments[0]?.kind === 'primitive' && type.arguments[0].name === 'char';
  // Also of two that are empty: an empty array is somewhere, the default is nowhere.
  const same: Native = (a, b) => a.length === b.length && a.items === b.items && a.start === b.start;
  const itemName = (type: Value): string => runtimeType(type.arguments[0]).name;
  return {
    [`${owner}.new(T[])`]: of,
    [`${owner}.new(T[],int,int)`]: of,
    [`${owner}.get_Empty()`]: () => EMPTY_SPAN,
    [`${owner}.get_IsEmpty()`]: (span) => span.length === 0,
    [`${owner}.get_Length()`]: (span) => span.length,
    [`${owner}.get_Item(int)`]: itemAt,
    [`${owner}.Slice(int)`]: (span, start) => span.slice(start, span.length - start),
    [`${owner}.Slice(int,int)`]: (span, start, length) => span.slice(start, length),
    [`${owner}.ToArray()`]: bySite((site) => {
      const type = site.result.kind === 'array' ? site.result.element : site.result;
      return (span) => newArray(type, span.toItems());
    }),
    [`${owner}.ToString()`]: bySite((site) =>
      characters(site.receiver)
        ? (span) => span.toText()
        : (span) => `System.${name}<${itemName(site.receiver)}>[${span.length}]`,
    ),
    [`${owner}.CopyTo(Span<T>)`]: (span, target) => {
      if (!copyItems(span, target)) badArgument('Destination is too short.');
      return undefined;
    },
    [`${owner}.TryCopyTo(Span<T>)`]: copyItems,
    [`${owner}.op_Implicit(T[])->${owner}`]: of,
    [`${owner}.op_Equality(${owner},${owner})`]: same,
    [`${owner}.op_Inequality(${owner},${owner})`]: (a, b) => !same(a, b),
  };
}

/** The first place where the other items lie, or -1. */
function indexOfSpan(span: SpanValue, other: SpanValue): number {
  for (let at = 0; at + other.length <= span.length; at++) {
    charge(1);
    if (startsAt(span, other, at)) return at;
  }
  return -1;
}

function startsAt(span: SpanValue, other: SpanValue, from: number): boolean {
  for (let at = 0; at < other.length; at++) {
    if (!equalValues(span.items[span.start + from + at], other.items[other.start + at])) return false;
  }
  return true;
}

function indexOfItem(span: SpanValue, item: Value): number {
  charge(span.length >> 2);
  for (let at = 0; at < span.length; at++) if (equalValues(span.items[span.start + at], item)) return at;
  return -1;
}

function lastIndexOfItem(span: SpanValue, item: Value): number {
  charge(span.length >> 2);
  for (let at = span.length - 1; at >= 0; at--) if (equalValues(span.items[span.start + at], item)) return at;
  return -1;
}

function searchTable(name: string): Record<string, Native> {
  const own = `MemoryExtensions`;
  const span = `${name}<T>`;
  const fits = (a: SpanValue, b: SpanValue, from: number) => b.length <= a.length && startsAt(a, b, from);
  return {
    [`${own}.Contains<T>(${span},T)`]: (a, item) => indexOfItem(a, item) >= 0,
    [`${own}.IndexOf<T>(${span},T)`]: indexOfItem,
    [`${own}.IndexOf<T>(${span},ReadOnlySpan<T>)`]: indexOfSpan,
    [`${own}.LastIndexOf<T>(${span},T)`]: lastIndexOfItem,
    [`${own}.SequenceEqual<T>(${span},ReadOnlySpan<T>)`]: (a, b) => a.length === b.length && fits(a, b, 0),
    [`${own}.StartsWith<T>(${span},ReadOnlySpan<T>)`]: (a, b) => fits(a, b, 0),
    [`${own}.EndsWith<T>(${span},ReadOnlySpan<T>)`]: (a, b) => fits(a, b, a.length - b.length),
  };
}

/** A span's text under a comparison: upper case when it ignores case. */
function folded(span: SpanValue, comparison: number): string {
  return comparison % 2 === 1 ? upperInvariant(span.toText()) : span.toText();
}

function trimmed(span: SpanValue, start: boolean, end: boolean): SpanValue {
  let [from, to] = [0, span.length];
  while (start && from < to && isWhite(span.items[span.start + from])) from++;
  while (end && to > from && isWhite(span.items[span.start + to - 1])) to--;
  return span.slice(from, to - from);
}

function textPart(text: string | null, start: number, length?: number): SpanValue {
  if (text === null) return start === 0 && (length ?? 0) === 0 ? EMPTY_SPAN : outOfRange('start');
  const span = textSpan(text);
  return span.slice(start, length ?? span.length - start);
}

const C = 'ReadOnlySpan<char>';

export const SPAN_MEMBERS: MemberTable = {
  ...memberTable('ReadOnlySpan'),
  ...memberTable('Span'),
  ...searchTable('ReadOnlySpan'),
  ...searchTable('Span'),
  'Span<T>.set_Item(int,T)': (span, index, value) => {
    itemAt(span, index);
    span.items[span.start + index] = value;
    return undefined;
  },
  'Span<T>.Clear()': bySite((site) => {
    const { receiver } = site;
    const initial = receiver?.kind === 'named' ? defaultOf(receiver.arguments[0]!) : null;
    return (span) => {
      for (let at = 0; at < span.length; at++) span.items[span.start + at] = initial;
      return undefined;
    };
  }),
  'Span<T>.Fill(T)': (span, value) => {
    charge(span.length >> 2);
    for (let at = 0; at < span.length; at++) span.items[span.start + at] = value;
    return undefined;
  },
  'Span<T>.op_Implicit(Span<T>)->ReadOnlySpan<T>': (span) => span,
  'MemoryExtensions.Reverse<T>(Span<T>)': (span) => {
    charge(span.length >> 2);
    const part = span.items.slice(span.start, span.start + span.length).reverse();
    for (let at = 0; at < part.length; at++) span.items[span.start + at] = part[at];
    return undefined;
  },
  'MemoryExtensions.CopyTo<T>(T[],Span<T>)': (array, target) => {
    if (!copyItems(spanOf(array), target)) badArgument('Destination is too short.');
    return undefined;
  },
  'MemoryExtensions.AsSpan<T>(T[])': ownSpan,
  'MemoryExtensions.AsSpan<T>(T[],int)': ownSpan,
  'MemoryExtensions.AsSpan<T>(T[],int,int)': ownSpan,
  'MemoryExtensions.AsSpan(string)': textSpan,
  'MemoryExtensions.AsSpan(string,int)': textPart,
  'MemoryExtensions.AsSpan(string,int,int)': textPart,
  [`MemoryExtensions.Contains(${C},${C},StringComparison)`]: (a, b, comparison) =>
    folded(a, comparison).includes(folded(b, comparison)),
  [`MemoryExtensions.Equals(${C},${C},StringComparison)`]: (a, b, comparison) =>
    folded(a, comparison) === folded(b, comparison),
  [`MemoryExtensions.CompareTo(${C},${C},StringComparison)`]: (a, b, comparison) =>
    compareOrdinal(folded(a, comparison), folded(b, comparison)),
  [`MemoryExtensions.IndexOf(${C},${C},StringComparison)`]: (a, b, comparison) =>
    folded(a, comparison).indexOf(folded(b, comparison)),
  [`MemoryExtensions.StartsWith(${C},${C},StringComparison)`]: (a, b, comparison) =>
    folded(a, comparison).startsWith(folded(b, comparison)),
  [`MemoryExtensions.EndsWith(${C},${C},StringComparison)`]: (a, b, comparison) =>
    folded(a, comparison).endsWith(folded(b, comparison)),
  [`MemoryExtensions.IsWhiteSpace(${C})`]: (span) => trimmed(span, true, false).length === 0,
  [`MemoryExtensions.Trim(${C})`]: (span) => trimmed(span, true, true),
  [`MemoryExtensions.TrimStart(${C})`]: (span) => trimmed(span, true, false),
  [`MemoryExtensions.TrimEnd(${C})`]: (span) => trimmed(span, false, true),
};
