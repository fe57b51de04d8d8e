// TimeSpan and Guid as text, in their standard formats and, for TimeSpan, the custom ones.

import { writeTimeSpan } from '../values/datetime';
import { writeGuid } from '../values/guid';
import { digitCount, writeDigits } from '../values/tables';
import { builderByte, builderCommit, builderFail, builderRoom } from './builder';
import { appendLiteral } from './date-text';
import { FAIL_FORMAT, FAIL_MEMORY } from './failures';
import { formatLength, formatRun, formatUnit, openFormat } from './format-reader';
import { textLength } from './texts';

let days: u64 = 0;
let hours: u32 = 0;
let minutes: u32 = 0;
let seconds: u32 = 0;
let fraction: u32 = 0;

function split(ticks: u64): void {
  const whole = ticks / 10000000;
  fraction = <u32>(ticks - whole * 10000000);
  days = whole / 86400;
  const rest = <u32>(whole - days * 86400);
  hours = rest / 3600;
  minutes = (rest / 60) % 60;
  seconds = rest % 60;
}

/** A TimeSpan's ticks. */
export function appendSpan(builder: usize, value: i64, format: u32): void {
  const length: u32 = format == 0 ? 0 : textLength(format);
  let letter: u32 = 0x63;
  if (length != 0) {
    if (!openFormat(format)) {
      builderFail(builder, FAIL_MEMORY);
      return;
    }
    letter = formatUnit(0);
  }
  if (length <= 1 && (letter == 0x63 || (letter | 32) == 0x74)) {
    const out = builderRoom(builder, 40);
    if (out != 0) builderCommit(builder, writeTimeSpan(out, value));
    return;
  }
  split(value < 0 ? 0 - <u64>value : <u64>value);
  if (length > 1) {
    appendCustom(builder);
    return;
  }
  if ((letter | 32) != 0x67) {
    builderFail(builder, FAIL_FORMAT);
    return;
  }
  const long = letter == 0x47;
  if (value < 0) builderByte(builder, 45);
  if (long || days != 0) {
    appendNumber(builder, days, 1);
    builderByte(builder, 58);
  }
  appendNumber(builder, hours, long ? 2 : 1);
  builderByte(builder, 58);
  appendNumber(builder, minutes, 2);
  builderByte(builder, 58);
  appendNumber(builder, seconds, 2);
  if (!long && fraction == 0) return;
  builderByte(builder, 46);
  appendFraction(builder, 7, !long);
}

function appendNumber(builder: usize, value: u64, width: u32): void {
  const out = builderRoom(builder, 24);
  if (out == 0) return;
  const count = max<u32>(digitCount(value), width);
  writeDigits(out, value, count);
  builderCommit(builder, count);
}

/** The first `count` of the seven digits; `drop`: without zeros at the end. */
function appendFraction(builder: usize, count: i32, drop: bool): void {
  const out = builderRoom(builder, 8);
  if (out == 0) return;
  writeDigits(out, fraction, 7);
  while (drop && count > 0 && load<u8>(out + <usize>(count - 1)) == 48) count--;
  builderCommit(builder, <u32>count);
}

function appendCustom(builder: usize): void {
  let at = 0;
  while (at < formatLength) {
    const unit = formatUnit(at);
    let count = formatRun(at);
    let limit = 0;
    if (unit == 0x64) limit = 8;
    else if (unit == 0x68 || unit == 0x6d || unit == 0x73) limit = 2;
    else if ((unit | 32) == 0x66) limit = 7;
    if (limit == 0) count = appendLiteral(builder, at, true);
    else if (count > limit) count = 0;
    else if (limit == 7) appendFraction(builder, count, unit == 0x46);
    else appendNumber(builder, unit == 0x64 ? days : unit == 0x68 ? hours : unit == 0x6d ? minutes : seconds, <u32>count);
    if (count == 0) {
      builderFail(builder, FAIL_FORMAT);
      return;
    }
    at += count;
  }
}

/** The Guid record at `record` (values/types.ts). */
export function appendGuid(builder: usize, record: usize, format: u32): void {
  let letter: u32 = 0x44;
  if (format != 0 && textLength(format) != 0) {
    if (!openFormat(format)) {
      builderFail(builder, FAIL_MEMORY);
      return;
    }
    letter = formatLength == 1 ? formatUnit(0) & ~32 : 0;
  }
  const out = builderRoom(builder, 80);
  if (out == 0) return;
  switch (letter) {
    case 0x44: // D
      builderCommit(builder, writeGuid(out, record));
      return;
    case 0x42: // B
    case 0x50: // P
      store<u8>(out, letter == 0x42 ? 0x7b : 0x28);
      writeGuid(out + 1, record);
      store<u8>(out, letter == 0x42 ? 0x7d : 0x29, 37);
      builderCommit(builder, 38);
      return;
    case 0x4e: // N
      packGuid(out, record);
      builderCommit(builder, 32);
      return;
    case 0x58: // X
      builderCommit(builder, writeStructured(out, record));
      return;
    default:
      builderFail(builder, FAIL_FORMAT);
  }
}

/** The 32 digits without hyphens. */
function packGuid(out: usize, record: usize): void {
  writeGuid(out, record);
  memory.copy(out + 8, out + 9, 4);
  memory.copy(out + 12, out + 14, 4);
  memory.copy(out + 16, out + 19, 4);
  memory.copy(out + 20, out + 24, 12);
}

/** `{0x…,0x…,0x…,{0x…,…}}`: 68 bytes. */
function writeStructured(out: usize, record: usize): u32 {
  let p = out;
  let at: usize = 0;
  store<u8>(p, 0x7b);
  p += 1;
  for (let part = 0; part < 11; part++) {
    if (part == 3) {
      store<u8>(p, 0x7b);
      p += 1;
    }
    store<u16>(p, 0x7830); // 0x
    p += 2;
    const bytes: usize = part == 0 ? 4 : part < 3 ? 2 : 1;
    for (let i: usize = 0; i < bytes; i++) {
      const byte = <u32>load<u8>(record + at);
      at += 1;
      store<u8>(p, hexDigit(byte >> 4));
      store<u8>(p, hexDigit(byte & 15), 1);
      p += 2;
    }
    store<u8>(p, 0x2c);
    p += 1;
  }
  // The last comma's place is the first brace's.
  store<u16>(p - 1, 0x7d7d);
  return <u32>(p + 1 - out);
}

function hexDigit(value: u32): u32 {
  return value + (value < 10 ? 48 : 87);
}
