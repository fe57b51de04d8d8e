// One loaded namespace: a graph in a core, its log beside it. A write is applied first and logged second, in the same turn, so log
// order is commit order; what the log cannot keep stays committed in memory and is answered as not durable.
//
// Reads are single core calls. What walks the graph in slices lets other work run in between and ends with NamespaceGone when the
// namespace is dropped meanwhile: its memory goes to another namespace, so nothing may touch it afterwards.

import type { Applied, Core, MemoryUse } from '../core/core.ts';
import type { WriteOperation, WriteRefusal } from '../core/requests.ts';
import { prepareCaseTable } from '../core/scans.ts';
import { defaultSlices } from '../core/slices.ts';
import { CoreStatus } from '../core/status.ts';
import type { EngineTelemetry } from '../telemetry/telemetry.ts';
import { Projections } from './analytics/projections.ts';
import type { AnswerSource } from './answer-stream.ts';
import { saveCheckpoint } from './checkpoint/save.ts';
import { SavedState } from './checkpoint/saved-state.ts';
import { recordSave } from './checkpoint/telemetry.ts';
import type { CheckpointInfo, SaveOptions } from './checkpoint/types.ts';
import { Commits } from './commits.ts';
import { type Documents, isDocumentTransaction } from './documents.ts';
import { startExport } from './export-lines.ts';
import type { WriteReason } from './feed/events.ts';
import { ChangePublisher } from './feed/publisher.ts';
import { NamespaceGone } from './gone.ts';
import { GraphRuns, type RunHost } from './graph-runs.ts';
import { Holds } from './holds.ts';
import { type ImportTarget, importLines, notEmpty } from './import-lines.ts';
import type { GraphAccess } from './indexes/access.ts';
import { isIndexWrite } from './indexes/writes.ts';
import { JobFailed } from './jobs/failure.ts';
import { GraphJobs } from './jobs/graph-jobs.ts';
import { tracedJob } from './jobs/traced.ts';
import type { JobKind, JobOptions, JobOutcome } from './jobs/types.ts';
import type { KeptGraph } from './kept-graphs.ts';
import type { LogState } from './log/log.ts';
import type { SegmentedLog } from './log/segments.ts';
import { durabilityOf, type EngineFront, type NamespaceParts } from './namespace-parts.ts';
import { GraphReads } from './reads.ts';
import type { FollowTarget } from './replication/apply.ts';
import { GraphScans } from './scans.ts';
import type { HistoryPosition } from './state-hash.ts';
import type { TransactionTelemetry } from './transaction-telemetry.ts';
import type { DurabilityStatus, ExportFilter, ExportStart, GraphEngine, ImportResult, WriteOutcome } from './types.ts';

const projectionBytes = 2 ** 29;
const replicaFlaw = 'This is a replica: it takes no writes.';

/** Operations that stand alone in their transaction, and what they make of all that clients hold. */
const resyncs: Readonly<Record<string, WriteReason | undefined>> = { erase: 'tabulaRasa', trim: 'trim' };

export class NamespaceEngine
  implements Omit<GraphEngine, 'changeFeed' | 'documents' | 'extracts' | 'indexes' | 'vectors' | 'writeHold'>
{
  private readonly parts: NamespaceParts;
  readonly core: Core;
  readonly graph: number;
  readonly documents: Documents;
  readonly jobs: GraphJobs;
  readonly reads: GraphReads;
  readonly scans: GraphScans;
  readonly runs: GraphRuns;
  private readonly projections: Projections;
  private readonly log: SegmentedLog | null;
  private readonly tasks = new Set<Promise<unknown>>();
  /** Answers under way, which are tasks only while they are asked for a block. */
  private readonly answers = new Holds();
  /** Aborted when another graph is about to take the place of this one. */
  private readonly replacing = new AbortController();
  private readonly ending = new AbortController();
  private importing: Promise<unknown> | null = null;
  /** How often ids lost their meaning: an erase, or a trim that had something to close up. */
  private renumberings = 0;
  private readonly saved: SavedState;
  readonly commits: Commits;
  /** Of a replica: the last commit of its writer's that is in. */
  followed: HistoryPosition | null = null;
  private front: EngineFront | null = null;
  private readonly transactions: TransactionTelemetry;

  constructor(parts: NamespaceParts) {
    this.parts = parts;
    this.core = parts.core;
    this.graph = parts.graph;
    this.documents = parts.documents;
    this.jobs = new GraphJobs(parts.core, parts.jobs);
    this.projections = new Projections(parts.core, parts.graph, parts.projectionBytes ?? projectionBytes);
    this.log = parts.log;
    this.saved = new SavedState(parts.savedAs);
    this.commits = new Commits(parts, this.saved, this.projections);
    this.transactions = this.commits.transactions;
    this.reads = new GraphReads(this);
    this.scans = new GraphScans(this);
    this.runs = new GraphRuns(this.runHost());
  }

  get vertexCount(): number {
    this.check();
    return this.core.vertexCount(this.graph);
  }

  get edgeCount(): number {
    this.check();
    return this.core.edgeCount(this.graph);
  }

  get revision(): number {
    return this.saved.revision;
  }

  get memory(): MemoryUse {
    this.check();
    return this.core.memoryUse();
  }

  get position(): HistoryPosition | null {
    return this.log?.position ?? this.followed;
  }

  get durability(): DurabilityStatus {
    return durabilityOf(this.parts);
  }

  write(operations: readonly WriteOperation[]): WriteOutcome {
    this.check();
    if (this.parts.isReplica) throw new Error(replicaFlaw);
    const beganMs = this.telemetry.monotonicMs();
    const ids = this.core.nextId(this.graph);
    const nowMs = this.parts.clock.nowMs();
    let applied = this.core.write(this.graph, operations, nowMs);
    if (!applied.ok && applied.status === CoreStatus.noMemory && this.projections.yield()) {
      applied = this.core.write(this.graph, operations, nowMs);
    }
    if (this.core.nextId(this.graph) < ids) this.renumberings++;
    return this.concluded(operations, applied, nowMs, beganMs);
  }

  /** Logs and publishes what was applied. `beganMs`: when its body did. */
  private concluded(
    operations: readonly WriteOperation[],
    applied: Applied | WriteRefusal,
    nowMs: number,
    beganMs: number,
  ): WriteOutcome {
    if (!applied.ok) {
      this.transactions.rolledBack(operations, applied, beganMs);
      return applied;
    }
    if (isDocumentTransaction(applied.bytes)) this.documents.apply(applied.bytes);
    const resync = resyncs[operations[0]?.kind ?? ''] ?? null;
    const durable = isIndexWrite(operations)
      ? this.commits.index(applied)
      : this.commits.commit(applied, resync, nowMs);
    this.transactions.written(operations, durable, beganMs);
    return { ok: true, firstId: applied.firstId, createCount: applied.createCount, durable };
  }

  /** As `GraphEngine.writeInSteps`. */
  writeInSteps(operations: readonly WriteOperation[]): Promise<WriteOutcome> {
    return this.task(() => this.runs.write(operations));
  }

  /** For the graph's indexes. */
  get access(): GraphAccess {
    this.check();
    return {
      ...{
        core: this.core,
        graph: this.graph,
        jobs: this.parts.jobs,
        nowMs: this.parts.clock.nowMs,
        slices: this.parts.slices ?? defaultSlices,
      },
      ...{ renumberings: () => this.renumberings, backpressure: () => this.backpressure() },
      commit: (applied) => this.transactions.made('FillIndexTransaction', this.commits.index(applied)),
      yieldMemory: () => this.projections.yield(),
      obstacle: () => this.obstacle(),
      nextSlice: (signal) => this.nextSlice(signal),
      task: (run) => this.task(run),
      answerSource: (graph, signal) => this.answerSource(graph, signal),
    };
  }

  private obstacle(): string | null {
    if (this.parts.isReplica) return replicaFlaw;
    return this.replacing.signal.aborted ? 'Another graph is taking the place of this one.' : null;
  }

  /** For answers in blocks about the graph, or about one that was made out of it. */
  answerSource(graph: number, signal: AbortSignal | undefined): AnswerSource {
    return {
      ...{ graph, jobs: this.jobs, signal, instance: this.core.instance, isOver: () => this.ending.signal.aborted },
      nextId: () => this.core.nextId(graph),
      renumberings: () => (graph === this.graph ? this.renumberings : 0),
      task: (run) => this.task(run),
      hold: () => this.answers.hold(signal),
    };
  }

  /** From here on what is committed goes to the front's feed. */
  serve(front: EngineFront): void {
    this.front = front;
    this.commits.publisher = new ChangePublisher(front.changeFeed, this.core, this.parts.pause, this.commits.when);
  }

  backpressure(): Promise<void> | null {
    return this.runs.writeHold() ?? this.log?.backpressure() ?? null;
  }

  runJob<Request extends object, Result>(
    kind: JobKind<Request & { readonly graph: number }, Result>,
    request: Request,
    options: JobOptions,
  ): Promise<JobOutcome<Result>> {
    const run = () => this.jobs.space.run(kind, { ...request, graph: this.graph }, options);
    return this.task(() => {
      if (options.modules?.length) prepareCaseTable(this.core.instance); // for their threads, which cannot make it
      return tracedJob(this.telemetry, kind, run);
    });
  }

  startExport(filter: ExportFilter, exportedAt: Date, signal?: AbortSignal): Promise<ExportStart> {
    return this.task(async () => {
      if (this.runs.isWriting) await this.runs.wholeWrites();
      return startExport(this.answerSource(this.graph, signal), filter, exportedAt);
    });
  }

  importLines(
    body: AsyncIterable<Uint8Array>,
    limits: Parameters<GraphEngine['importLines']>[1],
    signal?: AbortSignal,
  ): Promise<ImportResult> {
    return this.task(async () => {
      const empty = this.core.vertexCount(this.graph) === 0 && this.core.edgeCount(this.graph) === 0;
      if (this.importing !== null || !empty) return notEmpty(this.importing !== null, !this.durability.degraded);
      const { signal: replacing } = this.replacing;
      const until = signal === undefined ? replacing : AbortSignal.any([signal, replacing]);
      const running = importLines(this.importTarget(), body, limits, until);
      this.importing = running;
      try {
        return await running;
      } finally {
        this.importing = null;
      }
    });
  }

  private runHost(): RunHost {
    return {
      ...this.access,
      ...{ jobs: this.jobs, projections: this.projections, telemetry: this.telemetry, documents: this.documents },
      ...{ revision: () => this.revision, position: () => this.position },
      commit: (applied, nowMs) =>
        this.transactions.made('GenerateTransaction', this.commits.commit(applied, null, nowMs)),
      commitValues: this.commits.delegate.bind(this.commits, 'AnalyticsWriteBackTransaction'),
      commitDelegate: this.commits.delegate.bind(this.commits, 'DelegateTransaction'),
      commitTrim: () => this.writeToday([{ kind: 'trim' }]),
      concluded: this.concluded.bind(this),
      monotonicMs: this.telemetry.monotonicMs,
      atOnce: (operations) => this.writeToday(operations),
      settled: () => this.front?.settled() ?? null,
    };
  }

  /** To the graph that is there now. */
  private writeToday(operations: readonly WriteOperation[]): WriteOutcome {
    return (this.front?.write ?? this.write.bind(this))(operations);
  }

  /** Writes a checkpoint while reads and writes go on. Rejects with CheckpointFailed, NamespaceGone, or the signal's reason. */
  saveCheckpoint(options: SaveOptions): Promise<CheckpointInfo> {
    const signal = AbortSignal.any([this.ending.signal, ...(options.signal ? [options.signal] : [])]);
    const save = (onAnchor: () => void): Promise<CheckpointInfo> =>
      saveCheckpoint({ ...this.parts, namespaceId: this.parts.id, onAnchor }, { ...options, signal });
    return this.task(async () => {
      if (this.runs.isWriting) await this.runs.wholeWrites();
      const info = await recordSave(this.telemetry, () => this.saved.saving(save, options.isCopy));
      await this.commits.mended();
      return info;
    });
  }

  /** For who applies the transactions of another's log (replication/apply.ts). */
  get followTarget(): FollowTarget {
    this.check();
    return {
      ...{ core: this.core, graph: this.graph, documents: this.documents, projections: this.projections },
      renumbered: () => void this.renumberings++,
      commit: this.commits.commit.bind(this.commits),
      commitIndex: this.commits.index.bind(this.commits),
      commitDelegate: this.commits.delegate.bind(this.commits, 'DelegateTransaction'),
    };
  }

  get telemetry(): EngineTelemetry {
    return this.parts.telemetry;
  }

  /** Transactions whose end is not known yet. */
  get logState(): LogState {
    return this.log?.state ?? { waiting: 0, sizeBytes: 0 };
  }

  /** Name of the checkpoint that a new one would repeat; null when there is none. */
  get savedAs(): string | null {
    return this.log?.degraded === true ? null : this.saved.name;
  }

  private importTarget(): ImportTarget {
    const { log } = this;
    return {
      core: this.core,
      graph: this.graph,
      clock: this.parts.clock,
      commit: (batch) =>
        this.transactions.made('ImportTransaction', this.commits.commit(batch, null, this.parts.clock.nowMs())),
      backpressure: () => this.backpressure(),
      nextSlice: () => this.nextSlice(),
      renumberings: () => this.renumberings,
      ending: this.ending.signal,
      get degraded() {
        return log?.degraded ?? false;
      },
    };
  }

  /** Writes what the log still holds and closes it. Later writes are committed in memory only and settle false. */
  async close(): Promise<void> {
    await this.log?.close();
    await this.commits.publisher?.settled();
  }

  /** Ends an import that is under way, as if its client had given it up; its committed batches stay. */
  async stopImports(): Promise<void> {
    this.replacing.abort(new Error('The graph is being replaced.'));
    await this.importing?.catch(() => {}); // whoever imports is told
  }

  /** Lets everything that is running finish, answers in blocks included, then gives the memory back. Nothing new may be asked of it. */
  async retire(): Promise<void> {
    while (this.tasks.size + this.answers.size > 0) await Promise.allSettled([...this.tasks, this.answers.over()]);
    await this.dispose();
  }

  /** Ends every running task, closes the log and gives the memory back. Every call of this object afterwards throws NamespaceGone. */
  async dispose(): Promise<void> {
    if (await this.end()) this.core.dispose();
  }

  /** As `dispose`, but for the memory, which is the caller's from then on. Null: not all that is in the graph is known to be in a log; it has gone. */
  async release(): Promise<KeptGraph | null> {
    await this.stopImports();
    // What is left of a transaction that is being applied in steps goes down to its frame in the log.
    if (!this.ending.signal.aborted) this.core.finishStepped();
    // What the code of a plugin has changed is logged when it is over. Nobody writes to a replica.
    const isWhole = this.parts.isReplica || this.runs.writeHold() === null;
    if (!(await this.end())) return null;
    const { core, documents, graph, position } = this;
    this.projections.yield();
    if (isWhole && position !== null && this.log?.degraded !== true) return { core, graph, documents, position };
    core.dispose();
    return null;
  }

  /** Ends everything that uses the graph; false: somebody else has. */
  private async end(): Promise<boolean> {
    if (this.ending.signal.aborted) return false;
    this.ending.abort(new NamespaceGone());
    await this.parts.jobs.close();
    await Promise.allSettled(this.tasks);
    await this.log?.close();
    this.commits.publisher?.stop();
    return true;
  }

  check(): void {
    this.ending.signal.throwIfAborted();
  }

  /** Runs something that spans turns; `dispose` waits for it. */
  async task<T>(run: () => Promise<T>): Promise<T> {
    this.check();
    const running = run();
    this.tasks.add(running);
    try {
      return await running;
    } catch (error) {
      throw error instanceof JobFailed && error.reason === 'closed' ? new NamespaceGone() : error;
    } finally {
      this.tasks.delete(running);
    }
  }

  /** Lets other work run, then goes on unless the namespace or the caller has gone. */
  async nextSlice(signal?: AbortSignal): Promise<void> {
    await this.parts.pause();
    this.check();
    signal?.throwIfAborted();
  }
}
