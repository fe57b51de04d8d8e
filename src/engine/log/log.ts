// The open log of one namespace: group commit. Whatever is appended while a write is under way is gathered in one buffer and goes
// out as one contiguous write when that one is done; one write is in flight at a time; a lone append never waits for a timer.
//
// An append is settled true only after the write that holds it is durable. The first failed write closes the log for good: that
// group and everything after it settles false, and no promise ever stays open. The bytes on disk then end in a torn tail or in
// frames nobody was told about, which recovery reads as a prefix of what was applied.
//
// It knows frames (format.ts) and a LogFile; what a payload means is not its business.

import type { LogFile } from '../../storage/types.ts';
import type { Crc32 } from './crc32.ts';
import { encodeFrame, frameBytes } from './format.ts';

/** Extents: the file grows fourfold in zeros from the first figure until steps reach the second. */
const firstExtentBytes = 64 * 1024;
const largestExtentBytes = 16 * 1024 * 1024;
/** What a write that has to wait for its room reserves; the rest of the extent follows beside it. */
const promptExtentBytes = 64 * 1024;
/** A group from here on extends the file by itself; zeros first would write a bulk import twice. */
const directGroupBytes = 256 * 1024;
/** The next extent is zeroed beside the writes once less than this part of the last one is left. */
const reserveAheadPart = 4;
const smallestBufferBytes = 4 * 1024;
/** Group buffers above this are let go when the log falls idle. */
const idleBufferBytes = 1024 * 1024;
/** Bytes waiting in the pending group from which `backpressure` asks callers to wait. */
const defaultPendingLimitBytes = 4 * 1024 * 1024;

const never: Promise<boolean> = Promise.resolve(false);
const already: Promise<boolean> = Promise.resolve(true);

/** Where the next frame goes, as recovery found it or creation left it. */
export interface LogPosition {
  readonly identity: number;
  readonly sequence: number;
  readonly chain: number;
  readonly offset: number;
}

export interface LogOptions {
  readonly crc32: Crc32;
  readonly pendingLimitBytes?: number;
  /** Called once, with the error that closed the log. */
  readonly onFailure?: (error: unknown) => void;
}

/** Frames gathered for one write; every append in it shares one promise. */
class Group {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  used = 0;
  frames = 0;
  settled: Promise<boolean> = already;
  settle: (durable: boolean) => void = () => {};

  /** Room for `more` bytes behind what is used. Throws RangeError when the platform has none. */
  ensure(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.used + more, this.bytes.length * 2, smallestBufferBytes));
    wider.set(this.bytes.subarray(0, this.used));
    this.bytes = wider;
    this.view = new DataView(wider.buffer);
  }

  begin(): void {
    this.settled = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  clear(): void {
    this.used = 0;
    this.frames = 0;
  }

  release(): void {
    if (this.bytes.length <= idleBufferBytes) return;
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
  }
}

export class Log {
  private readonly file: LogFile;
  private readonly crc32: Crc32;
  private readonly pendingLimitBytes: number;
  private readonly onFailure: (error: unknown) => void;
  private readonly identity: number;
  private sequence: number;
  private chain: number;
  private offset: number;

  private pending = new Group();
  private flying = new Group();
  private pumping: Promise<void> | null = null;
  private reserving: Promise<void> | null = null;
  private failed = false;
  private closed = false;
  private roomWaiter: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(file: LogFile, position: LogPosition, options: LogOptions) {
    this.file = file;
    this.identity = position.identity;
    this.sequence = position.sequence;
    this.chain = position.chain;
    this.offset = position.offset;
    this.crc32 = options.crc32;
    this.pendingLimitBytes = options.pendingLimitBytes ?? defaultPendingLimitBytes;
    this.onFailure = options.onFailure ?? (() => {});
  }

  /** True once a write failed: nothing appended since is durable, nor will be. */
  get degraded(): boolean {
    return this.failed;
  }

  /** Sequence of the last frame appended. */
  get lastSequence(): number {
    return this.sequence;
  }

  /** Bytes appended and not yet handed to a write. */
  get pendingBytes(): number {
    return this.pending.used;
  }

  /**
   * Copies `payload` (not empty) into the pending group. The promise settles true when it is durable, false when it will not be;
   * it never rejects and never stays open.
   */
  append(payload: Uint8Array): Promise<boolean> {
    if (this.failed || this.closed) return never;
    const group = this.pending;
    try {
      group.ensure(frameBytes(payload.length));
    } catch (error) {
      // The write was applied already, so a log without this frame must not grow any further.
      this.fail(error);
      return never;
    }
    if (group.frames === 0) group.begin();
    const frame = {
      identity: this.identity,
      sequence: this.sequence + 1,
      chain: this.chain,
      groupIndex: group.frames,
    };
    this.chain = encodeFrame(group.bytes, group.view, group.used, payload, frame, this.crc32);
    this.sequence += 1;
    group.used += frameBytes(payload.length);
    group.frames += 1;
    this.pumping ??= this.pump();
    return group.settled;
  }

  /** Null while there is room; else a promise for the moment there is. Callers that can wait should, before they append more. */
  backpressure(): Promise<void> | null {
    if (this.failed || this.pending.used < this.pendingLimitBytes) return null;
    if (this.roomWaiter === null) {
      let resolve = (): void => {};
      const promise = new Promise<void>((settle) => {
        resolve = settle;
      });
      this.roomWaiter = { promise, resolve };
    }
    return this.roomWaiter.promise;
  }

  /** Settles with everything appended so far: true when all of it is durable. */
  flushed(): Promise<boolean> {
    if (this.failed) return never;
    if (this.pending.frames > 0) return this.pending.settled;
    return this.pumping === null ? already : this.flying.settled;
  }

  /** Writes what is pending, then closes the file. Appends afterwards settle false. Idempotent. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    while (this.pumping !== null) await this.pumping;
    await this.reserving;
    if (!this.failed) await this.file.close();
  }

  /** Writes group after group until nothing is pending. */
  private async pump(): Promise<void> {
    await null; // what the same turn still appends joins the first group
    while (this.pending.frames > 0 && !this.failed) {
      const group = this.pending;
      this.pending = this.flying;
      this.flying = group;
      this.releaseWaiter();
      try {
        await this.makeRoom(group.used);
        await this.file.write(this.offset, group.bytes.subarray(0, group.used));
      } catch (error) {
        this.fail(error);
        break;
      }
      this.offset += group.used;
      group.settle(true);
      group.clear();
      this.reserveAhead();
    }
    this.pumping = null;
    this.pending.release();
    this.flying.release();
  }

  /** Sees to it that a write of `bytes` lands on reserved zeros, or extends the file when it is large enough to pay for that. */
  private async makeRoom(bytes: number): Promise<void> {
    const end = this.offset + bytes;
    if (end <= this.file.sizeBytes) return;
    await this.reserving;
    if (bytes >= directGroupBytes || end <= this.file.sizeBytes) return;
    await this.file.reserve(end + promptExtentBytes);
  }

  private extentBytes(): number {
    return Math.min(largestExtentBytes, Math.max(firstExtentBytes, 3 * this.offset));
  }

  private reserveAhead(): void {
    const extent = this.extentBytes();
    const left = this.file.sizeBytes - this.offset;
    // A log that has just grown by large groups reserves when the next small one comes, not in the middle of an import.
    if (left === 0 || left >= extent / reserveAheadPart || this.reserving !== null) return;
    this.reserving = this.file
      .reserve(this.offset + extent)
      .catch(() => {}) // a disk that is full fails the write that needs the room, if one ever comes
      .then(() => {
        this.reserving = null;
      });
  }

  private fail(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    for (const group of [this.flying, this.pending]) {
      if (group.frames > 0) group.settle(false);
      group.clear();
    }
    this.releaseWaiter();
    this.onFailure(error);
    void this.abandon();
  }

  /** Closes the file once no call is under way. It is beyond use already; that closing fails as well changes nothing. */
  private async abandon(): Promise<void> {
    await this.pumping;
    await this.reserving;
    await this.file.close().catch(() => {});
  }

  private releaseWaiter(): void {
    this.roomWaiter?.resolve();
    this.roomWaiter = null;
  }
}
