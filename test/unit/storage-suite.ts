// What every LogStore and BlobStore must do, whatever is below it.

import { describe, expect, it } from 'vitest';
import type { BlobStore, LogFile, LogStore } from '../../src/storage/types.ts';

export interface StoresUnderTest {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
  dispose(): Promise<void>;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

async function contentOf(file: LogFile): Promise<Uint8Array> {
  const target = new Uint8Array(file.sizeBytes + 10);
  return target.subarray(0, await file.read(0, target));
}

/** Runs all of it; `open` gives fresh, empty stores. */
export function storageSuite(name: string, open: () => Promise<StoresUnderTest>): void {
  const using = (run: (stores: StoresUnderTest) => Promise<void>) => async () => {
    const stores = await open();
    try {
      await run(stores);
    } finally {
      await stores.dispose();
    }
  };

  describe(`${name}: log files`, () => {
    it(
      'opens nothing where nothing is',
      using(async ({ logs }) => {
        expect(await logs.open('a.wal')).toBeNull();
        expect(await logs.open('deep/below/a.wal')).toBeNull();
        expect(await logs.list('')).toEqual([]);
        await logs.delete('a.wal');
      }),
    );

    it(
      'keeps what was created, written and reserved',
      using(async ({ logs }) => {
        const file = await logs.create('namespaces/n1/a.wal', text('head'));
        expect(file.sizeBytes).toBe(4);
        await file.write(4, text('abcdef'));
        await file.write(6, text('XY'));
        await file.reserve(300_000);
        expect(file.sizeBytes).toBe(300_000);
        await file.reserve(10);
        expect(file.sizeBytes).toBe(300_000);
        await file.sync();
        await file.close();
        const again = (await logs.open('namespaces/n1/a.wal')) as LogFile;
        const content = await contentOf(again);
        expect(content.length).toBe(300_000);
        expect(new TextDecoder().decode(content.subarray(0, 10))).toBe('headabXYef');
        expect(content.subarray(10).every((byte) => byte === 0)).toBe(true);
        await again.close();
      }),
    );

    it(
      'reads up to the end and no further',
      using(async ({ logs }) => {
        const file = await logs.create('a.wal', text('0123456789'));
        const target = new Uint8Array(4);
        expect(await file.read(8, target)).toBe(2);
        expect([...target]).toEqual([56, 57, 0, 0]);
        expect(await file.read(10, target)).toBe(0);
        expect(await file.read(4, target)).toBe(4);
        await file.close();
      }),
    );

    it(
      'cuts, and shows zeros where it grows again',
      using(async ({ logs }) => {
        const file = await logs.create('a.wal', text('0123456789'));
        await file.truncate(20);
        expect(file.sizeBytes).toBe(10);
        await file.truncate(3);
        expect(file.sizeBytes).toBe(3);
        await file.reserve(8);
        expect([...(await contentOf(file))]).toEqual([48, 49, 50, 0, 0, 0, 0, 0]);
        await file.close();
      }),
    );

    it(
      'writes large and small at once beside a reserve',
      using(async ({ logs }) => {
        const file = await logs.create('a.wal', new Uint8Array(4096));
        const large = new Uint8Array(3_000_001).fill(7);
        await file.write(4096, large);
        await Promise.all([file.reserve(8_000_000), file.write(0, text('begin'))]);
        const content = await contentOf(file);
        expect(content.length).toBe(8_000_000);
        expect(content[4096]).toBe(7);
        expect(content[4096 + large.length - 1]).toBe(7);
        expect(content[4096 + large.length]).toBe(0);
        expect(new TextDecoder().decode(content.subarray(0, 5))).toBe('begin');
        await file.close();
      }),
    );

    it(
      'replaces a file whole, lists by prefix and deletes',
      using(async ({ logs }) => {
        for (const name of ['a.wal', 'a.wal.torn-1', 'b.wal', 'namespaces/n1/a.wal']) {
          await (await logs.create(name, text(name))).close();
        }
        await (await logs.create('a.wal', text('new'))).close();
        const file = (await logs.open('a.wal')) as LogFile;
        expect(new TextDecoder().decode(await contentOf(file))).toBe('new');
        await file.close();
        expect(await logs.list('a.wal')).toEqual(['a.wal', 'a.wal.torn-1']);
        expect(await logs.list('')).toEqual(['a.wal', 'a.wal.torn-1', 'b.wal', 'namespaces/n1/a.wal']);
        expect(await logs.list('namespaces/n')).toEqual(['namespaces/n1/a.wal']);
        await logs.delete('namespaces/n1/a.wal');
        expect(await logs.list('namespaces')).toEqual([]);
        expect(await logs.open('namespaces/n1/a.wal')).toBeNull();
      }),
    );

    it(
      'refuses names that lead elsewhere',
      using(async ({ logs, blobs }) => {
        for (const name of ['', '/a', 'a//b', '../a', 'a/..', './a', 'a\\b', 'a\0']) {
          await expect(logs.open(name), name).rejects.toThrow('Not a storage name');
          await expect(blobs.put(name, text('x')), name).rejects.toThrow('Not a storage name');
        }
      }),
    );
  });

  blobSuite(name, open);
}

/** The part about blobs, for what has no log files. */
export function blobSuite(name: string, open: () => Promise<Pick<StoresUnderTest, 'blobs' | 'dispose'>>): void {
  const using = (run: (blobs: BlobStore) => Promise<void>) => async () => {
    const stores = await open();
    try {
      await run(stores.blobs);
    } finally {
      await stores.dispose();
    }
  };

  describe(`${name}: blobs`, () => {
    it(
      'puts, replaces, gets, lists and deletes',
      using(async (blobs) => {
        expect(await blobs.get('one.json')).toBeNull();
        await blobs.put('one.json', text('first'));
        await blobs.put('one.json', text('second'));
        await blobs.put('deep/two.json', new Uint8Array(0));
        expect(new TextDecoder().decode((await blobs.get('one.json')) as Uint8Array)).toBe('second');
        expect((await blobs.get('deep/two.json'))?.length).toBe(0);
        expect(await blobs.list('')).toEqual(['deep/two.json', 'one.json']);
        await blobs.delete('one.json');
        await blobs.delete('one.json');
        expect(await blobs.get('one.json')).toBeNull();
      }),
    );

    it(
      'hands out copies',
      using(async (blobs) => {
        const bytes = text('abc');
        await blobs.put('a', bytes);
        bytes[0] = 0;
        const got = (await blobs.get('a')) as Uint8Array;
        expect(got[0]).toBe(97);
        got[0] = 0;
        expect((await blobs.get('a'))?.[0]).toBe(97);
      }),
    );
  });
}
