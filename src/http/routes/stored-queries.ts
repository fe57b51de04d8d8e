// Stored queries: registering, listing, reading and deleting them (contract part 2, Stored queries; reference section 13).

import { z } from 'zod';
import type { StoredQuery } from '../../queries/stored/stored-queries.ts';
import { codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { notBlank, optionalText, record } from '../schemas.ts';
import { cost, filter, template } from '../schemas-queries.ts';
import { booleanProblems, committed, durable } from '../writes.ts';

/** Which block stands with which kind is judged by the rules of stored queries. */
const registration = record({
  name: notBlank,
  kind: notBlank.meta({ description: 'Path or SubGraph.' }),
  description: optionalText,
  path: record({ filter: filter.nullable().optional(), cost: cost.nullable().optional() })
    .meta({ id: 'PathTemplate', description: 'What a path request would carry.' })
    .nullable()
    .default(null),
  subGraph: template.nullable().default(null),
}).meta({ id: 'StoredQuerySpecification' });

const summaryMembers = {
  name: z.string(),
  kind: z.enum(['Path', 'SubGraph']),
  description: z.string().nullable(),
  createdAt: z.string(),
  compileState: z.enum(['Compiled', 'Failed', 'SourceOnly']),
};
const summary = z.object(summaryMembers).meta({ id: 'StoredQuery' });
const detail = z
  .object({ ...summaryMembers, specificationJson: z.string(), compileDiagnostics: z.string().nullable() })
  .meta({ id: 'StoredQueryDetail' });

const base = { scope: 'namespace', tag: 'StoredQueries', path: '/storedquery' } as const;
const one = { ...base, path: '/storedquery/:name', params: { name: textInPath('Name of the stored query.') } } as const;

export const storedQueryRoutes: readonly Route[] = [
  route({
    ...base,
    method: 'POST',
    rateLimited: true,
    summary: 'Registers fragments under a name and compiles them.',
    body: json(registration, { maxBytes: codeBodyBytes }),
    answers: { 201: shows('Registered.', summary, { location: 'Its path.' }) },
    problems: ['conflict', ...booleanProblems],
    serve: register,
  }),
  route({
    ...base,
    method: 'GET',
    summary: 'All stored queries.',
    answers: { 200: shows('By name.', z.array(summary)) },
    serve: list,
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'One stored query with its source.',
    answers: { 200: shows('The stored query.', detail) },
    problems: ['notFound'],
    serve: read,
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a stored query.',
    answers: { 204: nothing('It is gone.') },
    problems: ['notFound', ...booleanProblems],
    serve: remove,
  }),
];

async function register(exchange: Exchange, { body }: { body: z.infer<typeof registration> }): Promise<Response> {
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

async function read(exchange: Exchange, { name }: { name: string }): Promise<Response> {
  const query = await exchange.service.queries.stored.find(exchange.graph, name, exchange.caller);
  if (query === null) throw unknownQuery(name);
  const { specificationJson, compileDiagnostics } = query;
  return exchange.value({ ...summaryOf(query), specificationJson, compileDiagnostics });
}

async function remove(exchange: Exchange, { name }: { name: string }): Promise<Response> {
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
