// Writing much without holding up the writer: transactions that the core builds itself, one a slice, with other work between them.

import type { Applied, Core } from '../core/core.ts';
import type { WriteRefusal } from '../core/requests.ts';
import type { Slices } from '../core/slices.ts';
import { CoreStatus } from '../core/status.ts';

/** What such a writer needs of its namespace. */
export interface WriterSlices {
  readonly core: Core;
  readonly graph: number;
  readonly nowMs: () => number;
  /** Gives back memory that is kept for nothing but speed; false when there was none. */
  readonly yieldMemory: () => boolean;
  /** Measures what goes on between two pauses. */
  readonly slices: Slices;
  /** Lets other work run; throws when the namespace has gone. */
  readonly nextSlice: () => Promise<void>;
  /** Why no more may be written; null: go on. */
  readonly obstacle: () => string | null;
}

/** Applies what the core has built; memory that is kept for speed makes way for it. */
export function applyBuilt({ core, graph, yieldMemory }: WriterSlices, wantChanges: boolean): Applied | WriteRefusal {
  const applied = core.applyBuilt(graph, wantChanges);
  if (applied.ok || applied.status !== CoreStatus.noMemory || !yieldMemory()) return applied;
  return core.applyBuilt(graph, wantChanges);
}
