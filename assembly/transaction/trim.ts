// Trim: the graph again, in a fresh heap, without the ids of removed elements and without slack.
//
// Survivors are renumbered 0..n-1 in the order of their old ids: the new id of a survivor is its rank (graph/ranks.ts). The new state is
// complete before anyone sees it; if it does not fit, its heap is dropped and nothing has changed. Shapes are made anew; interned
// strings stay. Reads the old state only.
//
// It is made in steps, each of some ten thousand elements or pairs (an index is copied in one), so that other work may come between
// them: reads go on with the old state, and a transaction that changes it gives the copy up (trimOvertaken). The transaction of the
// trim takes the copy as far as it is, finishes it and publishes it. There is one copy at a time in a memory.
// A graph without holes in its ids and with little slack is as trimmed as it can be: then nothing is made.

import {
  adjacencyGroup, adjacencyGroups, groupLive, groupPair, groupType, groupUsed, PAIR_NEIGHBOUR, pairEdge, pairNeighbour,
} from '../graph/adjacency';
import {
  COLUMN_A, COLUMN_B, COLUMN_LABEL, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE, KIND_VERTEX, kindAddress,
} from '../graph/elements';
import { blockTake, groupMake, regionPlan, regionShare, SIZES_BYTES, slotSize } from '../graph/layout';
import { ranksAdd, ranksBytes, ranksOpen, trimRank, trimRanksSet } from '../graph/ranks';
import {
  directoryAdd, directoryBytes, directoryStart, groupBytes, REGION_SLOT_SHIFT, REGION_SLOTS, REGION_TABLE_BYTES, regionsSlack,
} from '../graph/regions';
import { rowCopy, rowCopyBegin } from '../graph/row-copy';
import {
  graphState, PAGE_ID_MASK, PAGE_IDS, pageAddress, stateAddPage, stateCreate, stateEdgeCount, stateHeap, stateNextId, stateSetCounts,
  stateSetNextId, stateVertexCount,
} from '../graph/state';
import { catalogueDrop, catalogueTrim } from '../index/catalogue';
import { allocate, heapBytes, heapDrop, heapPages, release } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_COUNT, PURPOSE_SCRATCH } from '../memory/layout';

/** Ids of one step, a multiple of 512. */
const RANK_STEP: u32 = 1 << 18;
const ELEMENT_STEP: u32 = 4096;
/** Pairs of one step, and of a group that gets steps of its own. */
const PAIR_STEP: u32 = 1 << 15;
/** A graph with less slack than this part of its memory (a power of two), or than these bytes, is left as it is. */
const SLACK_SHIFT: usize = 4;
const SLACK_LEAST: usize = 1 << 20;

/** Of the copy of a long group, whose first pair says the long copy before it and the group it is made from. */
const LONG_SOURCE: usize = 4;

const PHASE_RANKS: u32 = 0;
const PHASE_ELEMENTS: u32 = 1;
const PHASE_REGION: u32 = 2; //  the next region is to be opened
const PHASE_GROUPS: u32 = 3; //  its groups are being copied
const PHASE_LONG: u32 = 4; //    long groups
const PHASE_INDEXES: u32 = 5;
const PHASE_DONE: u32 = 6;

/** The state that is being copied, 0 = none; the copy; how far it is. */
let source: usize = 0;
let fresh: usize = 0;
let phase: u32 = 0;
let ranks: usize = 0;
/** What the slots of the page at work take of regions (graph/layout.ts). */
let sizes: usize = 0;
/** Next old id; its new id. */
let oldId: u32 = 0;
let newId: u32 = 0;
/** The region at work: page, slots; the next vertex of its groups, and their column. */
let base: u32 = 0;
let first: u32 = 0;
let count: u32 = 0;
let vertex: u32 = 0;
let column: usize = 0;
/** Pairs that this step has copied. */
let pairs: u32 = 0;
/** Copies of long groups, each without its pairs: its first pair is { u32 next one, u32 group }. */
let longGroups: usize = 0;
/** The one at work: the group, 0 = none; its copy; where the next pair is and where it goes, both from behind. */
let longGroup: usize = 0;
let longCopy: usize = 0;
let longFrom: u32 = 0;
let longTo: u32 = 0;

/** Whether a trim of the state would change ids or give back a good part of its memory. */
export function trimNeeded(state: usize): bool {
  if (stateVertexCount(state) + stateEdgeCount(state) != stateNextId(state)) return true;
  const heap = stateHeap(state);
  const held = heapPages(heap) << 16;
  let used: usize = 0;
  for (let purpose: u32 = 0; purpose < PURPOSE_COUNT; purpose++) used += heapBytes(heap, purpose);
  let slack = held - min(used, held);
  for (let id: u32 = 0; id < stateNextId(state); id += PAGE_IDS) slack += regionsSlack(state, id);
  return slack > SLACK_LEAST && slack > held >> SLACK_SHIFT;
}

/** Begins a copy of the state, in the place of any other. False: no memory. */
export function trimBegin(state: usize): bool {
  trimDrop();
  const bytes = ranksBytes(stateNextId(state));
  ranks = allocate(0, PURPOSE_SCRATCH, bytes + SIZES_BYTES);
  if (ranks == 0) return false;
  fresh = stateCreate();
  if (fresh == 0) {
    release(PURPOSE_SCRATCH, ranks);
    ranks = 0;
    return false;
  }
  memory.fill(ranks, 0, bytes);
  sizes = ranks + bytes;
  trimRanksSet(ranks);
  source = state;
  phase = PHASE_RANKS;
  oldId = 0;
  newId = 0;
  base = 0;
  first = 0;
  longGroups = 0;
  longGroup = 0;
  return true;
}

/** [W] Goes on with the copy. 1: there is more to do, 0: it is complete, -1: it does not fit and is gone, -2: it was given up before. */
export function trimStep(): i32 {
  if (source == 0) return -2;
  if (phase == PHASE_DONE) return 0;
  pairs = 0;
  let good = true;
  if (phase == PHASE_RANKS) ranksStep();
  else if (phase == PHASE_ELEMENTS) good = elementsStep();
  else if (phase == PHASE_REGION) good = regionStep();
  else if (phase == PHASE_GROUPS) good = groupsStep();
  else if (phase == PHASE_LONG) longStep();
  else if (phase == PHASE_INDEXES) good = indexesStep();
  else unreachable();
  if (good) return phase == PHASE_DONE ? 0 : 1;
  trimDrop();
  return -1;
}

/** [W] Gives up the copy, if there is one. */
export function trimDrop(): void {
  if (source == 0) return;
  catalogueDrop(fresh);
  heapDrop(stateHeap(fresh));
  release(PURPOSE_SCRATCH, ranks);
  source = 0;
}

/** The state is about to change: a copy of it would not be one any more. */
export function trimOvertaken(state: usize): void {
  if (source == state) trimDrop();
}

/** The trimmed copy of the state, complete, in a heap of its own and the caller's; 0 = no memory. */
export function trimState(state: usize): usize {
  if (source != state && !trimBegin(state)) return 0;
  let more = trimStep();
  while (more > 0) more = trimStep();
  if (more < 0) return 0;
  release(PURPOSE_SCRATCH, ranks);
  source = 0;
  return fresh;
}

// --- Ranks -----------------------------------------------------------------------------------------------------------------

function ranksStep(): void {
  const next = stateNextId(source);
  const end = oldId + min<u32>(RANK_STEP, next - oldId);
  let before = newId;
  for (let id = oldId; id < end; id++) {
    ranksOpen(ranks, id, before);
    if (load<u8>(kindAddress(pageAddress(source, id), id)) == <u8>KIND_NONE) continue;
    ranksAdd(ranks, id);
    before++;
  }
  oldId = end;
  newId = before;
  if (end < next) return;
  oldId = 0;
  newId = 0;
  phase = PHASE_ELEMENTS;
}

// --- Elements ----------------------------------------------------------------------------------------------------------------

/** Columns and rows. Vertices get their old adjacency words for now. */
function elementsStep(): bool {
  const next = stateNextId(source);
  const end = oldId + min<u32>(ELEMENT_STEP, next - oldId);
  let id = newId;
  rowCopyBegin();
  for (let old = oldId; old < end; old++) {
    const oldPage = pageAddress(source, old);
    const kind = <u32>load<u8>(kindAddress(oldPage, old));
    if (kind == KIND_NONE) continue;
    if ((id & PAGE_ID_MASK) == 0 && !stateAddPage(fresh, id, REGION_TABLE_BYTES)) return false;
    const page = pageAddress(fresh, id);
    const from = columnWord(oldPage, old);
    const to = columnWord(page, id);
    for (let i: usize = 0; i < 7; i++) store<u32>(to + COLUMN_LABEL + (i << 18), load<u32>(from + COLUMN_LABEL + (i << 18)));
    const row: usize = load<u32>(from, COLUMN_ROW);
    if (row != 0) {
      const copy = rowCopy(fresh, row);
      if (copy == 0) return false;
      store<u32>(to, <u32>copy, COLUMN_ROW);
    }
    if (kind == KIND_EDGE) {
      store<u32>(to, trimRank(load<u32>(from, COLUMN_A)), COLUMN_A);
      store<u32>(to, trimRank(load<u32>(from, COLUMN_B)), COLUMN_B);
    }
    store<u8>(kindAddress(page, id), <u8>kind);
    id++;
  }
  oldId = end;
  newId = id;
  if (end < next) return true;
  stateSetNextId(fresh, id);
  phase = PHASE_REGION;
  return true;
}

// --- Adjacency ---------------------------------------------------------------------------------------------------------------

/** Opens the next region, for whose groups the old adjacency words of the new state give way to copies with new ids. */
function regionStep(): bool {
  if (base >= stateNextId(fresh)) {
    phase = PHASE_LONG;
    return true;
  }
  if (first == 0) for (let slot: u32 = 0; slot < REGION_SLOTS; slot++) slotSize(sizes, slot, slotMeasure(base, slot));
  count = regionPlan(stateHeap(fresh), fresh, base, sizes, first);
  if (count == 0) return false;
  column = COLUMN_A;
  vertex = base + (first << REGION_SLOT_SHIFT);
  phase = PHASE_GROUPS;
  return groupsStep();
}

/** Copies groups of the region: first those of edges that go out, then those of edges that come in. */
function groupsStep(): bool {
  const page = pageAddress(fresh, base);
  const end = min<u32>(base + ((first + count) << REGION_SLOT_SHIFT), stateNextId(fresh));
  while (true) {
    for (; vertex < end && pairs < PAIR_STEP; vertex++) {
      if (load<u8>(kindAddress(page, vertex)) != <u8>KIND_VERTEX) continue;
      const at = columnWord(page, vertex) + column;
      const word = load<u32>(at);
      if (word == 0) continue;
      const copy = wordCopy(vertex, word);
      if (copy == NONE) return false;
      store<u32>(at, copy);
    }
    if (vertex < end) return true;
    if (column == COLUMN_B) break;
    column = COLUMN_B;
    vertex = base + (first << REGION_SLOT_SHIFT);
  }
  first += count;
  if (first == REGION_SLOTS) {
    first = 0;
    base += PAGE_IDS;
  }
  phase = PHASE_REGION;
  return true;
}

function slotMeasure(base: u32, slot: u32): usize {
  const page = pageAddress(fresh, base);
  const end = min<u32>(base + ((slot + 1) << REGION_SLOT_SHIFT), stateNextId(fresh));
  let bytes: usize = 0;
  for (let id = base + (slot << REGION_SLOT_SHIFT); id < end; id++) {
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    bytes += wordMeasure(load<u32>(columnWord(page, id), COLUMN_A));
    bytes += wordMeasure(load<u32>(columnWord(page, id), COLUMN_B));
  }
  return bytes;
}

/** Bytes that the word's copy takes of a region. */
function wordMeasure(word: u32): usize {
  const groups = adjacencyGroups(word);
  let bytes: usize = 0;
  let kept: u32 = 0;
  for (let index: u32 = 0; index < groups; index++) {
    const live = groupLive(adjacencyGroup(word, index));
    if (live == 0) continue;
    kept++;
    bytes += regionShare(groupBytes(live));
  }
  if (kept > 1) bytes += regionShare(directoryBytes(kept));
  return bytes;
}

/** The new word; NONE = no memory. */
function wordCopy(vertex: u32, word: u32): u32 {
  const groups = adjacencyGroups(word);
  let kept: u32 = 0;
  for (let index: u32 = 0; index < groups; index++) kept += u32(groupLive(adjacencyGroup(word, index)) != 0);
  if (kept == 0) return 0;
  let directory: usize = 0;
  if (kept > 1) {
    directory = blockTake(stateHeap(fresh), fresh, vertex, directoryBytes(kept));
    if (directory == 0) return NONE;
    directoryStart(directory, kept);
  }
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    if (groupLive(group) == 0) continue;
    const copy = groupTrim(vertex, group);
    if (copy == 0) return NONE;
    if (directory == 0) return <u32>copy;
    directoryAdd(directory, copy);
  }
  return <u32>directory | 1;
}

function groupTrim(vertex: u32, group: usize): usize {
  const live = groupLive(group);
  const copy = groupMake(stateHeap(fresh), fresh, vertex, groupType(group), live, live);
  if (copy == 0) return 0;
  const used = groupUsed(group);
  if (used > PAIR_STEP) {
    store<u32>(groupPair(copy, 0), <u32>longGroups);
    store<u32>(groupPair(copy, 0), <u32>group, LONG_SOURCE);
    longGroups = copy;
    return copy;
  }
  pairs += used;
  let index: u32 = 0;
  for (let i: u32 = 0; i < used; i++) {
    const pair = groupPair(group, i);
    if (pairNeighbour(pair) != NONE) pairTrim(pair, groupPair(copy, index++));
  }
  check(index == live, 2040);
  return copy;
}

// @ts-ignore: decorator
@inline
function pairTrim(pair: usize, copy: usize): void {
  store<u32>(copy, trimRank(pairEdge(pair)));
  store<u32>(copy, trimRank(pairNeighbour(pair)), PAIR_NEIGHBOUR);
}

/** A piece of a long group. */
function longStep(): void {
  if (longGroup == 0) {
    if (longGroups == 0) {
      phase = PHASE_INDEXES;
      return;
    }
    longCopy = longGroups;
    longGroups = load<u32>(groupPair(longCopy, 0));
    longGroup = load<u32>(groupPair(longCopy, 0), LONG_SOURCE);
    longFrom = groupUsed(longGroup);
    longTo = groupLive(longGroup);
  }
  const end = longFrom - min<u32>(longFrom, PAIR_STEP);
  while (longFrom > end) {
    const pair = groupPair(longGroup, --longFrom);
    if (pairNeighbour(pair) == NONE) continue;
    pairTrim(pair, groupPair(longCopy, --longTo));
  }
  if (longFrom != 0) return;
  check(longTo == 0, 2041);
  longGroup = 0;
}

// --- The rest --------------------------------------------------------------------------------------------------------------

function indexesStep(): bool {
  if (!catalogueTrim(source, fresh)) return false;
  stateSetCounts(fresh, stateVertexCount(source), stateEdgeCount(source));
  phase = PHASE_DONE;
  return true;
}

// --- For the host ----------------------------------------------------------------------------------------------------------

/** [W] `trimNeeded` of the state that the graph has now. */
export function graphTrimNeeded(graph: usize): bool {
  return trimNeeded(graphState(graph));
}

/** [W] Begins the copy of that state; false: no memory. It goes on with trimStep until the trim's transaction, or trimDrop. */
export function graphTrimBegin(graph: usize): bool {
  return trimBegin(graphState(graph));
}
