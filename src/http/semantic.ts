// The text of a semantic block: turned into a vector by the embedding provider before anything else of the request is looked at (contract
// part 2, Semantic block; reference 10).

import { defaultEmbedding } from '../core/embeddings.ts';
import { ProviderFailed, type ProviderFailure } from '../providers/failure.ts';
import { isGiven, type SemanticBody } from '../queries/paths/request.ts';
import type { Exchange } from './exchange.ts';
import { Problem, type ProblemKind } from './problems.ts';

/** The block with its vector: that of its text, where it has one. Throws a Problem. */
export async function resolvedSemantic(
  exchange: Exchange,
  semantic: SemanticBody | null,
): Promise<SemanticBody | null> {
  if (semantic === null || !isGiven(semantic.queryText)) return semantic;
  if (semantic.queryVector !== null) {
    throw new Problem('badRequest', 'A semantic block takes queryVector or queryText, not both.');
  }
  requireEmbedding(exchange);
  const { embedding } = exchange.service;
  const text = semantic.queryText as string;
  const vector = await embedded(() => embedding.embedQuery(text, exchange.request.signal));
  const by = { backend: embedding.backendName, identity: embedding.stamp };
  return { ...semantic, queryVector: Array.from(vector), embeddedBy: by };
}

/** Warns of an embedding that nothing has: no vertex has a score then, so no filter lets one pass. */
export function noticeEmbedding({ graph, warnings }: Exchange, semantic: SemanticBody | null): void {
  if (semantic === null) return;
  const name = semantic.embeddingName ?? defaultEmbedding;
  if (graph.vectors.knowsEmbedding(name)) return;
  warnings.add('noSuchEmbedding', 'semantic.embeddingName', `No element has an embedding '${name}'.`);
}

/** Refuses while the provider is off. */
export function requireEmbedding({ service }: Exchange): void {
  if (service.embedding.enabled) return;
  throw new Problem('forbidden', 'The embedding provider is disabled, so texts cannot be embedded.');
}

const failures: Readonly<Record<ProviderFailure, ProblemKind>> = {
  misconfigured: 'embeddingUnavailable',
  unavailable: 'embeddingUnavailable',
  timedOut: 'embeddingUnavailable',
  badOutput: 'embeddingOutputInvalid',
};

/** What the provider answers; throws the Problem of its failure. */
export async function embedded<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailed) throw new Problem(failures[error.reason], error.message);
    throw error;
  }
}

/** What can become of a request that has a text embedded. */
export const embeddingProblems = ['forbidden', 'embeddingUnavailable', 'embeddingOutputInvalid'] as const;
