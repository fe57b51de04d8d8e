// The contents of a vector index: rows of single-precision components in one slab, their elements, and when they ceased to count.
//
//   index (layout.ts)          its own words are VECTOR_… below; `VECTOR_SLAB` is what readers start from
//   slab                       u64 committed, atomic: rows below (low word) and version (high word); then the words SLAB_…
//     rows      capacity x row bytes, 64-aligned: the components, zeros up to a multiple of 16
//     ids       capacity x u32 element
//     deaths    capacity x u32: the version from which on the row does not count, ALIVE while it does
//     norms     capacity x f32: vectorNorm of the row
//     the 8-bit companion, when the slab is large enough to have one (vector-companion.ts)
//   table (writer only)        u32 row + 1 by element: open addressing, linear probing
//
// A row never changes once it is committed. Replacing a vector appends a row and dates the old one's death; so a reader that
// loads the committed word once sees exactly the rows of that commit (below the count, death later than the version), however long
// it takes, and several threads that are handed the same word see the same. What a transaction did before its commit nobody
// sees, and undoing it forgets the rows at the end and makes the dead of its version alive again.
//
// A full slab is rebuilt without its dead: twice as large if more than half of it lives, else as large as before; one whose
// capacity exceeds four times the living shrinks to twice that; and one with more dead than half the living is rebuilt as it is.
// Readers of the old slab finish on it. Knows nothing of elements but their ids.

import { reserveNow } from '../graph/running';
import { allocate, release } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_INDEXES } from '../memory/layout';
import { blockRetire, blocksHidden } from './blocks';
import { INDEX_HEAP, INDEX_KEYS, INDEX_OWN, INDEX_VALUES } from './layout';
import { companionBytes, companionCopy, companionRow } from './vector-companion-rows';
import { vectorNorm } from './vector-score';

const VECTOR_SLAB: usize = INDEX_OWN; // atomic; 0 = never had a row
const VECTOR_METRIC: usize = VECTOR_SLAB + 4;
const VECTOR_DIMENSION: usize = VECTOR_METRIC + 4;
const VECTOR_ROW_BYTES: usize = VECTOR_DIMENSION + 4;
const VECTOR_TABLE: usize = VECTOR_ROW_BYTES + 4;
const VECTOR_TABLE_SLOTS: usize = VECTOR_TABLE + 4;
/** Rows that count, running transaction included. */
const VECTOR_LIVE: usize = VECTOR_TABLE_SLOTS + 4;
/** Rows in the slab, running transaction included. */
const VECTOR_USED: usize = VECTOR_LIVE + 4;
/** Rows that counted at the last commit. */
const VECTOR_LIVE_COMMITTED: usize = VECTOR_USED + 4;
/** 1 while a transaction has changed something. */
const VECTOR_CHANGED: usize = VECTOR_LIVE_COMMITTED + 4;
/** Smallest slab, in bytes of rows, that gets a companion. */
const VECTOR_COMPANION_FROM: usize = VECTOR_CHANGED + 4;
/** Intern id of the property the index projects, NONE = it is bound to no embedding. */
const VECTOR_KEY: usize = VECTOR_COMPANION_FROM + 4;

export const SLAB_COMMITTED: usize = 0; // u64, atomic
export const SLAB_CAPACITY: usize = 8;
export const SLAB_ROWS: usize = 12;
export const SLAB_IDS: usize = 16;
export const SLAB_DEATHS: usize = 20;
export const SLAB_NORMS: usize = 24;
/** Address of the companion, 0 = none. */
export const SLAB_COMPANION: usize = 28;
const SLAB_HEADER: usize = 32;
/** Rows begin with a line of the cache. */
const ROW_ALIGNMENT: usize = 64;

/** Death of a row that counts. */
export const ALIVE: u32 = 0xffffffff;

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

// --- Any thread ----------------------------------------------------------------------------------------------------------

/** The slab of now, 0 = no rows yet. Load it once, after readerEnter. */
// @ts-ignore: decorator
@inline
export function vectorSlab(index: usize): usize {
  return <usize>atomic.load<u32>(index + VECTOR_SLAB);
}

/** The commit of now: rows in the low word, version in the high one. Load it once. */
// @ts-ignore: decorator
@inline
export function slabCommitted(slab: usize): u64 {
  return atomic.load<u64>(slab + SLAB_COMMITTED);
}

// @ts-ignore: decorator
@inline
export function slabWord(slab: usize, offset: usize): usize {
  return <usize>load<u32>(slab + offset);
}

// @ts-ignore: decorator
@inline
export function vectorMetric(index: usize): u32 {
  return load<u32>(index, VECTOR_METRIC);
}

// @ts-ignore: decorator
@inline
export function vectorDimension(index: usize): u32 {
  return load<u32>(index, VECTOR_DIMENSION);
}

// @ts-ignore: decorator
@inline
export function vectorRowBytes(index: usize): usize {
  return <usize>load<u32>(index, VECTOR_ROW_BYTES);
}

/** Intern id of the property that the index projects, NONE = none. */
// @ts-ignore: decorator
@inline
export function vectorKeyOf(index: usize): u32 {
  return load<u32>(index, VECTOR_KEY);
}

/** Elements in the index: of the last commit, or of the running transaction when the writer asks. */
export function vectorCount(index: usize): u32 {
  return load<u32>(index, VECTOR_LIVE);
}

// --- Writer --------------------------------------------------------------------------------------------------------------

/** Makes an index whose own words are zeros an empty one over vectors of `dimension` components. `key`: see VECTOR_KEY. */
export function vectorSetUp(index: usize, metric: u32, dimension: u32, key: u32): void {
  store<u32>(index, metric, VECTOR_METRIC);
  store<u32>(index, dimension, VECTOR_DIMENSION);
  store<u32>(index, ((dimension + 15) & ~15) << 2, VECTOR_ROW_BYTES);
  store<u32>(index, COMPANION_FROM, VECTOR_COMPANION_FROM);
  store<u32>(index, key, VECTOR_KEY);
}

/** [W] Test hook: slabs of at least `bytes` of rows get a companion from the next rebuild on; NONE: none does. */
export function vectorCompanionFrom(index: usize, bytes: u32): void {
  store<u32>(index, bytes, VECTOR_COMPANION_FROM);
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
  const old = tableFind(index, slab, element);
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
  tablePut(index, slab, element, row);
  store<u32>(index, row + 1, VECTOR_USED);
  store<u32>(index, load<u32>(index, VECTOR_LIVE) + 1, VECTOR_LIVE);
  store<u32>(index, 1, VECTOR_CHANGED);
  return true;
}

/** Takes the element out, from the next commit on. False: it is not in. Needs no memory. */
export function vectorRemove(index: usize, element: u32): bool {
  const slab = vectorSlab(index);
  if (slab == 0) return false;
  const row = tableFind(index, slab, element);
  if (row == NONE) return false;
  rowDie(index, slab, row);
  tableDelete(index, slab, row);
  store<u32>(index, 1, VECTOR_CHANGED);
  return true;
}

/** Writer: address of the element's current row, 0 = it is not in. */
export function vectorFind(index: usize, element: u32): usize {
  const slab = vectorSlab(index);
  if (slab == 0) return 0;
  const row = tableFind(index, slab, element);
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
  tableFill(index, slab);
}

/** Dates the death of a row for the running transaction. */
// @ts-ignore: decorator
@inline
function rowDie(index: usize, slab: usize, row: u32): void {
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
  // A slab that cannot double still grows while an eighth more fits.
  return rebuild(index, capacity * 2) || rebuild(index, capacity + (capacity >> 3) + 1);
}

/**
 * Puts the rows that count for somebody now or after the running transaction into a slab of `capacity` rows, in their order. False: no
 * memory or still no room for one more, and nothing changed.
 */
function rebuild(index: usize, capacity: u32): bool {
  const old = vectorSlab(index);
  const rowBytes = vectorRowBytes(index);
  const bytes = <u64>capacity * <u64>rowBytes;
  if (bytes > 0xf0000000) return false;
  const kept: u32 = old == 0 ? 0 : rowsKept(index, old);
  if (kept >= capacity || (!blocksHidden() && !reserveNow(1))) return false;
  let table: usize = 0;
  let slots = load<u32>(index, VECTOR_TABLE_SLOTS);
  if (slots < capacity * 2 || slots > capacity * 8) {
    slots = 1 << (32 - clz<u32>(capacity * 2 - 1));
    table = allocate(load<u32>(index, INDEX_HEAP), PURPOSE_INDEXES, <usize>slots << 2);
    if (table == 0) return false;
  }
  const withCompanion = bytes >= <u64>load<u32>(index, VECTOR_COMPANION_FROM);
  let slab = slabAllocate(index, capacity, withCompanion);
  if (slab == 0 && withCompanion) slab = slabAllocate(index, capacity, false);
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
  tableFill(index, slab);
  atomic.store<u32>(index + VECTOR_SLAB, <u32>slab);
  if (old != 0) blockRetire(old);
  return true;
}

/** A slab without rows, not published; 0 = no memory. */
function slabAllocate(index: usize, capacity: u32, withCompanion: bool): usize {
  const words = <usize>((capacity + 3) & ~3) << 2;
  const rowsBytes = <usize>capacity * vectorRowBytes(index);
  const companion: usize = withCompanion ? companionBytes(capacity, vectorDimension(index)) : 0;
  // Columns of words are a multiple of 16 bytes, so that four of them load as one vector and loads behind the last stay inside.
  const total = <u64>(SLAB_HEADER + ROW_ALIGNMENT + 16) + <u64>rowsBytes + 3 * <u64>words + <u64>companion;
  if (total > 0xf8000000) return 0;
  const slab = allocate(load<u32>(index, INDEX_HEAP), PURPOSE_INDEXES, <usize>total);
  if (slab == 0) return 0;
  let at = (slab + SLAB_HEADER + ROW_ALIGNMENT - 1) & ~(ROW_ALIGNMENT - 1);
  store<u32>(slab, capacity, SLAB_CAPACITY);
  store<u32>(slab, <u32>at, SLAB_ROWS);
  at += rowsBytes;
  store<u32>(slab, <u32>at, SLAB_IDS);
  at += words;
  store<u32>(slab, <u32>at, SLAB_DEATHS);
  at += words;
  store<u32>(slab, <u32>at, SLAB_NORMS);
  at += words;
  store<u32>(slab, withCompanion ? <u32>at : 0, SLAB_COMPANION);
  atomic.store<u64>(slab + SLAB_COMMITTED, 0);
  return slab;
}

/** Whether a copy keeps the row: the living, and those of the last commit that only the running transaction killed. */
// @ts-ignore: decorator
@inline
function isKept(deaths: usize, row: u32, committed: u64): bool {
  const death = load<u32>(deaths + (<usize>row << 2));
  return death == ALIVE || (row < <u32>committed && death > <u32>(committed >> 32));
}

function rowsKept(index: usize, slab: usize): u32 {
  const used = load<u32>(index, VECTOR_USED);
  const committed = slabCommitted(slab);
  const deaths = slabWord(slab, SLAB_DEATHS);
  let kept: u32 = 0;
  for (let row: u32 = 0; row < used; row++) kept += u32(isKept(deaths, row, committed));
  return kept;
}

function slabCopy(index: usize, old: usize, slab: usize): void {
  const used = load<u32>(index, VECTOR_USED);
  const committed = slabCommitted(old);
  const below = <u32>committed;
  const version = <u32>(committed >> 32);
  // Without dead of its own the copy may count its versions from 1 again.
  const restart = version >= LAST_VERSION && load<u32>(index, VECTOR_CHANGED) == 0;
  const rowBytes = vectorRowBytes(index);
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
    memory.copy(
      slabWord(slab, SLAB_ROWS) + <usize>to * rowBytes,
      slabWord(old, SLAB_ROWS) + <usize>row * rowBytes,
      <usize>count * rowBytes,
    );
    wordsCopy(old, slab, SLAB_IDS, row, to, count);
    wordsCopy(old, slab, SLAB_DEATHS, row, to, count);
    wordsCopy(old, slab, SLAB_NORMS, row, to, count);
    companionsCopy(index, old, slab, row, to, count);
    to += count;
    if (row < below) visible = to;
    row = end;
  }
  check(visible <= to, CHECK_COMMITTED);
  atomic.store<u64>(slab + SLAB_COMMITTED, (<u64>(restart ? 1 : version) << 32) | <u64>visible);
}

function wordsCopy(old: usize, slab: usize, column: usize, from: u32, to: u32, count: u32): void {
  memory.copy(slabWord(slab, column) + (<usize>to << 2), slabWord(old, column) + (<usize>from << 2), <usize>count << 2);
}

/** The companions of copied rows: copied as well, or made when the old slab had none. */
function companionsCopy(index: usize, old: usize, slab: usize, from: u32, to: u32, count: u32): void {
  const companion = slabWord(slab, SLAB_COMPANION);
  if (companion == 0) return;
  const dimension = vectorDimension(index);
  const capacity = load<u32>(slab, SLAB_CAPACITY);
  const oldCompanion = slabWord(old, SLAB_COMPANION);
  if (oldCompanion != 0) {
    companionCopy(oldCompanion, load<u32>(old, SLAB_CAPACITY), from, companion, capacity, to, count, dimension);
    return;
  }
  const rowBytes = vectorRowBytes(index);
  for (let i: u32 = 0; i < count; i++) {
    companionRow(companion, capacity, dimension, to + i, slabWord(slab, SLAB_ROWS) + <usize>(to + i) * rowBytes);
  }
}

// --- The table -------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function slotOf(element: u32, mask: u32): u32 {
  const mixed = element * 0x9e3779b1;
  return (mixed ^ (mixed >> 15)) & mask;
}

// @ts-ignore: decorator
@inline
function rowElement(slab: usize, row: u32): u32 {
  return load<u32>(slabWord(slab, SLAB_IDS) + (<usize>row << 2));
}

function tableFind(index: usize, slab: usize, element: u32): u32 {
  const table = slabWord(index, VECTOR_TABLE);
  const mask = load<u32>(index, VECTOR_TABLE_SLOTS) - 1;
  let slot = slotOf(element, mask);
  while (true) {
    const word = load<u32>(table + (<usize>slot << 2));
    if (word == 0) return NONE;
    if (rowElement(slab, word - 1) == element) return word - 1;
    slot = (slot + 1) & mask;
  }
  return NONE;
}

/** Enters or replaces the row of an element. */
function tablePut(index: usize, slab: usize, element: u32, row: u32): void {
  const table = slabWord(index, VECTOR_TABLE);
  const mask = load<u32>(index, VECTOR_TABLE_SLOTS) - 1;
  let slot = slotOf(element, mask);
  while (true) {
    const at = table + (<usize>slot << 2);
    const word = load<u32>(at);
    if (word == 0 || rowElement(slab, word - 1) == element) {
      store<u32>(at, row + 1);
      return;
    }
    slot = (slot + 1) & mask;
  }
}

/** Takes the entry of a row out and closes the gap. */
function tableDelete(index: usize, slab: usize, row: u32): void {
  const table = slabWord(index, VECTOR_TABLE);
  const mask = load<u32>(index, VECTOR_TABLE_SLOTS) - 1;
  let slot = slotOf(rowElement(slab, row), mask);
  while (load<u32>(table + (<usize>slot << 2)) != row + 1) slot = (slot + 1) & mask;
  let next = slot;
  while (true) {
    next = (next + 1) & mask;
    const word = load<u32>(table + (<usize>next << 2));
    if (word == 0) break;
    const home = slotOf(rowElement(slab, word - 1), mask);
    if (((next - home) & mask) < ((next - slot) & mask)) continue;
    store<u32>(table + (<usize>slot << 2), word);
    slot = next;
  }
  store<u32>(table + (<usize>slot << 2), 0);
}

/** The table of the rows that are alive. */
function tableFill(index: usize, slab: usize): void {
  const table = slabWord(index, VECTOR_TABLE);
  memory.fill(table, 0, slabWord(index, VECTOR_TABLE_SLOTS) << 2);
  const used = load<u32>(index, VECTOR_USED);
  const deaths = slabWord(slab, SLAB_DEATHS);
  for (let row: u32 = 0; row < used; row++) {
    if (load<u32>(deaths + (<usize>row << 2)) == ALIVE) tablePut(index, slab, rowElement(slab, row), row);
  }
}
