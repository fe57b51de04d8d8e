// A graph: its header, its state block and its directory of element pages.
//
//   graph header (system heap, 8 bytes)   u32 state address (atomic), u32 zero
//   state block (the graph's own heap)    heap, page directory, counts, shape table; the constants below
//   page directory                        capacity x { u32 page address, u32 region table address }, one entry for 65,536 ids
//
// A graph handle is the address of its header. An operation loads the state once (`graphState`) and keeps it: erase and trim
// build a new state in a new heap, publish it with one store and retire the old heap, so whoever holds the old state goes on
// reading the old graph. Within one state a page never moves; the directory grows by copy, publish, retire.
// Elements of a running transaction stand at ids >= the published next id and are no elements for readers.
// Knows the allocator and the retire list; nothing of what stands in a page.

import { allocate, heapCreate, heapDrop, release } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_ELEMENTS, PURPOSE_SYSTEM, ROOT_GRAPHS } from '../memory/layout';
import { retire, retireHeap, retireReserve } from '../memory/retire';

const STATE_HEAP: usize = 0;
const STATE_DIRECTORY: usize = 4; // atomic
const STATE_DIRECTORY_CAPACITY: usize = 8;
const STATE_NEXT_ID: usize = 12; // atomic
const STATE_VERTEX_COUNT: usize = 16;
const STATE_EDGE_COUNT: usize = 20;
const STATE_VERSION: usize = 24;
/** Shape hash table, writer only: address (0 = none yet), bucket count, shapes in it. shapes.ts owns these three words. */
export const STATE_SHAPE_BUCKETS: usize = 28;
export const STATE_SHAPE_BUCKET_COUNT: usize = 32;
export const STATE_SHAPE_COUNT: usize = 36;
/** A group without pairs: what a directory entry points to after its group emptied (adjacency.ts). */
const STATE_EMPTY_GROUP: usize = 40;
/** Address of the catalogue of indexes (index/catalogue.ts), 0 = none; atomic. */
const STATE_INDEXES: usize = STATE_EMPTY_GROUP + 16;
/** Number of the state among all that this memory ever had: an address is used again, a number is not. */
const STATE_NUMBER: usize = STATE_INDEXES + 4;
const STATE_BYTES: usize = STATE_INDEXES + 8;

const GRAPH_ZERO: usize = 4;
const GRAPH_HEADER_BYTES: usize = 8;
/** Retire entries of a graph that is given back. */
export const GRAPH_RETIRES: u32 = 2;
/** Of an entry of the page directory, behind the page: address of its region table. */
const ENTRY_REGIONS: usize = 4;
const DIRECTORY_ENTRY_BYTES: usize = 8;
const DIRECTORY_FIRST_CAPACITY: u32 = 8;

/** Ids in one page. */
export const PAGE_IDS: u32 = 65536;
export const PAGE_ID_SHIFT: u32 = 16;
export const PAGE_ID_MASK: u32 = 65535;
/** One id takes 29 bytes of columns, so a page of ids takes exactly 29 memory pages. */
export const ELEMENT_PAGE_BYTES: usize = 29 * 65536;

/** Ids are int32 in the contract: the id counter never goes beyond this count. */
export const MAX_IDS: u32 = 0x7fffffff;

// --- Any thread --------------------------------------------------------------------------------------------------------

/** The graph's current state: load once an operation, after readerEnter. */
// @ts-ignore: decorator
@inline
export function graphState(graph: usize): usize {
  return <usize>atomic.load<u32>(graph);
}

/** One more than the highest id a committed transaction assigned. */
// @ts-ignore: decorator
@inline
export function stateNextId(state: usize): u32 {
  return atomic.load<u32>(state, STATE_NEXT_ID);
}

/** What tells the state from all others, also from a later one at its address. */
// @ts-ignore: decorator
@inline
export function stateNumber(state: usize): u32 {
  return load<u32>(state, STATE_NUMBER);
}

/** Whether the graph still has the state of that address and number. An announced reader may then go on with it. */
// @ts-ignore: decorator
@inline
export function stateStands(graph: usize, state: usize, number: u32): bool {
  return graphState(graph) == state && stateNumber(state) == number;
}

/** Live vertices. */
// @ts-ignore: decorator
@inline
export function stateVertexCount(state: usize): u32 {
  return load<u32>(state, STATE_VERTEX_COUNT);
}

/** Live edges. */
// @ts-ignore: decorator
@inline
export function stateEdgeCount(state: usize): u32 {
  return load<u32>(state, STATE_EDGE_COUNT);
}

/** Goes up by one with each committed transaction; wraps. Equal versions of one graph mean equal contents. */
// @ts-ignore: decorator
@inline
export function stateVersion(state: usize): u32 {
  return load<u32>(state, STATE_VERSION);
}

/** The heap the graph's contents live in. */
// @ts-ignore: decorator
@inline
export function stateHeap(state: usize): u32 {
  return load<u32>(state, STATE_HEAP);
}

/** Address of the catalogue of the graph's indexes, 0 when it has none. */
// @ts-ignore: decorator
@inline
export function stateIndexes(state: usize): usize {
  return <usize>atomic.load<u32>(state, STATE_INDEXES);
}

/** The page directory as it is now; it grows by copy, and its entries stay as they are. */
// @ts-ignore: decorator
@inline
export function stateDirectory(state: usize): usize {
  return atomic.load<u32>(state, STATE_DIRECTORY);
}

/** Address of the page that holds `id`; `id` must be below the next id (or just be written by the writer). */
// @ts-ignore: decorator
@inline
export function pageAddress(state: usize, id: u32): usize {
  return pageIn(stateDirectory(state), id);
}

/** `pageAddress` in the directory of a graph that gets no page meanwhile. */
// @ts-ignore: decorator
@inline
export function pageIn(directory: usize, id: u32): usize {
  return <usize>load<u32>(directory + <usize>(id >> PAGE_ID_SHIFT) * DIRECTORY_ENTRY_BYTES);
}

// --- Writer ------------------------------------------------------------------------------------------------------------

/** Address of the region table of the page that holds `id` (regions.ts). */
// @ts-ignore: decorator
@inline
export function regionTable(state: usize, id: u32): usize {
  const directory: usize = load<u32>(state, STATE_DIRECTORY);
  return <usize>load<u32>(directory + <usize>(id >> PAGE_ID_SHIFT) * DIRECTORY_ENTRY_BYTES, ENTRY_REGIONS);
}

/** The group without pairs and of no type that stands in for emptied ones. */
// @ts-ignore: decorator
@inline
export function emptyGroup(state: usize): usize {
  return state + STATE_EMPTY_GROUP;
}

/** A new empty graph; 0 when memory or heaps run out. */
export function graphCreate(): usize {
  const graph = allocate(0, PURPOSE_SYSTEM, GRAPH_HEADER_BYTES);
  if (graph == 0) return 0;
  const state = stateCreate();
  if (state == 0) {
    release(PURPOSE_SYSTEM, graph);
    return 0;
  }
  store<u32>(graph, 0, GRAPH_ZERO);
  atomic.store<u32>(graph, <u32>state);
  store<u32>(ROOT_GRAPHS, load<u32>(ROOT_GRAPHS) + 1);
  return graph;
}

/** Gives a graph back once no reader holds it. The caller has reserved GRAPH_RETIRES entries; the graph's indexes are its affair. */
export function graphRetire(graph: usize): void {
  retireHeap(stateHeap(graphState(graph)));
  retire(PURPOSE_SYSTEM, graph);
  store<u32>(ROOT_GRAPHS, load<u32>(ROOT_GRAPHS) - 1);
}

/** States made so far. */
let states: u32 = 0;

/** An empty state in a heap of its own, not published; 0 when it does not fit. `heapDrop(stateHeap(state))` takes it back. */
export function stateCreate(): usize {
  const heap = heapCreate();
  if (heap == 0) return 0;
  const state = allocate(heap, PURPOSE_ELEMENTS, STATE_BYTES);
  const directory: usize = state == 0 ? 0 : directoryCreate(heap, DIRECTORY_FIRST_CAPACITY);
  if (directory == 0) {
    heapDrop(heap);
    return 0;
  }
  memory.fill(state, 0, STATE_BYTES);
  store<u32>(state, heap, STATE_HEAP);
  store<u32>(state, <u32>directory, STATE_DIRECTORY);
  store<u32>(state, DIRECTORY_FIRST_CAPACITY, STATE_DIRECTORY_CAPACITY);
  store<u32>(state, NONE, STATE_EMPTY_GROUP);
  store<u32>(state, ++states, STATE_NUMBER);
  return state;
}

/** Replaces the graph's state and retires the old one's heap. The caller has reserved an entry; the old indexes are its affair. */
export function statePublish(graph: usize, state: usize): void {
  const old = graphState(graph);
  store<u32>(state, stateVersion(old) + 1, STATE_VERSION);
  atomic.store<u32>(graph, <u32>state);
  retireHeap(stateHeap(old));
}

// @ts-ignore: decorator
@inline
export function stateSetIndexes(state: usize, catalogue: usize): void {
  atomic.store<u32>(state, <u32>catalogue, STATE_INDEXES);
}

// @ts-ignore: decorator
@inline
export function stateSetNextId(state: usize, nextId: u32): void {
  atomic.store<u32>(state, nextId, STATE_NEXT_ID);
}

export function stateSetCounts(state: usize, vertices: u32, edges: u32): void {
  store<u32>(state, vertices, STATE_VERTEX_COUNT);
  store<u32>(state, edges, STATE_EDGE_COUNT);
}

export function stateBumpVersion(state: usize): void {
  store<u32>(state, stateVersion(state) + 1, STATE_VERSION);
}

/** Makes sure the page of `id` exists, where every page before it does. False: no memory, nothing changed. */
export function stateAddPage(state: usize, id: u32, regionTableBytes: usize): bool {
  const index = id >> PAGE_ID_SHIFT;
  if (index >= load<u32>(state, STATE_DIRECTORY_CAPACITY) && !directoryGrow(state)) return false;
  const entry = <usize>load<u32>(state, STATE_DIRECTORY) + <usize>index * DIRECTORY_ENTRY_BYTES;
  if (load<u32>(entry) != 0) return true;
  const heap = stateHeap(state);
  const page = allocate(heap, PURPOSE_ELEMENTS, ELEMENT_PAGE_BYTES);
  if (page == 0) return false;
  const regions = allocate(heap, PURPOSE_ELEMENTS, regionTableBytes);
  if (regions == 0) {
    release(PURPOSE_ELEMENTS, page);
    return false;
  }
  memory.fill(regions, 0, regionTableBytes);
  store<u32>(entry, <u32>regions, ENTRY_REGIONS);
  atomic.store<u32>(entry, <u32>page);
  return true;
}

/** Takes the pages from number `count` on out of the directory and retires them. Two entries a page have been reserved. */
export function stateDropPages(state: usize, count: u32): void {
  const directory: usize = load<u32>(state, STATE_DIRECTORY);
  const capacity = load<u32>(state, STATE_DIRECTORY_CAPACITY);
  for (let index = count; index < capacity; index++) {
    const entry = directory + <usize>index * DIRECTORY_ENTRY_BYTES;
    const page = load<u32>(entry);
    if (page == 0) return;
    retire(PURPOSE_ELEMENTS, page);
    retire(PURPOSE_ELEMENTS, load<u32>(entry, ENTRY_REGIONS));
    store<u64>(entry, 0);
  }
}

function directoryCreate(heap: u32, capacity: u32): usize {
  const bytes = <usize>capacity * DIRECTORY_ENTRY_BYTES;
  const directory = allocate(heap, PURPOSE_ELEMENTS, bytes);
  if (directory != 0) memory.fill(directory, 0, bytes);
  return directory;
}

function directoryGrow(state: usize): bool {
  const capacity = load<u32>(state, STATE_DIRECTORY_CAPACITY);
  check(capacity < 32768, 2001);
  const directory = directoryCreate(stateHeap(state), capacity * 2);
  if (directory == 0) return false;
  if (!retireReserve(1)) {
    release(PURPOSE_ELEMENTS, directory);
    return false;
  }
  const old: usize = load<u32>(state, STATE_DIRECTORY);
  memory.copy(directory, old, <usize>capacity * DIRECTORY_ENTRY_BYTES);
  atomic.store<u32>(state, <u32>directory, STATE_DIRECTORY);
  store<u32>(state, capacity * 2, STATE_DIRECTORY_CAPACITY);
  retire(PURPOSE_ELEMENTS, old);
  return true;
}
