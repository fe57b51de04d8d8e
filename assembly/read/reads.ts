// The reads behind the element and traversal routes: each answers a status and leaves JSON in OUTPUT, or answers a number.
//
// All load the graph's state once and work on any instance; the caller announces itself as a reader around the call. Long lists
// come in blocks of about 256 KiB: a call says where the next one starts. Groups come whole: OUTPUT grows on the writer, a reader
// answers ARENA_TOO_SMALL. Ids are u32; an id that no element has is simply missing.

import { adjacencyDegree, adjacencyFind, adjacencyGroup, adjacencyGroups, groupLive, groupType } from '../graph/adjacency';
import { candidateBits } from '../graph/candidates';
import { elementA, elementB, elementC, elementKind, KIND_EDGE, KIND_VERTEX } from '../graph/elements';
import { internFind } from '../graph/intern';
import {
  graphState, PAGE_ID_MASK, PAGE_IDS, pageAddress, stateEdgeCount, stateNextId, stateVersion, stateVertexCount,
} from '../graph/state';
import { NONE } from '../memory/layout';
import { NOT_FOUND, OK } from '../status';
import { elementWritten, groupHadEdges, writeElement, writeGroupIds, writeGroupPart } from './element';
import { outputBegin, outputEnd, outputFailure, outputMark, outputRewind, outputRoom, writeByte, writeName, writeUnsigned } from './output';

/** Bytes of a list after which a call stops. */
const READ_BLOCK_BYTES: usize = 262144;

/** Directions: 0 out, 1 in. */
const DIRECTION_OUT: u32 = 0;
const ENDPOINT_SOURCE: u32 = 0;

const COMMA: u32 = 0x2c;
const OPEN_LIST: u32 = 0x5b;
const CLOSE_LIST: u32 = 0x5d;

let cursor: u32 = 0;
let count: u32 = 0;
let missing: u32 = 0;

/** Where the next block of the last list read starts: an id after `readGraph`, an index after `readElements`. */
export function readCursor(): u32 {
  return cursor;
}

/** Elements the last list read wrote. */
export function readCount(): u32 {
  return count;
}

/** Ids the last `readElements` found no element for; they stand at idsAddress + 4 * start. */
export function readMissing(): u32 {
  return missing;
}

/** JSON of one element in the contract's read shape. `kind`: 0 any, KIND_VERTEX, KIND_EDGE (the other kind is NOT_FOUND). */
export function readElement(graph: usize, id: u32, kind: u32): i32 {
  let p = outputBegin();
  const state = graphState(graph);
  const found = elementKind(state, id);
  if (!found || (kind && kind != found)) return NOT_FOUND;
  if (p) p = writeElement(p, state, id, false);
  if (!p) return outputFailure();
  if (!elementWritten()) return NOT_FOUND;
  outputEnd(p);
  return OK;
}

/**
 * JSON items `{kind, id, creationDate, modificationDate, label, properties}`, comma separated without brackets, of the ids from
 * index `start` on; `readCursor` is the index to go on with (`total` when done). Ids without an element are moved to the front of
 * the part of the list this call has read: `readMissing` of them at `ids + 4 * start`.
 */
export function readElements(graph: usize, ids: usize, total: u32, start: u32): i32 {
  let p = outputBegin();
  const state = graphState(graph);
  count = 0;
  missing = 0;
  cursor = start;
  if (!p) return outputFailure();
  while (cursor < total && outputMark(p) < READ_BLOCK_BYTES) {
    const id = load<u32>(ids + 4 * <usize>cursor);
    const mark = outputMark(p);
    p = writeListed(p, state, id, true, mark);
    if (!p) {
      if (!count) return outputFailure();
      p = outputRewind(0, mark);
      break;
    }
    if (elementWritten()) {
      count++;
    } else {
      store<u32>(ids + 4 * <usize>(start + missing), id);
      missing++;
    }
    cursor++;
  }
  outputEnd(p);
  return OK;
}

/** Writes one element of a list, behind a comma unless it is the first; nothing when there is no such element. */
function writeListed(p: usize, state: usize, id: u32, asItem: bool, mark: usize): usize {
  if (mark) {
    p = outputRoom(p, 1);
    if (!p) return 0;
    p = writeByte(p, COMMA);
  }
  p = writeElement(p, state, id, asItem);
  if (!p || elementWritten()) return p;
  return outputRewind(p, mark);
}

/**
 * JSON of the vertices (KIND_VERTEX) or edges (KIND_EDGE) with id >= `fromId`, ascending, comma separated without brackets, at
 * most `limit` or about READ_BLOCK_BYTES. `readCount` of them; `readCursor` is the id to go on with, the next id to be assigned when
 * done.
 */
export function readGraph(graph: usize, kind: u32, fromId: u32, limit: u32): i32 {
  let p = outputBegin();
  const state = graphState(graph);
  const end = stateNextId(state);
  count = 0;
  cursor = min<u32>(fromId, end);
  if (!p) return outputFailure();
  while (count < limit && outputMark(p) < READ_BLOCK_BYTES) {
    cursor = nextOfKind(state, kind, cursor, end);
    if (cursor >= end) break;
    const mark = outputMark(p);
    p = writeListed(p, state, cursor, false, mark);
    if (!p) {
      if (!count) return outputFailure();
      p = outputRewind(0, mark);
      break;
    }
    if (elementWritten()) count++;
    cursor++;
  }
  outputEnd(p);
  return OK;
}

/** The first id >= `id` of a live element of the kind; `end` when there is none. */
function nextOfKind(state: usize, kind: u32, id: u32, end: u32): u32 {
  while (id < end) {
    const page = pageAddress(state, id);
    const base = id & ~PAGE_ID_MASK;
    const place = id & PAGE_ID_MASK;
    const placeEnd = min<u32>(end - base, PAGE_IDS);
    // The kinds are numbered like the bits of a result mask.
    for (let group = place & ~15; group < placeEnd; group += 16) {
      const bits = candidateBits(page, group, place, placeEnd, kind, NONE);
      if (bits != 0) return base + group + ctz(bits);
    }
    id = base + placeEnd;
  }
  return end;
}

// --- Traversal ------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function adjacencyOf(state: usize, id: u32, direction: u32): u32 {
  return direction == DIRECTION_OUT ? elementA(state, id) : elementB(state, id);
}

/** JSON array of the edge types of a vertex in one direction, in the order they came; NOT_FOUND when it is no vertex. */
export function readEdgeTypes(graph: usize, id: u32, direction: u32): i32 {
  let p = outputBegin();
  const state = graphState(graph);
  if (elementKind(state, id) != KIND_VERTEX) return NOT_FOUND;
  if (!p) return outputFailure();
  p = writeByte(p, OPEN_LIST);
  const word = adjacencyOf(state, id, direction);
  const groups = adjacencyGroups(word);
  let first = true;
  for (let i: u32 = 0; i < groups; i++) {
    const group = adjacencyGroup(word, i);
    if (!groupLive(group)) continue;
    if (!first) {
      p = outputRoom(p, 1);
      if (!p) return outputFailure();
      p = writeByte(p, COMMA);
    }
    first = false;
    p = writeName(p, groupType(group));
    if (!p) return outputFailure();
  }
  p = outputRoom(p, 1);
  if (!p) return outputFailure();
  outputEnd(writeByte(p, CLOSE_LIST));
  return elementKind(state, id) == KIND_VERTEX ? OK : NOT_FOUND;
}

/** The live group of an edge type, 0 when there is none. */
function findGroup(state: usize, id: u32, direction: u32, typeText: usize, typeBytes: u32): usize {
  const type = internFind(typeText, typeBytes);
  return type == NONE ? 0 : adjacencyFind(adjacencyOf(state, id, direction), type);
}

/** JSON array of the edge ids of one group; NOT_FOUND when vertex or group is missing. */
export function readGroup(graph: usize, id: u32, direction: u32, typeText: usize, typeBytes: u32): i32 {
  let p = outputBegin();
  const state = graphState(graph);
  if (elementKind(state, id) != KIND_VERTEX) return NOT_FOUND;
  const group = findGroup(state, id, direction, typeText, typeBytes);
  if (!group) return NOT_FOUND;
  if (p) p = writeGroupIds(p, group, stateNextId(state));
  if (!p) return outputFailure();
  outputEnd(p);
  return groupHadEdges() && elementKind(state, id) == KIND_VERTEX ? OK : NOT_FOUND;
}

/** The ids of one group behind `after` (NONE: from the first on), at most `limit`, as `readGroup`; an empty list behind the last one. */
export function readGroupPart(
  graph: usize, id: u32, direction: u32, typeText: usize, typeBytes: u32, after: u32, limit: u32,
): i32 {
  let p = outputBegin();
  const state = graphState(graph);
  if (elementKind(state, id) != KIND_VERTEX) return NOT_FOUND;
  const group = findGroup(state, id, direction, typeText, typeBytes);
  if (!group) return NOT_FOUND;
  if (p) p = writeGroupPart(p, group, stateNextId(state), after, limit);
  if (!p) return outputFailure();
  outputEnd(p);
  return elementKind(state, id) == KIND_VERTEX ? OK : NOT_FOUND;
}

/** Edges of a vertex in one direction; -1 when it is no vertex. */
export function readDegree(graph: usize, id: u32, direction: u32): i32 {
  const state = graphState(graph);
  if (elementKind(state, id) != KIND_VERTEX) return -1;
  const degree = adjacencyDegree(adjacencyOf(state, id, direction));
  return elementKind(state, id) == KIND_VERTEX ? <i32>degree : -1;
}

/** Edges of one group, 0 when the vertex has none of that type; -1 when it is no vertex. */
export function readGroupDegree(graph: usize, id: u32, direction: u32, typeText: usize, typeBytes: u32): i32 {
  const state = graphState(graph);
  if (elementKind(state, id) != KIND_VERTEX) return -1;
  const group = findGroup(state, id, direction, typeText, typeBytes);
  const degree = group ? <i32>groupLive(group) : 0;
  return elementKind(state, id) == KIND_VERTEX ? degree : -1;
}

/** Source (`which` 0) or target (1) of an edge; -1 when it is no edge. */
export function readEndpoint(graph: usize, id: u32, which: u32): i32 {
  const state = graphState(graph);
  if (elementKind(state, id) != KIND_EDGE) return -1;
  return <i32>(which == ENDPOINT_SOURCE ? elementA(state, id) : elementB(state, id));
}

/** Name of the type of an edge (an interned string); NONE when it is no edge. */
export function readEdgeType(graph: usize, id: u32): u32 {
  const state = graphState(graph);
  return elementKind(state, id) == KIND_EDGE ? elementC(state, id) : NONE;
}

/** Whether an element is a vertex (KIND_VERTEX), an edge (KIND_EDGE) or not there (0). */
export function readKind(graph: usize, id: u32): u32 {
  return elementKind(graphState(graph), id);
}

/** JSON array of `total` u32 at `ids`, brackets included. */
export function writeIdArray(ids: usize, total: u32): i32 {
  let p = outputBegin();
  if (!p) return outputFailure();
  p = writeByte(p, OPEN_LIST);
  const end = ids + 4 * <usize>total;
  while (ids < end) {
    const pause = min<usize>(end, ids + 4 * 1024);
    p = outputRoom(p, 3 * (pause - ids) + 16);
    if (!p) return outputFailure();
    for (; ids < pause; ids += 4) {
      p = writeUnsigned(p, load<u32>(ids));
      store<u8>(p, COMMA);
      p++;
    }
  }
  p = outputRoom(p, 1);
  if (!p) return outputFailure();
  if (total) store<u8>(p - 1, CLOSE_LIST);
  else p = writeByte(p, CLOSE_LIST);
  outputEnd(p);
  return OK;
}

// --- Counts ---------------------------------------------------------------------------------------------------------------

/** Live vertices. */
export function vertexCount(graph: usize): u32 {
  return stateVertexCount(graphState(graph));
}

/** Live edges. */
export function edgeCount(graph: usize): u32 {
  return stateEdgeCount(graphState(graph));
}

/** The id the next element gets: one above the highest ever assigned. */
export function nextId(graph: usize): u32 {
  return stateNextId(graphState(graph));
}

/** Transactions committed to the graph; moves with every change. */
export function graphVersion(graph: usize): u32 {
  return stateVersion(graphState(graph));
}
