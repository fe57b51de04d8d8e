// The one thing the feed asks of its home besides the time: to be called later.

export interface FeedTimers {
  /** Calls `run` once, `delayMs` from now at the earliest and never before `after` has returned. Answers how to call it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTimers: FeedTimers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
