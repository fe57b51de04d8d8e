// The collections of compiled fragments, as objects (objects.ts): lists, which queues and groups are as well, and hash tables, which are
// dictionaries, sets and lookups. Their first two words are those of every object; in a table the second one counts live entries.
//
//   LIST, QUEUE, GROUP    +8 items: reference to an ARRAY, its count the room there is   +12 version   +16 first: where item 0 lies
//                         (queues take from the front)   +24 key of a group, 16 bytes
//   TABLE                 +8 entries: address   +12 room   +16 version   +20 used   +24 heads: address, a power of two of words
//                         +28 mask   +32 code of keys, 1 where their case is ignored << 8, bytes of an entry << 16
//                         +36 free: number of the entry that was removed last plus 1, 0 without one
//   entry                 +0 hash   +4 next: number of an entry plus 1, 0 at the end; REMOVED   +8 key, 16 bytes   +24 value, 16 bytes
//                         of a removed one +0 the entry removed before it, as in `free`
//
// Entries lie in the order in which they came, but for those that take the place of one that was removed: the latest such place first, as
// .NET has it. Behind the used ones there is always one free: a key that is looked for is written there, which makes it an entry as soon
// as it is wanted. Sets have entries without a value, and their places begin anew when the last one goes.
//
// Everything is in SCRATCH and moves only to larger places: what was left behind stays until the call ends. What `init` made (KEPT) would
// grow into room that ends with the call, so it does not grow after it: FAULT_KEPT, and the fragment runs in the interpreter. Answers
// below 256 are exceptions by number (faults.ts).

import { TYPE_STRING } from '../values/types';
import { FAIL_MEMORY } from './failures';
import { FAULT_ARGUMENT, FAULT_MEMORY } from './faults';
import {
  codeBytes, isKept, KEPT, keptNow, OBJECT_COUNT, OBJECT_HEADER, objectAddress, objectArray, objectCode, objectCreate,
  objectOutlives, valueCompare, valueEquals, valueHash,
} from './objects';
import { runAllocate, runMark, runOpaque, runRelease } from './run-heap';
import { sortAsked, sortNext, sortStart } from './sort';
import {
  ENTRIES, ENTRY_KEY, ENTRY_VALUE, FORM, HEADS, isTable, MASK, NEXT, REMOVED, ROOM, TABLE_USED, TABLE_VERSION,
} from './table-layout';
import { textCase, textCompareFolded } from './texts';

/** NotCompiled. */
const FAULT_KEPT: u32 = 11;
/** Marks an exception where answers may be small. */
const FAULT_BIT: u32 = 0x80000000;

export const TAG_LIST: u32 = 48;
export const TAG_QUEUE: u32 = 49;
export const TAG_GROUP: u32 = 50;

export const LIST_ITEMS: usize = OBJECT_HEADER;
export const LIST_VERSION: usize = LIST_ITEMS + 4;
export const LIST_FIRST: usize = LIST_VERSION + 4;
const LIST_BYTES: u32 = 32;

const FREE: usize = FORM + 4;
const TABLE_BYTES: u32 = 32;

const START_ROOM: u32 = 8;
const MOST: u32 = 1 << 24;

// --- Lists ---------------------------------------------------------------------------------------------------------------

/** An empty list with room for `room` items. `word`: its head; `items`: that of the array behind it. */
export function listCreate(word: u32, items: u32, room: u32): u32 {
  const array = objectArray(items, max<u32>(room, 4));
  const list: u32 = array ? objectCreate(word, 0, LIST_BYTES) : 0;
  if (list == 0) return FAULT_MEMORY;
  store<u32>(objectAddress(list), array, LIST_ITEMS);
  return list;
}

/** Room for `more` items behind the last one. 0, or what is wrong. */
function listRoom(list: u32, more: u32): u32 {
  const address = objectAddress(list);
  const items = load<u32>(address, LIST_ITEMS);
  const end = load<u32>(address, LIST_FIRST) + load<u32>(address, OBJECT_COUNT);
  const room = load<u32>(objectAddress(items), OBJECT_COUNT);
  if (more <= room - end) return 0;
  if (more > MOST || end > MOST) return FAULT_MEMORY;
  if (isKept(list) && !keptNow()) return FAULT_KEPT;
  // A queue's front is free again.
  const count = load<u32>(address, OBJECT_COUNT);
  const array = objectArray(load<u32>(objectAddress(items)) & ~KEPT, max<u32>(2 * count, count + more));
  if (array == 0) return FAULT_MEMORY;
  const size = <usize>codeBytes(objectCode(items));
  const from = objectAddress(items) + 8 + size * <usize>load<u32>(address, LIST_FIRST);
  memory.copy(objectAddress(array) + 8, from, size * <usize>count);
  store<u32>(address, array, LIST_ITEMS);
  store<u32>(address, 0, LIST_FIRST);
  return 0;
}

/** Another item behind the last one: the offset of its place from the reference of the items; with FAULT_BIT, what is wrong. */
export function listAdd(list: u32): u32 {
  const fault = listRoom(list, 1);
  if (fault) return fault | FAULT_BIT;
  const address = objectAddress(list);
  const count = load<u32>(address, OBJECT_COUNT);
  const items = load<u32>(address, LIST_ITEMS);
  store<u32>(address, count + 1, OBJECT_COUNT);
  store<u32>(address, load<u32>(address, LIST_VERSION) + 1, LIST_VERSION);
  return 6 + (load<u32>(address, LIST_FIRST) + count) * codeBytes(objectCode(items));
}

/** Makes room for `more` items at an index, or with `more` below 0 takes so many out there; both within the list. 0, or what is wrong. */
export function listShift(list: u32, index: u32, more: i32): u32 {
  if (more > 0) {
    const fault = listRoom(list, <u32>more);
    if (fault) return fault;
  }
  const address = objectAddress(list);
  const items = load<u32>(address, LIST_ITEMS);
  const size = <usize>codeBytes(objectCode(items));
  const count = load<u32>(address, OBJECT_COUNT);
  const at = objectAddress(items) + 8 + size * <usize>(load<u32>(address, LIST_FIRST) + index);
  if (more > 0) memory.copy(at + size * <usize>more, at, size * <usize>(count - index));
  else memory.copy(at, at + size * <usize>(-more), size * <usize>(count - index + more));
  store<u32>(address, count + more, OBJECT_COUNT);
  store<u32>(address, load<u32>(address, LIST_VERSION) + 1, LIST_VERSION);
  return 0;
}

/** Items [from, from + count) of an array, turned around. */
export function itemsReverse(array: u32, from: u32, count: u32): void {
  const size = <usize>codeBytes(objectCode(array));
  let p = objectAddress(array) + 8 + size * <usize>from;
  let q = p + size * <usize>count - size;
  while (p < q) {
    for (let i: usize = 0; i < size; i += 4) {
      const word = load<u32>(p + i);
      store<u32>(p + i, load<u32>(q + i));
      store<u32>(q + i, word);
    }
    p += size;
    q -= size;
  }
}

// --- Order ---------------------------------------------------------------------------------------------------------------

// One key of an order, behind an object's head: array of keys, flags, the next key or 0.
const ORDER_KEYS: usize = OBJECT_HEADER;
const ORDER_FLAGS: usize = ORDER_KEYS + 4;
const ORDER_NEXT: usize = ORDER_FLAGS + 4;
const DESCENDING: u32 = 1;
const FOLDED: u32 = 2;

let compareFault: u32 = 0;

function compareKeys(level: u32, left: u32, right: u32): i32 {
  while (level != 0) {
    const address = objectAddress(level);
    const keys = load<u32>(address, ORDER_KEYS);
    const flags = load<u32>(address, ORDER_FLAGS);
    const code = objectCode(keys);
    const size = <usize>codeBytes(code);
    const base = objectAddress(keys) + 8;
    const p = base + size * <usize>left;
    const q = base + size * <usize>right;
    const order = flags & FOLDED ? textCompareFolded(load<u32>(p), load<u32>(q)) : valueCompare(code, p, q);
    if (order == 0x40000000) {
      compareFault = flags & FOLDED ? FAULT_MEMORY : FAULT_ARGUMENT;
      return 0;
    }
    if (order != 0) return flags & DESCENDING ? -order : order;
    level = load<u32>(address, ORDER_NEXT);
  }
  return 0;
}

/** A key of an order, with the one to ask after it. */
export function orderKey(keys: u32, flags: u32, next: u32): u32 {
  const level = objectCreate(0, 0, 16);
  if (level == 0) return FAULT_MEMORY;
  store<u32>(objectAddress(level), keys, ORDER_KEYS);
  store<u32>(objectAddress(level), flags, ORDER_FLAGS);
  store<u32>(objectAddress(level), next, ORDER_NEXT);
  return level;
}

/** Items [from, from + count) of an array, in the order of their keys, equal ones as they were, by merging. 0, or what is wrong. */
export function itemsSort(array: u32, from: u32, count: u32, level: u32): u32 {
  if (count < 2) return 0;
  const mark = runMark();
  const size = <usize>codeBytes(objectCode(array));
  let indices = runAllocate(8 * <usize>count);
  const copy = indices ? runAllocate(size * <usize>count) : 0;
  if (copy == 0) {
    runRelease(mark);
    return FAULT_MEMORY;
  }
  for (let i: u32 = 0; i < count; i++) store<u32>(indices + 4 * <usize>i, i);
  compareFault = 0;
  let other = indices + 4 * <usize>count;
  let width: u32 = 1;
  while (width < count && compareFault == 0) {
    for (let start: u32 = 0; start < count; start += 2 * width) {
      merge(indices, other, start, min(start + width, count), min(start + 2 * width, count), level);
    }
    const swap = indices;
    indices = other;
    other = swap;
    width *= 2;
  }
  if (compareFault == 0) {
    const base = objectAddress(array) + 8 + size * <usize>from;
    memory.copy(copy, base, size * <usize>count);
    for (let i: usize = 0; i < <usize>count; i++) {
      memory.copy(base + size * i, copy + size * <usize>load<u32>(indices + 4 * i), size);
    }
  }
  runRelease(mark);
  return compareFault;
}

function merge(from: usize, to: usize, start: u32, middle: u32, end: u32, level: u32): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    let takeLeft = right >= end;
    if (!takeLeft && left < middle) {
      takeLeft = compareKeys(level, load<u32>(from + 4 * <usize>left), load<u32>(from + 4 * <usize>right)) <= 0;
    }
    store<u32>(to + 4 * <usize>at, load<u32>(from + 4 * <usize>(takeLeft ? left : right)));
    if (takeLeft) left++;
    else right++;
  }
}

/** The order of Array.Sort for `count` items by their keys, to be applied (sort.ts); or what is wrong. */
export function itemsOrder(level: u32, count: u32): u32 {
  const state = sortStart(count);
  if (state < 256) return state;
  compareFault = 0;
  let order: i32 = 0;
  while (true) {
    const asked = sortNext(state, order);
    if (asked == 0) return state;
    if (asked != 1) return asked;
    order = compareKeys(level, sortAsked(state, 0), sortAsked(state, 1));
    if (compareFault) return compareFault;
  }
  return state;
}

// --- Tables --------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function stride(address: usize): usize {
  return <usize>(load<u32>(address, FORM) >> 16);
}

// @ts-ignore: decorator
@inline
function entryAt(address: usize, index: u32): usize {
  return <usize>load<u32>(address, ENTRIES) + stride(address) * <usize>index;
}

/** An empty table. `word`: its head; `form`: code of the keys, 256 where case is ignored; `values`: whether entries have one. */
export function tableCreate(word: u32, form: u32, values: u32): u32 {
  const table = objectCreate(word, 0, TABLE_BYTES);
  if (table == 0) return FAULT_MEMORY;
  const address = objectAddress(table);
  store<u32>(address, form | ((values ? 40 : 24) << 16), FORM);
  return grow(address, START_ROOM) ? table : FAULT_MEMORY;
}

/** Blocks that a collection goes through by the table they belong to: hashes among the entries look like addresses. */
function ofTable(address: usize, entries: usize, chains: usize): void {
  if (isTable(load<u32>(address))) runOpaque(entries);
  runOpaque(chains);
}

/** Moves the entries to `room` places. There is no gap among them: those are filled first. */
function grow(address: usize, room: u32): bool {
  const size = stride(address);
  let heads: u32 = 1;
  while (heads < room) heads <<= 1;
  const entries = runAllocate(size * <usize>room);
  const chains = entries ? runAllocate(4 * <usize>heads) : 0;
  if (chains == 0) return false;
  ofTable(address, entries, chains);
  memory.fill(chains, 0, 4 * <usize>heads);
  const used = load<u32>(address, TABLE_USED);
  // The key that is looked for goes along.
  if (used) memory.copy(entries, <usize>load<u32>(address, ENTRIES), size * <usize>(used + 1));
  for (let i: u32 = 0; i < used; i++) {
    const to = entries + size * <usize>i;
    const head = chains + 4 * <usize>(load<u32>(to) & (heads - 1));
    store<u32>(to, load<u32>(head), NEXT);
    store<u32>(head, i + 1);
  }
  store<u32>(address, <u32>entries, ENTRIES);
  store<u32>(address, room, ROOM);
  store<u32>(address, <u32>chains, HEADS);
  store<u32>(address, heads - 1, MASK);
  return true;
}

/** Where the key that is looked for is written. */
// @ts-ignore: decorator
@inline
function probe(table: u32): usize {
  const address = objectAddress(table);
  return entryAt(address, load<u32>(address, TABLE_USED)) + ENTRY_KEY;
}

/** The entry with the key at `probe`, 0 without one; or what is wrong. */
function find(table: u32): u32 {
  const address = objectAddress(table);
  const wanted = probe(table);
  const form = load<u32>(address, FORM);
  const code = form & 0xff;
  let hash: u32;
  if (form & 256) {
    const mark = runMark();
    const text = load<u32>(wanted) ? textCase(load<u32>(wanted), true) : 1;
    if (text == FAIL_MEMORY) return FAULT_MEMORY;
    // The case of what is not ASCII is the host's to know.
    if (text == 0) return FAULT_KEPT;
    const place = runAllocate(8);
    if (place == 0) return FAULT_MEMORY;
    store<u32>(place, text == 1 ? 0 : text);
    hash = valueHash(TYPE_STRING, place);
    runRelease(mark);
  } else {
    hash = valueHash(code, wanted);
  }
  hash ^= hash >> 16;
  store<u32>(wanted - ENTRY_KEY, hash);
  let next = load<u32>(<usize>load<u32>(address, HEADS) + 4 * <usize>(hash & load<u32>(address, MASK)));
  while (next != 0) {
    const entry = entryAt(address, next - 1);
    if (load<u32>(entry) == hash) {
      if (!(form & 256)) {
        if (valueEquals(code, entry + ENTRY_KEY, wanted)) return <u32>entry;
      } else {
        const order = textCompareFolded(load<u32>(entry + ENTRY_KEY), load<u32>(wanted));
        if (order == 0x40000000) return FAULT_MEMORY;
        if (order == 0) return <u32>entry;
      }
    }
    next = load<u32>(entry, NEXT);
  }
  return 0;
}

export function tableFind(table: u32, key: u32): u32 {
  store<u32>(probe(table), key);
  return find(table);
}

export function tableFindLong(table: u32, key: u64): u32 {
  store<u64>(probe(table), key);
  return find(table);
}

export function tableFindSingle(table: u32, key: f32): u32 {
  store<f32>(probe(table), key);
  return find(table);
}

export function tableFindDouble(table: u32, key: f64): u32 {
  store<f64>(probe(table), key);
  return find(table);
}

export function tableFindWide(table: u32, key: v128): u32 {
  v128.store(probe(table), key);
  return find(table);
}

/** Makes an entry of the key that was looked for and not found, its value all zero. Its address, or what is wrong. */
export function tableAdd(table: u32): u32 {
  if (isKept(table) && !keptNow()) return FAULT_KEPT;
  const address = objectAddress(table);
  const free = load<u32>(address, FREE);
  if (free == 0 && load<u32>(address, TABLE_USED) + 1 >= load<u32>(address, ROOM)) {
    const room: u32 = 2 * load<u32>(address, OBJECT_COUNT) + START_ROOM;
    if (room > MOST || !grow(address, room)) return FAULT_MEMORY;
  }
  const used = load<u32>(address, TABLE_USED);
  const number = free ? free : used + 1;
  const entry = entryAt(address, number - 1);
  if (free) {
    store<u32>(address, load<u32>(entry), FREE);
    memory.copy(entry, entryAt(address, used), ENTRY_VALUE);
  } else {
    store<u32>(address, number, TABLE_USED);
  }
  const head = <usize>load<u32>(address, HEADS) + 4 * <usize>(load<u32>(entry) & load<u32>(address, MASK));
  store<u32>(entry, load<u32>(head), NEXT);
  store<u32>(head, number);
  if (stride(address) > <u32>ENTRY_VALUE) {
    store<u64>(entry, 0, ENTRY_VALUE);
    store<u64>(entry, 0, ENTRY_VALUE + 8);
  }
  store<u32>(address, load<u32>(address, OBJECT_COUNT) + 1, OBJECT_COUNT);
  tableTouch(table);
  return <u32>entry;
}

/** Another version: whoever is going over the table is told. */
export function tableTouch(table: u32): void {
  const address = objectAddress(table);
  store<u32>(address, load<u32>(address, TABLE_VERSION) + 1, TABLE_VERSION);
}

/** Whether a text or reference may be put into a table: it lasts as long. */
export function tableTakes(table: u32, word: u32): bool {
  return !isKept(table) || objectOutlives(word);
}

/** Takes an entry out, whose address `tableFind` has answered just now. A set has another version then, a dictionary has not. */
export function tableRemove(table: u32, entry: u32): void {
  const address = objectAddress(table);
  const number = 1 + <u32>((<usize>entry - <usize>load<u32>(address, ENTRIES)) / stride(address));
  let link = <usize>load<u32>(address, HEADS) + 4 * <usize>(load<u32>(entry) & load<u32>(address, MASK));
  while (load<u32>(link) != number) link = entryAt(address, load<u32>(link) - 1) + NEXT;
  store<u32>(link, load<u32>(<usize>entry, NEXT));
  store<u32>(<usize>entry, REMOVED, NEXT);
  store<u32>(<usize>entry, load<u32>(address, FREE));
  store<u32>(address, number, FREE);
  const count = load<u32>(address, OBJECT_COUNT) - 1;
  store<u32>(address, count, OBJECT_COUNT);
  if (!isSet(address)) return;
  if (count == 0) {
    store<u32>(address, 0, TABLE_USED);
    store<u32>(address, 0, FREE);
  }
  tableTouch(table);
}

// @ts-ignore: decorator
@inline
function isSet(address: usize): bool {
  return stride(address) <= 24;
}

export function tableClear(table: u32): void {
  const address = objectAddress(table);
  memory.fill(<usize>load<u32>(address, HEADS), 0, 4 * (<usize>load<u32>(address, MASK) + 1));
  store<u32>(address, 0, OBJECT_COUNT);
  store<u32>(address, 0, TABLE_USED);
  store<u32>(address, 0, FREE);
  if (isSet(address)) tableTouch(table);
}

/** An empty table of the same type that compares keys as another one does. */
export function tableLike(table: u32): u32 {
  const address = objectAddress(table);
  const form = load<u32>(address, FORM);
  return tableCreate(load<u32>(address) & ~KEPT, form & 0xffff, isSet(address) ? 0 : 1);
}

/**
 * Makes an empty set hold what another one does, at the same places. The set when it did; 0: their keys are compared in different ways, and
 * nothing was done; or what is wrong.
 */
export function tableCopy(table: u32, from: u32): u32 {
  const address = objectAddress(table);
  const source = objectAddress(from);
  if (load<u32>(address, FORM) != load<u32>(source, FORM)) return 0;
  const used = load<u32>(source, TABLE_USED);
  const heads = load<u32>(source, MASK) + 1;
  const room = load<u32>(source, ROOM);
  const size = stride(address);
  const entries = runAllocate(size * <usize>room);
  const chains = entries ? runAllocate(4 * <usize>heads) : 0;
  if (chains == 0) return FAULT_MEMORY;
  ofTable(address, entries, chains);
  memory.copy(entries, <usize>load<u32>(source, ENTRIES), size * <usize>used);
  memory.copy(chains, <usize>load<u32>(source, HEADS), 4 * <usize>heads);
  store<u32>(address, <u32>entries, ENTRIES);
  store<u32>(address, <u32>chains, HEADS);
  store<u32>(address, room, ROOM);
  store<u32>(address, heads - 1, MASK);
  store<u32>(address, used, TABLE_USED);
  store<u32>(address, load<u32>(source, FREE), FREE);
  store<u32>(address, load<u32>(source, OBJECT_COUNT), OBJECT_COUNT);
  return table;
}

/** The first entry at or behind a place, counted from 0, that is live; the places there are without one. */
export function tableNext(table: u32, place: u32): u32 {
  const address = objectAddress(table);
  const used = load<u32>(address, TABLE_USED);
  while (place < used && load<u32>(entryAt(address, place), NEXT) == REMOVED) place++;
  return place;
}

/** Address of the entry at a place. */
export function tableEntry(table: u32, place: u32): u32 {
  return <u32>entryAt(objectAddress(table), place);
}
