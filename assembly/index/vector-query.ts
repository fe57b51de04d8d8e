// What a scan knows while it runs: the rows it reads, and for each query the constraints, the best so far and what the 8-bit companion
// needs. Globals and scratch of one instance; a scan begins with `scanOpen` and a `queryOpen` for each query.
//
//   query (scratch)   the words QUERY_… below, then the top of vector-top.ts
//
// Bound of the companion. Let q be the query, x a row, q' = qs * d and x' = s * c their quantised forms, E = |q - q'|, e = |x - x'| (the
// row's stored error), n = |x|. Then dot(q, x) <= qs * s * (d . c) + |q'| * e + E * n. The single-precision dot that a scan computes is
// off by at most g * |q| * n, with g = (dimension / 8 + 64) / 2^24: that many roundings meet any one product. With `est` for
// qs * s * (d . c), a row cannot enter the top when
//
//   est + A * e + (B - b) * n - a * n² + K < 0        A = |q'|, B = E + slack * |q|
//     DotProduct   a = 0     b = 0                   K = -reach
//     Cosine       a = 0     b = reach * |q|         K = 0
//     L2           a = 1/2   b = 0                   K = (reach² - |q|²) / 2      from |q - x|² = |q|² + n² - 2 dot
//
// strictly, so ties stay in. The slack (twice g and 2^-15) also covers what evaluating this in single precision rounds, which is below
// 2^-21 of each term; terms without a factor n carry their own 2^-18. Lengths outside SHORTEST .. LONGEST, where products could leave the
// normal range, never come here: such queries scan plainly, such rows have an infinite error. NaN never counts as below 0.

import { elementKind, elementLabel } from '../graph/elements';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { companionRowBytes, LONGEST, SHORTEST } from './vector-companion-rows';
import {
  SLAB_COMPANION, SLAB_DEATHS, SLAB_IDS, SLAB_NORMS, SLAB_ROWS, slabWord, vectorDimension, vectorMetric, vectorRowBytes,
} from './vector-rows';
import { METRIC_COSINE, METRIC_DOT, METRIC_L2, vectorKey, vectorNorm } from './vector-score';
import { topBegin, topBytes, topPush, topReach } from './vector-top';

export const QUERY_VECTOR: usize = 0; //     u32 address, padded like a row
export const QUERY_NORM: usize = 4; //       f32, Cosine only
const QUERY_KINDS: usize = 8; //             u32 mask: 1 vertices, 2 edges
const QUERY_LABEL: usize = 12; //            u32 intern id, NONE = any
/** u32 address of the query in 16-bit codes, 0 = this query scans plainly. */
export const QUERY_CODES: usize = 16;
export const QUERY_SCALE: usize = 20; //     f32 qs
export const QUERY_A: usize = 24; //         f32 A
export const QUERY_B: usize = 28; //         f32 B - b, for the reach of now
export const QUERY_SQUARE: usize = 32; //    f32 a
export const QUERY_K: usize = 36; //         f32 K, for the reach of now
const QUERY_B_ALONE: usize = 40; //          f32 B
const QUERY_LENGTH: usize = 48; //           f64 |q|
const QUERY_TOP: usize = 56;

const ROUNDING: f64 = 1.0 / 16777216; // 2^-24
const SLACK: f64 = 1.0 / 262144; //      2^-18
const HIGHEST_CODE: u32 = 32767;

export let scanMetric: u32 = 0;
export let scanDimension: u32 = 0;
export let scanRowBytes: usize = 0;
export let scanRows: usize = 0;
export let scanNorms: usize = 0;
/** 0 = none. */
export let scanCompanion: usize = 0;
let scanIds: usize = 0;
let scanDeaths: usize = 0;
let scanVersion: u32 = 0;
let scanState: usize = 0;

/** Makes the rows of a slab as of `version` the ones to scan. */
export function scanOpen(state: usize, index: usize, slab: usize, version: u32): void {
  scanState = state;
  scanVersion = version;
  scanMetric = vectorMetric(index);
  scanDimension = vectorDimension(index);
  scanRowBytes = vectorRowBytes(index);
  scanRows = slabWord(slab, SLAB_ROWS);
  scanIds = slabWord(slab, SLAB_IDS);
  scanDeaths = slabWord(slab, SLAB_DEATHS);
  scanNorms = slabWord(slab, SLAB_NORMS);
  scanCompanion = slabWord(slab, SLAB_COMPANION);
}

/** A query over the opened rows; 0 = no memory. `vector` is padded like a row and stays where it is. */
export function queryOpen(vector: usize, k: u32, kinds: u32, label: u32): usize {
  const query = scratchAllocate(QUERY_TOP + topBytes(k));
  if (query == 0) return 0;
  memory.fill(query, 0, QUERY_TOP);
  store<u32>(query, <u32>vector, QUERY_VECTOR);
  store<f32>(query, scanMetric == METRIC_COSINE ? vectorNorm(vector, scanDimension) : 1, QUERY_NORM);
  store<u32>(query, kinds, QUERY_KINDS);
  store<u32>(query, label, QUERY_LABEL);
  topBegin(queryTop(query), k);
  return scanCompanion == 0 || quantise(query, vector) ? query : 0;
}

// @ts-ignore: decorator
@inline
export function queryTop(query: usize): usize {
  return query + QUERY_TOP;
}

// @ts-ignore: decorator
@inline
export function queryReach(query: usize): f32 {
  return topReach(query + QUERY_TOP);
}

/** Whether the query takes any element, so that rows need not be looked at before they are scored. */
export function queryTakesAll(query: usize): bool {
  return load<u32>(query, QUERY_KINDS) == 3 && load<u32>(query, QUERY_LABEL) == NONE;
}

/** Whether the row counts and its element satisfies the query. */
export function queryTakes(query: usize, row: u32): bool {
  if (load<u32>(scanDeaths + (<usize>row << 2)) <= scanVersion) return false;
  const element = load<u32>(scanIds + (<usize>row << 2));
  const kind = elementKind(scanState, element);
  if (((load<u32>(query, QUERY_KINDS) << 1) & (1 << kind)) == 0) return false;
  const label = load<u32>(query, QUERY_LABEL);
  return label == NONE || elementLabel(scanState, element) == label;
}

/** Takes a row with that key in, if it may be and is good enough. The key may be anything. */
export function queryOffer(query: usize, row: u32, key: f32): void {
  if (!(abs<f32>(key) < Infinity) || key < queryReach(query) || !queryTakes(query, row)) return;
  topPush(queryTop(query), key, load<u32>(scanIds + (<usize>row << 2)));
}

/** Scores one row and offers it. */
export function queryRow(query: usize, row: u32): void {
  const at = scanRows + <usize>row * scanRowBytes;
  const norm = load<f32>(scanNorms + (<usize>row << 2));
  const vector = <usize>load<u32>(query, QUERY_VECTOR);
  queryOffer(query, row, vectorKey(scanMetric, vector, at, scanDimension, load<f32>(query, QUERY_NORM), norm));
}

// --- For the companion -----------------------------------------------------------------------------------------------------

/** The query in 16-bit codes, small enough that no sum of products leaves 32 bits. False: no memory. */
function quantise(query: usize, vector: usize): bool {
  let largest: f32 = 0;
  let squares: f64 = 0;
  for (let i: usize = 0; i < <usize>scanDimension; i++) {
    const x = load<f32>(vector + (i << 2));
    largest = max<f32>(largest, abs<f32>(x));
    squares += <f64>x * <f64>x;
  }
  const length = sqrt<f64>(squares);
  if (!(length > SHORTEST && length < LONGEST)) return true;
  const bytes = companionRowBytes(scanDimension) << 1;
  const codes = scratchAllocate(bytes);
  if (codes == 0) return false;
  memory.fill(codes, 0, bytes);
  const highest = <f32>min<u32>(HIGHEST_CODE, 0x7fffffff / (127 * scanDimension));
  const scale = largest / highest;
  let off: f64 = 0;
  let coded: f64 = 0;
  for (let i: usize = 0; i < <usize>scanDimension; i++) {
    const x = load<f32>(vector + (i << 2));
    const code = max<f32>(-highest, min<f32>(highest, nearest<f32>(x / scale)));
    store<i16>(codes + (i << 1), <i16>code);
    const value = <f64>scale * <f64>code;
    coded += value * value;
    off += (<f64>x - value) * (<f64>x - value);
  }
  const roundings = <f64>((scanDimension >> 3) + 64) * ROUNDING;
  store<u32>(query, <u32>codes, QUERY_CODES);
  store<f32>(query, scale, QUERY_SCALE);
  store<f32>(query, <f32>(sqrt<f64>(coded) * 1.001), QUERY_A);
  store<f32>(query, <f32>(sqrt<f64>(off) * 1.001 + (2 * roundings + 8 * SLACK) * length), QUERY_B_ALONE);
  store<f32>(query, scanMetric == METRIC_L2 ? <f32>(0.5 * (1 - SLACK)) : 0, QUERY_SQUARE);
  store<f64>(query, length, QUERY_LENGTH);
  queryBound(query);
  return true;
}

/** Brings the bound to the reach of now. */
export function queryBound(query: usize): void {
  const reach = <f64>queryReach(query);
  const length = load<f64>(query, QUERY_LENGTH);
  let b: f64 = 0;
  let constant: f64 = 0;
  if (scanMetric == METRIC_COSINE) {
    b = reach * <f64>load<f32>(query, QUERY_NORM);
  } else if (scanMetric == METRIC_L2) {
    const roundings = <f64>((scanDimension >> 3) + 64) * ROUNDING;
    constant = 0.5 * (reach * reach * (1 + 2 * roundings + 2 * SLACK) - length * length * (1 - SLACK));
  } else if (scanMetric == METRIC_DOT) {
    constant = -reach + SLACK * abs<f64>(reach);
  } else {
    unreachable();
  }
  store<f32>(query, <f32>(<f64>load<f32>(query, QUERY_B_ALONE) - b), QUERY_B);
  store<f32>(query, <f32>constant, QUERY_K);
}
