// The backup of one namespace, as it runs beside the namespace: log objects as frames come, a base now and then, what is too old taken away.
// How it lies in the bucket is format.ts.
//
// Log objects go out one at a time and in order. A base is made beside them and becomes part of the backup with the manifest that names it. Where
// the frames behind the last object are not to be had, because the namespace was restored or the tail let go of them, a new base bridges the
// gap. Whoever finds another's object in its place is not the owner any more, and stops.

import type { Crc32 } from '../log/crc32.ts';
import type { Snapshot } from '../packages/types.ts';
import { frameHeaderBytes, framesAfter } from '../replication/frames.ts';
import type { FrameTail, TailRead } from '../replication/tail.ts';
import type { HistoryPosition } from '../state-hash.ts';
import {
  type BackupBase,
  type BackupManifest,
  baseName,
  decodeLogObject,
  decodeManifest,
  encodeLogObject,
  encodeManifest,
  logName,
  manifestName,
} from './format.ts';
import type { PacedStore } from './paced-store.ts';
import { Pieces } from './pieces.ts';

/** Bytes of frames in one log object, about. */
const objectBytes = 8 * 1024 * 1024;
/** A namespace that cannot hand over a base now is asked again. */
const baseAgainMs = 5_000;
/** While frames are not to be had. */
const lookAgainMs = 20;
const idleMs = 1_000;

/** Somebody else backs the namespace up to the same place. */
export class BackupFenced extends Error {
  override readonly name = 'BackupFenced';
}

export interface NamespaceBackupParts {
  readonly id: string;
  readonly name: () => string;
  readonly tail: FrameTail;
  /** Null: not now. */
  readonly snapshot: (signal: AbortSignal) => Promise<Snapshot | null>;
  readonly store: PacedStore;
  /** Before the names of all objects of the namespace. */
  readonly prefix: string;
  /** All objects of the namespace that are there, as far as the store says. */
  readonly list: (prefix: string) => Promise<string[]>;
  readonly crc32: Crc32;
  readonly nowMs: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Shortest time between two log objects. */
  readonly objectEveryMs: number;
  readonly baseEveryMs: number;
  readonly keepMs: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** A log object is there: milliseconds since the oldest of its commits, null where that is not known. */
  readonly stored: (lagMs: number | null) => void;
  /** A base could not be made, and will be tried again. */
  readonly baseFailed: (error: unknown) => void;
}

const nowhere: HistoryPosition = { epoch: '0'.repeat(32), sequence: 0, chain: 0 };

export class NamespaceBackup {
  private readonly parts: NamespaceBackupParts;
  private readonly owner = crypto.randomUUID();
  private manifest: BackupManifest | null = null;
  private tag = '';
  /** Of the next log object. */
  private number = 1;
  /** The last frame that is in the backup; null: a base is needed. */
  private position: HistoryPosition | null = null;
  private base: Promise<void> | null = null;
  private basePrefix: string | null = null;
  private lastBaseMs = Number.NEGATIVE_INFINITY;
  private lastObjectMs = Number.NEGATIVE_INFINITY;
  private fenced: BackupFenced | null = null;
  private draining = false;
  private readonly drained = new AbortController();

  constructor(parts: NamespaceBackupParts) {
    this.parts = parts;
  }

  /** Runs until it is drained, fenced (rejects with BackupFenced), or ended by the signal (rejects with its reason). */
  async run(): Promise<void> {
    await this.take();
    try {
      while (!(await this.step()));
    } finally {
      await this.base;
    }
  }

  /** Stores what there is, or waits for it. True: all is stored that ever will be. */
  private async step(): Promise<boolean> {
    const { baseEveryMs, nowMs, objectEveryMs, pause, signal, tail } = this.parts;
    signal.throwIfAborted();
    if (this.fenced !== null) throw this.fenced;
    const read = this.next();
    const isDue = nowMs() - this.lastBaseMs >= (this.position === null || read === null ? baseAgainMs : baseEveryMs);
    if (isDue && this.base === null && !this.draining) this.base = this.makeBase(this.number);
    if (read === null) {
      if (this.draining && (this.base === null || tail.position === null)) return true;
      await pause(lookAgainMs, signal);
    } else if (read.blocks.length > 0) {
      const waitMs = this.draining ? 0 : this.lastObjectMs + objectEveryMs - nowMs();
      if (waitMs > 0) await pause(waitMs, this.either());
      await this.storeFrames(this.next() ?? read);
    } else {
      if (this.draining) return true;
      await tail.changed(read.last.sequence, idleMs, this.either());
    }
    return false;
  }

  /** What is committed by now is stored, then `run` resolves. No base is begun. */
  drain(): void {
    this.draining = true;
    this.drained.abort();
  }

  private either(): AbortSignal {
    return this.draining ? this.parts.signal : AbortSignal.any([this.parts.signal, this.drained.signal]);
  }

  /** Makes the backup ours, and finds its end. */
  private async take(): Promise<void> {
    const { id, name, prefix, store } = this.parts;
    while (true) {
      const found = await store.get(prefix + manifestName);
      const before = found === null ? null : decodeManifest(found.bytes, prefix + manifestName);
      const ours = { owner: this.owner, name: name(), namespaceId: id, format: 1 } as const;
      const manifest = before === null ? { ...ours, logFirst: 1, logKnown: 0, bases: [] } : { ...before, ...ours };
      if (!(await this.putManifest(manifest, found?.tag ?? null))) continue;
      if (before !== null) await this.takeLog(manifest);
      this.lastBaseMs = manifest.bases.at(-1)?.createdMs ?? Number.NEGATIVE_INFINITY;
      return;
    }
  }

  /** Finds the last log object and puts an empty one behind it, which stops whoever wrote before. */
  private async takeLog({ logKnown, bases }: BackupManifest): Promise<void> {
    const { crc32, nowMs, prefix, store } = this.parts;
    this.number = logKnown + 1;
    let last = await this.endOf(logKnown);
    while (true) {
      for (let next = await this.endOf(this.number); next !== null; next = await this.endOf(this.number)) {
        last = next;
        this.number++;
      }
      const before = last ?? bases.at(-1)?.anchor ?? null;
      const bytes = encodeLogObject(
        { before: before ?? nowhere, lastSequence: (before ?? nowhere).sequence, madeMs: nowMs() },
        [],
        crc32,
      );
      if (!(await store.putOnce(prefix + logName(this.number), bytes, null, true)).taken) continue;
      this.number++;
      this.position = before;
      return;
    }
  }

  /** The last frame of a log object; null when it is not there. */
  private async endOf(number: number): Promise<HistoryPosition | null> {
    const { crc32, prefix, store } = this.parts;
    const found = await store.get(prefix + logName(number));
    if (found === null) return null;
    const { before, frames } = decodeLogObject(found.bytes, logName(number), crc32);
    let last = before;
    for (const { sequence, checksum: chain } of framesAfter(frames, before, crc32))
      last = { ...before, sequence, chain };
    return last;
  }

  /** Frames behind the last one that is stored; null when they are not to be had. */
  private next(): TailRead | null {
    const { position } = this;
    if (position === null) return null;
    const read = this.parts.tail.read(position.sequence, objectBytes);
    const follows = read !== null && read.before.epoch === position.epoch && read.before.chain === position.chain;
    return follows ? read : null;
  }

  private async storeFrames({ before, blocks, last }: TailRead): Promise<void> {
    const { crc32, nowMs, prefix, store, stored } = this.parts;
    const bytes = encodeLogObject({ before, lastSequence: last.sequence, madeMs: nowMs() }, blocks, crc32);
    if (!(await store.putOnce(prefix + logName(this.number), bytes, null, true)).taken) {
      throw new BackupFenced(
        `The log object ${prefix}${logName(this.number)} is another's: somebody else backs this namespace up.`,
      );
    }
    this.number++;
    this.position = last;
    this.lastObjectMs = nowMs();
    const committedMs = firstCommit(blocks[0] as Uint8Array);
    stored(committedMs === 0 ? null : nowMs() - committedMs);
  }

  /** Never rejects: what goes wrong is told, and tried again later. */
  private async makeBase(logFrom: number): Promise<void> {
    const { baseFailed, nowMs, signal, snapshot } = this.parts;
    this.lastBaseMs = nowMs();
    try {
      const made = await snapshot(signal);
      if (made === null) throw new Error('The namespace cannot hand over a checkpoint now.');
      // Where the log cannot go on it begins again behind the base.
      if (this.next() === null) this.position = made.info.anchor;
      await this.storeBase(made.body, made.info.anchor, logFrom);
    } catch (error) {
      if (error instanceof BackupFenced) this.fenced = error;
      else if (!signal.aborted) {
        this.lastBaseMs = nowMs() - this.parts.baseEveryMs + baseAgainMs;
        baseFailed(error);
      }
    } finally {
      this.base = null;
      this.basePrefix = null;
    }
  }

  private async storeBase(body: ReadableStream<Uint8Array>, anchor: HistoryPosition, logFrom: number): Promise<void> {
    const { nowMs, prefix, store } = this.parts;
    const id = crypto.randomUUID();
    this.basePrefix = `${prefix}base-${id}/`;
    const pieces = new Pieces((piece, bytes) => store.put(prefix + baseName(id, piece), bytes));
    const reader = body.getReader();
    try {
      for (let block = await reader.read(); block.done !== true; block = await reader.read())
        await pieces.add(block.value);
      await pieces.end();
    } finally {
      await reader.cancel().catch(() => {}); // what is wrong with it was thrown already
    }
    await this.untilDurable(anchor);
    const base: BackupBase = { id, pieces: pieces.count, bytes: pieces.bytes, createdMs: nowMs(), anchor, logFrom };
    await this.enter(base);
  }

  /** A base may hold commits that are on no disk yet: before they are, nothing may build on it. */
  private async untilDurable({ epoch, sequence }: HistoryPosition): Promise<void> {
    const { tail, signal } = this.parts;
    while (true) {
      const { position } = tail;
      if (position === null || position.epoch !== epoch) throw new Error('The log does not go on from the base.');
      if (position.sequence >= sequence) return;
      await tail.changed(position.sequence, idleMs, signal);
      signal.throwIfAborted();
    }
  }

  /** The base becomes part of the backup; what is older than is kept goes. */
  private async enter(base: BackupBase): Promise<void> {
    const manifest = this.manifest as BackupManifest;
    const cutoffMs = base.createdMs - this.parts.keepMs;
    const all = [...manifest.bases, base];
    // The last one before the cutoff stays: what came right after the cutoff needs it.
    const first = Math.max(
      0,
      all.findLastIndex(({ createdMs }) => createdMs <= cutoffMs),
    );
    const bases = all.slice(first);
    const logFirst = Math.min(...bases.map(({ logFrom }) => logFrom));
    const next = { ...manifest, name: this.parts.name(), bases, logFirst, logKnown: this.number - 1 };
    if (!(await this.putManifest(next, this.tag))) throw new BackupFenced('The manifest is another’s.');
    await this.clean(next, manifest.logFirst);
  }

  /** Deletes what the manifest does not name any more, and what bases left behind that never became part of it. */
  private async clean({ bases, logFirst }: BackupManifest, logFirstBefore: number): Promise<void> {
    const { list, prefix, store } = this.parts;
    for (let number = logFirstBefore; number < logFirst; number++) await store.delete(prefix + logName(number));
    const kept = new Set(bases.map(({ id }) => `${prefix}base-${id}/`));
    const there = await list(`${prefix}base-`).catch((): string[] => []); // the next base looks again
    for (const name of there) {
      const of = name.slice(0, name.indexOf('/', prefix.length) + 1);
      if (!kept.has(of) && of !== this.basePrefix) await store.delete(name);
    }
  }

  /** False: it was changed by somebody else. */
  private async putManifest(manifest: BackupManifest, tag: string | null): Promise<boolean> {
    const { prefix, store } = this.parts;
    const outcome = await store.putOnce(prefix + manifestName, encodeManifest(manifest), tag, false);
    if (!outcome.taken) return false;
    this.manifest = manifest;
    this.tag = outcome.tag;
    return true;
  }
}

/** When the first frame of a block was committed; 0: that is not known. */
function firstCommit(block: Uint8Array): number {
  return new DataView(block.buffer, block.byteOffset, frameHeaderBytes).getFloat64(24, true);
}
