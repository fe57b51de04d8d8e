// Contract part 1, Indexes: VectorIndex, explicit and bound, and the exact kNN scan.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { createEdges, createVertices, erase, expectJson, expectProblem, waited } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => erase(service));

const call = (method: string, path: string, json?: unknown): Promise<Answer> =>
  service.call(method, path, json === undefined ? {} : { json });

type Options = Readonly<Record<string, readonly [value: string, type: string]>>;

function create(uniqueId: string, options: Options, pluginType = 'VectorIndex'): Promise<Answer> {
  const pluginOptions = Object.fromEntries(
    Object.entries(options).map(([name, [propertyValue, fullQualifiedTypeName]]) => {
      return [name, { propertyId: name, propertyValue, fullQualifiedTypeName }];
    }),
  );
  return call('POST', '/index', { uniqueId, pluginType, pluginOptions });
}

const int = (value: number) => [String(value), 'System.Int32'] as const;
const text = (value: string) => [value, 'System.String'] as const;

async function created(uniqueId: string, options: Options): Promise<void> {
  expect(expectJson(await create(uniqueId, options))).toBe(true);
}

const add = (index: string, graphElementId: number, vector: unknown) =>
  call('PUT', `/index/vector/${index}`, { graphElementId, vector });
const scan = (indexId: string, query: unknown, k: number, rest: object = {}) =>
  call('POST', '/scan/index/vector', { indexId, query, k, ...rest });
const embed = (id: number, name: string, vector: number[]) =>
  call('PUT', `/graphelement/${id}/embedding/${name}${waited}`, { vector });

async function found(indexId: string, query: number[], k = 10, rest: object = {}): Promise<number[]> {
  const { results } = expectJson(await scan(indexId, query, k, rest)) as { results: { graphElementId: number }[] };
  return results.map(({ graphElementId }) => graphElementId);
}

interface Listed {
  readonly indexId: string;
}

async function listed(indexId: string): Promise<Listed | undefined> {
  const { indices } = expectJson(await call('GET', '/status')) as { indices: Listed[] };
  return indices.find((index) => index.indexId === indexId);
}

describe('creation', () => {
  test('takes a dimension from 1 to 4096, a metric, an embedding name and a model', async () => {
    await created('least', { dimension: int(1) });
    await created('most', { dimension: int(4096), metric: text('L2'), embeddingName: text('e'), model: text('m\nn') });
    expect(await listed('least')).toEqual({
      ...{ indexId: 'least', pluginType: 'VectorIndex', embeddingName: null, model: null },
      ...{ capabilities: ['vector'], keys: 0, values: 0 },
    });
    expect(await listed('most')).toMatchObject({ embeddingName: 'e', model: 'm\nn' });
  });

  test('takes a dimension that comes as a text', async () => {
    await created('i', { dimension: text(' 3 ') });
    const [a = -1] = await createVertices(service, [{}]);
    expect(expectJson(await add('i', a, [1, 2, 3]))).toBe(true);
    expectProblem(await add('i', a, [1, 2]), 400);
  });

  test.each<[string, Options]>([
    ['no dimension', {}],
    ['dimension 0', { dimension: int(0) }],
    ['dimension 4097', { dimension: int(4097) }],
    ['a negative dimension', { dimension: int(-1) }],
    ['a dimension that is no number', { dimension: text('three') }],
    ['a dimension of a fraction', { dimension: text('2.5') }],
    ['a dimension in other letters', { Dimension: int(3) }],
    ['an unknown metric', { dimension: int(3), metric: text('cosine') }],
    ['a metric that is a number', { dimension: int(3), metric: int(1) }],
    ['a bad embedding name', { dimension: int(3), embeddingName: text('a b') }],
    ['an empty embedding name', { dimension: int(3), embeddingName: text('') }],
    ['a model that is a number', { dimension: int(3), model: int(1) }],
  ])('answers false for %s', async (_, options) => {
    expect(expectJson(await create('i', options))).toBe(false);
    expect(await listed('i')).toBeUndefined();
  });

  test('answers false for a name that is taken', async () => {
    await created('i', { dimension: int(3) });
    expect(expectJson(await create('i', { dimension: int(4) }))).toBe(false);
  });
});

describe('explicit vectors', () => {
  test('are one an element; adding again replaces', async () => {
    const [a = -1, b = -1] = await createVertices(service, [{}, {}]);
    await created('i', { dimension: int(2), metric: text('L2') });
    expect(expectJson(await add('i', a, [0, 0]))).toBe(true);
    expect(expectJson(await add('i', b, [1, 0]))).toBe(true);
    expect(await found('i', [2, 0])).toEqual([b, a]);
    expect(expectJson(await add('i', a, [2, 0]))).toBe(true);
    expect(expectJson(await scan('i', [2, 0], 5))).toEqual({
      metric: 'L2',
      higherIsBetter: false,
      results: [
        { graphElementId: a, score: 0 },
        { graphElementId: b, score: 1 },
      ],
    });
    expect(await listed('i')).toMatchObject({ keys: 2, values: 2 });
    expect(expectJson(await call('DELETE', `/index/i/${a}`))).toBe(true);
    expect(await found('i', [2, 0])).toEqual([b]);
  });

  test('may come from a property, read once', async () => {
    const [a = -1] = await createVertices(service, [{}]);
    await embed(a, 'source', [3, 4]);
    await created('i', { dimension: int(2), metric: text('DotProduct') });
    const body = { graphElementId: a, propertyId: '$embedding:source' };
    expect(expectJson(await call('PUT', '/index/vector/i', body))).toBe(true);
    await embed(a, 'source', [0, 0]);
    expect(expectJson(await scan('i', [1, 1], 1))).toMatchObject({ results: [{ graphElementId: a, score: 7 }] });
  });

  test('are refused with the codes of the contract, in its order', async () => {
    const property = { propertyId: 'text', propertyValue: 'x', fullQualifiedTypeName: 'System.String' };
    const [a = -1] = await createVertices(service, [{ properties: [property] }]);
    await created('i', { dimension: int(2) });
    await created('bound', { dimension: int(2), embeddingName: text('e') });
    await create('other', {}, 'DictionaryIndex');
    expectProblem(await add('nothing', 99, [1]), 404);
    expectProblem(await add('other', 99, [1]), 400);
    expectProblem(await add('bound', 99, [1]), 400);
    expectProblem(await add('i', 99, [1]), 404);
    const both = { graphElementId: a, vector: [1, 2], propertyId: 'text' };
    expectProblem(await call('PUT', '/index/vector/i', both), 400);
    // The id counts as 0 when it is missing, and a blank index is none.
    expectProblem(await call('PUT', '/index/vector/i', { vector: [1] }), 400, 'Bad Request');
    expectProblem(await call('POST', '/scan/index/vector', { indexId: ' ', query: [1, 2], k: 1 }), 400);
    expectProblem(await call('PUT', '/index/vector/i', { graphElementId: a }), 400);
    expectProblem(await call('PUT', '/index/vector/i', { graphElementId: a, propertyId: 'text' }), 400);
    expectProblem(await call('PUT', '/index/vector/i', { graphElementId: a, propertyId: 'missing' }), 400);
    for (const vector of [[], [1], [1, 2, 3], [1, 1e39], [0, 0], ['x', 1], 'x']) {
      expectProblem(await add('i', a, vector), 400);
    }
    expect(await listed('i')).toMatchObject({ values: 0 });
  });

  test('cannot be backfilled or addressed as keys, and a typed key is passed over', async () => {
    const [a = -1] = await createVertices(service, [{}]);
    await created('i', { dimension: int(2) });
    expectProblem(await call('POST', '/index/backfill/i', { propertyId: 'x' }), 400);
    const key = { propertyId: 'x', propertyValue: '1', fullQualifiedTypeName: 'System.Int32' };
    expect(expectJson(await call('PUT', '/index/i', { graphElementId: a, key }))).toBe(true);
    expect(expectJson(await call('DELETE', '/index/i/propertyValue', key))).toBe(false);
    expect(await listed('i')).toMatchObject({ values: 0 });
  });
});

describe('the scan', () => {
  test('orders by score, ties by id, with each metric its own way', async () => {
    const ids = await createVertices(service, [{}, {}, {}, {}]);
    const vectors = [
      [1, 0],
      [2, 0],
      [0, 3],
      [2, 0],
    ];
    const expected = {
      Cosine: [
        [0, 1, 3, 2],
        [1, 1, 1, 0],
      ],
      DotProduct: [
        [1, 3, 0, 2],
        [2, 2, 1, 0],
      ],
      L2: [
        [0, 1, 3, 2],
        [0, 1, 1, Math.fround(Math.sqrt(10))],
      ],
    } as const;
    for (const [metric, [order, scores]] of Object.entries(expected)) {
      await created(metric, { dimension: int(2), metric: text(metric) });
      for (const [i, vector] of vectors.entries()) await add(metric, ids[i] as number, vector);
      const answer = expectJson(await scan(metric, [1, 0], 4)) as {
        results: { graphElementId: number; score: number }[];
      };
      expect(answer).toMatchObject({ metric, higherIsBetter: metric !== 'L2' });
      expect(answer.results.map(({ graphElementId }) => graphElementId)).toEqual(order.map((i) => ids[i]));
      expect(answer.results.map(({ score }) => Math.fround(score))).toEqual(scores);
      expect(await found(metric, [1, 0], 2)).toEqual(order.slice(0, 2).map((i) => ids[i]));
    }
  });

  test('counts constraints before the best k', async () => {
    const [a = -1, b = -1] = await createVertices(service, [{ label: 'x' }, { label: 'X' }]);
    const [e = -1] = await createEdges(service, [
      { sourceVertex: a, targetVertex: b, edgePropertyId: 't', label: 'x' },
    ]);
    await created('i', { dimension: int(1), metric: text('DotProduct') });
    await add('i', a, [1]);
    await add('i', b, [2]);
    await add('i', e, [3]);
    expect(await found('i', [1], 1)).toEqual([e]);
    expect(await found('i', [1], 1, { kind: 'vertex' })).toEqual([b]);
    expect(await found('i', [1], 1, { kind: 'edge' })).toEqual([e]);
    expect(await found('i', [1], 1, { kind: 'vertex', label: 'x' })).toEqual([a]);
    expect(await found('i', [1], 3, { kind: null, label: 'x' })).toEqual([e, a]);
    expect(await found('i', [1], 3, { kind: '', label: 'nobody' })).toEqual([]);
  });

  test('refuses what it cannot answer', async () => {
    await created('i', { dimension: int(2) });
    await create('other', {}, 'RangeIndex');
    expectProblem(await scan('nothing', [1, 2], 1), 404);
    expectProblem(await scan('other', [1, 2], 1), 400);
    for (const k of [0, -1, 1025]) expectProblem(await scan('i', [1, 2], k), 400);
    expect(await found('i', [1, 2], 1)).toEqual([]);
    expect(await found('i', [1, 2], 1024)).toEqual([]);
    for (const query of [[], [1], [1, 2, 3], [0, 0], [1, 1e39], ['x'], null, 'x']) {
      expectProblem(await scan('i', query, 1), 400);
    }
    for (const kind of ['Vertex', 'node', 'constructor']) expectProblem(await scan('i', [1, 2], 1, { kind }), 400);
    expectProblem(await call('POST', '/scan/index/vector', { query: [1, 2], k: 1 }), 400);
  });
});

describe('a bound index', () => {
  const options = { dimension: int(2), metric: text('DotProduct'), embeddingName: text('e') };

  test('follows every write of the embedding, from its creation on', async () => {
    const [a = -1, b = -1, c = -1] = await createVertices(service, [{}, {}, {}]);
    await embed(a, 'e', [1, 1]);
    await embed(b, 'e', [1, 2, 3]);
    await created('i', options);
    expect(await found('i', [1, 1])).toEqual([a]);
    await embed(c, 'e', [5, 5]);
    await embed(c, 'other', [0, 0]);
    expect(await found('i', [1, 1])).toEqual([c, a]);
    expect(await listed('i')).toMatchObject({ embeddingName: 'e', keys: 2, values: 2 });
    await call('DELETE', `/graphelement/${c}/embedding/e${waited}`);
    expect(await found('i', [1, 1])).toEqual([a]);
    await call('DELETE', `/graphelement/${a}${waited}`);
    expect(await found('i', [1, 1])).toEqual([]);
  });

  test('refuses every write of its contents', async () => {
    const [a = -1] = await createVertices(service, [{}]);
    await created('i', options);
    const key = { propertyId: 'x', propertyValue: '1', fullQualifiedTypeName: 'System.Int32' };
    expectProblem(await add('i', a, [1, 1]), 400);
    expectProblem(await call('PUT', '/index/i', { graphElementId: a, key }), 400);
    expectProblem(await call('DELETE', `/index/i/${a}`), 400);
    expectProblem(await call('DELETE', '/index/i/propertyValue', key), 400);
    const filled = await call('POST', '/index/backfill/i', { propertyId: '$embedding:e' });
    expect(expectProblem(filled, 400).detail).toContain("the embedding 'e'");
    expect(expectJson(await call('DELETE', '/index/i'))).toBe(true);
  });

  test('is filled by an import, renumbered by a trim, and gone after an erase', async () => {
    await created('gone', options);
    await erase(service);
    expect(await listed('gone')).toBeUndefined();
    await created('i', options);
    const vertex = (id: number, value: string) =>
      JSON.stringify({
        type: 'vertex',
        id,
        creationDate: 1,
        properties: { '$embedding:e': { type: 'System.Single[]', value } },
      });
    const lines = [
      '{"type":"meta","format":"service-jsonl","version":2}',
      vertex(1, '1,1'),
      vertex(2, '2,2'),
      vertex(3, '3,3'),
    ];
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await service.call('POST', '/bulk/import', { body: `${lines.join('\n')}\n`, headers });
    expect(imported.status, imported.text).toBe(200);
    expect(await found('i', [1, 1])).toEqual([2, 1, 0]);
    await call('DELETE', `/graphelement/1${waited}`);
    expect((await call('HEAD', '/trim')).status).toBe(200);
    expect(await found('i', [1, 1])).toEqual([1, 0]);
  });
});

describe('many searches at once', () => {
  test('over an index large enough for several threads answer as one after the other', { tags: ['long'] }, async () => {
    const count = 20_000;
    const dimension = 128;
    const component = (seed: number, i: number) => Math.round(1000 * Math.sin(seed * 1.37 + i * i)) / 1000;
    const vectorOf = (seed: number) => Array.from({ length: dimension }, (_, i) => component(seed, i));
    await created('bound', { dimension: int(dimension), embeddingName: text('e') });
    const lines = ['{"type":"meta","format":"service-jsonl","version":2}'];
    for (let id = 0; id < count; id++) {
      const properties = { '$embedding:e': { type: 'System.Single[]', value: vectorOf(id).join() } };
      lines.push(JSON.stringify({ type: 'vertex', id, creationDate: 1, properties }));
    }
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await service.call('POST', '/bulk/import', { body: `${lines.join('\n')}\n`, headers });
    expect(imported.status, imported.text).toBe(200);
    const queries = Array.from({ length: 20 }, (_, i) => vectorOf(i * 7));
    const alone: string[] = [];
    for (const query of queries) alone.push((await scan('bound', query, 10)).text);
    const together = await Promise.all(queries.map((query) => scan('bound', query, 10)));
    expect(together.map((answer) => answer.text)).toEqual(alone);
    expect(JSON.parse(alone[3] as string).results[0]).toMatchObject({ graphElementId: 21 });
  });
});
