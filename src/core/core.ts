// The writer's core of one namespace: one memory, one instance that may change it. Writes and point reads are single synchronous
// calls; nothing here waits. Scans and interchange, which walk the graph in slices, have their own files beside this one.

import { AnswerTooLong } from './bounded-read.ts';
import { encodeRequests, requestBound } from './encode.ts';
import { type CoreBinary, CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import type { MemoryPool } from './memory-pool.ts';
import type { WriteOperation, WriteRefusal } from './requests.ts';
import { CoreStatus } from './status.ts';
import type { SteppedWrite } from './stepped-write.ts';
import { textBound, writeText } from './text.ts';

const none = 0xffffffff;
const maxPages = 65536;
/** Words of the transaction buffer (assembly/transaction/format.ts). */
const txOperationCount = 24;
const txFirstId = 36;
const txCreateCount = 40;

/** A transaction that was applied. `bytes` is a view of its buffer in linear memory, valid until the next call of the core. */
export interface Applied {
  readonly ok: true;
  readonly firstId: number;
  readonly createCount: number;
  readonly bytes: Uint8Array;
  /** Records of eight words for the change feed (assembly/transaction/changes.ts) in pieces, the caller's to keep; null unless asked for. */
  readonly changes: readonly Uint32Array[] | null;
}

/** Bytes handed out by purpose, in the order of assembly/memory/layout.ts. */
export interface MemoryUse {
  readonly elements: number;
  readonly adjacency: number;
  readonly properties: number;
  readonly strings: number;
  readonly indexes: number;
  readonly projections: number;
  readonly scratch: number;
  readonly system: number;
  /** Pages of 64 KiB that the allocator holds. */
  readonly pages: number;
  /** That the memory has: a plain one keeps what it has grown to, a shared one has all from its beginning. */
  readonly grownPages: number;
  /** As many as the allocator may hold. */
  readonly limitPages: number;
}

/** Watches every transaction of a core, for a checkpoint that is being written beside them. */
export interface WriteTap {
  /** A transaction is about to be applied. */
  begin(): void;
  /** It was applied; `bytes` are a view as in `Applied`. */
  applied(bytes: Uint8Array): void;
  /** It was refused. `seen`: readers may have seen some of it before it was taken back. */
  refused(seen: boolean): void;
}

export type ElementKindNumber = 0 | 1 | 2;
export type DirectionNumber = 0 | 1;

/** Of a group of edges: ids behind `after` (-1: from the first on), at most `limit`. */
export interface GroupPart {
  readonly after: number;
  readonly limit: number;
}

/** A memory limit in bytes, as pages; at most what 32-bit addresses reach. */
function pagesOf(bytes: number): number {
  return Math.min(maxPages, Math.floor(bytes / 65536));
}

export class Core {
  readonly instance: CoreInstance;
  /** For more instances over the same memory. */
  readonly binary: CoreBinary;
  /** Null while nobody watches. */
  tap: WriteTap | null = null;
  /** The transaction that is being applied in steps; null as a rule. */
  stepped: SteppedWrite | null = null;
  /** Whether applying a transaction answers its changes; a redo never does. */
  recordChanges = false;
  /** Of 64 KiB: what the memory may have. */
  readonly limitPages: number;
  private readonly pool: MemoryPool;
  private readonly names: string[] = [];

  constructor(binary: CoreBinary, pool: MemoryPool, limitBytes: number) {
    this.pool = pool;
    this.binary = binary;
    this.instance = new CoreInstance(binary, pool.take());
    const { exports } = this.instance;
    this.limitPages = pagesOf(limitBytes);
    if (exports.coreInit(this.limitPages) === 0 || exports.coreAttachWriter() === 0) {
      throw new CoreMemoryExhausted(`A graph needs more than ${limitBytes} bytes of memory.`);
    }
  }

  /** Gives the memory back to the pool. No reader may be at work, and nothing may call this core again. */
  dispose(): void {
    this.pool.give(this.instance.memory, this.instance.exports.pageTop());
  }

  /** A new, empty graph in this memory. Answers its handle. */
  createGraph(): number {
    this.finishStepped();
    const graph = this.instance.exports.graphCreate() >>> 0;
    if (graph === 0) throw new CoreMemoryExhausted('No memory is left for another graph.');
    return graph;
  }

  /**
   * Parses, validates and applies one transaction. `timeMs` is the commit time in Unix milliseconds.
   * A refusal changed nothing and consumed no id. One that only gives memory back is not refused because the memory is full.
   */
  write(graph: number, operations: readonly WriteOperation[], timeMs: number): Applied | WriteRefusal {
    const outcome = this.request(graph, operations, timeMs);
    if (outcome.ok || outcome.status !== CoreStatus.noMemory) return outcome;
    if (operations.every(givesBack)) {
      this.trimBuffers();
      return this.instance.lending(() => this.request(graph, operations, timeMs));
    }
    return this.settle() ? this.request(graph, operations, timeMs) : outcome;
  }

  /** Moves buffers out of the middle of the free memory; false where it lies in a row anyway. What stands in them is lost. */
  private settle(): boolean {
    const { exports } = this.instance;
    if (exports.pagesFree() <= exports.pagesFreeRun()) return false;
    exports.arenaSettle();
    exports.requestEmpty();
    return true;
  }

  private request(graph: number, operations: readonly WriteOperation[], timeMs: number): Applied | WriteRefusal {
    const { exports } = this.instance;
    const address = this.instance.input(requestBound(operations));
    if (address === null) return refusal(CoreStatus.noMemory, 0, 0, -1);
    const bytes = encodeRequests(this.instance.bytes, this.instance.words, address, operations);
    const built = exports.buildRequest(address, bytes, Math.floor(timeMs / 1000), timeMs);
    const outcome =
      built === CoreStatus.ok
        ? this.applyBuilt(graph)
        : refusal(built, exports.buildErrorRecord(), exports.buildErrorProperty(), -1);
    if (!outcome.ok) {
      this.instance.trimAfter(bytes);
      return outcome;
    }
    const { byteOffset, length } = outcome.bytes;
    this.instance.trimAfter(bytes);
    if (outcome.bytes.length === length) return outcome;
    // A plain memory grew with the giving back: the transaction stays where it is, but not a view of it.
    return { ...outcome, bytes: this.instance.bytes.subarray(byteOffset, byteOffset + length) };
  }

  /** Gives back the buffers that large requests, answers and transactions have left behind. What stands in them is lost. */
  trimBuffers(): void {
    const { exports } = this.instance;
    exports.arenaTrim();
    exports.requestTrim();
    exports.imageTrim();
  }

  /** Applies the transaction that the core has built; without `wantChanges` its changes are not recorded in any case. */
  applyBuilt(graph: number, wantChanges = true): Applied | WriteRefusal {
    const { exports } = this.instance;
    return this.apply(graph, exports.transactionBase() >>> 0, exports.transactionBytes() >>> 0, false, wantChanges);
  }

  /** Applies a transaction buffer from the log. `redo` tolerates what an earlier or later frame has already done. */
  applyBytes(graph: number, transaction: Uint8Array, redo: boolean): Applied | WriteRefusal {
    const address = this.instance.input(transaction.length);
    if (address === null) return refusal(CoreStatus.noMemory, 0, 0, -1);
    this.instance.bytes.set(transaction, address);
    return this.apply(graph, address, transaction.length, redo);
  }

  /** Applies the transaction that lies at `address` in linear memory. */
  apply(graph: number, address: number, bytes: number, redo: boolean, wanted = true): Applied | WriteRefusal {
    const { exports } = this.instance;
    this.finishStepped();
    this.tap?.begin();
    const wantChanges = wanted && this.recordChanges && !redo;
    if (wantChanges) exports.outBegin();
    const status = exports.applyTransaction(graph, address, bytes, redo ? 1 : 0, wantChanges ? 1 : 0);
    const outcome = this.outcomeOf(status, address, bytes, wantChanges ? this.takeChanges() : null);
    if (outcome.ok) this.tap?.applied(outcome.bytes);
    else {
      const { words } = this.instance;
      const operations = words[(address + txOperationCount) >>> 2] as number;
      const createCount = words[(address + txCreateCount) >>> 2] as number;
      // Creates show readers nothing, and one operation alone that finds no element has done nothing.
      this.tap?.refused(createCount < operations && (operations > 1 || status === CoreStatus.noMemory));
    }
    return outcome;
  }

  /** What became of the transaction at `address` by the status of its application. For who applies one in steps. */
  outcomeOf(status: number, address: number, bytes: number, changes: Applied['changes']): Applied | WriteRefusal {
    const { exports, words } = this.instance;
    if (status !== CoreStatus.ok) return refusal(status, exports.errorRecord(), 0, exports.errorElement());
    const createCount = words[(address + txCreateCount) >>> 2] as number;
    const firstId = (words[(address + txFirstId) >>> 2] as number) | 0;
    return { ok: true, firstId, createCount, bytes: this.instance.bytes.subarray(address, address + bytes), changes };
  }

  /** Takes what is left of a transaction that is being applied in steps. To be called before anything else changes the graph. */
  finishStepped(): void {
    this.stepped?.finish();
  }

  /** The change records in OUTPUT, copied: one piece or none. For who applies a transaction in steps. */
  takeChanges(): Uint32Array[] {
    const from = (this.instance.exports.outBase() >>> 0) >>> 2;
    const words = this.instance.outputBytes() >>> 2;
    return words === 0 ? [] : [this.instance.words.slice(from, from + words)];
  }

  /** The text of an interned label, edge type or property key. */
  nameOf(id: number): string {
    const known = this.names[id];
    if (known !== undefined) return known;
    const { exports } = this.instance;
    const name = this.instance.text(exports.internText(id) >>> 0, exports.internTextBytes(id) >>> 0);
    this.names[id] = name;
    return name;
  }

  vertexCount(graph: number): number {
    return this.instance.exports.vertexCount(graph) >>> 0;
  }

  edgeCount(graph: number): number {
    return this.instance.exports.edgeCount(graph) >>> 0;
  }

  /** Changes with every transaction. */
  graphVersion(graph: number): number {
    return this.instance.exports.graphVersion(graph) >>> 0;
  }

  /** One above the highest id ever handed out. */
  nextId(graph: number): number {
    return this.instance.exports.nextId(graph) >>> 0;
  }

  /** JSON of one element in the read shape of the contract; null when absent or of another kind than asked. */
  readElement(graph: number, id: number, kind: ElementKindNumber): Uint8Array<ArrayBuffer> | null {
    return this.found(this.instance.exports.readElement(graph, id, kind));
  }

  /**
   * JSON items of `ids` from index `start` on, separated by commas, until a block is full. `missing` lists the ids of this block
   * that do not exist. `next` is the index to go on from. @testonly: answers come from readers (engine/reads.ts).
   */
  readElements(graph: number, ids: Int32Array, start: number): { items: Uint8Array; missing: number[]; next: number } {
    const address = this.instance.input(ids.byteLength);
    if (address === null) throw new CoreMemoryExhausted('No memory is left to read elements.');
    this.instance.words.set(ids, address >>> 2);
    const { exports } = this.instance;
    this.succeed(exports.readElements(graph, address, ids.length, start));
    const from = (address >>> 2) + start;
    const missing = Array.from(this.instance.words.subarray(from, from + exports.readMissing()), (id) => id | 0);
    return { items: this.instance.takeOutput(), missing, next: exports.readCursor() >>> 0 };
  }

  /** JSON items of live vertices (kind 1) or edges (kind 2) from id `fromId` on, at most `limit`, until a block is full. @testonly */
  readGraph(
    graph: number,
    kind: 1 | 2,
    fromId: number,
    limit: number,
  ): { items: Uint8Array; count: number; next: number } {
    const { exports } = this.instance;
    this.succeed(exports.readGraph(graph, kind, fromId, limit));
    return { items: this.instance.takeOutput(), count: exports.readCount() >>> 0, next: exports.readCursor() >>> 0 };
  }

  /** JSON array of the edge types in which the vertex has edges; null when there is no such vertex. */
  readEdgeTypes(graph: number, id: number, direction: DirectionNumber): Uint8Array<ArrayBuffer> | null {
    return this.found(this.instance.exports.readEdgeTypes(graph, id, direction));
  }

  /** JSON array of edge ids; null when there is no such vertex or it has no such group. */
  readGroup(graph: number, id: number, direction: DirectionNumber, type: string): Uint8Array<ArrayBuffer> | null {
    const { address, length } = this.placeText(type);
    return this.found(this.instance.exports.readGroup(graph, id, direction, address, length));
  }

  /** As `readGroup`: ids behind `after` (-1: from the first on), at most `limit`; an empty list behind the last one. */
  readGroupPart(
    graph: number,
    id: number,
    direction: DirectionNumber,
    type: string,
    part: GroupPart,
  ): Uint8Array<ArrayBuffer> | null {
    const { address, length } = this.placeText(type);
    const { after, limit } = part;
    return this.found(this.instance.exports.readGroupPart(graph, id, direction, address, length, after, limit));
  }

  /** Number of edges in that direction; null when there is no such vertex. */
  readDegree(graph: number, id: number, direction: DirectionNumber): number | null {
    const degree = this.instance.exports.readDegree(graph, id, direction);
    return degree < 0 ? null : degree;
  }

  /** Number of edges of one type in that direction; null when there is no such vertex. */
  readGroupDegree(graph: number, id: number, direction: DirectionNumber, type: string): number | null {
    const { address, length } = this.placeText(type);
    const degree = this.instance.exports.readGroupDegree(graph, id, direction, address, length);
    return degree < 0 ? null : degree;
  }

  /** Source (0) or target (1) of an edge; null when there is no such edge. */
  readEndpoint(graph: number, id: number, end: 0 | 1): number | null {
    const vertex = this.instance.exports.readEndpoint(graph, id, end);
    return vertex < 0 ? null : vertex;
  }

  /** The type of an edge; null when there is no such edge. */
  readEdgeType(graph: number, id: number): string | null {
    const type = this.instance.exports.readEdgeType(graph, id) >>> 0;
    return type === none ? null : this.nameOf(type);
  }

  /** The output of a read that may find nothing (null). */
  private found(status: number): Uint8Array<ArrayBuffer> | null {
    if (status === CoreStatus.notFound || status === CoreStatus.wrongKind) return null;
    this.succeed(status);
    return this.instance.takeOutput();
  }

  /** A read fails only for want of memory, or by its bound. */
  private succeed(status: number): void {
    if (status === CoreStatus.limitMet) throw new AnswerTooLong();
    if (status !== CoreStatus.ok) throw new CoreMemoryExhausted(`A read does not fit into memory (status ${status}).`);
  }

  /** Writes one string into the input buffer. */
  private placeText(text: string): { address: number; length: number } {
    const address = this.instance.input(textBound(text) + 8);
    if (address === null) throw new CoreMemoryExhausted('No memory is left for a request.');
    return { address, length: writeText(this.instance.bytes, address, text) };
  }

  /** Exact bytes in blocks handed out, by purpose. */
  memoryUse(): MemoryUse {
    const { exports } = this.instance;
    const bytes = (purpose: number): number => exports.memoryBytes(purpose);
    return {
      elements: bytes(0),
      adjacency: bytes(1),
      properties: bytes(2),
      strings: bytes(3),
      indexes: bytes(4),
      projections: bytes(5),
      scratch: bytes(6),
      system: bytes(7),
      pages: exports.pagesUsed(),
      grownPages: this.instance.memory.buffer.byteLength / 65536,
      limitPages: this.limitPages,
    };
  }
}

/** Operations after which there is less than before. */
const givingBack: Readonly<Record<WriteOperation['kind'], boolean>> = {
  createVertex: false,
  createEdge: false,
  setProperty: false,
  removeProperty: true,
  removeElement: true,
  erase: true,
  trim: true,
  createIndex: false,
  dropIndex: true,
  clearIndex: true,
  addToIndex: false,
  removeFromIndex: true,
  removeIndexKey: true,
  putDocument: false,
  removeDocument: true,
};

function givesBack({ kind }: WriteOperation): boolean {
  return givingBack[kind];
}

function refusal(status: number, record: number, property: number, element: number): WriteRefusal {
  return {
    ok: false,
    status: status as WriteRefusal['status'],
    record,
    property,
    element: element === none ? -1 : element | 0,
  };
}
