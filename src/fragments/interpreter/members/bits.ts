// BitOperations: numbers of 32 bits are JavaScript numbers, those of 64 bits bigints.

import type { MemberTable } from './native.ts';

const bitsOf = (value: bigint): bigint => BigInt.asUintN(64, value);
const highHalf = (value: bigint): number => Number(bitsOf(value) >> 32n);
const lowHalf = (value: bigint): number => Number(bitsOf(value) & 0xffffffffn);

function leading(value: bigint): number {
  const high = Math.clz32(highHalf(value));
  return high < 32 ? high : 32 + Math.clz32(lowHalf(value));
}

function trailing(value: number): number {
  return value === 0 ? 32 : 31 - Math.clz32(value & -value);
}

function trailingWide(value: bigint): number {
  const low = trailing(lowHalf(value));
  return low < 32 ? low : 32 + trailing(highHalf(value));
}

function count(value: number): number {
  let ones = 0;
  for (let rest = value | 0; rest !== 0; rest &= rest - 1) ones++;
  return ones;
}

const rotated = (value: number, offset: number): number => ((value << offset) | (value >>> -offset)) >>> 0;

function rotatedWide(value: bigint, offset: number): bigint {
  const by = BigInt(offset & 63);
  return bitsOf(value << by) | (bitsOf(value) >> (64n - by));
}

const isPower = (value: number): boolean => value > 0 && Number.isInteger(Math.log2(value));
const isWidePower = (value: bigint): boolean => value > 0n && (value & (value - 1n)) === 0n;

export const BIT_MEMBERS: MemberTable = {
  'BitOperations.IsPow2(int)': isPower,
  'BitOperations.IsPow2(uint)': isPower,
  'BitOperations.IsPow2(long)': isWidePower,
  'BitOperations.IsPow2(ulong)': isWidePower,
  // Above the highest power of two the answer is 0.
  'BitOperations.RoundUpToPowerOf2(uint)': (value: number) =>
    value === 0 ? 0 : value > 2 ** 31 ? 0 : 2 ** (32 - Math.clz32(value - 1)),
  'BitOperations.RoundUpToPowerOf2(ulong)': (value: bigint) =>
    value === 0n ? 0n : BigInt.asUintN(64, 1n << BigInt(value === 1n ? 0 : 64 - leading(value - 1n))),
  'BitOperations.LeadingZeroCount(uint)': (value) => Math.clz32(value),
  'BitOperations.LeadingZeroCount(ulong)': leading,
  'BitOperations.Log2(uint)': (value) => 31 - Math.clz32(value | 1),
  'BitOperations.Log2(ulong)': (value: bigint) => 63 - leading(value | 1n),
  'BitOperations.PopCount(uint)': count,
  'BitOperations.PopCount(ulong)': (value: bigint) => count(lowHalf(value)) + count(highHalf(value)),
  // A number is shifted by the low five bits alone.
  'BitOperations.RotateLeft(uint,int)': rotated,
  'BitOperations.RotateLeft(ulong,int)': rotatedWide,
  'BitOperations.RotateRight(uint,int)': (value, offset) => rotated(value, -offset),
  'BitOperations.RotateRight(ulong,int)': (value: bigint, offset: number) => rotatedWide(value, -offset),
  'BitOperations.TrailingZeroCount(int)': trailing,
  'BitOperations.TrailingZeroCount(uint)': trailing,
  'BitOperations.TrailingZeroCount(long)': trailingWide,
  'BitOperations.TrailingZeroCount(ulong)': trailingWide,
};
