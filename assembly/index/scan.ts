// Reads of indexes that answer element ids, as u32 in OUTPUT: the scans `all` and `range` of contract part 1.
//
// Equality takes one look into the key table and answers ascending ids. The ordered operators on a RangeIndex find the first key by a
// search and walk from there; on other key tables, as NotEquals on all, they look at every key. A key of another type than the literal's is
// never equal to it, so NotEquals matches it, and the ordered operators pass it over, as in scans of properties.
// An element that stands under several matching keys is answered as often; who wants it once sees to that.
//
// These run on any thread between readerEnter and readerExit. An element that is being removed may be answered or not; one that is gone
// is not.

import { elementKind, elementLabel } from '../graph/elements';
import { internFind } from '../graph/intern';
import { graphState } from '../graph/state';
import { outBegin, outCommit, outReserve, outUsed, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { outputFailure } from '../read/output';
import {
  OPERATOR_EQUALS, OPERATOR_GREATER, OPERATOR_GREATER_OR_EQUALS, OPERATOR_LAST, OPERATOR_LOWER, OPERATOR_LOWER_OR_EQUALS,
  OPERATOR_NOT_EQUALS, operatorAccepts,
} from '../scan/compare';
import { BAD_VALUE, NOT_FOUND, OK, WRONG_KIND } from '../status';
import { compareValues } from '../values/compare';
import { parseValue } from '../values/parse';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import { TYPE_COUNT, TYPE_STRING } from '../values/types';
import { utf16Info } from '../values/utf8';
import { indexFind } from './catalogue';
import { keysFind, keysSlot, keysSlots, keysTable } from './keys';
import { isKeyTable } from './kinds';
import { INDEX_KIND, INDEX_RANGE, KEY_POSTINGS, KEY_TYPE, KEY_VALUE } from './layout';
import { orderChunk, orderChunks, orderCount, orderKey, orderList, orderPlace, orderSearch, orderSingle } from './order';
import { postingsRun, postingsRuns, runCount, runId } from './postings';

let scanState: usize = 0;
let scanKinds: u32 = 0;
let scanLabel: u32 = 0;

/** Ids that the last scan wrote to OUTPUT. */
export function indexFound(): u32 {
  return <u32>(outUsed() >> 2);
}

/** Sets what elements count. False: none can. */
function restrict(graph: usize, labelText: usize, labelBytes: u32, kinds: u32): bool {
  outBegin();
  scanState = graphState(graph);
  scanKinds = kinds;
  scanLabel = labelBytes == NONE ? NONE : internFind(labelText, labelBytes);
  return labelBytes == NONE || scanLabel != NONE;
}

// @ts-ignore: decorator
@inline
function wanted(id: u32): bool {
  const kind = elementKind(scanState, id);
  if ((kind & scanKinds) == 0) return false;
  return scanLabel == NONE || elementLabel(scanState, id) == scanLabel;
}

/** Writes the key's elements. False = OUTPUT is full. */
// @ts-ignore: decorator
@inline
function emit(key: usize): bool {
  const word = atomic.load<u32>(key + KEY_POSTINGS);
  return (word & 1) != 0 ? emitOne(word >> 1) : emitRuns(word);
}

// @ts-ignore: decorator
@inline
function emitOne(id: u32): bool {
  if (!wanted(id)) return true;
  const out = outReserve(4);
  if (out == 0) return false;
  store<u32>(out, id);
  outCommit(4);
  return true;
}

function emitRuns(word: u32): bool {
  const runs = postingsRuns(word);
  for (let r: u32 = 0; r < runs; r++) {
    const run = postingsRun(word, r);
    const count = runCount(run);
    let out = outReserve((<usize>count) << 2);
    if (out == 0) return false;
    const first = out;
    for (let i: u32 = 0; i < count; i++) {
      const id = runId(run, i);
      if (id == NONE || !wanted(id)) continue;
      store<u32>(out, id);
      out += 4;
    }
    outCommit(out - first);
  }
  return true;
}

// --- Literals --------------------------------------------------------------------------------------------------------------

/** Bytes of scratch for a literal of that text. */
// @ts-ignore: decorator
@inline
function literalRoom(bytes: u32): usize {
  return 32 + <usize>bytes;
}

/** Writes the value of the text to `out`, in the form of a key's value. False: it is no value of the type. */
function literalRead(type: u32, text: usize, bytes: u32, out: usize): bool {
  if (type != TYPE_STRING) return type < TYPE_COUNT && parseValue(type, text, bytes, out);
  store<u32>(out, bytes);
  store<u32>(out, utf16Info(text, bytes), RECORD_INFO);
  memory.copy(out + RECORD_HEADER, text, bytes);
  return true;
}

// --- all -------------------------------------------------------------------------------------------------------------------

/**
 * Elements of keys that satisfy `operator` (0 Equals .. 5 NotEquals, others match nothing) against the literal. `labelBytes`: NONE for
 * any label. `kinds`: 1 vertices, 2 edges, 3 both. OK; NOT_FOUND without such an index; WRONG_KIND for one that has no keys to
 * compare; BAD_VALUE for a text that is no value of `type`; NO_MEMORY or ARENA_TOO_SMALL.
 */
export function indexScan(
  graph: usize,
  name: usize,
  nameBytes: u32,
  operator: u32,
  type: u32,
  text: usize,
  textBytes: u32,
  labelText: usize,
  labelBytes: u32,
  kinds: u32,
): i32 {
  const possible = restrict(graph, labelText, labelBytes, kinds);
  const index = indexFind(scanState, name, nameBytes);
  const mark = scratchMark();
  const literal = scratchAllocate(literalRoom(textBytes));
  if (literal == 0) return outputFailure();
  let code = literalRead(type, text, textBytes, literal) ? OK : BAD_VALUE;
  if (code == OK && index == 0) code = NOT_FOUND;
  if (code == OK && !isKeyTable(load<u32>(index, INDEX_KIND))) code = WRONG_KIND;
  const sensible = possible && operator <= OPERATOR_LAST;
  if (code == OK && sensible && !scanAll(index, operator, type, literal)) code = outputFailure();
  scratchRelease(mark);
  return code;
}

function scanAll(index: usize, operator: u32, type: u32, literal: usize): bool {
  if (operator == OPERATOR_EQUALS) {
    const key = keysFind(index, type, literal);
    return key == 0 || emit(key);
  }
  if (operator != OPERATOR_NOT_EQUALS && load<u32>(index, INDEX_KIND) == INDEX_RANGE) {
    const list = orderList(index, type);
    if (list == 0) return true;
    if (operator == OPERATOR_GREATER || operator == OPERATOR_GREATER_OR_EQUALS) {
      const chunk = orderSearch(list, type, literal, operator == OPERATOR_GREATER);
      return emitBetween(list, chunk, orderPlace(), NONE, 0);
    }
    if (operator != OPERATOR_LOWER && operator != OPERATOR_LOWER_OR_EQUALS) return unreachable();
    const chunk = orderSearch(list, type, literal, operator != OPERATOR_LOWER);
    return emitBetween(list, 0, 0, chunk, orderPlace());
  }
  const table = keysTable(index);
  const slots = keysSlots(table);
  for (let slot: u32 = 0; slot < slots; slot++) {
    const key = keysSlot(table, slot);
    if (key == 0) continue;
    const matches = load<u32>(key, KEY_TYPE) != type
      ? operator == OPERATOR_NOT_EQUALS
      : operatorAccepts(operator, compareValues(type, key + KEY_VALUE, literal));
    if (matches && !emit(key)) return false;
  }
  return true;
}

/** Slots that `indexKeyTypes` looks at: some hundred microseconds. */
const MOST_TYPE_SLOTS: u32 = 65536;

/** Types of an index's keys as bits; 0 without such an index, for one that has no keys, and for one that has too many to look at. */
export function indexKeyTypes(graph: usize, name: usize, nameBytes: u32): u32 {
  const index = indexFind(graphState(graph), name, nameBytes);
  if (index == 0 || !isKeyTable(load<u32>(index, INDEX_KIND))) return 0;
  const table = keysTable(index);
  const slots = keysSlots(table);
  if (slots > MOST_TYPE_SLOTS) return 0;
  let types: u32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const key = keysSlot(table, slot);
    if (key != 0) types |= 1 << load<u32>(key, KEY_TYPE);
  }
  return types;
}

/** Elements of the keys from a place on up to before another one; `endChunk` NONE: to the end of the list. */
function emitBetween(list: usize, chunk: u32, place: u32, endChunk: u32, endPlace: u32): bool {
  const chunks = orderChunks(list);
  for (; chunk < chunks && chunk <= endChunk; chunk++) {
    const keys = orderChunk(list, chunk);
    let count = orderCount(keys);
    if (chunk == endChunk) count = min<u32>(count, endPlace);
    if (place < count && !emitChunk(keys, place, count)) return false;
    place = 0;
  }
  return true;
}

/** Elements of the keys [place, count) of a chunk. Keys of one element are written in one go. */
function emitChunk(keys: usize, place: u32, count: u32): bool {
  let out: usize = 0;
  let first: usize = 0;
  for (; place < count; place++) {
    const single = orderSingle(keys, place);
    if (single == 0) {
      if (out != 0) outCommit(out - first);
      out = 0;
      if (!emit(orderKey(keys, place))) return false;
      continue;
    }
    if (out == 0) {
      out = outReserve((<usize>(count - place)) << 2);
      if (out == 0) return false;
      first = out;
    }
    if (!wanted(single >> 1)) continue;
    store<u32>(out, single >> 1);
    out += 4;
  }
  if (out != 0) outCommit(out - first);
  return true;
}

// --- range -----------------------------------------------------------------------------------------------------------------

/**
 * Elements of the keys of a RangeIndex between two limits, in the order of keys, ascending within one. OK, NOT_FOUND, WRONG_KIND for
 * an index of another kind, BAD_VALUE for a limit that is no value of `type`, NO_MEMORY or ARENA_TOO_SMALL.
 */
export function indexRange(
  graph: usize,
  name: usize,
  nameBytes: u32,
  type: u32,
  left: usize,
  leftBytes: u32,
  right: usize,
  rightBytes: u32,
  includeLeft: bool,
  includeRight: bool,
  kinds: u32,
): i32 {
  restrict(graph, 0, NONE, kinds);
  const index = indexFind(scanState, name, nameBytes);
  const mark = scratchMark();
  const low = scratchAllocate(literalRoom(leftBytes));
  const high: usize = low == 0 ? 0 : scratchAllocate(literalRoom(rightBytes));
  if (high == 0) {
    scratchRelease(mark);
    return outputFailure();
  }
  let code = OK;
  if (!literalRead(type, left, leftBytes, low) || !literalRead(type, right, rightBytes, high)) code = BAD_VALUE;
  else if (index == 0) code = NOT_FOUND;
  else if (load<u32>(index, INDEX_KIND) != INDEX_RANGE) code = WRONG_KIND;
  else if (!rangeEmit(index, type, low, high, includeLeft, includeRight)) code = outputFailure();
  scratchRelease(mark);
  return code;
}

/** `indexRange` for calls that hold an index and values already; elements of every kind. False = OUTPUT is full. */
export function rangeRead(
  graph: usize,
  index: usize,
  type: u32,
  low: usize,
  high: usize,
  includeLow: bool,
  includeHigh: bool,
): bool {
  restrict(graph, 0, NONE, 3);
  return rangeEmit(index, type, low, high, includeLow, includeHigh);
}

/** Elements between two values in the form of keys. False = OUTPUT is full. */
function rangeEmit(index: usize, type: u32, low: usize, high: usize, includeLow: bool, includeHigh: bool): bool {
  const list = orderList(index, type);
  const order = compareValues(type, low, high);
  if (list == 0 || order > 0 || (order == 0 && !(includeLow && includeHigh))) return true;
  const chunk = orderSearch(list, type, low, !includeLow);
  const place = orderPlace();
  const endChunk = orderSearch(list, type, high, includeHigh);
  return emitBetween(list, chunk, place, endChunk, orderPlace());
}

/** Equality for calls that hold an index and a value already; elements of every kind. False = OUTPUT is full. */
export function lookupRead(graph: usize, index: usize, type: u32, value: usize): bool {
  restrict(graph, 0, NONE, 3);
  const key = keysFind(index, type, value);
  return key == 0 || emit(key);
}

/** Appends the elements of a key to OUTPUT, of every kind. False = OUTPUT is full. */
export function keyRead(graph: usize, key: usize): bool {
  scanState = graphState(graph);
  scanKinds = 3;
  scanLabel = NONE;
  return emit(key);
}
