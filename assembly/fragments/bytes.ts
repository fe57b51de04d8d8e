// Arrays of bytes in compiled fragments: as texts of base 64 and 16, as a Guid, and the words of a decimal. An item of a byte[] takes four
// bytes (objects.ts). What cannot be read is a failure (failures.ts), of 128 bits a fault that is left (faults.ts).

import { scratchHolds } from '../memory/arena';
import { hexValue } from '../values/scan';
import { builderByte, builderFinish, builderNew } from './builder';
import { FAIL_ARGUMENT_NULL, FAIL_FORMAT, FAIL_MEMORY, FAIL_OUT_OF_RANGE } from './failures';
import { FAULT_ARGUMENT, FAULT_FORMAT, FAULT_NULL, highOf, leaveFault, lowOf, wide } from './faults';
import { OBJECT_HEADER, objectAddress, objectArray } from './objects';
import { isAscii, textLength, textTrim, textUnit } from './texts';
import { guidParse } from './times';

const COUNT: usize = 4;

// @ts-ignore: decorator
@inline
function itemAt(array: u32, index: u32): u32 {
  return load<u32>(objectAddress(array) + OBJECT_HEADER + 4 * <usize>index);
}

function putItem(array: u32, index: u32, value: u32): void {
  store<u32>(objectAddress(array) + OBJECT_HEADER + 4 * <usize>index, value);
}

function countOf(array: u32): u32 {
  return load<u32>(objectAddress(array), COUNT);
}

/** The digit of base 64 for six bits. */
function digitOf(bits: u32): u32 {
  bits &= 63;
  if (bits < 26) return 0x41 + bits;
  if (bits < 52) return 0x61 + bits - 26;
  return bits < 62 ? 48 + bits - 52 : bits == 62 ? 43 : 47;
}

/** Six bits of a digit of base 64; 64 for what is none. */
function bitsOf(unit: u32): u32 {
  if (unit - 0x41 < 26) return unit - 0x41;
  if (unit - 0x61 < 26) return unit - 0x61 + 26;
  if (unit - 48 < 10) return unit - 48 + 52;
  return unit == 43 ? 62 : unit == 47 ? 63 : 64;
}

/** A byte[] as a text of base 64, or of base 16 with capitals. */
export function bytesText(array: u32, sixteen: bool): u32 {
  if (array == 0) return FAIL_ARGUMENT_NULL;
  const builder = builderNew();
  const count = countOf(array);
  for (let i: u32 = 0; i < count; i += sixteen ? 1 : 3) {
    const first = itemAt(array, i);
    if (sixteen) {
      for (let shift: i32 = 4; shift >= 0; shift -= 4) {
        const digit = (first >> shift) & 15;
        builderByte(builder, digit < 10 ? 48 + digit : 55 + digit);
      }
      continue;
    }
    const word = (first << 16) | ((i + 1 < count ? itemAt(array, i + 1) : 0) << 8) | (i + 2 < count ? itemAt(array, i + 2) : 0);
    builderByte(builder, digitOf(word >> 18));
    builderByte(builder, digitOf(word >> 12));
    builderByte(builder, i + 1 < count ? digitOf(word >> 6) : 61);
    builderByte(builder, i + 2 < count ? digitOf(word) : 61);
  }
  return builderFinish(builder);
}

/** The byte[] that a text of base 64 or 16 stands for; `head`: the array's first word. */
export function textBytes(text: u32, sixteen: bool, head: u32): u32 {
  if (text == 0) return FAIL_ARGUMENT_NULL;
  return sixteen ? hexBytes(text, head) : baseBytes(text, head);
}

function hexBytes(text: u32, head: u32): u32 {
  const length = textLength(text);
  if (length & 1 || !isAscii(text)) return FAIL_FORMAT;
  const array = objectArray(head, length >> 1);
  if (array == 0) return FAIL_MEMORY;
  for (let i: u32 = 0; i < length; i += 2) {
    const high = hexValue(textUnit(text, i));
    const low = hexValue(textUnit(text, i + 1));
    if (high > 15 || low > 15) return FAIL_FORMAT;
    putItem(array, i >> 1, (high << 4) | low);
  }
  return array;
}

function isBlank(unit: u32): bool {
  return unit == 32 || unit == 9 || unit == 10 || unit == 13;
}

/** White space may stand anywhere; up to two equals signs end the last four digits. */
function baseBytes(text: u32, head: u32): u32 {
  const length = textLength(text);
  let digits: u32 = 0;
  let padding: u32 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const unit = textUnit(text, i);
    if (isBlank(unit)) continue;
    digits++;
    if (unit == 61) padding++;
    else if (padding > 0 || bitsOf(unit) == 64) return FAIL_FORMAT;
  }
  if (digits & 3 || padding > 2) return FAIL_FORMAT;
  const count = (digits >> 2) * 3 - padding;
  const array = objectArray(head, count);
  if (array == 0) return FAIL_MEMORY;
  let word: u32 = 0;
  let read: u32 = 0;
  let at: u32 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const unit = textUnit(text, i);
    if (isBlank(unit)) continue;
    word = (word << 6) | (unit == 61 ? 0 : bitsOf(unit));
    read++;
    if (read & 3) continue;
    for (let shift: i32 = 16; shift >= 0; shift -= 8) {
      if (at < count) putItem(array, at++, (word >> shift) & 255);
    }
    word = 0;
  }
  return array;
}

// --- Guid ----------------------------------------------------------------------------------------------------------------

/** Where the byte at an index lies in a Guid: the first three groups are the other way round. */
function placeOf(index: u32): u32 {
  if (index < 4) return 3 - index;
  if (index < 8) return index ^ 1;
  return index;
}

/** The Guid of a byte[]; a fault is left where there is none. */
export function guidOfBytes(array: u32): v128 {
  if (array == 0 || countOf(array) != 16) {
    leaveFault(array == 0 ? FAULT_NULL : FAULT_ARGUMENT);
    return i64x2.splat(0);
  }
  let low: u64 = 0;
  let high: u64 = 0;
  for (let i: u32 = 0; i < 8; i++) {
    low |= <u64>itemAt(array, i) << (8 * <u64>placeOf(i));
    high |= <u64>itemAt(array, 8 + i) << (8 * <u64>i);
  }
  return wide(low, high);
}

/** The byte[] of a Guid; 0 without room. */
export function guidBytes(value: v128, head: u32): u32 {
  const array = objectArray(head, 16);
  if (array == 0) return FAIL_MEMORY;
  for (let i: u32 = 0; i < 8; i++) {
    putItem(array, i, <u32>(lowOf(value) >> (8 * <u64>placeOf(i))) & 255);
    putItem(array, 8 + i, <u32>(highOf(value) >> (8 * <u64>i)) & 255);
  }
  return array;
}

/** The Guid of a text in the form that a format names; a fault is left where it is none. */
export function guidParseExact(text: u32, format: u32): v128 {
  if (text == 0 || format == 0) {
    leaveFault(FAULT_NULL);
    return i64x2.splat(0);
  }
  const letter = textLength(format) == 1 ? textUnit(format, 0) | 32 : 0;
  const trimmed = textTrim(text, 3);
  const length = textLength(trimmed);
  const first = length > 2 ? textUnit(trimmed, 0) : 0;
  const structured = first == 0x7b && (textUnit(trimmed, 1) != 48 || (textUnit(trimmed, 2) | 32) != 0x78 ? false : true);
  let fits = false;
  if (letter == 0x6e) fits = length == 32;
  else if (letter == 0x64) fits = length == 36;
  else if (letter == 0x62) fits = length == 38 && first == 0x7b && !structured;
  else if (letter == 0x70) fits = length == 38 && first == 0x28;
  else if (letter == 0x78) fits = structured;
  if (!fits) {
    leaveFault(FAULT_FORMAT);
    return i64x2.splat(0);
  }
  return guidParse(trimmed);
}

// --- Other arrays --------------------------------------------------------------------------------------------------------

/** The four words of a decimal as an int[]. */
export function decimalBits(value: v128, head: u32): u32 {
  const array = objectArray(head, 4);
  if (array == 0) return FAIL_MEMORY;
  putItem(array, 0, <u32>lowOf(value));
  putItem(array, 1, <u32>(lowOf(value) >> 32));
  putItem(array, 2, <u32>highOf(value));
  putItem(array, 3, <u32>(highOf(value) >> 32));
  return array;
}

/** Units of a text into a char[]: 0 or a failure. */
export function textCopy(text: u32, from: i32, array: u32, to: i32, count: i32): u32 {
  if (array == 0) return FAIL_ARGUMENT_NULL;
  if (count < 0 || from < 0 || to < 0) return FAIL_OUT_OF_RANGE;
  if (count > <i32>textLength(text) - from || count > <i32>countOf(array) - to) return FAIL_OUT_OF_RANGE;
  if (!scratchHolds(objectAddress(array), OBJECT_HEADER + 4 * <usize>countOf(array))) unreachable();
  for (let i = 0; i < count; i++) putItem(array, to + i, textUnit(text, from + i));
  return 0;
}
