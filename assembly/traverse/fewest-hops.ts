// All paths of fewest hops between two vertices, edges walked either way (`BLS`): breadth-first search from both ends, the smaller
// frontier first, until one meets the other or their depths reach the cap. The levels then say which vertices lie on a
// shortest path; they are marked from the meeting level back to the source, and a depth-first walk from the source writes the paths.
//
// The vertex filter holds for every vertex but the source, and is asked once about each. Paths come in the order of their edge ids,
// compared step by step; parallel edges give a path each. Cost: O(edges of the vertices reached), plus the paths; 16 bytes a vertex
// reached, in pages of 256 ids. Edge filters are asked again for the edges between marked vertices, so one is expected to answer the
// same twice.
//
// Where a filter takes blocks, a level's edges or new vertices wait in one until it is full or the level ends. Vertices then go on in the
// order in which they came, so levels are the same lists as one by one; only of parallel edges to a vertex more may be asked.

import { adjacencyGroup, adjacencyGroups, groupUsed, pairEdge, pairNeighbour } from '../graph/adjacency';
import { elementA, elementB, elementKind, KIND_VERTEX } from '../graph/elements';
import { graphState, stateNextId } from '../graph/state';
import { arenaNeed, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { ARENA_TOO_SMALL, NO_MEMORY, OK, STOPPED } from '../status';
import {
  edgePasses, filtersBegin, filtersVertices, selectEdges, selectsEdges, selectsVertices, selectVertices, vertexPasses,
} from './filters';
import { listAt, listCount, listCreate, listPush, listTruncate } from './list';
import { firstPair, pairAfter, pairsBegin, pairsStopped } from './pairs';
import { pathBegin, pathEnd, pathsBegin, pathsEnd, pathStep } from './path-output';
import { sparseAt, sparseCreate, sparseTouch } from './sparse';

// Record of a vertex reached: levels are 1 + hops from that end, 0 = not reached from there, REFUSED = the filter said no, or is yet to
// be asked (the vertex is in the block).
const FORWARD: usize = 0; //  u32
const BACKWARD: usize = 4; // u32
const MARKED: usize = 8; //   u32 1 = on a shortest path
const STEPS: usize = 12; //   u32 1 + index of its first step in `steps`, 0 = not gathered
const RECORD: usize = 16;

const REFUSED: u32 = 0xffffffff;

/** Ids handed to a filter at once. */
const BLOCK_IDS: u32 = 1024;

/** Words of a gathered step: edge, direction, vertex it leads to. */
const STEP_WORDS: u32 = 3;

let state: usize = 0;
let ids: u32 = 0;
let records: usize = 0;
let source: u32 = 0;
let target: u32 = 0;
let forwardDepth: u32 = 0;
let full: bool = false;
let met: bool = false;
let wasCut: bool = false;

// The level under construction: its list, the side it belongs to, and what waits for the filters.
let next: usize = 0;
let own: usize = 0;
let other: usize = 0;
let level: u32 = 0;
let vertexBlock: usize = 0;
let verticesWaiting: u32 = 0;
let edgeBlock: usize = 0; // { BLOCK_IDS x edge, BLOCK_IDS x vertex it leads to, BLOCK_IDS x edge that passed }
let edgesWaiting: u32 = 0;

/**
 * Writes every path of fewest hops, at most `maxResults`, of at most `maxDepth` hops, as JSON to OUTPUT. OK also when there is none;
 * STOPPED when the stop word says so, NO_MEMORY or ARENA_TOO_SMALL when scratch or output is too small.
 */
export function pathFewestHops(graph: usize, from: u32, to: u32, maxDepth: u32, maxResults: u32): i32 {
  state = graphState(graph);
  ids = stateNextId(state);
  source = from;
  target = to;
  full = false;
  wasCut = false;
  pairsBegin();
  met = false;
  const mark = scratchMark();
  if (!pathsBegin()) return refusal();
  if (maxDepth > 0 && maxResults > 0 && from != to && isVertex(from) && isVertex(to)) {
    const forward = listCreate();
    const backward = listCreate();
    records = sparseCreate(ids);
    if (forward && backward && records && blocksBegin() && filtersBegin()) {
      if (search(forward, backward, maxDepth)) writePaths(forward, backward, maxResults);
    } else {
      full = true;
    }
  }
  scratchRelease(mark);
  if (pairsStopped()) return STOPPED;
  if (full || !pathsEnd()) return refusal();
  return OK;
}

/** Whether the last search ended at `maxDepth` with vertices that it might have gone on from. */
export function fewestHopsWereCut(): bool {
  return wasCut;
}

function isVertex(id: u32): bool {
  return elementKind(state, id) == KIND_VERTEX;
}

function blocksBegin(): bool {
  verticesWaiting = 0;
  edgesWaiting = 0;
  vertexBlock = selectsVertices() ? scratchAllocate(4 * <usize>BLOCK_IDS) : 0;
  edgeBlock = selectsEdges() ? scratchAllocate(12 * <usize>BLOCK_IDS) : 0;
  return (vertexBlock != 0 || !selectsVertices()) && (edgeBlock != 0 || !selectsEdges());
}

function refusal(): i32 {
  return arenaNeed() ? ARENA_TOO_SMALL : NO_MEMORY;
}

/** True when the ends have met; each list then holds the last level of its side. */
function search(forward: usize, backward: usize, maxDepth: u32): bool {
  const atSource = sparseTouch(records, source, RECORD);
  const atTarget = atSource ? sparseTouch(records, target, RECORD) : 0;
  if (atTarget == 0 || !listPush(forward, source) || !listPush(backward, target)) {
    full = true;
    return false;
  }
  if (!vertexPasses(target)) return false;
  store<u32>(atSource, 1, FORWARD);
  store<u32>(atTarget, 1, BACKWARD);
  let spare = listCreate();
  if (spare == 0) {
    full = true;
    return false;
  }
  let depthForward: u32 = 0;
  let depthBackward: u32 = 0;
  // The side with fewer adjacency pairs to look at goes next; the outcome does not depend on it.
  let workForward = pairsOf(forward);
  let workBackward = pairsOf(backward);
  while (depthForward + depthBackward < maxDepth) {
    const ahead = workForward <= workBackward;
    const frontier = ahead ? forward : backward;
    if (listCount(frontier) == 0) return false;
    listTruncate(spare, 0);
    advance(frontier, spare, ahead, ahead ? ++depthForward : ++depthBackward);
    if (full || pairsStopped()) return false;
    if (ahead) {
      forward = spare;
      workForward = pairsOf(spare);
    } else {
      backward = spare;
      workBackward = pairsOf(spare);
    }
    spare = frontier;
    if (met) {
      forwardDepth = depthForward;
      return markToSource(forward, spare);
    }
    if (listCount(ahead ? forward : backward) == 0) return false;
  }
  wasCut = true;
  return false;
}

/** Pairs in the groups of a frontier's vertices, dead ones included. */
function pairsOf(frontier: usize): f64 {
  let pairs: f64 = 0;
  const count = listCount(frontier);
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(listAt(frontier, i));
    pairs += <f64>(usedOf(elementA(state, id)) + usedOf(elementB(state, id)));
  }
  return pairs;
}

function usedOf(word: u32): u32 {
  let pairs: u32 = 0;
  const groups = adjacencyGroups(word);
  for (let i: u32 = 0; i < groups; i++) pairs += groupUsed(adjacencyGroup(word, i));
  return pairs;
}

/** Puts every vertex one hop beyond the frontier that its side has not reached into `into`. */
function advance(frontier: usize, into: usize, ahead: bool, depth: u32): void {
  next = into;
  own = ahead ? FORWARD : BACKWARD;
  other = ahead ? BACKWARD : FORWARD;
  level = depth + 1;
  const count = listCount(frontier);
  for (let i: u32 = 0; i < count && !full && !pairsStopped(); i++) {
    const id = load<u32>(listAt(frontier, i));
    walkWord(elementA(state, id));
    walkWord(elementB(state, id));
  }
  if (full || pairsStopped()) return;
  if (edgesWaiting != 0) askEdges();
  if (verticesWaiting != 0) askVertices();
}

function walkWord(word: u32): void {
  for (let pair = firstPair(word); pair; pair = pairAfter(pair)) {
    const neighbour = pairNeighbour(pair);
    if (neighbour >= ids) continue;
    const record = sparseTouch(records, neighbour, RECORD);
    if (record == 0) {
      full = true;
      return;
    }
    if (load<u32>(record + own) != 0 || load<u32>(record + other) == REFUSED || !isVertex(neighbour)) continue;
    if (edgeBlock) {
      edgeWaits(pairEdge(pair), neighbour);
      continue;
    }
    if (edgePasses(pairEdge(pair))) arrive(neighbour, record);
    if (full) return;
  }
}

/** An edge that passes leads to a vertex that its side has not reached. */
// @ts-ignore: decorator
@inline
function arrive(id: u32, record: usize): void {
  if (filtersVertices() && id != source) {
    if (vertexBlock) {
      store<u32>(record + own, REFUSED);
      store<u32>(vertexBlock + 4 * <usize>verticesWaiting, id);
      if (++verticesWaiting == BLOCK_IDS) askVertices();
      return;
    }
    if (!vertexPasses(id)) {
      store<u32>(record + own, REFUSED);
      return;
    }
  }
  reach(id, record);
}

// @ts-ignore: decorator
@inline
function reach(id: u32, record: usize): void {
  store<u32>(record + own, level);
  if (load<u32>(record + other) != 0) met = true;
  if (!listPush(next, id)) full = true;
}

function askVertices(): void {
  const passed = selectVertices(vertexBlock, verticesWaiting, vertexBlock);
  verticesWaiting = 0;
  for (let i: u32 = 0; i < passed; i++) {
    const id = load<u32>(vertexBlock + 4 * <usize>i);
    reach(id, sparseAt(records, id, RECORD));
  }
}

// @ts-ignore: decorator
@inline
function edgeWaits(edge: u32, to: u32): void {
  const at = edgeBlock + 4 * <usize>edgesWaiting;
  store<u32>(at, edge);
  store<u32>(at + 4 * <usize>BLOCK_IDS, to);
  if (++edgesWaiting == BLOCK_IDS) askEdges();
}

function askEdges(): void {
  let passing = edgeBlock + 8 * <usize>BLOCK_IDS;
  const end = passing + 4 * <usize>selectEdges(edgeBlock, edgesWaiting, passing);
  edgesWaiting = 0;
  // Those that pass come in the same order.
  for (let at = edgeBlock; passing < end && !full; at += 4) {
    if (load<u32>(at) != load<u32>(passing)) continue;
    passing += 4;
    const id = load<u32>(at + 4 * <usize>BLOCK_IDS);
    const record = sparseAt(records, id, RECORD);
    // An edge before it may have led there.
    if (load<u32>(record + own) == 0 && load<u32>(record + other) != REFUSED) arrive(id, record);
  }
}

/**
 * Marks what lies between the meeting level and the source, level by level. `last` is the newest level of the side that met; the level
 * that meets is that of `forwardDepth`, found through it whichever side it was.
 */
function markToSource(forward: usize, spare: usize): bool {
  listTruncate(spare, 0);
  // The meeting vertices are on the forward side's last level, which `forward` holds.
  const count = listCount(forward);
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(listAt(forward, i));
    const record = sparseAt(records, id, RECORD);
    if (load<u32>(record, BACKWARD) == 0) continue;
    store<u32>(record, 1, MARKED);
    if (!listPush(spare, id)) full = true;
  }
  let from: u32 = 0;
  for (let nearer = forwardDepth; nearer > 0 && !full && !pairsStopped(); nearer--) {
    const to = listCount(spare);
    for (; from < to && !full && !pairsStopped(); from++) {
      const id = load<u32>(listAt(spare, from));
      markWord(elementA(state, id), spare, nearer);
      markWord(elementB(state, id), spare, nearer);
    }
  }
  return !full && !pairsStopped();
}

/** Marks the neighbours one level (1 + hops: `nearer`) nearer to the source that an edge which passes leads to. */
function markWord(word: u32, marked: usize, nearer: u32): void {
  for (let pair = firstPair(word); pair; pair = pairAfter(pair)) {
    const neighbour = pairNeighbour(pair);
    if (neighbour >= ids) continue;
    const record = sparseAt(records, neighbour, RECORD);
    if (record == 0 || load<u32>(record, FORWARD) != nearer || load<u32>(record, MARKED) != 0) continue;
    if (!edgePasses(pairEdge(pair))) continue;
    store<u32>(record, 1, MARKED);
    if (!listPush(marked, neighbour)) {
      full = true;
      return;
    }
  }
}

// --- The walk that writes ------------------------------------------------------------------------------------------------

let steps: usize = 0;

/** Depth-first from the source; `walk` holds for each hop the index in `steps` of the step taken. */
function writePaths(walk: usize, spare: usize, maxResults: u32): void {
  steps = spare;
  listTruncate(walk, 0);
  listTruncate(steps, 0);
  let written: u32 = 0;
  let at = source;
  let step = gather(at);
  while (!full && !pairsStopped()) {
    const edge = load<u32>(listAt(steps, step));
    if (edge == NONE) {
      // No more steps from here: back to the vertex before, and on with its next one.
      const depth = listCount(walk);
      if (depth == 0) return;
      step = load<u32>(listAt(walk, depth - 1)) + STEP_WORDS;
      listTruncate(walk, depth - 1);
      continue;
    }
    if (!listPush(walk, step)) full = true;
    at = load<u32>(listAt(steps, step + 2));
    if (at == target) {
      if (!writePath(walk)) full = true;
      if (++written == maxResults) return;
      listTruncate(walk, listCount(walk) - 1);
      step += STEP_WORDS;
    } else {
      step = gather(at);
    }
  }
}

function writePath(walk: usize): bool {
  if (!pathBegin()) return false;
  const hops = listCount(walk);
  let from = source;
  for (let i: u32 = 0; i < hops; i++) {
    const step = load<u32>(listAt(walk, i));
    const to = load<u32>(listAt(steps, step + 2));
    if (!pathStep(state, from, to, load<u32>(listAt(steps, step)), load<u32>(listAt(steps, step + 1)), 0)) return false;
    from = to;
  }
  return pathEnd(0);
}

/** Index of the first step from a vertex on a shortest path; steps ascend by edge id and end with a NONE. */
function gather(id: u32): u32 {
  const record = sparseAt(records, id, RECORD);
  const known = load<u32>(record, STEPS);
  if (known != 0) return known - 1;
  const first = listCount(steps);
  gatherWord(record, elementA(state, id), 1);
  gatherWord(record, elementB(state, id), 0);
  if (full) return first;
  sortSteps(first, listCount(steps));
  if (!listPush(steps, NONE)) full = true;
  store<u32>(record, first + 1, STEPS);
  return first;
}

function gatherWord(record: usize, word: u32, direction: u32): void {
  const forward = load<u32>(record, FORWARD);
  const backward = load<u32>(record, BACKWARD);
  // Up to the meeting level a step leads to a marked vertex one level on, from there to one that is nearer to the target.
  const before = forward != 0 && forward <= forwardDepth;
  for (let pair = firstPair(word); pair; pair = pairAfter(pair)) {
    const neighbour = pairNeighbour(pair);
    if (neighbour >= ids) continue;
    const there = sparseAt(records, neighbour, RECORD);
    if (there == 0) continue;
    if (before) {
      if (load<u32>(there, FORWARD) != forward + 1 || load<u32>(there, MARKED) == 0) continue;
    } else if (load<u32>(there, BACKWARD) + 1 != backward || backward < 2) {
      continue;
    }
    if (!edgePasses(pairEdge(pair))) continue;
    if (!listPush(steps, pairEdge(pair)) || !listPush(steps, direction) || !listPush(steps, neighbour)) {
      full = true;
      return;
    }
  }
}

/** Sorts the steps at word indices [first, end) by edge id: runs that come sorted are merged by insertion, long ones by a heap. */
function sortSteps(first: u32, end: u32): void {
  const count = (end - first) / STEP_WORDS;
  if (count < 2) return;
  for (let root = count >> 1; root > 0; root--) siftDown(first, root - 1, count);
  for (let last = count - 1; last > 0; last--) {
    swapSteps(first, first + last * STEP_WORDS);
    siftDown(first, 0, last);
  }
}

function siftDown(first: u32, root: u32, count: u32): void {
  let child: u32 = 2 * root + 1;
  while (child < count) {
    if (child + 1 < count && edgeOf(first, child) < edgeOf(first, child + 1)) child++;
    if (edgeOf(first, root) >= edgeOf(first, child)) return;
    swapSteps(first + root * STEP_WORDS, first + child * STEP_WORDS);
    root = child;
    child = 2 * root + 1;
  }
}

// @ts-ignore: decorator
@inline
function edgeOf(first: u32, index: u32): u32 {
  return load<u32>(listAt(steps, first + index * STEP_WORDS));
}

function swapSteps(a: u32, b: u32): void {
  for (let word: u32 = 0; word < STEP_WORDS; word++) {
    const one = listAt(steps, a + word);
    const other = listAt(steps, b + word);
    const kept = load<u32>(one);
    store<u32>(one, load<u32>(other));
    store<u32>(other, kept);
  }
}
