// A structural self-check of a whole graph, for tests and for doubts. Reads everything, changes nothing; writer only, between
// transactions.

import { NONE } from '../memory/layout';
import {
  adjacencyGroup, adjacencyGroups, DIRECTORY_CAPACITY, DIRECTORY_LIVE, GROUP_CAPACITY, groupFind, groupFindPair, groupLive, groupPair,
  groupType, groupUsed, pairEdge, pairNeighbour,
} from './adjacency';
import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_LABEL, COLUMN_ROW, columnWord, elementKind, KIND_EDGE, KIND_NONE, KIND_VERTEX,
} from './elements';
import { internCount } from './intern';
import { GROUP_STANDALONE } from './regions';
import { rowShape } from './rows';
import { compareKeys, shapeCount, shapeIsListed, shapeKey, shapeNext, shapeReferences, shapeSlot } from './shapes';
import { graphState, pageAddress, stateEdgeCount, stateNextId, stateVertexCount } from './state';

/** 0, or a number that says what is wrong first (each stands once below). */
export function graphVerify(graph: usize): u32 {
  const state = graphState(graph);
  const next = stateNextId(state);
  let vertices: u32 = 0;
  let edges: u32 = 0;
  let rows: u32 = 0;
  let outLive: u32 = 0;
  let inLive: u32 = 0;
  for (let id: u32 = 0; id < next; id++) {
    const kind = elementKind(state, id);
    if (kind == KIND_NONE) continue;
    const words = columnWord(pageAddress(state, id), id);
    const label = load<u32>(words, COLUMN_LABEL);
    if (label != NONE && label >= internCount()) return 1;
    rows += u32(load<u32>(words, COLUMN_ROW) != 0);
    if (kind == KIND_EDGE) {
      edges++;
      const code = verifyEdge(state, id, words);
      if (code != 0) return code;
    } else {
      if (kind != KIND_VERTEX) return 2;
      vertices++;
      if (load<u32>(words, COLUMN_C) != 0) return 3;
      let code = verifyWord(state, id, load<u32>(words, COLUMN_A), COLUMN_A);
      if (code == 0) code = verifyWord(state, id, load<u32>(words, COLUMN_B), COLUMN_B);
      if (code != 0) return code;
      outLive += liveOf(load<u32>(words, COLUMN_A));
      inLive += liveOf(load<u32>(words, COLUMN_B));
    }
  }
  if (vertices != stateVertexCount(state)) return 4;
  if (edges != stateEdgeCount(state)) return 5;
  // Every edge stands in both groups (verifyEdge), and there are no other live pairs.
  if (outLive != edges || inLive != edges) return 6;
  return verifyShapes(state, next, rows);
}

function liveOf(word: u32): u32 {
  let live: u32 = 0;
  const groups = adjacencyGroups(word);
  for (let index: u32 = 0; index < groups; index++) live += groupLive(adjacencyGroup(word, index));
  return live;
}

function verifyEdge(state: usize, id: u32, words: usize): u32 {
  const source = load<u32>(words, COLUMN_A);
  const target = load<u32>(words, COLUMN_B);
  const type = load<u32>(words, COLUMN_C);
  if (elementKind(state, source) != KIND_VERTEX || elementKind(state, target) != KIND_VERTEX) return 10;
  if (type >= internCount()) return 11;
  if (!hasPair(state, source, COLUMN_A, type, id, target)) return 12;
  return hasPair(state, target, COLUMN_B, type, id, source) ? 0 : 13;
}

function hasPair(state: usize, vertex: u32, column: usize, type: u32, edge: u32, neighbour: u32): bool {
  const group = groupFind(load<u32>(columnWord(pageAddress(state, vertex), vertex) + column), type);
  const pair: usize = group == 0 ? 0 : groupFindPair(group, edge);
  return pair != 0 && pairNeighbour(pair) == neighbour;
}

/** Groups have distinct types and ascending pairs, and count their live ones rightly. */
function verifyWord(state: usize, vertex: u32, word: u32, column: usize): u32 {
  const groups = adjacencyGroups(word);
  let kept: u32 = 0;
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    if (groupType(group) == NONE) continue;
    kept++;
    if (groupFind(word, groupType(group)) != group) return 20;
    const used = groupUsed(group);
    if (groupLive(group) == 0) return 21;
    if (used > (load<u32>(group, GROUP_CAPACITY) & ~GROUP_STANDALONE)) return 22;
    let live: u32 = 0;
    for (let i: u32 = 0; i < used; i++) {
      const pair = groupPair(group, i);
      if (i != 0 && pairEdge(pair) < pairEdge(groupPair(group, i - 1))) return 23;
      if (pairNeighbour(pair) == NONE) continue;
      live++;
      const edge = pairEdge(pair);
      if (elementKind(state, edge) != KIND_EDGE) return 24;
      const own = load<u32>(columnWord(pageAddress(state, edge), edge) + column);
      if (own != vertex) return 25;
    }
    if (live != groupLive(group)) return 26;
  }
  if ((word & 1) != 0) {
    if (kept != load<u32>(<usize>word - 1, DIRECTORY_LIVE)) return 27;
    if (groups > load<u32>(<usize>word - 1, DIRECTORY_CAPACITY)) return 28;
  }
  return 0;
}

/** Keys are in order and found, and each shape has exactly as many users as rows point to it. */
function verifyShapes(state: usize, next: u32, rows: u32): u32 {
  let references: u32 = 0;
  for (let shape = shapeNext(state, 0); shape != 0; shape = shapeNext(state, shape)) {
    const count = shapeCount(shape);
    if (count == 0) return 30;
    if (shapeReferences(shape) == 0) return 31;
    references += shapeReferences(shape);
    for (let i: u32 = 0; i < count; i++) {
      if (shapeSlot(shape, shapeKey(shape, i)) != <i32>i) return 32;
      if (i != 0 && compareKeys(shapeKey(shape, i - 1), shapeKey(shape, i)) >= 0) return 33;
    }
  }
  if (references != rows) return 34;
  for (let id: u32 = 0; id < next; id++) {
    if (elementKind(state, id) == KIND_NONE) continue;
    const row: usize = load<u32>(columnWord(pageAddress(state, id), id), COLUMN_ROW);
    if (row != 0 && !shapeIsListed(state, rowShape(row))) return 35;
  }
  return 0;
}
