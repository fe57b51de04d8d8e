// The calendar of DateTime: ticks of 100 ns since the first day of year 1, Gregorian throughout.

import { outOfRange } from './exceptions.ts';
import { DateTimeValue } from './structs.ts';

export const TICKS_PER_MILLISECOND = 10_000n;
export const TICKS_PER_SECOND = 10_000_000n;
export const TICKS_PER_MINUTE = 600_000_000n;
export const TICKS_PER_HOUR = 36_000_000_000n;
export const TICKS_PER_DAY = 864_000_000_000n;
export const MAX_TICKS = 3_155_378_975_999_999_999n;
export const UNIX_TICKS = 621_355_968_000_000_000n;

const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  return DAYS_BEFORE[month]! - DAYS_BEFORE[month - 1]! + (month === 2 && isLeapYear(year) ? 1 : 0);
}

/** Days since 0001-01-01, or null for a day that does not exist. */
export function dayNumber(year: number, month: number, day: number): number | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  const y = year - 1;
  const leap = month > 2 && isLeapYear(year) ? 1 : 0;
  return (
    y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + DAYS_BEFORE[month - 1]! + leap + day - 1
  );
}

export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly dayOfYear: number;
  readonly dayOfWeek: number;
}

export function dateParts(ticks: bigint): DateParts {
  const days = Number(ticks / TICKS_PER_DAY);
  let rest = days;
  const y400 = Math.floor(rest / 146097);
  rest -= y400 * 146097;
  const y100 = Math.min(3, Math.floor(rest / 36524));
  rest -= y100 * 36524;
  const y4 = Math.floor(rest / 1461);
  rest -= y4 * 1461;
  const y1 = Math.min(3, Math.floor(rest / 365));
  rest -= y1 * 365;
  const year = y400 * 400 + y100 * 100 + y4 * 4 + y1 + 1;
  const dayOfYear = rest + 1;
  let month = 1;
  while (rest >= daysInMonth(year, month)) rest -= daysInMonth(year, month++);
  return { year, month, day: rest + 1, dayOfYear, dayOfWeek: (days + 1) % 7 };
}

export interface TimeParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Ticks below the second. */
  readonly fraction: number;
}

export function timeParts(ticks: bigint): TimeParts {
  const day = ticks % TICKS_PER_DAY;
  const seconds = Number(day / TICKS_PER_SECOND);
  return {
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    fraction: Number(day % TICKS_PER_SECOND),
  };
}

/** Ticks of a date and a time of day, or null when there is no such moment. */
export function ticksOf(
  date: readonly [number, number, number],
  time: readonly [number, number, number],
  fraction: number,
): bigint | null {
  const days = dayNumber(...date);
  const [hour, minute, second] = time;
  if (days === null || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return null;
  return (
    BigInt(days) * TICKS_PER_DAY + BigInt(hour * 3600 + minute * 60 + second) * TICKS_PER_SECOND + BigInt(fraction)
  );
}

/** A moment inside the calendar, or ArgumentOutOfRangeException. */
export function checkedDate(ticks: bigint, kind: number, parameter = 'value'): DateTimeValue {
  if (ticks < 0n || ticks > MAX_TICKS)
    return outOfRange(parameter, 'The added or subtracted value results in an un-representable DateTime.');
  return new DateTimeValue(ticks, kind);
}

/** Months later; the day is cut to the length of its month. */
export function addMonths(ticks: bigint, months: number): bigint | null {
  const { year, month, day } = dateParts(ticks);
  const total = year * 12 + month - 1 + months;
  const newYear = Math.floor(total / 12);
  const newMonth = (((total % 12) + 12) % 12) + 1;
  if (newYear < 1 || newYear > 9999) return null;
  const days = dayNumber(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)))!;
  return BigInt(days) * TICKS_PER_DAY + (ticks % TICKS_PER_DAY);
}
