// KCORE: the core number of each vertex of VIEW_SIMPLE: the largest k so that it lies in a subgraph where everybody has k neighbours.
// Vertices in bins by remaining degree, the least one taken off next (Batagelj, Zaversnik 2003). One thread, in steps of one chunk each
// (slices.ts).
//
// Invariant: `order` holds the vertices by remaining degree, `place` is its inverse, `bins[d]` the first place of degree d or more; the
// degree of a vertex that is taken is its core number and never changes again.
//
// Cost: O(vertices + arcs); 16 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, JOB_WORDS, jobFinish,
  RESULT_U32, room, set, setWord, word,
} from './job';
import { P_COUNT, P_OFFSETS, P_TARGETS } from './projection';
import { SLICE_WORK, sliceAt, sliceDone, sliceEnd, sliceNext } from './slices';

const FIRST: usize = JOB_WORDS; //        of PHASE_FIRST: first place of the next degree
const GREATEST: usize = JOB_WORDS + 4; // degree of a vertex taken

const PHASE_COUNT: u32 = 0; // how many vertices have each degree
const PHASE_FIRST: u32 = 1; // first place of each degree
const PHASE_PLACE: u32 = 2;
const PHASE_SHIFT: u32 = 3;
const PHASE_TAKE: u32 = 4;

export function kcoreBytes(vertices: u32): u64 {
  return 3 * room(vertices, 4) + room(<u64>vertices + 1, 4);
}

export function kcoreBegin(job: usize, at: usize): u32 {
  const count = get(address(job, JOB_PROJECTION), P_COUNT);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_U32);
  set(job, JOB_CONVERGED, 1);
  memory.fill(binsOf(job, count), 0, ((<usize>count) + 1) << 2);
  return u32(count != 0);
}

// @ts-ignore: decorator
@inline
function binsOf(job: usize, count: u32): usize {
  return address(job, JOB_RESULT) + 3 * <usize>room(count, 4);
}

export function kcoreChunk(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const phase = get(job, JOB_PHASE);
  const degrees = address(job, JOB_RESULT);
  const order = degrees + <usize>room(count, 4);
  const place = order + <usize>room(count, 4);
  const bins = place + <usize>room(count, 4);
  if (phase == PHASE_TAKE) {
    take(job, projection, degrees, order, place, bins, count);
    return;
  }
  // Degrees of VIEW_SIMPLE are below the number of vertices; the bins have one more for the end.
  const from = sliceAt(job);
  const all = phase == PHASE_FIRST ? count + 1 : count;
  const to = sliceEnd(job, all);
  if (phase == PHASE_COUNT) countDegrees(address(projection, P_OFFSETS), degrees, bins, from, to);
  else if (phase == PHASE_FIRST) firstPlaces(job, bins, from, to);
  else if (phase == PHASE_PLACE) placeAll(degrees, order, place, bins, from, to);
  else if (phase == PHASE_SHIFT) shift(bins, count - from, count - to);
  else unreachable();
  sliceDone(job, to, to == all);
}

function countDegrees(offsets: usize, degrees: usize, bins: usize, from: u32, to: u32): void {
  for (let v = from; v < to; v++) {
    const degree = word(offsets, v + 1) - word(offsets, v);
    setWord(degrees, v, degree);
    setWord(bins, degree, word(bins, degree) + 1);
  }
}

function firstPlaces(job: usize, bins: usize, from: u32, to: u32): void {
  let first = get(job, FIRST);
  for (let degree = from; degree < to; degree++) {
    const members = word(bins, degree);
    setWord(bins, degree, first);
    first += members;
  }
  set(job, FIRST, first);
}

/** Sorts the vertices by degree, ascending positions within one. Moves each bin's beginning to its end. */
function placeAll(degrees: usize, order: usize, place: usize, bins: usize, from: u32, to: u32): void {
  for (let v = from; v < to; v++) {
    const bin = word(degrees, v);
    const at = word(bins, bin);
    setWord(bins, bin, at + 1);
    setWord(order, at, v);
    setWord(place, v, at);
  }
}

/** Gives the bins of degrees `from` down to `to` (not itself) their beginnings again: the ends of those before them. */
function shift(bins: usize, from: u32, to: u32): void {
  for (let degree = from; degree > to; degree--) setWord(bins, degree, word(bins, degree - 1));
  if (to == 0) setWord(bins, 0, 0);
}

function take(job: usize, projection: usize, degrees: usize, order: usize, place: usize, bins: usize, count: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  let greatest = get(job, GREATEST);
  let work: u32 = 0;
  let i = sliceAt(job);
  for (; i < count && work < SLICE_WORK; i++) {
    const v = word(order, i);
    const degree = word(degrees, v);
    greatest = max<u32>(greatest, degree);
    const end = word(offsets, v + 1);
    work += 1 + end - word(offsets, v);
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
  set(job, GREATEST, greatest);
  sliceDone(job, i, i == count);
}

export function kcoreNext(job: usize): u32 {
  if (!sliceNext(job)) return 1;
  const phase = get(job, JOB_PHASE);
  if (phase != PHASE_TAKE) {
    set(job, JOB_PHASE, phase + 1);
    return 1;
  }
  store<f64>(job, <f64>get(job, GREATEST), JOB_SUM);
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
