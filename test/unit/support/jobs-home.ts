// Cores and threads for the tests of jobs.

import { readFileSync } from 'node:fs';
import { jobsOnThreads, startThread } from '../../../runtime-node/workers/job-threads.ts';
import { Core } from '../../../src/core/core.ts';
import type { CoreBinary } from '../../../src/core/instance.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import { ArenaTooSmall } from '../../../src/core/reader.ts';
import type { ThreadListener, ThreadPort } from '../../../src/engine/jobs/messages.ts';
import { jobsOnOneThread } from '../../../src/engine/jobs/one-thread.ts';
import type { Pace } from '../../../src/engine/jobs/pace.ts';
import type { AnyJobKind, JobFailure, JobOutcome, Jobs } from '../../../src/engine/jobs/types.ts';
import * as untyped from './jobs-kinds.mjs';

untyped.useArenaTooSmall(ArenaTooSmall);
export const kinds = untyped.kinds as unknown as Readonly<Record<keyof typeof untyped.kinds, AnyJobKind>>;

const folder = new URL('../../../dist/wasm/', import.meta.url);

/** The core with the kernels of the tests beside it. */
export const binary = binaryOf('test/jobs.wasm', true);
const plainBinary = binaryOf('core.plain.wasm', false);

function binaryOf(path: string, shared: boolean): CoreBinary {
  return { module: new WebAssembly.Module(readFileSync(new URL(path, folder))), shared };
}

const memories = new MemoryPool(binary);
const plainMemories = new MemoryPool(plainBinary);

export function newCore(limitBytes = 2 ** 28): Core {
  return new Core(binary, memories, limitBytes);
}

export function newPlainCore(): Core {
  return new Core(plainBinary, plainMemories, 2 ** 28);
}

const entry = new URL('../jobs-worker.mjs', import.meta.url);

export function threads(count: number, options: { graceMs?: number; maxWaiting?: number; pace?: Pace } = {}): Jobs {
  return jobsOnThreads({ binary, threads: count, entry, ...options });
}

export function startJobThread(listener: ThreadListener): ThreadPort {
  return startThread(entry, undefined, listener);
}

export function oneThread(): Jobs {
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return jobsOnOneThread({ binary: plainBinary, pause, kinds: Object.values(kinds) });
}

/** A signal that is aborted as soon as the job has emitted its first block. */
export function cancelledOnceBegun(): { signal: AbortSignal; onBlock: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, onBlock: () => controller.abort() };
}

export function reasonOf(outcome: JobOutcome<unknown>): JobFailure | 'ok' {
  return outcome.ok ? 'ok' : outcome.reason;
}

/** Reader slots that are taken, and epochs that are announced. */
export function slotsOf(core: Core): { taken: number; announced: number } {
  const { exports, words } = core.instance;
  let taken = 0;
  let announced = 0;
  for (let slot = 0; slot < exports.layoutWord(3); slot++) {
    const at = ((exports.readerStopAddress(slot) >>> 0) - 4) >>> 2;
    if (words[at] !== 0) announced++;
    if (words[at + 3] !== 0) taken++;
  }
  return { taken, announced };
}
