// Contract part 1, Bulk: export and import in the line format, with everything that refuses a line.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEdges, createVertices, erase, expectJson, expectProblem, property, waited } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    'BulkIO:ImportBatchSize': 4,
    'BulkIO:MaxLineBytes': 2000,
    'BulkIO:MaxImportRequestBytes': 100_000,
  });
});
afterAll(() => service.stop());
beforeEach(() => erase(service));

const ndjson = { 'content-type': 'application/x-ndjson' };
const linesOf = (...lines: unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
const importLines = (body: string | Uint8Array, path = '/bulk/import') =>
  service.call('POST', path, { body, headers: ndjson });
const vertex = (id: number, more: object = {}) => ({ type: 'vertex', id, creationDate: 0, ...more });
const edge = (id: number, source: number, target: number, more: object = {}) => ({
  type: 'edge',
  id,
  edgePropertyId: 'x',
  source,
  target,
  creationDate: 0,
  ...more,
});
const exported = async (query = ''): Promise<Record<string, unknown>[]> => {
  const answer = await service.call('GET', `/bulk/export${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['content-type']).toBe('application/x-ndjson');
  expect(answer.text.endsWith('\n')).toBe(true);
  return answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('GET /bulk/export', () => {
  async function sample(): Promise<number[]> {
    const ids = await createVertices(service, [
      { creationDate: 7, label: 'person', properties: [property('name', 'Alice'), property('ok', 'true', 'bool')] },
      { creationDate: 8, label: 'robot' },
      { creationDate: 9 },
    ]);
    const [a, b, c] = ids;
    await createEdges(service, [
      { creationDate: 1, sourceVertex: a, targetVertex: b, edgePropertyId: 'knows', label: 'friend' },
      { creationDate: 2, sourceVertex: b, targetVertex: c, edgePropertyId: 'knows' },
      { creationDate: 3, sourceVertex: a, targetVertex: a, edgePropertyId: 'likes', label: 'friend' },
    ]);
    return ids;
  }

  test("meta, then vertices, then edges, members in the format's order", async () => {
    const [a = -1, b = -1] = await sample();
    const lines = await exported();
    expect(lines[0]).toEqual({
      type: 'meta',
      format: 'service-jsonl',
      version: 2,
      vertexCount: 3,
      edgeCount: 3,
      exportedAtUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z$/),
    });
    expect(lines.map(({ type }) => type)).toEqual(['meta', 'vertex', 'vertex', 'vertex', 'edge', 'edge', 'edge']);
    expect(lines[1]).toEqual({
      type: 'vertex',
      id: a,
      label: 'person',
      creationDate: 7,
      properties: { name: { type: 'System.String', value: 'Alice' }, ok: { type: 'System.Boolean', value: 'true' } },
    });
    expect(Object.keys(lines[1] as object)).toEqual(['type', 'id', 'label', 'creationDate', 'properties']);
    expect(Object.keys(lines[3] as object)).toEqual(['type', 'id', 'creationDate']);
    expect(lines[4]).toEqual({
      type: 'edge',
      id: 3,
      edgePropertyId: 'knows',
      source: a,
      target: b,
      label: 'friend',
      creationDate: 1,
    });
    expect(Object.keys(lines[4] as object)).toEqual([
      'type',
      'id',
      'edgePropertyId',
      'source',
      'target',
      'label',
      'creationDate',
    ]);
  });

  test('an empty graph is one meta line', async () => {
    expect(await exported()).toMatchObject([{ type: 'meta', vertexCount: 0, edgeCount: 0 }]);
  });

  test('filters are exact; edges need both ends; edge filters combine', async () => {
    await sample();
    const ids = async (query: string) => (await exported(query)).slice(1).map(({ id }) => id);
    expect(await ids('?vertexLabel=person')).toEqual([0, 5]);
    expect(await ids('?vertexLabel=Person')).toEqual([]);
    expect(await ids('?edgeLabel=friend')).toEqual([0, 1, 2, 3, 5]);
    expect(await ids('?edgePropertyId=knows')).toEqual([0, 1, 2, 3, 4]);
    expect(await ids('?edgePropertyId=likes&edgeLabel=friend')).toEqual([0, 1, 2, 5]);
    expect(await exported('?vertexLabel=person')).toMatchObject([{ vertexCount: 1, edgeCount: 1 }, {}, {}]);
  });

  test('an unpaired surrogate refuses the export before its first byte', async () => {
    const [, id] = await createVertices(service, [{}, {}]);
    const body = '{"propertyId":"k","propertyValue":"a\\ud800","fullQualifiedTypeName":"String"}';
    const headers = { 'content-type': 'application/json' };
    expect((await service.call('PUT', `/graphelement/${id}/k${waited}`, { body, headers })).status).toBe(202);
    const problem = expectProblem(await service.call('GET', '/bulk/export'), 422, 'Graph not exportable');
    expect(problem).toMatchObject({ elementId: id, propertyKey: 'k' });
  });

  test('what was exported imports into another namespace as the same graph', async () => {
    await sample();
    const { text } = await service.call('GET', '/bulk/export');
    await service.call('PUT', '/ns/copy');
    expect(expectJson(await importLines(text, '/ns/copy/bulk/import'))).toEqual({
      verticesCreated: 3,
      edgesCreated: 3,
      linesRead: 7,
      durable: true,
    });
    const again = await service.call('GET', '/ns/copy/bulk/export');
    const withoutTime = (lines: string) => lines.replace(/"exportedAtUtc":"[^"]*"/, '');
    expect(withoutTime(again.text)).toBe(withoutTime(text));
  });
});

describe('POST /bulk/import', () => {
  test('remaps file ids; meta and blank lines count as lines', async () => {
    const meta = { type: 'meta', format: 'service-jsonl', version: 1, vertexCount: 2, edgeCount: 1 };
    const body = linesOf(meta, vertex(70, { label: 'a' }), '', ' \t\r', vertex(-5), edge(8, 70, -5, { label: null }));
    expect(expectJson(await importLines(body))).toEqual({
      verticesCreated: 2,
      edgesCreated: 1,
      linesRead: 6,
      durable: true,
    });
    expect(await exported()).toMatchObject([{}, { id: 0, label: 'a' }, { id: 1 }, { id: 2, source: 0, target: 1 }]);
  });

  test.each(['service-jsonl', 'fallen8-jsonl'])('the format name %s', async (format) => {
    const body = linesOf({ type: 'meta', format, version: 2 }, vertex(0));
    expect(expectJson(await importLines(body))).toMatchObject({ verticesCreated: 1, linesRead: 2 });
  });

  test('an empty body and a missing last line feed are fine', async () => {
    expect(expectJson(await importLines(''))).toEqual({
      verticesCreated: 0,
      edgesCreated: 0,
      linesRead: 0,
      durable: true,
    });
    expect(expectJson(await importLines(linesOf(vertex(0), vertex(1)).trimEnd()))).toMatchObject({
      verticesCreated: 2,
      linesRead: 2,
    });
  });

  test('carriage returns, members in any order, all types and aliases, Single[]', async () => {
    const properties = {
      a: { value: '1', type: 'int' },
      b: { type: 'SYSTEM.SINGLE[]', value: '1,0.5' },
      c: { type: 'System.Single[]', value: '' },
      d: { type: 'bool', value: 'true' },
    };
    const body = `${JSON.stringify({ properties, creationDate: 5, id: 1, type: 'vertex' })}\r\n`;
    expect(expectJson(await importLines(body))).toMatchObject({ verticesCreated: 1 });
    expect(expectJson(await service.call('GET', '/vertex/0'))).toHaveProperty('properties', [
      { propertyId: 'a', fullQualifiedTypeName: 'System.Int32', propertyValue: '1' },
      { propertyId: 'b', fullQualifiedTypeName: 'System.Single[]', propertyValue: '[1,0.5]' },
      { propertyId: 'c', fullQualifiedTypeName: 'System.Single[]', propertyValue: '[]' },
      { propertyId: 'd', fullQualifiedTypeName: 'System.Boolean', propertyValue: 'True' },
    ]);
  });

  test('follows an answered erase', async () => {
    await createVertices(service, [{}, {}]);
    expect((await service.call('HEAD', `/tabularasa${waited}`)).status).toBe(200);
    expect(expectJson(await importLines(linesOf(vertex(0))))).toMatchObject({ verticesCreated: 1 });
  });

  test('a graph with elements is 409 and stays as it is', async () => {
    await createVertices(service, [{}]);
    const problem = expectProblem(await importLines(linesOf(vertex(0))), 409, 'Import requires an empty graph');
    expect(problem).not.toHaveProperty('lineNumber');
    expect(expectJson(await service.call('GET', '/vertex/count'))).toBe(1);
  });

  test.each(['application/json', 'text/plain', 'application/x-ndjsonx', null])(
    'the content type %s is 415',
    async (type) => {
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
      const answer = await service.call('POST', '/bulk/import', { body: linesOf(vertex(0)), headers });
      expectProblem(answer, 415, 'Unsupported Media Type');
    },
  );

  test('parameters of the content type are fine', async () => {
    const headers = { 'content-type': 'Application/X-NDJSON; charset=utf-8' };
    expectJson(await service.call('POST', '/bulk/import', { body: linesOf(vertex(0)), headers }));
  });

  test('a body over the limit is 413, told by its length or counted', async () => {
    const body = `${linesOf(vertex(0))}${' '.repeat(999)}\n`.padEnd(100_001, ' \n');
    for (const headers of [ndjson, { ...ndjson, 'transfer-encoding': 'chunked' }]) {
      const problem = expectProblem(
        await service.call('POST', '/bulk/import', { body, headers }),
        413,
        'Import body too large',
      );
      expect(problem).toMatchObject({ verticesCommitted: expect.any(Number), edgesCommitted: 0 });
      await erase(service);
    }
    expectJson(await importLines(body.slice(0, 100_000)));
  });

  test('takes under reserved keys what the routes would write there, and nothing else', async () => {
    const properties = (name: string, value: string) => ({
      properties: {
        [`$embedding:${name}`]: { value, type: 'single[]' },
        [`$embeddingModel:${name}`]: { type: 'string', value: '' },
        $embedding: { type: 'int', value: '1' },
        '$embeddings:x': { type: 'Single[]', value: 'NaN' },
      },
    });
    const taken = [
      ['x', '1'],
      ['Az09_-', '-0'],
      ['x'.repeat(64), '1,2'],
      ['x', '2'],
    ] as const;
    expectJson(await importLines(linesOf(...taken.map(([name, value], id) => vertex(id, properties(name, value))))));
    expect(expectJson(await service.call('GET', '/vertex/count'))).toBe(4);
    await erase(service);
    // What came the same way before is looked at again.
    const bad = linesOf(
      ...['1', '2', 'NaN'].map((value, id) =>
        vertex(id, { properties: { '$embedding:x': { type: 'Single[]', value } } }),
      ),
    );
    const { detail } = expectProblem(await importLines(bad), 400, 'Invalid import line');
    expect(detail).toContain("'$embedding:x'");
    await erase(service);
  });

  const good = [vertex(1), vertex(2)];
  const propertiesLine = (item: unknown) => vertex(3, { properties: { k: item } });
  test.each<[string, unknown]>([
    ['malformed JSON', '{"type":"vertex"'],
    ['two values', `${JSON.stringify(vertex(3))} {}`],
    ['an array', '[]'],
    ['a number', '5'],
    ['no type', { id: 3, creationDate: 0 }],
    ['an unknown type of line', { type: 'node', id: 3, creationDate: 0 }],
    ['a type in another case', { type: 'Vertex', id: 3, creationDate: 0 }],
    ['an unknown field', vertex(3, { color: 'red' })],
    ['a field of edges on a vertex', vertex(3, { source: 1 })],
    ['a field twice', '{"type":"vertex","id":3,"id":3,"creationDate":0}'],
    ['no id', { type: 'vertex', creationDate: 0 }],
    ['an id beyond int32', vertex(2 ** 31)],
    ['an id with a fraction', vertex(3.5)],
    ['an id in quotes', { ...vertex(3), id: '3' }],
    ['no creationDate', { type: 'vertex', id: 3 }],
    ['a negative creationDate', vertex(3, { creationDate: -1 })],
    ['a creationDate beyond uint32', vertex(3, { creationDate: 2 ** 32 })],
    ['a label that is a number', vertex(3, { label: 5 })],
    ['properties that are an array', vertex(3, { properties: [] })],
    ['a property that is a text', propertiesLine('x')],
    ['a property without value', propertiesLine({ type: 'int' })],
    ['a property without type', propertiesLine({ value: '1' })],
    ['a property with a third member', propertiesLine({ type: 'int', value: '1', unit: 'm' })],
    ['a value that is a number', propertiesLine({ type: 'int', value: 1 })],
    ['an unknown type', propertiesLine({ type: 'Foo', value: '1' })],
    ['a value that is none of its type', propertiesLine({ type: 'int', value: 'x' })],
    ...[
      ['$embedding:x', 'String', '1,2'],
      ['$embedding:x', 'Single', '1'],
      ['$embedding:', 'Single[]', '1,2'],
      ['$embedding:a b', 'Single[]', '1,2'],
      ['$embedding:é', 'Single[]', '1,2'],
      [`$embedding:${'x'.repeat(65)}`, 'Single[]', '1,2'],
      ['$embedding:x', 'Single[]', ''],
      ['$embedding:x', 'Single[]', '1,NaN'],
      ['$embedding:x', 'Single[]', 'Infinity'],
      ['$embeddingModel:x', 'Int32', '1'],
      ['$embeddingModel:', 'String', 'model'],
      ['$embeddingModel:a/b', 'String', 'model'],
    ].map(([key, type, value]): [string, unknown] => [
      `the reserved key ${key} with a ${type} ${value?.slice(0, 20)}`,
      vertex(3, { properties: { [key as string]: { type, value } } }),
    ]),
    [
      'a key twice',
      '{"type":"vertex","id":3,"creationDate":0,"properties":{"k":{"type":"int","value":"1"},"k":{"type":"int","value":"1"}}}',
    ],
    ['an id twice', vertex(1)],
    ['an edge with the id of a vertex', edge(2, 1, 2)],
    ['an edge without type', { type: 'edge', id: 3, source: 1, target: 2, creationDate: 0 }],
    ['an edge with an empty type', edge(3, 1, 2, { edgePropertyId: '' })],
    ['an edge without target', { type: 'edge', id: 3, edgePropertyId: 'x', source: 1, creationDate: 0 }],
    ['an edge to a vertex that comes later', edge(3, 1, 4)],
    ['a meta line that is not the first', { type: 'meta', format: 'service-jsonl', version: 2 }],
    ['a byte-order mark', `\ufeff${JSON.stringify(vertex(3))}`],
  ])('%s fails its line', async (_, line) => {
    const problem = expectProblem(await importLines(linesOf(...good, line, vertex(4))), 400, 'Invalid import line');
    expect(problem).toMatchObject({ lineNumber: 3, edgesCommitted: 0, durable: true });
    expect(expectJson(await service.call('GET', '/vertex/count'))).toBe(problem.verticesCommitted);
  });

  test.each<[string, object]>([
    ['no format', { version: 2 }],
    ['an unknown format', { format: 'graphml', version: 2 }],
    ['no version', { format: 'service-jsonl' }],
    ['version 0', { format: 'service-jsonl', version: 0 }],
    ['version 3', { format: 'service-jsonl', version: 3 }],
    ['a count that is a text', { format: 'service-jsonl', version: 2, vertexCount: '1' }],
    ['an unknown field', { format: 'service-jsonl', version: 2, comment: 'x' }],
  ])('a meta line with %s fails', async (_, meta) => {
    const problem = expectProblem(
      await importLines(linesOf({ type: 'meta', ...meta }, vertex(1))),
      400,
      'Invalid import line',
    );
    expect(problem).toMatchObject({ lineNumber: 1, verticesCommitted: 0 });
  });

  test.each([{ vertexCount: 3 }, { edgeCount: 1 }, { vertexCount: 2, edgeCount: 5 }])(
    'counts %j that do not come true fail at the last line',
    async (counts) => {
      const meta = { type: 'meta', format: 'service-jsonl', version: 2, ...counts };
      const problem = expectProblem(await importLines(linesOf(meta, vertex(1), vertex(2))), 400, 'Invalid import line');
      expect(problem.lineNumber).toBe(3);
    },
  );

  test('half a UTF-8 sequence fails its line', async () => {
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify(vertex(1))}\n{"type":"vertex","id":2,"label":"`),
      Buffer.from([0xc3]),
    ]);
    const problem = expectProblem(await importLines(Buffer.concat([body, Buffer.from('","creationDate":0}\n')])), 400);
    expect(problem).toMatchObject({ title: 'Invalid import line', lineNumber: 2 });
  });

  test('a line one byte below, at and above the limit', async () => {
    const lineOf = (bytes: number): string => {
      const empty = JSON.stringify(vertex(1, { label: '' }));
      return JSON.stringify(vertex(1, { label: 'x'.repeat(bytes - empty.length) }));
    };
    for (const bytes of [1999, 2000]) {
      expect(expectJson(await importLines(linesOf(lineOf(bytes))))).toMatchObject({ verticesCreated: 1 });
      await erase(service);
    }
    const problem = expectProblem(await importLines(linesOf(vertex(0), lineOf(2001))), 400, 'Import line too long');
    expect(problem).toMatchObject({ lineNumber: 2 });
  });

  test('whole batches before a bad line stay', async () => {
    const lines = Array.from({ length: 10 }, (_, id) => vertex(id));
    const problem = expectProblem(await importLines(linesOf(...lines, 'no')), 400, 'Invalid import line');
    expect(problem).toMatchObject({ lineNumber: 11, verticesCommitted: 8, edgesCommitted: 0, durable: true });
    expect(expectJson(await service.call('GET', '/vertex/count'))).toBe(8);
  });

  test('vertices and edges may alternate', async () => {
    const body = linesOf(vertex(1), vertex(2), edge(3, 1, 2), vertex(4), edge(5, 4, 1), edge(6, 2, 2));
    expect(expectJson(await importLines(body))).toMatchObject({ verticesCreated: 3, edgesCreated: 3, linesRead: 6 });
    const [, ...lines] = await exported();
    const labels = lines.filter(({ type }) => type === 'edge').length;
    expect(labels).toBe(3);
  });
});
