// One instance of the core over one memory: instantiation, the views, the input and output buffers. Everything in src/core that
// moves bytes across the boundary goes through here; nothing else holds a view, because a plain memory's views go stale.

import type { CoreExports } from './exports.ts';
import { InstalledFunctions } from './functions.ts';
import { elementColumns, firstColumnWord, firstPage, firstPageWord } from './layout.ts';
import { readText } from './text.ts';
import { Turns } from './turns.ts';

/** The compiled core. `shared` says which of the two binaries it is; the memory must match. */
export interface CoreBinary {
  readonly module: WebAssembly.Module;
  readonly shared: boolean;
}

/** A check of the debug build failed: a defect of the core, never of its input. */
class CoreCheckFailed extends Error {
  override readonly name = 'CoreCheckFailed';
  readonly code: number;

  constructor(code: number) {
    super(`Core check ${code} failed.`);
    this.code = code;
  }
}

/** The layout this host was written for; the core states its own (assembly/memory/layout.ts). */
const layoutVersion = 1;

const slabBytes = 64 * 1024;
const smallOutputBytes = 4 * 1024;
/** Buffers up to this size stay under every memory limit (assembly/memory/arena.ts). */
const largeBufferBytes = 256 * 1024;
/** More than there can be. */
const allPages = 65536;

export class CoreInstance {
  readonly exports: CoreExports;
  readonly memory: WebAssembly.Memory;
  /** What the core calls by `call_indirect`. */
  readonly functions: InstalledFunctions;
  /** For searches that give way; null unless the binary is made for it. */
  readonly turns: Turns | null;
  /** Called by searches as often as they look at their stop word; it may throw. */
  onPulse: (() => void) | null = null;
  private readonly growing: boolean;
  private byteView: Uint8Array;
  private wordView: Uint32Array;
  private slab = new Uint8Array(0);
  private slabUsed = slabBytes;

  constructor(binary: CoreBinary, memory: WebAssembly.Memory) {
    const abort = (code: number): never => {
      throw new CoreCheckFailed(code);
    };
    const pulse = (): void => this.pulse();
    const instance = new WebAssembly.Instance(binary.module, { env: { memory, abort, pulse } });
    this.exports = instance.exports as CoreExports;
    this.memory = memory;
    this.functions = new InstalledFunctions(this.exports.table);
    this.turns = Turns.of(this);
    this.growing = !binary.shared;
    this.byteView = new Uint8Array(memory.buffer);
    this.wordView = new Uint32Array(memory.buffer);
    for (const [index, column] of Object.values(elementColumns).entries()) {
      if (this.exports.layoutWord(firstColumnWord + index) !== column)
        throw new Error('The columns of the core have moved.');
    }
    if (this.exports.layoutWord(firstPageWord) !== firstPage) throw new Error('The page table of the core has moved.');
    if (this.exports.layoutWord(0) !== layoutVersion) {
      throw new Error(`The core has layout ${this.exports.layoutWord(0)}, this host reads layout ${layoutVersion}.`);
    }
  }

  private pulse(): void {
    if (this.turns?.resumed() === true) return;
    this.onPulse?.();
    if (this.turns?.isOver === true) this.turns.leave();
  }

  /** All of memory as bytes. Ask again after every call that may grow a plain memory. */
  get bytes(): Uint8Array {
    if (this.growing && this.byteView.buffer !== this.memory.buffer) this.refresh();
    return this.byteView;
  }

  /** All of memory as 32-bit words. */
  get words(): Uint32Array {
    if (this.growing && this.byteView.buffer !== this.memory.buffer) this.refresh();
    return this.wordView;
  }

  private refresh(): void {
    this.byteView = new Uint8Array(this.memory.buffer);
    this.wordView = new Uint32Array(this.memory.buffer);
  }

  /**
   * Address of an input buffer of at least `bytes` bytes; null when there is no memory. It may take headroom, so that what a full memory
   * is asked can be asked.
   */
  input(bytes: number): number | null {
    const address = this.exports.inputEnsure(bytes) >>> 0;
    if (address !== 0) return address;
    return this.lending(() => this.exports.inputEnsure(bytes) >>> 0) || null;
  }

  /** Runs what must not fail because the memory is full: what it takes may be headroom (assembly/memory/allocator.ts). Writer only. */
  lending<T>(run: () => T): T {
    const before = this.exports.memoryLend(allPages);
    try {
      return run();
    } finally {
      this.exports.memoryLend(before);
    }
  }

  /**
   * The output buffer's contents, copied: the caller's to keep. Small outputs share a slab, because an ArrayBuffer of its own costs
   * about 4 µs, a quarter of what a whole request may take.
   */
  takeOutput(): Uint8Array<ArrayBuffer> {
    const base = this.exports.outBase() >>> 0;
    const length = this.exports.outUsed() >>> 0;
    // Never a view of the slab: one of a slab that is empty yet is all of it, and whoever moves it to another thread takes the slab along.
    if (length === 0) return new Uint8Array(0);
    if (length > smallOutputBytes) {
      const copy = this.bytes.slice(base, base + length) as Uint8Array<ArrayBuffer>;
      this.trimAfter(length);
      return copy;
    }
    if (this.slabUsed + length > slabBytes) {
      this.slab = new Uint8Array(slabBytes);
      this.slabUsed = 0;
    }
    const copy = this.slab.subarray(this.slabUsed, this.slabUsed + length);
    copy.set(this.bytes.subarray(base, base + length));
    this.slabUsed += length;
    return copy;
  }

  /** Gives back the buffers that a request or answer of `bytes` has blown up; their contents are lost. */
  trimAfter(bytes: number): void {
    if (bytes > largeBufferBytes) this.exports.arenaTrim();
  }

  /** Number of bytes in the output buffer. */
  outputBytes(): number {
    return this.exports.outUsed() >>> 0;
  }

  /** The string of `length` WTF-8 bytes at `address`. */
  text(address: number, length: number): string {
    return readText(this.bytes, address, length);
  }
}
