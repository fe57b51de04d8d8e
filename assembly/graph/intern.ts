// The strings that many elements share (labels, edge types, property keys): one table for each memory, each string once, ids
// dense in the order of first use. Strings are never removed one by one, except that a transaction that fails takes back those it
// added (`internTruncate`, newest first), so that ids depend on the committed transactions alone. An erase begins a new table in a
// heap of its own (`internRenew`) and drops the old one whole: nothing has a name then. Ids go on from where they were, so an id never
// means two strings; a reader that still holds an older one finds it through `previous`, whose heap waits for that reader.
//
//   state      { u32 count, u32 directory address, u32 table address, u32 heap, u32 first id, u32 previous state }
//   directory  { u32 capacity, u32 zero, capacity x u32 record address }
//   table      { u32 mask, u32 zero, (mask + 1) x u32 record address, 0 = empty }   open addressing, linear probing
//   record     { u32 bytes, u32 info, u32 hash, u32 id, text }                      padded to 8, as all blocks are
//
// A reader may look up at any time. A record is complete before its address stands in directory or table, those grow by
// copy and are published with one store, and what they replace is retired. The table is never more than half full, so a
// probe ends; its slots point to records directly, so a hit costs two cache misses. The newest string's slot can simply be
// emptied again: no older one was placed behind it, because every insertion is in id order, also when the table is rebuilt.
// An id taken back may serve another string later; a reader could notice only by holding on to an id of a transaction that
// failed for want of memory while the writer commits the next one.

import { allocate, heapCreate, heapDrop } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_STRINGS, ROOT_INTERN } from '../memory/layout';
import { retire, retireHeap, retireReserve } from '../memory/retire';
import { hashBytes } from '../values/hash';
import { RECORD_INFO } from '../values/record';
import { KEY_FREE, reservedKey } from '../values/reserved';
import { equalStrings, utf16Info } from '../values/utf8';

/** Bytes of a record in front of its text. */
export const INTERN_HEADER: usize = 16;
export const INTERN_BYTES: usize = 0;
export const INTERN_INFO: usize = RECORD_INFO;
export const INTERN_HASH: usize = 8;
export const INTERN_ID: usize = 12;
/** In info: a key of the embedding feature, hidden from reads (begins with `$embedding:` or `$embeddingModel:`). */
export const INTERN_RESERVED: u32 = 0x40000000;

const STATE_COUNT: usize = 0;
const STATE_DIRECTORY: usize = 4;
const STATE_TABLE: usize = 8;
const STATE_HEAP: usize = 12;
const STATE_FIRST: usize = 16;
const STATE_PREVIOUS: usize = 20;
const STATE_BYTES: usize = 24;
const BLOCK_HEADER: usize = 8; // of directory and table
const FIRST_CAPACITY: u32 = 64; // ids; the table has twice as many slots

const CHECK_ID: u32 = 140;

// @ts-ignore: decorator
@inline
function internState(): usize {
  return <usize>atomic.load<u32>(ROOT_INTERN);
}

/** Makes the empty table; false without memory. [W] */
export function internInit(): bool {
  return internBegin(0, 0);
}

/**
 * Forgets all strings: the only graph of the memory has been erased. Without memory for a new table the old one stays, with strings that
 * nothing uses. The caller has reserved a retire entry. [W]
 */
export function internRenew(): void {
  const state = internState();
  const count = load<u32>(state, STATE_COUNT);
  if (count == load<u32>(state, STATE_FIRST) || !internBegin(count, state)) return;
  retireHeap(load<u32>(state, STATE_HEAP));
}

/** Publishes an empty table, in a heap of its own, whose first string gets the id `first`. */
function internBegin(first: u32, previous: usize): bool {
  const heap = heapCreate();
  if (heap == 0) return false;
  const state = allocate(heap, PURPOSE_STRINGS, STATE_BYTES);
  const directory = state == 0 ? 0 : allocate(heap, PURPOSE_STRINGS, BLOCK_HEADER + 4 * <usize>FIRST_CAPACITY);
  const table = directory == 0 ? 0 : tableCreate(heap, 2 * FIRST_CAPACITY);
  if (table == 0) {
    heapDrop(heap);
    return false;
  }
  store<u64>(directory, <u64>FIRST_CAPACITY);
  store<u32>(state, first, STATE_COUNT);
  store<u32>(state, <u32>directory, STATE_DIRECTORY);
  store<u32>(state, <u32>table, STATE_TABLE);
  store<u32>(state, heap, STATE_HEAP);
  store<u32>(state, first, STATE_FIRST);
  store<u32>(state, <u32>previous, STATE_PREVIOUS);
  atomic.store<u32>(ROOT_INTERN, <u32>state);
  return true;
}

/** The first id of the table there is: what came before has been erased. */
export function internFirst(): u32 {
  return load<u32>(internState(), STATE_FIRST);
}

/** Ids are below it. */
export function internCount(): u32 {
  return atomic.load<u32>(internState() + STATE_COUNT);
}

/** The record of an id below `internCount()`, or of one that a reader met before it was taken back again. */
export function internAddress(id: u32): usize {
  let state = internState();
  while (id < load<u32>(state, STATE_FIRST)) state = <usize>load<u32>(state, STATE_PREVIOUS);
  const directory = <usize>atomic.load<u32>(state + STATE_DIRECTORY);
  const index = id - load<u32>(state, STATE_FIRST);
  check(index < load<u32>(directory), CHECK_ID);
  return <usize>atomic.load<u32>(directory + BLOCK_HEADER + ((<usize>index) << 2));
}

/** Id of the text, or NONE. Any thread. */
export function internFind(text: usize, bytes: u32): u32 {
  const table = <usize>atomic.load<u32>(internState() + STATE_TABLE);
  const slot = probe(table, text, bytes, hashBytes(text, bytes));
  const record = <usize>atomic.load<u32>(slot);
  return record == 0 ? NONE : load<u32>(record, INTERN_ID);
}

/** Id of the text, added if it is new; NONE without memory (then nothing changed). [W] */
export function intern(text: usize, bytes: u32): u32 {
  const state = internState();
  const hash = hashBytes(text, bytes);
  let table = <usize>load<u32>(state, STATE_TABLE);
  let slot = probe(table, text, bytes, hash);
  const found = <usize>load<u32>(slot);
  if (found != 0) return load<u32>(found, INTERN_ID);

  const id = load<u32>(state, STATE_COUNT);
  const index = id - load<u32>(state, STATE_FIRST);
  if (index == load<u32>(<usize>load<u32>(state, STATE_DIRECTORY)) && !directoryGrow(state, index)) return NONE;
  if (index << 1 >= load<u32>(table)) {
    if (!tableGrow(state, index)) return NONE;
    table = <usize>load<u32>(state, STATE_TABLE);
    slot = probe(table, text, bytes, hash);
  }
  const record = allocate(load<u32>(state, STATE_HEAP), PURPOSE_STRINGS, INTERN_HEADER + <usize>bytes);
  if (record == 0) return NONE;
  store<u32>(record, bytes, INTERN_BYTES);
  store<u32>(record, utf16Info(text, bytes) | (reservedKey(text, bytes) != KEY_FREE ? INTERN_RESERVED : 0), INTERN_INFO);
  store<u32>(record, hash, INTERN_HASH);
  store<u32>(record, id, INTERN_ID);
  memory.copy(record + INTERN_HEADER, text, bytes);
  const directory = <usize>load<u32>(state, STATE_DIRECTORY);
  atomic.store<u32>(directory + BLOCK_HEADER + ((<usize>index) << 2), <u32>record);
  // The count before the table: whoever finds the id may ask for its record.
  atomic.store<u32>(state + STATE_COUNT, id + 1);
  atomic.store<u32>(slot, <u32>record);
  return id;
}

/**
 * Takes back the newest strings until `count` are left. Readers may hold them, so they are retired; that needs no
 * reservation that would fail: without memory for the queue a string stays allocated, unused. [W]
 */
export function internTruncate(count: u32): void {
  const state = internState();
  const table = <usize>load<u32>(state, STATE_TABLE);
  const directory = <usize>load<u32>(state, STATE_DIRECTORY);
  let id = load<u32>(state, STATE_COUNT);
  const first = load<u32>(state, STATE_FIRST);
  while (id > count) {
    id--;
    const record = <usize>load<u32>(directory + BLOCK_HEADER + ((<usize>(id - first)) << 2));
    const mask = load<u32>(table);
    let index = load<u32>(record, INTERN_HASH) & mask;
    while (load<u32>(table + BLOCK_HEADER + ((<usize>index) << 2)) != <u32>record) index = (index + 1) & mask;
    atomic.store<u32>(table + BLOCK_HEADER + ((<usize>index) << 2), 0);
    atomic.store<u32>(state + STATE_COUNT, id);
    if (retireReserve(1)) retire(PURPOSE_STRINGS, record);
  }
}

/** Address of the text's slot, or of the empty slot where it belongs. */
// @ts-ignore: decorator
@inline
function probe(table: usize, text: usize, bytes: u32, hash: u32): usize {
  const mask = load<u32>(table);
  let index = hash & mask;
  while (true) {
    const slot = table + BLOCK_HEADER + ((<usize>index) << 2);
    const record = <usize>atomic.load<u32>(slot);
    if (record == 0) return slot;
    if (load<u32>(record, INTERN_HASH) == hash) {
      if (equalStrings(record + INTERN_HEADER, load<u32>(record, INTERN_BYTES), text, bytes)) return slot;
    }
    index = (index + 1) & mask;
  }
  return 0;
}

function tableCreate(heap: u32, slots: u32): usize {
  const table = allocate(heap, PURPOSE_STRINGS, BLOCK_HEADER + 4 * <usize>slots);
  if (table == 0) return 0;
  store<u64>(table, <u64>(slots - 1));
  memory.fill(table + BLOCK_HEADER, 0, 4 * <usize>slots);
  return table;
}

/** Twice the slots, filled in id order. */
function tableGrow(state: usize, count: u32): bool {
  if (!retireReserve(1)) return false;
  const old = <usize>load<u32>(state, STATE_TABLE);
  const mask: u32 = (load<u32>(old) << 1) + 1;
  const table = tableCreate(load<u32>(state, STATE_HEAP), mask + 1);
  if (table == 0) return false;
  const directory = <usize>load<u32>(state, STATE_DIRECTORY);
  for (let i: u32 = 0; i < count; i++) {
    const record = load<u32>(directory + BLOCK_HEADER + ((<usize>i) << 2));
    let index = load<u32>(<usize>record, INTERN_HASH) & mask;
    while (load<u32>(table + BLOCK_HEADER + ((<usize>index) << 2)) != 0) index = (index + 1) & mask;
    store<u32>(table + BLOCK_HEADER + ((<usize>index) << 2), record);
  }
  atomic.store<u32>(state + STATE_TABLE, <u32>table);
  retire(PURPOSE_STRINGS, old);
  return true;
}

function directoryGrow(state: usize, count: u32): bool {
  if (!retireReserve(1)) return false;
  const old = <usize>load<u32>(state, STATE_DIRECTORY);
  const capacity: u32 = count << 1;
  const directory = allocate(load<u32>(state, STATE_HEAP), PURPOSE_STRINGS, BLOCK_HEADER + 4 * <usize>capacity);
  if (directory == 0) return false;
  store<u64>(directory, <u64>capacity);
  memory.copy(directory + BLOCK_HEADER, old + BLOCK_HEADER, 4 * <usize>count);
  atomic.store<u32>(state + STATE_DIRECTORY, <u32>directory);
  retire(PURPOSE_STRINGS, old);
  return true;
}
