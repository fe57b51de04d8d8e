// DateOnly and TimeOnly: a day without a time, and a time without a day.

import * as calendar from '../calendar.ts';
import { readByFormat } from '../date-exact.ts';
import { checkStyles, DateStyle } from '../date-fields.ts';
import { formatDateOnly, formatTimeOnly } from '../date-format.ts';
import { guessDate } from '../date-parse.ts';
import { argumentNull, formatError, outOfRange } from '../exceptions.ts';
import { DateOnlyValue, DateTimeValue, TimeOnlyValue, TimeSpanValue } from '../structs.ts';
import type { Cell, Value } from '../values.ts';
import { comparable } from './comparable.ts';
import type { MemberTable, Native } from './native.ts';

const { TICKS_PER_DAY, TICKS_PER_HOUR, TICKS_PER_MINUTE } = calendar;
const lastDay = calendar.MAX_TICKS / TICKS_PER_DAY;

const dayOf = (ticks: bigint): DateOnlyValue => new DateOnlyValue(ticks - (ticks % TICKS_PER_DAY));
const timeOf = (ticks: bigint): TimeOnlyValue => new TimeOnlyValue(ticks % TICKS_PER_DAY);

/** Reading: what a text says beside the day, or the time, makes it none. */
function parsing(name: 'DateOnly' | 'TimeOnly', make: (ticks: bigint) => Value): Record<string, Native> {
  const initial = make(0n);
  const isDay = name === 'DateOnly';
  const fits = (ticks: bigint): boolean => (isDay ? ticks % TICKS_PER_DAY === 0n : ticks / TICKS_PER_DAY === 0n);
  const styles = DateStyle.noCurrentDate;
  const value = (read: ReturnType<typeof guessDate>): Value =>
    read !== null && read.offsetMinutes === null && fits(read.ticks) ? make(read.ticks) : null;
  const guess = (text: string): Value => value(guessDate(text, styles));
  const exact = (text: string, format: string, style = 0): Value => {
    checkStyles(style, false);
    const standard = isDay ? standardDay[format] : standardTime[format];
    return value(readByFormat(text, standard ?? format, style | styles));
  };
  const bad = (text: string) => formatError(`String '${text}' was not recognized as a valid ${name}.`);
  const parseExact = (text: string | null, format: string | null, _provider: Value = null, style = 0): Value =>
    exact(text ?? argumentNull('s'), format ?? argumentNull('format'), style) ?? bad(text as string);
  const store = (cell: Cell, found: Value): boolean => {
    cell.value = found ?? initial;
    return found !== null;
  };
  return {
    [`${name}.Parse(string)`]: (text: string | null) => guess(text ?? argumentNull('s')) ?? bad(text as string),
    [`${name}.ParseExact(string,string)`]: (text, format) => parseExact(text, format),
    [`${name}.ParseExact(string,string,IFormatProvider,DateTimeStyles)`]: parseExact,
    [`${name}.TryParse(string,out ${name})`]: (text: string | null, cell) =>
      store(cell, text === null ? null : guess(text)),
    [`${name}.TryParseExact(string,string,out ${name})`]: (text, format, cell) =>
      store(cell, text === null || format === null ? null : exact(text, format)),
    [`${name}.TryParseExact(string,string,IFormatProvider,DateTimeStyles,out ${name})`]: (
      text,
      format,
      _provider,
      style,
      cell,
    ) => store(cell, text === null || format === null ? null : exact(text, format, style)),
  };
}

const standardDay: Readonly<Record<string, string>> = {
  d: 'MM/dd/yyyy',
  D: 'dddd, dd MMMM yyyy',
  o: "yyyy'-'MM'-'dd",
  O: "yyyy'-'MM'-'dd",
  r: 'ddd, dd MMM yyyy',
  R: 'ddd, dd MMM yyyy',
};
const standardTime: Readonly<Record<string, string>> = {
  t: 'HH:mm',
  T: 'HH:mm:ss',
  o: "HH':'mm':'ss'.'fffffff",
  O: "HH':'mm':'ss'.'fffffff",
  r: "HH':'mm':'ss",
  R: "HH':'mm':'ss",
};

function day(number: bigint, parameter: string): DateOnlyValue {
  return number < 0n || number > lastDay ? outOfRange(parameter) : new DateOnlyValue(number * TICKS_PER_DAY);
}

function monthsLater({ ticks }: DateOnlyValue, months: number): DateOnlyValue {
  return new DateOnlyValue(calendar.addMonths(ticks, months) ?? outOfRange('months'));
}

const unrepresentable = 'Year, Month, and Day parameters describe an un-representable DateTime.';
const datePart =
  (part: keyof calendar.DateParts): Native =>
  ({ ticks }: DateOnlyValue) =>
    calendar.dateParts(ticks)[part];

const DATES: MemberTable = {
  ...comparable('DateOnly', formatDateOnly),
  ...parsing('DateOnly', dayOf),
  'DateOnly.get_MinValue()': () => new DateOnlyValue(0n),
  'DateOnly.get_MaxValue()': () => new DateOnlyValue(lastDay * TICKS_PER_DAY),
  'DateOnly.new(int,int,int)': (year, month, date) =>
    new DateOnlyValue(calendar.ticksOf([year, month, date], [0, 0, 0], 0) ?? outOfRange('year', unrepresentable)),
  'DateOnly.FromDateTime(DateTime)': ({ ticks }: DateTimeValue) => dayOf(ticks),
  'DateOnly.FromDayNumber(int)': (number: number) => day(BigInt(number), 'dayNumber'),
  'DateOnly.get_Day()': datePart('day'),
  'DateOnly.get_DayNumber()': ({ ticks }: DateOnlyValue) => Number(ticks / TICKS_PER_DAY),
  'DateOnly.get_DayOfWeek()': datePart('dayOfWeek'),
  'DateOnly.get_DayOfYear()': datePart('dayOfYear'),
  'DateOnly.get_Month()': datePart('month'),
  'DateOnly.get_Year()': datePart('year'),
  'DateOnly.AddDays(int)': ({ ticks }: DateOnlyValue, days: number) =>
    day(ticks / TICKS_PER_DAY + BigInt(days), 'value'),
  'DateOnly.AddMonths(int)': (value: DateOnlyValue, months: number) =>
    Math.abs(months) > 120_000 ? outOfRange('months') : monthsLater(value, months),
  'DateOnly.AddYears(int)': (value: DateOnlyValue, years: number) =>
    Math.abs(years) > 10_000 ? outOfRange('years') : monthsLater(value, 12 * years),
  'DateOnly.Deconstruct(out int,out int,out int)': ({ ticks }: DateOnlyValue, year: Cell, month: Cell, date: Cell) => {
    const parts = calendar.dateParts(ticks);
    year.value = parts.year;
    month.value = parts.month;
    date.value = parts.day;
  },
  'DateOnly.ToDateTime(TimeOnly)': (value: DateOnlyValue, time: TimeOnlyValue) =>
    new DateTimeValue(value.ticks + time.ticks, 0),
  'DateOnly.ToDateTime(TimeOnly,DateTimeKind)': (value: DateOnlyValue, time: TimeOnlyValue, kind: number) =>
    new DateTimeValue(value.ticks + time.ticks, kind),
  'DateOnly.ToLongDateString()': (value: DateOnlyValue) => formatDateOnly(value, 'D'),
  'DateOnly.ToShortDateString()': (value: DateOnlyValue) => formatDateOnly(value, 'd'),
};

/** Of hours, minutes, seconds and milliseconds. */
function timeOfParts(hour: number, minute: number, second = 0, millisecond = 0): TimeOnlyValue {
  if (millisecond < 0 || millisecond > 999) return outOfRange('millisecond');
  const ticks = calendar.ticksOf([1, 1, 1], [hour, minute, second], millisecond * 10_000);
  return new TimeOnlyValue(
    ticks ?? outOfRange('hour', 'Hour, Minute, and Second parameters describe an un-representable DateTime.'),
  );
}

/** Around the clock, with the days that it went over. */
function later({ ticks }: TimeOnlyValue, span: bigint): { readonly time: TimeOnlyValue; readonly days: number } {
  const total = ticks + span;
  const within = ((total % TICKS_PER_DAY) + TICKS_PER_DAY) % TICKS_PER_DAY;
  return { time: new TimeOnlyValue(within), days: Number((total - within) / TICKS_PER_DAY) };
}

const adding = (name: string, parameter: string, spanOf: (value: Value) => bigint): MemberTable => ({
  [`TimeOnly.${name}(${parameter})`]: (time: TimeOnlyValue, value) => later(time, spanOf(value)).time,
  [`TimeOnly.${name}(${parameter},out int)`]: (time: TimeOnlyValue, value, wrapped: Cell) => {
    const moved = later(time, spanOf(value));
    wrapped.value = moved.days;
    return moved.time;
  },
});

const timePart =
  (part: 'hour' | 'minute' | 'second'): Native =>
  ({ ticks }: TimeOnlyValue) =>
    calendar.timeParts(ticks)[part];

const DAY_TIMES: MemberTable = {
  ...comparable('TimeOnly', formatTimeOnly),
  ...parsing('TimeOnly', timeOf),
  'TimeOnly.get_MinValue()': () => new TimeOnlyValue(0n),
  'TimeOnly.get_MaxValue()': () => new TimeOnlyValue(TICKS_PER_DAY - 1n),
  'TimeOnly.new(int,int)': (hour, minute) => timeOfParts(hour, minute),
  'TimeOnly.new(int,int,int)': (hour, minute, second) => timeOfParts(hour, minute, second),
  'TimeOnly.new(int,int,int,int)': (hour, minute, second, millisecond) =>
    timeOfParts(hour, minute, second, millisecond),
  'TimeOnly.new(long)': (ticks: bigint) =>
    ticks < 0n || ticks >= TICKS_PER_DAY ? outOfRange('ticks') : new TimeOnlyValue(ticks),
  'TimeOnly.FromDateTime(DateTime)': ({ ticks }: DateTimeValue) => timeOf(ticks),
  'TimeOnly.FromTimeSpan(TimeSpan)': ({ ticks }: TimeSpanValue) =>
    ticks < 0n || ticks >= TICKS_PER_DAY ? outOfRange('ticks') : new TimeOnlyValue(ticks),
  'TimeOnly.get_Hour()': timePart('hour'),
  'TimeOnly.get_Minute()': timePart('minute'),
  'TimeOnly.get_Second()': timePart('second'),
  'TimeOnly.get_Millisecond()': ({ ticks }: TimeOnlyValue) => Math.floor(calendar.timeParts(ticks).fraction / 10_000),
  'TimeOnly.get_Ticks()': ({ ticks }: TimeOnlyValue) => ticks,
  ...adding('Add', 'TimeSpan', ({ ticks }: TimeSpanValue) => ticks),
  ...adding('AddHours', 'double', (hours: number) => BigInt(Math.trunc(hours * Number(TICKS_PER_HOUR)))),
  ...adding('AddMinutes', 'double', (minutes: number) => BigInt(Math.trunc(minutes * Number(TICKS_PER_MINUTE)))),
  'TimeOnly.Deconstruct(out int,out int)': ({ ticks }: TimeOnlyValue, hour: Cell, minute: Cell) => {
    const parts = calendar.timeParts(ticks);
    hour.value = parts.hour;
    minute.value = parts.minute;
  },
  'TimeOnly.Deconstruct(out int,out int,out int)': (
    { ticks }: TimeOnlyValue,
    hour: Cell,
    minute: Cell,
    second: Cell,
  ) => {
    const parts = calendar.timeParts(ticks);
    hour.value = parts.hour;
    minute.value = parts.minute;
    second.value = parts.second;
  },
  // From the start on and before the end, over midnight where the end comes first.
  'TimeOnly.IsBetween(TimeOnly,TimeOnly)': ({ ticks }: TimeOnlyValue, start: TimeOnlyValue, end: TimeOnlyValue) =>
    start.ticks <= end.ticks ? ticks >= start.ticks && ticks < end.ticks : ticks >= start.ticks || ticks < end.ticks,
  'TimeOnly.ToLongTimeString()': (value: TimeOnlyValue) => formatTimeOnly(value, 'T'),
  'TimeOnly.ToShortTimeString()': (value: TimeOnlyValue) => formatTimeOnly(value, 't'),
  'TimeOnly.ToTimeSpan()': ({ ticks }: TimeOnlyValue) => new TimeSpanValue(ticks),
  'TimeOnly.op_Subtraction(TimeOnly,TimeOnly)': (left: TimeOnlyValue, right: TimeOnlyValue) =>
    new TimeSpanValue((left.ticks - right.ticks + TICKS_PER_DAY) % TICKS_PER_DAY),
};

export const DAY_MEMBERS: MemberTable = { ...DATES, ...DAY_TIMES };
