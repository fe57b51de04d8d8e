// String's searches with a place to start and a number of units: forwards and backwards, for a text, a unit or any of several units. The
// answer is an index, -1 = nowhere, or a failure (failures.ts). Indices are checked here, in .NET's order.

import { caseTable, upperUnit } from '../scan/case-table';
import { FAIL_ARGUMENT_NULL, FAIL_MEMORY, FAIL_OUT_OF_RANGE, isFailure } from './failures';
import { OBJECT_COUNT, OBJECT_HEADER, objectAddress } from './objects';
import { runMark, runRelease } from './run-heap';
import { dataOf, isAscii, textLength, textSlice, widen } from './texts';

/** A text's units at one address, bytes or words. */
// @ts-ignore: decorator
@inline
export function unitOf(data: usize, wide: bool, index: i32): u32 {
  return wide ? <u32>load<u16>(data + 2 * <usize>index) : <u32>load<u8>(data + <usize>index);
}

/** Whether the part stands at a place of the text. */
function standsAt(text: usize, part: usize, wide: bool, at: i32, wanted: i32, folded: bool): bool {
  const table = folded && wide ? caseTable() : 0;
  for (let i = 0; i < wanted; i++) {
    const x = unitOf(text, wide, at + i);
    const y = unitOf(part, wide, i);
    if (x != y && (!folded || upperUnit(table, x) != upperUnit(table, y))) return false;
  }
  return true;
}

/** The first place of the part in `count` units from `start`; `step` 1. Or the last one that begins at `start` or before; `step` -1. */
function find(text: u32, part: u32, start: i32, last: i32, step: i32, folded: bool): i32 {
  const wanted = <i32>textLength(part);
  const wide = !(isAscii(text) && isAscii(part));
  const mark = runMark();
  const left = wide ? widen(text) : dataOf(text);
  const right = left == 0 ? 0 : wide ? widen(part) : dataOf(part);
  if (right == 0) {
    runRelease(mark);
    return FAIL_MEMORY;
  }
  let found = -1;
  for (let at = start; step > 0 ? at <= last : at >= last; at += step) {
    if (standsAt(left, right, wide, at, wanted, folded)) {
      found = at;
      break;
    }
  }
  runRelease(mark);
  return found;
}

export function textIndexOf(text: u32, part: u32, start: i32, count: i32, folded: bool): i32 {
  if (part == 0) return FAIL_ARGUMENT_NULL;
  const length = <i32>textLength(text);
  if (start < 0 || start > length || count < 0 || start > length - count) return FAIL_OUT_OF_RANGE;
  const wanted = <i32>textLength(part);
  if (wanted == 0) return start;
  return wanted > count ? -1 : find(text, part, start, start + count - wanted, 1, folded);
}

export function textLastIndexOf(text: u32, part: u32, start: i32, count: i32, folded: bool): i32 {
  if (part == 0) return FAIL_ARGUMENT_NULL;
  const length = <i32>textLength(text);
  const wanted = <i32>textLength(part);
  if (length == 0 && (start == -1 || start == 0)) return wanted == 0 ? 0 : -1;
  if (start < 0 || start > length) return FAIL_OUT_OF_RANGE;
  if (start == length) {
    start--;
    if (count > 0) count--;
    if (wanted == 0 && count >= 0 && start - count + 1 >= 0) return start;
  }
  if (count < 0 || start - count + 1 < 0) return FAIL_OUT_OF_RANGE;
  if (wanted == 0) return start;
  // The part ends at `start` or before.
  const first = start - wanted + 1;
  const least = start - count + 1;
  return first < least ? -1 : find(text, part, first, least, -1, folded);
}

/** The units to look for: one, or those of a char[] by its reference. */
let single: bool = false;
let units: usize = 0;
let unitCount: i32 = 0;
let onlyUnit: u32 = 0;

function isWanted(unit: u32): bool {
  if (single) return unit == onlyUnit;
  for (let i = 0; i < unitCount; i++) {
    if (load<u32>(units + 4 * <usize>i) == unit) return true;
  }
  return false;
}

export function wantUnit(unit: u32): void {
  single = true;
  onlyUnit = unit;
}

/** The items of a char[]; those of null are none. */
export function wantUnits(array: u32): void {
  single = false;
  unitCount = array == 0 ? 0 : <i32>load<u32>(objectAddress(array), OBJECT_COUNT);
  units = array == 0 ? 0 : objectAddress(array) + OBJECT_HEADER;
}

export function wantsNone(): bool {
  return !single && unitCount == 0;
}

export function isWantedUnit(unit: u32): bool {
  return isWanted(unit);
}

function findWanted(text: u32, start: i32, last: i32, step: i32): i32 {
  const wide = !isAscii(text);
  const mark = runMark();
  const data = wide ? widen(text) : dataOf(text);
  let found = data == 0 ? <i32>FAIL_MEMORY : -1;
  if (data != 0) {
    for (let at = start; step > 0 ? at <= last : at >= last; at += step) {
      if (isWanted(unitOf(data, wide, at))) {
        found = at;
        break;
      }
    }
  }
  runRelease(mark);
  return found;
}

function forwards(text: u32, start: i32, count: i32): i32 {
  const length = <i32>textLength(text);
  if (start < 0 || start > length || count < 0 || count > length - start) return FAIL_OUT_OF_RANGE;
  return findWanted(text, start, start + count - 1, 1);
}

function backwards(text: u32, start: i32, count: i32): i32 {
  const length = <i32>textLength(text);
  if (length == 0) return -1;
  if (start < 0 || start >= length || count < 0 || count - 1 > start) return FAIL_OUT_OF_RANGE;
  return findWanted(text, start, start - count + 1, -1);
}

export function textIndexOfUnit(text: u32, unit: u32, start: i32, count: i32): i32 {
  wantUnit(unit);
  return forwards(text, start, count);
}

export function textLastIndexOfUnit(text: u32, unit: u32, start: i32, count: i32): i32 {
  wantUnit(unit);
  return backwards(text, start, count);
}

export function textIndexOfAny(text: u32, array: u32, start: i32, count: i32): i32 {
  if (array == 0) return FAIL_ARGUMENT_NULL;
  wantUnits(array);
  return forwards(text, start, count);
}

export function textLastIndexOfAny(text: u32, array: u32, start: i32, count: i32): i32 {
  if (array == 0) return FAIL_ARGUMENT_NULL;
  wantUnits(array);
  return backwards(text, start, count);
}

// --- Order ---------------------------------------------------------------------------------------------------------------

/** Answers from here on are no order but this plus the number of an exception. */
const NO_ORDER: i32 = 0x40000000;

/**
 * Below, at or above zero as .NET answers without culture data: the difference of the first units that differ, or of the lengths.
 * The first two units are compared as if a zero ended each text, which shows in the size of the answer. Null is below everything.
 */
export function textOrder(a: u32, b: u32, folded: bool): i32 {
  if (a == b) return 0;
  if (a == 0) return -1;
  if (b == 0) return 1;
  const leftLength = <i32>textLength(a);
  const rightLength = <i32>textLength(b);
  const wide = !(isAscii(a) && isAscii(b));
  const mark = runMark();
  const left = wide ? widen(a) : dataOf(a);
  const right = left == 0 ? 0 : wide ? widen(b) : dataOf(b);
  if (right == 0) return NO_ORDER | <i32>~FAIL_MEMORY;
  const table = folded && wide ? caseTable() : 0;
  const common = min<i32>(leftLength, rightLength);
  let order = leftLength - rightLength;
  for (let i = 0; i < max<i32>(common, 2); i++) {
    let x: u32 = i < leftLength ? unitOf(left, wide, i) : 0;
    let y: u32 = i < rightLength ? unitOf(right, wide, i) : 0;
    if (folded) {
      x = upperUnit(table, x);
      y = upperUnit(table, y);
    }
    if (x == y) continue;
    order = <i32>x - <i32>y;
    break;
  }
  runRelease(mark);
  return order;
}

/** The same of parts, which are cut to what there is. */
export function textOrderParts(a: u32, i: i32, b: u32, j: i32, length: i32, folded: bool): i32 {
  const left = partOf(a, i, length);
  if (isFailure(left)) return NO_ORDER | <i32>~left;
  const right = partOf(b, j, length);
  if (isFailure(right)) return NO_ORDER | <i32>~right;
  return textOrder(left, right, folded);
}

function partOf(text: u32, start: i32, length: i32): u32 {
  if (text == 0) return 0;
  const units = <i32>textLength(text);
  if (length < 0 || start < 0 || start > units) return FAIL_OUT_OF_RANGE;
  return textSlice(text, <u32>start, <u32>min<i32>(length, units - start));
}
