// A core on its own, filled at full speed: transaction buffers written straight in the form of assembly/transaction/format.ts, so that a
// benchmark of the graph does not measure JSON.

import { readFileSync } from 'node:fs';
import { Core } from '../../src/core/core.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { EdgeList } from './graphs.ts';

const headerBytes = 64;
const createOperation = 1;
const kindVertex = 1;
const kindEdge = 2;
const none = 0xffffffff;
/** Elements in one transaction, as an import batches them. */
const batchSize = 10_000;

export const loadedAt = 1_700_000_000;

/** The release core, or the debug build with `debug`. */
export function loadBinary(debug = false): CoreBinary {
  const path = new URL(`../../wasm/${debug ? 'debug/' : ''}core.shared.wasm`, import.meta.url);
  return { module: new WebAssembly.Module(readFileSync(path)), shared: true };
}

export function newCore(): Core {
  return new Core(loadBinary(), new MemoryPool({ shared: true }), 2 ** 32);
}

/** A transaction of bare creates: one template, no label, no properties. */
function bareCreates(
  kind: number,
  type: string,
  count: number,
  write: (words: Uint32Array, at: number, i: number) => void,
): Uint8Array {
  const text = new TextEncoder().encode(type);
  const hasType = kind === kindEdge;
  const stringsAt = headerBytes;
  const stringBytes = hasType ? 8 + ((text.length + 7) & ~7) : 0;
  const templatesAt = stringsAt + stringBytes;
  const operationsAt = templatesAt + 8 + 16;
  const operationBytes = hasType ? 24 : 16;
  const bytes = new Uint8Array(operationsAt + count * operationBytes);
  const words = new Uint32Array(bytes.buffer);
  words.set([
    0x31585441,
    bytes.length,
    hasType ? 1 : 0,
    stringsAt,
    1,
    templatesAt,
    count,
    operationsAt,
    loadedAt,
    none,
    count,
    0,
  ]);
  if (hasType) {
    words.set([stringsAt + 8, text.length], stringsAt >> 2);
    bytes.set(text, stringsAt + 8);
  }
  words[templatesAt >> 2] = templatesAt + 8;
  words.set([kind, none, hasType ? 0 : none, 0], (templatesAt >> 2) + 2);
  for (let i = 0; i < count; i++) {
    const at = (operationsAt + i * operationBytes) >> 2;
    words[at] = createOperation;
    words[at + 2] = loadedAt;
    write(words, at, i);
  }
  return bytes;
}

/** The transactions that create the graph: vertices 0 .. n-1 first, then the edges in their order. */
export function* bareTransactions(graph: EdgeList, type = 'knows'): Generator<Uint8Array> {
  for (let from = 0; from < graph.vertexCount; from += batchSize) {
    yield bareCreates(kindVertex, '', Math.min(batchSize, graph.vertexCount - from), () => {});
  }
  for (let from = 0; from < graph.source.length; from += batchSize) {
    yield bareCreates(kindEdge, type, Math.min(batchSize, graph.source.length - from), (words, at, i) => {
      words[at + 4] = graph.source[from + i] as number;
      words[at + 5] = graph.target[from + i] as number;
    });
  }
}

/** Fills a graph with bare vertices and edges; answers the milliseconds that applying took. */
export function fill(core: Core, graph: number, list: EdgeList, progress?: (share: number) => void): number {
  let ms = 0;
  let done = 0;
  const total = Math.ceil(list.vertexCount / batchSize) + Math.ceil(list.source.length / batchSize);
  for (const transaction of bareTransactions(list)) {
    const started = performance.now();
    const result = core.applyBytes(graph, transaction, false);
    ms += performance.now() - started;
    if (!result.ok) throw new Error(`The core refused a batch: status ${result.status}`);
    progress?.(++done / total);
  }
  return ms;
}
