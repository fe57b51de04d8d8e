// The edge-traversal benchmark: rounds over every out-edge to its target, on all threads that long jobs may take.

import { resultOf } from './jobs/failure.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import { sweepGangBytes, sweepJob } from './jobs/sweep.ts';
import type { SweepRounds } from './types.ts';

interface SweepSource {
  readonly graph: number;
  readonly jobs: GraphJobs;
}

/** Rejects with CoreMemoryExhausted or JobFailed. */
export async function sweepRounds(
  { graph, jobs }: SweepSource,
  iterations: number,
  signal: AbortSignal | undefined,
): Promise<SweepRounds> {
  const members = Math.max(1, jobs.space.threads - 1);
  const options = { members, sharedBytes: sweepGangBytes, signal };
  const shares = resultOf(await jobs.space.runGang(sweepJob, { graph, iterations }, options));
  const edgesOf = (round: number): number => shares.reduce((sum, { edges }) => sum + (edges[round] ?? 0), 0);
  const seconds = shares[0]?.seconds ?? new Float64Array(0);
  return {
    edges: edgesOf(iterations - 1),
    edgesPerSecond: Array.from(seconds, (time, round) => edgesOf(round) / Math.max(time, 1e-9)),
  };
}
