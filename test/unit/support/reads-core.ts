// The test module of reads and scans as the tests call it: texts in and out, one graph beside its model.

import { readFileSync } from 'node:fs';
import { GraphModel } from './reads-graph.ts';
import { upperUnit, wtf8 } from './reads-values.ts';

export const NONE = 0xffffffff;
export const ALL = 0x7fffffff;
export const OK = 0;

export const BUILDS = ['reads', 'reads.debug'] as const;

type ExportName =
  | ('start' | 'graphCreate' | 'applyTransaction' | 'allocate' | 'release' | 'inputEnsure' | 'outBase' | 'outUsed')
  | ('arenaAttachReader' | 'arenaNeed' | 'readerAttach' | 'readerDetach' | 'readerEnter' | 'readerExit' | 'internFind')
  | (
      | 'readElement'
      | 'readElements'
      | 'readGraph'
      | 'readCount'
      | 'readCursor'
      | 'readMissing'
      | 'readKind'
      | 'readEndpoint'
    )
  | ('readEdgeTypes' | 'readGroup' | 'readDegree' | 'readGroupDegree' | 'writeIdArray' | 'numberText' | 'dateText')
  | (
      | 'vertexCount'
      | 'edgeCount'
      | 'nextId'
      | 'graphVersion'
      | 'caseTableAddress'
      | 'caseTablePublish'
      | 'sweepOutEdges'
      | 'sweepChecksum'
    )
  | ('scanProperty' | 'scanPropertyScalar' | 'scanPropertyText' | 'scanText' | 'scanCount' | 'scanNext');

type Exports = Record<ExportName, (...values: (number | boolean)[]) => number>;

/** Addresses and lengths in turn; zeros behind the last. */
type Places = [number, number, number, number, number, number];

/** Writer (or, with `reader`, one more) instance over a memory. */
export function instantiate(build: string, memory: WebAssembly.Memory): Exports {
  const bytes = readFileSync(new URL(`../../../dist/wasm/test/${build}.wasm`, import.meta.url));
  const abort = (code: number): never => {
    throw new Error(`check ${code} failed`);
  };
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory, abort } })
    .exports as unknown as Exports;
}

export class ReadsCore {
  readonly memory = new WebAssembly.Memory({ initial: 65536, maximum: 65536, shared: true });
  readonly bytes = new Uint8Array(this.memory.buffer);
  readonly view = new DataView(this.memory.buffer);
  readonly exports: Exports;
  readonly graph: number;
  readonly model = new GraphModel();

  constructor(build: string = BUILDS[0], pageLimit = 65536) {
    this.exports = instantiate(build, this.memory);
    if (!this.exports.start(pageLimit)) throw new Error('the core did not start');
    this.graph = this.exports.graphCreate() >>> 0;
  }

  /** The upper-case table as the host writes it. */
  writeCaseTable(): void {
    const table = this.exports.caseTableAddress() >>> 0;
    for (let unit = 0; unit < 65536; unit++) {
      const upper = upperUnit(unit);
      if (upper !== unit) this.view.setUint16(table + 2 * unit, upper, true);
    }
    this.exports.caseTablePublish(table);
  }

  /** Applies what the model has pending; the status. */
  commit(seconds = 1): number {
    return this.apply(this.model.takeTransaction(seconds));
  }

  apply(transaction: Uint8Array): number {
    const block = this.exports.allocate(0, 6, transaction.length) >>> 0;
    this.bytes.set(transaction, block);
    const status = this.exports.applyTransaction(this.graph, block, transaction.length, false, false);
    this.exports.release(6, block);
    return status;
  }

  /** Puts up to three texts (or raw bytes) into INPUT, 8 bytes of nothing behind each. */
  input(...parts: (string | Uint8Array)[]): Places {
    const encoded = parts.map((part) => (typeof part === 'string' ? wtf8(part) : part));
    let at = this.exports.inputEnsure(encoded.reduce((sum, part) => sum + ((part.length + 15) & ~7), 8)) >>> 0;
    const places: Places = [0, 0, 0, 0, 0, 0];
    for (const [i, part] of encoded.entries()) {
      this.bytes.set(part, at);
      places.splice(2 * i, 2, at, part.length);
      at += (part.length + 15) & ~7;
    }
    return places;
  }

  /** OUTPUT as text. JSON of the core is well-formed UTF-8: lone surrogates are escaped. */
  text(exports = this.exports): string {
    const base = exports.outBase() >>> 0;
    return new TextDecoder('utf-8', { fatal: true }).decode(this.bytes.slice(base, base + (exports.outUsed() >>> 0)));
  }

  // biome-ignore lint/suspicious/noExplicitAny: what JSON.parse answers
  json(exports = this.exports): any {
    return JSON.parse(this.text(exports));
  }

  /** OUTPUT as ids of the last scan. */
  ids(exports = this.exports): number[] {
    const base = exports.outBase() >>> 0;
    const used = exports.outUsed() >>> 0;
    if (used !== 4 * exports.scanCount()) throw new Error('OUTPUT is not what scanCount says');
    return [...new Uint32Array(this.memory.buffer, base, used / 4)];
  }
}
