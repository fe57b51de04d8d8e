// The index operations of a transaction (format.ts): carried out in order, all or none. Such a transaction holds nothing else, and
// but for adds nothing but one operation, so there is little to take back: adds, newest first.
//
// An operation on an index or element that is not there fails with NOT_FOUND, as writes to missing elements do. Redo passes over it, keeps
// an index that is there already, and takes a key or element that is there for added: the end is that of the log, because
// whatever comes after what a checkpoint saw comes again.

import { elementKind, KIND_NONE } from '../graph/elements';
import { valueBytes } from '../graph/rows';
import { indexClear, indexCreate, indexDrop, indexFind } from '../index/catalogue';
import { vectorsEnd } from '../index/follow';
import { kindAdd, kindAdded, kindBefore, kindFollows, kindRemove, kindRemoveKey, kindTakes, kindUndo } from '../index/kinds';
import { INDEX_KIND, INDEX_SINGLE, INDEX_VECTOR } from '../index/layout';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { retireAdvance } from '../memory/retire';
import { BAD_TRANSACTION, NO_MEMORY, NOT_FOUND, OK } from '../status';
import {
  OP_INDEX_ADD, OP_INDEX_CLEAR, OP_INDEX_CREATE, OP_INDEX_DROP, OP_INDEX_REMOVE_KEY, OPERATION_BYTES, OPERATION_ELEMENT, OPERATION_KIND,
  OPERATION_NAME, OPERATION_TEXT, OPERATION_TYPE, TX_OPERATION_COUNT, TX_OPERATIONS,
} from './format';
import { stringBytes, stringText } from './templates';
import { writerFail } from './writer';

/** Adds between two looks at what readers have let go of: blocks that were replaced must not pile up. */
const ADDS_AT_ONCE: u32 = 128;

// What undoes an add (scratch): the entry before it, then these words.
const UNDO_INDEX: usize = 4;
const UNDO_ELEMENT: usize = UNDO_INDEX + 4;
const UNDO_ADDED: usize = UNDO_ELEMENT + 4;
const UNDO_BEFORE: usize = UNDO_ADDED + 4;
const UNDO_BYTES: usize = UNDO_BEFORE + 8;
let newest: usize = 0;
/** Adds and removals of the last transaction whose key no index of that kind can hold. */
let unused: u32 = 0;

/** [W] How many adds of the last index transaction an index passed over because it cannot hold such a key. */
export function indexUnused(): u32 {
  return unused;
}

/** Carries out the operations of an index transaction that validate.ts has passed. */
export function indexOperate(state: usize, transaction: usize, redo: bool): i32 {
  const count = load<u32>(transaction, TX_OPERATION_COUNT);
  let at = transaction + <usize>load<u32>(transaction, TX_OPERATIONS);
  newest = 0;
  unused = 0;
  let name: u32 = NONE;
  let index: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const operation = load<u32>(at);
    const string = load<u32>(at, OPERATION_NAME);
    if (string != name) {
      name = string;
      index = indexFind(state, stringText(name), stringBytes(name));
    }
    let code = OK;
    if (operation == OP_INDEX_ADD) code = add(state, index, at, i, redo);
    else code = one(state, index, at, operation, redo);
    if (code != OK) {
      undo();
      return code;
    }
    at += OPERATION_BYTES;
    if (operation == OP_INDEX_ADD) at += valueBytes(load<u32>(at - OPERATION_BYTES, OPERATION_TYPE), at);
    if (i % ADDS_AT_ONCE == ADDS_AT_ONCE - 1) retireAdvance();
  }
  vectorsEnd(state, true);
  return OK;
}

function missing(index: u32, element: u32): i32 {
  writerFail(index, element);
  return NOT_FOUND;
}

function add(state: usize, index: usize, at: usize, i: u32, redo: bool): i32 {
  const element = load<u32>(at, OPERATION_ELEMENT);
  const type = load<u32>(at, OPERATION_TYPE);
  if (index == 0 || elementKind(state, element) == KIND_NONE) {
    if (!redo) return missing(i, index == 0 ? NONE : element);
    // The element went later; that it took the place of another one stays true.
    if (index != 0 && load<u32>(index, INDEX_KIND) == INDEX_SINGLE) kindRemoveKey(index, type, at + OPERATION_BYTES);
    return OK;
  }
  if (!kindTakes(index, type)) {
    unused++;
    return OK;
  }
  const entry = scratchAllocate(UNDO_BYTES);
  if (entry == 0) return NO_MEMORY;
  const code = kindAdd(index, element, type, at + OPERATION_BYTES);
  if (code != OK || kindAdded() == 0) return code;
  store<u32>(entry, <u32>newest);
  store<u32>(entry, <u32>index, UNDO_INDEX);
  store<u32>(entry, element, UNDO_ELEMENT);
  store<u32>(entry, <u32>kindAdded(), UNDO_ADDED);
  store<u32>(entry, kindBefore(), UNDO_BEFORE);
  newest = entry;
  return OK;
}

function undo(): void {
  for (let entry = newest; entry != 0; entry = <usize>load<u32>(entry)) {
    const index = <usize>load<u32>(entry, UNDO_INDEX);
    kindUndo(index, load<u32>(entry, UNDO_ELEMENT), <usize>load<u32>(entry, UNDO_ADDED), load<u32>(entry, UNDO_BEFORE));
  }
  newest = 0;
}

/** An operation that stands alone in its transaction. */
function one(state: usize, index: usize, at: usize, operation: u32, redo: bool): i32 {
  if (operation == OP_INDEX_CREATE) {
    if (index != 0) return redo ? OK : BAD_TRANSACTION;
    const name = load<u32>(at, OPERATION_NAME);
    const definition = load<u32>(at, OPERATION_TEXT);
    const text: usize = definition == NONE ? 0 : stringText(definition);
    const bytes: u32 = definition == NONE ? 0 : stringBytes(definition);
    return indexCreate(state, load<u32>(at, OPERATION_KIND), stringText(name), stringBytes(name), text, bytes, redo);
  }
  if (index == 0) return redo ? OK : missing(0, NONE);
  if (operation == OP_INDEX_DROP) return indexDrop(state, index);
  if (operation == OP_INDEX_CLEAR) return indexClear(state, index);
  if (operation == OP_INDEX_REMOVE_KEY) {
    const type = load<u32>(at, OPERATION_TYPE);
    if (kindTakes(index, type)) kindRemoveKey(index, type, at + OPERATION_BYTES);
    return OK;
  }
  const element = load<u32>(at, OPERATION_ELEMENT);
  if (elementKind(state, element) == KIND_NONE) return redo ? OK : missing(0, element);
  if (!kindFollows(index)) kindRemove(index, element);
  return OK;
}

/** True for the operations of this file. */
// @ts-ignore: decorator
@inline
export function isIndexOperation(operation: u32): bool {
  return operation >= OP_INDEX_CREATE && operation <= OP_INDEX_CLEAR;
}

/**
 * Bytes of the index operation at `at`, of which the first 16 lie within the buffer; 0 when it is none of ours. `count`: operations of the
 * transaction; `value`: bytes of the checked value behind it (an add or a key's removal), 0 when there is none.
 */
export function indexOperationBytes(at: usize, count: u32, strings: u32, value: usize): usize {
  const operation = load<u32>(at);
  if (load<u32>(at, OPERATION_NAME) >= strings) return 0;
  if (operation == OP_INDEX_ADD) return value == 0 ? 0 : OPERATION_BYTES + value;
  if (count != 1) return 0;
  if (operation == OP_INDEX_REMOVE_KEY) return value == 0 ? 0 : OPERATION_BYTES + value;
  if (operation == OP_INDEX_CREATE) {
    const kind = load<u32>(at, OPERATION_KIND);
    const definition = load<u32>(at, OPERATION_TEXT);
    if (kind == 0 || kind > INDEX_VECTOR || (definition != NONE && definition >= strings)) return 0;
  }
  return OPERATION_BYTES;
}
