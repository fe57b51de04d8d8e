// What members that give a sequence are made of.

import type { Type } from '../../types.ts';
import { argument, type Call } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { i32 } from '../wasm/opcodes.ts';
import { goOver, type OnItem, type Sequence } from './sequence.ts';

/** The sequence that a member is asked of. */
export function source(f: FunctionEmitter, call: Call, index = 0): Sequence {
  return f.sequence(argument(call, index), 'ArgumentNullException');
}

/** A counter that starts at 0 with each run; `push` leaves its value and moves it on. */
export function counter(f: FunctionEmitter): { readonly local: number; readonly advance: () => void } {
  const { code } = f;
  const [next, local] = [code.local('i32'), code.local('i32')];
  code.i32(0);
  code.set(next);
  return {
    local,
    advance: () => {
      code.get(next);
      code.tee(local);
      code.i32(1);
      code.op(i32.add);
      code.set(next);
    },
  };
}

/**
 * Items that a condition lets pass, which `test` pushes. `begin` stands where the sequence is begun, `ahead` before each move to a next item:
 * what a sequence does first it does when it is first asked.
 */
export function passing<T>(
  inner: Sequence,
  begin: (f: FunctionEmitter) => T,
  test: (f: FunctionEmitter, item: number, state: T) => void,
  ahead: (f: FunctionEmitter, state: T) => void = () => {},
): Sequence {
  const { walk } = inner;
  return {
    item: inner.item,
    start: (f) => {
      const state = begin(f);
      const next = inner.start(f);
      return (end) => {
        ahead(f, state);
        const top = f.code.loop();
        const item = next(end);
        test(f, item, state);
        f.code.op(i32.eqz);
        f.code.branchIf(top);
        f.code.end();
        return item;
      };
    },
    ...(walk === undefined
      ? {}
      : {
          walk: (f: FunctionEmitter, onItem: OnItem) => {
            const state = begin(f);
            ahead(f, state);
            walk(f, (item, type) => {
              test(f, item, state);
              f.code.if();
              onItem(item, type);
              f.code.end();
            });
          },
        }),
  };
}

/** A sequence by its steps. */
export function stepped<T>(
  item: Type,
  begin: (f: FunctionEmitter) => T,
  step: (f: FunctionEmitter, state: T, end: number) => number,
): Sequence {
  return {
    item,
    start: (f) => {
      const state = begin(f);
      return (end) => step(f, state, end);
    },
  };
}

/** The items of the sequences that `inner` makes of the items of another. `begin` stands before the first. */
export function flattened<T>(
  outer: Sequence,
  item: Type,
  begin: (f: FunctionEmitter) => T,
  inner: (f: FunctionEmitter, each: number, state: T) => Sequence,
): Sequence {
  return {
    item,
    start: (f) => {
      const { code } = f;
      const state = begin(f);
      const next = outer.start(f);
      const open = code.local('i32');
      const found = code.local(representation(item));
      code.i32(0);
      code.set(open);
      return (end) => {
        const got = code.block();
        const top = code.loop();
        code.get(open);
        code.op(i32.eqz);
        code.if();
        const step = inner(f, next(end), state).start(f);
        code.i32(1);
        code.set(open);
        code.end();
        const through = code.block();
        code.get(step(through));
        code.set(found);
        code.branch(got);
        code.end();
        code.i32(0);
        code.set(open);
        code.branch(top);
        code.end();
        code.end();
        return found;
      };
    },
    walk: (f, onItem) => {
      const state = begin(f);
      goOver(f, outer, (each) => goOver(f, inner(f, each, state), onItem));
    },
  };
}
