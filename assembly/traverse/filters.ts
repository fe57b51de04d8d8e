// What a path request asks of vertices, edges and edge types, and what a step costs: functions of other modules in this instance's
// table (compiled fragments, or trampolines to an interpreter), called by index. One configuration an instance, set before a
// search. Types are asked once each while a search runs, not once an edge. A function that throws unwinds through the search
// to the host, which then releases the instance's scratch.

import { internCount } from '../graph/intern';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { semanticCost, semanticPasses } from './semantic';

/** No function: everything passes; the default costs (1 an edge, 0 a vertex). */
export const NO_FUNCTION: u32 = 0;
/** In place of a cost function: every step's part is 1. */
export const COST_ONE: u32 = 0xffffffff;

/** In place of the vertex filter or the vertex cost: the semantic block's (semantic.ts). */
export const SEMANTIC: u32 = 0xfffffffe;

let vertexFilter: u32 = 0;
let edgeFilter: u32 = 0;
let typeFilter: u32 = 0;
let vertexCost: u32 = 0;
let edgeCost: u32 = 0;
let vertexSelect: u32 = 0;
let edgeSelect: u32 = 0;

let typeMemo: usize = 0;
let typeMemoCount: u32 = 0;
let clamped: bool = false;

/**
 * Table indices of `(id) => i32` for the filters, `(id) => f64` for the costs and `(intern id) => i32` for the type filter;
 * NO_FUNCTION where there is none, COST_ONE for a constant 1.
 */
export function pathFunctions(vertex: u32, edge: u32, type: u32, costOfVertex: u32, costOfEdge: u32): void {
  vertexFilter = vertex;
  edgeFilter = edge;
  typeFilter = type;
  vertexCost = costOfVertex;
  edgeCost = costOfEdge;
  vertexSelect = NO_FUNCTION;
  edgeSelect = NO_FUNCTION;
}

/**
 * After `pathFunctions`: table indices of `(in, count, out) => passed` beside the two filters, which take a block of ids and keep the
 * order of those that pass; NO_FUNCTION where a filter has none. Fewest-hop searches then hand over blocks, and may ask about edges that
 * they would not have come to one by one. Searches for least weights do not: what they ask at once is the few edges of one vertex.
 */
export function pathBlocks(vertex: u32, edge: u32): void {
  vertexSelect = vertex;
  edgeSelect = edge;
}

// The host's. Where the caller's own thread searches, nobody else can end a search, or let others have their turn: it may throw, and in a
// binary made for turns (src/core/turns.ts) it may leave the search for a while.
// @ts-ignore: decorator
@external('env', 'pulse')
declare function pulse(): void;

/** Before each search; false without scratch. */
export function filtersBegin(): bool {
  clamped = false;
  typeMemo = 0;
  typeMemoCount = 0;
  if (typeFilter == NO_FUNCTION) return true;
  const count = internCount();
  typeMemo = scratchAllocate(<usize>count + 1);
  if (typeMemo == 0) return false;
  memory.fill(typeMemo, 0, count);
  typeMemoCount = count;
  return true;
}

/** To be called as often as a search looks at the stop word. */
export function searchPulse(): void {
  pulse();
}

/** A negative cost has been taken for 0 in this search. */
export function costWasClamped(): bool {
  return clamped;
}

// @ts-ignore: decorator
@inline
export function filtersVertices(): bool {
  return vertexFilter != NO_FUNCTION;
}

// @ts-ignore: decorator
@inline
export function vertexPasses(id: u32): bool {
  if (vertexFilter == NO_FUNCTION) return true;
  return vertexFilter == SEMANTIC ? semanticPasses(id) : call_indirect<i32>(vertexFilter, id) != 0;
}

// @ts-ignore: decorator
@inline
export function edgePasses(id: u32): bool {
  return edgeFilter == NO_FUNCTION || call_indirect<i32>(edgeFilter, id) != 0;
}

// @ts-ignore: decorator
@inline
export function selectsVertices(): bool {
  return vertexSelect != NO_FUNCTION;
}

/** Those of `count` vertices that pass, in their order, to `out`, which may be `block`; how many. Only where `selectsVertices`. */
// @ts-ignore: decorator
@inline
export function selectVertices(block: usize, count: u32, out: usize): u32 {
  return call_indirect<u32>(vertexSelect, block, count, out);
}

// @ts-ignore: decorator
@inline
export function selectsEdges(): bool {
  return edgeSelect != NO_FUNCTION;
}

/** As `selectVertices`. Only where `selectsEdges`. */
// @ts-ignore: decorator
@inline
export function selectEdges(block: usize, count: u32, out: usize): u32 {
  return call_indirect<u32>(edgeSelect, block, count, out);
}

// @ts-ignore: decorator
@inline
export function typePasses(type: u32): bool {
  return typeFilter == NO_FUNCTION || typeAsked(type);
}

function typeAsked(type: u32): bool {
  if (type == NONE) return false; // a group without edges
  // A type may be newer than the search.
  if (type >= typeMemoCount) return call_indirect<i32>(typeFilter, type) != 0;
  let known = load<u8>(typeMemo + <usize>type);
  if (known == 0) {
    known = call_indirect<i32>(typeFilter, type) != 0 ? 2 : 1;
    store<u8>(typeMemo + <usize>type, known);
  }
  return known == 2;
}

/** Cost of walking the edge, without the vertex it leads to; not negative, NaN is infinite. */
// @ts-ignore: decorator
@inline
export function edgeCosts(id: u32): f64 {
  return edgeCost == NO_FUNCTION || edgeCost == COST_ONE ? 1 : call_indirect<f64>(edgeCost, id);
}

// @ts-ignore: decorator
@inline
export function vertexCosts(id: u32): f64 {
  if (vertexCost == NO_FUNCTION) return 0;
  if (vertexCost == SEMANTIC) return semanticCost(id);
  return vertexCost == COST_ONE ? 1 : call_indirect<f64>(vertexCost, id);
}

/** What a step with these two parts costs: their sum, 0 when it is negative, infinite when it is no number. */
// @ts-ignore: decorator
@inline
export function stepCost(edge: f64, vertex: f64): f64 {
  const sum = edge + vertex;
  if (sum >= 0) return sum;
  if (isNaN(sum)) return Infinity;
  clamped = true;
  return 0;
}
