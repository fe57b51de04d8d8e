// Reading dates by a guess at the forms that people and programs write, as src/fragments/interpreter/date-parse.ts does: a time of day and
// a zone at the end, and before them a date in numbers or with the name of a month. The usual forms are read by the core's own reader
// (values/datetime.ts).

import { KIND_LOCAL, KIND_UTC, parseDateTime } from '../values/datetime';
import { nameLength, openDateUnits } from './date-exact';
import {
  areStyles, clearFields, FIELD_DAY, FIELD_HOUR, FIELD_MINUTE, FIELD_MONTH, FIELD_SECOND, FIELD_WEEKDAY, FIELD_YEAR, finishFields, fullYear,
  NOTHING, setField, setFraction, setOffset, setZulu,
} from './date-fields';
import { dayName, monthName } from './date-text';
import { FAULT_ARGUMENT, FAULT_FORMAT, FAULT_MEMORY, FAULT_NULL } from './faults';
import { runAllocate, runMark, runRelease } from './run-heap';
import { keepParsed } from './text-parse';
import { bytesOf, dataOf, textLength, unitIsSpace, widen } from './texts';

const LONGEST: i32 = 200;

let units: usize = 0;
/** What is left to read: [start, end). */
let start: i32 = 0;
let end: i32 = 0;

/** Reads a text; 0 or a fault. */
export function dateGuess(text: u32, styles: u32, isOffset: bool): u32 {
  if (text == 0) return FAULT_NULL;
  if (!areStyles(styles, isOffset)) return FAULT_ARGUMENT;
  const mark = runMark();
  const fault = styles == 0 && !isOffset && readUsual(text) ? 0 : guess(text, styles, isOffset);
  runRelease(mark);
  return fault;
}

function readUsual(text: u32): bool {
  const out = runAllocate(16);
  if (out == 0) return false;
  const p = dataOf(text);
  if (!parseDateTime(p, p + <usize>bytesOf(text), out)) return false;
  const word = load<u64>(out);
  // A zone makes a time of the local clock, which is the universal one.
  keepParsed(word & KIND_UTC ? word ^ (KIND_UTC | KIND_LOCAL) : word, 0);
  return true;
}

function guess(text: u32, styles: u32, isOffset: bool): u32 {
  units = widen(text);
  if (units == 0) return FAULT_MEMORY;
  start = 0;
  end = <i32>textLength(text);
  if (end > LONGEST) return FAULT_FORMAT;
  clearFields();
  openDateUnits(units, end);
  trim();
  while (end > start && unitAt(end - 1) == 0) end--;
  if (start == end) return FAULT_FORMAT;
  const found = readTime();
  if (found == BROKEN) return FAULT_FORMAT;
  if (found == ABSENT) takeZoneAtEnd();
  trim();
  if (start < end && !readDate()) return FAULT_FORMAT;
  if (start == end && found == ABSENT) return FAULT_FORMAT;
  return finishFields(styles, isOffset);
}

function unitAt(index: i32): u32 {
  return index < end ? <u32>load<u16>(units + 2 * <usize>index) : 0;
}

function trim(): void {
  while (start < end && unitIsSpace(unitAt(start))) start++;
  while (end > start && unitIsSpace(unitAt(end - 1))) end--;
}

function skipSpace(at: i32): i32 {
  while (at < end && unitIsSpace(unitAt(at))) at++;
  return at;
}

// @ts-ignore: decorator
@inline
function isDigit(unit: u32): bool {
  return unit - 48 < 10;
}

/** How many digits stand at a place, up to `most`. */
function digitsAt(at: i32, most: i32): i32 {
  let count = 0;
  while (count < most && at + count < end && isDigit(unitAt(at + count))) count++;
  return count;
}

function numberAt(at: i32, count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) value = min<i32>(value, 99999999) * 10 + <i32>(unitAt(at + i) - 48);
  return value;
}

function isLetterAt(at: i32, lower: u32): bool {
  return at < end && unitAt(at) < 0x80 && (unitAt(at) | 32) == lower;
}

// --- Times ---------------------------------------------------------------------------------------------------------------

const ABSENT: i32 = 0;
const FOUND: i32 = 1;
const BROKEN: i32 = 2;

// What `timeAt` found.
let hour: i32 = 0;
let minute: i32 = 0;
let second: i32 = 0;
let fractionFrom: i32 = 0;
let fractionDigits: i32 = 0;
let mark: u32 = 0;

/** Reads the time of day and the zone that the text ends with, and ends before them. */
function readTime(): i32 {
  for (let withColon = 1; withColon >= 0; withColon--) {
    for (let i = start; i < end; i++) {
      const isSpace = unitIsSpace(unitAt(i));
      let from = i;
      // At the start, or behind white space or a T.
      if (isSpace || unitAt(i) == 0x54) from = i + 1;
      else if (i != start) continue;
      if (!timeAt(from, withColon == 1)) continue;
      const good = takeTime();
      end = i;
      return good ? FOUND : BROKEN;
    }
  }
  return ABSENT;
}

/** Whether a time stands at a place and goes to the end but for a zone; the zone's place is in `zoneFrom`. */
let zoneFrom: i32 = 0;
let zoneDigits: i32 = 0;

function timeAt(from: i32, withColon: bool): bool {
  let count = digitsAt(from, 2);
  if (count == 0) return false;
  hour = numberAt(from, count);
  minute = 0;
  second = 0;
  fractionDigits = 0;
  mark = 0;
  let at = from + count;
  if (withColon) {
    if (unitAt(at) != 58) return false;
    count = digitsAt(at + 1, 2);
    if (count == 0) return false;
    minute = numberAt(at + 1, count);
    at += 1 + count;
    count = unitAt(at) == 58 ? digitsAt(at + 1, 2) : 0;
    if (count > 0) {
      second = numberAt(at + 1, count);
      at += 1 + count;
      count = unitAt(at) == 46 ? digitsAt(at + 1, LONGEST) : 0;
      if (count > 0) {
        fractionFrom = at + 1;
        fractionDigits = count;
        at += 1 + count;
      }
    }
  }
  const next = skipSpace(at);
  if ((isLetterAt(next, 0x61) || isLetterAt(next, 0x70)) && isLetterAt(next + 1, 0x6d)) {
    mark = unitAt(next) | 32;
    at = next + 2;
  } else if (!withColon) return false;
  return zoneAt(skipSpace(at));
}

/** Whether nothing but a zone stands from a place on. */
function zoneAt(from: i32): bool {
  zoneFrom = NOTHING;
  if (from == end) return true;
  const unit = unitAt(from);
  let length = 0;
  if (unit == 0x5a || unit == 0x7a) length = 1;
  else if (isWord(from, 0x47, 0x4d, 0x54) || isWord(from, 0x55, 0x54, 0x43)) length = 3;
  if (length > 0) {
    zoneFrom = from;
    return skipSpace(from + length) == end;
  }
  if (unit != 43 && unit != 45) return false;
  zoneFrom = from;
  // As many digits of the hour as leave a zone.
  for (zoneDigits = digitsAt(from + 1, 2); zoneDigits > 0; zoneDigits--) {
    let at = from + 1 + zoneDigits;
    if (skipSpace(at) == end) return true;
    if (unitAt(at) == 58) at++;
    if (digitsAt(at, 2) == 2 && skipSpace(at + 2) == end) return true;
  }
  return false;
}

function isWord(at: i32, a: u32, b: u32, c: u32): bool {
  return unitAt(at) == a && unitAt(at + 1) == b && unitAt(at + 2) == c;
}

function takeTime(): bool {
  if (mark == 0x61) {
    if (hour > 12) return false;
    if (hour == 12) hour = 0;
  }
  if (mark == 0x70 && hour < 12) hour += 12;
  setField(FIELD_HOUR, hour);
  setField(FIELD_MINUTE, minute);
  setField(FIELD_SECOND, second);
  setFraction(fractionTicks());
  return zoneFrom == NOTHING || takeZone(zoneFrom);
}

/** Digits behind the point as ticks; beyond seven they are rounded. */
function fractionTicks(): i64 {
  const kept = min<i32>(fractionDigits, 15);
  let value: i64 = 0;
  for (let i = 0; i < kept; i++) value = value * 10 + <i64>(unitAt(fractionFrom + i) - 48);
  for (let missing = 7 - kept; missing > 0; missing--) value *= 10;
  if (kept <= 7) return value;
  let divisor: i64 = 1;
  for (let more = kept - 7; more > 0; more--) divisor *= 10;
  return (value + divisor / 2) / divisor;
}

/** The zone at a place, up to the end; false when it is too far away. */
function takeZone(from: i32): bool {
  const sign = unitAt(from);
  if (sign != 43 && sign != 45) {
    setZulu();
    return true;
  }
  const hours = numberAt(from + 1, zoneDigits);
  let at = from + 1 + zoneDigits;
  if (unitAt(at) == 58) at++;
  const minutes = digitsAt(at, 2) == 2 ? numberAt(at, 2) : 0;
  const offset = hours * 60 + minutes;
  return setOffset(sign == 45 ? -offset : offset);
}

/** A zone directly behind a date. */
function takeZoneAtEnd(): void {
  let from = end;
  if (end - start > 1 && unitAt(end - 1) == 0x5a) from = end - 1;
  else if (end - start > 3 && isWord(end - 3, 0x47, 0x4d, 0x54)) from = end - 3;
  else if (end - start > 6 && (unitAt(end - 6) == 43 || unitAt(end - 6) == 45) && unitAt(end - 3) == 58) from = end - 6;
  if (from == end || !zoneAt(from)) return;
  let before = from;
  while (before > start && unitIsSpace(unitAt(before - 1))) before--;
  if (before == start || !isDigit(unitAt(before - 1)) || !takeZone(from)) return;
  end = before;
}

// --- Dates ---------------------------------------------------------------------------------------------------------------

let numbers: i32 = 0;
let first: i32 = 0;
let other: i32 = 0;
let third: i32 = 0;
/** How many digits they have. */
let firstLength: i32 = 0;
let secondLength: i32 = 0;
let thirdLength: i32 = 0;

function addNumber(value: i32, length: i32): void {
  numbers++;
  if (numbers == 1) {
    first = value;
    firstLength = length;
  } else if (numbers == 2) {
    other = value;
    secondLength = length;
  } else {
    third = value;
    thirdLength = length;
  }
}

function readDate(): bool {
  numbers = 0;
  let monthAt = NOTHING;
  let weekday = NOTHING;
  let at = start;
  while (at < end) {
    const unit = unitAt(at);
    if (isDigit(unit)) {
      const count = digitsAt(at, LONGEST);
      addNumber(numberAt(at, count), count);
      at += count;
    } else if ((unit | 32) - 0x61 < 26) {
      const length = wordLength(at);
      const month = wordNumber(at, length, true);
      const day = wordNumber(at, length, false);
      if (month != NOTHING && monthAt == NOTHING) {
        monthAt = numbers;
        setField(FIELD_MONTH, month);
      } else if (day != NOTHING && weekday == NOTHING) {
        weekday = day;
        setField(FIELD_WEEKDAY, day);
      } else return false;
      at += length;
    } else if (unitIsSpace(unit)) {
      at++;
    } else {
      if (unit < 0x2c || unit > 0x2f) return false;
      at++;
    }
  }
  return monthAt != NOTHING ? namedMonth(monthAt) : numericDate();
}

function wordLength(at: i32): i32 {
  let count = 0;
  while (at + count < end && (unitAt(at + count) | 32) - 0x61 < 26) count++;
  return count;
}

/** The month (from 1) or day that a word names, in full or by three letters. */
function wordNumber(at: i32, length: i32, isMonth: bool): i32 {
  const count = isMonth ? 12 : 7;
  for (let i = 0; i < count; i++) {
    const name = isMonth ? monthName(i + 1) : dayName(i);
    if (nameLength(name, length == 3, at) == length) return isMonth ? i + 1 : i;
  }
  return NOTHING;
}

function yearOf(value: i32, length: i32): i32 {
  return length > 2 ? value : fullYear(value);
}

/** `before`: how many numbers stand before the month. */
function namedMonth(before: i32): bool {
  if (numbers == 0 || numbers > 2) return false;
  if (numbers == 1) {
    // A number before a month is its year.
    if (firstLength > 2 || before > 0) setField(FIELD_YEAR, yearOf(first, firstLength));
    else setField(FIELD_DAY, first);
    return true;
  }
  const yearFirst = firstLength > 2;
  setField(FIELD_YEAR, yearFirst ? yearOf(first, firstLength) : yearOf(other, secondLength));
  setField(FIELD_DAY, yearFirst ? other : first);
  return true;
}

function numericDate(): bool {
  if (numbers == 3) {
    const yearFirst = firstLength > 2;
    setField(FIELD_YEAR, yearFirst ? yearOf(first, firstLength) : yearOf(third, thirdLength));
    setField(FIELD_MONTH, yearFirst ? other : first);
    setField(FIELD_DAY, yearFirst ? third : other);
    return true;
  }
  if (numbers != 2) return false;
  if (firstLength > 2) {
    setField(FIELD_YEAR, yearOf(first, firstLength));
    setField(FIELD_MONTH, other);
  } else if (secondLength > 2) {
    setField(FIELD_MONTH, first);
    setField(FIELD_YEAR, yearOf(other, secondLength));
  } else {
    setField(FIELD_MONTH, first);
    setField(FIELD_DAY, other);
  }
  return true;
}
