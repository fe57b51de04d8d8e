// Char's members: classes by Unicode category, cases, numeric values. Beyond ASCII they come from the table that the host writes
// (scan/case-table.ts); while there is none, only the host knows.

import { caseTable, lowerUnit, unitClasses, upperUnit } from '../scan/case-table';
import { builderFinish, builderNew, builderUnit } from './builder';
import { FAIL_ARGUMENT, FAIL_HOST, FAIL_OUT_OF_RANGE } from './failures';
import { textLength, textUnit, unitIsSpace } from './texts';

/** The bit of decimal digits among the classes. */
const DIGIT: u32 = 8;

/** Whether a unit is of one of the classes, whose bits are `mask`; a failure while nobody knows. */
export function charIs(unit: u32, mask: u32): i32 {
  const table = caseTable();
  if (table == 0) return FAIL_HOST;
  return i32((unitClasses(table, unit) & mask) != 0);
}

export function charIsSpace(unit: u32): i32 {
  return i32(unitIsSpace(unit));
}

/** A unit in upper (true) or lower case, or a failure. */
export function charCase(unit: u32, upper: bool): i32 {
  let table: usize = 0;
  if (unit >= 0x80) {
    table = caseTable();
    if (table == 0) return FAIL_HOST;
  }
  return upper ? upperUnit(table, unit) : lowerUnit(table, unit);
}

/** Digits of every script, fractions of Latin 1, Roman and circled numbers; -1 for everything else, -2 while nobody knows. */
export function charNumber(unit: u32): f64 {
  const table = caseTable();
  if (table == 0) return -2;
  if (unitClasses(table, unit) & DIGIT) {
    // Digits come in tens.
    let first = unit;
    while (first > 0 && unit - first < 9 && unitClasses(table, first - 1) & DIGIT) first--;
    return unit <= 0x39 ? <f64>(unit - 0x30) : <f64>((unit - first) % 10);
  }
  switch (unit) {
    case 0xbc:
      return 0.25;
    case 0xbd:
      return 0.5;
    case 0xbe:
      return 0.75;
    case 0xb2:
    case 0xb3:
      return <f64>(unit - 0xb0);
    case 0xb9:
      return 1;
  }
  if (unit - 0x2160 < 12) return <f64>(unit - 0x215f);
  if (unit - 0x2170 < 12) return <f64>(unit - 0x216f);
  if (unit - 0x2460 < 20) return <f64>(unit - 0x245f);
  return -1;
}

/** Unit `index` of a text, or a failure. */
export function charAt(text: u32, index: i32): i32 {
  return <u32>index < textLength(text) ? <i32>textUnit(text, <u32>index) : <i32>FAIL_OUT_OF_RANGE;
}

/** Whether a pair begins at a place of a text: 0, 1, or a failure. */
export function charPair(text: u32, index: i32): i32 {
  const unit = charAt(text, index);
  if (unit < 0) return unit;
  if (<u32>index + 1 >= textLength(text)) return 0;
  return i32((unit & 0xfc00) == 0xd800 && (textUnit(text, <u32>index + 1) & 0xfc00) == 0xdc00);
}

/** The code point at a place of a text, or a failure: half a pair is none. */
export function charPoint(text: u32, index: i32): i32 {
  const unit = charAt(text, index);
  if (unit < 0 || (unit & 0xf800) != 0xd800) return unit;
  if (unit >= 0xdc00 || <u32>index + 1 >= textLength(text)) return FAIL_ARGUMENT;
  const low = <i32>textUnit(text, <u32>index + 1);
  return (low & 0xfc00) == 0xdc00 ? ((unit & 0x3ff) << 10) + (low & 0x3ff) + 0x10000 : <i32>FAIL_ARGUMENT;
}

/** The text of a code point, or a failure. */
export function textOfPoint(point: u32): u32 {
  if (point > 0x10ffff || (point & 0xfffff800) == 0xd800) return FAIL_OUT_OF_RANGE;
  const builder = builderNew();
  if (point >= 0x10000) {
    builderUnit(builder, 0xd7c0 + (point >> 10));
    builderUnit(builder, 0xdc00 | (point & 0x3ff));
  } else {
    builderUnit(builder, point);
  }
  return builderFinish(builder);
}
