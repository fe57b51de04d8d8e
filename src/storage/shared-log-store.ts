// Log files on a shared log: what is done to them is a journal there, one batch after the other, under one term. Whoever takes the log over reads
// the journal and has the files as they were at its last batch; from then on nothing of the one before can join it.
//
//   batch   one or more entries: u32 length of the entry, u8 kind, u8 bytes of the name, u48 offset (its high 16 bits first), the
//           name, the content
//   kind    1 create: the file holds the content    2 write: the content stands at the offset    3 truncate to the offset    4 delete
//
// Reserved zeros are in no batch: they are there wherever somebody reads. Entries that come while a batch is on its way go out together with the
// next one. A batch whose outcome is not known is put again until it is (appendSettled): nothing is acknowledged before, and nothing given up.
// When files go, so does the journal up to the first entry of those that are left.

import { type AppendOutcome, appendSettled, type LogBatch, type SharedLog } from './shared-log.ts';
import { checkStorageName, type LogFile, type LogStore } from './types.ts';

const kinds = { create: 1, write: 2, truncate: 3, delete: 4 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const headBytes = 12;
const readBytes = 16 * 1024 * 1024;
/** Of entries in one batch, about. */
const batchBytes = 4 * 1024 * 1024;

/** Somebody else has the log. Nothing that was not acknowledged is known to be there. */
class LogFenced extends Error {
  override readonly name = 'LogFenced';
}

interface Entry {
  readonly kind: Kind;
  readonly name: string;
  readonly offset: number;
  readonly content: Uint8Array;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export interface SharedStoreOptions {
  readonly log: SharedLog;
  readonly term: number;
  /** Waits before the next attempt of what has no outcome yet; ends all by rejecting. */
  readonly again: () => Promise<void>;
  /** Called once, when the log is another's. */
  readonly onFenced: () => void;
}

/** A file, and the number of the batch that made it. */
interface Held {
  image: Uint8Array | null;
  sizeBytes: number;
  readonly since: number;
}

export class SharedLogStore implements LogStore {
  private readonly options: SharedStoreOptions;
  private readonly files = new Map<string, Held>();
  private next = 1;
  private waiting: Waiting[] = [];
  private isSending = false;
  private fenced: LogFenced | null = null;

  private constructor(options: SharedStoreOptions) {
    this.options = options;
  }

  /** The files as the journal has them. The term must be the log's already: what is read is all there is then. */
  static async open(options: SharedStoreOptions): Promise<SharedLogStore> {
    const store = new SharedLogStore(options);
    store.next = await options.log.first();
    while (true) {
      const batches = await options.log.read(store.next, readBytes);
      if (batches.length === 0) return store;
      for (const { bytes, firstSequence, frameCount } of batches) {
        for (const entry of entriesOf(bytes)) store.replay(entry, firstSequence);
        store.next = firstSequence + frameCount;
      }
    }
  }

  async open(name: string): Promise<LogFile | null> {
    checkStorageName(name);
    const held = this.files.get(name);
    return held === undefined ? null : this.fileOf(name, held);
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    checkStorageName(name);
    const since = this.next;
    await this.send({ kind: kinds.create, name, offset: 0, content });
    const held: Held = { image: content.slice(), sizeBytes: content.length, since };
    this.files.set(name, held);
    return this.fileOf(name, held);
  }

  async list(prefix: string): Promise<string[]> {
    return [...this.files.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    if (!this.files.has(name)) return;
    await this.send({ kind: kinds.delete, name, offset: 0, content: new Uint8Array(0) });
    this.files.delete(name);
    const first = Math.min(this.next, ...Array.from(this.files.values(), ({ since }) => since));
    await this.options.log.truncate(first).catch(() => {}); // only space: the next time takes it along
  }

  private fileOf(name: string, held: Held): LogFile {
    return {
      get sizeBytes() {
        return held.sizeBytes;
      },
      read: async (offset, target) => {
        const { image, sizeBytes } = held;
        if (image === null) throw new Error(`The log ${name} is read after it was written to.`);
        const count = Math.max(0, Math.min(target.length, sizeBytes - offset));
        target.fill(0, 0, count);
        target.set(image.subarray(offset, offset + count));
        return count;
      },
      write: async (offset, content) => {
        held.sizeBytes = Math.max(held.sizeBytes, offset + content.length);
        held.image = null;
        await this.send({ kind: kinds.write, name, offset, content });
      },
      reserve: async (sizeBytes) => {
        held.sizeBytes = Math.max(held.sizeBytes, sizeBytes);
      },
      truncate: async (sizeBytes) => {
        await this.send({ kind: kinds.truncate, name, offset: sizeBytes, content: new Uint8Array(0) });
        if (held.image !== null) cut(held, sizeBytes);
        else held.sizeBytes = Math.min(held.sizeBytes, sizeBytes);
      },
      sync: async () => {},
      close: async () => {},
    };
  }

  private replay({ content, kind, name, offset }: Entry, number: number): void {
    const held = this.files.get(name);
    if (kind === kinds.create)
      this.files.set(name, { image: content.slice(), sizeBytes: content.length, since: number });
    else if (kind === kinds.delete) this.files.delete(name);
    else if (held !== undefined && kind === kinds.truncate) cut(held, offset);
    else if (held !== undefined) put(held, offset, content);
  }

  private send(entry: Entry): Promise<void> {
    if (this.fenced !== null) return Promise.reject(this.fenced);
    const bytes = encodeEntry(entry);
    const sent = new Promise<void>((done, failed) => this.waiting.push({ bytes, done, failed }));
    if (!this.isSending) void this.sendAll();
    return sent;
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0 && this.fenced === null) {
      let bytes = 0;
      let count = 0;
      while (count < this.waiting.length && (count === 0 || bytes < batchBytes))
        bytes += (this.waiting[count++] as Waiting).bytes.length;
      const group = this.waiting.splice(0, count);
      await this.sendGroup(group);
    }
    this.isSending = false;
    if (this.fenced !== null) for (const { failed } of this.waiting.splice(0)) failed(this.fenced);
  }

  private async sendGroup(group: readonly Waiting[]): Promise<void> {
    const { again, log, onFenced, term } = this.options;
    const batch: LogBatch = { term, firstSequence: this.next, frameCount: 1, bytes: joined(group) };
    try {
      const outcome = await appendSettled(log, batch, again);
      if (outcome !== 'ok') throw new LogFenced(`The log is another's (${outcome satisfies AppendOutcome | 'lost'}).`);
      this.next++;
      for (const { done } of group) done();
    } catch (error) {
      this.fenced =
        error instanceof LogFenced ? error : new LogFenced('What became of a write is not known.', { cause: error });
      for (const { failed } of group) failed(this.fenced);
      onFenced();
    }
  }
}

function cut(held: Held, sizeBytes: number): void {
  held.image = held.image?.slice(0, sizeBytes) ?? null;
  held.sizeBytes = Math.min(held.sizeBytes, sizeBytes);
}

function put(held: Held, offset: number, content: Uint8Array): void {
  const end = offset + content.length;
  let image = held.image ?? new Uint8Array(0);
  if (end > image.length) {
    const wider = new Uint8Array(Math.max(end, 2 * image.length));
    wider.set(image);
    image = wider;
  }
  image.set(content, offset);
  held.image = image;
  held.sizeBytes = Math.max(held.sizeBytes, end);
}

function encodeEntry({ content, kind, name, offset }: Entry): Uint8Array {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(headBytes + text.length + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  bytes[4] = kind;
  bytes[5] = text.length;
  view.setUint16(6, Math.floor(offset / 2 ** 32), true);
  view.setUint32(8, offset % 2 ** 32, true);
  bytes.set(text, headBytes);
  bytes.set(content, headBytes + text.length);
  return bytes;
}

function* entriesOf(bytes: Uint8Array): Generator<Entry, void, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at, true);
    const nameEnd = at + headBytes + (bytes[at + 5] as number);
    yield {
      kind: bytes[at + 4] as Kind,
      name: new TextDecoder().decode(bytes.subarray(at + headBytes, nameEnd)),
      offset: view.getUint16(at + 6, true) * 2 ** 32 + view.getUint32(at + 8, true),
      content: bytes.subarray(nameEnd, at + length),
    };
    at += length;
  }
}

function joined(group: readonly Waiting[]): Uint8Array {
  const whole = new Uint8Array(group.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of group) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
