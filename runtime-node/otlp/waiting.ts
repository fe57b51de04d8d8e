// Records of one signal that wait for their export: a bounded number of them, exported in batches, one batch at a time. What comes while
// the queue is full is dropped, so that a collector that stands costs memory for no more than that.

/** Records that wait at most. */
const mostWaiting = 2048;
/** Of one export. */
const batchSize = 512;
/** A batch that is not full leaves after so long. */
const delayMs = 2000;

export class Waiting<Item> {
  private items: Item[] = [];
  private timer: NodeJS.Timeout | null = null;
  private readonly send: (batch: readonly Item[]) => void;
  private readonly isUnderWay: () => boolean;

  /** `isUnderWay`: a batch was sent and its export has not ended. */
  constructor(send: (batch: readonly Item[]) => void, isUnderWay: () => boolean) {
    this.send = send;
    this.isUnderWay = isUnderWay;
  }

  readonly add = (item: Item): void => {
    if (this.items.length >= mostWaiting) return;
    this.items.push(item);
    if (this.items.length >= batchSize) this.sendFull();
    else this.timer ??= setTimeout(() => this.sendLate(), delayMs).unref();
  };

  /** To be called when an export has ended. */
  sendFull(): void {
    if (this.items.length >= batchSize && !this.isUnderWay()) this.sendOne();
  }

  /** All that waits, at once. */
  sendAll(): void {
    while (this.items.length > 0) this.sendOne();
  }

  private sendLate(): void {
    this.timer = null;
    if (this.items.length === 0) return;
    if (this.isUnderWay()) this.timer = setTimeout(() => this.sendLate(), delayMs).unref();
    else this.sendOne();
  }

  private sendOne(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const batch = this.items.slice(0, batchSize);
    this.items = this.items.slice(batchSize);
    if (this.items.length > 0) this.timer = setTimeout(() => this.sendLate(), delayMs).unref();
    this.send(batch);
  }
}
