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
    while (exports.graphTrimNeeded(graph) !== 0 && copies < mostCopies) {
      copies++;
      const end = exports.graphTrimBegin(graph) === 0 ? trimEnds.noMemory : await this.copy();
      if (end === trimEnds.complete) return;
      // The transaction says so when it does not fit.
      if (end === trimEnds.noMemory && !yieldMemory()) return;
    }
  }

  private async copy(): Promise<number> {
    const { core, nextSlice, slices } = this.target;
    while (true) {
      const slice = slices(sliceLength);
      let step = core.instance.exports.trimStep();
      while (step === trimEnds.more && !slice.isOver()) step = core.instance.exports.trimStep();
      if (step !== trimEnds.more) return step;
      await nextSlice();
    }
  }
}

/** What a step answers (assembly/graph/trim.ts); a copy that was spoilt begins anew. */
const trimEnds = { more: 1, complete: 0, noMemory: -1 } as const;
