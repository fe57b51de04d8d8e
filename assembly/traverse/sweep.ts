// The edge sweep: every out-edge of every vertex in id order, followed to its target. It is the floor under all traversal: what
// it costs to reach a neighbour and look at it. Time O(vertices + edges); 9 KiB of scratch and 4 bytes a page of ids.
//
// Two loops take turns. The first walks vertices and copies the targets of their groups, sixteen without asking how many there
// are, into a block; the second looks at the kind of each target of the block. So the loop over edges neither ends nor branches
// where a group ends, and its loads do not wait for each other. With one loop a group it was 160 M edges/s (benchmarks/sweep, 1ab65ca).

import { adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupUsed, PAIR_BYTES, PAIR_NEIGHBOUR } from '../graph/adjacency';
import { candidateBits, RESULT_VERTICES } from '../graph/candidates';
import { COLUMN_A, COLUMN_KIND, KIND_VERTEX } from '../graph/elements';
import { graphState, PAGE_ID_MASK, PAGE_ID_SHIFT, PAGE_IDS, pageAddress, stateNextId } from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';

/** Targets looked at in one go; a quarter of a first-level cache. */
const BLOCK_TARGETS: u32 = 2048;
/** Pairs copied at once. */
const COPY_PAIRS: u32 = 16;
const BLOCK_BYTES: usize = 4 * (<usize>BLOCK_TARGETS + <usize>COPY_PAIRS);

let checksum: u32 = 0;
let edges: f64 = 0;
let block: usize = 0;
let blockEnd: usize = 0;
/** Address of the kind column of each page of ids. */
let kindColumns: usize = 0;
let knownIds: u32 = 0;
/** A bit an id below `bitIds`, a multiple of 64; 0 without any. */
let vertexBits: usize = 0;
let bitIds: u32 = 0;
/** Pairs from here on may be too near to the end of memory to copy COPY_PAIRS of them at once. */
let copyEnd: usize = 0;

/**
 * Notes which of the ids in [from, to) are vertices, a bit an id, for `sweepUse`: so that the look at a target is at an eighth of the
 * memory. `from` is a multiple of 64.
 * Measured (benchmarks/sweep, 1 M x 10, two threads, 4-core EPYC, a1a7a34): edges a second 1 → 1.3 to 1.5.
 */
export function sweepNote(graph: usize, bits: usize, from: u32, to: u32): void {
  const state = graphState(graph);
  const end = min<u32>(to, stateNextId(state));
  let id = from;
  while (id + 64 <= end) {
    let kinds = pageAddress(state, id) + COLUMN_KIND + <usize>(id & PAGE_ID_MASK);
    const pageEnd = min<u32>((id | PAGE_ID_MASK) + 1, end);
    for (; id + 64 <= pageEnd; id += 64) {
      store<u64>(bits + <usize>(id >> 3), verticesOf(kinds));
      kinds += 64;
    }
  }
  for (; id < to; id += 16) {
    let found: u32 = 0;
    if (id < end) {
      const place = id & PAGE_ID_MASK;
      found = candidateBits(pageAddress(state, id), place, place, place + min<u32>(16, end - id), RESULT_VERTICES, NONE);
    }
    store<u16>(bits + <usize>(id >> 3), <u16>found);
  }
}

/** Which of 64 kinds are that of a vertex. As a rule neighbouring elements are of one kind, and most of a graph is edges. */
// @ts-ignore: decorator
@inline
function verticesOf(kinds: usize): u64 {
  const vertex = i8x16.splat(<i8>KIND_VERTEX);
  const first = i8x16.eq(v128.load(kinds), vertex);
  const second = i8x16.eq(v128.load(kinds, 16), vertex);
  const third = i8x16.eq(v128.load(kinds, 32), vertex);
  const fourth = i8x16.eq(v128.load(kinds, 48), vertex);
  if (!v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)))) return 0;
  const low = <u64>(<u32>i8x16.bitmask(first) | (<u32>i8x16.bitmask(second) << 16));
  const high = <u64>(<u32>i8x16.bitmask(third) | (<u32>i8x16.bitmask(fourth) << 16));
  return low | (high << 32);
}

/** The bits of the first `ids` ids, which the next sweeps use; 0 for none. Targets among them are what they were when they were noted. */
export function sweepUse(bits: usize, ids: u32): void {
  vertexBits = bits;
  bitIds = bits != 0 ? ids & ~63 : 0;
}

/** Sum of the targets' ids of the last sweep, modulo 2^32. */
export function sweepChecksum(): u32 {
  return checksum;
}

/**
 * Follows the out-edges of the vertices in [fromId, toId) and answers how many there are; edges whose target is gone by the time
 * they are followed do not count. -1 when scratch is full.
 */
export function sweepOutEdges(graph: usize, fromId: u32, toId: u32): f64 {
  const state = graphState(graph);
  const nextId = stateNextId(state);
  const mark = scratchMark();
  checksum = 0;
  edges = 0;
  knownIds = nextId;
  copyEnd = <usize>((<u64>memory.size() << 16) - <u64>(PAIR_BYTES * <usize>COPY_PAIRS));
  block = scratchAllocate(BLOCK_BYTES);
  blockEnd = block + 4 * <usize>BLOCK_TARGETS;
  kindColumns = block ? scratchAllocate(4 * (<usize>(nextId >> PAGE_ID_SHIFT) + 1)) : 0;
  if (kindColumns) {
    for (let id: u32 = 0; id < nextId; id += PAGE_IDS) {
      store<u32>(kindColumns + 4 * <usize>(id >> PAGE_ID_SHIFT), <u32>(pageAddress(state, id) + COLUMN_KIND));
    }
    let out = block;
    const end = min<u32>(toId, nextId);
    while (fromId < end) {
      fromId = skipNoVertices(fromId, end);
      if (fromId >= end) break;
      out = sweepPage(pageAddress(state, fromId), fromId & PAGE_ID_MASK, min<u32>(end - (fromId & ~PAGE_ID_MASK), PAGE_IDS), out);
      fromId = (fromId | PAGE_ID_MASK) + 1;
    }
    followBlock(out);
  } else {
    edges = -1;
  }
  scratchRelease(mark);
  return edges;
}

/** The first id from `id` on that may be a vertex, `end` when none is. */
function skipNoVertices(id: u32, end: u32): u32 {
  const noted = min<u32>(end, bitIds);
  while (id < noted && load<u64>(vertexBits + 8 * <usize>(id >> 6)) == 0) id = (id | 63) + 1;
  return id;
}

/** Takes the vertices at places [place, placeEnd) of a page; `out` is where the next target goes, now and in the answer. */
function sweepPage(page: usize, place: u32, placeEnd: u32, out: usize): usize {
  const full = blockEnd;
  const safe = copyEnd;
  for (let sixteen = place & ~15; sixteen < placeEnd; sixteen += 16) {
    let bits = candidateBits(page, sixteen, place, placeEnd, RESULT_VERTICES, NONE);
    while (bits != 0) {
      const word = <usize>atomic.load<u32>(page + COLUMN_A + 4 * <usize>(sixteen + ctz(bits)));
      bits &= bits - 1;
      if (word == 0) continue;
      if (word & 1) {
        out = takeDirectory(<u32>word, out);
        continue;
      }
      const used = groupUsed(word);
      if (used <= COPY_PAIRS && out + 4 * <usize>used <= full && word + GROUP_HEADER <= safe) {
        copyTargets(word + GROUP_HEADER, out);
        out += 4 * <usize>used;
      } else {
        out = takeLongGroup(word + GROUP_HEADER, used, out);
      }
    }
  }
  return out;
}

function takeDirectory(word: u32, out: usize): usize {
  const groups = adjacencyGroups(word);
  for (let i: u32 = 0; i < groups; i++) {
    const group = adjacencyGroup(word, i);
    out = takeLongGroup(group + GROUP_HEADER, groupUsed(group), out);
  }
  return out;
}

/** Copies any number of pairs to the block, which is followed whenever it is full. */
function takeLongGroup(pair: usize, left: u32, out: usize): usize {
  while (left > 0) {
    const count = min<u32>(left, COPY_PAIRS);
    if (out + 4 * <usize>count > blockEnd) out = followBlock(out);
    if (pair <= copyEnd) {
      copyTargets(pair, out);
    } else {
      for (let i: u32 = 0; i < count; i++) {
        store<u32>(out + 4 * <usize>i, load<u32>(pair + PAIR_BYTES * <usize>i, PAIR_NEIGHBOUR));
      }
    }
    out += 4 * <usize>count;
    left -= count;
    pair += PAIR_BYTES * <usize>COPY_PAIRS;
  }
  return out;
}

/** Writes the neighbours of COPY_PAIRS pairs. */
// @ts-ignore: decorator
@inline
function copyTargets(pair: usize, out: usize): void {
  v128.store(out, v128.shuffle<u32>(v128.load(pair), v128.load(pair, 16), 1, 3, 5, 7));
  v128.store(out, v128.shuffle<u32>(v128.load(pair, 32), v128.load(pair, 48), 1, 3, 5, 7), 16);
  v128.store(out, v128.shuffle<u32>(v128.load(pair, 64), v128.load(pair, 80), 1, 3, 5, 7), 32);
  v128.store(out, v128.shuffle<u32>(v128.load(pair, 96), v128.load(pair, 112), 1, 3, 5, 7), 48);
}

/** Looks at each target of the block up to `end`; answers where the next block begins. */
function followBlock(end: usize): usize {
  let p = block;
  v128.store(end, i32x4.splat(-1));
  const limit = i32x4.splat(knownIds);
  let sums = i32x4.splat(0);
  let vertices: u32 = 0;
  const columns = kindColumns;
  const noted = bitIds != 0;
  while (p < end) {
    if (noted) p = followNoted(p, end);
    if (p >= end) break;
    const four = v128.load(p);
    // A removed pair's NONE is above every id, and so is a target that no committed transaction made.
    const known = i32x4.lt_u(four, limit);
    sums = i32x4.add(sums, v128.and(four, known));
    if (!noted && i32x4.all_true(known)) {
      vertices += kindOf(columns, load<u32>(p)) + kindOf(columns, load<u32>(p, 4));
      vertices += kindOf(columns, load<u32>(p, 8)) + kindOf(columns, load<u32>(p, 12));
    } else {
      for (let i: usize = 0; i < 16; i += 4) if (load<u32>(p + i) < knownIds) vertices += targetOf(load<u32>(p + i));
    }
    p += 16;
  }
  edges += <f64>vertices;
  checksum += sumOf(sums);
  return block;
}

/**
 * The same while eight at a time are all among the ids that have bits; answers the first that was not looked at.
 * Measured (benchmarks/sweep, 1 M x 10, two threads, 4-core EPYC, e76c441): time of four at a time → eight, 1 → 0.9.
 */
function followNoted(p: usize, end: usize): usize {
  const bits = vertexBits;
  const limit = i32x4.splat(bitIds);
  let sums = i32x4.splat(0);
  let some: u32 = 0;
  let others: u32 = 0;
  while (p + 32 <= end) {
    const four = v128.load(p);
    const more = v128.load(p, 16);
    if (!i32x4.all_true(v128.and(i32x4.lt_u(four, limit), i32x4.lt_u(more, limit)))) break;
    sums = i32x4.add(sums, i32x4.add(four, more));
    const first = load<u64>(p);
    const second = load<u64>(p, 8);
    const third = load<u64>(p, 16);
    const fourth = load<u64>(p, 24);
    some += bitOf(bits, <u32>first);
    others += bitOf(bits, <u32>(first >> 32));
    some += bitOf(bits, <u32>second);
    others += bitOf(bits, <u32>(second >> 32));
    some += bitOf(bits, <u32>third);
    others += bitOf(bits, <u32>(third >> 32));
    some += bitOf(bits, <u32>fourth);
    others += bitOf(bits, <u32>(fourth >> 32));
    p += 32;
  }
  edges += <f64>(some + others);
  checksum += sumOf(sums);
  return p;
}

// @ts-ignore: decorator
@inline
function sumOf(lanes: v128): u32 {
  const sum = i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1);
  return sum + i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
}

/** 1 when the element was a vertex when that was noted. */
// @ts-ignore: decorator
@inline
function bitOf(bits: usize, id: u32): u32 {
  return (load<u32>(bits + 4 * <usize>(id >> 5)) >> (id & 31)) & 1;
}

function targetOf(id: u32): u32 {
  return id < bitIds ? bitOf(vertexBits, id) : kindOf(kindColumns, id);
}

/** 1 when the element is a vertex, 0 when it is gone. */
// @ts-ignore: decorator
@inline
function kindOf(columns: usize, id: u32): u32 {
  const column = <usize>load<u32>(columns + 4 * <usize>(id >> PAGE_ID_SHIFT));
  return <u32>load<u8>(column + <usize>(id & PAGE_ID_MASK)) & KIND_VERTEX;
}
