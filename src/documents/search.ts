// Search over chunks (reference 20.5): by meaning, by words, or both fused by rank. Each side brings its best candidates; a chunk that
// both find counts for both.

import { maxDimension, type VectorDefinition } from '../core/vectors.ts';
import { ExpressionRefused } from '../engine/indexes/expressions/nodes.ts';
import { type BindingContext, indexIdOf } from './binding.ts';
import {
  type ChunkView,
  chunkLabel,
  chunkOf,
  containsEdge,
  isDocument,
  nextEdge,
  readVertex,
  type Summary,
  type Vertex,
} from './model.ts';
import { DocumentRefused } from './refusal.ts';

export type SearchMode = 'fused' | 'dense' | 'lexical';

export interface SearchRequest {
  readonly queryText: string | null;
  readonly queryVector: Float32Array | null;
  readonly mode: SearchMode;
  readonly k: number;
  readonly window: number;
  readonly groupByDocument: boolean;
}

interface Neighbour {
  readonly chunkId: number;
  readonly order: number;
  readonly text: string;
}

interface Hit extends Omit<ChunkView, 'kind'> {
  readonly documentId: number;
  readonly score: number;
  readonly window: readonly Neighbour[] | null;
}

interface Group {
  readonly document: Summary;
  readonly bestScore: number;
  readonly chunks: readonly Hit[];
}

export interface SearchAnswer {
  readonly modeUsed: SearchMode;
  readonly hits: readonly Hit[] | null;
  readonly documents: readonly Group[] | null;
}

interface Candidate {
  readonly id: number;
  readonly score: number;
}

const leastDepth = 50;
const mostDepth = 1024;
const depthOfK = 4;
const rankOffset = 60;
const fulltextTimeoutMs = 10_000;
/** How many times as many hits are asked for where too few of them were chunks. */
const moreHits = 8;

/** Candidates of each side. */
function depthOf(k: number): number {
  return Math.min(mostDepth, Math.max(leastDepth, depthOfK * k));
}

/** Throws DocumentRefused; `summary` shows a document. */
export async function searchDocuments(
  context: BindingContext,
  request: SearchRequest,
  summary: (vertex: Vertex) => Summary,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const { modeUsed, best } = await candidates(context, request, signal);
  const hits: Hit[] = [];
  for (const candidate of best) {
    if (hits.length === request.k) break;
    const hit = hitOf(context, candidate, request.window);
    if (hit !== null) hits.push(hit);
  }
  if (!request.groupByDocument) return { modeUsed, hits, documents: null };
  return { modeUsed, hits: null, documents: grouped(context, hits, summary) };
}

async function candidates(
  context: BindingContext,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<{ modeUsed: SearchMode; best: readonly Candidate[] }> {
  const { mode } = request;
  const hasText = (request.queryText ?? '').trim() !== '';
  if (!hasText && request.queryVector === null) {
    throw new DocumentRefused('noQuery', 'A search takes queryText or queryVector.');
  }
  if (mode === 'lexical' && !hasText) throw new DocumentRefused('noLexicalQuery', 'A lexical search takes queryText.');
  const dense = mode === 'lexical' ? null : denseObstacle(context, request);
  const lexical = mode === 'dense' ? null : lexicalObstacle(context, hasText);
  if (mode === 'dense' && dense !== null) throw new DocumentRefused('denseUnavailable', dense);
  if (mode === 'lexical' && lexical !== null) throw new DocumentRefused('lexicalUnavailable', lexical);
  if (mode === 'fused' && dense !== null && lexical !== null) {
    throw new DocumentRefused('noSide', `${dense} ${lexical}`);
  }
  const asksMeaning = mode !== 'lexical' && dense === null;
  const asksWords = mode !== 'dense' && lexical === null;
  // Both at the same time: the words are looked up while the text becomes a vector.
  const [meaning, words] = await Promise.allSettled([
    asksMeaning ? denseSide(context, request, signal) : null,
    asksWords ? lexicalSide(context, request, signal) : null,
  ]);
  const byMeaning = fulfilled(meaning);
  const byWords = fulfilled(words);
  if (byMeaning === null) return { modeUsed: 'lexical', best: byWords ?? [] };
  if (byWords === null) return { modeUsed: 'dense', best: byMeaning };
  return { modeUsed: 'fused', best: fused([byMeaning, byWords]) };
}

function fulfilled<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** By the sum of reciprocal ranks over the sides; ties by id. */
function fused(sides: readonly (readonly Candidate[])[]): Candidate[] {
  const scores = new Map<number, number>();
  for (const side of sides) {
    for (const [i, { id }] of side.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (rankOffset + i + 1));
  }
  return bestFirst(Array.from(scores, ([id, score]) => ({ id, score })));
}

function bestFirst(list: Candidate[]): Candidate[] {
  return list.sort((a, b) => b.score - a.score || a.id - b.id);
}

function definitionOf({ graph, settings }: BindingContext): VectorDefinition | null {
  const definition = graph.vectors.find(indexIdOf(settings, 'vector'));
  return definition === 'otherKind' ? null : definition;
}

function denseObstacle(context: BindingContext, { queryVector }: SearchRequest): string | null {
  if (definitionOf(context) === null) return `There is no vector index '${indexIdOf(context.settings, 'vector')}'.`;
  if (queryVector !== null || context.embedder !== null) return null;
  return 'The embedding provider is disabled, so a text has no vector.';
}

function lexicalObstacle({ graph, settings }: BindingContext, hasText: boolean): string | null {
  const index = indexIdOf(settings, 'fulltext');
  if (!hasText) return 'A query without text has no words.';
  if (graph.indexes.find(index)?.capabilities.includes('fulltext') === true) return null;
  return `There is no fulltext index '${index}'.`;
}

async function denseSide(
  context: BindingContext,
  { queryText, queryVector, k }: SearchRequest,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const { graph, settings, embedder } = context;
  const index = indexIdOf(settings, 'vector');
  const definition = definitionOf(context) as VectorDefinition;
  if (queryVector !== null) checkVector(context, queryVector, definition);
  else checkContract(context, definition);
  const vector = queryVector ?? (await embedder?.embedQuery(queryText ?? '', signal));
  if (vector === undefined) throw new DocumentRefused('denseUnavailable', 'The query has no vector.');
  const query = { vector, k: depthOf(k), mask: 1, label: chunkLabel } as const;
  const hits = await graph.vectors.search(index, definition, query, signal);
  if (hits === null) throw new DocumentRefused('denseUnavailable', `There is no vector index '${index}' any more.`);
  return Array.from(hits.ids, (id, i) => ({ id: id | 0, score: hits.scores[i] as number }));
}

function checkVector({ graph }: BindingContext, vector: Float32Array, { dimension, metric }: VectorDefinition): void {
  if (vector.length === 0 || vector.length > maxDimension || !vector.every(Number.isFinite)) {
    throw new DocumentRefused('knnInvalid', `A query vector has 1 to ${maxDimension} finite components.`);
  }
  if (vector.length !== dimension) {
    const detail = `The query has ${vector.length} components, the index holds vectors of ${dimension}.`;
    throw new DocumentRefused('dimensionMismatch', detail);
  }
  if (metric === 'Cosine' && graph.vectors.norm(vector) === 0) {
    throw new DocumentRefused('knnInvalid', 'The query has norm 0, which Cosine cannot compare.');
  }
}

function checkContract({ embedder }: BindingContext, { dimension, model }: VectorDefinition): void {
  if (embedder === null) return;
  if (dimension !== embedder.dimension) {
    const detail = `The index holds vectors of ${dimension} components, the provider makes ${embedder.dimension}.`;
    throw new DocumentRefused('dimensionConflict', detail);
  }
  if (model === null || model === embedder.stamp) return;
  throw new DocumentRefused('modelConflict', `The index is for ${model}, the provider is ${embedder.stamp}.`);
}

async function lexicalSide(
  { graph, settings }: BindingContext,
  { queryText, k }: SearchRequest,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const depth = depthOf(k);
  const query = {
    ...{ index: indexIdOf(settings, 'fulltext'), text: queryText ?? '', timeoutMs: fulltextTimeoutMs },
    score: settings['Ingestion:LexicalScorer'] === 'bm25' ? 'bm25' : 'matches',
  } as const;
  for (let most = depth; ; most *= moreHits) {
    const hits = await graph.indexes.words({ ...query, most }, signal).catch((error: unknown) => {
      throw error instanceof ExpressionRefused ? new DocumentRefused('badRequest', error.message) : error;
    });
    const best = Array.from(hits?.ids ?? [], (id, i) => ({ id, score: hits?.scores[i] as number }));
    // The index may hold elements of others, which are no candidates; where they took places, more are asked for.
    const chunks = best.filter(({ id }) => readVertex(graph, id)?.label === chunkLabel).slice(0, depth);
    if (chunks.length === depth || best.length < most) return chunks;
  }
}

/** Null for a chunk that is gone, or hangs on no document. */
function hitOf({ graph }: BindingContext, { id, score }: Candidate, width: number): Hit | null {
  const vertex = readVertex(graph, id);
  const [contains] = vertex?.inEdges[containsEdge] ?? [];
  const documentId = contains === undefined ? null : graph.reads.endpoint(contains, 'source');
  if (vertex === null || documentId === null) return null;
  const { chunkId, order, text, headingPath, pageFrom, pageTo, identifiers } = chunkOf(vertex);
  const around = width === 0 ? null : [...before(graph, vertex, width), ...after(graph, vertex, width)];
  return { ...{ chunkId, documentId, score, order, text, headingPath, pageFrom, pageTo, identifiers }, window: around };
}

type Graph = BindingContext['graph'];

function before(graph: Graph, from: Vertex, width: number): Neighbour[] {
  return walk(graph, from, width, ({ inEdges }) => ['source', inEdges[nextEdge]?.[0]]).reverse();
}

function after(graph: Graph, from: Vertex, width: number): Neighbour[] {
  return walk(graph, from, width, ({ outEdges }) => ['target', outEdges[nextEdge]?.[0]]);
}

function walk(
  graph: Graph,
  from: Vertex,
  width: number,
  step: (vertex: Vertex) => ['source' | 'target', number | undefined],
): Neighbour[] {
  const found: Neighbour[] = [];
  let at = from;
  while (found.length < width) {
    const [end, edge] = step(at);
    const id = edge === undefined ? null : graph.reads.endpoint(edge, end);
    const next = id === null ? null : readVertex(graph, id);
    if (next === null) break;
    const { chunkId, order, text } = chunkOf(next);
    found.push({ chunkId, order, text });
    at = next;
  }
  return found;
}

/** By document: the best score first, then id; its chunks in their order. */
function grouped({ graph }: BindingContext, hits: readonly Hit[], summary: (vertex: Vertex) => Summary): Group[] {
  const byDocument = new Map<number, Hit[]>();
  for (const hit of hits) {
    const list = byDocument.get(hit.documentId);
    if (list === undefined) byDocument.set(hit.documentId, [hit]);
    else list.push(hit);
  }
  const groups = Array.from(byDocument, ([id, chunks]): Group | null => {
    const vertex = readVertex(graph, id);
    if (!isDocument(vertex)) return null;
    const bestScore = chunks.reduce((best, { score }) => Math.max(best, score), Number.NEGATIVE_INFINITY);
    return { document: summary(vertex), bestScore, chunks: chunks.sort((a, b) => a.order - b.order) };
  }).filter((group) => group !== null);
  return groups.sort((a, b) => b.bestScore - a.bestScore || a.document.documentId - b.document.documentId);
}
