// Numbers as rows of decimal digits: the common ground of the standard and the custom number formats.

import type { DecimalValue } from './decimal.ts';
import { charge } from './machine.ts';

/** 0.d1d2d3… times ten to the power of `point`. No leading zeros; zero has no digits. */
export interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
  /** Decimal keeps zeros at the end; other numbers do not. */
  readonly places: number;
}

const bits = new DataView(new ArrayBuffer(8));

export function digitsOfInteger(value: number | bigint): Digits {
  const text = String(value);
  const negative = text.startsWith('-');
  const digits = text === '0' ? '' : negative ? text.slice(1) : text;
  return { negative, digits, point: digits.length, places: 0 };
}

export function digitsOfDecimal(value: DecimalValue): Digits {
  const negative = value.digits < 0n;
  const text = (negative ? -value.digits : value.digits).toString();
  const digits = text === '0' ? '' : text;
  return { negative, digits, point: digits === '' ? 0 : digits.length - value.scale, places: value.scale };
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

function fromScientific(text: string, negative: boolean): Digits {
  const [mantissa, exponent] = text.split('e') as [string, string];
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  return { negative, digits, point: digits === '' ? 0 : Number(exponent) + 1, places: 0 };
}

/**
 * The fewest digits that read back as the same double. Where they lie exactly in the middle of two doubles (1E+23), .NET does not count on
 * the reader's rounding and takes more.
 */
export function shortestDouble(value: number): Digits {
  const size = Math.abs(value);
  const negative = isNegative(value);
  let found = fromScientific(size.toExponential(), negative);
  for (let count = found.digits.length; count < 17 && isMiddle(found, size, 53); count++) {
    found = fromScientific(size.toExponential(count), negative);
  }
  return found;
}

/** Whether digits lie as far from a real number of `precision` bits as from the next one: possible for few, large, whole numbers only. */
function isMiddle({ digits, point }: Digits, size: number, precision: number): boolean {
  if (size < 2 ** precision || size === Number.POSITIVE_INFINITY) return false;
  const twice = 2n * BigInt(digits.padEnd(point, '0')) - 2n * BigInt(size);
  bits.setFloat64(0, size);
  const word = bits.getBigUint64(0);
  const step = 1n << (((word >> 52n) & 0x7ffn) - 1022n - BigInt(precision));
  // Below a power of two the next number is half as far.
  const below = (word & 0xfffffffffffffn) === 0n ? step / 2n : step;
  return twice === step || twice === -below;
}

/** The fewest digits that read back as the same float; not in the middle of two either. */
export function shortestSingle(value: number): Digits {
  const size = Math.abs(value);
  const negative = isNegative(value);
  for (let precision = 0; precision < 9; precision++) {
    const nearest = nearestDigits(size, precision);
    // Beside the nearest number of so many digits the next one may be the only one that reads back: at powers of two.
    for (const candidate of [nearest.mantissa, nearest.mantissa - 1, nearest.mantissa + 1]) {
      if (Math.fround(Number(`${candidate}e${nearest.exponent}`)) !== size) continue;
      const all = String(candidate);
      const digits = all.replace(/0+$/, '');
      const found = { negative, digits, point: digits === '' ? 0 : all.length + nearest.exponent, places: 0 };
      if (!isMiddle(found, size, 24)) return found;
    }
  }
  return fromScientific(size.toExponential(9), negative);
}

/** The nearest number with `precision` digits behind the first; of two as near, which toExponential rounds up, the even one. */
function nearestDigits(size: number, precision: number): { mantissa: number; exponent: number } {
  const [text, exponent] = size.toExponential(precision).split('e') as [string, string];
  const mantissa = Number(text.replace('.', ''));
  const longer = size.toExponential(precision + 1);
  const isTie = /5e/.test(longer) && Number(longer) === size;
  return { mantissa: isTie && mantissa % 2 === 1 ? mantissa - 1 : mantissa, exponent: Number(exponent) - precision };
}

/** Every decimal digit that a finite number has. */
export function exactDigits(value: number): Digits {
  charge(16);
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  const shift = (exponent === 0 ? 1 : exponent) - 1075;
  const whole = shift >= 0 ? mantissa << BigInt(shift) : mantissa * 5n ** BigInt(-shift);
  const text = whole === 0n ? '' : whole.toString();
  const point = text === '' ? 0 : text.length - (shift >= 0 ? 0 : -shift);
  return { negative: isNegative(value), digits: text.replace(/0+$/, ''), point, places: 0 };
}

/** Keeps `count` leading digits. Ties go to even (as real numbers are written) or away from zero (all others). */
export function keepDigits(number: Digits, count: number, tiesToEven: boolean): Digits {
  const { digits, negative, places } = number;
  if (count >= digits.length) return number;
  if (count < 0) return { negative, digits: '', point: 0, places };
  const next = digits.charCodeAt(count) - 48;
  const rest = /[1-9]/.test(digits.slice(count + 1));
  const last = count === 0 ? 0 : digits.charCodeAt(count - 1) - 48;
  const up = next > 5 || (next === 5 && (rest || !tiesToEven || last % 2 === 1));
  let kept = digits.slice(0, count);
  let { point } = number;
  if (up) {
    const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString();
    if (raised.length > count) point++;
    kept = raised;
  }
  kept = kept.replace(/0+$/, '');
  return { negative, digits: kept, point: kept === '' ? 0 : point, places };
}

/** The digits before the point, at least one, and exactly `count` after it; the number has been rounded to them. */
export function fixedParts(number: Digits, count: number): { whole: string; fraction: string } {
  const { digits, point } = number;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const after = point > 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, count)) + digits;
  return { whole, fraction: after.slice(0, count).padEnd(count, '0') };
}

/** Commas every three digits. */
export function grouped(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',');
}
