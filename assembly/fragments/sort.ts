// The order in which Array.Sort and List.Sort leave items: .NET's introspective sort, step by step, since it is not stable and where equal
// items end up can be seen. Short parts are sorted by insertion, longer ones around the median of three, and what is split too often
// becomes a heap.
//
// It is a machine that asks: `sortNext` gets the answer to its last question and answers whether it has another one, which two items to
// compare. So a comparison may be code of a fragment. It moves numbers of items; `sortApply` moves the items when all is asked. Its
// state is an object in SCRATCH (objects.ts), the fields below behind the head.

import { FAULT_ARGUMENT, FAULT_MEMORY } from './faults';
import { codeBytes, objectAddress, objectCode, objectCreate } from './objects';
import { runAllocate } from './run-heap';

const COUNT: usize = 8;
/** Address of the numbers of the items in their order so far, and behind them the parts that wait. */
const NUMBERS: usize = 12;
const PARTS: usize = 16;
const WAITING: usize = 20;
/** What the next answer is for. */
const PHASE: usize = 24;
const LOW: usize = 28;
const HIGH: usize = 32;
/** How often the part may still be split. */
const DEPTH: usize = 36;
/** The two that are asked about: items by their numbers. */
const FIRST: usize = 40;
const SECOND: usize = 44;
const LEFT: usize = 48;
const RIGHT: usize = 52;
const STEP: usize = 56;
/** The item that is held while others move. */
const HELD: usize = 60;
const LENGTH: usize = 64;
const START: usize = 68;
const BYTES: u32 = 64;

const PHASE_PART: u32 = 0;
const PHASE_PAIR: u32 = 1;
const PHASE_LEFT: u32 = 2;
const PHASE_RIGHT: u32 = 3;
const PHASE_INSERT: u32 = 4;
const PHASE_CHILD: u32 = 5;
const PHASE_SINK: u32 = 6;

const LARGEST_INSERTION: i32 = 16;
const MOST_PARTS: usize = 64;
// A part that waits: its first place comes first.
const PART_HIGH: usize = 4;
const PART_DEPTH: usize = 8;
const PART_BYTES: usize = 12;

/** What a step answers beside ASKED, DONE and what is wrong: go on. */
const ASKED: u32 = 1;
const DONE: u32 = 0;
const GO_ON: u32 = 2;

/** Sorts `count` items; FAULT_MEMORY without room. */
export function sortStart(count: u32): u32 {
  const state = objectCreate(0, 0, BYTES);
  const numbers = state ? runAllocate(4 * <usize>count + PART_BYTES * MOST_PARTS) : 0;
  if (numbers == 0) return FAULT_MEMORY;
  const s = objectAddress(state);
  for (let i: u32 = 0; i < count; i++) store<u32>(numbers + 4 * <usize>i, i);
  store<u32>(s, count, COUNT);
  store<u32>(s, <u32>numbers, NUMBERS);
  store<u32>(s, <u32>numbers + 4 * count, PARTS);
  store<i32>(s, <i32>count - 1, HIGH);
  store<u32>(s, 2 * (32 - clz(count)), DEPTH);
  return state;
}

// @ts-ignore: decorator
@inline
function placeOf(s: usize, index: i32): usize {
  return <usize>load<u32>(s, NUMBERS) + 4 * <usize>index;
}

// @ts-ignore: decorator
@inline
function numberAt(s: usize, index: i32): u32 {
  return load<u32>(placeOf(s, index));
}

function swap(s: usize, a: i32, b: i32): void {
  const number = numberAt(s, a);
  store<u32>(placeOf(s, a), numberAt(s, b));
  store<u32>(placeOf(s, b), number);
}

function ask(s: usize, phase: u32, first: u32, second: u32): u32 {
  store<u32>(s, phase, PHASE);
  store<u32>(s, first, FIRST);
  store<u32>(s, second, SECOND);
  return ASKED;
}

/** Gets the answer to the last question: 1 when there is another one, 0 when all are in order, or what is wrong. */
export function sortNext(state: u32, order: i32): u32 {
  const s = objectAddress(state);
  while (true) {
    const phase = load<u32>(s, PHASE);
    let step: u32;
    if (phase == PHASE_PART) step = part(s);
    else if (phase == PHASE_PAIR) step = pair(s, order);
    else if (phase == PHASE_INSERT) step = insert(s, order < 0);
    else if (phase == PHASE_CHILD) step = sinkBelow(s, load<i32>(s, STEP) + i32(order < 0));
    else if (phase == PHASE_SINK) step = sunk(s, order < 0);
    else if (phase == PHASE_LEFT || phase == PHASE_RIGHT) step = partition(s, phase, order < 0);
    else return unreachable();
    if (step != GO_ON) return step;
  }
  return DONE;
}

/** The item to compare: the first one, or the other. */
export function sortAsked(state: u32, second: u32): u32 {
  return second ? load<u32>(objectAddress(state), SECOND) : load<u32>(objectAddress(state), FIRST);
}

/** Begins with the part at hand, or the next one that waits. */
function part(s: usize): u32 {
  const low = load<i32>(s, LOW);
  const high = load<i32>(s, HIGH);
  if (high <= low) return nextPart(s);
  const size = high - low + 1;
  if (size == 2) {
    store<i32>(s, 2, STEP);
    return ask(s, PHASE_PAIR, numberAt(s, low), numberAt(s, high));
  }
  if (size == 3 || size > LARGEST_INSERTION) {
    if (size != 3) {
      const depth = load<u32>(s, DEPTH);
      if (depth == 0) return heap(s);
      store<u32>(s, depth - 1, DEPTH);
    }
    store<i32>(s, 0, STEP);
    return ask(s, PHASE_PAIR, numberAt(s, low), numberAt(s, low + ((high - low) >> 1)));
  }
  store<i32>(s, low, LEFT);
  return hold(s);
}

function nextPart(s: usize): u32 {
  let waiting = load<u32>(s, WAITING);
  if (waiting == 0) return DONE;
  waiting--;
  const from = <usize>load<u32>(s, PARTS) + PART_BYTES * <usize>waiting;
  store<u32>(s, waiting, WAITING);
  store<u32>(s, load<u32>(from), LOW);
  store<u32>(s, load<u32>(from, PART_HIGH), HIGH);
  store<u32>(s, load<u32>(from, PART_DEPTH), DEPTH);
  store<u32>(s, PHASE_PART, PHASE);
  return GO_ON;
}

/** Three pairs of the lowest, the middle and the highest one: each in order. A part of two has the last pair alone. */
function pair(s: usize, order: i32): u32 {
  const low = load<i32>(s, LOW);
  const high = load<i32>(s, HIGH);
  const middle = high - low == 1 ? low : low + ((high - low) >> 1);
  let step = load<i32>(s, STEP);
  const a = step == 2 ? middle : low;
  const b = step == 0 ? middle : high;
  if (order > 0) swap(s, a, b);
  step++;
  store<i32>(s, step, STEP);
  if (step == 1) return ask(s, PHASE_PAIR, numberAt(s, low), numberAt(s, high));
  if (step == 2) return ask(s, PHASE_PAIR, numberAt(s, middle), numberAt(s, high));
  if (high - low <= 2) return nextPart(s);
  // The middle one is what the part is split around.
  store<u32>(s, numberAt(s, middle), HELD);
  swap(s, middle, high - 1);
  store<i32>(s, high - 1, RIGHT);
  store<i32>(s, low, LEFT);
  return further(s);
}

/** Looks on from the left for one that belongs to the right. */
function further(s: usize): u32 {
  const left = load<i32>(s, LEFT) + 1;
  // A comparer that contradicts itself leads outside.
  if (left >= load<i32>(s, COUNT)) return FAULT_ARGUMENT;
  store<i32>(s, left, LEFT);
  return ask(s, PHASE_LEFT, numberAt(s, left), load<u32>(s, HELD));
}

function partition(s: usize, phase: u32, less: bool): u32 {
  if (phase == PHASE_LEFT && less) return further(s);
  const left = load<i32>(s, LEFT);
  let right = load<i32>(s, RIGHT);
  if (phase == PHASE_LEFT || less) {
    right--;
    if (right < 0) return FAULT_ARGUMENT;
    store<i32>(s, right, RIGHT);
    return ask(s, PHASE_RIGHT, load<u32>(s, HELD), numberAt(s, right));
  }
  const high = load<i32>(s, HIGH);
  if (left < right) {
    swap(s, left, right);
    return further(s);
  }
  swap(s, left, high - 1);
  // What lies left of it waits.
  const waiting = load<u32>(s, WAITING);
  const to = <usize>load<u32>(s, PARTS) + PART_BYTES * <usize>waiting;
  store<u32>(s, waiting + 1, WAITING);
  store<i32>(to, load<i32>(s, LOW));
  store<i32>(to, left - 1, PART_HIGH);
  store<u32>(to, load<u32>(s, DEPTH), PART_DEPTH);
  store<i32>(s, left + 1, LOW);
  store<u32>(s, PHASE_PART, PHASE);
  return GO_ON;
}

// --- Insertion -----------------------------------------------------------------------------------------------------------

/** Takes the next one out that is to be inserted among those left of it. */
function hold(s: usize): u32 {
  const left = load<i32>(s, LEFT);
  if (left >= load<i32>(s, HIGH)) return nextPart(s);
  const held = numberAt(s, left + 1);
  store<u32>(s, held, HELD);
  store<i32>(s, left, RIGHT);
  return ask(s, PHASE_INSERT, held, numberAt(s, left));
}

function insert(s: usize, less: bool): u32 {
  let at = load<i32>(s, RIGHT);
  const held = load<u32>(s, HELD);
  if (less) {
    store<u32>(placeOf(s, at + 1), numberAt(s, at));
    at--;
    store<i32>(s, at, RIGHT);
    if (at >= load<i32>(s, LOW)) return ask(s, PHASE_INSERT, held, numberAt(s, at));
  }
  store<u32>(placeOf(s, at + 1), held);
  store<i32>(s, load<i32>(s, LEFT) + 1, LEFT);
  return hold(s);
}

// --- Heap: places in it are counted from 1 -------------------------------------------------------------------------------

/** Makes a heap of the part at hand. */
function heap(s: usize): u32 {
  const size = load<i32>(s, HIGH) - load<i32>(s, LOW) + 1;
  store<i32>(s, size, LENGTH);
  store<i32>(s, size >> 1, START);
  return sink(s, size >> 1);
}

/** Lets the one at a place sink. */
function sink(s: usize, at: i32): u32 {
  store<u32>(s, numberAt(s, load<i32>(s, LOW) + at - 1), HELD);
  store<i32>(s, at, LEFT);
  return sinkFurther(s);
}

function sinkFurther(s: usize): u32 {
  const at = load<i32>(s, LEFT);
  const length = load<i32>(s, LENGTH);
  if (at > length >> 1) return settle(s);
  const child = 2 * at;
  store<i32>(s, child, STEP);
  if (child >= length) return sinkBelow(s, child);
  const low = load<i32>(s, LOW);
  return ask(s, PHASE_CHILD, numberAt(s, low + child - 1), numberAt(s, low + child));
}

function sinkBelow(s: usize, child: i32): u32 {
  store<i32>(s, child, STEP);
  return ask(s, PHASE_SINK, load<u32>(s, HELD), numberAt(s, load<i32>(s, LOW) + child - 1));
}

function sunk(s: usize, less: bool): u32 {
  if (!less) return settle(s);
  const low = load<i32>(s, LOW);
  const child = load<i32>(s, STEP);
  store<u32>(placeOf(s, low + load<i32>(s, LEFT) - 1), numberAt(s, low + child - 1));
  store<i32>(s, child, LEFT);
  return sinkFurther(s);
}

/** Puts the one that sank where it got to, and goes on: `START` counts down to 1, and then the heap gets shorter. */
function settle(s: usize): u32 {
  const low = load<i32>(s, LOW);
  store<u32>(placeOf(s, low + load<i32>(s, LEFT) - 1), load<u32>(s, HELD));
  const start = load<i32>(s, START);
  if (start > 1) {
    store<i32>(s, start - 1, START);
    return sink(s, start - 1);
  }
  store<i32>(s, 0, START);
  const length = load<i32>(s, LENGTH);
  if (length <= 1) return nextPart(s);
  swap(s, low, low + length - 1);
  store<i32>(s, length - 1, LENGTH);
  return sink(s, 1);
}

/** Moves items [from, from + count) of an array into the order found. False: no room. */
export function sortApply(state: u32, array: u32, from: u32): bool {
  const s = objectAddress(state);
  const count = <usize>load<u32>(s, COUNT);
  const size = <usize>codeBytes(objectCode(array));
  const copy = runAllocate(size * count);
  if (copy == 0) return false;
  const base = objectAddress(array) + 8 + size * <usize>from;
  memory.copy(copy, base, size * count);
  for (let i: usize = 0; i < count; i++) memory.copy(base + size * i, copy + size * <usize>numberAt(s, <i32>i), size);
  return true;
}
