// Reads along the edges of one vertex, and the two ends of an edge.

import type { Direction } from '../../engine/types.ts';
import type { Exchange } from '../exchange.ts';
import { idParameter, textParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';

const directions: readonly Direction[] = ['out', 'in'];
const ends = ['source', 'target'] as const;

export const traversalRoutes: readonly Route[] = [
  ...directions.flatMap(vertexRoutes),
  ...ends.map(
    (end): Route => ({
      method: 'GET',
      path: `/edge/:id/${end}`,
      scope: 'namespace',
      serve: (exchange) => readEndpoint(exchange, end),
    }),
  ),
];

function vertexRoutes(direction: Direction): Route[] {
  const read = (path: string, serve: (exchange: Exchange, direction: Direction) => Response): Route => ({
    method: 'GET',
    path: `/vertex/:id/edges/${path}`,
    scope: 'namespace',
    serve: (exchange) => serve(exchange, direction),
  });
  return [
    read(direction, readEdgeTypes),
    read(`${direction}degree`, readDegree),
    read(`${direction}/:edgePropertyId`, readGroup),
    read(`${direction}/:edgePropertyId/degree`, readGroupDegree),
  ];
}

function readEdgeTypes(exchange: Exchange, direction: Direction): Response {
  const json = exchange.graph.reads.edgeTypes(idParameter(exchange), direction);
  return json === null ? exchange.empty(204) : exchange.json(json);
}

function readGroup(exchange: Exchange, direction: Direction): Response {
  const edgeType = textParameter(exchange, 'edgePropertyId');
  const json = exchange.graph.reads.edgeGroup(idParameter(exchange), direction, edgeType);
  return json === null ? exchange.empty(204) : exchange.json(json);
}

function readDegree(exchange: Exchange, direction: Direction): Response {
  const id = idParameter(exchange);
  return numberOr404(exchange, exchange.graph.reads.degree(id, direction), 'vertex', id);
}

function readGroupDegree(exchange: Exchange, direction: Direction): Response {
  const id = idParameter(exchange);
  const degree = exchange.graph.reads.groupDegree(id, direction, textParameter(exchange, 'edgePropertyId'));
  return numberOr404(exchange, degree, 'vertex', id);
}

function readEndpoint(exchange: Exchange, end: 'source' | 'target'): Response {
  const id = idParameter(exchange);
  return numberOr404(exchange, exchange.graph.reads.endpoint(id, end), 'edge', id);
}

function numberOr404(exchange: Exchange, value: number | null, kind: string, id: number): Response {
  if (value === null) throw new Problem('notFound', `There is no ${kind} ${id}.`);
  return exchange.value(value);
}
