// Compiled fragments in one instance of the core: their modules joined to its memory and functions, their constants in its scratch, their
// functions in its table. Fragments can call what is handed to them here and nothing else. Knows modules and addresses,
// nothing of the language they were written in.

import type { CoreInstance } from './instance.ts';
import { textBound, writeText } from './text.ts';

/** A compiled fragment, as its emitter describes it. */
export interface FragmentModule {
  readonly module: WebAssembly.Module;
  /** The functions of the core it imports are among these. */
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/** The number given to `fail` by a fragment that threw. */
export class FragmentFailure extends Error {
  override readonly name = 'FragmentFailure';
  readonly failure: number;
  /** The message that the fragment gave it; null for the usual one. */
  readonly text: string | null;

  constructor(failure: number, text: string | null = null) {
    super(`A fragment failed with ${failure}.`);
    this.failure = failure;
    this.text = text;
  }
}

/** Fuel of a search: what its fragments may still spend, in slices, so that stop word and budget are looked at in between. */
export interface FuelTank {
  /** The slice in use, counted down by every loop and call; below 0 calls `refuel`. */
  readonly fuel: WebAssembly.Global<'i32'>;
  /** Fills up again or throws. */
  readonly refuel: () => void;
}

/** An id no name has: a constant that is no name of the graph equals no label, type or key. */
export const noName = -2;

export class BoundFragmentModule {
  readonly call: WebAssembly.ExportValue;
  /** The loop over a block of ids, `(in, count, out) => passed`; null: the fragment has none. */
  readonly select: WebAssembly.ExportValue | null;
  private readonly core: CoreInstance;
  private readonly described: FragmentModule;
  private readonly exports: WebAssembly.Exports;

  /** Joins a module to an instance; throws when it wants something that is not handed out. `host`: what it may ask beside that. */
  constructor(core: CoreInstance, described: FragmentModule, tank: FuelTank, host: WebAssembly.ModuleImports = {}) {
    const fail = (failure: number): never => {
      throw new FragmentFailure(failure);
    };
    const failWith = (failure: number, text: number): never => {
      throw new FragmentFailure(failure, text === 0 ? null : readFragmentText(core, text));
    };
    const env = { memory: core.memory, fuel: tank.fuel, refuel: tank.refuel, fail, failWith, ...host };
    const imports = { env, core: core.exports as unknown as WebAssembly.ModuleImports };
    this.core = core;
    this.described = described;
    this.exports = new WebAssembly.Instance(described.module, imports).exports;
    this.call = this.exports.call as WebAssembly.ExportValue;
    this.select = (this.exports.select as WebAssembly.ExportValue | undefined) ?? null;
  }

  /**
   * Before a search: looks names up, puts constant texts into scratch, and runs what stands before the fragment's `return`. False when scratch
   * has no room. The caller releases the scratch (`fragmentRelease`) when the search is over.
   */
  prepare(): boolean {
    this.word('pages').value = this.core.exports.fragmentPages();
    for (const [index, name] of this.described.names.entries()) {
      this.word(`n${index}`).value = findName(this.core, name) ?? noName;
    }
    for (const [index, text] of this.described.texts.entries()) {
      const address = textInScratch(this.core, text);
      if (address === null) return false;
      this.word(`t${index}`).value = address;
    }
    (this.exports.init as () => void)();
    return true;
  }

  private word(name: string): WebAssembly.Global<'i32'> {
    return this.exports[name] as WebAssembly.Global<'i32'>;
  }
}

/** The word of a text that is written into scratch; null when there is no room. */
export function textInScratch(core: CoreInstance, text: string): number | null {
  const input = core.input(textBound(text) + 8);
  if (input === null) return null;
  const address = core.exports.textCreate(input, writeText(core.bytes, input, text));
  // What is no address is a failure: there was no room.
  return address < 0 && address >= -128 ? null : address;
}

/** A text of a fragment: the address of a record, plus 1 for an interned name (assembly/fragments/texts.ts). */
export function readFragmentText(core: CoreInstance, text: number): string {
  const record = (text & ~1) >>> 0;
  return core.text(record + (text & 1 ? 16 : 8), core.words[record >>> 2] as number);
}

/** Id of an interned name, as the signed number that crosses the boundary; null when the graph has no such name. */
export function findName(core: CoreInstance, name: string): number | null {
  const input = core.input(textBound(name) + 8);
  if (input === null) return null;
  const id = core.exports.internFind(input, writeText(core.bytes, input, name));
  return id === -1 ? null : id;
}

/** The score of two vectors, the same bits as a vector scan gives; NaN when their dimensions differ. */
export function scorePair(core: CoreInstance, metric: number, left: Float32Array, right: Float32Array): number {
  if (left.length !== right.length || left.length === 0) return Number.NaN;
  const bytes = (left.byteLength + 15) & ~15;
  const input = core.input(2 * bytes + 16);
  if (input === null) return Number.NaN;
  const at = (input + 15) & ~15;
  new Float32Array(core.memory.buffer, at, left.length).set(left);
  new Float32Array(core.memory.buffer, at + bytes, right.length).set(right);
  return core.exports.vectorScore(metric, at, at + bytes, left.length);
}
