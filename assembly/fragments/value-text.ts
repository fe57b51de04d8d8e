// Values of C# as pieces of a text, by the type that the compiler knows or a box holds: what interpolation, Concat, Join, ToString
// and StringBuilder write. The types' numbers are the property types' (values/types.ts); a value is its word: integers extended by
// their sign or zeros, the bits of real numbers (a float's as a double), a text or a record by its address.

import {
  isWide, TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT16,
  TYPE_INT32, TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_STRING, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from '../values/types';
import { builderFail, builderFailure, builderFill, builderFinish, builderNew, builderText, builderUnit, builderWord } from './builder';
import { appendDate, appendDateOffset } from './date-text';
import { FAIL_MEMORY, isFailure } from './failures';
import { appendDecimal, appendInteger, appendReal } from './number-text';
import { OBJECT_HEADER, objectAddress, objectTag } from './objects';
import { runAllocate } from './run-heap';
import { appendGuid, appendSpan } from './span-text';
import { textLength } from './texts';

const TRUE_TEXT: u64 = 0x65757254; //    "True"
const FALSE_TEXT: u64 = 0x65736c6146; // "False"

/** Adds a value; `format` is a text or 0. */
export function builderValue(builder: usize, type: u32, word: u64, format: u32): void {
  if (word == 0 && isWide(type)) {
    // There was no room for its record.
    builderFail(builder, FAIL_MEMORY);
    return;
  }
  switch (type) {
    case TYPE_STRING:
      builderText(builder, <u32>word);
      return;
    case TYPE_BOOLEAN:
      builderWord(builder, word != 0 ? TRUE_TEXT : FALSE_TEXT);
      return;
    case TYPE_CHAR:
      builderUnit(builder, <u32>word);
      return;
    case TYPE_BYTE:
      appendInteger(builder, word, false, 8, format);
      return;
    case TYPE_SBYTE:
      appendInteger(builder, word, true, 8, format);
      return;
    case TYPE_INT16:
      appendInteger(builder, word, true, 16, format);
      return;
    case TYPE_UINT16:
      appendInteger(builder, word, false, 16, format);
      return;
    case TYPE_INT32:
      appendInteger(builder, word, true, 32, format);
      return;
    case TYPE_UINT32:
      appendInteger(builder, word, false, 32, format);
      return;
    case TYPE_INT64:
      appendInteger(builder, word, true, 64, format);
      return;
    case TYPE_UINT64:
      appendInteger(builder, word, false, 64, format);
      return;
    case TYPE_SINGLE:
    case TYPE_DOUBLE:
      appendReal(builder, reinterpret<f64>(word), type == TYPE_SINGLE, format);
      return;
    case TYPE_DECIMAL:
      appendDecimal(builder, <usize>word, format);
      return;
    case TYPE_DATETIME:
      appendDate(builder, word, format);
      return;
    case TYPE_DATETIMEOFFSET:
      appendDateOffset(builder, <usize>word, format);
      return;
    case TYPE_TIMESPAN:
      appendSpan(builder, <i64>word, format);
      return;
    case TYPE_GUID:
      appendGuid(builder, <usize>word, format);
      return;
    default:
      unreachable();
  }
}

/** The record of a value of 128 bits; 0 without room, which ends the builder that gets it. */
export function builderWide(value: v128): usize {
  const record = runAllocate(16);
  if (record != 0) v128.store(record, value);
  return record;
}

/** The same in a field of `width` units at least: to its right edge, to its left one when the width is negative. */
export function builderField(builder: usize, type: u32, word: u64, format: u32, width: i32): void {
  if (builderFailure(builder) != 0) return;
  const piece = builderNew();
  builderValue(piece, type, word, format);
  const text = builderFinish(piece);
  if (isFailure(text)) {
    builderFail(builder, text);
    return;
  }
  const size = <u32>(width < 0 ? -width : width);
  const units = textLength(text);
  const missing = size > units ? size - units : 0;
  if (width > 0) builderFill(builder, 0x20, missing);
  builderText(builder, text);
  if (width < 0) builderFill(builder, 0x20, missing);
}

/** The text of the value in a box of a property type (objects.ts) under a format, or a failure. */
export function textOfBox(box: u32, format: u32): u32 {
  const builder = builderNew();
  const type = objectTag(box);
  const payload = objectAddress(box) + OBJECT_HEADER;
  let word = load<u64>(payload);
  if (isWide(type)) word = <u64>payload;
  else if (type == TYPE_SINGLE) word = reinterpret<u64>(<f64>load<f32>(payload));
  else if (type == TYPE_SBYTE || type == TYPE_INT16 || type == TYPE_INT32) word = <u64>(<i64>load<i32>(payload));
  builderValue(builder, type, word, format);
  return builderFinish(builder);
}
