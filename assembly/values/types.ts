// The property types: their ids, the closed list of contract part 1, and how a value lies in an 8-byte slot.
//
//   String, Single[]   address of a record: { u32 bytes, u32 info, data ... } padded to 8 (info: UTF-16 length with bit 31 set
//                      when all ASCII for String; number of components for Single[])
//   Decimal            address of 16 bytes: u64 low 64 bits, u32 high 32 bits, u32 flags (scale in bits 16..23, sign in bit 31)
//   DateTimeOffset     address of 16 bytes: i64 UTC ticks of 100 ns since 0001-01-01, i32 offset in minutes, u32 zero
//   Guid               address of 16 bytes in the order of the text (so bytes compare as .NET compares)
//   Boolean            0 or 1
//   Byte .. UInt64     the value, zero- or sign-extended to 64 bits
//   Single             the 32 bits, high word zero;  Double: the 64 bits
//   Char               one UTF-16 code unit
//   DateTime           u64: ticks in the low 62 bits, kind in the top two (0 unspecified, 1 UTC, 2 local)
//   TimeSpan           i64 ticks
//
// Who knows a type by its number; each traps at one that it does not know, or refuses it:
//
//   here           names.ts its names, parse.ts and format.ts its texts, compare.ts equality, order and hash
//   in the core    checkpoint/format.ts its bytes in a checkpoint, index/order.ts its order in a RangeIndex, scan/property.ts its lanes in
//                  a scan, read/element.ts and interchange/export.ts which texts need escapes, analytics/weights.ts whether it weighs
//   in fragments   value-text.ts and text-parse.ts its texts, objects.ts equality, hash and order of a box
//   the host       src/core/values.ts; the naive model: test/model/naive-values.ts

export const TYPE_NONE: u32 = 0;
export const TYPE_STRING: u32 = 1;
export const TYPE_BOOLEAN: u32 = 2;
export const TYPE_BYTE: u32 = 3;
export const TYPE_SBYTE: u32 = 4;
export const TYPE_INT16: u32 = 5;
export const TYPE_UINT16: u32 = 6;
export const TYPE_INT32: u32 = 7;
export const TYPE_UINT32: u32 = 8;
export const TYPE_INT64: u32 = 9;
export const TYPE_UINT64: u32 = 10;
export const TYPE_SINGLE: u32 = 11;
export const TYPE_DOUBLE: u32 = 12;
export const TYPE_DECIMAL: u32 = 13;
export const TYPE_CHAR: u32 = 14;
export const TYPE_DATETIME: u32 = 15;
export const TYPE_DATETIMEOFFSET: u32 = 16;
export const TYPE_TIMESPAN: u32 = 17;
export const TYPE_GUID: u32 = 18;
export const TYPE_SINGLE_ARRAY: u32 = 19;
export const TYPE_COUNT: u32 = 20;

/** True for values whose slot holds the address of a fixed 16-byte record. */
// @ts-ignore: decorator
@inline
export function isWide(type: u32): bool {
  return type == TYPE_DECIMAL || type == TYPE_DATETIMEOFFSET || type == TYPE_GUID;
}

/** True for values whose slot holds the address of a record with a length. */
// @ts-ignore: decorator
@inline
export function isVariable(type: u32): bool {
  return type == TYPE_STRING || type == TYPE_SINGLE_ARRAY;
}

// --- Text forms ---------------------------------------------------------------------------------------------------------------
/** Bulk interchange (contract part 1): Boolean lower case, Single[] comma-joined without brackets. */
export const FORM_BULK: u32 = 0;
/** Element reads: Boolean `True`/`False`, Single[] in brackets. */
export const FORM_READ: u32 = 1;
/** Any-property scan: invariant text as the reference describes; dates in the invariant general form. */
export const FORM_SCAN: u32 = 2;
