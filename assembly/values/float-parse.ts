// Reads Single and Double text as .NET does with NumberStyles.Float | AllowThousands and the invariant culture, always correctly
// rounded (nearest, ties to even).
//
// Method: the first 19 significant digits w and a decimal exponent q give a 192-bit product of w with the leading 128 bits of 10^q
// (the idea of D. Lemire, "Number parsing at a gigabyte per second", 2021, after M. Eisel). The product is a lower bound with
// a known error, so rounding is certain unless a halfway point lies inside the error. Only then are both sides built as
// big integers and compared, the way of W. Clinger, "How to read floating point numbers accurately", 1990. The head of a
// double has at most 767 significant digits, so 770 digits and one bit for the rest decide every case.
//
// Result in `floatBits`: the IEEE bits (low 32 for Single). State: instance-own globals only.

import { isDigit, isTrailingBlank, isWhite, matchesFolded, skipSpace, skipSpaceBack, skipWhite } from './scan';
import {
  BIG_LIMBS, borrowSlot, doubleTen, isExactPower, multiplyHigh, POWER_HIGH, POWER_MIN, powerExponent, powerOfTen, returnSlot,
} from './tables';

/** Bits of the last number read. */
export let floatBits: u64 = 0;

const DOUBLE_NAN: u64 = 0x7ff8000000000000;
const DOUBLE_INFINITY: u64 = 0x7ff0000000000000;
const SINGLE_NAN: u64 = 0x7fc00000;
const SINGLE_INFINITY: u64 = 0x7f800000;

/** More digits than the longest halfway point between two doubles has (767). */
const EXACT_DIGITS: u32 = 770;
const FIVE_13: u32 = 1220703125;

// What scanDigits found: instance-own.
let scanWord: u64 = 0; //     first 19 significant digits
let scanExponent: i32 = 0; // value is about scanWord * 10^scanExponent
let scanCut: bool = false; // true when digits other than zero were left out of scanWord
let scanEnd: usize = 0; //    first byte after the digits and the point

/** Eight ASCII digits at once: true when all bytes of `word` are digits. */
// @ts-ignore: decorator
@inline
function areDigits(word: u64): bool {
  return (((word + 0x4646464646464646) | (word - 0x3030303030303030)) & 0x8080808080808080) == 0;
}

/** The value of eight ASCII digits, the first in the lowest byte. */
// @ts-ignore: decorator
@inline
function eightDigits(word: u64): u64 {
  word -= 0x3030303030303030;
  word = word * 10 + (word >> 8);
  const even = (word & 0x000000ff000000ff) * 0x000f424000000064;
  const odd = ((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001;
  return (even + odd) >> 32;
}

/** Reads digits with thousands commas and one point; false when there is no digit. */
function scanDigits(p: usize, end: usize): bool {
  let word: u64 = 0;
  let count: u32 = 0;
  let exponent: i32 = 0;
  let cut: u32 = 0;
  let any: bool = false;
  let fraction: bool = false;
  while (p < end) {
    if (count <= 11 && p + 8 <= end) {
      const eight = load<u64>(p);
      if (areDigits(eight)) {
        const zeros = word == 0 ? <u32>(ctz((eight ^ 0x3030303030303030) | 0x8000000000000000) >> 3) : 0;
        word = word * 100000000 + eightDigits(eight);
        count += word != 0 ? 8 - zeros : 0;
        exponent -= fraction ? 8 : 0;
        any = true;
        p += 8;
        continue;
      }
    }
    const byte = <u32>load<u8>(p);
    const digit = byte - 48;
    if (digit < 10) {
      any = true;
      if (count < 19) {
        word = word * 10 + <u64>digit;
        count += <u32>(word != 0);
        exponent -= <i32>fraction;
      } else {
        cut |= digit;
        exponent += <i32>!fraction;
      }
    } else if (byte == 46) {
      if (fraction) break;
      fraction = true;
    } else if (!(byte == 44 && any && !fraction)) {
      break;
    }
    p += 1;
  }
  scanWord = word;
  scanExponent = exponent;
  scanCut = cut != 0;
  scanEnd = p;
  return any;
}

/** Reads the exponent part at `p`, if there is a whole one, adds it to scanExponent and returns the address after it. */
function scanExponentPart(p: usize, end: usize): usize {
  if (p >= end || (load<u8>(p) | 32) != 101) return p;
  let at = p + 1;
  let negative = false;
  if (at < end) {
    const sign = <u32>load<u8>(at);
    if (sign == 43 || sign == 45) {
      negative = sign == 45;
      at += 1;
    }
  }
  if (at >= end || !isDigit(load<u8>(at))) return p;
  let exponent: i32 = 0;
  while (at < end) {
    const digit = <u32>load<u8>(at) - 48;
    if (digit >= 10) break;
    // Beyond this any text that fits in memory is zero or infinite.
    if (exponent < 100000000) exponent = exponent * 10 + <i32>digit;
    at += 1;
  }
  scanExponent += negative ? -exponent : exponent;
  return at;
}

/**
 * Reads a number. `text`, `end`: its bytes; `single`: round to Single. False when .NET would refuse the text. The result is in
 * `floatBits`.
 */
export function parseFloatText(text: usize, end: usize, single: bool): bool {
  let p = text;
  if (p < end && isWhite(load<u8>(p))) p = skipWhite(p, end);
  let negative = false;
  if (p < end) {
    const sign = <u32>load<u8>(p);
    if (sign == 45 || sign == 43) {
      negative = sign == 45;
      p += 1;
    }
  }
  const digits = p;
  if (!scanDigits(p, end)) return parseSymbol(text, end, single);
  p = scanEnd;
  const digitsEnd = p;
  const plainExponent = scanExponent;
  if (p < end) {
    p = scanExponentPart(p, end);
    if (p < end && !isTrailingBlank(p, end)) return false;
  }
  const magnitude = single
    ? toSingleBits(digits, digitsEnd, scanExponent - plainExponent)
    : toDoubleBits(digits, digitsEnd, scanExponent - plainExponent);
  floatBits = negative ? magnitude | (single ? 0x80000000 : 0x8000000000000000) : magnitude;
  return true;
}

// @ts-ignore: decorator
@inline
function toDoubleBits(digits: usize, end: usize, exponentPart: i32): u64 {
  const word = scanWord;
  const power = scanExponent;
  // Both operands and their quotient or product are exact up to one rounding (Clinger's fast case).
  if (!scanCut && word <= 0x20000000000000 && power >= -22 && power <= 22) {
    const value = <f64>(<i64>word);
    if (power == 0) return reinterpret<u64>(value);
    return reinterpret<u64>(power < 0 ? value / doubleTen(<u32>-power) : value * doubleTen(<u32>power));
  }
  return roundProduct(word, power, digits, end, exponentPart, 53, 1023);
}

// @ts-ignore: decorator
@inline
function toSingleBits(digits: usize, end: usize, exponentPart: i32): u64 {
  const word = scanWord;
  const power = scanExponent;
  if (!scanCut && word <= 0x1000000 && power >= -10 && power <= 10) {
    const value = <f32>(<i32>word);
    if (power == 0) return <u64>reinterpret<u32>(value);
    const ten = <f32>doubleTen(<u32>(power < 0 ? -power : power));
    return <u64>reinterpret<u32>(power < 0 ? value / ten : value * ten);
  }
  return roundProduct(word, power, digits, end, exponentPart, 24, 127);
}

/**
 * Rounds word * 10^power (with the digits behind it, when scanCut) to a format of `precision` bits and exponent bias `bias`;
 * returns the bits of the magnitude. `digits`..`end` and `exponentPart` give the whole text for the exact comparison.
 */
function roundProduct(word: u64, power: i32, digits: usize, end: usize, exponentPart: i32, precision: i32, bias: i32): u64 {
  if (word == 0 || power < POWER_MIN) return 0;
  const infinity: u64 = (<u64>(2 * bias + 1)) << <u64>(precision - 1);
  if (power > 308) return infinity;
  const leadingZeros = <i32>clz(word);
  word <<= leadingZeros;
  const entry = powerOfTen(power);
  const low = load<u64>(entry);
  const high = load<u64>(entry, POWER_HIGH);
  // top:middle:bottom = word * high:low, a lower bound of the value.
  const carried = multiplyHigh(word, low);
  const bottom = word * low;
  const product = word * high;
  const middle = product + carried;
  const top = multiplyHigh(word, high) + <u64>(middle < product);

  const lead = <i32>(top >> 63);
  const exponent = 63 + lead + powerExponent(power) - leadingZeros + bias;
  if (exponent >= 2 * bias + 1) return infinity;
  let shift = 63 - precision + lead;
  if (exponent <= 0) shift += 1 - exponent;
  // Below half the smallest magnitude, and not so near that the error could reach it: that would take a power whose leading
  // bits are nearly all ones, and the table has none.
  if (shift > 64) return 0;
  const mantissa = shift == 64 ? 0 : top >> <u64>shift;
  const half: u64 = (<u64>1) << <u64>(shift - 1);
  const rest = shift == 64 ? top : top & (((<u64>1) << <u64>shift) - 1);
  const base: u64 = exponent > 0 ? (<u64>(exponent - 1)) << <u64>(precision - 1) : 0;
  const bits = base + mantissa;

  if (rest > half || (rest == half && (middle | bottom) != 0)) return bits + 1;
  const exact = isExactPower(power) && !scanCut;
  if (exact) return rest == half ? bits + (bits & 1) : bits;
  if (rest == half && !scanCut) return bits + 1; // a cut power: the value lies strictly above the product
  // The value is below the product plus this much of `top`, plus one of `middle` when nothing was cut from the digits.
  const slack: u64 = scanCut ? ((<u64>1) << <u64>leadingZeros) + 1 : 0;
  const reach = rest + slack;
  if (reach < half && !(slack == 0 && reach == half - 1 && middle == 0xffffffffffffffff)) return bits;
  const unit = (exponent > 0 ? exponent : 1) - bias - precision + 1;
  const order = compareWithHalfway(digits, end, exponentPart, (mantissa << 1) | 1, unit - 1);
  if (order == 0) return bits + (bits & 1);
  return order > 0 ? bits + 1 : bits;
}

// --- Exact comparison -----------------------------------------------------------------------------------------------------------

let bigLimbs: u32 = 0; // limbs of the result of the last big-integer step

/** big = big * factor + addend. */
function bigMultiply(big: usize, limbs: u32, factor: u32, addend: u32): u32 {
  let carry: u64 = addend;
  for (let i: u32 = 0; i < limbs; i++) {
    const at = big + ((<usize>i) << 2);
    const product = <u64>load<u32>(at) * <u64>factor + carry;
    store<u32>(at, <u32>product);
    carry = product >> 32;
  }
  if (carry != 0) {
    store<u32>(big + ((<usize>limbs) << 2), <u32>carry);
    limbs += 1;
  }
  return limbs;
}

function bigMultiplyFives(big: usize, limbs: u32, count: u32): u32 {
  while (count >= 13) {
    limbs = bigMultiply(big, limbs, FIVE_13, 0);
    count -= 13;
  }
  let factor: u32 = 1;
  while (count > 0) {
    factor *= 5;
    count -= 1;
  }
  return bigMultiply(big, limbs, factor, 0);
}

function bigShift(big: usize, limbs: u32, bits: u32): u32 {
  const whole = bits >> 5;
  const part = <u64>(bits & 31);
  let i = limbs;
  // From the top down, so that nothing is read after it was overwritten.
  store<u32>(big + ((<usize>(limbs + whole)) << 2), 0);
  while (i > 0) {
    i -= 1;
    const value = (<u64>load<u32>(big + ((<usize>i) << 2))) << part;
    const at = big + ((<usize>(i + whole)) << 2);
    store<u32>(at, load<u32>(at, 4) | <u32>(value >> 32), 4);
    store<u32>(at, <u32>value);
  }
  for (let j: u32 = 0; j < whole; j++) store<u32>(big + ((<usize>j) << 2), 0);
  limbs += whole;
  return limbs + <u32>(load<u32>(big + ((<usize>limbs) << 2)) != 0);
}

/** Builds the integer of the first 770 significant digits; returns the power of ten of its last digit; sets bigLimbs, scanCut. */
function bigDigits(big: usize, p: usize, end: usize): i32 {
  let limbs: u32 = 0;
  let count: u32 = 0;
  let exponent: i32 = 0;
  let fraction: bool = false;
  let cut: u32 = 0;
  while (p < end) {
    const byte = <u32>load<u8>(p);
    const digit = byte - 48;
    if (digit < 10) {
      if (count < EXACT_DIGITS) {
        limbs = bigMultiply(big, limbs, 10, digit);
        count += <u32>(limbs != 0);
        exponent -= <i32>fraction;
      } else {
        cut |= digit;
        exponent += <i32>!fraction;
      }
    } else if (byte == 46) {
      fraction = true;
    }
    p += 1;
  }
  bigLimbs = limbs;
  scanCut = cut != 0;
  return exponent;
}

/** Sign of (the number in the text) - head * 2^unit. */
function compareWithHalfway(digits: usize, end: usize, exponentPart: i32, head: u64, unit: i32): i32 {
  const slot = borrowSlot();
  const left = slot;
  const right = slot + 4 * <usize>BIG_LIMBS;
  const power = bigDigits(left, digits, end) + exponentPart;
  let leftLimbs = bigLimbs;
  store<u64>(right, head);
  let rightLimbs: u32 = head >> 32 != 0 ? 2 : 1;
  // left * 10^power against right * 2^unit, with every factor moved to the side where its exponent is positive.
  if (power > 0) leftLimbs = bigMultiplyFives(left, leftLimbs, <u32>power);
  if (power < 0) rightLimbs = bigMultiplyFives(right, rightLimbs, <u32>-power);
  const twos = power - unit;
  if (twos > 0) leftLimbs = bigShift(left, leftLimbs, <u32>twos);
  if (twos < 0) rightLimbs = bigShift(right, rightLimbs, <u32>-twos);
  let order: i32 = leftLimbs < rightLimbs ? -1 : <i32>(leftLimbs > rightLimbs);
  let i = leftLimbs;
  while (order == 0 && i > 0) {
    i -= 1;
    const a = load<u32>(left + ((<usize>i) << 2));
    const b = load<u32>(right + ((<usize>i) << 2));
    order = a < b ? -1 : <i32>(a > b);
  }
  returnSlot(slot);
  return order == 0 && scanCut ? 1 : order;
}

// --- Symbols --------------------------------------------------------------------------------------------------------------------

const INFINITY_LOW: u64 = 0x7974696e69666e69; // "infinity"
const NAN_LOW: u64 = 0x6e616e; //                "nan"

/**
 * `NaN`, `Infinity` and signed forms in any case, surrounded by white space. The invariant culture has no `∞`, so that is refused
 * as .NET refuses it.
 */
function parseSymbol(text: usize, end: usize, single: bool): bool {
  let p = skipSpace(text, end, false);
  end = skipSpaceBack(p, end, false);
  let negative = false;
  if (p < end) {
    const sign = <u32>load<u8>(p);
    if (sign == 43 || sign == 45) {
      negative = sign == 45;
      p += 1;
    }
  }
  if (matchesFolded(p, end, INFINITY_LOW, 8)) {
    const magnitude = single ? SINGLE_INFINITY : DOUBLE_INFINITY;
    floatBits = negative ? magnitude | (single ? 0x80000000 : 0x8000000000000000) : magnitude;
    return true;
  }
  if (matchesFolded(p, end, NAN_LOW, 3)) {
    floatBits = single ? SINGLE_NAN : DOUBLE_NAN;
    return true;
  }
  return false;
}
