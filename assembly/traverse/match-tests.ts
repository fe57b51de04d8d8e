// What a pattern asks of elements: its tests, each a function of this instance's table (a compiled fragment, or a trampoline to an
// interpreter) or a bound on the semantic score. Every test is asked once about an element, or about an edge type, while a match
// runs, however many steps share it and however many paths pass there. A function that throws unwinds through the match to the host,
// which then releases the instance's scratch.
//
// Where a fragment takes blocks of ids, elements are handed over in blocks (`testBlock`); it may then be asked about elements that single
// questions would not have come to.
//
//   test, as the host gives it   u32 function or SEMANTIC, u32 subject (0 element, 1 edge type), f32 bound of a semantic test,
//                                u32 function (in, count, out) => passed for a block of elements, 0 = none
//   test, here                   the same, then u32 address of the bits asked, u32 address of the bits passed; of bytes for types

import { internCount } from '../graph/intern';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { SEMANTIC } from './filters';
import { semanticReaches } from './semantic';

export const TEST_GIVEN_BYTES: usize = 16;
const TEST_FUNCTION: usize = 0;
const TEST_SUBJECT: usize = 4;
const TEST_BOUND: usize = 8;
const TEST_SELECT: usize = 12;
const TEST_ASKED: usize = 16;
const TEST_PASSED: usize = 20;
const TEST_BYTES: usize = 24;

/** Ids handed to a fragment at once. */
export const BLOCK_IDS: u32 = 1024;
/** A block and room behind it. */
export const BLOCK_BYTES: usize = 8192;

const ASKED_NO: u32 = 1;
const ASKED_YES: u32 = 2;

let tests: usize = 0;
let types: u32 = 0;

/** Reads `count` tests at `given` for elements below `ids`; false without scratch. */
export function testsBegin(given: usize, count: u32, ids: u32): bool {
  types = internCount();
  tests = scratchAllocate(<usize>count * TEST_BYTES + 8);
  if (tests == 0) return false;
  for (let i: u32 = 0; i < count; i++) {
    const test = tests + <usize>i * TEST_BYTES;
    memory.copy(test, given + <usize>i * TEST_GIVEN_BYTES, TEST_GIVEN_BYTES);
    if (load<u32>(test, TEST_SUBJECT) == 0) {
      const bits = bitsCreate(ids);
      const passed = bitsCreate(ids);
      if (bits == 0 || passed == 0) return false;
      store<u32>(test, <u32>bits, TEST_ASKED);
      store<u32>(test, <u32>passed, TEST_PASSED);
    } else {
      const bytes = scratchAllocate(<usize>types + 8);
      if (bytes == 0) return false;
      memory.fill(bytes, 0, <usize>types);
      store<u32>(test, <u32>bytes, TEST_ASKED);
    }
  }
  return true;
}

/** Whether element `id` passes test number `index`; NONE: no test. */
// @ts-ignore: decorator
@inline
export function testPasses(index: u32, id: u32): bool {
  return index == NONE || elementAsked(tests + <usize>index * TEST_BYTES, id);
}

function elementAsked(test: usize, id: u32): bool {
  const asked = <usize>load<u32>(test, TEST_ASKED);
  const passed = <usize>load<u32>(test, TEST_PASSED);
  if (bitAt(asked, id)) return bitAt(passed, id);
  const does = call(test, id);
  bitSet(asked, id);
  if (does) bitSet(passed, id);
  return does;
}

/** Whether elements of this test should be handed over in blocks. */
// @ts-ignore: decorator
@inline
export function testTakesBlocks(index: u32): bool {
  return index != NONE && load<u32>(tests + <usize>index * TEST_BYTES, TEST_SELECT) != 0;
}

/**
 * Leaves those of the `count` ids at `block` that pass test number `index` there, in their order, and answers how many; asks only about
 * those that it has not asked about. `block` has room for as many ids again behind its BLOCK_IDS.
 */
export function testBlock(index: u32, block: usize, count: u32): u32 {
  if (index == NONE || count == 0) return count;
  const test = tests + <usize>index * TEST_BYTES;
  let passing: u32 = 0;
  const select = load<u32>(test, TEST_SELECT);
  if (select == 0) {
    for (let i: u32 = 0; i < count; i++) {
      const id = load<u32>(block + 4 * <usize>i);
      if (!elementAsked(test, id)) continue;
      store<u32>(block + 4 * <usize>passing, id);
      passing++;
    }
    return passing;
  }
  const asked = <usize>load<u32>(test, TEST_ASKED);
  const passed = <usize>load<u32>(test, TEST_PASSED);
  const fresh = block + 4 * <usize>BLOCK_IDS;
  let unasked: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(block + 4 * <usize>i);
    store<u32>(fresh + 4 * <usize>unasked, id);
    unasked += u32(!bitAt(asked, id));
  }
  if (unasked != 0) {
    const known = call_indirect<u32>(select, fresh, unasked, fresh);
    // All new, the usual case: what passed is the answer.
    if (unasked == count) {
      for (let i: u32 = 0; i < count; i++) bitSet(asked, load<u32>(block + 4 * <usize>i));
      for (let i: u32 = 0; i < known; i++) bitSet(passed, load<u32>(fresh + 4 * <usize>i));
      memory.copy(block, fresh, 4 * <usize>known);
      return known;
    }
    for (let i: u32 = 0; i < known; i++) bitSet(passed, load<u32>(fresh + 4 * <usize>i));
  }
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(block + 4 * <usize>i);
    bitSet(asked, id);
    store<u32>(block + 4 * <usize>passing, id);
    passing += u32(bitAt(passed, id));
  }
  return passing;
}

function call(test: usize, id: u32): bool {
  const index = load<u32>(test, TEST_FUNCTION);
  return index == SEMANTIC ? semanticReaches(id, load<f32>(test, TEST_BOUND)) : call_indirect<i32>(index, id) != 0;
}

/** Whether edges of a type (intern id) pass test number `index`; NONE: no test. */
// @ts-ignore: decorator
@inline
export function typeTestPasses(index: u32, type: u32): bool {
  return index == NONE || typeAsked(tests + <usize>index * TEST_BYTES, type);
}

function typeAsked(test: usize, type: u32): bool {
  if (type == NONE) return false; // a group without edges
  // A type may be newer than the match.
  if (type >= types) return call(test, type);
  const at = <usize>load<u32>(test, TEST_ASKED) + <usize>type;
  let known = <u32>load<u8>(at);
  if (known == 0) {
    known = call(test, type) ? ASKED_YES : ASKED_NO;
    store<u8>(at, known);
  }
  return known == ASKED_YES;
}

// --- Bits by element id --------------------------------------------------------------------------------------------------

/** Bytes of the bits for ids below `ids`: whole 64-bit words. */
// @ts-ignore: decorator
@inline
export function bitsBytes(ids: u32): usize {
  return ((<usize>ids + 63) >> 6) << 3;
}

/** Bits for ids below `ids`, all clear; 0 = no scratch. */
export function bitsCreate(ids: u32): usize {
  const bytes = bitsBytes(ids) + 8;
  const bits = scratchAllocate(bytes);
  if (bits) memory.fill(bits, 0, bytes);
  return bits;
}

// @ts-ignore: decorator
@inline
export function bitAt(bits: usize, id: u32): bool {
  return ((<u32>load<u8>(bits + <usize>(id >> 3)) >> (id & 7)) & 1) != 0;
}

// @ts-ignore: decorator
@inline
export function bitSet(bits: usize, id: u32): void {
  const at = bits + <usize>(id >> 3);
  store<u8>(at, <u32>load<u8>(at) | (1 << (id & 7)));
}

// @ts-ignore: decorator
@inline
export function bitClear(bits: usize, id: u32): void {
  const at = bits + <usize>(id >> 3);
  store<u8>(at, <u32>load<u8>(at) & ~(1 << (id & 7)));
}

/** First id from `id` on, below `ids`, whose bit is set; `ids` when there is none. */
export function bitNext(bits: usize, id: u32, ids: u32): u32 {
  if (id >= ids) return ids;
  let word = load<u64>(bits + <usize>(id >> 6 << 3)) >> (<u64>id & 63);
  if (word != 0) return id + <u32>ctz<u64>(word);
  for (let base = (id | 63) + 1; base < ids; base += 64) {
    word = load<u64>(bits + <usize>(base >> 3));
    if (word != 0) return base + <u32>ctz<u64>(word);
  }
  return ids;
}
