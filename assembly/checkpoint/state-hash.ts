// The state hash: 128 bits that say what a graph is, whatever became of its pages on the way there. Two graphs with the same elements,
// properties, adjacency and indexes have the same hash on every host; any difference makes another one, but for chance (2^-128) or
// intent: it finds errors, and guards against nobody.
//
// It is the sum of its items, each lane modulo 2^64, so no order of visits matters. An item is a tag and words:
//
//   counts     next id, vertices, edges
//   element    id, kind, creation, modification, label, number of properties; of an edge also source, target and type
//   property   element, key, type, value
//   pair       vertex, direction, type, edge, neighbour: each live pair of each group
//   index      name, kind, definition
//   entry      index, element, key's type, key's value; of a vector index the element and its components
//   more       what the host adds (stateHashAdd)
//
// Names and texts count as their bytes. The order of groups at a vertex and of indexes in the catalogue is nobody's business and is not
// in it.
// O(elements + properties + pairs + entries + bytes), no memory but the contents of one stretch of an index. [W], in steps; between two of
// them the graph must not change.

import { adjacencyGroup, adjacencyGroups, groupPair, groupType, groupUsed, pairEdge, pairNeighbour } from '../graph/adjacency';
import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_CREATION, COLUMN_LABEL, COLUMN_MODIFICATION, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE,
  KIND_VERTEX, kindAddress,
} from '../graph/elements';
import { INTERN_HEADER, internAddress } from '../graph/intern';
import { hasRecord, rowShape, rowSlot } from '../graph/rows';
import { shapeCount, shapeKey, shapeType } from '../graph/shapes';
import { graphState, pageAddress, stateEdgeCount, stateIndexes, stateNextId, stateVertexCount } from '../graph/state';
import { catalogueCount, catalogueIndex } from '../index/catalogue';
import { CONTENT_BYTES, CONTENT_ELEMENT, CONTENT_TYPE, CONTENT_VALUE, contentsBegin, contentsFirst } from '../index/contents';
import { kindContents } from '../index/kinds';
import { INDEX_DEFINITION, INDEX_KIND, INDEX_NAME, INDEX_VECTOR, TEXT_HEADER } from '../index/layout';
import { vectorDimension } from '../index/vector-rows';
import { vectorFind, vectorRowElement, vectorRows } from '../index/vector-slab';
import { scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { runItems, runItemsEnd, runNext } from '../memory/runs';
import { RECORD_HEADER, WIDE_SECOND } from '../values/record';
import { isVariable } from '../values/types';

const TAG_COUNTS: u64 = 1;
const TAG_ELEMENT: u64 = 2;
const TAG_PROPERTY: u64 = 3;
const TAG_PAIR: u64 = 4;
const TAG_INDEX: u64 = 5;
const TAG_ENTRY: u64 = 6;
const TAG_MORE: u64 = 7;

const MULTIPLY_1: u64 = 0x9e3779b97f4a7c15;
const MULTIPLY_2: u64 = 0xbf58476d1ce4e5b9;
const MULTIPLY_3: u64 = 0x94d049bb133111eb;
const MULTIPLY_4: u64 = 0xd6e8feb86659fd93;

/** Items of one step, about: below a millisecond. A long text counts as an item for each so many bytes. */
const STEP_ITEMS: u32 = 16384;
const ITEM_BYTES: u32 = 64;

const PHASE_DONE: u32 = 0;
const PHASE_ELEMENTS: u32 = 1;
const PHASE_PAIRS: u32 = 2;
const PHASE_INDEXES: u32 = 3;

let state: usize = 0;
let phase: u32 = 0;
let items: u32 = 0;
/** The element to go on with; in the phase of indexes the element or, of a vector index, the row. */
let cursor: u32 = 0;
/** Of the vertex `cursor`: direction, group and pair to go on with. */
let column: usize = 0;
let group: u32 = 0;
let pair: u32 = 0;
/** Of the index to go on with. */
let position: u32 = 0;

let sumOne: u64 = 0;
let sumTwo: u64 = 0;
let laneOne: u64 = 0;
let laneTwo: u64 = 0;

/** [W] Begins with the graph as it is now. */
export function stateHashBegin(graph: usize): void {
  state = graphState(graph);
  phase = PHASE_ELEMENTS;
  cursor = 0;
  sumOne = 0;
  sumTwo = 0;
  itemBegin(TAG_COUNTS);
  put(<u64>stateNextId(state));
  put(<u64>stateVertexCount(state));
  put(<u64>stateEdgeCount(state));
  itemEnd();
}

/** [W] 1: there is more to do, 0: that is all, -1: no memory, and the hash is void. */
export function stateHashStep(): i32 {
  items = 0;
  let good = true;
  if (phase == PHASE_ELEMENTS) elementsStep();
  else if (phase == PHASE_PAIRS) pairsStep();
  else if (phase == PHASE_INDEXES) good = indexesStep();
  if (good) return phase == PHASE_DONE ? 0 : 1;
  phase = PHASE_DONE;
  return -1;
}

/** [W] Adds an item of the host's: `kind` says which, the bytes at `from` what. */
export function stateHashAdd(kind: u32, from: usize, bytes: u32): void {
  itemBegin(TAG_MORE);
  put(<u64>kind);
  putBytes(from, bytes);
  itemEnd();
}

/** Word `index` of the hash, 0 to 3, the lowest first. */
export function stateHashWord(index: u32): u32 {
  const lane = index < 2 ? sumOne : sumTwo;
  return <u32>((index & 1) == 0 ? lane : lane >> 32);
}

// --- Items ---------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function itemBegin(tag: u64): void {
  laneOne = tag * MULTIPLY_1;
  laneTwo = tag * MULTIPLY_2;
}

// @ts-ignore: decorator
@inline
function put(word: u64): void {
  const one = (laneOne ^ word) * MULTIPLY_1;
  laneOne = one ^ (one >> 32);
  const two = (rotl<u64>(laneTwo, 27) + word) * MULTIPLY_3;
  laneTwo = two ^ (two >> 29);
}

function itemEnd(): void {
  items++;
  sumOne += mix(laneOne + laneTwo * MULTIPLY_4);
  sumTwo += mix(rotl<u64>(laneOne, 31) ^ (laneTwo * MULTIPLY_2));
}

// @ts-ignore: decorator
@inline
function mix(word: u64): u64 {
  word = (word ^ (word >> 30)) * MULTIPLY_2;
  word = (word ^ (word >> 27)) * MULTIPLY_3;
  return word ^ (word >> 31);
}

function putBytes(from: usize, bytes: u32): void {
  put(<u64>bytes);
  const end = from + <usize>bytes;
  for (; from + 8 <= end; from += 8) put(load<u64>(from));
  if (from < end) {
    let word: u64 = 0;
    for (let shift: u64 = 0; from < end; from++, shift += 8) word |= <u64>load<u8>(from) << shift;
    put(word);
  }
  items += bytes / ITEM_BYTES;
}

function putName(id: u32): void {
  if (id == NONE) {
    put(<u64>NONE);
    return;
  }
  const record = internAddress(id);
  putBytes(record + INTERN_HEADER, load<u32>(record));
}

/** A value as a slot holds it, or the record that the slot points to. */
function putValue(type: u32, at: usize): void {
  put(<u64>type);
  if (!hasRecord(type)) {
    put(load<u64>(at));
  } else if (isVariable(type)) {
    putBytes(at + RECORD_HEADER, load<u32>(at));
  } else {
    put(load<u64>(at));
    put(load<u64>(at, WIDE_SECOND));
  }
}

// --- Elements ------------------------------------------------------------------------------------------------------------

function elementsStep(): void {
  const next = stateNextId(state);
  for (; cursor < next; cursor++) {
    if (items >= STEP_ITEMS) return;
    const page = pageAddress(state, cursor);
    const kind = <u32>load<u8>(kindAddress(page, cursor));
    if (kind == KIND_NONE) continue;
    const words = columnWord(page, cursor);
    const row: usize = load<u32>(words, COLUMN_ROW);
    itemBegin(TAG_ELEMENT);
    put((<u64>kind << 32) | <u64>cursor);
    put((<u64>load<u32>(words, COLUMN_CREATION) << 32) | <u64>load<u32>(words, COLUMN_MODIFICATION));
    put(row == 0 ? 0 : <u64>shapeCount(rowShape(row)));
    putName(load<u32>(words, COLUMN_LABEL));
    if (kind == KIND_EDGE) {
      put((<u64>load<u32>(words, COLUMN_A) << 32) | <u64>load<u32>(words, COLUMN_B));
      putName(load<u32>(words, COLUMN_C));
    }
    itemEnd();
    if (row != 0) propertiesAdd(row);
  }
  cursor = 0;
  column = COLUMN_A;
  group = 0;
  pair = 0;
  phase = PHASE_PAIRS;
}

function propertiesAdd(row: usize): void {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  for (let i: u32 = 0; i < count; i++) {
    const type = shapeType(shape, i);
    const slot = rowSlot(row, i);
    itemBegin(TAG_PROPERTY);
    put(<u64>cursor);
    putName(shapeKey(shape, i));
    putValue(type, hasRecord(type) ? <usize>load<u32>(slot) : slot);
    itemEnd();
  }
}

// --- Adjacency -----------------------------------------------------------------------------------------------------------

function pairsStep(): void {
  const next = stateNextId(state);
  for (; cursor < next; cursor++) {
    const page = pageAddress(state, cursor);
    if (load<u8>(kindAddress(page, cursor)) != <u8>KIND_VERTEX) continue;
    const words = columnWord(page, cursor);
    if (column == COLUMN_A) {
      if (!groupsAdd(load<u32>(words, COLUMN_A))) return;
      column = COLUMN_B;
    }
    if (!groupsAdd(load<u32>(words, COLUMN_B))) return;
    column = COLUMN_A;
  }
  cursor = 0;
  position = NONE;
  phase = PHASE_INDEXES;
}

/** Goes on with the groups of an adjacency word. False: the step ends before they do. */
function groupsAdd(word: u32): bool {
  const groups = adjacencyGroups(word);
  for (; group < groups; group++) {
    const at = adjacencyGroup(word, group);
    const used = groupUsed(at);
    for (; pair < used; pair++) {
      const one = groupPair(at, pair);
      if (pairNeighbour(one) == NONE) continue;
      if (items >= STEP_ITEMS) return false;
      itemBegin(TAG_PAIR);
      put((<u64>cursor << 1) | u64(column == COLUMN_B));
      put((<u64>pairEdge(one) << 32) | <u64>pairNeighbour(one));
      putName(groupType(at));
      itemEnd();
    }
    pair = 0;
  }
  group = 0;
  return true;
}

// --- Indexes -------------------------------------------------------------------------------------------------------------

/** A stretch of the contents of one index. False: no memory. */
function indexesStep(): bool {
  const catalogue = stateIndexes(state);
  const count = catalogueCount(state);
  if (position == NONE || cursor == NONE) {
    position = position == NONE ? 0 : position + 1;
    cursor = 0;
    if (position >= count) {
      phase = PHASE_DONE;
      return true;
    }
    itemBegin(TAG_INDEX);
    putIndex(catalogueIndex(catalogue, position));
    itemEnd();
    return true;
  }
  const index = catalogueIndex(catalogue, position);
  if (load<u32>(index, INDEX_KIND) == INDEX_VECTOR) {
    rowsAdd(index);
    return true;
  }
  return entriesAdd(index);
}

function putIndex(index: usize): void {
  const name: usize = load<u32>(index, INDEX_NAME);
  const definition: usize = load<u32>(index, INDEX_DEFINITION);
  put(<u64>load<u32>(index, INDEX_KIND));
  putBytes(name + TEXT_HEADER, load<u32>(name));
  if (definition != 0) putBytes(definition + TEXT_HEADER, load<u32>(definition));
}

function entriesAdd(index: usize): bool {
  const mark = scratchMark();
  contentsBegin();
  const end = stateNextId(state);
  const next = kindContents(index, cursor, end, STEP_ITEMS >> 2);
  if (next == NONE) {
    scratchRelease(mark);
    return false;
  }
  const name: usize = load<u32>(index, INDEX_NAME);
  for (let run = contentsFirst(); run != 0; run = runNext(run)) {
    const last = runItemsEnd(run);
    for (let at = runItems(run); at < last; at += CONTENT_BYTES) {
      itemBegin(TAG_ENTRY);
      put(<u64>load<u32>(at, CONTENT_ELEMENT));
      putBytes(name + TEXT_HEADER, load<u32>(name));
      putValue(load<u32>(at, CONTENT_TYPE), <usize>load<u32>(at, CONTENT_VALUE));
      itemEnd();
    }
  }
  scratchRelease(mark);
  cursor = next >= end ? NONE : next;
  return true;
}

/** Also of an index whose contents follow from the graph's: it may have failed to. */
function rowsAdd(index: usize): void {
  const rows = vectorRows(index);
  const name: usize = load<u32>(index, INDEX_NAME);
  for (; cursor < rows; cursor++) {
    if (items >= STEP_ITEMS) return;
    const element = vectorRowElement(index, cursor);
    if (element == NONE) continue;
    itemBegin(TAG_ENTRY);
    put(<u64>element);
    putBytes(name + TEXT_HEADER, load<u32>(name));
    putBytes(vectorFind(index, element), vectorDimension(index) << 2);
    itemEnd();
  }
  cursor = NONE;
}
