// The entry of a worker thread for jobs.

import { jobKinds } from '../../src/engine/jobs/table.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(jobKinds);
