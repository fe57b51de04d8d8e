// The strings that many elements share (labels, edge types, property keys): one table for each memory, each string once, ids
// dense from 0 in the order of first use. Strings are never removed, except that a transaction that fails takes back those it
// added (`internTruncate`, newest first), so that ids depend on the committed transactions alone.
//
//   state      { u32 count, u32 directory address, u32 table address, u32 zero }
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

import { allocate, release } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_STRINGS, ROOT_INTERN } from '../memory/layout';
import { retire, retireReserve } from '../memory/retire';
import { KEY_FREE, reservedKey } from '../values/reserved';
import { hashBytes } from '../values/hash';
import { equalStrings, utf16Info } from '../values/utf8';

/** Bytes of a record in front of its text. */
export const INTERN_HEADER: usize = 16;
export const INTERN_BYTES: usize = 0;
export const INTERN_INFO: usize = 4;
export const INTERN_HASH: usize = 8;
export const INTERN_ID: usize = 12;
/** In info: the text is all ASCII. */
export const INTERN_ASCII: u32 = 0x80000000;
/** In info: a key of the embedding feature, hidden from reads (begins with `$embedding:` or `$embeddingModel:`). */
export const INTERN_RESERVED: u32 = 0x40000000;
/** In info: the length in UTF-16 code units. */
export const INTERN_UNITS: u32 = 0x3fffffff;

const STATE_COUNT: usize = 0;
const STATE_DIRECTORY: usize = 4;
const STATE_TABLE: usize = 8;
const STATE_BYTES: usize = 16;
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
  const state = allocate(0, PURPOSE_STRINGS, STATE_BYTES);
  if (state == 0) return false;
  const directory = allocate(0, PURPOSE_STRINGS, BLOCK_HEADER + 4 * <usize>FIRST_CAPACITY);
  const table = tableCreate(2 * FIRST_CAPACITY);
  if (directory == 0 || table == 0) {
    release(PURPOSE_STRINGS, state);
    if (directory != 0) release(PURPOSE_STRINGS, directory);
    if (table != 0) release(PURPOSE_STRINGS, table);
    return false;
  }
  store<u64>(directory, <u64>FIRST_CAPACITY);
  store<u32>(state, 0, STATE_COUNT);
  store<u32>(state, <u32>directory, STATE_DIRECTORY);
  store<u32>(state, <u32>table, STATE_TABLE);
  store<u32>(state, 0, 12);
  atomic.store<u32>(ROOT_INTERN, <u32>state);
  return true;
}

/** How many strings there are; ids are below it. */
export function internCount(): u32 {
  return atomic.load<u32>(internState() + STATE_COUNT);
}

/** The record of an id below `internCount()`, or of one that a reader met before it was taken back again. */
export function internAddress(id: u32): usize {
  const directory = <usize>atomic.load<u32>(internState() + STATE_DIRECTORY);
  check(id < load<u32>(directory), CHECK_ID);
  return <usize>atomic.load<u32>(directory + BLOCK_HEADER + ((<usize>id) << 2));
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
  if (id == load<u32>(<usize>load<u32>(state, STATE_DIRECTORY)) && !directoryGrow(state, id)) return NONE;
  if (id << 1 >= load<u32>(table)) {
    if (!tableGrow(state, id)) return NONE;
    table = <usize>load<u32>(state, STATE_TABLE);
    slot = probe(table, text, bytes, hash);
  }
  const record = allocate(0, PURPOSE_STRINGS, INTERN_HEADER + <usize>bytes);
  if (record == 0) return NONE;
  store<u32>(record, bytes, INTERN_BYTES);
  store<u32>(record, utf16Info(text, bytes) | (reservedKey(text, bytes) != KEY_FREE ? INTERN_RESERVED : 0), INTERN_INFO);
  store<u32>(record, hash, INTERN_HASH);
  store<u32>(record, id, INTERN_ID);
  memory.copy(record + INTERN_HEADER, text, bytes);
  const directory = <usize>load<u32>(state, STATE_DIRECTORY);
  atomic.store<u32>(directory + BLOCK_HEADER + ((<usize>id) << 2), <u32>record);
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
  while (id > count) {
    id--;
    const record = <usize>load<u32>(directory + BLOCK_HEADER + ((<usize>id) << 2));
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

function tableCreate(slots: u32): usize {
  const table = allocate(0, PURPOSE_STRINGS, BLOCK_HEADER + 4 * <usize>slots);
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
  const table = tableCreate(mask + 1);
  if (table == 0) return false;
  const directory = <usize>load<u32>(state, STATE_DIRECTORY);
  for (let id: u32 = 0; id < count; id++) {
    const record = load<u32>(directory + BLOCK_HEADER + ((<usize>id) << 2));
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
  const directory = allocate(0, PURPOSE_STRINGS, BLOCK_HEADER + 4 * <usize>capacity);
  if (directory == 0) return false;
  store<u64>(directory, <u64>capacity);
  memory.copy(directory + BLOCK_HEADER, old + BLOCK_HEADER, 4 * <usize>count);
  atomic.store<u32>(state + STATE_DIRECTORY, <u32>directory);
  retire(PURPOSE_STRINGS, old);
  return true;
}
