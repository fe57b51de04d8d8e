// Text to value for the fixed-size property types: one entry that knows where each type's reader is and how its slot looks
// (values/types). Text that is not a value of the type is refused as .NET refuses it.

import { parseDateTime, parseDateTimeOffset, parseTimeSpan } from './datetime';
import { parseDecimal } from './decimal';
import { floatBits, parseFloatText } from './float-parse';
import { parseGuid } from './guid';
import { integerBits, parseIntegerText } from './integer-text';
import { matchesFolded, skipSpace, skipSpaceBack } from './scan';
import {
  TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT16, TYPE_INT32,
  TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from './types';

const TRUE_WORD: u64 = 0x65757274; //     "true"
const FALSE_WORD: u64 = 0x65736c6166; //  "false"

function parseBoolean(text: usize, end: usize, out: usize): bool {
  const p = skipSpace(text, end, true);
  end = skipSpaceBack(p, end, true);
  const isTrue = matchesFolded(p, end, TRUE_WORD, 4);
  if (!isTrue && !matchesFolded(p, end, FALSE_WORD, 5)) return false;
  store<u64>(out, <u64>isTrue);
  return true;
}

/** Exactly one UTF-16 unit: one character of up to three bytes, a lone surrogate included. */
function parseChar(text: usize, end: usize, out: usize): bool {
  const bytes = end - text;
  if (bytes == 0 || bytes > 3) return false;
  const lead = <u32>load<u8>(text);
  if (bytes == 1) {
    store<u64>(out, <u64>lead);
    return lead < 0x80;
  }
  const second = <u32>load<u8>(text, 1) & 63;
  if (bytes == 2) {
    store<u64>(out, <u64>(((lead & 31) << 6) | second));
    return lead >> 5 == 6;
  }
  store<u64>(out, <u64>(((lead & 15) << 12) | (second << 6) | (<u32>load<u8>(text, 2) & 63)));
  return lead >> 4 == 14;
}

// @ts-ignore: decorator
@inline
function parseInteger(text: usize, end: usize, positiveLimit: u64, negativeLimit: u64, out: usize): bool {
  if (!parseIntegerText(text, end, positiveLimit, negativeLimit)) return false;
  store<u64>(out, integerBits);
  return true;
}

// @ts-ignore: decorator
@inline
function parseFloat(text: usize, end: usize, single: bool, out: usize): bool {
  if (!parseFloatText(text, end, single)) return false;
  store<u64>(out, floatBits);
  return true;
}

/**
 * Reads `bytes` bytes of text as a value of `type` (2..18). Writes the slot form, for wide types the 16-byte record, at `out` (16
 * bytes, 8-aligned). False when the text is not such a value; `out` is then undefined.
 */
export function parseValue(type: u32, text: usize, bytes: u32, out: usize): bool {
  const end = text + <usize>bytes;
  switch (type) {
    case TYPE_BOOLEAN:
      return parseBoolean(text, end, out);
    case TYPE_BYTE:
      return parseInteger(text, end, 0xff, 0, out);
    case TYPE_SBYTE:
      return parseInteger(text, end, 0x7f, 0x80, out);
    case TYPE_INT16:
      return parseInteger(text, end, 0x7fff, 0x8000, out);
    case TYPE_UINT16:
      return parseInteger(text, end, 0xffff, 0, out);
    case TYPE_INT32:
      return parseInteger(text, end, 0x7fffffff, 0x80000000, out);
    case TYPE_UINT32:
      return parseInteger(text, end, 0xffffffff, 0, out);
    case TYPE_INT64:
      return parseInteger(text, end, 0x7fffffffffffffff, 0x8000000000000000, out);
    case TYPE_UINT64:
      return parseInteger(text, end, 0xffffffffffffffff, 0, out);
    case TYPE_SINGLE:
      return parseFloat(text, end, true, out);
    case TYPE_DOUBLE:
      return parseFloat(text, end, false, out);
    case TYPE_DECIMAL:
      return parseDecimal(text, end, out);
    case TYPE_CHAR:
      return parseChar(text, end, out);
    case TYPE_DATETIME:
      return parseDateTime(text, end, out);
    case TYPE_DATETIMEOFFSET:
      return parseDateTimeOffset(text, end, out);
    case TYPE_TIMESPAN:
      return parseTimeSpan(text, end, out);
    case TYPE_GUID:
      return parseGuid(text, end, out);
    default:
      return false;
  }
}
