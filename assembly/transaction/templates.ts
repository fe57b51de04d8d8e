// The strings and templates of one transaction, resolved once: after that a create is a straight copy.
//
//   template record (scratch)   u32 kind, label, edge type (string indices, later intern ids), property count,
//                               address of { key, type } in the buffer, bytes of its values (NONE = not fixed),
//                               records (values with an address), shape (0 = no properties or not resolved yet),
//                               address of u32 slots, one for each property in template order
//
// A resolved template counts as a user of its shape until the transaction ends, so that the shape outlives removals in between.

import { KIND_EDGE, KIND_VERTEX } from '../graph/elements';
import { intern, internFind } from '../graph/intern';
import { hasRecord } from '../graph/rows';
import { reserveLater } from '../graph/running';
import { shapeOf, shapeRelease, shapeRetain, sortIndices } from '../graph/shapes';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { BAD_TRANSACTION, NO_MEMORY, OK } from '../status';
import { isVariable, isWide, TYPE_COUNT, TYPE_NONE } from '../values/types';
import {
  ENTRY_TYPE, STRING_LENGTH, TEMPLATE_EDGE_TYPE, TEMPLATE_HEADER_BYTES, TEMPLATE_KIND, TEMPLATE_LABEL, TEMPLATE_PROPERTY_COUNT,
  TX_STRING_COUNT, TX_STRINGS, TX_TEMPLATE_COUNT, TX_TEMPLATES,
} from './format';

export const RECORD_KIND: usize = 0;
export const RECORD_LABEL: usize = 4;
export const RECORD_EDGE_TYPE: usize = 8;
export const RECORD_COUNT: usize = 12;
export const RECORD_ENTRIES: usize = 16;
export const RECORD_VALUE_BYTES: usize = 20;
export const RECORD_RECORDS: usize = 24;
export const RECORD_SHAPE: usize = 28;
export const RECORD_SLOTS: usize = 32;
const RECORD_RESOLVED: usize = 36;
const RECORD_BYTES: usize = 40;

let transaction: usize = 0;
let records: usize = 0;
let recordCount: u32 = 0;
let stringIds: usize = 0;

/** Address of the record of template `index`. */
// @ts-ignore: decorator
@inline
export function templateRecord(index: u32): usize {
  return records + <usize>index * RECORD_BYTES;
}

// @ts-ignore: decorator
@inline
export function templateCount(): u32 {
  return recordCount;
}

// --- Checking ------------------------------------------------------------------------------------------------------------

/** True when `count` items of `size` bytes at `offset`, a multiple of 8, lie within `total` bytes. */
export function inBounds(offset: u32, count: u32, size: u32, total: u32): bool {
  return (offset & 7) == 0 && <u64>offset + <u64>count * <u64>size <= <u64>total;
}

/** Checks strings and templates and sets up the records. OK, BAD_TRANSACTION or NO_MEMORY. */
export function templatesBegin(buffer: usize, total: u32): i32 {
  transaction = buffer;
  recordCount = 0;
  const strings = load<u32>(buffer, TX_STRING_COUNT);
  const templates = load<u32>(buffer, TX_TEMPLATE_COUNT);
  if (!inBounds(load<u32>(buffer, TX_STRINGS), strings, 8, total)) return BAD_TRANSACTION;
  if (!inBounds(load<u32>(buffer, TX_TEMPLATES), templates, 4, total)) return BAD_TRANSACTION;
  const table = buffer + <usize>load<u32>(buffer, TX_STRINGS);
  for (let i: u32 = 0; i < strings; i++) {
    const string = table + ((<usize>i) << 3);
    if (<u64>load<u32>(string) + <u64>load<u32>(string, STRING_LENGTH) > <u64>total) return BAD_TRANSACTION;
  }
  stringIds = scratchAllocate((<usize>strings) << 2);
  records = scratchAllocate(<usize>templates * RECORD_BYTES);
  if (stringIds == 0 || records == 0) return NO_MEMORY;
  memory.fill(stringIds, 0xff, (<usize>strings) << 2);
  const list = buffer + <usize>load<u32>(buffer, TX_TEMPLATES);
  for (let i: u32 = 0; i < templates; i++) {
    const offset = load<u32>(list + ((<usize>i) << 2));
    if (!templateCheck(offset, total, strings, templateRecord(i))) return BAD_TRANSACTION;
  }
  recordCount = templates;
  return OK;
}

function templateCheck(offset: u32, total: u32, strings: u32, record: usize): bool {
  if (!inBounds(offset, 1, <u32>TEMPLATE_HEADER_BYTES, total)) return false;
  const template = transaction + <usize>offset;
  const kind = load<u32>(template, TEMPLATE_KIND);
  const label = load<u32>(template, TEMPLATE_LABEL);
  const edgeType = load<u32>(template, TEMPLATE_EDGE_TYPE);
  const count = load<u32>(template, TEMPLATE_PROPERTY_COUNT);
  if (kind != KIND_VERTEX && kind != KIND_EDGE) return false;
  if (label != NONE && label >= strings) return false;
  if (kind == KIND_EDGE ? edgeType >= strings : edgeType != NONE) return false;
  if (!inBounds(offset + <u32>TEMPLATE_HEADER_BYTES, count, 8, total)) return false;
  const entries = template + TEMPLATE_HEADER_BYTES;
  let bytes: u32 = 0;
  let withRecord: u32 = 0;
  let fixed = true;
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + ((<usize>i) << 3);
    const type = load<u32>(entry, ENTRY_TYPE);
    if (load<u32>(entry) >= strings || type == TYPE_NONE || type >= TYPE_COUNT) return false;
    if (isVariable(type)) fixed = false;
    bytes += isWide(type) ? 16 : 8;
    withRecord += u32(hasRecord(type));
  }
  store<u32>(record, kind, RECORD_KIND);
  store<u32>(record, label, RECORD_LABEL);
  store<u32>(record, edgeType, RECORD_EDGE_TYPE);
  store<u32>(record, count, RECORD_COUNT);
  store<u32>(record, <u32>entries, RECORD_ENTRIES);
  store<u32>(record, fixed ? bytes : NONE, RECORD_VALUE_BYTES);
  store<u32>(record, withRecord, RECORD_RECORDS);
  store<u32>(record, 0, RECORD_SHAPE);
  store<u32>(record, 0, RECORD_SLOTS);
  store<u32>(record, 0, RECORD_RESOLVED);
  return true;
}

// --- Resolving -----------------------------------------------------------------------------------------------------------

/** Address of the text of string `index`. */
export function stringText(index: u32): usize {
  return transaction + <usize>load<u32>(transaction + <usize>load<u32>(transaction, TX_STRINGS) + ((<usize>index) << 3));
}

/** Bytes of string `index`. */
export function stringBytes(index: u32): u32 {
  return load<u32>(transaction + <usize>load<u32>(transaction, TX_STRINGS) + ((<usize>index) << 3), STRING_LENGTH);
}

/** Intern id of string `index`, added if need be; NONE = no memory. */
export function stringIntern(index: u32): u32 {
  const at = stringIds + ((<usize>index) << 2);
  let id = load<u32>(at);
  if (id != NONE) return id;
  const string = transaction + <usize>load<u32>(transaction, TX_STRINGS) + ((<usize>index) << 3);
  id = intern(transaction + <usize>load<u32>(string), load<u32>(string, STRING_LENGTH));
  store<u32>(at, id);
  return id;
}

/** Intern id of string `index` if it has one, else NONE. */
export function stringFind(index: u32): u32 {
  const id = load<u32>(stringIds + ((<usize>index) << 2));
  if (id != NONE) return id;
  const string = transaction + <usize>load<u32>(transaction, TX_STRINGS) + ((<usize>index) << 3);
  return internFind(transaction + <usize>load<u32>(string), load<u32>(string, STRING_LENGTH));
}

/** Makes the record's string indices ids and finds its shape. OK, NO_MEMORY, or BAD_TRANSACTION for a key that repeats. */
// @ts-ignore: decorator
@inline
export function templateResolve(state: usize, record: usize): i32 {
  return load<u32>(record, RECORD_RESOLVED) != 0 ? OK : resolve(state, record);
}

function resolve(state: usize, record: usize): i32 {
  const count = load<u32>(record, RECORD_COUNT);
  const label = load<u32>(record, RECORD_LABEL);
  const edgeType = load<u32>(record, RECORD_EDGE_TYPE);
  const labelId = label == NONE ? NONE : stringIntern(label);
  const edgeTypeId = edgeType == NONE ? NONE : stringIntern(edgeType);
  if ((label != NONE && labelId == NONE) || (edgeType != NONE && edgeTypeId == NONE)) return NO_MEMORY;
  if (count != 0) {
    const code = resolveShape(state, record, count);
    if (code != OK) return code;
  }
  store<u32>(record, labelId, RECORD_LABEL);
  store<u32>(record, edgeTypeId, RECORD_EDGE_TYPE);
  store<u32>(record, 1, RECORD_RESOLVED);
  return OK;
}

function resolveShape(state: usize, record: usize, count: u32): i32 {
  const given: usize = load<u32>(record, RECORD_ENTRIES);
  const entries = scratchAllocate((<usize>count) << 3);
  const order = scratchAllocate((<usize>count) << 2);
  const slots = scratchAllocate((<usize>count) << 2);
  const sorted = scratchAllocate((<usize>count) << 3);
  if (entries == 0 || order == 0 || slots == 0 || sorted == 0 || !reserveLater(1)) return NO_MEMORY;
  for (let i: u32 = 0; i < count; i++) {
    const key = stringIntern(load<u32>(given + ((<usize>i) << 3)));
    if (key == NONE) return NO_MEMORY;
    const type = load<u32>(given + ((<usize>i) << 3), ENTRY_TYPE);
    store<u64>(entries + ((<usize>i) << 3), <u64>key | ((<u64>type) << 32));
    store<u32>(order + ((<usize>i) << 2), i);
  }
  sortIndices(order, count, entries, true);
  let last: u32 = NONE;
  for (let i: u32 = 0; i < count; i++) {
    const from = load<u32>(order + ((<usize>i) << 2));
    const entry = load<u64>(entries + ((<usize>from) << 3));
    if (<u32>entry == last) return BAD_TRANSACTION;
    last = <u32>entry;
    store<u64>(sorted + ((<usize>i) << 3), entry);
    store<u32>(slots + ((<usize>from) << 2), i);
  }
  const shape = shapeOf(state, sorted, count);
  if (shape == 0) return NO_MEMORY;
  shapeRetain(shape, 1);
  store<u32>(record, <u32>shape, RECORD_SHAPE);
  store<u32>(record, <u32>slots, RECORD_SLOTS);
  return OK;
}

/** Lets go of the shapes the templates held. */
export function templatesEnd(state: usize): void {
  for (let i: u32 = 0; i < recordCount; i++) {
    const shape = load<u32>(templateRecord(i), RECORD_SHAPE);
    if (shape != 0) shapeRelease(state, shape);
  }
  recordCount = 0;
}
