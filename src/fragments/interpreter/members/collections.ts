// List, Dictionary, HashSet, Queue, KeyValuePair and Comparer.

import type { Type } from '../../types.ts';
import { DictionaryObject, type MapObject, QueueObject, SetObject } from '../collections.ts';
import { comparerBy, comparerOrDefault, compareValues, DEFAULT_COMPARER, equalValues } from '../equality.ts';
import { argumentNull, badArgument, invalidOperation, outOfRange } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import { KeyValue } from '../structs.ts';
import { textFormatter } from '../to-text.ts';
import { collect, defaultOf, type ListObject, newArray, newList, over, type Value } from '../values.ts';
import {
  binarySearch,
  findIndex,
  findLastIndex,
  indexOfValue,
  insertItem,
  lastIndexOfValue,
  removeItemAt,
  reversePart,
  sortPart,
} from './arrays.ts';
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
  charge(list.items.length >> 3);
  list.items.splice(index, count);
  changed(list);
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
  'List<T>.get_Capacity()': (list) => list.items.length,
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
  'List<T>.BinarySearch(T)': (list, item) => binarySearch(list.items, item),
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
  'List<T>.FindLast(Predicate<T>)': orDefault((list, match) => findLastIndex(list.items, match)),
  'List<T>.FindLastIndex(Predicate<T>)': (list, match) => findLastIndex(list.items, match),
  'List<T>.ForEach(Action<T>)': (list, action) => {
    const { version } = list;
    for (const item of list.items) {
      (action ?? argumentNull('action'))(item);
      if (list.version !== version)
        return invalidOperation('Collection was modified; enumeration operation may not execute.');
    }
    return undefined;
  },
  'List<T>.GetRange(int,int)': bySite((site) => (list, index, count) => {
    if (index < 0 || count < 0) return outOfRange('index');
    if (index > list.items.length - count) return badArgument('Offset and length were out of bounds.');
    allocate(count * 8);
    return newList(argument(site.result, 0), list.items.slice(index, index + count));
  }),
  'List<T>.IndexOf(T)': (list, item) => indexOfValue(list.items, item),
  'List<T>.IndexOf(T,int)': (list, item, start) => indexOfValue(list.items, item, start),
  'List<T>.Insert(int,T)': insertItem,
  'List<T>.InsertRange(int,IEnumerable<T>)': insertRange,
  'List<T>.LastIndexOf(T)': (list, item) => lastIndexOfValue(list.items, item),
  'List<T>.Remove(T)': (list, item) => {
    const at = indexOfValue(list.items, item);
    if (at >= 0) removeItemAt(list, at);
    return at >= 0;
  },
  'List<T>.RemoveAll(Predicate<T>)': (list, match) => {
    const before = list.items.length;
    list.items = list.items.filter((item: Value) => {
      charge(1);
      return !(match ?? argumentNull('match'))(item);
    });
    changed(list);
    return before - list.items.length;
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

// --- sets and queues --------------------------------------------------------------------------------------------------

const newSet = (readComparer: number | null, readItems: boolean) =>
  bySite((site) => {
    const type = runtimeType(site.result);
    return (...values) => {
      const set = new SetObject(type, readComparer === null ? null : values[readComparer]);
      if (readItems) for (const item of over(values[0], 'collection')) set.add(item);
      return set;
    };
  });

/** Another sequence as a set under the same comparer. */
function asSet(set: SetObject, sequence: Value): SetObject {
  const other = new SetObject(set.type, set.comparer);
  for (const item of over(sequence, 'other')) other.add(item);
  return other;
}

function holdsAll(set: SetObject, items: Iterable<Value>): boolean {
  for (const item of items) if (!set.has(item)) return false;
  return true;
}

const SETS: MemberTable = {
  'HashSet<T>.new()': newSet(null, false),
  'HashSet<T>.new(int)': newSet(null, false),
  'HashSet<T>.new(IEqualityComparer<T>)': newSet(0, false),
  'HashSet<T>.new(IEnumerable<T>)': newSet(null, true),
  'HashSet<T>.new(IEnumerable<T>,IEqualityComparer<T>)': newSet(1, true),
  'HashSet<T>.get_Count()': (set) => set.count,
  'HashSet<T>.Add(T)': (set, item) => set.add(item),
  'HashSet<T>.Clear()': (set) => set.clear(),
  'HashSet<T>.Contains(T)': (set, item) => set.has(item),
  'HashSet<T>.Remove(T)': (set, item) => set.remove(item),
  'HashSet<T>.RemoveWhere(Predicate<T>)': (set, match) => {
    const gone = [...set.entries.values()].filter((item) => (match ?? argumentNull('match'))(item));
    for (const item of gone) set.remove(item);
    return gone.length;
  },
  'HashSet<T>.UnionWith(IEnumerable<T>)': (set, other) => {
    for (const item of over(other, 'other')) set.add(item);
    return undefined;
  },
  'HashSet<T>.IntersectWith(IEnumerable<T>)': (set, other) => {
    const kept = asSet(set, other);
    for (const item of [...set.entries.values()]) if (!kept.has(item)) set.remove(item);
    return undefined;
  },
  'HashSet<T>.ExceptWith(IEnumerable<T>)': (set, other) => {
    for (const item of asSet(set, other).entries.values()) set.remove(item);
    return undefined;
  },
  'HashSet<T>.SymmetricExceptWith(IEnumerable<T>)': (set, other) => {
    for (const item of asSet(set, other).entries.values()) if (!set.remove(item)) set.add(item);
    return undefined;
  },
  'HashSet<T>.IsSubsetOf(IEnumerable<T>)': (set, other) => holdsAll(asSet(set, other), set.entries.values()),
  'HashSet<T>.IsSupersetOf(IEnumerable<T>)': (set, other) => holdsAll(set, over(other, 'other')),
  'HashSet<T>.Overlaps(IEnumerable<T>)': (set, other) => {
    for (const item of over(other, 'other')) if (set.has(item)) return true;
    return false;
  },
  'HashSet<T>.SetEquals(IEnumerable<T>)': (set, other) => {
    const wanted = asSet(set, other);
    return wanted.count === set.count && holdsAll(wanted, set.entries.values());
  },
};

const EMPTY = 'Queue empty.';

const newQueue = (readItems: boolean) =>
  bySite((site) => {
    const type = runtimeType(site.result);
    return (source) => new QueueObject(type, readItems ? collect(source, 'collection') : []);
  });

/** TryPeek and TryDequeue. */
const tryTake = (take: (queue: QueueObject) => Value) =>
  bySite((site) => {
    const initial = defaultOf(site.arguments[0]!);
    return (queue, cell) => {
      const known = queue.length > 0;
      cell.value = known ? take(queue) : initial;
      return known;
    };
  });

const QUEUES: MemberTable = {
  'Queue<T>.new()': newQueue(false),
  'Queue<T>.new(int)': newQueue(false),
  'Queue<T>.new(IEnumerable<T>)': newQueue(true),
  'Queue<T>.get_Count()': (queue) => queue.length,
  'Queue<T>.Clear()': (queue) => queue.clear(),
  'Queue<T>.Contains(T)': (queue, item) => {
    for (const each of over(queue)) if (equalValues(each, item)) return true;
    return false;
  },
  'Queue<T>.Dequeue()': (queue) => (queue.length === 0 ? invalidOperation(EMPTY) : queue.take()),
  'Queue<T>.Enqueue(T)': (queue, item) => {
    allocate(8);
    queue.items.push(item);
    return changed(queue);
  },
  'Queue<T>.Peek()': (queue) => (queue.length === 0 ? invalidOperation(EMPTY) : queue.peek()),
  'Queue<T>.ToArray()': bySite((site) => {
    const type = site.result.kind === 'array' ? site.result.element : site.result;
    return (queue) => {
      allocate(queue.length * 8 + 32);
      return newArray(type, [...over(queue)]);
    };
  }),
  'Queue<T>.TryDequeue(out T)': tryTake((queue) => queue.take()),
  'Queue<T>.TryPeek(out T)': tryTake((queue) => queue.peek()),
};

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
  ...SETS,
  ...QUEUES,
  ...PAIRS,
};
