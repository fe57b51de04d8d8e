// What concerns a whole graph: erasing it, trimming it, filling it with the canned sample.

import type { CreateEdge, CreateVertex } from '../../core/requests.ts';
import { TypeId } from '../../core/values.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route } from '../route.ts';
import { apply, booleanProblems, committed, durable } from '../writes.ts';

const admin = { method: 'HEAD', scope: 'namespace', tag: 'Admin', problems: booleanProblems } as const;

export const graphRoutes: readonly Route[] = [
  route({
    ...admin,
    path: '/tabularasa',
    summary: 'Erases the graph: elements, ids and indexes.',
    answers: { 200: nothing('The graph is empty.') },
    serve: erase,
  }),
  route({
    ...admin,
    path: '/tabularasa/all',
    scope: 'service',
    rateLimited: true,
    summary: 'Erases the default namespace and drops every other one.',
    answers: { 204: nothing('Only the default namespace is left, and it is empty.') },
    problems: [...booleanProblems, 'namespaceStorageFailed', 'namespaceNotLoaded'],
    serve: eraseAll,
  }),
  route({
    ...admin,
    path: '/trim',
    summary: 'Gives memory back that removed elements held; ids may change.',
    answers: { 200: nothing('Done.') },
    serve: trim,
  }),
  route({
    method: 'PUT',
    path: '/unittest',
    scope: 'namespace',
    tag: 'SampleGraph',
    summary: 'Adds five people and six edges to the graph.',
    answers: { 200: nothing('They are there.') },
    problems: booleanProblems,
    serve: addSample,
  }),
];

/** Done when it answers: an import that follows an answered erase finds the graph empty. */
async function erase(exchange: Exchange): Promise<Response> {
  await durable(apply(exchange, [{ kind: 'erase' }]));
  return exchange.empty(200);
}

async function trim(exchange: Exchange): Promise<Response> {
  await durable(committed(await exchange.graph.runs.trim()));
  return exchange.empty(200);
}

/** A refusal of the erase itself comes when the other namespaces are gone: what it says is about `default`. */
async function eraseAll(exchange: Exchange): Promise<Response> {
  const erased = await exchange.service.engine.eraseAll().catch((error: unknown) => {
    throw new Problem('namespaceStorageFailed', `Nothing was erased, the catalogue cannot be written: ${error}`);
  });
  if (erased === null) throw defaultNotLoaded();
  await durable(committed(erased));
  return exchange.empty(204);
}

function defaultNotLoaded(): Problem {
  const detail = "Namespace 'default' is being loaded: nothing was erased.";
  const state = { namespace: 'default', namespaceState: 'notLoaded' };
  return new Problem('namespaceNotLoaded', detail, state, [['retry-after', '1']]);
}

const sampleNames = ['Alice', 'Bob', 'Eve', 'Mallory', 'Trent'] as const;
type SampleName = (typeof sampleNames)[number];

const sampleEdges: readonly (readonly [SampleName, string, SampleName, label: string | null])[] = [
  ['Alice', 'communicatesWith', 'Bob', null],
  ['Alice', 'trusts', 'Trent', 'trusts'],
  ['Bob', 'trusts', 'Trent', 'trusts'],
  ['Eve', 'attacks', 'Alice', null],
  ['Mallory', 'attacks', 'Alice', null],
  ['Mallory', 'attacks', 'Bob', null],
];

/**
 * Five people and six edges (reference 3.2), in two transactions because edges need existing vertices; then a trim.
 * Both in one turn: a trim of somebody else in between would give the people other ids.
 */
async function addSample(exchange: Exchange): Promise<Response> {
  const people = sampleNames.map(
    (name): CreateVertex => ({
      kind: 'createVertex',
      creationDate: 0,
      label: 'person',
      properties: [{ key: 'name', type: TypeId.string, text: name }],
    }),
  );
  const { firstId } = apply(exchange, people);
  const idOf = (name: SampleName): number => firstId + sampleNames.indexOf(name);
  const relations = sampleEdges.map(
    ([source, edgeType, target, label]): CreateEdge => ({
      kind: 'createEdge',
      creationDate: 0,
      source: idOf(source),
      target: idOf(target),
      edgeType,
      label,
      properties: [],
    }),
  );
  apply(exchange, relations);
  await durable(committed(await exchange.graph.runs.trim()));
  return exchange.empty(200);
}
