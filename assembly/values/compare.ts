// Order, equality and hash of two values of one type, as .NET's CompareTo, Equals and a matching hash: NaN equals itself and comes
// first, 0.0 equals -0.0, a DateTime compares by ticks whatever its kind, a DateTimeOffset by its UTC ticks, a Decimal by value (1.0
// equals 1.00), a Guid by the bytes of its text.
//
// `a` and `b` are addresses: of the slot for fixed types, of the record for wide ones and for String and Single[] (values/types).
// Single[] is compared component by component, the shorter first; .NET has no order for it, an index needs one.

import { TICKS_MASK } from './datetime';
import { compareDecimals, decimalIdentity } from './decimal';
import { hashBytes, hashWord } from './hash';
import { RECORD_HEADER, RECORD_INFO, WIDE_SECOND } from './record';
import {
  TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT16, TYPE_INT32,
  TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_SINGLE_ARRAY, TYPE_STRING, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from './types';
import { compareStrings, equalStrings } from './utf8';

const DOUBLE_NAN: u64 = 0x7ff8000000000000;

// @ts-ignore: decorator
@inline
function order<T>(a: T, b: T): i32 {
  return a < b ? -1 : <i32>(a > b);
}

/** NaN first and equal to itself; zeros equal. */
// @ts-ignore: decorator
@inline
function orderFloats(a: f64, b: f64): i32 {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a == b) return 0;
  return <i32>(a == a) - <i32>(b == b);
}

function compareGuids(a: usize, b: usize): i32 {
  const first = order<u64>(bswap(load<u64>(a)), bswap(load<u64>(b)));
  return first != 0 ? first : order<u64>(bswap(load<u64>(a, WIDE_SECOND)), bswap(load<u64>(b, WIDE_SECOND)));
}

function compareArrays(a: usize, b: usize): i32 {
  const aCount = load<u32>(a, RECORD_INFO);
  const bCount = load<u32>(b, RECORD_INFO);
  const shorter = min<u32>(aCount, bCount);
  for (let i: u32 = 0; i < shorter; i++) {
    const offset = RECORD_HEADER + (<usize>i << 2);
    const result = orderFloats(<f64>load<f32>(a + offset), <f64>load<f32>(b + offset));
    if (result != 0) return result;
  }
  return order<u32>(aCount, bCount);
}

/** -1, 0 or 1; a total order of the values of `type`. */
export function compareValues(type: u32, a: usize, b: usize): i32 {
  switch (type) {
    case TYPE_STRING:
      return compareStrings(a + RECORD_HEADER, load<u32>(a), b + RECORD_HEADER, load<u32>(b));
    case TYPE_SBYTE:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64:
    case TYPE_TIMESPAN:
    case TYPE_DATETIMEOFFSET:
      return order<i64>(load<i64>(a), load<i64>(b));
    case TYPE_SINGLE:
      return orderFloats(<f64>load<f32>(a), <f64>load<f32>(b));
    case TYPE_DOUBLE:
      return orderFloats(load<f64>(a), load<f64>(b));
    case TYPE_DECIMAL:
      return compareDecimals(a, b);
    case TYPE_DATETIME:
      return order<u64>(load<u64>(a) & TICKS_MASK, load<u64>(b) & TICKS_MASK);
    case TYPE_GUID:
      return compareGuids(a, b);
    case TYPE_SINGLE_ARRAY:
      return compareArrays(a, b);
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
    case TYPE_UINT16:
    case TYPE_UINT32:
    case TYPE_UINT64:
    case TYPE_CHAR:
      return order<u64>(load<u64>(a), load<u64>(b));
    default:
      return unreachable();
  }
}

/** Types whose values are equal when their first words are the same bits. */
function isOneWord(type: u32): bool {
  switch (type) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
    case TYPE_SBYTE:
    case TYPE_INT16:
    case TYPE_UINT16:
    case TYPE_INT32:
    case TYPE_UINT32:
    case TYPE_INT64:
    case TYPE_UINT64:
    case TYPE_CHAR:
    case TYPE_DATETIMEOFFSET:
    case TYPE_TIMESPAN:
      return true;
    default:
      return false;
  }
}

/** .NET Equals for values of `type`. */
export function equalValues(type: u32, a: usize, b: usize): bool {
  switch (type) {
    case TYPE_STRING:
      return equalStrings(a + RECORD_HEADER, load<u32>(a), b + RECORD_HEADER, load<u32>(b));
    case TYPE_SINGLE:
    case TYPE_DOUBLE:
    case TYPE_DECIMAL:
    case TYPE_SINGLE_ARRAY:
      return compareValues(type, a, b) == 0;
    case TYPE_DATETIME:
      return ((load<u64>(a) ^ load<u64>(b)) & TICKS_MASK) == 0;
    case TYPE_GUID:
      return load<u64>(a) == load<u64>(b) && load<u64>(a, WIDE_SECOND) == load<u64>(b, WIDE_SECOND);
    default:
      if (!isOneWord(type)) unreachable();
      return load<u64>(a) == load<u64>(b);
  }
}

/** One bit pattern for equal floats: all NaN alike, both zeros alike. */
// @ts-ignore: decorator
@inline
function floatIdentity(value: f64): u64 {
  if (value != value) return DOUBLE_NAN;
  return value == 0 ? 0 : reinterpret<u64>(value);
}

function hashArray(record: usize): u32 {
  const count = load<u32>(record, RECORD_INFO);
  let state: u32 = count;
  for (let i: u32 = 0; i < count; i++) {
    const identity = floatIdentity(<f64>load<f32>(record + RECORD_HEADER + (<usize>i << 2)));
    state = hashWord(identity ^ (<u64>state * 0x9e3779b97f4a7c15));
  }
  return state;
}

/** A 32-bit hash, equal for values that are equal by equalValues. */
export function hashValue(type: u32, a: usize): u32 {
  switch (type) {
    case TYPE_STRING:
      return hashBytes(a + RECORD_HEADER, load<u32>(a));
    case TYPE_SINGLE:
      return hashWord(floatIdentity(<f64>load<f32>(a)));
    case TYPE_DOUBLE:
      return hashWord(floatIdentity(load<f64>(a)));
    case TYPE_DECIMAL:
      return hashWord(decimalIdentity(a));
    case TYPE_DATETIME:
      return hashWord(load<u64>(a) & TICKS_MASK);
    case TYPE_GUID:
      return hashBytes(a, 16);
    case TYPE_SINGLE_ARRAY:
      return hashArray(a);
    default:
      if (!isOneWord(type)) unreachable();
      return hashWord(load<u64>(a));
  }
}
