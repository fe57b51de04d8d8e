// Graphs extracted from a namespace's graph, or from one another, as callers of the engine hold them. What they are called, and out of what
// request they came, is not the engine's affair.

import type { CreateEdge, CreateVertex } from '../../core/requests.ts';
import type { JsonBody } from '../answer-stream.ts';
import type { JobKind, JobOptions, JobOutcome } from '../jobs/types.ts';

/** A graph beside the namespace's own: complete, never written to, with ids of its own. Only `Extracts` looks inside. */
export interface ExtractedGraph {
  readonly vertexCount: number;
  readonly edgeCount: number;
}

/** A source as it was when it was taken. An extracted graph stays as long as it is held, though it be dropped meanwhile. */
export interface HeldSource {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** Once, when nothing is asked of it any more. */
  release(): void;
}

export type ExtractOutcome =
  | { readonly ok: true; readonly graph: ExtractedGraph }
  /**
   * `changed`: ids have lost their meaning since the source was taken. `memory`: it does not fit. `refused`: it is no graph. Nothing of it is left.
   */
  | { readonly ok: false; readonly reason: 'changed' | 'memory' | 'refused' };

export interface Extracts {
  /** Extracted graphs that are not dropped. They are in memory only. */
  readonly count: number;
  /** Takes a source: null, the namespace's own graph; otherwise an extracted one. */
  hold(source: ExtractedGraph | null): HeldSource;
  /** A job over the source (docs/jobs.md), whose handle the request gets as `graph`. `changed`: there is another graph now. */
  runJob<Request extends object, Result>(
    source: HeldSource,
    kind: JobKind<Request & { readonly graph: number }, Result>,
    request: Request,
    options: JobOptions,
  ): Promise<JobOutcome<Result> | 'changed'>;
  /**
   * A new graph out of the elements of the source that `bits` says (by id, whole 64-bit words), or of all it had (null). Copied in slices beside
   * writes, one extraction at a time; elements that go meanwhile are left out. Throws the signal's reason, or NamespaceGone.
   */
  extract(source: HeldSource, bits: Uint8Array | null, signal?: AbortSignal): Promise<ExtractOutcome>;
  /** A new graph of these elements, in slices as `extract`: the place of each is its id, which edges after it name as their ends. */
  build(contents: readonly (CreateVertex | CreateEdge)[], signal?: AbortSignal): Promise<ExtractOutcome>;
  /** `{ "edges": [...], "vertices": [...] }`, at most `maxElements` of each, ascending ids. Null: the graph has gone. */
  read(graph: ExtractedGraph, maxElements: number, signal?: AbortSignal): Promise<JsonBody | null>;
  /** Gives the memory back when nobody reads the graph any more. A second call does nothing. */
  drop(graph: ExtractedGraph): void;
  /** Called when another graph has taken the place of the namespace's own (a restore): all extracted graphs have gone with it. */
  onReplaced(listener: () => void): void;
}
