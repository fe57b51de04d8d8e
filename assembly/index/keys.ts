// The key table that every index but the vector one is made of: keys by value, elements by key, keys by element.
//
//   index's own words (catalogue.ts)   table, reverse directory, its capacity; then the words of what else the kind keeps
//   table      u32 mask, u32 used, u64 zero, then slots (atomic): 0 empty, TOMB removed, else key address | high bits of its hash
//   key        u32 hash, u32 type, u32 postings word (atomic, postings.ts), u32 place in the trigram table, then the value as it
//              stands in a transaction: 8 bytes, 16 for wide types, { u32 bytes, u32 info, data } for String
//   reverse    directory of pages of 64 element ids; a word is 0, the address of the element's only key, or 1 | address of
//              { u32 count, u32 capacity, key addresses }
//
// Readers find keys by hash and walk postings; the reverse table is the writer's alone. A key whose last element went goes too, when
// memory allows to note that; until then it is a key without elements, which counts for nothing. So removing cannot fail.

import { trimRank } from '../graph/ranks';
import { recordCopy, valueBytes } from '../graph/rows';
import { allocate, blockBytes, release } from '../memory/allocator';
import { NONE, PURPOSE_INDEXES, ROOT } from '../memory/layout';
import { prefetched } from '../memory/prefetch';
import { NO_MEMORY, OK } from '../status';
import { equalValues, hashValue } from '../values/compare';
import { blockRetire, blocksReserve } from './blocks';
import { contentsAdd } from './contents';
import {
  INDEX_HEAP, INDEX_KEYS, INDEX_KIND, INDEX_RANGE, INDEX_REGEX, INDEX_SINGLE, INDEX_SPATIAL, INDEX_VALUES, KEY_HASH, KEY_PLACE,
  KEY_POSTINGS, KEY_TYPE, KEY_VALUE, OWN_REVERSE, OWN_REVERSE_PAGES, OWN_TABLE,
} from './layout';
import { orderAdd, orderRemove, orderShared } from './order';
import {
  POSTING_ADDED, POSTING_PRESENT, postingsAdd, postingsBlocks, postingsClear, postingsCount, postingsRemove, postingsRetire, postingsRun,
  postingsRuns, runCount, runId,
} from './postings';
import { SPATIAL_BLOCKS, spatialAdd, spatialRemove } from './spatial-tree';
import { trigramsAdd, trigramsRemove } from './trigrams';

const TABLE_MASK: usize = 0;
const TABLE_USED: usize = 4;
const TABLE_HEADER: usize = 16;
const FIRST_SLOTS: u32 = 16;
const TOMB: u32 = 8;
const TAG_MASK: u32 = 7;

const REVERSE_SHIFT: u32 = 6;
const REVERSE_IDS: u32 = 1 << REVERSE_SHIFT;
// A list of an element's keys: how many come first.
const LIST_ROOM: usize = 4;
const LIST_HEADER: usize = 8;

// What keysAdd found, for undo: the key, and the element that gave way (SingleValueIndex), NONE when none did.
export let addedKey: usize = 0;
export let addedBefore: u32 = 0xffffffff;

/** The empty table of a new index. OK or NO_MEMORY. */
export function keysCreate(index: usize): i32 {
  const table = tableCreate(load<u32>(index, INDEX_HEAP), FIRST_SLOTS);
  if (table == 0) return NO_MEMORY;
  atomic.store<u32>(index + OWN_TABLE, <u32>table);
  return OK;
}

// --- Reading (any thread) -----------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function slotAt(table: usize, slot: u32): usize {
  return table + TABLE_HEADER + ((<usize>slot) << 2);
}

/** The key equal to the value at `value` (a slot, or a record of a wide type or a String), 0 if there is none. */
export function keysFind(index: usize, type: u32, value: usize): usize {
  const hash = hashValue(type, value);
  const table = <usize>atomic.load<u32>(index, OWN_TABLE);
  const mask = load<u32>(table, TABLE_MASK);
  const tag = hash >> 29;
  let slot = hash & mask;
  while (true) {
    const word = atomic.load<u32>(slotAt(table, slot));
    if (word == 0) return 0;
    if (word > TOMB + TAG_MASK && (word & TAG_MASK) == tag) {
      const key = <usize>(word & ~TAG_MASK);
      if (load<u32>(key) == hash && load<u32>(key, KEY_TYPE) == type && equalValues(type, key + KEY_VALUE, value)) return key;
    }
    slot = (slot + 1) & mask;
  }
  return 0;
}

/**
 * Loads what looking up `count` values (8 bytes each, of a type of fixed size) will load, all slots first and then all keys, so that cache
 * misses overlap. It answers nothing and may be left out.
 */
export function keysPrefetch(index: usize, type: u32, values: usize, count: u32): void {
  const table = <usize>atomic.load<u32>(index, OWN_TABLE);
  const mask = load<u32>(table, TABLE_MASK);
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const word = load<u32>(slotAt(table, hashValue(type, values + ((<usize>i) << 3)) & mask));
    sum += load<u32>(max<usize>(ROOT, <usize>(word & ~TAG_MASK)));
  }
  prefetched(sum);
}

/** The table to walk with `keysSlots` and `keysSlot`; stays whole while the reader is announced. */
// @ts-ignore: decorator
@inline
export function keysTable(index: usize): usize {
  return <usize>atomic.load<u32>(index, OWN_TABLE);
}

// @ts-ignore: decorator
@inline
export function keysSlots(table: usize): u32 {
  return load<u32>(table, TABLE_MASK) + 1;
}

/** The key in that slot, 0 if there is none. */
// @ts-ignore: decorator
@inline
export function keysSlot(table: usize, slot: u32): usize {
  const word = atomic.load<u32>(slotAt(table, slot));
  return word > TOMB + TAG_MASK ? <usize>(word & ~TAG_MASK) : 0;
}

// --- The table [W] --------------------------------------------------------------------------------------------------------------

function tableCreate(heap: u32, slots: u32): usize {
  const bytes = TABLE_HEADER + ((<usize>slots) << 2);
  const table = allocate(heap, PURPOSE_INDEXES, bytes);
  if (table == 0) return 0;
  memory.fill(table, 0, bytes);
  store<u32>(table, slots - 1, TABLE_MASK);
  return table;
}

/** Makes room for one more key. */
function tableEnsure(index: usize): bool {
  const table: usize = load<u32>(index, OWN_TABLE);
  const slots = load<u32>(table, TABLE_MASK) + 1;
  if ((load<u32>(table, TABLE_USED) + 1) * 10 <= slots * 7) return true;
  let live: u32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) live += u32(keysSlot(table, slot) != 0);
  let wanted = FIRST_SLOTS;
  while ((live + 1) << 1 > wanted) wanted <<= 1;
  if (!blocksReserve(1)) return false;
  const grown = tableCreate(load<u32>(index, INDEX_HEAP), wanted);
  if (grown == 0) return false;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const word = load<u32>(slotAt(table, slot));
    if (word > TOMB + TAG_MASK) tablePut(grown, word, load<u32>(<usize>(word & ~TAG_MASK)));
  }
  atomic.store<u32>(index + OWN_TABLE, <u32>grown);
  blockRetire(table);
  return true;
}

function tablePut(table: usize, word: u32, hash: u32): void {
  const mask = load<u32>(table, TABLE_MASK);
  let slot = hash & mask;
  while (load<u32>(slotAt(table, slot)) != 0) slot = (slot + 1) & mask;
  atomic.store<u32>(slotAt(table, slot), word);
  store<u32>(table, load<u32>(table, TABLE_USED) + 1, TABLE_USED);
}

/** Takes the key's slot; an empty one behind it makes it empty, too. */
function tableRemove(index: usize, key: usize): void {
  const table: usize = load<u32>(index, OWN_TABLE);
  const mask = load<u32>(table, TABLE_MASK);
  const hash = load<u32>(key);
  const word = <u32>key | (hash >> 29);
  let slot = hash & mask;
  while (load<u32>(slotAt(table, slot)) != word) slot = (slot + 1) & mask;
  if (load<u32>(slotAt(table, (slot + 1) & mask)) != 0) {
    atomic.store<u32>(slotAt(table, slot), TOMB);
    return;
  }
  atomic.store<u32>(slotAt(table, slot), 0);
  let used = load<u32>(table, TABLE_USED) - 1;
  slot = (slot - 1) & mask;
  while (load<u32>(slotAt(table, slot)) == TOMB) {
    atomic.store<u32>(slotAt(table, slot), 0);
    used--;
    slot = (slot - 1) & mask;
  }
  store<u32>(table, used, TABLE_USED);
}

// --- Keys [W] ---------------------------------------------------------------------------------------------------------------------

/** A new key without elements, in all of the index's structures; 0 = no memory, nothing changed. */
function keyCreate(index: usize, type: u32, value: usize, element: u32): usize {
  if (!tableEnsure(index)) return 0;
  const bytes = valueBytes(type, value);
  const key = allocate(load<u32>(index, INDEX_HEAP), PURPOSE_INDEXES, KEY_VALUE + bytes);
  if (key == 0) return 0;
  const hash = hashValue(type, value);
  store<u32>(key, hash, KEY_HASH);
  store<u32>(key, type, KEY_TYPE);
  store<u32>(key, 0, KEY_POSTINGS);
  store<u32>(key, 0, KEY_PLACE);
  recordCopy(key + KEY_VALUE, value, bytes);
  const kind = load<u32>(index, INDEX_KIND);
  let added = true;
  if (kind == INDEX_RANGE) added = orderAdd(index, key, (element << 1) | 1);
  else if (kind == INDEX_REGEX) added = trigramsAdd(index, key);
  else if (kind == INDEX_SPATIAL) added = spatialAdd(index, key);
  if (!added) {
    release(PURPOSE_INDEXES, key);
    return 0;
  }
  tablePut(<usize>load<u32>(index, OWN_TABLE), <u32>key | (hash >> 29), hash);
  return key;
}

/** Takes a key without elements out of the index, unless memory is too short to note what readers may hold. */
function keySettle(index: usize, key: usize): void {
  const word = load<u32>(key, KEY_POSTINGS);
  if (postingsCount(word) != 0) return;
  const kind = load<u32>(index, INDEX_KIND);
  const tree: u32 = kind == INDEX_SPATIAL ? SPATIAL_BLOCKS : 0;
  if (!blocksReserve(postingsBlocks(word) + 4 + tree)) {
    if (kind == INDEX_RANGE) orderShared(index, key);
    return;
  }
  if (kind == INDEX_SPATIAL && !spatialRemove(index, key)) return;
  if (kind == INDEX_RANGE && !orderRemove(index, key)) {
    orderShared(index, key);
    return;
  }
  if (kind == INDEX_REGEX) trigramsRemove(index, key);
  tableRemove(index, key);
  // What a reader holds of the key says that there is nothing, and stays readable until it leaves.
  postingsRetire(word);
  blockRetire(key);
}

/** Adds an element under a key. OK (addedKey is 0 when it was there) or NO_MEMORY, then nothing changed. */
export function keysAdd(index: usize, element: u32, type: u32, value: usize): i32 {
  addedKey = 0;
  addedBefore = NONE;
  let key = keysFind(index, type, value);
  if (key == 0) key = keyCreate(index, type, value, element);
  if (key == 0) return NO_MEMORY;
  if (!reverseEnsure(index, element)) {
    keySettle(index, key);
    return NO_MEMORY;
  }
  const before = load<u32>(key, KEY_POSTINGS);
  const kind = load<u32>(index, INDEX_KIND);
  if (kind == INDEX_SINGLE) {
    if (before == ((element << 1) | 1)) return OK;
    if (before != 0) {
      addedBefore = before >> 1;
      reverseRemove(index, addedBefore, key);
    }
    atomic.store<u32>(key + KEY_POSTINGS, (element << 1) | 1);
  } else {
    const code = postingsAdd(load<u32>(index, INDEX_HEAP), key + KEY_POSTINGS, element);
    if (code == POSTING_PRESENT) return OK;
    if (code != POSTING_ADDED) {
      keySettle(index, key);
      return NO_MEMORY;
    }
    if (kind == INDEX_RANGE && before != load<u32>(key, KEY_POSTINGS) && (before & 1) != 0) orderShared(index, key);
  }
  reverseAdd(index, element, key);
  const now = load<u32>(key, KEY_POSTINGS);
  if (addedBefore == NONE) {
    if (postingsCount(now) == 1) count(index, INDEX_KEYS, 1);
    count(index, INDEX_VALUES, 1);
  }
  addedKey = key;
  return OK;
}

// @ts-ignore: decorator
@inline
function count(index: usize, field: usize, by: i32): void {
  store<u32>(index + field, load<u32>(index + field) + by);
}

/** Takes one element from under one key; the reverse table is the caller's affair. */
function pairRemove(index: usize, key: usize, element: u32): void {
  if (!postingsRemove(load<u32>(index, INDEX_HEAP), key + KEY_POSTINGS, element)) return;
  count(index, INDEX_VALUES, -1);
  if (postingsCount(load<u32>(key, KEY_POSTINGS)) != 0) return;
  count(index, INDEX_KEYS, -1);
  keySettle(index, key);
}

/** Undo of the add that left `key` and `before` in addedKey and addedBefore, the newest that is not undone. */
export function keysUndo(index: usize, element: u32, key: usize, before: u32): void {
  reverseRemove(index, element, key);
  if (before == NONE) {
    pairRemove(index, key, element);
    return;
  }
  // Its place in the reverse table was freed by the add and is free again.
  reverseAdd(index, before, key);
  atomic.store<u32>(key + KEY_POSTINGS, (before << 1) | 1);
}

/** Removes the element from under all its keys; false when it had none. Cannot fail. */
export function keysRemove(index: usize, element: u32): bool {
  const at = reverseWord(index, element);
  if (at == 0) return false;
  const word = load<u32>(at);
  if (word == 0) return false;
  store<u32>(at, 0);
  if ((word & 1) == 0) {
    pairRemove(index, <usize>word, element);
    return true;
  }
  const list = <usize>(word & ~1);
  const keys = load<u32>(list);
  for (let i: u32 = 0; i < keys; i++) pairRemove(index, <usize>load<u32>(list + LIST_HEADER + ((<usize>i) << 2)), element);
  release(PURPOSE_INDEXES, list);
  return true;
}

/** Removes a key with all its elements; false when it is not there. Cannot fail. */
export function keysRemoveKey(index: usize, type: u32, value: usize): bool {
  const key = keysFind(index, type, value);
  if (key == 0) return false;
  const word = load<u32>(key, KEY_POSTINGS);
  const live = postingsCount(word);
  if (live == 0) return false;
  if ((word & 1) != 0) reverseRemove(index, word >> 1, key);
  const runs = postingsRuns(word);
  for (let r: u32 = 0; r < runs; r++) {
    const run = postingsRun(word, r);
    const ids = runCount(run);
    for (let i: u32 = 0; i < ids; i++) {
      const id = runId(run, i);
      if (id != NONE) reverseRemove(index, id, key);
    }
  }
  if (blocksReserve(postingsBlocks(word))) {
    atomic.store<u32>(key + KEY_POSTINGS, 0);
    postingsRetire(word);
  } else postingsClear(key + KEY_POSTINGS);
  count(index, INDEX_VALUES, -<i32>live);
  count(index, INDEX_KEYS, -1);
  keySettle(index, key);
  return true;
}

// --- The reverse table [W] ----------------------------------------------------------------------------------------------------------

/** Where the element's word stands; 0 when there is no page for it. */
export function reverseWord(index: usize, element: u32): usize {
  const page = element >> REVERSE_SHIFT;
  if (page >= load<u32>(index, OWN_REVERSE_PAGES)) return 0;
  const address: usize = load<u32>(<usize>load<u32>(index, OWN_REVERSE) + ((<usize>page) << 2));
  return address == 0 ? 0 : address + ((<usize>(element & (REVERSE_IDS - 1))) << 2);
}

/** First element id from `element` on that may have keys: of a page that exists; `end` or above when there is none. */
export function reverseSkip(index: usize, element: u32, end: u32): u32 {
  const pages = load<u32>(index, OWN_REVERSE_PAGES);
  const directory: usize = load<u32>(index, OWN_REVERSE);
  while (element < end) {
    const page = element >> REVERSE_SHIFT;
    if (page >= pages) return end;
    if (load<u32>(directory + ((<usize>page) << 2)) != 0) return element;
    element = (page + 1) << REVERSE_SHIFT;
  }
  return end;
}

/** Number of keys of an element by its reverse word. */
// @ts-ignore: decorator
@inline
export function reverseCount(word: u32): u32 {
  if (word == 0) return 0;
  return (word & 1) == 0 ? 1 : load<u32>(<usize>(word & ~1));
}

// @ts-ignore: decorator
@inline
export function reverseKey(word: u32, i: u32): usize {
  return <usize>((word & 1) == 0 ? word : load<u32>(<usize>(word & ~1) + LIST_HEADER + ((<usize>i) << 2)));
}

/** Makes room for one more key of the element. */
function reverseEnsure(index: usize, element: u32): bool {
  const heap = load<u32>(index, INDEX_HEAP);
  const page = element >> REVERSE_SHIFT;
  if (page >= load<u32>(index, OWN_REVERSE_PAGES) && !reverseGrow(index, heap, page)) return false;
  const entry = <usize>load<u32>(index, OWN_REVERSE) + ((<usize>page) << 2);
  if (load<u32>(entry) == 0) {
    const made = allocate(heap, PURPOSE_INDEXES, <usize>REVERSE_IDS << 2);
    if (made == 0) return false;
    memory.fill(made, 0, <usize>REVERSE_IDS << 2);
    store<u32>(entry, <u32>made);
  }
  const at = reverseWord(index, element);
  const word = load<u32>(at);
  if (word == 0) return true;
  const keys = reverseCount(word);
  if ((word & 1) != 0 && keys < load<u32>(<usize>(word & ~1), LIST_ROOM)) return true;
  const list = allocate(heap, PURPOSE_INDEXES, LIST_HEADER + ((<usize>keys) << 3) + 8);
  if (list == 0) return false;
  store<u32>(list, keys);
  store<u32>(list, <u32>((blockBytes(list) - LIST_HEADER) >> 2), LIST_ROOM);
  for (let i: u32 = 0; i < keys; i++) store<u32>(list + LIST_HEADER + ((<usize>i) << 2), <u32>reverseKey(word, i));
  store<u32>(at, <u32>list | 1);
  if ((word & 1) != 0) release(PURPOSE_INDEXES, <usize>(word & ~1));
  return true;
}

function reverseGrow(index: usize, heap: u32, page: u32): bool {
  const pages = load<u32>(index, OWN_REVERSE_PAGES);
  const wanted = max<u32>(page + 1, min<u32>(pages << 1, 1 << 25));
  const grown = allocate(heap, PURPOSE_INDEXES, (<usize>wanted) << 2);
  if (grown == 0) return false;
  const old: usize = load<u32>(index, OWN_REVERSE);
  if (pages != 0) memory.copy(grown, old, (<usize>pages) << 2);
  memory.fill(grown + ((<usize>pages) << 2), 0, (<usize>(wanted - pages)) << 2);
  store<u32>(index, <u32>grown, OWN_REVERSE);
  store<u32>(index, wanted, OWN_REVERSE_PAGES);
  if (pages != 0) release(PURPOSE_INDEXES, old);
  return true;
}

/** Notes the key; reverseEnsure has made room. */
function reverseAdd(index: usize, element: u32, key: usize): void {
  const at = reverseWord(index, element);
  const word = load<u32>(at);
  if (word == 0) {
    store<u32>(at, <u32>key);
    return;
  }
  const list = <usize>(word & ~1);
  const keys = load<u32>(list);
  store<u32>(list + LIST_HEADER + ((<usize>keys) << 2), <u32>key);
  store<u32>(list, keys + 1);
}

function reverseRemove(index: usize, element: u32, key: usize): void {
  const at = reverseWord(index, element);
  const word = load<u32>(at);
  if ((word & 1) == 0) {
    store<u32>(at, 0);
    return;
  }
  const list = <usize>(word & ~1);
  const last = load<u32>(list) - 1;
  let i: u32 = 0;
  while (load<u32>(list + LIST_HEADER + ((<usize>i) << 2)) != <u32>key) i++;
  store<u32>(list + LIST_HEADER + ((<usize>i) << 2), load<u32>(list + LIST_HEADER + ((<usize>last) << 2)));
  store<u32>(list, last);
  if (last != 0) return;
  store<u32>(at, 0);
  release(PURPOSE_INDEXES, list);
}

// --- All of it [W] --------------------------------------------------------------------------------------------------------------------

/** Fills `copy`, an empty index of the same kind, with what this one holds, under the ids of the trimmed graph. False = no memory. */
export function keysCopy(index: usize, copy: usize): bool {
  const table: usize = load<u32>(index, OWN_TABLE);
  const slots = keysSlots(table);
  for (let slot: u32 = 0; slot < slots; slot++) {
    const key = keysSlot(table, slot);
    if (key == 0) continue;
    const word = load<u32>(key, KEY_POSTINGS);
    const type = load<u32>(key, KEY_TYPE);
    if ((word & 1) != 0) {
      if (keysAdd(copy, trimRank(word >> 1), type, key + KEY_VALUE) != OK) return false;
      continue;
    }
    const runs = postingsRuns(word);
    for (let r: u32 = 0; r < runs; r++) {
      const run = postingsRun(word, r);
      const ids = runCount(run);
      for (let i: u32 = 0; i < ids; i++) {
        const id = runId(run, i);
        if (id != NONE && keysAdd(copy, trimRank(id), type, key + KEY_VALUE) != OK) return false;
      }
    }
  }
  return true;
}

/** See kindContents. */
export function keysContents(index: usize, element: u32, end: u32, limit: u32): u32 {
  let written: u32 = 0;
  element = reverseSkip(index, element, end);
  while (element < end && written < limit) {
    const word = load<u32>(reverseWord(index, element));
    const keys = reverseCount(word);
    for (let i: u32 = 0; i < keys; i++) {
      const key = reverseKey(word, i);
      if (!contentsAdd(element, load<u32>(key, KEY_TYPE), key + KEY_VALUE)) return NONE;
    }
    written += keys;
    element = reverseSkip(index, element + 1, end);
  }
  return min<u32>(element, end);
}
