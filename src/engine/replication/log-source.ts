// Where a replica takes a namespace from: its writer over HTTP, its backup, or the logs of its cluster.

import type { HashedState, HistoryPosition } from '../state-hash.ts';

/** Frames that follow a position (frames.ts), and what is known beside them. */
export interface LogPart {
  readonly blocks: readonly Uint8Array[];
  /** Of the change feed before the first frame; null where that is not known: then the replica's feed has numbers of its own. */
  readonly feed: { readonly epoch: string; readonly sequence: number } | null;
  /** The last commit that is known to be there. */
  readonly headSequence: number;
}

export interface LogSource {
  /** Names of the namespaces there are. */
  namespaces(signal: AbortSignal): Promise<readonly string[]>;
  /** A package whose anchor is the log's. */
  snapshot(name: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * What follows the position, as soon as there is something, or nothing after a while (`isAtOnce`: at once). Null: it cannot be had; a snapshot
   * goes on.
   */
  read(name: string, position: HistoryPosition, signal: AbortSignal, isAtOnce?: boolean): Promise<LogPart | null>;
  /** Where the namespaces are written; null or missing: it does not know. */
  readonly writerUrl?: string | null;
  close?(): Promise<void>;
  /** The hash of a state that is not before the position; null: this source cannot tell. */
  hash(name: string, signal: AbortSignal): Promise<HashedState | null>;
}

/** The source does not do what it should: its message says what was asked and what came back. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
}
