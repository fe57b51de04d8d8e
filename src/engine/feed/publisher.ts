// From applied transactions to the feed: what a transaction changed is handed on when its log frame is on disk, in commit order. The
// log acknowledges in order, so one callback a transaction is enough. A transaction that the disk refused is published as well:
// it is committed in memory, and that is what subscribers show.

import type { Applied, Core } from '../../core/core.ts';
import type { StoredReason } from './events.ts';
import type { ChangeFeed } from './feed.ts';

export class ChangePublisher {
  private readonly feed: ChangeFeed;
  private readonly nameOf: (id: number) => string;
  private stopped = false;
  /** Of the transaction before. */
  private lastDurable: Promise<unknown> = Promise.resolve();

  /** Makes the core record what its transactions change, unless the feed is switched off. */
  constructor(feed: ChangeFeed, core: Core) {
    this.feed = feed;
    this.nameOf = (id) => core.nameOf(id);
    core.recordChanges = feed.enabled;
  }

  /** `resync`: the reason when the transaction replaced what clients hold instead of changing it. */
  committed(applied: Applied, resync: StoredReason | null, durable: Promise<boolean>, committedMs: number): void {
    const { changes } = applied;
    this.lastDurable = durable;
    if (changes === null || (changes.length === 0 && resync === null)) return;
    void durable.then(() => {
      if (this.stopped) return;
      if (resync === null) for (const piece of changes) this.feed.publish(piece, this.nameOf, committedMs);
      else this.feed.resync(resync, committedMs);
    });
  }

  /** A transaction replaced what clients hold. `durable`: null when it is not logged; it follows those before it all the same. */
  replaced(reason: StoredReason, durable: Promise<boolean> | null, committedMs: number): void {
    if (durable !== null) this.lastDurable = durable;
    void this.lastDurable.then(() => {
      if (!this.stopped) this.feed.resync(reason, committedMs);
    });
  }

  /** Nothing is published any more: the graph has been replaced or dropped, and its names with it. */
  stop(): void {
    this.stopped = true;
  }
}
