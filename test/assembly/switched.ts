// Members of a job that are left and come back to at any word they share: the build makes every atomic operation of this module a place
// where the host may go on with another member (scripts/lib/switches.mjs). So their steps come between each other as a test wants.

import { jobDone, jobOpen, jobPublish, jobTake, jobWait } from '../../assembly/analytics/job';
import { jobRun } from '../../assembly/analytics/kernels';

export { jobOpen, jobRun };

// @ts-ignore: decorator
@external('env', 'pulse')
declare function pulse(): void;

/** What the build puts around each atomic operation. */
// @ts-ignore: decorator
@global
function switched<T>(value: T): T {
  pulse();
  return value;
}

/**
 * Takes part in a job whose phase i has word i of `sizes` chunks, 0 behind the last one. Counts in `ends` how often each phase is ended,
 * and in `runs` how often a chunk of it is run.
 */
export function playMember(job: usize, member: u32, sizes: usize, ends: usize, runs: usize): u32 {
  while (true) {
    const taken = jobTake(job, member, false);
    const phase = (<usize>load<u32>(job, 4) - 1) << 2;
    if (taken == 0) {
      if (load<u32>(sizes + phase) == 0) return 0;
      jobWait(job);
      continue;
    }
    const count = <u32>(taken >> 32);
    store<u32>(runs + phase, load<u32>(runs + phase) + count);
    if (!jobDone(job, count)) continue;
    store<u32>(ends + phase, load<u32>(ends + phase) + 1);
    jobPublish(job, load<u32>(sizes + phase + 4));
  }
}
