// Dates, times and identifiers of compiled fragments. A DateTime is its word (ticks in the low 62 bits, the kind above), a TimeSpan its
// ticks, a DateTimeOffset the 128 bits of its record (UTC ticks, minutes), a Guid its 16 bytes in the order of its text. What cannot be
// represented is a fault (faults.ts); in the place of a DateTime it has both bits of the kind set. The rules are those of
// src/fragments/interpreter (calendar.ts, members/times.ts, time-span.ts). The local time zone is UTC.

import { TICKS_MASK } from '../values/datetime';
import { parseGuid } from '../values/guid';
import {
  FAULT_ARGUMENT, FAULT_FORMAT, FAULT_MEMORY, FAULT_OVERFLOW, FAULT_RANGE, highOf, leaveFault, lowOf, wide, wideFault,
} from './faults';
import { runAllocate, runMark, runRelease } from './run-heap';
import { bytesOf, dataOf } from './texts';

const MOST_TICKS: i64 = 3155378975999999999;
const UNIX_TICKS: i64 = 621355968000000000;
const MILLISECOND: i64 = 10000;
const MINUTE: i64 = 600000000;
const DAY: i64 = 864000000000;
const NO_DATE: i64 = -0x4000000000000000;

let moment: i64 = 0;

/** The present moment of a search, in milliseconds since 1970. */
export function fragmentMoment(milliseconds: f64): void {
  moment = UNIX_TICKS + <i64>milliseconds * MILLISECOND;
}

/** Its ticks. */
export function timeNow(): i64 {
  return moment;
}

// @ts-ignore: decorator
@inline
function noDate(fault: u32): i64 {
  return NO_DATE | <i64>fault;
}

// @ts-ignore: decorator
@inline
function isDate(ticks: i64): bool {
  return <u64>ticks <= <u64>MOST_TICKS;
}

// --- The calendar --------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function isLeap(year: i32): bool {
  return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
}

/** Days of a year before a month, 1 to 13, without a leap day. */
// @ts-ignore: decorator
@inline
function daysBefore(month: i32): i32 {
  return month < 3 ? (month - 1) * 31 : (month * 153 - 2) / 5 - 32;
}

function monthDays(year: i32, month: i32): i32 {
  return daysBefore(month + 1) - daysBefore(month) + i32(month == 2 && isLeap(year));
}

/** Days since 0001-01-01 of a day that exists, -1 otherwise. */
function dayNumber(year: i32, month: i32, day: i32): i32 {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > monthDays(year, month)) return -1;
  const y = year - 1;
  return y * 365 + y / 4 - y / 100 + y / 400 + daysBefore(month) + i32(month > 2 && isLeap(year)) + day - 1;
}

let year: i32 = 0;
let month: i32 = 0;
let day: i32 = 0;
let dayOfYear: i32 = 0;

function splitDate(ticks: i64): void {
  let rest = <i32>(ticks / DAY);
  const y400 = rest / 146097;
  rest -= y400 * 146097;
  const y100 = min<i32>(3, rest / 36524);
  rest -= y100 * 36524;
  const y4 = rest / 1461;
  rest -= y4 * 1461;
  const y1 = min<i32>(3, rest / 365);
  rest -= y1 * 365;
  year = y400 * 400 + y100 * 100 + y4 * 4 + y1 + 1;
  dayOfYear = rest + 1;
  const leap = i32(isLeap(year));
  month = rest / 32 + 1;
  if (rest >= daysBefore(month + 1) + (month >= 2 ? leap : 0)) month++;
  day = rest - daysBefore(month) - (month > 2 ? leap : 0) + 1;
}

/** Of a DateTime, or of ticks: 0 year, 1 month, 2 day, 3 day of the year. */
export function datePart(date: i64, part: i32): i32 {
  splitDate(date & <i64>TICKS_MASK);
  switch (part) {
    case 0:
      return year;
    case 1:
      return month;
    case 2:
      return day;
    case 3:
      return dayOfYear;
    default:
      return unreachable();
  }
}

/** Days of a month; a fault is left where there is none. */
export function dateMonthDays(year: i32, month: i32): i32 {
  if (month < 1 || month > 12 || year < 1 || year > 9999) {
    leaveFault(FAULT_RANGE);
    return 0;
  }
  return monthDays(year, month);
}

export function dateIsLeap(year: i32): bool {
  if (year < 1 || year > 9999) leaveFault(FAULT_RANGE);
  return isLeap(year);
}

/** The ticks of a moment by its fields; -1 when it does not exist. */
export function ticksOf(year: i32, month: i32, day: i32, hour: i32, minute: i32, second: i32, millisecond: i32): i64 {
  const days = dayNumber(year, month, day);
  if (days < 0 || <u32>hour > 23 || <u32>minute > 59 || <u32>second > 59 || <u32>millisecond > 999) return -1;
  return <i64>days * DAY + <i64>(((hour * 60 + minute) * 60 + second) * 1000 + millisecond) * MILLISECOND;
}

export function dateOf(year: i32, month: i32, day: i32, hour: i32, minute: i32, second: i32, millisecond: i32, kind: i32): i64 {
  const ticks = ticksOf(year, month, day, hour, minute, second, millisecond);
  return ticks < 0 ? noDate(FAULT_RANGE) : dateOfTicks(ticks, kind);
}

/** A DateTime of ticks. */
export function dateOfTicks(ticks: i64, kind: i32): i64 {
  if (!isDate(ticks)) return noDate(FAULT_RANGE);
  return <u32>kind > 2 ? noDate(FAULT_ARGUMENT) : ticks | (<i64>kind << 62);
}

/** `ticks` later. */
export function dateAddTicks(date: i64, ticks: i64): i64 {
  const from = date & <i64>TICKS_MASK;
  // The sum wraps around at most once, to what is no date either.
  const sum = from + ticks;
  return isDate(sum) ? sum | (date & ~<i64>TICKS_MASK) : noDate(FAULT_RANGE);
}

/** `ticks` earlier. */
export function dateSubtractTicks(date: i64, ticks: i64): i64 {
  const sum = (date & <i64>TICKS_MASK) - ticks;
  return isDate(sum) ? sum | (date & ~<i64>TICKS_MASK) : noDate(FAULT_RANGE);
}

let realTicks: i64 = 0;

/** Ticks of a real number of units, rounded to the millisecond; false when that is too much. */
function ticksOfReal(value: f64, unitMilliseconds: f64): bool {
  realTicks = 0;
  if (isNaN(value)) return true;
  const milliseconds = value * unitMilliseconds + (value >= 0 ? 0.5 : -0.5);
  if (!(milliseconds > -315537897600000.0 && milliseconds < 315537897600000.0)) return false;
  realTicks = <i64>milliseconds * MILLISECOND;
  return true;
}

/** AddDays and its relatives. */
export function dateAddReal(date: i64, value: f64, unitMilliseconds: f64): i64 {
  return ticksOfReal(value, unitMilliseconds) ? dateAddTicks(date, realTicks) : noDate(FAULT_RANGE);
}

/** Ticks months later, the day cut to the length of its month; -1 when that is no date. */
function monthsLater(ticks: i64, months: i32): i64 {
  splitDate(ticks);
  const total = year * 12 + month - 1 + months;
  const newYear = total >= 0 ? total / 12 : -1;
  const newMonth = total - newYear * 12 + 1;
  if (newYear < 1 || newYear > 9999) return -1;
  return <i64>dayNumber(newYear, newMonth, min<i32>(day, monthDays(newYear, newMonth))) * DAY + ticks % DAY;
}

/** AddMonths. */
export function dateAddMonths(date: i64, months: i32): i64 {
  if (months < -120000 || months > 120000) return noDate(FAULT_RANGE);
  const ticks = monthsLater(date & <i64>TICKS_MASK, months);
  return ticks < 0 ? noDate(FAULT_RANGE) : ticks | (date & ~<i64>TICKS_MASK);
}

/** AddYears. */
export function dateAddYears(date: i64, years: i32): i64 {
  return years < -10000 || years > 10000 ? noDate(FAULT_RANGE) : dateAddMonths(date, years * 12);
}

// --- Dates with an offset ------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function minutesOf(value: v128): i64 {
  return <i64>i32x4.extract_lane(value, 2);
}

/** A value of UTC ticks and minutes, or a fault. */
function withMinutes(utc: i64, minutes: i64): v128 {
  if (!isDate(utc) || !isDate(utc + minutes * MINUTE)) return wideFault(FAULT_RANGE);
  return wide(<u64>utc, <u64>(minutes & 0xffffffff));
}

/** The minutes of an offset; a fault is kept in `badOffset`. */
let badOffset: u32 = 0;
function checkedMinutes(offset: i64): i64 {
  const minutes = offset / MINUTE;
  badOffset = offset % MINUTE != 0 ? FAULT_ARGUMENT : minutes > 840 || minutes < -840 ? FAULT_RANGE : 0;
  return minutes;
}

/** Ticks of the clock at an offset of ticks. */
export function offsetOfTicks(ticks: i64, offset: i64): v128 {
  const minutes = checkedMinutes(offset);
  if (badOffset != 0) return wideFault(badOffset);
  return isDate(ticks) ? withMinutes(ticks - minutes * MINUTE, minutes) : wideFault(FAULT_RANGE);
}

/** A DateTime at an offset; only zero fits one whose kind is known. */
export function offsetOfDate(date: i64, offset: i64): v128 {
  return (date & ~<i64>TICKS_MASK) != 0 && offset != 0 ? wideFault(FAULT_ARGUMENT) : offsetOfTicks(date & <i64>TICKS_MASK, offset);
}

export function offsetOf(year: i32, month: i32, day: i32, hour: i32, minute: i32, second: i32, millisecond: i32, offset: i64): v128 {
  const ticks = ticksOf(year, month, day, hour, minute, second, millisecond);
  return ticks < 0 ? wideFault(FAULT_RANGE) : offsetOfTicks(ticks, offset);
}

/** Ticks of its clock. */
export function offsetClock(value: v128): i64 {
  return <i64>lowOf(value) + minutesOf(value) * MINUTE;
}

/** The same clock at other ticks. */
function movedClock(value: v128, clock: i64): v128 {
  return isDate(clock) ? withMinutes(clock - minutesOf(value) * MINUTE, minutesOf(value)) : wideFault(FAULT_RANGE);
}

export function offsetAddTicks(value: v128, ticks: i64): v128 {
  return movedClock(value, offsetClock(value) + ticks);
}

export function offsetSubtractTicks(value: v128, ticks: i64): v128 {
  return movedClock(value, offsetClock(value) - ticks);
}

export function offsetAddReal(value: v128, units: f64, unitMilliseconds: f64): v128 {
  return ticksOfReal(units, unitMilliseconds) ? offsetAddTicks(value, realTicks) : wideFault(FAULT_RANGE);
}

export function offsetAddMonths(value: v128, months: i32): v128 {
  if (months < -120000 || months > 120000) return wideFault(FAULT_RANGE);
  const clock = monthsLater(offsetClock(value), months);
  return clock < 0 ? wideFault(FAULT_RANGE) : movedClock(value, clock);
}

export function offsetAddYears(value: v128, years: i32): v128 {
  return years < -10000 || years > 10000 ? wideFault(FAULT_RANGE) : offsetAddMonths(value, years * 12);
}

/** ToOffset. */
export function offsetMoved(value: v128, offset: i64): v128 {
  const minutes = checkedMinutes(offset);
  return badOffset != 0 ? wideFault(badOffset) : withMinutes(<i64>lowOf(value), minutes);
}

/** A number of units (ticks each) since 1970, in UTC. */
export function offsetFromUnix(units: i64, ticksEach: i64): v128 {
  // More than any date has.
  if (units > MOST_TICKS / ticksEach || units < -(MOST_TICKS / ticksEach)) return wideFault(FAULT_RANGE);
  return withMinutes(UNIX_TICKS + units * ticksEach, 0);
}

// --- Spans ---------------------------------------------------------------------------------------------------------------

/** A sum of ticks; a fault is left when it does not fit. */
export function spanAdd(a: i64, b: i64): i64 {
  const sum = a + b;
  if (((a ^ sum) & (b ^ sum)) < 0) leaveFault(FAULT_OVERFLOW);
  return sum;
}

export function spanSubtract(a: i64, b: i64): i64 {
  const difference = a - b;
  if (((a ^ b) & (a ^ difference)) < 0) leaveFault(FAULT_OVERFLOW);
  return difference;
}

/** Ticks of a real number of ticks, cut off; a fault is left when it does not fit. */
function spanOfTicks(ticks: f64): i64 {
  if (!(ticks >= -9223372036854775808.0 && ticks <= 9223372036854775808.0)) {
    leaveFault(FAULT_OVERFLOW);
    return 0;
  }
  return ticks == 9223372036854775808.0 ? i64.MAX_VALUE : <i64>ticks;
}

/** FromDays and its relatives. */
export function spanFromReal(value: f64, unitTicks: f64): i64 {
  if (isNaN(value)) {
    leaveFault(FAULT_ARGUMENT);
    return 0;
  }
  return spanOfTicks(value * unitTicks);
}

/** A product (or quotient, `divides`), rounded to the nearest tick. */
export function spanScale(ticks: i64, factor: f64, divides: bool): i64 {
  if (isNaN(factor)) {
    leaveFault(FAULT_ARGUMENT);
    return 0;
  }
  return spanOfTicks(nearest<f64>(divides ? <f64>ticks / factor : <f64>ticks * factor));
}

/** Days, hours, minutes, seconds and milliseconds; a fault is left when they do not fit. */
export function spanOf(days: i32, hours: i32, minutes: i32, seconds: i32, milliseconds: i32): i64 {
  const total = <i64>days * 86400000 + <i64>hours * 3600000 + <i64>minutes * 60000 + <i64>seconds * 1000 + <i64>milliseconds;
  if (total > i64.MAX_VALUE / MILLISECOND || total < i64.MIN_VALUE / MILLISECOND) {
    leaveFault(FAULT_RANGE);
    return 0;
  }
  return total * MILLISECOND;
}

// --- Identifiers ---------------------------------------------------------------------------------------------------------

/** -1, 0, 1 in the order of the texts. */
export function guidCompare(a: v128, b: v128): i32 {
  const aFirst = bswap<u64>(lowOf(a));
  const bFirst = bswap<u64>(lowOf(b));
  if (aFirst != bFirst) return aFirst < bFirst ? -1 : 1;
  const aLast = bswap<u64>(highOf(a));
  const bLast = bswap<u64>(highOf(b));
  return aLast == bLast ? 0 : aLast < bLast ? -1 : 1;
}

/** A text, not null, as Guid.Parse reads it; a fault of format is left where it is none. */
export function guidParse(text: u32): v128 {
  const mark = runMark();
  const record = runAllocate(16);
  if (record == 0) {
    leaveFault(FAULT_MEMORY);
    return i64x2.splat(0);
  }
  let value: v128 = i64x2.splat(0);
  if (parseGuid(dataOf(text), dataOf(text) + <usize>bytesOf(text), record)) value = v128.load(record);
  else leaveFault(FAULT_FORMAT);
  runRelease(mark);
  return value;
}
