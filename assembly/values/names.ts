// The names of property types: the full name (`System.Int32`), the short name (`Int32`) and the C# alias (`int`), all without case.
//
// A module without data section has no text constants, so a name is its bytes packed in words, the first byte lowest: eight bytes
// fit one word, and only DateTimeOffset needs a second.

import {
  TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT16, TYPE_INT32,
  TYPE_INT64, TYPE_NONE, TYPE_SBYTE, TYPE_SINGLE, TYPE_SINGLE_ARRAY, TYPE_STRING, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from './types';

const SYSTEM: u64 = 0x2e6d6574737973; // "system."
const SYSTEM_TEXT: u64 = 0x2e6d6574737953; // "System."
const OFFSET_TAIL: u64 = 0x74657366666f; // "offset", the end of datetimeoffset
const OFFSET_TEXT: u64 = 0x74657366664f; // "Offset"

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
  const isFull = bytes > 7 && packFolded(text, 7) == SYSTEM;
  const p = isFull ? text + 7 : text;
  const length: usize = isFull ? <usize>bytes - 7 : <usize>bytes;
  if (length > 8) {
    if (length != 14 || packFolded(p + 8, 6) != OFFSET_TAIL || packFolded(p, 8) != SHORT_DATETIME) return TYPE_NONE;
    return TYPE_DATETIMEOFFSET;
  }
  const word = packFolded(p, length);
  // A NUL at the end would vanish in the word.
  if (length == 0 || load<u8>(p + length - 1) == 0) return TYPE_NONE;
  const type = typeFromShortName(word);
  return type != TYPE_NONE || isFull ? type : typeFromAlias(word);
}

const SHORT_DATETIME: u64 = 0x656d697465746164; // "datetime"

/** `word`: a short name packed in lower case. */
function typeFromShortName(word: u64): u32 {
  if (word == 0x676e69727473) return TYPE_STRING; // string
  if (word == 0x6e61656c6f6f62) return TYPE_BOOLEAN; // boolean
  if (word == 0x65747962) return TYPE_BYTE; // byte
  if (word == 0x6574796273) return TYPE_SBYTE; // sbyte
  if (word == 0x3631746e69) return TYPE_INT16; // int16
  if (word == 0x3631746e6975) return TYPE_UINT16; // uint16
  if (word == 0x3233746e69) return TYPE_INT32; // int32
  if (word == 0x3233746e6975) return TYPE_UINT32; // uint32
  if (word == 0x3436746e69) return TYPE_INT64; // int64
  if (word == 0x3436746e6975) return TYPE_UINT64; // uint64
  if (word == 0x656c676e6973) return TYPE_SINGLE; // single
  if (word == 0x656c62756f64) return TYPE_DOUBLE; // double
  if (word == 0x6c616d69636564) return TYPE_DECIMAL; // decimal
  if (word == 0x72616863) return TYPE_CHAR; // char
  if (word == 0x656d697465746164) return TYPE_DATETIME; // datetime
  if (word == 0x6e617073656d6974) return TYPE_TIMESPAN; // timespan
  if (word == 0x64697567) return TYPE_GUID; // guid
  if (word == 0x5d5b656c676e6973) return TYPE_SINGLE_ARRAY; // single[]
  return TYPE_NONE;
}

/** `word`: a C# alias packed in lower case. Those equal to the short name are found there. */
function typeFromAlias(word: u64): u32 {
  if (word == 0x6c6f6f62) return TYPE_BOOLEAN; // bool
  if (word == 0x74726f6873) return TYPE_INT16; // short
  if (word == 0x74726f687375) return TYPE_UINT16; // ushort
  if (word == 0x746e69) return TYPE_INT32; // int
  if (word == 0x746e6975) return TYPE_UINT32; // uint
  if (word == 0x676e6f6c) return TYPE_INT64; // long
  if (word == 0x676e6f6c75) return TYPE_UINT64; // ulong
  if (word == 0x74616f6c66) return TYPE_SINGLE; // float
  if (word == 0x5d5b74616f6c66) return TYPE_SINGLE_ARRAY; // float[]
  return TYPE_NONE;
}

/** Writes the full name at `out` (24 bytes free); returns its bytes, 0 for an unknown type. */
export function writeTypeName(type: u32, out: usize): u32 {
  store<u64>(out, SYSTEM_TEXT);
  const p = out + 7;
  switch (type) {
    case TYPE_STRING: // String
      store<u64>(p, 0x676e69727453);
      return 13;
    case TYPE_BOOLEAN: // Boolean
      store<u64>(p, 0x6e61656c6f6f42);
      return 14;
    case TYPE_BYTE: // Byte
      store<u64>(p, 0x65747942);
      return 11;
    case TYPE_SBYTE: // SByte
      store<u64>(p, 0x6574794253);
      return 12;
    case TYPE_INT16: // Int16
      store<u64>(p, 0x3631746e49);
      return 12;
    case TYPE_UINT16: // UInt16
      store<u64>(p, 0x3631746e4955);
      return 13;
    case TYPE_INT32: // Int32
      store<u64>(p, 0x3233746e49);
      return 12;
    case TYPE_UINT32: // UInt32
      store<u64>(p, 0x3233746e4955);
      return 13;
    case TYPE_INT64: // Int64
      store<u64>(p, 0x3436746e49);
      return 12;
    case TYPE_UINT64: // UInt64
      store<u64>(p, 0x3436746e4955);
      return 13;
    case TYPE_SINGLE: // Single
      store<u64>(p, 0x656c676e6953);
      return 13;
    case TYPE_DOUBLE: // Double
      store<u64>(p, 0x656c62756f44);
      return 13;
    case TYPE_DECIMAL: // Decimal
      store<u64>(p, 0x6c616d69636544);
      return 14;
    case TYPE_CHAR: // Char
      store<u64>(p, 0x72616843);
      return 11;
    case TYPE_DATETIME: // DateTime
      store<u64>(p, 0x656d695465746144);
      return 15;
    case TYPE_DATETIMEOFFSET: // DateTimeOffset
      store<u64>(p, 0x656d695465746144);
      store<u64>(p, OFFSET_TEXT, 8);
      return 21;
    case TYPE_TIMESPAN: // TimeSpan
      store<u64>(p, 0x6e617053656d6954);
      return 15;
    case TYPE_GUID: // Guid
      store<u64>(p, 0x64697547);
      return 11;
    case TYPE_SINGLE_ARRAY: // Single[]
      store<u64>(p, 0x5d5b656c676e6953);
      return 15;
    default:
      return 0;
  }
}
