// Objects in a directory, for backups on a disk or a mounted share. Each put of an object is a file of its own:
//
//   <name>~<n>     n is the object's tag: one above that of the put before; the highest one counts
//
// A put writes a temporary file, makes it durable, and links it to the next name, which the file system does once: of two puts that were meant for
// the same number one finds it taken. Older files go afterwards. Deleting an object takes all its files; nobody may put conditionally beside that.

import { link, mkdir, open, readdir, readFile, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore, PutOnce, PutOutcome, StoredObject } from '../../src/storage/objects.ts';
import { checkStorageName } from '../../src/storage/types.ts';
import { isMissing } from './file-calls.ts';
import type { FileThread } from './file-thread.ts';

const temporaryPrefix = '.put-';
const fileName = /^(.+)~(\d{1,15})$/;

/** Of an object that a thread may put, in bytes: its bytes are copied to it. */
const mostThreadBytes = 1024 * 1024;

type Failure = NodeJS.ErrnoException;

export class DirectoryObjectStore implements ObjectStore {
  private readonly directory: string;
  private readonly thread: FileThread | null;

  /** An absolute path; made when missing. `thread` puts and gets what is put once, and puts what is small, while it is free. */
  constructor(directory: string, thread: FileThread | null = null) {
    this.directory = directory;
    this.thread = thread;
  }

  async get(name: string): Promise<StoredObject | null> {
    while (true) {
      const newest = (await this.numbersOf(name)).at(-1);
      if (newest === undefined) return null;
      const bytes = await readFile(this.pathOf(name, newest)).catch((error: Failure) => {
        if (error.code === 'ENOENT') return null; // a newer one took its place
        throw error;
      });
      if (bytes !== null) return { bytes: viewOf(bytes), tag: String(newest) };
    }
  }

  /** Such an object has one file, whose name needs no look at a folder that may have a thousand others. */
  readonly once: PutOnce = {
    get: async (name) => {
      const path = this.pathOf(name, 1);
      const { thread } = this;
      const got = thread?.isFree ? thread.get(path) : read(path);
      const bytes = await got;
      return bytes === null ? null : { bytes, tag: '1' };
    },
    putIfAbsent: async (name, bytes) => {
      const { thread } = this;
      const isSmall = bytes.length <= mostThreadBytes;
      const isOurs = isSmall && thread?.isFree ? this.linkedBy(thread, name, bytes) : this.linked(name, 1, bytes);
      return (await isOurs) ? { taken: true, tag: '1' } : { taken: false };
    },
    // Nobody relies on its being gone: it only takes space where a loss of power brings it back.
    delete: (name) => rm(this.pathOf(name, 1), { force: true }),
  };

  async put(name: string, bytes: Uint8Array): Promise<void> {
    while (true) {
      const newest = (await this.numbersOf(name)).at(-1) ?? 0;
      if ((await this.putAs(name, newest + 1, bytes)).taken) return;
    }
  }

  async putIfAbsent(name: string, bytes: Uint8Array): Promise<PutOutcome> {
    return (await this.numbersOf(name)).length > 0 ? { taken: false } : this.putAs(name, 1, bytes);
  }

  async putIfMatch(name: string, bytes: Uint8Array, tag: string): Promise<PutOutcome> {
    const newest = (await this.numbersOf(name)).at(-1);
    return String(newest) === tag ? this.putAs(name, Number(tag) + 1, bytes) : { taken: false };
  }

  async list(prefix: string): Promise<string[]> {
    const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/') + 1) : '';
    const entries = await readdir(join(this.directory, folder), { recursive: true, withFileTypes: true }).catch(
      noEntries,
    );
    const names = new Set<string>();
    for (const entry of entries) {
      const [, object] = entry.isFile() ? (fileName.exec(entry.name) ?? []) : [];
      if (object === undefined) continue;
      const path = join(entry.parentPath, object)
        .slice(this.directory.length + 1)
        .replaceAll('\\', '/');
      if (path.startsWith(prefix)) names.add(path);
    }
    return [...names].sort();
  }

  async delete(name: string): Promise<void> {
    for (const number of await this.numbersOf(name)) await rm(this.pathOf(name, number), { force: true });
    await syncDirectory(dirname(this.pathOf(name, 0))).catch((error: Failure) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  /** Whether a file with these bytes is now at that place, durably; false: there is one already. */
  private async linked(name: string, number: number, bytes: Uint8Array): Promise<boolean> {
    const path = this.pathOf(name, number);
    const folder = dirname(path);
    const temporary = temporaryIn(folder);
    let isOurs = false;
    try {
      const file = await open(temporary, 'wx').catch(async (error: Failure) => {
        if (error.code !== 'ENOENT') throw error;
        await mkdir(folder, { recursive: true });
        return open(temporary, 'wx');
      });
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await link(temporary, path);
      isOurs = true;
    } catch (error) {
      if ((error as Failure).code !== 'EEXIST') throw error;
    } finally {
      // The name is made durable beside that: whoever waits for a log waits for one less.
      await Promise.all([unlink(temporary).catch(ignoreMissing), ...(isOurs ? [syncDirectory(folder)] : [])]);
    }
    return isOurs;
  }

  private linkedBy(thread: FileThread, name: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.pathOf(name, 1);
    return thread.put({ path, temporary: temporaryIn(dirname(path)), bytes });
  }

  private async putAs(name: string, number: number, bytes: Uint8Array): Promise<PutOutcome> {
    if (!(await this.linked(name, number, bytes))) return { taken: false };
    const path = this.pathOf(name, number);
    // The number may have been given before, to a file that went when its successor came.
    const numbers = await this.numbersOf(name);
    if (numbers.at(-1) !== number) {
      await rm(path, { force: true });
      return { taken: false };
    }
    for (const older of numbers.slice(0, -1)) await rm(this.pathOf(name, older), { force: true });
    return { taken: true, tag: String(number) };
  }

  /** The numbers of the object's files, ascending. */
  private async numbersOf(name: string): Promise<number[]> {
    const path = this.pathOf(name, 0);
    const object = name.slice(name.lastIndexOf('/') + 1);
    const files = await readdir(dirname(path)).catch(noEntries);
    return files
      .flatMap((file) => {
        const [, of, number] = fileName.exec(file) ?? [];
        return of === object ? [Number(number)] : [];
      })
      .sort((a, b) => a - b);
  }

  private pathOf(name: string, number: number): string {
    checkStorageName(name);
    return join(this.directory, `${name}~${number}`);
  }
}

const temporaryIn = (folder: string): string => join(folder, `${temporaryPrefix}${crypto.randomUUID()}`);

const viewOf = (bytes: Buffer): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);

async function read(path: string): Promise<Uint8Array | null> {
  const bytes = await readFile(path).catch((error: Failure) => {
    if (isMissing(error)) return null;
    throw error;
  });
  return bytes === null ? null : viewOf(bytes);
}

function noEntries(error: Failure): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

function ignoreMissing(error: Failure): void {
  if (error.code !== 'ENOENT') throw error;
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return; // it has no such call; its links are journalled
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
