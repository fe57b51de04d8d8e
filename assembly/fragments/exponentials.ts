// Powers and logarithms: e^x, the logarithms to the bases e, 2, 10 and any, and x^y. Each is computed as a pair of doubles (pairs.ts)
// and rounded once; the error of the pair is mostly below 2^-66 of it. So the result is the nearest double, unless the true value lies
// within that error of the middle between two. For what is no number, infinite or zero the answers are those of C and .NET. `expPair` and
// `logPair` serve hyperbolics.ts too.

import { low, multiplyPairs, normal, productRest, quickRest, scaledPair, top } from './pairs';
import { ENTRY_REST, LOG_FROM, LOG_HIGH, LOG_LOW, LOG_PART_SHIFT, LOGS, POWERS } from './real-tables';

/** ln 2 / 128: 35 bits of it and the rest. */
const STEP: f64 = 0.005415212347998022;
const STEP_LOW: f64 = 1.2655086083325438e-13;
const STEPS: f64 = 184.6649652337873;
/** ln 2 as a multiple of 2^-42 and the rest. */
const LN2_TOP: f64 = 0.6931471805598903;
const LN2_REST: f64 = 5.497923018708371e-14;

/** The power of two that belongs to the answer of `expPair`. */
export let expPower: i32 = 0;

/** e^(h + l) / 2^expPower as a pair between 0.99 and 2, for |h| < 2000. */
export function expPair(h: f64, l: f64): f64 {
  const steps = nearest<f64>(h * STEPS);
  const reduced = h - steps * STEP;
  const below = steps * STEP_LOW;
  const sum = reduced - below;
  const sumLow = reduced - sum - below + l;
  const r = sum + sumLow;
  const count = <i32>steps;
  expPower = count >> 7;
  const place = POWERS + ((<usize>(count & 127)) << 4);
  const power = load<f64>(place);
  const powerRest = load<f64>(place, ENTRY_REST);
  const square = r * r;
  const q = square * (0.5 + r * (1.0 / 6) + square * (1.0 / 24 + r * (1.0 / 120) + square * (1.0 / 720)));
  const rTop = top(r);
  const part = power * rTop;
  const high = power + part;
  low = power - high + part + (powerRest + powerRest * r + power * (r - rTop + (sum - r + sumLow)) + (power + powerRest) * q);
  return high;
}

export function realExp(x: f64): f64 {
  if (!(abs<f64>(x) < 750)) return x > 0 ? Infinity : x < 0 ? 0 : x;
  if (abs<f64>(x) < 5e-17) return 1 + x;
  const high = expPair(x, 0);
  return scaledPair(high, low, expPower);
}

/** The logarithm of a number above 0 that is not infinite, as a pair whose low part is no more than 2^-16 of the high one. */
export function logPair(x: f64): f64 {
  let bits = reinterpret<u64>(x);
  let shift = 0;
  if (bits < 0x0010000000000000) {
    bits = reinterpret<u64>(x * 18014398509481984); // 2^54
    shift = 54;
  }
  const offset = bits - LOG_FROM;
  const power = <f64>(<i32>(<i64>offset >> 52) - shift);
  const z = reinterpret<f64>(bits - (offset & 0xfff0000000000000));
  const place = LOGS + 24 * <usize>((offset >> LOG_PART_SHIFT) & 127);
  const inverse = load<f64>(place);
  // z / c - 1, exactly.
  const zTop = reinterpret<f64>(reinterpret<u64>(z) & 0xffffffff00000000);
  const first = zTop * inverse - 1;
  const second = (z - zTop) * inverse;
  const r = first + second;
  const rLow = first - r + second;
  const square = r * r;
  const third = 1.0 / 3 - r * 0.25 + square * (0.2 - r * (1.0 / 6) + square * (1.0 / 7 - r * 0.125 + square * (1.0 / 9)));
  const rTop = top(r);
  const half = 0.5 * rTop * rTop;
  const halfLow = 0.5 * (r - rTop) * (r + rTop);
  const whole = power * LN2_TOP + load<f64>(place, LOG_HIGH);
  const sum = whole + r;
  const high = sum - half;
  const rest = power * LN2_REST + load<f64>(place, LOG_LOW) + (rLow - halfLow - r * rLow);
  low = whole - sum + r + (sum - high - half) + (rest + r * square * third);
  return high;
}

/** NaN, the infinities and what is not above 0; anything else is left to the caller. */
// @ts-ignore: decorator
@inline
function hasLog(x: f64): bool {
  return x > 0 && x < Infinity;
}

// @ts-ignore: decorator
@inline
function oddLog(x: f64): f64 {
  return x == 0 ? -Infinity : x < 0 ? NaN : x;
}

export function realLog(x: f64): f64 {
  if (!hasLog(x)) return oddLog(x);
  const high = logPair(x);
  return high + low;
}

function logTimes(x: f64, h: f64, l: f64): f64 {
  if (!hasLog(x)) return oddLog(x);
  let high = logPair(x);
  high = normal(high, low);
  high = multiplyPairs(high, low, h, l);
  return high;
}

export function realLog2(x: f64): f64 {
  return logTimes(x, 1.4426950408889634, 2.0355273740931033e-17);
}

export function realLog10(x: f64): f64 {
  return logTimes(x, 0.4342944819032518, 1.098319650216765e-17);
}

/**
 * Math.Log to a base, as .NET has it: a quotient of two logarithms, each rounded, to a float where they are `single`. There is none to the
 * base 1, and to 0 or infinity only that of 1.
 */
export function realLogBase(x: f64, base: f64, single: bool): f64 {
  if (isNaN(x) || isNaN(base) || base == 1) return NaN;
  if (x != 1 && (base == 0 || base == Infinity)) return NaN;
  if (single) return <f64>(<f32>realLog(x) / <f32>realLog(base));
  return realLog(x) / realLog(base);
}

/** 0: y is not whole, 1: odd, 2: even. */
function wholeness(y: f64): i32 {
  const size = abs<f64>(y);
  if (size >= 9007199254740992) return 2; // 2^53
  if (trunc<f64>(size) != size) return 0;
  return 2 - <i32>(<i64>size & 1);
}

/** Powers with 0 or something infinite in them, none of them NaN. */
function oddPower(x: f64, y: f64): f64 {
  const size = abs<f64>(x);
  if (abs<f64>(y) == Infinity) return size == 1 ? 1 : size > 1 == y > 0 ? Infinity : 0;
  const result: f64 = (size == 0) == y > 0 ? 0 : Infinity;
  return wholeness(y) == 1 ? copysign<f64>(result, x) : result;
}

/** x^y where it has 54 binary digits at most, exactly rounded; 0 where it has more. x > 0, y whole and from 2 to 34. */
function shortPower(x: f64, y: f64): f64 {
  const bits = reinterpret<u64>(x);
  if (bits < 0x0010000000000000) return 0;
  let digits = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  const zeros = <i32>ctz(digits);
  digits >>= zeros;
  const power = (<i32>(bits >> 52) - 1075 + zeros) * <i32>y;
  if (power < -1020 || power > 960) return 0;
  let product: u64 = 1;
  for (let i = <i32>y; i > 0; i--) {
    if (digits >= 0x0040000000000000 / product + 1) return 0;
    product *= digits;
  }
  return <f64>product * reinterpret<f64>(<u64>(power + 1023) << 52);
}

function powerOfPositive(x: f64, y: f64): f64 {
  let high = logPair(x);
  high = normal(high, low);
  const logLow = low;
  const product = y * high;
  if (!(abs<f64>(product) < 800)) return product > 0 ? Infinity : 0;
  if (abs<f64>(product) < 5e-17) return 1 + product;
  const productLow = productRest(y, high, product) + y * logLow;
  high = expPair(product, productLow);
  const rest = low;
  const value = high + rest;
  const lost = quickRest(high, rest, value);
  // As near to half way between two doubles as this: it may be half way.
  if (value + lost * 1.0000001 != value && y >= 2 && y <= 34 && trunc<f64>(y) == y) {
    const exact = shortPower(x, y);
    if (exact != 0) return exact;
  }
  return scaledPair(value, lost, expPower);
}

export function realPow(x: f64, y: f64): f64 {
  if (y == 0 || x == 1) return 1;
  if (isNaN(x) || isNaN(y)) return NaN;
  if (x == 0 || !isFinite(x) || !isFinite(y)) return oddPower(x, y);
  if (y == 1) return x;
  if (y == 2) return x * x;
  if (x > 0) return powerOfPositive(x, y);
  const kind = wholeness(y);
  if (kind == 0) return NaN;
  const size = powerOfPositive(-x, y);
  return kind == 1 ? -size : size;
}
