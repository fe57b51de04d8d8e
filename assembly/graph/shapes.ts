// Shapes: the sets of (key, type) that elements have in common.
//
//   shape   u32 hash, u32 count, u32 references, u32 next in its hash bucket,
//           count x { u32 key (intern id), u32 type }   in ordinal order of the keys' text (UTF-16 code units),
//           with more than 16 entries: count x u32 entry index, ascending by key id
//
// Rows with the same keys and types share one shape, so who scans asks once a shape where a key stands. A shape lives in its
// graph's heap and counts the rows (and running operations) that use it; at zero it leaves the table and is retired.
// An empty shape never exists. The hash is a sum over the entries, so a neighbouring shape's hash is one step away.

import { allocate, release } from '../memory/allocator';
import { check } from '../memory/check';
import { PURPOSE_PROPERTIES, PURPOSE_SYSTEM } from '../memory/layout';
import { retire } from '../memory/retire';
import { compareStrings } from '../values/utf8';
import { INTERN_HEADER, internAddress } from './intern';
import { STATE_SHAPE_BUCKET_COUNT, STATE_SHAPE_BUCKETS, STATE_SHAPE_COUNT, stateHeap } from './state';

const SHAPE_HASH: usize = 0;
const SHAPE_COUNT: usize = 4;
const SHAPE_REFERENCES: usize = 8;
const SHAPE_NEXT: usize = 12;
const SHAPE_HEADER: usize = 16;
/** Of an entry, behind its key. */
const ENTRY_TYPE: usize = 4;
/** Up to this many entries a key is found by walking them. */
const SHAPE_PLAIN: u32 = 16;
const FIRST_BUCKETS: u32 = 16;

// --- Any thread ------------------------------------------------------------------------------------------------------------

/** Number of entries. */
// @ts-ignore: decorator
@inline
export function shapeCount(shape: usize): u32 {
  return load<u32>(shape, SHAPE_COUNT);
}

/** Intern id of the key of entry `index`. */
// @ts-ignore: decorator
@inline
export function shapeKey(shape: usize, index: u32): u32 {
  return load<u32>(entryAddress(shape, index));
}

/** Type of entry `index` (values/types.ts). */
// @ts-ignore: decorator
@inline
export function shapeType(shape: usize, index: u32): u32 {
  return load<u32>(entryAddress(shape, index), ENTRY_TYPE);
}

/** Slot of the key, or -1. */
export function shapeSlot(shape: usize, key: u32): i32 {
  const count = shapeCount(shape);
  if (count <= SHAPE_PLAIN) {
    for (let i: u32 = 0; i < count; i++) {
      if (shapeKey(shape, i) == key) return <i32>i;
    }
    return -1;
  }
  const at = indexLowerBound(shape, key);
  if (at == count) return -1;
  const entry = load<u32>(indexAddress(shape, count) + ((<usize>at) << 2));
  return shapeKey(shape, entry) == key ? <i32>entry : -1;
}

// @ts-ignore: decorator
@inline
function entryAddress(shape: usize, index: u32): usize {
  return shape + SHAPE_HEADER + ((<usize>index) << 3);
}

/** Address of the entries, `shapeCount` times { u32 key, u32 type }. */
// @ts-ignore: decorator
@inline
export function shapeEntries(shape: usize): usize {
  return shape + SHAPE_HEADER;
}

// --- Writer: counting ------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
export function shapeRetain(shape: usize, count: u32): void {
  store<u32>(shape, load<u32>(shape, SHAPE_REFERENCES) + count, SHAPE_REFERENCES);
}

/** One user less. At zero the shape is retired: one retire entry has been reserved. */
// @ts-ignore: decorator
@inline
export function shapeRelease(state: usize, shape: usize): void {
  const references = load<u32>(shape, SHAPE_REFERENCES) - 1;
  check(references != 0xffffffff, 2030);
  store<u32>(shape, references, SHAPE_REFERENCES);
  if (references == 0) shapeUnlink(state, shape, true);
}

/** Frees a shape that was made for a row that never came to be; does nothing to one in use. */
export function shapeDiscard(state: usize, shape: usize): void {
  if (load<u32>(shape, SHAPE_REFERENCES) == 0) shapeUnlink(state, shape, false);
}

// @ts-ignore: decorator
@inline
export function shapeReferences(shape: usize): u32 {
  return load<u32>(shape, SHAPE_REFERENCES);
}

/** Next shape of the graph in no particular order, 0 = that was the last; `shape` 0 begins. Writer only. */
export function shapeNext(state: usize, shape: usize): usize {
  const buckets: usize = load<u32>(state, STATE_SHAPE_BUCKETS);
  const count = load<u32>(state, STATE_SHAPE_BUCKET_COUNT);
  let bucket: u32 = 0;
  if (shape != 0) {
    const next = load<u32>(shape, SHAPE_NEXT);
    if (next != 0) return next;
    bucket = (load<u32>(shape, SHAPE_HASH) & (count - 1)) + 1;
  }
  for (; bucket < count; bucket++) {
    const head = load<u32>(buckets + ((<usize>bucket) << 2));
    if (head != 0) return head;
  }
  return 0;
}

/** True when the shape stands in the graph's table. */
export function shapeIsListed(state: usize, shape: usize): bool {
  const mask = load<u32>(state, STATE_SHAPE_BUCKET_COUNT) - 1;
  const bucket = load<u32>(state, STATE_SHAPE_BUCKETS) + ((load<u32>(shape, SHAPE_HASH) & mask) << 2);
  let listed: usize = load<u32>(bucket);
  while (listed != 0 && listed != shape) listed = load<u32>(listed, SHAPE_NEXT);
  return listed == shape;
}

function shapeUnlink(state: usize, shape: usize, mayBeSeen: bool): void {
  const count = load<u32>(state, STATE_SHAPE_BUCKET_COUNT);
  const bucket = load<u32>(shape, SHAPE_HASH) & (count - 1);
  let at = <usize>load<u32>(state, STATE_SHAPE_BUCKETS) + ((<usize>bucket) << 2);
  while (<usize>load<u32>(at) != shape) {
    check(load<u32>(at) != 0, 2031);
    at = <usize>load<u32>(at) + SHAPE_NEXT;
  }
  store<u32>(at, load<u32>(shape, SHAPE_NEXT));
  store<u32>(state, load<u32>(state, STATE_SHAPE_COUNT) - 1, STATE_SHAPE_COUNT);
  if (mayBeSeen) retire(PURPOSE_PROPERTIES, shape);
  else release(PURPOSE_PROPERTIES, shape);
}

// --- Writer: finding or making a shape -----------------------------------------------------------------------------------------

/**
 * The shape with these entries ({ key, type } pairs in ordinal order of the keys, at least one), found or made; 0 = no memory.
 * A new one has no users yet: `shapeRetain` it or `shapeDiscard` it.
 */
export function shapeOf(state: usize, entries: usize, count: u32): usize {
  let hash: u32 = 0;
  for (let i: u32 = 0; i < count; i++) hash += entryHash(load<u64>(entries + ((<usize>i) << 3)));
  const found = shapeFind(state, hash, entries, count);
  if (found != 0) return found;
  const shape = shapeAllocate(state, hash, count);
  if (shape == 0) return 0;
  memory.copy(shape + SHAPE_HEADER, entries, (<usize>count) << 3);
  if (count > SHAPE_PLAIN) indexSort(shape, count);
  shapeLink(state, shape);
  return shape;
}

/** The shape that has the entry {key, type} besides, or in place of the key's entry `slot` (-1 = it has none). 0 = no memory. */
export function shapeWith(state: usize, shape: usize, slot: i32, key: u32, type: u32): usize {
  const count: u32 = shape == 0 ? 0 : shapeCount(shape);
  const at: u32 = slot >= 0 ? <u32>slot : shape == 0 ? 0 : shapePosition(shape, key);
  return shapeStep(state, shape, count, at, u32(slot >= 0), 1, <u64>key | ((<u64>type) << 32));
}

/** The shape without entry `slot`, where it has others. 0 = no memory. */
export function shapeWithout(state: usize, shape: usize, slot: u32): usize {
  return shapeStep(state, shape, shapeCount(shape), slot, 1, 0, 0);
}

/** Where in ordinal order the key belongs. */
export function shapePosition(shape: usize, key: u32): u32 {
  let low: u32 = 0;
  let high = shapeCount(shape);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(shapeKey(shape, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ordinal order of two keys by their intern ids. */
export function compareKeys(a: u32, b: u32): i32 {
  if (a == b) return 0;
  const left = internAddress(a);
  const right = internAddress(b);
  return compareStrings(left + INTERN_HEADER, load<u32>(left), right + INTERN_HEADER, load<u32>(right));
}

/** The shape where `removed` (0, 1) entries at `at` gave way to `added` (0, 1) entries: one step, without sorting anything. */
function shapeStep(state: usize, shape: usize, count: u32, at: u32, removed: u32, added: u32, entry: u64): usize {
  const total = count + added - removed;
  const from = shape + SHAPE_HEADER;
  const before = (<usize>at) << 3;
  const behind = (<usize>(at + removed)) << 3;
  let hash: u32 = shape == 0 ? 0 : load<u32>(shape, SHAPE_HASH);
  if (removed != 0) hash -= entryHash(load<u64>(from + before));
  if (added != 0) hash += entryHash(entry);
  // The new shape is built before it is looked up: what it costs when there is one already is a copy.
  const fresh = shapeAllocate(state, hash, total);
  if (fresh == 0) return 0;
  const to = fresh + SHAPE_HEADER;
  if (count != 0) memory.copy(to, from, before);
  if (added != 0) store<u64>(to + before, entry);
  if (count != 0) memory.copy(to + before + ((<usize>added) << 3), from + behind, ((<usize>count) << 3) - behind);
  const found = shapeFind(state, hash, to, total);
  if (found != 0) {
    release(PURPOSE_PROPERTIES, fresh);
    return found;
  }
  if (total > SHAPE_PLAIN) {
    if (count > SHAPE_PLAIN) indexStep(shape, fresh, at, removed, added);
    else indexSort(fresh, total);
  }
  shapeLink(state, fresh);
  return fresh;
}

// @ts-ignore: decorator
@inline
function entryHash(entry: u64): u32 {
  const mixed = entry * 0x9e3779b97f4a7c15;
  return <u32>(mixed >> 32) ^ <u32>(mixed >> 13);
}

function shapeFind(state: usize, hash: u32, entries: usize, count: u32): usize {
  const buckets = load<u32>(state, STATE_SHAPE_BUCKET_COUNT);
  if (buckets == 0) return 0;
  let shape: usize = load<u32>(<usize>load<u32>(state, STATE_SHAPE_BUCKETS) + ((<usize>(hash & (buckets - 1))) << 2));
  while (shape != 0) {
    if (load<u32>(shape, SHAPE_HASH) == hash && shapeCount(shape) == count) {
      if (memory.compare(shape + SHAPE_HEADER, entries, (<usize>count) << 3) == 0) return shape;
    }
    shape = load<u32>(shape, SHAPE_NEXT);
  }
  return 0;
}

/** A shape outside the table with unset entries; makes room in the table as well. */
function shapeAllocate(state: usize, hash: u32, count: u32): usize {
  if (!bucketsReady(state)) return 0;
  const bytes = SHAPE_HEADER + ((<usize>count) << 3) + (count > SHAPE_PLAIN ? (<usize>count) << 2 : 0);
  const shape = allocate(stateHeap(state), PURPOSE_PROPERTIES, bytes);
  if (shape == 0) return 0;
  store<u32>(shape, hash, SHAPE_HASH);
  store<u32>(shape, count, SHAPE_COUNT);
  store<u32>(shape, 0, SHAPE_REFERENCES);
  store<u32>(shape, 0, SHAPE_NEXT);
  return shape;
}

function shapeLink(state: usize, shape: usize): void {
  const mask = load<u32>(state, STATE_SHAPE_BUCKET_COUNT) - 1;
  const bucket = <usize>load<u32>(state, STATE_SHAPE_BUCKETS) + ((<usize>(load<u32>(shape, SHAPE_HASH) & mask)) << 2);
  store<u32>(shape, load<u32>(bucket), SHAPE_NEXT);
  store<u32>(bucket, <u32>shape);
  store<u32>(state, load<u32>(state, STATE_SHAPE_COUNT) + 1, STATE_SHAPE_COUNT);
}

/** The table has buckets, about as many as shapes; that it could not grow only makes it slower. */
function bucketsReady(state: usize): bool {
  const count = load<u32>(state, STATE_SHAPE_BUCKET_COUNT);
  if (load<u32>(state, STATE_SHAPE_COUNT) < count) return true;
  const larger = count == 0 ? FIRST_BUCKETS : count * 2;
  const bytes = (<usize>larger) << 2;
  const buckets = allocate(stateHeap(state), PURPOSE_SYSTEM, bytes);
  if (buckets == 0) return count != 0;
  memory.fill(buckets, 0, bytes);
  const old: usize = load<u32>(state, STATE_SHAPE_BUCKETS);
  for (let i: u32 = 0; i < count; i++) {
    let shape: usize = load<u32>(old + ((<usize>i) << 2));
    while (shape != 0) {
      const next: usize = load<u32>(shape, SHAPE_NEXT);
      const bucket = buckets + ((<usize>(load<u32>(shape, SHAPE_HASH) & (larger - 1))) << 2);
      store<u32>(shape, load<u32>(bucket), SHAPE_NEXT);
      store<u32>(bucket, <u32>shape);
      shape = next;
    }
  }
  if (old != 0) release(PURPOSE_SYSTEM, old);
  store<u32>(state, <u32>buckets, STATE_SHAPE_BUCKETS);
  store<u32>(state, larger, STATE_SHAPE_BUCKET_COUNT);
  return true;
}

// --- The index by key id ---------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function indexAddress(shape: usize, count: u32): usize {
  return shape + SHAPE_HEADER + ((<usize>count) << 3);
}

/** First place of the index whose key id is at least `key`. */
function indexLowerBound(shape: usize, key: u32): u32 {
  const count = shapeCount(shape);
  const index = indexAddress(shape, count);
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shapeKey(shape, load<u32>(index + ((<usize>middle) << 2))) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexSort(shape: usize, count: u32): void {
  const index = indexAddress(shape, count);
  for (let i: u32 = 0; i < count; i++) store<u32>(index + ((<usize>i) << 2), i);
  sortIndices(index, count, shape + SHAPE_HEADER, false);
}

/** The index of `fresh`, which came from `shape` by one step, in one pass. */
function indexStep(shape: usize, fresh: usize, at: u32, removed: u32, added: u32): void {
  const count = shapeCount(shape);
  const old = indexAddress(shape, count);
  let to = indexAddress(fresh, shapeCount(fresh));
  const key = added != 0 ? shapeKey(fresh, at) : 0;
  let waiting = added != 0;
  for (let i: u32 = 0; i < count; i++) {
    const entry = load<u32>(old + ((<usize>i) << 2));
    if (waiting && key <= shapeKey(shape, entry)) {
      store<u32>(to, at);
      to += 4;
      waiting = false;
    }
    if (removed != 0 && entry == at) continue;
    store<u32>(to, entry >= at ? entry + added - removed : entry);
    to += 4;
  }
  if (waiting) store<u32>(to, at);
}

/**
 * Sorts `count` u32 indices into an array of { key, type } entries, by the keys' text or by key id. Heap sort: no memory, no
 * recursion, and no worst case for 100,000 keys.
 */
export function sortIndices(indices: usize, count: u32, entries: usize, byText: bool): void {
  if (count < 2) return;
  for (let start = count >> 1; start > 0; start--) siftDown(indices, start - 1, count, entries, byText);
  for (let end = count - 1; end > 0; end--) {
    const last = indices + ((<usize>end) << 2);
    const largest = load<u32>(indices);
    store<u32>(indices, load<u32>(last));
    store<u32>(last, largest);
    siftDown(indices, 0, end, entries, byText);
  }
}

function siftDown(indices: usize, root: u32, end: u32, entries: usize, byText: bool): void {
  const item = load<u32>(indices + ((<usize>root) << 2));
  while (true) {
    let child: u32 = 2 * root + 1;
    if (child >= end) break;
    let candidate = load<u32>(indices + ((<usize>child) << 2));
    if (child + 1 < end) {
      const right = load<u32>(indices + ((<usize>(child + 1)) << 2));
      if (isBefore(candidate, right, entries, byText)) {
        child++;
        candidate = right;
      }
    }
    if (!isBefore(item, candidate, entries, byText)) break;
    store<u32>(indices + ((<usize>root) << 2), candidate);
    root = child;
  }
  store<u32>(indices + ((<usize>root) << 2), item);
}

// @ts-ignore: decorator
@inline
function isBefore(a: u32, b: u32, entries: usize, byText: bool): bool {
  const left = load<u32>(entries + ((<usize>a) << 3));
  const right = load<u32>(entries + ((<usize>b) << 3));
  return byText ? compareKeys(left, right) < 0 : left < right;
}
