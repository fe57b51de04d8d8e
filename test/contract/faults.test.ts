// What the routes answer when something below them fails: over the naive engine, whose faults can be switched on.

import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CoreMemoryExhausted } from '../../src/core/memory-exhausted.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { NaiveService } from './support/naive-service.ts';
import { expectEmpty, expectJson, expectProblem, property, waited } from './support/requests.ts';

let service: NaiveService;
beforeEach(async () => {
  service = await NaiveService.start();
});
afterEach(() => service.stop());

const put = (path: string, json: unknown = {}) => service.call('PUT', path, { json });

describe('a log that cannot be written', () => {
  beforeEach(() => {
    service.engine.graphOf('default').degraded = true;
  });

  test('a waited write does not say it is durable', async () => {
    const problem = expectProblem(await put(`/vertex${waited}`), 500, 'Write not durable');
    expect(problem).toMatchObject({ durable: false });
    expectProblem(await put(`/vertices${waited}`, [{}]), 500, 'Write not durable');
    expectProblem(await service.call('PUT', '/unittest'), 500, 'Write not durable');
    const generated = await service.call('GET', '/ns/default/generate?nodeCount=3');
    expect(expectProblem(generated, 500, 'Write not durable')).toMatchObject({ durable: false });
    expect((await service.call('HEAD', '/tabularasa')).status).toBe(500);
  });

  test('one that is not waited for is accepted, and says what it is worth', async () => {
    const answer = await put('/vertex');
    expectEmpty(answer, 202);
    expect(answer.headers['x-durability']).toBe('degraded');
  });

  test('what becomes of an index is its bare Boolean, and the header says what it is worth', async () => {
    await service.call('PUT', '/vertex', { json: { properties: [property('k', 'v')] } });
    const key = { propertyValue: 'v', fullQualifiedTypeName: 'String' };
    const happened = async (method: string, path: string, json?: unknown): Promise<void> => {
      const answer = await service.call(method, path, { json });
      expect([expectJson(answer), answer.headers['x-durability']], `${method} ${path}`).toEqual([true, 'degraded']);
    };
    await happened('POST', '/index', { uniqueId: 'i', pluginType: 'DictionaryIndex' });
    await happened('PUT', '/index/i', { graphElementId: 0, key });
    await happened('DELETE', '/index/i/propertyValue', key);
    await happened('DELETE', '/index/i/0');
    const filled = await service.call('POST', '/index/backfill/i', { json: { propertyId: 'k' } });
    expect(expectJson(filled)).toMatchObject({ indexId: 'i', indexedElements: 1 });
    expect(filled.headers['x-durability']).toBe('degraded');
    await happened('DELETE', '/index/i');
    const gone = await service.call('DELETE', '/index/i');
    expect([expectJson(gone), gone.headers['x-durability']]).toEqual([false, undefined]);
    const dimension = { propertyValue: '2', fullQualifiedTypeName: 'Int32' };
    await happened('POST', '/index', { uniqueId: 'v', pluginType: 'VectorIndex', pluginOptions: { dimension } });
    await happened('PUT', '/index/vector/v', { graphElementId: 0, vector: [1, 0] });
  });

  test('reads go on; status and import tell', async () => {
    expect(expectJson(await service.call('GET', '/status'))).toMatchObject({ durability: { degraded: true } });
    const headers = { 'content-type': 'application/x-ndjson' };
    expect(expectJson(await service.call('POST', '/bulk/import', { body: '', headers }))).toMatchObject({
      durable: false,
    });
    const bad = await service.call('POST', '/bulk/import', { body: 'x\n', headers });
    expect(expectProblem(bad, 400, 'Invalid import line')).toMatchObject({ durable: false });
  });
});

describe('HEAD /tabularasa/all', () => {
  const eraseAll = async (): Promise<number> => (await service.call('HEAD', '/tabularasa/all')).status;

  test('answers 204 only for an erase that is on disk', async () => {
    expect(await eraseAll()).toBe(204);
    service.engine.graphOf('default').degraded = true;
    expect(await eraseAll()).toBe(500);
  });

  test('is refused when the erase is', async () => {
    const { noMemory: status } = CoreStatus;
    service.engine.graphOf('default').write = () => ({ ok: false, status, record: 0, property: -1, element: -1 });
    expect(await eraseAll()).toBe(500);
  });

  test('is 503 while default is being loaded, and drops nothing', async () => {
    expectJson(await service.call('PUT', '/ns/other'), 201);
    service.engine.unload('default');
    const answer = await service.call('HEAD', '/tabularasa/all');
    expect({ status: answer.status, after: answer.headers['retry-after'] }).toEqual({ status: 503, after: '1' });
    expect(service.engine.find('other')).toBeDefined();
  });

  test('a request while a namespace is loaded is told how far that is, and when to come again', async () => {
    const { namespace } = (await service.engine.create('large')) as { namespace: object };
    const loadState = { phase: 'log', bytesDone: 100_000_000, bytesTotal: 450_000_000 };
    Object.assign(namespace, { graph: null, isLoading: true, loadState });
    const answer = await service.call('GET', '/ns/large/vertex/count');
    expectProblem(answer, 503, 'Namespace not loaded');
    expect(answer.json).toMatchObject({ namespace: 'large', namespaceState: 'notLoaded', loading: loadState });
    expect(answer.json.detail).toContain('its log is replayed (100000000 of 450000000 bytes)');
    expect(answer.headers['retry-after']).toBe('4');
    Object.assign(namespace, { loadState: { phase: 'edges', bytesDone: null, bytesTotal: null } });
    const later = await service.call('GET', '/ns/large/vertex/count');
    expect({ after: later.headers['retry-after'], detail: later.json.detail }).toEqual({
      after: '1',
      detail: expect.stringContaining('being loaded: its edges are linked. GET /readyz'),
    });
  });

  test('is 500 when the catalogue cannot be written', async () => {
    service.engine.eraseAll = () => Promise.reject(new Error('ENOSPC'));
    expect(await eraseAll()).toBe(500);
  });
});

describe('a write the engine refuses', () => {
  test.each([
    [CoreStatus.noMemory, 500, 'Memory limit reached'],
    [CoreStatus.arenaTooSmall, 500, 'Memory limit reached'],
    [CoreStatus.limitMet, 413, 'Content Too Large'],
    [CoreStatus.tooManyIds, 500, 'Internal Server Error'],
    [CoreStatus.badTransaction, 500, 'Internal Server Error'],
  ] as const)('with status %i is %i %s, waited for or not', async (status, code, title) => {
    service.engine.graphOf('default').write = () => ({ ok: false, status, record: 0, property: -1, element: -1 });
    expectProblem(await put(`/vertex${waited}`), code, title);
    expectProblem(await put('/vertex'), code, title);
  });

  test.each([CoreStatus.noMemory, CoreStatus.arenaTooSmall])(
    'to an index with status %i did not happen',
    async (status) => {
      const { indexes, vectors } = service.engine.graphOf('default');
      const dimension = { propertyValue: '1', fullQualifiedTypeName: 'Int32' };
      expectJson(
        await service.call('POST', '/index', {
          json: { uniqueId: 'v', pluginType: 'VectorIndex', pluginOptions: { dimension } },
        }),
      );
      await put(`/vertex${waited}`);
      const refused = () => ({ ok: false, status, record: 0, property: -1, element: -1 }) as const;
      Object.assign(indexes, {
        create: refused,
        add: refused,
        removeElement: refused,
        removeKey: refused,
        drop: refused,
      });
      Object.assign(vectors, { add: refused });
      const key = { propertyValue: 'v', fullQualifiedTypeName: 'String' };
      for (const [method, path, json] of [
        ['POST', '/index', { uniqueId: 'i', pluginType: 'DictionaryIndex' }],
        ['PUT', '/index/i', { graphElementId: 0, key }],
        ['DELETE', '/index/i/propertyValue', key],
        ['DELETE', '/index/i/0', undefined],
        ['DELETE', '/index/i', undefined],
        ['PUT', '/index/vector/v', { graphElementId: 0, vector: [1] }],
      ] as const) {
        expect(expectJson(await service.call(method, path, { json })), path).toBe(false);
      }
    },
  );

  test('a read without memory is 500 with the same title', async () => {
    service.engine.graphOf('default').reads.short = () => {
      throw new CoreMemoryExhausted('No memory is left.');
    };
    expectProblem(await service.call('GET', '/vertex/0'), 500, 'Memory limit reached');
  });

  test.each([
    [CoreStatus.notFound, 400],
    [CoreStatus.badValue, 400],
    [CoreStatus.noMemory, 500],
  ] as const)('an import batch with status %i is %i', async (status, code) => {
    service.engine.graphOf('default').importLines = async () => ({
      ok: false,
      commas: null,
      reason: 'rolledBack',
      lineNumber: 5,
      detail: 'Refused.',
      status,
      verticesCreated: 3,
      edgesCreated: 1,
      linesRead: 5,
      durable: true,
    });
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await service.call('POST', '/bulk/import', { body: 'x', headers });
    expect(expectProblem(answer, code, 'Import batch rolled back')).toMatchObject({
      lineNumber: 5,
      verticesCommitted: 3,
      edgesCommitted: 1,
      durable: true,
    });
  });
});

test('an unexpected exception is a 500 that gives nothing away', async () => {
  const shown = console.error;
  const lines: unknown[] = [];
  console.error = (...args) => lines.push(args);
  try {
    service.engine.graphOf('default').reads.graph = () => Promise.reject(new Error('inner secret'));
    const answer = await service.call('GET', '/graph');
    expectProblem(answer, 500, 'Internal Server Error');
    expect(answer.text).not.toContain('inner secret');
    expect(JSON.stringify(lines)).toContain('inner secret');
  } finally {
    console.error = shown;
  }
});

test.each([
  ['unregisteredCheckpoints', 409, 'Namespace has unregistered checkpoints'],
  ['activationFailed', 500, 'Namespace activation failed'],
] as const)('an activation that fails by %s is %i', async (failure, status, title) => {
  service.engine.activate = async () => ({ ok: false, failure, detail: 'Load it once with PUT /load.' });
  const problem = expectProblem(await service.call('POST', '/ns/x/activate'), status, title);
  expect(problem).toMatchObject({ namespace: 'x', namespaceState: 'notLoaded' });
});

test('a namespace that cannot be stored is 500', async () => {
  service.engine.create = async () => ({ ok: false, failure: 'storageFailed', detail: 'No space.' });
  expectProblem(await service.call('PUT', '/ns/x'), 500, 'Namespace storage failed');
});

test('readiness is 503 until everything is loaded', async () => {
  service.engine.ready = false;
  const answer = await service.call('GET', '/readyz');
  expect([answer.status, answer.text]).toEqual([503, 'Unhealthy']);
  expect((await service.call('GET', '/healthz')).text).toBe('Healthy');
});

test('a body that stands still is given up', async () => {
  const impatient = await NaiveService.start({}, 300);
  const { hostname, port } = new URL(impatient.url);
  const answer = await new Promise<string>((resolve) => {
    const head = 'PUT /vertex HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
    const socket = connect(Number(port), hostname, () => socket.write(head));
    let text = '';
    socket.on('data', (block) => {
      text += block.toString('latin1');
    });
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
  expect(answer).toContain('"title":"Request Timeout"');
  await impatient.stop();
});

test('a waited write answers when its frame is on disk, not before', async () => {
  const graph = service.engine.graphOf('default');
  const real = graph.write.bind(graph);
  let settle = (_durable: boolean): void => {};
  const durable = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  graph.write = (operations) => {
    const outcome = real(operations);
    return outcome.ok ? { ...outcome, durable } : outcome;
  };
  let answered = false;
  const answer = put(`/vertex${waited}`).finally(() => {
    answered = true;
  });
  expectEmpty(await put('/vertex'), 202);
  expect(answered).toBe(false);
  settle(true);
  expectEmpty(await answer, 202);
});
