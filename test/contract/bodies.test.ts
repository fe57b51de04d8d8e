// Bodies that cost their sender more than the service: limits of items, values and depth, on every route that takes a list or a map;
// long ones are read in slices; and what no body at all means.

import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createNodePlatform } from '../../runtime-node/http-platform.ts';
import { Configuration } from '../../src/config/configuration.ts';
import { createHandler } from '../../src/http/handler.ts';
import { NaiveEngine } from '../model/naive-engine.ts';
import { createVertices, expectEmpty, expectJson, expectProblem, waited } from './support/requests.ts';
import { isReal } from './support/service.ts';
import { withService } from './support/with-service.ts';

const validation = 'One or more validation errors occurred.';
const listRoutes = [
  ['PUT', '/vertices', {}],
  ['PUT', '/edges', { sourceVertex: 0, targetVertex: 0, edgePropertyId: 'e' }],
  ['PUT', '/graphelements/properties', { graphElementId: 0, propertyId: 'a' }],
  ['DELETE', '/graphelements', 0],
  ['POST', '/graphelements/get', 0],
] as const;

describe('limits of a body', () => {
  const limits = {
    'Http:MaxBatchItems': 3,
    'Http:MaxBodyValues': 40,
    'Http:MaxItemValues': 20,
    'Http:MaxBodyDepth': 4,
  };
  const service = withService(limits);

  test.each(listRoutes)('%s %s takes as many items as the limit says, and not one more', async (method, path, item) => {
    await createVertices(service(), [{}]);
    for (const count of [2, 3]) {
      const { status } = await service().call(method, path, { json: Array(count).fill(item) });
      expect([200, 202]).toContain(status);
    }
    for (const bad of [item, '', null]) {
      const answer = await service().call(method, path, { json: Array(4).fill(bad) });
      expect(expectProblem(answer, 413, 'Content Too Large').detail).toContain('3 items');
    }
  });

  test('values of one item and of the whole', async () => {
    const put = (items: number[]) =>
      service().call('PUT', `/vertices${waited}`, { json: items.map((count) => ({ unknown: Array(count).fill(0) })) });
    expectJson(await put([18]));
    expectJson(await put([19]));
    expect(expectProblem(await put([20]), 413, 'Content Too Large').detail).toContain('20 values');
    expectJson(await put([18, 17]));
    expectJson(await put([18, 18]));
    expect(expectProblem(await put([18, 19]), 413, 'Content Too Large').detail).toContain('40 values');
  });

  test('depth', async () => {
    const put = (depth: number) =>
      service().call('PUT', '/vertex', { body: `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}` });
    expectEmpty(await put(2), 202);
    expectEmpty(await put(3), 202);
    const { detail, errors } = expectProblem(await put(4), 400, validation);
    expect(detail).toContain('4 levels');
    expect(errors).toEqual({ $: [detail] });
  });

  test.each([
    ['PUT', '/vertex', { properties: Array(30).fill({}) }],
    ['POST', '/index', { pluginOptions: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`o${i}`, {}])) }],
    ['POST', '/analytics/WCC', { parameters: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, 1])) }],
    ['POST', '/scan/index/vector', { indexId: 'a', query: Array(30).fill(0) }],
    ['PUT', '/index/vector/a', { vector: Array(30).fill(0) }],
    ['PUT', '/graphelement/0/embedding/a', { vector: Array(30).fill(0) }],
    ['POST', '/path/0/to/0', { semantic: { queryVector: Array(30).fill(0) } }],
    ['PUT', '/subgraph', { name: 'a', patterns: Array(30).fill({}) }],
    ['POST', '/storedquery', { name: 'a', kind: 'SubGraph', subGraph: { patterns: Array(30).fill({}) } }],
  ])('%s %s is held to the values of one item', async (method, path, json) => {
    expectProblem(await service().call(method, path, { json }), 413, 'Content Too Large');
  });
});

describe('what all bodies together may take', () => {
  const limit = 4_000_000;
  const service = withService({ 'Http:MaxHeldBodyBytes': limit, 'Http:MaxObjectMembers': 100 });

  /** A connection whose body stops a byte before its end. */
  async function leftOpen(bytes: number): Promise<Socket> {
    const { hostname, port } = new URL(service().url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.write(
      `PUT /vertices HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${bytes + 1}\r\n\r\n`,
    );
    await new Promise<void>((resolve) => {
      socket.write(Buffer.alloc(bytes, ' '), () => resolve());
    });
    return socket;
  }

  const large = () => service().call('PUT', `/vertices${waited}`, { body: `[]${' '.repeat(1_000_000)}` });

  test('is bounded, whoever stops before the end; small ones still come in, and what is let go is free again', async () => {
    expectJson(await large());
    const open = await Promise.all([1, 2, 3, 4].map(() => leftOpen(limit / 4 - 1000)));
    await expect.poll(async () => (await large()).status, { timeout: 60_000 }).toBe(503);
    const refused = await large();
    expect(expectProblem(refused, 503, 'Service overloaded').detail).toContain('Http:MaxHeldBodyBytes');
    expect(refused.headers['retry-after']).toBe('1');
    expectEmpty(await service().call('PUT', '/vertex', { json: {} }), 202);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await large()).status, { timeout: 60_000 }).toBe(200);
  });

  test('does not keep one that is alone out, and is given back after refusals and answers of every kind', {
    tags: ['long'],
  }, async () => {
    const put = (body: string) => service().call('PUT', `/vertices${waited}`, { body });
    for (let i = 0; i < 5; i++) {
      expectProblem(await put(`[7${' '.repeat(5_000_000)}]`), 400, validation);
      expectProblem(await put(`[${' '.repeat(5_000_000)}`), 400, validation);
      expectJson(await put(`[${' '.repeat(5_000_000)}]`));
      expectProblem(await put(' '.repeat(30_000_001)), 413, 'Content Too Large');
    }
  });

  test('an object has so many members, wherever it stands', async () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 1]));
    const put = (json: unknown) => service().call('PUT', `/vertices${waited}`, { json });
    expectJson(await put([members(99), members(100)]));
    const deep = [{}, { properties: [{ propertyId: 'a', propertyValue: '1', more: members(101) }] }];
    for (const json of [[members(101)], deep])
      expect(expectProblem(await put(json), 413, 'Content Too Large').detail).toContain('Http:MaxObjectMembers');
  });

  test('a number has a few thousand digits at most', async () => {
    const put = (digits: number) => service().call('PUT', '/vertex', { body: `{"unknown":0.${'1'.repeat(digits)}}` });
    expectEmpty(await put(4096), 202);
    expect(expectProblem(await put(4097), 400, validation).detail).toContain('4096 digits');
  });
});

describe('one text, and the properties of one element', () => {
  const service = withService({ 'Http:MaxTextBytes': 60, 'Http:MaxProperties': 3 });

  test('a text has so many bytes, as a value, a name, a key, of a list or alone', async () => {
    const label = (length: number) => ({ label: 'x'.repeat(length) });
    const named = (length: number) => ({ [`m${'x'.repeat(length - 1)}`]: 1 });
    for (const make of [label, named]) {
      for (const length of [59, 60]) {
        expectEmpty(await service().call('PUT', '/vertex', { json: make(length) }), 202);
        expectJson(await service().call('PUT', `/vertices${waited}`, { json: [{}, make(length)] }));
      }
      for (const [path, json] of [
        ['/vertex', make(61)],
        [`/vertices${waited}`, [{}, make(61)]],
      ] as const) {
        const { detail } = expectProblem(await service().call('PUT', path, { json }), 413, 'Content Too Large');
        expect(detail).toContain('60 bytes of Http:MaxTextBytes');
      }
    }
    expectProblem(await service().call('PUT', '/vertex', { body: `{"label":"${'\\u0041'.repeat(11)}"}` }), 413);
    expectEmpty(await service().call('PUT', '/vertex', { body: `{"label":"${'\\u0041'.repeat(10)}"}` }), 202);
  });

  test('an element is created with so many properties, in whatever case they are spelled', async () => {
    const properties = (count: number) => Array.from({ length: count }, (_, i) => ({ propertyId: `p${i}` }));
    const edge = { sourceVertex: 0, targetVertex: 0, edgePropertyId: 'e' };
    await createVertices(service(), [{}]);
    for (const [path, item] of [
      ['/vertex', {}],
      ['/vertices', {}],
      ['/edge', edge],
      ['/edges', edge],
    ] as const) {
      const put = (count: number, name = 'properties') => {
        const json = { ...item, [name]: properties(count) };
        return service().call('PUT', path, { json: path.endsWith('s') ? [item, json] : json });
      };
      for (const count of [2, 3]) expectEmpty(await put(count), 202);
      for (const name of ['properties', 'PROPERTIES']) {
        const { detail } = expectProblem(await put(4, name), 413, 'Content Too Large');
        expect(detail).toContain('An element has 4 properties; at most the 3 of Http:MaxProperties');
      }
    }
  });
});

describe('answers that nobody reads', () => {
  const service = withService({ 'Http:MaxHeldAnswerBytes': 30_100_000 });
  // Two of them leave less room than the answer to the write below takes, and the system's buffers take none whole.
  const text = 'x'.repeat(15_000_000);

  test.runIf(isReal)(
    'are bounded together; reading them, or going away, makes room again',
    { tags: ['long'] },
    async () => {
      await createVertices(service(), [
        { properties: [{ propertyId: 'a', propertyValue: text, fullQualifiedTypeName: 'String' }] },
        {},
      ]);
      const read = () => service().call('GET', '/vertex/0');
      const { hostname, port } = new URL(service().url);
      const asked = async (times: number): Promise<Socket> => {
        const socket = connect(Number(port), hostname).on('error', () => {});
        socket.write('GET /vertex/0 HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(times));
        // The head of the first answer has come; no more than a little of it is ever taken.
        await new Promise<void>((resolve) => socket.once('readable', () => resolve()));
        return socket;
      };
      // The first one takes all there is, with several answers on one connection, and gives all of them back when it goes.
      const idle = [await asked(3), await asked(1)];
      const refused = expectProblem(await read(), 503, 'Service overloaded');
      expect(refused.detail).toContain('Http:MaxHeldAnswerBytes');
      expectJson(await service().call('GET', '/vertex/1'));
      // A write that was made is told, however long its answer is.
      const many = await service().call('PUT', `/vertices${waited}`, { json: Array(20_000).fill({}) });
      expect((expectJson(many) as number[]).length).toBe(20_000);
      for (const socket of idle) socket.destroy();
      await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe(200);
      for (let i = 0; i < 3; i++) expectJson(await read());
    },
  );
});

describe('wrong items', () => {
  const service = withService({});

  test.each(listRoutes)('%s %s lists a hundred of them, each with its place', async (method, path) => {
    const answer = await service().call(method, path, { json: Array(1000).fill([]) });
    const { errors } = expectProblem(answer, 400, validation);
    const places = Object.keys(errors as object);
    expect(places).toEqual(Array.from({ length: 100 }, (_, index) => `[${index}]`));
  });

  test('behind many good ones they are found, and nothing is done', async () => {
    const before = (await service().call('GET', '/vertex/count')).json;
    const bodies = Array.from({ length: 40_000 }, () => ({ label: 'a' }) as unknown);
    bodies[31_234] = { label: 5 };
    const { errors } = expectProblem(
      await service().call('PUT', `/vertices${waited}`, { json: bodies }),
      400,
      validation,
    );
    expect(errors).toEqual({ '[31234].label': [expect.any(String)] });
    expect((await service().call('GET', '/vertex/count')).json).toBe(before);
  });

  test('of one element a hundred properties are listed', async () => {
    const { errors } = expectProblem(
      await service().call('PUT', '/vertex', { json: { properties: Array(500).fill(0) } }),
      400,
      validation,
    );
    expect(Object.keys(errors as object)).toHaveLength(100);
    expect(errors).toHaveProperty(['properties[99]']);
  });

  test('a list in many pieces keeps its order, whatever its texts hold', async () => {
    const labels = Array.from({ length: 3000 }, (_, i) => `],"[{\\${i}é${'x'.repeat(i % 90)}`);
    const json = labels.map((label) => ({ label }));
    const ids = expectJson(
      await service().call('PUT', `/vertices${waited}`, { body: JSON.stringify(json, null, 3) }),
    ) as number[];
    expect(ids).toHaveLength(labels.length);
    for (const i of [0, 1, 1499, 2999]) {
      expect((await service().call('GET', `/vertex/${ids[i]}`)).json.label).toBe(labels[i]);
    }
  });

  test.each([
    [
      'POST',
      '/index',
      'pluginOptions',
      (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`o${i}`, {}])),
      { uniqueId: 'many' },
    ],
    [
      'POST',
      '/analytics/NONE',
      'parameters',
      (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, 1])),
      {},
    ],
    ['PUT', '/subgraph', 'patterns', (n: number) => Array(n).fill({ type: 'Vertex' }), { name: 'many' }],
  ])('%s %s: %s of 999, 1000 and 1001 entries', async (method, path, member, entries, rest) => {
    for (const count of [999, 1000, 1001]) {
      const answer = await service().call(method, path, { json: { ...rest, [member]: entries(count) } });
      const errors = answer.status === 400 ? answer.json.errors : undefined;
      if (count > 1000) expect(errors).toEqual({ [member]: [expect.stringContaining('1000')] });
      else expect(errors).toBeUndefined();
    }
  });
});

test.each([
  ['plain', 'x'],
  ['of two bytes', 'é'],
  ['of three, parted from any place', '水'],
  ['of four', '𝄞'],
])('a long text, characters %s, is read in several turns', async (_, character) => {
  for (const before of ['', 'a', 'ab', 'abc']) {
    const label = before + character.repeat(3_000_000 / new TextEncoder().encode(character).length);
    const body = new TextEncoder().encode(JSON.stringify([{ label }]).slice(1, -1));
    let pauses = 0;
    const quiet = { info: () => {}, warn: () => {}, error: () => {} };
    const handler = createHandler({
      engine: new NaiveEngine({ maxNamespaces: 1 }),
      configuration: new Configuration([]),
      platform: {
        ...createNodePlatform(quiet),
        respond: (content, init) => new Response(content, init),
        readBody: async () => ({ ok: true, bytes: body }),
        pause: async () => {
          pauses++;
        },
      },
    });
    expect((await handler(new Request('http://a/vertex?waitForCompletion=true', { method: 'PUT' }))).status).toBe(202);
    // Each megabyte is looked at and made a text in a turn of its own, and what is parsed stands alone.
    expect(pauses).toBeGreaterThanOrEqual(2 + 3 + 2);
    const read = (await (await handler(new Request('http://a/vertex/0'))).json()) as { label: string };
    expect(read.label === label).toBe(true);
  }
});

test('a long list is read in slices, and requests in between are answered first', async () => {
  const engine = new NaiveEngine({ maxNamespaces: 1 });
  const body = new TextEncoder().encode(JSON.stringify(Array(5000).fill({})));
  let now = 0;
  const between: Promise<Response>[] = [];
  const answered: string[] = [];
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const handler = createHandler({
    engine,
    configuration: new Configuration([]),
    platform: {
      ...createNodePlatform(quiet),
      respond: (content, init) => new Response(content, init),
      readBody: async () => ({ ok: true, bytes: body }),
      monotonicMs: () => now++,
      pause: async () => {
        const read = handler(new Request('http://a/vertex/count'));
        between.push(read.finally(() => answered.push('read')));
        await read;
      },
    },
  });
  const put = await handler(new Request('http://a/vertices?waitForCompletion=true', { method: 'PUT' }));
  answered.push('put');
  expect(put.status).toBe(200);
  expect(between.length).toBeGreaterThan(10);
  expect(answered.indexOf('put')).toBe(between.length);
  for (const read of between) expect(await (await read).text()).toBe('0');
});

describe('no body at all', () => {
  const service = withService({});

  test('is one without members where none is required', async () => {
    expectEmpty(await service().call('PUT', `/vertex${waited}`), 202);
    expectJson(await service().call('PUT', '/save'));
  });

  test.each([
    ['PUT', '/vertices'],
    ['PUT', '/edge'],
    ['PUT', '/load'],
    ['PUT', '/graphelement/0/name'],
    ['POST', '/index'],
    ['PUT', '/index/a'],
    ['DELETE', '/index/a/propertyValue'],
    ['POST', '/path/0/to/0'],
    ['POST', '/delegates/validate'],
    ['POST', '/scan/graph/properties'],
  ])('is 400 for %s %s', async (method, path) => {
    const { errors } = expectProblem(await service().call(method, path), 400, validation);
    expect(errors).toEqual({ $: ['A non-empty request body is required.'] });
  });
});

describe('changes of elements with many properties', () => {
  const service = withService({});

  test.runIf(isReal)('are refused before they take more memory than they are worth', async () => {
    await createVertices(service(), [{}, {}]);
    // In turn: changes of one element in a row make one row.
    const changes = Array.from({ length: 20_000 }, (_, i) => ({ graphElementId: i & 1, propertyId: `k${i >> 1}` }));
    const put = (count: number) =>
      service().call('PUT', `/graphelements/properties${waited}`, { json: changes.slice(0, count) });
    const { detail } = expectProblem(await put(20_000), 413, 'Content Too Large');
    expect(detail).toMatch(/^Property 'k\d+' of element [01] is one change too many .* Nothing was changed;/);
    expect((expectJson(await service().call('GET', '/vertex/0')) as { properties: unknown[] }).properties).toEqual([]);
    expectEmpty(await put(2000), 202);
  });

  test('in a row cost one row, however many there are', async () => {
    const [vertex] = await createVertices(service(), [{}]);
    const changes = Array.from({ length: 20_000 }, (_, i) => ({ graphElementId: vertex, propertyId: `k${i}` }));
    expectEmpty(await service().call('PUT', `/graphelements/properties${waited}`, { json: changes }), 202);
    const { properties } = expectJson(await service().call('GET', `/vertex/${vertex}`)) as { properties: unknown[] };
    expect(properties).toHaveLength(20_000);
  });
});

describe('a problem document', () => {
  const service = withService({});

  test('repeats the start of a long text, not all of it', async () => {
    const run = (length: number) =>
      service().call('POST', '/analytics/WCC', { json: { direction: 'x'.repeat(length) } });
    const whole = expectProblem(await run(8000), 400).detail as string;
    expect(whole).toContain('x'.repeat(8000));
    const room = 8192 - (whole.length - 8000);
    for (const length of [room - 1, room]) {
      expect((expectProblem(await run(length), 400).detail as string).endsWith("x'.")).toBe(true);
    }
    const cut = expectProblem(await run(room + 1), 400).detail as string;
    expect([cut.length, cut.at(-1)]).toEqual([8192, '…']);
  });
});
