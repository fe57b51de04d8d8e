// Checkpoints and exports in a bucket of objects, such as R2, outside of the database of the object that writes them. Files of one owner
// share a prefix, since a bucket is everybody's. What a bucket has accepted is durable and seen by all at once. A large file goes up in parts
// of equal length, as buckets want them; until its upload is completed nobody sees any of it, so what a crash leaves is no file.

import type { FoundFile, NamedCheckpoints } from '../../src/engine/savegames/named-places.ts';
import {
  type BlobStore,
  type CheckpointReader,
  type CheckpointWriter,
  checkStorageName,
} from '../../src/storage/types.ts';
import type { Bucket, MultipartUpload, UploadedPart } from '../platform.ts';

/** All parts but the last have the same length, and buckets take no shorter ones. @testonly */
export const uploadPartBytes = 5 * 2 ** 20;
/** Bytes fetched at once by readers that ask for little: each question is a request. */
const readAheadBytes = 2 ** 20;
/** Names that one removal may have. */
const removedAtOnce = 1000;

/** A store for checkpoints and for small files, all of whose keys begin with `prefix`. */
export class BucketStore implements BlobStore, NamedCheckpoints {
  private readonly bucket: Bucket;
  private readonly prefix: string;
  private readonly unfinished = new Set<string>();

  constructor(bucket: Bucket, prefix: string) {
    this.bucket = bucket;
    this.prefix = prefix;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.bucket.put(this.keyOf(name), bytes);
  }

  async get(name: string): Promise<Uint8Array | null> {
    const found = await this.bucket.get(this.keyOf(name));
    return found === null ? null : new Uint8Array(await found.arrayBuffer());
  }

  async list(prefix: string): Promise<string[]> {
    const names: string[] = [];
    const whole = this.prefix + prefix;
    for (let cursor: string | undefined; ; ) {
      const page = await this.bucket.list(cursor === undefined ? { prefix: whole } : { prefix: whole, cursor });
      for (const { key } of page.objects) names.push(key.slice(this.prefix.length));
      if (!page.truncated) return names.sort();
      cursor = page.cursor;
    }
  }

  async delete(name: string): Promise<void> {
    await this.bucket.delete(this.keyOf(name));
  }

  /** Removes every file of the owner. */
  async clear(): Promise<void> {
    const keys = (await this.list('')).map((name) => this.prefix + name);
    for (let from = 0; from < keys.length; from += removedAtOnce)
      await this.bucket.delete(keys.slice(from, from + removedAtOnce));
  }

  async create(name: string): Promise<CheckpointWriter> {
    const key = this.keyOf(name);
    if (this.unfinished.has(key) || (await this.bucket.head(key)) !== null)
      throw new Error(`There is a file ${name} already.`);
    this.unfinished.add(key);
    return new BucketWriter(this.bucket, key, () => this.unfinished.delete(key));
  }

  async open(name: string): Promise<CheckpointReader | null> {
    const key = this.keyOf(name);
    const found = await this.bucket.head(key);
    return found === null ? null : new BucketReader(this.bucket, key, found.size);
  }

  async facts(name: string): Promise<FoundFile | null> {
    const found = await this.bucket.head(this.keyOf(name));
    return found === null ? null : { bytes: found.size, modifiedMs: found.uploaded.getTime() };
  }

  private keyOf(name: string): string {
    checkStorageName(name);
    return this.prefix + name;
  }
}

/** Gathers parts. A file that fits into one goes up whole. */
class BucketWriter implements CheckpointWriter {
  private readonly bucket: Bucket;
  private readonly key: string;
  private readonly over: () => void;
  private readonly parts: UploadedPart[] = [];
  private part = new Uint8Array(0);
  private used = 0;
  private upload: MultipartUpload | null = null;
  private ended = false;

  /** `over` is called once, when the file is finished or given up. */
  constructor(bucket: Bucket, key: string, over: () => void) {
    this.bucket = bucket;
    this.key = key;
    this.over = over;
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.part.length === 0) this.part = new Uint8Array(uploadPartBytes);
    for (let from = 0; from < bytes.length; ) {
      // A full part waits for the byte behind it: the last part may be shorter, and there must be one.
      if (this.used === uploadPartBytes) await this.send();
      const piece = bytes.subarray(from, from + uploadPartBytes - this.used);
      this.part.set(piece, this.used);
      this.used += piece.length;
      from += piece.length;
    }
  }

  async finish(): Promise<void> {
    if (this.upload === null) await this.bucket.put(this.key, this.part.subarray(0, this.used));
    else {
      await this.send();
      await this.upload.complete(this.parts);
    }
    this.end();
  }

  async abandon(): Promise<void> {
    if (this.ended) return;
    this.end();
    try {
      await this.upload?.abort();
    } catch {
      // The bucket ends uploads that nobody completes.
    }
  }

  private async send(): Promise<void> {
    this.upload ??= await this.bucket.createMultipartUpload(this.key);
    this.parts.push(await this.upload.uploadPart(this.parts.length + 1, this.part.subarray(0, this.used)));
    this.used = 0;
  }

  private end(): void {
    this.ended = true;
    this.part = new Uint8Array(0);
    this.over();
  }
}

class BucketReader implements CheckpointReader {
  readonly sizeBytes: number;
  private readonly bucket: Bucket;
  private readonly key: string;
  private ahead = new Uint8Array(0);
  private aheadFrom = 0;

  constructor(bucket: Bucket, key: string, sizeBytes: number) {
    this.bucket = bucket;
    this.key = key;
    this.sizeBytes = sizeBytes;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    const bytes = Math.max(0, Math.min(target.length, this.sizeBytes - offset));
    if (bytes === 0) return 0;
    const isAhead = offset >= this.aheadFrom && offset + bytes <= this.aheadFrom + this.ahead.length;
    if (!isAhead) {
      const length = Math.min(Math.max(bytes, readAheadBytes), this.sizeBytes - offset);
      this.ahead = await this.fetch(offset, length);
      this.aheadFrom = offset;
    }
    target.set(this.ahead.subarray(offset - this.aheadFrom, offset - this.aheadFrom + bytes));
    return bytes;
  }

  async close(): Promise<void> {
    this.ahead = new Uint8Array(0);
  }

  /** Rejects when the file is gone or has changed its length: files are written once. */
  private async fetch(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const found = await this.bucket.get(this.key, { range: { offset, length } });
    const bytes = found === null ? new Uint8Array(0) : new Uint8Array(await found.arrayBuffer());
    if (bytes.length !== length)
      throw new Error(`The bucket has ${bytes.length} bytes of ${this.key} instead of ${length}.`);
    return bytes;
  }
}

/** Puts a stream into a bucket; answers its bytes. What fails halfway leaves no file. */
export async function putStream(bucket: Bucket, key: string, stream: ReadableStream<Uint8Array>): Promise<number> {
  const writer = new BucketWriter(bucket, key, () => {});
  const reader = stream.getReader();
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await writer.append(next.value);
      bytes += next.value.length;
    }
    await writer.finish();
    return bytes;
  } catch (error) {
    await writer.abandon();
    reader.cancel().catch(() => {}); // the first failure is the one to tell
    throw error;
  }
}
