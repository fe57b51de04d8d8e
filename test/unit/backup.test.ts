// Backups of an engine over stores in memory: what comes back is what was there, whatever the bucket did; who owns a backup; what is kept.

// @module-tag long

import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type BackupSettings, Backups } from '../../src/engine/backup/backups.ts';
import { type BackupManifest, decodeManifest } from '../../src/engine/backup/format.ts';
import { BackupReader, type RestorePoint } from '../../src/engine/backup/reading.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import { applyFrame } from '../../src/engine/replication/apply.ts';
import { FrameTail } from '../../src/engine/replication/tail.ts';
import type { Committed } from '../../src/engine/types.ts';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import type { ObjectStore } from '../../src/storage/objects.ts';
import { edge, graphOf, type Home, startedWith, vertex } from './engine-support.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const quick: BackupSettings = { putsPerSecond: 1000, baseEveryMs: 3_600_000, keepMs: 3_600_000 };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A service with a tail for each namespace. */
async function homeOf(
  changes: Parameters<typeof startedWith>[0] = {},
): Promise<Home & { tails: (id: string) => FrameTail }> {
  const byId = new Map<string, FrameTail>();
  const tails = (id: string): FrameTail => {
    const tail = byId.get(id) ?? new FrameTail({ crc32, limitBytes: 1 << 22 });
    byId.set(id, tail);
    return tail;
  };
  const home = await startedWith({ ...changes, tails, clock: { nowMs: () => Date.now() } });
  open.push(home.engine);
  return { ...home, tails };
}

async function backUp(
  home: Awaited<ReturnType<typeof homeOf>>,
  store: ObjectStore,
  settings: BackupSettings = quick,
): Promise<Backups> {
  const { engine, options, tails } = home;
  const { clock, logger } = options;
  const backups = await Backups.start({
    engine,
    tails,
    store,
    prefix: 'b/',
    settings,
    crc32,
    clock,
    logger,
    telemetry: null,
  });
  open.push(backups);
  return backups;
}

async function written(engine: Namespaces, name: string, count: number): Promise<void> {
  const graph = graphOf(engine, name);
  let last: Promise<boolean> = Promise.resolve(true);
  for (let i = 0; i < count; i++) {
    const id = (graph.write([vertex('v', [['n', 7, String(i)]])]) as Committed).firstId;
    last = (graph.write([edge(id, 0)]) as Committed).durable;
  }
  expect(await last).toBe(true);
}

const hashOf = async (engine: Namespaces, name = 'default') => (await graphOf(engine, name).runs.stateHash()).hash;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function manifestOf(store: ObjectStore, id = 'default'): Promise<BackupManifest> {
  const found = await store.get(`b/${id}/manifest.json`);
  if (found === null) throw new Error('There is no manifest.');
  return decodeManifest(found.bytes, 'it');
}

const hasBases =
  (store: ObjectStore, count: number, id = 'default') =>
  async (): Promise<boolean> =>
    (await store.get(`b/${id}/manifest.json`)) !== null && (await manifestOf(store, id)).bases.length >= count;

/** What comes back of a backup. */
async function restored(store: ObjectStore, point: RestorePoint = { kind: 'newest' }, name = 'default') {
  const home = await startedWith();
  open.push(home.engine);
  const reader = new BackupReader(store, 'b/', crc32);
  const manifest = (await reader.manifests()).find((one) => one.name === name) as BackupManifest;
  const { engine } = home;
  const result = await reader.restore(manifest, point, {
    load: async (body) => {
      const read = await engine.packages.read('default', body, { maxBytes: null, mayHavePlugins: true });
      expect(read).toMatchObject({ ok: true });
    },
    apply: async (frame) => {
      const graph = engine.named('default')?.graph;
      if (!graph) throw new Error('not loaded');
      expect(await applyFrame(graph.followTarget, frame)).toBe(true);
    },
  });
  return { ...result, hash: await hashOf(engine), graph: graphOf(engine) };
}

describe('a backup', () => {
  it('brings back what was committed, index by index, at every commit', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const { engine } = home;
    await written(engine, 'default', 5);
    const backups = await backUp(home, store);
    await until(hasBases(store, 1));
    const graph = graphOf(engine);
    const hashes = new Map<number, string>();
    const note = async (): Promise<void> => {
      const { hash, position } = await graph.runs.stateHash();
      hashes.set(position?.sequence ?? 0, hash);
    };
    await note();
    for (const operations of [
      [{ kind: 'createIndex', index: 'i', indexKind: 1, definition: null }],
      [{ kind: 'addToIndex', index: 'i', element: 0, type: 1, text: 'key' }],
      [{ kind: 'removeElement', element: 3, skipRemoved: false }],
      [{ kind: 'putDocument', documentKind: 3, name: 'q', text: 'text' }],
      [{ kind: 'trim' }],
      [vertex('after')],
      [{ kind: 'erase' }],
      [vertex('new'), vertex('newer')],
    ] as const) {
      const outcome = graph.write(operations);
      expect(outcome, JSON.stringify(operations)).toMatchObject({ ok: true });
      await (outcome as Committed).durable;
      await note();
    }
    await backups.close();
    for (const [sequence, hash] of hashes) {
      const back = await restored(store, { kind: 'sequence', sequence });
      expect([back.sequence, back.hash, back.end], `commit ${sequence}`).toEqual([sequence, hash, 'wanted']);
      expect(back.graph.position?.sequence).toBe(sequence);
    }
    const newest = await restored(store);
    expect([newest.end, newest.hash]).toEqual(['newest', await hashOf(engine)]);
    await expect(restored(store, { kind: 'sequence', sequence: 1000 })).rejects.toThrow('there is no 1000');
    await expect(restored(store, { kind: 'sequence', sequence: 1 })).rejects.toThrow('begins with commit');
  });

  it('goes to a time', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const backups = await backUp(home, store);
    await until(hasBases(store, 1));
    await written(home.engine, 'default', 3);
    const hash = await hashOf(home.engine);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ms = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await written(home.engine, 'default', 3);
    await backups.close();
    expect((await restored(store, { kind: 'time', ms })).hash).toBe(hash);
    await expect(restored(store, { kind: 'time', ms: 0 })).rejects.toThrow('begins with');
  });

  it('has every namespace, new ones and renamed ones too, and ends with them', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const { engine } = home;
    const backups = await backUp(home, store);
    const made = await engine.create('other');
    if (!made.ok) throw new Error(made.detail);
    const { id } = made.namespace;
    await written(engine, 'other', 4);
    await until(hasBases(store, 1, id));
    await engine.update('other', { name: 'renamed' });
    const hash = await hashOf(engine, 'renamed');
    await backups.close();
    const again = await backUp(home, store);
    await until(async () => (await manifestOf(store, id)).name === 'renamed');
    expect((await restored(store, { kind: 'newest' }, 'renamed')).hash).toBe(hash);
    await engine.remove('renamed');
    await again.close();
  });

  it('survives every kind of fault, and repeats nothing', async () => {
    const memory = new MemoryObjectStore();
    let isFaulty = false;
    let seed = 1;
    const random = (): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const flaky = async <T>(run: () => Promise<T>): Promise<T> => {
      const dice = isFaulty ? random() : 1;
      if (dice < 0.15) throw new Error('lost request');
      const answer = await run();
      if (dice < 0.3) throw new Error('lost answer');
      return answer;
    };
    const store: ObjectStore = {
      get: (name) => flaky(() => memory.get(name)),
      put: (name, bytes) => flaky(() => memory.put(name, bytes)),
      putIfAbsent: (name, bytes) => flaky(() => memory.putIfAbsent(name, bytes)),
      putIfMatch: (name, bytes, tag) => flaky(() => memory.putIfMatch(name, bytes, tag)),
      list: (prefix) => flaky(() => memory.list(prefix)),
      delete: (name) => flaky(() => memory.delete(name)),
    };
    const home = await homeOf();
    const backups = await backUp(home, store);
    isFaulty = true;
    for (let i = 0; i < 10; i++) {
      await written(home.engine, 'default', 5);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await until(hasBases(memory, 1));
    const hash = await hashOf(home.engine);
    await backups.close();
    expect((await restored(memory)).hash).toBe(hash);
  });

  it('goes on where it was after a start, without a new base', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const backups = await backUp(home, store);
    await until(hasBases(store, 1));
    await written(home.engine, 'default', 4);
    await backups.close();
    // What the backup has not seen is in the log alone.
    await written(home.engine, 'default', 4);
    const hash = await hashOf(home.engine);
    await home.engine.close();
    const { logs, metadata } = home.options;
    const second = await homeOf({ logs, metadata });
    const again = await backUp(second, store);
    await written(second.engine, 'default', 1);
    const last = await hashOf(second.engine);
    await again.close();
    expect((await manifestOf(store)).bases.length).toBe(1);
    const back = await restored(store);
    expect([back.hash, back.end]).toEqual([last, 'newest']);
    expect((await restored(store, { kind: 'sequence', sequence: back.sequence - 2 })).hash).toBe(hash);
  });

  it('bridges a gap in the log with a new base', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const backups = await backUp(home, store);
    await until(hasBases(store, 1));
    home.tails('default').lose();
    await written(home.engine, 'default', 3);
    const graph = home.engine.named('default')?.graph;
    home.tails('default').begin(graph?.position ?? { epoch: '', sequence: 0, chain: 0 }, graph?.changeFeed.newest ?? 0);
    await written(home.engine, 'default', 3);
    await until(hasBases(store, 2));
    await written(home.engine, 'default', 3);
    const hash = await hashOf(home.engine);
    await backups.close();
    const back = await restored(store);
    expect([back.hash, back.end]).toEqual([hash, 'newest']);
    const { bases } = await manifestOf(store);
    const before = (bases[1]?.anchor.sequence ?? 0) - 1;
    expect((await restored(store, { kind: 'time', ms: (bases[0]?.createdMs ?? 0) + 1 })).end).not.toBe('newest');
    expect(before).toBeGreaterThan(0);
  });

  it('stops where another service has taken it', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const first = await backUp(home, store);
    await until(hasBases(store, 1));
    await written(home.engine, 'default', 2);
    const second = await homeOf();
    await backUp(second, store);
    await until(hasBases(store, 2));
    await written(home.engine, 'default', 2);
    await until(() => home.lines.some((line) => line.includes('somebody else backs this namespace up')));
    await written(second.engine, 'default', 7);
    const hash = await hashOf(second.engine);
    await first.close();
    await open.pop()?.close();
    expect((await restored(store)).hash).toBe(hash);
  });

  it('keeps what is young enough, and all that it needs', async () => {
    const store = new MemoryObjectStore();
    const home = await homeOf();
    const backups = await backUp(home, store, { ...quick, baseEveryMs: 40, keepMs: 150 });
    for (let i = 0; i < 40; i++) {
      await written(home.engine, 'default', 1);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const hash = await hashOf(home.engine);
    await backups.close();
    const { bases, logFirst } = await manifestOf(store);
    const names = await store.list('b/default/');
    const pieces = new Set(names.filter((name) => name.includes('/base-')).map((name) => name.split('/')[2]));
    expect(pieces.size).toBe(bases.length);
    expect(bases.length).toBeLessThan(15);
    expect(logFirst).toBeGreaterThan(1);
    expect(names.some((name) => name.endsWith(`log/${String(logFirst - 1).padStart(12, '0')}`))).toBe(false);
    // What was deleted last was so at this moment at the latest.
    const cutoffMs = Date.now() - 150;
    expect(bases[0]?.createdMs).toBeLessThanOrEqual(cutoffMs);
    expect((await restored(store, { kind: 'time', ms: cutoffMs })).sequence).toBeGreaterThan(0);
    expect((await restored(store)).hash).toBe(hash);
  });

  it('puts no more than it may, and log objects before pieces', async () => {
    const memory = new MemoryObjectStore();
    const puts: number[] = [];
    const counted =
      <A extends unknown[], T>(run: (...args: A) => Promise<T>) =>
      (...args: A): Promise<T> => {
        puts.push(performance.now());
        return run(...args);
      };
    const store = Object.assign(Object.create(memory) as ObjectStore, {
      put: counted(memory.put.bind(memory)),
      putIfAbsent: counted(memory.putIfAbsent.bind(memory)),
      putIfMatch: counted(memory.putIfMatch.bind(memory)),
    });
    const home = await homeOf();
    const backups = await backUp(home, store, { ...quick, putsPerSecond: 20 });
    puts.length = 0;
    const endMs = performance.now() + 1500;
    while (performance.now() < endMs) {
      await written(home.engine, 'default', 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const within = puts.filter((ms) => ms <= endMs).length;
    await backups.close();
    expect(within).toBeLessThanOrEqual(1.5 * 20 + 2);
    expect(within).toBeGreaterThan(10);
  });

  it('refuses a store that keeps no conditions, and waits for one that does not answer', async () => {
    const memory = new MemoryObjectStore();
    const careless = Object.assign(Object.create(memory) as ObjectStore, {
      putIfAbsent: async (name: string, bytes: Uint8Array) => {
        await memory.put(name, bytes);
        return { taken: true, tag: (await memory.get(name))?.tag ?? '' };
      },
    });
    const home = await homeOf();
    await expect(backUp(home, careless)).rejects.toThrow('does not keep them');
    const silent = Object.assign(Object.create(memory) as ObjectStore, {
      putIfAbsent: () => Promise.reject(new Error('no route')),
    });
    await backUp(home, silent);
    expect(home.lines.some((line) => line.includes('Backups wait for their store: Error: no route'))).toBe(true);
  });
});
