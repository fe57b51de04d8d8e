// Statistics, the generator and the edge-traversal benchmark (contract part 3; reference 15.2, 17).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEdges, createVertices, erase, expectJson, expectProblem, property } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 1000 };
let service: TestService;
beforeAll(async () => {
  service = await startService(settings);
});
afterAll(() => service.stop());

type Statistics = Record<string, unknown>;

async function statistics(on = service): Promise<Statistics> {
  return expectJson(await on.call('GET', '/statistics')) as Statistics;
}

const none = { min: 0, max: 0, mean: 0, p50: 0, p90: 0, p99: 0 };

/** Ten vertices, 0 to 4 labelled `a`, 5 and 6 `b`; an edge from each of 1 … 9 to 0, two of them labelled. */
async function star(on: TestService): Promise<void> {
  await erase(on);
  await createVertices(
    on,
    Array.from({ length: 10 }, (_, i) => ({
      label: i < 5 ? 'a' : i < 7 ? 'b' : null,
      properties: i % 2 === 0 ? [property('even', 'yes'), property('name', `${i}`)] : [property('name', `${i}`)],
    })),
  );
  await createEdges(
    on,
    Array.from({ length: 9 }, (_, i) => ({
      sourceVertex: i + 1,
      targetVertex: 0,
      edgePropertyId: 'to',
      label: i < 2 ? 'first' : null,
      properties: i === 0 ? [property('weight', '1', 'System.Int32')] : [],
    })),
  );
}

describe('HEAD', () => {
  it('neither generates nor measures', async () => {
    await erase(service);
    for (const path of ['/ns/default/generate', '/ns/default/benchmark']) {
      const answer = await service.call('HEAD', path);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET']);
    }
    expect((await service.call('GET', '/vertex/count')).text).toBe('0');
  });
});

describe('statistics', () => {
  it('of an empty graph are zeros', async () => {
    await erase(service);
    const answer = await statistics();
    const names = 'vertexCount edgeCount vertexLabels edgeLabels propertyKeys inDegree outDegree totalDegree indices';
    const more = 'memory computedInMs sampled sampleStride embedding ingestion nlp namespaceMemory';
    expect(Object.keys(answer)).toEqual(`${names} ${more}`.split(' '));
    expect(answer).toMatchObject({ vertexCount: 0, edgeCount: 0, sampled: false, sampleStride: 1, indices: [] });
    for (const tally of ['vertexLabels', 'edgeLabels', 'propertyKeys']) {
      expect(answer[tally]).toEqual({ top: [], distinctTotal: 0 });
    }
    for (const spread of ['inDegree', 'outDegree', 'totalDegree']) expect(answer[spread]).toEqual(none);
    expect(Object.keys(answer.memory as object)).toEqual([
      'processWorkingSetBytes',
      'gcHeapBytes',
      'gcLastHeapSizeBytes',
      'gcFragmentedBytes',
    ]);
    const status = (await service.call('GET', '/status')).json;
    for (const block of ['embedding', 'ingestion', 'nlp']) expect(answer[block]).toEqual(status[block]);
  });

  it('count labels, keys and degrees', async () => {
    await star(service);
    const answer = await statistics();
    expect(answer).toMatchObject({ vertexCount: 10, edgeCount: 9 });
    expect(answer.vertexLabels).toEqual({
      top: [
        { name: 'a', count: 5 },
        { name: '', count: 3 },
        { name: 'b', count: 2 },
      ],
      distinctTotal: 3,
    });
    expect(answer.edgeLabels).toEqual({
      top: [
        { name: '', count: 7 },
        { name: 'first', count: 2 },
      ],
      distinctTotal: 2,
    });
    expect(answer.propertyKeys).toEqual({
      top: [
        { name: 'name', count: 10 },
        { name: 'even', count: 5 },
        { name: 'weight', count: 1 },
      ],
      distinctTotal: 3,
    });
    expect(answer.inDegree).toEqual({ min: 0, max: 9, mean: 0.9, p50: 0, p90: 0, p99: 9 });
    expect(answer.outDegree).toEqual({ min: 0, max: 1, mean: 0.9, p50: 1, p90: 1, p99: 1 });
    expect(answer.totalDegree).toEqual({ min: 1, max: 9, mean: 1.8, p50: 1, p90: 1, p99: 9 });
    expect(answer.computedInMs).toBeGreaterThanOrEqual(0);
  });

  it.runIf(isReal)('cut names of more than 1,000 characters', async () => {
    await erase(service);
    const labels = [
      '€'.repeat(1000),
      `${'€'.repeat(1000)}x`,
      'é'.repeat(1500),
      `a${'😀'.repeat(1000)}`,
      'l'.repeat(16_000_000),
    ];
    await createVertices(
      service,
      labels.map((label) => ({ label })),
    );
    const { top } = (await statistics()).vertexLabels as { top: { name: string }[] };
    const cut = labels.map((label) => (label.length > 1000 ? `${label.slice(0, 1000)}…` : label));
    expect(top.map(({ name }) => name).sort()).toEqual(cut.map((name) => JSON.parse(JSON.stringify(name))).sort());
  });

  it('put an empty label with the missing ones, and equal counts in ordinal order', async () => {
    await erase(service);
    await createVertices(service, [{ label: '' }, {}, { label: 'b' }, { label: 'B' }, { label: 'ä' }]);
    expect((await statistics()).vertexLabels).toEqual({
      top: [
        { name: '', count: 2 },
        { name: 'B', count: 1 },
        { name: 'b', count: 1 },
        { name: 'ä', count: 1 },
      ],
      distinctTotal: 4,
    });
  });

  it('answer for a namespace under its name, and not for an unknown one', async () => {
    expect((await service.call('PUT', '/ns/counted')).status).toBe(201);
    expect(expectJson(await service.call('GET', '/ns/counted/statistics'))).toMatchObject({ vertexCount: 0 });
    expectProblem(await service.call('GET', '/ns/nowhere/statistics'), 404, 'Namespace not found');
  });
});

describe('sampled statistics', () => {
  let sampling: TestService;
  beforeAll(async () => {
    sampling = await startService({
      'Observability:StatisticsElementBudget': 5,
      'Observability:StatisticsTopN': 1,
      'Security:SensitiveRateLimitPermitPerWindow': 3,
      'Security:RateLimitWindowSeconds': 3600,
    });
  });
  afterAll(() => sampling.stop());

  it('look at every fourth of nineteen elements, and list one name', async () => {
    await star(sampling);
    const answer = await statistics(sampling);
    expect(answer).toMatchObject({ vertexCount: 10, edgeCount: 9, sampled: true, sampleStride: 4 });
    // Vertices 0, 4 and 8, and of the edges those behind 2 and 6 others.
    expect(answer.vertexLabels).toEqual({ top: [{ name: 'a', count: 2 }], distinctTotal: 2 });
    expect(answer.edgeLabels).toEqual({ top: [{ name: '', count: 2 }], distinctTotal: 1 });
    expect(answer.propertyKeys).toEqual({ top: [{ name: 'even', count: 3 }], distinctTotal: 2 });
    expect(answer.inDegree).toEqual({ min: 0, max: 9, mean: 3, p50: 0, p90: 9, p99: 9 });
  });

  it('are limited like other sensitive routes', async () => {
    await statistics(sampling);
    await statistics(sampling);
    expectProblem(await sampling.call('GET', '/statistics'), 429);
  });
});

describe('the generator', () => {
  const path = '/ns/default/generate';

  it('adds vertices with distinct targets among them, and reports what is there', async () => {
    await erase(service);
    await createVertices(service, [{}, {}]);
    const answer = expectJson(await service.call('GET', `${path}?nodeCount=30&edgeCount=4`)) as Statistics;
    expect(Object.keys(answer)).toEqual([
      'namespace',
      'verticesCreated',
      'edgesCreated',
      'distribution',
      'elapsedMilliseconds',
      'vertexCountAfter',
      'edgeCountAfter',
    ]);
    expect(answer).toMatchObject({ namespace: 'default', verticesCreated: 30, edgesCreated: 120 });
    expect(answer).toMatchObject({ distribution: 'uniform', vertexCountAfter: 32, edgeCountAfter: 120 });
    const { edges, vertices } = (await service.call('GET', '/graph')).json as {
      edges: { sourceVertex: number; targetVertex: number; edgePropertyId: string; label: null }[];
      vertices: { id: number; properties: unknown[]; label: null }[];
    };
    expect(new Set(edges.map(({ sourceVertex: s, targetVertex: t }) => `${s} ${t}`)).size).toBe(120);
    for (const { sourceVertex, targetVertex, edgePropertyId, label } of edges) {
      expect(Math.min(sourceVertex, targetVertex)).toBeGreaterThanOrEqual(2);
      expect({ edgePropertyId, label }).toEqual({ edgePropertyId: 'A', label: null });
    }
    for (const { label, properties } of vertices)
      expect({ label, properties }).toEqual({ label: null, properties: [] });
  });

  it('by default makes 200 vertices with five edges each', async () => {
    await erase(service);
    expect(expectJson(await service.call('GET', path))).toMatchObject({ verticesCreated: 200, edgesCreated: 1000 });
  });

  it('never gives a vertex more edges than there are vertices', async () => {
    await erase(service);
    const whole = await service.call('GET', `${path}?nodeCount=200&edgeCount=500`);
    expect(whole.json).toMatchObject({ edgesCreated: 40_000 });
  });

  it('links to earlier vertices when asked for preference', async () => {
    await erase(service);
    const answer = await service.call('GET', `${path}?nodeCount=50&edgeCount=3&distribution=PREFERENTIAL`);
    expect(answer.json).toMatchObject({ distribution: 'preferential', edgesCreated: 0 + 1 + 2 + 47 * 3 });
    const { edges } = (await service.call('GET', '/graph')).json as {
      edges: { sourceVertex: number; targetVertex: number }[];
    };
    for (const { sourceVertex, targetVertex } of edges) expect(targetVertex).toBeLessThan(sourceVertex);
  });

  it('makes nothing of nothing', async () => {
    await erase(service);
    expect((await service.call('GET', `${path}?nodeCount=0`)).json).toMatchObject({
      verticesCreated: 0,
      edgesCreated: 0,
    });
    expect((await service.call('GET', `${path}?nodeCount=&edgeCount=0&distribution=`)).json).toMatchObject({
      vertexCountAfter: 200,
      edgesCreated: 0,
    });
  });

  it.each(['nodeCount=-1', 'edgeCount=-1', 'nodeCount=many', 'edgeCount=1.5', 'distribution=normal'])(
    'refuses %s',
    async (query) => {
      expectProblem(await service.call('GET', `${path}?${query}`), 400);
    },
  );

  it.runIf(isReal)('refuses what cannot fit before it begins', async () => {
    await erase(service);
    expectProblem(await service.call('GET', `${path}?nodeCount=100000000&edgeCount=100`), 500, 'Memory limit reached');
    expect((await service.call('GET', '/status')).json).toMatchObject({ vertexCount: 0, edgeCount: 0 });
  });

  it.runIf(isReal)('is as durable as any other write', async () => {
    await erase(service);
    await service.call('GET', `${path}?nodeCount=300&edgeCount=3`);
    const before = (await service.call('GET', '/vertex/299')).text;
    await service.restart();
    expect((await service.call('GET', '/status')).json).toMatchObject({ vertexCount: 300, edgeCount: 900 });
    expect((await service.call('GET', '/vertex/299')).text).toBe(before);
  });
});

describe('the benchmark', () => {
  const path = '/ns/default/benchmark';

  it('follows every out-edge in each iteration', async () => {
    await erase(service);
    await service.call('GET', '/ns/default/generate?nodeCount=100&edgeCount=7');
    const answer = expectJson(await service.call('GET', `${path}?iterations=5`)) as Statistics;
    expect(Object.keys(answer)).toEqual([
      'iterations',
      'edgesTraversed',
      'averageTps',
      'medianTps',
      'standardDeviationTps',
    ]);
    expect(answer).toMatchObject({ iterations: 5, edgesTraversed: 700 });
    expect(answer.averageTps).toBeGreaterThan(0);
    expect(answer.medianTps).toBeGreaterThan(0);
  });

  it('clamps its iterations, and needs some', async () => {
    const clamped = await startService({ 'Security:BenchmarkMaxIterations': 3 });
    await clamped.call('GET', '/ns/default/generate?nodeCount=10');
    expect((await clamped.call('GET', path)).json).toMatchObject({ iterations: 3 });
    expect((await clamped.call('GET', `${path}?iterations=99`)).json).toMatchObject({ iterations: 3 });
    expect((await clamped.call('GET', `${path}?iterations=`)).json).toMatchObject({ iterations: 3 });
    for (const wrong of ['0', '-1', 'x']) {
      expectProblem(await clamped.call('GET', `${path}?iterations=${wrong}`), 400);
    }
    await clamped.stop();
  });

  it('needs vertices', async () => {
    await erase(service);
    expectProblem(await service.call('GET', path), 400);
  });

  it('and the generator name a namespace', async () => {
    for (const name of ['benchmark', 'generate']) {
      expectProblem(await service.call('GET', `/${name}`), 400, 'Namespace required');
    }
  });
});
