// Array's members, and the interfaces through which arrays and lists are seen.

import type { Type } from '../../types.ts';
import { SetObject } from '../collections.ts';
import { comparerOrDefault, compareValues, equalValues, sortItems } from '../equality.ts';
import { argumentNull, badArgument, outOfRange, raise } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import {
  ArrayObject,
  cursorOf,
  defaultOf,
  type ItemSequence,
  type Items,
  ListObject,
  newArray,
  type Sequence,
  type Value,
} from '../values.ts';
import { bySite, type MemberTable, type Native } from './native.ts';

function itemsOf(array: ArrayObject | null, parameter = 'array'): Value[] {
  return array === null ? argumentNull(parameter) : (array.items as Value[]);
}

function elementOf(type: Type): Type {
  return type.kind === 'array' ? type.element : type;
}

/** Copies a part of one array into another, also onto itself. */
function copy(from: ArrayObject | null, start: number, to: ArrayObject | null, at: number, count: number): void {
  const source = itemsOf(from, 'sourceArray');
  const target = itemsOf(to, 'destinationArray');
  if (count < 0) outOfRange('length');
  if (start < 0 || at < 0) outOfRange('sourceIndex');
  if (start > source.length - count || at > target.length - count) badArgument('The array is not long enough.');
  charge(count >> 2);
  const part = source.slice(start, start + count);
  for (let index = 0; index < count; index++) target[at + index] = part[index];
}

/** The first index that fits, or -1. */
export function findIndex(
  items: ArrayLike<Value>,
  match: Native | null,
  start = 0,
  count = items.length - start,
): number {
  if (match === null) return argumentNull('match');
  for (let at = start; at < start + count; at++) {
    charge(1);
    if (match(items[at])) return at;
  }
  return -1;
}

export function findLastIndex(items: ArrayLike<Value>, match: Native | null): number {
  if (match === null) return argumentNull('match');
  for (let at = items.length - 1; at >= 0; at--) {
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

export function lastIndexOfValue(items: ArrayLike<Value>, value: Value): number {
  charge(items.length >> 2);
  for (let at = items.length - 1; at >= 0; at--) if (equalValues(items[at], value)) return at;
  return -1;
}

/** The place, or the complement of where it would be. */
export function binarySearch(items: ArrayLike<Value>, value: Value): number {
  let [low, high] = [0, items.length - 1];
  while (low <= high) {
    charge(1);
    const middle = low + ((high - low) >> 1);
    const order = compareValues(items[middle], value);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

/** Sorts a part of the items in place. */
export function sortPart(items: Value[], start: number, count: number, compare: (a: Value, b: Value) => number): void {
  if (start < 0 || count < 0) outOfRange('index');
  if (start > items.length - count) badArgument('Offset and length were out of bounds.');
  const part = items.slice(start, start + count);
  sortItems(part, compare);
  for (let at = 0; at < count; at++) items[start + at] = part[at];
}

export function reversePart(items: Value[], start: number, count: number): void {
  if (start < 0 || count < 0) outOfRange('index');
  if (start > items.length - count) badArgument('Offset and length were out of bounds.');
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

const ARRAYS: MemberTable = {
  'Array.get_Length()': (array) => array.items.length,
  'Array.get_LongLength()': (array) => BigInt(array.items.length),
  'Array.get_Rank()': (array) => array.lengths.length,
  'Array.GetLength(int)': (array, dimension) => array.lengths[dimension] ?? raise('IndexOutOfRangeException'),
  'Array.GetLowerBound(int)': (array, dimension) =>
    array.lengths[dimension] === undefined ? raise('IndexOutOfRangeException') : 0,
  'Array.GetUpperBound(int)': (array, dimension) => (array.lengths[dimension] ?? raise('IndexOutOfRangeException')) - 1,
  'Array.Clone()': (array) => {
    allocate(array.items.length * 8 + 32);
    return new ArrayObject(array.element, array.items.slice() as Items, array.lengths);
  },
  'Array.Empty<T>()': bySite((site) => {
    const type = elementOf(site.result);
    return () => newArray(type, []);
  }),
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
  'Array.FindIndex<T>(T[],int,Predicate<T>)': (array, start, match) => {
    if (start < 0 || start > itemsOf(array).length) return outOfRange('startIndex');
    return findIndex(itemsOf(array), match, start);
  },
  'Array.FindLast<T>(T[],Predicate<T>)': bySite((site) => (array, match) => {
    const at = findLastIndex(itemsOf(array), match);
    return at < 0 ? defaultOf(site.result) : array.items[at];
  }),
  'Array.FindLastIndex<T>(T[],Predicate<T>)': (array, match) => findLastIndex(itemsOf(array), match),
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
  'Array.BinarySearch<T>(T[],T)': (array, value) => binarySearch(itemsOf(array), value),
  'Array.IndexOf<T>(T[],T)': (array, value) => indexOfValue(itemsOf(array), value),
  'Array.IndexOf<T>(T[],T,int)': (array, value, start) => indexOfValue(itemsOf(array), value, start),
  'Array.IndexOf<T>(T[],T,int,int)': (array, value, start, count) => indexOfValue(itemsOf(array), value, start, count),
  'Array.LastIndexOf<T>(T[],T)': (array, value) => lastIndexOfValue(itemsOf(array), value),
  'Array.Resize<T>(ref T[],int)': bySite((site) => {
    const type = elementOf(site.arguments[0]!);
    return (cell, size) => {
      if (size < 0) return outOfRange('newSize');
      allocate(size * 8 + 32);
      const old: Value[] = cell.value === null ? [] : Array.from(cell.value.items as Value[]);
      const initial = defaultOf(type);
      cell.value = newArray(
        type,
        Array.from({ length: size }, (_, at) => (at < old.length ? old[at] : initial)),
      );
      return undefined;
    };
  }),
  'Array.Reverse<T>(T[])': (array) => reversePart(itemsOf(array), 0, itemsOf(array).length),
  'Array.Reverse<T>(T[],int,int)': (array, start, count) => reversePart(itemsOf(array), start, count),
  // What the binder makes of a range of an array.
  'Array.slice<T>(T[],int,int)': (array, start, count) => {
    if (array === null) return argumentNull('array');
    if (start < 0 || count < 0 || start > array.items.length - count) outOfRange('length');
    allocate(count * 8 + 32);
    return newArray(array.element, array.items.slice(start, start + count) as Items);
  },
  'Array.Sort<T>(T[])': (array) => sortPart(itemsOf(array), 0, itemsOf(array).length, compareValues),
  'Array.Sort<T>(T[],int,int)': (array, start, count) => sortPart(itemsOf(array), start, count, compareValues),
  'Array.Sort<T>(T[],IComparer<T>)': (array, comparer) => {
    const { compare } = comparerOrDefault(comparer);
    return sortPart(itemsOf(array), 0, itemsOf(array).length, compare);
  },
  'Array.Sort<T>(T[],Comparison<T>)': (array, comparison) =>
    sortPart(itemsOf(array), 0, itemsOf(array).length, comparison ?? argumentNull('comparison')),
  'Array.TrueForAll<T>(T[],Predicate<T>)': (array, match) =>
    findIndex(itemsOf(array), match === null ? null : (item) => !match(item)) < 0,
};

// --- interfaces -------------------------------------------------------------------------------------------------------

function itemAt(sequence: ItemSequence, index: number): Value {
  if (index >= 0 && index < sequence.items.length) return sequence.items[index];
  return sequence instanceof ArrayObject ? raise('IndexOutOfRangeException') : outOfRange('index');
}

/** The list behind IList<T>; arrays cannot grow. */
function listOf(sequence: Sequence): ListObject {
  return sequence instanceof ListObject ? sequence : raise('NotSupportedException', 'Collection was of a fixed size.');
}

function addItem(sequence: Sequence, item: Value): void {
  if (sequence instanceof SetObject) {
    sequence.add(item);
    return;
  }
  const list = listOf(sequence);
  allocate(8);
  list.items.push(item);
  list.version++;
}

function removeItem(sequence: Sequence, item: Value): boolean {
  if (sequence instanceof SetObject) return sequence.remove(item);
  const list = listOf(sequence);
  const at = indexOfValue(list.items, item);
  if (at >= 0) {
    list.items.splice(at, 1);
    list.version++;
  }
  return at >= 0;
}

function containsItem(sequence: Value, item: Value): boolean {
  if (sequence instanceof SetObject) return sequence.has(item);
  const cursor = cursorOf(sequence);
  for (let step = cursor.next(); !step.done; step = cursor.next()) if (equalValues(step.value, item)) return true;
  return false;
}

export function insertItem(list: ListObject, index: number, item: Value): void {
  if (index < 0 || index > list.items.length) outOfRange('index');
  allocate(8);
  charge((list.items.length - index) >> 3);
  list.items.splice(index, 0, item);
  list.version++;
}

export function removeItemAt(list: ListObject, index: number): void {
  if (index < 0 || index >= list.items.length) outOfRange('index');
  charge((list.items.length - index) >> 3);
  list.items.splice(index, 1);
  list.version++;
}

/** A cursor that C# code moves by hand. */
class Enumerator {
  readonly #cursor: Iterator<Value>;
  current: Value = null;

  constructor(source: Value) {
    this.#cursor = cursorOf(source);
  }

  move(): boolean {
    const step = this.#cursor.next();
    this.current = step.done ? null : step.value;
    return !step.done;
  }
}

const countOf: Native = (sequence) => sequence.count ?? raise('NotSupportedException');
const enumerate: Native = (sequence) => new Enumerator(sequence);

const INTERFACES: MemberTable = {
  'IEnumerator.get_Current()': (enumerator) => enumerator.current,
  'IEnumerator.MoveNext()': (enumerator) => enumerator.move(),
  'IEnumerator<T>.get_Current()': (enumerator) => enumerator.current,
  'IEnumerator<T>.MoveNext()': (enumerator) => enumerator.move(),
  'IEnumerator<T>.Dispose()': () => undefined,
  'IEnumerable.GetEnumerator()': enumerate,
  'IEnumerable<T>.GetEnumerator()': enumerate,
  'ICollection.get_Count()': countOf,
  'IList.get_Item(int)': itemAt,
  'IList.Contains(object)': containsItem,
  'IList.IndexOf(object)': (sequence, value) => indexOfValue(sequence.items, value),
  'IReadOnlyCollection<T>.get_Count()': countOf,
  'IReadOnlyList<T>.get_Item(int)': itemAt,
  'ICollection<T>.get_Count()': countOf,
  'ICollection<T>.get_IsReadOnly()': (sequence) => sequence instanceof ArrayObject,
  'ICollection<T>.Add(T)': addItem,
  'ICollection<T>.Clear()': (sequence) => {
    if (sequence instanceof SetObject) return sequence.clear();
    const list = listOf(sequence);
    list.items = [];
    list.version++;
    return undefined;
  },
  'ICollection<T>.Contains(T)': containsItem,
  'ICollection<T>.Remove(T)': removeItem,
  'IList<T>.get_Item(int)': itemAt,
  'IList<T>.set_Item(int,T)': (sequence, index, value) => {
    itemAt(sequence, index);
    sequence.items[index] = value;
    return undefined;
  },
  'IList<T>.IndexOf(T)': (sequence, value) => indexOfValue(sequence.items, value),
  'IList<T>.Insert(int,T)': (sequence, index, value) => insertItem(listOf(sequence), index, value),
  'IList<T>.RemoveAt(int)': (sequence, index) => removeItemAt(listOf(sequence), index),
};

export const ARRAY_MEMBERS: MemberTable = { ...ARRAYS, ...INTERFACES };
