// The hash of a graph's state over HTTP.

import type { GraphEngine } from '../../engine/types.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import { reached } from './positions.ts';

/** `at`: the commit whose state is meant; null: that of now. */
export async function answerHash(exchange: Exchange, at: number | null): Promise<Response> {
  const { graph } = exchange;
  if (at !== null) {
    if (graph.position === null) throw new Problem('notFound', 'Nothing is logged here, so no commit has a number.');
    if (!(await reached(exchange, at))) throw new Problem('notFound', `There is no commit ${at} yet.`);
    checkAt(graph, at);
  }
  const hashed = await graph.runs.stateHash(exchange.request.signal).catch(neverStill);
  if (at !== null && hashed.position?.sequence !== at) checkAt(graph, at);
  return exchange.value(hashed);
}

function checkAt(graph: GraphEngine, at: number): void {
  const sequence = graph.position?.sequence;
  if (sequence !== at)
    throw new Problem('conflict', `The state after commit ${at} has gone; this is commit ${sequence}.`);
}

function neverStill(error: unknown): never {
  if ((error as Error).name !== 'StateNeverStill') throw error;
  throw new Problem('overloaded', (error as Error).message, {}, [['retry-after', '1']]);
}
