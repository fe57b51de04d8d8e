// Checkpoint files over blobs. What a file holds lies in parts under a name that nobody has had before; which files there are, and where, stands in
// one blob, the index, which is replaced whole. So a file appears and goes in one step, and who may change the index has all files.
//
//   index            JSON: {"format": 1, "files": {name: {"parts", "bytes", "modifiedMs", "partBytes"}}}
//   <parts>/<n>      the n-th part, from 0: `partBytes` each, the last one less
//
// Parts that no file names are of files that were never finished, or are gone: `open` deletes them.

import {
  type BlobStore,
  type CheckpointReader,
  type CheckpointStore,
  type CheckpointWriter,
  checkStorageName,
} from './types.ts';

const indexName = 'index';
/** Held in memory once for each file that is written or read. */
const defaultPartBytes = 4 * 2 ** 20;

interface FileEntry {
  readonly parts: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly partBytes: number;
}

type Files = ReadonlyMap<string, FileEntry>;

export interface BlobCheckpointsOptions {
  /** Where the index lies: only its owner can change it. */
  readonly index: BlobStore;
  /** Where parts lie. */
  readonly parts: BlobStore;
  readonly nowMs: () => number;
  readonly partBytes?: number;
}

export class BlobCheckpoints implements CheckpointStore {
  readonly needsLog = true;
  private readonly options: BlobCheckpointsOptions;
  private files: Files;
  private readonly unfinished = new Set<string>();
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(options: BlobCheckpointsOptions, files: Files) {
    this.options = options;
    this.files = files;
  }

  /** Rejects as the stores do. */
  static async open(options: BlobCheckpointsOptions): Promise<BlobCheckpoints> {
    // The list comes before the index: parts of whoever comes later are put behind its index, which then refuses this one.
    const parts = await options.parts.list('');
    const bytes = await options.index.get(indexName);
    const { files = {} } =
      bytes === null ? {} : (JSON.parse(new TextDecoder().decode(bytes)) as { files?: Record<string, FileEntry> });
    const one = new BlobCheckpoints(options, new Map(Object.entries(files)));
    await one.deleteLeftOver(parts);
    return one;
  }

  async create(name: string): Promise<CheckpointWriter> {
    checkStorageName(name);
    if (this.unfinished.has(name) || this.files.has(name)) throw new Error(`There is a file ${name} already.`);
    this.unfinished.add(name);
    const { parts, partBytes = defaultPartBytes } = this.options;
    const file = new PartsWriter(parts, partBytes);
    return {
      append: (bytes) => file.append(bytes),
      finish: async () => {
        await file.finish();
        await this.enter(name, file);
        this.unfinished.delete(name);
      },
      abandon: async () => {
        if (this.unfinished.delete(name)) await file.abandon();
      },
    };
  }

  async open(name: string): Promise<CheckpointReader | null> {
    checkStorageName(name);
    const entry = this.files.get(name);
    return entry === undefined ? null : new PartsReader(this.options.parts, entry);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkStorageName(name);
    const file = new PartsWriter(this.options.parts, this.options.partBytes ?? defaultPartBytes);
    await file.append(bytes);
    await file.finish();
    await this.enter(name, file);
  }

  async list(prefix: string): Promise<string[]> {
    return [...this.files.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    const before = await this.change(name, null);
    if (before !== undefined) await deleteParts(this.options.parts, before.parts, partsOf(before));
  }

  /** Null when there is no such file. */
  facts(name: string): { readonly bytes: number; readonly modifiedMs: number } | null {
    const entry = this.files.get(name);
    return entry === undefined ? null : { bytes: entry.bytes, modifiedMs: entry.modifiedMs };
  }

  private async enter(name: string, { bytes, parts, partBytes }: PartsWriter): Promise<void> {
    const before = await this.change(name, { parts, bytes, modifiedMs: this.options.nowMs(), partBytes });
    if (before !== undefined) await deleteParts(this.options.parts, before.parts, partsOf(before)).catch(() => {}); // the next opening does
  }

  /** Answers what stood there. After a rejection the files are as they were, as far as this process knows. */
  private change(name: string, entry: FileEntry | null): Promise<FileEntry | undefined> {
    const next = this.turn.then(async () => {
      const before = this.files.get(name);
      if (entry === null && before === undefined) return undefined;
      const files = new Map(this.files);
      if (entry === null) files.delete(name);
      else files.set(name, entry);
      const text = JSON.stringify({ format: 1, files: Object.fromEntries(files) });
      await this.options.index.put(indexName, new TextEncoder().encode(text));
      this.files = files;
      return before;
    });
    this.turn = next.catch(() => {}); // the caller has the rejection
    return next;
  }

  private async deleteLeftOver(listed: readonly string[]): Promise<void> {
    const known = new Set(Array.from(this.files.values(), ({ parts }) => parts));
    for (const part of listed) {
      const [parts = ''] = part.split('/');
      if (!known.has(parts)) await this.options.parts.delete(part);
    }
  }
}

const partsOf = ({ bytes, partBytes }: FileEntry): number => Math.max(1, Math.ceil(bytes / partBytes));

async function deleteParts(store: BlobStore, parts: string, count: number): Promise<void> {
  for (let part = 0; part < count; part++) await store.delete(`${parts}/${part}`);
}

class PartsWriter {
  readonly parts = crypto.randomUUID();
  readonly partBytes: number;
  bytes = 0;
  private readonly store: BlobStore;
  private part: Uint8Array;
  private used = 0;
  private put = 0;

  constructor(store: BlobStore, partBytes: number) {
    this.store = store;
    this.partBytes = partBytes;
    this.part = new Uint8Array(0);
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + this.partBytes - this.used);
      this.widen(this.used + piece.length);
      this.part.set(piece, this.used);
      this.used += piece.length;
      from += piece.length;
      if (this.used === this.partBytes) await this.send();
    }
  }

  async finish(): Promise<void> {
    if (this.used > 0 || this.put === 0) await this.send();
    this.part = new Uint8Array(0);
  }

  /** Never rejects. */
  async abandon(): Promise<void> {
    this.part = new Uint8Array(0);
    await deleteParts(this.store, this.parts, this.put).catch(() => {}); // the next opening does
  }

  private async send(): Promise<void> {
    await this.store.put(`${this.parts}/${this.put}`, this.part.subarray(0, this.used));
    this.put++;
    this.bytes += this.used;
    this.used = 0;
  }

  /** Most files are small. */
  private widen(bytes: number): void {
    if (bytes <= this.part.length) return;
    const wider = new Uint8Array(Math.min(this.partBytes, Math.max(bytes, 2 * this.part.length)));
    wider.set(this.part.subarray(0, this.used));
    this.part = wider;
  }
}

class PartsReader implements CheckpointReader {
  readonly sizeBytes: number;
  private readonly store: BlobStore;
  private readonly entry: FileEntry;
  private part: { readonly number: number; readonly bytes: Uint8Array } | null = null;

  constructor(store: BlobStore, entry: FileEntry) {
    this.store = store;
    this.entry = entry;
    this.sizeBytes = entry.bytes;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    const count = Math.max(0, Math.min(target.length, this.sizeBytes - offset));
    for (let at = 0; at < count; ) {
      const { partBytes } = this.entry;
      const number = Math.floor((offset + at) / partBytes);
      const from = offset + at - number * partBytes;
      const piece = (await this.fetched(number)).subarray(from, from + count - at);
      target.set(piece, at);
      at += piece.length;
    }
    return count;
  }

  async close(): Promise<void> {
    this.part = null;
  }

  /** Rejects when the part is missing, or has another length than it was given. */
  private async fetched(number: number): Promise<Uint8Array> {
    if (this.part?.number === number) return this.part.bytes;
    const { bytes: whole, partBytes, parts } = this.entry;
    const bytes = await this.store.get(`${parts}/${number}`);
    const expected = Math.min(partBytes, whole - number * partBytes);
    if (bytes?.length !== expected)
      throw new Error(`Part ${number} of a checkpoint has ${bytes?.length ?? 0} bytes instead of ${expected}.`);
    this.part = { number, bytes };
    return bytes;
  }
}
