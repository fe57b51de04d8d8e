// The map of a bulk import from file ids (any int32) to what they stand for: the ordinal of a vertex among the import's creates, or
// IS_EDGE. One entry a line, never removed; the whole map is dropped at the end. Only the writer's thread may use it.
//
// It starts as pages of 65,536 words found through a directory, 4 bytes an id: right for files that number their elements almost
// without gaps, in any number of ranges. When the pages hold less than a third of what they could, it turns into a hash of
// { u32 id, u32 value } in 4,096 segments that grow alone, so that growing never needs the whole table twice: 8 bytes an entry at a
// load between 0.58 and 0.875, 12 on average. It may know nothing of lines.

import { allocate, blockBytes, release } from '../memory/allocator';
import { NONE, PURPOSE_SCRATCH } from '../memory/layout';

/** What the map answers for the id of an edge: known, but no endpoint. */
export const IS_EDGE: u32 = 0xfffffffe;

export const ID_ADDED: i32 = 0;
export const ID_DUPLICATE: i32 = 1;
export const ID_NO_MEMORY: i32 = 2;

const PAGE_IDS: u32 = 65536;
const PAGE_SIZE: usize = 4 * <usize>PAGE_IDS;
const DIRECTORY_ENTRIES: u32 = 65536;
const SEGMENTS: u32 = 4096;
// A segment: u32 address of its table, then
const SEGMENT_CAPACITY: usize = 4;
const SEGMENT_COUNT: usize = 8;
const SEGMENT_BYTES: usize = 12;
/** Of a slot behind its id; NONE: the slot is free. */
const SLOT_VALUE: usize = 4;
/** So many pages are never called sparse: a small file with far-apart ids is small anyway. */
const FREE_PAGES: u32 = 4;

const MAP_DIRECTORY: usize = 0;
const MAP_PAGES: usize = 4;
const MAP_COUNT: usize = 8;
const MAP_SEGMENTS: usize = 12; // 0 while the map is paged
/** Bytes of the record a caller provides. */
export const FILE_IDS_BYTES: usize = 16;

/** Prepares the record at `map`; false: no memory. */
export function fileIdsInit(map: usize): bool {
  memory.fill(map, 0, FILE_IDS_BYTES);
  const directory = allocate(0, PURPOSE_SCRATCH, <usize>DIRECTORY_ENTRIES << 2);
  if (directory == 0) return false;
  memory.fill(directory, 0, <usize>DIRECTORY_ENTRIES << 2);
  store<u32>(map, <u32>directory, MAP_DIRECTORY);
  return true;
}

/** Frees everything but the record. */
export function fileIdsDrop(map: usize): void {
  dropPages(map);
  const segments = <usize>load<u32>(map, MAP_SEGMENTS);
  if (segments != 0) {
    for (let i: u32 = 0; i < SEGMENTS; i++) {
      const address = <usize>load<u32>(segments + <usize>i * SEGMENT_BYTES);
      if (address != 0) release(PURPOSE_SCRATCH, address);
    }
    release(PURPOSE_SCRATCH, segments);
  }
  memory.fill(map, 0, FILE_IDS_BYTES);
}

function dropPages(map: usize): void {
  const directory = <usize>load<u32>(map, MAP_DIRECTORY);
  if (directory == 0) return;
  for (let i: u32 = 0; i < DIRECTORY_ENTRIES; i++) {
    const page = <usize>load<u32>(directory + (<usize>i << 2));
    if (page != 0) release(PURPOSE_SCRATCH, page);
  }
  release(PURPOSE_SCRATCH, directory);
  store<u32>(map, 0, MAP_DIRECTORY);
}

/** What the id stands for; NONE when no line had it. */
export function fileIdFind(map: usize, id: u32): u32 {
  const directory = <usize>load<u32>(map, MAP_DIRECTORY);
  if (directory == 0) return hashFind(map, id);
  const page = <usize>load<u32>(directory + (<usize>(id >> 16) << 2));
  return page == 0 ? NONE : load<u32>(page + (<usize>(id & 0xffff) << 2));
}

/** Adds an id: ID_ADDED, ID_DUPLICATE or ID_NO_MEMORY. */
export function fileIdAdd(map: usize, id: u32, value: u32): i32 {
  const directory = <usize>load<u32>(map, MAP_DIRECTORY);
  if (directory == 0) return hashAdd(map, id, value);
  const entry = directory + (<usize>(id >> 16) << 2);
  let page = <usize>load<u32>(entry);
  if (page == 0) {
    const pages = load<u32>(map, MAP_PAGES) + 1;
    if (<u64>(pages - min(pages, FREE_PAGES)) * PAGE_IDS > <u64>load<u32>(map, MAP_COUNT) * 3) {
      return becomeHash(map) ? hashAdd(map, id, value) : ID_NO_MEMORY;
    }
    page = allocate(0, PURPOSE_SCRATCH, PAGE_SIZE);
    if (page == 0) return ID_NO_MEMORY;
    memory.fill(page, 0xff, PAGE_SIZE);
    store<u32>(entry, <u32>page);
    store<u32>(map, pages, MAP_PAGES);
  }
  const slot = page + (<usize>(id & 0xffff) << 2);
  if (load<u32>(slot) != NONE) return ID_DUPLICATE;
  store<u32>(slot, value);
  store<u32>(map, load<u32>(map, MAP_COUNT) + 1, MAP_COUNT);
  return ID_ADDED;
}

// --- Hash ---------------------------------------------------------------------------------------------------------------------------

/** Every id a different word, so that regular strides spread. */
// @ts-ignore: decorator
@inline
function mix(id: u32): u32 {
  let hash = id ^ (id >> 16);
  hash *= 0x7feb352d;
  hash ^= hash >> 15;
  hash *= 0x846ca68b;
  return hash ^ (hash >> 16);
}

// @ts-ignore: decorator
@inline
function segmentOf(map: usize, hash: u32): usize {
  return <usize>load<u32>(map, MAP_SEGMENTS) + <usize>(hash & (SEGMENTS - 1)) * SEGMENT_BYTES;
}

/** Slot of the id, or the free one where it belongs. The segment has at least one free slot. */
// @ts-ignore: decorator
@inline
function probe(table: usize, capacity: u32, hash: u32, id: u32): usize {
  let slot = table + (<usize>((<u64>hash * capacity) >> 32) << 3);
  const end = table + (<usize>capacity << 3);
  while (load<u32>(slot, SLOT_VALUE) != NONE && load<u32>(slot) != id) {
    slot += 8;
    if (slot == end) slot = table;
  }
  return slot;
}

function hashFind(map: usize, id: u32): u32 {
  const hash = mix(id);
  const segment = segmentOf(map, hash);
  const table = <usize>load<u32>(segment);
  return table == 0 ? NONE : load<u32>(probe(table, load<u32>(segment, SEGMENT_CAPACITY), hash, id), SLOT_VALUE);
}

function hashAdd(map: usize, id: u32, value: u32): i32 {
  const hash = mix(id);
  const segment = segmentOf(map, hash);
  const count = load<u32>(segment, SEGMENT_COUNT);
  if (<u64>(count + 1) * 8 > <u64>load<u32>(segment, SEGMENT_CAPACITY) * 7 && !growSegment(segment)) return ID_NO_MEMORY;
  const slot = probe(<usize>load<u32>(segment), load<u32>(segment, SEGMENT_CAPACITY), hash, id);
  if (load<u32>(slot, SLOT_VALUE) != NONE) return ID_DUPLICATE;
  store<u32>(slot, id);
  store<u32>(slot, value, SLOT_VALUE);
  store<u32>(segment, count + 1, SEGMENT_COUNT);
  store<u32>(map, load<u32>(map, MAP_COUNT) + 1, MAP_COUNT);
  return ID_ADDED;
}

function growSegment(segment: usize): bool {
  const oldCapacity = load<u32>(segment, SEGMENT_CAPACITY);
  const old = <usize>load<u32>(segment);
  const address = allocate(0, PURPOSE_SCRATCH, (<usize>oldCapacity + (oldCapacity >> 1) + 8) << 3);
  if (address == 0) return false;
  const capacity = <u32>(blockBytes(address) >> 3);
  memory.fill(address, 0xff, <usize>capacity << 3);
  for (let i: u32 = 0; i < oldCapacity; i++) {
    const entry = load<u64>(old + (<usize>i << 3));
    if (<u32>(entry >> 32) == NONE) continue;
    store<u64>(probe(address, capacity, mix(<u32>entry), <u32>entry), entry);
  }
  if (old != 0) release(PURPOSE_SCRATCH, old);
  store<u32>(segment, <u32>address);
  store<u32>(segment, capacity, SEGMENT_CAPACITY);
  return true;
}

function becomeHash(map: usize): bool {
  const segments = allocate(0, PURPOSE_SCRATCH, <usize>SEGMENTS * SEGMENT_BYTES);
  if (segments == 0) return false;
  memory.fill(segments, 0, <usize>SEGMENTS * SEGMENT_BYTES);
  store<u32>(map, <u32>segments, MAP_SEGMENTS);
  store<u32>(map, 0, MAP_COUNT);
  const directory = <usize>load<u32>(map, MAP_DIRECTORY);
  for (let i: u32 = 0; i < DIRECTORY_ENTRIES; i++) {
    const page = <usize>load<u32>(directory + (<usize>i << 2));
    if (page == 0) continue;
    for (let low: u32 = 0; low < PAGE_IDS; low++) {
      const value = load<u32>(page + (<usize>low << 2));
      if (value != NONE && hashAdd(map, (i << 16) | low, value) != ID_ADDED) return false;
    }
  }
  dropPages(map);
  return true;
}
