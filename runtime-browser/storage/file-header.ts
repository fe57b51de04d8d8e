// The head of a pool file, which says whose content follows: the catalogue can be made again from these when both of its halves are lost.
//
//   0   8  magic "ARCWFILE"
//   8   4  format, 1
//  12   4  CRC-32 of the whole head without these four bytes
//  16   8  generation of the change that gave the file its name (float64)
//  24   8  bytes of the content (float64); -1: it goes to the end of the file
//  32   8  when that was, in milliseconds since 1970 (float64)
//  40   4  CRC-32 of the content, 0 where it goes to the end of the file
//  44   4  bytes of the name
//  48      name, UTF-8; zeros up to 4096
//
// Little-endian. A file without a name begins with zeros, or is empty.

import { crc32With } from '../../src/engine/log/crc32.ts';
import { readWhole, type SyncFile } from './sync-file.ts';

const crc32 = crc32With(undefined);
const magic = new TextEncoder().encode('ARCWFILE');
/** Where the content of a pool file begins. */
export const headerBytes = 4096;
const nameOffset = 48;
/** Bytes of UTF-8 that a name may have. */
const longestNameBytes = headerBytes - nameOffset;
const format = 1;

export interface FileHeader {
  readonly name: string;
  readonly generation: number;
  /** Null: the content goes to the end of the file. */
  readonly bytes: number | null;
  readonly modifiedMs: number;
  readonly contentCrc: number;
}

/** Throws RangeError for a name that is too long. */
export function encodeHeader({ name, generation, bytes, modifiedMs, contentCrc }: FileHeader): Uint8Array {
  const text = new TextEncoder().encode(name);
  if (text.length > longestNameBytes) throw new RangeError(`A name of more than ${longestNameBytes} bytes.`);
  const head = new Uint8Array(headerBytes);
  const view = new DataView(head.buffer);
  head.set(magic);
  view.setUint32(8, format, true);
  view.setFloat64(16, generation, true);
  view.setFloat64(24, bytes ?? -1, true);
  view.setFloat64(32, modifiedMs, true);
  view.setUint32(40, contentCrc, true);
  view.setUint32(44, text.length, true);
  head.set(text, nameOffset);
  view.setUint32(12, checksumOf(head), true);
  return head;
}

/** `blank`: the file has no name. `torn`: its head is not what was written. */
export function readHeader(file: SyncFile): FileHeader | 'blank' | 'torn' {
  const head = new Uint8Array(headerBytes);
  const got = readWhole(file, head, 0);
  if (head.subarray(0, got).every((byte) => byte === 0)) return 'blank';
  const view = new DataView(head.buffer);
  const isHeader = magic.every((byte, at) => head[at] === byte) && view.getUint32(8, true) === format;
  const nameBytes = view.getUint32(44, true);
  if (got < headerBytes || !isHeader || nameBytes > longestNameBytes || view.getUint32(12, true) !== checksumOf(head))
    return 'torn';
  const bytes = view.getFloat64(24, true);
  return {
    name: new TextDecoder().decode(head.subarray(nameOffset, nameOffset + nameBytes)),
    generation: view.getFloat64(16, true),
    bytes: bytes < 0 ? null : bytes,
    modifiedMs: view.getFloat64(32, true),
    contentCrc: view.getUint32(40, true),
  };
}

/** Whether the content is what the head says; one that grows has checksums of its own. */
export function hasWholeContent(file: SyncFile, { bytes, contentCrc }: FileHeader): boolean {
  if (bytes === null) return true;
  const block = new Uint8Array(1024 * 1024);
  let crc = 0;
  for (let at = 0; at < bytes; ) {
    const got = readWhole(file, block.subarray(0, Math.min(block.length, bytes - at)), headerBytes + at);
    if (got === 0) return false;
    crc = crc32(block, 0, got, crc);
    at += got;
  }
  return crc === contentCrc;
}

function checksumOf(head: Uint8Array): number {
  return crc32(head, 16, head.length, crc32(head, 0, 12, 0));
}
