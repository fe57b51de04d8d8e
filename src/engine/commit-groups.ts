// Transactions that become durable together: a group of the log, or what is committed in one turn without a log. The log acknowledges all of a group
// by one promise, and that is awaited once for all of them: a promise more for every write costs more than what is done with it.

export class CommitGroups<Group> {
  private readonly make: () => Group;
  private readonly settled: (group: Group, isDurable: boolean) => void;
  /** The newest group, and the promise that all of it has in common; null: it has settled. */
  private group: Group | null = null;
  private durable: Promise<boolean> | null = null;

  /** `settled` is called once for each group, in the order of the commits, and must not throw. */
  constructor(make: () => Group, settled: (group: Group, isDurable: boolean) => void) {
    this.make = make;
    this.settled = settled;
  }

  /** Of a transaction that is durable when `durable` resolves true. */
  of(durable: Promise<boolean>): Group {
    if (this.group !== null && this.durable === durable) return this.group;
    const group = this.make();
    this.group = group;
    this.durable = durable;
    void durable.then((isDurable) => {
      // What is committed later with the same promise, as all is that no log keeps, is a group of its own.
      if (this.group === group) this.group = null;
      this.settled(group, isDurable);
    });
    return group;
  }
}
