// Reading numbers from text as .NET does in the invariant culture, under the flags of NumberStyles.

import { type DecimalValue, decimalFromParts } from './decimal.ts';
import { ExceptionObject, formatError, overflow, Thrown } from './exceptions.ts';
import { charge } from './machine.ts';

export const Style = {
  leadingWhite: 1, trailingWhite: 2, leadingSign: 4, trailingSign: 8, parentheses: 16, decimalPoint: 32, thousands: 64,
  exponent: 128, currency: 256, hexadecimal: 512, integer: 7, number: 111, float: 167, floatAndThousands: 231,
} as const; // biome-ignore format: a table

/** What was read: the digits without the point, and how many of them are behind it. */
interface Scanned {
  readonly negative: boolean;
  readonly digits: string;
  readonly scale: number;
}

const WHITE = /[\t-\r ]/;

class NumberScanner {
  #text: string;
  #style: number;
  #at = 0;
  #negative = false;
  #signed = false;
  #parenthesis = false;
  #currency = false;

  constructor(text: string, style: number) {
    this.#text = text;
    this.#style = style;
  }

  /** null when the text is not a number of this style. */
  scan(): Scanned | null {
    this.#prefix();
    const body = this.#body();
    if (body === null || !this.#suffix()) return null;
    return { negative: this.#negative, ...body };
  }

  #allows(flag: number): boolean {
    return (this.#style & flag) !== 0;
  }

  #prefix(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!;
      const white = WHITE.test(character) && this.#allows(Style.leadingWhite);
      // Between a sign and the digits white space is fine only behind a currency sign.
      if (white && (!this.#signed || this.#currency)) continue;
      if (!this.#signed && this.#allows(Style.leadingSign) && this.#takeSign(character)) continue;
      if (character === '(' && this.#allows(Style.parentheses) && !this.#signed) {
        this.#signed = true;
        this.#parenthesis = true;
        this.#negative = true;
        continue;
      }
      if (character === '¤' && this.#allows(Style.currency) && !this.#currency) {
        this.#currency = true;
        continue;
      }
      return;
    }
  }

  #takeSign(character: string): boolean {
    if (character !== '+' && character !== '-' && character !== '\u2212') return false;
    if (character === '\u2212') return false;
    this.#signed = true;
    this.#negative = character === '-';
    return true;
  }

  #body(): { digits: string; scale: number } | null {
    let digits = '';
    let scale = 0;
    let point = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!;
      if (character >= '0' && character <= '9') {
        digits += character;
        if (point) scale++;
      } else if (character === '.' && !point && this.#allows(Style.decimalPoint)) point = true;
      else if (!(character === ',' && !point && digits !== '' && this.#allows(Style.thousands))) break;
    }
    if (digits === '') return null;
    return { digits, scale: scale - this.#exponent() };
  }

  #exponent(): number {
    if (!this.#allows(Style.exponent)) return 0;
    const match = /^[eE]([+-]?\d+)/.exec(this.#text.slice(this.#at, this.#at + 64));
    if (!match) return 0;
    this.#at += match[0].length;
    while (/\d/.test(this.#text[this.#at] ?? '')) this.#at++;
    return Math.max(-99_999, Math.min(99_999, Number(match[1])));
  }

  #suffix(): boolean {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!;
      if (WHITE.test(character) && this.#allows(Style.trailingWhite)) continue;
      if (!this.#signed && this.#allows(Style.trailingSign) && this.#takeSign(character)) continue;
      if (character === ')' && this.#parenthesis) {
        this.#parenthesis = false;
        continue;
      }
      if (character === '¤' && this.#allows(Style.currency) && !this.#currency) {
        this.#currency = true;
        continue;
      }
      break;
    }
    return !this.#parenthesis && /^\0*$/.test(this.#text.slice(this.#at));
  }
}

function scanNumber(text: string, style: number): Scanned | null {
  charge(text.length >> 1);
  return new NumberScanner(text, style).scan();
}

/** How a read ended: the value, or the exception that Parse throws for it. */
type Outcome<T> = { readonly value: T } | 'format' | 'overflow';

export function readInteger(text: string, style: number, minimum: bigint, maximum: bigint): Outcome<bigint> {
  if ((style & Style.hexadecimal) !== 0) return readHexadecimal(text, style, minimum, maximum);
  const scanned = scanNumber(text, style);
  if (!scanned) return 'format';
  let { digits, scale } = scanned;
  if (scale > 0) {
    const fraction = digits.slice(Math.max(0, digits.length - scale)).padStart(scale, '0');
    if (/[1-9]/.test(fraction)) return 'overflow';
    digits = digits.slice(0, Math.max(0, digits.length - scale)) || '0';
    scale = 0;
  }
  if (/^0*$/.test(digits)) return { value: 0n };
  if (digits.replace(/^0+/, '').length - scale > 40) return 'overflow';
  const size = BigInt(digits) * 10n ** BigInt(-scale);
  const value = scanned.negative ? -size : size;
  return value < minimum || value > maximum ? 'overflow' : { value };
}

function readHexadecimal(text: string, style: number, minimum: bigint, maximum: bigint): Outcome<bigint> {
  const match = /^([\t-\r ]*)([0-9a-fA-F]+)([\t-\r ]*)\0*$/.exec(text);
  if (!match) return 'format';
  if (match[1] !== '' && (style & Style.leadingWhite) === 0) return 'format';
  if (match[3] !== '' && (style & Style.trailingWhite) === 0) return 'format';
  const digits = match[2]!.replace(/^0+/, '');
  const span = maximum - minimum;
  if (digits.length > 16) return 'overflow';
  const value = BigInt(`0x0${digits}`);
  if (value > span) return 'overflow';
  return { value: value > maximum ? value - span - 1n : value };
}

export function readReal(text: string, style: number): Outcome<number> {
  const scanned = scanNumber(text, style);
  if (scanned) {
    const value = Number(`${scanned.digits}e${-scanned.scale}`);
    return { value: scanned.negative ? -value : value };
  }
  const word = text.trim().toLowerCase();
  switch (word) {
    case 'nan':
    case '+nan':
    case '-nan':
      return { value: Number.NaN };
    case 'infinity':
    case '+infinity':
      return { value: Number.POSITIVE_INFINITY };
    case '-infinity':
      return { value: Number.NEGATIVE_INFINITY };
    default:
      return 'format';
  }
}

export function readDecimal(text: string, style: number): Outcome<DecimalValue> {
  const scanned = scanNumber(text, style);
  if (!scanned) return 'format';
  // No more digits than can count: what follows is only above or below a tie.
  const digits = scanned.digits.replace(/^0+(?=\d)/, '');
  const kept = digits.length > 200 ? `${digits.slice(0, 200)}1` : digits;
  const scale = digits.length > 200 ? scanned.scale - (digits.length - 201) : scanned.scale;
  const size = BigInt(kept);
  try {
    return { value: decimalFromParts(scanned.negative ? -size : size, scale) };
  } catch (error) {
    if (error instanceof Thrown && error.exception instanceof ExceptionObject) return 'overflow';
    throw error;
  }
}

/** The value, or the exception. `typeName` as messages have it: `an Int32`. */
export function valueOrThrow<T>(outcome: Outcome<T>, typeName: string): T {
  if (outcome === 'format') return formatError();
  if (outcome === 'overflow') return overflow(`Value was either too large or too small for ${typeName}.`);
  return outcome.value;
}
