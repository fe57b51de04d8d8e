// What concerns a whole graph: erasing it, trimming it, filling it with the canned sample.

import type { CreateEdge, CreateVertex } from '../../core/requests.ts';
import { TypeId } from '../../core/values.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { apply, committed, durable } from '../writes.ts';

export const graphRoutes: readonly Route[] = [
  { method: 'HEAD', path: '/tabularasa', scope: 'namespace', serve: erase },
  { method: 'HEAD', path: '/tabularasa/all', scope: 'service', rateLimited: true, serve: eraseAll },
  { method: 'HEAD', path: '/trim', scope: 'namespace', serve: trim },
  { method: 'PUT', path: '/unittest', scope: 'namespace', serve: addSample },
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
