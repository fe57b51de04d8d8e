// Hanging loaded edges into the groups of their vertices, in groups of exactly the right size and in the order of edge ids. Three
// passes over a graph whose columns load.ts has filled:
//
//   linkCount    counts each vertex's edges by direction and type; an edge without one of its vertices is dropped: the writer removed
//                them while the checkpoint was written, and its tail says so
//   linkLayout   makes the groups, all empty, region by region as trim does
//   linkFill     adds the pairs in the order of edge ids; every group ends up full
//
// While counting, the adjacency word of a vertex is the address of its first node: { u32 type, u32 count, u32 next, u32 last }, one node
// for each group to be, in the order in which their types appear. Of a longer chain what lies beyond CHAIN_NODES is found by a hash
// table of nodes' addresses, keyed by word and type. Nodes are scratch: where that does not fit, linkClear takes the words back,
// and linkFill alone does all of it as usual writes do, only slower.
//
// No two vertices have a word in common: where there are threads, two helpers go over all edges and count and fill at their own half of
// the vertices (linkCountShare, linkFillShare), and lay out pages of their own, with scratch and blocks from heaps of their own,
// while the writer does nothing. What they make is what one thread makes, except for where the blocks lie. One direction each
// was tried: edges often stand in the order of their sources, so nearly all cache misses are the targets'.

import { GROUP_CAPACITY, GROUP_LIVE, GROUP_USED, groupFind, groupPair } from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE, KIND_VERTEX, kindAddress } from '../graph/elements';
import { pairAdd } from '../graph/groups';
import { blockTake, groupMake, regionPlan, regionShare, SIZES_BYTES, slotSize } from '../graph/layout';
import {
  directoryAdd, directoryBytes, directoryStart, GROUP_STANDALONE, groupBytes, REGION_SLOT_SHIFT, REGION_SLOTS,
} from '../graph/regions';
import { rowRelease, rowShape } from '../graph/rows';
import { shapeCount, shapeDiscard, shapeRetain } from '../graph/shapes';
import {
  graphState, pageAddress, stateBumpVersion, stateEdgeCount, stateHeap, stateNextId, stateSetCounts, stateVertexCount,
} from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { check } from '../memory/check';
import { ROOT } from '../memory/layout';
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
const AHEAD_EDGES: u32 = 128;

// One edge of a run that is counted: the address of its source's adjacency word comes first.
const PLACE_TARGET: usize = 4;
const PLACE_TYPE: usize = 8;
const PLACE_BYTES: usize = 12;

// The same for the helpers, which count the ends of edges by themselves.
const SHARED_TYPE: usize = 4;
const SHARED_SHIFT: usize = 3;
const SHARED_BYTES: usize = 1 << SHARED_SHIFT;

// One edge of a run that is filled in: its words, then the groups it goes to.
const FILL_EDGE: usize = 0;
const FILL_SOURCE: usize = 4;
const FILL_TARGET: usize = 8;
const FILL_TYPE: usize = 12;
const FILL_OUT: usize = 16;
const FILL_IN: usize = 20;
const FILL_BYTES: usize = 24;

// One end of an edge: the place is the vertex's adjacency word at first, then its group.
const END_EDGE: usize = 0;
const END_NEIGHBOUR: usize = 4;
const END_TYPE: usize = 8;
const END_PLACE: usize = 12;
const END_BYTES: usize = 16;

let mark: usize = 0;
/** Every group has been made, with room for all its pairs. */
let laid: bool = false;
/** Where the layout takes its blocks from. */
let layoutHeap: u32 = 0;
let nodes: usize = 0;
let nodesEnd: usize = 0;
/** Working memory of linkCount. */
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
  nodes = 0;
  nodesEnd = 0;
  places = 0;
  slots = 0;
  slotCount = 0;
  slotsUsed = 0;
  vertices = 0;
  edges = 0;
  laid = false;
}

/** [W] Gives the nodes back: after the layout, or when they do not fit. */
export function linkRelease(): void {
  scratchRelease(mark);
}

// --- Counting --------------------------------------------------------------------------------------------------------------

/** [W] Makes the words of the vertices in [fromId, toId) empty, which `linkCount` and `linkFill` want. */
export function linkClear(graph: usize, fromId: u32, toId: u32): void {
  const state = graphState(graph);
  laid = false;
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    store<u32>(columnWord(page, id), 0, COLUMN_A);
    store<u32>(columnWord(page, id), 0, COLUMN_B);
  }
}

/** [W] Drops the edges in [fromId, toId) that lack a vertex, and counts what is there. */
export function linkCheck(graph: usize, fromId: u32, toId: u32): void {
  const state = graphState(graph);
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    const kind = <u32>load<u8>(kindAddress(page, id));
    if (kind == KIND_VERTEX) vertices++;
    if (kind != KIND_EDGE) continue;
    const words = columnWord(page, id);
    if (isVertex(state, load<u32>(words, COLUMN_A)) && isVertex(state, load<u32>(words, COLUMN_B))) edges++;
    else edgeDrop(state, page, id);
  }
}

// @ts-ignore: decorator
@inline
function isVertex(state: usize, id: u32): bool {
  return load<u8>(kindAddress(pageAddress(state, id), id)) == <u8>KIND_VERTEX;
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

/** [W] Counts the edges in [fromId, toId). OK or NO_MEMORY. */
export function linkCount(graph: usize, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  if (places == 0) places = scratchAllocate((<usize>AHEAD_EDGES) * PLACE_BYTES);
  if (places == 0) return NO_MEMORY;
  for (let from = fromId; from < toId; from += AHEAD_EDGES) {
    if (!countRun(state, from, min<u32>(toId, from + AHEAD_EDGES))) return NO_MEMORY;
  }
  return OK;
}

/** Where the edges' words are is noted and their nodes are loaded before anything is counted, so that cache misses overlap. */
function countRun(state: usize, fromId: u32, toId: u32): bool {
  let end = places;
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    store<u32>(end, <u32>(columnWord(pageAddress(state, source), source) + COLUMN_A));
    store<u32>(end, <u32>(columnWord(pageAddress(state, target), target) + COLUMN_B), PLACE_TARGET);
    store<u32>(end, load<u32>(words, COLUMN_C), PLACE_TYPE);
    end += PLACE_BYTES;
  }
  let sum: u32 = 0;
  for (let place = places; place < end; place += PLACE_BYTES) {
    // No node yet: the root block is always there.
    sum += load<u32>(max<usize>(ROOT, <usize>load<u32>(<usize>load<u32>(place))));
    sum += load<u32>(max<usize>(ROOT, <usize>load<u32>(<usize>load<u32>(place, PLACE_TARGET))));
  }
  prefetched(sum);
  for (let place = places; place < end; place += PLACE_BYTES) {
    const type = load<u32>(place, PLACE_TYPE);
    if (!countPair(<usize>load<u32>(place), type) || !countPair(<usize>load<u32>(place, PLACE_TARGET), type)) return false;
  }
  return true;
}

/** Which of two helpers a vertex belongs to: every other 4,096 ids, so that both have their part wherever the vertices are. */
// @ts-ignore: decorator
@inline
function shareOf(vertex: u32): u32 {
  return (vertex >> REGION_SLOT_SHIFT) & 1;
}

/** By a helper: counts the edges in [fromId, toId) at the vertices of its share, 0 or 1. OK or NO_MEMORY. */
export function linkCountShare(graph: usize, share: u32, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  if (places == 0) places = scratchAllocate((<usize>AHEAD_EDGES + 1) * 2 * SHARED_BYTES);
  if (places == 0) return NO_MEMORY;
  for (let from = fromId; from < toId; from += AHEAD_EDGES) {
    if (!countRunShare(state, share, from, min<u32>(toId, from + AHEAD_EDGES))) return NO_MEMORY;
  }
  return OK;
}

/** Every end is noted and every other one is written over: at random targets a branch would be mispredicted half of the time. */
function countRunShare(state: usize, share: u32, fromId: u32, toId: u32): bool {
  let end = places;
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    const type = load<u32>(words, COLUMN_C);
    store<u32>(end, <u32>(columnWord(pageAddress(state, source), source) + COLUMN_A));
    store<u32>(end, type, SHARED_TYPE);
    end += <usize>(shareOf(source) ^ share ^ 1) << SHARED_SHIFT;
    store<u32>(end, <u32>(columnWord(pageAddress(state, target), target) + COLUMN_B));
    store<u32>(end, type, SHARED_TYPE);
    end += <usize>(shareOf(target) ^ share ^ 1) << SHARED_SHIFT;
  }
  let sum: u32 = 0;
  for (let place = places; place < end; place += SHARED_BYTES) {
    sum += load<u32>(max<usize>(ROOT, <usize>load<u32>(<usize>load<u32>(place))));
  }
  prefetched(sum);
  for (let place = places; place < end; place += SHARED_BYTES) {
    if (!countPair(<usize>load<u32>(place), load<u32>(place, SHARED_TYPE))) return false;
  }
  return true;
}

/** One pair more of that type for the word at `word`. False: no memory. */
// @ts-ignore: decorator
@inline
function countPair(word: usize, type: u32): bool {
  const first: usize = load<u32>(word);
  if (first != 0 && load<u32>(first, NODE_TYPE) == type) {
    store<u32>(first, load<u32>(first, NODE_COUNT) + 1, NODE_COUNT);
    return true;
  }
  return countOther(word, first, type);
}

function countOther(word: usize, first: usize, type: u32): bool {
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
  laid = code == OK;
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
    bytes += chainMeasure(<usize>load<u32>(columnWord(page, id), COLUMN_A));
    bytes += chainMeasure(<usize>load<u32>(columnWord(page, id), COLUMN_B));
  }
  return bytes;
}

/** Bytes of a region that the chain's groups take. */
function chainMeasure(node: usize): usize {
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
    const node: usize = load<u32>(word);
    if (node == 0) continue;
    const laid = chainLay(state, id, node);
    if (laid == 0) return false;
    store<u32>(word, laid);
  }
  return true;
}

/** The groups of a chain, and their directory if there are several; answers the word, 0 = no memory. */
function chainLay(state: usize, vertex: u32, first: usize): u32 {
  if (load<u32>(first, NODE_NEXT) == 0) return <u32>groupLay(state, vertex, first);
  let groups: u32 = 0;
  for (let node = first; node != 0; node = <usize>load<u32>(node, NODE_NEXT)) groups++;
  const directory = blockTake(layoutHeap, state, vertex, directoryBytes(groups));
  if (directory == 0) return 0;
  directoryStart(directory, groups);
  for (let node = first; node != 0; node = <usize>load<u32>(node, NODE_NEXT)) {
    const group = groupLay(state, vertex, node);
    if (group == 0) return 0;
    directoryAdd(directory, group);
  }
  return <u32>directory | 1;
}

function groupLay(state: usize, vertex: u32, node: usize): usize {
  return groupMake(layoutHeap, state, vertex, load<u32>(node, NODE_TYPE), load<u32>(node, NODE_COUNT), 0);
}

// --- Filling ---------------------------------------------------------------------------------------------------------------

/** [W] Adds the pairs of the edges in [fromId, toId). OK, or NO_MEMORY (only where there is no layout). */
export function linkFill(graph: usize, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  const before = scratchMark();
  const records = scratchAllocate((<usize>AHEAD_EDGES) * FILL_BYTES);
  let code = OK;
  if (laid && records != 0) {
    for (let from = fromId; from < toId; from += AHEAD_EDGES) {
      fillRun(state, from, min<u32>(toId, from + AHEAD_EDGES), records);
    }
  } else {
    code = addEach(state, fromId, toId);
  }
  scratchRelease(before);
  return code;
}

/** As usual writes do it: groups grow. */
function addEach(state: usize, fromId: u32, toId: u32): i32 {
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

/**
 * Into groups that have room for all of them: finds the groups of a run of edges, then loads the ends of these, then writes. Each step
 * is a tight loop, so that its cache misses overlap (memory/prefetch.ts).
 */
function fillRun(state: usize, fromId: u32, toId: u32, records: usize): void {
  let end = records;
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    store<u32>(end, id, FILL_EDGE);
    store<u32>(end, source, FILL_SOURCE);
    store<u32>(end, target, FILL_TARGET);
    store<u32>(end, load<u32>(words, COLUMN_C), FILL_TYPE);
    store<u32>(end, load<u32>(columnWord(pageAddress(state, source), source), COLUMN_A), FILL_OUT);
    store<u32>(end, load<u32>(columnWord(pageAddress(state, target), target), COLUMN_B), FILL_IN);
    end += FILL_BYTES;
  }
  let sum: u32 = 0;
  for (let record = records; record < end; record += FILL_BYTES) {
    const type = load<u32>(record, FILL_TYPE);
    const out = groupFind(load<u32>(record, FILL_OUT), type);
    const into = groupFind(load<u32>(record, FILL_IN), type);
    check(out != 0 && into != 0, 2060);
    store<u32>(record, <u32>out, FILL_OUT);
    store<u32>(record, <u32>into, FILL_IN);
    sum += load<u32>(out, GROUP_USED) + load<u32>(into, GROUP_USED);
  }
  for (let record = records; record < end; record += FILL_BYTES) {
    const out: usize = load<u32>(record, FILL_OUT);
    const into: usize = load<u32>(record, FILL_IN);
    sum += load<u32>(groupPair(out, load<u32>(out, GROUP_USED))) + load<u32>(groupPair(into, load<u32>(into, GROUP_USED)));
  }
  prefetched(sum);
  for (let record = records; record < end; record += FILL_BYTES) {
    const id = load<u32>(record, FILL_EDGE);
    pairPut(<usize>load<u32>(record, FILL_OUT), id, load<u32>(record, FILL_TARGET));
    pairPut(<usize>load<u32>(record, FILL_IN), id, load<u32>(record, FILL_SOURCE));
  }
}

/** By a helper, after the layout: adds the pairs of the edges in [fromId, toId) at the vertices of its share. OK or NO_MEMORY. */
export function linkFillShare(graph: usize, share: u32, fromId: u32, toId: u32): i32 {
  const state = graphState(graph);
  const before = scratchMark();
  const records = scratchAllocate((<usize>AHEAD_EDGES + 1) * 2 * END_BYTES);
  if (records == 0) return NO_MEMORY;
  for (let from = fromId; from < toId; from += AHEAD_EDGES) {
    fillRunShare(state, share, from, min<u32>(toId, from + AHEAD_EDGES), records);
  }
  scratchRelease(before);
  return OK;
}

/** `fillRun` for one share. */
function fillRunShare(state: usize, share: u32, fromId: u32, toId: u32, records: usize): void {
  let end = records;
  for (let id = fromId; id < toId; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const source = load<u32>(words, COLUMN_A);
    const target = load<u32>(words, COLUMN_B);
    const type = load<u32>(words, COLUMN_C);
    endPut(end, id, target, type, columnWord(pageAddress(state, source), source) + COLUMN_A);
    end += END_BYTES * <usize>(shareOf(source) ^ share ^ 1);
    endPut(end, id, source, type, columnWord(pageAddress(state, target), target) + COLUMN_B);
    end += END_BYTES * <usize>(shareOf(target) ^ share ^ 1);
  }
  for (let record = records; record < end; record += END_BYTES) {
    store<u32>(record, load<u32>(<usize>load<u32>(record, END_PLACE)), END_PLACE);
  }
  let sum: u32 = 0;
  for (let record = records; record < end; record += END_BYTES) {
    const group = groupFind(load<u32>(record, END_PLACE), load<u32>(record, END_TYPE));
    check(group != 0, 2062);
    store<u32>(record, <u32>group, END_PLACE);
    sum += load<u32>(group, GROUP_USED);
  }
  for (let record = records; record < end; record += END_BYTES) {
    const group: usize = load<u32>(record, END_PLACE);
    sum += load<u32>(groupPair(group, load<u32>(group, GROUP_USED)));
  }
  prefetched(sum);
  for (let record = records; record < end; record += END_BYTES) {
    pairPut(<usize>load<u32>(record, END_PLACE), load<u32>(record, END_EDGE), load<u32>(record, END_NEIGHBOUR));
  }
}

// @ts-ignore: decorator
@inline
function endPut(record: usize, edge: u32, neighbour: u32, type: u32, word: usize): void {
  store<u32>(record, edge, END_EDGE);
  store<u32>(record, neighbour, END_NEIGHBOUR);
  store<u32>(record, type, END_TYPE);
  store<u32>(record, <u32>word, END_PLACE);
}

// @ts-ignore: decorator
@inline
function pairPut(group: usize, edge: u32, neighbour: u32): void {
  const used = load<u32>(group, GROUP_USED);
  check(used < (load<u32>(group, GROUP_CAPACITY) & ~GROUP_STANDALONE), 2061);
  store<u64>(groupPair(group, used), <u64>edge | ((<u64>neighbour) << 32));
  store<u32>(group, used + 1, GROUP_USED);
  store<u32>(group, used + 1, GROUP_LIVE);
}

/** [W] The graph is complete: its counts become what they are. */
export function linkEnd(graph: usize): void {
  const state = graphState(graph);
  stateSetCounts(state, vertices, edges);
  stateBumpVersion(state);
  writerSetUnlinked(0);
}
