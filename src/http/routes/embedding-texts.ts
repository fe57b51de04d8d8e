// Texts as vectors: into elements, in a search, and as they are (contract part 3, Endpoints; reference 18). Order of checks: the switch, the
// body, name and texts, elements or index, the provider's identity against what indexes declare, the provider, the write.

import { z } from 'zod';
import type { WriteOperation } from '../../core/requests.ts';
import { CoreStatus } from '../../core/status.ts';
import type { VectorDefinition } from '../../core/vectors.ts';
import { type Body, codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { id, notBlank, optionalText, record } from '../schemas.ts';
import { embedded, embeddingProblems, requireEmbedding } from '../semantic.ts';
import { shortSingle } from '../vector-bodies.ts';
import { writtenValue } from '../writes.ts';
import { checkName } from './embeddings.ts';
import { definitionOf, hits, kindMask, searched } from './vectors.ts';

const name = z.string().default('default');

const elementText = record({ graphElementId: id, text: notBlank, name }).meta({ id: 'ElementText' });
const elementTexts = record({
  name,
  items: z.array(record({ graphElementId: id, text: z.string() })),
}).meta({ id: 'ElementTexts' });
const textSearch = record({ indexId: notBlank, text: notBlank, k: id, kind: optionalText, label: optionalText }).meta({
  id: 'TextSearchSpecification',
});
const texts = record({ texts: z.array(z.string()) }).meta({ id: 'Texts' });

const vectors = z
  .object({
    model: z.string().meta({ description: 'Stamp of the provider: name[@version]#dimension#metric.' }),
    dimension: z.int(),
    vectors: z.array(z.array(z.number())),
  })
  .meta({ id: 'TextVectors', description: 'A vector for each text, in their order.' });

const base = { method: 'POST', scope: 'namespace', tag: 'Embedding', rateLimited: true } as const;
const done = { 200: shows('True: it is written.', z.boolean()) };
const writing: readonly ProblemKind[] = [...embeddingProblems, 'notFound', 'conflict', 'notDurable'];

export const embeddingTextRoutes: readonly Route[] = [
  route({
    ...base,
    path: '/embedding/element',
    summary: 'Embeds a text into an element.',
    body: whenOn(json(elementText, { maxBytes: codeBodyBytes })),
    answers: done,
    problems: [...writing, 'embeddingWriteMissed', 'embeddingWriteFailed'],
    serve: async (exchange, { body: { graphElementId, text, name } }) => {
      checkName(name);
      checkText(exchange, text, 'text');
      checkElement(exchange, graphElementId);
      const rolledBack = { missed: 'embeddingWriteMissed', failed: 'embeddingWriteFailed' } as const;
      return embedInto(exchange, name, [{ graphElementId, text }], rolledBack);
    },
  }),
  route({
    ...base,
    path: '/embedding/elements',
    summary: 'Embeds texts into elements, all or none.',
    body: whenOn(json(elementTexts, { maxBytes: codeBodyBytes })),
    answers: done,
    problems: [...writing, 'embeddingBatchMissed', 'embeddingBatchFailed'],
    serve: async (exchange, { body: { name, items } }) => {
      checkCount(exchange, items.length, 'items');
      checkName(name);
      for (const [i, { graphElementId, text }] of items.entries()) {
        checkText(exchange, text, `items[${i}].text`);
        checkElement(exchange, graphElementId);
      }
      const rolledBack = { missed: 'embeddingBatchMissed', failed: 'embeddingBatchFailed' } as const;
      return embedInto(exchange, name, items, rolledBack);
    },
  }),
  route({
    ...base,
    path: '/embedding/search',
    summary: 'The k nearest elements of a vector index to a text, exactly.',
    body: whenOn(json(textSearch, { maxBytes: codeBodyBytes })),
    answers: { 200: shows('The elements and their scores.', hits) },
    problems: [...embeddingProblems, 'notFound', 'conflict'],
    serve: async (exchange, { body: { indexId, text, k, kind, label } }) => {
      checkText(exchange, text, 'text');
      const definition = definitionOf(exchange.graph.vectors, indexId);
      checkIdentity(exchange, definition, `The index '${indexId}'`);
      const mask = kindMask(kind);
      const { embedding } = exchange.service;
      const vector = await embedded(() => embedding.embedQuery(text, exchange.request.signal));
      return searched(exchange, indexId, definition, { vector, k, mask, label });
    },
  }),
  route({
    ...base,
    path: '/embedding/text',
    summary: 'Texts as vectors.',
    body: whenOn(json(texts, { maxBytes: codeBodyBytes })),
    answers: { 200: shows('The vectors.', vectors) },
    problems: embeddingProblems,
    serve: async (exchange, { body: { texts } }) => {
      checkCount(exchange, texts.length, 'texts');
      for (const [i, text] of texts.entries()) checkText(exchange, text, `texts[${i}]`);
      const { embedding } = exchange.service;
      const made = await embedded(() => embedding.embed(texts, exchange.request.signal));
      const { stamp, dimension } = embedding;
      const lists = await listsOf(made, () => exchange.service.platform.pause());
      const head = JSON.stringify({ model: stamp, dimension }).slice(0, -1);
      return exchange.json(new TextEncoder().encode(`${head},"vectors":[${lists.join(',')}]}`));
    },
  }),
];

/** Numbers that become texts between two pauses: about a millisecond. */
const numbersAtOnce = 512;

/** Vectors as lists in JSON. A batch of long ones would hold everybody else up for a tenth of a second. */
async function listsOf(vectors: readonly Float32Array[], pause: () => Promise<void>): Promise<string[]> {
  const lists: string[] = [];
  let numbers = 0;
  for (const vector of vectors) {
    lists.push(`[${Array.from(vector, shortSingle).join(',')}]`);
    numbers += vector.length;
    if (numbers < numbersAtOnce) continue;
    numbers = 0;
    await pause();
  }
  return lists;
}

/** `body`, of which nothing is read while the provider is off. */
function whenOn<Value>(body: Body<Value>): Body<Value> {
  const { read } = body;
  if (read === undefined) return body;
  return {
    ...body,
    read: (exchange) => {
      requireEmbedding(exchange);
      return read(exchange);
    },
  };
}

function checkCount({ service }: Exchange, count: number, member: string): void {
  const most = service.settings['Embedding:MaxBatchSize'];
  if (count > 0 && count <= most) return;
  throw new Problem('badRequest', `${member} has ${count} entries; it takes 1 to ${most} (Embedding:MaxBatchSize).`);
}

function checkText({ service }: Exchange, text: string, place: string): void {
  const most = service.settings['Embedding:MaxTextLength'];
  if (text.trim() === '') throw new Problem('badRequest', `${place} is blank.`);
  if (text.length <= most) return;
  throw new Problem(
    'badRequest',
    `${place} has ${text.length} characters; ${most} is the most (Embedding:MaxTextLength).`,
  );
}

function checkElement({ graph }: Exchange, element: number): void {
  if (!graph.vectors.hasElement(element)) throw new Problem('notFound', `There is no element ${element}.`);
}

/** What an index declares of its vectors has to be what the provider makes. */
function checkIdentity({ service }: Exchange, { dimension, model }: VectorDefinition, index: string): void {
  const { embedding } = service;
  if (dimension !== embedding.dimension) {
    const detail = `${index} holds vectors of ${dimension} components, the provider makes ${embedding.dimension}.`;
    throw new Problem('conflict', detail);
  }
  if (model === null || model === embedding.stamp) return;
  throw new Problem('conflict', `${index} is for the model '${model}', the provider is '${embedding.stamp}'.`);
}

interface RolledBack {
  /** An element has gone while its text was with the provider. */
  readonly missed: ProblemKind;
  readonly failed: ProblemKind;
}

async function embedInto(
  exchange: Exchange,
  name: string,
  items: readonly { readonly graphElementId: number; readonly text: string }[],
  { missed, failed }: RolledBack,
): Promise<Response> {
  const { graph, service, request } = exchange;
  for (const definition of graph.vectors.boundTo(name)) {
    checkIdentity(exchange, definition, `An index of the embedding '${name}'`);
  }
  const { embedding } = service;
  const made = await embedded(() =>
    embedding.embed(
      items.map(({ text }) => text),
      request.signal,
    ),
  );
  const operations = items.flatMap(({ graphElementId }, i): WriteOperation[] => {
    return graph.vectors.embeddingWrite(graphElementId, name, made[i] as Float32Array, embedding.stamp);
  });
  for (let hold = graph.writeHold(); hold !== null; hold = graph.writeHold()) await hold;
  const outcome = graph.write(operations);
  if (outcome.ok) return writtenValue(exchange, true, outcome.durable);
  if (outcome.status === CoreStatus.notFound || outcome.status === CoreStatus.wrongKind) {
    throw new Problem(missed, `There is no element ${outcome.element} any more. Nothing was changed.`);
  }
  throw new Problem(failed, 'The namespace has no memory left for this write. Nothing was changed.');
}
