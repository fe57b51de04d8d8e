// A log over nothing but objects: the suite of all shared logs over memory, a directory and a bucket; then what several instances of it do to each
// other, and what a bucket may do to them.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectoryObjectStore } from '../../runtime-node/storage/directory-objects.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { BucketLog } from '../../src/storage/bucket-log.ts';
import { FencedBlobs } from '../../src/storage/fenced-blobs.ts';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import type { ObjectStore } from '../../src/storage/objects.ts';
import { S3ObjectStore } from '../../src/storage/s3-objects.ts';
import { appendSettled, type LogBatch } from '../../src/storage/shared-log.ts';
import { batchOf, sharedLogSuite } from './shared-log-suite.ts';
import { S3Double } from './support/s3-double.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const over = (store: ObjectStore, nowMs = () => 0): BucketLog => new BucketLog({ store, prefix: 'c/', crc32, nowMs });
const nameOf = (number: number): string => `c/log/000000000000/${String(number).padStart(3, '0')}`;

let folder = '';
let double: S3Double;
let buckets = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arcwise-bucket-log-'));
  double = await S3Double.start();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await double.stop();
});

sharedLogSuite('a log in memory objects', async (nowMs) => over(new MemoryObjectStore(), nowMs));
sharedLogSuite('a log in a directory', async (nowMs) =>
  over(new DirectoryObjectStore(await mkdtemp(join(folder, 'a-'))), nowMs),
);
sharedLogSuite('a log in a bucket', async (nowMs) => {
  const account = { region: 'r', accessKeyId: 'id', secretAccessKey: 'secret', timeoutMs: 10_000 };
  const store = new S3ObjectStore({ ...account, endpoint: double.endpoint, bucket: 'bucket', fetch: globalThis.fetch });
  return new BucketLog({ store, prefix: `${buckets++}/`, crc32, nowMs });
});

/** Two instances over one store, the first with the log. */
async function two(): Promise<{ store: MemoryObjectStore; one: BucketLog; other: BucketLog; at: number }> {
  const store = new MemoryObjectStore();
  const [one, other] = [over(store), over(store)];
  await one.take(0, 'one', 1000);
  return { store, one, other, at: 2 };
}

const written = async (log: BucketLog): Promise<LogBatch[]> =>
  (await log.read(await log.first(), 1e9)).filter(({ bytes }) => bytes.length > 0);

describe('who was replaced', () => {
  it('appends nothing behind the fence, and what it appended before it is there', async () => {
    const { at, one, other } = await two();
    expect(await one.append(batchOf(1, at, 1))).toBe('ok');
    expect(await other.take(1, 'other', 1000)).toBe(true);
    expect(await one.append(batchOf(1, at + 1, 1))).toBe('fenced');
    expect(await one.renew(1, 1000)).toBe(false);
    await one.truncate(at + 1);
    expect(await other.append(batchOf(2, at + 2, 1))).toBe('ok');
    expect(await written(other)).toEqual([batchOf(1, at, 1), batchOf(2, at + 2, 1)]);
  });

  it('still appends until the fence is there: a taker that stands still takes nothing away', async () => {
    const { at, one, other, store } = await two();
    const put = store.putIfAbsent.bind(store);
    const held = new Promise<void>((resolve) => {
      store.putIfAbsent = async (name, bytes) => {
        store.putIfAbsent = put;
        // The one before appends where the fence was meant to be.
        expect(await one.append(batchOf(1, at, 1))).toBe('ok');
        resolve();
        return put(name, bytes);
      };
    });
    expect(await other.take(1, 'other', 1000)).toBe(true);
    await held;
    expect(await other.append(batchOf(2, at + 2, 1))).toBe('ok');
    expect(await written(other)).toEqual([batchOf(1, at, 1), batchOf(2, at + 2, 1)]);
  });

  it('finds its place taken although everything below was deleted', async () => {
    const { at, one, other } = await two();
    await one.append(batchOf(1, at, 1));
    await other.take(1, 'other', 1000);
    for (let number = at + 2; number < at + 20; number++) await other.append(batchOf(2, number, 1));
    await other.truncate(at + 19);
    expect(await other.first()).toBe(at + 19);
    expect(await one.append(batchOf(1, at + 1, 1))).toBe('fenced');
    expect(await written(other)).toEqual([batchOf(2, at + 19, 1)]);
  });

  it('does not take back a log whose beginning was deleted while its fence was on its way', async () => {
    const { at, one, other, store } = await two();
    const third = over(store);
    const put = store.putIfAbsent.bind(store);
    let late: () => Promise<unknown> = async () => {};
    store.putIfAbsent = (name, bytes) => {
      store.putIfAbsent = put;
      return new Promise((resolve) => {
        late = async () => resolve(await put(name, bytes));
      });
    };
    const taking = other.take(1, 'other', 1000);
    await new Promise((resolve) => setImmediate(resolve));
    // Meanwhile the first one goes on, and a third one takes over, writes, and deletes what a checkpoint has.
    for (let number = at; number < at + 5; number++) expect(await one.append(batchOf(1, number, 1))).toBe('ok');
    expect(await third.take(2, 'third', 1000)).toBe(true);
    expect(await third.append(batchOf(3, at + 6, 1))).toBe('ok');
    await third.truncate(at + 6);
    await late();
    expect(await taking).toBe(false);
    expect(await other.append(batchOf(2, at + 1, 1))).toBe('fenced');
    expect(await written(third)).toEqual([batchOf(3, at + 6, 1)]);
  });
});

describe('a store that does not answer', () => {
  it('takes a batch once, whatever is lost', async () => {
    const { at, one, store } = await two();
    const put = store.putIfAbsent.bind(store);
    const plan = ['lostAnswer', 'lostRequest', 'lostAnswer'];
    store.putIfAbsent = async (name, bytes) => {
      const fault = plan.shift();
      if (fault === 'lostRequest') throw new Error('lost');
      const outcome = await put(name, bytes);
      if (fault === 'lostAnswer') throw new Error('lost');
      return outcome;
    };
    expect(await appendSettled(one, batchOf(1, at, 1), async () => {})).toBe('ok');
    expect(await appendSettled(one, batchOf(1, at + 1, 1), async () => {})).toBe('ok');
    expect(await written(one)).toEqual([batchOf(1, at, 1), batchOf(1, at + 1, 1)]);
  });

  it('leaves it open who the owner is, and the same node takes it again', async () => {
    const { other, store } = await two();
    const put = store.putIfMatch.bind(store);
    store.putIfMatch = async (...args) => {
      store.putIfMatch = put;
      await put(...args);
      throw new Error('lost');
    };
    await expect(other.take(1, 'other', 1000)).rejects.toThrow('lost');
    expect(await other.owner()).toMatchObject({ term: 2, holder: 'other' });
    expect(await other.take(2, 'other', 1000)).toBe(true);
  });

  it('prolongs a lease whose last answer was lost', async () => {
    const { one, store } = await two();
    const put = store.putIfMatch.bind(store);
    store.putIfMatch = async (...args) => {
      store.putIfMatch = put;
      await put(...args);
      throw new Error('lost');
    };
    await expect(one.renew(1, 500)).rejects.toThrow('lost');
    expect(await one.renew(1, 500)).toBe(true);
  });
});

describe('a log that lost an object, or has another', () => {
  it('is not read as if it ended there', async () => {
    const { at, one, other, store } = await two();
    for (let number = at; number < at + 40; number++) await one.append(batchOf(1, number, 1));
    await store.delete(nameOf(at + 20));
    await other.take(1, 'other', 1000);
    await expect(other.read(1, 1e9)).rejects.toThrow(`The object of frame ${at + 20} is missing`);
  });

  it('is refused where one is cut or changed', async () => {
    for (const spoil of [(bytes: Uint8Array) => bytes.subarray(0, -1), flipped]) {
      const { at, one, other, store } = await two();
      await one.append(batchOf(1, at, 1));
      await store.put(nameOf(at), spoil((await store.get(nameOf(at)))?.bytes as Uint8Array));
      await expect(other.read(1, 1e9)).rejects.toThrow('damaged');
      await expect(other.take(1, 'other', 1000)).rejects.toThrow('damaged');
    }
  });

  it('is refused where a later version of the service wrote it', async () => {
    const { at, one, other, store } = await two();
    await one.append(batchOf(1, at, 1));
    const bytes = (await store.get(nameOf(at)))?.bytes.slice() as Uint8Array;
    bytes[4] = 2;
    new DataView(bytes.buffer).setUint32(0, crc32(bytes, 4, bytes.length, 0), true);
    await store.put(nameOf(at), bytes);
    await expect(other.read(1, 1e9)).rejects.toThrow('has the version 2');
  });

  it('is found by a list that is old', async () => {
    const { at, one, other, store } = await two();
    for (let number = at; number < at + 5; number++) await one.append(batchOf(1, number, 1));
    const list = store.list.bind(store);
    store.list = async (prefix) => (await list(prefix)).slice(0, 2);
    expect(await other.take(1, 'other', 1000)).toBe(true);
    expect((await written(other)).length).toBe(5);
  });
});

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy[copy.length - 1] = (copy.at(-1) as number) ^ 1;
  return copy;
}

it('measures a lease from when the owner was last seen to change, by each observer’s own clock', async () => {
  const store = new MemoryObjectStore();
  let [oneMs, otherMs] = [5_000, 90_000];
  const one = over(store, () => oneMs);
  const other = over(store, () => otherMs);
  await one.take(0, 'one', 1000);
  expect((await other.owner()).leftMs).toBe(1000);
  otherMs += 900;
  expect((await other.owner()).leftMs).toBe(100);
  oneMs += 3_600_000;
  await one.renew(1, 1000);
  expect((await other.owner()).leftMs).toBe(1000);
  otherMs += 1001;
  expect((await other.owner()).leftMs).toBeLessThan(0);
});

it('deletes later what a truncation that was cut short left', async () => {
  const { at, one, other, store } = await two();
  for (let number = at; number < at + 30; number++) await one.append(batchOf(1, number, 1));
  const remove = store.delete.bind(store);
  let left = 5;
  store.delete = async (name) => {
    if (left-- <= 0) throw new Error('gone');
    await remove(name);
  };
  await one.truncate(at + 20);
  await one.cleared;
  expect(left).toBeLessThan(0);
  store.delete = remove;
  await other.take(1, 'other', 1000);
  await other.read(await other.first(), 1e9);
  await other.truncate(at + 25);
  await other.cleared;
  // The fences stay.
  const names = (await store.list('c/log/')).map((name) => Number(name.slice(-3)));
  expect(names).toEqual([1, ...Array.from({ length: 6 }, (_, i) => at + 25 + i)]);
});

describe('blobs under a term', () => {
  const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes));
  const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
  const under = (store: ObjectStore, term: number): FencedBlobs =>
    new FencedBlobs({ store, prefix: 'b/', term, crc32, pause: async () => {} });

  it('are put, read, listed and deleted', async () => {
    const store = new MemoryObjectStore();
    const blobs = under(store, 1);
    expect(await blobs.get('a')).toBeNull();
    await blobs.put('a', bytes('one'));
    await blobs.put('a', bytes('two'));
    await blobs.put('d/b', bytes(''));
    expect(text(await blobs.get('a'))).toBe('two');
    expect(await blobs.list('')).toEqual(['a', 'd/b']);
    await blobs.delete('a');
    await blobs.delete('c');
    expect(await blobs.get('a')).toBeNull();
    expect(await blobs.list('')).toEqual(['d/b']);
    await expect((async () => blobs.put('../a', bytes('x')))()).rejects.toThrow('storage name');
  });

  it.each(['a blob that is there', 'one that is not'])(
    'cannot be changed by an older term once read (%s)',
    async (what) => {
      const store = new MemoryObjectStore();
      const [older, newer] = [under(store, 1), under(store, 2)];
      if (what === 'a blob that is there') await older.put('a', bytes('old'));
      else await older.get('a');
      const before = await newer.get('a');
      await expect(older.put('a', bytes('late'))).rejects.toThrow('another');
      await expect(older.get('a')).rejects.toThrow('another');
      await expect(older.delete('a')).rejects.toThrow('another');
      expect(await newer.get('a')).toEqual(before);
    },
  );

  it('are put although answers are lost, and not for ever', async () => {
    const store = new MemoryObjectStore();
    const blobs = under(store, 1);
    const put = store.putIfAbsent.bind(store);
    let faults = 2;
    store.putIfAbsent = async (name, content) => {
      const outcome = await put(name, content);
      if (faults-- > 0) throw new Error('lost');
      return outcome;
    };
    await blobs.put('a', bytes('one'));
    expect(text(await blobs.get('a'))).toBe('one');
    store.putIfMatch = async () => {
      throw new Error('never');
    };
    await expect(blobs.put('a', bytes('two'))).rejects.toThrow('never');
  });
});

it('deletes nothing more when the lease is given up', async () => {
  const { at, one, store } = await two();
  for (let number = at; number < at + 40; number++) await one.append(batchOf(1, number, 1));
  const remove = store.delete.bind(store);
  const given: Promise<boolean>[] = [];
  store.delete = (name) => {
    if (given.length === 0) given.push(one.renew(1, 0));
    return remove(name);
  };
  await one.truncate(at + 30);
  expect(await one.first()).toBe(at + 30);
  await one.cleared;
  expect(await Promise.all(given)).toEqual([true]);
  const left = (await store.list('c/log/')).length;
  expect(left).toBeGreaterThan(10);
  expect(left).toBeLessThan(40);
});

describe('packs', () => {
  const filled = async (count: number) => {
    const store = new MemoryObjectStore();
    const one = over(store);
    await one.take(0, 'one', 1000);
    const batches = Array.from({ length: count }, (_, i) => batchOf(1, 2 + i, 1, String(i)));
    for (const batch of batches) expect(await one.append(batch)).toBe('ok');
    return { store, one, batches };
  };
  const readAll = async (log: BucketLog): Promise<LogBatch[]> => {
    const all: LogBatch[] = [];
    for (let from = await log.first(); ; ) {
      const some = await log.read(from, 1e9);
      if (some.length === 0) return all.filter(({ bytes }) => bytes.length > 0);
      all.push(...some);
      const { firstSequence, frameCount } = some.at(-1) as LogBatch;
      from = firstSequence + frameCount;
    }
  };
  const packs = (store: ObjectStore): Promise<string[]> => store.list('c/packs/');

  it('save requests to whoever reads a long log', async () => {
    const { store, batches } = await filled(3000);
    expect((await packs(store)).length).toBe(10);
    const get = store.get.bind(store);
    let gets = 0;
    store.get = (name) => {
      gets++;
      return get(name);
    };
    expect(await readAll(over(store))).toEqual(batches);
    expect(gets).toBeLessThan(1000);
  });

  it('are read before a take-over, which lists the end of the log alone then, and all of it else', async () => {
    const { store } = await filled(6000);
    const list = store.list.bind(store);
    let most = 0;
    store.list = async (prefix) => {
      const names = await list(prefix);
      most = Math.max(most, names.length);
      return names;
    };
    const reader = over(store);
    await readAll(reader);
    expect(await reader.take(1, 'reader', 1000)).toBe(true);
    expect(most).toBeLessThanOrEqual(1000);
    expect(await over(store).take(2, 'stranger', 1000)).toBe(true);
    expect(most).toBeGreaterThan(5000);
  });

  it('are right however late they come, and missed by nobody', async () => {
    const { store, batches } = await filled(1200);
    const [first = '', second = ''] = await packs(store);
    // One is cut, and another one is not there.
    const { bytes } = (await store.get(first)) as { bytes: Uint8Array };
    await store.put(first, bytes.slice(0, -1));
    await store.delete(second);
    expect(await readAll(over(store))).toEqual(batches);
    // Where an object is gone, its pack has it.
    await store.put(first, bytes);
    await store.delete(nameOf(300));
    expect(await readAll(over(store))).toEqual(batches);
  });

  it('go with what they hold', async () => {
    const { store, one, batches } = await filled(1200);
    await one.truncate(1100);
    await one.cleared;
    expect(await packs(store)).toEqual([]);
    expect(await readAll(over(store))).toEqual(batches.filter(({ firstSequence }) => firstSequence >= 1100));
  });
});
