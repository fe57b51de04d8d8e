// Trimming without holding anybody up for long: the core makes the trimmed copy of the graph in steps, with other work between slices
// of them, and the transaction that publishes it follows in the turn in which the copy is complete. Meanwhile reads go on. Writes that
// ask (`hold`) wait, since each one makes the copy worthless; after one that did not ask the copy begins anew, and in the end the
// transaction makes it all by itself.

import type { SliceLength } from '../core/slices.ts';
import type { WriterSlices } from './writer-slices.ts';

/** Long enough to get on, short enough for a read to wait. */
const sliceLength: SliceLength = { ms: 8, steps: 16 };
/** Copies that writes may spoil. */
const mostCopies = 3;

export class Trims {
  private readonly target: WriterSlices;
  private running: Promise<void> | null = null;

  constructor(target: WriterSlices) {
    this.target = target;
  }

  /** Null as a rule; else a promise for the moment writes do not spoil a trim. There may be another one then: ask again. */
  hold(): Promise<void> | null {
    return this.running;
  }

  /** Calls `commit`, which applies the trim's transaction, when that has little left to do. */
  async run<T>(commit: () => T): Promise<T> {
    while (this.running !== null) await this.running;
    let over = (): void => {};
    this.running = new Promise((resolve) => {
      over = resolve;
    });
    try {
      await this.prepare();
      return commit();
    } finally {
      this.target.core.instance.exports.trimDrop();
      this.running = null;
      over();
    }
  }

  private async prepare(): Promise<void> {
    const { core, graph, yieldMemory } = this.target;
    const { exports } = core.instance;
    let copies = 0;
    let lends = false;
    while (exports.graphTrimNeeded(graph) !== 0 && copies < mostCopies) {
      copies++;
      const end = await this.copy(lends);
      if (end === trimEnds.complete) return;
      if (end !== trimEnds.noMemory || yieldMemory()) continue;
      // The transaction says so when it does not fit even then.
      if (lends) return;
      lends = true;
      copies--;
    }
  }

  /** `lends`: the copy may lie in headroom. Nothing else may, so it is lent for the time of a slice. */
  private async copy(lends: boolean): Promise<number> {
    const { core, graph, nextSlice, slices } = this.target;
    const { exports } = core.instance;
    const taking = <T>(run: () => T): T => (lends ? core.instance.lending(run) : run());
    if (taking(() => exports.graphTrimBegin(graph)) === 0) return trimEnds.noMemory;
    while (true) {
      const slice = slices(sliceLength);
      const step = taking(() => {
        let last = exports.trimStep();
        while (last === trimEnds.more && !slice.isOver()) last = exports.trimStep();
        return last;
      });
      if (step !== trimEnds.more) return step;
      await nextSlice();
    }
  }
}

/** What a step answers (assembly/transaction/trim.ts); a copy that was spoilt begins anew. */
const trimEnds = { more: 1, complete: 0, noMemory: -1 } as const;
