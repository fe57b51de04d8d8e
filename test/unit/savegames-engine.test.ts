// Save games of an engine over stores in memory: what a failing disk does to saves, registry and logs.

import { describe, expect, it } from 'vitest';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import type { SaveGameHome } from '../../src/engine/savegames/home.ts';
import type { SaveGames } from '../../src/engine/types.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import { graphOf, homeWith, startedWith, vertex } from './engine-support.ts';
import { BreakableBlobStore, BreakableLogStore } from './support/breakable-stores.ts';
import { saveGamesOver } from './support/savegame-home.ts';

interface Stores {
  readonly logs: BreakableLogStore;
  readonly metadata: BreakableBlobStore;
  readonly saveGames: SaveGameHome;
}

function newStores(): Stores {
  const saveGames = saveGamesOver(new MemoryCheckpointStore());
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

  it('a checkpoint that cannot be registered is taken back, and nothing is lost', async () => {
    const stores = newStores();
    const { checkpoints } = stores.saveGames;
    const engine = await started(stores);
    await engine.create('other');
    const saved = await gamesOf(engine).saveAll();
    expect(await add(engine, 'a')).toBe(true);
    const files = await checkpoints.list('');
    stores.metadata.broken = true;
    const detail = expect.stringContaining('The save game registry cannot be written');
    expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: false, failure: 'failed', detail });
    expect(await checkpoints.list('')).toEqual(files);
    expect(await gamesOf(engine).saveAll()).toEqual({
      entry: null,
      failedNamespaces: ['default', 'other'],
      skippedNamespaces: [],
    });
    expect(await checkpoints.list('')).toEqual(files);
    expect(await gamesOf(engine).list()).toEqual([saved.entry]);
    expect(graphOf(engine).durability.degraded).toBe(false);
    expect(await add(engine, 'b')).toBe(true);
    stores.metadata.broken = false;
    const again = await started(stores);
    expect(graphOf(again).vertexCount).toBe(2);
    expect(await gamesOf(again).save('default', plain)).toMatchObject({ ok: true });
    expect(await add(again, 'c')).toBe(true);
    expect(graphOf(await started(stores)).vertexCount).toBe(3);
  });

  it('a registry that was replaced although its disk said no is put back; where that fails the files stay', async () => {
    for (const lying of [1, 2]) {
      const stores = newStores();
      const engine = await started(stores);
      expect(await add(engine, 'a')).toBe(true);
      stores.metadata.lying = lying;
      expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: false });
      stores.metadata.lying = 0;
      expect(await gamesOf(engine).list()).toEqual([]);
      expect((await stores.saveGames.checkpoints.list('Temp.f8s')).length).toBe(lying === 1 ? 0 : 2);
      expect(await add(engine, 'b')).toBe(true);
      expect(graphOf(await started(stores)).vertexCount).toBe(2);
    }
  });

  it('a degraded log whose save cannot be registered stays degraded', async () => {
    const stores = newStores();
    const engine = await started(stores);
    stores.logs.broken = true;
    expect(await add(engine, 'in memory only')).toBe(false);
    stores.logs.broken = false;
    stores.metadata.broken = true;
    expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: false });
    expect(graphOf(engine).durability.degraded).toBe(true);
    expect(await add(engine, 'too')).toBe(false);
    stores.metadata.broken = false;
    expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: true });
    expect(await add(engine, 'durable')).toBe(true);
    expect(graphOf(await started(stores)).vertexCount).toBe(3);
  });

  it('a load that cannot be registered leaves the graph as it was', async () => {
    const stores = newStores();
    const engine = await started(stores);
    expect(await add(engine, 'a')).toBe(true);
    const saved = await gamesOf(engine).save('default', { location: 'elsewhere/one', partitions: null });
    await gamesOf(engine).remove(saved.ok ? saved.entry.id : '', false);
    expect(await add(engine, 'b')).toBe(true);
    await gamesOf(engine).save('default', plain);
    stores.metadata.broken = true;
    expect(await gamesOf(engine).load('default', 'elsewhere/one')).toMatchObject({ ok: false, failure: 'rolledBack' });
    expect(graphOf(engine).vertexCount).toBe(2);
    expect(graphOf(await started(stores)).vertexCount).toBe(2);
    stores.metadata.broken = false;
    expect(await gamesOf(engine).load('default', 'elsewhere/one')).toEqual({ ok: true, loaded: true });
    expect(graphOf(await started(stores)).vertexCount).toBe(1);
  });

  it('a load whose log cannot be begun anew takes its entry back', async () => {
    const stores = newStores();
    const engine = await started(stores);
    const saved = await gamesOf(engine).save('default', { location: 'elsewhere/one', partitions: null });
    await gamesOf(engine).remove(saved.ok ? saved.entry.id : '', false);
    expect(await add(engine, 'b')).toBe(true);
    await gamesOf(engine).save('default', plain);
    stores.logs.broken = true;
    expect(await gamesOf(engine).load('default', 'elsewhere/one')).toMatchObject({ ok: false });
    stores.logs.broken = false;
    expect((await gamesOf(engine).list()).map(({ location }) => location)).toEqual(['/data/Temp.f8s']);
    expect(graphOf(await started(stores)).vertexCount).toBe(1);
  });

  it('a dropped namespace that the registry cannot follow is not made again', async () => {
    const stores = newStores();
    const engine = await started(stores);
    await engine.create('other');
    const { entry } = await gamesOf(engine).saveAll();
    await engine.remove('other');
    const put = stores.metadata.put.bind(stores.metadata);
    stores.metadata.put = async (name, bytes) => {
      if (name === 'savegames.json') throw new Error('ENOSPC');
      await put(name, bytes);
    };
    const start = await gamesOf(engine).restore(entry?.id ?? '', null);
    expect(start).toMatchObject({ ok: false, failure: 'notRecreated' });
    expect(engine.list().map(({ name }) => name)).toEqual(['default']);
    expect(await gamesOf(engine).list()).toEqual([entry]);
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
    const again = await started({ ...stores, saveGames: saveGamesOver(new MemoryCheckpointStore()) });
    expect(graphOf(again).vertexCount).toBe(1);
  });

  it('a clean stop writes nothing when the newest save game says it all, and only what has changed otherwise', async () => {
    const stores = newStores();
    const { checkpoints } = stores.saveGames;
    const saveGames = { ...stores.saveGames, saveOnShutdown: true };
    let nowMs = Date.UTC(2026, 4, 6);
    const clock = { nowMs: () => nowMs++ };
    const stopped = async (change: (engine: Namespaces) => Promise<unknown> = async () => {}): Promise<number[]> => {
      const engine = await started(stores, { saveGames, clock });
      await change(engine);
      await engine.close();
      const entries = (await gamesOf(engine).list()).length;
      const primaries = (await checkpoints.list('')).filter((name) => !name.includes('_'));
      return [entries, primaries.length];
    };
    expect(await stopped((engine) => engine.create('other'))).toEqual([1, 2]);
    expect(await stopped()).toEqual([1, 2]);
    expect(await stopped((engine) => add(engine, 'a'))).toEqual([2, 3]);
    expect(await stopped()).toEqual([2, 3]);
    expect(await stopped((engine) => gamesOf(engine).save('default', plain))).toEqual([3, 4]);
    const indexed = async (engine: Namespaces): Promise<void> => {
      await graphOf(engine).indexes.create('i', 'DictionaryIndex', new Map(), true);
    };
    expect(await stopped(indexed)).toEqual([4, 5]);
    expect(await stopped()).toEqual([4, 5]);
    // A checkpoint that an older entry shares is deleted with the last of them.
    const last = await started(stores, { saveGames, clock });
    const [newest, second] = await gamesOf(last).list();
    expect(newest?.namespaces?.map(({ name }) => name)).toEqual(['default', 'other']);
    for (const { id } of (await gamesOf(last).list()).slice(1)) await gamesOf(last).remove(id, true);
    expect(second?.id).not.toBe(newest?.id);
    expect((await checkpoints.list('')).filter((name) => !name.includes('_')).length).toBe(2);
    const restored = await gamesOf(last).restore(newest?.id ?? '', null);
    expect(restored.ok && (await restored.done)).toMatchObject({ ok: true });
    expect(graphOf(last).vertexCount).toBe(1);
  });

  it('a restore of an older save game is not unchanged: the stop saves what the next start is to find', async () => {
    const stores = newStores();
    const saveGames = { ...stores.saveGames, saveOnShutdown: true };
    const engine = await started(stores, { saveGames });
    const first = await gamesOf(engine).save('default', plain);
    expect(await add(engine, 'a')).toBe(true);
    await gamesOf(engine).save('default', plain);
    const start = await gamesOf(engine).restore(first.ok ? first.entry.id : '', null);
    expect(start.ok && (await start.done)).toMatchObject({ ok: true });
    await engine.close();
    expect((await gamesOf(engine).list()).length).toBe(3);
    expect(graphOf(await started(stores)).vertexCount).toBe(0);
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
