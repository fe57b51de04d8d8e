// A reader's core: one more instance over the memory of a writer's core, for use in another thread. It changes nothing; what it
// needs of its own lies in an arena that the writer has allocated. Whatever it reads it reads announced (assembly/memory/retire.ts),
// so nothing it holds is freed meanwhile. A reader may see part of a running transaction, but never half an element. Its arena
// cannot grow: what does not fit is answered as `ArenaTooSmall`, with the bytes of an arena that would do.

import type { Core, DirectionNumber, ElementKindNumber } from './core.ts';
import { type CoreBinary, CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import { type PropertyQuery, prepareCaseTable, scanPropertySlice, scanTextSlice, type TextQuery } from './scans.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';

/** Where a reader's arena lies; the writer's to give and to take back. */
export interface ReaderArena {
  readonly address: number;
  readonly bytes: number;
}

/** A read did not fit into the reader's arena. One of `neededBytes` is at least twice as large; a long read may ask again. */
export class ArenaTooSmall {
  readonly neededBytes: number;

  constructor(neededBytes: number) {
    this.neededBytes = neededBytes;
  }
}

/**
 * Run by the writer: an arena of `bytes` bytes for a reader that is about to start; null when memory does not allow it. Also makes
 * the case table that text scans look up, since a reader cannot. Take the arena back with `freeReaderArena`.
 */
export function allocateReaderArena(writer: CoreInstance, bytes: number): ReaderArena | null {
  const { exports } = writer;
  try {
    prepareCaseTable(writer);
  } catch (error) {
    if (error instanceof CoreMemoryExhausted) return null;
    throw error;
  }
  const address = exports.arenaAllocate(bytes) >>> 0;
  return address === 0 ? null : { address, bytes };
}

/**
 * Run by the writer, once the reader has detached or its thread has ended: takes back arena and slot. A thread that was ended in
 * the middle of a read holds back everything retired since until its slot (-1: it had none) is cleared here.
 * @testonly for readers that attach by themselves; jobs are lent what they need (lease.ts).
 */
export function freeReaderArena(writer: CoreInstance, arena: ReaderArena, slot: number): void {
  if (slot >= 0) writer.exports.readerDetach(slot);
  writer.exports.arenaFree(arena.address);
}

/** A UTF-16 unit takes so many bytes at most. */
const unitBytes = 3;

/** Whether a byte goes on with a character. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

export class CoreReader {
  readonly instance: CoreInstance;
  private arena: ReaderArena = { address: 0, bytes: 0 };
  private attachedSlot = -1;
  private inside = false;

  /**
   * `memory` is the writer's: shared, unless both run on one thread. Without an arena `use` comes first, otherwise `attach` before the
   * first read.
   */
  constructor(
    binary: CoreBinary,
    memory: WebAssembly.Memory,
    arena?: ReaderArena,
    instance = new CoreInstance(binary, memory),
  ) {
    this.instance = instance;
    if (arena !== undefined) this.take(arena);
  }

  /** The writer's own core as a reader: it need not announce anything, and its buffers grow by themselves. */
  static ofWriter({ binary, instance }: Core): CoreReader {
    const reader = new CoreReader(binary, instance.memory, undefined, instance);
    reader.inside = true;
    reader.arena = { address: 0, bytes: Number.POSITIVE_INFINITY };
    return reader;
  }

  /** Works from now on with an arena and a slot that the writer has lent, and watches that slot's stop word. */
  use(arena: ReaderArena, slot: number): void {
    const { exports } = this.instance;
    this.take(arena);
    this.attachedSlot = slot;
    exports.stopWatch(exports.readerStopAddress(slot));
  }

  private take(arena: ReaderArena): void {
    this.arena = arena;
    this.instance.exports.coreAttachReader(arena.address, arena.bytes);
  }

  /** What was lent is the writer's again; nothing may be read before the next `use`. */
  giveBack(): void {
    this.attachedSlot = -1;
    this.arena = { address: 0, bytes: 0 };
    this.instance.exports.stopWatch(0);
    this.instance.exports.coreAttachReader(0, 0);
  }

  /** Bytes of the arena: its first eighth takes input, the rest output and scratch. Infinite on the writer. */
  get arenaBytes(): number {
    return this.arena.bytes;
  }

  /** Address of this reader's stop word, for kernels in modules of their own. */
  get stopAddress(): number {
    return this.instance.exports.readerStopAddress(this.attachedSlot) >>> 0;
  }

  /** 0: go on; 1: cancelled; 2: its time is over. */
  get stopWord(): number {
    return this.instance.exports.stopWord();
  }

  /** Per cent of its time that a job that gives way may work; 0: all. */
  get share(): number {
    return this.instance.exports.shareWord();
  }

  /** Takes one of the memory's reader slots; false when all are taken. */
  attach(): boolean {
    this.attachedSlot = this.instance.exports.readerAttach();
    return this.attachedSlot >= 0;
  }

  /** Gives the slot back. */
  detach(): void {
    if (this.attachedSlot >= 0) this.instance.exports.readerDetach(this.attachedSlot);
    this.attachedSlot = -1;
  }

  /** The reader slot, -1 without one: what the writer has to clear should this thread end. */
  get slot(): number {
    return this.attachedSlot;
  }

  /**
   * Calls `read` announced: from its first line to its last nothing that the graph had is freed, and the address of a graph's
   * state stands for one state. Reads within are part of it. Keep it short; the writer's memory grows meanwhile.
   */
  announced<T>(read: () => T): T {
    if (this.inside) return read();
    if (this.attachedSlot < 0) throw new Error('A reader must attach before it reads.');
    const { exports } = this.instance;
    exports.readerEnter(this.attachedSlot);
    this.inside = true;
    try {
      return read();
    } finally {
      this.inside = false;
      exports.readerExit(this.attachedSlot);
    }
  }

  /** As `announced`, for a search that may give way in the middle: it stays announced meanwhile. */
  async announcedThroughout<T>(read: () => Promise<T>): Promise<T> {
    if (this.inside) return read();
    if (this.attachedSlot < 0) throw new Error('A reader must attach before it reads.');
    const { exports } = this.instance;
    exports.readerEnter(this.attachedSlot);
    this.inside = true;
    try {
      return await read();
    } finally {
      this.inside = false;
      exports.readerExit(this.attachedSlot);
    }
  }

  vertexCount(graph: number): number {
    return this.announced(() => this.instance.exports.vertexCount(graph) >>> 0);
  }

  edgeCount(graph: number): number {
    return this.announced(() => this.instance.exports.edgeCount(graph) >>> 0);
  }

  /** One above the highest id ever handed out. */
  nextId(graph: number): number {
    return this.announced(() => this.instance.exports.nextId(graph) >>> 0);
  }

  /** JSON of one element in the read shape of the contract; null when absent or of another kind than asked. */
  readElement(graph: number, id: number, kind: ElementKindNumber): Uint8Array<ArrayBuffer> | null | ArenaTooSmall {
    return this.announced(() => this.output(this.instance.exports.readElement(graph, id, kind)));
  }

  /** As `Core.readElements`: JSON items of `ids` from index `start` on until a block, or the arena, is full. */
  readElements(
    graph: number,
    ids: Int32Array,
    start: number,
  ): { items: Uint8Array; missing: number[]; next: number } | ArenaTooSmall {
    return this.announced(() => {
      const { instance } = this;
      const { exports } = instance;
      const address = instance.input(ids.byteLength);
      if (address === null) return this.tooSmall();
      instance.words.set(ids, address >>> 2);
      const status = exports.readElements(graph, address, ids.length, start);
      if (status !== CoreStatus.ok) return this.failure(status);
      const from = (address >>> 2) + start;
      const missing = Array.from(instance.words.subarray(from, from + exports.readMissing()), (id) => id | 0);
      return { items: instance.takeOutput(), missing, next: exports.readCursor() >>> 0 };
    });
  }

  /** As `Core.readGraph`: JSON items of live vertices (kind 1) or edges (kind 2) from id `fromId` on, at most `limit`. */
  readGraph(
    graph: number,
    kind: 1 | 2,
    fromId: number,
    limit: number,
  ): { items: Uint8Array; count: number; next: number } | ArenaTooSmall {
    return this.announced(() => {
      const { exports } = this.instance;
      const status = exports.readGraph(graph, kind, fromId, limit);
      if (status !== CoreStatus.ok) return this.failure(status);
      const items = this.instance.takeOutput();
      return { items, count: exports.readCount() >>> 0, next: exports.readCursor() >>> 0 };
    });
  }

  /** JSON array of the edge types in which the vertex has edges; null when there is no such vertex. */
  readEdgeTypes(graph: number, id: number, direction: DirectionNumber): Uint8Array<ArrayBuffer> | null | ArenaTooSmall {
    return this.announced(() => this.output(this.instance.exports.readEdgeTypes(graph, id, direction)));
  }

  /** JSON array of edge ids; null when there is no such vertex or it has no such group. */
  readGroup(
    graph: number,
    id: number,
    direction: DirectionNumber,
    type: string,
  ): Uint8Array<ArrayBuffer> | null | ArenaTooSmall {
    return this.announced(() =>
      this.withText(type, (address, length) =>
        this.output(this.instance.exports.readGroup(graph, id, direction, address, length)),
      ),
    );
  }

  /** Number of edges in that direction, approximate while a write is running; null when there is no such vertex. */
  readDegree(graph: number, id: number, direction: DirectionNumber): number | null {
    return this.announced(() => numberOrNull(this.instance.exports.readDegree(graph, id, direction)));
  }

  /** Number of edges of one type in that direction, as `readDegree`. */
  readGroupDegree(graph: number, id: number, direction: DirectionNumber, type: string): number | null | ArenaTooSmall {
    return this.announced(() =>
      this.withText(type, (address, length) =>
        numberOrNull(this.instance.exports.readGroupDegree(graph, id, direction, address, length)),
      ),
    );
  }

  /** Source (0) or target (1) of an edge; null when there is no such edge. */
  readEndpoint(graph: number, id: number, end: 0 | 1): number | null {
    return this.announced(() => numberOrNull(this.instance.exports.readEndpoint(graph, id, end)));
  }

  /** As `scanPropertySlice`: ids in [fromId, toId) that satisfy the query; null when the literal is no value of its type. */
  scanProperty(graph: number, query: PropertyQuery, fromId: number, toId: number): Uint32Array | null | ArenaTooSmall {
    return this.announced(() => this.fitting(() => scanPropertySlice(this.instance, graph, query, fromId, toId)));
  }

  /** As `scanTextSlice`: ids in [fromId, toId) with a property value whose text contains the term, case ignored. */
  scanText(graph: number, query: TextQuery, fromId: number, toId: number): Uint32Array | ArenaTooSmall {
    return this.announced(() => this.fitting(() => scanTextSlice(this.instance, graph, query, fromId, toId)));
  }

  /** An announced read of a function that is shared with the writer. */
  fitted<T>(read: () => T): T | ArenaTooSmall {
    return this.announced(() => this.fitting(read));
  }

  /** Starts counting a graph's shape; `readStatistics` of the output is the sum of what is added until then. */
  beginStatistics(graph: number, stride: number): true | ArenaTooSmall {
    return this.announced(() => {
      const status = this.instance.exports.statisticsBegin(graph, stride);
      return status === CoreStatus.ok ? true : this.failure(status);
    });
  }

  /** Adds the elements with ids in [fromId, toId). */
  addStatistics(graph: number, fromId: number, toId: number): void {
    this.announced(() => this.instance.exports.statisticsAdd(graph, fromId, toId));
  }

  /** The text of an interned name. */
  nameOf(id: number): string {
    const { exports } = this.instance;
    return this.instance.text(exports.internText(id) >>> 0, exports.internTextBytes(id) >>> 0);
  }

  /** The same, of a longer text its first `characters` and an ellipsis. */
  nameStart(id: number, characters: number): string {
    const length = this.nameBytes(id);
    if (length <= characters) return this.nameOf(id);
    const address = this.instance.exports.internText(id) >>> 0;
    let end = Math.min(length, characters * unitBytes);
    while (end < length && isContinuation(this.instance.bytes[address + end] as number)) end--;
    const text = this.instance.text(address, end);
    return end === length && text.length <= characters ? text : `${text.slice(0, characters)}…`;
  }

  nameBytes(id: number): number {
    return this.instance.exports.internTextBytes(id) >>> 0;
  }

  /** What the shared scan functions report by throwing; a reader's memory is its arena. */
  private fitting<T>(read: () => T): T | ArenaTooSmall {
    try {
      return read();
    } catch (error) {
      if (error instanceof CoreMemoryExhausted) return this.tooSmall();
      throw error;
    }
  }

  private withText<T>(text: string, read: (address: number, length: number) => T): T | ArenaTooSmall {
    const address = this.instance.input(textBound(text) + 8);
    if (address === null) return this.tooSmall();
    return read(address, writeText(this.instance.bytes, address, text));
  }

  private output(status: number): Uint8Array<ArrayBuffer> | null | ArenaTooSmall {
    if (status === CoreStatus.notFound || status === CoreStatus.wrongKind) return null;
    return status === CoreStatus.ok ? this.instance.takeOutput() : this.failure(status);
  }

  private failure(status: number): ArenaTooSmall {
    if (status === CoreStatus.noMemory) throw new CoreMemoryExhausted('A read does not fit into memory.');
    if (status !== CoreStatus.arenaTooSmall) throw new Error(`The core answered status ${status} to a reader.`);
    return this.tooSmall();
  }

  /** What to answer when a core call found its arena too small. */
  tooSmall(): ArenaTooSmall {
    if (!Number.isFinite(this.arena.bytes)) throw new CoreMemoryExhausted('A read does not fit into memory.');
    // The core names what its next piece would have needed, which is not the last piece.
    return new ArenaTooSmall(Math.max(this.instance.exports.arenaNeed() >>> 0, 2 * this.arena.bytes));
  }
}

function numberOrNull(answer: number): number | null {
  return answer < 0 ? null : answer;
}
