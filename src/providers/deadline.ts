// The one deadline of a call to a provider, retries and waits included, beside the caller who may go away.

import { ProviderFailed } from './failure.ts';

export class Deadline {
  /** Aborts when the time is over or the caller has gone. */
  readonly signal: AbortSignal;
  readonly seconds: number;
  private readonly timer: AbortSignal;
  private readonly now: () => number;
  private readonly endsAt: number;

  /** `now`: milliseconds of a clock that is never set. */
  constructor(seconds: number, caller: AbortSignal, now: () => number) {
    this.seconds = seconds;
    this.now = now;
    this.endsAt = now() + seconds * 1000;
    this.timer = AbortSignal.timeout(Math.ceil(seconds * 1000));
    this.signal = AbortSignal.any([caller, this.timer]);
  }

  get leftMs(): number {
    return Math.max(0, this.endsAt - this.now());
  }

  get isOver(): boolean {
    return this.timer.aborted;
  }

  failure(): ProviderFailed {
    return new ProviderFailed('timedOut', `The backend did not answer within ${this.seconds} seconds.`);
  }

  /** What `promise` resolves with; rejects as `wait` when that takes too long. What it stands for goes on. */
  within<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(this.isOver ? this.failure() : this.signal.reason);
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop));
    });
  }

  /** Resolves after the time; rejects with the deadline's failure, or with the caller's reason, when that comes first. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(this.isOver ? this.failure() : this.signal.reason);
      };
      const timer = setTimeout(() => {
        this.signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
  }
}
