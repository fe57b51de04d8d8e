// From a subgraph specification to a registered subgraph: the order of checks is the reference's (section 11).

import type { Caller } from '../fragments/compilers.ts';
import { isGiven, type SemanticBody } from '../paths/request.ts';
import { readTemplate, type TemplateBody } from './patterns.ts';
import { type Recipe, subgraphAlgorithm } from './recipe.ts';
import type { SubgraphRefusal } from './refusal.ts';
import type { SubgraphRegistry, SubgraphWritten } from './registry.ts';
import { algorithmFlaw, hasInline, nameFlaw, readSubgraphSemantic } from './request.ts';

export interface SubgraphSpecification {
  readonly name: string;
  readonly fromSubGraph: string | null;
  readonly algorithm: string | null;
  readonly template: TemplateBody;
  readonly storedQuery: string | null;
  readonly semantic: SemanticBody | null;
  readonly additionalInformation: Readonly<Record<string, string>> | null;
}

export type SpecificationRefusal =
  | SubgraphRefusal
  | { readonly ok: false; readonly failure: 'invalid'; readonly detail: string; readonly cause?: string };

const invalid = (detail: string): SpecificationRefusal => ({ ok: false, failure: 'invalid', detail });

/** `lookUp`: the template of a stored query; what it throws passes. */
export async function createSubgraph(
  registry: SubgraphRegistry,
  specification: SubgraphSpecification,
  lookUp: (storedQuery: string) => Promise<TemplateBody>,
  caller: Caller = {},
): Promise<SubgraphWritten | SpecificationRefusal> {
  const { name, fromSubGraph, algorithm, semantic, storedQuery } = specification;
  const flaw = nameFlaw(name);
  if (flaw !== null) return invalid(flaw);
  const conflict = await registry.precheck(name, fromSubGraph);
  if (conflict !== null) return conflict;
  const unknown = algorithmFlaw(algorithm, registry.algorithms());
  if (unknown !== null) return invalid(unknown);
  let { template } = specification;
  if (isGiven(storedQuery)) {
    if (hasInline(template)) return invalid('storedQuery cannot stand beside vertexFilter, edgeFilter or patterns.');
    if (semantic !== null) return invalid('A stored query takes no semantic block.');
    template = await lookUp(storedQuery);
  }
  const recipe = recipeOf(specification, template);
  return 'flaw' in recipe ? invalid(recipe.flaw) : registry.create(recipe, caller);
}

function recipeOf(
  { name, fromSubGraph, algorithm: given, semantic, additionalInformation }: SubgraphSpecification,
  template: TemplateBody,
): Recipe | { readonly flaw: string } {
  const read = readTemplate(template, semantic === null ? 'withoutSemantic' : 'withSemantic');
  if ('flaw' in read) return read;
  const block = semantic === null ? null : readSubgraphSemantic(semantic, template);
  if (block !== null && 'flaw' in block) return block;
  const algorithm = isGiven(given) ? given : subgraphAlgorithm;
  return { name, fromSubGraph, algorithm, template, semantic: block, additionalInformation };
}
