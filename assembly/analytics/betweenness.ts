// BETWEENNESS: for each vertex the sum over ordered pairs (s, t) of the share of shortest paths from s to t that run through it, along
// the arcs of the view; parallel edges are different paths. Brandes (2001), from every vertex, or from a sample of them with the sums
// scaled by vertices / sampled (Brandes, Pich 2007).
//
// Invariant: after a source, `delta` of a vertex is the sum over t of the share of shortest paths from the source to t that run through
// it. Sources go round a fixed number of lanes; each lane adds up in its own array in order, and at the end the lanes are added in
// order, so threads do not show in the sums. A source takes several chunks: between two of them its lane says how far it is.
//
// Cost: O(vertices + arcs) a source; (32 × lanes + 12) bytes a vertex.

import { NONE } from '../memory/layout';
import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SAMPLES, JOB_SEED, JOB_TOTAL,
  JOB_WORDS, jobFinish, number, partial, RESULT_F64, room, set, setNumber, setWord, word,
} from './job';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS, positionOf } from './projection';
import { sampleRanks } from './sample';
import { SLICE_WORK } from './slices';

const SOURCES: usize = JOB_WORDS;
const SOURCE_COUNT: usize = JOB_WORDS + 4;
const DONE: usize = JOB_WORDS + 8; // sources of complete waves
const LANE: usize = JOB_WORDS + 12; // the lanes, LANE_ARRAYS each

/** Sources worked on at the same time, whatever the number of threads. */
export const LANES: u32 = 8;

// Where a lane's source is, in the partial numbers of its chunk.
const LANE_STEP: usize = 0; // u32 one of STEP_…
const LANE_HEAD: usize = 4; // u32
const LANE_TAIL: usize = 8; // u32

const STEP_BEGIN: u32 = 0;
const STEP_AWAY: u32 = 1;
const STEP_BACK: u32 = 2;
const STEP_OVER: u32 = 3;

/** Vertices and arcs of one chunk of a wave. */
const CHUNK_WORK: u32 = 8 * SLICE_WORK;

const PHASE_START: u32 = 0;
const PHASE_WAVE: u32 = 1;
const PHASE_SUM: u32 = 2;

function laneBytes(vertices: u32): u64 {
  return 3 * room(vertices, 8) + 2 * room(vertices, 4);
}

export function betweennessBytes(vertices: u32): u64 {
  return room(vertices, 8) + room(vertices, 4) + <u64>LANES * laneBytes(vertices);
}

export function betweennessBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_CONVERGED, 1);
  at += <usize>room(count, 8);
  set(job, SOURCES, <u32>at);
  set(job, LANE, <u32>(at + <usize>room(count, 4)));
  return get(projection, P_CHUNK_COUNT);
}

export function betweennessChunk(job: usize, chunk: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_WAVE) {
    const source = word(address(job, SOURCES), get(job, DONE) + chunk);
    const sums = address(job, LANE) + <usize>chunk * <usize>laneBytes(count);
    const lane = partial(job, chunk);
    if (load<u32>(lane, LANE_STEP) == STEP_BEGIN) begin(lane, sums, count, positionOf(projection, source));
    if (load<u32>(lane, LANE_STEP) == STEP_AWAY) walkAway(lane, projection, sums, count);
    else if (load<u32>(lane, LANE_STEP) == STEP_BACK) walkBack(lane, projection, sums, count);
    return;
  }
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const scale = phase == PHASE_START ? 0 : <f64>count / <f64>get(job, SOURCE_COUNT);
  const scores = address(job, JOB_RESULT);
  for (let v = from; v < to; v++) {
    let sum: f64 = 0;
    for (let lane: u32 = 0; lane < LANES; lane++) {
      const sums = address(job, LANE) + <usize>lane * <usize>laneBytes(count);
      if (phase == PHASE_START) setNumber(sums, v, 0);
      else sum += number(sums, v);
    }
    setNumber(scores, v, sum * scale);
  }
}

function begin(lane: usize, sums: usize, count: u32, source: u32): void {
  const wide = <usize>room(count, 8);
  const distances = sums + 3 * wide;
  memory.fill(distances, 0xff, (<usize>count) << 2);
  setWord(distances, source, 0);
  setNumber(sums + wide, source, 1);
  setWord(distances + <usize>room(count, 4), 0, source);
  store<u32>(lane, STEP_AWAY, LANE_STEP);
  store<u32>(lane, 0, LANE_HEAD);
  store<u32>(lane, 1, LANE_TAIL);
}

/** A breadth-first search from the source that counts paths. */
function walkAway(lane: usize, projection: usize, sums: usize, count: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const paths = sums + <usize>room(count, 8);
  const distances = paths + 2 * <usize>room(count, 8);
  const queue = distances + <usize>room(count, 4);
  let head = load<u32>(lane, LANE_HEAD);
  let tail = load<u32>(lane, LANE_TAIL);
  let work: u32 = 0;
  for (; head < tail && work < CHUNK_WORK; head++) {
    const v = word(queue, head);
    const distance = word(distances, v) + 1;
    const mine = number(paths, v);
    const end = word(offsets, v + 1);
    work += 1 + end - word(offsets, v);
    for (let arc = word(offsets, v); arc < end; arc++) {
      const w = word(targets, arc);
      const its = word(distances, w);
      if (its == NONE) {
        setWord(distances, w, distance);
        setNumber(paths, w, mine);
        setWord(queue, tail++, w);
      } else if (its == distance) {
        setNumber(paths, w, number(paths, w) + mine);
      }
    }
  }
  store<u32>(lane, head, LANE_HEAD);
  store<u32>(lane, tail, LANE_TAIL);
  if (head == tail) store<u32>(lane, STEP_BACK, LANE_STEP);
}

/** And back again in the opposite order, which adds up what runs through each vertex. The source comes last. */
function walkBack(lane: usize, projection: usize, sums: usize, count: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const paths = sums + <usize>room(count, 8);
  const delta = paths + <usize>room(count, 8);
  const distances = delta + <usize>room(count, 8);
  const queue = distances + <usize>room(count, 4);
  let head = load<u32>(lane, LANE_HEAD);
  let work: u32 = 0;
  for (; head > 0 && work < CHUNK_WORK; head--) {
    const v = word(queue, head - 1);
    const distance = word(distances, v) + 1;
    const end = word(offsets, v + 1);
    work += 1 + end - word(offsets, v);
    let sum: f64 = 0;
    for (let arc = word(offsets, v); arc < end; arc++) {
      const w = word(targets, arc);
      if (word(distances, w) == distance) sum += (1 + number(delta, w)) / number(paths, w);
    }
    sum *= number(paths, v);
    setNumber(delta, v, sum);
    if (head != 1) setNumber(sums, v, number(sums, v) + sum);
  }
  store<u32>(lane, head, LANE_HEAD);
  if (head == 0) store<u32>(lane, STEP_OVER, LANE_STEP);
}

/** Whether every source of the wave has been walked from and back. */
function waveOver(job: usize, lanes: u32): bool {
  for (let chunk: u32 = 0; chunk < lanes; chunk++) {
    if (load<u32>(partial(job, chunk), LANE_STEP) != STEP_OVER) return false;
  }
  return true;
}

export function betweennessNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) {
    set(job, SOURCE_COUNT, sampleRanks(get(projection, P_COUNT), get(job, JOB_SAMPLES), get(job, JOB_SEED), address(job, SOURCES)));
    set(job, JOB_PHASE, PHASE_WAVE);
  } else if (phase == PHASE_WAVE) {
    const lanes = get(job, JOB_TOTAL);
    if (!waveOver(job, lanes)) return lanes;
    set(job, DONE, min<u32>(get(job, DONE) + LANES, get(job, SOURCE_COUNT)));
  } else {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  }
  const left = get(job, SOURCE_COUNT) - get(job, DONE);
  if (left != 0) {
    const lanes = min<u32>(left, LANES);
    for (let chunk: u32 = 0; chunk < lanes; chunk++) store<u32>(partial(job, chunk), STEP_BEGIN, LANE_STEP);
    return lanes;
  }
  set(job, JOB_PHASE, PHASE_SUM);
  return get(projection, P_CHUNK_COUNT);
}
