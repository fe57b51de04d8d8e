// Extraction: some elements of a graph as a new graph in the same memory, with ids of its own: vertices first, then edges, each in the
// order of their old ids. Everything is copied, so that either graph may change or go without the other.
//
// The writer copies in slices and does other work in between; nobody sees the new graph before it is complete. An element that goes
// meanwhile is left out, and an edge whose vertex was left out with it. Renumbering the source ends the matter: the host looks out for it.
// What was requested comes as bits by id; which vertices were copied is kept as ranks (ranks.ts), so a vertex's new id is its rank.
// Both lie in the new graph's heap. Adjacency is made afterwards by checkpoint/link.ts, as that of a loaded graph is. One extraction at a
// time.

import { allocate, release } from '../memory/allocator';
import { PURPOSE_SCRATCH } from '../memory/layout';
import { retireReserve } from '../memory/retire';
import { NO_MEMORY, OK, TOO_MANY_IDS } from '../status';
import { COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_LABEL, COLUMN_ROW, columnWord, KIND_EDGE, KIND_VERTEX, kindAddress } from './elements';
import { rankIn, ranksAdd, ranksBytes, ranksHas, ranksOpen } from './ranks';
import { REGION_TABLE_BYTES } from './regions';
import { rowCopy, rowCopyBegin } from './row-copy';
import {
  GRAPH_RETIRES, graphCreate, graphRetire, graphState, MAX_IDS, PAGE_ID_MASK, pageAddress, stateAddPage, stateHeap, stateNextId,
  stateSetNextId,
} from './state';

let source: usize = 0;
let graph: usize = 0;
let ids: u32 = 0;
/** Bits of the elements requested; 0 = all. */
let requested: usize = 0;
let ranks: usize = 0;
let copied: u32 = 0;

/**
 * [W] Begins with an empty graph for elements of `from` below `idCount`: those whose bit is set in the bits at `bits` (whole 64-bit words,
 * copied), or all (0). Answers its handle, 0 = no memory.
 */
export function extractBegin(from: usize, idCount: u32, bits: usize): usize {
  source = from;
  ids = min<u32>(idCount, stateNextId(graphState(from)));
  copied = 0;
  requested = 0;
  graph = graphCreate();
  if (graph == 0) return 0;
  const heap = stateHeap(graphState(graph));
  const bytes = ((<usize>idCount + 63) >> 6) << 3;
  const rankBytes = ranksBytes(ids);
  ranks = allocate(heap, PURPOSE_SCRATCH, rankBytes);
  if (ranks != 0 && bits != 0) {
    requested = allocate(heap, PURPOSE_SCRATCH, bytes + 8);
    if (requested != 0) memory.copy(requested, bits, bytes);
  }
  if (ranks != 0 && (bits == 0 || requested != 0)) {
    memory.fill(ranks, 0, rankBytes);
    return graph;
  }
  if (retireReserve(GRAPH_RETIRES)) graphRetire(graph);
  return 0;
}

// @ts-ignore: decorator
@inline
function isRequested(id: u32): bool {
  return requested == 0 || ((<u32>load<u8>(requested + <usize>(id >> 3)) >> (id & 7)) & 1) != 0;
}

/** [W] Copies the vertices among the ids in [fromId, toId), both multiples of 512. In ascending order, all of them before the edges. */
export function extractVertices(fromId: u32, toId: u32): i32 {
  const state = graphState(source);
  const fresh = graphState(graph);
  rowCopyBegin();
  for (let id = fromId; id < min<u32>(toId, ids); id++) {
    ranksOpen(ranks, id, copied);
    if (!isRequested(id)) continue;
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    const code = elementCopy(fresh, page, id, KIND_VERTEX, 0, 0);
    if (code != OK) return code;
    ranksAdd(ranks, id);
  }
  stateSetNextId(fresh, copied);
  return OK;
}

/** [W] Copies the edges among the ids in [fromId, toId) whose vertices were both copied. In ascending order. */
export function extractEdges(fromId: u32, toId: u32): i32 {
  const state = graphState(source);
  const fresh = graphState(graph);
  rowCopyBegin();
  for (let id = fromId; id < min<u32>(toId, ids); id++) {
    if (!isRequested(id)) continue;
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_EDGE) continue;
    const words = columnWord(page, id);
    const from = load<u32>(words, COLUMN_A);
    const to = load<u32>(words, COLUMN_B);
    if (from >= ids || to >= ids || !ranksHas(ranks, from) || !ranksHas(ranks, to)) continue;
    const code = elementCopy(fresh, page, id, KIND_EDGE, rankIn(ranks, from), rankIn(ranks, to));
    if (code != OK) return code;
  }
  stateSetNextId(fresh, copied);
  return OK;
}

function elementCopy(fresh: usize, oldPage: usize, old: u32, kind: u32, a: u32, b: u32): i32 {
  const id = copied;
  if (id >= MAX_IDS) return TOO_MANY_IDS;
  if ((id & PAGE_ID_MASK) == 0 && !stateAddPage(fresh, id, REGION_TABLE_BYTES)) return NO_MEMORY;
  const page = pageAddress(fresh, id);
  const from = columnWord(oldPage, old);
  const to = columnWord(page, id);
  let row: usize = load<u32>(from, COLUMN_ROW);
  if (row != 0) {
    row = rowCopy(fresh, row);
    if (row == 0) return NO_MEMORY;
  }
  // Label, creation and modification.
  for (let i: usize = 0; i < 3; i++) store<u32>(to + COLUMN_LABEL + (i << 18), load<u32>(from + COLUMN_LABEL + (i << 18)));
  store<u32>(to, <u32>row, COLUMN_ROW);
  store<u32>(to, a, COLUMN_A);
  store<u32>(to, b, COLUMN_B);
  store<u32>(to, kind == KIND_EDGE ? load<u32>(from, COLUMN_C) : 0, COLUMN_C);
  store<u8>(kindAddress(page, id), <u8>kind);
  copied = id + 1;
  return OK;
}

/** [W] All elements are copied: gives back what only copying took. Answers how many there are. */
export function extractEnd(): u32 {
  release(PURPOSE_SCRATCH, ranks);
  if (requested != 0) release(PURPOSE_SCRATCH, requested);
  ranks = 0;
  requested = 0;
  return copied;
}
