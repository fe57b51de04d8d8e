// A full disk below the storage of a service: what was acknowledged can be read whatever there is room for, deleting gives room back,
// and then writes are durable again. The engine over real files, on a disk of so many bytes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpointPlaces } from '../../runtime-node/storage/checkpoint-places.ts';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { FileBlobStore, FileLogStore } from '../../runtime-node/storage/file-store.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import type { SaveGames } from '../../src/engine/types.ts';
import { graphOf, type Home, startedWith, vertex } from '../unit/engine-support.ts';
import { SmallDisk } from './small-disk.ts';

const roomy = 64 * 2 ** 20;
const plain = { location: null, partitions: 1 };

let directory: string;
let disk: SmallDisk;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'arcwise-full-'));
  disk = new SmallDisk(roomy);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A service's storage as it is found: what is not closed is killed. */
async function started(): Promise<Home> {
  const metadata = new FileBlobStore({ directory, fileSystem: disk });
  await metadata.keepReserve();
  let nowMs = Date.now();
  return startedWith({
    logs: new FileLogStore({ directory, fileSystem: disk }),
    metadata,
    clock: { nowMs: () => nowMs++ },
    saveGames: {
      checkpoints: new FileCheckpointStore({ directory, fileSystem: disk }),
      places: await openCheckpointPlaces({ storageDirectory: directory, metadataDirectory: directory, walPath: null }),
      ...{ baseName: 'Temp.f8s', saveOnShutdown: false, defaultPartitions: 1, engineVersion: '1' },
      usedMemoryBytes: () => 0,
    },
  });
}

function gamesOf(engine: Namespaces): SaveGames {
  if (engine.saveGames === null) throw new Error('No save games.');
  return engine.saveGames;
}

/** Whether the write is on disk; `bytes` long. */
async function add(engine: Namespaces, label: string, bytes = 10): Promise<boolean> {
  const outcome = graphOf(engine).write([vertex(label, [['text', 1, 'x'.repeat(bytes)]])]);
  return outcome.ok && (await outcome.durable);
}

/** Writes until the disk takes no more, and tears the one that it does not take; how many it took. */
async function fill(engine: Namespaces): Promise<number> {
  let taken = 0;
  while (await add(engine, 'filling', 300_000)) taken++;
  return taken;
}

const isDegraded = (engine: Namespaces): boolean => graphOf(engine).durability.degraded;

describe('a start on a full disk', () => {
  it('reads what was acknowledged, says that it is degraded, and names the file', async () => {
    disk.capacity = 3_000_000;
    const { engine } = await started();
    const taken = await fill(engine);
    expect(taken).toBeGreaterThan(3);
    disk.fill();
    const { engine: again, lines } = await started();
    expect(graphOf(again).vertexCount).toBe(taken);
    expect(graphOf(again).reads.element(taken - 1, 'vertex')).not.toBe(null);
    expect(isDegraded(again)).toBe(true);
    expect(await add(again, 'in memory only')).toBe(false);
    expect(lines.filter((line) => line.includes('not durable any more')).length).toBe(1);
    disk.capacity = roomy;
    const { engine: roomyAgain } = await started();
    expect(graphOf(roomyAgain).vertexCount).toBe(taken);
    expect(isDegraded(roomyAgain)).toBe(false);
    expect(await add(roomyAgain, 'durable')).toBe(true);
  });

  it('the first of all is one with nothing in it', async () => {
    disk.capacity = 0;
    const { engine } = await started();
    expect(graphOf(engine).vertexCount).toBe(0);
    expect(isDegraded(engine)).toBe(true);
    expect(await engine.create('other')).toMatchObject({ ok: false, failure: 'storageFailed' });
    disk.capacity = roomy;
    expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: true });
    expect(isDegraded(engine)).toBe(false);
    expect(await add(engine, 'durable')).toBe(true);
    const { engine: again } = await started();
    expect(graphOf(again).vertexCount).toBe(1);
  });

  it('from a save game whose log is gone is degraded, and durable with the next save', async () => {
    const { engine } = await started();
    expect(await add(engine, 'a')).toBe(true);
    expect(await gamesOf(engine).save('default', plain)).toMatchObject({ ok: true });
    const logs = new FileLogStore({ directory });
    for (const name of await logs.list('arcwise.wal')) await logs.delete(name);
    disk.fill();
    const { engine: again } = await started();
    expect([graphOf(again).vertexCount, isDegraded(again)]).toEqual([1, true]);
    disk.capacity = roomy;
    expect(await gamesOf(again).save('default', plain)).toMatchObject({ ok: true });
    expect(await add(again, 'b')).toBe(true);
    const { engine: last } = await started();
    expect(graphOf(last).vertexCount).toBe(2);
  });
});

describe('deleting save games on a full disk', () => {
  it('makes room, and what is in memory becomes durable', async () => {
    const { engine } = await started();
    await add(engine, 'a', 1_000_000);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const saved = await gamesOf(engine).save('default', plain);
      ids.push(saved.ok ? saved.entry.id : '');
    }
    disk.capacity = disk.used + 400_000;
    await fill(engine);
    expect(isDegraded(engine)).toBe(true);
    disk.fill();
    const { engine: again, lines } = await started();
    expect(isDegraded(again)).toBe(true);
    expect(await add(again, 'in memory')).toBe(false);
    const { vertexCount } = graphOf(again);
    // The oldest: the log builds on the newest.
    expect(await gamesOf(again).remove(ids[0] as string, true)).toBe(true);
    expect(await gamesOf(again).remove(ids[1] as string, true)).toBe(true);
    expect((await gamesOf(again).list()).map(({ id }) => id)).toEqual([ids[2]]);
    expect(lines.filter((line) => line.includes('durable'))).toContainEqual(
      expect.stringContaining('Writes of namespace "default" are durable again'),
    );
    expect(isDegraded(again)).toBe(false);
    expect(await add(again, 'durable')).toBe(true);
    const { engine: last } = await started();
    expect(graphOf(last).vertexCount).toBe(vertexCount + 1);
    // The reserve is there for the next time.
    disk.fill();
    expect(await gamesOf(last).remove(ids[2] as string, false)).toBe(true);
  });

  it('of the one that the log builds on takes nothing that a start needs', async () => {
    const { engine } = await started();
    await add(engine, 'a', 500_000);
    const saved = await gamesOf(engine).save('default', { location: 'elsewhere/one', partitions: 1 });
    const id = saved.ok ? saved.entry.id : '';
    await add(engine, 'b');
    disk.fill();
    await expect(gamesOf(engine).remove(id, true)).rejects.toThrow('ENOSPC');
    expect((await gamesOf(engine).list()).map((entry) => entry.id)).toEqual([id]);
    const { engine: again } = await started();
    expect(graphOf(again).vertexCount).toBe(2);
    disk.capacity = roomy;
    expect(await gamesOf(again).remove(id, true)).toBe(true);
    const { engine: last } = await started();
    expect(graphOf(last).vertexCount).toBe(2);
  });

  it('and dropping a namespace, makes room too', async () => {
    const { engine } = await started();
    await engine.create('other');
    const other = graphOf(engine, 'other').write([vertex('big', [['text', 1, 'x'.repeat(1_000_000)]])]);
    expect(other.ok && (await other.durable)).toBe(true);
    disk.capacity = disk.used + 200_000;
    await fill(engine);
    disk.fill();
    expect(await engine.remove('other')).toMatchObject({ ok: true });
    await gamesOf(engine).list();
    while (isDegraded(engine)) await new Promise((resolve) => setImmediate(resolve));
    expect(await add(engine, 'durable')).toBe(true);
    const { vertexCount } = graphOf(engine);
    const { engine: last } = await started();
    expect(last.list().map(({ name }) => name)).toEqual(['default']);
    expect(graphOf(last).vertexCount).toBe(vertexCount);
  });
});
