// The edge-traversal benchmark is over after its time, however many rounds were asked for. The jobs are played: their rounds take as long
// as they say.

import { expect, it } from 'vitest';
import type { Core } from '../../src/core/core.ts';
import type { GraphJobs } from '../../src/engine/jobs/graph-jobs.ts';
import type { SweepRequest, SweepShare } from '../../src/engine/jobs/sweep.ts';
import { sweepRounds } from '../../src/engine/sweep.ts';

const edges = 1000;

/** Rounds of `roundSeconds` each; notes how many each job was asked for. */
function played(roundSeconds: number) {
  const asked: number[] = [];
  const runGang = async (_: unknown, { iterations }: SweepRequest) => {
    asked.push(iterations);
    const share: SweepShare = {
      edges: new Float64Array(iterations).fill(edges),
      seconds: new Float64Array(iterations).fill(roundSeconds),
    };
    return { ok: true, value: [share] };
  };
  const jobs = { space: { threads: 2, runGang } } as unknown as GraphJobs;
  return { asked, source: { core: { nextId: () => 10 } as unknown as Core, graph: 0, jobs } };
}

it.each([
  // Long rounds: as many as begin before the time is over.
  { roundSeconds: 4, iterations: 1000, mostSeconds: 10, done: 3, jobSeconds: 4 },
  { roundSeconds: 100, iterations: 1000, mostSeconds: 10, done: 1, jobSeconds: 100 },
  { roundSeconds: 0.125, iterations: 1000, mostSeconds: 2, done: 16, jobSeconds: 1 },
  // Short rounds: all.
  { roundSeconds: 0.125, iterations: 7, mostSeconds: 2, done: 7, jobSeconds: 1 },
  { roundSeconds: 0, iterations: 1000, mostSeconds: 2, done: 1000, jobSeconds: 1 },
])('rounds of $roundSeconds s, $iterations of them in at most $mostSeconds s', async (given) => {
  const { asked, source } = played(given.roundSeconds);
  const rounds = await sweepRounds(source, given.iterations, given.mostSeconds, undefined);
  expect(rounds.edgesPerSecond).toHaveLength(given.done);
  expect(rounds.edges).toBe(edges);
  // No job holds its threads for longer than a second, or a round.
  for (const count of asked) expect(count * given.roundSeconds).toBeLessThanOrEqual(given.jobSeconds);
});

it('ends between two jobs when its caller has gone', async () => {
  const { asked, source } = played(0.5);
  const caller = new AbortController();
  const rounds = sweepRounds(source, 1000, 1000, caller.signal);
  caller.abort(new Error('gone'));
  await expect(rounds).rejects.toThrow('gone');
  expect(asked).toEqual([1]);
});
