// The value layer as a module of its own, for test/unit/values*.test.ts and the value benchmark.

import { formatValue } from '../../assembly/values/format';
import { hashBytes } from '../../assembly/values/hash';
import { parseValue } from '../../assembly/values/parse';

export { compareValues, equalValues, hashValue } from '../../assembly/values/compare';
export { formatValue, MAX_FIXED_TEXT } from '../../assembly/values/format';
export { hashBytes } from '../../assembly/values/hash';
export {
  jsonStringBound,
  jsonStringBytes,
  jsonStringEnd,
  readJsonString,
  writeJsonString,
} from '../../assembly/values/json-text';
export { typeFromName, writeTypeName } from '../../assembly/values/names';
export { parseValue } from '../../assembly/values/parse';
export { formatSingleArray, parseSingleArray, singleArrayTextBound } from '../../assembly/values/single-array';
export { borrowSlot, initValueTables, powerOfTen, returnSlot } from '../../assembly/values/tables';
export { compareStrings, equalStrings, hasLoneSurrogate, utf16Info, validateUtf8 } from '../../assembly/values/utf8';

/**
 * Parses `count` texts (each a u32 length and its bytes, one after the other, at `texts`) to slots of 16 bytes at `out`; returns how
 * many were values. `rounds` repeats the whole, for timing.
 */
export function parseMany(type: u32, texts: usize, count: u32, out: usize, rounds: u32): u32 {
  let good: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    let p = texts;
    good = 0;
    for (let i: u32 = 0; i < count; i++) {
      const bytes = load<u32>(p);
      good += <u32>parseValue(type, p + 4, bytes, out + (<usize>i << 4));
      p += 4 + <usize>bytes;
    }
  }
  return good;
}

/** Formats `count` slots of 16 bytes to length-prefixed texts at `out`; returns the bytes of all. */
export function formatMany(type: u32, values: usize, count: u32, form: u32, out: usize, rounds: u32): u32 {
  let p = out;
  for (let round: u32 = 0; round < rounds; round++) {
    p = out;
    for (let i: u32 = 0; i < count; i++) {
      const bytes = formatValue(type, values + (<usize>i << 4), form, p + 4);
      store<u32>(p, bytes);
      p += 4 + <usize>bytes;
    }
  }
  return <u32>(p - out);
}

/** Hashes the same bytes `rounds` times, for timing. */
export function hashMany(p: usize, bytes: u32, rounds: u32): u32 {
  let state: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) state ^= hashBytes(p, bytes) + round;
  return state;
}
