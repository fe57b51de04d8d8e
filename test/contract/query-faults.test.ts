// Searches that go wrong around the search itself: many fragments on one thread, time budgets where there are no threads, a namespace that
// is dropped meanwhile.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEdges, createVertices, expectJson, expectProblem } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const unlimited = { 'Security:SensitiveRateLimitPermitPerWindow': '100000' };
const never = 'return v => { while (true) { } };';
const neverInterpreted = 'return v => { var n = 0m; while (true) { n += 1m; } };';
/** Where no time passes while a fragment runs, it may have spent all that it may before its request's time is seen to be over. */
const isStanding = process.env.CONTRACT_CLOCK === 'standing';
const ends = [
  'The time budget is used up.',
  ...(isStanding ? ['The search spent all that Fragments:MaxFuel allows.'] : []),
];

/** 0 → 1, and 0 → 2 → 1. */
async function triangle(service: TestService, prefix = ''): Promise<void> {
  await createVertices(service, [{ label: 'A' }, { label: 'B' }, { label: 'C' }], prefix);
  const edge = (sourceVertex: number, targetVertex: number) => ({ sourceVertex, targetVertex, edgePropertyId: 'to' });
  await createEdges(service, [edge(0, 1), edge(0, 2), edge(2, 1)], prefix);
}

const find = (service: TestService, json: object, prefix = '') =>
  service.call('POST', `${prefix}/path/0/to/1`, { json });
const filtered = (vertexFilter: string) => ({ filter: { vertexFilter } });

describe.runIf(isReal)('one thread for searches', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ ...unlimited, 'Jobs:Threads': 1, 'Fragments:MaxCompileSeconds': 60 });
    await triangle(service);
  });
  afterAll(() => service?.stop());

  test('goes on running a fragment in steady use while it compiles many others', async () => {
    const steady = filtered('return v => v.Label != "steady";');
    // How many are kept is another test's affair (unit/fragment-runtime): here they come all at once.
    for (let round = 0; round < 3; round++) {
      expect(expectJson(await find(service, steady))).toHaveLength(1);
      const others = Array.from({ length: 30 }, (_, i) =>
        find(service, filtered(`return v => v.Label != "${30 * round + i}";`)),
      );
      for (const answer of await Promise.all(others)) expect(expectJson(answer)).toHaveLength(1);
    }
    expect(expectJson(await find(service, steady))).toHaveLength(1);
  });

  test('runs a fragment whose tree is too deep for the emitter', async () => {
    const arms = Array.from({ length: 4999 }, (_, i) => `${i} => true,`).join(' ');
    const answer = await find(service, filtered(`return v => v.Id switch { ${arms} _ => false };`));
    expect(expectJson(answer)).toHaveLength(1);
  });

  test('answers 404 to a search whose namespace is dropped meanwhile', async () => {
    expect((await service.call('PUT', '/ns/short')).status).toBe(201);
    await triangle(service, '/ns/short');
    const search = find(service, { ...filtered(never), timeBudgetSeconds: 30 }, '/ns/short');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await service.call('DELETE', '/ns/short')).status).toBe(204);
    expectProblem(await search, 404, 'Namespace not found');
  });
});

describe.runIf(isReal)('no threads', { tags: ['long'] }, () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ ...unlimited, 'Jobs:Threads': -1 });
    await triangle(service);
  });
  afterAll(() => service?.stop());

  test.each([never, neverInterpreted])('end %s with the budget of its request', async (fragment) => {
    const problem = expectProblem(
      await find(service, { ...filtered(fragment), timeBudgetSeconds: 0.1 }),
      408,
      'Path budget exhausted',
    );
    expect(ends).toContain(problem.detail);
    expect(expectJson(await find(service, {}))).toHaveLength(1);
  });

  test('end a search without fragments likewise', async () => {
    expect((await service.call('PUT', '/ns/dense')).status).toBe(201);
    expect((await service.call('GET', '/ns/dense/generate?nodeCount=400&edgeCount=40')).status).toBe(200);
    const json = { pathAlgorithmName: 'DIJKSTRA', timeBudgetSeconds: 0.1 };
    const answer = await service.call('POST', '/ns/dense/path/0/to/399', { json });
    expectProblem(answer, 408, 'Path budget exhausted');
  });
});

describe.runIf(isReal)('the time of a match', { tags: ['long'] }, () => {
  const loops = 'return v => { for (int i = 0; i < 10; i++) { } return true; };';
  test.each([0, -1])('ends it with Jobs:Threads %i, also where no fragment runs', async (threads) => {
    const settings = {
      'Jobs:Threads': threads,
      'Fragments:MaxSeconds': 1,
      'Subgraphs:MaxMatchSteps': Number.MAX_SAFE_INTEGER,
    };
    const service = await startService({ ...unlimited, ...settings });
    try {
      // Every vertex with every other: no path has one vertex more than there are, and to see that takes ages.
      await createVertices(
        service,
        Array.from({ length: 20 }, () => ({})),
      );
      const pairs = Array.from({ length: 400 }, (_, i) => ({ sourceVertex: i % 20, targetVertex: Math.floor(i / 20) }));
      await createEdges(
        service,
        pairs.map((pair) => ({ ...pair, edgePropertyId: 'to' })),
      );
      const hops = { type: 'VariableLengthEdge', minLength: 20, maxLength: 20 };
      for (const vertexFilter of [undefined, loops]) {
        const json = { name: 'long', patterns: [{ vertexFilter }, hops, {}] };
        const { detail } = expectProblem(await service.call('PUT', '/subgraph', { json }), 408, 'Request Timeout');
        expect(detail).toContain('Fragments:MaxSeconds');
      }
      const short = { name: 'long', patterns: [{}, { type: 'Edge' }, {}] };
      expect(expectJson(await service.call('PUT', '/subgraph', { json: short }), 201)).toMatchObject({
        edgeCount: 380,
      });
    } finally {
      await service.stop();
    }
  });
});
