// Writing blocks: the elements of a run of ids as one pass over their columns sees them, on any instance. On a reader the writer may
// be changing the graph meanwhile: each element is whole, but what a running transaction did may be there or not. The host takes the
// block only when no transaction that ran beside it was undone, and replays the others over it (src/engine/checkpoint).
//
// Order of loads: the row before the modification time. The writer stores them the other way round, so a row that is there comes with
// a time that is; an older row with a newer time is put right by the replay.

import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_CREATION, COLUMN_LABEL, COLUMN_MODIFICATION, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE,
  kindAddress,
} from '../graph/elements';
import { INTERN_HEADER, internAddress } from '../graph/intern';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeCount, shapeKey, shapeType } from '../graph/shapes';
import { graphState, pageAddress, stateNextId } from '../graph/state';
import {
  arenaNeed, outBase, outBegin, outCommit, outReserve, outUsed, scratchAllocate, scratchMark, scratchRelease,
} from '../memory/arena';
import { NONE } from '../memory/layout';
import { ARENA_TOO_SMALL, NO_MEMORY, OK } from '../status';
import { RECORD_HEADER, WIDE_SECOND } from '../values/record';
import {
  BLOCK_BYTES, BLOCK_EDGES, BLOCK_FIRST_ID, BLOCK_HEADER_BYTES, BLOCK_ID_COUNT, BLOCK_NAME_COUNT, BLOCK_NAMES, BLOCK_TEMPLATE_COUNT,
  BLOCK_TEMPLATES, BLOCK_VERTICES, FORM_EIGHT, FORM_FOUR, FORM_NUMBER, FORM_SIXTEEN, FORM_STRING, formOf, NUMBER_BYTES, putNumber, zigzag,
} from './format';

/** Ids one block covers at most: a few milliseconds, so that a reader holds back little. */
const BLOCK_IDS: u32 = 16384;
const CHUNK_BYTES: usize = 65536;
/** An element's head, times, source and target. */
const HEAD_BYTES: usize = 6 * NUMBER_BYTES;
const FIRST_NAMES: u32 = 256;

// Template: { u32 kind, u32 label, u32 edge type, u32 shape }; its hash slot holds 1 + its index.
// A template here: u32 kind, then
const TEMPLATE_LABEL: usize = 4;
const TEMPLATE_TYPE: usize = 8;
const TEMPLATE_SHAPE: usize = 12;
const TEMPLATE_BYTES: usize = 16;

let cursor: usize = 0;
let limit: usize = 0;
let reservedAt: usize = 0;

let templates: usize = 0;
let templateCount: u32 = 0;
let templateSlots: usize = 0;
let templateMask: u32 = 0;

// Names: ids in order of use, and a hash table of { 1 + index } over them.
let names: usize = 0;
let nameCount: u32 = 0;
let nameCapacity: u32 = 0;
let nameSlots: usize = 0;

let nextOfBlock: u32 = 0;
let verticesOfBlock: u32 = 0;
let edgesOfBlock: u32 = 0;

/**
 * Writes the elements from `fromId` on as one block to OUTPUT: those below `toId`, but no more than a block takes, nor many more than
 * `byteLimit` bytes. `checkpointNext` says where the next block begins. OK, NO_MEMORY (writer) or ARENA_TOO_SMALL (reader).
 */
export function checkpointBlock(graph: usize, fromId: u32, toId: u32, byteLimit: usize): i32 {
  const mark = scratchMark();
  const code = blockWrite(graphState(graph), fromId, min<u32>(toId, fromId + BLOCK_IDS), byteLimit);
  scratchRelease(mark);
  if (code) return OK;
  return arenaNeed() != 0 ? ARENA_TOO_SMALL : NO_MEMORY;
}

/** First id behind the block. */
export function checkpointNext(): u32 {
  return nextOfBlock;
}

function blockWrite(state: usize, fromId: u32, toId: u32, byteLimit: usize): bool {
  outBegin();
  cursor = 0;
  limit = 0;
  reservedAt = 0;
  if (!tablesBegin(toId - fromId) || !room(BLOCK_HEADER_BYTES)) return false;
  cursor += BLOCK_HEADER_BYTES;
  if (!elementsWrite(state, fromId, toId, byteLimit)) return false;
  const namesAt = written();
  if (!namesCollect() || !namesWrite()) return false;
  const templatesAt = written();
  if (!templatesWrite() || !room(8)) return false;
  while ((written() & 7) != 0) {
    store<u8>(cursor, 0);
    cursor++;
  }
  const bytes = written();
  outCommit(cursor - reservedAt);
  const block = outBase();
  store<u64>(block, <u64>bytes, BLOCK_BYTES);
  store<u32>(block, fromId, BLOCK_FIRST_ID);
  store<u32>(block, nextOfBlock - fromId, BLOCK_ID_COUNT);
  store<u32>(block, verticesOfBlock, BLOCK_VERTICES);
  store<u32>(block, edgesOfBlock, BLOCK_EDGES);
  store<u32>(block, <u32>namesAt, BLOCK_NAMES);
  store<u32>(block, nameCount, BLOCK_NAME_COUNT);
  store<u32>(block, <u32>templatesAt, BLOCK_TEMPLATES);
  store<u32>(block, templateCount, BLOCK_TEMPLATE_COUNT);
  return true;
}

// --- Output --------------------------------------------------------------------------------------------------------------

/** Bytes of the block so far. */
// @ts-ignore: decorator
@inline
function written(): usize {
  return outUsed() + (cursor - reservedAt);
}

/** Sees to it that `bytes` fit behind the cursor. */
// @ts-ignore: decorator
@inline
function room(bytes: usize): bool {
  return limit - cursor >= bytes ? true : roomMore(bytes);
}

function roomMore(bytes: usize): bool {
  if (reservedAt != 0) outCommit(cursor - reservedAt);
  let size = max<usize>(bytes, CHUNK_BYTES);
  let at = outReserve(size);
  if (at == 0) {
    size = bytes;
    at = outReserve(size);
    if (at == 0) return false;
  }
  reservedAt = at;
  cursor = at;
  limit = at + size;
  return true;
}

// --- Elements ------------------------------------------------------------------------------------------------------------

function elementsWrite(state: usize, fromId: u32, toId: u32, byteLimit: usize): bool {
  const end = min<u32>(toId, stateNextId(state));
  let creation: u32 = 0;
  let source: u32 = 0;
  let holes: u32 = 0;
  let vertices: u32 = 0;
  let edges: u32 = 0;
  let lastTemplate: usize = 0;
  let lastIndex: u32 = 0;
  let id = fromId;
  for (; id < end; id++) {
    const page = pageAddress(state, id);
    const kind = <u32>load<u8>(kindAddress(page, id));
    if (kind == KIND_NONE) {
      holes++;
      continue;
    }
    if (!room(2 * HEAD_BYTES)) return false;
    if (written() > byteLimit && vertices + edges != 0) break;
    if (holes != 0) {
      store<u8>(cursor, 0);
      cursor = putNumber(cursor + 1, <u64>holes);
      holes = 0;
    }
    const words = columnWord(page, id);
    const isEdge = kind == KIND_EDGE;
    const row = <usize>atomic.load<u32>(words + COLUMN_ROW);
    const modified = load<u32>(words, COLUMN_MODIFICATION);
    const created = load<u32>(words, COLUMN_CREATION);
    const label = load<u32>(words, COLUMN_LABEL);
    const type: u32 = isEdge ? load<u32>(words, COLUMN_C) : 0;
    const shape: usize = row == 0 ? 0 : rowShape(row);
    if (lastTemplate == 0 || !templateIs(lastTemplate, kind, label, type, shape)) {
      lastIndex = templateIndex(kind, label, type, shape);
      lastTemplate = templates + <usize>lastIndex * TEMPLATE_BYTES;
    }
    if (created == creation && modified == created) {
      cursor = putNumber(cursor, 2 * <u64>lastIndex + 1);
    } else {
      cursor = putNumber(cursor, 2 * <u64>lastIndex + 2);
      cursor = putNumber(cursor, zigzag(<i64>created - <i64>creation));
      cursor = putNumber(cursor, zigzag(<i64>modified - <i64>created));
      creation = created;
    }
    if (isEdge) {
      const from = load<u32>(words, COLUMN_A);
      cursor = putNumber(cursor, zigzag(<i64>from - <i64>source));
      cursor = putNumber(cursor, zigzag(<i64>load<u32>(words, COLUMN_B) - <i64>from));
      source = from;
      edges++;
    } else {
      vertices++;
    }
    if (row != 0 && !rowWrite(row, shape)) return false;
  }
  // What lies beyond the next id, which only a graph that was replaced meanwhile has, counts as holes.
  nextOfBlock = id >= end ? toId : id;
  verticesOfBlock = vertices;
  edgesOfBlock = edges;
  return true;
}

function rowWrite(row: usize, shape: usize): bool {
  const count = shapeCount(shape);
  for (let i: u32 = 0; i < count; i++) {
    if (!room(2 * NUMBER_BYTES)) return false;
    const form = formOf(shapeType(shape, i));
    const slot = rowSlot(row, i);
    if (form == FORM_NUMBER) {
      cursor = putNumber(cursor, zigzag(load<i64>(slot)));
    } else if (form == FORM_FOUR) {
      store<u32>(cursor, load<u32>(slot));
      cursor += 4;
    } else if (form == FORM_EIGHT) {
      store<u64>(cursor, load<u64>(slot));
      cursor += 8;
    } else {
      const record: usize = load<u32>(slot);
      if (form == FORM_SIXTEEN) {
        store<u64>(cursor, load<u64>(record));
        store<u64>(cursor, load<u64>(record, WIDE_SECOND), WIDE_SECOND);
        cursor += 16;
      } else {
        const bytes = load<u32>(record);
        cursor = putNumber(cursor, <u64>(form == FORM_STRING ? bytes : bytes >> 2));
        if (!bytesWrite(record + RECORD_HEADER, bytes)) return false;
      }
    }
  }
  return true;
}

/** `from` is the start of a record's data, which is padded to 8. */
function bytesWrite(from: usize, bytes: u32): bool {
  if (!room(<usize>bytes + 8)) return false;
  if (bytes > 64) {
    memory.copy(cursor, from, <usize>bytes);
  } else {
    for (let i: usize = 0; i < <usize>bytes; i += 8) store<u64>(cursor + i, load<u64>(from + i));
  }
  cursor += <usize>bytes;
  return true;
}

// --- Templates -----------------------------------------------------------------------------------------------------------

function tablesBegin(ids: u32): bool {
  const slots: u32 = 1 << (32 - clz((ids << 1) + 2));
  templates = scratchAllocate(<usize>(ids + 1) * TEMPLATE_BYTES);
  templateSlots = scratchAllocate((<usize>slots) << 2);
  if (templates == 0 || templateSlots == 0) return false;
  memory.fill(templateSlots, 0, (<usize>slots) << 2);
  templateMask = slots - 1;
  templateCount = 0;
  return namesBegin(FIRST_NAMES);
}

// @ts-ignore: decorator
@inline
function templateIs(template: usize, kind: u32, label: u32, type: u32, shape: usize): bool {
  return (
    <usize>load<u32>(template, TEMPLATE_SHAPE) == shape &&
    load<u32>(template, TEMPLATE_LABEL) == label &&
    load<u32>(template, TEMPLATE_TYPE) == type &&
    load<u32>(template) == kind
  );
}

/** Index of the template, added if it is new: there is room for one an id. */
function templateIndex(kind: u32, label: u32, type: u32, shape: usize): u32 {
  let hash = (label * 0x9e3779b1) ^ (type * 0x85ebca77) ^ (<u32>shape * 0xc2b2ae3d) ^ kind;
  hash ^= hash >> 15;
  let slot = hash & templateMask;
  while (true) {
    const at = templateSlots + ((<usize>slot) << 2);
    const found = load<u32>(at);
    if (found == 0) {
      const template = templates + <usize>templateCount * TEMPLATE_BYTES;
      store<u32>(template, kind);
      store<u32>(template, label, TEMPLATE_LABEL);
      store<u32>(template, type, TEMPLATE_TYPE);
      store<u32>(template, <u32>shape, TEMPLATE_SHAPE);
      templateCount++;
      store<u32>(at, templateCount);
      return templateCount - 1;
    }
    if (templateIs(templates + <usize>(found - 1) * TEMPLATE_BYTES, kind, label, type, shape)) return found - 1;
    slot = (slot + 1) & templateMask;
  }
  return 0;
}

function templatesWrite(): bool {
  for (let i: u32 = 0; i < templateCount; i++) {
    const template = templates + <usize>i * TEMPLATE_BYTES;
    const kind = load<u32>(template);
    const label = load<u32>(template, TEMPLATE_LABEL);
    const shape: usize = load<u32>(template, TEMPLATE_SHAPE);
    const count: u32 = shape == 0 ? 0 : shapeCount(shape);
    if (!room(4 * NUMBER_BYTES)) return false;
    cursor = putNumber(cursor, <u64>kind);
    cursor = putNumber(cursor, <u64>(label == NONE ? 0 : 1 + nameFind(label)));
    if (kind == KIND_EDGE) cursor = putNumber(cursor, <u64>nameFind(load<u32>(template, TEMPLATE_TYPE)));
    cursor = putNumber(cursor, <u64>count);
    for (let j: u32 = 0; j < count; j++) {
      if (!room(2 * NUMBER_BYTES)) return false;
      cursor = putNumber(cursor, <u64>nameFind(shapeKey(shape, j)));
      cursor = putNumber(cursor, <u64>shapeType(shape, j));
    }
  }
  return true;
}

// --- Names ---------------------------------------------------------------------------------------------------------------

/** Tables for `capacity` names (a power of two). */
function namesBegin(capacity: u32): bool {
  names = scratchAllocate((<usize>capacity) << 2);
  nameSlots = scratchAllocate((<usize>capacity) << 3);
  if (names == 0 || nameSlots == 0) return false;
  memory.fill(nameSlots, 0, (<usize>capacity) << 3);
  nameCapacity = capacity;
  nameCount = 0;
  return true;
}

/** All strings the templates use. */
function namesCollect(): bool {
  for (let i: u32 = 0; i < templateCount; i++) {
    const template = templates + <usize>i * TEMPLATE_BYTES;
    const label = load<u32>(template, TEMPLATE_LABEL);
    const shape: usize = load<u32>(template, TEMPLATE_SHAPE);
    if (label != NONE && !nameAdd(label)) return false;
    if (load<u32>(template) == KIND_EDGE && !nameAdd(load<u32>(template, TEMPLATE_TYPE))) return false;
    const count: u32 = shape == 0 ? 0 : shapeCount(shape);
    for (let j: u32 = 0; j < count; j++) if (!nameAdd(shapeKey(shape, j))) return false;
  }
  return true;
}

/** The slot of the intern id, or the empty one where it belongs. */
function nameSlot(id: u32): usize {
  const mask = (nameCapacity << 1) - 1;
  let slot = (id * 0x9e3779b1 >> 7) & mask;
  while (true) {
    const at = nameSlots + ((<usize>slot) << 2);
    const found = load<u32>(at);
    if (found == 0 || load<u32>(names + ((<usize>(found - 1)) << 2)) == id) return at;
    slot = (slot + 1) & mask;
  }
  return 0;
}

function nameFind(id: u32): u32 {
  return load<u32>(nameSlot(id)) - 1;
}

function nameAdd(id: u32): bool {
  if (load<u32>(nameSlot(id)) != 0) return true;
  if (nameCount == nameCapacity) {
    const old = names;
    const count = nameCount;
    if (!namesBegin(nameCapacity << 1)) return false;
    for (let i: u32 = 0; i < count; i++) nameAppend(load<u32>(old + ((<usize>i) << 2)));
  }
  nameAppend(id);
  return true;
}

function nameAppend(id: u32): void {
  const slot = nameSlot(id);
  store<u32>(names + ((<usize>nameCount) << 2), id);
  nameCount++;
  store<u32>(slot, nameCount);
}

function namesWrite(): bool {
  for (let i: u32 = 0; i < nameCount; i++) {
    const record = internAddress(load<u32>(names + ((<usize>i) << 2)));
    const bytes = load<u32>(record);
    if (!room(NUMBER_BYTES)) return false;
    cursor = putNumber(cursor, <u64>bytes);
    if (!bytesWrite(record + INTERN_HEADER, bytes)) return false;
  }
  return true;
}
