// The answer to a question of topology. Little-endian:
//
//   u32 magic 'ATP1'   u32 flags (1: some edges were not looked at)   u32 vertices   u32 edges   u32 bytes of names
//   vertices x i32 id
//   edges x i32 id
//   edges x u32 source, a position in the list of vertices            edges x u32 target, likewise
//   edges x u32 type, a position in the list of names
//   names: a JSON array of texts, UTF-8

import type { GraphEngine } from '../../engine/types.ts';
import type { Exchange } from '../exchange.ts';
import { Slices } from '../slices.ts';

const magic = 0x31505441;
const incompleteFlag = 1;
const headerWords = 5;
/** Edges looked at for one answer; a vertex with more than are left is passed over. */
const maxEdgesLookedAt = 1_000_000;

/** Edges of one type of a vertex that are read in one go. */
const edgesAtOnce = 4096;

/** The next edges of one type of one vertex. */
interface NextEdges {
  readonly vertex: number;
  readonly direction: 'in' | 'out';
  readonly edgePropertyId: string;
  /** An edge of the group, or below 0. */
  readonly after: number;
  readonly limit: number;
}

interface TopologyQuestion {
  readonly vertices: readonly number[];
  readonly edges: readonly number[];
  readonly around?: NextEdges | undefined;
}

export async function readTopology(exchange: Exchange, asked: TopologyQuestion): Promise<Uint8Array> {
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
    const [source, target] = [graph.reads.endpoint(edge, 'source'), graph.reads.endpoint(edge, 'target')];
    const type = graph.reads.edgeType(edge);
    if (source !== null && target !== null && type !== null) links.add(edge, source, target, type);
    if (slices.isOver()) await slices.next();
  }
  if (asked.around !== undefined) addAround(graph, asked.around, links);
  return links.bytes();
}

/** Of a vertex with a million edges no more is read than is asked for. */
function addAround(
  graph: GraphEngine,
  { vertex, direction, edgePropertyId, after, limit }: NextEdges,
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
    for (let after = -1; ; ) {
      const part = listOf<number>(graph.reads.edgeGroupPart(vertex, 'out', type, { after, limit: edgesAtOnce }));
      for (const edge of part) yield [type, edge];
      if (part.length < edgesAtOnce) break;
      after = part[part.length - 1] as number;
    }
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
