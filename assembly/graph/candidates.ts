// Which elements of a page a scan looks at: sixteen ids at a time by kind and, when asked, by label.
// The kind is read atomically first, because the writer publishes it last: a label or row read after it belongs to an
// element that was complete. Knows element pages, nothing of properties.

import { NONE } from '../memory/layout';
import { COLUMN_KIND, COLUMN_LABEL, KIND_EDGE, KIND_VERTEX } from './elements';

/** What a scan returns: bits of the result kind mask. */
export const RESULT_VERTICES: u32 = 1;
export const RESULT_EDGES: u32 = 2;

/**
 * Bit i is set when the element at place `group + i` of the page is of a wanted kind and carries `label` (NONE: any label,
 * also none) and lies in [from, to). `group` is a multiple of 16; `from` and `to` are places.
 */
// @ts-ignore: decorator
@inline
export function candidateBits(page: usize, group: u32, from: u32, to: u32, kinds: u32, label: u32): u32 {
  const column = page + COLUMN_KIND + group;
  const sixteen = i64x2.replace_lane(i64x2.splat(atomic.load<u64>(column)), 1, atomic.load<u64>(column, 8));
  const wanted = v128.or(
    v128.and(i8x16.eq(sixteen, i8x16.splat(<i8>KIND_VERTEX)), i8x16.splat(-(<i8>(kinds & RESULT_VERTICES)))),
    v128.and(i8x16.eq(sixteen, i8x16.splat(<i8>KIND_EDGE)), i8x16.splat(-(<i8>((kinds & RESULT_EDGES) >> 1)))),
  );
  let bits: u32 = i8x16.bitmask(wanted);
  if (from > group) bits &= 0xffff << (from - group);
  if (to < group + 16) bits &= (1 << (to - group)) - 1;
  if (label != NONE && bits != 0) bits &= labelBits(page + COLUMN_LABEL + 4 * <usize>group, label);
  return bits;
}

// @ts-ignore: decorator
@inline
function labelBits(column: usize, label: u32): u32 {
  const wanted = i32x4.splat(label);
  return (
    i32x4.bitmask(i32x4.eq(v128.load(column), wanted)) |
    (i32x4.bitmask(i32x4.eq(v128.load(column, 16), wanted)) << 4) |
    (i32x4.bitmask(i32x4.eq(v128.load(column, 32), wanted)) << 8) |
    (i32x4.bitmask(i32x4.eq(v128.load(column, 48), wanted)) << 12)
  );
}
