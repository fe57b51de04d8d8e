// A whole-graph run as the engine takes it and answers it. Names, bounds and defaults of algorithms are not its business
// (src/queries/analytics): what comes here has been judged.

import type { Job, Kernel, Scope } from '../../core/analytics.ts';
import type { TypeId } from '../../core/values.ts';

export interface WriteBack {
  readonly key: string;
  /** Double, or one of the types of whole numbers. */
  readonly type: TypeId;
}

/** What is wanted of the values: the best or largest ones, or a page of the members of one partition, ascending. */
export type RunQuery =
  | { readonly kind: 'top'; readonly limit: number }
  | { readonly kind: 'members'; readonly partitionId: number; readonly offset: number; readonly limit: number };

export interface AnalyticsRun {
  readonly kernel: Kernel;
  readonly scope: Scope;
  /** Whether the kernel walks arcs; DEGREE does not. */
  readonly needsArcs: boolean;
  readonly maxIterations: number;
  readonly epsilon: number;
  readonly damping: number;
  /** Id of a vertex in scope; null for kernels without one. */
  readonly source: number | null;
  readonly samples: number;
  readonly seed: number;
  readonly budgetMs: number;
  /** Whether complete rounds count when time is over; otherwise there is no result then. */
  readonly keepsRounds: boolean;
  /** Whether least, greatest and mean score are wanted. */
  readonly wantsStatistics: boolean;
  readonly query: RunQuery;
  readonly writeBack: WriteBack | null;
  /** Whether what is written back goes to the log. */
  readonly logWriteBack: boolean;
}

export interface WrittenBack {
  readonly verticesWritten: number;
  readonly chunks: number;
}

export interface RunResult {
  readonly vertexCount: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly budgetExhausted: boolean;
  /** The algorithm's number about the whole (assembly/analytics/results.ts). */
  readonly sum: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  /** JSON list: `{graphElementId, score}`, `{partitionId, size}`, or ids. */
  readonly rows: Uint8Array;
  /** Vertices with a score, partitions there are, or members the partition has (0: there is none such). */
  readonly total: number;
  /** Bytes of memory the run took, its projection included. */
  readonly bytes: number;
  readonly writtenBack: WrittenBack | null;
}

export type RunRefusal =
  /** Its time was over before there was a result. */
  | { readonly reason: 'budget' }
  /** It was not begun, because it needs more memory than there is. */
  | { readonly reason: 'memory'; readonly neededBytes: number; readonly freeBytes: number }
  /** The source is no vertex in scope. */
  | { readonly reason: 'source' }
  /** The weight of an edge is no number (`type`), or negative or not finite (`value`). */
  | { readonly reason: 'weight'; readonly edge: number; readonly flaw: 'type' | 'value' }
  /** All weights together are more than a number holds. */
  | { readonly reason: 'weightSum' }
  /** A chunk could not be written; earlier ones stay. */
  | ({ readonly reason: 'writeBack'; readonly detail: string } & WrittenBack);

/** What is to be done for a stepped run: a piece of work, or why there is none. */
export type SteppedWork =
  | { readonly kind: 'projection'; readonly job: Job }
  | { readonly kind: 'kernel'; readonly job: Job }
  /** No vertex is in scope. */
  | { readonly kind: 'nothing' }
  /** The source is not in scope. */
  | { readonly kind: 'source' }
  /** The namespace has no memory left for it. */
  | { readonly kind: 'memory' };

/** As the writer sees it: its caller works between the calls. */
export interface SteppedRun {
  next(): SteppedWork;
  /** `hasValues`: it came to its end. */
  end(hasValues: boolean): void;
}

export type RunAnswer = ({ readonly ok: true } & RunResult) | ({ readonly ok: false } & RunRefusal);
