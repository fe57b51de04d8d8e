// Does a text contain a term, ignoring case ordinally? Texts are WTF-8.
//
// An ASCII term is looked for among bytes: no byte of a longer sequence is below 0x80, so a match is a match of characters. The
// search compares the first and the last byte at sixteen places at once and looks at the bytes between only where both fit.
// Any other term is a row of upper-cased UTF-16 units and is looked for by Knuth, Morris and Pratt's automaton while the text
// is decoded, because a lone surrogate may match half of a pair; it needs 6 bytes a unit of the term and none for the text.
//
// Term in memory: { u32 bytes, u32 units (0: ASCII), then lower-cased bytes | u16 units padded to 4, then u32 fallbacks }.

import { scratchAllocate } from '../memory/arena';
import { caseTable, upperUnit } from './case-table';

const TERM_UNITS: usize = 4;
const TERM_HEADER: usize = 8;

/** Prepares `bytes` of term text in scratch; 0 when scratch is full. The caller releases scratch. */
export function prepareTerm(text: usize, bytes: u32): usize {
  let ascii = true;
  for (let i: u32 = 0; i < bytes; i++) {
    if (load<u8>(text + i) >= 0x80) {
      ascii = false;
      break;
    }
  }
  const term = scratchAllocate(TERM_HEADER + (ascii ? <usize>bytes : 6 * <usize>bytes) + 32);
  if (!term) return 0;
  store<u32>(term, bytes);
  store<u32>(term, 0, TERM_UNITS);
  if (ascii) {
    for (let i: u32 = 0; i < bytes; i++) store<u8>(term + TERM_HEADER + i, lowerAscii(load<u8>(text + i)));
  } else {
    store<u32>(term, writeUnits(text, bytes, term + TERM_HEADER), TERM_UNITS);
    writeFallbacks(term);
  }
  return term;
}

/** Whether the term has to be looked for at all in a text that is `ascii`. */
// @ts-ignore: decorator
@inline
export function termCanMatch(term: usize, bytes: u32, ascii: bool): bool {
  return load<u32>(term, TERM_UNITS) ? !ascii : bytes >= load<u32>(term);
}

/** Whether the text contains the prepared term. */
export function containsTerm(term: usize, text: usize, bytes: u32): bool {
  const units = load<u32>(term, TERM_UNITS);
  if (units) return containsUnits(term, units, text, text + bytes);
  const length = load<u32>(term);
  if (length == 0) return true;
  if (bytes < length) return false;
  return containsBytes(term + TERM_HEADER, length, text, bytes);
}

// @ts-ignore: decorator
@inline
function lowerAscii(byte: u32): u32 {
  return byte - 0x41 < 26 ? byte + 32 : byte;
}

/** 0x20 for a letter: or-ing it into a byte makes both cases one; no other byte becomes a letter that way. */
// @ts-ignore: decorator
@inline
function caseBit(lower: u32): u32 {
  return lower - 0x61 < 26 ? 0x20 : 0;
}

function containsBytes(term: usize, length: u32, text: usize, bytes: u32): bool {
  const first = <u32>load<u8>(term);
  const last = <u32>load<u8>(term + length - 1);
  const firstBit = i8x16.splat(<i8>caseBit(first));
  const lastBit = i8x16.splat(<i8>caseBit(last));
  const firsts = i8x16.splat(<i8>first);
  const lasts = i8x16.splat(<i8>last);
  const places = bytes - length + 1;
  const memoryEnd = <u64>memory.size() << 16;
  let at: u32 = 0;
  while (at < places) {
    const p = text + at;
    // Reading behind the text is harmless (those places are masked out) unless memory ends there.
    if (<u64>p + <u64>length + 16 > memoryEnd) break;
    const fits = v128.and(
      i8x16.eq(v128.or(v128.load(p), firstBit), firsts),
      i8x16.eq(v128.or(v128.load(p + length - 1), lastBit), lasts),
    );
    let bits: u32 = i8x16.bitmask(fits);
    if (places - at < 16) bits &= (1 << (places - at)) - 1;
    while (bits != 0) {
      if (bytesMatch(p + ctz(bits), term, length)) return true;
      bits &= bits - 1;
    }
    at += 16;
  }
  for (; at < places; at++) {
    if (bytesMatch(text + at, term, length)) return true;
  }
  return false;
}

function bytesMatch(p: usize, term: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i++) {
    if (lowerAscii(load<u8>(p + i)) != <u32>load<u8>(term + i)) return false;
  }
  return true;
}

// --- Terms beyond ASCII ---------------------------------------------------------------------------------------------------

let decodeEnd: usize = 0;

/**
 * The code point at `p` of well-formed WTF-8; leaves the address behind it in `decodeEnd`. A sequence that the text's end cuts
 * off reads as its first byte.
 */
// @ts-ignore: decorator
@inline
function decode(p: usize, end: usize): u32 {
  const byte = <u32>load<u8>(p);
  const left = end - p;
  if (byte >= 0xf0 && left >= 4) {
    decodeEnd = p + 4;
    const low = ((<u32>load<u8>(p, 2) & 63) << 6) | (<u32>load<u8>(p, 3) & 63);
    return ((byte & 7) << 18) | ((<u32>load<u8>(p, 1) & 63) << 12) | low;
  }
  if (byte >= 0xe0 && byte < 0xf0 && left >= 3) {
    decodeEnd = p + 3;
    return ((byte & 15) << 12) | ((<u32>load<u8>(p, 1) & 63) << 6) | (<u32>load<u8>(p, 2) & 63);
  }
  if (byte >= 0xc0 && byte < 0xe0 && left >= 2) {
    decodeEnd = p + 2;
    return ((byte & 31) << 6) | (<u32>load<u8>(p, 1) & 63);
  }
  decodeEnd = p + 1;
  return byte;
}

function writeUnits(text: usize, bytes: u32, out: usize): u32 {
  const table = caseTable();
  const first = out;
  const end = text + bytes;
  let p = text;
  while (p < end) {
    const point = decode(p, end);
    p = decodeEnd;
    if (point >= 0x10000) {
      store<u16>(out, 0xd800 + ((point - 0x10000) >> 10));
      store<u16>(out, 0xdc00 + (point & 0x3ff), 2);
      out += 4;
    } else {
      store<u16>(out, upperUnit(table, point));
      out += 2;
    }
  }
  return <u32>((out - first) >> 1);
}

// @ts-ignore: decorator
@inline
function fallbacksOf(term: usize, units: u32): usize {
  return term + TERM_HEADER + ((2 * <usize>units + 3) & ~3);
}

/** fallback[i]: length of the longest proper border of the first i + 1 units. */
function writeFallbacks(term: usize): void {
  const units = load<u32>(term, TERM_UNITS);
  const text = term + TERM_HEADER;
  const fallbacks = fallbacksOf(term, units);
  store<u32>(fallbacks, 0);
  let border: u32 = 0;
  for (let i: u32 = 1; i < units; i++) {
    const unit = load<u16>(text + 2 * <usize>i);
    while (border > 0 && load<u16>(text + 2 * <usize>border) != unit) border = load<u32>(fallbacks + 4 * <usize>border - 4);
    if (load<u16>(text + 2 * <usize>border) == unit) border++;
    store<u32>(fallbacks + 4 * <usize>i, border);
  }
}

// @ts-ignore: decorator
@inline
function step(text: usize, fallbacks: usize, matched: u32, unit: u32): u32 {
  while (<u32>load<u16>(text + 2 * <usize>matched) != unit) {
    if (matched == 0) return 0;
    matched = load<u32>(fallbacks + 4 * <usize>matched - 4);
  }
  return matched + 1;
}

function containsUnits(term: usize, units: u32, text: usize, end: usize): bool {
  const table = caseTable();
  const wanted = term + TERM_HEADER;
  const fallbacks = fallbacksOf(term, units);
  let matched: u32 = 0;
  let p = text;
  while (p < end) {
    const point = decode(p, end);
    p = decodeEnd;
    if (point >= 0x10000) {
      matched = step(wanted, fallbacks, matched, 0xd800 + ((point - 0x10000) >> 10));
      if (matched == units) return true;
      matched = step(wanted, fallbacks, matched, 0xdc00 + (point & 0x3ff));
    } else {
      matched = step(wanted, fallbacks, matched, upperUnit(table, point));
    }
    if (matched == units) return true;
  }
  return false;
}
