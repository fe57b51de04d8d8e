// Places for runs: so many of them go at once in the whole service, whatever their namespace. Nobody waits for one.

export class RunSlots {
  private readonly limit: number;
  private taken = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** A place until the answer is called; null when all are taken. */
  take(): (() => void) | null {
    if (this.taken >= this.limit) return null;
    this.taken++;
    let given = false;
    return () => {
      if (!given) this.taken--;
      given = true;
    };
  }
}
