// What two services may share: neither a directory nor a log file, whatever way leads to it. And what a lock says when it cannot be taken.

import { spawnSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { StorageInUse } from '../../runtime-node/storage/directory-lock.ts';
import { type NodeStorage, openNodeStorage } from '../../runtime-node/storage/open-storage.ts';
import { at } from '../../scripts/lib/freshness.mjs';

const root = await mkdtemp(join(tmpdir(), 'arcwise-locks-'));
let directory = root;
let tests = 0;

beforeEach(async () => {
  directory = join(root, `t${++tests}`);
  await mkdir(directory);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The storage of a service that keeps all in a directory of its own but for its log. */
function storageOf(name: string, walPath: string | null = null): Promise<NodeStorage> {
  const storageDirectory = join(directory, name);
  return openNodeStorage({ storageDirectory, metadataDirectory: join(storageDirectory, 'metadata'), walPath });
}

async function expectApart(...walPaths: (string | null)[]): Promise<void> {
  for (const [first, second] of [walPaths, [...walPaths].reverse()]) {
    const one = await storageOf('one', first);
    await expect(storageOf('two', second)).rejects.toThrow(StorageInUse);
    await expect(storageOf('two', second)).rejects.toThrow(/^The log file .* is in use by .*process \d+ on /);
    await one.release();
    await (await storageOf('two', second)).release();
  }
}

describe('two services on one log file', () => {
  it('by the same path, absolute or relative', async () => {
    const path = join(directory, 'logs/my.wal');
    await expectApart(path, path);
    await expectApart(path, '../logs/./x/../my.wal');
  });

  it('by a symbolic link to the file, there or not yet, or to its directory', async () => {
    const path = join(directory, 'logs/my.wal');
    await mkdir(join(directory, 'logs'));
    await symlink('logs', join(directory, 'linked'));
    await symlink('logs/my.wal', join(directory, 'link.wal'));
    await symlink('link.wal', join(directory, 'link-to-link.wal'));
    for (let round = 0; round < 2; round++) {
      await expectApart(path, join(directory, 'linked/my.wal'));
      await expectApart(path, join(directory, 'link.wal'));
      await expectApart(join(directory, 'linked/my.wal'), join(directory, 'link-to-link.wal'));
      await writeFile(path, '');
    }
  });

  it('by the usual place in the storage directory of the other', async () => {
    const one = await storageOf('one');
    await expect(storageOf('two', join(directory, 'one/arcwise.wal'))).rejects.toThrow(StorageInUse);
    await one.release();
    const two = await storageOf('two', join(directory, 'one/arcwise.wal'));
    await expect(storageOf('one')).rejects.toThrow(StorageInUse);
    await two.release();
  });

  it('by a name that the segments of the other take', async () => {
    const path = join(directory, 'my.wal');
    await expectApart(path, `${path}.2`);
    const long = join(directory, `${'long'.repeat(40)}.wal`);
    await expectApart(long, long);
  });

  it('by a hard link: the file must have one name only', async () => {
    const path = join(directory, 'my.wal');
    const one = await storageOf('one', path);
    await (await one.logs.create('arcwise.wal', new Uint8Array(1))).close();
    await link(path, join(directory, 'hard.wal'));
    const two = await storageOf('two', join(directory, 'hard.wal'));
    await expect(two.logs.open('arcwise.wal')).rejects.toThrow(/hard\.wal has 2 names \(hard links\)/);
    await two.release();
    await one.release();
  });

  it('is not what logs with names of their own in one directory are', async () => {
    const storages = [await storageOf('one', '../logs/one.wal'), await storageOf('two', '../logs/two.wal')];
    for (const storage of storages) await (await storage.logs.create('arcwise.wal', new Uint8Array(1))).close();
    expect((await readdir(join(directory, 'logs'))).filter((name) => name.endsWith('.wal'))).toHaveLength(2);
    for (const storage of storages) await storage.release();
    expect((await readdir(join(directory, 'logs'))).sort()).toEqual(['one.wal', 'two.wal']);
  });
});

describe('the segments of a log behind a symbolic link', () => {
  it('lie beside the file, and the link stays', async () => {
    await mkdir(join(directory, 'logs'));
    await symlink('logs/my.wal', join(directory, 'link.wal'));
    const storage = await storageOf('one', join(directory, 'link.wal'));
    await (await storage.logs.create('arcwise.wal', new Uint8Array([1]))).close();
    await (await storage.logs.create('arcwise.wal.1', new Uint8Array([2]))).close();
    await storage.release();
    expect((await readdir(join(directory, 'logs'))).sort()).toEqual(['my.wal', 'my.wal.1']);
    expect([...(await readFile(join(directory, 'link.wal')))]).toEqual([1]);
  });
});

describe('a metadata directory', () => {
  it('may be the storage directory by another name', async () => {
    const storageDirectory = join(directory, 'data');
    await mkdir(storageDirectory);
    await symlink('data', join(directory, 'link'));
    const storage = await openNodeStorage({
      storageDirectory,
      metadataDirectory: join(directory, 'link'),
      walPath: null,
    });
    await storage.release();
  });

  it('is named when another service has it', async () => {
    const metadataDirectory = join(directory, 'metadata');
    const options = { metadataDirectory, walPath: null };
    const one = await openNodeStorage({ ...options, storageDirectory: join(directory, 'one') });
    const two = openNodeStorage({ ...options, storageDirectory: join(directory, 'two') });
    await expect(two).rejects.toThrow(`The metadata directory ${metadataDirectory} is in use by process`);
    await one.release();
    await (await openNodeStorage({ ...options, storageDirectory: join(directory, 'two') })).release();
  });
});

describe('a lock that cannot be taken', () => {
  const lockOf = (name: string): string => join(directory, name, 'arcwise.lock');

  it('is no place for a directory or for a file with contents, which stay', async () => {
    await mkdir(lockOf('one'), { recursive: true });
    await expect(storageOf('one')).rejects.toThrow(
      `${lockOf('one')} is a directory where the lock of the service belongs`,
    );
    await mkdir(join(directory, 'two'));
    await writeFile(lockOf('two'), 'notes');
    await expect(storageOf('two')).rejects.toThrow(`${lockOf('two')} is a file with contents`);
    expect(await readFile(lockOf('two'), 'utf8')).toBe('notes');
    expect([await readdir(join(directory, 'one')), await readdir(join(directory, 'two'))]).toEqual([
      ['arcwise.lock', 'metadata'],
      ['arcwise.lock', 'metadata'],
    ]);
    // What copying makes of a socket is no obstacle.
    await writeFile(lockOf('two'), '');
    await (await storageOf('two')).release();
  });

  it('names the directory that may not be written', async () => {
    const path = join(directory, 'mine');
    await mkdir(join(path, 'metadata'), { recursive: true });
    for (const parent of [root, directory]) await chmod(parent, 0o755);
    await chmod(path, 0o555);
    // The superuser may write everywhere, so another user has to try.
    const script = `
      import { openNodeStorage } from ${JSON.stringify(pathToFileURL(at('dist/runtime-node/storage/open-storage.js')).href)};
      if (process.getuid() === 0) process.setgid(65534), process.setuid(65534);
      const [storageDirectory] = process.argv.slice(1);
      const options = { storageDirectory, metadataDirectory: storageDirectory + '/metadata', walPath: null };
      await openNodeStorage(options).catch(({ message, port }) => console.log(port, message));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, path], { encoding: 'utf8' });
    await chmod(path, 0o755);
    expect(stdout).toContain(`undefined The storage directory ${path} cannot be locked by ${path}/arcwise.lock: `);
    expect(stdout).toContain('EACCES');
  });
});
