// The text of a semantic block: turned into a vector by the embedding provider before anything else of the request is looked at.

import { isGiven, type SemanticBody } from '../queries/paths/request.ts';
import { Problem } from './problems.ts';

/** Refuses a query text: there is no embedding provider that is switched on. Both a text and a vector are refused before that. */
export function refuseQueryText(semantic: SemanticBody | null): void {
  if (semantic === null || !isGiven(semantic.queryText)) return;
  if (semantic.queryVector !== null) {
    throw new Problem('badRequest', 'A semantic block takes queryVector or queryText, not both.');
  }
  throw new Problem('forbidden', 'The embedding provider is disabled, so queryText cannot be embedded.');
}
