// The members of a subgraph specification beside its template, and the rules about them (contract part 2, Subgraph specification and Semantic
// block; reference sections 10 and 11). Nothing here compiles or reads a graph.

import { mostNameCharacters } from '../../engine/names.ts';
import { isGiven, readSemantic, type SemanticBody } from '../paths/request.ts';
import type { TemplateBody } from './patterns.ts';
import type { RecipeSemantic } from './recipe.ts';

/** The semantic block of a recipe, or what is wrong with it. The text has been turned into a vector before. */
export function readSubgraphSemantic(
  body: SemanticBody,
  template: TemplateBody,
): RecipeSemantic | { readonly flaw: string } {
  const semantic = readSemantic(body);
  if ('flaw' in semantic) return semantic;
  if (semantic.costBySimilarity) return { flaw: 'costBySimilarity belongs to paths: a subgraph has no costs.' };
  if (semantic.minScore !== null && isGiven(template.vertexFilter)) {
    return { flaw: 'minScore filters vertices and cannot stand beside a vertexFilter fragment.' };
  }
  const { embeddingName, metric, minScore } = semantic;
  const { embeddedBy } = body;
  return {
    queryVector: [...semantic.queryVector],
    queryText: embeddedBy === undefined ? null : body.queryText,
    ...{ embeddingName, metric, minScore },
    ...(embeddedBy === undefined
      ? {}
      : { embeddingBackend: embeddedBy.backend, embeddingIdentity: embeddedBy.identity }),
  };
}

/** Why the algorithm is not among those that there are; null when it is, or none is named. */
export function algorithmFlaw(algorithm: string | null, known: readonly string[]): string | null {
  if (!isGiven(algorithm) || known.includes(algorithm)) return null;
  return `Unknown subgraph algorithm '${algorithm}'. There is: ${known.join(', ')}.`;
}

/** Why no subgraph may have the name; null when it may. */
export function nameFlaw(name: string): string | null {
  if (name.length > mostNameCharacters) return `A name has at most ${mostNameCharacters} characters.`;
  if (/\p{Surrogate}/u.test(name)) return 'The name has half of a surrogate pair.';
  return name === '.' || name === '..' ? `No path can lead to a subgraph named '${name}'.` : null;
}

export function hasInline({ vertexFilter, edgeFilter, patterns }: TemplateBody): boolean {
  return isGiven(vertexFilter) || isGiven(edgeFilter) || (patterns ?? []).length > 0;
}
