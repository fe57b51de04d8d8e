// Value to text for the fixed-size property types, in the three forms of values/types: bulk interchange, element reads, and the
// any-property scan. Only Boolean (`true` in bulk, `True` elsewhere) and the dates (general form in scans) differ between them.

import { writeDateTime, writeDateTimeOffset, writeTimeSpan } from './datetime';
import { writeDecimal } from './decimal';
import { writeDouble, writeSingle } from './float-format';
import { writeGuid } from './guid';
import { writeCodePoint } from './json-text';
import { writeSigned, writeUnsigned } from './tables';
import {
  FORM_BULK, FORM_SCAN, TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID,
  TYPE_INT16, TYPE_INT32, TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from './types';

/** Bytes a caller must have free for formatValue: its text is shorter, the rest is working room. */
export const MAX_FIXED_TEXT: u32 = 64;

function writeBoolean(out: usize, value: bool, upper: bool): u32 {
  // "true" or "false", the first letter in upper case unless for bulk.
  store<u64>(out, value ? 0x65757274 : 0x65736c6166);
  if (upper) store<u8>(out, <u32>load<u8>(out) - 32);
  return value ? 4 : 5;
}

/**
 * Writes the value of `type` (2..18) at `value` (the slot, or the record of a wide type) in `form` to `out`, which has
 * MAX_FIXED_TEXT bytes free; returns the bytes of the text.
 */
export function formatValue(type: u32, value: usize, form: u32, out: usize): u32 {
  switch (type) {
    case TYPE_BOOLEAN:
      return writeBoolean(out, load<u64>(value) != 0, form != FORM_BULK);
    case TYPE_BYTE:
    case TYPE_UINT16:
    case TYPE_UINT32:
    case TYPE_UINT64:
      return writeUnsigned(out, load<u64>(value));
    case TYPE_SBYTE:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64:
      return writeSigned(out, load<i64>(value));
    case TYPE_SINGLE:
      return writeSingle(out, load<u32>(value));
    case TYPE_DOUBLE:
      return writeDouble(out, load<u64>(value));
    case TYPE_DECIMAL:
      return writeDecimal(out, value);
    case TYPE_CHAR:
      return writeCodePoint(out, load<u32>(value));
    case TYPE_DATETIME:
      return writeDateTime(out, load<u64>(value), form == FORM_SCAN);
    case TYPE_DATETIMEOFFSET:
      return writeDateTimeOffset(out, value, form == FORM_SCAN);
    case TYPE_TIMESPAN:
      return writeTimeSpan(out, load<i64>(value));
    case TYPE_GUID:
      return writeGuid(out, value);
    default:
      return unreachable();
  }
}
