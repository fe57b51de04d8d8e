// Strings as compiled fragments handle them: C# semantics over the core's WTF-8 records. A *text* is the address of a record,
// plus 1 when the record is an interned name; 0 is null, which only the functions that say so take. Indices and lengths are
// UTF-16 units. Comparison is ordinal; ignoring case is by the upper case of single units (scan/case-table.ts). What is all
// ASCII, which the record says, is compared as bytes; the rest is widened to UTF-16 in SCRATCH first. New texts lie in SCRATCH
// too and live until the caller's mark is released; a failure (failures.ts) stands for one that does not fit.

import { INTERN_HEADER, INTERN_ID, internFind } from '../graph/intern';
import { NONE } from '../memory/layout';
import { caseTable, lowerUnit, upperUnit } from '../scan/case-table';
import { hashBytes } from '../values/hash';
import { INFO_ASCII, INFO_UNITS, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { compareStrings, equalBytes, utf16Info } from '../values/utf8';
import { FAIL_HOST, FAIL_MEMORY } from './failures';
import { runAllocate, runMark, runOpaque, runRelease } from './run-heap';


// @ts-ignore: decorator
@inline
function recordOf(text: u32): usize {
  return <usize>(text & ~1);
}

// @ts-ignore: decorator
@inline
export function dataOf(text: u32): usize {
  return <usize>(text & ~1) + (text & 1 ? INTERN_HEADER : RECORD_HEADER);
}

// @ts-ignore: decorator
@inline
export function bytesOf(text: u32): u32 {
  return load<u32>(recordOf(text));
}

// @ts-ignore: decorator
@inline
export function isAscii(text: u32): bool {
  return (load<u32>(recordOf(text), RECORD_INFO) & INFO_ASCII) != 0;
}

/** Length in UTF-16 units. */
export function textLength(text: u32): u32 {
  return load<u32>(recordOf(text), RECORD_INFO) & INFO_UNITS;
}

/** Intern id of a text, NONE when no name has it or it is null. */
export function textName(text: u32): u32 {
  if (text == 0) return NONE;
  return text & 1 ? load<u32>(recordOf(text), INTERN_ID) : internFind(dataOf(text), bytesOf(text));
}

// --- UTF-16 --------------------------------------------------------------------------------------------------------------

/** The units of a text, two bytes each, in scratch; 0 = no room. */
export function widen(text: u32): usize {
  const units = textLength(text);
  const out = runAllocate(2 * <usize>units + 8);
  if (out == 0) return 0;
  runOpaque(out);
  let p = dataOf(text);
  const end = p + <usize>bytesOf(text);
  let at = out;
  while (p < end) {
    const lead = <u32>load<u8>(p);
    if (lead < 0x80) {
      store<u16>(at, lead);
      p += 1;
    } else if (lead < 0xe0) {
      store<u16>(at, ((lead & 31) << 6) | (<u32>load<u8>(p, 1) & 63));
      p += 2;
    } else if (lead < 0xf0) {
      store<u16>(at, ((lead & 15) << 12) | ((<u32>load<u8>(p, 1) & 63) << 6) | (<u32>load<u8>(p, 2) & 63));
      p += 3;
    } else {
      const scalar =
        ((lead & 7) << 18) |
        ((<u32>load<u8>(p, 1) & 63) << 12) |
        ((<u32>load<u8>(p, 2) & 63) << 6) |
        (<u32>load<u8>(p, 3) & 63);
      store<u16>(at, 0xd7c0 + (scalar >> 10));
      store<u16>(at, 0xdc00 | (scalar & 0x3ff), 2);
      at += 2;
      p += 4;
    }
    at += 2;
  }
  return out;
}

/** A record of `units` UTF-16 units at `from`. */
export function narrow(from: usize, units: u32): u32 {
  const record = runAllocate(RECORD_HEADER + 3 * <usize>units + 8);
  if (record == 0) return FAIL_MEMORY;
  runOpaque(record);
  let out = record + RECORD_HEADER;
  let p = from;
  const end = from + 2 * <usize>units;
  while (p < end) {
    const unit = <u32>load<u16>(p);
    p += 2;
    if (unit < 0x80) {
      store<u8>(out, unit);
      out += 1;
      continue;
    }
    if (unit < 0x800) {
      store<u8>(out, 0xc0 | (unit >> 6));
      store<u8>(out, 0x80 | (unit & 63), 1);
      out += 2;
      continue;
    }
    const next: u32 = p < end ? <u32>load<u16>(p) : 0;
    if ((unit & 0xfc00) == 0xd800 && (next & 0xfc00) == 0xdc00) {
      const scalar = 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff);
      store<u8>(out, 0xf0 | (scalar >> 18));
      store<u8>(out, 0x80 | ((scalar >> 12) & 63), 1);
      store<u8>(out, 0x80 | ((scalar >> 6) & 63), 2);
      store<u8>(out, 0x80 | (scalar & 63), 3);
      out += 4;
      p += 2;
      continue;
    }
    store<u8>(out, 0xe0 | (unit >> 12));
    store<u8>(out, 0x80 | ((unit >> 6) & 63), 1);
    store<u8>(out, 0x80 | (unit & 63), 2);
    out += 3;
  }
  return finish(record, <u32>(out - record - RECORD_HEADER));
}

/** Completes a record whose `bytes` bytes of text are written. */
export function finish(record: usize, bytes: u32): u32 {
  if (<u32>record == cursorText) cursorText = 0;
  store<u32>(record, bytes);
  store<u32>(record, utf16Info(record + RECORD_HEADER, bytes), RECORD_INFO);
  return <u32>record;
}

// Where `textUnit` was last in a text that is not all ASCII, so that going over one is no walk from its start each time. A text that is
// made where it lay, and every search, begins anew.
let cursorText: u32 = 0;
let cursorIndex: u32 = 0;
let cursorAt: usize = 0;

/** Before a search: other texts may lie where those of the one before did. */
export function forgetCursor(): void {
  cursorText = 0;
}

/** Unit `index` < the length. */
export function textUnit(text: u32, index: u32): u32 {
  if (isAscii(text)) return <u32>load<u8>(dataOf(text) + <usize>index);
  if (text != cursorText || index < cursorIndex) {
    cursorText = text;
    cursorIndex = 0;
    cursorAt = dataOf(text);
  }
  let p = cursorAt;
  const wanted = index;
  index -= cursorIndex;
  while (true) {
    cursorAt = p;
    cursorIndex = wanted - index;
    const lead = <u32>load<u8>(p);
    if (lead < 0xf0) {
      if (index == 0) {
        if (lead < 0x80) return lead;
        if (lead < 0xe0) return ((lead & 31) << 6) | (<u32>load<u8>(p, 1) & 63);
        return ((lead & 15) << 12) | ((<u32>load<u8>(p, 1) & 63) << 6) | (<u32>load<u8>(p, 2) & 63);
      }
      index--;
      p += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : 3;
      continue;
    }
    if (index < 2) {
      const middle = ((<u32>load<u8>(p, 1) & 63) << 12) | ((<u32>load<u8>(p, 2) & 63) << 6) | (<u32>load<u8>(p, 3) & 63);
      const scalar = ((lead & 7) << 18) | middle;
      return index == 0 ? 0xd7c0 + (scalar >> 10) : 0xdc00 | (scalar & 0x3ff);
    }
    index -= 2;
    p += 4;
  }
  return 0;
}

// --- Comparison ----------------------------------------------------------------------------------------------------------

/** Ordinal equality; either may be null. */
export function textEquals(a: u32, b: u32): bool {
  if (a == b) return true;
  if (a == 0 || b == 0) return false;
  const bytes = bytesOf(a);
  return bytes == bytesOf(b) && equalBytes(dataOf(a), dataOf(b), bytes);
}

/** Equality that ignores case; either may be null. -1: no room. */
export function textEqualsFolded(a: u32, b: u32): i32 {
  if (a == b) return 1;
  if (a == 0 || b == 0 || textLength(a) != textLength(b)) return 0;
  const order = compareFolded(a, b);
  return order == NO_ROOM ? -1 : i32(order == 0);
}

const NO_ROOM: i32 = 0x40000000;

/** Ordinal order, -1, 0 or 1; null is below everything. */
export function textCompare(a: u32, b: u32): i32 {
  if (a == b) return 0;
  if (a == 0) return -1;
  return b == 0 ? 1 : compareStrings(dataOf(a), bytesOf(a), dataOf(b), bytesOf(b));
}

/** Order of two texts that ignores case, as textCompare; NO_ROOM without scratch. */
export function textCompareFolded(a: u32, b: u32): i32 {
  if (a == b) return 0;
  if (a == 0) return -1;
  return b == 0 ? 1 : compareFolded(a, b);
}

function compareFolded(a: u32, b: u32): i32 {
  const mark = runMark();
  const left = widen(a);
  const right = left ? widen(b) : 0;
  let result = NO_ROOM;
  if (right) {
    const table = caseTable();
    const count = min<u32>(textLength(a), textLength(b));
    result = textLength(a) == textLength(b) ? 0 : textLength(a) < textLength(b) ? -1 : 1;
    for (let i: usize = 0; i < <usize>count; i++) {
      const x = upperUnit(table, <u32>load<u16>(left + 2 * i));
      const y = upperUnit(table, <u32>load<u16>(right + 2 * i));
      if (x != y) {
        result = x < y ? -1 : 1;
        break;
      }
    }
  }
  runRelease(mark);
  return result;
}

/** A hash that equal texts share; not of null. */
export function textHash(text: u32): u32 {
  return hashBytes(dataOf(text), bytesOf(text));
}

// --- Search --------------------------------------------------------------------------------------------------------------

/**
 * Index of the first place at or after `from` where `part` stands, -1 = nowhere, -2 = no room. An empty part stands at `from`. `folded`
 * ignores case.
 */
export function textFind(text: u32, part: u32, from: u32, folded: bool): i32 {
  const length = textLength(text);
  const wanted = textLength(part);
  if (from > length || wanted > length - from) return -1;
  if (wanted == 0) return <i32>from;
  if (isAscii(text) && isAscii(part)) return findAscii(text, part, from, folded);
  const mark = runMark();
  const left = widen(text);
  const right = left ? widen(part) : 0;
  const found: i32 = right ? findUnits(left, length, right, wanted, from, folded) : -2;
  runRelease(mark);
  return found;
}

function findAscii(text: u32, part: u32, from: u32, folded: bool): i32 {
  const p = dataOf(text);
  const q = dataOf(part);
  const wanted = <usize>textLength(part);
  const last = <usize>textLength(text) - wanted;
  const first = <u32>load<u8>(q);
  for (let i = <usize>from; i <= last; i++) {
    if (!folded) {
      if (<u32>load<u8>(p + i) != first) continue;
      if (equalBytes(p + i, q, <u32>wanted)) return <i32>i;
      continue;
    }
    let j: usize = 0;
    while (j < wanted && upperUnit(0, <u32>load<u8>(p + i + j)) == upperUnit(0, <u32>load<u8>(q + j))) j++;
    if (j == wanted) return <i32>i;
  }
  return -1;
}

function findUnits(text: usize, length: u32, part: usize, wanted: u32, from: u32, folded: bool): i32 {
  const table = caseTable();
  for (let i = from; i + wanted <= length; i++) {
    let j: u32 = 0;
    while (j < wanted) {
      const x = <u32>load<u16>(text + 2 * <usize>(i + j));
      const y = <u32>load<u16>(part + 2 * <usize>j);
      if (x != y && (!folded || upperUnit(table, x) != upperUnit(table, y))) break;
      j++;
    }
    if (j == wanted) return <i32>i;
  }
  return -1;
}

/** Whether the text begins with the part: 0, 1, -1 = no room. */
export function textStarts(text: u32, part: u32, folded: bool): i32 {
  return matchesAt(text, part, 0, folded);
}

export function textEnds(text: u32, part: u32, folded: bool): i32 {
  return matchesAt(text, part, textLength(text) - textLength(part), folded);
}

function matchesAt(text: u32, part: u32, at: u32, folded: bool): i32 {
  const wanted = textLength(part);
  if (wanted > textLength(text)) return 0;
  if (isAscii(text) && isAscii(part)) {
    const p = dataOf(text) + <usize>at;
    const q = dataOf(part);
    if (!folded) return i32(equalBytes(p, q, wanted));
    for (let i: usize = 0; i < <usize>wanted; i++) {
      if (upperUnit(0, <u32>load<u8>(p + i)) != upperUnit(0, <u32>load<u8>(q + i))) return 0;
    }
    return 1;
  }
  const mark = runMark();
  const left = widen(text);
  const right = left ? widen(part) : 0;
  let result = -1;
  if (right) result = i32(findUnits(left + 2 * <usize>at, wanted, right, wanted, 0, folded) == 0);
  runRelease(mark);
  return result;
}

/** Index of the first unit equal to `unit` at or after `from`; -1 = nowhere, -2 = no room. */
export function textFindUnit(text: u32, unit: u32, from: u32): i32 {
  const length = textLength(text);
  if (isAscii(text)) {
    if (unit >= 0x80) return -1;
    const p = dataOf(text);
    for (let i = from; i < length; i++) {
      if (<u32>load<u8>(p + <usize>i) == unit) return <i32>i;
    }
    return -1;
  }
  const mark = runMark();
  const units = widen(text);
  let found: i32 = units ? -1 : -2;
  for (let i = from; units && i < length; i++) {
    if (<u32>load<u16>(units + 2 * <usize>i) == unit) {
      found = <i32>i;
      break;
    }
  }
  runRelease(mark);
  return found;
}

/** Nothing but white space, as .NET's Char.IsWhiteSpace says; null too. */
export function textIsBlank(text: u32): i32 {
  if (text == 0) return 1;
  const length = textLength(text);
  for (let i: u32 = 0; i < length; i++) {
    if (!unitIsSpace(textUnit(text, i))) return 0;
  }
  return 1;
}

/** Char.IsWhiteSpace. */
export function unitIsSpace(unit: u32): bool {
  if (unit == 0x20 || (unit >= 9 && unit <= 13) || unit == 0x85 || unit == 0xa0) return true;
  if (unit < 0x1680) return false;
  if (unit == 0x1680 || (unit >= 0x2000 && unit <= 0x200a)) return true;
  return unit == 0x2028 || unit == 0x2029 || unit == 0x202f || unit == 0x205f || unit == 0x3000;
}

// --- New texts -----------------------------------------------------------------------------------------------------------

/** `length` units from `start`, both within the text. */
export function textSlice(text: u32, start: u32, length: u32): u32 {
  if (start == 0 && length == textLength(text)) return text;
  if (isAscii(text)) {
    const record = runAllocate(RECORD_HEADER + <usize>length + 8);
    if (record == 0) return FAIL_MEMORY;
    runOpaque(record);
    memory.copy(record + RECORD_HEADER, dataOf(text) + <usize>start, <usize>length);
    return finish(record, length);
  }
  const units = widen(text);
  return units ? narrow(units + 2 * <usize>start, length) : FAIL_MEMORY;
}

/** One text behind the other; null counts as empty. */
export function textJoin(a: u32, b: u32): u32 {
  const left: u32 = a ? bytesOf(a) : 0;
  const right: u32 = b ? bytesOf(b) : 0;
  if (b && left == 0) return b;
  if (a && right == 0) return a;
  if (left + right < left || left + right > 0x20000000) return FAIL_MEMORY;
  const ascii = (a == 0 || isAscii(a)) && (b == 0 || isAscii(b));
  if (!ascii && a && b) return joinUnits(a, b);
  const record = runAllocate(RECORD_HEADER + <usize>(left + right) + 8);
  if (record == 0) return FAIL_MEMORY;
  runOpaque(record);
  if (left) memory.copy(record + RECORD_HEADER, dataOf(a), <usize>left);
  if (right) memory.copy(record + RECORD_HEADER + <usize>left, dataOf(b), <usize>right);
  return finish(record, left + right);
}

/** Over UTF-16, because a high surrogate at the end of one and a low one at the start of the other become one character. */
function joinUnits(a: u32, b: u32): u32 {
  const left = widen(a);
  const right = left ? widen(b) : 0;
  const both = right ? runAllocate(2 * <usize>(textLength(a) + textLength(b)) + 8) : 0;
  if (both == 0) return FAIL_MEMORY;
  memory.copy(both, left, 2 * <usize>textLength(a));
  memory.copy(both + 2 * <usize>textLength(a), right, 2 * <usize>textLength(b));
  return narrow(both, textLength(a) + textLength(b));
}

/** Without white space at the start (bit 0 of `ends`) and the end (bit 1). */
export function textTrim(text: u32, ends: u32): u32 {
  let start: u32 = 0;
  let end = textLength(text);
  if (!isAscii(text)) {
    const units = widen(text);
    if (units == 0) return FAIL_MEMORY;
    if (ends & 1) while (start < end && unitIsSpace(load<u16>(units + 2 * <usize>start))) start++;
    if (ends & 2) while (end > start && unitIsSpace(load<u16>(units + 2 * <usize>end - 2))) end--;
    return start == 0 && end == textLength(text) ? text : narrow(units + 2 * <usize>start, end - start);
  }
  const p = dataOf(text);
  if (ends & 1) while (start < end && unitIsSpace(load<u8>(p + <usize>start))) start++;
  if (ends & 2) while (end > start && unitIsSpace(load<u8>(p + <usize>end - 1))) end--;
  return textSlice(text, start, end - start);
}

/** A text in upper (true) or lower case, unit by unit. */
export function textCase(text: u32, upper: bool): u32 {
  if (!isAscii(text)) return changeUnits(text, upper);
  const length = textLength(text);
  const record = runAllocate(RECORD_HEADER + <usize>length + 8);
  if (record == 0) return FAIL_MEMORY;
  runOpaque(record);
  const p = dataOf(text);
  const out = record + RECORD_HEADER;
  const first: u32 = upper ? 0x61 : 0x41;
  for (let i: usize = 0; i < <usize>length; i++) {
    const unit = <u32>load<u8>(p + i);
    store<u8>(out + i, unit - first < 26 ? unit ^ 32 : unit);
  }
  return finish(record, length);
}

function changeUnits(text: u32, upper: bool): u32 {
  const table = caseTable();
  if (table == 0) return FAIL_HOST;
  const units = widen(text);
  if (units == 0) return FAIL_MEMORY;
  const end = units + 2 * <usize>textLength(text);
  for (let p = units; p < end; p += 2) {
    const unit = <u32>load<u16>(p);
    store<u16>(p, upper ? upperUnit(table, unit) : lowerUnit(table, unit));
  }
  return narrow(units, textLength(text));
}

/** A text of `bytes` WTF-8 bytes at `from`: how a fragment's constants get into memory. */
export function textCreate(from: usize, bytes: u32): u32 {
  const record = runAllocate(RECORD_HEADER + <usize>bytes + 8);
  if (record == 0) return FAIL_MEMORY;
  runOpaque(record);
  memory.copy(record + RECORD_HEADER, from, <usize>bytes);
  return finish(record, bytes);
}

export { runMark as fragmentMark, runRelease as fragmentRelease };
