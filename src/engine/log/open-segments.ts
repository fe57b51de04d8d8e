// Reading a log that may lie in several files, from the start of its history or from a checkpoint's anchor on, and making it one that
// takes frames again. Which files count, in order:
//
//   - A file without a valid header whose bytes behind it are all zero was prepared and never used. One with other bytes is corrupt.
//   - Of several generations only the newest counts: the others are of a history that was given up.
//   - The files of a generation follow each other by their base sequences. Each must reach the base of the next one, unless the
//     checkpoint contains what is missing; frames that the checkpoint contains are passed over.
//
// What does not count is deleted, once everything that does has been read.

import type { LogFile, LogStore } from '../../storage/types.ts';
import { type Anchor, LogElsewhere } from '../checkpoint/types.ts';
import type { LoadProgress } from '../load-progress.ts';
import { decodeSegmentHeader, frameBytes, type SegmentHeader, segmentHeaderBytes } from './format.ts';
import type { LogOptions } from './log.ts';
import { createLog, LogCorruption, type RecoverOptions, type Replay, recoverLog } from './recovery.ts';
import { type LogFlaw, SegmentedLog, segmentNames } from './segments.ts';

const scanBytes = 1024 * 1024;

interface Segment {
  readonly name: string;
  readonly file: LogFile;
  readonly header: SegmentHeader;
}

export interface OpenedLog {
  readonly log: SegmentedLog;
  /** False when there was no file of it yet. */
  readonly existed: boolean;
  readonly replayed: number;
  readonly torn: readonly { readonly name: string; readonly bytes: number }[];
}

export interface OpenOptions extends RecoverOptions {
  readonly log: LogOptions;
  /** The state that `replay` starts from; null for the empty graph. */
  readonly anchor: Anchor | null;
  /** A new history that begins at the anchor; what the log held is discarded. */
  readonly restart: boolean;
  readonly newEpoch: () => string;
  /**
   * Whether the state of the anchor is in memory alone: the log has to go through that very commit, end no earlier and keep all its files. Missing: it is
   * a checkpoint, which may stand for what the log has lost.
   */
  readonly isProven?: boolean;
  /** Takes the last of the frames that the anchor contains, with the commit before each; null or missing: nobody wants them. */
  readonly passed?: ((before: Anchor, payload: Uint8Array, at: Anchor) => void) | null | undefined;
  /** Told of the bytes that are replayed; null or missing: nobody asks. */
  readonly progress?: LoadProgress | null | undefined;
}

/** Throws LogCorruption or LogElsewhere; what `replay` throws and what the store rejects with reaches the caller. */
export async function openSegments(
  store: LogStore,
  name: string,
  options: OpenOptions,
  replay: Replay,
): Promise<OpenedLog> {
  const found = await findSegments(store, name, options);
  try {
    const isMissing = found.segments.length === 0;
    if (isMissing && options.isProven === true) throw new LogElsewhere(`There is no log ${name}.`);
    if (options.restart || isMissing) return await begin(store, name, found, options);
    return await goOn(store, name, found, options, replay);
  } catch (error) {
    for (const { file } of [...found.segments, ...found.leftOver]) await file.close().catch(() => {}); // the first error counts
    throw error;
  }
}

/** The header of the oldest file that counts; null when there is none. */
export async function firstHeader(
  store: LogStore,
  name: string,
  options: Pick<RecoverOptions, 'crc32' | 'namespaceId'>,
): Promise<SegmentHeader | null> {
  const found = await findSegments(store, name, options);
  for (const { file } of [...found.segments, ...found.leftOver]) await file.close();
  return found.segments[0]?.header ?? null;
}

interface Found {
  /** Of the newest generation, by base sequence. */
  readonly segments: readonly Segment[];
  /** Files that do not count. */
  readonly leftOver: readonly { readonly name: string; readonly file: LogFile }[];
}

async function findSegments(
  store: LogStore,
  name: string,
  { crc32, namespaceId }: Pick<RecoverOptions, 'crc32' | 'namespaceId'>,
): Promise<Found> {
  const segments: Segment[] = [];
  const leftOver: { name: string; file: LogFile; problem?: string }[] = [];
  const bad: { name: string; problem: string }[] = [];
  for (const one of segmentNames(name)) {
    const file = await store.open(one);
    if (file === null) continue;
    const bytes = new Uint8Array(segmentHeaderBytes);
    const got = await file.read(0, bytes);
    const decoded = decodeSegmentHeader(bytes.subarray(0, got), crc32);
    if ('problem' in decoded) {
      if (await isZeroBehindHeader(file)) {
        leftOver.push({ name: one, file, problem: decoded.problem });
        continue;
      }
      bad.push({ name: one, problem: decoded.problem });
      await file.close();
    } else if (decoded.header.namespaceId !== namespaceId) {
      bad.push({ name: one, problem: `it belongs to the namespace with id ${decoded.header.namespaceId}` });
      await file.close();
    } else {
      segments.push({ name: one, file, header: decoded.header });
    }
  }
  // Files are made whole or beside one that is: where none has a header, the one that is there has lost it.
  const [lost] = segments.length === 0 ? leftOver : [];
  if (lost !== undefined) bad.push({ name: lost.name, problem: lost.problem ?? 'it is not a log' });
  const [first] = bad;
  if (first !== undefined) {
    for (const { file } of [...segments, ...leftOver]) await file.close().catch(() => {}); // closed already, at worst
    throw new LogCorruption(first.name, 0, -1, first.problem);
  }
  const newest = Math.max(...segments.map(({ header }) => header.generation ?? 0));
  const counting = segments.filter(({ header }) => (header.generation ?? 0) === newest);
  leftOver.push(...segments.filter((segment) => !counting.includes(segment)));
  counting.sort((a, b) => a.header.baseSequence - b.header.baseSequence);
  return { segments: counting, leftOver };
}

async function isZeroBehindHeader(file: LogFile): Promise<boolean> {
  const bytes = new Uint8Array(scanBytes);
  for (let at = segmentHeaderBytes; at < file.sizeBytes; ) {
    const got = await file.read(at, bytes);
    if (got === 0) break;
    for (let i = 0; i < got; i++) if (bytes[i] !== 0) return false;
    at += got;
  }
  return true;
}

/** A log that holds nothing yet, in the place of whatever was found. */
async function begin(store: LogStore, name: string, found: Found, options: OpenOptions): Promise<OpenedLog> {
  const { anchor, restart } = options;
  const [latest] = found.segments;
  const header: SegmentHeader = {
    namespaceId: options.namespaceId,
    epoch: anchor === null || restart ? options.newEpoch() : anchor.epoch,
    baseSequence: anchor?.sequence ?? 0,
    chainBefore: anchor?.chain ?? 0,
    generation: latest === undefined ? 0 : (latest.header.generation ?? 0) + 1,
    parentEpoch: restart ? (anchor?.epoch ?? null) : null,
  };
  const existing = [...found.segments, ...found.leftOver];
  const log = await freshLog(store, name, header, existing, options);
  return { log, existed: false, replayed: 0, torn: [] };
}

/** Makes a file for the header under a free name, then deletes the others. */
async function freshLog(
  store: LogStore,
  name: string,
  header: SegmentHeader,
  existing: readonly { readonly name: string; readonly file: LogFile }[],
  options: OpenOptions,
): Promise<SegmentedLog> {
  for (const { file } of existing) await file.close();
  const names = existing.map((one) => one.name);
  const free = segmentNames(name).find((one) => !names.includes(one));
  // With all names taken the last one goes first: it is the newest, so what is left still fits together.
  const current = free ?? (names.at(-1) as string);
  try {
    const { file, position } = await createLog(store, current, header, options.crc32);
    const taken = [
      current,
      ...(await deleteAll(
        store,
        names.filter((one) => one !== current),
        options,
      )),
    ];
    return new SegmentedLog({ store, name, header, file, position, current, taken, options: options.log });
  } catch (error) {
    // A history that begins anew must not leave the old one behind it on the disk.
    if (options.mayDegrade !== true || (options.restart && names.length > 0)) throw error;
    const { baseSequence: sequence, chainBefore: chain } = header;
    const position = { identity: 0, sequence, chain, offset: 0 };
    const parts = { store, name, header, file: noFile, position, current: names.at(-1) ?? name, taken: names };
    return new SegmentedLog({ ...parts, options: options.log, flaw: { error } });
  }
}

/** In the place of a file that could not be made: nothing is asked of it but to be closed. */
const noFile: LogFile = {
  sizeBytes: 0,
  read: () => Promise.resolve(0),
  write: () => Promise.reject(new Error('There is no log file.')),
  reserve: () => Promise.reject(new Error('There is no log file.')),
  truncate: () => Promise.resolve(),
  sync: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Answers those that could not be deleted: only space, where the log may degrade. */
async function deleteAll(store: LogStore, names: readonly string[], { mayDegrade }: OpenOptions): Promise<string[]> {
  const left: string[] = [];
  for (const one of names) {
    await store.delete(one).catch((error: unknown) => {
      if (mayDegrade !== true) throw error;
      left.push(one);
    });
  }
  return left;
}

async function goOn(
  store: LogStore,
  name: string,
  found: Found,
  options: OpenOptions,
  replay: Replay,
): Promise<OpenedLog> {
  const { anchor } = options;
  const { segments } = found;
  checkHistory(name, segments, anchor);
  const contained = anchor?.sequence ?? 0;
  const proof = new Proof(name, segments, options);
  const torn: { name: string; bytes: number }[] = [];
  let replayed = 0;
  let flaw: LogFlaw | null = null;
  const { progress } = options;
  progress?.begin(
    'log',
    segments.reduce((bytes, { file }) => bytes + file.sizeBytes, 0),
  );
  const onFrame: Replay = (payload, sequence, checksum) => {
    progress?.add(frameBytes(payload.byteLength));
    if (sequence === contained && anchor !== null && checksum !== anchor.chain) {
      throw new LogElsewhere(`Frame ${sequence} of the log ${name} is not the one that the checkpoint ends with.`);
    }
    proof.met(payload, sequence, checksum);
    if (sequence <= contained) return undefined;
    replayed++;
    return replay(payload, sequence, checksum);
  };
  let reached = contained;
  let last = { segment: segments[0] as Segment, position: { identity: 0, sequence: 0, chain: 0, offset: 0 } };
  for (const [i, segment] of segments.entries()) {
    const { baseSequence } = segment.header;
    if (baseSequence > reached) {
      throw new LogCorruption(segment.name, 0, reached + 1, `it begins at sequence ${baseSequence + 1}`);
    }
    const next = segments[i + 1]?.header.baseSequence ?? 0;
    const mustReach = next > contained ? next : 0;
    const recovered = await recoverLog(store, segment.name, segment.file, { ...options, mustReach }, onFrame);
    if (recovered.tornName !== null) torn.push({ name: recovered.tornName, bytes: recovered.tornBytes });
    flaw ??= recovered.flaw;
    reached = Math.max(reached, recovered.position.sequence);
    last = { segment, position: recovered.position };
  }
  proof.over();
  const existing = [...segments, ...found.leftOver];
  if (last.position.sequence < contained) {
    // The log lost what the checkpoint has: new frames must not take the numbers of those.
    const header = { ...last.segment.header, baseSequence: contained, chainBefore: anchor?.chain ?? 0 };
    return { log: await freshLog(store, name, header, existing, options), existed: true, replayed, torn };
  }
  const { segment, position } = last;
  for (const one of existing) if (one !== segment) await one.file.close();
  const names = existing.map((one) => one.name);
  const isKept = (one: string): boolean => flaw !== null || one === segment.name || isNeeded(one);
  const left = await deleteAll(
    store,
    names.filter((one) => !isKept(one)),
    options,
  );
  const taken = names.filter((one) => isKept(one) || left.includes(one));
  const facts = { store, name, header: segment.header, file: segment.file, position, current: segment.name };
  const parts = { ...facts, taken, flaw };
  return { log: new SegmentedLog({ ...parts, options: options.log }), existed: true, replayed, torn };

  /** A file that is not the last one is needed while the checkpoint does not contain all of it. */
  function isNeeded(one: string): boolean {
    const at = segments.findIndex((other) => other.name === one);
    // What is in memory alone stands for no file.
    if (options.isProven === true) return at >= 0;
    return at >= 0 && at < segments.length - 1 && (segments[at + 1] as Segment).header.baseSequence > contained;
  }
}

/** Of the frames that are passed over about so many bytes are wanted. */
const passedBytes = 8 * 1024 * 1024;

/** Whether a log goes through the very commit that a state ends with, where that is asked for. */
class Proof {
  private readonly name: string;
  private readonly options: OpenOptions;
  private readonly contained: number;
  private isOwing: boolean;
  private leftBytes: number;
  private before: { sequence: number; chain: number } | null = null;

  constructor(name: string, segments: readonly Segment[], options: OpenOptions) {
    const { anchor, isProven = false } = options;
    this.name = name;
    this.options = options;
    this.contained = anchor?.sequence ?? 0;
    this.leftBytes = segments.reduce((bytes, { file }) => bytes + file.sizeBytes, 0);
    const isAt = ({ header }: Segment): boolean =>
      header.baseSequence === anchor?.sequence && header.chainBefore === anchor.chain;
    this.isOwing = isProven && !segments.some(isAt);
  }

  met(payload: Uint8Array, sequence: number, chain: number): void {
    const { before, contained } = this;
    const { anchor, passed } = this.options;
    if (sequence > contained) this.over();
    // Its chain was compared already.
    if (sequence === contained) this.isOwing = false;
    this.leftBytes -= frameBytes(payload.byteLength);
    this.before = { sequence, chain };
    if (anchor === null || before === null || before.sequence !== sequence - 1) return;
    if (sequence > contained || this.leftBytes > passedBytes) return;
    passed?.({ ...anchor, ...before }, payload, { ...anchor, sequence, chain });
  }

  /** Throws LogElsewhere where it was not met: nothing behind it counts then. */
  over(): void {
    if (this.isOwing) throw new LogElsewhere(`The log ${this.name} does not go through commit ${this.contained}.`);
  }
}

/** The log must go through the anchor: it is of the same history and begins before it, or it was begun anew right there. */
function checkHistory(name: string, segments: readonly Segment[], anchor: Anchor | null): void {
  const { header } = segments[0] as Segment;
  if (anchor === null) {
    if (header.baseSequence === 0 && !header.parentEpoch) return;
    throw new LogElsewhere(`The log ${name} goes on from a checkpoint and cannot be read without it.`);
  }
  const continues = header.epoch === anchor.epoch && header.baseSequence <= anchor.sequence;
  const branched =
    header.parentEpoch === anchor.epoch &&
    header.baseSequence === anchor.sequence &&
    header.chainBefore === anchor.chain;
  if (!continues && !branched) {
    throw new LogElsewhere(`The log ${name} does not go on from the checkpoint at sequence ${anchor.sequence}.`);
  }
}
