// The open log of one namespace: group commit. Appends gather in a pending group while writes are under way. An append to an idle log
// starts a write at once, never a timer; while writes are in flight the next group follows when it has `fullGroupFrames` frames, so
// that the disk works while the service still reads the requests of the same turn (64 clients: half the time was spent waiting for
// one large write), up to `maxWrites` at a time, and whatever is left follows when they are done.
//
// An append is settled true only after the write that holds it and all before it are durable. The first failed write closes the log
// for good: what is not acknowledged by then settles false, and no promise ever stays open. The bytes on disk then end in a torn tail or in
// frames nobody was told about, which recovery reads as a prefix of what was applied.
//
// It knows frames (format.ts) and a LogFile; what a payload means is not its business.

import type { LogFile } from '../../storage/types.ts';
import { instruments } from '../../telemetry/instruments.ts';
import { type EngineTelemetry, silentEngine } from '../../telemetry/telemetry.ts';
import type { Crc32 } from './crc32.ts';
import { encodeFrame, frameBytes } from './format.ts';
import { GroupTelemetry } from './group-telemetry.ts';

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

/** Writes in flight at most. */
const maxWrites = 4;
/** Frames from which a group follows while others are in flight. */
const defaultFullGroupFrames = 16;

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
  /** Frames from which a group follows while others are in flight; tests make it small. */
  readonly fullGroupFrames?: number;
  /** Called once, with the error that closed the log. */
  readonly onFailure?: (error: unknown) => void;
  readonly telemetry?: EngineTelemetry;
}

export type LogState = { readonly waiting: number; readonly sizeBytes: number };

/** Frames gathered for one write; every append in it shares one promise. */
class Group {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  used = 0;
  frames = 0;
  /** Sequence of the last frame. */
  last = 0;
  /** When its write began, by the clock of the telemetry. */
  beganMs = 0;
  /** Its write has ended well. */
  written = false;
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
    this.written = false;
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
  private readonly fullGroupFrames: number;
  private readonly onFailure: (error: unknown) => void;
  private readonly telemetry: EngineTelemetry;
  private readonly groups: GroupTelemetry;
  private readonly identity: number;
  private sequence: number;
  private chain: number;
  private offset: number;

  private pending = new Group();
  /** Groups whose writes are under way, in order. */
  private flying: Group[] = [];
  private idle: Group[] = [];
  /** Sequence up to which everything is acknowledged. */
  private durable: number;
  /** A write that extends the file is under way; it has the file to itself. */
  private extending = false;
  private starting = false;
  private quiet: { promise: Promise<void>; resolve: () => void } | null = null;
  private reserving: Promise<void> | null = null;
  private failed = false;
  private closed = false;
  private roomWaiter: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(file: LogFile, position: LogPosition, options: LogOptions) {
    this.file = file;
    this.identity = position.identity;
    this.sequence = position.sequence;
    this.durable = position.sequence;
    this.chain = position.chain;
    this.offset = position.offset;
    this.crc32 = options.crc32;
    this.pendingLimitBytes = options.pendingLimitBytes ?? defaultPendingLimitBytes;
    this.fullGroupFrames = options.fullGroupFrames ?? defaultFullGroupFrames;
    this.onFailure = options.onFailure ?? (() => {});
    this.telemetry = options.telemetry ?? silentEngine;
    this.groups = new GroupTelemetry(this.telemetry);
  }

  /** True once a write failed: nothing appended since is durable, nor will be. */
  get degraded(): boolean {
    return this.failed;
  }

  /** Sequence of the last frame appended. */
  get lastSequence(): number {
    return this.sequence;
  }

  /** Frames that are not acknowledged yet, and the length of the file. */
  get state(): LogState {
    return { waiting: this.failed ? 0 : this.sequence - this.durable, sizeBytes: this.file.sizeBytes };
  }

  /** Payload checksum of the last frame appended: what the next one chains on. */
  get lastChecksum(): number {
    return this.chain;
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
      unacknowledged: this.sequence - this.durable,
    };
    this.chain = encodeFrame(group.bytes, group.view, group.used, payload, frame, this.crc32);
    this.sequence += 1;
    group.used += frameBytes(payload.length);
    group.frames += 1;
    group.last = this.sequence;
    if (this.flying.length > 0) this.follow();
    else if (!this.starting) this.startSoon();
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
    return this.flying.at(-1)?.settled ?? already;
  }

  /** Writes what is pending, then closes the file. Appends afterwards settle false. Idempotent. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.quieted();
    await this.reserving;
    if (!this.failed) await this.file.close();
  }

  /** Closes the log for good, as a failed write does. */
  giveUp(error: unknown): void {
    this.fail(error);
  }

  /** What the same turn still appends joins the first group. */
  private startSoon(): void {
    this.starting = true;
    queueMicrotask(() => {
      this.starting = false;
      if (this.flying.length === 0) this.start();
    });
  }

  /** Starts the pending group beside the writes in flight when it is worth one. */
  private follow(): void {
    if (this.extending || this.flying.length >= maxWrites || this.pending.frames < this.fullGroupFrames) return;
    if (this.fitsReserved(this.pending)) this.write(this.pending);
  }

  /** Starts the pending group; nothing is in flight. */
  private start(): void {
    if (this.pending.frames === 0 || this.failed) return;
    if (this.fitsReserved(this.pending)) this.write(this.pending);
    else void this.extend(this.pending);
  }

  private fitsReserved({ used }: Group): boolean {
    return used < directGroupBytes && this.offset + used <= this.file.sizeBytes;
  }

  /** Makes the group's room first; no other write runs meanwhile. */
  private async extend(group: Group): Promise<void> {
    this.extending = true;
    this.takeOff(group);
    try {
      await this.makeRoom(group.used);
      await this.file.write(this.offset, group.bytes.subarray(0, group.used));
      this.offset += group.used;
      this.extending = false;
      this.landed(group);
    } catch (error) {
      this.extending = false;
      this.flying = this.flying.filter((other) => other !== group);
      this.fail(error, group);
    }
  }

  private write(group: Group): void {
    this.takeOff(group);
    const { offset } = this;
    this.offset += group.used;
    this.file.write(offset, group.bytes.subarray(0, group.used)).then(
      () => this.landed(group),
      (error: unknown) => {
        this.flying = this.flying.filter((other) => other !== group);
        this.fail(error, group);
      },
    );
  }

  private takeOff(group: Group): void {
    group.beganMs = this.telemetry.monotonicMs();
    this.flying.push(group);
    this.pending = this.idle.pop() ?? new Group();
    this.releaseWaiter();
  }

  /** A write has ended well: everything up to the first one still under way is acknowledged. */
  private landed(group: Group): void {
    group.written = true;
    this.groups.written(group.beganMs, group.frames);
    if (this.failed) {
      this.flying = this.flying.filter((other) => other !== group);
      this.releaseQuiet();
      return;
    }
    while (this.flying[0]?.written === true) {
      const first = this.flying.shift() as Group;
      this.durable = first.last;
      first.settle(true);
      first.clear();
      if (this.idle.length < maxWrites) this.idle.push(first);
    }
    this.reserveAhead();
    if (this.flying.length > 0) this.follow();
    else this.start();
    if (this.flying.length === 0) {
      for (const one of this.idle) one.release();
      this.pending.release();
      this.releaseQuiet();
    }
  }

  /** Settles when nothing is pending or in flight. */
  private quieted(): Promise<void> {
    if (this.flying.length === 0 && (this.pending.frames === 0 || this.failed)) return Promise.resolve();
    if (this.quiet === null) {
      let resolve = (): void => {};
      const promise = new Promise<void>((settle) => {
        resolve = settle;
      });
      this.quiet = { promise, resolve };
    }
    return this.quiet.promise;
  }

  private releaseQuiet(): void {
    if (this.flying.length > 0) return;
    this.quiet?.resolve();
    this.quiet = null;
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

  private fail(error: unknown, group?: Group): void {
    group?.settle(false);
    this.telemetry.add(instruments.flushFailures, group === undefined ? 0 : 1);
    this.releaseQuiet();
    if (this.failed) return;
    this.failed = true;
    for (const one of this.flying) one.settle(false);
    if (this.pending.frames > 0) this.pending.settle(false);
    this.pending.clear();
    this.releaseWaiter();
    this.onFailure(error);
    void this.abandon();
  }

  /** Closes the file once no call is under way. It is beyond use already; that closing fails as well changes nothing. */
  private async abandon(): Promise<void> {
    await this.quieted();
    await this.reserving;
    await this.file.close().catch(() => {});
  }

  private releaseWaiter(): void {
    this.roomWaiter?.resolve();
    this.roomWaiter = null;
  }
}
