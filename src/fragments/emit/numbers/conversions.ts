// Conversions between the number types. From floating point to integers without a check they do what .NET Core 3.1 does on x64:
// what does not fit gives the smallest int or long, and narrower or unsigned types take the low bits of that.

import type { PrimitiveName } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { f32, f64, i32, i64 } from '../wasm/opcodes.ts';

interface Range {
  readonly least: number;
  readonly most: number;
}

const ranges: Partial<Record<PrimitiveName, Range>> = {
  byte: { least: 0, most: 255 },
  sbyte: { least: -128, most: 127 },
  short: { least: -32768, most: 32767 },
  ushort: { least: 0, most: 65535 },
  char: { least: 0, most: 65535 },
  int: { least: -(2 ** 31), most: 2 ** 31 - 1 },
  uint: { least: 0, most: 2 ** 32 - 1 },
};

const unsigned = new Set<PrimitiveName>(['byte', 'ushort', 'char', 'uint', 'ulong']);

/** Converts the value on the stack. */
export function emitNumericConversion(
  f: FunctionEmitter,
  from: PrimitiveName,
  to: PrimitiveName,
  checked: boolean,
): void {
  if (from === to) return;
  const source = representation({ kind: 'primitive', name: from });
  const isFloat = source === 'f32' || source === 'f64';
  if (to === 'float' || to === 'double') {
    toFloat(f, from, to);
  } else if (isFloat) {
    if (source === 'f32') f.code.op(f64.promoteF32);
    if (checked) checkFloat(f, to);
    fromDouble(f, to);
  } else {
    if (checked) checkInteger(f, from, to);
    betweenIntegers(f, from, to);
  }
}

function toFloat({ code }: FunctionEmitter, from: PrimitiveName, to: 'float' | 'double'): void {
  const source = representation({ kind: 'primitive', name: from });
  if (source === 'f32') code.op(f64.promoteF32);
  else if (source === 'f64') code.op(f32.demoteF64);
  else {
    const target = to === 'float' ? f32 : f64;
    if (source === 'i64') code.op(unsigned.has(from) ? target.convertI64U : target.convertI64S);
    else code.op(unsigned.has(from) ? target.convertI32U : target.convertI32S);
  }
}

/** From the double on the stack. */
function fromDouble(f: FunctionEmitter, to: PrimitiveName): void {
  const { code } = f;
  switch (to) {
    case 'long':
      toInt64(f);
      return;
    case 'ulong':
      toUint64(f);
      return;
    case 'uint':
      toInt64(f);
      code.op(i32.wrapI64);
      return;
    default:
      toInt32(f);
      narrow(f, to);
  }
}

function toInt32({ code }: FunctionEmitter): void {
  const value = code.borrow('f64');
  code.tee(value);
  code.f64(-2147483649);
  code.op(f64.gt);
  code.get(value);
  code.f64(2147483648);
  code.op(f64.lt, i32.and);
  code.if('i32');
  code.get(value);
  code.op(i32.truncF64S);
  code.else();
  code.i32(-(2 ** 31));
  code.end();
  code.release('f64', value);
}

function toInt64({ code }: FunctionEmitter): void {
  const value = code.borrow('f64');
  code.tee(value);
  code.op(f64.abs);
  code.f64(2 ** 63);
  code.op(f64.lt);
  code.if('i64');
  code.get(value);
  code.op(i64.truncF64S);
  code.else();
  code.i64(-(2n ** 63n));
  code.end();
  code.release('f64', value);
}

function toUint64(f: FunctionEmitter): void {
  const { code } = f;
  const value = code.borrow('f64');
  code.tee(value);
  // What is no number counts as large, and comes out as 0.
  code.f64(2 ** 63);
  code.op(f64.lt, i32.eqz);
  code.if('i64');
  code.get(value);
  code.f64(2 ** 63);
  code.op(f64.sub);
  toInt64(f);
  code.i64(-(2n ** 63n));
  code.op(i64.xor);
  code.else();
  code.get(value);
  toInt64(f);
  code.end();
  code.release('f64', value);
}

/** Takes the low bits of the i32 on the stack as the smaller type. */
function narrow({ code }: FunctionEmitter, to: PrimitiveName): void {
  if (to === 'sbyte') code.op(i32.extend8S);
  else if (to === 'short') code.op(i32.extend16S);
  else if (to === 'byte' || to === 'ushort' || to === 'char') {
    code.i32(to === 'byte' ? 0xff : 0xffff);
    code.op(i32.and);
  }
}

function betweenIntegers(f: FunctionEmitter, from: PrimitiveName, to: PrimitiveName): void {
  const wideSource = from === 'long' || from === 'ulong';
  const wideTarget = to === 'long' || to === 'ulong';
  if (wideTarget) {
    if (!wideSource) f.code.op(unsigned.has(from) ? i64.extendI32U : i64.extendI32S);
    return;
  }
  if (wideSource) f.code.op(i32.wrapI64);
  narrow(f, to);
}

/** Throws unless the double on the stack lies in the range of the type; leaves it there. */
function checkFloat(f: FunctionEmitter, to: PrimitiveName): void {
  const { code } = f;
  const range = ranges[to] ?? (to === 'long' ? { least: -(2 ** 63), most: 2 ** 63 } : { least: 0, most: 2 ** 64 });
  const value = code.borrow('f64');
  code.tee(value);
  const isWide = ranges[to] === undefined;
  // Fractions are cut off first, so anything above `least - 1` and below `most + 1` fits.
  code.f64(isWide && range.least < 0 ? range.least : range.least - 1);
  code.op(isWide && range.least < 0 ? f64.ge : f64.gt);
  code.get(value);
  code.f64(isWide ? range.most : range.most + 1);
  code.op(f64.lt, i32.and, i32.eqz);
  f.failIf('OverflowException');
  code.get(value);
  code.release('f64', value);
}

/** Throws unless the integer on the stack is one of the type; leaves it there. */
function checkInteger(f: FunctionEmitter, from: PrimitiveName, to: PrimitiveName): void {
  const { code } = f;
  const source = representation({ kind: 'primitive', name: from });
  if (to === 'long' || to === 'ulong') {
    const bad = to === 'ulong' ? !unsigned.has(from) : from === 'ulong';
    if (!bad) return;
    const value = code.borrow(source);
    code.tee(value);
    if (source === 'i64') code.i64(0n);
    else code.i32(0);
    code.op(source === 'i64' ? i64.ltS : i32.ltS);
    f.failIf('OverflowException');
    code.get(value);
    code.release(source, value);
    return;
  }
  const range = ranges[to];
  if (range === undefined) throw new NotCompiled(`a checked conversion to ${to}`);
  const value = code.borrow(source);
  const wide = code.borrow('i64');
  code.tee(value);
  if (source === 'i32') code.op(unsigned.has(from) ? i64.extendI32U : i64.extendI32S);
  code.tee(wide);
  // Nothing unsigned lies below 0, and a negative bound would be a large one.
  code.i64(BigInt(from === 'ulong' ? Math.max(range.least, 0) : range.least));
  code.op(from === 'ulong' ? i64.ltU : i64.ltS);
  code.get(wide);
  code.i64(BigInt(range.most));
  code.op(from === 'ulong' ? i64.gtU : i64.gtS, i32.or);
  f.failIf('OverflowException');
  code.get(value);
  code.release(source, value);
  code.release('i64', wide);
}
