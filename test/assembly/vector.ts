// Exports of the vector tests: the index without its catalogue, over a real graph.

import { internInit } from '../../assembly/graph/intern';
import { graphCreate } from '../../assembly/graph/state';
import { indexAt, indexCount, indexOf, indexWord } from '../../assembly/index/catalogue';
import { INDEX_BYTES, INDEX_HEAP } from '../../assembly/index/layout';
import { companionScored } from '../../assembly/index/vector-companion';
import { SLAB_CAPACITY, VECTOR_NEXT, VECTOR_NEXT_ROWS, vectorCount, vectorRowBytes, vectorSlab } from '../../assembly/index/vector-rows';
import { vectorNorm, vectorScore } from '../../assembly/index/vector-score';
import {
  vectorSearch, vectorSearchPart, vectorSnapshot, vectorSnapshotRows, vectorSnapshotVersion,
} from '../../assembly/index/vector-search';
import {
  vectorCommit, vectorCompanionFrom, vectorFind, vectorRemove, vectorSet, vectorSetUp, vectorSuccessorFrom, vectorUndo,
} from '../../assembly/index/vector-slab';
import { allocate, heapCreate, memoryBytes, memoryInit, pagesUsed, release } from '../../assembly/memory/allocator';
import { arenaAttachReader, arenaAttachWriter, arenaNeed, inputEnsure, outBase, outUsed } from '../../assembly/memory/arena';
import { NONE, PURPOSE_INDEXES, ROOT_FAIL_AFTER } from '../../assembly/memory/layout';
import {
  readerAttach, readerDetach, readerEnter, readerExit, retireAdvance, retireHeap, retireReserve,
} from '../../assembly/memory/retire';
import { nextId } from '../../assembly/read/reads';
import { applyTransaction } from '../../assembly/transaction/apply';
import { imageAdds, imageBase, imageBytes, imageNext, indexDefinition, indexImage } from '../../assembly/transaction/index-image';

export {
  allocate,
  applyTransaction,
  arenaAttachReader,
  arenaNeed,
  companionScored,
  graphCreate,
  imageAdds,
  imageBase,
  imageBytes,
  imageNext,
  indexAt,
  indexCount,
  indexDefinition,
  indexImage,
  indexOf,
  indexWord,
  inputEnsure,
  memoryBytes,
  nextId,
  outBase,
  outUsed,
  pagesUsed,
  readerAttach,
  readerDetach,
  readerEnter,
  readerExit,
  release,
  retireAdvance,
  vectorCommit,
  vectorCompanionFrom,
  vectorCount,
  vectorFind,
  vectorNorm,
  vectorRemove,
  vectorRowBytes,
  vectorScore,
  vectorSearch,
  vectorSearchPart,
  vectorSet,
  vectorSnapshot,
  vectorSnapshotRows,
  vectorSnapshotVersion,
  vectorSuccessorFrom,
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

/** An index in a heap of its own, in no catalogue. */
export function indexCreate(metric: u32, dimension: u32): usize {
  const heap = heapCreate();
  if (heap == 0) return 0;
  const index = allocate(heap, PURPOSE_INDEXES, INDEX_BYTES);
  if (index == 0) return 0;
  memory.fill(index, 0, INDEX_BYTES);
  store<u32>(index, heap, INDEX_HEAP);
  vectorSetUp(index, metric, dimension, NONE);
  return index;
}

export function indexDrop(index: usize): bool {
  if (!retireReserve(1)) return false;
  retireHeap(load<u32>(index, INDEX_HEAP));
  return true;
}

/** Rows the slab has room for. */
export function indexCapacity(index: usize): u32 {
  const slab = vectorSlab(index);
  return slab == 0 ? 0 : load<u32>(slab, SLAB_CAPACITY);
}

/** Rows that the successor of the slab holds, NONE = there is no successor. */
export function indexCopied(index: usize): u32 {
  return load<u32>(index, VECTOR_NEXT) == 0 ? NONE : load<u32>(index, VECTOR_NEXT_ROWS);
}

export function indexBytes(): f64 {
  return memoryBytes(PURPOSE_INDEXES);
}
