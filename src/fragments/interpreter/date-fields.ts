// The fields of a date that is read, the moment that they make, and the value that a moment becomes under the flags of DateTimeStyles. The
// local zone is UTC.

import { dateParts, MAX_TICKS, TICKS_PER_DAY, TICKS_PER_MINUTE, ticksOf } from './calendar.ts';
import { badArgument } from './exceptions.ts';
import { presentTicks } from './machine.ts';
import { DateTimeOffsetValue, DateTimeValue } from './structs.ts';

/** What a text said; the offset is null when it named none. */
export interface ReadDate {
  readonly ticks: bigint;
  readonly offsetMinutes: number | null;
  /** It named the universal time, not an offset. */
  readonly zulu: boolean;
}

export const DateStyle = {
  leadingWhite: 1,
  trailingWhite: 2,
  innerWhite: 4,
  noCurrentDate: 8,
  adjustToUniversal: 16,
  assumeLocal: 32,
  assumeUniversal: 64,
  roundtripKind: 128,
} as const;

/** Throws for flags that do not go together. */
export function checkStyles(styles: number, isOffset: boolean): void {
  const { adjustToUniversal, assumeLocal, assumeUniversal, roundtripKind, noCurrentDate } = DateStyle;
  const both = assumeLocal | assumeUniversal;
  const isBad =
    (styles & ~255) !== 0 ||
    (styles & both) === both ||
    ((styles & roundtripKind) !== 0 && (styles & (both | adjustToUniversal)) !== 0) ||
    (isOffset && (styles & noCurrentDate) !== 0);
  if (isBad) badArgument('The DateTimeStyles do not go together.', 'styles');
}

/** A date and time under the flags of DateTimeStyles. */
export function toDateTime(read: ReadDate, styles: number): DateTimeValue | null {
  const { offsetMinutes } = read;
  const universal = (styles & DateStyle.adjustToUniversal) !== 0;
  if (offsetMinutes === null) {
    const isAssumed = (styles & (DateStyle.assumeUniversal | DateStyle.assumeLocal)) !== 0;
    return new DateTimeValue(read.ticks, isAssumed ? (universal ? 1 : 2) : 0);
  }
  let ticks = read.ticks - BigInt(offsetMinutes) * TICKS_PER_MINUTE;
  // Before the first day .NET keeps the time of day and takes the first day.
  if (ticks < 0n) ticks += TICKS_PER_DAY;
  if (ticks > MAX_TICKS) return null;
  const kept = (styles & DateStyle.roundtripKind) !== 0 && read.zulu;
  return new DateTimeValue(ticks, universal || kept ? 1 : 2);
}

export function toDateTimeOffset(read: ReadDate, styles: number): DateTimeOffsetValue | null {
  const offset = read.offsetMinutes ?? 0;
  const value = new DateTimeOffsetValue(read.ticks, offset);
  if (value.utcTicks < 0n || value.utcTicks > MAX_TICKS) return null;
  return (styles & DateStyle.adjustToUniversal) !== 0 ? new DateTimeOffsetValue(value.utcTicks, 0) : value;
}

/** Collects fields while a text is read. */
export class Fields {
  year: number | null = null;
  month: number | null = null;
  day: number | null = null;
  hour: number | null = null;
  minute: number | null = null;
  second: number | null = null;
  fraction = 0;
  afternoon: boolean | null = null;
  /** The hour counts to 12. */
  half = false;
  weekday: number | null = null;
  offsetMinutes: number | null = null;
  zulu = false;

  /** The moment, or null when the fields do not make one. */
  finish(styles: number): ReadDate | null {
    const hour = this.#hour();
    if (hour === null) return null;
    const today = dateParts((styles & DateStyle.noCurrentDate) !== 0 ? 0n : presentTicks());
    const dated = this.year !== null || this.month !== null || this.day !== null;
    const year = this.year ?? (dated ? dateParts(presentTicks()).year : today.year);
    const date = [year, this.month ?? (dated ? 1 : today.month), this.day ?? (dated ? 1 : today.day)] as const;
    const ticks = ticksOf(date, [hour, this.minute ?? 0, this.second ?? 0], this.fraction);
    if (ticks === null || ticks > MAX_TICKS) return null;
    if (this.weekday !== null && dateParts(ticks).dayOfWeek !== this.weekday) return null;
    return { ticks, offsetMinutes: this.zulu ? 0 : this.offsetMinutes, zulu: this.zulu };
  }

  /** The hour of the day; null when its mark does not fit. */
  #hour(): number | null {
    const hour = this.hour ?? 0;
    if (this.half) return hour > 12 ? null : (hour % 12) + (this.afternoon ? 12 : 0);
    if (this.afternoon === null) return hour;
    return hour >= 12 === this.afternoon ? hour : null;
  }
}

export function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year + (year < 50 ? 2000 : 1900);
}

/** Ticks of a day's start. */
export function startOfToday(): bigint {
  const ticks = presentTicks();
  return ticks - (ticks % TICKS_PER_DAY);
}
