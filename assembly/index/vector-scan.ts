// Scans of rows by their full components. Each row's key has the bits of `vectorKey`; what differs is how many are made at a time.
//
// One query: row after row, so that memory is read in one stream (four rows side by side read it at half the speed), and the lanes of
// four rows are summed together. Several: two rows by four queries at a time, one of the four accumulators of each pair after the
// other, over a block of rows that stays in the cache until every query has seen it: memory is read once for all. Cost: one pass
// over the rows for up to as many queries as there are; arithmetic for each.

import { accumulate, keysOf, lanesOf, lanesSum4, METRIC_L2, STEP_BYTES } from './vector-score';
import {
  QUERY_NORM,
  QUERY_VECTOR,
  queryOffer,
  queryReach,
  queryRow,
  queryTakes,
  queryTakesAll,
  scanMetric,
  scanNorms,
  scanRowBytes,
  scanRows,
} from './vector-query';

/** Bytes of rows that several queries share: well inside a second-level cache. */
const BLOCK_BYTES: u32 = 32768;

/** Queries of one tile. */
const TILE_QUERIES: u32 = 4;
/** Sums under way: accumulators 0 and 1 of two rows by four queries, then 2 and 3. */
export const SUMS_BYTES: usize = 256;

/** Offers rows [from, to) to one query. */
export function scanOne(query: usize, from: u32, to: u32): void {
  if (!queryTakesAll(query)) scanSome(query, from, to);
  else if (scanMetric == METRIC_L2) scanAll(true, query, from, to);
  else scanAll(false, query, from, to);
}

// @ts-ignore: decorator
@inline
function scanAll(squares: bool, query: usize, from: u32, to: u32): void {
  const q = <usize>load<u32>(query, QUERY_VECTOR);
  const norm = f32x4.splat(load<f32>(query, QUERY_NORM));
  const bytes = scanRowBytes;
  const metric = scanMetric;
  let reach = f32x4.splat(queryReach(query));
  let p = scanRows + <usize>from * bytes;
  let row = from;
  for (; row + 4 <= to; row += 4) {
    const a = lanesOf(squares, p, q, bytes);
    const b = lanesOf(squares, p + bytes, q, bytes);
    const c = lanesOf(squares, p + 2 * bytes, q, bytes);
    const d = lanesOf(squares, p + 3 * bytes, q, bytes);
    const keys = keysOf(metric, lanesSum4(a, b, c, d), v128.load(scanNorms + (<usize>row << 2)), norm);
    const good = i32x4.bitmask(f32x4.ge(keys, reach));
    if (good != 0) {
      if ((good & 1) != 0) queryOffer(query, row, f32x4.extract_lane(keys, 0));
      if ((good & 2) != 0) queryOffer(query, row + 1, f32x4.extract_lane(keys, 1));
      if ((good & 4) != 0) queryOffer(query, row + 2, f32x4.extract_lane(keys, 2));
      if ((good & 8) != 0) queryOffer(query, row + 3, f32x4.extract_lane(keys, 3));
      reach = f32x4.splat(queryReach(query));
    }
    p += 4 * bytes;
  }
  for (; row < to; row++) queryRow(query, row);
}

/** A query with constraints: only rows that satisfy them are scored. */
function scanSome(query: usize, from: u32, to: u32): void {
  for (let row = from; row < to; row++) {
    if (queryTakes(query, row)) queryRow(query, row);
  }
}

// --- Several queries -------------------------------------------------------------------------------------------------------

/** Offers rows [from, to) to `count` queries, whose addresses stand at `queries`. `sums`: SUMS_BYTES of scratch, 16-aligned. */
export function scanMany(queries: usize, count: u32, sums: usize, from: u32, to: u32): void {
  if (count == 1) {
    scanOne(<usize>load<u32>(queries), from, to);
    return;
  }
  const step = max<u32>(2, (BLOCK_BYTES / <u32>scanRowBytes) & ~1);
  for (let row = from; row < to; row += step) {
    const end = min<u32>(row + step, to);
    for (let i: u32 = 0; i < count; i += TILE_QUERIES) {
      const at = queries + (<usize>i << 2);
      const some = min<u32>(count - i, TILE_QUERIES);
      if (some == 1) scanOne(<usize>load<u32>(at), row, end);
      else if (scanMetric == METRIC_L2) scanTiles(true, at, some, sums, row, end);
      else scanTiles(false, at, some, sums, row, end);
    }
  }
}

/** The query at `index` of a tile; the last one again where there are fewer than four. */
// @ts-ignore: decorator
@inline
function queryOf(queries: usize, count: u32, index: u32): usize {
  return <usize>load<u32>(queries + (<usize>min<u32>(index, count - 1) << 2));
}

/** A number of each query as a lane. */
// @ts-ignore: decorator
@inline
function lanesFrom(a: f32, b: f32, c: f32, d: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(a), 1, b), 2, c), 3, d);
}

// @ts-ignore: decorator
@inline
function scanTiles(squares: bool, queries: usize, count: u32, sums: usize, from: u32, to: u32): void {
  const a = queryOf(queries, count, 0);
  const b = queryOf(queries, count, 1);
  const c = queryOf(queries, count, 2);
  const d = queryOf(queries, count, 3);
  const q0 = <usize>load<u32>(a, QUERY_VECTOR);
  const q1 = <usize>load<u32>(b, QUERY_VECTOR);
  const q2 = <usize>load<u32>(c, QUERY_VECTOR);
  const q3 = <usize>load<u32>(d, QUERY_VECTOR);
  const queryNorms = lanesFrom(
    load<f32>(a, QUERY_NORM), load<f32>(b, QUERY_NORM), load<f32>(c, QUERY_NORM), load<f32>(d, QUERY_NORM),
  );
  const every = (1 << count) - 1;
  let reach = lanesFrom(queryReach(a), queryReach(b), queryReach(c), queryReach(d));
  let row = from;
  for (; row + 2 <= to; row += 2) {
    const p = scanRows + <usize>row * scanRowBytes;
    for (let stripe: usize = 0; stripe < 4; stripe++) fillStripe(squares, stripe, p, q0, q1, q2, q3, sums);
    const at = scanNorms + (<usize>row << 2);
    const first = keysOf(scanMetric, tileSums(sums), v128.load_splat<f32>(at), queryNorms);
    const second = keysOf(scanMetric, tileSums(sums + 64), v128.load_splat<f32>(at + 4), queryNorms);
    const good = i32x4.bitmask(f32x4.ge(first, reach)) & every;
    const alsoGood = i32x4.bitmask(f32x4.ge(second, reach)) & every;
    if ((good | alsoGood) == 0) continue;
    offerTile(a, b, c, d, row, first, good);
    offerTile(a, b, c, d, row + 1, second, alsoGood);
    reach = lanesFrom(queryReach(a), queryReach(b), queryReach(c), queryReach(d));
  }
  if (row == to) return;
  for (let i: u32 = 0; i < count; i++) queryRow(queryOf(queries, count, i), row);
}

/** Fills one accumulator of two rows by four queries, and joins it with those before as the fixed order wants. */
// @ts-ignore: decorator
@inline
function fillStripe(squares: bool, stripe: usize, p: usize, q0: usize, q1: usize, q2: usize, q3: usize, sums: usize): void {
  let a = f32x4.splat(0);
  let b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  const bytes = scanRowBytes;
  const end = p + bytes;
  const skip = stripe << 4;
  let at = p + skip;
  let at1 = at + bytes;
  let k0 = q0 + skip;
  let k1 = q1 + skip;
  let k2 = q2 + skip;
  let k3 = q3 + skip;
  while (at < end) {
    const x = v128.load(at);
    const y = v128.load(at1);
    const u = v128.load(k0);
    a = accumulate(squares, a, x, u);
    e = accumulate(squares, e, y, u);
    const v = v128.load(k1);
    b = accumulate(squares, b, x, v);
    f = accumulate(squares, f, y, v);
    const w = v128.load(k2);
    c = accumulate(squares, c, x, w);
    g = accumulate(squares, g, y, w);
    const z = v128.load(k3);
    d = accumulate(squares, d, x, z);
    h = accumulate(squares, h, y, z);
    at += STEP_BYTES;
    at1 += STEP_BYTES;
    k0 += STEP_BYTES;
    k1 += STEP_BYTES;
    k2 += STEP_BYTES;
    k3 += STEP_BYTES;
  }
  const to = sums + ((stripe & 2) << 6);
  if ((stripe & 1) != 0) {
    a = f32x4.add(v128.load(to), a);
    b = f32x4.add(v128.load(to, 16), b);
    c = f32x4.add(v128.load(to, 32), c);
    d = f32x4.add(v128.load(to, 48), d);
    e = f32x4.add(v128.load(to, 64), e);
    f = f32x4.add(v128.load(to, 80), f);
    g = f32x4.add(v128.load(to, 96), g);
    h = f32x4.add(v128.load(to, 112), h);
  }
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
  v128.store(to, e, 64);
  v128.store(to, f, 80);
  v128.store(to, g, 96);
  v128.store(to, h, 112);
}

/** The four sums of a row. */
// @ts-ignore: decorator
@inline
function tileSums(sums: usize): v128 {
  return lanesSum4(
    f32x4.add(v128.load(sums), v128.load(sums, 128)),
    f32x4.add(v128.load(sums, 16), v128.load(sums, 144)),
    f32x4.add(v128.load(sums, 32), v128.load(sums, 160)),
    f32x4.add(v128.load(sums, 48), v128.load(sums, 176)),
  );
}

function offerTile(a: usize, b: usize, c: usize, d: usize, row: u32, keys: v128, good: i32): void {
  if ((good & 1) != 0) queryOffer(a, row, f32x4.extract_lane(keys, 0));
  if ((good & 2) != 0) queryOffer(b, row, f32x4.extract_lane(keys, 1));
  if ((good & 4) != 0) queryOffer(c, row, f32x4.extract_lane(keys, 2));
  if ((good & 8) != 0) queryOffer(d, row, f32x4.extract_lane(keys, 3));
}
