// Room that a full disk still has: a pool file of zeros, which takes a small document and then its name. So the entry of a save game can
// leave the registry, and its files the disk, when nothing else can be written. Bytes that a file has already need no more of the
// page's share.

import { contentOffset, type OpenFile, type Pool } from './pool.ts';
import { writeWhole } from './sync-file.ts';

const smallestBytes = 64 * 1024;

export class Reserve {
  private readonly pool: Pool;
  private file: OpenFile | null = null;
  /** Of the file's content. */
  private bytes = 0;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** Sees to it that a document twice as long as this one would fit. Does nothing where there is no room. */
  async keep(documentBytes: number): Promise<void> {
    const wanted = Math.max(smallestBytes, 2 * documentBytes);
    if (this.bytes >= wanted) return;
    try {
      const file = this.file ?? (await this.pool.take());
      this.file = file;
      // What a document leaves of the zeros stays behind it; its length is in its head.
      writeWhole(file.handle, new Uint8Array(contentOffset + wanted), 0);
      file.handle.flush();
      this.bytes = wanted;
    } catch {
      // The next time is soon enough.
    }
  }

  /** Gives the reserve these contents and this name. False when it is too small, or there is none. */
  become(name: string, contents: Uint8Array): boolean {
    const { file } = this;
    if (file === null || this.bytes < contents.length) return false;
    this.file = null;
    this.bytes = 0;
    try {
      writeWhole(file.handle, contents, contentOffset);
      this.pool.name(file, name, contents.length, this.pool.crc32(contents, 0, contents.length, 0));
    } finally {
      this.pool.leave(file);
    }
    return true;
  }
}
