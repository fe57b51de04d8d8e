// The route table: every route once, with its scope, who may call it and what serves it. The router, the `/ns/{ns}` twins and the
// answers to wrong methods all come from here.

import type { Route } from './route.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { benchmarkRoutes } from './routes/benchmark.ts';
import { bulkRoutes } from './routes/bulk.ts';
import { capabilityRoutes } from './routes/capabilities.ts';
import { changeFeedRoutes } from './routes/changefeed.ts';
import { chatRoutes } from './routes/chat.ts';
import { configRoutes } from './routes/config.ts';
import { delegateRoutes } from './routes/delegates.ts';
import { documentRoutes } from './routes/documents.ts';
import { elementReadRoutes } from './routes/element-reads.ts';
import { elementWriteRoutes } from './routes/element-writes.ts';
import { embeddingTextRoutes } from './routes/embedding-texts.ts';
import { embeddingRoutes } from './routes/embeddings.ts';
import { graphRoutes } from './routes/graph.ts';
import { indexScanRoutes } from './routes/index-scans.ts';
import { indexRoutes } from './routes/indexes.ts';
import { namespaceRoutes } from './routes/namespaces.ts';
import { packageRoutes } from './routes/packages.ts';
import { pathRoutes } from './routes/paths.ts';
import { pluginRoutes } from './routes/plugins.ts';
import { saveGameRoutes } from './routes/savegames.ts';
import { scanRoutes } from './routes/scans.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { statusRoutes } from './routes/status.ts';
import { storedQueryRoutes } from './routes/stored-queries.ts';
import { subgraphRoutes } from './routes/subgraphs.ts';
import { topologyRoutes } from './routes/topology.ts';
import { traversalRoutes } from './routes/traversal.ts';
import { vectorRoutes } from './routes/vectors.ts';

/** All routes; literal paths stand before patterns that would match them too. */
export const routes: readonly Route[] = [
  ...elementReadRoutes,
  ...elementWriteRoutes,
  ...embeddingRoutes,
  ...embeddingTextRoutes,
  ...traversalRoutes,
  ...topologyRoutes,
  ...scanRoutes,
  ...vectorRoutes,
  ...indexRoutes,
  ...indexScanRoutes,
  ...pathRoutes,
  ...subgraphRoutes,
  ...delegateRoutes,
  ...storedQueryRoutes,
  ...pluginRoutes,
  ...bulkRoutes,
  ...packageRoutes,
  ...changeFeedRoutes,
  ...analyticsRoutes,
  ...statisticsRoutes,
  ...benchmarkRoutes,
  ...graphRoutes,
  ...namespaceRoutes,
  ...saveGameRoutes,
  ...statusRoutes,
  ...configRoutes,
  ...chatRoutes,
  ...documentRoutes,
  ...capabilityRoutes,
];
