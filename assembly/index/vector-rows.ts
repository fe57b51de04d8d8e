// What a slab of vectors is in memory (its picture is in vector-slab.ts), and how rows get from one into another.

import { allocate } from '../memory/allocator';
import { PURPOSE_INDEXES } from '../memory/layout';
import { INDEX_HEAP, INDEX_OWN } from './layout';
import { companionBytes, companionCopy, companionRow } from './vector-companion-rows';

export const VECTOR_SLAB: usize = INDEX_OWN; // atomic; 0 = never had a row
export const VECTOR_METRIC: usize = VECTOR_SLAB + 4;
export const VECTOR_DIMENSION: usize = VECTOR_METRIC + 4;
export const VECTOR_ROW_BYTES: usize = VECTOR_DIMENSION + 4;
export const VECTOR_TABLE: usize = VECTOR_ROW_BYTES + 4;
export const VECTOR_TABLE_SLOTS: usize = VECTOR_TABLE + 4;
/** Rows that count, running transaction included. */
export const VECTOR_LIVE: usize = VECTOR_TABLE_SLOTS + 4;
/** Rows in the slab, running transaction included. */
export const VECTOR_USED: usize = VECTOR_LIVE + 4;
/** Rows that counted at the last commit. */
export const VECTOR_LIVE_COMMITTED: usize = VECTOR_USED + 4;
/** 1 while a transaction has changed something. */
export const VECTOR_CHANGED: usize = VECTOR_LIVE_COMMITTED + 4;
/** Smallest slab, in bytes of rows, that gets a companion. */
export const VECTOR_COMPANION_FROM: usize = VECTOR_CHANGED + 4;
/** Intern id of the property the index projects, NONE = it is bound to no embedding. */
export const VECTOR_KEY: usize = VECTOR_COMPANION_FROM + 4;
/** The successor's words (vector-successor.ts): its slab, 0 = there is none; */
export const VECTOR_NEXT: usize = VECTOR_KEY + 4;
/** its table, */
export const VECTOR_NEXT_TABLE: usize = VECTOR_NEXT + 4;
export const VECTOR_NEXT_SLOTS: usize = VECTOR_NEXT_TABLE + 4;
/** rows copied into it, */
export const VECTOR_NEXT_ROWS: usize = VECTOR_NEXT_SLOTS + 4;
/** rows of the slab when it was begun, */
export const VECTOR_NEXT_START: usize = VECTOR_NEXT_ROWS + 4;
/** and the smallest slab, in bytes of rows, that gets one. */
export const VECTOR_NEXT_FROM: usize = VECTOR_NEXT_START + 4;

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

/** What a slab may take of the 4 GiB that can be addressed: its rows, and all of it. */
const MOST_ROW_BYTES: u64 = 0xf0000000;
const MOST_SLAB_BYTES: u64 = 0xf8000000;

/** Death of a row that counts. */
export const ALIVE: u32 = 0xffffffff;

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

// @ts-ignore: decorator
@inline
export function rowElement(slab: usize, row: u32): u32 {
  return load<u32>(slabWord(slab, SLAB_IDS) + (<usize>row << 2));
}

// --- Writer --------------------------------------------------------------------------------------------------------------

/** Whether the rows of a slab of `capacity` can be addressed. */
export function slabFits(index: usize, capacity: u32): bool {
  return <u64>capacity * <u64>vectorRowBytes(index) <= MOST_ROW_BYTES;
}

/** A slab without rows, not published; 0 = no memory. With a companion when it is large enough for one and the memory is. */
export function slabAllocate(index: usize, capacity: u32): usize {
  if (<u64>capacity * <u64>vectorRowBytes(index) < <u64>load<u32>(index, VECTOR_COMPANION_FROM)) return slabMake(index, capacity, false);
  const slab = slabMake(index, capacity, true);
  return slab != 0 ? slab : slabMake(index, capacity, false);
}

function slabMake(index: usize, capacity: u32, withCompanion: bool): usize {
  const words = <usize>((capacity + 3) & ~3) << 2;
  const rowsBytes = <usize>capacity * vectorRowBytes(index);
  const companion: usize = withCompanion ? companionBytes(capacity, vectorDimension(index)) : 0;
  // Columns of words are a multiple of 16 bytes, so that four of them load as one vector and loads behind the last stay inside.
  const total = <u64>(SLAB_HEADER + ROW_ALIGNMENT + 16) + <u64>rowsBytes + 3 * <u64>words + <u64>companion;
  if (total > MOST_SLAB_BYTES) return 0;
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
export function isKept(deaths: usize, row: u32, committed: u64): bool {
  const death = load<u32>(deaths + (<usize>row << 2));
  return death == ALIVE || (row < <u32>committed && death > <u32>(committed >> 32));
}

export function rowsKept(index: usize, slab: usize): u32 {
  const used = load<u32>(index, VECTOR_USED);
  const committed = slabCommitted(slab);
  const deaths = slabWord(slab, SLAB_DEATHS);
  let kept: u32 = 0;
  for (let row: u32 = 0; row < used; row++) kept += u32(isKept(deaths, row, committed));
  return kept;
}

/** Copies `count` rows from `from` on to `to` on: everything but the commit. `index` gives their shape. */
export function rowsCopy(index: usize, old: usize, slab: usize, from: u32, to: u32, count: u32): void {
  const rowBytes = vectorRowBytes(index);
  memory.copy(
    slabWord(slab, SLAB_ROWS) + <usize>to * rowBytes,
    slabWord(old, SLAB_ROWS) + <usize>from * rowBytes,
    <usize>count * rowBytes,
  );
  wordsCopy(old, slab, SLAB_IDS, from, to, count);
  wordsCopy(old, slab, SLAB_DEATHS, from, to, count);
  wordsCopy(old, slab, SLAB_NORMS, from, to, count);
  companionsCopy(index, old, slab, from, to, count);
}

export function wordsCopy(old: usize, slab: usize, column: usize, from: u32, to: u32, count: u32): void {
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
