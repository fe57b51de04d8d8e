// Writing the elements of a graph to partition files, block by block. The same code runs in a thread of its own and, in slices, on the
// writer's; they differ in where a block comes from.

import { type Block, writeBlock } from '../../core/checkpoint.ts';
import type { Core } from '../../core/core.ts';
import type { CheckpointStore } from '../../storage/types.ts';
import type { Crc32 } from '../log/crc32.ts';
import { checksumOfHeader, elementsKind, encodeFileHeader, sealBlock } from './format.ts';
import type { ScanGate } from './gate.ts';

/** A partition has at least this many ids: small graphs take one file. */
const smallestPartitionIds = 65_536;

export interface ScanPlan {
  readonly graph: number;
  /** All ids below this are scanned. */
  readonly ids: number;
  /** Primary name of the checkpoint. */
  readonly name: string;
  readonly saveId: string;
  readonly partitions: number;
}

export interface ScannedFile {
  readonly suffix: string;
  readonly bytes: number;
  readonly checksum: number;
}

/** `replaced`: the ids changed their meaning meanwhile. `unsettled`: no quiet moment was found, or no memory for a reader. */
export type ScanResult = readonly ScannedFile[] | 'replaced' | 'unsettled';

export interface ScanJob extends ScanPlan {
  readonly core: Core;
  readonly store: CheckpointStore;
  readonly gate: ScanGate;
  readonly crc32: Crc32;
  readonly pause: () => Promise<void>;
}

/** Scans a graph that goes on changing. Rejects with the store's error. Unless it answers files, some that it has written may be left. */
export interface PartitionScanner {
  /** The gate is looked at from another thread. */
  readonly threaded: boolean;
  scan(job: ScanJob): Promise<ScanResult>;
}

/** What the names of partition files go on with behind the checkpoint's, before their number. */
export const elementsPrefix = '_elements_';

function partitionSuffix(partition: number): string {
  return elementsPrefix + partition;
}

/** First ids of the partitions, and the end. */
function partitionBounds({ ids, partitions }: ScanPlan): number[] {
  const count = Math.max(ids === 0 ? 0 : 1, Math.min(partitions, Math.floor(ids / smallestPartitionIds)));
  return Array.from({ length: count + 1 }, (_, i) => (count === 0 ? 0 : Math.floor((ids * i) / count)));
}

/** Answers the next block, or why there is none. */
export type NextBlock = (from: number, to: number) => Promise<Block | 'replaced' | 'unsettled'>;

/** All partitions, one after the other. */
export async function scanPartitions(
  plan: ScanPlan,
  store: CheckpointStore,
  crc32: Crc32,
  next: NextBlock,
): Promise<ScanResult> {
  const bounds = partitionBounds(plan);
  const files: ScannedFile[] = [];
  for (let partition = 0; partition + 1 < bounds.length; partition++) {
    const suffix = partitionSuffix(partition);
    const file = await store.create(plan.name + suffix);
    let finished = false;
    // One block is written while the next one is read.
    let writing: Promise<void> = Promise.resolve();
    try {
      const header = encodeFileHeader(elementsKind, plan.saveId, partition, crc32);
      let checksum = checksumOfHeader(header);
      let bytes = header.length;
      await file.append(header);
      const end = bounds[partition + 1] as number;
      for (let from = bounds[partition] as number; from < end; ) {
        const block = await next(from, end);
        await writing;
        if (typeof block === 'string') return block;
        checksum = sealBlock(block.bytes, checksum, crc32);
        bytes += block.bytes.length;
        writing = file.append(block.bytes);
        writing.catch(() => {}); // awaited before the next one
        from = block.next;
      }
      await writing;
      await file.finish();
      finished = true;
      files.push({ suffix, bytes, checksum });
    } finally {
      await writing.catch(() => {}); // reported already
      if (!finished) await file.abandon();
    }
  }
  return files;
}

/** Slices on the writer's own thread: nothing is ever half applied between them. */
export const slicingScanner: PartitionScanner = {
  threaded: false,
  scan(job) {
    return scanPartitions(job, job.store, job.crc32, async (from, to) => {
      await job.pause();
      if (job.gate.isStopped || job.gate.isReplaced) return 'replaced';
      const { instance } = job.core;
      const block = instance.lending(() => writeBlock(instance, job.graph, from, to));
      return typeof block === 'number' ? 'unsettled' : block;
    });
  },
};

/** All blocks at once, before anything else can happen; they wait in memory for their files. Null when they do not fit. */
export function scanAtOnce(job: ScanJob): Promise<ScanResult> | null {
  const bounds = partitionBounds(job);
  const blocks = new Map<number, Block>();
  for (let partition = 0; partition + 1 < bounds.length; partition++) {
    const end = bounds[partition + 1] as number;
    for (let from = bounds[partition] as number; from < end; ) {
      const { instance } = job.core;
      const block = instance.lending(() => writeBlock(instance, job.graph, from, end));
      if (typeof block === 'number') return null;
      blocks.set(from, block);
      from = block.next;
    }
  }
  return scanPartitions(job, job.store, job.crc32, async (from) => blocks.get(from) as Block);
}
