// One element as the JSON of the contract's read shape.
//
//   vertex  {id, creationDate, modificationDate, label, properties, outEdges, inEdges}
//   edge    {id, creationDate, modificationDate, label, properties, sourceVertex, targetVertex, edgePropertyId}
//   item    {kind, id, creationDate, modificationDate, label, properties}       (of a list of elements)
//
// Properties stand in ordinal key order, those whose key begins with $ last; dates have no zone suffix (UTC); outEdges and inEdges map
// an edge type to edge ids and are null without edges. The writer may change the element meanwhile: every list is read from one
// published version, and an element that is removed before its last byte is taken back, so that none is ever half of what it was.
// Functions take and answer the address of the next byte; 0 means OUTPUT is full (see read/output).

import {
  putCreationDate, putEdgeItemStart, putEdgePropertyId, putElementStart, putInEdges, putLabel, putModificationDate, putNull, putOutEdges,
  putProperties, putPropertyId, putPropertyValue, putSourceVertex, putTargetVertex, putTypeName, putVertexItemStart,
} from '../generated/element-texts';
import { adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupType, groupUsed, pairNeighbour } from '../graph/adjacency';
import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_CREATION, COLUMN_LABEL, COLUMN_MODIFICATION, COLUMN_ROW, columnWord, elementKind, KIND_VERTEX,
  kindAddress,
} from '../graph/elements';
import { INTERN_HEADER, internAddress } from '../graph/intern';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeCount, shapeKey, shapeType } from '../graph/shapes';
import { pageAddress, stateNextId } from '../graph/state';
import { NONE } from '../memory/layout';
import { formatValue, MAX_FIXED_TEXT } from '../values/format';
import { writeJsonString } from '../values/json-text';
import { writeTypeName } from '../values/names';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import { formatSingleArray, singleArrayTextBound } from '../values/single-array';
import { FORM_READ, isWide, TYPE_CHAR, TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { outputMark, outputRewind, outputRoom, writeByte, writeDate, writeName, writeText, writeUnsigned } from './output';

const QUOTE: u32 = 0x22;
const DOLLAR: u32 = 0x24;
const COMMA: u32 = 0x2c;
const OPEN_LIST: u32 = 0x5b;
const CLOSE_LIST: u32 = 0x5d;
const OPEN_MAP: u32 = 0x7b;
const CLOSE_MAP: u32 = 0x7d;
const COLON: u32 = 0x3a;

/** Room for every fixed text of one section of an element, numbers and dates included. */
const SECTION_BYTES: usize = 160;

/** Ids written before room is asked for again. */
const IDS_AT_ONCE: usize = 512;

let written: bool = false;

/** Whether the last `writeElement` wrote it; false: there is no such element (any more). */
export function elementWritten(): bool {
  return written;
}

/** Writes the element as a whole, or as an item of a list; nothing when it does not exist or vanishes meanwhile. */
export function writeElement(p: usize, state: usize, id: u32, asItem: bool): usize {
  const kind = elementKind(state, id);
  written = false;
  if (!kind) return p;
  const mark = outputMark(p);
  const page = pageAddress(state, id);
  const words = columnWord(page, id);
  const vertex = kind == KIND_VERTEX;
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  if (!asItem) p = putElementStart(p);
  else p = vertex ? putVertexItemStart(p) : putEdgeItemStart(p);
  p = writeUnsigned(p, id);
  p = putCreationDate(p);
  p = writeDate(p, load<u32>(words, COLUMN_CREATION));
  p = putModificationDate(p);
  p = writeDate(p, load<u32>(words, COLUMN_MODIFICATION));
  p = putLabel(p);
  p = writeName(p, load<u32>(words, COLUMN_LABEL));
  if (p) p = writeProperties(p, <usize>atomic.load<u32>(words, COLUMN_ROW));
  if (p && !asItem) p = vertex ? writeBothDirections(p, words, stateNextId(state)) : writeEndpoints(p, words);
  if (p) p = outputRoom(p, 1);
  if (!p) return 0;
  p = writeByte(p, CLOSE_MAP);
  // The kind is the first thing a removal takes away, so what is still there was there all along.
  if (<u32>atomic.load<u8>(kindAddress(page, id)) != kind) return outputRewind(p, mark);
  written = true;
  return p;
}

function writeProperties(p: usize, row: usize): usize {
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  p = putProperties(p);
  if (row) {
    const shape = rowShape(row);
    const count = shapeCount(shape);
    // Keys that begin alike stand together.
    let from: u32 = 0;
    while (from < count && firstByte(shapeKey(shape, from)) < DOLLAR) from++;
    let to = from;
    while (to < count && firstByte(shapeKey(shape, to)) == DOLLAR) to++;
    p = writeSome(p, row, 0, from, false);
    if (p) p = writeSome(p, row, to, count, from > 0);
    if (p) p = writeSome(p, row, from, to, from > 0 || to < count);
    if (!p) return 0;
  }
  p = outputRoom(p, 1);
  return p ? writeByte(p, CLOSE_LIST) : 0;
}

/** The properties of entries [from, to). */
function writeSome(p: usize, row: usize, from: u32, to: u32, notFirst: bool): usize {
  const shape = rowShape(row);
  for (let i = from; i < to; i++) {
    p = writeProperty(p, shapeKey(shape, i), shapeType(shape, i), rowSlot(row, i), notFirst || i > from);
    if (!p) return 0;
  }
  return p;
}

/** Of a name's text, 0 of an empty one's. */
// @ts-ignore: decorator
@inline
function firstByte(name: u32): u32 {
  const text = internAddress(name);
  return load<u32>(text) == 0 ? 0 : <u32>load<u8>(text + INTERN_HEADER);
}

function writeProperty(p: usize, key: u32, type: u32, slot: usize, notFirst: bool): usize {
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  if (notFirst) p = writeByte(p, COMMA);
  p = putPropertyId(p);
  p = writeName(p, key);
  if (p) p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  p = putTypeName(p);
  p += <usize>writeTypeName(type, p);
  p = putPropertyValue(p);
  p = writePropertyText(p, type, slot);
  if (p) p = outputRoom(p, 1);
  return p ? writeByte(p, CLOSE_MAP) : 0;
}

/** The value as a JSON string. Only String and Char can hold what needs escaping. */
function writePropertyText(p: usize, type: u32, slot: usize): usize {
  const record = <usize>load<u32>(slot);
  if (type == TYPE_STRING) return writeText(p, record + RECORD_HEADER, load<u32>(record));
  if (type == TYPE_SINGLE_ARRAY) return writeComponents(p, record + RECORD_HEADER, load<u32>(record, RECORD_INFO));
  p = outputRoom(p, 2 * <usize>MAX_FIXED_TEXT);
  if (!p) return 0;
  if (type == TYPE_CHAR) {
    // The character stands behind the room its JSON string takes.
    const bytes = formatValue(type, slot, FORM_READ, p + MAX_FIXED_TEXT);
    return p + <usize>writeJsonString(p + MAX_FIXED_TEXT, bytes, p);
  }
  p = writeByte(p, QUOTE);
  p += <usize>formatValue(type, isWide(type) ? record : slot, FORM_READ, p);
  return writeByte(p, QUOTE);
}

function writeComponents(p: usize, data: usize, count: u32): usize {
  const bound = singleArrayTextBound(count);
  p = outputRoom(p, bound + 2);
  if (!p) return 0;
  p = writeByte(p, QUOTE);
  p += <usize>formatSingleArray(data, count, FORM_READ, p, bound);
  return writeByte(p, QUOTE);
}

function writeBothDirections(p: usize, words: usize, nextId: u32): usize {
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  p = writeGroups(putOutEdges(p), atomic.load<u32>(words, COLUMN_A), nextId);
  if (p) p = outputRoom(p, SECTION_BYTES);
  return p ? writeGroups(putInEdges(p), atomic.load<u32>(words, COLUMN_B), nextId) : 0;
}

/** `{type: [edge ids], ...}` of one direction, or null when no edge is alive in it. */
function writeGroups(p: usize, word: u32, nextId: u32): usize {
  const groups = adjacencyGroups(word);
  let first = true;
  for (let i: u32 = 0; i < groups; i++) {
    const group = adjacencyGroup(word, i);
    const mark = outputMark(p);
    p = outputRoom(p, SECTION_BYTES);
    if (!p) return 0;
    p = writeByte(p, first ? OPEN_MAP : COMMA);
    p = writeName(p, groupType(group));
    if (p) p = outputRoom(p, 1);
    if (!p) return 0;
    p = writeByte(p, COLON);
    p = writeGroupIds(p, group, nextId);
    if (!p) return 0;
    if (idsWritten) first = false;
    else p = outputRewind(p, mark);
  }
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  return first ? putNull(p) : writeByte(p, CLOSE_MAP);
}

let idsWritten: bool = false;

/** Whether the last `writeGroupIds` found a live edge. */
export function groupHadEdges(): bool {
  return idsWritten;
}

/** `[edge ids]` of the live pairs of a group; those of a running transaction have ids from `nextId` on and are left out. */
export function writeGroupIds(p: usize, group: usize, nextId: u32): usize {
  let pair = group + GROUP_HEADER;
  const end = pair + 8 * <usize>groupUsed(group);
  idsWritten = false;
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  store<u8>(p, OPEN_LIST);
  // Each id is written with a comma behind it; the last comma becomes the bracket.
  p += 1;
  while (pair < end) {
    const pause = min<usize>(end, pair + 8 * IDS_AT_ONCE);
    p = outputRoom(p, 2 * (pause - pair) + 16);
    if (!p) return 0;
    while (pair < pause) {
      const edge = load<u32>(pair);
      if (pairNeighbour(pair) != NONE && edge < nextId) {
        p = writeUnsigned(p, edge);
        store<u8>(p, COMMA);
        p += 1;
        idsWritten = true;
      }
      pair += 8;
    }
  }
  if (idsWritten) {
    store<u8>(p - 1, CLOSE_LIST);
    return p;
  }
  return writeByte(p, CLOSE_LIST);
}

/** As `writeGroupIds`, but only ids behind `after` (NONE: from the first on), at most `limit` of them. Ids of a group ascend. */
export function writeGroupPart(p: usize, group: usize, nextId: u32, after: u32, limit: u32): usize {
  const first = group + GROUP_HEADER;
  const used = groupUsed(group);
  const end = first + 8 * <usize>used;
  const from: u32 = after == NONE ? 0 : after + 1;
  let low: u32 = 0;
  let high = used;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(first + 8 * <usize>middle) < from) low = middle + 1;
    else high = middle;
  }
  let pair = first + 8 * <usize>low;
  p = outputRoom(p, 12 * <usize>limit + SECTION_BYTES);
  if (!p) return 0;
  store<u8>(p, OPEN_LIST);
  p += 1;
  let left = limit;
  for (; pair < end && left; pair += 8) {
    const edge = load<u32>(pair);
    if (edge >= nextId || pairNeighbour(pair) == NONE) continue;
    if (left < limit) p = writeByte(p, COMMA);
    p = writeUnsigned(p, edge);
    left--;
  }
  return writeByte(p, CLOSE_LIST);
}

function writeEndpoints(p: usize, words: usize): usize {
  p = outputRoom(p, SECTION_BYTES);
  if (!p) return 0;
  p = putSourceVertex(p);
  p = writeUnsigned(p, load<u32>(words, COLUMN_A));
  p = putTargetVertex(p);
  p = writeUnsigned(p, load<u32>(words, COLUMN_B));
  p = putEdgePropertyId(p);
  return writeName(p, load<u32>(words, COLUMN_C));
}
