// Worker threads for jobs: how one is started and talked to. When they start, what they run and when they end is the pool's business
// (src/engine/jobs/pool.ts).

import { Worker } from 'node:worker_threads';
import type { CoreBinary } from '../../src/core/instance.ts';
import type { FromThread, ThreadListener, ThreadPort } from '../../src/engine/jobs/messages.ts';
import type { Pace } from '../../src/engine/jobs/pace.ts';
import { JobPool } from '../../src/engine/jobs/pool.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import type { Logger } from '../../src/engine/logger.ts';

const defaultGraceMs = 250;
const defaultWaiting = 256;

export interface JobThreadsOptions {
  /** The binary of the cores whose graphs are read; their memory must be shared. */
  readonly binary: CoreBinary;
  readonly threads: number;
  readonly maxWaiting?: number;
  readonly graceMs?: number;
  readonly pace?: Pace;
  /** Told when no thread can be started; missing: nobody is. */
  readonly logger?: Logger;
  /** The built entry; by default the one beside this module. */
  readonly entry?: URL;
  /** What the entry finds as its `workerData`. */
  readonly entryData?: unknown;
}

export function jobsOnThreads(options: JobThreadsOptions): Jobs {
  const { binary, threads, maxWaiting = defaultWaiting, graceMs = defaultGraceMs } = options;
  const entry = options.entry ?? new URL('./job-worker.js', import.meta.url);
  return new JobPool({
    binary,
    threads,
    parallel: true,
    maxWaiting,
    graceMs,
    spawn: (listener) => startThread(entry, options.entryData, listener),
    ...(options.pace === undefined ? {} : { pace: options.pace }),
    ...(options.logger === undefined ? {} : { logger: options.logger }),
  });
}

/** @testonly Throws when the system has no thread left. */
export function startThread(entry: URL, workerData: unknown, listener: ThreadListener): ThreadPort {
  const worker = new Worker(entry, { workerData });
  let reason = 'The thread ended by itself';
  worker.unref();
  worker.on('message', (message: FromThread) => listener.message(message));
  worker.on('messageerror', (error) => {
    reason = `An answer of the thread could not be read: ${error.message}`;
    void worker.terminate();
  });
  worker.on('error', (error: Error) => {
    reason = `The thread died: ${error.message}`;
  });
  worker.on('exit', (code) => listener.ended(`${reason} (code ${code}).`));
  return {
    post: (message) => worker.postMessage(message),
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}
