// What the document routes take and show, as schemas (reference 20.1 and 20.5).

import { z } from 'zod';
import { id, optionalText, record } from '../schemas.ts';
import { count, elementId } from '../shapes.ts';
import { numbers } from '../vector-bodies.ts';

const text = z.string().nullable();

export const linkBody = record({
  indexIds: z.array(z.string()).max(100),
  maxLinksPerChunk: id.nullable().default(null),
}).meta({ id: 'DocumentLink', description: 'Indexes whose keys the identifiers of chunks are looked up in.' });

export const uploadBody = z
  .object({
    file: z.string().meta({ format: 'binary' }),
    name: z.string().optional(),
    embed: z.boolean().optional(),
    sourceUri: z.string().optional(),
    replaceDocumentId: z.int32().optional(),
    propertiesJson: z.string().optional(),
    linkJson: z.string().optional(),
  })
  .meta({ id: 'DocumentUpload' });

/** Names and values of tags. */
export const tags = z.record(z.string(), z.string());

export const textBody = record({
  name: optionalText.meta({ description: 'Not blank.' }),
  text: optionalText.meta({ description: 'Not blank.' }),
  format: optionalText.meta({ description: 'markdown or plain; missing: markdown.' }),
  embed: z.boolean().default(true),
  properties: tags.nullable().default(null),
  sourceUri: optionalText,
  replaceDocumentId: id.nullable().default(null),
  link: linkBody.nullable().default(null),
}).meta({ id: 'DocumentText' });

export const searchBody = record({
  queryText: optionalText,
  queryVector: numbers,
  mode: optionalText.meta({ description: 'fused, dense or lexical; missing: fused.' }),
  k: id.default(10),
  window: id.default(0),
  groupByDocument: z.boolean().default(false),
}).meta({ id: 'DocumentSearchSpecification' });

export const summaryShape = z
  .object({
    documentId: elementId,
    name: text,
    sourceFormat: text,
    sourceUri: text,
    status: text.meta({ description: 'processing, indexed or failed.' }),
    error: text,
    chunkCount: count,
    pageCount: count.nullable(),
    contentHash: text.meta({ description: 'SHA-256 of the bytes, in lower-case hexadecimal.' }),
    converter: text,
    chunkerConfig: text,
    embeddingModel: text,
    embeddingDimension: count.nullable(),
    embedded: z.boolean(),
    embeddingModelStale: z.boolean(),
  })
  .meta({ id: 'Document' });

const place = {
  headingPath: text,
  pageFrom: count.nullable(),
  pageTo: count.nullable(),
  identifiers: z.array(z.string()).nullable(),
};

export const listShape = z
  .object({
    documents: z.array(summaryShape),
    namespaceChunkCount: count,
    chunkCeiling: count,
    currentEmbeddingModel: text,
  })
  .meta({ id: 'DocumentList' });

export const documentShape = z
  .object({
    summary: summaryShape,
    chunks: z.array(z.object({ chunkId: elementId, order: z.int(), kind: text, ...place, textPreview: z.string() })),
  })
  .meta({ id: 'DocumentDetail' });

const role = z
  .object({
    role: z.enum(['vector', 'fulltext', 'entity']),
    indexId: z.string(),
    required: z.boolean(),
    exists: z.boolean(),
    ready: z.boolean(),
    detail: text,
  })
  .meta({ id: 'DocumentBindingRole' });

export const bindingShape = z
  .object({ ready: z.boolean(), vector: role, fulltext: role, entity: role })
  .meta({ id: 'DocumentBinding' });

export const entitiesShape = z
  .object({
    entities: z.array(z.object({ id: elementId, text: z.string(), type: z.string(), mentionCount: count })),
    total: count,
  })
  .meta({ id: 'DocumentEntities' });

const hit = z
  .object({
    chunkId: elementId,
    documentId: elementId,
    score: z.number(),
    order: z.int(),
    text: z.string(),
    ...place,
    window: z.array(z.object({ chunkId: elementId, order: z.int(), text: z.string() })).nullable(),
  })
  .meta({ id: 'DocumentHit' });

export const searchShape = z
  .object({
    modeUsed: z.enum(['fused', 'dense', 'lexical']),
    hits: z.array(hit).nullable(),
    documents: z.array(z.object({ document: summaryShape, bestScore: z.number(), chunks: z.array(hit) })).nullable(),
  })
  .meta({ id: 'DocumentSearchResult' });
