// Writes Single and Double as .NET Core 3.0 and later do by default: the shortest digits that read back as the same value, laid out
// as the general format with the invariant culture.
//
// Digits: R. Giulietti, "The Schubfach way to render doubles", 2020. The interval of decimals that round to the value is scaled
// by a power of ten so that it holds one or two integers; the scaled ends come from one multiplication by the leading 128 bits
// of that power, because the ends differ from the middle by a shift of the same power. Both formats share the 128-bit table:
// more precision than Single needs does no harm.
//
// Layout: exponent form when the decimal point stands more than 17 (Single: 9) digits right of the first digit, or when more
// than three zeros would follow it; a sign and at least two digits in the exponent. So 1E+16 is 10000000000000000 and 1E+17 is
// 1E+17, as checked against .NET Core 3.1.
//
// State: instance-own globals only. May write up to 40 bytes, whatever it returns.

import {
  digitCount, isExactPower, multiplyHigh, POWER_HIGH, powerExponent, powerOfTen, writeDigits, writeTwo, writeUnsigned,
} from './tables';

let shortestDigits: u64 = 0; // the decimal found last is shortestDigits * 10^shortestPower
let shortestPower: i32 = 0;

const NAN_TEXT: u32 = 0x4e614e; //                 "NaN"
const INFINITY_TEXT: u64 = 0x7974696e69666e49; //  "Infinity"

/** Where the general format turns to exponents: the number of digits that always suffices to read the value back. */
const DOUBLE_LAYOUT_DIGITS: i32 = 17;
const SINGLE_LAYOUT_DIGITS: i32 = 9;

/**
 * Sets shortestDigits and shortestPower for significand * 2^exponent; `closer`: the value below is at half the distance. A decimal
 * exactly between two values is never taken, even where readers round it to this one: .NET does not count on that (1E+23
 * is 9.999999999999999E+22).
 */
function findShortest(significand: u64, exponent: i32, closer: bool): void {
  const outside: u64 = 1; // both ends of the interval
  // k = floor(log10 of the interval's width), h the shift that puts the scaled value's unit at a fourth.
  const k = (exponent * 1262611 - (closer ? 524031 : 0)) >> 22;
  const h = <u64>(exponent + powerExponent(-k) + 1);
  const entry = powerOfTen(-k);
  let low = load<u64>(entry);
  let high = load<u64>(entry, POWER_HIGH);
  if (!isExactPower(-k)) {
    low += 1; // the method wants the power rounded up
    high += <u64>(low == 0);
  }
  // Scaled middle: top and next hold the 128 bits above the lowest word of (4 * significand << h) * power.
  const factor = (significand << 2) << h;
  const lowProduct = factor * low;
  const product = factor * high;
  const next = product + multiplyHigh(factor, low);
  const top = multiplyHigh(factor, high) + <u64>(next < product);
  // The distance to either end is power << (h + 1), 192 bits wide.
  const step = h + 1;
  const stepLow = low << step;
  const stepNext = (high << step) | (low >> (64 - step));
  const stepTop = high >> (64 - step);
  const upperLow = lowProduct + stepLow;
  const upperCarry = <u64>(upperLow < lowProduct);
  const upperSum = next + stepNext;
  const upperNext = upperSum + upperCarry;
  const upperTop = top + stepTop + <u64>(upperSum < next) + <u64>(upperNext < upperSum);
  const downLow = closer ? low << h : stepLow;
  const downNext = closer ? (high << h) | (low >> (64 - h)) : stepNext;
  const downTop = closer ? high >> (64 - h) : stepTop;
  const borrow = <u64>(lowProduct < downLow);
  const lowerDifference = next - downNext;
  const lowerNext = lowerDifference - borrow;
  const lowerTop = top - downTop - <u64>(next < downNext) - <u64>(lowerDifference < borrow);

  const middle = top | <u64>(next > 1);
  const lower = (lowerTop | <u64>(lowerNext > 1)) + outside;
  const upper = (upperTop | <u64>(upperNext > 1)) - outside;
  chooseDecimal(lower, middle, upper, k);
}

/** Picks the shortest, then nearest, integer of [lower, upper] / 4, or one tenth of one. */
// @ts-ignore: decorator
@inline
function chooseDecimal(lower: u64, middle: u64, upper: u64, k: i32): void {
  const whole = middle >> 2;
  if (whole >= 10) {
    const tenth = whole / 10;
    const scaled = 40 * tenth;
    const floorInside = lower <= scaled;
    const ceilingInside = scaled + 40 <= upper;
    if (floorInside != ceilingInside) {
      shortestDigits = tenth + <u64>ceilingInside;
      shortestPower = k + 1;
      return;
    }
  }
  const floorInside = lower <= whole << 2;
  const ceilingInside = (whole << 2) + 4 <= upper;
  let up: bool = ceilingInside;
  if (floorInside == ceilingInside) {
    const half = (whole << 2) + 2;
    up = middle > half || (middle == half && (whole & 1) != 0);
  }
  shortestDigits = whole + <u64>up;
  shortestPower = k;
}

function stripZeros(): void {
  let digits = shortestDigits;
  let power = shortestPower;
  const eight = digits / 100000000;
  if (eight * 100000000 == digits) {
    digits = eight;
    power += 8;
  }
  while (digits > 0xffffffff) {
    const tenth = digits / 10;
    if (tenth * 10 != digits) break;
    digits = tenth;
    power += 1;
  }
  if (digits <= 0xffffffff) {
    let small = <u32>digits;
    while (true) {
      const tenth = small / 10;
      if (tenth * 10 != small) break;
      small = tenth;
      power += 1;
    }
    digits = small;
  }
  shortestDigits = digits;
  shortestPower = power;
}

/** Lays shortestDigits * 10^shortestPower (not zero) out at `out`; returns the bytes. */
function writeLayout(out: usize, layoutDigits: i32): u32 {
  stripZeros();
  const digits = shortestDigits;
  const count = <i32>digitCount(digits);
  const point = count + shortestPower; // digits left of the decimal point
  if (point > layoutDigits || point < -3) return writeExponentForm(out, digits, count, point - 1);
  if (point <= 0) {
    store<u64>(out, 0x3030303030302e30); // "0.000000"
    const start = 2 - point;
    writeDigits(out + <usize>start, digits, <u32>count);
    return <u32>(start + count);
  }
  writeDigits(out, digits, <u32>count);
  if (point >= count) {
    for (let i = count; i < point; i++) store<u8>(out + <usize>i, 48);
    return <u32>point;
  }
  openGap(out + <usize>point);
  return <u32>count + 1;
}

/** Moves the up to 16 digits at `p` one place up and sets the point before them. */
// @ts-ignore: decorator
@inline
function openGap(p: usize): void {
  v128.store(p + 1, v128.load(p));
  store<u8>(p, 46);
}

function writeExponentForm(out: usize, digits: u64, count: i32, exponent: i32): u32 {
  writeDigits(out, digits, <u32>count);
  let p = out + <usize>count;
  if (count > 1) {
    openGap(out + 1);
    p += 1;
  }
  const magnitude = <u32>(exponent < 0 ? -exponent : exponent);
  store<u16>(p, exponent < 0 ? 0x2d45 : 0x2b45); // "E-" or "E+"
  p += 2;
  if (magnitude < 100) {
    writeTwo(p, magnitude);
    p += 2;
  } else {
    p += writeUnsigned(p, magnitude);
  }
  return <u32>(p - out);
}

/** Writes NaN, an infinity or a zero; the arguments are the parts of the value. */
function writeSpecial(out: usize, negative: bool, isZero: bool, isNaN: bool): u32 {
  if (isNaN) {
    store<u32>(out, NAN_TEXT);
    return 3;
  }
  const sign = <u32>negative;
  store<u8>(out, 45);
  if (isZero) {
    store<u8>(out + sign, 48);
    return sign + 1;
  }
  store<u64>(out + sign, INFINITY_TEXT);
  return sign + 8;
}

/** Writes the Double with these bits at `out` (40 bytes free); returns the bytes of its text. */
export function writeDouble(out: usize, bits: u64): u32 {
  const negative = bits >> 63 != 0;
  const exponent = <i32>(bits >> 52) & 0x7ff;
  const fraction = bits & 0xfffffffffffff;
  if (exponent == 0x7ff || (bits << 1) == 0) return writeSpecial(out, negative, exponent == 0, fraction != 0);
  store<u8>(out, 45);
  const start = out + <usize>negative;
  if (exponent == 0) {
    findShortest(fraction, -1074, false);
    return <u32>negative + writeLayout(start, DOUBLE_LAYOUT_DIGITS);
  }
  const significand = fraction | 0x10000000000000;
  const shift = 1075 - exponent;
  // Whole numbers below 2^53 are their own shortest digits.
  if (shift >= 0 && shift < 53 && (significand & (((<u64>1) << shift) - 1)) == 0) {
    return <u32>negative + writeUnsigned(start, significand >> shift);
  }
  findShortest(significand, exponent - 1075, fraction == 0 && exponent > 1);
  return <u32>negative + writeLayout(start, DOUBLE_LAYOUT_DIGITS);
}

/** Writes the Single with these bits at `out` (40 bytes free); returns the bytes of its text. */
export function writeSingle(out: usize, bits: u32): u32 {
  const negative = bits >> 31 != 0;
  const exponent = <i32>(bits >> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent == 0xff || (bits << 1) == 0) return writeSpecial(out, negative, exponent == 0, fraction != 0);
  store<u8>(out, 45);
  const start = out + <usize>negative;
  if (exponent == 0) {
    findShortest(fraction, -149, false);
    return <u32>negative + writeLayout(start, SINGLE_LAYOUT_DIGITS);
  }
  const significand = fraction | 0x800000;
  const shift = 150 - exponent;
  if (shift >= 0 && shift < 24 && (significand & ((1 << shift) - 1)) == 0) {
    return <u32>negative + writeUnsigned(start, significand >> shift);
  }
  findShortest(significand, exponent - 150, fraction == 0 && exponent > 1);
  return <u32>negative + writeLayout(start, SINGLE_LAYOUT_DIGITS);
}
