// Elements: where the words of a vertex or an edge lie, and how to read and write them.
//
// A page holds 65,536 ids as columns, one after the other:
//
//   kind u8 | label u32 | creation u32 | modification u32 | row u32 | a u32 | b u32 | c u32
//
//   kind            KIND_NONE (never assigned or removed), KIND_VERTEX, KIND_EDGE
//   label           intern id, or NONE
//   creation, modification   unix seconds; equal until the first change
//   row             address of the property row, 0 without properties (rows.ts); immutable once published
//   a, b, c         vertex: out adjacency word, in adjacency word (adjacency.ts), 0
//                   edge: source id, target id, intern id of the edge type
//
// Pages are not cleared: only ids below the next id have contents, and of a removed element only its kind counts. Accessors other
// than `elementKind` want an id below the next id. Scans take `pageAddress` once and walk the columns.

import { PAGE_ID_MASK, pageAddress, stateNextId } from './state';

export const KIND_NONE: u32 = 0;
export const KIND_VERTEX: u32 = 1;
export const KIND_EDGE: u32 = 2;

export const COLUMN_KIND: usize = 0;
export const COLUMN_LABEL: usize = COLUMN_KIND + 65536;
export const COLUMN_CREATION: usize = COLUMN_LABEL + 4 * 65536;
export const COLUMN_MODIFICATION: usize = COLUMN_CREATION + 4 * 65536;
export const COLUMN_ROW: usize = COLUMN_MODIFICATION + 4 * 65536;
export const COLUMN_A: usize = COLUMN_ROW + 4 * 65536;
export const COLUMN_B: usize = COLUMN_A + 4 * 65536;
export const COLUMN_C: usize = COLUMN_B + 4 * 65536;

// --- By id: one page lookup each -------------------------------------------------------------------------------------------

/** KIND_VERTEX, KIND_EDGE, or KIND_NONE for whatever else the id may be. */
// @ts-ignore: decorator
@inline
export function elementKind(state: usize, id: u32): u32 {
  return id < stateNextId(state) ? <u32>load<u8>(pageAddress(state, id) + <usize>(id & PAGE_ID_MASK)) : KIND_NONE;
}

// @ts-ignore: decorator
@inline
export function elementLabel(state: usize, id: u32): u32 {
  return load<u32>(columnWord(pageAddress(state, id), id), COLUMN_LABEL);
}

// @ts-ignore: decorator
@inline
export function elementCreation(state: usize, id: u32): u32 {
  return load<u32>(columnWord(pageAddress(state, id), id), COLUMN_CREATION);
}

// @ts-ignore: decorator
@inline
export function elementModification(state: usize, id: u32): u32 {
  return load<u32>(columnWord(pageAddress(state, id), id), COLUMN_MODIFICATION);
}

/** Property row, 0 = no properties. Load it once and use that address: the next load may answer a newer row. */
// @ts-ignore: decorator
@inline
export function elementRow(state: usize, id: u32): usize {
  return <usize>atomic.load<u32>(columnWord(pageAddress(state, id), id), COLUMN_ROW);
}

/** Vertex: out adjacency word. Edge: source. */
// @ts-ignore: decorator
@inline
export function elementA(state: usize, id: u32): u32 {
  return atomic.load<u32>(columnWord(pageAddress(state, id), id), COLUMN_A);
}

/** Vertex: in adjacency word. Edge: target. */
// @ts-ignore: decorator
@inline
export function elementB(state: usize, id: u32): u32 {
  return atomic.load<u32>(columnWord(pageAddress(state, id), id), COLUMN_B);
}

/** Edge: intern id of its type. */
// @ts-ignore: decorator
@inline
export function elementC(state: usize, id: u32): u32 {
  return load<u32>(columnWord(pageAddress(state, id), id), COLUMN_C);
}

// --- By page: for loops over ids ---------------------------------------------------------------------------------------------

/** Base for the word columns: `load<u32>(columnWord(page, id), COLUMN_…)`. */
// @ts-ignore: decorator
@inline
export function columnWord(page: usize, id: u32): usize {
  return page + ((<usize>(id & PAGE_ID_MASK)) << 2);
}

/** Address of the kind byte. */
// @ts-ignore: decorator
@inline
export function kindAddress(page: usize, id: u32): usize {
  return page + <usize>(id & PAGE_ID_MASK);
}
