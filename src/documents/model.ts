// The graph model of documents (reference 20.4): which vertices and edges there are, the keys of their properties, and what the service
// shows of them.

import type { PropertyText } from '../core/requests.ts';
import { TypeId } from '../core/values.ts';
import type { GraphEngine } from '../engine/types.ts';

export const documentLabel = 'Document';
export const chunkLabel = 'Chunk';
export const entityLabel = 'Entity';

export const containsEdge = 'contains';
export const nextEdge = 'next';
export const mentionsEdge = 'mentions';

/** Keys that ingestion writes; tags of callers take none of them. */
export const reservedKeys: ReadonlySet<string> = new Set([
  ...['name', 'sourceFormat', 'sourceUri', 'status', 'error', 'chunkCount', 'pageCount', 'contentHash', 'converter'],
  ...['chunkerConfig', 'embeddingModel', 'embeddingDimension', 'enriched', 'bootId'],
  ...['text', 'order', 'kind', 'headingPath', 'pageFrom', 'pageTo', 'identifiers', 'keyTerms'],
  ...['type', 'normalized', 'entityKey'],
]);

export interface Vertex {
  readonly id: number;
  readonly label: string | null;
  readonly values: ReadonlyMap<string, string>;
  readonly outEdges: Readonly<Record<string, readonly number[]>>;
  readonly inEdges: Readonly<Record<string, readonly number[]>>;
}

interface VertexShape {
  readonly id: number;
  readonly label: string | null;
  readonly properties: readonly { readonly propertyId: string; readonly propertyValue: string }[];
  readonly outEdges: Vertex['outEdges'] | null;
  readonly inEdges: Vertex['inEdges'] | null;
}

const decoder = new TextDecoder();

/** Null when there is no such vertex. */
export function readVertex(graph: GraphEngine, id: number): Vertex | null {
  const bytes = graph.reads.element(id, 'vertex');
  if (bytes === null) return null;
  const { label, properties, outEdges, inEdges } = JSON.parse(decoder.decode(bytes)) as VertexShape;
  const values = new Map(properties.map(({ propertyId, propertyValue }) => [propertyId, propertyValue]));
  return { id, label, values, outEdges: outEdges ?? {}, inEdges: inEdges ?? {} };
}

export function isDocument(vertex: Vertex | null): vertex is Vertex {
  return vertex !== null && vertex.label === documentLabel;
}

/** The chunks of a document in no order. */
export function chunkIdsOf(graph: GraphEngine, vertex: Vertex): number[] {
  const ids = (vertex.outEdges[containsEdge] ?? []).map((edge) => graph.reads.endpoint(edge, 'target'));
  return ids.filter((id): id is number => id !== null);
}

/** Ids of the vertices with a label and a value of a text property. */
export async function findVertices(
  graph: GraphEngine,
  label: string,
  key: string,
  value: { readonly not: string } | { readonly is: string },
  signal?: AbortSignal,
): Promise<number[]> {
  const [operator, text] = 'is' in value ? [0, value.is] : [5, value.not];
  const scan = { key, operator, type: TypeId.string, text, label, resultType: 'Vertices' } as const;
  return idsIn((await graph.scans.property(scan, signal))?.ids ?? null);
}

/** The ids in blocks of one JSON array. */
export function idsIn(blocks: readonly Uint8Array[] | null): number[] {
  if (blocks === null) return [];
  const parts = new TextDecoder();
  let text = '';
  for (const block of blocks) text += parts.decode(block, { stream: true });
  return JSON.parse(text) as number[];
}

export function textOf(key: string, text: string): PropertyText {
  return { key, type: TypeId.string, text };
}

export function int32Of(key: string, value: number): PropertyText {
  return { key, type: TypeId.int32, text: String(value) };
}

/** Seconds since 1970, for elements that ingestion makes. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export interface Summary {
  readonly documentId: number;
  readonly name: string | null;
  readonly sourceFormat: string | null;
  readonly sourceUri: string | null;
  readonly status: string | null;
  readonly error: string | null;
  readonly chunkCount: number;
  readonly pageCount: number | null;
  readonly contentHash: string | null;
  readonly converter: string | null;
  readonly chunkerConfig: string | null;
  readonly embeddingModel: string | null;
  readonly embeddingDimension: number | null;
  readonly embedded: boolean;
  readonly embeddingModelStale: boolean;
}

/** `stamp`: of the embedding provider, null without one. */
export function summaryOf({ id, values }: Vertex, stamp: string | null): Summary {
  const text = (key: string): string | null => values.get(key) ?? null;
  const model = text('embeddingModel');
  return {
    documentId: id,
    name: text('name'),
    sourceFormat: text('sourceFormat'),
    sourceUri: text('sourceUri'),
    status: text('status'),
    error: text('error'),
    chunkCount: numberOf(values, 'chunkCount') ?? 0,
    pageCount: numberOf(values, 'pageCount'),
    contentHash: text('contentHash'),
    converter: text('converter'),
    chunkerConfig: text('chunkerConfig'),
    embeddingModel: model,
    embeddingDimension: numberOf(values, 'embeddingDimension'),
    embedded: model !== null,
    embeddingModelStale: model !== null && stamp !== null && model !== stamp,
  };
}

const previewChars = 240;

export interface ChunkView {
  readonly chunkId: number;
  readonly order: number;
  readonly kind: string | null;
  readonly headingPath: string | null;
  readonly pageFrom: number | null;
  readonly pageTo: number | null;
  readonly identifiers: readonly string[] | null;
  readonly text: string;
}

export function chunkOf({ id, values }: Vertex): ChunkView {
  const identifiers = values.get('identifiers') ?? '';
  return {
    chunkId: id,
    order: numberOf(values, 'order') ?? 0,
    kind: values.get('kind') ?? null,
    headingPath: values.get('headingPath') ?? null,
    pageFrom: numberOf(values, 'pageFrom'),
    pageTo: numberOf(values, 'pageTo'),
    identifiers: identifiers === '' ? null : identifiers.split(' '),
    text: values.get('text') ?? '',
  };
}

export function previewOf({ text, ...rest }: ChunkView): Omit<ChunkView, 'text'> & { readonly textPreview: string } {
  return { ...rest, textPreview: text.slice(0, previewChars) };
}

function numberOf(values: ReadonlyMap<string, string>, key: string): number | null {
  const number = Number(values.get(key) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : null;
}
