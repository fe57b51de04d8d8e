// One least-weight search for weighted-paths.ts: from a start with a weight and hops already behind it to the target, around
// blocked vertices and without some first edges, within a hop and a weight cap.
//
// Order of paths: weight, hops, then edge ids compared step by step. Weights are summed from the source on, step by step, so
// equal paths have equal weights to the last bit.
//
// Two things keep it from looking at everything. A search backward from the target (`backwardStep`) knows the exact rest of the
// vertices it has settled and a lower bound, its radius, for the others: a label whose weight plus rest is above the best path
// so far is dropped, and later searches order their queue by that sum (A*). And a vertex keeps one label, the least by (weight,
// hops), unless the hop cap was met: then (`pareto`) a label with more weight and fewer hops stays as well, because only it may
// reach the target in time; hops to the target, counted backward breadth-first, then bound those as the rest bounds the weight.
//
// Rests are summed from the other end and may differ in the last bits, so every bound is taken with SLACK.

import { pairEdge, pairNeighbour } from '../graph/adjacency';
import { elementA, elementB, elementKind, KIND_VERTEX } from '../graph/elements';
import { scratchAllocate } from '../memory/arena';
import { edgeCosts, edgePasses, stepCost, vertexCosts, vertexPasses } from './filters';
import { heapClear, heapCount, heapCreate, heapKey, heapPop, heapPush, heapTop } from './heap';
import { listAt, listCount, listCreate, listPush } from './list';
import { firstPair, pairAfter, pairsBegin, pairsStopped } from './pairs';
import { sparseAt, sparseCreate, sparseTouch } from './sparse';

const SLACK: f64 = 1.000000001;

// Record of a vertex.
const FLAGS: usize = 0; //      u32 ASKED, PASSES, COSTED
const BACK_SETTLED: usize = 4; // u32 1 = `BACK` is final
const COST: usize = 8; //       f64 the vertex's part of a step's cost
const BACK: usize = 16; //      f64 weight from here to the target, once BACK_OPEN
const RUN: usize = 24; //       u32 the forward search that LABEL belongs to
const LABEL: usize = 28; //     u32 its newest label
const BLOCKED: usize = 32; //   u32 the forward search that may not enter it
const BACK_HOPS: usize = 36; // u32 1 + hops to the target, 0 = not counted
const BACK_OPEN: usize = 40; // u32 1 = reached by the backward search
const RECORD: usize = 48;

const ASKED: u32 = 1;
const PASSES: u32 = 2;
const COSTED: u32 = 4;

// Label: a way to a vertex.
export const LABEL_WEIGHT: usize = 0; //    f64
export const LABEL_VERTEX: usize = 8; //    u32
export const LABEL_HOPS: usize = 12; //     u32
export const LABEL_PARENT: usize = 16; //   u32 label before, 0 at the start
export const LABEL_EDGE: usize = 20; //     u32
export const LABEL_DIRECTION: usize = 24; // u32
const LABEL_NEXT: usize = 28; //            u32 the vertex's label before this one (pareto)
const LABEL_BYTES: usize = 32;
const LABEL_CHUNK: u32 = 1024;

// Ban, in a list: u32 the edge that may not be taken, u32 the next ban.
export const BAN_NEXT: usize = 4;
export const BAN_BYTES: usize = 8;

let state: usize = 0;
let ids: u32 = 0;
let records: usize = 0;
let source: u32 = 0;
let target: u32 = 0;
let run: u32 = 0;

let queue: usize = 0;
let backQueue: usize = 0;
let radius: f64 = 0;

let labelChunks: usize = 0;
let labelCount: u32 = 0;

let hopCap: u32 = 0;
let weightCap: f64 = 0;
let pareto: bool = false;
let guided: bool = false;
let best: usize = 0;
let bestWeight: f64 = 0;

/** Whether both searches run towards each other now, and the least weight of a way on which they have met. */
let meets: bool = false;
let meet: f64 = 0;

let full: bool = false;

/** Prepares for searches between two vertices; false without scratch. */
export function searchBegin(graphState: usize, nextId: u32, from: u32, to: u32): bool {
  state = graphState;
  ids = nextId;
  source = from;
  target = to;
  run = 0;
  radius = 0;
  pareto = false;
  full = false;
  pairsBegin();
  labelCount = 0;
  records = sparseCreate(ids);
  queue = heapCreate();
  backQueue = heapCreate();
  labelChunks = listCreate();
  return records != 0 && queue != 0 && backQueue != 0 && labelChunks != 0;
}

export function searchFull(): bool {
  return full;
}

// @ts-ignore: decorator
@inline
function touched(id: u32): usize {
  const record = sparseTouch(records, id, RECORD);
  if (record == 0) full = true;
  return record;
}

/** The filter has been asked about the vertex and said no. */
// @ts-ignore: decorator
@inline
function refused(record: usize): bool {
  return (load<u32>(record, FLAGS) & (ASKED | PASSES)) == ASKED;
}

/** Asks the filter about a vertex, once; the source always passes. 0 = no, or no scratch. */
function admitted(id: u32): usize {
  const record = sparseTouch(records, id, RECORD);
  if (record == 0) {
    full = true;
    return 0;
  }
  let flags = load<u32>(record, FLAGS);
  if ((flags & ASKED) == 0) {
    const passes = elementKind(state, id) == KIND_VERTEX && (id == source || vertexPasses(id));
    flags |= passes ? ASKED | PASSES : ASKED;
    store<u32>(record, flags, FLAGS);
  }
  return flags & PASSES ? record : 0;
}

/** The vertex's part of the cost of a step that reaches it, asked once. */
// @ts-ignore: decorator
@inline
function partOf(id: u32, record: usize): f64 {
  if ((load<u32>(record, FLAGS) & COSTED) == 0) {
    store<f64>(record, vertexCosts(id), COST);
    store<u32>(record, load<u32>(record, FLAGS) | COSTED, FLAGS);
  }
  return load<f64>(record, COST);
}

// --- Backward ------------------------------------------------------------------------------------------------------------

/** Starts the backward search; false when the target itself does not pass or scratch is full. */
export function backwardBegin(): bool {
  const record = admitted(target);
  if (record == 0) return false;
  store<f64>(record, 0, BACK);
  store<u32>(record, 1, BACK_OPEN);
  if (!heapPush(backQueue, 0, target, 0)) {
    full = true;
    return false;
  }
  radius = 0;
  return true;
}

/** Settles one more vertex; false when there is none within the weight cap. The radius is then infinite. */
export function backwardStep(cap: f64): bool {
  while (heapCount(backQueue) != 0) {
    const weight = heapKey(backQueue);
    const id = heapTop(backQueue);
    heapPop(backQueue);
    const record = sparseAt(records, id, RECORD);
    if (load<u32>(record, BACK_SETTLED) != 0) continue;
    if (weight > cap * SLACK) break;
    store<u32>(record, 1, BACK_SETTLED);
    radius = weight;
    if (id != source) {
      const part = partOf(id, record);
      backwardWord(elementA(state, id), weight, part);
      backwardWord(elementB(state, id), weight, part);
    }
    return !full && !pairsStopped();
  }
  radius = Infinity;
  return false;
}

function backwardWord(word: u32, weight: f64, part: f64): void {
  for (let pair = firstPair(word); pair; pair = pairAfter(pair)) {
    const neighbour = pairNeighbour(pair);
    if (neighbour >= ids) continue;
    const record = touched(neighbour);
    if (record == 0) return;
    if (refused(record) || load<u32>(record, BACK_SETTLED) != 0) continue;
    if (pareto && load<u32>(record, BACK_HOPS) == 0) continue;
    if (!edgePasses(pairEdge(pair)) || !admitted(neighbour)) continue;
    const rest = weight + stepCost(edgeCosts(pairEdge(pair)), part);
    if (!(rest < Infinity)) continue;
    if (load<u32>(record, BACK_OPEN) != 0 && rest >= load<f64>(record, BACK)) continue;
    if (meets && load<u32>(record, RUN) == run) meet = min(meet, rest + load<f64>(<usize>load<u32>(record, LABEL)));
    store<f64>(record, rest, BACK);
    store<u32>(record, 1, BACK_OPEN);
    if (!heapPush(backQueue, rest, neighbour, 0)) {
      full = true;
      return;
    }
  }
}

export function backwardRadius(): f64 {
  return radius;
}

/** A lower bound of the weight from a vertex to the target; exact once the backward search has settled it. */
// @ts-ignore: decorator
@inline
function restOf(record: usize): f64 {
  return load<u32>(record, BACK_SETTLED) != 0 ? load<f64>(record, BACK) : radius;
}

/** Counts hops to the target over everything that passes, up to `cap` hops: what bounds labels once hops are short. */
export function countBackHops(cap: u32): bool {
  const frontier = listCreate();
  const record = admitted(target);
  if (frontier == 0 || record == 0 || !listPush(frontier, target)) {
    full = full || frontier == 0;
    return false;
  }
  store<u32>(record, 1, BACK_HOPS);
  for (let i: u32 = 0; i < listCount(frontier) && !full && !pairsStopped(); i++) {
    const id = load<u32>(listAt(frontier, i));
    const hops = load<u32>(sparseAt(records, id, RECORD), BACK_HOPS);
    if (hops > cap || id == source) continue;
    countWord(elementA(state, id), frontier, hops);
    countWord(elementB(state, id), frontier, hops);
  }
  return !full && !pairsStopped();
}

function countWord(word: u32, frontier: usize, hops: u32): void {
  for (let pair = firstPair(word); pair; pair = pairAfter(pair)) {
    const neighbour = pairNeighbour(pair);
    if (neighbour >= ids) continue;
    const record = touched(neighbour);
    if (record == 0) return;
    if (refused(record) || load<u32>(record, BACK_HOPS) != 0) continue;
    if (!edgePasses(pairEdge(pair)) || !admitted(neighbour)) continue;
    store<u32>(record, hops + 1, BACK_HOPS);
    if (!listPush(frontier, neighbour)) {
      full = true;
      return;
    }
  }
}

// --- Forward -------------------------------------------------------------------------------------------------------------

/** From now on labels with fewer hops and more weight stay (see above). */
export function searchPareto(): void {
  pareto = true;
}

/** A new forward search; block vertices after this and before `forwardStart`. */
export function forwardBegin(maxHops: u32, maxWeight: f64, byRest: bool): void {
  run++;
  meets = false;
  meet = Infinity;
  hopCap = maxHops;
  weightCap = maxWeight;
  guided = byRest;
  labelCount = 0;
  best = 0;
  bestWeight = Infinity;
  heapClear(queue);
}

/** The coming search may not enter this vertex; false without scratch. */
export function forwardBlock(id: u32): bool {
  const record = sparseTouch(records, id, RECORD);
  if (record == 0) {
    full = true;
    return false;
  }
  store<u32>(record, run, BLOCKED);
  return true;
}

/** Where the search starts; answers its label, 0 without scratch. `bans` is a list of edges not to take first (weighted-paths.ts). */
export function forwardStart(id: u32, weight: f64, hops: u32, bans: usize): usize {
  const record = admitted(id);
  const label = record ? labelCreate(weight, id, hops, 0, 0, 0) : 0;
  if (label == 0) return 0;
  store<u32>(record, run, RUN);
  store<u32>(record, <u32>label, LABEL);
  relaxAll(label, bans);
  return full ? 0 : label;
}

/** Weight of the least queued label (plus its rest when guided); infinite when there is none. */
function forwardKey(): f64 {
  return heapCount(queue) != 0 ? heapKey(queue) : Infinity;
}

/**
 * Lets the forward search, just begun and without blocked vertices, and the backward search run towards each other until no way between
 * them can be shorter than the best on which they have met; what is left to the forward search is then a corridor.
 */
export function searchBothWays(cap: f64): void {
  meets = !pareto;
  while (!full && !pairsStopped() && forwardKey() + radius < min(meet, bestWeight)) {
    if (heapCount(backQueue) != 0 && heapCount(backQueue) <= heapCount(queue)) {
      backwardStep(cap);
    } else if (!forwardStep()) {
      return;
    }
  }
}

/** The best way's last label, 0 = none. */
export function forwardFound(): usize {
  return best;
}

/** Settles one label; false when nothing queued can still be as good as the best. */
export function forwardStep(): bool {
  while (heapCount(queue) != 0) {
    if (guided && heapKey(queue) > bound()) return false;
    if (!guided && heapKey(queue) > bestWeight) return false;
    const label = <usize>heapTop(queue);
    heapPop(queue);
    const record = sparseAt(records, load<u32>(label, LABEL_VERTEX), RECORD);
    if (!pareto && load<u32>(record, LABEL) != <u32>label) continue; // a better one came
    if (pareto && dominated(record, label)) continue;
    if (load<f64>(label, LABEL_WEIGHT) + restOf(record) > bound()) continue;
    if (load<u32>(label, LABEL_VERTEX) == target) continue;
    relaxAll(label, 0);
    return !full && !pairsStopped();
  }
  return false;
}

/** What no useful label may exceed: the best way found, or the cap. */
// @ts-ignore: decorator
@inline
function bound(): f64 {
  return min(min(bestWeight, meet), weightCap) * SLACK;
}

/** Another label of the vertex is as good in weight and hops, and better in one of them or in its path. */
function dominated(record: usize, label: usize): bool {
  const weight = load<f64>(label, LABEL_WEIGHT);
  const hops = load<u32>(label, LABEL_HOPS);
  for (let other = <usize>load<u32>(record, LABEL); other; other = <usize>load<u32>(other, LABEL_NEXT)) {
    if (other == label) continue;
    const otherWeight = load<f64>(other, LABEL_WEIGHT);
    const otherHops = load<u32>(other, LABEL_HOPS);
    if (otherWeight > weight || otherHops > hops) continue;
    if (otherWeight < weight || otherHops < hops || pathBefore(other, label)) return true;
  }
  return false;
}

function relaxAll(label: usize, bans: usize): void {
  if (load<u32>(label, LABEL_HOPS) >= hopCap && pareto) return;
  const id = load<u32>(label, LABEL_VERTEX);
  relaxWord(label, elementA(state, id), 1, bans);
  relaxWord(label, elementB(state, id), 0, bans);
}

function relaxWord(label: usize, word: u32, direction: u32, bans: usize): void {
  for (let pair = firstPair(word); pair; pair = pairAfter(pair)) {
    const neighbour = pairNeighbour(pair);
    if (neighbour >= ids || neighbour == source) continue;
    const record = touched(neighbour);
    if (record == 0) return;
    if (refused(record) || load<u32>(record, BLOCKED) == run) continue;
    const edge = pairEdge(pair);
    if ((bans && banned(bans, edge)) || !edgePasses(edge) || !admitted(neighbour)) continue;
    relax(label, record, neighbour, edge, direction);
    if (full) return;
  }
}

/** Whether a list of bans names the edge. */
function banned(bans: usize, edge: u32): bool {
  while (bans) {
    if (load<u32>(bans) == edge) return true;
    bans = <usize>load<u32>(bans, BAN_NEXT);
  }
  return false;
}

function relax(parent: usize, record: usize, id: u32, edge: u32, direction: u32): void {
  const weight = load<f64>(parent, LABEL_WEIGHT) + stepCost(edgeCosts(edge), partOf(id, record));
  const hops = load<u32>(parent, LABEL_HOPS) + 1;
  const estimate = weight + restOf(record);
  if (!(estimate <= bound()) || weight > weightCap) return;
  if (pareto) {
    const left = load<u32>(record, BACK_HOPS);
    if (left == 0 || hops + left - 1 > hopCap) return;
  }
  const known: usize = load<u32>(record, RUN) == run ? <usize>load<u32>(record, LABEL) : 0;
  if (known && !pareto && !improves(parent, known, weight, hops, edge)) return;
  const label = labelCreate(weight, id, hops, <u32>parent, edge, direction);
  if (label == 0) return;
  if (pareto) {
    store<u32>(label, <u32>known, LABEL_NEXT);
    if (known && dominated2(record, label, known)) return;
  }
  store<u32>(record, run, RUN);
  store<u32>(record, <u32>label, LABEL);
  if (meets && load<u32>(record, BACK_OPEN) != 0) meet = min(meet, weight + load<f64>(record, BACK));
  if (id == target && (best == 0 || labelBefore(label, best))) {
    best = label;
    bestWeight = weight;
  }
  if (!heapPush(queue, guided ? estimate : weight, <u32>label, hops)) full = true;
}

/** `dominated` for a label that is not yet the vertex's: `known` heads those that are. */
function dominated2(record: usize, label: usize, known: usize): bool {
  return known != 0 && dominated(record, label);
}

/** Whether a way to a vertex over `parent` and `edge` comes before its label `known`. */
function improves(parent: usize, known: usize, weight: f64, hops: u32, edge: u32): bool {
  const knownWeight = load<f64>(known, LABEL_WEIGHT);
  if (weight != knownWeight) return weight < knownWeight;
  const knownHops = load<u32>(known, LABEL_HOPS);
  if (hops != knownHops) return hops < knownHops;
  const knownParent = <usize>load<u32>(known, LABEL_PARENT);
  if (knownParent == parent) return edge < load<u32>(known, LABEL_EDGE);
  return pathBefore(parent, knownParent);
}

/** Order of two labels: weight, hops, edge ids from the start on. */
function labelBefore(one: usize, other: usize): bool {
  const weight = load<f64>(one, LABEL_WEIGHT);
  const otherWeight = load<f64>(other, LABEL_WEIGHT);
  if (weight != otherWeight) return weight < otherWeight;
  const hops = load<u32>(one, LABEL_HOPS);
  const otherHops = load<u32>(other, LABEL_HOPS);
  return hops != otherHops ? hops < otherHops : pathBefore(one, other);
}

/** Of two paths with equally many hops: whether the first has the smaller edge id where they first part. */
function pathBefore(one: usize, other: usize): bool {
  let first: u32 = 0;
  let second: u32 = 0;
  while (one != other && one && other) {
    if (load<u32>(one, LABEL_EDGE) != load<u32>(other, LABEL_EDGE)) {
      first = load<u32>(one, LABEL_EDGE);
      second = load<u32>(other, LABEL_EDGE);
    }
    one = <usize>load<u32>(one, LABEL_PARENT);
    other = <usize>load<u32>(other, LABEL_PARENT);
  }
  return first < second;
}

function labelCreate(weight: f64, vertex: u32, hops: u32, parent: u32, edge: u32, direction: u32): usize {
  const place = labelCount / LABEL_CHUNK;
  if (place >= listCount(labelChunks)) {
    const chunk = scratchAllocate(LABEL_BYTES * <usize>LABEL_CHUNK);
    if (chunk == 0 || !listPush(labelChunks, <u32>chunk)) {
      full = true;
      return 0;
    }
  }
  const label = <usize>load<u32>(listAt(labelChunks, place)) + LABEL_BYTES * <usize>(labelCount++ % LABEL_CHUNK);
  store<f64>(label, weight, LABEL_WEIGHT);
  store<u32>(label, vertex, LABEL_VERTEX);
  store<u32>(label, hops, LABEL_HOPS);
  store<u32>(label, parent, LABEL_PARENT);
  store<u32>(label, edge, LABEL_EDGE);
  store<u32>(label, direction, LABEL_DIRECTION);
  store<u32>(label, 0, LABEL_NEXT);
  return label;
}
