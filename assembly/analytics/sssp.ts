// SSSP: least weight from a source along the arcs of the view, weights at least 0 (1 without any), by delta stepping (Meyer, Sanders
// 2003). A window of 64 buckets, each a step wide, takes the vertices to be looked at by their distance, one more bucket those beyond
// the window. The first bucket that holds anything is relaxed until nothing falls into it; when all are empty the window moves.
//
// Invariant: a distance only ever falls, by an atomic exchange, and whoever lowers one sees that the vertex is looked at again. The
// distances are the least fixed point of d(w) = min(d(v) + weight), rounding included, so the order of work does not show. The sign bit
// of a distance says that its vertex waits, in the bucket of the distance; entries of other vertices, and in other buckets, are stale.
// A vertex changes its bucket only for a smaller one, so no bucket of a window holds it twice.
//
// Distances are f64. While all weights are whole and all distances below 2^31 they are kept as u32 (NARROW): exact, and half the memory
// to reach for. They become f64 (PHASE_WIDEN) before the first bucket from which an arc might lead further, otherwise in the end. So
// the work on them is written once, for either kind of bits. NARROW lies in the room of the partition sizes, which nobody needs here.
//
// A leaf is left out until the end: where arcs lead both ways, its only one goes back to where it is reached from, and nothing gets
// nearer by way of it. Nearly half of WordNet's vertices and of a package graph's are leaves.
//
// Buckets are chains of blocks, each member's own, which `next` collects; a member with no block left only notes the bucket, and what
// was not written is found by going over all vertices. There is room for two entries a vertex, so that at least as many were written.
//
// Cost: O(vertices + arcs) relaxations on most graphs, a few times that with bad weights; 17 bytes a vertex, 41 KiB a member.

import { NONE } from '../memory/layout';
import { isSymmetric } from './build';
import { beyond, placeOf, reach, targetOf, UNREACHED, unreached, valueOf, waiting, waits, weightAt } from './distances';
import {
  address, get, JOB_CONVERGED, JOB_EPSILON, JOB_ITERATIONS, JOB_MEMBERS, JOB_NUMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT,
  JOB_RESULT_TYPE, JOB_SIZES, JOB_SOURCE, JOB_SUM, JOB_TOTAL, JOB_WORDS, jobFinish, jobTaken, jobWaited, number, partial, RESULT_F64, room,
  set, setNumber, setWord, sumPartials, word,
} from './job';
import {
  leavesFrom, P_APART, P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_HEAVIEST, P_OFFSETS, P_TARGETS, P_VIEW, P_WEIGHTS,
} from './projection';

const DISTANCES: usize = JOB_WORDS;
const NARROW: usize = JOB_WORDS + 4; //     u32 distances
const TABLES: usize = JOB_WORDS + 8; //     by member: where the chain of each bucket ends, 0 = empty; and blocks it may use again
const BLOCKS: usize = JOB_WORDS + 12;
const BLOCK_COUNT: usize = JOB_WORDS + 16;
const FREE: usize = JOB_WORDS + 20; //      blocks that nobody has
const FREE_TOP: usize = JOB_WORDS + 24; //  how many
const WORK: usize = JOB_WORDS + 28; //      blocks of the phase
const WORK_COUNT: usize = JOB_WORDS + 32;
const CURRENT: usize = JOB_WORDS + 36; //   the bucket that is worked on
const LOST: usize = JOB_WORDS + 40; //      1: some vertices wait in a bucket that has no entry of them
const WIDE: usize = JOB_WORDS + 44; //      1: distances are the f64 by now, and NARROW is no longer looked at
const BASE: usize = JOB_NUMBERS; //         where the window begins
const STEP: usize = JOB_NUMBERS + 8;
const NEXT_STEP: usize = JOB_NUMBERS + 16; // that of the next window

const BUCKETS: u32 = 64;
/** The bucket of what lies beyond the window. */
const FAR: u32 = BUCKETS;

// A block: u32 address of the next one, u32 how many vertices, then those. A chain is held by where its next vertex goes: in the first
// block, the only one that may not be full, or just behind it. Blocks lie at multiples of their size.
const BLOCK_BYTES: usize = 256;
const BLOCK_USED: usize = 4;
const BLOCK_HEADER: usize = 8;
const BLOCK_VERTICES: u32 = 62;
/** A member takes so many at once. */
const TAKE_BLOCKS: u32 = 8;
/** Buckets, the far one and the chain of blocks to use again; then arcs that lower a distance: f64 to what, u32 of which vertex. */
const SPARE: usize = (<usize>BUCKETS + 1) << 2;
const FOUND: usize = 320;
const FOUND_BYTES: usize = 512 << 4;
const TABLE_BYTES: usize = FOUND + FOUND_BYTES;

// What a chunk leaves behind a first number: START how many weights it sums, SPLIT how many came into the window and how many did not.
const COUNTED: u32 = 1;
const LEFT: u32 = 2;

const PHASE_START: u32 = 0;
const PHASE_RELAX: u32 = 1;
const PHASE_SPLIT: u32 = 2;
const PHASE_REBUILD: u32 = 3;
const PHASE_WIDEN: u32 = 4;
const PHASE_END: u32 = 5;

/**
 * A thread goes on with what falls into the bucket at hand up to so many vertices; one of several leaves off when the others wait and
 * there is a block for them.
 * Measured (benchmarks/analytics, package graph, two threads, 4-core EPYC, 5c6bc46): time of going on with full blocks alone → this,
 * 1 → 0.94, with half as many phases that both of them work in.
 */
const GO_ON: u32 = 1024;
/** Arcs of a chunk for the mean weight. Measured (benchmarks/analytics, RMAT 18, 4-core EPYC, ca856e3): all → these, 105 → 93 ms. */
const SAMPLE: u32 = 256;
/**
 * With fewer arcs a vertex a block's lists are prefetched, and whether an arc is worth anything is no branch: where a quarter to a half
 * are, it would be guessed wrong too often. With more arcs few of them are.
 * Measured (benchmarks/analytics, package graph, 4-core EPYC, cd6cbfd): time with branches → this, 1 → 0.83 on one
 * thread, 0.90 on two.
 */
const SPARSE: u32 = 16;
/**
 * The step is the mean weight times this, shared out among the arcs of a vertex (Meyer and Sanders: a wide one costs relaxations that
 * come too early, the more the more arcs there are, a narrow one phases), unless `epsilon` of the run says another part of the mean.
 * Measured (benchmarks/analytics, sums of the least times of each chunk, 4-core EPYC, e8f2c26): RMAT 18 at 1/4 → 1/8 → 1/16,
 * 112 → 91 → 75 ms; WordNet at 1/8 → 1/4 → 1/2, 37 → 25 → 26 ms.
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
  const lists = <u64>members * <u64>TABLE_BYTES + 2 * room(blocks, 4);
  return room(vertices, 8) + lists + (blocks + 1) * <u64>BLOCK_BYTES;
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
  set(job, NARROW, get(job, JOB_SIZES));
  set(job, WIDE, u32(get(projection, P_WEIGHTS) != 0 && get(projection, P_APART) != 0));
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_CONVERGED, 1);
  at += <usize>room(count, 8);
  set(job, TABLES, <u32>at);
  at += <usize>members * TABLE_BYTES;
  set(job, FREE, <u32>at);
  at += <usize>room(blocks, 4);
  set(job, WORK, <u32>at);
  at += <usize>room(blocks, 4);
  set(job, BLOCKS, <u32>((at + BLOCK_BYTES - 1) & ~(BLOCK_BYTES - 1)));
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
  const wide = get(job, WIDE) != 0;
  if (phase == PHASE_SPLIT) {
    if (wide) splitChunk<u64>(job, chunk);
    else splitChunk<u32>(job, chunk);
    return;
  }
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  if (phase == PHASE_START) {
    if (wide) clear<u64>(job, projection, from, to);
    else clear<u32>(job, projection, from, to);
    sampleWeights(job, projection, chunk, from, to);
  } else if (phase == PHASE_REBUILD) {
    if (wide) rebuild<u64>(job, from, to);
    else rebuild<u32>(job, from, to);
  } else if (phase == PHASE_WIDEN) widen(job, from, to);
  else if (phase == PHASE_END) endChunk(job, projection, chunk, from, to);
  else unreachable();
}

/** Nothing is nearer than a leaf seems to be until the end, so nothing is ever found for it. */
function clear<B>(job: usize, projection: usize, from: u32, to: u32): void {
  const distances = distancesOf<B>(job);
  const leaves = min<u32>(max<u32>(from, leavesOf(projection)), to);
  for (let v = from; v < leaves; v++) store<B>(placeOf<B>(distances, v), unreached<B>());
  memory.fill(placeOf<B>(distances, leaves), 0, (<usize>(to - leaves)) << alignof<B>());
}

function rebuild<B>(job: usize, from: u32, to: u32): void {
  const distances = distancesOf<B>(job);
  for (let v = from; v < to; v++) {
    const bits = load<B>(placeOf<B>(distances, v));
    if (waits<B>(bits)) push(job, bucketOf(valueOf<B>(bits)), v);
  }
}

function widen(job: usize, from: u32, to: u32): void {
  const narrow = address(job, NARROW);
  const distances = address(job, DISTANCES);
  for (let v = from; v < to; v++) {
    const bits = word(narrow, v);
    const distance = reach<u32>(bits) == UNREACHED ? Infinity : valueOf<u32>(bits);
    setNumber(distances, v, waits<u32>(bits) ? -distance : distance);
  }
}

/** Who was not reached has no score. */
function endChunk(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const wide = get(job, WIDE) != 0;
  const distances = address(job, DISTANCES);
  const leaves = min<u32>(max<u32>(from, leavesOf(projection)), to);
  if (!wide) widen(job, from, leaves);
  let reached: u32 = 0;
  for (let v = from; v < leaves; v++) {
    if (number(distances, v) == Infinity) setNumber(distances, v, NaN);
    else reached++;
  }
  for (let v = leaves; v < to; v++) {
    const distance = wide ? leafDistance<u64>(job, projection, v) : leafDistance<u32>(job, projection, v);
    setNumber(distances, v, distance);
    if (!isNaN<f64>(distance)) reached++;
  }
  store<f64>(partial(job, chunk), <f64>reached);
}

/** Whoever its only arc leads to is nearer by this arc, and is no leaf unless it is the source. NaN: out of reach. */
function leafDistance<B>(job: usize, projection: usize, v: u32): f64 {
  const source = get(job, JOB_SOURCE);
  if (v == source) return 0;
  const offsets = address(projection, P_OFFSETS);
  const arc = word(offsets, v);
  if (arc == word(offsets, v + 1)) return NaN;
  const u = word(address(projection, P_TARGETS), arc);
  if (u >= leavesOf(projection) && u != source) return NaN;
  const bits = reach<B>(load<B>(placeOf<B>(distancesOf<B>(job), u)));
  // Of a chunk that has ended, those out of reach are NaN, whose bits are more than infinity's.
  return bits < unreached<B>() ? valueOf<B>(bits) + weightAt(projection, arc) : NaN;
}

/** From this position on all are leaves. */
function leavesOf(projection: usize): u32 {
  return isSymmetric(get(projection, P_VIEW)) ? leavesFrom(projection) : NONE;
}

/** Leaves behind the sum of the first weights of a chunk and how many they are: the step needs no better mean. */
function sampleWeights(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const first = word(offsets, from);
  const end = min<u32>(word(offsets, to), first + SAMPLE);
  let sum: f64 = 0;
  for (let arc = first; arc < end; arc++) sum += weightAt(projection, arc);
  store<f64>(partial(job, chunk), sum);
  setNumber(partial(job, chunk), COUNTED, <f64>(end - first));
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
function distancesOf<B>(job: usize): usize {
  return address(job, sizeof<B>() == 8 ? DISTANCES : NARROW);
}

// --- Buckets, by member ------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function push(job: usize, bucket: u32, v: u32): void {
  const chain = table + ((<usize>bucket) << 2);
  let at = <usize>load<u32>(chain);
  if ((at & (BLOCK_BYTES - 1)) == 0) {
    at = takeBlock(job, at);
    if (at == 0) return;
  }
  store<u32>(at, v);
  store<u32>(chain, <u32>(at + 4));
}

/** Where an empty block before a chain that ends at `at` begins; 0 when there is none, which the next phase sees to. */
function takeBlock(job: usize, at: usize): usize {
  let block = <usize>load<u32>(table, SPARE);
  if (block != 0) {
    store<u32>(table, load<u32>(block), SPARE);
  } else {
    block = freeBlock(job);
    if (block == 0) {
      atomic.store<u32>(job, 1, LOST);
      return 0;
    }
  }
  store<u32>(block, <u32>blockAt(at));
  store<u32>(block, BLOCK_VERTICES, BLOCK_USED);
  return block + BLOCK_HEADER;
}

/**
 * A block that nobody has, and some more to use again; 0 = there is none. Members meet here, so seldom is better. The top is exchanged for
 * what was seen of it: were it lowered first and raised again where there was too little, two members could find the same block there.
 */
function freeBlock(job: usize): usize {
  const free = address(job, FREE);
  while (true) {
    let top = atomic.load<u32>(job + FREE_TOP);
    if (top == 0) return 0;
    const count: u32 = top < TAKE_BLOCKS ? 1 : TAKE_BLOCKS;
    if (atomic.cmpxchg<u32>(job + FREE_TOP, top, top - count) != top) continue;
    for (let i: u32 = 1; i < count; i++) {
      const block = <usize>word(free, --top);
      store<u32>(block, load<u32>(table, SPARE));
      store<u32>(table, <u32>block, SPARE);
    }
    return <usize>word(free, --top);
  }
}

/** The block that what comes before `at` lies in; 0 of none. */
// @ts-ignore: decorator
@inline
function blockAt(at: usize): usize {
  return at == 0 ? 0 : (at - 1) & ~(BLOCK_BYTES - 1);
}

/** Takes a chain away from where it stands; answers its first block, 0 = it was empty. */
function takeChain(chain: usize): usize {
  const at = <usize>load<u32>(chain);
  if (at == 0) return 0;
  const block = blockAt(at);
  store<u32>(block, <u32>((at - block - BLOCK_HEADER) >> 2), BLOCK_USED);
  store<u32>(chain, 0);
  return block;
}

/** Puts full blocks behind what is in a chain by now. */
function giveBack(chain: usize, blocks: usize): void {
  let block = blockAt(<usize>load<u32>(chain));
  if (block == 0) {
    store<u32>(chain, <u32>(blocks + BLOCK_BYTES));
    return;
  }
  while (load<u32>(block) != 0) block = <usize>load<u32>(block);
  store<u32>(block, <u32>blocks);
}

/** Makes the blocks of a bucket the work of a phase; answers how many there are. No member is at work. */
function collect(job: usize, bucket: u32): u32 {
  const members = get(job, JOB_MEMBERS);
  const work = address(job, WORK);
  let count: u32 = 0;
  let chain = address(job, TABLES) + ((<usize>bucket) << 2);
  for (let i: u32 = 0; i < members; i++) {
    for (let block = takeChain(chain); block != 0; block = <usize>load<u32>(block)) setWord(work, count++, <u32>block);
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

/** Empties all buckets; who waits goes on waiting. */
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
  // What fell into the bucket again would be a phase of its own, though it is little most of the time; and who finds no chunk waits.
  const chain = table + ((<usize>get(job, CURRENT)) << 2);
  const alone = get(job, JOB_MEMBERS) == 1;
  let done: u32 = 0;
  while (done < GO_ON) {
    const at = <usize>load<u32>(chain);
    if (at == 0 || (!alone && load<u32>(blockAt(at)) != 0 && jobWaited(job))) return;
    let block = takeChain(chain);
    while (block != 0) {
      done += load<u32>(block, BLOCK_USED);
      relaxBlock(job, projection, block);
      const next = <usize>load<u32>(block);
      store<u32>(block, load<u32>(table, SPARE));
      store<u32>(table, <u32>block, SPARE);
      block = next;
      if (!alone && block != 0 && jobWaited(job)) {
        giveBack(chain, block);
        return;
      }
    }
  }
}

function relaxBlock(job: usize, projection: usize, block: usize): void {
  const wide = get(job, WIDE) != 0;
  if (get(projection, P_WEIGHTS) == 0) {
    if (wide) relax<u64, bool>(job, projection, block);
    else relax<u32, bool>(job, projection, block);
  } else if (get(projection, P_APART) != 0) {
    relax<u64, f64>(job, projection, block);
  } else {
    if (wide) relax<u64, u32>(job, projection, block);
    else relax<u32, u32>(job, projection, block);
  }
}

function relax<B, W>(job: usize, projection: usize, block: usize): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const weights = address(projection, P_WEIGHTS);
  const distances = distancesOf<B>(job);
  const alone = get(job, JOB_MEMBERS) == 1;
  let count = load<u32>(block, BLOCK_USED);
  const first = table + FOUND;
  const full = first + FOUND_BYTES;
  const each = alignof<B>() + 1;
  let found = first;
  const sparse = get(projection, P_ARCS) < SPARSE * get(projection, P_COUNT);
  if (sparse) count = touch<B, W>(block, count, offsets, targets, weights, distances);
  for (let i: u32 = 0; i < count; i++) {
    const v = word(block + BLOCK_HEADER, i);
    const place = placeOf<B>(distances, v);
    let distance = load<B>(place);
    if (!waits<B>(distance)) continue;
    // Whoever lowers it from here on puts the vertex into a bucket again.
    if (alone) {
      store<B>(place, reach<B>(distance));
    } else {
      distance = atomic.and<B>(place, ~waiting<B>());
      if (!waits<B>(distance)) continue;
    }
    distance = reach<B>(distance);
    let arc = word(offsets, v);
    const last = word(offsets, v + 1);
    while (arc < last) {
      if (found == full) found = settle<B>(job, distances, first, found, alone);
      const end = min<u32>(last, arc + <u32>((full - found) >> each));
      if (sparse) {
        for (; arc < end; arc++) {
          const w = targetOf<W>(targets, weights, arc);
          const sum = beyond<B, W>(distance, weights, arc);
          store<B>(found, sum);
          store<u32>(found, w, sizeof<B>());
          found += (<usize>(sum < reach<B>(load<B>(placeOf<B>(distances, w))))) << each;
        }
      } else {
        for (; arc < end; arc++) {
          const w = targetOf<W>(targets, weights, arc);
          const sum = beyond<B, W>(distance, weights, arc);
          if (sum >= reach<B>(load<B>(placeOf<B>(distances, w)))) continue;
          store<B>(found, sum);
          store<u32>(found, w, sizeof<B>());
          found += 2 * sizeof<B>();
        }
      }
    }
  }
  settle<B>(job, distances, first, found, alone);
}

/** What was read only to have been read. */
let touched: u64 = 0;

/**
 * Keeps of a block the vertices that wait, answers how many, and reads their lists, up to three lines of memory of each, for the caches:
 * here no read waits for another one's outcome. Of the entries of later buckets most are stale.
 * Measured (benchmarks/analytics, one and two threads, 4-core EPYC, 2417a97): time with first lines alone → three, package graph
 * 1 → 0.75 and 0.86; WordNet 1 → 0.75 and 0.92.
 */
function touch<B, W>(block: usize, count: u32, offsets: usize, targets: usize, weights: usize, distances: usize): u32 {
  const from = block + BLOCK_HEADER;
  let end = from;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(from, i);
    store<u32>(end, v);
    end += (<usize>waits<B>(load<B>(placeOf<B>(distances, v)))) << 2;
  }
  let all: u64 = 0;
  for (let at = from; at < end; at += 4) {
    const v = load<u32>(at);
    const arc = word(offsets, v);
    // Of a source without arcs what stands before the list.
    const last = word(offsets, v + 1) - 1;
    if (sizeof<W>() != 4) all += <u64>word(targets, arc) + <u64>word(targets, last);
    if (sizeof<W>() != 1) {
      all += load<u64>(weights + ((<usize>arc) << 3)) + load<u64>(weights + ((<usize>last) << 3));
      all += load<u64>(weights + ((<usize>((arc + last) >> 1)) << 3));
    }
  }
  touched = all;
  return <u32>((end - from) >> 2);
}

/** Lowers the distances that were found to be too large, unless they are lower by now; answers where the next ones found go. */
function settle<B>(job: usize, distances: usize, first: usize, end: usize, alone: bool): usize {
  for (let at = first; at < end; at += 2 * sizeof<B>()) {
    const sum = load<B>(at);
    const w = load<u32>(at, sizeof<B>());
    const place = placeOf<B>(distances, w);
    const wanted = sum | waiting<B>();
    let known = load<B>(place);
    while (sum < reach<B>(known)) {
      if (alone) {
        store<B>(place, wanted);
      } else {
        const seen = atomic.cmpxchg<B>(place, known, wanted);
        if (seen != known) {
          known = seen;
          continue;
        }
      }
      enter<B>(job, w, sum, known);
      break;
    }
  }
  return first;
}

/** Puts a vertex with a new distance into its bucket, unless it waits there with the one it had before. */
// @ts-ignore: decorator
@inline
function enter<B>(job: usize, w: u32, distance: B, before: B): void {
  const bucket = bucketOf(valueOf<B>(distance));
  if (!waits<B>(before) || bucketOf(valueOf<B>(before)) != bucket) push(job, bucket, w);
}

/** Takes a part of the far vertices into the window that has moved; the others stay far. Each stands there once. */
function splitChunk<B>(job: usize, chunk: u32): void {
  const distances = distancesOf<B>(job);
  const work = address(job, WORK);
  const size = chunkBlocks(job);
  const end = min<u32>((chunk + 1) * size, get(job, WORK_COUNT));
  let nearest: f64 = Infinity;
  let taken: u32 = 0;
  let left: u32 = 0;
  for (let i = chunk * size; i < end; i++) {
    const block = <usize>word(work, i);
    const count = load<u32>(block, BLOCK_USED);
    for (let k: u32 = 0; k < count; k++) {
      const v = word(block + BLOCK_HEADER, k);
      const bits = load<B>(placeOf<B>(distances, v));
      if (!waits<B>(bits)) continue;
      const distance = valueOf<B>(bits);
      const bucket = bucketOf(distance);
      push(job, bucket, v);
      if (bucket == FAR) {
        nearest = min<f64>(nearest, distance);
        left++;
      } else {
        taken++;
      }
    }
  }
  const at = partial(job, chunk);
  store<f64>(at, nearest);
  setNumber(at, COUNTED, <f64>taken);
  setNumber(at, LEFT, <f64>left);
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
  if (phase == PHASE_WIDEN) {
    set(job, WIDE, 1);
    set(job, JOB_PHASE, PHASE_RELAX);
    return workChunks(job);
  }
  if (phase == PHASE_SPLIT) endSplit(job);
  freeWork(job);
  return nextPhase(job, projection);
}

/** What there is to do, with nothing in work. */
function nextPhase(job: usize, projection: usize): u32 {
  if (get(job, LOST) != 0) {
    freeAll(job);
    set(job, JOB_PHASE, PHASE_REBUILD);
    return get(projection, P_CHUNK_COUNT);
  }
  for (let bucket = get(job, CURRENT); bucket < BUCKETS; bucket++) {
    if (collect(job, bucket) == 0) continue;
    set(job, CURRENT, bucket);
    if (isTooFar(job, projection, bucket)) {
      set(job, JOB_PHASE, PHASE_WIDEN);
      return get(projection, P_CHUNK_COUNT);
    }
    set(job, JOB_PHASE, PHASE_RELAX);
    return workChunks(job);
  }
  if (collect(job, FAR) != 0) {
    moveWindow(job, get(job, JOB_PHASE) == PHASE_SPLIT);
    set(job, JOB_PHASE, PHASE_SPLIT);
    return workChunks(job);
  }
  set(job, JOB_PHASE, PHASE_END);
  return get(projection, P_CHUNK_COUNT);
}

/** Whether an arc out of this bucket may lead beyond what a u32 distance can be, though none yet has. */
function isTooFar(job: usize, projection: usize, bucket: u32): bool {
  if (get(job, WIDE) != 0) return false;
  const heaviest: f64 = get(projection, P_WEIGHTS) == 0 ? 1 : <f64>get(projection, P_HEAVIEST);
  return load<f64>(job, BASE) + <f64>(bucket + 2) * load<f64>(job, STEP) + heaviest >= <f64>UNREACHED;
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
  const taken = sumPartials(job, chunks, COUNTED);
  // Looking at many far vertices for a few near ones costs more than relaxing some of them too early.
  const step = load<f64>(job, STEP);
  if (taken < sumPartials(job, chunks, LEFT) / GROW_PART && step < WIDEST) store<f64>(job, step * 2, NEXT_STEP);
  if (taken != 0) return;
  let nearest: f64 = Infinity;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) nearest = min<f64>(nearest, load<f64>(partial(job, chunk)));
  if (nearest != Infinity) store<f64>(job, nearest, BASE);
}

function first(job: usize, projection: usize): u32 {
  const arcs = get(projection, P_ARCS);
  const chunks = get(job, JOB_TOTAL);
  const mean = arcs == 0 ? 1 : sumPartials(job, chunks, 0) / sumPartials(job, chunks, COUNTED);
  const part = load<f64>(job, JOB_EPSILON);
  const shared = (STEP_PART * <f64>get(projection, P_COUNT)) / <f64>max<u32>(arcs, 1);
  const wanted = mean * (part > 0 ? part : max<f64>(LEAST_PART, min<f64>(MOST_PART, shared)));
  // A step of nothing but zeros would never get anywhere, and one at the end of numbers no further.
  const exact = wanted > NARROWEST && wanted < WIDEST ? wanted : 1;
  const width = get(job, WIDE) != 0 ? exact : max<f64>(1, exact);
  store<f64>(job, width, STEP);
  store<f64>(job, width, NEXT_STEP);
  store<f64>(job, 0, BASE);
  const source = get(job, JOB_SOURCE);
  if (source == NONE) {
    jobFinish(job);
    return 0;
  }
  freeAll(job);
  if (get(job, WIDE) != 0) store<u64>(placeOf<u64>(address(job, DISTANCES), source), waiting<u64>());
  else setWord(address(job, NARROW), source, waiting<u32>());
  set(job, CURRENT, 0);
  openTable(job, 0);
  push(job, 0, source);
  return nextPhase(job, projection);
}
