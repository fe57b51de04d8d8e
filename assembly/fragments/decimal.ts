// System.Decimal for compiled fragments: 128 bits as they lie in a record (values/decimal.ts): 96 bits of digits, a word with the scale in
// bits 16..23 and the sign in bit 31. Zero has no sign. Results that need more digits are rounded once, half to even; what does not fit is
// a fault (faults.ts). Trailing zeros are kept as .NET keeps them. The rules are those of src/fragments/interpreter/decimal.ts.

import { multiplyHigh, wordTen } from '../values/tables';
import {
  addWords, differWords, divideWords, dropDigits, dropNothing, dropped, increaseWords, setProduct, setScaled, setWords, sticky, word0,
  word1, word2, wordBits,
} from './decimal-words';
import { FAULT_ARGUMENT, FAULT_DIVISION, FAULT_OVERFLOW, FAULT_RANGE, highOf, leaveFault, lowOf, wide, wideFault } from './faults';

const MOST_SCALE: i32 = 28;
const SIGN: u64 = 0x8000000000000000;
const DIGITS: u64 = 0xffffffff;

// @ts-ignore: decorator
@inline
function scaleOf(high: u64): i32 {
  return <i32>((high >> 48) & 0xff);
}

/** Digits, the sign as a high word has it, and a scale as a value. */
// @ts-ignore: decorator
@inline
function made(low: u64, high: u64, sign: u64, scale: i32): v128 {
  return wide(low, high | (<u64>scale << 48) | ((low | high) == 0 ? 0 : sign));
}

// @ts-ignore: decorator
@inline
function isZero(value: v128): bool {
  return (lowOf(value) | (highOf(value) & DIGITS)) == 0;
}

/** A value as a property or a constant has it: zero loses its sign. */
export function decimalLoad(record: usize): v128 {
  const value = v128.load(record);
  return isZero(value) ? v128.and(value, wide(~(<u64>0), ~SIGN)) : value;
}

/** Brings the number in the words into 96 bits and 28 places, rounding once. `inexact`: it is a little larger than it says. */
function fitted(sign: u64, scale: i32, inexact: bool): v128 {
  let drop = max<i32>(scale - MOST_SCALE, 0);
  const bits = <i32>wordBits();
  // At least so many digits are too much.
  if (bits > 96) drop = max<i32>(drop, ((bits - 97) * 1233) >> 12);
  if (drop > scale) return wideFault(FAULT_OVERFLOW);
  dropNothing(inexact);
  dropDigits(drop);
  scale -= drop;
  while (true) {
    if ((word2 | (word1 >> 32)) == 0) {
      if (dropped < 5 || (dropped == 5 && !sticky && (word0 & 1) == 0)) break;
      if (word0 != ~(<u64>0) || word1 != DIGITS) {
        increaseWords();
        break;
      }
    }
    if (scale == 0) return wideFault(FAULT_OVERFLOW);
    dropDigits(1);
    scale--;
  }
  return made(word0, word1, sign, scale);
}

// --- Sums and products ---------------------------------------------------------------------------------------------------

export function decimalAdd(a: v128, b: v128): v128 {
  let aHigh = highOf(a);
  let bHigh = highOf(b);
  let aScale = scaleOf(aHigh);
  let bScale = scaleOf(bHigh);
  // The one with fewer places is brought to those of the other.
  if (aScale > bScale) {
    const value = a;
    a = b;
    b = value;
    aHigh = bHigh;
    bHigh = highOf(b);
    const scale = aScale;
    aScale = bScale;
    bScale = scale;
  }
  let aSign = aHigh & SIGN;
  if (aScale == bScale) setWords(lowOf(a), aHigh & DIGITS, 0);
  else setScaled(lowOf(a), aHigh & DIGITS, <u32>(bScale - aScale));
  if (aSign == (bHigh & SIGN)) addWords(lowOf(b), bHigh & DIGITS);
  else if (differWords(lowOf(b), bHigh & DIGITS)) aSign ^= SIGN;
  if ((word2 | (word1 >> 32)) == 0) return made(word0, word1, aSign, bScale);
  return fitted(aSign, bScale, false);
}

export function decimalNegate(value: v128): v128 {
  return isZero(value) ? value : v128.xor(value, wide(0, SIGN));
}

export function decimalAbsolute(value: v128): v128 {
  return v128.and(value, wide(~(<u64>0), ~SIGN));
}

export function decimalSubtract(a: v128, b: v128): v128 {
  return decimalAdd(a, decimalNegate(b));
}

export function decimalMultiply(a: v128, b: v128): v128 {
  let aHigh = highOf(a);
  let bHigh = highOf(b);
  const scale = scaleOf(aHigh) + scaleOf(bHigh);
  const sign = (aHigh ^ bHigh) & SIGN;
  aHigh &= DIGITS;
  bHigh &= DIGITS;
  setProduct(lowOf(a), aHigh, lowOf(b), bHigh);
  if ((word0 | word1 | word2) == 0) return made(0, 0, 0, (aHigh | bHigh) != 0 ? 0 : min<i32>(scale, MOST_SCALE));
  if (scale <= MOST_SCALE && (word2 | (word1 >> 32)) == 0) return made(word0, word1, sign, scale);
  const result = fitted(sign, scale, false);
  // So small that not even its places are kept.
  return scale > 47 && isZero(result) ? i64x2.splat(0) : result;
}

// --- Division ------------------------------------------------------------------------------------------------------------

let restLow: u64 = 0;
let restHigh: u64 = 0;

/** The words = dividend / divisor, both of 96 bits; the rest is left in `restLow` and `restHigh`. */
function divide96(low: u64, high: u64, divisorLow: u64, divisorHigh: u64): void {
  if (divisorHigh == 0 && divisorLow >> 32 == 0) {
    setWords(low, high, 0);
    restLow = divideWords(divisorLow);
    restHigh = 0;
    return;
  }
  if ((high | divisorHigh) == 0) {
    const quotient = low / divisorLow;
    setWords(quotient, 0, 0);
    restLow = low - quotient * divisorLow;
    restHigh = 0;
    return;
  }
  const bits = high != 0 ? 128 - <i32>clz(high) : 64 - <i32>clz(low);
  let shift = bits - (divisorHigh != 0 ? 128 - <i32>clz(divisorHigh) : 64 - <i32>clz(divisorLow));
  let quotientLow: u64 = 0;
  let quotientHigh: u64 = 0;
  if (shift > 0) {
    divisorHigh = shift > 63 ? divisorLow << (shift - 64) : (divisorHigh << shift) | (divisorLow >> (64 - shift));
    divisorLow = shift > 63 ? 0 : divisorLow << shift;
  }
  while (shift >= 0) {
    quotientHigh = (quotientHigh << 1) | (quotientLow >> 63);
    quotientLow <<= 1;
    if (high > divisorHigh || (high == divisorHigh && low >= divisorLow)) {
      high = high - divisorHigh - u64(low < divisorLow);
      low -= divisorLow;
      quotientLow |= 1;
    }
    divisorLow = (divisorLow >> 1) | (divisorHigh << 63);
    divisorHigh >>= 1;
    shift--;
  }
  setWords(quotientLow, quotientHigh, 0);
  restLow = low;
  restHigh = high;
}

/** The next digit of a quotient: rest * 10 / divisor; the rest goes on. */
function nextDigit(divisorLow: u64, divisorHigh: u64): u64 {
  if (divisorHigh == 0 && divisorLow >> 60 == 0) {
    const ten = restLow * 10;
    const digit = ten / divisorLow;
    restLow = ten - digit * divisorLow;
    return digit;
  }
  let high = restHigh * 10 + multiplyHigh(restLow, 10);
  let low = restLow * 10;
  let digit: u64 = 0;
  while (high > divisorHigh || (high == divisorHigh && low >= divisorLow)) {
    high = high - divisorHigh - u64(low < divisorLow);
    low -= divisorLow;
    digit++;
  }
  restLow = low;
  restHigh = high;
  return digit;
}

/** Whether ten times the number of the words and 9 more has 96 bits. */
// @ts-ignore: decorator
@inline
function takesDigit(): bool {
  return word1 < 0x19999999 || (word1 == 0x19999999 && word0 < 0x9999999999999999);
}

function appendDigit(digit: u64): void {
  const low = word0 * 10;
  const high = word1 * 10 + multiplyHigh(word0, 10);
  const sum = low + digit;
  setWords(sum, high + u64(sum < low), 0);
}

/** Nine digits of a quotient at once, by a divisor of 32 bits; the number has at most 66. Zeros at the end are taken away later. */
function appendNine(divisor: u64): void {
  const part = restLow * 1000000000;
  const quotient = part / divisor;
  restLow = part - quotient * divisor;
  const low = word0 * 1000000000;
  const sum = low + quotient;
  setWords(sum, word1 * 1000000000 + multiplyHigh(word0, 1000000000) + u64(sum < low), 0);
}

/** Whether the rest is more than (1), exactly (0) or less than (-1) half the divisor. */
function besideHalf(divisorLow: u64, divisorHigh: u64): i32 {
  const high = (restHigh << 1) | (restLow >> 63);
  const low = restLow << 1;
  if (high != divisorHigh) return high > divisorHigh ? 1 : -1;
  return low == divisorLow ? 0 : low > divisorLow ? 1 : -1;
}

/** The words as a value of `least` to `scale` places, without zeros at the end as far as that goes. */
function trimmed(sign: u64, scale: i32, least: i32 = 0): v128 {
  while (scale > least && (word0 & 1) == 0) {
    const low = word0;
    const high = word1;
    if (divideWords(10) != 0) {
      setWords(low, high, 0);
      break;
    }
    scale--;
  }
  return made(word0, word1, sign, scale);
}

export function decimalDivide(a: v128, b: v128): v128 {
  if (isZero(b)) return wideFault(FAULT_DIVISION);
  const aHigh = highOf(a);
  const bHigh = highOf(b);
  let scale = scaleOf(aHigh) - scaleOf(bHigh);
  if (isZero(a)) return made(0, 0, 0, max<i32>(0, min<i32>(MOST_SCALE, scale)));
  const sign = (aHigh ^ bHigh) & SIGN;
  const divisorLow = lowOf(b);
  const divisorHigh = bHigh & DIGITS;
  divide96(lowOf(a), aHigh & DIGITS, divisorLow, divisorHigh);
  const least = max<i32>(scale, 0);
  const nine = divisorHigh == 0 && divisorLow >> 32 == 0;
  while (scale < 0 || ((restLow | restHigh) != 0 && scale < MOST_SCALE)) {
    if (nine && scale <= MOST_SCALE - 9 && word1 < 4) {
      appendNine(divisorLow);
      scale += 9;
      continue;
    }
    if (!takesDigit()) {
      // One digit may still fit, if it is small.
      const low = word0;
      const high = word1;
      if (high > 0x19999999 || (high == 0x19999999 && low > 0x9999999999999999)) break;
      const keptLow = restLow;
      const keptHigh = restHigh;
      const digit = nextDigit(divisorLow, divisorHigh);
      if (digit > 5) {
        restLow = keptLow;
        restHigh = keptHigh;
        break;
      }
      appendDigit(digit);
    } else {
      appendDigit(nextDigit(divisorLow, divisorHigh));
    }
    scale++;
  }
  if (scale < 0) return wideFault(FAULT_OVERFLOW);
  if ((restLow | restHigh) == 0) return trimmed(sign, scale, least);
  const beside = besideHalf(divisorLow, divisorHigh);
  if (beside > 0 || (beside == 0 && (word0 & 1) != 0)) {
    if (word0 == ~(<u64>0) && word1 == DIGITS) {
      // 2^96 at this scale: one digit less, which 5 and a rest round up again.
      if (scale == 0) return wideFault(FAULT_OVERFLOW);
      divideWords(10);
      scale--;
    }
    increaseWords();
  }
  return trimmed(sign, scale);
}

/** (high:low) without its sign is less than the other one; both at their scales. */
export function decimalRemainder(a: v128, b: v128): v128 {
  if (isZero(b)) return wideFault(FAULT_DIVISION);
  const aHigh = highOf(a);
  const aScale = scaleOf(aHigh);
  const bScale = scaleOf(highOf(b));
  if (compareSizes(a, b) < 0) return a;
  const sign = aHigh & SIGN;
  const divisorLow = lowOf(b);
  const divisorHigh = highOf(b) & DIGITS;
  if (aScale > bScale) {
    // Not less than the divisor at this scale, so that one has 96 bits.
    setScaled(divisorLow, divisorHigh, <u32>(aScale - bScale));
    divide96(lowOf(a), aHigh & DIGITS, word0, word1);
    return made(restLow, restHigh, sign, aScale);
  }
  divide96(lowOf(a), aHigh & DIGITS, divisorLow, divisorHigh);
  for (let scale = aScale; scale < bScale; scale++) nextDigit(divisorLow, divisorHigh);
  return made(restLow, restHigh, sign, bScale);
}

// --- Order ---------------------------------------------------------------------------------------------------------------

/** Order of two values without their signs. */
function compareSizes(a: v128, b: v128): i32 {
  let aHigh = highOf(a);
  let bHigh = highOf(b);
  let difference = scaleOf(bHigh) - scaleOf(aHigh);
  let direction: i32 = 1;
  if (difference < 0) {
    const value = a;
    a = b;
    b = value;
    const high = aHigh;
    aHigh = bHigh;
    bHigh = high;
    difference = -difference;
    direction = -1;
  }
  setScaled(lowOf(a), aHigh & DIGITS, <u32>difference);
  bHigh &= DIGITS;
  if (word2 != 0) return direction;
  if (word1 != bHigh) return word1 > bHigh ? direction : -direction;
  return word0 == lowOf(b) ? 0 : word0 > lowOf(b) ? direction : -direction;
}

/** -1, 0, 1. */
export function decimalCompare(a: v128, b: v128): i32 {
  const aNegative = highOf(a) >> 63 != 0;
  if (aNegative != (highOf(b) >> 63 != 0)) return aNegative ? -1 : 1;
  const order = compareSizes(a, b);
  return aNegative ? -order : order;
}

/** A number that equal values share. */
export function decimalHash(value: v128): i32 {
  const high = highOf(value);
  setWords(lowOf(value), high & DIGITS, 0);
  const plain = trimmed(high & SIGN, scaleOf(high));
  const low = lowOf(plain);
  const rest = highOf(plain);
  return <i32>(low ^ (low >> 32) ^ rest ^ (rest >> 32));
}

// --- Rounding and integers -----------------------------------------------------------------------------------------------

/** Rounds to a number of places by a rule of MidpointRounding; fewer places stay as they are. */
export function decimalRound(value: v128, places: i32, rule: i32): v128 {
  if (<u32>places > <u32>MOST_SCALE) return wideFault(FAULT_RANGE);
  if (<u32>rule > 4) return wideFault(FAULT_ARGUMENT);
  const high = highOf(value);
  const scale = scaleOf(high);
  if (scale <= places) return value;
  const sign = high & SIGN;
  setWords(lowOf(value), high & DIGITS, 0);
  dropNothing(false);
  dropDigits(scale - places);
  let up = false;
  if (rule == 0) up = dropped > 5 || (dropped == 5 && (sticky || (word0 & 1) != 0));
  else if (rule == 1) up = dropped >= 5;
  else if (rule == 3) up = sign != 0 && (dropped != 0 || sticky);
  else if (rule == 4) up = sign == 0 && (dropped != 0 || sticky);
  if (up) increaseWords();
  return made(word0, word1, sign, places);
}

export function decimalFromLong(value: i64): v128 {
  return value < 0 ? made(<u64>(0 - value), 0, SIGN, 0) : made(<u64>value, 0, 0, 0);
}

export function decimalFromUlong(value: u64): v128 {
  return made(value, 0, 0, 0);
}

/** The integer part as long; a fault is left when it is none. */
export function decimalToLong(value: v128): i64 {
  const whole = decimalRound(value, 0, 2);
  const low = lowOf(whole);
  const negative = highOf(whole) >> 63 != 0;
  if ((highOf(whole) & DIGITS) != 0 || low > <u64>i64.MAX_VALUE + u64(negative)) {
    leaveFault(FAULT_OVERFLOW);
    return 0;
  }
  return negative ? 0 - <i64>low : <i64>low;
}

/** The integer part as ulong; a fault is left when it is none. */
export function decimalToUlong(value: v128): u64 {
  const whole = decimalRound(value, 0, 2);
  if (highOf(whole) != 0) {
    leaveFault(FAULT_OVERFLOW);
    return 0;
  }
  return lowOf(whole);
}

/** The value of three words of digits, a sign and a scale. */
export function decimalOf(low: u32, middle: u32, high: u32, negative: bool, scale: u32): v128 {
  if (scale > <u32>MOST_SCALE) return wideFault(FAULT_RANGE);
  return made(<u64>low | (<u64>middle << 32), <u64>high, negative ? SIGN : 0, <i32>scale);
}

// --- Reals ---------------------------------------------------------------------------------------------------------------

const FRACTION: u64 = 0x000fffffffffffff;

/** The nearest value of at most `significant` digits, without zeros at the end; what lies in the middle goes up. */
export function decimalFromReal(value: f64, significant: i32): v128 {
  const size = abs<f64>(value);
  if (!(size < 7.9228162514264338e28)) return wideFault(FAULT_OVERFLOW);
  // Less than half of the last place, and less than the smallest normal number.
  if (size < 1e-30) return i64x2.splat(0);
  const sign: u64 = value < 0 ? SIGN : 0;
  const bits = reinterpret<u64>(size);
  const exponent = <i32>(bits >> 52) - 1075;
  const mantissa = (bits & FRACTION) | (FRACTION + 1);
  const most = wordTen(<u32>significant);
  if (exponent >= 0) {
    setWords(mantissa << exponent, exponent == 0 ? 0 : mantissa >> (64 - exponent), 0);
    let places = 0;
    dropNothing(false);
    while (word1 != 0 || word0 >= most) {
      dropDigits(1);
      places++;
    }
    if (dropped >= 5) increaseWords();
    setScaled(word0, 0, <u32>places);
    return fitted(sign, 0, false);
  }
  // A guess of the decimal exponent, put right by what comes out.
  let scale = significant - 1 - floorLog10(exponent + 52);
  let digits = scaledMantissa(mantissa, -exponent, scale);
  if (digits >= most) digits = scaledMantissa(mantissa, -exponent, --scale);
  else if (digits < most / 10) digits = scaledMantissa(mantissa, -exponent, ++scale);
  if (scale <= 0) {
    setScaled(digits, 0, <u32>-scale);
    return fitted(sign, 0, false);
  }
  setWords(digits, 0, 0);
  const result = fitted(sign, scale, false);
  const high = highOf(result);
  setWords(lowOf(result), high & DIGITS, 0);
  return trimmed(sign, scaleOf(high));
}

/** floor(log10(2^exponent)), which is that of a number with this exponent or one less. */
// @ts-ignore: decorator
@inline
function floorLog10(exponent: i32): i32 {
  return (exponent * 78913) >> 18;
}

/** mantissa * 10^scale / 2^shift, rounded; 0 < shift. */
function scaledMantissa(mantissa: u64, shift: i32, scale: i32): u64 {
  if (scale < 0) {
    const divisor = wordTen(<u32>-scale) << shift;
    return (2 * mantissa + divisor) / (2 * divisor);
  }
  // 10^scale is 5^scale * 2^scale.
  setWords(mantissa, 0, 0);
  let left = scale;
  while (left > 0) {
    const step = min<i32>(left, 13);
    const factor: u64 = wordTen(<u32>step) >> step;
    setProductWord(factor);
    left -= step;
  }
  const right = shift - scale;
  if (right <= 0) return word0 << -right;
  addShifted(right - 1);
  if (right >= 128) return word2 >> (right - 128);
  if (right >= 64) return right == 64 ? word1 : (word1 >> (right - 64)) | (word2 << (128 - right));
  return (word0 >> right) | (word1 << (64 - right));
}

function setProductWord(factor: u64): void {
  const carry0 = multiplyHigh(word0, factor);
  const carry1 = multiplyHigh(word1, factor);
  const middle = word1 * factor;
  const sum = middle + carry0;
  setWords(word0 * factor, sum, word2 * factor + carry1 + u64(sum < middle));
}

/** Adds 2^bit to the words. */
function addShifted(bit: i32): void {
  if (bit >= 128) setWords(word0, word1, word2 + (<u64>1 << (bit - 128)));
  else if (bit >= 64) addWords(0, <u64>1 << (bit - 64));
  else addWords(<u64>1 << bit, 0);
}
