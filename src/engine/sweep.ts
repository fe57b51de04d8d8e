// The edge-traversal benchmark: rounds over every out-edge to its target, on all threads that long jobs may take.

import type { Core } from '../core/core.ts';
import { resultOf } from './jobs/failure.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import { sweepGangBlock, sweepJob } from './jobs/sweep.ts';
import type { SweepRounds } from './types.ts';

interface SweepSource {
  readonly core: Core;
  readonly graph: number;
  readonly jobs: GraphJobs;
}

/** Rejects with CoreMemoryExhausted or JobFailed. */
export async function sweepRounds(
  { core, graph, jobs }: SweepSource,
  iterations: number,
  signal: AbortSignal | undefined,
): Promise<SweepRounds> {
  const members = Math.max(1, jobs.space.threads - 1);
  const { ids, sharedBytes } = sweepGangBlock(core.nextId(graph));
  const options = { members, sharedBytes, signal };
  const shares = resultOf(await jobs.space.runGang(sweepJob, { graph, ids, iterations }, options));
  const edgesOf = (round: number): number => shares.reduce((sum, { edges }) => sum + (edges[round] ?? 0), 0);
  const seconds = shares[0]?.seconds ?? new Float64Array(0);
  return {
    edges: edgesOf(iterations - 1),
    edgesPerSecond: Array.from(seconds, (time, round) => edgesOf(round) / Math.max(time, 1e-9)),
  };
}
