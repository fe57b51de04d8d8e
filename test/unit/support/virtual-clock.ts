// A clock that goes from event to event.

/** Events in the order of their virtual times. */
export class Clock {
  nowMs = 0;
  private events: { at: number; number: number; run: () => void }[] = [];
  private count = 0;

  at(at: number, run: () => void): void {
    this.events.push({ at, number: this.count++, run });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.nowMs + ms, resolve));
  }

  /** Runs everything up to `endMs`. */
  async run(endMs: number): Promise<void> {
    while (true) {
      // What follows at once from the last event comes first; it is all promises.
      await new Promise((resolve) => setImmediate(resolve));
      let first = 0;
      for (let i = 1; i < this.events.length; i++) {
        const [one, other] = [this.events[i], this.events[first]] as const;
        if (one && other && (one.at < other.at || (one.at === other.at && one.number < other.number))) first = i;
      }
      const next = this.events[first];
      if (next === undefined || next.at > endMs) return;
      this.events.splice(first, 1);
      this.nowMs = Math.max(this.nowMs, next.at);
      next.run();
    }
  }
}
