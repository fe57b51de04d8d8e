// Scans of rows by their 8-bit companion first: whole-number dot products bound each row's key from above (vector-query.ts proves
// the bound), and only a row whose bound reaches what the top still takes is scored in full. The answer is that of a plain scan, bit for
// bit: whatever is left out could not have entered the top.
//
// It reads a quarter of the bytes. It stops paying when bounds are too loose to leave rows out: vectors all alike, very large k. So
// whoever scans looks at `companionScored` and goes on plainly. One query meets four rows side by side, which share what is loaded of it;
// several meet two rows by four queries. Memory gives rows side by side at a third of the speed, so long ones are first prefetched in
// order.
// Measured (benchmarks/vectors, 4-core EPYC, 071343c): time of row after row → four side by side, 1 → 0.78 in the cache, 0.94 from
// memory at 128 components, 0.92 at 768 (3.5 without the prefetch).
//
// A query with constraints scores only rows it takes, from one row in eight on; fewer are looked for row by row (vector-search.ts).
// Measured (benchmarks/vectors, 4-core EPYC, 071343c): time of row by row → by the companion, at 128 and at 768 components,
//   all rows taken   4.2 → 1   3.8 → 1
//   half of them     4.9 → 1   2.4 → 1
//   three in ten     3.9 → 1   1.5 → 1
//   one in ten       1.8 → 1   1.0 → 1

import { prefetchLines } from '../memory/prefetch';
import { companionCodes, companionErrors, companionLengths, companionRowBytes } from './vector-companion-rows';
import {
  QUERY_A, QUERY_B, QUERY_CODES, QUERY_K, QUERY_SCALE, QUERY_SQUARE, queryBound, queryReach, queryRow, queryTakes, queryTakesAll,
  scanCompanion, scanDimension,
} from './vector-query';

/** Bytes of codes that several queries share. */
const BLOCK_BYTES: u32 = 32768;

/** Rows of at least so many bytes of codes are brought into the cache, line by line in order, before four are read side by side. */
const PRIME_FROM: usize = 512;

let capacity: u32 = 0;
let rowsScored: u32 = 0;

/** Prepares for the slab of `rows` rows of capacity; afterwards `companionScored` counts from 0. */
export function companionOpen(slabCapacity: u32): void {
  capacity = slabCapacity;
  rowsScored = 0;
}

/** Rows scored in full since `companionOpen`, over all queries. */
export function companionScored(): u32 {
  return rowsScored;
}

/** Lane sums of four vectors: lane j is that of the j-th. */
// @ts-ignore: decorator
@inline
function lanesSum4(a: v128, b: v128, c: v128, d: v128): v128 {
  const x = i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
  const y = i32x4.add(v128.shuffle<i32>(c, d, 0, 1, 4, 5), v128.shuffle<i32>(c, d, 2, 3, 6, 7));
  return i32x4.add(v128.shuffle<i32>(x, y, 0, 2, 4, 6), v128.shuffle<i32>(x, y, 1, 3, 5, 7));
}

/** Scores a row in full if the query takes it; what the top takes from now on is in the bound. */
function score(query: usize, row: u32): void {
  if (!queryTakesAll(query) && !queryTakes(query, row)) return;
  const reach = queryReach(query);
  rowsScored++;
  queryRow(query, row);
  if (queryReach(query) != reach) queryBound(query);
}

/** Offers rows [from, to) to one query that has codes. */
export function companionOne(query: usize, from: u32, to: u32): void {
  const bytes = companionRowBytes(scanDimension);
  const q = <usize>load<u32>(query, QUERY_CODES);
  const scales = scanCompanion;
  const errors = companionErrors(scanCompanion, capacity);
  const lengths = companionLengths(scanCompanion, capacity);
  const queryScale = f32x4.splat(load<f32>(query, QUERY_SCALE));
  const aWeight = f32x4.splat(load<f32>(query, QUERY_A));
  const square = f32x4.splat(load<f32>(query, QUERY_SQUARE));
  let bWeight = f32x4.splat(load<f32>(query, QUERY_B));
  let constant = f32x4.splat(load<f32>(query, QUERY_K));
  const zero = f32x4.splat(0);
  let p = companionCodes(scanCompanion, capacity) + <usize>from * bytes;
  let row = from;
  const long = bytes >= PRIME_FROM;
  for (; row + 4 <= to; row += 4) {
    let a = i32x4.splat(0);
    let b = a, c = a, d = a;
    const second = p + bytes;
    const third = second + bytes;
    const fourth = third + bytes;
    if (long) prefetchLines(p, fourth + bytes);
    for (let k: usize = 0; k < bytes; k += 8) {
      const x = v128.load(q + (k << 1));
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(p + k), x));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(second + k), x));
      c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load_ext<i8>(third + k), x));
      d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load_ext<i8>(fourth + k), x));
    }
    p = fourth + bytes;
    const at = <usize>row << 2;
    const length = v128.load(lengths + at);
    const dots = f32x4.convert_i32x4_s(lanesSum4(a, b, c, d));
    let bound = f32x4.mul(f32x4.mul(dots, v128.load(scales + at)), queryScale);
    bound = f32x4.add(bound, f32x4.mul(aWeight, v128.load(errors + at)));
    bound = f32x4.add(bound, f32x4.mul(f32x4.sub(bWeight, f32x4.mul(square, length)), length));
    bound = f32x4.add(bound, constant);
    const out = i32x4.bitmask(f32x4.lt(bound, zero));
    if (out == 15) continue;
    if ((out & 1) == 0) score(query, row);
    if ((out & 2) == 0) score(query, row + 1);
    if ((out & 4) == 0) score(query, row + 2);
    if ((out & 8) == 0) score(query, row + 3);
    bWeight = f32x4.splat(load<f32>(query, QUERY_B));
    constant = f32x4.splat(load<f32>(query, QUERY_K));
  }
  for (; row < to; row++) score(query, row);
}

// --- Several queries -------------------------------------------------------------------------------------------------------

/** Offers rows [from, to) to `count` queries that have codes, whose addresses stand at `queries`. */
export function companionMany(queries: usize, count: u32, from: u32, to: u32): void {
  const bytes = companionRowBytes(scanDimension);
  const codes = companionCodes(scanCompanion, capacity);
  const step = max<u32>(2, (BLOCK_BYTES / <u32>bytes) & ~3);
  for (let row = from; row < to; row += step) {
    const end = min<u32>(row + step, to);
    let i: u32 = 0;
    if (bytes >= PRIME_FROM) prefetchLines(codes + <usize>row * bytes, codes + <usize>end * bytes);
    for (; i + 4 <= count; i += 4) companionFour(queries + (<usize>i << 2), row, end);
    for (; i < count; i++) companionOne(<usize>load<u32>(queries + (<usize>i << 2)), row, end);
  }
}

/** The same word of four queries as four lanes. */
// @ts-ignore: decorator
@inline
function wordOfFour(queries: usize, offset: usize): v128 {
  let v = v128.load_zero<f32>(<usize>load<u32>(queries) + offset);
  v = v128.load_lane<f32>(<usize>load<u32>(queries, 4) + offset, v, 1);
  v = v128.load_lane<f32>(<usize>load<u32>(queries, 8) + offset, v, 2);
  return v128.load_lane<f32>(<usize>load<u32>(queries, 12) + offset, v, 3);
}

function companionFour(queries: usize, from: u32, to: u32): void {
  const bytes = companionRowBytes(scanDimension);
  const q0 = <usize>load<u32>(<usize>load<u32>(queries), QUERY_CODES);
  const q1 = <usize>load<u32>(<usize>load<u32>(queries, 4), QUERY_CODES);
  const q2 = <usize>load<u32>(<usize>load<u32>(queries, 8), QUERY_CODES);
  const q3 = <usize>load<u32>(<usize>load<u32>(queries, 12), QUERY_CODES);
  const queryScales = wordOfFour(queries, QUERY_SCALE);
  const aWeights = wordOfFour(queries, QUERY_A);
  const squares = wordOfFour(queries, QUERY_SQUARE);
  let bWeights = wordOfFour(queries, QUERY_B);
  let constants = wordOfFour(queries, QUERY_K);
  let p = companionCodes(scanCompanion, capacity) + <usize>from * bytes;
  let row = from;
  for (; row + 2 <= to; row += 2) {
    let a = i32x4.splat(0);
    let b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    const end = p + bytes;
    let p1 = end;
    let k: usize = 0;
    while (p < end) {
      const x = v128.load_ext<i8>(p);
      const y = v128.load_ext<i8>(p1);
      const u = v128.load(q0 + k);
      a = i32x4.add(a, i32x4.dot_i16x8_s(x, u));
      e = i32x4.add(e, i32x4.dot_i16x8_s(y, u));
      const v = v128.load(q1 + k);
      b = i32x4.add(b, i32x4.dot_i16x8_s(x, v));
      f = i32x4.add(f, i32x4.dot_i16x8_s(y, v));
      const w = v128.load(q2 + k);
      c = i32x4.add(c, i32x4.dot_i16x8_s(x, w));
      g = i32x4.add(g, i32x4.dot_i16x8_s(y, w));
      const z = v128.load(q3 + k);
      d = i32x4.add(d, i32x4.dot_i16x8_s(x, z));
      h = i32x4.add(h, i32x4.dot_i16x8_s(y, z));
      p += 8;
      p1 += 8;
      k += 16;
    }
    p = p1;
    const first = boundOf(lanesSum4(a, b, c, d), row, queryScales, aWeights, bWeights, squares, constants);
    const second = boundOf(lanesSum4(e, f, g, h), row + 1, queryScales, aWeights, bWeights, squares, constants);
    const out = i32x4.bitmask(f32x4.lt(first, f32x4.splat(0))) | (i32x4.bitmask(f32x4.lt(second, f32x4.splat(0))) << 4);
    if (out == 255) continue;
    for (let i: u32 = 0; i < 8; i++) {
      if ((out & (1 << i)) == 0) score(<usize>load<u32>(queries + (<usize>(i & 3) << 2)), row + (i >> 2));
    }
    bWeights = wordOfFour(queries, QUERY_B);
    constants = wordOfFour(queries, QUERY_K);
  }
  if (row < to) {
    for (let i: usize = 0; i < 4; i++) score(<usize>load<u32>(queries + (i << 2)), row);
  }
}

/** The bounds of one row for four queries. */
// @ts-ignore: decorator
@inline
function boundOf(dots: v128, row: u32, scales: v128, aWeights: v128, bWeights: v128, squares: v128, constants: v128): v128 {
  const at = <usize>row << 2;
  const length = v128.load_splat<f32>(companionLengths(scanCompanion, capacity) + at);
  const error = v128.load_splat<f32>(companionErrors(scanCompanion, capacity) + at);
  let bound = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(dots), v128.load_splat<f32>(scanCompanion + at)), scales);
  bound = f32x4.add(bound, f32x4.mul(aWeights, error));
  bound = f32x4.add(bound, f32x4.mul(f32x4.sub(bWeights, f32x4.mul(squares, length)), length));
  return f32x4.add(bound, constants);
}
