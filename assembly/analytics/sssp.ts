// SSSP: least weight from a source along the arcs of the view, weights at least 0 (1 without any), by delta stepping in the near-far form
// (Meyer, Sanders 2003; Davidson, Baxter, Garland, Owens 2014). Vertices below a threshold are relaxed until nothing below it
// changes; then the threshold moves past the nearest of those set aside, by a part of the mean weight that grows when little comes of it.
//
// Invariant: a distance only ever falls, by an atomic minimum on its bits (order of f64 that are not negative is order of bits), and
// whoever lowers one sees that the vertex is looked at again. The distances are the least fixed point of d(w) = min(d(v) + weight),
// rounding included, so the order of work does not show. A vertex stands in each list at most once, which bounds the lists.
//
// Cost: O(vertices + arcs) relaxations on most graphs, a few times that at worst kinds of weights; 26 bytes a vertex, 8 KiB a member.

import { NONE } from '../memory/layout';
import {
  address, get, JOB_CONVERGED, JOB_EPSILON, JOB_ITERATIONS, JOB_MEMBERS, JOB_NUMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT,
  JOB_RESULT_TYPE, JOB_SOURCE, JOB_SUM, JOB_TOTAL, JOB_WORDS, jobFinish, number, partial, RESULT_F64, room, set, setNumber, setWord,
  sumPartials, word,
} from './job';
import { P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS, P_WEIGHTS } from './projection';

const DISTANCES: usize = JOB_WORDS;
const NEAR: usize = JOB_WORDS + 4; //       the list that is worked on
const NEXT_NEAR: usize = JOB_WORDS + 8;
const FAR: usize = JOB_WORDS + 12;
const NEXT_FAR: usize = JOB_WORDS + 16;
const FLAGS: usize = JOB_WORDS + 20; //     a byte a vertex: IS_NEAR, IS_FAR
const BUFFERS: usize = JOB_WORDS + 24;
const COUNT: usize = JOB_WORDS + 28; //     vertices in the list that is worked on
const NEAR_TAIL: usize = JOB_WORDS + 32;
const FAR_TAIL: usize = JOB_WORDS + 36;
const THRESHOLD: usize = JOB_NUMBERS;
const STEP: usize = JOB_NUMBERS + 8;

const IS_NEAR: u8 = 1;
const IS_FAR: u8 = 2;

const PHASE_START: u32 = 0;
const PHASE_RELAX: u32 = 1;
const PHASE_SPLIT: u32 = 2;
const PHASE_END: u32 = 3;

const LIST_CHUNK: u32 = 64;
const BUFFER_WORDS: u32 = 1024;
/** The step of the threshold is the mean weight times this, unless `epsilon` of the run says another part. */
const STEP_PART: f64 = 0.125;
/** The step doubles when less than this part of the far list was near. */
const GROW_PART: u32 = 8;

export function ssspBytes(vertices: u32, members: u32): u64 {
  return room(vertices, 8) + 4 * room(vertices, 4) + room(vertices, 1) + <u64>members * 8 * <u64>BUFFER_WORDS;
}

export function ssspBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  set(job, DISTANCES, <u32>at);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_CONVERGED, 1);
  at += <usize>room(count, 8);
  for (let i: usize = 0; i < 4; i++) set(job, NEAR + (i << 2), <u32>(at + i * <usize>room(count, 4)));
  at += 4 * <usize>room(count, 4);
  set(job, FLAGS, <u32>at);
  set(job, BUFFERS, <u32>(at + <usize>room(count, 1)));
  return get(projection, P_CHUNK_COUNT);
}

export function ssspChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_RELAX) {
    relaxChunk(job, projection, chunk, member);
    return;
  }
  if (phase == PHASE_SPLIT) {
    splitChunk(job, chunk, member);
    return;
  }
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const distances = address(job, DISTANCES);
  if (phase == PHASE_START) {
    for (let v = from; v < to; v++) setNumber(distances, v, Infinity);
    memory.fill(address(job, FLAGS) + <usize>from, 0, <usize>(to - from));
    store<f64>(partial(job, chunk), weightsOf(projection, from, to));
    return;
  }
  let reached: u32 = 0;
  for (let v = from; v < to; v++) {
    // Who was not reached has no score.
    if (number(distances, v) == Infinity) setNumber(distances, v, NaN);
    else reached++;
  }
  store<f64>(partial(job, chunk), <f64>reached);
}

function weightsOf(projection: usize, from: u32, to: u32): f64 {
  const offsets = address(projection, P_OFFSETS);
  const weights = address(projection, P_WEIGHTS);
  const end = word(offsets, to);
  if (weights == 0) return <f64>(end - word(offsets, from));
  let sum: f64 = 0;
  for (let arc = word(offsets, from); arc < end; arc++) sum += number(weights, arc);
  return sum;
}

/** Vertices of a list in one chunk: no more chunks than there are partial numbers for. */
function listChunk(job: usize): u32 {
  return max<u32>(LIST_CHUNK, get(job, COUNT) / get(address(job, JOB_PROJECTION), P_CHUNK_COUNT) + 1);
}

// The member's two buffers, near and far, of the chunk under way in this instance.
let nearBuffer: usize = 0;
let farBuffer: usize = 0;
let nearBuffered: u32 = 0;
let farBuffered: u32 = 0;

function openBuffers(job: usize, member: u32): void {
  nearBuffer = address(job, BUFFERS) + 8 * <usize>BUFFER_WORDS * <usize>member;
  farBuffer = nearBuffer + 4 * <usize>BUFFER_WORDS;
  nearBuffered = 0;
  farBuffered = 0;
}

function flushNear(job: usize): void {
  const at = atomic.add<u32>(job + NEAR_TAIL, nearBuffered);
  memory.copy(address(job, NEXT_NEAR) + ((<usize>at) << 2), nearBuffer, (<usize>nearBuffered) << 2);
  nearBuffered = 0;
}

function flushFar(job: usize, list: usize): void {
  const at = atomic.add<u32>(job + FAR_TAIL, farBuffered);
  memory.copy(list + ((<usize>at) << 2), farBuffer, (<usize>farBuffered) << 2);
  farBuffered = 0;
}

function relaxChunk(job: usize, projection: usize, chunk: u32, member: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const weights = address(projection, P_WEIGHTS);
  const distances = address(job, DISTANCES);
  const flags = address(job, FLAGS);
  const near = address(job, NEAR);
  const size = listChunk(job);
  const end = min<u32>((chunk + 1) * size, get(job, COUNT));
  const alone = get(job, JOB_MEMBERS) == 1;
  const threshold = load<f64>(job, THRESHOLD);
  openBuffers(job, member);
  for (let i = chunk * size; i < end; i++) {
    const v = word(near, i);
    // First the flag, then the distance: whoever lowers it from here on puts the vertex into the list again.
    if (alone) store<u8>(flags + <usize>v, load<u8>(flags + <usize>v) & IS_FAR);
    else atomic.and<u8>(flags + <usize>v, IS_FAR);
    const distance = reinterpret<f64>(atomic.load<u64>(distances + ((<usize>v) << 3)));
    const last = word(offsets, v + 1);
    for (let arc = word(offsets, v); arc < last; arc++) {
      const w = word(targets, arc);
      const sum = distance + (weights == 0 ? 1 : number(weights, arc));
      if (sum >= number(distances, w)) continue;
      if (alone) lowerAlone(job, distances, flags, w, sum, threshold);
      else lower(job, distances, flags, w, sum, threshold);
    }
  }
  if (nearBuffered != 0) flushNear(job);
  if (farBuffered != 0) flushFar(job, address(job, FAR));
}

/** Lowers a distance unless it is lower already, and sees that the vertex is in the list it belongs to. */
function lower(job: usize, distances: usize, flags: usize, w: u32, sum: f64, threshold: f64): void {
  const at = distances + ((<usize>w) << 3);
  const bits = reinterpret<u64>(sum);
  let known = atomic.load<u64>(at);
  while (bits < known) {
    const seen = atomic.cmpxchg<u64>(at, known, bits);
    if (seen == known) break;
    known = seen;
  }
  if (bits >= known) return;
  const flag = flags + <usize>w;
  if (sum < threshold) {
    if ((atomic.or<u8>(flag, IS_NEAR) & IS_NEAR) != 0) return;
    setWord(nearBuffer, nearBuffered++, w);
    if (nearBuffered == BUFFER_WORDS) flushNear(job);
  } else {
    if ((atomic.load<u8>(flag) & IS_FAR) != 0 || (atomic.or<u8>(flag, IS_FAR) & IS_FAR) != 0) return;
    setWord(farBuffer, farBuffered++, w);
    if (farBuffered == BUFFER_WORDS) flushFar(job, address(job, FAR));
  }
}

/** The same where there is only one thread. */
// @ts-ignore: decorator
@inline
function lowerAlone(job: usize, distances: usize, flags: usize, w: u32, sum: f64, threshold: f64): void {
  setNumber(distances, w, sum);
  const flag = flags + <usize>w;
  const known = load<u8>(flag);
  if (sum < threshold) {
    if ((known & IS_NEAR) != 0) return;
    store<u8>(flag, known | IS_NEAR);
    setWord(nearBuffer, nearBuffered++, w);
    if (nearBuffered == BUFFER_WORDS) flushNear(job);
  } else {
    if ((known & IS_FAR) != 0) return;
    store<u8>(flag, known | IS_FAR);
    setWord(farBuffer, farBuffered++, w);
    if (farBuffered == BUFFER_WORDS) flushFar(job, address(job, FAR));
  }
}

/** Sorts a chunk of the far list: settled ones go, near ones into the near list, the others into the next far list. */
function splitChunk(job: usize, chunk: u32, member: u32): void {
  const distances = address(job, DISTANCES);
  const flags = address(job, FLAGS);
  const far = address(job, FAR);
  const size = listChunk(job);
  const end = min<u32>((chunk + 1) * size, get(job, COUNT));
  const threshold = load<f64>(job, THRESHOLD);
  const next = above(threshold, load<f64>(job, STEP));
  let nearest: f64 = Infinity;
  openBuffers(job, member);
  for (let i = chunk * size; i < end; i++) {
    const v = word(far, i);
    const distance = number(distances, v);
    if (distance < next) {
      store<u8>(flags + <usize>v, distance < threshold ? 0 : IS_NEAR);
      if (distance < threshold) continue;
      setWord(nearBuffer, nearBuffered++, v);
      if (nearBuffered == BUFFER_WORDS) flushNear(job);
    } else {
      nearest = min<f64>(nearest, distance);
      setWord(farBuffer, farBuffered++, v);
      if (farBuffered == BUFFER_WORDS) flushFar(job, address(job, NEXT_FAR));
    }
  }
  if (nearBuffered != 0) flushNear(job);
  if (farBuffered != 0) flushFar(job, address(job, NEXT_FAR));
  store<f64>(partial(job, chunk), nearest);
}

export function ssspNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) return first(job, projection);
  if (phase == PHASE_END) {
    set(job, JOB_ITERATIONS, 1);
    store<f64>(job, sumPartials(job, get(job, JOB_TOTAL), 0), JOB_SUM);
    jobFinish(job);
    return 0;
  }
  if (phase == PHASE_SPLIT) endSplit(job);
  if (get(job, NEAR_TAIL) != 0) {
    swap(job, NEAR);
    set(job, COUNT, get(job, NEAR_TAIL));
    set(job, NEAR_TAIL, 0);
    set(job, JOB_PHASE, PHASE_RELAX);
    return listChunks(job);
  }
  if (get(job, FAR_TAIL) != 0) {
    set(job, COUNT, get(job, FAR_TAIL));
    set(job, FAR_TAIL, 0);
    set(job, JOB_PHASE, PHASE_SPLIT);
    return listChunks(job);
  }
  set(job, JOB_PHASE, PHASE_END);
  return get(projection, P_CHUNK_COUNT);
}

function listChunks(job: usize): u32 {
  const size = listChunk(job);
  return (get(job, COUNT) + size - 1) / size;
}

function swap(job: usize, field: usize): void {
  const other = get(job, field + 4);
  set(job, field + 4, get(job, field));
  set(job, field, other);
}

/** A step above the threshold; where rounding would swallow the step, the next number there is. */
function above(threshold: f64, step: f64): f64 {
  const next = threshold + step;
  return next > threshold ? next : reinterpret<f64>(reinterpret<u64>(threshold) + 1);
}

/** Moves the threshold: by a step when something is near, otherwise just past the nearest of the far ones. */
function endSplit(job: usize): void {
  const threshold = load<f64>(job, THRESHOLD);
  const step = load<f64>(job, STEP);
  swap(job, FAR);
  const near = get(job, NEAR_TAIL);
  const far = get(job, FAR_TAIL);
  if (near != 0 || far == 0) {
    store<f64>(job, above(threshold, step), THRESHOLD);
    // Looking through a long far list for a few near ones costs more than relaxing some of them too early.
    if (near < far / GROW_PART) store<f64>(job, step * 2, STEP);
    return;
  }
  let nearest: f64 = Infinity;
  const chunks = get(job, JOB_TOTAL);
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    nearest = min<f64>(nearest, load<f64>(partial(job, chunk)));
  }
  store<f64>(job, nearest, THRESHOLD);
}

function first(job: usize, projection: usize): u32 {
  const arcs = get(projection, P_ARCS);
  const mean = arcs == 0 ? 1 : sumPartials(job, get(job, JOB_TOTAL), 0) / <f64>arcs;
  const part = load<f64>(job, JOB_EPSILON);
  const step = mean * (part > 0 ? part : STEP_PART);
  // A step that rounding would swallow, or of nothing but zeros, would never get anywhere.
  store<f64>(job, step > 0 ? step : 1, STEP);
  store<f64>(job, step > 0 ? step : 1, THRESHOLD);
  const source = get(job, JOB_SOURCE);
  if (source == NONE) {
    jobFinish(job);
    return 0;
  }
  setNumber(address(job, DISTANCES), source, 0);
  setWord(address(job, NEXT_NEAR), 0, source);
  store<u8>(address(job, FLAGS) + <usize>source, IS_NEAR);
  set(job, NEAR_TAIL, 1);
  swap(job, NEAR);
  set(job, COUNT, 1);
  set(job, NEAR_TAIL, 0);
  set(job, JOB_PHASE, PHASE_RELAX);
  return 1;
}
