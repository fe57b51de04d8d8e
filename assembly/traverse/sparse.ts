// Records by element id for searches that touch few of them: a directory with one word for every 256 ids, whose pages of records are
// made, all zeros, when the first id of theirs is touched. Lies in SCRATCH, so it lives until the caller's mark is released.

import { scratchAllocate } from '../memory/arena';

const PAGE_SHIFT: u32 = 8;
const PAGE_MASK: u32 = 255;

/** A table for ids below `ids`; 0 = no scratch. */
export function sparseCreate(ids: u32): usize {
  const bytes: usize = 4 * (<usize>(ids >> PAGE_SHIFT) + 1);
  const table = scratchAllocate(bytes);
  if (table) memory.fill(table, 0, bytes);
  return table;
}

/** The record of `id`, 0 when its page was never touched. */
// @ts-ignore: decorator
@inline
export function sparseAt(table: usize, id: u32, recordBytes: usize): usize {
  const page = <usize>load<u32>(table + 4 * <usize>(id >> PAGE_SHIFT));
  return page ? page + recordBytes * <usize>(id & PAGE_MASK) : 0;
}

/** The record of `id`, zeros the first time; 0 = no scratch. */
// @ts-ignore: decorator
@inline
export function sparseTouch(table: usize, id: u32, recordBytes: usize): usize {
  let page = <usize>load<u32>(table + 4 * <usize>(id >> PAGE_SHIFT));
  if (page == 0) page = sparsePage(table, id, recordBytes);
  return page ? page + recordBytes * <usize>(id & PAGE_MASK) : 0;
}

function sparsePage(table: usize, id: u32, recordBytes: usize): usize {
  const bytes = recordBytes << PAGE_SHIFT;
  const page = scratchAllocate(bytes);
  if (page == 0) return 0;
  memory.fill(page, 0, bytes);
  store<u32>(table + 4 * <usize>(id >> PAGE_SHIFT), <u32>page);
  return page;
}
