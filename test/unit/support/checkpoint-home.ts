// A namespace without its engine: a core, a graph, a log, and random writes through both; what a checkpoint is made of and compared to.

import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { Core } from '../../../src/core/core.ts';
import type { CoreBinary } from '../../../src/core/instance.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../../src/core/requests.ts';
import { loadCheckpoint } from '../../../src/engine/checkpoint/load.ts';
import { saveCheckpoint } from '../../../src/engine/checkpoint/save.ts';
import { type PartitionScanner, slicingScanner } from '../../../src/engine/checkpoint/scan.ts';
import { type Anchor, type CheckpointInfo, sectionKinds } from '../../../src/engine/checkpoint/types.ts';
import { Documents, isDocumentTransaction } from '../../../src/engine/documents.ts';
import { crc32With } from '../../../src/engine/log/crc32.ts';
import { type OpenedLog, openSegments } from '../../../src/engine/log/open-segments.ts';
import type { SegmentedLog } from '../../../src/engine/log/segments.ts';
import type { CheckpointStore, LogStore } from '../../../src/storage/types.ts';
import { Alive, dumpOf, RandomWrites } from './checkpoint-graph.ts';
import type { Dump } from './graph-core.ts';
import type { Transaction } from './transaction.ts';

export const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
export const namespaceId = 'ns-20260101-000000-0001';
export const logName = 'arcwise.wal';

export function binaryOf(debug: boolean): CoreBinary {
  const path = new URL(`../../../dist/wasm/${debug ? 'debug/' : ''}core.shared.wasm`, import.meta.url);
  return { module: new WebAssembly.Module(readFileSync(path)), shared: true };
}

/** Cores over a few memories that are used again and again: a process has room for few. */
export class Cores {
  readonly binary: CoreBinary;
  private readonly pool: MemoryPool;

  constructor(debug = true) {
    this.binary = binaryOf(debug);
    this.pool = new MemoryPool({ shared: true });
  }

  make(limitBytes = 2 ** 30): Core {
    return new Core(this.binary, this.pool, limitBytes);
  }

  async using<T>(run: (core: Core) => Promise<T>): Promise<T> {
    const core = this.make();
    try {
      return await run(core);
    } finally {
      core.dispose();
    }
  }
}

let epochs = 0;

export function openLog(
  logs: LogStore,
  replay: (payload: Uint8Array, sequence: number) => void = () => {},
  anchor: Anchor | null = null,
  restart = false,
): Promise<OpenedLog> {
  const newEpoch = (): string => (++epochs).toString(16).padStart(32, '0');
  const options = { crc32, namespaceId, nowMs: 0, log: { crc32 }, newEpoch };
  return openSegments(logs, logName, { ...options, anchor, restart }, replay);
}

/** A graph with a writer. */
export class Writer {
  readonly core: Core;
  readonly graph: number;
  readonly writes: RandomWrites;
  readonly alive: Alive;
  readonly log: SegmentedLog | null;
  readonly documents: Documents;
  /** Transactions applied here. */
  commits = 0;
  time = 1_700_000_000;

  constructor(
    core: Core,
    seed: number,
    log: SegmentedLog | null = null,
    graph = core.createGraph(),
    alive = new Alive(),
    documents = new Documents(),
  ) {
    this.core = core;
    this.graph = graph;
    this.writes = new RandomWrites(seed);
    this.alive = alive;
    this.log = log;
    this.documents = documents;
  }

  /** One random transaction; settles when it is durable. */
  write(operations: number): Promise<boolean> {
    return this.apply(this.writes.transaction(this.alive, operations, this.time++));
  }

  apply(transaction: Transaction): Promise<boolean> {
    return this.committed(this.core.applyBytes(this.graph, transaction.encode(), false));
  }

  /** Puts documents by their names, or removes them (null), in one transaction; settles when that is durable. */
  keep(texts: Readonly<Record<string, string | null>>): Promise<boolean> {
    const operations = Object.entries(texts).map(([name, text]): WriteOperation => {
      const of = { documentKind: sectionKinds.storedQueries, name };
      return text === null ? { kind: 'removeDocument', ...of } : { kind: 'putDocument', ...of, text };
    });
    return this.committed(this.core.write(this.graph, operations, this.time++ * 1000));
  }

  /** Every document, in order. */
  get kept(): string {
    return JSON.stringify(this.documents.list(sectionKinds.storedQueries));
  }

  private committed(applied: ReturnType<Core['applyBytes']>): Promise<boolean> {
    if (!applied.ok) throw new Error(`The core refused a transaction: status ${applied.status}`);
    if (isDocumentTransaction(applied.bytes)) this.documents.apply(applied.bytes);
    this.commits++;
    return this.log?.append(applied.bytes) ?? Promise.resolve(true);
  }

  /** A transaction that changes something and is then refused as a whole. */
  fail(): void {
    const id = this.alive.first;
    if (id === undefined) return;
    const transaction = this.writes.transaction(new Alive(), 0, this.time);
    for (let i = 0; i < 20; i++)
      transaction.set(this.alive.vertices[i % this.alive.vertices.length] as number, 'gone', this.writes.value());
    transaction.remove(id).set(id, 'gone', this.writes.value());
    if (this.core.applyBytes(this.graph, transaction.encode(), false).ok)
      throw new Error('It should have been refused.');
  }

  save(
    store: CheckpointStore,
    name: string,
    options: { scanner?: PartitionScanner; pause?: () => Promise<void>; partitions?: number } = {},
  ): Promise<CheckpointInfo> {
    const { scanner = slicingScanner, pause = async () => {}, partitions = 2 } = options;
    const { core, graph, documents, log } = this;
    const source = { core, graph, documents, namespaceId, log, scanner, crc32, pause };
    return saveCheckpoint(source, { store, name, partitions, engineVersion: '0.1.0', nowMs: 1_760_000_000_000 });
  }

  dump(): Dump {
    return dumpOf(this.core, this.graph);
  }
}

/** What the checkpoint holds. */
export async function dumpCheckpoint(cores: Cores, store: CheckpointStore, name: string): Promise<Dump> {
  return cores.using(async (core) => {
    const { graph } = await loadCheckpoint(core, store, name, { crc32, pause: async () => {}, namespaceId });
    return dumpOf(core, graph);
  });
}
