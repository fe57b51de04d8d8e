// The format string being read: `F2`, `#,##0.0`, `yyyy-MM-dd`. One at a time an instance; by UTF-16 units. Knows nothing of what is
// formatted.

import { runAllocate } from './run-heap';
import { dataOf, isAscii, textLength, widen } from './texts';

/** Units of the format. */
export let formatLength: i32 = 0;
let data: usize = 0;
let wide: bool = false;

/** Opens a text; false without room. */
export function openFormat(text: u32): bool {
  formatLength = <i32>textLength(text);
  wide = !isAscii(text);
  data = wide ? widen(text) : dataOf(text);
  return data != 0;
}

/** Opens up to 40 ASCII characters given as words, the first character in the lowest byte; each word but the last is full. */
export function openPattern(a: u64, b: u64 = 0, c: u64 = 0, d: u64 = 0, e: u64 = 0): bool {
  wide = false;
  data = runAllocate(40);
  if (data == 0) return false;
  store<u64>(data, a);
  store<u64>(data, b, 8);
  store<u64>(data, c, 16);
  store<u64>(data, d, 24);
  store<u64>(data, e, 32);
  formatLength = 0;
  while (formatLength < 40 && load<u8>(data + <usize>formatLength) != 0) formatLength++;
  return true;
}

/** Unit `at`; 0 beyond the end. */
export function formatUnit(at: i32): u32 {
  if (at >= formatLength) return 0;
  return wide ? <u32>load<u16>(data + 2 * <usize>at) : <u32>load<u8>(data + <usize>at);
}

/** How often the unit at `at` stands there in a row. */
export function formatRun(at: i32): i32 {
  const unit = formatUnit(at);
  let count = 1;
  while (at + count < formatLength && formatUnit(at + count) == unit) count++;
  return count;
}

// What `readSpecifier` found.
/** The letter in upper case; 0 for a custom format. */
export let specifierLetter: u32 = 0;
export let specifierLower: bool = false;
/** -1 when the format has none. */
export let specifierPrecision: i32 = 0;

/** Reads the format as a standard one of numbers: a letter, up to nine digits, NULs. False when the precision is too large. */
export function readSpecifier(): bool {
  specifierLetter = 0;
  const first = formatUnit(0);
  if ((first | 32) - 0x61 >= 26) return true;
  let at = 1;
  let precision = 0;
  while (at < formatLength && formatUnit(at) - 48 < 10) {
    // Ten digits make a custom format.
    if (at > 9) return true;
    precision = precision * 10 + <i32>(formatUnit(at) - 48);
    at++;
  }
  specifierPrecision = at == 1 ? -1 : precision;
  while (at < formatLength && formatUnit(at) == 0) at++;
  if (at < formatLength) return true;
  specifierLetter = first & ~32;
  specifierLower = first >= 0x61;
  return specifierPrecision <= 999999;
}
