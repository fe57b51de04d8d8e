// Case and classes of single UTF-16 units: for comparisons that ignore case, as .NET's OrdinalIgnoreCase does (by simple mapping, unit
// by unit, ASCII and the rest never mixed), and for the characters of fragments. The module can hold no table, so the host writes
// one, once a memory, computed from the runtime's own Unicode data:
//
//        0   65,536 x u16   upper case
//   131072   65,536 x u16   lower case
//   262144   65,536 x u8    classes: see `unitClasses`
//
// An entry of 0 means "itself", so a table not yet written only sees no case beyond ASCII. Units of surrogate pairs map to themselves
// and have no class. May know nothing of what is compared.

import { allocate } from '../memory/allocator';
import { PURPOSE_SYSTEM, ROOT_CASE_TABLE } from '../memory/layout';

/** Bytes of the table. */
const CASE_TABLE_BYTES: usize = 5 * 65536;
const LOWER: usize = 2 * 65536;
const CLASSES: usize = 4 * 65536;

/**
 * [W] A table of zeros that no scan knows yet; 0 when memory does not allow it. The host stores at 2 * unit the upper-case unit
 * where that is another single unit, then the lower-case units and the classes, and then publishes the table.
 */
export function caseTableAddress(): usize {
  const table = allocate(0, PURPOSE_SYSTEM, CASE_TABLE_BYTES);
  if (table) memory.fill(table, 0, CASE_TABLE_BYTES);
  return table;
}

/** [W] Shows the filled table to scans of every instance. */
export function caseTablePublish(table: usize): void {
  atomic.store<u32>(ROOT_CASE_TABLE, <u32>table);
}

/** Address of the table or 0; any instance. */
export function caseTable(): usize {
  return <usize>atomic.load<u32>(ROOT_CASE_TABLE);
}

/** Upper case of an ASCII unit. */
// @ts-ignore: decorator
@inline
function upperAscii(unit: u32): u32 {
  return unit - 0x61 < 26 ? unit - 32 : unit;
}

/** Upper case of a UTF-16 unit; `table` as `caseTable` answers it. A mapping from beyond ASCII into ASCII does not count. */
// @ts-ignore: decorator
@inline
export function upperUnit(table: usize, unit: u32): u32 {
  if (unit < 0x80) return upperAscii(unit);
  if (!table) return unit;
  const upper = <u32>load<u16>(table + 2 * <usize>unit);
  return upper < 0x80 ? unit : upper;
}

/** Lower case of a UTF-16 unit; a mapping from beyond ASCII into ASCII does not count. */
export function lowerUnit(table: usize, unit: u32): u32 {
  if (unit < 0x80) return unit - 0x41 < 26 ? unit + 32 : unit;
  if (!table) return unit;
  const lower = <u32>load<u16>(table + LOWER + 2 * <usize>unit);
  return lower < 0x80 ? unit : lower;
}

/** Bits 0 to 7: letter, upper case, lower case, decimal digit, number, punctuation, symbol, separator. */
export function unitClasses(table: usize, unit: u32): u32 {
  return <u32>load<u8>(table + CLASSES + <usize>unit);
}
