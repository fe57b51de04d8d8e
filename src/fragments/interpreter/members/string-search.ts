// String: searching and comparing, and the comparers of strings.

import type { ArrayObject } from '../array-objects.ts';
import { DEFAULT_COMPARER, hashOf, IGNORE_CASE_COMPARER, ORDINAL_COMPARER } from '../equality.ts';
import { argumentNull, badArgument, outOfRange } from '../exceptions.ts';
import { charge } from '../machine.ts';
import { upperInvariant } from '../text.ts';
import type { Value } from '../values.ts';
import type { MemberTable } from './native.ts';
import { character, compare, ignoresCase, same, units } from './string-helpers.ts';

// --- searching --------------------------------------------------------------------------------------------------------

function indexOf(text: string, value: string | null, start: number, count: number, ignoreCase: boolean): number {
  if (value === null) return argumentNull('value');
  if (start < 0 || start > text.length) return outOfRange('startIndex');
  if (count < 0 || start > text.length - count) return outOfRange('count');
  charge(count >> 3);
  if (value === '') return start;
  const [where, what] = ignoreCase ? [upperInvariant(text), upperInvariant(value)] : [text, value];
  const found = where.slice(0, start + count).indexOf(what, start);
  return found;
}

/** Searches backwards from `start`, over `count` units. */
function lastIndexOf(text: string, value: string | null, start: number, count: number, ignoreCase: boolean): number {
  if (value === null) return argumentNull('value');
  if (text.length === 0 && (start === -1 || start === 0)) return value.length === 0 ? 0 : -1;
  if (start < 0 || start > text.length) return outOfRange('startIndex');
  let [from, length] = [start, count];
  if (from === text.length) {
    from--;
    if (length > 0) length--;
    if (value.length === 0 && length >= 0 && from - length + 1 >= 0) return from;
  }
  if (length < 0 || from - length + 1 < 0) return outOfRange('count');
  charge(length >> 3);
  if (value === '') return from;
  const [where, what] = ignoreCase ? [upperInvariant(text), upperInvariant(value)] : [text, value];
  const least = from - length + 1;
  const found = where.slice(0, from + 1).lastIndexOf(what);
  return found >= least ? found : -1;
}

function indexOfUnit(text: string, unit: number, start: number, count: number): number {
  if (start < 0 || start > text.length) return outOfRange('startIndex');
  if (count < 0 || count > text.length - start) return outOfRange('count');
  charge(count >> 3);
  return text.slice(0, start + count).indexOf(character(unit), start);
}

function lastIndexOfUnit(text: string, unit: number, start: number, count: number): number {
  if (text.length === 0) return -1;
  if (start < 0 || start >= text.length) return outOfRange('startIndex');
  if (count < 0 || start - count < -1) return outOfRange('count');
  charge(count >> 3);
  const found = text.slice(0, start + 1).lastIndexOf(character(unit));
  return found > start - count ? found : -1;
}

function indexOfAny(text: string, list: ArrayObject | null, start: number, count: number): number {
  if (list === null) return argumentNull('anyOf');
  if (start < 0 || start > text.length) return outOfRange('startIndex');
  if (count < 0 || count > text.length - start) return outOfRange('count');
  const wanted = units(list);
  charge(count >> 2);
  for (let at = start; at < start + count; at++) if (wanted.has(text.charCodeAt(at))) return at;
  return -1;
}

function lastIndexOfAny(text: string, list: ArrayObject | null, start: number, count: number): number {
  if (list === null) return argumentNull('anyOf');
  if (text.length === 0) return -1;
  if (start < 0 || start >= text.length) return outOfRange('startIndex');
  if (count < 0 || count - 1 > start) return outOfRange('count');
  const wanted = units(list);
  charge(count >> 2);
  for (let at = start; at > start - count; at--) if (wanted.has(text.charCodeAt(at))) return at;
  return -1;
}

const SEARCHES: MemberTable = {
  'String.Contains(string)': (text, value) =>
    value === null ? argumentNull('value') : indexOf(text, value, 0, text.length, false) >= 0,
  'String.Contains(string,StringComparison)': (text, value, comparison) =>
    indexOf(text, value, 0, text.length, ignoresCase(comparison)) >= 0,
  'String.Contains(char)': (text, unit) => indexOfUnit(text, unit, 0, text.length) >= 0,
  'String.Contains(char,StringComparison)': (text, unit, comparison) =>
    indexOf(text, character(unit), 0, text.length, ignoresCase(comparison)) >= 0,
  'String.IndexOf(char)': (text, unit) => indexOfUnit(text, unit, 0, text.length),
  'String.IndexOf(char,int)': (text, unit, start) => indexOfUnit(text, unit, start, text.length - start),
  'String.IndexOf(char,int,int)': indexOfUnit,
  'String.IndexOf(char,StringComparison)': (text, unit, comparison) =>
    indexOf(text, character(unit), 0, text.length, ignoresCase(comparison)),
  'String.IndexOf(string)': (text, value) => indexOf(text, value, 0, text.length, false),
  'String.IndexOf(string,int)': (text, value, start) => indexOf(text, value, start, text.length - start, false),
  'String.IndexOf(string,int,int)': (text, value, start, count) => indexOf(text, value, start, count, false),
  'String.IndexOf(string,StringComparison)': (text, value, comparison) =>
    indexOf(text, value, 0, text.length, ignoresCase(comparison)),
  'String.IndexOf(string,int,StringComparison)': (text, value, start, comparison) =>
    indexOf(text, value, start, text.length - start, ignoresCase(comparison)),
  'String.IndexOf(string,int,int,StringComparison)': (text, value, start, count, comparison) =>
    indexOf(text, value, start, count, ignoresCase(comparison)),
  'String.LastIndexOf(char)': (text, unit) => lastIndexOfUnit(text, unit, text.length - 1, text.length),
  'String.LastIndexOf(char,int)': (text, unit, start) => lastIndexOfUnit(text, unit, start, start + 1),
  'String.LastIndexOf(char,int,int)': lastIndexOfUnit,
  'String.LastIndexOf(string)': (text, value) => lastIndexOf(text, value, text.length - 1, text.length, false),
  'String.LastIndexOf(string,int)': (text, value, start) => lastIndexOf(text, value, start, start + 1, false),
  'String.LastIndexOf(string,int,int)': (text, value, start, count) => lastIndexOf(text, value, start, count, false),
  'String.LastIndexOf(string,StringComparison)': (text, value, comparison) =>
    lastIndexOf(text, value, text.length - 1, text.length, ignoresCase(comparison)),
  'String.LastIndexOf(string,int,StringComparison)': (text, value, start, comparison) =>
    lastIndexOf(text, value, start, start + 1, ignoresCase(comparison)),
  'String.LastIndexOf(string,int,int,StringComparison)': (text, value, start, count, comparison) =>
    lastIndexOf(text, value, start, count, ignoresCase(comparison)),
  'String.IndexOfAny(char[])': (text, list) => indexOfAny(text, list, 0, text.length),
  'String.IndexOfAny(char[],int)': (text, list, start) => indexOfAny(text, list, start, text.length - start),
  'String.IndexOfAny(char[],int,int)': indexOfAny,
  'String.LastIndexOfAny(char[])': (text, list) => lastIndexOfAny(text, list, text.length - 1, text.length),
  'String.LastIndexOfAny(char[],int)': (text, list, start) => lastIndexOfAny(text, list, start, start + 1),
  'String.LastIndexOfAny(char[],int,int)': lastIndexOfAny,
};

function startsWith(text: string, value: string | null, ignoreCase: boolean): boolean {
  if (value === null) return argumentNull('value');
  if (value.length > text.length) return false;
  return ignoreCase ? same(text.slice(0, value.length), value, true) : text.startsWith(value);
}

function endsWith(text: string, value: string | null, ignoreCase: boolean): boolean {
  if (value === null) return argumentNull('value');
  if (value.length > text.length) return false;
  return ignoreCase ? same(text.slice(text.length - value.length), value, true) : text.endsWith(value);
}

/** Equality of texts; long ones of one length cost what comparing them does. */
function sameText(a: Value, b: Value): boolean {
  if (typeof a === 'string' && a.length > 64 && typeof b === 'string' && b.length === a.length) charge(a.length >> 5);
  return a === b;
}

const COMPARISONS: MemberTable = {
  'String.StartsWith(string)': (text, value) => startsWith(text, value, false),
  'String.StartsWith(string,StringComparison)': (text, value, comparison) =>
    startsWith(text, value, ignoresCase(comparison)),
  'String.StartsWith(string,bool,CultureInfo)': (text, value, ignoreCase) => startsWith(text, value, ignoreCase),
  'String.StartsWith(char)': (text, unit) => text.length > 0 && text.charCodeAt(0) === unit,
  'String.EndsWith(string)': (text, value) => endsWith(text, value, false),
  'String.EndsWith(string,StringComparison)': (text, value, comparison) =>
    endsWith(text, value, ignoresCase(comparison)),
  'String.EndsWith(string,bool,CultureInfo)': (text, value, ignoreCase) => endsWith(text, value, ignoreCase),
  'String.EndsWith(char)': (text, unit) => text.length > 0 && text.charCodeAt(text.length - 1) === unit,
  'String.Compare(string,string)': (a, b) => compare(a, b, false),
  'String.Compare(string,string,bool)': compare,
  'String.Compare(string,string,StringComparison)': (a, b, comparison) => compare(a, b, ignoresCase(comparison)),
  'String.Compare(string,string,bool,CultureInfo)': (a, b, ignoreCase) => compare(a, b, ignoreCase),
  'String.Compare(string,int,string,int,int)': (a, i, b, j, length) =>
    compare(part(a, i, length), part(b, j, length), false),
  'String.Compare(string,int,string,int,int,StringComparison)': (a, i, b, j, length, comparison) =>
    compare(part(a, i, length), part(b, j, length), ignoresCase(comparison)),
  'String.CompareOrdinal(string,string)': (a, b) => compare(a, b, false),
  'String.CompareOrdinal(string,int,string,int,int)': (a, i, b, j, length) =>
    compare(part(a, i, length), part(b, j, length), false),
  'String.CompareTo(object)': (text, other) =>
    other !== null && typeof other !== 'string'
      ? badArgument('Object must be of type String.')
      : compare(text, other, false),
  'String.CompareTo(string)': (text, other) => compare(text, other, false),
  'String.Equals(object)': sameText,
  'String.Equals(string)': sameText,
  'String.Equals(string,StringComparison)': (text, other, comparison) => same(text, other, ignoresCase(comparison)),
  'String.Equals(string,string)': sameText,
  'String.Equals(string,string,StringComparison)': (a, b, comparison) => same(a, b, ignoresCase(comparison)),
  'String.op_Equality(string,string)': sameText,
  'String.op_Inequality(string,string)': (a, b) => !sameText(a, b),
  'String.GetHashCode()': hashOf,
  'String.GetHashCode(StringComparison)': (text, comparison) =>
    hashOf(ignoresCase(comparison) ? upperInvariant(text) : text),
};

/** A part of a string for comparing: cut to what there is. */
function part(text: string | null, start: number, length: number): string | null {
  if (text === null) return null;
  if (length < 0) return outOfRange('length');
  if (start < 0 || start > text.length) return outOfRange('index');
  return text.slice(start, start + length);
}

const COMPARERS: MemberTable = {
  'StringComparer.get_InvariantCulture()': () => ORDINAL_COMPARER,
  'StringComparer.get_InvariantCultureIgnoreCase()': () => IGNORE_CASE_COMPARER,
  'StringComparer.get_CurrentCulture()': () => ORDINAL_COMPARER,
  'StringComparer.get_CurrentCultureIgnoreCase()': () => IGNORE_CASE_COMPARER,
  'StringComparer.get_Ordinal()': () => ORDINAL_COMPARER,
  'StringComparer.get_OrdinalIgnoreCase()': () => IGNORE_CASE_COMPARER,
  'StringComparer.FromComparison(StringComparison)': (comparison) =>
    ignoresCase(comparison) ? IGNORE_CASE_COMPARER : ORDINAL_COMPARER,
  'StringComparer.Compare(string,string)': (comparer, a, b) => comparer.compare(a, b),
  'StringComparer.Equals(string,string)': (comparer, a, b) => comparer.equals(a, b),
  'StringComparer.GetHashCode(string)': (comparer, text) => hashOf(comparer.key(text)),
  'EqualityComparer<T>.get_Default()': () => DEFAULT_COMPARER,
  'EqualityComparer<T>.Equals(T,T)': (comparer, a, b) => comparer.equals(a, b),
  'EqualityComparer<T>.GetHashCode(T)': (comparer, value) => hashOf(comparer.key(value)),
};

export const STRING_SEARCH_MEMBERS: MemberTable = { ...SEARCHES, ...COMPARISONS, ...COMPARERS };
