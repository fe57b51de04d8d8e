// The log of somebody else who writes, read as it grows: who takes it over has little left to read then.

import type { Logger } from '../../src/engine/logger.ts';
import { LogTruncated, type SharedLog } from '../../src/storage/shared-log.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';

export class ReadAhead {
  private readonly log: SharedLog;
  private readonly logger: Logger;
  private readonly mostBytes: number;
  private store: SharedLogStore | null = null;
  private reading: Promise<void> | null = null;

  /** Where the log began when it was too long; null: it was not. */
  private tooLongFrom: number | null = null;

  /** `mostBytes`: of what is kept in memory. A log that has more is read by whoever takes it, or when a checkpoint has made it shorter. */
  constructor(log: SharedLog, logger: Logger, mostBytes: number) {
    this.log = log;
    this.logger = logger;
    this.mostBytes = mostBytes;
  }

  /** Whether it has come near the end once. */
  get isThere(): boolean {
    return this.store !== null;
  }

  /** @testonly */
  get isReading(): boolean {
    return this.reading !== null;
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
      if (this.tooLongFrom !== null && (await this.log.first()) === this.tooLongFrom) return;
      this.tooLongFrom = null;
      const store = this.store ?? (await SharedLogStore.readAhead(this.log));
      if (await store.readOn('near', this.mostBytes)) {
        this.store = store;
        return;
      }
      this.store = null;
      this.tooLongFrom = await this.log.first();
      this.logger.warn(
        `The log is not read ahead: it has more than ${this.mostBytes} bytes since its last checkpoint.`,
      );
    } catch (error) {
      this.store = null;
      if (!(error instanceof LogTruncated)) this.logger.warn(`The log is not read ahead for now: ${String(error)}`);
    } finally {
      this.reading = null;
    }
  }
}
