// A subgraph's recipe: all it takes to make it again, kept as a document of its namespace (JSON). It holds the texts of fragments, also where
// they came from a stored query, and the query vector, also where it came from a text, so that neither has to be there any more.

import type { MetricName } from '../paths/request.ts';
import type { TemplateBody } from './patterns.ts';

export const subgraphAlgorithm = 'Breadth First Search Subgraph Algorithm';

export interface RecipeSemantic {
  readonly queryVector: readonly number[];
  readonly queryText: string | null;
  readonly embeddingName: string;
  readonly metric: MetricName;
  readonly minScore: number | null;
  /** Of the provider that embedded the text; both missing for a vector of the client's. */
  readonly embeddingBackend?: string;
  readonly embeddingIdentity?: string;
}

export interface Recipe {
  readonly name: string;
  /** Name of the subgraph it is taken from; null: the namespace's graph. */
  readonly fromSubGraph: string | null;
  /** The built-in one, or a registered plugin. */
  readonly algorithm: string;
  /** As it came; the rules of templates held for it. */
  readonly template: TemplateBody;
  readonly semantic: RecipeSemantic | null;
  readonly additionalInformation: Readonly<Record<string, string>> | null;
  /** It is kept, but could not be built when the namespace's subgraphs were last built again. */
  readonly wasLeftOut?: true;
}

/** The recipe that a document holds; null for one of another make. */
export function readRecipe(text: string): Recipe | null {
  try {
    const recipe = JSON.parse(text) as Recipe | null;
    const isRecipe =
      typeof recipe?.name === 'string' && typeof recipe.template === 'object' && recipe.template !== null;
    return isRecipe && typeof recipe.algorithm === 'string' ? recipe : null;
  } catch {
    return null;
  }
}

/**
 * Recipes so that each stands behind its source; those whose source is missing, or a ring of sources, are left over. What was left out
 * the time before comes last, with what is taken from it: it must not use up a quota that has been given to others since.
 */
export function inBuildOrder(recipes: readonly Recipe[]): { readonly ordered: Recipe[]; readonly orphans: Recipe[] } {
  const first = inOrder(recipes.filter(({ wasLeftOut }) => wasLeftOut !== true));
  const known = new Set(first.ordered.map(({ name }) => name));
  const late = recipes.filter(({ name }) => !known.has(name));
  const { ordered, orphans } = inOrder(late, known);
  return { ordered: [...first.ordered, ...ordered], orphans };
}

function inOrder(recipes: readonly Recipe[], before: ReadonlySet<string> = new Set()) {
  const ordered: Recipe[] = [];
  const known = new Set(before);
  let waiting = [...recipes];
  while (true) {
    const ready = waiting.filter(({ fromSubGraph }) => fromSubGraph === null || known.has(fromSubGraph));
    if (ready.length === 0) return { ordered, orphans: waiting };
    for (const recipe of ready) known.add(recipe.name);
    ordered.push(...ready);
    waiting = waiting.filter((recipe) => !ready.includes(recipe));
  }
}
