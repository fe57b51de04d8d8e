// A file system whose calls fail by plan: the n-th call that changes the disk, and everything after it where the fault stays.

import type { FileHandle, FileSystem } from '../../runtime-node/storage/file-system.ts';
import { systemError } from './simulated-disk.ts';

export interface FaultPlan {
  /** Which changing call fails first, from 1. */
  readonly call: number;
  readonly code: 'ENOSPC' | 'EIO';
  /** True: the disk stays broken. False: only that call fails. */
  readonly stays: boolean;
  /** A failing write leaves the first half of its bytes, as a disk that runs full does: a short write first, the error next. */
  readonly short: boolean;
}

export class FaultyFileSystem implements FileSystem {
  calls = 0;
  private readonly inner: FileSystem;
  private readonly plan: FaultPlan | null;

  /** Without a plan it only counts. */
  constructor(inner: FileSystem, plan: FaultPlan | null) {
    this.inner = inner;
    this.plan = plan;
  }

  async open(path: string, mode: 'existing' | 'new', synchronous: boolean): Promise<FileHandle> {
    if (mode === 'new') this.step(path);
    const handle = await this.inner.open(path, mode, synchronous);
    return {
      sizeBytes: () => handle.sizeBytes(),
      linkCount: () => handle.linkCount(),
      read: (target, offset) => handle.read(target, offset),
      write: async (bytes, offset) => {
        if (!this.fails()) return handle.write(bytes, offset);
        if (!this.plan?.short || bytes.length < 2) throw systemError(this.plan?.code ?? 'EIO', path);
        const written = await handle.write(bytes.subarray(0, bytes.length >> 1), offset);
        this.owed = true;
        return written;
      },
      truncate: async (sizeBytes) => {
        this.step(path);
        await handle.truncate(sizeBytes);
      },
      sync: async () => {
        this.step(path);
        await handle.sync();
      },
      close: () => handle.close(),
    };
  }

  async rename(source: string, target: string): Promise<void> {
    this.step(target);
    await this.inner.rename(source, target);
  }

  async remove(path: string): Promise<void> {
    this.step(path);
    await this.inner.remove(path);
  }

  async removeDirectory(path: string): Promise<void> {
    this.step(path);
    await this.inner.removeDirectory(path);
  }

  async makeDirectory(path: string): Promise<void> {
    this.step(path);
    await this.inner.makeDirectory(path);
  }

  async syncDirectory(path: string): Promise<void> {
    this.step(path);
    await this.inner.syncDirectory(path);
  }

  readDirectory(path: string): ReturnType<FileSystem['readDirectory']> {
    return this.inner.readDirectory(path);
  }

  /** A short write owes its error to the next call. */
  private owed = false;

  private fails(): boolean {
    this.calls++;
    if (this.plan === null) return false;
    if (this.owed) {
      this.owed = false;
      return true;
    }
    return this.plan.stays ? this.calls >= this.plan.call : this.calls === this.plan.call;
  }

  private step(path: string): void {
    if (this.fails()) throw systemError(this.plan?.code ?? 'EIO', path);
  }
}
