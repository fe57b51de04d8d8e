// Requests for one name, one behind the other. One that does not end holds up those for its own name alone, and those for a while only.

import { Problem } from '../../src/http/problems.ts';

export class Turns {
  private readonly byName = new Map<string, Promise<unknown>>();
  private readonly patienceMs: number;

  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  /** Rejects with a problem (503) where the one before has not ended in time; `run` is not called then, and nobody waits for it. */
  async take<T>(name: string, run: () => Promise<T>): Promise<T> {
    const before = this.byName.get(name);
    let isLate = false;
    const mine = (before ?? Promise.resolve()).then(() => (isLate ? undefined : run()));
    const settled = mine.catch(() => {}); // the caller has the rejection
    this.byName.set(name, settled);
    void settled.then(() => {
      if (this.byName.get(name) === settled) this.byName.delete(name);
    });
    if (before !== undefined && !(await this.inTime(before))) {
      isLate = true;
      const detail = `Another request for '${name}' has not ended.`;
      throw new Problem('overloaded', detail, {}, [['retry-after', '1']]);
    }
    return (await mine) as T;
  }

  private inTime(before: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.patienceMs);
      void before.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}
