// Contract part 1, Save games: saving, where checkpoints may lie, the registry, deletion.

import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeptService, type SavedEntry } from './support/kept-service.ts';
import { expectEmpty, expectJson, expectProblem } from './support/requests.ts';
import { isReal } from './support/service.ts';

const timeText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const entryMembers = [
  'id',
  'savedAt',
  'trigger',
  'location',
  'fileCount',
  'totalBytes',
  'engineVersion',
  'kpis',
  'namespaces',
];
const kpiMembers = [
  'vertexCount',
  'edgeCount',
  'usedMemoryBytes',
  'indices',
  'availableIndexPlugins',
  'availablePathPlugins',
  'availableServicePlugins',
  'subGraphs',
];

describe.runIf(isReal)('save games', () => {
  let service: KeptService;
  beforeAll(async () => {
    service = await KeptService.start();
    await service.add(['a', 'b']);
  });
  afterAll(() => service.remove());

  /** Absolute paths of an entry's own files. */
  const ownFiles = (location: string): string[] => {
    const below = location.slice(service.storage.length + 1);
    const slash = below.lastIndexOf('/') + 1;
    const name = below.slice(slash);
    return service.files(below.slice(0, slash)).filter((file) => file === name || file.startsWith(`${name}_`));
  };
  const idOf = async (name: string): Promise<string> => {
    const entry = await service.save(`/ns/${name}`);
    return entry.namespaces[0]?.id as string;
  };

  describe('PUT /save', () => {
    test('{} is enough: the entry tells everything, and is registered', async () => {
      const entry = await service.save();
      expect(Object.keys(entry)).toEqual(entryMembers);
      expect(entry).toMatchObject({ trigger: 'api', location: join(service.storage, 'Temp.f8s') });
      expect(entry.id).toMatch(/^sg-\d{8}-\d{6}-[0-9a-f]{4}$/);
      expect(entry.savedAt).toMatch(timeText);
      expect(entry.engineVersion).not.toBe('');
      expect(Object.keys(entry.kpis)).toEqual(kpiMembers);
      expect(entry.kpis).toMatchObject({ vertexCount: 2, edgeCount: 0, indices: [], subGraphs: [] });
      expect(entry.kpis.usedMemoryBytes).toBeGreaterThan(1_000_000);
      const { location, fileCount, totalBytes, kpis } = entry;
      expect(entry.namespaces).toEqual([{ name: 'default', id: 'default', location, fileCount, totalBytes, kpis }]);
      const files = ownFiles(location as string);
      expect(files).toContain('Temp.f8s');
      expect(files.length).toBe(fileCount);
      const bytes = files.reduce((sum, file) => sum + statSync(join(service.storage, file)).size, 0);
      expect(totalBytes).toBe(bytes);
      expect((await service.saveGames())[0]).toEqual(entry);
      expect(expectJson(await service.call('GET', `/savegames/${entry.id}`))).toEqual(entry);
      const document = JSON.parse(readFileSync(service.registry, 'utf8'));
      expect(document).toMatchObject({ schemaVersion: 2, saveGames: [entry] });
    });

    test('never writes over a checkpoint: a sibling with a monotonic stamp', async () => {
      const target = join(service.storage, 'Temp.f8s');
      const before = readFileSync(target);
      const entries: SavedEntry[] = [];
      for (let i = 0; i < 3; i++) entries.push(await service.save());
      const stamps = entries.map(({ location }) => BigInt(/^Temp\.f8s#(\d{19})$/.exec(fileName(location))?.[1] ?? '0'));
      for (const [i, stamp] of stamps.entries()) {
        if (i > 0) expect(stamp > (stamps[i - 1] as bigint)).toBe(true);
        const ms = Number((stamp - 0x4000_0000_0000_0000n - 621_355_968_000_000_000n) / 10_000n);
        expect(Math.abs(ms - Date.now())).toBeLessThan(60_000);
      }
      expect(readFileSync(target)).toEqual(before);
      expect((await service.saveGames()).map(({ id }) => id).slice(0, 3)).toEqual(
        entries.map(({ id }) => id).reverse(),
      );
    });

    test('a location inside the storage directory, relative or absolute; blank is the default', async () => {
      const named = await service.save('', { saveGameLocation: 'deep/er/my graph.f8s' });
      expect(named.location).toBe(join(service.storage, 'deep/er/my graph.f8s'));
      const absolute = join(service.storage, 'absolute.f8s');
      expect((await service.save('', { SAVEGAMELOCATION: absolute })).location).toBe(absolute);
      for (const saveGameLocation of ['', '  ', null]) {
        expect(fileName((await service.save('', { saveGameLocation })).location)).toMatch(/^Temp\.f8s#\d+$/);
      }
    });

    test('a location outside the storage directory is refused on purpose, and the answer says so', async () => {
      const { detail } = expectProblem(await service.put('/save', { saveGameLocation: '/etc/outside.f8s' }), 400);
      expect(detail).toContain('outside the storage directory, and save games are kept inside it only');
    });

    test.each([
      '../outside.f8s',
      'a/../../outside.f8s',
      'a/./b.f8s',
      'a//b.f8s',
      'dir/',
      '/etc/outside.f8s',
      '/var/outside.f8s',
      'nul\u0000.f8s',
      'line\nfeed.f8s',
      'C:/Fallen8/database.f8s',
      'C:database.f8s',
      '\\\\host\\share\\x.f8s',
      'a\\b.f8s',
      'NUL',
      'con.f8s',
      'deep/COM1.txt',
      'ends with dot.',
      'ends with space ',
      'arcwise.wal',
      'arcwise.lock',
      'metadata/savegames.json',
      'metadata',
      'namespaces',
      'namespaces/x.f8s',
      'half\ud800.f8s',
      'x.part-abc',
    ])('the location %j is 400', async (saveGameLocation) => {
      const before = (await service.saveGames()).length;
      expectProblem(await service.put('/save', { saveGameLocation }), 400);
      expectProblem(await service.put('/load', { saveGameLocation }), 400);
      expect((await service.saveGames()).length).toBe(before);
    });

    test('one that is too long is 400', async () => {
      for (const saveGameLocation of ['x'.repeat(300), 'é'.repeat(100), `${'deep/'.repeat(300)}x`]) {
        expectProblem(await service.put('/save', { saveGameLocation }), 400);
      }
    });

    test('an absolute path that leaves the storage directory by dots, or only begins like it, is 400', async () => {
      for (const saveGameLocation of [`${service.storage}/../x.f8s`, `${service.storage}-2/x.f8s`, service.storage]) {
        expectProblem(await service.put('/save', { saveGameLocation }), 400);
        expectProblem(await service.put('/load', { saveGameLocation }), 400);
      }
    });

    test('symbolic links, directories and sidecars are 400', async () => {
      const outside = join(service.directory, 'outside');
      mkdirSync(outside);
      writeFileSync(join(outside, 'victim'), 'untouched');
      symlinkSync(outside, join(service.storage, 'link'));
      symlinkSync(join(outside, 'victim'), join(service.storage, 'victim'));
      symlinkSync(join(outside, 'nothing'), join(service.storage, 'dangling'));
      mkdirSync(join(service.storage, 'directory'));
      const { location } = await service.save('', { saveGameLocation: 'primary.f8s' });
      const bad = ['link/x.f8s', 'victim', 'dangling', 'directory', 'primary.f8s/x', 'primary.f8s_1', `${location}_x`];
      for (const saveGameLocation of bad) {
        expectProblem(await service.put('/save', { saveGameLocation }), 400);
        expectProblem(await service.put('/load', { saveGameLocation }), 400);
      }
      expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('untouched');
    });

    test('no body is an empty one, and members have their types', async () => {
      expectJson(await service.put('/save'));
      for (const json of [null, [], 'x', { savePartitions: 0 }, { savePartitions: -1 }, { savePartitions: 1.5 }]) {
        expectProblem(await service.put('/save', json), 400, 'One or more validation errors occurred.');
      }
      for (const json of [{ savePartitions: 'many' }, { savePartitions: '0' }, { saveGameLocation: 7 }]) {
        expectProblem(await service.put('/save', json), 400, 'One or more validation errors occurred.');
      }
      for (const savePartitions of [1, '3', 100_000, null]) await service.save('', { savePartitions });
    });

    test('an unknown namespace is 404', async () => {
      expectProblem(await service.put('/ns/nowhere/save', {}), 404, 'Namespace not found');
      expectProblem(await service.put('/ns/nowhere/load', { saveGameLocation: 'x' }), 404, 'Namespace not found');
    });

    test('a named namespace is saved in its own directory', async () => {
      const { storage } = service;
      expectJson(await service.put('/ns/own'), 201);
      await service.add(['x', 'y', 'z'], '/ns/own');
      const entry = await service.save('/ns/own');
      const [member] = entry.namespaces;
      expect(member?.id).toMatch(/^ns-\d{8}-\d{6}-[0-9a-f]{4}$/);
      expect(entry.location).toBe(join(storage, 'namespaces', member?.id as string, 'Temp.f8s'));
      expect(entry.namespaces).toMatchObject([{ name: 'own', kpis: { vertexCount: 3 } }]);
      expectEmpty(await service.call('DELETE', '/ns/own'), 204);
      expect(service.files(`namespaces/${member?.id}`)).toContain('Temp.f8s');
    });
  });

  describe('PUT /save/all', () => {
    test('of one namespace mirrors it, of several is a sum', async () => {
      const alone = expectJson(await service.put('/save/all')) as SavedEntry;
      expect(Object.keys(alone)).toEqual([...entryMembers, 'skippedNamespaces']);
      expect(alone.skippedNamespaces).toEqual([]);
      expect(alone.location).toBe(alone.namespaces[0]?.location);
      expectJson(await service.put('/ns/second'), 201);
      await service.add(['1', '2', '3'], '/ns/second');
      const both = expectJson(await service.put('/save/all')) as SavedEntry;
      expect(both).toMatchObject({ trigger: 'api', location: null, kpis: { vertexCount: 5, indices: [] } });
      expect(both.namespaces.map(({ name }) => name)).toEqual(['default', 'second']);
      expect(both.fileCount).toBe(both.namespaces.reduce((sum, { fileCount }) => sum + fileCount, 0));
      expect(both.totalBytes).toBe(both.namespaces.reduce((sum, { totalBytes }) => sum + totalBytes, 0));
      const { skippedNamespaces: _, ...stored } = both;
      expect((await service.saveGames())[0]).toEqual(stored);
      expectEmpty(await service.call('DELETE', '/ns/second'), 204);
    });

    test('says which namespaces failed, and registers the others', async () => {
      expectJson(await service.put('/ns/blocked'), 201);
      const id = await idOf('blocked');
      for (const file of service.files(`namespaces/${id}`)) {
        if (file.startsWith('Temp.f8s')) rmSync(join(service.storage, 'namespaces', id, file));
      }
      mkdirSync(join(service.storage, 'namespaces', id, 'Temp.f8s'));
      const problem = expectProblem(await service.put('/save/all'), 500, 'Save incomplete');
      expect(problem).toMatchObject({ failedNamespaces: ['blocked'], skippedNamespaces: [] });
      expect((await service.saveGames())[0]?.namespaces.map(({ name }) => name)).toEqual(['default']);
      expectProblem(await service.put('/ns/blocked/save', {}), 500);
      expectEmpty(await service.call('DELETE', '/ns/blocked'), 204);
    });
  });

  describe('the registry', () => {
    test('an unknown id is 204 to read, 404 to delete and to load', async () => {
      expectEmpty(await service.call('GET', '/savegames/sg-nope'), 204);
      expectProblem(await service.call('DELETE', '/savegames/sg-nope'), 404, 'Not Found');
      expectProblem(await service.put('/savegames/sg-nope/load'), 404, 'Not Found');
      expectProblem(await service.put('/savegames/sg-nope/load?waitForCompletion=true'), 404, 'Not Found');
    });

    test('is service-level: no twins', async () => {
      for (const path of ['/ns/default/savegames', '/ns/default/save/all', '/ns/default/savegames/x/load']) {
        expectProblem(await service.call('GET', path), 404);
      }
    });

    test('deleting an entry leaves its files, unless asked for', async () => {
      const kept = await service.save('', { saveGameLocation: 'kept.f8s' });
      expectEmpty(await service.call('DELETE', `/savegames/${kept.id}`), 204);
      expectEmpty(await service.call('GET', `/savegames/${kept.id}`), 204);
      expect(service.files()).toContain('kept.f8s');
      expectProblem(await service.call('DELETE', `/savegames/${kept.id}`), 404);
      expectProblem(await service.call('DELETE', `/savegames/${kept.id}?deleteFiles=maybe`), 400);
    });

    test('deleting with files takes the primary and its sidecars, never a sibling', async () => {
      const saveGameLocation = 'versions.f8s';
      const first = await service.save('', { saveGameLocation });
      const second = await service.save('', { saveGameLocation });
      const third = await service.save('', { saveGameLocation: 'versions.f8s2' });
      const [filesOfSecond, filesOfThird] = [second, third].map(({ location }) => ownFiles(location as string));
      expectEmpty(await service.call('DELETE', `/savegames/${first.id}?deleteFiles=true`), 204);
      expect(ownFiles(first.location as string)).toEqual([]);
      expect(ownFiles(second.location as string)).toEqual(filesOfSecond);
      expect(ownFiles(third.location as string)).toEqual(filesOfThird);
      expectEmpty(await service.call('DELETE', `/savegames/${second.id}?deleteFiles=true`), 204);
      expect(service.files().filter((name) => name.startsWith('versions.f8s#'))).toEqual([]);
    });

    test('files that another entry names as well stay', async () => {
      expectJson(await service.put('/ns/copy'), 201);
      const original = await service.save('', { saveGameLocation: 'shared.f8s' });
      expectEmpty(await service.put('/ns/copy/load', { saveGameLocation: 'shared.f8s' }), 204);
      expectEmpty(await service.call('DELETE', `/savegames/${original.id}?deleteFiles=true`), 204);
      expect(service.files()).toContain('shared.f8s');
      expectEmpty(await service.call('DELETE', '/ns/copy'), 204);
    });
  });
});

describe.runIf(isReal)('the rate limit and the key', () => {
  test('PUT /save/all is limited, PUT /save is not; nothing answers without the key', async () => {
    const service = await KeptService.start({
      'Security:ApiKey': 'secret',
      'Security:SensitiveRateLimitPermitPerWindow': 2,
      'Security:RateLimitWindowSeconds': 3600,
    });
    try {
      const headers = { 'x-api-key': 'secret' };
      for (const status of [200, 200, 429]) {
        expect((await service.call('PUT', '/save/all', { headers })).status).toBe(status);
      }
      for (let i = 0; i < 3; i++) expectJson(await service.call('PUT', '/save', { headers, json: {} }));
      const paths = ['PUT /save', 'PUT /save/all', 'PUT /load', 'GET /savegames', 'GET /savegames/x'];
      for (const line of [...paths, 'DELETE /savegames/x', 'PUT /savegames/x/load']) {
        const [method, path] = line.split(' ') as [string, string];
        expectProblem(await service.call(method, path), 401);
      }
    } finally {
      await service.remove();
    }
  });
});

function fileName(location: string | null): string {
  return location?.slice(location.lastIndexOf('/') + 1) ?? '';
}
