// Element embeddings of the caller's own (contract part 3, Element embeddings; reference section 18).

import { z } from 'zod';
import { embeddingName } from '../../core/embeddings.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idInPath, type Parameter, textInPath, waitForCompletion } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { record } from '../schemas.ts';
import { checkedVector, checkRanks, numbers } from '../vector-bodies.ts';
import { write, writeProblems } from '../writes.ts';

const encoder = new TextEncoder();

const embedding = z
  .object({
    name: z.string(),
    vector: z.array(z.number().nullable()).meta({ description: 'Null stands for a component JSON has no number for.' }),
    model: z.string().nullable().meta({ description: "Stamp of the provider; null for a vector of the caller's own." }),
  })
  .meta({ id: 'Embedding' });

const nameInPath: Parameter<string> = {
  ...textInPath('Name of the embedding.'),
  schema: z.string().regex(embeddingName),
  read: (text) => {
    checkName(text ?? '');
    return text ?? '';
  },
};

/** Throws a Problem for what is no name of an embedding. */
export function checkName(name: string): void {
  if (embeddingName.test(name)) return;
  throw new Problem('badRequest', 'The name of an embedding takes 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.');
}

const ofElement = {
  path: '/graphelement/:id/embedding/:name',
  scope: 'namespace',
  tag: 'Embedding',
  params: { id: idInPath('Id of the element.'), name: nameInPath },
} as const;
const accepted = nothing('Accepted; when waited for, committed.');

export const embeddingRoutes: readonly Route[] = [
  route({
    ...ofElement,
    method: 'PUT',
    summary: 'Gives an element a named vector.',
    query: { waitForCompletion },
    body: json(record({ vector: numbers }).meta({ id: 'EmbeddingSpecification' })),
    answers: { 202: accepted },
    problems: writeProblems,
    serve: (exchange, { id, name, body, waitForCompletion }) => {
      const vector = checkedVector(body.vector, 'vector');
      const { vectors } = exchange.graph;
      checkElement(exchange, id);
      for (const definition of vectors.boundTo(name)) {
        checkRanks(vector, definition, 'vector', (of) => vectors.norm(of));
      }
      return write(exchange, vectors.embeddingWrite(id, name, vector), waitForCompletion);
    },
  }),
  route({
    ...ofElement,
    method: 'GET',
    summary: 'The named vector of an element.',
    answers: { 200: shows('The vector, and the model that made it.', embedding) },
    problems: ['notFound'],
    serve: (exchange, { id, name }) => readEmbedding(exchange, id, name),
  }),
  route({
    ...ofElement,
    method: 'DELETE',
    summary: 'Takes a named vector from an element.',
    query: { waitForCompletion },
    answers: { 202: accepted },
    problems: writeProblems,
    serve: (exchange, { id, name, waitForCompletion }) => {
      checkElement(exchange, id);
      return write(exchange, exchange.graph.vectors.embeddingRemoval(id, name), waitForCompletion);
    },
  }),
];

/** Before the write, so that a missing element is missed whether the write is waited for or not. */
function checkElement(exchange: Exchange, element: number): void {
  if (!exchange.graph.vectors.hasElement(element)) throw new Problem('notFound', `There is no element ${element}.`);
}

function readEmbedding(exchange: Exchange, element: number, name: string): Response {
  const found = exchange.graph.vectors.readEmbedding(element, name);
  if (found === null) throw new Problem('notFound', `Element ${element} has no embedding '${name}'.`);
  // An import may have brought components that JSON has no number for.
  const vector = found.vector.replace(/-?(?:NaN|Infinity|∞)/g, 'null');
  return exchange.json(encoder.encode(`{"name":"${name}","vector":${vector},"model":${found.model}}`));
}
