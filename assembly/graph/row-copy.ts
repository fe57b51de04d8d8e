// Copying property rows from one graph of a memory to another: deep, records included, with the shape that the other graph has for them.
// Interned names belong to the memory and stay what they are.

import { allocate } from '../memory/allocator';
import { hasRecord, recordCopy, recordPurpose, rowAllocate, rowShape, rowSlot, valueBytes } from './rows';
import { shapeCount, shapeEntries, shapeOf, shapeRetain, shapeType } from './shapes';
import { stateHeap } from './state';

/** The shape of the latest copied row, here and there: elements in a row tend to share it. */
let shapeHere: usize = 0;
let shapeThere: usize = 0;

/** Before a run of copies between the same two graphs, in which nothing else is written. */
export function rowCopyBegin(): void {
  shapeHere = 0;
}

/** A copy of the row in the heap of the state `fresh`; 0 = no memory. */
export function rowCopy(fresh: usize, row: usize): usize {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  if (shape != shapeHere) {
    shapeThere = shapeOf(fresh, shapeEntries(shape), count);
    shapeHere = shapeThere == 0 ? 0 : shape;
    if (shapeThere == 0) return 0;
  }
  const heap = stateHeap(fresh);
  const copy = rowAllocate(heap, shapeThere, count);
  if (copy == 0) return 0;
  shapeRetain(shapeThere, 1);
  for (let i: u32 = 0; i < count; i++) {
    const type = shapeType(shape, i);
    const slot = rowSlot(row, i);
    if (!hasRecord(type)) {
      store<u64>(rowSlot(copy, i), load<u64>(slot));
      continue;
    }
    const from: usize = load<u32>(slot);
    const bytes = valueBytes(type, from);
    const record = allocate(heap, recordPurpose(type), bytes);
    if (record == 0) return 0;
    recordCopy(record, from, bytes);
    store<u64>(rowSlot(copy, i), <u64>record);
  }
  return copy;
}
