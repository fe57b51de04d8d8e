// Runs on an engine: what happens when time is over, the caller goes, the graph changes or memory is full; projections that are kept;
// write-back on the feed and in the log. On worker threads and on one.

import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { jobsOnThreads } from '../../runtime-node/workers/job-threads.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { Kernel, View } from '../../src/core/analytics.ts';
import { TypeId } from '../../src/core/values.ts';
import type { AnalyticsRun, RunAnswer } from '../../src/engine/analytics/types.ts';
import { jobsOnOneThread } from '../../src/engine/jobs/one-thread.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import { Namespaces } from '../../src/engine/namespaces.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { binary, graphOf, type Home, homeWith, startedWith, textOf } from './engine-support.ts';

const pageRank: AnalyticsRun = {
  kernel: Kernel.pageRank,
  scope: { label: null, edgeType: null, view: View.in, opposite: true },
  needsArcs: true,
  maxIterations: 100,
  epsilon: 1e-6,
  damping: 0.85,
  source: null,
  samples: 0,
  seed: 0,
  budgetMs: 60_000,
  keepsRounds: true,
  wantsStatistics: false,
  query: { kind: 'top', limit: 3 },
  writeBack: null,
  logWriteBack: false,
};
const betweenness: AnalyticsRun = {
  ...pageRank,
  kernel: Kernel.betweenness,
  scope: { ...pageRank.scope, view: View.out, opposite: false },
  keepsRounds: false,
};
/** On pairs of vertices it never converges: they swap their labels each round, more rounds than any machine does in its budget. */
const endless: AnalyticsRun = {
  ...pageRank,
  kernel: Kernel.labelPropagation,
  scope: { ...pageRank.scope, view: View.both, opposite: false },
  maxIterations: 2 ** 31,
};
const labels = { key: 'label', type: TypeId.int32 };
const degree: AnalyticsRun = { ...betweenness, kernel: Kernel.degree, needsArcs: false };
const component: AnalyticsRun = {
  ...betweenness,
  kernel: Kernel.wcc,
  writeBack: { key: 'component', type: TypeId.int32 },
};

const entry = new URL(`file://${at('dist/runtime-node/workers/job-worker.js')}`);
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const homes: [name: string, jobs: () => Jobs][] = [['one thread', () => jobsOnOneThread({ binary, pause })]];
if (existsSync(entry)) homes.push(['threads', () => jobsOnThreads({ binary, threads: 3, entry })]);

function succeeded(answer: RunAnswer): RunAnswer & { ok: true } {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** A run under way that has read the graph: it begins with what an earlier one has kept of it. */
async function begun(graph: GraphEngine, run: AnalyticsRun): Promise<{ answer: Promise<RunAnswer> }> {
  succeeded(await graph.runs.analytics({ ...run, maxIterations: 1, writeBack: null }));
  const answer = graph.runs.analytics(run);
  await pause();
  return { answer };
}

function reasonOf(answer: RunAnswer): string {
  return answer.ok ? 'ok' : answer.reason;
}

describe.each(homes)('runs on %s', (_name, makeJobs) => {
  const jobs = makeJobs();
  afterAll(() => jobs.close());

  async function graphWith(vertices: number, edges: number, changes: object = {}): Promise<[GraphEngine, Home]> {
    const home = await startedWith({ jobs, ...changes });
    const graph = graphOf(home.engine);
    expect((await graph.runs.generate({ vertices, edges, distribution: 'uniform' })).ok).toBe(true);
    return [graph, home];
  }

  async function pairs(count: number): Promise<[GraphEngine, Home]> {
    const home = await startedWith({ jobs });
    const graph = graphOf(home.engine);
    const common = { creationDate: 0, label: null, properties: [] };
    graph.write(Array.from({ length: 2 * count }, () => ({ kind: 'createVertex', ...common })));
    const edge = (i: number) =>
      ({ kind: 'createEdge', ...common, source: 2 * i, target: 2 * i + 1, edgeType: 'pair' }) as const;
    graph.write(Array.from({ length: count }, (_, i) => edge(i)));
    return [graph, home];
  }

  it('end with the rounds they have when their time is over', async () => {
    const [graph, { engine }] = await pairs(30_000);
    succeeded(await graph.runs.analytics(degree)); // the threads have started
    const answer = succeeded(await graph.runs.analytics({ ...endless, budgetMs: 1000 }));
    expect(answer).toMatchObject({ budgetExhausted: true, converged: false, vertexCount: 60_000 });
    expect(answer.iterations).toBeGreaterThan(0);
    expect(answer.iterations).toBeLessThan(endless.maxIterations);
    expect(JSON.parse(textOf(answer.rows))).toHaveLength(3);
    await engine.close();
  });

  it('end without a result when there is none', async () => {
    const [graph, { engine }] = await graphWith(30_000, 10);
    expect(reasonOf(await graph.runs.analytics({ ...betweenness, budgetMs: 50 }))).toBe('budget');
    expect(reasonOf(await graph.runs.analytics(degree))).toBe('ok');
    await engine.close();
  });

  it('end when their caller goes, and leave nothing behind', async () => {
    const [graph, { engine }] = await graphWith(30_000, 10);
    const caller = new AbortController();
    const run = graph.runs.analytics(betweenness, caller.signal);
    setTimeout(() => caller.abort(), 50);
    await expect(run).rejects.toMatchObject({ name: 'JobFailed', reason: 'cancelled' });
    expect(reasonOf(await graph.runs.analytics(degree))).toBe('ok');
    await engine.close();
  });

  it('end when their namespace goes', async () => {
    const { engine } = await startedWith({ jobs });
    await engine.create('other');
    const graph = graphOf(engine, 'other');
    await graph.runs.generate({ vertices: 30_000, edges: 10, distribution: 'preferential' });
    const run = graph.runs.analytics(betweenness);
    const gone = expect(run).rejects.toMatchObject({ name: 'NamespaceGone' });
    await pause();
    await engine.remove('other');
    await gone;
    await engine.close();
  });

  it('give the same answers side by side, on one projection', async () => {
    const [graph, { engine }] = await graphWith(30_000, 5);
    const first = succeeded(await graph.runs.analytics(pageRank));
    const more = await Promise.all(Array.from({ length: 16 }, () => graph.runs.analytics(pageRank)));
    for (const answer of more) {
      expect(textOf(succeeded(answer).rows)).toBe(textOf(first.rows));
      const { iterations, bytes } = succeeded(answer);
      expect({ iterations, bytes }).toEqual({ iterations: first.iterations, bytes: first.bytes });
    }
    await engine.close();
  });

  it('write nothing to vertices that were removed meanwhile', async () => {
    const [graph, { engine }] = await pairs(15_000);
    const run = await begun(graph, { ...endless, budgetMs: 1000, writeBack: labels });
    for (let element = 0; element < 100; element++) {
      expect(graph.write([{ kind: 'removeElement', element, skipRemoved: false }]).ok).toBe(true);
    }
    const { writtenBack } = succeeded(await run.answer);
    expect(writtenBack).toEqual({ verticesWritten: 29_900, chunks: 1 });
    expect(graph.reads.element(50, 'vertex')).toBeNull();
    expect(textOf(graph.reads.element(100, 'vertex'))).toContain('"propertyId":"label"');
    await engine.close();
  });

  it.each([1, 2])('write nothing at all to a graph whose ids mean something else, trimmed %i times', async (times) => {
    const [graph, { engine }] = await pairs(15_000);
    const run = await begun(graph, { ...endless, budgetMs: 1000, writeBack: labels });
    graph.write([{ kind: 'removeElement', element: 0, skipRemoved: false }]);
    for (let i = 0; i < times; i++) graph.write([{ kind: 'trim' }]);
    expect(await run.answer).toMatchObject({ ok: false, reason: 'writeBack', verticesWritten: 0, chunks: 0 });
    expect(textOf(graph.reads.element(100, 'vertex'))).toContain('"properties":[]');
    await engine.close();
  });

  it('say what they would need when memory is short, and begin nothing', async () => {
    const [graph, { engine }] = await graphWith(40_000, 10, { limitBytes: 48 * 2 ** 20 });
    const before = graph.vertexCount;
    // Until one does not fit, whether it was refused before it began or in the middle.
    const more = { vertices: 1000, edges: 100, distribution: 'uniform' } as const;
    while ((await graph.runs.generate(more).catch(() => null))?.ok === true);
    const refused = await graph.runs.analytics({ ...betweenness });
    expect(refused).toMatchObject({ ok: false, reason: 'memory' });
    if (!refused.ok && refused.reason === 'memory') expect(refused.neededBytes).toBeGreaterThan(refused.freeBytes);
    expect(graph.vertexCount).toBeGreaterThanOrEqual(before);
    expect(textOf(graph.reads.element(0, 'vertex'))).toContain('"id":0');
    await engine.close();
  });

  /** A graph in a full memory, of which 3 MiB are free again and most of that a projection that is kept. */
  async function crowded(): Promise<[GraphEngine, Home, fillers: (count: number, label: string) => boolean]> {
    const [graph, home] = await graphWith(40_000, 10, { limitBytes: 64 * 2 ** 20, projectionBytes: 2 ** 30 });
    const fillers = (count: number, label: string): boolean => {
      const text = (i: number): string => `${i}`.padEnd(60_000, label);
      const vertex = { kind: 'createVertex', creationDate: 0, label } as const;
      const one = (i: number) => ({ ...vertex, properties: [{ key: 'text', type: TypeId.string, text: text(i) }] });
      return graph.write(Array.from({ length: count }, (_, i) => one(i))).ok;
    };
    const first = graph.vertexCount + graph.edgeCount;
    expect(fillers(8, 'some')).toBe(true);
    while (fillers(1, 'filler'));
    for (let i = 0; i < 52; i++) graph.write([{ kind: 'removeElement', element: first + 8 + i, skipRemoved: false }]);
    const { bytes } = succeeded(await graph.runs.analytics({ ...component, writeBack: null }));
    expect(bytes).toBeGreaterThan(2 * 2 ** 20);
    return [graph, home, fillers];
  }

  it('give way to writes: what they keep goes when a write needs the memory', async () => {
    const [graph, { engine }, fillers] = await crowded();
    expect(fillers(8, 'more')).toBe(true);
    expect(graph.vertexCount).toBeGreaterThan(0);
    await engine.close();
  });

  it('give way to the filling of an index', async () => {
    const [graph, { engine }] = await crowded();
    graph.indexes.create('texts', 'DictionaryIndex', new Map(), true);
    const request = { index: 'texts', property: 'text', replace: false, prefix: false, label: 'some' };
    expect(await graph.indexes.backfill(request)).toMatchObject({ ok: true, indexedElements: 8 });
    await engine.close();
  });

  it('give way to a subgraph', async () => {
    const [graph, { engine }] = await crowded();
    const source = graph.extracts.hold(null);
    const first = 440_000;
    const bits = new Uint8Array(8 * Math.ceil((first + 100) / 64));
    for (let id = first; id < first + 2; id++) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
    expect(await graph.extracts.extract(source, bits)).toMatchObject({ ok: true });
    source.release();
    await engine.close();
  });
});

describe('write-back', () => {
  it('is one resync a chunk, behind what was written before, and neither more nor less', async () => {
    const feed = {
      enabled: true,
      bufferSize: 1000,
      subscriberQueueSize: 1000,
      maxSubscribers: 1,
      keepAliveSeconds: 60,
    };
    const { engine } = await startedWith({ changeFeed: feed });
    const graph = graphOf(engine);
    await graph.runs.generate({ vertices: 60_000, edges: 0, distribution: 'uniform' });
    await pause();
    const before = graph.changeFeed.newest;
    const created = graph.write([{ kind: 'createVertex', creationDate: 0, label: null, properties: [] }]);
    expect(created.ok).toBe(true);
    const subscribed = graph.changeFeed.subscribe({
      filter: { kinds: null, elements: null, labels: null, keys: null },
      since: `${before}`,
    });
    if (!subscribed.ok) throw new Error(subscribed.detail);
    const { writtenBack } = succeeded(await graph.runs.analytics(component));
    expect(writtenBack).toEqual({ verticesWritten: 60_001, chunks: 2 });
    await pause();
    expect(graph.changeFeed.newest).toBe(before + 3);
    const reader = subscribed.stream.getReader();
    let text = '';
    while ((text.match(/"reason":/g) ?? []).length < 2) text += textOf((await reader.read()).value ?? null);
    expect([...text.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind)).toEqual([
      'vertexCreated',
      'resync',
      'resync',
    ]);
    expect(text.match(/"reason":"delegateWrite"/g)).toHaveLength(2);
    await reader.cancel();
    await engine.close();
  });

  it.each([
    [false, 'is lost with a restart from the log alone'],
    [true, 'survives a restart when it is logged'],
  ])('logged: %s, it %s', async (logWriteBack) => {
    const home = homeWith();
    await home.engine.start();
    const graph = graphOf(home.engine);
    await graph.runs.generate({ vertices: 100, edges: 3, distribution: 'uniform' });
    succeeded(await graph.runs.analytics({ ...component, logWriteBack }));
    expect(textOf(graph.reads.element(7, 'vertex'))).toContain('component');
    const last = graph.write([{ kind: 'createVertex', creationDate: 0, label: 'last', properties: [] }]);
    if (last.ok) await last.durable;
    await home.engine.close();
    const again = new Namespaces(home.options);
    await again.start();
    expect(textOf(graphOf(again).reads.element(7, 'vertex')).includes('component')).toBe(logWriteBack);
    expect(graphOf(again).vertexCount).toBe(101);
    await again.close();
  });
});

describe('a run whose every step takes long, on one thread', () => {
  it('lets others run after each step', async () => {
    let pauses = 0;
    const counted = (): Promise<void> => {
      pauses++;
      return pause();
    };
    const jobs = jobsOnOneThread({ binary, pause: counted });
    const { engine } = await startedWith({ jobs });
    const graph = graphOf(engine);
    await graph.runs.generate({ vertices: 1000, edges: 3, distribution: 'uniform' });
    succeeded(await graph.runs.analytics(betweenness));
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      nowMs += 10;
      return nowMs;
    });
    pauses = 0;
    succeeded(await graph.runs.analytics({ ...betweenness, samples: 64 }));
    clock.mockRestore();
    expect(pauses).toBeGreaterThanOrEqual(64);
    await engine.close();
    await jobs.close();
  });
});
