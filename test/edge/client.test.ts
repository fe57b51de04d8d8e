// The typed client inside the local runtime, against an object of the library.

import { expect, it } from 'vitest';
import { workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

it.skipIf(workerdPath === null)('the client imports, asks again, exports, aborts and tells problems', async () => {
  const edge = await Workerd.start({ main: await workerModule('test/edge/support/client-worker.ts') });
  try {
    expect(await (await fetch(edge.url)).json()).toEqual({
      imported: [2, 1],
      count: 2,
      exported: ['meta', 'vertex', 'vertex', 'edge'],
      aborted: 'AbortError',
      counts: 2,
      missing: 'Not Found',
    });
  } finally {
    await edge.stop();
  }
});
