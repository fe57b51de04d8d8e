// Exceptions that functions of the core answer instead of a value, or leave behind (assembly/fragments/faults.ts).

import { i32, i32x4, i64 } from '../wasm/opcodes.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** Throws when the 128 bits on the stack are an exception. */
export function checkWide(f: FunctionEmitter): void {
  const { code } = f;
  const value = code.borrow('v128');
  const fault = code.borrow('i32');
  code.tee(value);
  code.simd(i32x4.extractLane, 3);
  code.i32(0xffff);
  code.op(i32.and);
  code.tee(fault);
  code.if();
  code.get(fault);
  f.failNumber();
  code.end();
  code.get(value);
  code.release('v128', value);
  code.release('i32', fault);
}

/** Throws when the DateTime on the stack is an exception. */
export function checkDate(f: FunctionEmitter): void {
  const { code } = f;
  const value = code.borrow('i64');
  const fault = code.borrow('i32');
  code.tee(value);
  code.i64(-(2n ** 62n));
  code.op(i64.geU);
  code.if();
  code.get(value);
  code.op(i32.wrapI64);
  code.set(fault);
  code.get(fault);
  f.failNumber();
  code.end();
  code.get(value);
  code.release('i64', value);
  code.release('i32', fault);
}

/** Throws when the function called last left an exception behind; whatever lies on the stack stays. */
export function checkFault(f: FunctionEmitter): void {
  const { code } = f;
  const fault = code.borrow('i32');
  f.core('fragmentFault');
  code.tee(fault);
  code.if();
  code.get(fault);
  f.failNumber();
  code.end();
  code.release('i32', fault);
}
