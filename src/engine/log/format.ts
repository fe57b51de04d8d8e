// The log file: what was committed, in order, as it lies on disk. This comment is the specification; the functions below it are
// the only code that knows an offset. All numbers are little-endian, all positions multiples of 8.
//
//   0                       4096                                                     end of file
//   | segment header        | frame | frame | frame | ... | zeros (reserved extent)  |
//
// Segment header: one sector of its own, so that no later write can tear it.
//     0  u64  magic "ARCWISEL"            32  u64  base sequence: the first frame here is one above it
//     8  u32  version (1)                 40  u32  chain before: payload checksum of frame `base sequence`, 0 for none
//    12  u32  header checksum             44  u32  bytes of the namespace id, then the id in UTF-8 (at most 256)
//    16  16 bytes epoch, random: another 304  u32  generation: the newest log counts, others are left over
//        log of the same namespace has   308  16 bytes epoch that this log continues from its base sequence on,
//        another one                          zeros for none; then zeros up to 4096
//   The header checksum is the CRC-32 of all 4096 bytes with its own field as zero. It is also the log's *identity*.
//
// Frame: 24 bytes of header, the payload (one transaction buffer), zeros up to a multiple of 8.
//     0  u32  payload bytes, at least 1   16  u32  payload checksum: CRC-32 of payload and padding, seeded with the payload
//     4  u32  frame header checksum                 checksum of the frame before (the chain)
//     8  u64  sequence, one above         20  u32  how many frames right before this one were not yet known to be on disk
//             the frame before                         when it was made
//   The frame header checksum is the CRC-32 of the other 20 header bytes, seeded with the identity, so that a frame of another log
//   that the disk may show again is not one of this log.
//
// A frame is valid when its header checksum holds, its sequence is the expected one and its payload checksum holds.
//
// Frames go out in groups, a few writes at a time, and are acknowledged in order: a frame when its write and all earlier ones are on
// disk. A valid frame therefore proves that every frame before the unacknowledged ones it counts was acknowledged, and nothing
// about those. Reading stops at the first position that holds no valid frame (sequence s expected); what stands behind it decides:
//   only zeros, or the end of the file             the end of the log
//   a valid frame header with sequence minus       corruption: frame s was acknowledged once and cannot be read now
//     unacknowledged above s
//   anything else                                  a torn tail: frames that were never acknowledged; it is cut off

import type { Crc32 } from './crc32.ts';

export const segmentHeaderBytes = 4096;
export const frameHeaderBytes = 24;
const magicLow = 0x57435241; // "ARCW"
const magicHigh = 0x4c455349; // "ISEL"
const formatVersion = 1;
const namespaceIdAt = 48;
const namespaceIdLimitBytes = 256;
const generationAt = namespaceIdAt + namespaceIdLimitBytes;
const parentEpochAt = generationAt + 4;
const epochBytes = 16;
const twoTo32 = 0x1_0000_0000;

export interface SegmentHeader {
  readonly namespaceId: string;
  /** 32 hexadecimal digits. */
  readonly epoch: string;
  readonly baseSequence: number;
  readonly chainBefore: number;
  /** Goes up by one whenever a log is begun anew in the place of another. */
  readonly generation?: number;
  /** The history that this one branched off at `baseSequence`; null for one that began with an empty graph. */
  readonly parentEpoch?: string | null;
}

/** Why a segment header could not be read, as a sentence. */
export interface BadSegment {
  readonly problem: string;
}

/** Bytes that a frame with this payload takes. */
export function frameBytes(payloadBytes: number): number {
  return frameHeaderBytes + Math.ceil(payloadBytes / 8) * 8;
}

export function encodeSegmentHeader(header: SegmentHeader, crc32: Crc32): Uint8Array {
  const bytes = new Uint8Array(segmentHeaderBytes);
  const view = new DataView(bytes.buffer);
  const id = new TextEncoder().encode(header.namespaceId);
  if (id.length > namespaceIdLimitBytes || header.epoch.length !== 2 * epochBytes)
    throw new Error('Bad segment header.');
  view.setUint32(0, magicLow, true);
  view.setUint32(4, magicHigh, true);
  view.setUint32(8, formatVersion, true);
  putHex(bytes, 16, header.epoch);
  view.setUint32(generationAt, header.generation ?? 0, true);
  if (header.parentEpoch) putHex(bytes, parentEpochAt, header.parentEpoch);
  setUint53(view, 32, header.baseSequence);
  view.setUint32(40, header.chainBefore, true);
  view.setUint32(44, id.length, true);
  bytes.set(id, namespaceIdAt);
  view.setUint32(12, crc32(bytes, 0, segmentHeaderBytes, 0), true);
  return bytes;
}

/** Reads a segment header; `identity` seeds the frame header checksums. */
export function decodeSegmentHeader(
  bytes: Uint8Array,
  crc32: Crc32,
): { header: SegmentHeader; identity: number } | BadSegment {
  if (bytes.length < segmentHeaderBytes) return { problem: `it has only ${bytes.length} bytes` };
  const copy = bytes.slice(0, segmentHeaderBytes);
  const view = new DataView(copy.buffer);
  if (view.getUint32(0, true) !== magicLow || view.getUint32(4, true) !== magicHigh)
    return { problem: 'it is not a log' };
  const identity = view.getUint32(12, true);
  view.setUint32(12, 0, true);
  if (crc32(copy, 0, segmentHeaderBytes, 0) !== identity)
    return { problem: 'the checksum of its header does not hold' };
  const version = view.getUint32(8, true);
  if (version !== formatVersion)
    return { problem: `it has format version ${version}, this is version ${formatVersion}` };
  const idBytes = view.getUint32(44, true);
  if (idBytes > namespaceIdLimitBytes) return { problem: 'its namespace id is too long' };
  const parentEpoch = hexAt(copy, parentEpochAt);
  return {
    identity,
    header: {
      namespaceId: new TextDecoder().decode(copy.subarray(namespaceIdAt, namespaceIdAt + idBytes)),
      epoch: hexAt(copy, 16),
      baseSequence: getUint53(view, 32),
      chainBefore: view.getUint32(40, true),
      generation: view.getUint32(generationAt, true),
      parentEpoch: /^0+$/.test(parentEpoch) ? null : parentEpoch,
    },
  };
}

/**
 * Writes one frame at `at` into `bytes`, which has room for `frameBytes(payload.length)`. Answers the payload checksum, which the
 * next frame chains on.
 */
export function encodeFrame(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  payload: Uint8Array,
  frame: {
    readonly identity: number;
    readonly sequence: number;
    readonly chain: number;
    readonly unacknowledged: number;
  },
  crc32: Crc32,
): number {
  const payloadAt = at + frameHeaderBytes;
  const end = at + frameBytes(payload.length);
  bytes.set(payload, payloadAt);
  for (let i = payloadAt + payload.length; i < end; i++) bytes[i] = 0;
  const checksum = crc32(bytes, payloadAt, end, frame.chain);
  view.setUint32(at, payload.length, true);
  setUint53(view, at + 8, frame.sequence);
  view.setUint32(at + 16, checksum, true);
  view.setUint32(at + 20, frame.unacknowledged, true);
  view.setUint32(at + 4, headerChecksum(bytes, at, frame.identity, crc32), true);
  return checksum;
}

export interface FrameHeader {
  readonly payloadBytes: number;
  readonly sequence: number;
  readonly checksum: number;
  readonly unacknowledged: number;
}

/** The frame header at `at`, or null when its checksum does not hold. `bytes` has at least 24 bytes from there. */
export function decodeFrameHeader(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  identity: number,
  crc32: Crc32,
): FrameHeader | null {
  const payloadBytes = view.getUint32(at, true);
  if (payloadBytes === 0) return null;
  if (headerChecksum(bytes, at, identity, crc32) !== view.getUint32(at + 4, true)) return null;
  return {
    payloadBytes,
    sequence: getUint53(view, at + 8),
    checksum: view.getUint32(at + 16, true),
    unacknowledged: view.getUint32(at + 20, true),
  };
}

function headerChecksum(bytes: Uint8Array, at: number, identity: number, crc32: Crc32): number {
  return crc32(bytes, at + 8, at + frameHeaderBytes, crc32(bytes, at, at + 4, identity));
}

function putHex(bytes: Uint8Array, at: number, digits: string): void {
  for (let i = 0; i < epochBytes; i++) bytes[at + i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
}

function hexAt(bytes: Uint8Array, at: number): string {
  return Array.from(bytes.subarray(at, at + epochBytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A whole number up to 2^53 in eight bytes, without a BigInt. */
export function setUint53(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % twoTo32, true);
  view.setUint32(at + 4, Math.floor(value / twoTo32), true);
}

export function getUint53(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * twoTo32 + view.getUint32(at, true);
}
