// The head of a GGUF file, as far as a model has to be judged before a runtime reads it: llama.cpp ends its process over a file that is none,
// or that stops short.
//
//   'GGUF'  version u32  tensors u64  pairs u64
//   pair    key text, type u32, value          text: bytes u64, bytes
//   tensor  name text, dimensions u32, each u64, type u32, offset u64 from where the data begins
//   data    at the next multiple of general.alignment (32 unless given)

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface GgufHead {
  readonly architecture: string;
  /** Of the longest text it was made for; null where the file does not say. */
  readonly contextTokens: number | null;
}

/** Bytes of a head, at most: vocabularies of a million words stand in it. */
const maxHeadBytes = 256 * 2 ** 20;
const blockBytes = 2 ** 20;
const usualAlignment = 32;
const versions: readonly number[] = [2, 3];
/** Bytes of a value by its type; those of a text and of a list stand in the file. */
const widths: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const u32 = 4;
const u64 = 10;
const textType = 8;
const listType = 9;

/** Throws Error, which says what of the file is wrong. */
export function readGgufHead(path: string): GgufHead {
  const file = openSync(path, 'r');
  try {
    return headOf(new HeadReader(file, fstatSync(file).size));
  } finally {
    closeSync(file);
  }
}

function headOf(reader: HeadReader): GgufHead {
  if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new Error('it does not begin as a GGUF file does');
  const version = reader.u32();
  if (!versions.includes(version)) throw new Error(`it is of version ${version}; ${versions.join(' and ')} are read`);
  const tensors = reader.u64();
  const pairs = reader.u64();
  const found = new Map<string, string | number>();
  for (let i = 0; i < pairs; i++) {
    const key = reader.text();
    const type = reader.u32();
    if (type === textType) found.set(key, reader.text());
    else if (type === u32) found.set(key, reader.u32());
    else if (type === u64) found.set(key, reader.u64());
    else reader.skipValue(type);
  }
  let last = 0;
  for (let i = 0; i < tensors; i++) {
    reader.text();
    reader.skip(reader.u32() * 8 + u32);
    last = Math.max(last, reader.u64());
  }
  const alignment = Number(found.get('general.alignment') ?? usualAlignment);
  if (tensors === 0) throw new Error('it holds no tensor');
  if (Math.ceil(reader.at / alignment) * alignment + last >= reader.size)
    throw new Error('it stops short of its tensors');
  const architecture = String(found.get('general.architecture') ?? '');
  const tokens = Number(found.get(`${architecture}.context_length`));
  return { architecture, contextTokens: Number.isInteger(tokens) && tokens > 0 ? tokens : null };
}

/** Reads forward, a block at a time. */
class HeadReader {
  at = 0;
  readonly size: number;
  private readonly file: number;
  private block = Buffer.alloc(0);
  private blockAt = 0;

  constructor(file: number, size: number) {
    this.file = file;
    this.size = size;
  }

  u32(): number {
    return this.bytes(4).readUInt32LE();
  }

  u64(): number {
    const value = this.bytes(8).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('it holds a length that no file has');
    return Number(value);
  }

  text(): string {
    return this.bytes(this.u64()).toString('utf8');
  }

  skipValue(type: number): void {
    if (type === textType) this.skip(this.u64());
    else if (type === listType) this.skipList();
    else this.skip(this.width(type));
  }

  skip(count: number): void {
    if (this.at + count > Math.min(this.size, maxHeadBytes)) throw new Error('its head stops short, or is too long');
    this.at += count;
  }

  bytes(count: number): Buffer {
    const from = this.at;
    this.skip(count);
    const end = this.blockAt + this.block.byteLength;
    if (from < this.blockAt || from + count > end) this.load(from, Math.max(count, blockBytes));
    return this.block.subarray(from - this.blockAt, from - this.blockAt + count);
  }

  private skipList(): void {
    const type = this.u32();
    const count = this.u64();
    if (type === textType) for (let i = 0; i < count; i++) this.skip(this.u64());
    else this.skip(count * this.width(type));
  }

  private width(type: number): number {
    const width = widths[type];
    if (width === undefined) throw new Error(`it holds a value of the unknown type ${type}`);
    return width;
  }

  private load(from: number, count: number): void {
    const block = Buffer.allocUnsafe(Math.min(count, this.size - from));
    this.block = block.subarray(0, readSync(this.file, block, 0, block.byteLength, from));
    this.blockAt = from;
  }
}
