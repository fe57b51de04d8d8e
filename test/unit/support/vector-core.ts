// The vector index as its tests call it: vectors in and scored ids out, beside a model that scores one pair after the other.

import { readFileSync } from 'node:fs';
import { type Hit, METRICS, type Metric } from '../../model/vector-scores.ts';
import { NONE, Transaction } from './transaction.ts';

export const BUILDS = ['vector', 'vector.debug'] as const;
type Build = (typeof BUILDS)[number];

type ExportName =
  | ('start' | 'failAfter' | 'allocate' | 'release' | 'inputEnsure' | 'outBase' | 'applyTransaction' | 'graphCreate')
  | ('arenaAttachReader' | 'readerAttach' | 'readerEnter' | 'readerExit' | 'retireAdvance' | 'pagesUsed' | 'nextId')
  | ('indexCreate' | 'indexDrop' | 'indexCapacity' | 'indexCopied' | 'indexBytes' | 'companionScored')
  | ('vectorSet' | 'vectorRemove' | 'vectorCommit' | 'vectorUndo' | 'vectorCount' | 'vectorFind')
  | (
      | 'vectorCompanionFrom'
      | 'vectorSuccessorFrom'
      | 'vectorRowBytes'
      | 'vectorScore'
      | 'vectorNorm'
      | 'vectorSearchPart'
    )
  | ('indexAt' | 'indexCount' | 'indexDefinition' | 'indexImage' | 'indexOf' | 'indexWord')
  | ('imageAdds' | 'imageBase' | 'imageBytes' | 'imageNext')
  | ('vectorSnapshot' | 'vectorSnapshotRows' | 'vectorSnapshotVersion');

type Exports = Record<ExportName, (...values: number[]) => number>;

const modules = new Map<Build, WebAssembly.Module>();

export function moduleOf(build: Build): WebAssembly.Module {
  const known = modules.get(build);
  if (known !== undefined) return known;
  const module = new WebAssembly.Module(
    readFileSync(new URL(`../../../dist/wasm/test/${build}.wasm`, import.meta.url)),
  );
  modules.set(build, module);
  return module;
}

export interface Query {
  readonly vector: Float32Array;
  readonly k: number;
  /** 1 vertices, 2 edges; 3 when missing. */
  readonly kinds?: number;
  /** An interned label; any when missing. */
  readonly label?: number;
}

const requestHeader = 16;
const gangBytes = 128;

export class VectorCore {
  readonly memory = new WebAssembly.Memory({ initial: 65536, maximum: 65536, shared: true });
  readonly bytes = new Uint8Array(this.memory.buffer);
  readonly words = new Uint32Array(this.memory.buffer);
  readonly floats = new Float32Array(this.memory.buffer);
  readonly exports: Exports;
  readonly graph: number;

  constructor(build: Build = 'vector', pageLimit = 65536) {
    const abort = (code: number): never => {
      throw new Error(`check ${code} failed`);
    };
    const instance = new WebAssembly.Instance(moduleOf(build), { env: { memory: this.memory, abort } });
    this.exports = instance.exports as unknown as Exports;
    if (!this.exports.start(pageLimit)) throw new Error('the core did not start');
    this.graph = this.exports.graphCreate() >>> 0;
  }

  /** Applies a transaction to the graph. */
  apply(transaction: Transaction): void {
    const status = this.tryBytes(transaction.encode());
    if (status !== 0) throw new Error(`status ${status}`);
  }

  /** Applies a transaction buffer; answers the status. */
  tryBytes(buffer: Uint8Array, redo = false): number {
    const at = this.exports.inputEnsure(buffer.length) >>> 0;
    this.bytes.set(buffer, at);
    return this.exports.applyTransaction(this.graph, at, buffer.length, Number(redo), 0);
  }

  /** The index of that name in the graph's catalogue. */
  index(name: string, metric: Metric, dimension: number): VectorIndex {
    const text = new TextEncoder().encode(name);
    const at = this.exports.inputEnsure(text.length) >>> 0;
    this.bytes.set(text, at);
    const address = this.exports.indexOf(this.graph, at, text.length) >>> 0;
    if (address === 0) throw new Error(`no index ${name}`);
    return new VectorIndex(this, address, metric, dimension);
  }

  vertices(count: number): void {
    const transaction = new Transaction();
    for (let i = 0; i < count; i++) transaction.vertex();
    this.apply(transaction);
  }

  create(metric: Metric, dimension: number): VectorIndex {
    const address = this.exports.indexCreate(METRICS.indexOf(metric), dimension) >>> 0;
    if (address === 0) throw new Error('no memory');
    return new VectorIndex(this, address, metric, dimension);
  }

  /** Runs `use` with the vectors laid into a block of their own, each at an address that is only 4-aligned. */
  withVectors<T>(vectors: readonly Float32Array[], use: (...addresses: number[]) => T): T {
    const total = vectors.reduce((sum, vector) => sum + vector.length + 1, 1);
    const block = this.exports.allocate(0, 6, 4 * total) >>> 0;
    let at = block + 4;
    const addresses = vectors.map((vector) => {
      this.floats.set(vector, at / 4);
      const address = at;
      at += 4 * (vector.length + 1);
      return address;
    });
    try {
      return use(...addresses);
    } finally {
      this.exports.release(6, block);
    }
  }
}

export class VectorIndex {
  readonly core: VectorCore;
  readonly address: number;
  readonly metric: Metric;
  readonly dimension: number;

  constructor(core: VectorCore, address: number, metric: Metric, dimension: number) {
    this.core = core;
    this.address = address;
    this.metric = metric;
    this.dimension = dimension;
  }

  get count(): number {
    return this.core.exports.vectorCount(this.address);
  }

  set(id: number, vector: Float32Array): boolean {
    return this.core.withVectors([vector], (at) => this.core.exports.vectorSet(this.address, id, at as number) !== 0);
  }

  remove(id: number): boolean {
    return this.core.exports.vectorRemove(this.address, id) !== 0;
  }

  commit(): void {
    this.core.exports.vectorCommit(this.address);
    this.core.exports.retireAdvance();
  }

  undo(): void {
    this.core.exports.vectorUndo(this.address);
  }

  fill(vectors: readonly Float32Array[]): void {
    vectors.forEach((vector, id) => {
      if (!this.set(id, vector)) throw new Error('no memory');
    });
    this.commit();
  }

  /** Rows of the snapshot of now, dead ones included. */
  snapshot(): { slab: number; rows: number; version: number } {
    const slab = this.core.exports.vectorSnapshot(this.address) >>> 0;
    const rows = this.core.exports.vectorSnapshotRows() >>> 0;
    return { slab, rows, version: this.core.exports.vectorSnapshotVersion() >>> 0 };
  }

  /**
   * Answers the queries in one pass over the rows of a snapshot, the newest unless another is given. `shared`: as a member of a gang reads
   * them.
   */
  search(
    queries: readonly Query[],
    part: { slab: number; from: number; to: number; version: number } | null = null,
    shared = false,
  ) {
    const { exports, words, floats, graph } = this.core;
    const now = part === null ? this.snapshot() : null;
    const { slab, version } = (part ?? now) as { slab: number; version: number };
    const [from, to] = part === null ? [0, now?.rows ?? 0] : [part.from, part.to];
    const bytes = requestHeader + exports.vectorRowBytes(this.address);
    const request = exports.inputEnsure(bytes * queries.length) >>> 0;
    queries.forEach(({ vector, k, kinds = 3, label = NONE }, i) => {
      const at = (request + i * bytes) / 4;
      words.fill(0, at, at + bytes / 4);
      words.set([k, kinds, label], at);
      floats.set(vector, at + requestHeader / 4);
    });
    const gang = shared ? exports.allocate(0, 6, gangBytes) >>> 0 : 0;
    const rows = [from, to, gang];
    const status = exports.vectorSearchPart(graph, this.address, slab, version, request, queries.length, ...rows);
    if (shared) exports.release(6, gang);
    if (status !== 0) throw new Error(`status ${status}`);
    return this.answers(queries.length);
  }

  private answers(count: number): Hit[][] {
    const { exports, words, floats } = this.core;
    let at = (exports.outBase() >>> 0) / 4;
    return Array.from({ length: count }, () => {
      const found = words[at++] as number;
      return Array.from({ length: found }, () => {
        const hit = { score: floats[at] as number, id: words[at + 1] as number };
        at += 2;
        return hit;
      });
    });
  }
}

/** Kinds of data that scores and bounds may stumble over. */
export const DATA = [
  'normal',
  'clustered',
  'offset',
  'duplicates',
  'few values',
  'sparse',
  'denormal',
  'tiny',
  'huge',
  'huge and tiny',
  'zeros among them',
] as const;

type Kind = (typeof DATA)[number];

/** Vectors of a kind, from a source of whole numbers below the argument. */
export function makeVectors(kind: Kind, count: number, dimension: number, random: (below: number) => number) {
  const normal = (): number => {
    const radius = Math.sqrt(-2 * Math.log((random(1_000_000) + 1) / 1_000_001));
    return radius * Math.cos((2 * Math.PI * random(1_000_000)) / 1_000_000);
  };
  const centres = Array.from({ length: 5 }, () => Float32Array.from({ length: dimension }, normal));
  const made: Float32Array[] = [];
  for (let i = 0; i < count; i++) {
    const centre = centres[random(5)] as Float32Array;
    const huge = random(2) === 0;
    const component = (j: number): number => {
      switch (kind) {
        case 'clustered':
          return (centre[j] as number) + 0.001 * normal();
        case 'offset':
          return 1000 + normal();
        case 'few values':
          return random(3) - 1;
        case 'sparse':
          return random(dimension) < 2 ? normal() : 0;
        case 'denormal':
          return normal() * 1e-39;
        case 'tiny':
          return normal() * 1e-12;
        case 'huge':
          return normal() * 1e18;
        case 'huge and tiny':
          return normal() * (huge ? 1e19 : 1e-20);
        default:
          return normal();
      }
    };
    const zero = kind === 'zeros among them' && random(4) === 0;
    const again = kind === 'duplicates' && i > 0 && random(3) > 0;
    if (again) made.push(made[random(i)] as Float32Array);
    else made.push(Float32Array.from({ length: dimension }, (_, j) => (zero ? 0 : component(j))));
  }
  return made;
}
