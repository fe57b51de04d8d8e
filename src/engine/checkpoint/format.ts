// The files of a checkpoint. This comment is the specification (a block is specified in assembly/checkpoint/format.ts, a frame in
// ../log/format.ts); numbers are little-endian, checksums CRC-32.
//
//   <name>                 the manifest, put last and atomically: where there is one, all its files are complete and durable
//   <name>_elements_<k>    the elements of partition k, a range of ids: file header, then blocks in order of their ids
//   <name>_tail            what was committed while the elements were written: file header, then frames
//   <name>_indexes         the indexes: file header, then frames of index transactions; not there without any
//
// The elements are no state the graph ever had: each is as it was at some moment between two commits, `from` (when writing began) and
// the anchor (when it ended). Redoing the frames of the tail, which hold every commit in between, makes them the state at
// the anchor. An edge whose vertex is not there was removed in between.
//
// Nor are the indexes written at one moment: their file holds, in the order in which it came, what creates each index and adds what it
// holds, and every index transaction committed meanwhile (which the tail leaves out). Carried out over the loaded graph, where adds of
// elements that are not there are passed over, they give the indexes at the anchor.
//
//   File header, 64 bytes:   0  u64 magic "ARCWCKPT"      12  u32 kind: 1 elements, 2 tail, 3 indexes     32  u32 partition (others: 0)
//                            8  u32 version (1)           16  16 bytes id of this save         36  zeros
//                           60  u32 checksum of the 60 bytes before
//
//   A block's checksum (its word 1) covers its other bytes, seeded with the checksum of the block before, the first one's with the file
//   header's. The checksum of a file is that of its last block (without one: of its header), so files, blocks and their order
//   belong together. Frames have the file header's checksum for their log's identity and for the checksum before the first.
//
//   Manifest:   0  u64 magic "ARCWMNFT"     12  u32 checksum of the whole file, with this field as zero
//               8  u32 version (1)          16  u32 bytes of the description      20  u32 bytes of the sections      24  u64 zero
//              32  the description: JSON, UTF-8; then the sections' bytes one after the other; nothing behind them
//
//   Description: the members of `Description` below. Readers pass over members they do not know. A file or section of an unknown
//   kind is passed over, unless it says that it is required: then the checkpoint is refused.

import type { Crc32 } from '../log/crc32.ts';
import type { Anchor } from './types.ts';

export const fileHeaderBytes = 64;
export const elementsKind = 1;
export const tailKind = 2;
export const indexesKind = 3;
const version = 1;
const fileMagic = ['ARCW', 'CKPT'] as const;
const manifestMagic = ['ARCW', 'MNFT'] as const;
const manifestHeaderBytes = 32;

/** Block words (assembly/checkpoint/format.ts). */
export const blockHeaderBytes = 40;
const blockChecksumAt = 4;

export interface DescribedFile {
  /** Behind the primary name. */
  readonly suffix: string;
  readonly kind: string;
  readonly required: boolean;
  readonly bytes: number;
  readonly checksum: number;
}

export interface Description {
  readonly namespaceId: string;
  /** 32 hexadecimal digits, the same in each file's header. */
  readonly saveId: string;
  readonly engineVersion: string;
  readonly createdAtMs: number;
  readonly nextId: number;
  readonly vertexCount: number;
  readonly edgeCount: number;
  readonly anchor: Anchor;
  /** Ids of the element files are below this; the tail brings the others. */
  readonly elementIds: number;
  /** Number of the frame before the tail's first, and number of the tail's frames. */
  readonly tail: { readonly from: number; readonly frames: number };
  /** Frames of the file of indexes, numbered from 1. */
  readonly indexFrames?: number;
  readonly files: readonly DescribedFile[];
  readonly sections: readonly { readonly kind: number; readonly required: boolean; readonly bytes: number }[];
}

/** What is wrong with bytes that should be one of the above. */
export interface BadFile {
  readonly reason: 'notACheckpoint' | 'unsupported' | 'corrupt';
  readonly problem: string;
}

const encoder = new TextEncoder();

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function putMagic(bytes: Uint8Array, magic: readonly [string, string]): void {
  bytes.set(encoder.encode(magic[0] + magic[1]));
}

function hasMagic(bytes: Uint8Array, magic: readonly [string, string]): boolean {
  return bytes.length >= 8 && startsLike(bytes, magic);
}

/** True for the magic, or as much of it as there are bytes. */
function startsLike(bytes: Uint8Array, magic: readonly [string, string]): boolean {
  return encoder.encode(magic[0] + magic[1]).every((byte, i) => i >= bytes.length || bytes[i] === byte);
}

export function encodeFileHeader(kind: number, saveId: string, partition: number, crc32: Crc32): Uint8Array {
  const bytes = new Uint8Array(fileHeaderBytes);
  const view = new DataView(bytes.buffer);
  putMagic(bytes, fileMagic);
  view.setUint32(8, version, true);
  view.setUint32(12, kind, true);
  for (let i = 0; i < 16; i++) bytes[16 + i] = Number.parseInt(saveId.slice(2 * i, 2 * i + 2), 16);
  view.setUint32(32, partition, true);
  view.setUint32(60, crc32(bytes, 0, 60, 0), true);
  return bytes;
}

/** The header's checksum when it is exactly the header that a file should have. */
export function checkFileHeader(bytes: Uint8Array, wanted: Uint8Array): number | BadFile {
  for (let i = 0; i < fileHeaderBytes; i++) {
    if (bytes[i] !== wanted[i]) return { reason: 'corrupt', problem: 'its header is not that of this checkpoint' };
  }
  return checksumOfHeader(wanted);
}

export function checksumOfHeader(header: Uint8Array): number {
  return new DataView(header.buffer, header.byteOffset).getUint32(60, true);
}

/** The checksum of a block, given that of the one before. */
export function blockChecksum(block: Uint8Array, before: number, crc32: Crc32): number {
  return crc32(block, 8, block.length, crc32(block, 0, 4, before));
}

/** Writes the block's checksum into it. */
export function sealBlock(block: Uint8Array, before: number, crc32: Crc32): number {
  const checksum = blockChecksum(block, before, crc32);
  new DataView(block.buffer, block.byteOffset).setUint32(blockChecksumAt, checksum, true);
  return checksum;
}

/** What the block whose first words stand at `at` says of itself. */
export function blockWords(bytes: Uint8Array, at: number): BlockWords {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  return {
    bytes: view.getUint32(0, true),
    checksum: view.getUint32(blockChecksumAt, true),
    firstId: view.getUint32(8, true),
    idCount: view.getUint32(12, true),
  };
}

export interface BlockWords {
  readonly bytes: number;
  readonly checksum: number;
  readonly firstId: number;
  readonly idCount: number;
}

export function encodeManifest(description: Description, sections: readonly Uint8Array[], crc32: Crc32): Uint8Array {
  const text = encoder.encode(JSON.stringify(description));
  const sectionBytes = sections.reduce((sum, section) => sum + section.length, 0);
  const bytes = new Uint8Array(manifestHeaderBytes + text.length + sectionBytes);
  const view = new DataView(bytes.buffer);
  putMagic(bytes, manifestMagic);
  view.setUint32(8, version, true);
  view.setUint32(16, text.length, true);
  view.setUint32(20, sectionBytes, true);
  bytes.set(text, manifestHeaderBytes);
  let at = manifestHeaderBytes + text.length;
  for (const section of sections) {
    bytes.set(section, at);
    at += section.length;
  }
  view.setUint32(12, crc32(bytes, 0, bytes.length, 0), true);
  return bytes;
}

export function decodeManifest(
  given: Uint8Array,
  crc32: Crc32,
): { description: Description; sections: Uint8Array[] } | BadFile {
  if (given.length < manifestHeaderBytes || !hasMagic(given, manifestMagic)) {
    return { reason: 'notACheckpoint', problem: 'it is no checkpoint' };
  }
  const bytes = given.slice();
  const view = new DataView(bytes.buffer);
  const checksum = view.getUint32(12, true);
  view.setUint32(12, 0, true);
  if (crc32(bytes, 0, bytes.length, 0) !== checksum)
    return { reason: 'corrupt', problem: 'its checksum does not hold' };
  if (view.getUint32(8, true) !== version) {
    return {
      reason: 'unsupported',
      problem: `it has version ${view.getUint32(8, true)}, this reads version ${version}`,
    };
  }
  const textEnd = manifestHeaderBytes + view.getUint32(16, true);
  const description = descriptionIn(bytes.subarray(manifestHeaderBytes, textEnd));
  if (description === null) return { reason: 'corrupt', problem: 'it describes no checkpoint' };
  let at = textEnd;
  const sections = description.sections.map((section) => {
    at += section.bytes;
    return bytes.subarray(at - section.bytes, at);
  });
  return { description, sections };
}

/** Null for what is not as `Description` has it; checksums are no proof of where a file comes from. */
function descriptionIn(bytes: Uint8Array): Description | null {
  let value: Partial<Description>;
  try {
    value = Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
  const { namespaceId, saveId, engineVersion, anchor, tail, indexFrames = 0, files, sections } = value;
  const texts = [namespaceId, engineVersion];
  const numbers = [value.createdAtMs, value.nextId, value.vertexCount, value.edgeCount, value.elementIds, indexFrames];
  const places = [anchor?.sequence, anchor?.chain, tail?.from, tail?.frames];
  const good =
    texts.every((text) => typeof text === 'string') &&
    [saveId, anchor?.epoch].every((id) => typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)) &&
    [...numbers, ...places].every(isCount) &&
    Array.isArray(files) &&
    files.every((file) => isDescribed(file) && typeof file.kind === 'string' && /^_\w+$/.test(file.suffix)) &&
    Array.isArray(sections) &&
    sections.every((section) => isDescribed(section) && isCount(section.kind));
  return good ? (value as Description) : null;
}

function isDescribed(one: unknown): boolean {
  const { required, bytes } = Object(one) as Partial<DescribedFile>;
  return typeof required === 'boolean' && isCount(bytes);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The primary that a file of this name would be a part of; null when no part has such a name. */
export function primaryOfPart(name: string): string | null {
  return /^(.+)_(?:elements_\d+|tail|indexes)$/.exec(name)?.[1] ?? null;
}

/** Whether a file that begins with these bytes, its first eight or all it has, is a part of a checkpoint or was to become one. */
export function beginsAsPart(bytes: Uint8Array): boolean {
  return startsLike(bytes, fileMagic);
}
