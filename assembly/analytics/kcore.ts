// KCORE: the core number of each vertex of VIEW_SIMPLE: the largest k so that it lies in a subgraph where everybody has k neighbours.
// Vertices in bins by remaining degree, the least one taken off next (Batagelj, Zaversnik 2003). One chunk, one thread.
//
// Invariant: `order` holds the vertices by remaining degree, `place` is its inverse, `bins[d]` the first place of degree d or more; the
// degree of a vertex that is taken is its core number and never changes again.
//
// Cost: O(vertices + arcs); 16 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, jobFinish, jobStopped, RESULT_U32,
  room, set, setWord, word,
} from './job';
import { CHUNK_VERTICES, P_COUNT, P_OFFSETS, P_TARGETS } from './projection';

export function kcoreBytes(vertices: u32): u64 {
  return 3 * room(vertices, 4) + room(<u64>vertices + 1, 4);
}

export function kcoreBegin(job: usize, at: usize): u32 {
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_U32);
  set(job, JOB_CONVERGED, 1);
  return u32(get(address(job, JOB_PROJECTION), P_COUNT) != 0);
}

export function kcoreChunk(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const degrees = address(job, JOB_RESULT);
  const order = degrees + <usize>room(count, 4);
  const place = order + <usize>room(count, 4);
  const bins = place + <usize>room(count, 4);
  fillBins(offsets, degrees, order, place, bins, count);
  let greatest: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if ((i & (CHUNK_VERTICES - 1)) == 0 && jobStopped(job) != 0) return;
    const v = word(order, i);
    const degree = word(degrees, v);
    greatest = max<u32>(greatest, degree);
    const end = word(offsets, v + 1);
    for (let arc = word(offsets, v); arc < end; arc++) {
      const w = word(targets, arc);
      const its = word(degrees, w);
      if (its <= degree) continue;
      // To the front of its bin, whose beginning then belongs to the one below.
      const from = word(place, w);
      const to = max<u32>(word(bins, its), i + 1);
      const other = word(order, to);
      setWord(order, from, other);
      setWord(place, other, from);
      setWord(order, to, w);
      setWord(place, w, to);
      setWord(bins, its, to + 1);
      setWord(degrees, w, its - 1);
    }
  }
  store<f64>(job, <f64>greatest, JOB_SUM);
}

/** Sorts the vertices by degree, ascending positions within one. A degree of VIEW_SIMPLE is below the number of vertices. */
function fillBins(offsets: usize, degrees: usize, order: usize, place: usize, bins: usize, count: u32): void {
  memory.fill(bins, 0, ((<usize>count) + 1) << 2);
  for (let v: u32 = 0; v < count; v++) {
    const degree = word(offsets, v + 1) - word(offsets, v);
    setWord(degrees, v, degree);
    setWord(bins, degree, word(bins, degree) + 1);
  }
  let first: u32 = 0;
  for (let degree: u32 = 0; degree <= count; degree++) {
    const members = word(bins, degree);
    setWord(bins, degree, first);
    first += members;
  }
  for (let v: u32 = 0; v < count; v++) {
    const bin = word(degrees, v);
    const at = word(bins, bin);
    setWord(bins, bin, at + 1);
    setWord(order, at, v);
    setWord(place, v, at);
  }
  // Each bin's beginning was moved to its end, which is where the next one begins.
  for (let degree = count; degree > 0; degree--) setWord(bins, degree, word(bins, degree - 1));
  setWord(bins, 0, 0);
}

export function kcoreNext(job: usize): u32 {
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
