// Exports of the vector tests: the index without its catalogue, over a real graph.

import { allocate, memoryBytes, memoryInit, pagesUsed, release } from '../../assembly/memory/allocator';
import { arenaAttachReader, arenaAttachWriter, arenaNeed, inputEnsure, outBase, outUsed } from '../../assembly/memory/arena';
import { PURPOSE_INDEXES, ROOT_FAIL_AFTER } from '../../assembly/memory/layout';
import { readerAttach, readerEnter, readerExit, retireAdvance, retireReserve } from '../../assembly/memory/retire';
import { applyTransaction } from '../../assembly/graph/apply';
import { internInit } from '../../assembly/graph/intern';
import { graphCreate, graphState, stateHeap } from '../../assembly/graph/state';
import { companionScored } from '../../assembly/index/vector-companion';
import { vectorScore, vectorNorm } from '../../assembly/index/vector-score';
import { vectorSearch, vectorSnapshot, vectorSnapshotRows, vectorSnapshotVersion } from '../../assembly/index/vector-search';
import {
  SLAB_CAPACITY,
  VECTOR_DROP_RETIRES,
  vectorClear,
  vectorCommit,
  vectorCompanionFrom,
  vectorCount,
  vectorCreate,
  vectorDrop,
  vectorFind,
  vectorRemove,
  vectorRowBytes,
  vectorSet,
  vectorSlab,
  vectorUndo,
} from '../../assembly/index/vector-slab';

export {
  allocate,
  applyTransaction,
  arenaAttachReader,
  arenaNeed,
  companionScored,
  graphCreate,
  inputEnsure,
  memoryBytes,
  outBase,
  outUsed,
  pagesUsed,
  readerAttach,
  readerEnter,
  readerExit,
  release,
  retireAdvance,
  vectorClear,
  vectorCommit,
  vectorCompanionFrom,
  vectorCount,
  vectorFind,
  vectorNorm,
  vectorRemove,
  vectorRowBytes,
  vectorScore,
  vectorSearch,
  vectorSet,
  vectorSnapshot,
  vectorSnapshotRows,
  vectorSnapshotVersion,
  vectorUndo,
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

/** An index in the graph's heap. */
export function indexCreate(graph: usize, metric: u32, dimension: u32): usize {
  return vectorCreate(stateHeap(graphState(graph)), metric, dimension);
}

export function indexDrop(index: usize): bool {
  if (!retireReserve(VECTOR_DROP_RETIRES)) return false;
  vectorDrop(index);
  return true;
}

/** Rows the slab has room for. */
export function indexCapacity(index: usize): u32 {
  const slab = vectorSlab(index);
  return slab == 0 ? 0 : load<u32>(slab, SLAB_CAPACITY);
}

export function indexBytes(): f64 {
  return memoryBytes(PURPOSE_INDEXES);
}
