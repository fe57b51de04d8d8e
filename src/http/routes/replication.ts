// The state of a graph as others follow it. What serves these routes loads with their first call.

import { z } from 'zod';
import { integerText } from '../../config/number-text.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { type Parameter, textInPath, textInQuery } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { alone, clusterMove, clusterShape } from '../replication/cluster.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';
import { namespaceNotFound } from './namespaces.ts';

/** A number of a commit; null when missing. */
function sequenceInQuery(description: string): Parameter<number | null> {
  const read = (text: string | null, name: string): number | null => {
    if (text === null) return null;
    const sequence = Number(text);
    if (integerText.test(text) && Number.isSafeInteger(sequence) && sequence >= 0) return sequence;
    throw new Problem('badRequest', `The query parameter ${name} takes the number of a commit.`);
  };
  return { schema: count, description, read };
}

const hashedState = z
  .object({
    hash: z.string().meta({ description: '32 hexadecimal digits.' }),
    position: z
      .object({
        epoch: z.string().meta({ description: 'The history, 32 hexadecimal digits.' }),
        sequence: count,
        chain: z.int().meta({ description: 'Checksum of the log up to there.' }),
      })
      .meta({ id: 'HistoryPosition', description: 'The last commit of a state.' })
      .nullable(),
  })
  .meta({ id: 'HashedState', description: 'Equal for equal states, whatever their history.' });

async function moveNamespace(
  exchange: Exchange,
  { body, name }: { readonly name: string; readonly body: z.infer<typeof clusterMove> },
): Promise<Response> {
  const { cluster } = exchange.service;
  const outcome = (await cluster?.move(name, body.node)) ?? 'unknownNode';
  if (outcome === 'unknownNamespace') throw namespaceNotFound(name);
  if (outcome === 'unknownNode') throw new Problem('conflict', `There is no node ${body.node} in this cluster.`);
  if (outcome === 'later')
    throw new Problem('overloaded', `${body.node} is not ready yet: the namespace moves there when it is.`, {}, [
      ['retry-after', '1'],
    ]);
  return exchange.value(cluster?.describe() ?? alone);
}

export const replicationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/cluster',
    scope: 'service',
    tag: 'Admin',
    summary: 'What part this node has in its cluster, and where the writer is.',
    answers: { 200: shows('As the node sees it.', clusterShape) },
    serve: (exchange) => exchange.value(exchange.service.cluster?.describe() ?? alone),
  }),
  route({
    method: 'PUT',
    path: '/cluster/namespaces/:name',
    scope: 'service',
    tag: 'Admin',
    rateLimited: true,
    summary: 'Moves a namespace to another node of the cluster.',
    description: 'Its writer gives it up when the other node is ready to take it; until then it goes on where it is.',
    params: { name: textInPath('Name of the namespace.') },
    body: json(clusterMove),
    answers: { 200: shows('It is written there.', clusterShape) },
    problems: ['namespaceNotFound', 'conflict', 'overloaded'],
    serve: moveNamespace,
  }),
  route({
    method: 'GET',
    path: '/hash',
    scope: 'namespace',
    tag: 'Admin',
    rateLimited: true,
    summary: 'A hash of the state: elements, properties, adjacency, indexes, documents.',
    description: 'Writes wait while it is taken; reads do not.',
    query: {
      at: sequenceInQuery(
        'Of the state after this commit: waits for it, 409 when later ones are there, 404 when it does not come.',
      ),
    },
    answers: { 200: shows('The hash, and the last commit that is in it.', hashedState) },
    problems: ['notFound', 'conflict', 'overloaded'],
    serve: async (exchange, { at }) => (await import('../replication/state-hash.ts')).answerHash(exchange, at),
  }),
  route({
    method: 'GET',
    path: '/log',
    scope: 'namespace',
    tag: 'Admin',
    summary: 'The commits behind a position, as frames, for replicas (Replica:Serve).',
    description: 'Waits for the next one. What frames are says src/engine/replication/frames.ts.',
    query: {
      from: sequenceInQuery('The last commit that is known; missing: 0.'),
      chain: sequenceInQuery('Its checksum: 409 where it is another one here.'),
      epoch: textInQuery('Its history: 409 where this is another one.'),
      waitMs: sequenceInQuery('Longest wait for something new, in milliseconds; 20,000 at most, missing: 0.'),
    },
    answers: {
      200: {
        description: 'Frames in a row; none where nothing came.',
        schema: z.string().meta({ format: 'binary' }),
        mediaTypes: ['application/octet-stream'],
        headers: {
          'x-arcwise-position': 'The last commit in the answer: history, number, checksum.',
          'x-arcwise-head': 'Number of the last commit there is.',
          'x-arcwise-feed': 'The change feed before the first frame: epoch and number of its last event.',
        },
      },
    },
    problems: ['conflict'],
    serve: async (exchange, { chain, epoch, from, waitMs }) => {
      const { answerLog } = await import('../replication/log.ts');
      return answerLog(exchange, { chain, epoch, from: from ?? 0, waitMs: waitMs ?? 0 });
    },
  }),
];
