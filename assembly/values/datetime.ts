// DateTime, DateTimeOffset and TimeSpan: text to ticks and back. A tick is 100 ns; dates count from 0001-01-01 in the proleptic
// Gregorian calendar and end with 9999.
//
// Dates that are read (invariant culture, round-trip kind, checked against .NET Core 3.1):
//   yyyy-M-d, yyyy/M/d, yyyy.M.d, yyyy-M, M/d/yyyy, M-d-yyyy, M/d/yy (up to 49 is this century), white space around
//   then `T` (after a year first) and HH:mm[:ss[.f..]] with two digits each, or white space and H:m[:s[.f..]] [AM|PM] or H AM|PM
//   then Z, +-h, +-hh, +-hhmm or +-h:mm, white space before allowed
// Fractions beyond seven digits are rounded. Month names, weekdays and times without a date are refused.
//
// The host has no local zone: local time is UTC. A DateTime text with an offset becomes the UTC clock with kind local (it is written
// back as +00:00), with Z kind UTC, without either kind unspecified; a DateTimeOffset without offset is UTC.
//
// Values: DateTime u64 with ticks in the low 62 bits and the kind above; DateTimeOffset record i64 UTC ticks, i32 offset minutes,
// u32 zero; TimeSpan i64 ticks. State: instance-own globals.

import { isDigit, skipSpace, skipSpaceBack } from './scan';
import { digitCount, writeDigits, writeFour, writeTwo, writeUnsigned } from './tables';

const TICKS_SECOND: i64 = 10000000;
const TICKS_MINUTE: i64 = 600000000;
const TICKS_HOUR: i64 = 36000000000;
const TICKS_DAY: i64 = 864000000000;
const MAX_TICKS: i64 = 3155378975999999999;
/** A DateTime's word: ticks of 100 ns since the year 1 below two bits that say its kind. */
export const TICKS_MASK: u64 = 0x3fffffffffffffff;
/** Of a DateTimeOffset's record: the ticks come first. */
export const OFFSET_MINUTES: usize = 8;
const OFFSET_ZERO: usize = 12;
export const KIND_UTC: u64 = 0x4000000000000000;
export const KIND_LOCAL: u64 = 0x8000000000000000;
const MAX_OFFSET_MINUTES: i32 = 14 * 60;
/** Two-digit years up to this belong to this century. */
const PIVOT_YEAR: u32 = 49;

// The text being read: instance-own cursor and its end.
let at: usize = 0;
let stop: usize = 0;

// What readZone found.
const ZONE_NONE: u32 = 0;
const ZONE_UTC: u32 = 1;
const ZONE_OFFSET: u32 = 2;
let zone: u32 = 0;
let zoneMinutes: i32 = 0;

let digitsRead: u32 = 0;

// @ts-ignore: decorator
@inline
function peek(): u32 {
  return at < stop ? <u32>load<u8>(at) : 0;
}

/** Reads up to `limit` digits at the cursor; digitsRead is how many. */
function readNumber(limit: u32): u32 {
  let value: u32 = 0;
  let count: u32 = 0;
  while (at < stop && count < limit) {
    const digit = <u32>load<u8>(at) - 48;
    if (digit >= 10) break;
    value = value * 10 + digit;
    count += 1;
    at += 1;
  }
  digitsRead = count;
  return value;
}

// @ts-ignore: decorator
@inline
function isLeap(year: u32): bool {
  return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
}

function daysInMonth(year: u32, month: u32): u32 {
  if (month == 2) return isLeap(year) ? 29 : 28;
  return 30 + ((month + (month >> 3)) & 1);
}

/** Days since 0001-01-01, or -1 when there is no such day. */
function dayNumber(year: u32, month: u32, day: u32): i64 {
  if (year - 1 >= 9999 || month - 1 >= 12 || day - 1 >= daysInMonth(year, month)) return -1;
  const before = year - 1;
  let days = before * 365 + before / 4 - before / 100 + before / 400 + (367 * month - 362) / 12 + day - 1;
  if (month > 2) days -= isLeap(year) ? 1 : 2;
  return <i64>days;
}

let yearFirst: bool = false; // the date read last was a whole one that begins with the year, so `T` may follow

/** Reads a separator with white space around it; false when there is none. */
function readSeparator(): bool {
  const start = at;
  at = skipSpace(at, stop, false);
  const byte = peek();
  if (byte != 45 && byte != 47 && byte != 46) {
    at = start;
    return false;
  }
  at = skipSpace(at + 1, stop, false);
  return true;
}

/** Reads the date; days since 0001-01-01 or -1. */
function readDate(): i64 {
  yearFirst = false;
  const first = readNumber(5);
  const firstDigits = digitsRead;
  if (firstDigits == 0 || !readSeparator()) return -1;
  const second = readNumber(3);
  if (digitsRead - 1 >= 2) return -1;
  const more = readSeparator();
  if (firstDigits >= 3) {
    if (!more) return dayNumber(first, second, 1);
    const day = readNumber(3);
    if (digitsRead - 1 >= 2) return -1;
    yearFirst = true;
    return dayNumber(first, second, day);
  }
  if (!more) return -1;
  let year = readNumber(5);
  if (digitsRead < 2 || digitsRead > 4) return -1;
  if (digitsRead == 2) year += year <= PIVOT_YEAR ? 2000 : 1900;
  return dayNumber(year, first, second);
}

/**
 * Reads fraction digits at the cursor as ticks of a second; -1 when there is no digit. Beyond seven digits .NET adds up a double, and
 * so does this, in the same order, to round the same way.
 */
function readFraction(): i64 {
  const start = at;
  let ticks = <i64>readNumber(7);
  if (at == start) return -1;
  if (at >= stop || !isDigit(load<u8>(at))) {
    for (let missing = 7 - digitsRead; missing > 0; missing--) ticks *= 10;
    return ticks;
  }
  at = start;
  let fraction: f64 = 0;
  let place: f64 = 0.1;
  while (at < stop && isDigit(load<u8>(at))) {
    fraction += <f64>(<u32>load<u8>(at) - 48) * place;
    place *= 0.1;
    at += 1;
  }
  return <i64>nearest(fraction * 10000000.0);
}

/** Applies AM or PM at the cursor to `hour`; -1 when it does not fit, the hour unchanged when there is neither. */
function readHalfDay(hour: i32): i32 {
  const start = at;
  at = skipSpace(at, stop, false);
  const letter = peek() | 32;
  if ((letter != 97 && letter != 112) || at + 1 >= stop || (load<u8>(at, 1) | 32) != 109) {
    at = start;
    return hour;
  }
  at += 2;
  if ((peek() | 32) - 97 < 26) return -1; // a letter would make it a longer word
  if (letter == 97) return hour > 12 ? -1 : hour == 12 ? 0 : hour;
  return hour > 23 ? -1 : hour < 12 ? hour + 12 : hour;
}

/** Reads a time of day; ticks, or -1. `strict`: two digits each and no AM or PM, as after `T`. */
function readTime(strict: bool): i64 {
  let hour = <i32>readNumber(3);
  if (digitsRead - 1 >= 2 || (strict && digitsRead != 2)) return -1;
  let ticks: i64 = 0;
  if (peek() == 58) {
    at += 1;
    const minute = readNumber(3);
    if (digitsRead - 1 >= 2 || minute > 59 || (strict && digitsRead != 2)) return -1;
    ticks = <i64>minute * TICKS_MINUTE;
    if (peek() == 58) {
      at += 1;
      const second = readNumber(3);
      if (digitsRead - 1 >= 2 || second > 59 || (strict && digitsRead != 2)) return -1;
      ticks += <i64>second * TICKS_SECOND;
      if (peek() == 46) {
        at += 1;
        const fraction = readFraction();
        if (fraction < 0) return -1;
        ticks += fraction;
      }
    }
    if (!strict) hour = readHalfDay(hour);
  } else {
    if (strict) return -1;
    const start = at;
    hour = readHalfDay(hour);
    if (at == start) return -1;
  }
  if (<u32>hour > 23) return -1;
  return ticks + <i64>hour * TICKS_HOUR;
}

/** Reads an optional zone into zone and zoneMinutes; false when it is malformed. */
function readZone(): bool {
  zone = ZONE_NONE;
  zoneMinutes = 0;
  const start = at;
  at = skipSpace(at, stop, false);
  const byte = peek();
  if ((byte | 32) == 122) {
    zone = ZONE_UTC;
    at += 1;
    return true;
  }
  if (byte != 43 && byte != 45) {
    at = start;
    return true;
  }
  at += 1;
  let hours = readNumber(5);
  let minutes: u32 = 0;
  if (digitsRead == 0 || digitsRead > 4) return false;
  if (digitsRead > 2) {
    minutes = hours % 100;
    hours /= 100;
  } else if (peek() == 58) {
    at += 1;
    minutes = readNumber(3);
    if (digitsRead - 1 >= 2) return false;
  }
  if (minutes > 59) return false;
  zone = ZONE_OFFSET;
  zoneMinutes = <i32>(hours * 60 + minutes);
  if (zoneMinutes > MAX_OFFSET_MINUTES) return false;
  if (byte == 45) zoneMinutes = -zoneMinutes;
  return true;
}

/** Reads date, time and zone; clock ticks as written, or -1. */
function readClock(text: usize, end: usize): i64 {
  stop = skipSpaceBack(text, end, true);
  at = skipSpace(text, stop, false);
  const days = readDate();
  if (days < 0) return -1;
  let ticks = days * TICKS_DAY;
  const start = at;
  at = skipSpace(at, stop, false);
  if ((peek() | 32) == 116) {
    if (!yearFirst) return -1;
    at = skipSpace(at + 1, stop, false);
    const time = readTime(true);
    if (time < 0) return -1;
    ticks += time;
  } else if (at > start && isDigit(peek())) {
    const time = readTime(false);
    if (time < 0) return -1;
    ticks += time;
  }
  if (!readZone() || at != stop || ticks > MAX_TICKS) return -1;
  return ticks;
}

/** Reads a DateTime into the slot at `out`. */
export function parseDateTime(text: usize, end: usize, out: usize): bool {
  let ticks = readClock(text, end);
  if (ticks < 0) return false;
  let kind: u64 = 0;
  if (zone == ZONE_UTC) kind = KIND_UTC;
  if (zone == ZONE_OFFSET) {
    kind = KIND_LOCAL;
    ticks -= <i64>zoneMinutes * TICKS_MINUTE;
    // Before the first day .NET keeps the time of day and takes the first day.
    if (ticks < 0) ticks += TICKS_DAY;
    if (ticks > MAX_TICKS) return false;
  }
  store<u64>(out, <u64>ticks | kind);
  return true;
}

/** Reads a DateTimeOffset into the record at `out`. */
export function parseDateTimeOffset(text: usize, end: usize, out: usize): bool {
  let ticks = readClock(text, end);
  if (ticks < 0) return false;
  ticks -= <i64>zoneMinutes * TICKS_MINUTE;
  if (ticks < 0 || ticks > MAX_TICKS) return false;
  store<i64>(out, ticks);
  store<i32>(out, zoneMinutes, OFFSET_MINUTES);
  store<u32>(out, 0, OFFSET_ZERO);
  return true;
}

// --- Writing --------------------------------------------------------------------------------------------------------------------

/** What `splitDays` found. */
export let civilYear: u32 = 0;
export let civilMonth: u32 = 0;
export let civilDay: u32 = 0;

/** Splits days since 0001-01-01 into year, month and day (years counted from March, so that the leap day comes last). */
export function splitDays(days: u32): void {
  const shifted = days + 306;
  const era = shifted / 146097;
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  const dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const monthFromMarch = (5 * dayOfYear + 2) / 153;
  civilDay = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
  civilMonth = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  civilYear = era * 400 + yearOfEra + <u32>(civilMonth <= 2);
}

/** Writes HH:mm:ss of the seconds of a day; 8 bytes. */
function writeClock(out: usize, seconds: u32): void {
  const hours = seconds / 3600;
  const minutes = (seconds - hours * 3600) / 60;
  writeTwo(out, hours);
  store<u8>(out, 58, 2);
  writeTwo(out + 3, minutes);
  store<u8>(out, 58, 5);
  writeTwo(out + 6, seconds - hours * 3600 - minutes * 60);
}

/** Writes yyyy-MM-ddTHH:mm:ss.fffffff; 27 bytes. */
function writeRoundTrip(out: usize, ticks: u64): void {
  const seconds = ticks / 10000000;
  const days = <u32>(seconds / 86400);
  splitDays(days);
  writeFour(out, civilYear);
  store<u8>(out, 45, 4);
  writeTwo(out + 5, civilMonth);
  store<u8>(out, 45, 7);
  writeTwo(out + 8, civilDay);
  store<u8>(out, 84, 10);
  writeClock(out + 11, <u32>(seconds - <u64>days * 86400));
  store<u8>(out, 46, 19);
  writeDigits(out + 20, ticks - seconds * 10000000, 7);
}

/** Writes MM/dd/yyyy HH:mm:ss; 19 bytes. */
function writeGeneral(out: usize, ticks: u64): void {
  const seconds = ticks / 10000000;
  const days = <u32>(seconds / 86400);
  splitDays(days);
  writeTwo(out, civilMonth);
  store<u8>(out, 47, 2);
  writeTwo(out + 3, civilDay);
  store<u8>(out, 47, 5);
  writeFour(out + 6, civilYear);
  store<u8>(out, 32, 10);
  writeClock(out + 11, <u32>(seconds - <u64>days * 86400));
}

/** Writes +hh:mm; 6 bytes. */
function writeOffset(out: usize, minutes: i32): void {
  store<u8>(out, minutes < 0 ? 45 : 43);
  const magnitude = <u32>(minutes < 0 ? -minutes : minutes);
  writeTwo(out + 1, magnitude / 60);
  store<u8>(out, 58, 3);
  writeTwo(out + 4, magnitude % 60);
}

/** Writes a DateTime, `general` as MM/dd/yyyy HH:mm:ss, else round-trip; returns the bytes. */
export function writeDateTime(out: usize, value: u64, general: bool): u32 {
  const ticks = value & TICKS_MASK;
  if (general) {
    writeGeneral(out, ticks);
    return 19;
  }
  writeRoundTrip(out, ticks);
  if ((value & KIND_LOCAL) != 0) {
    writeOffset(out + 27, 0);
    return 33;
  }
  store<u8>(out, 90, 27);
  return 27 + <u32>((value & KIND_UTC) != 0);
}

/** Writes the DateTimeOffset record at `record`; returns the bytes. */
export function writeDateTimeOffset(out: usize, record: usize, general: bool): u32 {
  const minutes = load<i32>(record, OFFSET_MINUTES);
  const clock = <u64>(load<i64>(record) + <i64>minutes * TICKS_MINUTE);
  if (general) {
    writeGeneral(out, clock);
    store<u8>(out, 32, 19);
    writeOffset(out + 20, minutes);
    return 26;
  }
  writeRoundTrip(out, clock);
  writeOffset(out + 27, minutes);
  return 33;
}

// --- TimeSpan -------------------------------------------------------------------------------------------------------------------

const MAX_DAYS: u64 = 10675199;
const DOT: u32 = 46;
const COLON: u32 = 58;

/** Ticks of the parts, or u64.MAX when one is out of range. */
function spanTicks(days: u64, hours: u64, minutes: u64, seconds: u64, fraction: u64): u64 {
  if (days > MAX_DAYS || hours > 23 || minutes > 59 || seconds > 59 || fraction > 9999999) return u64.MAX_VALUE;
  return ((days * 24 + hours) * 3600 + minutes * 60 + seconds) * 10000000 + fraction;
}

/** Reads a number of any length, held at 2^32 when it is larger; digitsRead is how many digits it had. */
function readLong(): u64 {
  let value: u64 = 0;
  let count: u32 = 0;
  while (at < stop) {
    const digit = <u32>load<u8>(at) - 48;
    if (digit >= 10) break;
    value = min<u64>(value * 10 + <u64>digit, 0x100000000);
    count += 1;
    at += 1;
  }
  digitsRead = count;
  return value;
}

/** The number after a point as ticks: seven digits, or more behind leading zeros (rounded half to even); too large when not. */
function spanFraction(value: u64, digits: u32): u64 {
  if (value == 0) return 0;
  const zeros = digits - digitCount(value);
  if (zeros == 0 && value > 9999999) return u64.MAX_VALUE;
  let missing = 7 - <i32>digits;
  while (missing > 0) {
    value *= 10;
    missing -= 1;
  }
  if (missing < 0) {
    let divisor: u64 = 1;
    while (missing < 0 && divisor < 100000000000) {
      divisor *= 10;
      missing += 1;
    }
    const quotient = value / divisor;
    const twice = (value - quotient * divisor) * 2;
    value = quotient + <u64>(twice > divisor || (twice == divisor && (quotient & 1) != 0));
  }
  return value;
}

/**
 * Reads a TimeSpan into the slot at `out`: [-]d, [-][d.]hh:mm[:ss[.fffffff]], [-]d:hh:mm:ss[.fffffff]; and like .NET d:hh:mm where
 * hh:mm:ss would be out of range.
 */
export function parseTimeSpan(text: usize, end: usize, out: usize): bool {
  at = skipSpace(text, end, false);
  stop = skipSpaceBack(at, end, false);
  const negative = peek() == 45;
  if (negative) at += 1;
  const first = readLong();
  if (digitsRead == 0) return false;
  let ticks: u64 = u64.MAX_VALUE;
  const firstMark = peek();
  if (at == stop) {
    ticks = spanTicks(first, 0, 0, 0, 0);
  } else {
    if (firstMark != DOT && firstMark != COLON) return false;
    at += 1;
    const second = readLong();
    if (digitsRead == 0) return false;
    if (at == stop) {
      if (firstMark == DOT) return false;
      ticks = spanTicks(0, first, second, 0, 0);
    } else {
      ticks = readSpanRest(first, firstMark, second);
    }
  }
  const limit: u64 = negative ? 0x8000000000000000 : 0x7fffffffffffffff;
  if (ticks > limit || at != stop) return false;
  store<u64>(out, negative ? 0 - ticks : ticks);
  return true;
}

/** The forms of three and more numbers, from the mark after the second; ticks or u64.MAX. */
function readSpanRest(first: u64, firstMark: u32, second: u64): u64 {
  if (peek() != COLON) return u64.MAX_VALUE;
  at += 1;
  const third = readLong();
  if (digitsRead == 0) return u64.MAX_VALUE;
  if (at == stop) {
    if (firstMark == DOT) return spanTicks(first, second, third, 0, 0);
    const clock = spanTicks(0, first, second, third, 0);
    return clock != u64.MAX_VALUE ? clock : spanTicks(first, second, third, 0, 0);
  }
  const mark = peek();
  at += 1;
  const fourth = readLong();
  if (digitsRead == 0) return u64.MAX_VALUE;
  if (mark == DOT) {
    if (firstMark == DOT) return u64.MAX_VALUE;
    return spanTicks(0, first, second, third, spanFraction(fourth, digitsRead));
  }
  if (mark != COLON) return u64.MAX_VALUE;
  if (at == stop) return spanTicks(first, second, third, fourth, 0);
  if (peek() != DOT) return u64.MAX_VALUE;
  at += 1;
  const fifth = readLong();
  if (digitsRead == 0) return u64.MAX_VALUE;
  return spanTicks(first, second, third, fourth, spanFraction(fifth, digitsRead));
}

/** Writes the constant form [-][d.]hh:mm:ss[.fffffff]; returns the bytes. */
export function writeTimeSpan(out: usize, value: i64): u32 {
  const negative = value < 0;
  const ticks: u64 = negative ? 0 - <u64>value : <u64>value;
  let p = out;
  if (negative) {
    store<u8>(p, 45);
    p += 1;
  }
  const seconds = ticks / 10000000;
  const fraction = ticks - seconds * 10000000;
  const days = seconds / 86400;
  if (days != 0) {
    p += writeUnsigned(p, days);
    store<u8>(p, 46);
    p += 1;
  }
  writeClock(p, <u32>(seconds - days * 86400));
  p += 8;
  if (fraction != 0) {
    store<u8>(p, 46);
    writeDigits(p + 1, fraction, 7);
    p += 8;
  }
  return <u32>(p - out);
}
