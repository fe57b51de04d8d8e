// Log files on a shared log: what is done to them is a journal there, one batch after the other, under one term. Whoever takes the log over reads
// the journal and has the files as they were at its last batch; from then on nothing of the one before can join it.
//
//   batch   one or more entries: u32 length of the entry, u8 kind, u8 bytes of the name, u48 offset (its high 16 bits first), the
//           name, the content
//   kind    1 create: the file holds the content    2 write: the content stands at the offset    3 truncate to the offset    4 delete
//
// Reserved zeros are in no batch: they are there wherever somebody reads. Entries that come while a batch is on its way go out together with the
// next one. A batch whose outcome is not known is put again until it is (appendSettled): nothing is acknowledged before, and nothing given up.
// When files go, so does the journal up to the first entry of those that are left. Small files that would keep much more of it than they hold are
// put again, at its end.

import { type AppendOutcome, appendSettled, type LogBatch, LogTruncated, type SharedLog } from './shared-log.ts';
import { checkStorageName, type LogFile, type LogStore } from './types.ts';

const kinds = { create: 1, write: 2, truncate: 3, delete: 4 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const headBytes = 12;
const readBytes = 16 * 1024 * 1024;
/** A read of less than this, in fewer batches than that, has come near the end: a log ends a read behind so many bytes or batches. */
const nearBytes = 256 * 1024;
const nearBatches = 64;
/** Of entries in one batch, about. */
const batchBytes = 4 * 1024 * 1024;
/** Up to here what a file holds stays in memory while it is written to, so that it can be put again. */
const keptBytes = 256 * 1024;
/** What is put again is at most this part of the journal that goes for it. */
const mostPutAgain = 0.25;
/** A file that grows is given at most so much more than it has. */
const mostSpareBytes = 16 * 1024 * 1024;
/** To what the content of a file that ends in reserved zeros is cut when it is put again. */
const blockBytes = 4096;

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

interface Held {
  /** What was written; zeros follow up to `sizeBytes`. Null: it is not known any more. */
  image: Uint8Array | null;
  sizeBytes: number;
  /** No batch before this one is about the file. */
  since: number;
  /** The same in bytes of the journal. */
  sinceBytes: number;
  /** It is being deleted or replaced. */
  isLeaving: boolean;
}

export class SharedLogStore implements LogStore {
  private readonly log: SharedLog;
  /** Null: it only reads. */
  private options: SharedStoreOptions | null = null;
  private readonly files = new Map<string, Held>();
  private next = 1;
  /** Of all batches that this store has read or sent. */
  private bytes = 0;
  private waiting: Waiting[] = [];
  private isSending = false;
  private fenced: LogFenced | null = null;

  private constructor(log: SharedLog) {
    this.log = log;
  }

  /**
   * The files as the journal has them. The term must be the log's already: what is read is all there is then. `ahead` has read some of it
   * already, and is not used any more behind this.
   */
  static async open(options: SharedStoreOptions, ahead: SharedLogStore | null = null): Promise<SharedLogStore> {
    let store = ahead ?? (await SharedLogStore.readAhead(options.log));
    try {
      await store.readOn();
    } catch (error) {
      if (!(error instanceof LogTruncated) || ahead === null) throw error;
      store = await SharedLogStore.readAhead(options.log);
      await store.readOn();
    }
    store.options = options;
    return store;
  }

  /** Of the files of somebody else who writes: what is read before a take-over need not be read in it. */
  static async readAhead(log: SharedLog): Promise<SharedLogStore> {
    const store = new SharedLogStore(log);
    store.next = await log.first();
    return store;
  }

  /**
   * Reads what has come since: to the end, or near it where somebody still writes, who might add to it as fast as it is read. False: the files have more
   * than `mostBytes`, and it was given up. Rejects with LogTruncated where that cannot be had any more: another one begins anew.
   */
  async readOn(to: 'end' | 'near' = 'end', mostBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
    while (true) {
      const before = this.bytes;
      const batches = await this.log.read(this.next, readBytes);
      if (batches.length === 0) return true;
      for (const { bytes, firstSequence, frameCount } of batches) {
        for (const entry of entriesOf(bytes)) this.replay(entry, firstSequence);
        this.next = firstSequence + frameCount;
        this.bytes += bytes.length;
      }
      if (this.heldBytes > mostBytes) return false;
      if (to === 'near' && this.bytes - before < nearBytes && batches.length < nearBatches) return true;
    }
  }

  /** Of what the files hold, in memory. */
  get heldBytes(): number {
    return [...this.files.values()].reduce((sum, { image }) => sum + (image?.length ?? 0), 0);
  }

  /** Of `journalBytes` those that no file needs any more. */
  get goneBytes(): number {
    return [...this.files.values()].reduce((least, { sinceBytes }) => Math.min(least, sinceBytes), this.bytes);
  }

  /** Bytes of the journal that were read when it was opened, and those sent since. */
  get journalBytes(): number {
    return this.bytes;
  }

  async open(name: string): Promise<LogFile | null> {
    checkStorageName(name);
    const held = this.files.get(name);
    return held === undefined ? null : this.fileOf(name, held);
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    checkStorageName(name);
    const before = this.files.get(name);
    if (before !== undefined) before.isLeaving = true;
    const { bytes: sinceBytes, next: since } = this;
    await this.send({ kind: kinds.create, name, offset: 0, content });
    const held = heldOf(content, since, sinceBytes);
    this.files.set(name, held);
    return this.fileOf(name, held);
  }

  async list(prefix: string): Promise<string[]> {
    return [...this.files.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  async delete(name: string): Promise<void> {
    checkStorageName(name);
    const held = this.files.get(name);
    if (held === undefined) return;
    held.isLeaving = true;
    await this.send({ kind: kinds.delete, name, offset: 0, content: new Uint8Array(0) });
    this.files.delete(name);
    await this.putAgain();
    const first = [...this.files.values()].reduce((least, { since }) => Math.min(least, since), this.next);
    await this.log.truncate(first).catch(() => {}); // only space: the next time takes it along
  }

  /** Moves small files to the end of the journal where that lets much more of it go. */
  private async putAgain(): Promise<void> {
    const isMovable = ({ image, isLeaving }: Held): boolean =>
      image !== null && image.length <= keptBytes && !isLeaving;
    const held = [...this.files.entries()].sort(([, one], [, other]) => one.since - other.since);
    const kept = held.find(([, file]) => !isMovable(file))?.[1].since ?? this.next;
    const moving = held.filter(([, file]) => isMovable(file) && file.since < kept);
    const [first] = moving;
    if (first === undefined) return;
    const freedBytes = (held.find(([, file]) => !isMovable(file))?.[1].sinceBytes ?? this.bytes) - first[1].sinceBytes;
    const movedBytes = moving.reduce((sum, [, { image }]) => sum + (image?.length ?? 0), 0);
    if (movedBytes > freedBytes * mostPutAgain) return;
    const { bytes: sinceBytes, next: since } = this;
    const sent = moving.map(async ([name, file]) => {
      await this.send({ kind: kinds.create, name, offset: 0, content: contentOf(file) });
      Object.assign(file, { since, sinceBytes });
    });
    await Promise.all(sent);
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
        const end = offset + content.length;
        if (held.image !== null && end <= keptBytes) put(held, offset, content);
        else held.image = null;
        held.sizeBytes = Math.max(held.sizeBytes, end);
        await this.send({ kind: kinds.write, name, offset, content });
      },
      reserve: async (sizeBytes) => {
        held.sizeBytes = Math.max(held.sizeBytes, sizeBytes);
      },
      truncate: async (sizeBytes) => {
        cut(held, sizeBytes);
        await this.send({ kind: kinds.truncate, name, offset: sizeBytes, content: new Uint8Array(0) });
      },
      sync: async () => {},
      close: async () => {},
    };
  }

  private replay({ content, kind, name, offset }: Entry, number: number): void {
    const held = this.files.get(name);
    if (kind === kinds.create) this.files.set(name, heldOf(content, number, this.bytes));
    else if (kind === kinds.delete) this.files.delete(name);
    else if (held !== undefined && kind === kinds.truncate) cut(held, offset);
    else if (held !== undefined) put(held, offset, content);
  }

  private send(entry: Entry): Promise<void> {
    if (this.fenced !== null) return Promise.reject(this.fenced);
    if (this.options === null) return Promise.reject(new Error('Nobody writes to what is read ahead.'));
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
    const { again, log, onFenced, term } = this.options as SharedStoreOptions;
    const batch: LogBatch = { term, firstSequence: this.next, frameCount: 1, bytes: joined(group) };
    try {
      const outcome = await appendSettled(log, batch, again);
      if (outcome !== 'ok') throw new LogFenced(`The log is another's (${outcome satisfies AppendOutcome | 'lost'}).`);
      this.next++;
      this.bytes += batch.bytes.length;
      for (const { done } of group) done();
    } catch (error) {
      this.fenced =
        error instanceof LogFenced ? error : new LogFenced('What became of a write is not known.', { cause: error });
      for (const { failed } of group) failed(this.fenced);
      onFenced();
    }
  }
}

function heldOf(content: Uint8Array, since: number, sinceBytes: number): Held {
  const image = content.slice(0, usedBytes(content));
  return { image, sizeBytes: content.length, since, sinceBytes, isLeaving: false };
}

/** Up to the end of the block behind which there are only zeros. */
function usedBytes(content: Uint8Array): number {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end--;
  return Math.min(content.length, Math.ceil(end / blockBytes) * blockBytes);
}

/** What is known to have been written. */
const contentOf = ({ image, sizeBytes }: Held): Uint8Array => image?.subarray(0, sizeBytes) ?? new Uint8Array(0);

function cut(held: Held, sizeBytes: number): void {
  held.image = held.image?.slice(0, sizeBytes) ?? null;
  held.sizeBytes = Math.min(held.sizeBytes, sizeBytes);
}

function put(held: Held, offset: number, content: Uint8Array): void {
  const end = offset + content.length;
  let image = held.image ?? new Uint8Array(0);
  if (end > image.length) {
    const wider = new Uint8Array(Math.max(end, image.length + Math.min(image.length, mostSpareBytes)));
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
    if (length < headBytes) throw new Error('A batch of the shared log is damaged.');
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
  const [first] = group;
  if (first !== undefined && group.length === 1) return first.bytes;
  const whole = new Uint8Array(group.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of group) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
