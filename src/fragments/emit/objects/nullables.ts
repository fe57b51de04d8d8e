// Nullable values. What a value takes decides the form:
//
//   i32, f32                     i64: the value below, bit 32 set; null is 0
//   i64, f64                     v128: the value in the low half, bit 0 of the last lane set; null is 0
//   decimal, DateTimeOffset      v128: the value itself, whose last lane leaves its low bit free, that bit set; null is 0
//   Guid                         i32: its box, all of its bits being taken; null is 0
//   tuples, pairs                i32: the object; null is 0
//
// A null of any form is all zeros, and so is the default that reading it without a check gives.

import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { isObjectStruct, nameOf, representation } from '../representation.ts';
import { f32, f64x2, i32, i32x4, i64, i64x2, type ValueType, v128 } from '../wasm/opcodes.ts';
import { load, places } from './object-layout.ts';
import { box } from './objects.ts';

const presentBit = 2n ** 32n;

/** Pushes null. */
export function emptyNullable({ code }: FunctionEmitter, form: ValueType): void {
  if (form === 'v128') code.v128(0n, 0n);
  else if (form === 'i32') code.i32(0);
  else code.i64(0n);
}

/** Makes a nullable of the value on the stack, which is of `type`. */
export function wrap(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  if (isObjectStruct(type)) return;
  if (nameOf(type) === 'Guid') {
    box(f, type);
    return;
  }
  switch (representation(type)) {
    case 'v128':
      code.v128(0n, presentBit);
      code.simd(v128.or);
      return;
    case 'i64':
      code.simd(i64x2.splat);
      code.i64(presentBit);
      code.simd(i64x2.replaceLane, 1);
      return;
    case 'f64':
      code.simd(f64x2.splat);
      code.i64(presentBit);
      code.simd(i64x2.replaceLane, 1);
      return;
    case 'f32':
      code.op(i32.reinterpretF32);
  }
  code.op(i64.extendI32U);
  code.i64(presentBit);
  code.op(i64.or);
}

/** Whether the nullable on the stack, of the form given, has a value. */
export function hasValue({ code }: FunctionEmitter, form: ValueType): void {
  if (form === 'i32') {
    code.op(i32.eqz, i32.eqz);
    return;
  }
  if (form === 'v128') {
    code.simd(i32x4.extractLane, 3);
    code.i32(1);
    code.op(i32.and);
    return;
  }
  code.i64(0n);
  code.op(i64.ne);
}

/** The value, of `type`, in the nullable on the stack; its default in null. */
export function unwrap(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  if (isObjectStruct(type) || nameOf(type) === 'Guid') {
    unwrapObject(f, type);
    return;
  }
  switch (representation(type)) {
    case 'v128':
      code.v128(-1n, ~presentBit);
      code.simd(v128.and);
      return;
    case 'i64':
      code.simd(i64x2.extractLane, 0);
      return;
    case 'f64':
      code.simd(f64x2.extractLane, 0);
      return;
    case 'f32':
      code.op(i32.wrapI64, f32.reinterpretI32);
      return;
    case 'i32':
      code.op(i32.wrapI64);
  }
}

function unwrapObject(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const object = code.local('i32');
  code.tee(object);
  code.if(representation(type));
  code.get(object);
  if (!isObjectStruct(type)) load(code, 'v128', places.payload);
  code.else();
  f.zero(type);
  code.end();
}
