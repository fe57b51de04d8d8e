// The typed property scan: ids whose property `key` compares with a literal as an operator says, ascending, as u32 in OUTPUT.
//
//   candidates of a page -> row -> shape -> (small cache: where does this shape keep the key?) -> value -> block of 1,024
//   -> one SIMD comparison of the block -> ids
//
// Comparison is typed: a value of another type than the literal's is never equal to it, so it matches NotEquals, and is passed over
// by the ordered operators (the reference's choice where the original fails). A vector compares with nothing but vectors, and
// matches no operator against anything else. An element without the property matches nothing. Strings order by UTF-16 unit;
// Single[] has no order. Values without a lane of their own (String, Decimal, Guid, Single[]) are compared one by one.
//
// The walk finds a shape's place once a call: shapes of an earlier call may be freed and their addresses in use again. A call
// covers a range of ids, so that a long scan can yield between calls. `scanPropertyScalar` is the twin for differential tests.

import { candidateBits, RESULT_EDGES, RESULT_VERTICES } from '../graph/candidates';
import { COLUMN_ROW, elementKind, elementLabel, elementRow } from '../graph/elements';
import { internFind } from '../graph/intern';
import { hasRecord, rowShape, rowSlot } from '../graph/rows';
import { shapeSlot, shapeType } from '../graph/shapes';
import { graphState, PAGE_ID_MASK, PAGE_IDS, pageAddress, stateNextId } from '../graph/state';
import { outBegin, outCommit, outReserve, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { outputFailure } from '../read/output';
import { BAD_VALUE, OK } from '../status';
import { compareValues, equalValues } from '../values/compare';
import { TICKS_MASK } from '../values/datetime';
import { parseValue } from '../values/parse';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import {
  isWide, TYPE_BOOLEAN, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DOUBLE, TYPE_INT64, TYPE_SINGLE, TYPE_SINGLE_ARRAY, TYPE_STRING,
  TYPE_TIMESPAN, TYPE_UINT32, TYPE_UINT64,
} from '../values/types';
import { utf16Info } from '../values/utf8';
import {
  COMPACTION_BYTES, fillCompaction, filterBlock, modeOf, modeOfNaN, OPERATOR_EQUALS, OPERATOR_LAST, OPERATOR_NOT_EQUALS,
  operatorAccepts,
} from './compare';

/** A slot, the head of a record and room behind a text. */
const LITERAL_BYTES: usize = 48;

/** Values compared at once. */
const BLOCK_VALUES: u32 = 1024;
const BLOCK_BYTES: usize = 4 * BLOCK_VALUES + 8 * BLOCK_VALUES + 64;

const CACHE_BITS: u32 = 10;
const CACHE_BYTES: usize = 8 << CACHE_BITS;
/** Of an entry: the shape comes first. */
const CACHE_CODE: usize = 4;
/** In a cache entry's code: the property is there with another type than the literal's. The other bits: its offset in a row. */
const CODE_OTHER_TYPE: u32 = 0x80000000;

// How values of a type are compared as a block.
const LANE_32: u32 = 0;
const LANE_64: u32 = 1;
const LANE_F32: u32 = 2;
const LANE_F64: u32 = 3;
/** The slot is the address of a record that starts with 64-bit ticks. */
const LANE_TICKS: u32 = 4;
const LANE_NONE: u32 = 5;

const SIGN_32: u64 = 0x80000000;
const SIGN_64: u64 = 0x8000000000000000;

// The scan under way in this instance.
let scanKey: u32 = 0;
let scanType: u32 = 0;
let scanOperator: u32 = 0;
let scanKinds: u32 = 0;
let scanLabel: u32 = 0;
let valueMask: u64 = 0;
let valueFlip: u64 = 0;
let otherValue: u64 = 0;
let shapeCache: usize = 0;
let blockIds: usize = 0;
let blockValues: usize = 0;
let noRow: usize = 0;
let gatherNext: u32 = 0;

/** Bit t: an element that the scan looked at has the property with the type t. */
let typesMet: u32 = 0;

let resultCount: u32 = 0;
let resultNext: u32 = 0;

/** Ids found by the last scan call; they stand in OUTPUT as u32. */
export function scanCount(): u32 {
  return resultCount;
}

/** The id to continue from after the last scan call; at least `toId` when its range is done. */
export function scanNext(): u32 {
  return resultNext;
}

/** Types of the values that the last scan of a property met, as bits; none where its operator, literal or label let it look at nothing. */
export function scanTypes(): u32 {
  return typesMet;
}

/** For the scans of this folder: records what a call found. */
export function setScanResult(count: u32, next: u32): void {
  resultCount = count;
  resultNext = next;
}

/**
 * Ids in [fromId, toId) of elements whose property `keyText` satisfies `operator` (0 Equals, 1 Greater, 2 GreaterOrEquals,
 * 3 Lower, 4 LowerOrEquals, 5 NotEquals; others match nothing) against the value of `type` in the slot `literal`.
 * `label`: an interned label, NONE for any. `kinds`: RESULT_VERTICES | RESULT_EDGES. Answers OK, also when it stops after `limit`
 * ids, or NO_MEMORY (writer) or ARENA_TOO_SMALL (reader) when OUTPUT is full: what stands there is then right as far as it goes.
 * `scanCount` and `scanNext` say how many ids there are and where to go on.
 */
export function scanProperty(
  graph: usize,
  keyText: usize,
  keyBytes: u32,
  operator: u32,
  type: u32,
  literal: usize,
  label: u32,
  kinds: u32,
  fromId: u32,
  toId: u32,
  limit: u32,
): i32 {
  outBegin();
  setScanResult(0, max<u32>(fromId, toId));
  typesMet = 0;
  const key = internFind(keyText, keyBytes);
  if (key == NONE || operator > OPERATOR_LAST || limit == 0) return OK;
  if (type == TYPE_SINGLE_ARRAY && operator != OPERATOR_EQUALS && operator != OPERATOR_NOT_EQUALS) return OK;
  scanKey = key;
  scanType = type;
  scanOperator = operator;
  scanKinds = kinds;
  scanLabel = label;
  const mark = scratchMark();
  const scratch = scratchAllocate(BLOCK_BYTES + CACHE_BYTES + COMPACTION_BYTES + 16);
  if (!scratch) return outputFailure();
  blockValues = scratch;
  blockIds = scratch + 8 * BLOCK_VALUES + 32;
  shapeCache = scratch + BLOCK_BYTES;
  memory.fill(shapeCache, 0, CACHE_BYTES);
  const table = shapeCache + CACHE_BYTES;
  fillCompaction(table);
  noRow = table + COMPACTION_BYTES;
  store<u64>(noRow, 0);
  const status = walk(graph, literal, table, fromId, toId, limit);
  scratchRelease(mark);
  return status;
}

/**
 * `scanProperty` with a literal and a label as texts: BAD_VALUE when the literal is not a value of `type`. `labelBytes`: NONE for
 * any label; a label that no element ever had matches nothing.
 */
export function scanPropertyText(
  graph: usize,
  keyText: usize,
  keyBytes: u32,
  operator: u32,
  type: u32,
  literalText: usize,
  literalBytes: u32,
  labelText: usize,
  labelBytes: u32,
  kinds: u32,
  fromId: u32,
  toId: u32,
  limit: u32,
): i32 {
  outBegin();
  setScanResult(0, max<u32>(fromId, toId));
  typesMet = 0;
  const mark = scratchMark();
  const literal = scratchAllocate(LITERAL_BYTES + (type == TYPE_STRING ? <usize>literalBytes : 0));
  if (!literal) return outputFailure();
  let status = readLiteral(type, literalText, literalBytes, literal);
  const label = labelBytes == NONE ? NONE : internFind(labelText, labelBytes);
  if (status == OK && (labelBytes == NONE || label != NONE)) {
    status = scanProperty(graph, keyText, keyBytes, operator, type, literal, label, kinds, fromId, toId, limit);
  }
  scratchRelease(mark);
  return status;
}

/** Writes the slot of the literal to `literal`, with its record, if it has one, behind the slot. */
function readLiteral(type: u32, text: usize, bytes: u32, literal: usize): i32 {
  const record = literal + 8;
  if (type == TYPE_STRING) {
    store<u64>(literal, <u64>record);
    store<u32>(record, bytes);
    store<u32>(record, utf16Info(text, bytes), RECORD_INFO);
    memory.copy(record + RECORD_HEADER, text, bytes);
    return OK;
  }
  const isRecord = isWide(type);
  if (isRecord) store<u64>(literal, <u64>record);
  return parseValue(type, text, bytes, isRecord ? record : literal) ? OK : BAD_VALUE;
}

function walk(graph: usize, literal: usize, table: usize, fromId: u32, toId: u32, limit: u32): i32 {
  const state = graphState(graph);
  const end = min<u32>(toId, stateNextId(state));
  let id = fromId;
  const lane = laneOf(scanType);
  const mode = prepareLane(lane, literal);
  let found: u32 = 0;
  while (id < end) {
    const page = pageAddress(state, id);
    const base = id & ~PAGE_ID_MASK;
    let place = id & PAGE_ID_MASK;
    const placeEnd = min<u32>(end - base, PAGE_IDS);
    while (place < placeEnd) {
      const out = outReserve(4 * BLOCK_VALUES + 16);
      if (!out) {
        setScanResult(found, base + place);
        return outputFailure();
      }
      const wide = lane != LANE_32 && lane != LANE_F32;
      const count = wide ? gather<u64>(page, base, place, placeEnd) : gather<u32>(page, base, place, placeEnd);
      let kept = compareBlock(lane, mode, count, literal, table, out);
      if (kept >= limit - found) {
        kept = limit - found;
        outCommit(4 * kept);
        setScanResult(limit, load<u32>(out + 4 * <usize>kept - 4) + 1);
        return OK;
      }
      outCommit(4 * kept);
      found += kept;
      place = gatherNext;
    }
    id = base + placeEnd;
  }
  setScanResult(found, toId);
  return OK;
}

function laneOf(type: u32): u32 {
  if (type == TYPE_SINGLE) return LANE_F32;
  if (type == TYPE_DOUBLE) return LANE_F64;
  if (type == TYPE_INT64 || type == TYPE_UINT64 || type == TYPE_DATETIME || type == TYPE_TIMESPAN) return LANE_64;
  if ((type >= TYPE_BOOLEAN && type <= TYPE_UINT32) || type == TYPE_CHAR) return LANE_32;
  if (type == TYPE_DATETIMEOFFSET) return LANE_TICKS;
  return LANE_NONE;
}

/**
 * Sets how a slot becomes a lane (unsigned values have their sign bit flipped, a DateTime loses its kind) and which value
 * stands for "of another type" under NotEquals: any that is not equal to the literal. Answers the comparison mode.
 */
function prepareLane(lane: u32, literal: usize): u32 {
  valueMask = scanType == TYPE_DATETIME ? TICKS_MASK : -1;
  valueFlip = scanType == TYPE_UINT32 ? SIGN_32 : scanType == TYPE_UINT64 ? SIGN_64 : 0;
  let mode = modeOf(scanOperator);
  if (lane == LANE_F32) {
    const number = load<f32>(literal);
    if (isNaN<f32>(number)) mode = modeOfNaN(scanOperator);
    otherValue = isNaN<f32>(number) ? 0 : 0x7fc00000;
  } else if (lane == LANE_F64) {
    const number = load<f64>(literal);
    if (isNaN<f64>(number)) mode = modeOfNaN(scanOperator);
    otherValue = isNaN<f64>(number) ? 0 : 0x7ff8000000000000;
  } else if (lane == LANE_TICKS || lane == LANE_NONE) {
    otherValue = 0;
  } else {
    otherValue = ((load<u64>(literal) & valueMask) ^ valueFlip) ^ 1;
  }
  return mode;
}

/**
 * Fills the block with ids and values of candidates that carry the property, from place `place` on; answers how many and
 * leaves in `gatherNext` where it stopped. T is u32 for lanes of 32 bits, else u64.
 */
function gather<T>(page: usize, base: u32, place: u32, end: u32): u32 {
  const kinds = scanKinds;
  const label = scanLabel;
  const mask = <T>valueMask;
  const flip = <T>valueFlip;
  const other = <T>otherValue;
  const cache = shapeCache;
  const empty = noRow;
  const ids = blockIds;
  const values = blockValues;
  const rows = page + COLUMN_ROW;
  let count: usize = 0;
  let group = place & ~15;
  while (group < end && count <= BLOCK_VALUES - 16) {
    let bits = candidateBits(page, group, place, end, kinds, label);
    while (bits != 0) {
      const at = group + ctz(bits);
      bits &= bits - 1;
      let row = <usize>atomic.load<u32>(rows + 4 * <usize>at);
      row = select<usize>(row, empty, row != 0);
      const shape = load<u32>(row);
      const entry = cache + ((<usize>((shape * 0x9e3779b1) >> (32 - CACHE_BITS))) << 3);
      if (load<u32>(entry) != shape) placeShape(entry, shape);
      const code = load<u32>(entry, CACHE_CODE);
      const value = (load<T>(row + <usize>(code & ~CODE_OTHER_TYPE)) & mask) ^ flip;
      store<u32>(ids + 4 * count, base + at);
      store<T>(values + sizeof<T>() * count, select<T>(other, value, (code & CODE_OTHER_TYPE) != 0));
      count += <usize>(code != 0);
    }
    group += 16;
  }
  gatherNext = min<u32>(group, end);
  return <u32>count;
}

/** Fills a cache entry: where `shape` keeps the property, 0 when it does not (or its type does not matter to the operator). */
function placeShape(entry: usize, shape: u32): void {
  const slot = shapeSlot(shape, scanKey);
  let code: u32 = 0;
  if (slot >= 0) {
    code = 8 + 8 * slot;
    const type = shapeType(shape, slot);
    typesMet |= 1 << type;
    // A vector is skipped, even by NotEquals: it is not comparable.
    if (type != scanType) {
      code = scanOperator == OPERATOR_NOT_EQUALS && type != TYPE_SINGLE_ARRAY ? code | CODE_OTHER_TYPE : 0;
    }
  }
  store<u32>(entry, shape);
  store<u32>(entry, code, CACHE_CODE);
}

// @ts-ignore: decorator
@inline
function twice(lane: u32): u64 {
  return <u64>lane | (<u64>lane << 32);
}

function compareBlock(lane: u32, mode: u32, count: u32, literal: usize, table: usize, out: usize): u32 {
  const ids = blockIds;
  const values = blockValues;
  if (lane == LANE_32) {
    return filterBlock<i32>(values, ids, count, twice(load<u32>(literal) ^ <u32>valueFlip), mode, table, out);
  }
  if (lane == LANE_F32) return filterBlock<f32>(values, ids, count, twice(load<u32>(literal)), mode, table, out);
  if (lane == LANE_F64) return filterBlock<f64>(values, ids, count, load<u64>(literal), mode, table, out);
  if (lane == LANE_NONE) return compareOneByOne(count, literal, out);
  let number = (load<u64>(literal) & valueMask) ^ valueFlip;
  if (lane == LANE_TICKS) {
    number = load<u64>(<usize>load<u32>(literal));
    for (let i: u32 = 0; i < count; i++) {
      const slot = values + 8 * <usize>i;
      const record = <usize>load<u32>(slot);
      store<u64>(slot, record ? load<u64>(record) : number ^ 1);
    }
  }
  return filterBlock<i64>(values, ids, count, number, mode, table, out);
}

function compareOneByOne(count: u32, literal: usize, out: usize): u32 {
  const type = scanType;
  const operator = scanOperator;
  const ids = blockIds;
  const first = out;
  literal = <usize>load<u32>(literal);
  for (let i: u32 = 0; i < count; i++) {
    const slot = blockValues + 8 * <usize>i;
    store<u32>(out, load<u32>(ids + 4 * <usize>i));
    out += 4 * <usize>slotMatches(type, operator, slot, literal);
  }
  return <u32>((out - first) >> 2);
}

/** Whether the record in `slot` (0: a value of another type, under NotEquals) satisfies the operator against that of the literal. */
function slotMatches(type: u32, operator: u32, slot: usize, literal: usize): bool {
  const value = <usize>load<u32>(slot);
  if (operator == OPERATOR_NOT_EQUALS) return value == 0 || !equalValues(type, value, literal);
  if (operator == OPERATOR_EQUALS) return equalValues(type, value, literal);
  return operatorAccepts(operator, compareValues(type, value, literal));
}

/** Where values/compare wants a value: its record if it has one, else its slot. */
function valueAt(type: u32, slot: usize): usize {
  return hasRecord(type) ? <usize>load<u32>(slot) : slot;
}

/** The twin of `scanProperty` without cache, blocks or SIMD: same arguments, same answers, one element at a time. */
export function scanPropertyScalar(
  graph: usize,
  keyText: usize,
  keyBytes: u32,
  operator: u32,
  type: u32,
  literal: usize,
  label: u32,
  kinds: u32,
  fromId: u32,
  toId: u32,
  limit: u32,
): i32 {
  outBegin();
  setScanResult(0, max<u32>(fromId, toId));
  const key = internFind(keyText, keyBytes);
  if (key == NONE || operator > OPERATOR_LAST || limit == 0) return OK;
  const equality = operator == OPERATOR_EQUALS || operator == OPERATOR_NOT_EQUALS;
  const state = graphState(graph);
  const end = min<u32>(toId, stateNextId(state));
  let found: u32 = 0;
  for (let id = fromId; id < end; id++) {
    const kind = elementKind(state, id);
    const row = kind ? <usize>elementRow(state, id) : 0;
    if (!row || !(kinds & (kind == 1 ? RESULT_VERTICES : RESULT_EDGES))) continue;
    if (label != NONE && elementLabel(state, id) != label) continue;
    const shape = rowShape(row);
    const slot = shapeSlot(shape, key);
    if (slot < 0) continue;
    let keep: bool = operator == OPERATOR_NOT_EQUALS && shapeType(shape, slot) != TYPE_SINGLE_ARRAY;
    if (shapeType(shape, slot) == type) {
      const a = valueAt(type, rowSlot(row, slot));
      const b = valueAt(type, literal);
      if (equality) keep = equalValues(type, a, b) == (operator == OPERATOR_EQUALS);
      else keep = type != TYPE_SINGLE_ARRAY && operatorAccepts(operator, compareValues(type, a, b));
    }
    if (!keep) continue;
    const out = outReserve(4);
    if (!out) {
      setScanResult(found, id);
      return outputFailure();
    }
    store<u32>(out, id);
    outCommit(4);
    found++;
    if (found == limit) {
      setScanResult(found, id + 1);
      return OK;
    }
  }
  setScanResult(found, toId);
  return OK;
}
