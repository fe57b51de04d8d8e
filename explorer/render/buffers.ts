// What is shown as the numbers that the graphics processor takes: one row a vertex, one row an edge, in typed arrays that are made anew when
// the scene or its looks change and rewritten in place when only positions do.

import type { EdgeData } from '../model/elements.ts';
import type { Positions } from '../model/positions.ts';
import type { Visible } from '../model/scene.ts';
import { channelsOf } from '../style/palette.ts';
import { spreadOrder } from './pace.ts';

/** x, y, radius, emphasis (0 dimmed, 1 plain, 2 chosen). */
export const vertexFloats = 4;
/** Source x y, target x y, bend, radius of the target, emphasis, radius of the source: two texels. */
export const edgeFloats = 8;
/** Texels in a row of a texture, and rows at most: what any graphics processor takes. The arrays are as long as their textures. */
export const textureWidth = 2048;
/** Edges drawn at most; of more every n-th is. */
const maxEdgesDrawn = 60_000;
/** Up to so many edges of those that are drawn are curves; where there would be more, all but loops are straight. */
export const maxCurves = 8_000;
const maxEdgesOfTexture = (4 * textureWidth ** 2) / edgeFloats;
const maxBucket = 255;

export interface Looks {
  readonly colourOf: (vertex: Visible['vertices'][number]) => string;
  readonly radiusOf: (vertex: Visible['vertices'][number]) => number;
  /** True: every edge is drawn, however many. */
  readonly drawsAll: boolean;
}

export interface Buffers {
  readonly vertexIds: Int32Array;
  readonly vertices: Float32Array<ArrayBuffer>;
  readonly vertexColours: Uint8Array<ArrayBuffer>;
  readonly edges: Float32Array<ArrayBuffer>;
  /** Straight ones, then those that bend; each of the two in an order of which each beginning is an even sample. */
  readonly drawnEdges: readonly EdgeData[];
  /** So many are straight. */
  readonly straight: number;
  /** Places of both ends of each drawn edge in the list of vertices. */
  readonly ends: Uint32Array;
  /** One of so many edges is drawn. */
  readonly thinning: number;
  /** Places in the list of vertices, the largest first. */
  readonly largestFirst: Uint32Array;
}

/** One of so many edges is drawn. */
export function thinningOf(edges: number, drawsAll: boolean): number {
  return Math.ceil(edges / (drawsAll ? maxEdgesOfTexture : maxEdgesDrawn)) || 1;
}

/** Of a list with so many rows, in numbers. */
function textureLength(rows: number, rowLength: number): number {
  const textureRow = 4 * textureWidth;
  return Math.max(1, Math.ceil((rows * rowLength) / textureRow)) * textureRow;
}

export function buffersOf({ vertices, edges }: Visible, { colourOf, radiusOf, drawsAll }: Looks): Buffers {
  const vertexIds = Int32Array.from(vertices, ({ id }) => id);
  const rows = new Float32Array(textureLength(vertices.length, vertexFloats));
  const vertexColours = new Uint8Array(textureLength(vertices.length, 4));
  const placeOf = new Map<number, number>();
  const colours = new Map<string, Uint8Array>();
  for (const [place, vertex] of vertices.entries()) {
    placeOf.set(vertex.id, place);
    rows[vertexFloats * place + 2] = radiusOf(vertex);
    rows[vertexFloats * place + 3] = 1;
    const colour = colourOf(vertex);
    const bytes = colours.get(colour) ?? Uint8Array.of(...channelsOf(colour).map((one) => Math.round(255 * one)), 255);
    colours.set(colour, bytes);
    vertexColours.set(bytes, 4 * place);
  }
  const thinning = thinningOf(edges.length, drawsAll);
  const inOrder = thinning === 1 ? edges : edges.filter((_, place) => place % thinning === 0);
  const endsInOrder = new Uint32Array(2 * inOrder.length);
  for (const [place, { source, target }] of inOrder.entries()) {
    endsInOrder[2 * place] = placeOf.get(source) as number;
    endsInOrder[2 * place + 1] = placeOf.get(target) as number;
  }
  const bends = fewBends(bendsOf(endsInOrder, vertices.length), endsInOrder);
  const straightFirst = [...spreadOrder(inOrder.length)];
  const bent = straightFirst.filter((place) => bends[place] !== 0);
  const order = [...straightFirst.filter((place) => bends[place] === 0), ...bent];
  const drawnEdges: EdgeData[] = [];
  const ends = new Uint32Array(2 * inOrder.length);
  const edgeRows = new Float32Array(textureLength(inOrder.length, edgeFloats));
  for (const [row, place] of order.entries()) {
    drawnEdges.push(inOrder[place] as EdgeData);
    const from = endsInOrder[2 * place] as number;
    ends[2 * row] = from;
    const to = endsInOrder[2 * place + 1] as number;
    ends[2 * row + 1] = to;
    edgeRows[edgeFloats * row + 4] = bends[place] as number;
    edgeRows[edgeFloats * row + 5] = rows[vertexFloats * to + 2] as number;
    edgeRows[edgeFloats * row + 6] = 1;
    edgeRows[edgeFloats * row + 7] = rows[vertexFloats * from + 2] as number;
  }
  return {
    vertexIds,
    vertices: rows,
    vertexColours,
    edges: edgeRows,
    drawnEdges,
    straight: order.length - bent.length,
    ends,
    thinning,
    largestFirst: largestFirst(rows, vertices.length),
  };
}

/** Sorted by radius in eighths of a unit: one pass for the counts, one for the places. */
function largestFirst(rows: Float32Array, count: number): Uint32Array {
  const buckets = Uint32Array.from({ length: count }, (_, place) =>
    Math.min(maxBucket, Math.max(0, Math.round(8 * (rows[vertexFloats * place + 2] as number)))),
  );
  const starts = new Uint32Array(maxBucket + 2);
  for (const bucket of buckets) starts[maxBucket - bucket + 1] = (starts[maxBucket - bucket + 1] as number) + 1;
  for (let bucket = 1; bucket < starts.length; bucket++)
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  const order = new Uint32Array(count);
  for (const [place, bucket] of buckets.entries()) {
    const at = starts[maxBucket - bucket] as number;
    order[at] = place;
    starts[maxBucket - bucket] = at + 1;
  }
  return order;
}

/** Bends of edges, in units of the picture: parallel ones lie side by side, a loop's bend is the size of its loop. */
function bendsOf(ends: Uint32Array, vertexCount: number): Float32Array {
  const count = ends.length / 2;
  const bends = new Float32Array(count);
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < count; row++) {
    const [from, to] = [ends[2 * row] as number, ends[2 * row + 1] as number];
    const key = Math.min(from, to) * vertexCount + Math.max(from, to);
    const rows = rowsOf.get(key);
    if (rows === undefined) rowsOf.set(key, [row]);
    else rows.push(row);
  }
  for (const rows of rowsOf.values()) {
    const [from, to] = [ends[2 * (rows[0] as number)], ends[2 * (rows[0] as number) + 1]];
    if (rows.length === 1 && from !== to) continue;
    for (const [place, row] of rows.entries()) {
      const [source, target] = [ends[2 * row] as number, ends[2 * row + 1] as number];
      if (source === target) bends[row] = 10 + 6 * place;
      else bends[row] = (place - (rows.length - 1) / 2) * 14 * (source < target ? 1 : -1);
    }
  }
  return bends;
}

/** The same bends where there are few; else those of loops, which are nothing without theirs, and no bends at all of very many loops. */
function fewBends(bends: Float32Array, ends: Uint32Array): Float32Array {
  if (bends.reduce((sum, bend) => sum + Number(bend !== 0), 0) <= maxCurves) return bends;
  const loops = bends.map((bend, row) => (ends[2 * row] === ends[2 * row + 1] ? bend : 0));
  return loops.reduce((sum, bend) => sum + Number(bend !== 0), 0) <= maxCurves ? loops : loops.fill(0);
}

export function writePositions({ vertexIds, vertices, edges, ends }: Buffers, positions: Positions): void {
  for (const [place, id] of vertexIds.entries()) {
    const point = positions.get(id);
    vertices[vertexFloats * place] = point?.x ?? 0;
    vertices[vertexFloats * place + 1] = point?.y ?? 0;
  }
  for (let row = 0; row < ends.length / 2; row++) {
    const [from, to] = [vertexFloats * (ends[2 * row] as number), vertexFloats * (ends[2 * row + 1] as number)];
    const at = edgeFloats * row;
    edges[at] = vertices[from] as number;
    edges[at + 1] = vertices[from + 1] as number;
    edges[at + 2] = vertices[to] as number;
    edges[at + 3] = vertices[to + 1] as number;
  }
}

/** What stands out: chosen vertices, and edges that are marked by themselves. */
export interface Chosen {
  readonly vertices: ReadonlySet<number>;
  readonly edges: ReadonlySet<number>;
}

/** With something chosen everything but it and its neighbours is dimmed. */
export function writeEmphasis(buffers: Buffers, { vertices: chosen, edges: marked }: Chosen): void {
  const { vertexIds, vertices, edges, drawnEdges, ends } = buffers;
  const isPlain = chosen.size === 0 && marked.size === 0;
  for (let place = 0; place < vertexIds.length; place++) vertices[vertexFloats * place + 3] = isPlain ? 1 : 0;
  for (const [row, { id, source, target }] of drawnEdges.entries()) {
    const isNear = marked.size > 0 ? marked.has(id) : chosen.has(source) || chosen.has(target);
    edges[edgeFloats * row + 6] = isPlain ? 1 : isNear ? 2 : 0;
    if (!isNear) continue;
    vertices[vertexFloats * (ends[2 * row] as number) + 3] = 1;
    vertices[vertexFloats * (ends[2 * row + 1] as number) + 3] = 1;
  }
  for (const [place, id] of vertexIds.entries()) if (chosen.has(id)) vertices[vertexFloats * place + 3] = 2;
}
