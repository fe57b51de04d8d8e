// The log of a namespace across checkpoints: one file at a time takes the frames, and a checkpoint moves on to the next file.
//
// A *turn* is one synchronous step: frames up to here are in the old file, from here on in the new one, whose header names the last
// sequence and checksum before it. Nothing of the new file is acknowledged before everything of the old one is, so a new file with a
// valid header proves that the old one is whole. Once the checkpoint is durable the old file goes. A crash in between finds
// both files and reads them in order; a checkpoint that never became durable costs nothing but the second file.
//
// A log that failed (*degraded*) turns as well, but what is appended then waits for the checkpoint: only with it do the new file's
// frames mean anything. When the checkpoint becomes durable the log is healed, when not it is as degraded as before.
//
// A log that could be read and not made ready for more, because the disk is full for instance, is degraded from the start.
//
// Files have a few fixed names (the log's own, and the same with .1, .2, .3), because a store may keep one name elsewhere and list
// nothing there. When all are taken, by checkpoints that failed one after the other, the log does not turn: recovery passes over
// the frames that a checkpoint contains by their sequence, so turning saves only space.

import type { LogFile, LogStore } from '../../storage/types.ts';
import type { Anchor } from '../checkpoint/types.ts';
import { encodeSegmentHeader, type SegmentHeader, segmentHeaderBytes } from './format.ts';
import { Log, type LogOptions, type LogPosition, type LogState } from './log.ts';

/** What a new file is made of before it is needed: zeros for its header and first groups. */
const preparedBytes = segmentHeaderBytes + 64 * 1024;

export function segmentNames(name: string): readonly string[] {
  return [name, `${name}.1`, `${name}.2`, `${name}.3`];
}

/** A log file whose first write waits for `opened`, and fails if that rejects. */
class WaitingFile implements LogFile {
  private readonly file: LogFile;
  private readonly opened: Promise<void>;

  constructor(file: LogFile, opened: Promise<void>) {
    this.file = file;
    this.opened = opened;
    opened.catch(() => {}); // whoever writes learns of it
  }

  get sizeBytes(): number {
    return this.file.sizeBytes;
  }

  read(offset: number, target: Uint8Array): Promise<number> {
    return this.file.read(offset, target);
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    await this.opened;
    await this.file.write(offset, bytes);
  }

  async reserve(sizeBytes: number): Promise<void> {
    await this.opened;
    await this.file.reserve(sizeBytes);
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.file.truncate(sizeBytes);
  }

  sync(): Promise<void> {
    return this.file.sync();
  }

  async close(): Promise<void> {
    await this.opened.catch(() => {});
    await this.file.close();
  }
}

/** The next file, ready to be turned to. */
export interface PreparedSegment {
  readonly name: string;
  readonly file: LogFile;
}

export interface SegmentsParts {
  readonly store: LogStore;
  /** The log's own name. */
  readonly name: string;
  /** Of the file that takes the frames now. */
  readonly header: SegmentHeader;
  readonly file: LogFile;
  readonly position: LogPosition;
  /** Name of that file, and of all others of this log that are there: none of them is free. */
  readonly current: string;
  readonly taken: readonly string[];
  readonly options: LogOptions;
  /** Why the file takes no frames, in a box: the log is degraded from the start. Missing: it takes them. */
  readonly flaw?: LogFlaw | null;
}

/** Why a log that was read can not be written to. */
export interface LogFlaw {
  readonly error: unknown;
}

/** What became of a turn. */
export interface Turn {
  readonly anchor: Anchor;
  /** True once everything up to the anchor is in the log; false: it never will be. */
  readonly logged: Promise<boolean>;
  /** The checkpoint at the anchor is durable: drops the files that it makes superfluous and heals a degraded log. */
  settle(): Promise<void>;
  /** There will be no checkpoint at the anchor. */
  forget(): void;
}

export class SegmentedLog {
  private readonly store: LogStore;
  private readonly name: string;
  private readonly options: LogOptions;
  private header: SegmentHeader;
  private log: Log;
  private current: string;
  private readonly older: string[];
  /** Files of a log that failed, each waiting for its close. */
  private closing: Promise<unknown> = Promise.resolve();
  /** False: a file before this one is not whole. */
  private opening: Promise<boolean> = Promise.resolve(true);
  private healing = false;
  /** Turns of a log that had failed: each takes a number of its own, because the state at its anchor is in no frame. */
  private gaps = 0;

  constructor(parts: SegmentsParts) {
    this.store = parts.store;
    this.name = parts.name;
    this.options = parts.options;
    this.header = parts.header;
    this.current = parts.current;
    this.older = parts.taken.filter((name) => name !== parts.current);
    this.log = new Log(parts.file, parts.position, parts.options);
    if (parts.flaw) this.log.giveUp(parts.flaw.error);
  }

  /** True while writes are not durable: after a failed write, until a checkpoint is durable. */
  get degraded(): boolean {
    return this.log.degraded || this.healing;
  }

  /** Of the file that takes the frames now. */
  get state(): LogState {
    return this.log.state;
  }

  get lastSequence(): number {
    return this.log.lastSequence;
  }

  /** Of the last frame appended. */
  get position(): Anchor {
    return { epoch: this.header.epoch, sequence: this.log.lastSequence, chain: this.log.lastChecksum };
  }

  /** As `Log.append`. */
  append(payload: Uint8Array): Promise<boolean> {
    return this.log.append(payload);
  }

  /** As `Log.backpressure`; a log that heals takes everything, since nothing would ever make room. */
  backpressure(): Promise<void> | null {
    return this.log.backpressure();
  }

  flushed(): Promise<boolean> {
    return this.log.flushed();
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.closing;
  }

  /** Makes the next file; null when all names are taken or the store refuses, then a turn only names the anchor. */
  async prepare(): Promise<PreparedSegment | null> {
    const name = segmentNames(this.name).find((one) => one !== this.current && !this.older.includes(one));
    if (name === undefined) return null;
    try {
      return { name, file: await this.store.create(name, new Uint8Array(preparedBytes)) };
    } catch {
      return null; // a disk without room for the log has none for the checkpoint either, which will say so
    }
  }

  /** Takes back a prepared file that is not turned to. */
  async discard(prepared: PreparedSegment): Promise<void> {
    await prepared.file.close().catch(() => {}); // it is empty: nothing is lost with it
    await this.store.delete(prepared.name).catch(() => {});
  }

  /** The turn: one synchronous step. Without a prepared file the frames go on in the same one. */
  turn(prepared: PreparedSegment | null): Turn {
    const wasDegraded = this.degraded;
    if (wasDegraded) this.gaps++;
    const { lastSequence, lastChecksum: chain } = this.log;
    const sequence = lastSequence + this.gaps;
    const anchor = { epoch: this.header.epoch, sequence, chain };
    const logged = Promise.all([this.opening, this.log.flushed()]).then((parts) => !parts.includes(false));
    if (prepared === null) {
      const older = [...this.older];
      return { anchor, logged, settle: () => this.drop(older), forget: () => {} };
    }
    this.gaps = 0;
    const old = this.log;
    let settled: (durable: boolean) => void = () => {};
    const durable = new Promise<boolean>((resolve) => {
      settled = resolve;
    });
    const header = { ...this.header, baseSequence: sequence, chainBefore: chain };
    const bytes = encodeSegmentHeader(header, this.options.crc32);
    const opened = this.open(prepared.file, bytes, old, wasDegraded ? durable : null);
    // The log's first write fails with it.
    this.opening = opened.then(
      () => true,
      () => false,
    );
    this.closing = Promise.all([this.closing, this.opening]);
    const identity = new DataView(bytes.buffer).getUint32(12, true);
    const position = { identity, sequence, chain, offset: segmentHeaderBytes };
    this.log = new Log(new WaitingFile(prepared.file, opened), position, this.options);
    this.header = header;
    this.healing = wasDegraded;
    this.older.push(this.current);
    this.current = prepared.name;
    const older = [...this.older];
    const settle = async (): Promise<void> => {
      this.healing = false;
      settled(true);
      await opened;
      await this.drop(older);
    };
    return { anchor, logged, settle, forget: () => settled(false) };
  }

  /** Everything of the old file first, or (`checkpoint`) the checkpoint instead of it; then the new file's header. */
  private async open(file: LogFile, header: Uint8Array, old: Log, checkpoint: Promise<boolean> | null): Promise<void> {
    await old.close();
    const whole = checkpoint === null ? !old.degraded : await checkpoint;
    if (!whole) throw new Error('The log before this one is not complete.');
    await file.write(0, header);
  }

  private async drop(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.store.delete(name);
      this.older.splice(this.older.indexOf(name), 1);
    }
  }
}
