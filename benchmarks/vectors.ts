// Exact kNN over a vector index in the core: the plain scan and the one by the 8-bit companion, one query and eight a pass, one thread
// and two, beside FAISS IndexFlat on the same data.
//
//   npm run bench -- vectors [--rows 100000] [--dimension 768] [--rounds 15]
//
// BENCH_DATA: a folder with vec-<dimension>-1000000.f32 and vec-<dimension>.q.f32 (random vectors without it); NATIVE_BIN: a folder with
// faiss_drv (without it the figures stand alone). FAISS runs before and after, and both runs count. Where memory lies in the machine
// decides as much as the code does: the same scan of another copy has been 1.25 times as fast. So ratios want several runs.
// With g++, a native program reads as many bytes in the same rounds, on one thread and on two: more than that no scan can do.

import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Core } from '../src/core/core.ts';
import { findIndex, IndexKind, indexEntry } from '../src/core/indexes.ts';
import { definitionText, searchVectors } from '../src/core/vectors.ts';
import { fill, loadBinary, newCore } from './lib/load-core.ts';
import { type Contestant, compete, machineLine, median, setting, table, target, timed } from './lib/measure.ts';
import { NativeRead } from './lib/native-read.ts';

const rows = setting('rows', 100_000);
const dimension = setting('dimension', 768);
const rounds = setting('rounds', 15);
const queryCount = 200;
const k = 10;
const none = 0xffffffff;
const batch = 2000;
const { BENCH_DATA, NATIVE_BIN } = process.env;
const dataFile = BENCH_DATA ? join(BENCH_DATA, `vec-${dimension}-1000000.f32`) : '';
const hasData = dataFile !== '' && existsSync(dataFile);

/** Rows [from, to) of the data. */
function* vectorBlocks(): Generator<Float32Array> {
  const file = hasData ? openSync(dataFile, 'r') : -1;
  let state = 1;
  for (let from = 0; from < rows; from += batch) {
    const block = new Float32Array(Math.min(batch, rows - from) * dimension);
    if (hasData) readSync(file, new Uint8Array(block.buffer), 0, block.byteLength, 4 * from * dimension);
    else for (let i = 0; i < block.length; i++) block[i] = normal();
    yield block;
  }
  if (hasData) closeSync(file);

  function normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      sum += state / 2 ** 32;
    }
    return sum;
  }
}

/** The transaction that adds a block of rows to the index, elements from `first` on. */
function addsOf(name: string, first: number, block: Float32Array): Uint8Array {
  const count = block.length / dimension;
  const operationBytes = 16 + ((8 + 4 * dimension + 7) & ~7);
  const text = new TextEncoder().encode(name);
  const stringsAt = 64 + count * operationBytes;
  const bytes = new Uint8Array(stringsAt + 8 + ((text.length + 7) & ~7));
  const words = new Uint32Array(bytes.buffer);
  const floats = new Float32Array(bytes.buffer);
  words.set([0x31585441, bytes.length, 1, stringsAt, 0, bytes.length, count, 64, 1, 0, 0, 0]);
  words.set([stringsAt + 8, text.length], stringsAt >> 2);
  bytes.set(text, stringsAt + 8);
  for (let i = 0; i < count; i++) {
    const at = (64 + i * operationBytes) >> 2;
    words.set([9, first + i, 0, 19, 4 * dimension, dimension], at);
    floats.set(block.subarray(i * dimension, (i + 1) * dimension), at + 6);
  }
  return bytes;
}

interface Filled {
  readonly core: Core;
  readonly graph: number;
  readonly addMs: number;
}

/** An index named `vectors` over as many vertices, with a companion or without. */
function filled(metric: 'DotProduct' | 'L2', withCompanion: boolean): Filled {
  const core = newCore();
  const graph = core.createGraph();
  fill(core, graph, { vertexCount: rows, source: new Uint32Array(0), target: new Uint32Array(0) });
  const definition = definitionText({ dimension, metric, embeddingName: null, model: null });
  core.write(graph, [{ kind: 'createIndex', index: 'vectors', indexKind: IndexKind.vector, definition }], 1);
  if (!withCompanion) core.instance.exports.vectorCompanionFrom(findIndex(core.instance, graph, 'vectors'), none);
  let first = 0;
  let addMs = 0;
  for (const block of vectorBlocks()) {
    const adds = addsOf('vectors', first, block);
    addMs += timed(() => {
      const applied = core.applyBytes(graph, adds, false);
      if (!applied.ok) throw new Error(`The core refused adds: status ${applied.status}`);
    });
    first += block.length / dimension;
  }
  return { core, graph, addMs };
}

function readQueries(): Float32Array[] {
  const path = BENCH_DATA ? join(BENCH_DATA, `vec-${dimension}.q.f32`) : '';
  const all = existsSync(path) ? new Float32Array(readFileSync(path).buffer.slice(0)) : null;
  return Array.from({ length: queryCount }, (_, q) =>
    Float32Array.from({ length: dimension }, (_component, i) => all?.[q * dimension + i] ?? Math.sin(q * 7.1 + i * i)),
  );
}

const queries = readQueries();
let asked = 0;

/** One pass for `count` queries; milliseconds a query. */
function pass({ core, graph }: Filled, count: number): number {
  const request = {
    ...{ graph, index: 'vectors', dimension },
    queries: Array.from({ length: count }, () => {
      return { vector: queries[asked++ % queryCount] as Float32Array, k, mask: 3, label: null } as const;
    }),
  };
  return timed(() => searchVectors(core.instance, request, null)) / count;
}

/** A search by two threads: this one and a worker. */
class Pair {
  private readonly filled: Filled;
  private readonly words: Int32Array;
  private readonly control: number;
  private readonly gang: number;
  private readonly search: number[];
  private readonly worker: Worker;
  private turn = 0;

  constructor(of: Filled) {
    this.filled = of;
    const { exports, memory, words } = of.core.instance;
    this.words = new Int32Array(memory.buffer);
    const arenaBytes = 1 << 20;
    const block = exports.arenaAllocate(65_536) >>> 0;
    [this.control, this.gang] = [block, block + 64];
    words.fill(0, block / 4, block / 4 + 64);
    const name = block + 1024;
    const request = block + 2048;
    of.core.instance.bytes.set(new TextEncoder().encode('vectors'), name);
    this.search = [of.graph, name, 7, dimension, request, 1, this.gang];
    const workerData = {
      ...{ module: loadBinary().module, memory, arena: exports.arenaAllocate(arenaBytes) >>> 0, arenaBytes },
      ...{ control: this.control, search: this.search, member: 1 },
    };
    this.worker = new Worker(new URL('../../benchmarks/lib/vector-worker.mjs', import.meta.url), { workerData });
  }

  round(): number {
    const { exports, words, memory } = this.filled.core.instance;
    const request = this.search[4] as number;
    exports.gangBegin(this.gang, 128, 2);
    words.fill(0, request / 4, request / 4 + 4 + dimension + 16);
    words.set([k, 3, none, 0], request / 4);
    new Float32Array(memory.buffer).set(queries[asked++ % queryCount] as Float32Array, request / 4 + 4);
    const at = this.control / 4;
    return timed(() => {
      Atomics.store(this.words, at, ++this.turn);
      Atomics.notify(this.words, at);
      const [graph, name, bytes, length, where, count, gang] = this.search as [
        ...[number, number, number, number, number, number, number],
      ];
      exports.vectorSearch(graph, name, bytes, length, where, count, gang, 0);
      const lateMs = performance.now() + 10_000;
      while (Atomics.load(this.words, at + 1) !== this.turn) {
        if (performance.now() > lateMs) throw new Error('The second thread does not answer.');
      }
    });
  }

  async end(): Promise<void> {
    Atomics.store(this.words, this.control / 4, -1);
    Atomics.notify(this.words, this.control / 4);
    await this.worker.terminate();
  }
}

/** Milliseconds a query of every workload of FAISS, one thread. */
function faiss(): Map<string, number[]> {
  const times = new Map<string, number[]>();
  if (!NATIVE_BIN || !BENCH_DATA || !hasData) return times;
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  const part = join(folder, 'part.f32');
  try {
    if (rows < 1_000_000) {
      const file = openSync(part, 'w');
      for (const block of vectorBlocks()) writeFileSync(file, new Uint8Array(block.buffer));
      closeSync(file);
    }
    const env = { ...process.env, OMP_NUM_THREADS: '1', ...(rows < 1_000_000 ? { VEC: part } : {}) };
    const args = [BENCH_DATA, String(rows), String(dimension), String(rounds)];
    const output = execFileSync(join(NATIVE_BIN, 'faiss_drv'), args, { env, encoding: 'utf8' });
    for (const line of output.trim().split('\n')) {
      const { workload, ms } = JSON.parse(line) as { workload: string; ms: number[] };
      times.set(workload, ms);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return times;
}

function readName(threads: number): string {
  return `native read, ${threads === 1 ? 'one thread' : 'two threads'}`;
}

console.log(machineLine());
console.log(`${rows} × ${dimension}, k = ${k}${hasData ? '' : ', random vectors'}`);
const before = faiss();
const plain = filled('DotProduct', false);
const pair = new Pair(plain);
const l2 = rows * dimension <= 80_000_000 ? filled('L2', false) : null;
const quick = filled('DotProduct', true);
const read = NativeRead.start(rows * dimension * 4);
const contestants: Contestant[] = [
  { name: 'plain, one query', round: () => pass(plain, 1) },
  { name: 'plain, eight queries a pass', round: () => pass(plain, 8) },
  { name: 'plain, one query, two threads', round: () => pair.round() },
  { name: 'companion, one query', round: () => pass(quick, 1) },
  { name: 'companion, eight queries a pass', round: () => pass(quick, 8) },
  ...(l2 === null ? [] : [{ name: 'plain L2, one query', round: () => pass(l2, 1) }]),
  ...(read === null ? [] : [1, 2].map((threads) => ({ name: readName(threads), round: () => read.pass(threads) }))),
];
// The compiler takes its second look at a function only after some passes.
for (let i = 0; i < 5; i++) for (const contestant of contestants) await contestant.round();
const results = await compete(contestants, rounds);
await pair.end();
read?.end();
const after = faiss();
const peer = (workload: string): number =>
  median([...(before.get(workload) ?? []), ...(after.get(workload) ?? [])].slice());
const peers = [
  'single-dot',
  'batch8-dot',
  'single-dot',
  'single-dot',
  'batch8-dot',
  ...(l2 === null ? [] : ['single-l2']),
];
const ms = results.map(({ medianMs }) => medianMs);
const leastOf = (i: number): number => results[i]?.minMs ?? Number.NaN;
const gigabytes = (rows * dimension * 4) / 1e9;
console.log(
  table([
    ['', 'ms a query', 'least', 'GB/s', 'FAISS ms', 'times FAISS'],
    ...results.map(({ name, medianMs, minMs }, i) => {
      const other = i < peers.length ? peer(`knn10-${peers[i]}`) : Number.NaN;
      return [name, medianMs, minMs, (1000 * gigabytes) / medianMs, other, other / medianMs];
    }),
  ]),
);
const entry = indexEntry(quick.core.instance, findIndex(quick.core.instance, quick.graph, 'vectors'));
console.log(
  `add: ${((1000 * plain.addMs) / rows).toFixed(2)} µs a vector, ${((1000 * quick.addMs) / rows).toFixed(2)} with companion`,
);
console.log(`bytes a vector with companion: ${Math.round(entry.bytes / rows)} (${4 * dimension} of components)`);
const [one = 0, eight = 0, two = 0, companion = 0] = ms;
console.log(target('plain scan, one thread, against FAISS', peer('knn10-single-dot') / one, '>=', 1, '×'));
console.log(target('two threads against one', one / two, '>=', 1.8, '×'));
console.log(target('two threads against one, least of each', leastOf(0) / leastOf(2), '>=', 1.8, '×'));
const readMs = (threads: number): number => results.find(({ name }) => name === readName(threads))?.medianMs ?? 0;
if (read !== null) {
  console.log(`two threads against one, native read: ${(readMs(1) / readMs(2)).toFixed(2)} ×`);
  console.log(target('one thread, share of the native read', readMs(1) / one, '>=', 0.85, '×'));
  console.log(target('two threads, share of the native read', readMs(2) / two, '>=', 0.85, '×'));
}
console.log(target('eight queries a pass, time of FAISS', eight / peer('knn10-batch8-dot'), '<=', 0.6, '×'));
console.log(target('companion against FAISS', peer('knn10-single-dot') / companion, '>=', 2.5, '×'));
