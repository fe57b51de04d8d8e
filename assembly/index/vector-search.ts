// kNN over a vector index as the host asks for it: requests in, the best of each out, on one thread or several.
//
//   request   for each query { u32 k, u32 kinds (1 vertices, 2 edges), u32 label (intern id, NONE = any), u32 zero, then the components,
//             zeros up to a multiple of 16 }
//   answer    for each query { u32 count, count x { f32 score, u32 element } }, best first, in OUTPUT
//   gang      (memory/gang.ts) u32 status, u32 index, u32 slab, u32 rows, u32 version, u32 next row
//
// A search covers the rows of one commit. Several threads search as a gang: all are announced before the first of them takes the snapshot,
// so its slab stays until the last has left, and all see the same rows. Each takes the next piece of rows until none is left and
// answers the best of its own; merged by score, then by id, they are the answer of one thread. How rows are dealt out, whether
// queries share a pass, and whether a companion is there changes no bit of it.

import { graphState, stateIndexes } from '../graph/state';
import { outBegin, outCommit, outReserve, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { GANG_SHARED, gangBarrier } from '../memory/gang';
import { stopWord } from '../memory/stop';
import { outputFailure } from '../read/output';
import { NOT_FOUND, OK, STOPPED } from '../status';
import { indexFind } from './catalogue';
import { INDEX_KIND, INDEX_VECTOR } from './layout';
import { companionMany, companionOne, companionOpen, companionScored } from './vector-companion';
import { QUERY_CODES, queryOpen, queryTakes, queryTakesAll, queryTop, scanMetric, scanOpen } from './vector-query';
import { SLAB_CAPACITY, slabCommitted, vectorDimension, vectorRowBytes, vectorSlab } from './vector-rows';
import { scanMany, scanPack, scanPackBytes, SUMS_BYTES } from './vector-scan';
import { METRIC_L2 } from './vector-score';
import { TOP_ID, topCount, topEntry, topSort } from './vector-top';

const REQUEST_K: usize = 0;
const REQUEST_KINDS: usize = 4;
const REQUEST_LABEL: usize = 8;
const REQUEST_HEADER: usize = 16;

const SHARED_STATUS: usize = GANG_SHARED;
const SHARED_INDEX: usize = GANG_SHARED + 4;
const SHARED_SLAB: usize = GANG_SHARED + 8;
const SHARED_ROWS: usize = GANG_SHARED + 12;
const SHARED_VERSION: usize = GANG_SHARED + 16;
const SHARED_NEXT: usize = GANG_SHARED + 20;

/**
 * Bytes of rows that a thread takes at a time: up to 200 µs of reading, and towards the end less, so that several threads end at nearly
 * the same time.
 */
const PIECE_BYTES_LEAST: u32 = 1 << 18;
const PIECE_BYTES_MOST: u32 = 1 << 22;
const PIECES: u32 = 8;

/** Rows of a piece that are looked at to learn how many a query takes. */
const SAMPLE_ROWS: u32 = 32;
/** Bytes of a line of the cache. */
const LINE_BYTES: usize = 64;

// The snapshot: of this call, or the gang's.
let index: usize = 0;
let slab: usize = 0;
let rows: u32 = 0;
let version: u32 = 0;
/** What is left of the rows when nobody shares them. */
let nextRow: u32 = 0;

// The queries under way: addresses of those that have codes and of those that have none, and of all tops in order.
let coded: usize = 0;
let codedCount: u32 = 0;
let plain: usize = 0;
let plainCount: u32 = 0;
let tops: usize = 0;
/** Both lists as scanPack lays them out. */
let codedPacks: usize = 0;
let plainPacks: usize = 0;
let sums: usize = 0;
/** The companion does not pay for these queries. */
let companionOff: bool = false;
/** The query, when it is alone and has constraints; 0 otherwise. */
let chosen: usize = 0;

/**
 * Answers `count` requests for vectors of `dimension` components over the vector index of that name. `gang`: 0, or where this
 * instance meets the others as number `member`. OK; NOT_FOUND when there is no such index any more; STOPPED; or NO_MEMORY (writer),
 * ARENA_TOO_SMALL (reader), which a member of a gang answers only after it has met the others.
 */
export function vectorSearch(
  graph: usize, name: usize, nameBytes: u32, dimension: u32, request: usize, count: u32, gang: usize, member: u32,
): i32 {
  outBegin();
  let code = OK;
  if (gang == 0) {
    code = snapshot(graph, name, nameBytes, dimension);
  } else {
    if (gangBarrier(gang) != 0) return STOPPED;
    if (member == 0) snapshotShare(gang, snapshot(graph, name, nameBytes, dimension));
    if (gangBarrier(gang) != 0) return STOPPED;
    code = snapshotTake(gang);
  }
  if (code != OK) return code;
  const mark = scratchMark();
  code = search(graph, request, count, gang);
  scratchRelease(mark);
  return code;
}

function snapshot(graph: usize, name: usize, nameBytes: u32, dimension: u32): i32 {
  const state = graphState(graph);
  index = stateIndexes(state) == 0 ? 0 : indexFind(state, name, nameBytes);
  if (index == 0 || load<u32>(index, INDEX_KIND) != INDEX_VECTOR || vectorDimension(index) != dimension) return NOT_FOUND;
  snapshotOf(index);
  return OK;
}

function snapshotOf(address: usize): void {
  index = address;
  slab = vectorSlab(address);
  const committed: u64 = slab == 0 ? 0 : slabCommitted(slab);
  rows = <u32>committed;
  version = <u32>(committed >> 32);
  nextRow = 0;
}

function snapshotShare(gang: usize, status: i32): void {
  store<u32>(gang, <u32>status, SHARED_STATUS);
  store<u32>(gang, <u32>index, SHARED_INDEX);
  store<u32>(gang, <u32>slab, SHARED_SLAB);
  store<u32>(gang, rows, SHARED_ROWS);
  store<u32>(gang, version, SHARED_VERSION);
  atomic.store<u32>(gang + SHARED_NEXT, 0);
}

function snapshotTake(gang: usize): i32 {
  index = <usize>load<u32>(gang, SHARED_INDEX);
  slab = <usize>load<u32>(gang, SHARED_SLAB);
  rows = load<u32>(gang, SHARED_ROWS);
  version = load<u32>(gang, SHARED_VERSION);
  return <i32>load<u32>(gang, SHARED_STATUS);
}

function search(graph: usize, request: usize, count: u32, gang: usize): i32 {
  if (slab != 0 && !queriesOpen(graph, request, count)) return outputFailure();
  if (!pieces(gang)) return STOPPED;
  for (let i: u32 = 0; i < count; i++) {
    if (!answer(slab == 0 ? 0 : <usize>load<u32>(tops + (<usize>i << 2)))) return outputFailure();
  }
  return OK;
}

/** False: no memory. */
function queriesOpen(graph: usize, request: usize, count: u32): bool {
  const lists = scratchAllocate(12 * <usize>count);
  sums = (scratchAllocate(SUMS_BYTES + 8) + 15) & ~15;
  if (lists == 0 || sums < 16) return false;
  coded = lists;
  plain = lists + (<usize>count << 2);
  tops = plain + (<usize>count << 2);
  codedCount = 0;
  plainCount = 0;
  companionOff = false;
  chosen = 0;
  scanOpen(graphState(graph), index, slab, version);
  companionOpen(load<u32>(slab, SLAB_CAPACITY));
  const requestBytes = REQUEST_HEADER + vectorRowBytes(index);
  for (let i: u32 = 0; i < count; i++) {
    const at = request + <usize>i * requestBytes;
    const query = queryOpen(at + REQUEST_HEADER, load<u32>(at, REQUEST_K), load<u32>(at, REQUEST_KINDS), load<u32>(at, REQUEST_LABEL));
    if (query == 0) return false;
    store<u32>(tops + (<usize>i << 2), <u32>queryTop(query));
    if (count == 1 && !queryTakesAll(query)) chosen = query;
    if (load<u32>(query, QUERY_CODES) != 0) {
      store<u32>(coded + (<usize>codedCount << 2), <u32>query);
      codedCount++;
    } else {
      store<u32>(plain + (<usize>plainCount << 2), <u32>query);
      plainCount++;
    }
  }
  return packsOpen();
}

/** False: no memory. */
function packsOpen(): bool {
  const codedBytes: usize = codedCount > 1 ? scanPackBytes(codedCount) : 0;
  const plainBytes: usize = plainCount > 1 ? scanPackBytes(plainCount) : 0;
  if ((codedBytes | plainBytes) == 0) return true;
  const packs = scratchAllocate(codedBytes + plainBytes + LINE_BYTES);
  if (packs == 0) return false;
  codedPacks = (packs + LINE_BYTES - 1) & ~(LINE_BYTES - 1);
  plainPacks = codedPacks + codedBytes;
  if (codedBytes != 0) scanPack(coded, codedCount, codedPacks);
  if (plainBytes != 0) scanPack(plain, plainCount, plainPacks);
  return true;
}

/** Searches piece after piece until none is left. False: told to stop. */
function pieces(gang: usize): bool {
  if (slab == 0) return true;
  const rowBytes = <u32>vectorRowBytes(index);
  const least = PIECE_BYTES_LEAST / rowBytes;
  const most = PIECE_BYTES_MOST / rowBytes;
  while (true) {
    let from = nextRow;
    if (gang != 0) from = atomic.load<u32>(gang + SHARED_NEXT);
    if (from >= rows) return true;
    const step = max<u32>(64, min<u32>(most, max<u32>(least, (rows - from) / PIECES)) & ~3);
    const to = min<u32>(rows, from + step);
    if (gang == 0) nextRow = to;
    else if (atomic.cmpxchg<u32>(gang + SHARED_NEXT, from, to) != from) continue;
    piece(from, to);
    if (stopWord() != 0) return false;
  }
  return true;
}

/** The companion is used as long as it leaves out three rows in four. */
function piece(from: u32, to: u32): void {
  if (plainCount != 0) scanMany(plain, plainCount, plainPacks, sums, from, to);
  if (codedCount == 0) return;
  if (companionOff || (chosen != 0 && !takesMany(chosen, from, to))) {
    scanMany(coded, codedCount, codedPacks, sums, from, to);
    return;
  }
  const before = companionScored();
  if (codedCount == 1) companionOne(<usize>load<u32>(coded), from, to);
  else companionMany(coded, codedCount, from, to);
  // The first piece fills the top and says nothing.
  companionOff = before != 0 && <u64>(companionScored() - before) * 4 > <u64>(to - from) * codedCount;
}

/**
 * Whether a query takes at least one in eight of the rows [from, to), by a sample: then their bounds cost less than the scores of those
 * it takes.
 */
function takesMany(query: usize, from: u32, to: u32): bool {
  let taken: u32 = 0;
  for (let i: u32 = 0; i < SAMPLE_ROWS; i++) {
    // Steps of the golden ratio: spread evenly, and in time with no period of the rows.
    const row = from + <u32>((<u64>(i * 0x9e3779b1) * <u64>(to - from)) >> 32);
    taken += u32(queryTakes(query, row));
  }
  return taken * 8 >= SAMPLE_ROWS;
}

/** Appends the answer that a top holds. */
function answer(top: usize): bool {
  const found: u32 = top == 0 ? 0 : topCount(top);
  const bytes: usize = 4 + (<usize>found << 3);
  const to = outReserve(bytes);
  if (to == 0) return false;
  store<u32>(to, found);
  if (found != 0) topSort(top);
  for (let i: u32 = 0; i < found; i++) {
    const entry = topEntry(top, i);
    const key = load<f32>(entry);
    const at = to + 4 + (<usize>i << 3);
    store<f32>(at, scanMetric == METRIC_L2 ? -key : key);
    store<u32>(at, load<u32>(entry, TOP_ID), TOP_ID);
  }
  outCommit(bytes);
  return true;
}

// --- For tests: a snapshot that is held while its rows are searched in parts --------------------------------------------------------

/** @testonly Takes the snapshot of an index; answers its slab. */
export function vectorSnapshot(address: usize): usize {
  snapshotOf(address);
  return slab;
}

/** @testonly */
export function vectorSnapshotRows(): u32 {
  return rows;
}

/** @testonly */
export function vectorSnapshotVersion(): u32 {
  return version;
}

/** @testonly Answers requests over rows [from, to) of a snapshot taken before. `gang`: 0, or a block of one that searches alone. */
export function vectorSearchPart(
  graph: usize, address: usize, slabThen: usize, versionThen: u32, request: usize, count: u32, from: u32, to: u32, gang: usize,
): i32 {
  outBegin();
  const mark = scratchMark();
  index = address;
  slab = slabThen;
  rows = to;
  version = versionThen;
  nextRow = from;
  if (gang != 0) atomic.store<u32>(gang + SHARED_NEXT, from);
  const code = search(graph, request, count, gang);
  scratchRelease(mark);
  return code;
}
