// Large transactions without holding anybody up for long: they are built and applied in steps (src/core/stepped-write.ts), with other work
// between slices of them. Writes that ask (`hold`) wait meanwhile; one that did not ask has the rest taken at once, before it.

import type { Applied } from '../core/core.ts';
import type { WriteOperation, WriteRefusal } from '../core/requests.ts';
import type { SliceLength } from '../core/slices.ts';
import { CoreStatus } from '../core/status.ts';
import { SteppedWrite } from '../core/stepped-write.ts';
import type { WriteOutcome } from './types.ts';
import type { WriterSlices } from './writer-slices.ts';

/** Operations from which a transaction is made in steps: about what a slice takes. */
export const largeWriteOperations = 4096;
/** The same, of the body that such a transaction came with. */
export const largeWriteBytes = 1024 * 1024;
const sliceLength: SliceLength = { ms: 4, steps: 4 };

export interface LargeWriteTarget extends WriterSlices {
  /** Hands on what was applied, or counts what was refused. `beganMs`: when the write did, by the telemetry's clock. */
  readonly concluded: (
    operations: readonly WriteOperation[],
    applied: Applied | WriteRefusal,
    nowMs: number,
    beganMs: number,
  ) => WriteOutcome;
  readonly monotonicMs: () => number;
  /** The same write at once, on whatever graph has taken the place of this one. */
  readonly atOnce: (operations: readonly WriteOperation[]) => WriteOutcome;
}

export class LargeWrites {
  private readonly target: LargeWriteTarget;
  private running: Promise<void> | null = null;

  constructor(target: LargeWriteTarget) {
    this.target = target;
  }

  /** Null as a rule; else a promise for the moment such a write is over. There may be another one then: ask again. */
  hold(): Promise<void> | null {
    return this.running;
  }

  /** Nothing else may hold writes when this is called. */
  async run(operations: readonly WriteOperation[]): Promise<WriteOutcome> {
    let over = (): void => {};
    this.running = new Promise((resolve) => {
      over = resolve;
    });
    try {
      return (await this.inSteps(operations)) ?? this.target.atOnce(operations);
    } finally {
      this.running = null;
      over();
    }
  }

  /** Null: it has to be done at once. */
  private async inSteps(operations: readonly WriteOperation[]): Promise<WriteOutcome | null> {
    const { core, graph, nowMs, monotonicMs, concluded, obstacle } = this.target;
    const beganMs = monotonicMs();
    const now = nowMs();
    let outcome: WriteOutcome | null = null;
    let lacksMemory = false;
    const write = new SteppedWrite(core, graph, operations, (applied) => {
      // Undone, and there are ways to find memory when all of it is done at once.
      if (!applied.ok && applied.status === CoreStatus.noMemory) lacksMemory = true;
      else outcome = concluded(operations, applied, now, beganMs);
    });
    try {
      if (!write.begin(now)) return null;
      const built = await this.slices(() => write.build());
      if (built !== true)
        return built.status === CoreStatus.noMemory ? null : concluded(operations, built, now, beganMs);
      if (obstacle() !== null || !write.apply()) return null;
      await this.slices(() => (write.step() ? true : null));
    } finally {
      write.drop();
    }
    return lacksMemory ? null : outcome;
  }

  /** Calls `step` until it answers something. */
  private async slices<T>(step: () => T | null): Promise<T> {
    const { slices, nextSlice } = this.target;
    let slice = slices(sliceLength);
    for (let last = step(); ; last = step()) {
      if (last !== null) return last;
      if (!slice.isOver()) continue;
      await nextSlice();
      slice = slices(sliceLength);
    }
  }
}
