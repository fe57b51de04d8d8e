// Objects in memory, in a directory and in a bucket: one suite; then what only a bucket can do to its users.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DirectoryObjectStore } from '../../runtime-node/storage/directory-objects.ts';
import { FileThread } from '../../runtime-node/storage/file-thread.ts';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import { checkConditions, StoreUnfit, settledPut } from '../../src/storage/objects.ts';
import { S3Failed, S3ObjectStore } from '../../src/storage/s3-objects.ts';
import { objectStoreSuite } from './object-store-suite.ts';
import { S3Double } from './support/s3-double.ts';

let folder = '';
let double: S3Double;
const account = { region: 'eu-central-1', accessKeyId: 'id', secretAccessKey: 'secret', timeoutMs: 10_000 };
const bucketOf = (one: S3Double) =>
  new S3ObjectStore({ ...account, endpoint: `${one.endpoint}/`, bucket: 'bucket', fetch: globalThis.fetch });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arcwise-objects-'));
  double = await S3Double.start();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await double.stop();
});

const isTemporary = (file: string): boolean => basename(file).startsWith('.put-');

const fresh = async (): Promise<S3ObjectStore> => {
  double.objects.clear();
  double.unlisted.clear();
  double.fault = () => null;
  double.ignoresConditions = false;
  double.pageLength = 2;
  return bucketOf(double);
};

objectStoreSuite('objects in memory', async () => new MemoryObjectStore());
objectStoreSuite('objects in a directory', async () => new DirectoryObjectStore(await mkdtemp(join(folder, 'a-'))));
describe('objects in a directory, with a thread that puts', () => {
  const entry = new URL('../../dist/node/file-worker.js', import.meta.url);
  const threads: FileThread[] = [];
  afterEach(async () => {
    for (const thread of threads.splice(0)) await thread.end();
  });
  const withThread = async (): Promise<DirectoryObjectStore> => {
    const thread = new FileThread(entry);
    threads.push(thread);
    await vi.waitUntil(() => thread.isFree);
    return new DirectoryObjectStore(await mkdtemp(join(folder, 't-')), thread);
  };

  objectStoreSuite('objects', withThread);

  it('puts what is put once, and leaves nothing beside it', async () => {
    const store = await withThread();
    const [thread] = threads as [FileThread];
    const put = store.once.putIfAbsent('deep/in/folders/1', new Uint8Array(3000).fill(7).subarray(1000));
    expect(thread.isFree).toBe(false);
    const second = store.once.putIfAbsent('deep/in/folders/2', new Uint8Array([2])); // by the pool, since it is not free
    expect(await put).toEqual({ taken: true, tag: '1' });
    expect(await second).toEqual({ taken: true, tag: '1' });
    expect((await store.get('deep/in/folders/1'))?.bytes).toEqual(new Uint8Array(2000).fill(7));
    expect(await store.once.putIfAbsent('deep/in/folders/1', new Uint8Array([1]))).toEqual({ taken: false });
    const names = Array.from({ length: 100 }, (_, i) => `deep/in/folders/${i}`);
    const found = await Promise.all(names.map((name) => store.once.get(name)));
    expect(found.map((object) => object?.bytes.length ?? 0)).toEqual(names.map((_, i) => [0, 2000, 1][i] ?? 0));
    const files = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).filter(isTemporary);
    await vi.waitUntil(async () => (await files()).length === 0);
  });

  it('fails as the file system does, and goes on', async () => {
    const store = await withThread();
    await store.once.putIfAbsent('file', new Uint8Array([1]));
    // A folder cannot be made where a file is.
    await expect(store.once.putIfAbsent('file~1/1', new Uint8Array([1]))).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(await store.once.putIfAbsent('other', new Uint8Array([1]))).toEqual({ taken: true, tag: '1' });
  });

  it('is not waited for when it has ended, and what waited for it has no outcome', async () => {
    const store = await withThread();
    const [thread] = threads as [FileThread];
    const put = store.once.putIfAbsent('a', new Uint8Array([1]));
    const failed = expect(put).rejects.toThrow('The thread of files has ended');
    await thread.end();
    await failed;
    expect(thread.isFree).toBe(false);
    expect(await store.once.putIfAbsent('b', new Uint8Array([1]))).toEqual({ taken: true, tag: '1' });
  });

  it('that cannot be started is done without', async () => {
    const thread = new FileThread(new URL('./nowhere.js', import.meta.url));
    threads.push(thread);
    const store = new DirectoryObjectStore(await mkdtemp(join(folder, 't-')), thread);
    expect(await store.once.putIfAbsent('a', new Uint8Array([1]))).toEqual({ taken: true, tag: '1' });
    expect(await store.once.putIfAbsent('b', new Uint8Array([1]))).toEqual({ taken: true, tag: '1' });
  });
});
objectStoreSuite('objects in a bucket', fresh);

it('leaves no files of what was replaced, refused or deleted in a directory', async () => {
  const directory = await mkdtemp(join(folder, 'b-'));
  const store = new DirectoryObjectStore(directory);
  await store.put('m', new Uint8Array([1]));
  await store.put('m', new Uint8Array([2]));
  await store.putIfAbsent('m', new Uint8Array([3]));
  expect(await readdir(directory)).toEqual(['m~2']);
  await store.delete('m');
  expect(await readdir(directory)).toEqual([]);
});

describe('a bucket', () => {
  it('that ignores conditions is refused', async () => {
    const store = await fresh();
    double.ignoresConditions = true;
    await expect(checkConditions(store, 'x/')).rejects.toThrow(StoreUnfit);
    await expect(checkConditions(store, 'x/')).rejects.toThrow('does not keep them');
    expect(double.objects.size).toBe(0);
  });

  it('that ignores only one of both conditions is refused too', async () => {
    const store = await fresh();
    const plain = store.putIfAbsent.bind(store);
    store.putIfMatch = async (name, bytes) => {
      await store.put(name, bytes);
      return { taken: true, tag: (await store.get(name))?.tag as string };
    };
    await expect(checkConditions(store, '')).rejects.toThrow('replaced an object that had changed');
    store.putIfAbsent = plain;
  });

  it('says what it refuses', async () => {
    const store = await fresh();
    double.fault = () => 'unavailable';
    await expect(store.get('a')).rejects.toThrow('GET a was answered with 503 (SlowDown).');
    await expect(store.put('a', new Uint8Array(1))).rejects.toThrow(S3Failed);
    await expect(store.list('')).rejects.toThrow(S3Failed);
    await expect(store.delete('a')).rejects.toThrow(S3Failed);
    const elsewhere = new S3ObjectStore({
      ...account,
      endpoint: double.endpoint,
      bucket: 'other',
      fetch: globalThis.fetch,
    });
    await expect(elsewhere.put('a', new Uint8Array(1))).rejects.toThrow('404 (NoSuchBucket)');
  });
});

describe('a put whose outcome is unknown', () => {
  const one = new TextEncoder().encode('one');
  const other = new TextEncoder().encode('other');

  it.each(['lostAnswer', 'lostRequest', 'unavailable'] as const)('is found out (%s)', async (fault) => {
    const store = await fresh();
    let faults = 3;
    double.fault = (method) => (method === 'PUT' && faults-- > 0 ? fault : null);
    let again = 0;
    const outcome = await settledPut(store, 'm', one, null, async () => void again++);
    expect(outcome.taken).toBe(true);
    expect(again).toBeGreaterThan(0);
    expect(double.objects.get('m')?.toString()).toBe('one');
    faults = 3;
    const changed = await settledPut(store, 'm', other, outcome.taken ? outcome.tag : '', async () => {});
    expect(changed.taken).toBe(true);
    expect(double.objects.get('m')?.toString()).toBe('other');
  });

  it('is refused when somebody else was there first', async () => {
    const store = await fresh();
    double.fault = () => null;
    double.objects.set('m', Buffer.from('theirs'));
    let faults = 1;
    double.fault = () => (faults-- > 0 ? 'lostRequest' : null);
    expect(await settledPut(store, 'm', one, null, async () => {})).toEqual({ taken: false });
    expect(double.objects.get('m')?.toString()).toBe('theirs');
  });

  it('ends when the caller has waited enough', async () => {
    const store = await fresh();
    double.fault = () => 'lostRequest';
    const again = async (error: unknown): Promise<void> => {
      throw new Error('enough', { cause: error });
    };
    await expect(settledPut(store, 'm', one, null, again)).rejects.toThrow('enough');
  });
});
