// What the query routes share: the compilers with their caches, and what fragments may spend.

import type { Settings } from '../config/catalogue.ts';
import { canCompile } from '../core/compile-module.ts';
import { hasMachine } from '../core/machine.ts';
import type { GraphEngine } from '../engine/types.ts';
import { silent, type Telemetry } from '../telemetry/telemetry.ts';
import { RunSlots } from './analytics/slots.ts';
import { FragmentCompiler } from './fragments/compiler.ts';
import { compilersHere } from './fragments/compiler-here.ts';
import type { Compilers } from './fragments/compilers.ts';
import type { FragmentLimits } from './fragments/spending.ts';
import { PluginCompiler } from './plugins/compiler.ts';
import { Plugins, type PluginTerms } from './plugins/plugins.ts';
import type { PluginLog } from './plugins/writer-channel.ts';
import { StoredQueries } from './stored/stored-queries.ts';
import { SubgraphRegistry, type SubgraphTools } from './subgraphs/registry.ts';

const cacheMs = 60_000;
const pathCacheSize = 1024;
const subgraphCacheSize = 256;

export interface Queries {
  readonly pathCompiler: FragmentCompiler;
  readonly stored: StoredQueries;
  readonly limits: FragmentLimits;
  readonly plugins: Plugins;
  readonly pluginLimits: PluginTerms;
  /** Of the whole service. */
  readonly runSlots: RunSlots;
  /** The subgraphs of a namespace, by its graph. */
  subgraphs(graph: GraphEngine): SubgraphRegistry;
}

export interface QueriesHome {
  /** Whether the graphs' memories are shared. */
  readonly shared: boolean;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** For the log: a subgraph that could not be built again. */
  readonly report?: (message: string) => void;
  /** Missing: plugins speak to nobody. */
  readonly pluginLog?: PluginLog;
  /** Missing: fragments are compiled on the caller's thread. */
  readonly compilers?: Compilers | undefined;
  /** Missing: nothing is recorded. */
  readonly telemetry?: Telemetry | undefined;
}

export function createQueries(settings: Settings, { shared, now, report = () => {}, ...home }: QueriesHome): Queries {
  const emits = canCompile() || (hasMachine() && !shared ? 'programs' : false);
  const maxSeconds = settings['Fragments:MaxCompileSeconds'];
  const bytes = settings['Fragments:CacheMegabytes'] * 2 ** 20;
  const compilers = home.compilers ?? compilersHere(compileLimits(settings));
  const telemetry = home.telemetry ?? silent;
  const compiler = (entries: number, artifact: 'path_traverser' | 'subgraph') =>
    new FragmentCompiler({
      ...{ compilers, shared, emits, maxSeconds, now, telemetry, artifact },
      cache: { entries, bytes, ageMs: cacheMs },
    });
  const { limits, matchLimits, quotas } = limitsOf(settings);
  const runSlots = new RunSlots(settings['Analytics:MaxConcurrentRuns']);
  const pluginLimits = pluginTermsOf(settings, limits, home.pluginLog ?? (() => {}), runSlots);
  const plugins = new Plugins({
    compiler: new PluginCompiler({ compilers, shared, emits, maxSeconds }),
    tryPlugin: async (graph, plugin, caller) => {
      const { callPlugin, trialOf } = await import('./plugins/run-plugin.ts');
      const end = await callPlugin(graph, plugin, pluginLimits, { asksName: true }, { caller });
      return trialOf(end);
    },
    maxCount: () => settings['Plugins:MaxCount'],
    now,
  });
  const tools: SubgraphTools = {
    ...{ compiler: compiler(subgraphCacheSize, 'subgraph'), plugins, pluginTerms: pluginLimits },
    ...{ limits, matchLimits, quotas, report },
  };
  const registries = new WeakMap<GraphEngine, SubgraphRegistry>();
  const pathCompiler = compiler(pathCacheSize, 'path_traverser');
  return {
    plugins,
    pluginLimits,
    runSlots,
    pathCompiler,
    stored: new StoredQueries(pathCompiler, () => settings['StoredQueries:MaxCount'], now),
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

/** What may wait for a compiler, and how long one may take. */
export function compileLimits(settings: Settings): { readonly maxWaiting: number; readonly maxMs: number } {
  return { maxWaiting: settings['Fragments:MaxWaiting'], maxMs: settings['Fragments:MaxCompileSeconds'] * 1000 };
}

/** Each is read when it is needed: a change of these settings counts at once. */
function limitsOf(settings: Settings): Pick<SubgraphTools, 'limits' | 'matchLimits' | 'quotas'> {
  return {
    limits: {
      get maxFuel() {
        return settings['Fragments:MaxFuel'];
      },
      get maxSeconds() {
        return settings['Fragments:MaxSeconds'];
      },
    },
    matchLimits: {
      get maxArcs() {
        return settings['Subgraphs:MaxMatchSteps'];
      },
      get maxBytes() {
        return settings['Subgraphs:MaxMatchBytes'];
      },
    },
    quotas: {
      get maxSubgraphs() {
        return settings['Subgraphs:MaxCount'];
      },
      get maxElements() {
        return settings['Subgraphs:MaxElements'];
      },
      get maxTotalElements() {
        return settings['Subgraphs:MaxTotalElements'];
      },
    },
  };
}

/** Each is read when it is needed. */
function pluginTermsOf(settings: Settings, limits: FragmentLimits, log: PluginLog, slots: RunSlots): PluginTerms {
  return {
    log,
    takeRunSlot: () => slots.take(),
    get maxFuel() {
      return limits.maxFuel;
    },
    get maxSeconds() {
      return settings['Plugins:MaxSeconds'];
    },
    get maxMemoryBytes() {
      return settings['Plugins:MaxMemoryBytes'];
    },
  };
}
