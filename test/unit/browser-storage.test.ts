// The storage of a page over files in memory: what the stores promise, and what is found after a crash, a full disk and damage.

import { describe, expect, it } from 'vitest';
import { Pool } from '../../runtime-browser/storage/pool.ts';
import { PoolBlobStore, PoolCheckpointStore, PoolLogStore } from '../../runtime-browser/storage/pool-stores.ts';
import { StoreDamaged, StoreFull, StoreInUse, StoreNewer } from '../../runtime-browser/storage/sync-file.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { storageSuite } from './storage-suite.ts';
import { MemoryDirectory } from './support/memory-directory.ts';

const warnings: string[] = [];

function openPool(directory: MemoryDirectory): Promise<Pool> {
  const warn = (message: string): void => void warnings.push(message);
  return Pool.open({ directory, crc32: crc32With(undefined), nowMs: () => 1, warn });
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const gather = async (): Promise<void> => {};

storageSuite('a page', async () => {
  const pool = await openPool(new MemoryDirectory());
  return {
    logs: new PoolLogStore(pool, gather),
    blobs: new PoolBlobStore(pool),
    dispose: async () => pool.close(),
  };
});

async function contentIn(directory: MemoryDirectory, name = 'a'): Promise<string | null> {
  const pool = await openPool(directory);
  const bytes = await new PoolBlobStore(pool).get(name);
  pool.close();
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

describe('a pool of files', () => {
  it('has after a crash at any write the old content or the new one, and loses nothing that was acknowledged', async () => {
    let crashes = 0;
    for (let at = 0; ; at++) {
      const directory = new MemoryDirectory();
      const pool = await openPool(directory);
      const blobs = new PoolBlobStore(pool);
      let left = at;
      let acknowledged = 'nothing';
      let state: MemoryDirectory | null = null;
      directory.beforeWrite = () => {
        if (left-- === 0) state = directory.afterCrash();
      };
      let before = acknowledged;
      for (const value of ['one', 'two', 'three']) {
        await blobs.put('a', text(value));
        if (state !== null) {
          expect([before, value]).toContain((await contentIn(state)) ?? 'nothing');
          break;
        }
        before = value;
        acknowledged = value;
      }
      pool.close();
      if (state === null) break;
      crashes++;
    }
    expect(crashes).toBeGreaterThan(8);
  });

  it.each(['catalogue.a', 'catalogue.b'])('finds everything again when %s is torn', async (name) => {
    const directory = new MemoryDirectory();
    const pool = await openPool(directory);
    const blobs = new PoolBlobStore(pool);
    for (const key of ['a', 'b', 'c']) await blobs.put(key, text(key));
    await blobs.put('a', text('again'));
    await blobs.delete('b');
    const torn = directory.afterCrash();
    (torn.files.get(name) as Uint8Array)[20] = 77;
    warnings.length = 0;
    expect(await contentIn(torn)).toBe('again');
    expect(warnings).toEqual([expect.stringContaining('torn')]);
    expect(await contentIn(torn, 'b')).toBeNull();
    expect(await contentIn(torn, 'c')).toBe('c');
    expect(warnings).toHaveLength(1);
    pool.close();
  });

  it('finds names in the heads of files when both halves are torn, and refuses when a head is torn too', async () => {
    const directory = new MemoryDirectory();
    const blobs = new PoolBlobStore(await openPool(directory));
    await blobs.put('a', text('first'));
    await blobs.put('a', text('second'));
    const torn = directory.afterCrash();
    for (const name of ['catalogue.a', 'catalogue.b']) (torn.files.get(name) as Uint8Array)[20] = 77;
    const worse = torn.afterCrash();
    expect(await contentIn(torn)).toBe('second');
    for (const [name, bytes] of worse.files) if (/^\d/.test(name) && bytes.length > 4096) bytes[50] = 255;
    await expect(openPool(worse)).rejects.toThrow(StoreDamaged);
  });

  it('refuses the store of a newer version and one that is open, and leaves both as they were', async () => {
    const directory = new MemoryDirectory();
    const pool = await openPool(directory);
    for (const value of ['first', 'kept']) await new PoolBlobStore(pool).put('a', text(value));
    await expect(openPool(directory)).rejects.toThrow(StoreInUse);
    pool.close();
    const newer = directory.afterCrash();
    for (const name of ['catalogue.a', 'catalogue.b']) {
      const bytes = newer.files.get(name) as Uint8Array;
      const view = new DataView(bytes.buffer);
      view.setUint32(8, 2, true);
      view.setUint32(28, crc32With(undefined)(bytes, 0, 28, 0), true);
    }
    const before = newer.afterCrash().files;
    await expect(openPool(newer)).rejects.toThrow(StoreNewer);
    // Compared as bytes: item by item, as any list is, megabytes take ten seconds.
    expect([...newer.files.keys()]).toEqual([...before.keys()]);
    for (const [name, bytes] of newer.files)
      expect(Buffer.compare(bytes, before.get(name) as Uint8Array), name).toBe(0);
    expect(await contentIn(directory)).toBe('kept');
  });

  it('behaves as a full disk when the share is used up: refuses, keeps what it has, and still makes room', async () => {
    const directory = new MemoryDirectory();
    const pool = await openPool(directory);
    const blobs = new PoolBlobStore(pool);
    await blobs.put('registry', text('long entry'));
    await blobs.put('large', new Uint8Array(200_000));
    const log = await new PoolLogStore(pool, gather).create('a.wal', text('head'));
    directory.quotaBytes = directory.usedBytes;
    await expect(log.write(4, new Uint8Array(100_000))).rejects.toThrow(StoreFull);
    await expect(blobs.put('registry', text('other'))).rejects.toThrow(StoreFull);
    expect(new TextDecoder().decode((await blobs.get('registry')) as Uint8Array)).toBe('long entry');
    await blobs.put('registry', text('short'), true);
    await blobs.delete('large');
    await log.write(4, new Uint8Array(100_000));
    await blobs.put('other', text('fits'));
    const again = directory.afterCrash();
    expect(await contentIn(again, 'registry')).toBe('short');
    expect(await contentIn(again, 'other')).toBe('fits');
    pool.close();
  });

  it('lets whoever reads a deleted file read on, and gives its room back then', async () => {
    const directory = new MemoryDirectory();
    const pool = await openPool(directory);
    const store = new PoolCheckpointStore(pool);
    for (const name of ['b', 'c']) await store.put(name, text(name)); // both halves of the catalogue have their room
    await store.put('a', new Uint8Array(50_000).fill(7));
    const used = directory.usedBytes;
    const reader = await store.open('a');
    await store.delete('a');
    expect(await store.open('a')).toBeNull();
    const target = new Uint8Array(10);
    expect(await reader?.read(49_995, target)).toBe(5);
    expect(target[4]).toBe(7);
    await reader?.close();
    expect(used - directory.usedBytes).toBeGreaterThan(50_000);
    expect(store.facts('a')).toBeNull();
    pool.close();
  });
});
