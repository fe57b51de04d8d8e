// The weight of an edge: the number in one of its properties. Byte to UInt64, Single, Double and Decimal are numbers and become f64;
// an edge without the property weighs 1, and so does every edge when no property is named. Any other type, a negative or a not
// finite number is an error, answered as NaN with `weightError`. Asks each shape once while shapes repeat. Knows rows and shapes.
//
// A projection meets edges in the order of its arcs, which is none: row, shape and value of each edge lie anywhere in memory. So where
// there is room it first goes through all ids in a row and writes the weights to an array by id, and then takes one number an arc. Its
// entries are as narrow as the weights allow, because almost every look into it misses the caches that it does not fit into: it begins
// with bytes, and begins again with wider entries where a chunk has more than a few weights that do not fit. Those few are asked for
// themselves.

import { COLUMN_KIND, COLUMN_ROW, elementRow, KIND_EDGE, kindAddress } from '../graph/elements';
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
/** Entries of the array by id: u8, u16 and u32 for whole weights, f64 for any. Each is the logarithm of the bytes. */
export const BY_ID_BYTES: u32 = 0;
const BY_ID_HALVES: u32 = 1;
const BY_ID_WORDS: u32 = 2;
export const BY_ID_NUMBERS: u32 = 3;
/** An f64 in the array by id: an edge without the property. NaN: to be asked for itself, it is no edge or its weight is an error. */
const UNWEIGHTED: f64 = -1;
/** An edge that is none any more. */
export const WEIGHT_GONE: f64 = -2;
/** Ids of a chunk whose weights do not fit and are asked for themselves, a microsecond each; one more, and the array begins again. */
const MISFITS: u32 = 4;
/** The largest weight that stands beside its target, or in an array of u32. */
export const HEAVIEST: f64 = 2147483647;
/** Added to a number below 2^32 it leaves the nearest whole number in the low word, in fewer steps than a conversion takes. */
const WHOLE_SHIFT: f64 = 4503599627370496;

// Of the chunk under way in this instance.
let state: usize = 0;
let key: u32 = 0;
let byId: usize = 0;
let width: u32 = 0;
let beyond: u32 = 0;
let shape: usize = 0;
let slot: i32 = -1;
let type: u32 = 0;
let carried: u32 = 0;
let error: u32 = 0;

/**
 * Begins a chunk: shapes seen earlier may have gone since. `weightsById`: where `weighIds` wrote, 0 for nowhere; `entries`: its width;
 * `nextId`: stands for no edge, which weighs 1.
 */
export function weightBegin(graphState: usize, weightKey: u32, weightsById: usize, entries: u32, nextId: u32): void {
  state = graphState;
  key = weightKey;
  byId = weightsById;
  width = entries;
  beyond = nextId;
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

/** The same in an array of whole numbers: whatever is less is a weight, whatever is more has to be asked for. */
// @ts-ignore: decorator
@inline
function unweightedIn<T>(): u32 {
  return <u32>(<T>-2);
}

/**
 * Writes the weights of the edges among the ids [from, to), all of one page, to the array by id; answers the width that it should have.
 * The entry behind the last one is that of `beyond`.
 */
export function weighIds(from: u32, to: u32): u32 {
  if (from >= to) return width;
  if (width == BY_ID_BYTES) return weighWholes<u8>(from, to);
  if (width == BY_ID_WORDS) return weighWholes<u32>(from, to);
  if (width != BY_ID_NUMBERS) return weighWholes<u16>(from, to);
  const page = pageAddress(state, from);
  const place = <usize>(from & PAGE_ID_MASK);
  const kinds = page + COLUMN_KIND + place;
  const rows = page + COLUMN_ROW + (place << 2);
  const count = <usize>(to - from);
  const at = byId + ((<usize>from) << 3);
  for (let i: usize = 0; i < count; i++) {
    const row = <usize>atomic.load<u32>(rows + (i << 2));
    store<f64>(at + (i << 3), atomic.load<u8>(kinds + i) == <u8>KIND_EDGE ? rowWeight(row, UNWEIGHTED) : NaN);
  }
  if (to == beyond) store<f64>(byId + ((<usize>to) << 3), UNWEIGHTED);
  return BY_ID_NUMBERS;
}

function weighWholes<T>(from: u32, to: u32): u32 {
  const page = pageAddress(state, from);
  const place = <usize>(from & PAGE_ID_MASK);
  const kinds = page + COLUMN_KIND + place;
  const rows = page + COLUMN_ROW + (place << 2);
  const count = <usize>(to - from);
  const at = byId + ((<usize>from) << alignof<T>());
  const unweighted = unweightedIn<T>();
  const fits = sizeof<T>() == 4 ? <u32>HEAVIEST + 1 : unweighted;
  // Rows of one shape follow each other. Of most the weight is an integer, whatever its type: one that is negative is a large u64.
  let itsShape: usize = 0;
  let itsSlot: usize = 0;
  let misfits: u32 = 0;
  for (let i: usize = 0; i < count; i++) {
    let whole = unweighted + 1;
    if (atomic.load<u8>(kinds + i) == <u8>KIND_EDGE) {
      const row = <usize>atomic.load<u32>(rows + (i << 2));
      const value = row != 0 && rowShape(row) == itsShape ? load<u64>(row + itsSlot) : u64.MAX_VALUE;
      if (value < <u64>fits) {
        whole = <u32>value;
      } else {
        const weight = rowWeight(row, UNWEIGHTED);
        itsShape = isInteger(type) && slot != MISSING ? shape : 0;
        itsSlot = rowSlot(0, <u32>slot);
        if (weight == UNWEIGHTED) {
          whole = unweighted;
        } else if (weight >= 0) {
          const exact = wholeOf(weight);
          if (exact < fits) whole = exact;
          else if (exact == NONE || ++misfits > MISFITS) return widthFor(exact);
        }
      }
    }
    store<T>(at + (i << alignof<T>()), <T>whole);
  }
  if (to == beyond) store<T>(byId + ((<usize>to) << alignof<T>()), <T>unweighted);
  return width;
}

/** The width that holds a whole weight; NONE is none. */
function widthFor(whole: u32): u32 {
  if (whole == NONE) return BY_ID_NUMBERS;
  return whole < unweightedIn<u16>() ? BY_ID_HALVES : BY_ID_WORDS;
}

// @ts-ignore: decorator
@inline
function isInteger(itsType: u32): bool {
  return itsType >= TYPE_SBYTE && itsType <= TYPE_UINT64;
}

/** A weight as a whole number up to HEAVIEST, NONE if it is none. */
// @ts-ignore: decorator
@inline
export function wholeOf(weight: f64): u32 {
  const shifted = weight + WHOLE_SHIFT;
  if (shifted - WHOLE_SHIFT != weight || weight > HEAVIEST) return NONE;
  return <u32>reinterpret<u64>(shifted);
}

/** What `weighApart` and `weighBeside` stopped at: WEIGHT_GONE, NaN, or a weight that is not whole, which is not counted. */
export let weightStop: f64 = 0;

/** Turns the arcs of [at, end), which have their edges in the place of weights, into f64; answers where it stopped, else `end`. */
export function weighApart(at: usize, end: usize): usize {
  if (byId == 0) return weighApartAlone(at, end);
  if (width == BY_ID_BYTES) return weighApartIn<u8>(at, end);
  if (width == BY_ID_WORDS) return weighApartIn<u32>(at, end);
  return width == BY_ID_NUMBERS ? weighApartIn<f64>(at, end) : weighApartIn<u16>(at, end);
}

/** Asks the row of each. */
function weighApartAlone(at: usize, end: usize): usize {
  for (; at < end; at += 8) {
    const weight = edgeWeight(load<u32>(at, ARC_WEIGHT));
    if (!(weight >= 0)) {
      weightStop = weight;
      break;
    }
    store<f64>(at, weight);
  }
  return at;
}

function weighApartIn<T>(at: usize, end: usize): usize {
  const array = byId;
  let known: u32 = 0;
  while (at < end) {
    // Four looks before their four writes: 7 ns an arc, 12 one by one (by itself, 16 M arcs, an array of 17 MB).
    for (; at + 32 <= end; at += 32) {
      const first = load<T>(array + ((<usize>load<u32>(at, ARC_WEIGHT)) << alignof<T>()));
      const second = load<T>(array + ((<usize>load<u32>(at, 8 + ARC_WEIGHT)) << alignof<T>()));
      const third = load<T>(array + ((<usize>load<u32>(at, 16 + ARC_WEIGHT)) << alignof<T>()));
      const fourth = load<T>(array + ((<usize>load<u32>(at, 24 + ARC_WEIGHT)) << alignof<T>()));
      if (!(isKnown<T>(first) && isKnown<T>(second) && isKnown<T>(third) && isKnown<T>(fourth))) break;
      known += 4;
      store<f64>(at, <f64>first);
      store<f64>(at, <f64>second, 8);
      store<f64>(at, <f64>third, 16);
      store<f64>(at, <f64>fourth, 24);
    }
    const some = min<usize>(at + 32, end);
    at = weighApartAlone(at, some);
    if (at != some) break;
  }
  carried += known;
  return at;
}

/** Whether an entry of the array by id is a weight. */
// @ts-ignore: decorator
@inline
function isKnown<T>(entry: T): bool {
  return isFloat<T>() ? entry >= <T>0 : <u32>entry < unweightedIn<T>();
}

/** The heaviest that `weighBeside` wrote since it was set. */
export let heaviestBeside: u32 = 0;

export function heaviestBegin(): void {
  heaviestBeside = 0;
}

/** As `weighApart`, each as a u32 in the place of its edge; stops at one that is not whole as well. */
export function weighBeside(at: usize, end: usize): usize {
  if (byId == 0 || width == BY_ID_NUMBERS) return weighBesideAlone(at, end);
  if (width == BY_ID_BYTES) return weighBesideIn<u8>(at, end);
  return width == BY_ID_WORDS ? weighBesideIn<u32>(at, end) : weighBesideIn<u16>(at, end);
}

function weighBesideAlone(at: usize, end: usize): usize {
  let heavy = heaviestBeside;
  for (; at < end; at += 8) {
    const whole = wholeWeight(load<u32>(at, ARC_WEIGHT));
    if (whole == NONE) break;
    heavy = max<u32>(heavy, whole);
    store<u32>(at, whole, ARC_WEIGHT);
  }
  heaviestBeside = heavy;
  return at;
}

function weighBesideIn<T>(at: usize, end: usize): usize {
  const array = byId;
  let heavy: u32 = 0;
  let known: u32 = 0;
  while (at < end) {
    for (; at + 32 <= end; at += 32) {
      const first = <u32>load<T>(array + ((<usize>load<u32>(at, ARC_WEIGHT)) << alignof<T>()));
      const second = <u32>load<T>(array + ((<usize>load<u32>(at, 8 + ARC_WEIGHT)) << alignof<T>()));
      const third = <u32>load<T>(array + ((<usize>load<u32>(at, 16 + ARC_WEIGHT)) << alignof<T>()));
      const fourth = <u32>load<T>(array + ((<usize>load<u32>(at, 24 + ARC_WEIGHT)) << alignof<T>()));
      const most = max<u32>(max<u32>(first, second), max<u32>(third, fourth));
      if (most >= unweightedIn<T>()) break;
      heavy = max<u32>(heavy, most);
      known += 4;
      store<u32>(at, first, ARC_WEIGHT);
      store<u32>(at, second, 8 + ARC_WEIGHT);
      store<u32>(at, third, 16 + ARC_WEIGHT);
      store<u32>(at, fourth, 24 + ARC_WEIGHT);
    }
    const some = min<usize>(at + 32, end);
    at = weighBesideAlone(at, some);
    if (at != some) break;
  }
  heaviestBeside = max<u32>(heaviestBeside, heavy);
  carried += known;
  return at;
}

/** Of any edge; NONE where it is not whole, gone, or an error. */
function wholeWeight(edge: u32): u32 {
  const weight = edgeWeight(edge);
  const whole = weight >= 0 ? wholeOf(weight) : NONE;
  if (whole == NONE) {
    weightStop = weight;
    if (weight >= 0) carried--;
  }
  return whole;
}

/** Weight of an edge below the next id, at least 0 and finite; else WEIGHT_GONE, or NaN. */
function edgeWeight(edge: u32): f64 {
  if (byId != 0) {
    let weight: f64;
    if (width == BY_ID_BYTES) weight = entryOf<u8>(edge);
    else if (width == BY_ID_WORDS) weight = entryOf<u32>(edge);
    else if (width == BY_ID_NUMBERS) weight = load<f64>(byId + ((<usize>edge) << 3));
    else weight = entryOf<u16>(edge);
    if (weight == UNWEIGHTED) return 1;
    if (weight >= 0) {
      carried++;
      return weight;
    }
  }
  if (edge == beyond) return 1;
  // The row of an edge that has gone may be anything by now; that of one that is there now stays until this chunk ends.
  if (atomic.load<u8>(kindAddress(pageAddress(state, edge), edge)) != <u8>KIND_EDGE) return WEIGHT_GONE;
  return rowWeight(elementRow(state, edge), 1);
}

/** What an array of whole numbers holds, as one of f64 has it. */
// @ts-ignore: decorator
@inline
function entryOf<T>(edge: u32): f64 {
  const whole = <u32>load<T>(byId + ((<usize>edge) << alignof<T>()));
  if (whole < unweightedIn<T>()) return <f64>whole;
  return whole == unweightedIn<T>() ? UNWEIGHTED : NaN;
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
