// The bytes of a log's objects in a bucket, and their names (bucket-log.ts has the layout).

import type { LogBatch } from './shared-log.ts';

const version = 1;
const kinds = { batch: 1, fence: 2 } as const;
const headBytes = 28;

/** Continues `seed` over `bytes` from `start` to `end`. */
export type Checksum = (bytes: Uint8Array, start: number, end: number, seed: number) => number;

/** An object of the log is missing or is not what was put: the log must not be read as if it ended there. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
}

export interface Entry extends LogBatch {
  readonly isFence: boolean;
}

export function encodedEntry({ bytes, firstSequence, frameCount, isFence, term }: Entry, crc32: Checksum): Uint8Array {
  const whole = new Uint8Array(headBytes + bytes.length);
  const view = new DataView(whole.buffer);
  whole[4] = version;
  whole[5] = isFence ? kinds.fence : kinds.batch;
  view.setUint32(8, frameCount, true);
  view.setBigUint64(12, BigInt(term), true);
  view.setBigUint64(20, BigInt(firstSequence), true);
  whole.set(bytes, headBytes);
  view.setUint32(0, crc32(whole, 4, whole.length, 0), true);
  return whole;
}

/** The object of frame `number`. Throws LogDamaged for one that is not what was put. */
export function decodedEntry(number: number, bytes: Uint8Array, crc32: Checksum): Entry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWhole = bytes.length >= headBytes && view.getUint32(0, true) === crc32(bytes, 4, bytes.length, 0);
  if (!isWhole) throw new LogDamaged(`The object of frame ${number} is damaged.`);
  if (bytes[4] !== version) throw new LogDamaged(`The object of frame ${number} has the version ${bytes[4]}.`);
  return {
    ...{ isFence: bytes[5] === kinds.fence, frameCount: view.getUint32(8, true) },
    term: Number(view.getBigUint64(12, true)),
    firstSequence: Number(view.getBigUint64(20, true)),
    bytes: bytes.subarray(headBytes),
  };
}

const digits = 15;
/** Of a number in the last part of a name: a thousand objects share a directory. */
const lowDigits = 3;
const inFolder = 10 ** lowDigits;
/** A whole log has tens of thousands of objects; of one that may end in more folders than this, all is listed. */
const mostFolders = 4;

/** Names of a log's objects, by their first frames. */
export class EntryNames {
  private readonly under: string;

  constructor(prefix: string) {
    this.under = `${prefix}log/`;
  }

  of(number: number): string {
    return this.folder(Math.floor(number / inFolder)) + String(number % inFolder).padStart(lowDigits, '0');
  }

  numberIn(name: string): number {
    return Number(name.slice(this.under.length).replace('/', ''));
  }

  /** What names begin with, from the one of frame `from` to those of the folder behind that of frame `to`, at least. */
  between(from: number, to: number): string[] {
    const first = Math.floor(from / inFolder);
    const count = Math.floor(to / inFolder) - first + 2;
    return count > mostFolders ? [this.under] : Array.from({ length: count }, (_, i) => this.folder(first + i));
  }

  private folder(thousand: number): string {
    return `${this.under}${String(thousand).padStart(digits - lowDigits, '0')}/`;
  }
}
