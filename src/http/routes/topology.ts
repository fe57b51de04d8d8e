// The edges between vertices, the ends of edges, or the next edges of a vertex, as numbers: what a picture needs of a graph, in one answer of four to sixteen bytes a
// thing. Nothing is looked at but the edges of the vertices asked for, and of those a bounded number.
//
// The answer, little-endian:
//
//   u32 magic 'ATP1'   u32 flags (1: some edges were not looked at)   u32 vertices   u32 edges   u32 bytes of names
//   vertices x i32 id
//   edges x i32 id
//   edges x u32 source, a position in the list of vertices            edges x u32 target, likewise
//   edges x u32 type, a position in the list of names
//   names: a JSON array of texts, UTF-8

import { z } from 'zod';
import type { GraphEngine } from '../../engine/types.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { type Route, route } from '../route.ts';
import { id, integer, longList, record } from '../schemas.ts';
import { Slices } from '../slices.ts';

const magic = 0x31505441;
const incompleteFlag = 1;
const headerWords = 5;
const maxIds = 200_000;
/** Edges looked at for one answer; a vertex with more than are left is passed over. */
const maxEdgesLookedAt = 1_000_000;

/** Edges of one vertex in one answer. */
const maxAround = 1000;

const around = record({
  vertex: id,
  direction: z.enum(['out', 'in']).default('out'),
  edgePropertyId: z.string(),
  after: id.default(-1).meta({ description: 'An edge of the group; those behind it are answered.' }),
  limit: integer(1, maxAround).default(25),
}).meta({ id: 'TopologyAround' });

const specification = record({
  vertices: longList(id, maxIds)
    .default([])
    .meta({ description: 'Every edge from one of these to another one of them.' }),
  edges: longList(id, maxIds).default([]).meta({ description: 'These edges, whatever their ends.' }),
  around: around
    .optional()
    .meta({ description: 'The next edges of one type of one vertex, in the order of their ids.' }),
}).meta({ id: 'TopologySpecification' });

const bytes = z.string().meta({
  format: 'binary',
  description:
    'Little-endian: u32 magic ATP1, u32 flags (1: some edges were not looked at), u32 vertices, u32 edges, u32 bytes of names; then the ' +
    'ids of vertices and of edges (i32), positions of sources, targets and types (u32), and the types as a JSON array.',
});

export const topologyRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/topology',
    scope: 'namespace',
    tag: 'Graph',
    summary: 'The edges between vertices, the ends of edges, or the next edges of a vertex, as numbers.',
    body: json(specification),
    answers: {
      200: {
        description: 'Vertices that there are, and edges.',
        schema: bytes,
        mediaTypes: ['application/octet-stream'],
      },
    },
    serve: async (exchange, { body }) => exchange.binary(await readTopology(exchange, body)),
  }),
];

async function readTopology(exchange: Exchange, asked: z.output<typeof specification>): Promise<Uint8Array> {
  const { graph } = exchange;
  const slices = new Slices(exchange.service.platform);
  const links = new Links();
  for (const vertex of asked.vertices) {
    if (graph.reads.degree(vertex, 'out') !== null) links.vertexAt(vertex);
    if (slices.isOver()) await slices.next();
  }
  const wanted = [...links.vertices];
  let left = maxEdgesLookedAt;
  for (const source of wanted) {
    const degree = graph.reads.degree(source, 'out') ?? 0;
    if (degree > left) {
      links.flags |= incompleteFlag;
      continue;
    }
    left -= degree;
    for (const [type, edge] of outgoing(graph, source)) {
      const target = graph.reads.endpoint(edge, 'target');
      if (target !== null && links.has(target)) links.add(edge, source, target, type);
      if (slices.isOver()) await slices.next();
    }
  }
  for (const edge of asked.edges) {
    const element = graph.reads.element(edge, 'edge');
    if (element === null) continue;
    const { sourceVertex, targetVertex, edgePropertyId } = JSON.parse(decoder.decode(element));
    links.add(edge, sourceVertex, targetVertex, edgePropertyId);
    if (slices.isOver()) await slices.next();
  }
  if (asked.around !== undefined) addAround(graph, asked.around, links);
  return links.bytes();
}

/** Of a vertex with a million edges no more is read than is asked for. */
function addAround(
  graph: GraphEngine,
  { vertex, direction, edgePropertyId, after, limit }: z.output<typeof around>,
  links: Links,
): void {
  const part = { after: Math.max(-1, after), limit };
  for (const edge of listOf<number>(graph.reads.edgeGroupPart(vertex, direction, edgePropertyId, part))) {
    const other = graph.reads.endpoint(edge, direction === 'out' ? 'target' : 'source');
    if (other === null) continue;
    const [source, target] = direction === 'out' ? [vertex, other] : [other, vertex];
    links.add(edge, source, target, edgePropertyId);
  }
}

const decoder = new TextDecoder();

function* outgoing(graph: GraphEngine, vertex: number): Generator<[type: string, edge: number]> {
  const types = listOf<string>(graph.reads.edgeTypes(vertex, 'out'));
  for (const type of types) {
    for (const edge of listOf<number>(graph.reads.edgeGroup(vertex, 'out', type))) yield [type, edge];
  }
}

function listOf<Item>(text: Uint8Array | null): Item[] {
  return text === null ? [] : JSON.parse(decoder.decode(text));
}

/** Gathers an answer. */
class Links {
  flags = 0;
  private readonly places = new Map<number, number>();
  private readonly types = new Map<string, number>();
  private readonly known = new Set<number>();
  private readonly edges: number[] = [];
  private readonly sources: number[] = [];
  private readonly targets: number[] = [];
  private readonly edgeTypes: number[] = [];

  get vertices(): Iterable<number> {
    return this.places.keys();
  }

  has(vertex: number): boolean {
    return this.places.has(vertex);
  }

  vertexAt(vertex: number): number {
    const place = this.places.get(vertex) ?? this.places.size;
    if (place === this.places.size) this.places.set(vertex, place);
    return place;
  }

  add(edge: number, source: number, target: number, type: string): void {
    if (this.known.has(edge)) return;
    this.known.add(edge);
    const place = this.types.get(type) ?? this.types.size;
    if (place === this.types.size) this.types.set(type, place);
    this.edges.push(edge);
    this.sources.push(this.vertexAt(source));
    this.targets.push(this.vertexAt(target));
    this.edgeTypes.push(place);
  }

  bytes(): Uint8Array {
    const names = new TextEncoder().encode(JSON.stringify([...this.types.keys()]));
    const head = [magic, this.flags, this.places.size, this.edges.length, names.byteLength];
    const columns = [head, [...this.places.keys()], this.edges, this.sources, this.targets, this.edgeTypes];
    const words = headerWords + this.places.size + 4 * this.edges.length;
    const answer = new Uint8Array(4 * words + names.byteLength);
    const view = new DataView(answer.buffer);
    let at = 0;
    for (const column of columns) for (const word of column) view.setUint32(4 * at++, word, true);
    answer.set(names, 4 * words);
    return answer;
  }
}
