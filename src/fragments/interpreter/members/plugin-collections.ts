// Stacks and heaps.

import { newArray } from '../array-objects.ts';
import { comparerOrDefault, equalValues } from '../equality.ts';
import { invalidOperation, outOfRange } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { PriorityQueueObject, StackObject } from '../plugin-objects.ts';
import { runtimeType } from '../runtime-types.ts';
import type { TupleValue } from '../structs.ts';
import { type Cell, collect, defaultOf, ItemSequence, over, type Value } from '../values.ts';
import { bySite, type MemberTable } from './native.ts';

const newStack = (readItems: boolean) =>
  bySite((site) => {
    const type = runtimeType(site.result);
    return (source) => new StackObject(type, readItems ? collect(source, 'collection') : []);
  });
const emptyStack = 'Stack empty.';

/** TryPeek and TryPop. */
const tryTop = (take: (stack: StackObject) => Value) =>
  bySite((site) => {
    const initial = defaultOf(site.arguments[0]!);
    return (stack: StackObject, cell: Cell) => {
      const known = stack.items.length > 0;
      cell.value = known ? take(stack) : initial;
      return known;
    };
  });

function pop(stack: StackObject): Value {
  stack.version++;
  return stack.items.pop();
}

const STACKS: MemberTable = {
  'Stack<T>.new()': newStack(false),
  'Stack<T>.new(int)': newStack(false),
  'Stack<T>.new(IEnumerable<T>)': newStack(true),
  'Stack<T>.get_Count()': (stack: StackObject) => stack.items.length,
  'Stack<T>.Clear()': (stack: StackObject) => {
    stack.items = [];
    stack.version++;
  },
  'Stack<T>.Contains(T)': (stack: StackObject, item) => {
    for (const each of over(stack)) if (equalValues(each, item)) return true;
    return false;
  },
  'Stack<T>.Peek()': (stack: StackObject) =>
    stack.items.length === 0 ? invalidOperation(emptyStack) : stack.items.at(-1),
  'Stack<T>.Pop()': (stack: StackObject) => (stack.items.length === 0 ? invalidOperation(emptyStack) : pop(stack)),
  'Stack<T>.Push(T)': (stack: StackObject, item) => {
    allocate(8);
    stack.items.push(item);
    stack.version++;
  },
  'Stack<T>.ToArray()': bySite((site) => {
    const type = site.result.kind === 'array' ? site.result.element : site.result;
    return (stack: StackObject) => newArray(type, collect(stack));
  }),
  'Stack<T>.TryPeek(out T)': tryTop((stack) => stack.items.at(-1)),
  'Stack<T>.TryPop(out T)': tryTop(pop),
};

const newHeap = (comparerAt: number) =>
  bySite((site) => {
    const type = runtimeType(site.result);
    return (...values) => {
      const { compare } = comparerOrDefault(comparerAt < 0 ? null : values[comparerAt]);
      return new PriorityQueueObject(type, compare);
    };
  });
const emptyHeap = 'Queue empty.';

/** TryPeek and TryDequeue. */
const tryFirst = (takes: boolean) =>
  bySite((site) => {
    const [element, priority] = [defaultOf(site.arguments[0]!), defaultOf(site.arguments[1]!)];
    return (queue: PriorityQueueObject, elementCell: Cell, priorityCell: Cell) => {
      const node = takes ? queue.take() : queue.first;
      elementCell.value = node === undefined ? element : node[0];
      priorityCell.value = node === undefined ? priority : node[1];
      return node !== undefined;
    };
  });

const HEAPS: MemberTable = {
  'PriorityQueue<TElement,TPriority>.new()': newHeap(-1),
  'PriorityQueue<TElement,TPriority>.new(int)': newHeap(-1),
  'PriorityQueue<TElement,TPriority>.new(IComparer<TPriority>)': newHeap(0),
  'PriorityQueue<TElement,TPriority>.new(int,IComparer<TPriority>)': newHeap(1),
  'PriorityQueue<TElement,TPriority>.get_Count()': (queue: PriorityQueueObject) => queue.length,
  'PriorityQueue<TElement,TPriority>.Clear()': (queue: PriorityQueueObject) => queue.clear(),
  'PriorityQueue<TElement,TPriority>.Dequeue()': (queue: PriorityQueueObject) =>
    (queue.take() ?? invalidOperation(emptyHeap))[0],
  'PriorityQueue<TElement,TPriority>.Enqueue(TElement,TPriority)': (queue: PriorityQueueObject, element, priority) =>
    queue.add(element, priority),
  'PriorityQueue<TElement,TPriority>.EnqueueDequeue(TElement,TPriority)': (
    queue: PriorityQueueObject,
    element,
    priority,
  ) => {
    queue.add(element, priority);
    return (queue.take() as readonly Value[])[0];
  },
  'PriorityQueue<TElement,TPriority>.EnqueueRange(IEnumerable<(TElement,TPriority)>)': (
    queue: PriorityQueueObject,
    items: Value,
  ) => {
    for (const { items: pair } of collect(items, 'items') as TupleValue[]) queue.add(pair[0], pair[1]);
  },
  'PriorityQueue<TElement,TPriority>.EnqueueRange(IEnumerable<TElement>,TPriority)': (
    queue: PriorityQueueObject,
    elements: Value,
    priority,
  ) => {
    for (const element of collect(elements, 'elements')) queue.add(element, priority);
  },
  'PriorityQueue<TElement,TPriority>.EnsureCapacity(int)': (queue: PriorityQueueObject, capacity: number) =>
    capacity < 0 ? outOfRange('capacity') : Math.max(capacity, queue.length),
  'PriorityQueue<TElement,TPriority>.TrimExcess()': () => undefined,
  'PriorityQueue<TElement,TPriority>.get_UnorderedItems()': bySite((site) => {
    const type = runtimeType(site.result);
    return (queue: PriorityQueueObject) => new ItemSequence(type, queue.pairs);
  }),
  'PriorityQueue<TElement,TPriority>.Peek()': (queue: PriorityQueueObject) =>
    (queue.first ?? invalidOperation(emptyHeap))[0],
  'PriorityQueue<TElement,TPriority>.TryDequeue(out TElement,out TPriority)': tryFirst(true),
  'PriorityQueue<TElement,TPriority>.TryPeek(out TElement,out TPriority)': tryFirst(false),
};

export const PLUGIN_COLLECTION_MEMBERS: MemberTable = { ...STACKS, ...HEAPS };
