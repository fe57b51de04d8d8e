// Exports of the graph tests: the graph's own functions, and what a test needs to look at memory.

import {
  adjacencyFind, adjacencyGroup, adjacencyGroups, groupLive, groupPair, groupType, groupUsed, pairEdge, pairNeighbour,
} from '../../assembly/graph/adjacency';
import { elementA, elementB, elementKind, elementRow, KIND_NONE, KIND_VERTEX } from '../../assembly/graph/elements';
import { internAddress, internCount, internInit } from '../../assembly/graph/intern';
import { rowShape, rowSlot } from '../../assembly/graph/rows';
import { shapeCount, shapeType } from '../../assembly/graph/shapes';
import { graphCreate, graphState, stateNextId } from '../../assembly/graph/state';
import { graphVerify } from '../../assembly/graph/verify';
import { allocate, memoryBytes, memoryInit, memoryLimit, pagesUsed } from '../../assembly/memory/allocator';
import { arenaAttachWriter, inputEnsure, outBase, outBegin, outUsed } from '../../assembly/memory/arena';
import { NONE, ROOT_FAIL_AFTER } from '../../assembly/memory/layout';
import { readerAttach, readerEnter, readerExit, retireAdvance } from '../../assembly/memory/retire';
import { applyTransaction } from '../../assembly/transaction/apply';
import { applyBegin, applyStep } from '../../assembly/transaction/apply-steps';
import { transactionBase, transactionBytes } from '../../assembly/transaction/build-request';
import {
  generateBegin, generateChoose, generateCreated, generateDrop, generateNext, generateReserve, generateUnreserve,
} from '../../assembly/transaction/generate';
import { graphDrop } from '../../assembly/transaction/replace';
import { graphTrimBegin, graphTrimNeeded, trimDrop, trimStep } from '../../assembly/transaction/trim';
import { errorElement, errorRecord } from '../../assembly/transaction/writer';
import { TYPE_STRING } from '../../assembly/values/types';

export {
  allocate,
  applyBegin,
  applyStep,
  applyTransaction,
  errorElement,
  errorRecord,
  generateBegin,
  generateChoose,
  generateCreated,
  generateDrop,
  generateNext,
  generateReserve,
  generateUnreserve,
  graphCreate,
  graphDrop,
  graphState,
  graphTrimBegin,
  graphTrimNeeded,
  graphVerify,
  inputEnsure,
  internAddress,
  internCount,
  memoryBytes,
  memoryLimit,
  outBase,
  outBegin,
  outUsed,
  pagesUsed,
  readerAttach,
  readerEnter,
  readerExit,
  retireAdvance,
  transactionBase,
  transactionBytes,
  trimDrop,
  trimStep,
};

/** A memory with interned strings and the writer's buffers. */
export function start(pageLimit: u32): bool {
  memoryInit(pageLimit);
  return internInit() && arenaAttachWriter();
}

/** The n-th allocation from now fails; 0 = none. */
export function failAfter(n: u32): void {
  store<u32>(ROOT_FAIL_AFTER, n);
}

export function failLeft(): u32 {
  return load<u32>(ROOT_FAIL_AFTER);
}

/**
 * One reader's look at everything: for each vertex the pairs of both directions. Answers the number of things that no reader may
 * see: pairs out of order, a group of more live pairs than it shows, a neighbour that is no id, a row whose shape has no entries.
 * What is to be looked at is first gathered in `scratch` (3 words for each of `ids` ids), so that it has time to be freed.
 */
export function readAll(graph: usize, slot: i32, scratch: usize, ids: u32): u32 {
  readerEnter(slot);
  const state = graphState(graph);
  const next = min<u32>(stateNextId(state), ids);
  for (let id: u32 = 0; id < next; id++) {
    const kind = elementKind(state, id);
    const at = scratch + <usize>id * 12;
    store<u32>(at, kind == KIND_NONE ? 0 : <u32>elementRow(state, id));
    store<u32>(at, kind == KIND_VERTEX ? elementA(state, id) : 0, 4);
    store<u32>(at, kind == KIND_VERTEX ? elementB(state, id) : 0, 8);
  }
  let bad: u32 = 0;
  for (let id: u32 = 0; id < next; id++) {
    const at = scratch + <usize>id * 12;
    if (load<u32>(at) != 0) bad += badRow(<usize>load<u32>(at));
    bad += badWord(load<u32>(at, 4)) + badWord(load<u32>(at, 8));
  }
  readerExit(slot);
  return bad;
}

/** The tests' rows hold Int32 and ASCII strings of one repeated letter. */
function badRow(row: usize): u32 {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  if (count == 0 || count > 64) return 1;
  for (let i: u32 = 0; i < count; i++) {
    if (shapeType(shape, i) != TYPE_STRING) continue;
    const record: usize = load<u32>(rowSlot(row, i));
    const bytes = load<u32>(record);
    for (let at: u32 = 1; at < bytes; at++) {
      if (load<u8>(record + 8 + <usize>at) != load<u8>(record + 8)) return 1;
    }
  }
  return 0;
}

function badWord(word: u32): u32 {
  const groups = adjacencyGroups(word);
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    const used = groupUsed(group);
    for (let i: u32 = 0; i < used; i++) {
      const pair = groupPair(group, i);
      if (i != 0 && pairEdge(pair) < pairEdge(groupPair(group, i - 1))) return 1;
      const neighbour = pairNeighbour(pair);
      if (neighbour != NONE && neighbour >= 0x80000000) return 1;
    }
    if (used != 0 && adjacencyFind(word, groupType(group)) == 0 && groupLive(group) > used) return 1;
  }
  return 0;
}
