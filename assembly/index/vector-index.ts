// The vector index as a kind: what its definition says, which values it takes, and how it is filled, copied and written down.
//
//   definition   four lines: dimension (1 .. 4096), metric (`Cosine`, `DotProduct`, `L2`), embedding name or nothing, model or nothing
//
// A vector *ranks* in an index when it has its dimension, every component is finite, and under Cosine its norm is not 0. An index with an
// embedding name is *bound*: its members are the elements whose property `$embedding:<name>` ranks, it follows every write of
// that property (follow.ts), and nothing is added to it otherwise. Its contents follow from the graph's, so they are not
// written down. Functions marked [W] run on the writer.

import { COLUMN_ROW, columnWord, elementRow, KIND_NONE, kindAddress } from '../graph/elements';
import { intern } from '../graph/intern';
import { trimRank } from '../graph/ranks';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeSlot, shapeType } from '../graph/shapes';
import { pageAddress, stateNextId } from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { BAD_VALUE, NO_MEMORY, OK, WRONG_KIND } from '../status';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import { TYPE_SINGLE_ARRAY } from '../values/types';
import { blocksHide } from './blocks';
import { contentsAdd } from './contents';
import { INDEX_DEFINITION, TEXT_HEADER } from './layout';
import { vectorDimension, vectorKeyOf, vectorMetric } from './vector-rows';
import { MAX_DIMENSION, METRIC_COSINE, METRIC_DOT, METRIC_L2, vectorFinite, vectorKey, vectorNorm } from './vector-score';
import { vectorCommit, vectorFind, vectorRemove, vectorRowElement, vectorRows, vectorSet, vectorSetUp } from './vector-slab';

const LINE_FEED: u32 = 10;
/** Longest embedding name. */
const MOST_NAME: u32 = 64;
/** Ids that one call of vectorContents looks up at most. */
const MOST_IDS: u32 = 16384;

/** "$embedding:" as little-endian words: 8 and 3 letters. */
const PREFIX_WORD: u64 = 0x69646465626d6524;
const PREFIX_REST: u32 = 0x003a676e;
const PREFIX_BYTES: u32 = 11;

/** [W] Sets up an index from its definition. OK, NO_MEMORY or BAD_VALUE. */
export function vectorDefine(index: usize): i32 {
  const text: usize = load<u32>(index, INDEX_DEFINITION);
  if (text == 0) return BAD_VALUE;
  let at = text + TEXT_HEADER;
  const end = at + <usize>load<u32>(text);
  let dimension: u32 = 0;
  while (at < end && <u32>load<u8>(at) - 48 < 10 && dimension <= MAX_DIMENSION) {
    dimension = dimension * 10 + <u32>load<u8>(at) - 48;
    at++;
  }
  if (dimension == 0 || dimension > MAX_DIMENSION || at == end || load<u8>(at) != <u8>LINE_FEED) return BAD_VALUE;
  at++;
  const metricEnd = lineEnd(at, end);
  const metric = metricOf(at, <u32>(metricEnd - at));
  if (metric == NONE || metricEnd == end) return BAD_VALUE;
  const name = metricEnd + 1;
  const nameEnd = lineEnd(name, end);
  if (nameEnd - name > <usize>MOST_NAME) return BAD_VALUE;
  let key = NONE;
  if (nameEnd != name) {
    key = embeddingKey(name, <u32>(nameEnd - name));
    if (key == NONE) return NO_MEMORY;
  }
  vectorSetUp(index, metric, dimension, key);
  return OK;
}

function lineEnd(at: usize, end: usize): usize {
  while (at < end && load<u8>(at) != <u8>LINE_FEED) at++;
  return at;
}

/** By its first letter and its length. */
function metricOf(at: usize, bytes: u32): u32 {
  if (bytes == 6 && load<u8>(at) == 67) return METRIC_COSINE;
  if (bytes == 10 && load<u8>(at) == 68) return METRIC_DOT;
  return bytes == 2 && load<u8>(at) == 76 ? METRIC_L2 : NONE;
}

/** Intern id of the property that holds the embedding of that name; NONE = no memory. */
function embeddingKey(name: usize, bytes: u32): u32 {
  const mark = scratchMark();
  const text = scratchAllocate(<usize>(PREFIX_BYTES + bytes) + 8);
  if (text == 0) return NONE;
  store<u64>(text, PREFIX_WORD);
  store<u32>(text, PREFIX_REST, sizeof<u64>());
  memory.copy(text + <usize>PREFIX_BYTES, name, <usize>bytes);
  const key = intern(text, PREFIX_BYTES + bytes);
  scratchRelease(mark);
  return key;
}

/** Whether a vector of `count` components at any address ranks in the index. */
export function vectorRanks(index: usize, vector: usize, count: u32): bool {
  if (count != vectorDimension(index) || !vectorFinite(vector, count)) return false;
  return vectorMetric(index) != METRIC_COSINE || vectorNorm(vector, count) > 0;
}

/** [W] Adds or replaces an element's vector, a Single[] value. OK, NO_MEMORY, or WRONG_KIND when it does not rank or the index is bound. */
export function vectorAdd(index: usize, element: u32, value: usize): i32 {
  const count = load<u32>(value) >> 2;
  if (vectorKeyOf(index) != NONE || !vectorRanks(index, value + RECORD_HEADER, count)) return WRONG_KIND;
  return vectorSet(index, element, value + RECORD_HEADER) ? OK : NO_MEMORY;
}

/** [W] Brings a bound index to what the element carries now. `live`: it is an element. False: no memory. */
export function vectorProject(state: usize, index: usize, element: u32, live: bool): bool {
  const vector: usize = live ? embeddingOf(state, index, element) : 0;
  if (vector == 0) {
    vectorRemove(index, element);
    return true;
  }
  const row = vectorFind(index, element);
  if (row != 0 && memory.compare(row, vector, <usize>vectorDimension(index) << 2) == 0) return true;
  return vectorSet(index, element, vector);
}

/** The components of the element's embedding, if it ranks; 0 otherwise. */
function embeddingOf(state: usize, index: usize, element: u32): usize {
  const row: usize = load<u32>(columnWord(pageAddress(state, element), element), COLUMN_ROW);
  if (row == 0) return 0;
  const shape = rowShape(row);
  const slot = shapeSlot(shape, vectorKeyOf(index));
  if (slot < 0 || shapeType(shape, <u32>slot) != TYPE_SINGLE_ARRAY) return 0;
  const record: usize = load<u32>(rowSlot(row, <u32>slot));
  return vectorRanks(index, record + RECORD_HEADER, load<u32>(record) >> 2) ? record + RECORD_HEADER : 0;
}

/**
 * The score of an element's named embedding (property `key`) and a query of `dimension` components: the bits of a scan of an index over
 * it. Not finite when it has none, or one of another dimension, or one that does not compare. `queryNorm`: vectorNorm of the query,
 * which counts for Cosine only. Any thread.
 */
export function embeddingScore(
  state: usize, element: u32, key: u32, metric: u32, query: usize, queryNorm: f32, dimension: u32,
): f32 {
  const row = elementRow(state, element);
  const slot = row == 0 ? -1 : shapeSlot(rowShape(row), key);
  if (slot < 0 || shapeType(rowShape(row), <u32>slot) != TYPE_SINGLE_ARRAY) return NaN;
  const record: usize = load<u32>(rowSlot(row, <u32>slot));
  if (load<u32>(record) != dimension << 2) return NaN;
  const norm: f32 = metric == METRIC_COSINE ? vectorNorm(record + RECORD_HEADER, dimension) : 1;
  const result = vectorKey(metric, query, record + RECORD_HEADER, dimension, queryNorm, norm);
  return metric == METRIC_L2 ? -result : result;
}

/** [W] Fills a new bound index, which nobody can see yet, from the graph. False: no memory. */
export function vectorFill(state: usize, index: usize): bool {
  if (vectorKeyOf(index) == NONE) return true;
  const next = stateNextId(state);
  let good = true;
  blocksHide(true);
  for (let id: u32 = 0; good && id < next; id++) {
    if (load<u8>(kindAddress(pageAddress(state, id), id)) == <u8>KIND_NONE) continue;
    const vector = embeddingOf(state, index, id);
    if (vector != 0) good = vectorSet(index, id, vector);
  }
  vectorCommit(index);
  blocksHide(false);
  return good;
}

/** [W] Fills `copy` with what `index` holds under the ids that a trim gives (trimRank). False: no memory. */
export function vectorCopy(index: usize, copy: usize): bool {
  const rows = vectorRows(index);
  for (let row: u32 = 0; row < rows; row++) {
    const element = vectorRowElement(index, row);
    if (element != NONE && !vectorSet(copy, trimRank(element), vectorFind(index, element))) return false;
  }
  vectorCommit(copy);
  return true;
}

/** [W] See kindContents. */
export function vectorContents(index: usize, element: u32, end: u32, limit: u32): u32 {
  if (vectorKeyOf(index) != NONE || vectorRows(index) == 0) return end;
  const bytes = vectorDimension(index) << 2;
  const last = end - element > MOST_IDS ? element + MOST_IDS : end;
  let added: u32 = 0;
  for (; element < last && added < limit; element++) {
    const row = vectorFind(index, element);
    if (row == 0) continue;
    const record = scratchAllocate(<usize>bytes + 16);
    if (record == 0) return NONE;
    store<u32>(record, bytes);
    store<u32>(record, bytes >> 2, RECORD_INFO);
    memory.copy(record + RECORD_HEADER, row, <usize>bytes);
    store<u64>(record + <usize>bytes, 0, RECORD_HEADER);
    if (!contentsAdd(element, TYPE_SINGLE_ARRAY, record)) return NONE;
    added++;
  }
  return element;
}
