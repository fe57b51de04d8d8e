// What is shown as the numbers that the graphics processor takes: one row a vertex, one row an edge, in typed arrays that are made anew when
// the scene or its looks change and rewritten in place when only positions do.

import type { EdgeData } from '../model/elements.ts';
import type { Positions } from '../model/positions.ts';
import type { Visible } from '../model/scene.ts';
import { channelsOf } from '../style/palette.ts';

/** x, y, radius, emphasis (0 dimmed, 1 plain, 2 chosen). */
export const vertexFloats = 4;
/** Source x y, target x y, bend, radius of the target, emphasis. */
export const edgeFloats = 7;
/** Edges drawn at most; of more every n-th is. */
const maxEdgesDrawn = 60_000;

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
  readonly drawnEdges: readonly EdgeData[];
  /** Places of both ends of each drawn edge in the list of vertices. */
  readonly ends: Uint32Array;
  /** One of so many edges is drawn. */
  readonly thinning: number;
}

export function buffersOf({ vertices, edges }: Visible, { colourOf, radiusOf, drawsAll }: Looks): Buffers {
  const vertexIds = Int32Array.from(vertices, ({ id }) => id);
  const rows = new Float32Array(vertexFloats * vertices.length);
  const vertexColours = new Uint8Array(4 * vertices.length);
  const placeOf = new Map<number, number>();
  for (const [place, vertex] of vertices.entries()) {
    placeOf.set(vertex.id, place);
    rows[vertexFloats * place + 2] = radiusOf(vertex);
    rows[vertexFloats * place + 3] = 1;
    vertexColours.set([...channelsOf(colourOf(vertex)).map((one) => Math.round(255 * one)), 255], 4 * place);
  }
  const thinning = drawsAll ? 1 : Math.ceil(edges.length / maxEdgesDrawn) || 1;
  const drawnEdges = thinning === 1 ? edges : edges.filter((_, place) => place % thinning === 0);
  const ends = new Uint32Array(2 * drawnEdges.length);
  const edgeRows = new Float32Array(edgeFloats * drawnEdges.length);
  const bends = bendsOf(drawnEdges);
  for (const [row, { source, target }] of drawnEdges.entries()) {
    const [from, to] = [placeOf.get(source) as number, placeOf.get(target) as number];
    ends.set([from, to], 2 * row);
    edgeRows[edgeFloats * row + 4] = bends[row] as number;
    edgeRows[edgeFloats * row + 5] = rows[vertexFloats * to + 2] as number;
    edgeRows[edgeFloats * row + 6] = 1;
  }
  return { vertexIds, vertices: rows, vertexColours, edges: edgeRows, drawnEdges, ends, thinning };
}

/** Bends of edges, in units of the picture: parallel ones lie side by side, a loop's bend is the size of its loop. */
function bendsOf(edges: readonly EdgeData[]): Float32Array {
  const groups = new Map<string, number[]>();
  for (const [row, { source, target }] of edges.entries()) {
    const key = source < target ? `${source} ${target}` : `${target} ${source}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const bends = new Float32Array(edges.length);
  for (const rows of groups.values()) {
    for (const [place, row] of rows.entries()) {
      const { source, target } = edges[row] as EdgeData;
      if (source === target) bends[row] = 10 + 6 * place;
      else bends[row] = (place - (rows.length - 1) / 2) * 14 * (source < target ? 1 : -1);
    }
  }
  return bends;
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
