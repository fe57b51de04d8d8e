// The state of a graph as others follow it. What serves these routes loads with their first call.

import { z } from 'zod';
import { integerText } from '../../config/number-text.ts';
import type { Parameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';

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

export const replicationRoutes: readonly Route[] = [
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
];
