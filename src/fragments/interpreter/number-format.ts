// ToString of numbers: the standard formats (C D E F G N P R X) in the invariant culture. Custom formats are next door.

import { formatCustomNumber } from './custom-number-format.ts';
import type { DecimalValue } from './decimal.ts';
import { formatError } from './exceptions.ts';
import { allocate } from './machine.ts';
import {
  type Digits,
  digitsOfDecimal,
  digitsOfInteger,
  exactDigits,
  fixedParts,
  grouped,
  keepDigits,
  shortestDouble,
  shortestSingle,
} from './number-text.ts';

export type IntegerName = 'byte' | 'sbyte' | 'short' | 'ushort' | 'int' | 'uint' | 'long' | 'ulong';
const BITS: Readonly<Record<IntegerName, number>> = {
  byte: 8, sbyte: 8, short: 16, ushort: 16, int: 32, uint: 32, long: 64, ulong: 64,
}; // biome-ignore format: a table

interface Specifier {
  readonly letter: string;
  /** -1 when the format has none. */
  readonly precision: number;
}

function readSpecifier(format: string): Specifier | null {
  const match = /^([A-Za-z])(\d{0,9})\0*$/.exec(format);
  if (!match) return null;
  const precision = match[2] === '' ? -1 : Number(match[2]);
  if (precision > 999_999) return formatError('Format specifier was invalid.');
  allocate(Math.max(0, precision) * 2);
  return { letter: match[1]!, precision };
}

export function formatInteger(value: number | bigint, name: IntegerName, format: string | null): string {
  if (format === null || format === '') return String(value);
  const specifier = readSpecifier(format);
  if (!specifier) return formatCustomNumber(withoutZeros(digitsOfInteger(value)), format);
  const { letter, precision } = specifier;
  switch (letter.toUpperCase()) {
    case 'D':
      return padded(String(value), precision);
    case 'G':
      return precision <= 0 ? String(value) : formatDigits(digitsOfInteger(value), specifier, false);
    case 'X': {
      const unsigned = BigInt.asUintN(BITS[name], BigInt(value)).toString(16);
      const text = letter === 'X' ? unsigned.toUpperCase() : unsigned;
      return text.padStart(precision, '0');
    }
    case 'R':
      return formatError('Format specifier was invalid.');
    default:
      return formatDigits(digitsOfInteger(value), specifier, false);
  }
}

function padded(text: string, precision: number): string {
  return text.startsWith('-') ? `-${text.slice(1).padStart(precision, '0')}` : text.padStart(precision, '0');
}

export function formatDecimal(value: DecimalValue, format: string | null): string {
  if (format === null || format === '') return value.toString();
  const specifier = readSpecifier(format);
  if (!specifier) return formatCustomNumber(withoutZeros(digitsOfDecimal(value)), format);
  const upper = specifier.letter.toUpperCase();
  if (upper === 'G' && specifier.precision <= 0) return value.toString();
  if (upper === 'R') return formatError('Format specifier was invalid.');
  return formatDigits(digitsOfDecimal(value), specifier, false);
}

/** float and double: `single` says which. */
export function formatReal(value: number, single: boolean, format: string | null): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const specifier = format === null || format === '' ? { letter: 'G', precision: -1 } : readSpecifier(format);
  if (!specifier) {
    const exact = exactDigits(value);
    return formatCustomNumber(keepDigits(exact, single ? 7 : 15, true), format!);
  }
  const upper = specifier.letter.toUpperCase();
  const shortest = upper === 'R' || (upper === 'G' && specifier.precision <= 0);
  if (!shortest) return formatDigits(exactDigits(value), specifier, true);
  const digits = single ? shortestSingle(value) : shortestDouble(value);
  const limit = Math.max(digits.digits.length, single ? 9 : 17);
  const letter = specifier.letter === 'g' || specifier.letter === 'r' ? 'e' : 'E';
  return general(digits, limit, letter);
}

/** E, F, N, P, C and G with a precision. */
function formatDigits(number: Digits, { letter, precision }: Specifier, real: boolean): string {
  const lower = letter >= 'a';
  switch (letter.toUpperCase()) {
    case 'F': {
      const rounded = roundPlaces(number, precision < 0 ? 2 : precision, real);
      return signed(rounded, fixed(rounded, precision < 0 ? 2 : precision, false), real);
    }
    case 'N': {
      const rounded = roundPlaces(number, precision < 0 ? 2 : precision, real);
      return signed(rounded, fixed(rounded, precision < 0 ? 2 : precision, true), real);
    }
    case 'C': {
      const rounded = roundPlaces(number, precision < 0 ? 2 : precision, real);
      const text = `¤${fixed(rounded, precision < 0 ? 2 : precision, true)}`;
      return showsMinus(rounded, real) ? `(${text})` : text;
    }
    case 'P': {
      const scaled = number.digits === '' ? number : { ...number, point: number.point + 2 };
      const rounded = roundPlaces(scaled, precision < 0 ? 2 : precision, real);
      return signed(rounded, `${fixed(rounded, precision < 0 ? 2 : precision, true)} %`, real);
    }
    case 'E': {
      const count = (precision < 0 ? 6 : precision) + 1;
      const rounded = keepDigits(number, count, real);
      return signed(rounded, scientific(rounded, count, lower ? 'e' : 'E', 3), real);
    }
    case 'G': {
      const rounded = keepDigits(withoutZeros(number), precision, real);
      return general(rounded, precision, lower ? 'e' : 'E');
    }
    default:
      return formatError('Format specifier was invalid.');
  }
}

/** Drops the zeros at the end that only decimal has. */
function withoutZeros(number: Digits): Digits {
  return { ...number, digits: number.digits.replace(/0+$/, '') };
}

function roundPlaces(number: Digits, places: number, real: boolean): Digits {
  return keepDigits(number, number.point + places, real);
}

function fixed(number: Digits, places: number, groups: boolean): string {
  const { whole, fraction } = fixedParts(number, places);
  const shown = groups ? grouped(whole) : whole;
  return fraction === '' ? shown : `${shown}.${fraction}`;
}

function showsMinus(number: Digits, real: boolean): boolean {
  return number.negative && (real || number.digits !== '');
}

function signed(number: Digits, text: string, real: boolean): string {
  return showsMinus(number, real) ? `-${text}` : text;
}

function scientific(number: Digits, count: number, letter: string, width: number): string {
  const digits = number.digits === '' ? '0' : number.digits;
  const fraction = digits.slice(1).padEnd(Math.max(0, count - 1), '0');
  const exponent = number.digits === '' ? 0 : number.point - 1;
  const shown = String(Math.abs(exponent)).padStart(width, '0');
  return `${digits[0]}${fraction === '' ? '' : `.${fraction}`}${letter}${exponent < 0 ? '-' : '+'}${shown}`;
}

/** The shorter of the two ways to write the digits there are. */
function general(number: Digits, limit: number, letter: string): string {
  const { digits, point } = number;
  const sign = number.negative ? '-' : '';
  if (digits === '') return `${sign}0`;
  if (point > limit || point < -3) return `${sign}${scientific(number, digits.length, letter, 2)}`;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const whole = digits.slice(0, point).padEnd(point, '0');
  const fraction = digits.slice(point);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
