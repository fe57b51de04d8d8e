// Jobs where there are no threads: the same pool, whose "threads" run on the caller's own, in slices, with a core of their own each over
// the same memory. Several jobs take turns. Nothing can end a slice from outside.

import type { CoreBinary } from '../../core/instance.ts';
import type { Slices } from '../../core/slices.ts';
import { JobPool } from './pool.ts';
import { JobServer } from './server.ts';
import { jobKinds } from './table.ts';
import type { AnyJobKind, Jobs } from './types.ts';

/** Jobs that take turns. */
const turns = 8;
const defaultWaiting = 256;

export interface OneThreadOptions {
  readonly binary: CoreBinary;
  /** Resolves in a later turn of the event loop, after input and output that is waiting. */
  readonly pause: () => Promise<void>;
  /** How work between two pauses is measured; missing: by time. */
  readonly slices?: Slices;
  readonly maxWaiting?: number;
  readonly kinds?: readonly AnyJobKind[];
}

export function jobsOnOneThread(options: OneThreadOptions): Jobs {
  const { binary, pause, maxWaiting = defaultWaiting, kinds = jobKinds, slices } = options;
  return new JobPool({
    binary,
    threads: turns,
    parallel: false,
    maxWaiting,
    graceMs: 0,
    spawn: (listener) => {
      const answer = {
        post: (message: Parameters<typeof listener.message>[0]) => later(() => listener.message(message)),
      };
      const server = new JobServer(answer, kinds, pause, slices);
      return { post: (message) => later(() => server.receive(message)), setBusy: () => {}, terminate: null };
    },
  });
}

function later(run: () => void): void {
  queueMicrotask(run);
}
