// The frames of a log that somebody else appends to, from a position on, as others are handed them (replication/frames.ts). Files are read where the
// last frame ended; nothing of them is changed.

import type { LogFile, LogStore } from '../../storage/types.ts';
import { isDocumentTransaction } from '../documents.ts';
import { frameKinds, sealFrame, frameBytes as sentBytes, writeFrame } from '../replication/frames.ts';
import type { HistoryPosition } from '../state-hash.ts';
import { firstOperation } from '../transactions.ts';
import type { Crc32 } from './crc32.ts';
import {
  decodeFrameHeader,
  decodeSegmentHeader,
  frameBytes,
  frameHeaderBytes,
  type SegmentHeader,
  segmentHeaderBytes,
} from './format.ts';
import { segmentNames } from './segments.ts';

const blockBytes = 256 * 1024;
/** Words of the transaction buffer (assembly/transaction/format.ts). */
const committedMsAt = 48;
const operations = { erase: 5, trim: 6 } as const;

interface Segment {
  readonly name: string;
  readonly header: SegmentHeader;
  readonly identity: number;
}

/** Behind a frame. */
interface Place {
  readonly segment: Segment;
  readonly sequence: number;
  readonly chain: number;
  readonly offset: number;
}

interface LoggedFrame {
  readonly payload: Uint8Array;
  readonly behind: Place;
}

export class SegmentFrames {
  private readonly name: string;
  private readonly namespaceId: string;
  private readonly crc32: Crc32;
  private place: Place | null = null;

  /** `name`: of the log. */
  constructor(name: string, namespaceId: string, crc32: Crc32) {
    this.name = name;
    this.namespaceId = namespaceId;
    this.crc32 = crc32;
  }

  /** The last commit that was found; null: none was. */
  get last(): { readonly sequence: number } | null {
    return this.place;
  }

  /** About `limitBytes` of frames that follow the position; empty where there are none yet. Null: they cannot be had. */
  async behind(files: LogStore, position: HistoryPosition, limitBytes: number): Promise<Uint8Array | null> {
    const { place: known } = this;
    const isKnown =
      known?.sequence === position.sequence &&
      known.chain === position.chain &&
      known.segment.header.epoch === position.epoch;
    let place = isKnown && (await this.isThere(files, known.segment)) ? known : await this.find(files, position);
    const frames: LoggedFrame[] = [];
    let bytes = 0;
    while (place !== null && bytes < limitBytes) {
      const { next, read } = await this.readOn(files, place, limitBytes - bytes);
      frames.push(...read);
      bytes += read.reduce((sum, { payload }) => sum + sentBytes(payload.length), 0);
      this.place = read.at(-1)?.behind ?? next ?? place;
      if (next === null && read.length === 0) break;
      place = this.place;
    }
    return place === null ? null : this.sent(frames, bytes);
  }

  /** Frames in the segment of a place; where there are none the place in the one behind it, if there is one. */
  private async readOn(files: LogStore, place: Place, limitBytes: number) {
    const file = await files.open(place.segment.name);
    const read = file === null ? [] : await this.framesIn(file, place, limitBytes);
    const next = read.length > 0 ? null : await this.startOf(files, place);
    return { read, next: next?.segment.name === place.segment.name ? null : next };
  }

  private async framesIn(file: LogFile, from: Place, limitBytes: number): Promise<LoggedFrame[]> {
    const found: LoggedFrame[] = [];
    let place = from;
    let buffer = new Uint8Array(blockBytes);
    let taken = 0;
    while (taken < limitBytes) {
      const count = await file.read(place.offset, buffer);
      const view = new DataView(buffer.buffer);
      let at = 0;
      let needed = 0;
      while (at + frameHeaderBytes <= count) {
        const { chain, segment, sequence } = place;
        const frame = decodeFrameHeader(buffer, view, at, segment.identity, this.crc32);
        if (frame === null || frame.sequence !== sequence + 1) return found;
        const end = at + frameBytes(frame.payloadBytes);
        needed = end - at;
        if (end > count) break;
        const payloadAt = at + frameHeaderBytes;
        if (this.crc32(buffer, payloadAt, end, chain) !== frame.checksum) return found;
        place = { segment, sequence: frame.sequence, chain: frame.checksum, offset: place.offset + needed };
        found.push({ payload: buffer.slice(payloadAt, payloadAt + frame.payloadBytes), behind: place });
        at = end;
      }
      taken += at;
      if (at > 0) continue;
      if (needed <= buffer.length) return found;
      buffer = new Uint8Array(needed);
    }
    return found;
  }

  /** Behind the very commit of the position; null: the log does not go through it. */
  private async find(files: LogStore, position: HistoryPosition): Promise<Place | null> {
    let place = await this.startOf(files, position);
    while (place !== null && place.sequence < position.sequence) {
      const file = await files.open(place.segment.name);
      const read = file === null ? [] : await this.framesIn(file, place, blockBytes);
      place = read.find(({ behind }) => behind.sequence === position.sequence)?.behind ?? read.at(-1)?.behind ?? null;
    }
    const isIt = place?.segment.header.epoch === position.epoch && place.chain === position.chain;
    return isIt ? place : null;
  }

  /** The beginning of the segment that holds what follows a commit. */
  private async startOf(files: LogStore, { sequence }: { readonly sequence: number }): Promise<Place | null> {
    const segments = await this.segments(files);
    const newest = Math.max(...segments.map(({ header }) => header.generation ?? 0));
    const [segment] = segments
      .filter(({ header }) => (header.generation ?? 0) === newest && header.baseSequence <= sequence)
      .sort((one, other) => other.header.baseSequence - one.header.baseSequence);
    if (segment === undefined) return null;
    const { baseSequence, chainBefore: chain } = segment.header;
    return { segment, sequence: baseSequence, chain, offset: segmentHeaderBytes };
  }

  private async segments(files: LogStore): Promise<Segment[]> {
    const found: Segment[] = [];
    for (const name of segmentNames(this.name)) {
      const bytes = new Uint8Array(segmentHeaderBytes);
      const count = (await (await files.open(name))?.read(0, bytes)) ?? 0;
      const decoded = decodeSegmentHeader(bytes.subarray(0, count), this.crc32);
      if (!('problem' in decoded) && decoded.header.namespaceId === this.namespaceId) found.push({ name, ...decoded });
    }
    return found;
  }

  /** Files change their names' meaning: one that has gone may have been made anew. */
  private async isThere(files: LogStore, { identity, name }: Segment): Promise<boolean> {
    return (await this.segments(files)).some((one) => one.name === name && one.identity === identity);
  }

  private sent(frames: readonly LoggedFrame[], count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const { behind, payload } of frames) {
      const words = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
      const { sequence, chain: checksum } = behind;
      const committedMs = words.getFloat64(committedMsAt, true);
      writeFrame(bytes, view, at, { kind: kindOf(payload), sequence, checksum, committedMs, payload });
      sealFrame(bytes, view, at, 0, this.crc32);
      at += sentBytes(payload.length);
    }
    return bytes;
  }
}

/** The log does not say what the writer told its subscribers: here they get what follows from the transaction. */
function kindOf(payload: Uint8Array) {
  if (isDocumentTransaction(payload)) return frameKinds.nothing;
  const operation = firstOperation(payload);
  if (operation === operations.erase) return frameKinds.tabulaRasa;
  return operation === operations.trim ? frameKinds.trim : frameKinds.changes;
}
