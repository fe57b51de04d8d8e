// The transaction builder: collects strings, templates and operations and lays them out as transaction/format.ts describes.
//
// A builder is a record in the system heap and not a set of globals, because a bulk import keeps a half-built transaction while
// other requests build theirs. Only the writer's thread may use one: it allocates.
//
//   transaction   header, then operations written in place; strings and templates are appended by buildEnd
//   strings       StringRecord x count, found by a hash table whose entries carry the builder's generation, so that starting the
//                 next transaction costs nothing
//   templates     laid end to end; the one of the element under construction is the candidate at the end, and stays only if no
//                 equal one came before
//
// Duplicate keys of one element are found by the `mark` of the key's string: the serial number of the last element that used it.
// Everything answers NO_MEMORY as a value; after it only buildBegin is legal. It may know nothing of property values' texts.

import { KIND_EDGE } from '../graph/elements';
import { allocate, blockBytes, release } from '../memory/allocator';
import { NONE, PAGE_SHIFT, PURPOSE_SCRATCH, ROOT_PAGE_LIMIT } from '../memory/layout';
import { NO_MEMORY, OK } from '../status';
import { hashBytes } from '../values/hash';
import { equalStrings } from '../values/utf8';
import {
  CREATE_FLAGS, CREATE_SOURCE, CREATE_TARGET, CREATE_TEMPLATE, CREATE_TIME, ENTRY_TYPE, OP_CREATE, OP_EDGES, OPERATION_BYTES,
  OPERATION_ELEMENT, OPERATION_NAME, OPERATION_TYPE, STRING_LENGTH, TEMPLATE_EDGE_TYPE, TEMPLATE_HEADER_BYTES, TEMPLATE_LABEL,
  TEMPLATE_PROPERTY_COUNT, TX_CREATE_COUNT, TX_FIRST_ID, TX_FLAGS, TX_HEADER_BYTES, TX_MAGIC, TX_OPERATION_COUNT, TX_OPERATIONS,
  TX_STRING_COUNT, TX_STRINGS, TX_TEMPLATE_COUNT, TX_TEMPLATES, TX_TIME_MS, TX_TIME_SECONDS, TX_TOTAL_BYTES, TX_ZERO,
} from './format';

// A growable area is three words: address, capacity in bytes, used bytes.
const AREA_CAPACITY: usize = 4;
const AREA_USED: usize = 8;
const AREA_BYTES: usize = 12;

/** The transaction buffer; `used` counts from its start, header included. */
const BUILD_TRANSACTION: usize = 0;
const BUILD_STRINGS: usize = BUILD_TRANSACTION + AREA_BYTES;
const BUILD_TEXT: usize = BUILD_STRINGS + AREA_BYTES;
const BUILD_TEMPLATES: usize = BUILD_TEXT + AREA_BYTES;
const BUILD_TEMPLATE_LIST: usize = BUILD_TEMPLATES + AREA_BYTES; // { u32 offset, u32 hash } a template
const BUILD_STRING_TABLE: usize = BUILD_TEMPLATE_LIST + AREA_BYTES; // { u32 generation, u32 string } a slot
const BUILD_TEMPLATE_TABLE: usize = BUILD_STRING_TABLE + AREA_BYTES;
const BUILD_GENERATION: usize = BUILD_TEMPLATE_TABLE + AREA_BYTES;
const BUILD_OPERATIONS: usize = BUILD_GENERATION + 4;
const BUILD_CREATES: usize = BUILD_OPERATIONS + 4;
const BUILD_SERIAL: usize = BUILD_CREATES + 4; // element under construction, for duplicate keys
const BUILD_CREATE: usize = BUILD_SERIAL + 4; // offset of its operation
const BUILD_LAST: usize = BUILD_CREATE + 4; // latest template of vertices, then of edges; NONE
const BUILD_SECONDS: usize = BUILD_LAST + 8;
const BUILD_MS: usize = (BUILD_SECONDS + 4 + 7) & ~7;
const BUILD_BYTES: usize = BUILD_MS + 8;

// Strings
const STRING_OFFSET: usize = 0;
const STRING_BYTES: usize = 4;
const STRING_HASH: usize = 8;
const STRING_MARK: usize = 12;
/** Two words for whoever builds (the bulk reader keeps its predictions here), NONE at first; one a kind. */
const STRING_HINT: usize = 16;
const STRING_RECORD_BYTES: usize = 24;

// A slot of a table and an entry of the list of templates: the generation and the offset come first.
const SLOT_NUMBER: usize = 4;
const SLOT_SHIFT: u32 = 3;
const SLOT_BYTES: usize = 1 << SLOT_SHIFT;
const LISTED_HASH: usize = 4;
const LISTED_SHIFT: u32 = 3;
const LISTED_BYTES: usize = 1 << LISTED_SHIFT;

/** Kept between transactions; more, or more than a part of the memory limit (a power of two), is given back. */
const KEPT_BYTES: u32 = 1 << 22;
const KEPT_SHIFT: u32 = 7;
/** A transaction's byte offsets are u32 and its buffer is one block: half the address space is the end. */
const AREA_LIMIT: u64 = 1 << 31;

/** A new builder, 0 when there is no memory. */
export function builderCreate(): usize {
  const builder = allocate(0, PURPOSE_SCRATCH, BUILD_BYTES);
  if (builder == 0) return 0;
  memory.fill(builder, 0, BUILD_BYTES);
  return builder;
}

/** Frees the builder and its buffers. */
export function builderDrop(builder: usize): void {
  for (let area = BUILD_TRANSACTION; area <= BUILD_TEMPLATE_TABLE; area += AREA_BYTES) dropArea(builder + area);
  release(PURPOSE_SCRATCH, builder);
}

function dropArea(area: usize): void {
  const address = <usize>load<u32>(area);
  if (address != 0) release(PURPOSE_SCRATCH, address);
  store<u32>(area, 0);
  store<u32>(area, 0, AREA_CAPACITY);
  store<u32>(area, 0, AREA_USED);
}

/** Makes room for `bytes` beyond what is used, keeping what is used. */
// @ts-ignore: decorator
@inline
function ensure(area: usize, bytes: u64): bool {
  if (<u64>load<u32>(area, AREA_USED) + bytes <= <u64>load<u32>(area, AREA_CAPACITY)) return true;
  return growArea(area, bytes);
}

function growArea(area: usize, bytes: u64): bool {
  const used = load<u32>(area, AREA_USED);
  const need = <u64>used + bytes;
  if (need > AREA_LIMIT) return false;
  const old = <usize>load<u32>(area);
  // Twice the old size keeps copying linear; when that does not fit, exactly what is needed still may.
  const wanted = min(max(need, max(<u64>load<u32>(area, AREA_CAPACITY) * 2, 1024)), AREA_LIMIT);
  let address = allocate(0, PURPOSE_SCRATCH, <usize>wanted);
  if (address == 0 && wanted != need) address = allocate(0, PURPOSE_SCRATCH, <usize>need);
  if (address == 0) return false;
  if (old != 0) {
    memory.copy(address, old, used);
    release(PURPOSE_SCRATCH, old);
  }
  store<u32>(area, <u32>address);
  store<u32>(area, <u32>min(<u64>blockBytes(address), AREA_LIMIT), AREA_CAPACITY);
  return true;
}

/** Bytes of an area that may stay. */
function keptBytes(): u32 {
  return min<u32>(KEPT_BYTES, load<u32>(ROOT_PAGE_LIMIT) << (PAGE_SHIFT - KEPT_SHIFT));
}

/** Gives back what a large transaction has blown up, which is over; 0 as builder does nothing. */
export function builderTrim(builder: usize): void {
  builderKeep(builder, keptBytes());
}

/** Gives back all buffers; 0 as builder does nothing. */
export function builderEmpty(builder: usize): void {
  builderKeep(builder, 0);
}

/** Gives back the buffers of more than `most` bytes. */
function builderKeep(builder: usize, most: u32): void {
  if (builder == 0) return;
  for (let area = BUILD_TRANSACTION; area <= BUILD_TEMPLATE_TABLE; area += AREA_BYTES) {
    if (load<u32>(builder + area, AREA_CAPACITY) > most) dropArea(builder + area);
  }
}

/** Starts a transaction committed at the given time. */
export function buildBegin(builder: usize, timeSeconds: u32, timeMs: f64): i32 {
  builderTrim(builder);
  for (let area = BUILD_TRANSACTION; area <= BUILD_TEMPLATE_TABLE; area += AREA_BYTES) {
    if (area < BUILD_STRING_TABLE) store<u32>(builder + area, 0, AREA_USED);
  }
  const generation = load<u32>(builder, BUILD_GENERATION) + 1;
  store<u32>(builder, generation, BUILD_GENERATION);
  if (generation == 0) {
    // After 2^32 transactions the stamps start over, so old ones must not look new.
    dropArea(builder + BUILD_STRING_TABLE);
    dropArea(builder + BUILD_TEMPLATE_TABLE);
    store<u32>(builder, 1, BUILD_GENERATION);
  }
  store<u32>(builder, 0, BUILD_OPERATIONS);
  store<u32>(builder, 0, BUILD_CREATES);
  store<u32>(builder, 0, BUILD_SERIAL);
  store<u32>(builder, NONE, BUILD_LAST);
  store<u32>(builder, NONE, BUILD_LAST + 4);
  buildTime(builder, timeSeconds, timeMs);
  if (!ensure(builder + BUILD_TRANSACTION, TX_HEADER_BYTES)) return NO_MEMORY;
  store<u32>(builder, <u32>TX_HEADER_BYTES, BUILD_TRANSACTION + AREA_USED);
  return OK;
}

/** Sets the commit time of the transaction under construction. */
export function buildTime(builder: usize, timeSeconds: u32, timeMs: f64): void {
  store<u32>(builder, timeSeconds, BUILD_SECONDS);
  store<f64>(builder, timeMs, BUILD_MS);
}

/** Changes with every buildBegin: string numbers of another generation mean nothing. */
// @ts-ignore: decorator
@inline
export function buildGeneration(builder: usize): u32 {
  return load<u32>(builder, BUILD_GENERATION);
}

// @ts-ignore: decorator
@inline
export function buildCreates(builder: usize): u32 {
  return load<u32>(builder, BUILD_CREATES);
}

/** Bytes of operations so far, header included. */
// @ts-ignore: decorator
@inline
export function buildUsed(builder: usize): u32 {
  return load<u32>(builder, BUILD_TRANSACTION + AREA_USED);
}

/** Bytes of all that is built so far: operations, strings with their records, templates. */
// @ts-ignore: decorator
@inline
export function buildHeld(builder: usize): u64 {
  return (
    <u64>buildUsed(builder) +
    load<u32>(builder, BUILD_STRINGS + AREA_USED) +
    load<u32>(builder, BUILD_TEXT + AREA_USED) +
    load<u32>(builder, BUILD_TEMPLATES + AREA_USED)
  );
}

// --- Hash tables ------------------------------------------------------------------------------------------------------------------

/** Doubles a table of { u32 generation, u32 number } and puts the `count` numbers back; hashes lie `stride` apart from `hashes`. */
function growTable(builder: usize, area: usize, count: u32, hashes: usize, stride: usize): bool {
  const slots = max<u32>(64, load<u32>(area, AREA_USED) * 2);
  const address = allocate(0, PURPOSE_SCRATCH, <usize>slots << SLOT_SHIFT);
  if (address == 0) return false;
  memory.fill(address, 0, <usize>slots << SLOT_SHIFT);
  const old = <usize>load<u32>(area);
  if (old != 0) release(PURPOSE_SCRATCH, old);
  store<u32>(area, <u32>address);
  store<u32>(area, slots << SLOT_SHIFT, AREA_CAPACITY);
  store<u32>(area, slots, AREA_USED);
  for (let number: u32 = 0; number < count; number++) {
    putTable(builder, area, load<u32>(hashes + <usize>number * stride), number);
  }
  return true;
}

function putTable(builder: usize, area: usize, hash: u32, number: u32): void {
  const mask = load<u32>(area, AREA_USED) - 1;
  const generation = load<u32>(builder, BUILD_GENERATION);
  const table = <usize>load<u32>(area);
  let slot = hash & mask;
  while (load<u32>(table + (<usize>slot << SLOT_SHIFT)) == generation) slot = (slot + 1) & mask;
  store<u32>(table + (<usize>slot << SLOT_SHIFT), generation);
  store<u32>(table + (<usize>slot << SLOT_SHIFT), number, SLOT_NUMBER);
}

// --- Strings ----------------------------------------------------------------------------------------------------------------------

/** The number of the text in this transaction's string table, entered on first sight; NONE when there is no memory. */
export function buildString(builder: usize, text: usize, bytes: u32): u32 {
  const hash = hashBytes(text, bytes);
  const table = <usize>load<u32>(builder, BUILD_STRING_TABLE);
  if (table != 0) {
    const mask = load<u32>(builder, BUILD_STRING_TABLE + AREA_USED) - 1;
    const generation = load<u32>(builder, BUILD_GENERATION);
    const strings = <usize>load<u32>(builder, BUILD_STRINGS);
    const texts = <usize>load<u32>(builder, BUILD_TEXT);
    let slot = table + (<usize>(hash & mask) << SLOT_SHIFT);
    const end = table + (<usize>(mask + 1) << SLOT_SHIFT);
    while (load<u32>(slot) == generation) {
      const number = load<u32>(slot, SLOT_NUMBER);
      const record = strings + <usize>number * STRING_RECORD_BYTES;
      if (
        load<u32>(record, STRING_HASH) == hash &&
        equalStrings(texts + load<u32>(record, STRING_OFFSET), load<u32>(record, STRING_BYTES), text, bytes)
      )
        return number;
      slot += SLOT_BYTES;
      if (slot == end) slot = table;
    }
  }
  return addString(builder, text, bytes, hash);
}

function addString(builder: usize, text: usize, bytes: u32, hash: u32): u32 {
  const number = stringCount(builder);
  const padded = (<u64>bytes + 7) & ~7;
  if (!ensure(builder + BUILD_STRINGS, STRING_RECORD_BYTES) || !ensure(builder + BUILD_TEXT, padded)) return NONE;
  if ((number + 1) * 2 > load<u32>(builder, BUILD_STRING_TABLE + AREA_USED)) {
    const hashes = <usize>load<u32>(builder, BUILD_STRINGS) + STRING_HASH;
    if (!growTable(builder, builder + BUILD_STRING_TABLE, number, hashes, STRING_RECORD_BYTES)) return NONE;
  }
  const offset = load<u32>(builder, BUILD_TEXT + AREA_USED);
  const copy = <usize>load<u32>(builder, BUILD_TEXT) + offset;
  if (padded != 0) store<u64>(copy + <usize>padded - 8, 0);
  memory.copy(copy, text, bytes);
  store<u32>(builder, offset + <u32>padded, BUILD_TEXT + AREA_USED);
  const used = load<u32>(builder, BUILD_STRINGS + AREA_USED);
  const record = <usize>load<u32>(builder, BUILD_STRINGS) + used;
  store<u32>(record, offset, STRING_OFFSET);
  store<u32>(record, bytes, STRING_BYTES);
  store<u32>(record, hash, STRING_HASH);
  store<u32>(record, 0, STRING_MARK);
  store<u64>(record, 0xffffffffffffffff, STRING_HINT);
  store<u32>(builder, used + <u32>STRING_RECORD_BYTES, BUILD_STRINGS + AREA_USED);
  putTable(builder, builder + BUILD_STRING_TABLE, hash, number);
  return number;
}

// @ts-ignore: decorator
@inline
function stringCount(builder: usize): u32 {
  return load<u32>(builder, BUILD_STRINGS + AREA_USED) / <u32>STRING_RECORD_BYTES;
}

// @ts-ignore: decorator
@inline
function stringRecord(builder: usize, number: u32): usize {
  return <usize>load<u32>(builder, BUILD_STRINGS) + <usize>number * STRING_RECORD_BYTES;
}

/** True when string `number` is exactly this text. */
// @ts-ignore: decorator
@inline
export function buildStringIs(builder: usize, number: u32, text: usize, bytes: u32): bool {
  const record = stringRecord(builder, number);
  const known = <usize>load<u32>(builder, BUILD_TEXT) + load<u32>(record, STRING_OFFSET);
  return equalStrings(known, load<u32>(record, STRING_BYTES), text, bytes);
}

/** Address of the caller's own word of a string and a kind (NONE at first); valid until the next string is entered. */
// @ts-ignore: decorator
@inline
export function buildHint(builder: usize, number: u32, kind: u32): usize {
  return stringRecord(builder, number) + STRING_HINT + (<usize>(kind == KIND_EDGE) << 2);
}

// --- Creates ----------------------------------------------------------------------------------------------------------------------

/**
 * Starts a create: room for `valueBytes` of values and `properties` template entries is made once, so that what follows up to
 * buildCreateEnd writes without asking. `label` and `edgeType` are string numbers or NONE. Answers OK or NO_MEMORY.
 */
export function buildCreate(
  builder: usize,
  kind: u32,
  label: u32,
  edgeType: u32,
  creation: u32,
  flags: u32,
  source: u32,
  target: u32,
  valueBytes: u64,
  properties: u32,
): i32 {
  if (!ensure(builder + BUILD_TRANSACTION, 24 + valueBytes)) return NO_MEMORY;
  if (!ensure(builder + BUILD_TEMPLATES, <u64>TEMPLATE_HEADER_BYTES + (<u64>properties << 3))) return NO_MEMORY;
  const at = load<u32>(builder, BUILD_TRANSACTION + AREA_USED);
  store<u32>(builder, at, BUILD_CREATE);
  const operation = <usize>load<u32>(builder, BUILD_TRANSACTION) + at;
  store<u32>(operation, OP_CREATE);
  store<u32>(operation, creation, CREATE_TIME);
  store<u32>(operation, flags, CREATE_FLAGS);
  let bytes: u32 = 16;
  if (kind == KIND_EDGE) {
    store<u32>(operation, source, CREATE_SOURCE);
    store<u32>(operation, target, CREATE_TARGET);
    bytes = 24;
  }
  store<u32>(builder, at + bytes, BUILD_TRANSACTION + AREA_USED);
  const candidate = <usize>load<u32>(builder, BUILD_TEMPLATES) + load<u32>(builder, BUILD_TEMPLATES + AREA_USED);
  store<u32>(candidate, kind);
  store<u32>(candidate, label, TEMPLATE_LABEL);
  store<u32>(candidate, edgeType, TEMPLATE_EDGE_TYPE);
  store<u32>(candidate, 0, TEMPLATE_PROPERTY_COUNT);
  store<u32>(builder, load<u32>(builder, BUILD_SERIAL) + 1, BUILD_SERIAL);
  return OK;
}

/** Enters a key of the element under construction; its value is written next. False: the element has that key already. */
// @ts-ignore: decorator
@inline
export function buildKey(builder: usize, key: u32, type: u32): bool {
  const record = stringRecord(builder, key);
  const serial = load<u32>(builder, BUILD_SERIAL);
  if (load<u32>(record, STRING_MARK) == serial) return false;
  store<u32>(record, serial, STRING_MARK);
  const candidate = <usize>load<u32>(builder, BUILD_TEMPLATES) + load<u32>(builder, BUILD_TEMPLATES + AREA_USED);
  const count = load<u32>(candidate, TEMPLATE_PROPERTY_COUNT);
  const entry = candidate + TEMPLATE_HEADER_BYTES + (<usize>count << 3);
  store<u32>(entry, key);
  store<u32>(entry, type, ENTRY_TYPE);
  store<u32>(candidate, count + 1, TEMPLATE_PROPERTY_COUNT);
  return true;
}

/** Where the next value is written. */
// @ts-ignore: decorator
@inline
export function buildAt(builder: usize): usize {
  return <usize>load<u32>(builder, BUILD_TRANSACTION) + load<u32>(builder, BUILD_TRANSACTION + AREA_USED);
}

/** Counts `bytes` (a multiple of 8) written at buildAt. */
// @ts-ignore: decorator
@inline
export function buildAdvance(builder: usize, bytes: u32): void {
  store<u32>(builder, load<u32>(builder, BUILD_TRANSACTION + AREA_USED) + bytes, BUILD_TRANSACTION + AREA_USED);
}

/** Takes the create under construction back. */
export function buildCreateCancel(builder: usize): void {
  store<u32>(builder, load<u32>(builder, BUILD_CREATE), BUILD_TRANSACTION + AREA_USED);
}

/** Completes the create: finds or keeps its template. Answers OK or NO_MEMORY. */
export function buildCreateEnd(builder: usize): i32 {
  const templates = <usize>load<u32>(builder, BUILD_TEMPLATES);
  const used = load<u32>(builder, BUILD_TEMPLATES + AREA_USED);
  const candidate = templates + used;
  const bytes = <u32>TEMPLATE_HEADER_BYTES + (load<u32>(candidate, TEMPLATE_PROPERTY_COUNT) << 3);
  const lastField = builder + BUILD_LAST + (<usize>(load<u32>(candidate) == KIND_EDGE) << 2);
  let number = load<u32>(lastField);
  if (number == NONE || !sameTemplate(templates + templateOffset(builder, number), candidate, bytes)) {
    number = findTemplate(builder, candidate, bytes);
    if (number == NONE) return NO_MEMORY;
    store<u32>(lastField, number);
  }
  store<u32>(<usize>load<u32>(builder, BUILD_TRANSACTION) + load<u32>(builder, BUILD_CREATE), number, CREATE_TEMPLATE);
  store<u32>(builder, load<u32>(builder, BUILD_OPERATIONS) + 1, BUILD_OPERATIONS);
  store<u32>(builder, load<u32>(builder, BUILD_CREATES) + 1, BUILD_CREATES);
  return OK;
}

/**
 * A run of `count` > 0 edges of one type without label and properties: answers where { u32 source, u32 target } of each are to be
 * written, before anything else is built; 0 = no memory.
 */
export function buildEdges(builder: usize, edgeType: u32, creation: u32, count: u32): usize {
  const bytes = <u64>count << 3;
  if (buildCreate(builder, KIND_EDGE, NONE, edgeType, creation, count, 0, 0, bytes, 0) != OK) return 0;
  if (buildCreateEnd(builder) != OK) return 0;
  const at = load<u32>(builder, BUILD_CREATE);
  const operation = <usize>load<u32>(builder, BUILD_TRANSACTION) + at;
  store<u32>(operation, OP_EDGES);
  store<u32>(builder, at + <u32>OPERATION_BYTES + <u32>bytes, BUILD_TRANSACTION + AREA_USED);
  store<u32>(builder, load<u32>(builder, BUILD_CREATES) + count - 1, BUILD_CREATES);
  return operation + OPERATION_BYTES;
}

// @ts-ignore: decorator
@inline
function templateOffset(builder: usize, number: u32): u32 {
  return load<u32>(<usize>load<u32>(builder, BUILD_TEMPLATE_LIST) + (<usize>number << LISTED_SHIFT));
}

/** Templates are whole 8-byte words; the property count is among the first sixteen bytes, so lengths agree before the loop goes on. */
// @ts-ignore: decorator
@inline
function sameTemplate(known: usize, candidate: usize, bytes: u32): bool {
  if (load<u64>(known, TEMPLATE_EDGE_TYPE) != load<u64>(candidate, TEMPLATE_EDGE_TYPE)) return false;
  if (load<u64>(known) != load<u64>(candidate)) return false;
  for (let at: usize = TEMPLATE_HEADER_BYTES; at < bytes; at += 8) {
    if (load<u64>(known + at) != load<u64>(candidate + at)) return false;
  }
  return true;
}

/** Number of the template equal to the candidate, which becomes a new one if there is none; NONE without memory. */
function findTemplate(builder: usize, candidate: usize, bytes: u32): u32 {
  let hash: u32 = 0x9e3779b9;
  for (let at: usize = 0; at < bytes; at += 8) {
    const word = load<u64>(candidate + at) * 0x9fb21c651e98df25;
    hash = rotl<u32>(hash, 5) * 0x85ebca6b + <u32>(word >> 32);
  }
  hash ^= hash >> 15;
  const templates = <usize>load<u32>(builder, BUILD_TEMPLATES);
  const area = builder + BUILD_TEMPLATE_TABLE;
  const count = load<u32>(builder, BUILD_TEMPLATE_LIST + AREA_USED) >> LISTED_SHIFT;
  if (load<u32>(area) != 0) {
    const table = <usize>load<u32>(area);
    const mask = load<u32>(area, AREA_USED) - 1;
    const generation = load<u32>(builder, BUILD_GENERATION);
    const list = <usize>load<u32>(builder, BUILD_TEMPLATE_LIST);
    let slot = hash & mask;
    while (load<u32>(table + (<usize>slot << SLOT_SHIFT)) == generation) {
      const number = load<u32>(table + (<usize>slot << SLOT_SHIFT), SLOT_NUMBER);
      const entry = list + (<usize>number << LISTED_SHIFT);
      if (load<u32>(entry, LISTED_HASH) == hash && sameTemplate(templates + load<u32>(entry), candidate, bytes)) return number;
      slot = (slot + 1) & mask;
    }
  }
  if (!ensure(builder + BUILD_TEMPLATE_LIST, LISTED_BYTES)) return NONE;
  const list = <usize>load<u32>(builder, BUILD_TEMPLATE_LIST);
  if ((count + 1) * 2 > load<u32>(area, AREA_USED) && !growTable(builder, area, count, list + LISTED_HASH, LISTED_BYTES)) return NONE;
  store<u32>(list + (<usize>count << LISTED_SHIFT), <u32>(candidate - templates));
  store<u32>(list + (<usize>count << LISTED_SHIFT), hash, LISTED_HASH);
  store<u32>(builder, (count + 1) << LISTED_SHIFT, BUILD_TEMPLATE_LIST + AREA_USED);
  store<u32>(builder, load<u32>(builder, BUILD_TEMPLATES + AREA_USED) + bytes, BUILD_TEMPLATES + AREA_USED);
  putTable(builder, area, hash, count);
  return count;
}

// --- Other operations ---------------------------------------------------------------------------------------------------------------

/**
 * Writes the four words of an operation and makes room for `valueBytes` behind them, to be written at buildAt. Answers OK or
 * NO_MEMORY.
 */
export function buildOperation(builder: usize, operation: u32, a: u32, b: u32, c: u32, valueBytes: u64): i32 {
  if (!ensure(builder + BUILD_TRANSACTION, <u64>OPERATION_BYTES + valueBytes)) return NO_MEMORY;
  const at = buildAt(builder);
  store<u32>(at, operation);
  store<u32>(at, a, OPERATION_ELEMENT);
  store<u32>(at, b, OPERATION_NAME);
  store<u32>(at, c, OPERATION_TYPE);
  buildAdvance(builder, <u32>OPERATION_BYTES);
  store<u32>(builder, load<u32>(builder, BUILD_OPERATIONS) + 1, BUILD_OPERATIONS);
  return OK;
}

// --- End ----------------------------------------------------------------------------------------------------------------------------

/** Lays the transaction out. OK: it is transactionBytes at transactionBase until the next buildBegin. */
export function buildEnd(builder: usize): i32 {
  const count = stringCount(builder);
  const textBytes = load<u32>(builder, BUILD_TEXT + AREA_USED);
  const templateCount = load<u32>(builder, BUILD_TEMPLATE_LIST + AREA_USED) >> LISTED_SHIFT;
  const templateBytes = load<u32>(builder, BUILD_TEMPLATES + AREA_USED);
  const listBytes = (templateCount * 4 + 7) & ~7;
  const stringsAt = load<u32>(builder, BUILD_TRANSACTION + AREA_USED);
  const extra = (<u64>count << 3) + textBytes + listBytes + templateBytes;
  if (!ensure(builder + BUILD_TRANSACTION, extra)) return NO_MEMORY;
  const base = <usize>load<u32>(builder, BUILD_TRANSACTION);
  const textAt = stringsAt + (count << 3);
  for (let number: u32 = 0; number < count; number++) {
    const record = stringRecord(builder, number);
    const entry = base + stringsAt + (<usize>number << 3);
    store<u32>(entry, textAt + load<u32>(record, STRING_OFFSET));
    store<u32>(entry, load<u32>(record, STRING_BYTES), STRING_LENGTH);
  }
  memory.copy(base + textAt, <usize>load<u32>(builder, BUILD_TEXT), textBytes);
  const listAt = textAt + textBytes;
  const templatesAt = listAt + listBytes;
  if (listBytes != 0) store<u64>(base + templatesAt - 8, 0);
  for (let number: u32 = 0; number < templateCount; number++) {
    store<u32>(base + listAt + (<usize>number << 2), templatesAt + templateOffset(builder, number));
  }
  memory.copy(base + templatesAt, <usize>load<u32>(builder, BUILD_TEMPLATES), templateBytes);
  const total = stringsAt + <u32>extra;
  store<u32>(builder, total, BUILD_TRANSACTION + AREA_USED);
  writeHeader(builder, base, total, stringsAt, count, listAt, templateCount);
  return OK;
}

function writeHeader(
  builder: usize,
  base: usize,
  total: u32,
  stringsAt: u32,
  stringTotal: u32,
  templatesAt: u32,
  templateTotal: u32,
): void {
  store<u32>(base, TX_MAGIC);
  store<u32>(base, total, TX_TOTAL_BYTES);
  store<u32>(base, stringTotal, TX_STRING_COUNT);
  store<u32>(base, stringsAt, TX_STRINGS);
  store<u32>(base, templateTotal, TX_TEMPLATE_COUNT);
  store<u32>(base, templatesAt, TX_TEMPLATES);
  store<u32>(base, load<u32>(builder, BUILD_OPERATIONS), TX_OPERATION_COUNT);
  store<u32>(base, <u32>TX_HEADER_BYTES, TX_OPERATIONS);
  store<u32>(base, load<u32>(builder, BUILD_SECONDS), TX_TIME_SECONDS);
  store<u32>(base, NONE, TX_FIRST_ID);
  store<u32>(base, load<u32>(builder, BUILD_CREATES), TX_CREATE_COUNT);
  store<u32>(base, 0, TX_FLAGS);
  store<f64>(base, load<f64>(builder, BUILD_MS), TX_TIME_MS);
  store<u64>(base, 0, TX_ZERO);
}

/** Address of the finished transaction. */
// @ts-ignore: decorator
@inline
export function builderBase(builder: usize): usize {
  return <usize>load<u32>(builder, BUILD_TRANSACTION);
}

/** Bytes of the finished transaction. */
// @ts-ignore: decorator
@inline
export function builderBytes(builder: usize): u32 {
  return load<u32>(builder, BUILD_TRANSACTION + AREA_USED);
}
