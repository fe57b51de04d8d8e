// Values out of texts, as .NET reads them without styles: Parse, TryParse and Convert. A routine answers 0 and keeps the value for
// `parsedWord` and `parsedWide`, or the number of the exception (faults.ts). Dates are read elsewhere (date-guess.ts, date-exact.ts).

import { parseTimeSpan } from '../values/datetime';
import { floatBits, parseFloatText } from '../values/float-parse';
import { hexValue, isTrailingBlank, matchesFolded, skipSpace, skipSpaceBack, skipWhite } from '../values/scan';
import { writeUnsigned } from '../values/tables';
import {
  TYPE_BOOLEAN, TYPE_BYTE, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_INT16, TYPE_INT32, TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_TIMESPAN,
  TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from '../values/types';
import { builderByte, builderCommit, builderFinish, builderNew, builderRoom } from './builder';
import { decimalParse } from './decimal-text';
import { FAIL_ARGUMENT } from './failures';
import { FAULT_ARGUMENT, FAULT_FORMAT, FAULT_MEMORY, FAULT_NULL, FAULT_OVERFLOW, FAULT_RANGE, highOf, lowOf, wide } from './faults';
import { runAllocate, runMark, runRelease } from './run-heap';
import { bytesOf, dataOf } from './texts';

/** Only the host knows. */
const FAULT_HOST: u32 = 11;
const TRUE_TEXT: u64 = 0x65757274; //    "true"
const FALSE_TEXT: u64 = 0x65736c6166; // "false"

let word: u64 = 0;
let wideHigh: u64 = 0;

/** The value read last, as value-text.ts has it, but a float by its own bits. */
export function parsedWord(): u64 {
  return word;
}

/** Keeps a value that was read elsewhere. */
export function keepParsed(low: u64, high: u64): void {
  word = low;
  wideHigh = high;
}

/** The decimal or DateTimeOffset read last. */
export function parsedWide(): v128 {
  return wide(word, wideHigh);
}

/** Reads a value of a type (values/types.ts) that is no hexadecimal number. */
export function textParse(text: u32, type: u32): u32 {
  if (text == 0) return FAULT_NULL;
  const p = dataOf(text);
  const end = p + <usize>bytesOf(text);
  switch (type) {
    case TYPE_BOOLEAN:
      return parseBoolean(p, end);
    case TYPE_BYTE:
      return parseInteger(p, end, 0xff, 0);
    case TYPE_SBYTE:
      return parseInteger(p, end, 0x7f, 0x80);
    case TYPE_INT16:
      return parseInteger(p, end, 0x7fff, 0x8000);
    case TYPE_UINT16:
      return parseInteger(p, end, 0xffff, 0);
    case TYPE_INT32:
      return parseInteger(p, end, 0x7fffffff, 0x80000000);
    case TYPE_UINT32:
      return parseInteger(p, end, 0xffffffff, 0);
    case TYPE_INT64:
      return parseInteger(p, end, 0x7fffffffffffffff, 0x8000000000000000);
    case TYPE_UINT64:
      return parseInteger(p, end, 0xffffffffffffffff, 0);
    case TYPE_SINGLE:
    case TYPE_DOUBLE:
      if (!parseFloatText(p, end, type == TYPE_SINGLE)) return FAULT_FORMAT;
      word = floatBits;
      return 0;
    case TYPE_DECIMAL: {
      const value = decimalParse(p, bytesOf(text));
      word = lowOf(value);
      wideHigh = highOf(value);
      return <u32>i32x4.extract_lane(value, 3) & 0xffff;
    }
    case TYPE_TIMESPAN:
      return parseSpan(p, end);
    default:
      return FAULT_HOST;
  }
}

function parseBoolean(p: usize, end: usize): u32 {
  p = skipSpace(p, end, true);
  end = skipSpaceBack(p, end, true);
  const isTrue = matchesFolded(p, end, TRUE_TEXT, 4);
  if (!isTrue && !matchesFolded(p, end, FALSE_TEXT, 5)) return FAULT_FORMAT;
  word = u64(isTrue);
  return 0;
}

/** White space around, a sign, digits; NULs at the end. */
function parseInteger(p: usize, end: usize, positiveLimit: u64, negativeLimit: u64): u32 {
  p = skipWhite(p, end);
  let negative = false;
  if (p < end && (load<u8>(p) == 45 || load<u8>(p) == 43)) {
    negative = load<u8>(p) == 45;
    p += 1;
  }
  const start = p;
  let value: u64 = 0;
  let tooLarge = false;
  while (p < end) {
    const digit = <u64>load<u8>(p) - 48;
    if (digit >= 10) break;
    if (value > 1844674407370955161 || (value == 1844674407370955161 && digit > 5)) tooLarge = true;
    value = value * 10 + digit;
    p += 1;
  }
  if (p == start || !isTrailingBlank(p, end)) return FAULT_FORMAT;
  if (tooLarge || value > (negative ? negativeLimit : positiveLimit)) return FAULT_OVERFLOW;
  word = negative ? 0 - value : value;
  return 0;
}

function parseSpan(p: usize, end: usize): u32 {
  const mark = runMark();
  const out = runAllocate(16);
  if (out == 0) return FAULT_MEMORY;
  const good = parseTimeSpan(p, end, out);
  word = load<u64>(out);
  runRelease(mark);
  return good ? 0 : isSpan(p, end) ? FAULT_OVERFLOW : FAULT_FORMAT;
}

/** Whether a text has the form of a span, which then has a part that is too large: numbers between colons and points. */
function isSpan(p: usize, end: usize): bool {
  p = skipWhite(p, end);
  if (p < end && load<u8>(p) == 45) p += 1;
  // Each separator is a digit of base 3: a colon 1, a point 2.
  let separators: u32 = 0;
  let count = 0;
  while (true) {
    const from = p;
    while (p < end && <u32>load<u8>(p) - 48 < 10) p += 1;
    if (p == from) return false;
    const separator: u32 = p < end ? <u32>load<u8>(p) : 0;
    if (separator != 58 && separator != 46) break;
    separators = separators * 3 + (separator == 58 ? 1 : 2);
    count++;
    if (count > 4) return false;
    p += 1;
  }
  if (!isTrailingBlank(p, end)) return false;
  switch (separators) {
    case 0: //  d
    case 1: //  h:m
    case 4: //  h:m:s
    case 14: // h:m:s.f
    case 7: //  d.h:m
    case 22: // d.h:m:s
    case 68: // d.h:m:s.f
    case 13: // d:h:m:s
    case 41: // d:h:m:s.f
      return true;
    default:
      return false;
  }
}

/** The highest value of `bits` bits. */
function limitOf(bits: u32): u64 {
  return bits == 64 ? u64.MAX_VALUE : ((<u64>1) << <u64>bits) - 1;
}

function signedWord(bits: u32): void {
  const shift = <u64>(64 - bits);
  word = <u64>((<i64>(word << shift)) >> shift);
}

/** A hexadecimal number with white space around, if that is allowed, into an integer of `bits` bits. */
export function textParseHexadecimal(text: u32, bits: u32, signed: bool, white: bool): u32 {
  if (text == 0) return FAULT_NULL;
  let p = dataOf(text);
  const end = p + <usize>bytesOf(text);
  if (white) p = skipWhite(p, end);
  const digits = parseDigits(p, end, 4);
  if (digits == p) return FAULT_FORMAT;
  if (white ? !isTrailingBlank(digits, end) : !areNuls(digits, end)) return FAULT_FORMAT;
  if (parsedTooLarge || word > limitOf(bits)) return FAULT_OVERFLOW;
  if (signed) signedWord(bits);
  return 0;
}

function areNuls(p: usize, end: usize): bool {
  while (p < end && load<u8>(p) == 0) p += 1;
  return p == end;
}

let parsedTooLarge: bool = false;

/** Reads digits of a base of `shift` bits; the address behind them. */
function parseDigits(p: usize, end: usize, shift: u32): usize {
  word = 0;
  parsedTooLarge = false;
  while (p < end) {
    const digit = hexValue(load<u8>(p));
    if (digit >> shift != 0) break;
    if (word >> <u64>(64 - shift) != 0) parsedTooLarge = true;
    word = (word << <u64>shift) | <u64>digit;
    p += 1;
  }
  return p;
}

/** `Convert.ToX(text, base)` for an integer type of `bits` bits: digits of base 2, 8 and 16 give its bits. */
export function textParseBase(text: u32, base: u32, type: u32, bits: u32, signed: bool): u32 {
  const shift: u32 = base == 2 ? 1 : base == 8 ? 3 : base == 16 ? 4 : 0;
  if (shift == 0 && base != 10) return FAULT_ARGUMENT;
  word = 0;
  if (text == 0) return 0;
  if (shift == 0) return textParse(text, type);
  let p = dataOf(text);
  const end = p + <usize>bytesOf(text);
  if (p == end) return FAULT_RANGE;
  if (load<u8>(p) == 45) return FAULT_ARGUMENT;
  if (shift == 4 && end - p > 1 && load<u8>(p) == 48 && (load<u8>(p, 1) | 32) == 0x78) p += 2;
  const digits = parseDigits(p, end, shift);
  if (digits == p || digits != end) return FAULT_FORMAT;
  if (parsedTooLarge || word > limitOf(bits)) return FAULT_OVERFLOW;
  if (signed) signedWord(bits);
  return 0;
}

/** `Convert.ToString(value, base)` of an integer of `bits` bits, or a failure. */
export function textBase(value: u64, bits: u32, base: u32): u32 {
  const shift: u32 = base == 2 ? 1 : base == 8 ? 3 : base == 16 ? 4 : 0;
  if (shift == 0 && base != 10) return FAIL_ARGUMENT;
  const builder = builderNew();
  let out = builderRoom(builder, 64);
  if (out == 0) return builderFinish(builder);
  if (shift == 0) {
    if (<i64>value < 0) {
      builderByte(builder, 45);
      out += 1;
      value = 0 - value;
    }
    builderCommit(builder, writeUnsigned(out, value));
    return builderFinish(builder);
  }
  value &= limitOf(bits);
  let count: u32 = 1;
  while (count * shift < 64 && value >> <u64>(count * shift) != 0) count++;
  for (let i: u32 = 0; i < count; i++) {
    const digit = <u32>(value >> <u64>(shift * (count - 1 - i))) & ((1 << shift) - 1);
    store<u8>(out + <usize>i, digit < 10 ? 48 + digit : 87 + digit);
  }
  builderCommit(builder, count);
  return builderFinish(builder);
}
