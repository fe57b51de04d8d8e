// Trim: the graph again, in a fresh heap, without the ids of removed elements and without slack.
//
// Survivors are renumbered 0..n-1 in the order of their old ids, so pairs stay in order. The new id of a survivor is its rank in
// a bitmap of survivors: blocks of { u32 survivors before, u32 zero, 8 x u64 bits } for 512 ids each. The new state is complete
// before anyone sees it; if it does not fit, its heap is dropped and nothing has changed. Shapes are made anew; interned
// strings stay. Reads the old state only.

import { catalogueTrim } from '../index/catalogue';
import { allocate, heapDrop } from '../memory/allocator';
import { scratchAllocate } from '../memory/arena';
import { check } from '../memory/check';
import { NONE, PURPOSE_ADJACENCY } from '../memory/layout';
import {
  adjacencyGroup,
  adjacencyGroups,
  GROUP_CAPACITY,
  GROUP_LIVE,
  GROUP_TYPE,
  GROUP_USED,
  groupLive,
  groupPair,
  groupType,
  groupUsed,
  pairEdge,
  pairNeighbour,
} from './adjacency';
import { COLUMN_A, COLUMN_B, COLUMN_LABEL, COLUMN_ROW, columnWord, kindAddress } from './elements';
import { KIND_EDGE, KIND_NONE, KIND_VERTEX } from './format';
import {
  directoryAdd,
  directoryBytes,
  directoryStart,
  GROUP_STANDALONE,
  groupBytes,
  REGION_BLOCK_BYTES,
  REGION_SLOT_SHIFT,
  REGION_SLOTS,
  REGION_TABLE_BYTES,
  regionOpen,
  regionTake,
  SPLIT_BYTES,
} from './regions';
import { rowCopy, rowCopyBegin } from './row-copy';
import {
  PAGE_ID_MASK,
  PAGE_IDS,
  pageAddress,
  stateAddPage,
  stateCreate,
  stateEdgeCount,
  stateHeap,
  stateNextId,
  stateSetCounts,
  stateSetNextId,
  stateVertexCount,
} from './state';

const RANK_BLOCK_BYTES: usize = 8 + 64;

let ranks: usize = 0;

/** A trimmed copy of the state in a heap of its own, not published; 0 = no memory. */
export function trimState(state: usize): usize {
  if (!ranksBuild(state)) return 0;
  const fresh = stateCreate();
  if (fresh == 0) return 0;
  rowCopyBegin();
  if (!elementsCopy(state, fresh) || !adjacencyCopy(fresh) || !catalogueTrim(state, fresh)) {
    heapDrop(stateHeap(fresh));
    return 0;
  }
  stateSetCounts(fresh, stateVertexCount(state), stateEdgeCount(state));
  return fresh;
}

// --- Ranks -----------------------------------------------------------------------------------------------------------------

function ranksBuild(state: usize): bool {
  const next = stateNextId(state);
  const blocks = <usize>((next + 511) >> 9);
  ranks = scratchAllocate(blocks * RANK_BLOCK_BYTES);
  if (ranks == 0) return false;
  memory.fill(ranks, 0, blocks * RANK_BLOCK_BYTES);
  let before: u32 = 0;
  for (let id: u32 = 0; id < next; id++) {
    const block = rankBlock(id);
    if ((id & 511) == 0) store<u32>(block, before);
    if (load<u8>(kindAddress(pageAddress(state, id), id)) == <u8>KIND_NONE) continue;
    const at = rankWord(block, id);
    store<u64>(at, load<u64>(at) | (<u64>1 << (<u64>id & 63)));
    before++;
  }
  return true;
}

// @ts-ignore: decorator
@inline
function rankBlock(id: u32): usize {
  return ranks + <usize>(id >> 9) * RANK_BLOCK_BYTES;
}

// @ts-ignore: decorator
@inline
function rankWord(block: usize, id: u32): usize {
  return block + 8 + ((<usize>((id >> 6) & 7)) << 3);
}

/** The new id of a survivor, while the state is trimmed. */
export function trimRank(id: u32): u32 {
  const block = rankBlock(id);
  const word = rankWord(block, id);
  let count = load<u32>(block);
  for (let at = block + 8; at < word; at += 8) count += <u32>popcnt<u64>(load<u64>(at));
  return count + <u32>popcnt<u64>(load<u64>(word) & ((<u64>1 << (<u64>id & 63)) - 1));
}

// --- Elements ----------------------------------------------------------------------------------------------------------------

/** Columns and rows. Vertices get their old adjacency words for now. */
function elementsCopy(state: usize, fresh: usize): bool {
  const next = stateNextId(state);
  let id: u32 = 0;
  for (let old: u32 = 0; old < next; old++) {
    const oldPage = pageAddress(state, old);
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
  stateSetNextId(fresh, id);
  return true;
}

// --- Adjacency ---------------------------------------------------------------------------------------------------------------

/** Replaces the old adjacency words of the new state by copies with new ids, region by region. */
function adjacencyCopy(fresh: usize): bool {
  const next = stateNextId(fresh);
  for (let base: u32 = 0; base < next; base += PAGE_IDS) {
    let first: u32 = 0;
    while (first < REGION_SLOTS) {
      let count = REGION_SLOTS;
      let bytes = slotsMeasure(fresh, base, first, count);
      while (count > 1 && ((first & (count - 1)) != 0 || bytes > SPLIT_BYTES)) {
        count >>= 1;
        bytes = slotsMeasure(fresh, base, first, count);
      }
      if (!regionOpen(stateHeap(fresh), fresh, base, first, count, bytes)) return false;
      if (!slotsCopy(fresh, base, first, count, COLUMN_A)) return false;
      if (!slotsCopy(fresh, base, first, count, COLUMN_B)) return false;
      first += count;
    }
  }
  return true;
}

function slotsMeasure(fresh: usize, base: u32, first: u32, count: u32): usize {
  const page = pageAddress(fresh, base);
  const end = min<u32>(base + ((first + count) << REGION_SLOT_SHIFT), stateNextId(fresh));
  let bytes: usize = 0;
  for (let id = base + (first << REGION_SLOT_SHIFT); id < end; id++) {
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
    if (groupBytes(live) <= REGION_BLOCK_BYTES) bytes += groupBytes(live);
  }
  if (kept > 1 && directoryBytes(kept) <= REGION_BLOCK_BYTES) bytes += directoryBytes(kept);
  return bytes;
}

function slotsCopy(fresh: usize, base: u32, first: u32, count: u32, column: usize): bool {
  const page = pageAddress(fresh, base);
  const end = min<u32>(base + ((first + count) << REGION_SLOT_SHIFT), stateNextId(fresh));
  for (let id = base + (first << REGION_SLOT_SHIFT); id < end; id++) {
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    const at = columnWord(page, id) + column;
    const word = load<u32>(at);
    if (word == 0) continue;
    const copy = wordCopy(fresh, id, word);
    if (copy == NONE) return false;
    store<u32>(at, copy);
  }
  return true;
}

/** The new word; NONE = no memory. */
function wordCopy(fresh: usize, vertex: u32, word: u32): u32 {
  const groups = adjacencyGroups(word);
  let kept: u32 = 0;
  for (let index: u32 = 0; index < groups; index++) kept += u32(groupLive(adjacencyGroup(word, index)) != 0);
  if (kept == 0) return 0;
  let directory: usize = 0;
  if (kept > 1) {
    directory = blockTake(fresh, vertex, directoryBytes(kept));
    if (directory == 0) return NONE;
    directoryStart(directory, kept);
  }
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    if (groupLive(group) == 0) continue;
    const copy = groupTrim(fresh, vertex, group);
    if (copy == 0) return NONE;
    if (directory == 0) return <u32>copy;
    directoryAdd(directory, copy);
  }
  return <u32>directory | 1;
}

function blockTake(fresh: usize, vertex: u32, bytes: usize): usize {
  if (bytes <= REGION_BLOCK_BYTES) return regionTake(fresh, vertex, bytes);
  return allocate(stateHeap(fresh), PURPOSE_ADJACENCY, bytes);
}

function groupTrim(fresh: usize, vertex: u32, group: usize): usize {
  const live = groupLive(group);
  const bytes = groupBytes(live);
  const copy = blockTake(fresh, vertex, bytes);
  if (copy == 0) return 0;
  store<u32>(copy, groupType(group), GROUP_TYPE);
  store<u32>(copy, live, GROUP_USED);
  store<u32>(copy, live, GROUP_LIVE);
  store<u32>(copy, bytes <= REGION_BLOCK_BYTES ? live : live | GROUP_STANDALONE, GROUP_CAPACITY);
  const used = groupUsed(group);
  let index: u32 = 0;
  for (let i: u32 = 0; i < used; i++) {
    const pair = groupPair(group, i);
    if (pairNeighbour(pair) == NONE) continue;
    store<u32>(groupPair(copy, index), trimRank(pairEdge(pair)));
    store<u32>(groupPair(copy, index), trimRank(pairNeighbour(pair)), 4);
    index++;
  }
  check(index == live, 2040);
  return copy;
}
