// Subgraphs: `/subgraph` and what is below it (contract part 2, Subgraphs; reference section 11).

import type { TemplateBody } from '../../queries/subgraphs/patterns.ts';
import type { SubgraphFailure } from '../../queries/subgraphs/refusal.ts';
import type { SubgraphRegistry } from '../../queries/subgraphs/registry.ts';
import { createSubgraph, type SpecificationRefusal } from '../../queries/subgraphs/run-subgraph.ts';
import { summaryOf } from '../../queries/subgraphs/summary.ts';
import { codeBodyBytes, readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { integerQuery, textParameter, textQuery } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import type { Method, Route } from '../route.ts';
import { subgraphSpecification } from '../schemas-queries.ts';
import { refuseQueryText } from '../semantic.ts';
import { committed, durable } from '../writes.ts';
import { invokedQuery } from './stored-queries.ts';

const route = (method: Method, path: string, serve: Route['serve'], rateLimited = false): Route => ({
  ...{ method, path, serve, rateLimited },
  scope: 'namespace',
});

export const subgraphRoutes: readonly Route[] = [
  route('PUT', '/subgraph', putSubgraph, true),
  route('GET', '/subgraph', listSubgraphs),
  route('GET', '/subgraph/:name', readSubgraph),
  route('DELETE', '/subgraph/:name', deleteSubgraph),
  route('GET', '/subgraph/:name/graph', readSubgraphGraph),
  route('POST', '/subgraph/:name/recalculate', recalculateSubgraph),
];

const defaultElements = 1000;
const mostElements = 100_000;

function registryOf(exchange: Exchange): SubgraphRegistry {
  return exchange.service.queries.subgraphs(exchange.graph);
}

async function putSubgraph(exchange: Exchange): Promise<Response> {
  const body = await readJson(exchange, subgraphSpecification, { maxBytes: codeBodyBytes });
  refuseQueryText(body.semantic);
  const { name, algorithm, vertexFilter, edgeFilter, patterns, storedQuery, semantic, additionalInformation } = body;
  const specification = {
    ...{ name, algorithm, storedQuery, semantic, additionalInformation },
    fromSubGraph: textQuery(exchange, 'fromSubGraph'),
    template: { vertexFilter, edgeFilter, patterns },
  };
  const lookUp = async (query: string): Promise<TemplateBody> => (await invokedQuery(exchange, query, 'SubGraph')).body;
  const outcome = await createSubgraph(registryOf(exchange), specification, lookUp, exchange.caller);
  if (!outcome.ok) throw refused(exchange, outcome, creationProblems);
  await durable(committed(outcome.outcome));
  const location = exchange.placeOf(`/subgraph/${encodeURIComponent(name)}`);
  return exchange.value(summaryOf(outcome.subgraph), 201, [['location', location]]);
}

async function listSubgraphs(exchange: Exchange): Promise<Response> {
  return exchange.value(await registryOf(exchange).names());
}

async function readSubgraph(exchange: Exchange): Promise<Response> {
  const name = textParameter(exchange, 'name');
  const subgraph = await registryOf(exchange).find(name);
  if (subgraph === null) throw noSubgraph(name);
  return exchange.value(summaryOf(subgraph));
}

async function readSubgraphGraph(exchange: Exchange): Promise<Response> {
  const name = textParameter(exchange, 'name');
  const asked = integerQuery(exchange, 'maxElements', defaultElements);
  const maxElements = Math.min(Math.max(asked, 0), mostElements);
  const body = await registryOf(exchange).read(name, maxElements, exchange.request.signal);
  if (body === null) throw noSubgraph(name);
  return exchange.jsonBody(body);
}

async function deleteSubgraph(exchange: Exchange): Promise<Response> {
  const name = textParameter(exchange, 'name');
  const outcome = await registryOf(exchange).remove(name);
  if (outcome === false) throw noSubgraph(name);
  await durable(committed(outcome));
  return exchange.empty(204);
}

async function recalculateSubgraph(exchange: Exchange): Promise<Response> {
  const name = textParameter(exchange, 'name');
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
  return new Problem(problems[refusal.failure], refusal.detail);
}
