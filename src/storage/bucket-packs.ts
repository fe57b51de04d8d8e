// Objects of a log in a bucket (bucket-log.ts) once more, a stretch of frames in one: who reads much asks for fewer.
//
//   <prefix>packs/<15 digits>   of the first frame: u32 CRC-32 of the rest, then of each object u32 length and its bytes
//
// What has its place in the log never changes, so a pack is right whoever puts it and whenever; and where there is none, its objects are asked for.

import type { Checksum } from './bucket-entries.ts';
import type { ObjectStore, PutOnce } from './objects.ts';

const framesInPack = 256;
/** Of longer ones there is no pack: their objects are not small. */
const mostPackBytes = 4 * 1024 * 1024;
/** A read that asks for such a part of a stretch at once asks for the pack. */
const packsFrom = 1 / 8;
const digits = 15;

export interface PacksOptions {
  readonly store: ObjectStore;
  /** Of the same store. */
  readonly entries: PutOnce;
  readonly prefix: string;
  readonly crc32: Checksum;
  /** Missing: 256. */
  readonly packFrames?: number;
}

export class Packs {
  private readonly options: PacksOptions;
  private readonly frames: number;
  private readonly under: string;
  /** Objects that were put one behind the other, from the beginning of a stretch on. */
  private adding: { readonly first: number; readonly objects: Uint8Array[]; bytes: number } | null = null;

  constructor(options: PacksOptions) {
    this.options = options;
    this.frames = options.packFrames ?? framesInPack;
    this.under = `${options.prefix}packs/`;
  }

  /** What follows does not follow what was added. */
  begin(): void {
    this.adding = null;
  }

  /** The object of frame `at` is in its place, and `next` comes behind it. */
  add(at: number, next: number, object: Uint8Array): void {
    if (at % this.frames === 0) this.adding = { first: at, objects: [], bytes: 0 };
    const { adding } = this;
    if (adding === null) return;
    adding.objects.push(object);
    adding.bytes += object.length;
    const isTooLong = adding.bytes > mostPackBytes;
    if (isTooLong || next >= adding.first + this.frames) this.adding = null;
    if (isTooLong || this.adding !== null) return;
    const put = this.options.entries.putIfAbsent(this.nameOf(adding.first), this.packed(adding.objects));
    put.catch(() => {}); // its objects are there
  }

  /** How many of `count` objects to ask for, so that the next stretch can be had whole. */
  most(at: number, count: number): number {
    return Math.min(count, this.frames - (at % this.frames));
  }

  /** The objects of the stretch that begins there, for a read that would ask for `count`; null: it is to ask for those. */
  async at(from: number, count: number): Promise<Uint8Array[] | null> {
    if (from % this.frames !== 0 || count < packsFrom * this.frames) return null;
    const found = await this.options.entries.get(this.nameOf(from));
    return found === null ? null : this.unpacked(found.bytes);
  }

  /** Deletes those that nobody reads any more. */
  async clearBelow(first: number): Promise<void> {
    const { entries, store } = this.options;
    for (const name of await store.list(this.under))
      if (Number(name.slice(this.under.length)) < first) await entries.delete(name);
  }

  private nameOf(first: number): string {
    return this.under + String(first).padStart(digits, '0');
  }

  private packed(objects: readonly Uint8Array[]): Uint8Array {
    const bytes = new Uint8Array(objects.reduce((sum, { length }) => sum + 4 + length, 4));
    const view = new DataView(bytes.buffer);
    let at = 4;
    for (const object of objects) {
      view.setUint32(at, object.length, true);
      bytes.set(object, at + 4);
      at += 4 + object.length;
    }
    view.setUint32(0, this.options.crc32(bytes, 4, bytes.length, 0), true);
    return bytes;
  }

  /** Null: it is not what was put. */
  private unpacked(bytes: Uint8Array): Uint8Array[] | null {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 4 || view.getUint32(0, true) !== this.options.crc32(bytes, 4, bytes.length, 0)) return null;
    const objects: Uint8Array[] = [];
    for (let at = 4; at < bytes.length; ) {
      const end = at + 4 + view.getUint32(at, true);
      objects.push(bytes.subarray(at + 4, end));
      at = end;
    }
    return objects;
  }
}
