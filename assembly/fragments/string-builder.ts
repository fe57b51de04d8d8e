// StringBuilder: a builder (builder.ts) that is an object (objects.ts), so that everything that is written to a text is written to it, and
// that can be read and changed between. A reference names it. Its text record has a header only when somebody looks (`view`): what was
// added since is measured then, so that going on adding and asking for the length costs what was added. Behind the builder's words:
//
//   24  u32   bytes that are measured; fewer than there are when something was added
//   28  u32   their info, as in the header of a text (texts.ts)
//   32  i32   the capacity that was asked for
//
// Changes in the middle of ASCII are made in place; others make a new text and take it over. A builder that `init` made does not grow
// afterwards: what it would grow into ends with the call (FAIL_HOST).

import { INFO_ASCII, INFO_UNITS, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { utf16Info } from '../values/utf8';
import {
  builderCommit, builderFailure, builderFill, builderPiece, builderRevive, builderRoom, builderStart, builderText, builderUnit,
} from './builder';
import { FAIL_ARGUMENT_NULL, FAIL_INDEX, FAIL_MEMORY, FAIL_OUT_OF_RANGE, isFailure } from './failures';
import { isReference, KEPT, keptNow, OBJECT_COUNT, objectAddress } from './objects';
import { runAllocate, runMark, runRelease } from './run-heap';
import { textInsert, textOfUnits, textRemove, textReplace, textReplaceUnit } from './text-edit';
import { bytesOf, dataOf, forgetCursor, isAscii, narrow, textCreate, textEquals, textLength, textSlice, textUnit, widen } from './texts';

const RECORD: usize = 8;
const USED: usize = 12;
const MEASURED: usize = 24;
const INFO: usize = 28;
const CAPACITY: usize = 32;
const BYTES: usize = 40;

const LEAST_CAPACITY: i32 = 16;
/** Room at the start, at most: more is made when it is needed. */
const MOST_FIRST: i32 = 1 << 16;

/** A builder with a text, or null; `head` is its first word. A failure when the capacity is negative or there is no room. */
export function writerNew(head: u32, text: u32, capacity: i32): u32 {
  if (capacity < 0) return FAIL_OUT_OF_RANGE;
  const address = runAllocate(BYTES);
  if (address == 0) return FAIL_MEMORY;
  memory.fill(address, 0, BYTES);
  if (!builderStart(address, max<i32>(min<i32>(capacity, MOST_FIRST), 56))) return FAIL_MEMORY;
  store<u32>(address, head | (keptNow() ? KEPT : 0));
  store<u32>(address, INFO_ASCII, INFO);
  store<i32>(address, max<i32>(capacity, LEAST_CAPACITY), CAPACITY);
  builderText(address, text);
  return builderFailure(address) != 0 ? FAIL_MEMORY : <u32>address + 2;
}

/** The text as it is now: valid until the next change. */
export function writerView(writer: u32): u32 {
  const address = objectAddress(writer);
  const record = load<u32>(address, RECORD);
  const used = load<u32>(address, USED);
  const measured = load<u32>(address, MEASURED);
  let info = load<u32>(address, INFO);
  if (measured != used) {
    const added = utf16Info(<usize>record + RECORD_HEADER + <usize>measured, used - measured);
    info = (((info & INFO_UNITS) + (added & INFO_UNITS)) | INFO_ASCII) & (info | INFO_UNITS) & (added | INFO_UNITS);
    measure(address, used, info);
  }
  store<u32>(<usize>record, used);
  store<u32>(<usize>record, info, RECORD_INFO);
  return record;
}

function measure(address: usize, bytes: u32, info: u32): void {
  store<u32>(address, bytes, MEASURED);
  store<u32>(address, info, INFO);
}

/** Forgets what was measured: something other than the end is going to change. */
function forget(address: usize): void {
  measure(address, 0, INFO_ASCII);
  forgetCursor();
}

/** The failure that the additions so far have ended in, 0 for none; it is forgotten. */
export function writerFailure(writer: u32): u32 {
  const address = objectAddress(writer);
  const failure = builderFailure(address);
  if (failure != 0) builderRevive(address);
  return failure;
}

/** Bytes so far: what a change costs. */
export function writerBytes(writer: u32): u32 {
  return load<u32>(objectAddress(writer), USED);
}

export function writerLength(writer: u32): u32 {
  return textLength(writerView(writer));
}

export function writerCapacity(writer: u32): i32 {
  return max<i32>(load<i32>(objectAddress(writer), CAPACITY), <i32>writerLength(writer));
}

/** Units [start, start + count) as a text of its own, or a failure. */
export function writerText(writer: u32, start: i32, count: i32): u32 {
  const text = writerView(writer);
  const length = <i32>textLength(text);
  if (start < 0 || count < 0 || start > length - count) return FAIL_OUT_OF_RANGE;
  return count == length ? textCreate(dataOf(text), bytesOf(text)) : textSlice(text, <u32>start, <u32>count);
}

export function writerAll(writer: u32): u32 {
  const text = writerView(writer);
  return textCreate(dataOf(text), bytesOf(text));
}

/** The unit at an index, or a failure. */
export function writerUnit(writer: u32, index: i32): u32 {
  const text = writerView(writer);
  return <u32>index < textLength(text) ? textUnit(text, <u32>index) : FAIL_INDEX;
}

export function writerEquals(writer: u32, other: u32): bool {
  return other != 0 && textEquals(writerView(writer), writerView(other));
}

// --- Adding: failures stay in the builder ----------------------------------------------------------------------------------

/** `count` times one unit. */
export function writerRepeat(writer: u32, unit: u32, count: i32): u32 {
  if (count < 0) return FAIL_OUT_OF_RANGE;
  const address = objectAddress(writer);
  if (unit < 0x80) builderFill(address, unit, <u32>count);
  else for (let i = 0; i < count && builderFailure(address) == 0; i++) builderUnit(address, unit);
  return writerFailure(writer);
}

/** Units [start, start + count) of a text, or of a char[]. */
export function writerPart(writer: u32, value: u32, start: i32, count: i32): u32 {
  if (value == 0) return start == 0 && count == 0 ? 0 : FAIL_ARGUMENT_NULL;
  let text = value;
  if (isReference(value)) text = textOfUnits(value, start, count);
  else {
    const length = <i32>textLength(value);
    if (start < 0 || count < 0 || start > length - count) return FAIL_OUT_OF_RANGE;
    text = textSlice(value, <u32>start, <u32>count);
  }
  if (isFailure(text)) return text;
  builderText(objectAddress(writer), text);
  return writerFailure(writer);
}

/** All of a char[]; null is nothing. */
export function writerUnits(writer: u32, units: u32): u32 {
  return units == 0 ? 0 : writerPart(writer, units, 0, load<i32>(objectAddress(units), OBJECT_COUNT));
}

// --- Changing: 0 or a failure ----------------------------------------------------------------------------------------------

/** Takes over a text that was made since the mark, or its failure; all that was made since is given back if it can be. */
function adopt(writer: u32, text: u32, mark: usize): u32 {
  if (isFailure(text)) return text;
  const address = objectAddress(writer);
  const bytes = bytesOf(text);
  const from = dataOf(text);
  if (text == load<u32>(address, RECORD)) return 0;
  const old = load<u32>(address, RECORD);
  store<u32>(address, 0, USED);
  forget(address);
  builderPiece(address, from, bytes);
  const failure = writerFailure(writer);
  if (failure == 0 && load<u32>(address, RECORD) == old) runRelease(mark);
  return failure;
}

/** Another length: the text ends there, or goes on with NULs. */
export function writerResize(writer: u32, length: i32): u32 {
  if (length < 0) return FAIL_OUT_OF_RANGE;
  const address = objectAddress(writer);
  const text = writerView(writer);
  const units = <i32>textLength(text);
  if (length >= units) {
    builderFill(address, 0, <u32>(length - units));
    return writerFailure(writer);
  }
  if (!isAscii(text)) {
    const mark = runMark();
    return adopt(writer, textSlice(text, 0, <u32>length), mark);
  }
  store<u32>(address, <u32>length, USED);
  measure(address, <u32>length, <u32>length | INFO_ASCII);
  return 0;
}

/** Another unit at an index. */
export function writerPut(writer: u32, index: i32, unit: u32): u32 {
  const text = writerView(writer);
  if (<u32>index >= textLength(text)) return FAIL_OUT_OF_RANGE;
  if (isAscii(text) && unit < 0x80) {
    store<u8>(dataOf(text) + <usize>index, <u8>unit);
    return 0;
  }
  const mark = runMark();
  const units = widen(text);
  if (units == 0) return FAIL_MEMORY;
  store<u16>(units + 2 * <usize>index, <u16>unit);
  return adopt(writer, narrow(units, textLength(text)), mark);
}

/** A text, or null, before the unit at an index. */
export function writerInsert(writer: u32, index: i32, value: u32): u32 {
  const address = objectAddress(writer);
  const text = writerView(writer);
  const length = textLength(text);
  if (<u32>index > length) return FAIL_OUT_OF_RANGE;
  if (value == 0 || bytesOf(value) == 0) return 0;
  if (!isAscii(text) || !isAscii(value)) {
    const mark = runMark();
    return adopt(writer, textInsert(text, index, value), mark);
  }
  const bytes = bytesOf(value);
  // A builder's own text may be what is inserted: its place changes.
  const own = value == text;
  const room = builderRoom(address, bytes);
  if (room == 0) return writerFailure(writer);
  const place = room - <usize>(length - <u32>index);
  memory.copy(place + <usize>bytes, place, <usize>(length - <u32>index));
  if (own) {
    memory.copy(place, room - <usize>length, <usize>index);
    memory.copy(place + <usize>index, place + <usize>bytes, <usize>(bytes - <u32>index));
  } else memory.copy(place, dataOf(value), <usize>bytes);
  builderCommit(address, bytes);
  measure(address, length + bytes, (length + bytes) | INFO_ASCII);
  return 0;
}

export function writerRemove(writer: u32, start: i32, count: i32): u32 {
  const address = objectAddress(writer);
  const text = writerView(writer);
  const length = <i32>textLength(text);
  if (start < 0 || count < 0 || start > length - count) return FAIL_OUT_OF_RANGE;
  if (!isAscii(text)) {
    const mark = runMark();
    return adopt(writer, textRemove(text, start, count), mark);
  }
  const place = dataOf(text) + <usize>start;
  memory.copy(place, place + <usize>count, <usize>(length - start - count));
  store<i32>(address, length - count, USED);
  measure(address, <u32>(length - count), <u32>(length - count) | INFO_ASCII);
  return 0;
}

export function writerReplaceUnit(writer: u32, old: u32, unit: u32): u32 {
  const text = writerView(writer);
  if (isAscii(text)) {
    if (old >= 0x80) return 0;
    let p = dataOf(text);
    const end = p + <usize>bytesOf(text);
    if (unit < 0x80) {
      for (; p < end; p += 1) if (<u32>load<u8>(p) == old) store<u8>(p, <u8>unit);
      return 0;
    }
  }
  const mark = runMark();
  return adopt(writer, textReplaceUnit(text, old, unit), mark);
}

export function writerReplace(writer: u32, old: u32, value: u32): u32 {
  const mark = runMark();
  return adopt(writer, textReplace(writerView(writer), old, value, false), mark);
}

export function writerClear(writer: u32): void {
  const address = objectAddress(writer);
  store<u32>(address, 0, USED);
  forget(address);
}
