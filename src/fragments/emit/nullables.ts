// Nullable values. What a value takes decides the form:
//
//   i32, f32                     i64: the value below, bit 32 set; null is 0
//   i64, f64                     v128: the value in the low half, bit 0 of the last lane set; null is 0
//   decimal, DateTimeOffset      v128: the value itself, whose last lane leaves its low bit free, that bit set; null is 0
//   Guid                         i32: its box, all of its bits being taken; null is 0
//   tuples, pairs                i32: the object; null is 0
//
// A null of any form is all zeros, and so is the default that reading it without a check gives.

import type { Type } from '../types.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import type { ValueType } from './module-writer.ts';
import { load, places } from './object-layout.ts';
import { toObject } from './objects.ts';
import { isObjectStruct, nameOf, representation } from './representation.ts';

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
    toObject(f, type);
    return;
  }
  switch (representation(type)) {
    case 'v128':
      code.v128(0n, presentBit);
      code.simd(0x50);
      return;
    case 'i64':
      code.simd(0x12);
      code.i64(presentBit);
      code.simd(0x1e, 1);
      return;
    case 'f64':
      code.simd(0x14);
      code.i64(presentBit);
      code.simd(0x1e, 1);
      return;
    case 'f32':
      code.op(0xbc);
  }
  code.op(0xad);
  code.i64(presentBit);
  code.op(0x84);
}

/** Whether the nullable on the stack, of the form given, has a value. */
export function hasValue({ code }: FunctionEmitter, form: ValueType): void {
  if (form === 'i32') {
    code.op(0x45, 0x45);
    return;
  }
  if (form === 'v128') {
    code.simd(0x1b, 3);
    code.i32(1);
    code.op(0x71);
    return;
  }
  code.i64(0n);
  code.op(0x52);
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
      code.simd(0x4e);
      return;
    case 'i64':
      code.simd(0x1d, 0);
      return;
    case 'f64':
      code.simd(0x21, 0);
      return;
    case 'f32':
      code.op(0xa7, 0xbe);
      return;
    case 'i32':
      code.op(0xa7);
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
