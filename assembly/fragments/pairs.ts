// Sums of two doubles: arithmetic with some hundred bits, for the functions of mathematics that are rounded once at their end. A pair is
// (high, low), the value of their exact sum; |low| is far below |high|. A function that answers a pair answers its high part and leaves
// the low one in `low`, until the next call. No part may overflow or become subnormal on the way: callers scale, or answer such cases
// themselves.

/** The low part of the pair answered last. */
export let low: f64 = 0;

/** Answers the pair (h, l). */
// @ts-ignore: decorator
@inline
export function pair(h: f64, l: f64): f64 {
  low = l;
  return h;
}

/** What s = a + b lost. */
// @ts-ignore: decorator
@inline
export function sumRest(a: f64, b: f64, s: f64): f64 {
  const t = s - a;
  return a - (s - t) + (b - t);
}

/** What s = a + b lost, for |a| >= |b| or a = 0. */
// @ts-ignore: decorator
@inline
export function quickRest(a: f64, b: f64, s: f64): f64 {
  return b - (s - a);
}

/** The upper 26 bits of the digits: the product of two such numbers is exact. */
// @ts-ignore: decorator
@inline
export function top(a: f64): f64 {
  return reinterpret<f64>(reinterpret<u64>(a) & 0xfffffffff8000000);
}

/** What p = a * b lost, but for 2^-106 of it. */
// @ts-ignore: decorator
@inline
export function productRest(a: f64, b: f64, p: f64): f64 {
  const aTop = top(a);
  const bTop = top(b);
  const aRest = a - aTop;
  const bRest = b - bTop;
  return aTop * bTop - p + aTop * bRest + aRest * bTop + aRest * bRest;
}

/** The pair with the same sum whose high part is the sum as a double. */
// @ts-ignore: decorator
@inline
export function normal(h: f64, l: f64): f64 {
  const s = h + l;
  low = l - (s - h);
  return s;
}

export function addPairs(ah: f64, al: f64, bh: f64, bl: f64): f64 {
  const s = ah + bh;
  return normal(s, sumRest(ah, bh, s) + (al + bl));
}

export function multiplyPairs(ah: f64, al: f64, bh: f64, bl: f64): f64 {
  const p = ah * bh;
  return normal(p, productRest(ah, bh, p) + (ah * bl + al * bh));
}

export function dividePairs(ah: f64, al: f64, bh: f64, bl: f64): f64 {
  const q = ah / bh;
  const p = q * bh;
  return normal(q, (ah - p - productRest(q, bh, p) + (al - q * bl)) / bh);
}

/** Of a pair that is not negative. */
export function rootOfPair(h: f64, l: f64): f64 {
  if (h == 0) return pair(0, 0);
  const s = sqrt<f64>(h);
  const p = s * s;
  return normal(s, (h - p - productRest(s, s, p) + l) / (s + s));
}

/** 2^power, for the powers of normal doubles. */
// @ts-ignore: decorator
@inline
export function powerOfTwo(power: i32): f64 {
  return reinterpret<f64>(<u64>(power + 1023) << 52);
}

/** (h + l) * 2^power as a double, rounded once; 0.9 < h + l < 2. */
export function scaledPair(h: f64, l: f64, power: i32): f64 {
  const sum = h + l;
  if (power > -1022 || (power == -1022 && sum >= 1)) {
    return power <= 1023 ? sum * powerOfTwo(power) : sum * powerOfTwo(1023) * powerOfTwo(min<i32>(power - 1023, 1023));
  }
  if (power < -1080) return 0;
  // Beside this number a double has the places that a subnormal result has.
  const coarse = powerOfTwo(-1022 - power);
  const s = coarse + h;
  const rounded = s + (quickRest(coarse, h, s) + l);
  return (rounded - coarse) * powerOfTwo(power + 200) * powerOfTwo(-200);
}
