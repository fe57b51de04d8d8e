// Reads of elements: one by id, many by ids, a page of the whole graph, the counts.

import { list } from '../bodies.ts';
import { answerRead } from '../one-read.ts';
import { idInPath, integerInQuery } from '../parameters.ts';
import { isPlainId } from '../plain-bodies.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { id } from '../schemas.ts';
import { count, edgeShape, elementPage, elementShape, graphPage, vertexShape } from '../shapes.ts';

const defaultPageElements = 1000;
const maxPageElements = 100_000;
/** Most ids `POST /graphelements/get` takes. */
const maxElementsOfGet = 100_000;

const read = { method: 'GET', scope: 'namespace', tag: 'Graph' } as const;
const notThere = nothing('There is no such element.');

export const elementReadRoutes: readonly Route[] = [
  route({
    ...read,
    path: '/vertex/count',
    summary: 'Number of vertices.',
    answers: { 200: shows('The number.', count) },
    serve: (exchange) => exchange.value(exchange.graph.vertexCount),
  }),
  route({
    ...read,
    path: '/edge/count',
    summary: 'Number of edges.',
    answers: { 200: shows('The number.', count) },
    serve: (exchange) => exchange.value(exchange.graph.edgeCount),
  }),
  route({
    ...read,
    path: '/vertex/:id',
    summary: 'One vertex by its id.',
    params: { id: idInPath('Id of the vertex.') },
    answers: { 200: shows('The vertex.', vertexShape), 204: nothing('There is no such vertex.') },
    serve: (exchange, { id }) => answerRead(exchange, { what: 'element', id, kind: 1 }),
  }),
  route({
    ...read,
    path: '/edge/:id',
    summary: 'One edge by its id.',
    params: { id: idInPath('Id of the edge.') },
    answers: { 200: shows('The edge.', edgeShape), 204: nothing('There is no such edge.') },
    serve: (exchange, { id }) => answerRead(exchange, { what: 'element', id, kind: 2 }),
  }),
  route({
    ...read,
    path: '/graphelement/:id',
    summary: 'One vertex or edge by its id.',
    params: { id: idInPath('Id of the element.') },
    answers: { 200: shows('The vertex or edge.', elementShape), 204: notThere },
    serve: (exchange, { id }) => answerRead(exchange, { what: 'element', id, kind: 0 }),
  }),
  route({
    ...read,
    method: 'POST',
    path: '/graphelements/get',
    summary: 'Many elements by their ids.',
    body: list(id, { isPlain: isPlainId, maxItems: maxElementsOfGet, description: 'Ids; repeated ones count once.' }),
    answers: { 200: shows('The elements, and the ids that name none.', elementPage) },
    serve: async (exchange, { body }) =>
      exchange.jsonBody(await exchange.graph.reads.elements(body, exchange.request.signal)),
  }),
  route({
    ...read,
    path: '/graph',
    summary: 'The first vertices and edges of the graph.',
    query: { maxElements: integerInQuery(defaultPageElements, 'Most vertices, and most edges: 0 to 100000.') },
    answers: { 200: shows('Vertices and edges by ascending id.', graphPage) },
    serve: async (exchange, { maxElements }) => {
      const elements = Math.min(Math.max(maxElements, 0), maxPageElements);
      return exchange.jsonBody(await exchange.graph.reads.graph(elements, exchange.request.signal));
    },
  }),
];
