// Laying groups out when all of them are known beforehand, as trim, link and reserve do: regions as large as they may be, each with exactly
// what its vertices take, and blocks one behind the other in the order of vertices.
//
// A page is planned from the bytes that each of its 16 slots of 4,096 ids takes of a region (u32 each, the caller's room of SIZES_BYTES).
// The plan halves a region until it has at most SPLIT_BYTES, down to one slot. O(log slots) sums of at most 16 words a region.

import { allocate } from '../memory/allocator';
import { PURPOSE_ADJACENCY } from '../memory/layout';
import { groupHead } from './adjacency';
import { GROUP_STANDALONE, groupBytes, REGION_BLOCK_BYTES, REGION_SLOTS, regionOpen, regionTake, SPLIT_BYTES } from './regions';

/** Bytes of the sizes of a page's slots. */
export const SIZES_BYTES: usize = (<usize>REGION_SLOTS) << 2;

/** Bytes that a block takes of a region; none if it is the allocator's own. */
// @ts-ignore: decorator
@inline
export function regionShare(bytes: usize): usize {
  return bytes <= REGION_BLOCK_BYTES ? bytes : 0;
}

// @ts-ignore: decorator
@inline
export function slotSize(sizes: usize, slot: u32, bytes: usize): void {
  store<u32>(sizes + ((<usize>slot) << 2), <u32>bytes);
}

/**
 * Opens the region that begins at slot `first` of the page of id `base`, in `heap`. Answers how many slots it is for, a power of two that
 * divides `first`; 0 = no memory.
 */
export function regionPlan(heap: u32, state: usize, base: u32, sizes: usize, first: u32): u32 {
  let count = REGION_SLOTS;
  let bytes = slotsBytes(sizes, first, count);
  while (count > 1 && ((first & (count - 1)) != 0 || bytes > SPLIT_BYTES)) {
    count >>= 1;
    bytes = slotsBytes(sizes, first, count);
  }
  return regionOpen(heap, state, base, first, count, bytes) ? count : 0;
}

function slotsBytes(sizes: usize, first: u32, count: u32): usize {
  const end = min<u32>(first + count, REGION_SLOTS);
  let bytes: usize = 0;
  for (let slot = first; slot < end; slot++) bytes += <usize>load<u32>(sizes + ((<usize>slot) << 2));
  return bytes;
}

/** A block of the vertex's region, or of `heap` if it is too large for one; 0 = no memory. */
export function blockTake(heap: u32, state: usize, vertex: u32, bytes: usize): usize {
  return bytes <= REGION_BLOCK_BYTES ? regionTake(state, vertex, bytes) : allocate(heap, PURPOSE_ADJACENCY, bytes);
}

/** A group for exactly `capacity` pairs, of which `used` are about to be written, all of them live; 0 = no memory. */
export function groupMake(heap: u32, state: usize, vertex: u32, type: u32, capacity: u32, used: u32): usize {
  const bytes = groupBytes(capacity);
  const group = blockTake(heap, state, vertex, bytes);
  if (group == 0) return 0;
  groupHead(group, type, used, used, bytes <= REGION_BLOCK_BYTES ? capacity : capacity | GROUP_STANDALONE);
  return group;
}
