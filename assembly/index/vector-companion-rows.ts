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

import { vectorFinite } from './vector-score';

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

/** Makes the companion of the row that lies, padded, at `vector`. */
export function companionRow(companion: usize, capacity: u32, dimension: u32, row: u32, vector: usize): void {
  const rowBytes = companionRowBytes(dimension);
  const codes = companionCodes(companion, capacity) + <usize>row * rowBytes;
  const words = <usize>row << 2;
  let largest: f32 = 0;
  let squares: f64 = 0;
  for (let i: usize = 0; i < <usize>dimension; i++) {
    const x = load<f32>(vector + (i << 2));
    largest = max<f32>(largest, abs<f32>(x));
    squares += <f64>x * <f64>x;
  }
  memory.fill(codes, 0, rowBytes);
  const length = sqrt<f64>(squares);
  store<f32>(companion + words, 0);
  store<f32>(companionErrors(companion, capacity) + words, 0);
  store<f32>(companionLengths(companion, capacity) + words, 0);
  if (largest == 0) return;
  if (!(length > SHORTEST && length < LONGEST) || !vectorFinite(vector, dimension)) {
    store<f32>(companionErrors(companion, capacity) + words, Infinity);
    return;
  }
  const scale = largest / 127;
  let off: f64 = 0;
  for (let i: usize = 0; i < <usize>dimension; i++) {
    const x = load<f32>(vector + (i << 2));
    const code = <i32>max<f32>(-127, min<f32>(127, nearest<f32>(x / scale)));
    store<i8>(codes + i, <i8>code);
    const rest = <f64>x - <f64>scale * <f64>code;
    off += rest * rest;
  }
  store<f32>(companion + words, scale);
  store<f32>(companionErrors(companion, capacity) + words, <f32>(sqrt<f64>(off) * 1.000001));
  store<f32>(companionLengths(companion, capacity) + words, <f32>length);
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
