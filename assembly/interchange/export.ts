// Bulk export: blocks of whole lines in the instance's OUTPUT buffer. Several exports can run at once and on any instance, because
// nothing is kept between calls: the host holds the cursor and hands it in again. The order of calls:
//
//   token = exportBegin(graph), limit = exportLimit()      [W] ids from `limit` on are younger than the export
//   exportFilter(text) for each filter, NONE without        a name nobody uses matches nothing
//   exportCheck(...) over slices of 0..limit                counts, and the first value that cannot be written
//   exportMeta(...)                                         the first line
//   exportBlock(...) from phase 0, id 0, until exportPhase() is 2: all vertices, then all edges
//   exportEnd(token)                                        [W] whatever became of it
//
// Each call is one reader's operation: the host announces the epoch around it. Writers may go on meanwhile: what is counted and written
// are the elements that the graph had when the export began, those that have gone since included, with the row they had last
// (graph/keeps.ts). So there are as many lines as the first one says. Edges whose endpoints are not both vertices that the filter lets
// through are left out. A value that cannot be written in UTF-8 (a String or Char with half a surrogate pair) is left out of its line; the
// check is there to refuse it before the first byte. Keys, labels and edge types of that sort are written with their escape.

import {
  putCreation, putEdgeCount, putEdgeStart, putEdgeType, putExported, putLabel, putMetaStart, putProperties, putSource, putTarget,
  putTypeStart, putValueStart, putVertexStart,
} from '../generated/line-texts';
import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_CREATION, COLUMN_LABEL, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE, KIND_VERTEX, kindAddress,
} from '../graph/elements';
import { internFind } from '../graph/intern';
import { keepBegin, keepEnd, keepHas, keepLimit, keepStands } from '../graph/keeps';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeCount, shapeKey, shapeType } from '../graph/shapes';
import { graphState, PAGE_ID_MASK, pageAddress } from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import {
  outputBegin, outputEnd, outputFailure, outputMark, outputRewind, outputRoom, writeByte, writeName, writeText, writeUnsigned,
} from '../read/output';
import { OK } from '../status';
import { formatValue, MAX_FIXED_TEXT } from '../values/format';
import { writeCodePoint, writeJsonString } from '../values/json-text';
import { writeTypeName } from '../values/names';
import { INFO_ASCII, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { formatSingleArray, singleArrayTextBound } from '../values/single-array';
import { FORM_BULK, isWide, TYPE_CHAR, TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { hasLoneSurrogate } from '../values/utf8';
import { EXPORT_BAD_VALUE, EXPORT_CHANGED } from './codes';
import { CLOSE_BRACE, COMMA, LINE_FEED, QUOTE } from './json';

/** A filter that no element passes: the answer of exportFilter for a name that was never used. */
export const MATCHES_NOTHING: u32 = 0xfffffffe;

export const PHASE_VERTICES: u32 = 0;
export const PHASE_EDGES: u32 = 1;
export const PHASE_DONE: u32 = 2;

/** No block is larger, unless one line is. */
const BLOCK_BYTES: usize = 256 * 1024;
/** A call looks at no more ids, so that a filter that matches little does not hold its thread. */
const IDS_AT_ONCE: u32 = 1 << 20;
/** Room for the constant text and numbers of a line's head, and of a property. */
const HEAD_BYTES: usize = 192;

// --- Begin --------------------------------------------------------------------------------------------------------------------------

let limitId: u32 = 0;

/**
 * [W] What the other calls take as `token`: they answer EXPORT_CHANGED when the graph was erased or renumbered since, or needed the memory.
 * 0 without memory.
 */
export function exportBegin(graph: usize): usize {
  const keep = keepBegin(graph);
  if (keep != 0) limitId = keepLimit(keep);
  return keep;
}

/** [W] Lets go of what was kept for the export. */
export function exportEnd(token: usize): void {
  keepEnd(token);
}

/** The first id that is too young for the export just begun. */
export function exportLimit(): u32 {
  return limitId;
}

/** The filter for a label or edge type. */
export function exportFilter(text: usize, bytes: u32): u32 {
  const name = internFind(text, bytes);
  return name == NONE ? MATCHES_NOTHING : name;
}

// --- Which elements -------------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function passes(filter: u32, name: u32): bool {
  return filter == NONE || filter == name;
}

/** An edge that the graph had when the export began had both its ends then. */
// @ts-ignore: decorator
@inline
function isExportedEdge(state: usize, words: usize, vertexLabel: u32, edgeLabel: u32, edgeType: u32): bool {
  return (
    passes(edgeLabel, load<u32>(words, COLUMN_LABEL)) &&
    passes(edgeType, load<u32>(words, COLUMN_C)) &&
    (vertexLabel == NONE ||
      (labelOf(state, load<u32>(words, COLUMN_A)) == vertexLabel && labelOf(state, load<u32>(words, COLUMN_B)) == vertexLabel))
  );
}

/** Also of an element that has gone. */
// @ts-ignore: decorator
@inline
function labelOf(state: usize, id: u32): u32 {
  return load<u32>(columnWord(pageAddress(state, id), id), COLUMN_LABEL);
}

/** The kind that the element had when the export began; its id is below the limit. */
// @ts-ignore: decorator
@inline
function kindThen(keep: usize, page: usize, id: u32): u32 {
  const kind = <u32>atomic.load<u8>(kindAddress(page, id));
  if (kind != KIND_NONE) return kind;
  return keepHas(keep, id, KIND_VERTEX) ? KIND_VERTEX : keepHas(keep, id, KIND_EDGE) ? KIND_EDGE : KIND_NONE;
}

// --- Check ----------------------------------------------------------------------------------------------------------------------------

let checkedVertices: u32 = 0;
let checkedEdges: u32 = 0;
let badElement: u32 = 0;
let badKey: u32 = 0;

/**
 * Counts what will be exported of the ids from `fromId` to below `toId` and looks for a value that cannot be. OK, EXPORT_CHANGED, or
 * EXPORT_BAD_VALUE: exportElement and exportKey name it.
 */
export function exportCheck(
  graph: usize,
  token: usize,
  vertexLabel: u32,
  edgeLabel: u32,
  edgeType: u32,
  fromId: u32,
  toId: u32,
): i32 {
  const state = graphState(graph);
  checkedVertices = 0;
  checkedEdges = 0;
  if (!keepStands(token, state)) return EXPORT_CHANGED;
  const end = min<u32>(toId, keepLimit(token));
  for (let id = fromId; id < end; id++) {
    const page = pageAddress(state, id);
    const kind = kindThen(token, page, id);
    if (kind == KIND_NONE) continue;
    const words = columnWord(page, id);
    if (kind == KIND_VERTEX) {
      if (!passes(vertexLabel, load<u32>(words, COLUMN_LABEL))) continue;
      checkedVertices += 1;
    } else {
      if (!isExportedEdge(state, words, vertexLabel, edgeLabel, edgeType)) continue;
      checkedEdges += 1;
    }
    const row = <usize>atomic.load<u32>(words, COLUMN_ROW);
    if (row != 0 && !isExportableRow(row)) {
      badElement = id;
      return EXPORT_BAD_VALUE;
    }
  }
  return OK;
}

function isExportableRow(row: usize): bool {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  for (let i: u32 = 0; i < count; i++) {
    if (isExportable(shapeType(shape, i), rowSlot(row, i))) continue;
    badKey = shapeKey(shape, i);
    return false;
  }
  return true;
}

/** False for a String or Char with half of a surrogate pair. */
// @ts-ignore: decorator
@inline
function isExportable(type: u32, slot: usize): bool {
  if (type == TYPE_STRING) {
    const record = <usize>load<u32>(slot);
    return (load<u32>(record, RECORD_INFO) & INFO_ASCII) != 0 || !hasLoneSurrogate(record + RECORD_HEADER, load<u32>(record));
  }
  return type != TYPE_CHAR || (load<u32>(slot) & 0xf800) != 0xd800;
}

/** Vertices counted by the last exportCheck. */
export function exportVertices(): u32 {
  return checkedVertices;
}

export function exportEdges(): u32 {
  return checkedEdges;
}

/** After EXPORT_BAD_VALUE: the element. */
export function exportElement(): u32 {
  return badElement;
}

/** After EXPORT_BAD_VALUE: the property's key, an intern id. */
export function exportKey(): u32 {
  return badKey;
}

// --- Lines ----------------------------------------------------------------------------------------------------------------------------

/** Writes the meta line to OUTPUT; `timeText` is the ISO 8601 text of the moment. OK, ARENA_TOO_SMALL or NO_MEMORY. */
export function exportMeta(vertices: u32, edges: u32, timeText: usize, timeBytes: u32): i32 {
  let p = outputBegin();
  if (p != 0) p = outputRoom(p, HEAD_BYTES);
  if (p == 0) return outputFailure();
  p = writeUnsigned(putMetaStart(p), vertices);
  p = writeUnsigned(putEdgeCount(p), edges);
  p = writeText(putExported(p), timeText, timeBytes);
  if (p != 0) p = outputRoom(p, 2);
  if (p == 0) return outputFailure();
  outputEnd(endLine(p));
  return OK;
}

// @ts-ignore: decorator
@inline
function endLine(p: usize): usize {
  return writeByte(writeByte(p, CLOSE_BRACE), LINE_FEED);
}

let nextPhase: u32 = 0;
let nextId: u32 = 0;

/** Where the next exportBlock starts: the phase, PHASE_DONE when there is no more. */
export function exportPhase(): u32 {
  return nextPhase;
}

export function exportNext(): u32 {
  return nextId;
}

/**
 * Writes the next block to OUTPUT, from element `fromId` of `phase` on; it may be empty. OK: go on at exportPhase and exportNext.
 * EXPORT_CHANGED: the graph is another one now. ARENA_TOO_SMALL and NO_MEMORY: one line does not fit OUTPUT; nothing is written.
 */
export function exportBlock(
  graph: usize,
  token: usize,
  vertexLabel: u32,
  edgeLabel: u32,
  edgeType: u32,
  phase: u32,
  fromId: u32,
  limit: u32,
): i32 {
  const state = graphState(graph);
  if (!keepStands(token, state)) return EXPORT_CHANGED;
  const mark = scratchMark();
  if (!headsBegin()) return outputFailure();
  const status = writeBlock(token, state, vertexLabel, edgeLabel, edgeType, phase, fromId, limit);
  scratchRelease(mark);
  return status;
}

function writeBlock(
  keep: usize,
  state: usize,
  vertexLabel: u32,
  edgeLabel: u32,
  edgeType: u32,
  phase: u32,
  fromId: u32,
  limit: u32,
): i32 {
  let p = outputBegin();
  if (p == 0) return outputFailure();
  const end = min<u32>(limit, keepLimit(keep));
  const stop = min<u64>(<u64>fromId + IDS_AT_ONCE, <u64>end);
  const wanted = phase == PHASE_VERTICES ? KIND_VERTEX : KIND_EDGE;
  let id = fromId;
  let lines: u32 = 0;
  let page: usize = 0;
  while (<u64>id < stop) {
    if (page == 0 || (id & PAGE_ID_MASK) == 0) page = pageAddress(state, id);
    if (kindThen(keep, page, id) != wanted) {
      id += 1;
      continue;
    }
    const words = columnWord(page, id);
    const mine =
      wanted == KIND_VERTEX
        ? passes(vertexLabel, load<u32>(words, COLUMN_LABEL))
        : isExportedEdge(state, words, vertexLabel, edgeLabel, edgeType);
    if (mine) {
      const before = outputMark(p);
      p = writeLine(p, words, id, wanted);
      if (p == 0) {
        // A full buffer ends the block; only a line that has it to itself fails.
        if (lines == 0) return outputFailure();
        p = outputRewind(p, before);
        break;
      }
      if (lines != 0 && outputMark(p) > BLOCK_BYTES) {
        p = outputRewind(p, before);
        break;
      }
      lines += 1;
    }
    id += 1;
  }
  outputEnd(p);
  nextPhase = phase;
  nextId = id;
  if (id >= end) {
    nextPhase = phase + 1;
    nextId = 0;
  }
  return OK;
}

/** One line; 0 when OUTPUT is full. */
function writeLine(p: usize, words: usize, id: u32, kind: u32): usize {
  p = outputRoom(p, HEAD_BYTES);
  if (p == 0) return 0;
  if (kind == KIND_VERTEX) {
    p = writeUnsigned(putVertexStart(p), id);
  } else {
    p = writeUnsigned(putEdgeStart(p), id);
    p = writeName(putEdgeType(p), load<u32>(words, COLUMN_C));
    if (p != 0) p = outputRoom(p, HEAD_BYTES);
    if (p == 0) return 0;
    p = writeUnsigned(putSource(p), load<u32>(words, COLUMN_A));
    p = writeUnsigned(putTarget(p), load<u32>(words, COLUMN_B));
  }
  const label = load<u32>(words, COLUMN_LABEL);
  if (label != NONE) {
    p = writeName(putLabel(p), label);
    if (p != 0) p = outputRoom(p, HEAD_BYTES);
    if (p == 0) return 0;
  }
  p = writeUnsigned(putCreation(p), load<u32>(words, COLUMN_CREATION));
  const row = <usize>atomic.load<u32>(words, COLUMN_ROW);
  if (row != 0) p = writeProperties(p, row);
  return p == 0 ? 0 : endLine(p);
}

/** The `properties` member, unless nothing is left of it; leaves room for the line's end. */
function writeProperties(p: usize, row: usize): usize {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  let first = true;
  for (let i: u32 = 0; i < count; i++) {
    const type = shapeType(shape, i);
    const slot = rowSlot(row, i);
    if (!isExportable(type, slot)) continue;
    p = first ? putProperties(p) : writeByte(p, COMMA);
    first = false;
    p = writeHead(p, shapeKey(shape, i), type);
    if (p != 0) p = type == TYPE_STRING ? writeString(p, <usize>load<u32>(slot)) : writeOther(p, type, slot);
    if (p != 0) p = outputRoom(p, HEAD_BYTES);
    if (p == 0) return 0;
    p = writeByte(p, CLOSE_BRACE);
  }
  return first ? p : writeByte(p, CLOSE_BRACE);
}

/** The value's text from behind its opening quote to its closing one. Plain text, the usual case, is copied while it is checked. */
function writeString(p: usize, record: usize): usize {
  const bytes = load<u32>(record);
  if (bytes > 4096) return writeText(p - 1, record + RECORD_HEADER, bytes);
  p = outputRoom(p, <usize>bytes + 32);
  if (p == 0) return 0;
  const text = record + RECORD_HEADER;
  let at: usize = 0;
  while (at < bytes) {
    const chunk = v128.load(text + at);
    v128.store(p + at, chunk);
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(chunk, i8x16.splat(34)), i8x16.eq(chunk, i8x16.splat(92))),
        i8x16.lt_u(chunk, i8x16.splat(32)),
      ),
    );
    // What stands behind the text in its last sixteen bytes is not part of it.
    if (stops != 0 && at + ctz(stops) < bytes) return writeText(p - 1, text, bytes);
    at += 16;
  }
  return writeByte(p + bytes, QUOTE);
}

function writeOther(p: usize, type: u32, slot: usize): usize {
  if (type == TYPE_SINGLE_ARRAY) return writeArray(p, <usize>load<u32>(slot));
  if (type == TYPE_CHAR) return writeChar(p, load<u32>(slot));
  p = outputRoom(p, <usize>MAX_FIXED_TEXT + 1);
  if (p == 0) return 0;
  const value = isWide(type) ? <usize>load<u32>(slot) : slot;
  return writeByte(p + formatValue(type, value, FORM_BULK, p), QUOTE);
}

function writeArray(p: usize, record: usize): usize {
  const count = load<u32>(record, RECORD_INFO);
  const bound = singleArrayTextBound(count);
  p = outputRoom(p, bound + 1);
  if (p == 0) return 0;
  return writeByte(p + formatSingleArray(record + RECORD_HEADER, count, FORM_BULK, p, bound), QUOTE);
}

/** A Char may be what JSON escapes; it is never half a pair here. */
function writeChar(p: usize, unit: u32): usize {
  p = outputRoom(p, 32);
  if (p == 0) return 0;
  // The character is written further up and escaped from there, over the quote that opens it.
  const text = p + 16;
  return p - 1 + writeJsonString(text, writeCodePoint(text, unit), p - 1);
}

// --- Heads of properties: `"key":{"type":"System.Int32","value":"` ---------------------------------------------------------------

// A direct-mapped cache in the scratch of this call: { u32 key, u32 type, u32 address, u32 bytes } a slot. Elements of one block
// repeat few (key, type) pairs, so most heads are copied, sixteen bytes at a time, and not rendered.
const HEAD_SLOTS: u32 = 256;
// Of a slot: the key comes first.
const HEAD_TYPE: usize = 4;
const HEAD_TEXT: usize = 8;
const HEAD_TEXT_BYTES: usize = 12;
const HEAD_SLOT_BYTES: usize = 16;
/** Longer heads are rendered each time. */
const LONGEST_HEAD: usize = 256;

let heads: usize = 0;

function headsBegin(): bool {
  const bytes = HEAD_SLOT_BYTES * <usize>HEAD_SLOTS;
  heads = scratchAllocate(bytes);
  if (heads == 0) return false;
  memory.fill(heads, 0xff, bytes);
  return true;
}

function writeHead(p: usize, key: u32, type: u32): usize {
  const slot = heads + <usize>((key * 0x9e3779b1 + type * 0x85ebca6b) >> 24) * HEAD_SLOT_BYTES;
  if (load<u32>(slot) != key || load<u32>(slot, HEAD_TYPE) != type) return renderHead(p, key, type, slot);
  const bytes = <usize>load<u32>(slot, HEAD_TEXT_BYTES);
  p = outputRoom(p, bytes + 32);
  if (p == 0) return 0;
  const text = <usize>load<u32>(slot, HEAD_TEXT);
  for (let at: usize = 0; at < bytes; at += 16) v128.store(p + at, v128.load(text + at));
  return p + bytes;
}

function renderHead(p: usize, key: u32, type: u32, slot: usize): usize {
  const before = outputMark(p);
  p = writeName(p, key);
  if (p != 0) p = outputRoom(p, HEAD_BYTES);
  if (p == 0) return 0;
  p = putTypeStart(p);
  p += writeTypeName(type, p);
  p = putValueStart(p);
  const bytes = outputMark(p) - before;
  if (bytes > LONGEST_HEAD) return p;
  const copy = scratchAllocate(LONGEST_HEAD + 16);
  if (copy == 0) return p;
  memory.copy(copy, p - bytes, bytes);
  store<u32>(slot, key);
  store<u32>(slot, type, HEAD_TYPE);
  store<u32>(slot, <u32>copy, HEAD_TEXT);
  store<u32>(slot, <u32>bytes, HEAD_TEXT_BYTES);
  return p;
}
