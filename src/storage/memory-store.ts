// Log files and blobs in memory: the stores of a home without a disk, and of tests. They live as long as the object does, and
// keep the promises of `types.ts` as far as a process that never loses power can.

import {
  type BlobStore,
  type CheckpointReader,
  type CheckpointStore,
  type CheckpointWriter,
  checkStorageName,
  type LogFile,
  type LogStore,
} from './types.ts';

class MemoryLogFile implements LogFile {
  private content: Uint8Array;
  private length: number;

  constructor(content: Uint8Array) {
    this.content = content.slice();
    this.length = content.length;
  }

  get sizeBytes(): number {
    return this.length;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    const bytes = Math.max(0, Math.min(target.length, this.length - offset));
    target.set(this.content.subarray(offset, offset + bytes));
    return bytes;
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    if (offset > this.length) throw new Error(`Write at ${offset} leaves a hole after ${this.length}.`);
    this.grow(offset + bytes.length);
    this.content.set(bytes, offset);
  }

  async reserve(sizeBytes: number): Promise<void> {
    this.grow(sizeBytes);
  }

  async truncate(sizeBytes: number): Promise<void> {
    if (sizeBytes >= this.length) return;
    this.content.fill(0, sizeBytes, this.length);
    this.length = sizeBytes;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}

  /** Bytes beyond `length` are always zero. */
  private grow(sizeBytes: number): void {
    if (sizeBytes > this.content.length) {
      const wider = new Uint8Array(Math.max(sizeBytes, this.content.length * 2));
      wider.set(this.content.subarray(0, this.length));
      this.content = wider;
    }
    this.length = Math.max(this.length, sizeBytes);
  }
}

export class MemoryLogStore implements LogStore {
  private readonly files = new Map<string, MemoryLogFile>();

  async open(name: string): Promise<LogFile | null> {
    checkStorageName(name);
    return this.files.get(name) ?? null;
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    checkStorageName(name);
    const file = new MemoryLogFile(content);
    this.files.set(name, file);
    return file;
  }

  async list(prefix: string): Promise<string[]> {
    return namesWith(this.files.keys(), prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.files.delete(name);
  }
}

export class MemoryBlobStore implements BlobStore {
  private readonly blobs = new Map<string, Uint8Array>();

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkStorageName(name);
    this.blobs.set(name, bytes.slice());
  }

  async get(name: string): Promise<Uint8Array | null> {
    checkStorageName(name);
    return this.blobs.get(name)?.slice() ?? null;
  }

  async list(prefix: string): Promise<string[]> {
    return namesWith(this.blobs.keys(), prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.blobs.delete(name);
  }
}

export class MemoryCheckpointStore extends MemoryBlobStore implements CheckpointStore {
  private readonly unfinished = new Set<string>();

  async create(name: string): Promise<CheckpointWriter> {
    if (this.unfinished.has(name) || (await this.get(name)) !== null)
      throw new Error(`There is a file ${name} already.`);
    this.unfinished.add(name);
    const parts: Uint8Array[] = [];
    return {
      append: async (bytes) => {
        parts.push(bytes.slice());
      },
      finish: async () => {
        const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
        let at = 0;
        for (const part of parts) {
          whole.set(part, at);
          at += part.length;
        }
        this.unfinished.delete(name);
        await this.put(name, whole);
      },
      abandon: async () => {
        this.unfinished.delete(name);
      },
    };
  }

  async open(name: string): Promise<CheckpointReader | null> {
    const content = await this.get(name);
    if (content === null) return null;
    const read = async (offset: number, target: Uint8Array): Promise<number> => {
      const part = content.subarray(offset, offset + target.length);
      target.set(part);
      return part.length;
    };
    return { sizeBytes: content.length, read, close: async () => {} };
  }
}

function namesWith(names: Iterable<string>, prefix: string): string[] {
  return [...names].filter((name) => name.startsWith(prefix)).sort();
}
