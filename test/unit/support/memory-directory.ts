// Files in memory as a page's storage gives them: handles that are exclusive, and a share of the disk that can be used up.

import { type FileDirectory, StoreInUse, type SyncFile } from '../../../runtime-browser/storage/sync-file.ts';

class QuotaExceeded extends Error {
  override readonly name = 'QuotaExceededError';
}

export class MemoryDirectory implements FileDirectory {
  readonly name = 'opfs://test';
  readonly files = new Map<string, Uint8Array>();
  /** Of all files together. */
  quotaBytes = Number.POSITIVE_INFINITY;
  /** Called before each change of a file; what it throws the caller gets, and nothing is written. */
  beforeWrite: (name: string) => void = () => {};
  private readonly open_ = new Set<string>();

  async open(name: string): Promise<SyncFile> {
    if (this.open_.has(name)) throw new StoreInUse(`${name} is open.`);
    this.open_.add(name);
    if (!this.files.has(name)) this.files.set(name, new Uint8Array(0));
    const content = (): Uint8Array => this.files.get(name) as Uint8Array;
    return {
      getSize: () => content().length,
      read: (target, { at }) => {
        const part = content().subarray(at, at + target.length);
        target.set(part);
        return part.length;
      },
      write: (bytes, { at }) => {
        this.beforeWrite(name);
        this.resize(name, Math.max(content().length, at + bytes.length));
        content().set(bytes, at);
        return bytes.length;
      },
      truncate: (sizeBytes) => this.resize(name, sizeBytes),
      flush: () => {},
      close: () => void this.open_.delete(name),
    };
  }

  async list(): Promise<string[]> {
    return [...this.files.keys()];
  }

  get usedBytes(): number {
    return [...this.files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** What a new engine finds: the same bytes, and nobody who has them open. */
  afterCrash(): MemoryDirectory {
    const again = new MemoryDirectory();
    for (const [name, bytes] of this.files) again.files.set(name, bytes.slice());
    return again;
  }

  private resize(name: string, sizeBytes: number): void {
    const before = this.files.get(name) as Uint8Array;
    if (sizeBytes === before.length) return;
    if (this.usedBytes - before.length + sizeBytes > this.quotaBytes) throw new QuotaExceeded('No room.');
    const after = new Uint8Array(sizeBytes);
    after.set(before.subarray(0, sizeBytes));
    this.files.set(name, after);
  }
}
