// What the writer's thread and a checkpoint thread say to each other: one tagged union for each direction.

import type { CoreBinary } from '../../src/core/instance.ts';
import type { ReaderArena } from '../../src/core/reader.ts';
import type { ScanPlan, ScanResult } from '../../src/engine/checkpoint/scan.ts';

export interface ScanRequest {
  readonly kind: 'scan';
  readonly plan: ScanPlan;
  readonly binary: CoreBinary;
  readonly memory: WebAssembly.Memory;
  readonly arena: ReaderArena;
  readonly gate: SharedArrayBuffer;
  readonly directory: string;
}

export interface ArenaGrant {
  readonly kind: 'arena';
  /** Null: there is no memory for one. The arena before this one has been taken back. */
  readonly arena: ReaderArena | null;
}

export type ToThread = ScanRequest | ArenaGrant;

export type FromThread =
  /** The reader slot that the thread holds from now on, -1 for none: what has to be cleared should it die. */
  | { readonly kind: 'slot'; readonly slot: number }
  /** A block needs an arena of that many bytes; the thread touches its present one no more. */
  | { readonly kind: 'wants'; readonly bytes: number }
  | { readonly kind: 'done'; readonly result: ScanResult }
  | { readonly kind: 'failed'; readonly error: string };
