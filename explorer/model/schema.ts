// The shape of a graph as a small graph: labels, and the types of edges between them, counted over a sample.

import type { EdgeData } from './elements.ts';
import { noLabel } from './elements.ts';

export interface SchemaEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** In the sample. */
  readonly count: number;
}

/** Labels by vertex; an edge with an end whose label is not known counts as of no label. */
export function schemaOf(edges: readonly EdgeData[], labels: ReadonlyMap<number, string>): SchemaEdge[] {
  const tally = new Map<string, SchemaEdge>();
  for (const { source, target, type } of edges) {
    const [from, to] = [labels.get(source) ?? noLabel, labels.get(target) ?? noLabel];
    const key = JSON.stringify([from, type, to]);
    tally.set(key, { from, to, type, count: (tally.get(key)?.count ?? 0) + 1 });
  }
  return [...tally.values()].sort((a, b) => b.count - a.count);
}

/** Types by how often the sample has them, as an estimate for all edges. */
export function typesOf(schema: readonly SchemaEdge[], edgeCount: number): { name: string; count: number }[] {
  const sampled = schema.reduce((sum, { count }) => sum + count, 0);
  const counts = new Map<string, number>();
  for (const { type, count } of schema) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts]
    .map(([name, count]) => ({ name, count: Math.round((count / Math.max(1, sampled)) * edgeCount) }))
    .sort((a, b) => b.count - a.count);
}

/** Up to `count` ids, evenly over `0 .. end`. */
export function evenIds(end: number, count: number): number[] {
  if (end <= count) return Array.from({ length: end }, (_, id) => id);
  return Array.from({ length: count }, (_, step) => Math.floor(((step + 0.5) * end) / count));
}
