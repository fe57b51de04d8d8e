// Packages as their callers see them.

import type { CheckpointInfo } from '../checkpoint/types.ts';

/** Namespaces as single files, to be handed on (format.ts). */
export interface PackageSet {
  /** As `write`, and what is in it; its anchor is the log's, for who goes on with the log's frames. */
  snapshot(namespace: string, signal: AbortSignal): Promise<Snapshot | null>;
  /** The loaded namespace as it is at one commit. Null: as many packages as may be on their way are. Rejects with CheckpointFailed. */
  write(namespace: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>;
  /** Fills a loaded namespace that holds nothing. After a refusal it is as it was. */
  read(namespace: string, body: AsyncIterable<Uint8Array>, limits: PackageLimits): Promise<PackageResult>;
}

export interface Snapshot {
  readonly info: CheckpointInfo;
  readonly body: ReadableStream<Uint8Array>;
}

export interface PackageLimits {
  /** Null: any number. */
  readonly maxBytes: number | null;
  /** Whether sources of plugins are let in. */
  readonly mayHavePlugins: boolean;
}

export type PackageResult =
  | { readonly ok: true; readonly vertexCount: number; readonly edgeCount: number; readonly durable: boolean }
  | {
      readonly ok: false;
      readonly failure: 'notEmpty' | 'unreadable' | 'tooLarge' | 'plugins' | 'noMemory' | 'failed';
      readonly detail: string;
    };

/** Why bytes are no package, or not a whole one. */
export class PackageUnreadable extends Error {
  override readonly name = 'PackageUnreadable';
}
