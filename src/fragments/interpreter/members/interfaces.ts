// The interfaces through which arrays, lists and sets are seen.

import { ArrayObject } from '../array-objects.ts';
import { SetObject } from '../collections.ts';
import { equalValues } from '../equality.ts';
import { outOfRange, raise } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { cursorOf, type ItemSequence, ListObject, type Sequence, type Value } from '../values.ts';
import { copyItems, indexOfValue, storeItem } from './arrays.ts';
import { bySite, type MemberTable, type Native } from './native.ts';

function itemAt(sequence: ItemSequence, index: number): Value {
  if (index >= 0 && index < sequence.items.length) return sequence.items[index];
  return outOfRange('index');
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
  readonly type: RuntimeType;
  readonly #cursor: Iterator<Value>;
  current: Value = null;

  constructor(type: RuntimeType, source: Value) {
    this.type = type;
    this.#cursor = cursorOf(source);
  }

  move(): boolean {
    const step = this.#cursor.next();
    this.current = step.done ? null : step.value;
    return !step.done;
  }
}

const countOf: Native = (sequence) => sequence.count ?? raise('NotSupportedException');
const enumerate = bySite(({ result }) => {
  const type = runtimeType(result);
  return (sequence) => new Enumerator(type, sequence);
});

export const INTERFACE_MEMBERS: MemberTable = {
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
  'ICollection<T>.CopyTo(T[],int)': copyItems,
  'ICollection<T>.Remove(T)': removeItem,
  'IList<T>.get_Item(int)': itemAt,
  'IList<T>.set_Item(int,T)': (sequence, index, value) => {
    itemAt(sequence, index);
    if (sequence instanceof ArrayObject) storeItem(sequence, index, value);
    else {
      sequence.items[index] = value;
      sequence.version++;
    }
    return undefined;
  },
  'IList<T>.IndexOf(T)': (sequence, value) => indexOfValue(sequence.items, value),
  'IList<T>.Insert(int,T)': (sequence, index, value) => insertItem(listOf(sequence), index, value),
  'IList<T>.RemoveAt(int)': (sequence, index) => removeItemAt(listOf(sequence), index),
};
