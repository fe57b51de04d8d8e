// What routines of the core for texts answer where C# throws: the complement of the exception's number (assembly/fragments/failures.ts).

import type { FunctionEmitter } from '../control/function-emitter.ts';
import { noOrder } from '../wasm/core-functions.ts';
import { i32 } from '../wasm/opcodes.ts';

/** The new text on the stack, or a failure, which is thrown. */
export function newText(f: FunctionEmitter): void {
  const { code } = f;
  const answer = code.borrow('i32');
  code.tee(answer);
  code.i32(-128);
  code.op(i32.geU);
  throwAnswer(f, answer);
  // What made it took time by its length.
  f.chargeText(answer);
  code.get(answer);
  code.release('i32', answer);
}

/** The index, truth value or number on the stack, at least `least`, or a failure, which is thrown. */
export function orFailure(f: FunctionEmitter, least: -1 | 0): void {
  const { code } = f;
  const answer = code.borrow('i32');
  code.tee(answer);
  code.i32(least);
  code.op(i32.ltS);
  throwAnswer(f, answer);
  code.get(answer);
  code.release('i32', answer);
}

/** The new array on the stack, or a failure, which is thrown. */
export function newArray(f: FunctionEmitter): void {
  const { code } = f;
  const answer = code.borrow('i32');
  code.tee(answer);
  code.i32(-128);
  code.op(i32.geU);
  throwAnswer(f, answer);
  code.get(answer);
  code.release('i32', answer);
}

/** Keeps the order on the stack; what lies above every order is `noOrder` plus the number of an exception, which it throws. */
export function orderOrFailure(f: FunctionEmitter): void {
  const { code } = f;
  const answer = code.borrow('i32');
  code.tee(answer);
  code.i32(noOrder);
  code.op(i32.geS);
  code.if();
  code.get(answer);
  code.i32(noOrder);
  code.op(i32.xor);
  f.failNumber();
  code.end();
  code.get(answer);
  code.release('i32', answer);
}

/** Throws what the failure in a local stands for when the i32 on the stack is not 0. */
function throwAnswer(f: FunctionEmitter, answer: number): void {
  const { code } = f;
  code.if();
  code.get(answer);
  code.i32(-1);
  code.op(i32.xor);
  f.failNumber();
  code.end();
}
