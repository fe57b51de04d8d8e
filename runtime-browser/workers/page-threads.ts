// The threads of a page that is isolated from other origins, which alone may share memory between its workers: those for long reads, and
// those that compile fragments. They start when there is work for them. For a core of shared memory.

import type { Settings } from '../../src/config/catalogue.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import type { FromThread, ToThread } from '../../src/engine/jobs/messages.ts';
import { JobPool } from '../../src/engine/jobs/pool.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { CompilerPool } from '../../src/queries/fragments/compiler-pool.ts';
import type { FromCompiler, ToCompiler } from '../../src/queries/fragments/compilers.ts';
import { compileLimits } from '../../src/queries/queries.ts';
import type { ServiceThreads } from '../../src/service.ts';
import { startWebThread } from './web-thread.ts';

/** How long a job may take to notice that it was told to stop. */
const graceMs = 250;
/** A text that takes long leaves one to the others. */
const mostCompilers = 2;

export function pageThreads(settings: Settings, binary: CoreBinary, logger: Logger): ServiceThreads {
  const jobs = new JobPool({
    ...{ binary, graceMs, logger, parallel: true },
    threads: settings['Jobs:Threads'] || Math.max(2, navigator.hardwareConcurrency),
    maxWaiting: settings['Jobs:MaxWaiting'],
    spawn: (listener) => {
      const thread = startWebThread<ToThread, FromThread>(jobWorker(), listener);
      return { ...thread, setBusy: () => {} };
    },
  });
  const compilers = new CompilerPool({
    ...{ ...compileLimits(settings), threads: mostCompilers },
    spawn: (listener) => {
      const thread = startWebThread<ToCompiler, FromCompiler>(compilerWorker(), {
        message: (message) => listener.message(message),
        ended: (reason) => listener.ended('died', reason),
      });
      return { ...thread, setBusy: () => {} };
    },
  });
  return { jobs, compilers };
}

// Bundlers find the modules by this form, written out; one of them wants options without a variable.
function jobWorker(): Worker {
  return new Worker(new URL('./job-worker.js', import.meta.url), { type: 'module', name: 'arcwise-job' });
}

function compilerWorker(): Worker {
  return new Worker(new URL('./compiler-worker.js', import.meta.url), { type: 'module', name: 'arcwise-compiler' });
}
