// The route table: every route once, with its scope, who may call it and what serves it. The router, the `/ns/{ns}` twins and the
// answers to wrong methods all come from here. Elements, namespaces and the status are there from the start; every other chapter is loaded
// with the first request below one of its segments, so a start reads, and a page loads, what its requests need.

import type { Route } from './route.ts';
import { elementReadRoutes } from './routes/element-reads.ts';
import { elementWriteRoutes } from './routes/element-writes.ts';
import { embeddingRoutes } from './routes/embeddings.ts';
import { namespaceRoutes } from './routes/namespaces.ts';
import { statusRoutes } from './routes/status.ts';
import { traversalRoutes } from './routes/traversal.ts';

/** Routes of paths whose first segment is one of `heads`; no other route begins with one of those. */
export interface LaterRoutes {
  readonly heads: readonly string[];
  load(): Promise<readonly Route[]>;
}

/** Literal paths stand before patterns that would match them too. */
export const routesAtOnce: readonly Route[] = [
  ...elementReadRoutes,
  ...elementWriteRoutes,
  ...embeddingRoutes,
  ...traversalRoutes,
  ...namespaceRoutes,
  ...statusRoutes,
];

export const laterRoutes: readonly LaterRoutes[] = [
  {
    heads: ['/embedding'],
    load: async () => (await import('./routes/embedding-texts.ts')).embeddingTextRoutes,
  },
  { heads: ['/topology'], load: async () => (await import('./routes/topology.ts')).topologyRoutes },
  {
    heads: ['/scan', '/index'],
    load: async () => {
      const [{ scanRoutes }, { vectorRoutes }, { indexRoutes }, { indexScanRoutes }] = await Promise.all([
        import('./routes/scans.ts'),
        import('./routes/vectors.ts'),
        import('./routes/indexes.ts'),
        import('./routes/index-scans.ts'),
      ]);
      return [...scanRoutes, ...vectorRoutes, ...indexRoutes, ...indexScanRoutes];
    },
  },
  { heads: ['/path'], load: async () => (await import('./routes/paths.ts')).pathRoutes },
  { heads: ['/subgraph'], load: async () => (await import('./routes/subgraphs.ts')).subgraphRoutes },
  { heads: ['/delegates'], load: async () => (await import('./routes/delegates.ts')).delegateRoutes },
  { heads: ['/storedquery'], load: async () => (await import('./routes/stored-queries.ts')).storedQueryRoutes },
  { heads: ['/plugins'], load: async () => (await import('./routes/plugins.ts')).pluginRoutes },
  { heads: ['/bulk'], load: async () => (await import('./routes/bulk.ts')).bulkRoutes },
  { heads: ['/package'], load: async () => (await import('./routes/packages.ts')).packageRoutes },
  {
    heads: ['/hash', '/log', '/cluster'],
    load: async () => (await import('./routes/replication.ts')).replicationRoutes,
  },
  { heads: ['/changefeed'], load: async () => (await import('./routes/changefeed.ts')).changeFeedRoutes },
  { heads: ['/analytics'], load: async () => (await import('./routes/analytics.ts')).analyticsRoutes },
  { heads: ['/statistics'], load: async () => (await import('./routes/statistics.ts')).statisticsRoutes },
  { heads: ['/generate', '/benchmark'], load: async () => (await import('./routes/benchmark.ts')).benchmarkRoutes },
  {
    heads: ['/tabularasa', '/trim', '/unittest'],
    load: async () => (await import('./routes/graph.ts')).graphRoutes,
  },
  {
    heads: ['/savegames', '/save', '/load'],
    load: async () => (await import('./routes/savegames.ts')).saveGameRoutes,
  },
  { heads: ['/config'], load: async () => (await import('./routes/config.ts')).configRoutes },
  { heads: ['/chat'], load: async () => (await import('./routes/chat.ts')).chatRoutes },
  { heads: ['/document'], load: async () => (await import('./routes/documents.ts')).documentRoutes },
  {
    heads: ['/integrations', '/service'],
    load: async () => (await import('./routes/capabilities.ts')).capabilityRoutes,
  },
];

/** The whole table. */
export async function allRoutes(): Promise<readonly Route[]> {
  return [...routesAtOnce, ...(await Promise.all(laterRoutes.map((one) => one.load()))).flat()];
}
