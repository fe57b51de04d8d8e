// Contract part 1, Elements: the writes, what they refuse, and what waiting for them changes.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => erase(service));

const call = (method: string, path: string, json?: unknown) =>
  service.call(method, path, json === undefined ? {} : { json });
const vertexCount = async () => expectJson(await call('GET', '/vertex/count'));
const read = async (id: number | undefined) =>
  expectJson(await call('GET', `/graphelement/${id}`)) as Record<string, unknown>;

describe('creating', () => {
  test('one vertex is 202 without a body, waited for or not', async () => {
    expectEmpty(await call('PUT', '/vertex', { creationDate: 0 }), 202);
    expectEmpty(await call('PUT', `/vertex${waited}`, { creationDate: 0 }), 202);
    expect(await vertexCount()).toBe(2);
  });

  test('a batch is 202, and 200 with the ids in order when waited for', async () => {
    expectEmpty(await call('PUT', '/vertices', [{ creationDate: 0 }]), 202);
    expect(expectJson(await call('PUT', `/vertices${waited}`, [{ label: 'a' }, { label: 'b' }]))).toEqual([1, 2]);
    expect(await read(2)).toMatchObject({ label: 'b' });
  });

  test('an empty batch changes nothing', async () => {
    for (const path of ['/vertices', '/edges']) {
      expectEmpty(await call('PUT', path, []), 202);
      expect(expectJson(await call('PUT', path + waited, []))).toEqual([]);
    }
  });

  test('vertices and edges share one id counter', async () => {
    const [a, b] = await createVertices(service, [{}, {}]);
    const edges = await createEdges(service, [
      { sourceVertex: a, targetVertex: b, edgePropertyId: 'x' },
      { sourceVertex: b, targetVertex: b, edgePropertyId: 'x' },
    ]);
    expect([a, b, ...edges, ...(await createVertices(service, [{}]))]).toEqual([0, 1, 2, 3, 4]);
  });

  test('member names match in any case, numbers may be quoted, unknown members are ignored', async () => {
    const body = {
      CREATIONDATE: '86400',
      Label: 'x',
      extra: { deep: [1] },
      PROPERTIES: [{ PropertyID: 'k', propertyvalue: '5' }],
    };
    const [id] = await createVertices(service, [body]);
    expect(await read(id)).toMatchObject({
      label: 'x',
      creationDate: '1970-01-02T00:00:00',
      properties: [{ propertyId: 'k', propertyValue: '5', fullQualifiedTypeName: 'System.Int32' }],
    });
  });

  test('an omitted property member takes its placeholder', async () => {
    const [id] = await createVertices(service, [{ creationDate: 0, properties: [{}] }]);
    expect(await read(id)).toHaveProperty('properties', [
      { propertyId: 'cacheSize', fullQualifiedTypeName: 'System.Int32', propertyValue: '1000' },
    ]);
  });

  test('creationDate takes all of uint32', async () => {
    const [id] = await createVertices(service, [{ creationDate: 4294967295 }]);
    expect(await read(id)).toMatchObject({ creationDate: '2106-02-07T06:28:15' });
  });

  test('null label and properties are none', async () => {
    const [id] = await createVertices(service, [{ creationDate: 0, label: null, properties: null }]);
    expect(await read(id)).toMatchObject({ label: null, properties: [] });
  });

  test.each([
    ['null', null],
    ['an array', []],
    ['a number', 5],
    ['a label that is a number', { label: 5 }],
    ['a negative creationDate', { creationDate: -1 }],
    ['a creationDate beyond uint32', { creationDate: 4294967296 }],
    ['a creationDate with a fraction', { creationDate: 0.5 }],
    ['a creationDate that is a date', { creationDate: '2024-01-01' }],
    ['a null creationDate', { creationDate: null }],
    ['properties that are an object', { properties: {} }],
    ['a null property', { properties: [null] }],
    ['a null key', { properties: [{ propertyId: null }] }],
    ['a blank key', { properties: [{ propertyId: ' ' }] }],
    ['a null value', { properties: [{ propertyValue: null }] }],
    ['a value that is a number', { properties: [{ propertyValue: 5 }] }],
    ['a null type', { properties: [{ fullQualifiedTypeName: null }] }],
    ['a blank type', { properties: [{ fullQualifiedTypeName: '' }] }],
  ])('%s is 400 with an errors map', async (_, body) => {
    for (const suffix of ['', waited]) {
      const problem = expectProblem(
        await call('PUT', `/vertex${suffix}`, body),
        400,
        'One or more validation errors occurred.',
      );
      expect(Object.values(problem.errors as object)[0]).toEqual([expect.any(String)]);
    }
    expectProblem(await call('PUT', '/vertices', [{ creationDate: 0 }, body]), 400);
    expect(await vertexCount()).toBe(0);
  });

  test.each([
    ['an unknown type', property('k', '1', 'System.Object')],
    ['Single[]', property('k', '1', 'System.Single[]')],
    ['a value that is none of its type', property('k', 'x', 'Int32')],
    ['a number out of range', property('k', '256', 'Byte')],
    ['two characters', property('k', 'ab', 'Char')],
  ])('%s is 500 on the create routes', async (_, item) => {
    const [id] = await createVertices(service, [{}]);
    const edge = { sourceVertex: id, targetVertex: id, edgePropertyId: 'x', properties: [item] };
    for (const suffix of ['', waited]) {
      expectProblem(await call('PUT', `/vertex${suffix}`, { properties: [item] }), 500);
      expectProblem(await call('PUT', `/vertices${suffix}`, [{}, { properties: [item] }]), 500);
      expectProblem(await call('PUT', `/edge${suffix}`, edge), 500);
      expectProblem(await call('PUT', `/edges${suffix}`, [edge]), 500);
    }
    expect(await vertexCount()).toBe(1);
  });

  test('a key twice in one element is 400', async () => {
    const properties = [property('k', 'a'), property('j', 'b'), property('k', 'c')];
    const problem = expectProblem(await call('PUT', '/vertex', { properties }), 400, 'Bad Request');
    expect(problem.detail).toContain("'k'");
    expect(await vertexCount()).toBe(0);
  });

  test.each(['$embedding:default', '$embeddingModel:x'])('the key %s belongs to the engine: 400', async (key) => {
    expectProblem(await call('PUT', '/vertex', { properties: [property(key, 'x')] }), 400, 'Bad Request');
    const [id] = await createVertices(service, [{}]);
    const path = `/graphelement/${id}/${encodeURIComponent(key)}`;
    expectProblem(await call('PUT', path, property('x', 'y')), 400, 'Bad Request');
    expectProblem(await call('DELETE', path), 400, 'Bad Request');
    const change = { graphElementId: id, propertyId: key, propertyValue: '1', fullQualifiedTypeName: 'Int32' };
    expectProblem(await call('PUT', '/graphelements/properties', [change]), 400, 'Bad Request');
  });

  test.each(['maybe', '1', ''])('waitForCompletion=%s is 400', async (value) => {
    expectProblem(await call('PUT', `/vertex?waitForCompletion=${value}`, {}), 400, 'Bad Request');
  });

  test('waitForCompletion in any case', async () => {
    expect((await call('PUT', '/vertices?WAITFORCOMPLETION=TRUE', [{}])).status).toBe(200);
    expect((await call('PUT', '/vertices?waitforcompletion=False', [{}])).status).toBe(202);
  });
});

describe('creating edges', () => {
  test('a missing endpoint is 404 when waited for, 202 when not, and nothing is created', async () => {
    const [a] = await createVertices(service, [{}]);
    const good = { sourceVertex: a, targetVertex: a, edgePropertyId: 'x', creationDate: 0 };
    for (const bad of [
      { ...good, targetVertex: 99 },
      { ...good, sourceVertex: -1 },
    ]) {
      expectEmpty(await call('PUT', '/edge', bad), 202);
      expectEmpty(await call('PUT', '/edges', [good, bad]), 202);
      expectProblem(await call('PUT', `/edge${waited}`, bad), 404, 'Not Found');
      expectProblem(await call('PUT', `/edges${waited}`, [good, bad]), 404, 'Not Found');
    }
    expect(expectJson(await call('GET', '/edge/count'))).toBe(0);
    expect(await createVertices(service, [{}])).toEqual([1]);
  });

  test('an edge is no endpoint', async () => {
    const [a] = await createVertices(service, [{}]);
    const [edge] = await createEdges(service, [{ sourceVertex: a, targetVertex: a, edgePropertyId: 'x' }]);
    const body = { sourceVertex: a, targetVertex: edge, edgePropertyId: 'x' };
    expectProblem(await call('PUT', `/edge${waited}`, body), 404, 'Not Found');
  });

  test('one edge waited for is 202', async () => {
    const [a] = await createVertices(service, [{}]);
    expectEmpty(
      await call('PUT', `/edge${waited}`, { sourceVertex: `${a}`, targetVertex: a, edgePropertyId: 'x' }),
      202,
    );
    expect(expectJson(await call('GET', '/edge/count'))).toBe(1);
  });

  test.each([
    ['no source', { targetVertex: 0, edgePropertyId: 'x' }],
    ['no target', { sourceVertex: 0, edgePropertyId: 'x' }],
    ['no type', { sourceVertex: 0, targetVertex: 0 }],
    ['an empty type', { sourceVertex: 0, targetVertex: 0, edgePropertyId: '' }],
    ['a blank type', { sourceVertex: 0, targetVertex: 0, edgePropertyId: ' \t' }],
    ['a null type', { sourceVertex: 0, targetVertex: 0, edgePropertyId: null }],
    ['a source beyond int32', { sourceVertex: 2147483648, targetVertex: 0, edgePropertyId: 'x' }],
    ['a target with a fraction', { sourceVertex: 0, targetVertex: 0.5, edgePropertyId: 'x' }],
  ])('%s is 400', async (_, body) => {
    await createVertices(service, [{}]);
    expectProblem(await call('PUT', '/edge', body), 400, 'One or more validation errors occurred.');
    expectProblem(await call('PUT', `/edges${waited}`, [body]), 400, 'One or more validation errors occurred.');
  });
});

describe('one property', () => {
  test("is added and replaced; the key is the path's", async () => {
    const [id] = await createVertices(service, [{ creationDate: 0 }]);
    expectEmpty(await call('PUT', `/graphelement/${id}/age${waited}`, property('ignored', '30', 'int')), 202);
    expect(await read(id)).toMatchObject({
      properties: [{ propertyId: 'age', propertyValue: '30', fullQualifiedTypeName: 'System.Int32' }],
    });
    expectEmpty(await call('PUT', `/graphelement/${id}/age`, property('age', 'old')), 202);
    expect(await read(id)).toMatchObject({
      properties: [{ propertyId: 'age', propertyValue: 'old', fullQualifiedTypeName: 'System.String' }],
    });
  });

  test('a change moves modificationDate, an equal value does not', async () => {
    const [id] = await createVertices(service, [{ creationDate: 0, properties: [property('k', 'a')] }]);
    await call('PUT', `/graphelement/${id}/k${waited}`, property('k', 'a'));
    expect(await read(id)).toMatchObject({ modificationDate: '1970-01-01T00:00:00' });
    await call('PUT', `/graphelement/${id}/k${waited}`, property('k', 'b'));
    const { modificationDate } = await read(id);
    expect(Math.abs(Date.parse(`${modificationDate}Z`) - Date.now())).toBeLessThan(60_000);
  });

  test('is removed; removing what is not there is fine', async () => {
    const [id] = await createVertices(service, [{ properties: [property('k', 'a')] }]);
    expectEmpty(await call('DELETE', `/graphelement/${id}/k${waited}`), 202);
    expectEmpty(await call('DELETE', `/graphelement/${id}/k${waited}`), 202);
    expect(await read(id)).toMatchObject({ properties: [] });
  });

  test('an edge has properties too', async () => {
    const [a] = await createVertices(service, [{}]);
    const [edge] = await createEdges(service, [{ sourceVertex: a, targetVertex: a, edgePropertyId: 'x' }]);
    await call('PUT', `/graphelement/${edge}/w${waited}`, property('w', '0.5', 'Double'));
    expect(await read(edge)).toMatchObject({ properties: [{ propertyId: 'w', propertyValue: '0.5' }] });
  });

  test.each(['a/b', 'ключ', '漢', '😀', ' ', '%', '?#&=+', '\\', 'count', '..x', '\u0001'])(
    'the key %j travels in the path',
    async (key) => {
      const [id] = await createVertices(service, [{}]);
      const path = `/graphelement/${id}/${encodeURIComponent(key)}${waited}`;
      expectEmpty(await call('PUT', path, property('x', 'v')), 202);
      expect(await read(id)).toMatchObject({ properties: [{ propertyId: key, propertyValue: 'v' }] });
      expectEmpty(await call('DELETE', path), 202);
      expect(await read(id)).toMatchObject({ properties: [] });
    },
  );

  test.each([
    ['an unknown type', property('k', '1', 'Foo')],
    ['a value that is none of its type', property('k', 'x', 'System.Int32')],
    ['a null value', { propertyValue: null }],
    ['null', null],
  ])('%s is 400', async (_, body) => {
    const [id] = await createVertices(service, [{}]);
    expectProblem(await call('PUT', `/graphelement/${id}/k`, body), 400);
    expectProblem(await call('PUT', `/graphelement/${id}/k${waited}`, body), 400);
  });

  test('a missing element is 404 when waited for', async () => {
    const [id] = await createVertices(service, [{}, {}]);
    await call('DELETE', `/graphelement/${id}${waited}`);
    for (const missing of [id, 99, -5]) {
      expectEmpty(await call('PUT', `/graphelement/${missing}/k`, property('k', 'v')), 202);
      expectProblem(await call('PUT', `/graphelement/${missing}/k${waited}`, property('k', 'v')), 404, 'Not Found');
      expectProblem(await call('DELETE', `/graphelement/${missing}/k${waited}`), 404, 'Not Found');
    }
  });

  test('ids that are none are 400', async () => {
    for (const id of ['x', '2147483648']) {
      expectProblem(await call('PUT', `/graphelement/${id}/k`, property('k', 'v')), 400);
      expectProblem(await call('DELETE', `/graphelement/${id}/k`), 400);
      expectProblem(await call('DELETE', `/graphelement/${id}`), 400);
    }
  });
});

describe('PUT /graphelements/properties', () => {
  const put = (json: unknown, suffix = waited) => call('PUT', `/graphelements/properties${suffix}`, json);
  const set = (
    graphElementId: unknown,
    propertyId: string,
    propertyValue: string,
    fullQualifiedTypeName = 'String',
  ) => ({
    graphElementId,
    propertyId,
    propertyValue,
    fullQualifiedTypeName,
  });

  test('sets and removes on many elements; the last write of a key wins', async () => {
    const [a, b] = await createVertices(service, [{ properties: [property('gone', 'x')] }, {}]);
    const changes = [
      set(a, 'k', 'first'),
      { graphElementId: a, propertyId: 'gone', remove: true },
      set(`${b}`, 'n', '5', 'int'),
      set(a, 'k', 'last'),
      { graphElementId: b, propertyId: 'absent', remove: true, propertyValue: 5, fullQualifiedTypeName: null },
    ];
    expectEmpty(await put(changes), 202);
    expect(await read(a)).toMatchObject({ properties: [{ propertyId: 'k', propertyValue: 'last' }] });
    expect(await read(b)).toMatchObject({ properties: [{ propertyId: 'n', fullQualifiedTypeName: 'System.Int32' }] });
    expectEmpty(await put([]), 202);
  });

  test('what is wrong with a property says which property of which element', async () => {
    const [a, b] = await createVertices(service, [{}, {}]);
    for (const wrong of [
      set(b, 'k', '1', 'System.Nothing'),
      set(b, 'k', 'x', 'Int32'),
      set(b, '$embedding:k', '1'),
      { graphElementId: b, propertyId: '$embedding:k', remove: true },
    ]) {
      const { detail } = expectProblem(await put([set(a, 'k', 'v'), wrong]), 400, 'Bad Request');
      expect(detail).toContain(`Property '${wrong.propertyId}' of element ${b} `);
    }
    const item = { properties: [property('k', '1', 'System.Nothing')] };
    const { detail } = expectProblem(await call('PUT', '/vertices', [{}, {}, item]), 500);
    expect(detail).toContain("Property 'k' of element 2 of the request");
  });

  test('a missing element rolls everything back', async () => {
    const [a, b] = await createVertices(service, [{}, {}]);
    await call('DELETE', `/graphelement/${b}${waited}`);
    for (const missing of [99, b]) {
      expectProblem(await put([set(a, 'k', 'v'), set(missing, 'k', 'v')]), 404, 'Not Found');
      expectEmpty(await put([set(a, 'k', 'v'), set(missing, 'k', 'v')], ''), 202);
    }
    expect(await read(a)).toMatchObject({ properties: [] });
  });

  test('a bad literal is 400, names property and element, and changes nothing', async () => {
    const [a] = await createVertices(service, [{}]);
    for (const bad of [set(a, 'bad', 'x', 'Int32'), set(a, 'bad', 'x', 'Foo')]) {
      const problem = expectProblem(await put([set(a, 'k', 'v'), bad]), 400, 'Bad Request');
      expect(problem.detail).toContain("'bad'");
    }
    expect(await read(a)).toMatchObject({ properties: [] });
  });

  test.each([
    ['null', null],
    ['an object', {}],
    ['a null item', [null]],
    ['no element', [{ propertyId: 'k' }]],
    ['no key', [{ graphElementId: 0 }]],
    ['an empty key', [{ graphElementId: 0, propertyId: '' }]],
    ['an id beyond int32', [{ graphElementId: 2 ** 31, propertyId: 'k' }]],
    ['a remove that is no Boolean', [{ graphElementId: 0, propertyId: 'k', remove: 'yes' }]],
  ])('%s is 400', async (_, body) => {
    await createVertices(service, [{}]);
    expectProblem(await put(body), 400, 'One or more validation errors occurred.');
  });
});

describe('deleting', () => {
  test('a vertex goes with its edges, an edge alone', async () => {
    const [a, b] = await createVertices(service, [{}, {}]);
    const [ab, ba, bb] = await createEdges(service, [
      { sourceVertex: a, targetVertex: b, edgePropertyId: 'x' },
      { sourceVertex: b, targetVertex: a, edgePropertyId: 'x' },
      { sourceVertex: b, targetVertex: b, edgePropertyId: 'y' },
    ]);
    expectEmpty(await call('DELETE', `/graphelement/${ab}${waited}`), 202);
    expect(await read(a)).toMatchObject({ outEdges: null, inEdges: { x: [ba] } });
    expectEmpty(await call('DELETE', `/graphelement/${a}`), 202);
    for (const gone of [a, ab, ba]) expectEmpty(await call('GET', `/graphelement/${gone}`), 204);
    expect(await read(b)).toMatchObject({ outEdges: { y: [bb] }, inEdges: { y: [bb] } });
  });

  test('a missing element is 404 when waited for', async () => {
    const [a] = await createVertices(service, [{}, {}]);
    await call('DELETE', `/graphelement/${a}${waited}`);
    for (const missing of [a, 99, -1]) {
      expectEmpty(await call('DELETE', `/graphelement/${missing}`), 202);
      expectProblem(await call('DELETE', `/graphelement/${missing}${waited}`), 404, 'Not Found');
    }
  });

  test('many at once; removed ids are skipped, never assigned ones refuse all', async () => {
    const ids = await createVertices(service, [{}, {}, {}]);
    const [edge] = await createEdges(service, [{ sourceVertex: ids[0], targetVertex: ids[1], edgePropertyId: 'x' }]);
    expectProblem(await call('DELETE', `/graphelements${waited}`, [ids[0], 99]), 404, 'Not Found');
    expect(await vertexCount()).toBe(3);
    expectEmpty(await call('DELETE', `/graphelements${waited}`, [ids[0], ids[0], edge, `${ids[1]}`]), 202);
    expectEmpty(await call('DELETE', `/graphelements${waited}`, [ids[0], ids[2]]), 202);
    expect(await vertexCount()).toBe(0);
    expectEmpty(await call('DELETE', '/graphelements', []), 202);
  });

  test.each([null, {}, [1.5], ['x'], [null], [2 ** 31]])('the body %j is 400', async (body) => {
    expectProblem(await call('DELETE', '/graphelements', body), 400, 'One or more validation errors occurred.');
  });

  test('ids of removed elements are not given again', async () => {
    const [a] = await createVertices(service, [{}]);
    await call('DELETE', `/graphelement/${a}${waited}`);
    expect(await createVertices(service, [{}])).toEqual([1]);
  });
});

describe('the whole graph', () => {
  test('HEAD /tabularasa empties it before it answers, and ids begin at 0 again', async () => {
    await createVertices(service, [{}, {}]);
    const answer = await call('HEAD', `/tabularasa${waited}`);
    expectEmpty(answer, 200);
    expect(await vertexCount()).toBe(0);
    expect(await createVertices(service, [{}])).toEqual([0]);
  });

  test('HEAD /trim renumbers survivors in the order of their old ids', async () => {
    const [a, b, c] = await createVertices(service, [{ label: 'a' }, { label: 'b' }, { label: 'c' }]);
    const [edge] = await createEdges(service, [{ sourceVertex: c, targetVertex: b, edgePropertyId: 'x' }]);
    expect([a, b, c, edge]).toEqual([0, 1, 2, 3]);
    await call('DELETE', `/graphelement/${a}${waited}`);
    expectEmpty(await call('HEAD', '/trim'), 200);
    expect(await read(0)).toMatchObject({ label: 'b', inEdges: { x: [2] } });
    expect(await read(1)).toMatchObject({ label: 'c', outEdges: { x: [2] } });
    expect(await read(2)).toMatchObject({ sourceVertex: 1, targetVertex: 0 });
    expect(await createVertices(service, [{}])).toEqual([3]);
  });

  test.each(['/tabularasa', '/tabularasa/all', '/trim'])('GET %s is 405', async (path) => {
    expect((await call('GET', path)).headers.allow).toBe('HEAD');
    expectProblem(await call('GET', path), 405, 'Method Not Allowed');
  });

  test('PUT /unittest appends the canned sample', async () => {
    expectEmpty(await call('PUT', '/unittest'), 200);
    const graph = expectJson(await call('GET', '/graph')) as {
      vertices: { id: number; label: string; properties: { propertyId: string; propertyValue: string }[] }[];
      edges: { id: number; sourceVertex: number; targetVertex: number; edgePropertyId: string; label: string | null }[];
    };
    expect(graph.vertices.map(({ id, label, properties }) => [id, label, properties[0]?.propertyValue])).toEqual(
      ['Alice', 'Bob', 'Eve', 'Mallory', 'Trent'].map((name, id) => [id, 'person', name]),
    );
    expect(
      graph.edges.map((edge) => [edge.id, edge.sourceVertex, edge.edgePropertyId, edge.targetVertex, edge.label]),
    ).toEqual([
      [5, 0, 'communicatesWith', 1, null],
      [6, 0, 'trusts', 4, 'trusts'],
      [7, 1, 'trusts', 4, 'trusts'],
      [8, 2, 'attacks', 0, null],
      [9, 3, 'attacks', 0, null],
      [10, 3, 'attacks', 1, null],
    ]);
    expectEmpty(await call('PUT', '/unittest'), 200);
    expect(await vertexCount()).toBe(10);
    expect(await read(11)).toMatchObject({ properties: [{ propertyValue: 'Alice' }], outEdges: { trusts: [17] } });
  });
});
