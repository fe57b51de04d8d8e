// The vector index as its tests call it: vectors in and scored ids out, beside a model that scores one pair after the other.

import { readFileSync } from 'node:fs';
import { NONE, Transaction } from './transaction.ts';

export const METRICS = ['cosine', 'dot', 'l2'] as const;
export type Metric = (typeof METRICS)[number];

export const BUILDS = ['vector', 'vector.debug'] as const;
type Build = (typeof BUILDS)[number];

type ExportName =
  | ('start' | 'failAfter' | 'allocate' | 'release' | 'inputEnsure' | 'outBase' | 'applyTransaction' | 'graphCreate')
  | ('arenaAttachReader' | 'readerAttach' | 'readerEnter' | 'readerExit' | 'retireAdvance' | 'pagesUsed' | 'nextId')
  | ('indexCreate' | 'indexDrop' | 'indexCapacity' | 'indexBytes' | 'companionScored')
  | ('vectorSet' | 'vectorRemove' | 'vectorCommit' | 'vectorUndo' | 'vectorCount' | 'vectorFind')
  | ('vectorCompanionFrom' | 'vectorRowBytes' | 'vectorScore' | 'vectorNorm' | 'vectorSearch')
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

export interface Hit {
  readonly id: number;
  readonly score: number;
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

  /** Answers the queries in one pass over the rows of a snapshot, the newest unless another is given. */
  search(queries: readonly Query[], part: { slab: number; from: number; to: number; version: number } | null = null) {
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
    const status = exports.vectorSearch(graph, this.address, slab, version, request, queries.length, from, to);
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

const round = Math.fround;

/** Sum of products (or squared differences) in the order that vector-score.ts fixes, one rounding after the other. */
function sum(a: Float32Array, b: Float32Array, squares: boolean): number {
  const lanes = new Float32Array(16);
  for (let i = 0; i < a.length; i++) {
    const lane = ((i >> 2) & 3) * 4 + (i & 3);
    const difference = round((a[i] as number) - (b[i] as number));
    const term = squares ? round(difference * difference) : round((a[i] as number) * (b[i] as number));
    lanes[lane] = (lanes[lane] as number) + term;
  }
  const joined = Array.from({ length: 4 }, (_, j) => {
    const [s, t, u, v] = [lanes[j], lanes[4 + j], lanes[8 + j], lanes[12 + j]] as [number, number, number, number];
    return round(round(s + t) + round(u + v));
  }) as [number, number, number, number];
  return round(round(joined[0] + joined[2]) + round(joined[1] + joined[3]));
}

export function modelNorm(a: Float32Array): number {
  return round(Math.sqrt(sum(a, a, false)));
}

/** The score of two vectors, in scalar JavaScript. */
export function modelScore(metric: Metric, a: Float32Array, b: Float32Array): number {
  if (metric === 'l2') return round(Math.sqrt(sum(a, b, true)));
  const dot = sum(a, b, false);
  if (metric === 'dot') return dot;
  const cosine = round(dot / round(modelNorm(a) * modelNorm(b)));
  return cosine > 1 ? 1 : Math.max(cosine, -1);
}

/** The best k of `vectors` by the model; an element is the index of its vector. */
export function modelSearch(
  metric: Metric,
  vectors: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  k: number,
): Hit[] {
  const hits: Hit[] = [];
  for (const [id, vector] of vectors) {
    const score = modelScore(metric, query, vector);
    if (Number.isFinite(score)) hits.push({ id, score });
  }
  const sign = metric === 'l2' ? 1 : -1;
  return hits.sort((a, b) => sign * (a.score - b.score) || a.id - b.id).slice(0, k);
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
