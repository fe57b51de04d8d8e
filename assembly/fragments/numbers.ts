// Functions of reals that WebAssembly has no instruction for and that need nothing of the host: their results are those of
// src/fragments/interpreter/members/mathematics.ts, bit for bit. Every NaN has a minus sign, as double.NaN. Floats come as doubles.

import { doubleTen } from '../values/tables';
import { FAULT_ARGUMENT, FAULT_RANGE, leaveFault } from './faults';

/** What a division that is cut off leaves, exactly. */
export function realRemainder(x: f64, y: f64): f64 {
  return x % y;
}

// @ts-ignore: decorator
@inline
function isMinus(value: f64): bool {
  return !(value > 0) && (value != 0 || reinterpret<i64>(value) < 0);
}

export function realIsMinus(value: f64): bool {
  return isMinus(value);
}

export function realCopySign(x: f64, y: f64): f64 {
  return isMinus(x) == isMinus(y) ? x : -x;
}

export function realIeeeRemainder(x: f64, y: f64): f64 {
  if (isNaN(x) || isNaN(y)) return NaN;
  const regular = x % y;
  if (isNaN(regular)) return NaN;
  if (regular == 0 && isMinus(x)) return -0.0;
  const alternative = regular - abs<f64>(y) * (x > 0 ? 1 : x < 0 ? -1 : x);
  if (abs<f64>(alternative) == abs<f64>(regular)) {
    const quotient = x / y;
    return abs<f64>(nearest<f64>(quotient)) > abs<f64>(quotient) ? alternative : regular;
  }
  return abs<f64>(alternative) < abs<f64>(regular) ? alternative : regular;
}

export function realMagnitude(x: f64, y: f64, largest: bool): f64 {
  const a = abs<f64>(x);
  const b = abs<f64>(y);
  if (isNaN(a) || isNaN(b)) return NaN;
  if (a == b) return largest ? max<f64>(x, y) : min<f64>(x, y);
  return a > b == largest ? x : y;
}

function roundUnits(value: f64, rule: i32): f64 {
  if (rule == 0) return nearest<f64>(value);
  if (rule == 2) return trunc<f64>(value);
  if (rule == 3) return floor<f64>(value);
  if (rule == 4) return ceil<f64>(value);
  const cut = trunc<f64>(value);
  if (!(abs<f64>(value - cut) >= 0.5)) return cut;
  return value > 0 ? cut + 1 : cut - 1;
}

/** Math.Round to places by a rule of MidpointRounding: the product with a power of ten is rounded, as .NET does it. */
export function realRound(value: f64, places: i32, rule: i32, single: bool): f64 {
  if (<u32>places > <u32>(single ? 6 : 15)) {
    leaveFault(FAULT_RANGE);
    return 0;
  }
  if (<u32>rule > 4) {
    leaveFault(FAULT_ARGUMENT);
    return 0;
  }
  if (!(abs<f64>(value) < (single ? 1e8 : 1e16))) return value;
  const scale = doubleTen(<u32>places);
  let scaled = value * scale;
  if (single) scaled = <f64>(<f32>scaled);
  return roundUnits(scaled, rule) / scale;
}

/** x * 2^power, rounded once. */
export function realScale(x: f64, power: i32): f64 {
  let rest = max<i32>(-2200, min<i32>(2200, power));
  while (rest > 1000) {
    x *= reinterpret<f64>(<u64>(1000 + 1023) << 52);
    rest -= 1000;
  }
  while (rest < -1000) {
    x *= reinterpret<f64>(<u64>(1023 - 1000) << 52);
    rest += 1000;
  }
  return x * reinterpret<f64>(<u64>(rest + 1023) << 52);
}

/** Floor of the logarithm to base 2; the ends of int for 0 and what is not finite. */
export function realExponent(x: f64): i32 {
  if (x == 0) return i32.MIN_VALUE;
  if (!isFinite(x)) return i32.MAX_VALUE;
  const bits = reinterpret<u64>(x) & 0x7fffffffffffffff;
  const exponent = <i32>(bits >> 52);
  return exponent != 0 ? exponent - 1023 : -1011 - <i32>clz(bits);
}

/** The next double above or below. */
export function realNext(x: f64, up: bool): f64 {
  if (isNaN(x) || x == (up ? Infinity : -Infinity)) return x;
  if (x == 0) return reinterpret<f64>(<u64>1 | (up ? 0 : 0x8000000000000000));
  return reinterpret<f64>(reinterpret<i64>(x) + (x > 0 == up ? 1 : -1));
}

/** The next float. */
export function singleNext(x: f32, up: bool): f32 {
  if (isNaN(x) || x == (up ? <f32>Infinity : -(<f32>Infinity))) return x;
  if (x == 0) return reinterpret<f32>(<u32>1 | (up ? 0 : 0x80000000));
  return reinterpret<f32>(reinterpret<i32>(x) + (x > 0 == up ? 1 : -1));
}

/** Hash codes as .NET has them. */
export function realHash(x: f64): i32 {
  const bits = isNaN(x) ? 0x7ff0000000000000 : x == 0 ? 0 : reinterpret<u64>(x);
  return <i32>(bits ^ (bits >> 32));
}

export function singleHash(x: f32): i32 {
  return isNaN(x) ? 0x7f800000 : x == 0 ? 0 : reinterpret<i32>(x);
}
