// What is kept for those who go over a graph while it changes and answer for the elements it had when they began: exports.
//
//   keep   u32 next keep, u32 state, u32 limit (ids from there on are younger), u32 1 = broken, u32 rows queued when it began, u32 words
//          of bits, then a bit an id for vertices that were removed since, then one for edges
//
// The keeps form a list from ROOT_KEEPS. A removal sets the element's bit before its kind goes, so an element of a keep is alive, or has
// its bit. Its columns stay, as those of every removed element do; its row is queued instead of retired, and goes back when no keep that
// began before the removal is left. So what a keep holds was held anyway, and is what was removed since. Where even the queue finds no
// memory, or somebody needs what it holds, the keeps are broken: whoever goes by one ends.
//
// One graph of a memory has keeps at a time. The queue is the writer's: chunks of { u32 next, u32 rows from, u32 rows to, rows }.

import { allocate, release } from '../memory/allocator';
import { PURPOSE_SCRATCH, ROOT_KEEPS } from '../memory/layout';
import { retire, retireAdvance, retireReserve } from '../memory/retire';
import { KIND_EDGE } from './elements';
import { rowRetire, rowRetireCount, rowShape } from './rows';
import { shapeRelease } from './shapes';
import { graphState, stateNextId } from './state';

const KEEP_STATE: usize = 4;
const KEEP_LIMIT: usize = 8;
const KEEP_BROKEN: usize = 12;
const KEEP_ROWS: usize = 16;
const KEEP_WORDS: usize = 20;
const KEEP_HEADER: usize = 24;

const CHUNK_FROM: usize = 4;
const CHUNK_TO: usize = 8;
const CHUNK_ROWS: usize = 12;
const CHUNK_BYTES: usize = 4096;
const CHUNK_END: u32 = <u32>CHUNK_BYTES;
/** Rows given back in one turn: some milliseconds. */
const ROWS_AT_ONCE: u32 = 32_768;

/** The state that the queued rows are of. */
let rowsState: usize = 0;
let firstChunk: usize = 0;
let lastChunk: usize = 0;
/** Rows that were ever queued, and that were ever given back. */
let queued: u32 = 0;
let given: u32 = 0;

// --- [W] ---------------------------------------------------------------------------------------------------------------------

/** Keeps what the graph has now until `keepEnd`; 0 without memory. */
export function keepBegin(graph: usize): usize {
  const state = graphState(graph);
  const limit = stateNextId(state);
  const words = (limit + 31) >> 5;
  const bytes = KEEP_HEADER + ((<usize>words) << 3);
  const keep = allocate(0, PURPOSE_SCRATCH, bytes);
  if (keep == 0) return 0;
  memory.fill(keep, 0, bytes);
  store<u32>(keep, load<u32>(ROOT_KEEPS));
  store<u32>(keep, <u32>state, KEEP_STATE);
  store<u32>(keep, limit, KEEP_LIMIT);
  store<u32>(keep, queued, KEEP_ROWS);
  store<u32>(keep, words, KEEP_WORDS);
  atomic.store<u32>(ROOT_KEEPS, <u32>keep);
  return keep;
}

/** Ends a keep; does nothing to one that has ended. What it alone held goes back, some of it in later turns. */
export function keepEnd(keep: usize): void {
  let at = ROOT_KEEPS;
  while (load<u32>(at) != <u32>keep) {
    if (load<u32>(at) == 0) return;
    at = <usize>load<u32>(at);
  }
  atomic.store<u32>(keep + KEEP_BROKEN, 1);
  // A reader may be looking at it, so it is retired; without room for that it stays in the list, and holds nothing any more.
  if (retireReserve(1)) {
    atomic.store<u32>(at, load<u32>(keep));
    retire(PURPOSE_SCRATCH, keep);
  }
  keepsTidy();
}

/** A live element of the state is about to be removed. */
export function keepRemoved(state: usize, id: u32, kind: u32): void {
  for (let keep = <usize>load<u32>(ROOT_KEEPS); keep != 0; keep = <usize>load<u32>(keep)) {
    if (load<u32>(keep, KEEP_STATE) != <u32>state || id >= load<u32>(keep, KEEP_LIMIT)) continue;
    const at = bitWord(keep, id, kind);
    atomic.store<u32>(at, load<u32>(at) | (1 << (id & 31)));
  }
}

/** Takes the row of a removed element into the queue; false: nobody keeps it. */
export function keepRow(state: usize, row: usize): bool {
  if (load<u32>(ROOT_KEEPS) == 0 || !isKept(state)) return false;
  let end: u32 = lastChunk == 0 ? CHUNK_END : load<u32>(lastChunk, CHUNK_TO);
  if (end + 4 > CHUNK_END) {
    const chunk = allocate(0, PURPOSE_SCRATCH, CHUNK_BYTES);
    if (chunk == 0) {
      keepsBreak(state);
      return false;
    }
    store<u32>(chunk, 0);
    store<u32>(chunk, <u32>CHUNK_ROWS, CHUNK_FROM);
    if (lastChunk == 0) firstChunk = chunk;
    else store<u32>(lastChunk, <u32>chunk);
    lastChunk = chunk;
    end = <u32>CHUNK_ROWS;
  }
  rowsState = state;
  store<u32>(lastChunk + <usize>end, <u32>row);
  store<u32>(lastChunk, end + 4, CHUNK_TO);
  queued++;
  return true;
}

function isKept(state: usize): bool {
  for (let keep = <usize>load<u32>(ROOT_KEEPS); keep != 0; keep = <usize>load<u32>(keep)) {
    if (load<u32>(keep, KEEP_STATE) == <u32>state && load<u32>(keep, KEEP_BROKEN) == 0) return true;
  }
  return false;
}

function keepsBreak(state: usize): void {
  for (let keep = <usize>load<u32>(ROOT_KEEPS); keep != 0; keep = <usize>load<u32>(keep)) {
    if (load<u32>(keep, KEEP_STATE) == <u32>state) atomic.store<u32>(keep + KEEP_BROKEN, 1);
  }
}

/** Another state takes the place of this one, or none does. The heap of this one takes the queued rows along. */
export function keepsReplaced(state: usize): void {
  keepsBreak(state);
  if (rowsState != state) return;
  while (firstChunk != 0) dropChunk();
  given = queued;
}

/** Gives back rows that no keep needs, some at a time. At the end of each transaction. */
export function keepsTidy(): void {
  if (given == queued) return;
  let needed = queued;
  for (let keep = <usize>load<u32>(ROOT_KEEPS); keep != 0; keep = <usize>load<u32>(keep)) {
    if (load<u32>(keep, KEEP_BROKEN) != 0) continue;
    const from = load<u32>(keep, KEEP_ROWS);
    if (<i32>(from - needed) < 0) needed = from;
  }
  for (let left = ROWS_AT_ONCE; left > 0 && <i32>(needed - given) > 0; left--) {
    const at = load<u32>(firstChunk, CHUNK_FROM);
    if (at == load<u32>(firstChunk, CHUNK_TO)) {
      dropChunk();
      continue;
    }
    const row = <usize>load<u32>(firstChunk + <usize>at);
    if (!retireReserve(rowRetireCount(row) + 1)) return;
    store<u32>(firstChunk, at + 4, CHUNK_FROM);
    given++;
    const shape = rowShape(row);
    rowRetire(row);
    shapeRelease(rowsState, shape);
  }
  if (given == queued) while (firstChunk != 0) dropChunk();
}

function dropChunk(): void {
  const chunk = firstChunk;
  firstChunk = <usize>load<u32>(chunk);
  if (firstChunk == 0) lastChunk = 0;
  release(PURPOSE_SCRATCH, chunk);
}

/** Breaks what holds memory, for somebody who has none; false: nothing is held. */
export function keepsYield(graph: usize): bool {
  if (given == queued) return false;
  keepsBreak(graphState(graph));
  const began = given;
  let before = given;
  // Room in the retire list comes back as what is on it goes.
  do {
    before = given;
    keepsTidy();
    retireAdvance();
  } while (given != before && given != queued);
  return given != began;
}

// --- Readers -----------------------------------------------------------------------------------------------------------------

/** Whether the keep still stands for the state. An announced reader may then go by it until it leaves. */
export function keepStands(keep: usize, state: usize): bool {
  let one = <usize>atomic.load<u32>(ROOT_KEEPS);
  while (one != 0 && one != keep) one = <usize>atomic.load<u32>(one);
  return one != 0 && load<u32>(one, KEEP_STATE) == <u32>state && atomic.load<u32>(one + KEEP_BROKEN) == 0;
}

/** First id that is too young for the keep. */
export function keepLimit(keep: usize): u32 {
  return load<u32>(keep, KEEP_LIMIT);
}

/** Whether an element that is none now, of an id below the limit, was one of the kind when the keep began. */
export function keepHas(keep: usize, id: u32, kind: u32): bool {
  return ((atomic.load<u32>(bitWord(keep, id, kind)) >> (id & 31)) & 1) != 0;
}

// @ts-ignore: decorator
@inline
function bitWord(keep: usize, id: u32, kind: u32): usize {
  const first = kind == KIND_EDGE ? load<u32>(keep, KEEP_WORDS) : 0;
  return keep + KEEP_HEADER + ((<usize>(first + (id >> 5))) << 2);
}
