// Where things stand. What stands stays: a new vertex gets a place beside one that it hangs on, or on a spiral around the middle.
// The same steps give the same places.

import type { EdgeData, VertexData } from './elements.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Positions = Map<number, Point>;

/** Distance of neighbours on the spiral, in units of the picture; a vertex has a radius of about 6. */
const spacingUnits = 30;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/** Gives places to vertices without one; answers the ids that were placed. */
export function placeNew(
  positions: Positions,
  vertices: readonly VertexData[],
  edges: readonly EdgeData[],
): Set<number> {
  const fresh = vertices.filter(({ id }) => !positions.has(id));
  const placed = new Set(fresh.map(({ id }) => id));
  if (placed.size === 0) return placed;
  const anchors = anchorsOf(placed, positions, edges);
  const perAnchor = new Map<number, number>();
  let alone = positions.size;
  for (const { id } of fresh) {
    const anchor = anchors.get(id);
    const centre = anchor === undefined ? undefined : positions.get(anchor);
    if (anchor === undefined || centre === undefined) {
      positions.set(id, onSpiral({ x: 0, y: 0 }, alone++));
      continue;
    }
    const step = perAnchor.get(anchor) ?? 0;
    perAnchor.set(anchor, step + 1);
    positions.set(id, onSpiral(centre, step + 2, anchor));
  }
  return placed;
}

function anchorsOf(placed: ReadonlySet<number>, positions: Positions, edges: readonly EdgeData[]): Map<number, number> {
  const anchors = new Map<number, number>();
  for (const { source, target } of edges) {
    if (placed.has(source) && !anchors.has(source) && positions.has(target)) anchors.set(source, target);
    if (placed.has(target) && !anchors.has(target) && positions.has(source)) anchors.set(target, source);
  }
  return anchors;
}

function onSpiral({ x, y }: Point, step: number, turn = 0): Point {
  const radius = spacingUnits * Math.sqrt(step + 0.5);
  const angle = step * goldenAngle + turn;
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
}
