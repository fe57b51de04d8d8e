// One whole-graph run from scope to rows: the projection (kept ones are taken), an estimate, the kernel on a gang of threads, what it
// came to, the write-back. The writer's thread makes and gives back memory; everything long is done by jobs. Reads need no lock: a run
// is exact for a graph that rests meanwhile.
//
// Memory is asked for before it is needed: what the vertices take before anything, and when they have been counted the exact bytes of
// arcs and kernel together. A run that does not fit ends there, with both numbers.

import {
  beginKernel,
  dropKernel,
  dropProjection,
  estimateKernel,
  estimateProjection,
  fillProjection,
  isInScope,
  type Job,
  JobError,
  jobFailure,
  type Projection,
  projectionSize,
  projectScope,
  Run,
  runOutcome,
  settleProjection,
} from '../../core/analytics.ts';
import type { Core } from '../../core/core.ts';
import { analyticsMemberJob, analyticsResultJob, analyticsShortJob } from '../jobs/analytics.ts';
import { JobFailed, resultOf } from '../jobs/failure.ts';
import type { GraphJobs } from '../jobs/graph-jobs.ts';
import { type Held, keyOf, type Projections } from './projections.ts';
import type { AnalyticsRun, RunAnswer, RunRefusal, RunResult, WrittenBack } from './types.ts';
import type { WriteBackOutcome } from './write-back.ts';

/** What a run needs of its namespace. */
export interface AnalyticsSource {
  readonly core: Core;
  readonly graph: number;
  readonly jobs: GraphJobs;
  readonly projections: Projections;
  /** Writes the values of a finished run; answers why not where a chunk cannot be written. */
  readonly writeBack: (kernel: Job, vertices: number, run: AnalyticsRun) => Promise<WriteBackOutcome>;
}

/** Elements of a graph that one thread projects and walks sooner than others are asked. */
const oneMemberElements = 20_000;
/** Elements of a graph that all free threads project within some 50 ms: nobody who comes meanwhile waits long for a thread. */
const shortBuildElements = 4_000_000;
const pageBytes = 65_536;
/** How often a projection is begun again because the graph was erased or trimmed meanwhile. */
const attempts = 4;

/** Ends a run with a refusal. */
class Refused extends Error {
  readonly refusal: RunRefusal;

  constructor(refusal: RunRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** Rejects with CoreMemoryExhausted or JobFailed. */
export async function runAnalytics(
  source: AnalyticsSource,
  run: AnalyticsRun,
  signal: AbortSignal | undefined,
): Promise<RunAnswer> {
  try {
    return { ok: true, ...(await new RunUnderWay(source, run, signal).answer()) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, ...error.refusal };
    throw error;
  }
}

/**
 * Of four threads and more two stay out of a run: as a rule there is one for each processor, and while requests come in the main thread
 * and the one that writes the log want a processor each. (Four processors, PageRank of RMAT 18, single runs at several degrees of niceness:
 * durable writes kept 0.53 to 0.88 of their rate beside three threads, 0.54 to 1.12 beside two; the p99 of reads rose to 2.7 to 5.4
 * times and to 1.3 to 3.3.)
 */
function membersOf(threads: number): number {
  return threads >= 4 ? threads - 2 : Math.max(1, threads - 1);
}

class RunUnderWay {
  private readonly source: AnalyticsSource;
  private readonly run: AnalyticsRun;
  private readonly signal: AbortSignal | undefined;
  private readonly endMs: number;
  /** Of the graph, when the run began. */
  private readonly elements: number;
  /** At most. */
  private readonly members: number;
  /** Whether projecting takes a moment only. */
  private readonly isShortBuild: boolean;

  constructor(source: AnalyticsSource, run: AnalyticsRun, signal: AbortSignal | undefined) {
    const { core, graph, jobs } = source;
    this.source = source;
    this.run = run;
    this.signal = signal;
    this.endMs = performance.now() + run.budgetMs;
    const elements = core.vertexCount(graph) + core.edgeCount(graph);
    this.elements = elements;
    this.members = elements <= oneMemberElements ? 1 : membersOf(jobs.space.threads);
    this.isShortBuild = elements > oneMemberElements && elements <= shortBuildElements;
  }

  private get leftMs(): number {
    return Math.max(0, this.endMs - performance.now());
  }

  async answer(): Promise<RunResult> {
    const { projections, core } = this.source;
    const held = await this.projection();
    try {
      const size = projectionSize(core.instance, held.projection);
      if (size.vertices === 0) return nothing(size.bytes, this.run.writeBack !== null);
      const { source } = this.run;
      if (source !== null && !isInScope(core.instance, held.projection, source))
        throw new Refused({ reason: 'source' });
      return await this.onProjection(held);
    } finally {
      projections.release(held);
    }
  }

  private async onProjection(held: Held): Promise<RunResult> {
    const { core, writeBack, jobs } = this.source;
    const { run } = this;
    const { kernel, maxIterations, epsilon, damping, samples, seed } = run;
    const source = run.source === null ? {} : { source: run.source };
    const size = projectionSize(core.instance, held.projection);
    const like = `kernel ${kernel} ${keyOf(run.scope)}`;
    const { members, ended } = jobs.pace.begin(this.members, size.vertices + size.arcs, like);
    const options = { members, maxIterations, epsilon, damping, samples, seed, ...source };
    const kernelBytes = estimateKernel(core.instance, kernel, size, members);
    this.demand([kernelBytes]);
    const job = beginKernel(core.instance, held.projection, kernel, options);
    if (job === null) throw this.noMemory([kernelBytes]);
    // Other runs may have kernels on the same projection.
    const bytes = held.bytes + projectionSize(core.instance, held.projection).bytes - size.bytes;
    try {
      const { end, had } = await this.gang(job, members);
      const budgetExhausted = end === 'deadline';
      if (!budgetExhausted) ended(had);
      if (budgetExhausted && !(run.keepsRounds && runOutcome(core.instance, job).iterations > 0)) {
        throw new Refused({ reason: 'budget' });
      }
      const { query, wantsStatistics } = run;
      const page = await this.source.jobs.run(analyticsResultJob, { job, query, wantsStatistics }, false, {
        signal: this.signal,
      });
      // A modularity is a number unless the sum of the weights is none.
      if (!Number.isFinite(page.sum)) throw new Refused({ reason: 'weightSum' });
      const converged = page.converged && !budgetExhausted;
      let writtenBack: WrittenBack | null = null;
      if (run.writeBack !== null) {
        const { flaw, ...written } = await writeBack(job, size.vertices, run);
        if (flaw !== null) throw new Refused({ reason: 'writeBack', detail: flaw, ...written });
        writtenBack = written;
      }
      return { ...page, vertexCount: size.vertices, converged, budgetExhausted, bytes, writtenBack };
    } finally {
      dropKernel(core.instance, job);
    }
  }

  /** A job on threads until it is over, or its time is; on how many it was. Throws when the run is cancelled or its job failed. */
  private async gang(
    job: Job,
    members: number,
    kind = analyticsMemberJob,
  ): Promise<{ readonly end: 'finished' | 'deadline'; readonly had: number }> {
    const { jobs, core } = this.source;
    const takesTurns = jobs.space.threads === 1;
    const outcome = await jobs.space.runGang(
      kind,
      { job, takesTurns },
      { members, sharedBytes: 0, signal: this.signal, timeoutMs: this.leftMs },
    );
    if (!outcome.ok && outcome.reason === 'deadline') return { end: 'deadline', had: 0 };
    const answers = resultOf(outcome);
    const had = answers.length;
    if (answers.includes(Run.finished)) return { end: 'finished', had };
    if (answers.includes(Run.failed)) {
      const { error, element } = jobFailure(core.instance, job);
      if (error === JobError.stale) throw new Stale();
      throw new Refused({ reason: 'weight', edge: element, flaw: error === JobError.weightType ? 'type' : 'value' });
    }
    if (answers.includes(Run.deadline)) return { end: 'deadline', had };
    // Its own caller cancels by the signal; otherwise the namespace is going.
    throw this.signal?.aborted === true ? cancelled() : new JobFailed('closed', 'The namespace is going.');
  }

  // --- The projection ------------------------------------------------------------------------------------------------------

  /** Held until it is released. */
  private async projection(): Promise<Held> {
    const { projections } = this.source;
    const key = keyOf(this.run.scope);
    while (true) {
      const found = projections.take(key, this.run.needsArcs);
      if (found !== null) return found;
      const other = projections.underConstruction(key);
      if (other === null) return projections.construct(key, () => this.project(key));
      await this.wait(other);
    }
  }

  /** Waits for what another run makes, no longer than this one's time. */
  private async wait(other: Promise<void>): Promise<void> {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(end, this.leftMs);
    this.signal?.addEventListener('abort', end);
    await Promise.race([other, over]);
    clearTimeout(timer);
    this.signal?.removeEventListener('abort', end);
    if (this.signal?.aborted === true) throw cancelled();
    if (this.leftMs === 0) throw new Refused({ reason: 'budget' });
  }

  private async project(key: string): Promise<Held> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.projectOnce(key);
      } catch (error) {
        if (!(error instanceof Stale)) throw error;
        if (attempt === attempts) throw new JobFailed('overload', 'The graph is being erased or trimmed all the time.');
      }
    }
  }

  private async projectOnce(key: string): Promise<Held> {
    const { core, graph, projections } = this.source;
    const { instance } = core;
    const { scope, needsArcs } = this.run;
    const frameBytes = estimateProjection(instance, graph, scope, false);
    this.demand([frameBytes]);
    const projection = projectScope(instance, graph, scope);
    if (projection === null) throw this.noMemory([frameBytes]);
    try {
      await this.build(projection, 'vertices');
      const size = projectionSize(instance, projection);
      if (needsArcs && size.vertices > 0) await this.fill(projection);
      return projections.add(key, projection, needsArcs, projectionSize(instance, projection).bytes);
    } catch (error) {
      if (dropProjection(instance, projection)) instance.exports.retireAdvance();
      throw error;
    }
  }

  private async fill(projection: Projection): Promise<void> {
    const { core } = this.source;
    const size = projectionSize(core.instance, projection);
    const kernelBytes = estimateKernel(core.instance, this.run.kernel, size, this.members);
    this.demand([size.arcBytes, kernelBytes]);
    if (!fillProjection(core.instance, projection)) throw this.noMemory([size.arcBytes, kernelBytes]);
    await this.build(projection, 'arcs');
    settleProjection(core.instance, projection);
  }

  private async build(projection: Projection, step: 'vertices' | 'arcs'): Promise<void> {
    const { jobs } = this.source;
    const { freeThreads, startedThreads } = jobs.space;
    // Every thread that is there and free now; who waits for another one, or for its start, loses more than it brings.
    const most = this.isShortBuild ? Math.max(Math.min(this.members, freeThreads), startedThreads, 1) : this.members;
    const like = `${step} ${keyOf(this.run.scope)}`;
    const { members, ended } = jobs.pace.begin(most, this.elements, like);
    const { end, had } = await this.gang(
      projection,
      members,
      this.isShortBuild ? analyticsShortJob : analyticsMemberJob,
    );
    if (end === 'deadline') throw new Refused({ reason: 'budget' });
    ended(had);
  }

  // --- Memory --------------------------------------------------------------------------------------------------------------

  /** Ends the run unless blocks of so many bytes fit, if need be without kept projections. */
  private demand(blocks: readonly number[]): void {
    if (this.fits(blocks)) return;
    if (this.source.projections.yield() && this.fits(blocks)) return;
    throw this.noMemory(blocks);
  }

  private fits(blocks: readonly number[]): boolean {
    const { freeBytes, pieceBytes } = this.memory;
    return sumOf(blocks) <= freeBytes && Math.max(...blocks) <= pieceBytes;
  }

  /** What is free, and the longest piece of it. */
  private get memory(): { readonly freeBytes: number; readonly pieceBytes: number } {
    const { exports } = this.source.core.instance;
    return { freeBytes: exports.pagesFree() * pageBytes, pieceBytes: exports.pagesFreeRun() * pageBytes };
  }

  /** Of all blocks together, or of the largest one and the longest piece where that is what is missing. */
  private noMemory(blocks: readonly number[]): Refused {
    const { freeBytes, pieceBytes } = this.memory;
    const neededBytes = sumOf(blocks);
    if (neededBytes > freeBytes) return new Refused({ reason: 'memory', neededBytes, freeBytes });
    return new Refused({ reason: 'memory', neededBytes: Math.max(...blocks), freeBytes: pieceBytes });
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function cancelled(): JobFailed {
  return new JobFailed('cancelled', 'The run was cancelled.');
}

/** The graph was erased or trimmed while it was projected. */
class Stale extends Error {}

function nothing(bytes: number, writesBack: boolean): RunResult {
  return {
    vertexCount: 0,
    iterations: 0,
    converged: true,
    budgetExhausted: false,
    sum: 0,
    least: 0,
    greatest: 0,
    mean: 0,
    rows: new TextEncoder().encode('[]'),
    total: 0,
    bytes,
    writtenBack: writesBack ? { verticesWritten: 0, chunks: 0 } : null,
  };
}
