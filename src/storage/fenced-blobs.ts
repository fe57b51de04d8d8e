// Blobs of a bucket that only the holder of a term can change. Each object begins with the term under which it was put:
//
//   u32 CRC-32 of the rest, u8 version 1, u8 kind (1 content, 2 nothing), u16 0, u64 term, then the content
//
// Whoever holds a term puts its own into an object before it relies on what it read there, also where there is nothing. From then on a put of the
// one before fails on its condition, however late it comes: what it meant to replace is not there any more. So a blob is read under a term as the
// last one under an older term left it, and nobody can go back behind that.

import type { ObjectStore, StoredObject } from './objects.ts';
import { type BlobStore, checkStorageName } from './types.ts';

const version = 1;
const kinds = { content: 1, nothing: 2 } as const;
const headBytes = 16;
/** Attempts of a put whose outcome is not known, and the pause before the second. */
const mostAttempts = 5;
const pauseMs = 100;

/** A later term has the blob. */
class BlobFenced extends Error {
  override readonly name = 'BlobFenced';
}

export interface FencedBlobsOptions {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly term: number;
  readonly crc32: (bytes: Uint8Array, start: number, end: number, seed: number) => number;
  readonly pause: (ms: number) => Promise<void>;
}

interface Held {
  readonly tag: string;
  readonly term: number;
  readonly content: Uint8Array | null;
}

export class FencedBlobs implements BlobStore {
  private readonly options: FencedBlobsOptions;
  /** Of objects that hold this term. */
  private readonly tags = new Map<string, string>();

  constructor(options: FencedBlobsOptions) {
    this.options = options;
  }

  /** Rejects with BlobFenced when a later term has it; when the bucket does not say for long, it may be there. */
  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.replace(name, bytes);
  }

  async get(name: string): Promise<Uint8Array | null> {
    while (true) {
      const held = await this.held(name);
      if (held?.term === this.options.term) return held.content;
      if (await this.putOver(name, held?.content ?? null, held?.tag ?? null)) return held?.content ?? null;
    }
  }

  /** What is there under whichever term, and nothing is put for that: it may be replaced at any time. */
  async peek(name: string): Promise<Uint8Array | null> {
    return (await this.held(name, Number.POSITIVE_INFINITY))?.content ?? null;
  }

  async list(prefix: string): Promise<string[]> {
    const { prefix: all, store } = this.options;
    const names: string[] = [];
    for (const whole of await store.list(all + prefix)) {
      const name = whole.slice(all.length);
      if ((await this.held(name))?.content != null) names.push(name);
    }
    return names;
  }

  async delete(name: string): Promise<void> {
    if ((await this.get(name)) !== null) await this.replace(name, null);
  }

  private async replace(name: string, content: Uint8Array | null): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        let tag = this.tags.get(name) ?? null;
        // What was not answered may have been put: that is replaced by the same.
        if (attempt > 1) tag = (await this.held(name))?.tag ?? null;
        while (!(await this.putOver(name, content, tag))) tag = (await this.held(name))?.tag ?? null;
        return;
      } catch (error) {
        this.tags.delete(name);
        if (error instanceof BlobFenced || attempt === mostAttempts) throw error;
        await this.options.pause(pauseMs * 2 ** (attempt - 1));
      }
    }
  }

  private async putOver(name: string, content: Uint8Array | null, tag: string | null): Promise<boolean> {
    const { store } = this.options;
    const bytes = this.encoded(content);
    const key = this.keyOf(name);
    const outcome = tag === null ? await store.putIfAbsent(key, bytes) : await store.putIfMatch(key, bytes, tag);
    if (!outcome.taken) return false;
    this.tags.set(name, outcome.tag);
    return true;
  }

  /** Null: there is no object. */
  private async held(name: string, term = this.options.term): Promise<Held | null> {
    const { crc32, store } = this.options;
    const found: StoredObject | null = await store.get(this.keyOf(name));
    if (found === null) return null;
    const { bytes, tag } = found;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isWhole = bytes.length >= headBytes && view.getUint32(0, true) === crc32(bytes, 4, bytes.length, 0);
    if (!isWhole || bytes[4] !== version) throw new Error(`The object of ${name} is damaged.`);
    const under = Number(view.getBigUint64(8, true));
    if (under > term) throw new BlobFenced(`${name} is another's: it has term ${under}, and this one is ${term}.`);
    return { tag, term: under, content: bytes[5] === kinds.nothing ? null : bytes.subarray(headBytes) };
  }

  private encoded(content: Uint8Array | null): Uint8Array {
    const bytes = new Uint8Array(headBytes + (content?.length ?? 0));
    const view = new DataView(bytes.buffer);
    bytes[4] = version;
    bytes[5] = content === null ? kinds.nothing : kinds.content;
    view.setBigUint64(8, BigInt(this.options.term), true);
    if (content !== null) bytes.set(content, headBytes);
    view.setUint32(0, this.options.crc32(bytes, 4, bytes.length, 0), true);
    return bytes;
  }

  private keyOf(name: string): string {
    checkStorageName(name);
    return this.options.prefix + name;
  }
}
