// DateTime and DateTimeOffset. The local time zone is UTC.

import type { ArrayObject } from '../array-objects.ts';
import * as calendar from '../calendar.ts';
import { readByFormat } from '../date-exact.ts';
import { checkStyles, startOfToday, toDateTime, toDateTimeOffset } from '../date-fields.ts';
import { atOffset, formatDateTime, formatDateTimeOffset } from '../date-format.ts';
import { guessDate } from '../date-parse.ts';
import { argumentNull, badArgument, formatError, outOfRange } from '../exceptions.ts';
import { presentTicks } from '../machine.ts';
import { DateTimeOffsetValue, DateTimeValue, TimeSpanValue } from '../structs.ts';
import { type Cell, defaultOf, type Value } from '../values.ts';
import { comparable } from './comparable.ts';
import type { MemberTable, Native } from './native.ts';

const { TICKS_PER_DAY, TICKS_PER_MILLISECOND, TICKS_PER_MINUTE, TICKS_PER_SECOND } = calendar;

/** Reading dates: `finish` makes the value of what the text said. */
function parsing(name: string, finish: (read: Value, styles: number) => Value): Record<string, Native> {
  const initial = defaultOf({ kind: 'named', name, arguments: [] });
  const isOffset = name === 'DateTimeOffset';
  const bad = (text: string) => formatError(`String '${text}' was not recognized as a valid DateTime.`);
  const guess = (text: string | null, styles: number): Value => {
    checkStyles(styles, isOffset);
    const read = text === null ? null : guessDate(text, styles);
    return read && finish(read, styles);
  };
  const exact = (text: string | null, format: string | ArrayObject | null, styles: number): Value => {
    checkStyles(styles, isOffset);
    if (text === null || format === null) return null;
    const formats = typeof format === 'string' ? [format] : (format.items as string[]);
    for (const each of formats) {
      if (each === null || each === '') return null;
      const read = readByFormat(text, each, styles);
      const value = read && finish(read, styles);
      if (value) return value;
    }
    return null;
  };
  const parse = (text: string | null, styles = 0): Value =>
    text === null ? argumentNull('s') : (guess(text, styles) ?? bad(text));
  const parseExact = (text: string | null, format: Value, _provider: Value, styles = 0): Value => {
    if (text === null) return argumentNull('s');
    return format === null ? argumentNull('format') : (exact(text, format, styles) ?? bad(text));
  };
  const store = (cell: Cell, value: Value): boolean => {
    cell.value = value ?? initial;
    return value !== null;
  };
  const tryExact: Native = (text, format, _provider, styles, cell) => store(cell, exact(text, format, styles));
  return {
    [`${name}.Parse(string)`]: (text) => parse(text),
    [`${name}.Parse(string,IFormatProvider)`]: (text) => parse(text),
    [`${name}.Parse(string,IFormatProvider,DateTimeStyles)`]: (text, _provider, styles) => parse(text, styles),
    [`${name}.ParseExact(string,string,IFormatProvider)`]: (text, format) => parseExact(text, format, null),
    [`${name}.ParseExact(string,string,IFormatProvider,DateTimeStyles)`]: parseExact,
    [`${name}.ParseExact(string,string[],IFormatProvider,DateTimeStyles)`]: parseExact,
    [`${name}.TryParse(string,out ${name})`]: (text, cell) => store(cell, guess(text, 0)),
    [`${name}.TryParse(string,IFormatProvider,out ${name})`]: (text, _provider, cell) => store(cell, guess(text, 0)),
    [`${name}.TryParse(string,IFormatProvider,DateTimeStyles,out ${name})`]: (text, _provider, styles, cell) =>
      store(cell, guess(text, styles)),
    [`${name}.TryParseExact(string,string,IFormatProvider,DateTimeStyles,out ${name})`]: tryExact,
    [`${name}.TryParseExact(string,string[],IFormatProvider,DateTimeStyles,out ${name})`]: tryExact,
  };
}

const MILLISECONDS_LIMIT = 315_537_897_600_000;

/** Adds a real number of units, rounded to the millisecond. */
function addReal(ticks: bigint, value: number, unitMilliseconds: number): bigint {
  if (Number.isNaN(value)) return ticks;
  const milliseconds = value * unitMilliseconds + (value >= 0 ? 0.5 : -0.5);
  if (!(milliseconds > -MILLISECONDS_LIMIT && milliseconds < MILLISECONDS_LIMIT))
    return outOfRange('value', 'Value to add was out of range.');
  return ticks + BigInt(Math.trunc(milliseconds)) * TICKS_PER_MILLISECOND;
}

/** The parts of the clock, and moving it: `again` makes a value of the same kind with other ticks. */
function clock(name: string, again: (value: Value, ticks: bigint) => Value): Record<string, Native> {
  const table: Record<string, Native> = {
    [`${name}.get_Day()`]: (value) => calendar.dateParts(value.ticks).day,
    [`${name}.get_DayOfWeek()`]: (value) => calendar.dateParts(value.ticks).dayOfWeek,
    [`${name}.get_DayOfYear()`]: (value) => calendar.dateParts(value.ticks).dayOfYear,
    [`${name}.get_Month()`]: (value) => calendar.dateParts(value.ticks).month,
    [`${name}.get_Year()`]: (value) => calendar.dateParts(value.ticks).year,
    [`${name}.get_Hour()`]: (value) => calendar.timeParts(value.ticks).hour,
    [`${name}.get_Minute()`]: (value) => calendar.timeParts(value.ticks).minute,
    [`${name}.get_Second()`]: (value) => calendar.timeParts(value.ticks).second,
    [`${name}.get_Millisecond()`]: (value) => Math.floor(calendar.timeParts(value.ticks).fraction / 10_000),
    [`${name}.get_Ticks()`]: (value) => value.ticks,
    [`${name}.get_TimeOfDay()`]: (value) => new TimeSpanValue(value.ticks % TICKS_PER_DAY),
    [`${name}.AddTicks(long)`]: (value, ticks) => again(value, value.ticks + ticks),
    [`${name}.AddMonths(int)`]: (value, months) => {
      if (months < -120000 || months > 120000) return outOfRange('months');
      return again(value, calendar.addMonths(value.ticks, months) ?? outOfRange('months'));
    },
    [`${name}.AddYears(int)`]: (value, years) => {
      if (years < -10000 || years > 10000) return outOfRange('years');
      return again(value, calendar.addMonths(value.ticks, years * 12) ?? outOfRange('months'));
    },
    [`${name}.Subtract(${name})`]: (a, b) => new TimeSpanValue(utcTicks(a) - utcTicks(b)),
    [`${name}.op_Subtraction(${name},${name})`]: (a, b) => new TimeSpanValue(utcTicks(a) - utcTicks(b)),
  };
  for (const member of ['Add', 'op_Addition']) {
    table[`${name}.${member}(${member === 'Add' ? '' : `${name},`}TimeSpan)`] = (value, span) =>
      again(value, value.ticks + span.ticks);
  }
  for (const member of ['Subtract', 'op_Subtraction']) {
    table[`${name}.${member}(${member === 'Subtract' ? '' : `${name},`}TimeSpan)`] = (value, span) =>
      again(value, (value.ticks as bigint) - (span.ticks as bigint));
  }
  const steps = { Days: 86_400_000, Hours: 3_600_000, Minutes: 60_000, Seconds: 1000, Milliseconds: 1 };
  for (const [step, unit] of Object.entries(steps)) {
    table[`${name}.Add${step}(double)`] = (value, count) => again(value, addReal(value.ticks, count, unit));
  }
  return table;
}

function utcTicks(value: Value): bigint {
  return value instanceof DateTimeOffsetValue ? value.utcTicks : value.ticks;
}

/** Ticks of year, month, day, hour, minute, second, millisecond. */
function ticksOfFields(fields: readonly number[]): bigint {
  const [year, month, day, hour = 0, minute = 0, second = 0, millisecond = 0] = fields as [
    number,
    number,
    number,
    ...number[],
  ];
  if (millisecond < 0 || millisecond > 999) return outOfRange('millisecond');
  const ticks = calendar.ticksOf([year, month, day], [hour, minute, second], millisecond * 10_000);
  return ticks ?? outOfRange('year', 'Year, Month, and Day parameters describe an un-representable DateTime.');
}

function checkKind(value: DateTimeValue): DateTimeValue {
  return value.kind < 0 || value.kind > 2 ? badArgument('Invalid DateTimeKind value.', 'kind') : value;
}

function constructors(): Record<string, Native> {
  const table: Record<string, Native> = {};
  for (const count of [3, 6, 7]) {
    const ints = Array(count).fill('int').join(',');
    table[`DateTime.new(${ints})`] = (...fields) => new DateTimeValue(ticksOfFields(fields), 0);
    table[`DateTime.new(${ints},DateTimeKind)`] = (...fields) =>
      checkKind(new DateTimeValue(ticksOfFields(fields.slice(0, count)), fields[count]));
    table[`DateTimeOffset.new(${ints},TimeSpan)`] = (...fields) =>
      withOffset(ticksOfFields(fields.slice(0, count)), fields[count]);
  }
  return table;
}

function checkOffset(span: TimeSpanValue): number {
  if (span.ticks % TICKS_PER_MINUTE !== 0n) return badArgument('Offset must be specified in whole minutes.', 'offset');
  const minutes = Number(span.ticks / TICKS_PER_MINUTE);
  return Math.abs(minutes) > 840 ? outOfRange('offset', 'Offset must be within plus or minus 14 hours.') : minutes;
}

function withOffset(ticks: bigint, span: TimeSpanValue): DateTimeOffsetValue {
  return checkedOffset(new DateTimeOffsetValue(ticks, checkOffset(span)));
}

function checkedOffset(value: DateTimeOffsetValue): DateTimeOffsetValue {
  const { utcTicks: utc, ticks } = value;
  if (utc < 0n || utc > calendar.MAX_TICKS || ticks < 0n || ticks > calendar.MAX_TICKS) {
    return outOfRange('value', 'The added or subtracted value results in an un-representable DateTime.');
  }
  return value;
}

const dateTime = (ticks: bigint, kind: number): DateTimeValue => calendar.checkedDate(ticks, kind);
const moved = (value: DateTimeValue, ticks: bigint): DateTimeValue => dateTime(ticks, value.kind);
const movedOffset = (value: DateTimeOffsetValue, ticks: bigint) =>
  checkedOffset(new DateTimeOffsetValue(ticks, value.offsetMinutes));

const DATE_TIMES: MemberTable = {
  ...comparable('DateTime', formatDateTime),
  ...parsing('DateTime', toDateTime),
  ...clock('DateTime', moved),
  ...constructors(),
  'DateTime.MinValue': () => new DateTimeValue(0n, 0),
  'DateTime.MaxValue': () => new DateTimeValue(calendar.MAX_TICKS, 0),
  'DateTime.UnixEpoch': () => new DateTimeValue(calendar.UNIX_TICKS, 1),
  'DateTime.new(long)': (ticks) => calendar.checkedDate(ticks, 0, 'ticks'),
  'DateTime.new(long,DateTimeKind)': (ticks, kind) => checkKind(calendar.checkedDate(ticks, kind, 'ticks')),
  'DateTime.get_Now()': () => new DateTimeValue(presentTicks(), 2),
  'DateTime.get_UtcNow()': () => new DateTimeValue(presentTicks(), 1),
  'DateTime.get_Today()': () => new DateTimeValue(startOfToday(), 2),
  'DateTime.get_Date()': (value) => new DateTimeValue(value.ticks - (value.ticks % TICKS_PER_DAY), value.kind),
  'DateTime.get_Kind()': (value) => value.kind,
  'DateTime.ToLocalTime()': (value) => new DateTimeValue(value.ticks, 2),
  'DateTime.ToUniversalTime()': (value) => new DateTimeValue(value.ticks, 1),
  'DateTime.DaysInMonth(int,int)': (year, month) => {
    if (month < 1 || month > 12) return outOfRange('month', 'Month must be between one and twelve.');
    return year < 1 || year > 9999 ? outOfRange('year') : calendar.daysInMonth(year, month);
  },
  'DateTime.IsLeapYear(int)': (year) => (year < 1 || year > 9999 ? outOfRange('year') : calendar.isLeapYear(year)),
  'DateTime.SpecifyKind(DateTime,DateTimeKind)': (value, kind) => checkKind(new DateTimeValue(value.ticks, kind)),
  'DateTime.ToLongDateString()': (value) => formatDateTime(value, 'D'),
  'DateTime.ToLongTimeString()': (value) => formatDateTime(value, 'T'),
  'DateTime.ToShortDateString()': (value) => formatDateTime(value, 'd'),
  'DateTime.ToShortTimeString()': (value) => formatDateTime(value, 't'),
};

const fromUnix = (ticks: bigint): DateTimeOffsetValue => {
  const total = calendar.UNIX_TICKS + ticks;
  return total < 0n || total > calendar.MAX_TICKS ? outOfRange('seconds') : new DateTimeOffsetValue(total, 0);
};
/** Whole units since 1970, towards the past. */
const unixUnits = (value: DateTimeOffsetValue, unit: bigint): bigint =>
  value.utcTicks / unit - calendar.UNIX_TICKS / unit;

const DATE_TIME_OFFSETS: MemberTable = {
  ...comparable('DateTimeOffset', formatDateTimeOffset),
  ...parsing('DateTimeOffset', toDateTimeOffset),
  ...clock('DateTimeOffset', movedOffset),
  'DateTimeOffset.MinValue': () => new DateTimeOffsetValue(0n, 0),
  'DateTimeOffset.MaxValue': () => new DateTimeOffsetValue(calendar.MAX_TICKS, 0),
  'DateTimeOffset.UnixEpoch': () => new DateTimeOffsetValue(calendar.UNIX_TICKS, 0),
  'DateTimeOffset.new(long,TimeSpan)': withOffset,
  'DateTimeOffset.new(DateTime)': (value) => new DateTimeOffsetValue(value.ticks, 0),
  'DateTimeOffset.new(DateTime,TimeSpan)': (value, span) => {
    if (value.kind !== 0 && span.ticks !== 0n)
      return badArgument('The UTC Offset of the DateTime does not match the offset argument.', 'offset');
    return withOffset(value.ticks, span);
  },
  'DateTimeOffset.get_Now()': () => new DateTimeOffsetValue(presentTicks(), 0),
  'DateTimeOffset.get_UtcNow()': () => new DateTimeOffsetValue(presentTicks(), 0),
  'DateTimeOffset.get_DateTime()': (value) => new DateTimeValue(value.ticks, 0),
  'DateTimeOffset.get_UtcDateTime()': (value) => new DateTimeValue(value.utcTicks, 1),
  'DateTimeOffset.get_LocalDateTime()': (value) => new DateTimeValue(value.utcTicks, 2),
  'DateTimeOffset.get_Date()': (value) => new DateTimeValue(value.ticks - (value.ticks % TICKS_PER_DAY), 0),
  'DateTimeOffset.get_Offset()': (value) => new TimeSpanValue(BigInt(value.offsetMinutes) * TICKS_PER_MINUTE),
  'DateTimeOffset.get_UtcTicks()': (value) => value.utcTicks,
  'DateTimeOffset.EqualsExact(DateTimeOffset)': (a, b) => a.ticks === b.ticks && a.offsetMinutes === b.offsetMinutes,
  'DateTimeOffset.ToOffset(TimeSpan)': (value, span) => checkedOffset(atOffset(value, checkOffset(span))),
  'DateTimeOffset.ToLocalTime()': (value) => atOffset(value, 0),
  'DateTimeOffset.ToUniversalTime()': (value) => atOffset(value, 0),
  'DateTimeOffset.FromUnixTimeSeconds(long)': (seconds) => fromUnix(seconds * TICKS_PER_SECOND),
  'DateTimeOffset.FromUnixTimeMilliseconds(long)': (milliseconds) => fromUnix(milliseconds * TICKS_PER_MILLISECOND),
  'DateTimeOffset.ToUnixTimeSeconds()': (value) => unixUnits(value, TICKS_PER_SECOND),
  'DateTimeOffset.ToUnixTimeMilliseconds()': (value) => unixUnits(value, TICKS_PER_MILLISECOND),
  'DateTimeOffset.op_Implicit(DateTime)->DateTimeOffset': (value) => new DateTimeOffsetValue(value.ticks, 0),
};

export const TIME_MEMBERS: MemberTable = { ...DATE_TIMES, ...DATE_TIME_OFFSETS };
