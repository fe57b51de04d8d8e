// A bucket with bounded puts: at most so many a second, those of the log before all others. Every attempt counts, because every one is paid for.
// What fails is tried again with the same name and the same bytes, later each time, until it is done or the signal ends it: nothing begins anew.

import { type ObjectStore, type PutOutcome, type StoredObject, settledPut } from '../../storage/objects.ts';

const firstPauseMs = 200;
const longestPauseMs = 10_000;

export interface PacedOptions {
  readonly store: ObjectStore;
  readonly putsPerSecond: number;
  readonly nowMs: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told of every attempt that failed. */
  readonly failed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Every method rejects with the signal's reason and nothing else. */
export class PacedStore {
  private readonly options: PacedOptions;
  /** When the next put may begin. */
  private nextMs = 0;
  /** Puts of the log that wait for their time: others let them go first. */
  private urgent = 0;

  constructor(options: PacedOptions) {
    this.options = options;
  }

  get(name: string): Promise<StoredObject | null> {
    return this.insist(() => this.options.store.get(name));
  }

  delete(name: string): Promise<void> {
    return this.insist(() => this.options.store.delete(name));
  }

  /** Puts an object that nobody else puts; one that is there is the same. */
  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.insist(async () => {
      await this.turn(false);
      await this.options.store.put(name, bytes);
    });
  }

  /** As `settledPut`. */
  async putOnce(name: string, bytes: Uint8Array, tag: string | null, isUrgent: boolean): Promise<PutOutcome> {
    const { store } = this.options;
    await this.turn(isUrgent);
    let pauseMs = firstPauseMs;
    return settledPut(store, name, bytes, tag, async (error) => {
      await this.after(error, pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
      await this.turn(isUrgent);
    });
  }

  private async insist<T>(run: () => Promise<T>): Promise<T> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      try {
        return await run();
      } catch (error) {
        await this.after(error, pauseMs);
      }
    }
  }

  private async after(error: unknown, pauseMs: number): Promise<void> {
    const { failed, pause, signal } = this.options;
    signal.throwIfAborted();
    failed(error);
    await pause(pauseMs, signal);
    signal.throwIfAborted();
  }

  /** Waits for the time of the next put. */
  private async turn(isUrgent: boolean): Promise<void> {
    const { nowMs, pause, putsPerSecond, signal } = this.options;
    if (isUrgent) this.urgent++;
    try {
      while (true) {
        const waitMs = this.nextMs - nowMs();
        if (waitMs <= 0 && (isUrgent || this.urgent === 0)) break;
        await pause(Math.max(waitMs, 5), signal);
        signal.throwIfAborted();
      }
    } finally {
      if (isUrgent) this.urgent--;
    }
    this.nextMs = Math.max(this.nextMs, nowMs() - 1000 / putsPerSecond) + 1000 / putsPerSecond;
  }
}
