// The names of property types: the full name (`System.Int32`), the short name (`Int32`) and the C# alias (`int`), all without case.
//
// A module without data section has no text constants, so a name is its bytes packed in words, the first byte lowest: eight bytes
// fit one word, and only DateTimeOffset needs a second.

import {
  ALIAS_BOOL, ALIAS_FLOAT, ALIAS_FLOAT_ARRAY, ALIAS_INT, ALIAS_LONG, ALIAS_SHORT, ALIAS_UINT, ALIAS_ULONG, ALIAS_USHORT,
  FOLDED_BOOLEAN, FOLDED_BYTE, FOLDED_CHAR, FOLDED_DATETIME, FOLDED_DATETIMEOFFSET, FOLDED_DATETIMEOFFSET_2,
  FOLDED_DECIMAL, FOLDED_DOUBLE, FOLDED_GUID, FOLDED_INT16, FOLDED_INT32, FOLDED_INT64, FOLDED_PREFIX, FOLDED_SBYTE,
  FOLDED_SINGLE, FOLDED_SINGLE_ARRAY, FOLDED_STRING, FOLDED_TIMESPAN, FOLDED_UINT16, FOLDED_UINT32, FOLDED_UINT64,
  NAME_BOOLEAN, NAME_BYTE, NAME_CHAR, NAME_DATETIME, NAME_DATETIMEOFFSET, NAME_DATETIMEOFFSET_2, NAME_DECIMAL,
  NAME_DOUBLE, NAME_GUID, NAME_INT16, NAME_INT32, NAME_INT64, NAME_PREFIX, NAME_SBYTE, NAME_SINGLE, NAME_SINGLE_ARRAY,
  NAME_STRING, NAME_TIMESPAN, NAME_UINT16, NAME_UINT32, NAME_UINT64,
} from '../generated/type-words';
import {
  TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT16, TYPE_INT32,
  TYPE_INT64, TYPE_NONE, TYPE_SBYTE, TYPE_SINGLE, TYPE_SINGLE_ARRAY, TYPE_STRING, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from './types';

/** Up to eight bytes at `p` as one word; letters in lower case. */
function packFolded(p: usize, count: usize): u64 {
  let word: u64 = 0;
  let i: usize = 0;
  while (i < count) {
    const byte = <u64>load<u8>(p + i);
    word |= (byte - 65 < 26 ? byte + 32 : byte) << (<u64>i << 3);
    i += 1;
  }
  return word;
}

/** The type with the given name of `bytes` bytes, or TYPE_NONE. Aliases stand alone, without `System.`. */
export function typeFromName(text: usize, bytes: u32): u32 {
  const isFull = bytes > 7 && packFolded(text, 7) == FOLDED_PREFIX;
  const p = isFull ? text + 7 : text;
  const length: usize = isFull ? <usize>bytes - 7 : <usize>bytes;
  if (length > 8) {
    if (length != 14 || packFolded(p + 8, 6) != FOLDED_DATETIMEOFFSET_2 || packFolded(p, 8) != FOLDED_DATETIMEOFFSET) return TYPE_NONE;
    return TYPE_DATETIMEOFFSET;
  }
  const word = packFolded(p, length);
  // A NUL at the end would vanish in the word.
  if (length == 0 || load<u8>(p + length - 1) == 0) return TYPE_NONE;
  const type = typeFromShortName(word);
  return type != TYPE_NONE || isFull ? type : typeFromAlias(word);
}

/** `word`: a short name packed in lower case. */
function typeFromShortName(word: u64): u32 {
  if (word == FOLDED_STRING) return TYPE_STRING;
  if (word == FOLDED_BOOLEAN) return TYPE_BOOLEAN;
  if (word == FOLDED_BYTE) return TYPE_BYTE;
  if (word == FOLDED_SBYTE) return TYPE_SBYTE;
  if (word == FOLDED_INT16) return TYPE_INT16;
  if (word == FOLDED_UINT16) return TYPE_UINT16;
  if (word == FOLDED_INT32) return TYPE_INT32;
  if (word == FOLDED_UINT32) return TYPE_UINT32;
  if (word == FOLDED_INT64) return TYPE_INT64;
  if (word == FOLDED_UINT64) return TYPE_UINT64;
  if (word == FOLDED_SINGLE) return TYPE_SINGLE;
  if (word == FOLDED_DOUBLE) return TYPE_DOUBLE;
  if (word == FOLDED_DECIMAL) return TYPE_DECIMAL;
  if (word == FOLDED_CHAR) return TYPE_CHAR;
  if (word == FOLDED_DATETIME) return TYPE_DATETIME;
  if (word == FOLDED_TIMESPAN) return TYPE_TIMESPAN;
  if (word == FOLDED_GUID) return TYPE_GUID;
  if (word == FOLDED_SINGLE_ARRAY) return TYPE_SINGLE_ARRAY;
  return TYPE_NONE;
}

/** `word`: a C# alias packed in lower case. Those equal to the short name are found there. */
function typeFromAlias(word: u64): u32 {
  if (word == ALIAS_BOOL) return TYPE_BOOLEAN;
  if (word == ALIAS_SHORT) return TYPE_INT16;
  if (word == ALIAS_USHORT) return TYPE_UINT16;
  if (word == ALIAS_INT) return TYPE_INT32;
  if (word == ALIAS_UINT) return TYPE_UINT32;
  if (word == ALIAS_LONG) return TYPE_INT64;
  if (word == ALIAS_ULONG) return TYPE_UINT64;
  if (word == ALIAS_FLOAT) return TYPE_SINGLE;
  if (word == ALIAS_FLOAT_ARRAY) return TYPE_SINGLE_ARRAY;
  return TYPE_NONE;
}

/** Writes the full name at `out` (24 bytes free); returns its bytes, 0 for an unknown type. */
export function writeTypeName(type: u32, out: usize): u32 {
  store<u64>(out, NAME_PREFIX);
  const p = out + 7;
  switch (type) {
    case TYPE_STRING:
      store<u64>(p, NAME_STRING);
      return 13;
    case TYPE_BOOLEAN:
      store<u64>(p, NAME_BOOLEAN);
      return 14;
    case TYPE_BYTE:
      store<u64>(p, NAME_BYTE);
      return 11;
    case TYPE_SBYTE:
      store<u64>(p, NAME_SBYTE);
      return 12;
    case TYPE_INT16:
      store<u64>(p, NAME_INT16);
      return 12;
    case TYPE_UINT16:
      store<u64>(p, NAME_UINT16);
      return 13;
    case TYPE_INT32:
      store<u64>(p, NAME_INT32);
      return 12;
    case TYPE_UINT32:
      store<u64>(p, NAME_UINT32);
      return 13;
    case TYPE_INT64:
      store<u64>(p, NAME_INT64);
      return 12;
    case TYPE_UINT64:
      store<u64>(p, NAME_UINT64);
      return 13;
    case TYPE_SINGLE:
      store<u64>(p, NAME_SINGLE);
      return 13;
    case TYPE_DOUBLE:
      store<u64>(p, NAME_DOUBLE);
      return 13;
    case TYPE_DECIMAL:
      store<u64>(p, NAME_DECIMAL);
      return 14;
    case TYPE_CHAR:
      store<u64>(p, NAME_CHAR);
      return 11;
    case TYPE_DATETIME:
      store<u64>(p, NAME_DATETIME);
      return 15;
    case TYPE_DATETIMEOFFSET:
      store<u64>(p, NAME_DATETIMEOFFSET);
      store<u64>(p, NAME_DATETIMEOFFSET_2, 8);
      return 21;
    case TYPE_TIMESPAN:
      store<u64>(p, NAME_TIMESPAN);
      return 15;
    case TYPE_GUID:
      store<u64>(p, NAME_GUID);
      return 11;
    case TYPE_SINGLE_ARRAY:
      store<u64>(p, NAME_SINGLE_ARRAY);
      return 15;
    default:
      return 0;
  }
}
