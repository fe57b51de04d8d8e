// The kinds of jobs that queries are made of: what a home adds to those of the engine.

import type { AnyJobKind } from '../engine/jobs/types.ts';
import { pathJob } from './paths/path-job.ts';
import { pluginJob } from './plugins/plugin-job.ts';
import { matchJob } from './subgraphs/match-job.ts';

export const queryJobKinds: readonly AnyJobKind[] = [pathJob, matchJob, pluginJob];
