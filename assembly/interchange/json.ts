// The JSON tokens of a bulk line: white space, strings with their escapes, integers, and the record of what went wrong where.
//
// Every line is followed by a line feed in the buffer and at least 64 readable bytes, and a line feed is part of no token, so nothing
// here needs the line's end. Functions that read a token answer the address behind it, or 0 after `fail`. It may know nothing of
// the members of lines.

import { WORD_FALSE, WORD_NULL, WORD_TRUE } from '../generated/words';
import { writeCodePoint } from '../values/json-text';
import { hexValue } from '../values/scan';
import { validateUtf8 } from '../values/utf8';
import { BAD_FIELD, INVALID_UTF8, MALFORMED_JSON } from './codes';

export const LINE_FEED: u32 = 10;
export const QUOTE: u32 = 34;
export const COMMA: u32 = 44;
export const COLON: u32 = 58;
export const BACKSLASH: u32 = 92;
export const OPEN_BRACE: u32 = 123;
export const CLOSE_BRACE: u32 = 125;

// --- Failure ------------------------------------------------------------------------------------------------------------------------

let failureCode: i32 = 0;
let failureAt: usize = 0;
let failureText: usize = 0;
let failureTextBytes: u32 = 0;
let failureField: u32 = 0;

/** Records a failure at an address of the line; answers 0 so that callers can return it. */
export function fail(code: i32, at: usize): usize {
  return failNamed(code, at, 0, 0, 0);
}

/** The same with the offending name, as it stands in the line, and a member's number. */
export function failNamed(code: i32, at: usize, text: usize, textBytes: u32, field: u32): usize {
  failureCode = code;
  failureAt = at;
  failureText = text;
  failureTextBytes = textBytes;
  failureField = field;
  return 0;
}

export function failureIs(): i32 {
  return failureCode;
}
export function failedAt(): usize {
  return failureAt;
}
export function failedText(): usize {
  return failureText;
}
export function failedTextBytes(): u32 {
  return failureTextBytes;
}
export function failedField(): u32 {
  return failureField;
}

// --- White space ----------------------------------------------------------------------------------------------------------------------

/** First byte that is no space, tab or carriage return. */
// @ts-ignore: decorator
@inline
export function skipBlank(p: usize): usize {
  while (isBlank(load<u8>(p))) p += 1;
  return p;
}

// @ts-ignore: decorator
@inline
export function isBlank(byte: u32): bool {
  return byte == 32 || byte == 9 || byte == 13;
}

/** Behind the character `wanted` and the white space around it; 0 when something else stands there. */
// @ts-ignore: decorator
@inline
export function expect(p: usize, wanted: u32): usize {
  if (load<u8>(p) == wanted) {
    p += 1;
    return isBlank(load<u8>(p)) ? skipBlank(p) : p;
  }
  p = skipBlank(p);
  if (load<u8>(p) != wanted) return fail(MALFORMED_JSON, p);
  return skipBlank(p + 1);
}

// --- Strings --------------------------------------------------------------------------------------------------------------------------

/** First byte of a string's inside that is a quote, a backslash, a control character or not ASCII (negative as a signed byte). */
// @ts-ignore: decorator
@inline
export function scanPlain(p: usize): usize {
  while (true) {
    const chunk = v128.load(p);
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(chunk, i8x16.splat(34)), i8x16.eq(chunk, i8x16.splat(92))),
        i8x16.lt_s(chunk, i8x16.splat(32)),
      ),
    );
    if (stops != 0) return p + ctz(stops);
    p += 16;
  }
  return 0;
}

/** The same, but passes over everything that is not ASCII. */
// @ts-ignore: decorator
@inline
function scanText(p: usize): usize {
  while (true) {
    const chunk = v128.load(p);
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(chunk, i8x16.splat(34)), i8x16.eq(chunk, i8x16.splat(92))),
        i8x16.lt_u(chunk, i8x16.splat(32)),
      ),
    );
    if (stops != 0) return p + ctz(stops);
    p += 16;
  }
  return 0;
}

/**
 * Checks the inside of a string that starts at `p` (behind the quote) and answers the address of its closing quote. Escapes are
 * well-formed then and the bytes are UTF-8. `escapesSeen` says whether the text has to be unescaped.
 */
export function stringEnd(p: usize): usize {
  escaped = false;
  const start = p;
  p = scanPlain(p);
  if (load<u8>(p) == QUOTE) return p;
  let foreign = load<u8>(p) >= 0x80;
  while (true) {
    p = scanText(p);
    const byte = <u32>load<u8>(p);
    if (byte == QUOTE) break;
    if (byte != BACKSLASH) return fail(MALFORMED_JSON, p);
    escaped = true;
    const next = escapeEnd(p);
    if (next == 0) return fail(MALFORMED_JSON, p);
    p = next;
    // What stood before the first escape is known; behind it anything may come.
    foreign = true;
  }
  if (foreign) {
    const bad = validateUtf8(start, <u32>(p - start));
    if (bad >= 0) return fail(INVALID_UTF8, start + <usize>bad);
  }
  return p;
}

let escaped: bool = false;

/** Whether the string last passed to stringEnd holds escapes. */
// @ts-ignore: decorator
@inline
export function escapesSeen(): bool {
  return escaped;
}

/** Behind the escape at `p`, 0 when it is none. */
function escapeEnd(p: usize): usize {
  const kind = <u32>load<u8>(p, 1);
  if (kind == 117) return hex4(p + 2) < 0x10000 ? p + 6 : 0;
  return simpleEscape(kind) != 0 ? p + 2 : 0;
}

/** What a one-letter escape stands for, 0 when there is no such escape. */
function simpleEscape(kind: u32): u32 {
  if (kind == QUOTE || kind == BACKSLASH || kind == 47) return kind;
  if (kind == 98) return 8;
  if (kind == 102) return 12;
  if (kind == 110) return 10;
  if (kind == 114) return 13;
  if (kind == 116) return 9;
  return 0;
}

/** Four hexadecimal digits; 0x10000 or more when they are not. */
function hex4(p: usize): u32 {
  let value: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const digit = hexValue(load<u8>(p + i));
    if (digit > 15) return 0x10000;
    value = (value << 4) | digit;
  }
  return value;
}

/**
 * Writes the text of a checked string from `p` to its closing quote at `end`, without escapes, to `out` and answers its bytes: never
 * more than it had. A surrogate escape without its partner becomes the three bytes WTF-8 has for it. May write 16 bytes too many.
 */
export function unescape(p: usize, end: usize, out: usize): u32 {
  const start = out;
  while (p < end) {
    const chunk = v128.load(p);
    v128.store(out, chunk);
    const stops = i8x16.bitmask(i8x16.eq(chunk, i8x16.splat(92)));
    const plain = min<usize>(stops != 0 ? <usize>ctz(stops) : 16, end - p);
    p += plain;
    out += plain;
    if (p >= end || load<u8>(p) != BACKSLASH) continue;
    const kind = <u32>load<u8>(p, 1);
    if (kind != 117) {
      store<u8>(out, simpleEscape(kind));
      p += 2;
      out += 1;
      continue;
    }
    let unit = hex4(p + 2);
    p += 6;
    if ((unit & 0xfc00) == 0xd800 && end - p >= 6 && load<u16>(p) == 0x755c) {
      const low = hex4(p + 2);
      if ((low & 0xfc00) == 0xdc00) {
        unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        p += 6;
      }
    }
    out += writeCodePoint(out, unit);
  }
  return <u32>(out - start);
}

// --- Integers -------------------------------------------------------------------------------------------------------------------------

let integer: i64 = 0;

/** The integer last read. */
// @ts-ignore: decorator
@inline
export function integerRead(): i64 {
  return integer;
}

// @ts-ignore: decorator
@inline
function isDigit(byte: u32): bool {
  return byte - 48 < 10;
}

/**
 * Reads a JSON number that is an integer from `low` to `high`; behind it, or 0: BAD_FIELD with `field` for anything else that is
 * JSON, MALFORMED_JSON for what is not. At most 18 digits are looked at: the limits are 32-bit.
 */
export function readInteger(p: usize, low: i64, high: i64, field: u32): usize {
  const start = p;
  const negative = load<u8>(p) == 45;
  if (negative) p += 1;
  const digits = p;
  let value: i64 = 0;
  let digit = <u32>load<u8>(p) - 48;
  while (digit < 10) {
    // Beyond 18 digits the value no longer matters: it only has to stay out of range.
    if (p - digits < 18) value = value * 10 + <i64>digit;
    p += 1;
    digit = <u32>load<u8>(p) - 48;
  }
  if (p == digits) return failValue(start, field);
  if (p - digits > 1 && load<u8>(digits) == 48) return fail(MALFORMED_JSON, digits);
  const next = <u32>load<u8>(p);
  if (next == 46 || (next | 0x20) == 101) return fractionEnd(p) == 0 ? 0 : failNamed(BAD_FIELD, start, 0, 0, field);
  if (negative) value = -value;
  if (value < low || value > high || p - digits > 17) return failNamed(BAD_FIELD, start, 0, 0, field);
  integer = value;
  return p;
}

/** Behind the fraction and exponent of a number, 0 after MALFORMED_JSON. */
function fractionEnd(p: usize): usize {
  if (load<u8>(p) == 46) {
    p += 1;
    if (!isDigit(load<u8>(p))) return fail(MALFORMED_JSON, p);
    while (isDigit(load<u8>(p))) p += 1;
  }
  if ((load<u8>(p) | 0x20) == 101) {
    p += 1;
    if (load<u8>(p) == 43 || load<u8>(p) == 45) p += 1;
    if (!isDigit(load<u8>(p))) return fail(MALFORMED_JSON, p);
    while (isDigit(load<u8>(p))) p += 1;
  }
  return p;
}

/** A value of another JSON type than wanted: BAD_FIELD when it begins like one, MALFORMED_JSON otherwise. */
export function failValue(p: usize, field: u32): usize {
  const byte = <u32>load<u8>(p);
  const begins =
    byte == QUOTE ||
    byte == OPEN_BRACE ||
    byte == 91 ||
    (byte == 45 && isDigit(load<u8>(p, 1))) ||
    isDigit(byte) ||
    isNull(p) ||
    load<u32>(p) == <u32>WORD_TRUE ||
    (load<u32>(p) == <u32>WORD_FALSE && load<u8>(p, 4) == 101); // and its e
  return failNamed(begins ? BAD_FIELD : MALFORMED_JSON, p, 0, 0, field);
}

/** True when the letters `null` stand at `p`. */
// @ts-ignore: decorator
@inline
export function isNull(p: usize): bool {
  return load<u32>(p) == <u32>WORD_NULL;
}
