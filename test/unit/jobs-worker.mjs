// A thread for jobs that knows the kinds of the tests.

import { serveJobs } from '../../dist/runtime-node/workers/serve-jobs.js';
import { ArenaTooSmall } from '../../dist/src/core/reader.js';
import { kinds, useArenaTooSmall } from './support/jobs-kinds.mjs';

useArenaTooSmall(ArenaTooSmall);
serveJobs(Object.values(kinds));
