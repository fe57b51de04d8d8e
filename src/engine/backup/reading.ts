// Reading a backup: which namespaces it has, and how one of them comes back as it was at a commit or at a time. How it lies in the bucket is
// format.ts.

import type { ObjectStore } from '../../storage/objects.ts';
import type { Crc32 } from '../log/crc32.ts';
import { type Frame, framesAfter } from '../replication/frames.ts';
import type { HistoryPosition } from '../state-hash.ts';
import {
  type BackupBase,
  type BackupManifest,
  BackupUnreadable,
  baseName,
  decodeLogObject,
  decodeManifest,
  type LogObject,
  logName,
  manifestName,
} from './format.ts';

/** Log objects that are asked for at once. */
const objectsAhead = 8;

/** Which state is wanted. */
export type RestorePoint =
  | { readonly kind: 'newest' }
  /** After this commit. */
  | { readonly kind: 'sequence'; readonly sequence: number }
  /** After the last commit at or before this time. */
  | { readonly kind: 'time'; readonly ms: number };

/** What takes a backup in, in this order. */
export interface RestoreTarget {
  /** The package of a checkpoint, into a graph that holds nothing. */
  load(body: AsyncIterable<Uint8Array>, anchor: HistoryPosition): Promise<void>;
  apply(frame: Frame): Promise<void>;
}

export interface Restored {
  readonly base: BackupBase;
  /** The last commit there is now. */
  readonly sequence: number;
  /** When it was made; null where only the base has it. */
  readonly committedMs: number | null;
  readonly frames: number;
  /** Why there is no more: that was wanted, the backup ends, or its log has a gap that a later base bridges. */
  readonly end: 'wanted' | 'newest' | 'gap';
}

export class BackupReader {
  private readonly store: ObjectStore;
  private readonly prefix: string;
  private readonly crc32: Crc32;
  private readonly ids = new Map<string, string>();

  /** `prefix`: empty, or with a slash at its end. */
  constructor(store: ObjectStore, prefix: string, crc32: Crc32) {
    this.store = store;
    this.prefix = prefix;
    this.crc32 = crc32;
  }

  /** Of all namespaces. Rejects with BackupUnreadable, or as the store does. */
  async manifests(): Promise<BackupManifest[]> {
    // Below them may lie the backups of others: those of namespaces that have logs of their own in a cluster.
    const isManifest = (name: string): boolean => name.slice(this.prefix.length).split('/')[1] === manifestName;
    const names = (await this.store.list(this.prefix)).filter(isManifest);
    const found: BackupManifest[] = [];
    for (const name of names) {
      const object = await this.store.get(name);
      if (object !== null) found.push(decodeManifest(object.bytes, name));
    }
    return found;
  }

  /** Rejects with BackupUnreadable, and with what the target throws. */
  async restore(manifest: BackupManifest, point: RestorePoint, target: RestoreTarget): Promise<Restored> {
    const base = this.baseFor(manifest, point);
    await target.load(this.pieces(manifest, base), base.anchor);
    let { sequence } = base.anchor;
    let committedMs: number | null = null;
    let frames = 0;
    const end = (why: Restored['end']): Restored => ({ base, sequence, committedMs, frames, end: why });
    if (point.kind === 'sequence' && point.sequence === sequence) return end('wanted');
    for await (const frame of this.framesOf(manifest, base)) {
      if (frame === 'gap') return end('gap');
      if (point.kind === 'time' && frame.committedMs > point.ms) return end('wanted');
      await target.apply(frame);
      frames++;
      sequence = frame.sequence;
      committedMs = frame.committedMs;
      if (point.kind === 'sequence' && sequence === point.sequence) return end('wanted');
    }
    if (point.kind === 'sequence')
      throw new BackupUnreadable(
        `The backup of "${manifest.name}" ends with commit ${sequence}; there is no ${point.sequence}.`,
      );
    return end('newest');
  }

  /** The base to begin with: the last one that is not beyond what is wanted. */
  private baseFor({ name, bases }: BackupManifest, point: RestorePoint): BackupBase {
    const found = bases.findLast(({ anchor, createdMs }) => {
      if (point.kind === 'sequence') return anchor.sequence <= point.sequence;
      return point.kind === 'newest' || createdMs <= point.ms;
    });
    if (found !== undefined) return found;
    const [first] = bases;
    if (first === undefined) throw new BackupUnreadable(`The backup of "${name}" has no base yet.`);
    const begins = `commit ${first.anchor.sequence}, ${new Date(first.createdMs).toISOString()}`;
    throw new BackupUnreadable(`The backup of "${name}" begins with ${begins}.`);
  }

  /** The package of a base. */
  async *pieces({ namespaceId }: BackupManifest, base: BackupBase): AsyncGenerator<Uint8Array, void, undefined> {
    for (let piece = 1; piece <= base.pieces; piece++) {
      const name = `${this.prefix}${namespaceId}/${baseName(base.id, piece)}`;
      const object = await this.store.get(name);
      if (object === null) throw new BackupUnreadable(`The object ${name} is missing.`);
      yield object.bytes;
    }
  }

  /** One log object of a namespace by its name; null when it is not there. */
  async logObject(name: string, number: number): Promise<LogObject | null> {
    const id = this.ids.get(name) ?? (await this.manifests()).find((one) => one.name === name)?.namespaceId;
    if (id === undefined) return null;
    this.ids.set(name, id);
    const where = `${this.prefix}${id}/${logName(number)}`;
    const object = await this.store.get(where);
    return object === null ? null : decodeLogObject(object.bytes, where, this.crc32);
  }

  /** The frames behind the base, to the end of the backup or to a gap in its log. */
  private async *framesOf(manifest: BackupManifest, base: BackupBase): AsyncGenerator<Frame | 'gap', void, undefined> {
    let last: HistoryPosition = base.anchor;
    for await (const { before, frames, lastSequence } of this.logObjects(manifest, base.logFrom)) {
      if (frames.length === 0 || (before.epoch === last.epoch && lastSequence < last.sequence)) continue;
      if (before.epoch !== last.epoch || before.sequence > last.sequence) {
        yield 'gap';
        return;
      }
      for (const frame of framesAfter(frames, last, this.crc32)) {
        yield frame;
        last = { epoch: last.epoch, sequence: frame.sequence, chain: frame.checksum };
      }
    }
  }

  private async *logObjects(manifest: BackupManifest, first: number): AsyncGenerator<LogObject, void, undefined> {
    const nameOf = (number: number): string => `${this.prefix}${manifest.namespaceId}/${logName(number)}`;
    const ask = (number: number): Promise<Uint8Array | null> => {
      const asked = this.store.get(nameOf(number)).then((object) => object?.bytes ?? null);
      asked.catch(() => {}); // who waits for it is told
      return asked;
    };
    const ahead = Array.from({ length: objectsAhead }, (_, i) => ask(first + i));
    for (let number = first; ; number++) {
      const bytes = await ahead.shift();
      if (bytes === undefined || bytes === null) {
        if (number <= manifest.logKnown) throw new BackupUnreadable(`The object ${nameOf(number)} is missing.`);
        return;
      }
      ahead.push(ask(number + objectsAhead));
      yield decodeLogObject(bytes, nameOf(number), this.crc32);
    }
  }
}
