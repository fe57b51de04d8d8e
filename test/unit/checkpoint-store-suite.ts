// What every CheckpointStore must do, whatever is below it.

import { describe, expect, it } from 'vitest';
import type { CheckpointReader, CheckpointStore } from '../../src/storage/types.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

async function content(store: CheckpointStore, name: string): Promise<string | null> {
  const file = await store.open(name);
  if (file === null) return null;
  const bytes = new Uint8Array(file.sizeBytes + 10);
  const got = await file.read(0, bytes);
  await file.close();
  expect(got).toBe(file.sizeBytes);
  return new TextDecoder().decode(bytes.subarray(0, got));
}

/** Runs all of it; `open` gives a fresh, empty store. */
export function checkpointStoreSuite(name: string, open: () => Promise<CheckpointStore>): void {
  describe(name, () => {
    it('keeps what was appended and finished', async () => {
      const store = await open();
      const file = await store.create('namespaces/n1/a_elements_0');
      const large = Uint8Array.from({ length: 700_000 }, (_, i) => 65 + (i % 23));
      await file.append(text('head'));
      await file.append(large);
      await file.append(text('tail'));
      await file.finish();
      const got = (await content(store, 'namespaces/n1/a_elements_0')) as string;
      expect(got === `head${new TextDecoder().decode(large)}tail`).toBe(true);
      const reader = (await store.open('namespaces/n1/a_elements_0')) as CheckpointReader;
      const part = new Uint8Array(4);
      expect(await reader.read(700_006, part)).toBe(2);
      expect(await reader.read(700_008, part)).toBe(0);
      expect(await reader.read(2, part)).toBe(4);
      expect(new TextDecoder().decode(part)).toBe('adAB');
      await reader.close();
    });

    it('starts no file where one is, finished or not', async () => {
      const store = await open();
      const file = await store.create('a');
      await expect(store.create('a')).rejects.toThrow();
      await file.finish();
      await expect(store.create('a')).rejects.toThrow();
      await store.delete('a');
      await (await store.create('a')).finish();
      expect(await content(store, 'a')).toBe('');
    });

    it('forgets what was abandoned', async () => {
      const store = await open();
      const file = await store.create('a');
      await file.append(text('half'));
      await file.abandon();
      expect(await store.open('a')).toBeNull();
      expect(await store.list('')).toEqual([]);
      await (await store.create('a')).abandon();
    });

    it('puts, lists and deletes', async () => {
      const store = await open();
      await store.put('n/a', text('one'));
      await store.put('n/a', text('two'));
      await store.put('n/a#1', text('other'));
      for (const name of ['n/a_tail', 'n/a_elements_0', 'n/b_elements_0']) await (await store.create(name)).finish();
      expect(await store.list('n/a')).toEqual(['n/a', 'n/a#1', 'n/a_elements_0', 'n/a_tail']);
      expect(await store.list('n/a_')).toEqual(['n/a_elements_0', 'n/a_tail']);
      expect(await content(store, 'n/a')).toBe('two');
      await store.delete('n/a');
      await store.delete('n/a');
      expect(await content(store, 'n/a')).toBeNull();
      expect(await store.list('n/a')).toEqual(['n/a#1', 'n/a_elements_0', 'n/a_tail']);
    });

    it('takes no name that leads elsewhere', async () => {
      const store = await open();
      for (const name of ['', '../a', 'a/../b', '/a', 'a//b', 'a\0b', 'a\\b']) {
        await expect((async () => store.create(name))()).rejects.toThrow('storage name');
        await expect((async () => store.put(name, text('x')))()).rejects.toThrow('storage name');
      }
    });
  });
}
