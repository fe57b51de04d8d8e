// A result that several callers wait for. It is worked at as long as one of them does.

import { JobFailed } from '../../engine/jobs/failure.ts';
import type { Caller } from './compilers.ts';

export class SharedWait<Result> {
  private readonly controller = new AbortController();
  private readonly result: Promise<Result>;
  private waiting = 0;

  constructor(start: (signal: AbortSignal) => Promise<Result>) {
    this.result = start(this.controller.signal);
    this.result.catch(() => {}); // whoever waits is told
  }

  /** Nobody may join any more: the last one who waited has gone. */
  get isGivenUp(): boolean {
    return this.controller.signal.aborted;
  }

  /** Throws JobFailed when the caller goes (`cancelled`) or its time is over (`deadline`), and whatever the work throws. */
  async join({ signal, timeoutMs }: Caller): Promise<Result> {
    this.waiting++;
    let leave: (error: JobFailed) => void = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = reject;
    });
    const gone = (): void => leave(new JobFailed('cancelled', 'The compilation was given up.'));
    const late = (): void => leave(new JobFailed('deadline', 'The time for the compilation was over.'));
    if (signal?.aborted === true) gone();
    signal?.addEventListener('abort', gone);
    const timer = timeoutMs === undefined ? null : setTimeout(late, timeoutMs);
    try {
      return await Promise.race([left, this.result]);
    } finally {
      signal?.removeEventListener('abort', gone);
      if (timer !== null) clearTimeout(timer);
      if (--this.waiting === 0) this.controller.abort();
    }
  }
}
