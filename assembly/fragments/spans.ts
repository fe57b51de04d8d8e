// Span<T> and ReadOnlySpan<T> of compiled fragments: a *view*, 64 bits, with the address of the first item in the low half and how many
// there are in the high one; all zeros is the empty one. The items lie as those of an array do (objects.ts): in an array of the
// fragment, or a vector in the graph, which is read where it is.
//
// A ReadOnlySpan<EdgeModel> that the graph gave out has the address of a group (elements.ts) below and all ones above: its edges are ids
// in pairs, some of them dead. `viewItems` makes it a view like any other.
//
// Routines that have no room leave the exception behind (faults.ts). What a search goes over is for the caller to pay.

import { scratchHolds } from '../memory/arena';
import { NONE } from '../memory/layout';
import { builderFinish, builderNew, builderUnit } from './builder';
import { fragmentListAt, fragmentListCount, fragmentListGet, fragmentListPlaces } from './elements';
import { FAULT_MEMORY, leaveFault } from './faults';
import { codeBytes, isReferenceCode, itemTakes, OBJECT_HEADER, objectAddress, objectArray, valueEquals } from './objects';
import { runAllocate } from './run-heap';
import { dataOf, isAscii, textLength, textUnit, unitIsSpace, widen } from './texts';

// @ts-ignore: decorator
@inline
function firstOf(view: i64): usize {
  return <usize><u32>view;
}

// @ts-ignore: decorator
@inline
function countOf(view: i64): u32 {
  return <u32>(view >>> 32);
}

// @ts-ignore: decorator
@inline
function viewOf(address: usize, count: u32): i64 {
  return <i64>address | (<i64>count << 32);
}

// --- Edges ---------------------------------------------------------------------------------------------------------------

/** Edges of a span of edges. */
export function viewCount(view: i64): u32 {
  return view < 0 ? fragmentListCount(firstOf(view)) : countOf(view);
}

/** Edge `index`, which is below the count. */
export function viewEdge(view: i64, index: u32): u32 {
  return view < 0 ? fragmentListGet(firstOf(view), index) : load<u32>(firstOf(view) + 4 * <usize>index);
}

/** Places to look at with `viewEdgeAt`. */
export function viewPlaces(view: i64): u32 {
  return view < 0 ? fragmentListPlaces(firstOf(view)) : countOf(view);
}

/** The edge at a place; NONE where a group's place is empty, and for a null in an array. */
export function viewEdgeAt(view: i64, place: u32): u32 {
  return view < 0 ? fragmentListAt(firstOf(view), place) : load<u32>(firstOf(view) + 4 * <usize>place);
}

/** A view of edges with its items in a row. */
export function viewItems(view: i64): i64 {
  if (view >= 0) return view;
  const group = firstOf(view);
  const places = fragmentListPlaces(group);
  const items = runAllocate(4 * <usize>places);
  if (items == 0) {
    leaveFault(FAULT_MEMORY);
    return 0;
  }
  let count: u32 = 0;
  for (let place: u32 = 0; place < places; place++) {
    const edge = fragmentListAt(group, place);
    if (edge == NONE) continue;
    store<u32>(items + 4 * <usize>count, edge);
    count++;
  }
  return viewOf(items, count);
}

// --- Items of any type -----------------------------------------------------------------------------------------------------

/** How many items of `part` are those of `view` from `at` on, up to the first that is not. */
export function viewMatch(view: i64, at: u32, part: i64, code: u32): u32 {
  const size = <usize>codeBytes(code);
  let p = firstOf(view) + size * <usize>at;
  let q = firstOf(part);
  const count = min(countOf(part), countOf(view) - at);
  let matched: u32 = 0;
  while (matched < count && valueEquals(code, p, q)) {
    p += size;
    q += size;
    matched++;
  }
  return matched;
}

/** The first or the last place of the item at an address; -1 = nowhere. */
export function viewFind(view: i64, item: usize, code: u32, last: bool): i32 {
  const size = <usize>codeBytes(code);
  const count = <i32>countOf(view);
  if (last) {
    for (let i = count - 1; i >= 0; i--) {
      if (valueEquals(code, firstOf(view) + size * <usize>i, item)) return i;
    }
    return -1;
  }
  for (let i = 0; i < count; i++) {
    if (valueEquals(code, firstOf(view) + size * <usize>i, item)) return i;
  }
  return -1;
}

/** The items as an array whose first word is `head`; 0 = no room. */
export function viewArray(view: i64, head: u32): u32 {
  const count = countOf(view);
  const array = objectArray(head, count);
  const bytes = <usize>count * <usize>codeBytes((head >> 24) & 0x7f);
  if (array) memory.copy(objectAddress(array) + OBJECT_HEADER, firstOf(view), bytes);
  return array;
}

/** Puts the item at an address into every place; false when it may not be kept there. */
export function itemsFill(view: i64, item: usize, code: u32): bool {
  const size = <usize>codeBytes(code);
  const count = countOf(view);
  let at = firstOf(view);
  if (count == 0) return true;
  if (!scratchHolds(at, size * <usize>count)) unreachable();
  if (isReferenceCode(code) && !itemTakes(at, load<u32>(item))) return false;
  for (const end = at + size * <usize>count; at < end; at += size) memory.copy(at, item, size);
  return true;
}

/** Copies all items to the beginning of another view, which has room for them, also onto itself; false when one may not be kept there. */
export function itemsCopy(view: i64, to: i64, code: u32): bool {
  const count = countOf(view);
  const bytes = <usize>count * <usize>codeBytes(code);
  if (count == 0) return true;
  if (!scratchHolds(firstOf(to), bytes)) unreachable();
  if (isReferenceCode(code)) {
    for (let i: usize = 0; i < bytes; i += 4) {
      if (!itemTakes(firstOf(to), load<u32>(firstOf(view) + i))) return false;
    }
  }
  memory.copy(firstOf(to), firstOf(view), bytes);
  return true;
}

/** The items in the opposite order, in place. */
export function itemsTurn(view: i64, code: u32): void {
  const size = <usize>codeBytes(code);
  const count = countOf(view);
  if (count == 0) return;
  let low = firstOf(view);
  let high = low + size * <usize>(count - 1);
  if (!scratchHolds(low, size * <usize>count)) unreachable();
  while (low < high) {
    for (let i: usize = 0; i < size; i += 4) {
      const kept = load<u32>(low + i);
      store<u32>(low + i, load<u32>(high + i));
      store<u32>(high + i, kept);
    }
    low += size;
    high -= size;
  }
}

// --- Characters ------------------------------------------------------------------------------------------------------------

/** The units of a text, null being empty. */
export function viewOfText(text: u32): i64 {
  const count = text ? textLength(text) : 0;
  if (count == 0) return text ? viewOf(dataOf(text), 0) : 0;
  const items = runAllocate(4 * <usize>count);
  const narrow = isAscii(text);
  const units = items == 0 || narrow ? items : widen(text);
  if (units == 0) {
    leaveFault(FAULT_MEMORY);
    return 0;
  }
  for (let i: usize = 0; i < <usize>count; i++) {
    store<u32>(items + 4 * i, narrow ? load<u8>(dataOf(text) + i) : load<u16>(units + 2 * i));
  }
  return viewOf(items, count);
}

/** A text of units. */
export function viewText(view: i64): u32 {
  const builder = builderNew();
  const items = firstOf(view);
  const count = <usize>countOf(view);
  for (let i: usize = 0; i < count; i++) builderUnit(builder, load<u32>(items + 4 * i));
  return builderFinish(builder);
}

/** Units without white space at the start (bit 0 of `ends`) and the end (bit 1). */
export function viewTrim(view: i64, ends: u32): i64 {
  let items = firstOf(view);
  let count = countOf(view);
  while (ends & 1 && count > 0 && unitIsSpace(load<u32>(items))) {
    items += 4;
    count--;
  }
  while (ends & 2 && count > 0 && unitIsSpace(load<u32>(items + 4 * <usize>(count - 1)))) count--;
  return viewOf(items, count);
}

/** Whether a text names an embedding: 1 to 64 letters, digits, `_` or `-`. */
export function textIsEmbeddingName(text: u32): bool {
  const count = text ? textLength(text) : 0;
  if (count == 0 || count > 64 || !isAscii(text)) return false;
  for (let i: u32 = 0; i < count; i++) {
    const unit = textUnit(text, i);
    const letter = unit | 32;
    const good = (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit == 0x5f || unit == 0x2d;
    if (!good) return false;
  }
  return true;
}

// --- Vectors ---------------------------------------------------------------------------------------------------------------

const METRIC_COSINE: u32 = 0;
const METRIC_PRODUCT: u32 = 1;

/**
 * VectorMath.Score: sums in double precision, in order. What the right one lacks is no number. A fragment can make any number a metric;
 * those that name none mean L2, here and in the interpreter.
 */
export function viewScore(left: i64, right: i64, metric: u32): f32 {
  const count = <usize>countOf(left);
  const there = <usize>countOf(right);
  let product: f64 = 0;
  let leftSquare: f64 = 0;
  let rightSquare: f64 = 0;
  let distance: f64 = 0;
  for (let i: usize = 0; i < count; i++) {
    const a = <f64>load<f32>(firstOf(left) + 4 * i);
    const b: f64 = i < there ? <f64>load<f32>(firstOf(right) + 4 * i) : NaN;
    product += a * b;
    leftSquare += a * a;
    rightSquare += b * b;
    distance += (a - b) * (a - b);
  }
  if (metric == METRIC_COSINE) return <f32>(product / (Math.sqrt(leftSquare) * Math.sqrt(rightSquare)));
  return <f32>(metric == METRIC_PRODUCT ? product : Math.sqrt(distance));
}
