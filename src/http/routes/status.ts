// Discovery and health: cheap answers that pass over no element.

import { z } from 'zod';
import type { MemoryUse } from '../../core/core.ts';
import { binaryFormats, textFormats } from '../../documents/formats.ts';
import { indexPlugins } from '../../engine/indexes/plugins.ts';
import { pathAlgorithms } from '../../engine/plugin-names.ts';
import { noResidency, type Residency } from '../../providers/chat/types.ts';
import { algorithms } from '../../queries/analytics/algorithms.ts';
import { subgraphAlgorithm } from '../../queries/subgraphs/recipe.ts';
import type { Exchange, PreparedService } from '../exchange.ts';
import { type Answer, type Route, route, shows } from '../route.ts';
import { statusShape } from './status-shapes.ts';

const pageBytes = 65_536;

const health = { method: 'GET', scope: 'service', tag: 'Admin', anonymous: true, hidden: true } as const;

export const statusRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/status',
    scope: 'namespace',
    tag: 'Admin',
    anonymous: true,
    servesNotLoaded: true,
    summary: 'What the service and the namespace are and have.',
    answers: { 200: shows('Read in no time: no element is looked at.', statusShape) },
    serve: readStatus,
  }),
  route({
    ...health,
    path: '/healthz',
    summary: 'Whether the service answers.',
    answers: { 200: plain('Healthy.') },
    serve: (exchange) => exchange.text('Healthy'),
  }),
  route({
    ...health,
    path: '/readyz',
    summary: 'Whether what the start loads is loaded.',
    answers: { 200: plain('Healthy.'), 503: plain('Unhealthy.') },
    serve: readReadiness,
  }),
];

function plain(description: string): Answer {
  return { description, schema: z.string(), mediaTypes: ['text/plain'] };
}

function readReadiness(exchange: Exchange): Response {
  return exchange.service.engine.ready ? exchange.text('Healthy') : exchange.text('Unhealthy', 503);
}

/** Members in the contract's order. Without an engine every count and list is null, never 0 or empty. */
async function readStatus(exchange: Exchange): Promise<Response> {
  const { settings, platform } = exchange.service;
  const graph = exchange.loadedGraph;
  const plugins = graph === null ? null : [];
  const [ingestion, nlp] = await Promise.all([ingestionBlock(exchange.service), nlpBlock(exchange.service)]);
  return exchange.value({
    usedMemory: platform.usedMemoryBytes(),
    namespaceState: graph === null ? 'notLoaded' : 'ready',
    vertexCount: graph?.vertexCount ?? null,
    edgeCount: graph?.edgeCount ?? null,
    indices: graph?.indexes.list() ?? null,
    availableIndexPlugins: graph === null ? null : indexPlugins,
    availablePathPlugins: available(exchange, 'Path', pathAlgorithms),
    availableSubGraphPlugins: available(exchange, 'SubGraph', [subgraphAlgorithm]),
    availableAnalyticsPlugins: available(exchange, 'Analytics', [...algorithms.keys()]),
    availableServicePlugins: plugins,
    apiKeyRequired: settings['Security:ApiKey'] !== null,
    authenticated: exchange.authenticated,
    embedding: embeddingBlock(exchange.service),
    chat: chatBlock(exchange.service),
    ingestion,
    nlp,
    durability: graph?.durability ?? null,
    namespaceMemory: graph === null ? null : memoryBlock(graph.memory),
  });
}

/** Bytes, by what they are used for. */
export function memoryBlock({ pages, grownPages: _, limitPages, ...purposes }: MemoryUse) {
  return { heldBytes: pages * pageBytes, limitBytes: limitPages * pageBytes, ...purposes };
}

/** What is built in, and behind it what the namespace has registered. */
function available(
  { loadedGraph: graph, service }: Exchange,
  contract: 'Path' | 'SubGraph' | 'Analytics',
  builtIn: readonly string[],
): readonly string[] | null {
  if (graph === null) return null;
  return [...builtIn, ...service.queries.plugins.advertised(graph, contract).map(({ name }) => name)];
}

export function embeddingBlock({ settings, embedding }: PreparedService): Record<string, unknown> {
  return {
    enabled: embedding.enabled,
    backend: embedding.backendName,
    modelName: settings['Embedding:ModelName'],
    modelVersion: settings['Embedding:ModelVersion'],
    dimension: embedding.dimension,
    intendedMetric: settings['Embedding:IntendedMetric'],
    loaded: embedding.loaded,
    ...noResidency,
  };
}

export function chatBlock({ chat }: PreparedService, residency: Residency = noResidency): Record<string, unknown> {
  return { ...chat.status, ...residency };
}

export async function nlpBlock({ settings, nlpProbe }: PreparedService): Promise<Record<string, unknown>> {
  const enabled = settings['Nlp:Enabled'];
  const endpoint = settings['Nlp:Endpoint'];
  const reachable = enabled && (await nlpProbe.reaches(endpoint));
  return { enabled, configured: endpoint !== null, reachable };
}

export async function ingestionBlock({ settings, doclingProbe }: PreparedService): Promise<Record<string, unknown>> {
  const enabled = settings['Ingestion:Enabled'];
  const endpoint = settings['Ingestion:Docling:Endpoint'];
  const reachable = enabled && (await doclingProbe.reaches(endpoint));
  return {
    enabled,
    textFormats,
    binaryFormats,
    docling: { configured: endpoint !== null, reachable },
    limits: {
      maxUploadBytes: settings['Ingestion:MaxUploadBytes'],
      maxPages: settings['Ingestion:MaxPages'],
      maxChunksPerDocument: settings['Ingestion:MaxChunksPerDocument'],
      maxChunksPerNamespace: settings['Ingestion:MaxChunksPerNamespace'],
      maxLinksPerChunk: settings['Ingestion:MaxLinksPerChunk'],
    },
    embeddingName: settings['Ingestion:EmbeddingName'],
    vectorIndexId: settings['Ingestion:EnsureVectorIndex'] ? settings['Ingestion:VectorIndexId'] : null,
    fulltextIndexId: settings['Ingestion:EnsureFulltextIndex'] ? settings['Ingestion:FulltextIndexId'] : null,
  };
}
