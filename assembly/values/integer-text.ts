// Reads whole numbers as .NET does with NumberStyles.Integer and the invariant culture: white space around, one leading sign, NUL
// characters at the very end; no thousands, no exponent. `-0` is a value of the unsigned types too.
//
// Result in `integerBits`; state is instance-own.

import { isTrailingBlank, isWhite, skipWhite } from './scan';

/** The last number read: the value, sign-extended for the signed types. */
export let integerBits: u64 = 0;

/**
 * Reads a number whose magnitude is at most `positiveLimit`, or `negativeLimit` after a minus sign; false when the text is not such
 * a number.
 */
export function parseIntegerText(p: usize, end: usize, positiveLimit: u64, negativeLimit: u64): bool {
  if (p < end && isWhite(load<u8>(p))) p = skipWhite(p, end);
  if (p >= end) return false;
  let negative = false;
  let byte = <u32>load<u8>(p);
  if (byte == 45 || byte == 43) {
    negative = byte == 45;
    p += 1;
    if (p >= end) return false;
    byte = <u32>load<u8>(p);
  }
  if (byte - 48 >= 10) return false;
  let value: u64 = 0;
  // 19 digits cannot overflow; what follows is checked one by one.
  const safeEnd = min<usize>(end, p + 19);
  while (p < safeEnd) {
    const digit = <u64>load<u8>(p) - 48;
    if (digit >= 10) break;
    value = value * 10 + digit;
    p += 1;
  }
  while (p < end) {
    const digit = <u64>load<u8>(p) - 48;
    if (digit >= 10) break;
    if (value > 1844674407370955161 || (value == 1844674407370955161 && digit > 5)) return false;
    value = value * 10 + digit;
    p += 1;
  }
  if (p < end && !isTrailingBlank(p, end)) return false;
  if (value > (negative ? negativeLimit : positiveLimit)) return false;
  integerBits = negative ? 0 - value : value;
  return true;
}
