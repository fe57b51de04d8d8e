// Bulk import and export on the writer's core: bytes in, transactions out; blocks of lines out. Both work in short calls and keep
// their place in the core, so other requests run in between.

import type { Applied, Core } from './core.ts';
import type { LineFailure } from './import-errors.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import type { WriteRefusal } from './requests.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';

const none = 0xffffffff;

/** What the reader wants next: more bytes, its batch applied, or nothing because it failed or is done. */
export type ImportStep = 'more' | 'batch' | 'failed' | 'done';
const steps: readonly ImportStep[] = ['more', 'batch', 'failed', 'done'];

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

/** The graph was erased or renumbered while an export ran. */
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

/** One running export: first the check in slices, then the meta line, then blocks of lines. */
export class ExportSession {
  private readonly core: Core;
  private readonly graph: number;
  private readonly token: number;
  private readonly limit: number;
  private readonly filters: readonly [vertexLabel: number, edgeLabel: number, edgeType: number];
  private phase = phaseVertices;
  private next = 0;

  constructor(core: Core, graph: number, names: ExportNames) {
    this.core = core;
    this.graph = graph;
    this.token = core.instance.exports.exportBegin(graph) >>> 0;
    this.limit = core.instance.exports.exportLimit() >>> 0;
    this.filters = [this.filter(names.vertexLabel), this.filter(names.edgeLabel), this.filter(names.edgeType)];
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
    const { exports } = this.core.instance;
    let vertices = 0;
    let edges = 0;
    for (let from = 0; from < this.limit; from += checkSliceIds) {
      const to = Math.min(this.limit, from + checkSliceIds);
      const status = exports.exportCheck(this.graph, this.token, ...this.filters, from, to);
      if (status === exportBadValue) return { ok: false, element: exports.exportElement() >>> 0, key: this.badKey() };
      this.succeed(status);
      vertices += exports.exportVertices() >>> 0;
      edges += exports.exportEdges() >>> 0;
      yield;
    }
    return { ok: true, vertices, edges };
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
    if (this.phase === phaseDone) return null;
    const { exports } = this.core.instance;
    this.succeed(exports.exportBlock(this.graph, this.token, ...this.filters, this.phase, this.next, this.limit));
    this.phase = exports.exportPhase();
    this.next = exports.exportNext() >>> 0;
    return this.core.instance.takeOutput();
  }

  private succeed(status: number): void {
    if (status === CoreStatus.ok) return;
    if (status === exportChanged) throw new ExportInterrupted('The graph was erased or renumbered during the export.');
    throw new CoreMemoryExhausted(`An export does not fit into memory (status ${status}).`);
  }
}
