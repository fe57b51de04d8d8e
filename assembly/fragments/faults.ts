// Exceptions out of routines of numbers and times, which have nothing to throw with. What answers 128 bits answers the number of the
// exception in the low half of the last lane, where no value has a bit; what answers a date, one above every kind; the others leave it here
// for the fragment to ask. The numbers are places in `failures` (src/fragments/emit/wasm/core-functions.ts).

export const FAULT_DIVISION: u32 = 2;
export const FAULT_OVERFLOW: u32 = 3;
export const FAULT_RANGE: u32 = 5;
export const FAULT_NULL: u32 = 8;
export const FAULT_MEMORY: u32 = 10;
export const FAULT_ARGUMENT: u32 = 13;
export const FAULT_ARITHMETIC: u32 = 14;
export const FAULT_FORMAT: u32 = 16;

let left: u32 = 0;

/** Remembers an exception for `fragmentFault`. */
export function leaveFault(fault: u32): void {
  left = fault;
}

/** The exception that the routine called last left behind, 0 for none; forgets it. */
export function fragmentFault(): u32 {
  const fault = left;
  left = 0;
  return fault;
}

/** An exception in the place of 128 bits. */
export function wideFault(fault: u32): v128 {
  return i32x4.replace_lane(i64x2.splat(0), 3, <i32>fault);
}

/** A value of two words. */
// @ts-ignore: decorator
@inline
export function wide(low: u64, high: u64): v128 {
  return i64x2.replace_lane(i64x2.splat(<i64>low), 1, <i64>high);
}

// @ts-ignore: decorator
@inline
export function lowOf(value: v128): u64 {
  return <u64>i64x2.extract_lane(value, 0);
}

// @ts-ignore: decorator
@inline
export function highOf(value: v128): u64 {
  return <u64>i64x2.extract_lane(value, 1);
}
