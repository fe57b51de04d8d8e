// Composite formats (`{0,-8:F2}`) that are known only when they run: one hole after another. What the holes hold is the module's.

import { builderFinish, builderNew, builderText, builderUnit } from './builder';
import { FAIL_FORMAT, isFailure } from './failures';
import { runHold } from './run-heap';
import { textLength, textSlice, textUnit } from './texts';

const OPEN: u32 = 0x7b;
const CLOSE: u32 = 0x7d;
const MOST_DIGITS: u32 = 7;

let index: i32 = -1;
let width: i32 = 0;
let format: u32 = 0;

/** Of the hole found last: its argument, -1 behind the last one; its width, 0 for none; and its format, 0 for none. */
export function compositeIndex(): i32 {
  return index;
}

export function compositeWidth(): i32 {
  return width;
}

export function compositeFormat(): u32 {
  return format;
}

let at: u32 = 0;
let text: u32 = 0;

function unit(): u32 {
  return at < textLength(text) ? textUnit(text, at) : 0;
}

/** Adds the text from `from` on up to the next hole and reads that; where to go on, or a failure. */
export function compositeNext(builder: usize, composite: u32, from: u32): u32 {
  text = composite;
  at = from;
  index = -1;
  const length = textLength(text);
  while (at < length) {
    const start = at;
    while (at < length && unit() != OPEN && unit() != CLOSE) at++;
    if (at > start) {
      const literal = textSlice(text, start, at - start);
      if (isFailure(literal)) return literal;
      builderText(builder, literal);
      if (at == length) break;
    }
    const brace = unit();
    at++;
    if (at < length && unit() == brace) {
      builderUnit(builder, brace);
      at++;
      continue;
    }
    if (brace == CLOSE) return FAIL_FORMAT;
    return readHole();
  }
  return at;
}

/** Reads up to seven digits; -1 for none. */
function readNumber(): i32 {
  let value: i32 = 0;
  const start = at;
  while (at - start < MOST_DIGITS && unit() - 48 < 10) {
    value = value * 10 + <i32>(unit() - 48);
    at++;
  }
  return at == start ? -1 : value;
}

function skipSpaces(): void {
  while (unit() == 32) at++;
}

function readHole(): u32 {
  const argument = readNumber();
  if (argument < 0) return FAIL_FORMAT;
  skipSpaces();
  width = 0;
  if (unit() == 44) {
    at++;
    skipSpaces();
    const left = unit() == 45;
    if (left) at++;
    width = readNumber();
    if (width < 0) return FAIL_FORMAT;
    if (left) width = -width;
    skipSpaces();
  }
  format = 0;
  if (unit() == 58) {
    at++;
    const own = readFormat();
    if (isFailure(own)) return own;
    format = textLength(own) == 0 ? 0 : own;
    runHold(format);
  } else if (unit() != CLOSE) return FAIL_FORMAT;
  else at++;
  index = argument;
  return at;
}

/** What stands behind the colon; a brace twice is one. */
function readFormat(): u32 {
  const builder = builderNew();
  while (at < textLength(text)) {
    const next = unit();
    at++;
    if (next == OPEN || next == CLOSE) {
      if (unit() == next && at < textLength(text)) at++;
      else return next == CLOSE ? builderFinish(builder) : FAIL_FORMAT;
    }
    builderUnit(builder, next);
  }
  return FAIL_FORMAT;
}
