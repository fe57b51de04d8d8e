// Sine, cosine, tangent and their inverses, as pairs of doubles (pairs.ts) with an error below 2^-62 of the result, rounded once. Angles
// of any size are taken apart exactly: those up to 2^20 by pi/2 in three parts, larger ones, and those near a multiple of pi/2, by the
// bits of 2/pi.

import { multiplyHigh } from '../values/tables';
import {
  addPairs, dividePairs, low, multiplyPairs, normal, pair, powerOfTwo, productRest, quickRest, rootOfPair, sumRest, top,
} from './pairs';
import { ARCS, ENTRY_REST, TURNS, WAVE_COSINE, WAVE_COSINE_REST, WAVES } from './real-tables';

/** pi/2 in 33 bits, 33 more, and a rest. */
const QUARTER_1: f64 = 1.5707963267341256;
const QUARTER_2: f64 = 6.077100506303966e-11;
const QUARTER_3: f64 = 2.0222662487959506e-21;
/** pi/2 as a pair. */
const QUARTER: f64 = 1.5707963267948966;
const QUARTER_LOW: f64 = 6.123233995736766e-17;
const QUARTERS: f64 = 0.6366197723675814;

/** What `reduce` leaves: the angle beyond the quarter turns that it counts, within pi/4. */
let angle: f64 = 0;
let angleLow: f64 = 0;

/** `reduce` by 192 bits of 2/pi: those that count no more than two quarter turns in a product with the number's last digit. */
function reduceByBits(x: f64): i32 {
  const bits = reinterpret<u64>(x);
  const digits = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  const start = <i32>((bits >> 52) & 0x7ff) - 1075 + 62;
  const place = TURNS + ((<usize>(start >> 6)) << 3);
  const shift = <u64>(start & 63);
  let first = load<u64>(place);
  let second = load<u64>(place, 8);
  let third = load<u64>(place, 16);
  if (shift != 0) {
    const back = 64 - shift;
    first = (first << shift) | (second >> back);
    second = (second << shift) | (third >> back);
    third = (third << shift) | (load<u64>(place, 24) >> back);
  }
  // The product's lower 192 bits: two of quarter turns, then the fraction.
  const lowest = third * digits;
  const carried = multiplyHigh(third, digits);
  let middle = second * digits + carried;
  let highest = first * digits + multiplyHigh(second, digits) + u64(middle < carried);
  let quarters = <i32>(highest >> 62);
  highest = (highest << 2) | (middle >> 62);
  middle = (middle << 2) | (lowest >> 62);
  let last = lowest << 2;
  const over = highest >> 63 != 0;
  if (over) {
    // The rest of the next quarter turn; one in the last place less does not count.
    quarters++;
    highest = ~highest;
    middle = ~middle;
    last = ~last;
  }
  const zeros = highest != 0 ? clz(highest) : 64 + clz(middle);
  if (zeros >= 64) {
    highest = middle;
    middle = last;
    last = 0;
  }
  const up = zeros & 63;
  if (up != 0) {
    highest = (highest << up) | (middle >> (64 - up));
    middle = (middle << up) | (last >> (64 - up));
  }
  // 53 bits, and 64 below them.
  const scale = powerOfTwo(-53 - <i32>zeros);
  const h = <f64>(highest >> 11) * scale;
  const l = <f64>((highest << 53) | (middle >> 11)) * scale * powerOfTwo(-64);
  const value = multiplyPairs(h, l, QUARTER, QUARTER_LOW);
  angle = over ? -value : value;
  angleLow = over ? -low : low;
  return quarters & 3;
}

/** Takes a number apart that is not negative: answers its quarter turns, 0 to 3, and leaves the rest in `angle`. */
function reduce(x: f64): i32 {
  if (x < 0.7853981633974483) {
    angle = x;
    angleLow = 0;
    return 0;
  }
  if (x >= 1048576) return reduceByBits(x);
  const quarters = nearest<f64>(x * QUARTERS);
  const first = x - quarters * QUARTER_1;
  const second = quarters * QUARTER_2;
  const sum = first - second;
  const rest = sumRest(first, -second, sum) - quarters * QUARTER_3;
  if (abs<f64>(sum) < 1e-6) return reduceByBits(x);
  angle = normal(sum, rest);
  angleLow = low;
  return <i32>quarters & 3;
}

/** The sine or cosine of the angle that `reduce` left, as a pair. */
function wave(cosine: bool): f64 {
  const negative = angle < 0;
  const h = abs<f64>(angle);
  const l = negative ? -angleLow : angleLow;
  const part = nearest<f64>(h * 32);
  const d = h - part * 0.03125;
  const place = WAVES + ((<usize>part) << 5);
  // f(part + d) = a cos d + b sin d.
  const sineTop = load<f64>(place);
  const sineRest = load<f64>(place, ENTRY_REST);
  const cosineTop = load<f64>(place, WAVE_COSINE);
  const cosineRest = load<f64>(place, WAVE_COSINE_REST);
  const a = cosine ? cosineTop : sineTop;
  const aRest = cosine ? cosineRest : sineRest;
  const b = cosine ? -sineTop : cosineTop;
  const bRest = cosine ? -sineRest : cosineRest;
  const whole = d + l;
  const square = whole * whole;
  const sineMore = whole * square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040)));
  const cosineMore = square * (-0.5 + square * (1.0 / 24 + square * (-1.0 / 720 + square * (1.0 / 40320))));
  const dTop = top(d);
  const main = b * dTop;
  const high = a + main;
  const beside = aRest + bRest * d + b * (d - dTop + l);
  const rest = quickRest(a, main, high) + (beside + (b + bRest) * sineMore + (a + aRest) * cosineMore);
  if (negative && !cosine) return pair(-high, -rest);
  return pair(high, rest);
}

export function realSin(x: f64): f64 {
  const size = abs<f64>(x);
  if (size < 1e-8) return x;
  if (!(size < Infinity)) return NaN;
  const quarters = reduce(size);
  const high = wave((quarters & 1) != 0);
  const result = high + low;
  return (quarters & 2) != 0 != x < 0 ? -result : result;
}

export function realCos(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size < Infinity)) return NaN;
  const quarters = reduce(size);
  const high = wave((quarters & 1) == 0);
  const result = high + low;
  return ((quarters + 1) & 2) != 0 ? -result : result;
}

export function realTan(x: f64): f64 {
  const size = abs<f64>(x);
  if (size < 1e-8) return x;
  if (!(size < Infinity)) return NaN;
  const turned = (reduce(size) & 1) != 0;
  const sine = wave(false);
  const sineHigh = normal(sine, low);
  const sineLow = low;
  const cosine = wave(true);
  const cosineHigh = normal(cosine, low);
  const result = turned
    ? -dividePairs(cosineHigh, low, sineHigh, sineLow)
    : dividePairs(sineHigh, sineLow, cosineHigh, low);
  return x < 0 ? -result : result;
}

/** The arc whose tangent is the quotient of two pairs above 0 (the first may be 0), which is 1 at most. */
function arc(nh: f64, nl: f64, dh: f64, dl: f64): f64 {
  const part = nearest<f64>((nh / dh) * 32);
  const c = part * 0.03125;
  // tan(x - y) = (tan x - tan y) / (1 + tan x tan y)
  const below = c * dh;
  const over = nh - below;
  const overLow = sumRest(nh, -below, over) - productRest(c, dh, below) + (nl - c * dl);
  const across = c * nh;
  const under = dh + across;
  const underLow = quickRest(dh, across, under) + productRest(c, nh, across) + (dl + c * nl);
  const q = dividePairs(over, overLow, under, underLow);
  const qLow = low;
  const s = q * q;
  const more = q * s * (-1.0 / 3 + s * (0.2 + s * (-1.0 / 7 + s * (1.0 / 9 - s * (1.0 / 11)))));
  const place = ARCS + ((<usize>part) << 4);
  const known = load<f64>(place);
  const high = known + q;
  return normal(high, quickRest(known, q, high) + (load<f64>(place, ENTRY_REST) + qLow + more));
}

/** The arc between 0 and pi/2 whose tangent is a quotient of pairs that are not both 0 nor negative. */
function wideArc(nh: f64, nl: f64, dh: f64, dl: f64): f64 {
  if (nh <= dh) return arc(nh, nl, dh, dl);
  const high = arc(dh, dl, nh, nl);
  return addPairs(QUARTER, QUARTER_LOW, -high, -low);
}

/** pi less a pair. */
function supplement(high: f64): f64 {
  return addPairs(2 * QUARTER, 2 * QUARTER_LOW, -high, -low);
}

export function realAtan(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size >= 1e-8)) return x;
  const high = size > 1e18 ? QUARTER : wideArc(size, 0, 1, 0);
  return copysign<f64>(high, x);
}

export function realAtan2(y: f64, x: f64): f64 {
  if (isNaN(x) || isNaN(y)) return NaN;
  let n = abs<f64>(y);
  let d = abs<f64>(x);
  const back = reinterpret<i64>(x) < 0;
  let high: f64;
  if (n == 0) {
    high = back ? 2 * QUARTER : 0;
  } else if (n == d && n == Infinity) {
    high = back ? 1.5 * QUARTER : 0.5 * QUARTER;
    if (back) high = addPairs(QUARTER, QUARTER_LOW, 0.5 * QUARTER, 0.5 * QUARTER_LOW);
  } else if (d == 0 || n == Infinity) {
    high = QUARTER;
  } else if (d == Infinity) {
    high = back ? 2 * QUARTER : 0;
  } else {
    // Both into the middle of the doubles; what is far apart after that has a quotient that counts for nothing, or is the arc.
    const up: f64 = max<f64>(n, d) < 1e-100 ? powerOfTwo(600) : min<f64>(n, d) > 1e100 ? powerOfTwo(-600) : 1;
    n *= up;
    d *= up;
    if (n < d * 1e-20) high = back ? 2 * QUARTER : n / d;
    else if (d < n * 1e-20) high = QUARTER;
    else {
      high = wideArc(n, 0, d, 0);
      if (back) high = supplement(high);
    }
  }
  return copysign<f64>(high, y);
}

/** The square root of 1 - x^2, for x not negative. */
function otherSide(x: f64): f64 {
  const less = 1 - x;
  const lessLow = quickRest(1, -x, less);
  const more = 1 + x;
  const product = multiplyPairs(less, lessLow, more, quickRest(1, x, more));
  return rootOfPair(product, low);
}

export function realAsin(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size <= 1)) return NaN;
  if (size < 1e-8) return x;
  const side = otherSide(size);
  return copysign<f64>(wideArc(size, 0, side, low), x);
}

export function realAcos(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size <= 1)) return NaN;
  const side = otherSide(size);
  const high = wideArc(side, low, size, 0);
  return x < 0 ? supplement(high) : high;
}
