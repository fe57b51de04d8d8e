// What the debug build looks at in a run's heap at each collection: the head of every object, that its parts lie in its block, that what
// it names is an object that is alive, and that nobody wrote to what was given back. Release builds have none of it.
//
// Where a word is a reference by what the object says of itself, it is followed: items of arrays, tuples and lists, keys of tables, fields
// of objects of a source, variables of cells. What delegates and queries took along, and values of tables, only their module knows.

import { scratchHolds } from '../memory/arena';
import { check } from '../memory/check';
import { RECORD_HEADER } from '../values/record';
import { isWide, TYPE_STRING } from '../values/types';
import { LIST_FIRST, LIST_ITEMS, TAG_GROUP, TAG_LIST } from './collections';
import {
  CODE_OBJECT, codeBytes, isReference, OBJECT_COUNT, OBJECT_HEADER, objectAddress, REFERENCES_KNOWN, TAG_ALONE, TAG_ARRAY, TAG_BUILDER,
  TAG_CELL, TAG_DELEGATE, TAG_ELEMENT, TAG_EXCEPTION, TAG_OBJECT, TAG_PLACE, TAG_TUPLE, TAG_TUPLE_CLASS, TAG_TYPE,
  TUPLE_ITEM_BYTES, TUPLE_ITEMS,
} from './objects';
import {
  POISON, runBlockAt, runBlockContent, runBlockEnd, runBlockIsFree, runBlockIsObject, runBlockIsRaw, runCollect, runLook, runLooked,
  runPartEnd, runParts, runPartStart,
} from './run-heap';
import { TAG_ENUMERATOR, TAG_QUERY } from './sequences';
import { ENTRIES, ENTRY_KEY, FORM, HEADS, isTable, MASK, NEXT, REMOVED, ROOM, TABLE_USED } from './table-layout';
import { forgetCursor } from './texts';

/** Of what was given back. */
const POISON_WORD: u32 = 0x01010101 * <u32>POISON;

const CHECK_HEAD: u32 = 134;
const CHECK_SIZE: u32 = 135;
const CHECK_REFERENCE: u32 = 136;
const CHECK_TEXT: u32 = 137;
const CHECK_POISON: u32 = 138;
const CHECK_TABLE: u32 = 139;

const LEAST_BOX: u32 = 2;
const MOST_BOX: u32 = 18;
/** A field of an object of a source. */
const FIELD_BYTES: usize = 16;

/** In the middle of a call, with no routine under way: `runCollect`. */
export function fragmentCollect(control: usize, stackEnd: usize): bool {
  // Another text may come to lie where the cursor's was.
  forgetCursor();
  if (CORE_DEBUG != 0) checkHeap(control);
  return runCollect(control, stackEnd);
}

function checkHeap(control: usize): void {
  if (!runLook(control)) return;
  for (let part: usize = 0; part < runParts(); part++) {
    const end = runPartEnd(part);
    for (let block = runPartStart(part); block < end; block = runBlockEnd(block)) {
      const from = runBlockContent(block);
      if (runBlockIsFree(block)) checkFree(from, runBlockEnd(block));
      else if (runBlockIsObject(block)) checkObject(from, runBlockEnd(block));
    }
  }
  runLooked();
}

/** A free block holds nothing but what it was overwritten with. */
function checkFree(from: usize, to: usize): void {
  for (let at = from; at < to; at += 4) check(load<u32>(at) == POISON_WORD, CHECK_POISON);
}

/** An object at the start of its block, which ends at `end`. */
function checkObject(address: usize, end: usize): void {
  checkShape(address, end);
  const head = load<u32>(address);
  const tag = head & 0xff;
  const count = load<u32>(address, OBJECT_COUNT);
  if (tag == TAG_ARRAY) checkItems(address, (head >> 24) & 0x7f, count);
  else if (tag >= TAG_TUPLE && tag <= TAG_TUPLE_CLASS) checkTuple(address, count);
  else if (tag >= TAG_LIST && tag <= TAG_GROUP) checkList(address, count);
  else if (isTable(head)) checkTable(address, count);
  else if (tag == TAG_CELL && count == (REFERENCES_KNOWN | 1)) checkWord(load<u32>(address, OBJECT_HEADER));
  else if (tag == TAG_OBJECT && (count & REFERENCES_KNOWN) != 0) checkFields(address, end, count);
  else if (tag == TAG_EXCEPTION) {
    checkWord(load<u32>(address, OBJECT_HEADER));
    checkWord(load<u32>(address, OBJECT_HEADER + 4));
  }
}

/** A tag that there is, with room for what such an object has. */
function checkShape(address: usize, end: usize): void {
  const head = load<u32>(address);
  const tag = head & 0xff;
  const count = load<u32>(address, OBJECT_COUNT);
  let bytes: u64 = 0;
  if (tag >= LEAST_BOX && tag <= MOST_BOX) bytes = isWide(tag) ? 16 : 8;
  else if (tag == TAG_ARRAY) bytes = <u64>count * <u64>codeBytes((head >> 24) & 0x7f);
  else if (tag >= TAG_TUPLE && tag <= TAG_TUPLE_CLASS) bytes = 8 + TUPLE_ITEM_BYTES * <u64>count;
  else if (tag == TAG_CELL || tag == TAG_EXCEPTION) bytes = 16;
  else if (tag == TAG_PLACE) bytes = 8;
  else if (tag == TAG_BUILDER || (tag >= TAG_LIST && tag <= TAG_ENUMERATOR && tag != TAG_QUERY)) bytes = 32;
  else {
    const isPlain = tag == 0 || tag == TAG_ELEMENT || tag == TAG_DELEGATE || tag == TAG_QUERY || tag == TAG_OBJECT;
    check(isPlain || tag == TAG_TYPE || tag == TAG_ALONE, CHECK_HEAD);
  }
  check(<u64>address + <u64>OBJECT_HEADER + bytes <= <u64>end, CHECK_SIZE);
}

function isWord(code: u32): bool {
  return code == CODE_OBJECT || code == TYPE_STRING;
}

function checkItems(address: usize, code: u32, count: u32): void {
  if (!isWord(code)) return;
  for (let i: u32 = 0; i < count; i++) checkWord(load<u32>(address + OBJECT_HEADER + 4 * <usize>i));
}

function checkTuple(address: usize, count: u32): void {
  check(count <= 8, CHECK_SIZE);
  for (let i: u32 = 0; i < count; i++) {
    const code = <u32>load<u8>(address + OBJECT_HEADER + <usize>i);
    if (isWord(code)) checkWord(load<u32>(address + TUPLE_ITEMS + TUPLE_ITEM_BYTES * <usize>i));
  }
}

function checkList(address: usize, count: u32): void {
  const items = load<u32>(address, LIST_ITEMS);
  check(isReference(items), CHECK_REFERENCE);
  checkReference(items);
  const array = objectAddress(items);
  check((load<u32>(array) & 0xff) == TAG_ARRAY, CHECK_HEAD);
  check(<u64>load<u32>(address, LIST_FIRST) + <u64>count <= <u64>load<u32>(array, OBJECT_COUNT), CHECK_SIZE);
}

function checkTable(address: usize, count: u32): void {
  const entries = <usize>load<u32>(address, ENTRIES);
  // A table under construction.
  if (entries == 0) return;
  const form = load<u32>(address, FORM);
  const stride = <usize>(form >> 16);
  const used = load<u32>(address, TABLE_USED);
  const room = load<u32>(address, ROOM);
  check(count <= used && used < room, CHECK_TABLE);
  checkPart(entries, stride * <usize>room);
  checkPart(<usize>load<u32>(address, HEADS), 4 * (<usize>load<u32>(address, MASK) + 1));
  if (!isWord(form & 0xff)) return;
  for (let i: u32 = 0; i < used; i++) {
    const entry = entries + stride * <usize>i;
    if (load<u32>(entry, NEXT) != REMOVED) checkWord(load<u32>(entry, ENTRY_KEY));
  }
}

/** A part of an object in a block of its own, or outside of the heap. */
function checkPart(address: usize, bytes: usize): void {
  const block = runBlockAt(address);
  if (block == 0) {
    check(scratchHolds(address, bytes), CHECK_TABLE);
    return;
  }
  check(!runBlockIsFree(block) && bytes <= runBlockEnd(block) - address, CHECK_TABLE);
}

/** Fields of 16 bytes, of which the lower bits of the count say which are words. */
function checkFields(address: usize, end: usize, count: u32): void {
  for (let i: u32 = 0; i < 31; i++) {
    if (((count >> i) & 1) == 0) continue;
    const field = address + OBJECT_HEADER + FIELD_BYTES * <usize>i;
    check(field + FIELD_BYTES <= end, CHECK_SIZE);
    checkWord(load<u32>(field));
  }
}

/** An object or a text, or null. */
function checkWord(word: u32): void {
  if (word == 0) return;
  if (isReference(word)) checkReference(word);
  else if ((word & 1) == 0) checkText(<usize>word);
}

function checkReference(word: u32): void {
  const address = objectAddress(word);
  check((address & 7) == 0, CHECK_REFERENCE);
  const block = runBlockAt(address);
  if (block == 0) {
    // Made by `init`.
    check(scratchHolds(address, OBJECT_HEADER), CHECK_REFERENCE);
    return;
  }
  check(!runBlockIsFree(block) && address == runBlockContent(block), CHECK_REFERENCE);
  check(!runBlockIsRaw(block) || (load<u32>(address) & 0xff) == TAG_BUILDER, CHECK_REFERENCE);
  checkShape(address, runBlockEnd(block));
}

/** A record in one block, where it lies in the heap: others are the graph's, the request's or those of `init`. */
function checkText(record: usize): void {
  check((record & 7) == 0, CHECK_TEXT);
  const block = runBlockAt(record);
  if (block == 0) return;
  check(!runBlockIsFree(block), CHECK_TEXT);
  check(RECORD_HEADER + <usize>load<u32>(record) <= runBlockEnd(block) - record, CHECK_TEXT);
}
