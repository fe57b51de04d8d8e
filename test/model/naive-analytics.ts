// The algorithms as the contract says them, in the plainest form, over plain arrays. Positions here are indexes of `ids`, which ascend.

export interface PlainEdge {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly type: string;
  readonly weight: number | null;
}

export interface PlainGraph {
  readonly vertices: readonly { readonly id: number; readonly label: string | null }[];
  readonly edges: readonly PlainEdge[];
}

export type Direction = 'out' | 'in' | 'both';

/** A scope: ids ascending, and for each the arcs of each direction as indexes of `ids`. */
export interface PlainScope {
  readonly ids: readonly number[];
  readonly out: readonly (readonly PlainArc[])[];
  readonly in: readonly (readonly PlainArc[])[];
}

export interface PlainArc {
  readonly to: number;
  readonly weight: number;
}

export function scopeOf(graph: PlainGraph, label: string | null, type: string | null): PlainScope {
  const ids = graph.vertices
    .filter((vertex) => label === null || vertex.label === label)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
  const index = new Map(ids.map((id, i) => [id, i]));
  const out: PlainArc[][] = ids.map(() => []);
  const into: PlainArc[][] = ids.map(() => []);
  for (const edge of graph.edges) {
    const [source, target] = [index.get(edge.source), index.get(edge.target)];
    if (source === undefined || target === undefined || (type !== null && edge.type !== type)) continue;
    const weight = edge.weight ?? 1;
    out[source]?.push({ to: target, weight });
    into[target]?.push({ to: source, weight });
  }
  return { ids, out, in: into };
}

/** Arcs of each vertex in a direction. */
export function arcsOf(scope: PlainScope, direction: Direction): PlainArc[][] {
  return scope.ids.map((_, i) => [
    ...(direction === 'in' ? [] : (scope.out[i] as PlainArc[])),
    ...(direction === 'out' ? [] : (scope.in[i] as PlainArc[])),
  ]);
}

/** Distinct neighbours, the vertex itself left out. */
export function neighboursOf(scope: PlainScope): Set<number>[] {
  return arcsOf(scope, 'both').map((arcs, i) => new Set(arcs.map(({ to }) => to).filter((to) => to !== i)));
}

export interface Rounds<T> {
  readonly values: T[];
  readonly iterations: number;
  readonly converged: boolean;
}

export function naivePageRank(
  scope: PlainScope,
  direction: Direction,
  damping: number,
  epsilon: number,
  maxIterations: number,
): Rounds<number> {
  const n = scope.ids.length;
  const arcs = arcsOf(scope, direction);
  let values = scope.ids.map(() => 1 / n);
  if (n === 0) return { values, iterations: 0, converged: true };
  for (let round = 1; ; round++) {
    const received = scope.ids.map(() => 0);
    let pool = 0;
    for (const [v, list] of arcs.entries()) {
      const rank = values[v] as number;
      if (list.length === 0) pool += rank;
      for (const { to } of list) received[to] = (received[to] as number) + rank / list.length;
    }
    const next = received.map((sum) => damping * sum + (1 - damping) / n + (damping * pool) / n);
    const change = next.reduce((sum, value, v) => sum + Math.abs(value - (values[v] as number)), 0);
    values = next;
    if (change < epsilon) return { values, iterations: round, converged: true };
    if (round === maxIterations) return { values, iterations: round, converged: false };
  }
}

/** The smallest id of each vertex's component. */
export function naiveComponents(scope: PlainScope): number[] {
  const names = [...scope.ids];
  for (let changed = true; changed; ) {
    changed = false;
    for (const [v, list] of arcsOf(scope, 'both').entries()) {
      for (const { to } of list) {
        if ((names[to] as number) < (names[v] as number)) {
          names[v] = names[to] as number;
          changed = true;
        }
      }
    }
  }
  return names;
}

export function naiveLabelPropagation(scope: PlainScope, direction: Direction, maxIterations: number): Rounds<number> {
  let values = [...scope.ids];
  if (values.length === 0) return { values, iterations: 0, converged: true };
  const arcs = arcsOf(scope, direction);
  for (let round = 1; ; round++) {
    const next = values.map((label, v) => {
      const votes = new Map<number, number>();
      for (const { to } of arcs[v] ?? []) votes.set(values[to] as number, (votes.get(values[to] as number) ?? 0) + 1);
      const best = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
      return best?.[0] ?? label;
    });
    const same = next.every((label, v) => label === values[v]);
    values = next;
    if (same) return { values, iterations: round, converged: true };
    if (round === maxIterations) return { values, iterations: round, converged: false };
  }
}

export function naiveDegrees(scope: PlainScope, direction: Direction): number[] {
  return arcsOf(scope, direction).map((list) => list.length);
}

export function naiveTriangles(scope: PlainScope): number[] {
  const neighbours = neighboursOf(scope);
  return neighbours.map((own) => {
    let count = 0;
    for (const a of own) for (const b of own) if (a < b && neighbours[a]?.has(b)) count++;
    return count;
  });
}
