// Events as the bytes of the stream. An event is encoded when the first subscriber wants it, once, and the same bytes go to all.
// Text is kept in blocks of 256 consecutive events that only grow at their end, so a run of events within a block is a view, not
// a copy. Blocks go when the ring has passed them, when they exceed a budget (they can be made again), or when nobody listens.
//
// Whoever gets a view shares it with other subscribers: it may neither be changed nor transferred.

import {
  edgeCreated,
  elementNames,
  kindNames,
  noName,
  type PersonalReason,
  propertyRemoved,
  propertySet,
  resync,
  storedReasons,
} from './events.ts';
import type { EventRing } from './ring.ts';

const blockEvents = 256;
const firstBlockBytes = 8 * 1024;
const keptBytes = 4 * 1024 * 1024;
/** Most bytes of one chunk, unless a single frame is longer. */
const chunkBytes = 64 * 1024;

interface Block {
  /** Sequence number of its first event. */
  readonly first: number;
  /** Events encoded so far. */
  count: number;
  bytes: Uint8Array;
  /** Where each event ends. */
  readonly ends: Uint32Array;
}

/** Consecutive events up to `last` as one chunk. */
export interface FrameRun {
  readonly bytes: Uint8Array;
  readonly last: number;
}

const encoder = new TextEncoder();

export class FrameCache {
  readonly #ring: EventRing;
  readonly #epoch: string;
  /** By number of block, in the order they were made. */
  readonly #blocks = new Map<number, Block>();
  /** What a new block begins with. */
  #blockBytes = firstBlockBytes;
  #stampMs = Number.NaN;
  #stamp = '';

  constructor(ring: EventRing, epoch: string) {
    this.#ring = ring;
    this.#epoch = epoch;
  }

  /** Text held, in bytes. */
  get bytes(): number {
    let sum = 0;
    for (const block of this.#blocks.values()) sum += block.bytes.length;
    return sum;
  }

  /** As many events as make a chunk, from `first` on, `last` at most. Both must be in the ring. */
  run(first: number, last: number): FrameRun {
    const end = Math.min(last, Math.ceil(first / blockEvents) * blockEvents);
    const block = this.#blockWith(end);
    const start = startOf(block, first);
    let low = first;
    let high = end;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (endOf(block, middle) - start <= chunkBytes) low = middle;
      else high = middle - 1;
    }
    return { bytes: block.bytes.subarray(start, endOf(block, low)), last: low };
  }

  /** As many of the events that `wanted` picks as make a chunk, from `first` on, `last` at most, with how many they are. */
  pick(first: number, last: number, wanted: (sequence: number) => boolean): FrameRun & { readonly count: number } {
    const parts: Uint8Array[] = [];
    let size = 0;
    let taken = first - 1;
    for (let sequence = first; sequence <= last; sequence++) {
      if (!wanted(sequence)) continue;
      const block = this.#blockWith(sequence);
      const part = block.bytes.subarray(startOf(block, sequence), endOf(block, sequence));
      if (parts.length > 0 && size + part.length > chunkBytes) break;
      parts.push(part);
      size += part.length;
      taken = sequence;
    }
    const bytes = new Uint8Array(size);
    let offset = 0;
    for (const part of parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return { bytes, last: taken, count: parts.length };
  }

  /** A resync for one subscriber. */
  resync(reason: PersonalReason, sequence: number, nowMs: number): Uint8Array {
    return encoder.encode(`${this.#head(sequence, resync, nowMs)},"reason":"${reason}"}\n\n`);
  }

  clear(): void {
    this.#blocks.clear();
  }

  /** The block that has the event, encoded at least that far. */
  #blockWith(sequence: number): Block {
    const number = Math.floor((sequence - 1) / blockEvents);
    let block = this.#blocks.get(number);
    // A block that fell behind a short ring cannot be continued: events between its end and the ring are gone.
    if (!block || (sequence >= block.first + block.count && block.first + block.count < this.#ring.oldestKept)) {
      const first = Math.max(number * blockEvents + 1, this.#ring.oldestKept);
      block = { first, count: 0, bytes: new Uint8Array(this.#blockBytes), ends: new Uint32Array(blockEvents) };
      this.#tidy();
      this.#blocks.set(number, block);
    }
    if (sequence >= block.first + block.count) {
      this.#extend(block, Math.min((number + 1) * blockEvents, this.#ring.newest));
    }
    return block;
  }

  /** Encodes the block's events up to `last`: one string for all of them, one conversion. */
  #extend(block: Block, last: number): void {
    const begun = block.first + block.count;
    const used = endOf(block, begun - 1);
    let text = '';
    for (let sequence = begun; sequence <= last; sequence++) {
      text += this.#frame(sequence);
      block.ends[sequence - block.first] = used + text.length;
    }
    makeRoom(block, used, used + text.length);
    const { read } = encoder.encodeInto(text, block.bytes.subarray(used, used + text.length));
    // Fits only when each character is one byte. Some name is not ASCII: count what each frame takes.
    if (read < text.length) {
      let character = 0;
      let end = used;
      for (let sequence = begun; sequence <= last; sequence++) {
        const next = (block.ends[sequence - block.first] as number) - used;
        end += utf8Bytes(text, character, next);
        block.ends[sequence - block.first] = end;
        character = next;
      }
      makeRoom(block, used, end);
      encoder.encodeInto(text, block.bytes.subarray(used, end));
    }
    block.count = last - block.first + 1;
    // The next block will be about as long, so it need not grow.
    if (block.count === blockEvents) this.#blockBytes = Math.ceil(endOf(block, last) * 1.05);
  }

  /** Drops blocks the ring has passed, then the longest made until the rest is within the budget. */
  #tidy(): void {
    let sum = this.bytes;
    for (const [number, block] of this.#blocks) {
      if ((number + 1) * blockEvents >= this.#ring.oldestKept && sum <= keptBytes) continue;
      this.#blocks.delete(number);
      sum -= block.bytes.length;
    }
  }

  #frame(sequence: number): string {
    const { words, names } = this.#ring;
    const record = this.#ring.recordAt(sequence);
    const kind = (words[record] as number) & 0xff;
    const id = words[record + 1] as number;
    const head = this.#head(sequence, kind, this.#ring.timeAt(record));
    if (kind === resync) return `${head},"reason":"${storedReasons[id]}"}\n\n`;
    const label = words[record + 2] as number;
    let text = `${head},"element":"${elementNames[(words[record] as number) >> 8]}","id":${id}`;
    if (label !== noName) text += `,"label":${names.json(label)}`;
    if (kind === edgeCreated) {
      text += `,"edgePropertyId":${names.json(words[record + 3] as number)}`;
      text += `,"source":${words[record + 4]},"target":${words[record + 5]}`;
    } else if (kind === propertySet || kind === propertyRemoved) {
      text += `,"key":${names.json(words[record + 3] as number)}`;
    }
    return `${text}}\n\n`;
  }

  #head(sequence: number, kind: number, timeMs: number): string {
    if (timeMs !== this.#stampMs) {
      this.#stampMs = timeMs;
      this.#stamp = new Date(timeMs).toISOString();
    }
    const name = kindNames[kind] as string;
    return `id: ${this.#epoch}:${sequence}\nevent: ${name}\ndata: {"seq":${sequence},"ts":"${this.#stamp}","kind":"${name}"`;
  }
}

function endOf(block: Block, sequence: number): number {
  return sequence < block.first ? 0 : (block.ends[sequence - block.first] as number);
}

function startOf(block: Block, sequence: number): number {
  return endOf(block, sequence - 1);
}

/** Gives the block at least `bytes`. Views of the old bytes stay as they are. */
function makeRoom(block: Block, used: number, bytes: number): void {
  if (bytes <= block.bytes.length) return;
  const larger = new Uint8Array(Math.max(bytes, block.bytes.length * 2));
  larger.set(block.bytes.subarray(0, used));
  block.bytes = larger;
}

/** Bytes of the characters `start` .. `end` - 1, among which no surrogate is alone. */
function utf8Bytes(text: string, start: number, end: number): number {
  let bytes = end - start;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    // A surrogate counts for two of its pair's four bytes.
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}
