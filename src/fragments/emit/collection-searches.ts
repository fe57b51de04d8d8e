import { argument, type Call, type CallEmitter, checkedReceiver, receiver } from './calls.ts';
import { delegate } from './collection-delegates.ts';
import { pushEqual } from './collection-equality.ts';
import { type List, listSequence, loadListItem } from './collection-objects.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { representation } from './representation.ts';
import { goOver, itemOf } from './sequences.ts';

/** The list that a member is asked of, in a local; null throws. */
export function own(f: FunctionEmitter, call: Call): List {
  return { place: checkedReceiver(f, call), item: itemOf(receiver(call).type) };
}

export function place(f: FunctionEmitter, call: Call, index: number): number {
  return f.toLocal(argument(call, index)).local;
}

/** Puts the index of the first (or last) item that `test` pushes 1 for into a local, -1 without one. */
export function indexWhere(f: FunctionEmitter, list: List, last: boolean, test: (item: number) => void): number {
  const { code } = f;
  const [result, index] = [code.local('i32'), code.local('i32')];
  code.i32(-1);
  code.set(result);
  code.i32(0);
  code.set(index);
  const after = code.block();
  goOver(f, listSequence(list, false), (item) => {
    test(item);
    code.if();
    code.get(index);
    code.set(result);
    if (!last) code.branch(after);
    code.end();
    code.get(index);
    code.i32(1);
    code.op(0x6a);
    code.set(index);
  });
  code.end();
  return result;
}

/** IndexOf, Contains and LastIndexOf. */
function search(answer: 'index' | 'last' | 'contains'): CallEmitter {
  return (f, call) => {
    const list = own(f, call);
    const wanted = place(f, call, 0);
    const found = indexWhere(f, list, answer === 'last', (item) => pushEqual(f, list.item, item, wanted));
    f.code.get(found);
    if (answer !== 'contains') return;
    f.code.i32(-1);
    f.code.op(0x47);
  };
}

/** Find, FindIndex, FindLast, FindLastIndex and Exists. */
function findWhere(answer: 'item' | 'index' | 'exists', last: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const list = own(f, call);
    const match = delegate(f, argument(call, 0), [list.item]);
    const found = indexWhere(f, list, last, (item) => match.apply([item]));
    code.get(found);
    if (answer === 'index') return;
    code.i32(-1);
    code.op(0x47);
    if (answer === 'exists') return;
    code.if(representation(list.item));
    loadListItem(f, list, found);
    code.else();
    f.zero(list.item);
    code.end();
  };
}

const trueForAll: CallEmitter = (f, call) => {
  const list = own(f, call);
  const match = delegate(f, argument(call, 0), [list.item]);
  const found = indexWhere(f, list, false, (item) => {
    match.apply([item]);
    f.code.op(0x45);
  });
  f.code.get(found);
  f.code.i32(-1);
  f.code.op(0x46);
};

export const searchCalls: readonly [string, CallEmitter][] = [
  ['List<T>.Contains(T)', search('contains')],
  ['List<T>.IndexOf(T)', search('index')],
  ['List<T>.LastIndexOf(T)', search('last')],
  ['List<T>.Exists(Predicate<T>)', findWhere('exists', false)],
  ['List<T>.Find(Predicate<T>)', findWhere('item', false)],
  ['List<T>.FindLast(Predicate<T>)', findWhere('item', true)],
  ['List<T>.FindIndex(Predicate<T>)', findWhere('index', false)],
  ['List<T>.FindLastIndex(Predicate<T>)', findWhere('index', true)],
  ['List<T>.TrueForAll(Predicate<T>)', trueForAll],
  ['Queue<T>.Contains(T)', search('contains')],
];
