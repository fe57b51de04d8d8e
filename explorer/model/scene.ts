// The graph that is shown: which vertices and edges, which of them are hidden, and which came by expanding which vertex. A scene never
// changes; each action makes another one, and undoing is having kept the one before. Positions are no part of it: undo moves nothing.

import { type Direction, type EdgeData, labelOf, type VertexData } from './elements.ts';
import { type Filter, filterOf } from './filter.ts';

/** What expanding a vertex along one group of its edges has brought. */
export interface Expansion {
  readonly vertex: number;
  readonly direction: Direction;
  readonly type: string;
  /** The last edge of the group that has been looked at; the next step goes on behind it. */
  readonly last: number;
  readonly vertices: readonly number[];
  readonly edges: readonly number[];
}

export interface Scene {
  readonly vertices: ReadonlyMap<number, VertexData>;
  readonly edges: ReadonlyMap<number, EdgeData>;
  readonly expansions: ReadonlyMap<string, Expansion>;
  readonly hiddenVertices: ReadonlySet<number>;
  readonly hiddenLabels: ReadonlySet<string>;
  readonly hiddenTypes: ReadonlySet<string>;
  readonly hiddenEdges: ReadonlySet<number>;
  /** Vertices that do not pass are not shown. */
  readonly filter: Filter | null;
}

export const emptyScene: Scene = {
  vertices: new Map(),
  edges: new Map(),
  expansions: new Map(),
  hiddenVertices: new Set(),
  hiddenLabels: new Set(),
  hiddenTypes: new Set(),
  hiddenEdges: new Set(),
  filter: null,
};

export interface Visible {
  readonly vertices: readonly VertexData[];
  /** Both ends of each are among the vertices. */
  readonly edges: readonly EdgeData[];
}

export function visibleOf(scene: Scene): Visible {
  const { hiddenVertices, hiddenLabels, hiddenTypes, hiddenEdges, filter } = scene;
  const passes = filter === null ? () => true : filterOf(filter, scene.edges.values());
  const vertices: VertexData[] = [];
  const shown = new Set<number>();
  for (const vertex of scene.vertices.values()) {
    if (hiddenVertices.has(vertex.id) || hiddenLabels.has(labelOf(vertex)) || !passes(vertex)) continue;
    vertices.push(vertex);
    shown.add(vertex.id);
  }
  const edges: EdgeData[] = [];
  for (const edge of scene.edges.values()) {
    if (hiddenEdges.has(edge.id)) continue;
    if (!hiddenTypes.has(edge.type) && shown.has(edge.source) && shown.has(edge.target)) edges.push(edge);
  }
  return { vertices, edges };
}

/** The scene with more in it. An edge without both its ends is left out. */
export function withElements(scene: Scene, vertices: Iterable<VertexData>, edges: Iterable<EdgeData>): Scene {
  const allVertices = new Map(scene.vertices);
  for (const vertex of vertices) allVertices.set(vertex.id, vertex);
  const allEdges = new Map(scene.edges);
  for (const edge of edges) {
    if (allVertices.has(edge.source) && allVertices.has(edge.target)) allEdges.set(edge.id, edge);
  }
  return { ...scene, vertices: allVertices, edges: allEdges };
}

export function expansionKey(vertex: number, direction: Direction, type: string): string {
  return `${vertex} ${direction} ${type}`;
}

/** Behind which edge of a group the next step begins. */
export function lastOfGroup(scene: Scene, key: string): number {
  return scene.expansions.get(key)?.last ?? -1;
}

/** Of edges of a group, in their order, at most `limit` that are not shown yet, and the last one that was looked at for that. */
export function freshOf(
  scene: Scene,
  edges: readonly EdgeData[],
  limit: number,
): { readonly fresh: readonly EdgeData[]; readonly last: number } {
  const fresh: EdgeData[] = [];
  let last = -1;
  for (const edge of edges) {
    if (fresh.length === limit) break;
    last = edge.id;
    if (!scene.edges.has(edge.id)) fresh.push(edge);
  }
  return { fresh, last };
}

/** The scene after one more step of an expansion, which knows what was new by it. */
export function expanded(
  scene: Scene,
  at: { readonly vertex: number; readonly direction: Direction; readonly type: string },
  last: number,
  found: { readonly vertices: readonly VertexData[]; readonly edges: readonly EdgeData[] },
): Scene {
  const key = expansionKey(at.vertex, at.direction, at.type);
  const before = scene.expansions.get(key);
  const next = withElements(scene, found.vertices, found.edges);
  const newVertices = found.vertices.filter(({ id }) => !scene.vertices.has(id)).map(({ id }) => id);
  const newEdges = found.edges.filter(({ id }) => !scene.edges.has(id) && next.edges.has(id)).map(({ id }) => id);
  const expansion: Expansion = {
    ...at,
    last,
    vertices: [...(before?.vertices ?? []), ...newVertices],
    edges: [...(before?.edges ?? []), ...newEdges],
  };
  return { ...next, expansions: new Map(next.expansions).set(key, expansion) };
}

/** Takes back what expanding a vertex has brought, but for what was expanded itself or hangs on another expansion. */
export function collapsed(scene: Scene, vertex: number): Scene {
  const own = [...scene.expansions.values()].filter((one) => one.vertex === vertex);
  if (own.length === 0) return scene;
  const expansions = new Map([...scene.expansions].filter(([, one]) => one.vertex !== vertex));
  const gone = new Set(own.flatMap(({ vertices }) => vertices));
  for (const other of expansions.values()) {
    gone.delete(other.vertex);
    for (const id of other.edges) {
      const edge = scene.edges.get(id);
      if (edge === undefined) continue;
      gone.delete(edge.source);
      gone.delete(edge.target);
    }
  }
  const ownEdges = new Set(own.flatMap(({ edges }) => edges));
  const vertices = new Map([...scene.vertices].filter(([id]) => !gone.has(id)));
  const edges = new Map(
    [...scene.edges].filter(
      ([id, { source, target }]) => vertices.has(source) && vertices.has(target) && !ownEdges.has(id),
    ),
  );
  return { ...scene, vertices, edges, expansions };
}

/** The scene with these vertices only, and what lies between them. */
export function onlyVertices(scene: Scene, ids: ReadonlySet<number>): Scene {
  const vertices = new Map([...scene.vertices].filter(([id]) => ids.has(id)));
  const edges = new Map([...scene.edges].filter(([, edge]) => ids.has(edge.source) && ids.has(edge.target)));
  const expansions = new Map([...scene.expansions].filter(([, { vertex }]) => ids.has(vertex)));
  return { ...scene, vertices, edges, expansions };
}

export function withVerticesHidden(scene: Scene, ids: Iterable<number>): Scene {
  return { ...scene, hiddenVertices: new Set([...scene.hiddenVertices, ...ids]) };
}

export function withEdgeHidden(scene: Scene, id: number): Scene {
  return { ...scene, hiddenEdges: new Set([...scene.hiddenEdges, id]) };
}

/** The scene without elements that are gone from the graph. */
export function withoutElements(scene: Scene, gone: ReadonlySet<number>): Scene {
  const vertices = new Map([...scene.vertices].filter(([id]) => !gone.has(id)));
  const edges = new Map(
    [...scene.edges].filter(
      ([id, { source, target }]) => !gone.has(id) && vertices.has(source) && vertices.has(target),
    ),
  );
  return { ...scene, vertices, edges };
}

/** Shows what is hidden, hides what is shown. */
export function toggledName(scene: Scene, of: 'hiddenLabels' | 'hiddenTypes', name: string): Scene {
  const names = new Set(scene[of]);
  if (!names.delete(name)) names.add(name);
  return { ...scene, [of]: names };
}

const nothingHidden = {
  hiddenVertices: new Set<number>(),
  hiddenLabels: new Set<string>(),
  hiddenTypes: new Set<string>(),
  hiddenEdges: new Set<number>(),
  filter: null,
};

export function withNothingHidden(scene: Scene): Scene {
  return { ...scene, ...nothingHidden };
}
