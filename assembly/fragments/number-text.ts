// Numbers as text under the standard formats (C D E F G N P R X) of the invariant culture, as .NET Core 3.1 writes them; custom formats
// are next door (number-pattern.ts). Each routine adds to a builder and ends it with a FormatException where .NET throws one.

import { writeDecimal } from '../values/decimal';
import { writeDouble, writeSingle } from '../values/float-format';
import { writeDigits, writeUnsigned } from '../values/tables';
import { builderByte, builderCommit, builderFail, builderFill, builderRoom, builderWord } from './builder';
import { rowClose, rowCount, rowDigit, rowKeep, rowNegative, rowOfDecimal, rowOfInteger, rowOfReal, rowPoint, rowShift } from './digits';
import { FAIL_FORMAT, FAIL_MEMORY } from './failures';
import { openFormat, readSpecifier, specifierLetter, specifierLower, specifierPrecision } from './format-reader';
import { appendPattern } from './number-pattern';
import { textLength } from './texts';

const LETTER_C: u32 = 0x43;
const LETTER_D: u32 = 0x44;
const LETTER_E: u32 = 0x45;
const LETTER_F: u32 = 0x46;
const LETTER_G: u32 = 0x47;
const LETTER_N: u32 = 0x4e;
const LETTER_P: u32 = 0x50;
const LETTER_R: u32 = 0x52;
const LETTER_X: u32 = 0x58;

const INFINITY_TEXT: u64 = 0x7974696e69666e49; // "Infinity"
const NAN_TEXT: u64 = 0x4e614e; //               "NaN"

/** Opens a format and reads it as a standard one; false when the builder has ended. */
function open(builder: usize, format: u32): bool {
  if (!openFormat(format)) {
    builderFail(builder, FAIL_MEMORY);
    return false;
  }
  if (readSpecifier()) return true;
  builderFail(builder, FAIL_FORMAT);
  return false;
}

function isGiven(format: u32): bool {
  return format != 0 && textLength(format) != 0;
}

// --- Integers ------------------------------------------------------------------------------------------------------------

/** An integer of `bits` bits, by its magnitude; `word` is it with the sign extended. */
export function appendInteger(builder: usize, word: u64, signed: bool, bits: u32, format: u32): void {
  const negative = signed && <i64>word < 0;
  const magnitude = negative ? 0 - word : word;
  if (!isGiven(format)) {
    plainInteger(builder, magnitude, negative, 0);
    return;
  }
  if (!open(builder, format)) return;
  const precision = specifierPrecision;
  switch (specifierLetter) {
    case 0:
      rowOfInteger(magnitude, negative);
      appendPattern(builder);
      break;
    case LETTER_D:
      plainInteger(builder, magnitude, negative, precision);
      return;
    case LETTER_X:
      hexadecimal(builder, bits == 64 ? word : word & (((<u64>1) << <u64>bits) - 1), precision);
      return;
    case LETTER_G:
      if (precision <= 0) {
        plainInteger(builder, magnitude, negative, 0);
        return;
      }
      rowOfInteger(magnitude, negative);
      standard(builder, false);
      break;
    case LETTER_R:
      builderFail(builder, FAIL_FORMAT);
      return;
    default:
      rowOfInteger(magnitude, negative);
      standard(builder, false);
  }
  rowClose();
}

/** With at least `width` digits. */
function plainInteger(builder: usize, magnitude: u64, negative: bool, width: i32): void {
  if (width > 20) {
    if (negative) builderByte(builder, 45);
    const digits = builderRoom(builder, <u32>width);
    if (digits == 0) return;
    memory.fill(digits, 48, <usize>(width - 20));
    writeDigits(digits + <usize>(width - 20), magnitude, 20);
    builderCommit(builder, <u32>width);
    return;
  }
  const out = builderRoom(builder, 24);
  if (out == 0) return;
  store<u8>(out, 45);
  const start = out + <usize>u32(negative);
  let count = writeUnsigned(start, magnitude);
  if (<i32>count < width) {
    count = <u32>width;
    writeDigits(start, magnitude, count);
  }
  builderCommit(builder, count + u32(negative));
}

function hexadecimal(builder: usize, word: u64, precision: i32): void {
  const count = max<i32>(16 - <i32>(clz<u64>(word | 1) >> 2), precision);
  const out = builderRoom(builder, <u32>count);
  if (out == 0) return;
  const letter: u32 = specifierLower ? 87 : 55;
  let at = count;
  while (at > 0) {
    at--;
    const digit = <u32>word & 15;
    store<u8>(out + <usize>at, digit < 10 ? 48 + digit : letter + digit);
    word >>= 4;
  }
  builderCommit(builder, <u32>count);
}

// --- Real numbers --------------------------------------------------------------------------------------------------------

/** A float (`single`) or double. */
export function appendReal(builder: usize, value: f64, single: bool, format: u32): void {
  if (isNaN(value)) {
    builderWord(builder, NAN_TEXT);
    return;
  }
  if (!isFinite(value)) {
    if (value < 0) builderByte(builder, 45);
    builderWord(builder, INFINITY_TEXT);
    return;
  }
  if (!isGiven(format)) {
    shortestReal(builder, value, single, false);
    return;
  }
  if (!open(builder, format)) return;
  if (specifierLetter == LETTER_R || (specifierLetter == LETTER_G && specifierPrecision <= 0)) {
    shortestReal(builder, value, single, specifierLower);
    return;
  }
  if (specifierLetter == LETTER_D || specifierLetter == LETTER_X) {
    builderFail(builder, FAIL_FORMAT);
    return;
  }
  rowOfReal(value);
  if (specifierLetter == 0) {
    rowKeep(single ? 7 : 15, true);
    appendPattern(builder);
  } else {
    standard(builder, true);
  }
  rowClose();
}

function shortestReal(builder: usize, value: f64, single: bool, lower: bool): void {
  const out = builderRoom(builder, 40);
  if (out == 0) return;
  const bytes = single ? writeSingle(out, reinterpret<u32>(<f32>value)) : writeDouble(out, reinterpret<u64>(value));
  if (lower) {
    for (let i: u32 = 0; i < bytes; i++) {
      if (load<u8>(out + <usize>i) == 0x45) store<u8>(out + <usize>i, 0x65);
    }
  }
  builderCommit(builder, bytes);
}

/** The Decimal record at `record`. */
export function appendDecimal(builder: usize, record: usize, format: u32): void {
  let isPlain = !isGiven(format);
  if (!isPlain) {
    if (!open(builder, format)) return;
    isPlain = specifierLetter == LETTER_G && specifierPrecision <= 0;
    if (specifierLetter == LETTER_R || specifierLetter == LETTER_D || specifierLetter == LETTER_X) {
      builderFail(builder, FAIL_FORMAT);
      return;
    }
  }
  if (isPlain) {
    const out = builderRoom(builder, 64);
    if (out != 0) builderCommit(builder, writeDecimal(out, record));
    return;
  }
  rowOfDecimal(record);
  if (specifierLetter == 0) appendPattern(builder);
  else standard(builder, false);
  rowClose();
}

// --- The formats ---------------------------------------------------------------------------------------------------------

/** C, E, F, G with a precision, N and P of the row. `real` numbers show the sign of zero, and round ties to even. */
function standard(builder: usize, real: bool): void {
  const precision = specifierPrecision;
  const places = precision < 0 ? 2 : precision;
  switch (specifierLetter) {
    case LETTER_F:
    case LETTER_N:
    case LETTER_P:
      if (specifierLetter == LETTER_P) rowShift(2);
      rowKeep(rowPoint + places, real);
      sign(builder, real);
      fixed(builder, places, specifierLetter != LETTER_F);
      if (specifierLetter == LETTER_P) builderWord(builder, 0x2520); // " %"
      return;
    case LETTER_C: {
      rowKeep(rowPoint + places, real);
      const negative = rowNegative && (real || rowCount != 0);
      if (negative) builderByte(builder, 40);
      const out = builderRoom(builder, 2);
      if (out == 0) return;
      store<u16>(out, 0xa4c2); // the general currency sign
      builderCommit(builder, 2);
      fixed(builder, places, true);
      if (negative) builderByte(builder, 41);
      return;
    }
    case LETTER_E: {
      const count = (precision < 0 ? 6 : precision) + 1;
      rowKeep(count, real);
      sign(builder, real);
      scientific(builder, count, 3);
      return;
    }
    case LETTER_G:
      rowKeep(precision, real);
      general(builder, precision);
      return;
    default:
      builderFail(builder, FAIL_FORMAT);
  }
}

function sign(builder: usize, real: bool): void {
  if (rowNegative && (real || rowCount != 0)) builderByte(builder, 45);
}

/** The digits before the point, at least one, and `places` behind it. */
function fixed(builder: usize, places: i32, groups: bool): void {
  const whole = max<i32>(rowPoint, 1);
  const out = builderRoom(builder, <u32>(whole + whole / 3 + places + 2));
  if (out == 0) return;
  let p = out;
  let at = rowPoint - whole;
  for (let left = whole; left > 0; left--) {
    store<u8>(p, rowDigit(at++));
    p += 1;
    if (groups && left > 1 && (left - 1) % 3 == 0) {
      store<u8>(p, 44);
      p += 1;
    }
  }
  if (places > 0) {
    store<u8>(p, 46);
    p += 1;
    for (let i = 0; i < places; i++) store<u8>(p + <usize>i, rowDigit(at + i));
    p += <usize>places;
  }
  builderCommit(builder, <u32>(p - out));
}

/** One digit, `count` - 1 behind the point, and an exponent of at least `width` digits. */
function scientific(builder: usize, count: i32, width: i32): void {
  const out = builderRoom(builder, <u32>max<i32>(count, 1) + 32);
  if (out == 0) return;
  let p = out;
  store<u8>(p, rowDigit(0));
  p += 1;
  if (count > 1) {
    store<u8>(p, 46);
    p += 1;
    for (let i = 1; i < count; i++) {
      store<u8>(p, rowDigit(i));
      p += 1;
    }
  }
  const exponent = rowCount == 0 ? 0 : rowPoint - 1;
  store<u8>(p, specifierLower ? 0x65 : 0x45);
  store<u8>(p, exponent < 0 ? 45 : 43, 1);
  p += 2;
  const size = <u64>(exponent < 0 ? -exponent : exponent);
  const digits = max<u32>(writeUnsigned(p, size), <u32>width);
  writeDigits(p, size, digits);
  builderCommit(builder, <u32>(p - out) + digits);
}

/** The shorter of the two ways to write the digits there are. */
function general(builder: usize, limit: i32): void {
  if (rowNegative) builderByte(builder, 45);
  if (rowCount == 0) {
    builderByte(builder, 48);
    return;
  }
  if (rowPoint > limit || rowPoint < -3) {
    scientific(builder, rowCount, 2);
    return;
  }
  if (rowPoint <= 0) {
    builderByte(builder, 48);
    builderByte(builder, 46);
    builderFill(builder, 48, <u32>-rowPoint);
  }
  const total = max<i32>(rowPoint, rowCount);
  const out = builderRoom(builder, <u32>(total + 1));
  if (out == 0) return;
  let p = out;
  for (let i = 0; i < total; i++) {
    if (i == rowPoint && i > 0) {
      store<u8>(p, 46);
      p += 1;
    }
    store<u8>(p, rowDigit(i));
    p += 1;
  }
  builderCommit(builder, <u32>(p - out));
}
