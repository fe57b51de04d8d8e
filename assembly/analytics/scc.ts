// SCC: strongly connected components of VIEW_OUT (or VIEW_IN, which has the same ones) by depth-first search with an explicit stack
// (Tarjan 1972, with the single number a vertex of Pearce 2016). One thread, in steps of one chunk each (slices.ts).
//
// Invariant: `number` of a vertex is 0 before it is met, then the least index it can get back to, at last that of its component,
// counted down from the top so that it is never less than an index. A vertex is on `members` from when it is left until its component
// is complete. A component is named after its smallest rank.
//
// Cost: O(vertices + arcs); 20 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, JOB_WORDS, jobFinish,
  RESULT_PARTITION, room, set, setWord, word,
} from './job';
import { P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS } from './projection';
import { SLICE_WORK, sliceAt, sliceDone, sliceEnd, sliceNext } from './slices';

// Where the search stands between two slices.
const INDEX: usize = JOB_WORDS; //          indexes given out
const COMPONENT: usize = JOB_WORDS + 4; //  components found
const TOP: usize = JOB_WORDS + 8; //        vertices under way
const MEMBERS: usize = JOB_WORDS + 12; //   vertices on `members`
const COLLECTS: usize = JOB_WORDS + 16; //  1: the members of a component are being taken off
const COLLECTED: usize = JOB_WORDS + 20; // the vertex it was found at

const PHASE_SEARCH: u32 = 0;
const PHASE_SMALLEST: u32 = 1;
const PHASE_NAME: u32 = 2;

export function sccBytes(vertices: u32): u64 {
  return 5 * room(vertices, 4);
}

export function sccBegin(job: usize, at: usize): u32 {
  const count = get(address(job, JOB_PROJECTION), P_COUNT);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_PARTITION);
  set(job, JOB_CONVERGED, 1);
  memory.fill(at, 0, (<usize>count) << 2);
  return u32(count != 0);
}

export function sccChunk(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const phase = get(job, JOB_PHASE);
  const numbers = address(job, JOB_RESULT);
  const others = numbers + <usize>room(count, 4);
  if (phase == PHASE_SEARCH) {
    search(job, projection, numbers);
    return;
  }
  const from = sliceAt(job);
  const to = sliceEnd(job, count);
  if (phase == PHASE_SMALLEST) {
    if (from == 0) memory.fill(others, 0xff, (<usize>count) << 2);
    findSmallest(address(projection, P_RANKS), numbers, others, from, to);
  } else {
    for (let v = from; v < to; v++) setWord(numbers, v, word(others, word(numbers, v) - 1));
  }
  sliceDone(job, to, to == count);
}

/** The smallest rank of each component, by its number. */
function findSmallest(ranks: usize, numbers: usize, smallest: usize, from: u32, to: u32): void {
  for (let v = from; v < to; v++) {
    const at = word(numbers, v) - 1;
    setWord(smallest, at, min<u32>(word(smallest, at), ranks == 0 ? v : word(ranks, v)));
  }
}

/** The arc that leastOf came to. */
let stoppedAt: u32 = 0;

/** The least number over the arcs up to the first that leads to a vertex not met yet. A finished component's is at least every index. */
// @ts-ignore: decorator
@inline
function leastOf(targets: usize, arc: u32, end: u32, numbers: usize, least: u32): u32 {
  for (; arc < end; arc++) {
    const its = word(numbers, word(targets, arc));
    if (its == 0) break;
    least = min<u32>(least, its);
  }
  stoppedAt = arc;
  return least;
}

/**
 * Numbers components, from `count` downwards. `calls`: vertices under way with the next arc of each in `cursors`; `indexes`: when each was
 * met. The slice counts the vertices that were looked at as roots.
 */
function search(job: usize, projection: usize, numbers: usize): void {
  const count = get(projection, P_COUNT);
  const bytes = <usize>room(count, 4);
  const calls = numbers + bytes;
  const cursors = numbers + 2 * bytes;
  const members = numbers + 3 * bytes;
  const indexes = numbers + 4 * bytes;
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  let index = get(job, INDEX) + 1;
  let component = count - get(job, COMPONENT);
  let calling = get(job, TOP);
  let memberTop = get(job, MEMBERS);
  let collects = get(job, COLLECTS) != 0;
  let root = sliceAt(job);
  let work: u32 = 0;
  while (work < SLICE_WORK) {
    work++;
    if (collects) {
      // Everything left since the vertex was met is of its component.
      const last = get(job, COLLECTED);
      const mine = word(indexes, last);
      while (memberTop > 0 && work < SLICE_WORK && word(indexes, word(members, memberTop - 1)) >= mine) {
        setWord(numbers, word(members, --memberTop), component);
        index--;
        work++;
      }
      if (memberTop > 0 && word(indexes, word(members, memberTop - 1)) >= mine) break;
      setWord(numbers, last, component--);
      index--;
      collects = false;
      continue;
    }
    if (calling == 0) {
      if (root == count) break;
      if (word(numbers, root) == 0) {
        setWord(calls, calling++, root);
        setWord(cursors, 0, word(offsets, root));
        setWord(numbers, root, index);
        setWord(indexes, root, index++);
      }
      root++;
      continue;
    }
    const v = word(calls, calling - 1);
    const end = word(offsets, v + 1);
    const first = word(cursors, calling - 1);
    const least = leastOf(targets, first, end, numbers, word(numbers, v));
    work += stoppedAt - first;
    setWord(numbers, v, least);
    setWord(cursors, calling - 1, stoppedAt);
    if (stoppedAt < end) {
      const next = word(targets, stoppedAt);
      setWord(calls, calling, next);
      setWord(cursors, calling++, word(offsets, next));
      setWord(numbers, next, index);
      setWord(indexes, next, index++);
      continue;
    }
    calling--;
    if (least != word(indexes, v)) {
      setWord(members, memberTop++, v);
    } else {
      set(job, COLLECTED, v);
      collects = true;
    }
  }
  set(job, INDEX, index - 1);
  set(job, COMPONENT, count - component);
  set(job, TOP, calling);
  set(job, MEMBERS, memberTop);
  set(job, COLLECTS, u32(collects));
  sliceDone(job, root, root == count && calling == 0 && !collects);
}

export function sccNext(job: usize): u32 {
  if (!sliceNext(job)) return 1;
  const phase = get(job, JOB_PHASE);
  if (phase != PHASE_NAME) {
    set(job, JOB_PHASE, phase + 1);
    return 1;
  }
  store<f64>(job, <f64>get(job, COMPONENT), JOB_SUM);
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
