// Math and MathF. What needs more than arithmetic is lent by the search (machine.ts).

import { compare, DecimalValue, negate, roundTo, truncated } from '../decimal.ts';
import { badArgument, outOfRange, raise } from '../exceptions.ts';
import { INTEGER_TYPES } from '../integers.ts';
import { realFunctions } from '../machine.ts';
import type { Cell } from '../values.ts';
import type { MemberTable, Native } from './native.ts';
import { absolute, clamp, isMinus, larger, roundDecimal, signOf, smaller } from './numbers.ts';

const INTEGER_NAMES = [...INTEGER_TYPES.keys()];
const NUMBER_NAMES = [...INTEGER_NAMES, 'float', 'double', 'decimal'];

/** Half to even at the units. */
function roundHalfEven(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value;
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor === 0 && (value < 0 || Object.is(value, -0)) ? -0 : floor;
  const up = rest > 0.5 || floor % 2 !== 0;
  const rounded = up ? floor + 1 : floor;
  return rounded === 0 && value < 0 ? -0 : rounded;
}

function roundUnits(value: number, mode: number): number {
  switch (mode) {
    case 0:
      return roundHalfEven(value);
    case 1: {
      const cut = Math.trunc(value);
      return Math.abs(value - cut) >= 0.5 ? cut + Math.sign(value) : cut;
    }
    case 2:
      return Math.trunc(value);
    case 3:
      return Math.floor(value);
    case 4:
      return Math.ceil(value);
    default:
      return badArgument(`The value '${mode}' is not valid for this usage of the type MidpointRounding.`, 'mode');
  }
}

/** Rounds to places by scaling with a power of ten, as .NET does: the product is rounded, not the decimal text. */
function roundPlaces(value: number, digits: number, mode: number, single: boolean): number {
  const most = single ? 6 : 15;
  if (digits < 0 || digits > most)
    return outOfRange('digits', `Rounding digits must be between 0 and ${most}, inclusive.`);
  if (mode < 0 || mode > 4) return roundUnits(value, mode);
  const limit = single ? 1e8 : 1e16;
  if (!(Math.abs(value) < limit)) return value;
  const scale = Number(`1e${digits}`);
  const scaled = single ? Math.fround(value * scale) : value * scale;
  const rounded = roundUnits(scaled, mode) / scale;
  return single ? Math.fround(rounded) : rounded;
}

function ieeeRemainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const regular = x % y;
  if (Number.isNaN(regular)) return Number.NaN;
  if (regular === 0 && (x < 0 || Object.is(x, -0))) return -0;
  const alternative = regular - Math.abs(y) * Math.sign(x);
  if (Math.abs(alternative) === Math.abs(regular)) {
    const quotient = x / y;
    const rounded = roundHalfEven(quotient);
    return Math.abs(rounded) > Math.abs(quotient) ? alternative : regular;
  }
  return Math.abs(alternative) < Math.abs(regular) ? alternative : regular;
}

function byMagnitude(x: number, y: number, max: boolean): number {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  if (a === b) return max ? Math.max(x, y) : Math.min(x, y);
  return a > b === max ? x : y;
}

function exponentOf(value: number): number {
  if (value === 0) return -2147483648;
  if (Number.isNaN(value) || !Number.isFinite(value)) return 2147483647;
  let exponent = Math.floor(Math.log2(Math.abs(value)));
  while (2 ** exponent > Math.abs(value)) exponent--;
  while (2 ** (exponent + 1) <= Math.abs(value)) exponent++;
  return exponent;
}

const view = new DataView(new ArrayBuffer(8));

function nextDouble(value: number, up: boolean): number {
  if (Number.isNaN(value) || value === (up ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return value;
  if (value === 0) return up ? 5e-324 : -5e-324;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 === up ? 1n : -1n));
  return view.getFloat64(0);
}

function nextSingle(value: number, up: boolean): number {
  if (Number.isNaN(value) || value === (up ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return value;
  if (value === 0) return up ? 2 ** -149 : -(2 ** -149);
  view.setFloat32(0, value);
  view.setInt32(0, view.getInt32(0) + (value > 0 === up ? 1 : -1));
  return view.getFloat32(0);
}

/** Scaling by a power of two without rounding twice. */
function scaleBy(value: number, exponent: number): number {
  let rest = Math.max(-2200, Math.min(2200, exponent));
  let scaled = value;
  for (; rest > 1000; rest -= 1000) scaled *= 2 ** 1000;
  for (; rest < -1000; rest += 1000) scaled *= 2 ** -1000;
  return scaled * 2 ** rest;
}

/** x * y + z rounded once. */
function fusedMultiplyAdd(x: number, y: number, z: number): number {
  const plain = x * y + z;
  if (!Number.isFinite(plain) || x * y === 0) return plain;
  const parts = [x, y, z].map(exactParts);
  const [a, b, c] = parts as [Exact, Exact, Exact];
  const product = { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
  const exponent = Math.min(product.exponent, c.exponent);
  if (Math.max(product.exponent, c.exponent) - exponent > 3000) return plain;
  const sum = (product.digits << BigInt(product.exponent - exponent)) + (c.digits << BigInt(c.exponent - exponent));
  return fromExact(sum, exponent);
}

interface Exact {
  readonly digits: bigint;
  readonly exponent: number;
}

function exactParts(value: number): Exact {
  if (value === 0) return { digits: 0n, exponent: 0 };
  view.setFloat64(0, value);
  const word = view.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const digits = biased === 0 ? fraction : fraction | (1n << 52n);
  return { digits: value < 0 ? -digits : digits, exponent: (biased === 0 ? 1 : biased) - 1075 };
}

function fromExact(digits: bigint, exponent: number): number {
  const size = digits < 0n ? -digits : digits;
  if (size === 0n) return 0;
  const excess = Math.max(0, size.toString(2).length - 64);
  const low = size & ((1n << BigInt(excess)) - 1n);
  const high = (size >> BigInt(excess)) | (low === 0n ? 0n : 1n);
  const value = scaleBy(Number(high), exponent + excess);
  return digits < 0n ? -value : value;
}

const ONE: Readonly<Record<string, (value: number) => number>> = {
  Ceiling: Math.ceil,
  Floor: Math.floor,
  Sqrt: Math.sqrt,
  Truncate: Math.trunc,
};
const TWO: Readonly<Record<string, (x: number, y: number) => number>> = {
  CopySign: (x, y) => (isMinus(x) === isMinus(y) ? x : -x),
  IEEERemainder: ieeeRemainder,
  MaxMagnitude: (x, y) => byMagnitude(x, y, true),
  MinMagnitude: (x, y) => byMagnitude(x, y, false),
};
/** What the search's functions of mathematics have under the same names, after `real`. */
const LENT = [
  'Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atan2', 'Atanh', 'Cbrt', 'Cos', 'Cosh', 'Exp', 'Log', 'Log10', 'Log2', 'Pow', 'Sin', 'Sinh', 'Tan', 'Tanh',
] as const; // biome-ignore format: a list

/** The functions of reals, for Math (double) and MathF (float). */
function realTable(name: 'Math' | 'MathF', keyword: 'double' | 'float'): Record<string, Native> {
  const single = keyword === 'float';
  const narrow = single ? Math.fround : (value: number) => value;
  const table: Record<string, Native> = {};
  for (const [method, apply] of Object.entries(ONE))
    table[`${name}.${method}(${keyword})`] = (value) => narrow(apply(value));
  for (const [method, apply] of Object.entries(TWO)) {
    table[`${name}.${method}(${keyword},${keyword})`] = (x, y) => narrow(apply(x, y));
  }
  for (const method of LENT) {
    const parameters = method === 'Atan2' || method === 'Pow' ? `${keyword},${keyword}` : keyword;
    table[`${name}.${method}(${parameters})`] = (x, y) => narrow(realFunctions()[`real${method}`](x, y));
  }
  table[`${name}.Log(${keyword},${keyword})`] = (x, base) => narrow(realFunctions().realLogBase(x, base, single));
  table[`${name}.FusedMultiplyAdd(${keyword},${keyword},${keyword})`] = (x, y, z) => narrow(fusedMultiplyAdd(x, y, z));
  table[`${name}.ScaleB(${keyword},int)`] = (value, exponent) => narrow(scaleBy(value, exponent));
  table[`${name}.ILogB(${keyword})`] = exponentOf;
  const next = single ? nextSingle : nextDouble;
  table[`${name}.BitIncrement(${keyword})`] = (value) => next(value, true);
  table[`${name}.BitDecrement(${keyword})`] = (value) => next(value, false);
  table[`${name}.Round(${keyword})`] = roundHalfEven;
  table[`${name}.Round(${keyword},int)`] = (value, digits) => roundPlaces(value, digits, 0, single);
  table[`${name}.Round(${keyword},MidpointRounding)`] = (value, mode) => roundPlaces(value, 0, mode, single);
  table[`${name}.Round(${keyword},int,MidpointRounding)`] = (value, digits, mode) =>
    roundPlaces(value, digits, mode, single);
  return table;
}

function mathTable(): MemberTable {
  const table: Record<string, Native> = { ...realTable('Math', 'double'), ...realTable('MathF', 'float') };
  for (const keyword of NUMBER_NAMES) {
    table[`Math.Max(${keyword},${keyword})`] = larger;
    table[`Math.Min(${keyword},${keyword})`] = smaller;
    table[`Math.Clamp(${keyword},${keyword},${keyword})`] = clamp;
  }
  for (const [keyword, type] of INTEGER_TYPES) {
    if (!type.signed) continue;
    table[`Math.Abs(${keyword})`] = absolute(type);
    table[`Math.Sign(${keyword})`] = (value) => (value > 0 ? 1 : value < 0 ? -1 : 0);
  }
  for (const [name, keyword] of [
    ['Math', 'double'],
    ['Math', 'float'],
    ['MathF', 'float'],
  ] as const) {
    table[`${name}.Abs(${keyword})`] = (value) => Math.abs(value);
    table[`${name}.Sign(${keyword})`] = signOf;
  }
  return table;
}

const zero = DecimalValue.zero;

function divideWithRest(a: bigint | number, b: bigint | number, rest: Cell): bigint | number {
  if (b === 0 || b === 0n) return raise('DivideByZeroException');
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (b === -1n && a === -(1n << 63n)) return raise('OverflowException');
    rest.value = a % b;
    return a / b;
  }
  if (b === -1 && a === -2147483648) return raise('OverflowException');
  rest.value = ((a as number) % (b as number)) | 0;
  return ((a as number) / (b as number)) | 0;
}

export const MATHEMATICS_MEMBERS: MemberTable = {
  ...mathTable(),
  'MathF.Max(float,float)': larger,
  'MathF.Min(float,float)': smaller,
  'Math.Abs(decimal)': (value: DecimalValue) => (value.digits < 0n ? negate(value) : value),
  'Math.Sign(decimal)': (value: DecimalValue) => compare(value, zero),
  'Math.Ceiling(decimal)': (value) => roundTo(value, 0, 4),
  'Math.Floor(decimal)': (value) => roundTo(value, 0, 3),
  'Math.Truncate(decimal)': (value) => new DecimalValue(truncated(value), 0),
  'Math.Round(decimal)': (value) => roundDecimal(value, 0, 0),
  'Math.Round(decimal,int)': (value, places) => roundDecimal(value, places, 0),
  'Math.Round(decimal,MidpointRounding)': (value, mode) => roundDecimal(value, 0, mode),
  'Math.Round(decimal,int,MidpointRounding)': roundDecimal,
  'Math.BigMul(int,int)': (a, b) => BigInt(a) * BigInt(b),
  'Math.DivRem(int,int,out int)': divideWithRest,
  'Math.DivRem(long,long,out long)': divideWithRest,
};
