// Checkpoint files as files below one directory. A large file is written under its own name from the start: until its checkpoint's
// manifest is there nobody reads it, so it needs no temporary name, only its bytes and its name synced before the manifest comes.

import { dirname } from 'node:path';
import type { CheckpointReader, CheckpointStore, CheckpointWriter } from '../../src/storage/types.ts';
import { codeOf, type FileStoreOptions, FileTree, writeAll } from './file-store.ts';
import type { FileHandle } from './file-system.ts';

/** Written bytes are handed to the disk in small steps: the syncs of logs wait for no longer than one of them takes. */
const syncEveryBytes = 512 * 1024;

class FileCheckpointWriter implements CheckpointWriter {
  private readonly tree: FileTree;
  private readonly path: string;
  private readonly handle: FileHandle;
  private written = 0;
  private unsynced = 0;

  constructor(tree: FileTree, path: string, handle: FileHandle) {
    this.tree = tree;
    this.path = path;
    this.handle = handle;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.handle, bytes, this.written);
    this.written += bytes.length;
    this.unsynced += bytes.length;
    if (this.unsynced < syncEveryBytes) return;
    this.unsynced = 0;
    await this.handle.sync();
  }

  async finish(): Promise<void> {
    await this.handle.sync();
    await this.handle.close();
    await this.tree.fileSystem.syncDirectory(dirname(this.path));
  }

  async abandon(): Promise<void> {
    await this.handle.close().catch(() => {}); // it may be closed already
    await this.tree.fileSystem.remove(this.path).catch(() => {}); // only space is lost
  }
}

export class FileCheckpointStore implements CheckpointStore {
  private readonly tree: FileTree;

  constructor(options: FileStoreOptions) {
    this.tree = new FileTree(options);
  }

  async create(name: string): Promise<CheckpointWriter> {
    const path = this.tree.pathOf(name);
    await this.tree.makeParents(path);
    return new FileCheckpointWriter(this.tree, path, await this.tree.fileSystem.open(path, 'new', false));
  }

  async open(name: string): Promise<CheckpointReader | null> {
    let handle: FileHandle;
    try {
      handle = await this.tree.fileSystem.open(this.tree.pathOf(name), 'existing', false);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
    const read = async (offset: number, target: Uint8Array): Promise<number> => {
      let done = 0;
      while (done < target.length) {
        const bytes = await handle.read(target.subarray(done), offset + done);
        if (bytes === 0) break;
        done += bytes;
      }
      return done;
    };
    return { sizeBytes: await handle.sizeBytes(), read, close: () => handle.close() };
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.tree.put(name, bytes);
  }

  list(prefix: string): Promise<string[]> {
    return this.tree.list(prefix);
  }

  delete(name: string): Promise<void> {
    return this.tree.delete(name);
  }
}
