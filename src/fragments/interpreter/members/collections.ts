// List, Dictionary, KeyValuePair and Comparer.

import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { DictionaryObject, type MapObject } from '../collections.ts';
import { comparerBy, comparerOrDefault, compareValues, DEFAULT_COMPARER, equalValues } from '../equality.ts';
import { argumentNull, badArgument, invalidOperation, outOfRange } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import { KeyValue } from '../structs.ts';
import { textFormatter } from '../to-text.ts';
import { collect, defaultOf, type ListObject, newList, over, type Value } from '../values.ts';
import {
  binarySearch,
  copyItems,
  findIndex,
  findLastIndex,
  indexOfValue,
  lastIndexOfValue,
  reversePart,
  sortPart,
} from './arrays.ts';
import { insertItem, removeItemAt } from './interfaces.ts';
import { bySite, type MemberTable, type Native } from './native.ts';

function argument(type: Type | null, at: number): Type {
  return type?.kind === 'named' ? (type.arguments[at] ?? type) : { kind: 'primitive', name: 'object' };
}

/** A member whose result falls back to default(T) of its own result type. */
function orDefault(find: (list: ListObject, match: Native | null) => number) {
  return bySite((site) => {
    const initial = defaultOf(site.result);
    return (list, match) => {
      const at = find(list, match);
      return at < 0 ? initial : list.items[at];
    };
  });
}

function changed(list: ListObject): void {
  list.version++;
}

function removeRange(list: ListObject, index: number, count: number): void {
  if (index < 0 || count < 0) outOfRange('index');
  if (index > list.items.length - count) badArgument('Offset and length were out of bounds.');
  if (count === 0) return;
  charge(list.items.length >> 3);
  list.items.splice(index, count);
  changed(list);
}

/** List.CopyTo: Array.Copy within a collection. */
function copyPart(list: ListObject, index: number, array: Value, at: number, count: number): void {
  if (array === null) argumentNull('destinationArray');
  if (index < 0 || at < 0 || count < 0) outOfRange('index');
  if (at > array.items.length - count) badArgument('The array is not long enough.');
  for (let each = 0; each < count; each++) array.items[at + each] = list.items[index + each];
}

function insertRange(list: ListObject, index: number, sequence: Value): void {
  if (sequence === null) argumentNull('collection');
  if (index < 0 || index > list.items.length) outOfRange('index');
  const added = collect(sequence, 'collection');
  charge(list.items.length >> 3);
  list.items = [...list.items.slice(0, index), ...added, ...list.items.slice(index)];
  changed(list);
}

const checkedAt = (list: ListObject, index: number): Value =>
  index >= 0 && index < list.items.length ? list.items[index] : outOfRange('index');

const LISTS: MemberTable = {
  'List<T>.new()': bySite((site) => () => newList(argument(site.result, 0), [])),
  'List<T>.new(int)': bySite(
    (site) => (capacity) => (capacity < 0 ? outOfRange('capacity') : newList(argument(site.result, 0), [])),
  ),
  'List<T>.new(IEnumerable<T>)': bySite(
    (site) => (sequence) => newList(argument(site.result, 0), collect(sequence, 'collection')),
  ),
  'List<T>.get_Count()': (list) => list.items.length,
  'List<T>.get_Item(int)': checkedAt,
  'List<T>.set_Item(int,T)': (list, index, value) => {
    checkedAt(list, index);
    list.items[index] = value;
    changed(list);
    return undefined;
  },
  'List<T>.Add(T)': (list, item) => {
    allocate(8);
    list.items.push(item);
    changed(list);
    return undefined;
  },
  'List<T>.AddRange(IEnumerable<T>)': (list, sequence) => insertRange(list, list.items.length, sequence),
  'List<T>.BinarySearch(T)': (list, item) => binarySearch(list.items, 0, list.items.length, item),
  'List<T>.BinarySearch(T,IComparer<T>)': (list, item, comparer) =>
    binarySearch(list.items, 0, list.items.length, item, comparer),
  'List<T>.BinarySearch(int,int,T,IComparer<T>)': (list, start, count, item, comparer) =>
    binarySearch(list.items, start, count, item, comparer),
  'List<T>.CopyTo(T[])': (list, array) => copyItems(list, array, 0),
  'List<T>.CopyTo(T[],int)': copyItems,
  'List<T>.CopyTo(int,T[],int,int)': (list, index, array, at, count) => {
    if (list.items.length - index < count) badArgument('Offset and length were out of bounds.');
    copyPart(list, index, array, at, count);
  },
  'List<T>.Clear()': (list) => {
    list.items = [];
    return changed(list);
  },
  'List<T>.Contains(T)': (list, item) => indexOfValue(list.items, item) >= 0,
  'List<T>.ConvertAll<TOutput>(Converter<T,TOutput>)': bySite((site) => (list, converter) => {
    allocate(list.items.length * 8);
    return newList(
      argument(site.result, 0),
      list.items.map((item: Value) => (converter ?? argumentNull('converter'))(item)),
    );
  }),
  'List<T>.Exists(Predicate<T>)': (list, match) => findIndex(list.items, match) >= 0,
  'List<T>.Find(Predicate<T>)': orDefault((list, match) => findIndex(list.items, match)),
  'List<T>.FindAll(Predicate<T>)': bySite((site) => (list, match) => {
    const kept: Value[] = [];
    for (const item of list.items) {
      charge(1);
      if ((match ?? argumentNull('match'))(item)) kept.push(item);
    }
    allocate(kept.length * 8);
    return newList(argument(site.result, 0), kept);
  }),
  'List<T>.FindIndex(Predicate<T>)': (list, match) => findIndex(list.items, match),
  'List<T>.FindIndex(int,Predicate<T>)': (list, start, match) => findIndex(list.items, match, start),
  'List<T>.FindIndex(int,int,Predicate<T>)': (list, start, count, match) => findIndex(list.items, match, start, count),
  'List<T>.FindLast(Predicate<T>)': orDefault((list, match) => findLastIndex(list.items, match)),
  'List<T>.FindLastIndex(Predicate<T>)': (list, match) => findLastIndex(list.items, match),
  'List<T>.FindLastIndex(int,Predicate<T>)': (list, start, match) => findLastIndex(list.items, match, start),
  'List<T>.FindLastIndex(int,int,Predicate<T>)': (list, start, count, match) =>
    findLastIndex(list.items, match, start, count),
  'List<T>.ForEach(Action<T>)': (list, action) => {
    const { version } = list;
    if (action === null) return argumentNull('action');
    for (let at = 0; at < list.items.length && list.version === version; at++) action(list.items[at]);
    if (list.version === version) return undefined;
    return invalidOperation('Collection was modified; enumeration operation may not execute.');
  },
  'List<T>.GetRange(int,int)': bySite((site) => (list, index, count) => {
    if (index < 0 || count < 0) return outOfRange('index');
    if (index > list.items.length - count) return badArgument('Offset and length were out of bounds.');
    allocate(count * 8);
    return newList(argument(site.result, 0), list.items.slice(index, index + count));
  }),
  'List<T>.IndexOf(T)': (list, item) => indexOfValue(list.items, item),
  'List<T>.IndexOf(T,int)': (list, item, start) => indexOfValue(list.items, item, start),
  'List<T>.IndexOf(T,int,int)': (list, item, start, count) => indexOfValue(list.items, item, start, count),
  'List<T>.Insert(int,T)': insertItem,
  'List<T>.InsertRange(int,IEnumerable<T>)': insertRange,
  'List<T>.LastIndexOf(T)': (list, item) => lastIndexOfValue(list.items, item),
  'List<T>.LastIndexOf(T,int)': (list, item, start) => lastIndexOfValue(list.items, item, start),
  'List<T>.LastIndexOf(T,int,int)': (list, item, start, count) => lastIndexOfValue(list.items, item, start, count),
  'List<T>.Remove(T)': (list, item) => {
    const at = indexOfValue(list.items, item);
    if (at >= 0) removeItemAt(list, at);
    return at >= 0;
  },
  'List<T>.RemoveAll(Predicate<T>)': (list, match) => {
    const before = list.items.length;
    const kept = list.items.filter((item: Value) => {
      charge(1);
      return !(match ?? argumentNull('match'))(item);
    });
    if (kept.length === before) return 0;
    list.items = kept;
    changed(list);
    return before - kept.length;
  },
  'List<T>.RemoveAt(int)': removeItemAt,
  'List<T>.RemoveRange(int,int)': removeRange,
  'List<T>.Reverse()': (list) => {
    reversePart(list.items, 0, list.items.length);
    return changed(list);
  },
  'List<T>.Reverse(int,int)': (list, start, count) => {
    reversePart(list.items, start, count);
    return changed(list);
  },
  'List<T>.Sort()': (list) => {
    sortPart(list.items, 0, list.items.length, compareValues);
    return changed(list);
  },
  'List<T>.Sort(IComparer<T>)': (list, comparer) => {
    sortPart(list.items, 0, list.items.length, comparerOrDefault(comparer).compare);
    return changed(list);
  },
  'List<T>.Sort(int,int,IComparer<T>)': (list, start, count, comparer) => {
    sortPart(list.items, start, count, comparerOrDefault(comparer).compare);
    return changed(list);
  },
  'List<T>.Sort(Comparison<T>)': (list, comparison) => {
    sortPart(list.items, 0, list.items.length, comparison ?? argumentNull('comparison'));
    return changed(list);
  },
  'List<T>.ToArray()': bySite((site) => {
    const type = site.result.kind === 'array' ? site.result.element : site.result;
    return (list) => newArray(type, collect(list));
  }),
  'List<T>.TrueForAll(Predicate<T>)': (list, match) =>
    findIndex(list.items, match === null ? null : (item) => !match(item)) < 0,
};

// --- dictionaries -----------------------------------------------------------------------------------------------------

/** A new dictionary of the type at its place, filled from pairs. */
const newDictionary = (readComparer: number | null, readPairs: boolean) =>
  bySite((site) => {
    const type = runtimeType(site.result);
    return (...values) => {
      const dictionary = new DictionaryObject(type, readComparer === null ? null : values[readComparer]);
      if (readPairs) for (const pair of over(values[0], 'collection')) addNew(dictionary, pair.key, pair.value);
      return dictionary;
    };
  });

export function addNew(dictionary: DictionaryObject, key: Value, value: Value): void {
  if (!dictionary.add(key, value)) {
    badArgument(`An item with the same key has already been added. Key: ${String(key)}`);
  }
}

/** TryGetValue with the default of the value's type. */
const tryGetValue = bySite((site) => {
  const initial = defaultOf(site.arguments[1]!);
  return (map: MapObject, key, cell) => {
    if (key === null) return argumentNull('key');
    const value = map.find(key);
    cell.value = value === undefined ? initial : value;
    return value !== undefined;
  };
});

const setItem: Native = (dictionary, key, value) => dictionary.set(key, value);

const DICTIONARIES: MemberTable = {
  'Dictionary<TKey,TValue>.new()': newDictionary(null, false),
  'Dictionary<TKey,TValue>.new(int)': newDictionary(null, false),
  'Dictionary<TKey,TValue>.new(IEqualityComparer<TKey>)': newDictionary(0, false),
  'Dictionary<TKey,TValue>.new(int,IEqualityComparer<TKey>)': newDictionary(1, false),
  'Dictionary<TKey,TValue>.new(IEnumerable<KeyValuePair<TKey,TValue>>)': newDictionary(null, true),
  'Dictionary<TKey,TValue>.new(IEnumerable<KeyValuePair<TKey,TValue>>,IEqualityComparer<TKey>)': newDictionary(1, true),
  'Dictionary<TKey,TValue>.Add(TKey,TValue)': addNew,
  'Dictionary<TKey,TValue>.Clear()': (dictionary) => dictionary.clear(),
  'Dictionary<TKey,TValue>.ContainsValue(TValue)': (dictionary, value) => {
    for (const entry of dictionary.entries.values()) {
      charge(1);
      if (equalValues(entry.value, value)) return true;
    }
    return false;
  },
  'Dictionary<TKey,TValue>.Remove(TKey)': (dictionary, key) => dictionary.remove(key) !== undefined,
  'Dictionary<TKey,TValue>.Remove(TKey,out TValue)': bySite((site) => {
    const initial = defaultOf(site.arguments[1]!);
    return (dictionary, key, cell) => {
      const entry = dictionary.remove(key);
      cell.value = entry === undefined ? initial : entry.value;
      return entry !== undefined;
    };
  }),
  'Dictionary<TKey,TValue>.TryAdd(TKey,TValue)': (dictionary, key, value) => dictionary.add(key, value),
  'Dictionary<TKey,TValue>.set_Item(TKey,TValue)': setItem,
  'IDictionary<TKey,TValue>.set_Item(TKey,TValue)': setItem,
  'IDictionary<TKey,TValue>.Add(TKey,TValue)': addNew,
  'IDictionary<TKey,TValue>.Remove(TKey)': (dictionary, key) => dictionary.remove(key) !== undefined,
};

/** What the three faces of a dictionary have in common. */
function readTable(): MemberTable {
  const table: Record<string, Native | ReturnType<typeof bySite>> = {};
  for (const face of ['Dictionary', 'IDictionary', 'IReadOnlyDictionary']) {
    const owner = `${face}<TKey,TValue>`;
    table[`${owner}.get_Count()`] = (map) => map.count;
    table[`${owner}.get_Item(TKey)`] = (map, key) => (key === null ? argumentNull('key') : map.get(key));
    table[`${owner}.get_Keys()`] = (map) => map.keys();
    table[`${owner}.get_Values()`] = (map) => map.values();
    table[`${owner}.ContainsKey(TKey)`] = (map, key) =>
      key === null ? argumentNull('key') : map.find(key) !== undefined;
    table[`${owner}.TryGetValue(TKey,out TValue)`] = tryGetValue;
  }
  return table;
}

const PAIRS: MemberTable = {
  'KeyValuePair<TKey,TValue>.new(TKey,TValue)': (key, value) => new KeyValue(key, value),
  'KeyValuePair.Create<TKey,TValue>(TKey,TValue)': (key, value) => new KeyValue(key, value),
  'KeyValuePair<TKey,TValue>.get_Key()': (pair) => pair.key,
  'KeyValuePair<TKey,TValue>.get_Value()': (pair) => pair.value,
  'KeyValuePair<TKey,TValue>.ToString()': bySite((site) => textFormatter(site.receiver!, null)),
  'KeyValuePair<TKey,TValue>.Deconstruct(out TKey,out TValue)': (pair, key, value) => {
    key.value = pair.key;
    value.value = pair.value;
    return undefined;
  },
  'Comparer<T>.get_Default()': () => DEFAULT_COMPARER,
  'Comparer<T>.Create(Comparison<T>)': (comparison) => comparerBy(comparison ?? argumentNull('comparison')),
  'Comparer<T>.Compare(T,T)': (comparer, a, b) => comparer.compare(a, b),
};

export const COLLECTION_MEMBERS: MemberTable = {
  ...LISTS,
  ...readTable(),
  ...DICTIONARIES,
  ...PAIRS,
};
