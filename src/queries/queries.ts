// What the query routes share: the compilers with their caches, and what fragments may spend.

import type { Settings } from '../config/catalogue.ts';
import type { GraphEngine } from '../engine/types.ts';
import { FragmentCompiler } from './fragments/compiler.ts';
import type { FragmentLimits } from './fragments/spending.ts';
import { StoredQueries } from './stored/stored-queries.ts';
import { SubgraphRegistry, type SubgraphTools } from './subgraphs/registry.ts';

const cacheMs = 60_000;
const pathCacheSize = 1024;
const subgraphCacheSize = 256;

export interface Queries {
  readonly pathCompiler: FragmentCompiler;
  readonly stored: StoredQueries;
  readonly limits: FragmentLimits;
  /** The subgraphs of a namespace, by its graph. */
  subgraphs(graph: GraphEngine): SubgraphRegistry;
}

/**
 * `shared`: whether the graphs' memories are. `now`: milliseconds, monotonic. `report`: for the log, a subgraph that could not be built
 * again.
 */
export function createQueries(
  settings: Settings,
  shared: boolean,
  now: () => number,
  report: (message: string) => void = () => {},
): Queries {
  const emits = canCompile();
  const compiler = (cacheSize: number) => new FragmentCompiler({ shared, emits, cacheSize, cacheMs, now });
  const limits = { maxFuel: settings['Fragments:MaxFuel'], maxSeconds: settings['Fragments:MaxSeconds'] };
  const tools: SubgraphTools = {
    compiler: compiler(subgraphCacheSize),
    limits,
    matchLimits: { maxArcs: settings['Subgraphs:MaxMatchSteps'], maxBytes: settings['Subgraphs:MaxMatchBytes'] },
    quotas: {
      maxSubgraphs: settings['Subgraphs:MaxCount'],
      maxElements: settings['Subgraphs:MaxElements'],
      maxTotalElements: settings['Subgraphs:MaxTotalElements'],
    },
    report,
  };
  const registries = new WeakMap<GraphEngine, SubgraphRegistry>();
  const pathCompiler = compiler(pathCacheSize);
  return {
    pathCompiler,
    stored: new StoredQueries(pathCompiler, settings['StoredQueries:MaxCount']),
    limits,
    subgraphs(graph) {
      let registry = registries.get(graph);
      if (registry === undefined) {
        registry = new SubgraphRegistry(graph, tools);
        registries.set(graph, registry);
      }
      return registry;
    },
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
