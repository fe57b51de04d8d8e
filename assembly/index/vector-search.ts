// kNN over a vector index as the host asks for it: requests in, the best of each out; and the pair score for single vectors.
//
//   request   for each query { u32 k, u32 kinds (1 vertices, 2 edges), u32 label (intern id, NONE = any), u32 zero, then the components,
//             zeros up to a multiple of 16 }: 16 + row bytes each
//   answer    for each query { u32 count, count x { f32 score, u32 element } }, best first, in OUTPUT
//
// A search covers rows [from, to) of a snapshot: the slab and the committed word of one moment (`vectorSnapshot`). Several threads
// that search parts of one snapshot and merge by score, then by id, have the answer of one that searches all; how the rows are
// split, whether queries share a pass, and whether a companion is there changes no bit. The snapshot's slab must stay: the thread that
// took it keeps itself announced, or the writer has pinned the index.

import { graphState } from '../graph/state';
import { outBegin, outCommit, outReserve, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { outputFailure } from '../read/output';
import { OK } from '../status';
import { companionMany, companionOne, companionOpen, companionScored } from './vector-companion';
import { QUERY_CODES, queryOpen, queryTakesAll, queryTop, scanCompanion, scanMetric, scanOpen } from './vector-query';
import { scanMany, scanOne } from './vector-scan';
import { METRIC_L2 } from './vector-score';
import { SLAB_CAPACITY, slabCommitted, vectorRowBytes, vectorSlab } from './vector-slab';
import { topCount, topEntry, topSort } from './vector-top';

const REQUEST_K: usize = 0;
const REQUEST_KINDS: usize = 4;
const REQUEST_LABEL: usize = 8;
const REQUEST_HEADER: usize = 16;

/** Rows after which a scan by the companion asks itself whether it pays. */
const PROBE_ROWS: u32 = 4096;

let snapshotSlab: usize = 0;
let snapshotRows: u32 = 0;
let snapshotVersion: u32 = 0;

/** Takes the snapshot of now; answers its slab, 0 = there are no rows. The parts are asked for one by one. */
export function vectorSnapshot(index: usize): usize {
  snapshotSlab = vectorSlab(index);
  const committed: u64 = snapshotSlab == 0 ? 0 : slabCommitted(snapshotSlab);
  snapshotRows = <u32>committed;
  snapshotVersion = <u32>(committed >> 32);
  return snapshotSlab;
}

export function vectorSnapshotRows(): u32 {
  return snapshotRows;
}

export function vectorSnapshotVersion(): u32 {
  return snapshotVersion;
}

/**
 * Answers `count` requests at `request` over rows [from, to) of the snapshot. OK, or NO_MEMORY (writer), ARENA_TOO_SMALL (reader).
 */
export function vectorSearch(
  graph: usize, index: usize, slab: usize, version: u32, request: usize, count: u32, from: u32, to: u32,
): i32 {
  outBegin();
  const mark = scratchMark();
  const code = search(graph, index, slab, version, request, count, from, to);
  scratchRelease(mark);
  return code;
}

function search(
  graph: usize, index: usize, slab: usize, version: u32, request: usize, count: u32, from: u32, to: u32,
): i32 {
  const queries = scratchAllocate(<usize>count << 3);
  if (queries == 0) return outputFailure();
  // First those that have codes, then, behind room for all, those that have none.
  const plain = queries + (<usize>count << 2);
  let coded: u32 = 0;
  let others: u32 = 0;
  const requestBytes = REQUEST_HEADER + vectorRowBytes(index);
  const tops = scratchAllocate(<usize>count << 2);
  if (tops == 0) return outputFailure();
  if (slab != 0) scanOpen(graphState(graph), index, slab, version);
  for (let i: u32 = 0; i < count && slab != 0; i++) {
    const at = request + <usize>i * requestBytes;
    const query = queryOpen(at + REQUEST_HEADER, load<u32>(at, REQUEST_K), load<u32>(at, REQUEST_KINDS), load<u32>(at, REQUEST_LABEL));
    if (query == 0) return outputFailure();
    store<u32>(tops + (<usize>i << 2), <u32>queryTop(query));
    // Where constraints leave few rows, those are found first and scored in full.
    if (load<u32>(query, QUERY_CODES) != 0 && (count > 1 || queryTakesAll(query))) {
      store<u32>(queries + (<usize>coded << 2), <u32>query);
      coded++;
    } else {
      store<u32>(plain + (<usize>others << 2), <u32>query);
      others++;
    }
  }
  if (others != 0 && !scanMany(plain, others, from, to)) return outputFailure();
  if (coded != 0 && !scanCoded(queries, coded, load<u32>(slab, SLAB_CAPACITY), from, to)) return outputFailure();
  for (let i: u32 = 0; i < count; i++) {
    if (!answer(slab == 0 ? 0 : <usize>load<u32>(tops + (<usize>i << 2)))) return outputFailure();
  }
  return OK;
}

/** By the companion as long as it leaves out three rows in four, plainly from there on. */
function scanCoded(queries: usize, count: u32, capacity: u32, from: u32, to: u32): bool {
  let row = from;
  companionOpen(capacity);
  while (row < to) {
    const end = to - row > PROBE_ROWS ? row + PROBE_ROWS : to;
    const before = companionScored();
    if (count == 1) companionOne(<usize>load<u32>(queries), row, end);
    else companionMany(queries, count, row, end);
    row = end;
    // The first rows fill the top and say nothing.
    if (row != from + PROBE_ROWS && <u64>(companionScored() - before) * 4 > <u64>PROBE_ROWS * count) break;
  }
  return row == to || scanMany(queries, count, row, to);
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
    store<u32>(at, load<u32>(entry, 4), 4);
  }
  outCommit(bytes);
  return true;
}
