// What becomes of a transaction that was applied: it goes to the log, to the change feed, and to those who follow the log.

import type { Applied } from '../core/core.ts';
import type { Projections } from './analytics/projections.ts';
import type { SavedState } from './checkpoint/saved-state.ts';
import { CommitGroups, type CommitStep } from './commit-groups.ts';
import type { WriteReason } from './feed/events.ts';
import type { ChangePublisher } from './feed/publisher.ts';
import type { NamespaceParts } from './namespace-parts.ts';
import type { TailEntry } from './replication/tail.ts';
import { type BulkTransaction, TransactionTelemetry } from './transaction-telemetry.ts';

const always: Promise<boolean> = Promise.resolve(true);

export class Commits {
  /** Null until the namespace serves. */
  publisher: ChangePublisher | null = null;
  private readonly parts: NamespaceParts;
  private readonly saved: SavedState;
  private readonly projections: Projections;
  readonly transactions: TransactionTelemetry;
  private readonly groups = new CommitGroups();

  constructor(parts: NamespaceParts, saved: SavedState, projections: Projections) {
    this.parts = parts;
    this.saved = saved;
    this.projections = projections;
    this.transactions = new TransactionTelemetry(parts.telemetry, this.groups);
  }

  /** Does `step` when `durable` has settled, behind the steps of the commits before. */
  readonly when = (durable: Promise<boolean>, step: CommitStep): void => {
    this.groups.of(durable).push(step);
  };

  /** In volatile mode every write counts as durable: nothing more was promised. */
  commit(applied: Applied, resync: WriteReason | null, nowMs: number): Promise<boolean> {
    const { log } = this.parts;
    this.saved.changed();
    const durable = log === null ? always : log.append(applied.bytes);
    this.publisher?.committed(applied, resync, durable, nowMs);
    this.follow(applied, resync ?? 'changes', durable, nowMs);
    this.projections.changed();
    return durable;
  }

  /** Index transactions change nothing that subscribers see. */
  index(applied: Applied): Promise<boolean> {
    const { clock, log, logIndexes } = this.parts;
    this.saved.changed();
    if (log === null || !logIndexes) return always;
    const durable = log.append(applied.bytes);
    this.follow(applied, 'nothing', durable, clock.nowMs());
    return durable;
  }

  /** What the code of a plugin, or an algorithm, has changed: subscribers are told to look again. */
  delegate(name: BulkTransaction, applied: Applied, nowMs: number, logged: boolean): Promise<boolean> {
    const { log, tail } = this.parts;
    this.saved.changed();
    // Whoever follows sees the log alone.
    const durable = log !== null && (logged || tail !== null) ? log.append(applied.bytes) : null;
    this.publisher?.replaced('delegateWrite', durable, nowMs);
    this.follow(applied, 'delegateWrite', durable, nowMs);
    this.projections.changed();
    return this.transactions.made(name, durable ?? always);
  }

  private readonly published = (): number | Promise<number> => this.publisher?.published() ?? 0;

  /** Hands what was logged on to those who follow. */
  private follow(
    { bytes: payload }: Applied,
    kind: TailEntry['kind'],
    durable: Promise<boolean> | null,
    committedMs: number,
  ): void {
    const { log, tail } = this.parts;
    if (log === null || tail === null || durable === null) return;
    this.when(durable, tail.append({ payload, kind, committedMs, position: log.position }, this.published));
  }

  /** Those who follow go on from here; `feedSequence`: of the last event. */
  tailBegins(feedSequence: number): void {
    const { log, tail } = this.parts;
    tail?.lose();
    if (log !== null && !log.degraded) tail?.begin(log.position, feedSequence);
  }

  /** After a save: a log that had failed may go on, and so does its tail. */
  async mended(): Promise<void> {
    if (this.parts.tail?.position === null) this.tailBegins((await this.publisher?.published()) ?? 0);
  }
}
