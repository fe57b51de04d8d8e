// SCC: strongly connected components of VIEW_OUT (or VIEW_IN, which has the same ones) by depth-first search with an explicit stack
// (Tarjan 1972, with the single number a vertex of Pearce 2016). One chunk, one thread.
//
// Invariant: `number` of a vertex is 0 before it is met, then the least index it can get back to, at last that of its component,
// counted down from the top so that it is never less than an index. A vertex is on `members` from when it is left until its component
// is complete. A component is named after its smallest rank.
//
// Cost: O(vertices + arcs); 20 bytes a vertex.

import { NONE } from '../memory/layout';
import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, jobFinish, jobStopped,
  RESULT_PARTITION, room, set, setWord, word,
} from './job';
import { CHUNK_VERTICES, P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS } from './projection';

export function sccBytes(vertices: u32): u64 {
  return 5 * room(vertices, 4);
}

export function sccBegin(job: usize, at: usize): u32 {
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_PARTITION);
  set(job, JOB_CONVERGED, 1);
  return u32(get(address(job, JOB_PROJECTION), P_COUNT) != 0);
}

export function sccChunk(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const bytes = <usize>room(count, 4);
  const numbers = address(job, JOB_RESULT);
  memory.fill(numbers, 0, (<usize>count) << 2);
  const components = search(job, projection, numbers, numbers + bytes, numbers + 2 * bytes, numbers + 3 * bytes, numbers + 4 * bytes);
  if (components != NONE) name(job, projection, numbers, numbers + bytes, count, components);
}

/**
 * Numbers all components, from `count` downwards, and answers how many there are; NONE when told to stop. `calls`: vertices under way with
 * the next arc of each in `cursors`; `indexes`: when each was met.
 */
function search(job: usize, projection: usize, numbers: usize, calls: usize, cursors: usize, members: usize, indexes: usize): u32 {
  const count = get(projection, P_COUNT);
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  let index: u32 = 1;
  let component: u32 = count;
  let steps: u32 = 0;
  let memberTop: u32 = 0;
  for (let root: u32 = 0; root < count; root++) {
    if (word(numbers, root) != 0) continue;
    let top: u32 = 0;
    setWord(calls, 0, root);
    setWord(cursors, 0, word(offsets, root));
    setWord(numbers, root, index);
    setWord(indexes, root, index++);
    while (top != NONE) {
      if ((++steps & (CHUNK_VERTICES - 1)) == 0 && jobStopped(job) != 0) return NONE;
      const v = word(calls, top);
      const end = word(offsets, v + 1);
      let arc = word(cursors, top);
      let least = word(numbers, v);
      let next: u32 = NONE;
      while (arc < end) {
        const w = word(targets, arc);
        const its = word(numbers, w);
        if (its == 0) {
          next = w;
          break;
        }
        // A finished component's number is at least every index.
        least = min<u32>(least, its);
        arc++;
      }
      setWord(numbers, v, least);
      setWord(cursors, top, arc);
      if (next != NONE) {
        setWord(calls, ++top, next);
        setWord(cursors, top, word(offsets, next));
        setWord(numbers, next, index);
        setWord(indexes, next, index++);
        continue;
      }
      top--;
      if (least != word(indexes, v)) {
        setWord(members, memberTop++, v);
        continue;
      }
      const mine = word(indexes, v);
      index--;
      while (memberTop > 0 && word(indexes, word(members, memberTop - 1)) >= mine) {
        setWord(numbers, word(members, --memberTop), component);
        index--;
      }
      setWord(numbers, v, component--);
    }
  }
  return count - component;
}

/** Puts the smallest rank of each component in the place of its number. */
function name(job: usize, projection: usize, numbers: usize, smallest: usize, count: u32, components: u32): void {
  const ranks = address(projection, P_RANKS);
  memory.fill(smallest, 0xff, (<usize>count) << 2);
  for (let v: u32 = 0; v < count; v++) {
    const at = word(numbers, v) - 1;
    setWord(smallest, at, min<u32>(word(smallest, at), ranks == 0 ? v : word(ranks, v)));
  }
  for (let v: u32 = 0; v < count; v++) setWord(numbers, v, word(smallest, word(numbers, v) - 1));
  store<f64>(job, <f64>components, JOB_SUM);
}

export function sccNext(job: usize): u32 {
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
