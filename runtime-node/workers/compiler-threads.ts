// Threads that compile fragments: how one is started and talked to. Which text is compiled when, and for how long, is the pool's business
// (src/queries/fragments/compiler-pool.ts).

import { Worker } from 'node:worker_threads';
import { CompilerPool } from '../../src/queries/fragments/compiler-pool.ts';
import type { CompilerListener, CompilerPort, Compilers, FromCompiler } from '../../src/queries/fragments/compilers.ts';
import type { ThreadData } from './priority.ts';

/** A text that takes long leaves one to the others. */
const mostThreads = 2;
/** What compiling may take, in mebibytes: many times what the longest texts need. */
const heapMebibytes = 512;

export interface CompilerThreadsOptions {
  readonly maxWaiting: number;
  readonly maxMs: number;
  readonly niceness?: number;
  /** The built entry; by default the one beside this module. */
  readonly entry?: URL;
}

export function compilersOnThreads({ maxWaiting, maxMs, niceness = 0, ...options }: CompilerThreadsOptions): Compilers {
  const entry = options.entry ?? new URL('./compiler-worker.js', import.meta.url);
  const spawn = (listener: CompilerListener): CompilerPort => startThread(entry, { niceness }, listener);
  return new CompilerPool({ threads: mostThreads, maxWaiting, maxMs, spawn });
}

function startThread(entry: URL, workerData: ThreadData, listener: CompilerListener): CompilerPort {
  const worker = new Worker(entry, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMebibytes } });
  let why: 'memory' | 'died' = 'died';
  let reason = 'The thread ended by itself';
  worker.unref();
  worker.on('message', (message: FromCompiler) => listener.message(message));
  worker.on('messageerror', (error) => {
    reason = `An answer of the thread could not be read: ${error.message}`;
    void worker.terminate();
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') why = 'memory';
    reason = `The thread died: ${error.message}`;
  });
  worker.on('exit', (code) => listener.ended(why, `${reason} (code ${code}).`));
  return {
    post: (message) => worker.postMessage(message),
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}
