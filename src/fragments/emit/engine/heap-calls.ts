// PriorityQueue<TElement,TPriority>: a heap of two lists side by side, kept in order by the core (assembly/fragments/heap.ts).

import type { Type } from '../../types.ts';
import { addItem, checkZero, type List, loadListItem, newList, pushCount, shift } from '../collections/list-objects.ts';
import {
  argument,
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReceiver,
  outTarget,
  receiver,
} from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { isNull } from '../objects/objects.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { getField, named, newInstance, setField } from './classes.ts';

/** Fuel of a sift: what a heap of a million does. */
const siftFuel = 16;

interface Heap {
  readonly elements: List;
  readonly priorities: List;
}

const argumentsOf = (type: Type): readonly [Type, Type] =>
  (type as Type & { kind: 'named' }).arguments as unknown as readonly [Type, Type];

function own(f: FunctionEmitter, call: Call): Heap {
  const [element, priority] = argumentsOf(receiver(call).type);
  const queue = checkedReceiver(f, call);
  const [elements, priorities] = [f.code.local('i32'), f.code.local('i32')];
  getField(f, 'PriorityQueue', 'Elements', queue);
  f.code.set(elements);
  getField(f, 'PriorityQueue', 'Priorities', queue);
  f.code.set(priorities);
  return { elements: { place: elements, item: element }, priorities: { place: priorities, item: priority } };
}

/** `comparerAt`: the argument that is a comparer; only null is one here. */
function create(comparerAt: number): CallEmitter {
  return (f, call) => {
    for (const at of call.arguments.keys()) {
      if (at !== comparerAt) {
        f.expression(argument(call, at));
        f.code.i32(0);
        f.code.op(i32.ltS);
        f.failIf('ArgumentOutOfRangeException');
      } else if (!isNull(argument(call, at))) throw new NotCompiled('a comparer of priorities');
    }
    const [element, priority] = argumentsOf(call.type);
    const made = newInstance(f, call.type);
    const elements = newList(f, named('List', element), element);
    setField(f, 'PriorityQueue', 'Elements', made, () => f.code.get(elements.place));
    const priorities = newList(f, named('List', priority), priority);
    setField(f, 'PriorityQueue', 'Priorities', made, () => f.code.get(priorities.place));
    f.code.get(made);
  };
}

function sift(f: FunctionEmitter, heap: Heap, how: 'heapUp' | 'heapDown'): void {
  f.charge(siftFuel);
  f.code.get(heap.elements.place);
  f.code.get(heap.priorities.place);
  f.core(how);
  checkZero(f);
}

const enqueue: CallEmitter = (f, call) => {
  const heap = own(f, call);
  const [element, priority] = [argumentLocal(f, call, 0), argumentLocal(f, call, 1)];
  addItem(f, heap.elements, element);
  addItem(f, heap.priorities, priority);
  sift(f, heap, 'heapUp');
};

/** Puts the first of a list into a local. */
function firstOf(f: FunctionEmitter, list: List, found: number): void {
  const index = f.code.local('i32');
  f.code.i32(0);
  f.code.set(index);
  loadListItem(f, list, index);
  f.code.set(found);
}

function front(take: boolean): CallEmitter {
  return (f, call) => {
    const heap = own(f, call);
    pushCount(f, heap.elements.place);
    f.code.op(i32.eqz);
    f.failIf('InvalidOperationException');
    const found = f.code.local(representation(heap.elements.item));
    firstOf(f, heap.elements, found);
    if (take) sift(f, heap, 'heapDown');
    f.code.get(found);
  };
}

function tryFront(take: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const heap = own(f, call);
    const lists = [heap.elements, heap.priorities];
    const found = lists.map(({ item }) => code.local(representation(item)));
    const there = code.local('i32');
    pushCount(f, heap.elements.place);
    code.i32(0);
    code.op(i32.ne);
    code.tee(there);
    code.if();
    for (const [at, list] of lists.entries()) firstOf(f, list, found[at] as number);
    if (take) sift(f, heap, 'heapDown');
    code.else();
    for (const [at, { item }] of lists.entries()) {
      f.zero(item);
      code.set(found[at] as number);
    }
    code.end();
    for (const [at, local] of found.entries()) {
      code.get(local);
      f.store(outTarget(call, at));
    }
    code.get(there);
  };
}

const clear: CallEmitter = (f, call) => {
  const heap = own(f, call);
  for (const { place } of [heap.elements, heap.priorities]) {
    shift(
      f,
      place,
      () => f.code.i32(0),
      () => {
        f.code.i32(0);
        pushCount(f, place);
        f.code.op(i32.sub);
      },
    );
  }
};

const name = 'PriorityQueue<TElement,TPriority>';

export const heapCalls: readonly (readonly [string, CallEmitter])[] = [
  [`${name}.new()`, create(-1)],
  [`${name}.new(int)`, create(-1)],
  [`${name}.new(IComparer<TPriority>)`, create(0)],
  [`${name}.new(int,IComparer<TPriority>)`, create(1)],
  [`${name}.get_Count()`, (f, call) => pushCount(f, own(f, call).elements.place)],
  [`${name}.Clear()`, clear],
  [`${name}.Dequeue()`, front(true)],
  [`${name}.Enqueue(TElement,TPriority)`, enqueue],
  [`${name}.Peek()`, front(false)],
  [`${name}.TryDequeue(out TElement,out TPriority)`, tryFront(true)],
  [`${name}.TryPeek(out TElement,out TPriority)`, tryFront(false)],
];
