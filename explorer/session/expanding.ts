// One step of an expansion: the next edges of one group of a vertex, a page at a time, so that a hub floods neither the line nor the picture.

import type { Source } from '../data/source.ts';
import type { Direction, EdgeData } from '../model/elements.ts';
import { expanded, expansionKey, freshOf, lastOfGroup, type Scene } from '../model/scene.ts';

/** Edges of a vertex that are asked for at once: some of them may be shown already. */
const pageEdges = 100;

/** The scene with at most `limit` more edges of the group; the same one when there are none. */
export async function withNextOf(
  source: Source,
  scene: Scene,
  at: { readonly vertex: number; readonly direction: Direction; readonly type: string },
  limit: number,
): Promise<Scene> {
  const key = expansionKey(at.vertex, at.direction, at.type);
  const wanted: EdgeData[] = [];
  let last = lastOfGroup(scene, key);
  for (;;) {
    const page = await source.around({ ...at, after: last, limit: pageEdges });
    const next = freshOf(scene, page, limit - wanted.length);
    wanted.push(...next.fresh);
    if (next.last >= 0) last = next.last;
    if (wanted.length === limit || page.length < pageEdges) break;
  }
  if (wanted.length === 0) return scene;
  const others = wanted.map((edge) => (at.direction === 'out' ? edge.target : edge.source));
  const vertices = await source.vertices([...new Set(others)].filter((id) => !scene.vertices.has(id)));
  return expanded(scene, at, last, { vertices, edges: wanted });
}
