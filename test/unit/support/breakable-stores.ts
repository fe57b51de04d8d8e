// Stores in memory whose disk can be broken and mended.

import { MemoryBlobStore, MemoryLogStore } from '../../../src/storage/memory-store.ts';
import type { LogFile } from '../../../src/storage/types.ts';

/** A log store whose disk takes nothing while it is broken. */
export class BreakableLogStore extends MemoryLogStore {
  broken = false;

  override async open(name: string): Promise<LogFile | null> {
    const file = await super.open(name);
    return file === null ? null : this.breakable(file);
  }

  override async create(name: string, content: Uint8Array): Promise<LogFile> {
    if (this.broken) throw new Error('EIO');
    return this.breakable(await super.create(name, content));
  }

  private breakable(file: LogFile): LogFile {
    const fail = (): boolean => this.broken;
    return {
      get sizeBytes() {
        return file.sizeBytes;
      },
      read: (offset, target) => file.read(offset, target),
      write: (offset, bytes) => (fail() ? Promise.reject(new Error('EIO')) : file.write(offset, bytes)),
      reserve: (bytes) => (fail() ? Promise.reject(new Error('EIO')) : file.reserve(bytes)),
      truncate: (bytes) => file.truncate(bytes),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }
}

/** A metadata store whose disk is full, or whose answer to a write that succeeded is an error. */
export class BreakableBlobStore extends MemoryBlobStore {
  broken = false;
  /** Writes from now on that succeed and say they did not. */
  lying = 0;

  override async put(name: string, bytes: Uint8Array): Promise<void> {
    if (this.broken) throw new Error('ENOSPC');
    await super.put(name, bytes);
    if (this.lying > 0) {
      this.lying--;
      throw new Error('EIO');
    }
  }
}
