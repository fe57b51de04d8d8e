// How often words stand in a text: matches of alternatives, each a literal, from left to right. The first alternative that matches at a
// place counts and the next match begins behind it, as in an expression of these alternatives with case ignored. Whole words are
// delimited by the text's ends and by ASCII characters that are no letter, digit or underscore.
//
// Sixteen places are looked at together: those where the first two characters of some alternative stand, case folded by one bit. That lets
// other pairs through, which the comparison turns down. Time: bytes of the text / 16 * alternatives, and the places that pass.
//
//   alternative (scratch)   16 x first byte, 16 x second byte, both with FOLD; u32 address of the literal, u32 bytes, u32 count, u32 zero

import { scratchAllocate } from '../memory/arena';

const ALT_SECOND: usize = 16;
const ALT_LITERAL: usize = 32;
const ALT_BYTES: usize = 36;
const ALT_COUNT: usize = 40;
const ALT_SIZE: usize = 48;
const FOLD: u32 = 0x20;
const LANES: usize = 16;

let table: usize = 0;
let tableEnd: usize = 0;
let whole: bool = false;
let textStart: usize = 0;
let textEnd: usize = 0;

/** Makes a query's alternatives (text.ts), each of one literal, ready to be counted. False: no memory. */
export function countBegin(query: usize, wholeWords: bool): bool {
  const alternatives = load<u32>(query);
  table = scratchAllocate(max<usize>(<usize>alternatives * ALT_SIZE, LANES));
  if (table == 0) return false;
  tableEnd = table + <usize>alternatives * ALT_SIZE;
  whole = wholeWords;
  let at = query + 4;
  for (let alt = table; alt < tableEnd; alt += ALT_SIZE) {
    const bytes = load<u32>(at, 4);
    const literal = at + 8;
    v128.store(alt, i8x16.splat(<i8>(load<u8>(literal) | FOLD)));
    v128.store(alt + ALT_SECOND, i8x16.splat(<i8>(load<u8>(literal + (bytes > 1 ? 1 : 0)) | FOLD)));
    store<u32>(alt, <u32>literal, ALT_LITERAL);
    store<u32>(alt, bytes, ALT_BYTES);
    at = literal + ((<usize>bytes + 3) & ~3);
  }
  return true;
}

/** Matches in a text; those of each alternative stand in its count. */
export function countMatches(text: usize, bytes: u32): u32 {
  textStart = text;
  textEnd = text + <usize>bytes;
  for (let alt = table; alt < tableEnd; alt += ALT_SIZE) store<u32>(alt, 0, ALT_COUNT);
  let total: u32 = 0;
  let free = text;
  let p = text;
  const fold = i8x16.splat(<i8>FOLD);
  for (; p + LANES + 1 <= textEnd; p += LANES) {
    const here = v128.or(v128.load(p), fold);
    const behind = v128.or(v128.load(p, 1), fold);
    let places = i64x2.splat(0);
    for (let alt = table; alt < tableEnd; alt += ALT_SIZE) {
      let same = i8x16.eq(here, v128.load(alt));
      if (load<u32>(alt, ALT_BYTES) > 1) same = v128.and(same, i8x16.eq(behind, v128.load(alt, ALT_SECOND)));
      places = v128.or(places, same);
    }
    for (let bits = <u32>i8x16.bitmask(places); bits != 0; bits &= bits - 1) {
      const at = p + <usize>ctz(bits);
      if (at < free) continue;
      const length = matchAt(at);
      if (length == 0) continue;
      total++;
      free = at + <usize>length;
    }
  }
  for (; p < textEnd; p++) {
    if (p < free) continue;
    const length = matchAt(p);
    if (length == 0) continue;
    total++;
    free = p + <usize>length;
  }
  return total;
}

/** Of alternative `number`, in the text counted last. */
export function countOf(number: u32): u32 {
  return load<u32>(table + <usize>number * ALT_SIZE, ALT_COUNT);
}

/** Bytes of the first alternative that stands at a place, counted; 0 = none does. */
function matchAt(at: usize): u32 {
  if (whole && at > textStart && isWordByte(load<u8>(at - 1))) return 0;
  for (let alt = table; alt < tableEnd; alt += ALT_SIZE) {
    const bytes = load<u32>(alt, ALT_BYTES);
    const end = at + <usize>bytes;
    if (end > textEnd || !standsAt(at, load<u32>(alt, ALT_LITERAL), bytes)) continue;
    if (whole && end < textEnd && isWordByte(load<u8>(end))) continue;
    store<u32>(alt, load<u32>(alt, ALT_COUNT) + 1, ALT_COUNT);
    return bytes;
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function standsAt(at: usize, literal: usize, bytes: u32): bool {
  for (let i: usize = 0; i < <usize>bytes; i++) {
    const byte = <u32>load<u8>(at + i);
    if ((byte - 0x41 < 26 ? byte + 32 : byte) != <u32>load<u8>(literal + i)) return false;
  }
  return true;
}

/** Bytes of characters beyond ASCII are parts of words. */
// @ts-ignore: decorator
@inline
function isWordByte(byte: u32): bool {
  return byte >= 0x80 || (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10 || byte == 0x5f;
}
