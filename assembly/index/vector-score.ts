// How two vectors compare: the one scoring routine. Every scan, whatever it does in parallel, gives the bits that `vectorScore` gives.
//
// Metrics, in single precision throughout:
//   Cosine       dot(a, b) / (norm(a) * norm(b)), held to [-1, 1]; norm(a) = sqrt(dot(a, a)); wants both norms above 0
//   DotProduct   dot(a, b)
//   L2           sqrt of the sum of (a - b)²
//
// Order of summation, the same everywhere: component i goes to lane i mod 4 of accumulator (i / 4) mod 4, in ascending i; a product is
// rounded before it is added. Then accumulators (0 + 1) + (2 + 3), lane by lane, and of the four lanes (0 + 2) + (1 + 3). Zeros behind
// the last component change nothing, since no accumulator is ever -0. Four accumulators run beside each other where one vector meets
// one other; where several meet several, one accumulator of each pair is filled at a time, which is the same order.
//
// A *key* orders scores: higher is better, so it is the score, or minus the distance for L2.

export const METRIC_COSINE: u32 = 0;
export const METRIC_DOT: u32 = 1;
export const METRIC_L2: u32 = 2;

/** Longest vector an index or an embedding takes. */
export const MAX_DIMENSION: u32 = 4096;

/** Bytes one step takes: each accumulator once. */
export const STEP_BYTES: usize = 64;

/** The four lanes in the fixed order. */
// @ts-ignore: decorator
@inline
function lanesSum(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 2)) + (f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 3));
}

/** Lane sums of four vectors, in the fixed order each: lane j is that of the j-th. */
// @ts-ignore: decorator
@inline
export function lanesSum4(a: v128, b: v128, c: v128, d: v128): v128 {
  const x = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
  const y = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
  return f32x4.add(v128.shuffle<f32>(x, y, 0, 2, 4, 6), v128.shuffle<f32>(x, y, 1, 3, 5, 7));
}

/** Up to four components from `at`, zeros in the other lanes. `count` may be negative. */
function loadFew(at: usize, count: i32): v128 {
  let v = f32x4.splat(0);
  if (count > 0) v = f32x4.replace_lane(v, 0, load<f32>(at));
  if (count > 1) v = f32x4.replace_lane(v, 1, load<f32>(at, 4));
  if (count > 2) v = f32x4.replace_lane(v, 2, load<f32>(at, 8));
  if (count > 3) v = f32x4.replace_lane(v, 3, load<f32>(at, 12));
  return v;
}

/** One product, or with `squares` one squared difference, of four components added to an accumulator. */
// @ts-ignore: decorator
@inline
export function accumulate(squares: bool, sum: v128, a: v128, b: v128): v128 {
  if (!squares) return f32x4.add(sum, f32x4.mul(a, b));
  const d = f32x4.sub(a, b);
  return f32x4.add(sum, f32x4.mul(d, d));
}

/**
 * Lanes of the dot product, or with `squares` of the squared distance, of two vectors of any dimension at any addresses: what is left
 * behind whole steps, one accumulator after the other.
 */
// @ts-ignore: decorator
@inline
function lanesOfAny(squares: bool, a: usize, b: usize, dimension: u32): v128 {
  let s = f32x4.splat(0);
  let t = s, u = s, v = s;
  const end = a + <usize>(dimension >> 4) * STEP_BYTES;
  while (a < end) {
    s = accumulate(squares, s, v128.load(a), v128.load(b));
    t = accumulate(squares, t, v128.load(a, 16), v128.load(b, 16));
    u = accumulate(squares, u, v128.load(a, 32), v128.load(b, 32));
    v = accumulate(squares, v, v128.load(a, 48), v128.load(b, 48));
    a += STEP_BYTES;
    b += STEP_BYTES;
  }
  const left = <i32>(dimension & 15);
  if (left != 0) {
    s = accumulate(squares, s, loadFew(a, left), loadFew(b, left));
    t = accumulate(squares, t, loadFew(a + 16, left - 4), loadFew(b + 16, left - 4));
    u = accumulate(squares, u, loadFew(a + 32, left - 8), loadFew(b + 32, left - 8));
    v = accumulate(squares, v, loadFew(a + 48, left - 12), loadFew(b + 48, left - 12));
  }
  return f32x4.add(f32x4.add(s, t), f32x4.add(u, v));
}

/** Dot product of two vectors of `dimension` components at any addresses. */
export function vectorDot(a: usize, b: usize, dimension: u32): f32 {
  return lanesSum(lanesOfAny(false, a, b, dimension));
}

/** Sum of the squared differences. */
function vectorDistance2(a: usize, b: usize, dimension: u32): f32 {
  return lanesSum(lanesOfAny(true, a, b, dimension));
}

/** The norm that Cosine divides by. 0 also when the squares are too small for single precision. */
export function vectorNorm(a: usize, dimension: u32): f32 {
  return sqrt<f32>(vectorDot(a, a, dimension));
}

/** True when every component is a finite number. */
export function vectorFinite(a: usize, dimension: u32): bool {
  const end = a + (<usize>dimension << 2);
  while (a < end) {
    if ((load<u32>(a) & 0x7f800000) == 0x7f800000) return false;
    a += 4;
  }
  return true;
}

/** The key of `a` and `b`; not finite when they do not compare. The norms count for Cosine only. */
export function vectorKey(metric: u32, a: usize, b: usize, dimension: u32, aNorm: f32, bNorm: f32): f32 {
  if (metric == METRIC_L2) return -sqrt<f32>(vectorDistance2(a, b, dimension));
  const dot = vectorDot(a, b, dimension);
  if (metric == METRIC_DOT) return dot;
  if (metric != METRIC_COSINE) unreachable();
  const cosine = dot / (aNorm * bNorm);
  return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

/**
 * The score of two vectors of `dimension` components, the same bits as a scan of an index gives. NaN or infinite when they do
 * not compare (a norm of 0 under Cosine, an overflow): such a pair never matches.
 */
export function vectorScore(metric: u32, a: usize, b: usize, dimension: u32): f32 {
  const norms = metric == METRIC_COSINE;
  const key = vectorKey(metric, a, b, dimension, norms ? vectorNorm(a, dimension) : 1, norms ? vectorNorm(b, dimension) : 1);
  return metric == METRIC_L2 ? -key : key;
}

/** Four keys out of four sums (dots, or squared distances for L2). `norms`: of the four rows. */
// @ts-ignore: decorator
@inline
export function keysOf(metric: u32, sums: v128, norms: v128, queryNorm: v128): v128 {
  if (metric == METRIC_DOT) return sums;
  if (metric == METRIC_L2) return f32x4.neg(f32x4.sqrt(sums));
  const cosines = f32x4.div(sums, f32x4.mul(queryNorm, norms));
  // pmin and pmax answer the first operand when it is NaN.
  return f32x4.pmax(f32x4.pmin(cosines, f32x4.splat(1)), f32x4.splat(-1));
}
