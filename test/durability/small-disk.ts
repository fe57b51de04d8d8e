// A disk of so many bytes over the real one: what files grow by is counted, and what does not fit is written as far as it does, then
// refused with ENOSPC. Names and directories cost nothing.

import { stat } from 'node:fs/promises';
import type { FileHandle, FileSystem } from '../../runtime-node/storage/file-system.ts';
import { nodeFileSystem } from '../../runtime-node/storage/file-system.ts';
import { systemError } from './simulated-disk.ts';

export class SmallDisk implements FileSystem {
  capacity: number;
  used = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** No byte more. */
  fill(): void {
    this.capacity = this.used;
  }

  async open(path: string, mode: 'existing' | 'new', synchronous: boolean): Promise<FileHandle> {
    const handle = await nodeFileSystem.open(path, mode, synchronous);
    const sized = { bytes: await handle.sizeBytes() };
    return {
      sizeBytes: () => handle.sizeBytes(),
      linkCount: () => handle.linkCount(),
      read: (target, offset) => handle.read(target, offset),
      write: (bytes, offset) => this.write(handle, sized, bytes, offset, path),
      truncate: async (bytes) => {
        await handle.truncate(bytes);
        this.used -= sized.bytes - bytes;
        sized.bytes = bytes;
      },
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  }

  private async write(
    handle: FileHandle,
    sized: { bytes: number },
    bytes: Uint8Array,
    offset: number,
    path: string,
  ): Promise<number> {
    const growth = Math.max(0, offset + bytes.length - sized.bytes);
    const granted = Math.max(0, Math.min(growth, this.capacity - this.used));
    const part = bytes.subarray(0, bytes.length - (growth - granted));
    if (part.length === 0 && bytes.length > 0) throw systemError('ENOSPC', path);
    this.used += granted;
    sized.bytes += granted;
    return handle.write(part, offset);
  }

  async rename(source: string, target: string): Promise<void> {
    const replaced = await sizeOf(target);
    await nodeFileSystem.rename(source, target);
    this.used -= replaced;
  }

  async remove(path: string): Promise<void> {
    const bytes = await sizeOf(path);
    await nodeFileSystem.remove(path);
    this.used -= bytes;
  }

  removeDirectory(path: string): Promise<void> {
    return nodeFileSystem.removeDirectory(path);
  }

  makeDirectory(path: string): Promise<void> {
    return nodeFileSystem.makeDirectory(path);
  }

  syncDirectory(path: string): Promise<void> {
    return nodeFileSystem.syncDirectory(path);
  }

  readDirectory(path: string): ReturnType<FileSystem['readDirectory']> {
    return nodeFileSystem.readDirectory(path);
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0; // there is none
}
