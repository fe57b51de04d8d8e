// The integer types: ranges, wrapping, checked results, and conversions between all primitive number types.

import type { PrimitiveName } from '../types.ts';
import { overflow } from './exceptions.ts';
import type { IntegerName } from './number-format.ts';
import type { Value } from './values.ts';

export interface IntegerType {
  readonly name: IntegerName;
  readonly bits: number;
  readonly signed: boolean;
  readonly minimum: bigint;
  readonly maximum: bigint;
  /** In messages: `an Int32`. */
  readonly article: string;
  /** long and ulong are bigint, the others number. */
  readonly big: boolean;
}

function integerType(name: IntegerName, bits: number, signed: boolean, article: string): IntegerType {
  const minimum = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const maximum = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  return { name, bits, signed, minimum, maximum, article, big: bits === 64 };
}

export const INTEGER_TYPES: ReadonlyMap<string, IntegerType> = new Map(
  [
    integerType('sbyte', 8, true, 'a signed byte'),
    integerType('byte', 8, false, 'an unsigned byte'),
    integerType('short', 16, true, 'an Int16'),
    integerType('ushort', 16, false, 'a UInt16'),
    integerType('int', 32, true, 'an Int32'),
    integerType('uint', 32, false, 'a UInt32'),
    integerType('long', 64, true, 'an Int64'),
    integerType('ulong', 64, false, 'a UInt64'),
  ].map((type) => [type.name, type]),
);

const CHAR: IntegerType = { ...integerType('ushort', 16, false, 'a character') };

/** The integer type behind a keyword, char included; undefined for float, double and the rest. */
export function integerNamed(name: string): IntegerType | undefined {
  return name === 'char' ? CHAR : INTEGER_TYPES.get(name);
}

/** An integer in the form its type has: number, or bigint for 64 bits. */
export function asInteger(type: IntegerType, value: bigint): Value {
  return type.big ? value : Number(value);
}

/** The low bits of an integer. */
function wrap(type: IntegerType, value: bigint): Value {
  const wrapped = type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
  return asInteger(type, wrapped);
}

/** The integer itself, or OverflowException. */
export function fitChecked(type: IntegerType, value: bigint): Value {
  if (value < type.minimum || value > type.maximum) return overflow();
  return asInteger(type, value);
}

const TWO_63 = 2 ** 63;

/** What the x64 instruction for double to long gives: the value cut off, or the lowest long where it does not fit. */
function cutToLong(value: number): bigint {
  if (Number.isNaN(value) || value >= TWO_63 || value < -TWO_63) return -(1n << 63n);
  return BigInt(Math.trunc(value));
}

function cutToInt(value: number): number {
  if (Number.isNaN(value) || value >= 2147483648 || value <= -2147483649) return -2147483648;
  return Math.trunc(value) | 0;
}

/** An unchecked conversion of a real number, as .NET Core 3.1 does it on x64. */
function realToInteger(type: IntegerType, value: number): Value {
  switch (type.bits) {
    case 64:
      if (type.signed) return cutToLong(value);
      if (!(value < TWO_63)) return BigInt.asUintN(64, cutToLong(value - TWO_63) + (1n << 63n));
      return BigInt.asUintN(64, cutToLong(value));
    case 32:
      if (type.signed) return cutToInt(value);
      return Number(BigInt.asUintN(32, cutToLong(value)));
    default:
      return wrap(type, BigInt(cutToInt(value)));
  }
}

/** A checked conversion of a real number. */
function realToIntegerChecked(type: IntegerType, value: number): Value {
  if (!Number.isFinite(value)) return overflow();
  return fitChecked(type, BigInt(Math.trunc(value)));
}

/** A closure that converts between two primitive number types. */
export function numericConversion(from: PrimitiveName, to: PrimitiveName, checked: boolean): (value: Value) => Value {
  const source = integerNamed(from);
  const target = integerNamed(to);
  if (!target) {
    if (to === 'float')
      return source?.big ? (value: bigint) => bigToSingle(value) : (value: number) => Math.fround(value);
    return source?.big ? (value: bigint) => Number(value) : (value: number) => value;
  }
  if (!source) {
    return checked
      ? (value: number) => realToIntegerChecked(target, value)
      : (value: number) => realToInteger(target, value);
  }
  if (source.minimum >= target.minimum && source.maximum <= target.maximum) {
    if (source.big === target.big) return (value) => value;
    return (value: number) => BigInt(value);
  }
  if (checked) return (value) => fitChecked(target, BigInt(value));
  if (source.big) return (value: bigint) => wrap(target, value);
  return narrowNumber(target);
}

function narrowNumber(target: IntegerType): (value: number) => Value {
  switch (target.name) {
    case 'int':
      return (value) => value | 0;
    case 'uint':
      return (value) => value >>> 0;
    case 'short':
      return (value) => (value << 16) >> 16;
    case 'ushort':
      return (value) => value & 0xffff;
    case 'sbyte':
      return (value) => (value << 24) >> 24;
    case 'byte':
      return (value) => value & 0xff;
    default:
      return (value) => wrap(target, BigInt(value));
  }
}

/** A 64-bit integer as float, rounded once. */
export function bigToSingle(value: bigint): number {
  const size = value < 0n ? -value : value;
  if (size < 1n << 53n) return Math.fround(Number(value));
  // Numbers of more than 53 bits would be rounded twice: a sticky bit keeps the ties honest.
  const shift = BigInt(size.toString(2).length - 53);
  const low = size & ((1n << shift) - 1n);
  const high = (size >> shift) | (low === 0n ? 0n : 1n);
  const single = Math.fround(Number(high) * 2 ** Number(shift));
  return value < 0n ? -single : single;
}

const WIDER = ['sbyte', 'byte', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double'];

/** Whether every number of one type goes into an array of the other: Array.Copy widens, and never narrows. */
export function widens(from: PrimitiveName, to: PrimitiveName): boolean {
  if (to === 'char') return from === 'byte' || from === 'ushort';
  const isSigned = (name: string) => /^(sbyte|short|int|long)$/.test(name);
  const [own, wanted] = [WIDER.indexOf(from === 'char' ? 'byte' : from), WIDER.indexOf(to)];
  if (own < 0 || wanted <= own || (from === 'char' && wanted < 3)) return false;
  return /^(float|double)$/.test(to) || !isSigned(from) || isSigned(to);
}
