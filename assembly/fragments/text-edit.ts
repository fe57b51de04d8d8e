// String's members that make a text of another: cutting, padding, replacing, splitting. Indices are checked here, in .NET's order; the
// answer is a text, an array, or a failure (failures.ts).

import { caseTable, upperUnit } from '../scan/case-table';
import { builderFill, builderFinish, builderNew, builderPiece, builderRoom, builderText, builderUnit } from './builder';
import { FAIL_ARGUMENT, FAIL_ARGUMENT_NULL, FAIL_MEMORY, FAIL_OUT_OF_RANGE, isFailure } from './failures';
import { OBJECT_COUNT, OBJECT_HEADER, objectAddress, objectArray } from './objects';
import { runAllocate } from './run-heap';
import { isWantedUnit, unitOf, wantsNone, wantUnit, wantUnits } from './text-search';
import { bytesOf, dataOf, isAscii, narrow, textLength, textSlice, textTrim, unitIsSpace, widen } from './texts';

/** Units of a text between two places: both parts of it joined around `middle`, a text or 0. */
function around(text: u32, end: i32, middle: u32, start: i32): u32 {
  const builder = builderNew();
  if (isAscii(text)) {
    builderPiece(builder, dataOf(text), <u32>end);
    builderText(builder, middle);
    builderPiece(builder, dataOf(text) + <usize>start, bytesOf(text) - <u32>start);
    return builderFinish(builder);
  }
  const units = widen(text);
  if (units == 0) return FAIL_MEMORY;
  const left = narrow(units, <u32>end);
  const right = narrow(units + 2 * <usize>start, textLength(text) - <u32>start);
  if (isFailure(left) || isFailure(right)) return FAIL_MEMORY;
  builderText(builder, left);
  builderText(builder, middle);
  builderText(builder, right);
  return builderFinish(builder);
}

export function textRemove(text: u32, start: i32, count: i32): u32 {
  if (start < 0 || count < 0 || count > <i32>textLength(text) - start) return FAIL_OUT_OF_RANGE;
  return around(text, start, 0, start + count);
}

/** `Remove(start)`: to the end, which may not be the start. */
export function textCut(text: u32, start: i32): u32 {
  if (start < 0 || start >= <i32>textLength(text)) return FAIL_OUT_OF_RANGE;
  return textSlice(text, 0, <u32>start);
}

export function textInsert(text: u32, start: i32, value: u32): u32 {
  if (value == 0) return FAIL_ARGUMENT_NULL;
  if (start < 0 || start > <i32>textLength(text)) return FAIL_OUT_OF_RANGE;
  return around(text, start, value, start);
}

/** `count` times one unit. */
export function textRepeat(unit: u32, count: i32): u32 {
  if (count < 0) return FAIL_OUT_OF_RANGE;
  const builder = builderNew();
  fill(builder, unit, count);
  return builderFinish(builder);
}

function fill(builder: usize, unit: u32, count: i32): void {
  if (unit < 0x80) {
    builderFill(builder, unit, <u32>count);
    return;
  }
  // All the room at once, or none.
  if (count > 0x10000000 || builderRoom(builder, 3 * <u32>count) == 0) return;
  for (let i = 0; i < count; i++) builderUnit(builder, unit);
}

export function textPad(text: u32, width: i32, unit: u32, left: bool): u32 {
  if (width < 0) return FAIL_OUT_OF_RANGE;
  const missing = width - <i32>textLength(text);
  if (missing <= 0) return text;
  const builder = builderNew();
  if (left) fill(builder, unit, missing);
  builderText(builder, text);
  if (!left) fill(builder, unit, missing);
  return builderFinish(builder);
}

/** Without one unit at the start (bit 0 of `ends`) and the end (bit 1). */
export function textTrimUnit(text: u32, unit: u32, ends: u32): u32 {
  wantUnit(unit);
  return trimWanted(text, ends);
}

/** The same with the units of a char[]; without any it is white space that goes. */
export function textTrimAny(text: u32, array: u32, ends: u32): u32 {
  wantUnits(array);
  return wantsNone() ? textTrim(text, ends) : trimWanted(text, ends);
}

function trimWanted(text: u32, ends: u32): u32 {
  const wide = !isAscii(text);
  const data = wide ? widen(text) : dataOf(text);
  if (data == 0) return FAIL_MEMORY;
  let start = 0;
  let end = <i32>textLength(text);
  if (ends & 1) while (start < end && isWantedUnit(unitOf(data, wide, start))) start++;
  if (ends & 2) while (end > start && isWantedUnit(unitOf(data, wide, end - 1))) end--;
  if (start == 0 && end == <i32>textLength(text)) return text;
  return wide ? narrow(data + 2 * <usize>start, <u32>(end - start)) : textSlice(text, <u32>start, <u32>(end - start));
}

// --- Replacing -----------------------------------------------------------------------------------------------------------

export function textReplaceUnit(text: u32, old: u32, unit: u32): u32 {
  const units = widen(text);
  if (units == 0) return FAIL_MEMORY;
  const end = units + 2 * <usize>textLength(text);
  for (let p = units; p < end; p += 2) {
    if (<u32>load<u16>(p) == old) store<u16>(p, unit);
  }
  return narrow(units, textLength(text));
}

export function textReplace(text: u32, old: u32, value: u32, folded: bool): u32 {
  if (old == 0) return FAIL_ARGUMENT_NULL;
  const wanted = <i32>textLength(old);
  if (wanted == 0) return FAIL_ARGUMENT;
  const length = <i32>textLength(text);
  const wide = !(isAscii(text) && isAscii(old));
  const data = wide ? widen(text) : dataOf(text);
  const part = data == 0 ? 0 : wide ? widen(old) : dataOf(old);
  if (part == 0) return FAIL_MEMORY;
  const table = folded ? caseTable() : 0;
  const builder = builderNew();
  let from = 0;
  let at = 0;
  while (at + wanted <= length) {
    let i = 0;
    while (i < wanted) {
      const x = unitOf(data, wide, at + i);
      const y = unitOf(part, wide, i);
      if (x != y && (!folded || upperUnit(table, x) != upperUnit(table, y))) break;
      i++;
    }
    if (i < wanted) {
      at++;
      continue;
    }
    addUnits(builder, data, wide, from, at);
    builderText(builder, value);
    at += wanted;
    from = at;
  }
  if (from == 0) return text;
  addUnits(builder, data, wide, from, length);
  return builderFinish(builder);
}

/** Units between two places. */
function addUnits(builder: usize, data: usize, wide: bool, start: i32, end: i32): void {
  if (!wide) {
    builderPiece(builder, data + <usize>start, <u32>(end - start));
    return;
  }
  for (let at = start; at < end; at++) builderUnit(builder, <u32>load<u16>(data + 2 * <usize>at));
}

// --- Arrays of units -----------------------------------------------------------------------------------------------------

/** `new string(char[], start, length)`. */
export function textOfUnits(array: u32, start: i32, length: i32): u32 {
  if (array == 0) return FAIL_ARGUMENT_NULL;
  const address = objectAddress(array);
  if (start < 0 || length < 0 || start > <i32>load<u32>(address, OBJECT_COUNT) - length) return FAIL_OUT_OF_RANGE;
  const builder = builderNew();
  const items = address + OBJECT_HEADER + 4 * <usize>start;
  for (let i: usize = 0; i < <usize>length; i++) builderUnit(builder, load<u32>(items + 4 * i));
  return builderFinish(builder);
}

/** The char[] of a part, whose first word is `head`. */
export function textUnits(text: u32, start: i32, length: i32, head: u32): u32 {
  const all = <i32>textLength(text);
  if (start < 0 || start > all || start > all - length || length < 0) return FAIL_OUT_OF_RANGE;
  const array = objectArray(head, <u32>length);
  const wide = !isAscii(text);
  const data = array == 0 ? 0 : wide ? widen(text) : dataOf(text);
  if (data == 0) return FAIL_MEMORY;
  const items = objectAddress(array) + OBJECT_HEADER;
  for (let i = 0; i < length; i++) store<u32>(items + 4 * <usize>i, unitOf(data, wide, start + i));
  return array;
}

// --- Splitting -----------------------------------------------------------------------------------------------------------

const REMOVE_EMPTY: u32 = 1;
const TRIM_ENTRIES: u32 = 2;

/** How a text is split: at a unit, at units of a char[], at a text, at texts of a string[]. */
const BY_UNIT: u32 = 0;
const BY_UNITS: u32 = 1;
const BY_TEXT: u32 = 2;

let splitData: usize = 0;
let splitWide: bool = false;
let splitLength: i32 = 0;
let bySpace: bool = false;
let byUnit: bool = false;
// A separator: the address of its units comes first.
const SEPARATOR_LENGTH: usize = 4;
const SEPARATOR_BYTES: usize = 8;

let separators: usize = 0;
let separatorCount: i32 = 0;
let foundAt: i32 = 0;
let foundLength: i32 = 0;

function addSeparator(text: u32): bool {
  if (text == 0 || textLength(text) == 0) return true;
  const units = widen(text);
  if (units == 0) return false;
  store<u32>(separators + SEPARATOR_BYTES * <usize>separatorCount, <u32>units);
  store<u32>(separators + SEPARATOR_BYTES * <usize>separatorCount, textLength(text), SEPARATOR_LENGTH);
  separatorCount++;
  return true;
}

/** Reads the separators; false without room. */
function openSeparators(kind: u32, value: u32): bool {
  bySpace = false;
  byUnit = kind == BY_UNIT || kind == BY_UNITS;
  separatorCount = 0;
  if (kind == BY_UNIT) wantUnit(value);
  else if (kind == BY_UNITS) {
    wantUnits(value);
    bySpace = wantsNone();
  } else {
    const isList = kind != BY_TEXT;
    const count: u32 = value == 0 ? 0 : isList ? load<u32>(objectAddress(value), OBJECT_COUNT) : 1;
    bySpace = count == 0;
    separators = runAllocate(SEPARATOR_BYTES * <usize>(count + 1));
    if (separators == 0) return false;
    for (let i: u32 = 0; i < count; i++) {
      const each = isList ? load<u32>(objectAddress(value) + OBJECT_HEADER + 4 * <usize>i) : value;
      if (!addSeparator(each)) return false;
    }
  }
  return true;
}

/** The first separator at or after a place; of those at one place the first in the list. */
function findSeparator(from: i32): bool {
  for (let at = from; at < splitLength; at++) {
    const unit = unitOf(splitData, splitWide, at);
    if (bySpace || byUnit) {
      if (bySpace ? !unitIsSpace(unit) : !isWantedUnit(unit)) continue;
      foundAt = at;
      foundLength = 1;
      return true;
    }
    for (let i = 0; i < separatorCount; i++) {
      const units = <usize>load<u32>(separators + SEPARATOR_BYTES * <usize>i);
      const length = load<i32>(separators + SEPARATOR_BYTES * <usize>i, SEPARATOR_LENGTH);
      if (length > splitLength - at) continue;
      let j = 0;
      while (j < length && unitOf(splitData, splitWide, at + j) == <u32>load<u16>(units + 2 * <usize>j)) j++;
      if (j < length) continue;
      foundAt = at;
      foundLength = length;
      return true;
    }
  }
  return false;
}

let parts: usize = 0;
let partCount: i32 = 0;

/** Adds an entry, unless it is empty and shall not be; false without room. */
function addPart(text: u32, start: i32, end: i32, options: u32): bool {
  let part = splitWide
    ? narrow(splitData + 2 * <usize>start, <u32>(end - start))
    : textSlice(text, <u32>start, <u32>(end - start));
  if (!isFailure(part) && options & TRIM_ENTRIES) part = textTrim(part, 3);
  if (isFailure(part)) return false;
  if (options & REMOVE_EMPTY && textLength(part) == 0) return true;
  store<u32>(parts + 4 * <usize>partCount, part);
  partCount++;
  return true;
}

/** A string[] whose first word is `head`, of at most `count` entries; the last one takes the rest, separators and all. */
export function textSplit(text: u32, kind: u32, value: u32, count: i32, options: u32, head: u32): u32 {
  if (count < 0) return FAIL_OUT_OF_RANGE;
  if (options > 3) return FAIL_ARGUMENT;
  if (!openSeparators(kind, value)) return FAIL_MEMORY;
  splitLength = <i32>textLength(text);
  splitWide = !isAscii(text);
  splitData = splitWide ? widen(text) : dataOf(text);
  parts = splitData == 0 ? 0 : runAllocate(4 * <usize>min<i32>(count, splitLength + 1) + 8);
  if (parts == 0) return FAIL_MEMORY;
  partCount = 0;
  if (count > 0 && !splitParts(text, count, options)) return FAIL_MEMORY;
  const array = objectArray(head, <u32>partCount);
  if (array == 0) return FAIL_MEMORY;
  memory.copy(objectAddress(array) + OBJECT_HEADER, parts, 4 * <usize>partCount);
  return array;
}

function splitParts(text: u32, count: i32, options: u32): bool {
  let from = 0;
  while (partCount < count - 1 && findSeparator(from)) {
    const next = foundAt + foundLength;
    if (!addPart(text, from, foundAt, options)) return false;
    from = next;
  }
  if (options & REMOVE_EMPTY && partCount == count - 1) {
    // Empty entries before the last one are skipped.
    while (findSeparator(from) && foundAt == from) from = foundAt + foundLength;
  }
  return addPart(text, from, splitLength, options);
}
