// What a run came to, for the host: best scores, partitions by size, members of a partition, all values, statistics. To be asked when
// no member is at work on the job any more; a stopped job of rounds answers from its last complete one. Everything is in terms of
// vertex ids and independent of the order of positions. Lists stand in OUTPUT; each function says its record.
//
// Best-of lists keep a heap of the wanted length with the worst entry on top: O(vertices + entries that enter × log of the length).

import { outBegin, outCommit, outReserve } from '../memory/arena';
import { NONE } from '../memory/layout';
import { outputFailure } from '../read/output';
import { OK } from '../status';
import {
  address, get, JOB_CONVERGED, JOB_ERROR, JOB_ERROR_ELEMENT, JOB_ITERATIONS, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SIZES,
  JOB_SUM, RESULT_F64, RESULT_PARTITION, RESULT_U32, RESULT_U8, setWord, smallValue, word,
} from './job';
import { P_COUNT, P_IDS, positionOf, rankOf } from './projection';

// Record of a best-of list: f64 score, u32 id, u32 zero.
const ENTRY: usize = 16;
const ENTRY_ID: usize = 8;

let count: u32 = 0;
let total: u32 = 0;
let least: f64 = 0;
let greatest: f64 = 0;
let mean: f64 = 0;

/** Records that stand in OUTPUT after the last call. */
export function resultCount(): u32 {
  return count;
}

/** Of the last call: partitions there are, members the partition has, or vertices with a value. */
export function resultTotal(): u32 {
  return total;
}

/** Complete rounds; 1 for an algorithm of one pass. */
export function resultIterations(job: usize): u32 {
  return get(job, JOB_ITERATIONS);
}

export function resultConverged(job: usize): bool {
  return get(job, JOB_CONVERGED) != 0;
}

/** RESULT_…: what the values are. */
export function resultType(job: usize): u32 {
  const type = get(job, JOB_RESULT_TYPE);
  return type == RESULT_U8 ? RESULT_U32 : type;
}

/** The algorithm's number about the whole: components (WCC, SCC), triangles counted once, modularity (LOUVAIN). */
export function resultSum(job: usize): f64 {
  return load<f64>(job, JOB_SUM);
}

/** ERROR_… of a failed job, and `jobErrorElement` the id it is about. */
export function jobError(job: usize): u32 {
  return get(job, JOB_ERROR);
}

export function jobErrorElement(job: usize): u32 {
  return get(job, JOB_ERROR_ELEMENT);
}

/** Score of a position; NaN where a vertex has none. */
// @ts-ignore: decorator
@inline
function scoreAt(values: usize, type: u32, position: u32): f64 {
  if (type == RESULT_F64) return load<f64>(values + ((<usize>position) << 3));
  const value = smallValue(values, type, position);
  return value == NONE ? NaN : <f64>value;
}

// --- Best-of lists -----------------------------------------------------------------------------------------------------------

/**
 * The `limit` best scores, score descending, then id ascending: { f64 score, u32 id, u32 zero }. Vertices without a score (not
 * reached by BFS or SSSP) are left out; `resultTotal` counts the others. OK, or what a full OUTPUT answers.
 */
export function resultTop(job: usize, limit: u32): i32 {
  const projection = address(job, JOB_PROJECTION);
  const vertices = get(projection, P_COUNT);
  const values = address(job, JOB_RESULT);
  const type = get(job, JOB_RESULT_TYPE);
  const heap = openList(min<u32>(limit, vertices));
  if (heap == 0) return outputFailure();
  const ids = address(projection, P_IDS);
  for (let rank: u32 = 0; rank < vertices; rank++) {
    const score = scoreAt(values, type, positionOf(projection, rank));
    if (isNaN<f64>(score)) continue;
    total++;
    offer(heap, limit, score, word(ids, rank));
  }
  closeList(heap);
  return OK;
}

/** The `limit` largest partitions, size descending, then id ascending: { f64 size, u32 id, u32 zero }; `resultTotal` of all. */
export function resultPartitions(job: usize, limit: u32): i32 {
  const projection = address(job, JOB_PROJECTION);
  const vertices = get(projection, P_COUNT);
  const values = address(job, JOB_RESULT);
  const sizes = address(job, JOB_SIZES);
  const heap = openList(min<u32>(limit, vertices));
  if (heap == 0) return outputFailure();
  memory.fill(sizes, 0, (<usize>vertices) << 2);
  for (let position: u32 = 0; position < vertices; position++) {
    const partition = word(values, position);
    setWord(sizes, partition, word(sizes, partition) + 1);
  }
  const ids = address(projection, P_IDS);
  for (let rank: u32 = 0; rank < vertices; rank++) {
    const size = word(sizes, rank);
    if (size == 0) continue;
    total++;
    offer(heap, limit, <f64>size, word(ids, rank));
  }
  closeList(heap);
  return OK;
}

/** Room for `most` records and one more; 0 when OUTPUT cannot hold them. */
function openList(most: u32): usize {
  outBegin();
  count = 0;
  total = 0;
  return outReserve((<usize>most + 1) * ENTRY);
}

function closeList(heap: usize): void {
  for (let end = count; end > 1; end--) {
    const last = heap + <usize>(end - 1) * ENTRY;
    const score = load<f64>(last);
    const id = load<u32>(last, ENTRY_ID);
    copyEntry(last, heap);
    sink(heap, end - 1, score, id);
  }
  outCommit(<usize>count * ENTRY);
}

/** True when the entry (score, id) comes after (otherScore, otherId) in the list. */
// @ts-ignore: decorator
@inline
function isWorse(score: f64, id: u32, otherScore: f64, otherId: u32): bool {
  return score < otherScore || (score == otherScore && id > otherId);
}

// @ts-ignore: decorator
@inline
function copyEntry(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
}

// @ts-ignore: decorator
@inline
function putEntry(at: usize, score: f64, id: u32): void {
  store<f64>(at, score);
  store<u32>(at, id, ENTRY_ID);
  store<u32>(at, 0, ENTRY_ID + 4);
}

/** Takes an entry in if it is among the best `limit` so far. Ids come ascending, so an equal score behind a full list is worse. */
function offer(heap: usize, limit: u32, score: f64, id: u32): void {
  if (count == limit) {
    if (limit == 0 || score <= load<f64>(heap)) return;
    sink(heap, count, score, id);
    return;
  }
  let at = count++;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const entry = heap + <usize>above * ENTRY;
    if (!isWorse(score, id, load<f64>(entry), load<u32>(entry, ENTRY_ID))) break;
    copyEntry(heap + <usize>at * ENTRY, entry);
    at = above;
  }
  putEntry(heap + <usize>at * ENTRY, score, id);
}

/** Replaces the top of a heap of `entries` by (score, id). */
function sink(heap: usize, entries: u32, score: f64, id: u32): void {
  let at: u32 = 0;
  while (true) {
    let child: u32 = 2 * at + 1;
    if (child >= entries) break;
    let entry = heap + <usize>child * ENTRY;
    if (child + 1 < entries) {
      const right = entry + ENTRY;
      if (isWorse(load<f64>(right), load<u32>(right, ENTRY_ID), load<f64>(entry), load<u32>(entry, ENTRY_ID))) {
        entry = right;
        child++;
      }
    }
    if (isWorse(score, id, load<f64>(entry), load<u32>(entry, ENTRY_ID))) break;
    copyEntry(heap + <usize>at * ENTRY, entry);
    at = child;
  }
  putEntry(heap + <usize>at * ENTRY, score, id);
}

// --- Members and values ------------------------------------------------------------------------------------------------------

/** Ids of the members of a partition, ascending, from index `offset` on, at most `limit`: u32 each. `resultTotal`: its size. */
export function resultMembers(job: usize, partitionId: u32, offset: u32, limit: u32): i32 {
  const projection = address(job, JOB_PROJECTION);
  const vertices = get(projection, P_COUNT);
  outBegin();
  count = 0;
  total = 0;
  const partition = rankOf(projection, partitionId);
  if (partition == NONE) return OK;
  const out = outReserve((<usize>min<u32>(limit, vertices) + 1) << 2);
  if (out == 0) return outputFailure();
  const values = address(job, JOB_RESULT);
  const ids = address(projection, P_IDS);
  for (let rank: u32 = 0; rank < vertices; rank++) {
    if (word(values, positionOf(projection, rank)) != partition) continue;
    if (total >= offset && count < limit) setWord(out, count++, word(ids, rank));
    total++;
  }
  outCommit((<usize>count) << 2);
  return OK;
}

/**
 * Values of `limit` vertices from rank `fromRank` on, ascending by id: { value, u32 id, u32 has }. The value is a f64 or zero-extended u32
 * as `resultType` says, of a partition its id; `has` is 0 for a vertex without one.
 */
export function resultValues(job: usize, fromRank: u32, limit: u32): i32 {
  const projection = address(job, JOB_PROJECTION);
  const vertices = get(projection, P_COUNT);
  const values = address(job, JOB_RESULT);
  const type = get(job, JOB_RESULT_TYPE);
  const ids = address(projection, P_IDS);
  const from = min<u32>(fromRank, vertices);
  const entries = min<u32>(limit, vertices - from);
  outBegin();
  total = vertices;
  count = 0;
  let out = outReserve((<usize>entries + 1) * ENTRY);
  if (out == 0) return outputFailure();
  for (let rank = from; rank < from + entries; rank++) {
    const position = positionOf(projection, rank);
    let value: u64 = 0;
    let has: u32 = 1;
    if (type == RESULT_F64) {
      value = load<u64>(values + ((<usize>position) << 3));
      has = u32(!isNaN<f64>(reinterpret<f64>(value)));
    } else {
      const small = smallValue(values, type, position);
      const named = type == RESULT_PARTITION;
      if (!named) has = u32(small != NONE);
      value = named ? word(ids, small) : small;
    }
    store<u64>(out, value);
    store<u32>(out, word(ids, rank), ENTRY_ID);
    store<u32>(out, has, ENTRY_ID + 4);
    out += ENTRY;
  }
  count = entries;
  outCommit(<usize>entries * ENTRY);
  return OK;
}

// --- Statistics --------------------------------------------------------------------------------------------------------------

/** Looks at all scores; `resultLeast`, `resultGreatest` and `resultMean` then answer, 0 when no vertex has one. */
export function resultStatistics(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const vertices = get(projection, P_COUNT);
  const values = address(job, JOB_RESULT);
  const type = get(job, JOB_RESULT_TYPE);
  let sum: f64 = 0;
  total = 0;
  least = Infinity;
  greatest = -Infinity;
  for (let rank: u32 = 0; rank < vertices; rank++) {
    const score = scoreAt(values, type, positionOf(projection, rank));
    if (isNaN<f64>(score)) continue;
    total++;
    sum += score;
    least = min<f64>(least, score);
    greatest = max<f64>(greatest, score);
  }
  if (total == 0) {
    least = 0;
    greatest = 0;
  }
  mean = total == 0 ? 0 : sum / <f64>total;
}

export function resultLeast(): f64 {
  return least;
}

export function resultGreatest(): f64 {
  return greatest;
}

export function resultMean(): f64 {
  return mean;
}
