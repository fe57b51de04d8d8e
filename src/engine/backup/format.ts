// What a backup is in a bucket. Below `<prefix><namespace id>/`:
//
//   manifest.json            the only object that changes, by compare-and-swap; it names the owner and the bases
//   log/<n, 12 digits>       frames of the log, put once; numbers follow each other without a gap, whoever owns the backup
//   base-<id>/<n, 6 digits>  a piece of a base: the package of a checkpoint (../packages/format.ts)
//
// A log object is 64 bytes of header, then frames (../replication/frames.ts). Little-endian, the checksum CRC-32:
//    0  u64  magic "ARCWBLOG"        32  u64  first sequence        48  u32  payload checksum of the frame before the first
//    8  u32  version (1)             40  u64  last sequence         52  u32  bytes of the frames
//   12  u32  checksum of the other   56  f64  when it was made, Unix milliseconds
//            60 bytes of the header
//   16  16 bytes epoch: the history
//
// Who reads starts from a base and takes the log objects from `logFrom` on, one by one until one is not there: no list is trusted. Frames that
// the base contains are passed over. A new owner writes the number behind the last one before anything else, so that the old one meets it.

import { z } from 'zod';
import type { Crc32 } from '../log/crc32.ts';
import type { HistoryPosition } from '../state-hash.ts';

const logHeaderBytes = 64;
const version = 1;
const magic = new TextEncoder().encode('ARCWBLOG');

const base = z.object({
  id: z.string(),
  /** Pieces it has. */
  pieces: z.int().positive(),
  bytes: z.int(),
  createdMs: z.number(),
  /** The state it holds. */
  anchor: z.object({ epoch: z.string(), sequence: z.int(), chain: z.int() }),
  /** The first log object that may hold what comes after it. */
  logFrom: z.int(),
});

const manifest = z.object({
  format: z.literal(1),
  namespaceId: z.string(),
  name: z.string(),
  /** A random name of whoever writes the backup: another one with every start. */
  owner: z.string(),
  /** The first log object that is there. */
  logFirst: z.int(),
  /** A log object that is there for certain, or `logFirst - 1`. */
  logKnown: z.int(),
  /** In the order in which they were made. */
  bases: z.array(base),
});

export type BackupBase = z.infer<typeof base>;
export type BackupManifest = z.infer<typeof manifest>;

/** The backup cannot be read: something is missing, or is not what it should be. */
export class BackupUnreadable extends Error {
  override readonly name = 'BackupUnreadable';
}

export const manifestName = 'manifest.json';
export const logName = (number: number): string => `log/${String(number).padStart(12, '0')}`;
export const baseName = (id: string, piece: number): string => `base-${id}/${String(piece).padStart(6, '0')}`;

export function encodeManifest(value: BackupManifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
}

/** Throws BackupUnreadable. */
export function decodeManifest(bytes: Uint8Array, where: string): BackupManifest {
  try {
    return manifest.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new BackupUnreadable(`${where} is no manifest of a backup: ${(error as Error).message.slice(0, 200)}`);
  }
}

export interface LogObject {
  /** The frame before the first one. */
  readonly before: HistoryPosition;
  readonly lastSequence: number;
  readonly madeMs: number;
  readonly frames: Uint8Array;
}

export function encodeLogObject(
  { before, lastSequence, madeMs }: Omit<LogObject, 'frames'>,
  blocks: readonly Uint8Array[],
  crc32: Crc32,
): Uint8Array {
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  const bytes = new Uint8Array(logHeaderBytes + length);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, version, true);
  for (let i = 0; i < 16; i++) bytes[16 + i] = Number.parseInt(before.epoch.slice(2 * i, 2 * i + 2), 16);
  view.setBigUint64(32, BigInt(before.sequence + 1), true);
  view.setBigUint64(40, BigInt(lastSequence), true);
  view.setUint32(48, before.chain, true);
  view.setUint32(52, length, true);
  view.setFloat64(56, madeMs, true);
  view.setUint32(12, headerChecksum(bytes, crc32), true);
  let at = logHeaderBytes;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}

/** Throws BackupUnreadable. What the frames are is for who reads them. */
export function decodeLogObject(bytes: Uint8Array, where: string, crc32: Crc32): LogObject {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isOurs = bytes.length >= logHeaderBytes && magic.every((byte, i) => bytes[i] === byte);
  if (!isOurs || headerChecksum(bytes, crc32) !== view.getUint32(12, true))
    throw new BackupUnreadable(`${where} is no object of a log, or is damaged.`);
  const found = view.getUint32(8, true);
  if (found !== version) throw new BackupUnreadable(`${where} has version ${found}; this reads version ${version}.`);
  if (bytes.length !== logHeaderBytes + view.getUint32(52, true))
    throw new BackupUnreadable(`${where} has ${bytes.length} bytes, which is not its length.`);
  const epoch = Array.from(bytes.subarray(16, 32), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return {
    before: { epoch, sequence: Number(view.getBigUint64(32, true)) - 1, chain: view.getUint32(48, true) },
    lastSequence: Number(view.getBigUint64(40, true)),
    madeMs: view.getFloat64(56, true),
    frames: bytes.subarray(logHeaderBytes),
  };
}

function headerChecksum(bytes: Uint8Array, crc32: Crc32): number {
  return crc32(bytes, 16, logHeaderBytes, crc32(bytes, 0, 12, 0));
}
