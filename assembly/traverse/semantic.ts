// What a search knows of its query vector: the semantic block of a request, and what the `context` of its fragments tells of it. One an
// instance, set before a search. An element scores through its stored embedding of the block's name, by the routine that scans
// of vector indexes use, so the bits are the same. What has no such embedding, one of another dimension, or a score that is no
// number, never matches.

import { elementRow } from '../graph/elements';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeSlot, shapeType } from '../graph/shapes';
import { METRIC_COSINE, METRIC_L2, vectorScore } from '../index/vector-score';
import { scratchAllocate } from '../memory/arena';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import { TYPE_SINGLE_ARRAY } from '../values/types';


/** The state of the graph that is searched. */
let state: usize = 0;
let query: usize = 0;
let dimension: u32 = 0;
let metric: u32 = 0;
let key: u32 = 0;
let threshold: f32 = 0;
let hasThreshold: bool = false;

/** Before a search of the graph in that state. */
export function semanticBegin(graphState: usize): void {
  state = graphState;
}

/**
 * The query vector, copied from `vector` to scratch; `count` 0: there is none. `embeddingKey`: intern id of the embedding's property key.
 * `least`: the score to reach when `bounded`, for L2 the one not to pass. False without scratch.
 */
export function contextSet(vector: usize, count: u32, metricNumber: u32, embeddingKey: u32, bounded: bool, least: f32): bool {
  query = 0;
  dimension = count;
  metric = metricNumber;
  key = embeddingKey;
  threshold = least;
  hasThreshold = bounded;
  if (count == 0) return true;
  query = scratchAllocate(4 * <usize>count + 16);
  if (query == 0) return false;
  query = (query + 15) & ~15;
  memory.copy(query, vector, 4 * <usize>count);
  return true;
}

export function contextMetric(): u32 {
  return metric;
}

/** The query vector as a view (fragments/spans.ts). */
export function contextQuery(): i64 {
  return query == 0 ? 0 : <i64>query | (<i64>dimension << 32);
}

export function contextHasQuery(): u32 {
  return u32(query != 0);
}

/** The score of an element, not finite when it has none. */
export function contextScore(id: u32): f32 {
  if (query == 0) return NaN;
  const row = elementRow(state, id);
  if (row == 0) return NaN;
  const shape = rowShape(row);
  const slot = shapeSlot(shape, key);
  if (slot < 0 || shapeType(shape, <u32>slot) != TYPE_SINGLE_ARRAY) return NaN;
  const record = <usize>load<u32>(rowSlot(row, <u32>slot));
  if (load<u32>(record, RECORD_INFO) != dimension) return NaN;
  return vectorScore(metric, query, record + RECORD_HEADER, dimension);
}

/** The filter of the semantic block: the score reaches its bound, or just exists where there is none. */
export function semanticPasses(id: u32): bool {
  const score = contextScore(id);
  if (!isFinite(score)) return false;
  if (!hasThreshold) return true;
  return metric == METRIC_L2 ? score <= threshold : score >= threshold;
}

/** As `semanticPasses` with a bound of its own: a pattern step's. */
export function semanticReaches(id: u32, least: f32): bool {
  const score = contextScore(id);
  if (!isFinite(score)) return false;
  return metric == METRIC_L2 ? score <= least : score >= least;
}

/** The vertex cost of the semantic block: 1 - score, or the distance. What cannot be scored costs 1, or the largest double. */
export function semanticCost(id: u32): f64 {
  const score = contextScore(id);
  if (metric == METRIC_COSINE) return isFinite(score) ? 1 - <f64>score : 1;
  return isFinite(score) ? <f64>score : f64.MAX_VALUE;
}
