// Removing elements. Until commit everything stays where undo finds it: columns, rows, the groups of a removed vertex, and the
// pairs in its neighbours' groups, which are only marked. So a vertex with a million edges needs one journal entry.
//
// A removed vertex carries REMOVED_VERTEX in column c until commit, because copying its region must keep its groups.

import { adjacencyGroup, adjacencyGroups, groupPair, groupType, groupUsed, pairEdge, pairNeighbour } from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE, KIND_VERTEX, kindAddress } from '../graph/elements';
import { pairRemove, wordLetGoCount } from '../graph/groups';
import { keepRemoved } from '../graph/keeps';
import { REMOVED_VERTEX } from '../graph/regions';
import { rowRetireCount } from '../graph/rows';
import { reserveLater, runningSetRemoving } from '../graph/running';
import { pageAddress } from '../graph/state';
import { touchRemoved } from '../graph/touched';
import { NONE } from '../memory/layout';
import { NO_MEMORY, OK } from '../status';
import { CHANGE_EDGE_REMOVED, CHANGE_VERTEX_REMOVED, changeElement } from './changes';
import { JOURNAL_EDGE, JOURNAL_VERTEX, journalAdd, journalEntry, journalSet } from './journal';
import { countEdges, countVertices } from './writer';

/** The other column of adjacency words. */
// @ts-ignore: decorator
@inline
export function otherColumn(column: usize): usize {
  return column == COLUMN_A ? COLUMN_B : COLUMN_A;
}

// @ts-ignore: decorator
@inline
export function setKind(state: usize, id: u32, kind: u32): void {
  atomic.store<u8>(kindAddress(pageAddress(state, id), id), <u8>kind);
}

/** Removes a live element, a vertex with its edges. OK or NO_MEMORY. */
export function elementRemove(state: usize, id: u32): i32 {
  const page = pageAddress(state, id);
  if (load<u8>(kindAddress(page, id)) == <u8>KIND_VERTEX) return vertexRemove(state, id);
  const words = columnWord(page, id);
  const source = load<u32>(words, COLUMN_A);
  const target = load<u32>(words, COLUMN_B);
  const type = load<u32>(words, COLUMN_C);
  const entry = journalEntry(JOURNAL_EDGE, id);
  if (entry == 0 || !reserveLater(retiresOf(<usize>load<u32>(words, COLUMN_ROW)))) return NO_MEMORY;
  if (!touchRemoved(id)) return NO_MEMORY;
  journalSet(entry, 0, load<u32>(words, COLUMN_ROW));
  journalSet(entry, 1, source);
  journalSet(entry, 2, target);
  journalSet(entry, 3, type);
  journalAdd(entry);
  runningSetRemoving(true);
  keepRemoved(state, id, KIND_EDGE);
  setKind(state, id, KIND_NONE);
  pairRemove(state, source, COLUMN_A, type, id);
  pairRemove(state, target, COLUMN_B, type, id);
  countEdges(-1);
  return changeElement(state, CHANGE_EDGE_REMOVED, id) ? OK : NO_MEMORY;
}

/** Retire entries that the row and its shape take. */
function retiresOf(row: usize): u32 {
  return row == 0 ? 0 : rowRetireCount(row) + 1;
}

function vertexRemove(state: usize, vertex: u32): i32 {
  const words = columnWord(pageAddress(state, vertex), vertex);
  const out = load<u32>(words, COLUMN_A);
  const into = load<u32>(words, COLUMN_B);
  const entry = journalEntry(JOURNAL_VERTEX, vertex);
  if (entry == 0) return NO_MEMORY;
  let retires = retiresOf(<usize>load<u32>(words, COLUMN_ROW)) + wordLetGoCount(out) + wordLetGoCount(into);
  retires += edgeRetires(state, out) + edgeRetires(state, into);
  if (!reserveLater(retires) || !touchRemoved(vertex)) return NO_MEMORY;
  journalSet(entry, 0, load<u32>(words, COLUMN_ROW));
  journalAdd(entry);
  runningSetRemoving(true);
  store<u32>(words, REMOVED_VERTEX, COLUMN_C);
  keepRemoved(state, vertex, KIND_VERTEX);
  setKind(state, vertex, KIND_NONE);
  countVertices(-1);
  if (!changeElement(state, CHANGE_VERTEX_REMOVED, vertex)) return NO_MEMORY;
  if (!edgesRemove(state, vertex, out, COLUMN_A)) return NO_MEMORY;
  return edgesRemove(state, vertex, into, COLUMN_B) ? OK : NO_MEMORY;
}

/** Retire entries that the rows of the word's edges take (a self-loop's twice). */
function edgeRetires(state: usize, word: u32): u32 {
  let retires: u32 = 0;
  const groups = adjacencyGroups(word);
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    const used = groupUsed(group);
    for (let i: u32 = 0; i < used; i++) {
      const pair = groupPair(group, i);
      if (pairNeighbour(pair) == NONE) continue;
      const edge = pairEdge(pair);
      retires += retiresOf(<usize>load<u32>(columnWord(pageAddress(state, edge), edge), COLUMN_ROW));
    }
  }
  return retires;
}

/** Removes the edges of one direction of a vertex; their pairs in its own groups stay alive and so tell undo and commit which. */
function edgesRemove(state: usize, vertex: u32, word: u32, column: usize): bool {
  const other = otherColumn(column);
  const groups = adjacencyGroups(word);
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    const type = groupType(group);
    const used = groupUsed(group);
    for (let i: u32 = 0; i < used; i++) {
      const pair = groupPair(group, i);
      const neighbour = pairNeighbour(pair);
      // A self-loop goes with the out groups; both its pairs are the vertex's own.
      if (neighbour == NONE || (neighbour == vertex && column == COLUMN_B)) continue;
      const edge = pairEdge(pair);
      if (!touchRemoved(edge)) return false;
      keepRemoved(state, edge, KIND_EDGE);
      setKind(state, edge, KIND_NONE);
      if (neighbour != vertex) pairRemove(state, neighbour, other, type, edge);
      countEdges(-1);
      if (!changeElement(state, CHANGE_EDGE_REMOVED, edge)) return false;
    }
  }
  return true;
}

/** Undo of a vertex's removal: the vertex alone. */
export function vertexRestore(state: usize, vertex: u32): void {
  const words = columnWord(pageAddress(state, vertex), vertex);
  store<u32>(words, 0, COLUMN_C);
  setKind(state, vertex, KIND_VERTEX);
}

/** True when the pair of a removed vertex is of an edge that went with it and is not the second pair of a self-loop. */
// @ts-ignore: decorator
@inline
export function wentAlong(state: usize, vertex: u32, column: usize, pair: usize): bool {
  const neighbour = pairNeighbour(pair);
  if (neighbour == NONE || (neighbour == vertex && column == COLUMN_B)) return false;
  const edge = pairEdge(pair);
  return load<u8>(kindAddress(pageAddress(state, edge), edge)) == <u8>KIND_NONE;
}
