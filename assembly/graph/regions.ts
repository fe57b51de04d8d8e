// Regions: where the adjacency blocks of neighbouring vertices lie together.
//
// The groups of a graph that grows in random order outgrow their blocks all the time. In size classes each class would keep its pages
// for a few survivors: by calculation, half as much again as the data. So small blocks (to REGION_BLOCK_BYTES) live in regions.
// One region holds the blocks of a range of ids. The next block goes behind the last one, and what is replaced is only counted as dead.
// A full region is copied to a new one, a little larger than what it takes: live blocks only, in vertex order, out groups first, then in
// groups. The old region is retired as one piece, so readers may be in the middle of it. A sweep over vertices walks memory forwards.
// Appending costs a few copies of a neighbouring group.
//
//   region table of a page (272 bytes)   16 x u8 region of each 4,096 ids, 16 x region
//   region                               u32 address (0 = none yet), u32 used, u32 dead, u32 capacity
//
// All 65,536 ids of a page share region 0 at first; a region beyond SPLIT_BYTES is halved when it is next copied, down to
// 4,096 ids, so that one copy never takes long. Larger blocks are the allocator's. A failing call changes nothing.

import { allocate, blockBytes, release, roundedBytes } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_ADJACENCY, ROOT_RETIRED_BYTES } from '../memory/layout';
import { retire, retireAdvance, retireReserve } from '../memory/retire';
import {
  DIRECTORY_CAPACITY, DIRECTORY_COUNT, DIRECTORY_FILLED, DIRECTORY_HEADER, DIRECTORY_LIVE, directoryGroup, directorySlotCount,
  GROUP_CAPACITY, GROUP_HEADER, GROUP_LIVE, GROUP_USED, groupHead, groupPair, groupType, pairNeighbour, typeHash,
} from './adjacency';
import { COLUMN_A, COLUMN_B, COLUMN_C, columnWord, KIND_NONE, KIND_VERTEX, kindAddress } from './elements';
import { reserveNow, runningHolding, runningNextId, runningPending, runningRemoving } from './running';
import { emptyGroup, PAGE_ID_MASK, pageAddress, regionTable, stateHeap } from './state';

/** Blocks above this are the allocator's own. */
export const REGION_BLOCK_BYTES: usize = 1024;
/** Set in a group's capacity word when its block is the allocator's. */
export const GROUP_STANDALONE: u32 = 0x80000000;
/** Stands in column c of a vertex that the running transaction removed and may have to bring back. */
export const REMOVED_VERTEX: u32 = 0xfffffffe;

export const REGION_TABLE_BYTES: usize = 16 + 16 * 16;
/** A slot of a region table stands for 4,096 ids. */
export const REGION_SLOT_SHIFT: u32 = 12;
export const REGION_SLOTS: u32 = 16;
/** A region of more bytes is halved when it is next copied. */
export const SPLIT_BYTES: usize = 1 << 20;
/** Copied regions that may wait for the end of the transaction before the epoch is moved within it. */
const BACKLOG_BYTES: usize = 8 << 20;
/** With more entries promised to commit or undo the epoch stays: moving it may give their reserved room back. */
const ADVANCE_PENDING: u32 = 500;
/** Above this many bytes held by readers, regions get more room, so that they are copied less often. */
const RETIRED_BYTES_HIGH: u32 = 64 << 20;

/** Retire entries a page may need when it is taken back: itself, its region table, its regions. */
export const PAGE_RETIRES: u32 = 2 + 16;

const REGION_ADDRESS: usize = 0;
const REGION_USED: usize = 4;
const REGION_DEAD: usize = 8;
const REGION_CAPACITY: usize = 12;

/** Slack of a region: this power of two of its bytes; while memory is short, that one. */
const SLACK_SHIFT: usize = 3;
const TIGHT_SHIFT: usize = 4;

let backlog: usize = 0;
/** While memory is short: copied groups get no spare pairs, and regions little slack. */
let tight: bool = false;
/** Bytes the running copy may still add to its groups as spare pairs. */
let spareRoom: u32 = 0;

// --- Blocks --------------------------------------------------------------------------------------------------------------

/** Bytes of a group's block of `capacity` pairs. */
// @ts-ignore: decorator
@inline
export function groupBytes(capacity: u32): usize {
  return GROUP_HEADER + ((<usize>capacity) << 3);
}

/** Bytes of a directory's block. */
export function directoryBytes(capacity: u32): usize {
  const words = <usize>capacity + <usize>directorySlotCount(capacity);
  return (DIRECTORY_HEADER + (words << 2) + 7) & ~7;
}

// @ts-ignore: decorator
@inline
function regionOf(state: usize, vertex: u32): usize {
  const table = regionTable(state, vertex);
  const first = <usize>load<u8>(table + <usize>((vertex >> REGION_SLOT_SHIFT) & (REGION_SLOTS - 1)));
  return table + 16 + (first << 4);
}

/**
 * Makes sure that `bytes` fit into the vertex's region. May move every block of the region: reload what you hold. False: no
 * memory, nothing changed.
 */
// @ts-ignore: decorator
@inline
export function regionRoom(state: usize, vertex: u32, bytes: usize): bool {
  const region = regionOf(state, vertex);
  if (load<u32>(region, REGION_CAPACITY) - load<u32>(region, REGION_USED) >= <u32>bytes) return true;
  return regionCopy(state, vertex, bytes);
}

/** The next `bytes` of the vertex's region; `regionRoom` came before. */
// @ts-ignore: decorator
@inline
export function regionTake(state: usize, vertex: u32, bytes: usize): usize {
  const region = regionOf(state, vertex);
  const used = load<u32>(region, REGION_USED);
  check(used + <u32>bytes <= load<u32>(region, REGION_CAPACITY), 2010);
  store<u32>(region, used + <u32>bytes, REGION_USED);
  return <usize>load<u32>(region, REGION_ADDRESS) + <usize>used;
}

/** Lengthens the block that ends at `end` by `bytes` if it is the region's last and they fit. */
// @ts-ignore: decorator
@inline
export function regionExtend(state: usize, vertex: u32, end: usize, bytes: usize): bool {
  const region = regionOf(state, vertex);
  const used = load<u32>(region, REGION_USED);
  if (<usize>load<u32>(region, REGION_ADDRESS) + <usize>used != end) return false;
  if (load<u32>(region, REGION_CAPACITY) - used < <u32>bytes) return false;
  store<u32>(region, used + <u32>bytes, REGION_USED);
  return true;
}

/** Counts bytes of a block that is no longer in use. */
// @ts-ignore: decorator
@inline
export function regionDead(state: usize, vertex: u32, bytes: usize): void {
  const region = regionOf(state, vertex);
  store<u32>(region, load<u32>(region, REGION_DEAD) + <u32>bytes, REGION_DEAD);
}

/** At commit: copies the vertex's region to a smaller one when most of it is dead. Does nothing when memory is short. */
export function regionShrink(state: usize, vertex: u32): void {
  const region = regionOf(state, vertex);
  const dead = load<u32>(region, REGION_DEAD);
  if (dead > 4096 && dead > load<u32>(region, REGION_CAPACITY) >> 1) regionCopy(state, vertex, 0);
}

/** Retires the regions of a page that leaves the directory; REGION_TABLE entries must have been reserved. */
export function regionsDrop(state: usize, id: u32): void {
  const table = regionTable(state, id);
  for (let slot: u32 = 0; slot < REGION_SLOTS; slot++) {
    const address = load<u32>(table + 16 + ((<usize>slot) << 4));
    if (address != 0) retire(PURPOSE_ADJACENCY, <usize>address);
  }
}

/**
 * Trim, and room made ahead: the region of `count` slots (a power of two, `first` a multiple of it) of the page of `id`, with exactly
 * `bytes` bytes out of `heap`, the graph's or a fork of it. False: no memory.
 */
export function regionOpen(heap: u32, state: usize, id: u32, first: u32, count: u32, bytes: usize): bool {
  const table = regionTable(state, id);
  for (let slot = first; slot < first + count; slot++) store<u8>(table + <usize>slot, <u8>first);
  if (bytes == 0) return true;
  const region = table + 16 + ((<usize>first) << 4);
  const address = allocate(heap, PURPOSE_ADJACENCY, bytes);
  if (address == 0) return false;
  store<u32>(region, <u32>address, REGION_ADDRESS);
  store<u32>(region, <u32>blockBytes(address), REGION_CAPACITY);
  return true;
}

/** Whether no block lies in a region of the page of `id`, and it is still as it was made. */
export function regionsFresh(state: usize, id: u32): bool {
  const table = regionTable(state, id);
  for (let at: usize = 0; at < REGION_TABLE_BYTES; at += 8) if (load<u64>(table + at) != 0) return false;
  return true;
}

/** Gives each slot of the page of `id` from `first` on, none of which has blocks, a region of its own. */
export function regionsSingle(state: usize, id: u32, first: u32): void {
  for (let slot = first; slot < REGION_SLOTS; slot++) store<u8>(regionTable(state, id) + <usize>slot, <u8>slot);
}

/** Bytes of the regions of the page of `id` that are no blocks in use. */
export function regionsSlack(state: usize, id: u32): usize {
  const table = regionTable(state, id);
  let slack: usize = 0;
  for (let slot: u32 = 0; slot < REGION_SLOTS; slot++) {
    const region = table + 16 + ((<usize>slot) << 4);
    if (load<u32>(region, REGION_ADDRESS) == 0) continue;
    slack += <usize>(load<u32>(region, REGION_CAPACITY) - load<u32>(region, REGION_USED) + load<u32>(region, REGION_DEAD));
  }
  return slack;
}

// --- When memory is short ---------------------------------------------------------------------------------------------------

/** Whether copies are to get little room from here on. Groups then move more often, so it is for those who cannot have more. */
export function regionsTight(value: bool): void {
  tight = value;
}

/**
 * Copies the region of `vertex` to one of exactly the size of its live blocks, if that gives memory back; `regionsTight` came before.
 * Not within a transaction. Does nothing when the copy does not fit.
 */
export function regionSqueeze(state: usize, vertex: u32): void {
  const table = regionTable(state, vertex);
  const first = <u32>load<u8>(table + <usize>((vertex >> REGION_SLOT_SHIFT) & (REGION_SLOTS - 1)));
  let count: u32 = 1;
  while (first + count < REGION_SLOTS && <u32>load<u8>(table + <usize>(first + count)) == first) count++;
  const region = table + 16 + ((<usize>first) << 4);
  const old: usize = load<u32>(region, REGION_ADDRESS);
  if (old == 0) return;
  const base = (vertex & ~PAGE_ID_MASK) | (first << REGION_SLOT_SHIFT);
  const end = base + (count << REGION_SLOT_SHIFT);
  const bytes = measure(state, base, end);
  if ((bytes != 0 && roundedBytes(bytes) >= blockBytes(old)) || !retireReserve(1)) return;
  let address: usize = 0;
  if (bytes != 0) {
    address = allocate(stateHeap(state), PURPOSE_ADJACENCY, bytes);
    if (address == 0) return;
  }
  store<u32>(region, <u32>address, REGION_ADDRESS);
  store<u32>(region, 0, REGION_USED);
  store<u32>(region, 0, REGION_DEAD);
  store<u32>(region, address == 0 ? 0 : <u32>blockBytes(address), REGION_CAPACITY);
  if (address != 0) regionFill(state, region, base, end, 0);
  retire(PURPOSE_ADJACENCY, old);
  retireAdvance();
}

// --- Copying a region ----------------------------------------------------------------------------------------------------

/** Copies the region of `vertex`, in two halves if it is large, with room for `extra` bytes where the vertex is. */
function regionCopy(state: usize, vertex: u32, extra: usize): bool {
  const table = regionTable(state, vertex);
  const first = <u32>load<u8>(table + <usize>((vertex >> REGION_SLOT_SHIFT) & (REGION_SLOTS - 1)));
  let count: u32 = 1;
  while (first + count < REGION_SLOTS && <u32>load<u8>(table + <usize>(first + count)) == first) count++;
  const region = table + 16 + ((<usize>first) << 4);
  const base = (vertex & ~PAGE_ID_MASK) | (first << REGION_SLOT_SHIFT);
  const end = base + (count << REGION_SLOT_SHIFT);
  const old: usize = load<u32>(region, REGION_ADDRESS);
  // Blocks count in full here; their copies, which have no room to spare, take less.
  const live = <usize>(load<u32>(region, REGION_USED) - load<u32>(region, REGION_DEAD));
  if (!reserveNow(1)) return false;
  if (count > 1 && live + extra > SPLIT_BYTES) {
    if (!regionSplit(state, table, first, count, base, vertex, extra)) return false;
  } else {
    if (!regionCreate(state, region, live, extra, end - base)) return false;
    regionFill(state, region, base, end, <u32>slackOf(live, end - base) >> 1);
  }
  if (old != 0) regionRetire(old);
  return true;
}

function regionSplit(state: usize, table: usize, first: u32, count: u32, base: u32, vertex: u32, extra: usize): bool {
  const half = count >> 1;
  const ids = half << REGION_SLOT_SHIFT;
  const middle = base + ids;
  const lower = table + 16 + ((<usize>first) << 4);
  const upper = table + 16 + ((<usize>(first + half)) << 4);
  const inUpper = vertex >= middle;
  if (!regionCreate(state, upper, measure(state, middle, middle + ids), inUpper ? extra : 0, ids)) return false;
  if (!regionCreate(state, lower, measure(state, base, middle), inUpper ? 0 : extra, ids)) {
    release(PURPOSE_ADJACENCY, <usize>load<u32>(upper, REGION_ADDRESS));
    store<u32>(upper, 0, REGION_ADDRESS);
    return false;
  }
  for (let slot = first + half; slot < first + count; slot++) store<u8>(table + <usize>slot, <u8>(first + half));
  // What was measured contains the spare pairs.
  regionFill(state, upper, middle, middle + ids, NONE >> 1);
  regionFill(state, lower, base, middle, NONE >> 1);
  return true;
}

/** Retires a copied region. A long transaction moves the epoch now and then, or it would hold all its old regions. */
function regionRetire(address: usize): void {
  backlog += blockBytes(address);
  retire(PURPOSE_ADJACENCY, address);
  if (backlog < BACKLOG_BYTES || runningPending() > ADVANCE_PENDING || runningHolding()) return;
  backlog = 0;
  retireAdvance();
}

/** Slack pays for the copy: a part of it, and for the walk over the ids while there is little to copy. */
function slackOf(live: usize, ids: u32): usize {
  if (tight) return live >> TIGHT_SHIFT;
  if (load<u32>(ROOT_RETIRED_BYTES) > RETIRED_BYTES_HIGH) return live >> 1;
  return (live >> SLACK_SHIFT) + min<usize>(live, (<usize>ids) << 2) + 64;
}

/** Memory for a region of `ids` ids with `live` bytes, `extra` more at once, and slack; the region's words change on success. */
function regionCreate(state: usize, region: usize, live: usize, extra: usize, ids: u32): bool {
  const address = allocate(stateHeap(state), PURPOSE_ADJACENCY, live + extra + slackOf(live, ids));
  if (address == 0) return false;
  store<u32>(region, <u32>address, REGION_ADDRESS);
  store<u32>(region, 0, REGION_USED);
  store<u32>(region, 0, REGION_DEAD);
  store<u32>(region, <u32>blockBytes(address), REGION_CAPACITY);
  return true;
}

/** Bytes that `regionFill` will take for the ids from `from` to `to`. */
function measure(state: usize, from: u32, to: u32): usize {
  const page = pageAddress(state, from);
  const end = min<u32>(to, runningNextId());
  let bytes: usize = 0;
  for (let id = nextVertex(page, from, end); id < end; id = nextVertex(page, id + 1, end)) {
    const words = columnWord(page, id);
    bytes += wordMeasure(load<u32>(words, COLUMN_A)) + wordMeasure(load<u32>(words, COLUMN_B));
  }
  return bytes;
}

/** First id from `id` on that has adjacency of its own: a vertex, or one that this transaction removed. */
function nextVertex(page: usize, id: u32, end: u32): u32 {
  const removing = runningRemoving();
  while (id < end) {
    const kind = <u32>load<u8>(kindAddress(page, id));
    if (kind == KIND_VERTEX) return id;
    if (removing && kind == KIND_NONE && load<u32>(columnWord(page, id), COLUMN_C) == REMOVED_VERTEX) return id;
    id++;
  }
  return end;
}

/**
 * Copies out groups first and in groups then, each in vertex order: a sweep in one direction reads forwards. `spare`: bytes that
 * groups may gain as spare pairs.
 */
function regionFill(state: usize, region: usize, from: u32, to: u32, spare: u32): void {
  const page = pageAddress(state, from);
  const end = min<u32>(to, runningNextId());
  const address: usize = load<u32>(region, REGION_ADDRESS);
  let at = address;
  spareRoom = spare;
  for (let id = nextVertex(page, from, end); id < end; id = nextVertex(page, id + 1, end)) {
    at = wordCopy(state, columnWord(page, id) + COLUMN_A, at);
  }
  for (let id = nextVertex(page, from, end); id < end; id = nextVertex(page, id + 1, end)) {
    at = wordCopy(state, columnWord(page, id) + COLUMN_B, at);
  }
  check(at <= address + <usize>load<u32>(region, REGION_CAPACITY), 2011);
  store<u32>(region, <u32>(at - address), REGION_USED);
}

// --- Copying the groups of one word ------------------------------------------------------------------------------------------

/** Pairs a copied group has: the live ones, or all of them while undo may need the dead. */
// @ts-ignore: decorator
@inline
function pairsKept(group: usize): u32 {
  return runningRemoving() ? load<u32>(group, GROUP_USED) : load<u32>(group, GROUP_LIVE);
}

// @ts-ignore: decorator
@inline
export function isStandalone(group: usize): bool {
  return (load<u32>(group, GROUP_CAPACITY) & GROUP_STANDALONE) != 0;
}

/**
 * Pairs a copied group's block has room for beyond those it has. In random order a group gets less than one pair between two copies
 * of its region, and one free place saves a new block of the whole group; short groups would pay too much for it.
 */
// @ts-ignore: decorator
@inline
function sparePairs(kept: u32): u32 {
  return tight ? 0 : (kept + 10) >> 4;
}

// @ts-ignore: decorator
@inline
function groupMeasure(group: usize): usize {
  if (isStandalone(group)) return 0;
  const kept = pairsKept(group);
  return groupBytes(kept + sparePairs(kept));
}

/** Capacity of the group's copy: with spare pairs while there is room for them. */
// @ts-ignore: decorator
@inline
function copiedCapacity(group: usize): u32 {
  const kept = pairsKept(group);
  const capacity = kept + sparePairs(kept);
  const before = load<u32>(group, GROUP_CAPACITY);
  if (capacity <= before) {
    spareRoom += (before - capacity) << 3;
    return capacity;
  }
  const added = (capacity - before) << 3;
  if (added > spareRoom || groupBytes(capacity) > REGION_BLOCK_BYTES) return before;
  spareRoom -= added;
  return capacity;
}

function wordMeasure(word: u32): usize {
  if (word == 0) return 0;
  if ((word & 1) == 0) return groupMeasure(<usize>word);
  const directory = <usize>word - 1;
  const count = load<u32>(directory, DIRECTORY_COUNT);
  let bytes: usize = 0;
  for (let index: u32 = 0; index < count; index++) {
    const group = directoryGroup(directory, index);
    if (groupType(group) != NONE) bytes += groupMeasure(group);
  }
  if (directoryBytes(load<u32>(directory, DIRECTORY_CAPACITY)) > REGION_BLOCK_BYTES) return bytes;
  return bytes + directoryBytes(load<u32>(directory, DIRECTORY_LIVE));
}

/** Copies the word's blocks to `at` on, publishes the copies, answers where the next goes. */
function wordCopy(state: usize, wordAddress: usize, at: usize): usize {
  const word = load<u32>(wordAddress);
  if (word == 0) return at;
  if ((word & 1) == 0) {
    if (isStandalone(<usize>word)) return at;
    const next = groupCopy(<usize>word, at, copiedCapacity(<usize>word));
    atomic.store<u32>(wordAddress, <u32>at);
    return next;
  }
  const directory = <usize>word - 1;
  if (directoryBytes(load<u32>(directory, DIRECTORY_CAPACITY)) > REGION_BLOCK_BYTES) return largeCopy(directory, at);
  const live = load<u32>(directory, DIRECTORY_LIVE);
  const copy = at;
  directoryStart(copy, live);
  at += directoryBytes(live);
  const count = load<u32>(directory, DIRECTORY_COUNT);
  for (let index: u32 = 0; index < count; index++) {
    const group = directoryGroup(directory, index);
    if (group == emptyGroup(state)) continue;
    if (isStandalone(group)) {
      directoryAdd(copy, group);
    } else {
      const moved = at;
      at = groupCopy(group, at, copiedCapacity(group));
      directoryAdd(copy, moved);
    }
  }
  atomic.store<u32>(wordAddress, <u32>copy | 1);
  return at;
}

/** A directory that is the allocator's stays; its groups move. */
function largeCopy(directory: usize, at: usize): usize {
  const count = load<u32>(directory, DIRECTORY_COUNT);
  for (let index: u32 = 0; index < count; index++) {
    const group = directoryGroup(directory, index);
    if (groupType(group) == NONE || isStandalone(group)) continue;
    const moved = at;
    at = groupCopy(group, at, copiedCapacity(group));
    atomic.store<u32>(directory + DIRECTORY_HEADER + ((<usize>index) << 2), <u32>moved);
  }
  return at;
}

/** Copies the group's kept pairs to a block of `capacity` pairs at `to`, at least as many; answers the block's end. */
export function groupCopy(group: usize, to: usize, capacity: u32): usize {
  const used = load<u32>(group, GROUP_USED);
  const kept = pairsKept(group);
  check(kept <= capacity, 2012);
  groupHead(to, groupType(group), kept, load<u32>(group, GROUP_LIVE), capacity);
  if (kept == used) {
    pairsCopy(group + GROUP_HEADER, to + GROUP_HEADER, used);
    return to + groupBytes(capacity);
  }
  let at = to + GROUP_HEADER;
  for (let index: u32 = 0; index < used; index++) {
    const pair = groupPair(group, index);
    if (pairNeighbour(pair) == NONE) continue;
    store<u64>(at, load<u64>(pair));
    at += 8;
  }
  return to + groupBytes(capacity);
}

/** Most groups are short, where a call of memory.copy costs more than the copy. */
// @ts-ignore: decorator
@inline
function pairsCopy(from: usize, to: usize, count: u32): void {
  const bytes = (<usize>count) << 3;
  if (bytes > 256) {
    memory.copy(to, from, bytes);
    return;
  }
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16) v128.store(to + i, v128.load(from + i));
  if (i < bytes) store<u64>(to + i, load<u64>(from + i));
}

// --- Building directories -------------------------------------------------------------------------------------------------

/** An empty directory at `at`, not published yet. */
export function directoryStart(at: usize, capacity: u32): void {
  memory.fill(at, 0, directoryBytes(capacity));
  store<u32>(at, capacity, DIRECTORY_CAPACITY);
}

/** Adds a group of a new type behind the others; there is room. Readers see it once the count covers it. */
export function directoryAdd(directory: usize, group: usize): void {
  const count = load<u32>(directory, DIRECTORY_COUNT);
  const capacity = load<u32>(directory, DIRECTORY_CAPACITY);
  check(count < capacity, 2013);
  atomic.store<u32>(directory + DIRECTORY_HEADER + ((<usize>count) << 2), <u32>group);
  store<u32>(directory, load<u32>(directory, DIRECTORY_LIVE) + 1, DIRECTORY_LIVE);
  atomic.store<u32>(directory, count + 1, DIRECTORY_COUNT);
  const slotCount = directorySlotCount(capacity);
  if (slotCount == 0) return;
  const slots = directory + DIRECTORY_HEADER + ((<usize>capacity) << 2);
  let slot = typeHash(groupType(group)) & (slotCount - 1);
  while (true) {
    const at = slots + ((<usize>slot) << 2);
    const hint = load<u32>(at);
    // A hint to an emptied group, or to one taken back, serves again: lookups pass over it either way.
    if (hint == 0 || hint > count || groupType(directoryGroup(directory, hint - 1)) == NONE) {
      if (hint == 0) store<u32>(directory, load<u32>(directory, DIRECTORY_FILLED) + 1, DIRECTORY_FILLED);
      atomic.store<u32>(at, count + 1);
      return;
    }
    slot = (slot + 1) & (slotCount - 1);
  }
}
