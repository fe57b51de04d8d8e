// Contract part 1, Elements: the reads, their shapes and their absences.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createEdges,
  createVertices,
  erase,
  expectEmpty,
  expectJson,
  expectProblem,
  property,
} from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => erase(service));

const person = {
  creationDate: 1_700_000_000,
  label: 'person',
  properties: [property('name', 'Alice'), property('age', '30', 'System.Int32')],
};

async function couple(): Promise<{ alice: number; bob: number; knows: number }> {
  const [alice = -1, bob = -1] = await createVertices(service, [person, { creationDate: 0 }]);
  const edge = { sourceVertex: alice, targetVertex: bob, edgePropertyId: 'knows', label: 'friend', creationDate: 5 };
  const [knows = -1] = await createEdges(service, [edge]);
  return { alice, bob, knows };
}

describe('one element', () => {
  test("a vertex has its members in the contract's order", async () => {
    const { alice, knows } = await couple();
    const vertex = expectJson(await service.call('GET', `/vertex/${alice}`)) as object;
    expect(vertex).toEqual({
      id: alice,
      creationDate: '2023-11-14T22:13:20',
      modificationDate: '2023-11-14T22:13:20',
      label: 'person',
      properties: [
        { propertyId: 'age', fullQualifiedTypeName: 'System.Int32', propertyValue: '30' },
        { propertyId: 'name', fullQualifiedTypeName: 'System.String', propertyValue: 'Alice' },
      ],
      outEdges: { knows: [knows] },
      inEdges: null,
    });
    expect(Object.keys(vertex)).toEqual([
      'id',
      'creationDate',
      'modificationDate',
      'label',
      'properties',
      'outEdges',
      'inEdges',
    ]);
  });

  test('an edge has its ends, its type and its label', async () => {
    const { alice, bob, knows } = await couple();
    const edge = expectJson(await service.call('GET', `/edge/${knows}`));
    expect(edge).toEqual({
      id: knows,
      creationDate: '1970-01-01T00:00:05',
      modificationDate: '1970-01-01T00:00:05',
      label: 'friend',
      properties: [],
      sourceVertex: alice,
      targetVertex: bob,
      edgePropertyId: 'knows',
    });
  });

  test('a bare vertex has null label and maps, and no properties', async () => {
    const [id] = await createVertices(service, [{ creationDate: 0 }]);
    const vertex = expectJson(await service.call('GET', `/vertex/${id}`));
    expect(vertex).toMatchObject({ label: null, properties: [], outEdges: null, inEdges: null });
  });

  test('graphelement answers either kind', async () => {
    const { alice, knows } = await couple();
    expect(expectJson(await service.call('GET', `/graphelement/${alice}`))).toHaveProperty('outEdges');
    expect(expectJson(await service.call('GET', `/graphelement/${knows}`))).toHaveProperty('edgePropertyId', 'knows');
  });

  test('absence is 204 without a body, also for the other kind and for negative ids', async () => {
    const { alice, knows } = await couple();
    const paths = [
      '/vertex/999',
      '/edge/999',
      '/graphelement/999',
      '/vertex/-1',
      '/vertex/2147483647',
      '/edge/-2147483648',
    ];
    for (const path of [...paths, `/vertex/${knows}`, `/edge/${alice}`])
      expectEmpty(await service.call('GET', path), 204);
  });

  test.each(['abc', '1.5', '2147483648', '-2147483649', '99999999999999999999', '1e3', '%20', '0x1', 'NaN', '--1'])(
    'the id %s is 400',
    async (id) => {
      for (const path of ['/vertex/', '/edge/', '/graphelement/']) {
        expectProblem(await service.call('GET', path + id), 400, 'Bad Request');
      }
    },
  );

  test('HEAD answers like GET without its body', async () => {
    const { alice } = await couple();
    const head = await service.call('HEAD', `/vertex/${alice}`);
    const get = await service.call('GET', `/vertex/${alice}`);
    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await service.call('HEAD', '/vertex/999')).status).toBe(204);
  });

  test('a label, a type and a key of any plane come back as they went in', async () => {
    const text = 'a"b\\c/é漢😀\u0000\u001f\u2028';
    const [id] = await createVertices(service, [{ creationDate: 0, label: text, properties: [property(text, text)] }]);
    const [edge] = await createEdges(service, [
      { sourceVertex: id, targetVertex: id, edgePropertyId: text, creationDate: 0 },
    ]);
    const vertex = expectJson(await service.call('GET', `/vertex/${id}`));
    expect(vertex).toMatchObject({ label: text, outEdges: { [text]: [edge] }, inEdges: { [text]: [edge] } });
    expect(vertex).toHaveProperty('properties', [
      { propertyId: text, fullQualifiedTypeName: 'System.String', propertyValue: text },
    ]);
  });

  test('an unpaired surrogate stays what it is', async () => {
    const body =
      '[{"creationDate":0,"label":"\\ud800x","properties":[{"propertyId":"k\\udc00","propertyValue":"\\ude00\\ud83d","fullQualifiedTypeName":"String"}]}]';
    const headers = { 'content-type': 'application/json' };
    const created = await service.call('PUT', '/vertices?waitForCompletion=true', { body, headers });
    expect(created.status).toBe(200);
    const vertex = expectJson(await service.call('GET', `/vertex/${created.json[0]}`));
    expect(vertex).toMatchObject({ label: '\ud800x' });
    expect(vertex).toHaveProperty('properties.0.propertyId', 'k\udc00');
    expect(vertex).toHaveProperty('properties.0.propertyValue', '\ude00\ud83d');
  });

  test('__proto__ and constructor are ordinary names', async () => {
    const properties = [property('__proto__', 'a'), property('constructor', 'b')];
    const [id] = await createVertices(service, [{ creationDate: 0, label: '__proto__', properties }]);
    await createEdges(service, [{ sourceVertex: id, targetVertex: id, edgePropertyId: '__proto__', creationDate: 0 }]);
    const answer = await service.call('GET', `/vertex/${id}`);
    expect(answer.json.properties.map((one: { propertyId: string }) => one.propertyId)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(answer.text).toContain('"outEdges":{"__proto__":[');
  });
});

describe('value texts of reads', () => {
  test.each([
    ['System.String', ' a b ', ' a b '],
    ['System.String', '', ''],
    ['Boolean', 'tRuE', 'True'],
    ['bool', 'false', 'False'],
    ['Byte', '255', '255'],
    ['sbyte', '-128', '-128'],
    ['short', '-32768', '-32768'],
    ['UInt16', '65535', '65535'],
    ['int', '+7', '7'],
    ['uint', '4294967295', '4294967295'],
    ['long', '-9223372036854775808', '-9223372036854775808'],
    ['ulong', '18446744073709551615', '18446744073709551615'],
    ['float', '0.1', '0.1'],
    ['Single', '16777217', '16777216'],
    ['double', '0.8', '0.8'],
    ['Double', '1e300', '1E+300'],
    ['Double', '-0', '-0'],
    ['Double', 'NaN', 'NaN'],
    ['decimal', '1.10', '1.10'],
    ['Decimal', '79228162514264337593543950335', '79228162514264337593543950335'],
    ['Char', 'é', 'é'],
    ['DateTime', '2024-02-29', '2024-02-29T00:00:00.0000000'],
    ['DateTime', '2024-02-29T12:34:56.1234567Z', '2024-02-29T12:34:56.1234567Z'],
    ['DateTimeOffset', '2024-02-29T12:34:56+02:00', '2024-02-29T12:34:56.0000000+02:00'],
    ['TimeSpan', '1.02:03:04.5', '1.02:03:04.5000000'],
    ['Guid', '00112233-4455-6677-8899-AABBCCDDEEFF', '00112233-4455-6677-8899-aabbccddeeff'],
  ])('%s %s reads as %s', async (type, text, expected) => {
    const [id] = await createVertices(service, [{ creationDate: 0, properties: [property('v', text, type)] }]);
    const vertex = expectJson(await service.call('GET', `/vertex/${id}`));
    expect(vertex).toHaveProperty('properties.0.propertyValue', expected);
    expect(
      (vertex as { properties: { fullQualifiedTypeName: string }[] }).properties[0]?.fullQualifiedTypeName,
    ).toMatch(/^System\.[A-Z]/);
  });
});

describe('POST /graphelements/get', () => {
  const get = (json: unknown) => service.call('POST', '/graphelements/get', { json });

  test('elements in request order with their kind; missing ids apart; duplicates collapse', async () => {
    const { alice, bob, knows } = await couple();
    const page = expectJson(await get([knows, 77, alice, knows, 77, bob])) as {
      elements: object[];
      notFound: number[];
    };
    expect(Object.keys(page)).toEqual(['elements', 'notFound']);
    expect(page.notFound).toEqual([77]);
    expect(page.elements).toMatchObject([
      { kind: 'edge', id: knows, label: 'friend', properties: [] },
      { kind: 'vertex', id: alice, label: 'person' },
      { kind: 'vertex', id: bob, label: null },
    ]);
    for (const element of page.elements) {
      expect(Object.keys(element)).toEqual(['kind', 'id', 'creationDate', 'modificationDate', 'label', 'properties']);
    }
  });

  test('no ids, and ids as quoted strings', async () => {
    const { alice } = await couple();
    expect(expectJson(await get([]))).toEqual({ elements: [], notFound: [] });
    expect(expectJson(await get([String(alice)]))).toMatchObject({ elements: [{ id: alice }] });
  });

  test('at most 100000 ids', async () => {
    const ids = Array.from({ length: 100_001 }, (_, index) => index);
    expectProblem(await get(ids), 400);
    expect(expectJson(await get(ids.slice(1)))).toMatchObject({ elements: [] });
  });

  test.each([null, {}, 5, 'x', [1.5], ['a'], [null], [2 ** 31], [[1]]])('the body %j is 400', async (body) => {
    expectProblem(await get(body), 400, 'One or more validation errors occurred.');
  });
});

describe('GET /graph', () => {
  test('all elements, each list by ascending id', async () => {
    const { alice, bob, knows } = await couple();
    const page = expectJson(await service.call('GET', '/graph')) as {
      vertices: { id: number }[];
      edges: { id: number }[];
    };
    expect(Object.keys(page)).toEqual(['edges', 'vertices']);
    expect(page.vertices.map(({ id }) => id)).toEqual([alice, bob]);
    expect(page.edges).toMatchObject([{ id: knows, sourceVertex: alice, targetVertex: bob }]);
    expect(page.vertices[0]).toHaveProperty('outEdges', { knows: [knows] });
  });

  test('maxElements bounds each list by itself; negative gives none', async () => {
    await couple();
    const page = expectJson(await service.call('GET', '/graph?maxElements=1')) as { vertices: []; edges: [] };
    expect([page.vertices.length, page.edges.length]).toEqual([1, 1]);
    expect(expectJson(await service.call('GET', '/graph?maxElements=-5'))).toEqual({ vertices: [], edges: [] });
    expect(expectJson(await service.call('GET', '/graph?maxElements=0'))).toEqual({ vertices: [], edges: [] });
    expect(expectJson(await service.call('GET', '/graph?MAXELEMENTS=2147483647'))).toHaveProperty('vertices.length', 2);
  });

  test('1000 of each when it is not given', async () => {
    await createVertices(
      service,
      Array.from({ length: 1001 }, () => ({ creationDate: 0 })),
    );
    expect(expectJson(await service.call('GET', '/graph'))).toHaveProperty('vertices.length', 1000);
    expect(expectJson(await service.call('GET', '/graph?maxElements=1001'))).toHaveProperty('vertices.length', 1001);
  });

  test.each(['x', '', '1.5', '2147483648'])('maxElements=%s is 400', async (value) => {
    expectProblem(await service.call('GET', `/graph?maxElements=${value}`), 400, 'Bad Request');
  });
});

test('the counts are bare numbers of what is live', async () => {
  const { bob, alice } = await couple();
  expect(expectJson(await service.call('GET', '/vertex/count'))).toBe(2);
  expect(expectJson(await service.call('GET', '/edge/count'))).toBe(1);
  await service.call('DELETE', `/graphelement/${bob}?waitForCompletion=true`);
  expect(expectJson(await service.call('GET', '/vertex/count'))).toBe(1);
  expect(expectJson(await service.call('GET', '/edge/count'))).toBe(0);
  expect(expectJson(await service.call('GET', `/vertex/${alice}`))).toHaveProperty('outEdges', null);
});
