// Contract part 1, Namespaces: routing by `/ns/{ns}`, the management routes, residency.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVertices, expectEmpty, expectJson, expectProblem } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    'Security:SensitiveRateLimitPermitPerWindow': 100_000,
    'Namespaces:MaxNamespaces': 40,
  });
});
afterAll(() => service.stop());

const call = (method: string, path: string, json?: unknown) =>
  service.call(method, path, json === undefined ? {} : { json });
const pathOf = (name: string) => `/ns/${encodeURIComponent(name)}`;

const entryMembers = [
  'name',
  'state',
  'vertexCount',
  'edgeCount',
  'createdAt',
  'pluginRegistrationEnabled',
  'loadOnStartupEnabled',
];

describe('the collection', () => {
  test('lists entries in ordinal order of their names, with the limits', async () => {
    for (const name of ['b', 'a', 'Z']) expectJson(await call('PUT', pathOf(name)), 201);
    const list = expectJson(await call('GET', '/ns')) as { namespaces: { name: string }[] };
    expect(Object.keys(list)).toEqual(['namespaces', 'maxNamespaces', 'loadOnStartupDefault', 'startupLoadMode']);
    expect(list).toMatchObject({ maxNamespaces: 40, loadOnStartupDefault: true, startupLoadMode: 'catalog' });
    expect(list.namespaces.map(({ name }) => name)).toEqual(['Z', 'a', 'b', 'default']);
    for (const entry of list.namespaces) expect(Object.keys(entry)).toEqual(entryMembers);
    for (const name of ['b', 'a', 'Z']) expectEmpty(await call('DELETE', pathOf(name)), 204);
  });

  test('default is always there and always loaded at the start', async () => {
    expect(expectJson(await call('GET', '/ns/default'))).toEqual({
      name: 'default',
      state: 'ready',
      vertexCount: expect.any(Number),
      edgeCount: expect.any(Number),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pluginRegistrationEnabled: null,
      loadOnStartupEnabled: true,
    });
  });

  test('a new one is 201 with its entry and place', async () => {
    const answer = await call('PUT', '/ns/Flights%20EU');
    expect(expectJson(answer, 201)).toMatchObject({
      name: 'Flights EU',
      state: 'ready',
      vertexCount: 0,
      loadOnStartupEnabled: null,
    });
    expect(answer.headers.location).toBe('/ns/Flights%20EU');
    expect(expectJson(await call('GET', '/ns/Flights%20EU'))).toMatchObject({ name: 'Flights EU' });
    expectProblem(await call('PUT', '/ns/Flights%20EU'), 409, 'Namespace name in use');
    expectEmpty(await call('DELETE', '/ns/Flights%20EU'), 204);
    expect(expectProblem(await call('GET', '/ns/Flights%20EU'), 404, 'Namespace not found').namespace).toBe(
      'Flights EU',
    );
  });

  test.each(['con', 'fraud!(q3)#2', 'ключ 漢😀', 'x'.repeat(63), 'status', 'activate', '%', 'a.b', '...'])(
    'the name %j is good',
    async (name) => {
      expectJson(await call('PUT', pathOf(name)), 201);
      await createVertices(service, [{}], pathOf(name));
      expect(expectJson(await call('GET', `${pathOf(name)}/vertex/count`))).toBe(1);
      expectEmpty(await call('DELETE', pathOf(name)), 204);
    },
  );

  test.each([' x', 'x ', '\tx', 'x'.repeat(64), '\u0001', 'a\\b', 'a\u007fb', ' '])(
    'the name %j is 400',
    async (name) => {
      expectProblem(await call('PUT', pathOf(name)), 400, 'Invalid namespace name');
      expectProblem(await call('GET', pathOf(name)), 404, 'Namespace not found');
    },
  );

  test.each(['.', '..', '%2e', '%2E.', '.%2e'])('the segment %s is 400', async (segment) => {
    expectProblem(await call('PUT', `/ns/${segment}`), 400);
    expectProblem(await call('GET', `/ns/${segment}/vertex/count`), 400);
  });

  test('an encoded slash never routes', async () => {
    expectProblem(await call('PUT', '/ns/a%2Fb'), 404, 'Not Found');
    expectProblem(await call('GET', '/ns/a%2fb/vertex/count'), 404, 'Not Found');
    expectProblem(await call('POST', '/ns/a%2Fb/activate'), 404, 'Not Found');
  });

  test('names differ by case', async () => {
    expectJson(await call('PUT', '/ns/Case'), 201);
    expectProblem(await call('GET', '/ns/case'), 404, 'Namespace not found');
    expectProblem(await call('GET', '/ns/Default/vertex/count'), 404, 'Namespace not found');
    expectEmpty(await call('DELETE', '/ns/Case'), 204);
  });

  test('default is reserved', async () => {
    expectProblem(await call('PUT', '/ns/default'), 409, 'Namespace name in use');
    expectProblem(await call('DELETE', '/ns/default'), 409, 'Reserved namespace');
    expectProblem(await call('PATCH', '/ns/default', { name: 'x' }), 409, 'Reserved namespace');
    expectProblem(await call('PATCH', '/ns/default', { loadOnStartup: 'disabled' }), 409, 'Reserved namespace');
    expect(expectJson(await call('PATCH', '/ns/default', { pluginRegistration: 'disabled' }))).toMatchObject({
      pluginRegistrationEnabled: false,
    });
    expectJson(await call('PATCH', '/ns/default', { pluginRegistration: 'inherit' }));
  });

  test('the quota is 422 and says the limit', async () => {
    const list = expectJson(await call('GET', '/ns')) as { namespaces: [] };
    const names = Array.from({ length: 40 - list.namespaces.length }, (_, index) => `q${index}`);
    for (const name of names) expectJson(await call('PUT', `/ns/${name}`), 201);
    expect(expectProblem(await call('PUT', '/ns/more'), 422, 'Namespace quota exceeded')).toMatchObject({
      maxNamespaces: 40,
    });
    for (const name of names) expectEmpty(await call('DELETE', `/ns/${name}`), 204);
  });

  test('deleting what is not there is 404 with its name', async () => {
    expect(expectProblem(await call('DELETE', '/ns/nope'), 404, 'Namespace not found')).toMatchObject({
      namespace: 'nope',
    });
  });
});

describe('PATCH /ns/{name}', () => {
  test('renames, keeps the graph, and frees the old name', async () => {
    await call('PUT', '/ns/old');
    await createVertices(service, [{}, {}], '/ns/old');
    expect(expectJson(await call('PATCH', '/ns/old', { NAME: 'new' }))).toMatchObject({ name: 'new', vertexCount: 2 });
    expectProblem(await call('GET', '/ns/old/vertex/count'), 404, 'Namespace not found');
    expect(expectJson(await call('GET', '/ns/new/vertex/count'))).toBe(2);
    await call('DELETE', '/ns/new');
  });

  test('sets and clears policies', async () => {
    await call('PUT', '/ns/p');
    const patch = async (json: unknown) => expectJson(await call('PATCH', '/ns/p', json));
    expect(await patch({ loadOnStartup: 'disabled', pluginRegistration: 'enabled' })).toMatchObject({
      loadOnStartupEnabled: false,
      pluginRegistrationEnabled: true,
    });
    expect(await patch({ loadOnStartup: 'inherit', pluginRegistration: null, name: '' })).toMatchObject({
      loadOnStartupEnabled: null,
      pluginRegistrationEnabled: true,
    });
    await call('DELETE', '/ns/p');
  });

  test.each<[unknown, string | undefined]>([
    [{}, 'Invalid namespace update'],
    [{ other: 1 }, 'Invalid namespace update'],
    [{ name: '' }, 'Invalid namespace update'],
    [{ name: null }, 'Invalid namespace update'],
    [{ pluginRegistration: 'Enabled' }, 'Invalid pluginRegistration'],
    [{ pluginRegistration: '' }, 'Invalid pluginRegistration'],
    [{ loadOnStartup: 'yes', name: ' bad' }, 'Invalid loadOnStartup'],
    [{ name: ' x' }, 'Invalid namespace name'],
    [{ name: 'a/b' }, 'Invalid namespace name'],
    [{ name: '..' }, 'Invalid namespace name'],
    [{ name: 5 }, 'One or more validation errors occurred.'],
    [null, 'One or more validation errors occurred.'],
    [[], 'One or more validation errors occurred.'],
  ])('the body %j is 400 %s', async (body, title) => {
    await call('PUT', '/ns/p');
    expectProblem(await call('PATCH', '/ns/p', body), 400, title);
    expectProblem(await call('PATCH', '/ns/missing', body), 400, title);
    await call('DELETE', '/ns/p');
  });

  test('a missing one is 404; a taken name, also its own, is 409', async () => {
    await call('PUT', '/ns/p');
    await call('PUT', '/ns/r');
    expectProblem(await call('PATCH', '/ns/nope', { name: 'x' }), 404, 'Namespace not found');
    for (const name of ['p', 'r', 'default']) {
      expectProblem(await call('PATCH', '/ns/p', { name }), 409, 'Namespace name in use');
    }
    await call('DELETE', '/ns/p');
    await call('DELETE', '/ns/r');
  });
});

describe('scoped routes', () => {
  test('each namespace has a graph of its own', async () => {
    await call('PUT', '/ns/one');
    await createVertices(service, [{ label: 'in one' }], '/ns/one');
    const before = expectJson(await call('GET', '/vertex/count'));
    expect(expectJson(await call('GET', '/ns/one/vertex/0'))).toMatchObject({ label: 'in one' });
    expect(expectJson(await call('GET', '/ns/default/vertex/count'))).toBe(before);
    expect(expectJson(await call('GET', '/ns/one/status'))).toMatchObject({ namespaceState: 'ready', vertexCount: 1 });
    expectEmpty(await call('HEAD', '/ns/one/tabularasa'), 200);
    expect(expectJson(await call('GET', '/ns/one/vertex/count'))).toBe(0);
    await call('DELETE', '/ns/one');
  });

  test('an unknown namespace is 404 on every scoped route and says its name', async () => {
    const calls: [string, string, unknown?][] = [
      ['GET', '/status'],
      ['GET', '/vertex/0'],
      ['GET', '/vertex/x'],
      ['PUT', '/vertex', 'not a body'],
      ['GET', '/graph'],
      ['POST', '/scan/graph/properties', {}],
      ['GET', '/bulk/export'],
      ['POST', '/bulk/import', {}],
      ['PUT', '/unittest'],
    ];
    for (const [method, path, json] of calls) {
      const problem = expectProblem(await call(method, `/ns/no%20pe${path}`, json), 404, 'Namespace not found');
      expect(problem.namespace).toBe('no pe');
    }
  });

  test('service routes have no twin', async () => {
    for (const path of ['/healthz', '/readyz', '/tabularasa/all', '/ns', '/nothing']) {
      const answer = await call('GET', `/ns/default${path}`);
      expect([404, 405]).toContain(answer.status);
      expect(answer.json).not.toHaveProperty('namespace');
    }
  });

  test.each(['/generate', '/benchmark'])('bare GET %s is 400 and names the scoped path', async (path) => {
    const problem = expectProblem(await call('GET', path), 400, 'Namespace required');
    expect(problem.detail).toContain(`/ns/{ns}${path}`);
  });
});

describe('residency', () => {
  test('what a start leaves out is notLoaded, answers 503, and can be activated', async () => {
    await call('PUT', '/ns/cold');
    await createVertices(service, [{ label: 'kept' }], '/ns/cold');
    expectJson(await call('PATCH', '/ns/cold', { loadOnStartup: 'disabled' }));
    await service.restart();

    expect(expectJson(await call('GET', '/ns/cold'))).toMatchObject({
      state: 'notLoaded',
      vertexCount: null,
      edgeCount: null,
    });
    const status = expectJson(await call('GET', '/ns/cold/status')) as Record<string, unknown>;
    expect(status).toMatchObject({
      namespaceState: 'notLoaded',
      usedMemory: expect.any(Number),
      embedding: { enabled: false },
    });
    const engineDerived = [
      'vertexCount',
      'edgeCount',
      'indices',
      'durability',
      'availableIndexPlugins',
      'availablePathPlugins',
    ];
    for (const member of engineDerived) expect(status[member]).toBeNull();
    for (const [method, path] of [
      ['GET', '/vertex/0'],
      ['PUT', '/vertex'],
      ['GET', '/vertex/x'],
      ['HEAD', '/trim'],
    ] as const) {
      const answer = await call(method, `/ns/cold${path}`);
      expect(answer.status).toBe(503);
      if (method === 'HEAD') continue;
      const problem = expectProblem(answer, 503, 'Namespace not loaded');
      expect(problem).toMatchObject({ namespace: 'cold', namespaceState: 'notLoaded' });
    }

    const first = expectJson(await call('POST', '/ns/cold/activate')) as object;
    expect(Object.keys(first)).toEqual(['namespace', 'activated', 'detail']);
    expect(first).toMatchObject({
      namespace: { name: 'cold', state: 'ready', loadOnStartupEnabled: false },
      activated: true,
    });
    expect(expectJson(await call('POST', '/ns/cold/activate'))).toMatchObject({ activated: false });
    expect(expectJson(await call('GET', '/ns/cold/vertex/0'))).toMatchObject({ label: 'kept' });
    expectEmpty(await call('DELETE', '/ns/cold'), 204);
  });

  test('a namespace that is not loaded can be deleted', async () => {
    await call('PUT', '/ns/cold2');
    expectJson(await call('PATCH', '/ns/cold2', { loadOnStartup: 'disabled' }));
    await service.restart();
    expectEmpty(await call('DELETE', '/ns/cold2'), 204);
    expectProblem(await call('GET', '/ns/cold2'), 404, 'Namespace not found');
  });

  test('activating what is not there is 404', async () => {
    expectProblem(await call('POST', '/ns/nope/activate'), 404, 'Namespace not found');
    expectProblem(await call('GET', '/ns/nope/activate'), 405, 'Method Not Allowed');
  });
});

test('HEAD /tabularasa/all empties default and drops the rest', async () => {
  await call('PUT', '/ns/one');
  await createVertices(service, [{}]);
  const answer = await call('HEAD', '/tabularasa/all');
  expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
  expect(expectJson(await call('GET', '/ns'))).toMatchObject({ namespaces: [{ name: 'default', vertexCount: 0 }] });
  expect(await createVertices(service, [{}])).toEqual([0]);
});
