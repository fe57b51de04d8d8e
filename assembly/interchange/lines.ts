// One line of the bulk format, strictly: the meta line, and vertices and edges which become creates of the session's transaction.
//
// Lines as our own writer orders and spaces them go a fast way that compares whole member names and builds while it reads. Every
// other line first gets its members' values noted, in any order, and is built from the notes; the fast way gives up without a
// trace (one cancelled create) when it meets something unexpected, so only the general way decides what an error is. The exception
// are properties: they are read by the same function on both ways.
//
// Parsers answer LINE_OK or the failure's code. It may know nothing of batches and chunks.

import {
  LINE_COLON_QUOTE, LINE_CREATION, LINE_CREATION_2, LINE_EDGE, LINE_EDGE_TYPE, LINE_EDGE_TYPE_2, LINE_HEAD, LINE_ID, LINE_LABEL,
  LINE_LAST_ID, LINE_PROPERTIES, LINE_PROPERTIES_2, LINE_QUOTE_COLON, LINE_SOURCE, LINE_TARGET, LINE_VERTEX, WORD_CREATION, WORD_CREATION_2,
  WORD_EDGE, WORD_EDGE_COUNT, WORD_EDGE_COUNT_2, WORD_EDGE_TYPE, WORD_EDGE_TYPE_2, WORD_EXPORTED, WORD_EXPORTED_2, WORD_FORMAT, WORD_ID,
  WORD_LABEL, WORD_META, WORD_OTHER_FORMAT, WORD_OWN_FORMAT, WORD_OWN_FORMAT_2, WORD_PROPERTIES, WORD_PROPERTIES_2, WORD_SOURCE,
  WORD_TARGET, WORD_TYPE, WORD_VERSION, WORD_VERTEX, WORD_VERTEX_COUNT, WORD_VERTEX_COUNT_2,
} from '../generated/words';
import { KIND_EDGE, KIND_VERTEX } from '../graph/elements';
import { NONE } from '../memory/layout';
import { OK } from '../status';
import { buildCreate, buildCreateCancel, buildCreateEnd, buildCreates, buildString, buildStringIs } from '../transaction/build';
import { CREATE_SOURCE_RELATIVE, CREATE_TARGET_RELATIVE } from '../transaction/format';
import {
  BAD_FIELD, BAD_FORMAT_NAME, BAD_VERSION, DUPLICATE_FIELD, DUPLICATE_ID, FIELD_CREATION, FIELD_EDGE_COUNT, FIELD_EDGE_TYPE, FIELD_EXPORTED,
  FIELD_FORMAT, FIELD_ID, FIELD_LABEL, FIELD_NONE, FIELD_PROPERTIES, FIELD_SOURCE, FIELD_TARGET, FIELD_TYPE, FIELD_VERSION,
  FIELD_VERTEX_COUNT, IMPORT_NO_MEMORY, LINE_OK, MALFORMED_JSON, META_NOT_FIRST, MISSING_FIELD, TRAILING_CONTENT, UNKNOWN_FIELD,
  UNKNOWN_LINE_TYPE, UNRESOLVED_ENDPOINT,
} from './codes';
import { fileIdAdd, fileIdFind, ID_ADDED, ID_DUPLICATE, IS_EDGE } from './file-ids';
import {
  CLOSE_BRACE, COLON, COMMA, expect, fail, failNamed, failureIs, failValue, integerRead, isNull, LINE_FEED, OPEN_BRACE, QUOTE, readInteger,
  scanPlain, skipBlank, stringEnd, unescape,
} from './json';
import { readProperties } from './properties';
import {
  RUN_FIRST_ID, RUN_SHIFT, S_BATCH_ORDINAL, S_BUILDER, S_EDGES, S_EXPECTED_EDGES, S_EXPECTED_VERTICES, S_FILE_IDS, S_LINE, S_RUN_COUNT,
  S_RUNS, S_SCRATCH, S_VERTICES,
} from './session';

const INT32_LOW: i64 = -2147483648;
const INT32_HIGH: i64 = 2147483647;
const UINT32_HIGH: i64 = 4294967295;

// The labels and edge types that came last, as strings of the transaction under construction.
let lastLabel: u32 = 0;
let lastEdgeType: u32 = 0;

/** Forgets the strings of a transaction; to be called when another begins, and before lines of another session. */
export function linesBegin(): void {
  lastLabel = NONE;
  lastEdgeType = NONE;
}

/** Parses the line at `p` of `bytes` bytes (not blank) and builds its element. */
export function readLine(session: usize, p: usize, bytes: u32): i32 {
  const done = fastLine(session, p, bytes);
  if (done != FAST_UNKNOWN) return done;
  return generalLine(session, p, bytes);
}

// --- The fast way -------------------------------------------------------------------------------------------------------------------

const FAST_UNKNOWN: i32 = -1;

let fastNumber: u32 = 0;

/** A number of one to nine digits without sign: behind it, or 0 when it is none or more needs to be known. */
// @ts-ignore: decorator
@inline
function fastInteger(p: usize): usize {
  let digit = <u32>load<u8>(p) - 48;
  if (digit > 9) return 0;
  const start = p;
  let value: u32 = 0;
  while (digit <= 9) {
    value = value * 10 + digit;
    p += 1;
    digit = <u32>load<u8>(p) - 48;
  }
  // Ten digits are read the long way unless they are surely below 2^32; a leading zero is not JSON.
  const count = p - start;
  if (count > 10 || (count == 10 && load<u8>(start) > 51) || (count > 1 && load<u8>(start) == 48)) return 0;
  fastNumber = value;
  return p;
}

/** The string number of the plain text between `p` and `end`: most often that of the line before. */
// @ts-ignore: decorator
@inline
function textNumber(builder: usize, last: u32, p: usize, end: usize): u32 {
  const bytes = <u32>(end - p);
  if (last != NONE && buildStringIs(builder, last, p, bytes)) return last;
  return buildString(builder, p, bytes);
}

function fastLine(session: usize, p: usize, bytes: u32): i32 {
  if (load<u64>(p) != LINE_HEAD) return FAST_UNKNOWN;
  const builder = <usize>load<u32>(session, S_BUILDER);
  const start = p;
  let kind = KIND_VERTEX;
  if (load<u64>(p, 8) == LINE_VERTEX && load<u32>(p, 16) == <u32>LINE_ID && load<u16>(p, 20) == <u16>LINE_QUOTE_COLON) {
    p += 22; // ,"id":
  } else if (load<u64>(p, 8) == LINE_EDGE && load<u32>(p, 16) == <u32>LINE_LAST_ID) {
    kind = KIND_EDGE;
    p += 20; // id":
  } else return FAST_UNKNOWN;
  p = fastInteger(p);
  if (p == 0 || fastNumber > <u32>INT32_HIGH) return FAST_UNKNOWN;
  const id = fastNumber;
  let edgeType = NONE;
  let source: u32 = 0;
  let target: u32 = 0;
  if (kind == KIND_EDGE) {
    if (load<u64>(p) != LINE_EDGE_TYPE || load<u64>(p, 8) != LINE_EDGE_TYPE_2) return FAST_UNKNOWN;
    if (load<u16>(p, 16) != <u16>LINE_QUOTE_COLON || load<u8>(p, 18) != QUOTE) return FAST_UNKNOWN;
    const end = scanPlain(p + 19);
    if (load<u8>(end) != QUOTE || end == p + 19) return FAST_UNKNOWN;
    edgeType = textNumber(builder, lastEdgeType, p + 19, end);
    if (edgeType == NONE) return noMemory(start);
    lastEdgeType = edgeType;
    p = end + 1;
    if (load<u64>(p) != LINE_SOURCE || load<u16>(p, 8) != <u16>LINE_QUOTE_COLON) return FAST_UNKNOWN;
    p = fastInteger(p + 10);
    if (p == 0 || fastNumber > <u32>INT32_HIGH) return FAST_UNKNOWN;
    source = fastNumber;
    if (load<u64>(p) != LINE_TARGET || load<u16>(p, 8) != <u16>LINE_QUOTE_COLON) return FAST_UNKNOWN;
    p = fastInteger(p + 10);
    if (p == 0 || fastNumber > <u32>INT32_HIGH) return FAST_UNKNOWN;
    target = fastNumber;
  }
  let label = NONE;
  if (load<u64>(p) == LINE_LABEL) {
    if (load<u16>(p, 8) != <u16>LINE_COLON_QUOTE) return FAST_UNKNOWN;
    const end = scanPlain(p + 10);
    if (load<u8>(end) != QUOTE) return FAST_UNKNOWN;
    label = textNumber(builder, lastLabel, p + 10, end);
    if (label == NONE) return noMemory(start);
    lastLabel = label;
    p = end + 1;
  }
  if (load<u64>(p) != LINE_CREATION || load<u64>(p, 8) != LINE_CREATION_2) return FAST_UNKNOWN;
  p = fastInteger(p + 16);
  if (p == 0) return FAST_UNKNOWN;
  return fastElement(session, builder, start, p, bytes, kind, label, edgeType, id, source, target, fastNumber);
}

/** The fast way from behind the creation date on. */
function fastElement(
  session: usize,
  builder: usize,
  start: usize,
  p: usize,
  bytes: u32,
  kind: u32,
  label: u32,
  edgeType: u32,
  id: u32,
  source: u32,
  target: u32,
  creation: u32,
): i32 {
  const plain = load<u8>(p) == CLOSE_BRACE;
  if (!plain && (load<u64>(p) != LINE_PROPERTIES || (load<u64>(p, 8) & 0x00ffffffffffffff) != LINE_PROPERTIES_2)) {
    return FAST_UNKNOWN;
  }
  const code = beginElement(session, builder, kind, label, edgeType, source, target, creation, start, bytes);
  if (code != LINE_OK) return code == UNRESOLVED_ENDPOINT ? FAST_UNKNOWN : code;
  if (!plain) {
    p = readProperties(session, p + 15, kind, kind == KIND_VERTEX ? label : edgeType);
    if (p == 0) return failureIs();
  }
  if (load<u8>(p) != CLOSE_BRACE || load<u8>(skipBlank(p + 1)) != LINE_FEED) {
    buildCreateCancel(builder);
    return FAST_UNKNOWN;
  }
  return endElement(session, builder, kind, id, start);
}

function noMemory(at: usize): i32 {
  fail(IMPORT_NO_MEMORY, at);
  return IMPORT_NO_MEMORY;
}

// --- Elements -----------------------------------------------------------------------------------------------------------------------

/**
 * Starts the create, with endpoints (file ids) resolved. One line of n bytes never makes more than 2n + 64 bytes of values: the
 * worst is a Single[] of one-digit components. A property takes at least 24 bytes of the line.
 */
function beginElement(
  session: usize,
  builder: usize,
  kind: u32,
  label: u32,
  edgeType: u32,
  source: u32,
  target: u32,
  creation: u32,
  at: usize,
  bytes: u32,
): i32 {
  let flags: u32 = 0;
  if (kind == KIND_EDGE) {
    source = endpoint(session, source);
    if (source == NONE) return failEndpoint(at, FIELD_SOURCE);
    if (endpointRelative) flags |= CREATE_SOURCE_RELATIVE;
    target = endpoint(session, target);
    if (target == NONE) return failEndpoint(at, FIELD_TARGET);
    if (endpointRelative) flags |= CREATE_TARGET_RELATIVE;
  }
  const room = (<u64>bytes << 1) + 128;
  if (buildCreate(builder, kind, label, edgeType, creation, flags, source, target, room, bytes / 24 + 1) != OK) {
    return noMemory(at);
  }
  return LINE_OK;
}

function failEndpoint(at: usize, field: u32): i32 {
  failNamed(UNRESOLVED_ENDPOINT, at, 0, 0, field);
  return UNRESOLVED_ENDPOINT;
}

let endpointRelative: bool = false;

/** The engine id of a vertex's file id, or its number in this batch (then `endpointRelative`); NONE when no vertex has it. */
// @ts-ignore: decorator
@inline
function endpoint(session: usize, fileId: u32): u32 {
  const ordinal = fileIdFind(session + S_FILE_IDS, fileId);
  endpointRelative = false;
  if (ordinal >= IS_EDGE) return NONE;
  const first = load<u32>(session, S_BATCH_ORDINAL);
  if (ordinal >= first) {
    endpointRelative = true;
    return ordinal - first;
  }
  const runs = <usize>load<u32>(session, S_RUNS);
  // One run unless other writers created elements during the import.
  let low: u32 = 0;
  let high = load<u32>(session, S_RUN_COUNT);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<u32>(runs + (<usize>middle << RUN_SHIFT)) <= ordinal) low = middle;
    else high = middle;
  }
  const run = runs + (<usize>low << RUN_SHIFT);
  return load<u32>(run, RUN_FIRST_ID) + (ordinal - load<u32>(run));
}

/** Completes the create and enters its file id. */
function endElement(session: usize, builder: usize, kind: u32, id: u32, at: usize): i32 {
  const ordinal = load<u32>(session, S_BATCH_ORDINAL) + buildCreates(builder);
  const added = fileIdAdd(session + S_FILE_IDS, id, kind == KIND_EDGE ? IS_EDGE : ordinal);
  if (added != ID_ADDED) {
    if (added != ID_DUPLICATE) return noMemory(at);
    failNamed(DUPLICATE_ID, at, 0, 0, FIELD_ID);
    return DUPLICATE_ID;
  }
  if (buildCreateEnd(builder) != OK) return noMemory(at);
  const count = session + (kind == KIND_EDGE ? S_EDGES : S_VERTICES);
  store<u32>(count, load<u32>(count) + 1);
  return LINE_OK;
}

// --- The general way ----------------------------------------------------------------------------------------------------------------

// Where each member's name and value stand in the line; FIELD_LABEL with value 0 means null.
let seen: u32 = 0;
let typeAt: usize = 0;
let typeEnd: usize = 0;
let labelAt: usize = 0;
let labelEnd: usize = 0;
let edgeTypeAt: usize = 0;
let edgeTypeEnd: usize = 0;
let formatAt: usize = 0;
let formatEnd: usize = 0;
let propertiesAt: usize = 0;
let idRead: u32 = 0;
let sourceRead: u32 = 0;
let targetRead: u32 = 0;
let creationRead: u32 = 0;
let versionRead: i32 = 0;
let vertexCountRead: u32 = 0;
let edgeCountRead: u32 = 0;
let fieldPlaces: usize = 0; // address of FIELD_COUNT words in the scratch: where each name begins

const META_FIELDS: u32 =
  (1 << FIELD_TYPE) |
  (1 << FIELD_FORMAT) |
  (1 << FIELD_VERSION) |
  (1 << FIELD_VERTEX_COUNT) |
  (1 << FIELD_EDGE_COUNT) |
  (1 << FIELD_EXPORTED);
const VERTEX_NEEDS: u32 = (1 << FIELD_TYPE) | (1 << FIELD_ID) | (1 << FIELD_CREATION);
const VERTEX_FIELDS: u32 = VERTEX_NEEDS | (1 << FIELD_LABEL) | (1 << FIELD_PROPERTIES);
const EDGE_NEEDS: u32 = VERTEX_NEEDS | (1 << FIELD_EDGE_TYPE) | (1 << FIELD_SOURCE) | (1 << FIELD_TARGET);
const EDGE_FIELDS: u32 = EDGE_NEEDS | VERTEX_FIELDS;

/** Bytes the parsers use at the start of the scratch; unescaped text lies behind them. */
export const SCRATCH_PLACES: usize = 64;

function generalLine(session: usize, start: usize, bytes: u32): i32 {
  fieldPlaces = <usize>load<u32>(session, S_SCRATCH) - SCRATCH_PLACES;
  const p = skipBlank(start);
  if (load<u8>(p) != OPEN_BRACE) return failAt(MALFORMED_JSON, p, 0);
  if (!readMembers(session, skipBlank(p + 1))) return failureIs();
  if (!(seen & (1 << FIELD_TYPE))) return failMissing(FIELD_TYPE, start);
  const scratch = <usize>load<u32>(session, S_SCRATCH);
  const length = unescape(typeAt, typeEnd, scratch);
  const word = load<u64>(scratch) & 0x0000ffffffffffff;
  if (length == 6 && word == WORD_VERTEX) return generalElement(session, start, bytes, KIND_VERTEX);
  if (length == 4 && (word & 0xffffffff) == WORD_EDGE) return generalElement(session, start, bytes, KIND_EDGE);
  if (length == 4 && (word & 0xffffffff) == WORD_META) return metaLine(session, start);
  failNamed(UNKNOWN_LINE_TYPE, typeAt, typeAt, <u32>(typeEnd - typeAt), FIELD_TYPE);
  return UNKNOWN_LINE_TYPE;
}

/** Notes the members of the line's object from its first name on, and checks that nothing follows the object. */
function readMembers(session: usize, p: usize): bool {
  seen = 0;
  while (load<u8>(p) != CLOSE_BRACE || seen != 0) {
    if (load<u8>(p) != QUOTE) return fail(MALFORMED_JSON, p) != 0;
    const name = p + 1;
    const end = stringEnd(name);
    if (end == 0) return false;
    const field = fieldOf(session, name, end);
    if (field == FIELD_NONE) return failNamed(UNKNOWN_FIELD, p, name, <u32>(end - name), 0) != 0;
    if (seen & (1 << field)) return failNamed(DUPLICATE_FIELD, p, name, <u32>(end - name), field) != 0;
    seen |= 1 << field;
    store<u32>(fieldPlaces + (<usize>field << 2), <u32>name);
    p = expect(end + 1, COLON);
    if (p != 0) p = readMember(p, field);
    if (p == 0) return false;
    p = skipBlank(p);
    if (load<u8>(p) == CLOSE_BRACE) break;
    if (load<u8>(p) != COMMA) return fail(MALFORMED_JSON, p) != 0;
    p = skipBlank(p + 1);
  }
  p = skipBlank(p + 1);
  return load<u8>(p) == LINE_FEED || fail(TRAILING_CONTENT, p) != 0;
}

/** Which member a name between `p` and its closing quote is, escapes seen through. */
function fieldOf(session: usize, p: usize, end: usize): u32 {
  if (end - p > 96) return FIELD_NONE; // the longest name written in escapes has 84 bytes
  const text = <usize>load<u32>(session, S_SCRATCH);
  const bytes = unescape(p, end, text);
  if (bytes > 16) return FIELD_NONE;
  store<u64>(text + bytes, 0);
  store<u64>(text + bytes, 0, 8);
  const low = load<u64>(text);
  const high = load<u64>(text, 8);
  if (high == 0) {
    if (low == WORD_TYPE) return bytes == 4 ? FIELD_TYPE : FIELD_NONE;
    if (low == WORD_ID) return bytes == 2 ? FIELD_ID : FIELD_NONE;
    if (low == WORD_LABEL) return bytes == 5 ? FIELD_LABEL : FIELD_NONE;
    if (low == WORD_SOURCE) return bytes == 6 ? FIELD_SOURCE : FIELD_NONE;
    if (low == WORD_TARGET) return bytes == 6 ? FIELD_TARGET : FIELD_NONE;
    if (low == WORD_FORMAT) return bytes == 6 ? FIELD_FORMAT : FIELD_NONE;
    if (low == WORD_VERSION) return bytes == 7 ? FIELD_VERSION : FIELD_NONE;
    return FIELD_NONE;
  }
  if (low == WORD_CREATION && high == WORD_CREATION_2) return bytes == 12 ? FIELD_CREATION : FIELD_NONE;
  if (low == WORD_PROPERTIES && high == WORD_PROPERTIES_2) return bytes == 10 ? FIELD_PROPERTIES : FIELD_NONE;
  if (low == WORD_EDGE_TYPE && high == WORD_EDGE_TYPE_2) return bytes == 14 ? FIELD_EDGE_TYPE : FIELD_NONE;
  if (low == WORD_VERTEX_COUNT && high == WORD_VERTEX_COUNT_2) return bytes == 11 ? FIELD_VERTEX_COUNT : FIELD_NONE;
  if (low == WORD_EDGE_COUNT && high == WORD_EDGE_COUNT_2) return bytes == 9 ? FIELD_EDGE_COUNT : FIELD_NONE;
  if (low == WORD_EXPORTED && high == WORD_EXPORTED_2) return bytes == 13 ? FIELD_EXPORTED : FIELD_NONE;
  return FIELD_NONE;
}

/** Notes one member's value; behind it, 0 after a failure. */
function readMember(p: usize, field: u32): usize {
  if (field == FIELD_ID || field == FIELD_SOURCE || field == FIELD_TARGET) {
    p = readInteger(p, INT32_LOW, INT32_HIGH, field);
    if (field == FIELD_ID) idRead = <u32>integerRead();
    else if (field == FIELD_SOURCE) sourceRead = <u32>integerRead();
    else targetRead = <u32>integerRead();
    return p;
  }
  if (field == FIELD_CREATION) {
    p = readInteger(p, 0, UINT32_HIGH, field);
    creationRead = <u32>integerRead();
    return p;
  }
  if (field == FIELD_VERSION || field == FIELD_VERTEX_COUNT || field == FIELD_EDGE_COUNT) {
    p = readInteger(p, field == FIELD_VERSION ? INT32_LOW : 0, INT32_HIGH, field);
    if (field == FIELD_VERSION) versionRead = <i32>integerRead();
    else if (field == FIELD_VERTEX_COUNT) vertexCountRead = <u32>integerRead();
    else edgeCountRead = <u32>integerRead();
    return p;
  }
  if (field == FIELD_PROPERTIES) {
    if (load<u8>(p) != OPEN_BRACE) return failValue(p, field);
    propertiesAt = p + 1;
    return skipProperties(p + 1);
  }
  if (field == FIELD_LABEL && isNull(p)) {
    labelAt = 0;
    return p + 4;
  }
  if (load<u8>(p) != QUOTE) return failValue(p, field);
  const end = stringEnd(p + 1);
  if (end == 0) return 0;
  noteText(field, p + 1, end);
  return end + 1;
}

function noteText(field: u32, at: usize, end: usize): void {
  if (field == FIELD_TYPE) {
    typeAt = at;
    typeEnd = end;
  } else if (field == FIELD_LABEL) {
    labelAt = at;
    labelEnd = end;
  } else if (field == FIELD_EDGE_TYPE) {
    edgeTypeAt = at;
    edgeTypeEnd = end;
  } else if (field == FIELD_FORMAT) {
    formatAt = at;
    formatEnd = end;
  }
}

/**
 * Behind the properties object whose inside starts at `p`. It is only looked for here, by strings and braces; whether it is right
 * is found when it is read. 0 after a failure: the line ended first.
 */
function skipProperties(p: usize): usize {
  let depth: u32 = 1;
  while (true) {
    const byte = <u32>load<u8>(p);
    if (byte == QUOTE) {
      p = stringEnd(p + 1);
      if (p == 0) return 0;
    } else if (byte == OPEN_BRACE) {
      depth += 1;
    } else if (byte == CLOSE_BRACE) {
      depth -= 1;
      if (depth == 0) return p + 1;
    } else if (byte == LINE_FEED) {
      return fail(MALFORMED_JSON, p);
    }
    p += 1;
  }
  return 0;
}

/** Fails at the first member, in the order of the numbers, that this kind of line does not have. */
function failUnknown(extra: u32): i32 {
  const field = <u32>ctz(extra);
  const name = <usize>load<u32>(fieldPlaces + (<usize>field << 2));
  failNamed(UNKNOWN_FIELD, name - 1, name, <u32>(stringEnd(name) - name), field);
  return UNKNOWN_FIELD;
}

function failMissing(field: u32, at: usize): i32 {
  failNamed(MISSING_FIELD, at, 0, 0, field);
  return MISSING_FIELD;
}

function failAt(code: i32, at: usize, field: u32): i32 {
  failNamed(code, at, 0, 0, field);
  return code;
}

/** String number of a checked text of the line; NONE without memory. */
function notedText(session: usize, builder: usize, at: usize, end: usize): u32 {
  const scratch = <usize>load<u32>(session, S_SCRATCH);
  return buildString(builder, scratch, unescape(at, end, scratch));
}

function generalElement(session: usize, start: usize, bytes: u32, kind: u32): i32 {
  const allowed = kind == KIND_EDGE ? EDGE_FIELDS : VERTEX_FIELDS;
  const needed = kind == KIND_EDGE ? EDGE_NEEDS : VERTEX_NEEDS;
  if (seen & ~allowed) return failUnknown(seen & ~allowed);
  if (needed & ~seen) return failMissing(<u32>ctz(needed & ~seen), start);
  const builder = <usize>load<u32>(session, S_BUILDER);
  let edgeType = NONE;
  if (kind == KIND_EDGE) {
    if (edgeTypeEnd == edgeTypeAt) return failAt(BAD_FIELD, edgeTypeAt, FIELD_EDGE_TYPE);
    edgeType = notedText(session, builder, edgeTypeAt, edgeTypeEnd);
    if (edgeType == NONE) return noMemory(start);
  }
  let label = NONE;
  if (seen & (1 << FIELD_LABEL) && labelAt != 0) {
    label = notedText(session, builder, labelAt, labelEnd);
    if (label == NONE) return noMemory(start);
  }
  const hasProperties = (seen & (1 << FIELD_PROPERTIES)) != 0;
  const id = idRead;
  const code = beginElement(session, builder, kind, label, edgeType, sourceRead, targetRead, creationRead, start, bytes);
  if (code != LINE_OK) return code;
  if (hasProperties && readProperties(session, propertiesAt, kind, kind == KIND_VERTEX ? label : edgeType) == 0) {
    return failureIs();
  }
  return endElement(session, builder, kind, id, start);
}

/** The meta line: its promises are kept for the end. */
function metaLine(session: usize, start: usize): i32 {
  if (load<u32>(session, S_LINE) != 0) return failAt(META_NOT_FIRST, start, FIELD_TYPE);
  if (seen & ~META_FIELDS) return failUnknown(seen & ~META_FIELDS);
  if (!(seen & (1 << FIELD_FORMAT))) return failMissing(FIELD_FORMAT, start);
  if (!(seen & (1 << FIELD_VERSION))) return failMissing(FIELD_VERSION, start);
  const scratch = <usize>load<u32>(session, S_SCRATCH);
  const bytes = unescape(formatAt, formatEnd, scratch);
  const low = load<u64>(scratch);
  // service-jsonl, and fallen8-jsonl: files of the system this contract comes from.
  const known = low == WORD_OWN_FORMAT || low == WORD_OTHER_FORMAT;
  if (bytes != 13 || !known || (load<u64>(scratch, 8) & 0xffffffffff) != WORD_OWN_FORMAT_2) {
    failNamed(BAD_FORMAT_NAME, formatAt, formatAt, <u32>(formatEnd - formatAt), FIELD_FORMAT);
    return BAD_FORMAT_NAME;
  }
  if (versionRead < 1 || versionRead > 2) {
    return failAt(BAD_VERSION, <usize>load<u32>(fieldPlaces + (<usize>FIELD_VERSION << 2)) - 1, FIELD_VERSION);
  }
  if (seen & (1 << FIELD_VERTEX_COUNT)) store<u32>(session, vertexCountRead, S_EXPECTED_VERTICES);
  if (seen & (1 << FIELD_EDGE_COUNT)) store<u32>(session, edgeCountRead, S_EXPECTED_EDGES);
  return LINE_OK;
}
