// PAGERANK: the stationary distribution of a random surfer (Page, Brin, Motwani, Winograd 1999), by power iteration that pulls.
// The view holds for each vertex the arcs that bring it rank: VIEW_IN for direction out, VIEW_OUT for in, VIEW_BOTH for both.
//
// Invariant: after a round the ranks sum to 1 up to rounding. What a vertex hands to each neighbour, rank / degree, is worked out
// once when its rank is, so the inner loop is one gather and one addition an arc. Vertices without a way out pool their rank.
// Ranks and shares are double buffered: a round that is stopped half-way leaves the last one whole.
//
// Where the shares are more than the second cache holds, a round has two phases. First come the arcs of large vertices into the front
// (projection.ts), most arcs of a skewed graph, whose shares then stay in that cache; then all others, added to what was found first.
// Those of the large ones have been copied for that, one behind the other: left where they are, a few in each row, they would have to
// be waited for.
// Measured (benchmarks/analytics, one and two threads, 4-core EPYC, c76a775): time of rounds of one phase → two, RMAT 20 1 → 0.80 and
// 0.63; RMAT 18 1 → 0.88 on one.
//
// Cost: a round is O(vertices + arcs), bound by gathers of 8 bytes; 40 bytes a vertex, with many of them 4 for each large one and 1 an arc.

import {
  address, get, JOB_CONVERGED, JOB_DAMPING, JOB_EPSILON, JOB_ITERATIONS, JOB_MAX_ITERATIONS, JOB_NUMBERS, JOB_PHASE,
  JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_WORDS, jobFinish, number, partial, RESULT_F64, room, set, setNumber, setWord,
  sumPartials, swapFields, word,
} from './job';
import {
  EXACT_DEGREES, FRONT, isParted, P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_OPPOSITE, P_RANKS, P_TARGETS, runEnd, smallFrom,
} from './projection';

const RANK: usize = JOB_WORDS; //        the last complete round's
const NEXT_RANK: usize = JOB_WORDS + 4;
const SHARE: usize = JOB_WORDS + 8; //   rank / degree, 0 without a way out
const NEXT_SHARE: usize = JOB_WORDS + 12;
const INVERSE: usize = JOB_WORDS + 16; // 1 / degree, 0 without a way out
const INTO_FRONT: usize = JOB_WORDS + 20; // arcs into the front, a word for each large vertex
const LARGE: usize = JOB_WORDS + 24; //      large vertices; 0: rounds have one phase
const LARGE_CHUNKS: usize = JOB_WORDS + 28;
const OTHERS: usize = JOB_WORDS + 32; //     their arcs that do not lead to the front
/** What every vertex gets in a round before anything flows. */
const BASE: usize = JOB_NUMBERS;

const PHASE_START: u32 = 0;
const PHASE_COPY: u32 = 1;
const PHASE_FRONT: u32 = 2;
const PHASE_ROUND: u32 = 3;

// What a chunk leaves behind.
const CHANGE: usize = 0; // f64
const POOL: usize = 8; // f64
const OTHERS_OF: usize = 16; // u32 arcs of large vertices that do not lead to the front
const OTHERS_FROM: usize = 20; // u32 how many of these the chunks before have

/** With so many vertices rounds have two phases. */
const LEAST_VERTICES: u32 = 4 * FRONT;

export function pagerankBytes(vertices: u32, arcs: u32): u64 {
  const bytes = 5 * arrayBytes(vertices);
  if (vertices < LEAST_VERTICES) return bytes;
  return bytes + room(min<u32>(vertices, arcs / EXACT_DEGREES), 4) + room(<u64>mostOthers(arcs) + 4, 4);
}

/** Only up to so many arcs are copied. */
function mostOthers(arcs: u32): u32 {
  return arcs / 4;
}

/** One number more than vertices: an arc that is not there brings what stands behind the last share. */
function arrayBytes(vertices: u32): u64 {
  return room(<u64>vertices + 1, 8);
}

/** Lays out the arrays; answers the chunks of the first phase. */
export function pagerankBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const bytes = <usize>arrayBytes(count);
  for (let i: usize = 0; i < 6; i++) set(job, RANK + (i << 2), <u32>(at + i * bytes));
  setNumber(address(job, SHARE), count, 0);
  setNumber(address(job, NEXT_SHARE), count, 0);
  planFront(job, projection, count);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  if (count == 0) set(job, JOB_CONVERGED, 1);
  return get(projection, P_CHUNK_COUNT);
}

/** Decides whether rounds have two phases: not for few vertices, nor when large ones have only few of the arcs. */
function planFront(job: usize, projection: usize, count: u32): void {
  if (count < LEAST_VERTICES || !isParted(projection)) return;
  const large = smallFrom(projection);
  const offsets = address(projection, P_OFFSETS);
  if (word(offsets, large) < word(offsets, count) / 4) return;
  set(job, OTHERS, get(job, INTO_FRONT) + <u32>room(min<u32>(count, word(offsets, count) / EXACT_DEGREES), 4));
  const chunks = address(projection, P_CHUNKS);
  let needed: u32 = 0;
  while (word(chunks, needed) < large) needed++;
  set(job, LARGE, large);
  set(job, LARGE_CHUNKS, needed);
}

export function pagerankChunk(job: usize, chunk: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) {
    start(job, projection, chunk, from, to);
    if (from < get(job, LARGE)) countFront(job, projection, chunk, from, min<u32>(to, get(job, LARGE)));
  } else if (phase == PHASE_COPY) {
    copyOthers(job, projection, chunk, from, min<u32>(to, get(job, LARGE)));
  } else if (phase == PHASE_FRONT) {
    front(job, projection, from, min<u32>(to, get(job, LARGE)));
  } else if (phase == PHASE_ROUND) {
    round(job, projection, chunk, from, to);
  } else {
    unreachable();
  }
}

/** How many of the arcs of each vertex in [from, to) lead to the front; they are its first ones. */
function countFront(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const counts = address(job, INTO_FRONT);
  let others: u32 = 0;
  for (let v = from; v < to; v++) {
    const first = word(offsets, v);
    const end = word(offsets, v + 1);
    let low = first;
    let high = end;
    while (low < high) {
      const middle = low + ((high - low) >> 1);
      if (word(targets, middle) < FRONT) low = middle + 1;
      else high = middle;
    }
    setWord(counts, v, low - first);
    others += end - low;
  }
  store<u32>(partial(job, chunk), others, OTHERS_OF);
}

/** Whether the arcs that are to be copied have room; lays them out if so. */
function layOthers(job: usize): bool {
  const chunks = get(job, LARGE_CHUNKS);
  let others: u64 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const at = partial(job, chunk);
    store<u32>(at, <u32>others, OTHERS_FROM);
    others += load<u32>(at, OTHERS_OF);
  }
  return others <= mostOthers(get(address(job, JOB_PROJECTION), P_ARCS));
}

function copyOthers(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const counts = address(job, INTO_FRONT);
  const arcs = address(projection, P_TARGETS);
  let out = othersOf(job, chunk);
  for (let v = from; v < to; v++) {
    const first = word(offsets, v) + word(counts, v);
    const bytes = (<usize>(word(offsets, v + 1) - first)) << 2;
    memory.copy(out, arcs + ((<usize>first) << 2), bytes);
    out += bytes;
  }
}

function othersOf(job: usize, chunk: u32): usize {
  return address(job, OTHERS) + ((<usize>load<u32>(partial(job, chunk), OTHERS_FROM)) << 2);
}

/** Leaves what comes from the front where the next rank is going to stand. */
function front(job: usize, projection: usize, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const counts = address(job, INTO_FRONT);
  const sums = address(job, NEXT_RANK);
  targets = address(projection, P_TARGETS);
  shares = address(job, SHARE);
  nothing = get(projection, P_COUNT);
  for (let v = from; v < to; v++) {
    const arc = targets + ((<usize>word(offsets, v)) << 2);
    setNumber(sums, v, gather(arc, arc + ((<usize>word(counts, v)) << 2)));
  }
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
  store<f64>(partial(job, chunk), 0, CHANGE);
  store<f64>(partial(job, chunk), pool, POOL);
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
/** The position behind the last one, whose share is 0. */
let nothing: u32 = 0;
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
  nothing = get(projection, P_COUNT);
  change = 0;
  pool = 0;
  const large = get(job, LARGE);
  let v = from;
  if (v < large) {
    const counts = address(job, INTO_FRONT);
    let arc = othersOf(job, chunk);
    for (; v < min<u32>(to, large); v++) {
      const end = arc + ((<usize>(word(offsets, v + 1) - word(offsets, v) - word(counts, v))) << 2);
      finishOne(v, number(nextRanks, v) + gather(arc, end));
      arc = end;
    }
  }
  while (v < to) {
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
  store<f64>(partial(job, chunk), change, CHANGE);
  store<f64>(partial(job, chunk), pool, POOL);
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
  if (arc + 16 <= end) {
    sum0 += number(share, load<u32>(arc));
    sum1 += number(share, load<u32>(arc, 4));
    sum2 += number(share, load<u32>(arc, 8));
    sum3 += number(share, load<u32>(arc, 12));
    arc += 16;
  }
  // Up to three, or as many zeros instead: there is nothing to guess. Behind the last arc of all there is room to read.
  sum0 += number(share, select<u32>(load<u32>(arc), nothing, arc < end));
  sum1 += number(share, select<u32>(load<u32>(arc, 4), nothing, arc + 4 < end));
  sum2 += number(share, select<u32>(load<u32>(arc, 8), nothing, arc + 8 < end));
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
  const phase = get(job, JOB_PHASE);
  const chunks = get(projection, P_CHUNK_COUNT);
  if (phase == PHASE_FRONT) {
    set(job, JOB_PHASE, PHASE_ROUND);
    return chunks;
  }
  if (phase == PHASE_COPY) {
    set(job, JOB_PHASE, PHASE_FRONT);
    return get(job, LARGE_CHUNKS);
  }
  const count = <f64>get(projection, P_COUNT);
  const damping = load<f64>(job, JOB_DAMPING);
  const pool = sumPartials(job, chunks, 1);
  store<f64>(job, (1 - damping) / count + (damping * pool) / count, BASE);
  if (phase == PHASE_START && !layOthers(job)) set(job, LARGE, 0);
  const large = get(job, LARGE) != 0;
  set(job, JOB_PHASE, large ? (phase == PHASE_START ? PHASE_COPY : PHASE_FRONT) : PHASE_ROUND);
  const more = large ? get(job, LARGE_CHUNKS) : chunks;
  if (phase == PHASE_START) return more;
  swapFields(job, RANK);
  swapFields(job, SHARE);
  set(job, JOB_RESULT, get(job, RANK));
  const rounds = get(job, JOB_ITERATIONS) + 1;
  set(job, JOB_ITERATIONS, rounds);
  const converged = sumPartials(job, chunks, 0) < load<f64>(job, JOB_EPSILON);
  set(job, JOB_CONVERGED, u32(converged));
  if (!converged && rounds < get(job, JOB_MAX_ITERATIONS)) return more;
  jobFinish(job);
  return 0;
}
