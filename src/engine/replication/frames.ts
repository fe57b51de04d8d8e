// A committed transaction on its way to others: a replica, a backup. This comment is the specification; numbers are little-endian, checksums CRC-32.
//
//    0  u32  payload bytes, at least 1       20  u32  header checksum: of the other 36 bytes of the header
//    4  u32  kind, below                     24  f64  time of the commit in Unix milliseconds
//    8  u64  sequence in its history         32  u64  sequence of the last change event that was published with it or before it
//   16  u32  payload checksum: that of the   40  the payload (one transaction buffer), zeros up to a multiple of 8
//            frame in the log, seeded with
//            the payload checksum before it
//
// So frames that follow prove each other, back to whatever checkpoint they go on from.
//
//   kind  0  what subscribers get are its changes    2  they get a resync: erased      4  they get nothing: indexes, documents
//         1  they get a resync: trimmed              3  they get a resync: delegate

import type { WriteReason } from '../feed/events.ts';
import type { Crc32 } from '../log/crc32.ts';
import { getUint53, setUint53 } from '../log/format.ts';

export const frameHeaderBytes = 40;
export const frameKinds = { changes: 0, trim: 1, tabulaRasa: 2, delegateWrite: 3, nothing: 4 } as const;
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

export interface Frame {
  readonly kind: FrameKind;
  readonly sequence: number;
  readonly checksum: number;
  readonly committedMs: number;
  readonly feedSequence: number;
  /** A view of the bytes that were read. */
  readonly payload: Uint8Array;
}

/** Bytes that are no frames, or not those that follow. */
export class FramesUnreadable extends Error {
  override readonly name = 'FramesUnreadable';
}

/** What subscribers are told instead of the changes; null: the changes. */
export function resyncOf(kind: FrameKind): WriteReason | null {
  if (kind === frameKinds.trim) return 'trim';
  if (kind === frameKinds.tabulaRasa) return 'tabulaRasa';
  return kind === frameKinds.delegateWrite ? 'delegateWrite' : null;
}

export function frameBytes(payloadBytes: number): number {
  return frameHeaderBytes + Math.ceil(payloadBytes / 8) * 8;
}

/** Writes all of a frame at `at` but what is known later (`sealFrame`). There is room for `frameBytes`. */
export function writeFrame(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  { kind, sequence, checksum, committedMs, payload }: Omit<Frame, 'feedSequence'>,
): void {
  view.setUint32(at, payload.length, true);
  view.setUint32(at + 4, kind, true);
  setUint53(view, at + 8, sequence);
  view.setUint32(at + 16, checksum, true);
  view.setFloat64(at + 24, committedMs, true);
  bytes.set(payload, at + frameHeaderBytes);
  const end = at + frameBytes(payload.length);
  for (let i = at + frameHeaderBytes + payload.length; i < end; i++) bytes[i] = 0;
}

/** What a frame at `at` says that follows from those before it. */
export function frameMark(view: DataView, at: number): { readonly chain: number; readonly feedSequence: number } {
  return { chain: view.getUint32(at + 16, true), feedSequence: getUint53(view, at + 32) };
}

export function sealFrame(bytes: Uint8Array, view: DataView, at: number, feedSequence: number, crc32: Crc32): void {
  setUint53(view, at + 32, feedSequence);
  view.setUint32(at + 20, headerChecksum(bytes, at, crc32), true);
}

function headerChecksum(bytes: Uint8Array, at: number, crc32: Crc32): number {
  return crc32(bytes, at + 24, at + frameHeaderBytes, crc32(bytes, at, at + 20, 0));
}

/**
 * The frames in `bytes`, which all follow the one with `sequence` and `chain`, but for those up to `sequence` at the beginning: they are passed
 * over. Throws FramesUnreadable.
 */
export function* framesAfter(
  bytes: Uint8Array,
  { sequence, chain }: { readonly sequence: number; readonly chain: number },
  crc32: Crc32,
): Generator<Frame, void, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let last = { sequence, chain };
  for (let at = 0; at < bytes.length; ) {
    const frame = frameAt(bytes, view, at, crc32);
    const end = at + frameBytes(frame.payload.length);
    if (frame.sequence <= sequence) {
      if (frame.sequence === sequence && frame.checksum !== chain)
        throw new FramesUnreadable(`Frame ${sequence} is not the one that is known: this is another history.`);
      at = end;
      continue;
    }
    if (frame.sequence !== last.sequence + 1)
      throw new FramesUnreadable(`Frame ${frame.sequence} stands where ${last.sequence + 1} should.`);
    if (crc32(bytes, at + frameHeaderBytes, end, last.chain) !== frame.checksum)
      throw new FramesUnreadable(`Frame ${frame.sequence} does not follow the one before it, or is damaged.`);
    yield frame;
    last = { sequence: frame.sequence, chain: frame.checksum };
    at = end;
  }
}

function frameAt(bytes: Uint8Array, view: DataView, at: number, crc32: Crc32): Frame {
  const isWhole =
    bytes.length - at >= frameHeaderBytes && headerChecksum(bytes, at, crc32) === view.getUint32(at + 20, true);
  if (!isWhole) throw new FramesUnreadable(`There is no frame at byte ${at}.`);
  const payloadBytes = view.getUint32(at, true);
  if (bytes.length - at < frameBytes(payloadBytes)) throw new FramesUnreadable(`The frame at byte ${at} is cut off.`);
  return {
    kind: view.getUint32(at + 4, true) as FrameKind,
    sequence: getUint53(view, at + 8),
    checksum: view.getUint32(at + 16, true),
    committedMs: view.getFloat64(at + 24, true),
    feedSequence: getUint53(view, at + 32),
    payload: bytes.subarray(at + frameHeaderBytes, at + frameHeaderBytes + payloadBytes),
  };
}
