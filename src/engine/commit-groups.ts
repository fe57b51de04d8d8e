// Transactions that become durable together: a group of the log, or what is committed in one turn without a log. The log acknowledges all of a group
// by one promise, and that is awaited once for all of them and all that follows from it: a promise more for every write costs more than
// what is done with it. (Measured: one more for each group of 15 waited writes takes .05 % of their time.)

/** Takes what became of a transaction's frame. Must not throw. */
export type CommitStep = (isDurable: boolean) => void;

/** What is done when a group has settled, in this order. No two groups share one. */
export type CommitGroup = CommitStep[];

export class CommitGroups {
  /** The newest group, and the promise that all of it has in common; null: it has settled. */
  private group: CommitGroup | null = null;
  private durable: Promise<boolean> | null = null;

  /** Of a transaction that is durable when `durable` resolves true. */
  of(durable: Promise<boolean>): CommitGroup {
    if (this.group !== null && this.durable === durable) return this.group;
    const group: CommitGroup = [];
    this.group = group;
    this.durable = durable;
    void durable.then((isDurable) => {
      // What is committed later with the same promise, as all is that no log keeps, is a group of its own.
      if (this.group === group) this.group = null;
      for (const step of group) step(isDurable);
    });
    return group;
  }
}
