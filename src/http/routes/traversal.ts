// Reads along the edges of one vertex, and the two ends of an edge.

import { z } from 'zod';
import type { Direction } from '../../engine/types.ts';
import type { Exchange } from '../exchange.ts';
import { answerRead } from '../one-read.ts';
import { idInPath, textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { count, elementId, elementIds } from '../shapes.ts';

const directions: readonly Direction[] = ['out', 'in'];
const ends = ['source', 'target'] as const;
const words = { out: 'outgoing', in: 'incoming' } as const;
const numbers = { out: 0, in: 1 } as const;

const read = { method: 'GET', scope: 'namespace', tag: 'Graph' } as const;
const ofVertex = { id: idInPath('Id of the vertex.') };
const ofGroup = { ...ofVertex, edgePropertyId: textInPath('Type of the edges.') };

export const traversalRoutes: readonly Route[] = [
  ...directions.flatMap(vertexRoutes),
  ...ends.map((end) =>
    route({
      ...read,
      path: `/edge/:id/${end}`,
      summary: `Id of the ${end} of an edge.`,
      params: { id: idInPath('Id of the edge.') },
      answers: { 200: shows('Id of the vertex.', elementId) },
      problems: ['notFound'],
      serve: (exchange, { id }) => numberOr404(exchange, exchange.graph.reads.endpoint(id, end), 'edge', id),
    }),
  ),
];

function vertexRoutes(direction: Direction): Route[] {
  const edges = `/vertex/:id/edges/${direction}`;
  const word = words[direction];
  const number = numbers[direction];
  return [
    route({
      ...read,
      path: edges,
      summary: `Types of the ${word} edges of a vertex.`,
      params: ofVertex,
      answers: { 200: shows('The types.', z.array(z.string())), 204: nothing('There is no such vertex.') },
      serve: (exchange, { id }) => answerRead(exchange, { what: 'edgeTypes', id, direction: number }),
    }),
    route({
      ...read,
      path: `${edges}degree`,
      summary: `Number of ${word} edges of a vertex.`,
      params: ofVertex,
      answers: { 200: shows('The number.', count) },
      problems: ['notFound'],
      serve: (exchange, { id }) => numberOr404(exchange, exchange.graph.reads.degree(id, direction), 'vertex', id),
    }),
    route({
      ...read,
      path: `${edges}/:edgePropertyId`,
      summary: `Ids of the ${word} edges of one type of a vertex.`,
      params: ofGroup,
      answers: { 200: shows('The ids.', elementIds), 204: nothing('There is no such vertex, or no such edge.') },
      serve: (exchange, { id, edgePropertyId: edgeType }) =>
        answerRead(exchange, { what: 'edgeGroup', id, direction: number, edgeType }),
    }),
    route({
      ...read,
      path: `${edges}/:edgePropertyId/degree`,
      summary: `Number of ${word} edges of one type of a vertex.`,
      params: ofGroup,
      answers: { 200: shows('The number; 0 when there are none of this type.', count) },
      problems: ['notFound'],
      serve: (exchange, { id, edgePropertyId }) =>
        numberOr404(exchange, exchange.graph.reads.groupDegree(id, direction, edgePropertyId), 'vertex', id),
    }),
  ];
}

function numberOr404(exchange: Exchange, value: number | null, kind: string, id: number): Response {
  if (value === null) throw new Problem('notFound', `There is no ${kind} ${id}.`);
  return exchange.value(value);
}
