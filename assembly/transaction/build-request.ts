// From the host's encoding of a write request to a transaction: value texts become values, strings become table entries.
//
//   request   records one after the other, all words u32, every string { u32 bytes (NONE = null), bytes padded to 4 }
//     create vertex     1, creation, label, property count, count x { key, u32 type, text }
//     create edge       2, creation, source, target, edge type, label, property count, properties
//     set property      3, element, key, type, text
//     remove property   4, element, key
//     remove element    5, element, flags
//     erase             6
//     trim              7
//     index create      8, kind, name, definition
//     index drop        9, name
//     index add         10, element, name, type, text
//     index remove      11, element, name
//     index remove key  12, name, type, text
//     index clear       13, name
//     document          14, kind, name, text (null removes it)
//
// The text of a Single[] is its components as raw f32. A value and its record in the transaction never take more bytes than in the
// request, so room is made once. A request that does not follow this shape is the host's mistake: BAD_TRANSACTION.

import { KIND_EDGE, KIND_VERTEX } from '../graph/elements';
import { NONE } from '../memory/layout';
import { BAD_TRANSACTION, BAD_VALUE, DUPLICATE_KEY, NO_MEMORY, OK } from '../status';
import { parseValue } from '../values/parse';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import { isWide, TYPE_COUNT, TYPE_NONE, TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { utf16Info } from '../values/utf8';
import {
  buildAdvance, buildAt, buildBegin, buildCreate, buildCreateEnd, buildEnd, builderBase, builderBytes, builderCreate, builderDrop,
  builderEmpty, builderTrim, buildKey, buildOperation, buildString,
} from './build';
import {
  OP_DOCUMENT, OP_ERASE, OP_INDEX_ADD, OP_INDEX_CLEAR, OP_INDEX_CREATE, OP_INDEX_DROP, OP_INDEX_REMOVE, OP_INDEX_REMOVE_KEY,
  OP_REMOVE_ELEMENT, OP_REMOVE_PROPERTY, OP_SET_PROPERTY, OP_TRIM,
} from './format';

const REQUEST_VERTEX: u32 = 1;
const REQUEST_EDGE: u32 = 2;
const REQUEST_SET: u32 = 3;
const REQUEST_REMOVE_PROPERTY: u32 = 4;
const REQUEST_REMOVE: u32 = 5;
const REQUEST_ERASE: u32 = 6;
const REQUEST_TRIM: u32 = 7;
const REQUEST_INDEX_CREATE: u32 = 8;
const REQUEST_INDEX_DROP: u32 = 9;
const REQUEST_INDEX_ADD: u32 = 10;
const REQUEST_INDEX_REMOVE: u32 = 11;
const REQUEST_INDEX_REMOVE_KEY: u32 = 12;
const REQUEST_INDEX_CLEAR: u32 = 13;
const REQUEST_DOCUMENT: u32 = 14;

/** A value's writing may touch this much behind it. */
const SLACK: u64 = 64;

let builder: usize = 0;
/** Of a request that is built in parts, between which other requests have `builder`; 0 = there is none. */
let partsBuilder: usize = 0;
/** Its records so far. */
let partsRecords: u32 = 0;
let at: usize = 0;
let end: usize = 0;
let wordRead: u32 = 0;
let textRead: usize = 0;
let textBytes: u32 = 0;
let record: u32 = 0;
let property: u32 = 0;

/**
 * Builds the transaction of a request: OK, BAD_VALUE or DUPLICATE_KEY (buildErrorRecord and buildErrorProperty say where),
 * NO_MEMORY, BAD_TRANSACTION. It is transactionBytes at transactionBase until the next request.
 */
export function buildRequest(input: usize, bytes: u32, timeSeconds: u32, timeMs: f64): i32 {
  if (requestBuilder() == 0) return NO_MEMORY;
  let status = buildBegin(builder, timeSeconds, timeMs);
  record = 0;
  if (status == OK) status = buildRecords(input, bytes);
  return status == OK ? buildEnd(builder) : status;
}

function buildRecords(input: usize, bytes: u32): i32 {
  at = input;
  end = input + bytes;
  while (at < end) {
    property = NONE;
    const status = buildRecord();
    if (status != OK) return status;
    record += 1;
  }
  return OK;
}

// --- In parts -----------------------------------------------------------------------------------------------------------------------

/** Begins a request that comes in parts of whole records; one at a time. OK or NO_MEMORY. */
export function partsBegin(timeSeconds: u32, timeMs: f64): i32 {
  if (partsBuilder == 0) partsBuilder = builderCreate();
  partsRecords = 0;
  return partsBuilder == 0 ? NO_MEMORY : buildBegin(partsBuilder, timeSeconds, timeMs);
}

/** Builds the records of the next part; answers what buildRequest does. */
export function partsBuild(input: usize, bytes: u32): i32 {
  const single = builder;
  builder = partsBuilder;
  record = partsRecords;
  const status = buildRecords(input, bytes);
  partsRecords = record;
  builder = single;
  return status;
}

/** Behind the last part: the transaction is partsBytes at partsBase until it is dropped. */
export function partsEnd(): i32 {
  return buildEnd(partsBuilder);
}

export function partsBase(): usize {
  return builderBase(partsBuilder);
}

export function partsBytes(): u32 {
  return builderBytes(partsBuilder);
}

/** Gives back what the request took. */
export function partsDrop(): void {
  if (partsBuilder != 0) builderDrop(partsBuilder);
  partsBuilder = 0;
}

// --- Records ------------------------------------------------------------------------------------------------------------------------

/** The builder of single requests, for others that build a whole transaction in one call; 0 when there is no memory. */
export function requestBuilder(): usize {
  if (builder == 0) builder = builderCreate();
  return builder;
}

/** [W] Gives back what a large transaction has left behind; it is not there any more then. */
export function requestTrim(): void {
  builderTrim(builder);
}

/** [W] Gives back all that transactions have left behind. */
export function requestEmpty(): void {
  builderEmpty(builder);
}

/** After BAD_VALUE or DUPLICATE_KEY: which record of the request, from 0. */
export function buildErrorRecord(): u32 {
  return record;
}

/** After BAD_VALUE or DUPLICATE_KEY: which property of a create, from 0; NONE for other records. */
export function buildErrorProperty(): u32 {
  return property;
}

/** Address of the transaction built by the last buildRequest. */
export function transactionBase(): usize {
  return builderBase(builder);
}

export function transactionBytes(): u32 {
  return builderBytes(builder);
}

/** Reads a word to `wordRead`; false at the end. */
function readWord(): bool {
  if (end - at < 4 || end < at) return false;
  wordRead = load<u32>(at);
  at += 4;
  return true;
}

/** Reads a string to `textRead` (0 for null) and `textBytes`; false when it is cut off. */
function readText(): bool {
  if (!readWord()) return false;
  textRead = 0;
  textBytes = 0;
  if (wordRead == NONE) return true;
  const padded = (<u64>wordRead + 3) & ~3;
  if (padded > <u64>(end - at)) return false;
  textRead = at;
  textBytes = wordRead;
  at += <usize>padded;
  return true;
}

/** Number of the string just read; NONE for null, and without memory. */
// @ts-ignore: decorator
@inline
function stringNumber(): u32 {
  return textRead == 0 ? NONE : buildString(builder, textRead, textBytes);
}

function buildRecord(): i32 {
  if (!readWord()) return BAD_TRANSACTION;
  switch (wordRead) {
    case REQUEST_VERTEX:
      return buildElement(KIND_VERTEX);
    case REQUEST_EDGE:
      return buildElement(KIND_EDGE);
    case REQUEST_SET:
      return buildSet();
    case REQUEST_REMOVE_PROPERTY:
      return buildRemoveProperty();
    case REQUEST_REMOVE: {
      if (!readWord()) return BAD_TRANSACTION;
      const element = wordRead;
      return readWord() ? buildOperation(builder, OP_REMOVE_ELEMENT, element, wordRead, 0, 0) : BAD_TRANSACTION;
    }
    case REQUEST_ERASE:
      return buildOperation(builder, OP_ERASE, 0, 0, 0, 0);
    case REQUEST_TRIM:
      return buildOperation(builder, OP_TRIM, 0, 0, 0, 0);
    case REQUEST_INDEX_CREATE:
      return buildTexts(OP_INDEX_CREATE);
    case REQUEST_INDEX_DROP:
      return buildIndexOperation(OP_INDEX_DROP, false);
    case REQUEST_INDEX_REMOVE:
      return buildIndexOperation(OP_INDEX_REMOVE, true);
    case REQUEST_INDEX_CLEAR:
      return buildIndexOperation(OP_INDEX_CLEAR, false);
    case REQUEST_INDEX_ADD:
      return buildIndexKey(OP_INDEX_ADD, true);
    case REQUEST_INDEX_REMOVE_KEY:
      return buildIndexKey(OP_INDEX_REMOVE_KEY, false);
    case REQUEST_DOCUMENT:
      return buildTexts(OP_DOCUMENT);
    default:
      return BAD_TRANSACTION;
  }
}

/** An operation with a kind, a name and a text that may be null. */
function buildTexts(operation: u32): i32 {
  if (!readWord()) return BAD_TRANSACTION;
  const kind = wordRead;
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  const name = stringNumber();
  if (name == NONE) return NO_MEMORY;
  if (!readText()) return BAD_TRANSACTION;
  const text = stringNumber();
  if (text == NONE && textRead != 0) return NO_MEMORY;
  return buildOperation(builder, operation, kind, name, text, 0);
}

/** An operation on an index, with an element or without. */
function buildIndexOperation(operation: u32, withElement: bool): i32 {
  let element: u32 = 0;
  if (withElement) {
    if (!readWord()) return BAD_TRANSACTION;
    element = wordRead;
  }
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  const name = stringNumber();
  return name == NONE ? NO_MEMORY : buildOperation(builder, operation, element, name, 0, 0);
}

/** An operation on a key of an index. */
function buildIndexKey(operation: u32, withElement: bool): i32 {
  let element: u32 = 0;
  if (withElement) {
    if (!readWord()) return BAD_TRANSACTION;
    element = wordRead;
  }
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  const name = stringNumber();
  if (name == NONE) return NO_MEMORY;
  if (!readWord()) return BAD_TRANSACTION;
  const type = wordRead;
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  if (type == TYPE_NONE || type >= TYPE_COUNT) return BAD_TRANSACTION;
  if (buildOperation(builder, operation, element, name, type, <u64>textBytes + SLACK) != OK) return NO_MEMORY;
  return buildValue(type);
}

function buildElement(kind: u32): i32 {
  if (!readWord()) return BAD_TRANSACTION;
  const creation = wordRead;
  let source: u32 = 0;
  let target: u32 = 0;
  let edgeType = NONE;
  if (kind == KIND_EDGE) {
    if (!readWord()) return BAD_TRANSACTION;
    source = wordRead;
    if (!readWord()) return BAD_TRANSACTION;
    target = wordRead;
    if (!readText() || textRead == 0) return BAD_TRANSACTION;
    edgeType = stringNumber();
    if (edgeType == NONE) return NO_MEMORY;
  }
  if (!readText()) return BAD_TRANSACTION;
  const label = stringNumber();
  if (label == NONE && textRead != 0) return NO_MEMORY;
  if (!readWord()) return BAD_TRANSACTION;
  const count = wordRead;
  const left = <u64>(end - at);
  // The least a property takes: key length, type and text length.
  if (<u64>count * 12 > left) return BAD_TRANSACTION;
  let status = buildCreate(builder, kind, label, edgeType, creation, 0, source, target, left + SLACK, count);
  for (property = 0; status == OK && property < count; property++) {
    status = buildProperty();
    if (status != OK) return status;
  }
  property = NONE;
  return status == OK ? buildCreateEnd(builder) : status;
}

function buildProperty(): i32 {
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  const key = stringNumber();
  if (key == NONE) return NO_MEMORY;
  if (!readWord()) return BAD_TRANSACTION;
  const type = wordRead;
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  if (type == TYPE_NONE || type >= TYPE_COUNT) return BAD_TRANSACTION;
  if (!buildKey(builder, key, type)) return DUPLICATE_KEY;
  return buildValue(type);
}

/** Writes the value whose text was read last. */
function buildValue(type: u32): i32 {
  const out = buildAt(builder);
  if (type == TYPE_STRING || type == TYPE_SINGLE_ARRAY) {
    if (type == TYPE_SINGLE_ARRAY && (textBytes & 3) != 0) return BAD_TRANSACTION;
    const padded = (textBytes + 7) & ~7;
    if (padded != 0) store<u64>(out + 8 + padded - 8, 0);
    memory.copy(out + 8, textRead, textBytes);
    store<u32>(out, textBytes);
    store<u32>(out, type == TYPE_STRING ? utf16Info(out + RECORD_HEADER, textBytes) : textBytes >> 2, RECORD_INFO);
    buildAdvance(builder, 8 + padded);
    return OK;
  }
  if (!parseValue(type, textRead, textBytes, out)) return BAD_VALUE;
  buildAdvance(builder, isWide(type) ? 16 : 8);
  return OK;
}

function buildSet(): i32 {
  if (!readWord()) return BAD_TRANSACTION;
  const element = wordRead;
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  const key = stringNumber();
  if (key == NONE) return NO_MEMORY;
  if (!readWord()) return BAD_TRANSACTION;
  const type = wordRead;
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  if (type == TYPE_NONE || type >= TYPE_COUNT) return BAD_TRANSACTION;
  const room = <u64>textBytes + SLACK;
  if (buildOperation(builder, OP_SET_PROPERTY, element, key, type, room) != OK) return NO_MEMORY;
  return buildValue(type);
}

function buildRemoveProperty(): i32 {
  if (!readWord()) return BAD_TRANSACTION;
  const element = wordRead;
  if (!readText() || textRead == 0) return BAD_TRANSACTION;
  const key = stringNumber();
  if (key == NONE) return NO_MEMORY;
  return buildOperation(builder, OP_REMOVE_PROPERTY, element, key, 0, 0);
}
