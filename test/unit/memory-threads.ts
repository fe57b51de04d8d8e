// Starts and stops the reader threads of the memory tests.

import { Worker } from 'node:worker_threads';
import { type Build, moduleOf } from './memory-module.ts';

export interface Counts {
  bad: number;
  rounds: number;
  absent?: number;
}

export interface Job {
  job: 'blocks' | 'keys';
  /** Address of a word that becomes 1 when the thread shall end. */
  stopAddress: number;
  /** Address of a word that the job keeps its rounds in. */
  roundsAddress: number;
  scratch?: number;
  published?: number;
  words?: number;
}

/** A running reader thread: `counts` settles after it was stopped, or fails with what the thread threw. */
export async function startReader(build: Build, memory: WebAssembly.Memory, job: Job) {
  const worker = new Worker(new URL('./memory-worker.mjs', import.meta.url), {
    workerData: { module: moduleOf(build), memory, ...job },
  });
  let counted: Counts | null = null;
  const counts = new Promise<Counts>((done, fail) => {
    worker.on('error', fail);
    worker.on('message', (message) => {
      if (!message.ready) counted = message;
    });
    worker.on('exit', () => (counted ? done(counted) : fail(new Error('the reader ended without a result'))));
  });
  await new Promise<void>((ready, fail) => {
    worker.once('message', () => ready());
    worker.once('error', fail);
  });
  return { counts };
}
