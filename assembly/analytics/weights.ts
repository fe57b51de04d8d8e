// The weight of an edge: the number in one of its properties. Byte to UInt64, Single, Double and Decimal are numbers and become f64;
// an edge without the property weighs 1, and so does every edge when no property is named. Any other type, a negative or a not
// finite number is an error, answered as NaN with `weightError`. Asks each shape once while shapes repeat. Knows rows and shapes.
//
// A projection meets edges in the order of its arcs, which is none: row, shape and value of each edge lie anywhere in memory. So where
// there is room it first goes through all ids in a row and writes the weights to an array by id, and then takes one number an arc.

import { COLUMN_KIND, COLUMN_ROW, elementRow, KIND_EDGE } from '../graph/elements';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeSlot, shapeType } from '../graph/shapes';
import { PAGE_ID_MASK, pageAddress } from '../graph/state';
import { NONE } from '../memory/layout';
import { DECIMAL_FLAGS, DECIMAL_HIGH } from '../values/decimal';
import {
  TYPE_BYTE, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_INT16, TYPE_INT32, TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from '../values/types';
import { ERROR_WEIGHT_TYPE, ERROR_WEIGHT_VALUE } from './job';
import { ARC_WEIGHT } from './projection';

const MISSING: i32 = -1;
/** In the array by id: an edge without the property. NaN: to be asked for itself, it is no edge or its weight is an error. */
const UNWEIGHTED: f64 = -1;
/** The same where the array holds u32; whatever is less is a weight. */
const UNWEIGHTED_WHOLE: u32 = 0xfffffffe;
const ASK_WHOLE: u32 = 0xffffffff;
/** The largest weight that stands beside its target, or in an array of u32. */
export const HEAVIEST: f64 = 2147483647;
/** Added to a number below 2^32 it leaves the nearest whole number in the low word, in fewer steps than a conversion takes. */
const WHOLE_SHIFT: f64 = 4503599627370496;

// Of the chunk under way in this instance.
let state: usize = 0;
let key: u32 = 0;
let byId: usize = 0;
let isWide: bool = false;
let shape: usize = 0;
let slot: i32 = -1;
let type: u32 = 0;
let carried: u32 = 0;
let error: u32 = 0;

/** Begins a chunk: shapes seen earlier may have gone since. `weightsById`: where `weighIds` wrote, 0 for nowhere; `wide`: f64. */
export function weightBegin(graphState: usize, weightKey: u32, weightsById: usize, wide: bool): void {
  state = graphState;
  key = weightKey;
  byId = weightsById;
  isWide = wide;
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

/** Writes the weights of the edges among the ids [from, to), all of one page, to the array by id; false at one that a u32 does not hold. */
export function weighIds(from: u32, to: u32): bool {
  if (from >= to) return true;
  const page = pageAddress(state, from);
  const place = <usize>(from & PAGE_ID_MASK);
  const kinds = page + COLUMN_KIND + place;
  const rows = page + COLUMN_ROW + (place << 2);
  const count = <usize>(to - from);
  if (isWide) {
    const at = byId + ((<usize>from) << 3);
    for (let i: usize = 0; i < count; i++) {
      const row = <usize>atomic.load<u32>(rows + (i << 2));
      store<f64>(at + (i << 3), atomic.load<u8>(kinds + i) == <u8>KIND_EDGE ? rowWeight(row, UNWEIGHTED) : NaN);
    }
    return true;
  }
  const at = byId + ((<usize>from) << 2);
  for (let i: usize = 0; i < count; i++) {
    let whole = ASK_WHOLE;
    if (atomic.load<u8>(kinds + i) == <u8>KIND_EDGE) {
      const weight = rowWeight(<usize>atomic.load<u32>(rows + (i << 2)), UNWEIGHTED);
      if (weight >= 0) {
        whole = wholeOf(weight);
        if (whole == NONE) return false;
      } else if (weight == UNWEIGHTED) {
        whole = UNWEIGHTED_WHOLE;
      }
    }
    store<u32>(at + (i << 2), whole);
  }
  return true;
}

/** A weight as a whole number up to HEAVIEST, NONE if it is none. */
// @ts-ignore: decorator
@inline
export function wholeOf(weight: f64): u32 {
  const shifted = weight + WHOLE_SHIFT;
  if (shifted - WHOLE_SHIFT != weight || weight > HEAVIEST) return NONE;
  return <u32>reinterpret<u64>(shifted);
}

/** Turns the arcs of [at, end), which have their edges in the place of weights, into f64; answers where it met an error, else `end`. */
export function weighApart(at: usize, end: usize): usize {
  const array = byId;
  let known: u32 = 0;
  if (array != 0 && !isWide) {
    for (; at < end; at += 8) {
      const edge = load<u32>(at, ARC_WEIGHT);
      const whole = load<u32>(array + ((<usize>edge) << 2));
      if (whole < UNWEIGHTED_WHOLE) {
        known++;
        store<f64>(at, <f64>whole);
        continue;
      }
      const weight = whole == UNWEIGHTED_WHOLE ? 1 : edgeWeight(edge);
      if (!(weight >= 0)) break;
      store<f64>(at, weight);
    }
  } else {
    for (; at < end; at += 8) {
      const weight = edgeWeight(load<u32>(at, ARC_WEIGHT));
      if (!(weight >= 0)) break;
      store<f64>(at, weight);
    }
  }
  carried += known;
  return at;
}

/** The heaviest that `weighBeside` wrote since it was set. */
export let heaviestBeside: u32 = 0;

export function heaviestBegin(): void {
  heaviestBeside = 0;
}

/** As `weighApart`, each as a u32 in the place of its edge; stops at one that is not whole as well. */
export function weighBeside(at: usize, end: usize): usize {
  const array = byId;
  let heavy = heaviestBeside;
  let known: u32 = 0;
  const isNarrow = array != 0 && !isWide;
  for (; at < end; at += 8) {
    const edge = load<u32>(at, ARC_WEIGHT);
    let whole = isNarrow ? load<u32>(array + ((<usize>edge) << 2)) : ASK_WHOLE;
    if (whole < UNWEIGHTED_WHOLE) {
      known++;
    } else if (whole == UNWEIGHTED_WHOLE) {
      whole = 1;
    } else {
      const weight = edgeWeight(edge);
      whole = weight >= 0 ? wholeOf(weight) : NONE;
      if (whole == NONE) break;
    }
    heavy = max<u32>(heavy, whole);
    store<u32>(at, whole, ARC_WEIGHT);
  }
  heaviestBeside = heavy;
  carried += known;
  return at;
}

/** Weight of an edge below the next id, at least 0 and finite, or NaN. */
// @ts-ignore: decorator
@inline
export function edgeWeight(edge: u32): f64 {
  if (byId != 0) {
    if (isWide) {
      const weight = load<f64>(byId + ((<usize>edge) << 3));
      if (weight >= 0) {
        carried++;
        return weight;
      }
      if (weight == UNWEIGHTED) return 1;
    } else {
      const whole = load<u32>(byId + ((<usize>edge) << 2));
      if (whole < UNWEIGHTED_WHOLE) {
        carried++;
        return <f64>whole;
      }
      if (whole == UNWEIGHTED_WHOLE) return 1;
    }
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
  const flags = load<u32>(record, DECIMAL_FLAGS);
  let value = <f64>load<u32>(record, DECIMAL_HIGH) * 18446744073709551616.0 + <f64>load<u64>(record);
  let scale = (flags >> 16) & 0xff;
  let power: f64 = 1;
  for (; scale > 0; scale--) power *= 10;
  value /= power;
  return flags >> 31 ? -value : value;
}
