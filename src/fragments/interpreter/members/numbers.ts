// The primitive value types beside char and string: comparing, formatting, parsing.

import { dotNetNames } from '../../dotnet-names.ts';
import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import {
  add,
  compare,
  DecimalValue,
  decimalFromReal,
  divide,
  integerFromDecimal,
  multiply,
  negate,
  type Rounding,
  realFromDecimal,
  remainder,
  roundTo,
  subtract,
  truncated,
} from '../decimal.ts';
import { compareNumbers, compareValues, equalValues, HASHES, hashOf } from '../equality.ts';
import { argumentNull, badArgument, formatError, outOfRange, raise } from '../exceptions.ts';
import { asInteger, fitChecked, INTEGER_TYPES, type IntegerType } from '../integers.ts';
import { formatDecimal, formatInteger, formatReal } from '../number-format.ts';
import { readDecimal, readInteger, readReal, Style, valueOrThrow } from '../number-parse.ts';
import { Boxed, type Cell, type Value } from '../values.ts';
import type { MemberTable, Native } from './native.ts';

/** How one number type reads and writes. */
interface NumberKind {
  readonly keyword: string;
  readonly style: number;
  readonly zero: Value;
  read(text: string, style: number): { readonly value: Value } | 'format' | 'overflow';
  write(value: Value, format: string | null): string;
  readonly article: string;
}

const KINDS = new Map<string, NumberKind>();

function integerKind(type: IntegerType): NumberKind {
  return {
    keyword: type.name,
    style: Style.integer,
    zero: type.big ? 0n : 0,
    article: type.article,
    read(text, style) {
      const outcome = readInteger(text, style, type.minimum, type.maximum);
      return typeof outcome === 'string' ? outcome : { value: asInteger(type, outcome.value) };
    },
    write: (value, format) => formatInteger(value, type.name, format),
  };
}

function realKind(keyword: 'float' | 'double'): NumberKind {
  const single = keyword === 'float';
  return {
    keyword,
    style: Style.floatAndThousands,
    zero: 0,
    article: single ? 'a Single' : 'a Double',
    read(text, style) {
      if ((style & Style.hexadecimal) !== 0)
        return badArgument('The number style AllowHexSpecifier is not supported on floating point data types.');
      const outcome = readReal(text, style);
      return typeof outcome === 'string' ? outcome : { value: single ? Math.fround(outcome.value) : outcome.value };
    },
    write: (value, format) => formatReal(value, single, format),
  };
}

const DECIMAL_KIND: NumberKind = {
  keyword: 'decimal',
  style: Style.number,
  zero: DecimalValue.zero,
  article: 'a Decimal',
  read: readDecimal,
  write: formatDecimal,
};

for (const type of INTEGER_TYPES.values()) KINDS.set(dotNetNames[type.name], integerKind(type));
KINDS.set('Single', realKind('float'));
KINDS.set('Double', realKind('double'));
KINDS.set('Decimal', DECIMAL_KIND);

/** Parse of a number type by its keyword, in its default style; null throws. */
export function parseNumber(name: string, text: string | null): Value {
  const kind = KINDS.get(name)!;
  if (text === null) return argumentNull('s');
  return valueOrThrow(kind.read(text, kind.style), kind.article);
}

function commonMembers(name: string, kind: NumberKind): Record<string, Native> {
  const { keyword } = kind;
  const parse = (text: string | null, style: number): Value => {
    if (text === null) return argumentNull('s');
    return valueOrThrow(kind.read(text, style), kind.article);
  };
  const tryParse = (text: string | null, style: number, cell: Cell): boolean => {
    const outcome = text === null ? 'format' : kind.read(text, style);
    cell.value = typeof outcome === 'string' ? kind.zero : outcome.value;
    return typeof outcome !== 'string';
  };
  return {
    [`${name}.CompareTo(object)`]: (value, other) => {
      if (other === null) return 1;
      if (!(other instanceof Boxed) || other.type.key !== keyword)
        return badArgument(`Object must be of type ${name}.`);
      return compareExact(keyword, value, other.value);
    },
    [`${name}.CompareTo(${keyword})`]: (value, other) => compareExact(keyword, value, other),
    [`${name}.Equals(object)`]: (value, other) =>
      other instanceof Boxed && other.type.key === keyword && equalValues(value, other.value),
    [`${name}.Equals(${keyword})`]: (value, other) => equalValues(value, other),
    [`${name}.GetHashCode()`]: HASHES[keyword] ?? hashOf,
    [`${name}.ToString()`]: (value) => kind.write(value, null),
    [`${name}.ToString(string)`]: (value, format) => kind.write(value, format),
    [`${name}.ToString(IFormatProvider)`]: (value) => kind.write(value, null),
    [`${name}.ToString(string,IFormatProvider)`]: (value, format) => kind.write(value, format),
    [`${name}.Parse(string)`]: (text) => parse(text, kind.style),
    [`${name}.Parse(string,NumberStyles)`]: parse,
    [`${name}.Parse(string,IFormatProvider)`]: (text) => parse(text, kind.style),
    [`${name}.Parse(string,NumberStyles,IFormatProvider)`]: parse,
    [`${name}.Parse(ReadOnlySpan<char>,IFormatProvider)`]: (span) => parse(span.toText(), kind.style),
    [`${name}.Parse(ReadOnlySpan<char>,NumberStyles,IFormatProvider)`]: (span, style) => parse(span.toText(), style),
    [`${name}.TryParse(string,out ${keyword})`]: (text, cell) => tryParse(text, kind.style, cell),
    [`${name}.TryParse(ReadOnlySpan<char>,out ${keyword})`]: (span, cell) => tryParse(span.toText(), kind.style, cell),
    [`${name}.TryParse(string,IFormatProvider,out ${keyword})`]: (text, _provider, cell) =>
      tryParse(text, kind.style, cell),
    [`${name}.TryParse(string,NumberStyles,IFormatProvider,out ${keyword})`]: (text, style, _provider, cell) =>
      tryParse(text, style, cell),
    [`${name}.Max(${keyword},${keyword})`]: (left, right) => larger(left, right),
    [`${name}.Min(${keyword},${keyword})`]: (left, right) => smaller(left, right),
    [`${name}.Clamp(${keyword},${keyword},${keyword})`]: clamp,
  };
}

/** CompareTo: the small types answer the difference, the others -1, 0 or 1. */
function compareExact(keyword: string, left: Value, right: Value): number {
  if (keyword === 'byte' || keyword === 'sbyte' || keyword === 'short' || keyword === 'ushort') return left - right;
  return compareValues(left, right);
}

/** Math.Max: NaN wins, and zero is above minus zero. */
export function larger(left: Value, right: Value): Value {
  if (left instanceof DecimalValue) return compare(left, right) >= 0 ? left : right;
  if (typeof left === 'bigint') return left > right ? left : right;
  return Math.max(left, right);
}

export function smaller(left: Value, right: Value): Value {
  if (left instanceof DecimalValue) return compare(left, right) <= 0 ? left : right;
  if (typeof left === 'bigint') return left < right ? left : right;
  return Math.min(left, right);
}

export function clamp(value: Value, minimum: Value, maximum: Value): Value {
  if (compareOperators(minimum, maximum) > 0) return badArgument(`'${minimum}' cannot be greater than ${maximum}.`);
  if (compareOperators(value, minimum) < 0) return minimum;
  return compareOperators(value, maximum) > 0 ? maximum : value;
}

/** Order by the operators: nothing is before or after NaN. */
function compareOperators(left: Value, right: Value): number {
  if (left instanceof DecimalValue) return compare(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function absolute(type: IntegerType): Native {
  return (value) => fitChecked(type, BigInt(value) < 0n ? -BigInt(value) : BigInt(value));
}

function integerMembers(name: string, type: IntegerType): Record<string, Native> {
  const keyword = type.name;
  return {
    [`${name}.Abs(${keyword})`]: absolute(type),
    [`${name}.Sign(${keyword})`]: (value) => (value > 0 ? 1 : value < 0 ? -1 : 0),
    [`${name}.IsNegative(${keyword})`]: (value) => value < 0,
    [`${name}.IsPositive(${keyword})`]: (value) => value >= 0,
    [`${name}.IsEvenInteger(${keyword})`]: (value) => BigInt(value) % 2n === 0n,
    [`${name}.IsOddInteger(${keyword})`]: (value) => BigInt(value) % 2n !== 0n,
    [`${name}.IsPow2(${keyword})`]: (value) => value > 0 && (BigInt(value) & (BigInt(value) - 1n)) === 0n,
  };
}

function realMembers(name: string, keyword: string): Record<string, Native> {
  const smallest = keyword === 'float' ? 2 ** -126 : 2 ** -1022;
  return {
    [`${name}.Abs(${keyword})`]: (value) => Math.abs(value),
    [`${name}.Sign(${keyword})`]: signOf,
    [`${name}.IsFinite(${keyword})`]: (value) => Number.isFinite(value),
    [`${name}.IsInfinity(${keyword})`]: (value) => Math.abs(value) === Number.POSITIVE_INFINITY,
    [`${name}.IsNaN(${keyword})`]: (value) => Number.isNaN(value),
    [`${name}.IsNegative(${keyword})`]: isMinus,
    [`${name}.IsNegativeInfinity(${keyword})`]: (value) => value === Number.NEGATIVE_INFINITY,
    [`${name}.IsPositiveInfinity(${keyword})`]: (value) => value === Number.POSITIVE_INFINITY,
    [`${name}.IsNormal(${keyword})`]: (value) => Number.isFinite(value) && Math.abs(value) >= smallest,
    [`${name}.IsSubnormal(${keyword})`]: (value) => value !== 0 && Math.abs(value) < smallest,
    [`${name}.IsInteger(${keyword})`]: (value) => Number.isInteger(value),
  };
}

/** Whether a real number has a minus sign; every NaN has it, as double.NaN. */
export function isMinus(value: number): boolean {
  return !(value > 0) && !Object.is(value, 0);
}

/** Math.Sign of a real number: NaN has none. */
export function signOf(value: number): number {
  if (Number.isNaN(value))
    return raise('ArithmeticException', 'Function does not accept floating point Not-a-Number values.');
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

const BOOLEANS: MemberTable = {
  'Boolean.TrueString': () => 'True',
  'Boolean.FalseString': () => 'False',
  'Boolean.CompareTo(object)': (value, other) => {
    if (other === null) return 1;
    return other instanceof Boxed && other.type.key === 'bool'
      ? compareNumbers(+value, +other.value)
      : badArgument('Object must be of type Boolean.');
  },
  'Boolean.CompareTo(bool)': (value, other) => compareNumbers(+value, +other),
  'Boolean.Equals(object)': (value, other) =>
    other instanceof Boxed && other.type.key === 'bool' && other.value === value,
  'Boolean.Equals(bool)': (value, other) => value === other,
  'Boolean.GetHashCode()': (value) => (value ? 1 : 0),
  'Boolean.ToString()': (value) => (value ? 'True' : 'False'),
  'Boolean.ToString(IFormatProvider)': (value) => (value ? 'True' : 'False'),
  'Boolean.Parse(string)': (text) => parseBoolean(text),
  'Boolean.TryParse(string,out bool)': (text, cell) => {
    const value = readBoolean(text);
    cell.value = value ?? false;
    return value !== null;
  },
};

function readBoolean(text: string | null): boolean | null {
  if (text === null) return null;
  const word = text.replace(/^[\s\0]+|[\s\0]+$/g, '').toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

export function parseBoolean(text: string | null): boolean {
  if (text === null) return argumentNull('value');
  return readBoolean(text) ?? formatError(`String '${text}' was not recognized as a valid Boolean.`);
}

// --- decimal ----------------------------------------------------------------------------------------------------------

const INT: Type = { kind: 'primitive', name: 'int' };

function decimalMembers(): Record<string, Native> {
  const table: Record<string, Native> = {};
  const operators = {
    op_Addition: add,
    op_Subtraction: subtract,
    op_Multiply: multiply,
    op_Division: divide,
    op_Modulus: remainder,
  };
  for (const [operator, apply] of Object.entries(operators)) table[`Decimal.${operator}(decimal,decimal)`] = apply;
  const methods = { Add: add, Subtract: subtract, Multiply: multiply, Divide: divide, Remainder: remainder };
  for (const [method, apply] of Object.entries(methods)) table[`Decimal.${method}(decimal,decimal)`] = apply;
  for (const [keyword, type] of [...INTEGER_TYPES, ['char', INTEGER_TYPES.get('ushort')!] as const]) {
    const to = (value: DecimalValue) =>
      asInteger(
        type,
        integerFromDecimal(value, type.minimum, type.maximum, keyword === 'char' ? 'a character' : type.article),
      );
    table[`Decimal.op_Implicit(${keyword})->decimal`] = (value) => new DecimalValue(BigInt(value), 0);
    table[`Decimal.op_Explicit(decimal)->${keyword}`] = to;
    if (keyword !== 'char') table[`Decimal.To${dotNetNames[type.name]}(decimal)`] = to;
    if (type.bits >= 32) table[`Decimal.new(${keyword})`] = (value) => new DecimalValue(BigInt(value), 0);
  }
  return table;
}

/** Places of Round: 0 to 28. */
export function roundDecimal(value: DecimalValue, places: number, rounding: number): DecimalValue {
  if (places < 0 || places > 28)
    return outOfRange('decimals', 'Decimal can only round to between 0 and 28 digits of precision.');
  if (rounding < 0 || rounding > 4)
    return badArgument(`The value '${rounding}' is not valid for this usage of the type MidpointRounding.`, 'mode');
  return roundTo(value, places, rounding as Rounding);
}

function wholePart(value: DecimalValue): DecimalValue {
  return new DecimalValue(truncated(value), 0);
}

const DECIMALS: MemberTable = {
  ...decimalMembers(),
  'Decimal.Zero': () => DecimalValue.zero,
  'Decimal.new(float)': (value) => decimalFromReal(value, 7),
  'Decimal.new(double)': (value) => decimalFromReal(value, 15),
  'Decimal.new(int,int,int,bool,byte)': (low, middle, high, negative, scale) => {
    if (scale > 28) return outOfRange('scale');
    const digits = (BigInt(high >>> 0) << 64n) | (BigInt(middle >>> 0) << 32n) | BigInt(low >>> 0);
    return new DecimalValue(negative ? -digits : digits, scale);
  },
  'Decimal.op_Explicit(float)->decimal': (value) => decimalFromReal(value, 7),
  'Decimal.op_Explicit(double)->decimal': (value) => decimalFromReal(value, 15),
  'Decimal.op_Explicit(decimal)->float': (value) => Math.fround(realFromDecimal(value)),
  'Decimal.op_Explicit(decimal)->double': realFromDecimal,
  'Decimal.ToSingle(decimal)': (value) => Math.fround(realFromDecimal(value)),
  'Decimal.ToDouble(decimal)': realFromDecimal,
  'Decimal.op_UnaryPlus(decimal)': (value) => value,
  'Decimal.op_UnaryNegation(decimal)': negate,
  'Decimal.op_Increment(decimal)': (value) => add(value, new DecimalValue(1n, 0)),
  'Decimal.op_Decrement(decimal)': (value) => subtract(value, new DecimalValue(1n, 0)),
  'Decimal.op_Equality(decimal,decimal)': (left, right) => compare(left, right) === 0,
  'Decimal.op_Inequality(decimal,decimal)': (left, right) => compare(left, right) !== 0,
  'Decimal.op_LessThan(decimal,decimal)': (left, right) => compare(left, right) < 0,
  'Decimal.op_LessThanOrEqual(decimal,decimal)': (left, right) => compare(left, right) <= 0,
  'Decimal.op_GreaterThan(decimal,decimal)': (left, right) => compare(left, right) > 0,
  'Decimal.op_GreaterThanOrEqual(decimal,decimal)': (left, right) => compare(left, right) >= 0,
  'Decimal.Compare(decimal,decimal)': compare,
  'Decimal.Equals(decimal,decimal)': (left, right) => compare(left, right) === 0,
  'Decimal.Negate(decimal)': negate,
  'Decimal.Ceiling(decimal)': (value) => roundTo(value, 0, 4),
  'Decimal.Floor(decimal)': (value) => roundTo(value, 0, 3),
  'Decimal.Truncate(decimal)': wholePart,
  'Decimal.Round(decimal)': (value) => roundTo(value, 0, 0),
  'Decimal.Round(decimal,int)': (value, places) => roundDecimal(value, places, 0),
  'Decimal.Round(decimal,MidpointRounding)': (value, rounding) => roundDecimal(value, 0, rounding),
  'Decimal.Round(decimal,int,MidpointRounding)': roundDecimal,
  'Decimal.Abs(decimal)': (value) => (value.digits < 0n ? negate(value) : value),
  'Decimal.Sign(decimal)': (value) => (value.digits > 0n ? 1 : value.digits < 0n ? -1 : 0),
  'Decimal.GetBits(decimal)': (value) => {
    const size = value.digits < 0n ? -value.digits : value.digits;
    const word = (shift: bigint) => Number(BigInt.asIntN(32, size >> shift));
    const flags = (value.scale << 16) | (value.digits < 0n ? -2147483648 : 0);
    return newArray(INT, [word(0n), word(32n), word(64n), flags]);
  },
};

const view = new DataView(new ArrayBuffer(8));

/** NaN has no bits of its own in JavaScript; these are those of double.NaN and float.NaN. */
const NAN_BITS = -0x8000000000000n;
const SINGLE_NAN_BITS = -0x400000;

const BITS: MemberTable = {
  'BitConverter.DoubleToInt64Bits(double)': (value) => {
    view.setFloat64(0, value);
    return Number.isNaN(value) ? NAN_BITS : view.getBigInt64(0);
  },
  'BitConverter.Int64BitsToDouble(long)': (value) => {
    view.setBigInt64(0, value);
    return view.getFloat64(0);
  },
  'BitConverter.SingleToInt32Bits(float)': (value) => {
    view.setFloat32(0, value);
    return Number.isNaN(value) ? SINGLE_NAN_BITS : view.getInt32(0);
  },
  'BitConverter.Int32BitsToSingle(int)': (value) => {
    view.setInt32(0, value);
    return view.getFloat32(0);
  },
};

function numberTable(): MemberTable {
  const table: Record<string, Native> = {};
  for (const [name, kind] of KINDS) {
    Object.assign(table, commonMembers(name, kind));
    const type = INTEGER_TYPES.get(kind.keyword);
    if (type) Object.assign(table, integerMembers(name, type));
  }
  Object.assign(table, realMembers('Single', 'float'), realMembers('Double', 'double'));
  return table;
}

export const NUMBER_MEMBERS: MemberTable = { ...numberTable(), ...BOOLEANS, ...DECIMALS, ...BITS };
