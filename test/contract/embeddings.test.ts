// Contract part 3, Element embeddings: the vectors that elements carry, under which names, and what refuses them.

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
let vertex = 0;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await erase(service);
  [vertex = -1] = await createVertices(service, [{ label: 'a' }]);
});

const call = (method: string, path: string, json?: unknown) =>
  service.call(method, path, json === undefined ? {} : { json });
const put = (id: number, name: string, vector: unknown, query = waited) =>
  call('PUT', `/graphelement/${id}/embedding/${name}${query}`, { vector });
const get = (id: number, name: string) => call('GET', `/graphelement/${id}/embedding/${name}`);
const remove = (id: number, name: string, query = waited) =>
  call('DELETE', `/graphelement/${id}/embedding/${name}${query}`);

describe('writing and reading', () => {
  test('an embedding is kept in single precision and replaced as a whole', async () => {
    expectEmpty(await put(vertex, 'default', [0.1, -2, 3e-5]), 202);
    expect(expectJson(await get(vertex, 'default'))).toEqual({
      name: 'default',
      vector: [0.1, -2, 3e-5],
      model: null,
    });
    expectEmpty(await put(vertex, 'default', ['7', 8.5], ''), 202);
    expect(expectJson(await get(vertex, 'default'))).toMatchObject({ vector: [7, 8.5] });
  });

  test('names differ in any case and may hold vectors of different lengths, on edges too', async () => {
    const [edge = -1] = await createEdges(service, [
      { sourceVertex: vertex, targetVertex: vertex, edgePropertyId: 'e' },
    ]);
    await put(edge, 'A-_9', [1]);
    await put(edge, 'a-_9', [1, 2]);
    await put(edge, 'n'.repeat(64), new Array(4096).fill(1));
    expect(expectJson(await get(edge, 'A-_9'))).toMatchObject({ vector: [1] });
    expect(expectJson(await get(edge, 'a-_9'))).toMatchObject({ vector: [1, 2] });
    const { vector } = expectJson(await get(edge, 'n'.repeat(64))) as { vector: number[] };
    expect(vector.length).toBe(4096);
  });

  test('reads of the element list it under its reserved key', async () => {
    await put(vertex, 'x', [1, 0.5, -3]);
    const { properties } = expectJson(await call('GET', `/vertex/${vertex}`)) as { properties: object[] };
    expect(properties).toEqual([
      { propertyId: '$embedding:x', fullQualifiedTypeName: 'System.Single[]', propertyValue: '[1,0.5,-3]' },
    ]);
  });

  test('removing takes it away; removing what is not there is accepted and changes nothing', async () => {
    await put(vertex, 'x', [1]);
    expectEmpty(await remove(vertex, 'x'), 202);
    expectProblem(await get(vertex, 'x'), 404);
    const before = (await call('GET', `/vertex/${vertex}`)).text;
    expectEmpty(await remove(vertex, 'x'), 202);
    expectEmpty(await remove(vertex, 'x', ''), 202);
    expect((await call('GET', `/vertex/${vertex}`)).text).toBe(before);
  });

  test('the reserved keys come last among the properties, wherever an element is shown', async () => {
    const properties = ['z', '!a', '$q', 'name', '$a'].map((key) => property(key, key));
    const [id = -1] = await createVertices(service, [{ properties }]);
    await put(id, 'x', [1, 2]);
    const keys = ['!a', 'name', 'z', '$a', '$embedding:x', '$q'];
    const keysOf = (element: unknown): string[] =>
      (element as { properties: { propertyId: string }[] }).properties.map(({ propertyId }) => propertyId);
    for (const path of [`/vertex/${id}`, `/graphelement/${id}`]) {
      expect(keysOf(expectJson(await call('GET', path))), path).toEqual(keys);
    }
    const { vertices } = expectJson(await call('GET', '/graph')) as { vertices: object[] };
    expect(keysOf(vertices[1])).toEqual(keys);
    const { elements } = expectJson(await call('POST', '/graphelements/get', [id])) as { elements: object[] };
    expect(keysOf(elements[0])).toEqual(keys);
  });

  test('an import takes 4096 components and refuses 4097', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    for (const [count, status] of [
      [4096, 200],
      [4097, 400],
    ] as const) {
      await erase(service);
      const value = Array.from({ length: count }, (_, i) => i).join(',');
      const properties = { '$embedding:x': { type: 'System.Single[]', value } };
      const body = JSON.stringify({ type: 'vertex', id: 1, creationDate: 1, properties });
      expect((await service.call('POST', '/bulk/import', { body, headers })).status).toBe(status);
    }
  });

  test('a write of the caller’s own clears the stamp that an import brought', async () => {
    await erase(service);
    const line = {
      type: 'vertex',
      id: 1,
      label: null,
      creationDate: 1,
      properties: {
        '$embedding:x': { type: 'System.Single[]', value: '1,2' },
        '$embeddingModel:x': { type: 'System.String', value: 'model@1#2#Cosine' },
      },
    };
    const meta = { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: 1, edgeCount: 0 };
    const body = `${JSON.stringify(meta)}\n${JSON.stringify(line)}\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    expect((await service.call('POST', '/bulk/import', { body, headers })).status).toBe(200);
    expect(expectJson(await get(0, 'x'))).toEqual({ name: 'x', vector: [1, 2], model: 'model@1#2#Cosine' });
    await put(0, 'x', [1, 2]);
    expect(expectJson(await get(0, 'x'))).toMatchObject({ vector: [1, 2], model: null });
    const exported = (await call('GET', '/bulk/export')).text;
    expect(exported).toContain('"$embedding:x":{"type":"System.Single[]","value":"1,2"}');
    expect(exported).not.toContain('$embeddingModel');
  });
});

describe('what is refused', () => {
  test.each(['a b', 'ä', 'a.b', '%2F', 'n'.repeat(65)])('the name %j', async (name) => {
    const encoded = encodeURIComponent(decodeURIComponent(name));
    expectProblem(await put(vertex, encoded, [1]), 400);
    expectProblem(await get(vertex, encoded), 400);
    expectProblem(await remove(vertex, encoded), 400);
  });

  test.each([
    ['nothing', null],
    ['no components', []],
    ['4097 components', new Array(4097).fill(1)],
    ['more than single precision holds', [1, 1e39]],
    ['something that is no number', [1, 'x']],
    ['null among numbers', [null]],
    ['no list', 5],
  ])('a vector of %s', async (_, vector) => {
    expectProblem(await put(vertex, 'x', vector), 400);
    expectProblem(await get(vertex, 'x'), 404);
  });

  test('a body that is none', async () => {
    expectProblem(await call('PUT', `/graphelement/${vertex}/embedding/x`), 400);
    expectProblem(await call('PUT', `/graphelement/${vertex}/embedding/x`, {}), 400);
  });

  test('elements that are not there, waited for or not', async () => {
    for (const query of ['', waited]) {
      expectProblem(await put(99, 'x', [1], query), 404);
      expectProblem(await put(-1, 'x', [1], query), 404);
      expectProblem(await remove(99, 'x', query), 404);
    }
    expectProblem(await get(99, 'x'), 404);
    expectProblem(await call('GET', '/graphelement/x/embedding/y'), 400);
  });

  test('what a bound index of that name would reject, and only that', async () => {
    const options = {
      dimension: { propertyValue: '2', fullQualifiedTypeName: 'System.Int32', propertyId: 'dimension' },
      embeddingName: { propertyValue: 'x', fullQualifiedTypeName: 'System.String', propertyId: 'embeddingName' },
    };
    const created = await call('POST', '/index', { uniqueId: 'i', pluginType: 'VectorIndex', pluginOptions: options });
    expect(expectJson(created)).toBe(true);
    expectProblem(await put(vertex, 'x', [1]), 400);
    expectProblem(await put(vertex, 'x', [0, 0]), 400);
    expectProblem(await put(vertex, 'x', [1e-30, 0]), 400);
    expectEmpty(await put(vertex, 'y', [0, 0, 0]), 202);
    expectEmpty(await put(vertex, 'x', [0, 1]), 202);
  });
});
