// The elements of one key: a set of ids in ascending order that readers walk while the writer changes it.
//
//   postings word   0                 no element
//                   id << 1 | 1       one element
//                   chunk             up to CHUNK_MOST of them
//                   directory | 2     more
//   chunk           u32 used (atomic), u16 capacity, u16 dead, then ids ascending; bit 31 marks one that was removed
//   directory       u32 count (atomic), u32 capacity, u32 live ids, u32 zero, then { u32 chunk (atomic), u32 id at most its first }
//
// An id at the end is written behind the used ones and covered by the count; anywhere else the chunk is copied, published with one
// store and retired. So a million ids of one key cost no more each than a copy of 2 KiB, however they come. Removing marks the id and
// cannot fail; a chunk that is half dead is copied without its dead, if memory allows.
// Knows the allocator and the retire list; nothing of elements and keys.

import { allocate, blockBytes, release } from '../memory/allocator';
import { NONE, PURPOSE_INDEXES } from '../memory/layout';
import { blockRetire, blocksReserve } from './blocks';

const CHUNK_USED: usize = 0;
const CHUNK_CAPACITY: usize = 4; // u16
const CHUNK_DEAD: usize = 6; //     u16
const CHUNK_HEADER: usize = 8;
const CHUNK_FIRST: u32 = 2;
const CHUNK_MOST: u32 = 510;
const DEAD: u32 = 0x80000000;
const ID_MASK: u32 = 0x7fffffff;

const DIRECTORY_COUNT: usize = 0;
const DIRECTORY_CAPACITY: usize = 4;
const DIRECTORY_LIVE: usize = 8;
const DIRECTORY_HEADER: usize = 16;
const DIRECTORY_FIRST: u32 = 4;
/** Of an entry: no id of its chunk is lower. */
const ENTRY_LEAST: usize = 4;

// What postingsAdd answers.
export const POSTING_ADDED: i32 = 1;
export const POSTING_PRESENT: i32 = 0;
export const POSTING_NO_MEMORY: i32 = -1;

// @ts-ignore: decorator
@inline
function idAt(chunk: usize, index: u32): usize {
  return chunk + CHUNK_HEADER + ((<usize>index) << 2);
}

// @ts-ignore: decorator
@inline
function entryAt(directory: usize, index: u32): usize {
  return directory + DIRECTORY_HEADER + ((<usize>index) << 3);
}

/** The chunk or directory behind a word that is no single id. */
// @ts-ignore: decorator
@inline
function blockOf(word: u32): usize {
  return <usize>(word & ~7);
}

// @ts-ignore: decorator
@inline
function isDirectory(word: u32): bool {
  return (word & 3) == 2;
}

// --- Reading (any thread, a word loaded once) ------------------------------------------------------------------------------

/** Number of runs to walk with postingsRun: 0 for a single id or none. */
export function postingsRuns(word: u32): u32 {
  if ((word & 1) != 0 || word == 0) return 0;
  return isDirectory(word) ? atomic.load<u32>(blockOf(word), DIRECTORY_COUNT) : 1;
}

/** Run `index`: a chunk. */
export function postingsRun(word: u32, index: u32): usize {
  return isDirectory(word) ? <usize>atomic.load<u32>(entryAt(blockOf(word), index)) : blockOf(word);
}

/** Ids of a run, dead ones included. */
// @ts-ignore: decorator
@inline
export function runCount(chunk: usize): u32 {
  return atomic.load<u32>(chunk, CHUNK_USED);
}

/** Id `index` of a run; NONE when it was removed. */
// @ts-ignore: decorator
@inline
export function runId(chunk: usize, index: u32): u32 {
  const id = atomic.load<u32>(idAt(chunk, index));
  return (id & DEAD) != 0 ? NONE : id;
}

/** Live ids. [W] */
export function postingsCount(word: u32): u32 {
  if (word == 0) return 0;
  if ((word & 1) != 0) return 1;
  const block = blockOf(word);
  return isDirectory(word) ? load<u32>(block, DIRECTORY_LIVE) : chunkLive(block);
}

// --- Chunks ------------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function chunkLive(chunk: usize): u32 {
  return load<u32>(chunk, CHUNK_USED) - <u32>load<u16>(chunk, CHUNK_DEAD);
}

function chunkCreate(heap: u32, wanted: u32): usize {
  let capacity = CHUNK_FIRST;
  while (capacity < wanted) capacity = (capacity << 1) + 2;
  const chunk = allocate(heap, PURPOSE_INDEXES, CHUNK_HEADER + ((<usize>capacity) << 2));
  if (chunk == 0) return 0;
  store<u32>(chunk, 0, CHUNK_USED);
  store<u16>(chunk, <u16>capacity, CHUNK_CAPACITY);
  store<u16>(chunk, 0, CHUNK_DEAD);
  return chunk;
}

/** First place whose id is not below `id`. */
function lowerBound(chunk: usize, id: u32): u32 {
  let low: u32 = 0;
  let high = load<u32>(chunk, CHUNK_USED);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((load<u32>(idAt(chunk, middle)) & ID_MASK) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Copies live ids from place `from` on behind those of `to`. */
function liveCopy(chunk: usize, from: u32, end: u32, to: usize): void {
  let used = load<u32>(to, CHUNK_USED);
  for (let i = from; i < end; i++) {
    const id = load<u32>(idAt(chunk, i));
    if ((id & DEAD) != 0) continue;
    store<u32>(idAt(to, used), id);
    used++;
  }
  store<u32>(to, used, CHUNK_USED);
}

function append(chunk: usize, id: u32): void {
  const used = load<u32>(chunk, CHUNK_USED);
  store<u32>(idAt(chunk, used), id);
  store<u32>(chunk, used + 1, CHUNK_USED);
}

// --- Adding [W] ----------------------------------------------------------------------------------------------------------------

/** Adds `id` to the postings whose word is at `at`. POSTING_ADDED, POSTING_PRESENT or POSTING_NO_MEMORY. */
export function postingsAdd(heap: u32, at: usize, id: u32): i32 {
  const word = load<u32>(at);
  if (word == 0) {
    atomic.store<u32>(at, (id << 1) | 1);
    return POSTING_ADDED;
  }
  if ((word & 1) != 0) {
    const other = word >> 1;
    if (other == id) return POSTING_PRESENT;
    const chunk = chunkCreate(heap, 2);
    if (chunk == 0) return POSTING_NO_MEMORY;
    append(chunk, min<u32>(other, id));
    append(chunk, max<u32>(other, id));
    atomic.store<u32>(at, <u32>chunk);
    return POSTING_ADDED;
  }
  if (isDirectory(word)) return directoryAdd(heap, at, blockOf(word), id);
  const code = chunkAdd(heap, at, word, id);
  return code == CHUNK_FULL ? directoryStart(heap, at, word, id) : code;
}

const CHUNK_FULL: i32 = 2;

/** Adds to the chunk whose address stands at `at`, and may put another one there. */
function chunkAdd(heap: u32, at: usize, chunk: usize, id: u32): i32 {
  const used = load<u32>(chunk, CHUNK_USED);
  const place = used != 0 && (load<u32>(idAt(chunk, used - 1)) & ID_MASK) < id ? used : lowerBound(chunk, id);
  if (place < used && (load<u32>(idAt(chunk, place)) & ID_MASK) == id) {
    if ((load<u32>(idAt(chunk, place)) & DEAD) == 0) return POSTING_PRESENT;
    atomic.store<u32>(idAt(chunk, place), id);
    store<u16>(chunk, load<u16>(chunk, CHUNK_DEAD) - 1, CHUNK_DEAD);
    return POSTING_ADDED;
  }
  if (place == used && used < <u32>load<u16>(chunk, CHUNK_CAPACITY)) {
    store<u32>(idAt(chunk, used), id);
    atomic.store<u32>(chunk, used + 1, CHUNK_USED);
    return POSTING_ADDED;
  }
  const live = chunkLive(chunk);
  if (live >= CHUNK_MOST) return CHUNK_FULL;
  if (!blocksReserve(1)) return POSTING_NO_MEMORY;
  const copy = chunkCreate(heap, live + 1);
  if (copy == 0) return POSTING_NO_MEMORY;
  liveCopy(chunk, 0, place, copy);
  append(copy, id);
  liveCopy(chunk, place, used, copy);
  atomic.store<u32>(at, <u32>copy);
  blockRetire(chunk);
  return POSTING_ADDED;
}

function directoryCreate(heap: u32, capacity: u32): usize {
  const directory = allocate(heap, PURPOSE_INDEXES, DIRECTORY_HEADER + ((<usize>capacity) << 3));
  if (directory == 0) return 0;
  const room = <u32>((blockBytes(directory) - DIRECTORY_HEADER) >> 3);
  store<u32>(directory, 0, DIRECTORY_COUNT);
  store<u32>(directory, room, DIRECTORY_CAPACITY);
  store<u64>(directory, 0, DIRECTORY_LIVE);
  return directory;
}

/** The full chunk `word` becomes two under a directory, or one and a new one at the end. */
function directoryStart(heap: u32, at: usize, word: u32, id: u32): i32 {
  const directory = directoryCreate(heap, DIRECTORY_FIRST);
  if (directory == 0) return POSTING_NO_MEMORY;
  store<u32>(entryAt(directory, 0), word);
  store<u32>(entryAt(directory, 0), 0, ENTRY_LEAST);
  store<u32>(directory, 1, DIRECTORY_COUNT);
  store<u32>(directory, chunkLive(<usize>word), DIRECTORY_LIVE);
  // Not published yet, so the halves may be put in place.
  const code = directorySplit(heap, at, directory, 0, id, false);
  if (code != POSTING_ADDED) release(PURPOSE_INDEXES, directory);
  return code;
}

/** Place of the chunk that `id` belongs to. */
function chunkPlace(directory: usize, id: u32): u32 {
  let low: u32 = 1;
  let high = load<u32>(directory, DIRECTORY_COUNT);
  if (high > 1 && load<u32>(entryAt(directory, high - 1), ENTRY_LEAST) <= id) return high - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(entryAt(directory, middle), ENTRY_LEAST) <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function directoryAdd(heap: u32, at: usize, directory: usize, id: u32): i32 {
  const place = chunkPlace(directory, id);
  const entry = entryAt(directory, place);
  const code = chunkAdd(heap, entry, <usize>load<u32>(entry), id);
  if (code == CHUNK_FULL) return directorySplit(heap, at, directory, place, id, true);
  if (code == POSTING_ADDED) store<u32>(directory, load<u32>(directory, DIRECTORY_LIVE) + 1, DIRECTORY_LIVE);
  return code;
}

/** Adds `id` to the full chunk at `place` by splitting it. `published`: readers know the directory. */
function directorySplit(heap: u32, at: usize, directory: usize, place: u32, id: u32, published: bool): i32 {
  const chunk = <usize>load<u32>(entryAt(directory, place));
  const used = load<u32>(chunk, CHUNK_USED);
  const count = load<u32>(directory, DIRECTORY_COUNT);
  const last = (load<u32>(idAt(chunk, used - 1)) & ID_MASK) < id && place == count - 1;
  if (!blocksReserve(2)) return POSTING_NO_MEMORY;
  // Ids that keep growing leave full chunks behind them.
  const half = last ? used : used >> 1;
  const lower = last ? chunk : chunkCreate(heap, CHUNK_MOST);
  const upper: usize = lower == 0 ? 0 : chunkCreate(heap, last ? 62 : CHUNK_MOST);
  const grown: usize = upper == 0 ? 0 : directoryFor(heap, directory, place, published);
  if (grown == 0) {
    if (upper != 0) release(PURPOSE_INDEXES, upper);
    if (lower != 0 && !last) release(PURPOSE_INDEXES, lower);
    return POSTING_NO_MEMORY;
  }
  const middle = last ? id : load<u32>(idAt(chunk, half)) & ID_MASK;
  if (last) append(upper, id);
  else {
    const position = lowerBound(chunk, id);
    if (position <= half) {
      liveCopy(chunk, 0, position, lower);
      append(lower, id);
      liveCopy(chunk, position, half, lower);
      liveCopy(chunk, half, used, upper);
    } else {
      liveCopy(chunk, 0, half, lower);
      liveCopy(chunk, half, position, upper);
      append(upper, id);
      liveCopy(chunk, position, used, upper);
    }
  }
  // An id that goes right in front of the middle went to the lower half.
  entriesWrite(directory, grown, place, lower, upper, middle);
  store<u32>(grown, load<u32>(directory, DIRECTORY_LIVE) + 1, DIRECTORY_LIVE);
  atomic.store<u32>(at, <u32>grown | 2);
  if (grown != directory) {
    if (published) blockRetire(directory);
    else release(PURPOSE_INDEXES, directory);
  }
  if (!last) blockRetire(chunk);
  return POSTING_ADDED;
}

/** The directory to write one more entry to: itself when readers cannot see it happen, else a new one. */
function directoryFor(heap: u32, directory: usize, place: u32, published: bool): usize {
  const count = load<u32>(directory, DIRECTORY_COUNT);
  const capacity = load<u32>(directory, DIRECTORY_CAPACITY);
  if (count < capacity && !published) return directory;
  return directoryCreate(heap, count < capacity ? capacity : capacity << 1);
}

function entriesWrite(from: usize, to: usize, place: u32, lower: usize, upper: usize, middle: u32): void {
  const count = load<u32>(from, DIRECTORY_COUNT);
  const behind = <usize>(count - place - 1) << 3;
  memory.copy(entryAt(to, place + 2), entryAt(from, place + 1), behind);
  if (to != from) memory.copy(entryAt(to, 0), entryAt(from, 0), (<usize>place + 1) << 3);
  store<u32>(entryAt(to, place), <u32>lower);
  store<u32>(entryAt(to, place + 1), <u32>upper);
  store<u32>(entryAt(to, place + 1), middle, ENTRY_LEAST);
  store<u32>(to, count + 1, DIRECTORY_COUNT);
}

// --- Removing [W] --------------------------------------------------------------------------------------------------------------

/** Removes `id`; false when it is not there. Cannot fail. */
export function postingsRemove(heap: u32, at: usize, id: u32): bool {
  const word = load<u32>(at);
  if (word == 0) return false;
  if ((word & 1) != 0) {
    if (word >> 1 != id) return false;
    atomic.store<u32>(at, 0);
    return true;
  }
  if (!isDirectory(word)) return chunkRemove(heap, at, id);
  const directory = blockOf(word);
  const place = chunkPlace(directory, id);
  if (!chunkRemove(heap, entryAt(directory, place), id)) return false;
  store<u32>(directory, load<u32>(directory, DIRECTORY_LIVE) - 1, DIRECTORY_LIVE);
  if (chunkLive(<usize>load<u32>(entryAt(directory, place))) == 0) chunkDrop(heap, at, directory, place);
  return true;
}

/** Marks the id in the chunk whose address stands at `at`; puts a copy without the dead there when half of it is. */
function chunkRemove(heap: u32, at: usize, id: u32): bool {
  const chunk: usize = load<u32>(at);
  const used = load<u32>(chunk, CHUNK_USED);
  const place = lowerBound(chunk, id);
  if (place == used || load<u32>(idAt(chunk, place)) != id) return false;
  atomic.store<u32>(idAt(chunk, place), id | DEAD);
  const dead = <u32>load<u16>(chunk, CHUNK_DEAD) + 1;
  store<u16>(chunk, <u16>dead, CHUNK_DEAD);
  const live = used - dead;
  if (live == 0 || dead << 1 < used || used < 8 || !blocksReserve(1)) return true;
  const copy = chunkCreate(heap, live);
  if (copy == 0) return true;
  liveCopy(chunk, 0, used, copy);
  atomic.store<u32>(at, <u32>copy);
  blockRetire(chunk);
  return true;
}

/** Takes a chunk without live ids out of the directory, if memory allows and it is not the only one. */
function chunkDrop(heap: u32, at: usize, directory: usize, place: u32): void {
  const count = load<u32>(directory, DIRECTORY_COUNT);
  if (count == 1 || !blocksReserve(2)) return;
  const copy = directoryCreate(heap, count);
  if (copy == 0) return;
  memory.copy(entryAt(copy, 0), entryAt(directory, 0), (<usize>place) << 3);
  memory.copy(entryAt(copy, place), entryAt(directory, place + 1), (<usize>(count - place - 1)) << 3);
  store<u32>(copy, count - 1, DIRECTORY_COUNT);
  store<u32>(copy, load<u32>(directory, DIRECTORY_LIVE), DIRECTORY_LIVE);
  const chunk: usize = load<u32>(entryAt(directory, place));
  atomic.store<u32>(at, <u32>copy | 2);
  blockRetire(chunk);
  blockRetire(directory);
}

/** Marks all ids removed in place: what to do when memory is too short to let the blocks go. */
export function postingsClear(at: usize): void {
  const word = load<u32>(at);
  const runs = postingsRuns(word);
  for (let r: u32 = 0; r < runs; r++) {
    const chunk = postingsRun(word, r);
    const used = load<u32>(chunk, CHUNK_USED);
    for (let i: u32 = 0; i < used; i++) atomic.store<u32>(idAt(chunk, i), load<u32>(idAt(chunk, i)) | DEAD);
    store<u16>(chunk, <u16>used, CHUNK_DEAD);
  }
  if (runs == 0) atomic.store<u32>(at, 0);
  else if (isDirectory(word)) store<u32>(blockOf(word), 0, DIRECTORY_LIVE);
}

/** How many retires `postingsRetire` makes. */
export function postingsBlocks(word: u32): u32 {
  const runs = postingsRuns(word);
  return isDirectory(word) ? runs + 1 : runs;
}

/** Retires the blocks behind a word that nobody can reach any more. The room has been reserved. */
export function postingsRetire(word: u32): void {
  const runs = postingsRuns(word);
  for (let i: u32 = 0; i < runs; i++) blockRetire(postingsRun(word, i));
  if (isDirectory(word)) blockRetire(blockOf(word));
}
