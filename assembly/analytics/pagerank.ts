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
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_OPPOSITE, P_RANKS, P_TARGETS } from './projection';

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

function round(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const damping = load<f64>(job, JOB_DAMPING);
  const base = load<f64>(job, BASE);
  const rank = address(job, RANK);
  const nextRank = address(job, NEXT_RANK);
  const share = address(job, SHARE);
  const nextShare = address(job, NEXT_SHARE);
  const inverse = address(job, INVERSE);
  let change: f64 = 0;
  let pool: f64 = 0;
  let arc = targets + ((<usize>word(offsets, from)) << 2);
  for (let v = from; v < to; v++) {
    const end = targets + ((<usize>word(offsets, v + 1)) << 2);
    let sum0: f64 = 0;
    let sum1: f64 = 0;
    let sum2: f64 = 0;
    let sum3: f64 = 0;
    for (; arc + 16 <= end; arc += 16) {
      sum0 += number(share, load<u32>(arc));
      sum1 += number(share, load<u32>(arc, 4));
      sum2 += number(share, load<u32>(arc, 8));
      sum3 += number(share, load<u32>(arc, 12));
    }
    for (; arc < end; arc += 4) sum0 += number(share, load<u32>(arc));
    const value = base + damping * (sum0 + sum1 + (sum2 + sum3));
    const reciprocal = number(inverse, v);
    change += abs<f64>(value - number(rank, v));
    setNumber(nextRank, v, value);
    setNumber(nextShare, v, value * reciprocal);
    if (reciprocal == 0) pool += value;
  }
  store<f64>(partial(job, chunk), change);
  store<f64>(partial(job, chunk), pool, 8);
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
