// Element embeddings of the caller's own (contract part 3, Element embeddings; reference section 18).

import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idParameter, textParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { record } from '../schemas.ts';
import { checkedVector, checkRanks, numbers } from '../vector-bodies.ts';
import { write } from '../writes.ts';

const path = '/graphelement/:id/embedding/:name';

export const embeddingRoutes: readonly Route[] = [
  { method: 'PUT', path, scope: 'namespace', serve: putEmbedding },
  { method: 'GET', path, scope: 'namespace', serve: readEmbedding },
  { method: 'DELETE', path, scope: 'namespace', serve: deleteEmbedding },
];

const body = record({ vector: numbers });

const nameGrammar = /^[A-Za-z0-9_-]{1,64}$/;
const encoder = new TextEncoder();

function nameOf(exchange: Exchange): string {
  const name = textParameter(exchange, 'name');
  if (nameGrammar.test(name)) return name;
  throw new Problem('badRequest', 'The name of an embedding takes 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.');
}

/** Before the write, so that a missing element is missed whether the write is waited for or not. */
function checkElement(exchange: Exchange, element: number): void {
  if (!exchange.graph.vectors.hasElement(element)) throw new Problem('notFound', `There is no element ${element}.`);
}

async function putEmbedding(exchange: Exchange): Promise<Response> {
  const element = idParameter(exchange);
  const name = nameOf(exchange);
  const vector = checkedVector((await readJson(exchange, body)).vector, 'vector');
  const { vectors } = exchange.graph;
  checkElement(exchange, element);
  for (const definition of vectors.boundTo(name)) {
    checkRanks(vector, definition, 'vector', (of) => vectors.norm(of));
  }
  return write(exchange, vectors.embeddingWrite(element, name, vector));
}

async function deleteEmbedding(exchange: Exchange): Promise<Response> {
  const element = idParameter(exchange);
  const name = nameOf(exchange);
  checkElement(exchange, element);
  return write(exchange, exchange.graph.vectors.embeddingRemoval(element, name));
}

function readEmbedding(exchange: Exchange): Response {
  const element = idParameter(exchange);
  const name = nameOf(exchange);
  const found = exchange.graph.vectors.readEmbedding(element, name);
  if (found === null) throw new Problem('notFound', `Element ${element} has no embedding '${name}'.`);
  // An import may have brought components that JSON has no number for.
  const vector = found.vector.replace(/-?(?:NaN|Infinity|∞)/g, 'null');
  return exchange.json(encoder.encode(`{"name":"${name}","vector":${vector},"model":${found.model}}`));
}
