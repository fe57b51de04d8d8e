// JSON strings in and out of WTF-8. Written: quotes, backslashes and controls are escaped, a lone surrogate becomes \udXXX, every
// other character stays as it is. Read: strict (RFC 8259): raw controls, unknown escapes and broken UTF-8 are refused; an escaped
// surrogate pair becomes one four-byte character, an escaped lone surrogate stays one as WTF-8.
//
// Runs without anything special are copied sixteen bytes at a time. State: instance-own results of the last read.

import { hexValue } from './scan';
import { characterLength } from './utf8';

/** After readJsonString: the address behind the closing quote, or of the offending byte. */
export let jsonStringEnd: usize = 0;
/** After readJsonString: bytes written. */
export let jsonStringBytes: u32 = 0;

const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;

/** Bytes that are enough for the quoted form of `bytes` bytes. */
// @ts-ignore: decorator
@inline
export function jsonStringBound(bytes: u32): u32 {
  return 2 + 6 * bytes;
}

/** Copies `count` < 16 bytes without touching any others. */
// @ts-ignore: decorator
@inline
function copyShort(out: usize, p: usize, count: usize): void {
  if (count >= 8) {
    const tail = load<u64>(p + count - 8);
    store<u64>(out, load<u64>(p));
    store<u64>(out + count - 8, tail);
  } else if (count >= 4) {
    const tail = load<u32>(p + count - 4);
    store<u32>(out, load<u32>(p));
    store<u32>(out + count - 4, tail);
  } else if (count != 0) {
    const middle = load<u8>(p + (count >> 1));
    const last = load<u8>(p + count - 1);
    store<u8>(out, load<u8>(p));
    store<u8>(out + (count >> 1), middle);
    store<u8>(out + count - 1, last);
  }
}

// @ts-ignore: decorator
@inline
function hexDigit(value: u32): u32 {
  return value + (value < 10 ? 48 : 87);
}

/** Writes \uXXXX. */
function writeUnit(out: usize, unit: u32): void {
  store<u16>(out, 0x755c);
  store<u8>(out, hexDigit(unit >> 12), 2);
  store<u8>(out, hexDigit((unit >> 8) & 15), 3);
  store<u8>(out, hexDigit((unit >> 4) & 15), 4);
  store<u8>(out, hexDigit(unit & 15), 5);
}

/** Letter of the short escape of a control, 0 when it has none. */
// @ts-ignore: decorator
@inline
function shortEscape(byte: u32): u32 {
  if (byte == 10) return 110;
  if (byte == 13) return 114;
  if (byte == 9) return 116;
  if (byte == 8) return 98;
  return byte == 12 ? 102 : 0;
}

/** One bit for each byte of a block that cannot be copied as it is: quote, backslash, control, and ED for `marks`. */
// @ts-ignore: decorator
@inline
function specialMask(block: v128): i32 {
  const quotes = v128.or(i8x16.eq(block, i8x16.splat(34)), i8x16.eq(block, i8x16.splat(92)));
  const controls = v128.or(i8x16.lt_u(block, i8x16.splat(32)), i8x16.eq(block, i8x16.splat(<i8>0xed)));
  return i8x16.bitmask(v128.or(quotes, controls));
}

// @ts-ignore: decorator
@inline
function isSpecial(byte: u32): bool {
  return byte < 32 || byte == QUOTE || byte == BACKSLASH || byte == 0xed;
}

/** Writes the string at `p` with quotes to `out` (jsonStringBound(bytes) bytes free); returns the bytes written. */
export function writeJsonString(text: usize, bytes: u32, out: usize): u32 {
  const start = out;
  const end = text + <usize>bytes;
  let p = text;
  store<u8>(out, QUOTE);
  out += 1;
  while (p < end) {
    while (p + 16 <= end) {
      const block = v128.load(p);
      const mask = specialMask(block);
      if (mask != 0) {
        const clean = <usize>ctz(mask);
        copyShort(out, p, clean);
        p += clean;
        out += clean;
        break;
      }
      v128.store(out, block);
      p += 16;
      out += 16;
    }
    while (p < end) {
      const byte = <u32>load<u8>(p);
      if (isSpecial(byte)) break;
      store<u8>(out, byte);
      p += 1;
      out += 1;
    }
    if (p >= end) break;
    const byte = <u32>load<u8>(p);
    if (byte == 0xed) {
      const second = p + 1 < end ? <u32>load<u8>(p, 1) : 0;
      const isSurrogate = second >= 0xa0 && p + 2 < end;
      if (isSurrogate) {
        writeUnit(out, 0xd000 | ((second & 63) << 6) | (<u32>load<u8>(p, 2) & 63));
        p += 3;
        out += 6;
      } else {
        store<u8>(out, byte);
        p += 1;
        out += 1;
      }
      continue;
    }
    const letter = byte < 32 ? shortEscape(byte) : byte;
    if (letter != 0) {
      store<u16>(out, BACKSLASH | (letter << 8));
      out += 2;
    } else {
      writeUnit(out, byte);
      out += 6;
    }
    p += 1;
  }
  store<u8>(out, QUOTE);
  return <u32>(out + 1 - start);
}

/** One bit for each byte of a block that ends a plain ASCII run: quote, backslash, control, or beyond ASCII. */
// @ts-ignore: decorator
@inline
function stopMask(block: v128): i32 {
  const quotes = v128.or(i8x16.eq(block, i8x16.splat(34)), i8x16.eq(block, i8x16.splat(92)));
  // As signed bytes, everything beyond ASCII is below the space too.
  return i8x16.bitmask(v128.or(quotes, i8x16.lt_s(block, i8x16.splat(32))));
}

/** The four hexadecimal digits at `p`, or -1. */
function readUnit(p: usize, end: usize): i32 {
  if (p + 4 > end) return -1;
  let unit: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const digit = hexValue(load<u8>(p + i));
    if (digit > 15) return -1;
    unit = (unit << 4) | digit;
  }
  return <i32>unit;
}

/** Writes a code point (a surrogate too) as WTF-8; returns the bytes. */
export function writeCodePoint(out: usize, code: u32): u32 {
  if (code < 0x80) {
    store<u8>(out, code);
    return 1;
  }
  if (code < 0x800) {
    store<u8>(out, 0xc0 | (code >> 6));
    store<u8>(out, 0x80 | (code & 63), 1);
    return 2;
  }
  if (code < 0x10000) {
    store<u8>(out, 0xe0 | (code >> 12));
    store<u8>(out, 0x80 | ((code >> 6) & 63), 1);
    store<u8>(out, 0x80 | (code & 63), 2);
    return 3;
  }
  store<u8>(out, 0xf0 | (code >> 18));
  store<u8>(out, 0x80 | ((code >> 12) & 63), 1);
  store<u8>(out, 0x80 | ((code >> 6) & 63), 2);
  store<u8>(out, 0x80 | (code & 63), 3);
  return 4;
}

let escapeBytes: u32 = 0; // bytes the last escape wrote

/** Decodes the escape whose backslash is at `p` to `out`; returns the address after it, 0 when it is broken. */
function readEscape(p: usize, end: usize, out: usize): usize {
  if (p + 1 >= end) return 0;
  const letter = <u32>load<u8>(p, 1);
  escapeBytes = 1;
  let byte: u32 = 0;
  if (letter == QUOTE || letter == BACKSLASH || letter == 47) byte = letter;
  else if (letter == 110) byte = 10;
  else if (letter == 114) byte = 13;
  else if (letter == 116) byte = 9;
  else if (letter == 98) byte = 8;
  else if (letter == 102) byte = 12;
  else if (letter != 117) return 0;
  if (byte != 0) {
    store<u8>(out, byte);
    return p + 2;
  }
  const unit = readUnit(p + 2, end);
  if (unit < 0) return 0;
  p += 6;
  let code = <u32>unit;
  if ((code & 0xfc00) == 0xd800 && p + 6 <= end && load<u16>(p) == 0x755c) {
    const low = readUnit(p + 2, end);
    if ((low & 0xfc00) == 0xdc00 && low > 0) {
      code = 0x10000 + ((code & 0x3ff) << 10) + (<u32>low & 0x3ff);
      p += 6;
    }
  }
  escapeBytes = writeCodePoint(out, code);
  return p;
}

/**
 * Decodes a JSON string body. `p`: just behind the opening quote; `end`: end of the text; `out`: room for the body's bytes, which
 * may be `p` itself or lie before it (decoding never grows). True on success, with jsonStringEnd and jsonStringBytes set.
 */
export function readJsonString(p: usize, end: usize, out: usize): bool {
  const start = out;
  while (p < end) {
    while (p + 16 <= end) {
      const block = v128.load(p);
      const mask = stopMask(block);
      if (mask != 0) {
        const clean = <usize>ctz(mask);
        copyShort(out, p, clean);
        p += clean;
        out += clean;
        break;
      }
      v128.store(out, block);
      p += 16;
      out += 16;
    }
    if (p >= end) break;
    const byte = <u32>load<u8>(p);
    if (byte == QUOTE) {
      jsonStringEnd = p + 1;
      jsonStringBytes = <u32>(out - start);
      return true;
    }
    if (byte == BACKSLASH) {
      const next = readEscape(p, end, out);
      if (next == 0) break;
      p = next;
      out += escapeBytes;
    } else if (byte < 32) {
      break;
    } else if (byte < 0x80) {
      store<u8>(out, byte);
      p += 1;
      out += 1;
    } else {
      const length = characterLength(p, end);
      if (length == 0) break;
      let i: u32 = 0;
      while (i < length) {
        store<u8>(out + <usize>i, load<u8>(p + <usize>i));
        i += 1;
      }
      p += length;
      out += length;
    }
  }
  jsonStringEnd = p;
  jsonStringBytes = <u32>(out - start);
  return false;
}
