// Writing text into the instance's OUTPUT buffer: room, numbers, dates and interned names.
// A writer holds the address `p` of the next byte and hands it on; `outputRoom` answers an address with that much room
// behind it, which may have moved, or 0 when the buffer cannot grow. Bytes before `p` are committed when room runs out and by
// `outputEnd`. A read with a bound gives up where its text outgrows it. The state below is the instance's own. Knows buffers and interned
// strings, nothing of elements.

import { putNull } from '../generated/element-texts';
import { INTERN_HEADER, internAddress } from '../graph/intern';
import { arenaNeed, outBase, outBegin, outCommit, outReserve, outTruncate, outUsed } from '../memory/arena';
import { NONE } from '../memory/layout';
import { ARENA_TOO_SMALL, LIMIT_MET, NO_MEMORY } from '../status';
import { jsonStringBound, writeJsonString } from '../values/json-text';

/** Bytes asked for at a time, so that small pieces do not ask each. */
const STEP_BYTES: usize = 16384;

/** Longest piece of a string escaped at once, so that a 10 MB value never reserves six times its length. */
const PIECE_BYTES: usize = 8192;

let start: usize = 0;
let end: usize = 0;
/** Bytes of the text after which its read gives up; 0: no bound. */
let most: usize = 0;
let nextMost: usize = 0;
let isOver: bool = false;

/** The next read gives up (LIMIT_MET) once its text takes about so many bytes; 0: it does not. */
export function outputMost(bytes: usize): void {
  nextMost = bytes;
}

/** Empties OUTPUT; answers the address of the first byte (0 only when not even a small buffer exists). */
export function outputBegin(): usize {
  outBegin();
  start = 0;
  end = 0;
  most = nextMost;
  nextMost = 0;
  isOver = false;
  return outputRoom(0, 64);
}

/** `p` with at least `bytes` writable bytes behind it, moved if need be; 0 when the buffer cannot hold them. */
// @ts-ignore: decorator
@inline
export function outputRoom(p: usize, bytes: usize): usize {
  return p + bytes <= end ? p : outputMore(p, bytes);
}

function outputMore(p: usize, bytes: usize): usize {
  outCommit(p - start);
  if (most != 0 && (outUsed() > most || bytes > most)) {
    isOver = true;
    start = 0;
    end = 0;
    return 0;
  }
  let size = max<usize>(bytes, STEP_BYTES);
  let next = outReserve(size);
  if (!next && bytes < size) {
    size = bytes;
    next = outReserve(size);
  }
  start = next;
  end = next ? next + size : 0;
  return next;
}

/** Everything before `p` counts as written. */
export function outputEnd(p: usize): void {
  outCommit(p - start);
  start = p;
}

/** Bytes written so far, those before `p` included: a place to come back to with `outputRewind`. */
// @ts-ignore: decorator
@inline
export function outputMark(p: usize): usize {
  return outUsed() + (p - start);
}

/** Takes back everything after `mark` and answers the address to write at. */
export function outputRewind(p: usize, mark: usize): usize {
  const committed = outUsed();
  if (mark >= committed && p) return start + (mark - committed);
  outTruncate(mark);
  start = outBase() + mark;
  end = start;
  return start;
}

/** What a read answers when `outputRoom` was refused: only a reader, whose buffers cannot grow, names a need. */
export function outputFailure(): i32 {
  if (isOver) return LIMIT_MET;
  return arenaNeed() ? ARENA_TOO_SMALL : NO_MEMORY;
}

// @ts-ignore: decorator
@inline
export function writeByte(p: usize, byte: u32): usize {
  store<u8>(p, byte);
  return p + 1;
}

/** Eight decimal digits of `value` (< 10^8), first digit in the lowest byte, not yet ASCII. */
// @ts-ignore: decorator
@inline
function eightDigits(value: u32): u64 {
  const high = value / 10000;
  let words = <u64>high | ((<u64>(value - high * 10000)) << 32);
  const hundreds = ((words * 10486) >> 20) & 0x0000007f0000007f;
  words = hundreds | ((words - hundreds * 100) << 16);
  const tens = ((words * 103) >> 10) & 0x000f000f000f000f;
  return tens | ((words - tens * 10) << 8);
}

/** Writes `value` in decimal; needs 16 bytes of room (up to 8 bytes behind the number are overwritten). */
export function writeUnsigned(p: usize, value: u32): usize {
  if (value < 10) {
    store<u8>(p, 0x30 + value);
    return p + 1;
  }
  if (value >= 100000000) {
    const high = value / 100000000;
    value -= high * 100000000;
    if (high >= 10) {
      store<u8>(p, 0x30 + high / 10);
      p += 1;
    }
    store<u8>(p, 0x30 + (high % 10));
    store<u64>(p, eightDigits(value) | 0x3030303030303030, 1);
    return p + 9;
  }
  const digits = eightDigits(value);
  const leading = ctz(digits) & 56; // whole bytes of leading zeros; the value is not 0
  store<u64>(p, (digits | 0x3030303030303030) >> leading);
  return p + 8 - <usize>(leading >> 3);
}

// @ts-ignore: decorator
@inline
function twoDigits(value: u32): u32 {
  const tens = (value * 103) >> 10;
  return 0x3030 + tens + ((value - tens * 10) << 8);
}

/** Writes unix seconds as `yyyy-MM-ddTHH:mm:ss`, 19 bytes, UTC, proleptic Gregorian. */
export function writeDate(p: usize, seconds: u32): usize {
  const day = seconds / 86400;
  let second = seconds - day * 86400;
  // Years counted from 1 March 0000, so the leap day comes last; 1970-01-01 is day 719,468.
  const shifted = day + 719468;
  const century = (4 * shifted + 3) / 146097;
  const ofCentury = shifted - (146097 * century) / 4;
  const yearOfCentury = (4 * ofCentury + 3) / 1461;
  const ofYear = ofCentury - (1461 * yearOfCentury) / 4;
  let month = (5 * ofYear + 2) / 153;
  const dayOfMonth = ofYear - (153 * month + 2) / 5 + 1;
  const late = month >= 10;
  const year = 100 * century + yearOfCentury + u32(late);
  month = late ? month - 9 : month + 3;
  const hour = second / 3600;
  second -= hour * 3600;
  const minute = second / 60;
  second -= minute * 60;
  const yearHigh = year / 100;
  store<u16>(p, <u16>twoDigits(yearHigh));
  store<u16>(p, <u16>twoDigits(year - yearHigh * 100), 2);
  store<u8>(p, 0x2d, 4);
  store<u16>(p, <u16>twoDigits(month), 5);
  store<u8>(p, 0x2d, 7);
  store<u16>(p, <u16>twoDigits(dayOfMonth), 8);
  store<u8>(p, 0x54, 10);
  store<u16>(p, <u16>twoDigits(hour), 11);
  store<u8>(p, 0x3a, 13);
  store<u16>(p, <u16>twoDigits(minute), 14);
  store<u8>(p, 0x3a, 16);
  store<u16>(p, <u16>twoDigits(second), 17);
  return p + 19;
}

/** Writes WTF-8 text as a JSON string; 0 when OUTPUT is full. */
export function writeText(p: usize, text: usize, bytes: u32): usize {
  if (<usize>bytes > PIECE_BYTES) return writeLongText(p, text, bytes);
  p = outputRoom(p, <usize>jsonStringBound(bytes));
  return p ? p + <usize>writeJsonString(text, bytes, p) : 0;
}

/** The same in pieces cut between characters. */
function writeLongText(p: usize, text: usize, bytes: u32): usize {
  let left = <usize>bytes;
  let first = true;
  while (left > 0) {
    let piece = min<usize>(left, PIECE_BYTES);
    while (piece < left && (load<u8>(text + piece) & 0xc0) == 0x80) piece--;
    p = outputRoom(p, <usize>jsonStringBound(<u32>piece));
    if (!p) return 0;
    if (first) {
      p += <usize>writeJsonString(text, <u32>piece, p);
    } else {
      // A piece comes with quotes: its first one lands on the last byte before the quote that ended the text so far.
      const from = p - 2;
      const kept = load<u8>(from);
      p = from + <usize>writeJsonString(text, <u32>piece, from);
      store<u8>(from, kept);
    }
    first = false;
    text += piece;
    left -= piece;
  }
  return p;
}

/** Writes an interned string as a JSON string, `null` for NONE; 0 when OUTPUT is full. */
export function writeName(p: usize, name: u32): usize {
  if (name == NONE) {
    p = outputRoom(p, 4);
    return p ? putNull(p) : 0;
  }
  const record = internAddress(name);
  return writeText(p, record + INTERN_HEADER, load<u32>(record));
}
