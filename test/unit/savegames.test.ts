// The registry document, the grammar of locations, and where they lead in a real directory.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckpointPlaces } from '../../runtime-node/storage/checkpoint-places.ts';
import type { CheckpointPlaces } from '../../src/engine/savegames/home.ts';
import {
  baseNameOf,
  directoryOf,
  isOwnFile,
  mayBePrimary,
  nameFlaw,
  primariesOver,
  Stamps,
} from '../../src/engine/savegames/locations.ts';
import {
  entryOf,
  membersOf,
  RegistryUnreadable,
  readRegistry,
  type SaveGame,
  type SaveGameMember,
  saveGameId,
  writeRegistry,
} from '../../src/engine/savegames/registry.ts';
import { engineVersion } from '../../src/engine/version.ts';
import { MemoryBlobStore } from '../../src/storage/memory-store.ts';

const kpis = {
  vertexCount: 2,
  edgeCount: 1,
  usedMemoryBytes: 1000,
  indices: [],
  availableIndexPlugins: [],
  availablePathPlugins: [],
  availableServicePlugins: [],
  subGraphs: [],
};
const memberOf = (name: string, id = 'default'): SaveGameMember => ({
  name,
  id,
  location: `/data/${name}.f8s`,
  fileCount: 2,
  totalBytes: 10,
  kpis,
});
const gameOf = (id: string, savedAt: string, members = [memberOf('default')]): SaveGame =>
  entryOf({ id, savedAt, trigger: 'api', engineVersion: '1' }, members);

const same = (location: string): string => location;
const read = (store: MemoryBlobStore, rebase: (location: string, writtenIn: string | undefined) => string = same) =>
  readRegistry(store, rebase);
const put = (store: MemoryBlobStore, text: string) => store.put('savegames.json', new TextEncoder().encode(text));

describe('the registry', () => {
  it('is empty before there is one, and comes back as it was written, newest first', async () => {
    const store = new MemoryBlobStore();
    expect(await read(store)).toEqual([]);
    const old = gameOf('sg-1', '2026-01-01T00:00:00.000Z');
    const first = gameOf('sg-2', '2026-01-02T00:00:00.000Z');
    const second = gameOf('sg-3', '2026-01-02T00:00:00.000Z', [
      memberOf('default'),
      memberOf('x', 'ns-20260101-000000-00aa'),
    ]);
    await writeRegistry(store, '/data', [old, first, second]);
    expect(await read(store)).toEqual([first, second, old]);
  });

  it('sums the members of an entry, and mirrors a single one', () => {
    const one = gameOf('sg-1', '2026-01-01T00:00:00.000Z');
    expect(one).toMatchObject({ location: '/data/default.f8s', fileCount: 2, totalBytes: 10, kpis });
    const two = gameOf('sg-2', one.savedAt, [memberOf('default'), memberOf('x', 'ns-20260101-000000-00aa')]);
    expect(two).toMatchObject({ location: null, fileCount: 4, totalBytes: 20 });
    expect(two.kpis).toMatchObject({ vertexCount: 4, edgeCount: 2, usedMemoryBytes: 1000, indices: [] });
  });

  it('reads entries from before there were namespaces as default alone', async () => {
    const store = new MemoryBlobStore();
    const { namespaces: _, ...flat } = gameOf('sg-1', '2026-01-01T00:00:00.000Z');
    for (const schemaVersion of [1, 2]) {
      await put(store, JSON.stringify({ schemaVersion, saveGames: [flat, { ...flat, id: 'sg-2', namespaces: null }] }));
      for (const entry of await read(store)) {
        expect(entry.namespaces).toBeNull();
        expect(membersOf(entry)).toEqual([memberOf('default')]);
      }
    }
  });

  it('takes locations along when the storage directory has moved', async () => {
    const store = new MemoryBlobStore();
    await writeRegistry(store, '/data', [gameOf('sg-1', '2026-01-01T00:00:00.000Z')]);
    const [entry] = await read(store, (location, writtenIn) => location.replace(writtenIn ?? '', '/elsewhere'));
    expect(entry?.location).toBe('/elsewhere/default.f8s');
    expect(entry?.namespaces?.[0]?.location).toBe('/elsewhere/default.f8s');
  });

  it('is never taken for something else', async () => {
    const store = new MemoryBlobStore();
    const good = gameOf('sg-1', '2026-01-01T00:00:00.000Z');
    const bad = [
      '',
      ' ',
      '{',
      'null',
      '[]',
      '{}',
      '{"schemaVersion":3,"saveGames":[]}',
      '{"schemaVersion":2,"saveGames":{}}',
      ...[
        { ...good, id: '' },
        { ...good, savedAt: 'yesterday' },
        { ...good, trigger: 'accident' },
        { ...good, fileCount: -1 },
        { ...good, namespaces: [] },
        { ...good, namespaces: [memberOf('x', '../../etc')] },
        { ...good, namespaces: [{ ...memberOf('x'), location: '' }] },
      ].map((entry) => JSON.stringify({ schemaVersion: 2, saveGames: [entry] })),
      JSON.stringify({ schemaVersion: 2, saveGames: [good, good] }),
    ];
    for (const text of bad) {
      await put(store, text);
      await expect(read(store), text).rejects.toThrow(RegistryUnreadable);
    }
    await store.put('savegames.json', new Uint8Array([0xff, 0xfe]));
    await expect(read(store)).rejects.toThrow(RegistryUnreadable);
    store.get = () => Promise.reject(new Error('EIO'));
    await expect(read(store)).rejects.toThrow(/EIO/);
  });

  it('gives ids by time', () => {
    expect(saveGameId(Date.UTC(2026, 4, 6, 7, 8, 9), 0xab)).toBe('sg-20260506-070809-00ab');
  });
});

describe('locations', () => {
  it('are names of files that every system takes', () => {
    for (const name of ['Temp.f8s', 'a/b/c', 'Temp.f8s#5250123456789012345', 'ü.f8s', 'a b', '.hidden', '~x']) {
      expect(nameFlaw(name, ['metadata', 'my.wal*']), name).toBeNull();
    }
    expect(nameFlaw('namespaces/ns-20260101-000000-00aa/x', [])).toBeNull();
    const bad = ['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/..', 'a\\b', 'a:b', 'a\u0000', 'a\n', 'nul', 'LPT1.f8s'];
    const ours = ['metadata', 'METADATA/x', 'my.wal', 'my.wal.torn-1', 'arcwise.wal', 'a/Arcwise.base-1', 'namespaces'];
    const more = [
      'namespaces/x',
      'namespaces/x/y',
      'x.part-1',
      'x.',
      'x ',
      ' x',
      '\ud800',
      'x'.repeat(200),
      'é/'.repeat(600),
    ];
    for (const name of [...bad, ...ours, ...more]) {
      expect(nameFlaw(name, ['metadata', 'my.wal*']), JSON.stringify(name)).not.toBeNull();
    }
    expect(nameFlaw('metadata-copy.f8s', ['metadata'])).toBeNull();
  });

  it('tell primaries, sidecars and siblings apart', () => {
    expect(primariesOver('d_r/a_b_1')).toEqual(['d_r/a', 'd_r/a_b']);
    expect(primariesOver('_a')).toEqual([]);
    expect(['x', 'x_1', 'x_manifest_2'].every((file) => isOwnFile(file, 'x'))).toBe(true);
    expect(['x#1', 'x#1_0', 'x1', 'y_x'].some((file) => isOwnFile(file, 'x'))).toBe(false);
    expect(['a/Temp.f8s', 'Temp.f8s#1'].every(mayBePrimary)).toBe(true);
    expect(['arcwise.wal', baseNameOf('default', '1'), 'a/x.part-00'].some(mayBePrimary)).toBe(false);
    expect(directoryOf('default')).toBe('');
    expect(directoryOf('ns-1')).toBe('namespaces/ns-1/');
  });

  it('get stamps that only grow, whatever the clock and the directory say', () => {
    const stamps = new Stamps();
    const now = Date.UTC(2026, 0, 1);
    const taken = ['x#9223372036854775807', 'x#5250000000000000000_0', 'x#abc', 'y#5350000000000000000'];
    const names = [now, now, now - 1000, now + 1].map((ms) => stamps.next(ms, 'x', taken));
    const values = names.map((name) => BigInt(name.slice(2)));
    for (const [i, value] of values.entries()) {
      expect(value > (values[i - 1] ?? 5_250_000_000_000_000_000n)).toBe(true);
      expect(value < 5_300_000_000_000_000_000n).toBe(true);
    }
    expect(new Stamps().next(now, 'x', ['x#5400000000000000000_1'])).toBe('x#5400000000000000001');
  });

  it('end in the version of the package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    expect(engineVersion).toBe((JSON.parse(text) as { version: string }).version);
  });
});

describe('places in a directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'arcwise-places-'));
  const storageDirectory = join(directory, 'real');
  const linkDirectory = join(directory, 'link');
  let places: CheckpointPlaces;
  beforeAll(async () => {
    mkdirSync(join(storageDirectory, 'sub'), { recursive: true });
    symlinkSync(storageDirectory, linkDirectory);
    writeFileSync(join(storageDirectory, 'file'), '12345');
    writeFileSync(join(storageDirectory, 'sub/x.part-0'), '');
    writeFileSync(join(storageDirectory, 'sub/y'), '');
    symlinkSync('file', join(storageDirectory, 'linked'));
    symlinkSync('sub', join(storageDirectory, 'linked-directory'));
    const metadataDirectory = join(linkDirectory, 'metadata');
    const walPath = join(linkDirectory, 'logs/my.wal');
    places = await openCheckpointPlaces({ storageDirectory: linkDirectory, metadataDirectory, walPath });
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are what stands there, and refused behind symbolic links', async () => {
    expect(await places.inspect('file')).toMatchObject({ kind: 'file', bytes: 5 });
    expect(await places.inspect('nothing')).toEqual({ kind: 'missing' });
    expect(await places.inspect('no/thing')).toEqual({ kind: 'missing' });
    for (const name of ['linked', 'linked-directory/y', 'sub', 'file/x']) {
      expect((await places.inspect(name)).kind, name).toBe('refused');
    }
    expect(await places.filesIn('')).toEqual(['file']);
    expect(await places.filesIn('sub/')).toEqual(['sub/y']);
    expect(await places.filesIn('missing/')).toEqual([]);
  });

  it('are named by absolute paths of the directory or of what it leads to', () => {
    expect(places.pathOf('sub/y')).toBe(join(linkDirectory, 'sub/y'));
    expect(places.nameOf(join(linkDirectory, 'sub/y'))).toBe('sub/y');
    expect(places.nameOf(join(storageDirectory, 'sub/y'))).toBe('sub/y');
    expect(places.nameOf(`${linkDirectory}/../x`)).toBe('../x');
    for (const path of [linkDirectory, directory, `${linkDirectory}-2/x`, 'sub/y']) {
      expect(places.nameOf(path), path).toBeNull();
    }
    expect(places.nameOf('/before/x', '/before')).toBe('x');
    for (const path of ['/x', 'C:\\x', 'c:x', '\\\\host\\x']) expect(places.isAbsolute(path), path).toBe(true);
    expect(places.reserved).toEqual(['metadata', 'logs/my.wal*']);
  });
});
