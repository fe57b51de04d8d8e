// SSSP: least weight from a source along the arcs of the view, weights at least 0 (1 without any), by delta stepping (Meyer, Sanders
// 2003). A window of 64 buckets, each a step wide, takes the vertices to be looked at by their distance, one more bucket those beyond
// the window. The first bucket that holds anything is relaxed until nothing falls into it; when all are empty the window moves.
//
// Invariant: a distance only ever falls, by an atomic minimum on its bits (order of f64 that are not negative is order of bits), and
// whoever lowers one sees that the vertex is looked at again. The distances are the least fixed point of d(w) = min(d(v) + weight),
// rounding included, so the order of work does not show. PLACES names the bucket that a vertex waits in; an entry in any other is
// stale. A vertex changes its bucket only for a smaller one, so no bucket of a window holds it twice.
//
// A leaf waits nowhere: where arcs lead both ways, its only one goes back to whoever lowered it, and nothing gets nearer by way of it.
// (Nearly half of WordNet's vertices and of a package graph's are leaves.)
//
// Buckets are chains of blocks, each member's own, which `next` collects; a member with no block left only notes the bucket, and what
// was not written is found by going over all vertices. There is room for two entries a vertex, so that at least as many were written.
//
// (Measured beside one list of near and one of far vertices, which was scanned at each step, one thread, medians of interleaved runs:
// WordNet 50 to 37 ms, where GAP takes 27; RMAT 18 89 to 66, where GAP takes 98.)
//
// Cost: O(vertices + arcs) relaxations on most graphs, a few times that at worst kinds of weights; 18 bytes a vertex, 41 KiB a
// member.

import { NONE } from '../memory/layout';
import { isSymmetric } from './build';
import {
  address, get, JOB_CONVERGED, JOB_EPSILON, JOB_ITERATIONS, JOB_MEMBERS, JOB_NUMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT,
  JOB_RESULT_TYPE, JOB_SOURCE, JOB_SUM, JOB_TOTAL, JOB_WORDS, jobFinish, jobTaken, number, partial, RESULT_F64, room, set, setNumber,
  setWord, sumPartials, word,
} from './job';
import {
  leavesFrom, P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS, P_VIEW, P_WEIGHTS,
} from './projection';

const DISTANCES: usize = JOB_WORDS;
const PLACES: usize = JOB_WORDS + 4; //     a byte a vertex: the bucket it waits in, or NOWHERE
const TABLES: usize = JOB_WORDS + 8; //     by member: the first block of each bucket, 0 = none; and of the blocks it may use again
const BLOCKS: usize = JOB_WORDS + 12;
const BLOCK_COUNT: usize = JOB_WORDS + 16;
const FREE: usize = JOB_WORDS + 20; //      blocks that nobody has
const FREE_TOP: usize = JOB_WORDS + 24; //  how many; below 0 for a moment when there are none
const WORK: usize = JOB_WORDS + 28; //      blocks of the phase
const WORK_COUNT: usize = JOB_WORDS + 32;
const CURRENT: usize = JOB_WORDS + 36; //   the bucket that is worked on
const LOST: usize = JOB_WORDS + 40; //      1: some vertices wait in a bucket that has no entry of them
const BASE: usize = JOB_NUMBERS; //         where the window begins
const STEP: usize = JOB_NUMBERS + 8;
const NEXT_STEP: usize = JOB_NUMBERS + 16; // that of the next window

const BUCKETS: u32 = 64;
/** The bucket of what lies beyond the window. */
const FAR: u32 = BUCKETS;
const NOWHERE: u32 = 255;

// A block: u32 address of the next one, u32 how many vertices, then those.
const BLOCK_BYTES: usize = 256;
const BLOCK_HEADER: usize = 8;
const BLOCK_VERTICES: u32 = 62;
/** Buckets, the far one and the chain of blocks to use again; then arcs that lower a distance: f64 to what, u32 of which vertex. */
const SPARE: usize = (<usize>BUCKETS + 1) << 2;
const FOUND: usize = 320;
const FOUND_BYTES: usize = 512 << 4;
const TABLE_BYTES: usize = FOUND + FOUND_BYTES;

const PHASE_START: u32 = 0;
const PHASE_RELAX: u32 = 1;
const PHASE_SPLIT: u32 = 2;
const PHASE_REBUILD: u32 = 3;
const PHASE_END: u32 = 4;

/** A single thread goes on with what falls into the bucket at hand up to so many vertices; one of several only with a block. */
const GO_ON: u32 = 1024;
/** Arcs of a chunk whose weights go into the mean. (RMAT 18, interleaved: 105 ms with all weights added up, 93 with these.) */
const SAMPLE: u32 = 256;
/**
 * With fewer arcs a vertex a block's lists are read ahead, and whether an arc is worth anything is no branch: where a quarter to a half
 * are, it would be guessed wrong too often. With more arcs few of them are. (Interleaved medians on a package graph, beside branches:
 * 0.83 of the time on one thread, 0.90 on two.)
 */
const SPARSE: u32 = 16;
/**
 * The step is the mean weight times this, shared out among the arcs of a vertex (Meyer and Sanders: a wide one costs relaxations that
 * come too early, the more the more arcs there are, a narrow one phases), unless `epsilon` of the run says another part of the mean.
 * (Sums of the least times of each chunk: RMAT 18 75 ms at 1/16, 91 at 1/8, 112 at 1/4; WordNet 37 at 1/8, 25 at 1/4, 26 at 1/2.)
 */
const STEP_PART: f64 = 1.5;
const LEAST_PART: f64 = 0.0625;
const MOST_PART: f64 = 0.25;
/** The step doubles when less than this part of the far vertices came into the window. */
const GROW_PART: f64 = 8;
/** Steps lie between these, far from where numbers end. */
const NARROWEST: f64 = 1e-300;
const WIDEST: f64 = 1e300;

export function ssspBytes(vertices: u32, members: u32): u64 {
  const blocks = blockCount(vertices, members);
  return room(vertices, 8) + room(vertices, 1) + <u64>members * <u64>TABLE_BYTES + blocks * <u64>BLOCK_BYTES + 2 * room(blocks, 4);
}

/** Room for each vertex twice, and for as many chains that end in a block with one vertex. */
function blockCount(vertices: u32, members: u32): u64 {
  return 2 * (<u64>(vertices / BLOCK_VERTICES) + 1 + <u64>members * <u64>(BUCKETS + 1));
}

export function ssspBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const members = get(job, JOB_MEMBERS);
  const blocks = <u32>blockCount(count, members);
  set(job, DISTANCES, <u32>at);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_CONVERGED, 1);
  at += <usize>room(count, 8);
  set(job, PLACES, <u32>at);
  at += <usize>room(count, 1);
  set(job, TABLES, <u32>at);
  at += <usize>members * TABLE_BYTES;
  set(job, FREE, <u32>at);
  at += <usize>room(blocks, 4);
  set(job, WORK, <u32>at);
  at += <usize>room(blocks, 4);
  set(job, BLOCKS, <u32>at);
  set(job, BLOCK_COUNT, blocks);
  return get(projection, P_CHUNK_COUNT);
}

export function ssspChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  openTable(job, member);
  if (phase == PHASE_RELAX) {
    relaxChunk(job, projection, chunk);
    return;
  }
  if (phase == PHASE_SPLIT) {
    splitChunk(job, chunk);
    return;
  }
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const distances = address(job, DISTANCES);
  if (phase == PHASE_START) {
    for (let v = from; v < to; v++) setNumber(distances, v, Infinity);
    memory.fill(address(job, PLACES) + <usize>from, <u8>NOWHERE, <usize>(to - from));
    sampleWeights(job, projection, chunk, from, to);
  } else if (phase == PHASE_REBUILD) {
    const places = address(job, PLACES);
    for (let v = from; v < to; v++) {
      const place = <u32>load<u8>(places + <usize>v);
      if (place != NOWHERE) push(job, place, v);
    }
  } else {
    let reached: u32 = 0;
    for (let v = from; v < to; v++) {
      // Who was not reached has no score.
      if (number(distances, v) == Infinity) setNumber(distances, v, NaN);
      else reached++;
    }
    store<f64>(partial(job, chunk), <f64>reached);
  }
}

/** Leaves behind the sum of the first weights of a chunk and how many they are: the step needs no better mean. */
function sampleWeights(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const weights = address(projection, P_WEIGHTS);
  const first = word(offsets, from);
  const end = min<u32>(word(offsets, to), first + SAMPLE);
  let sum: f64 = 0;
  for (let arc = first; arc < end; arc++) sum += weights == 0 ? 1 : number(weights, arc);
  store<f64>(partial(job, chunk), sum);
  store<f64>(partial(job, chunk), <f64>(end - first), 8);
}

/** Blocks in one chunk: no more chunks than there are partial numbers for. */
function chunkBlocks(job: usize): u32 {
  return get(job, WORK_COUNT) / get(address(job, JOB_PROJECTION), P_CHUNK_COUNT) + 1;
}

// --- Buckets -----------------------------------------------------------------------------------------------------------------

// Of the chunk under way in this instance: the member's table, and the window.
let table: usize = 0;
let base: f64 = 0;
/** 1 / step. */
let inverse: f64 = 0;

function openTable(job: usize, member: u32): void {
  table = address(job, TABLES) + TABLE_BYTES * <usize>member;
  base = load<f64>(job, BASE);
  inverse = 1 / load<f64>(job, STEP);
}

/** The bucket of a distance; no larger distance has a smaller one. */
// @ts-ignore: decorator
@inline
function bucketOf(distance: f64): u32 {
  const steps = (distance - base) * inverse;
  return steps < <f64>FAR ? <u32>max<i32>(<i32>steps, 0) : FAR;
}

// @ts-ignore: decorator
@inline
function push(job: usize, bucket: u32, v: u32): void {
  const chain = table + ((<usize>bucket) << 2);
  let block = <usize>load<u32>(chain);
  if (block == 0 || load<u32>(block, 4) == BLOCK_VERTICES) {
    block = takeBlock(job, chain);
    if (block == 0) return;
  }
  const count = load<u32>(block, 4);
  setWord(block + BLOCK_HEADER, count, v);
  store<u32>(block, count + 1, 4);
}

/** An empty block before the chain; 0 when there is none, which the next phase sees to. */
function takeBlock(job: usize, chain: usize): usize {
  let block = <usize>load<u32>(table, SPARE);
  if (block != 0) {
    store<u32>(table, load<u32>(block), SPARE);
  } else {
    const top = <i32>atomic.sub<u32>(job + FREE_TOP, 1);
    if (top <= 0) {
      atomic.add<u32>(job + FREE_TOP, 1);
      atomic.store<u32>(job, 1, LOST);
      return 0;
    }
    block = <usize>word(address(job, FREE), <u32>top - 1);
  }
  store<u32>(block, load<u32>(chain));
  store<u32>(block, 0, 4);
  store<u32>(chain, <u32>block);
  return block;
}

/** Makes the blocks of a bucket the work of a phase; answers how many there are. No member is at work. */
function collect(job: usize, bucket: u32): u32 {
  const members = get(job, JOB_MEMBERS);
  const work = address(job, WORK);
  let count: u32 = 0;
  let chain = address(job, TABLES) + ((<usize>bucket) << 2);
  for (let i: u32 = 0; i < members; i++) {
    for (let block = load<u32>(chain); block != 0; block = load<u32>(<usize>block)) setWord(work, count++, block);
    store<u32>(chain, 0);
    chain += TABLE_BYTES;
  }
  set(job, WORK_COUNT, count);
  return count;
}

/** Gives the blocks of the last phase back. */
function freeWork(job: usize): void {
  const count = get(job, WORK_COUNT);
  const top = get(job, FREE_TOP);
  memory.copy(address(job, FREE) + ((<usize>top) << 2), address(job, WORK), (<usize>count) << 2);
  set(job, FREE_TOP, top + count);
  set(job, WORK_COUNT, 0);
}

/** Empties all buckets; the places stay. */
function freeAll(job: usize): void {
  const count = get(job, BLOCK_COUNT);
  const free = address(job, FREE);
  const blocks = address(job, BLOCKS);
  for (let i: u32 = 0; i < count; i++) setWord(free, i, <u32>(blocks + BLOCK_BYTES * <usize>i));
  set(job, FREE_TOP, count);
  set(job, WORK_COUNT, 0);
  set(job, LOST, 0);
  const members = <usize>get(job, JOB_MEMBERS);
  for (let i: usize = 0; i < members; i++) memory.fill(address(job, TABLES) + i * TABLE_BYTES, 0, FOUND);
}

// --- Relaxing ----------------------------------------------------------------------------------------------------------------

function relaxChunk(job: usize, projection: usize, chunk: u32): void {
  const size = chunkBlocks(job);
  const count = get(job, WORK_COUNT);
  const end = min<u32>((chunk + 1) * size, count);
  const work = address(job, WORK);
  for (let i = chunk * size; i < end; i++) relaxBlock(job, projection, <usize>word(work, i));
  if (!jobTaken(job)) return;
  // What fell into the bucket again would be a phase of its own, though it is little most of the time.
  const chain = table + ((<usize>get(job, CURRENT)) << 2);
  const alone = get(job, JOB_MEMBERS) == 1;
  let done: u32 = 0;
  while (done < GO_ON) {
    let block = <usize>load<u32>(chain);
    if (block == 0 || (!alone && load<u32>(block) != 0)) return;
    store<u32>(chain, 0);
    while (block != 0) {
      done += load<u32>(block, 4);
      relaxBlock(job, projection, block);
      const next = <usize>load<u32>(block);
      store<u32>(block, load<u32>(table, SPARE));
      store<u32>(table, <u32>block, SPARE);
      block = next;
    }
  }
}

function relaxBlock(job: usize, projection: usize, block: usize): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const weights = address(projection, P_WEIGHTS);
  const distances = address(job, DISTANCES);
  const places = address(job, PLACES);
  const current = get(job, CURRENT);
  const alone = get(job, JOB_MEMBERS) == 1;
  const leaves = isSymmetric(get(projection, P_VIEW)) ? leavesFrom(projection) : NONE;
  const count = load<u32>(block, 4);
  const first = table + FOUND;
  const full = first + FOUND_BYTES;
  let found = first;
  const sparse = get(projection, P_ARCS) < SPARSE * get(projection, P_COUNT);
  if (sparse) touch(block, count, offsets, targets, weights, distances);
  for (let i: u32 = 0; i < count; i++) {
    const v = word(block + BLOCK_HEADER, i);
    // First the place, then the distance: whoever lowers it from here on puts the vertex into a bucket again.
    const place = places + <usize>v;
    if (<u32>load<u8>(place) != current) continue;
    if (alone) store<u8>(place, <u8>NOWHERE);
    else atomic.store<u8>(place, <u8>NOWHERE);
    const distance = reinterpret<f64>(atomic.load<u64>(distances + ((<usize>v) << 3)));
    let arc = word(offsets, v);
    const last = word(offsets, v + 1);
    while (arc < last) {
      if (found == full) found = settle(job, distances, places, first, found, leaves, alone);
      const end = min<u32>(last, arc + <u32>((full - found) >> 4));
      if (sparse) {
        for (; arc < end; arc++) {
          const w = word(targets, arc);
          const sum = distance + (weights == 0 ? 1 : number(weights, arc));
          store<f64>(found, sum);
          store<u32>(found, w, 8);
          found += (<usize>(sum < number(distances, w))) << 4;
        }
      } else {
        for (; arc < end; arc++) {
          const w = word(targets, arc);
          const sum = distance + (weights == 0 ? 1 : number(weights, arc));
          if (sum >= number(distances, w)) continue;
          store<f64>(found, sum);
          store<u32>(found, w, 8);
          found += 16;
        }
      }
    }
  }
  settle(job, distances, places, first, found, leaves, alone);
}

/** What was read only to have been read. */
let touched: u64 = 0;

/** Reads where the lists of the block's vertices begin, for the caches: here no read waits for another one's outcome. */
function touch(block: usize, count: u32, offsets: usize, targets: usize, weights: usize, distances: usize): void {
  let all: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(block + BLOCK_HEADER, i);
    const arc = word(offsets, v);
    all += load<u64>(distances + ((<usize>v) << 3)) + <u64>word(targets, arc);
    if (weights != 0) all += load<u64>(weights + ((<usize>arc) << 3));
  }
  touched = all;
}

/** Lowers the distances that were found to be too large, unless they are lower by now; answers where the next ones found go. */
function settle(job: usize, distances: usize, places: usize, first: usize, end: usize, leaves: u32, alone: bool): usize {
  for (let at = first; at < end; at += 16) {
    const sum = load<f64>(at);
    const w = load<u32>(at, 8);
    if (!alone) {
      lower(job, distances, places, w, sum, w >= leaves);
      continue;
    }
    if (sum >= number(distances, w)) continue;
    setNumber(distances, w, sum);
    if (w >= leaves) continue;
    const bucket = bucketOf(sum);
    if (<u32>load<u8>(places + <usize>w) <= bucket) continue;
    store<u8>(places + <usize>w, <u8>bucket);
    push(job, bucket, w);
  }
  return first;
}

/** Lowers a distance unless it is lower already, and sees that the vertex, unless a leaf, waits in the bucket it belongs to. */
function lower(job: usize, distances: usize, places: usize, w: u32, sum: f64, leaf: bool): void {
  const at = distances + ((<usize>w) << 3);
  const bits = reinterpret<u64>(sum);
  let known = atomic.load<u64>(at);
  while (bits < known) {
    const seen = atomic.cmpxchg<u64>(at, known, bits);
    if (seen == known) break;
    known = seen;
  }
  if (bits >= known || leaf) return;
  const place = places + <usize>w;
  const bucket = bucketOf(sum);
  let waits = <u32>atomic.load<u8>(place);
  while (bucket < waits) {
    const seen = <u32>atomic.cmpxchg<u8>(place, <u8>waits, <u8>bucket);
    if (seen == waits) {
      push(job, bucket, w);
      return;
    }
    waits = seen;
  }
}

/** Takes a part of the far vertices into the window that has moved; the others stay far. Each stands there once. */
function splitChunk(job: usize, chunk: u32): void {
  const distances = address(job, DISTANCES);
  const places = address(job, PLACES);
  const work = address(job, WORK);
  const size = chunkBlocks(job);
  const end = min<u32>((chunk + 1) * size, get(job, WORK_COUNT));
  let nearest: f64 = Infinity;
  let taken: u32 = 0;
  let left: u32 = 0;
  for (let i = chunk * size; i < end; i++) {
    const block = <usize>word(work, i);
    const count = load<u32>(block, 4);
    for (let k: u32 = 0; k < count; k++) {
      const v = word(block + BLOCK_HEADER, k);
      if (<u32>load<u8>(places + <usize>v) != FAR) continue;
      const distance = number(distances, v);
      const bucket = bucketOf(distance);
      push(job, bucket, v);
      if (bucket == FAR) {
        nearest = min<f64>(nearest, distance);
        left++;
      } else {
        store<u8>(places + <usize>v, <u8>bucket);
        taken++;
      }
    }
  }
  const at = partial(job, chunk);
  store<f64>(at, nearest);
  store<f64>(at, <f64>taken, 8);
  store<f64>(at, <f64>left, 16);
}

// --- Phases ------------------------------------------------------------------------------------------------------------------

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
  freeWork(job);
  if (get(job, LOST) != 0) {
    freeAll(job);
    set(job, JOB_PHASE, PHASE_REBUILD);
    return get(projection, P_CHUNK_COUNT);
  }
  for (let bucket = get(job, CURRENT); bucket < BUCKETS; bucket++) {
    if (collect(job, bucket) == 0) continue;
    set(job, CURRENT, bucket);
    set(job, JOB_PHASE, PHASE_RELAX);
    return workChunks(job);
  }
  if (collect(job, FAR) != 0) {
    moveWindow(job, phase == PHASE_SPLIT);
    set(job, JOB_PHASE, PHASE_SPLIT);
    return workChunks(job);
  }
  set(job, JOB_PHASE, PHASE_END);
  return get(projection, P_CHUNK_COUNT);
}

function workChunks(job: usize): u32 {
  const size = chunkBlocks(job);
  return (get(job, WORK_COUNT) + size - 1) / size;
}

/** The window moves to where it ended; when nothing was there, to the nearest of the far vertices, which `endSplit` left as its base. */
function moveWindow(job: usize, nothing: bool): void {
  if (!nothing) store<f64>(job, load<f64>(job, BASE) + <f64>BUCKETS * load<f64>(job, STEP), BASE);
  store<f64>(job, load<f64>(job, NEXT_STEP), STEP);
  set(job, CURRENT, 0);
}

/** After a split: where to go when nothing came of it, and whether the next window shall be wider. */
function endSplit(job: usize): void {
  const chunks = get(job, JOB_TOTAL);
  const taken = sumPartials(job, chunks, 1);
  // Looking at many far vertices for a few near ones costs more than relaxing some of them too early.
  const step = load<f64>(job, STEP);
  if (taken < sumPartials(job, chunks, 2) / GROW_PART && step < WIDEST) store<f64>(job, step * 2, NEXT_STEP);
  if (taken != 0) return;
  let nearest: f64 = Infinity;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) nearest = min<f64>(nearest, load<f64>(partial(job, chunk)));
  if (nearest != Infinity) store<f64>(job, nearest, BASE);
}

function first(job: usize, projection: usize): u32 {
  const arcs = get(projection, P_ARCS);
  const chunks = get(job, JOB_TOTAL);
  const mean = arcs == 0 ? 1 : sumPartials(job, chunks, 0) / sumPartials(job, chunks, 1);
  const part = load<f64>(job, JOB_EPSILON);
  const shared = (STEP_PART * <f64>get(projection, P_COUNT)) / <f64>max<u32>(arcs, 1);
  const wanted = mean * (part > 0 ? part : max<f64>(LEAST_PART, min<f64>(MOST_PART, shared)));
  // A step of nothing but zeros would never get anywhere, and one at the end of numbers no further.
  const width = wanted > NARROWEST && wanted < WIDEST ? wanted : 1;
  store<f64>(job, width, STEP);
  store<f64>(job, width, NEXT_STEP);
  store<f64>(job, 0, BASE);
  const source = get(job, JOB_SOURCE);
  if (source == NONE) {
    jobFinish(job);
    return 0;
  }
  freeAll(job);
  setNumber(address(job, DISTANCES), source, 0);
  store<u8>(address(job, PLACES) + <usize>source, 0);
  set(job, CURRENT, 0);
  openTable(job, 0);
  push(job, 0, source);
  collect(job, 0);
  set(job, JOB_PHASE, PHASE_RELAX);
  return 1;
}
