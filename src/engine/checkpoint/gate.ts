// What the writer tells a thread that reads the graph beside it, as counters in shared memory. A block is good when no transaction
// that ran while it was read was taken back, and when the graph was not replaced.

const applying = 0; // odd while a transaction is being applied
const undone = 1; // transactions of which readers may have seen something that is not there any more
const replaced = 2; // erase, trim: ids mean something else
const stopped = 3; // nobody waits for the scan any more
const words = 4;

/** How long a reader sleeps at most before it looks again whether a transaction has ended. */
const napMs = 1;
const spins = 200;

export class ScanGate {
  readonly buffer: ArrayBufferLike;
  private readonly words: Int32Array;

  /** Without a buffer: a gate within one thread, or (`shared`) one that other threads can look at. */
  constructor(options: { readonly shared?: boolean; readonly buffer?: ArrayBufferLike } = {}) {
    const bytes = 4 * words;
    this.buffer = options.buffer ?? (options.shared === true ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    this.words = new Int32Array(this.buffer);
  }

  begin(): void {
    Atomics.add(this.words, applying, 1);
  }

  end(taken: 'kept' | 'undone' | 'replaced'): void {
    if (taken === 'undone') Atomics.add(this.words, undone, 1);
    if (taken === 'replaced') Atomics.add(this.words, replaced, 1);
    Atomics.add(this.words, applying, 1);
  }

  /** Changes with every transaction. */
  get transactions(): number {
    return Atomics.load(this.words, applying);
  }

  stop(): void {
    Atomics.store(this.words, stopped, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.words, stopped) !== 0;
  }

  get isReplaced(): boolean {
    return Atomics.load(this.words, replaced) !== 0;
  }

  get undone(): number {
    return Atomics.load(this.words, undone);
  }

  /** Returns once the transaction that is being applied now, if any, has ended. For threads that may block. */
  settle(): void {
    const seen = Atomics.load(this.words, applying);
    if (seen % 2 === 0) return;
    for (let i = 0; i < spins; i++) if (Atomics.load(this.words, applying) !== seen) return;
    while (Atomics.load(this.words, applying) === seen) Atomics.wait(this.words, applying, seen, napMs);
  }
}
