// The newest frames of a namespace (frames.ts), kept in memory for those that follow it. A frame can be read when it is durable and its events are
// published; so what others have seen is never lost here. The oldest ones go when there are too many bytes: who has not read them by then begins
// again with a checkpoint. A frame that will not be durable empties the tail, which goes on when the log does.
//
// One tail a namespace, whatever graph takes the place of another in it. It knows frames and positions; what a payload means is not its business.

import type { Crc32 } from '../log/crc32.ts';
import type { HistoryPosition } from '../state-hash.ts';
import { frameBytes, frameKinds, frameMark, sealFrame, writeFrame } from './frames.ts';

const smallestBlockBytes = 64 * 1024;
const ignored = (): void => {};

export interface TailOptions {
  readonly crc32: Crc32;
  /** Of all frames that are kept; a single one may be larger. */
  readonly limitBytes: number;
}

/** What is committed, as the engine hands it over. */
export interface TailEntry {
  /** Copied. */
  readonly payload: Uint8Array;
  readonly kind: keyof typeof frameKinds;
  readonly committedMs: number;
  /** Of the frame. */
  readonly position: HistoryPosition;
}

/** Frames that can be read, as bytes. */
export interface TailRead {
  /** The frame before the first of them. */
  readonly before: HistoryPosition;
  /** Sequence of the last change event before them. */
  readonly feedSequence: number;
  readonly blocks: readonly Uint8Array[];
  /** The last of them; `before` when there is none. */
  readonly last: HistoryPosition;
}

/** Consecutive frames in one buffer. */
class Block {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where each frame begins; of frame `first` the first one. */
  readonly starts: number[] = [];
  readonly first: number;
  used = 0;

  constructor(bytes: number, first: number) {
    this.bytes = new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer);
    this.first = first;
  }

  get last(): number {
    return this.first + this.starts.length - 1;
  }

  /** Where frame `sequence` begins; the end of the last one for the one behind it. */
  startOf(sequence: number): number {
    return this.starts[sequence - this.first] ?? this.used;
  }
}

interface Mark {
  readonly sequence: number;
  readonly chain: number;
  readonly feedSequence: number;
}

export class FrameTail {
  private readonly options: TailOptions;
  private blocks: Block[] = [];
  private bytes = 0;
  private epoch = '';
  /** The frame before the first that is kept. */
  private floor: Mark = { sequence: 0, chain: 0, feedSequence: 0 };
  /** The last frame that can be read, and the last one there is. */
  private readable: Mark = this.floor;
  private newest: { readonly sequence: number; readonly chain: number } = this.floor;
  private open = false;
  /** Another number whenever all frames went: what was promised of them is void. */
  private generation = 0;
  private waiting: (() => void)[] = [];

  constructor(options: TailOptions) {
    this.options = options;
  }

  /** The last frame that can be read; null while the log is not known to go on. */
  get position(): HistoryPosition | null {
    const { sequence, chain } = this.readable;
    return this.open ? { epoch: this.epoch, sequence, chain } : null;
  }

  /**
   * The state at `position` is there, and the log goes on behind it: its checkpoint before a replay, its end behind one. Frames that lead there
   * stay. `feedSequence`: of the last event that was published.
   */
  begin(position: HistoryPosition, feedSequence: number): void {
    const { epoch, sequence, chain } = position;
    const isKnown = sequence === this.newest.sequence && chain === this.newest.chain;
    if (!isKnown || (this.epoch !== '' && epoch !== '' && this.epoch !== epoch))
      this.clear({ sequence, chain, feedSequence });
    this.epoch = epoch;
    this.open = true;
    this.wake();
  }

  /** A frame that a start has read in the log, behind where the tail has begun; its events were published by another process. */
  replayed(payload: Uint8Array, sequence: number, chain: number): void {
    this.put({ payload, kind: 'nothing', committedMs: 0, position: { epoch: '', sequence, chain } });
    this.seal(sequence, chain, 0);
  }

  /**
   * A frame that was just appended to the log. Answers what is to be told what became of it, in the order of the frames. `published`: the sequence
   * of the last event of what is durable by then, when it is there.
   */
  append(entry: TailEntry, published: () => number | Promise<number>): (isDurable: boolean) => void {
    const { sequence, chain } = entry.position;
    if (!this.open || sequence !== this.newest.sequence + 1) {
      this.lose();
      return ignored;
    }
    this.put(entry);
    const { generation } = this;
    return (isDurable) => {
      if (this.generation !== generation) return;
      if (!isDurable) {
        this.lose();
        return;
      }
      const feedSequence = published();
      if (typeof feedSequence === 'number') this.seal(sequence, chain, feedSequence);
      else
        void feedSequence.then((late) => {
          if (this.generation === generation) this.seal(sequence, chain, late);
        });
    };
  }

  /** The log lacks something that is in the graph: nothing can be read until it goes on. */
  lose(): void {
    this.open = false;
    this.clear({ sequence: -1, chain: Number.NaN, feedSequence: 0 });
    this.wake();
  }

  /** Frames behind `from`, about `limitBytes` of them; null when they are not here. */
  read(from: number, limitBytes: number): TailRead | null {
    if (!this.open || from < this.floor.sequence || from > this.readable.sequence) return null;
    const before = this.markOf(from);
    const blocks: Uint8Array[] = [];
    let last = from;
    let bytes = 0;
    for (const block of this.blocks) {
      if (block.last <= from || last === this.readable.sequence || bytes >= limitBytes) continue;
      const start = block.startOf(last + 1);
      let end = Math.min(block.last, this.readable.sequence);
      while (end > last + 1 && bytes + block.startOf(end + 1) - start > limitBytes) end--;
      const part = block.bytes.subarray(start, block.startOf(end + 1));
      bytes += part.length;
      blocks.push(part);
      last = end;
      if (end < block.last) break;
    }
    const { epoch } = this;
    const { sequence, chain } = this.markOf(last);
    return {
      before: { epoch, sequence: from, chain: before.chain },
      feedSequence: before.feedSequence,
      blocks,
      last: { epoch, sequence, chain },
    };
  }

  /** Resolves when there is something to read behind `sequence`, when nothing can be read, or after `ms`. */
  async changed(sequence: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.open || this.readable.sequence > sequence) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.waiting = this.waiting.filter((one) => one !== end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
      this.waiting.push(end);
    });
  }

  private put({ payload, kind, committedMs, position: { sequence, chain } }: TailEntry): void {
    const bytes = frameBytes(payload.length);
    let block = this.blocks.at(-1);
    if (block === undefined || block.used + bytes > block.bytes.length) {
      // Doubling, so that a namespace with few writes keeps little.
      const size = Math.max(
        bytes,
        Math.min(this.options.limitBytes / 8, Math.max(smallestBlockBytes, 2 * (block?.bytes.length ?? 0))),
      );
      block = new Block(Math.ceil(size / 8) * 8, sequence);
      this.blocks.push(block);
      this.bytes += block.bytes.length;
      this.letGo();
    }
    writeFrame(block.bytes, block.view, block.used, {
      kind: frameKinds[kind],
      sequence,
      checksum: chain,
      committedMs,
      payload,
    });
    block.starts.push(block.used);
    block.used += bytes;
    this.newest = { sequence, chain };
  }

  private seal(sequence: number, chain: number, feedSequence: number): void {
    const block = this.blocks.findLast(({ first }) => first <= sequence);
    if (block === undefined) return;
    sealFrame(block.bytes, block.view, block.startOf(sequence), feedSequence, this.options.crc32);
    this.readable = { sequence, chain, feedSequence };
    this.wake();
  }

  private letGo(): void {
    while (this.bytes > this.options.limitBytes && this.blocks.length > 1) {
      const [oldest] = this.blocks as [Block];
      if (oldest.last > this.readable.sequence) return;
      this.floor = this.markOf(oldest.last);
      this.blocks.shift();
      this.bytes -= oldest.bytes.length;
    }
  }

  /** Of a frame that is kept, or the floor. */
  private markOf(sequence: number): Mark {
    if (sequence === this.floor.sequence) return this.floor;
    const block = this.blocks.findLast(({ first }) => first <= sequence) as Block;
    return { sequence, ...frameMark(block.view, block.startOf(sequence)) };
  }

  private clear(floor: Mark): void {
    this.generation++;
    this.blocks = [];
    this.bytes = 0;
    this.floor = floor;
    this.readable = floor;
    this.newest = floor;
  }

  private wake(): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
