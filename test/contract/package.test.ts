// Packages: a namespace as one file. What goes out comes back in another namespace, in another service, after a kill; what is damaged anywhere,
// or would take something's place, changes nothing.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { KeptService } from './support/kept-service.ts';
import { createEdges, expectJson, expectProblem, property, waited } from './support/requests.ts';
import { isReal, type ServiceSettings, startService, type TestService } from './support/service.ts';

const headers = { 'content-type': 'application/octet-stream' };
const opened = (service: Pick<KeptService, 'call'>, body: Uint8Array, prefix = ''): Promise<Answer> =>
  service.call('POST', `${prefix}/package`, { body, headers });

async function packed(service: Pick<KeptService, 'call'>, prefix = ''): Promise<Buffer> {
  const answer = await service.call('GET', `${prefix}/package`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['content-type']).toBe('application/octet-stream');
  return answer.bytes;
}

/** The export without its first line, which says when. */
async function linesOf(service: Pick<KeptService, 'call'>, prefix = ''): Promise<string> {
  const { text } = await service.call('GET', `${prefix}/bulk/export`);
  return text.slice(text.indexOf('\n'));
}

async function fill(service: KeptService): Promise<void> {
  const people = Array.from({ length: 500 }, (_, i) => ({ label: 'p', properties: [property('name', `n${i % 50}`)] }));
  const ids = expectJson(await service.put(`/vertices${waited}`, people)) as number[];
  const edges = ids.map((id, i) => ({ sourceVertex: id, targetVertex: ids[(i * 7) % 500], edgePropertyId: 'x' }));
  await createEdges(service as unknown as TestService, edges);
  expect((await service.call('DELETE', `/graphelement/${ids[3]}${waited}`)).status).toBeLessThan(300);
  const index = { uniqueId: 'names', pluginType: 'DictionaryIndex' };
  expect(expectJson(await service.call('POST', '/index', { json: index }), 200)).toBe(true);
  const key = { fullQualifiedTypeName: 'System.String', propertyValue: 'seven', propertyId: 'k' };
  expect(expectJson(await service.put('/index/names', { graphElementId: ids[7], key }))).toBe(true);
  const path = { filter: { edgePropertyFilter: 'return t => t != "road";' } };
  expectJson(await service.call('POST', '/storedquery', { json: { name: 'kept', kind: 'Path', path } }), 201);
}

const indexHits = async (service: KeptService, prefix = ''): Promise<unknown> => {
  const literal = { fullQualifiedTypeName: 'System.String', value: 'seven' };
  const json = { indexId: 'names', literal, operator: 0, resultType: 'Both' };
  return expectJson(await service.call('POST', `${prefix}/scan/index/all`, { json }));
};

describe.runIf(isReal)('a package', () => {
  const settings: ServiceSettings = { 'Durability:SaveOnShutdown': false, 'BulkIO:MaxImportRequestBytes': 200_000 };
  let service: KeptService;
  let whole: Buffer;
  beforeAll(async () => {
    service = await KeptService.start(settings);
    await fill(service);
    whole = await packed(service);
  });
  afterAll(() => service.remove());

  test('goes into an empty namespace, which a kill leaves as it was', { tags: ['long'] }, async () => {
    expectJson(await service.put('/ns/copy'), 201);
    const counts = expectJson(await opened(service, whole, '/ns/copy')) as object;
    expect(counts).toEqual({ vertexCount: 499, edgeCount: expect.any(Number), durable: true });
    const lines = await linesOf(service);
    expect(await linesOf(service, '/ns/copy')).toBe(lines);
    expect(await indexHits(service, '/ns/copy')).toEqual(await indexHits(service));
    expectJson(await service.call('GET', '/ns/copy/storedquery/kept'));
    await service.add(['later'], '/ns/copy');
    const after = await linesOf(service, '/ns/copy');
    await service.kill();
    await service.start();
    expect(await linesOf(service, '/ns/copy')).toBe(after);
    expect(await linesOf(service)).toBe(lines);
    expect(service.everyFile().filter((name) => name.includes('package'))).toEqual([]);
  });

  test('leaves log and save games of its namespace as they are', async () => {
    const saved = await service.saveGames();
    await packed(service);
    expect(await service.saveGames()).toEqual(saved);
    await service.add(['behind a package']);
    await service.kill();
    await service.start();
    expect(await service.labels()).toContain('behind a package');
  });

  test('goes into a service that keeps nothing, and out of it again', async () => {
    const other = await startService({ 'Durability:Volatile': true });
    try {
      expectJson(await opened(other, whole));
      const again = await packed(other);
      expectJson(await other.call('PUT', '/ns/second'), 201);
      expectJson(await opened(other, again, '/ns/second'));
      expect(await linesOf(other, '/ns/second')).toBe(await linesOf(other));
    } finally {
      await other.stop();
    }
  });

  test('needs a namespace that holds nothing', async () => {
    const { detail } = expectProblem(await opened(service, whole), 409, 'Package requires an empty graph');
    expect(detail).toMatch(/\d+ vertices, \d+ edges, 1 indexes/);
    expectJson(await service.put('/ns/indexed'), 201);
    await service.call('POST', '/ns/indexed/index', { json: { uniqueId: 'a', pluginType: 'DictionaryIndex' } });
    expectProblem(await opened(service, whole, '/ns/indexed'), 409, 'Package requires an empty graph');
  });

  test('is refused where a byte is missing, changed or added, and leaves nothing behind', async () => {
    expectJson(await service.put('/ns/broken'), 201);
    const files = service.everyFile();
    const refuse = async (body: Uint8Array, said: RegExp): Promise<void> => {
      const { detail } = expectProblem(await opened(service, body, '/ns/broken'), 400, 'Invalid package');
      expect(detail).toMatch(said);
    };
    await refuse(new Uint8Array(0), /ends before its end/);
    await refuse(Buffer.from('{"type":"meta"}\n1'), /does not begin as a package/);
    for (const length of [1, 15, 16, 31, 200, whole.length - 1]) await refuse(whole.subarray(0, length), /ends before/);
    await refuse(Buffer.concat([whole, Buffer.from('x')]), /Something follows its end/);
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 60)) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ 4;
      await refuse(changed, /begin|version|checksum|longer than/);
    }
    const newer = Buffer.from(whole);
    newer[8] = 2;
    await refuse(newer, /version 2; this reads version 1/);
    expect(await service.labels('/ns/broken')).toEqual([]);
    expect(service.everyFile()).toEqual(files);
    expectJson(await opened(service, whole, '/ns/broken'));
  });

  test('is refused above the limit of imports, and as another type', async () => {
    for (const name of ['source', 'large']) expectJson(await service.put(`/ns/${name}`), 201);
    await service.call('GET', '/ns/source/generate?nodeCount=30000&edgeCount=3');
    const large = await packed(service, '/ns/source');
    expect(large.length).toBeGreaterThan(200_000);
    expectProblem(await opened(service, large, '/ns/large'), 413);
    expectProblem(
      await service.call('POST', '/ns/large/package', { body: whole, headers: { 'content-type': 'text/plain' } }),
      415,
    );
    expect(await service.labels('/ns/large')).toEqual([]);
  });
});
