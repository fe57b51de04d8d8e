// CLOSENESS: harmonic closeness, for each vertex v the mean over all others of 1 / distance from v along the arcs of the view, 0 for
// those out of reach (Marchiori, Latora 2000). From a sample of the others the sum is scaled by vertices / sampled (Eppstein, Wang 2004).
// Breadth-first searches from 64 vertices at a time, a bit each (Then et al. 2014), run against the arcs: who is at distance k of which
// source follows from the frontiers of the vertices at the far ends of its own arcs.
//
// Invariant: bit i of seen[v] says that the distance from v to source i of the batch is at most the level. A vertex writes only its own
// words, and adds level by level, batch by batch: threads do not show.
//
// Cost: O(levels × (vertices + arcs)) for each 64 sources; 36 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SAMPLES, JOB_SEED, JOB_TOTAL,
  JOB_WORDS, jobFinish, number, partial, RESULT_F64, room, set, setNumber, sumPartials, word,
} from './job';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS, positionOf } from './projection';
import { sampleRanks } from './sample';

const SEEN: usize = JOB_WORDS;
const FRONTIER: usize = JOB_WORDS + 4;
const NEXT_FRONTIER: usize = JOB_WORDS + 8;
const SOURCES: usize = JOB_WORDS + 12;
const SOURCE_COUNT: usize = JOB_WORDS + 16;
const DONE: usize = JOB_WORDS + 20; // sources of complete batches
const LEVEL: usize = JOB_WORDS + 24;

const BATCH: u32 = 64;

const PHASE_START: u32 = 0;
const PHASE_CLEAR: u32 = 1;
const PHASE_LEVEL: u32 = 2;
const PHASE_SCALE: u32 = 3;

export function closenessBytes(vertices: u32): u64 {
  return 4 * room(vertices, 8) + room(vertices, 4);
}

export function closenessBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const bytes = <usize>room(get(projection, P_COUNT), 8);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_CONVERGED, 1);
  for (let i: usize = 0; i < 4; i++) set(job, SEEN + (i << 2), <u32>(at + (i + 1) * bytes));
  return get(projection, P_CHUNK_COUNT);
}

export function closenessChunk(job: usize, chunk: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const phase = get(job, JOB_PHASE);
  const scores = address(job, JOB_RESULT);
  if (phase == PHASE_START) {
    for (let v = from; v < to; v++) setNumber(scores, v, 0);
  } else if (phase == PHASE_CLEAR) {
    const bytes = (<usize>(to - from)) << 3;
    memory.fill(address(job, SEEN) + ((<usize>from) << 3), 0, bytes);
    memory.fill(address(job, FRONTIER) + ((<usize>from) << 3), 0, bytes);
  } else if (phase == PHASE_LEVEL) {
    store<f64>(partial(job, chunk), <f64>level(job, projection, scores, from, to));
  } else if (phase == PHASE_SCALE) {
    const others = <f64>get(projection, P_COUNT) - 1;
    const scale = others > 0 ? (others + 1) / (<f64>get(job, SOURCE_COUNT) * others) : 0;
    for (let v = from; v < to; v++) setNumber(scores, v, number(scores, v) * scale);
  } else {
    unreachable();
  }
}

/** One level for the vertices of [from, to); answers how many of them have met a source. */
function level(job: usize, projection: usize, scores: usize, from: u32, to: u32): u32 {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const seen = address(job, SEEN);
  const frontier = address(job, FRONTIER);
  const next = address(job, NEXT_FRONTIER);
  const share = 1 / <f64>get(job, LEVEL);
  const left = get(job, SOURCE_COUNT) - get(job, DONE);
  const all: u64 = left >= BATCH ? ~(<u64>0) : (<u64>1 << left) - 1;
  let met: u32 = 0;
  for (let v = from; v < to; v++) {
    const place = (<usize>v) << 3;
    const known = load<u64>(seen + place);
    let bits: u64 = 0;
    const end = word(offsets, v + 1);
    for (let arc = word(offsets, v); arc < end && (bits | known) != all; arc++) {
      bits |= load<u64>(frontier + ((<usize>word(targets, arc)) << 3));
    }
    bits &= ~known;
    store<u64>(next + place, bits);
    if (bits == 0) continue;
    store<u64>(seen + place, known | bits);
    setNumber(scores, v, number(scores, v) + <f64>popcnt(bits) * share);
    met++;
  }
  return met;
}

export function closenessNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const chunks = get(projection, P_CHUNK_COUNT);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) {
    set(job, SOURCE_COUNT, sampleRanks(get(projection, P_COUNT), get(job, JOB_SAMPLES), get(job, JOB_SEED), address(job, SOURCES)));
  } else if (phase == PHASE_CLEAR) {
    placeBatch(job, projection);
    set(job, LEVEL, 1);
    set(job, JOB_PHASE, PHASE_LEVEL);
    return chunks;
  } else if (phase == PHASE_LEVEL) {
    const frontier = get(job, NEXT_FRONTIER);
    set(job, NEXT_FRONTIER, get(job, FRONTIER));
    set(job, FRONTIER, frontier);
    set(job, LEVEL, get(job, LEVEL) + 1);
    if (sumPartials(job, get(job, JOB_TOTAL), 0) != 0) return chunks;
    set(job, DONE, min<u32>(get(job, DONE) + BATCH, get(job, SOURCE_COUNT)));
  } else if (phase == PHASE_SCALE) {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  } else {
    unreachable();
  }
  set(job, JOB_PHASE, get(job, DONE) < get(job, SOURCE_COUNT) ? PHASE_CLEAR : PHASE_SCALE);
  return chunks;
}

function placeBatch(job: usize, projection: usize): void {
  const done = get(job, DONE);
  const end = min<u32>(done + BATCH, get(job, SOURCE_COUNT));
  for (let i = done; i < end; i++) {
    const place = (<usize>positionOf(projection, word(address(job, SOURCES), i))) << 3;
    const bit = <u64>1 << (i - done);
    store<u64>(address(job, SEEN) + place, bit);
    store<u64>(address(job, FRONTIER) + place, bit);
  }
}
