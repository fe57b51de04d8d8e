// The block: a run of ids as checkpoint files hold it. This comment is the specification; write.ts and load.ts follow it. A block
// stands by itself: it names its strings and templates, so blocks can be read in any order. What files are made of blocks, and how
// a block is checksummed, says the host's `src/engine/checkpoint/format.ts`. All words are little-endian.
//
//   0  u32 bytes of the block, a multiple of 8      20  u32 edges in it
//   4  u32 checksum (the host's)                    24  u32 offset of the names
//   8  u32 first id                                 28  u32 number of names
//  12  u32 number of ids it covers                  32  u32 offset of the templates
//  16  u32 vertices in it                           36  u32 number of templates
//  40  elements, then names, then templates, then zeros up to a multiple of 8
//
//   names       each: n = number of bytes, then the text (WTF-8)
//   templates   each: n = kind (1 vertex, 2 edge), n = label, [edge: n = edge type], n = property count, then for each property
//               n = key, n = type (values/types.ts). Label, edge type and key are indices of names, a label 1 + index or 0 for none.
//               Keys stand in ordinal order of their text, each once.
//   elements    in order of their ids, each:
//     n = head        0: so many ids have no element, n = how many; the element after them comes next
//                     otherwise 2 * template index + 1 or + 2; + 1: creation is that of the element before (the block's first: 0) and
//                     modification the same; + 2: z = creation less that of the element before, z = modification less creation follow
//     edge            z = source less that of the edge before (the first: 0), z = target less source
//     values          in template order, by type:
//                     Boolean, Byte .. UInt64, Char     z = the 64 bits of the slot
//                     Single                            4 bytes
//                     Double, DateTime, TimeSpan        8 bytes
//                     Decimal, DateTimeOffset, Guid     16 bytes
//                     String                            n = number of bytes, then the text
//                     Single[]                          n = number of components, then 4 bytes each
//                     Ids behind the last element have none.
//
//   n   an unsigned number in groups of 7 bits, lowest first, bit 7 set on all but the last byte; at most ten bytes
//   z   a signed number v as n = (v << 1) ^ (v >> 63)

import {
  isWide, TYPE_BOOLEAN, TYPE_CHAR, TYPE_DATETIME, TYPE_DOUBLE, TYPE_SINGLE, TYPE_SINGLE_ARRAY, TYPE_STRING, TYPE_TIMESPAN,
} from '../values/types';

export const BLOCK_BYTES: usize = 0;
export const BLOCK_FIRST_ID: usize = 8;
export const BLOCK_ID_COUNT: usize = 12;
export const BLOCK_VERTICES: usize = 16;
export const BLOCK_EDGES: usize = 20;
export const BLOCK_NAMES: usize = 24;
export const BLOCK_NAME_COUNT: usize = 28;
export const BLOCK_TEMPLATES: usize = 32;
export const BLOCK_TEMPLATE_COUNT: usize = 36;
export const BLOCK_HEADER_BYTES: usize = 40;

/** Bytes of the longest number. */
export const NUMBER_BYTES: usize = 10;

// How values of a type are written.
export const FORM_NUMBER: u32 = 0;
export const FORM_FOUR: u32 = 1;
export const FORM_EIGHT: u32 = 2;
export const FORM_SIXTEEN: u32 = 3;
export const FORM_STRING: u32 = 4;
export const FORM_SINGLES: u32 = 5;

/** The form of a type's values. */
// @ts-ignore: decorator
@inline
export function formOf(type: u32): u32 {
  if (type == TYPE_STRING) return FORM_STRING;
  if (type == TYPE_SINGLE) return FORM_FOUR;
  if (type - TYPE_BOOLEAN < TYPE_SINGLE - TYPE_BOOLEAN || type == TYPE_CHAR) return FORM_NUMBER;
  if (type == TYPE_DOUBLE || type == TYPE_DATETIME || type == TYPE_TIMESPAN) return FORM_EIGHT;
  if (isWide(type)) return FORM_SIXTEEN;
  return type == TYPE_SINGLE_ARRAY ? FORM_SINGLES : unreachable();
}

/** Writes n; answers the address behind it. */
// @ts-ignore: decorator
@inline
export function putNumber(at: usize, value: u64): usize {
  while (value >= 0x80) {
    store<u8>(at, <u8>value | 0x80);
    value >>= 7;
    at++;
  }
  store<u8>(at, <u8>value);
  return at + 1;
}

// @ts-ignore: decorator
@inline
export function zigzag(value: i64): u64 {
  return (<u64>value << 1) ^ <u64>(value >> 63);
}

// @ts-ignore: decorator
@inline
export function unzigzag(value: u64): i64 {
  return <i64>(value >> 1) ^ -<i64>(value & 1);
}
