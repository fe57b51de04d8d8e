// Linear memories for cores. A shared memory is created at full size: it costs nothing until touched and no view over it ever
// goes stale. The engine does not collect dropped shared memories, so a dropped namespace's memory is zeroed and used again.

import { pageTable } from './layout.ts';

const pageBytes = 65536;
const maxPages = 65536;

/** What a home gives: whether its cores share memory between threads. */
export interface MemoryHome {
  readonly shared: boolean;
}

export class MemoryPool {
  private readonly home: MemoryHome;
  private readonly free: WebAssembly.Memory[] = [];
  private static readonly pools = new WeakMap<MemoryHome, MemoryPool>();

  /** One for all services over the same core. */
  static of(home: MemoryHome): MemoryPool {
    const pool = MemoryPool.pools.get(home) ?? new MemoryPool(home);
    MemoryPool.pools.set(home, pool);
    return pool;
  }

  constructor(home: MemoryHome) {
    this.home = home;
  }

  /** A memory of zeros. Throws RangeError when the platform has no address space left for one. */
  take(): WebAssembly.Memory {
    const pooled = this.free.pop();
    if (pooled !== undefined) return pooled;
    if (this.home.shared) return new WebAssembly.Memory({ initial: maxPages, maximum: maxPages, shared: true });
    return new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  }

  /** Takes a memory back; its first `usedPages` pages may have been touched. Only a shared memory is worth keeping. */
  give(memory: WebAssembly.Memory, usedPages: number): void {
    if (!this.home.shared) return;
    const { at, bytes, entryBytes } = pageTable;
    clear(new Uint32Array(memory.buffer, 0, (at + usedPages * entryBytes) / 4));
    const behind = at + bytes;
    if (usedPages * pageBytes > behind)
      clear(new Uint32Array(memory.buffer, behind, (usedPages * pageBytes - behind) / 4));
    this.free.push(memory);
  }
}

/** Words of 4 KiB, what the system hands out at a time. */
const blockWords = 1024;

/**
 * Zeroes what is not zero. The system backs what is only read of a shared memory too, so the page table is left alone behind its entries of
 * pages that were used. Writing zeros everywhere would make the system back every page of a column that was never used: 200
 * small namespaces dropped at once took 350 MB that way.
 */
function clear(words: Uint32Array): void {
  for (let from = 0; from < words.length; from += blockWords) {
    const end = from + blockWords;
    let at = from;
    while (at < end && words[at] === 0) at++;
    if (at < end) words.fill(0, at, end);
  }
}
