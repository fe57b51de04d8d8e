// Compilers where there are no threads: the same pool, whose one "thread" is the caller's own, left between two fragments. Within a fragment
// nothing can end it but the compiler's own limits.

import { CompilerPool } from './compiler-pool.ts';
import { CompilerServer } from './compiler-server.ts';
import type { Compilers } from './compilers.ts';

export interface CompilersHereOptions {
  readonly maxWaiting: number;
  readonly maxMs: number;
  /** Resolves in a later turn of the event loop, after input and output that is waiting; missing: a timer's. */
  readonly pause?: () => Promise<void>;
}

const pauseByTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export function compilersHere({ maxWaiting, maxMs, pause = pauseByTimer }: CompilersHereOptions): Compilers {
  return new CompilerPool({
    threads: 1,
    maxWaiting,
    maxMs,
    spawn: (listener) => {
      const server = new CompilerServer((message) => queueMicrotask(() => listener.message(message)), pause);
      server.begin();
      return {
        post: (message) => queueMicrotask(() => server.receive(message)),
        setBusy: () => {},
        terminate: null,
      };
    },
  });
}
