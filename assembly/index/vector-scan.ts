// Scans of rows by their full components. Each row's key has the bits of `vectorKey`; what differs is how many are made at a time.
//
// One query. Pairs of rows share what is loaded of the query, two accumulators of each at a time: more at once would spill. The lanes of
// four rows are summed together. Memory comes in pages of 4 KiB; at their ends the processor stops prefetching, and it takes up again
// slowly. So the rows come in turn from four places of a piece, a KiB from each: while one place is read, what was begun at the others
// arrives.
//
// Several queries. Two rows meet four queries at a time, one of the four accumulators of each pair after the other. They do so over a
// block of rows that stays in the cache until every query has seen it, so memory is read once for all. Cost: one pass over the rows, and
// arithmetic for each query.
//
// Measured (benchmarks/vectors, 4-core EPYC, 28f23ca): time of a query without it → with it, 1 → what stands at the right
//   loops of their own for products and squares, in functions of their own    0.62 in the cache, 0.85 from memory: the optimiser folds
//     two inlined copies into one loop that chooses at each product; look at the text of the module after a change here
//   queries laid out in the order in which a tile reads them                  0.86 at 128 components: 3 pointers move instead of 6
//   long rows prefetched by a word a line, in order (scanPrime)               0.79 at 768 components; at 128 it costs 1.1
//   one query: pairs of rows beside row after row, in the cache               0.86; four rows at once 0.98, a step unrolled 1.2 to 1.5
//   from four places instead of in order                                      0.68 at 128 components, 0.84 at 768; from two 0.95; from
//     eight the same, but twice the time where the processor is shared; from sixteen 1.8
//   from two places beside another thread (2-core EPYC, 768 components)       2.1 on each thread: two threads were slower than one
//   a visit of 1 KiB beside one of 512 bytes, of 4 KiB                        0.92, 0.85
//   a word of each page or line before its turn                               1.0 to 1.2 (768 and 128 components)
//   a tile of 14 registers (8 sums, 6 loads)                                  what is unrolled further spills: 1.3

import {
  QUERY_NORM, QUERY_VECTOR, queryOffer, queryReach, queryRow, queryTakes, queryTakesAll, scanMetric, scanNorms, scanRowBytes, scanRows,
} from './vector-query';
import { accumulate, keysOf, lanesSum4, METRIC_COSINE, METRIC_L2, STEP_BYTES } from './vector-score';

/** Of a piece that rows come from in turn. */
const PLACES: u32 = 4;
/** Bytes of rows that several queries share: well inside a second-level cache. */
const BLOCK_BYTES: u32 = 32768;

/** Queries of one tile. */
const TILE_QUERIES: u32 = 4;
/** Rows of at least so many bytes are brought into the cache before they are read two at a time. */
const PRIME_FROM: usize = 2048;
/** Sums under way: accumulators 0 and 1 of two rows by four queries, then 2 and 3. */
export const SUMS_BYTES: usize = 256;

/** Bytes that are read of one place before the next. */
const VISIT_BYTES: u32 = 1024;
/** Bytes of two long rows that are read by two accumulators, then by the other two, out of the cache. */
const CHUNK_BYTES: usize = 512;
const PAGE_BYTES: usize = 4096;

/** Offers rows [from, to) to one query. `sums`: see scanMany. */
function scanOne(query: usize, sums: usize, from: u32, to: u32): void {
  const short = scanRowBytes <= VISIT_BYTES / 2;
  if (!queryTakesAll(query)) scanSome(query, from, to);
  else if (scanMetric == METRIC_L2) {
    if (short) scanShortSquares(query, sums, from, to);
    else scanLongSquares(query, sums, from, to);
  } else if (short) scanShortProducts(query, sums, from, to);
  else scanLongProducts(query, sums, from, to);
}

// Not inlined before it is optimised: see above.
function scanShortSquares(query: usize, sums: usize, from: u32, to: u32): void {
  scanAll(true, true, query, sums, from, to);
}

function scanLongSquares(query: usize, sums: usize, from: u32, to: u32): void {
  scanAll(true, false, query, sums, from, to);
}

function scanShortProducts(query: usize, sums: usize, from: u32, to: u32): void {
  scanAll(false, true, query, sums, from, to);
}

function scanLongProducts(query: usize, sums: usize, from: u32, to: u32): void {
  scanAll(false, false, query, sums, from, to);
}

// @ts-ignore: decorator
@inline
function scanAll(squares: bool, short: bool, query: usize, sums: usize, from: u32, to: u32): void {
  const q = <usize>load<u32>(query, QUERY_VECTOR);
  const norm = f32x4.splat(load<f32>(query, QUERY_NORM));
  const bytes = scanRowBytes;
  const metric = scanMetric;
  // A group of four rows: two neighbours of each of two places, or one of each of four. Short rows change between the first two places
  // and the others after each visit.
  const visit: u32 = short ? (VISIT_BYTES / <u32>bytes) & ~1 : 2;
  let second = ((to - from) / PLACES) & ~(visit - 1);
  // Pages end at different moments.
  if (second > visit && ((<usize>second * bytes) & (PAGE_BYTES - 1)) == 0) second -= visit;
  const third = short ? 1 : second << 1;
  const step: u32 = short ? 2 : 1;
  const toSecond = <usize>second * bytes;
  const toThird = <usize>third * bytes;
  const end = short ? second << 1 : second;
  let reach = f32x4.splat(queryReach(query));
  let row = from;
  let other = from + (second << 1);
  for (let done: u32 = 0; done < end;) {
    const p = scanRows + <usize>row * bytes;
    pairLanes(squares, short, p, toSecond, q, bytes, sums);
    pairLanes(squares, short, p + toThird, toSecond, q, bytes, sums + 32);
    const norms = metric == METRIC_COSINE ? normsOf(row, second, third) : norm;
    const totals = lanesSum4(v128.load(sums), v128.load(sums, 16), v128.load(sums, 32), v128.load(sums, 48));
    const keys = keysOf(metric, totals, norms, norm);
    const good = i32x4.bitmask(f32x4.ge(keys, reach));
    if (good != 0) {
      if ((good & 1) != 0) queryOffer(query, row, f32x4.extract_lane(keys, 0));
      if ((good & 2) != 0) queryOffer(query, row + second, f32x4.extract_lane(keys, 1));
      if ((good & 4) != 0) queryOffer(query, row + third, f32x4.extract_lane(keys, 2));
      if ((good & 8) != 0) queryOffer(query, row + second + third, f32x4.extract_lane(keys, 3));
      reach = f32x4.splat(queryReach(query));
    }
    row += step;
    done += step;
    if (short && (done & (visit - 1)) == 0) {
      const next = other;
      other = row;
      row = next;
    }
  }
  for (row = from + second * PLACES; row < to; row++) queryRow(query, row);
}

/** Stores the lanes of rows `a` and `a + apart` at `to`. */
// @ts-ignore: decorator
@inline
function pairLanes(squares: bool, short: bool, a: usize, apart: usize, q: usize, bytes: usize, to: usize): void {
  let s = f32x4.splat(0);
  let t = s, u = s, v = s, s1 = s, t1 = s, u1 = s, v1 = s;
  const toQuery = q - a;
  const end = a + bytes;
  let chunk = a;
  do {
    const chunkEnd = short ? end : min<usize>(end, chunk + CHUNK_BYTES);
    for (let k = chunk; k < chunkEnd; k += STEP_BYTES) {
      const x = v128.load(k + toQuery);
      const y = v128.load(k + toQuery, 16);
      s = accumulate(squares, s, v128.load(k), x);
      t = accumulate(squares, t, v128.load(k, 16), y);
      s1 = accumulate(squares, s1, v128.load(k + apart), x);
      t1 = accumulate(squares, t1, v128.load(k + apart, 16), y);
    }
    for (let k = chunk; k < chunkEnd; k += STEP_BYTES) {
      const x = v128.load(k + toQuery, 32);
      const y = v128.load(k + toQuery, 48);
      u = accumulate(squares, u, v128.load(k, 32), x);
      v = accumulate(squares, v, v128.load(k, 48), y);
      u1 = accumulate(squares, u1, v128.load(k + apart, 32), x);
      v1 = accumulate(squares, v1, v128.load(k + apart, 48), y);
    }
    chunk = chunkEnd;
  } while (!short && chunk < end);
  v128.store(to, f32x4.add(f32x4.add(s, t), f32x4.add(u, v)));
  v128.store(to, f32x4.add(f32x4.add(s1, t1), f32x4.add(u1, v1)), 16);
}

/** Norms of the four rows of a group. */
// @ts-ignore: decorator
@inline
function normsOf(row: u32, second: u32, third: u32): v128 {
  const at = scanNorms + (<usize>row << 2);
  const next = at + (<usize>third << 2);
  const offset = <usize>second << 2;
  return lanesFrom(load<f32>(at), load<f32>(at + offset), load<f32>(next), load<f32>(next + offset));
}

/** A query with constraints: only rows that satisfy them are scored. */
function scanSome(query: usize, from: u32, to: u32): void {
  for (let row = from; row < to; row++) {
    if (queryTakes(query, row)) queryRow(query, row);
  }
}

// --- Several queries -------------------------------------------------------------------------------------------------------

/** Bytes that `scanPack` fills for `count` queries. */
export function scanPackBytes(count: u32): usize {
  return <usize>((count + TILE_QUERIES - 1) & ~(TILE_QUERIES - 1)) * scanRowBytes;
}

/** Lays queries out as `scanMany` reads them: by tile, by accumulator, by step, the 16 bytes of each of the four queries in turn. */
export function scanPack(queries: usize, count: u32, packs: usize): void {
  let to = packs;
  for (let i: u32 = 0; i < count; i += TILE_QUERIES) {
    for (let skip: usize = 0; skip < STEP_BYTES; skip += 16) {
      for (let step = skip; step < scanRowBytes; step += STEP_BYTES) {
        for (let j: u32 = i; j < i + TILE_QUERIES; j++, to += 16) {
          v128.store(to, v128.load(<usize>load<u32>(queryOf(queries, count, j), QUERY_VECTOR) + step));
        }
      }
    }
  }
}

/**
 * Offers rows [from, to) to `count` queries, whose addresses stand at `queries` and which `scanPack` has laid out at `packs`. `sums`:
 * SUMS_BYTES of scratch, 16-aligned.
 */
export function scanMany(queries: usize, count: u32, packs: usize, sums: usize, from: u32, to: u32): void {
  if (count == 1) {
    scanOne(<usize>load<u32>(queries), sums, from, to);
    return;
  }
  const step = max<u32>(2, (BLOCK_BYTES / <u32>scanRowBytes) & ~1);
  for (let row = from; row < to; row += step) {
    const end = min<u32>(row + step, to);
    if (scanRowBytes >= PRIME_FROM) scanPrime(row, end, sums);
    for (let i: u32 = 0; i < count; i += TILE_QUERIES) {
      const at = queries + (<usize>i << 2);
      const pack = packs + <usize>i * scanRowBytes;
      const some = min<u32>(count - i, TILE_QUERIES);
      if (some == 1) scanOne(<usize>load<u32>(at), sums, row, end);
      else if (scanMetric == METRIC_L2) tileSquares(at, some, pack, sums, row, end);
      else tileProducts(at, some, pack, sums, row, end);
    }
  }
}

/** Reads a word of each line of a block, in order, so that two rows side by side meet it in the cache. */
function scanPrime(from: u32, to: u32, sums: usize): void {
  let words: u32 = 0;
  const end = scanRows + <usize>to * scanRowBytes;
  for (let at = scanRows + <usize>from * scanRowBytes; at < end; at += 64) words |= load<u32>(at);
  store<u32>(sums, words);
}

function tileSquares(queries: usize, count: u32, pack: usize, sums: usize, from: u32, to: u32): void {
  scanTiles(true, queries, count, pack, sums, from, to);
}

function tileProducts(queries: usize, count: u32, pack: usize, sums: usize, from: u32, to: u32): void {
  scanTiles(false, queries, count, pack, sums, from, to);
}

/** The query at `index`; the last one again where there are fewer. */
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
function scanTiles(squares: bool, queries: usize, count: u32, pack: usize, sums: usize, from: u32, to: u32): void {
  const a = queryOf(queries, count, 0);
  const b = queryOf(queries, count, 1);
  const c = queryOf(queries, count, 2);
  const d = queryOf(queries, count, 3);
  const queryNorms = lanesFrom(
    load<f32>(a, QUERY_NORM), load<f32>(b, QUERY_NORM), load<f32>(c, QUERY_NORM), load<f32>(d, QUERY_NORM),
  );
  const every = (1 << count) - 1;
  let reach = lanesFrom(queryReach(a), queryReach(b), queryReach(c), queryReach(d));
  let row = from;
  for (; row + 2 <= to; row += 2) {
    const p = scanRows + <usize>row * scanRowBytes;
    for (let stripe: usize = 0; stripe < 4; stripe++) fillStripe(squares, stripe, p, pack, sums);
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
function fillStripe(squares: bool, stripe: usize, p: usize, pack: usize, sums: usize): void {
  let a = f32x4.splat(0);
  let b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  const bytes = scanRowBytes;
  let at = p + (stripe << 4);
  let at1 = at + bytes;
  let k = pack + stripe * bytes;
  const end = k + bytes;
  while (k < end) {
    const x = v128.load(at);
    const y = v128.load(at1);
    const u = v128.load(k);
    a = accumulate(squares, a, x, u);
    e = accumulate(squares, e, y, u);
    const v = v128.load(k, 16);
    b = accumulate(squares, b, x, v);
    f = accumulate(squares, f, y, v);
    const w = v128.load(k, 32);
    c = accumulate(squares, c, x, w);
    g = accumulate(squares, g, y, w);
    const z = v128.load(k, 48);
    d = accumulate(squares, d, x, z);
    h = accumulate(squares, h, y, z);
    at += STEP_BYTES;
    at1 += STEP_BYTES;
    k += STEP_BYTES;
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
