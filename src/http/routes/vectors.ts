// Vectors of indexes: explicit adds and the exact kNN scan (contract part 1, Indexes; reference section 4).

import { z } from 'zod';
import type { ResultMask } from '../../core/scans.ts';
import { maxResults, type VectorDefinition, type VectorQuery } from '../../core/vectors.ts';
import type { VectorSet } from '../../engine/vectors/types.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { id, notBlank, optionalText, placeholder, record } from '../schemas.ts';
import { elementId } from '../shapes.ts';
import { suggestion } from '../unknown-names.ts';
import { checkedVector, checkRanks, numbers, shortSingle } from '../vector-bodies.ts';
import { booleanOf, booleanProblems } from '../writes.ts';

const addBody = record({ graphElementId: placeholder(id, 0), vector: numbers, propertyId: optionalText }).meta({
  id: 'VectorAddSpecification',
  description: 'Exactly one of vector and propertyId.',
});

const scanBody = record({
  indexId: notBlank,
  query: numbers,
  k: placeholder(id, 0),
  kind: optionalText,
  label: optionalText,
}).meta({ id: 'VectorScanSpecification' });

export const hits = z
  .object({
    metric: z.enum(['Cosine', 'DotProduct', 'L2']),
    higherIsBetter: z.boolean(),
    results: z.array(z.object({ graphElementId: elementId, score: z.number() })),
  })
  .meta({ id: 'VectorScanResult', description: 'The nearest elements, best first.' });

export const vectorRoutes: readonly Route[] = [
  route({
    method: 'PUT',
    path: '/index/vector/:indexId',
    scope: 'namespace',
    tag: 'Graph',
    summary: 'Adds the vector of an element to an index that is not bound to an embedding.',
    params: { indexId: textInPath('Id of the index.') },
    body: json(addBody),
    answers: { 200: shows('True when it was added.', z.boolean()) },
    problems: ['notFound', ...booleanProblems],
    serve: (exchange, { indexId, body }) => addVector(exchange, indexId, body),
  }),
  route({
    method: 'POST',
    path: '/scan/index/vector',
    scope: 'namespace',
    tag: 'Graph',
    summary: 'The k nearest elements of a vector index, exactly.',
    body: json(scanBody),
    answers: { 200: shows('The elements and their scores.', hits) },
    problems: ['notFound'],
    serve: (exchange, { body }) => scanVectors(exchange, body),
  }),
];

export function definitionOf(vectors: VectorSet, indexId: string): VectorDefinition {
  const definition = vectors.find(indexId);
  if (definition === null) throw new Problem('notFound', `There is no index '${indexId}'.`);
  if (definition === 'otherKind') throw new Problem('badRequest', `The index '${indexId}' holds no vectors.`);
  return definition;
}

function addVector(
  exchange: Exchange,
  indexId: string,
  { graphElementId, vector, propertyId }: z.infer<typeof addBody>,
): Promise<Response> {
  const { vectors } = exchange.graph;
  const definition = definitionOf(vectors, indexId);
  if (definition.embeddingName !== null) {
    const detail = `The index '${indexId}' follows the embedding '${definition.embeddingName}': write that of the element.`;
    throw new Problem('badRequest', detail);
  }
  if (!vectors.hasElement(graphElementId)) {
    throw new Problem('notFound', `There is no element ${graphElementId}.`);
  }
  const hasProperty = propertyId !== null && propertyId !== '';
  if ((vector === null) === !hasProperty) {
    throw new Problem('badRequest', 'Exactly one of vector and propertyId is needed.');
  }
  const given = vector ?? vectors.readSingles(graphElementId, propertyId as string);
  if (given === null) {
    throw new Problem('badRequest', `Element ${graphElementId} has no property '${propertyId}' of numbers.`);
  }
  const checked = checkedVector(given, 'vector');
  checkRanks(checked, definition, 'vector', (of) => vectors.norm(of));
  return booleanOf(exchange, vectors.add(indexId, graphElementId, checked));
}

const masks: Readonly<Record<string, 1 | 2 | 3 | undefined>> = { any: 3, vertex: 1, edge: 2 };

async function scanVectors(
  exchange: Exchange,
  { indexId, query, k, kind, label }: z.infer<typeof scanBody>,
): Promise<Response> {
  const { vectors } = exchange.graph;
  const definition = definitionOf(vectors, indexId);
  const mask = kindMask(kind);
  checkK(k);
  const vector = checkedVector(query, 'query');
  checkRanks(vector, definition, 'query', (of) => vectors.norm(of));
  return searched(exchange, indexId, definition, { vector, k, mask, label });
}

/** Which elements a search is for. */
export function kindMask(kind: string | null): ResultMask {
  const mask = Object.hasOwn(masks, kind || 'any') ? masks[kind || 'any'] : undefined;
  if (mask === undefined) throw new Problem('badRequest', `'${kind}' is no kind: it is vertex, edge or any.`);
  return mask;
}

function checkK(k: number): void {
  if (k < 1 || k > maxResults) throw new Problem('badRequest', `k is ${k}; it takes 1 to ${maxResults}.`);
}

/** The answer to a search for a vector that ranks in the index. */
export async function searched(
  exchange: Exchange,
  indexId: string,
  definition: VectorDefinition,
  query: VectorQuery,
): Promise<Response> {
  checkK(query.k);
  const hits = await exchange.graph.vectors.search(indexId, definition, query, exchange.request.signal);
  if (hits === null) throw new Problem('notFound', `There is no index '${indexId}' any more.`);
  if (hits.ids.length === 0) noticeNoHit(exchange, indexId, query);
  const { metric } = definition;
  return exchange.value({
    metric,
    higherIsBetter: metric !== 'L2',
    results: Array.from(hits.ids, (element, i) => ({
      graphElementId: element | 0,
      score: shortSingle(hits.scores[i] as number),
    })),
  });
}

/** Says why nothing was found: as many as are asked for are, unless there are fewer in question. */
function noticeNoHit(exchange: Exchange, indexId: string, { mask, label }: VectorQuery): void {
  const { graph, warnings } = exchange;
  if (graph.indexes.find(indexId)?.values === 0) {
    warnings.add('emptyIndex', 'indexId', `The index '${indexId}' holds no vector.`);
    return;
  }
  if (label === null) return;
  const one = mask === 1 ? 'vertex' : mask === 2 ? 'edge' : 'element';
  const message = `No ${one} in the index '${indexId}' is labelled '${label}'.${suggestion(exchange, label)}`;
  warnings.add('noSuchLabel', 'label', message);
}
