// What a document has to keep before it is accepted, in the order of reference 20.2. Nothing has been written when one of them refuses.

import { type BindingContext, bindingOf } from './binding.ts';
import { chunkCount, documentsWith } from './census.ts';
import { isText } from './conversion.ts';
import { isDocument, readVertex, reservedKeys } from './model.ts';
import { DocumentRefused } from './refusal.ts';
import type { LinkRequest, Submission } from './submission.ts';

/** Most links that a request may ask for, of one chunk. */
const mostLinks = 1024;

/** Throws DocumentRefused. */
export async function checkSubmission(
  context: BindingContext,
  submission: Submission,
  contentHash: string,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { settings, embedder } = context;
  const { embed, sourceFormat, properties } = submission;
  if (embed && embedder === null) {
    throw new DocumentRefused('embeddingOff', 'The embedding provider is disabled; send embed: false to go without.');
  }
  if (!isText(sourceFormat) && (settings['Ingestion:Docling:Endpoint'] ?? '') === '') {
    const detail = `There is no converter for ${sourceFormat}: Ingestion:Docling:Endpoint is not set.`;
    throw new DocumentRefused('conversionUnavailable', detail);
  }
  const reserved = Object.keys(properties).find((key) => reservedKeys.has(key) || key.startsWith('$'));
  if (reserved !== undefined)
    throw new DocumentRefused('reservedKey', `The property '${reserved}' is ingestion's own.`);
  await checkContent(context, submission, contentHash, pause, signal);
  if (embed) checkContract(context);
  if (submission.link !== null) checkLink(context, submission.link);
  const { ready, vector, fulltext, entity } = bindingOf(context);
  if (ready) return;
  const missing = [vector, fulltext, entity].filter((role) => role.required && !role.ready).map(({ detail }) => detail);
  throw new DocumentRefused(
    'layerNotBound',
    `${missing.join(' ')} POST /document/binding/ensure creates what is missing.`,
  );
}

async function checkContent(
  { graph, settings }: BindingContext,
  { replaceDocumentId }: Submission,
  contentHash: string,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (replaceDocumentId !== null) {
    const target = readVertex(graph, replaceDocumentId);
    if (target === null) throw new DocumentRefused('replaceTargetMissing', `There is no vertex ${replaceDocumentId}.`);
    if (!isDocument(target)) {
      throw new DocumentRefused('replaceTargetOther', `Vertex ${replaceDocumentId} is not a Document.`);
    }
  }
  const same = await documentsWith(graph, contentHash, pause, signal);
  const other = same.find((id) => id !== replaceDocumentId);
  if (other !== undefined) throw new DocumentRefused('duplicateContent', `Document ${other} has the same content.`);
  const ceiling = settings['Ingestion:MaxChunksPerNamespace'];
  if ((await chunkCount(graph, signal)) >= ceiling) {
    throw new DocumentRefused('chunkCeiling', `The namespace has its ${ceiling} chunks.`);
  }
}

/** Indexes of the embedding have to be for the provider's vectors; one that is missing is no conflict yet. */
function checkContract({ graph, settings, embedder }: BindingContext): void {
  if (embedder === null) return;
  for (const { dimension, model } of graph.vectors.boundTo(settings['Ingestion:EmbeddingName'])) {
    if (dimension !== embedder.dimension) {
      const detail = `An index of this embedding holds vectors of ${dimension} components, the provider makes ${embedder.dimension}.`;
      throw new DocumentRefused('embeddingConflict', detail);
    }
    if (model !== null && model !== embedder.stamp) {
      throw new DocumentRefused(
        'embeddingConflict',
        `An index of this embedding is for ${model}, the provider is ${embedder.stamp}.`,
      );
    }
  }
}

function checkLink({ graph }: BindingContext, { indexIds, maxLinksPerChunk }: LinkRequest): void {
  if (maxLinksPerChunk !== null && (maxLinksPerChunk < 1 || maxLinksPerChunk > mostLinks)) {
    throw new DocumentRefused('linkCapInvalid', `maxLinksPerChunk is ${maxLinksPerChunk}; it takes 1 to ${mostLinks}.`);
  }
  for (const indexId of indexIds) {
    const index = graph.indexes.find(indexId);
    if (index === null) throw new DocumentRefused('linkIndexUnknown', `There is no index '${indexId}'.`);
    if (!index.capabilities.includes('equality')) {
      throw new DocumentRefused('linkIndexOther', `The index '${indexId}' lacks the capability equality.`);
    }
  }
}
