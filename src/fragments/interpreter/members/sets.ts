// HashSet and Queue.

import { newArray } from '../array-objects.ts';
import { QueueObject, SetObject } from '../collections.ts';
import { equalValues } from '../equality.ts';
import { argumentNull, invalidOperation } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import { collect, defaultOf, over, type Value } from '../values.ts';
import { copyItems } from './arrays.ts';
import { bySite, type MemberTable } from './native.ts';

const newSet = (readComparer: number | null, readItems: boolean) =>
  bySite((site) => {
    const type = runtimeType(site.result);
    return (...values) => {
      const set = new SetObject(type, readComparer === null ? null : values[readComparer]);
      if (readItems) set.fill(values[0]);
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

/** What is in one of both, not in both: of another set item by item, of other sequences what is new goes in before anything goes out. */
function symmetricExcept(set: SetObject, other: Value): void {
  if (other === set) set.clear();
  else if (other instanceof SetObject && other.comparer === set.comparer) {
    for (const item of over(other)) if (!set.remove(item)) set.add(item);
  } else {
    const added = new SetObject(set.type, set.comparer);
    const gone = new SetObject(set.type, set.comparer);
    for (const item of over(other, 'other')) {
      if (set.add(item)) added.add(item);
      else if (!added.has(item)) gone.add(item);
    }
    for (const item of set.items()) if (gone.has(item)) set.remove(item);
  }
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
  'HashSet<T>.TryGetValue(T,out T)': bySite((site) => {
    const initial = defaultOf(site.arguments[1]!);
    return (set: SetObject, item, cell) => {
      const known = set.find(item);
      cell.value = known === undefined ? initial : known.item;
      return known !== undefined;
    };
  }),
  'HashSet<T>.CopyTo(T[])': (set, array) => copyItems(set, array, 0),
  'HashSet<T>.CopyTo(T[],int)': copyItems,
  'HashSet<T>.RemoveWhere(Predicate<T>)': (set: SetObject, match) => {
    if (match === null) return argumentNull('match');
    let gone = 0;
    for (const { item } of set.entries.values()) if (match(item) && set.remove(item)) gone++;
    return gone;
  },
  'HashSet<T>.UnionWith(IEnumerable<T>)': (set, other) => {
    for (const item of over(other, 'other')) set.add(item);
    return undefined;
  },
  'HashSet<T>.IntersectWith(IEnumerable<T>)': (set, other) => {
    const kept = asSet(set, other);
    for (const item of set.items()) if (!kept.has(item)) set.remove(item);
    return undefined;
  },
  'HashSet<T>.ExceptWith(IEnumerable<T>)': (set, other) => {
    for (const item of other === set ? set.items() : over(other, 'other')) set.remove(item);
    return undefined;
  },
  'HashSet<T>.SymmetricExceptWith(IEnumerable<T>)': symmetricExcept,
  'HashSet<T>.IsSubsetOf(IEnumerable<T>)': (set, other) => holdsAll(asSet(set, other), set.items()),
  'HashSet<T>.IsProperSubsetOf(IEnumerable<T>)': (set, other) => {
    const wider = asSet(set, other);
    return wider.count > set.count && holdsAll(wider, set.items());
  },
  'HashSet<T>.IsSupersetOf(IEnumerable<T>)': (set, other) => holdsAll(set, over(other, 'other')),
  'HashSet<T>.IsProperSupersetOf(IEnumerable<T>)': (set, other) => {
    const narrower = asSet(set, other);
    return narrower.count < set.count && holdsAll(set, narrower.items());
  },
  'HashSet<T>.Overlaps(IEnumerable<T>)': (set, other) => {
    for (const item of over(other, 'other')) if (set.has(item)) return true;
    return false;
  },
  'HashSet<T>.SetEquals(IEnumerable<T>)': (set, other) => {
    const wanted = asSet(set, other);
    return wanted.count === set.count && holdsAll(wanted, set.items());
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
    queue.version++;
    return undefined;
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

export const SET_MEMBERS: MemberTable = { ...SETS, ...QUEUES };
