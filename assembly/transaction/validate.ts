// What can be said against a transaction before anything changes: that the buffer is one our encoder writes, and that the
// elements it names by id exist. Applying checks the latter again at each operation, since operations of the same transaction may
// remove what later ones name; what passes here fails there only for such a reason or for want of memory.

import { elementKind, KIND_EDGE, KIND_NONE, KIND_VERTEX } from '../graph/elements';
import { valueBytes } from '../graph/rows';
import { MAX_IDS, stateNextId } from '../graph/state';
import { NONE } from '../memory/layout';
import { BAD_TRANSACTION, MORE, NOT_FOUND, NOT_LINKED, OK, TOO_MANY_IDS } from '../status';
import { RECORD_INFO } from '../values/record';
import { isVariable, TYPE_COUNT, TYPE_NONE, TYPE_SINGLE_ARRAY } from '../values/types';
import {
  CREATE_EDGE_BYTES, CREATE_FLAGS, CREATE_SOURCE, CREATE_SOURCE_RELATIVE, CREATE_TARGET, CREATE_TARGET_RELATIVE, CREATE_TEMPLATE,
  EDGE_TARGET, EDGES_COUNT, ENTRY_TYPE, OP_CREATE, OP_DOCUMENT, OP_EDGES, OP_ERASE, OP_INDEX_ADD, OP_INDEX_REMOVE_KEY, OP_REMOVE_ELEMENT,
  OP_REMOVE_PROPERTY, OP_SET_PROPERTY, OP_TRIM, OPERATION_BYTES, OPERATION_ELEMENT, OPERATION_KIND, OPERATION_NAME, OPERATION_TEXT,
  OPERATION_TYPE, REMOVE_FLAGS, REMOVE_SKIPS_REMOVED, TX_CREATE_COUNT, TX_FIRST_ID, TX_HEADER_BYTES, TX_MAGIC, TX_OPERATION_COUNT,
  TX_OPERATIONS, TX_STRING_COUNT, TX_TOTAL_BYTES,
} from './format';
import { indexOperationBytes, isIndexOperation } from './index-operations';
import {
  inBounds, RECORD_COUNT, RECORD_ENTRIES, RECORD_KIND, RECORD_VALUE_BYTES, templateCount, templateRecord, templatesBegin,
} from './templates';
import { writerFail, writerUnlinked } from './writer';

/** Checks the buffer; sets up the templates' records. OK or the code to answer; then errorRecord and errorElement say where. */
export function validateTransaction(state: usize, buffer: usize, bytes: u32, redo: bool): i32 {
  const code = validateBegin(state, buffer, bytes, redo);
  return code == OK ? validateOperations(state, buffer, bytes, redo, NONE) : code;
}

/** The same but for the operations, which are checked next. */
export function validateBegin(state: usize, buffer: usize, bytes: u32, redo: bool): i32 {
  if (bytes < <u32>TX_HEADER_BYTES || (buffer & 7) != 0 || (bytes & 7) != 0) return BAD_TRANSACTION;
  if (load<u32>(buffer) != TX_MAGIC || load<u32>(buffer, TX_TOTAL_BYTES) != bytes) return BAD_TRANSACTION;
  const code = templatesBegin(buffer, bytes);
  if (code != OK) return code;
  const operations = load<u32>(buffer, TX_OPERATION_COUNT);
  if (!inBounds(load<u32>(buffer, TX_OPERATIONS), operations, <u32>OPERATION_BYTES, bytes)) return BAD_TRANSACTION;
  const firstId = redo ? load<u32>(buffer, TX_FIRST_ID) : stateNextId(state);
  const creates = load<u32>(buffer, TX_CREATE_COUNT);
  if (creates > bytes) return BAD_TRANSACTION;
  if (<u64>firstId + <u64>creates > <u64>MAX_IDS) return TOO_MANY_IDS;
  checkedTo = 0;
  checkAt = buffer + <usize>load<u32>(buffer, TX_OPERATIONS);
  created = 0;
  documents = 0;
  indexed = 0;
  return OK;
}

// Where the check of operations is.
let checkedTo: u32 = 0;
let checkAt: usize = 0;
let created: u32 = 0;
/** Operations of the two sorts that stand among their own kind only. */
let documents: u32 = 0;
let indexed: u32 = 0;

/** Bytes of operations behind which a step of the check ends. */
const CHECK_BYTES: usize = 1 << 20;

/** Checks the next `most` operations (NONE: all). MORE: there are others. */
export function validateOperations(state: usize, buffer: usize, bytes: u32, redo: bool, most: u32): i32 {
  const count = load<u32>(buffer, TX_OPERATION_COUNT);
  const strings = load<u32>(buffer, TX_STRING_COUNT);
  const end = buffer + <usize>bytes;
  const stop = most < count - checkedTo ? checkedTo + most : count;
  let at = checkAt;
  const pause = most == NONE ? usize.MAX_VALUE : at + CHECK_BYTES;
  let i = checkedTo;
  for (; i < stop && at < pause; i++) {
    writerFail(i, 0xffffffff);
    if (end - at < OPERATION_BYTES) return BAD_TRANSACTION;
    const operation = load<u32>(at);
    if (operation == OP_CREATE) {
      const size = createBytes(at, end, created);
      if (size == 0) return BAD_TRANSACTION;
      if (!redo && size > OPERATION_BYTES) {
        const missing = missingEndpoint(state, at, created);
        if (missing != 0xffffffff) return notFound(i, missing);
      }
      at += size;
      created++;
      continue;
    }
    if (operation == OP_EDGES) {
      const size = edgesBytes(at, end);
      if (size == 0) return BAD_TRANSACTION;
      const missing = redo ? 0xffffffff : missingVertex(state, at, created);
      if (missing != 0xffffffff) return notFound(i, missing);
      at += size;
      created += load<u32>(at - size, EDGES_COUNT);
      continue;
    }
    if (operation == OP_ERASE || operation == OP_TRIM) {
      if (count != 1) return BAD_TRANSACTION;
      if (operation == OP_TRIM && writerUnlinked()) return NOT_LINKED;
      continue;
    }
    if (isIndexOperation(operation)) {
      const size = indexBytes(at, end, count, strings);
      if (size == 0 || operation != load<u32>(buffer + <usize>load<u32>(buffer, TX_OPERATIONS))) return BAD_TRANSACTION;
      indexed++;
      at += size;
      continue;
    }
    if (operation == OP_DOCUMENT) {
      if (!documentLies(at, strings)) return BAD_TRANSACTION;
      documents++;
      at += OPERATION_BYTES;
      continue;
    }
    const element = load<u32>(at, OPERATION_ELEMENT);
    if (!redo && isMissing(state, element, created, operation == OP_REMOVE_ELEMENT ? load<u32>(at, REMOVE_FLAGS) : 0)) {
      return notFound(i, element);
    }
    if (operation == OP_SET_PROPERTY) {
      const size = setBytes(at, end, strings);
      if (size == 0) return BAD_TRANSACTION;
      at += size;
      continue;
    }
    if (operation != OP_REMOVE_ELEMENT && operation != OP_REMOVE_PROPERTY) return BAD_TRANSACTION;
    if (operation == OP_REMOVE_PROPERTY && load<u32>(at, OPERATION_NAME) >= strings) return BAD_TRANSACTION;
    if (operation == OP_REMOVE_ELEMENT && writerUnlinked()) return NOT_LINKED;
    at += OPERATION_BYTES;
  }
  checkedTo = i;
  checkAt = at;
  if (i < count) return MORE;
  if (created != load<u32>(buffer, TX_CREATE_COUNT)) return BAD_TRANSACTION;
  if ((documents != 0 && documents != count) || (indexed != 0 && indexed != count)) return BAD_TRANSACTION;
  writerFail(0xffffffff, 0xffffffff);
  return OK;
}

/** Bytes of a run of edges, 0 when it does not fit or its template is not of such edges. */
function edgesBytes(at: usize, end: usize): usize {
  if (load<u32>(at, CREATE_TEMPLATE) >= templateCount()) return 0;
  const record = templateRecord(load<u32>(at, CREATE_TEMPLATE));
  const count = load<u32>(at, EDGES_COUNT);
  if (load<u32>(record, RECORD_KIND) != KIND_EDGE || load<u32>(record, RECORD_COUNT) != 0 || count == 0) return 0;
  return <u64>count << 3 > <u64>(end - at - OPERATION_BYTES) ? 0 : OPERATION_BYTES + (<usize>count << 3);
}

/** Of a run of edges, the end that is known already not to be a vertex; NONE if there is none. */
function missingVertex(state: usize, at: usize, created: u32): u32 {
  const next = stateNextId(state);
  const end = at + OPERATION_BYTES + (<usize>load<u32>(at, EDGES_COUNT) << 3);
  // Many of a run have the same source.
  let known: u32 = 0xffffffff;
  for (let pair = at + OPERATION_BYTES; pair < end; pair += 8) {
    const source = load<u32>(pair);
    const target = load<u32>(pair, EDGE_TARGET);
    if (source != known && !mayBeVertex(state, source, next, created)) return source;
    if (!mayBeVertex(state, target, next, created)) return target;
    known = source;
  }
  return 0xffffffff;
}

/** Whether the operation on a document names strings that are there. */
function documentLies(at: usize, strings: u32): bool {
  const text = load<u32>(at, OPERATION_TEXT);
  return load<u32>(at, OPERATION_KIND) != 0 && load<u32>(at, OPERATION_NAME) < strings && (text == NONE || text < strings);
}

/** Bytes of an index operation, 0 when it does not fit or names what is not there. */
function indexBytes(at: usize, end: usize, count: u32, strings: u32): usize {
  const operation = load<u32>(at);
  let value: usize = 0;
  if (operation == OP_INDEX_ADD || operation == OP_INDEX_REMOVE_KEY) {
    const type = load<u32>(at, OPERATION_TYPE);
    if (type == TYPE_NONE || type >= TYPE_COUNT) return 0;
    value = checkedBytes(type, at + OPERATION_BYTES, end);
  }
  return indexOperationBytes(at, count, strings, value);
}

function notFound(record: u32, element: u32): i32 {
  writerFail(record, element);
  return NOT_FOUND;
}

/** Bytes of a create, 0 when it does not fit or names what is not there. */
// @ts-ignore: decorator
@inline
function createBytes(at: usize, end: usize, created: u32): usize {
  if (load<u32>(at, CREATE_TEMPLATE) >= templateCount()) return 0;
  const record = templateRecord(load<u32>(at, CREATE_TEMPLATE));
  let size = OPERATION_BYTES;
  if (load<u32>(record, RECORD_KIND) == KIND_EDGE) {
    size = CREATE_EDGE_BYTES;
    if (end - at < size) return 0;
    const flags = load<u32>(at, CREATE_FLAGS);
    if ((flags & CREATE_SOURCE_RELATIVE) != 0 && load<u32>(at, CREATE_SOURCE) >= created) return 0;
    if ((flags & CREATE_TARGET_RELATIVE) != 0 && load<u32>(at, CREATE_TARGET) >= created) return 0;
  }
  const fixed = load<u32>(record, RECORD_VALUE_BYTES);
  if (fixed != 0xffffffff) return end - at - size < <usize>fixed ? 0 : size + <usize>fixed;
  const entries: usize = load<u32>(record, RECORD_ENTRIES);
  const count = load<u32>(record, RECORD_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    const value = checkedBytes(load<u32>(entries + ((<usize>i) << 3), ENTRY_TYPE), at + size, end);
    if (value == 0) return 0;
    size += value;
  }
  return size;
}

/** Bytes of the value at `at`, 0 when it does not fit. */
// @ts-ignore: decorator
@inline
function checkedBytes(type: u32, at: usize, end: usize): usize {
  const room = end - at;
  if (room < 8) return 0;
  if (isVariable(type)) {
    const bytes = load<u32>(at);
    if (<u64>bytes + 8 > <u64>room) return 0;
    if (type == TYPE_SINGLE_ARRAY && <u64>load<u32>(at, RECORD_INFO) * 4 != <u64>bytes) return 0;
  }
  const size = valueBytes(type, at);
  return size > room ? 0 : size;
}

function setBytes(at: usize, end: usize, strings: u32): usize {
  const type = load<u32>(at, OPERATION_TYPE);
  if (load<u32>(at, OPERATION_NAME) >= strings || type == TYPE_NONE || type >= TYPE_COUNT) return 0;
  const value = checkedBytes(type, at + OPERATION_BYTES, end);
  return value == 0 ? 0 : OPERATION_BYTES + value;
}

/** The endpoint that is known already not to be a vertex, NONE if there is none. Ids this transaction creates are left open. */
// @ts-ignore: decorator
@inline
function missingEndpoint(state: usize, at: usize, created: u32): u32 {
  const record = templateRecord(load<u32>(at, CREATE_TEMPLATE));
  if (load<u32>(record, RECORD_KIND) != KIND_EDGE) return 0xffffffff;
  const flags = load<u32>(at, CREATE_FLAGS);
  const next = stateNextId(state);
  const source = load<u32>(at, CREATE_SOURCE);
  if ((flags & CREATE_SOURCE_RELATIVE) == 0 && !mayBeVertex(state, source, next, created)) return source;
  const target = load<u32>(at, CREATE_TARGET);
  if ((flags & CREATE_TARGET_RELATIVE) == 0 && !mayBeVertex(state, target, next, created)) return target;
  return 0xffffffff;
}

// @ts-ignore: decorator
@inline
function mayBeVertex(state: usize, id: u32, next: u32, created: u32): bool {
  return id < next ? elementKind(state, id) == KIND_VERTEX : id - next < created;
}

function isMissing(state: usize, id: u32, created: u32, flags: u32): bool {
  const next = stateNextId(state);
  if (id >= next) return id - next >= created;
  return elementKind(state, id) == KIND_NONE && (flags & REMOVE_SKIPS_REMOVED) == 0;
}
