// Save games of an engine over stores in memory: what a failing disk does to saves, registry and logs.

import { describe, expect, it } from 'vitest';
import type { EngineOptions, Namespaces } from '../../src/engine/namespaces.ts';
import type { CheckpointPlaces, SaveGameHome } from '../../src/engine/savegames/home.ts';
import type { SaveGames } from '../../src/engine/types.ts';
import { MemoryBlobStore, MemoryCheckpointStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import type { LogFile } from '../../src/storage/types.ts';
import { graphOf, homeWith, startedWith, vertex } from './engine-support.ts';

/** A log store whose disk takes nothing while it is broken. */
class BreakableLogStore extends MemoryLogStore {
  broken = false;

  override async open(name: string): Promise<LogFile | null> {
    const file = await super.open(name);
    return file === null ? null : this.breakable(file);
  }

  override async create(name: string, content: Uint8Array): Promise<LogFile> {
    if (this.broken) throw new Error('EIO');
    return this.breakable(await super.create(name, content));
  }

  private breakable(file: LogFile): LogFile {
    const fail = (): boolean => this.broken;
    return {
      get sizeBytes() {
        return file.sizeBytes;
      },
      read: (offset, target) => file.read(offset, target),
      write: (offset, bytes) => (fail() ? Promise.reject(new Error('EIO')) : file.write(offset, bytes)),
      reserve: (bytes) => (fail() ? Promise.reject(new Error('EIO')) : file.reserve(bytes)),
      truncate: (bytes) => file.truncate(bytes),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }
}

class BreakableBlobStore extends MemoryBlobStore {
  broken = false;

  override put(name: string, bytes: Uint8Array): Promise<void> {
    return this.broken ? Promise.reject(new Error('ENOSPC')) : super.put(name, bytes);
  }
}

function homeOver(checkpoints: MemoryCheckpointStore): SaveGameHome {
  const places: CheckpointPlaces = {
    directory: '/data',
    reserved: [],
    isAbsolute: (path) => path.startsWith('/'),
    pathOf: (name) => `/data/${name}`,
    nameOf: (path, directory = '/data') => (path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : null),
    inspect: async (name) => {
      const file = await checkpoints.open(name);
      return file === null ? { kind: 'missing' } : { kind: 'file', bytes: file.sizeBytes, modifiedMs: 0 };
    },
    filesIn: async (directory) =>
      (await checkpoints.list(directory)).filter((name) => !name.slice(directory.length).includes('/')),
  };
  return {
    ...{ checkpoints, places, baseName: 'Temp.f8s', saveOnShutdown: false, defaultPartitions: 2 },
    ...{ engineVersion: '1', usedMemoryBytes: () => 1000 },
  };
}

interface Stores {
  readonly logs: BreakableLogStore;
  readonly metadata: BreakableBlobStore;
  readonly saveGames: SaveGameHome;
}

function newStores(): Stores {
  const saveGames = homeOver(new MemoryCheckpointStore());
  return { logs: new BreakableLogStore(), metadata: new BreakableBlobStore(), saveGames };
}

async function started(stores: Stores, changes: Partial<EngineOptions> = {}): Promise<Namespaces> {
  return (await startedWith({ ...stores, ...changes })).engine;
}

function gamesOf(engine: Namespaces): SaveGames {
  if (engine.saveGames === null) throw new Error('No save games.');
  return engine.saveGames;
}

async function add(engine: Namespaces, label: string): Promise<boolean> {
  const outcome = graphOf(engine).write([vertex(label)]);
  return outcome.ok && (await outcome.durable);
}

const plain = { location: null, partitions: null };

describe('save games over a failing disk', () => {
  it('a successful save makes a namespace durable again whose log had failed', async () => {
    const stores = newStores();
    const engine = await started(stores);
    expect(await add(engine, 'kept')).toBe(true);
    stores.logs.broken = true;
    expect(await add(engine, 'in memory only')).toBe(false);
    expect(graphOf(engine).durability.degraded).toBe(true);
    stores.logs.broken = false;
    expect(await add(engine, 'still in memory only')).toBe(false);
    expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: true });
    expect(graphOf(engine).durability.degraded).toBe(false);
    expect(await add(engine, 'durable')).toBe(true);
    const again = await started(stores);
    expect(graphOf(again).vertexCount).toBe(4);
    expect(await add(again, 'later')).toBe(true);
  });

  it('a checkpoint that cannot be registered is answered all the same, and the next start has everything', async () => {
    const stores = newStores();
    const engine = await started(stores);
    expect(await add(engine, 'a')).toBe(true);
    stores.metadata.broken = true;
    const result = await gamesOf(engine).save('default', plain);
    expect(result).toMatchObject({ ok: true, entry: { trigger: 'api', location: '/data/Temp.f8s' } });
    expect(await gamesOf(engine).list()).toEqual([]);
    expect(await add(engine, 'b')).toBe(true);
    stores.metadata.broken = false;
    const again = await started(stores);
    expect(graphOf(again).vertexCount).toBe(2);
  });

  it('an entry that cannot be taken out of the registry keeps its files', async () => {
    const stores = newStores();
    const engine = await started(stores);
    const result = await gamesOf(engine).save('default', plain);
    const id = result.ok ? result.entry.id : '';
    stores.metadata.broken = true;
    await expect(gamesOf(engine).remove(id, true)).rejects.toThrow('ENOSPC');
    expect((await gamesOf(engine).list()).map((entry) => entry.id)).toEqual([id]);
    expect(await stores.saveGames.checkpoints.list('Temp.f8s')).toContain('Temp.f8s');
  });

  it('a restore that the log refuses leaves the graph as it was, and durable', async () => {
    const stores = newStores();
    const engine = await started(stores);
    expect(await add(engine, 'a')).toBe(true);
    const first = await gamesOf(engine).save('default', plain);
    expect(await add(engine, 'b')).toBe(true);
    await gamesOf(engine).save('default', plain);
    expect(await add(engine, 'c')).toBe(true);
    stores.logs.broken = true;
    const start = await gamesOf(engine).restore(first.ok ? first.entry.id : '', null);
    const end = start.ok ? await start.done : null;
    expect(end).toMatchObject({ ok: false, failedNamespaces: ['default'] });
    stores.logs.broken = false;
    expect(graphOf(engine).vertexCount).toBe(3);
    const again = await started(stores);
    expect(graphOf(again).vertexCount).toBe(3);
  });

  it('the end of a service is not held up by a save that fails', async () => {
    const stores = newStores();
    const saveGames = { ...stores.saveGames, saveOnShutdown: true };
    const engine = await started(stores, { saveGames });
    expect(await add(engine, 'a')).toBe(true);
    stores.saveGames.checkpoints.put = () => Promise.reject(new Error('ENOSPC'));
    await engine.close();
    const again = await started({ ...stores, saveGames: homeOver(new MemoryCheckpointStore()) });
    expect(graphOf(again).vertexCount).toBe(1);
  });

  it('operations wait for the start', async () => {
    const stores = newStores();
    const first = await started(stores);
    const saved = await gamesOf(first).save('default', plain);
    const { engine } = homeWith(stores);
    const starting = engine.start();
    const all = gamesOf(engine).saveAll();
    await starting;
    await all;
    expect((await gamesOf(engine).list()).length).toBe(2);
    expect((await gamesOf(engine).list())[1]?.id).toBe(saved.ok ? saved.entry.id : '');
  });
});
