// Building a projection, in chunks of ids. Time O(ids / 16 + arcs), twice over the adjacency: once to count, once to fill; the
// memory in between is exactly what was counted (projection.ts).
//
//   PHASE_MARK    which ids are vertices in scope
//   PHASE_COUNT   ranks, ids and degrees; then, in one go, the order, the offsets and the number of arcs
//   (memory)
//   PHASE_WEIGH   only with weights and room for them: weights by id; again where one does not fit into an entry, which is wider then
//   PHASE_FILL    targets, and edges in the place of their weights; VIEW_SIMPLE is sorted and rid of duplicates vertex by vertex
//   PHASE_LOOK    only with weights: those of the arcs in a row, whatever their vertices
//   PHASE_WIDEN   only when weights were to stand beside targets and one is not a whole number: those that do become f64
//   PHASE_CLOSE   only when something was missing in the second pass: closes the gaps
//
// The graph may change meanwhile. Ids at or above the next id of the beginning are not looked at, a vertex gets no more arcs than
// were counted for it, and what has gone by the second pass leaves a gap that is closed. Each chunk announces its reader for itself,
// so a long build holds back no memory; when the graph's state block has been exchanged meanwhile (erase, trim) the job fails as stale.
// A page lookup, a group or a row is only ever reached through the state the projection began with.

import { adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupFind, groupUsed } from '../graph/adjacency';
import { candidateBits, RESULT_VERTICES } from '../graph/candidates';
import { COLUMN_A, COLUMN_B } from '../graph/elements';
import { PAGE_ID_MASK, pageAddress, stateStands } from '../graph/state';
import { NONE } from '../memory/layout';
import { readerEnter, readerExit } from '../memory/retire';
import { address, ERROR_STALE, get, JOB_PHASE, JOB_TOTAL, jobFail, jobFinish, partial, set, setWord, word } from './job';
import {
  ARC_WEIGHT, BUILD_IDS, CHUNK_VERTEX_WEIGHT, CHUNK_VERTICES, chunkWeight, EXACT_DEGREES, FLAG_OPPOSITE, FLAG_ORDER_IDS, FLAG_PAIRED, FRONT,
  isParted, P_APART, P_ARCS, P_BY_ID, P_BY_ID_WANTED, P_BY_ID_WIDTH, P_CAPACITY, P_CHUNK_COUNT, P_CHUNKS, P_CLASSES, P_CLOSED,
  P_CLOSED_FROM, P_COUNT, P_FIRSTS, P_FLAGS, P_GRAPH, P_HEAVIEST, P_IDS, P_LABEL, P_NEXT_ID, P_OFFSETS, P_OPPOSITE, P_POSITIONS, P_RANKS,
  P_RANKS_ROOM, P_RUNS, P_SHRUNK, P_STATE, P_STATE_NUMBER, P_TABLE, P_TARGETS, P_TYPE, P_VIEW, P_WEIGHT_KEY, P_WEIGHTED, P_WEIGHTS,
  projectionReserve, TABLE_RANK, VIEW_BOTH, VIEW_IN, VIEW_OUT, VIEW_SIMPLE,
} from './projection';
import { SLICE_WORK, sliceAt, sliceDone, sliceNext } from './slices';
import { sortDistinct } from './sort';
import {
  BY_ID_NUMBERS, heaviestBegin, heaviestBeside, weighApart, weighBeside, weighIds, WEIGHT_GONE, weightBegin, weightCarried, weightError,
  weightStop,
} from './weights';

const PHASE_MARK: u32 = 0;
const PHASE_COUNT: u32 = 1;
const PHASE_FILL: u32 = 2;
const PHASE_CLOSE: u32 = 3;
const PHASE_WIDEN: u32 = 4;
const PHASE_WEIGH: u32 = 5;
const PHASE_LOOK: u32 = 6;

/** Arcs of a chunk of looks: what they take stays in the second cache. There are no more of these chunks than of ids. */
const LOOK_ARCS: u32 = CORE_DEBUG != 0 ? 8192 : 16_384;

// What a chunk of ids leaves behind.
const MARKED: usize = 0; // u32 vertices in scope
const FIRST_RANK: usize = 4; // u32
const COUNTED: usize = 8; // u64 arcs
const PAIRED: usize = 16; // u32 1: the weights of its arcs stand beside targets

const CLASSES: usize = 59;

// Of the chunk under way in this instance.
let job: usize = 0;
let state: usize = 0;
let table: usize = 0;
let nextId: u32 = 0;
let edgeType: u32 = 0;
let positions: usize = 0;
// Of the row that is filled from both ends: where the next arc into the front goes, and behind the place of the next other one.
let low: usize = 0;
let high: usize = 0;
/** The least target of the row so far. */
let least: u32 = 0;

/** [W] Memory for the arcs of a counted projection and the second half of its job; false when they do not fit. */
export function projectionFill(projection: usize): bool {
  return projectionReserve(projection, PHASE_WEIGH, PHASE_FILL);
}

/** Runs a chunk; announces the reader in `slot` (-1: the writer itself, which needs no announcing). */
export function buildChunk(projection: usize, chunk: u32, slot: i32): void {
  if (slot >= 0) readerEnter(slot);
  job = projection;
  state = address(projection, P_STATE);
  const phase = get(projection, JOB_PHASE);
  if (phase == PHASE_CLOSE) {
    closeGaps();
  } else if (!stateStands(address(projection, P_GRAPH), state, get(projection, P_STATE_NUMBER))) {
    jobFail(projection, ERROR_STALE, NONE);
  } else {
    table = address(projection, P_TABLE);
    nextId = get(projection, P_NEXT_ID);
    edgeType = get(projection, P_TYPE);
    const from = chunk * BUILD_IDS;
    const to = min<u32>(from + BUILD_IDS, nextId);
    if (phase == PHASE_MARK) markIds(chunk, from, to);
    else if (phase == PHASE_COUNT) countIds(chunk, from, to);
    else if (phase == PHASE_WEIGH) weighChunk(from, to);
    else if (phase == PHASE_FILL) fillIds(from, to);
    else if (phase == PHASE_LOOK) lookChunk(chunk);
    else if (phase == PHASE_WIDEN) widenChunk(chunk);
    else unreachable();
  }
  if (slot >= 0) readerExit(slot);
}

/** Names the next phase after the last chunk of one; answers its chunks, 0 when the job is over. */
export function buildNext(projection: usize): u32 {
  const phase = get(projection, JOB_PHASE);
  if (phase == PHASE_MARK) {
    numberChunks(projection);
    set(projection, JOB_PHASE, PHASE_COUNT);
    return get(projection, JOB_TOTAL);
  }
  if (phase == PHASE_WEIGH) {
    const width = get(projection, P_BY_ID_WANTED);
    if (width > get(projection, P_BY_ID_WIDTH)) {
      // Again; and where it takes f64, nothing of it can stand beside targets.
      set(projection, P_BY_ID_WIDTH, width);
      if (width == BY_ID_NUMBERS) set(projection, P_APART, 1);
      return get(projection, JOB_TOTAL);
    }
    set(projection, JOB_PHASE, PHASE_FILL);
    return get(projection, JOB_TOTAL);
  }
  if (phase == PHASE_COUNT) {
    sumArcs(projection);
    layOrder(projection);
  } else {
    if (phase == PHASE_FILL && get(projection, P_WEIGHTS) != 0 && get(projection, P_ARCS) != 0) {
      set(projection, JOB_PHASE, PHASE_LOOK);
      return (get(projection, P_ARCS) - 1) / LOOK_ARCS + 1;
    }
    if (phase == PHASE_LOOK && get(projection, P_APART) != 0 && (get(projection, P_FLAGS) & FLAG_PAIRED) != 0) {
      set(projection, JOB_PHASE, PHASE_WIDEN);
      return get(projection, JOB_TOTAL);
    }
    if (phase != PHASE_CLOSE && get(projection, P_SHRUNK) != 0) {
      set(projection, JOB_PHASE, PHASE_CLOSE);
      return 1;
    }
    if (phase == PHASE_CLOSE && !sliceNext(projection)) return 1;
    cutChunks(projection);
  }
  jobFinish(projection);
  return 0;
}

// --- Marking and counting ----------------------------------------------------------------------------------------------------

function markIds(chunk: u32, from: u32, to: u32): void {
  const label = get(job, P_LABEL);
  const page = from < to ? pageAddress(state, from) : 0;
  let marked: u32 = 0;
  let entry = table + ((<usize>(from >> 6)) << 4);
  for (let id = from; id < to; id += 64) {
    const place = id & PAGE_ID_MASK;
    const end = place + min<u32>(64, to - id);
    let bits: u64 = 0;
    for (let sixteen: u32 = 0; place + sixteen < end; sixteen += 16) {
      bits |= <u64>candidateBits(page, place + sixteen, place, end, RESULT_VERTICES, label) << sixteen;
    }
    store<u64>(entry, bits);
    store<u64>(entry, 0, TABLE_RANK);
    marked += <u32>popcnt(bits);
    entry += 16;
  }
  store<u32>(partial(job, chunk), marked, MARKED);
}

/** First rank of each chunk; a vertex more than there is room for (there is none) would not be numbered. */
function numberChunks(projection: usize): void {
  const chunks = get(projection, JOB_TOTAL);
  let rank: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const at = partial(projection, chunk);
    store<u32>(at, rank, FIRST_RANK);
    rank += load<u32>(at, MARKED);
  }
  if (rank > get(projection, P_CAPACITY)) jobFail(projection, ERROR_STALE, NONE);
  set(projection, P_COUNT, rank);
}

function countIds(chunk: u32, from: u32, to: u32): void {
  const at = partial(job, chunk);
  let rank = load<u32>(at, FIRST_RANK);
  const ids = address(job, P_IDS);
  const degrees = address(job, P_POSITIONS);
  const opposite = get(job, P_FLAGS) & FLAG_OPPOSITE ? address(job, P_OPPOSITE) : 0;
  const view = get(job, P_VIEW);
  const page = from < to ? pageAddress(state, from) : 0;
  let arcs: u64 = 0;
  let entry = table + ((<usize>(from >> 6)) << 4);
  for (let id = from; id < to; id += 64) {
    let bits = load<u64>(entry);
    store<u32>(entry, rank, TABLE_RANK);
    entry += 16;
    while (bits != 0) {
      const vertex = id + <u32>ctz(bits);
      bits &= bits - 1;
      const column = page + ((<usize>(vertex & PAGE_ID_MASK)) << 2);
      let degree: u32 = 0;
      if (view != VIEW_IN) degree += countAdjacency(atomic.load<u32>(column, COLUMN_A));
      if (view != VIEW_OUT) degree += countAdjacency(atomic.load<u32>(column, COLUMN_B));
      if (opposite != 0) {
        setWord(opposite, rank, countAdjacency(view == VIEW_IN ? atomic.load<u32>(column, COLUMN_A) : atomic.load<u32>(column, COLUMN_B)));
      }
      setWord(ids, rank, vertex);
      setWord(degrees, rank, degree);
      arcs += degree;
      rank++;
    }
  }
  store<u64>(at, arcs, COUNTED);
}

/** Arcs in scope of one adjacency word. */
function countAdjacency(adjacency: u32): u32 {
  if (adjacency == 0) return 0;
  if (edgeType != NONE) {
    const group = groupFind(adjacency, edgeType);
    return group == 0 ? 0 : countPairs(group);
  }
  let count: u32 = 0;
  const groups = adjacencyGroups(adjacency);
  for (let index: u32 = 0; index < groups; index++) count += countPairs(adjacencyGroup(adjacency, index));
  return count;
}

// @ts-ignore: decorator
@inline
function countPairs(group: usize): u32 {
  let pair = group + GROUP_HEADER;
  const end = pair + ((<usize>groupUsed(group)) << 3);
  const entries = table;
  const ids = nextId;
  let count: u32 = 0;
  for (; pair < end; pair += 8) {
    const both = load<u64>(pair);
    const neighbour = <u32>(both >> 32);
    if (neighbour < ids && <u32>both < ids) {
      count += <u32>(load<u64>(entries + ((<usize>(neighbour >> 6)) << 4)) >> (<u64>neighbour & 63)) & 1;
    }
  }
  return count;
}

// --- Order and offsets -------------------------------------------------------------------------------------------------------

function sumArcs(projection: usize): void {
  const chunks = get(projection, JOB_TOTAL);
  let arcs: u64 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) arcs += load<u64>(partial(projection, chunk), COUNTED);
  if (arcs > 0xfffffff0) jobFail(projection, ERROR_STALE, NONE);
  set(projection, P_ARCS, <u32>arcs);
}

/** Class of a degree: 0, 1, 2 … 31, 32 to 63, 64 to 127 and so on. */
// @ts-ignore: decorator
@inline
function classOf(degree: u32): usize {
  return P_CLASSES + ((<usize>(degree < EXACT_DEGREES ? degree : EXACT_DEGREES - 6 + (32 - clz(degree)))) << 2);
}

/** Writes the offsets in the order that is wanted, and the two maps unless it is that of the ids. O(vertices). */
function layOrder(projection: usize): void {
  const count = get(projection, P_COUNT);
  const degrees = address(projection, P_POSITIONS);
  const offsets = address(projection, P_OFFSETS);
  let offset: u32 = 0;
  if (get(projection, P_FLAGS) & FLAG_ORDER_IDS) {
    for (let rank: u32 = 0; rank < count; rank++) {
      setWord(offsets, rank, offset);
      offset += word(degrees, rank);
    }
    setWord(offsets, count, offset);
    set(projection, P_RANKS, 0);
    return;
  }
  for (let i: usize = 0; i < CLASSES; i++) set(projection, P_CLASSES + (i << 2), 0);
  for (let rank: u32 = 0; rank < count; rank++) {
    const at = classOf(word(degrees, rank));
    set(projection, at, get(projection, at) + 1);
  }
  let first: u32 = 0;
  for (let i: usize = CLASSES; i > 0; i--) {
    const at = P_CLASSES + ((i - 1) << 2);
    const members = get(projection, at);
    set(projection, at, first);
    first += members;
  }
  const ranks = address(projection, P_RANKS_ROOM);
  set(projection, P_RANKS, <u32>ranks);
  for (let rank: u32 = 0; rank < count; rank++) {
    const degree = word(degrees, rank);
    const at = classOf(degree);
    const position = get(projection, at);
    set(projection, at, position + 1);
    setWord(ranks, position, rank);
    setWord(offsets, position, degree);
    setWord(degrees, rank, position);
  }
  for (let position: u32 = 0; position < count; position++) {
    const degree = word(offsets, position);
    setWord(offsets, position, offset);
    offset += degree;
  }
  setWord(offsets, count, offset);
}

/** Cuts the positions into chunks of about equal work. What was counted for each vertex is what it has, unless gaps were closed. */
function cutChunks(projection: usize): void {
  const count = get(projection, P_COUNT);
  const offsets = address(projection, P_OFFSETS);
  const chunks = address(projection, P_CHUNKS);
  const limit = chunkWeight(count, get(projection, P_ARCS));
  set(projection, P_RUNS, u32(get(projection, P_RANKS) != 0 && get(projection, P_SHRUNK) == 0));
  let made: u32 = 0;
  let first: u32 = 0;
  let weight: u64 = 0;
  setWord(chunks, 0, 0);
  for (let position: u32 = 0; position < count; position++) {
    weight += CHUNK_VERTEX_WEIGHT + <u64>(word(offsets, position + 1) - word(offsets, position));
    if (weight >= limit || position + 1 - first == CHUNK_VERTICES) {
      setWord(chunks, ++made, position + 1);
      first = position + 1;
      weight = 0;
    }
  }
  if (first < count) setWord(chunks, ++made, count);
  set(projection, P_CHUNK_COUNT, made);
}

// --- Filling -----------------------------------------------------------------------------------------------------------------

function weighChunk(from: u32, to: u32): void {
  const width = get(job, P_BY_ID_WIDTH);
  // What the others write is written anew.
  if (atomic.load<u32>(job, P_BY_ID_WANTED) > width) return;
  weightBegin(state, get(job, P_WEIGHT_KEY), address(job, P_BY_ID), width, nextId);
  const wanted = weighIds(from, to);
  if (wanted > width) atomicMax(job + P_BY_ID_WANTED, wanted);
}

// @ts-ignore: decorator
@inline
function atomicMax(at: usize, value: u32): void {
  let known = atomic.load<u32>(at);
  while (value > known) {
    const seen = atomic.cmpxchg<u32>(at, known, value);
    if (seen == known) return;
    known = seen;
  }
}

/**
 * Weights in the place of edges, for arcs in a row. They lie anywhere in the array by id. So it does nothing between one look and the
 * next, and their misses overlap; and rows, which filling wrote all over the memory, are only read through here. Beside targets until a
 * chunk comes upon a weight that is not whole: that one and later ones write f64.
 * Measured (benchmarks/projections, 16 M edges in random order, one thread, in the order by degree): looks between the arcs of each vertex
 * or of a thousand in it 16 to 40 ns each, in a row 6 to 9.
 */
function lookChunk(chunk: u32): void {
  weightBegin(state, get(job, P_WEIGHT_KEY), address(job, P_BY_ID), get(job, P_BY_ID_WIDTH), nextId);
  const from = lookFrom(chunk);
  const to = lookTo(chunk);
  let at = from;
  let isBeside = atomic.load<u32>(job, P_APART) == 0;
  heaviestBegin();
  while (true) {
    at = isBeside ? weighBeside(at, to) : weighApart(at, to);
    if (at == to) break;
    if (weightStop == WEIGHT_GONE) {
      arcGone(at);
      at += 8;
    } else if (isBeside && weightStop >= 0) {
      atomic.store<u32>(job, 1, P_APART);
      isBeside = false;
      widen(from, at);
    } else {
      jobFail(job, weightError(), load<u32>(at, ARC_WEIGHT));
      break;
    }
  }
  if (isBeside) atomicMax(job + P_HEAVIEST, heaviestBeside);
  store<u32>(partial(job, chunk), u32(isBeside), PAIRED);
  atomic.add<u32>(job + P_WEIGHTED, weightCarried());
}

// @ts-ignore: decorator
@inline
function lookFrom(chunk: u32): usize {
  return address(job, P_WEIGHTS) + ((<usize>(chunk * LOOK_ARCS)) << 3);
}

// @ts-ignore: decorator
@inline
function lookTo(chunk: u32): usize {
  return address(job, P_WEIGHTS) + ((<usize>min<u32>(chunk * LOOK_ARCS + LOOK_ARCS, get(job, P_ARCS))) << 3);
}

/** The edge of the arc whose weight stands at `at` went behind filling. */
function arcGone(at: usize): void {
  setWord(address(job, P_TARGETS), <u32>((at - address(job, P_WEIGHTS)) >> 3), NONE);
  store<u64>(at, 0);
  atomic.store<u32>(job, 1, P_SHRUNK);
}

/** Turns what was written beside targets into f64. */
function widenChunk(chunk: u32): void {
  if (load<u32>(partial(job, chunk), PAIRED) != 0) widen(lookFrom(chunk), lookTo(chunk));
}

function widen(at: usize, end: usize): void {
  for (; at < end; at += 8) store<f64>(at, <f64>load<u32>(at, ARC_WEIGHT));
}

function fillIds(from: u32, to: u32): void {
  const offsets = address(job, P_OFFSETS);
  const targets = address(job, P_TARGETS);
  const weights = address(job, P_WEIGHTS);
  const firsts = address(job, P_FIRSTS);
  const view = get(job, P_VIEW);
  const page = from < to ? pageAddress(state, from) : 0;
  positions = get(job, P_RANKS) == 0 ? 0 : address(job, P_POSITIONS);
  const parted = isParted(job);
  let entry = table + ((<usize>(from >> 6)) << 4);
  for (let id = from; id < to; id += 64) {
    let bits = load<u64>(entry);
    let rank = load<u32>(entry, TABLE_RANK);
    entry += 16;
    while (bits != 0) {
      const vertex = id + <u32>ctz(bits);
      bits &= bits - 1;
      const position = positions == 0 ? rank : word(positions, rank);
      rank++;
      const column = page + ((<usize>(vertex & PAGE_ID_MASK)) << 2);
      const first = word(offsets, position);
      const end = word(offsets, position + 1);
      if (parted && end - first >= EXACT_DEGREES) {
        fillParts(column, view, targets + ((<usize>first) << 2), targets + ((<usize>end) << 2));
        continue;
      }
      let at = first;
      least = NONE;
      if (view != VIEW_IN) at = fillAdjacency(atomic.load<u32>(column, COLUMN_A), targets, weights, at, end);
      if (view != VIEW_OUT) at = fillAdjacency(atomic.load<u32>(column, COLUMN_B), targets, weights, at, end);
      if (firsts != 0) setWord(firsts, position, least);
      if (view == VIEW_SIMPLE) at = first + sortDistinct(targets + ((<usize>first) << 2), at - first, position);
      if (at < end) {
        atomic.store<u32>(job, 1, P_SHRUNK);
        for (; at < end; at++) {
          setWord(targets, at, NONE);
          if (weights != 0) store<u64>(weights + ((<usize>at) << 3), (<u64>nextId << 32) | <u64>NONE);
        }
      }
    }
  }
}

/** Writes the arcs of one vertex to [first, end): those into the front from the left, the others from the right. */
function fillParts(column: usize, view: u32, first: usize, end: usize): void {
  low = first;
  high = end;
  if (view != VIEW_IN) fillPartsOf(atomic.load<u32>(column, COLUMN_A));
  if (view != VIEW_OUT) fillPartsOf(atomic.load<u32>(column, COLUMN_B));
  if (low == high) return;
  atomic.store<u32>(job, 1, P_SHRUNK);
  for (; low < high; low += 4) store<u32>(low, NONE);
}

function fillPartsOf(adjacency: u32): void {
  if (adjacency == 0) return;
  if (edgeType != NONE) {
    const group = groupFind(adjacency, edgeType);
    if (group != 0) fillPairsApart(group);
    return;
  }
  const groups = adjacencyGroups(adjacency);
  for (let index: u32 = 0; index < groups; index++) fillPairsApart(adjacencyGroup(adjacency, index));
}

function fillPairsApart(group: usize): void {
  let pair = group + GROUP_HEADER;
  const pairEnd = pair + ((<usize>groupUsed(group)) << 3);
  const ids = nextId;
  const order = positions;
  let left = low;
  let right = high;
  for (; pair < pairEnd && left < right; pair += 8) {
    const both = load<u64>(pair);
    const neighbour = <u32>(both >> 32);
    if (neighbour >= ids || <u32>both >= ids) continue;
    const position = positionIn(neighbour, order);
    if (position == NONE) continue;
    const behind = (<usize>(position >= FRONT)) << 2;
    right -= behind;
    store<u32>(select<usize>(right, left, behind != 0), position);
    left += 4 - behind;
  }
  low = left;
  high = right;
}

/** Writes the arcs of an adjacency word to targets[at … end); answers where it stopped. */
function fillAdjacency(adjacency: u32, targets: usize, weights: usize, at: u32, end: u32): u32 {
  if (adjacency == 0) return at;
  if (edgeType != NONE) {
    const group = groupFind(adjacency, edgeType);
    if (group == 0) return at;
    return weights == 0 ? fillPairs(group, targets, at, end) : fillEdges(group, targets, weights, at, end);
  }
  const groups = adjacencyGroups(adjacency);
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(adjacency, index);
    at = weights == 0 ? fillPairs(group, targets, at, end) : fillEdges(group, targets, weights, at, end);
  }
  return at;
}

// @ts-ignore: decorator
@inline
function positionIn(neighbour: u32, order: usize): u32 {
  const entry = table + ((<usize>(neighbour >> 6)) << 4);
  const bits = load<u64>(entry);
  const bit = <u64>1 << (<u64>neighbour & 63);
  if ((bits & bit) == 0) return NONE;
  const rank = load<u32>(entry, TABLE_RANK) + <u32>popcnt(bits & (bit - 1));
  return order == 0 ? rank : word(order, rank);
}

function fillPairs(group: usize, targets: usize, at: u32, end: u32): u32 {
  let pair = group + GROUP_HEADER;
  const pairEnd = pair + ((<usize>groupUsed(group)) << 3);
  const ids = nextId;
  const order = positions;
  let out = targets + ((<usize>at) << 2);
  let known = least;
  const outEnd = targets + ((<usize>end) << 2);
  for (; pair < pairEnd && out < outEnd; pair += 8) {
    const both = load<u64>(pair);
    const neighbour = <u32>(both >> 32);
    if (neighbour >= ids || <u32>both >= ids) continue;
    const position = positionIn(neighbour, order);
    if (position == NONE) continue;
    store<u32>(out, position);
    known = min<u32>(known, position);
    out += 4;
  }
  least = known;
  return <u32>((out - targets) >> 2);
}

/** As `fillPairs`, with each edge in the place of its weight, behind a copy of the target. */
function fillEdges(group: usize, targets: usize, weights: usize, at: u32, end: u32): u32 {
  let pair = group + GROUP_HEADER;
  const pairEnd = pair + ((<usize>groupUsed(group)) << 3);
  const ids = nextId;
  const order = positions;
  for (; pair < pairEnd && at < end; pair += 8) {
    const both = load<u64>(pair);
    const neighbour = <u32>(both >> 32);
    if (neighbour >= ids || <u32>both >= ids) continue;
    const position = positionIn(neighbour, order);
    if (position == NONE) continue;
    setWord(targets, at, position);
    store<u64>(weights + ((<usize>at) << 3), (both << 32) | <u64>position);
    at++;
  }
  return at;
}

// --- Gaps --------------------------------------------------------------------------------------------------------------------

/** Moves the arcs together over the targets that are NONE and writes the offsets anew, in slices (slices.ts). O(vertices + arcs). */
function closeGaps(): void {
  const count = get(job, P_COUNT);
  const offsets = address(job, P_OFFSETS);
  const targets = address(job, P_TARGETS);
  const weights = address(job, P_WEIGHTS);
  let position = sliceAt(job);
  let at = position == 0 ? 0 : get(job, P_CLOSED);
  let from = position == 0 ? word(offsets, 0) : get(job, P_CLOSED_FROM);
  let work: u32 = 0;
  for (; position < count && work < SLICE_WORK; position++) {
    const to = word(offsets, position + 1);
    work += 1 + to - from;
    for (; from < to; from++) {
      const target = word(targets, from);
      if (target == NONE) continue;
      setWord(targets, at, target);
      if (weights != 0) store<u64>(weights + ((<usize>at) << 3), load<u64>(weights + ((<usize>from) << 3)));
      at++;
    }
    setWord(offsets, position + 1, at);
  }
  set(job, P_CLOSED, at);
  set(job, P_CLOSED_FROM, from);
  sliceDone(job, position, position == count);
  if (position == count) set(job, P_ARCS, at);
}

/** Whether a view holds each edge at both of its ends. */
export function isSymmetric(view: u32): bool {
  return view == VIEW_BOTH || view == VIEW_SIMPLE;
}
