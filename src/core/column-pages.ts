// The memory that a graph's columns take, written to for the first time by another thread: a system gives a process memory when it is first
// written to, a page of 4 KiB at a time. Where that takes 2.4 us, a load spends as long on it as on reading its blocks.
//
// Each page of columns is taken once, by the thread that touches it or by the loader, and nobody else writes to it meanwhile. Touching writes
// zeros, which do no harm before a block is read into the page, and takes a millisecond.

import type { Core } from './core.ts';

/** Ids of one page of columns. */
const pageIds = 65_536;
/** What a system gives at a time, or a part of it. */
const systemPageWords = 1024;

const untouched = 0;
const touching = 1;
const taken = 2;

export class ColumnPages {
  /** Address of each page. */
  private readonly addresses: readonly number[];
  private readonly pageBytes: number;
  /** Shared: one of the above for each page. */
  private readonly states: Int32Array;

  private constructor(addresses: readonly number[], pageBytes: number, states: Int32Array) {
    this.addresses = addresses;
    this.pageBytes = pageBytes;
    this.states = states;
  }

  /** Those of a graph whose ids are all below `ids`, in a shared memory. */
  static of({ instance }: Core, graph: number, ids: number): ColumnPages {
    const count = Math.ceil(ids / pageIds);
    const addresses = Array.from(
      { length: count },
      (_, page) => instance.exports.loadPage(graph, page * pageIds) >>> 0,
    );
    const states = new Int32Array(new SharedArrayBuffer(4 * count));
    return new ColumnPages(addresses, instance.exports.loadPageBytes(), states);
  }

  /** The same pages on another thread, out of what came as a message. */
  static from({ addresses, pageBytes, states }: ColumnPagesMessage): ColumnPages {
    return new ColumnPages(addresses, pageBytes, states);
  }

  get message(): ColumnPagesMessage {
    const { addresses, pageBytes, states } = this;
    return { addresses, pageBytes, states };
  }

  /** Touches what nobody has taken, in the order of ids. */
  touch(memory: WebAssembly.Memory): void {
    const words = new Int32Array(memory.buffer);
    for (const [page, address] of this.addresses.entries()) {
      if (Atomics.compareExchange(this.states, page, untouched, touching) !== untouched) continue;
      const end = (address + this.pageBytes) / 4;
      for (let word = address / 4; word < end; word += systemPageWords) words[word] = 0;
      Atomics.store(this.states, page, taken);
    }
  }

  /** Takes the pages of `count` ids from `from` on; false while one of them is being touched. */
  take(from: number, count: number): boolean {
    const end = Math.min(this.states.length, Math.ceil((from + count) / pageIds));
    for (let page = Math.floor(from / pageIds); page < end; page++) {
      if (Atomics.compareExchange(this.states, page, untouched, taken) === touching) return false;
    }
    return true;
  }

  /** Takes all that nobody has taken. */
  takeAll(): void {
    for (let page = 0; page < this.states.length; page++) Atomics.compareExchange(this.states, page, untouched, taken);
  }
}

export interface ColumnPagesMessage {
  readonly addresses: readonly number[];
  readonly pageBytes: number;
  readonly states: Int32Array;
}
