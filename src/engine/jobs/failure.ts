// A job's outcome as those want it who would pass every failure on: the value, or a throw that the caller of the engine understands.

import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import type { JobFailure, JobOutcome } from './types.ts';

/** A job came to nothing. `overload`: try again later; `deadline`: its time was over; `cancelled`: by its own caller. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  readonly reason: JobFailure;

  constructor(reason: JobFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Throws CoreMemoryExhausted or JobFailed. */
export function resultOf<Result>(outcome: JobOutcome<Result>): Result {
  if (outcome.ok) return outcome.value;
  if (outcome.reason === 'memory') throw new CoreMemoryExhausted(outcome.detail);
  throw new JobFailed(outcome.reason, outcome.detail);
}
