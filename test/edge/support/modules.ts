// Bundles Workers of the tests. Modules of WebAssembly are those of the configuration file.

import { type Plugin, rolldown } from 'rolldown';
import { at } from '../../../scripts/lib/freshness.mjs';
import { withoutLocales } from '../../../scripts/lib/without-locales.mjs';

/** The text of one module. `vitest` is the one that runs in pages. */
export async function workerModule(path: string, plugins: readonly Plugin[] = []): Promise<string> {
  const bundled = await rolldown({
    input: at(path),
    external: /\.wasm$/,
    makeAbsoluteExternalsRelative: false,
    platform: 'browser',
    plugins: [withoutLocales, ...plugins],
    resolve: { alias: { vitest: at('test/browser/support/vitest-in-page.ts') } },
  });
  const { output } = await bundled.generate({ format: 'es', codeSplitting: false });
  await bundled.close();
  return output[0].code;
}

/** Modules of this text in the place of those whose name fits. */
export function standingFor(modules: readonly (readonly [name: RegExp, text: string])[]): Plugin {
  const prefix = '\0stands-for:';
  return {
    name: 'standing-for',
    resolveId: (source) => {
      const place = modules.findIndex(([name]) => name.test(source));
      return place === -1 ? null : prefix + place;
    },
    load: (id) => (id.startsWith(prefix) ? (modules[Number(id.slice(prefix.length))]?.[1] ?? null) : null),
  };
}
