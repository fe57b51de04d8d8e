// The suite of all stores, run inside an object of the local runtime.

import { expect, it } from 'vitest';
import type { SuiteResult } from '../browser/support/vitest-in-page.ts';
import { workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

it.skipIf(workerdPath === null)('the database of an object passes the suites of all stores', async () => {
  const edge = await Workerd.start({ main: await workerModule('test/edge/support/suite-object.ts') });
  try {
    const results = (await (await fetch(edge.url)).json()) as SuiteResult[];
    expect(results.filter(({ failure }) => failure !== null)).toEqual([
      { name: 'a canary that must fail', failure: expect.stringContaining('expected') },
    ]);
    expect(results.length).toBeGreaterThan(16);
  } finally {
    await edge.stop();
  }
});
