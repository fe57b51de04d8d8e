// The memory test module for the tests beside it: instances over one shared memory, and the class sizes as the design says
// them, worked out here a second time.

import { readFileSync } from 'node:fs';

export const BUILDS = ['release', 'debug'] as const;
export type Build = (typeof BUILDS)[number];

export const PAGE = 65536;
export const FIRST_PAGE = 19;
export const NONE = -1; // as the 32-bit word comes back
export const ELEMENTS = 0;
export const ADJACENCY = 1;
export const PROPERTIES = 2;
export const STRINGS = 3;
export const SCRATCH = 6;
export const SYSTEM = 7;
export const PURPOSES = 8;

/** Every export takes and returns 32-bit numbers; those above 2^31 come back negative. */
export type Exports = Record<string, (...values: number[]) => number>;

const modules = new Map<Build, WebAssembly.Module>();

export function moduleOf(build: Build): WebAssembly.Module {
  const known = modules.get(build);
  if (known) return known;
  const name = build === 'debug' ? 'memory.debug.wasm' : 'memory.wasm';
  const module = new WebAssembly.Module(readFileSync(new URL(`../../dist/wasm/test/${name}`, import.meta.url)));
  modules.set(build, module);
  return module;
}

/** One more instance over the memory. A failed check throws `check <code>`. */
export function attach(build: Build, memory: WebAssembly.Memory): Exports {
  const abort = (code: number): never => {
    throw new Error(`check ${code}`);
  };
  return new WebAssembly.Instance(moduleOf(build), { env: { memory, abort } }).exports as Exports;
}

/** A writer over a fresh memory that may have `limit` pages; `initial` below the limit makes it grow. */
export function createMemory(build: Build, limit = 4096, initial = limit) {
  const memory = new WebAssembly.Memory({ initial, maximum: Math.max(limit, initial), shared: true });
  const core = attach(build, memory);
  core.memoryInit!(limit);
  return { memory, core, words: () => new Uint32Array(memory.buffer), bytes: () => new Uint8Array(memory.buffer) };
}

export const unsigned = (value: number): number => value >>> 0;

/** Class sizes in ascending order: 8 to 128, eight a doubling to 8 KiB, then parts of a page. */
export const CLASS_BYTES: number[] = [];
for (let bytes = 8; bytes <= 128; bytes += 8) CLASS_BYTES.push(bytes);
for (let base = 128; base < 8192; base *= 2) {
  for (let step = 1; step <= 8; step++) CLASS_BYTES.push(base + (base / 8) * step);
}
for (let parts = 7; parts >= 2; parts--) CLASS_BYTES.push(Math.floor(PAGE / parts / 8) * 8);

export function expectedBytes(bytes: number): number {
  if (bytes > PAGE / 2) return Math.ceil(bytes / PAGE) * PAGE;
  return CLASS_BYTES.find((size) => size >= bytes)!;
}

/** Random numbers from a seed (xorshift), `random(n)` below n. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
