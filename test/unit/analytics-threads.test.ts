// A run one of whose threads dies or hangs: it ends by its budget or with a failure, nothing that was lent is lost, no epoch is held back,
// and the next run is answered as if nothing had been.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobsOnThreads } from '../../runtime-node/workers/job-threads.ts';
import { Kernel, View } from '../../src/core/analytics.ts';
import type { Core } from '../../src/core/core.ts';
import { Projections } from '../../src/engine/analytics/projections.ts';
import { type AnalyticsSource, runAnalytics } from '../../src/engine/analytics/run.ts';
import type { AnalyticsRun } from '../../src/engine/analytics/types.ts';
import { GraphJobs } from '../../src/engine/jobs/graph-jobs.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import { textOf } from './engine-support.ts';
import { binary, newCore, slotsOf } from './support/jobs-home.ts';

const vertices = 30_000;
const failures = { dies: 1, hangs: 2, traps: 3 } as const;
type Failure = keyof typeof failures;

/** On pairs of vertices it never converges: they swap their labels each round. */
const endless: AnalyticsRun = {
  kernel: Kernel.labelPropagation,
  scope: { label: null, edgeType: null, view: View.both },
  needsArcs: true,
  maxIterations: 2 ** 31,
  epsilon: 0,
  damping: 0,
  source: null,
  samples: 0,
  seed: 0,
  budgetMs: 60_000,
  keepsRounds: true,
  wantsStatistics: false,
  query: { kind: 'top', limit: 10 },
  writeBack: null,
  logWriteBack: false,
};
const few: AnalyticsRun = { ...endless, maxIterations: 9 };

let core: Core;
let jobs: Jobs;
let source: AnalyticsSource;
let words: Int32Array;

beforeEach(() => {
  core = newCore();
  const graph = core.createGraph();
  const common = { creationDate: 0, label: null, properties: [] };
  core.write(graph, Array(vertices).fill({ kind: 'createVertex', ...common }), 0);
  const pair = (i: number) =>
    ({ kind: 'createEdge', ...common, source: 2 * i, target: 2 * i + 1, edgeType: 'pair' }) as const;
  const pairs = Array.from({ length: vertices / 2 }, (_, i) => pair(i));
  core.write(graph, pairs, 0);
  words = new Int32Array(new SharedArrayBuffer(8));
  const entry = new URL('./jobs-failing-worker.mjs', import.meta.url);
  jobs = jobsOnThreads({ binary, threads: 3, graceMs: 50, entry, entryData: { words: words.buffer } });
  const space = jobs.open(core);
  const projections = new Projections(core, graph, 2 ** 30);
  const writeBack = () => Promise.reject(new Error('nothing is written back'));
  source = { core, graph, jobs: new GraphJobs(core, space), projections, writeBack };
});

afterEach(async () => {
  source.projections.yield();
  core.instance.exports.retireAdvance();
  expect(slotsOf(core)).toEqual({ taken: 0, announced: 0 });
  expect(core.memoryUse().projections).toBe(0);
  await jobs.close();
  core.dispose();
});

/** One member fails behind so many chunks of all members. */
function failBehind(chunks: number, how: Failure): void {
  words[1] = failures[how];
  words[0] = chunks;
}

async function rowsOf(run = few): Promise<string> {
  const answer = await runAnalytics(source, run, undefined);
  return answer.ok ? textOf(answer.rows) : answer.reason;
}

describe.each(Object.keys(failures) as Failure[])('a run one thread of which %s', (how) => {
  // The first chunks count vertices, later ones are of the kernel's rounds.
  it.each([1, 5, 60, 250])('behind chunk %i leaves the next one as it is', async (chunks) => {
    const expected = await rowsOf();
    source.projections.yield();
    failBehind(chunks, how);
    const caller = new AbortController();
    const failed = runAnalytics(source, endless, caller.signal).catch((error: unknown) => error);
    while ((words[0] as number) > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (how === 'hangs') caller.abort();
    const reason = { dies: 'crashed', hangs: 'cancelled', traps: 'failed' }[how];
    expect(await failed).toMatchObject({ name: 'JobFailed', reason });
    expect(slotsOf(core)).toEqual({ taken: 0, announced: 0 });
    expect(await rowsOf()).toBe(expected);
  });
});

describe('a run one thread of which hangs', () => {
  it('ends by its budget, with its rounds if it has some', { tags: ['long'] }, async () => {
    const expected = await rowsOf();
    failBehind(1, 'hangs');
    const early = await runAnalytics(source, { ...endless, keepsRounds: false, budgetMs: 300 }, undefined);
    expect(early).toMatchObject({ ok: false, reason: 'budget' });
    failBehind(2 ** 30, 'hangs');
    const run = runAnalytics(source, { ...endless, budgetMs: 1500 }, undefined);
    while ((words[0] as number) > 2 ** 30 - 1000) await new Promise((resolve) => setTimeout(resolve, 1));
    words[0] = 1;
    const answer = await run;
    if (!answer.ok) throw new Error(answer.reason);
    expect(answer).toMatchObject({ budgetExhausted: true, converged: false, vertexCount: vertices });
    expect(textOf(answer.rows)).toBe(await rowsOf({ ...endless, maxIterations: answer.iterations }));
    expect(await rowsOf()).toBe(expected);
  });
});
