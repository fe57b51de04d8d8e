// Indexes follow the transaction that changes the graph. The graph lists the elements it touches (graph/touched.ts); when all operations
// have succeeded, each bound vector index is brought to what the listed elements carry then, which may still fail for want of memory. At
// commit, when nothing can fail any more, removed elements leave every index and what changed in vector indexes becomes visible. A
// transaction that fails leaves all of them as they were. Without indexes nothing is listed.

import { KIND_NONE, kindAddress } from '../graph/elements';
import { pageAddress, stateIndexes } from '../graph/state';
import { touchedBegin, touchedRemoved, touchedWatch, touchedWritten } from '../graph/touched';
import { NONE } from '../memory/layout';
import { runItems, runItemsEnd, runNext } from '../memory/runs';
import { catalogueCount, catalogueIndex } from './catalogue';
import { kindRemove } from './kinds';
import { INDEX_KIND, INDEX_VECTOR } from './layout';
import { vectorProject } from './vector-index';
import { vectorKeyOf } from './vector-rows';
import { vectorCommit, vectorUndo } from './vector-slab';

let hasVectors: bool = false;

/** At the start of a transaction. False = no memory. */
export function followBegin(state: usize): bool {
  const catalogue = stateIndexes(state);
  const count = catalogueCount(state);
  hasVectors = false;
  let bound: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    if (load<u32>(index, INDEX_KIND) != INDEX_VECTOR) continue;
    hasVectors = true;
    bound += u32(vectorKeyOf(index) != NONE);
  }
  if (!touchedBegin(count != 0, bound)) return false;
  if (bound == 0) return true;
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    if (isBound(index)) touchedWatch(vectorKeyOf(index));
  }
  return true;
}

// @ts-ignore: decorator
@inline
function isBound(index: usize): bool {
  return load<u32>(index, INDEX_KIND) == INDEX_VECTOR && vectorKeyOf(index) != NONE;
}

/** Brings the bound indexes to the elements written once all operations have succeeded. False = no memory: undo. */
export function followApply(state: usize): bool {
  if (touchedWritten() == 0) return true;
  const catalogue = stateIndexes(state);
  const count = load<u32>(catalogue);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    if (!isBound(index)) continue;
    for (let run = touchedWritten(); run != 0; run = runNext(run)) {
      const end = runItemsEnd(run);
      for (let at = runItems(run); at < end; at += 4) {
        const id = load<u32>(at);
        const live = load<u8>(kindAddress(pageAddress(state, id), id)) != <u8>KIND_NONE;
        if (!vectorProject(state, index, id, live)) return false;
      }
    }
  }
  return true;
}

/** At commit: takes the removed elements out of all indexes, then makes visible what changed in those of vectors. Cannot fail. */
export function followCommit(state: usize): void {
  const catalogue = stateIndexes(state);
  const count: u32 = touchedRemoved() == 0 ? 0 : catalogueCount(state);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    for (let run = touchedRemoved(); run != 0; run = runNext(run)) {
      const end = runItemsEnd(run);
      for (let at = runItems(run); at < end; at += 4) {
        const id = load<u32>(at);
        // A redo may have created it again.
        if (load<u8>(kindAddress(pageAddress(state, id), id)) == <u8>KIND_NONE) kindRemove(index, id);
      }
    }
  }
  if (hasVectors) vectorsEnd(state, true);
}

/** A failed transaction: vector indexes are as before. */
export function followUndo(state: usize): void {
  if (hasVectors) vectorsEnd(state, false);
}

/** Commits or takes back what was changed in any vector index. */
export function vectorsEnd(state: usize, keep: bool): void {
  const all = stateIndexes(state);
  const count = catalogueCount(state);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(all, i);
    if (load<u32>(index, INDEX_KIND) != INDEX_VECTOR) continue;
    if (keep) vectorCommit(index);
    else vectorUndo(index);
  }
}
