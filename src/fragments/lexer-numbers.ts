// Number literals: decimal, hexadecimal and binary integers, reals of float, double and decimal, with separators and
// suffixes. Ranges are checked here as C# does: an integer must fit 64 bits, a real its own type.

import type { LiteralValue } from './syntax.ts';

/** `from` and `to` are where it is said, when not in front of the number. */
interface Problem {
  readonly id: string;
  readonly message: string;
  readonly from?: number;
  readonly to?: number;
  readonly warning?: boolean;
}

export interface NumberResult {
  readonly end: number;
  readonly literal: LiteralValue;
  /** What is wrong with it: an id and what to say, or null. */
  readonly problem: Problem | null;
}

const MAX_ULONG = 0xffff_ffff_ffff_ffffn;
const MAX_DECIMAL = 79228162514264337593543950335n;

/** Reads the number that starts at an offset (a digit, or a dot before a digit). */
export function readNumber(text: string, start: number): NumberResult {
  const marker = text[start] === '0' ? text[start + 1]?.toLowerCase() : undefined;
  if (marker === 'x') return readInteger(text, start + 2, digitsEnd(text, start + 2, isHex), 16);
  if (marker === 'b') return readInteger(text, start + 2, digitsEnd(text, start + 2, isBinary), 2);
  const integerEnd = digitsEnd(text, start, isDigit);
  let end = integerEnd;
  if (text[end] === '.' && isDigit(text.charCodeAt(end + 1))) end = digitsEnd(text, end + 1, isDigit);
  let missingExponent = false;
  if (text[end] === 'e' || text[end] === 'E') {
    const sign = text[end + 1] === '+' || text[end + 1] === '-' ? 1 : 0;
    const exponentEnd = digitsEnd(text, end + 1 + sign, isDigit);
    missingExponent = exponentEnd === end + 1 + sign;
    end = exponentEnd;
  }
  const suffix = text[end]?.toLowerCase() ?? '';
  if (end === integerEnd && suffix !== 'f' && suffix !== 'd' && suffix !== 'm') {
    return readInteger(text, start, integerEnd, 10);
  }
  const digits = text.slice(start, end);
  const known = suffix === 'f' || suffix === 'd' || suffix === 'm';
  return readReal(digits, known ? suffix : '', start, known ? end + 1 : end, missingExponent);
}

function readReal(
  written: string,
  suffix: '' | 'f' | 'd' | 'm',
  start: number,
  end: number,
  missingExponent: boolean,
): NumberResult {
  const digits = written.replaceAll('_', '');
  const misplaced = /_(?![0-9_])|(?<![0-9_])_/.test(written);
  if (missingExponent || misplaced) {
    const literal: LiteralValue = { type: 'real', text: '0', suffix };
    const problem = misplaced
      ? { ...INVALID_NUMBER, from: start, to: end }
      : { id: 'CS0595', message: 'The real number lacks its exponent.' };
    return { end, literal, problem };
  }
  const literal: LiteralValue = { type: 'real', text: digits, suffix };
  const type = suffix === 'f' ? 'float' : suffix === 'm' ? 'decimal' : 'double';
  const outside =
    type === 'decimal'
      ? decimalOutOfRange(digits)
      : !Number.isFinite(type === 'float' ? Math.fround(Number(digits)) : Number(digits));
  if (!outside) return { end, literal, problem: null };
  const problem = { id: 'CS0594', message: `The constant is outside the range of ${type}.` };
  return { end, literal, problem: type === 'decimal' ? { ...problem, from: start, to: end } : problem };
}

/** Whether a real literal is larger than decimal's largest value once it is rounded to an integer. */
function decimalOutOfRange(digits: string): boolean {
  const [mantissa = '', exponentText = '0'] = digits.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const significant = (whole + fraction).replace(/^0+/, '');
  if (significant === '') return false;
  // The first significant digit stands for 10 to the power of `magnitude - 1`.
  const magnitude = significant.length - fraction.length + Number(exponentText);
  if (magnitude > 29) return true;
  if (magnitude < 29) return false;
  const integer = BigInt(significant.slice(0, 29).padEnd(29, '0'));
  return integer > MAX_DECIMAL || (integer === MAX_DECIMAL && significant.charCodeAt(29) >= 53);
}

const INVALID_NUMBER = { id: 'CS1013', message: 'The number is not complete.' };

function readInteger(text: string, start: number, digitEnd: number, base: 2 | 10 | 16): NumberResult {
  const written = text.slice(start, digitEnd);
  const digits = written.replaceAll('_', '').replace(/^0+(?=.)/, '');
  const [suffix, end] = readSuffix(text, digitEnd);
  if (digits === '' || written.endsWith('_')) {
    const from = base === 10 ? start : start - 2;
    const problem = digits === '' ? INVALID_NUMBER : { ...INVALID_NUMBER, from, to: digitEnd };
    return { end, literal: { type: 'integer', value: 0n, suffix, base }, problem };
  }
  const most = base === 10 ? 20 : base === 16 ? 16 : 64;
  const value = digits.length > most ? MAX_ULONG + 1n : BigInt(PREFIX[base] + digits);
  if (value > MAX_ULONG) {
    const problem = { id: 'CS1021', message: 'The integer does not fit 64 bits.' };
    return { end, literal: { type: 'integer', value: 0n, suffix, base }, problem };
  }
  const lower = suffix === 'l' && text[digitEnd] === 'l';
  const message = "The suffix 'l' is easily taken for the digit 1: write 'L'.";
  return {
    end,
    literal: { type: 'integer', value, suffix, base },
    problem: lower ? { id: 'CS0078', message, from: digitEnd, to: end, warning: true } : null,
  };
}

const PREFIX = { 2: '0b', 10: '', 16: '0x' };

function readSuffix(text: string, start: number): ['' | 'u' | 'l' | 'ul', number] {
  const first = text[start]?.toLowerCase();
  const second = text[start + 1]?.toLowerCase();
  if (first === 'u') return second === 'l' ? ['ul', start + 2] : ['u', start + 1];
  if (first === 'l') return second === 'u' ? ['ul', start + 2] : ['l', start + 1];
  return ['', start];
}

function digitsEnd(text: string, start: number, accepts: (unit: number) => boolean): number {
  let end = start;
  while (accepts(text.charCodeAt(end)) || text.charCodeAt(end) === 95) end++;
  return end;
}

/** Whether a UTF-16 unit is an ASCII digit. */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isBinary(unit: number): boolean {
  return unit === 48 || unit === 49;
}

function isHex(unit: number): boolean {
  return isDigit(unit) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
}

/** The value of up to `most` hexadecimal digits from an offset on, and how many there are. */
export function readHex(
  text: string,
  start: number,
  most: number,
): { readonly value: number; readonly digits: number } {
  let digits = 0;
  while (digits < most && isHex(text.charCodeAt(start + digits))) digits++;
  return { value: digits === 0 ? 0 : Number.parseInt(text.slice(start, start + digits), 16), digits };
}
