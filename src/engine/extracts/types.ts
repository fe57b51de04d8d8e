// Graphs extracted from a namespace's graph, or from one another, as callers of the engine hold them. What they are called, and out of what
// request they came, is not the engine's affair.

import type { JobKind, JobOptions, JobOutcome } from '../jobs/types.ts';

/** A graph beside the namespace's own: complete, never written to, with ids of its own. Only `Extracts` looks inside. */
export interface ExtractedGraph {
  readonly vertexCount: number;
  readonly edgeCount: number;
}

/** What a source was when something was found out about it: null, the namespace's graph; otherwise an extracted one. */
export interface SourceMoment {
  readonly vertexCount: number;
  readonly edgeCount: number;
}

export type ExtractOutcome =
  | { readonly ok: true; readonly graph: ExtractedGraph }
  /** `changed`: ids have lost their meaning since the moment. `memory`: it does not fit, and nothing of it is left. */
  | { readonly ok: false; readonly reason: 'changed' | 'memory' };

export interface Extracts {
  /** To be taken before anything is asked about the source. */
  moment(source: ExtractedGraph | null): SourceMoment;
  /** A job over the source (docs/jobs.md), whose handle the request gets as `graph`. An extracted graph stays until the job has ended. */
  runJob<Request extends object, Result>(
    moment: SourceMoment,
    kind: JobKind<Request & { readonly graph: number }, Result>,
    request: Request,
    options: JobOptions,
  ): Promise<JobOutcome<Result> | 'changed'>;
  /**
   * A new graph out of the elements of the source that `bits` says (by id, whole 64-bit words), or of all it had (null). Copied in slices beside
   * writes, one extraction at a time; elements that go meanwhile are left out. Throws the signal's reason, or NamespaceGone.
   */
  extract(moment: SourceMoment, bits: Uint8Array | null, signal?: AbortSignal): Promise<ExtractOutcome>;
  /** `{ "edges": [...], "vertices": [...] }`, at most `maxElements` of each, ascending ids. Null: the graph has gone. */
  read(graph: ExtractedGraph, maxElements: number): Promise<Uint8Array[] | null>;
  /** Gives the memory back when nobody reads the graph any more. A second call does nothing. */
  drop(graph: ExtractedGraph): void;
  /** Called when another graph has taken the place of the namespace's own (a restore): all extracted graphs have gone with it. */
  onReplaced(listener: () => void): void;
}
