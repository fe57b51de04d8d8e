// The successor of a slab: twice as large, and filled a few rows at each commit while the slab is still in use, so that no commit
// waits until a large slab has been copied. Writer only; readers meet it when it has become the slab.
//
// It is begun at a commit that leaves the slab three quarters full and more than half alive. A row keeps its number, the dead
// included. Rows in [0, copied) are in the successor, and those of them that are alive are in its table. Deaths change later: their
// column is copied again at the end. Each commit copies as large a share of its slab's rows as it used up of the free ones.
//
// It takes memory early, so it is begun only while four times its rows are free, and given up at the next commit of the graph when
// less than its size is. (Then what is free stays below the four times, so it is not begun again at once.) Without one a full slab is
// copied at once (vector-slab.ts).

import { allocate, blockBytes, pagesFree, release } from '../memory/allocator';
import { check } from '../memory/check';
import { PAGE_BYTES, PURPOSE_INDEXES } from '../memory/layout';
import { INDEX_HEAP } from './layout';
import {
  rowsCopy, SLAB_CAPACITY, SLAB_COMMITTED, SLAB_DEATHS, slabAllocate, slabCommitted, slabFits, slabWord, VECTOR_LIVE, VECTOR_NEXT,
  VECTOR_NEXT_FROM, VECTOR_NEXT_ROWS, VECTOR_NEXT_SLOTS, VECTOR_NEXT_START, VECTOR_NEXT_TABLE, VECTOR_TABLE, VECTOR_TABLE_SLOTS,
  VECTOR_USED, vectorRowBytes, vectorSlab, wordsCopy,
} from './vector-rows';
import { tableAdd, tableDelete, tableFill, tableSlots } from './vector-table';

/** Smaller slabs, in bytes of rows, are copied faster than a request is answered: some 3 ms. */
export const SUCCESSOR_FROM: u32 = 4 << 20;

const CHECK_ROWS: u32 = 2102;

/** At a commit that has published `used` rows: begins a successor when it is time, and copies this commit's share. */
export function successorFollow(index: usize, used: u32): void {
  if (load<u32>(index, VECTOR_NEXT) == 0 && !begin(index, used)) return;
  const capacity = load<u32>(vectorSlab(index), SLAB_CAPACITY);
  const start = load<u32>(index, VECTOR_NEXT_START);
  copyTo(index, <u32>((<u64>used * <u64>(used - start)) / <u64>(capacity - start)));
}

function begin(index: usize, used: u32): bool {
  const slab = vectorSlab(index);
  const capacity = load<u32>(slab, SLAB_CAPACITY);
  if (used == capacity || used < capacity - capacity / 4 || load<u32>(index, VECTOR_LIVE) <= capacity / 2) return false;
  const bytes = 2 * <u64>capacity * <u64>vectorRowBytes(index);
  if (bytes < 2 * <u64>load<u32>(index, VECTOR_NEXT_FROM) || !slabFits(index, capacity * 2)) return false;
  if (<u64>pagesFree() * <u64>PAGE_BYTES < 4 * bytes) return false;
  const slots = tableSlots(capacity * 2);
  const table = allocate(load<u32>(index, INDEX_HEAP), PURPOSE_INDEXES, <usize>slots << 2);
  if (table == 0) return false;
  const next = slabAllocate(index, capacity * 2);
  if (next == 0) {
    release(PURPOSE_INDEXES, table);
    return false;
  }
  memory.fill(table, 0, <usize>slots << 2);
  store<u32>(index, <u32>next, VECTOR_NEXT);
  store<u32>(index, <u32>table, VECTOR_NEXT_TABLE);
  store<u32>(index, slots, VECTOR_NEXT_SLOTS);
  store<u32>(index, 0, VECTOR_NEXT_ROWS);
  store<u32>(index, used, VECTOR_NEXT_START);
  return true;
}

/** Copies the rows from those that are there up to `end`. */
function copyTo(index: usize, end: u32): void {
  const from = load<u32>(index, VECTOR_NEXT_ROWS);
  if (end <= from) return;
  const slab = vectorSlab(index);
  rowsCopy(index, slab, slabWord(index, VECTOR_NEXT), from, from, end - from);
  tableAdd(slabWord(index, VECTOR_NEXT_TABLE), load<u32>(index, VECTOR_NEXT_SLOTS), slab, from, end);
  store<u32>(index, end, VECTOR_NEXT_ROWS);
}

/** A row of the slab dies: an element that comes back later has another one. */
// @ts-ignore: decorator
@inline
export function successorRowDies(index: usize, row: u32): void {
  if (row >= load<u32>(index, VECTOR_NEXT_ROWS)) return;
  tableDelete(slabWord(index, VECTOR_NEXT_TABLE), load<u32>(index, VECTOR_NEXT_SLOTS), vectorSlab(index), row);
}

/** Rows of the slab are alive again, and those behind the last commit are gone. */
export function successorUndo(index: usize): void {
  if (load<u32>(index, VECTOR_NEXT) == 0) return;
  const rows = load<u32>(index, VECTOR_NEXT_ROWS);
  check(rows <= load<u32>(index, VECTOR_USED), CHECK_ROWS);
  tableFill(slabWord(index, VECTOR_NEXT_TABLE), load<u32>(index, VECTOR_NEXT_SLOTS), vectorSlab(index), rows);
}

/** Gives it up where less memory is free than it takes. */
export function successorYield(index: usize): void {
  const next = slabWord(index, VECTOR_NEXT);
  if (next != 0 && <u64>pagesFree() * <u64>PAGE_BYTES < <u64>blockBytes(next)) successorDrop(index);
}

/** Gives it up, if there is one. */
export function successorDrop(index: usize): void {
  const next = slabWord(index, VECTOR_NEXT);
  if (next == 0) return;
  release(PURPOSE_INDEXES, slabWord(index, VECTOR_NEXT_TABLE));
  release(PURPOSE_INDEXES, next);
  clear(index);
}

function clear(index: usize): void {
  store<u32>(index, 0, VECTOR_NEXT);
  store<u32>(index, 0, VECTOR_NEXT_ROWS);
}

/** Copies what is left, and makes it the slab's equal with its table in place; the caller publishes it. Needs no memory. */
export function successorTake(index: usize): usize {
  const slab = vectorSlab(index);
  const next = slabWord(index, VECTOR_NEXT);
  const used = load<u32>(index, VECTOR_USED);
  copyTo(index, used);
  wordsCopy(slab, next, SLAB_DEATHS, 0, 0, used);
  atomic.store<u64>(next + SLAB_COMMITTED, slabCommitted(slab));
  release(PURPOSE_INDEXES, slabWord(index, VECTOR_TABLE));
  store<u32>(index, load<u32>(index, VECTOR_NEXT_TABLE), VECTOR_TABLE);
  store<u32>(index, load<u32>(index, VECTOR_NEXT_SLOTS), VECTOR_TABLE_SLOTS);
  clear(index);
  return next;
}
