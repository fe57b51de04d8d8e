// The file system calls that storage needs, one interface, so that the power-loss tests run the same storage code over a
// simulated disk. All paths are absolute. A rejection carries the system's `code` (ENOENT, ENOSPC, EIO ...).

import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';

export interface FileHandle {
  sizeBytes(): Promise<number>;
  /** How many names the file has. */
  linkCount(): Promise<number>;
  /** Answers the bytes read, 0 at the end of the file. */
  read(target: Uint8Array, offset: number): Promise<number>;
  /** May write fewer bytes than given; answers how many. */
  write(bytes: Uint8Array, offset: number): Promise<number>;
  truncate(sizeBytes: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
}

export interface FileSystem {
  /** `synchronous`: each write is durable, with the metadata needed to read it back, before it resolves. */
  open(path: string, mode: 'existing' | 'new', synchronous: boolean): Promise<FileHandle>;
  rename(source: string, target: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Fails with ENOTEMPTY when something is left in it. */
  removeDirectory(path: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>;
  /** What is directly in a directory, in no order; empty when there is no such directory. */
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
}

class NodeFileHandle implements FileHandle {
  private readonly descriptor: number;
  private readonly path: string;
  private closed = false;

  constructor(descriptor: number, path: string) {
    this.descriptor = descriptor;
    this.path = path;
  }

  async sizeBytes(): Promise<number> {
    return (await this.status()).size;
  }

  async linkCount(): Promise<number> {
    return (await this.status()).nlink;
  }

  private status(): Promise<fs.Stats> {
    return this.call((done) => fs.fstat(this.descriptor, done));
  }

  /** Errors over descriptors name no file: this one's path is added. */
  private call<T>(start: (done: (error: Error | null, result?: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      start((error, result) => {
        if (error === null) resolve(result as T);
        else reject(Object.assign(error, { path: this.path, message: `${error.message} '${this.path}'` }));
      });
    });
  }

  read(target: Uint8Array, offset: number): Promise<number> {
    return this.call((done) => fs.read(this.descriptor, target, 0, target.length, offset, done));
  }

  // The callback form: a promise of fs/promises costs 10 us more for each small write.
  write(bytes: Uint8Array, offset: number): Promise<number> {
    return this.call((done) => fs.write(this.descriptor, bytes, 0, bytes.length, offset, done));
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.call((done) => fs.ftruncate(this.descriptor, sizeBytes, done));
  }

  sync(): Promise<void> {
    return this.call((done) => fs.fsync(this.descriptor, done));
  }

  /** The number is closed once only: by a second time the system may have given it to another file. */
  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    return this.call((done) => fs.close(this.descriptor, done));
  }
}

/** Windows has no O_DSYNC; there each write is followed by a sync of its own. */
class SyncingFileHandle extends NodeFileHandle {
  override async write(bytes: Uint8Array, offset: number): Promise<number> {
    const written = await super.write(bytes, offset);
    await this.sync();
    return written;
  }
}

export const nodeFileSystem: FileSystem = {
  async open(path, mode, synchronous) {
    const { O_RDWR, O_CREAT, O_EXCL, O_DSYNC } = fs.constants;
    const flags = O_RDWR | (mode === 'new' ? O_CREAT | O_EXCL : 0) | (synchronous ? (O_DSYNC ?? 0) : 0);
    const descriptor = await new Promise<number>((resolve, reject) => {
      fs.open(path, flags, 0o644, (error, opened) => (error ? reject(error) : resolve(opened)));
    });
    return synchronous && O_DSYNC === undefined
      ? new SyncingFileHandle(descriptor, path)
      : new NodeFileHandle(descriptor, path);
  },

  rename,

  remove: (path) => rm(path),

  removeDirectory: (path) => rmdir(path),

  async makeDirectory(path) {
    await mkdir(path);
  },

  async syncDirectory(path) {
    if (process.platform === 'win32') return; // it has no such call; its renames are journalled
    const directory = await open(path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },

  async readDirectory(path) {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return entries.map((entry) => ({
      name: entry.name,
      kind: entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other',
    }));
  },
};

/** Zeros to write from; never written to. */
export const zeroBlock: Uint8Array = Buffer.alloc(1024 * 1024);
