// What a namespace does with its graph as a whole: analytics, statistics, the generator, the edge-traversal benchmark.

import type { Applied } from '../core/core.ts';
import type { Projections } from './analytics/projections.ts';
import { runAnalytics } from './analytics/run.ts';
import type { AnalyticsRun, RunAnswer } from './analytics/types.ts';
import { type WriteBackTarget, writeBackValues } from './analytics/write-back.ts';
import { type GenerateTarget, generateGraph } from './generate.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import { graphStatistics } from './statistics.ts';
import { sweepRounds } from './sweep.ts';
import { Trims } from './trims.ts';
import type { Generated, Generation, GraphStatistics, StatisticsOptions, SweepRounds, WriteOutcome } from './types.ts';

/** The namespace's side. */
export interface RunHost extends Omit<WriteBackTarget & GenerateTarget, 'trim'> {
  readonly jobs: GraphJobs;
  readonly projections: Projections;
  /** Runs something that spans turns; the namespace's end waits for it. */
  readonly task: <T>(run: () => Promise<T>) => Promise<T>;
  readonly commit: (applied: Applied, nowMs: number) => Promise<boolean>;
  /** The transaction of a trim. */
  readonly commitTrim: () => WriteOutcome;
}

/** Everything rejects with CoreMemoryExhausted, JobFailed or NamespaceGone. */
export class GraphRuns {
  private readonly host: RunHost;
  private readonly trims: Trims;

  constructor(host: RunHost) {
    this.host = host;
    this.trims = new Trims(this.host);
  }

  writeHold(): Promise<void> | null {
    return this.trims.hold();
  }

  /** `commit`: who applies the transaction instead, when the graph may have been replaced. */
  trim(commit: () => WriteOutcome = this.host.commitTrim): Promise<WriteOutcome> {
    return this.host.task(() => this.trims.run(commit));
  }

  runAnalytics(run: AnalyticsRun, signal?: AbortSignal): Promise<RunAnswer> {
    const { core, graph, jobs, projections } = this.host;
    const source = { core, graph, jobs, projections, writeBack: writeBackValues.bind(null, this.host) };
    return this.host.task(() => runAnalytics(source, run, signal));
  }

  statistics(options: StatisticsOptions, signal?: AbortSignal): Promise<GraphStatistics> {
    return this.host.task(() => graphStatistics(this.host, options, signal));
  }

  generate(specification: Generation, signal?: AbortSignal): Promise<Generated> {
    return this.host.task(() =>
      generateGraph({ ...this.host, trim: () => this.trims.run(this.host.commitTrim) }, specification, signal),
    );
  }

  benchmark(iterations: number, signal?: AbortSignal): Promise<SweepRounds> {
    return this.host.task(() => sweepRounds(this.host, iterations, signal));
  }
}
