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

/** Rounds of one job, in seconds: so long others wait for its threads. */
const jobSeconds = 1;

/**
 * At most `iterations` rounds; none begins after `mostSeconds` of them. Rejects with CoreMemoryExhausted or JobFailed, and with the signal's
 * reason between two jobs.
 */
export async function sweepRounds(
  source: SweepSource,
  iterations: number,
  mostSeconds: number,
  signal: AbortSignal | undefined,
): Promise<SweepRounds> {
  const edgesPerSecond: number[] = [];
  let [edges, seconds, rounds] = [0, 0, 1];
  while (edgesPerSecond.length < iterations && seconds < mostSeconds) {
    signal?.throwIfAborted();
    const done = await sweepJobRounds(source, Math.min(rounds, iterations - edgesPerSecond.length), signal);
    edges = done.edges;
    seconds += done.seconds;
    for (const rate of done.edgesPerSecond) edgesPerSecond.push(rate);
    const roundSeconds = seconds / edgesPerSecond.length;
    rounds = Math.max(1, Math.floor(Math.min(jobSeconds, mostSeconds - seconds) / Math.max(roundSeconds, 1e-6)));
  }
  return { edges, edgesPerSecond };
}

async function sweepJobRounds(
  { core, graph, jobs }: SweepSource,
  iterations: number,
  signal: AbortSignal | undefined,
): Promise<SweepRounds & { readonly seconds: number }> {
  const members = Math.max(1, jobs.space.threads - 1);
  const { ids, sharedBytes } = sweepGangBlock(core.nextId(graph));
  const options = { members, sharedBytes, signal };
  const shares = resultOf(await jobs.space.runGang(sweepJob, { graph, ids, iterations }, options));
  const edgesOf = (round: number): number => shares.reduce((sum, { edges }) => sum + (edges[round] ?? 0), 0);
  const seconds = shares[0]?.seconds ?? new Float64Array(0);
  return {
    edges: edgesOf(iterations - 1),
    seconds: seconds.reduce((sum, time) => sum + time, 0),
    edgesPerSecond: Array.from(seconds, (time, round) => edgesOf(round) / Math.max(time, 1e-9)),
  };
}
