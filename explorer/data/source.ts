// The graph as the explorer asks for it: each question a few calls of the contract, whose answers are bounded by what was asked.

import type { Change, Resync } from '../../src/client/change-feed.ts';
import { Client } from '../../src/client/client.ts';
import { ProblemError } from '../../src/client/problems.ts';
import { type Cluster, clusterOf } from '../model/cluster.ts';
import type { Direction, EdgeData, EdgeGroup, Name, Property, VertexData, WholeEdge } from '../model/elements.ts';
import { labelOf } from '../model/elements.ts';
import { evenIds, type SchemaEdge, schemaOf, typesOf } from '../model/schema.ts';
import { CallLog } from './calls.ts';
import type { Home } from './home.ts';
import { readTopology, type Topology } from './topology.ts';

export type { Change, Resync };

export interface Connection {
  /** Of the service; for the engine in this page an address that nothing is asked of. */
  readonly url: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  /** The engine in this page, and what its graph is called. Missing: a service is asked. */
  readonly home?: { readonly engine: Home; readonly title: string };
}

export interface Counts {
  readonly vertexCount: number;
  readonly edgeCount: number;
  readonly labels: readonly Name[];
  readonly keys: readonly Name[];
  /** Numbers are of every so-many-th element. */
  readonly stride: number;
}

export interface Schema {
  readonly edges: readonly SchemaEdge[];
  /** Counts are estimates unless the sample is everything. */
  readonly types: readonly Name[];
  readonly sampled: number;
  readonly isWhole: boolean;
}

export interface Index {
  readonly id: string;
  readonly capabilities: readonly string[];
}

export interface StoredQuery {
  readonly name: string;
  readonly kind: 'Path' | 'SubGraph';
}

/** What the forms offer beside the names of the graph. */
export interface Offers {
  readonly indexes: readonly Index[];
  /** Descriptions by name. */
  readonly algorithms: Readonly<Record<string, string>>;
  /** Stored queries of the service. */
  readonly stored: readonly StoredQuery[];
  /** Null: the service is alone. */
  readonly cluster: Cluster | null;
}

/** What the compiler says of a fragment. */
export interface Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly id: string;
  readonly message: string;
  readonly severity: string;
}

export interface Found {
  readonly vertices: readonly VertexData[];
  readonly edges: readonly EdgeData[];
}

/** Elements looked at for the schema. */
const sampleSize = 3000;
const maxSearchHits = 40;
/** Keys whose values are compared with the whole text. */
const maxNameKeys = 3;
/** Ids of one call for elements: what the service answers at most. */
const idsOfCall = 10_000;
/** Vertices between which one call finds the edges. */
const mostVertices = 200_000;
/** Types of edges of one vertex and direction that are told. */
const maxGroups = 60;

/** Which edges of a vertex: those behind `after` (-1: from the first on). */
export interface Around {
  readonly vertex: number;
  readonly direction: Direction;
  readonly type: string;
  readonly after: number;
  readonly limit: number;
}

interface TopologyQuestion {
  readonly vertices?: readonly number[];
  readonly edges?: readonly number[];
  readonly around?: Omit<Around, 'type'> & { readonly edgePropertyId: string };
}

export class Source {
  readonly connection: Connection;
  readonly log: CallLog;
  readonly client: Client;
  /** False once an answer had to leave edges out. */
  isComplete = true;

  constructor(connection: Connection, changed: () => void) {
    this.connection = connection;
    const { url, namespace, apiKey, home } = connection;
    this.log = new CallLog(changed, home && ((request) => home.engine.fetch(request)));
    this.client = new Client({
      url,
      namespace,
      ...(apiKey === null ? {} : { apiKey }),
      fetch: (request) => this.log.send(request),
      onWarnings: () => {},
    });
  }

  /** Null: the service wants a key, or another one. */
  async open(): Promise<{ vertexCount: number; edgeCount: number } | null> {
    const status = await this.client.get('/status');
    if (typeof status !== 'object' || status === null) throw new SyntaxError('The answer is no status.');
    if (status.apiKeyRequired && !status.authenticated) return null;
    return { vertexCount: status.vertexCount ?? 0, edgeCount: status.edgeCount ?? 0 };
  }

  async counts(): Promise<Counts> {
    const { vertexCount, edgeCount, vertexLabels, propertyKeys, sampleStride } = await this.client.get('/statistics');
    return { vertexCount, edgeCount, labels: vertexLabels.top, keys: propertyKeys.top, stride: sampleStride };
  }

  async offers(): Promise<Offers> {
    const [status, algorithms, stored, cluster] = await Promise.all([
      this.client.get('/status'),
      this.client.get('/analytics/algorithms'),
      this.client.get('/storedquery'),
      this.cluster(),
    ]);
    const indexes = (status?.indices ?? []).map(({ indexId, capabilities }) => ({ id: indexId, capabilities }));
    return { indexes, algorithms, stored: stored.map(({ name, kind }) => ({ name, kind })), cluster };
  }

  /** Null: the service is alone, as an engine in a page is. */
  async cluster(): Promise<Cluster | null> {
    const { home, namespace } = this.connection;
    return home === undefined ? clusterOf(await this.client.get('/cluster'), namespace) : null;
  }

  async diagnostics(delegateKind: string, fragment: string, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    const body = { delegateKind, fragment };
    return (await this.client.post('/delegates/validate', { body, signal, retry: false })).diagnostics;
  }

  /** Properties of an edge; null when it is gone. */
  async edge(id: number): Promise<{ readonly label: string | null; readonly properties: readonly Property[] } | null> {
    const edge = await this.client.get('/edge/{id}', { path: { id } });
    return edge === null ? null : { label: edge.label, properties: vertexOf(edge).properties };
  }

  /** Of an even sample of ids. Removed elements leave gaps, so the sample may be smaller. */
  async schema({ vertexCount, edgeCount }: Counts): Promise<Schema> {
    const end = vertexCount + edgeCount;
    const { edges } = await this.topology({ edges: evenIds(end, sampleSize) });
    const ends = new Set(edges.flatMap(({ source, target }) => [source, target]));
    const vertices = await this.vertices([...ends]);
    const labels = new Map(vertices.map((vertex) => [vertex.id, labelOf(vertex)]));
    const schema = schemaOf(edges, labels);
    return { edges: schema, types: typesOf(schema, edgeCount), sampled: edges.length, isWhole: end <= sampleSize };
  }

  /** The best-connected vertices, of one label or of all, and what lies between them. */
  async bestConnected(count: number, label?: string): Promise<Found> {
    const body = { maxResults: count, ...(label === undefined ? {} : { vertexLabel: label }) };
    const answer = await this.client.post('/analytics/{algorithmName}', { path: { algorithmName: 'DEGREE' }, body });
    return this.between((answer.results ?? []).map(({ graphElementId }) => graphElementId));
  }

  /** The first vertices by their ids, and the edges between them. Elements that were removed leave gaps, so there may be fewer. */
  async oldest(count: number, { vertexCount, edgeCount }: Counts): Promise<Found> {
    const ids: number[] = [];
    for (let from = 0; from < vertexCount + edgeCount && ids.length < count; from += mostVertices) {
      const range = Array.from({ length: Math.min(mostVertices, vertexCount + edgeCount - from) }, (_, i) => from + i);
      for (const id of (await this.topology({ vertices: range })).vertices) ids.push(id);
    }
    return this.between(ids.slice(0, count));
  }

  private async between(ids: readonly number[]): Promise<Found> {
    const [vertices, edges] = await Promise.all([this.vertices(ids), this.edgesBetween(ids)]);
    return { vertices, edges };
  }

  async edgesBetween(ids: readonly number[]): Promise<readonly EdgeData[]> {
    return (await this.topology({ vertices: ids })).edges;
  }

  async vertices(ids: readonly number[]): Promise<VertexData[]> {
    const found: VertexData[] = [];
    for await (const element of this.elements(ids)) if (element.kind === 'vertex') found.push(vertexOf(element));
    return found;
  }

  /** Edges with what they carry, without those that are gone. */
  async wholeEdges(edges: readonly EdgeData[]): Promise<WholeEdge[]> {
    const ofId = new Map(edges.map((edge) => [edge.id, edge]));
    const found: WholeEdge[] = [];
    for await (const element of this.elements([...ofId.keys()])) {
      const edge = ofId.get(element.id);
      if (edge === undefined || element.kind !== 'edge') continue;
      const { label, properties } = vertexOf(element);
      found.push({ ...edge, label, properties });
    }
    return found;
  }

  private async *elements(ids: readonly number[]): AsyncGenerator<Element> {
    for (let from = 0; from < ids.length; from += idsOfCall) {
      const body = ids.slice(from, from + idsOfCall);
      yield* (await this.client.post('/graphelements/get', { body })).elements;
    }
  }

  /** How many edges of which type a vertex has, of at most `maxGroups` types a direction; null when it is gone. */
  async groups(id: number): Promise<readonly EdgeGroup[] | null> {
    const [out, incoming] = await Promise.all([
      this.client.get('/vertex/{id}/edges/out', { path: { id } }),
      this.client.get('/vertex/{id}/edges/in', { path: { id } }),
    ]);
    if (out === null || incoming === null) return null;
    const groups = [
      ...out.slice(0, maxGroups).map((type) => ({ direction: 'out' as const, type })),
      ...incoming.slice(0, maxGroups).map((type) => ({ direction: 'in' as const, type })),
    ];
    return Promise.all(groups.map(async (group) => ({ ...group, count: await this.degree(id, group) })));
  }

  private degree(id: number, { direction, type }: { direction: Direction; type: string }): Promise<number> {
    const path = { id, edgePropertyId: type };
    return direction === 'out'
      ? this.client.get('/vertex/{id}/edges/out/{edgePropertyId}/degree', { path })
      : this.client.get('/vertex/{id}/edges/in/{edgePropertyId}/degree', { path });
  }

  /** The next edges of one group of a vertex, in the order of their ids; less than `limit` when there are no more. */
  async around({ vertex, direction, type, after, limit }: Around): Promise<readonly EdgeData[]> {
    return (await this.topology({ around: { vertex, direction, edgePropertyId: type, after, limit } })).edges;
  }

  /** Edges by their ids, and the vertices at their ends. */
  async ends(edgeIds: readonly number[]): Promise<Found> {
    const { edges, vertices } = await this.topology({ edges: edgeIds });
    return { edges, vertices: await this.vertices(vertices) };
  }

  /** Vertices of which a value contains the text, or the one of that id. */
  async search(
    text: string,
    nameKeys: readonly string[],
    signal: AbortSignal,
  ): Promise<{ hits: readonly VertexData[]; total: number }> {
    const body = { searchTerm: text, resultType: 'Vertices' as const };
    const all = (await this.client.post('/scan/graph/properties', { body, signal, retry: false })) ?? [];
    const named = all.length > maxSearchHits ? await this.named(text, nameKeys.slice(0, maxNameKeys), signal) : [];
    const ids = [...new Set([...named, ...all])].slice(0, maxSearchHits);
    const id = /^#?\d{1,9}$/.test(text) ? Number(text.replace('#', '')) : null;
    const isOwn = id !== null && !ids.includes(id);
    const found = await this.vertices(isOwn ? [id, ...ids] : ids);
    const hits = found.sort((a, b) => rankOf(a, text) - rankOf(b, text));
    return { hits, total: all.length + (isOwn && found.some((one) => one.id === id) ? 1 : 0) };
  }

  /** Vertices of which a value of these keys is the text: the scan of all values may have them behind what is shown. */
  private async named(text: string, keys: readonly string[], signal: AbortSignal): Promise<number[]> {
    const literal = { value: text, fullQualifiedTypeName: 'System.String' };
    const body = { operator: 0, literal, resultType: 'Vertices' as const };
    const asked = keys.map((propertyId) =>
      this.client.post('/scan/graph/property/{propertyId}', { path: { propertyId }, body, signal, retry: false }),
    );
    return (await Promise.all(asked)).flatMap((ids) => ids ?? []);
  }

  private async topology(body: TopologyQuestion): Promise<Topology> {
    const { url, namespace, apiKey } = this.connection;
    const headers = new Headers({ 'content-type': 'application/json' });
    if (apiKey !== null) headers.set('x-api-key', apiKey);
    const address = `${url.replace(/\/+$/, '')}/ns/${encodeURIComponent(namespace)}/topology`;
    const answer = await this.log.send(new Request(address, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!answer.ok) throw new Error(`POST /topology answers ${answer.status}.`);
    const read = readTopology(await answer.arrayBuffer());
    this.isComplete &&= read.isComplete;
    return read;
  }
}

/** Where a hit stands among the others: its id was typed, a value is the text, begins with it, or has it somewhere. */
function rankOf({ id, properties }: VertexData, text: string): number {
  if (text === `#${id}` || text === String(id)) return 0;
  const wanted = text.toLowerCase();
  const values = properties.map(({ value }) => value.slice(0, wanted.length + 1).toLowerCase());
  return values.includes(wanted) ? 1 : values.some((value) => value.startsWith(wanted)) ? 2 : 3;
}

interface Element {
  readonly kind?: 'vertex' | 'edge';
  readonly id: number;
  readonly label: string | null;
  readonly properties: readonly {
    readonly propertyId: string;
    readonly fullQualifiedTypeName: string;
    readonly propertyValue: string;
  }[];
}

function vertexOf(element: Element): VertexData {
  const properties = element.properties.map(
    ({ propertyId, fullQualifiedTypeName, propertyValue }): Property => ({
      key: propertyId,
      type: fullQualifiedTypeName,
      value: String(propertyValue),
    }),
  );
  return { id: element.id, label: element.label, properties };
}

/** What went wrong, for people, and what to do. */
export function troubleOf(error: unknown, { url }: Connection): string {
  if (error instanceof ProblemError) {
    const { status } = error;
    if (status === 401) return 'The service wants an API key. Choose Open and type it in.';
    if (status === 429) return 'The service asks for a pause: too many requests at once. Try again in some seconds.';
    if (status === 404 && error.problem.title === 'Namespace not found')
      return `${error.message} Choose Open and check the namespace.`;
    if (status === 404) return `What answers at ${url} is no Arcwise service.`;
    if (status === 503) return `The service is not ready: ${error.message}`;
    return `The service refused: ${error.message}`;
  }
  if (error instanceof SyntaxError) return `What answers at ${url} is no Arcwise service.`;
  if (error instanceof TypeError)
    return `There is no answer from ${url}. Is the service running, and does it allow this page (Security:AllowedCorsOrigins)?`;
  return error instanceof Error ? error.message : String(error);
}
