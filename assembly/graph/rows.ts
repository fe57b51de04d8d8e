// Property rows: the values of one element.
//
//   row   u32 shape address, u32 zero, then one 8-byte slot for each entry of the shape (slot forms: values/types.ts)
//
// A row is immutable once an element points to it. A property write builds the next row, which takes over the records
// (strings, wide values, Single[]) of all unchanged properties by address, and publishes it with one store.
// Knows the slot forms and the shapes; nothing of elements.

import { allocate, release } from '../memory/allocator';
import { PURPOSE_PROPERTIES, PURPOSE_STRINGS } from '../memory/layout';
import { retire } from '../memory/retire';
import { isVariable, isWide, TYPE_STRING } from '../values/types';
import { shapeCount, shapeType } from './shapes';

const ROW_SHAPE: usize = 0;
const ROW_ZERO: usize = 4;
const ROW_HEADER: usize = 8;

/** The shape that says which property stands in which slot. */
// @ts-ignore: decorator
@inline
export function rowShape(row: usize): usize {
  return <usize>load<u32>(row, ROW_SHAPE);
}

/** Address of slot `index`. */
// @ts-ignore: decorator
@inline
export function rowSlot(row: usize, index: u32): usize {
  return row + ROW_HEADER + ((<usize>index) << 3);
}

// --- Writer --------------------------------------------------------------------------------------------------------------

/** A row with unset slots; 0 = no memory. */
// @ts-ignore: decorator
@inline
export function rowAllocate(heap: u32, shape: usize, count: u32): usize {
  const row = allocate(heap, PURPOSE_PROPERTIES, ROW_HEADER + ((<usize>count) << 3));
  if (row != 0) {
    store<u32>(row, <u32>shape, ROW_SHAPE);
    store<u32>(row, 0, ROW_ZERO);
  }
  return row;
}

/** True when a slot of that type holds the address of a record of its own. */
// @ts-ignore: decorator
@inline
export function hasRecord(type: u32): bool {
  return isVariable(type) || isWide(type);
}

/** Strings count as strings; Single[] and wide values as properties. */
// @ts-ignore: decorator
@inline
export function recordPurpose(type: u32): u32 {
  return type == TYPE_STRING ? PURPOSE_STRINGS : PURPOSE_PROPERTIES;
}

/** Bytes a value takes in a transaction buffer, padded to 8; `at` is where it stands. */
// @ts-ignore: decorator
@inline
export function valueBytes(type: u32, at: usize): usize {
  if (isVariable(type)) return (8 + <usize>load<u32>(at) + 7) & ~7;
  return isWide(type) ? 16 : 8;
}

/** Copies the value at `at` of a transaction buffer into a slot word of its own; false = no memory (only with a record). */
// @ts-ignore: decorator
@inline
export function valueStore(heap: u32, type: u32, at: usize, slot: usize): bool {
  if (!hasRecord(type)) {
    store<u64>(slot, load<u64>(at));
    return true;
  }
  const bytes = valueBytes(type, at);
  const record = allocate(heap, recordPurpose(type), bytes);
  if (record == 0) return false;
  recordCopy(record, at, bytes);
  store<u64>(slot, <u64>record);
  return true;
}

/** Copies whole words: records are short, and a call of memory.copy costs more than a few of them. */
// @ts-ignore: decorator
@inline
export function recordCopy(to: usize, from: usize, bytes: usize): void {
  if (bytes > 96) {
    memory.copy(to, from, bytes);
    return;
  }
  for (let i: usize = 0; i < bytes; i += 8) store<u64>(to + i, load<u64>(from + i));
}

/** Frees the row and its records at once: nobody else may have seen it. The shape is the caller's affair. */
export function rowRelease(row: usize, filled: u32): void {
  const shape = rowShape(row);
  for (let i: u32 = 0; i < filled; i++) {
    const type = shapeType(shape, i);
    if (hasRecord(type)) release(recordPurpose(type), <usize>load<u32>(rowSlot(row, i)));
  }
  release(PURPOSE_PROPERTIES, row);
}

/** How many `retire` calls `rowRetire` makes. */
export function rowRetireCount(row: usize): u32 {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  let records: u32 = 0;
  for (let i: u32 = 0; i < count; i++) records += u32(hasRecord(shapeType(shape, i)));
  return records + 1;
}

/** Retires the row and its records, `rowRetireCount` entries. Its shape is the caller's affair. */
export function rowRetire(row: usize): void {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  for (let i: u32 = 0; i < count; i++) {
    const type = shapeType(shape, i);
    if (hasRecord(type)) retire(recordPurpose(type), <usize>load<u32>(rowSlot(row, i)));
  }
  retire(PURPOSE_PROPERTIES, row);
}
