// The limiter of sensitive endpoints: one fixed window for the whole process, shared by all callers and all limited routes. No
// queue: what does not fit is refused at once.

import { Problem } from './problems.ts';

export class RateLimit {
  private readonly permits: number;
  private readonly windowMs: number;
  private readonly now: () => number;
  private windowStartMs: number;
  private used = 0;

  constructor(permits: number, windowSeconds: number, now: () => number) {
    this.permits = permits;
    this.windowMs = windowSeconds * 1000;
    this.now = now;
    this.windowStartMs = now();
  }

  /** Takes a permit of the current window; throws a Problem when none is left. */
  take(): void {
    const elapsedMs = this.now() - this.windowStartMs;
    if (elapsedMs >= this.windowMs) {
      this.windowStartMs += elapsedMs - (elapsedMs % this.windowMs);
      this.used = 0;
    }
    if (this.used >= this.permits) {
      const detail = `At most ${this.permits} sensitive requests are served in ${this.windowMs / 1000} s (Security:SensitiveRateLimitPermitPerWindow).`;
      throw new Problem('tooManyRequests', detail);
    }
    this.used++;
  }
}
