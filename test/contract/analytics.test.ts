// Whole-graph algorithms over HTTP (contract part 2, Analytics; reference 12): bounds and their order, shapes, ties, pages, write-back.

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { createEdges, createVertices, erase, expectJson, expectProblem, property, waited } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function run(name: string, json: object = {}, prefix = ''): Promise<Answer> {
  return service.call('POST', `${prefix}/analytics/${name}`, { json });
}

function partition(name: string, id: number | string, json: object = {}): Promise<Answer> {
  return service.call('POST', `/analytics/${name}/partition/${id}`, { json });
}

async function resultOf(name: string, json: object = {}): Promise<Record<string, unknown>> {
  const result = expectJson(await run(name, json)) as Record<string, unknown>;
  expect(Object.keys(result)).toEqual([
    'algorithm',
    'converged',
    'iterationsRun',
    'elapsedMs',
    'budgetExhausted',
    'vertexCount',
    'statistics',
    'results',
    'partitions',
    'writeBack',
  ]);
  expect(result.elapsedMs).toBeTypeOf('number');
  expect(result.budgetExhausted).toBe(false);
  return result;
}

const edge = (sourceVertex: number, targetVertex: number, more: object = {}): object => ({
  sourceVertex,
  targetVertex,
  edgePropertyId: 'to',
  ...more,
});

/** Two triangles 0 1 2 and 3 4 5 joined by 2 → 3, a lone vertex 6; 0 1 2 6 are labelled `a`. */
async function twoTriangles(): Promise<void> {
  await erase(service);
  await createVertices(
    service,
    [0, 1, 2, 3, 4, 5, 6].map((id) => ({ creationDate: 0, label: id < 3 || id === 6 ? 'a' : 'b' })),
  );
  const pairs: [number, number][] = [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 4],
    [4, 5],
    [5, 3],
    [2, 3],
  ];
  await createEdges(
    service,
    pairs.map(([source, target]) =>
      edge(source, target, source === 2 && target === 3 ? { edgePropertyId: 'bridge' } : {}),
    ),
  );
}

const score = (graphElementId: number, value: number): object => ({ graphElementId, score: value });
const part = (partitionId: number, size: number): object => ({ partitionId, size });

describe('a run', () => {
  beforeAll(twoTriangles);

  it('lists the algorithms with their descriptions', async () => {
    const list = expectJson(await service.call('GET', '/analytics/algorithms')) as Record<string, string>;
    const names = 'BETWEENNESS BFS CLOSENESS CLUSTERINGCOEFFICIENT DEGREE KCORE LABELPROPAGATION LOUVAIN PAGERANK';
    expect(Object.keys(list)).toEqual([...names.split(' '), 'SCC', 'SSSP', 'TRIANGLECOUNT', 'WCC']);
    for (const text of Object.values(list)) expect(text).not.toBe('');
    expect((await service.call('GET', '/status')).json.availableAnalyticsPlugins).toEqual(Object.keys(list));
  });

  it.each([
    ['text/json; ver=0.1', 'text/json; charset=utf-8; ver=0.1'],
    ['text/plain; ver=0.1', 'text/plain; charset=utf-8; ver=0.1'],
    ['application/json; ver=0.1', 'application/json; ver=0.1'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/*', 'text/json; charset=utf-8'],
    ['text/plain, application/json', 'application/json'],
    ['application/json;q=0.5, text/json', 'text/json; charset=utf-8'],
    ['application/json;q=0, */*;q=0.1', 'text/json; charset=utf-8'],
    ['*/*', 'application/json'],
    ['image/png', 'application/json'],
    ['', 'application/json'],
  ])('answers Accept: %s as %s', async (accept, contentType) => {
    for (const [method, path] of [
      ['GET', '/analytics/algorithms'],
      ['POST', '/analytics/DEGREE'],
      ['POST', '/analytics/WCC/partition/0'],
    ] as const) {
      const answer = await service.call(method, path, { headers: { accept }, ...(method === 'POST' && { json: {} }) });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, contentType]);
      expect(answer.json).toBeTypeOf('object');
    }
    const wrong = await service.call('POST', '/analytics/DEGREE', { headers: { accept }, json: { maxResults: 0 } });
    expectProblem(wrong, 400, 'Bad Request');
  });

  it('of WCC names components after their smallest vertex', async () => {
    const result = await resultOf('WCC');
    expect(result).toMatchObject({ algorithm: 'WCC', converged: true, iterationsRun: 1, vertexCount: 7 });
    expect(result).toMatchObject({ statistics: { ComponentCount: 2 }, results: null, writeBack: null });
    expect(result.partitions).toEqual([part(0, 6), part(6, 1)]);
  });

  it('of WCC over one edge type and one label keeps to that scope', async () => {
    expect((await resultOf('WCC', { edgePropertyId: 'to' })).partitions).toEqual([part(0, 3), part(3, 3), part(6, 1)]);
    expect((await resultOf('WCC', { vertexLabel: 'a' })).partitions).toEqual([part(0, 3), part(6, 1)]);
    expect((await resultOf('WCC', { edgePropertyId: 'none', maxResults: 2 })).partitions).toEqual([
      part(0, 1),
      part(1, 1),
    ]);
  });

  it('of DEGREE counts edges in each direction, ties by ascending id', async () => {
    const both = await resultOf('DEGREE', { maxResults: 3 });
    expect(both.results).toEqual([score(2, 3), score(3, 3), score(0, 2)]);
    expect(both).toMatchObject({ statistics: { Min: 0, Max: 3, Mean: 2 }, partitions: null });
    expect((await resultOf('DEGREE', { direction: 'out', maxResults: 1 })).results).toEqual([score(2, 2)]);
    expect((await resultOf('DEGREE', { direction: 'in', maxResults: 1 })).results).toEqual([score(3, 2)]);
  });

  it('of TRIANGLECOUNT sums to three times the triangles', async () => {
    const { results, statistics } = await resultOf('TRIANGLECOUNT');
    expect(statistics).toEqual({ TriangleCount: 2 });
    expect(results).toEqual([...[0, 1, 2, 3, 4, 5].map((id) => score(id, 1)), score(6, 0)]);
  });

  it('of PAGERANK sums to 1 and says how many rounds it took', async () => {
    const result = await resultOf('PAGERANK', { epsilon: 1e-12 });
    const sum = (result.results as { score: number }[]).reduce((all, { score }) => all + score, 0);
    expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
    expect(result).toMatchObject({ converged: true, statistics: {}, partitions: null });
    expect(result.iterationsRun).toBeGreaterThan(2);
    expect(await resultOf('PAGERANK', { maxIterations: 1 })).toMatchObject({ converged: false, iterationsRun: 1 });
    const even = await resultOf('PAGERANK', { parameters: { DampingFactor: 0, other: 7 }, maxResults: 1 });
    expect(even.results).toEqual([score(0, 1 / 7)]);
  });

  it('of LABELPROPAGATION names a community after a label', async () => {
    const result = await resultOf('LABELPROPAGATION', { maxIterations: 1 });
    expect(result).toMatchObject({ iterationsRun: 1, converged: false, results: null });
    const communities = result.partitions as { size: number }[];
    expect(communities.reduce((sum, { size }) => sum + size, 0)).toBe(7);
    expect(result.statistics).toEqual({ CommunityCount: communities.length });
  });

  it('of the algorithms beyond the contract has the same shape', async () => {
    expect((await resultOf('SCC')).partitions).toEqual([part(0, 3), part(3, 3), part(6, 1)]);
    expect((await resultOf('LOUVAIN')).partitions).toEqual([part(0, 3), part(3, 3), part(6, 1)]);
    expect((await resultOf('KCORE', { maxResults: 1 })).results).toEqual([score(0, 2)]);
    expect((await resultOf('CLUSTERINGCOEFFICIENT', { maxResults: 1 })).results).toEqual([score(0, 1)]);
    const directed = await resultOf('CLUSTERINGCOEFFICIENT', { direction: 'out', maxResults: 3 });
    expect(directed.results).toEqual([score(0, 1 / 2), score(1, 1 / 2), score(4, 1 / 2)]);
    const bfs = await resultOf('BFS', { parameters: { Source: 0 } });
    expect(bfs.results).toEqual([score(5, 5), score(4, 4), score(3, 3), score(2, 2), score(1, 1), score(0, 0)]);
    expect(bfs.statistics).toEqual({ ReachedCount: 6, Max: 5 });
    expect((await resultOf('CLOSENESS', { maxResults: 1 })).results).toHaveLength(1);
    expect((await resultOf('BETWEENNESS', { maxResults: 1 })).results).toEqual([score(2, 7)]);
    expect((await resultOf('BETWEENNESS', { parameters: { Samples: 2, Seed: 5 } })).results).toHaveLength(7);
  });

  it('takes member names in any case, quoted numbers, nulls for defaults, and an empty direction', async () => {
    const named = await resultOf('DEGREE', { MAXRESULTS: '1', Direction: '', epsilon: null, vertexLabel: null });
    expect(named.results).toEqual([score(2, 3)]);
  });

  it('answers for another namespace under its name', async () => {
    expect((await service.call('PUT', '/ns/other')).status).toBe(201);
    const answer = await run('WCC', {}, '/ns/other');
    expect(answer.json).toMatchObject({ vertexCount: 0, results: [], partitions: null });
    expectProblem(await run('WCC', {}, '/ns/nowhere'), 404, 'Namespace not found');
  });

  it.runIf(isReal)('says what memory it took', async () => {
    expect(Number((await run('PAGERANK')).headers['x-memory-bytes'])).toBeGreaterThan(0);
  });
});

describe('an empty scope', () => {
  it.each(['PAGERANK', 'WCC', 'LABELPROPAGATION', 'DEGREE', 'TRIANGLECOUNT', 'LOUVAIN', 'BETWEENNESS'])(
    'is an empty list of results for %s',
    async (name) => {
      const result = await resultOf(name, { vertexLabel: 'nobody', writeBack: true });
      expect(result).toMatchObject({
        converged: true,
        iterationsRun: 0,
        vertexCount: 0,
        results: [],
        partitions: null,
      });
      expect(result.writeBack).toMatchObject({ verticesWritten: 0, chunks: 0 });
    },
  );

  it('has statistics of its own', async () => {
    expect((await resultOf('DEGREE', { vertexLabel: 'nobody' })).statistics).toEqual({ Min: 0, Max: 0, Mean: 0 });
    expect((await resultOf('WCC', { vertexLabel: 'nobody' })).statistics).toEqual({ ComponentCount: 0 });
    const more = { LABELPROPAGATION: { CommunityCount: 0 }, TRIANGLECOUNT: { TriangleCount: 0 }, PAGERANK: {} };
    for (const [name, statistics] of Object.entries(more))
      expect((await resultOf(name, { vertexLabel: 'nobody' })).statistics).toEqual(statistics);
  });
});

describe('a bad request', () => {
  const flaws: readonly object[] = [
    { direction: 'up' },
    { direction: 'OUT' },
    { maxResults: 0 },
    { maxResults: 10_001 },
    { maxResults: 1.5 },
    { maxIterations: -1 },
    { maxIterations: 10_001 },
    { epsilon: -1e-9 },
    { epsilon: 'small' },
    { timeBudgetSeconds: 0 },
    { timeBudgetSeconds: 0.001 },
    { timeBudgetSeconds: 300.5 },
    { parameters: { DampingFactor: 1.1 } },
    { parameters: { DampingFactor: -0.1 } },
    { parameters: { DampingFactor: 'much' } },
    { parameters: [1] },
    { writeBack: true, writeBackPropertyKey: ' ' },
    { writeBack: true, writeBackPropertyKey: 'k'.repeat(257) },
    { writeBack: true, writeBackPropertyKey: '$embedding:default' },
    { writeBack: 'yes' },
  ];

  it.each(flaws)('%j is 400, whatever the name', async (json) => {
    expectProblem(await run('WCC', json), 400);
    expectProblem(await run('NONE', json), 400);
    expectProblem(await partition('NONE', 0, json), 400);
  });

  it.each([
    ['LOUVAIN', { Resolution: 0 }],
    ['BFS', { Source: -1 }],
    ['SSSP', { Source: 0.5 }],
    ['BETWEENNESS', { Samples: 0.5 }],
    ['CLOSENESS', { Seed: 2 ** 32 }],
  ])('of %s has %j; an algorithm that does not know them ignores them', async (name, parameters) => {
    expectProblem(await run(name, { parameters }), 400, 'Bad Request');
    const { results } = await resultOf('PAGERANK', { parameters });
    expect(results).toEqual((await resultOf('PAGERANK')).results);
    expect((await partition('WCC', 0, { parameters })).status).toBe(200);
  });

  it.each([
    { maxResults: 1 },
    { maxResults: 10_000 },
    { maxIterations: 0 },
    { maxIterations: 10_000 },
    { epsilon: 0 },
    { timeBudgetSeconds: 1 },
    { timeBudgetSeconds: 300 },
    { parameters: { DampingFactor: 0 } },
    { parameters: { DampingFactor: 1 } },
    { offset: -1 },
    { writeBack: true, writeBackPropertyKey: 'k'.repeat(256) },
  ])('%j is none: it lies on the bound, or is of another endpoint', async (json) => {
    for (const name of ['PAGERANK', 'LABELPROPAGATION', 'WCC']) expectJson(await run(name, json));
  });

  it('is judged by its key only when it writes back', async () => {
    expect((await run('WCC', { writeBackPropertyKey: '' })).status).toBe(200);
  });

  it('has a body', async () => {
    expectProblem(await service.call('POST', '/analytics/WCC'), 400);
    expectProblem(await service.call('POST', '/analytics/WCC', { json: [] }), 400);
  });

  it('names a known algorithm in its case', async () => {
    expectProblem(await run('wcc'), 404);
    expectProblem(await run('NONE'), 404);
    expectProblem(await partition('NONE', 0), 404);
  });

  it('names a source in scope', async () => {
    await twoTriangles();
    expectProblem(await run('BFS'), 400);
    expectProblem(await run('SSSP', { parameters: { Source: 99 } }), 400);
    expectProblem(await run('BFS', { parameters: { Source: 7 } }), 400);
    expectProblem(await run('BFS', { vertexLabel: 'b', parameters: { Source: 0 } }), 400);
  });
});

describe('weights', () => {
  beforeAll(async () => {
    await erase(service);
    await createVertices(service, [{}, {}, {}]);
    const weight = (text: string, type = 'System.Double'): object => ({ properties: [property('w', text, type)] });
    await createEdges(service, [
      edge(0, 1, weight('5')),
      edge(0, 2, weight('1', 'System.Int32')),
      edge(2, 1),
      edge(1, 0, { edgePropertyId: 'bad', ...weight('heavy', 'System.String') }),
      edge(1, 2, { edgePropertyId: 'negative', ...weight('-1') }),
    ]);
  });

  it('are those of the named property, 1 where it is missing', async () => {
    const parameters = { Source: 0 };
    const scope = { parameters, edgePropertyId: 'to' };
    expect((await resultOf('SSSP', { ...scope, weightPropertyId: 'w' })).results).toEqual([
      score(1, 2),
      score(2, 1),
      score(0, 0),
    ]);
    expect((await resultOf('SSSP', scope)).statistics).toEqual({ ReachedCount: 3, Max: 1 });
  });

  it('of the wrong type, or negative, are 400 and name the edge', async () => {
    const spec = { parameters: { Source: 0 }, weightPropertyId: 'w' };
    expect(expectProblem(await run('SSSP', { ...spec, edgePropertyId: 'bad' }), 400).elementId).toBe(6);
    expect(expectProblem(await run('SSSP', { ...spec, edgePropertyId: 'negative' }), 400).elementId).toBe(7);
    expectProblem(await run('LOUVAIN', { weightPropertyId: 'w', edgePropertyId: 'negative' }), 400);
  });

  it('whose sum is no number are 400', async () => {
    const huge = { edgePropertyId: 'huge', properties: [property('w', '1E308', 'System.Double')] };
    await createEdges(service, [edge(0, 1, huge), edge(1, 2, huge)]);
    expectProblem(await run('LOUVAIN', { weightPropertyId: 'w', edgePropertyId: 'huge' }), 400, 'Bad Request');
    expect((await resultOf('LOUVAIN', { edgePropertyId: 'huge' })).statistics).toEqual({
      CommunityCount: 1,
      Modularity: 0,
    });
  });
});

describe('the members of a partition', () => {
  beforeAll(twoTriangles);

  it('come in pages, ascending', async () => {
    const first = await partition('WCC', 0, { maxResults: 4 });
    expect(expectJson(first)).toEqual({ partitionId: 0, size: 6, offset: 0, members: [0, 1, 2, 3] });
    const next = await partition('WCC', 0, { maxResults: 4, offset: 4 });
    expect(next.json).toEqual({ partitionId: 0, size: 6, offset: 4, members: [4, 5] });
    expect((await partition('WCC', 0, { offset: 40 })).json).toEqual({
      partitionId: 0,
      size: 6,
      offset: 40,
      members: [],
    });
    expect((await partition('LOUVAIN', 3)).json.members).toEqual([3, 4, 5]);
  });

  it('are 404 for a partition that the run did not make', async () => {
    expectProblem(await partition('WCC', 1), 404);
    expectProblem(await partition('WCC', -5), 404);
    expectProblem(await partition('WCC', 0, { vertexLabel: 'nobody' }), 404);
  });

  it('are checked in the order of the contract', async () => {
    expectProblem(await partition('NONE', 'x'), 400);
    expectProblem(await partition('NONE', 2 ** 31), 400);
    expectProblem(await partition('NONE', 0, { writeBack: true }), 400);
    expectProblem(await partition('NONE', 0, { offset: -1 }), 400);
    expectProblem(await partition('NONE', 0), 404);
    expectProblem(await partition('PAGERANK', 0), 400);
    expect((await partition('WCC', 0, { writeBack: false })).status).toBe(200);
  });
});

describe('write-back', () => {
  beforeAll(twoTriangles);

  const types: readonly [name: string, key: string, type: string, body: object][] = [
    ['PAGERANK', 'analytics.pagerank', 'System.Double', {}],
    ['WCC', 'analytics.wcc', 'System.Int32', {}],
    ['LABELPROPAGATION', 'analytics.community', 'System.Int32', {}],
    ['DEGREE', 'analytics.degree.both', 'System.UInt32', {}],
    ['DEGREE', 'analytics.degree.in', 'System.UInt32', { direction: 'in' }],
    ['DEGREE', 'analytics.degree.out', 'System.UInt32', { direction: 'out' }],
    ['TRIANGLECOUNT', 'analytics.triangles', 'System.Int64', {}],
    ['CLOSENESS', 'analytics.closeness', 'System.Double', {}],
    ['SCC', 'analytics.scc', 'System.Int32', {}],
    ['LOUVAIN', 'analytics.louvain', 'System.Int32', {}],
    ['KCORE', 'analytics.kcore', 'System.UInt32', {}],
    ['BETWEENNESS', 'analytics.betweenness', 'System.Double', {}],
    ['CLUSTERINGCOEFFICIENT', 'analytics.clusteringcoefficient', 'System.Double', {}],
  ];

  async function valueAt(id: number, key: string): Promise<{ type: string; value: string } | null> {
    const { properties } = (await service.call('GET', `/vertex/${id}`)).json as {
      properties: Record<string, string>[];
    };
    const found = properties.find(({ propertyId }) => propertyId === key);
    return found ? { type: found.fullQualifiedTypeName ?? '', value: found.propertyValue ?? '' } : null;
  }

  it.each(types)('of %s sets %s as %s', async (name, key, type, body) => {
    const result = await resultOf(name, { ...body, writeBack: true });
    expect(result.writeBack).toEqual({ propertyKey: key, verticesWritten: 7, chunks: 1 });
    const found = await valueAt(4, key);
    expect(found?.type).toBe(type);
    if (result.results !== null) {
      const row = (result.results as { graphElementId: number; score: number }[]).find(
        ({ graphElementId }) => graphElementId === 4,
      );
      expect(Number(found?.value)).toBe(row?.score);
    }
  });

  it('sets the key of the request, in scope only', async () => {
    const result = await resultOf('WCC', { vertexLabel: 'b', writeBack: true, writeBackPropertyKey: 'component' });
    expect(result.writeBack).toEqual({ propertyKey: 'component', verticesWritten: 3, chunks: 1 });
    expect(await valueAt(5, 'component')).toEqual({ type: 'System.Int32', value: '3' });
    expect(await valueAt(0, 'component')).toBeNull();
  });

  it('takes the value away from whom a later run does not reach', async () => {
    await resultOf('BFS', { direction: 'both', parameters: { Source: 0 }, writeBack: true });
    expect(await valueAt(4, 'analytics.bfs')).toEqual({ type: 'System.UInt32', value: '3' });
    const later = await resultOf('BFS', { vertexLabel: null, parameters: { Source: 5 }, writeBack: true });
    expect(later.writeBack).toEqual({ propertyKey: 'analytics.bfs', verticesWritten: 3, chunks: 1 });
    expect(await valueAt(0, 'analytics.bfs')).toBeNull();
    expect(await valueAt(4, 'analytics.bfs')).toEqual({ type: 'System.UInt32', value: '2' });
  });

  it('leaves results as they are on a graph that rests', async () => {
    const first = await resultOf('PAGERANK', { writeBack: true });
    const second = await resultOf('PAGERANK');
    expect(second.results).toEqual(first.results);
  });

  it('leaves out removed vertices', async () => {
    await resultOf('WCC');
    expect((await service.call('DELETE', `/graphelement/2${waited}`)).status).toBe(202);
    expect((await resultOf('WCC', { writeBack: true })).writeBack).toMatchObject({ verticesWritten: 6 });
    expect((await resultOf('WCC')).partitions).toEqual([part(3, 3), part(0, 2), part(6, 1)]);
  });
});

describe.runIf(isReal)('runs at once', () => {
  /** Paths of three vertices, on which undamped ranks go to and fro for ever. */
  async function swings(on: TestService, count: number): Promise<void> {
    const vertices = await createVertices(
      on,
      Array.from({ length: 3 * count }, () => ({})),
    );
    const edges = Array.from({ length: count }, (_, i) =>
      [0, 2].map((end) => [3 * i + 1, 3 * i + end] as const),
    ).flat();
    await createEdges(
      on,
      edges.map(([source, target]) => edge(vertices[source] as number, vertices[target] as number)),
    );
    // From here on threads have started, and time goes into rounds.
    const json = { ...endless, maxIterations: 1, timeBudgetSeconds: 60 };
    expect((await on.call('POST', '/analytics/PAGERANK', { json })).status).toBe(200);
  }
  const undamped = { direction: 'both', epsilon: 1e-300, parameters: { DampingFactor: 1 } };
  const endless = { ...undamped, maxIterations: 10_000, maxResults: 1 };

  /** A client of a run that takes ages, once the run has its place. */
  async function runAway(on: TestService): Promise<{ leave: () => void }> {
    while (true) {
      const client = request(`${on.url}/analytics/PAGERANK`, { method: 'POST' });
      client.on('error', () => {});
      client.end(JSON.stringify({ ...endless, timeBudgetSeconds: 300 }));
      let isRefused = false; // one that comes while a shorter run has the place
      client.on('response', (answer) => {
        answer.resume();
        isRefused = true;
      });
      while (!isRefused) {
        if ((await degree(on)).status === 429) return { leave: () => client.destroy() };
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }
  const degree = (on: TestService, prefix = ''): Promise<Answer> =>
    on.call('POST', `${prefix}/analytics/DEGREE`, { json: {} });

  it('are as many as the setting says, over all namespaces; the others are refused at once', {
    tags: ['long'],
  }, async () => {
    const few = await startService();
    await swings(few, 100_000);
    expect((await few.call('PUT', '/ns/second')).status).toBe(201);
    const { leave } = await runAway(few);
    const refused = await Promise.all(
      Array.from({ length: 15 }, (_, i) => degree(few, i % 2 === 0 ? '' : '/ns/second')),
    );
    for (const answer of refused) expectProblem(answer, 429, 'Analytics run slots exhausted');
    expectProblem(await few.call('POST', '/analytics/WCC/partition/0', { json: {} }), 429);
    leave();
    while ((await degree(few)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await degree(few, '/ns/second')).status).toBe(200);
    await few.stop();
  });

  it('end by their budget: 200 with complete rounds, otherwise 408', { tags: ['long'] }, async () => {
    const many = await startService({ 'Analytics:MaxConcurrentRuns': 16 });
    await swings(many, 150_000); // so many that no machine does all rounds within a second
    const json = { ...endless, timeBudgetSeconds: 1 };
    const ranks = await many.call('POST', '/analytics/PAGERANK', { json });
    expect(ranks.json).toMatchObject({ budgetExhausted: true, converged: false, vertexCount: 450_000 });
    expect(ranks.json.iterationsRun).toBeGreaterThan(0);
    await many.call('GET', '/ns/default/generate?nodeCount=30000&edgeCount=10');
    const centrality = { timeBudgetSeconds: 1 };
    const late = await many.call('POST', '/analytics/BETWEENNESS', { json: centrality });
    expectProblem(late, 408, 'Analytics budget exhausted');
    const few = { maxResults: 5, maxIterations: 10 };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => many.call('POST', '/analytics/PAGERANK', { json: few })),
    );
    for (const answer of answers) expect(answer.json.results).toEqual(answers[0]?.json.results);
    await many.stop();
  });

  it('need memory, and say so before they begin', async () => {
    const small = await startService({ 'Memory:MaxBytesPerNamespace': 64 * 2 ** 20 });
    await small.call('GET', '/ns/default/generate?nodeCount=100000&edgeCount=5');
    const answer = await small.call('POST', '/analytics/BETWEENNESS', { json: {} });
    const { neededBytes, freeBytes } = expectProblem(answer, 500, 'Memory limit reached');
    expect(neededBytes).toBeGreaterThan(freeBytes as number);
    expect((await small.call('POST', '/analytics/DEGREE', { json: {} })).status).toBe(200);
    await small.stop();
  });

  it('whose values no longer fit keep the chunks before, and say how many', { tags: ['long'] }, async () => {
    const small = await startService({ 'Memory:MaxBytesPerNamespace': 128 * 2 ** 20 });
    await small.call('GET', '/ns/default/generate?nodeCount=480000&edgeCount=1');
    const write = (key: string): Promise<Answer> =>
      small.call('POST', '/analytics/DEGREE', {
        json: { writeBack: true, writeBackPropertyKey: key, edgePropertyId: 'none', maxResults: 1 },
      });
    const written: number[] = [];
    while (written.length < 100) {
      const key = `key${written.length}`;
      const answer = await write(key);
      const { chunks, verticesWritten } =
        answer.status === 200
          ? answer.json.writeBack
          : expectProblem(answer, 500, 'Analytics write-back failed mid-way');
      written.push(verticesWritten as number);
      if (answer.status === 200) continue;
      expect(answer.json).toMatchObject({ propertyKey: key, verticesWritten: 50_000 * (chunks as number) });
      break;
    }
    // Until one did not fit all vertices had the value; of that one, those of its chunks, in ascending id.
    expect(written.slice(0, -1)).toEqual(Array.from({ length: written.length - 1 }, () => 480_000));
    const last = written.at(-1) as number;
    expect(last).toBeLessThan(480_000);
    expect(last).toBeGreaterThan(0); // else another limit is needed here
    for (const id of [0, last - 1, last, 479_999]) {
      const { properties } = (await small.call('GET', `/vertex/${id}`)).json as {
        properties: { propertyId: string }[];
      };
      const keys = properties.map(({ propertyId }) => propertyId);
      expect(keys).toHaveLength(id < last ? written.length : written.length - 1);
    }
    expect((await small.call('GET', '/vertex/count')).json).toBe(480_000);
    await small.stop();
  });
});

describe.runIf(isReal)('a service without threads', () => {
  it('answers every algorithm, statistics and the benchmark', async () => {
    const single = await startService({ 'Jobs:Threads': -1 });
    await single.call('GET', '/ns/default/generate?nodeCount=3000&edgeCount=4');
    const list = expectJson(await single.call('GET', '/analytics/algorithms')) as object;
    for (const name of Object.keys(list)) {
      const json = { parameters: { Source: 1, Samples: 20 }, writeBack: true, maxResults: 5 };
      const result = expectJson(await single.call('POST', `/analytics/${name}`, { json })) as Record<string, unknown>;
      expect(result).toMatchObject({ algorithm: name, vertexCount: 3000, writeBack: { chunks: 1 } });
    }
    expect((await single.call('GET', '/statistics')).json).toMatchObject({ edgeCount: 12_000, sampled: false });
    const sweep = await single.call('GET', '/ns/default/benchmark?iterations=3');
    expect(sweep.json).toMatchObject({ iterations: 3, edgesTraversed: 12_000 });
    await single.stop();
  });
});
