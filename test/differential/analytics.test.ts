// The kernels on several threads: bit for bit what one thread answers; ended early by a slot's words; beside a writer that changes,
// trims and erases the graph while it is projected. `ANALYTICS_SEED` repeats a run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gang } from '../../benchmarks/lib/gang.ts';
import {
  beginKernel,
  dropKernel,
  dropProjection,
  fillProjection,
  type Job,
  JobError,
  jobFailure,
  Kernel,
  type KernelOptions,
  type Projection,
  projectionSize,
  projectScope,
  Run,
  runOutcome,
  type Scope,
  settleProjection,
  stopJob,
  topScores,
  View,
  vertexValues,
} from '../../src/core/analytics.ts';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { binaryOf, builds } from './support/readers-threads.ts';

const seed = Number(process.env.ANALYTICS_SEED ?? (Date.now() ^ 0x7a11) >>> 0);
const threads = 3;
const everything: Scope = { label: null, edgeType: null, view: View.both };
/** As one line of code of what a kernel is given beside the view it wants. */
const runs: readonly (readonly [string, Kernel, View, Partial<KernelOptions>, Partial<Scope>?])[] = [
  ['PAGERANK', Kernel.pageRank, View.in, { maxIterations: 15, epsilon: 0, damping: 0.85 }],
  ['PAGERANK both', Kernel.pageRank, View.both, { maxIterations: 100, epsilon: 1e-6, damping: 0.85 }],
  ['WCC', Kernel.wcc, View.both, {}],
  ['WCC out', Kernel.wcc, View.out, {}],
  ['LABELPROPAGATION', Kernel.labelPropagation, View.both, { maxIterations: 10 }],
  ['DEGREE', Kernel.degree, View.both, {}],
  ['TRIANGLECOUNT', Kernel.triangleCount, View.simple, {}],
  ['LOUVAIN', Kernel.louvain, View.both, { damping: 1 }],
  ['KCORE', Kernel.kCore, View.simple, {}],
  ['SCC', Kernel.scc, View.out, {}],
  ['BETWEENNESS', Kernel.betweenness, View.out, { samples: 20, seed: 5 }],
  ['CLOSENESS', Kernel.closeness, View.both, { samples: 100, seed: 5 }],
  ['CLUSTERINGCOEFFICIENT', Kernel.clusteringCoefficient, View.simple, {}],
  ['CLUSTERINGCOEFFICIENT out', Kernel.directedClustering, View.out, {}],
  ['BFS', Kernel.bfs, View.both, { source: 17 }],
  ['BFS out', Kernel.bfs, View.out, { source: 17 }],
  ['SSSP', Kernel.sssp, View.both, { source: 17 }],
  ['SSSP with weights', Kernel.sssp, View.both, { source: 17 }, { weightKey: 'part', paired: true }],
  ['SSSP with whole weights', Kernel.sssp, View.both, { source: 17 }, { weightKey: 'whole', paired: true }],
];

describe.each(builds)('gangs (%s)', (build) => {
  const binary = binaryOf(build);
  const core = new Core(binary, new MemoryPool({ shared: true }), 2 ** 31);
  const random = randomFrom(seed);
  const vertexCount = build === 'release' ? 30_000 : 6_000;
  let graph = 0;
  let gang: Gang;

  function write(operations: readonly WriteOperation[]): void {
    const result = core.write(graph, operations, 1_700_000_000_000);
    if (!result.ok) throw new Error(`the core refused a write: ${result.status}`);
  }

  const vertex = (): WriteOperation => ({ kind: 'createVertex', creationDate: 0, label: null, properties: [] });
  const edge = (source: number, target: number): WriteOperation => {
    const weight = random(500);
    const properties = [
      { key: 'whole', type: TypeId.int32, text: `${weight}` },
      { key: 'part', type: TypeId.double, text: `${weight / 7}` },
    ];
    return { kind: 'createEdge', creationDate: 0, source, target, edgeType: 'to', label: null, properties };
  };
  /** Few vertices are at the end of most edges. */
  const skewed = (): number => random(1 + random(1 + random(vertexCount)));

  function addEdges(count: number): void {
    for (let left = count; left > 0; left -= 5000) {
      write(Array.from({ length: Math.min(left, 5000) }, () => edge(skewed(), random(vertexCount))));
    }
  }

  async function project(scope: Scope, count: number): Promise<Projection> {
    const projection = projectScope(core.instance, graph, scope);
    if (projection === null) throw new Error('no memory');
    await gang.run(projection, count);
    if (!fillProjection(core.instance, projection)) throw new Error('no memory');
    await gang.run(projection, count);
    settleProjection(core.instance, projection);
    return projection;
  }

  function begin(projection: Projection, kernel: Kernel, options: KernelOptions): Job {
    const job = beginKernel(core.instance, projection, kernel, options);
    if (job === null) throw new Error('no memory');
    return job;
  }

  async function answer(kernel: Kernel, scope: Partial<Scope>, options: KernelOptions) {
    const projection = await project({ ...everything, opposite: true, ...scope }, options.members);
    const job = begin(projection, kernel, options);
    await gang.run(job, options.members);
    const { values } = vertexValues(core.instance, job, 0, 2 ** 31);
    const outcome = { ...runOutcome(core.instance, job), values: Buffer.from(values.buffer).toString('base64') };
    dropProjection(core.instance, projection);
    return outcome;
  }

  beforeAll(async () => {
    graph = core.createGraph();
    for (let left = vertexCount; left > 0; left -= 5000) write(Array.from({ length: Math.min(left, 5000) }, vertex));
    addEdges(8 * vertexCount);
    gang = await Gang.start(core, binary, threads);
  });

  afterAll(() => gang.stop());

  for (const [name, kernel, view, options, scope = {}] of runs) {
    it(`answer ${name} as one thread does`, async () => {
      for (const order of ['ids', 'degrees'] as const) {
        const alone = await answer(kernel, { ...scope, view, order }, { ...options, members: 1 });
        expect(await answer(kernel, { ...scope, view, order }, { ...options, members: threads })).toEqual(alone);
      }
    });
  }

  it('answer PAGERANK as one thread does where hubs have most of the arcs', async () => {
    for (let i = 0; i < 8 * vertexCount; i += 5000) {
      const call = (): WriteOperation => edge(random(8) === 0 ? random(vertexCount) : random(30), random(60));
      write(Array.from({ length: 5000 }, () => ({ ...call(), edgeType: 'calls' })));
    }
    const part = { edgeType: 'calls', view: View.in };
    const options = { maxIterations: 9, epsilon: 0, damping: 0.85 };
    const alone = await answer(Kernel.pageRank, part, { ...options, members: 1 });
    expect(await answer(Kernel.pageRank, part, { ...options, members: threads })).toEqual(alone);
  });

  it('end when a slot or anybody says so, and keep the last complete round', async () => {
    const projection = await project(everything, threads);
    const options = { members: threads, maxIterations: 1_000_000, epsilon: 0, damping: 0.85 };
    const job = begin(projection, Kernel.pageRank, options);
    const ended = gang.runAll(job);
    while (runOutcome(core.instance, job).iterations < 3) await new Promise((next) => setTimeout(next, 1));
    gang.expire(1);
    expect(await ended).toEqual([Run.deadline, Run.deadline, Run.deadline]);
    await gang.stop();
    gang = await Gang.start(core, binary, threads);
    const { scores, total } = topScores(core.instance, job, vertexCount);
    expect(total).toBe(vertexCount);
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 9);
    dropKernel(core.instance, job);
    const other = begin(projection, Kernel.pageRank, options);
    const cancelled = gang.runAll(other);
    stopJob(core.instance, other, 'cancel');
    expect(await cancelled).toEqual([Run.cancelled, Run.cancelled, Run.cancelled]);
    dropProjection(core.instance, projection);
  });

  it('project a graph that changes meanwhile', async () => {
    console.log(`analytics threads (${build}): ANALYTICS_SEED=${seed}`);
    for (let round = 0; round < 12; round++) {
      const view = [View.both, View.simple, View.out, View.in][round % 4] as View;
      const projection = projectScope(core.instance, graph, { ...everything, view });
      if (projection === null) throw new Error('no memory');
      const counted = gang.runAll(projection);
      for (let i = 0; i < 4; i++) disturb();
      expect(await counted).toEqual([Run.finished, Run.finished, Run.finished]);
      expect(fillProjection(core.instance, projection)).toBe(true);
      const filled = gang.runAll(projection);
      for (let i = 0; i < 4; i++) disturb();
      expect(await filled).toEqual([Run.finished, Run.finished, Run.finished]);
      const job = begin(projection, Kernel.wcc, { members: threads });
      await gang.run(job);
      const { values } = vertexValues(core.instance, job, 0, 2 ** 31);
      expect(values.length).toBe(projectionSize(core.instance, projection).vertices);
      expect(values.every((value) => value < vertexCount)).toBe(true);
      dropProjection(core.instance, projection);
    }
  });

  function disturb(): void {
    const nextId = core.nextId(graph);
    const removals = Array.from({ length: 200 }, (): WriteOperation => {
      return { kind: 'removeElement', element: vertexCount + random(nextId - vertexCount), skipRemoved: true };
    });
    write(removals);
    addEdges(500);
  }

  it.each([1, 2, 3, 4])('fail as stale when the graph is trimmed %i times meanwhile', async (times) => {
    const projection = projectScope(core.instance, graph, everything);
    if (projection === null) throw new Error('no memory');
    await gang.run(projection);
    // Every second state stands where an earlier one stood.
    for (let i = 0; i < times; i++) {
      write([{ kind: 'removeElement', element: 0, skipRemoved: false }]);
      write([{ kind: 'trim' }]);
    }
    expect(fillProjection(core.instance, projection)).toBe(true);
    expect(await gang.runAll(projection)).toEqual([Run.failed, Run.failed, Run.failed]);
    expect(jobFailure(core.instance, projection)).toEqual({ error: JobError.stale, element: -1 });
    dropProjection(core.instance, projection);
    core.instance.exports.retireAdvance();
    expect(core.memoryUse().projections).toBe(0);
  });
});
