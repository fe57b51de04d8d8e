// How much of the machine the threads that answer requests want at this moment, and so what is left to those that compute for long:
// by the share of its time that the main thread was not waiting for anything to do. One that wants to run and gets no processor is not
// waiting either, so a machine that is short of processors shows.

import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Pace } from '../../src/engine/jobs/pace.ts';

/** What goes with a busy main thread: itself, the thread that writes the log, and the clients of a machine of its own size. */
const processorsOfRequests = 1.5;
const leastShare = 25;
/** Rests shorter than what they cost are none. */
const almostAll = 95;

/** @testonly Per cent of their time that so many threads may work beside a main thread that is busy for `busy` (0 to 1) of its time. */
export function shareBeside(processors: number, threads: number, busy: number): number {
  const share = Math.floor((100 * (processors - processorsOfRequests * busy)) / Math.max(1, threads));
  return share >= almostAll ? 100 : Math.max(leastShare, share);
}

type Utilization = (typeof performance)['eventLoopUtilization'];

/** To be made, and asked, on the main thread. */
export function paceBesideRequests(
  processors = availableParallelism(),
  utilizationOf: Utilization = performance.eventLoopUtilization,
): Pace {
  let before = utilizationOf();
  let busy = 0;
  return {
    everyMs: 20,
    shareOf: (threads) => {
      const now = utilizationOf();
      busy = (busy + utilizationOf(now, before).utilization) / 2;
      before = now;
      return shareBeside(processors, threads, busy);
    },
  };
}
