// The kernels by number: memory, beginning, chunks, phases. A kernel is a job over a projection that has been filled (DEGREE: counted);
// its block lies in the projection's heap:
//
//   job header | partial numbers of chunks | a word a vertex for partition sizes | the kernel's own arrays (its file says which)
//
// What a kernel takes is known before it runs: `kernelBytes` is what `kernelBegin` allocates, to the byte.
//
// One more kernel is a file of its own with these four functions, its number below and in `Kernel` of src/core/analytics.ts, and a case in
// each of the four switches, whose default traps. `src/queries/analytics/algorithms.ts` gives it its name and what the contract says of
// it, `test/model` its naive twin.

import { allocate, release } from '../memory/allocator';
import { NONE, PURPOSE_PROJECTIONS } from '../memory/layout';
import { shareWord } from '../memory/stop';
import { betweennessBegin, betweennessBytes, betweennessChunk, betweennessNext, LANES } from './betweenness';
import { bfsBegin, bfsBytes, bfsChunk, bfsNext } from './bfs';
import { buildChunk, buildNext } from './build';
import { closenessBegin, closenessBytes, closenessChunk, closenessNext } from './closeness';
import { degreeBegin, degreeBytes, degreeChunk, degreeNext } from './degree';
import { directedClusteringBegin, directedClusteringBytes, directedClusteringChunk, directedClusteringNext } from './directed-clustering';
import {
  get, JOB_DAMPING, JOB_EPSILON, JOB_HEADER, JOB_KIND, JOB_MAX_ITERATIONS, JOB_MEMBERS, JOB_PARTIALS, JOB_PROJECTION, JOB_SAMPLES, JOB_SEED,
  JOB_SIZES, JOB_SOURCE, JOB_STATE, JOB_STOP, JOB_TOTAL, jobDone, jobFinish, jobOpen, jobPublish, jobStopped, jobTake, jobWait,
  PARTIAL_BYTES, room, RUN_FAILED, RUN_FINISHED, RUN_MORE, set, STATE_FAILED, STATE_FINISHED, STATE_RUNNING, stopAnswer,
} from './job';
import { kcoreBegin, kcoreBytes, kcoreChunk, kcoreNext } from './kcore';
import { labelPropagationBegin, labelPropagationBytes, labelPropagationChunk, labelPropagationNext } from './label-propagation';
import { louvainBegin, louvainChunk, louvainNext } from './louvain';
import { louvainBytes } from './louvain-state';
import { pagerankBegin, pagerankBytes, pagerankChunk, pagerankNext } from './pagerank';
import { CHUNK_VERTICES, chunkBound, KIND_BUILD, P_ARCS, P_COUNT, P_HEAP, positionOf, rankOf } from './projection';
import { sccBegin, sccBytes, sccChunk, sccNext } from './scc';
import { ssspBegin, ssspBytes, ssspChunk, ssspNext } from './sssp';
import {
  clusteringBegin, clusteringBytes, clusteringNext, trianglesBegin, trianglesBytes, trianglesChunk, trianglesNext,
} from './triangles';
import { wccBegin, wccBytes, wccChunk, wccNext } from './wcc';

const KIND_PAGERANK: u32 = 1;
const KIND_WCC: u32 = 2;
const KIND_LABELPROPAGATION: u32 = 3;
const KIND_DEGREE: u32 = 4;
const KIND_TRIANGLECOUNT: u32 = 5;
const KIND_LOUVAIN: u32 = 6;
const KIND_KCORE: u32 = 7;
const KIND_SCC: u32 = 8;
const KIND_BETWEENNESS: u32 = 9;
const KIND_CLOSENESS: u32 = 10;
const KIND_CLUSTERINGCOEFFICIENT: u32 = 11;
const KIND_BFS: u32 = 12;
const KIND_SSSP: u32 = 13;
const KIND_DIRECTED_CLUSTERING: u32 = 14;

/** Bytes of a run with so many members over so many vertices and arcs. */
export function kernelBytes(kind: u32, vertices: u32, arcs: u32, members: u32): f64 {
  return <f64>(headBytes(vertices, arcs) + ownBytes(kind, vertices, arcs, members));
}

function headBytes(vertices: u32, arcs: u32): u64 {
  return room(1, <u64>JOB_HEADER) + room(partialCount(vertices, arcs), <u64>PARTIAL_BYTES) + room(vertices, 4);
}

/** Of the largest phase: chunks of vertices, or the lanes of betweenness. */
function partialCount(vertices: u32, arcs: u32): u32 {
  return max<u32>(LANES, max<u32>(chunkBound(vertices, arcs), vertices / CHUNK_VERTICES + 1));
}

function ownBytes(kind: u32, vertices: u32, arcs: u32, members: u32): u64 {
  switch (kind) {
    case KIND_PAGERANK:
      return pagerankBytes(vertices, arcs);
    case KIND_WCC:
      return wccBytes(vertices);
    case KIND_LABELPROPAGATION:
      return labelPropagationBytes(vertices, members);
    case KIND_DEGREE:
      return degreeBytes(vertices);
    case KIND_LOUVAIN:
      return louvainBytes(vertices, arcs, members);
    case KIND_KCORE:
      return kcoreBytes(vertices);
    case KIND_SCC:
      return sccBytes(vertices);
    case KIND_BETWEENNESS:
      return betweennessBytes(vertices);
    case KIND_CLOSENESS:
      return closenessBytes(vertices);
    case KIND_CLUSTERINGCOEFFICIENT:
      return clusteringBytes(vertices, arcs, members);
    case KIND_DIRECTED_CLUSTERING:
      return directedClusteringBytes(vertices, arcs, members);
    case KIND_BFS:
      return bfsBytes(vertices, members);
    case KIND_SSSP:
      return ssspBytes(vertices, members);
    case KIND_TRIANGLECOUNT:
      return trianglesBytes(vertices, arcs, members);
    default:
      return unreachable();
  }
}

/**
 * [W] Begins a run; answers its job, 0 when memory does not allow it. `members`: how many threads may take part. `sourceId`: a vertex
 * in scope, NONE for kernels without one. Numbers that a kernel has no use for are ignored.
 */
export function kernelBegin(
  projection: usize,
  kind: u32,
  members: u32,
  maxIterations: u32,
  epsilon: f64,
  damping: f64,
  sourceId: u32,
  samples: u32,
  seed: u32,
): usize {
  const vertices = get(projection, P_COUNT);
  const arcs = get(projection, P_ARCS);
  const bytes = headBytes(vertices, arcs) + ownBytes(kind, vertices, arcs, members);
  if (bytes > 0xffff0000) return 0;
  const job = allocate(get(projection, P_HEAP), PURPOSE_PROJECTIONS, <usize>bytes);
  if (job == 0) return 0;
  memory.fill(job, 0, JOB_HEADER);
  set(job, JOB_KIND, kind);
  set(job, JOB_PROJECTION, <u32>projection);
  set(job, JOB_MEMBERS, members);
  set(job, JOB_MAX_ITERATIONS, maxIterations);
  set(job, JOB_SAMPLES, samples);
  set(job, JOB_SEED, seed);
  const rank = sourceId == NONE ? NONE : rankOf(projection, sourceId);
  set(job, JOB_SOURCE, rank == NONE ? NONE : positionOf(projection, rank));
  store<f64>(job, epsilon, JOB_EPSILON);
  store<f64>(job, damping, JOB_DAMPING);
  let at = job + <usize>room(1, <u64>JOB_HEADER);
  set(job, JOB_PARTIALS, <u32>at);
  at += <usize>room(partialCount(vertices, arcs), <u64>PARTIAL_BYTES);
  set(job, JOB_SIZES, <u32>at);
  at += <usize>room(vertices, 4);
  const chunks = begin(job, kind, at);
  jobOpen(job, chunks);
  if (chunks == 0) jobFinish(job);
  return job;
}

function begin(job: usize, kind: u32, at: usize): u32 {
  switch (kind) {
    case KIND_PAGERANK:
      return pagerankBegin(job, at);
    case KIND_WCC:
      return wccBegin(job, at);
    case KIND_LABELPROPAGATION:
      return labelPropagationBegin(job, at);
    case KIND_DEGREE:
      return degreeBegin(job, at);
    case KIND_LOUVAIN:
      return louvainBegin(job, at);
    case KIND_KCORE:
      return kcoreBegin(job, at);
    case KIND_SCC:
      return sccBegin(job, at);
    case KIND_BETWEENNESS:
      return betweennessBegin(job, at);
    case KIND_CLOSENESS:
      return closenessBegin(job, at);
    case KIND_CLUSTERINGCOEFFICIENT:
      return clusteringBegin(job, at);
    case KIND_DIRECTED_CLUSTERING:
      return directedClusteringBegin(job, at);
    case KIND_BFS:
      return bfsBegin(job, at);
    case KIND_SSSP:
      return ssspBegin(job, at);
    case KIND_TRIANGLECOUNT:
      return trianglesBegin(job, at);
    default:
      return unreachable();
  }
}

/** [W] Takes back a run's memory. No member may be at work on it. */
export function kernelDrop(job: usize): void {
  release(PURPOSE_PROJECTIONS, job);
}

// --- Running -----------------------------------------------------------------------------------------------------------------

/**
 * Takes part in a job as member `member`, below the number it was begun with and no other thread's: until it is over, is to stop, or
 * `chunks` chunks are done (0: no such limit, but one while this thread may work a share only of its time). Answers RUN_…. `slot` is
 * this thread's reader slot, -1 for the writer's own thread; the caller must not have announced it. A member that finds no chunk waits
 * for the others; alone it never waits.
 */
export function jobRun(job: usize, member: u32, slot: i32, chunks: u32): i32 {
  const kind = get(job, JOB_KIND);
  let left = chunks;
  while (true) {
    const state = atomic.load<u32>(job, JOB_STATE);
    if (state == STATE_FAILED) return RUN_FAILED;
    if (state == STATE_FINISHED) return RUN_FINISHED;
    const stop = jobStopped(job);
    if (stop != 0) return stopAnswer(stop);
    const rests = shareWord() != 0;
    const taken = jobTake(job, member, chunks != 0 || rests);
    if (taken == 0) {
      jobWait(job);
      continue;
    }
    const first = <u32>taken;
    const count = <u32>(taken >> 32);
    for (let i: u32 = 0; i < count; i++) {
      if (i != 0 && jobStopped(job) != 0) break;
      runChunk(job, kind, first + i, member, slot);
    }
    // A chunk that was told to stop half-way has left without its work: what follows from it must not happen.
    if (jobDone(job, count) && get(job, JOB_STOP) == 0) advance(job, kind, member, slot, chunks == 0);
    if (chunks != 0 ? --left == 0 : rests) return RUN_MORE;
  }
}

/**
 * After the last chunk of a phase: the next phase that has any, or the end. Unless the caller counts chunks (`whole` false), a phase of
 * one chunk is run at once: nobody else could help with it, so nobody need hear of it.
 */
function advance(job: usize, kind: u32, member: u32, slot: i32, whole: bool): void {
  let chunks: u32 = 0;
  while (atomic.load<u32>(job, JOB_STATE) == STATE_RUNNING) {
    chunks = runNext(job, kind);
    if (chunks == 0) continue;
    if (chunks != 1 || !whole) break;
    if (jobStopped(job) != 0) break;
    set(job, JOB_TOTAL, 1);
    runChunk(job, kind, 0, member, slot);
    if (get(job, JOB_STOP) != 0) return;
  }
  jobPublish(job, atomic.load<u32>(job, JOB_STATE) == STATE_RUNNING ? chunks : 0);
}

function runChunk(job: usize, kind: u32, chunk: u32, member: u32, slot: i32): void {
  switch (kind) {
    case KIND_BUILD:
      return buildChunk(job, chunk, slot);
    case KIND_PAGERANK:
      return pagerankChunk(job, chunk);
    case KIND_WCC:
      return wccChunk(job, chunk);
    case KIND_LABELPROPAGATION:
      return labelPropagationChunk(job, chunk, member);
    case KIND_DEGREE:
      return degreeChunk(job, chunk);
    case KIND_LOUVAIN:
      return louvainChunk(job, chunk, member);
    case KIND_KCORE:
      return kcoreChunk(job);
    case KIND_SCC:
      return sccChunk(job);
    case KIND_BETWEENNESS:
      return betweennessChunk(job, chunk);
    case KIND_CLOSENESS:
      return closenessChunk(job, chunk);
    case KIND_BFS:
      return bfsChunk(job, chunk, member);
    case KIND_SSSP:
      return ssspChunk(job, chunk, member);
    case KIND_DIRECTED_CLUSTERING:
      return directedClusteringChunk(job, chunk, member);
    case KIND_CLUSTERINGCOEFFICIENT:
    case KIND_TRIANGLECOUNT:
      return trianglesChunk(job, chunk, member);
    default:
      unreachable();
  }
}

function runNext(job: usize, kind: u32): u32 {
  switch (kind) {
    case KIND_BUILD:
      return buildNext(job);
    case KIND_PAGERANK:
      return pagerankNext(job);
    case KIND_WCC:
      return wccNext(job);
    case KIND_LABELPROPAGATION:
      return labelPropagationNext(job);
    case KIND_DEGREE:
      return degreeNext(job);
    case KIND_LOUVAIN:
      return louvainNext(job);
    case KIND_KCORE:
      return kcoreNext(job);
    case KIND_SCC:
      return sccNext(job);
    case KIND_BETWEENNESS:
      return betweennessNext(job);
    case KIND_CLOSENESS:
      return closenessNext(job);
    case KIND_CLUSTERINGCOEFFICIENT:
      return clusteringNext(job);
    case KIND_DIRECTED_CLUSTERING:
      return directedClusteringNext(job);
    case KIND_BFS:
      return bfsNext(job);
    case KIND_SSSP:
      return ssspNext(job);
    case KIND_TRIANGLECOUNT:
      return trianglesNext(job);
    default:
      return unreachable();
  }
}
