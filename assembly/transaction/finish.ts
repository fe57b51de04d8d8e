// The two ends of a transaction. Commit gives back what the journal says was replaced or removed, and tidies up the groups that
// lost pairs; it cannot fail, since the room in the retire list was reserved when the changes were made, and what is
// tidying only is left undone when memory is short. Undo brings everything back, newest change first, then takes the created
// elements off the end. What undo does not take back is room: a region, a group's block or the tables of interned strings
// and shapes may have grown.

import { adjacencyGroup, adjacencyGroups, groupPair, groupType, groupUsed, pairEdge, pairNeighbour } from '../graph/adjacency';
import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_LABEL, COLUMN_MODIFICATION, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE, KIND_VERTEX, kindAddress,
} from '../graph/elements';
import { directorySettle, groupSettle, pairRestore, pairTakeBack, pairUnlink, wordLetGo } from '../graph/groups';
import { keepRow } from '../graph/keeps';
import { PAGE_RETIRES, regionsDrop, regionShrink } from '../graph/regions';
import { recordPurpose, rowRelease, rowRetire, rowShape } from '../graph/rows';
import {
  runningHold, runningKeep, runningNextId, runningPending, runningRelease, runningRemoving, runningSetNextId, runningSetRemoving,
} from '../graph/running';
import { shapeCount, shapeRelease } from '../graph/shapes';
import { PAGE_ID_MASK, PAGE_ID_SHIFT, pageAddress, stateDropPages } from '../graph/state';
import { NONE, PURPOSE_PROPERTIES } from '../memory/layout';
import { retire } from '../memory/retire';
import {
  JOURNAL_CREATED, JOURNAL_EDGE, JOURNAL_ELEMENT, JOURNAL_KIND, JOURNAL_PREVIOUS, JOURNAL_PROPERTY, JOURNAL_VALUE, JOURNAL_VERTEX,
  journalNewest, journalWord,
} from './journal';
import { otherColumn, setKind, vertexRestore, wentAlong } from './remove';

// --- Commit --------------------------------------------------------------------------------------------------------------

// Where giving back is, while it is done in parts.
let cursor: usize = 0;
let settling: bool = false;
let removed: bool = false;
/** Retire entries that all of it may take. */
let promised: u32 = 0;

/** Before `journalCommit`: everything the transaction did is valid. */
export function journalCommitBegin(): void {
  cursor = journalNewest();
  settling = false;
  removed = runningRemoving();
  promised = runningPending();
  runningHold();
}

/** Gives back what the transaction replaced and removed, `most` entries of the journal at most. True: there is more, to be called again. */
export function journalCommit(state: usize, most: u32): bool {
  runningKeep(0);
  for (let left = most; left != 0; left--) {
    if (cursor == 0 && !settling && removed) {
      // From here copying a region leaves removed vertices and dead pairs behind.
      settling = true;
      runningSetRemoving(false);
      cursor = journalNewest();
    }
    if (cursor == 0) {
      runningRelease();
      return false;
    }
    if (settling) entrySettle(state, cursor);
    else entryCommit(state, cursor);
    cursor = <usize>load<u32>(cursor, JOURNAL_PREVIOUS);
  }
  // Others may retire meanwhile, but not at the cost of what is promised here.
  runningKeep(promised);
  return true;
}

function entryCommit(state: usize, entry: usize): void {
  const kind = load<u32>(entry, JOURNAL_KIND);
  if (kind == JOURNAL_PROPERTY || kind == JOURNAL_VALUE) propertyCommit(state, entry);
  else if (kind == JOURNAL_EDGE) removedGiveBack(state, journalWord(entry, 0));
  else if (kind == JOURNAL_VERTEX) vertexCommit(state, load<u32>(entry, JOURNAL_ELEMENT), journalWord(entry, 0));
}

/** The old row and the record that gave way go; the records both rows have stay. */
function propertyCommit(state: usize, entry: usize): void {
  const row: usize = journalWord(entry, 0);
  const record: usize = journalWord(entry, 4);
  if (record != 0) retire(recordPurpose(journalWord(entry, 5)), record);
  if (row == 0) return;
  retire(PURPOSE_PROPERTIES, row);
  shapeRelease(state, rowShape(row));
}

/** The row of a removed element, unless somebody still has to tell what it says. */
function removedGiveBack(state: usize, row: usize): void {
  if (row != 0 && !keepRow(state, row)) rowGiveBack(state, row);
}

function rowGiveBack(state: usize, row: usize): void {
  if (row == 0) return;
  const shape = rowShape(row);
  rowRetire(row);
  shapeRelease(state, shape);
}

/** Rows of the vertex and of the edges that went with it, and the blocks of its groups, which are still read below. */
function vertexCommit(state: usize, vertex: u32, row: usize): void {
  removedGiveBack(state, row);
  const words = columnWord(pageAddress(state, vertex), vertex);
  for (let column = COLUMN_A; column <= COLUMN_B; column += COLUMN_B - COLUMN_A) {
    const word = load<u32>(words + column);
    const groups = adjacencyGroups(word);
    for (let index: u32 = 0; index < groups; index++) {
      const group = adjacencyGroup(word, index);
      const used = groupUsed(group);
      for (let i: u32 = 0; i < used; i++) {
        const neighbour = pairNeighbour(groupPair(group, i));
        if (neighbour == NONE || (neighbour == vertex && column == COLUMN_B)) continue;
        removedGiveBack(state, removedRow(state, pairEdge(groupPair(group, i))));
      }
    }
    wordLetGo(state, vertex, word);
  }
}

/** Row of an edge that went with a vertex. A redo of a log that ends in an erase may have given its id to something else since. */
function removedRow(state: usize, edge: u32): usize {
  const page = pageAddress(state, edge);
  if (load<u8>(kindAddress(page, edge)) == <u8>KIND_NONE) return load<u32>(columnWord(page, edge), COLUMN_ROW);
  let entry = journalNewest();
  while (entry != 0) {
    const found = load<u32>(entry, JOURNAL_KIND) == JOURNAL_CREATED && load<u32>(entry, JOURNAL_ELEMENT) == edge;
    if (found) return journalWord(entry, 3);
    entry = <usize>load<u32>(entry, JOURNAL_PREVIOUS);
  }
  return 0;
}

/** Drops and compacts the groups that lost pairs. */
function entrySettle(state: usize, entry: usize): void {
  const kind = load<u32>(entry, JOURNAL_KIND);
  if (kind == JOURNAL_EDGE) {
    settle(state, journalWord(entry, 1), COLUMN_A, journalWord(entry, 3));
    settle(state, journalWord(entry, 2), COLUMN_B, journalWord(entry, 3));
  } else if (kind == JOURNAL_VERTEX) {
    neighboursSettle(state, load<u32>(entry, JOURNAL_ELEMENT));
  }
}

function neighboursSettle(state: usize, vertex: u32): void {
  const words = columnWord(pageAddress(state, vertex), vertex);
  for (let column = COLUMN_A; column <= COLUMN_B; column += COLUMN_B - COLUMN_A) {
    const word = load<u32>(words + column);
    const groups = adjacencyGroups(word);
    for (let index: u32 = 0; index < groups; index++) {
      const group = adjacencyGroup(word, index);
      const type = groupType(group);
      const used = groupUsed(group);
      for (let i: u32 = 0; i < used; i++) {
        // Whatever became of the edge's id since (a redo may have given it to another edge), its neighbour lost a pair.
        const neighbour = pairNeighbour(groupPair(group, i));
        if (neighbour != NONE && neighbour != vertex) settle(state, neighbour, otherColumn(column), type);
      }
    }
    store<u32>(words + column, 0);
  }
  store<u32>(words, 0, COLUMN_C);
  regionShrink(state, vertex);
}

function settle(state: usize, vertex: u32, column: usize, type: u32): void {
  if (load<u8>(kindAddress(pageAddress(state, vertex), vertex)) != <u8>KIND_VERTEX) return;
  groupSettle(state, vertex, column, type);
  directorySettle(state, vertex, column);
  regionShrink(state, vertex);
}

// --- Undo ----------------------------------------------------------------------------------------------------------------

/** Takes back what the transaction did. `firstId`: the published next id; `redo`: creates are in the journal, too. */
export function journalUndo(state: usize, firstId: u32, redo: bool): void {
  runningHold();
  runningSetRemoving(true);
  for (let entry = journalNewest(); entry != 0; entry = <usize>load<u32>(entry, JOURNAL_PREVIOUS)) {
    const kind = load<u32>(entry, JOURNAL_KIND);
    const id = load<u32>(entry, JOURNAL_ELEMENT);
    if (kind == JOURNAL_PROPERTY) propertyUndo(state, id, entry);
    else if (kind == JOURNAL_VALUE) valueUndo(entry);
    else if (kind == JOURNAL_EDGE) edgeUndo(state, id, entry);
    else if (kind == JOURNAL_VERTEX) vertexUndo(state, id);
    else if (kind == JOURNAL_CREATED) createdUndo(state, id);
    else unreachable();
  }
  const pages = (firstId + PAGE_ID_MASK) >> PAGE_ID_SHIFT;
  const pagesNow = (runningNextId() + PAGE_ID_MASK) >> PAGE_ID_SHIFT;
  if (redo) createdSettle(state, (pagesNow - pages) * PAGE_RETIRES);
  else createsTakeBack(state, firstId);
  for (let page = pages; page < pagesNow; page++) regionsDrop(state, page << PAGE_ID_SHIFT);
  stateDropPages(state, pages);
  runningSetNextId(firstId);
  runningRelease();
}

function propertyUndo(state: usize, id: u32, entry: usize): void {
  const words = columnWord(pageAddress(state, id), id);
  const row: usize = load<u32>(words, COLUMN_ROW);
  const record: usize = journalWord(entry, 2);
  store<u32>(words, journalWord(entry, 1), COLUMN_MODIFICATION);
  atomic.store<u32>(words + COLUMN_ROW, journalWord(entry, 0));
  if (record != 0) retire(recordPurpose(journalWord(entry, 3)), record);
  if (row == 0) return;
  retire(PURPOSE_PROPERTIES, row);
  shapeRelease(state, rowShape(row));
}

function valueUndo(entry: usize): void {
  const record: usize = journalWord(entry, 2);
  if (record != 0) retire(recordPurpose(journalWord(entry, 3)), record);
}

function edgeUndo(state: usize, id: u32, entry: usize): void {
  const source = journalWord(entry, 1);
  const target = journalWord(entry, 2);
  const type = journalWord(entry, 3);
  setKind(state, id, KIND_EDGE);
  pairRestore(state, source, COLUMN_A, type, id, target);
  pairRestore(state, target, COLUMN_B, type, id, source);
}

function vertexUndo(state: usize, vertex: u32): void {
  vertexRestore(state, vertex);
  const words = columnWord(pageAddress(state, vertex), vertex);
  for (let column = COLUMN_A; column <= COLUMN_B; column += COLUMN_B - COLUMN_A) {
    const word = load<u32>(words + column);
    const groups = adjacencyGroups(word);
    for (let index: u32 = 0; index < groups; index++) {
      const group = adjacencyGroup(word, index);
      const used = groupUsed(group);
      for (let i: u32 = 0; i < used; i++) {
        const pair = groupPair(group, i);
        if (!wentAlong(state, vertex, column, pair)) continue;
        const edge = pairEdge(pair);
        const neighbour = pairNeighbour(pair);
        setKind(state, edge, KIND_EDGE);
        if (neighbour != vertex) pairRestore(state, neighbour, otherColumn(column), groupType(group), edge, vertex);
            }
    }
  }
}

/** Created elements off the end, newest first, so that each pair is the last of its group. */
function createsTakeBack(state: usize, firstId: u32): void {
  for (let id = runningNextId(); id > firstId; id--) {
    const edge = id - 1;
    const page = pageAddress(state, edge);
    const words = columnWord(page, edge);
    const kind = <u32>load<u8>(kindAddress(page, edge));
    const row: usize = load<u32>(words, COLUMN_ROW);
    store<u8>(kindAddress(page, edge), <u8>KIND_NONE);
    if (kind == KIND_EDGE) {
      pairTakeBack(state, load<u32>(words, COLUMN_A), COLUMN_A, load<u32>(words, COLUMN_C), edge);
      pairTakeBack(state, load<u32>(words, COLUMN_B), COLUMN_B, load<u32>(words, COLUMN_C), edge);
      rowGiveBack(state, row);
    } else if (row != 0) {
      // Nobody but this transaction's edges could name the vertex, and no reader takes it for one.
      const shape = rowShape(row);
      rowRelease(row, shapeCount(shape));
      shapeRelease(state, shape);
    }
  }
}

/** Redo: the element is none again. Its pairs are marked, its columns restored when all else is. */
function createdUndo(state: usize, id: u32): void {
  const page = pageAddress(state, id);
  const words = columnWord(page, id);
  const isEdge = load<u8>(kindAddress(page, id)) == <u8>KIND_EDGE;
  setKind(state, id, KIND_NONE);
  if (isEdge) {
    pairUnlink(state, load<u32>(words, COLUMN_A), COLUMN_A, load<u32>(words, COLUMN_C), id);
    pairUnlink(state, load<u32>(words, COLUMN_B), COLUMN_B, load<u32>(words, COLUMN_C), id);
  } else {
    for (let column = COLUMN_A; column <= COLUMN_B; column += COLUMN_B - COLUMN_A) {
      const word = load<u32>(words + column);
      wordLetGo(state, id, word);
      store<u32>(words + column, 0);
    }
  }
  rowGiveBack(state, <usize>load<u32>(words, COLUMN_ROW));
}

/**
 * Redo: drops the groups that the taken back edges had made, then restores the columns of ids that existed before. `kept`: retire
 * entries to leave for the pages.
 */
function createdSettle(state: usize, kept: u32): void {
  runningSetRemoving(false);
  runningKeep(kept);
  for (let entry = journalNewest(); entry != 0; entry = <usize>load<u32>(entry, JOURNAL_PREVIOUS)) {
    if (load<u32>(entry, JOURNAL_KIND) != JOURNAL_CREATED) continue;
    const id = load<u32>(entry, JOURNAL_ELEMENT);
    const words = columnWord(pageAddress(state, id), id);
    if (journalWord(entry, 7) != KIND_EDGE) continue;
    const type = load<u32>(words, COLUMN_C);
    settle(state, load<u32>(words, COLUMN_A), COLUMN_A, type);
    settle(state, load<u32>(words, COLUMN_B), COLUMN_B, type);
  }
  for (let entry = journalNewest(); entry != 0; entry = <usize>load<u32>(entry, JOURNAL_PREVIOUS)) {
    if (load<u32>(entry, JOURNAL_KIND) != JOURNAL_CREATED) continue;
    const id = load<u32>(entry, JOURNAL_ELEMENT);
    const words = columnWord(pageAddress(state, id), id);
    for (let i: u32 = 0; i < 7; i++) store<u32>(words + COLUMN_LABEL + ((<usize>i) << 18), journalWord(entry, i));
  }
}
