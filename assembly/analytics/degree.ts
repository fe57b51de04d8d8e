// DEGREE: arcs of each vertex in the view, so parallel edges and self-loops count as they exist (a self-loop twice in VIEW_BOTH).
// Needs the counts of a projection only, never its arcs, so it runs on one that was not filled. O(vertices); 4 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, jobFinish, RESULT_U32, room, set, setWord, word,
} from './job';
import { CHUNK_VERTICES, P_COUNT, P_OFFSETS } from './projection';

export function degreeBytes(vertices: u32): u64 {
  return room(vertices, 4);
}

export function degreeBegin(job: usize, at: usize): u32 {
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_U32);
  set(job, JOB_CONVERGED, 1);
  return (get(address(job, JOB_PROJECTION), P_COUNT) + CHUNK_VERTICES - 1) / CHUNK_VERTICES;
}

export function degreeChunk(job: usize, chunk: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const offsets = address(projection, P_OFFSETS);
  const result = address(job, JOB_RESULT);
  const from = chunk * CHUNK_VERTICES;
  const to = min<u32>(from + CHUNK_VERTICES, get(projection, P_COUNT));
  for (let v = from; v < to; v++) setWord(result, v, word(offsets, v + 1) - word(offsets, v));
}

export function degreeNext(job: usize): u32 {
  set(job, JOB_ITERATIONS, 1);
  jobFinish(job);
  return 0;
}
