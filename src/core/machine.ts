// Fragments where no module may be compiled: programs of registers (src/fragments/machine), run by a module that came with the deployment.
// A program and the stack of its registers lie in scratch of the core; each fragment is an instance of the machine, so that its functions
// fit into the core's table as those of a compiled one do. Knows addresses and tables, nothing of the language.

import {
  FragmentFailure,
  type FragmentModule,
  type FuelTank,
  findName,
  noName,
  readFragmentText,
  textInScratch,
} from './fragments.ts';
import type { CoreInstance } from './instance.ts';

/** What came of an emitted module: data, the same for every instance. */
export interface Program {
  readonly words: Uint32Array<ArrayBuffer>;
  /** Words that take the place of a function of the core in the table. */
  readonly calls: readonly { readonly word: number; readonly name: string }[];
  /** Byte offsets of the globals that the host sets, by name. */
  readonly globals: Readonly<Record<string, number>>;
  readonly result: 'i32' | 'f64';
  readonly takesBlocks: boolean;
}

/** What a fragment became. */
export type FragmentCode = WebAssembly.Module | Program;

/** What a search has for its fragments. */
export interface MachineTank extends FuelTank {
  /** Where their programs have their registers; 0: none has been prepared yet. */
  stack: number;
}

/** Bytes of registers: some hundred calls inside each other. */
const stackBytes = 128 * 1024;
/** From the reference of an object to its contents (assembly/fragments/objects.ts). */
const contents = 6;

interface ScratchExports {
  objectCreate(word: number, count: number, bytes: number): number;
}

interface MachineExports {
  place(program: number, stack: number, stackEnd: number): void;
  init(): void;
  readonly call: WebAssembly.ExportValue;
  readonly callReal: WebAssembly.ExportValue;
  readonly select: WebAssembly.ExportValue;
}

let machine: WebAssembly.Module | null = null;

/** The machine, for homes that compile nothing at run time. */
export function provideMachine(module: WebAssembly.Module): void {
  machine = module;
}

export function hasMachine(): boolean {
  return machine !== null;
}

/** Places of the core's functions in the table of an instance. */
const placed = new WeakMap<CoreInstance, Map<string, number>>();

function placeOf(core: CoreInstance, name: string): number {
  let places = placed.get(core);
  if (places === undefined) {
    places = new Map();
    placed.set(core, places);
  }
  let index = places.get(name);
  if (index === undefined) {
    const { table } = core.exports;
    index = table.grow(1);
    table.set(index, (core.exports as unknown as WebAssembly.Exports)[name] as WebAssembly.ExportValue);
    places.set(name, index);
  }
  return index;
}

/** A program joined to an instance of the core: what BoundFragmentModule is for a module. */
export class BoundProgram {
  readonly call: WebAssembly.ExportValue;
  readonly select: WebAssembly.ExportValue | null;
  private readonly core: CoreInstance;
  private readonly program: Program;
  private readonly described: Omit<FragmentModule, 'module'>;
  private readonly exports: MachineExports;
  private readonly tank: MachineTank;

  constructor(core: CoreInstance, program: Program, described: Omit<FragmentModule, 'module'>, tank: MachineTank) {
    if (machine === null) throw new Error('No machine was provided.');
    const { memory } = core;
    const { table } = core.exports;
    const fail = (failure: number): never => {
      throw new FragmentFailure(failure);
    };
    const failWith = (failure: number, text: number): never => {
      throw new FragmentFailure(failure, text === 0 ? null : readFragmentText(core, text));
    };
    const overflow = (): never => {
      throw new RangeError('The calls of a fragment are too deep.');
    };
    const env = { memory, table, fuel: tank.fuel, refuel: tank.refuel, fail, failWith, overflow };
    this.exports = new WebAssembly.Instance(machine, { env }).exports as unknown as MachineExports;
    this.tank = tank;
    this.core = core;
    this.program = program;
    this.described = described;
    this.call = program.result === 'f64' ? this.exports.callReal : this.exports.call;
    this.select = program.takesBlocks ? this.exports.select : null;
  }

  /** As BoundFragmentModule's. */
  prepare(): boolean {
    const { core, program, tank } = this;
    const base = this.allocate(program.words.byteLength);
    // Fragments of a search never call each other.
    if (base !== 0 && tank.stack === 0) tank.stack = this.allocate(stackBytes);
    const { stack } = tank;
    if (base === 0 || stack === 0) return false;
    const first = base >>> 2;
    core.words.set(program.words, first);
    for (const { word, name } of program.calls) core.words[first + word] = placeOf(core, name);
    const set = (name: string, value: number): void => {
      core.words[(base + (program.globals[name] as number)) >>> 2] = value;
    };
    set('pages', core.exports.fragmentPages());
    for (const [index, name] of this.described.names.entries()) set(`n${index}`, findName(core, name) ?? noName);
    for (const [index, text] of this.described.texts.entries()) {
      const address = textInScratch(core, text);
      if (address === null) return false;
      set(`t${index}`, address);
    }
    this.exports.place(base, stack, stack + stackBytes);
    this.exports.init();
    return true;
  }

  /** Zeros in scratch; 0: there is no room. */
  private allocate(bytes: number): number {
    const { objectCreate } = this.core.exports as unknown as ScratchExports;
    const reference = objectCreate(0, 0, bytes) >>> 0;
    return reference === 0 ? 0 : reference + contents;
  }
}
