// The shape of a graph in numbers.

import type { Exchange } from '../exchange.ts';
import type { Route } from '../route.ts';
import { embeddingBlock, ingestionBlock, nlpBlock } from './status.ts';

export const statisticsRoutes: readonly Route[] = [
  { method: 'GET', path: '/statistics', scope: 'namespace', rateLimited: true, serve: readStatistics },
];

async function readStatistics(exchange: Exchange): Promise<Response> {
  const startMs = performance.now();
  const { settings, platform } = exchange.service;
  const options = {
    elementBudget: settings['Observability:StatisticsElementBudget'],
    topN: settings['Observability:StatisticsTopN'],
  };
  const { sampleStride, ...shape } = await exchange.graph.runs.statistics(options, exchange.request.signal);
  const { heapUsedBytes, heapTotalBytes } = platform.heap();
  return exchange.value({
    ...shape,
    indices: exchange.graph.indexes.list().map(({ indexId, pluginType, keys, values }) => ({
      name: indexId,
      type: pluginType,
      keys,
      values,
    })),
    memory: {
      processWorkingSetBytes: platform.usedMemoryBytes(),
      gcHeapBytes: heapUsedBytes,
      gcLastHeapSizeBytes: heapTotalBytes,
      gcFragmentedBytes: Math.max(0, heapTotalBytes - heapUsedBytes),
    },
    computedInMs: performance.now() - startMs,
    sampled: sampleStride > 1,
    sampleStride,
    embedding: embeddingBlock(settings),
    ingestion: ingestionBlock(settings),
    nlp: nlpBlock(settings),
  });
}
