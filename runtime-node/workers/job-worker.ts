// The entry of a worker thread for jobs: the kinds of every home, and those that need Node.

import { workerData } from 'node:worker_threads';
import { jobKinds } from '../../src/engine/jobs/table.ts';
import { queryJobKinds } from '../../src/queries/jobs.ts';
import { provideHeldBytes } from '../../src/queries/plugins/held-bytes.ts';
import { checkpointJob } from './checkpoint-job.ts';
import { heldBytes } from './held-bytes.ts';
import { giveWay, type ThreadData } from './priority.ts';
import { serveJobs } from './serve-jobs.ts';

provideHeldBytes(heldBytes);
giveWay((workerData as ThreadData | null)?.niceness ?? 0);

serveJobs([...jobKinds, ...queryJobKinds, checkpointJob]);
