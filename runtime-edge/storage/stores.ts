// The stores of an engine over the tables of an object. Names of the three stores stand apart by their first letter. What these say is
// durable is what the object's storage has confirmed.

import {
  type BlobStore,
  type CheckpointReader,
  type CheckpointStore,
  type CheckpointWriter,
  checkStorageName,
  type LogFile,
  type LogStore,
} from '../../src/storage/types.ts';
import type { Tables } from './tables.ts';

export const logSpace = 'l/';
const blobSpace = 'b/';
const checkpointSpace = 'c/';
/** Bytes of a checkpoint that become one row. */
const rowBytes = 2 ** 20;

function listed(tables: Tables, space: string, prefix: string): string[] {
  return tables.names(space + prefix).map((name) => name.slice(space.length));
}

class TableLogFile implements LogFile {
  private readonly tables: Tables;
  private readonly file: number;
  private readonly written: (bytes: number) => void;
  private size: number;
  /** Where the parts end: a write from here on meets none. */
  private end: number;

  constructor(tables: Tables, file: number, size: number, written: (bytes: number) => void) {
    this.tables = tables;
    this.file = file;
    this.size = size;
    this.written = written;
    this.end = tables.end(file);
  }

  get sizeBytes(): number {
    return this.size;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    const bytes = Math.max(0, Math.min(target.length, this.size - offset));
    if (bytes > 0) this.tables.read(this.file, offset, target.subarray(0, bytes));
    return bytes;
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    const end = offset + bytes.length;
    this.tables.together(() => {
      if (offset < this.end) this.tables.cut(this.file, offset, end);
      this.tables.write(this.file, offset, bytes);
      if (end > this.size) this.tables.resize(this.file, end);
    });
    this.end = Math.max(this.end, end);
    this.size = Math.max(this.size, end);
    this.written(bytes.length);
    await this.tables.sync();
  }

  async reserve(sizeBytes: number): Promise<void> {
    if (sizeBytes <= this.size) return;
    this.tables.resize(this.file, sizeBytes);
    this.size = sizeBytes;
    await this.tables.sync();
  }

  async truncate(sizeBytes: number): Promise<void> {
    if (sizeBytes >= this.size) return;
    this.tables.together(() => {
      this.tables.cut(this.file, sizeBytes, Number.MAX_SAFE_INTEGER);
      this.tables.resize(this.file, sizeBytes);
    });
    this.size = sizeBytes;
    this.end = Math.min(this.end, sizeBytes);
    await this.tables.sync();
  }

  async sync(): Promise<void> {
    await this.tables.sync();
  }

  async close(): Promise<void> {}
}

export class TableLogStore implements LogStore {
  private readonly tables: Tables;
  private readonly written: (bytes: number) => void;

  /** `written` hears how many bytes each write had. */
  constructor(tables: Tables, written: (bytes: number) => void) {
    this.tables = tables;
    this.written = written;
  }

  async open(name: string): Promise<LogFile | null> {
    checkStorageName(name);
    const found = this.tables.find(logSpace + name);
    return found === null ? null : new TableLogFile(this.tables, found.id, found.bytes, this.written);
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    checkStorageName(name);
    const file = this.tables.put(logSpace + name, content);
    await this.tables.sync();
    return new TableLogFile(this.tables, file, content.length, this.written);
  }

  async list(prefix: string): Promise<string[]> {
    return listed(this.tables, logSpace, prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.tables.removeNamed(logSpace + name);
    await this.tables.sync();
  }
}

class TableFiles {
  protected readonly tables: Tables;
  protected readonly space: string;

  constructor(tables: Tables, space: string) {
    this.tables = tables;
    this.space = space;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkStorageName(name);
    this.tables.put(this.space + name, bytes);
    await this.tables.sync();
  }

  async list(prefix: string): Promise<string[]> {
    return listed(this.tables, this.space, prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.tables.removeNamed(this.space + name);
    await this.tables.sync();
  }
}

export class TableBlobStore extends TableFiles implements BlobStore {
  constructor(tables: Tables) {
    super(tables, blobSpace);
  }

  async get(name: string): Promise<Uint8Array | null> {
    checkStorageName(name);
    const found = this.tables.find(this.space + name);
    if (found === null) return null;
    const bytes = new Uint8Array(found.bytes);
    this.tables.read(found.id, 0, bytes);
    return bytes;
  }
}

export class TableCheckpointStore extends TableFiles implements CheckpointStore {
  private readonly unfinished = new Set<string>();

  constructor(tables: Tables) {
    super(tables, checkpointSpace);
  }

  async create(name: string): Promise<CheckpointWriter> {
    checkStorageName(name);
    if (this.unfinished.has(name) || this.facts(name) !== null) throw new Error(`There is a file ${name} already.`);
    this.unfinished.add(name);
    return new TableCheckpointWriter(this.tables, this.space + name, () => this.unfinished.delete(name));
  }

  async open(name: string): Promise<CheckpointReader | null> {
    checkStorageName(name);
    const found = this.tables.find(this.space + name);
    if (found === null) return null;
    const read = async (offset: number, target: Uint8Array): Promise<number> => {
      const bytes = Math.max(0, Math.min(target.length, found.bytes - offset));
      if (bytes > 0) this.tables.read(found.id, offset, target.subarray(0, bytes));
      return bytes;
    };
    return { sizeBytes: found.bytes, read, close: async () => {} };
  }

  /** Null when there is no such file. */
  facts(name: string): { readonly bytes: number; readonly modifiedMs: number } | null {
    const found = this.tables.find(this.space + name);
    return found === null ? null : { bytes: found.bytes, modifiedMs: found.modifiedMs };
  }
}

/** Gathers rows, so that a file of many small appends has few. */
class TableCheckpointWriter implements CheckpointWriter {
  private readonly tables: Tables;
  private readonly name: string;
  private readonly over: () => void;
  private readonly file: number;
  private row = new Uint8Array(0);
  private used = 0;
  private bytes = 0;
  private ended = false;

  constructor(tables: Tables, name: string, over: () => void) {
    this.tables = tables;
    this.name = name;
    this.over = over;
    this.file = tables.begin();
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.row.length === 0) this.row = new Uint8Array(rowBytes);
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + rowBytes - this.used);
      this.row.set(part, this.used);
      this.used += part.length;
      from += part.length;
      if (this.used === rowBytes) this.flush();
    }
  }

  private flush(): void {
    this.tables.write(this.file, this.bytes, this.row.subarray(0, this.used));
    this.bytes += this.used;
    this.used = 0;
  }

  async finish(): Promise<void> {
    this.tables.together(() => {
      this.flush();
      this.tables.rename(this.file, this.name, this.bytes);
    });
    this.end();
    await this.tables.sync();
  }

  async abandon(): Promise<void> {
    if (this.ended) return;
    this.end();
    try {
      this.tables.remove(this.file);
    } catch {
      // The next opening removes it.
    }
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.over();
    this.row = new Uint8Array(0);
  }
}
