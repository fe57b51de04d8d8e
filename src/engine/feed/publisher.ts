// From applied transactions to the feed: what a transaction changed is handed on when its log frame is on disk, in commit order. A transaction
// that the disk refused is published as well: it is committed in memory, and that is what subscribers show.

import type { Applied, Core } from '../../core/core.ts';
import type { Commits } from '../commits.ts';
import type { StoredReason } from './events.ts';
import type { ChangeFeed } from './feed.ts';

export class ChangePublisher {
  private readonly feed: ChangeFeed;
  private readonly nameOf: (id: number) => string;
  private readonly pause: () => Promise<void>;
  private readonly when: Commits['when'];
  private stopped = false;
  /** Set while changes in many pieces are published, a piece a turn: what comes later waits for it. */
  private long: Promise<void> | null = null;
  /** Of the transaction before. */
  private lastDurable: Promise<boolean> = Promise.resolve(true);

  /** Makes the core record what its transactions change, unless the feed is switched off. `when`: what is done behind which commit. */
  constructor(feed: ChangeFeed, core: Core, pause: () => Promise<void>, when: Commits['when']) {
    this.feed = feed;
    this.pause = pause;
    this.when = when;
    this.nameOf = (id) => core.nameOf(id);
    core.recordChanges = feed.enabled;
  }

  /** `resync`: the reason when the transaction replaced what clients hold instead of changing it. */
  committed(applied: Applied, resync: StoredReason | null, durable: Promise<boolean>, committedMs: number): void {
    const { changes } = applied;
    this.lastDurable = durable;
    if (changes === null || (changes.length === 0 && resync === null)) return;
    if (changes.length > 1) {
      this.publishLong(changes, durable, committedMs);
      return;
    }
    this.behind(durable, () => {
      const [piece] = changes;
      if (resync !== null) this.feed.resync(resync, committedMs);
      else if (piece !== undefined) this.feed.publish(piece, this.nameOf, committedMs);
    });
  }

  /** Resolves when nothing that is on disk is still to be published. */
  async settled(): Promise<void> {
    while (this.long !== null) await this.long;
  }

  /** The last event of what is on disk by now; a promise while some of it is still to be published. */
  published(): number | Promise<number> {
    return this.long === null ? this.feed.newest : this.long.then(() => this.feed.newest);
  }

  private publishLong(pieces: readonly Uint32Array[], durable: Promise<unknown>, committedMs: number): void {
    const before = this.long;
    const publish = async (): Promise<void> => {
      await before;
      await durable;
      for (const piece of pieces) {
        if (this.stopped) return;
        this.feed.publish(piece, this.nameOf, committedMs);
        await this.pause();
      }
    };
    this.follow(publish());
  }

  /** Publishes by `publish` when `durable` has settled, behind what is being published. */
  private behind(durable: Promise<boolean>, publish: () => void): void {
    const { long } = this;
    const run = (): void => {
      if (!this.stopped) publish();
    };
    if (long === null) this.when(durable, run);
    else this.follow(long.then(() => durable).then(run));
  }

  private follow(last: Promise<void>): void {
    this.long = last;
    void last.then(() => {
      if (this.long === last) this.long = null;
    });
  }

  /** A transaction replaced what clients hold. `durable`: null when it is not logged; it follows those before it all the same. */
  replaced(reason: StoredReason, durable: Promise<boolean> | null, committedMs: number): void {
    if (durable !== null) this.lastDurable = durable;
    this.behind(this.lastDurable, () => this.feed.resync(reason, committedMs));
  }

  /** Nothing is published any more: the graph has been replaced or dropped, and its names with it. */
  stop(): void {
    this.stopped = true;
  }
}
