// A text under construction: interpolated strings, joins, formatted values, StringBuilder. A builder is a record in SCRATCH:
//
//    0  u32 x 2   the object's header
//    8  u32       address of the text's record, whose header is written at the end
//   12  u32       bytes of text so far
//   16  u32       bytes there is room for
//   20  u32       0, or the failure that ended it: from then on it takes nothing
//
// What it holds is valid WTF-8 at every moment: a low surrogate that comes behind a high one becomes one character with it.
// Address 0 is the builder that did not fit; it takes everything and ends as a failure. Knows bytes; nothing of types.

import { writeCodePoint } from '../values/json-text';
import { INFO_ASCII, RECORD_HEADER } from '../values/record';
import { FAIL_HOST, FAIL_MEMORY } from './failures';
import { KEPT, keptNow } from './objects';
import { runAllocate, runOpaque } from './run-heap';
import { bytesOf, dataOf, finish } from './texts';

const RECORD: usize = 8;
const USED: usize = 12;
const CAPACITY: usize = 16;
const FAILURE: usize = 20;
/** And no more, but for those that are objects. */
const BUILDER_BYTES: usize = 24;

const FIRST_CAPACITY: u32 = 56;
/** No text is larger. */
const MOST_BYTES: u32 = 0x20000000;

/** An empty builder, or 0. */
export function builderNew(): usize {
  // One allocation for both: most texts are short.
  const builder = runAllocate(BUILDER_BYTES + RECORD_HEADER + <usize>FIRST_CAPACITY);
  if (builder == 0) return 0;
  store<u64>(builder, 0);
  store<u32>(builder, <u32>(builder + BUILDER_BYTES), RECORD);
  store<u32>(builder, 0, USED);
  store<u32>(builder, FIRST_CAPACITY, CAPACITY);
  store<u32>(builder, 0, FAILURE);
  return builder;
}

/** Gives the builder at an address its first record; false without room. */
export function builderStart(builder: usize, capacity: u32): bool {
  capacity = (capacity + 7) & ~7;
  const record = runAllocate(RECORD_HEADER + <usize>capacity);
  if (record == 0) return false;
  runOpaque(record);
  store<u32>(builder, <u32>record, RECORD);
  store<u32>(builder, capacity, CAPACITY);
  return true;
}

/** Ends a builder: it was asked for what C# throws at. The first failure counts. */
export function builderFail(builder: usize, failure: u32): void {
  if (builder != 0 && load<u32>(builder, FAILURE) == 0) store<u32>(builder, failure, FAILURE);
}

/** What ended a builder is forgotten: it goes on. */
export function builderRevive(builder: usize): void {
  store<u32>(builder, 0, FAILURE);
}

/** 0, or the failure that ended it. */
export function builderFailure(builder: usize): u32 {
  return builder == 0 ? FAIL_MEMORY : load<u32>(builder, FAILURE);
}

/** Where the next `bytes` may be written before `builderCommit`; 0 = the builder has ended. */
export function builderRoom(builder: usize, bytes: u32): usize {
  if (builder == 0 || load<u32>(builder, FAILURE) != 0) return 0;
  const used = load<u32>(builder, USED);
  const record = <usize>load<u32>(builder, RECORD);
  let capacity = load<u32>(builder, CAPACITY);
  if (bytes <= capacity - used) return record + RECORD_HEADER + <usize>used;
  if (bytes > MOST_BYTES - used) {
    builderFail(builder, FAIL_MEMORY);
    return 0;
  }
  // What a call makes ends with it.
  if (load<u32>(builder) & KEPT && !keptNow()) {
    builderFail(builder, FAIL_HOST);
    return 0;
  }
  capacity = (max<u32>(used + bytes, min<u32>(2 * capacity, MOST_BYTES)) + 7) & ~7;
  const larger = runAllocate(RECORD_HEADER + <usize>capacity);
  if (larger == 0) {
    builderFail(builder, FAIL_MEMORY);
    return 0;
  }
  runOpaque(larger);
  memory.copy(larger + RECORD_HEADER, record + RECORD_HEADER, <usize>used);
  store<u32>(builder, <u32>larger, RECORD);
  store<u32>(builder, capacity, CAPACITY);
  return larger + RECORD_HEADER + <usize>used;
}

/** The first `bytes` of the room are written; no surrogate at their start. */
// @ts-ignore: decorator
@inline
export function builderCommit(builder: usize, bytes: u32): void {
  store<u32>(builder, load<u32>(builder, USED) + bytes, USED);
}

/** Bytes so far; for `builderTruncate`. */
export function builderBytes(builder: usize): u32 {
  return builder == 0 ? 0 : load<u32>(builder, USED);
}

export function builderTruncate(builder: usize, bytes: u32): void {
  if (builder != 0) store<u32>(builder, bytes, USED);
}

/** First byte of the text; it moves when the builder grows. */
export function builderData(builder: usize): usize {
  return <usize>load<u32>(builder, RECORD) + RECORD_HEADER;
}

export function builderByte(builder: usize, byte: u32): void {
  const out = builderRoom(builder, 1);
  if (out == 0) return;
  store<u8>(out, byte);
  builderCommit(builder, 1);
}

/** Up to eight ASCII characters, the first in the lowest byte. */
export function builderWord(builder: usize, word: u64): void {
  const out = builderRoom(builder, 8);
  if (out == 0) return;
  store<u64>(out, word);
  builderCommit(builder, 8 - <u32>(clz<u64>(word) >> 3));
}

/** `count` times one ASCII character. */
export function builderFill(builder: usize, byte: u32, count: u32): void {
  const out = builderRoom(builder, count);
  if (out == 0) return;
  memory.fill(out, <u8>byte, <usize>count);
  builderCommit(builder, count);
}

/** The high surrogate that ends the text, 0 when none does. */
function openSurrogate(builder: usize): u32 {
  const used = load<u32>(builder, USED);
  if (used < 3) return 0;
  const end = builderData(builder) + <usize>used;
  if (load<u8>(end - 3) != 0xed || (load<u8>(end - 2) & 0xf0) != 0xa0) return 0;
  return 0xd000 | ((<u32>load<u8>(end - 2) & 63) << 6) | (<u32>load<u8>(end - 1) & 63);
}

/** One UTF-16 unit. */
export function builderUnit(builder: usize, unit: u32): void {
  const out = builderRoom(builder, 4);
  if (out == 0) return;
  if ((unit & 0xfc00) == 0xdc00) {
    const high = openSurrogate(builder);
    if (high != 0) {
      builderTruncate(builder, load<u32>(builder, USED) - 3);
      // One that is an object measures its text anew.
      if (load<u32>(builder) != 0) store<u64>(builder, <u64>INFO_ASCII << 32, BUILDER_BYTES);
      builderCommit(builder, writeCodePoint(out - 3, 0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff)));
      return;
    }
  }
  builderCommit(builder, writeCodePoint(out, unit));
}

/** `bytes` bytes of WTF-8 at `from`. */
export function builderPiece(builder: usize, from: usize, bytes: u32): void {
  if (bytes >= 3 && load<u8>(from) == 0xed && load<u8>(from, 1) >= 0xb0 && builder != 0) {
    // A low surrogate first: it may find its partner.
    builderUnit(builder, 0xd000 | ((<u32>load<u8>(from, 1) & 63) << 6) | (<u32>load<u8>(from, 2) & 63));
    from += 3;
    bytes -= 3;
  }
  const out = builderRoom(builder, bytes);
  if (out == 0) return;
  memory.copy(out, from, <usize>bytes);
  builderCommit(builder, bytes);
}

/** A text; null is empty. */
export function builderText(builder: usize, text: u32): void {
  if (text != 0) builderPiece(builder, dataOf(text), bytesOf(text));
}

/** Completes the text, which is the builder's own memory: nothing may be added afterwards. Or its failure. */
export function builderFinish(builder: usize): u32 {
  const failure = builderFailure(builder);
  if (failure != 0) return failure;
  return finish(<usize>load<u32>(builder, RECORD), load<u32>(builder, USED));
}
