// Questions that take several calls of the contract, as one.

import type { components } from './api.ts';
import type { Client } from './client.ts';

type ElementSummary = components['schemas']['ElementSummary'];
type VertexSpecification = components['schemas']['VertexSpecification'];

export interface NeighbourOptions {
  /** Missing: `out`. */
  readonly direction?: 'out' | 'in';
  /** Missing: edges of every type. */
  readonly edgePropertyId?: string;
  readonly signal?: AbortSignal;
}

export interface Neighbour {
  readonly edgeId: number;
  readonly edgePropertyId: string;
  readonly vertex: ElementSummary;
}

/** Calls for the far ends of edges at once. */
const mostAtOnce = 8;
/** Ids of one call for elements; the service answers 10,000 at most. */
const mostElements = 10_000;

/**
 * The vertices at the far ends of a vertex's edges, one entry for each edge, in the order of its lists. Empty for a vertex that is not there.
 * Two calls, one for each type of edge, and one for each edge. Throws ProblemError. What is removed meanwhile is left out.
 */
export async function neighbours(client: Client, id: number, options: NeighbourOptions = {}): Promise<Neighbour[]> {
  const { direction = 'out', edgePropertyId, signal } = options;
  const call = signal === undefined ? {} : { signal };
  const types = edgePropertyId === undefined ? await edgeTypes(client, id, direction, call) : [edgePropertyId];
  const edges: { id: number; type: string }[] = [];
  for (const type of types) {
    const path = { id, edgePropertyId: type };
    const ids =
      direction === 'out'
        ? await client.get('/vertex/{id}/edges/out/{edgePropertyId}', { path, ...call })
        : await client.get('/vertex/{id}/edges/in/{edgePropertyId}', { path, ...call });
    for (const edge of ids ?? []) edges.push({ id: edge, type });
  }
  const ends = await inTurns(edges, ({ id: edge }) =>
    direction === 'out'
      ? client.get('/edge/{id}/target', { path: { id: edge }, ...call })
      : client.get('/edge/{id}/source', { path: { id: edge }, ...call }),
  );
  const wanted = [...new Set(ends.filter((end): end is number => typeof end === 'number'))];
  const found = new Map<number, ElementSummary>();
  for (let from = 0; from < wanted.length; from += mostElements) {
    const body = wanted.slice(from, from + mostElements);
    const { elements } = await client.post('/graphelements/get', { body, ...call });
    for (const element of elements) found.set(element.id, element);
  }
  return edges.flatMap(({ id: edgeId, type }, i) => {
    const vertex = found.get(ends[i] as number);
    return vertex === undefined ? [] : [{ edgeId, edgePropertyId: type, vertex }];
  });
}

export interface Labelled {
  readonly id: number;
  readonly label: string;
  /** By key: the name of the type, and the value as a text. */
  readonly properties: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
}

/**
 * The vertices of a label as they come, in the order of their ids: one call whose answer is read as far as the loop goes, so a label of
 * millions takes no memory. Throws ProblemError.
 */
export async function* labelled(
  client: Client,
  label: string,
  options: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Labelled> {
  for await (const line of client.exportLines({ vertexLabel: label }, options)) {
    const { type, id, properties = {} } = JSON.parse(line) as Omit<Labelled, 'label'> & { readonly type: string };
    // Vertices come before edges.
    if (type === 'edge') return;
    if (type === 'vertex') yield { id, label, properties };
  }
}

/** A key of an index: its value as a text, and one of the 18 types. */
export interface IndexKey {
  readonly indexId: string;
  readonly value: string;
  readonly type: string;
}

/**
 * The vertex that an index has under a key, or a new one that it has from then on. Not one step: two callers at the same time can make two.
 * Throws ProblemError, and TypeError when the index does not take the key; no vertex is made then.
 */
export async function upsert(
  client: Client,
  { indexId, value, type }: IndexKey,
  vertex: VertexSpecification,
): Promise<{ readonly id: number; readonly created: boolean }> {
  const literal = { value, fullQualifiedTypeName: type };
  const found = await client.post('/scan/index/all', {
    body: { indexId, operator: 0, literal },
    expects: ['emptyIndex'],
  });
  const [known] = found ?? [];
  if (known !== undefined) return { id: known, created: false };
  const made = await client.put('/vertices', { query: { waitForCompletion: true }, body: [vertex] });
  const id = (made ?? [])[0] as number;
  const key = { propertyValue: value, fullQualifiedTypeName: type };
  const added = await client.put('/index/{indexId}', { path: { indexId }, body: { graphElementId: id, key } });
  if (added === true) return { id, created: true };
  await client.delete('/graphelement/{id}', { path: { id }, query: { waitForCompletion: true } });
  throw new TypeError(`There is no index '${indexId}', or it does not take the key.`);
}

async function edgeTypes(client: Client, id: number, direction: 'out' | 'in', call: { signal?: AbortSignal }) {
  const path = { id };
  const types =
    direction === 'out'
      ? await client.get('/vertex/{id}/edges/out', { path, ...call })
      : await client.get('/vertex/{id}/edges/in', { path, ...call });
  return types ?? [];
}

/** The results of one call for each item, some at a time, in their order. */
async function inTurns<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await call(items[i] as T);
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, work));
  return results;
}
