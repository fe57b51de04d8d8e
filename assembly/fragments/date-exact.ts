// Reading dates by a given format, as src/fragments/interpreter/date-exact.ts does. The text is read by UTF-16 units. Names of months and
// days are those of date-text.ts.

import {
  areStyles, clearFields, FIELD_AFTERNOON, FIELD_DAY, FIELD_HOUR, FIELD_MINUTE, FIELD_MONTH, FIELD_SECOND, FIELD_WEEKDAY, FIELD_YEAR,
  finishFields, fullYear, NOTHING, setField, setFraction, setHalf, setOffset, setZulu, STYLE_INNER, STYLE_LEADING, STYLE_TRAILING,
} from './date-fields';
import { dayName, isField, isLongName, monthName, openStandard } from './date-text';
import { FAULT_ARGUMENT, FAULT_FORMAT, FAULT_MEMORY, FAULT_NULL } from './faults';
import { formatLength, formatRun, formatUnit, openFormat } from './format-reader';
import { OBJECT_COUNT, OBJECT_HEADER, objectAddress } from './objects';
import { runMark, runRelease } from './run-heap';
import { textLength, unitIsSpace, widen } from './texts';

/** The text, and where it is read. */
let units: usize = 0;
let end: i32 = 0;
let at: i32 = 0;
let innerWhite: bool = false;

/** Reads a text by a format; 0 or a fault. */
export function dateRead(text: u32, format: u32, styles: u32, isOffset: bool): u32 {
  if (text == 0 || format == 0) return FAULT_NULL;
  if (!areStyles(styles, isOffset)) return FAULT_ARGUMENT;
  if (textLength(format) == 0) return FAULT_FORMAT;
  const mark = runMark();
  let fault = read(text, format, styles) ? finishFields(styles, isOffset) : FAULT_FORMAT;
  if (units == 0) fault = FAULT_MEMORY;
  runRelease(mark);
  return fault;
}

/** The same by the first of the formats in an array that fits. */
export function dateReadAny(text: u32, formats: u32, styles: u32, isOffset: bool): u32 {
  if (text == 0 || formats == 0) return FAULT_NULL;
  if (!areStyles(styles, isOffset)) return FAULT_ARGUMENT;
  const address = objectAddress(formats);
  const count = load<u32>(address, OBJECT_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    const format = load<u32>(address + OBJECT_HEADER + 4 * <usize>i);
    if (format == 0) return FAULT_FORMAT;
    const fault = dateRead(text, format, styles, isOffset);
    if (fault != FAULT_FORMAT || textLength(format) == 0) return fault;
  }
  return FAULT_FORMAT;
}

function read(text: u32, format: u32, styles: u32): bool {
  clearFields();
  units = widen(text);
  if (units == 0) return false;
  at = 0;
  end = <i32>textLength(text);
  innerWhite = (styles & STYLE_INNER) != 0;
  if (!openFormat(format)) {
    units = 0;
    return false;
  }
  if (formatLength == 1 && !openStandard(formatUnit(0))) return false;
  let from = 0;
  let stop = formatLength;
  if (styles & STYLE_TRAILING) {
    while (end > 0 && unitIsSpace(unitAt(end - 1))) end--;
    while (stop > 0 && unitIsSpace(formatUnit(stop - 1))) stop--;
  }
  if (styles & STYLE_LEADING) {
    while (at < end && unitIsSpace(unitAt(at))) at++;
    while (from < stop && unitIsSpace(formatUnit(from))) from++;
  }
  while (from < stop) {
    if (innerWhite) while (at < end && unitIsSpace(unitAt(at))) at++;
    const count = readToken(from, stop);
    if (count == 0) return false;
    from += count;
  }
  return at == end;
}

/** Unit of the text; 0 beyond its end. */
function unitAt(index: i32): u32 {
  return index < end ? <u32>load<u16>(units + 2 * <usize>index) : 0;
}

function readUnit(unit: u32): bool {
  if (at >= end || unitAt(at) != unit) return false;
  at++;
  return true;
}

/** A letter in either case. */
function isLetter(index: i32, lower: u32): bool {
  return (unitAt(index) | 32) == lower && unitAt(index) < 0x80;
}

/** Reads what the format has at a place; how much of the format that was, 0 when the text is another. */
function readToken(from: i32, stop: i32): i32 {
  const unit = formatUnit(from);
  if (isField(unit) && unit != 0x4b) {
    const count = min<i32>(formatRun(from), stop - from);
    return readField(unit, count) ? count : 0;
  }
  switch (unit) {
    case 0x4b: // K
    case 0x5a: // Z
      return readZone(unit, 1) ? 1 : 0;
    case 0x27:
    case 0x22:
      return readQuoted(from, stop);
    case 0x5c: // an escaped unit
      return from + 1 < stop && readUnit(formatUnit(from + 1)) ? 2 : 0;
    case 0x25: // %
      return from + 1 < stop && formatUnit(from + 1) != 0x25 ? 1 : 0;
    case 0x2e: // a point before F need not be there
      if (formatUnit(from + 1) == 0x46 && from + 1 < stop) {
        readUnit(0x2e);
        return 1;
      }
      break;
    case 0x20:
      if (innerWhite) return 1;
      break;
    case 0x47: // GMT
      if (from + 2 < stop && formatUnit(from + 1) == 0x4d && formatUnit(from + 2) == 0x54) return readGmt() ? 3 : 0;
      break;
  }
  return readUnit(unit) ? 1 : 0;
}

function readQuoted(from: i32, stop: i32): i32 {
  for (let i = from + 1; i < stop; i++) {
    if (formatUnit(i) == formatUnit(from)) return i + 1 - from;
    if (formatUnit(i) == 0x5c) i++;
    if (i >= stop || !readUnit(formatUnit(i))) return 0;
  }
  return 0;
}

function readGmt(): bool {
  setZulu();
  return readUnit(0x47) && readUnit(0x4d) && readUnit(0x54);
}

/** Reads between `least` and `most` digits. */
function readDigits(least: i32, most: i32): i32 {
  const start = at;
  let value = 0;
  while (at < end && at - start < most && unitAt(at) - 48 < 10) {
    value = min<i32>(value, 99999999) * 10 + <i32>(unitAt(at) - 48);
    at++;
  }
  if (at - start >= least) return value;
  at = start;
  return NOTHING;
}

function readNumber(count: i32): i32 {
  return readDigits(count == 1 ? 1 : 2, 2);
}

/** Where `nameLength` looks. */
export function openDateUnits(from: usize, length: i32): void {
  units = from;
  end = length;
}

/** How many characters of a name stand in the text at the place; 0 when it is another. */
export function nameLength(word: u64, isShort: bool, from: i32): i32 {
  const count = isShort ? 3 : 8 - <i32>(clz<u64>(word) >> 3);
  for (let i = 0; i < count; i++) {
    if (!isLetter(from + i, (<u32>(word >> (8 * <u64>i)) & 0xff) | 32)) return 0;
  }
  if (isShort || !isLongName(word)) return count;
  return isLetter(from + count, isLongName(word)) ? count + 1 : 0;
}

function readName(isMonth: bool, isShort: bool): i32 {
  const count = isMonth ? 12 : 7;
  for (let i = 0; i < count; i++) {
    const length = nameLength(isMonth ? monthName(i + 1) : dayName(i), isShort, at);
    if (length == 0) continue;
    at += length;
    return isMonth ? i + 1 : i;
  }
  return NOTHING;
}

function readField(letter: u32, count: i32): bool {
  switch (letter) {
    case 0x64: // d
      if (count > 2) return setField(FIELD_WEEKDAY, readName(false, count == 3));
      return setField(FIELD_DAY, readNumber(count));
    case 0x4d: // M
      return setField(FIELD_MONTH, count > 2 ? readName(true, count == 3) : readNumber(count));
    case 0x79: { // y
      const value = readDigits(count, max<i32>(count, 2));
      return setField(FIELD_YEAR, count <= 2 && value != NOTHING ? fullYear(value) : value);
    }
    case 0x68: // h
      setHalf();
      return setField(FIELD_HOUR, readNumber(count));
    case 0x48: // H
      return setField(FIELD_HOUR, readNumber(count));
    case 0x6d: // m
      return setField(FIELD_MINUTE, readNumber(count));
    case 0x73: // s
      return setField(FIELD_SECOND, readNumber(count));
    case 0x66:
    case 0x46:
      return readFraction(letter == 0x66, count);
    case 0x74: // t
      return readMark(count);
    case 0x67: // g
      return readEra();
    case 0x7a: // z
      return readZone(letter, count);
    default:
      return unreachable();
  }
}

/** `all`: as many digits as the format has. */
function readFraction(all: bool, count: i32): bool {
  if (count > 7) return false;
  const start = at;
  let ticks = <i64>readDigits(all ? count : 0, count);
  if (ticks < 0) return false;
  for (let missing = 7 - (at - start); missing > 0; missing--) ticks *= 10;
  setFraction(ticks);
  return true;
}

/** One letter is as it is written, two are in either case. */
function readMark(count: i32): bool {
  const first = unitAt(at);
  const letter = count == 1 ? first : first | 32;
  const lower: u32 = count == 1 ? 0 : 32;
  if (first >= 0x80 || (letter != (0x41 | lower) && letter != (0x50 | lower))) return false;
  if (count > 1 && !isLetter(at + 1, 0x6d)) return false;
  at += min<i32>(count, 2);
  return setField(FIELD_AFTERNOON, i32(letter == (0x50 | lower)));
}

/** A.D. or AD. */
function readEra(): bool {
  if (!isLetter(at, 0x61)) return false;
  if (unitAt(at + 1) == 0x2e) {
    if (!isLetter(at + 2, 0x64) || unitAt(at + 3) != 0x2e) return false;
    at += 4;
    return true;
  }
  if (!isLetter(at + 1, 0x64)) return false;
  at += 2;
  return true;
}

function readZone(letter: u32, count: i32): bool {
  if (letter != 0x7a) {
    if (readUnit(0x5a)) {
      setZulu();
      return true;
    }
    if (letter == 0x5a) return readGmt();
    if (unitAt(at) != 43 && unitAt(at) != 45) return true;
  }
  const negative = unitAt(at) == 45;
  if (!negative && unitAt(at) != 43) return false;
  at++;
  const whole = letter != 0x7a || count > 2;
  const hours = readDigits(!whole && count == 2 ? 2 : 1, 2);
  let minutes = 0;
  if (whole && hours != NOTHING) {
    readUnit(58);
    minutes = readDigits(2, 2);
    // Two digits in a row may be an hour and its first minutes.
    if (minutes == NOTHING) return false;
  }
  if (hours == NOTHING || minutes > 59) return false;
  const offset = hours * 60 + minutes;
  return setOffset(negative ? -offset : offset);
}
