// BitOperations: instructions, but for what they take and give.

import { argument, type CallEmitter } from '../control/call-parts.ts';
import { instructions } from '../control/routines.ts';
import { i32, i64 } from '../wasm/opcodes.ts';

/** The place of the highest bit; that of 0 is 0. */
const log32: CallEmitter = (f, call) => {
  const { code } = f;
  code.i32(31);
  f.expression(argument(call, 0));
  code.i32(1);
  code.op(i32.or, i32.clz, i32.sub);
};

const log64: CallEmitter = (f, call) => {
  const { code } = f;
  code.i32(63);
  f.expression(argument(call, 0));
  code.i64(1n);
  code.op(i64.or, i64.clz, i32.wrapI64, i32.sub);
};

export const bitCalls: readonly (readonly [string, CallEmitter])[] = [
  ['BitOperations.LeadingZeroCount(uint)', instructions(i32.clz)],
  ['BitOperations.LeadingZeroCount(ulong)', instructions(i64.clz, i32.wrapI64)],
  ['BitOperations.Log2(uint)', log32],
  ['BitOperations.Log2(ulong)', log64],
  ['BitOperations.PopCount(uint)', instructions(i32.popcnt)],
  ['BitOperations.PopCount(ulong)', instructions(i64.popcnt, i32.wrapI64)],
  ['BitOperations.RotateLeft(uint,int)', instructions(i32.rotl)],
  ['BitOperations.RotateLeft(ulong,int)', instructions(i64.extendI32S, i64.rotl)],
  ['BitOperations.RotateRight(uint,int)', instructions(i32.rotr)],
  ['BitOperations.RotateRight(ulong,int)', instructions(i64.extendI32S, i64.rotr)],
  ['BitOperations.TrailingZeroCount(int)', instructions(i32.ctz)],
  ['BitOperations.TrailingZeroCount(uint)', instructions(i32.ctz)],
  ['BitOperations.TrailingZeroCount(long)', instructions(i64.ctz, i32.wrapI64)],
  ['BitOperations.TrailingZeroCount(ulong)', instructions(i64.ctz, i32.wrapI64)],
];
