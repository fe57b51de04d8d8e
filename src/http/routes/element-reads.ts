// Reads of elements: one by id, many by ids, a page of the whole graph, the counts.

import type { ElementKind } from '../../engine/types.ts';
import { readList } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idParameter, integerQuery } from '../parameters.ts';
import type { Route } from '../route.ts';
import { idsOfGet } from '../schemas.ts';

const defaultPageElements = 1000;
const maxPageElements = 100_000;

export const elementReadRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/vertex/count',
    scope: 'namespace',
    serve: (exchange) => exchange.value(exchange.graph.vertexCount),
  },
  {
    method: 'GET',
    path: '/edge/count',
    scope: 'namespace',
    serve: (exchange) => exchange.value(exchange.graph.edgeCount),
  },
  { method: 'GET', path: '/vertex/:id', scope: 'namespace', serve: (exchange) => readElement(exchange, 'vertex') },
  { method: 'GET', path: '/edge/:id', scope: 'namespace', serve: (exchange) => readElement(exchange, 'edge') },
  { method: 'GET', path: '/graphelement/:id', scope: 'namespace', serve: (exchange) => readElement(exchange, 'any') },
  { method: 'POST', path: '/graphelements/get', scope: 'namespace', serve: readElements },
  { method: 'GET', path: '/graph', scope: 'namespace', serve: readGraph },
];

function readElement(exchange: Exchange, kind: ElementKind): Response {
  const json = exchange.graph.reads.element(idParameter(exchange), kind);
  return json === null ? exchange.empty(204) : exchange.json(json);
}

async function readElements(exchange: Exchange): Promise<Response> {
  const ids = await readList(exchange, idsOfGet);
  return exchange.jsonBody(await exchange.graph.reads.elements(ids, exchange.request.signal));
}

async function readGraph(exchange: Exchange): Promise<Response> {
  const wanted = integerQuery(exchange, 'maxElements', defaultPageElements);
  const elements = Math.min(Math.max(wanted, 0), maxPageElements);
  return exchange.jsonBody(await exchange.graph.reads.graph(elements, exchange.request.signal));
}
