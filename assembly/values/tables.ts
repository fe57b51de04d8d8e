// The read-only tables behind number text, and 64 by 64 to 128 bit multiplication. The tables lie at VALUE_TABLES (memory/layout)
// because the module may have no data section; `initValueTables` computes them with big-integer arithmetic, once a memory, before
// any other function of this folder runs. After that they are only read.
//
//   POWERS        667 x { u64 low, u64 high }  floor(10^q * 2^(127 - floor(log2 10^q))), q = -342 .. 324: the leading 128 bits of
//                                              10^q, cut off, exact for 0 <= q <= 55
//   DOUBLE_TENS   23 x f64                     10^0 .. 10^22, all exact
//   WORD_TENS     20 x u64                     10^0 .. 10^19
//   DIGIT_PAIRS   100 x u16                    the text 00 .. 99
//   SLOT_LOCKS    32 x u32                     1 while a thread works in the slot
//   SLOTS         32 x 1 KiB                   room for two 4096-bit integers: number text that needs exact comparison (one double
//                                              in thousands) borrows one, because readers parse at the same time as the writer
//
// It may know nothing of property types.

import { VALUE_TABLES } from '../memory/layout';

export const POWER_MIN: i32 = -342;
export const POWER_MAX: i32 = 324;
const POWERS: usize = VALUE_TABLES;
/** Of an entry: its high word. */
export const POWER_HIGH: usize = 8;
const DOUBLE_TENS: usize = POWERS + 16 * 667;
const WORD_TENS: usize = DOUBLE_TENS + 8 * 23;
const DIGIT_PAIRS: usize = WORD_TENS + 8 * 20;
const SLOT_LOCKS: usize = VALUE_TABLES + 16384;
const SLOTS: usize = SLOT_LOCKS + 4 * 32;
const SLOT_COUNT: u32 = 32;
export const SLOT_BYTES: usize = 1024;
/** 32-bit limbs of one big integer; a slot holds two. */
export const BIG_LIMBS: u32 = 128;

/** Address of the 128-bit leading part of 10^power. */
// @ts-ignore: decorator
@inline
export function powerOfTen(power: i32): usize {
  return POWERS + ((<usize>(power - POWER_MIN)) << 4);
}

/** True when the table entry is 10^power itself and not a cut: 5^55 < 2^128 < 5^56. */
// @ts-ignore: decorator
@inline
export function isExactPower(power: i32): bool {
  return <u32>power <= 55;
}

/** floor(log2(10^power)) for powers of the table. */
// @ts-ignore: decorator
@inline
export function powerExponent(power: i32): i32 {
  return (power * 217706) >> 16;
}

// @ts-ignore: decorator
@inline
export function doubleTen(power: u32): f64 {
  return load<f64>(DOUBLE_TENS + ((<usize>power) << 3));
}

// @ts-ignore: decorator
@inline
export function wordTen(power: u32): u64 {
  return load<u64>(WORD_TENS + ((<usize>power) << 3));
}

/** High 64 bits of the 128-bit product. */
// @ts-ignore: decorator
@inline
export function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const middle = aHigh * bLow + ((aLow * bLow) >> 32);
  const cross = aLow * bHigh + (middle & 0xffffffff);
  return aHigh * bHigh + (middle >> 32) + (cross >> 32);
}

/** Number of decimal digits; 1 for zero. */
// @ts-ignore: decorator
@inline
export function digitCount(value: u64): u32 {
  const guess = <u32>(((64 - clz(value | 1)) * 1233) >> 12);
  return guess + <u32>(guess == 0 || value >= wordTen(guess));
}

// @ts-ignore: decorator
@inline
function writePair(out: usize, pair: u32): void {
  store<u16>(out, load<u16>(DIGIT_PAIRS + ((<usize>pair) << 1)));
}

// @ts-ignore: decorator
@inline
export function writeTwo(out: usize, value: u32): void {
  writePair(out, value);
}

// @ts-ignore: decorator
@inline
export function writeFour(out: usize, value: u32): void {
  const high = value / 100;
  writePair(out, high);
  writePair(out + 2, value - high * 100);
}

/** Writes exactly `count` decimal digits of `value`, which has no more than that (count 1..20); missing ones are zeros. */
export function writeDigits(out: usize, value: u64, count: u32): void {
  let p = out + <usize>count;
  while (value > 0xffffffff) {
    const rest = value / 100000000;
    const eight = <u32>(value - rest * 100000000);
    const high = eight / 10000;
    p -= 8;
    writeFour(p, high);
    writeFour(p + 4, eight - high * 10000);
    value = rest;
  }
  let word = <u32>value;
  while (word >= 100) {
    const rest = word / 100;
    p -= 2;
    writePair(p, word - rest * 100);
    word = rest;
  }
  if (word >= 10) {
    p -= 2;
    writePair(p, word);
  } else if (p > out) {
    p -= 1;
    store<u8>(p, 48 + word);
  }
  while (p > out) {
    p -= 1;
    store<u8>(p, 48);
  }
}

/** Writes the digits of `value`; returns how many. */
// @ts-ignore: decorator
@inline
export function writeUnsigned(out: usize, value: u64): u32 {
  const count = digitCount(value);
  writeDigits(out, value, count);
  return count;
}

/** Writes a signed value; returns the bytes written. */
// @ts-ignore: decorator
@inline
export function writeSigned(out: usize, value: i64): u32 {
  if (value >= 0) return writeUnsigned(out, value);
  store<u8>(out, 45);
  return 1 + writeUnsigned(out + 1, <u64>(0 - value));
}

/**
 * Borrows a working slot and returns its address; `returnSlot` gives it back. A thread that is killed inside keeps its slot locked;
 * should all be lost that way, the slot is taken by force after a bounded wait, so nothing here waits for ever.
 */
export function borrowSlot(): usize {
  let tries: u32 = 0;
  while (tries < 1000000) {
    const index = tries & (SLOT_COUNT - 1);
    const lock = SLOT_LOCKS + ((<usize>index) << 2);
    if (atomic.load<u32>(lock) == 0 && atomic.cmpxchg<u32>(lock, 0, 1) == 0) return SLOTS + <usize>index * SLOT_BYTES;
    tries += 1;
  }
  return SLOTS;
}

export function returnSlot(slot: usize): void {
  atomic.store<u32>(SLOT_LOCKS + (((slot - SLOTS) / SLOT_BYTES) << 2), 0);
}

// --- Building the tables ------------------------------------------------------------------------------------------------------

/** The leading 128 bits of a big integer (u32 limbs, least first; highest limb not zero), as a table entry. */
function storeLeading(big: usize, limbs: u32, entry: usize): void {
  let low: u64 = 0;
  let high: u64 = 0;
  const shift = clz<u32>(load<u32>(big + ((<usize>limbs - 1) << 2)));
  // Five limbs from the top hold 128 bits after the shift; limbs below the bottom read as zero.
  let part: u32 = 0;
  let overflow: u64 = 0;
  while (part < 5) {
    const limb: u64 = part < limbs ? <u64>load<u32>(big + ((<usize>(limbs - 1 - part)) << 2)) : 0;
    if (part < 4) {
      high = (high << 32) | (low >> 32);
      low = (low << 32) | limb;
    } else {
      overflow = limb;
    }
    part += 1;
  }
  if (shift != 0) {
    high = (high << shift) | (low >> (64 - shift));
    low = (low << shift) | (overflow >> (32 - shift));
  }
  store<u64>(entry, low);
  store<u64>(entry, high, POWER_HIGH);
}

function buildPositivePowers(big: usize): void {
  // 5^q has the leading bits of 10^q.
  store<u32>(big, 1);
  let limbs: u32 = 1;
  let power: i32 = 0;
  while (power <= POWER_MAX) {
    storeLeading(big, limbs, powerOfTen(power));
    let carry: u64 = 0;
    for (let i: u32 = 0; i < limbs; i++) {
      const at = big + ((<usize>i) << 2);
      const product = <u64>load<u32>(at) * 5 + carry;
      store<u32>(at, <u32>product);
      carry = product >> 32;
    }
    if (carry != 0) {
      store<u32>(big + ((<usize>limbs) << 2), <u32>carry);
      limbs += 1;
    }
    power += 1;
  }
}

function buildNegativePowers(big: usize): void {
  // floor(floor(2^N / 5^n) / 5) = floor(2^N / 5^(n+1)), so repeated division stays exact; N = 1024 leaves 229 bits at the end.
  memory.fill(big, 0, 4 * 33);
  store<u32>(big, 1, 4 * 32);
  let limbs: u32 = 33;
  let power: i32 = -1;
  while (power >= POWER_MIN) {
    let remainder: u64 = 0;
    let i: u32 = limbs;
    while (i > 0) {
      i -= 1;
      const at = big + ((<usize>i) << 2);
      const dividend = (remainder << 32) | <u64>load<u32>(at);
      const quotient = dividend / 5;
      store<u32>(at, <u32>quotient);
      remainder = dividend - quotient * 5;
    }
    while (load<u32>(big + ((<usize>limbs - 1) << 2)) == 0) limbs -= 1;
    storeLeading(big, limbs, powerOfTen(power));
    power -= 1;
  }
}

/** Fills the tables. Call once for a fresh memory, before any thread uses the functions of this folder. */
export function initValueTables(): void {
  buildPositivePowers(SLOTS);
  buildNegativePowers(SLOTS);
  let ten: u64 = 1;
  for (let i: u32 = 0; i < 20; i++) {
    store<u64>(WORD_TENS + ((<usize>i) << 3), ten);
    ten *= 10;
  }
  let tenDouble: f64 = 1;
  for (let i: u32 = 0; i < 23; i++) {
    store<f64>(DOUBLE_TENS + ((<usize>i) << 3), tenDouble);
    tenDouble *= 10;
  }
  for (let i: u32 = 0; i < 100; i++) {
    store<u8>(DIGIT_PAIRS + ((<usize>i) << 1), 48 + i / 10);
    store<u8>(DIGIT_PAIRS + ((<usize>i) << 1), 48 + (i % 10), 1);
  }
  for (let i: u32 = 0; i < SLOT_COUNT; i++) atomic.store<u32>(SLOT_LOCKS + ((<usize>i) << 2), 0);
}
