// Writing the partition files of a checkpoint as a job: reads a graph block by block and writes the files itself. It holds back retired
// memory for one block at a time only. A block during which the writer took something back is read again.

import * as zlib from 'node:zlib';
import { type Block, writeBlock } from '../../src/core/checkpoint.ts';
import { CoreMemoryExhausted } from '../../src/core/memory-exhausted.ts';
import type { CoreReader } from '../../src/core/reader.ts';
import { ScanGate } from '../../src/engine/checkpoint/gate.ts';
import { type ScanPlan, type ScanResult, scanPartitions } from '../../src/engine/checkpoint/scan.ts';
import type { JobControl, JobKind } from '../../src/engine/jobs/types.ts';
import { crc32With, type NativeCrc32 } from '../../src/engine/log/crc32.ts';
import { FileCheckpointStore } from '../storage/checkpoint-store.ts';

export interface CheckpointJobRequest {
  readonly plan: ScanPlan;
  /** The buffer of the scan's gate. */
  readonly gate: SharedArrayBuffer;
  /** Of the checkpoint store that the job writes to. */
  readonly directory: string;
}

const arenaBytes = 4 * 1024 * 1024;
/** Room beyond what a block said it needs, so that one that grows meanwhile need not ask again. */
const arenaMarginBytes = 1024 * 1024;
/** Checkpoints wait for their disk more than for a processor, but the disk is one. */
const mostAtOnce = 4;
/** How often a block is read again before the writer has to stand still for it. */
const triesPerBlock = 200;

const crc32 = crc32With((zlib as unknown as { crc32?: NativeCrc32 }).crc32);

export const checkpointJob: JobKind<CheckpointJobRequest, ScanResult> = {
  name: 'checkpoint',
  isLong: true,
  atOnce: mostAtOnce,
  arenaBytes,
  run: (reader, { plan, gate, directory }, control) => {
    const quiet = new ScanGate({ buffer: gate });
    let seen = quiet.transactions;
    const isBeside = (): boolean => {
      const before = seen;
      seen = quiet.transactions;
      return seen !== before;
    };
    const store = new FileCheckpointStore({ directory, isBeside });
    return scanPartitions(plan, store, crc32, (from, to) => nextBlock(reader, control, quiet, plan.graph, from, to));
  },
};

async function nextBlock(
  reader: CoreReader,
  control: JobControl,
  gate: ScanGate,
  graph: number,
  from: number,
  to: number,
): Promise<Block | 'replaced' | 'unsettled'> {
  for (let tries = 0; tries < triesPerBlock; tries++) {
    if (gate.isStopped || gate.isReplaced) return 'replaced';
    await control.slice();
    const undone = gate.undone;
    const block = reader.announced(() => writeBlock(reader.instance, graph, from, to));
    if (typeof block === 'number') {
      const neededBytes = reader.instance.exports.arenaNeed() >>> 0;
      if (!(await widened(control, neededBytes + arenaMarginBytes))) return 'unsettled';
      continue;
    }
    gate.settle();
    if (gate.undone === undone) return gate.isReplaced ? 'replaced' : block;
  }
  return 'unsettled';
}

async function widened(control: JobControl, bytes: number): Promise<boolean> {
  try {
    await control.widen(bytes);
    return true;
  } catch (error) {
    if (error instanceof CoreMemoryExhausted) return false;
    throw error;
  }
}
