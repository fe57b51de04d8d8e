// What a namespace does with its graph as a whole: analytics, statistics, the generator, the edge-traversal benchmark.

import type { Applied } from '../core/core.ts';
import type { WriteOperation } from '../core/requests.ts';
import { spans } from '../telemetry/spans.ts';
import type { EngineTelemetry } from '../telemetry/telemetry.ts';
import type { Projections } from './analytics/projections.ts';
import type { AnalyticsRun, RunAnswer, SteppedRun } from './analytics/types.ts';
import type { WriteBackTarget } from './analytics/write-back.ts';
import { type DelegateTarget, DelegateWrites } from './delegate-writes.ts';
import type { GenerateTarget } from './generate.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import { LargeWrites, type LargeWriteTarget } from './large-writes.ts';
import type { HashedState, HashSource } from './state-hash.ts';
import { graphStatistics } from './statistics.ts';
import { Trims } from './trims.ts';
import type {
  DelegateTransaction,
  Generated,
  Generation,
  GraphStatistics,
  RunSet,
  StatisticsOptions,
  SweepRounds,
  WriteOutcome,
} from './types.ts';

/** The namespace's side. */
export interface RunHost
  extends Omit<WriteBackTarget & GenerateTarget & DelegateTarget & LargeWriteTarget, 'trim'>,
    Pick<HashSource, 'documents' | 'revision' | 'position'> {
  readonly jobs: GraphJobs;
  readonly projections: Projections;
  readonly telemetry: EngineTelemetry;
  /** Runs something that spans turns; the namespace's end waits for it. */
  readonly task: <T>(run: () => Promise<T>) => Promise<T>;
  readonly commit: (applied: Applied, nowMs: number) => Promise<boolean>;
  /** The transaction of a trim. */
  readonly commitTrim: () => WriteOutcome;
  /** Null as a rule; else a promise for the moment another graph, which is about to take the place of this one, has done so. */
  readonly settled: () => Promise<RunSet> | null;
}

/**
 * Kernels of runs load with the first of them: a page counts the bytes before its first answer.
 * Everything rejects with CoreMemoryExhausted, JobFailed or NamespaceGone.
 */
export class GraphRuns implements RunSet {
  private readonly host: RunHost;
  private readonly trims: Trims;
  private readonly delegates: DelegateWrites;
  private readonly large: LargeWrites;
  private hashing: Promise<void> | null = null;

  constructor(host: RunHost) {
    this.host = host;
    this.delegates = new DelegateWrites(this.host);
    this.trims = new Trims(this.host);
    this.large = new LargeWrites(this.host);
  }

  writeHold(): Promise<void> | null {
    return this.trims.hold() ?? this.delegates.hold() ?? this.large.hold() ?? this.hashing;
  }

  /** A write is left in the middle. Whoever has to begin at once where none is asks first. */
  get isWriting(): boolean {
    return this.large.hold() !== null;
  }

  /** Resolves when no write is left in the middle. */
  async wholeWrites(): Promise<void> {
    for (let running = this.large.hold(); running !== null; running = this.large.hold()) await running;
  }

  /** A large transaction. */
  async write(operations: readonly WriteOperation[]): Promise<WriteOutcome> {
    for (let hold = this.writeHold(); hold !== null; hold = this.writeHold()) await hold;
    return this.large.run(operations);
  }

  delegate(): Promise<DelegateTransaction> {
    return this.host.task(async () => {
      if (this.isWriting) await this.wholeWrites();
      return this.delegates.begin();
    });
  }

  trim(): Promise<WriteOutcome> {
    return this.host.task(async () => {
      const others = (): Promise<void> | null => this.delegates.hold() ?? this.large.hold() ?? this.hashing;
      for (let open = others(); open !== null; open = others()) await open;
      return this.trims.run(this.host.commitTrim);
    });
  }

  stateHash(signal?: AbortSignal): Promise<HashedState> {
    return this.host.task(async () => {
      const { hashState } = await import('./state-hash.ts');
      const holdWrites = (hold: Promise<void> | null): void => {
        this.hashing = hold;
      };
      return hashState({ ...this.host, writeHold: () => this.writeHold(), holdWrites }, signal);
    });
  }

  /** A run stays with the graph it began on; what it would write back to one that is being replaced is refused. */
  analytics(run: AnalyticsRun, signal?: AbortSignal): Promise<RunAnswer> {
    const { core, graph, jobs, projections, telemetry } = this.host;
    return this.host.task(() =>
      telemetry.traced(spans.analytics, async (span) => {
        const { runAnalytics } = await import('./analytics/run.ts');
        const { writeBackValues } = await import('./analytics/write-back.ts');
        const source = { core, graph, jobs, projections, writeBack: writeBackValues.bind(null, this.host) };
        const answer = await runAnalytics(source, run, signal);
        if (!answer.ok) span.fail();
        return answer;
      }),
    );
  }

  /** The graph stays as long as its run: this is one of its tasks until then, in a span of its own. */
  stepped(run: AnalyticsRun): Promise<SteppedRun> {
    const { core, graph, projections, telemetry } = this.host;
    return new Promise((resolve, reject) => {
      const task = this.host.task(() =>
        telemetry.traced(spans.analytics, async (span) => {
          const { RunInSteps } = await import('./analytics/stepped.ts');
          const stepped = new RunInSteps({ core, graph, projections }, run);
          resolve(stepped);
          if (!(await stepped.over)) span.fail();
        }),
      );
      task.catch(reject);
    });
  }

  statistics(options: StatisticsOptions, signal?: AbortSignal): Promise<GraphStatistics> {
    return this.host.task(() => graphStatistics(this.host, options, signal));
  }

  /** As an import: waits for a graph that takes the place of this one, and is ended by a restore that overtakes it. */
  async generate(specification: Generation, signal?: AbortSignal): Promise<Generated> {
    const next = this.host.settled();
    if (next !== null) return (await next).generate(specification, signal);
    return this.host.task(async () => {
      const { generateGraph } = await import('./generate.ts');
      return generateGraph({ ...this.host, trim: () => this.trims.run(this.host.commitTrim) }, specification, signal);
    });
  }

  benchmark(iterations: number, mostSeconds: number, signal?: AbortSignal): Promise<SweepRounds> {
    return this.host.task(async () => {
      const { sweepRounds } = await import('./sweep.ts');
      return sweepRounds(this.host, iterations, mostSeconds, signal);
    });
  }
}
