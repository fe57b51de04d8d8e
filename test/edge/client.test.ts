// The typed client inside the local runtime, against an object of the library.

import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { withoutLocales } from '../../scripts/lib/without-locales.mjs';
import { Workerd, workerdPath } from './support/workerd.ts';

async function workerModule(): Promise<string> {
  const input = at('test/edge/support/client-worker.ts');
  const bundled = await rolldown({
    input,
    external: /\.wasm$/,
    makeAbsoluteExternalsRelative: false,
    platform: 'browser',
    plugins: [withoutLocales],
  });
  const { output } = await bundled.generate({ format: 'es', codeSplitting: false });
  await bundled.close();
  return output[0].code;
}

it.skipIf(workerdPath === null)('the client imports, asks again, exports, aborts and tells problems', async () => {
  const edge = await Workerd.start({ main: await workerModule() });
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
