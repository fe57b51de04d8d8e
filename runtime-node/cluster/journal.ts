// When a node that writes a log writes checkpoints: behind each so many bytes of it.

import type { Logger } from '../../src/engine/logger.ts';
import type { ArcwiseService } from '../../src/service.ts';
import type { SharedLogStore } from '../../src/storage/shared-log-store.ts';

export class Journal {
  private readonly logs: SharedLogStore;
  private readonly everyBytes: number;
  private readonly logger: Logger;
  private savedBytes: number;
  private saving = false;

  constructor(logs: SharedLogStore, everyBytes: number, logger: Logger) {
    this.logs = logs;
    this.everyBytes = everyBytes;
    this.logger = logger;
    // What was there before and is gone has its checkpoints.
    this.savedBytes = logs.goneBytes;
  }

  /** Whether checkpoints are being written. */
  get isSaving(): boolean {
    return this.saving;
  }

  /** Begins checkpoints where so much was logged since the ones before. */
  saveWhenDue(service: ArcwiseService | null): void {
    if (this.saving || this.logs.journalBytes - this.savedBytes < this.everyBytes) return;
    this.saving = true;
    this.savedBytes = this.logs.journalBytes;
    const saving = service?.engine.saveGames?.saveBases() ?? Promise.resolve();
    const over = (): void => {
      this.saving = false;
    };
    saving.then(over, (error: unknown) => {
      over();
      this.logger.warn(`Checkpoints of the cluster were not written: ${String(error)}`);
    });
  }
}
