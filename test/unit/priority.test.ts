// Job threads give way to the rest of the machine: each by itself, the main thread not at all. Only Linux has priorities of threads.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobsOnThreads } from '../../runtime-node/workers/job-threads.ts';
import type { ThreadData } from '../../runtime-node/workers/priority.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { sweepGangBlock, sweepJob } from '../../src/engine/jobs/sweep.ts';
import { binary, newCore } from './support/jobs-home.ts';

/** How many threads of this process have each niceness. */
function threadsByNiceness(): Map<number, number> {
  const counts = new Map<number, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name of the thread, in parentheses, may hold anything.
    const niceness = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
    counts.set(niceness, (counts.get(niceness) ?? 0) + 1);
  }
  return counts;
}

test.runIf(process.platform === 'linux')('job threads are niced, nobody else is', async () => {
  const before = threadsByNiceness();
  const entry = new URL(`file://${at('dist/runtime-node/workers/job-worker.js')}`);
  const entryData: ThreadData = { niceness: 7 };
  const jobs = jobsOnThreads({ binary, threads: 3, entry, entryData });
  const core = newCore();
  const graph = core.createGraph();
  const space = jobs.open(core);
  const { ids, sharedBytes } = sweepGangBlock(core.nextId(graph));
  const outcome = await space.runGang(sweepJob, { graph, ids, iterations: 1 }, { members: 2, sharedBytes });
  expect(outcome.ok).toBe(true);
  const counts = threadsByNiceness();
  expect(counts.get(7) ?? 0).toBeGreaterThan(before.get(7) ?? 0);
  expect(counts.get(0) ?? 0).toBeGreaterThanOrEqual(before.get(0) ?? 0);
  await jobs.close();
  core.dispose();
});
