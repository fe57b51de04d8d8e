// Compilers where there are no threads: the same pool, whose one "thread" is the caller's own, left between two fragments. Within a fragment
// nothing can end it but the compiler's own limits. The compiler is most of what a page would have to load, and is loaded with the first
// fragment.

import { CompilerPool } from './compiler-pool.ts';
import type { CompilerServer } from './compiler-server.ts';
import type { Compilers, ToCompiler } from './compilers.ts';

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
      const asked: ToCompiler[] = [];
      let server: CompilerServer | null = null;
      const begin = async (): Promise<void> => {
        const module = await import('./compiler-server.ts');
        server = new module.CompilerServer((message) => queueMicrotask(() => listener.message(message)), pause);
        server.begin();
        for (const message of asked) server.receive(message);
      };
      begin().catch((error: unknown) => listener.ended('died', String(error)));
      return {
        post: (message) =>
          queueMicrotask(() => {
            if (server === null) asked.push(message);
            else server.receive(message);
          }),
        setBusy: () => {},
        terminate: null,
      };
    },
  });
}
