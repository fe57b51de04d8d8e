// Reading a log back: every valid frame goes to the caller in order, then what stands behind the last one is judged by the rule in
// format.ts. A torn tail is copied to `<log>.torn-<stamp>` and cut off; corruption throws and leaves the file as it is. The file
// is read in large blocks, and a payload is handed on as a view into its block: no work here grows with the elements in a frame.

import type { LogFile, LogStore } from '../../storage/types.ts';
import type { Crc32 } from './crc32.ts';
import {
  decodeFrameHeader,
  decodeSegmentHeader,
  encodeSegmentHeader,
  frameBytes,
  frameHeaderBytes,
  type SegmentHeader,
  segmentHeaderBytes,
} from './format.ts';
import type { LogPosition } from './log.ts';
import type { LogFlaw } from './segments.ts';

const blockBytes = 4 * 1024 * 1024;
const smallestBlockBytes = 64 * 1024;
/** Torn tails longer than this are copied only up to here; the rest was never acknowledged either. */
const tornCopyLimitBytes = 64 * 1024 * 1024;

/** What recovery found, for the durability block. */
export interface RecoveryStatus {
  readonly ran: boolean;
  readonly truncated: boolean;
  readonly replayedEntries: number;
}

/** The log holds something that was acknowledged and cannot be read any more, or is no log of this namespace. */
export class LogCorruption extends Error {
  override readonly name = 'LogCorruption';
  readonly offset: number;
  /** The sequence that should have been there; -1 when the segment header itself is bad. */
  readonly sequence: number;

  constructor(log: string, offset: number, sequence: number, problem: string) {
    super(`The log ${log} is corrupt at byte ${offset}${sequence < 0 ? '' : `, sequence ${sequence}`}: ${problem}.`);
    this.offset = offset;
    this.sequence = sequence;
  }
}

export interface Recovery {
  readonly header: SegmentHeader;
  readonly position: LogPosition;
  readonly frames: number;
  /** Length of the torn tail that was cut; 0 when the log ended cleanly. */
  readonly tornBytes: number;
  /** Where the torn tail is kept; null when there was none. */
  readonly tornName: string | null;
  /** Why the file was read and could not be made ready for appends: the tail, if any, is still there. */
  readonly flaw: LogFlaw | null;
}

export interface RecoverOptions {
  readonly crc32: Crc32;
  readonly namespaceId: string;
  /** Names the copy of a torn tail. */
  readonly nowMs: number;
  /** Sequence that was acknowledged for sure: a log that ends before it is corrupt. */
  readonly mustReach?: number;
  /** Whether a log that takes no more frames is better than none: what is in it can be read. */
  readonly mayDegrade?: boolean;
}

/**
 * Takes one payload, a view that is valid until it is done with it, with its sequence and checksum; answers a promise when that takes longer
 * than the call. What it throws, or rejects with, ends the recovery and reaches the caller.
 */
export type Replay = (payload: Uint8Array, sequence: number, checksum: number) => Promise<void> | void;

/** Makes a fresh log under `name`, durably and in place of any other. */
export async function createLog(
  store: LogStore,
  name: string,
  header: SegmentHeader,
  crc32: Crc32,
): Promise<{ file: LogFile; position: LogPosition }> {
  const bytes = encodeSegmentHeader(header, crc32);
  const file = await store.create(name, bytes);
  const identity = new DataView(bytes.buffer).getUint32(12, true);
  const position = { identity, sequence: header.baseSequence, chain: header.chainBefore, offset: segmentHeaderBytes };
  return { file, position };
}

/**
 * Replays the log in `file`. Afterwards everything replayed is durable and nothing stands behind it, so appends may go on at
 * `position`. Throws LogCorruption; any other error is the store's or the caller's own.
 */
export async function recoverLog(
  store: LogStore,
  name: string,
  file: LogFile,
  options: RecoverOptions,
  replay: Replay,
): Promise<Recovery> {
  const { crc32 } = options;
  const reader = new BlockReader(file);
  const first = await reader.at(0, segmentHeaderBytes);
  const segment = decodeSegmentHeader(reader.bytes.subarray(first, first + reader.available(0)), crc32);
  if ('problem' in segment) throw new LogCorruption(name, 0, -1, segment.problem);
  const { header, identity } = segment;
  if (header.namespaceId !== options.namespaceId) {
    throw new LogCorruption(name, 0, -1, `it belongs to the namespace with id ${header.namespaceId}`);
  }
  const cursor: Cursor = {
    identity,
    sequence: header.baseSequence,
    chain: header.chainBefore,
    offset: segmentHeaderBytes,
  };
  for (let needed = frameHeaderBytes; needed > 0; ) {
    await reader.at(cursor.offset, needed);
    const step = replayWindow(reader, cursor, crc32, replay);
    if (typeof step === 'number') needed = step;
    else await step;
  }
  const { sequence, chain, offset } = cursor;
  if (sequence < (options.mustReach ?? 0)) {
    throw new LogCorruption(name, offset, sequence + 1, `it should go on to sequence ${options.mustReach}`);
  }
  const tail = await judgeTail(reader, offset, sequence + 1, identity, crc32);
  if (tail.acknowledgedAfter !== null) {
    throw new LogCorruption(name, offset, sequence + 1, `a later frame at byte ${tail.acknowledgedAfter} is whole`);
  }
  const tornBytes = tail.end - offset;
  const tornName = tornBytes === 0 ? null : `${name}.torn-${stamp(options.nowMs)}`;
  const position = { identity, sequence, chain, offset };
  const found = { header, position, frames: sequence - header.baseSequence };
  try {
    if (tornName !== null) {
      await keepTail(store, file, tornName, offset, Math.min(tornBytes, tornCopyLimitBytes));
      await file.truncate(offset);
    }
    // Frames of a process that died before their write was acknowledged may only be in the platform's cache.
    await file.sync();
  } catch (error) {
    if (options.mayDegrade !== true) throw error;
    return { ...found, tornBytes: 0, tornName: null, flaw: { error } };
  }
  return { ...found, tornBytes, tornName, flaw: null };
}

/** Behind the last frame replayed. */
interface Cursor {
  readonly identity: number;
  sequence: number;
  chain: number;
  offset: number;
}

/**
 * Replays the frames that lie whole in the window and moves the cursor behind them. Answers how many bytes from the cursor on
 * the window must hold to go on, or 0 when no valid frame stands there; or what it has to wait for, because the caller's work on a frame
 * takes longer. Otherwise synchronous, because a log of small writes has one frame for every element.
 */
function replayWindow(reader: BlockReader, cursor: Cursor, crc32: Crc32, replay: Replay): number | Promise<void> {
  while (cursor.offset + frameHeaderBytes <= reader.sizeBytes) {
    const at = cursor.offset - reader.start;
    const available = reader.available(cursor.offset);
    if (available < frameHeaderBytes) return frameHeaderBytes;
    const frame = decodeFrameHeader(reader.bytes, reader.view, at, cursor.identity, crc32);
    if (frame === null || frame.sequence !== cursor.sequence + 1) return 0;
    const bytes = frameBytes(frame.payloadBytes);
    if (cursor.offset + bytes > reader.sizeBytes) return 0;
    if (available < bytes) return bytes;
    const payloadAt = at + frameHeaderBytes;
    if (crc32(reader.bytes, payloadAt, at + bytes, cursor.chain) !== frame.checksum) return 0;
    const payload = reader.bytes.subarray(payloadAt, payloadAt + frame.payloadBytes);
    const work = replay(payload, frame.sequence, frame.checksum);
    cursor.sequence = frame.sequence;
    cursor.chain = frame.checksum;
    cursor.offset += bytes;
    if (work instanceof Promise) return work;
  }
  return 0;
}

/**
 * What stands behind the last valid frame: `end` is the end of the last word that is not zero (`from` when there is none),
 * `acknowledgedAfter` the position of a frame header that proves `sequence` was acknowledged.
 */
async function judgeTail(
  reader: BlockReader,
  from: number,
  sequence: number,
  identity: number,
  crc32: Crc32,
): Promise<{ end: number; acknowledgedAfter: number | null }> {
  let end = from;
  for (let offset = from; offset < reader.sizeBytes; ) {
    const at = await reader.at(offset, Math.min(blockBytes, reader.sizeBytes - offset));
    const bytes = reader.available(offset);
    for (let step = 0; step < bytes; step += 8) {
      if (isZero(reader.bytes, at + step, Math.min(8, bytes - step))) continue;
      end = offset + step + 8;
      if (step + frameHeaderBytes > bytes) continue;
      const frame = decodeFrameHeader(reader.bytes, reader.view, at + step, identity, crc32);
      if (frame !== null && frame.sequence - frame.unacknowledged > sequence) {
        return { end, acknowledgedAfter: offset + step };
      }
    }
    // The next block begins where a header could have begun that this one did not hold whole.
    offset += offset + bytes >= reader.sizeBytes ? bytes : bytes - frameHeaderBytes;
  }
  return { end: Math.min(end, reader.sizeBytes), acknowledgedAfter: null };
}

function isZero(bytes: Uint8Array, at: number, count: number): boolean {
  for (let i = at; i < at + count; i++) if (bytes[i] !== 0) return false;
  return true;
}

async function keepTail(store: LogStore, file: LogFile, name: string, offset: number, bytes: number): Promise<void> {
  const tail = new Uint8Array(bytes);
  const got = await file.read(offset, tail);
  const copy = await store.create(name, tail.subarray(0, got));
  await copy.close();
}

/** `yyyyMMddTHHmmssfff` */
function stamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:.Z]/g, '');
}

/** A window over the file that moves forward. */
class BlockReader {
  readonly sizeBytes: number;
  bytes: Uint8Array;
  view: DataView;
  private readonly file: LogFile;
  /** Position in the file of the window's first byte. */
  start = 0;
  private filled = 0;

  constructor(file: LogFile) {
    this.file = file;
    this.sizeBytes = file.sizeBytes;
    this.bytes = new Uint8Array(Math.min(blockBytes, Math.max(smallestBlockBytes, this.sizeBytes)));
    this.view = new DataView(this.bytes.buffer);
  }

  /** Bytes of the window from `offset` on. */
  available(offset: number): number {
    return this.start + this.filled - offset;
  }

  /** Sees to it that the window holds `bytes` bytes from `offset` on, or all there are; answers where they begin in `bytes`. */
  async at(offset: number, bytes: number): Promise<number> {
    const wanted = Math.min(bytes, this.sizeBytes - offset);
    if (offset < this.start || this.available(offset) < wanted) await this.move(offset, wanted);
    return offset - this.start;
  }

  private async move(offset: number, wanted: number): Promise<void> {
    const kept = offset >= this.start ? Math.max(0, this.available(offset)) : 0;
    const keptAt = offset - this.start;
    if (wanted > this.bytes.length) {
      const wider = new Uint8Array(Math.max(wanted, this.bytes.length));
      wider.set(this.bytes.subarray(keptAt, keptAt + kept));
      this.bytes = wider;
      this.view = new DataView(wider.buffer);
    } else if (kept > 0) {
      this.bytes.copyWithin(0, keptAt, keptAt + kept);
    }
    this.start = offset;
    this.filled = kept;
    const target = this.bytes.subarray(kept, Math.min(this.bytes.length, this.sizeBytes - offset));
    const got = await this.file.read(offset + kept, target);
    this.filled += got;
    if (this.filled < wanted) throw new Error(`The log gave ${this.filled} bytes at ${offset}, not ${wanted}.`);
  }
}
