// Threads for jobs, started before anybody waits for them: one after the other, whenever the main thread has had little to do for a while.
// A thread takes some 150 ms of a processor to start, most of it for its modules, and the first long read would wait for it.
//
// Measured (first runs on WordNet a second and a half after the start, 2 × Xeon 2.6 GHz beside other work, medians of 3, 6d30252 → b9b3bb3):
// PAGERANK 732 → 264 ms, WCC 315 → 108 ms. In a quieter hour PAGERANK took 303 ms before. `npm run bench -- cold` says where the time of a
// first run goes.

import { performance } from 'node:perf_hooks';
import type { Jobs } from '../../src/engine/jobs/types.ts';

/** How long the main thread must have had little to do. */
const restMs = 250;
/** Part of that time it may have worked. */
const mostBusy = 0.5;

/** How busy the main thread was since the last call, 0 to 1. */
type Busyness = () => number;

function busyness(): Busyness {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Until all are there. Answers what ends it; it keeps no process alive. */
export function startAheadAtRest(
  jobs: Pick<Jobs, 'startAhead'>,
  everyMs = restMs,
  busy: Busyness = busyness(),
): () => void {
  const timer = setInterval(() => {
    if (busy() <= mostBusy && !jobs.startAhead()) clearInterval(timer);
  }, everyMs).unref();
  return () => clearInterval(timer);
}
