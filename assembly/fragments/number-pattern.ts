// Custom number formats: `0`, `#`, the decimal point, group and scaling commas, per cent and per mille, exponents, literals and the
// three sections for positive, negative and zero. They are applied to the row of digits (digits.ts).

import { writeDigits, writeUnsigned } from '../values/tables';
import { builderByte, builderBytes, builderCommit, builderRoom, builderTruncate, builderUnit } from './builder';
import { rowCount, rowDigit, rowKeep, rowNegative, rowPoint, rowShift } from './digits';
import { formatLength, formatRun, formatUnit } from './format-reader';

const ZERO: u32 = 0x30;
const PLACE: u32 = 0x23;
const POINT: u32 = 0x2e;
const COMMA: u32 = 0x2c;
const PERCENT: u32 = 0x25;
const PER_MILLE: u32 = 0x2030;
const QUOTE: u32 = 0x27;
const DOUBLE_QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const SEMICOLON: u32 = 0x3b;
const NEVER: i32 = 0x7fffffff;

// What one section asks for: set by `readSection`.
let sectionStart: i32 = 0;
let sectionDigits: i32 = 0; //    places before and after the point
let sectionPoint: i32 = 0; //     how many of them before it
let sectionFirstZero: i32 = 0; // zeros before the point, counted from it
let sectionLastZero: i32 = 0; //  and behind it, as a negative number
let sectionGroups: bool = false;
let sectionShift: i32 = 0; //     powers of ten by per cent, per mille and scaling commas
let sectionScientific: bool = false;

// Where the writing is.
let digitAt: i32 = 0;
/** Places before the point that are still to be written; negative after it. */
let place: i32 = 0;
/** Digits that the number has before the point more than the format has places. */
let extra: i32 = 0;
let pointWritten: bool = false;

/** Where section `wanted` begins; 0 when it is missing or empty. Literals hide their semicolons. */
function findSection(wanted: i32): i32 {
  if (wanted == 0) return 0;
  let left = wanted;
  for (let at = 0; at < formatLength; at++) {
    const unit = formatUnit(at);
    if (unit == QUOTE || unit == DOUBLE_QUOTE) at = closingQuote(at);
    else if (unit == BACKSLASH) at++;
    else if (unit == SEMICOLON && --left == 0) {
      return at + 1 < formatLength && formatUnit(at + 1) != SEMICOLON ? at + 1 : 0;
    }
  }
  return 0;
}

function closingQuote(open: i32): i32 {
  const quote = formatUnit(open);
  let at = open + 1;
  while (at < formatLength && formatUnit(at) != quote) at++;
  return at;
}

function isExponent(at: i32): bool {
  if ((formatUnit(at) | 32) != 0x65) return false;
  const next = formatUnit(at + 1);
  return next == ZERO || ((next == 0x2b || next == 0x2d) && formatUnit(at + 2) == ZERO);
}

function readSection(start: i32): void {
  let digits = 0;
  let point = -1;
  let firstZero = NEVER;
  let lastZero = 0;
  let commaAt = -1;
  let commas = 0;
  sectionStart = start;
  sectionGroups = false;
  sectionShift = 0;
  sectionScientific = false;
  for (let at = start; at < formatLength && formatUnit(at) != SEMICOLON; at++) {
    const unit = formatUnit(at);
    if (unit == ZERO || unit == PLACE) {
      if (unit == ZERO) {
        firstZero = min<i32>(firstZero, digits);
        lastZero = digits + 1;
      }
      digits++;
    } else if (unit == POINT) {
      if (point < 0) point = digits;
    } else if (unit == COMMA) {
      if (digits > 0 && point < 0) {
        if (commaAt == digits) {
          commas++;
        } else {
          if (commaAt >= 0) sectionGroups = true;
          commaAt = digits;
          commas = 1;
        }
      }
    } else if (unit == PERCENT) sectionShift += 2;
    else if (unit == PER_MILLE) sectionShift += 3;
    else if (unit == QUOTE || unit == DOUBLE_QUOTE) at = closingQuote(at);
    else if (unit == BACKSLASH) at++;
    else if (isExponent(at)) {
      sectionScientific = true;
      while (isExponentUnit(formatUnit(at + 1))) at++;
    }
  }
  if (point < 0) point = digits;
  if (commaAt >= 0) {
    if (commaAt == point) sectionShift -= 3 * commas;
    else sectionGroups = true;
  }
  sectionDigits = digits;
  sectionPoint = point;
  sectionFirstZero = firstZero < point ? point - firstZero : 0;
  sectionLastZero = lastZero > point ? point - lastZero : 0;
}

function isExponentUnit(unit: u32): bool {
  return unit == 0x2b || unit == 0x2d || unit == ZERO;
}

/** Chooses the section and rounds the row to it. */
function fitSection(): void {
  readSection(findSection(rowCount == 0 ? 2 : rowNegative ? 1 : 0));
  while (rowCount != 0) {
    rowShift(sectionShift);
    rowKeep(sectionScientific ? sectionDigits : rowPoint + sectionDigits - sectionPoint, false);
    if (rowCount != 0) return;
    const zero = findSection(2);
    if (zero != sectionStart) readSection(zero);
  }
}

/** Adds the row by the format that is open; it is not empty. */
export function appendPattern(builder: usize): void {
  fitSection();
  const signed = rowNegative && sectionStart == 0;
  const start = builderBytes(builder);
  if (signed) builderByte(builder, 45);
  writeSection(builder);
  // A minus sign before nothing at all.
  if (signed && rowCount == 0 && builderBytes(builder) == start + 1) builderTruncate(builder, start);
}

function writeSection(builder: usize): void {
  digitAt = 0;
  pointWritten = false;
  place = sectionScientific ? sectionPoint : max<i32>(rowPoint, sectionPoint);
  extra = sectionScientific ? 0 : max<i32>(0, rowPoint - sectionPoint);
  for (let at = sectionStart; at < formatLength && formatUnit(at) != SEMICOLON; at++) {
    const unit = formatUnit(at);
    if (unit == ZERO || unit == PLACE) {
      while (extra > 0) {
        extra--;
        writeDigit(builder, true);
      }
      writeDigit(builder, false);
    } else if (unit == POINT) writePoint(builder);
    else if (unit == COMMA) continue;
    else if (unit == QUOTE || unit == DOUBLE_QUOTE) {
      const close = closingQuote(at);
      for (let inside = at + 1; inside < close; inside++) builderUnit(builder, formatUnit(inside));
      at = close;
    } else if (unit == BACKSLASH) {
      if (at + 1 < formatLength) builderUnit(builder, formatUnit(++at));
    } else if (isExponent(at)) at = writeExponent(builder, at);
    else builderUnit(builder, unit);
  }
}

/** One place of the format; `always`: a digit before the first place. */
function writeDigit(builder: usize, always: bool): void {
  const shift = sectionScientific ? sectionPoint - (rowCount == 0 ? 0 : rowPoint) : 0;
  const has = place <= rowPoint + shift && digitAt < rowCount;
  let digit: u32 = 0;
  if (has) digit = rowDigit(digitAt++);
  else if (place > 0 ? digitAt > 0 || place <= sectionFirstZero : place > sectionLastZero || digitAt < rowCount) digit = ZERO;
  else if (always) digit = ZERO;
  if (digit != 0) {
    if (place <= 0 && !pointWritten) writeMark(builder);
    builderByte(builder, digit);
    if (sectionGroups && place > 1 && (place - 1) % 3 == 0) builderByte(builder, COMMA);
  }
  place--;
}

function writePoint(builder: usize): void {
  if (place != 0 || pointWritten) return;
  if (sectionLastZero < 0 || (sectionPoint < sectionDigits && digitAt < rowCount)) writeMark(builder);
}

function writeMark(builder: usize): void {
  builderByte(builder, POINT);
  pointWritten = true;
}

/** Answers the place of its last unit. */
function writeExponent(builder: usize, from: i32): i32 {
  let at = from + 1;
  let plus = false;
  const next = formatUnit(at);
  if (next == 0x2b || next == 0x2d) {
    plus = next == 0x2b;
    at++;
  }
  let width = 0;
  if (formatUnit(at) == ZERO) width = formatRun(at);
  at += width;
  const exponent = rowCount == 0 ? 0 : rowPoint - sectionPoint;
  builderByte(builder, formatUnit(from));
  if (exponent < 0) builderByte(builder, 45);
  else if (plus) builderByte(builder, 43);
  const out = builderRoom(builder, 24);
  if (out == 0) return at - 1;
  const size = <u64>(exponent < 0 ? -exponent : exponent);
  const digits = max<u32>(writeUnsigned(out, size), <u32>min<i32>(width, 10));
  writeDigits(out, size, digits);
  builderCommit(builder, digits);
  return at - 1;
}
