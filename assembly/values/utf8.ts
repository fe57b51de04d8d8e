// UTF-8 and WTF-8 text: strict checking, its length in UTF-16 units, lone surrogates, and the order .NET gives strings.
//
// WTF-8 is UTF-8 in which a surrogate that has no partner stands as its own three bytes ED A0..BF xx. A surrogate pair is always
// one four-byte character, so equal strings are equal bytes. Text that comes from outside is strict UTF-8; lone surrogates arise
// only from JSON escapes and Char values.
//
// Blocks of sixteen bytes are read only where all sixteen belong to the text.

import { INFO_ASCII } from './record';

// @ts-ignore: decorator
@inline
function isContinuation(byte: u32): bool {
  return (byte & 0xc0) == 0x80;
}

/** First byte at or after `p` that begins no all-ASCII block of sixteen. */
// @ts-ignore: decorator
@inline
function skipAsciiBlocks(p: usize, end: usize): usize {
  while (p + 16 <= end && i8x16.bitmask(v128.load(p)) == 0) p += 16;
  return p;
}

/** Bytes of the strict UTF-8 character at `p`, 0 when there is none: no surrogates, no overlong forms, none above U+10FFFF. */
export function characterLength(p: usize, end: usize): u32 {
  const lead = <u32>load<u8>(p);
  if (lead < 0x80) return 1;
  const left = end - p;
  if (lead - 0xc2 < 0x1e) return left >= 2 && isContinuation(load<u8>(p, 1)) ? 2 : 0;
  if (lead >> 4 == 14) {
    if (left < 3) return 0;
    const second = <u32>load<u8>(p, 1);
    if (!isContinuation(second) || !isContinuation(load<u8>(p, 2))) return 0;
    return (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ? 0 : 3;
  }
  if (lead - 0xf0 < 5) {
    if (left < 4) return 0;
    const second = <u32>load<u8>(p, 1);
    if (!isContinuation(second) || !isContinuation(load<u8>(p, 2)) || !isContinuation(load<u8>(p, 3))) return 0;
    return (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90) ? 0 : 4;
  }
  return 0;
}

/** Offset of the first byte that is not strict UTF-8 (the lead byte of the broken character), or -1. */
export function validateUtf8(text: usize, bytes: u32): i32 {
  const end = text + <usize>bytes;
  let p = skipAsciiBlocks(text, end);
  while (p < end) {
    if (load<u8>(p) < 0x80) {
      p += 1;
      if ((p & 15) == 0) p = skipAsciiBlocks(p, end);
      continue;
    }
    const length = characterLength(p, end);
    if (length == 0) return <i32>(p - text);
    p += length;
  }
  return -1;
}

/** UTF-16 units of a WTF-8 string; INFO_ASCII is set when every character is ASCII (also for the empty string). */
export function utf16Info(text: usize, bytes: u32): u32 {
  const end = text + <usize>bytes;
  let p = skipAsciiBlocks(text, end);
  let units = <u32>(p - text);
  let high: u32 = 0;
  while (p + 16 <= end) {
    const block = v128.load(p);
    // Every byte but a continuation starts a unit; a lead of four bytes starts two.
    const starts = popcnt(i8x16.bitmask(i8x16.gt_s(block, i8x16.splat(-65))));
    const pairs = popcnt(i8x16.bitmask(i8x16.ge_u(block, i8x16.splat(<i8>0xf0))));
    units += <u32>(starts + pairs);
    high = 1;
    p += 16;
  }
  while (p < end) {
    const byte = <u32>load<u8>(p);
    units += <u32>!isContinuation(byte) + <u32>(byte >= 0xf0);
    high |= byte >> 7;
    p += 1;
  }
  return high == 0 ? units | INFO_ASCII : units;
}

/** True when a WTF-8 string holds a surrogate without partner. */
export function hasLoneSurrogate(text: usize, bytes: u32): bool {
  const end = text + <usize>bytes;
  let p = text;
  const mark = i8x16.splat(<i8>0xed);
  while (p < end) {
    while (p + 16 <= end && !v128.any_true(i8x16.eq(v128.load(p), mark))) p += 16;
    const blockEnd = min<usize>(end, p + 16);
    while (p < blockEnd) {
      if (load<u8>(p) == 0xed && p + 1 < end && load<u8>(p, 1) >= 0xa0) return true;
      p += 1;
    }
  }
  return false;
}

export function equalStrings(a: usize, aBytes: u32, b: usize, bBytes: u32): bool {
  return aBytes == bBytes && equalBytes(a, b, aBytes);
}

/** True when two runs of bytes are the same. */
export function equalBytes(a: usize, b: usize, bytes: u32): bool {
  if (a == b) return true;
  if (bytes >= 16) {
    const last = a + <usize>bytes - 16;
    const distance = b - a;
    while (a < last) {
      if (v128.any_true(v128.xor(v128.load(a), v128.load(a + distance)))) return false;
      a += 16;
    }
    // The last block overlaps the one before it.
    return !v128.any_true(v128.xor(v128.load(last), v128.load(last + distance)));
  }
  if (bytes >= 8) {
    const tail = <usize>bytes - 8;
    return ((load<u64>(a) ^ load<u64>(b)) | (load<u64>(a + tail) ^ load<u64>(b + tail))) == 0;
  }
  if (bytes >= 4) {
    const tail = <usize>bytes - 4;
    return ((load<u32>(a) ^ load<u32>(b)) | (load<u32>(a + tail) ^ load<u32>(b + tail))) == 0;
  }
  for (let i: usize = 0; i < <usize>bytes; i++) {
    if (load<u8>(a + i) != load<u8>(b + i)) return false;
  }
  return true;
}

/** Offset of the first differing byte of two runs of `bytes` bytes, or `bytes`. */
function firstDifference(a: usize, b: usize, bytes: usize): usize {
  let i: usize = 0;
  while (i + 16 <= bytes) {
    const mask = i8x16.bitmask(i8x16.ne(v128.load(a + i), v128.load(b + i)));
    if (mask != 0) return i + <usize>ctz(mask);
    i += 16;
  }
  while (i + 8 <= bytes) {
    const difference = load<u64>(a + i) ^ load<u64>(b + i);
    if (difference != 0) return i + <usize>(ctz(difference) >> 3);
    i += 8;
  }
  while (i < bytes && load<u8>(a + i) == load<u8>(b + i)) i += 1;
  return i;
}

/** First UTF-16 unit of the character at `p`, whose lead byte is E0 or above. */
function leadUnit(p: usize): u32 {
  const lead = <u32>load<u8>(p);
  const second = <u32>load<u8>(p, 1) & 63;
  const third = <u32>load<u8>(p, 2) & 63;
  if (lead < 0xf0) return ((lead & 15) << 12) | (second << 6) | third;
  // Of the pair, the high surrogate: the scalar's upper ten bits, less 0x10000.
  return 0xd7c0 + (((lead & 7) << 8) | (second << 2) | (third >> 4));
}

/**
 * Ordinal order of two strings by UTF-16 units, as .NET compares: -1, 0, 1. It differs from the order of the bytes only where one
 * string has a character above U+FFFF (a pair of surrogates, D800..DFFF) and the other one at or above U+D800.
 */
export function compareStrings(a: usize, aBytes: u32, b: usize, bBytes: u32): i32 {
  const shorter = <usize>min<u32>(aBytes, bBytes);
  const offset = firstDifference(a, b, shorter);
  if (offset == shorter) return aBytes == bBytes ? 0 : aBytes < bBytes ? -1 : 1;
  const aByte = <u32>load<u8>(a + offset);
  const bByte = <u32>load<u8>(b + offset);
  if (aByte >= 0xed && bByte >= 0xed) {
    const aUnit = leadUnit(a + offset);
    const bUnit = leadUnit(b + offset);
    if (aUnit != bUnit) return aUnit < bUnit ? -1 : 1;
    // A lone high surrogate against a pair with the same one: the pair goes on with a low surrogate, DC00 or more.
    const aPair = aByte >= 0xf0;
    const next = aPair ? b + offset + 3 : a + offset + 3;
    const nextEnd = aPair ? b + <usize>bBytes : a + <usize>aBytes;
    const above = next < nextEnd && load<u8>(next) >= 0xee && load<u8>(next) < 0xf0;
    return above == aPair ? -1 : 1;
  }
  return aByte < bByte ? -1 : 1;
}
