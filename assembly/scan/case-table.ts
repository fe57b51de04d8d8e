// Upper-casing of single UTF-16 units for comparisons that ignore case, as .NET's OrdinalIgnoreCase does: by simple mapping, unit
// by unit, ASCII and the rest never mixed. The module can hold no table, so the host writes one, 65,536 x u16, once a memory,
// computed from the runtime's own Unicode data; an entry of 0 means "itself", so a table not yet written only sees no case
// beyond ASCII. Units of surrogate pairs map to themselves. May know nothing of what is compared.

import { allocate } from '../memory/allocator';
import { PURPOSE_SYSTEM, ROOT_CASE_TABLE } from '../memory/layout';

/** Bytes of the table. */
const CASE_TABLE_BYTES: usize = 2 * 65536;

/**
 * [W] A table of zeros that no scan knows yet; 0 when memory does not allow it. The host stores at 2 * unit the upper-case unit
 * where that is another single unit, and then publishes the table.
 */
export function caseTableAddress(): usize {
  let table = allocate(0, PURPOSE_SYSTEM, CASE_TABLE_BYTES);
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
  let upper = <u32>load<u16>(table + 2 * <usize>unit);
  return upper < 0x80 ? unit : upper;
}
