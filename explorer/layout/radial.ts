// Rings around one vertex: each stands on the ring of its distance, children within the arc of their parent, arcs as wide as what hangs on
// them. What is not connected stands on the outermost ring.

import type { LayoutInput } from './force.ts';

const ringGap = 90;
/** Room of a vertex on its ring. */
const room = 22;

export function radialPlaces({ places, fixed, links, spacing }: LayoutInput, root: number): Float32Array<ArrayBuffer> {
  const count = fixed.length;
  const result = new Float32Array(places);
  if (count === 0) return result;
  const { order, parents, rings } = treeOf(count, links, root);
  const weights = new Float64Array(count).fill(1);
  for (const vertex of order.toReversed()) {
    const parent = parents[vertex] as number;
    if (parent >= 0) weights[parent] = (weights[parent] as number) + (weights[vertex] as number);
  }
  const radii = radiiOf(rings, spacing);
  const [starts, widths] = [new Float64Array(count), new Float64Array(count)];
  const used = new Float64Array(count);
  widths[root] = 2 * Math.PI;
  for (const vertex of order) {
    const parent = parents[vertex] as number;
    if (parent >= 0) {
      const inner = Math.max(1, (weights[parent] as number) - 1);
      widths[vertex] = ((widths[parent] as number) * (weights[vertex] as number)) / inner;
      starts[vertex] = (starts[parent] as number) + (used[parent] as number);
      used[parent] = (used[parent] as number) + (widths[vertex] as number);
    }
    if (fixed[vertex] === 1) continue;
    const radius = radii[rings[vertex] as number] as number;
    const angle = (starts[vertex] as number) + (widths[vertex] as number) / 2;
    result[2 * vertex] = radius * Math.cos(angle);
    result[2 * vertex + 1] = radius * Math.sin(angle);
  }
  return result;
}

/** Breadth-first; what is out of reach hangs on the root, one ring further out than all others. */
function treeOf(count: number, links: Uint32Array, root: number) {
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < links.length; i += 2) {
    neighbours[links[i] as number]?.push(links[i + 1] as number);
    neighbours[links[i + 1] as number]?.push(links[i] as number);
  }
  const parents = new Int32Array(count).fill(-2);
  const rings = new Int32Array(count);
  parents[root] = -1;
  const order = [root];
  for (const vertex of order) {
    for (const other of neighbours[vertex] as number[]) {
      if (parents[other] !== -2) continue;
      parents[other] = vertex;
      rings[other] = (rings[vertex] as number) + 1;
      order.push(other);
    }
  }
  const outermost = (rings[order.at(-1) as number] as number) + 1;
  for (let vertex = 0; vertex < count; vertex++) {
    if (parents[vertex] !== -2) continue;
    parents[vertex] = root;
    rings[vertex] = outermost;
    order.push(vertex);
  }
  return { order, parents, rings };
}

/** A ring is at least as far out as its vertices need to stand beside each other. */
function radiiOf(rings: Int32Array, spacing: number): number[] {
  const counts: number[] = [];
  for (const ring of rings) counts[ring] = (counts[ring] ?? 0) + 1;
  const radii = [0];
  for (let ring = 1; ring < counts.length; ring++) {
    const needed = ((counts[ring] ?? 0) * room * spacing) / (2 * Math.PI);
    radii.push(Math.max((radii[ring - 1] as number) + ringGap * spacing, needed));
  }
  return radii;
}
