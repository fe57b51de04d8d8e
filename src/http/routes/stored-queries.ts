// Stored queries: registering, listing, reading and deleting them (contract part 2, Stored queries; reference section 13).

import type { StoredQuery } from '../../queries/stored/stored-queries.ts';
import { codeBodyBytes, readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { storedQuery } from '../schemas-queries.ts';
import { committed, durable } from '../writes.ts';

export const storedQueryRoutes: readonly Route[] = [
  { method: 'POST', path: '/storedquery', scope: 'namespace', rateLimited: true, serve: register },
  { method: 'GET', path: '/storedquery', scope: 'namespace', serve: list },
  { method: 'GET', path: '/storedquery/:name', scope: 'namespace', serve: read },
  { method: 'DELETE', path: '/storedquery/:name', scope: 'namespace', serve: remove },
];

async function register(exchange: Exchange): Promise<Response> {
  const body = await readJson(exchange, storedQuery, { maxBytes: codeBodyBytes });
  const { stored } = exchange.service.queries;
  const registered = await stored.register(exchange.graph, body, new Date(), exchange.caller);
  if (!registered.ok) {
    throw new Problem(registered.failure === 'conflict' ? 'conflict' : 'badRequest', registered.detail);
  }
  await durable(committed(registered.outcome));
  const { query } = registered;
  return exchange.value(summaryOf(query), 201, [['location', exchange.placeOf(`/storedquery/${query.name}`)]]);
}

async function list(exchange: Exchange): Promise<Response> {
  const queries = await exchange.service.queries.stored.list(exchange.graph, exchange.caller);
  return exchange.value(queries.map(summaryOf));
}

async function read(exchange: Exchange): Promise<Response> {
  const name = textParameter(exchange, 'name');
  const query = await exchange.service.queries.stored.find(exchange.graph, name, exchange.caller);
  if (query === null) throw unknownQuery(name);
  const { specificationJson, compileDiagnostics } = query;
  return exchange.value({ ...summaryOf(query), specificationJson, compileDiagnostics });
}

async function remove(exchange: Exchange): Promise<Response> {
  const name = textParameter(exchange, 'name');
  const outcome = exchange.service.queries.stored.remove(exchange.graph, name);
  if (outcome === false) throw unknownQuery(name);
  await durable(committed(outcome));
  return exchange.empty(204);
}

function summaryOf({ name, kind, description, createdAt, runnable }: StoredQuery): object {
  return { name, kind, description, createdAt, compileState: runnable === null ? 'Failed' : 'Compiled' };
}

/** The query that a request invokes by name. Throws the problem when there is none, of this kind, that can run. */
export async function invokedQuery<Kind extends StoredQuery['kind']>(
  exchange: Exchange,
  name: string,
  kind: Kind,
): Promise<Extract<StoredQuery['runnable'], { kind: Kind }>> {
  const query = await exchange.service.queries.stored.find(exchange.graph, name, exchange.caller);
  if (query === null) throw unknownQuery(name);
  if (query.kind !== kind) {
    throw new Problem('badRequest', `The stored query '${name}' is of kind ${query.kind}, not ${kind}.`);
  }
  if (query.runnable === null) {
    throw new Problem('conflict', `The stored query '${name}' does not compile.\n${query.compileDiagnostics}`);
  }
  return query.runnable as Extract<StoredQuery['runnable'], { kind: Kind }>;
}

function unknownQuery(name: string): Problem {
  return new Problem('notFound', `There is no stored query '${name}'.`);
}
