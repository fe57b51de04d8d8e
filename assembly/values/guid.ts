// Guid: 16 bytes in the order of the text, so that bytes compare as .NET compares. Reads the forms N, D, B, P and X of .NET with
// white space around; writes D in lower case.

import { hexValue, skipSpace, skipSpaceBack } from './scan';

/** Reads `count` pairs of hexadecimal digits at `p` to `out`; false when one is not a digit. */
function readPairs(p: usize, out: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    const high = hexValue(load<u8>(p));
    const low = hexValue(load<u8>(p, 1));
    if ((high | low) > 15) return false;
    store<u8>(out + <usize>i, (high << 4) | low);
    p += 2;
  }
  return true;
}

function readDashed(p: usize, out: usize): bool {
  if (load<u8>(p, 8) != 45 || load<u8>(p, 13) != 45 || load<u8>(p, 18) != 45 || load<u8>(p, 23) != 45) return false;
  return (
    readPairs(p, out, 4) &&
    readPairs(p + 9, out + 4, 2) &&
    readPairs(p + 14, out + 6, 2) &&
    readPairs(p + 19, out + 8, 2) &&
    readPairs(p + 24, out + 10, 6)
  );
}

/** Reads a Guid to the 16 bytes at `out`. */
export function parseGuid(text: usize, end: usize, out: usize): bool {
  const p = skipSpace(text, end, false);
  end = skipSpaceBack(p, end, false);
  const length = end - p;
  if (length == 36) return readDashed(p, out);
  if (length == 32) return readPairs(p, out, 16);
  if (length < 38) return false;
  const open = <u32>load<u8>(p);
  const close = <u32>load<u8>(end - 1);
  if (length == 38 && ((open == 123 && close == 125) || (open == 40 && close == 41))) return readDashed(p + 1, out);
  return open == 123 && readGroups(p, end, out);
}

// Form X: {0xdddddddd,0xdddd,0xdddd,{0xdd,...}} with white space anywhere between the signs.

let at: usize = 0;

/** Skips white space, then the byte `expected`; false when another one is there. */
function readMark(end: usize, expected: u32): bool {
  at = skipSpace(at, end, false);
  if (at >= end || <u32>load<u8>(at) != expected) return false;
  at += 1;
  return true;
}

/** Reads 0x and hexadecimal digits worth at most `bytes` bytes, stored highest first. */
function readGroup(end: usize, out: usize, bytes: u32): bool {
  if (!readMark(end, 48)) return false;
  if (at >= end || (load<u8>(at) | 32) != 120) return false;
  at += 1;
  let value: u64 = 0;
  let count: u32 = 0;
  while (at < end) {
    const digit = hexValue(load<u8>(at));
    if (digit > 15) break;
    value = (value << 4) | <u64>digit;
    if (value >> (<u64>bytes << 3) != 0) return false;
    count += 1;
    at += 1;
  }
  for (let i: u32 = 0; i < bytes; i++) store<u8>(out + <usize>i, <u32>(value >> (<u64>(bytes - 1 - i) << 3)));
  return count > 0;
}

function readGroups(p: usize, end: usize, out: usize): bool {
  at = p + 1;
  if (!readGroup(end, out, 4) || !readMark(end, 44)) return false;
  if (!readGroup(end, out + 4, 2) || !readMark(end, 44)) return false;
  if (!readGroup(end, out + 6, 2) || !readMark(end, 44) || !readMark(end, 123)) return false;
  for (let i: usize = 8; i < 16; i++) {
    if (!readGroup(end, out + i, 1) || !readMark(end, i < 15 ? 44 : 125)) return false;
  }
  return readMark(end, 125) && at == end;
}

// @ts-ignore: decorator
@inline
function hexDigit(value: u32): u32 {
  return value + (value < 10 ? 48 : 87);
}

/** Writes the 36 bytes of form D. */
export function writeGuid(out: usize, record: usize): u32 {
  let p = out;
  for (let i: usize = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      store<u8>(p, 45);
      p += 1;
    }
    const byte = <u32>load<u8>(record + i);
    store<u8>(p, hexDigit(byte >> 4));
    store<u8>(p, hexDigit(byte & 15), 1);
    p += 2;
  }
  return 36;
}
