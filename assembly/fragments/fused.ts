// x * y + z rounded once, by integers of 192 bits. The rules are those of `fusedMultiplyAdd` in
// src/fragments/interpreter/members/mathematics.ts.

import { multiplyHigh } from '../values/tables';
import { addWords, differWords, setWords, word0, word1, word2, wordBits } from './decimal-words';
import { realScale } from './numbers';

const FRACTION: u64 = 0x000fffffffffffff;
/** Bits that the wider operand is moved up at most; both then have room, and what the other one loses is far below the rounding. */
const PRODUCT_ROOM: i32 = 84;
const ADDEND_ROOM: i32 = 137;

let digits: u64 = 0;
let exponent: i32 = 0;

/** A number but 0 as digits * 2^exponent, without its sign. */
function split(value: f64): void {
  const bits = reinterpret<u64>(value);
  const biased = <i32>((bits >> 52) & 0x7ff);
  digits = biased == 0 ? bits & FRACTION : (bits & FRACTION) | (FRACTION + 1);
  exponent = (biased == 0 ? 1 : biased) - 1075;
}

function shiftLeft(count: i32): void {
  while (count >= 64) {
    setWords(0, word0, word1);
    count -= 64;
  }
  if (count == 0) return;
  const rest = 64 - count;
  setWords(word0 << count, (word1 << count) | (word0 >> rest), (word2 << count) | (word1 >> rest));
}

/** The number of the words * 2^power as a double; `more`: it is a little larger than it says. */
function rounded(power: i32, more: bool): f64 {
  const excess = max<i32>(0, <i32>wordBits() - 64);
  let top = word0;
  let low: u64 = 0;
  const part = excess & 63;
  const mask = (<u64>1 << part) - 1;
  if (excess >= 128) {
    top = word2;
    low = word0 | word1;
  } else if (excess >= 64) {
    top = part == 0 ? word1 : (word1 >> part) | (word2 << (64 - part));
    low = word0 | (word1 & mask);
  } else if (excess > 0) {
    top = (word0 >> part) | (word1 << (64 - part));
    low = word0 & mask;
  }
  return realScale(<f64>(top | u64(low != 0 || more)), power + excess);
}

/** Adds (or takes away) the number of two words, which counts less than the words; answers whether a part of it was lost. */
function combine(low: u64, high: u64, lost: i32, same: bool): bool {
  let more = false;
  if (lost >= 128) {
    more = (low | high) != 0;
    low = 0;
    high = 0;
  } else if (lost >= 64) {
    const part = lost - 64;
    more = (low | (high & ((<u64>1 << part) - 1))) != 0;
    low = high >> part;
    high = 0;
  } else if (lost > 0) {
    more = (low & ((<u64>1 << lost) - 1)) != 0;
    low = (low >> lost) | (high << (64 - lost));
    high >>= lost;
  }
  if (same) {
    addWords(low, high);
  } else {
    differWords(low, high);
    if (more) differWords(1, 0);
  }
  return more;
}

export function realFused(x: f64, y: f64, z: f64): f64 {
  const plain = x * y + z;
  if (!isFinite(plain) || x * y == 0) return plain;
  let negative = x < 0 != y < 0;
  split(x);
  const first = digits;
  let power = exponent;
  split(y);
  power += exponent;
  const low = first * digits;
  const high = multiplyHigh(first, digits);
  setWords(low, high, 0);
  if (z == 0) {
    const product = rounded(power, false);
    return negative ? -product : product;
  }
  split(z);
  const same = z < 0 == negative;
  const difference = power - exponent;
  let more = false;
  if (difference >= 0) {
    const moved = min<i32>(difference, PRODUCT_ROOM);
    shiftLeft(moved);
    power -= moved;
    if (difference > moved) more = combine(digits, 0, difference - moved, same);
    else if (same) addWords(digits, 0);
    else if (differWords(digits, 0)) negative = !negative;
  } else {
    setWords(digits, 0, 0);
    const moved = min<i32>(-difference, ADDEND_ROOM);
    shiftLeft(moved);
    const addendNegative = z < 0;
    if (-difference > moved) {
      power = exponent - moved;
      more = combine(low, high, -difference - moved, same);
      negative = addendNegative;
    } else if (same) {
      addWords(low, high);
    } else if (!differWords(low, high)) {
      negative = addendNegative;
    }
  }
  if ((word0 | word1 | word2) == 0) return 0;
  const result = rounded(power, more);
  return negative ? -result : result;
}
