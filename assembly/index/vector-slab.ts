// The contents of a vector index: rows of single-precision components in one slab, their elements, and when they ceased to count.
//
//   index (layout.ts)          its own words are VECTOR_… below; `VECTOR_SLAB` is what readers start from
//   slab                       u64 committed, atomic: rows below (low word) and version (high word); then the words SLAB_…
//     rows      capacity x row bytes, 64-aligned: the components, zeros up to a multiple of 16
//     ids       capacity x u32 element
//     deaths    capacity x u32: the version from which on the row does not count, ALIVE while it does
//     norms     capacity x f32: vectorNorm of the row
//     the 8-bit companion, when the slab is large enough to have one (vector-companion.ts)
//   table (writer only)        the row of each element that has one (vector-table.ts)
//
// A row never changes once it is committed. Replacing a vector appends a row and dates the old one's death; so a reader that
// loads the committed word once sees exactly the rows of that commit (below the count, death later than the version), however long
// it takes, and several threads that are handed the same word see the same. What a transaction did before its commit nobody
// sees, and undoing it forgets the rows at the end and makes the dead of its version alive again.
//
// A full slab that has a successor (vector-successor.ts) is followed by it. Another is rebuilt without its dead: twice as large if more
// than half of it lives, else as large as before; one whose capacity exceeds four times the living shrinks to twice that; and one with
// more dead than half the living is rebuilt as it is.
// Readers of the old slab finish on it. Knows nothing of elements but their ids.

import { reserveNow } from '../graph/running';
import { allocate, release } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_INDEXES } from '../memory/layout';
import { blockRetire, blocksHidden } from './blocks';
import { INDEX_HEAP, INDEX_KEYS, INDEX_VALUES } from './layout';
import { companionRow } from './vector-companion-rows';
import {
  ALIVE, isKept, rowElement, rowsCopy, rowsKept, SLAB_CAPACITY, SLAB_COMMITTED, SLAB_COMPANION, SLAB_DEATHS, SLAB_IDS, SLAB_NORMS,
  SLAB_ROWS, slabAllocate, slabCommitted, slabFits, slabWord, VECTOR_CHANGED, VECTOR_COMPANION_FROM, VECTOR_DIMENSION, VECTOR_KEY,
  VECTOR_LIVE, VECTOR_LIVE_COMMITTED, VECTOR_METRIC, VECTOR_NEXT, VECTOR_NEXT_FROM, VECTOR_ROW_BYTES, VECTOR_SLAB, VECTOR_TABLE,
  VECTOR_TABLE_SLOTS, VECTOR_USED, vectorDimension, vectorRowBytes, vectorSlab,
} from './vector-rows';
import { vectorNorm } from './vector-score';
import {
  SUCCESSOR_FROM, successorDrop, successorFollow, successorRowDies, successorTake, successorUndo, successorYield,
} from './vector-successor';
import { tableDelete, tableFill, tableFind, tablePut, tableSlots } from './vector-table';

const FIRST_CAPACITY: u32 = 16;
/** Below this many dead rows nothing is tidied. */
const FEW_DEAD: u32 = 64;
/**
 * Rows of fewer bytes together are scanned faster than a companion would save.
 * Measured (benchmarks/vectors, 4-core EPYC, 071343c): time of a query without → with one, 1 → 1.2 at 128 KB,
 * 0.8 (128 components) to 1.1 (768) at 0.5 to 0.8 MB, 0.8 at 3 MB, 0.4 at 12 MB, 0.3 once the rows leave every cache.
 */
const COMPANION_FROM: u32 = 1 << 20;
/** Versions are counted anew at the next rebuild after this one. */
const LAST_VERSION: u32 = 0xfffffff0;

const CHECK_COMMITTED: u32 = 2101;

// --- Writer --------------------------------------------------------------------------------------------------------------

/** Makes an index whose own words are zeros an empty one over vectors of `dimension` components. `key`: see VECTOR_KEY. */
export function vectorSetUp(index: usize, metric: u32, dimension: u32, key: u32): void {
  store<u32>(index, metric, VECTOR_METRIC);
  store<u32>(index, dimension, VECTOR_DIMENSION);
  store<u32>(index, ((dimension + 15) & ~15) << 2, VECTOR_ROW_BYTES);
  store<u32>(index, COMPANION_FROM, VECTOR_COMPANION_FROM);
  store<u32>(index, key, VECTOR_KEY);
  store<u32>(index, SUCCESSOR_FROM, VECTOR_NEXT_FROM);
}

/** [W] Test hook: slabs of at least `bytes` of rows get a companion from the next rebuild on; NONE: none does. */
export function vectorCompanionFrom(index: usize, bytes: u32): void {
  store<u32>(index, bytes, VECTOR_COMPANION_FROM);
}

/** [W] Test hook: slabs of at least `bytes` of rows get a successor ahead of time; NONE: none does. */
export function vectorSuccessorFrom(index: usize, bytes: u32): void {
  store<u32>(index, bytes, VECTOR_NEXT_FROM);
}

/**
 * Makes `vector` (the index's dimension, any address) the element's one vector, visible from the next commit on. False: no memory, and
 * nothing changed.
 */
export function vectorSet(index: usize, element: u32, vector: usize): bool {
  let slab = vectorSlab(index);
  const used = load<u32>(index, VECTOR_USED);
  if (slab == 0 || used == load<u32>(slab, SLAB_CAPACITY)) {
    if (!makeRoom(index)) return false;
    slab = vectorSlab(index);
  }
  const row = load<u32>(index, VECTOR_USED);
  const old = rowOf(index, slab, element);
  if (old != NONE) rowDie(index, slab, old);
  const rowBytes = vectorRowBytes(index);
  const dimension = vectorDimension(index);
  const at = slabWord(slab, SLAB_ROWS) + <usize>row * rowBytes;
  memory.copy(at, vector, <usize>dimension << 2);
  memory.fill(at + (<usize>dimension << 2), 0, rowBytes - (<usize>dimension << 2));
  store<u32>(slabWord(slab, SLAB_IDS) + (<usize>row << 2), element);
  store<u32>(slabWord(slab, SLAB_DEATHS) + (<usize>row << 2), ALIVE);
  store<f32>(slabWord(slab, SLAB_NORMS) + (<usize>row << 2), vectorNorm(at, dimension));
  const companion = slabWord(slab, SLAB_COMPANION);
  if (companion != 0) companionRow(companion, load<u32>(slab, SLAB_CAPACITY), dimension, row, at);
  tablePut(slabWord(index, VECTOR_TABLE), load<u32>(index, VECTOR_TABLE_SLOTS), slab, element, row);
  store<u32>(index, row + 1, VECTOR_USED);
  store<u32>(index, load<u32>(index, VECTOR_LIVE) + 1, VECTOR_LIVE);
  store<u32>(index, 1, VECTOR_CHANGED);
  return true;
}

/** Takes the element out, from the next commit on. False: it is not in. Needs no memory. */
export function vectorRemove(index: usize, element: u32): bool {
  const slab = vectorSlab(index);
  if (slab == 0) return false;
  const row = rowOf(index, slab, element);
  if (row == NONE) return false;
  rowDie(index, slab, row);
  tableDelete(slabWord(index, VECTOR_TABLE), load<u32>(index, VECTOR_TABLE_SLOTS), slab, row);
  store<u32>(index, 1, VECTOR_CHANGED);
  return true;
}

/** Writer: address of the element's current row, 0 = it is not in. */
export function vectorFind(index: usize, element: u32): usize {
  const slab = vectorSlab(index);
  if (slab == 0) return 0;
  const row = rowOf(index, slab, element);
  return row == NONE ? 0 : slabWord(slab, SLAB_ROWS) + <usize>row * vectorRowBytes(index);
}

/** Writer: rows to walk with `vectorRowElement`, running transaction included. */
export function vectorRows(index: usize): u32 {
  return load<u32>(index, VECTOR_USED);
}

/** Writer: the element of a row that is alive, NONE for one that is not. */
export function vectorRowElement(index: usize, row: u32): u32 {
  const slab = vectorSlab(index);
  return load<u32>(slabWord(slab, SLAB_DEATHS) + (<usize>row << 2)) == ALIVE ? rowElement(slab, row) : NONE;
}

/** Makes what was changed visible to readers. Tidies when it pays and memory allows. */
export function vectorCommit(index: usize): void {
  const slab = vectorSlab(index);
  successorYield(index);
  if (slab == 0 || load<u32>(index, VECTOR_CHANGED) == 0) return;
  const used = load<u32>(index, VECTOR_USED);
  const live = load<u32>(index, VECTOR_LIVE);
  const version = <u32>(slabCommitted(slab) >> 32) + 1;
  store<u32>(index, live, VECTOR_LIVE_COMMITTED);
  store<u32>(index, live, INDEX_KEYS);
  store<u32>(index, live, INDEX_VALUES);
  store<u32>(index, 0, VECTOR_CHANGED);
  atomic.store<u64>(slab + SLAB_COMMITTED, (<u64>version << 32) | <u64>used);
  const capacity = load<u32>(slab, SLAB_CAPACITY);
  if (capacity > FIRST_CAPACITY && capacity / 4 > live) rebuild(index, max<u32>(FIRST_CAPACITY, live * 2));
  else if (used - live > FEW_DEAD + (live >> 1) || version >= LAST_VERSION) rebuild(index, capacity);
  else successorFollow(index, used);
}

/** Takes back everything since the last commit. */
export function vectorUndo(index: usize): void {
  const slab = vectorSlab(index);
  if (slab == 0 || load<u32>(index, VECTOR_CHANGED) == 0) return;
  const committed = slabCommitted(slab);
  const used = <u32>committed;
  const version = <u32>(committed >> 32) + 1;
  const deaths = slabWord(slab, SLAB_DEATHS);
  for (let row: u32 = 0; row < used; row++) {
    const at = deaths + (<usize>row << 2);
    if (load<u32>(at) == version) store<u32>(at, ALIVE);
  }
  store<u32>(index, used, VECTOR_USED);
  store<u32>(index, load<u32>(index, VECTOR_LIVE_COMMITTED), VECTOR_LIVE);
  store<u32>(index, 0, VECTOR_CHANGED);
  tableFill(slabWord(index, VECTOR_TABLE), load<u32>(index, VECTOR_TABLE_SLOTS), slab, used);
  successorUndo(index);
}

/** The element's row, NONE = it has none. */
// @ts-ignore: decorator
@inline
function rowOf(index: usize, slab: usize, element: u32): u32 {
  return tableFind(slabWord(index, VECTOR_TABLE), load<u32>(index, VECTOR_TABLE_SLOTS), slab, element);
}

/** Dates the death of a row for the running transaction. */
// @ts-ignore: decorator
@inline
function rowDie(index: usize, slab: usize, row: u32): void {
  successorRowDies(index, row);
  const version = <u32>(slabCommitted(slab) >> 32) + 1;
  store<u32>(slabWord(slab, SLAB_DEATHS) + (<usize>row << 2), version);
  store<u32>(index, load<u32>(index, VECTOR_LIVE) - 1, VECTOR_LIVE);
}

// --- Slabs ---------------------------------------------------------------------------------------------------------------

/** Room for one more row. */
function makeRoom(index: usize): bool {
  const slab = vectorSlab(index);
  if (slab == 0) return rebuild(index, FIRST_CAPACITY);
  const capacity = load<u32>(slab, SLAB_CAPACITY);
  if (rowsKept(index, slab) <= capacity / 2) return rebuild(index, capacity);
  if (load<u32>(index, VECTOR_NEXT) != 0) return succeed(index);
  // A slab that cannot double still grows while an eighth more fits.
  return rebuild(index, capacity * 2) || rebuild(index, capacity + (capacity >> 3) + 1);
}

/** The successor takes the slab's place, with the same rows under the same numbers. False: no memory, and nothing changed. */
function succeed(index: usize): bool {
  if (!blocksHidden() && !reserveNow(1)) return false;
  const old = vectorSlab(index);
  atomic.store<u32>(index + VECTOR_SLAB, <u32>successorTake(index));
  blockRetire(old);
  return true;
}

/**
 * Puts the rows that count for somebody now or after the running transaction into a slab of `capacity` rows, in their order. False: no
 * memory or still no room for one more, and nothing changed.
 */
function rebuild(index: usize, capacity: u32): bool {
  const old = vectorSlab(index);
  if (!slabFits(index, capacity)) return false;
  successorDrop(index);
  const kept: u32 = old == 0 ? 0 : rowsKept(index, old);
  if (kept >= capacity || (!blocksHidden() && !reserveNow(1))) return false;
  let table: usize = 0;
  let slots = load<u32>(index, VECTOR_TABLE_SLOTS);
  if (slots < capacity * 2 || slots > capacity * 8) {
    slots = tableSlots(capacity);
    table = allocate(load<u32>(index, INDEX_HEAP), PURPOSE_INDEXES, <usize>slots << 2);
    if (table == 0) return false;
  }
  const slab = slabAllocate(index, capacity);
  if (slab == 0) {
    if (table != 0) release(PURPOSE_INDEXES, table);
    return false;
  }
  if (old != 0) slabCopy(index, old, slab);
  if (table != 0) {
    const oldTable = slabWord(index, VECTOR_TABLE);
    if (oldTable != 0) release(PURPOSE_INDEXES, oldTable);
    store<u32>(index, <u32>table, VECTOR_TABLE);
    store<u32>(index, slots, VECTOR_TABLE_SLOTS);
  }
  store<u32>(index, kept, VECTOR_USED);
  tableFill(slabWord(index, VECTOR_TABLE), load<u32>(index, VECTOR_TABLE_SLOTS), slab, kept);
  atomic.store<u32>(index + VECTOR_SLAB, <u32>slab);
  if (old != 0) blockRetire(old);
  return true;
}

function slabCopy(index: usize, old: usize, slab: usize): void {
  const used = load<u32>(index, VECTOR_USED);
  const committed = slabCommitted(old);
  const below = <u32>committed;
  const version = <u32>(committed >> 32);
  // Without dead of its own the copy may count its versions from 1 again.
  const restart = version >= LAST_VERSION && load<u32>(index, VECTOR_CHANGED) == 0;
  const oldDeaths = slabWord(old, SLAB_DEATHS);
  let to: u32 = 0;
  let visible: u32 = 0;
  let row: u32 = 0;
  while (row < used) {
    if (!isKept(oldDeaths, row, committed)) {
      row++;
      continue;
    }
    let end = row + 1;
    while (end < used && end != below && isKept(oldDeaths, end, committed)) end++;
    const count = end - row;
    rowsCopy(index, old, slab, row, to, count);
    to += count;
    if (row < below) visible = to;
    row = end;
  }
  check(visible <= to, CHECK_COMMITTED);
  atomic.store<u64>(slab + SLAB_COMMITTED, (<u64>(restart ? 1 : version) << 32) | <u64>visible);
}

