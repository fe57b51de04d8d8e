// The entry of a worker thread for jobs: the kinds of every home, and those that need Node.

import { workerData } from 'node:worker_threads';
import { jobKinds } from '../../src/engine/jobs/table.ts';
import { queryJobKinds } from '../../src/queries/jobs.ts';
import { checkpointJob } from './checkpoint-job.ts';
import { giveWay } from './priority.ts';
import { serveJobs } from './serve-jobs.ts';

/** What the entry finds as its `workerData`. */
export interface JobWorkerData {
  /** How far the thread gives way to others (priority.ts). */
  readonly niceness: number;
}

giveWay((workerData as JobWorkerData | null)?.niceness ?? 0);

serveJobs([...jobKinds, ...queryJobKinds, checkpointJob]);
