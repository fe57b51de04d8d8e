// TRIANGLECOUNT: triangles through each vertex of VIEW_SIMPLE (Latapy 2008, compact-forward). The order of positions, largest degrees
// first, directs every edge to its smaller end: the heads of v are the neighbours before it, a prefix of its ascending list, and they
// are few even for the largest hub. A triangle is found once, from its greatest position.
//
// The first positions are hubs, whose heads also stand as rows of bits. Most of all work is between hubs, and there 128 candidates go at
// once: the row of a head y and the bits of v's own heads, anded, in the blocks where v has bits. Which of them were hit is kept in
// counters that are sliced by bit: plane k holds bit k of the counts of all positions. Eight rows are added up by themselves before what
// they carry goes into the fourth plane, so that hardly a branch depends on what was hit.
// Measured (benchmarks/analytics, RMAT 18, COUNT, one thread, 4-core EPYC, 9f30fda): time of marks alone → a row at a time
// → this, 4 → 1 → 0.75.
//
// On a sparse graph most positions have four heads or fewer, and few triangles go through them. So START lists, chunk by chunk, the
// positions with two heads and those with more, and keeps a word of bits for each position, one bit set for each of its heads. COUNT
// then asks of a pair of heads (w, y) only that word of y: most often it says no, and what is left, the guesses, is put down without a
// branch and looked up by the batch.
// Measured (benchmarks/analytics, WordNet, one thread, 4-core EPYC, aaeb646): time with a branch for each pair → this, 1 → 0.6.
//
// Invariant: for each v, every pair (y, w) of heads with w < y and w a head of y is one triangle. Counts are whole numbers kept by each
// member for itself and added up at the end, so the order of work does not matter. The triangles of a vertex are at most the edges of the
// graph, so 32 bits hold them.
//
// CLUSTERINGCOEFFICIENT (Watts, Strogatz 1998) is one phase more: of the pairs of neighbours of a vertex, the part that are neighbours.
//
// Several members clear their counts by blocks, when one is first needed, and add up only those: a sparse graph has few triangles, and
// clearing and adding everything was much of the run on two threads.
// Measured (benchmarks/analytics, WordNet, two threads, 4-core EPYC, d66d699): time of clearing all → blocks, 1 → 0.83.
//
// Cost: O(sum over edges of the heads of their smaller end), at worst O(arcs^1.5), the part between hubs a hundredth of that; 12 bytes a
// vertex and 5 for each member, and 8 MiB of rows where there are as many hubs.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, JOB_TOTAL,
  JOB_WORDS, jobFinish, partial, RESULT_F64, RESULT_U32, room, set, setNumber, setWord, sumPartials, word,
} from './job';
import { leavesFrom, P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS } from './projection';

const COUNTS: usize = JOB_WORDS; //    the members' counts, one array behind the other
const MARKS: usize = JOB_WORDS + 4; // the members' marks, a byte a position
const ENDS: usize = JOB_WORDS + 8; // by position: u32 index of targets where its heads end
const HUBS: usize = JOB_WORDS + 12; // positions that have a row
const ROWS: usize = JOB_WORDS + 16;
const PLANES: usize = JOB_WORDS + 20; // the members' bits of the vertex at hand and planes, PLANE_COUNT + 1 rows
const TOUCHED: usize = JOB_WORDS + 24; // by member: a byte for each BLOCK of its counts, 0 while they are not even cleared
const SIGNS: usize = JOB_WORDS + 28; // by position: u32 of a bit for each of its heads, or all of them
const LISTS: usize = JOB_WORDS + 32; // by chunk, as many as its positions: those of two heads from the front, those of more from the end
const GUESSES: usize = JOB_WORDS + 36; // the members' guesses
const RATIOS: usize = JOB_WORDS + 40; // CLUSTERINGCOEFFICIENT: f64 by position

/**
 * At most so many hubs: rows of 1 KiB, 8 MiB in all; at least so many (few in a debug build, so that small graphs have others, too); and
 * between them one for so many arcs.
 */
const MOST_HUBS: u32 = 8192;
const LEAST_HUBS: u32 = CORE_DEBUG != 0 ? 8 : 128;
const ARCS_A_HUB: u32 = 512;
/** A count of hits is at most the number of hubs. */
const PLANE_COUNT: u32 = 14;
/** A list up to here is looked at from one end to the other, which is done sooner than it is halved. */
const SHORT_LIST: u32 = 12;
/** Counts that are cleared together, when one of them is first needed. */
const BLOCK: u32 = 64;
const BLOCK_BYTES: usize = 256;
/** Up to so many heads every pair is looked up by itself. */
const FEW_HEADS: usize = 8 << 2;
/** Heads of a list where next to none is expected to be marked. */
const LONG_LIST: usize = 32 << 2;
/** Positions that are looked at before what was guessed of them is looked up; each has three guesses at most, of 8 bytes. */
const BATCH: usize = 256;
/** The guesses, and behind them the list of the blocks of a row: a word for each 128 hubs. */
const GUESS_BYTES: usize = BATCH * 24 + 320;
/** Of a guess: the position comes first. */
const GUESS_ARC: usize = 4;
/** What START leaves of a chunk beside its number of triangles. */
const PAIRS: usize = 8; // u32 positions with two heads
const OTHERS: usize = 12; // u32 positions with more

const PHASE_START: u32 = 0;
const PHASE_COUNT: u32 = 1;
const PHASE_SUM: u32 = 2;
const PHASE_RATIO: u32 = 3;

export function trianglesBytes(vertices: u32, arcs: u32, members: u32): u64 {
  const hubs = hubsOf(vertices, arcs);
  const rows = <u64>hubs * <u64>rowBytes(hubs) + 64;
  const own = <u64>blocksOf(vertices) * <u64>BLOCK_BYTES + room(vertices, 1) + room(blocksOf(vertices), 1);
  const planes = <u64>(PLANE_COUNT + 1) * <u64>rowBytes(hubs);
  return 3 * room(vertices, 4) + rows + <u64>members * (own + planes + <u64>GUESS_BYTES);
}

export function clusteringBytes(vertices: u32, arcs: u32, members: u32): u64 {
  return room(vertices, 8) + trianglesBytes(vertices, arcs, members);
}

/** Blocks of counts; also, of the positions before a multiple of BLOCK or any other, those that begin before it. */
// @ts-ignore: decorator
@inline
function blocksOf(positions: u32): u32 {
  return (positions >> 6) + u32((positions & (BLOCK - 1)) != 0);
}

function hubsOf(vertices: u32, arcs: u32): u32 {
  return min<u32>(vertices, min<u32>(MOST_HUBS, max<u32>(LEAST_HUBS, arcs / ARCS_A_HUB)));
}

/** Bytes of a row: a bit a hub, whole v128. */
function rowBytes(hubs: u32): usize {
  return <usize>(((hubs + 127) >> 7) << 4);
}

export function trianglesBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const members = get(job, JOB_MEMBERS);
  const hubs = hubsOf(count, get(projection, P_ARCS));
  set(job, HUBS, hubs);
  set(job, COUNTS, <u32>at);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_U32);
  set(job, JOB_CONVERGED, 1);
  at += <usize>members * <usize>blocksOf(count) * BLOCK_BYTES;
  set(job, MARKS, <u32>at);
  at += <usize>members * <usize>room(count, 1);
  set(job, TOUCHED, <u32>at);
  at += <usize>members * <usize>room(blocksOf(count), 1);
  set(job, ENDS, <u32>at);
  at += <usize>room(count, 4);
  set(job, SIGNS, <u32>at);
  at += <usize>room(count, 4);
  set(job, LISTS, <u32>at);
  at += <usize>room(count, 4);
  set(job, GUESSES, <u32>at);
  at += <usize>members * GUESS_BYTES;
  set(job, PLANES, <u32>at);
  at += <usize>members * <usize>(PLANE_COUNT + 1) * rowBytes(hubs);
  set(job, ROWS, <u32>at);
  return get(projection, P_CHUNK_COUNT);
}

export function clusteringBegin(job: usize, at: usize): u32 {
  set(job, RATIOS, <u32>at);
  return trianglesBegin(job, at + <usize>room(get(address(job, JOB_PROJECTION), P_COUNT), 8));
}

export function trianglesChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const count = get(projection, P_COUNT);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) {
    clear(job, projection, count, from, to);
    findHeads(job, projection, chunk, from, min<u32>(to, leavesFrom(projection)));
  } else if (phase == PHASE_COUNT) {
    const found = countChunk(job, projection, chunk, member, from, min<u32>(to, leavesFrom(projection)));
    store<f64>(partial(job, chunk), <f64>found);
  } else if (phase == PHASE_SUM) {
    sum(job, count, from, to);
  } else if (phase == PHASE_RATIO) {
    store<f64>(partial(job, chunk), ratio(job, projection, from, to));
  } else {
    unreachable();
  }
}

/** Of the counts those of hubs are cleared at once, and all of a member that works alone: of several each needs few. */
function clear(job: usize, projection: usize, count: u32, from: u32, to: u32): void {
  const members = get(job, JOB_MEMBERS);
  const first = <usize>blocksOf(from);
  const blocks = <usize>blocksOf(to) - first;
  const certain = members == 1 ? blocks : min<usize>(blocks, max<usize>(first, <usize>blocksOf(get(job, HUBS))) - first);
  const leaves = leavesFrom(projection);
  for (let i: usize = 0; i < <usize>members; i++) {
    const flags = address(job, TOUCHED) + i * <usize>room(blocksOf(count), 1) + first;
    memory.fill(flags, 0, blocks);
    memory.fill(flags, 1, certain);
    memory.fill(address(job, COUNTS) + (i * <usize>blocksOf(count) + first) * BLOCK_BYTES, 0, certain * BLOCK_BYTES);
    if (from < leaves) memory.fill(address(job, MARKS) + i * <usize>room(count, 1) + <usize>from, 0, <usize>(min<u32>(to, leaves) - from));
  }
  const row = rowBytes(get(job, HUBS));
  if (from == 0) memory.fill(address(job, PLANES), 0, <usize>members * <usize>(PLANE_COUNT + 1) * row);
  const hubs = min<u32>(to, get(job, HUBS));
  if (from < hubs) memory.fill(address(job, ROWS) + <usize>from * row, 0, <usize>(hubs - from) * row);
}

/**
 * Where the neighbours before each position end, one by one in short lists, by bisection in long ones; which positions have two of them,
 * and which more; and the rows of hubs.
 */
function findHeads(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const ends = address(job, ENDS);
  const signs = address(job, SIGNS);
  let pairs = address(job, LISTS) + ((<usize>from) << 2);
  let others = address(job, LISTS) + ((<usize>to) << 2) - 4;
  const firstPair = pairs;
  const firstOther = others;
  for (let v = from; v < to; v++) {
    const begin = word(offsets, v);
    let low = begin;
    let high = word(offsets, v + 1);
    let sign: u32 = 0;
    if (high - low <= SHORT_LIST) {
      for (let arc = begin; arc < high; arc++) {
        const w = word(targets, arc);
        const before = u32(w < v);
        low += before;
        sign |= before << (w & 31);
      }
    } else {
      while (low < high) {
        const middle = low + ((high - low) >> 1);
        if (word(targets, middle) < v) low = middle + 1;
        else high = middle;
      }
      if (low - begin > SHORT_LIST) sign = <u32>-1;
      else for (let arc = begin; arc < low; arc++) sign |= 1 << (word(targets, arc) & 31);
    }
    setWord(ends, v, low);
    setWord(signs, v, sign);
    store<u32>(pairs, v);
    pairs += <usize>u32(low - begin == 2) << 2;
    store<u32>(others, v);
    others -= <usize>u32(low - begin > 2) << 2;
  }
  store<u32>(partial(job, chunk), <u32>((pairs - firstPair) >> 2), PAIRS);
  store<u32>(partial(job, chunk), <u32>((firstOther - others) >> 2), OTHERS);
  const bytes = rowBytes(get(job, HUBS));
  for (let v = from; v < min<u32>(to, get(job, HUBS)); v++) {
    const row = address(job, ROWS) + <usize>v * bytes;
    for (let arc = word(offsets, v); arc < word(ends, v); arc++) setBit(row, word(targets, arc));
  }
}

// @ts-ignore: decorator
@inline
function setBit(row: usize, position: u32): void {
  const at = row + <usize>(position >> 3);
  store<u8>(at, <u8>(<u32>load<u8>(at) | (1 << (position & 7))));
}

function countChunk(job: usize, projection: usize, chunk: u32, member: u32, from: u32, to: u32): u64 {
  const count = get(projection, P_COUNT);
  targets = address(projection, P_TARGETS);
  offsets = address(projection, P_OFFSETS);
  ends = address(job, ENDS);
  hubs = get(job, HUBS);
  rows = address(job, ROWS);
  bytes = rowBytes(hubs);
  counts = address(job, COUNTS) + <usize>member * <usize>blocksOf(count) * BLOCK_BYTES;
  touched = address(job, TOUCHED) + <usize>member * <usize>room(blocksOf(count), 1);
  const guesses = address(job, GUESSES) + <usize>member * GUESS_BYTES;
  const marks = address(job, MARKS) + <usize>member * <usize>room(count, 1);
  const bits = address(job, PLANES) + <usize>member * <usize>(PLANE_COUNT + 1) * rowBytes(hubs);
  const signs = address(job, SIGNS);
  const pairs = address(job, LISTS) + ((<usize>from) << 2);
  const pairsEnd = pairs + ((<usize>load<u32>(partial(job, chunk), PAIRS)) << 2);
  const othersEnd = address(job, LISTS) + ((<usize>to) << 2);
  const others = othersEnd - ((<usize>load<u32>(partial(job, chunk), OTHERS)) << 2);
  let total: u64 = 0;
  for (let at = pairs; at < pairsEnd; at += BATCH << 2) {
    total += lookUp(guesses, guessPairs(guesses, signs, at, min<usize>(pairsEnd, at + (BATCH << 2))));
  }
  for (let at = others; at < othersEnd; at += BATCH << 2) {
    const last = min<usize>(othersEnd, at + (BATCH << 2));
    let guess = guesses;
    for (let other = at; other < last; other += 4) {
      const v = load<u32>(other);
      const begin = targets + ((<usize>word(offsets, v)) << 2);
      const end = targets + ((<usize>word(ends, v)) << 2);
      if (end - begin <= 16) guess = guessFew(guess, signs, v, begin, end);
      else total += countMany(guess, marks, bits, v, begin, end);
    }
    total += lookUp(guesses, guess);
  }
  return total;
}

/** Of the positions in [at, end), each with two heads: the bits of the second one's heads say whether the first may be one of them. */
function guessPairs(guess: usize, signs: usize, at: usize, end: usize): usize {
  const from = targets;
  const begins = offsets;
  for (; at < end; at += 4) {
    const v = load<u32>(at);
    const begin = word(begins, v);
    const both = load<u64>(from + ((<usize>begin) << 2));
    store<u64>(guess, <u64>v | (<u64>(begin + 1) << 32));
    guess += <usize>((word(signs, <u32>(both >> 32)) >> (<u32>both & 31)) & 1) << 3;
  }
  return guess;
}

/** The same of one position with three heads or four. */
// @ts-ignore: decorator
@inline
function guessFew(guess: usize, signs: usize, v: u32, begin: usize, end: usize): usize {
  let sign: u32 = 1 << (load<u32>(begin) & 31);
  let arc = <u32>((begin - targets) >> 2) + 1;
  for (let at = begin + 4; at < end; at += 4) {
    const y = load<u32>(at);
    store<u64>(guess, <u64>v | (<u64>arc << 32));
    guess += <usize>u32((word(signs, y) & sign) != 0) << 3;
    sign |= 1 << (y & 31);
    arc++;
  }
  return guess;
}

/** The triangles of a position with one of its heads, for each guess; counts them. */
function lookUp(guess: usize, end: usize): u64 {
  let total: u64 = 0;
  for (; guess < end; guess += 8) {
    const v = load<u32>(guess);
    const arc = load<u32>(guess, GUESS_ARC);
    const y = word(targets, arc);
    let found: u32 = 0;
    for (let other = word(offsets, v); other < arc; other++) {
      const w = word(targets, other);
      if (!(y < hubs ? isBit(rows + <usize>y * bytes, w) : isHead(y, w))) continue;
      addFirst(w, 1);
      found++;
    }
    if (found == 0) continue;
    addFirst(y, found);
    addFirst(v, found);
    total += found;
  }
  return total;
}

// @ts-ignore: decorator
@inline
function isBit(row: usize, position: u32): bool {
  return ((<u32>load<u8>(row + <usize>(position >> 3)) >> (position & 7)) & 1) != 0;
}

/** Whether w is a head of y: four of them at once; behind the last target there is room to read. */
function isHead(y: u32, w: u32): bool {
  const all = i32x4.splat(<i32>w);
  const end = targets + ((<usize>word(ends, y)) << 2);
  let at = targets + ((<usize>word(offsets, y)) << 2);
  while (at + 16 < end) {
    if (v128.any_true(i32x4.eq(v128.load(at), all))) return true;
    at += 16;
  }
  const hits = <u32>i32x4.bitmask(i32x4.eq(v128.load(at), all));
  return (hits & ((1 << <u32>((end - at) >> 2)) - 1)) != 0;
}

/** The triangles of a position with five heads or more. */
function countMany(blocks: usize, marks: usize, bits: usize, v: u32, begin: usize, end: usize): u64 {
  let hubEnd = end;
  while (hubEnd > begin && load<u32>(hubEnd - 4) >= hubs) hubEnd -= 4;
  let mine: u64 = 0;
  if (hubEnd - begin <= FEW_HEADS) mine = countPairs(counts, rows, bytes, begin, hubEnd);
  else mine = countRows(bits, blocks, begin, hubEnd);
  if (hubEnd < end) mine += countMarked(counts, marks, begin, hubEnd, end);
  if (mine != 0) addFirst(v, <u32>mine);
  return mine;
}

/** Few heads, all hubs: looks up each pair of them. */
function countPairs(counts: usize, rows: usize, bytes: usize, begin: usize, end: usize): u64 {
  let mine: u64 = 0;
  for (let arc = begin + 4; arc < end; arc += 4) {
    const y = load<u32>(arc);
    const row = rows + <usize>y * bytes;
    let found: u32 = 0;
    for (let other = begin; other < arc; other += 4) {
      const w = load<u32>(other);
      const hit = (<u32>load<u8>(row + <usize>(w >> 3)) >> (w & 7)) & 1;
      add(counts, w, hit);
      found += hit;
    }
    add(counts, y, found);
    mine += found;
  }
  return mine;
}

/**
 * Many heads, all hubs: rows against the bits of v, 128 at once, and only where v has bits, which `blocks` then lists. `bits` and the
 * planes behind it are all zeros before and after.
 */
function countRows(bits: usize, blocks: usize, begin: usize, end: usize): u64 {
  const stride = bytes;
  const ones = bits + stride;
  const blocksEnd = putBits(bits, blocks, begin, end);
  let blocksTo = blocks;
  let used: usize = ones;
  let mine: u64 = 0;
  for (let arc = begin + 4; arc < end; arc += 32) {
    const last = min<usize>(end, arc + 32);
    let sum: u32 = 0;
    for (let other = arc; other < last; other += 4) {
      const y = load<u32>(other);
      const block = (y >> 7) << 4;
      while (blocksTo < blocksEnd && load<u32>(blocksTo) <= block) blocksTo += 4;
      const found = hitsOf(rows + <usize>y * stride, bits, blocks, blocksTo);
      add(counts, y, found);
      sum += found;
    }
    if (sum == 0) continue;
    mine += sum;
    used = max<usize>(used, addRows(bits, blocks, blocksTo, arc, end));
  }
  for (let arc = begin; arc < end; arc += 4) {
    const w = load<u32>(arc);
    const byte = <usize>(w >> 3);
    let count: u32 = 0;
    let value: u32 = 0;
    for (let plane = ones; plane < used; plane += stride) {
      count |= ((<u32>load<u8>(plane + byte) >> (w & 7)) & 1) << value;
      value++;
    }
    add(counts, w, count);
  }
  for (let at = blocks; at < blocksEnd; at += 4) {
    const block = <usize>load<u32>(at);
    for (let plane = bits; plane < used; plane += stride) v128.store(plane + block, i64x2.splat(0));
  }
  return mine;
}

/** Sets the bits of the positions in [at, end), ascending, and lists the blocks that have any: the bytes before each, u32. */
function putBits(bits: usize, blocks: usize, at: usize, end: usize): usize {
  let latest: u32 = <u32>-1;
  for (; at < end; at += 4) {
    const position = load<u32>(at);
    setBit(bits, position);
    const block = (position >> 7) << 4;
    if (block == latest) continue;
    store<u32>(blocks, block);
    blocks += 4;
    latest = block;
  }
  return blocks;
}

/** Bits that two rows share in some blocks. */
// @ts-ignore: decorator
@inline
function hitsOf(row: usize, bits: usize, blocks: usize, blocksEnd: usize): u32 {
  let found: u64 = 0;
  for (; blocks < blocksEnd; blocks += 4) {
    const block = <usize>load<u32>(blocks);
    found += popcnt<u64>(load<u64>(row + block) & load<u64>(bits + block));
    found += popcnt<u64>(load<u64>(row + block, 8) & load<u64>(bits + block, 8));
  }
  return <u32>found;
}

/** The row of the position at `arc`; behind the last one that of position 0, which is empty. */
// @ts-ignore: decorator
@inline
function rowAt(arc: usize, end: usize): usize {
  return arc < end ? rows + <usize>load<u32>(arc) * bytes : rows;
}

// The carry-save adder of Harley and Seal, bit by bit over 128 columns: three bits of one weight become a sum of that weight and a carry of
// twice the weight.
// @ts-ignore: decorator
@inline
function sumOf(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c);
}

// @ts-ignore: decorator
@inline
function carryOf(a: v128, b: v128, c: v128): v128 {
  return v128.or(v128.and(a, b), v128.and(v128.xor(a, b), c));
}

/** Adds the hits of eight rows to the planes of the counters by carry-save adders; answers where the planes end that were needed. */
function addRows(bits: usize, blocks: usize, blocksEnd: usize, arc: usize, end: usize): usize {
  const stride = bytes;
  const row0 = rowAt(arc, end);
  const row1 = rowAt(arc + 4, end);
  const row2 = rowAt(arc + 8, end);
  const row3 = rowAt(arc + 12, end);
  const row4 = rowAt(arc + 16, end);
  const row5 = rowAt(arc + 20, end);
  const row6 = rowAt(arc + 24, end);
  const row7 = rowAt(arc + 28, end);
  let used: usize = bits + 4 * stride;
  for (; blocks < blocksEnd; blocks += 4) {
    const block = <usize>load<u32>(blocks);
    const mine = v128.load(bits + block);
    let plane = bits + block + stride;
    let one = v128.load(plane);
    let a = v128.and(v128.load(row0 + block), mine);
    let b = v128.and(v128.load(row1 + block), mine);
    const c0 = carryOf(one, a, b);
    one = sumOf(one, a, b);
    a = v128.and(v128.load(row2 + block), mine);
    b = v128.and(v128.load(row3 + block), mine);
    const c1 = carryOf(one, a, b);
    one = sumOf(one, a, b);
    a = v128.and(v128.load(row4 + block), mine);
    b = v128.and(v128.load(row5 + block), mine);
    const c2 = carryOf(one, a, b);
    one = sumOf(one, a, b);
    a = v128.and(v128.load(row6 + block), mine);
    b = v128.and(v128.load(row7 + block), mine);
    const c3 = carryOf(one, a, b);
    v128.store(plane, sumOf(one, a, b));
    plane += stride;
    let two = v128.load(plane);
    const d0 = carryOf(two, c0, c1);
    two = sumOf(two, c0, c1);
    const d1 = carryOf(two, c2, c3);
    v128.store(plane, sumOf(two, c2, c3));
    plane += stride;
    const four = v128.load(plane);
    v128.store(plane, sumOf(four, d0, d1));
    let carry = carryOf(four, d0, d1);
    plane += stride;
    while (v128.any_true(carry)) {
      const sum = v128.load(plane);
      v128.store(plane, v128.xor(sum, carry));
      carry = v128.and(sum, carry);
      plane += stride;
    }
    used = max<usize>(used, plane - block);
  }
  return used;
}

/** Heads from `hubEnd` on are no hubs: walks their heads and looks whether v has them, too. */
function countMarked(counts: usize, marks: usize, begin: usize, hubEnd: usize, end: usize): u64 {
  for (let arc = begin; arc < end; arc += 4) store<u8>(marks + <usize>load<u32>(arc), 1);
  for (let arc = hubEnd; arc < end; arc += 4) touch(load<u32>(arc));
  let mine: u64 = 0;
  for (let arc = hubEnd; arc < end; arc += 4) {
    const y = load<u32>(arc);
    let other = targets + ((<usize>word(offsets, y)) << 2);
    const otherEnd = targets + ((<usize>word(ends, y)) << 2);
    let found: u32 = 0;
    if (otherEnd - other >= LONG_LIST) {
      const last = otherEnd - 12;
      while (other < last) {
        const low = load<u64>(other);
        const high = load<u64>(other, 8);
        const hits = <u32>load<u8>(marks + <usize><u32>low) | <u32>load<u8>(marks + <usize><u32>(low >> 32)) |
          <u32>load<u8>(marks + <usize><u32>high) | <u32>load<u8>(marks + <usize><u32>(high >> 32));
        if (hits != 0) found += addMarked(counts, marks, other, other + 16);
        other += 16;
      }
    }
    found += addMarked(counts, marks, other, otherEnd);
    add(counts, y, found);
    mine += found;
  }
  for (let arc = begin; arc < end; arc += 4) store<u8>(marks + <usize>load<u32>(arc), 0);
  return mine;
}

/** Of the positions in [at, end), counts those that are marked. */
// @ts-ignore: decorator
@inline
function addMarked(counts: usize, marks: usize, at: usize, end: usize): u32 {
  let found: u32 = 0;
  for (; at < end; at += 4) {
    const w = load<u32>(at);
    const hit = <u32>load<u8>(marks + <usize>w);
    add(counts, w, hit);
    found += hit;
  }
  return found;
}

// Of the chunk at hand, and of the member that this instance is.
let targets: usize = 0;
let offsets: usize = 0;
let ends: usize = 0;
let hubs: u32 = 0;
let rows: usize = 0;
let bytes: usize = 0;
let counts: usize = 0;
let touched: usize = 0;

/** Clears the counts around a position unless they have been. */
// @ts-ignore: decorator
@inline
function touch(position: u32): void {
  const at = touched + <usize>(position >> 6);
  if (load<u8>(at) == 0) clearBlock(at);
}

function clearBlock(at: usize): void {
  store<u8>(at, 1);
  fillBlock(counts + (at - touched) * BLOCK_BYTES);
}

function fillBlock(at: usize): void {
  const end = at + BLOCK_BYTES;
  for (; at < end; at += 16) v128.store(at, i64x2.splat(0));
}

// @ts-ignore: decorator
@inline
function addFirst(position: u32, more: u32): void {
  touch(position);
  add(counts, position, more);
}

/** To a count that has been touched. */
// @ts-ignore: decorator
@inline
function add(counts: usize, position: u32, more: u32): void {
  const at = counts + ((<usize>position) << 2);
  store<u32>(at, load<u32>(at) + more);
}

/** Adds the counts of the other members to those of the first, which are the result, in the blocks that begin in [from, to). */
function sum(job: usize, count: u32, from: u32, to: u32): void {
  const members = <usize>get(job, JOB_MEMBERS);
  const counts = address(job, COUNTS);
  const bytes = <usize>blocksOf(count) * BLOCK_BYTES;
  const flags = address(job, TOUCHED);
  const flagBytes = <usize>room(blocksOf(count), 1);
  const last = <usize>blocksOf(to);
  for (let block = <usize>blocksOf(from); block < last; block++) {
    const at = counts + block * BLOCK_BYTES;
    let isThere = load<u8>(flags + block) != 0;
    for (let i: usize = 1; i < members; i++) {
      if (load<u8>(flags + i * flagBytes + block) == 0) continue;
      if (isThere) addBlock(at, at + i * bytes);
      else memory.copy(at, at + i * bytes, BLOCK_BYTES);
      isThere = true;
    }
    if (!isThere) fillBlock(at);
  }
}

function addBlock(at: usize, more: usize): void {
  const end = at + BLOCK_BYTES;
  for (; at < end; at += 16) {
    v128.store(at, i32x4.add(v128.load(at), v128.load(more)));
    more += 16;
  }
}

/** The chunks of the next phase of counting; 0 when everything is counted. */
function nextCounting(job: usize): u32 {
  const phase = get(job, JOB_PHASE);
  const chunks = get(job, JOB_TOTAL);
  if (phase == PHASE_COUNT) store<f64>(job, sumPartials(job, chunks, 0), JOB_SUM);
  // One member has nobody's counts to add to its own.
  if (phase == PHASE_SUM || (phase == PHASE_COUNT && get(job, JOB_MEMBERS) == 1)) return 0;
  set(job, JOB_PHASE, phase + 1);
  return chunks;
}

export function trianglesNext(job: usize): u32 {
  const chunks = nextCounting(job);
  if (chunks != 0) return chunks;
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}

/** After the last phase of TRIANGLECOUNT: each count becomes its part of the pairs of neighbours. Answers how many pairs there are. */
function ratio(job: usize, projection: usize, from: u32, to: u32): f64 {
  const offsets = address(projection, P_OFFSETS);
  const counts = address(job, COUNTS);
  const ratios = address(job, RATIOS);
  let all: f64 = 0;
  for (let v = from; v < to; v++) {
    const degree = <f64>(word(offsets, v + 1) - word(offsets, v));
    const pairs = degree * (degree - 1) * 0.5;
    const found = <f64>word(counts, v);
    setNumber(ratios, v, pairs == 0 ? 0 : found / pairs);
    all += pairs;
  }
  return all;
}

export function clusteringNext(job: usize): u32 {
  const chunks = get(job, JOB_TOTAL);
  if (get(job, JOB_PHASE) != PHASE_RATIO) {
    if (nextCounting(job) == 0) set(job, JOB_PHASE, PHASE_RATIO);
    return chunks;
  }
  // The coefficient of the whole: three times the triangles over the pairs.
  const pairs = sumPartials(job, chunks, 0);
  store<f64>(job, pairs == 0 ? 0 : (3 * load<f64>(job, JOB_SUM)) / pairs, JOB_SUM);
  set(job, JOB_RESULT, get(job, RATIOS));
  set(job, JOB_RESULT_TYPE, RESULT_F64);
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
