// CLUSTERINGCOEFFICIENT along the direction of edges: the local clustering coefficient of LDBC Graphalytics for directed graphs. The
// neighbours N(v) of a vertex are those at either end of its edges, itself left out; of the d·(d−1) ordered pairs of them it is the
// part that are joined by an edge from the first to the second. Parallel edges count once.
//
// Walks VIEW_OUT. TIDY copies the targets of each position, sorted and distinct, and counts those that come in; TURN writes the sources
// of each position behind each other. SCORE marks N(v) and looks at the targets of each neighbour: one by one, or, where there are many
// more of them than neighbours, each neighbour among them by bisection.
//
// Invariant: a count is a sum over pairs of neighbours, so neither the order of sources nor that of chunks matters.
//
// Cost: O(sum over v, and u in N(v), of min(targets of u, d(v) log)); 16 bytes a vertex, 8 an arc, and 4 a vertex for each member.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, JOB_TOTAL,
  JOB_WORDS, jobFinish, jobStopped, partial, RESULT_F64, room, set, setNumber, setWord, sumPartials, word,
} from './job';
import { P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS } from './projection';
import { sortDistinct } from './sort';

const TARGETS: usize = JOB_WORDS; //      distinct targets, from the offset of their position on
const ENDS: usize = JOB_WORDS + 4; //     by position: where they end
const SOURCES: usize = JOB_WORDS + 8;
const FIRSTS: usize = JOB_WORDS + 12; //  by position: how many come in, then where the next source goes, in the end where its sources end
const MARKS: usize = JOB_WORDS + 16; //   the members' marks: twice the position at hand plus 2, and 1 more for those that only come in

const PHASE_CLEAR: u32 = 0;
const PHASE_TIDY: u32 = 1;
const PHASE_TURN: u32 = 2;
const PHASE_SCORE: u32 = 3;

/** A neighbour of so many times more targets than there are neighbours is asked by bisection. */
const MANY: u32 = 8;
const PAIRS: u32 = 1;

export function directedClusteringBytes(vertices: u32, arcs: u32, members: u32): u64 {
  return room(vertices, 8) + 2 * room(vertices, 4) + 2 * room(arcs, 4) + <u64>members * room(vertices, 4);
}

export function directedClusteringBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const arcs = get(projection, P_ARCS);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_CONVERGED, 1);
  at += <usize>room(count, 8);
  set(job, ENDS, <u32>at);
  at += <usize>room(count, 4);
  set(job, FIRSTS, <u32>at);
  at += <usize>room(count, 4);
  set(job, TARGETS, <u32>at);
  at += <usize>room(arcs, 4);
  set(job, SOURCES, <u32>at);
  at += <usize>room(arcs, 4);
  set(job, MARKS, <u32>at);
  return get(projection, P_CHUNK_COUNT);
}

export function directedClusteringChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_CLEAR) clear(job, get(projection, P_COUNT), from, to);
  else if (phase == PHASE_TIDY) tidy(job, projection, from, to);
  else if (phase == PHASE_TURN) turn(job, projection, from, to);
  else if (phase == PHASE_SCORE) score(job, projection, chunk, member, from, to);
  else unreachable();
}

function clear(job: usize, count: u32, from: u32, to: u32): void {
  const at = (<usize>from) << 2;
  const bytes = (<usize>(to - from)) << 2;
  memory.fill(address(job, FIRSTS) + at, 0, bytes);
  for (let member: u32 = 0; member < get(job, JOB_MEMBERS); member++) {
    memory.fill(address(job, MARKS) + <usize>member * <usize>room(count, 4) + at, 0, bytes);
  }
}

function tidy(job: usize, projection: usize, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const all = address(projection, P_TARGETS);
  const targets = address(job, TARGETS);
  const ends = address(job, ENDS);
  const firsts = address(job, FIRSTS);
  for (let v = from; v < to; v++) {
    const begin = word(offsets, v);
    const count = word(offsets, v + 1) - begin;
    const own = targets + ((<usize>begin) << 2);
    memory.copy(own, all + ((<usize>begin) << 2), (<usize>count) << 2);
    const kept = sortDistinct(own, count, v);
    setWord(ends, v, begin + kept);
    for (let i: u32 = 0; i < kept; i++) atomic.add<u32>(firsts + ((<usize>word(own, i)) << 2), 1);
  }
}

function turn(job: usize, projection: usize, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(job, TARGETS);
  const ends = address(job, ENDS);
  const sources = address(job, SOURCES);
  const firsts = address(job, FIRSTS);
  for (let v = from; v < to; v++) {
    const end = word(ends, v);
    for (let arc = word(offsets, v); arc < end; arc++) {
      const place = atomic.add<u32>(firsts + ((<usize>word(targets, arc)) << 2), 1);
      setWord(sources, place, v);
    }
  }
}

// Of the chunk under way in this instance.
let offsets: usize = 0;
let targets: usize = 0;
let ends: usize = 0;
let sources: usize = 0;
let marks: usize = 0;

function score(job: usize, projection: usize, chunk: u32, member: u32, from: u32, to: u32): void {
  offsets = address(projection, P_OFFSETS);
  targets = address(job, TARGETS);
  ends = address(job, ENDS);
  sources = address(job, SOURCES);
  marks = address(job, MARKS) + <usize>member * <usize>room(get(projection, P_COUNT), 4);
  const firsts = address(job, FIRSTS);
  const result = address(job, JOB_RESULT);
  let found: f64 = 0;
  let pairs: f64 = 0;
  for (let v = from; v < to; v++) {
    if (jobStopped(job) != 0) return;
    // The sources of a position end where those of the next one begin.
    const first = v == 0 ? 0 : word(firsts, v - 1);
    const last = word(firsts, v);
    const degree = mark(v, first, last);
    const joined = degree < 2 ? 0 : countJoined(job, v, first, last, degree);
    const possible = <f64>degree * <f64>(degree > 0 ? degree - 1 : 0);
    setNumber(result, v, possible == 0 ? 0 : <f64>joined / possible);
    found += <f64>joined;
    pairs += possible;
  }
  store<f64>(partial(job, chunk), found);
  setNumber(partial(job, chunk), PAIRS, pairs);
}

/** Marks the neighbours of a position; answers how many there are. */
function mark(v: u32, first: u32, last: u32): u32 {
  const sign = (v + 1) << 1;
  const begin = word(offsets, v);
  const end = word(ends, v);
  let degree = end - begin;
  for (let arc = begin; arc < end; arc++) setWord(marks, word(targets, arc), sign);
  for (let arc = first; arc < last; arc++) {
    const source = word(sources, arc);
    if (word(marks, source) == sign) continue;
    setWord(marks, source, sign | 1);
    degree++;
  }
  return degree;
}

/** Ordered pairs of neighbours that are joined. */
function countJoined(job: usize, v: u32, first: u32, last: u32, degree: u32): u64 {
  const sign = (v + 1) << 1;
  const begin = word(offsets, v);
  const end = word(ends, v);
  let joined: u64 = 0;
  for (let arc = begin; arc < end; arc++) {
    if ((arc & 1023) == 0 && jobStopped(job) != 0) return joined;
    joined += joinedFrom(word(targets, arc), v, first, last, degree);
  }
  for (let arc = first; arc < last; arc++) {
    if ((arc & 1023) == 0 && jobStopped(job) != 0) return joined;
    const source = word(sources, arc);
    if (word(marks, source) == (sign | 1)) joined += joinedFrom(source, v, first, last, degree);
  }
  return joined;
}

/** Neighbours of v that an edge of u leads to. */
function joinedFrom(u: u32, v: u32, first: u32, last: u32, degree: u32): u64 {
  const begin = word(offsets, u);
  const end = word(ends, u);
  const wanted = v + 1;
  let joined: u64 = 0;
  if (end - begin <= MANY * degree) {
    for (let arc = begin; arc < end; arc++) joined += u64(word(marks, word(targets, arc)) >> 1 == wanted);
    return joined;
  }
  for (let arc = word(offsets, v); arc < word(ends, v); arc++) joined += u64(isTarget(begin, end, word(targets, arc)));
  const sign = wanted << 1;
  for (let arc = first; arc < last; arc++) {
    const source = word(sources, arc);
    if (word(marks, source) == (sign | 1)) joined += u64(isTarget(begin, end, source));
  }
  return joined;
}

/** Whether a position is among the targets [low, high). */
function isTarget(low: u32, high: u32, wanted: u32): bool {
  const end = high;
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (word(targets, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < end && word(targets, low) == wanted;
}

export function directedClusteringNext(job: usize): u32 {
  const chunks = get(job, JOB_TOTAL);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_TIDY) {
    const firsts = address(job, FIRSTS);
    const count = get(address(job, JOB_PROJECTION), P_COUNT);
    let at: u32 = 0;
    for (let v: u32 = 0; v < count; v++) {
      const sourcesOf = word(firsts, v);
      setWord(firsts, v, at);
      at += sourcesOf;
    }
  }
  if (phase != PHASE_SCORE) {
    set(job, JOB_PHASE, phase + 1);
    return chunks;
  }
  // The coefficient of the whole.
  const pairs = sumPartials(job, chunks, PAIRS);
  store<f64>(job, pairs == 0 ? 0 : sumPartials(job, chunks, 0) / pairs, JOB_SUM);
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
