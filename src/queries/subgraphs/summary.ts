// A subgraph's summary on the wire (contract part 2, Subgraph summary; reference section 11).

import { readTemplate } from './patterns.ts';
import type { Recipe } from './recipe.ts';
import type { Subgraph } from './registry.ts';

export function summaryOf({ recipe, sourceGraphId, vertexCount, edgeCount }: Subgraph): Record<string, unknown> {
  const semantic = semanticSummary(recipe);
  return {
    name: recipe.name,
    vertexCount,
    edgeCount,
    algorithmPluginName: recipe.algorithm,
    sourceGraphId,
    canRecalculate: true,
    additionalInformation: recipe.additionalInformation,
    ...(semantic === null ? {} : { semantic }),
  };
}

function semanticSummary({ semantic, template }: Recipe): Record<string, unknown> | null {
  if (semantic === null) return null;
  const { queryVector, queryText, embeddingName, metric, minScore, embeddingBackend, embeddingIdentity } = semantic;
  const read = readTemplate(template, 'withSemantic');
  const thresholds = ('flaw' in read ? [] : read.steps).flatMap((step, index) =>
    step.kind === 'vertex' && step.minScore !== null
      ? [{ pattern: step.name ?? String(index), minScore: step.minScore }]
      : [],
  );
  return {
    embeddingName,
    metric,
    dimension: queryVector.length,
    queryText,
    minScore,
    patternThresholds: thresholds.length === 0 ? null : thresholds,
    ...(embeddingBackend === undefined ? {} : { embeddingBackend, embeddingIdentity: embeddingIdentity ?? null }),
  };
}
