// The tail of a checkpoint: the transactions committed while its elements are written, as frames in a file. They go to the store as
// they come, so a bulk import beside a save does not pile up in memory faster than the disk is slow.

import type { CheckpointStore, CheckpointWriter } from '../../storage/types.ts';
import type { Crc32 } from '../log/crc32.ts';
import { encodeFrame, frameBytes } from '../log/format.ts';
import { checksumOfHeader, encodeFileHeader, tailKind } from './format.ts';

const chunkBytes = 256 * 1024;

export const tailSuffix = '_tail';

export class TailWriter {
  private readonly store: CheckpointStore;
  private readonly name: string;
  private readonly crc32: Crc32;
  private readonly from: number;
  private readonly identity: number;
  private readonly header: Uint8Array;
  private file: CheckpointWriter | null = null;
  private chunk: Uint8Array = new Uint8Array(0);
  private used = 0;
  private writing: Promise<void> = Promise.resolve();
  private checksum: number;
  private total = 0;
  frames = 0;

  /** Frames are numbered from `from` + 1 on. Nothing is written before the first one. */
  constructor(store: CheckpointStore, name: string, saveId: string, from: number, crc32: Crc32) {
    this.store = store;
    this.name = name;
    this.crc32 = crc32;
    this.from = from;
    this.header = encodeFileHeader(tailKind, saveId, 0, crc32);
    this.identity = checksumOfHeader(this.header);
    this.checksum = this.identity;
  }

  /** Copies the transaction. */
  add(payload: Uint8Array): void {
    const needed = frameBytes(payload.length);
    if (this.frames === 0) {
      this.chunk = new Uint8Array(Math.max(chunkBytes, this.header.length + needed));
      this.chunk.set(this.header);
      this.used = this.header.length;
    }
    if (this.used + needed > this.chunk.length) {
      this.send();
      this.chunk = new Uint8Array(Math.max(chunkBytes, needed));
    }
    this.frames++;
    const frame = {
      identity: this.identity,
      sequence: this.from + this.frames,
      chain: this.checksum,
      unacknowledged: 0,
    };
    const view = new DataView(this.chunk.buffer);
    this.checksum = encodeFrame(this.chunk, view, this.used, payload, frame, this.crc32);
    this.used += needed;
  }

  /** Sends what is left and makes the file durable. Rejects with the first error of the store. Null without frames. */
  async finish(): Promise<{ bytes: number; checksum: number } | null> {
    if (this.frames === 0) return null;
    this.send();
    await this.writing;
    await this.file?.finish();
    return { bytes: this.total, checksum: this.checksum };
  }

  async abandon(): Promise<void> {
    await this.writing.catch(() => {}); // the run has failed for another reason
    await this.file?.abandon();
  }

  private send(): void {
    const bytes = this.chunk.subarray(0, this.used);
    this.used = 0;
    this.total += bytes.length;
    this.writing = this.writing.then(async () => {
      this.file ??= await this.store.create(this.name + tailSuffix);
      await this.file.append(bytes);
    });
    this.writing.catch(() => {}); // `finish` reports it
  }
}
