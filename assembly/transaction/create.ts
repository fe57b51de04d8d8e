// Creating elements: at the end of the id space, or (redo) wherever the log says.
//
// A new element's id is not below the published next id until commit, so readers take it for none even where a pair names it.
// Its columns are filled before its pairs are added. A redo that finds an element keeps it: ids are never reused, so what stands
// there came from the same create, and whatever later operations of the log did to it they do again. (Only a log that goes on
// to erase the graph can find another element there; then it does not matter.)

import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_CREATION, COLUMN_LABEL, COLUMN_MODIFICATION, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE,
  KIND_VERTEX, kindAddress,
} from '../graph/elements';
import { pairAdd } from '../graph/groups';
import { PAGE_RETIRES, REGION_TABLE_BYTES, REMOVED_VERTEX } from '../graph/regions';
import { hasRecord, recordPurpose, rowAllocate, rowSlot, valueBytes, valueStore } from '../graph/rows';
import { reserveLater, runningNextId, runningSetNextId } from '../graph/running';
import { shapeRetain } from '../graph/shapes';
import { PAGE_ID_MASK, pageAddress, stateAddPage, stateHeap } from '../graph/state';
import { touchCreated } from '../graph/touched';
import { release } from '../memory/allocator';
import { NONE, PURPOSE_PROPERTIES } from '../memory/layout';
import { NO_MEMORY, NOT_FOUND, OK } from '../status';
import { CHANGE_EDGE_CREATED, CHANGE_VERTEX_CREATED, changeElement } from './changes';
import {
  CREATE_EDGE_BYTES, CREATE_FLAGS, CREATE_SOURCE, CREATE_SOURCE_RELATIVE, CREATE_TARGET, CREATE_TARGET_RELATIVE, CREATE_TIME, EDGE_TARGET,
  ENTRY_TYPE, OPERATION_BYTES,
} from './format';
import { JOURNAL_CREATED, journalAdd, journalEntry, journalSet } from './journal';
import {
  RECORD_COUNT, RECORD_EDGE_TYPE, RECORD_ENTRIES, RECORD_KIND, RECORD_LABEL, RECORD_RECORDS, RECORD_SHAPE, RECORD_SLOTS, RECORD_VALUE_BYTES,
} from './templates';
import { countEdges, countVertices, writerFail, writerUnlinked } from './writer';

/** Edges of a run that are created at a time. */
const RUN_EDGES: u32 = 2048;

/** Kind of an id as the running transaction sees it. */
// @ts-ignore: decorator
@inline
export function kindNow(state: usize, id: u32): u32 {
  return id < runningNextId() ? <u32>load<u8>(kindAddress(pageAddress(state, id), id)) : KIND_NONE;
}

/** Bytes of the create operation at `at`. */
// @ts-ignore: decorator
@inline
export function createLength(at: usize, record: usize): usize {
  let size: usize = load<u32>(record, RECORD_KIND) == KIND_EDGE ? CREATE_EDGE_BYTES : OPERATION_BYTES;
  const fixed = load<u32>(record, RECORD_VALUE_BYTES);
  if (fixed != 0xffffffff) return size + <usize>fixed;
  const entries: usize = load<u32>(record, RECORD_ENTRIES);
  const count = load<u32>(record, RECORD_COUNT);
  for (let i: u32 = 0; i < count; i++) size += valueBytes(load<u32>(entries + ((<usize>i) << 3), ENTRY_TYPE), at + size);
  return size;
}

/** Makes the page of `id` if it does not exist. */
// @ts-ignore: decorator
@inline
function pageReady(state: usize, id: u32): bool {
  if ((id & PAGE_ID_MASK) != 0) return true;
  return pageMake(state, id);
}

function pageMake(state: usize, id: u32): bool {
  return reserveLater(PAGE_RETIRES) && stateAddPage(state, id, REGION_TABLE_BYTES);
}

/** Creates the next element from the operation at `at` with the resolved template `record`. OK, NOT_FOUND or NO_MEMORY. */
export function create(state: usize, at: usize, record: usize, index: u32, firstId: u32): i32 {
  if (load<u32>(record, RECORD_KIND) != KIND_EDGE) return createNext(state, at, record, index, 0, 0);
  const flags = load<u32>(at, CREATE_FLAGS);
  const source = load<u32>(at, CREATE_SOURCE) + ((flags & CREATE_SOURCE_RELATIVE) != 0 ? firstId : 0);
  const target = load<u32>(at, CREATE_TARGET) + ((flags & CREATE_TARGET_RELATIVE) != 0 ? firstId : 0);
  return createNext(state, at, record, index, source, target);
}

/** Creates the next element from the operation at `at`, a run of edges included, between these vertices. As `create`. */
// @ts-ignore: decorator
@inline
export function createNext(state: usize, at: usize, record: usize, index: u32, source: u32, target: u32): i32 {
  const id = runningNextId();
  if (load<u32>(record, RECORD_KIND) == KIND_EDGE) {
    if (kindNow(state, source) != KIND_VERTEX) return missing(index, source);
    if (kindNow(state, target) != KIND_VERTEX) return missing(index, target);
    // Undo retires what an edge brought: a reader may have come to it through a pair.
    if (load<u32>(record, RECORD_COUNT) != 0 && !reserveLater(load<u32>(record, RECORD_RECORDS) + 1)) return NO_MEMORY;
  }
  if (!pageReady(state, id)) return NO_MEMORY;
  if (!fill(state, id, at, record, source, target)) return NO_MEMORY;
  runningSetNextId(id + 1);
  return finish(state, id, record, source, target);
}

function missing(index: u32, id: u32): i32 {
  writerFail(index, id);
  return NOT_FOUND;
}

/**
 * Creates the edges of the run at `at`, which have no properties, in a graph whose edges are linked later: column by column, some thousand
 * edges at a time. As `create`.
 */
export function createRun(state: usize, at: usize, record: usize, index: u32, count: u32): i32 {
  let pair = at + OPERATION_BYTES;
  for (let left = count; left != 0; ) {
    const id = runningNextId();
    if (!pageReady(state, id)) return NO_MEMORY;
    const some = min<u32>(min<u32>(left, RUN_EDGES), PAGE_ID_MASK + 1 - (id & PAGE_ID_MASK));
    // Many of a run have the same source.
    let known: u32 = NONE;
    for (let i: u32 = 0; i < some; i++) {
      const source = load<u32>(pair + ((<usize>i) << 3));
      const target = load<u32>(pair + ((<usize>i) << 3), EDGE_TARGET);
      if (source != known && kindNow(state, source) != KIND_VERTEX) return missing(index, source);
      if (kindNow(state, target) != KIND_VERTEX) return missing(index, target);
      known = source;
    }
    fillRun(state, id, at, record, pair, some);
    runningSetNextId(id + some);
    countEdges(some);
    for (let i: u32 = 0; i < some; i++) {
      if (!touchCreated(id + i) || !changeElement(state, CHANGE_EDGE_CREATED, id + i)) return NO_MEMORY;
    }
    pair += (<usize>some) << 3;
    left -= some;
  }
  return OK;
}

/** The columns of `count` new edges of one page. */
function fillRun(state: usize, id: u32, at: usize, record: usize, pair: usize, count: u32): void {
  const page = pageAddress(state, id);
  const words = columnWord(page, id);
  const end = words + ((<usize>count) << 2);
  const creation = load<u32>(at, CREATE_TIME);
  wordsFill(words + COLUMN_LABEL, count, load<u32>(record, RECORD_LABEL));
  wordsFill(words + COLUMN_CREATION, count, creation);
  wordsFill(words + COLUMN_MODIFICATION, count, creation);
  wordsFill(words + COLUMN_ROW, count, 0);
  wordsFill(words + COLUMN_C, count, load<u32>(record, RECORD_EDGE_TYPE));
  for (let word = words; word < end; word += 4) {
    store<u32>(word, load<u32>(pair), COLUMN_A);
    store<u32>(word, load<u32>(pair, EDGE_TARGET), COLUMN_B);
    pair += 8;
  }
  memory.fill(kindAddress(page, id), <u8>KIND_EDGE, <usize>count);
}

function wordsFill(at: usize, count: u32, value: u32): void {
  for (const end = at + ((<usize>count) << 2); at < end; at += 4) store<u32>(at, value);
}

/** The columns of a new element; false = no memory, nothing changed. */
// @ts-ignore: decorator
@inline
function fill(state: usize, id: u32, at: usize, record: usize, source: u32, target: u32): bool {
  const kind = load<u32>(record, RECORD_KIND);
  let row: usize = 0;
  if (load<u32>(record, RECORD_COUNT) != 0) {
    row = rowCreate(stateHeap(state), at + (kind == KIND_EDGE ? CREATE_EDGE_BYTES : OPERATION_BYTES), record);
    if (row == 0) return false;
    shapeRetain(<usize>load<u32>(record, RECORD_SHAPE), 1);
  }
  const page = pageAddress(state, id);
  const words = columnWord(page, id);
  const creation = load<u32>(at, CREATE_TIME);
  store<u32>(words, load<u32>(record, RECORD_LABEL), COLUMN_LABEL);
  store<u32>(words, creation, COLUMN_CREATION);
  store<u32>(words, creation, COLUMN_MODIFICATION);
  store<u32>(words, <u32>row, COLUMN_ROW);
  store<u32>(words, source, COLUMN_A);
  store<u32>(words, target, COLUMN_B);
  store<u32>(words, kind == KIND_EDGE ? load<u32>(record, RECORD_EDGE_TYPE) : 0, COLUMN_C);
  atomic.store<u8>(kindAddress(page, id), <u8>kind);
  return true;
}

/** A row with the values at `at`, in template order there, in shape order here; 0 = no memory. */
// @ts-ignore: decorator
@inline
function rowCreate(heap: u32, at: usize, record: usize): usize {
  const count = load<u32>(record, RECORD_COUNT);
  const row = rowAllocate(heap, <usize>load<u32>(record, RECORD_SHAPE), count);
  if (row == 0) return 0;
  const entries: usize = load<u32>(record, RECORD_ENTRIES);
  const slots: usize = load<u32>(record, RECORD_SLOTS);
  for (let i: u32 = 0; i < count; i++) {
    const type = load<u32>(entries + ((<usize>i) << 3), ENTRY_TYPE);
    const slot = load<u32>(slots + ((<usize>i) << 2));
    if (!valueStore(heap, type, at, rowSlot(row, slot))) {
      rowAbandon(row, i, entries, slots);
      return 0;
    }
    at += valueBytes(type, at);
  }
  return row;
}

/** Frees a row of which only the first `filled` values are there. */
function rowAbandon(row: usize, filled: u32, entries: usize, slots: usize): void {
  for (let i: u32 = 0; i < filled; i++) {
    const type = load<u32>(entries + ((<usize>i) << 3), ENTRY_TYPE);
    if (!hasRecord(type)) continue;
    release(recordPurpose(type), <usize>load<u32>(rowSlot(row, load<u32>(slots + ((<usize>i) << 2)))));
  }
  release(PURPOSE_PROPERTIES, row);
}

/** Counts the element, hangs an edge into its groups, notes the change. */
// @ts-ignore: decorator
@inline
function finish(state: usize, id: u32, record: usize, source: u32, target: u32): i32 {
  if (!touchCreated(id)) return NO_MEMORY;
  if (load<u32>(record, RECORD_KIND) == KIND_VERTEX) {
    countVertices(1);
    return changeElement(state, CHANGE_VERTEX_CREATED, id) ? OK : NO_MEMORY;
  }
  countEdges(1);
  if (writerUnlinked()) return changeElement(state, CHANGE_EDGE_CREATED, id) ? OK : NO_MEMORY;
  const type = load<u32>(record, RECORD_EDGE_TYPE);
  if (!pairAdd(state, source, COLUMN_A, type, id, target)) return NO_MEMORY;
  if (!pairAdd(state, target, COLUMN_B, type, id, source)) return NO_MEMORY;
  return changeElement(state, CHANGE_EDGE_CREATED, id) ? OK : NO_MEMORY;
}

// --- Redo ----------------------------------------------------------------------------------------------------------------

/** Creates element `id` as a log says; keeps it if it is there, skips an edge without its vertices. OK or NO_MEMORY. */
export function createAgain(state: usize, at: usize, record: usize, id: u32, firstId: u32): i32 {
  if (load<u32>(record, RECORD_KIND) != KIND_EDGE) return createThere(state, at, record, id, 0, 0);
  const flags = load<u32>(at, CREATE_FLAGS);
  const source = load<u32>(at, CREATE_SOURCE) + ((flags & CREATE_SOURCE_RELATIVE) != 0 ? firstId : 0);
  const target = load<u32>(at, CREATE_TARGET) + ((flags & CREATE_TARGET_RELATIVE) != 0 ? firstId : 0);
  return createThere(state, at, record, id, source, target);
}

/** The same for an element of the operation at `at`, a run of edges included, between these vertices. */
export function createThere(state: usize, at: usize, record: usize, id: u32, source: u32, target: u32): i32 {
  const kind = load<u32>(record, RECORD_KIND);
  if (!idsReady(state, id)) return NO_MEMORY;
  const page = pageAddress(state, id);
  const words = columnWord(page, id);
  const present = <u32>load<u8>(kindAddress(page, id));
  if (present != KIND_NONE || load<u32>(words, COLUMN_C) == REMOVED_VERTEX) return OK;
  if (kind == KIND_EDGE) {
    if (kindNow(state, source) != KIND_VERTEX || kindNow(state, target) != KIND_VERTEX) return OK;
  }
  const entry = journalEntry(JOURNAL_CREATED, id);
  if (entry == 0 || !reserveLater(load<u32>(record, RECORD_RECORDS) + 2)) return NO_MEMORY;
  for (let i: u32 = 0; i < 7; i++) journalSet(entry, i, load<u32>(words + COLUMN_LABEL + ((<usize>i) << 18)));
  journalSet(entry, 7, kind);
  if (!fill(state, id, at, record, source, target)) return NO_MEMORY;
  journalAdd(entry);
  return finish(state, id, record, source, target);
}

/** Every id up to and with `id` has its place; new ones are no elements yet. */
export function idsReady(state: usize, id: u32): bool {
  let next = runningNextId();
  while (next <= id) {
    if (!pageReady(state, next)) return false;
    const page = pageAddress(state, next);
    const last = min<u32>(id, next | PAGE_ID_MASK);
    memory.fill(kindAddress(page, next), <u8>KIND_NONE, <usize>(last - next + 1));
    for (let i = next; i <= last; i++) store<u32>(columnWord(page, i), 0, COLUMN_C);
    next = last + 1;
    runningSetNextId(next);
  }
  return true;
}
