// The 8-bit companion of a slab: for each row a copy in 8-bit whole numbers, and how far the copy may be off.
//
//   companion    scales   capacity x f32     component i of the row is about scale * code i
//                errors   capacity x f32     at least the length of (row - scale * codes); infinite: the codes say nothing
//                lengths  capacity x f32     length of the row, right to half a unit of single precision; 0 when the codes say nothing
//                codes    capacity x row bytes of i8, zeros up to a multiple of 16
//
// The scale is the largest magnitude / 127, so codes lie in [-127, 127]. Errors and lengths are summed in double precision and the error
// is rounded up. Rows so short or so long that products with them leave the normal range of single precision (and every row of
// such a kind) have an infinite error: whoever reads them goes to the row itself. A row of zeros is exact.

/** Lengths in between may be multiplied with each other without leaving the normal range. */
export const SHORTEST: f64 = 1e-10;
export const LONGEST: f64 = 1e18;

// @ts-ignore: decorator
@inline
function columnBytes(capacity: u32): usize {
  return <usize>((capacity + 3) & ~3) << 2;
}

/** Bytes of codes in a row. */
// @ts-ignore: decorator
@inline
export function companionRowBytes(dimension: u32): usize {
  return <usize>((dimension + 15) & ~15);
}

export function companionBytes(capacity: u32, dimension: u32): usize {
  return 3 * columnBytes(capacity) + <usize>capacity * companionRowBytes(dimension);
}

// @ts-ignore: decorator
@inline
export function companionErrors(companion: usize, capacity: u32): usize {
  return companion + columnBytes(capacity);
}

// @ts-ignore: decorator
@inline
export function companionLengths(companion: usize, capacity: u32): usize {
  return companion + 2 * columnBytes(capacity);
}

// @ts-ignore: decorator
@inline
export function companionCodes(companion: usize, capacity: u32): usize {
  return companion + 3 * columnBytes(capacity);
}

/** Squares of four components, added to two sums in double precision. */
// @ts-ignore: decorator
@inline
function addSquares(sums: v128, x: v128): v128 {
  const low = f64x2.promote_low_f32x4(x);
  const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
  return f64x2.add(sums, f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high)));
}

// @ts-ignore: decorator
@inline
function sumOf(sums: v128): f64 {
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}

/** Makes the companion of the row that lies at `vector`, padded to a multiple of 16 components. */
export function companionRow(companion: usize, capacity: u32, dimension: u32, row: u32, vector: usize): void {
  const rowBytes = companionRowBytes(dimension);
  const codes = companionCodes(companion, capacity) + <usize>row * rowBytes;
  const at = companion + (<usize>row << 2);
  const end = vector + (rowBytes << 2);
  let most = f32x4.splat(0);
  let squares = f64x2.splat(0);
  for (let p = vector; p < end; p += 16) {
    const x = v128.load(p);
    most = f32x4.max(most, f32x4.abs(x));
    squares = addSquares(squares, x);
  }
  const largest = max<f32>(
    max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  const length = sqrt<f64>(sumOf(squares));
  store<f32>(at, 0);
  store<f32>(companionErrors(at, capacity), 0);
  store<f32>(companionLengths(at, capacity), 0);
  if (largest == 0 || !(length > SHORTEST && length < LONGEST)) {
    memory.fill(codes, 0, rowBytes);
    if (largest != 0) store<f32>(companionErrors(at, capacity), Infinity);
    return;
  }
  const scale = largest / 127;
  const scales = f32x4.splat(scale);
  const wideScales = f64x2.splat(<f64>scale);
  let off = f64x2.splat(0);
  for (let p = vector, to = codes; p < end; p += 32, to += 8) {
    const a = codesOf(v128.load(p), scales);
    const b = codesOf(v128.load(p, 16), scales);
    const words = i16x8.narrow_i32x4_s(a, b);
    v128.store64_lane(to, i8x16.narrow_i16x8_s(words, words), 0);
    off = f64x2.add(off, f64x2.add(restOf(v128.load(p), a, wideScales), restOf(v128.load(p, 16), b, wideScales)));
  }
  store<f32>(at, scale);
  store<f32>(companionErrors(at, capacity), <f32>(sqrt<f64>(sumOf(off)) * 1.000001));
  store<f32>(companionLengths(at, capacity), <f32>length);
}

/** The nearest codes of four components, in [-127, 127]. */
// @ts-ignore: decorator
@inline
function codesOf(x: v128, scales: v128): v128 {
  const codes = f32x4.nearest(f32x4.div(x, scales));
  return i32x4.trunc_sat_f32x4_s(f32x4.max(f32x4.splat(-127), f32x4.min(f32x4.splat(127), codes)));
}

/** Squares of what four codes leave of their components, as two sums; products and differences are exact enough in double precision. */
// @ts-ignore: decorator
@inline
function restOf(x: v128, codes: v128, scales: v128): v128 {
  const low = f64x2.sub(f64x2.promote_low_f32x4(x), f64x2.mul(scales, f64x2.convert_low_i32x4_s(codes)));
  const highCodes = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(codes, codes, 2, 3, 2, 3));
  const high = f64x2.sub(f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3)), f64x2.mul(scales, highCodes));
  return f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high));
}

/** Copies the companions of `count` rows from one slab's to another's. */
export function companionCopy(
  from: usize, fromCapacity: u32, fromRow: u32, to: usize, toCapacity: u32, toRow: u32, count: u32, dimension: u32,
): void {
  const words = <usize>count << 2;
  const fromAt = <usize>fromRow << 2;
  const toAt = <usize>toRow << 2;
  const rowBytes = companionRowBytes(dimension);
  memory.copy(to + toAt, from + fromAt, words);
  memory.copy(companionErrors(to, toCapacity) + toAt, companionErrors(from, fromCapacity) + fromAt, words);
  memory.copy(companionLengths(to, toCapacity) + toAt, companionLengths(from, fromCapacity) + fromAt, words);
  memory.copy(
    companionCodes(to, toCapacity) + <usize>toRow * rowBytes,
    companionCodes(from, fromCapacity) + <usize>fromRow * rowBytes,
    <usize>count * rowBytes,
  );
}
