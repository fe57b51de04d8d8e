// Which node is to write what: changed by compare-and-swap, whatever becomes of the messages.

import { describe, expect, it } from 'vitest';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import type { ObjectStore } from '../../src/storage/objects.ts';
import { isAwaited, mayTake, Placement, placedIn, placeOf } from '../../src/storage/placement.ts';
import { randomFrom } from '../durability/choices.ts';

/** One that loses requests and answers. */
function leaky(store: ObjectStore, random: () => number): ObjectStore {
  const lost = async <T>(run: () => Promise<T>): Promise<T> => {
    const dice = random();
    if (dice < 0.2) throw new Error('lost on its way');
    const answer = await run();
    if (dice < 0.4) throw new Error('no answer');
    return answer;
  };
  return {
    ...store,
    get: (name) => store.get(name),
    putIfAbsent: (name, bytes) => lost(() => store.putIfAbsent(name, bytes)),
    putIfMatch: (name, bytes, tag) => lost(() => store.putIfMatch(name, bytes, tag)),
  };
}

it.each([1, 2, 3, 4, 5])('loses no change of two nodes that make them at once (seed %i)', async (seed) => {
  const random = randomFrom(seed);
  const store = new MemoryObjectStore();
  let stamps = 0;
  const open = (): Placement =>
    new Placement({
      store: leaky(store, random),
      name: 'placement',
      newStamp: () => `${stamps++}`,
      again: async () => {},
    });
  const nodes = [open(), open(), open()];
  const changes = nodes.flatMap((node, n) =>
    Array.from({ length: 20 }, (_, i) =>
      node.change((text) => ({
        nodes: text.nodes.includes(`${n}-${i}`) ? text.nodes : [...text.nodes, `${n}-${i}`],
        namespaces: placedIn(text, `ns ${i % 5}`, { id: String(i % 5), node: `node ${n}` }),
      })),
    ),
  );
  await Promise.all(changes);
  const text = await open().read();
  expect([...text.nodes].sort()).toEqual(
    nodes.flatMap((_, n) => Array.from({ length: 20 }, (_, i) => `${n}-${i}`)).sort(),
  );
  expect(Object.keys(text.namespaces).sort()).toEqual(['ns 0', 'ns 1', 'ns 2', 'ns 3', 'ns 4']);
});

it('is not read as if there were no namespaces when its object is gone', async () => {
  const store = new MemoryObjectStore();
  const one = new Placement({ store, name: 'p', newStamp: () => 'a', again: async () => {} });
  expect((await one.read()).namespaces).toEqual({});
  const place = { id: '1', node: 'n' };
  await one.change((text) => ({ nodes: [], namespaces: placedIn(text, 'people', place) }));
  await store.delete('p');
  await expect(one.read()).rejects.toThrow('has gone');
  await expect(one.change(() => ({ nodes: [], namespaces: {} }))).rejects.toThrow('has gone');
  expect(placeOf(one.text, 'people')).toEqual(place);
});

it('has any name, and tells one that is not there', async () => {
  const store = new MemoryObjectStore();
  const one = new Placement({ store, name: 'p', newStamp: () => 'a', again: async () => {} });
  const place = { id: '1', node: 'n' };
  await one.change((text) => ({ nodes: [], namespaces: placedIn(text, '__proto__', place) }));
  const text = await one.read();
  expect(placeOf(text, '__proto__')).toEqual(place);
  expect(placeOf(text, 'constructor')).toBeNull();
  expect(await one.change(() => null)).toEqual(text);
});

it('is never put back by an answer that comes late', async () => {
  const store = new MemoryObjectStore();
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let gets = 0;
  const late: ObjectStore = {
    ...leaky(store, () => 1),
    get: async (name) => {
      const isFirst = gets++ === 0;
      const found = await store.get(name);
      if (isFirst) await held;
      return found;
    },
  };
  const one = new Placement({ store: late, name: 'p', newStamp: () => 'a', again: async () => {} });
  const reading = one.read();
  const place = { id: '1', node: 'n' };
  const changing = one.change((text) => ({ nodes: [], namespaces: placedIn(text, 'people', place) }));
  setTimeout(release, 20);
  await Promise.all([reading, changing]);
  expect(placeOf(one.text, 'people')).toEqual(place);
});

describe('a log that nobody has', () => {
  const seen = { holder: 'a', leftMs: 0, freeMs: 0, place: null, node: 'b', leaseMs: 1000, isBehind: false };

  it('is taken at once by whoever could write, and half a lease later by others that follow', () => {
    expect(mayTake({ ...seen, leftMs: 1 })).toBe(false);
    expect(mayTake(seen)).toBe(true);
    expect(mayTake({ ...seen, isBehind: true, freeMs: 499 })).toBe(false);
    expect(mayTake({ ...seen, isBehind: true, freeMs: 500 })).toBe(true);
  });

  it('is left for a lease to the node that it was given up for', () => {
    expect(mayTake({ ...seen, place: 'c', freeMs: 1000 })).toBe(false);
    expect(mayTake({ ...seen, place: 'c', freeMs: 1001 })).toBe(true);
    expect(mayTake({ ...seen, place: 'b' })).toBe(true);
  });

  it('is given up for a node that has read it, once its graphs follow or do not come', () => {
    expect(isAwaited({ hasRead: true, isReady: true, followsMs: 0 })).toBe(true);
    expect(isAwaited({ hasRead: true, isReady: false, followsMs: 10_000 })).toBe(false);
    expect(isAwaited({ hasRead: true, isReady: false, followsMs: 10_001 })).toBe(true);
    expect(isAwaited({ hasRead: false, isReady: false, followsMs: 60_000 })).toBe(false);
    expect(isAwaited({ hasRead: true, isReady: false, followsMs: Number.NEGATIVE_INFINITY })).toBe(false);
  });
});
