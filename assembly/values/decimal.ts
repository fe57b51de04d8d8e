// Decimal: a sign, a 96-bit integer and a scale of 0..28 decimal places, trailing zeros kept. Text as .NET reads it with
// NumberStyles.Number and the invariant culture (white space, one sign before or after, thousands commas, a point, no exponent) and
// writes it without exponent.
//
// Record (values/types): u64 low 64 bits, u32 high 32 bits, u32 flags with the scale in bits 16..23 and the sign in bit 31.
// Text with more digits than fit is rounded once, half to even, from all its digits; a value that does not fit is refused.

import { isTrailingBlank, isWhite, skipWhite } from './scan';
import { multiplyHigh, wordTen, writeDigits } from './tables';

export const DECIMAL_HIGH: usize = 8;
export const DECIMAL_FLAGS: usize = 12;
const MAX_SCALE: i32 = 28;
const MAX_POINT: i32 = 29;
const TENTH_HIGH: u64 = 0x19999999; //         (2^32 - 1) / 10
const TENTH_LOW: u64 = 0x9999999999999999;
const NO_DIGIT: u32 = 10;

let scanPoint: i32 = 0; //        digits before the point, counted from the first that is not zero; negative for 0.0x
let scanFirst: usize = 0; //      address of that digit, 0 when all digits are zero
let scanEnd: usize = 0; //        first byte after digits and point

/** Reads digits, thousands commas and one point; false when there is no digit. */
function scanDigits(p: usize, end: usize): bool {
  let any = false;
  let fraction = false;
  scanPoint = 0;
  scanFirst = 0;
  while (p < end) {
    const byte = <u32>load<u8>(p);
    if (byte - 48 < 10) {
      any = true;
      if (scanFirst == 0 && byte != 48) scanFirst = p;
      if (scanFirst != 0) scanPoint += <i32>!fraction;
      else scanPoint -= <i32>fraction;
    } else if (byte == 46) {
      if (fraction) break;
      fraction = true;
    } else if (!(byte == 44 && any && !fraction)) {
      break;
    }
    p += 1;
  }
  scanEnd = p;
  return any;
}

/** The digit at or after `p`, skipping comma and point; NO_DIGIT at the end. Leaves its address in digitAt. */
let digitAt: usize = 0;
// @ts-ignore: decorator
@inline
function digitFrom(p: usize, end: usize): u32 {
  let digit: u32 = NO_DIGIT;
  while (p < end) {
    digit = <u32>load<u8>(p) - 48;
    if (digit < 10) break;
    digit = NO_DIGIT;
    p += 1;
  }
  digitAt = p;
  return digit;
}

/** Whether `parseDecimal` refused last for the size of a value, not for its text. */
export let tooLarge: bool = false;

/** Reads a Decimal into the record at `out`; false when the text is none or the value does not fit. */
export function parseDecimal(text: usize, end: usize, out: usize): bool {
  tooLarge = false;
  let p = skipWhite(text, end);
  let negative = false;
  let signed = false;
  if (p < end) {
    const sign = <u32>load<u8>(p);
    if (sign == 45 || sign == 43) {
      negative = sign == 45;
      signed = true;
      p += 1;
    }
  }
  if (!scanDigits(p, end)) return false;
  p = scanEnd;
  while (p < end) {
    const byte = <u32>load<u8>(p);
    if (!signed && (byte == 45 || byte == 43)) {
      negative = byte == 45;
      signed = true;
    } else if (!isWhite(byte)) {
      break;
    }
    p += 1;
  }
  if (p < end && !isTrailingBlank(p, end)) return false;
  const sign: u32 = negative ? 0x80000000 : 0;
  if (scanFirst == 0) {
    const scale = max<i32>(0, min<i32>(-scanPoint, MAX_SCALE));
    storeDecimal(out, 0, 0, sign, scale);
    return true;
  }
  tooLarge = scanPoint > MAX_POINT || !accumulate(out, sign);
  return !tooLarge;
}

// @ts-ignore: decorator
@inline
function storeDecimal(out: usize, low: u64, high: u64, sign: u32, scale: i32): void {
  store<u64>(out, low);
  store<u32>(out, <u32>high, DECIMAL_HIGH);
  store<u32>(out, sign | (<u32>scale << 16), DECIMAL_FLAGS);
}

/** Turns the scanned digits into 96 bits and a scale. */
function accumulate(out: usize, sign: u32): bool {
  const end = scanEnd;
  let exponent = scanPoint; // digits still to take before the point; negative: decimal places taken
  let low: u64 = 0;
  let high: u64 = 0;
  let digit = digitFrom(scanFirst, end);
  while (exponent > 0 || (digit != NO_DIGIT && exponent > -MAX_SCALE)) {
    const added: u64 = digit == NO_DIGIT ? 0 : <u64>digit;
    if (high >= TENTH_HIGH && !(high == TENTH_HIGH && (low < TENTH_LOW || (low == TENTH_LOW && added <= 5)))) break;
    high = high * 10 + multiplyHigh(low, 10);
    const tens = low * 10;
    low = tens + added;
    high += <u64>(low < tens);
    exponent -= 1;
    if (digit != NO_DIGIT) digit = digitFrom(digitAt + 1, end);
  }
  if (digit != NO_DIGIT && digit >= 5) {
    let up = true;
    if (digit == 5 && (low & 1) == 0) {
      up = false;
      while (digit != NO_DIGIT && !up) {
        digit = digitFrom(digitAt + 1, end);
        up = digit != NO_DIGIT && digit != 0;
      }
    }
    if (up) {
      low += 1;
      high += <u64>(low == 0);
      if (high >> 32 != 0) {
        // 2^96 at this scale: one digit less, rounded up again.
        low = TENTH_LOW + 1;
        high = TENTH_HIGH;
        exponent += 1;
      }
    }
  }
  if (exponent > 0) return false;
  if (exponent < -MAX_SCALE) {
    storeDecimal(out, 0, 0, sign, MAX_SCALE);
    return true;
  }
  storeDecimal(out, low, high, sign, -exponent);
  return true;
}

/** Writes the Decimal at `record` to `out` (64 bytes free, used as working room); returns the bytes of its text. */
export function writeDecimal(out: usize, record: usize): u32 {
  let low = load<u64>(record);
  let high = <u64>load<u32>(record, DECIMAL_HIGH);
  const flags = load<u32>(record, DECIMAL_FLAGS);
  const scale = (flags >> 16) & 0xff;
  const isZero = (low | high) == 0;
  // Four groups of nine digits at out + 28 .. out + 64; the text (31 bytes at most) never reaches the first digit that counts.
  let group = out + 64;
  while (group > out + 28) {
    const top = high / 1000000000;
    const middle = ((high - top * 1000000000) << 32) | (low >> 32);
    const middleQuotient = middle / 1000000000;
    const bottom = ((middle - middleQuotient * 1000000000) << 32) | (low & 0xffffffff);
    const bottomQuotient = bottom / 1000000000;
    group -= 9;
    writeDigits(group, bottom - bottomQuotient * 1000000000, 9);
    high = top;
    low = (middleQuotient << 32) | bottomQuotient;
  }
  let from = out + 28;
  const last = out + 63 - <usize>scale; // the last digit before the point is always written
  while (from < last && load<u8>(from) == 48) from += 1;
  let p = out;
  if (flags >> 31 != 0 && !isZero) {
    store<u8>(p, 45);
    p += 1;
  }
  while (from < out + 64) {
    store<u8>(p, load<u8>(from));
    p += 1;
    if (from == last && scale != 0) {
      store<u8>(p, 46);
      p += 1;
    }
    from += 1;
  }
  return <u32>(p - out);
}

// --- Comparison -----------------------------------------------------------------------------------------------------------------

let wide0: u64 = 0;
let wide1: u64 = 0;
let wide2: u64 = 0;

/** wide = (high:low) * 10^power, power <= 28: below 2^190. */
function scaleUp(low: u64, high: u64, power: u32): void {
  const first = power > 19 ? 19 : power;
  const factor = wordTen(first);
  wide0 = low * factor;
  const carry = multiplyHigh(low, factor);
  const product = high * factor;
  wide1 = product + carry;
  wide2 = multiplyHigh(high, factor) + <u64>(wide1 < product);
  if (power <= 19) return;
  const second = wordTen(power - 19);
  const carry0 = multiplyHigh(wide0, second);
  const carry1 = multiplyHigh(wide1, second);
  wide0 *= second;
  const product1 = wide1 * second;
  wide1 = product1 + carry0;
  wide2 = wide2 * second + carry1 + <u64>(wide1 < product1);
}

/** Order of two Decimal records by value: -1, 0, 1. */
export function compareDecimals(a: usize, b: usize): i32 {
  const aLow = load<u64>(a);
  const bLow = load<u64>(b);
  const aHigh = <u64>load<u32>(a, DECIMAL_HIGH);
  const bHigh = <u64>load<u32>(b, DECIMAL_HIGH);
  const aFlags = load<u32>(a, DECIMAL_FLAGS);
  const bFlags = load<u32>(b, DECIMAL_FLAGS);
  const aZero = (aLow | aHigh) == 0;
  const bZero = (bLow | bHigh) == 0;
  const aNegative = aFlags >> 31 != 0 && !aZero;
  const bNegative = bFlags >> 31 != 0 && !bZero;
  if (aNegative != bNegative) return aNegative ? -1 : 1;
  const direction: i32 = aNegative ? -1 : 1;
  const aScale = (aFlags >> 16) & 0xff;
  const bScale = (bFlags >> 16) & 0xff;
  if (aScale == bScale) {
    if (aHigh != bHigh) return aHigh < bHigh ? -direction : direction;
    if (aLow != bLow) return aLow < bLow ? -direction : direction;
    return 0;
  }
  scaleUp(aLow, aHigh, aScale < bScale ? bScale - aScale : 0);
  const a0 = wide0;
  const a1 = wide1;
  const a2 = wide2;
  scaleUp(bLow, bHigh, bScale < aScale ? aScale - bScale : 0);
  if (a2 != wide2) return a2 < wide2 ? -direction : direction;
  if (a1 != wide1) return a1 < wide1 ? -direction : direction;
  if (a0 != wide0) return a0 < wide0 ? -direction : direction;
  return 0;
}

/** A number that is equal for equal values whatever their scale: low, high and scale without trailing zeros, mixed. */
export function decimalIdentity(record: usize): u64 {
  let low = load<u64>(record);
  let high = <u64>load<u32>(record, DECIMAL_HIGH);
  const flags = load<u32>(record, DECIMAL_FLAGS);
  if ((low | high) == 0) return 0;
  let scale = (flags >> 16) & 0xff;
  while (scale > 0 && (low & 1) == 0) {
    const top = high / 10;
    const middle = ((high - top * 10) << 32) | (low >> 32);
    const middleQuotient = middle / 10;
    const bottom = ((middle - middleQuotient * 10) << 32) | (low & 0xffffffff);
    const bottomQuotient = bottom / 10;
    if (bottom != bottomQuotient * 10) break;
    high = top;
    low = (middleQuotient << 32) | bottomQuotient;
    scale -= 1;
  }
  return low ^ ((high + 1) * 0x9e3779b97f4a7c15) ^ ((<u64>scale << 56) | (<u64>(flags >> 31) << 48));
}
