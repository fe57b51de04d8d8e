// An engine over what a cluster keeps in a bucket: log, catalogue, save games. Whoever takes over has all of it, from the newest checkpoint and the log
// behind that, and the log before it is gone.

import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { crc32With } from '../../src/engine/log/crc32.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import { BlobCheckpoints } from '../../src/storage/blob-checkpoints.ts';
import { BucketLog } from '../../src/storage/bucket-log.ts';
import { FencedBlobs } from '../../src/storage/fenced-blobs.ts';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import { blobsIn } from '../../src/storage/object-files.ts';
import type { SharedLog } from '../../src/storage/shared-log.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';
import { graphOf, vertex } from './engine-support.ts';
import { takeOver } from './support/cluster-home.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const plain = { location: null, partitions: null };

async function add(engine: Namespaces, label: string, namespace = 'default'): Promise<boolean> {
  const outcome = graphOf(engine, namespace).write([vertex(label)]);
  return outcome.ok && (await outcome.durable);
}

/** Enough that moving what another namespace has is worth it. */
const long = (number: number): string => `${number}`.padEnd(2000, 'x');
const replayed = (engine: Namespaces): number => graphOf(engine).durability.lastRecoveryReplayedEntries;

it('opens from the newest checkpoint, and the log before it is gone', async () => {
  const store = new MemoryObjectStore();
  let node = await takeOver(store);
  expect((await node.engine.create('other')).ok).toBe(true);
  let [vertices, others] = [0, 0];
  for (let round = 0; round < 4; round++) {
    const first = await node.log.first();
    for (let i = 0; i < 30; i++) expect(await add(node.engine, long(vertices++))).toBe(true);
    if (round === 1) for (; others < 3; others++) expect(await add(node.engine, 'o', 'other')).toBe(true);
    await node.games.saveBases();
    expect(await node.log.first()).toBeGreaterThan(first + 25);
    for (let i = 0; i < 5; i++) expect(await add(node.engine, long(vertices++))).toBe(true);
    // Without an end, as after kill -9.
    node = await takeOver(store);
    expect(graphOf(node.engine).vertexCount).toBe(vertices);
    expect(graphOf(node.engine, 'other').vertexCount).toBe(others);
    expect(replayed(node.engine)).toBe(5);
    expect(await node.games.list()).toEqual([]);
    // One base a namespace is left.
    expect((await node.checkpoints.list('arcwise.base-')).filter((name) => !name.includes('_')).length).toBe(1);
  }
});

it('does not write a namespace again that has not changed', async () => {
  const node = await takeOver(new MemoryObjectStore());
  await add(node.engine, 'a');
  await node.games.saveBases();
  const files = await node.checkpoints.list('');
  await node.games.saveBases();
  expect(await node.checkpoints.list('')).toEqual(files);
});

it('has save games: they are saved, listed, restored and removed after any take-over', async () => {
  const store = new MemoryObjectStore();
  let node = await takeOver(store);
  for (let i = 0; i < 3; i++) await add(node.engine, 'a');
  const saved = await node.games.save('default', plain);
  if (!saved.ok) throw new Error(saved.detail);
  expect(saved.entry.namespaces?.[0]?.location).toBe('cluster://arcwise/Temp.f8s');
  await add(node.engine, 'b');
  node = await takeOver(store);
  expect(graphOf(node.engine).vertexCount).toBe(4);
  expect(replayed(node.engine)).toBe(1);
  // A base behind it keeps it from being the newest state, and it is a save game all the same.
  await node.games.saveBases();
  await add(node.engine, 'c');
  node = await takeOver(store);
  expect(graphOf(node.engine).vertexCount).toBe(5);
  expect((await node.games.list()).map(({ id }) => id)).toEqual([saved.entry.id]);
  const restored = await node.games.restore(saved.entry.id, null);
  if (!restored.ok) throw new Error(restored.detail);
  expect((await restored.done).ok).toBe(true);
  expect(graphOf(node.engine).vertexCount).toBe(3);
  await add(node.engine, 'd');
  node = await takeOver(store);
  expect(graphOf(node.engine).vertexCount).toBe(4);
  expect(await node.games.remove(saved.entry.id, true)).toBe(true);
  node = await takeOver(store);
  expect(graphOf(node.engine).vertexCount).toBe(4);
  expect(await node.games.list()).toEqual([]);
});

it('lets a node that was replaced change nothing: no save game, no name, no log', async () => {
  const store = new MemoryObjectStore();
  const one = await takeOver(store);
  await add(one.engine, 'a');
  const other = await takeOver(store);
  expect(await add(one.engine, 'late')).toBe(false);
  expect((await one.games.save('default', plain)).ok).toBe(false);
  expect((await one.engine.create('late').catch(() => ({ ok: false }))).ok).toBe(false);
  expect((await other.games.save('default', plain)).ok).toBe(true);
  const third = await takeOver(store);
  expect(graphOf(third.engine).vertexCount).toBe(1);
  expect(third.engine.list().map(({ name }) => name)).toEqual(['default']);
  expect((await third.games.list()).length).toBe(1);
});

it('deletes nothing of a node that takes over while it opens', async () => {
  const store = new MemoryObjectStore();
  const parts = blobsIn(store, 'files/');
  const opened = (term: number, list = parts.list): Promise<BlobCheckpoints> => {
    const index = new FencedBlobs({ store, prefix: 'blobs/', term, crc32, pause: async () => {} });
    return BlobCheckpoints.open({ index, parts: { ...parts, list }, nowMs: () => 0 });
  };
  const late = opened(1, async (prefix) => {
    const other = await opened(2);
    await other.put('base', new Uint8Array([1, 2, 3]));
    return parts.list(prefix);
  });
  await expect(late).rejects.toThrow("is another's");
  const file = await (await opened(3)).open('base');
  const bytes = new Uint8Array(3);
  expect(await file?.read(0, bytes)).toBe(3);
  expect([...bytes]).toEqual([1, 2, 3]);
});

it('reads ahead of a take-over what another node writes, and has the same files as who reads it then', async () => {
  const store = new MemoryObjectStore();
  const one = await takeOver(store);
  for (let i = 0; i < 20; i++) expect(await add(one.engine, long(i))).toBe(true);
  const reader = new BucketLog({ store, prefix: '', crc32, nowMs: () => 0 });
  const ahead = await SharedLogStore.readAhead(reader);
  await ahead.readOn();
  for (let i = 0; i < 5; i++) expect(await add(one.engine, 'a')).toBe(true);
  expect(await reader.take(1, 'other', 1000)).toBe(true);
  const options = { log: reader, term: 2, again: async () => {}, onFenced: () => {} };
  const filesOf = async (logs: SharedLogStore): Promise<unknown> => {
    const found = new Map<string, string>();
    for (const name of await logs.list('')) {
      const file = await logs.open(name);
      const bytes = new Uint8Array(file?.sizeBytes ?? 0);
      await file?.read(0, bytes);
      found.set(name, Buffer.from(bytes).toString('base64'));
    }
    return found;
  };
  const open = await SharedLogStore.open(options, ahead);
  expect(await filesOf(open)).toEqual(await filesOf(await SharedLogStore.open(options)));
  // What it had read has gone from the log meanwhile, and more with it.
  const [old, gone] = [await SharedLogStore.readAhead(reader), await SharedLogStore.readAhead(reader)];
  await old.readOn();
  const again = await takeOver(store);
  for (let i = 0; i < 20; i++) expect(await add(again.engine, long(i))).toBe(true);
  await again.games.saveBases();
  expect(await reader.take(3, 'third', 1000)).toBe(true);
  const third = { ...options, term: 4 };
  const fresh = await filesOf(await SharedLogStore.open(third));
  expect(await filesOf(await SharedLogStore.open(third, old))).toEqual(fresh);
  expect(await filesOf(await SharedLogStore.open(third, gone))).toEqual(fresh);
});

it('tells that the newest objects of a log are gone, as far as its writer has said since how far it reached', async () => {
  const store = new MemoryObjectStore();
  const node = await takeOver(store);
  for (let i = 0; i < 3; i++) expect(await add(node.engine, 'a')).toBe(true);
  expect(await node.log.renew(1, 1000)).toBe(true);
  const newest = (await store.list('log/')).at(-1) as string;
  const { bytes } = (await store.get(newest)) as { bytes: Uint8Array };
  await store.delete(newest);
  await expect(takeOver(store)).rejects.toThrow('is missing');
  await store.put(newest, bytes);
  expect(graphOf((await takeOver(store)).engine).vertexCount).toBe(3);
});

it('puts no checkpoint of what never came into the log, also while the next writer has only the log', async () => {
  const store = new MemoryObjectStore();
  const one = await takeOver(store);
  expect(await add(one.engine, 'a')).toBe(true);
  const taker = new BucketLog({ store, prefix: '', crc32, nowMs: () => 0 });
  expect(await taker.take(1, 'other', 1000)).toBe(true);
  expect(await add(one.engine, 'late')).toBe(false);
  expect((await one.games.save('default', plain)).ok).toBe(false);
  await one.games.saveBases();
  const next = await takeOver(store);
  expect(graphOf(next.engine).vertexCount).toBe(1);
  expect(await next.checkpoints.list('arcwise.base-')).toEqual([]);
});

it('reads ahead to near the end of a log of many small batches', async () => {
  const store = new MemoryObjectStore();
  const one = await takeOver(store);
  for (let i = 0; i < 1500; i++) expect(await add(one.engine, 'small')).toBe(true);
  const ahead = await SharedLogStore.readAhead(new BucketLog({ store, prefix: '', crc32, nowMs: () => 0 }));
  await ahead.readOn('near');
  const bytes = ahead.journalBytes;
  await ahead.readOn();
  expect(bytes).toBe(ahead.journalBytes);
});

it('reads ahead to near the end of a log that somebody adds to as fast as it is read', async () => {
  const store = new MemoryObjectStore();
  const one = await takeOver(store);
  const log = new BucketLog({ store, prefix: '', crc32, nowMs: () => 0 });
  let reads = 0;
  const growing: SharedLog = {
    append: (batch) => log.append(batch),
    first: () => log.first(),
    truncate: (sequence) => log.truncate(sequence),
    read: async (from, limitBytes) => {
      if (++reads > 20) throw new Error('It reads for ever.');
      const batches = await log.read(from, limitBytes);
      expect(await add(one.engine, 'more')).toBe(true);
      return batches;
    },
  };
  expect(await add(one.engine, 'first')).toBe(true);
  const ahead = await SharedLogStore.readAhead(growing);
  await ahead.readOn('near');
  expect(reads).toBeLessThan(3);
  expect(ahead.journalBytes).toBeGreaterThan(0);
});
