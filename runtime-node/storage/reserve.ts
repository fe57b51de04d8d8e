// Room that a full disk still has: a file of zeros beside small documents, which takes the contents of one and then its name. So the entry
// of a save game can leave the registry, and its files the disk, when nothing else can be written. The file is made again as soon as
// there is room.

import { join } from 'node:path';
import { type FileHandle, type FileSystem, nodeFileSystem, zeroBlock } from './file-system.ts';

export const reserveName = 'arcwise.reserve';
const smallestBytes = 64 * 1024;

export class Reserve {
  private readonly directory: string;
  private readonly path: string;
  private readonly fileSystem: FileSystem;
  /** Of the file; 0: there may be none. */
  private bytes = 0;

  constructor(directory: string, fileSystem: FileSystem = nodeFileSystem) {
    this.directory = directory;
    this.path = join(directory, reserveName);
    this.fileSystem = fileSystem;
  }

  /** Sees to it that a document twice as long as this one would fit. Does nothing where there is no room. */
  async keep(documentBytes: number): Promise<void> {
    const wanted = Math.max(smallestBytes, 2 * documentBytes);
    if (this.bytes >= wanted) return;
    let handle: FileHandle | null = null;
    try {
      handle = await this.open();
      let size = await handle.sizeBytes();
      while (size < wanted)
        size += await handle.write(zeroBlock.subarray(0, Math.min(zeroBlock.length, wanted - size)), size);
      await handle.sync();
      await this.fileSystem.syncDirectory(this.directory);
      this.bytes = size;
    } catch {
      // What was written is of use all the same, and the next time is soon enough.
    } finally {
      await handle?.close().catch(() => {}); // nothing depends on it
    }
  }

  private open(): Promise<FileHandle> {
    return this.fileSystem
      .open(this.path, 'existing', false)
      .catch(() => this.fileSystem.open(this.path, 'new', false));
  }

  /** Makes the reserve a file with these contents under `target`. False when it is too small, or not there. */
  async become(target: string, contents: Uint8Array): Promise<boolean> {
    let handle: FileHandle;
    try {
      handle = await this.fileSystem.open(this.path, 'existing', false);
    } catch {
      return false;
    }
    this.bytes = 0;
    try {
      if ((await handle.sizeBytes()) < contents.length) return false;
      for (let done = 0; done < contents.length; ) done += await handle.write(contents.subarray(done), done);
      await handle.truncate(contents.length);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await this.fileSystem.rename(this.path, target);
    await this.fileSystem.syncDirectory(this.directory);
    return true;
  }
}
