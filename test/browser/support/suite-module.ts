// The suite that every store passes, as a module for a worker of a page.

import { rolldown } from 'rolldown';
import { at } from '../../../scripts/lib/freshness.mjs';

export async function suiteModule(): Promise<string> {
  const bundled = await rolldown({
    input: at('test/browser/support/suite-worker.ts'),
    platform: 'browser',
    resolve: { alias: { vitest: at('test/browser/support/vitest-in-page.ts') } },
  });
  const { output } = await bundled.generate({ format: 'es' });
  await bundled.close();
  return output[0].code;
}
