// The heap behind a PriorityQueue: two lists side by side (collections.ts), elements and priorities, four children a node, the least
// priority first. Elements of equal priority come out in the order in which .NET's heap gives them: a node goes up while it is less
// than its parent, and down while its least child, the first one of equals, is less than it.
//
// Cost: O(log n) comparisons for each call; nothing is allocated.

import { TYPE_DOUBLE, TYPE_INT32 } from '../values/types';
import { LIST_ITEMS } from './collections';
import { FAULT_ARGUMENT } from './faults';
import { codeBytes, NO_ORDER, OBJECT_COUNT, OBJECT_HEADER, objectAddress, objectCode, valueCompare } from './objects';

const SHIFT: u32 = 2;
const CHILDREN: u32 = 4;

let code: u32 = 0;
let priorities: usize = 0;
let priorityBytes: usize = 0;
let elements: usize = 0;
let elementBytes: usize = 0;
let unordered: bool = false;

function items(list: u32): u32 {
  return load<u32>(objectAddress(list), LIST_ITEMS);
}

function open(elementList: u32, priorityList: u32): void {
  const keys = items(priorityList);
  const values = items(elementList);
  code = objectCode(keys);
  priorityBytes = <usize>codeBytes(code);
  priorities = objectAddress(keys) + OBJECT_HEADER;
  elementBytes = <usize>codeBytes(objectCode(values));
  elements = objectAddress(values) + OBJECT_HEADER;
  unordered = false;
}

/** Whether the priority at one place is less than that at another. */
function isLess(left: u32, right: u32): bool {
  const p = priorities + priorityBytes * <usize>left;
  const q = priorities + priorityBytes * <usize>right;
  if (code == TYPE_INT32) return load<i32>(p) < load<i32>(q);
  if (code == TYPE_DOUBLE) {
    const a = load<f64>(p);
    const b = load<f64>(q);
    if (a == a && b == b) return a < b;
  }
  const order = valueCompare(code, p, q);
  if (order == NO_ORDER) unordered = true;
  return order < 0;
}

function swapItems(p: usize, q: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 4) {
    const word = load<u32>(p + i);
    store<u32>(p + i, load<u32>(q + i));
    store<u32>(q + i, word);
  }
}

function swap(left: u32, right: u32): void {
  swapItems(priorities + priorityBytes * <usize>left, priorities + priorityBytes * <usize>right, priorityBytes);
  swapItems(elements + elementBytes * <usize>left, elements + elementBytes * <usize>right, elementBytes);
}

/** The last items, added just now, go to their place. 0, or what is wrong. */
export function heapUp(elementList: u32, priorityList: u32): u32 {
  open(elementList, priorityList);
  let at = load<u32>(objectAddress(priorityList), OBJECT_COUNT) - 1;
  while (at > 0) {
    const parent = (at - 1) >> SHIFT;
    if (!isLess(at, parent)) break;
    swap(at, parent);
    at = parent;
  }
  return unordered ? FAULT_ARGUMENT : 0;
}

/** The first items, of which there are some, go. 0, or what is wrong. */
export function heapDown(elementList: u32, priorityList: u32): u32 {
  open(elementList, priorityList);
  const count = load<u32>(objectAddress(priorityList), OBJECT_COUNT) - 1;
  store<u32>(objectAddress(priorityList), count, OBJECT_COUNT);
  store<u32>(objectAddress(elementList), count, OBJECT_COUNT);
  if (count == 0) return 0;
  swap(0, count);
  let at: u32 = 0;
  while (true) {
    const first = (at << SHIFT) + 1;
    if (first >= count) break;
    const end = min<u32>(first + CHILDREN, count);
    let least = first;
    for (let child = first + 1; child < end; child++) {
      if (isLess(child, least)) least = child;
    }
    if (!isLess(least, at)) break;
    swap(least, at);
    at = least;
  }
  return unordered ? FAULT_ARGUMENT : 0;
}
