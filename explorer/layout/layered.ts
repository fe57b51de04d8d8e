// Layers from top to bottom along the direction of edges, by dagre; components that hang together stand side by side.

import { Graph, layout } from '@dagrejs/dagre';
import type { LayoutInput } from './force.ts';

/** Layers of many vertices stand farther apart, or the picture would be a line: up to so many times wider than high, and so many gaps. */
const [widest, mostStretch] = [2, 5];
const [layerGap, vertexGap, vertexSize] = [64, 26, 12];

export function layeredPlaces({ places, fixed, links, spacing }: LayoutInput): Float32Array<ArrayBuffer> {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({
    ...{ rankdir: 'TB', ranker: fixed.length > 400 ? 'longest-path' : 'tight-tree' },
    ...{ ranksep: layerGap * spacing, nodesep: vertexGap * spacing },
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (let i = 0; i < fixed.length; i++) graph.setNode(String(i), { width: vertexSize, height: vertexSize });
  for (let i = 0; i < links.length; i += 2) {
    if (links[i] !== links[i + 1]) graph.setEdge(String(links[i]), String(links[i + 1]));
  }
  layout(graph);
  const result = new Float32Array(places);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const stretch = Math.min(mostStretch, Math.max(1, width / (widest * Math.max(1, height))));
  for (let i = 0; i < fixed.length; i++) {
    if (fixed[i] === 1) continue;
    const { x, y } = graph.node(String(i)) as { x: number; y: number };
    result[2 * i] = x - width / 2;
    result[2 * i + 1] = (y - height / 2) * stretch;
  }
  return result;
}
