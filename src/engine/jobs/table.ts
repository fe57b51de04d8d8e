// Every kind of job that runs in any home, one line each.

import { emptyJob } from './empty.ts';
import { exportBlocksJob, exportCheckJob } from './export.ts';
import { scanPropertyJob, scanTextJob } from './scan.ts';
import type { AnyJobKind } from './types.ts';

export const jobKinds: readonly AnyJobKind[] = [
  emptyJob,
  scanPropertyJob,
  scanTextJob,
  exportCheckJob,
  exportBlocksJob,
];
