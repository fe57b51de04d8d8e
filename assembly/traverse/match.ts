// The elements on at least one simple path that matches a pattern (subgraphs; contract part 2, Subgraph specification). The answer is a set
// of elements, so paths are not enumerated:
//
// 1. `allowed`: the top-level filters, once an element. Without a pattern this is the answer.
// 2. Forwards through the layers of the pattern (match-pattern.ts): which vertices a walk can reach in each.
// 3. Backwards: which of them can still reach the end. What is left is *alive*: on a walk that matches.
// 4. A walk is a simple path when it does not meet itself. Two kinds of patterns cannot make it:
//      - at most one hop in all: a loop, the only edge that leads back, is never followed;
//      - no vertex alive in two layers: a walk is in a layer once. So it is where each vertex step asks for another label or property.
//        (A layer leads only forwards, so equal vertices are the only way to meet; this is looked up, not guessed from the pattern.)
//    There everything alive is the answer, with every edge between two vertices alive in layers that follow each other.
// 5. Otherwise simplicity forces a search, but for one witness a hop, not for all paths: hop by hop, each edge that is not yet marked
//    asks for one simple path through it (match-search.ts), and all of that path is marked. Whoever is alive in a graph without
//    short cycles finds a path at the first try, so this costs about hops times path length. That an edge is on no simple path
//    takes an exhaustive search around it; longest simple paths are NP-hard, so there is a limit: `maxArcs` arcs looked at in all.
//
// Reads a graph that may change meanwhile: elements that come after the start do not count, those that go are missing. What it
// needs lies in SCRATCH: (layers + 2 x tests + 4) x (ids / 8 + SET_BYTES) bytes, at most `maxBytes`.

import { elementA, elementB, elementKind, KIND_EDGE, KIND_VERTEX } from '../graph/elements';
import { graphState, stateNextId } from '../graph/state';
import { arenaNeed, outBegin, outCommit, outReserve, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { ARENA_TOO_SMALL, LIMIT_MET, NO_MEMORY, OK, STOPPED } from '../status';
import {
  arcEdge, ARCS_BYTES, arcsBegin, arcsNext, arcVertex, edgeFits, edgeSteps, edgeTestOf, idStops, isAlive, lastLayer, layerBits, layerOn,
  layerOut, layerPast, layerStep, leastHops, matchSpent, matchStops, mostHops, patternBegin, patternLayers, patternRead, STEP_BYTES,
  stepLayer, vertexEnds, vertexTestOf,
} from './match-pattern';
import { pathEdge, pathHops, pathVertex, searchBegin, searchThrough } from './match-search';
import {
  bitAt, bitClear, bitNext, bitsBytes, bitsCreate, bitSet, BLOCK_BYTES, BLOCK_IDS, TEST_GIVEN_BYTES, testBlock, testsBegin, testTakesBlocks,
} from './match-tests';

// What is asked, at `request`: { u32 tests, u32 edge steps, u32 1 = there is a pattern, u32 top-level vertex test, u32 top-level edge test,
// u32 test of the first vertex step, tests, edge steps }. A test number of NONE: none.
const REQUEST_TESTS: usize = 0;
const REQUEST_STEPS: usize = 4;
const REQUEST_PATTERN: usize = 8;
const REQUEST_VERTEX: usize = 12;
const REQUEST_EDGE: usize = 16;
const REQUEST_FIRST: usize = 20;
const REQUEST_BYTES: usize = 24;

/** Bytes a layer or test takes besides its bits: records and a frame of the search. */
const SET_BYTES: f64 = 96;

/** What a match whose limit was met ran out of. */
const MET_ARCS: u32 = 1;
const MET_BYTES: u32 = 2;

let state: usize = 0;
let ids: u32 = 0;
let allowed: usize = 0;
/** The answer's bits. */
let marked: usize = 0;
/** Ids that wait for a test: BLOCK_BYTES. */
let block: usize = 0;
/** Edges that wait for a test (BLOCK_BYTES), the vertices they lead to, a copy of the edges. */
let edgeBlock: usize = 0;

// The layer whose hops are walked: its step, where they lead, what waits in the blocks.
let step: u32 = 0;
let on: u32 = 0;
let out: u32 = 0;
let edgesWait: bool = false;
let verticesWait: bool = false;
let edgesWaiting: u32 = 0;
let verticesWaiting: u32 = 0;
let vertices: u32 = 0;
let edges: u32 = 0;
let limitMet: u32 = 0;
let searched: u32 = 0;

/** Of the last match that ended well: vertices and edges in its answer. */
export function matchVertices(): u32 {
  return vertices;
}

export function matchEdges(): u32 {
  return edges;
}

/** After LIMIT_MET: 1 = arcs looked at, 2 = bytes. */
export function matchLimit(): u32 {
  return limitMet;
}

/** Searches for a witness that the last match made: 0 where the set of walks was the answer. */
export function matchSearches(): u32 {
  return searched;
}

/**
 * Writes the answer to OUTPUT as bits by id, in whole 64-bit words. OK; STOPPED when the stop word says so, LIMIT_MET with
 * `matchLimit`, NO_MEMORY or ARENA_TOO_SMALL when scratch or output is too small.
 */
export function matchPattern(graph: usize, request: usize, maxArcs: f64, maxBytes: f64): i32 {
  state = graphState(graph);
  ids = stateNextId(state);
  vertices = 0;
  edges = 0;
  limitMet = 0;
  searched = 0;
  const tests = load<u32>(request, REQUEST_TESTS);
  const steps = load<u32>(request, REQUEST_STEPS);
  const stepsAt = request + REQUEST_BYTES + <usize>tests * TEST_GIVEN_BYTES;
  const sets = <f64>patternLayers(stepsAt, steps) + 2 * <f64>tests + 4;
  if (sets * (<f64>bitsBytes(ids) + SET_BYTES) > maxBytes) {
    limitMet = MET_BYTES;
    return LIMIT_MET;
  }
  const mark = scratchMark();
  const code = match(request, tests, steps, maxArcs);
  scratchRelease(mark);
  return code;
}

function match(request: usize, tests: u32, steps: u32, maxArcs: f64): i32 {
  outBegin();
  marked = outReserve(bitsBytes(ids) + 8);
  // The request lies in INPUT, which a filter of the host's may use.
  const bytes = REQUEST_BYTES + <usize>tests * TEST_GIVEN_BYTES + <usize>steps * STEP_BYTES;
  const asked = scratchAllocate(bytes);
  allowed = bitsCreate(ids);
  block = scratchAllocate(BLOCK_BYTES);
  edgeBlock = scratchAllocate(2 * BLOCK_BYTES);
  if (marked == 0 || asked == 0 || allowed == 0 || block == 0 || edgeBlock == 0) return refusal();
  memory.fill(marked, 0, bitsBytes(ids) + 8);
  memory.copy(asked, request, bytes);
  patternBegin(state, ids, allowed, maxArcs);
  const stepsAt = asked + REQUEST_BYTES + <usize>tests * TEST_GIVEN_BYTES;
  if (!testsBegin(asked + REQUEST_BYTES, tests, ids)) return refusal();
  const isPattern = load<u32>(asked, REQUEST_PATTERN) != 0;
  if (isPattern && (!patternRead(stepsAt, steps) || !searchBegin(lastLayer() + 1, ids))) return refusal();
  const arcs = scratchAllocate(ARCS_BYTES);
  if (arcs == 0) return refusal();
  allow(load<u32>(asked, REQUEST_VERTEX), load<u32>(asked, REQUEST_EDGE));
  if (isPattern && !matchStops()) {
    reach(arcs, load<u32>(asked, REQUEST_FIRST));
    if (!matchStops()) prune(arcs);
    if (!matchStops()) {
      if (walksAreSimple()) markAlive(arcs);
      else markWitnessed(arcs);
    }
  } else if (!matchStops()) {
    markAllowed();
  }
  if (matchStops()) {
    if (!matchSpent()) return STOPPED;
    limitMet = MET_ARCS;
    return LIMIT_MET;
  }
  outCommit(bitsBytes(ids));
  return OK;
}

function refusal(): i32 {
  return arenaNeed() ? ARENA_TOO_SMALL : NO_MEMORY;
}

// --- Top-level filters -----------------------------------------------------------------------------------------------------

function allow(vertexTest: u32, edgeTest: u32): void {
  let waiting: u32 = 0;
  for (let id: u32 = 0; id < ids && !idStops(); id++) {
    if (elementKind(state, id) == KIND_VERTEX) waiting = waits(vertexTest, id, waiting, allowed);
  }
  if (!matchStops()) settle(vertexTest, waiting, allowed);
  waiting = 0;
  for (let id: u32 = 0; id < ids && !idStops(); id++) {
    if (elementKind(state, id) != KIND_EDGE) continue;
    const source = elementA(state, id);
    const target = elementB(state, id);
    if (source >= ids || target >= ids || !bitAt(allowed, source) || !bitAt(allowed, target)) continue;
    waiting = waits(edgeTest, id, waiting, allowed);
  }
  if (!matchStops()) settle(edgeTest, waiting, allowed);
}

/** Puts an id behind those that wait for a test; when the block is full they are settled. How many wait now. */
// @ts-ignore: decorator
@inline
function waits(test: u32, id: u32, waiting: u32, into: usize): u32 {
  store<u32>(block + 4 * <usize>waiting, id);
  if (++waiting < BLOCK_IDS) return waiting;
  settle(test, waiting, into);
  return 0;
}

/** Sets the bits of those in the block that pass. */
function settle(test: u32, waiting: u32, into: usize): void {
  const passed = testBlock(test, block, waiting);
  for (let i: u32 = 0; i < passed; i++) bitSet(into, load<u32>(block + 4 * <usize>i));
}

function markAllowed(): void {
  for (let id = bitNext(allowed, 0, ids); id < ids; id = bitNext(allowed, id + 1, ids)) {
    if (elementKind(state, id) == KIND_EDGE) markEdge(id);
    else markVertex(id);
  }
}

function markVertex(id: u32): void {
  if (bitAt(marked, id)) return;
  bitSet(marked, id);
  vertices++;
}

function markEdge(id: u32): void {
  if (bitAt(marked, id)) return;
  bitSet(marked, id);
  edges++;
}

// --- Walks -----------------------------------------------------------------------------------------------------------------

/** Fills the layers with what walks from the start reach. */
function reach(arcs: usize, firstTest: u32): void {
  const start = layerBits(0);
  let waiting: u32 = 0;
  for (let id = bitNext(allowed, 0, ids); id < ids && !idStops(); id = bitNext(allowed, id + 1, ids)) {
    if (elementKind(state, id) == KIND_VERTEX) waiting = waits(firstTest, id, waiting, start);
  }
  if (!matchStops()) settle(firstTest, waiting, start);
  for (let layer: u32 = 0; layer < lastLayer() && !matchStops(); layer++) reachLayer(arcs, layer);
}

/**
 * Fills the layers that hops from this one lead to. Where the step's filters take blocks, edges and vertices wait for them: a vertex
 * with its bit set already, so that it waits once.
 */
function reachLayer(arcs: usize, layer: u32): void {
  const s = layerStep(layer);
  const bits = layerBits(layer);
  on = layerOn(layer);
  out = layerOut(layer);
  step = s;
  edgesWait = testTakesBlocks(edgeTestOf(s));
  verticesWait = testTakesBlocks(vertexTestOf(s));
  edgesWaiting = 0;
  verticesWaiting = 0;
  const past = layerPast(layer);
  for (let id = bitNext(bits, 0, ids); id < ids && !matchStops(); id = bitNext(bits, id + 1, ids)) {
    if (past != NONE) ends(id, past);
    if (on != NONE || out != NONE) reachFrom(arcs, id);
  }
  if (matchStops()) return;
  if (edgesWaiting != 0) settleEdges();
  if (verticesWaiting != 0) settleEnds(out != NONE ? out : past);
}

function reachFrom(arcs: usize, id: u32): void {
  arcsBegin(arcs, id, step, false);
  while (arcsNext(arcs)) {
    const to = arcVertex();
    if (!((on != NONE && !bitAt(layerBits(on), to)) || (out != NONE && !bitAt(layerBits(out), to)))) continue;
    if (edgesWait) {
      store<u32>(edgeBlock + 4 * <usize>edgesWaiting, arcEdge());
      store<u32>(edgeBlock + 4 * <usize>edgesWaiting, to, BLOCK_BYTES);
      if (++edgesWaiting == BLOCK_IDS) settleEdges();
    } else if (edgeFits(step, arcEdge())) {
      arrive(to);
    }
  }
}

function arrive(to: u32): void {
  if (on != NONE) bitSet(layerBits(on), to);
  if (out != NONE) ends(to, out);
}

/** The vertex comes into the layer behind the step, if its filter lets it pass. */
function ends(id: u32, into: u32): void {
  if (bitAt(layerBits(into), id)) return;
  if (!verticesWait) {
    if (vertexEnds(step, id)) bitSet(layerBits(into), id);
    return;
  }
  bitSet(layerBits(into), id);
  store<u32>(block + 4 * <usize>verticesWaiting, id);
  if (++verticesWaiting == BLOCK_IDS) settleEnds(into);
}

function settleEnds(into: u32): void {
  const bits = layerBits(into);
  for (let i: u32 = 0; i < verticesWaiting; i++) bitClear(bits, load<u32>(block + 4 * <usize>i));
  const waiting = verticesWaiting;
  verticesWaiting = 0;
  settle(vertexTestOf(step), waiting, bits);
}

function settleEdges(): void {
  const kept = edgeBlock + BLOCK_BYTES + 4 * <usize>BLOCK_IDS;
  memory.copy(kept, edgeBlock, 4 * <usize>edgesWaiting);
  let passing = edgeBlock;
  const end = passing + 4 * <usize>testBlock(edgeTestOf(step), edgeBlock, edgesWaiting);
  edgesWaiting = 0;
  // Those that pass come in the same order.
  for (let at = edgeBlock; passing < end; at += 4) {
    if (load<u32>(at, BLOCK_BYTES + 4 * <usize>BLOCK_IDS) != load<u32>(passing)) continue;
    passing += 4;
    arrive(load<u32>(at, BLOCK_BYTES));
  }
}

/** Takes out of the layers what leads nowhere. */
function prune(arcs: usize): void {
  for (let layer = lastLayer(); layer > 0; ) {
    layer--;
    const bits = layerBits(layer);
    for (let id = bitNext(bits, 0, ids); id < ids && !matchStops(); id = bitNext(bits, id + 1, ids)) {
      if (!leadsOn(arcs, layer, id)) bitClear(bits, id);
    }
  }
}

function leadsOn(arcs: usize, layer: u32, id: u32): bool {
  if (isAlive(layerPast(layer), id)) return true;
  const s = layerStep(layer);
  const on = layerOn(layer);
  const out = layerOut(layer);
  if (on == NONE && out == NONE) return false;
  arcsBegin(arcs, id, s, false);
  while (arcsNext(arcs)) {
    const to = arcVertex();
    if ((isAlive(on, to) || isAlive(out, to)) && edgeFits(s, arcEdge())) return true;
  }
  return false;
}

/** Whether no walk can meet itself: see the head comment. */
function walksAreSimple(): bool {
  if (edgeSteps() == 0 || (edgeSteps() == 1 && mostHops(0) <= 1)) return true;
  const bytes = bitsBytes(ids);
  const mark = scratchMark();
  const seen = bitsCreate(ids);
  if (seen == 0) return false; // the search needs no proof
  let simple = true;
  for (let layer: u32 = 0; layer <= lastLayer() && simple; layer++) {
    const bits = layerBits(layer);
    let twice: u64 = 0;
    for (let at: usize = 0; at < bytes; at += 8) {
      const word = load<u64>(bits + at);
      const before = load<u64>(seen + at);
      twice |= word & before;
      store<u64>(seen + at, word | before);
    }
    simple = twice == 0;
  }
  scratchRelease(mark);
  return simple;
}

// --- Marking ---------------------------------------------------------------------------------------------------------------

function markAlive(arcs: usize): void {
  for (let layer: u32 = 0; layer <= lastLayer(); layer++) {
    const bits = layerBits(layer);
    for (let id = bitNext(bits, 0, ids); id < ids && !idStops(); id = bitNext(bits, id + 1, ids)) {
      markVertex(id);
      const on = layerOn(layer);
      const out = layerOut(layer);
      if (on == NONE && out == NONE) continue;
      arcsBegin(arcs, id, layerStep(layer), false);
      while (arcsNext(arcs)) {
        const to = arcVertex();
        const edge = arcEdge();
        if (bitAt(marked, edge) || !(isAlive(on, to) || isAlive(out, to))) continue;
        if (edgeFits(layerStep(layer), edge)) markEdge(edge);
      }
    }
  }
}

function markWitnessed(arcs: usize): void {
  if (everyStepMayBeEmpty()) markStanding();
  for (let layer: u32 = 0; layer < lastLayer(); layer++) {
    const bits = layerBits(layer);
    const on = layerOn(layer);
    const out = layerOut(layer);
    if (on == NONE && out == NONE) continue;
    for (let id = bitNext(bits, 0, ids); id < ids && !matchStops(); id = bitNext(bits, id + 1, ids)) {
      arcsBegin(arcs, id, layerStep(layer), false);
      while (arcsNext(arcs)) {
        const edge = arcEdge();
        const to = arcVertex();
        if (bitAt(marked, edge)) continue;
        const ends = isAlive(out, to);
        if ((!ends && !isAlive(on, to)) || !edgeFits(layerStep(layer), edge)) continue;
        if (ends && witnessed(layer, id, edge, out, to)) continue;
        if (isAlive(on, to)) witnessed(layer, id, edge, on, to);
      }
    }
  }
}

/** Marks a simple path with that hop, if there is one. */
function witnessed(layer: u32, from: u32, edge: u32, into: u32, to: u32): bool {
  searched++;
  if (!searchThrough(layer, from, into, to)) return false;
  markVertex(from);
  markVertex(to);
  markEdge(edge);
  const hops = pathHops();
  for (let i: u32 = 0; i < hops; i++) {
    if (pathEdge(i) == NONE) continue;
    markEdge(pathEdge(i));
    markVertex(pathVertex(i));
  }
  return true;
}

function everyStepMayBeEmpty(): bool {
  for (let s: u32 = 0; s < edgeSteps(); s++) {
    if (leastHops(s) != 0) return false;
  }
  return true;
}

/** A path of no hops at all: a vertex that every vertex step lets pass. */
function markStanding(): void {
  const bits = layerBits(0);
  for (let id = bitNext(bits, 0, ids); id < ids; id = bitNext(bits, id + 1, ids)) {
    let stands = true;
    for (let s: u32 = 1; s <= edgeSteps() && stands; s++) stands = bitAt(layerBits(stepLayer(s)), id);
    if (stands) markVertex(id);
  }
}
