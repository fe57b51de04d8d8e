// Saving one namespace while it goes on: the elements are read beside the writer, every transaction that commits meanwhile is kept
// in the tail, and in one synchronous step at the end the state is fixed: counts, next id, and the log turns to a new file. Then the
// tail, then the manifest; only when that is durable the log lets go of what it no longer needs.
//
// A graph that is replaced meanwhile (erase, trim) begins the run again; when that keeps happening, or no quiet moment comes, the
// elements are read in one go, with the writer standing still. What is read is written while the writer goes on, so also such a run begins
// again when the graph is replaced before the log turns, but not for ever.

import type { Core, WriteTap } from '../../core/core.ts';
import { defaultSlices, type Slices } from '../../core/slices.ts';
import { type Documents, isDocumentTransaction, sectionsOf } from '../documents.ts';
import type { Crc32 } from '../log/crc32.ts';
import type { SegmentedLog } from '../log/segments.ts';
import { firstOperation } from '../transactions.ts';
import { type DescribedFile, encodeManifest, hexOf } from './format.ts';
import { ScanGate } from './gate.ts';
import { indexFrames, indexSection, isIndexTransaction } from './indexes.ts';
import {
  elementsPrefix,
  type PartitionScanner,
  type ScanJob,
  type ScanResult,
  scanAtOnce,
  slicingScanner,
} from './scan.ts';
import { FrameWriter, indexesFile, tailFile } from './tail.ts';
import { CheckpointFailed, type CheckpointInfo, type SaveOptions } from './types.ts';

/** Runs beside the writer before the one that makes it stand still. */
const runsBeside = 3;
/** Runs in all. */
const mostRuns = 25;
const operationErase = 5;
const operationTrim = 6;

export interface SaveSource {
  readonly core: Core;
  readonly graph: number;
  readonly documents: Documents;
  readonly namespaceId: string;
  /** Null in volatile mode. */
  readonly log: SegmentedLog | null;
  readonly scanner: PartitionScanner;
  readonly crc32: Crc32;
  readonly pause: () => Promise<void>;
  readonly slices?: Slices;
  /** Called in the step that fixes the state which the checkpoint holds; missing: nobody asks. */
  readonly onAnchor?: () => void;
}

/** Rejects with CheckpointFailed, or with the reason of the signal; nothing of the checkpoint is left then, if the store lets it go. */
export async function saveCheckpoint(source: SaveSource, options: SaveOptions): Promise<CheckpointInfo> {
  if (source.core.tap !== null) throw new CheckpointFailed('Another checkpoint of this namespace is being written.');
  let { scanner } = source;
  for (let run = 0; run < mostRuns; run++) {
    const attempt = new Run({ ...source, scanner }, options, run < runsBeside);
    try {
      const result = await attempt.save();
      if (typeof result !== 'string') return result;
      // What a thread did not manage, slices on this one can: nothing is half applied between them.
      if (result === 'unsettled') scanner = slicingScanner;
    } catch (error) {
      if (options.signal?.aborted === true || error instanceof CheckpointFailed) throw error;
      throw new CheckpointFailed(`The checkpoint ${options.name} could not be written: ${String(error)}`, {
        cause: error,
      });
    }
  }
  throw new CheckpointFailed(`The graph was erased or trimmed during each of ${mostRuns} attempts to save it.`);
}

class Run implements WriteTap {
  private readonly source: SaveSource;
  private readonly options: SaveOptions;
  private readonly beside: boolean;
  private readonly gate: ScanGate;
  private readonly saveId = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  private readonly tail: FrameWriter;
  private readonly indexes: FrameWriter;
  private readonly from: number;
  private manifestStays = false;

  constructor(source: SaveSource, options: SaveOptions, beside: boolean) {
    this.source = source;
    this.options = options;
    this.beside = beside;
    this.gate = new ScanGate({ shared: beside && source.scanner.threaded });
    this.from = source.log?.lastSequence ?? 0;
    const { name, store } = options;
    this.tail = new FrameWriter(tailFile, store, name, this.saveId, this.from, source.crc32);
    this.indexes = new FrameWriter(indexesFile, store, name, this.saveId, 0, source.crc32);
  }

  begin(): void {
    this.gate.begin();
  }

  applied(bytes: Uint8Array): void {
    this.gate.end(isReplacement(bytes) ? 'replaced' : 'kept');
    if (isDocumentTransaction(bytes)) return; // the manifest has all of them as they are at the anchor
    if (isIndexTransaction(bytes)) this.indexes.add(bytes);
    else this.tail.add(bytes);
  }

  refused(seen: boolean): void {
    this.gate.end(seen ? 'undone' : 'kept');
  }

  /** Why the run came to nothing, when another one may do better. */
  async save(): Promise<CheckpointInfo | 'replaced' | 'unsettled'> {
    const { core, graph } = this.source;
    const { isCopy = false, signal } = this.options;
    const log = isCopy ? null : this.source.log;
    signal?.throwIfAborted();
    const stop = (): void => this.gate.stop();
    signal?.addEventListener('abort', stop);
    const ids = core.nextId(graph);
    core.tap = this;
    let files: ScanResult = 'replaced';
    try {
      await indexFrames(this.source, (frame) => this.indexes.add(frame), signal);
      files = await this.scan(ids);
      signal?.throwIfAborted();
      if (typeof files === 'string' || this.gate.isReplaced) {
        await this.clean();
        if (files !== 'unsettled') return 'replaced';
        if (!this.beside) throw new CheckpointFailed('There is no memory to write a checkpoint with.');
        return 'unsettled';
      }
      const prepared = (await log?.prepare()) ?? null;
      if (signal?.aborted === true || this.gate.isReplaced) {
        if (prepared !== null) await log?.discard(prepared);
        signal?.throwIfAborted();
        await this.clean();
        return 'replaced';
      }
      core.tap = null;
      this.source.onAnchor?.();
      return await this.finish(files, ids, log === null ? null : log.turn(prepared));
    } catch (error) {
      await this.clean();
      throw error;
    } finally {
      if (core.tap === this) core.tap = null;
      signal?.removeEventListener('abort', stop);
    }
  }

  private async scan(ids: number): Promise<ScanResult> {
    const { core, graph, scanner, crc32, pause } = this.source;
    const { name, partitions, store } = this.options;
    const job: ScanJob = {
      graph,
      ids,
      name,
      saveId: this.saveId,
      partitions,
      core,
      store,
      gate: this.gate,
      crc32,
      pause,
    };
    if (this.beside) return scanner.scan(job);
    return (await scanAtOnce(job)) ?? 'unsettled';
  }

  /** Called in the turn in which the tap was taken off: what the core says now is the state at the anchor. */
  private async finish(
    elements: Exclude<ScanResult, string>,
    elementIds: number,
    turn: ReturnType<SegmentedLog['turn']> | null,
  ): Promise<CheckpointInfo> {
    const { core, documents, graph, namespaceId } = this.source;
    const { engineVersion, name, nowMs, store } = this.options;
    const kept = documents.all();
    const indexes = indexSection(core, graph);
    const counts = {
      nextId: core.nextId(graph),
      vertexCount: core.vertexCount(graph),
      edgeCount: core.edgeCount(graph),
    };
    // Without a log each checkpoint is a history of its own; its number is not 0, so that a log that goes on from it says so.
    const position = this.options.keepsAnchor === true ? this.source.log?.position : undefined;
    const anchor = turn?.anchor ?? position ?? { epoch: this.saveId, sequence: 1, chain: 0 };
    try {
      const sections = [...(this.options.sections ?? []), ...(await this.documentSections(kept)), indexes];
      const frameFiles = [this.tail, this.indexes].map(async (writer) => ({ writer, written: await writer.finish() }));
      const files: DescribedFile[] = elements.map((file) => ({ ...file, kind: 'elements', required: true }));
      for (const { writer, written } of await Promise.all(frameFiles)) {
        const { suffix, kind } = writer.file;
        if (written !== null) files.push({ suffix, kind, required: true, ...written });
      }
      const description = {
        ...{ namespaceId, saveId: this.saveId, engineVersion, createdAtMs: nowMs, ...counts, anchor, elementIds },
        tail: { from: this.from, frames: this.tail.frames },
        indexFrames: this.indexes.frames,
        files,
        sections: sections.map(({ kind, required, bytes }) => ({ kind, required, bytes: bytes.length })),
      };
      const contents = sections.map(({ bytes }) => bytes);
      const manifest = encodeManifest(description, contents, this.source.crc32);
      if (store.needsLog === true && turn !== null && !(await turn.logged))
        throw new CheckpointFailed('The log does not have what the checkpoint has.');
      await store.put(name, manifest);
      const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, manifest.length);
      const { vertexCount, edgeCount } = counts;
      const fileCount = files.length + 1;
      const facts = { name, namespaceId, createdAtMs: nowMs, engineVersion, vertexCount, edgeCount };
      const info = { ...facts, fileCount, totalBytes, anchor, sections };
      await this.options.register?.(info);
      // From here the checkpoint is there, whatever becomes of the log's old files.
      await turn?.settle().catch(() => {}); // the next start deletes what is superfluous; a failed log has said so itself
      return info;
    } catch (error) {
      turn?.forget();
      this.manifestStays = error instanceof CheckpointFailed && error.filesStay;
      if (this.manifestStays) throw error;
      // A put that rejected may be there all the same, and while it is, so must its files be.
      this.manifestStays = await store.delete(name).then(
        () => false,
        () => true,
      );
      throw error;
    }
  }

  private documentSections(documents: ReturnType<Documents['all']>): ReturnType<typeof sectionsOf> {
    const { pause, slices = defaultSlices } = this.source;
    return sectionsOf(documents, slices, pause);
  }

  /**
   * Takes back what was written, also by a scan that did not live to say what. What the store does not let go of stays: without a
   * manifest it is only space.
   */
  private async clean(): Promise<void> {
    const { name, store } = this.options;
    if (this.manifestStays) return;
    await Promise.all([this.tail.abandon(), this.indexes.abandon()]);
    const elements = await store.list(name + elementsPrefix).catch((): string[] => []);
    for (const file of [...elements, name + tailFile.suffix, name + indexesFile.suffix])
      await store.delete(file).catch(() => {});
  }
}

/** Erase and trim stand alone in their transactions. */
function isReplacement(bytes: Uint8Array): boolean {
  const operation = firstOperation(bytes);
  return operation === operationErase || operation === operationTrim;
}
