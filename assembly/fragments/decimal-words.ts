// Numbers of up to 192 bits, as decimal arithmetic needs them on its way to 96. One number, in three words of this instance.

import { multiplyHigh, wordTen } from '../values/tables';

/** The number, least word first. */
export let word0: u64 = 0;
export let word1: u64 = 0;
export let word2: u64 = 0;

export function setWords(low: u64, middle: u64, high: u64): void {
  word0 = low;
  word1 = middle;
  word2 = high;
}

// @ts-ignore: decorator
@inline
function timesWord(factor: u64): void {
  const carry0 = multiplyHigh(word0, factor);
  const carry1 = multiplyHigh(word1, factor);
  word0 *= factor;
  const middle = word1 * factor;
  word1 = middle + carry0;
  word2 = word2 * factor + carry1 + u64(word1 < middle);
}

/** (high:low) * 10^power for a number of 96 bits and power <= 28. */
export function setScaled(low: u64, high: u64, power: u32): void {
  setWords(low, high, 0);
  if (power > 19) {
    timesWord(wordTen(19));
    power -= 19;
  }
  if (power != 0) timesWord(wordTen(power));
}

/** The product of two numbers of 96 bits. */
export function setProduct(aLow: u64, aHigh: u64, bLow: u64, bHigh: u64): void {
  word0 = aLow * bLow;
  const first = aLow * bHigh;
  const second = aHigh * bLow;
  let middle = multiplyHigh(aLow, bLow) + first;
  let carry = u64(middle < first);
  middle += second;
  carry += u64(middle < second);
  word1 = middle;
  word2 = multiplyHigh(aLow, bHigh) + multiplyHigh(aHigh, bLow) + aHigh * bHigh + carry;
}

/** The number plus one of 96 bits. */
export function addWords(low: u64, high: u64): void {
  word0 += low;
  const carry = u64(word0 < low);
  const middle = word1 + high;
  const over = u64(middle < high);
  word1 = middle + carry;
  word2 += over + u64(word1 < middle);
}

/** What is larger of the number and one of 96 bits, less the other; true when the other one was. */
export function differWords(low: u64, high: u64): bool {
  if (word2 == 0 && (word1 < high || (word1 == high && word0 < low))) {
    word1 = high - word1 - u64(low < word0);
    word0 = low - word0;
    return true;
  }
  const borrow = u64(word0 < low);
  word0 -= low;
  const middle = word1 - high;
  const under = u64(word1 < high);
  word1 = middle - borrow;
  word2 -= under + u64(middle < borrow);
  return false;
}

/** Divides by a number below 2^32; answers the rest. */
export function divideWords(divisor: u64): u64 {
  let rest: u64 = 0;
  let part: u64 = 0;
  let quotient: u64 = 0;
  if (word2 != 0) {
    quotient = word2 / divisor;
    rest = word2 - quotient * divisor;
    word2 = quotient;
  }
  if ((word1 | rest) != 0) {
    part = (rest << 32) | (word1 >> 32);
    const top = part / divisor;
    part = ((part - top * divisor) << 32) | (word1 & 0xffffffff);
    quotient = part / divisor;
    rest = part - quotient * divisor;
    word1 = (top << 32) | quotient;
  }
  if (rest == 0) {
    quotient = word0 / divisor;
    rest = word0 - quotient * divisor;
    word0 = quotient;
    return rest;
  }
  part = (rest << 32) | (word0 >> 32);
  const top = part / divisor;
  part = ((part - top * divisor) << 32) | (word0 & 0xffffffff);
  quotient = part / divisor;
  rest = part - quotient * divisor;
  word0 = (top << 32) | quotient;
  return rest;
}

// @ts-ignore: decorator
@inline
export function wordBits(): u32 {
  if (word2 != 0) return <u32>(192 - clz(word2));
  if (word1 != 0) return <u32>(128 - clz(word1));
  return <u32>(64 - clz(word0));
}

// --- Dropping digits -----------------------------------------------------------------------------------------------------

/** The digit dropped last, and whether one before it was not 0. */
export let dropped: u32 = 0;
export let sticky: bool = false;

export function dropNothing(inexact: bool): void {
  dropped = 0;
  sticky = inexact;
}

/** Drops the last `count` digits of the number. */
export function dropDigits(count: i32): void {
  while (count > 1) {
    const step = min<i32>(count - 1, 9);
    const rest = divideWords(wordTen(<u32>step));
    sticky = sticky || dropped != 0 || rest != 0;
    dropped = 0;
    count -= step;
  }
  if (count == 1) {
    sticky = sticky || dropped != 0;
    dropped = <u32>divideWords(10);
  }
}

/** Adds 1 to the number; it has room. */
export function increaseWords(): void {
  word0 += 1;
  if (word0 != 0) return;
  word1 += 1;
  if (word1 == 0) word2 += 1;
}
