// The K least-weight loop-free paths between two vertices, edges walked either way (`DIJKSTRA`), in the order of weight, hops
// and edge ids.
//
// J. Y. Yen, "Finding the K shortest loopless paths in a network" (1971), as E. L. Lawler partitions it (1972): a path taken splits what
// is left into one set for each of its steps from where it left its own set on: paths that share its steps before that one and do not
// take that step. Each set's best path is found once (weighted-search.ts) and waits in a heap; sets are disjoint, so no path comes twice.
//
// A hop cap is ignored until a path breaks it; then everything starts again with labels for each number of hops (`searchPareto`), which
// costs more. A negative step costs 0. Cost: one search both ways for the first path, one guided search a set afterwards.

import { elementKind, KIND_VERTEX } from '../graph/elements';
import { graphState, stateNextId } from '../graph/state';
import { arenaNeed, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { ARENA_TOO_SMALL, NO_MEMORY, OK, STOPPED } from '../status';
import { edgeCosts, filtersBegin, stepCost, vertexCosts } from './filters';
import { listAt, listCount, listCreate, listPush, listTruncate } from './list';
import { pairsStopped } from './pairs';
import { pathBegin, pathEnd, pathsBegin, pathsEnd, pathStep } from './path-output';
import {
  backwardBegin, backwardRadius, backwardStep, BAN_BYTES, BAN_NEXT, countBackHops, forwardBegin, forwardBlock, forwardFound, forwardStart,
  forwardStep, LABEL_DIRECTION, LABEL_EDGE, LABEL_HOPS, LABEL_PARENT, LABEL_VERTEX, LABEL_WEIGHT, searchBegin, searchBothWays, searchFull,
  searchPareto,
} from './weighted-search';

// Path: { f64 weight, u32 hops, u32 first step of its own, u32 edges not taken there (list), u32 zero, hops x step }
const PATH_WEIGHT: usize = 0;
const PATH_HOPS: usize = 8;
const PATH_OWN: usize = 12;
const PATH_BANS: usize = 16;
const PATH_HEADER: usize = 24;
// Step: { f64 weight up to here, u32 edge, u32 direction, u32 vertex reached, u32 zero }
const STEP_EDGE: usize = 8;
const STEP_DIRECTION: usize = 12;
const STEP_VERTEX: usize = 16;
const STEP_BYTES: usize = 24;

/** Below this many paths the backward search goes only twice as far as the best path's weight. */
const FEW: u32 = 64;

let state: usize = 0;
let source: u32 = 0;
let target: u32 = 0;
let candidates: usize = 0;
let full: bool = false;
let tooManyHops: bool = false;
let wasCut: bool = false;

/**
 * Writes the least-weight loop-free paths, at most `maxResults`, of at most `maxDepth` hops and `maxWeight`, as JSON to OUTPUT.
 * OK also when there is none; STOPPED when the stop word says so, NO_MEMORY or ARENA_TOO_SMALL when scratch or output is too small.
 */
export function pathWeighted(graph: usize, from: u32, to: u32, maxDepth: u32, maxResults: u32, maxWeight: f64): i32 {
  state = graphState(graph);
  source = from;
  target = to;
  full = false;
  wasCut = false;
  const mark = scratchMark();
  if (!pathsBegin()) return refusal();
  const asked = maxDepth > 0 && maxResults > 0 && from != to && maxWeight >= 0;
  if (asked && elementKind(state, from) == KIND_VERTEX && elementKind(state, to) == KIND_VERTEX) {
    const cap = min<u32>(maxDepth, stateNextId(state));
    tooManyHops = false;
    run(cap, maxResults, maxWeight, false);
    if (tooManyHops) {
      wasCut = true;
      scratchRelease(mark);
      if (!pathsBegin()) return refusal();
      tooManyHops = false;
      run(cap, maxResults, maxWeight, true);
    }
  }
  const stopped = pairsStopped();
  scratchRelease(mark);
  if (full) return refusal();
  if (asked && stopped) return STOPPED;
  return pathsEnd() ? OK : refusal();
}

/** Whether the last search left out a path of more than `maxDepth` hops that weighs no more than what it looked for. */
export function pathWasCut(): bool {
  return wasCut;
}

function refusal(): i32 {
  return arenaNeed() ? ARENA_TOO_SMALL : NO_MEMORY;
}

function run(maxDepth: u32, maxResults: u32, maxWeight: f64, pareto: bool): void {
  candidates = listCreate();
  if (candidates == 0 || !searchBegin(state, stateNextId(state), source, target) || !filtersBegin()) {
    full = true;
    return;
  }
  if (pareto) {
    searchPareto();
    countBackHops(maxDepth);
  }
  if (!backwardBegin()) {
    full = searchFull();
    return;
  }
  let path = firstPath(maxDepth, maxWeight);
  if (path == 0) return;
  if (maxResults > 1) reachBack(maxResults < FEW ? 2 * load<f64>(path, PATH_WEIGHT) : Infinity, maxWeight);
  let written: u32 = 0;
  while (path && !full && !searchFull() && !pairsStopped() && !tooManyHops) {
    if (!writePath(path)) full = true;
    if (++written == maxResults) return;
    split(path, maxDepth, maxWeight);
    path = takeCandidate();
  }
  full = full || searchFull();
}

function firstPath(maxDepth: u32, maxWeight: f64): usize {
  forwardBegin(maxDepth, maxWeight, false);
  const start = forwardStart(source, 0, 0, 0);
  if (start) searchBothWays(maxWeight);
  const path = start ? finish(0, 0, 0, maxDepth) : 0;
  full = full || searchFull();
  return path;
}

/** Moves the backward search on to a radius, so that later searches know where they go. */
function reachBack(radius: f64, maxWeight: f64): void {
  while (backwardRadius() < radius && backwardStep(maxWeight)) {}
}

/** Runs the forward search to its end; the path it found behind the first `shared` steps of `before`, or 0. */
function finish(before: usize, shared: u32, bans: usize, maxDepth: u32): usize {
  while (forwardStep()) {}
  if (searchFull() || pairsStopped()) return 0;
  let label = forwardFound();
  if (label == 0) return 0;
  const hops = load<u32>(label, LABEL_HOPS);
  if (hops > maxDepth) {
    tooManyHops = true;
    return 0;
  }
  const path = scratchAllocate(PATH_HEADER + STEP_BYTES * <usize>hops);
  if (path == 0) {
    full = true;
    return 0;
  }
  store<f64>(path, load<f64>(label, LABEL_WEIGHT), PATH_WEIGHT);
  store<u32>(path, hops, PATH_HOPS);
  store<u32>(path, shared, PATH_OWN);
  store<u32>(path, <u32>bans, PATH_BANS);
  memory.copy(path + PATH_HEADER, before + PATH_HEADER, STEP_BYTES * <usize>shared);
  for (let i = hops; i > shared; i--) {
    const step = stepAt(path, i - 1);
    store<f64>(step, load<f64>(label, LABEL_WEIGHT));
    store<u32>(step, load<u32>(label, LABEL_EDGE), STEP_EDGE);
    store<u32>(step, load<u32>(label, LABEL_DIRECTION), STEP_DIRECTION);
    store<u32>(step, load<u32>(label, LABEL_VERTEX), STEP_VERTEX);
    label = <usize>load<u32>(label, LABEL_PARENT);
  }
  return path;
}

// @ts-ignore: decorator
@inline
function stepAt(path: usize, index: u32): usize {
  return path + PATH_HEADER + STEP_BYTES * <usize>index;
}

/** Finds the best path of every set that taking `path` leaves. */
function split(path: usize, maxDepth: u32, maxWeight: f64): void {
  const hops = load<u32>(path, PATH_HOPS);
  const own = load<u32>(path, PATH_OWN);
  for (let i = own; i < hops && !full && !tooManyHops; i++) {
    const ban = scratchAllocate(BAN_BYTES);
    if (ban == 0) {
      full = true;
      return;
    }
    store<u32>(ban, load<u32>(stepAt(path, i), STEP_EDGE));
    store<u32>(ban, i == own ? load<u32>(path, PATH_BANS) : 0, BAN_NEXT);
    forwardBegin(maxDepth, maxWeight, true);
    for (let before: u32 = 1; before < i; before++) forwardBlock(load<u32>(stepAt(path, before - 1), STEP_VERTEX));
    const from = i == 0 ? source : load<u32>(stepAt(path, i - 1), STEP_VERTEX);
    const weight: f64 = i == 0 ? 0 : load<f64>(stepAt(path, i - 1));
    if (!forwardStart(from, weight, i, ban)) {
      full = true;
      return;
    }
    const candidate = finish(path, i, ban, maxDepth);
    if (searchFull()) full = true;
    if (pairsStopped() || full) return;
    if (candidate && !putCandidate(candidate)) full = true;
  }
}

// --- Candidates: a binary heap of path addresses in a list ------------------------------------------------------------------

/** Order of paths: weight, hops, edge ids step by step. */
function pathBefore(one: usize, other: usize): bool {
  const weight = load<f64>(one, PATH_WEIGHT);
  const otherWeight = load<f64>(other, PATH_WEIGHT);
  if (weight != otherWeight) return weight < otherWeight;
  const hops = load<u32>(one, PATH_HOPS);
  const otherHops = load<u32>(other, PATH_HOPS);
  if (hops != otherHops) return hops < otherHops;
  for (let i: u32 = 0; i < hops; i++) {
    const edge = load<u32>(stepAt(one, i), STEP_EDGE);
    const otherEdge = load<u32>(stepAt(other, i), STEP_EDGE);
    if (edge != otherEdge) return edge < otherEdge;
  }
  return false;
}

function putCandidate(path: usize): bool {
  let place = listCount(candidates);
  if (!listPush(candidates, <u32>path)) return false;
  while (place != 0) {
    const parent = (place - 1) >> 1;
    const above = <usize>load<u32>(listAt(candidates, parent));
    if (!pathBefore(path, above)) break;
    store<u32>(listAt(candidates, place), <u32>above);
    place = parent;
  }
  store<u32>(listAt(candidates, place), <u32>path);
  return true;
}

/** The first of the candidates, 0 when there is none. */
function takeCandidate(): usize {
  let count = listCount(candidates);
  if (count == 0) return 0;
  const first = <usize>load<u32>(listAt(candidates, 0));
  const last = <usize>load<u32>(listAt(candidates, --count));
  listTruncate(candidates, count);
  if (count == 0) return first;
  let place: u32 = 0;
  while (true) {
    let child: u32 = 2 * place + 1;
    if (child >= count) break;
    let lower = <usize>load<u32>(listAt(candidates, child));
    if (child + 1 < count) {
      const right = <usize>load<u32>(listAt(candidates, child + 1));
      if (pathBefore(right, lower)) {
        lower = right;
        child++;
      }
    }
    if (!pathBefore(lower, last)) break;
    store<u32>(listAt(candidates, place), <u32>lower);
    place = child;
  }
  store<u32>(listAt(candidates, place), <u32>last);
  return first;
}

function writePath(path: usize): bool {
  if (!pathBegin()) return false;
  const hops = load<u32>(path, PATH_HOPS);
  let from = source;
  for (let i: u32 = 0; i < hops; i++) {
    const step = stepAt(path, i);
    const edge = load<u32>(step, STEP_EDGE);
    const to = load<u32>(step, STEP_VERTEX);
    const weight = stepCost(edgeCosts(edge), vertexCosts(to));
    if (!pathStep(state, from, to, edge, load<u32>(step, STEP_DIRECTION), weight)) return false;
    from = to;
  }
  return pathEnd(load<f64>(path, PATH_WEIGHT));
}
