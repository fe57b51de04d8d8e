// A filter asked about every element of a kind in a range of ids: one at a time through the table, or a block of ids at a time by the
// fragment's own loop (`select`), which saves the call between modules for each.

import { COLUMN_KIND } from '../graph/elements';
import { graphState, PAGE_ID_MASK, PAGE_ID_SHIFT, pageAddress, stateNextId } from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { stopWord } from '../memory/stop';

/** Ids handed over at once. */
const BLOCK_IDS: u32 = 1024;

/**
 * How many elements of `kind` with ids in [from, to) the function at `filter` lets pass; -1 when the stop word ended the count, -2 without
 * scratch. `blocks`: the function is `select(in, count, out)`, otherwise `(id) => i32`.
 */
export function fragmentSweep(graph: usize, kind: u32, filter: u32, blocks: bool, from: u32, to: u32): f64 {
  const state = graphState(graph);
  const end = min<u32>(to, stateNextId(state));
  const mark = scratchMark();
  const block = scratchAllocate(4 * <usize>BLOCK_IDS);
  if (block == 0) return -2;
  let passed: f64 = 0;
  while (from < end && stopWord() == 0) {
    let count: u32 = 0;
    const last = min<u32>(end, (from | PAGE_ID_MASK) + 1);
    const kinds = pageAddress(state, from) + COLUMN_KIND - (<usize>(from >> PAGE_ID_SHIFT) << PAGE_ID_SHIFT);
    while (from < last && count < BLOCK_IDS) {
      // Sixteen of the kind in a row, the usual case, are written at once.
      if (from + 16 <= last && count + 16 <= BLOCK_IDS && allOfKind(kinds + <usize>from, kind)) {
        const out = block + 4 * <usize>count;
        const four = i32x4.add(i32x4.splat(from), i32x4(0, 1, 2, 3));
        v128.store(out, four);
        v128.store(out, i32x4.add(four, i32x4.splat(4)), 16);
        v128.store(out, i32x4.add(four, i32x4.splat(8)), 32);
        v128.store(out, i32x4.add(four, i32x4.splat(12)), 48);
        count += 16;
        from += 16;
        continue;
      }
      if (<u32>load<u8>(kinds + <usize>from) == kind) {
        store<u32>(block + 4 * <usize>count, from);
        count++;
      }
      from++;
    }
    if (blocks) {
      passed += <f64>call_indirect<u32>(filter, block, count, block);
      continue;
    }
    for (let i: u32 = 0; i < count; i++) passed += <f64>call_indirect<i32>(filter, load<u32>(block + 4 * <usize>i));
  }
  scratchRelease(mark);
  return from < end ? -1 : passed;
}

// @ts-ignore: decorator
@inline
function allOfKind(kinds: usize, kind: u32): bool {
  return i8x16.all_true(i8x16.eq(v128.load(kinds), i8x16.splat(<i8>kind)));
}
