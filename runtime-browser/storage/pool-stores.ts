// The stores of an engine over one pool of files. Names of the three stores stand apart by their first letter.

import {
  type BlobStore,
  type CheckpointReader,
  type CheckpointStore,
  type CheckpointWriter,
  checkStorageName,
  type LogFile,
  type LogStore,
} from '../../src/storage/types.ts';
import { contentOffset, type OpenFile, type Pool } from './pool.ts';
import { Reserve } from './reserve.ts';
import { readWhole, StoreDamaged, StoreFull, writeWhole } from './sync-file.ts';

/** Zeros to write from; never written to. */
const zeroBlock = new Uint8Array(256 * 1024);

/** A pool file under the name that `prefix` and a store's own name make. */
async function put(pool: Pool, name: string, bytes: Uint8Array): Promise<void> {
  const file = await pool.take();
  try {
    writeWhole(file.handle, bytes, contentOffset);
    pool.name(file, name, bytes.length, pool.crc32(bytes, 0, bytes.length, 0));
  } finally {
    pool.leave(file);
  }
}

function listed(pool: Pool, space: string, prefix: string): string[] {
  return pool.names(space + prefix).map((name) => name.slice(space.length));
}

/** Gives the event loop a turn, so that what other requests append meanwhile goes with the same flush. */
export type Gather = () => Promise<void>;

class PoolLogFile implements LogFile {
  private readonly pool: Pool;
  private readonly file: OpenFile;
  private readonly gather: Gather;
  private size: number;
  private closed = false;

  constructor(pool: Pool, file: OpenFile, gather: Gather) {
    this.pool = pool;
    this.file = file;
    this.gather = gather;
    this.size = Math.max(0, file.handle.getSize() - contentOffset);
  }

  get sizeBytes(): number {
    return this.size;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    return readWhole(this.file.handle, target, contentOffset + offset);
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    await this.gather();
    writeWhole(this.file.handle, bytes, contentOffset + offset);
    this.file.handle.flush();
    this.size = Math.max(this.size, offset + bytes.length);
  }

  async reserve(sizeBytes: number): Promise<void> {
    while (this.size < sizeBytes) {
      const zeros = zeroBlock.subarray(0, Math.min(zeroBlock.length, sizeBytes - this.size));
      writeWhole(this.file.handle, zeros, contentOffset + this.size);
      this.size += zeros.length;
      if (this.size < sizeBytes) await this.gather();
    }
    this.file.handle.flush();
  }

  async truncate(sizeBytes: number): Promise<void> {
    if (sizeBytes >= this.size) return;
    this.file.handle.truncate(contentOffset + sizeBytes);
    this.size = sizeBytes;
    this.file.handle.flush();
  }

  async sync(): Promise<void> {
    this.file.handle.flush();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.pool.leave(this.file);
  }
}

export class PoolLogStore implements LogStore {
  private readonly pool: Pool;
  private readonly gather: Gather;

  constructor(pool: Pool, gather: Gather) {
    this.pool = pool;
    this.gather = gather;
  }

  async open(name: string): Promise<LogFile | null> {
    checkStorageName(name);
    const file = await this.pool.use(`l/${name}`);
    return file === null ? null : new PoolLogFile(this.pool, file, this.gather);
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    checkStorageName(name);
    const file = await this.pool.take();
    try {
      writeWhole(file.handle, content, contentOffset);
      this.pool.name(file, `l/${name}`, null, 0);
    } catch (error) {
      this.pool.leave(file);
      throw error;
    }
    return new PoolLogFile(this.pool, file, this.gather);
  }

  async list(prefix: string): Promise<string[]> {
    return listed(this.pool, 'l/', prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.pool.remove(`l/${name}`);
  }
}

/** The content of a finished file, checked against the length that the catalogue has. */
async function contentOf(pool: Pool, name: string): Promise<Uint8Array | null> {
  const file = await pool.use(name);
  if (file === null) return null;
  try {
    const bytes = new Uint8Array(pool.entry(name)?.bytes ?? 0);
    const got = readWhole(file.handle, bytes, contentOffset);
    if (got < bytes.length)
      throw new StoreDamaged(`${name.slice(2)} has ${got} bytes where ${bytes.length} were written.`);
    return bytes;
  } finally {
    pool.leave(file);
  }
}

export class PoolBlobStore implements BlobStore {
  private readonly pool: Pool;
  private readonly reserve: Reserve;

  constructor(pool: Pool) {
    this.pool = pool;
    this.reserve = new Reserve(pool);
  }

  async put(name: string, bytes: Uint8Array, makesRoom = false): Promise<void> {
    checkStorageName(name);
    const copy = bytes.slice();
    try {
      await put(this.pool, `b/${name}`, copy);
    } catch (error) {
      if (!makesRoom || !(error instanceof StoreFull)) throw error;
      if (!this.reserve.become(`b/${name}`, copy)) throw error;
    }
    await this.reserve.keep(bytes.length);
  }

  /** Sets room aside for what makes room. */
  async keepReserve(): Promise<void> {
    await this.reserve.keep(Math.max(0, ...this.pool.names('b/').map((name) => this.pool.entry(name)?.bytes ?? 0)));
  }

  async get(name: string): Promise<Uint8Array | null> {
    checkStorageName(name);
    return contentOf(this.pool, `b/${name}`);
  }

  async list(prefix: string): Promise<string[]> {
    return listed(this.pool, 'b/', prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.pool.remove(`b/${name}`);
  }
}

class PoolCheckpointWriter implements CheckpointWriter {
  private readonly pool: Pool;
  private readonly file: OpenFile;
  private readonly name: string;
  private readonly over: () => void;
  private bytes = 0;
  private crc = 0;
  private ended = false;

  constructor(pool: Pool, file: OpenFile, name: string, over: () => void) {
    this.pool = pool;
    this.file = file;
    this.name = name;
    this.over = over;
  }

  async append(bytes: Uint8Array): Promise<void> {
    writeWhole(this.file.handle, bytes, contentOffset + this.bytes);
    this.crc = this.pool.crc32(bytes, 0, bytes.length, this.crc);
    this.bytes += bytes.length;
  }

  async finish(): Promise<void> {
    this.pool.name(this.file, this.name, this.bytes, this.crc);
    this.end();
  }

  async abandon(): Promise<void> {
    this.end();
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.over();
    this.pool.leave(this.file);
  }
}

export class PoolCheckpointStore implements CheckpointStore {
  private readonly pool: Pool;
  private readonly unfinished = new Set<string>();

  constructor(pool: Pool) {
    this.pool = pool;
  }

  async create(name: string): Promise<CheckpointWriter> {
    checkStorageName(name);
    if (this.unfinished.has(name) || this.pool.entry(`c/${name}`) !== undefined)
      throw new Error(`There is a file ${name} already.`);
    this.unfinished.add(name);
    const over = (): void => void this.unfinished.delete(name);
    try {
      return new PoolCheckpointWriter(this.pool, await this.pool.take(), `c/${name}`, over);
    } catch (error) {
      over();
      throw error;
    }
  }

  async open(name: string): Promise<CheckpointReader | null> {
    checkStorageName(name);
    const { pool } = this;
    const sizeBytes = pool.entry(`c/${name}`)?.bytes ?? 0;
    const file = await pool.use(`c/${name}`);
    if (file === null) return null;
    let closed = false;
    return {
      sizeBytes,
      read: async (offset, target) => {
        const most = Math.max(0, Math.min(target.length, sizeBytes - offset));
        return readWhole(file.handle, target.subarray(0, most), contentOffset + offset);
      },
      close: async () => {
        if (!closed) pool.leave(file);
        closed = true;
      },
    };
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkStorageName(name);
    await put(this.pool, `c/${name}`, bytes.slice());
  }

  async list(prefix: string): Promise<string[]> {
    return listed(this.pool, 'c/', prefix);
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    this.pool.remove(`c/${name}`);
  }

  /** Null when there is no such file. */
  facts(name: string): { readonly bytes: number; readonly modifiedMs: number } | null {
    const entry = this.pool.entry(`c/${name}`);
    return entry === undefined ? null : { bytes: entry.bytes ?? 0, modifiedMs: Math.floor(entry.modifiedMs) };
  }
}
