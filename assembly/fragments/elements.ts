// What compiled fragments read of the graph: labels, properties, dates, degrees, adjacency, ends. Each is one call with an id
// that a kernel or another of these functions gave out. All of one search read the same state, set by `fragmentBegin`.
//
// Values cross as plain words. An element is its id, NONE stands for null. A string is a *text*: the address of its record,
// plus 1 when the record is an interned name (whose header is longer); 0 is null (fragments/texts.ts). A map of edges is the
// adjacency word of the vertex in that direction, a list of edges is the address of a group; 0 is null for both.

import {
  adjacencyDegree, adjacencyFind, adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupLive, groupType, groupUsed, PAIR_BYTES, pairEdge,
  pairNeighbour,
} from '../graph/adjacency';
import {
  elementA, elementB, elementC, elementCreation, elementKind, elementLabel, elementModification, elementRow, KIND_EDGE,
} from '../graph/elements';
import { INTERN_INFO, INTERN_RESERVED, internAddress } from '../graph/intern';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeCount, shapeKey, shapeSlot, shapeType } from '../graph/shapes';
import { graphState, stateDirectory, stateNextId } from '../graph/state';
import { NONE } from '../memory/layout';
import { semanticBegin } from '../traverse/semantic';
import { TYPE_STRING } from '../values/types';
import { forgetCursor } from './texts';

/** Ticks (100 ns) from 0001-01-01 to 1970-01-01. */
const UNIX_TICKS: i64 = 621355968000000000;
const TICKS_PER_SECOND: i64 = 10000000;

let state: usize = 0;
let nextId: u32 = 0;

/** Before a search: everything below reads the state that `graph` has now. */
export function fragmentBegin(graph: usize): void {
  state = graphState(graph);
  nextId = stateNextId(state);
  semanticBegin(state);
  forgetCursor();
}

// @ts-ignore: decorator
@inline
function nameText(name: u32): u32 {
  return name == NONE ? 0 : <u32>internAddress(name) | 1;
}

/** Intern id of the label, NONE without one. */
export function fragmentLabelId(id: u32): u32 {
  return elementLabel(state, id);
}

export function fragmentLabel(id: u32): u32 {
  return nameText(elementLabel(state, id));
}

/** The text of an interned name: how a type filter, which is asked about an id, gets its argument. */
export function fragmentName(name: u32): u32 {
  return nameText(name);
}

/** Intern id of an edge's type. */
export function fragmentTypeId(id: u32): u32 {
  return elementC(state, id);
}

export function fragmentType(id: u32): u32 {
  return nameText(elementC(state, id));
}

/** Source (0) or target (1) of an edge. */
export function fragmentEnd(id: u32, which: u32): u32 {
  return which == 0 ? elementA(state, id) : elementB(state, id);
}

/** DateTime of the creation, its kind unspecified. */
export function fragmentCreated(id: u32): i64 {
  return UNIX_TICKS + <i64>elementCreation(state, id) * TICKS_PER_SECOND;
}

export function fragmentModified(id: u32): i64 {
  return UNIX_TICKS + <i64>elementModification(state, id) * TICKS_PER_SECOND;
}

/** Unix seconds: the model's fields. */
export function fragmentCreationSeconds(id: u32): u32 {
  return elementCreation(state, id);
}

export function fragmentModificationSeconds(id: u32): u32 {
  return elementModification(state, id);
}

// --- Properties ----------------------------------------------------------------------------------------------------------

/** Address of the slot of a property with exactly that key (intern id) and type; 0 when there is none. */
export function fragmentSlot(id: u32, key: u32, type: u32): usize {
  const row = elementRow(state, id);
  if (row == 0) return 0;
  const shape = rowShape(row);
  const slot = shapeSlot(shape, key);
  return slot >= 0 && shapeType(shape, <u32>slot) == type ? rowSlot(row, <u32>slot) : 0;
}

/** The directory of the pages of elements: 8 bytes for every 65,536 ids, the first four the page's address. Good for one search. */
export function fragmentPages(): usize {
  return stateDirectory(state);
}

/** Where in a row of `shape` the value of a key with exactly that type lies, in bytes from the row; 0 when it has none. */
export function fragmentSlotOffset(shape: usize, key: u32, type: u32): u32 {
  const slot = shapeSlot(shape, key);
  return slot >= 0 && shapeType(shape, <u32>slot) == type ? <u32>rowSlot(0, <u32>slot) : 0;
}

/** Type of the value whose slot `fragmentFind` answered last. */
let foundType: u32 = 0;

export function fragmentFoundType(): u32 {
  return foundType;
}

/** Address of the slot of the property with that key, whatever its type (`fragmentFoundType`); 0 when there is none. */
export function fragmentFind(id: u32, key: u32): usize {
  const row = elementRow(state, id);
  if (row == 0) return 0;
  const shape = rowShape(row);
  const slot = shapeSlot(shape, key);
  if (slot < 0) return 0;
  foundType = shapeType(shape, <u32>slot);
  return rowSlot(row, <u32>slot);
}

/** Kind of an element: 1 vertex, 2 edge, 0 neither. */
export function fragmentKind(id: u32): u32 {
  return elementKind(state, id);
}

/** Number of properties; the reserved entries of embeddings count, as they do in a read. */
export function fragmentPropertyCount(id: u32): u32 {
  const row = elementRow(state, id);
  return row ? shapeCount(rowShape(row)) : 0;
}

/** The row of an element, to ask `fragmentRowText` about; 0 without properties. */
export function fragmentRow(id: u32): usize {
  return elementRow(state, id);
}

export function fragmentRowCount(row: usize): u32 {
  return row ? shapeCount(rowShape(row)) : 0;
}

/** The text of property `index` of a row; 0 when it is no string or belongs to an embedding. */
export function fragmentRowText(row: usize, index: u32): u32 {
  const shape = rowShape(row);
  if (shapeType(shape, index) != TYPE_STRING) return 0;
  if (load<u32>(internAddress(shapeKey(shape, index)), INTERN_INFO) & INTERN_RESERVED) return 0;
  return load<u32>(rowSlot(row, index));
}

// --- Adjacency -----------------------------------------------------------------------------------------------------------

/** Out (0) or in (1) degree of a vertex. */
export function fragmentDegree(id: u32, direction: u32): u32 {
  return adjacencyDegree(direction == 0 ? elementA(state, id) : elementB(state, id));
}

/** The map of edges of a vertex in a direction; 0 = null, without edges. */
export function fragmentEdges(id: u32, direction: u32): u32 {
  const word = direction == 0 ? elementA(state, id) : elementB(state, id);
  const groups = adjacencyGroups(word);
  for (let i: u32 = 0; i < groups; i++) {
    if (groupLive(adjacencyGroup(word, i)) != 0) return word;
  }
  return 0;
}

/** Types in a map: groups with a live edge. */
export function fragmentGroupCount(word: u32): u32 {
  let count: u32 = 0;
  const groups = adjacencyGroups(word);
  for (let i: u32 = 0; i < groups; i++) count += u32(groupLive(adjacencyGroup(word, i)) != 0);
  return count;
}

/** Groups to look at with `fragmentGroupAt`. */
export function fragmentGroups(word: u32): u32 {
  return adjacencyGroups(word);
}

/** Group `index` of a map; 0 when it has no live edge. */
export function fragmentGroupAt(word: u32, index: u32): usize {
  const group = adjacencyGroup(word, index);
  return groupLive(group) != 0 ? group : 0;
}

/** The group of a type (intern id, which may be NONE); 0 = there is none. */
export function fragmentGroup(word: u32, type: u32): usize {
  return word == 0 || type == NONE ? 0 : adjacencyFind(word, type);
}

/** Intern id of a group's type. */
export function fragmentGroupType(group: usize): u32 {
  return groupType(group);
}

export function fragmentGroupName(group: usize): u32 {
  return nameText(groupType(group));
}

/** Live edges of a list. */
export function fragmentListCount(group: usize): u32 {
  return groupLive(group);
}

/** Places of a list to look at with `fragmentListAt`. */
export function fragmentListPlaces(group: usize): u32 {
  return groupUsed(group);
}

/** The edge at a place of a list, NONE when it was removed or is of a running transaction. */
export function fragmentListAt(group: usize, place: u32): u32 {
  const pair = group + GROUP_HEADER + PAIR_BYTES * <usize>place;
  if (pairNeighbour(pair) == NONE) return NONE;
  const edge = pairEdge(pair);
  return edge < nextId && elementKind(state, edge) == KIND_EDGE ? edge : NONE;
}

/** Edge `index`, counting live ones; NONE beyond the last. */
export function fragmentListGet(group: usize, index: u32): u32 {
  const places = groupUsed(group);
  for (let place: u32 = 0; place < places; place++) {
    const edge = fragmentListAt(group, place);
    if (edge != NONE && index-- == 0) return edge;
  }
  return NONE;
}
