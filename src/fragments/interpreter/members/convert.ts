// System.Convert: conversions that check ranges, round half to even and read text; IConvertible is the same by another name.

import type { PrimitiveName, Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { toDateTime } from '../date-fields.ts';
import { guessDate } from '../date-parse.ts';
import { DecimalValue, decimalFromReal, integerFromDecimal, realFromDecimal, roundTo } from '../decimal.ts';
import { argumentNull, badArgument, formatError, outOfRange, overflow, raise } from '../exceptions.ts';
import { asInteger, bigToSingle, INTEGER_TYPES, type IntegerType, integerNamed } from '../integers.ts';
import { allocate } from '../machine.ts';
import { DateTimeValue } from '../structs.ts';
import { objectText, textFormatter } from '../to-text.ts';
import { Boxed, typeOfObject, type Value } from '../values.ts';
import type { MemberTable, Native } from './native.ts';
import { parseBoolean, parseNumber } from './numbers.ts';

const TARGETS: Readonly<Record<string, PrimitiveName>> = {
  SByte: 'sbyte', Byte: 'byte', Int16: 'short', UInt16: 'ushort', Int32: 'int', UInt32: 'uint', Int64: 'long', UInt64: 'ulong',
  Single: 'float', Double: 'double', Decimal: 'decimal', Boolean: 'bool', Char: 'char',
}; // biome-ignore format: a table
const SOURCES = ['bool', 'char', ...INTEGER_TYPES.keys(), 'float', 'double', 'decimal'];

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  return rest > 0.5 || floor % 2 !== 0 ? floor + 1 : floor;
}

/** A number of any primitive type as one of integers. */
function toInteger(type: IntegerType, from: string, value: Value): Value {
  if (from === 'bool') return asInteger(type, value ? 1n : 0n);
  if (from === 'decimal')
    return asInteger(type, integerFromDecimal(roundTo(value, 0, 0), type.minimum, type.maximum, type.article));
  const whole = from === 'float' || from === 'double' ? wholeOf(value, type) : BigInt(value);
  if (whole < type.minimum || whole > type.maximum)
    return overflow(`Value was either too large or too small for ${type.article}.`);
  return asInteger(type, whole);
}

function wholeOf(value: number, type: IntegerType): bigint {
  if (!Number.isFinite(value)) return overflow(`Value was either too large or too small for ${type.article}.`);
  return BigInt(roundHalfEven(value));
}

function toReal(to: 'float' | 'double', from: string, value: Value): number {
  if (from === 'bool') return value ? 1 : 0;
  const real =
    from === 'decimal'
      ? realFromDecimal(value)
      : to === 'float' && typeof value === 'bigint'
        ? bigToSingle(value)
        : Number(value);
  return to === 'float' ? Math.fround(real) : real;
}

function toDecimal(from: string, value: Value): DecimalValue {
  if (from === 'decimal') return value;
  if (from === 'bool') return new DecimalValue(value ? 1n : 0n, 0);
  if (from === 'float') return decimalFromReal(value, 7);
  return from === 'double' ? decimalFromReal(value, 15) : new DecimalValue(BigInt(value), 0);
}

function invalidCast(from: string, to: string): never {
  return raise('InvalidCastException', `Invalid cast from '${from}' to '${to}'.`);
}

/** Between primitive types. */
function convert(to: string, from: string, value: Value): Value {
  if (to === from) return value;
  const real = from === 'float' || from === 'double' || from === 'decimal';
  if (
    (from === 'char' && (to === 'bool' || to === 'float' || to === 'double' || to === 'decimal')) ||
    (to === 'char' && (from === 'bool' || real))
  ) {
    return invalidCast(from, to);
  }
  switch (to) {
    case 'bool':
      return value instanceof DecimalValue ? value.digits !== 0n : Number(value) !== 0;
    case 'float':
    case 'double':
      return toReal(to, from, value);
    case 'decimal':
      return toDecimal(from, value);
    default:
      return toInteger(integerNamed(to)!, from, value);
  }
}

/** null becomes zero or false, except where .NET says otherwise. */
function fromText(name: string, to: string, text: string | null): Value {
  if (to === 'char')
    return text === null
      ? argumentNull('value')
      : text.length === 1
        ? text.charCodeAt(0)
        : formatError('String must be exactly one character long.');
  if (text === null) return convert(to, 'int', 0);
  return to === 'bool' ? parseBoolean(text) : parseNumber(name, text);
}

function fromObject(name: string, to: string, value: Value): Value {
  if (value === null) return to === 'char' ? 0 : convert(to, 'int', 0);
  if (typeof value === 'string') return fromText(name, to, value);
  const type = typeOfObject(value).key;
  if (value instanceof Boxed && SOURCES.includes(type)) return convert(to, type, value.value);
  if (value instanceof Boxed && value.type.shape === 'enum') return convert(to, 'int', value.value);
  if (value instanceof Boxed && type === 'DateTime') return invalidCast('DateTime', name);
  return raise(
    'InvalidCastException',
    `Unable to cast object of type '${typeOfObject(value).fullName}' to type 'System.IConvertible'.`,
  );
}

function toDate(value: Value): DateTimeValue {
  if (value === null) return new DateTimeValue(0n, 0);
  if (value instanceof Boxed && value.value instanceof DateTimeValue) return value.value;
  if (typeof value !== 'string') return invalidCast(typeOfObject(value).name, 'DateTime');
  const read = guessDate(value, 0);
  return (read && toDateTime(read, 0)) ?? formatError(`String '${value}' was not recognized as a valid DateTime.`);
}

const BASES = new Set([2, 8, 10, 16]);
const LETTERS: Readonly<Record<number, string>> = { 2: '01', 8: '0-7', 16: '0-9a-fA-F' };

/** Digits of a base that is a power of two give the bits of the number; base ten has a sign. */
function fromBase(name: string, type: IntegerType, text: string | null, base: number): Value {
  if (!BASES.has(base)) return badArgument('Invalid Base.');
  if (base === 10) return text === null ? asInteger(type, 0n) : parseNumber(name, text);
  if (text === null) return asInteger(type, 0n);
  if (text === '')
    return outOfRange(
      'value',
      'Index was out of range. Must be non-negative and less than the size of the collection.',
    );
  if (text.startsWith('-')) return badArgument('String cannot contain a minus sign if the base is not 10.');
  const digits = base === 16 ? text.replace(/^0[xX]/, '') : text;
  if (!new RegExp(`^[${LETTERS[base]}]+$`).test(digits)) {
    return formatError(
      /^[0-9a-zA-Z]/.test(digits)
        ? 'Could not find any recognizable digits.'
        : 'Additional non-parsable characters are at the end of the string.',
    );
  }
  const value = BigInt(`${base === 16 ? '0x' : base === 8 ? '0o' : '0b'}${digits}`);
  if (value >= 1n << BigInt(type.bits)) return overflow(`Value was either too large or too small for ${type.article}.`);
  return asInteger(type, type.signed ? BigInt.asIntN(type.bits, value) : value);
}

function toBase(type: IntegerType, value: Value, base: number): string {
  if (!BASES.has(base)) return badArgument('Invalid Base.');
  return base === 10 ? String(value) : BigInt.asUintN(type.bits, BigInt(value)).toString(base);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BYTE: Type = { kind: 'primitive', name: 'byte' };

function toBase64(bytes: readonly number[]): string {
  allocate(bytes.length * 3);
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += ALPHABET[word >> 18]! + ALPHABET[(word >> 12) & 63]!;
    text += (b === undefined ? '=' : ALPHABET[(word >> 6) & 63]!) + (c === undefined ? '=' : ALPHABET[word & 63]!);
  }
  return text;
}

function fromBase64(text: string): number[] {
  const digits = text.replace(/[\t\n\r ]/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) {
    return formatError('The input is not a valid Base-64 string.');
  }
  allocate(digits.length * 8);
  const bytes: number[] = [];
  for (let at = 0; at < digits.length; at += 4) {
    const group = digits.slice(at, at + 4);
    const values = [...group].map((digit) => Math.max(0, ALPHABET.indexOf(digit)));
    const word = (values[0]! << 18) | (values[1]! << 12) | (values[2]! << 6) | values[3]!;
    bytes.push(word >> 16);
    if (group[2] !== '=') bytes.push((word >> 8) & 255);
    if (group[3] !== '=') bytes.push(word & 255);
  }
  return bytes;
}

function convertTable(): MemberTable {
  const table: Record<string, Native> = {};
  for (const [name, to] of Object.entries(TARGETS)) {
    for (const from of SOURCES) table[`Convert.To${name}(${from})`] = (value) => convert(to, from, value);
    table[`Convert.To${name}(string)`] = (text) => fromText(name, to, text);
    table[`Convert.To${name}(string,IFormatProvider)`] = (text) => fromText(name, to, text);
    table[`Convert.To${name}(object)`] = (value) => fromObject(name, to, value);
    table[`Convert.To${name}(object,IFormatProvider)`] = (value) => fromObject(name, to, value);
    table[`IConvertible.To${name}(IFormatProvider)`] = (value) => fromObject(name, to, value);
    const type = INTEGER_TYPES.get(to);
    if (type) table[`Convert.To${name}(string,int)`] = (text, base) => fromBase(name, type, text, base);
  }
  const sources: Type[] = SOURCES.map((name) => ({ kind: 'primitive', name: name as PrimitiveName }));
  for (const type of [...sources, { kind: 'named', name: 'DateTime', arguments: [] } as Type]) {
    const name = type.kind === 'primitive' ? type.name : 'DateTime';
    const format = textFormatter(type, null);
    table[`Convert.ToString(${name})`] = format;
    table[`Convert.ToString(${name},IFormatProvider)`] = (value) => format(value);
  }
  for (const name of ['byte', 'short', 'int', 'long']) {
    table[`Convert.ToString(${name},int)`] = (value, base) => toBase(INTEGER_TYPES.get(name)!, value, base);
  }
  return table;
}

export const CONVERT_MEMBERS: MemberTable = {
  ...convertTable(),
  'Convert.ToDateTime(object)': toDate,
  'Convert.ToDateTime(object,IFormatProvider)': toDate,
  'Convert.ToDateTime(DateTime)': (value) => value,
  'Convert.ToDateTime(string)': toDate,
  'Convert.ToDateTime(string,IFormatProvider)': toDate,
  'IConvertible.ToDateTime(IFormatProvider)': toDate,
  'IConvertible.ToString(IFormatProvider)': (value) => objectText(value, null),
  'Convert.ToString(object)': (value) => (value === null ? '' : objectText(value, null)),
  'Convert.ToString(object,IFormatProvider)': (value) => (value === null ? '' : objectText(value, null)),
  'Convert.ToString(string)': (text) => text,
  'Convert.ToString(string,IFormatProvider)': (text) => text,
  'Convert.ToBase64String(byte[])': (bytes) => (bytes === null ? argumentNull('inArray') : toBase64(bytes.items)),
  'Convert.FromBase64String(string)': (text) => (text === null ? argumentNull('s') : newArray(BYTE, fromBase64(text))),
  'Convert.ToHexString(byte[])': (bytes) => {
    if (bytes === null) return argumentNull('inArray');
    allocate(bytes.items.length * 4);
    return Array.from(bytes.items as number[], (byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase();
  },
  'Convert.FromHexString(string)': (text) => {
    if (text === null) return argumentNull('s');
    if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text))
      return formatError('The input is not a valid hex string.');
    allocate(text.length * 4);
    return newArray(
      BYTE,
      (text.match(/../g) ?? []).map((pair: string) => Number.parseInt(pair, 16)),
    );
  },
};
