// Bulk import on the writer's core, export on any: bytes in, transactions out; blocks of lines out. Both work in short calls, so other
// requests run in between. An import keeps its place in the core, an export in its cursor.

import type { Applied, Core } from './core.ts';
import type { LineFailure } from './import-errors.ts';
import type { CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import type { WriteRefusal } from './requests.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';

const none = 0xffffffff;

/** What the reader wants next: more bytes, its batch applied, or nothing because it failed or is done. */
export type ImportStep = 'more' | 'batch' | 'failed' | 'done';
const steps: readonly ImportStep[] = ['more', 'batch', 'failed', 'done'];

/** Texts of numbers in which a comma was probably meant for a point. */
export interface OddCommas {
  readonly count: number;
  /** Of the first one: its line, from 1, and what it says. */
  readonly line: number;
  readonly text: string;
}

/** One running import. `drop` it in whatever state it ends. */
export class ImportSession {
  private readonly core: Core;
  private readonly graph: number;
  private readonly handle: number;

  /** Batches have up to `batchSize` elements, lines up to `maxLineBytes` bytes without their line feed. */
  constructor(core: Core, graph: number, batchSize: number, maxLineBytes: number) {
    this.core = core;
    this.graph = graph;
    this.handle = core.instance.exports.importBegin(batchSize, maxLineBytes) >>> 0;
    if (this.handle === 0) throw new CoreMemoryExhausted('No memory is left for a bulk import.');
  }

  /** Reads a chunk of the body. `nowMs` is the commit time of the batches that complete in it. */
  feed(chunk: Uint8Array, nowMs: number): ImportStep {
    const { exports } = this.core.instance;
    const address = exports.importInput(this.handle, chunk.length) >>> 0;
    if (address === 0) throw new CoreMemoryExhausted('No memory is left for the lines of a bulk import.');
    this.core.instance.bytes.set(chunk, address);
    exports.importTime(this.handle, Math.floor(nowMs / 1000), nowMs);
    return this.step(exports.importFeed(this.handle, chunk.length));
  }

  /** Applies the batch that is ready. */
  apply(): Applied | WriteRefusal {
    const { exports } = this.core.instance;
    const address = exports.importTransaction(this.handle) >>> 0;
    return this.core.apply(this.graph, address, exports.importTransactionBytes(this.handle) >>> 0, false);
  }

  /** Elements in the batch that is ready. */
  get batchElements(): number {
    return this.core.instance.exports.importBatchElements(this.handle) >>> 0;
  }

  /** Goes on after the batch was applied. */
  resume(nowMs: number): ImportStep {
    const { exports } = this.core.instance;
    exports.importTime(this.handle, Math.floor(nowMs / 1000), nowMs);
    return this.step(exports.importResume(this.handle));
  }

  /** The body is over. */
  end(nowMs: number): ImportStep {
    const { exports } = this.core.instance;
    exports.importTime(this.handle, Math.floor(nowMs / 1000), nowMs);
    return this.step(exports.importEnd(this.handle));
  }

  /** Lines read so far, blank ones and the meta line included. */
  get linesRead(): number {
    return this.core.instance.exports.importLinesRead(this.handle) >>> 0;
  }

  /** Numbers so far whose commas part something else than thousands, and the first of them; null: there are none. */
  get commas(): OddCommas | null {
    const { instance } = this.core;
    const { exports } = instance;
    const count = exports.importCommas(this.handle) >>> 0;
    if (count === 0) return null;
    const text = instance.text(exports.importCommaText(this.handle) >>> 0, exports.importCommaTextBytes(this.handle));
    return { count, line: exports.importCommaLine(this.handle) >>> 0, text };
  }

  /** After `failed`: why and where. */
  failure(): LineFailure {
    const { instance } = this.core;
    const { exports } = instance;
    const bytes = exports.importErrorTextBytes(this.handle) >>> 0;
    return {
      code: exports.importError(this.handle),
      lineNumber: this.linesRead,
      column: exports.importErrorColumn(this.handle) >>> 0,
      field: exports.importErrorField(this.handle),
      text: bytes === 0 ? '' : instance.text(exports.importErrorText(this.handle) >>> 0, bytes),
    };
  }

  /** Frees what the import holds in the core. */
  drop(): void {
    this.core.instance.exports.importDrop(this.handle);
  }

  private step(code: number): ImportStep {
    const step = steps[code];
    if (step === undefined) throw new Error(`The core answered import step ${code}.`);
    return step;
  }
}

/** The graph was erased or renumbered while an export ran, or needed the memory of what was kept for it. */
export class ExportInterrupted extends Error {
  override readonly name = 'ExportInterrupted';
}

export interface ExportNames {
  readonly vertexLabel: string | null;
  readonly edgeLabel: string | null;
  readonly edgeType: string | null;
}

export type ExportCheck =
  | { readonly ok: true; readonly vertices: number; readonly edges: number }
  | { readonly ok: false; readonly element: number; readonly key: string };

const exportBadValue = 100;
const exportChanged = 101;
const phaseVertices = 0;
const phaseDone = 2;
/** Ids that one call of the check covers: a few milliseconds. */
const checkSliceIds = 131_072;

/** What is kept for an export: the elements that the graph had when it began. */
export interface ExportKeep {
  readonly token: number;
  /** Ids from here on are younger than the export. */
  readonly limit: number;
}

/** [writer] Begins an export; `endExport` has to follow, once. Throws CoreMemoryExhausted. */
export function beginExport(instance: CoreInstance, graph: number): ExportKeep {
  // Two bits an id: a graph that fills its memory must still be exportable.
  const token = instance.lending(() => instance.exports.exportBegin(graph) >>> 0);
  if (token === 0) throw new CoreMemoryExhausted('No memory is left for an export.');
  return { token, limit: instance.exports.exportLimit() >>> 0 };
}

/** [writer] Lets go of what was kept; members still at work find the graph changed. */
export function endExport(instance: CoreInstance, { token }: ExportKeep): void {
  instance.exports.exportEnd(token);
}

/** Where an export stands: plain data, good for any instance over the same memory. */
export interface ExportCursor {
  readonly token: number;
  /** Ids from here on are younger than the export. */
  readonly limit: number;
  readonly filters: readonly [vertexLabel: number, edgeLabel: number, edgeType: number];
  readonly phase: number;
  readonly next: number;
}

/**
 * One running export: first the check in slices, then the meta line, then blocks of lines. On a reader each call is announced, and
 * CoreMemoryExhausted means that its arena is too small: the call can be made again with a larger one.
 */
export class ExportSession {
  private readonly core: { readonly instance: CoreInstance };
  private readonly graph: number;
  private at: ExportCursor;

  /** Begins an export, or goes on where another instance has come to. */
  constructor(
    core: { readonly instance: CoreInstance },
    graph: number,
    from: (ExportKeep & { readonly names: ExportNames }) | ExportCursor,
  ) {
    this.core = core;
    this.graph = graph;
    this.at = 'names' in from ? this.begin(from, from.names) : from;
  }

  private begin({ token, limit }: ExportKeep, names: ExportNames): ExportCursor {
    const filters = [
      this.filter(names.vertexLabel),
      this.filter(names.edgeLabel),
      this.filter(names.edgeType),
    ] as const;
    return { token, limit, filters, phase: phaseVertices, next: 0 };
  }

  /** Where `block` goes on. */
  get cursor(): ExportCursor {
    return this.at;
  }

  /** Everything is out. */
  get isDone(): boolean {
    return this.at.phase === phaseDone;
  }

  private filter(name: string | null): number {
    if (name === null) return none;
    const { address, bytes } = this.place(name);
    return this.core.instance.exports.exportFilter(address, bytes);
  }

  private place(text: string): { address: number; bytes: number } {
    const address = this.core.instance.input(textBound(text) + 8);
    if (address === null) throw new CoreMemoryExhausted('No memory is left for an export.');
    return { address, bytes: writeText(this.core.instance.bytes, address, text) };
  }

  /** Counts what will be exported, slice by slice; ends early at the first value that cannot be exported. */
  *check(): Generator<void, ExportCheck> {
    let vertices = 0;
    let edges = 0;
    for (let from = 0; from < this.at.limit; from += checkSliceIds) {
      const slice = this.checkSlice(from);
      if (!slice.ok) return slice;
      vertices += slice.vertices;
      edges += slice.edges;
      yield;
    }
    return { ok: true, vertices, edges };
  }

  /** The check of one slice of ids: what of it will be exported. */
  private checkSlice(from: number): ExportCheck {
    const { exports } = this.core.instance;
    const { token, limit, filters } = this.at;
    const to = Math.min(limit, from + checkSliceIds);
    const status = exports.exportCheck(this.graph, token, ...filters, from, to);
    if (status === exportBadValue) return { ok: false, element: exports.exportElement() >>> 0, key: this.badKey() };
    this.succeed(status);
    return { ok: true, vertices: exports.exportVertices() >>> 0, edges: exports.exportEdges() >>> 0 };
  }

  private badKey(): string {
    const { instance } = this.core;
    const key = instance.exports.exportKey();
    return instance.text(instance.exports.internText(key) >>> 0, instance.exports.internTextBytes(key) >>> 0);
  }

  /** The meta line. */
  meta(vertices: number, edges: number, exportedAt: Date): Uint8Array<ArrayBuffer> {
    const { address, bytes } = this.place(exportedAt.toISOString());
    this.succeed(this.core.instance.exports.exportMeta(vertices, edges, address, bytes));
    return this.core.instance.takeOutput();
  }

  /** The next block of whole lines, possibly empty; null when everything is out. */
  block(): Uint8Array<ArrayBuffer> | null {
    const { token, limit, filters, phase, next } = this.at;
    if (phase === phaseDone) return null;
    const { exports } = this.core.instance;
    this.succeed(exports.exportBlock(this.graph, token, ...filters, phase, next, limit));
    this.at = { ...this.at, phase: exports.exportPhase(), next: exports.exportNext() >>> 0 };
    return this.core.instance.takeOutput();
  }

  private succeed(status: number): void {
    if (status === CoreStatus.ok) return;
    if (status === exportChanged)
      throw new ExportInterrupted('The graph was erased or renumbered during the export, or needed its memory.');
    throw new CoreMemoryExhausted(`An export does not fit into memory (status ${status}).`);
  }
}
