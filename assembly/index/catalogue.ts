// The indexes of a graph: finding, creating, deleting and clearing them, and what happens to all of them when the graph is erased,
// trimmed or dropped. What is in an index is its kind's affair (kinds.ts). See layout.ts for how it lies in memory.
//
// An index is complete before it is published and stays readable until the last reader has left. Whatever fails here has changed
// nothing. Functions marked [W] run on the writer; the others on any thread between readerEnter and readerExit.

import { graphState, stateHeap, stateIndexes, stateSetIndexes } from '../graph/state';
import { allocate, heapBytes, heapCreate, heapDrop, heapsFree, release } from '../memory/allocator';
import { PURPOSE_INDEXES } from '../memory/layout';
import { retire, retireHeap, retireReserve } from '../memory/retire';
import { NO_MEMORY, OK } from '../status';
import { equalBytes } from '../values/utf8';
import { blocksHide } from './blocks';
import { kindCopy, kindCreate, kindFill } from './kinds';
import {
  CATALOGUE_HEADER, CATALOGUE_ZERO, INDEX_BYTES, INDEX_DEFINITION, INDEX_HEAP, INDEX_KEYS, INDEX_KIND, INDEX_NAME, INDEX_REGEX,
  INDEX_VALUES, TEXT_HEADER, TEXT_ZERO,
} from './layout';
import { textBytes } from './trigrams';

/** Number of indexes. */
export function catalogueCount(state: usize): u32 {
  const catalogue = stateIndexes(state);
  return catalogue == 0 ? 0 : load<u32>(catalogue);
}

// @ts-ignore: decorator
@inline
function entryOf(catalogue: usize, position: u32): usize {
  return catalogue + CATALOGUE_HEADER + ((<usize>position) << 2);
}

/** Address of index `position`, in the order of creation. [W], or with a catalogue loaded once. */
// @ts-ignore: decorator
@inline
export function catalogueIndex(catalogue: usize, position: u32): usize {
  return <usize>load<u32>(entryOf(catalogue, position));
}

/** The index of that name, 0 if there is none. */
export function indexFind(state: usize, name: usize, bytes: u32): usize {
  const catalogue = stateIndexes(state);
  const count: u32 = catalogue == 0 ? 0 : load<u32>(catalogue);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    const text: usize = load<u32>(index, INDEX_NAME);
    if (load<u32>(text) == bytes && equalBytes(text + TEXT_HEADER, name, bytes)) return index;
  }
  return 0;
}

// --- Changing the catalogue [W] -------------------------------------------------------------------------------------------------

/** A new index in a heap of its own, not published; 0 = no memory, or what its kind says against the definition (indexRefusal). */
function indexMake(kind: u32, name: usize, nameBytes: u32, definition: usize, definitionBytes: u32): usize {
  refusal = NO_MEMORY;
  const heap = heapCreate();
  if (heap == 0) return 0;
  const index = allocate(heap, PURPOSE_INDEXES, INDEX_BYTES);
  const nameText: usize = index == 0 ? 0 : textMake(heap, name, nameBytes);
  const definitionText: usize = nameText == 0 || definition == 0 ? 0 : textMake(heap, definition, definitionBytes);
  if (nameText == 0 || (definition != 0 && definitionText == 0)) {
    heapDrop(heap);
    return 0;
  }
  memory.fill(index, 0, INDEX_BYTES);
  store<u32>(index, kind, INDEX_KIND);
  store<u32>(index, heap, INDEX_HEAP);
  store<u32>(index, <u32>nameText, INDEX_NAME);
  store<u32>(index, <u32>definitionText, INDEX_DEFINITION);
  refusal = kindCreate(index);
  if (refusal == OK) return index;
  heapDrop(heap);
  return 0;
}

let refusal: i32 = 0;

function textMake(heap: u32, text: usize, bytes: u32): usize {
  const copy = allocate(heap, PURPOSE_INDEXES, TEXT_HEADER + <usize>bytes);
  if (copy == 0) return 0;
  store<u32>(copy, bytes);
  store<u32>(copy, 0, TEXT_ZERO);
  memory.copy(copy + TEXT_HEADER, text, bytes);
  return copy;
}

/** A catalogue with room for `count` indexes, not published; 0 = no memory. */
function catalogueMake(state: usize, count: u32): usize {
  const catalogue = allocate(stateHeap(state), PURPOSE_INDEXES, CATALOGUE_HEADER + ((<usize>count) << 2));
  if (catalogue == 0) return 0;
  store<u32>(catalogue, count);
  store<u32>(catalogue, 0, CATALOGUE_ZERO);
  return catalogue;
}

function cataloguePublish(state: usize, catalogue: usize): void {
  const old = stateIndexes(state);
  stateSetIndexes(state, catalogue);
  if (old != 0) retire(PURPOSE_INDEXES, old);
}

/** Heaps that indexes leave to graphs, projections and threads that load. */
const HEAPS_SPARE: u32 = 128;

/**
 * Creates an index whose name is free. OK, NO_MEMORY, or what its kind says against the definition. Beyond redo, which repeats what was
 * possible once, heaps for a trim of all indexes stay free: a graph must not become one that cannot be trimmed or erased.
 */
export function indexCreate(
  state: usize,
  kind: u32,
  name: usize,
  nameBytes: u32,
  definition: usize,
  definitionBytes: u32,
  redo: bool,
): i32 {
  if (!retireReserve(1)) return NO_MEMORY;
  const count = catalogueCount(state);
  if (!redo && heapsFree() < count + HEAPS_SPARE) return NO_MEMORY;
  const catalogue = catalogueMake(state, count + 1);
  if (catalogue == 0) return NO_MEMORY;
  const index = indexMake(kind, name, nameBytes, definition, definitionBytes);
  if (index == 0) {
    release(PURPOSE_INDEXES, catalogue);
    return refusal;
  }
  if (!kindFill(state, index)) return indexAbandon(index, catalogue);
  if (count != 0) memory.copy(entryOf(catalogue, 0), entryOf(stateIndexes(state), 0), (<usize>count) << 2);
  store<u32>(entryOf(catalogue, count), <u32>index);
  cataloguePublish(state, catalogue);
  return OK;
}

/** Gives back an index and a catalogue that were not published. */
function indexAbandon(index: usize, catalogue: usize): i32 {
  heapDrop(load<u32>(index, INDEX_HEAP));
  release(PURPOSE_INDEXES, catalogue);
  return NO_MEMORY;
}

function positionOf(catalogue: usize, index: usize): u32 {
  let position: u32 = 0;
  while (catalogueIndex(catalogue, position) != index) position++;
  return position;
}

/** Deletes an index of this state. OK or NO_MEMORY. */
export function indexDrop(state: usize, index: usize): i32 {
  if (!retireReserve(2)) return NO_MEMORY;
  const old = stateIndexes(state);
  const count = load<u32>(old) - 1;
  const position = positionOf(old, index);
  let catalogue: usize = 0;
  if (count != 0) {
    catalogue = catalogueMake(state, count);
    if (catalogue == 0) return NO_MEMORY;
    memory.copy(entryOf(catalogue, 0), entryOf(old, 0), (<usize>position) << 2);
    memory.copy(entryOf(catalogue, position), entryOf(old, position + 1), (<usize>(count - position)) << 2);
  }
  cataloguePublish(state, catalogue);
  retireHeap(load<u32>(index, INDEX_HEAP));
  return OK;
}

/** Puts an empty index with the same name, kind and definition in the place of this one. OK or NO_MEMORY. */
export function indexClear(state: usize, index: usize): i32 {
  if (!retireReserve(2)) return NO_MEMORY;
  const old = stateIndexes(state);
  const count = load<u32>(old);
  const catalogue = catalogueMake(state, count);
  if (catalogue == 0) return NO_MEMORY;
  const fresh = indexLike(index);
  if (fresh == 0) {
    release(PURPOSE_INDEXES, catalogue);
    return NO_MEMORY;
  }
  if (!kindFill(state, fresh)) return indexAbandon(fresh, catalogue);
  memory.copy(entryOf(catalogue, 0), entryOf(old, 0), (<usize>count) << 2);
  store<u32>(entryOf(catalogue, positionOf(old, index)), <u32>fresh);
  cataloguePublish(state, catalogue);
  retireHeap(load<u32>(index, INDEX_HEAP));
  return OK;
}

/** An empty index with the name, kind and definition of another one, not published; 0 = no memory. */
function indexLike(index: usize): usize {
  const name: usize = load<u32>(index, INDEX_NAME);
  const definition: usize = load<u32>(index, INDEX_DEFINITION);
  return indexMake(
    load<u32>(index, INDEX_KIND),
    name + TEXT_HEADER,
    load<u32>(name),
    definition == 0 ? 0 : definition + TEXT_HEADER,
    definition == 0 ? 0 : load<u32>(definition),
  );
}

// --- Erase, trim, drop [W] --------------------------------------------------------------------------------------------------------

/** How many retire entries `catalogueRetire` takes. */
export function catalogueRetires(state: usize): u32 {
  return catalogueCount(state);
}

/** Retires all indexes of a state that has been replaced or dropped; its own heap goes with the state. */
export function catalogueRetire(state: usize): void {
  const catalogue = stateIndexes(state);
  const count = catalogueCount(state);
  for (let i: u32 = 0; i < count; i++) retireHeap(load<u32>(catalogueIndex(catalogue, i), INDEX_HEAP));
}

/** Gives back the indexes of a state that was never published; its own heap is the caller's affair. */
export function catalogueDrop(state: usize): void {
  const catalogue = stateIndexes(state);
  const count = catalogueCount(state);
  for (let i: u32 = 0; i < count; i++) heapDrop(load<u32>(catalogueIndex(catalogue, i), INDEX_HEAP));
}

/**
 * Gives `fresh`, the trimmed copy of `state`, copies of all indexes with the new ids (trimRank). False = no memory; then it has none of
 * them.
 */
export function catalogueTrim(state: usize, fresh: usize): bool {
  const count = catalogueCount(state);
  if (count == 0) return true;
  const from = stateIndexes(state);
  const catalogue = catalogueMake(fresh, count);
  if (catalogue == 0) return false;
  blocksHide(true);
  let made: u32 = 0;
  let good = true;
  while (good && made < count) {
    const index = catalogueIndex(from, made);
    const copy = indexLike(index);
    good = copy != 0;
    if (good) {
      store<u32>(entryOf(catalogue, made), <u32>copy);
      made++;
      good = kindCopy(fresh, index, copy);
    }
  }
  blocksHide(false);
  if (good) stateSetIndexes(fresh, catalogue);
  else for (let i: u32 = 0; i < made; i++) heapDrop(load<u32>(catalogueIndex(catalogue, i), INDEX_HEAP));
  return good;
}

// --- The inventory, for the host -----------------------------------------------------------------------------------------------------

/** Number of indexes of a graph. */
export function indexCount(graph: usize): u32 {
  return catalogueCount(graphState(graph));
}

/** Address of index `position` of a graph, 0 beyond the last: good until the next change, or while a reader is announced. */
export function indexAt(graph: usize, position: u32): usize {
  const catalogue = stateIndexes(graphState(graph));
  return catalogue == 0 || position >= load<u32>(catalogue) ? 0 : catalogueIndex(catalogue, position);
}

/** Address of the index of that name, 0 if there is none; as good as indexAt's. */
export function indexOf(graph: usize, name: usize, nameBytes: u32): usize {
  return indexFind(graphState(graph), name, nameBytes);
}

/** Word of an index: 0 kind, 1 keys, 2 values, 3 name, 4 its bytes, 5 definition, 6 its bytes, 7 bytes of a RegExIndex's texts. */
export function indexWord(index: usize, word: u32): u32 {
  if (word == 0) return load<u32>(index, INDEX_KIND);
  if (word == 1) return load<u32>(index, INDEX_KEYS);
  if (word == 2) return load<u32>(index, INDEX_VALUES);
  if (word == 7) return load<u32>(index, INDEX_KIND) == INDEX_REGEX ? textBytes(index) : 0;
  const text: usize = load<u32>(index + (word < 5 ? INDEX_NAME : INDEX_DEFINITION));
  if (text == 0) return 0;
  return (word & 1) != 0 ? <u32>(text + TEXT_HEADER) : load<u32>(text);
}

/** Bytes of the blocks of an index. */
export function indexBytes(index: usize): usize {
  return heapBytes(load<u32>(index, INDEX_HEAP), PURPOSE_INDEXES);
}
