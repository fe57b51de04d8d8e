// BETWEENNESS: for each vertex the sum over ordered pairs (s, t) of the share of shortest paths from s to t that run through it, along
// the arcs of the view; parallel edges are different paths. Brandes (2001), from every vertex, or from a sample of them with the sums
// scaled by vertices / sampled (Brandes, Pich 2007).
//
// Invariant: after a source, `delta` of a vertex is the sum over t of the share of shortest paths from the source to t that run through
// it. Sources go round a fixed number of lanes; each lane adds up in its own array in order, and at the end the lanes are added in
// order, so threads do not show in the sums.
//
// Cost: O(vertices + arcs) a source; (32 × lanes + 12) bytes a vertex.

import { NONE } from '../memory/layout';
import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SAMPLES, JOB_SEED, JOB_WORDS,
  jobFinish, jobStopped, number, RESULT_F64, room, set, setNumber, setWord, word,
} from './job';
import { CHUNK_VERTICES, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS, positionOf } from './projection';
import { sampleRanks } from './sample';

const SOURCES: usize = JOB_WORDS;
const SOURCE_COUNT: usize = JOB_WORDS + 4;
const DONE: usize = JOB_WORDS + 8; // sources of complete waves
const LANE: usize = JOB_WORDS + 12; // the lanes, LANE_ARRAYS each

/** Sources worked on at the same time, whatever the number of threads. */
const LANES: u32 = 8;

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
    spread(job, projection, address(job, LANE) + <usize>chunk * <usize>laneBytes(count), count, positionOf(projection, source));
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

/** One source: a breadth-first search that counts paths, and back again in the opposite order. Leaves early when told to stop. */
function spread(job: usize, projection: usize, sums: usize, count: u32, source: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const paths = sums + <usize>room(count, 8);
  const delta = paths + <usize>room(count, 8);
  const distances = delta + <usize>room(count, 8);
  const queue = distances + <usize>room(count, 4);
  memory.fill(distances, 0xff, (<usize>count) << 2);
  setWord(distances, source, 0);
  setNumber(paths, source, 1);
  setWord(queue, 0, source);
  let tail: u32 = 1;
  for (let head: u32 = 0; head < tail; head++) {
    if ((head & (CHUNK_VERTICES - 1)) == 0 && jobStopped(job) != 0) return;
    const v = word(queue, head);
    const distance = word(distances, v) + 1;
    const mine = number(paths, v);
    const end = word(offsets, v + 1);
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
  for (let head = tail; head > 0; head--) {
    if ((head & (CHUNK_VERTICES - 1)) == 0 && jobStopped(job) != 0) return;
    const v = word(queue, head - 1);
    const distance = word(distances, v) + 1;
    const end = word(offsets, v + 1);
    let sum: f64 = 0;
    for (let arc = word(offsets, v); arc < end; arc++) {
      const w = word(targets, arc);
      if (word(distances, w) == distance) sum += (1 + number(delta, w)) / number(paths, w);
    }
    sum *= number(paths, v);
    setNumber(delta, v, sum);
    if (v != source) setNumber(sums, v, number(sums, v) + sum);
  }
}

export function betweennessNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) {
    set(job, SOURCE_COUNT, sampleRanks(get(projection, P_COUNT), get(job, JOB_SAMPLES), get(job, JOB_SEED), address(job, SOURCES)));
    set(job, JOB_PHASE, PHASE_WAVE);
  } else if (phase == PHASE_WAVE) {
    set(job, DONE, min<u32>(get(job, DONE) + LANES, get(job, SOURCE_COUNT)));
  } else {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  }
  const left = get(job, SOURCE_COUNT) - get(job, DONE);
  if (left != 0) return min<u32>(left, LANES);
  set(job, JOB_PHASE, PHASE_SUM);
  return get(projection, P_CHUNK_COUNT);
}
