// The catalogue of a store: which pool file has which name. It lies twice, in `catalogue.a` and `catalogue.b`; the one of the higher
// generation counts, and each change is written over the other one. So a write that is torn leaves the one before it.
//
//   0   8  magic "ARCWCATL"
//   8   4  format, 1; a higher one is a newer version's, whatever stands behind it
//  12   4  bytes of the content
//  16   8  generation (float64, whole, from 1 on)
//  24   4  CRC-32 of the content
//  28   4  CRC-32 of the 28 bytes before it
//  32      content: JSON, a list of [name, file, bytes or null, modifiedMs]
//
// Little-endian. A slot whose first 32 bytes are zero, or missing, was never written. Slots are longer than their content: a change that
// takes no more room than the one before needs none of the disk.

import { crc32With } from '../../src/engine/log/crc32.ts';
import { readWhole, type SyncFile, writeWhole } from './sync-file.ts';

const crc32 = crc32With(undefined);
const magic = new TextEncoder().encode('ARCWCATL');
const headBytes = 32;
const format = 1;
const smallestSlotBytes = 64 * 1024;
/** A catalogue of this size names some 500,000 files: a longer one is no catalogue. */
const largestContentBytes = 64 * 1024 * 1024;

/** A name that is taken. */
export interface Entry {
  /** Number of the pool file. */
  readonly file: number;
  /** Of the content; null for a file that grows, whose content goes to its end. */
  readonly bytes: number | null;
  readonly modifiedMs: number;
}

export type Slot =
  | { readonly kind: 'blank' | 'torn' }
  | { readonly kind: 'newer'; readonly format: number }
  | { readonly kind: 'whole'; readonly generation: number; readonly entries: Map<string, Entry> };

export function readSlot(file: SyncFile): Slot {
  const head = new Uint8Array(headBytes);
  const got = readWhole(file, head, 0);
  if (head.subarray(0, got).every((byte) => byte === 0)) return { kind: 'blank' };
  const view = new DataView(head.buffer);
  if (!magic.every((byte, at) => head[at] === byte) || view.getUint32(28, true) !== crc32(head, 0, 28, 0))
    return { kind: 'torn' };
  const written = view.getUint32(8, true);
  if (written > format) return { kind: 'newer', format: written };
  const bytes = view.getUint32(12, true);
  if (bytes > largestContentBytes) return { kind: 'torn' };
  const content = new Uint8Array(bytes);
  if (readWhole(file, content, headBytes) < bytes) return { kind: 'torn' };
  if (view.getUint32(24, true) !== crc32(content, 0, bytes, 0)) return { kind: 'torn' };
  return { kind: 'whole', generation: view.getFloat64(16, true), entries: entriesOf(content) };
}

/** Durable when it returns. Throws StoreFull, or what the disk says; the slot is torn then, at worst. */
export function writeSlot(file: SyncFile, generation: number, entries: ReadonlyMap<string, Entry>): void {
  const rows = [...entries].map(([name, { file: number, bytes, modifiedMs }]) => [name, number, bytes, modifiedMs]);
  const content = new TextEncoder().encode(JSON.stringify(rows));
  const whole = new Uint8Array(headBytes + content.length);
  const view = new DataView(whole.buffer);
  whole.set(magic);
  view.setUint32(8, format, true);
  view.setUint32(12, content.length, true);
  view.setFloat64(16, generation, true);
  view.setUint32(24, crc32(content, 0, content.length, 0), true);
  view.setUint32(28, crc32(whole, 0, 28, 0), true);
  whole.set(content, headBytes);
  makeRoom(file, whole.length);
  writeWhole(file, whole, 0);
  file.flush();
}

/** Sees to twice what is needed, so that the next changes fit where the disk is full; does without where it is full already. */
function makeRoom(file: SyncFile, bytes: number): void {
  const size = file.getSize();
  if (size >= bytes) return;
  const wanted = Math.max(smallestSlotBytes, 2 * bytes);
  try {
    writeWhole(file, new Uint8Array(wanted - size), size);
  } catch {
    // The content itself may fit all the same; its own write says so if not.
  }
}

function entriesOf(content: Uint8Array): Map<string, Entry> {
  const rows = JSON.parse(new TextDecoder().decode(content)) as [string, number, number | null, number][];
  return new Map(rows.map(([name, file, bytes, modifiedMs]) => [name, { file, bytes, modifiedMs }]));
}
