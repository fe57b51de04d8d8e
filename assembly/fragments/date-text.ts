// DateTime and DateTimeOffset as text: the standard and custom formats of the invariant culture. The local zone is UTC.

import {
  APRIL, AUGUST, DECEMBER, FEBRUARY, FRIDAY, JANUARY, JULY, JUNE, MARCH, MAY, MONDAY, NOVEMBER, OCTOBER, PATTERN_FULL,
  PATTERN_FULL_2, PATTERN_FULL_3, PATTERN_FULL_4, PATTERN_GENERAL, PATTERN_GENERAL_2, PATTERN_GENERAL_3,
  PATTERN_GENERAL_SHORT, PATTERN_GENERAL_SHORT_2, PATTERN_LONG_DATE, PATTERN_LONG_DATE_2, PATTERN_LONG_DATE_3,
  PATTERN_LONG_SHORT_TIME, PATTERN_LONG_SHORT_TIME_2, PATTERN_LONG_SHORT_TIME_3, PATTERN_LONG_TIME, PATTERN_MONTH_DAY,
  PATTERN_RFC1123, PATTERN_RFC1123_2, PATTERN_RFC1123_3, PATTERN_RFC1123_4, PATTERN_ROUND_TRIP, PATTERN_ROUND_TRIP_2,
  PATTERN_ROUND_TRIP_3, PATTERN_ROUND_TRIP_4, PATTERN_SHORT_DATE, PATTERN_SHORT_DATE_2, PATTERN_SHORT_TIME,
  PATTERN_SORTABLE, PATTERN_SORTABLE_2, PATTERN_SORTABLE_3, PATTERN_UNIVERSAL, PATTERN_UNIVERSAL_2, PATTERN_UNIVERSAL_3,
  PATTERN_YEAR_MONTH, PATTERN_YEAR_MONTH_2, SATURDAY, SEPTEMBER, SUNDAY, THURSDAY, TUESDAY, WEDNESDAY,
} from '../generated/date-words';
import {
  civilDay, civilMonth, civilYear, OFFSET_MINUTES, splitDays, TICKS_MASK, writeDateTime, writeDateTimeOffset,
} from '../values/datetime';
import { digitCount, writeDigits } from '../values/tables';
import {
  builderByte, builderBytes, builderCommit, builderData, builderFail, builderRoom, builderTruncate, builderUnit, builderWord,
} from './builder';
import { FAIL_FORMAT, FAIL_MEMORY } from './failures';
import { formatLength, formatRun, formatUnit, openFormat, openPattern } from './format-reader';
import { textLength } from './texts';

const TICKS_MINUTE: i64 = 600000000;

// The moment being written: its clock, split.
let year: u32 = 0;
let month: u32 = 0;
let day: u32 = 0;
let weekday: u32 = 0;
let hour: u32 = 0;
let minute: u32 = 0;
let second: u32 = 0;
let fraction: u32 = 0;
let kind: u32 = 0;
let offsetMinutes: i32 = 0;
let hasOffset: bool = false;

function split(ticks: u64): void {
  const seconds = ticks / 10000000;
  fraction = <u32>(ticks - seconds * 10000000);
  const days = <u32>(seconds / 86400);
  const rest = <u32>(seconds - <u64>days * 86400);
  hour = rest / 3600;
  minute = (rest / 60) % 60;
  second = rest % 60;
  weekday = (days + 1) % 7;
  splitDays(days);
  year = civilYear;
  month = civilMonth;
  day = civilDay;
}

/** A DateTime as .NET keeps it. */
export function appendDate(builder: usize, value: u64, format: u32): void {
  const length: u32 = format == 0 ? 0 : textLength(format);
  if (length == 0) {
    const out = builderRoom(builder, 40);
    if (out != 0) builderCommit(builder, writeDateTime(out, value, true));
    return;
  }
  split(value & TICKS_MASK);
  kind = <u32>(value >> 62);
  hasOffset = false;
  offsetMinutes = 0;
  if (!openFormat(format)) {
    builderFail(builder, FAIL_MEMORY);
    return;
  }
  if (length == 1) {
    const letter = formatUnit(0);
    // U is the long form of the universal time, and every clock is that here.
    if (!openStandard(letter == 0x55 ? 0x46 : letter)) {
      builderFail(builder, FAIL_FORMAT);
      return;
    }
  }
  appendMoment(builder);
}

/** The DateTimeOffset record at `record` (values/types.ts). */
export function appendDateOffset(builder: usize, record: usize, format: u32): void {
  const length: u32 = format == 0 ? 0 : textLength(format);
  if (length == 0) {
    const out = builderRoom(builder, 40);
    if (out != 0) builderCommit(builder, writeDateTimeOffset(out, record, true));
    return;
  }
  const ticks = load<i64>(record);
  offsetMinutes = load<i32>(record, OFFSET_MINUTES);
  hasOffset = true;
  kind = 0;
  split(<u64>(ticks + <i64>offsetMinutes * TICKS_MINUTE));
  if (!openFormat(format)) {
    builderFail(builder, FAIL_MEMORY);
    return;
  }
  if (length == 1) {
    const letter = formatUnit(0);
    if (!openStandard(letter)) {
      builderFail(builder, FAIL_FORMAT);
      return;
    }
    if ((letter | 32) == 0x72 || letter == 0x75) split(<u64>ticks);
  }
  appendMoment(builder);
}

/** Opens what a standard format stands for; false when there is none of that letter. */
export function openStandard(letter: u32): bool {
  switch (letter) {
    case 0x64: // d: MM/dd/yyyy
      return openPattern(PATTERN_SHORT_DATE, PATTERN_SHORT_DATE_2);
    case 0x44: // D: dddd, dd MMMM yyyy
      return openPattern(PATTERN_LONG_DATE, PATTERN_LONG_DATE_2, PATTERN_LONG_DATE_3);
    case 0x66: // f: dddd, dd MMMM yyyy HH:mm
      return openPattern(PATTERN_LONG_SHORT_TIME, PATTERN_LONG_SHORT_TIME_2, PATTERN_LONG_SHORT_TIME_3);
    case 0x46: // F: dddd, dd MMMM yyyy HH:mm:ss
      return openPattern(PATTERN_FULL, PATTERN_FULL_2, PATTERN_FULL_3, PATTERN_FULL_4);
    case 0x67: // g: MM/dd/yyyy HH:mm
      return openPattern(PATTERN_GENERAL_SHORT, PATTERN_GENERAL_SHORT_2);
    case 0x47: // G: MM/dd/yyyy HH:mm:ss
      return openPattern(PATTERN_GENERAL, PATTERN_GENERAL_2, PATTERN_GENERAL_3);
    case 0x6d: // mM: MMMM dd
    case 0x4d:
      return openPattern(PATTERN_MONTH_DAY);
    case 0x6f: // oO: yyyy-MM-dd'T'HH:mm:ss.fffffffK
    case 0x4f:
      return openPattern(PATTERN_ROUND_TRIP, PATTERN_ROUND_TRIP_2, PATTERN_ROUND_TRIP_3, PATTERN_ROUND_TRIP_4);
    case 0x72: // rR: ddd, dd MMM yyyy HH:mm:ss 'GMT'
    case 0x52:
      return openPattern(PATTERN_RFC1123, PATTERN_RFC1123_2, PATTERN_RFC1123_3, PATTERN_RFC1123_4);
    case 0x73: // s: yyyy-MM-dd'T'HH:mm:ss
      return openPattern(PATTERN_SORTABLE, PATTERN_SORTABLE_2, PATTERN_SORTABLE_3);
    case 0x74: // t: HH:mm
      return openPattern(PATTERN_SHORT_TIME);
    case 0x54: // T: HH:mm:ss
      return openPattern(PATTERN_LONG_TIME);
    case 0x75: // u: yyyy-MM-dd HH:mm:ss'Z'
      return openPattern(PATTERN_UNIVERSAL, PATTERN_UNIVERSAL_2, PATTERN_UNIVERSAL_3);
    case 0x79: // yY: yyyy MMMM
    case 0x59:
      return openPattern(PATTERN_YEAR_MONTH, PATTERN_YEAR_MONTH_2);
    default:
      return false;
  }
}

/** The first eight characters of a month's name, the first in the lowest byte. */
export function monthName(month: u32): u64 {
  switch (month) {
    case 1:
      return JANUARY;
    case 2:
      return FEBRUARY;
    case 3:
      return MARCH;
    case 4:
      return APRIL;
    case 5:
      return MAY;
    case 6:
      return JUNE;
    case 7:
      return JULY;
    case 8:
      return AUGUST;
    case 9:
      return SEPTEMBER;
    case 10:
      return OCTOBER;
    case 11:
      return NOVEMBER;
    case 12:
      return DECEMBER;
    default:
      return unreachable();
  }
}

/** The same of a day; 0 is Sunday. */
export function dayName(day: u32): u64 {
  switch (day) {
    case 0:
      return SUNDAY;
    case 1:
      return MONDAY;
    case 2:
      return TUESDAY;
    case 3:
      return WEDNESDAY;
    case 4:
      return THURSDAY;
    case 5:
      return FRIDAY;
    case 6:
      return SATURDAY;
    default:
      return unreachable();
  }
}

/** The ninth character of a name that has one, 0 otherwise. */
export function isLongName(word: u64): u32 {
  return word == SEPTEMBER ? 0x72 : word == WEDNESDAY ? 0x79 : 0;
}

/** The names are longer than a word in two cases. */
function appendName(builder: usize, word: u64, isShort: bool): void {
  if (isShort) {
    builderWord(builder, word & 0xffffff);
    return;
  }
  builderWord(builder, word);
  if (isLongName(word)) builderByte(builder, isLongName(word));
}

/** The number with at least `width` digits. */
function appendPadded(builder: usize, value: u32, width: u32): void {
  const count = max<u32>(digitCount(value), width);
  const out = builderRoom(builder, count);
  if (out == 0) return;
  if (count > 20) {
    memory.fill(out, 48, <usize>(count - 20));
    writeDigits(out + <usize>(count - 20), value, 20);
  } else {
    writeDigits(out, value, count);
  }
  builderCommit(builder, count);
}

function appendZone(builder: usize, minutes: i32, count: i32): void {
  builderByte(builder, minutes < 0 ? 45 : 43);
  const size = <u32>(minutes < 0 ? -minutes : minutes);
  appendPadded(builder, size / 60, count == 1 ? 1 : 2);
  if (count < 3) return;
  builderByte(builder, 58);
  appendPadded(builder, size % 60, 2);
}

/** One field of a date: a letter that stands `count` times. */
function appendField(builder: usize, letter: u32, count: i32): void {
  const width = <u32>min<i32>(count, 2);
  switch (letter) {
    case 0x64: // d
      if (count <= 2) appendPadded(builder, day, width);
      else appendName(builder, dayName(weekday), count == 3);
      return;
    case 0x4d: // M
      if (count <= 2) appendPadded(builder, month, width);
      else appendName(builder, monthName(month), count == 3);
      return;
    case 0x79: // y
      appendPadded(builder, count <= 2 ? year % 100 : year, <u32>count);
      return;
    case 0x48: // H
      appendPadded(builder, hour, width);
      return;
    case 0x68: // h
      appendPadded(builder, hour % 12 == 0 ? 12 : hour % 12, width);
      return;
    case 0x6d: // m
      appendPadded(builder, minute, width);
      return;
    case 0x73: // s
      appendPadded(builder, second, width);
      return;
    case 0x74: // t
      builderByte(builder, hour < 12 ? 0x41 : 0x50);
      if (count > 1) builderByte(builder, 0x4d);
      return;
    case 0x7a: // z
      appendZone(builder, offsetMinutes, min<i32>(count, 3));
      return;
    case 0x4b: // K
      if (hasOffset || kind == 2) appendZone(builder, offsetMinutes, 3);
      else if (kind == 1) builderByte(builder, 0x5a);
      return;
    case 0x67: // g
      builderWord(builder, 0x2e442e41); // A.D.
      return;
    default:
      unreachable();
  }
}

/** Fractions of a second; F drops trailing zeros, and a point before it when nothing is left. */
function appendFraction(builder: usize, start: u32, count: i32, drop: bool): void {
  if (count > 7) {
    builderFail(builder, FAIL_FORMAT);
    return;
  }
  const out = builderRoom(builder, 8);
  if (out == 0) return;
  writeDigits(out, fraction, 7);
  if (drop) {
    while (count > 0 && load<u8>(out + <usize>(count - 1)) == 48) count--;
    if (count == 0) {
      const used = builderBytes(builder);
      if (used > start && load<u8>(builderData(builder) + <usize>(used - 1)) == 46) builderTruncate(builder, used - 1);
      return;
    }
  }
  builderCommit(builder, <u32>count);
}

/** Whether a unit of a format stands for a part of a moment: d M y H h m s t z f F g K. */
export function isField(unit: u32): bool {
  switch (unit) {
    case 0x64:
    case 0x4d:
    case 0x79:
    case 0x48:
    case 0x68:
    case 0x6d:
    case 0x73:
    case 0x74:
    case 0x7a:
    case 0x66:
    case 0x46:
    case 0x67:
    case 0x4b:
      return true;
    default:
      return false;
  }
}

/** The moment by the format that is open. */
function appendMoment(builder: usize): void {
  const start = builderBytes(builder);
  let at = 0;
  while (at < formatLength) {
    const unit = formatUnit(at);
    let count = 1;
    if (isField(unit)) {
      if (unit != 0x4b) count = formatRun(at);
      if ((unit | 32) == 0x66) appendFraction(builder, start, count, unit == 0x46);
      else appendField(builder, unit, count);
    } else {
      count = appendLiteral(builder, at, false);
    }
    if (count == 0) {
      builderFail(builder, FAIL_FORMAT);
      return;
    }
    at += count;
  }
}

/** What is no field: quoted text, an escaped unit, `%`, or the unit itself unless `strict`. Units it took; 0 = a broken format. */
export function appendLiteral(builder: usize, from: i32, strict: bool): i32 {
  const unit = formatUnit(from);
  if (unit == 0x25) return from + 1 >= formatLength || formatUnit(from + 1) == 0x25 ? 0 : 1;
  if (unit == 0x5c) {
    if (from + 1 >= formatLength) return 0;
    builderUnit(builder, formatUnit(from + 1));
    return 2;
  }
  if (unit == 0x27 || unit == 0x22) {
    for (let at = from + 1; at < formatLength; at++) {
      let inside = formatUnit(at);
      if (inside == unit) return at + 1 - from;
      if (inside == 0x5c) {
        at++;
        if (at >= formatLength) return 0;
        inside = formatUnit(at);
      }
      builderUnit(builder, inside);
    }
    return 0;
  }
  if (strict) return 0;
  builderUnit(builder, unit);
  return 1;
}
