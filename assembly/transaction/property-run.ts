// A run of property writes of one element: one row and one shape for all of them. One by one, each write makes a whole row and, for
// a key that is new, a whole shape, so that a thousand keys of one element cost a million slots. Here the properties stand in a hash
// table while the run is carried out, and only what they are at its end becomes the next row. Change records, modification time and
// what commit and undo give back are those of the single writes (properties.ts).
//
//   workspace (scratch, of the transaction)   table of { u32 key, u32 type (0 = no such property), u64 slot word, u32 old slot, u32 zero },
//                                             open addressing, at most half full, NONE = empty; then entries { u32 key, u32 type } of the
//                                             next shape; then those of keys that are new, and their order as u32

import { COLUMN_ROW, columnWord } from '../graph/elements';
import { hasRecord, recordCopy, recordPurpose, rowAllocate, rowShape, rowSlot, valueBytes } from '../graph/rows';
import { reserveLater } from '../graph/running';
import { compareKeys, shapeCount, shapeDiscard, shapeKey, shapeOf, shapeType, sortIndices } from '../graph/shapes';
import { pageAddress, stateHeap } from '../graph/state';
import { touchProperty } from '../graph/touched';
import { allocate } from '../memory/allocator';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { LIMIT_MET, NO_MEMORY, OK } from '../status';
import { equalValues } from '../values/compare';
import { CHANGE_PROPERTY_REMOVED, CHANGE_PROPERTY_SET, changeProperty } from './changes';
import { OP_REMOVE_PROPERTY, OP_SET_PROPERTY, OPERATION_BYTES, OPERATION_ELEMENT, OPERATION_NAME, OPERATION_TYPE } from './format';
import { JOURNAL_PROPERTY, JOURNAL_VALUE, journalAdd, journalEntry, journalSet } from './journal';
import { countMade, isMadeFull, rowPublish } from './properties';
import { stringFind, stringIntern } from './templates';

/** From so many writes on a run is carried out as one. */
export const LEAST_RUN: u32 = 8;

const CELL_BYTES: usize = 24;
const CELL_TYPE: usize = 4;
const CELL_WORD: usize = 8;
const CELL_SLOT: usize = 16;

/** Of the transaction: room for so many properties at `workspace`. */
let workspace: usize = 0;
let capacity: u32 = 0;
let mask: u32 = 0;
let end: usize = 0;
/** Operations of the run that were carried out, when it failed. */
let done: u32 = 0;

/** Before the operations of a transaction. */
export function runsBegin(): void {
  workspace = 0;
  capacity = 0;
}

/** How many of the `most` operations from `at` on are property writes of the element of the first; 0: that one is none. */
export function runLength(at: usize, most: u32): u32 {
  const element = load<u32>(at, OPERATION_ELEMENT);
  let length: u32 = 0;
  for (; length < most; length++) {
    const operation = load<u32>(at);
    if ((operation != OP_SET_PROPERTY && operation != OP_REMOVE_PROPERTY) || load<u32>(at, OPERATION_ELEMENT) != element) break;
    const type = load<u32>(at, OPERATION_TYPE);
    at += OPERATION_BYTES;
    if (operation == OP_SET_PROPERTY) at += valueBytes(type, at);
  }
  end = at;
  return length;
}

/** Behind the run that `runLength` has measured. */
export function runEnd(): usize {
  return end;
}

/** After LIMIT_MET: which operation of the run, from 0. */
export function runDone(): u32 {
  return done;
}

/** Carries out `length` property writes of a live element, the first at `at`. OK, NO_MEMORY or LIMIT_MET. */
export function propertyRun(state: usize, id: u32, at: usize, length: u32, time: u32): i32 {
  const row: usize = load<u32>(columnWord(pageAddress(state, id), id), COLUMN_ROW);
  const shape: usize = row == 0 ? 0 : rowShape(row);
  const count: u32 = shape == 0 ? 0 : shapeCount(shape);
  done = 0;
  if (isMadeFull()) return LIMIT_MET;
  if (!workspaceReady(count + length)) return NO_MEMORY;
  for (let i: u32 = 0; i < count; i++) {
    const cell = cellOf(shapeKey(shape, i));
    store<u32>(cell, shapeKey(shape, i));
    store<u32>(cell, shapeType(shape, i), CELL_TYPE);
    store<u64>(cell, load<u64>(rowSlot(row, i)), CELL_WORD);
    store<u32>(cell, i, CELL_SLOT);
  }
  let changed = false;
  for (; done < length; done++) {
    const isSet = load<u32>(at) == OP_SET_PROPERTY;
    const key = isSet ? stringIntern(load<u32>(at, OPERATION_NAME)) : stringFind(load<u32>(at, OPERATION_NAME));
    const type: u32 = isSet ? load<u32>(at, OPERATION_TYPE) : 0;
    const value = at + OPERATION_BYTES;
    at = isSet ? value + valueBytes(type, value) : value;
    if (key == NONE) {
      if (isSet) return NO_MEMORY;
      continue;
    }
    const cell = cellOf(key);
    if (load<u32>(cell) == NONE) {
      store<u32>(cell, key);
      store<u32>(cell, 0, CELL_TYPE);
      store<u32>(cell, NONE, CELL_SLOT);
    }
    const oldType = load<u32>(cell, CELL_TYPE);
    if (oldType == type) {
      if (!isSet) continue;
      const word = cell + CELL_WORD;
      if (equalValues(type, hasRecord(type) ? <usize>load<u32>(word) : word, value)) continue;
    }
    if (!cellSet(state, id, cell, type, value)) return NO_MEMORY;
    changed = true;
    if (!changeProperty(state, isSet ? CHANGE_PROPERTY_SET : CHANGE_PROPERTY_REMOVED, id, key)) return NO_MEMORY;
  }
  return changed ? rowNext(state, id, row, time) : OK;
}

/** Gives the cell's property another value, or with type 0 none; false without memory. What it had is the journal's. */
function cellSet(state: usize, id: u32, cell: usize, type: u32, value: usize): bool {
  const entry = journalEntry(JOURNAL_VALUE, id);
  if (entry == 0 || !reserveLater(2) || !touchProperty(id, load<u32>(cell))) return false;
  let word: u64 = type == 0 ? 0 : load<u64>(value);
  let record: usize = 0;
  if (hasRecord(type)) {
    const bytes = valueBytes(type, value);
    record = allocate(stateHeap(state), recordPurpose(type), bytes);
    if (record == 0) return false;
    recordCopy(record, value, bytes);
    word = <u64>record;
  }
  const oldType = load<u32>(cell, CELL_TYPE);
  journalSet(entry, 0, 0);
  journalSet(entry, 1, 0);
  journalSet(entry, 2, <u32>record);
  journalSet(entry, 3, type);
  journalSet(entry, 4, hasRecord(oldType) ? load<u32>(cell, CELL_WORD) : 0);
  journalSet(entry, 5, oldType);
  journalAdd(entry);
  store<u32>(cell, type, CELL_TYPE);
  store<u64>(cell, word, CELL_WORD);
  return true;
}

/** Makes the row of what stands in the table and publishes it. */
function rowNext(state: usize, id: u32, row: usize, time: u32): i32 {
  const entry = journalEntry(JOURNAL_PROPERTY, id);
  if (entry == 0 || !reserveLater(3)) return NO_MEMORY;
  const entries = workspace + (<usize>mask + 1) * CELL_BYTES;
  const count = entriesMerge(row == 0 ? 0 : rowShape(row), entries);
  let next: usize = 0;
  if (count != 0) {
    const nextShape = shapeOf(state, entries, count);
    next = nextShape == 0 ? 0 : rowAllocate(stateHeap(state), nextShape, count);
    if (next == 0) {
      if (nextShape != 0) shapeDiscard(state, nextShape);
      return NO_MEMORY;
    }
    countMade(nextShape);
    for (let i: u32 = 0; i < count; i++) store<u64>(rowSlot(next, i), load<u64>(cellOf(shapeKey(nextShape, i)), CELL_WORD));
  }
  for (let i: u32 = 2; i < 6; i++) journalSet(entry, i, 0);
  rowPublish(state, id, row, next, time, entry);
  return OK;
}

/** Writes the properties of the table in the order of a shape: those that were there in their order, the new ones sorted in between. */
function entriesMerge(shape: usize, entries: usize): u32 {
  const fresh = entries + ((<usize>capacity) << 3);
  const order = fresh + ((<usize>capacity) << 3);
  let added: u32 = 0;
  for (let i: u32 = 0; i <= mask; i++) {
    const cell = workspace + <usize>i * CELL_BYTES;
    if (load<u32>(cell) == NONE || load<u32>(cell, CELL_TYPE) == 0 || load<u32>(cell, CELL_SLOT) != NONE) continue;
    store<u64>(fresh + ((<usize>added) << 3), load<u64>(cell));
    store<u32>(order + ((<usize>added) << 2), added);
    added++;
  }
  sortIndices(order, added, fresh, true);
  const count: u32 = shape == 0 ? 0 : shapeCount(shape);
  let at: usize = entries;
  let taken: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const key = shapeKey(shape, i);
    const cell = cellOf(key);
    if (load<u32>(cell, CELL_TYPE) == 0) continue;
    for (; taken < added && compareKeys(load<u32>(freshAt(fresh, order, taken)), key) < 0; taken++) {
      store<u64>(at, load<u64>(freshAt(fresh, order, taken)));
      at += 8;
    }
    store<u64>(at, load<u64>(cell));
    at += 8;
  }
  for (; taken < added; taken++) {
    store<u64>(at, load<u64>(freshAt(fresh, order, taken)));
    at += 8;
  }
  return <u32>((at - entries) >> 3);
}

// @ts-ignore: decorator
@inline
function freshAt(fresh: usize, order: usize, index: u32): usize {
  return fresh + ((<usize>load<u32>(order + ((<usize>index) << 2))) << 3);
}

/** The cell of the key, or the empty one where it belongs. */
function cellOf(key: u32): usize {
  let index = (key * 0x9e3779b1) & mask;
  while (true) {
    const cell = workspace + <usize>index * CELL_BYTES;
    const its = load<u32>(cell);
    if (its == key || its == NONE) return cell;
    index = (index + 1) & mask;
  }
}

/** An empty table for so many properties, in the workspace of the run before where that is large enough. */
function workspaceReady(properties: u32): bool {
  if (properties > capacity) {
    const slots = tableSlots(properties);
    const room = slots >> 1;
    const bytes = <u64>slots * CELL_BYTES + <u64>room * 20;
    workspace = bytes > 0x7fffffff ? 0 : scratchAllocate(<usize>bytes);
    capacity = workspace == 0 ? 0 : room;
    if (workspace == 0) return false;
  }
  mask = tableSlots(properties) - 1;
  memory.fill(workspace, 0xff, (<usize>mask + 1) * CELL_BYTES);
  return true;
}

/** A power of two and at least twice as many. */
function tableSlots(properties: u32): u32 {
  return <u32>1 << (33 - clz(max<u32>(properties, 8) - 1));
}
