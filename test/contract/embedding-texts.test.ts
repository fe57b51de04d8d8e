// Contract part 3, Embedding provider: texts into elements, searches by text, texts as vectors, and what a backend may do wrong. Backends are
// real HTTP servers that answer by script.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { type FakeProvider, json, never, type Reply, startProvider, status } from './support/provider.ts';
import { createVertices, erase, expectEmpty, expectJson, expectProblem, waited } from './support/requests.ts';
import { type ServiceSettings, startService, type TestService } from './support/service.ts';

const unavailable = 'Embedding provider unavailable';
const invalid = 'Embedding backend produced invalid output';
const stamp = 'words@2#3#Cosine';
const secret = 'nahil-key-0123456789';
const identity = {
  ...{
    'Embedding:Enabled': true,
    'Embedding:ModelName': 'words',
    'Embedding:ModelVersion': '2',
    'Embedding:Dimension': 3,
  },
  ...{ 'Security:SensitiveRateLimitPermitPerWindow': 100_000, 'Durability:Volatile': true },
};

let provider: FakeProvider;
let service: TestService;

const post = (path: string, body: unknown): Promise<Answer> => service.call('POST', path, { json: body });
const start = async (settings: ServiceSettings) => {
  service = await startService({ ...identity, ...settings });
};

/** The first letter decides where a text lies; `z` lies nowhere, others on the diagonal. */
const vectorOf = (text: string): number[] =>
  ({ a: [1, 0, 0], b: [0, 1, 0], c: [0, 0, 1], z: [0, 0, 0] })[text.replace(/^query: /, '').charAt(0)] ?? [
    0.5, 0.5, 0.5,
  ];
const embeds: Reply = (response, { body }) =>
  json({ embeddings: (body.input as string[]).map(vectorOf) })(response, {} as never);

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());
afterEach(() => {
  provider.received.length = 0;
});

describe('a provider of the Ollama protocol', () => {
  beforeAll(() =>
    start({
      ...{ 'Embedding:Backend': 'Ollama', 'Embedding:Ollama:Endpoint': provider.origin, 'Embedding:Ollama:Model': 'm' },
      ...{ 'Embedding:QueryPrefix': 'query: ', 'Embedding:MaxTextLength': 20, 'Embedding:MaxBatchSize': 4 },
      'Embedding:TimeoutSeconds': 2,
    }),
  );
  afterAll(() => service.stop());
  beforeEach(async () => {
    provider.on('/api/embed', embeds);
    await erase(service);
  });

  const index = (uniqueId: string, model?: string, dimension = '3') => {
    const text = (propertyValue: string) => ({ propertyValue, fullQualifiedTypeName: 'System.String' });
    const pluginOptions = {
      ...{
        dimension: { propertyValue: dimension, fullQualifiedTypeName: 'System.Int32' },
        embeddingName: text('default'),
      },
      ...(model === undefined ? {} : { model: text(model) }),
    };
    return post('/index', { uniqueId, pluginType: 'VectorIndex', pluginOptions });
  };
  const embeddingOf = (id: number) => service.call('GET', `/graphelement/${id}/embedding/default`);

  test('embeds into an element, with the stamp of the provider', async () => {
    await createVertices(service, [{}]);
    expect(expectJson(await post('/embedding/element', { graphElementId: 0, text: 'apple' }))).toBe(true);
    expect(provider.received[0]?.body).toEqual({ model: 'm', input: ['apple'], truncate: false });
    expect(expectJson(await embeddingOf(0))).toEqual({ name: 'default', vector: [1, 0, 0], model: stamp });
    expectEmpty(
      await service.call('PUT', `/graphelement/0/embedding/default${waited}`, { json: { vector: [1, 2, 3] } }),
      202,
    );
    expect(expectJson(await embeddingOf(0))).toMatchObject({ model: null });
  });

  test('embeds a batch in one call and one transaction, and searches it by text', async () => {
    await createVertices(service, [{}, {}, {}]);
    await index('v', stamp);
    const items = ['apple', 'bee', 'cat'].map((text, graphElementId) => ({ graphElementId, text }));
    expect(expectJson(await post('/embedding/elements', { items }))).toBe(true);
    expect(provider.received).toHaveLength(1);
    const found = expectJson(await post('/embedding/search', { indexId: 'v', text: 'bird', k: 2 }));
    expect(provider.received[1]?.body.input).toEqual(['query: bird']);
    const scanned = expectJson(await post('/scan/index/vector', { indexId: 'v', query: [0, 1, 0], k: 2 }));
    expect(found).toEqual(scanned);
    expect(found).toMatchObject({ metric: 'Cosine', results: [{ graphElementId: 1, score: 1 }, {}] });
  });

  test('answers texts as vectors', async () => {
    expect(expectJson(await post('/embedding/text', { texts: ['apple', 'cat'] }))).toEqual({
      ...{ model: stamp, dimension: 3 },
      vectors: [
        [1, 0, 0],
        [0, 0, 1],
      ],
    });
  });

  test('refuses in the order of the contract, before it asks the provider', async () => {
    await createVertices(service, [{}]);
    await post('/index', { uniqueId: 'names', pluginType: 'DictionaryIndex' });
    const one = { graphElementId: 0, text: 'a' };
    const long = 'x'.repeat(21);
    for (const [path, body, code] of [
      ['element', { ...one, graphElementId: 7, name: 'no name' }, 400],
      ['element', { ...one, graphElementId: 7, text: ' ' }, 400],
      ['element', { ...one, text: long }, 400],
      ['element', { ...one, graphElementId: 7 }, 404],
      ['elements', { items: [] }, 400],
      ['elements', { items: Array(5).fill(one) }, 400],
      ['elements', { items: [one, { ...one, text: '' }, { ...one, graphElementId: 9 }] }, 400],
      ['elements', { items: [one, { ...one, graphElementId: 9 }, { ...one, text: '' }] }, 404],
      ['search', { indexId: 'none', text: '', k: 1 }, 400],
      ['search', { indexId: 'none', text: 'a', k: 0 }, 404],
      ['search', { indexId: 'names', text: 'a', k: 1 }, 400],
      ['text', { texts: [] }, 400],
      ['text', { texts: ['a', long] }, 400],
      ['text', { texts: Array(5).fill('a') }, 400],
    ] as const) {
      expectProblem(await post(`/embedding/${path}`, body), code);
    }
    expectProblem(await post('/embedding/text', { texts: ['x'.repeat(1_100_000)] }), 413);
    expect(provider.received).toEqual([]);
  });

  test('an index for another model, or of another length, is a conflict before any write', async () => {
    await createVertices(service, [{}]);
    await index('v', 'other#3#Cosine');
    expectProblem(await post('/embedding/element', { graphElementId: 0, text: 'a' }), 409);
    expectProblem(await post('/embedding/elements', { items: [{ graphElementId: 0, text: 'a' }] }), 409);
    expectProblem(await post('/embedding/search', { indexId: 'v', text: 'a', k: 1, kind: 'thing' }), 409);
    await service.call('DELETE', '/index/v');
    await index('v', undefined, '4');
    expectProblem(await post('/embedding/element', { graphElementId: 0, text: 'a' }), 409);
    expect(provider.received).toEqual([]);
    await service.call('DELETE', '/index/v');
    await index('v');
    expectProblem(await post('/embedding/search', { indexId: 'v', text: 'a', k: 1, kind: 'thing' }), 400);
    expect(provider.received).toEqual([]);
    expectProblem(await post('/embedding/search', { indexId: 'v', text: 'a', k: 0 }), 400);
    expect(provider.received).toHaveLength(1);
  });

  test.each<[string, Reply, number, string]>([
    ['too few vectors', json({ embeddings: [] }), 502, invalid],
    [
      'too many vectors',
      json({
        embeddings: [
          [1, 0, 0],
          [1, 0, 0],
        ],
      }),
      502,
      invalid,
    ],
    ['a vector of norm 0', json({ embeddings: [[0, 0, 0]] }), 502, invalid],
    ['a component that is no number', json({ embeddings: [[1, null, 0]] }), 502, invalid],
    ['a component beyond single precision', json({ embeddings: [[1, 1e60, 0]] }), 502, invalid],
    ['a component that is a text', json({ embeddings: [[1, '2', 0]] }), 502, invalid],
    ['what is no JSON', status(200, '{"embeddings":[[1,0'), 502, invalid],
    [
      'more than the ceiling',
      status(400, { error: 'the input length exceeds the context length of 512' }),
      503,
      unavailable,
    ],
    ['an error', status(500, ''), 503, unavailable],
    ['silence', never, 503, unavailable],
    ['a wait longer than the deadline', status(429, {}, { 'retry-after': '50' }), 503, unavailable],
  ])('%s is a problem, writes nothing, and the service goes on', async (_name, reply, code, title) => {
    await createVertices(service, [{}]);
    provider.on('/api/embed', reply);
    const problem = expectProblem(await post('/embedding/element', { graphElementId: 0, text: 'a' }), code, title);
    if (_name === 'more than the ceiling') expect(problem.detail).toContain('512');
    expectProblem(await embeddingOf(0), 404);
    provider.on('/api/embed', embeds);
    expect((await post('/embedding/element', { graphElementId: 0, text: 'a' })).status).toBe(200);
  });

  test('an element that goes while its text is with the provider rolls everything back', async () => {
    await createVertices(service, [{}, {}]);
    provider.on('/api/embed', (response, received) => {
      service.call('DELETE', `/graphelement/1${waited}`).then(() => embeds(response, received));
    });
    const items = [0, 1].map((graphElementId) => ({ graphElementId, text: 'a' }));
    expectProblem(await post('/embedding/elements', { items }), 404, 'Embedding batch rolled back');
    expectProblem(await embeddingOf(0), 404);
  });

  test('a graph that is erased, or dropped, while a text is with the provider takes nothing', async () => {
    for (const [method, path, prefix] of [
      ['HEAD', '/tabularasa', ''],
      ['DELETE', '/ns/other', '/ns/other'],
    ] as const) {
      if (prefix !== '') expect((await service.call('PUT', prefix)).status).toBe(201);
      await service.call('PUT', `${prefix}/vertex${waited}`, { json: { properties: [] } });
      provider.on('/api/embed', (response, received) => {
        service.call(method, `${path}${waited}`).then(() => embeds(response, received));
      });
      expect((await post(`${prefix}/embedding/element`, { graphElementId: 0, text: 'a' })).status).toBe(404);
      expect((await service.call('GET', `${prefix}/graphelement/0/embedding/default`)).status).toBe(404);
    }
    provider.on('/api/embed', embeds);
    expectJson(await post('/embedding/text', { texts: ['a'] }));
  });

  test('a client that goes away ends the call', async () => {
    let arrived = (): void => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    provider.on('/api/embed', () => arrived());
    const before = provider.abandoned;
    const leave = new AbortController();
    const call = fetch(`${service.url}/embedding/text`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"texts":["a"]}' },
      signal: leave.signal,
    });
    await asked;
    leave.abort();
    await expect(call).rejects.toThrow();
    while (provider.abandoned === before) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('odd texts reach the provider whole', async () => {
    const texts = ['\ud83d', '😀'.repeat(10), 'a\u0000b', '[SEP]'];
    expect((await post('/embedding/text', { texts })).status).toBe(200);
    expect(provider.received[0]?.body.input).toEqual(['\ud83d', ...texts.slice(1)]);
  });

  test('a semantic block takes a text instead of a vector', async () => {
    const [a, b] = await createVertices(service, [{}, {}]);
    const edge = { sourceVertex: a, targetVertex: b, edgePropertyId: 'e', creationDate: 0 };
    expectEmpty(await service.call('PUT', `/edge${waited}`, { json: edge }), 202);
    await post('/embedding/elements', {
      items: [a, b].map((graphElementId, i) => ({ graphElementId, text: 'ab'[i] })),
    });
    const path = (semantic: unknown) => post(`/path/${a}/to/${b}`, { semantic });
    expect(expectJson(await path({ queryText: 'bee', minScore: 0.9 }))).toHaveLength(1);
    expect(expectJson(await path({ queryText: 'cat', minScore: 0.9 }))).toEqual([]);
    expectProblem(await path({ queryText: 'a', queryVector: [1, 0, 0] }), 400);
    const subgraph = { name: 's', semantic: { queryText: 'apple', minScore: 0.9 } };
    const created = expectJson(await service.call('PUT', '/subgraph', { json: subgraph }), 201);
    expect(created).toMatchObject({
      vertexCount: 1,
      semantic: { queryText: 'apple', dimension: 3, embeddingBackend: 'Ollama', embeddingIdentity: stamp },
    });
    provider.on('/api/embed', status(500, ''));
    expectProblem(await path({ queryText: 'bee' }), 503, unavailable);
  });

  test('status says that it is loaded once it was used', async () => {
    await post('/embedding/text', { texts: ['a'] });
    expect(expectJson(await service.call('GET', '/status'))).toMatchObject({
      embedding: {
        ...{ enabled: true, backend: 'Ollama', modelName: 'words', modelVersion: '2', dimension: 3 },
        ...{ intendedMetric: 'Cosine', loaded: true, resident: null, gpu: null },
      },
    });
  });

  test('a vector of another length puts the provider out of use until the next start', async () => {
    provider.on('/api/embed', json({ embeddings: [[1, 0]] }));
    expectProblem(await post('/embedding/text', { texts: ['a'] }), 503, unavailable);
    provider.on('/api/embed', embeds);
    const problem = expectProblem(await post('/embedding/text', { texts: ['a'] }), 503, unavailable);
    expect(problem.detail).toContain('Service:Embedding:Dimension');
    expect(expectJson(await service.call('GET', '/status'))).toMatchObject({ embedding: { loaded: false } });
  });
});

test('the OpenAI type puts vectors at the places of their texts', async () => {
  await start({
    ...{ 'Embedding:Backend': 'OpenAI', 'Embedding:OpenAI:Endpoint': provider.origin },
    ...{ 'Embedding:OpenAI:Model': 'm', 'Embedding:OpenAI:ApiKey': secret },
  });
  try {
    const entry = (index: number) => ({ index, embedding: vectorOf('ab'.charAt(index)) });
    provider.on('/v1/embeddings', json({ data: [entry(1), entry(0)] }), json({ data: [entry(1), entry(1)] }));
    const body = { texts: ['a', 'b'] };
    expect(expectJson(await post('/embedding/text', body))).toMatchObject({
      vectors: [
        [1, 0, 0],
        [0, 1, 0],
      ],
    });
    expect(provider.received[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expectProblem(await post('/embedding/text', body), 502, invalid);
    provider.on('/v1/embeddings', (response) => void response.end(Buffer.alloc(100_000_000, 0x20)));
    expectProblem(await post('/embedding/text', body), 502, invalid);
    provider.on('/v1/embeddings', status(401, { error: { message: `No ${secret}` } }));
    const refused = await post('/embedding/text', body);
    expectProblem(refused, 503, unavailable);
    expect(refused.text).not.toContain(secret);
  } finally {
    await service.stop();
  }
});

test('Nahil is asked again when it is busy', async () => {
  await start({
    ...{ 'Embedding:Backend': 'Nahil', 'Embedding:Nahil:Endpoint': provider.origin },
    ...{ 'Embedding:Nahil:Model': 'm', 'Embedding:Nahil:ApiKey': secret },
  });
  try {
    provider.on('/api/embed', status(503, {}, { 'retry-after': '1' }), embeds);
    expect((await post('/embedding/text', { texts: ['a'] })).status).toBe(200);
    expect(provider.received.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${secret}`));
  } finally {
    await service.stop();
  }
});

describe('settings that do not do', () => {
  const ollama = { 'Embedding:Backend': 'Ollama' };
  test.each<[string, ServiceSettings]>([
    ['Embedding:Backend', { 'Embedding:Backend': 'onnx' }],
    ['Embedding:Backend', { 'Embedding:Backend': 'Anthropic' }],
    ['Embedding:ModelName', { ...ollama, 'Embedding:ModelName': '' }],
    ['Embedding:Dimension', { ...ollama, 'Embedding:Dimension': 0 }],
    ['Embedding:Ollama:Endpoint', { ...ollama, 'Embedding:Ollama:Endpoint': 'http://127.0.0.1:1/v1' }],
    ['Embedding:Nahil:ApiKey', { 'Embedding:Backend': 'Nahil' }],
    ['Embedding:OpenAI:Model', { 'Embedding:Backend': 'OpenAI', 'Embedding:OpenAI:Endpoint': 'http://127.0.0.1:1' }],
    ['Embedding:Onnx:ModelPath', {}],
    ['Embedding:LLamaSharp:ModelPath', { 'Embedding:Backend': 'LLamaSharp' }],
  ])('%s is named with 503, and the service goes on', async (key, settings) => {
    await start(settings);
    try {
      const problem = expectProblem(await post('/embedding/text', { texts: ['a'] }), 503, unavailable);
      expect(problem.detail).toContain(`Service:${key}`);
      expect((await service.call('GET', '/status')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
