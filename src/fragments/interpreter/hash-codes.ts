// Hash codes of numbers, dates and identifiers, as compiled fragments compute them (assembly/fragments); those of the number and time types
// are .NET's.

import type { DecimalValue } from './decimal.ts';

const view = new DataView(new ArrayBuffer(16));

/** Both halves of 64 bits. */
export function hashOfLong(value: bigint): number {
  return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)));
}

/** Of a double; all NaN and both zeros are the same. */
export function hashOfDouble(value: number): number {
  view.setFloat64(0, value === 0 ? 0 : value);
  return Number.isNaN(value) ? 0x7ff00000 : view.getInt32(0) ^ view.getInt32(4);
}

export function hashOfSingle(value: number): number {
  view.setFloat32(0, value === 0 ? 0 : value);
  return Number.isNaN(value) ? 0x7f800000 : view.getInt32(0);
}

/** Whatever its zeros at the end. */
export function hashOfDecimal(value: DecimalValue): number {
  let { digits, scale } = value;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  const size = digits < 0n ? -digits : digits;
  const high = (size >> 64n) | (BigInt(scale) << 48n) | (digits < 0n ? 1n << 63n : 0n);
  return hashOfLong(size) ^ hashOfLong(high);
}

/** Of a character: its unit twice. */
export function hashOfUnit(unit: number): number {
  return unit | (unit << 16);
}

/** The four words that it lies in: the first number and the two after it are the other way round than their digits. */
export function hashOfGuid(text: string): number {
  const digits = text.replaceAll('-', '');
  for (let at = 0; at < 16; at++) view.setUint8(at, Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16));
  const first = view.getInt32(0) ^ (view.getUint16(4) | (view.getUint16(6) << 16));
  return first ^ view.getInt32(8, true) ^ view.getInt32(12, true);
}
