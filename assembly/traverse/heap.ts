// A heap of four children a node in SCRATCH: least key first, then fewest hops; the order of entries equal in both is not fixed.
//
//   heap     u32 count, u32 capacity, u32 entries, u32 zero
//   entry    f64 key, u32 hops, u32 value

import { scratchAllocate } from '../memory/arena';

const HEAP_CAPACITY: usize = 4;
const HEAP_ENTRIES: usize = 8;
const HEAP_BYTES: usize = 16;
const ENTRY_HOPS: usize = 8;
const ENTRY_VALUE: usize = 12;
const ENTRY: usize = 16;
const START: u32 = 1024;

/** An empty heap; 0 = no scratch. */
export function heapCreate(): usize {
  const heap = scratchAllocate(HEAP_BYTES);
  if (heap) memory.fill(heap, 0, HEAP_BYTES);
  return heap;
}

// @ts-ignore: decorator
@inline
export function heapCount(heap: usize): u32 {
  return load<u32>(heap);
}

export function heapClear(heap: usize): void {
  store<u32>(heap, 0);
}

/** Key of the least entry of a heap that has one. */
// @ts-ignore: decorator
@inline
export function heapKey(heap: usize): f64 {
  return load<f64>(<usize>load<u32>(heap, HEAP_ENTRIES));
}

/** Value of the least entry. */
// @ts-ignore: decorator
@inline
export function heapTop(heap: usize): u32 {
  return load<u32>(<usize>load<u32>(heap, HEAP_ENTRIES), ENTRY_VALUE);
}

// @ts-ignore: decorator
@inline
function before(key: f64, hops: u32, entry: usize): bool {
  const other = load<f64>(entry);
  return key < other || (key == other && hops < load<u32>(entry, ENTRY_HOPS));
}

/** Adds an entry; false without scratch. */
export function heapPush(heap: usize, key: f64, value: u32, hops: u32): bool {
  const count = load<u32>(heap);
  if (count == load<u32>(heap, HEAP_CAPACITY) && !heapGrow(heap, count)) return false;
  store<u32>(heap, count + 1);
  const entries = <usize>load<u32>(heap, HEAP_ENTRIES);
  let place = count;
  while (place != 0) {
    const parent = (place - 1) >> 2;
    const entry = entries + ENTRY * <usize>parent;
    if (!before(key, hops, entry)) break;
    v128.store(entries + ENTRY * <usize>place, v128.load(entry));
    place = parent;
  }
  put(entries + ENTRY * <usize>place, key, hops, value);
  return true;
}

/** Removes the least entry of a heap that has one. */
export function heapPop(heap: usize): void {
  const count = load<u32>(heap) - 1;
  store<u32>(heap, count);
  if (count == 0) return;
  const entries = <usize>load<u32>(heap, HEAP_ENTRIES);
  const last = entries + ENTRY * <usize>count;
  const key = load<f64>(last);
  const hops = load<u32>(last, ENTRY_HOPS);
  const value = load<u32>(last, ENTRY_VALUE);
  let place: u32 = 0;
  while (true) {
    let child = (place << 2) + 1;
    if (child >= count) break;
    let least = entries + ENTRY * <usize>child;
    const end = min<u32>(child + 4, count);
    for (let other = child + 1; other < end; other++) {
      const entry = entries + ENTRY * <usize>other;
      if (before(load<f64>(entry), load<u32>(entry, ENTRY_HOPS), least)) {
        least = entry;
        child = other;
      }
    }
    if (!before(load<f64>(least), load<u32>(least, ENTRY_HOPS), last)) break;
    v128.store(entries + ENTRY * <usize>place, v128.load(least));
    place = child;
  }
  put(entries + ENTRY * <usize>place, key, hops, value);
}

// @ts-ignore: decorator
@inline
function put(entry: usize, key: f64, hops: u32, value: u32): void {
  store<f64>(entry, key);
  store<u32>(entry, hops, ENTRY_HOPS);
  store<u32>(entry, value, ENTRY_VALUE);
}

function heapGrow(heap: usize, count: u32): bool {
  const capacity = max<u32>(START, count << 1);
  const entries = scratchAllocate(ENTRY * <usize>capacity);
  if (entries == 0) return false;
  memory.copy(entries, <usize>load<u32>(heap, HEAP_ENTRIES), ENTRY * <usize>count);
  store<u32>(heap, capacity, HEAP_CAPACITY);
  store<u32>(heap, <u32>entries, HEAP_ENTRIES);
  return true;
}
