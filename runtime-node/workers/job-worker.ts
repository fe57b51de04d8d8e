// The entry of a worker thread for jobs: the kinds of every home, and those that need Node.

import { jobKinds } from '../../src/engine/jobs/table.ts';
import { queryJobKinds } from '../../src/queries/jobs.ts';
import { checkpointJob } from './checkpoint-job.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs([...jobKinds, ...queryJobKinds, checkpointJob]);
