// The files of each release, as its service left them when it was killed, and its package: what this version makes of them. Written by
// scripts/release-fixture.mjs, once a release; they stay for good.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { send } from './support/client.ts';
import { NodeService } from './support/homes/node.ts';
import { isReal } from './support/service.ts';

const releases = readdirSync(at('test/fixtures')).filter((name) => name.startsWith('release-'));
const headers = { 'x-api-key': 'a-key-of-some-length' };

test('there are files of a release', () => {
  expect(releases).toContain('release-0.1.0');
});

describe.runIf(isReal).each(releases)('the files of %s', (release) => {
  const service = new NodeService();
  const folder = at(`test/fixtures/${release}`);
  const call = async (method: string, path: string, json?: unknown) =>
    (await send(service.url, method, path, { headers, ...(json === undefined ? {} : { json }) })).json;

  beforeAll(async () => {
    cpSync(`${folder}/data`, join(service.directory, 'arcwise-data'), { recursive: true });
    await service.start({
      'Metadata:Directory': join(service.directory, 'arcwise-data/metadata'),
      'Security:ApiKey': headers['x-api-key'],
      'Security:EnableConfigurationWrite': true,
    });
  });

  afterAll(async () => {
    await service.end('stop');
    await service.remove();
  });

  test('the save game, and the log behind it', async () => {
    expect(await call('GET', '/vertex/count')).toBe(4);
    expect(await call('GET', '/edge/count')).toBe(2);
    const [first, logged] = await Promise.all([call('GET', '/vertex/0'), call('GET', '/vertex/6')]);
    expect(first).toMatchObject({ creationDate: '2023-11-14T22:13:20', label: 'all types', outEdges: null });
    expect(first.properties.map((one: Record<string, string>) => Object.values(one))).toEqual([
      ['Boolean', 'System.Boolean', 'True'],
      ['Char', 'System.Char', 'ß'],
      ['DateTime', 'System.DateTime', '2026-05-06T07:08:09.1234567Z'],
      ['Decimal', 'System.Decimal', '79228162514264337593543950335'],
      ['Double', 'System.Double', '0.1'],
      ['Guid', 'System.Guid', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
      ['Int64', 'System.Int64', '-9223372036854775808'],
      ['String', 'System.String', 'Grüße 😀'],
      ['TimeSpan', 'System.TimeSpan', '1.02:03:04'],
    ]);
    expect(logged.properties[0].propertyValue).toBe('Grace');
  });

  test('indexes, embeddings, stored queries', async () => {
    const literal = { value: 'Ada', fullQualifiedTypeName: 'string' };
    expect(await call('POST', '/scan/index/all', { indexId: 'names', operator: 0, literal })).toEqual([1]);
    expect((await call('GET', '/graphelement/1/embedding/default')).vector).toEqual([1, 0.5, -1]);
    expect(await call('GET', '/storedquery')).toMatchObject([{ name: 'b-only', compileState: 'Compiled' }]);
    const [way] = await call('POST', '/path/1/to/2', { storedQuery: 'b-only' });
    expect(way.pathElements).toHaveLength(1);
  });

  test('the catalogue, the registry, the settings that were written', async () => {
    const { namespaces } = await call('GET', '/ns');
    expect(namespaces.map(({ name }: { name: string }) => name)).toEqual(['default', 'second']);
    expect(await call('GET', '/ns/second/vertex/count')).toBe(1);
    expect(await call('GET', '/savegames')).toHaveLength(1);
    const { settings } = await call('GET', '/config');
    expect(JSON.stringify(settings)).toContain('424242');
  });

  test('the save game alone is loaded, and the package is taken', async () => {
    const packed = readFileSync(`${folder}/graph.arcwise`);
    await call('PUT', '/ns/packed');
    const taken = await send(service.url, 'POST', '/ns/packed/package', {
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: packed,
    });
    expect(taken.status, taken.text).toBe(200);
    expect([await call('GET', '/ns/packed/vertex/count'), await call('GET', '/ns/packed/edge/count')]).toEqual([3, 3]);
    const [{ id }] = await call('GET', '/savegames');
    const loaded = await send(service.url, 'PUT', `/savegames/${id}/load`, { headers });
    expect(loaded.status, loaded.text).toBe(202);
    expect(await call('GET', '/vertex/count')).toBe(4);
  });
});
