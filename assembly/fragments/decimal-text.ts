// Decimals as texts and as reals.

import { parseDecimal, tooLarge, writeDecimal } from '../values/decimal';
import { floatBits, parseFloatText } from '../values/float-parse';
import { INFO_ASCII, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { doubleTen } from '../values/tables';
import { decimalLoad } from './decimal';
import { FAIL_MEMORY } from './failures';
import { FAULT_FORMAT, FAULT_MEMORY, FAULT_OVERFLOW, highOf, leaveFault, lowOf, wideFault } from './faults';
import { runAllocate, runMark, runRelease } from './run-heap';


/** Decimal.ToString(): digits, a point, a sign. FAIL_MEMORY without scratch. */
export function textDecimal(value: v128): u32 {
  const record = runAllocate(RECORD_HEADER + 64 + 16);
  if (record == 0) return FAIL_MEMORY;
  v128.store(record + RECORD_HEADER + 64, value);
  const bytes = writeDecimal(record + RECORD_HEADER, record + RECORD_HEADER + 64);
  store<u32>(record, bytes);
  store<u32>(record, bytes | INFO_ASCII, RECORD_INFO);
  return <u32>record;
}

/** `bytes` bytes of UTF-8 as Decimal.Parse reads them; a fault of format or of overflow. */
export function decimalParse(text: usize, bytes: u32): v128 {
  const mark = runMark();
  const record = runAllocate(16);
  if (record == 0) return wideFault(FAULT_MEMORY);
  const good = parseDecimal(text, text + <usize>bytes, record);
  const value = good ? decimalLoad(record) : wideFault(tooLarge ? FAULT_OVERFLOW : FAULT_FORMAT);
  runRelease(mark);
  return value;
}

/** The nearest double. */
export function decimalToDouble(value: v128): f64 {
  const low = lowOf(value);
  const high = highOf(value);
  const scale = <u32>((high >> 48) & 0xff);
  // Two numbers that doubles have exactly, divided once.
  if (<u32>high == 0 && low >> 53 == 0 && scale <= 22) {
    const real = <f64>low / doubleTen(scale);
    return high >> 63 != 0 ? -real : real;
  }
  const mark = runMark();
  const text = textDecimal(value);
  if (text == FAIL_MEMORY) {
    leaveFault(FAULT_MEMORY);
    return 0;
  }
  const from = <usize>text + RECORD_HEADER;
  parseFloatText(from, from + <usize>load<u32>(<usize>text), false);
  runRelease(mark);
  return reinterpret<f64>(floatBits);
}
