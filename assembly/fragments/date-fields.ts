// The fields of a date that is being read, and the value that they make under the flags of DateTimeStyles. The rules are those of
// src/fragments/interpreter/date-fields.ts. The local time zone is UTC.

import { KIND_LOCAL, KIND_UTC } from '../values/datetime';
import { FAULT_ARGUMENT, FAULT_FORMAT } from './faults';
import { keepParsed } from './text-parse';
import { datePart, ticksOf, timeNow } from './times';

const MINUTE: i64 = 600000000;
const DAY: i64 = 864000000000;
const MOST_TICKS: i64 = 3155378975999999999;

export const STYLE_LEADING: u32 = 1;
export const STYLE_TRAILING: u32 = 2;
export const STYLE_INNER: u32 = 4;
const STYLE_NO_CURRENT_DATE: u32 = 8;
const STYLE_UNIVERSAL: u32 = 16;
const STYLE_ASSUMED: u32 = 32 | 64;
const STYLE_ROUND_TRIP: u32 = 128;

/** What no field holds. */
export const NOTHING: i32 = -1;
const NO_OFFSET: i32 = 0x7fffffff;
const MOST_OFFSET: i32 = 840;

// Year, month, day, hour, minute, second, day of the week, and whether it is afternoon, in the order of their numbers.
export const FIELD_YEAR: u32 = 0;
export const FIELD_MONTH: u32 = 1;
export const FIELD_DAY: u32 = 2;
export const FIELD_HOUR: u32 = 3;
export const FIELD_MINUTE: u32 = 4;
export const FIELD_SECOND: u32 = 5;
export const FIELD_WEEKDAY: u32 = 6;
export const FIELD_AFTERNOON: u32 = 7;

let year: i32 = -1;
let month: i32 = -1;
let day: i32 = -1;
let hour: i32 = -1;
let minute: i32 = -1;
let second: i32 = -1;
let weekday: i32 = -1;
let afternoon: i32 = -1;
let fraction: i64 = 0;
let half: bool = false;
let offset: i32 = 0x7fffffff; // NO_OFFSET, by its number: another name would need a start function
let zulu: bool = false;

export function clearFields(): void {
  year = NOTHING;
  month = NOTHING;
  day = NOTHING;
  hour = NOTHING;
  minute = NOTHING;
  second = NOTHING;
  weekday = NOTHING;
  afternoon = NOTHING;
  fraction = 0;
  half = false;
  offset = NO_OFFSET;
  zulu = false;
}

function fieldOf(field: u32): i32 {
  switch (field) {
    case FIELD_YEAR:
      return year;
    case FIELD_MONTH:
      return month;
    case FIELD_DAY:
      return day;
    case FIELD_HOUR:
      return hour;
    case FIELD_MINUTE:
      return minute;
    case FIELD_SECOND:
      return second;
    case FIELD_WEEKDAY:
      return weekday;
    case FIELD_AFTERNOON:
      return afternoon;
    default:
      return unreachable();
  }
}

/** Sets a field; false for nothing, and when it was read before and said something else. */
export function setField(field: u32, value: i32): bool {
  const before = fieldOf(field);
  if (value == NOTHING || (before != NOTHING && before != value)) return false;
  switch (field) {
    case FIELD_YEAR:
      year = value;
      return true;
    case FIELD_MONTH:
      month = value;
      return true;
    case FIELD_DAY:
      day = value;
      return true;
    case FIELD_HOUR:
      hour = value;
      return true;
    case FIELD_MINUTE:
      minute = value;
      return true;
    case FIELD_SECOND:
      second = value;
      return true;
    case FIELD_WEEKDAY:
      weekday = value;
      return true;
    case FIELD_AFTERNOON:
      afternoon = value;
      return true;
    default:
      return unreachable();
  }
}

/** Ticks of a second. */
export function setFraction(ticks: i64): void {
  fraction = ticks;
}

/** The hour counts to 12. */
export function setHalf(): void {
  half = true;
}

export function setZulu(): void {
  zulu = true;
}

/** False when it is more than 14 hours. */
export function setOffset(minutes: i32): bool {
  offset = minutes;
  return minutes <= MOST_OFFSET && minutes >= -MOST_OFFSET;
}

/** A year of one or two digits. */
export function fullYear(value: i32): i32 {
  return value + (value < 50 ? 2000 : 1900);
}

/** Whether flags go together. */
export function areStyles(styles: u32, isOffset: bool): bool {
  if (styles & ~255 || (styles & STYLE_ASSUMED) == STYLE_ASSUMED) return false;
  if (styles & STYLE_ROUND_TRIP && styles & (STYLE_ASSUMED | STYLE_UNIVERSAL)) return false;
  return !isOffset || (styles & STYLE_NO_CURRENT_DATE) == 0;
}

/** The value that the fields make, for `parsedWord` and `parsedWide`; 0 or a fault. */
export function finishFields(styles: u32, isOffset: bool): u32 {
  if (!areStyles(styles, isOffset)) return FAULT_ARGUMENT;
  let clock = clockOf(styles);
  if (clock < 0) return FAULT_FORMAT;
  const minutes = zulu ? 0 : offset;
  if (isOffset) return finishOffset(clock, minutes == NO_OFFSET ? 0 : minutes, styles);
  const universal = (styles & STYLE_UNIVERSAL) != 0;
  if (minutes == NO_OFFSET) {
    const kind: u64 = styles & STYLE_ASSUMED ? (universal ? KIND_UTC : KIND_LOCAL) : 0;
    keepParsed(<u64>clock | kind, 0);
    return 0;
  }
  clock -= <i64>minutes * MINUTE;
  // Before the first day .NET keeps the time of day and takes the first day.
  if (clock < 0) clock += DAY;
  if (clock > MOST_TICKS) return FAULT_FORMAT;
  const kept = (styles & STYLE_ROUND_TRIP) != 0 && zulu;
  keepParsed(<u64>clock | (universal || kept ? KIND_UTC : KIND_LOCAL), 0);
  return 0;
}

function finishOffset(clock: i64, minutes: i32, styles: u32): u32 {
  clock -= <i64>minutes * MINUTE;
  if (<u64>clock > <u64>MOST_TICKS) return FAULT_FORMAT;
  keepParsed(<u64>clock, styles & STYLE_UNIVERSAL ? 0 : <u64>(<u32>minutes));
  return 0;
}

/** Ticks of the clock, -1 when there is no such moment. */
function clockOf(styles: u32): i64 {
  let hours = max<i32>(hour, 0);
  if (half) {
    if (hours > 12) return -1;
    hours = (hours % 12) + (afternoon == 1 ? 12 : 0);
  } else if (afternoon != NOTHING && i32(hours >= 12) != afternoon) return -1;
  const now = timeNow();
  const dated = year != NOTHING || month != NOTHING || day != NOTHING;
  const today = !dated && (styles & STYLE_NO_CURRENT_DATE) == 0;
  const y = year != NOTHING ? year : dated || today ? datePart(now, 0) : 1;
  const m = month != NOTHING ? month : today ? datePart(now, 1) : 1;
  const d = day != NOTHING ? day : today ? datePart(now, 2) : 1;
  let ticks = ticksOf(y, m, d, hours, max<i32>(minute, 0), max<i32>(second, 0), 0);
  if (ticks < 0) return -1;
  ticks += fraction;
  if (ticks > MOST_TICKS) return -1;
  if (weekday != NOTHING && <i32>((ticks / DAY + 1) % 7) != weekday) return -1;
  return ticks;
}
