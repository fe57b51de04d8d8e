// A path request as the route has read it, and the rules about what may stand beside what (contract part 2, Path request and Semantic
// block; reference sections 9 and 10). Everything here is decided before anything is compiled or searched.

import { defaultEmbedding, embeddingName } from '../../core/embeddings.ts';
import { maxDimension } from '../../core/vectors.ts';
import type { pathAlgorithms } from '../../engine/plugin-names.ts';
import { tooLong } from '../../fragments/limits.ts';
import type { FragmentTexts } from '../fragments/compiler.ts';

export type PathAlgorithm = (typeof pathAlgorithms)[number];

/** Texts as given; null or blank: none. An omitted cost inside a cost block is undefined, and then every step's part is 1. */
export interface PathTexts {
  readonly vertexFilter: string | null;
  readonly edgeFilter: string | null;
  readonly edgePropertyFilter: string | null;
  readonly vertexCost: string | null | undefined;
  readonly edgeCost: string | null | undefined;
}

export type MetricName = 'Cosine' | 'DotProduct' | 'L2';
export const metricNames: readonly MetricName[] = ['Cosine', 'DotProduct', 'L2'];

/** A semantic block whose vector is known. */
export interface Semantic {
  readonly queryVector: Float32Array;
  readonly embeddingName: string;
  readonly metric: MetricName;
  readonly minScore: number | null;
  readonly costBySimilarity: boolean;
}

/** A semantic block as it came. */
export interface SemanticBody {
  readonly queryVector: readonly number[] | null;
  readonly queryText: string | null;
  readonly embeddingName: string | null;
  readonly metric: string | null;
  readonly minScore: number | null;
  readonly costBySimilarity: boolean;
  /** Who made the vector out of the text; missing: the client made it. */
  readonly embeddedBy?: { readonly backend: string; readonly identity: string };
}

/** What is wrong with a semantic block, or the block. The text has been turned into a vector before, where that is possible. */
export function readSemantic(body: SemanticBody): Semantic | { readonly flaw: string } {
  const { queryVector, minScore } = body;
  const name = body.embeddingName ?? defaultEmbedding;
  const metric = metricNames.find((name) => name === (body.metric ?? 'Cosine'));
  if (queryVector === null || queryVector.length === 0) return { flaw: 'The semantic block needs a query vector.' };
  if (queryVector.length > maxDimension) {
    return { flaw: `The query vector has ${queryVector.length} components; ${maxDimension} is the most.` };
  }
  const vector = Float32Array.from(queryVector);
  if (!vector.every(Number.isFinite)) return { flaw: 'The query vector has a component that is no finite number.' };
  if (!embeddingName.test(name)) return { flaw: `'${name}' is no name of an embedding.` };
  if (metric === undefined) return { flaw: `Unknown metric '${body.metric}'. There are ${metricNames.join(', ')}.` };
  if (metric === 'Cosine' && normOf(vector) === 0)
    return { flaw: 'Under Cosine the query vector must not have norm 0.' };
  if (minScore !== null && !Number.isFinite(minScore)) return { flaw: 'minScore must be a finite number.' };
  return { queryVector: vector, embeddingName: name, metric, minScore, costBySimilarity: body.costBySimilarity };
}

/** In single precision, as scores are computed. */
function normOf(vector: Float32Array): number {
  let sum = 0;
  for (const component of vector) sum = Math.fround(sum + Math.fround(component * component));
  return sum;
}

export function isGiven(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== '';
}

/** Whether a text is code to compile: a blank one is none, but too long a one is refused however blank. */
export function isFragment(text: string | null | undefined): text is string {
  return isGiven(text) || (typeof text === 'string' && tooLong(text) !== null);
}

const fragmentKinds = {
  vertexFilter: 'VertexFilter',
  edgeFilter: 'EdgeFilter',
  edgePropertyFilter: 'EdgePropertyFilter',
  vertexCost: 'VertexCost',
  edgeCost: 'EdgeCost',
} as const;

/** The fragments of a path that are given, by slot. */
export function givenTexts(texts: PathTexts): FragmentTexts {
  const given = Object.entries(fragmentKinds).flatMap(([slot, kind]) => {
    const text = texts[slot as keyof PathTexts];
    return isFragment(text) ? [[slot, { kind, text }] as const] : [];
  });
  return Object.fromEntries(given);
}

/** What a semantic block may not stand beside; null when all is well. */
export function semanticConflict(semantic: Semantic, texts: PathTexts, algorithm: string): string | null {
  const { minScore, costBySimilarity, metric } = semantic;
  if ((minScore !== null || costBySimilarity) && isGiven(texts.vertexFilter)) {
    return minScore !== null
      ? 'minScore filters vertices and cannot stand beside a vertexFilter fragment.'
      : 'costBySimilarity without minScore filters vertices and cannot stand beside a vertexFilter fragment.';
  }
  if (!costBySimilarity) return null;
  if (isGiven(texts.vertexCost)) return 'costBySimilarity cannot stand beside a vertexCost fragment.';
  if (metric === 'DotProduct') return 'costBySimilarity needs the metric Cosine or L2: a dot product is no distance.';
  if (algorithm !== 'DIJKSTRA') return 'costBySimilarity needs an algorithm with weights: DIJKSTRA.';
  return null;
}
