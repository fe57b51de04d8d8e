// DateTime and DateTimeOffset as text: standard and custom formats in the invariant culture.

import { dateParts, TICKS_PER_MINUTE, timeParts } from './calendar.ts';
import { formatError } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { type DateOnlyValue, DateTimeOffsetValue, type DateTimeValue, type TimeOnlyValue } from './structs.ts';

export const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December',
]; // biome-ignore format: a table
export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** What the standard formats stand for. */
export const STANDARD_FORMATS: Readonly<Record<string, string>> = {
  d: 'MM/dd/yyyy',
  D: 'dddd, dd MMMM yyyy',
  f: 'dddd, dd MMMM yyyy HH:mm',
  F: 'dddd, dd MMMM yyyy HH:mm:ss',
  g: 'MM/dd/yyyy HH:mm',
  G: 'MM/dd/yyyy HH:mm:ss',
  m: 'MMMM dd',
  M: 'MMMM dd',
  o: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
  O: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
  r: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  R: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  s: "yyyy'-'MM'-'dd'T'HH':'mm':'ss",
  t: 'HH:mm',
  T: 'HH:mm:ss',
  u: "yyyy'-'MM'-'dd HH':'mm':'ss'Z'",
  y: 'yyyy MMMM',
  Y: 'yyyy MMMM',
};

interface Moment {
  readonly ticks: bigint;
  readonly kind: number;
  /** null: a DateTime. */
  readonly offsetMinutes: number | null;
}

export function formatDateTime(value: DateTimeValue, format: string | null): string {
  const moment: Moment = { ticks: value.ticks, kind: value.kind, offsetMinutes: null };
  if (format === null || format === '') return formatMoment(moment, STANDARD_FORMATS.G!);
  if (format.length > 1) return formatMoment(moment, format);
  if (format === 'U') return formatMoment(moment, STANDARD_FORMATS.F!);
  return formatMoment(moment, STANDARD_FORMATS[format] ?? formatError());
}

export function formatDateTimeOffset(value: DateTimeOffsetValue, format: string | null): string {
  const moment: Moment = { ticks: value.ticks, kind: 0, offsetMinutes: value.offsetMinutes };
  if (format === null || format === '') return formatMoment(moment, `${STANDARD_FORMATS.G} zzz`);
  if (format.length > 1) return formatMoment(moment, format);
  const standard = STANDARD_FORMATS[format] ?? formatError();
  const universal = format === 'r' || format === 'R' || format === 'u';
  return formatMoment(universal ? { ...moment, ticks: value.utcTicks } : moment, standard);
}

/** Letters of custom formats that ask for a time, or for a day. */
const timeLetters = /[hHmsfFtKz]/;
const dayLetters = /[dMyg]/;

/** Of a custom format without what is quoted or escaped in it. */
function lettersOf(format: string): string {
  return format.replace(/\\.|'[^']*'|"[^"]*"/g, '');
}

/** A day as DateOnly writes it: formats that ask for a time of day are none. */
export function formatDateOnly({ ticks }: DateOnlyValue, format: string | null): string {
  const moment: Moment = { ticks, kind: 0, offsetMinutes: null };
  if (format === null || format === '') return formatMoment(moment, STANDARD_FORMATS.d!);
  if (format.length === 1) {
    if (format === 'o' || format === 'O') return formatMoment(moment, "yyyy'-'MM'-'dd");
    if (format === 'r' || format === 'R') return formatMoment(moment, 'ddd, dd MMM yyyy');
    return formatMoment(moment, ('dDmMyY'.includes(format) ? STANDARD_FORMATS[format] : null) ?? formatError());
  }
  return timeLetters.test(lettersOf(format)) ? formatError() : formatMoment(moment, format);
}

/** A time of day as TimeOnly writes it: formats that ask for a day are none. */
export function formatTimeOnly({ ticks }: TimeOnlyValue, format: string | null): string {
  const moment: Moment = { ticks, kind: 0, offsetMinutes: null };
  if (format === null || format === '') return formatMoment(moment, STANDARD_FORMATS.t!);
  if (format.length === 1) {
    if (format === 'o' || format === 'O') return formatMoment(moment, "HH':'mm':'ss'.'fffffff");
    if (format === 'r' || format === 'R') return formatMoment(moment, "HH':'mm':'ss");
    return formatMoment(moment, ('tT'.includes(format) ? STANDARD_FORMATS[format] : null) ?? formatError());
  }
  const letters = lettersOf(format);
  return dayLetters.test(letters) || /[Kz]/.test(letters) ? formatError() : formatMoment(moment, format);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** The offset of a DateTime's clock: the local zone is UTC. */
function offsetOf(moment: Moment): number {
  return moment.offsetMinutes ?? 0;
}

function zone(minutes: number, count: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const size = Math.abs(minutes);
  const hours = Math.floor(size / 60);
  if (count === 1) return `${sign}${hours}`;
  return count === 2 ? `${sign}${pad(hours, 2)}` : `${sign}${pad(hours, 2)}:${pad(size % 60, 2)}`;
}

function kindMark(moment: Moment): string {
  if (moment.offsetMinutes !== null) return zone(moment.offsetMinutes, 3);
  return moment.kind === 1 ? 'Z' : moment.kind === 2 ? zone(0, 3) : '';
}

/** Days of the month in the genitive exist in no invariant name, so a field is a number or a name. */
function field(letter: string, count: number, moment: Moment): string {
  const date = dateParts(moment.ticks);
  const time = timeParts(moment.ticks);
  switch (letter) {
    case 'd':
      if (count <= 2) return pad(date.day, count);
      return count === 3 ? DAYS[date.dayOfWeek]!.slice(0, 3) : DAYS[date.dayOfWeek]!;
    case 'M':
      if (count <= 2) return pad(date.month, count);
      return count === 3 ? MONTHS[date.month - 1]!.slice(0, 3) : MONTHS[date.month - 1]!;
    case 'y':
      return count <= 2 ? pad(date.year % 100, count) : pad(date.year, count);
    case 'H':
      return pad(time.hour, Math.min(count, 2));
    case 'h':
      return pad(time.hour % 12 === 0 ? 12 : time.hour % 12, Math.min(count, 2));
    case 'm':
      return pad(time.minute, Math.min(count, 2));
    case 's':
      return pad(time.second, Math.min(count, 2));
    case 't': {
      const mark = time.hour < 12 ? 'AM' : 'PM';
      return count === 1 ? mark[0]! : mark;
    }
    case 'z':
      return zone(offsetOf(moment), Math.min(count, 3));
    case 'K':
      return kindMark(moment);
    case 'g':
      return 'A.D.';
    default:
      return '';
  }
}

function formatMoment(moment: Moment, format: string): string {
  charge(format.length);
  allocate(format.length * 4 + 64);
  let text = '';
  for (let at = 0; at < format.length; ) {
    const letter = format[at]!;
    let count = 1;
    if ('dMyHhmstzfFgK'.includes(letter)) {
      if (letter !== 'K') while (format[at + count] === letter) count++;
      text =
        letter === 'f' || letter === 'F'
          ? withFraction(text, letter, count, moment)
          : text + field(letter, count, moment);
    } else if (letter === "'" || letter === '"') {
      const literal = readQuoted(format, at);
      text += literal.text;
      count = literal.length;
    } else if (letter === '%') {
      if (at + 1 >= format.length || format[at + 1] === '%') return formatError();
    } else if (letter === '\\') {
      if (at + 1 >= format.length) return formatError();
      text += format[at + 1];
      count = 2;
    } else text += letter;
    at += count;
  }
  return text;
}

/** A literal in quotes: its text, and the length that it has in the format. */
export function readQuoted(format: string, from: number): { text: string; length: number } {
  let text = '';
  for (let at = from + 1; at < format.length; at++) {
    if (format[at] === format[from]) return { text, length: at + 1 - from };
    if (format[at] === '\\') {
      at++;
      if (at >= format.length) return formatError();
    }
    text += format[at];
  }
  return formatError(`Cannot find a matching quote character for the character '${format[from]}'.`);
}

/** Fractions of a second; F drops trailing zeros, and a point before it when nothing is left. */
function withFraction(text: string, letter: string, count: number, moment: Moment): string {
  if (count > 7) return formatError();
  const digits = pad(timeParts(moment.ticks).fraction, 7).slice(0, count);
  if (letter === 'f') return text + digits;
  const kept = digits.replace(/0+$/, '');
  if (kept === '' && text.endsWith('.')) return text.slice(0, -1);
  return text + kept;
}

/** The clock of another offset. */
export function atOffset(value: DateTimeOffsetValue, offsetMinutes: number): DateTimeOffsetValue {
  return new DateTimeOffsetValue(value.utcTicks + BigInt(offsetMinutes) * TICKS_PER_MINUTE, offsetMinutes);
}
