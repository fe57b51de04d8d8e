// Array's members, and what they share with lists.

import type { Type } from '../../types.ts';
import { ArrayObject, emptyArray, newArray } from '../array-objects.ts';
import { type Comparer, comparerOrDefault, compareValues, equalValues } from '../equality.ts';
import { argumentNull, badArgument, outOfRange, raise } from '../exceptions.ts';
import { numericConversion, widens } from '../integers.ts';
import { allocate, charge } from '../machine.ts';
import { isAssignable, runtimeType } from '../runtime-types.ts';
import { failingAsSort, sortItems } from '../sort.ts';
import { Boxed, box, defaultOf, type Items, over, typeOfObject, type Value } from '../values.ts';
import { bySite, type MemberTable, type Native } from './native.ts';

function itemsOf(array: ArrayObject | null, parameter = 'array'): Value[] {
  return array === null ? argumentNull(parameter) : (array.items as Value[]);
}

function elementOf(type: Type): Type {
  return type.kind === 'array' ? type.element : type;
}

/** Whether an array takes a value, which its static type may not say: arrays are covariant. */
function takes(array: ArrayObject, value: Value): boolean {
  if (value === null || typeof value === 'function') return true;
  return isAssignable(typeOfObject(value), runtimeType(array.element));
}

/** Stores a reference in an array that may be one of a narrower type. */
export function storeItem(array: ArrayObject, at: number, value: Value): void {
  if (!runtimeType(array.element).isValue && !takes(array, value)) raise('ArrayTypeMismatchException');
  array.put(at, value);
}

/** What Array.Copy makes of each item; null: it refuses. */
function copying(from: ArrayObject, to: ArrayObject): ((value: Value) => Value) | null {
  const [own, wanted] = [runtimeType(from.element), runtimeType(to.element)];
  if (own.key === wanted.key) return (value) => value;
  if (own.isValue && wanted.isValue) {
    if (own.type.kind !== 'primitive' || wanted.type.kind !== 'primitive') return null;
    const [name, target] = [own.type.name, wanted.type.name];
    return widens(name, target) ? numericConversion(name, target, false) : null;
  }
  if (own.isValue) return isAssignable(own, wanted) ? (value) => box(own.type, value) : null;
  if (wanted.isValue) {
    if (!isAssignable(wanted, own)) return null;
    return (value) => {
      const fits = value instanceof Boxed && value.type.key === wanted.key;
      return fits ? value.value : raise('InvalidCastException');
    };
  }
  if (isAssignable(own, wanted)) return (value) => value;
  if (!isAssignable(wanted, own) && own.shape !== 'interface' && wanted.shape !== 'interface') return null;
  return (value) => (takes(to, value) ? value : raise('InvalidCastException'));
}

/** Copies a part of one array into another, also onto itself. */
function copy(from: ArrayObject | null, start: number, to: ArrayObject | null, at: number, count: number): void {
  const source = itemsOf(from, 'sourceArray');
  const target = itemsOf(to, 'destinationArray');
  const convert = copying(from as ArrayObject, to as ArrayObject);
  if (count < 0) outOfRange('length');
  if (start < 0 || at < 0) outOfRange('sourceIndex');
  if (start > source.length - count || at > target.length - count) badArgument('The array is not long enough.');
  if (convert === null) raise('ArrayTypeMismatchException');
  charge(count >> 2);
  const part = source.slice(start, start + count);
  for (let index = 0; index < count; index++) target[at + index] = convert(part[index]);
}

/** All items of a collection into an array from a place on. */
export function copyItems(source: Value, to: ArrayObject | null, at: number): void {
  const target = itemsOf(to);
  if (at < 0) outOfRange('arrayIndex');
  if (at > target.length - source.count) badArgument('The array is not long enough.');
  let place = at;
  for (const item of over(source)) target[place++] = item;
}

/** The first index that fits, or -1. */
export function findIndex(
  items: ArrayLike<Value>,
  match: Native | null,
  start = 0,
  count = items.length - start,
): number {
  if (start < 0 || start > items.length) return outOfRange('startIndex');
  if (count < 0 || start > items.length - count) return outOfRange('count');
  if (match === null) return argumentNull('match');
  for (let at = start; at < start + count; at++) {
    charge(1);
    if (match(items[at])) return at;
  }
  return -1;
}

/** Throws unless a search may go backwards over `count` items from `start` on; without items from -1. */
function checkBackwards(length: number, start: number, count: number): void {
  if (length === 0 ? start !== -1 : start < 0 || start >= length) outOfRange('startIndex');
  if (count < 0 || start - count + 1 < 0) outOfRange('count');
}

export function findLastIndex(
  items: ArrayLike<Value>,
  match: Native | null,
  start = items.length - 1,
  count = start + 1,
): number {
  if (match === null) return argumentNull('match');
  checkBackwards(items.length, start, count);
  for (let at = start; at > start - count; at--) {
    charge(1);
    if (match(items[at])) return at;
  }
  return -1;
}

export function indexOfValue(items: ArrayLike<Value>, value: Value, start = 0, count = items.length - start): number {
  if (start < 0 || start > items.length) return outOfRange('startIndex');
  if (count < 0 || start > items.length - count) return outOfRange('count');
  charge(count >> 2);
  for (let at = start; at < start + count; at++) if (equalValues(items[at], value)) return at;
  return -1;
}

export function lastIndexOfValue(
  items: ArrayLike<Value>,
  value: Value,
  start = items.length - 1,
  count = items.length === 0 ? 0 : start + 1,
): number {
  if (items.length === 0) return -1;
  checkBackwards(items.length, start, count);
  charge(count >> 2);
  for (let at = start; at > start - count; at--) if (equalValues(items[at], value)) return at;
  return -1;
}

/** The place, or the complement of where it would be. */
export function binarySearch(
  items: ArrayLike<Value>,
  start: number,
  count: number,
  value: Value,
  comparer: Comparer | null = null,
): number {
  checkPart(items, start, count);
  const { compare } = comparerOrDefault(comparer);
  let [low, high] = [start, start + count - 1];
  while (low <= high) {
    charge(1);
    const middle = low + ((high - low) >> 1);
    const order = failingAsSort(() => compare(items[middle], value));
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

function checkPart(items: ArrayLike<Value>, start: number, count: number): void {
  if (start < 0 || count < 0) outOfRange('index');
  if (start > items.length - count) badArgument('Offset and length were out of bounds.');
}

/** Sorts a part of the items in place. */
export function sortPart(items: Value[], start: number, count: number, compare: (a: Value, b: Value) => number): void {
  checkPart(items, start, count);
  sortItems(items, null, start, count, compare);
}

/** Array.Sort of keys and what belongs to them. */
function sortPairs(
  keys: ArrayObject | null,
  items: ArrayObject | null,
  start: number,
  count: number,
  comparer: Comparer | null,
): void {
  const own = itemsOf(keys, 'keys');
  const others = items === null ? null : (items.items as Value[]);
  if (start < 0 || count < 0) outOfRange('index');
  if (start > own.length - count || (others !== null && start > others.length - count))
    badArgument('Offset and length were out of bounds.');
  sortItems(own, others, start, count, comparerOrDefault(comparer).compare);
}

export function reversePart(items: Value[], start: number, count: number): void {
  checkPart(items, start, count);
  charge(count >> 2);
  const part = items.slice(start, start + count).reverse();
  for (let at = 0; at < count; at++) items[start + at] = part[at];
}

function filtered(type: Type, items: Value[], match: Native | null): ArrayObject {
  if (match === null) return argumentNull('match');
  const kept: Value[] = [];
  for (const item of items) {
    charge(1);
    if (match(item)) kept.push(item);
  }
  allocate(kept.length * 8 + 32);
  return newArray(type, kept);
}

/** The one empty array of each type. */
const empties = new Map<string, ArrayObject>();

/** A boxed number as one of a wider type of items. */
function widened(array: ArrayObject, value: Value): Value {
  const { element } = array;
  const own = value instanceof Boxed ? value.type.type : null;
  if (own?.kind !== 'primitive' || element.kind !== 'primitive' || !widens(own.name, element.name))
    return raise('InvalidCastException');
  return numericConversion(own.name, element.name, false)(value.value);
}

const ARRAYS: MemberTable = {
  'Array.get_Length()': (array) => array.count,
  'Array.get_LongLength()': (array) => BigInt(array.count),
  'Array.get_Rank()': (array) => array.lengths.length,
  'Array.GetLength(int)': (array, dimension) => array.lengths[dimension] ?? raise('IndexOutOfRangeException'),
  'Array.GetLowerBound(int)': (array, dimension) =>
    array.lengths[dimension] === undefined ? raise('IndexOutOfRangeException') : 0,
  'Array.GetUpperBound(int)': (array, dimension) => (array.lengths[dimension] ?? raise('IndexOutOfRangeException')) - 1,
  'Array.Clone()': (array) => {
    allocate(array.bytes);
    return new ArrayObject(array.element, array.items.slice() as Items, array.lengths);
  },
  'Array.Empty<T>()': bySite((site) => {
    const type = elementOf(site.result);
    const { key } = runtimeType(type);
    return () => {
      let found = empties.get(key);
      if (found === undefined) {
        found = newArray(type, []);
        empties.set(key, found);
      }
      return found;
    };
  }),
  'Array.CopyTo(Array,int)': (array, to, at) => copy(array, 0, to, at, array.items.length),
  'Array.GetValue(int)': (array, index) =>
    index >= 0 && index < array.items.length
      ? box(array.element, array.items[index])
      : raise('IndexOutOfRangeException'),
  'Array.SetValue(object,int)': (array, value, index) => {
    if (index < 0 || index >= array.items.length) return raise('IndexOutOfRangeException');
    const { isValue } = runtimeType(array.element);
    if (value === null) array.items[index] = defaultOf(array.element);
    else if (takes(array, value)) array.items[index] = isValue ? value.value : value;
    else array.items[index] = widened(array, value);
    return undefined;
  },
  'Array.Clear(Array,int,int)': (array, start, length) => {
    const items = itemsOf(array);
    if (start < 0 || length < 0 || start > items.length - length) return raise('IndexOutOfRangeException');
    items.fill(defaultOf(array.element), start, start + length);
    return undefined;
  },
  'Array.Copy(Array,Array,int)': (from, to, count) => copy(from, 0, to, 0, count),
  'Array.Copy(Array,int,Array,int,int)': copy,
  'Array.Exists<T>(T[],Predicate<T>)': (array, match) => findIndex(itemsOf(array), match) >= 0,
  'Array.Fill<T>(T[],T)': (array, value) => {
    charge(itemsOf(array).length >> 2);
    itemsOf(array).fill(value);
    return undefined;
  },
  'Array.Fill<T>(T[],T,int,int)': (array, value, start, count) => {
    const items = itemsOf(array);
    if (start < 0 || start > items.length) return outOfRange('startIndex');
    if (count < 0 || start > items.length - count) return outOfRange('count');
    items.fill(value, start, start + count);
    return undefined;
  },
  'Array.Find<T>(T[],Predicate<T>)': bySite((site) => (array, match) => {
    const at = findIndex(itemsOf(array), match);
    return at < 0 ? defaultOf(site.result) : array.items[at];
  }),
  'Array.FindAll<T>(T[],Predicate<T>)': bySite(
    (site) => (array, match) => filtered(elementOf(site.result), itemsOf(array), match),
  ),
  'Array.FindIndex<T>(T[],Predicate<T>)': (array, match) => findIndex(itemsOf(array), match),
  'Array.FindIndex<T>(T[],int,Predicate<T>)': (array, start, match) => findIndex(itemsOf(array), match, start),
  'Array.FindIndex<T>(T[],int,int,Predicate<T>)': (array, start, count, match) =>
    findIndex(itemsOf(array), match, start, count),
  'Array.FindLast<T>(T[],Predicate<T>)': bySite((site) => (array, match) => {
    const at = findLastIndex(itemsOf(array), match);
    return at < 0 ? defaultOf(site.result) : array.items[at];
  }),
  'Array.FindLastIndex<T>(T[],Predicate<T>)': (array, match) => findLastIndex(itemsOf(array), match),
  'Array.FindLastIndex<T>(T[],int,Predicate<T>)': (array, start, match) => findLastIndex(itemsOf(array), match, start),
  'Array.FindLastIndex<T>(T[],int,int,Predicate<T>)': (array, start, count, match) =>
    findLastIndex(itemsOf(array), match, start, count),
  'Array.ForEach<T>(T[],Action<T>)': (array, action) => {
    for (const item of itemsOf(array)) (action ?? argumentNull('action'))(item);
    return undefined;
  },
  'Array.ConvertAll<TInput,TOutput>(TInput[],Converter<TInput,TOutput>)': bySite((site) => {
    const type = elementOf(site.result);
    return (array, converter) => {
      allocate(itemsOf(array).length * 8 + 32);
      return newArray(
        type,
        Array.from(itemsOf(array), (item) => (converter ?? argumentNull('converter'))(item)),
      );
    };
  }),
  'Array.BinarySearch<T>(T[],T)': (array, value) => binarySearch(itemsOf(array), 0, itemsOf(array).length, value),
  'Array.BinarySearch<T>(T[],T,IComparer<T>)': (array, value, comparer) =>
    binarySearch(itemsOf(array), 0, itemsOf(array).length, value, comparer),
  'Array.BinarySearch<T>(T[],int,int,T)': (array, start, count, value) =>
    binarySearch(itemsOf(array), start, count, value),
  'Array.BinarySearch<T>(T[],int,int,T,IComparer<T>)': (array, start, count, value, comparer) =>
    binarySearch(itemsOf(array), start, count, value, comparer),
  'Array.IndexOf<T>(T[],T)': (array, value) => indexOfValue(itemsOf(array), value),
  'Array.IndexOf<T>(T[],T,int)': (array, value, start) => indexOfValue(itemsOf(array), value, start),
  'Array.IndexOf<T>(T[],T,int,int)': (array, value, start, count) => indexOfValue(itemsOf(array), value, start, count),
  'Array.LastIndexOf<T>(T[],T)': (array, value) => lastIndexOfValue(itemsOf(array), value),
  'Array.LastIndexOf<T>(T[],T,int)': (array, value, start) => lastIndexOfValue(itemsOf(array), value, start),
  'Array.LastIndexOf<T>(T[],T,int,int)': (array, value, start, count) =>
    lastIndexOfValue(itemsOf(array), value, start, count),
  'Array.Resize<T>(ref T[],int)': bySite((site) => {
    const type = elementOf(site.arguments[0]!);
    return (cell, size) => {
      if (size < 0) return outOfRange('newSize');
      if (cell.value !== null && cell.value.count === size) return undefined;
      const made = emptyArray(type, size);
      const kept = cell.value === null ? 0 : Math.min(size, cell.value.count);
      for (let at = 0; at < kept; at++) made.put(at, cell.value.at(at));
      cell.value = made;
      return undefined;
    };
  }),
  'Array.Reverse<T>(T[])': (array) => reversePart(itemsOf(array), 0, itemsOf(array).length),
  'Array.Reverse<T>(T[],int,int)': (array, start, count) => reversePart(itemsOf(array), start, count),
  // What the binder makes of a range of an array.
  'Array.slice<T>(T[],int,int)': (array, start, count) => {
    if (array === null) return argumentNull('array');
    if (start < 0 || count < 0 || start > array.items.length - count) outOfRange('length');
    allocate((array.bytes * count) / Math.max(1, array.count));
    return newArray(array.element, array.items.slice(start, start + count) as Items);
  },
  'Array.Sort<T>(T[])': (array) => sortPart(itemsOf(array), 0, itemsOf(array).length, compareValues),
  'Array.Sort<T>(T[],int,int)': (array, start, count) => sortPart(itemsOf(array), start, count, compareValues),
  'Array.Sort<T>(T[],IComparer<T>)': (array, comparer) =>
    sortPart(itemsOf(array), 0, itemsOf(array).length, comparerOrDefault(comparer).compare),
  'Array.Sort<T>(T[],int,int,IComparer<T>)': (array, start, count, comparer) =>
    sortPart(itemsOf(array), start, count, comparerOrDefault(comparer).compare),
  'Array.Sort<T>(T[],Comparison<T>)': (array, comparison) =>
    sortPart(itemsOf(array), 0, itemsOf(array).length, comparison ?? argumentNull('comparison')),
  'Array.Sort<TKey,TValue>(TKey[],TValue[])': (keys, items) =>
    sortPairs(keys, items, 0, itemsOf(keys, 'keys').length, null),
  'Array.Sort<TKey,TValue>(TKey[],TValue[],IComparer<TKey>)': (keys, items, comparer) =>
    sortPairs(keys, items, 0, itemsOf(keys, 'keys').length, comparer),
  'Array.Sort<TKey,TValue>(TKey[],TValue[],int,int)': (keys, items, start, count) =>
    sortPairs(keys, items, start, count, null),
  'Array.Sort<TKey,TValue>(TKey[],TValue[],int,int,IComparer<TKey>)': sortPairs,
  'Array.TrueForAll<T>(T[],Predicate<T>)': (array, match) =>
    findIndex(itemsOf(array), match === null ? null : (item) => !match(item)) < 0,
};

export const ARRAY_MEMBERS: MemberTable = { ...ARRAYS };
