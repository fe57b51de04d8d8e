// The files of a checkpoint that are made of frames: the tail, the transactions committed while the elements are written, and the
// contents of the indexes. Frames go to the store as they come, so a bulk import beside a save does not pile up in memory faster than
// the disk is slow.

import type { CheckpointStore, CheckpointWriter } from '../../storage/types.ts';
import type { Crc32 } from '../log/crc32.ts';
import { encodeFrame, frameBytes } from '../log/format.ts';
import { checksumOfHeader, encodeFileHeader, indexesKind, tailKind } from './format.ts';

const chunkBytes = 256 * 1024;

/** One such file: its name behind the checkpoint's, its kind in the file header and in the manifest. */
export interface FrameFile {
  readonly suffix: string;
  readonly number: number;
  readonly kind: string;
}

export const tailFile: FrameFile = { suffix: '_tail', number: tailKind, kind: 'tail' };
export const indexesFile: FrameFile = { suffix: '_indexes', number: indexesKind, kind: 'indexes' };

export class FrameWriter {
  private readonly store: CheckpointStore;
  private readonly name: string;
  private readonly crc32: Crc32;
  private readonly from: number;
  private readonly identity: number;
  private readonly header: Uint8Array;
  readonly file: FrameFile;
  private output: CheckpointWriter | null = null;
  private chunk: Uint8Array = new Uint8Array(0);
  private used = 0;
  private writing: Promise<void> = Promise.resolve();
  private checksum: number;
  private total = 0;
  frames = 0;

  /** Frames are numbered from `from` + 1 on. Nothing is written before the first one. */
  constructor(file: FrameFile, store: CheckpointStore, name: string, saveId: string, from: number, crc32: Crc32) {
    this.file = file;
    this.store = store;
    this.name = name;
    this.crc32 = crc32;
    this.from = from;
    this.header = encodeFileHeader(file.number, saveId, 0, crc32);
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
    await this.output?.finish();
    return { bytes: this.total, checksum: this.checksum };
  }

  async abandon(): Promise<void> {
    await this.writing.catch(() => {}); // the run has failed for another reason
    await this.output?.abandon();
  }

  private send(): void {
    const bytes = this.chunk.subarray(0, this.used);
    this.used = 0;
    this.total += bytes.length;
    this.writing = this.writing.then(async () => {
      this.output ??= await this.store.create(this.name + this.file.suffix);
      await this.output.append(bytes);
    });
    this.writing.catch(() => {}); // `finish` reports it
  }
}
