// Defects that were found by attacking the running service, each as the shortest sequence of requests that showed it.

import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InvalidSetting, readSettings } from '../../src/config/settings.ts';
import { createVertices, erase, expectEmpty, expectJson, expectProblem, property, waited } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const ndjson = { 'content-type': 'application/x-ndjson' };
const apiKey = 'schlüssel';
let service: TestService;
beforeAll(async () => {
  service = await startService({ 'BulkIO:ImportBatchSize': 10, 'Security:SensitiveRateLimitPermitPerWindow': 1000 });
});
afterAll(() => service.stop());

interface SlowImport {
  send(lines: string): void;
  finish(lines: string): Promise<{ status: number; json: Record<string, unknown> }>;
}

/** An import whose body is sent piece by piece. */
function startImport(path: string): SlowImport {
  const { hostname, port } = new URL(service.url);
  let settle = (_: { status: number; json: Record<string, unknown> }): void => {};
  const answer = new Promise<{ status: number; json: Record<string, unknown> }>((resolve) => {
    settle = resolve;
  });
  const outgoing: ClientRequest = request({ hostname, port, method: 'POST', path, headers: ndjson }, (incoming) => {
    let text = '';
    incoming.on('data', (block: Buffer) => {
      text += block;
    });
    incoming.on('end', () => settle({ status: incoming.statusCode ?? 0, json: JSON.parse(text) }));
  });
  return {
    send: (lines) => outgoing.write(lines),
    finish: (lines) => {
      outgoing.end(lines);
      return answer;
    },
  };
}

const vertexLines = (count: number): string =>
  Array.from({ length: count }, (_, id) => `{"type":"vertex","id":${id},"label":"v${id}","creationDate":0}\n`).join('');
const edgeLines = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `{"type":"edge","id":${1000 + i},"edgePropertyId":"t","source":${i},"target":${i + 1},"creationDate":0}\n`,
  ).join('');

async function untilCount(path: string, count: number): Promise<void> {
  while ((await service.call('GET', path)).json !== count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Sends bytes as they are and answers all that comes back. */
function sendRaw(bytes: string | Buffer, url = service.url): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (block) => {
      text += block;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe.runIf(isReal)('an import beside other requests', () => {
  // Its edges were joined to whatever had taken the ids of its vertices.
  test('ends when the graph is erased, instead of using the ids of other vertices', async () => {
    await erase(service);
    const slow = startImport('/bulk/import');
    slow.send(vertexLines(30));
    await untilCount('/vertex/count', 30);
    await erase(service);
    await createVertices(service, Array(40).fill({ label: 'stranger' }));
    const { status, json } = await slow.finish(edgeLines(20));
    expect(status).toBe(400);
    expect(json).toMatchObject({ title: 'Import batch rolled back', verticesCommitted: 30, edgesCommitted: 0 });
    expect(expectJson(await service.call('GET', '/edge/count'))).toBe(0);
  });

  test('ends when a trim renumbers its vertices', async () => {
    await erase(service);
    const slow = startImport('/bulk/import');
    slow.send(vertexLines(30));
    await untilCount('/vertex/count', 30);
    expectEmpty(await service.call('DELETE', `/graphelement/0${waited}`), 202);
    expectEmpty(await service.call('HEAD', '/trim'), 200);
    expect((await slow.finish(edgeLines(20))).status).toBe(400);
    expect(expectJson(await service.call('GET', '/edge/count'))).toBe(0);
  });

  test('goes on when a trim has nothing to close up', async () => {
    await erase(service);
    const slow = startImport('/bulk/import');
    slow.send(vertexLines(30));
    await untilCount('/vertex/count', 30);
    expectEmpty(await service.call('HEAD', '/trim'), 200);
    const { status, json } = await slow.finish(edgeLines(20));
    expect(status).toBe(200);
    expect(json).toMatchObject({ verticesCreated: 30, edgesCreated: 20 });
  });

  // It was a 500 that blamed the service.
  test('is 404 with the namespace when that is dropped meanwhile', async () => {
    expectJson(await service.call('PUT', '/ns/going'), 201);
    const slow = startImport('/ns/going/bulk/import');
    slow.send(vertexLines(30));
    await untilCount('/ns/going/vertex/count', 30);
    expectEmpty(await service.call('DELETE', '/ns/going'), 204);
    const { status, json } = await slow.finish(edgeLines(20));
    expect(status).toBe(404);
    expect(json).toMatchObject({ title: 'Namespace not found', namespace: 'going' });
  });
});

// After two erases the graph's state lies where it lay before; the export went on in the other graph and looked complete.
test.runIf(isReal)('an export that two erases overtake breaks off', { tags: ['long'] }, async () => {
  const large = await startService({});
  const lines = Array.from(
    { length: 60_000 },
    (_, id) => `{"type":"vertex","id":${id},"label":"${'x'.repeat(300)}","creationDate":0}\n`,
  ).join('');
  const fill = async (): Promise<void> => {
    expectJson(await large.call('POST', '/bulk/import', { body: lines, headers: ndjson }));
  };
  await fill();
  const socket = connect(Number(new URL(large.url).port), '127.0.0.1', () => {
    socket.write('GET /bulk/export HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  });
  // Its first bytes are there, so it has begun; nothing is read of it meanwhile.
  await new Promise((resolve) => socket.once('readable', resolve));
  for (let round = 0; round < 2; round++) {
    await erase(large);
    await fill();
  }
  let text = '';
  await new Promise((resolve) => {
    socket.on('data', (block) => {
      text += block.toString('latin1');
    });
    socket.on('close', resolve);
    socket.on('error', () => {});
    socket.resume();
  });
  expect(text).toContain('"type":"meta"');
  expect(text.endsWith('0\r\n\r\n')).toBe(false);
  await large.stop();
});

// The people and their relations were two turns; a trim in between joined strangers.
test.runIf(isReal)('samples and trims at once leave only the relations of the sample', async () => {
  await erase(service);
  const samples = Array.from({ length: 20 }, () => service.call('PUT', '/unittest'));
  const holes = Array.from({ length: 20 }, async () => {
    const [id] = await createVertices(service, [{}]);
    await service.call('DELETE', `/graphelement/${id}${waited}`);
    await service.call('HEAD', '/trim');
  });
  for (const answer of await Promise.all(samples)) expectEmpty(answer, 200);
  await Promise.all(holes);
  const { vertices, edges } = (await service.call('GET', '/graph')).json;
  const names = new Map<number, string>(
    vertices.map((vertex: { id: number; properties: { propertyValue: string }[] }) => [
      vertex.id,
      vertex.properties[0]?.propertyValue,
    ]),
  );
  const relations = edges.map(
    (edge: { sourceVertex: number; edgePropertyId: string; targetVertex: number }) =>
      `${names.get(edge.sourceVertex)} ${edge.edgePropertyId} ${names.get(edge.targetVertex)}`,
  );
  expect(new Set(relations)).toEqual(
    new Set([
      'Alice communicatesWith Bob',
      'Alice trusts Trent',
      'Bob trusts Trent',
      'Eve attacks Alice',
      'Mallory attacks Alice',
      'Mallory attacks Bob',
    ]),
  );
});

test.runIf(isReal)(
  'an export that an erase overtakes before its first byte exports what is there then',
  { tags: ['long'] },
  async () => {
    const large = await startService({});
    // Checking this many takes several turns.
    const body = Array.from({ length: 300_000 }, (_, id) => `{"type":"vertex","id":${id},"creationDate":0}\n`).join('');
    expectJson(await large.call('POST', '/bulk/import', { body, headers: ndjson }));
    const answers = Array.from({ length: 8 }, () => large.call('GET', '/bulk/export').catch(() => null));
    const erased = erase(large);
    for (const answer of await Promise.all(answers)) {
      if (answer === null) continue; // it had begun
      expect(answer.status).toBe(200);
      expect(answer.text.trimEnd().split('\n').length - 1).toBe(
        JSON.parse(answer.text.split('\n', 1)[0] ?? '').vertexCount,
      );
    }
    await erased;
    await large.stop();
  },
);

// An erase needed room beside the graph that filled the memory, so a full namespace stayed full for ever; scans failed on it too.
test.runIf(isReal)('a namespace whose memory is full can be searched and erased', async () => {
  const small = await startService({ 'Memory:MaxBytesPerNamespace': 8 * 2 ** 20, 'Durability:Volatile': true });
  const text = 'x'.repeat(200);
  const batch = Array.from({ length: 500 }, (_, i) => ({ properties: [property('p', `${text}${i}`)] }));
  let answer = await small.call('PUT', `/vertices${waited}`, { json: batch });
  while (answer.status === 200) answer = await small.call('PUT', `/vertices${waited}`, { json: batch });
  expectProblem(answer, 500, 'Memory limit reached');
  const found = await small.call('POST', '/scan/graph/properties', { json: { searchTerm: 'X499' } });
  expect((expectJson(found) as number[]).length).toBeGreaterThan(0);
  const literal = { value: text, fullQualifiedTypeName: 'string' };
  expect((await small.call('POST', '/scan/graph/property/p', { json: { operator: 5, literal } })).status).toBe(200);
  expect((await small.call('HEAD', '/tabularasa')).status).toBe(200);
  expectJson(await small.call('PUT', `/vertices${waited}`, { json: batch }));
  await small.stop();
});

test('a request without a Host header is told so; HTTP/1.0 knows none', async () => {
  const answer = await sendRaw('GET /status HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
  expect(answer).toContain('"detail":"The request has no Host header."');
  expect(await sendRaw('GET /status HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('an expectation that cannot be met is a problem document', async () => {
  const answer = await sendRaw('PUT /vertex HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}');
  expect(answer).toMatch(/^HTTP\/1\.1 417 /);
  expect(answer).toContain('application/problem+json');
  expect(answer).toContain('api-supported-versions: 0.1');
  expect(answer).toContain('"status":417');
});

test('a header name that no request can carry stops the start', () => {
  const read = (text: string) => readSettings([{ key: 'Security:ApiKeyHeader', text, source: 'test' }]);
  expect(() => read('bad header')).toThrow(InvalidSetting);
  expect(read('X-Other').settings['Security:ApiKeyHeader']).toBe('X-Other');
});

test('a key outside ASCII is known by its UTF-8', async () => {
  const locked = await startService({ 'Security:ApiKey': apiKey });
  const ask = (key: Buffer): Promise<string> => {
    const head = Buffer.from('GET /vertex/count HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ');
    return sendRaw(Buffer.concat([head, key, Buffer.from('\r\n\r\n')]), locked.url);
  };
  expect(await ask(Buffer.from(apiKey))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask(Buffer.from(apiKey, 'latin1'))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask(Buffer.from('schlussel'))).toMatch(/^HTTP\/1\.1 401 /);
  expectProblem(await locked.call('GET', '/vertex/count'), 401, 'Unauthorized');
  await locked.stop();
});
