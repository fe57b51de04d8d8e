// What the caller's thread and a job's thread say to each other: one tagged union for each direction, over anything that keeps their
// order. The caller decides what a thread keeps (memories, modules), so neither side has to ask the other.

import type { CoreBinary } from '../../core/instance.ts';
import type { GangPlace, ReaderLease } from '../../core/lease.ts';
import type { ReaderArena } from '../../core/reader.ts';
import type { JobModule } from './types.ts';

export interface RunMessage {
  readonly kind: 'run';
  readonly job: number;
  /** Of the job's kind. */
  readonly name: string;
  readonly request: unknown;
  /** Names a memory for its time with one core: a memory that serves another core later gets another number. */
  readonly space: number;
  /** Null when the thread has the space already. */
  readonly memory: WebAssembly.Memory | null;
  readonly lease: ReaderLease;
  readonly gang: GangPlace | null;
  /** What is left of the caller's time: threads have clocks of their own. Null: it has all the time. */
  readonly remainingMs: number | null;
  /** Keys of all modules of the job. */
  readonly keys: readonly string[];
  /** Those of them that the thread does not have yet. */
  readonly modules: readonly JobModule[];
}

export type ToThread =
  /** The first message. */
  | { readonly kind: 'start'; readonly binary: CoreBinary }
  | RunMessage
  /** An answer to `wants`; null: there is no memory, the arena before is still lent. */
  | { readonly kind: 'arena'; readonly job: number; readonly arena: ReaderArena | null }
  /** The caller has dealt with one block. */
  | { readonly kind: 'taken'; readonly job: number }
  /** The stop word is set: whatever the job waits for will not come. */
  | { readonly kind: 'stop'; readonly job: number }
  | { readonly kind: 'forget'; readonly spaces: readonly number[]; readonly modules: readonly string[] };

export type FromThread =
  | { readonly kind: 'block'; readonly job: number; readonly block: unknown }
  /** The job touches its present arena no more and wants one of that many bytes. */
  | { readonly kind: 'wants'; readonly job: number; readonly bytes: number }
  /** The job is over and touches nothing any more. */
  | { readonly kind: 'done'; readonly job: number; readonly value: unknown }
  /** Likewise. `failed`: a defect; the thread has forgotten the job's space. */
  | {
      readonly kind: 'failed';
      readonly job: number;
      readonly reason: 'stopped' | 'memory' | 'failed';
      readonly detail: string;
    };

/** The caller's end of a thread. */
export interface ThreadPort {
  post(message: ToThread): void;
  /** A thread that works keeps its process alive, one that waits does not. */
  setBusy(busy: boolean): void;
  /** Ends the thread wherever it is; null where that cannot be done. */
  readonly terminate: (() => Promise<void>) | null;
}

/** What the caller hears from a thread. After `ended` nothing comes any more. */
export interface ThreadListener {
  message(message: FromThread): void;
  ended(reason: string): void;
}

/** The thread's end. */
export interface ServerPort {
  post(message: FromThread, transfer: readonly ArrayBuffer[]): void;
}

/** How many blocks a job may be ahead of its caller. */
export const blocksAhead = 4;
