// What stands before every route where graphs are followed: which commit an answer shows, waiting for one, and what a replica says to writes.

import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { decodeSegment } from '../target.ts';
import { reached } from './positions.ts';
import { writesState } from './writes.ts';

/** How a replica stands to its writer. */
export interface ReplicaState {
  /** Where writes belong; null where that is not known. */
  readonly writerUrl: () => string | null;
  /** Whether writes are sent there; otherwise they are refused. */
  readonly redirects: boolean;
  /** Whether the namespace has come from the writer yet. */
  readonly isReady: (namespace: string) => boolean;
}

export const positionHeader = 'x-arcwise-position';

export type Guard = (exchange: Exchange, route: Route) => Response | Promise<Response>;

/** `replica`: null on the writer itself. `isReplaced`: asked when there is an answer; missing: a writer stays one. */
export function guardOf(replica: ReplicaState | null, isReplaced?: () => boolean): Guard {
  const guard = guardBefore(replica);
  if (isReplaced === undefined) return guard;
  const read = async (exchange: Exchange, route: Route): Promise<Response> => {
    const isOld = (): boolean => !exchange.hasWritten && isReplaced();
    let response: Response;
    try {
      response = await guard(exchange, route);
    } catch (error) {
      throw isOld() ? replaced() : error; // that something is not there is an answer as well
    }
    if (!isOld()) return response;
    await response.body?.cancel();
    throw replaced();
  };
  // What a write came to is so all the same.
  return (exchange, route) => (writesState(route) ? guard(exchange, route) : read(exchange, route));
}

function replaced(): Problem {
  return new Problem('overloaded', 'Another node writes by now.', {}, [['retry-after', '1']]);
}

function guardBefore(replica: ReplicaState | null): Guard {
  return (exchange, route) => {
    if (replica !== null && writesState(route)) return redirected(exchange, replica);
    if (route.scope !== 'namespace') return route.serve(exchange);
    const name = decodeSegment(exchange.encodedNamespace);
    if (replica?.isReady(name) === false) {
      const state = { namespace: name, namespaceState: 'notLoaded' };
      throw new Problem('namespaceNotLoaded', `Namespace '${name}' is on its way from the writer.`, state, [
        ['retry-after', '1'],
      ]);
    }
    exchange.lateHeaders = () => {
      const position = exchange.loadedGraph?.position;
      return position ? [[positionHeader, `${position.epoch}:${position.sequence}:${position.chain}`]] : [];
    };
    const atLeast = exchange.query('atLeast');
    return atLeast === null ? route.serve(exchange) : waited(exchange, route, atLeast);
  };
}

/** `atLeast`: the number of a commit, or a position as answers carry it. */
async function waited(exchange: Exchange, route: Route, atLeast: string): Promise<Response> {
  const [, epoch, digits] = /^(?:([0-9a-f]{32}):)?(\d{1,15})(?::\d{1,10})?$/.exec(atLeast) ?? [];
  if (digits === undefined)
    throw new Problem('badRequest', 'The query parameter atLeast takes a commit or a position.');
  const seconds = exchange.service.settings['Replica:MaxWaitSeconds'];
  const isThere = await reached(exchange, Number(digits));
  const position = exchange.graph.position;
  if (isThere && (epoch === undefined || position?.epoch === epoch)) return route.serve(exchange);
  const detail = `Commit ${digits} has not come within ${seconds} s; this is ${position?.sequence ?? 'no log'}.`;
  throw new Problem('overloaded', detail, {}, [['retry-after', '1']]);
}

function redirected(exchange: Exchange, { redirects, writerUrl: ask }: ReplicaState): Response {
  const writerUrl = ask();
  if (!redirects || writerUrl === null) {
    const where = writerUrl === null ? '' : ` The writer is ${writerUrl}.`;
    throw new Problem('forbidden', `This is a replica: it takes no writes.${where}`);
  }
  const { search } = new URL(exchange.request.url);
  return exchange.empty(307, [['location', writerUrl + exchange.path + search]]);
}
