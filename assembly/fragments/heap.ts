// The heap behind a PriorityQueue: two lists side by side (collections.ts), elements and priorities, four children a node, the least
// priority first. Elements of equal priority come out in the order in which .NET's heap gives them: a node goes up while it is less
// than its parent, and down while its least child, the first one of equals, is less than it.
//
// Cost: O(log n) comparisons for each call; nothing is allocated. Whoever goes up or down is put down once, where it stays.

import { TYPE_DOUBLE, TYPE_INT32, TYPE_INT64, TYPE_SINGLE } from '../values/types';
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

/** The last items, added just now, go to their place. 0, or what is wrong. */
export function heapUp(elementList: u32, priorityList: u32): u32 {
  open(elementList, priorityList);
  const last = load<u32>(objectAddress(priorityList), OBJECT_COUNT) - 1;
  if (code == TYPE_INT32) upBy<i32>(last);
  else if (code == TYPE_DOUBLE) upBy<f64>(last);
  else if (code == TYPE_INT64) upBy<i64>(last);
  else if (code == TYPE_SINGLE) upBy<f32>(last);
  else upByOrder(last);
  return unordered ? FAULT_ARGUMENT : 0;
}

/** The first items, of which there are some, go. 0, or what is wrong. */
export function heapDown(elementList: u32, priorityList: u32): u32 {
  open(elementList, priorityList);
  const count = load<u32>(objectAddress(priorityList), OBJECT_COUNT) - 1;
  store<u32>(objectAddress(priorityList), count, OBJECT_COUNT);
  store<u32>(objectAddress(elementList), count, OBJECT_COUNT);
  if (count == 0) return 0;
  if (code == TYPE_INT32) downBy<i32>(count);
  else if (code == TYPE_DOUBLE) downBy<f64>(count);
  else if (code == TYPE_INT64) downBy<i64>(count);
  else if (code == TYPE_SINGLE) downBy<f32>(count);
  else downByOrder(count);
  return unordered ? FAULT_ARGUMENT : 0;
}

// --- Priorities that are numbers -----------------------------------------------------------------------------------------

/** As CompareTo has it: NaN comes first. */
// @ts-ignore: decorator
@inline
function isBelow<T>(a: T, b: T): bool {
  if (isFloat<T>()) return a < b || (a != a && b == b);
  return a < b;
}

// @ts-ignore: decorator
@inline
function priorityAt<T>(place: u32): T {
  return load<T>(priorities + sizeof<T>() * <usize>place);
}

// @ts-ignore: decorator
@inline
function putPriority<T>(place: u32, priority: T): void {
  store<T>(priorities + sizeof<T>() * <usize>place, priority);
}

function upBy<T>(last: u32): void {
  const priority = priorityAt<T>(last);
  const held = elements + elementBytes * <usize>last;
  const low = elementBytes == 4 ? <u64>load<u32>(held) : load<u64>(held);
  const high = elementBytes == 16 ? load<u64>(held, 8) : 0;
  let at = last;
  while (at > 0) {
    const parent = (at - 1) >> SHIFT;
    const other = priorityAt<T>(parent);
    if (!isBelow<T>(priority, other)) break;
    putPriority<T>(at, other);
    moveElement(at, parent);
    at = parent;
  }
  if (at == last) return;
  putPriority<T>(at, priority);
  const to = elements + elementBytes * <usize>at;
  if (elementBytes == 4) store<u32>(to, <u32>low);
  else store<u64>(to, low);
  if (elementBytes == 16) store<u64>(to, high, 8);
}

/** What goes down from the first place is at place `count` until it is there. */
function downBy<T>(count: u32): void {
  const priority = priorityAt<T>(count);
  let at: u32 = 0;
  while (true) {
    const first = (at << SHIFT) + 1;
    if (first >= count) break;
    const end = min<u32>(first + CHILDREN, count);
    let least = first;
    let lowest = priorityAt<T>(first);
    for (let child = first + 1; child < end; child++) {
      const other = priorityAt<T>(child);
      if (isBelow<T>(other, lowest)) {
        least = child;
        lowest = other;
      }
    }
    if (!isBelow<T>(lowest, priority)) break;
    putPriority<T>(at, lowest);
    moveElement(at, least);
    at = least;
  }
  putPriority<T>(at, priority);
  moveElement(at, count);
}

// @ts-ignore: decorator
@inline
function moveElement(to: u32, from: u32): void {
  const p = elements + elementBytes * <usize>to;
  const q = elements + elementBytes * <usize>from;
  if (elementBytes == 4) store<u32>(p, load<u32>(q));
  else if (elementBytes == 8) store<u64>(p, load<u64>(q));
  else v128.store(p, v128.load(q));
}

// --- All others ----------------------------------------------------------------------------------------------------------

/** Whether the priority at one place is less than that at another. */
function isLess(left: u32, right: u32): bool {
  const order = valueCompare(
    code,
    priorities + priorityBytes * <usize>left,
    priorities + priorityBytes * <usize>right,
  );
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

function upByOrder(last: u32): void {
  let at = last;
  while (at > 0) {
    const parent = (at - 1) >> SHIFT;
    if (!isLess(at, parent)) break;
    swap(at, parent);
    at = parent;
  }
}

function downByOrder(count: u32): void {
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
}
