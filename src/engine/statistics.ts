// The shape of a graph, counted by a job.

import type { GraphJobs } from './jobs/graph-jobs.ts';
import { statisticsJob } from './jobs/statistics.ts';
import type { GraphStatistics, StatisticsOptions } from './types.ts';

interface StatisticsSource {
  readonly graph: number;
  readonly jobs: GraphJobs;
}

/** Rejects with CoreMemoryExhausted or JobFailed. */
export function graphStatistics(
  { graph, jobs }: StatisticsSource,
  options: StatisticsOptions,
  signal: AbortSignal | undefined,
): Promise<GraphStatistics> {
  return jobs.run(statisticsJob, { graph, ...options }, false, { signal });
}
