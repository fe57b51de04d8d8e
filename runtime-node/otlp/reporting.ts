// Exports that fail are told in one line a minute, whatever fails and however often: the collector is nobody's concern but the operator's.

import type { Logger } from '../../src/engine/logger.ts';

const quietMs = 60_000;

export class ExportReports {
  private readonly logger: Logger;
  private readonly where: string;
  private failures = 0;
  private quietUntil = Number.NEGATIVE_INFINITY;

  /** `where`: the endpoint without what stands for a credential in it. */
  constructor(logger: Logger, where: string) {
    this.logger = logger;
    this.where = where;
  }

  /** One export failed. */
  failed(): void {
    this.failures++;
    this.tell(`The collector at ${this.where} does not take what is exported to it; it is given up.`);
  }

  /** The thread that exports ended, and with it what it had. */
  died(why: string): void {
    this.tell(
      `The thread that exports to the collector at ${this.where} ended: ${why}; the next export starts another one.`,
    );
  }

  private tell(message: string): void {
    const now = performance.now();
    if (now < this.quietUntil) return;
    this.quietUntil = now + quietMs;
    this.logger.warn(message, { failures: this.failures });
    this.failures = 0;
  }
}
