// Comparing a block of gathered values with one literal, four at a time, and keeping the ids of those that match.
// Every ordered and unordered comparison is one of five modes, possibly inverted, so one loop a lane type is enough.
// Floating point follows .NET's Equals and CompareTo: NaN equals NaN and is below everything; the mode table says so once.
// Knows lanes and ids, nothing of elements.
//
// The operators have their numbers here, and the host has their names (`operators` in src/http/schemas.ts). One more is a line of the list
// below, OPERATOR_LAST, and a case in each of the three functions behind it; and `scanAll` of index/scan.ts, where a RangeIndex answers
// without asking each key. All of them trap at an operator that they do not know.

export const OPERATOR_EQUALS: u32 = 0;
export const OPERATOR_GREATER: u32 = 1;
export const OPERATOR_GREATER_OR_EQUALS: u32 = 2;
export const OPERATOR_LOWER: u32 = 3;
export const OPERATOR_LOWER_OR_EQUALS: u32 = 4;
export const OPERATOR_NOT_EQUALS: u32 = 5;
/** Numbers beyond match nothing. */
export const OPERATOR_LAST: u32 = OPERATOR_NOT_EQUALS;

const MODE_EQUAL: u32 = 0;
const MODE_ABOVE: u32 = 1;
const MODE_NOT_BELOW: u32 = 2;
/** Matches what equals itself: every number but NaN. */
const MODE_NUMBER: u32 = 3;
const MODE_ALL: u32 = 4;
/** Added to a mode: the complement. */
const MODE_INVERTED: u32 = 8;

/** Bytes of the table that `fillCompaction` writes. */
export const COMPACTION_BYTES: usize = 256;

/** The mode of an operator against a literal that is a number. */
export function modeOf(operator: u32): u32 {
  switch (operator) {
    case OPERATOR_EQUALS:
      return MODE_EQUAL;
    case OPERATOR_GREATER:
      return MODE_ABOVE;
    case OPERATOR_GREATER_OR_EQUALS:
      return MODE_NOT_BELOW;
    case OPERATOR_LOWER:
      return MODE_NOT_BELOW | MODE_INVERTED;
    case OPERATOR_LOWER_OR_EQUALS:
      return MODE_ABOVE | MODE_INVERTED;
    case OPERATOR_NOT_EQUALS:
      return MODE_EQUAL | MODE_INVERTED;
    default:
      return unreachable();
  }
}

/** The mode of an operator against the literal NaN. */
export function modeOfNaN(operator: u32): u32 {
  switch (operator) {
    case OPERATOR_EQUALS:
      return MODE_NUMBER | MODE_INVERTED;
    case OPERATOR_GREATER:
      return MODE_NUMBER;
    case OPERATOR_GREATER_OR_EQUALS:
      return MODE_ALL;
    case OPERATOR_LOWER:
      return MODE_ALL | MODE_INVERTED;
    case OPERATOR_LOWER_OR_EQUALS:
      return MODE_NUMBER | MODE_INVERTED;
    case OPERATOR_NOT_EQUALS:
      return MODE_NUMBER;
    default:
      return unreachable();
  }
}

/** Whether a comparison result (negative, 0, positive) satisfies an operator. */
// @ts-ignore: decorator
@inline
export function operatorAccepts(operator: u32, order: i32): bool {
  switch (operator) {
    case OPERATOR_EQUALS:
      return order == 0;
    case OPERATOR_GREATER:
      return order > 0;
    case OPERATOR_GREATER_OR_EQUALS:
      return order >= 0;
    case OPERATOR_LOWER:
      return order < 0;
    case OPERATOR_LOWER_OR_EQUALS:
      return order <= 0;
    case OPERATOR_NOT_EQUALS:
      return order != 0;
    default:
      return unreachable();
  }
}

/** Writes the table of byte shuffles that move the lanes named by a 4-bit mask to the front. */
export function fillCompaction(table: usize): void {
  for (let mask: u32 = 0; mask < 16; mask++) {
    let kept: u32 = 0;
    const row = table + 16 * <usize>mask;
    v128.store(row, i8x16.splat(-1)); // an index out of range shuffles in zero
    for (let lane: u32 = 0; lane < 4; lane++) {
      if ((mask >> lane) & 1) {
        store<u32>(row + 4 * <usize>kept, 0x03020100 + 0x04040404 * lane);
        kept++;
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function lanesSet<T>(lanes: v128): u32 {
  return sizeof<T>() == 8 ? i64x2.bitmask(lanes) : i32x4.bitmask(lanes);
}

// @ts-ignore: decorator
@inline
function matches<T>(values: v128, literal: v128, mode: u32): u32 {
  if (mode == MODE_EQUAL) return lanesSet<T>(v128.eq<T>(values, literal));
  if (mode == MODE_ABOVE) return lanesSet<T>(v128.gt<T>(values, literal));
  if (mode == MODE_NOT_BELOW) return lanesSet<T>(v128.ge<T>(values, literal));
  return mode == MODE_NUMBER ? lanesSet<T>(v128.eq<T>(values, values)) : unreachable();
}

/**
 * Writes the ids whose value satisfies `mode` to `out`, in order, and answers how many. `values` holds `count` values of
 * lane type T (i32, i64, f32 or f64), `ids` as many u32; both are readable, and `out` writable, up to 16 bytes further. `literal` is
 * the literal's lane, repeated to 64 bits.
 */
export function filterBlock<T>(
  values: usize,
  ids: usize,
  count: u32,
  literal: u64,
  mode: u32,
  table: usize,
  out: usize,
): u32 {
  const literals = i64x2.splat(literal);
  const inverse: u32 = mode & MODE_INVERTED ? 15 : 0;
  mode &= MODE_INVERTED - 1;
  const first = out;
  for (let i: u32 = 0; i < count; i += 4) {
    let bits: u32 = 15;
    if (mode != MODE_ALL) {
      bits = matches<T>(v128.load(values), literals, mode);
      if (sizeof<T>() == 8) bits |= matches<T>(v128.load(values, 16), literals, mode) << 2;
    }
    bits ^= inverse;
    if (count - i < 4) bits &= (1 << (count - i)) - 1;
    v128.store(out, i8x16.swizzle(v128.load(ids), v128.load(table + 16 * <usize>bits)));
    out += 4 * <usize>popcnt(bits);
    values += 4 * sizeof<T>();
    ids += 16;
  }
  return <u32>((out - first) >> 2);
}
