// Property writes: the next row of an element, built beside the current one and published with one store.
//
// Setting a value that equals the current one (same type, and equal as compare.ts says) or removing a key that is not there
// changes nothing: no modification time, no change record. A change stores the transaction's time as modification,
// unless a later one stands there: a redo over newer contents must not turn it back.

import { COLUMN_MODIFICATION, COLUMN_ROW, columnWord } from '../graph/elements';
import { hasRecord, recordCopy, recordPurpose, rowAllocate, rowShape, rowSlot, valueBytes } from '../graph/rows';
import { reserveLater } from '../graph/running';
import { shapeCount, shapeDiscard, shapeReferences, shapeRetain, shapeSlot, shapeType, shapeWith, shapeWithout } from '../graph/shapes';
import { pageAddress, stateHeap } from '../graph/state';
import { touchProperty } from '../graph/touched';
import { allocate, release } from '../memory/allocator';
import { LIMIT_MET, NO_MEMORY, OK } from '../status';
import { equalValues } from '../values/compare';
import { CHANGE_PROPERTY_REMOVED, CHANGE_PROPERTY_SET, changeProperty } from './changes';
import { JOURNAL_PROPERTY, journalAdd, journalEntry, journalSet } from './journal';

/**
 * Bytes of rows and shapes that the property writes of one transaction may make. All of them stay until it ends, and a write makes a
 * whole row: without a bound a thousand properties one by one on an element that has many take all memory.
 */
const MAX_MADE_BYTES: u64 = 0x4000000; // 64 MiB
const SHAPE_ENTRY_BYTES: usize = 12;
const SLOT_BYTES: usize = 8;

let made: u64 = 0;
let mostMade: u64 = 0;

/** Before the operations of a transaction. A redo has no bound: what the log has was taken once. */
export function propertiesBegin(redo: bool): void {
  made = 0;
  mostMade = redo ? u64.MAX_VALUE : MAX_MADE_BYTES;
}

/** Whether a transaction may make no more of them. */
export function isMadeFull(): bool {
  return made > mostMade;
}

/** Counts a row for the shape, and the shape when it is new. */
export function countMade(shape: usize): void {
  const entry = shapeReferences(shape) == 0 ? SLOT_BYTES + SHAPE_ENTRY_BYTES : SLOT_BYTES;
  made += (<u64>shapeCount(shape)) * (<u64>entry);
}

/** Sets a property of a live element to the value at `value` of the buffer. OK, NO_MEMORY or LIMIT_MET. */
export function propertySet(state: usize, id: u32, key: u32, type: u32, value: usize, time: u32): i32 {
  const row: usize = load<u32>(columnWord(pageAddress(state, id), id), COLUMN_ROW);
  const shape: usize = row == 0 ? 0 : rowShape(row);
  const slot: i32 = shape == 0 ? -1 : shapeSlot(shape, key);
  const oldType: u32 = slot < 0 ? 0 : shapeType(shape, <u32>slot);
  if (oldType == type) {
    const current = rowSlot(row, <u32>slot);
    if (equalValues(type, hasRecord(type) ? <usize>load<u32>(current) : current, value)) return OK;
  }
  if (isMadeFull()) return LIMIT_MET;
  const entry = journalEntry(JOURNAL_PROPERTY, id);
  if (entry == 0 || !reserveLater(3) || !touchProperty(id, key)) return NO_MEMORY;
  let word = load<u64>(value);
  let record: usize = 0;
  if (hasRecord(type)) {
    const bytes = valueBytes(type, value);
    record = allocate(stateHeap(state), recordPurpose(type), bytes);
    if (record == 0) return NO_MEMORY;
    recordCopy(record, value, bytes);
    word = <u64>record;
  }
  const nextShape: usize = oldType == type ? shape : shapeWith(state, shape, slot, key, type);
  const next: usize = nextShape == 0 ? 0 : rowAllocate(stateHeap(state), nextShape, shapeCount(nextShape));
  if (next == 0) {
    if (nextShape != 0) shapeDiscard(state, nextShape);
    if (record != 0) release(recordPurpose(type), record);
    return NO_MEMORY;
  }
  countMade(nextShape);
  const at = slot >= 0 ? <u32>slot : positionOf(nextShape, key);
  const count: u32 = shape == 0 ? 0 : shapeCount(shape);
  slotsCopy(row, next, 0, 0, at);
  store<u64>(rowSlot(next, at), word);
  const from = slot >= 0 ? at + 1 : at;
  slotsCopy(row, next, from, at + 1, count - from);
  journalSet(entry, 2, <u32>record);
  journalSet(entry, 3, type);
  const replaced = slot >= 0 && hasRecord(oldType);
  journalSet(entry, 4, replaced ? load<u32>(rowSlot(row, <u32>slot)) : 0);
  journalSet(entry, 5, oldType);
  rowPublish(state, id, row, next, time, entry);
  return changeProperty(state, CHANGE_PROPERTY_SET, id, key) ? OK : NO_MEMORY;
}

/** Removes a property of a live element. OK, NO_MEMORY or LIMIT_MET. */
export function propertyRemove(state: usize, id: u32, key: u32, time: u32): i32 {
  const row: usize = load<u32>(columnWord(pageAddress(state, id), id), COLUMN_ROW);
  if (row == 0) return OK;
  const shape = rowShape(row);
  const slot = shapeSlot(shape, key);
  if (slot < 0) return OK;
  if (isMadeFull()) return LIMIT_MET;
  const entry = journalEntry(JOURNAL_PROPERTY, id);
  if (entry == 0 || !reserveLater(3) || !touchProperty(id, key)) return NO_MEMORY;
  const at = <u32>slot;
  const count = shapeCount(shape) - 1;
  let next: usize = 0;
  if (count != 0) {
    const nextShape = shapeWithout(state, shape, at);
    next = nextShape == 0 ? 0 : rowAllocate(stateHeap(state), nextShape, count);
    if (next == 0) {
      if (nextShape != 0) shapeDiscard(state, nextShape);
      return NO_MEMORY;
    }
    countMade(nextShape);
    slotsCopy(row, next, 0, 0, at);
    slotsCopy(row, next, at + 1, at, count - at);
  }
  const oldType = shapeType(shape, at);
  journalSet(entry, 2, 0);
  journalSet(entry, 3, 0);
  journalSet(entry, 4, hasRecord(oldType) ? load<u32>(rowSlot(row, at)) : 0);
  journalSet(entry, 5, oldType);
  rowPublish(state, id, row, next, time, entry);
  return changeProperty(state, CHANGE_PROPERTY_REMOVED, id, key) ? OK : NO_MEMORY;
}

function positionOf(shape: usize, key: u32): u32 {
  const slot = shapeSlot(shape, key);
  return <u32>slot;
}

function slotsCopy(from: usize, to: usize, first: u32, at: u32, count: u32): void {
  if (count != 0) memory.copy(rowSlot(to, at), rowSlot(from, first), (<usize>count) << 3);
}

/** Makes `next` the element's row. The old row keeps its use of its shape until commit, as the new one until undo. */
export function rowPublish(state: usize, id: u32, row: usize, next: usize, time: u32, entry: usize): void {
  const words = columnWord(pageAddress(state, id), id);
  const modification = load<u32>(words, COLUMN_MODIFICATION);
  journalSet(entry, 0, <u32>row);
  journalSet(entry, 1, modification);
  journalAdd(entry);
  if (next != 0) shapeRetain(rowShape(next), 1);
  store<u32>(words, max<u32>(modification, time), COLUMN_MODIFICATION);
  atomic.store<u32>(words + COLUMN_ROW, <u32>next);
}
