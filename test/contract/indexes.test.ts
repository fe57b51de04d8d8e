// Contract part 1, Indexes: creation, adds and removals with their bare Booleans, backfill, the scans over indexes, and the inventory.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { createEdges, createVertices, expectProblem, expectJson as expectValue, property } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  // A fulltext scan has a fixed deadline, and on a busy machine a thread that gives way may not get anything done until then.
  service = await startService({ 'Jobs:Niceness': 0 });
});
afterAll(() => service.stop());

/** Checks status 200 and JSON, and answers the value to look into. */
function expectJson(answer: Answer): Answer['json'] {
  expectValue(answer);
  return answer.json;
}

const int = 'System.Int32';
const string = 'System.String';
const key = (propertyValue: string, fullQualifiedTypeName = string) => ({ propertyValue, fullQualifiedTypeName });
const literal = (value: string, fullQualifiedTypeName = string) => ({ value, fullQualifiedTypeName });
const create = (uniqueId: string, pluginType = 'DictionaryIndex', rest = {}) =>
  service.call('POST', '/index', { json: { uniqueId, pluginType, ...rest } });
const add = (index: string, graphElementId: number, value: ReturnType<typeof key>) =>
  service.call('PUT', `/index/${encodeURIComponent(index)}`, { json: { graphElementId, key: value } });
const scan = (json: unknown) => service.call('POST', '/scan/index/all', { json });
const range = (json: unknown) => service.call('POST', '/scan/index/range', { json });
/** Asked again where the deadline, which is a fixed one, was too short: what reads expressions is loaded with the first of them. */
const fulltext = async (indexId: string, requestString: string) => {
  const ask = () => service.call('POST', '/scan/index/fulltext', { json: { indexId, requestString } });
  let answer = await ask();
  while (answer.status === 408) answer = await ask();
  return answer;
};
const backfill = (index: string, json: unknown) => service.call('POST', `/index/backfill/${index}`, { json });

/** Vertices 0..4 and edge 5, in an empty graph without indexes. */
beforeEach(async () => {
  await service.call('HEAD', '/tabularasa');
  await createVertices(service, [
    { label: 'person', properties: [property('name', 'Alice'), property('age', '30', 'int')] },
    { label: 'person', properties: [property('name', 'Bob'), property('age', '40', 'int')] },
    { label: 'person', properties: [property('name', 'alice cooper'), property('name:de', 'Alice die Köchin')] },
    { label: 'robot', properties: [property('name', '7', 'int'), property('age', '30', 'long')] },
    {},
  ]);
  const edge = { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'knows', label: 'person' };
  await createEdges(service, [{ ...edge, properties: [property('name', 'Alice'), property('age', '50', 'int')] }]);
});

describe('POST /index', () => {
  test.each(['DictionaryIndex', 'SingleValueIndex', 'RangeIndex', 'RegExIndex'])('creates a %s once', async (type) => {
    expect(expectJson(await create('i', type))).toBe(true);
    expect(expectJson(await create('i', type))).toBe(false);
    expect(expectJson(await create('i', 'DictionaryIndex'))).toBe(false);
  });

  test.runIf(isReal)('creates none whose name or model is longer than 1,000 characters', async () => {
    const longest = '€'.repeat(1000);
    expect(expectJson(await create(longest))).toBe(true);
    expect(expectJson(await service.call('DELETE', `/index/${encodeURIComponent(longest)}`))).toBe(true);
    const longer = await create(`${longest}€`);
    expect(expectJson(longer)).toBe(false);
    expect(longer.headers['x-arcwise-warnings']).toContain('1000 characters');
    const options = (model: string) => ({ pluginOptions: { dimension: key('3', int), model: key(model) } });
    expect(expectJson(await create('a', 'VectorIndex', options('m'.repeat(1000))))).toBe(true);
    const other = await create('b', 'VectorIndex', options('m'.repeat(1001)));
    expect(expectJson(other)).toBe(false);
    expect(other.headers['x-arcwise-warnings']).toContain('1000 characters');
  });

  test('a query parameter that the route does not have means nothing, and what happened is what is answered', async () => {
    const json = { uniqueId: 'i', pluginType: 'DictionaryIndex' };
    expect(expectJson(await service.call('POST', '/index?waitForCompletion=perhaps', { json }))).toBe(true);
    expect(expectJson(await service.call('DELETE', '/index/i?waitForCompletion='))).toBe(true);
  });

  test.each(['SpatialIndex', 'dictionaryindex', 'Nothing'])('%s cannot be created', async (type) => {
    expect(expectJson(await create('i', type))).toBe(false);
  });

  test('omitted members take their placeholders, options may be anything with a known type', async () => {
    expect(expectJson(await service.call('POST', '/index', { json: {} }))).toBe(true);
    expect(expectJson(await create('indexService1'))).toBe(false);
    const pluginOptions = { x: { propertyId: 'x', ...key('1', 'int') } };
    expect(expectJson(await create('o', 'RangeIndex', { pluginOptions }))).toBe(true);
    expect(expectJson(await create('n', 'RangeIndex', { pluginOptions: null }))).toBe(true);
  });

  test.each([
    [''],
    ['{'],
    ['[]'],
    ['{"uniqueId":""}'],
    ['{"uniqueId":5}'],
    ['{"pluginType":null}'],
    ['{"pluginOptions":[]}'],
    ['{"pluginOptions":{"a":"b"}}'],
    ['{"pluginOptions":{"a":{"propertyValue":5}}}'],
    ['{"pluginOptions":{"a":{"fullQualifiedTypeName":"Nope"}}}'],
  ])('%s is 400', async (body) => {
    const answer = await service.call('POST', '/index', { body, headers: { 'content-type': 'application/json' } });
    expectProblem(answer, 400);
  });
});

describe('adds and removals', () => {
  test('answer true where index and element are, false where one is missing', async () => {
    await create('i');
    expect(expectJson(await add('i', 0, key('a')))).toBe(true);
    expect(expectJson(await add('i', 0, key('a')))).toBe(true);
    expect(expectJson(await add('i', 99, key('a')))).toBe(false);
    expect(expectJson(await add('i', -1, key('a')))).toBe(false);
    expect(expectJson(await add('none', 0, key('a')))).toBe(false);
    expect(expectJson(await service.call('DELETE', '/index/i/0'))).toBe(true);
    expect(expectJson(await service.call('DELETE', '/index/i/1'))).toBe(true);
    expect(expectJson(await service.call('DELETE', '/index/i/99'))).toBe(false);
    expect(expectJson(await service.call('DELETE', '/index/none/0'))).toBe(false);
    expect(expectJson(await scan({ indexId: 'i', literal: literal('a') }))).toEqual([]);
  });

  test('keys go with all their elements, and only when they are there', async () => {
    await create('i');
    for (const id of [3, 0, 5]) await add('i', id, key('5', int));
    const remove = (json: unknown) => service.call('DELETE', '/index/i/propertyValue', { json });
    const found = { indexId: 'i', literal: literal('5', int), resultType: 'Both' };
    expect(expectJson(await scan(found))).toEqual([0, 3, 5]);
    expect(expectJson(await remove({ propertyId: '', ...key('5', 'long') }))).toBe(false);
    expect(expectJson(await remove({ propertyId: 'x', ...key('5', int) }))).toBe(true);
    expect(expectJson(await remove(key('5', int)))).toBe(false);
    expect(expectJson(await scan(found))).toEqual([]);
    expectProblem(await remove(key('x', int)), 400);
    expectProblem(await remove(key('5', 'Nope')), 400);
  });

  test('bad keys, ids and bodies are 400', async () => {
    await create('i');
    expectProblem(await add('i', 0, key('x', int)), 400);
    expectProblem(await add('i', 0, key('x', 'System.Single[]')), 400);
    expectProblem(await service.call('DELETE', '/index/i/abc'), 400);
    expectProblem(await service.call('PUT', '/index/i', { json: { graphElementId: 0 } }), 400);
    expectProblem(await service.call('PUT', '/index/i', { json: { graphElementId: 'x', key: key('a') } }), 400);
  });

  test('a SingleValueIndex keeps the latest element of a key', async () => {
    await create('s', 'SingleValueIndex');
    await add('s', 0, key('a'));
    await add('s', 1, key('a'));
    expect(expectJson(await scan({ indexId: 's', literal: literal('a') }))).toEqual([1]);
    expect(inventory(await service.call('GET', '/status'))).toEqual([{ indexId: 's', keys: 1, values: 1 }]);
  });

  test('a RegExIndex passes over keys that are no text', async () => {
    await create('r', 'RegExIndex');
    expect(expectJson(await add('r', 0, key('1', int)))).toBe(true);
    expect(inventory(await service.call('GET', '/status'))).toEqual([{ indexId: 'r', keys: 0, values: 0 }]);
  });

  test('removed elements leave every index, a vertex with its edges', async () => {
    await create('i');
    await create('r', 'RegExIndex');
    for (const index of ['i', 'r']) for (const id of [0, 1, 5]) await add(index, id, key('k'));
    await service.call('DELETE', '/graphelement/0?waitForCompletion=true');
    expect(expectJson(await scan({ indexId: 'i', literal: literal('k'), resultType: 'Both' }))).toEqual([1]);
    expect(expectJson(await fulltext('r', 'k')).elements).toHaveLength(1);
  });

  test('deleting an index, names of every kind', async () => {
    expect(expectJson(await service.call('DELETE', '/index/none'))).toBe(false);
    const name = 'a b%/ü?';
    expect(expectJson(await create(name))).toBe(true);
    expect(expectJson(await add(name, 0, key('a')))).toBe(true);
    expect(expectJson(await service.call('DELETE', `/index/${encodeURIComponent(name)}`))).toBe(true);
    expect(expectJson(await scan({ indexId: name, literal: literal('a') }))).toEqual([]);
  });

  test('tabula rasa drops the definitions, trim keeps them with the new ids', async () => {
    await create('i');
    await add('i', 4, key('k'));
    await service.call('DELETE', '/graphelement/0?waitForCompletion=true');
    await service.call('HEAD', '/trim');
    expect(expectJson(await scan({ indexId: 'i', literal: literal('k') }))).toEqual([3]);
    await service.call('HEAD', '/tabularasa');
    expect(inventory(await service.call('GET', '/status'))).toEqual([]);
  });
});

describe('POST /index/backfill/{indexId}', () => {
  test('fills from one property', async () => {
    await create('i');
    const outcome = { indexId: 'i', propertyId: 'name', replaced: false };
    const counts = { scannedElements: 6, indexedElements: 5, skippedUnindexableValues: 0 };
    expect(expectJson(await backfill('i', { propertyId: 'name' }))).toEqual({ ...outcome, ...counts });
    expect(expectJson(await scan({ indexId: 'i', literal: literal('Alice'), resultType: 'Both' }))).toEqual([0, 5]);
    expect(expectJson(await scan({ indexId: 'i', literal: literal('7', int) }))).toEqual([3]);
  });

  test('a family of keys, a label, and values that cannot be keys', async () => {
    await create('r', 'RegExIndex');
    const answer = expectJson(await backfill('r', { propertyId: 'name', prefix: true, label: 'person' }));
    expect(answer).toMatchObject({ scannedElements: 4, indexedElements: 5, skippedUnindexableValues: 0 });
    const all = expectJson(await backfill('r', { propertyId: 'name', prefix: true }));
    expect(all).toMatchObject({ scannedElements: 6, indexedElements: 5, skippedUnindexableValues: 1 });
  });

  test('adds to what is there, or replaces it', async () => {
    await create('i');
    await add('i', 4, key('Zoe'));
    await backfill('i', { propertyId: 'name' });
    expect(expectJson(await scan({ indexId: 'i', literal: literal('Zoe') }))).toEqual([4]);
    expect(expectJson(await backfill('i', { propertyId: 'age', replace: true }))).toMatchObject({ replaced: true });
    expect(expectJson(await scan({ indexId: 'i', literal: literal('Zoe') }))).toEqual([]);
    expect(expectJson(await scan({ indexId: 'i', literal: literal('30', int) }))).toEqual([0]);
  });

  test('erased while it runs, the index is unknown', async () => {
    await createVertices(
      service,
      Array.from({ length: 40_000 }, () => ({ properties: [property('name', 'Eve')] })),
    );
    await create('i');
    const filling = backfill('i', { propertyId: 'name' });
    await service.call('HEAD', '/tabularasa');
    const answer = await filling;
    // Whichever came first.
    if (answer.status === 200) expect(expectJson(answer).scannedElements).toBeGreaterThan(40_000);
    else expectProblem(answer, 400);
  });

  test('an unknown index and a missing propertyId are 400', async () => {
    expect(expectProblem(await backfill('none', { propertyId: 'name' }), 400).detail).toContain("'none'");
    await create('i');
    expectProblem(await backfill('i', {}), 400);
    expectProblem(await backfill('i', { propertyId: '' }), 400);
  });
});

describe('POST /scan/index/all', () => {
  test.each(['DictionaryIndex', 'SingleValueIndex', 'RangeIndex'])('compares keys of a %s', async (type) => {
    await create('i', type);
    for (const [id, age] of [30, 40, 20, 10].entries()) await add('i', id, key(String(age), int));
    await add('i', 4, key('30', 'long'));
    const expected = [[0], [1], [0, 1], [2, 3], [0, 2, 3], [1, 2, 3, 4]];
    for (const [operator, ids] of expected.entries()) {
      expect(expectJson(await scan({ indexId: 'i', operator, literal: literal('30', int) }))).toEqual(ids);
    }
    expect(expectJson(await scan({ indexId: 'i', operator: 6, literal: literal('30', int) }))).toEqual([]);
  });

  test('resultType and label restrict, each element comes once', async () => {
    await create('i', 'RangeIndex');
    await backfill('i', { propertyId: 'age' });
    await add('i', 0, key('31', int));
    const query = { indexId: 'i', operator: 2, literal: literal('30', int) };
    expect(expectJson(await scan(query))).toEqual([0, 1]);
    expect(expectJson(await scan({ ...query, resultType: 'Both' }))).toEqual([0, 1, 5]);
    expect(expectJson(await scan({ ...query, resultType: 'Edges' }))).toEqual([5]);
    expect(expectJson(await scan({ ...query, label: 'robot' }))).toEqual([]);
    expect(expectJson(await scan({ ...query, label: 'Person' }))).toEqual([]);
    expect(expectJson(await scan({ ...query, label: 'person' }))).toEqual([0, 1]);
  });

  test('an unknown index is empty, a bad literal 400', async () => {
    expect(expectJson(await scan({ indexId: 'none', literal: literal('a') }))).toEqual([]);
    expectProblem(await scan({ indexId: 'none' }), 400);
    await create('i');
    expectProblem(await scan({ indexId: 'i', literal: literal('a', 'Nope') }), 400);
    expectProblem(await scan({ indexId: 'i', literal: literal('a', int) }), 400);
    expectProblem(await scan({ indexId: '', literal: literal('a') }), 400);
  });

  test('equality of a RegExIndex minds the case', async () => {
    await create('r', 'RegExIndex');
    await add('r', 0, key('Alice'));
    expect(expectJson(await scan({ indexId: 'r', literal: literal('alice') }))).toEqual([]);
    expect(expectJson(await scan({ indexId: 'r', literal: literal('Alice') }))).toEqual([0]);
  });
});

describe('POST /scan/index/range', () => {
  const limits = { indexId: 'i', leftLimit: '10', rightLimit: '30', fullQualifiedTypeName: int };

  test('answers between two limits in the order of keys', async () => {
    await create('i', 'RangeIndex');
    for (const [id, age] of [30, 20, 10, 40].entries()) await add('i', id, key(String(age), int));
    await add('i', 3, key('15', int));
    await add('i', 3, key('25', int));
    expect(expectJson(await range(limits))).toEqual([3, 1, 3]);
    expect(expectJson(await range({ ...limits, includeLeft: true, includeRight: true }))).toEqual([2, 3, 1, 3, 0]);
    expect(expectJson(await range({ ...limits, leftLimit: '30', rightLimit: '10' }))).toEqual([]);
    expect(expectJson(await range({ ...limits, fullQualifiedTypeName: 'long' }))).toEqual([]);
    expect(expectJson(await range({ ...limits, resultType: 'Edges' }))).toEqual([]);
  });

  test('other kinds and unknown indexes are empty, bad limits 400', async () => {
    await create('d');
    expect(expectJson(await range({ ...limits, indexId: 'd' }))).toEqual([]);
    expect(expectJson(await range(limits))).toEqual([]);
    expectProblem(await range({ ...limits, leftLimit: 'x' }), 400);
    expectProblem(await range({ ...limits, fullQualifiedTypeName: 'Nope' }), 400);
    expectProblem(await range({ indexId: 'i' }), 400);
    expectProblem(await range({ ...limits, leftLimit: literal('1', int) }), 400);
  });
});

describe('POST /scan/index/fulltext', () => {
  beforeEach(async () => {
    await create('r', 'RegExIndex');
    await backfill('r', { propertyId: 'name', prefix: true });
  });

  test('finds case-insensitively, with scores and highlights', async () => {
    expect(expectJson(await fulltext('r', 'ALICE'))).toEqual({
      maximumScore: 2,
      elements: [
        { graphElementId: 0, highlights: ['Alice'], score: 1 },
        { graphElementId: 2, highlights: expect.arrayContaining(['alice', 'Alice']), score: 2 },
        { graphElementId: 5, highlights: ['Alice'], score: 1 },
      ],
    });
    const koch = expectJson(await fulltext('r', 'k.ch'));
    expect(koch).toEqual({ maximumScore: 1, elements: [{ graphElementId: 2, highlights: ['Köchin'], score: 1 }] });
  });

  test('no match, an unknown index and another kind are 204', async () => {
    await create('d');
    for (const [index, expression] of [
      ['r', 'nobody'],
      ['none', 'a'],
      ['d', 'a'],
      ['none', '('],
      ['d', '(?=a)'],
    ] as const) {
      const answer = await fulltext(index, expression);
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
  });

  test.each([
    ['(?=a)', /Lookahead/],
    ['(a)\\1', /Backreference/],
    ['(?>a)', /Atomic/],
    ['(?(a)b)', /Conditional/],
    ['(?<a-b>c)', /Balancing/],
    ['(', /not valid/],
    ['', /./],
  ])('%s is 400', async (expression, reason) => {
    const answer = await fulltext('r', expression);
    expectProblem(answer, 400);
    expect(answer.text).toMatch(reason);
  });

  test('words have letters beyond ASCII', async () => {
    const elements = async (expression: string) => {
      const answer = await fulltext('r', expression);
      return answer.status === 204
        ? []
        : expectJson(answer).elements.map((hit: { graphElementId: number }) => hit.graphElementId);
    };
    expect(await elements('\\bchin')).toEqual([]);
    expect(await elements('\\bk.chin\\b')).toEqual([2]);
  });

  test('an expression that would take for ever elsewhere', async () => {
    await add('r', 4, key(`${'a'.repeat(50_000)}b`));
    expect((await fulltext('r', '(a+)+$')).status).toBe(204);
    expect((await fulltext('r', '^(a+)+b$')).status).toBe(200);
  });
});

function inventory(answer: Awaited<ReturnType<TestService['call']>>): unknown {
  const list = expectJson(answer).indices as { indexId: string; keys: number; values: number }[];
  return list.map(({ indexId, keys, values }) => ({ indexId, keys, values }));
}

describe('GET /status', () => {
  test('lists the indexes and the kinds there are', async () => {
    await create('d');
    await create('g', 'RangeIndex');
    await create('r', 'RegExIndex');
    await add('d', 0, key('a'));
    await add('d', 1, key('a'));
    const status = expectJson(await service.call('GET', '/status'));
    const item = { embeddingName: null, model: null, keys: 0, values: 0 };
    expect(status.indices).toEqual([
      { ...item, indexId: 'd', pluginType: 'DictionaryIndex', capabilities: ['equality'], keys: 1, values: 2 },
      { ...item, indexId: 'g', pluginType: 'RangeIndex', capabilities: ['equality', 'range'] },
      { ...item, indexId: 'r', pluginType: 'RegExIndex', capabilities: ['equality', 'fulltext'] },
    ]);
    expect(status.availableIndexPlugins).toEqual(
      expect.arrayContaining(['DictionaryIndex', 'RangeIndex', 'RegExIndex', 'SingleValueIndex', 'SpatialIndex']),
    );
    expect(status.durability.lastCheckpointDroppedIndices).toBe(0);
  });
});

describe('POST /scan/index/spatial', () => {
  test('a distance is a number, quoted or not', async () => {
    const spatial = (distance: unknown) =>
      service.call('POST', '/scan/index/spatial', { json: { indexId: 'none', graphElementId: 0, distance } });
    for (const distance of [1, '1.5e3', -2]) expect((await spatial(distance)).status).toBe(204);
    for (const distance of ['1.2.3', '.', 'NaN', '1e999', null, true]) expectProblem(await spatial(distance), 400);
  });
});

describe.skipIf(!isReal)('what a restart keeps', () => {
  test('indexes and their contents, from the log and from checkpoints', async () => {
    await create('i', 'RangeIndex');
    await backfill('i', { propertyId: 'age' });
    const before = expectJson(await service.call('GET', '/status')).indices;
    await service.restart();
    expect(expectJson(await service.call('GET', '/status')).indices).toEqual(before);
    const entry = expectJson(await service.call('PUT', '/save', { json: {} }));
    expect(entry.kpis.indices).toEqual([
      { ...before[0], embeddingName: null, model: null, capabilities: null, keys: null, values: null },
    ]);
    expect((await service.call('PUT', `/savegames/${entry.id}/load?waitForCompletion=true`)).status).toBe(200);
    expect(expectJson(await service.call('GET', '/status')).indices).toEqual(before);
    await service.call('DELETE', `/savegames/${entry.id}`);
  });
});
