// The shape of a graph in numbers.

import { z } from 'zod';
import type { Exchange } from '../exchange.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';
import { embeddingBlock, ingestionBlock, memoryBlock, nlpBlock } from './status.ts';
import { embeddingShape, ingestionShape, memoryShape, nlpShape } from './status-shapes.ts';

const tally = z.object({ top: z.array(z.object({ name: z.string(), count })), distinctTotal: count }).meta({
  id: 'NameTally',
  description:
    'The most frequent names, of long ones the first 1,000 characters and an ellipsis, and how many there are.',
});
const spread = z
  .object({ min: count, max: count, mean: z.number(), p50: count, p90: count, p99: count })
  .meta({ id: 'DegreeSpread' });

const statistics = z
  .object({
    vertexCount: count,
    edgeCount: count,
    vertexLabels: tally,
    edgeLabels: tally,
    propertyKeys: tally,
    inDegree: spread,
    outDegree: spread,
    totalDegree: spread,
    indices: z.array(
      z.object({ name: z.string(), type: z.string(), keys: count.nullable(), values: count.nullable() }),
    ),
    memory: z.object({
      processWorkingSetBytes: count,
      gcHeapBytes: count,
      gcLastHeapSizeBytes: count,
      gcFragmentedBytes: count,
    }),
    computedInMs: z.number(),
    sampled: z.boolean(),
    sampleStride: count,
    embedding: embeddingShape,
    ingestion: ingestionShape,
    nlp: nlpShape,
    namespaceMemory: memoryShape,
  })
  .meta({ id: 'Statistics', description: 'Exact, or of a sample of every sampleStride-th element.' });

export const statisticsRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/statistics',
    scope: 'namespace',
    tag: 'Statistics',
    rateLimited: true,
    summary: 'The shape of the graph in numbers.',
    answers: { 200: shows('The numbers.', statistics) },
    serve: readStatistics,
  }),
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
    embedding: embeddingBlock(exchange.service),
    ingestion: await ingestionBlock(exchange.service),
    nlp: await nlpBlock(exchange.service),
    namespaceMemory: memoryBlock(exchange.graph.memory),
  });
}
