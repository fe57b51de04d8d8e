// Going over an object that is some sequence: an array, a list, a table, a text, or a query of the fragment. What it is shows at run time
// alone. An ENUMERATOR is an object (objects.ts) with the place somebody has got to:
//
//   ENUMERATOR   +8 source   +12 index   +16 version of the source at the beginning   +20 what a query has to remember between two items:
//                an object of its own, or 0   +24 the item, 16 bytes
//   QUERY        count: number of the module's function that makes the next item; +8 what it took along
//
// Queries are the module's: it is told to make the item itself. So are pairs of a dictionary, whose type only the module knows.

import { LIST_FIRST, LIST_ITEMS, LIST_VERSION, tableEntry, tableNext, TAG_LIST, TAG_QUEUE } from './collections';
import { FAULT_MEMORY, FAULT_RANGE } from './faults';
import {
  codeBytes, isReference, OBJECT_COUNT, OBJECT_HEADER, objectAddress, objectCode, objectCreate, objectTag, TAG_ARRAY,
} from './objects';
import { ENTRY_KEY, ENTRY_VALUE, TABLE_USED, TABLE_VERSION, TAG_DICTIONARY, TAG_LOOKUP, TAG_SET } from './table-layout';
import { textLength, textUnit } from './texts';

export const TAG_QUERY: u32 = 54;
export const TAG_ENUMERATOR: u32 = 55;

const SOURCE: usize = OBJECT_HEADER;
const INDEX: usize = SOURCE + 4;
const VERSION: usize = INDEX + 4;
const ITEM: usize = VERSION + 8;
const BYTES: u32 = 32;

const FAULT_INVALID: u32 = 7;

const END: u32 = 0;
const FOUND: u32 = 1;
/** The module has to make the item: of a query, or the pair of the entry whose address lies in the item's place. */
const BY_QUERY: u32 = 2;
const BY_PAIR: u32 = 3;

/** Collections that tell whoever goes over them when they were changed. */
function isVersioned(tag: u32): bool {
  return tag == TAG_LIST || tag == TAG_QUEUE || tag == TAG_DICTIONARY || tag == TAG_SET;
}

/** Lists and tables have theirs at different places (collections.ts). */
function versionOf(source: u32): u32 {
  const address = objectAddress(source);
  return objectTag(source) <= TAG_QUEUE ? load<u32>(address, LIST_VERSION) : load<u32>(address, TABLE_VERSION);
}

/** Somebody who goes over a sequence, which is not null; FAULT_MEMORY without room. */
export function sequenceBegin(source: u32): u32 {
  const made = objectCreate(TAG_ENUMERATOR, 0, BYTES);
  if (made == 0) return FAULT_MEMORY;
  const address = objectAddress(made);
  store<u32>(address, source, SOURCE);
  if (isReference(source) && isVersioned(objectTag(source))) {
    store<u32>(address, versionOf(source), VERSION);
  }
  return made;
}

/** Moves on: 0 at the end, 1 with the item in its place, 2 and 3 when the module has to make it, and exceptions from 4 on. */
export function sequenceNext(enumerator: u32): u32 {
  const address = objectAddress(enumerator);
  const source = load<u32>(address, SOURCE);
  let index = load<u32>(address, INDEX);
  store<u32>(address, index + 1, INDEX);
  if (!isReference(source)) {
    if (index >= textLength(source)) return END;
    store<u32>(address, textUnit(source, index), ITEM);
    return FOUND;
  }
  const tag = objectTag(source);
  if (tag == TAG_QUERY) return BY_QUERY;
  const from = objectAddress(source);
  if (isVersioned(tag) && versionOf(source) != load<u32>(address, VERSION)) return FAULT_INVALID;
  if (tag >= TAG_DICTIONARY && tag <= TAG_LOOKUP) return nextEntry(address, source, index, tag);
  if (index >= load<u32>(objectAddress(source), OBJECT_COUNT)) return END;
  let items = source;
  if (tag != TAG_ARRAY) {
    items = load<u32>(from, LIST_ITEMS);
    index += load<u32>(from, LIST_FIRST);
  }
  const size = <usize>codeBytes(objectCode(items));
  memory.copy(address + ITEM, objectAddress(items) + OBJECT_HEADER + size * <usize>index, size);
  return FOUND;
}

function nextEntry(address: usize, table: u32, index: u32, tag: u32): u32 {
  const place = tableNext(table, index);
  store<u32>(address, place + 1, INDEX);
  const entry = <usize>tableEntry(table, place);
  if (place >= load<u32>(objectAddress(table), TABLE_USED)) return END;
  if (tag == TAG_DICTIONARY) {
    store<u32>(address, <u32>entry, ITEM);
    return BY_PAIR;
  }
  memory.copy(address + ITEM, entry + (tag == TAG_LOOKUP ? ENTRY_VALUE : ENTRY_KEY), 16);
  return FOUND;
}

/** How many items a sequence has; 0xffffffff: that shows only by going over it. */
export function sequenceCount(source: u32): u32 {
  if (!isReference(source)) return textLength(source);
  return objectTag(source) == TAG_QUERY ? 0xffffffff : load<u32>(objectAddress(source), OBJECT_COUNT);
}

/** Address of the item of an array or list at an index, or what is wrong. */
export function sequenceItem(source: u32, index: u32): u32 {
  const isList = objectTag(source) == TAG_LIST;
  const from = objectAddress(source);
  if (index >= load<u32>(from, OBJECT_COUNT)) return FAULT_RANGE;
  const items = isList ? load<u32>(from, LIST_ITEMS) : source;
  if (isList) index += load<u32>(from, LIST_FIRST);
  return <u32>(objectAddress(items) + OBJECT_HEADER) + codeBytes(objectCode(items)) * index;
}
