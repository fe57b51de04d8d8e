// The log of somebody else who writes, read as it grows: who takes it over has little left to read then.

import type { Logger } from '../../src/engine/logger.ts';
import { LogTruncated, type SharedLog } from '../../src/storage/shared-log.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';

export class ReadAhead {
  private readonly log: SharedLog;
  private readonly logger: Logger;
  private store: SharedLogStore | null = null;
  private reading: Promise<void> | null = null;

  constructor(log: SharedLog, logger: Logger) {
    this.log = log;
    this.logger = logger;
  }

  /** Whether it has come near the end once. */
  get isThere(): boolean {
    return this.store !== null;
  }

  /** Begins to read what has come since, if it is not at that. */
  go(): void {
    this.reading ??= this.readOn();
  }

  /** What was read, for whoever has the log now; null: nothing. */
  async take(): Promise<SharedLogStore | null> {
    await this.reading;
    const { store } = this;
    this.store = null;
    return store;
  }

  private async readOn(): Promise<void> {
    try {
      const store = this.store ?? (await SharedLogStore.readAhead(this.log));
      await store.readOn('near');
      this.store = store;
    } catch (error) {
      this.store = null;
      if (!(error instanceof LogTruncated)) this.logger.warn(`The log is not read ahead for now: ${String(error)}`);
    } finally {
      this.reading = null;
    }
  }
}
