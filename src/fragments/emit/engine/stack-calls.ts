// Stack<T>: a list whose last item is the top, gone over from there.

import type { Type } from '../../types.ts';
import { emitContains } from '../collections/equality.ts';
import { createList } from '../collections/list-calls.ts';
import {
  addItem,
  type List,
  loadListItem,
  pushArrayOf,
  pushCount,
  shift,
  stackSequence,
} from '../collections/list-objects.ts';
import {
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReceiver,
  outTarget,
  receiver,
} from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { places } from '../objects/object-layout.ts';
import { representation } from '../representation.ts';
import { i32 } from '../wasm/opcodes.ts';

function own(f: FunctionEmitter, call: Call): List {
  const { type } = receiver(call);
  return { place: checkedReceiver(f, call), item: (type as Type & { kind: 'named' }).arguments[0] as Type };
}

/** The top; without one it throws, or `orDefault` answers whether there was one. */
function top(take: boolean, orDefault: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const stack = own(f, call);
    const [index, found] = [code.local('i32'), code.local(representation(stack.item))];
    const fetch = (): void => {
      pushCount(f, stack.place);
      code.i32(1);
      code.op(i32.sub);
      code.set(index);
      loadListItem(f, stack, index);
      code.set(found);
      if (!take) return;
      shift(
        f,
        stack.place,
        () => code.get(index),
        () => code.i32(-1),
      );
    };
    pushCount(f, stack.place);
    if (!orDefault) {
      code.op(i32.eqz);
      f.failIf('InvalidOperationException');
      fetch();
      code.get(found);
      return;
    }
    const there = code.local('i32');
    code.tee(there);
    code.if();
    fetch();
    code.else();
    f.zero(stack.item);
    code.set(found);
    code.end();
    code.get(found);
    f.store(outTarget(call, 0));
    code.get(there);
    code.i32(0);
    code.op(i32.ne);
  };
}

const clear: CallEmitter = (f, call) => {
  const { place } = own(f, call);
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
};

const contains: CallEmitter = (f, call) => {
  const stack = own(f, call);
  emitContains(f, stackSequence(stack), argumentLocal(f, call, 0));
};

const toArray: CallEmitter = (f, call) => {
  const { code } = f;
  pushArrayOf(f, own(f, call));
  const array = code.local('i32');
  code.set(array);
  code.get(array);
  code.i32(0);
  code.get(array);
  code.load(i32.load, places.count);
  f.core('itemsReverse');
  code.get(array);
};

export const stackCalls: readonly (readonly [string, CallEmitter])[] = [
  ['Stack<T>.new()', createList('empty')],
  ['Stack<T>.new(int)', createList('room')],
  ['Stack<T>.new(IEnumerable<T>)', createList('items')],
  ['Stack<T>.get_Count()', (f, call) => pushCount(f, own(f, call).place)],
  ['Stack<T>.Clear()', clear],
  ['Stack<T>.Contains(T)', contains],
  ['Stack<T>.Peek()', top(false, false)],
  ['Stack<T>.Pop()', top(true, false)],
  ['Stack<T>.Push(T)', (f, call) => addItem(f, own(f, call), argumentLocal(f, call, 0))],
  ['Stack<T>.ToArray()', toArray],
  ['Stack<T>.TryPeek(out T)', top(false, true)],
  ['Stack<T>.TryPop(out T)', top(true, true)],
];
