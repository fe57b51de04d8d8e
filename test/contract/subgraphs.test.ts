// Contract part 2, Subgraph specification, its limits, transitions and errors, asked of the running service.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createEdges,
  createVertices,
  erase,
  expectEmpty,
  expectJson,
  expectProblem,
  property,
  waited,
} from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;

/** Three people (0..2), two cities (3, 4), who knows whom (5, 6), who lives where (7, 8, 9), a road (10). */
async function fill(prefix = ''): Promise<void> {
  const one = service;
  await createVertices(
    one,
    [
      {
        label: 'person',
        creationDate: 11,
        properties: [property('name', 'Ann'), property('age', '41', 'System.Int32')],
      },
      { label: 'person', properties: [property('name', 'Bob')] },
      { label: 'person', properties: [property('name', 'Cid')] },
      { label: 'city' },
      { label: 'city' },
    ],
    prefix,
  );
  await createEdges(
    one,
    [
      {
        sourceVertex: 0,
        targetVertex: 1,
        edgePropertyId: 'knows',
        label: 'old',
        properties: [property('since', '1990')],
      },
      { sourceVertex: 1, targetVertex: 2, edgePropertyId: 'knows' },
      { sourceVertex: 0, targetVertex: 3, edgePropertyId: 'lives' },
      { sourceVertex: 1, targetVertex: 3, edgePropertyId: 'lives' },
      { sourceVertex: 2, targetVertex: 4, edgePropertyId: 'lives' },
      { sourceVertex: 3, targetVertex: 4, edgePropertyId: 'road' },
    ],
    prefix,
  );
}

beforeAll(async () => {
  if (!isReal) return;
  service = await startService({
    'Security:SensitiveRateLimitPermitPerWindow': '100000',
    'Fragments:MaxSeconds': '2',
    // Hundreds of texts at once, however busy the machine is.
    'Fragments:MaxCompileSeconds': '60',
    'Fragments:MaxFuel': '50000000',
    'Subgraphs:MaxCount': '12',
    'Subgraphs:MaxElements': '11',
    'Subgraphs:MaxTotalElements': '40',
    'Subgraphs:MaxMatchSteps': '200000',
  });
  await fill();
});
afterAll(() => service?.stop());

const put = (json: unknown, query = '') => service.call('PUT', `/subgraph${query}`, { json });
const path = (name: string) => `/subgraph/${encodeURIComponent(name)}`;
const remove = (name: string) => service.call('DELETE', path(name));

interface Graph {
  readonly vertices: readonly { readonly id: number; readonly label: string | null; readonly properties: unknown }[];
  readonly edges: readonly {
    readonly id: number;
    readonly sourceVertex: number;
    readonly targetVertex: number;
    readonly edgePropertyId: string;
  }[];
}
const graphOf = async (name: string, query = '') =>
  expectJson(await service.call('GET', `${path(name)}/graph${query}`)) as Graph;

/** Counts of a subgraph that is made and removed again. */
async function countsOf(specification: object, query = ''): Promise<[number, number]> {
  const summary = expectJson(await put({ name: 'counted', ...specification }, query), 201) as Record<string, number>;
  expectEmpty(await remove('counted'), 204);
  return [summary.vertexCount as number, summary.edgeCount as number];
}

const isLabel = (label: string) => `return v => v.Label == "${label}";`;
const isType = (type: string) => `return t => t == "${type}";`;
const vertex = (filter?: string) => ({ type: 'Vertex', vertexFilter: filter });
const edge = (changes: object = {}) => ({ type: 'Edge', ...changes });
const hops = (minLength: number, maxLength: number, changes: object = {}) => ({
  ...{ type: 'VariableLengthEdge', minLength, maxLength },
  ...changes,
});

describe.runIf(isReal)('PUT /subgraph', () => {
  test('copies everything when nothing is asked, and answers the summary with its place', async () => {
    const additionalInformation = JSON.parse('{"why":"test","__proto__":"kept"}');
    const answer = await put({ name: 'all of it/ü', additionalInformation });
    const summary = expectJson(answer, 201) as Record<string, unknown>;
    expect(answer.headers.location).toBe(path('all of it/ü'));
    expect(summary).toEqual({
      name: 'all of it/ü',
      vertexCount: 5,
      edgeCount: 6,
      algorithmPluginName: 'Breadth First Search Subgraph Algorithm',
      sourceGraphId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      canRecalculate: true,
      additionalInformation,
    });
    expect(answer.text).toContain('{"why":"test","__proto__":"kept"}');
    expect(expectJson(await service.call('GET', path('all of it/ü')))).toEqual(summary);
    const whole = expectJson(await service.call('GET', '/graph')) as Graph;
    expect(await graphOf('all of it/ü')).toEqual(whole);
    expectEmpty(await remove('all of it/ü'), 204);
    expectProblem(await service.call('GET', path('all of it/ü')), 404, 'Not Found');
  });

  test('of nothing is empty, as often as it is asked for', async () => {
    const empty = '/ns/empty';
    expectJson(await service.call('PUT', empty), 201);
    for (let i = 0; i < 16; i++) {
      const json = { name: 'none', vertexFilter: isLabel('x') };
      const answer = await service.call('PUT', `${empty}/subgraph`, { json });
      expect(expectJson(answer, 201)).toMatchObject({ vertexCount: 0, edgeCount: 0 });
      expectEmpty(await service.call('DELETE', `${empty}/subgraph/none`), 204);
    }
    expectEmpty(await service.call('DELETE', empty), 204);
  });

  test('copies deeply: properties, dates, embeddings and adjacency are the subgraph’s own', async () => {
    const embedding = await service.call('PUT', `/graphelement/0/embedding/default${waited}`, {
      json: { vector: [1, 0] },
    });
    expect(embedding.status).toBeLessThan(300);
    expectJson(await put({ name: 'people', vertexFilter: isLabel('person') }), 201);
    const { vertices, edges } = await graphOf('people');
    expect(vertices.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(edges.map(({ id, sourceVertex, targetVertex }) => [id, sourceVertex, targetVertex])).toEqual([
      [3, 0, 1],
      [4, 1, 2],
    ]);
    const original = expectJson(await service.call('GET', '/vertex/0')) as Record<string, unknown>;
    expect({ ...vertices[0], outEdges: null }).toEqual({ ...original, outEdges: null });
    expectEmpty(await remove('people'), 204);
  });

  test('keeps what lies on a matching path', async () => {
    expect(await countsOf({ patterns: [vertex(isLabel('city'))] })).toEqual([2, 0]);
    expect(await countsOf({ patterns: [vertex(isLabel('person')), edge(), vertex(isLabel('city'))] })).toEqual([5, 3]);
    expect(await countsOf({ patterns: [vertex(), edge({ edgePropertyFilter: isType('knows') }), vertex()] })).toEqual([
      3, 2,
    ]);
    expect(await countsOf({ patterns: [edge({ edgePropertyFilter: isType('road') }), vertex()] })).toEqual([2, 1]);
    expect(await countsOf({ patterns: [edge({ direction: 'in' }), vertex(isLabel('person'))] })).toEqual([5, 5]);
    const [ann, bob] = ['Ann', 'Bob'].map(
      (name) => `return v => v.TryGetProperty<string>(out var n, "name") && n == "${name}";`,
    );
    expect(await countsOf({ patterns: [vertex(ann), edge({ direction: ' UNDIRECTED ' }), vertex(bob)] })).toEqual([
      2, 1,
    ]);
    expect(await countsOf({ patterns: [vertex(bob), edge({ direction: 'IncomingEdge' }), vertex()] })).toEqual([2, 1]);
    expect(await countsOf({ patterns: [vertex(bob), edge(), vertex(ann)] })).toEqual([0, 0]);
  });

  test('walks edges of variable length, along simple paths only', async () => {
    const knows = { edgePropertyFilter: isType('knows') };
    const ann = 'return v => v.Id == 0;';
    expect(await countsOf({ patterns: [vertex(ann), hops(1, 2, knows), vertex()] })).toEqual([3, 2]);
    expect(await countsOf({ patterns: [vertex(ann), hops(2, 2, knows), vertex()] })).toEqual([3, 2]);
    expect(await countsOf({ patterns: [vertex(ann), hops(0, 0, knows), vertex()] })).toEqual([1, 0]);
    expect(await countsOf({ patterns: [vertex(ann), hops(3, 100, knows), vertex()] })).toEqual([0, 0]);
    expect(await countsOf({ patterns: [vertex(), hops(5, 5, { direction: 'Undirected' }), vertex()] })).toEqual([0, 0]);
    expect(await countsOf({ patterns: [vertex(), hops(4, 4, { direction: 'Undirected' }), vertex()] })).toEqual([5, 6]);
  });

  test('applies the top-level filters first', async () => {
    const patterns = [vertex(), edge(), vertex()];
    expect(await countsOf({ vertexFilter: isLabel('person'), patterns })).toEqual([3, 2]);
    expect(await countsOf({ edgeFilter: 'return e => e.Label == "old";' })).toEqual([5, 1]);
    expect(await countsOf({ edgeFilter: 'return e => e.EdgePropertyId == "road";', patterns })).toEqual([2, 1]);
    expect(await countsOf({ vertexFilter: 'return v => false;', edgeFilter: null, patterns })).toEqual([0, 0]);
    expect(await countsOf({ vertexFilter: '  ', patterns: [] })).toEqual([5, 6]);
  });

  test('asks the type filter before the edge filter', async () => {
    const throwing =
      'return e => { if (e.EdgePropertyId != "road") { int zero = 0; return 1 / zero > 0; } return true; };';
    const road = edge({ edgePropertyFilter: isType('road'), edgeFilter: throwing });
    expect(await countsOf({ patterns: [vertex(), road, vertex()] })).toEqual([2, 1]);
  });

  test('takes 200 steps and names of every plane', async () => {
    const steps = Array.from({ length: 100 }, (_, i) => [
      vertex(i % 2 === 0 ? undefined : `return v => v.Id != ${-i};`),
      hops(0, 1, { edgeFilter: `return e => e.Id != ${-i};`, edgePropertyFilter: `return t => t != "${i}";` }),
    ]).flat();
    expect(await countsOf({ patterns: [...steps, vertex()] })).toEqual([5, 6]);
    for (const name of [
      'a b',
      'Zoë',
      '漢字',
      '\u{1F600}',
      '\u{2F81A}',
      '\u{E0041}',
      '\u{F0000}',
      '\u{10FFFD}',
      '%2F',
      '?#',
    ]) {
      const answer = await put({ name, vertexFilter: 'return v => false;' });
      expectJson(answer, 201);
      expect(answer.headers.location).toBe(path(name));
      expect(expectJson(await service.call('GET', '/subgraph'))).toEqual([name]);
      expectEmpty(await remove(name), 204);
    }
    expectProblem(await put({ name: '\ud800' }), 400);
    expectProblem(await put({ name: '..' }), 400);
  });

  test('refuses what is no pattern', async () => {
    const bad = [
      [vertex(), vertex()],
      [vertex(), edge()],
      [edge()],
      [edge(), edge(), vertex()],
      [hops(1, 2), vertex()],
      [vertex(), hops(1, 101), vertex()],
      [vertex(), hops(3, 2), vertex()],
      [vertex(), hops(-1, 2), vertex()],
      [vertex(), edge({ direction: 'sideways' }), vertex()],
      [{ type: 'Hyperedge' }],
      [vertex('return v => v.Nothing;')],
      [vertex('return'), edge(), vertex()],
    ];
    for (const patterns of bad) expectProblem(await put({ name: 'bad', patterns }), 400, 'Bad Request');
    const { detail } = expectProblem(await put({ name: 'bad', patterns: [vertex('return v => v.Nothing;')] }), 400);
    expect(detail).toContain('CS1061');
    for (const body of ['[]', '{', '{"name":""}', '{}', '{"name":"x","patterns":3}']) {
      expectProblem(
        await service.call('PUT', '/subgraph', { body, headers: { 'content-type': 'application/json' } }),
        400,
      );
    }
    expectProblem(await put({ name: 'x', storedQuery: 'nope' }), 404);
    expectProblem(await put({ name: 'x', storedQuery: 'nope', vertexFilter: isLabel('a') }), 400);
    expectProblem(await put({ name: 'x', storedQuery: 'nope', semantic: { queryVector: [1] } }), 400);
    expectProblem(await put({ name: 'x', additionalInformation: { a: 1 } }), 400);
    const step = { type: 'Vertex', vertexFilter: ' '.repeat(100_001) };
    const blank = expectProblem(await put({ name: 's', patterns: [step] }), 400);
    expect(blank.detail).toContain('patterns[0].vertexFilter (1,1): error F8LIMIT');
    expectProblem(await put({ name: 'x'.repeat(1_100_000) }), 413);
    const { detail: algorithms } = expectProblem(await put({ name: 'x', algorithm: 'Depth First' }), 400);
    expect(algorithms).toContain('Breadth First Search Subgraph Algorithm');
    expect(expectJson(await service.call('GET', '/subgraph'))).toEqual([]);
  });

  test('checks in the order of the reference', async () => {
    expectJson(await put({ name: 'first', vertexFilter: isLabel('city') }), 201);
    const text = { queryText: 'x' };
    expectProblem(await put({ name: 'first', semantic: text }), 403);
    expectProblem(await put({ name: 'first', algorithm: 'none' }, '?fromSubGraph=none'), 409, 'Conflict');
    expectProblem(await put({ name: 'second', algorithm: 'none' }, '?fromSubGraph=none'), 404, 'Not Found');
    expectProblem(await put({ name: 'second', algorithm: 'none', storedQuery: 'none' }), 400);
    expectProblem(await put({ name: 'second', vertexFilter: 'return' }, '?fromSubGraph=first'), 400);
    expectEmpty(await remove('first'), 204);
  });

  test('registers nothing when a filter throws or never ends', async () => {
    const throws = 'return v => v.OutEdges["nothing"].Count > 0 && v.OutEdges.Count > 7;';
    expectProblem(await put({ name: 'x', vertexFilter: throws }), 500, 'Internal Server Error');
    expectProblem(await put({ name: 'x', patterns: [vertex(throws)] }), 500);
    expectProblem(await put({ name: 'x', vertexFilter: 'return v => { while (true) { } };' }), 408, 'Request Timeout');
    expectProblem(await put({ name: 'x', patterns: [vertex('return v => { while (true) { } };')] }), 408);
    expect(expectJson(await service.call('GET', '/subgraph'))).toEqual([]);
  });

  test('takes a semantic block, frozen in the recipe', async () => {
    for (const [id, vector] of [
      [0, [1, 0]],
      [1, [0.6, 0.8]],
      [2, [0, 1]],
    ] as const) {
      await service.call('PUT', `/graphelement/${id}/embedding/default${waited}`, { json: { vector } });
    }
    const queryVector = [1, 0];
    const knows = edge({ edgePropertyFilter: isType('knows') });
    const step = (semanticMinScore: number) => ({ type: 'Vertex', patternName: 'near', semanticMinScore });
    expect(await countsOf({ semantic: { queryVector, minScore: 0.5 } })).toEqual([2, 1]);
    expect(await countsOf({ semantic: { queryVector, minScore: 0.9, metric: 'L2' } })).toEqual([2, 1]);
    expect(await countsOf({ semantic: { queryVector }, patterns: [step(0.9), knows, vertex()] })).toEqual([2, 1]);
    expect(await countsOf({ semantic: { queryVector }, patterns: [step(0.5), knows, step(0.9)] })).toEqual([0, 0]);
    const fragment = 'return v => context.TrySimilarity(v, out var s) && s > 0.5f;';
    expect(await countsOf({ semantic: { queryVector }, vertexFilter: fragment })).toEqual([2, 1]);
    const answer = await put({ name: 'near', semantic: { queryVector }, patterns: [step(0.5), knows, step(0.25)] });
    expect((expectJson(answer, 201) as { semantic: unknown }).semantic).toEqual({
      ...{ embeddingName: 'default', metric: 'Cosine', dimension: 2, queryText: null, minScore: null },
      patternThresholds: [
        { pattern: 'near', minScore: 0.5 },
        { pattern: 'near', minScore: 0.25 },
      ],
    });
    expectEmpty(await remove('near'), 204);
  });

  test('refuses what a semantic block may not stand beside', async () => {
    const semantic = { queryVector: [1, 0] };
    const bad = [
      { semantic: { ...semantic, minScore: 0.5 }, vertexFilter: isLabel('a') },
      { semantic: { ...semantic, costBySimilarity: true } },
      { semantic, patterns: [{ vertexFilter: isLabel('a'), semanticMinScore: 0.5 }] },
      { semantic, patterns: [vertex(), edge({ semanticMinScore: 0.5 }), vertex()] },
      { patterns: [{ semanticMinScore: 0.5 }] },
      { semantic: {} },
      { semantic: { queryVector: [] } },
      { semantic: { queryVector: [0, 0] } },
      { semantic: { queryVector: [1], queryText: 'a' } },
      { semantic: { queryVector: [1], metric: 'cosine' } },
      { semantic: { queryVector: [1], embeddingName: 'a b' } },
    ];
    for (const body of bad) expectProblem(await put({ name: 'x', ...body }), 400);
  });
});

describe.runIf(isReal)('a registered subgraph', () => {
  test('is read in pages of at most maxElements, in ids of its own', async () => {
    expectJson(await put({ name: 'cities', vertexFilter: isLabel('city') }), 201);
    expect(await graphOf('cities')).toMatchObject({ vertices: [{ id: 0 }, { id: 1 }], edges: [{ id: 2 }] });
    expect((await graphOf('cities', '?maxElements=1')).vertices).toHaveLength(1);
    expect(await graphOf('cities', '?maxElements=0')).toEqual({ edges: [], vertices: [] });
    expect((await graphOf('cities', '?maxElements=999999999')).vertices).toHaveLength(2);
    expectProblem(await service.call('GET', '/subgraph/cities/graph?maxElements=x'), 400);
    expectProblem(await service.call('GET', '/subgraph/none/graph'), 404);
    expectProblem(await service.call('POST', '/subgraph/none/recalculate'), 404);
    expectProblem(await remove('none'), 404);
    expectEmpty(await remove('cities'), 204);
  });

  test('nests, is recalculated in place, and keeps its contents when its source has gone', async () => {
    const prefix = '/ns/nesting';
    expectJson(await service.call('PUT', prefix), 201);
    await fill(prefix);
    const at = (name: string, rest = '') => `${prefix}/subgraph/${name}${rest}`;
    const make = (json: unknown, query = '') => service.call('PUT', `${prefix}/subgraph${query}`, { json });
    const counts = async (name: string) => {
      const { vertexCount, edgeCount } = expectJson(await service.call('GET', at(name))) as Record<string, number>;
      return [vertexCount, edgeCount];
    };
    const made = await make({ name: 'people', vertexFilter: isLabel('person') });
    const parent = expectJson(made, 201) as Record<string, string>;
    expect(made.headers.location).toBe(at('people'));
    const child = { name: 'ends', patterns: [vertex(), edge(), vertex('return v => v.Id == 1;')] };
    const nested = expectJson(await make(child, '?fromSubGraph=people'), 201) as Record<string, string>;
    expect(nested).toMatchObject({ vertexCount: 2, edgeCount: 1 });
    expect(nested.sourceGraphId).not.toBe(parent.sourceGraphId);
    // A new person who knows Bob: the parent sees her when recalculated, the child only when it is itself.
    const [dora] = await createVertices(service, [{ label: 'person' }], prefix);
    await createEdges(service, [{ sourceVertex: dora, targetVertex: 1, edgePropertyId: 'knows' }], prefix);
    expect(await counts('people')).toEqual([3, 2]);
    expect(expectJson(await service.call('POST', at('people', '/recalculate')))).toMatchObject({
      ...parent,
      vertexCount: 4,
      edgeCount: 3,
    });
    expect(await counts('ends')).toEqual([2, 1]);
    expect(expectJson(await service.call('POST', at('ends', '/recalculate')))).toMatchObject({
      ...nested,
      vertexCount: 3,
      edgeCount: 2,
    });
    // Erasing and trimming the namespace's graph leaves subgraphs alone.
    expect((await service.call('HEAD', `${prefix}/trim`)).status).toBeLessThan(300);
    await erase(service, prefix);
    expect(await counts('people')).toEqual([4, 3]);
    expectEmpty(await service.call('DELETE', at('people')), 204);
    expect(await counts('ends')).toEqual([3, 2]);
    expectProblem(await service.call('POST', at('ends', '/recalculate')), 409, 'Conflict');
    expect(await counts('ends')).toEqual([3, 2]);
    expectEmpty(await service.call('DELETE', prefix), 204);
    expectProblem(await service.call('GET', at('ends')), 404, 'Namespace not found');
  });

  test('meets the quotas exactly', async () => {
    // 11 elements are the most of one, 40 of all, 12 subgraphs.
    for (const name of ['a', 'b', 'c']) expectJson(await put({ name }), 201);
    const lives = [vertex(), edge({ edgePropertyFilter: isType('lives') }), vertex()];
    expectProblem(await put({ name: 'd', patterns: lives }), 409, 'Conflict'); // 33 and 8
    expectJson(await put({ name: 'd', vertexFilter: isLabel('person') }), 201); // 38
    expectProblem(await put({ name: 'e', vertexFilter: isLabel('city') }), 409, 'Conflict'); // 41
    expectJson(await put({ name: 'e', vertexFilter: isLabel('city'), edgeFilter: 'return e => false;' }), 201); // 40
    expectProblem(await put({ name: 'f', patterns: [vertex('return v => v.Id == 0;')] }), 409);
    expectJson(await put({ name: 'g', vertexFilter: 'return v => false;' }), 201); // 0 elements
    // One element more in the source is one above what a subgraph may have.
    const [added] = await createVertices(service, [{ label: 'other' }]);
    const before = await graphOf('a');
    expectProblem(await service.call('POST', '/subgraph/a/recalculate'), 409, 'Conflict');
    expect(await graphOf('a')).toEqual(before);
    expect((await service.call('DELETE', `/graphelement/${added}${waited}`)).status).toBeLessThan(300);
    expectJson(await service.call('POST', '/subgraph/a/recalculate'));
    for (const name of ['h', 'i', 'j', 'k', 'l', 'm']) {
      expectJson(await put({ name, vertexFilter: 'return v => false;' }), 201);
    }
    const { detail } = expectProblem(await put({ name: 'n', vertexFilter: 'return v => false;' }), 409);
    expect(detail).toContain('12');
    expectProblem(await put({ name: 'n', algorithm: 'none' }), 409);
    for (const name of expectJson(await service.call('GET', '/subgraph')) as string[])
      expectEmpty(await remove(name), 204);
  });

  test('is made once when two ask for it at once, and can be recalculated twice and deleted meanwhile', async () => {
    const both = await Promise.all([put({ name: 'twin' }), put({ name: 'twin' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const slow = { name: 'slow', vertexFilter: 'return v => { for (int i = 0; i < 2000000; i++) { } return true; };' };
    expectJson(await put(slow, '?fromSubGraph=twin'), 201);
    const again = () => service.call('POST', '/subgraph/slow/recalculate');
    const twice = await Promise.all([again(), again()]);
    for (const answer of twice) expect(expectJson(answer)).toMatchObject({ vertexCount: 5, edgeCount: 6 });
    const [recalculated, deleted] = await Promise.all([again(), remove('twin')]);
    expectEmpty(deleted, 204);
    expect([200, 409]).toContain(recalculated.status);
    expect((await graphOf('slow')).vertices).toHaveLength(5);
    const [late, gone] = await Promise.all([again(), remove('slow')]);
    expectEmpty(gone, 204);
    expect([404, 409]).toContain(late.status);
    expect(expectJson(await service.call('GET', '/subgraph'))).toEqual([]);
  });

  test('says which limit a pattern met', async () => {
    const prefix = '/ns/dense';
    expectJson(await service.call('PUT', prefix), 201);
    await createVertices(
      service,
      Array.from({ length: 15 }, () => ({})),
      prefix,
    );
    const all = Array.from({ length: 15 }, (_, i) => i);
    const edges = all.flatMap((i) => all.map((j) => ({ sourceVertex: i, targetVertex: j, edgePropertyId: 'x' })));
    await createEdges(service, edges, prefix);
    const patterns = [vertex(), hops(15, 15), vertex()];
    const answer = await service.call('PUT', `${prefix}/subgraph`, { json: { name: 'long', patterns } });
    expect(expectProblem(answer, 408, 'Request Timeout').detail).toContain('Subgraphs:MaxMatchSteps');
    expect(expectJson(await service.call('GET', `${prefix}/subgraph`))).toEqual([]);
    expectEmpty(await service.call('DELETE', prefix), 204);
  });

  test('is limited like every endpoint that takes code', async () => {
    const settings = { 'Security:SensitiveRateLimitPermitPerWindow': '1', 'Security:RateLimitWindowSeconds': '3600' };
    const limited = await startService(settings);
    try {
      expectJson(await limited.call('PUT', '/subgraph', { json: { name: 'one' } }), 201);
      expectProblem(await limited.call('PUT', '/subgraph', { json: { name: 'two' } }), 429);
      expectJson(await limited.call('POST', '/subgraph/one/recalculate'));
    } finally {
      await limited.stop();
    }
  });

  test('is built again from the graph that a restore puts in place', async () => {
    expectJson(await put({ name: 'parent', vertexFilter: isLabel('person') }), 201);
    expectJson(await put({ name: 'child' }, '?fromSubGraph=parent'), 201);
    const kept = await service.call('PUT', `/save${waited}`, { json: {} });
    expect(kept.status, kept.text).toBeLessThan(300);
    expect((kept.json as { kpis: { subGraphs: unknown } }).kpis.subGraphs).toEqual(['parent', 'child']);
    await erase(service);
    expect(expectJson(await service.call('POST', '/subgraph/parent/recalculate'))).toMatchObject({ vertexCount: 0 });
    expectEmpty(await remove('child'), 204);
    expectJson(await put({ name: 'later' }), 201);
    // The newest save game goes on with the log behind it; an older one is what it was.
    expect((await service.call('PUT', `/save${waited}`, { json: {} })).status).toBeLessThan(300);
    const { id } = kept.json as { id: string };
    const restored = await service.call('PUT', `/savegames/${id}/load${waited}`);
    expect(restored.status, restored.text).toBeLessThan(300);
    expect(expectJson(await service.call('GET', '/subgraph'))).toEqual(['child', 'parent']);
    expect(expectJson(await service.call('GET', '/subgraph/child'))).toMatchObject({ vertexCount: 3, edgeCount: 2 });
    expect((await graphOf('child')).vertices).toHaveLength(3);
  });

  test('is there after a restart, sources before what was taken from them', async () => {
    const name = 'from a stored query \u{1F600}';
    const subGraph = { patterns: [vertex(), edge({ edgePropertyFilter: isType('knows') }), vertex()] };
    expectJson(
      await service.call('POST', '/storedquery', { json: { name: 'knowing', kind: 'SubGraph', subGraph } }),
      201,
    );
    expectJson(await service.call('POST', '/storedquery', { json: { name: 'walk', kind: 'Path', path: {} } }), 201);
    expectProblem(await put({ name: 'x', storedQuery: 'walk' }), 400);
    expectProblem(await put({ name: 'x', storedQuery: 'knowing', patterns: [vertex()] }), 400);
    const additionalInformation = { a: 'b' };
    const made = await put({ name, storedQuery: 'knowing', additionalInformation }, '?fromSubGraph=child');
    const summary = expectJson(made, 201) as Record<string, unknown>;
    expect(summary).toMatchObject({ vertexCount: 3, edgeCount: 2, additionalInformation });
    // The recipe has what it needs of the stored query.
    expect((await service.call('DELETE', '/storedquery/knowing')).status).toBe(204);
    await service.restart();
    expect(expectJson(await service.call('GET', '/subgraph'))).toEqual(['child', name, 'parent']);
    expect(expectJson(await service.call('GET', path(name)))).toMatchObject({
      ...summary,
      sourceGraphId: expect.any(String),
    });
    expect((await graphOf(name)).edges).toHaveLength(2);
    for (const one of ['parent', 'child', name]) expectEmpty(await remove(one), 204);
    await service.restart();
    expect(expectJson(await service.call('GET', '/subgraph'))).toEqual([]);
  });
});
