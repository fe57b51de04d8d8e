// Subgraphs: `/subgraph` and what is below it (contract part 2, Subgraphs; reference section 11).

import { z } from 'zod';
import type { TemplateBody } from '../../queries/subgraphs/patterns.ts';
import type { SubgraphFailure } from '../../queries/subgraphs/refusal.ts';
import type { SubgraphRegistry } from '../../queries/subgraphs/registry.ts';
import { createSubgraph, type SpecificationRefusal } from '../../queries/subgraphs/run-subgraph.ts';
import { summaryOf } from '../../queries/subgraphs/summary.ts';
import { codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { integerInQuery, textInPath, textInQuery } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { notBlank, optionalText, record, standsFor } from '../schemas.ts';
import { semantic, templateMembers } from '../schemas-queries.ts';
import { embeddingProblems, noticeEmbedding, resolvedSemantic } from '../semantic.ts';
import { count, graphPage } from '../shapes.ts';
import { booleanProblems, committed, durable } from '../writes.ts';
import { invokedQuery } from './stored-queries.ts';

/** Texts by any name; a schema of records would lose `__proto__`. */
const textsByName = standsFor(
  z.record(z.string(), z.string()),
  z.custom<Readonly<Record<string, string>>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((text) => typeof text === 'string'),
    'Expected an object of texts.',
  ),
);

/** What a word means, and what may stand beside what, is not decided here. */
const specification = record({
  name: notBlank,
  algorithm: optionalText,
  ...templateMembers,
  storedQuery: optionalText,
  semantic: semantic.nullable().default(null),
  additionalInformation: textsByName.nullable().default(null),
}).meta({ id: 'SubGraphSpecification' });

const semanticSummary = z
  .object({
    embeddingName: z.string().nullable(),
    metric: z.string().nullable(),
    dimension: count,
    queryText: z.string().nullable(),
    minScore: z.number().nullable(),
    patternThresholds: z.array(z.object({ pattern: z.string(), minScore: z.number() })).nullable(),
    embeddingBackend: z.string().optional(),
    embeddingIdentity: z.string().nullable().optional(),
  })
  .meta({ id: 'SubGraphSemantic' });

const summary = z
  .object({
    name: z.string(),
    vertexCount: count,
    edgeCount: count,
    algorithmPluginName: z.string(),
    sourceGraphId: z.string(),
    canRecalculate: z.boolean(),
    additionalInformation: z.record(z.string(), z.string()).nullable(),
    semantic: semanticSummary.optional(),
  })
  .meta({ id: 'SubGraph' });

const defaultElements = 1000;
const mostElements = 100_000;

const base = { scope: 'namespace', tag: 'SubGraph', path: '/subgraph' } as const;
const one = { ...base, path: '/subgraph/:name', params: { name: textInPath('Name of the subgraph.') } } as const;

export const subgraphRoutes: readonly Route[] = [
  route({
    ...base,
    method: 'PUT',
    rateLimited: true,
    summary: 'Extracts a subgraph and registers it.',
    query: { fromSubGraph: textInQuery('Subgraph to extract it from, instead of the graph.') },
    body: json(specification, { maxBytes: codeBodyBytes }),
    answers: { 201: shows('Registered.', summary, { location: 'Its path.' }) },
    problems: [...embeddingProblems, 'notFound', 'requestTimeout', 'conflict', ...booleanProblems],
    serve: putSubgraph,
  }),
  route({
    ...base,
    method: 'GET',
    summary: 'Names of all subgraphs.',
    answers: { 200: shows('The names.', z.array(z.string())) },
    serve: listSubgraphs,
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'One subgraph.',
    answers: { 200: shows('The subgraph.', summary) },
    problems: ['notFound'],
    serve: readSubgraph,
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a subgraph.',
    answers: { 204: nothing('It is gone.') },
    problems: ['notFound', ...booleanProblems],
    serve: deleteSubgraph,
  }),
  route({
    ...one,
    method: 'GET',
    path: '/subgraph/:name/graph',
    summary: 'The first vertices and edges of a subgraph, by its own ids.',
    query: { maxElements: integerInQuery(defaultElements, 'Most vertices, and most edges: 0 to 100000.') },
    answers: { 200: shows('Vertices and edges by ascending id.', graphPage) },
    problems: ['notFound'],
    serve: readSubgraphGraph,
  }),
  route({
    ...one,
    method: 'POST',
    path: '/subgraph/:name/recalculate',
    summary: 'Extracts a subgraph again.',
    answers: { 200: shows('With its new contents.', summary) },
    problems: ['notFound', 'conflict', 'requestTimeout', 'internal'],
    serve: recalculateSubgraph,
  }),
];

interface Named {
  readonly name: string;
}

function registryOf(exchange: Exchange): SubgraphRegistry {
  return exchange.service.queries.subgraphs(exchange.graph);
}

async function putSubgraph(
  exchange: Exchange,
  { body, fromSubGraph }: { body: z.infer<typeof specification>; fromSubGraph: string | null },
): Promise<Response> {
  const semantic = await resolvedSemantic(exchange, body.semantic);
  noticeEmbedding(exchange, semantic);
  const { name, algorithm, vertexFilter, edgeFilter, patterns, storedQuery, additionalInformation } = body;
  const wanted = {
    ...{ name, algorithm, storedQuery, semantic, additionalInformation },
    fromSubGraph,
    template: { vertexFilter, edgeFilter, patterns },
  };
  const lookUp = async (query: string): Promise<TemplateBody> => (await invokedQuery(exchange, query, 'SubGraph')).body;
  const outcome = await createSubgraph(registryOf(exchange), wanted, lookUp, exchange.caller);
  if (!outcome.ok) throw refused(exchange, outcome, creationProblems);
  await durable(committed(outcome.outcome));
  const location = exchange.placeOf(`/subgraph/${encodeURIComponent(name)}`);
  return exchange.value(summaryOf(outcome.subgraph), 201, [['location', location]]);
}

async function listSubgraphs(exchange: Exchange): Promise<Response> {
  return exchange.value(await registryOf(exchange).names());
}

async function readSubgraph(exchange: Exchange, { name }: Named): Promise<Response> {
  const subgraph = await registryOf(exchange).find(name);
  if (subgraph === null) throw noSubgraph(name);
  return exchange.value(summaryOf(subgraph));
}

async function readSubgraphGraph(
  exchange: Exchange,
  { name, maxElements: asked }: Named & { maxElements: number },
): Promise<Response> {
  const maxElements = Math.min(Math.max(asked, 0), mostElements);
  const body = await registryOf(exchange).read(name, maxElements, exchange.request.signal);
  if (body === null) throw noSubgraph(name);
  return exchange.jsonBody(body);
}

async function deleteSubgraph(exchange: Exchange, { name }: Named): Promise<Response> {
  const outcome = await registryOf(exchange).remove(name);
  if (outcome === false) throw noSubgraph(name);
  await durable(committed(outcome));
  return exchange.empty(204);
}

async function recalculateSubgraph(exchange: Exchange, { name }: Named): Promise<Response> {
  const outcome = await registryOf(exchange).recalculate(name, exchange.caller);
  if (outcome.ok) return exchange.value(summaryOf(outcome.subgraph));
  throw refused(exchange, outcome, recalculationProblems);
}

function noSubgraph(name: string): Problem {
  return new Problem('notFound', `There is no subgraph '${name}'.`);
}

const creationProblems: Readonly<Record<SpecificationRefusal['failure'], ProblemKind>> = {
  invalid: 'badRequest',
  notCompiled: 'badRequest',
  declined: 'badRequest',
  noSource: 'notFound',
  notFound: 'notFound',
  duplicate: 'conflict',
  quota: 'conflict',
  tooLarge: 'conflict',
  restless: 'conflict',
  limit: 'requestTimeout',
  threw: 'internal',
  memory: 'memoryLimit',
};

/** Whatever keeps a registered subgraph from being made again is a conflict: its contents stay. */
const recalculationProblems: Readonly<Record<SubgraphFailure, ProblemKind>> = {
  ...creationProblems,
  notCompiled: 'conflict',
  declined: 'conflict',
  noSource: 'conflict',
  limit: 'conflict',
  threw: 'conflict',
  memory: 'conflict',
};

function refused<Failure extends string>(
  exchange: Exchange,
  refusal: { readonly failure: Failure; readonly detail: string; readonly cause?: string },
  problems: Readonly<Record<Failure, ProblemKind>>,
): Problem {
  if (refusal.cause !== undefined) {
    exchange.service.platform.logger.warn(`${exchange.path}: a fragment threw ${refusal.cause}.`);
  }
  return new Problem(problems[refusal.failure], refusal.detail, exchange.thrown(refusal.cause));
}
