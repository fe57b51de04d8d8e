// What status, statistics and configuration show of the service, as schemas (contract part 3; reference 15).

import { z } from 'zod';
import { count } from '../shapes.ts';

const residency = { loaded: z.boolean(), resident: z.boolean().nullable(), gpu: z.boolean().nullable() };

export const embeddingShape = z
  .object({
    enabled: z.boolean(),
    backend: z.string(),
    modelName: z.string(),
    modelVersion: z.string(),
    dimension: count,
    intendedMetric: z.string(),
    ...residency,
  })
  .meta({ id: 'EmbeddingStatus' });

export const chatShape = z
  .object({
    enabled: z.boolean(),
    backend: z.string(),
    model: z.string().nullable(),
    agentModel: z.string().nullable(),
    ...residency,
  })
  .meta({ id: 'ChatStatus' });

export const nlpShape = z
  .object({ enabled: z.boolean(), configured: z.boolean(), reachable: z.boolean() })
  .meta({ id: 'NlpStatus' });

export const ingestionShape = z
  .object({
    enabled: z.boolean(),
    textFormats: z.array(z.string()),
    binaryFormats: z.array(z.string()),
    docling: z.object({ configured: z.boolean(), reachable: z.boolean() }),
    limits: z.object({
      maxUploadBytes: count,
      maxPages: count,
      maxChunksPerDocument: count,
      maxChunksPerNamespace: count,
      maxLinksPerChunk: count,
    }),
    embeddingName: z.string(),
    vectorIndexId: z.string().nullable(),
    fulltextIndexId: z.string().nullable(),
  })
  .meta({ id: 'IngestionStatus' });

const indexShape = z
  .object({
    indexId: z.string(),
    pluginType: z.string(),
    embeddingName: z.string().nullable(),
    model: z.string().nullable(),
    capabilities: z.array(z.enum(['equality', 'range', 'fulltext', 'vector', 'spatial'])),
    keys: count.nullable(),
    values: count.nullable(),
  })
  .meta({ id: 'IndexStatus' });

const durabilityShape = z
  .object({
    walEnabled: z.boolean(),
    degraded: z.boolean(),
    recoveryRan: z.boolean(),
    lastRecoveryTruncated: z.boolean(),
    lastRecoveryReplayedEntries: count,
    lastCheckpointDroppedIndices: count,
  })
  .meta({ id: 'DurabilityStatus' });

const names = z.array(z.string()).nullable();

/** Bytes of the namespace's own memory; beyond the contract. */
export const memoryShape = z
  .object({
    heldBytes: count.meta({ description: 'All that the namespace holds, free room in it included.' }),
    limitBytes: count.meta({ description: '`Memory:MaxBytesPerNamespace`, or what 32-bit addresses reach.' }),
    elements: count,
    adjacency: count,
    properties: count,
    strings: count,
    indexes: count,
    projections: count.meta({
      description: 'Kept between analytics runs; given up when something else needs the room.',
    }),
    scratch: count,
    system: count,
  })
  .meta({ id: 'MemoryUse' });

export const statusShape = z
  .object({
    usedMemory: count.meta({ description: 'Bytes that the process holds, whatever the namespace.' }),
    namespaceState: z.enum(['ready', 'notLoaded']),
    vertexCount: count.nullable(),
    edgeCount: count.nullable(),
    indices: z.array(indexShape).nullable(),
    availableIndexPlugins: names,
    availablePathPlugins: names,
    availableSubGraphPlugins: names,
    availableAnalyticsPlugins: names,
    availableServicePlugins: names,
    apiKeyRequired: z.boolean(),
    authenticated: z.boolean(),
    embedding: embeddingShape,
    chat: chatShape,
    ingestion: ingestionShape,
    nlp: nlpShape,
    durability: durabilityShape.nullable(),
    namespaceMemory: memoryShape.nullable(),
  })
  .meta({ id: 'Status', description: 'Counts and lists are null while the namespace is not loaded.' });
