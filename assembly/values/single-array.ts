// The text of Single[]: round-trip numbers joined by commas, in brackets where elements are read, the empty text for no components.
// Data is little-endian f32, one after the other.

import { writeSingle } from './float-format';
import { floatBits, parseFloatText } from './float-parse';
import { isWhite, skipWhite } from './scan';
import { FORM_READ } from './types';

/** formatSingleArray: the text does not fit. */
export const NO_ROOM: u32 = 0xffffffff;
/** parseSingleArray: the text is no list of numbers; it has more components than there is room for. */
export const ARRAY_MALFORMED: i32 = -1;
export const ARRAY_TOO_LONG: i32 = -2;

/** Longest text of a component (-1.17549435E-38) with its comma. */
const COMPONENT_BYTES: usize = 16;
/** Room beyond its text that writing a component may use. */
const SLACK_BYTES: usize = 40;

/** Bytes that are enough to format `count` components. */
// @ts-ignore: decorator
@inline
export function singleArrayTextBound(count: u32): usize {
  return <usize>count * COMPONENT_BYTES + SLACK_BYTES;
}

/**
 * Reads components to `out`, which has room for `capacity` of them; returns how many, ARRAY_MALFORMED or ARRAY_TOO_LONG. Accepts
 * brackets around and white space anywhere between.
 */
export function parseSingleArray(text: usize, bytes: u32, out: usize, capacity: u32): i32 {
  let end = text + <usize>bytes;
  let p = skipWhite(text, end);
  while (end > p && isWhite(load<u8>(end - 1))) end -= 1;
  if (end - p >= 2 && load<u8>(p) == 91 && load<u8>(end - 1) == 93) {
    p = skipWhite(p + 1, end - 1);
    end -= 1;
    while (end > p && isWhite(load<u8>(end - 1))) end -= 1;
  }
  if (p == end) return 0;
  let count: u32 = 0;
  while (true) {
    let comma = p;
    while (comma < end && load<u8>(comma) != 44) comma += 1;
    if (!parseFloatText(p, comma, true)) return ARRAY_MALFORMED;
    if (count == capacity) return ARRAY_TOO_LONG;
    store<u32>(out + (<usize>count << 2), <u32>floatBits);
    count += 1;
    if (comma == end) return <i32>count;
    p = comma + 1;
  }
  return ARRAY_MALFORMED;
}

/**
 * Writes `count` components at `data` to `out`; returns the bytes, or NO_ROOM. `capacity` must exceed the text by up to 40 bytes of
 * working room, as singleArrayTextBound does.
 */
export function formatSingleArray(data: usize, count: u32, form: u32, out: usize, capacity: usize): u32 {
  const limit = out + capacity;
  const brackets = form == FORM_READ;
  let p = out;
  if (capacity < 2) return NO_ROOM;
  if (brackets) {
    store<u8>(p, 91);
    p += 1;
  }
  for (let i: u32 = 0; i < count; i++) {
    if (p + SLACK_BYTES > limit) return NO_ROOM;
    if (i != 0) {
      store<u8>(p, 44);
      p += 1;
    }
    p += writeSingle(p, load<u32>(data + (<usize>i << 2)));
  }
  if (brackets) {
    store<u8>(p, 93);
    p += 1;
  }
  return <u32>(p - out);
}
