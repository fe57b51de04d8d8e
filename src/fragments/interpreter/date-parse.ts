// Reading dates: by a given format, and by a guess at the forms that people and programs write in the invariant culture.

import { dateParts, MAX_TICKS, TICKS_PER_DAY, TICKS_PER_MINUTE, ticksOf } from './calendar.ts';
import { DAYS, MONTHS, readQuoted, STANDARD_FORMATS } from './date-format.ts';
import { charge, presentTicks } from './machine.ts';
import { DateTimeOffsetValue, DateTimeValue } from './structs.ts';

/** What a text said; the offset is null when it named none. */
interface ReadDate {
  readonly ticks: bigint;
  readonly offsetMinutes: number | null;
}

const DateStyle = { adjustToUniversal: 16, assumeLocal: 32, assumeUniversal: 64, roundtripKind: 128 } as const;

/** A date and time under the flags of DateTimeStyles; the local zone is UTC. */
export function toDateTime(read: ReadDate, styles: number): DateTimeValue | null {
  const { offsetMinutes } = read;
  if (offsetMinutes === null) {
    if ((styles & DateStyle.assumeUniversal) !== 0) {
      return new DateTimeValue(read.ticks, (styles & DateStyle.adjustToUniversal) !== 0 ? 1 : 2);
    }
    if ((styles & DateStyle.assumeLocal) !== 0) {
      return new DateTimeValue(read.ticks, (styles & DateStyle.adjustToUniversal) !== 0 ? 1 : 2);
    }
    return new DateTimeValue(read.ticks, 0);
  }
  const ticks = read.ticks - BigInt(offsetMinutes) * TICKS_PER_MINUTE;
  if (ticks < 0n || ticks > MAX_TICKS) return null;
  const universal = (styles & DateStyle.adjustToUniversal) !== 0;
  const kept = (styles & DateStyle.roundtripKind) !== 0 && isZulu(read);
  return new DateTimeValue(ticks, universal || kept ? 1 : 2);
}

const zulu = new WeakSet<ReadDate>();

function isZulu(read: ReadDate): boolean {
  return zulu.has(read);
}

export function toDateTimeOffset(read: ReadDate, styles: number): DateTimeOffsetValue | null {
  const offset = read.offsetMinutes ?? 0;
  const value = new DateTimeOffsetValue(read.ticks, offset);
  if (value.utcTicks < 0n || value.utcTicks > MAX_TICKS) return null;
  return (styles & DateStyle.adjustToUniversal) !== 0 ? new DateTimeOffsetValue(value.utcTicks, 0) : value;
}

/** Collects fields while a text is read. */
class Fields {
  year: number | null = null;
  month: number | null = null;
  day: number | null = null;
  hour: number | null = null;
  minute: number | null = null;
  second: number | null = null;
  fraction = 0;
  afternoon: boolean | null = null;
  weekday: number | null = null;
  offsetMinutes: number | null = null;
  zulu = false;

  /** The moment, or null when the fields do not make one. */
  finish(): ReadDate | null {
    let hour = this.hour ?? 0;
    if (this.afternoon !== null) {
      if (hour > 12) return null;
      hour = (hour % 12) + (this.afternoon ? 12 : 0);
    }
    const today = dateParts(presentTicks());
    const dated = this.year !== null || this.month !== null || this.day !== null;
    const date = [
      this.year ?? today.year,
      this.month ?? (dated ? 1 : today.month),
      this.day ?? (dated ? 1 : today.day),
    ] as const;
    const ticks = ticksOf(date, [hour, this.minute ?? 0, this.second ?? 0], this.fraction);
    if (ticks === null || ticks > MAX_TICKS) return null;
    if (this.weekday !== null && dateParts(ticks).dayOfWeek !== this.weekday) return null;
    const read = { ticks, offsetMinutes: this.zulu ? 0 : this.offsetMinutes };
    if (this.zulu) zulu.add(read);
    return read;
  }
}

function fractionTicks(digits: string): number {
  return Math.round(Number(`0.${digits}`) * 1e7);
}

function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year + (year < 50 ? 2000 : 1900);
}

// --- guessing ---------------------------------------------------------------------------------------------------------

const TIME =
  /(?:^|[T\s])(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?(?:\s*([AaPp])[Mm]?)?\s*(Z|z|GMT|UTC|[+-]\d{1,2}(?::?\d{2})?)?\s*$/;

/** The forms that DateTime.Parse knows. */
export function guessDate(text: string): ReadDate | null {
  charge(text.length >> 2);
  if (text.length > 200) return null;
  const fields = new Fields();
  let rest = text.trim().replace(/\0+$/, '');
  if (rest === '') return null;
  const time = TIME.exec(rest);
  if (time) {
    if (!takeTime(fields, time)) return null;
    rest = rest.slice(0, time.index).trim();
  } else {
    const zone = /^(.*\d)\s*(Z|GMT|[+-]\d{2}:\d{2})$/.exec(rest);
    if (zone && takeZone(fields, zone[2]!)) rest = zone[1]!;
  }
  if (rest !== '' && !takeDate(fields, rest)) return null;
  if (rest === '' && !time) return null;
  return fields.finish();
}

function takeTime(fields: Fields, match: RegExpExecArray): boolean {
  const [, hour, minute, second, fraction, half, zone] = match;
  fields.hour = Number(hour);
  fields.minute = Number(minute);
  fields.second = Number(second ?? 0);
  fields.fraction = fraction === undefined ? 0 : fractionTicks(fraction);
  if (half !== undefined) fields.afternoon = half.toUpperCase() === 'P';
  return zone === undefined || takeZone(fields, zone);
}

function takeZone(fields: Fields, zone: string): boolean {
  if (/^[A-Z]/i.test(zone)) {
    fields.zulu = true;
    return true;
  }
  const match = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone);
  if (!match) return false;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 840) return false;
  fields.offsetMinutes = match[1] === '-' ? -minutes : minutes;
  return true;
}

function nameIndex(names: readonly string[], word: string): number {
  const lower = word.toLowerCase();
  return names.findIndex((name) => name.toLowerCase() === lower || name.slice(0, 3).toLowerCase() === lower);
}

function takeDate(fields: Fields, text: string): boolean {
  const tokens = text.match(/\d+|[A-Za-z]+|[^\sA-Za-z\d]/g) ?? [];
  const numbers: string[] = [];
  let monthAt = -1;
  for (const token of tokens) {
    if (/^\d/.test(token)) numbers.push(token);
    else if (/^[A-Za-z]/.test(token)) {
      const month = nameIndex(MONTHS, token);
      const day = nameIndex(DAYS, token);
      if (month >= 0 && monthAt < 0) {
        monthAt = numbers.length;
        fields.month = month + 1;
      } else if (day >= 0 && fields.weekday === null) fields.weekday = day;
      else return false;
    } else if (!['/', '-', '.', ','].includes(token)) return false;
  }
  return monthAt >= 0 ? namedMonth(fields, numbers) : numericDate(fields, numbers);
}

function namedMonth(fields: Fields, numbers: readonly string[]): boolean {
  const [first, second] = numbers;
  if (first === undefined) return false;
  if (second === undefined) {
    if (first.length > 2) fields.year = fullYear(first);
    else fields.day = Number(first);
    return true;
  }
  if (numbers.length > 2) return false;
  const yearFirst = first.length > 2;
  fields.year = fullYear(yearFirst ? first : second);
  fields.day = Number(yearFirst ? second : first);
  return true;
}

function numericDate(fields: Fields, numbers: readonly string[]): boolean {
  const [first, second, third] = numbers;
  if (numbers.length === 3) {
    if (first!.length > 2) [fields.year, fields.month, fields.day] = [fullYear(first!), Number(second), Number(third)];
    else [fields.month, fields.day, fields.year] = [Number(first), Number(second), fullYear(third!)];
    return true;
  }
  if (numbers.length !== 2) return false;
  if (first!.length > 2) [fields.year, fields.month] = [fullYear(first!), Number(second)];
  else if (second!.length > 2) [fields.month, fields.year] = [Number(first), fullYear(second!)];
  else [fields.month, fields.day] = [Number(first), Number(second)];
  return true;
}

// --- by format --------------------------------------------------------------------------------------------------------

/** Reads a text by a standard or custom format. */
export function readByFormat(text: string, format: string, styles: number): ReadDate | null {
  charge((text.length + format.length) >> 2);
  const custom = format.length === 1 ? STANDARD_FORMATS[format] : format;
  if (custom === undefined) return null;
  const white = (styles & 7) !== 0;
  const reader = new FormatReader(white ? text.trim() : text);
  if (!reader.readAll(custom)) return null;
  return reader.fields.finish();
}

class FormatReader {
  readonly fields = new Fields();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(format: string): boolean {
    for (let at = 0; at < format.length; ) {
      const letter = format[at]!;
      let count = 1;
      if ('dMyHhmstzfFK'.includes(letter)) {
        if (letter !== 'K') while (format[at + count] === letter) count++;
        if (!this.#field(letter, count)) return false;
      } else if (letter === "'" || letter === '"') {
        const literal = readQuoted(format, at);
        if (!this.#literal(literal.text)) return false;
        count = literal.length;
      } else if (letter === '\\') {
        if (!this.#literal(format[at + 1] ?? '')) return false;
        count = 2;
      } else if (letter === '.' && format[at + 1] === 'F') {
        if (this.#text[this.#at] === '.') this.#at++;
      } else if (letter !== '%' && !this.#literal(letter)) return false;
      at += count;
    }
    return this.#at === this.#text.length;
  }

  #literal(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #digits(least: number, most: number): string | null {
    let end = this.#at;
    while (end < this.#text.length && end - this.#at < most && /\d/.test(this.#text[end]!)) end++;
    if (end - this.#at < least) return null;
    const digits = this.#text.slice(this.#at, end);
    this.#at = end;
    return digits;
  }

  #number(count: number): number | null {
    const digits = this.#digits(count === 1 ? 1 : 2, 2);
    return digits === null ? null : Number(digits);
  }

  #name(names: readonly string[], short: boolean): number {
    const found = names.findIndex((name) => {
      const wanted = short ? name.slice(0, 3) : name;
      return this.#text.slice(this.#at, this.#at + wanted.length).toLowerCase() === wanted.toLowerCase();
    });
    if (found >= 0) this.#at += short ? 3 : names[found]!.length;
    return found;
  }

  #field(letter: string, count: number): boolean {
    const { fields } = this;
    switch (letter) {
      case 'd':
        if (count > 2) {
          fields.weekday = this.#name(DAYS, count === 3);
          return fields.weekday >= 0;
        }
        fields.day = this.#number(count);
        return fields.day !== null;
      case 'M':
        fields.month = count > 2 ? this.#name(MONTHS, count === 3) + 1 : this.#number(count);
        return fields.month !== null && fields.month > 0;
      case 'y': {
        const digits = count <= 2 ? this.#digits(count, 2) : this.#digits(count, Math.max(4, count));
        fields.year = digits === null ? null : count <= 2 ? fullYear(digits.padStart(2, '0')) : Number(digits);
        return digits !== null;
      }
      case 'H':
      case 'h':
        fields.hour = this.#number(count);
        return fields.hour !== null && (letter === 'H' || fields.hour <= 12);
      case 'm':
        fields.minute = this.#number(count);
        return fields.minute !== null;
      case 's':
        fields.second = this.#number(count);
        return fields.second !== null;
      default:
        return this.#markOrFraction(letter, count);
    }
  }

  #markOrFraction(letter: string, count: number): boolean {
    const { fields } = this;
    switch (letter) {
      case 'f':
      case 'F': {
        const digits = this.#digits(letter === 'f' ? count : 0, count);
        if (digits === null) return false;
        fields.fraction = Number(digits.padEnd(7, '0'));
        return true;
      }
      case 't': {
        const mark = this.#text[this.#at]?.toUpperCase();
        if (mark !== 'A' && mark !== 'P') return false;
        if (count > 1 && this.#text[this.#at + 1]?.toUpperCase() !== 'M') return false;
        this.#at += Math.min(count, 2);
        fields.afternoon = mark === 'P';
        return true;
      }
      default: {
        if (letter === 'K' && this.#literal('Z')) {
          fields.zulu = true;
          return true;
        }
        const match = /^[+-]\d{1,2}(?::?\d{2})?/.exec(this.#text.slice(this.#at));
        if (!match) return letter === 'K';
        this.#at += match[0].length;
        return takeZone(fields, match[0]);
      }
    }
  }
}

/** The present day, for `DateTime.Today`. */
export function startOfToday(): bigint {
  const ticks = presentTicks();
  return ticks - (ticks % TICKS_PER_DAY);
}
