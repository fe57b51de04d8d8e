// Hanging loaded edges into the groups of their vertices, in groups of exactly the right size and in the order of edge ids. Four
// passes over a graph whose columns load.ts has filled:
//
//   linkCheck    drops the edges without one of their vertices: the writer removed them while the checkpoint was written, and its tail
//                says so. Of ids without an element it clears what trim reads (COLUMN_C).
//   linkCount    counts each vertex's edges by direction and type
//   linkLayout   makes the groups with room for all their pairs, region by region as trim does
//   linkFill     writes the pairs, from the last edge to the first; linkClose ends it, and every group is full
//
// What a vertex's adjacency word is meanwhile:
//
//   counting   0: nothing | odd: the edges so far, all of one type: u1 1, u8 its slot in the table of types, u23 their number | even:
//              address of its first node { u32 type, u32 count, u32 next, u32 last }, one node for each group to be, in the order in
//              which their types appear. Of a longer chain what lies beyond CHAIN_NODES is found by a hash table of nodes'
//              addresses, keyed by word and type.
//   filling    0: nothing | even: address of the pair of the only group that was written last, at first of the one behind it | odd: the
//              directory's, as usual. Its groups count in GROUP_USED the pairs that are still to be written.
//
// So an edge costs what a look at the word costs, and a pair one cache miss more: words lie side by side, nodes and groups do not.
// The table of types has one type a slot, the first that came; a vertex whose type found its slot taken has nodes. Nodes are scratch:
// where that does not fit, linkClear takes the words back, and linkAdd alone does all of it as usual writes do, only slower.
//
// No two vertices have a word in common: where there are threads, two helpers check the edges of every other page, go over all edges and
// count and fill at their own half of the vertices (linkCountShare, linkFillShare), and lay out pages of their own, with scratch
// and blocks from heaps of their own, while the writer does nothing. What they make is what one thread makes, except for where the
// blocks lie. One direction each was tried: edges often stand in the order of their sources, so nearly all cache misses are the
// targets'.

import {
  adjacencyGroup, adjacencyGroups, GROUP_CAPACITY, GROUP_HEADER, GROUP_LIVE, GROUP_USED, groupFind, groupPair, PAIR_BYTES,
} from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE, KIND_VERTEX, kindAddress } from '../graph/elements';
import { pairAdd } from '../graph/groups';
import { blockTake, groupMake, regionPlan, regionShare, SIZES_BYTES, slotSize } from '../graph/layout';
import {
  directoryAdd, directoryBytes, directoryStart, GROUP_STANDALONE, groupBytes, REGION_SLOT_SHIFT, REGION_SLOTS,
} from '../graph/regions';
import { rowRelease, rowShape } from '../graph/rows';
import { shapeCount, shapeDiscard, shapeRetain } from '../graph/shapes';
import {
  graphState, PAGE_ID_MASK, pageAddress, pageIn, stateBumpVersion, stateDirectory, stateEdgeCount, stateHeap, stateNextId, stateSetCounts,
  stateVertexCount,
} from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { check } from '../memory/check';
import { NONE, ROOT } from '../memory/layout';
import { prefetched } from '../memory/prefetch';
import { retireAdvance } from '../memory/retire';
import { NO_MEMORY, OK } from '../status';
import { writerBegin, writerSetUnlinked } from '../transaction/writer';

const NODE_TYPE: usize = 0;
const NODE_COUNT: usize = 4;
const NODE_NEXT: usize = 8;
/** Of a chain's first node: the last one. Of any other: the word it belongs to. */
const NODE_LAST: usize = 12;
const NODE_BYTES: usize = 16;
const NODES_AT_ONCE: usize = 4096;
const CHAIN_NODES: u32 = 32;
const FIRST_SLOTS: u32 = 1024;
/** Edges looked at in one go. */
const AHEAD_EDGES: u32 = 512;

// What the writer and its helpers have in common: u32 edges without a vertex, u32 vertices, u32 edges, then the table of types.
const SHARED_DROPPED: usize = 0;
const SHARED_VERTICES: usize = 4;
const SHARED_EDGES: usize = 8;
const SHARED_TYPES: usize = 12;
const TYPE_SLOTS: u32 = 256;
const SHARED_BYTES: usize = SHARED_TYPES + ((<usize>TYPE_SLOTS) << 2);

// A counting word without nodes: its tag says the type, the rest is the number of edges.
const TAG_MASK: u32 = 0x1ff;
const TAG_ONE: u32 = TAG_MASK + 1;
const TAG_COUNT_SHIFT: u32 = 9;
/** Above this there is no room for one edge more. */
const TAG_FULL: u32 = 0xffffffff - TAG_ONE;

// One end of an edge that is counted: the address of the vertex's adjacency word comes first. Then the type's tag, or the type itself
// above a bit that is not set.
const PLACE_TYPE: usize = 4;
const PLACE_SHIFT: usize = 3;
const PLACE_BYTES: usize = 1 << PLACE_SHIFT;

// One end of an edge whose pair is written: the pair comes first.
const END_WORD: usize = 8;
/** Where there are directories: the group, 0 for the only one of a vertex. */
const END_GROUP: usize = 12;
const END_SHIFT: usize = 4;
const END_BYTES: usize = 1 << END_SHIFT;

let mark: usize = 0;
/** Where the layout takes its blocks from. */
let layoutHeap: u32 = 0;
let shared: usize = 0;
let nodes: usize = 0;
let nodesEnd: usize = 0;
/** Working memory of counting. */
let places: usize = 0;
let slots: usize = 0;
let slotCount: u32 = 0;
let slotsUsed: u32 = 0;
let vertices: u32 = 0;
let edges: u32 = 0;
/**
 * [W] Edges that transactions create in the graph from now on stand in no groups until they are linked; nobody may read the graph before.
 * A transaction that removes elements, or trims, is refused as NOT_LINKED meanwhile: an edge's removal may take its type out of a vertex's
 * list, and where that type comes in again is seen in the order of types. False: the graph is not empty.
 */
export function linkDefer(graph: usize): bool {
  if (stateNextId(graphState(graph)) != 0) return false;
  writerSetUnlinked(graph);
  return true;
}

/** [W] Begins; no other call may use scratch across calls until `linkRelease`. */
export function linkBegin(): void {
  mark = scratchMark();
  linkJoin(scratchAllocate(SHARED_BYTES));
  if (shared == 0) return;
  memory.fill(shared, 0, SHARED_TYPES);
  memory.fill(shared + SHARED_TYPES, <u8>0xff, SHARED_BYTES - SHARED_TYPES);
}

/** [W] Address of what helpers have in common with the writer; 0: there is no memory for it, and nobody can help. */
export function linkShared(): usize {
  return shared;
}

/** By a helper: begins, beside a writer that has begun. `common`: its `linkShared`. */
export function linkJoin(common: usize): void {
  shared = common;
  nodes = 0;
  nodesEnd = 0;
  places = 0;
  slots = 0;
  slotCount = 0;
  slotsUsed = 0;
  vertices = 0;
  edges = 0;
}

/** [W] Gives the nodes back: after the layout, or when they do not fit. */
export function linkRelease(): void {
  shared = 0;
  scratchRelease(mark);
}

// --- Checking --------------------------------------------------------------------------------------------------------------

/** [W] Drops the edges in [fromId, toId) that lack a vertex, and counts what is there. */
export function linkCheck(graph: usize, fromId: u32, toId: u32): void {
  checkIds(graph, true, fromId, toId);
}

/** By a helper: `linkCheck`, but drops nothing. */
export function linkCheckShare(graph: usize, fromId: u32, toId: u32): void {
  const before = vertices;
  const edgesBefore = edges;
  atomic.add<u32>(shared, checkIds(graph, false, fromId, toId), SHARED_DROPPED);
  atomic.add<u32>(shared, vertices - before, SHARED_VERTICES);
  atomic.add<u32>(shared, edges - edgesBefore, SHARED_EDGES);
}

/** Answers how many edges lack a vertex and are still there. */
function checkIds(graph: usize, drops: bool, fromId: u32, toId: u32): u32 {
  const state = graphState(graph);
  const directory = stateDirectory(state);
  let noted: u32 = NONE;
  let lacking: u32 = 0;
  for (let id = fromId; id < toId; id++) {
    const page = pageIn(directory, id);
    const kind = <u32>load<u8>(kindAddress(page, id));
    const words = columnWord(page, id);
    if (kind == KIND_VERTEX) vertices++;
    else if (kind == KIND_NONE) store<u32>(words, 0, COLUMN_C);
    if (kind != KIND_EDGE) continue;
    if (!hasVertices(directory, words)) {
      if (drops) edgeDrop(state, page, id);
      else lacking++;
      continue;
    }
    edges++;
    const type = load<u32>(words, COLUMN_C);
    if (type != noted) typeNote(type);
    noted = type;
  }
  return lacking;
}

/** [W] After helpers have checked all ids: takes over what they have counted. False: there are edges to be dropped, by `linkCheck`. */
export function linkChecked(): bool {
  if (load<u32>(shared, SHARED_DROPPED) != 0) return false;
  vertices = load<u32>(shared, SHARED_VERTICES);
  edges = load<u32>(shared, SHARED_EDGES);
  return true;
}

// @ts-ignore: decorator
@inline
function hasVertices(directory: usize, words: usize): bool {
  return isVertex(directory, load<u32>(words, COLUMN_A)) && isVertex(directory, load<u32>(words, COLUMN_B));
}

// @ts-ignore: decorator
@inline
function isVertex(directory: usize, id: u32): bool {
  return load<u8>(kindAddress(pageIn(directory, id), id)) == <u8>KIND_VERTEX;
}

function edgeDrop(state: usize, page: usize, id: u32): void {
  const words = columnWord(page, id);
  const row: usize = load<u32>(words, COLUMN_ROW);
  store<u8>(kindAddress(page, id), <u8>KIND_NONE);
  store<u32>(words, 0, COLUMN_C);
  if (row == 0) return;
  const shape = rowShape(row);
  rowRelease(row, shapeCount(shape));
  shapeRetain(shape, 0xffffffff);
  shapeDiscard(state, shape);
}

// --- Types -----------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function typeSlot(type: u32): usize {
  return shared + SHARED_TYPES + ((<usize>(type & (TYPE_SLOTS - 1))) << 2);
}

/** The type's slot becomes its own, if it is nobody's. */
function typeNote(type: u32): void {
  if (shared != 0) atomic.cmpxchg<u32>(typeSlot(type), NONE, type);
}

/** What the word of a vertex ends in whose edges are all of that type; 0: the type has no slot. */
// @ts-ignore: decorator
@inline
function typeTag(type: u32): u32 {
  if (shared == 0 || load<u32>(typeSlot(type)) != type) return 0;
  return ((type & (TYPE_SLOTS - 1)) << 1) | 1;
}

// @ts-ignore: decorator
@inline
function tagType(word: u32): u32 {
  return load<u32>(typeSlot((word & TAG_MASK) >> 1));
}

// @ts-ignore: decorator
@inline
function tagCount(word: u32): u32 {
  return word >> TAG_COUNT_SHIFT;
}

// --- Counting --------------------------------------------------------------------------------------------------------------

/** [W] Makes the words of the vertices in [fromId, toId) empty, which `linkCount` and `linkAdd` want. */
export function linkClear(graph: usize, fromId: u32, toId: u32): void {
  const state = graphState(graph);
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    store<u32>(columnWord(page, id), 0, COLUMN_A);
    store<u32>(columnWord(page, id), 0, COLUMN_B);
  }
}

/** [W] Counts the edges in [fromId, toId). OK or NO_MEMORY. */
export function linkCount(graph: usize, fromId: u32, toId: u32): i32 {
  return countRuns(graph, ALL, fromId, toId);
}

/** By a helper: counts the edges in [fromId, toId) at the vertices of its share, 0 or 1. OK or NO_MEMORY. */
export function linkCountShare(graph: usize, share: u32, fromId: u32, toId: u32): i32 {
  return countRuns(graph, share, fromId, toId);
}

/** Every vertex's share. */
const ALL: u32 = 2;

/**
 * 1 if the vertex belongs to the share, else 0. Of two helpers each has every other 4,096 ids, so that both have their part wherever the
 * vertices are.
 */
// @ts-ignore: decorator
@inline
function belongs(vertex: u32, share: u32): usize {
  return <usize>(share >> 1) | <usize>(((vertex >> REGION_SLOT_SHIFT) ^ share ^ 1) & 1);
}

function countRuns(graph: usize, share: u32, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  if (places == 0) places = scratchAllocate((<usize>AHEAD_EDGES + 1) * 2 * PLACE_BYTES);
  if (places == 0) return NO_MEMORY;
  let from = fromId;
  while (from < toId) {
    const to = min<u32>(toId, min<u32>(from + AHEAD_EDGES, (from | PAGE_ID_MASK) + 1));
    if (!countRun(state, share, from, to)) return NO_MEMORY;
    from = to;
  }
  return OK;
}

/**
 * Where the words of the edges' ends are is noted and their nodes are loaded before anything is counted, so that cache misses overlap.
 * Every end is noted and those of others are written over: at random targets a branch would be mispredicted half of the time.
 */
function countRun(state: usize, share: u32, fromId: u32, toId: u32): bool {
  const directory = stateDirectory(state);
  const page = pageIn(directory, fromId);
  let end = places;
  let last: u32 = NONE;
  let kind: u32 = 0;
  for (let id = fromId; id < toId; id++) {
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    const type = load<u32>(words, COLUMN_C);
    if (type != last) {
      last = type;
      kind = typeTag(type);
      if (kind == 0) kind = type << 1;
    }
    store<u32>(end, <u32>(columnWord(pageIn(directory, source), source) + COLUMN_A));
    store<u32>(end, kind, PLACE_TYPE);
    end += belongs(source, share) << PLACE_SHIFT;
    store<u32>(end, <u32>(columnWord(pageIn(directory, target), target) + COLUMN_B));
    store<u32>(end, kind, PLACE_TYPE);
    end += belongs(target, share) << PLACE_SHIFT;
  }
  let sum: u32 = 0;
  for (let place = places; place < end; place += PLACE_BYTES) sum += load<u32>(<usize>load<u32>(place));
  if (nodes != 0) {
    for (let place = places; place < end; place += PLACE_BYTES) {
      const word = load<u32>(<usize>load<u32>(place));
      // No node: the root block is always there.
      sum += load<u32>((word & 1) != 0 ? ROOT : max<usize>(ROOT, <usize>word));
    }
  }
  prefetched(sum);
  for (let place = places; place < end; place += PLACE_BYTES) {
    const word: usize = load<u32>(place);
    const type = load<u32>(place, PLACE_TYPE);
    const value = load<u32>(word);
    if ((type & 1) != 0 && ((value & TAG_MASK) == type || value == 0) && value <= TAG_FULL) store<u32>(word, (value | type) + TAG_ONE);
    else if (!countNode(word, value, (type & 1) != 0 ? tagType(type) : type >> 1)) return false;
  }
  return true;
}

/** One edge more of that type for the word at `word`, whose value it is, in a node. False: no memory. */
function countNode(word: usize, value: u32, type: u32): bool {
  let first: usize = value;
  if ((value & 1) != 0) {
    first = nodeMake(word, 0, tagType(value), false);
    if (first == 0) return false;
    store<u32>(first, tagCount(value), NODE_COUNT);
  }
  let node = first;
  let length: u32 = 0;
  while (node != 0 && length < CHAIN_NODES) {
    if (load<u32>(node, NODE_TYPE) == type) break;
    node = load<u32>(node, NODE_NEXT);
    length++;
  }
  if (node != 0 && length == CHAIN_NODES) node = nodeFind(word, type);
  if (node == 0) {
    node = nodeMake(word, first, type, length == CHAIN_NODES);
    if (node == 0) return false;
  }
  store<u32>(node, load<u32>(node, NODE_COUNT) + 1, NODE_COUNT);
  return true;
}

/** A new last node of the word; 0 = no memory. */
function nodeMake(word: usize, first: usize, type: u32, hashed: bool): usize {
  if (nodes == nodesEnd) {
    nodes = scratchAllocate(NODES_AT_ONCE * NODE_BYTES);
    if (nodes == 0) return 0;
    nodesEnd = nodes + NODES_AT_ONCE * NODE_BYTES;
  }
  if (hashed && slotsUsed << 1 >= slotCount && !slotsGrow()) return 0;
  const node = nodes;
  nodes += NODE_BYTES;
  store<u32>(node, type, NODE_TYPE);
  store<u32>(node, 0, NODE_COUNT);
  store<u32>(node, 0, NODE_NEXT);
  store<u32>(node, <u32>(first == 0 ? node : word), NODE_LAST);
  if (first == 0) {
    store<u32>(word, <u32>node);
    return node;
  }
  store<u32>(<usize>load<u32>(first, NODE_LAST), <u32>node, NODE_NEXT);
  store<u32>(first, <u32>node, NODE_LAST);
  if (hashed) {
    store<u32>(slotOf(word, type), <u32>node);
    slotsUsed++;
  }
  return node;
}

// @ts-ignore: decorator
@inline
function nodeFind(word: usize, type: u32): usize {
  return slotCount == 0 ? 0 : <usize>load<u32>(slotOf(word, type));
}

/** The slot that holds the node, or the empty one where it belongs. */
function slotOf(word: usize, type: u32): usize {
  let hash = (<u32>word * 0x9e3779b1) ^ (type * 0x85ebca77);
  hash ^= hash >> 15;
  let slot = hash & (slotCount - 1);
  while (true) {
    const at = slots + ((<usize>slot) << 2);
    const node: usize = load<u32>(at);
    if (node == 0 || (<usize>load<u32>(node, NODE_LAST) == word && load<u32>(node, NODE_TYPE) == type)) return at;
    slot = (slot + 1) & (slotCount - 1);
  }
  return 0;
}

function slotsGrow(): bool {
  const old = slots;
  const oldCount = slotCount;
  const count: u32 = oldCount == 0 ? FIRST_SLOTS : oldCount << 1;
  const fresh = scratchAllocate((<usize>count) << 2);
  if (fresh == 0) return false;
  memory.fill(fresh, 0, (<usize>count) << 2);
  slots = fresh;
  slotCount = count;
  for (let i: u32 = 0; i < oldCount; i++) {
    const node: usize = load<u32>(old + ((<usize>i) << 2));
    if (node != 0) store<u32>(slotOf(<usize>load<u32>(node, NODE_LAST), load<u32>(node, NODE_TYPE)), <u32>node);
  }
  return true;
}

// --- Layout ----------------------------------------------------------------------------------------------------------------

/** [W] Makes the groups of the vertices of the page that begins at id `base`. OK or NO_MEMORY. */
export function linkLayout(graph: usize, base: u32): i32 {
  return linkLayoutFrom(stateHeap(graphState(graph)), graph, base);
}

/** As `linkLayout`, by a helper, with blocks out of its own fork of the graph's heap. */
export function linkLayoutFrom(heap: u32, graph: usize, base: u32): i32 {
  const state = graphState(graph);
  layoutHeap = heap;
  const before = scratchMark();
  const sizes = scratchAllocate(SIZES_BYTES);
  let code = sizes == 0 ? NO_MEMORY : OK;
  if (code == OK) {
    for (let slot: u32 = 0; slot < REGION_SLOTS; slot++) slotSize(sizes, slot, slotMeasure(state, base, slot));
    code = pageLay(state, base, sizes);
  }
  scratchRelease(before);
  return code;
}

/** Regions and what lies in them. `sizes`: bytes of each slot. */
function pageLay(state: usize, base: u32, sizes: usize): i32 {
  let first: u32 = 0;
  while (first < REGION_SLOTS) {
    const count = regionPlan(layoutHeap, state, base, sizes, first);
    if (count == 0) return NO_MEMORY;
    if (!slotsLay(state, base, first, count, COLUMN_A)) return NO_MEMORY;
    if (!slotsLay(state, base, first, count, COLUMN_B)) return NO_MEMORY;
    first += count;
  }
  return OK;
}

function slotMeasure(state: usize, base: u32, slot: u32): usize {
  const page = pageAddress(state, base);
  const behind = min<u32>(base + ((slot + 1) << REGION_SLOT_SHIFT), stateNextId(state));
  let bytes: usize = 0;
  for (let id = base + (slot << REGION_SLOT_SHIFT); id < behind; id++) {
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    bytes += wordMeasure(load<u32>(columnWord(page, id), COLUMN_A));
    bytes += wordMeasure(load<u32>(columnWord(page, id), COLUMN_B));
  }
  return bytes;
}

/** Bytes of a region that the groups of a counting word take. */
function wordMeasure(word: u32): usize {
  if ((word & 1) != 0) return regionShare(groupBytes(tagCount(word)));
  let node: usize = word;
  let bytes: usize = 0;
  let groups: u32 = 0;
  while (node != 0) {
    bytes += regionShare(groupBytes(load<u32>(node, NODE_COUNT)));
    groups++;
    node = load<u32>(node, NODE_NEXT);
  }
  if (groups > 1) bytes += regionShare(directoryBytes(groups));
  return bytes;
}

function slotsLay(state: usize, base: u32, first: u32, count: u32, column: usize): bool {
  const page = pageAddress(state, base);
  const behind = min<u32>(base + ((first + count) << REGION_SLOT_SHIFT), stateNextId(state));
  for (let id = base + (first << REGION_SLOT_SHIFT); id < behind; id++) {
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    const word = columnWord(page, id) + column;
    const counted = load<u32>(word);
    if (counted == 0) continue;
    const laid = (counted & 1) != 0 ? onlyLay(state, id, tagType(counted), tagCount(counted)) : chainLay(state, id, <usize>counted);
    if (laid == 0) return false;
    store<u32>(word, laid);
  }
  return true;
}

/** The only group of a vertex; answers the filling word, 0 = no memory. */
function onlyLay(state: usize, vertex: u32, type: u32, count: u32): u32 {
  const group = groupMake(layoutHeap, state, vertex, type, count, count);
  return group == 0 ? 0 : <u32>groupPair(group, count);
}

/** The groups of a chain, and their directory if there are several; answers the filling word, 0 = no memory. */
function chainLay(state: usize, vertex: u32, first: usize): u32 {
  if (load<u32>(first, NODE_NEXT) == 0) return onlyLay(state, vertex, load<u32>(first, NODE_TYPE), load<u32>(first, NODE_COUNT));
  let groups: u32 = 0;
  for (let node = first; node != 0; node = <usize>load<u32>(node, NODE_NEXT)) groups++;
  const directory = blockTake(layoutHeap, state, vertex, directoryBytes(groups));
  if (directory == 0) return 0;
  directoryStart(directory, groups);
  for (let node = first; node != 0; node = <usize>load<u32>(node, NODE_NEXT)) {
    const count = load<u32>(node, NODE_COUNT);
    const group = groupMake(layoutHeap, state, vertex, load<u32>(node, NODE_TYPE), count, count);
    if (group == 0) return 0;
    directoryAdd(directory, group);
  }
  return <u32>directory | 1;
}

// --- Filling ---------------------------------------------------------------------------------------------------------------

/**
 * [W] Writes the pairs of the edges in [fromId, toId), after the layout: last ids first, between calls too. OK, or NO_MEMORY before
 * anything was written.
 */
export function linkFill(graph: usize, fromId: u32, toId: u32): i32 {
  return fillRuns(graph, ALL, fromId, toId);
}

/** By a helper: `linkFill` at the vertices of its share. */
export function linkFillShare(graph: usize, share: u32, fromId: u32, toId: u32): i32 {
  return fillRuns(graph, share, fromId, toId);
}

function fillRuns(graph: usize, share: u32, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  const before = scratchMark();
  const records = scratchAllocate((<usize>AHEAD_EDGES + 1) * 2 * END_BYTES);
  if (records == 0) return NO_MEMORY;
  let to = toId;
  while (to > fromId) {
    const from = max<u32>(fromId, max<u32>(to - min<u32>(to, AHEAD_EDGES), (to - 1) & ~PAGE_ID_MASK));
    fillRun(state, share, from, to, records);
    to = from;
  }
  scratchRelease(before);
  return OK;
}

/**
 * Notes the ends of a run of edges, then loads where their pairs will be, then writes them. Each step is a tight loop, so that its cache
 * misses overlap (memory/prefetch.ts).
 */
function fillRun(state: usize, share: u32, fromId: u32, toId: u32, records: usize): void {
  const directory = stateDirectory(state);
  const page = pageIn(directory, fromId);
  let end = records;
  for (let id = toId; id-- > fromId; ) {
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    store<u64>(end, <u64>id | ((<u64>target) << 32));
    store<u32>(end, <u32>(columnWord(pageIn(directory, source), source) + COLUMN_A), END_WORD);
    end += belongs(source, share) << END_SHIFT;
    store<u64>(end, <u64>id | ((<u64>source) << 32));
    store<u32>(end, <u32>(columnWord(pageIn(directory, target), target) + COLUMN_B), END_WORD);
    end += belongs(target, share) << END_SHIFT;
  }
  let sum: u32 = 0;
  for (let record = records; record < end; record += END_BYTES) sum += load<u32>(<usize>load<u32>(record, END_WORD));
  for (let record = records; record < end; record += END_BYTES) {
    // Of a directory its first words.
    const word = load<u32>(<usize>load<u32>(record, END_WORD));
    sum += load<u32>(<usize>word - PAIR_BYTES + (<usize>(word & 1) << 3));
  }
  // Without nodes there are no directories.
  if (nodes != 0) sum += groupsFind(page, records, end);
  prefetched(sum);
  for (let record = records; record < end; record += END_BYTES) {
    const pair = load<u64>(record);
    const address: usize = load<u32>(record, END_WORD);
    const word = load<u32>(address);
    if ((word & 1) == 0) {
      store<u64>(<usize>word - PAIR_BYTES, pair);
      store<u32>(address, word - <u32>PAIR_BYTES);
    } else {
      fillOf(<usize>load<u32>(record, END_GROUP), pair);
    }
  }
}

/** Notes the groups of the ends whose vertices have a directory, then loads where their pairs will be; answers a sum of what was loaded. */
function groupsFind(page: usize, records: usize, end: usize): u32 {
  let sum: u32 = 0;
  for (let record = records; record < end; record += END_BYTES) {
    const word = load<u32>(<usize>load<u32>(record, END_WORD));
    let group: usize = 0;
    if ((word & 1) != 0) {
      group = groupFind(word, load<u32>(columnWord(page, load<u32>(record)), COLUMN_C));
      check(group != 0, 2062);
      sum += load<u32>(group, GROUP_USED);
    }
    store<u32>(record, <u32>group, END_GROUP);
  }
  for (let record = records; record < end; record += END_BYTES) {
    const group: usize = load<u32>(record, END_GROUP);
    if (group != 0) sum += load<u32>(groupPair(group, load<u32>(group, GROUP_USED) - 1));
  }
  return sum;
}

/** The pair that is written next in a group of a directory. */
function fillOf(group: usize, pair: u64): void {
  const left = load<u32>(group, GROUP_USED) - 1;
  check(left < load<u32>(group, GROUP_LIVE), 2061);
  store<u64>(groupPair(group, left), pair);
  store<u32>(group, left, GROUP_USED);
}

/** [W] After all pairs: the words of the vertices in [fromId, toId) and their groups become what readers know. */
export function linkClose(graph: usize, fromId: u32, toId: u32): void {
  linkCloseShare(graph, ALL, fromId, toId);
}

/** By a helper, after all pairs of its share: `linkClose` for the vertices of its share. */
export function linkCloseShare(graph: usize, share: u32, fromId: u32, toId: u32): void {
  const state = graphState(graph);
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX || belongs(id, share) == 0) continue;
    wordClose(columnWord(page, id) + COLUMN_A);
    wordClose(columnWord(page, id) + COLUMN_B);
  }
}

function wordClose(address: usize): void {
  const word = load<u32>(address);
  if (word == 0) return;
  if ((word & 1) == 0) {
    const group = <usize>word - GROUP_HEADER;
    check(load<u32>(group, GROUP_USED) == (load<u32>(group, GROUP_CAPACITY) & ~GROUP_STANDALONE), 2060);
    store<u32>(address, <u32>group);
    return;
  }
  const count = adjacencyGroups(word);
  for (let index: u32 = 0; index < count; index++) {
    const group = adjacencyGroup(word, index);
    check(load<u32>(group, GROUP_USED) == 0, 2063);
    store<u32>(group, load<u32>(group, GROUP_LIVE), GROUP_USED);
  }
}

/** [W] Without a layout: adds the pairs of the edges in [fromId, toId) as usual writes do, and groups grow. OK or NO_MEMORY. */
export function linkAdd(graph: usize, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  writerBegin(stateNextId(state), stateVertexCount(state), stateEdgeCount(state));
  let code = OK;
  for (let id = fromId; id < toId && code == OK; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    const type = load<u32>(words, COLUMN_C);
    const both = pairAdd(state, source, COLUMN_A, type, id, target) && pairAdd(state, target, COLUMN_B, type, id, source);
    if (!both) code = NO_MEMORY;
  }
  retireAdvance();
  return code;
}

/** [W] The graph is complete: its counts become what they are. */
export function linkEnd(graph: usize): void {
  const state = graphState(graph);
  stateSetCounts(state, vertices, edges);
  stateBumpVersion(state);
  writerSetUnlinked(0);
}
