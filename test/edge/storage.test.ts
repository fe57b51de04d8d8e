// The suite of all stores, run inside an object of the local runtime.

import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import type { SuiteResult } from '../browser/support/vitest-in-page.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

async function suiteModule(): Promise<string> {
  const bundled = await rolldown({
    input: at('test/edge/support/suite-object.ts'),
    platform: 'browser',
    resolve: { alias: { vitest: at('test/browser/support/vitest-in-page.ts') } },
  });
  const { output } = await bundled.generate({ format: 'es' });
  await bundled.close();
  return output[0].code;
}

it.skipIf(workerdPath === null)('the database of an object passes the suite of all stores', async () => {
  const edge = await Workerd.start({ main: await suiteModule() });
  try {
    const results = (await (await fetch(edge.url)).json()) as SuiteResult[];
    expect(results.filter(({ failure }) => failure !== null)).toEqual([
      { name: 'a canary that must fail', failure: expect.stringContaining('expected') },
    ]);
    expect(results.length).toBeGreaterThan(11);
  } finally {
    await edge.stop();
  }
});
