// What the query routes share: the compilers with their caches, and what fragments may spend.

import type { Settings } from '../config/catalogue.ts';
import { FragmentCompiler } from './fragments/compiler.ts';
import type { FragmentLimits } from './fragments/spending.ts';
import { StoredQueries } from './stored/stored-queries.ts';

const cacheMs = 60_000;
const pathCacheSize = 1024;

export interface Queries {
  readonly pathCompiler: FragmentCompiler;
  readonly stored: StoredQueries;
  readonly limits: FragmentLimits;
}

/** `shared`: whether the graphs' memories are. `now`: milliseconds, monotonic. */
export function createQueries(settings: Settings, shared: boolean, now: () => number): Queries {
  const emits = canCompile();
  const pathCompiler = new FragmentCompiler({ shared, emits, cacheSize: pathCacheSize, cacheMs, now });
  return {
    pathCompiler,
    stored: new StoredQueries(pathCompiler, settings['StoredQueries:MaxCount']),
    limits: { maxFuel: settings['Fragments:MaxFuel'], maxSeconds: settings['Fragments:MaxSeconds'] },
  };
}

/** Some homes forbid modules that did not come with the deployment. */
function canCompile(): boolean {
  try {
    new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
    return true;
  } catch {
    return false;
  }
}
