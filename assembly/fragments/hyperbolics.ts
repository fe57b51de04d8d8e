// Hyperbolic functions, their inverses and the cube root, as pairs of doubles (pairs.ts) with an error below 2^-61 of the result, rounded
// once: near 0 by a series, elsewhere by powers of e and logarithms.

import { expPair, expPower, logPair } from './exponentials';
import {
  addPairs, dividePairs, low, multiplyPairs, normal, powerOfTwo, productRest, quickRest, rootOfPair, scaledPair, sumRest,
} from './pairs';
import { LN2, LN2_LOW } from './real-tables';

/** e^x and e^-x for 0 <= x <= 40. */
let risen: f64 = 0;
let risenLow: f64 = 0;
let fallen: f64 = 0;
let fallenLow: f64 = 0;

function powersOf(x: f64): void {
  const high = expPair(x, 0);
  const scale = powerOfTwo(expPower);
  risen = normal(high, low) * scale;
  risenLow = low * scale;
  fallen = dividePairs(1, 0, risen, risenLow);
  fallenLow = low;
}

/** Half of e^x, for x above 40. */
function halfPower(x: f64): f64 {
  if (!(x < 750)) return isNaN(x) ? x : Infinity;
  const high = expPair(x, 0);
  return scaledPair(high, low, expPower - 1);
}

export function realSinh(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size >= 1e-8)) return x;
  if (size > 40) return copysign<f64>(halfPower(size), x);
  if (size < 0.0625) {
    const s = x * x;
    return x + x * s * (1.0 / 6 + s * (1.0 / 120 + s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800)))));
  }
  powersOf(size);
  return copysign<f64>(0.5 * addPairs(risen, risenLow, -fallen, -fallenLow), x);
}

export function realCosh(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size <= 40)) return halfPower(size);
  powersOf(size);
  return 0.5 * addPairs(risen, risenLow, fallen, fallenLow);
}

export function realTanh(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size >= 1e-8)) return x;
  if (size > 22) return copysign<f64>(1, x);
  if (size < 0.0625) {
    const s = x * x;
    const late = -1382.0 / 155925 + s * (21844.0 / 6081075 - s * (929569.0 / 638512875));
    return x + x * s * (-1.0 / 3 + s * (2.0 / 15 + s * (-17.0 / 315 + s * (62.0 / 2835 + s * late))));
  }
  powersOf(size);
  const difference = addPairs(risen, risenLow, -fallen, -fallenLow);
  const differenceLow = low;
  const sum = addPairs(risen, risenLow, fallen, fallenLow);
  return copysign<f64>(dividePairs(difference, differenceLow, sum, low), x);
}

/** The logarithm of a pair above 0. */
function logOfPair(h: f64, l: f64): f64 {
  const high = logPair(h);
  return normal(high, low + l / h);
}

export function realAsinh(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size >= 1e-8 && size < Infinity)) return x;
  if (size < 0.03125) {
    const s = x * x;
    const late = 105.0 / 3456 + s * (-945.0 / 42240 + s * (10395.0 / 599040));
    return x + x * s * (-1.0 / 6 + s * (3.0 / 40 + s * (-15.0 / 336 + s * late)));
  }
  if (size > 134217728) {
    const high = logPair(size);
    return copysign<f64>(addPairs(high, low, LN2, LN2_LOW + 0.25 / size / size), x);
  }
  const square = size * size;
  const more = addPairs(square, productRest(size, size, square), 1, 0);
  const root = rootOfPair(more, low);
  const sum = addPairs(root, low, size, 0);
  return copysign<f64>(logOfPair(sum, low), x);
}

export function realAcosh(x: f64): f64 {
  if (!(x >= 1)) return NaN;
  if (x == Infinity) return x;
  if (x > 134217728) {
    const high = logPair(x);
    return addPairs(high, low, LN2, LN2_LOW - 0.25 / x / x);
  }
  const less = x - 1;
  const more = x + 1;
  const product = multiplyPairs(less, sumRest(x, -1, less), more, quickRest(x, 1, more));
  const root = rootOfPair(product, low);
  const sum = addPairs(x, 0, root, low);
  return logOfPair(sum, low);
}

export function realAtanh(x: f64): f64 {
  const size = abs<f64>(x);
  if (!(size < 1)) return size == 1 ? copysign<f64>(Infinity, x) : NaN;
  if (size < 1e-8) return x;
  if (size < 0.03125) {
    const s = x * x;
    const late = 1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13));
    return x + x * s * (1.0 / 3 + s * (0.2 + s * (1.0 / 7 + s * late)));
  }
  const less = 1 - size;
  const more = 1 + size;
  const ratio = dividePairs(more, quickRest(1, size, more), less, quickRest(1, -size, less));
  return copysign<f64>(0.5 * logOfPair(ratio, low), x);
}

export function realCbrt(x: f64): f64 {
  if (x == 0 || !isFinite(x)) return x;
  let size = abs<f64>(x);
  let scale: f64 = 1;
  if (size < 1e-290) {
    size *= powerOfTwo(54);
    scale = powerOfTwo(-18);
  } else if (size > 1e300) {
    size *= powerOfTwo(-54);
    scale = powerOfTwo(18);
  }
  // A third of the exponent to begin with, then twice as many digits with each step, and the last one on exact sums.
  let root = reinterpret<f64>(reinterpret<u64>(size) / 3 + 0x2a9f7893782da1ce);
  for (let i = 0; i < 4; i++) root -= (root - size / (root * root)) * (1.0 / 3);
  const square = root * root;
  const cube = multiplyPairs(square, productRest(root, root, square), root, 0);
  const result = (root - (cube - size + low) / (3 * square)) * scale;
  return copysign<f64>(result, x);
}
