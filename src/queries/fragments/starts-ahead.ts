// What is made ready before a request waits for it, one thing a call: the compiler of fragments, then the threads for long reads.

import type { Jobs } from '../../engine/jobs/types.ts';
import type { Compilers } from './compilers.ts';

/** Answers false once all is ready. Nothing is begun while a job is under way: it would share its processors. */
export function startsAhead(
  jobs: Pick<Jobs, 'isAtWork' | 'startAhead'>,
  compilers: Pick<Compilers, 'warm'>,
): () => boolean {
  let isWarm = false;
  return () => {
    if (jobs.isAtWork) return true;
    if (isWarm) return jobs.startAhead();
    isWarm = true;
    compilers.warm();
    return true;
  };
}
