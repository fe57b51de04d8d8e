// TRIANGLECOUNT: triangles through each vertex of VIEW_SIMPLE (Latapy 2008, compact-forward). The order of positions, largest degrees
// first, directs every edge to its smaller end: the heads of v are the neighbours before it, a prefix of its ascending list, and they
// are few even for the largest hub. A triangle is found once, from its greatest position.
//
// Invariant: for each v, every pair (y, w) of heads with w < y and w a head of y is one triangle. Counts are whole numbers kept by each
// member for itself and added up at the end, so the order of work does not matter.
//
// CLUSTERINGCOEFFICIENT (Watts, Strogatz 1998) is one phase more: of the pairs of neighbours of a vertex, the part that are neighbours.
//
// Cost: O(sum over edges of the heads of their smaller end), at worst O(arcs^1.5); 8 bytes a vertex, and 9 for each member.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, JOB_TOTAL,
  JOB_WORDS, jobFinish, partial, RESULT_F64, RESULT_U64, room, set, setNumber, setWord, sumPartials, word,
} from './job';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS } from './projection';

const COUNTS: usize = JOB_WORDS; //    the members' counts, one array behind the other
const MARKS: usize = JOB_WORDS + 4; // the members' marks, a byte a position
const HEADS: usize = JOB_WORDS + 8; // end of the heads of each position, as an index of targets

const PHASE_START: u32 = 0;
const PHASE_COUNT: u32 = 1;
const PHASE_SUM: u32 = 2;
const PHASE_RATIO: u32 = 3;

export function trianglesBytes(vertices: u32, members: u32): u64 {
  return room(vertices, 4) + <u64>members * (room(vertices, 8) + room(vertices, 1));
}

export function trianglesBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const members = get(job, JOB_MEMBERS);
  set(job, COUNTS, <u32>at);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_U64);
  set(job, JOB_CONVERGED, 1);
  at += <usize>members * <usize>room(count, 8);
  set(job, MARKS, <u32>at);
  at += <usize>members * <usize>room(count, 1);
  set(job, HEADS, <u32>at);
  return get(projection, P_CHUNK_COUNT);
}

export function trianglesChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const count = get(projection, P_COUNT);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) {
    clear(job, count, from, to);
    findHeads(job, projection, from, to);
  } else if (phase == PHASE_COUNT) {
    const counts = address(job, COUNTS) + <usize>member * <usize>room(count, 8);
    const marks = address(job, MARKS) + <usize>member * <usize>room(count, 1);
    const found = countChunk(job, projection, counts, marks, from, to);
    store<f64>(partial(job, chunk), <f64>found);
  } else if (phase == PHASE_SUM) {
    sum(job, count, from, to);
  } else {
    store<f64>(partial(job, chunk), ratio(job, projection, from, to));
  }
}

function clear(job: usize, count: u32, from: u32, to: u32): void {
  const members = get(job, JOB_MEMBERS);
  for (let i: usize = 0; i < <usize>members; i++) {
    memory.fill(address(job, COUNTS) + i * <usize>room(count, 8) + ((<usize>from) << 3), 0, (<usize>(to - from)) << 3);
    memory.fill(address(job, MARKS) + i * <usize>room(count, 1) + <usize>from, 0, <usize>(to - from));
  }
}

/** Where the neighbours before each position end, by bisection. */
function findHeads(job: usize, projection: usize, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const heads = address(job, HEADS);
  for (let v = from; v < to; v++) {
    let low = word(offsets, v);
    let high = word(offsets, v + 1);
    while (low < high) {
      const middle = low + ((high - low) >> 1);
      if (word(targets, middle) < v) low = middle + 1;
      else high = middle;
    }
    setWord(heads, v, low);
  }
}

function countChunk(job: usize, projection: usize, counts: usize, marks: usize, from: u32, to: u32): u64 {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const heads = address(job, HEADS);
  let total: u64 = 0;
  for (let v = from; v < to; v++) {
    const begin = targets + ((<usize>word(offsets, v)) << 2);
    const end = targets + ((<usize>word(heads, v)) << 2);
    if (end - begin < 8) continue;
    for (let arc = begin; arc < end; arc += 4) store<u8>(marks + <usize>load<u32>(arc), 1);
    let mine: u64 = 0;
    for (let arc = begin + 4; arc < end; arc += 4) {
      const y = load<u32>(arc);
      let other = targets + ((<usize>word(offsets, y)) << 2);
      const otherEnd = targets + ((<usize>word(heads, y)) << 2);
      let found: u64 = 0;
      for (; other < otherEnd; other += 4) {
        const w = <usize>load<u32>(other);
        if (load<u8>(marks + w) != 0) {
          add(counts, <u32>w, 1);
          found++;
        }
      }
      add(counts, y, found);
      mine += found;
    }
    for (let arc = begin; arc < end; arc += 4) store<u8>(marks + <usize>load<u32>(arc), 0);
    add(counts, v, mine);
    total += mine;
  }
  return total;
}

// @ts-ignore: decorator
@inline
function add(counts: usize, position: u32, more: u64): void {
  const at = counts + ((<usize>position) << 3);
  store<u64>(at, load<u64>(at) + more);
}

/** Adds the counts of the other members to those of the first, which are the result. */
function sum(job: usize, count: u32, from: u32, to: u32): void {
  const members = get(job, JOB_MEMBERS);
  const counts = address(job, COUNTS);
  const bytes = <usize>room(count, 8);
  for (let v = from; v < to; v++) {
    let all: u64 = 0;
    for (let i: usize = 0; i < <usize>members; i++) all += load<u64>(counts + i * bytes + ((<usize>v) << 3));
    store<u64>(counts + ((<usize>v) << 3), all);
  }
}

export function trianglesNext(job: usize): u32 {
  const phase = get(job, JOB_PHASE);
  const chunks = get(job, JOB_TOTAL);
  if (phase == PHASE_COUNT) store<f64>(job, sumPartials(job, chunks, 0), JOB_SUM);
  if (phase == PHASE_SUM) {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  }
  set(job, JOB_PHASE, phase + 1);
  return chunks;
}

/** After the last phase of TRIANGLECOUNT: each count becomes its part of the pairs of neighbours. Answers how many pairs there are. */
function ratio(job: usize, projection: usize, from: u32, to: u32): f64 {
  const offsets = address(projection, P_OFFSETS);
  const counts = address(job, COUNTS);
  let all: f64 = 0;
  for (let v = from; v < to; v++) {
    const degree = <f64>(word(offsets, v + 1) - word(offsets, v));
    const pairs = degree * (degree - 1) * 0.5;
    const found = <f64>load<u64>(counts + ((<usize>v) << 3));
    setNumber(counts, v, pairs == 0 ? 0 : found / pairs);
    all += pairs;
  }
  return all;
}

export function clusteringNext(job: usize): u32 {
  const phase = get(job, JOB_PHASE);
  if (phase < PHASE_SUM) return trianglesNext(job);
  const chunks = get(job, JOB_TOTAL);
  if (phase == PHASE_SUM) {
    set(job, JOB_PHASE, PHASE_RATIO);
    return chunks;
  }
  // The coefficient of the whole: three times the triangles over the pairs.
  const pairs = sumPartials(job, chunks, 0);
  store<f64>(job, pairs == 0 ? 0 : (3 * load<f64>(job, JOB_SUM)) / pairs, JOB_SUM);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
