// A growing list of 32-bit words in SCRATCH: chunks behind a directory, so that growing copies nothing but the directory.
//
//   list        u32 count, u32 directory, u32 directory capacity, u32 zero
//   directory   capacity x u32 chunk address

import { scratchAllocate } from '../memory/arena';

const CHUNK_SHIFT: u32 = 12;
const CHUNK_MASK: u32 = 4095;
const LIST_DIRECTORY: usize = 4;
const LIST_CAPACITY: usize = 8;
const LIST_BYTES: usize = 16;

/** An empty list; 0 = no scratch. */
export function listCreate(): usize {
  const list = scratchAllocate(LIST_BYTES);
  if (list) memory.fill(list, 0, LIST_BYTES);
  return list;
}

// @ts-ignore: decorator
@inline
export function listCount(list: usize): u32 {
  return load<u32>(list);
}

/** Keeps only the first `count` words; their chunks stay for the next ones. */
// @ts-ignore: decorator
@inline
export function listTruncate(list: usize, count: u32): void {
  store<u32>(list, count);
}

/** Address of word `index` < the count. */
// @ts-ignore: decorator
@inline
export function listAt(list: usize, index: u32): usize {
  const chunk = <usize>load<u32>(<usize>load<u32>(list, LIST_DIRECTORY) + 4 * <usize>(index >> CHUNK_SHIFT));
  return chunk + 4 * <usize>(index & CHUNK_MASK);
}

/** Appends a word; false without scratch. */
// @ts-ignore: decorator
@inline
export function listPush(list: usize, word: u32): bool {
  const count = load<u32>(list);
  if ((count & CHUNK_MASK) == 0 && !listRoom(list, count)) return false;
  store<u32>(list, count + 1);
  store<u32>(listAt(list, count), word);
  return true;
}

/** Makes sure that the chunk of word `index`, the first of its chunk, exists. */
function listRoom(list: usize, index: u32): bool {
  const place = index >> CHUNK_SHIFT;
  const capacity = load<u32>(list, LIST_CAPACITY);
  if (place >= capacity) {
    const larger = max<u32>(8, capacity << 1);
    const directory = scratchAllocate(4 * <usize>larger);
    if (directory == 0) return false;
    memory.copy(directory, <usize>load<u32>(list, LIST_DIRECTORY), 4 * <usize>capacity);
    memory.fill(directory + 4 * <usize>capacity, 0, 4 * <usize>(larger - capacity));
    store<u32>(list, <u32>directory, LIST_DIRECTORY);
    store<u32>(list, larger, LIST_CAPACITY);
  }
  const entry = <usize>load<u32>(list, LIST_DIRECTORY) + 4 * <usize>place;
  if (load<u32>(entry) == 0) {
    const chunk = scratchAllocate(4 << CHUNK_SHIFT);
    if (chunk == 0) return false;
    store<u32>(entry, <u32>chunk);
  }
  return true;
}
