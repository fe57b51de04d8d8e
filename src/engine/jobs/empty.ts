// The job that does nothing: what a round trip costs, and that the threads answer.

import type { JobKind } from './types.ts';

/** Answers what it was asked with. */
export const emptyJob: JobKind<number, number> = { name: 'empty', run: (_reader, request) => request };
