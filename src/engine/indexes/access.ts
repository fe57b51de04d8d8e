// What the indexes of a graph need of the engine that holds it.

import type { Applied, Core } from '../../core/core.ts';
import type { Slices } from '../../core/slices.ts';
import type { AnswerSource } from '../answer-stream.ts';
import type { JobSpace } from '../jobs/types.ts';

export interface GraphAccess {
  readonly core: Core;
  readonly graph: number;
  readonly jobs: JobSpace;
  readonly nowMs: () => number;
  /** How often ids have lost their meaning. */
  readonly renumberings: () => number;
  /** Logs a transaction of an index that was applied; settles when it is on disk (true), or cannot be put there. */
  readonly commit: (applied: Applied) => Promise<boolean>;
  readonly backpressure: () => Promise<void> | null;
  /** Gives back memory that is kept for nothing but speed; false when there was none. */
  readonly yieldMemory: () => boolean;
  /** Why no more may be written; null: go on. */
  readonly obstacle: () => string | null;
  /** Measures what goes on between two pauses. */
  readonly slices: Slices;
  /** Lets other work run; throws when the graph or the caller has gone. */
  readonly nextSlice: (signal?: AbortSignal) => Promise<void>;
  /** Runs what spans turns, so that the graph's memory stays until it has ended. */
  readonly task: <T>(run: () => Promise<T>) => Promise<T>;
  /** For an answer in blocks about the graph with this handle. */
  readonly answerSource: (graph: number, signal: AbortSignal | undefined) => AnswerSource;
}
