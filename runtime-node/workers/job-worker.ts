// The entry of a worker thread for jobs: the kinds of every home, and those that need Node.

import { workerData } from 'node:worker_threads';
import { jobKinds } from '../../src/engine/jobs/table.ts';
import { queryJobKinds } from '../../src/queries/jobs.ts';
import { checkpointJob } from './checkpoint-job.ts';
import { giveWay, type ThreadData } from './priority.ts';
import { serveJobs } from './serve-jobs.ts';

giveWay((workerData as ThreadData | null)?.niceness ?? 0);

serveJobs([...jobKinds, ...queryJobKinds, checkpointJob]);
