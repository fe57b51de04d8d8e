// Reading dates by a given format.

import { DateStyle, Fields, fullYear, type ReadDate } from './date-fields.ts';
import { DAYS, MONTHS, STANDARD_FORMATS } from './date-format.ts';
import { charge } from './machine.ts';

/** Reads a text by a standard or custom format. */
export function readByFormat(text: string, format: string, styles: number): ReadDate | null {
  charge((text.length + format.length) >> 2);
  const custom = format.length === 1 ? STANDARD_FORMATS[format] : format;
  if (custom === undefined || custom === '') return null;
  const reader = new FormatReader(trimmed(text, styles), (styles & DateStyle.innerWhite) !== 0);
  return reader.readAll(trimmed(custom, styles)) ? reader.fields.finish(styles) : null;
}

function trimmed(text: string, styles: number): string {
  const end = (styles & DateStyle.trailingWhite) !== 0 ? text.trimEnd() : text;
  return (styles & DateStyle.leadingWhite) !== 0 ? end.trimStart() : end;
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'weekday';

class FormatReader {
  readonly fields = new Fields();
  readonly #text: string;
  /** White space in the text may stand anywhere, that of the format stands for nothing. */
  readonly #innerWhite: boolean;
  #at = 0;

  constructor(text: string, innerWhite: boolean) {
    this.#text = text;
    this.#innerWhite = innerWhite;
  }

  readAll(format: string): boolean {
    for (let at = 0; at < format.length; ) {
      if (this.#innerWhite) while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
      const count = this.#token(format, at);
      if (count === 0) return false;
      at += count;
    }
    return this.#at === this.#text.length;
  }

  /** Reads what the format has at a place; how much of the format that was, 0 when the text is another. */
  #token(format: string, at: number): number {
    const letter = format[at]!;
    if ('dMyHhmstzfFgKZ'.includes(letter)) {
      let count = 1;
      if (letter !== 'K' && letter !== 'Z') while (format[at + count] === letter) count++;
      return this.#field(letter, count) ? count : 0;
    }
    if (letter === "'" || letter === '"') return this.#quoted(format, at);
    if (letter === '\\') return at + 1 < format.length && this.#literal(format[at + 1]!) ? 2 : 0;
    if (letter === '%') return at + 1 < format.length && format[at + 1] !== '%' ? 1 : 0;
    if (letter === '.' && format[at + 1] === 'F') {
      if (this.#text[this.#at] === '.') this.#at++;
      return 1;
    }
    if (letter === ' ' && this.#innerWhite) return 1;
    if (format.startsWith('GMT', at)) {
      this.fields.zulu = true;
      return this.#literal('GMT') ? 3 : 0;
    }
    return this.#literal(letter) ? 1 : 0;
  }

  #quoted(format: string, from: number): number {
    for (let at = from + 1; at < format.length; at++) {
      if (format[at] === format[from]) return at + 1 - from;
      if (format[at] === '\\') at++;
      if (at >= format.length || !this.#literal(format[at]!)) return 0;
    }
    return 0;
  }

  #literal(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Whether a field that was read before said the same. */
  #set(field: Field, value: number | null): boolean {
    const before = this.fields[field];
    if (value === null || (before !== null && before !== value)) return false;
    this.fields[field] = value;
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

  #name(names: readonly string[], short: boolean): number | null {
    const found = names.findIndex((name) => {
      const wanted = short ? name.slice(0, 3) : name;
      return this.#text.slice(this.#at, this.#at + wanted.length).toLowerCase() === wanted.toLowerCase();
    });
    if (found < 0) return null;
    this.#at += short ? 3 : names[found]!.length;
    return found;
  }

  #field(letter: string, count: number): boolean {
    switch (letter) {
      case 'd':
        return count > 2 ? this.#set('weekday', this.#name(DAYS, count === 3)) : this.#set('day', this.#number(count));
      case 'M': {
        if (count <= 2) return this.#set('month', this.#number(count));
        const month = this.#name(MONTHS, count === 3);
        return this.#set('month', month === null ? null : month + 1);
      }
      case 'y': {
        const digits = count <= 2 ? this.#digits(count, 2) : this.#digits(count, count);
        if (digits === null) return false;
        return this.#set('year', count <= 2 ? fullYear(digits.padStart(2, '0')) : Number(digits));
      }
      case 'H':
      case 'h':
        this.fields.half ||= letter === 'h';
        return this.#set('hour', this.#number(count));
      case 'm':
        return this.#set('minute', this.#number(count));
      case 's':
        return this.#set('second', this.#number(count));
      default:
        return this.#markOrFraction(letter, count);
    }
  }

  #markOrFraction(letter: string, count: number): boolean {
    switch (letter) {
      case 'f':
      case 'F': {
        const digits = count > 7 ? null : this.#digits(letter === 'f' ? count : 0, count);
        if (digits === null) return false;
        this.fields.fraction = Number(digits.padEnd(7, '0'));
        return true;
      }
      case 't':
        return this.#mark(count);
      case 'g':
        return this.#era();
      default:
        return this.#zone(letter, count);
    }
  }

  #era(): boolean {
    const match = /^A\.D\.|^AD/i.exec(this.#text.slice(this.#at));
    this.#at += match?.[0].length ?? 0;
    return match !== null;
  }

  /** `t` is the letter alone as it is written, `tt` both in any case. */
  #mark(count: number): boolean {
    const given = this.#text.slice(this.#at, this.#at + Math.min(count, 2));
    const mark = count === 1 ? given : given.toUpperCase();
    const afternoon = mark === 'P' || mark === 'PM';
    if (!afternoon && mark !== 'A' && mark !== 'AM') return false;
    if (mark.length !== Math.min(count, 2)) return false;
    if (this.fields.afternoon !== null && this.fields.afternoon !== afternoon) return false;
    this.fields.afternoon = afternoon;
    this.#at += mark.length;
    return true;
  }

  #zone(letter: string, count: number): boolean {
    if (letter === 'Z' || letter === 'K') {
      const isZulu = this.#literal('Z') || (letter === 'Z' && this.#literal('GMT'));
      this.fields.zulu ||= isZulu;
      if (isZulu || letter === 'Z') return isZulu;
      if (!/^[+-]/.test(this.#text.slice(this.#at))) return true;
    }
    const shape =
      letter === 'K' || count > 2
        ? /^([+-])(\d\d|\d(?!\d)):?(\d\d)/
        : count === 1
          ? /^([+-])(\d{1,2})/
          : /^([+-])(\d\d)/;
    const match = shape.exec(this.#text.slice(this.#at));
    if (!match) return false;
    this.#at += match[0].length;
    const [, sign, hours, minutes = '0'] = match;
    const offset = Number(hours) * 60 + Number(minutes);
    this.fields.offsetMinutes = sign === '-' ? -offset : offset;
    return Number(minutes) < 60 && offset <= 840;
  }
}
