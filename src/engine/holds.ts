// Who still needs something that is otherwise done with: each holds it until it lets go.

export class Holds {
  private readonly held = new Set<Promise<void>>();

  get size(): number {
    return this.held.size;
  }

  /** Holds until the answer is called or the signal is aborted. */
  hold(signal: AbortSignal | undefined): () => void {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    this.held.add(held);
    void held.then(() => this.held.delete(held));
    signal?.addEventListener('abort', letGo);
    return letGo;
  }

  /** Resolves when all that hold now have let go. */
  async over(): Promise<void> {
    await Promise.all(this.held);
  }
}
