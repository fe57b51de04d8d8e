// All paths of fewest hops between two vertices, edges walked either way (`BLS`): breadth-first search from both ends, the smaller
// frontier first, until one meets the other or their depths reach the cap. The levels then say which vertices lie on a
// shortest path; they are marked from the meeting level back to the source, and a depth-first walk from the source writes the paths.
//
// The vertex filter holds for every vertex but the source. Paths come in the order of their edge ids, compared step by step; parallel
// edges give a path each. Cost: O(edges of the vertices reached), plus the paths; 16 bytes a vertex reached, in pages of 256 ids.
// Filters are asked again for the edges between marked vertices, so a filter is expected to answer the same twice.

import {
  adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupType, groupUsed, PAIR_BYTES, pairEdge, pairNeighbour,
} from '../graph/adjacency';
import { elementA, elementB, elementKind } from '../graph/elements';
import { KIND_VERTEX } from '../graph/format';
import { graphState, stateNextId } from '../graph/state';
import { arenaNeed, scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { ARENA_TOO_SMALL, NO_MEMORY, OK, STOPPED } from '../status';
import { edgePasses, filtersBegin, searchStops, typePasses, vertexPasses } from './filters';
import { listAt, listCount, listCreate, listPush, listTruncate } from './list';
import { pathBegin, pathEnd, pathsBegin, pathsEnd, pathStep } from './path-output';
import { sparseAt, sparseCreate, sparseTouch } from './sparse';

// Record of a vertex reached: levels are 1 + hops from that end, 0 = not reached from there.
const FORWARD: usize = 0; //  u32
const BACKWARD: usize = 4; // u32
const MARKED: usize = 8; //   u32 1 = on a shortest path
const STEPS: usize = 12; //   u32 1 + index of its first step in `steps`, 0 = not gathered
const RECORD: usize = 16;

/** Words of a gathered step: edge, direction, vertex it leads to. */
const STEP_WORDS: u32 = 3;

let state: usize = 0;
let ids: u32 = 0;
let records: usize = 0;
let source: u32 = 0;
let target: u32 = 0;
let forwardDepth: u32 = 0;
let full: bool = false;
let stopped: bool = false;
let met: bool = false;

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
  stopped = false;
  met = false;
  let mark = scratchMark();
  if (!pathsBegin()) return refusal();
  if (maxDepth > 0 && maxResults > 0 && from != to && isVertex(from) && isVertex(to)) {
    let forward = listCreate();
    let backward = listCreate();
    records = sparseCreate(ids);
    if (forward && backward && records && filtersBegin()) {
      if (search(forward, backward, maxDepth)) writePaths(forward, backward, maxResults);
    } else {
      full = true;
    }
  }
  scratchRelease(mark);
  if (stopped) return STOPPED;
  if (full || !pathsEnd()) return refusal();
  return OK;
}

function isVertex(id: u32): bool {
  return elementKind(state, id) == KIND_VERTEX;
}

function refusal(): i32 {
  return arenaNeed() ? ARENA_TOO_SMALL : NO_MEMORY;
}

/** True when the ends have met; each list then holds the last level of its side. */
function search(forward: usize, backward: usize, maxDepth: u32): bool {
  let atSource = sparseTouch(records, source, RECORD);
  let atTarget = atSource ? sparseTouch(records, target, RECORD) : 0;
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
    let ahead = workForward <= workBackward;
    let frontier = ahead ? forward : backward;
    if (listCount(frontier) == 0) return false;
    listTruncate(spare, 0);
    expand(frontier, spare, ahead, ahead ? ++depthForward : ++depthBackward);
    if (full || stopped) return false;
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
  return false;
}

/** Pairs in the groups of a frontier's vertices, dead ones included. */
function pairsOf(frontier: usize): f64 {
  let pairs: f64 = 0;
  let count = listCount(frontier);
  for (let i: u32 = 0; i < count; i++) {
    let id = load<u32>(listAt(frontier, i));
    pairs += <f64>(usedOf(elementA(state, id)) + usedOf(elementB(state, id)));
  }
  return pairs;
}

function usedOf(word: u32): u32 {
  let pairs: u32 = 0;
  let groups = adjacencyGroups(word);
  for (let i: u32 = 0; i < groups; i++) pairs += groupUsed(adjacencyGroup(word, i));
  return pairs;
}

/** Puts every vertex one hop beyond the frontier that its side has not reached into `next`. */
function expand(frontier: usize, next: usize, ahead: bool, depth: u32): void {
  let own = ahead ? FORWARD : BACKWARD;
  let other = ahead ? BACKWARD : FORWARD;
  let count = listCount(frontier);
  for (let i: u32 = 0; i < count && !full && !stopped; i++) {
    let id = load<u32>(listAt(frontier, i));
    expandWord(elementA(state, id), next, own, other, depth);
    expandWord(elementB(state, id), next, own, other, depth);
  }
}

function expandWord(word: u32, next: usize, own: usize, other: usize, depth: u32): void {
  let groups = adjacencyGroups(word);
  for (let g: u32 = 0; g < groups; g++) {
    let group = adjacencyGroup(word, g);
    if (!typePasses(groupType(group))) continue;
    let pair = group + GROUP_HEADER;
    let end = pair + PAIR_BYTES * <usize>groupUsed(group);
    for (; pair < end; pair += PAIR_BYTES) {
      if (searchStops()) {
        stopped = true;
        return;
      }
      let neighbour = pairNeighbour(pair);
      if (neighbour >= ids) continue;
      let record = sparseTouch(records, neighbour, RECORD);
      if (record == 0) {
        full = true;
        return;
      }
      if (load<u32>(record + own) != 0) continue;
      if (!isVertex(neighbour) || !edgePasses(pairEdge(pair))) continue;
      if (neighbour != source && !vertexPasses(neighbour)) continue;
      store<u32>(record + own, depth + 1);
      if (load<u32>(record + other) != 0) met = true;
      if (!listPush(next, neighbour)) {
        full = true;
        return;
      }
    }
  }
}

/**
 * Marks what lies between the meeting level and the source, level by level. `last` is the newest level of the side that met; the level
 * that meets is that of `forwardDepth`, found through it whichever side it was.
 */
function markToSource(forward: usize, spare: usize): bool {
  listTruncate(spare, 0);
  // The meeting vertices are on the forward side's last level, which `forward` holds.
  let count = listCount(forward);
  for (let i: u32 = 0; i < count; i++) {
    let id = load<u32>(listAt(forward, i));
    let record = sparseAt(records, id, RECORD);
    if (load<u32>(record, BACKWARD) == 0) continue;
    store<u32>(record, 1, MARKED);
    if (!listPush(spare, id)) full = true;
  }
  let from: u32 = 0;
  for (let level = forwardDepth; level > 0 && !full && !stopped; level--) {
    let to = listCount(spare);
    for (; from < to && !full && !stopped; from++) {
      let id = load<u32>(listAt(spare, from));
      markWord(elementA(state, id), spare, level);
      markWord(elementB(state, id), spare, level);
    }
  }
  return !full && !stopped;
}

/** Marks the neighbours one level (1 + hops: `level`) nearer to the source that an edge which passes leads to. */
function markWord(word: u32, marked: usize, level: u32): void {
  let groups = adjacencyGroups(word);
  for (let g: u32 = 0; g < groups; g++) {
    let group = adjacencyGroup(word, g);
    if (!typePasses(groupType(group))) continue;
    let pair = group + GROUP_HEADER;
    let end = pair + PAIR_BYTES * <usize>groupUsed(group);
    for (; pair < end; pair += PAIR_BYTES) {
      if (searchStops()) {
        stopped = true;
        return;
      }
      let neighbour = pairNeighbour(pair);
      if (neighbour >= ids) continue;
      let record = sparseAt(records, neighbour, RECORD);
      if (record == 0 || load<u32>(record, FORWARD) != level || load<u32>(record, MARKED) != 0) continue;
      if (!edgePasses(pairEdge(pair))) continue;
      store<u32>(record, 1, MARKED);
      if (!listPush(marked, neighbour)) {
        full = true;
        return;
      }
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
  let next = gather(at);
  while (!full && !stopped) {
    let edge = load<u32>(listAt(steps, next));
    if (edge == NONE) {
      // No more steps from here: back to the vertex before, and on with its next one.
      let depth = listCount(walk);
      if (depth == 0) return;
      next = load<u32>(listAt(walk, depth - 1)) + STEP_WORDS;
      listTruncate(walk, depth - 1);
      continue;
    }
    if (!listPush(walk, next)) full = true;
    at = load<u32>(listAt(steps, next + 2));
    if (at == target) {
      if (!writePath(walk)) full = true;
      if (++written == maxResults) return;
      listTruncate(walk, listCount(walk) - 1);
      next += STEP_WORDS;
    } else {
      next = gather(at);
    }
  }
}

function writePath(walk: usize): bool {
  if (!pathBegin()) return false;
  let hops = listCount(walk);
  let from = source;
  for (let i: u32 = 0; i < hops; i++) {
    let step = load<u32>(listAt(walk, i));
    let to = load<u32>(listAt(steps, step + 2));
    if (!pathStep(state, from, to, load<u32>(listAt(steps, step)), load<u32>(listAt(steps, step + 1)), 0)) return false;
    from = to;
  }
  return pathEnd(0);
}

/** Index of the first step from a vertex on a shortest path; steps ascend by edge id and end with a NONE. */
function gather(id: u32): u32 {
  let record = sparseAt(records, id, RECORD);
  let known = load<u32>(record, STEPS);
  if (known != 0) return known - 1;
  let first = listCount(steps);
  gatherWord(record, elementA(state, id), 1);
  gatherWord(record, elementB(state, id), 0);
  if (full) return first;
  sortSteps(first, listCount(steps));
  if (!listPush(steps, NONE)) full = true;
  store<u32>(record, first + 1, STEPS);
  return first;
}

function gatherWord(record: usize, word: u32, direction: u32): void {
  let forward = load<u32>(record, FORWARD);
  let backward = load<u32>(record, BACKWARD);
  // Up to the meeting level a step leads to a marked vertex one level on, from there to one that is nearer to the target.
  let before = forward != 0 && forward <= forwardDepth;
  let groups = adjacencyGroups(word);
  for (let g: u32 = 0; g < groups; g++) {
    let group = adjacencyGroup(word, g);
    if (!typePasses(groupType(group))) continue;
    let pair = group + GROUP_HEADER;
    let end = pair + PAIR_BYTES * <usize>groupUsed(group);
    for (; pair < end; pair += PAIR_BYTES) {
      let neighbour = pairNeighbour(pair);
      if (neighbour >= ids) continue;
      let there = sparseAt(records, neighbour, RECORD);
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
}

/** Sorts the steps at word indices [first, end) by edge id: runs that come sorted are merged by insertion, long ones by a heap. */
function sortSteps(first: u32, end: u32): void {
  let count = (end - first) / STEP_WORDS;
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
    let one = listAt(steps, a + word);
    let other = listAt(steps, b + word);
    let kept = load<u32>(one);
    store<u32>(one, load<u32>(other));
    store<u32>(other, kept);
  }
}
