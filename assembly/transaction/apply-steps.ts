// Applying a large transaction in steps, between which others may read. It is applyTransaction (apply.ts) of a transaction that is not a
// redo, left in the middle: between two steps readers see part of it, as readers of other threads do anyway, and find its new elements
// only when all of it is valid. Nobody else may change the graph meanwhile: whoever is about to takes the remaining steps first.
//
// The transaction has scratch blocks of its own, and what it retires stays until its end, as do the entries that it has promised itself
// room for (memory/retire.ts). Its changes go to OUTPUT, which others use as well: the host takes those of each step before anything else.
//
// Not cut up: one operation (the removal of a vertex with all its edges, the property writes of one element), what indexes make of the
// transaction, and undo.

import { keepsTidy } from '../graph/keeps';
import { graphState } from '../graph/state';
import { followApply, followCommit } from '../index/follow';
import { scratchFork, scratchJoin, scratchSwap } from '../memory/arena';
import { NONE } from '../memory/layout';
import { retireAdvance, retireHold, retireSome } from '../memory/retire';
import { MORE, NO_MEMORY, OK } from '../status';
import { elementsBegin, elementsPublish, elementsUndo, firstOperation, operate } from './apply';
import { journalCommit } from './finish';
import { OP_DOCUMENT, OP_ERASE, OP_TRIM } from './format';
import { isIndexOperation } from './index-operations';
import { trimOvertaken } from './trim';
import { validateBegin, validateOperations } from './validate';
import { writerEnter, writerFail } from './writer';

const CHECKING: u32 = 0;
const OPERATING: u32 = 1;
const FOLLOWING: u32 = 2;
const GIVING_BACK: u32 = 3;
const FREEING: u32 = 4;

let graph: usize = 0;
let transaction: usize = 0;
let bytes: u32 = 0;
let wantsChanges: bool = false;
let phase: u32 = 0;

/**
 * Begins to apply the transaction, whose buffer stays where it is until the end. False: it is none of operations on elements, or there is
 * no memory; then nothing has happened. The other arguments are those of applyTransaction. [W]
 */
export function applyBegin(toGraph: usize, buffer: usize, length: u32, wantChanges: bool): bool {
  const operation = firstOperation(buffer);
  if (operation == OP_ERASE || operation == OP_TRIM || operation == OP_DOCUMENT || isIndexOperation(operation)) return false;
  if (!scratchFork()) return false;
  graph = toGraph;
  transaction = buffer;
  bytes = length;
  wantsChanges = wantChanges;
  phase = CHECKING;
  writerFail(NONE, NONE);
  writerEnter(graph);
  const code = validateBegin(graphState(graph), buffer, length, false);
  if (code != OK) {
    scratchJoin();
    return false;
  }
  leave();
  return true;
}

/** About `most` operations further. MORE, or what applyTransaction answers. [W] */
export function applyStep(most: u32): i32 {
  if (phase == FREEING) return retireSome(most) ? MORE : OK;
  scratchSwap();
  retireHold(false);
  const state = graphState(graph);
  const code = step(state, most);
  if (code == MORE) {
    leave();
    return MORE;
  }
  scratchJoin();
  keepsTidy();
  if (code == OK) {
    phase = FREEING;
    return MORE;
  }
  retireAdvance();
  return code;
}

function leave(): void {
  retireHold(true);
  scratchSwap();
}

function step(state: usize, most: u32): i32 {
  if (phase == CHECKING) {
    let code = validateOperations(state, transaction, bytes, false, most);
    if (code != OK) return code;
    trimOvertaken(state);
    code = elementsBegin(state, transaction, false, wantsChanges);
    if (code != OK) return undone(state, code);
    phase = OPERATING;
    return MORE;
  }
  if (phase == OPERATING) {
    const code = operate(state, transaction, false, most);
    if (code == MORE) return MORE;
    if (code != OK) return undone(state, code);
    phase = FOLLOWING;
    return MORE;
  }
  if (phase == FOLLOWING) {
    if (!followApply(state)) return undone(state, NO_MEMORY);
    elementsPublish(state, transaction);
    phase = GIVING_BACK;
    return MORE;
  }
  if (journalCommit(state, most)) return MORE;
  followCommit(state);
  return OK;
}

function undone(state: usize, code: i32): i32 {
  elementsUndo(state, false);
  return code;
}
