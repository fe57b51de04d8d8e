// A number as a row of decimal digits, the common ground of the standard and the custom formats: 0.d1d2d3… times ten to the power
// of `rowPoint`, without zeros at either end; zero has no digits. One row at a time an instance, in a slot borrowed from
// the value tables (values/tables.ts): every digit of a double needs at most 767 of its 1,024 bytes. `rowClose` gives it back.

import { DECIMAL_FLAGS, DECIMAL_HIGH, writeDecimal } from '../values/decimal';
import { borrowSlot, returnSlot, SLOT_BYTES, writeUnsigned } from '../values/tables';

const BILLION: u64 = 1000000000;
const FIVE_13: u32 = 1220703125;

let slot: usize = 0;
/** Address of the first digit, in ASCII. */
export let rowDigits: usize = 0;
export let rowCount: i32 = 0;
export let rowPoint: i32 = 0;
export let rowNegative: bool = false;

export function rowClose(): void {
  returnSlot(slot);
}

/** Digit `at` of the row as ASCII; zeros on both sides. */
// @ts-ignore: decorator
@inline
export function rowDigit(at: i32): u32 {
  return <u32>at < <u32>rowCount ? <u32>load<u8>(rowDigits + <usize>at) : 48;
}

export function rowShift(powers: i32): void {
  if (rowCount != 0) rowPoint += powers;
}

function trimRow(): void {
  while (rowCount > 0 && load<u8>(rowDigits + <usize>(rowCount - 1)) == 48) rowCount--;
  if (rowCount == 0) rowPoint = 0;
}

export function rowOfInteger(magnitude: u64, negative: bool): void {
  slot = borrowSlot();
  rowDigits = slot + 1;
  rowNegative = negative;
  rowCount = magnitude == 0 ? 0 : <i32>writeUnsigned(rowDigits, magnitude);
  rowPoint = rowCount;
  trimRow();
}

/** Of a Decimal record (values/types.ts). */
export function rowOfDecimal(record: usize): void {
  slot = borrowSlot();
  const bytes = writeDecimal(slot + 1, record);
  const flags = load<u32>(record, DECIMAL_FLAGS);
  rowNegative = flags >> 31 != 0 && (load<u64>(record) | <u64>load<u32>(record, DECIMAL_HIGH)) != 0;
  const scale = <i32>((flags >> 16) & 0xff);
  let p = slot + 1;
  const end = p + <usize>bytes;
  // Out with the sign and the point, and with the zeros before the first digit that counts.
  let out = p;
  let dropped = true;
  while (p < end) {
    const byte = <u32>load<u8>(p);
    p += 1;
    if (byte - 48 >= 10) continue;
    if (dropped && byte == 48) continue;
    dropped = false;
    store<u8>(out, byte);
    out += 1;
  }
  rowDigits = slot + 1;
  rowCount = <i32>(out - rowDigits);
  rowPoint = rowCount - scale;
  trimRow();
}

function multiply(limbs: u32, factor: u32): u32 {
  let carry: u64 = 0;
  for (let i: u32 = 0; i < limbs; i++) {
    const at = slot + 4 * <usize>i;
    const product = <u64>load<u32>(at) * <u64>factor + carry;
    store<u32>(at, <u32>product);
    carry = product >> 32;
  }
  if (carry != 0) {
    store<u32>(slot + 4 * <usize>limbs, <u32>carry);
    limbs++;
  }
  return limbs;
}

/** Every digit that a finite double has. */
export function rowOfReal(value: f64): void {
  slot = borrowSlot();
  const bits = reinterpret<u64>(value);
  rowNegative = bits >> 63 != 0;
  let exponent = <i32>(bits >> 52) & 0x7ff;
  let mantissa = bits & 0xfffffffffffff;
  if (exponent == 0) exponent = 1;
  else mantissa |= 0x10000000000000;
  let shift = exponent - 1075;
  let limbs: u32 = 0;
  if (shift < 0) {
    // What can be shifted out is: few digits for few bits.
    const zeros = mantissa == 0 ? 0 : min<i32>(-shift, <i32>ctz(mantissa));
    mantissa >>= <u64>zeros;
    shift += zeros;
  }
  store<u64>(slot, mantissa);
  limbs = mantissa >> 32 != 0 ? 2 : u32(mantissa != 0);
  if (shift < 0) {
    let fives = -shift;
    while (fives >= 13) {
      limbs = multiply(limbs, FIVE_13);
      fives -= 13;
    }
    let rest: u32 = 1;
    while (fives-- > 0) rest *= 5;
    limbs = multiply(limbs, rest);
  } else {
    let left = shift;
    while (left >= 31) {
      limbs = multiply(limbs, 0x80000000);
      left -= 31;
    }
    limbs = multiply(limbs, <u32>1 << left);
  }
  // Nine digits at a time from the end of the slot down; the integer shrinks faster than they come.
  let at = slot + SLOT_BYTES;
  while (limbs > 0) {
    let remainder: u64 = 0;
    let i = limbs;
    while (i > 0) {
      i--;
      const part = (remainder << 32) | <u64>load<u32>(slot + 4 * <usize>i);
      const quotient = part / BILLION;
      store<u32>(slot + 4 * <usize>i, <u32>quotient);
      remainder = part - quotient * BILLION;
    }
    while (limbs > 0 && load<u32>(slot + 4 * <usize>(limbs - 1)) == 0) limbs--;
    let nine = <u32>remainder;
    for (let digit = 0; digit < 9; digit++) {
      at -= 1;
      store<u8>(at, 48 + (nine % 10));
      nine /= 10;
    }
  }
  while (at < slot + SLOT_BYTES && load<u8>(at) == 48) at += 1;
  rowDigits = at;
  rowCount = <i32>(slot + SLOT_BYTES - at);
  rowPoint = rowCount + min<i32>(shift, 0);
  trimRow();
}

/** Keeps `count` leading digits. Ties go to even (as real numbers are written) or away from zero (all others). */
export function rowKeep(count: i32, tiesToEven: bool): void {
  if (count >= rowCount) return;
  if (count < 0) {
    rowCount = 0;
    rowPoint = 0;
    return;
  }
  const next = <u32>load<u8>(rowDigits + <usize>count) - 48;
  // The row does not end in zeros, so anything behind counts.
  const rest = count + 1 < rowCount;
  const last: u32 = count == 0 ? 0 : <u32>load<u8>(rowDigits + <usize>(count - 1)) - 48;
  const up = next > 5 || (next == 5 && (rest || !tiesToEven || (last & 1) != 0));
  rowCount = count;
  if (up) {
    let at = rowDigits + <usize>count;
    while (at > rowDigits && load<u8>(at - 1) == 57) at -= 1;
    rowCount = <i32>(at - rowDigits);
    if (rowCount == 0) {
      store<u8>(rowDigits, 49);
      rowCount = 1;
      rowPoint++;
      return;
    }
    store<u8>(at - 1, load<u8>(at - 1) + 1);
    return;
  }
  trimRow();
}
