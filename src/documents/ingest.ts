// The ingestion of one document, behind its acceptance (reference 20.3, Processing): convert, cut, embed; then write, finish. Everything that
// can fail or take long comes before the first write. What fails takes the written chunks away again in one transaction.

import type { Settings } from '../config/catalogue.ts';
import type { WriteOperation } from '../core/requests.ts';
import { TypeId } from '../core/values.ts';
import { indexIdOf } from './binding.ts';
import type { Pipeline } from './blocks.ts';
import { chunkCount } from './census.ts';
import { accepted, applied, type ChunkPlan, calm, StubGone, writeChunks } from './chunk-writer.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { type Converter, IngestFailed } from './conversion.ts';
import type { Embedder } from './embedder.ts';
import { linksOf } from './links.ts';
import { int32Of, isDocument, readVertex, textOf } from './model.ts';
import { removalOf } from './removal.ts';
import { stubOf, type Task } from './submission.ts';

/** Characters that the chunks of one document may have together: tables repeat their headers, which could multiply a text. */
const maxCharacters = 2 ** 27;

export interface IngestContext {
  readonly settings: Settings;
  readonly embedder: Embedder | null;
  readonly pause: () => Promise<void>;
  readonly converterOf: (task: Task) => Converter;
  /** Entities and key terms, best effort; false when there are none. */
  readonly enrich: (task: Task, chunkIds: readonly number[], signal: AbortSignal) => Promise<boolean>;
}

/** A document that can be written: everything about it that can fail or take long has been done. */
export interface Prepared {
  readonly pipeline: Pipeline;
  readonly pageCount: number | null;
  readonly chunks: readonly Chunk[];
  /** One a chunk; null when nothing is embedded. */
  readonly vectors: readonly Float32Array[] | null;
}

/** Writes nothing. Throws IngestFailed, StubGone, or what ended it from outside. */
export async function prepare(context: IngestContext, task: Task, signal: AbortSignal): Promise<Prepared> {
  const { settings } = context;
  const { submission } = task;
  if (stubOf(task) === null) throw new StubGone();
  const converter = context.converterOf(task);
  const { pipeline, blocks, pageCount } = await converter.convert(submission, signal);
  if (pageCount !== null && pageCount > settings['Ingestion:MaxPages']) {
    throw new IngestFailed(`The document has ${pageCount} pages; at most ${settings['Ingestion:MaxPages']} are taken.`);
  }
  const chunks = await cut(context, blocks);
  await checkCeiling(context, task, chunks.length, signal);
  const vectors = submission.embed ? await embedded(context, chunks, signal) : null;
  return { pipeline, pageCount, chunks, vectors };
}

/** Resolves when the document is indexed. Throws as `prepare`. */
export async function write(
  context: IngestContext,
  task: Task,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<void> {
  const { settings, embedder } = context;
  const { graph } = task;
  const { pipeline, pageCount, chunks, vectors } = prepared;
  // The documents before this one have been written since it was looked at.
  await checkCeiling(context, task, chunks.length, signal);
  const plans = await linked(context, task, chunks, vectors, signal);
  const fulltextId = indexIdOf(settings, 'fulltext');
  const hasFulltext = graph.indexes.find(fulltextId)?.capabilities.includes('fulltext') === true;
  const ids = await writeChunks(
    {
      task,
      embeddingName: settings['Ingestion:EmbeddingName'],
      stamp: vectors === null ? null : (embedder?.stamp ?? null),
      fulltextIndex: hasFulltext ? fulltextId : null,
      pause: context.pause,
    },
    plans,
  );
  const isEnriched = await context.enrich(task, ids, signal);
  await calm(graph, context.pause);
  finish(context, task, { pipeline, pageCount, chunks: ids.length, isEmbedded: vectors !== null, isEnriched });
}

async function cut(context: IngestContext, blocks: Parameters<typeof chunksOf>[0]): Promise<Chunk[]> {
  const { settings, pause } = context;
  const limits = {
    minChars: settings['Ingestion:ChunkMinChars'],
    maxChars: settings['Ingestion:ChunkMaxChars'],
    maxIdentifiers: settings['Ingestion:MaxIdentifiersPerChunk'],
  };
  const most = settings['Ingestion:MaxChunksPerDocument'];
  const chunks: Chunk[] = [];
  let characters = 0;
  for (const chunk of chunksOf(blocks, limits)) {
    characters += chunk.text.length;
    if (chunks.length >= most) throw new IngestFailed(`The document has more than ${most} chunks.`);
    if (characters > maxCharacters) throw new IngestFailed(`The chunks have more than ${maxCharacters} characters.`);
    if (chunks.push(chunk) % 16 === 0) await pause();
  }
  if (chunks.length === 0) throw new IngestFailed('The document has no text.');
  return chunks;
}

async function checkCeiling(
  { settings }: IngestContext,
  { graph }: Task,
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  const most = settings['Ingestion:MaxChunksPerNamespace'];
  const present = await chunkCount(graph, signal);
  if (present + wanted <= most) return;
  throw new IngestFailed(`The namespace has ${present} chunks; ${wanted} more are beyond its ${most}.`);
}

async function embedded(
  { embedder }: IngestContext,
  chunks: readonly Chunk[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  if (embedder === null) throw new IngestFailed('The embedding provider is disabled.');
  const { maxBatchSize, maxBatches } = embedder;
  const vectors: Float32Array[] = [];
  for (let from = 0; from < chunks.length; from += maxBatchSize * maxBatches) {
    const batches: string[][] = [];
    for (let i = from; i < chunks.length && batches.length < maxBatches; i += maxBatchSize) {
      batches.push(chunks.slice(i, i + maxBatchSize).map(({ text }) => text));
    }
    try {
      for (const made of await Promise.all(batches.map((texts) => embedder.embed(texts, signal))))
        vectors.push(...made);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new IngestFailed(`The chunks could not be embedded: ${reason}`);
    }
  }
  return vectors;
}

async function linked(
  { settings, pause }: IngestContext,
  { graph, submission: { link } }: Task,
  chunks: readonly Chunk[],
  vectors: readonly Float32Array[] | null,
  signal: AbortSignal,
): Promise<ChunkPlan[]> {
  const limit = link?.maxLinksPerChunk ?? settings['Ingestion:MaxLinksPerChunk'];
  const plans: ChunkPlan[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const links = link === null ? [] : await linksOf(graph, chunk, link.indexIds, limit, signal);
    plans.push({ chunk, vector: vectors?.[i] ?? null, links });
    if (link !== null) await pause();
  }
  return plans;
}

interface Outcome {
  readonly pipeline: Pipeline;
  readonly pageCount: number | null;
  readonly chunks: number;
  readonly isEmbedded: boolean;
  readonly isEnriched: boolean;
}

/** The last transaction: the document is indexed, and the one it replaces is gone. */
function finish({ settings, embedder }: IngestContext, task: Task, outcome: Outcome): void {
  const { graph, documentId, submission } = task;
  if (stubOf(task) === null) throw new StubGone();
  const { pipeline, pageCount, chunks, isEmbedded, isEnriched } = outcome;
  const limits = `min=${settings['Ingestion:ChunkMinChars']};max=${settings['Ingestion:ChunkMaxChars']}`;
  const properties = [
    ...[int32Of('chunkCount', chunks), textOf('chunkerConfig', `${pipeline};${limits}`)],
    ...(pageCount === null ? [] : [int32Of('pageCount', pageCount)]),
    ...(isEmbedded && embedder !== null
      ? [textOf('embeddingModel', embedder.stamp), int32Of('embeddingDimension', embedder.dimension)]
      : []),
    { ...textOf('enriched', isEnriched ? 'true' : 'false'), type: TypeId.boolean },
    textOf('status', 'indexed'),
  ];
  const replaced = submission.replaceDocumentId === null ? null : readVertex(graph, submission.replaceDocumentId);
  const removal = isDocument(replaced) && replaced.id !== documentId ? removalOf(graph, replaced) : [];
  const marks = properties.map((property): WriteOperation => {
    return { kind: 'setProperty', element: documentId, ...property };
  });
  if (removal.length === 0) applied(graph, marks);
  else accepted(graph.write([...marks, ...removal]));
}
