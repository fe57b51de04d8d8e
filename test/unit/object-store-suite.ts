// What every ObjectStore must do, whatever is below it.

import { describe, expect, it } from 'vitest';
import { checkConditions, type ObjectStore } from '../../src/storage/objects.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const textOf = (object: { readonly bytes: Uint8Array } | null): string | null =>
  object === null ? null : new TextDecoder().decode(object.bytes);

/** Runs all of it; `open` gives a fresh, empty store. */
export function objectStoreSuite(name: string, open: () => Promise<ObjectStore>): void {
  describe(name, () => {
    it('puts, gets, lists and deletes', async () => {
      const store = await open();
      expect(await store.get('a/b')).toBeNull();
      const large = Uint8Array.from({ length: 700_000 }, (_, i) => i % 251);
      await store.put('a/b', text('one'));
      await store.put('a/b', large);
      await store.put('a/b-c', text(''));
      await store.put('a/é &<x>', text('name'));
      await store.put('b', text('two'));
      expect(Buffer.compare((await store.get('a/b'))?.bytes ?? new Uint8Array(), large)).toBe(0);
      expect(textOf(await store.get('a/b-c'))).toBe('');
      expect(textOf(await store.get('a/é &<x>'))).toBe('name');
      expect(await store.list('')).toEqual(['a/b', 'a/b-c', 'a/é &<x>', 'b']);
      expect(await store.list('a/b')).toEqual(['a/b', 'a/b-c']);
      expect(await store.list('c/')).toEqual([]);
      await store.delete('a/b');
      await store.delete('a/b');
      await store.delete('c/d');
      expect(await store.get('a/b')).toBeNull();
      expect(await store.list('a/')).toEqual(['a/b-c', 'a/é &<x>']);
    });

    it('keeps conditions', async () => {
      const store = await open();
      const made = await store.putIfAbsent('m', text('1'));
      if (!made.taken) throw new Error('refused');
      expect((await store.get('m'))?.tag).toBe(made.tag);
      expect(await store.putIfAbsent('m', text('2'))).toEqual({ taken: false });
      expect(await store.putIfMatch('none', text('2'), made.tag)).toEqual({ taken: false });
      const changed = await store.putIfMatch('m', text('3'), made.tag);
      if (!changed.taken) throw new Error('refused');
      expect(changed.tag).not.toBe(made.tag);
      expect(await store.putIfMatch('m', text('4'), made.tag)).toEqual({ taken: false });
      expect(textOf(await store.get('m'))).toBe('3');
      await checkConditions(store, 'm/');
      expect(await store.list('m/')).toEqual([]);
    });

    it('puts once where it has a way of its own for that', async () => {
      const store = await open();
      const once = store.once ?? store;
      expect(await once.get('o/1')).toBeNull();
      const puts = await Promise.all(Array.from({ length: 16 }, (_, i) => once.putIfAbsent('o/1', text(String(i)))));
      const winner = puts.findIndex(({ taken }) => taken);
      expect(puts.filter(({ taken }) => taken).length).toBe(1);
      expect(await once.putIfAbsent('o/1', text('late'))).toEqual({ taken: false });
      expect(textOf(await store.get('o/1'))).toBe(String(winner));
      expect(textOf(await once.get('o/1'))).toBe(String(winner));
      await once.delete('o/1');
      await once.delete('o/1');
      expect(await once.get('o/1')).toBeNull();
      expect(await store.list('o/')).toEqual([]);
    });

    it('takes one of many puts that are meant for one place', async () => {
      const store = await open();
      const firsts = await Promise.all(Array.from({ length: 16 }, (_, i) => store.putIfAbsent('m', text(String(i)))));
      expect(firsts.filter(({ taken }) => taken).length).toBe(1);
      for (let round = 0; round < 5; round++) {
        const tag = (await store.get('m'))?.tag as string;
        const puts = await Promise.all(
          Array.from({ length: 16 }, (_, i) => store.putIfMatch('m', text(`${round}/${i}`), tag)),
        );
        const winner = puts.findIndex(({ taken }) => taken);
        expect(puts.filter(({ taken }) => taken).length).toBe(1);
        expect(textOf(await store.get('m'))).toBe(`${round}/${winner}`);
      }
    });

    it('takes no name that leads elsewhere', async () => {
      const store = await open();
      for (const bad of ['', '../a', 'a/../b', '/a', 'a//b', 'a\0b']) {
        await expect((async () => store.put(bad, text('x')))()).rejects.toThrow('storage name');
        await expect((async () => store.get(bad))()).rejects.toThrow('storage name');
      }
    });
  });
}
