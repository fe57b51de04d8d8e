// Every kind of job that runs in any home, one line each.

import { fulltextJob } from '../indexes/fulltext-job.ts';
import { indexScanJob, nearScanJob } from '../indexes/scan-job.ts';
import { wordsJob } from '../indexes/words-job.ts';
import { vectorSearchJob } from '../vectors/search-job.ts';
import { analyticsMemberJob, analyticsResultJob, analyticsShortJob } from './analytics.ts';
import { elementListJob, graphPageJob } from './element-lists.ts';
import { emptyJob } from './empty.ts';
import { exportBlocksJob, exportCheckJob } from './export.ts';
import { oneReadJob } from './one-read.ts';
import { scanPropertyJob, scanTextJob } from './scan.ts';
import { statisticsJob } from './statistics.ts';
import { sweepJob } from './sweep.ts';
import type { AnyJobKind } from './types.ts';

export const jobKinds: readonly AnyJobKind[] = [
  emptyJob,
  fulltextJob,
  wordsJob,
  indexScanJob,
  nearScanJob,
  scanPropertyJob,
  scanTextJob,
  vectorSearchJob,
  exportCheckJob,
  exportBlocksJob,
  graphPageJob,
  elementListJob,
  oneReadJob,
  analyticsMemberJob,
  analyticsShortJob,
  analyticsResultJob,
  statisticsJob,
  sweepJob,
];
