// Applying a transaction: the one way in which a graph changes.
//
// First the buffer and the ids it names are checked (validate.ts), then the operations are carried out in order, then all of
// it becomes valid at once: counts, next id and version are published and what was replaced is retired (finish.ts). An
// operation that fails half way makes everything before it as it was. Contents depend on nothing but the buffers applied so far.
//
// Redo applies a buffer of the log over a graph that may have any part of its effects already: ids come from the buffer,
// elements that are there are kept, operations on elements that are not there are skipped. The end is that of the log, with one
// exception: ids of trim. A log must not be redone from before a trim over a graph from after it.

import { KIND_NONE } from '../graph/elements';
import { internCount, internTruncate } from '../graph/intern';
import { keepsTidy } from '../graph/keeps';
import { valueBytes } from '../graph/rows';
import { runningNextId } from '../graph/running';
import {
  graphState, stateBumpVersion, stateEdgeCount, stateNextId, stateSetCounts, stateSetNextId, stateVertexCount,
} from '../graph/state';
import { followApply, followBegin, followCommit, followUndo } from '../index/follow';
import { outTruncate, outUsed, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { retireAdvance } from '../memory/retire';
import { BAD_TRANSACTION, LIMIT_MET, MORE, NO_MEMORY, NOT_FOUND, OK } from '../status';
import { changesBegin } from './changes';
import { create, createAgain, createLength, createNext, createRun, createThere, idsReady, kindNow } from './create';
import { journalCommit, journalCommitBegin, journalUndo } from './finish';
import {
  CREATE_TEMPLATE, EDGE_TARGET, EDGES_COUNT, OP_CREATE, OP_DOCUMENT, OP_EDGES, OP_ERASE, OP_REMOVE_ELEMENT, OP_REMOVE_PROPERTY,
  OP_SET_PROPERTY, OP_TRIM, OPERATION_BYTES, OPERATION_ELEMENT, OPERATION_NAME, OPERATION_TYPE, REMOVE_FLAGS, REMOVE_SKIPS_REMOVED,
  TX_CREATE_COUNT, TX_FIRST_ID, TX_OPERATION_COUNT, TX_OPERATIONS, TX_TIME_SECONDS,
} from './format';
import { indexOperate, isIndexOperation } from './index-operations';
import { journalBegin } from './journal';
import { PREFETCH_EDGES, prefetchBegin, prefetchCreates, prefetchEdges } from './prefetch';
import { propertiesBegin, propertyRemove, propertySet } from './properties';
import { LEAST_RUN, propertyRun, runDone, runEnd, runLength, runsBegin } from './property-run';
import { elementRemove } from './remove';
import { replaceState } from './replace';
import { stringFind, stringIntern, templateRecord, templateResolve, templatesEnd } from './templates';
import { trimOvertaken } from './trim';
import { validateTransaction } from './validate';
import { writerBegin, writerEdges, writerEnter, writerFail, writerUnlinked, writerVertices } from './writer';

/**
 * Applies the transaction of `bytes` bytes at `transaction` (format.ts) to the graph: all of it, or nothing. `redo`: see above.
 * `wantChanges`: append the change records to OUTPUT (changes.ts). OK, and the first id stands in the buffer; or NOT_FOUND,
 * NO_MEMORY, TOO_MANY_IDS, LIMIT_MET, BAD_TRANSACTION, and errorRecord / errorElement say where if it is one operation's fault.
 */
export function applyTransaction(graph: usize, transaction: usize, bytes: u32, redo: bool, wantChanges: bool): i32 {
  const state = graphState(graph);
  const mark = scratchMark();
  writerFail(NONE, NONE);
  writerEnter(graph);
  let code = validateTransaction(state, transaction, bytes, redo);
  if (code == OK) code = carryOut(graph, state, transaction, redo, wantChanges);
  scratchRelease(mark);
  keepsTidy();
  retireAdvance();
  return code;
}

/** By what the transaction begins with: erase and trim stand alone, operations on an index stand with their like. */
function carryOut(graph: usize, state: usize, transaction: usize, redo: bool, wantChanges: bool): i32 {
  const operation = firstOperation(transaction);
  if ((operation == OP_ERASE || operation == OP_TRIM) && load<u32>(transaction, TX_OPERATION_COUNT) == 1) {
    const code = replaceState(graph, state, operation);
    if (code == OK) store<u32>(transaction, 0, TX_FIRST_ID);
    return code;
  }
  if (operation == OP_DOCUMENT) {
    store<u32>(transaction, stateNextId(state), TX_FIRST_ID);
    return OK;
  }
  trimOvertaken(state);
  if (!isIndexOperation(operation)) return applyElements(state, transaction, redo, wantChanges);
  const code = indexOperate(state, transaction, redo);
  if (code == OK) store<u32>(transaction, stateNextId(state), TX_FIRST_ID);
  return code;
}

/** The first operation, 0 when there is none. */
export function firstOperation(transaction: usize): u32 {
  if (load<u32>(transaction, TX_OPERATION_COUNT) == 0) return 0;
  return load<u32>(transaction + <usize>load<u32>(transaction, TX_OPERATIONS));
}

/** Operations on elements: all of them, or everything is as before. */
function applyElements(state: usize, transaction: usize, redo: bool, wantChanges: bool): i32 {
  const outputUsed = outUsed();
  let code = elementsBegin(state, transaction, redo, wantChanges);
  if (code == OK) code = operate(state, transaction, redo, NONE);
  if (code == OK && !followApply(state)) code = NO_MEMORY;
  if (code != OK) {
    elementsUndo(state, redo);
    outTruncate(outputUsed);
    return code;
  }
  elementsPublish(state, transaction);
  journalCommit(state, NONE);
  followCommit(state);
  return OK;
}

/** Before the operations of a checked transaction. OK or NO_MEMORY. */
export function elementsBegin(state: usize, transaction: usize, redo: bool, wantChanges: bool): i32 {
  internedBefore = internCount();
  firstId = redo ? load<u32>(transaction, TX_FIRST_ID) : stateNextId(state);
  nextOperation = 0;
  operationAt = transaction + <usize>load<u32>(transaction, TX_OPERATIONS);
  createId = firstId;
  prefetchedTo = 0;
  measuredTo = 0;
  changesBegin(wantChanges);
  journalBegin();
  propertiesBegin(redo);
  runsBegin();
  prefetchBegin(redo);
  writerBegin(stateNextId(state), stateVertexCount(state), stateEdgeCount(state));
  return followBegin(state) ? OK : NO_MEMORY;
}

/** Everything is as it was before the operations; their changes in OUTPUT are the caller's to take back. */
export function elementsUndo(state: usize, redo: bool): void {
  templatesEnd(state);
  followUndo(state);
  journalUndo(state, stateNextId(state), redo);
  internTruncate(internedBefore);
}

/** Makes what the operations did valid; what they replaced and removed is to be given back (`journalCommit`, then `followCommit`). */
export function elementsPublish(state: usize, transaction: usize): void {
  stateSetCounts(state, writerVertices(), writerEdges());
  stateSetNextId(state, runningNextId());
  stateBumpVersion(state);
  // Before the journal, whose tidying may use up what is left of the reserved retire entries.
  templatesEnd(state);
  journalCommitBegin();
  store<u32>(transaction, firstId, TX_FIRST_ID);
}

// --- Operations ------------------------------------------------------------------------------------------------------------

// Where the operations of the running transaction are.
let internedBefore: u32 = 0;
let firstId: u32 = 0;
let nextOperation: u32 = 0;
let operationAt: usize = 0;
let createId: u32 = 0;
let prefetchedTo: u32 = 0;
let measuredTo: u32 = 0;

/** Bytes of operations behind which a step ends: an operation may have thousands of properties. */
const STEP_BYTES: usize = 256 << 10;

/**
 * Carries out the next operations, about `most` of them (NONE: all). OK at the end, MORE before it, or the code of the one that failed;
 * then everything before it is to be undone.
 */
export function operate(state: usize, transaction: usize, redo: bool, most: u32): i32 {
  const count = load<u32>(transaction, TX_OPERATION_COUNT);
  const time = load<u32>(transaction, TX_TIME_SECONDS);
  const stop = most < count - nextOperation ? nextOperation + most : count;
  let at = operationAt;
  let id = createId;
  let measured = measuredTo;
  let i = nextOperation;
  const pause = most == NONE ? usize.MAX_VALUE : at + STEP_BYTES;
  for (; i < stop && at < pause; i++) {
    const operation = load<u32>(at);
    let code: i32;
    if (operation == OP_CREATE) {
      if (i >= prefetchedTo && count - i > 1) {
        const length = min<u32>(PREFETCH_EDGES, count - i);
        prefetchCreates(state, at, length);
        prefetchedTo = i + length;
      }
      const record = templateRecord(load<u32>(at, CREATE_TEMPLATE));
      code = templateResolve(state, record);
      if (code == OK) {
        code = redo ? createAgain(state, at, record, id, firstId) : create(state, at, record, i, firstId);
      }
      id++;
      at += createLength(at, record);
    } else if (operation == OP_EDGES) {
      code = edgesCreate(state, at, i, id, redo);
      const count = load<u32>(at, EDGES_COUNT);
      id += count;
      at += OPERATION_BYTES + (<usize>count << 3);
    } else {
      if (i >= measured) {
        const length = runLength(at, count - i);
        measured = i + length;
        if (length >= LEAST_RUN) {
          code = changeRun(state, at, length, i, time, redo);
          if (code != OK) return code;
          at = runEnd();
          i = measured - 1;
          continue;
        }
      }
      code = change(state, at, operation, i, time, redo);
      if (code == LIMIT_MET) writerFail(i, load<u32>(at, OPERATION_ELEMENT));
      at += OPERATION_BYTES;
      if (operation == OP_SET_PROPERTY) at += valueBytes(load<u32>(at - OPERATION_BYTES, OPERATION_TYPE), at);
    }
    if (code != OK) return code;
  }
  if (i < count) {
    nextOperation = i;
    operationAt = at;
    createId = id;
    measuredTo = measured;
    return MORE;
  }
  const creates = load<u32>(transaction, TX_CREATE_COUNT);
  if (redo && creates != 0 && !idsReady(state, firstId + creates - 1)) return NO_MEMORY;
  return OK;
}

/** A run of edges; `id` is the first one's. */
function edgesCreate(state: usize, at: usize, index: u32, id: u32, redo: bool): i32 {
  const record = templateRecord(load<u32>(at, CREATE_TEMPLATE));
  let code = templateResolve(state, record);
  const count = load<u32>(at, EDGES_COUNT);
  if (code == OK && writerUnlinked() && !redo) return createRun(state, at, record, index, count);
  let pair = at + OPERATION_BYTES;
  for (let i: u32 = 0; i < count && code == OK; i++) {
    if ((i & (PREFETCH_EDGES - 1)) == 0) prefetchEdges(state, pair, min<u32>(PREFETCH_EDGES, count - i));
    const source = load<u32>(pair);
    const target = load<u32>(pair, EDGE_TARGET);
    code = redo
      ? createThere(state, at, record, id + i, source, target)
      : createNext(state, at, record, index, source, target);
    pair += 8;
  }
  return code;
}

/** Property writes of one element that exists. */
function changeRun(state: usize, at: usize, length: u32, index: u32, time: u32, redo: bool): i32 {
  const element = load<u32>(at, OPERATION_ELEMENT);
  if (kindNow(state, element) == KIND_NONE) {
    if (redo) return OK;
    writerFail(index, element);
    return NOT_FOUND;
  }
  const code = propertyRun(state, element, at, length, time);
  if (code == LIMIT_MET) writerFail(index + runDone(), element);
  return code;
}

/** One operation on an element that exists. */
function change(state: usize, at: usize, operation: u32, index: u32, time: u32, redo: bool): i32 {
  const element = load<u32>(at, OPERATION_ELEMENT);
  if (kindNow(state, element) == KIND_NONE) {
    if (redo) return OK;
    const skips = operation == OP_REMOVE_ELEMENT && (load<u32>(at, REMOVE_FLAGS) & REMOVE_SKIPS_REMOVED) != 0;
    if (skips && element < runningNextId()) return OK;
    writerFail(index, element);
    return NOT_FOUND;
  }
  if (operation == OP_REMOVE_ELEMENT) return elementRemove(state, element);
  if (operation == OP_REMOVE_PROPERTY) {
    const key = stringFind(load<u32>(at, OPERATION_NAME));
    return key == NONE ? OK : propertyRemove(state, element, key, time);
  }
  if (operation != OP_SET_PROPERTY) return BAD_TRANSACTION;
  const key = stringIntern(load<u32>(at, OPERATION_NAME));
  return key == NONE ? NO_MEMORY : propertySet(state, element, key, load<u32>(at, OPERATION_TYPE), at + OPERATION_BYTES, time);
}
