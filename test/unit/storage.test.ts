import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lockDirectory, StorageInUse } from '../../runtime-node/storage/directory-lock.ts';
import { FileBlobStore, FileLogStore, removeTemporaryFiles } from '../../runtime-node/storage/file-store.ts';
import { openNodeStorage } from '../../runtime-node/storage/open-storage.ts';
import { MemoryBlobStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import { storageSuite } from './storage-suite.ts';

const root = await mkdtemp(join(tmpdir(), 'arcwise-storage-'));
let directories = 0;

afterAll(() => rm(root, { recursive: true, force: true }));

async function freshDirectory(): Promise<string> {
  const directory = join(root, `d${++directories}`);
  await mkdir(directory);
  return directory;
}

storageSuite('memory', async () => ({
  logs: new MemoryLogStore(),
  blobs: new MemoryBlobStore(),
  dispose: async () => {},
}));

storageSuite('files', async () => ({
  logs: new FileLogStore({ directory: await freshDirectory() }),
  blobs: new FileBlobStore({ directory: await freshDirectory() }),
  dispose: async () => {},
}));

describe('files', () => {
  it('removes the directory of the last file in it and keeps one that holds something else', async () => {
    const directory = await freshDirectory();
    const logs = new FileLogStore({ directory });
    await (await logs.create('namespaces/n1/a.wal', new Uint8Array(1))).close();
    await (await logs.create('namespaces/n2/a.wal', new Uint8Array(1))).close();
    await writeFile(join(directory, 'namespaces/n2/other'), 'x');
    await logs.delete('namespaces/n1/a.wal');
    await logs.delete('namespaces/n2/a.wal');
    expect(await readdir(join(directory, 'namespaces'))).toEqual(['n2']);
  });

  it('skips and removes what a dead process left half made', async () => {
    const directory = await freshDirectory();
    const logs = new FileLogStore({ directory });
    await writeFile(join(directory, 'a.wal.part-0123456789ab'), 'half');
    expect(await logs.list('')).toEqual([]);
    await removeTemporaryFiles(directory);
    expect(await readdir(directory)).toEqual([]);
  });

  it('keeps the log of default where the configuration says, its torn tails beside it', async () => {
    const directory = await freshDirectory();
    const storage = await openNodeStorage({
      storageDirectory: join(directory, 'deep/data'),
      metadataDirectory: join(directory, 'deep/metadata'),
      walPath: join(directory, 'logs/my.wal'),
    });
    await (await storage.logs.create('arcwise.wal', new Uint8Array(1))).close();
    await (await storage.logs.create('arcwise.wal.torn-1', new Uint8Array(1))).close();
    await (await storage.logs.create('namespaces/n/arcwise.wal', new Uint8Array(1))).close();
    expect((await readdir(join(directory, 'logs'))).sort()).toEqual(['my.wal', 'my.wal.lock', 'my.wal.torn-1']);
    expect(await readdir(join(directory, 'deep/data/namespaces/n'))).toEqual(['arcwise.wal']);
    await storage.release();
  });
});

describe('the lock of a directory', () => {
  it('lets one in, says who has it, and opens again after release', async () => {
    const directory = await freshDirectory();
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(StorageInUse);
    await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.pid} on `);
    await lock.release();
    const again = await lockDirectory(directory);
    await again.release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('works below a path that is too long for a socket', async () => {
    const directory = join(await freshDirectory(), 'x'.repeat(120));
    await mkdir(directory);
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(StorageInUse);
    await lock.release();
    await (await lockDirectory(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('is taken over from a process that was killed, by exactly one of many', async () => {
    const directory = await freshDirectory();
    const holder = `
      const { createServer } = require('node:net');
      createServer(() => {}).listen(${JSON.stringify(join(directory, 'arcwise.lock'))}, () => console.log('ready'));`;
    const child = spawn(process.execPath, ['-e', holder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await expect(lockDirectory(directory)).rejects.toThrow(StorageInUse);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    expect(await readdir(directory)).toEqual(['arcwise.lock']);
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockDirectory(directory)));
    const won = results.filter((result) => result.status === 'fulfilled');
    expect(won.length).toBe(1);
    await won[0]?.value.release();
  });

  it('is held for the storage and the metadata directory', async () => {
    const directory = await freshDirectory();
    const options = { storageDirectory: directory, metadataDirectory: join(directory, 'metadata'), walPath: null };
    const storage = await openNodeStorage(options);
    await expect(openNodeStorage(options)).rejects.toThrow(StorageInUse);
    const other = { ...options, storageDirectory: await freshDirectory() };
    await expect(openNodeStorage(other)).rejects.toThrow(StorageInUse);
    await storage.release();
    await (await openNodeStorage(other)).release();
  });
});
