// The graph test module over a memory, and a dump of a graph read straight from it, by the layouts the modules' heads draw.

import { readFileSync } from 'node:fs';
import type { Transaction } from './transaction.ts';
import { NONE } from './transaction.ts';

export const BUILDS = ['graph', 'graph.debug'] as const;
export type Build = (typeof BUILDS)[number];

export const STATUS = { ok: 0, notFound: 1, noMemory: 2, tooManyIds: 5, badTransaction: 6, limitMet: 10 } as const;
export const PURPOSE = { elements: 0, adjacency: 1, properties: 2, strings: 3, system: 7 } as const;

export type Exports = Record<string, (...values: (number | boolean)[]) => number>;

export interface DumpedElement {
  kind: 'vertex' | 'edge';
  label: string | null;
  creation: number;
  modification: number;
  /** Key to `type:hex of the value`. */
  properties: Record<string, string>;
  /** Vertex: groups in order, each `[type, edge ids]`. */
  out?: [string, number[]][];
  in?: [string, number[]][];
  source?: number;
  target?: number;
  type?: string;
}

export interface Dump {
  nextId: number;
  vertexCount: number;
  edgeCount: number;
  elements: Record<number, DumpedElement>;
}

const modules = new Map<string, WebAssembly.Module>();

export function moduleOf(build: Build): WebAssembly.Module {
  let module = modules.get(build);
  if (!module) {
    const file = new URL(`../../../dist/wasm/test/${build}.wasm`, import.meta.url);
    module = new WebAssembly.Module(readFileSync(file));
    modules.set(build, module);
  }
  return module;
}

export class GraphCore {
  readonly memory: WebAssembly.Memory;
  readonly exports: Exports;
  readonly graph: number;
  readonly view: DataView;
  readonly bytes: Uint8Array;
  /** Kind and fields of each change of the last transaction, when asked for. */
  changes: number[][] = [];

  /** `pages`: of the memory itself, beyond which every address traps. */
  constructor(build: Build, pageLimit = 4096, pages = 65536) {
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const abort = (code: number): never => {
      throw new Error(`check ${code}`);
    };
    this.exports = new WebAssembly.Instance(moduleOf(build), { env: { memory: this.memory, abort } })
      .exports as unknown as Exports;
    if (!this.exports.start!(pageLimit)) throw new Error('the core did not start');
    this.view = new DataView(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.graph = this.exports.graphCreate!() >>> 0;
  }

  /** Applies and answers the status; the first id is then in `firstId`. */
  apply(transaction: Transaction | Uint8Array, redo = false, wantChanges = false): number {
    const bytes = transaction instanceof Uint8Array ? transaction : transaction.encode();
    const at = this.place(bytes);
    this.exports.outBegin!();
    const code = this.exports.applyTransaction!(this.graph, at, bytes.length, redo, wantChanges);
    if (code === STATUS.ok) this.firstId = this.word(at + 36);
    if (wantChanges) this.changes = this.readChanges();
    return code;
  }

  /** As `apply`, about `most` operations a step; `between` is called between two steps. Null: it is not begun that way. */
  applyInSteps(transaction: Transaction, most: number, between: () => void): number | null {
    const bytes = transaction.encode();
    const at = this.place(bytes);
    if (!this.exports.applyBegin!(this.graph, at, bytes.length, true)) return null;
    const changes: number[][] = [];
    let code = -1;
    while (code === -1) {
      this.exports.outBegin!();
      code = this.exports.applyStep!(most);
      changes.push(...this.readChanges());
      if (code === -1) between();
    }
    if (code === STATUS.ok) this.firstId = this.word(at + 36);
    this.changes = code === STATUS.ok ? changes : [];
    return code;
  }

  firstId = 0;

  place(bytes: Uint8Array): number {
    const at = this.exports.inputEnsure!(bytes.length) >>> 0;
    this.bytes.set(bytes, at);
    return at;
  }

  verify(): number {
    return this.exports.graphVerify!(this.graph);
  }

  memoryBytes(): number[] {
    return [0, 1, 2, 3].map((purpose) => this.exports.memoryBytes!(purpose));
  }

  word(at: number): number {
    return this.view.getUint32(at, true);
  }

  string(id: number): string {
    const record = this.exports.internAddress!(id) >>> 0;
    return Buffer.from(this.bytes.slice(record + 16, record + 16 + this.word(record))).toString('utf8');
  }

  private readChanges(): number[][] {
    const base = this.exports.outBase!() >>> 0;
    const rows: number[][] = [];
    for (let at = base; at < base + this.exports.outUsed!(); at += 32) {
      rows.push([this.bytes[at]!, this.bytes[at + 1]!, ...[4, 8, 12, 16, 20].map((offset) => this.word(at + offset))]);
    }
    return rows;
  }

  // --- Dump ------------------------------------------------------------------------------------------------------------

  dump(): Dump {
    const state = this.word(this.graph);
    const nextId = this.word(state + 12);
    const elements: Record<number, DumpedElement> = {};
    for (let id = 0; id < nextId; id++) {
      const page = this.word(this.word(state + 4) + 8 * (id >>> 16));
      const kind = this.bytes[page + (id & 65535)]!;
      if (kind !== 0) elements[id] = this.dumpElement(page, id & 65535, kind);
    }
    return { nextId, vertexCount: this.word(state + 16), edgeCount: this.word(state + 20), elements };
  }

  private dumpElement(page: number, index: number, kind: number): DumpedElement {
    const column = (number: number) => this.word(page + 65536 + 262144 * number + 4 * index);
    const element: DumpedElement = {
      kind: kind === 1 ? 'vertex' : 'edge',
      label: column(0) === NONE ? null : this.string(column(0)),
      creation: column(1),
      modification: column(2),
      properties: this.dumpRow(column(3)),
    };
    if (kind === 1) return { ...element, out: this.dumpWord(column(4)), in: this.dumpWord(column(5)) };
    return { ...element, source: column(4), target: column(5), type: this.string(column(6)) };
  }

  private dumpRow(row: number): Record<string, string> {
    const properties: Record<string, string> = {};
    if (row === 0) return properties;
    const shape = this.word(row);
    for (let i = 0; i < this.word(shape + 4); i++) {
      const key = this.word(shape + 16 + 8 * i);
      const type = this.word(shape + 20 + 8 * i);
      properties[this.string(key)] = `${type}:${this.dumpValue(type, row + 8 + 8 * i)}`;
    }
    return properties;
  }

  private dumpValue(type: number, slot: number): string {
    let [at, length] = [slot, 8];
    if (type === 1 || type === 19) {
      at = this.word(slot);
      length = (8 + this.word(at) + 7) & ~7;
    } else if (type === 13 || type === 16 || type === 18) {
      at = this.word(slot);
      length = 16;
    }
    return Buffer.from(this.bytes.slice(at, at + length)).toString('hex');
  }

  private dumpWord(word: number): [string, number[]][] {
    if (word === 0) return [];
    const groups: number[] = [];
    if (word % 2 === 0) groups.push(word);
    else for (let i = 0; i < this.word(word - 1); i++) groups.push(this.word(word - 1 + 16 + 4 * i));
    return groups
      .filter((group) => this.word(group + 8) !== 0)
      .map((group) => {
        const edges: number[] = [];
        for (let i = 0; i < this.word(group + 4); i++) {
          if (this.word(group + 20 + 8 * i) !== NONE) edges.push(this.word(group + 16 + 8 * i));
        }
        return [this.string(this.word(group)), edges];
      });
  }
}
