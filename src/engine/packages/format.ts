// A package: the checkpoint of one namespace in one file, to be handed on. This comment is the specification; numbers are little-endian,
// checksums CRC-32.
//
//   Header, 16 bytes:   0  u64 magic "ARCWPACK"     8  u32 version (1)     12  u32 zero
//   Record:             0  u32 kind                 4  u32 bytes            8  u32 zero      12  u32 checksum     16  the bytes
//
//   1 file      the bytes are what the file's name has behind the checkpoint's, such as `_elements_0`
//   2 data      a piece of that file; at most 1 MiB
//   3 manifest  a piece of the manifest, which comes behind all files
//   4 end       no bytes; nothing follows
//
// A record's checksum covers its first 12 bytes and its bytes, and is seeded with that of the record before (0 before the first), so what is
// cut short, changed or exchanged is found. What the files hold, ../checkpoint/format.ts says.

import type { Crc32 } from '../log/crc32.ts';
import { PackageUnreadable } from './types.ts';

export const recordKinds = { file: 1, data: 2, manifest: 3, end: 4 } as const;
type RecordKind = (typeof recordKinds)[keyof typeof recordKinds];

/** Bytes of one record at most, without its head. */
export const pieceBytes = 1 << 20;

const headBytes = 16;
const checkedHeadBytes = 12;
const version = 1;
const magic = new TextEncoder().encode('ARCWPACK');

export class PackageEncoder {
  private readonly crc32: Crc32;
  private checksum = 0;

  constructor(crc32: Crc32) {
    this.crc32 = crc32;
  }

  header(): Uint8Array {
    const bytes = new Uint8Array(headBytes);
    bytes.set(magic);
    new DataView(bytes.buffer).setUint32(8, version, true);
    return bytes;
  }

  /** A record of at most `pieceBytes`. */
  record(kind: RecordKind, content: Uint8Array = new Uint8Array(0)): Uint8Array {
    const bytes = new Uint8Array(headBytes + content.length);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, kind, true);
    view.setUint32(4, content.length, true);
    bytes.set(content, headBytes);
    this.checksum = checksumOf(bytes, this.checksum, this.crc32);
    view.setUint32(checkedHeadBytes, this.checksum, true);
    return bytes;
  }
}

function checksumOf(record: Uint8Array, before: number, crc32: Crc32): number {
  return crc32(record, headBytes, record.length, crc32(record, 0, checkedHeadBytes, before));
}

export interface PackageRecord {
  readonly kind: number;
  /** Valid until the next record is asked for. */
  readonly content: Uint8Array;
}

/** The records before the end. Throws PackageUnreadable for bytes that are no package, with the place. */
export async function* readRecords(
  blocks: AsyncIterable<Uint8Array>,
  crc32: Crc32,
): AsyncGenerator<PackageRecord, void, undefined> {
  const input = new Input(blocks);
  const header = await input.take(headBytes);
  if (magic.some((byte, i) => header[i] !== byte)) throw new PackageUnreadable('It does not begin as a package does.');
  const found = new DataView(header.buffer, header.byteOffset).getUint32(8, true);
  if (found !== version) throw new PackageUnreadable(`It has version ${found}; this reads version ${version}.`);
  for (let checksum = 0; ; ) {
    const at = input.offset;
    const head = (await input.take(headBytes)).slice();
    const view = new DataView(head.buffer);
    const [kind, length] = [view.getUint32(0, true), view.getUint32(4, true)];
    if (length > pieceBytes) throw new PackageUnreadable(`The record at byte ${at} is longer than records are.`);
    const content = await input.take(length);
    checksum = crc32(content, 0, length, crc32(head, 0, checkedHeadBytes, checksum));
    if (checksum !== view.getUint32(checkedHeadBytes, true)) {
      throw new PackageUnreadable(`The checksum of the record at byte ${at} does not hold.`);
    }
    if (kind === recordKinds.end) {
      if (await input.hasMore()) throw new PackageUnreadable(`Something follows its end at byte ${input.offset}.`);
      return;
    }
    yield { kind, content };
  }
}

/** Blocks of any length as pieces of a known one. */
class Input {
  /** Bytes taken so far. */
  offset = 0;
  private readonly blocks: AsyncIterator<Uint8Array>;
  private block: Uint8Array = new Uint8Array(0);
  private at = 0;

  constructor(blocks: AsyncIterable<Uint8Array>) {
    this.blocks = blocks[Symbol.asyncIterator]();
  }

  /** Copies only what lies in two blocks. */
  async take(count: number): Promise<Uint8Array> {
    this.offset += count;
    if (this.block.length - this.at >= count) {
      this.at += count;
      return this.block.subarray(this.at - count, this.at);
    }
    const whole = new Uint8Array(count);
    for (let filled = 0; filled < count; ) {
      if (!(await this.hasMore())) throw new PackageUnreadable('It ends before its end: something of it is missing.');
      const part = this.block.subarray(this.at, this.at + count - filled);
      whole.set(part, filled);
      filled += part.length;
      this.at += part.length;
    }
    return whole;
  }

  async hasMore(): Promise<boolean> {
    while (this.at === this.block.length) {
      const { done, value } = await this.blocks.next();
      if (done === true) return false;
      // A home's own kind of array may share its bytes where this one copies them.
      this.block = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      this.at = 0;
    }
    return true;
  }
}
