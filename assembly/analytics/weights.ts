// The weight of an edge: the number in one of its properties. Byte to UInt64, Single, Double and Decimal are numbers and become f64;
// an edge without the property weighs 1, and so does every edge when no property is named. Any other type, a negative or a not
// finite number is an error, answered as NaN with `weightError`. Asks each shape once while shapes repeat. Knows rows and shapes.
//
// A projection meets edges in the order of its arcs, which is none: row, shape and value of each edge lie anywhere in memory. So where
// there is room it first goes through all ids in a row and writes the weights to an array by id, and then takes one number an arc.

import { COLUMN_KIND, COLUMN_ROW, elementRow } from '../graph/elements';
import { KIND_EDGE } from '../graph/format';
import { PAGE_ID_MASK, pageAddress } from '../graph/state';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeSlot, shapeType } from '../graph/shapes';
import {
  TYPE_BYTE, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_INT16, TYPE_INT32, TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_UINT16, TYPE_UINT32,
  TYPE_UINT64,
} from '../values/types';
import { ERROR_WEIGHT_TYPE, ERROR_WEIGHT_VALUE } from './job';

const MISSING: i32 = -1;
/** In the array by id: an edge without the property. NaN: to be asked for itself, it is no edge or its weight is an error. */
const UNWEIGHTED: f64 = -1;

// Of the chunk under way in this instance.
let state: usize = 0;
let key: u32 = 0;
let byId: usize = 0;
let shape: usize = 0;
let slot: i32 = -1;
let type: u32 = 0;
let carried: u32 = 0;
let error: u32 = 0;

/** Begins a chunk: shapes seen earlier may have gone since. `weightsById`: where `weighIds` wrote, 0 for nowhere. */
export function weightBegin(graphState: usize, weightKey: u32, weightsById: usize): void {
  state = graphState;
  key = weightKey;
  byId = weightsById;
  shape = 0;
  carried = 0;
}

/** Edges asked for that carried the property, since the last call. */
export function weightCarried(): u32 {
  const count = carried;
  carried = 0;
  return count;
}

export function weightError(): u32 {
  return error;
}

/** Writes the weights of the edges among the ids [from, to), all of one page, to the array by id. */
export function weighIds(from: u32, to: u32): void {
  if (from >= to) return;
  const page = pageAddress(state, from);
  const place = <usize>(from & PAGE_ID_MASK);
  let kind = page + COLUMN_KIND + place;
  let row = page + COLUMN_ROW + (place << 2);
  let at = byId + ((<usize>from) << 3);
  const end = byId + ((<usize>to) << 3);
  for (; at < end; at += 8) {
    store<f64>(at, atomic.load<u8>(kind) == <u8>KIND_EDGE ? rowWeight(<usize>atomic.load<u32>(row), UNWEIGHTED) : NaN);
    kind++;
    row += 4;
  }
}

/** Weight of an edge below the next id, at least 0 and finite, or NaN. */
// @ts-ignore: decorator
@inline
export function edgeWeight(edge: u32): f64 {
  if (byId != 0) {
    const weight = load<f64>(byId + ((<usize>edge) << 3));
    if (weight >= 0) {
      carried++;
      return weight;
    }
    if (weight == UNWEIGHTED) return 1;
  }
  return rowWeight(elementRow(state, edge), 1);
}

/** `missing`: what an edge without the property weighs. */
function rowWeight(row: usize, missing: f64): f64 {
  if (row == 0) return missing;
  const itsShape = rowShape(row);
  if (itsShape != shape) {
    shape = itsShape;
    slot = shapeSlot(itsShape, key);
    if (slot != MISSING) type = shapeType(itsShape, <u32>slot);
  }
  if (slot == MISSING) return missing;
  carried++;
  const value = numberAt(rowSlot(row, <u32>slot));
  // Infinity and NaN fail both comparisons below, as does what is negative; NaN in `error`'s place was set by numberAt.
  if (value >= 0 && value <= f64.MAX_VALUE) return value;
  return NaN;
}

function numberAt(at: usize): f64 {
  error = ERROR_WEIGHT_VALUE;
  if (type == TYPE_DOUBLE) return load<f64>(at);
  if (type == TYPE_SINGLE) return <f64>load<f32>(at);
  if (type == TYPE_INT32 || type == TYPE_INT64 || type == TYPE_INT16 || type == TYPE_SBYTE) return <f64>load<i64>(at);
  if (type == TYPE_UINT32 || type == TYPE_UINT64 || type == TYPE_UINT16 || type == TYPE_BYTE) return <f64>load<u64>(at);
  if (type == TYPE_DECIMAL) return decimalAt(<usize>load<u32>(at));
  error = ERROR_WEIGHT_TYPE;
  return NaN;
}

/** A Decimal as the quotient of two f64; within two units in the last place. */
function decimalAt(record: usize): f64 {
  const flags = load<u32>(record, 12);
  let value = <f64>load<u32>(record, 8) * 18446744073709551616.0 + <f64>load<u64>(record);
  let scale = (flags >> 16) & 0xff;
  let power: f64 = 1;
  for (; scale > 0; scale--) power *= 10;
  value /= power;
  return flags >> 31 ? -value : value;
}
