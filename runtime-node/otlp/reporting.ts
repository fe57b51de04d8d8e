// Exports that fail are told in one line a minute, whatever fails and however often: the collector is nobody's concern but the operator's.

import type { Logger } from '../../src/engine/logger.ts';

const quietMs = 60_000;

interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

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

  /** The same exporter; what it could not export is counted, and told. */
  watch<Items, E extends Exporter<Items>>(exporter: E & Exporter<Items>): E {
    const begin = exporter.export.bind(exporter);
    exporter.export = (items, done) =>
      begin(items, (result) => {
        if (result.code !== 0) this.failed();
        done(result);
      });
    return exporter;
  }

  private failed(): void {
    this.failures++;
    const now = performance.now();
    if (now < this.quietUntil) return;
    this.quietUntil = now + quietMs;
    this.logger.warn(`The collector at ${this.where} does not take what is exported to it; it is given up.`, {
      failures: this.failures,
    });
    this.failures = 0;
  }
}
