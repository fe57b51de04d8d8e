// Every kind of job that runs in any home, one line each.

import { emptyJob } from './empty.ts';
import type { AnyJobKind } from './types.ts';

export const jobKinds: readonly AnyJobKind[] = [emptyJob];
