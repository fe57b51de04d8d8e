// PAGERANK: the stationary distribution of a random surfer (Page, Brin, Motwani, Winograd 1999), by power iteration that pulls.
// The view holds for each vertex the arcs that bring it rank: VIEW_IN for direction out, VIEW_OUT for in, VIEW_BOTH for both.
//
// Invariant: after a round the ranks sum to 1 up to rounding. What a vertex hands to each neighbour, rank / degree, is worked out
// once when its rank is, so the inner loop is one gather and one addition an arc. Vertices without a way out pool their rank.
// Ranks and shares are double buffered: a round that is stopped half-way leaves the last one whole.
//
// Cost: a round is O(vertices + arcs), bound by gathers of 8 bytes; 40 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_DAMPING, JOB_EPSILON, JOB_ITERATIONS, JOB_MAX_ITERATIONS, JOB_NUMBERS, JOB_PHASE, JOB_PROJECTION,
  JOB_RESULT, JOB_RESULT_TYPE, JOB_TOTAL, JOB_WORDS, jobFinish, number, partial, RESULT_F64, room, set, setNumber, sumPartials, word,
} from './job';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_OPPOSITE, P_RANKS, P_TARGETS, runEnd } from './projection';

const RANK: usize = JOB_WORDS; //        the last complete round's
const NEXT_RANK: usize = JOB_WORDS + 4;
const SHARE: usize = JOB_WORDS + 8; //   rank / degree, 0 without a way out
const NEXT_SHARE: usize = JOB_WORDS + 12;
const INVERSE: usize = JOB_WORDS + 16; // 1 / degree, 0 without a way out
/** What every vertex gets in a round before anything flows. */
const BASE: usize = JOB_NUMBERS;

const PHASE_START: u32 = 0;
const PHASE_ROUND: u32 = 1;

export function pagerankBytes(vertices: u32): u64 {
  return 5 * room(vertices, 8);
}

/** Lays out the arrays; answers the chunks of the first phase. */
export function pagerankBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const bytes = <usize>room(count, 8);
  for (let i: usize = 0; i < 5; i++) set(job, RANK + (i << 2), <u32>(at + i * bytes));
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  if (count == 0) set(job, JOB_CONVERGED, 1);
  return get(projection, P_CHUNK_COUNT);
}

export function pagerankChunk(job: usize, chunk: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  if (get(job, JOB_PHASE) == PHASE_START) start(job, projection, chunk, word(chunks, chunk), word(chunks, chunk + 1));
  else round(job, projection, chunk, word(chunks, chunk), word(chunks, chunk + 1));
}

function start(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const opposite = address(projection, P_OPPOSITE);
  const ranks = address(projection, P_RANKS);
  const first: f64 = 1 / <f64>get(projection, P_COUNT);
  const rank = address(job, RANK);
  const share = address(job, SHARE);
  const inverse = address(job, INVERSE);
  let pool: f64 = 0;
  for (let v = from; v < to; v++) {
    let degree: u32 = 0;
    if (opposite != 0) degree = word(opposite, ranks == 0 ? v : word(ranks, v));
    else degree = word(offsets, v + 1) - word(offsets, v);
    const reciprocal = degree == 0 ? 0 : 1 / <f64>degree;
    setNumber(inverse, v, reciprocal);
    setNumber(rank, v, first);
    setNumber(share, v, first * reciprocal);
    if (degree == 0) pool += first;
  }
  store<f64>(partial(job, chunk), 0);
  store<f64>(partial(job, chunk), pool, 8);
}

// Of the chunk under way in this instance: where things stand, and what is added up over its vertices.
let targets: usize = 0;
let ranks: usize = 0;
let nextRanks: usize = 0;
let shares: usize = 0;
let nextShares: usize = 0;
let inverses: usize = 0;
let base: f64 = 0;
let damping: f64 = 0;
let change: f64 = 0;
let pool: f64 = 0;

function round(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  targets = address(projection, P_TARGETS);
  ranks = address(job, RANK);
  nextRanks = address(job, NEXT_RANK);
  shares = address(job, SHARE);
  nextShares = address(job, NEXT_SHARE);
  inverses = address(job, INVERSE);
  base = load<f64>(job, BASE);
  damping = load<f64>(job, JOB_DAMPING);
  change = 0;
  pool = 0;
  for (let v = from; v < to; ) {
    const arc = targets + ((<usize>word(offsets, v)) << 2);
    const degree = word(offsets, v + 1) - word(offsets, v);
    const end = min<u32>(to, runEnd(projection, degree));
    if (end <= v + 1) {
      finishOne(v, gather(arc, arc + ((<usize>degree) << 2)));
      v++;
      continue;
    }
    if (degree == 0) restRun(v, end);
    else if (degree == 1) oneArcRun(v, end, arc);
    else equalRun(v, end, arc, degree);
    v = end;
  }
  store<f64>(partial(job, chunk), change);
  store<f64>(partial(job, chunk), pool, 8);
}

/** Sum of the shares of the arcs in [arc, end). */
function gather(arc: usize, end: usize): f64 {
  const share = shares;
  let sum0: f64 = 0;
  let sum1: f64 = 0;
  let sum2: f64 = 0;
  let sum3: f64 = 0;
  for (; arc + 32 <= end; arc += 32) {
    sum0 += number(share, load<u32>(arc));
    sum1 += number(share, load<u32>(arc, 4));
    sum2 += number(share, load<u32>(arc, 8));
    sum3 += number(share, load<u32>(arc, 12));
    sum0 += number(share, load<u32>(arc, 16));
    sum1 += number(share, load<u32>(arc, 20));
    sum2 += number(share, load<u32>(arc, 24));
    sum3 += number(share, load<u32>(arc, 28));
  }
  for (; arc < end; arc += 4) sum0 += number(share, load<u32>(arc));
  return sum0 + sum1 + (sum2 + sum3);
}

function finishOne(v: u32, sum: f64): void {
  const value = base + damping * sum;
  const reciprocal = number(inverses, v);
  change += abs<f64>(value - number(ranks, v));
  setNumber(nextRanks, v, value);
  setNumber(nextShares, v, value * reciprocal);
  if (reciprocal == 0) pool += value;
}

/** Writes the new values of `v` and the vertex after it; answers how much they changed. What has no way out is added to `pooled`. */
// @ts-ignore: decorator
@inline
function finishTwo(at: usize, values: v128): v128 {
  v128.store(nextRanks + at, values);
  v128.store(nextShares + at, f64x2.mul(values, v128.load(inverses + at)));
  return f64x2.abs(f64x2.sub(values, v128.load(ranks + at)));
}

/** What vertices without a way out have of two values: 0 where there is one. */
// @ts-ignore: decorator
@inline
function poolTwo(at: usize, values: v128): v128 {
  return v128.and(values, f64x2.eq(v128.load(inverses + at), f64x2.splat(0)));
}

// @ts-ignore: decorator
@inline
function addUp(changes: v128, pooled: v128): void {
  change += f64x2.extract_lane(changes, 0) + f64x2.extract_lane(changes, 1);
  pool += f64x2.extract_lane(pooled, 0) + f64x2.extract_lane(pooled, 1);
}

/** Vertices of [v, end) get nothing from anybody. */
function restRun(v: u32, end: u32): void {
  const values = f64x2.splat(base);
  let changes = f64x2.splat(0);
  let pooled = f64x2.splat(0);
  for (; v + 2 <= end; v += 2) {
    const at = (<usize>v) << 3;
    changes = f64x2.add(changes, finishTwo(at, values));
    pooled = f64x2.add(pooled, poolTwo(at, values));
  }
  addUp(changes, pooled);
  if (v < end) finishOne(v, 0);
}

/** Vertices of [v, end) have one arc each, the first at `arc`. */
function oneArcRun(v: u32, end: u32, arc: usize): void {
  const share = shares;
  const bases = f64x2.splat(base);
  const dampings = f64x2.splat(damping);
  let changes = f64x2.splat(0);
  let pooled = f64x2.splat(0);
  for (; v + 2 <= end; v += 2) {
    const at = (<usize>v) << 3;
    const sums = f64x2.replace_lane(f64x2.splat(number(share, load<u32>(arc))), 1, number(share, load<u32>(arc, 4)));
    const values = f64x2.add(bases, f64x2.mul(dampings, sums));
    changes = f64x2.add(changes, finishTwo(at, values));
    pooled = f64x2.add(pooled, poolTwo(at, values));
    arc += 8;
  }
  addUp(changes, pooled);
  if (v < end) finishOne(v, gather(arc, arc + 4));
}

/** Vertices of [v, end) have `degree` arcs each, at least two, the first at `arc`. */
function equalRun(v: u32, end: u32, arc: usize, degree: u32): void {
  const share = shares;
  const bytes = (<usize>degree) << 2;
  const bases = f64x2.splat(base);
  const dampings = f64x2.splat(damping);
  let changes = f64x2.splat(0);
  let pooled = f64x2.splat(0);
  for (; v + 2 <= end; v += 2) {
    const at = (<usize>v) << 3;
    let second = arc + bytes;
    const secondEnd = second + bytes;
    let first0 = number(share, load<u32>(arc));
    let first1 = number(share, load<u32>(arc, 4));
    let second0 = number(share, load<u32>(second));
    let second1 = number(share, load<u32>(second, 4));
    arc += 8;
    second += 8;
    for (; second + 8 <= secondEnd; second += 8) {
      first0 += number(share, load<u32>(arc));
      first1 += number(share, load<u32>(arc, 4));
      second0 += number(share, load<u32>(second));
      second1 += number(share, load<u32>(second, 4));
      arc += 8;
    }
    if (second < secondEnd) {
      first0 += number(share, load<u32>(arc));
      second0 += number(share, load<u32>(second));
    }
    arc = secondEnd;
    const sums = f64x2.replace_lane(f64x2.splat(first0 + first1), 1, second0 + second1);
    const values = f64x2.add(bases, f64x2.mul(dampings, sums));
    changes = f64x2.add(changes, finishTwo(at, values));
    pooled = f64x2.add(pooled, poolTwo(at, values));
  }
  addUp(changes, pooled);
  if (v < end) finishOne(v, gather(arc, arc + bytes));
}

export function pagerankNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = <f64>get(projection, P_COUNT);
  const chunks = get(job, JOB_TOTAL);
  const damping = load<f64>(job, JOB_DAMPING);
  const pool = sumPartials(job, chunks, 1);
  store<f64>(job, (1 - damping) / count + (damping * pool) / count, BASE);
  if (get(job, JOB_PHASE) == PHASE_START) {
    set(job, JOB_PHASE, PHASE_ROUND);
    return chunks;
  }
  swap(job, RANK);
  swap(job, SHARE);
  set(job, JOB_RESULT, get(job, RANK));
  const rounds = get(job, JOB_ITERATIONS) + 1;
  set(job, JOB_ITERATIONS, rounds);
  const converged = sumPartials(job, chunks, 0) < load<f64>(job, JOB_EPSILON);
  set(job, JOB_CONVERGED, u32(converged));
  if (!converged && rounds < get(job, JOB_MAX_ITERATIONS)) return chunks;
  jobFinish(job);
  return 0;
}

function swap(job: usize, field: usize): void {
  const other = get(job, field + 4);
  set(job, field + 4, get(job, field));
  set(job, field, other);
}
