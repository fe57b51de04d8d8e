// BETWEENNESS: for each vertex the sum over ordered pairs (s, t) of the share of shortest paths from s to t that run through it, along
// the arcs of the view; parallel edges are different paths. Brandes (2001), from every vertex, or from a sample of them with the sums
// scaled by vertices / sampled (Brandes, Pich 2007).
//
// Invariant: after a source, `delta` of a vertex is 1 more than the sum over t of the share of shortest paths from the source to t that
// run through it, divided by the number of paths to it. Sources go round a fixed number of lanes; each lane adds up in its own array in
// order, and at the end the lanes are added in order, so threads do not show in the sums. A source takes several chunks: between two of
// them its lane says how far it is.
//
// Numbers of paths outgrow f64 soon: a grid of 520 by 520 has 2^1024 from corner to corner. But only the shares of vertices of one level
// in those of the next count, so a level whose numbers are large is made smaller by a power of two as a whole, which changes no bit of
// a share. A vertex keeps LEAST at least: beside those that are so many it has no weight, in a part of its own its shares stay right.
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
const LANE_LEVEL: usize = 12; // u32 where the level ends in the queue that is being walked away from
const LANE_MOST: usize = 16; // f64 no vertex of the next level has more paths
/** u32 1 = a level was made smaller: `delta` of each vertex is what its number was multiplied by, until it is walked back. */
const LANE_SHRUNK: usize = 24;

/** A level is made smaller where a vertex has more paths than this; one arc more for each vertex there can be is no danger then. */
const MOST: f64 = CORE_DEBUG != 0 ? 16 : 1.3407807929942597e154; // 2^512
/** By what a level is multiplied. */
const SMALLER: f64 = CORE_DEBUG != 0 ? 0.0625 : 7.458340731200207e-155; // 1 / MOST
/** Of paths, where a level was made smaller; so that the quotient of a sum and it is a number. */
const LEAST: f64 = 1.1830521861667747e-271; // 2^-900

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
  store<u32>(lane, 1, LANE_LEVEL);
  store<f64>(lane, 0, LANE_MOST);
  store<u32>(lane, 0, LANE_SHRUNK);
}

/** A breadth-first search from the source that counts paths. */
function walkAway(lane: usize, projection: usize, sums: usize, count: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const paths = sums + <usize>room(count, 8);
  const delta = paths + <usize>room(count, 8);
  const distances = delta + <usize>room(count, 8);
  const queue = distances + <usize>room(count, 4);
  let head = load<u32>(lane, LANE_HEAD);
  let tail = load<u32>(lane, LANE_TAIL);
  let level = load<u32>(lane, LANE_LEVEL);
  let most = load<f64>(lane, LANE_MOST);
  let work: u32 = 0;
  for (; head < tail && work < CHUNK_WORK; head++) {
    if (head == level) {
      // All of the next level are in the queue, and their numbers complete.
      if (most > MOST || load<u32>(lane, LANE_SHRUNK) != 0) beginLevel(lane, paths, delta, queue, head, tail, most > MOST);
      level = tail;
      most = 0;
    }
    const v = word(queue, head);
    const distance = word(distances, v) + 1;
    const mine = number(paths, v);
    if (mine > most) most = mine;
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
        const sum = number(paths, w) + mine;
        if (sum > most) most = sum;
        setNumber(paths, w, sum);
      }
    }
  }
  store<u32>(lane, head, LANE_HEAD);
  store<u32>(lane, tail, LANE_TAIL);
  store<u32>(lane, level, LANE_LEVEL);
  store<f64>(lane, most, LANE_MOST);
  if (head == tail) store<u32>(lane, STEP_BACK, LANE_STEP);
}

/** Makes the level from `from` to `to` in the queue smaller if it is to shrink, and notes by what. Long levels are rare and not cut. */
function beginLevel(lane: usize, paths: usize, delta: usize, queue: usize, from: u32, to: u32, shrinks: bool): void {
  if (load<u32>(lane, LANE_SHRUNK) == 0) {
    for (let at: u32 = 0; at < from; at++) setNumber(delta, word(queue, at), 1);
    store<u32>(lane, 1, LANE_SHRUNK);
  }
  for (let at = from; at < to; at++) {
    const v = word(queue, at);
    const own = number(paths, v);
    const now = shrinks ? max<f64>(own * SMALLER, LEAST) : own;
    setNumber(paths, v, now);
    setNumber(delta, v, now / own);
  }
}

/**
 * And back again in the opposite order, which adds up what runs through each vertex. The source comes last. Behind it `delta` of a vertex
 * is what each of its paths brings to the vertices before it.
 */
function walkBack(lane: usize, projection: usize, sums: usize, count: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const paths = sums + <usize>room(count, 8);
  const delta = paths + <usize>room(count, 8);
  const distances = delta + <usize>room(count, 8);
  const queue = distances + <usize>room(count, 4);
  const isShrunk = load<u32>(lane, LANE_SHRUNK) != 0;
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
      if (word(distances, w) == distance) sum += number(delta, w);
    }
    const mine = number(paths, v);
    sum *= mine;
    setNumber(delta, v, ((1 + sum) * (isShrunk ? number(delta, v) : 1)) / mine);
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
  } else if (phase == PHASE_SUM) {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  } else {
    unreachable();
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
