// Custom number formats: `0`, `#`, the decimal point, group and scaling commas, per cent and per mille, exponents, literals and the
// three sections for positive, negative and zero.

import { allocate, charge } from './machine.ts';
import { type Digits, keepDigits } from './number-text.ts';

/** What one section asks for. */
interface Section {
  readonly start: number;
  readonly digits: number; // places before and after the point
  readonly point: number; // how many of them before it
  readonly firstZero: number;
  readonly lastZero: number;
  readonly groups: boolean;
  readonly shift: number; // powers of ten by per cent, per mille and scaling commas
  readonly scientific: boolean;
}

/** Where the sections of a format begin; literals hide their semicolons. */
function sectionStart(format: string, wanted: number): number {
  if (wanted === 0) return 0;
  let left = wanted;
  for (let at = 0; at < format.length; at++) {
    const character = format[at]!;
    if (character === "'" || character === '"') at = closingQuote(format, at);
    else if (character === '\\') at++;
    else if (character === ';' && --left === 0) {
      return at + 1 < format.length && format[at + 1] !== ';' ? at + 1 : 0;
    }
  }
  return 0;
}

function closingQuote(format: string, open: number): number {
  const close = format.indexOf(format[open]!, open + 1);
  return close < 0 ? format.length : close;
}

function isExponent(format: string, at: number): boolean {
  return /^[eE](?:[+-]?0)/.test(format.slice(at, at + 3));
}

function readSection(format: string, start: number): Section {
  let digits = 0;
  let point = -1;
  let firstZero = Number.MAX_SAFE_INTEGER;
  let lastZero = 0;
  let commaAt = -1;
  let commas = 0;
  let groups = false;
  let shift = 0;
  let scientific = false;
  const closeCommas = () => {
    if (commaAt < 0) return;
    if (commaAt === point) shift -= 3 * commas;
    else groups = true;
  };
  for (let at = start; at < format.length && format[at] !== ';'; at++) {
    const character = format[at]!;
    if (character === '0' || character === '#') {
      if (character === '0') {
        firstZero = Math.min(firstZero, digits);
        lastZero = digits + 1;
      }
      digits++;
    } else if (character === '.') {
      if (point < 0) point = digits;
    } else if (character === ',') {
      if (digits > 0 && point < 0) {
        if (commaAt >= 0 && commaAt === digits) commas++;
        else {
          if (commaAt >= 0) groups = true;
          commaAt = digits;
          commas = 1;
        }
      }
    } else if (character === '%') shift += 2;
    else if (character === '\u2030') shift += 3;
    else if (character === "'" || character === '"') at = closingQuote(format, at);
    else if (character === '\\') at++;
    else if (isExponent(format, at)) {
      scientific = true;
      while (format[at + 1] !== undefined && /[+\-0]/.test(format[at + 1]!)) at++;
    }
  }
  if (point < 0) point = digits;
  closeCommas();
  const leadingZeros = firstZero < point ? point - firstZero : 0;
  const trailingZeros = lastZero > point ? point - lastZero : 0;
  return { start, digits, point, firstZero: leadingZeros, lastZero: trailingZeros, groups, shift, scientific };
}

/** Chooses the section and rounds the number to it. */
function fitSection(number: Digits, format: string): { section: Section; number: Digits } {
  let section = readSection(format, sectionStart(format, number.digits === '' ? 2 : number.negative ? 1 : 0));
  while (true) {
    if (number.digits === '') return { section, number };
    const shifted = { ...number, point: number.point + section.shift };
    const keep = section.scientific ? section.digits : shifted.point + section.digits - section.point;
    const rounded = keepDigits(shifted, keep, false);
    if (rounded.digits !== '') return { section, number: rounded };
    const zero = sectionStart(format, 2);
    if (zero === section.start) return { section, number: { ...rounded, negative: number.negative } };
    section = readSection(format, zero);
    number = rounded;
  }
}

/** Formats digits by a custom format; `format` is not empty. */
export function formatCustomNumber(value: Digits, format: string): string {
  charge(format.length);
  allocate(format.length * 2 + 64);
  const { section, number } = fitSection(value, format);
  const writer = new SectionWriter(section, number);
  const text = writer.write(format);
  const signed = number.negative && section.start === 0 && (number.digits !== '' || text !== '');
  return signed ? `-${text}` : text;
}

class SectionWriter {
  readonly #section: Section;
  readonly #number: Digits;
  #text = '';
  /** The next digit of the number. */
  #at = 0;
  /** Places before the point that are still to be written; negative after it. */
  #place: number;
  /** Digits that the number has before the point more than the format has places. */
  #extra: number;
  #pointWritten = false;
  readonly #groupSize = 3;

  constructor(section: Section, number: Digits) {
    this.#section = section;
    this.#number = number;
    const before = section.scientific ? section.point : Math.max(number.point, section.point);
    this.#place = before;
    this.#extra = section.scientific ? 0 : Math.max(0, number.point - section.point);
  }

  write(format: string): string {
    const { start } = this.#section;
    if (this.#section.scientific) this.#place = this.#section.point;
    for (let at = start; at < format.length && format[at] !== ';'; at++) {
      const character = format[at]!;
      if (character === '0' || character === '#') this.#writePlaces();
      else if (character === '.') this.#writePoint();
      else if (character === ',') continue;
      else if (character === "'" || character === '"') {
        const close = closingQuote(format, at);
        this.#text += format.slice(at + 1, close);
        at = close;
      } else if (character === '\\') {
        if (at + 1 < format.length) this.#text += format[++at];
      } else if (isExponent(format, at)) at = this.#writeExponent(format, at);
      else this.#text += character;
    }
    return this.#text;
  }

  /** One place of the format; the first one brings the digits that have no place. */
  #writePlaces(): void {
    while (this.#extra > 0) {
      this.#extra--;
      this.#writeDigit(true);
    }
    this.#writeDigit(false);
  }

  #writeDigit(always: boolean): void {
    const { point, digits } = this.#number;
    const shift = this.#section.scientific ? this.#section.point - (digits === '' ? 0 : point) : 0;
    const hasDigit = this.#place <= point + shift && this.#at < digits.length;
    const started = this.#at > 0;
    let digit = '';
    if (hasDigit) digit = digits[this.#at++]!;
    else if (
      this.#place > 0
        ? started || this.#place <= this.#section.firstZero
        : this.#place > this.#section.lastZero || this.#at < digits.length
    )
      digit = '0';
    else if (always) digit = '0';
    if (digit !== '') {
      if (this.#place <= 0 && !this.#pointWritten) this.#writeMark();
      this.#text += digit;
      if (this.#section.groups && this.#place > 1 && (this.#place - 1) % this.#groupSize === 0) this.#text += ',';
    }
    this.#place--;
  }

  #writePoint(): void {
    if (this.#place !== 0 || this.#pointWritten) return;
    if (
      this.#section.lastZero < 0 ||
      (this.#section.point < this.#section.digits && this.#at < this.#number.digits.length)
    ) {
      this.#writeMark();
    }
  }

  #writeMark(): void {
    this.#text += '.';
    this.#pointWritten = true;
  }

  #writeExponent(format: string, from: number): number {
    let at = from + 1;
    let plus = false;
    if (format[at] === '+' || format[at] === '-') plus = format[at++] === '+';
    let width = 0;
    while (format[at] === '0') {
      width++;
      at++;
    }
    const { digits, point } = this.#number;
    const exponent = digits === '' ? 0 : point - this.#section.point;
    const sign = exponent < 0 ? '-' : plus ? '+' : '';
    this.#text += format[from] + sign + String(Math.abs(exponent)).padStart(Math.min(width, 10), '0');
    return at - 1;
  }
}
