// The algorithms beyond the contract in their plainest form, over the scopes of naive-analytics.ts.

import { arcsOf, type Direction, naiveTriangles, neighboursOf, type PlainScope } from './naive-analytics.ts';

/** Hops from each vertex to each, Infinity out of reach, and how many shortest paths there are. */
function allPaths(scope: PlainScope, direction: Direction): { hops: number[][]; paths: number[][] } {
  const arcs = arcsOf(scope, direction);
  const hops: number[][] = [];
  const paths: number[][] = [];
  for (const source of scope.ids.keys()) {
    const own = scope.ids.map(() => Number.POSITIVE_INFINITY);
    const count = scope.ids.map(() => 0);
    own[source] = 0;
    count[source] = 1;
    let frontier = [source];
    for (let level = 1; frontier.length > 0; level++) {
      const next = new Set<number>();
      for (const v of frontier) {
        for (const { to } of arcs[v] ?? []) {
          if ((own[to] as number) < level) continue;
          own[to] = level;
          count[to] = (count[to] as number) + (count[v] as number);
          next.add(to);
        }
      }
      frontier = [...next];
    }
    hops.push(own);
    paths.push(count);
  }
  return { hops, paths };
}

/** NaN for who is not reached. */
export function naiveLevels(scope: PlainScope, direction: Direction, source: number): number[] {
  const own = allPaths(scope, direction).hops[scope.ids.indexOf(source)] ?? [];
  return own.map((hops) => (hops === Number.POSITIVE_INFINITY ? Number.NaN : hops));
}

/** Relaxes every arc until nothing changes; NaN for who is not reached. */
export function naiveDistances(scope: PlainScope, direction: Direction, source: number): number[] {
  const arcs = arcsOf(scope, direction);
  const own = scope.ids.map((id) => (id === source ? 0 : Number.POSITIVE_INFINITY));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [v, list] of arcs.entries()) {
      for (const { to, weight } of list) {
        const sum = (own[v] as number) + weight;
        if (sum < (own[to] as number)) {
          own[to] = sum;
          changed = true;
        }
      }
    }
  }
  return own.map((distance) => (distance === Number.POSITIVE_INFINITY ? Number.NaN : distance));
}

export function naiveCores(scope: PlainScope): number[] {
  const neighbours = neighboursOf(scope);
  const cores = scope.ids.map(() => 0);
  const left = new Set(scope.ids.keys());
  for (let k = 0; left.size > 0; k++) {
    for (let changed = true; changed; ) {
      changed = false;
      for (const v of left) {
        if ([...(neighbours[v] ?? [])].filter((w) => left.has(w)).length > k) continue;
        cores[v] = k;
        left.delete(v);
        changed = true;
      }
    }
  }
  return cores;
}

/** The smallest id among those that reach the vertex and are reached by it. */
export function naiveStrongComponents(scope: PlainScope): number[] {
  const { hops } = allPaths(scope, 'out');
  const reaches = (v: number, w: number): boolean => (hops[v]?.[w] as number) < Number.POSITIVE_INFINITY;
  return scope.ids.map((_, v) => scope.ids.find((_id, w) => reaches(v, w) && reaches(w, v)) as number);
}

/** For every ordered pair and every vertex between them the share of shortest paths through it, from `sources` only, scaled. */
export function naiveBetweenness(scope: PlainScope, direction: Direction, sources: readonly number[]): number[] {
  const { hops, paths } = allPaths(scope, direction);
  const at = (table: number[][], v: number, w: number): number => table[v]?.[w] as number;
  return scope.ids.map((_, v) => {
    let sum = 0;
    for (const s of sources) {
      for (const t of scope.ids.keys()) {
        if (s === t || s === v || t === v || at(hops, s, t) === Number.POSITIVE_INFINITY) continue;
        if (at(hops, s, v) + at(hops, v, t) !== at(hops, s, t)) continue;
        sum += (at(paths, s, v) * at(paths, v, t)) / at(paths, s, t);
      }
    }
    return sum * (scope.ids.length / sources.length);
  });
}

/** Mean of 1 / hops to `sources`, scaled to all others. */
export function naiveCloseness(scope: PlainScope, direction: Direction, sources: readonly number[]): number[] {
  const { hops } = allPaths(scope, direction);
  const n = scope.ids.length;
  return scope.ids.map((_, v) => {
    let sum = 0;
    for (const s of sources) if (s !== v) sum += 1 / (hops[v]?.[s] as number);
    return n < 2 ? 0 : (sum * n) / (sources.length * (n - 1));
  });
}

/** Indexes sampled with a seed, as assembly/analytics/sample.ts says. */
export function naiveSample(count: number, wanted: number, seed: number): number[] {
  if (wanted === 0 || wanted >= count) return Array.from({ length: count }, (_, i) => i);
  const list: number[] = [];
  let state = seed >>> 0;
  for (let i = 0; list.length < wanted; i++) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    if (Math.floor(share * (count - i)) < wanted - list.length) list.push(i);
  }
  return list;
}

export function naiveClustering(scope: PlainScope): number[] {
  const triangles = naiveTriangles(scope);
  return neighboursOf(scope).map((own, v) => {
    const pairs = (own.size * (own.size - 1)) / 2;
    return pairs === 0 ? 0 : (triangles[v] as number) / pairs;
  });
}

/** Of the ordered pairs of neighbours the part that an edge joins. */
export function naiveDirectedClustering(scope: PlainScope): number[] {
  const targets = arcsOf(scope, 'out').map((list) => new Set(list.map(({ to }) => to)));
  return neighboursOf(scope).map((own) => {
    let joined = 0;
    for (const from of own) for (const to of own) if (from !== to && targets[from]?.has(to)) joined++;
    return own.size < 2 ? 0 : joined / (own.size * (own.size - 1));
  });
}

/** Modularity of a partition of the scope, every edge seen from both of its ends. */
export function naiveModularity(scope: PlainScope, partition: readonly number[], resolution = 1): number {
  const arcs = arcsOf(scope, 'both');
  const strength = new Map<number, number>();
  let all = 0;
  let inside = 0;
  for (const [v, list] of arcs.entries()) {
    const own = partition[v] as number;
    for (const { to, weight } of list) {
      all += weight;
      strength.set(own, (strength.get(own) ?? 0) + weight);
      if (partition[to] === own) inside += weight;
    }
  }
  if (all === 0) return 0;
  let expected = 0;
  for (const sum of strength.values()) expected += (sum / all) ** 2;
  return inside / all - resolution * expected;
}
