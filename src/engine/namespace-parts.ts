// What an engine of one namespace is made of, and who holds it.

import type { Core } from '../core/core.ts';
import type { WriteOperation } from '../core/requests.ts';
import type { Slices } from '../core/slices.ts';
import type { EngineTelemetry } from '../telemetry/telemetry.ts';
import type { PartitionScanner } from './checkpoint/scan.ts';
import type { Documents } from './documents.ts';
import type { ChangeFeed } from './feed/feed.ts';
import type { JobSpace } from './jobs/types.ts';
import type { Crc32 } from './log/crc32.ts';
import type { RecoveryStatus } from './log/recovery.ts';
import type { SegmentedLog } from './log/segments.ts';
import type { Clock } from './logger.ts';
import type { FrameTail } from './replication/tail.ts';
import type { DurabilityStatus, RunSet, WriteOutcome } from './types.ts';

export interface NamespaceParts {
  readonly id: string;
  readonly core: Core;
  readonly graph: number;
  readonly documents: Documents;
  /** Null in volatile mode. */
  readonly log: SegmentedLog | null;
  /** Of those who follow the log; null: nobody may. */
  readonly tail: FrameTail | null;
  /** Whether it changes by another's log alone. */
  readonly isReplica: boolean;
  readonly recovery: RecoveryStatus;
  readonly clock: Clock;
  /** Resolves in a later turn of the event loop, after input and output that is waiting. */
  readonly pause: () => Promise<void>;
  /** Missing: by time. */
  readonly slices?: Slices;
  readonly scanner: PartitionScanner;
  readonly crc32: Crc32;
  /** Over this core; ended with the engine. */
  readonly jobs: JobSpace;
  /** Whether index transactions go to the log. */
  readonly logIndexes: boolean;
  /** Indexes that the checkpoint holds and this version could not make again. */
  readonly droppedIndexes: number;
  /** Name of the checkpoint whose state this is, to the last commit; null when something came after it, or there is none. */
  readonly savedAs: string | null;
  /** Of projections that are kept between analytics runs; missing: half a GiB. */
  readonly projectionBytes?: number;
  /** Of the namespace; a replacement takes the same. */
  readonly telemetry: EngineTelemetry;
}

export function durabilityOf({ droppedIndexes, log, recovery }: NamespaceParts): DurabilityStatus {
  return {
    walEnabled: log !== null,
    degraded: log?.degraded ?? false,
    recoveryRan: recovery.ran,
    lastRecoveryTruncated: recovery.truncated,
    lastRecoveryReplayedEntries: recovery.replayedEntries,
    lastCheckpointDroppedIndices: droppedIndexes,
  };
}

/** Who holds this engine for its callers, and may put another one in its place. */
export interface EngineFront {
  readonly changeFeed: ChangeFeed;
  /** As `GraphEngine.write`, for a transaction that must also reach the graph that takes over. */
  readonly write: (operations: readonly WriteOperation[]) => WriteOutcome;
  /** As `RunHost.settled`. */
  readonly settled: () => Promise<RunSet> | null;
}
