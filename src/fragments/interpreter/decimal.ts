// System.Decimal: an integer of at most 96 bits with 0 to 28 decimal places. Trailing zeros count for the text and not for equality;
// results that need more digits are rounded half to even, and what does not fit throws OverflowException.

import { overflow, raise } from './exceptions.ts';

const MAX = (1n << 96n) - 1n;
const POWERS: bigint[] = [1n];
for (let exponent = 1; exponent <= 120; exponent++) POWERS.push(POWERS[exponent - 1]! * 10n);

function power(exponent: number): bigint {
  return POWERS[exponent]!;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const TOO_LARGE = 'Value was either too large or too small for a Decimal.';

export class DecimalValue {
  static readonly zero = new DecimalValue(0n, 0);
  /** Signed, without the decimal point. */
  readonly digits: bigint;
  readonly scale: number;

  constructor(digits: bigint, scale: number) {
    this.digits = digits;
    this.scale = scale;
  }

  toString(): string {
    const negative = this.digits < 0n;
    let text = magnitude(this.digits).toString();
    if (this.scale > 0) {
      text = text.padStart(this.scale + 1, '0');
      text = `${text.slice(0, -this.scale)}.${text.slice(-this.scale)}`;
    }
    return negative ? `-${text}` : text;
  }
}

/** Divides and rounds half to even (or by another rule, see `roundTo`). */
function divideRound(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  const rest = magnitude(value % divisor) * 2n;
  if (rest < divisor || (rest === divisor && quotient % 2n === 0n)) return quotient;
  return quotient + (value < 0n ? -1n : 1n);
}

/** Brings a result of any size into 96 bits and 28 places, rounding once. */
function fitted(digits: bigint, scale: number): DecimalValue {
  if (scale <= 28 && magnitude(digits) <= MAX) return new DecimalValue(digits, scale);
  let drop = Math.max(0, scale - 28);
  for (; ; drop++) {
    if (drop > scale) return overflow(TOO_LARGE);
    const rounded = drop === 0 ? digits : divideRound(digits, power(drop));
    if (magnitude(rounded) <= MAX) return new DecimalValue(rounded, scale - drop);
  }
}

export function add(left: DecimalValue, right: DecimalValue): DecimalValue {
  const scale = Math.max(left.scale, right.scale);
  return fitted(left.digits * power(scale - left.scale) + right.digits * power(scale - right.scale), scale);
}

export function negate(value: DecimalValue): DecimalValue {
  return new DecimalValue(-value.digits, value.scale);
}

export function subtract(left: DecimalValue, right: DecimalValue): DecimalValue {
  return add(left, negate(right));
}

export function multiply(left: DecimalValue, right: DecimalValue): DecimalValue {
  const product = left.digits * right.digits;
  const scale = left.scale + right.scale;
  // A product of zero keeps its scale as far as 28 places go, and loses it to factors of more than 64 bits.
  const wide = magnitude(left.digits) >> 64n !== 0n || magnitude(right.digits) >> 64n !== 0n;
  if (product === 0n) return wide ? DecimalValue.zero : new DecimalValue(0n, Math.min(scale, 28));
  const result = fitted(product, scale);
  return result.digits === 0n && scale > 47 ? DecimalValue.zero : result;
}

/** Divides to as many places as fit, then drops the trailing zeros that the exact quotient does not need. */
export function divide(left: DecimalValue, right: DecimalValue): DecimalValue {
  if (right.digits === 0n) return raise('DivideByZeroException');
  const natural = left.scale - right.scale;
  if (left.digits === 0n) return new DecimalValue(0n, Math.max(0, Math.min(28, natural)));
  const extra = 60;
  const numerator = left.digits * power(extra);
  const divisor = right.digits < 0n ? -right.digits : right.digits;
  const signed = right.digits < 0n ? -numerator : numerator;
  const exact = signed % divisor === 0n;
  // A sticky digit keeps the one rounding of `fit` right when the quotient does not end.
  let digits = signed / divisor;
  let scale = natural + extra;
  if (!exact) {
    digits = digits * 10n + (signed < 0n ? -1n : 1n);
    scale += 1;
  }
  if (scale < 0) {
    digits *= power(-scale);
    scale = 0;
  }
  const least = Math.max(0, natural);
  if (exact) {
    while (scale > least && digits % 10n === 0n) {
      digits /= 10n;
      scale--;
    }
    if (scale <= 28 && magnitude(digits) <= MAX) return new DecimalValue(digits, scale);
  }
  return trimTo(fitted(digits, scale), 0);
}

function trimTo(value: DecimalValue, least: number): DecimalValue {
  let { digits, scale } = value;
  while (scale > least && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  return new DecimalValue(digits, scale);
}

export function remainder(left: DecimalValue, right: DecimalValue): DecimalValue {
  if (right.digits === 0n) return raise('DivideByZeroException');
  const scale = Math.max(left.scale, right.scale);
  const rest = (left.digits * power(scale - left.scale)) % (right.digits * power(scale - right.scale));
  if (magnitude(left.digits) * power(scale - left.scale) < magnitude(right.digits) * power(scale - right.scale))
    return left;
  return fitted(rest, scale);
}

export function compare(left: DecimalValue, right: DecimalValue): number {
  const scale = Math.max(left.scale, right.scale);
  const a = left.digits * power(scale - left.scale);
  const b = right.digits * power(scale - right.scale);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How the middle between two values is rounded: the numbers of MidpointRounding. */
export type Rounding = 0 | 1 | 2 | 3 | 4;

/** Divides by a power of ten under a rule. */
function divideBy(value: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = value / divisor;
  const rest = magnitude(value % divisor);
  if (rest === 0n) return quotient;
  const away = quotient + (value < 0n ? -1n : 1n);
  switch (rounding) {
    case 0:
      return divideRound(value, divisor);
    case 1:
      return rest * 2n >= divisor ? away : quotient;
    case 2:
      return quotient;
    case 3:
      return value < 0n ? away : quotient;
    default:
      return value < 0n ? quotient : away;
  }
}

/** Rounds to a number of places; fewer places stay as they are. */
export function roundTo(value: DecimalValue, places: number, rounding: Rounding): DecimalValue {
  if (value.scale <= places) return value;
  return new DecimalValue(divideBy(value.digits, power(value.scale - places), rounding), places);
}

/** The integer part. */
export function truncated(value: DecimalValue): bigint {
  return value.digits / power(value.scale);
}

/** The text of a number as decimal constants are written: digits, a point, a sign. */
export function decimalFromText(text: string): DecimalValue {
  const point = text.indexOf('.');
  if (point < 0) return fitted(BigInt(text), 0);
  return fitted(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1);
}

/** Digits and a power of ten that may be far out of range, as parsing finds them. */
export function decimalFromParts(digits: bigint, scale: number): DecimalValue {
  if (scale >= 0) return scale > 100 ? fitTiny(digits, scale) : fitted(digits, scale);
  if (digits === 0n) return DecimalValue.zero;
  return -scale > 40 ? overflow(TOO_LARGE) : fitted(digits * power(-scale), 0);
}

function fitTiny(digits: bigint, scale: number): DecimalValue {
  const text = magnitude(digits).toString();
  if (text.length < scale - 30) return new DecimalValue(0n, 28);
  const keep = BigInt(text.slice(0, Math.max(1, text.length - (scale - 100))));
  return fitted(digits < 0n ? -keep : keep, 100);
}

/** The nearest decimal of at most 15 (double) or 7 (float) significant digits, without trailing zeros. */
export function decimalFromReal(value: number, significant: number): DecimalValue {
  if (!Number.isFinite(value) || Math.abs(value) >= 7.9228162514264338e28) return overflow(TOO_LARGE);
  if (value === 0) return DecimalValue.zero;
  const [mantissa, exponentText] = value.toExponential(significant - 1).split('e') as [string, string];
  const scale = significant - 1 - Number(exponentText);
  const digits = BigInt(mantissa.replace('.', ''));
  if (scale < 0) return fitted(digits * power(-scale), 0);
  if (scale > 100) return DecimalValue.zero;
  return trimTo(fitted(digits, scale), 0);
}

export function realFromDecimal(value: DecimalValue): number {
  return Number(value.toString());
}

/** An integer of a range; throws outside of it. */
export function integerFromDecimal(value: DecimalValue, minimum: bigint, maximum: bigint, typeName: string): bigint {
  const whole = truncated(value);
  if (whole < minimum || whole > maximum) {
    return overflow(`Value was either too large or too small for ${typeName}.`);
  }
  return whole;
}
