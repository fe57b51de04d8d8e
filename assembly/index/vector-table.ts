// Which row an element has: open addressing with linear probing, u32 row + 1 by element, 0 = free. Writer only.
//
// A table has a power of two of slots, at least two for each row of the slab. Elements are read from the slab's own column.

import { NONE } from '../memory/layout';
import { ALIVE, rowElement, SLAB_DEATHS, slabWord } from './vector-rows';

// @ts-ignore: decorator
@inline
function slotOf(element: u32, mask: u32): u32 {
  const mixed = element * 0x9e3779b1;
  return (mixed ^ (mixed >> 15)) & mask;
}

/** Slots of a table for a slab of that capacity. */
export function tableSlots(capacity: u32): u32 {
  return 1 << (32 - clz<u32>(capacity * 2 - 1));
}

/** The element's row, NONE = it has none. */
export function tableFind(table: usize, slots: u32, slab: usize, element: u32): u32 {
  const mask = slots - 1;
  let slot = slotOf(element, mask);
  while (true) {
    const word = load<u32>(table + (<usize>slot << 2));
    if (word == 0) return NONE;
    if (rowElement(slab, word - 1) == element) return word - 1;
    slot = (slot + 1) & mask;
  }
  return NONE;
}

/** Enters or replaces the row of an element. */
export function tablePut(table: usize, slots: u32, slab: usize, element: u32, row: u32): void {
  const mask = slots - 1;
  let slot = slotOf(element, mask);
  while (true) {
    const at = table + (<usize>slot << 2);
    const word = load<u32>(at);
    if (word == 0 || rowElement(slab, word - 1) == element) {
      store<u32>(at, row + 1);
      return;
    }
    slot = (slot + 1) & mask;
  }
}

/** Takes the entry of a row out and closes the gap. */
export function tableDelete(table: usize, slots: u32, slab: usize, row: u32): void {
  const mask = slots - 1;
  let slot = slotOf(rowElement(slab, row), mask);
  while (load<u32>(table + (<usize>slot << 2)) != row + 1) slot = (slot + 1) & mask;
  let next = slot;
  while (true) {
    next = (next + 1) & mask;
    const word = load<u32>(table + (<usize>next << 2));
    if (word == 0) break;
    const home = slotOf(rowElement(slab, word - 1), mask);
    if (((next - home) & mask) < ((next - slot) & mask)) continue;
    store<u32>(table + (<usize>slot << 2), word);
    slot = next;
  }
  store<u32>(table + (<usize>slot << 2), 0);
}

/** The table of those of the first `rows` rows that are alive. */
export function tableFill(table: usize, slots: u32, slab: usize, rows: u32): void {
  memory.fill(table, 0, <usize>slots << 2);
  tableAdd(table, slots, slab, 0, rows);
}

/** Enters those of the rows in [from, end) that are alive. */
export function tableAdd(table: usize, slots: u32, slab: usize, from: u32, end: u32): void {
  const deaths = slabWord(slab, SLAB_DEATHS);
  for (let row = from; row < end; row++) {
    if (load<u32>(deaths + (<usize>row << 2)) == ALIVE) tablePut(table, slots, slab, rowElement(slab, row), row);
  }
}
