// The list of changes of a transaction, for the change feed: 32-byte records in OUTPUT, in the contract's order.
//
//   u8 kind, u8 element (1 vertex, 2 edge), u16 0, u32 id, u32 label (intern id or NONE),
//   u32 edge type of an edge's creation or removal, key of a property change (intern id), else NONE,
//   u32 source, u32 target (edges created or removed, else NONE), u64 0
//
// A transaction appends to what OUTPUT holds and takes its records back when it fails. Erase and trim write none.

import { COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_LABEL, columnWord, KIND_EDGE, kindAddress } from '../graph/elements';
import { INTERN_INFO, INTERN_RESERVED, internAddress } from '../graph/intern';
import { pageAddress } from '../graph/state';
import { outCommit, outReserve } from '../memory/arena';
import { NONE } from '../memory/layout';

export const CHANGE_VERTEX_CREATED: u32 = 1;
export const CHANGE_VERTEX_REMOVED: u32 = 2;
export const CHANGE_EDGE_CREATED: u32 = 3;
export const CHANGE_EDGE_REMOVED: u32 = 4;
export const CHANGE_PROPERTY_SET: u32 = 5;
export const CHANGE_PROPERTY_REMOVED: u32 = 6;
const CHANGE_ID: usize = 4;
const CHANGE_LABEL: usize = CHANGE_ID + 4;
const CHANGE_NAME: usize = CHANGE_LABEL + 4;
const CHANGE_SOURCE: usize = CHANGE_NAME + 4;
const CHANGE_TARGET: usize = CHANGE_SOURCE + 4;
const CHANGE_SPARE: usize = CHANGE_TARGET + 4;
export const CHANGE_BYTES: usize = CHANGE_SPARE + 8;

let wanted: bool = false;

export function changesBegin(want: bool): void {
  wanted = want;
}

/** Notes that the element, whose columns are filled, was created or is removed. False: no memory. */
export function changeElement(state: usize, kind: u32, id: u32): bool {
  if (!wanted) return true;
  const words = columnWord(pageAddress(state, id), id);
  const label = load<u32>(words, COLUMN_LABEL);
  if (kind == CHANGE_VERTEX_CREATED || kind == CHANGE_VERTEX_REMOVED) return append(kind, 1, id, label, NONE, NONE, NONE);
  const source = load<u32>(words, COLUMN_A);
  const target = load<u32>(words, COLUMN_B);
  return append(kind, 2, id, label, load<u32>(words, COLUMN_C), source, target);
}

/**
 * Notes that a property of a live element was set or removed; of a key of the embeddings the contract knows only that it was set. False: no
 * memory.
 */
export function changeProperty(state: usize, kind: u32, id: u32, key: u32): bool {
  if (!wanted) return true;
  if (kind == CHANGE_PROPERTY_REMOVED && (load<u32>(internAddress(key), INTERN_INFO) & INTERN_RESERVED) != 0) kind = CHANGE_PROPERTY_SET;
  const page = pageAddress(state, id);
  const element: u32 = load<u8>(kindAddress(page, id)) == <u8>KIND_EDGE ? 2 : 1;
  return append(kind, element, id, load<u32>(columnWord(page, id), COLUMN_LABEL), key, NONE, NONE);
}

function append(kind: u32, element: u32, id: u32, label: u32, word: u32, source: u32, target: u32): bool {
  const at = outReserve(CHANGE_BYTES);
  if (at == 0) return false;
  store<u32>(at, kind | (element << 8));
  store<u32>(at, id, CHANGE_ID);
  store<u32>(at, label, CHANGE_LABEL);
  store<u32>(at, word, CHANGE_NAME);
  store<u32>(at, source, CHANGE_SOURCE);
  store<u32>(at, target, CHANGE_TARGET);
  store<u64>(at, 0, CHANGE_SPARE);
  outCommit(CHANGE_BYTES);
  return true;
}
