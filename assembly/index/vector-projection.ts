// Bound vector indexes follow the embeddings of elements within the transaction that writes them. While it runs, elements that are
// created, or whose embedding property is written, are noted; when all operations have succeeded, each bound index is brought to what
// these elements carry then, which may still fail for want of memory; and with the commit it becomes visible. Without a bound index
// nothing is noted. Removed elements are purge.ts's affair.

import { kindAddress } from '../graph/elements';
import { KIND_NONE } from '../graph/format';
import { pageAddress, stateIndexes } from '../graph/state';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { catalogueCount, catalogueIndex } from './catalogue';
import { INDEX_KIND, INDEX_VECTOR } from './layout';
import { vectorProject } from './vector-index';
import { vectorCommit, vectorKeyOf, vectorUndo } from './vector-slab';

// A run of noted ids (scratch): { u32 previous run, u32 ids in it, ids }
const RUN_HEADER: usize = 8;
const RUN_IDS: u32 = 1022;

let run: usize = 0;
let bound: u32 = 0;
let vectors: bool = false;
let catalogue: usize = 0;

/** At the start of a transaction. */
export function projectionBegin(state: usize): void {
  run = 0;
  bound = 0;
  vectors = false;
  catalogue = stateIndexes(state);
  const count = catalogueCount(state);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    if (load<u32>(index, INDEX_KIND) != INDEX_VECTOR) continue;
    vectors = true;
    if (vectorKeyOf(index) != NONE) bound++;
  }
}

/** Notes a created element. False = no memory. */
// @ts-ignore: decorator
@inline
export function projectionNote(id: u32): bool {
  return bound == 0 || note(id);
}

/** Notes an element one of whose properties is written. False = no memory. */
// @ts-ignore: decorator
@inline
export function projectionNoteKey(id: u32, key: u32): bool {
  return bound == 0 || !isBound(key) || note(id);
}

function isBound(key: u32): bool {
  const count = load<u32>(catalogue);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    if (load<u32>(index, INDEX_KIND) == INDEX_VECTOR && vectorKeyOf(index) == key) return true;
  }
  return false;
}

function note(id: u32): bool {
  if (run == 0 || load<u32>(run, 4) == RUN_IDS) {
    const made = scratchAllocate(RUN_HEADER + ((<usize>RUN_IDS) << 2));
    if (made == 0) return false;
    store<u32>(made, <u32>run);
    store<u32>(made, 0, 4);
    run = made;
  }
  const used = load<u32>(run, 4);
  store<u32>(run + RUN_HEADER + ((<usize>used) << 2), id);
  store<u32>(run, used + 1, 4);
  return true;
}

/** Brings the bound indexes to the noted elements once all operations have succeeded. False = no memory: undo. */
export function projectionApply(state: usize): bool {
  if (run == 0) return true;
  const count = load<u32>(catalogue);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    if (load<u32>(index, INDEX_KIND) != INDEX_VECTOR || vectorKeyOf(index) == NONE) continue;
    for (let at = run; at != 0; at = <usize>load<u32>(at)) {
      const ids = load<u32>(at, 4);
      for (let k: u32 = 0; k < ids; k++) {
        const id = load<u32>(at + RUN_HEADER + ((<usize>k) << 2));
        const live = load<u8>(kindAddress(pageAddress(state, id), id)) != <u8>KIND_NONE;
        if (!vectorProject(state, index, id, live)) return false;
      }
    }
  }
  return true;
}

/** At commit, after removed elements were purged: what changed in vector indexes becomes visible. */
export function projectionCommit(state: usize): void {
  if (vectors) vectorsEnd(state, true);
}

/** A failed transaction: vector indexes are as before. */
export function projectionUndo(state: usize): void {
  if (vectors) vectorsEnd(state, false);
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
