// Checkpoint files over blobs, by the suite of all; then what a process leaves that dies while it writes.

import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { BlobCheckpoints } from '../../src/storage/blob-checkpoints.ts';
import { FencedBlobs } from '../../src/storage/fenced-blobs.ts';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import { MemoryBlobStore } from '../../src/storage/memory-store.ts';
import { checkpointStoreSuite } from './checkpoint-store-suite.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));

checkpointStoreSuite('checkpoint files over blobs', async () =>
  BlobCheckpoints.open({
    ...{ index: new MemoryBlobStore(), parts: new MemoryBlobStore(), nowMs: () => 7 },
    partBytes: 300_000,
  }),
);

it('keeps files from one opening to the next, and no part of those that were not finished or are gone', async () => {
  const options = { index: new MemoryBlobStore(), parts: new MemoryBlobStore(), nowMs: () => 7, partBytes: 4 };
  const one = await BlobCheckpoints.open(options);
  const kept = await one.create('kept');
  await kept.append(new Uint8Array([1, 2, 3, 4, 5, 6]));
  await kept.finish();
  await one.put('gone', new Uint8Array(9));
  await one.put('replaced', new Uint8Array(9));
  await one.put('replaced', new Uint8Array(1));
  await one.delete('gone');
  await (await one.create('abandoned')).abandon();
  await (await one.create('half')).append(new Uint8Array(9));
  expect((await options.parts.list('')).length).toBe(2 + 1 + 2);
  const other = await BlobCheckpoints.open(options);
  expect((await options.parts.list('')).length).toBe(2 + 1);
  expect(await other.list('')).toEqual(['kept', 'replaced']);
  expect(other.facts('kept')).toEqual({ bytes: 6, modifiedMs: 7 });
  const bytes = new Uint8Array(4);
  expect(await (await other.open('kept'))?.read(3, bytes)).toBe(3);
  expect([...bytes]).toEqual([4, 5, 6, 0]);
});

it('rejects a read of a part that is missing or cut', async () => {
  const options = { index: new MemoryBlobStore(), parts: new MemoryBlobStore(), nowMs: () => 7, partBytes: 4 };
  const one = await BlobCheckpoints.open(options);
  await one.put('a', new Uint8Array(6));
  const [, last = ''] = await options.parts.list('');
  await options.parts.put(last, new Uint8Array(1));
  const file = await one.open('a');
  await expect(file?.read(0, new Uint8Array(6))).rejects.toThrow('1 bytes instead of 2');
  await options.parts.delete(last);
  await expect(file?.read(0, new Uint8Array(6))).rejects.toThrow('0 bytes instead of 2');
});

it('takes nothing from who was replaced', async () => {
  const store = new MemoryObjectStore();
  const parts = new MemoryBlobStore();
  const under = (term: number) =>
    BlobCheckpoints.open({
      index: new FencedBlobs({ store, prefix: '', term, crc32, pause: async () => {} }),
      ...{ parts, nowMs: () => 7 },
    });
  const one = await under(1);
  await one.put('a', new Uint8Array([1]));
  const half = await one.create('b');
  await half.append(new Uint8Array([2]));
  const other = await under(2);
  await expect(half.finish()).rejects.toThrow('another');
  await half.abandon();
  await expect(one.delete('a')).rejects.toThrow('another');
  await other.put('c', new Uint8Array([3]));
  expect(await (await under(3)).list('')).toEqual(['a', 'c']);
  expect(await (await other.open('a'))?.read(0, new Uint8Array(1))).toBe(1);
});
