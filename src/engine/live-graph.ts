// The graph of a loaded namespace as its callers hold it: it stays the same object while a restore puts another engine behind it.
// What reads the old engine finishes on it, and its memory goes back afterwards. Writes never wait for a restore:
//
// - While the checkpoint is loaded beside the old engine, that engine serves and logs as ever.
// - Then its log is closed and the new engine takes over from it (the *changeover*, short). A write that falls into it is applied to
//   the old graph and answered from there; it counts as durable only when the new engine is in place. If the log was continued, the
//   same writes are made again there, with the same ids; if it was restarted, they belong to what the restore discards.

import type { MemoryUse } from '../core/core.ts';
import type { WriteOperation } from '../core/requests.ts';
import { instruments } from '../telemetry/instruments.ts';
import type { Reading } from '../telemetry/telemetry.ts';
import type { CheckpointInfo, PreparedNamespace, SaveOptions } from './checkpoint/types.ts';
import { type DocumentSet, GraphDocuments } from './documents.ts';
import { GraphExtracts } from './extracts/graph-extracts.ts';
import type { ChangeFeed } from './feed/feed.ts';
import { GraphIndexes } from './indexes/graph-indexes.ts';
import type { IndexSet } from './indexes/types.ts';
import type { JobKind, JobOptions, JobOutcome } from './jobs/types.ts';
import type { KeptGraph } from './kept-graphs.ts';
import type { NamespaceEngine } from './namespace-engine.ts';
import type { EngineFront } from './namespace-parts.ts';
import type { ReadSet } from './read-set.ts';
import type { FollowTarget } from './replication/apply.ts';
import type { HistoryPosition } from './state-hash.ts';
import type {
  Committed,
  DurabilityStatus,
  ExportFilter,
  ExportStart,
  GraphEngine,
  ImportResult,
  RunSet,
  ScanSet,
  WriteOutcome,
} from './types.ts';
import type { VectorSet } from './vectors/types.ts';
import { GraphVectors } from './vectors/vectors.ts';

/** What another engine is put in place with. */
export interface Replacement {
  /** Loaded beside the old engine. */
  readonly prepared: PreparedNamespace<NamespaceEngine>;
  /** Whether the log goes on (its writes are kept) or begins anew. */
  readonly log: 'continue' | 'restart';
  /** Opens what is on disk when the new engine cannot take over. */
  readonly reopen: () => Promise<NamespaceEngine>;
}

export class LiveGraph implements GraphEngine {
  private engine: NamespaceEngine;
  readonly changeFeed: ChangeFeed;
  readonly documents: DocumentSet = new GraphDocuments(
    () => this.engine.documents,
    (operations) => this.write(operations),
  );
  readonly indexes: IndexSet = new GraphIndexes({
    access: () => this.engine.access,
    write: (operations) => this.write(operations),
  });
  readonly vectors: VectorSet = new GraphVectors({
    access: () => this.engine.access,
    write: (operations) => this.write(operations),
  });
  readonly extracts = new GraphExtracts(() => this.engine.access);
  private readonly front: EngineFront;
  private readonly nowMs: () => number;
  private readonly retiring = new Set<NamespaceEngine>();
  private changeover: Changeover | null = null;
  /** True when an engine without a log had to stay in place. */
  private cutOff = false;

  constructor(engine: NamespaceEngine, changeFeed: ChangeFeed, nowMs: () => number) {
    this.engine = engine;
    this.changeFeed = changeFeed;
    this.nowMs = nowMs;
    this.front = {
      changeFeed,
      write: (operations) => this.write(operations),
      settled: () => (this.changeover === null ? null : this.settledRuns()),
    };
    engine.serve(this.front);
    engine.telemetry.watch(() => this.readings());
  }

  private readings(): readonly Reading[] {
    const { logState } = this.engine;
    const indexes = this.indexes.list();
    return [
      [instruments.queueDepth, logState.waiting],
      [instruments.walDegraded, this.durability.degraded ? 1 : 0],
      [instruments.walSize, logState.sizeBytes],
      [instruments.vertices, this.vertexCount],
      [instruments.edges, this.edgeCount],
      [instruments.indexCount, indexes.length],
      [instruments.indexEntries, indexes.reduce((sum, { keys }) => sum + (keys ?? 0), 0)],
    ];
  }

  /**
   * Puts another engine in place. Rejects with the reason when it could not take over; the graph on disk, which is the one before,
   * then serves again. One at a time, and no save meanwhile.
   */
  async replace({ prepared, log, reopen }: Replacement): Promise<void> {
    const old = this.engine;
    const changeover = new Changeover();
    this.changeover = changeover;
    try {
      await old.stopImports();
      // What is left of a transaction that is being applied in steps goes down to its frame in the log.
      old.core.finishStepped();
      await old.close();
      this.takeOver(await prepared.finish(), log);
    } catch (error) {
      try {
        this.takeOver(await reopen(), 'continue');
      } catch {
        this.cutOff = true; // what is in memory is still right, and says that it is not durable
        this.changeover = null;
      }
      throw error;
    } finally {
      changeover.end();
    }
  }

  private takeOver(next: NamespaceEngine, log: 'continue' | 'restart'): void {
    const old = this.engine;
    const { changeover } = this;
    this.engine = next;
    this.changeover = null;
    this.cutOff = false;
    // What is committed there from here on, or waits for the log, is not published.
    old.commits.publisher?.stop();
    next.serve(this.front);
    this.changeFeed.resync('load', this.nowMs());
    next.commits.tailBegins(this.changeFeed.newest);
    if (log === 'continue') changeover?.repeat(next);
    else changeover?.discard();
    this.extracts.replaced();
    this.retiring.add(old);
    void old.retire().finally(() => this.retiring.delete(old));
  }

  private async settledRuns(): Promise<RunSet> {
    while (this.changeover !== null) await this.changeover.over;
    return this.engine.runs;
  }

  /** Of a replica. */
  set followed(position: HistoryPosition) {
    this.engine.followed = position;
  }

  get followTarget(): FollowTarget {
    return this.engine.followTarget;
  }

  /** Rejects with CheckpointFailed or NamespaceGone. */
  saveCheckpoint(options: SaveOptions): Promise<CheckpointInfo> {
    return this.engine.saveCheckpoint(options);
  }

  /** As NamespaceEngine.savedAs. */
  get savedAs(): string | null {
    return this.changeover === null && !this.cutOff ? this.engine.savedAs : null;
  }

  get vertexCount(): number {
    return this.engine.vertexCount;
  }

  get edgeCount(): number {
    return this.engine.edgeCount;
  }

  get revision(): number {
    return this.engine.revision;
  }

  get position(): HistoryPosition | null {
    return this.engine.position;
  }

  get memory(): MemoryUse {
    return this.engine.memory;
  }

  get durability(): DurabilityStatus {
    const { durability } = this.engine;
    return this.cutOff ? { ...durability, degraded: true } : durability;
  }

  write(operations: readonly WriteOperation[]): WriteOutcome {
    const outcome = this.engine.write(operations);
    if (!outcome.ok || this.changeover === null) return outcome;
    return { ...outcome, durable: this.changeover.add(operations, outcome) };
  }

  /** One that meets a changeover is made at once, as the changeover wants to know it. */
  async writeInSteps(operations: readonly WriteOperation[]): Promise<WriteOutcome> {
    return this.changeover === null ? this.engine.writeInSteps(operations) : this.write(operations);
  }

  backpressure(): Promise<void> | null {
    return this.engine.backpressure();
  }

  writeHold(): Promise<void> | null {
    return this.engine.runs.writeHold();
  }

  get reads(): ReadSet {
    return this.engine.reads;
  }

  get scans(): ScanSet {
    return this.engine.scans;
  }

  get runs(): RunSet {
    return this.engine.runs;
  }

  runJob<Request extends object, Result>(
    kind: JobKind<Request & { readonly graph: number }, Result>,
    request: Request,
    options: JobOptions,
  ): Promise<JobOutcome<Result>> {
    return this.engine.runJob(kind, request, options);
  }

  startExport(filter: ExportFilter, exportedAt: Date, signal?: AbortSignal): Promise<ExportStart> {
    return this.engine.startExport(filter, exportedAt, signal);
  }

  /** An import that meets a changeover waits for its end; one that a restore overtakes is ended. */
  async importLines(
    body: AsyncIterable<Uint8Array>,
    limits: Parameters<GraphEngine['importLines']>[1],
    signal?: AbortSignal,
  ): Promise<ImportResult> {
    while (this.changeover !== null) await this.changeover.over;
    return this.engine.importLines(body, limits, signal);
  }

  /** As NamespaceEngine.close; the feed ends behind the last event. */
  async close(): Promise<void> {
    await this.engine.close();
    this.changeFeed.close();
  }

  /** As NamespaceEngine.dispose, for every engine that still has readers as well. Not while `replace` is under way. */
  async dispose(): Promise<void> {
    this.changeFeed.close();
    this.engine.telemetry.close();
    await Promise.all([this.engine, ...this.retiring].map((engine) => engine.dispose()));
  }

  /** As `dispose`, but for the graph that is in place (NamespaceEngine.release). */
  async release(): Promise<KeptGraph | null> {
    this.changeFeed.close();
    this.engine.telemetry.close();
    const retired = [...this.retiring].map((engine) => engine.dispose());
    const kept = this.cutOff ? null : await this.engine.release();
    await Promise.all(retired);
    if (kept === null) await this.engine.dispose();
    else this.extracts.forget(kept.core);
    return kept;
  }
}

interface HeldWrite {
  readonly operations: readonly WriteOperation[];
  readonly firstId: number;
  readonly settle: (durable: boolean) => void;
}

/** Writes that fell between two engines. */
class Changeover {
  readonly over: Promise<void>;
  private finish: () => void = () => {};
  private writes: HeldWrite[] = [];

  constructor() {
    this.over = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  add(operations: readonly WriteOperation[], { firstId }: Committed): Promise<boolean> {
    return new Promise((settle) => this.writes.push({ operations, firstId, settle }));
  }

  /** Makes the writes again; the state is the same, so the ids are, unless the log had lost something before. */
  repeat(engine: NamespaceEngine): void {
    for (const { operations, firstId, settle } of this.take()) {
      const outcome = engine.write(operations);
      if (outcome.ok && outcome.firstId === firstId) outcome.durable.then(settle);
      else settle(false);
    }
  }

  /** They came before the restore, which has discarded what the old log held. */
  discard(): void {
    for (const { settle } of this.take()) settle(true);
  }

  /** Writes that no engine has taken over are not durable. */
  end(): void {
    for (const { settle } of this.take()) settle(false);
    this.finish();
  }

  private take(): HeldWrite[] {
    const { writes } = this;
    this.writes = [];
    return writes;
  }
}
