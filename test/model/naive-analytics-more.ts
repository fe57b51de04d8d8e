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

interface LevelGraph {
  readonly arcs: Map<number, number>[];
}

interface Start {
  readonly community: readonly number[];
  readonly queue: readonly number[];
  /** Looks at arcs and vertices until it ends, and what each vertex costs of them. */
  readonly looks?: number;
  readonly cost?: readonly number[];
}

/** Moves vertices from a queue to the neighbouring community of largest gain. Answers each vertex's community. */
function moveVertices({ arcs }: LevelGraph, resolution: number, start: Start): number[] {
  const strength = arcs.map((list) => [...list.values()].reduce((sum, weight) => sum + weight, 0));
  const community = [...start.community];
  const total = arcs.map(() => 0);
  for (const [v, own] of community.entries()) total[own] = (total[own] as number) + (strength[v] as number);
  const all = strength.reduce((sum, value) => sum + value, 0);
  const queue = new Set(start.queue);
  const mobile = new Set(start.queue);
  let looks = start.looks ?? Number.POSITIVE_INFINITY;
  for (const v of queue) {
    if (looks <= 0) break;
    looks -= start.cost?.[v] ?? 0;
    queue.delete(v);
    const own = community[v] as number;
    const flow = new Map<number, number>();
    for (const [w, weight] of arcs[v] ?? []) {
      const its = community[w] as number;
      if (w !== v && weight > 0) flow.set(its, (flow.get(its) ?? 0) + weight);
    }
    const mine = strength[v] as number;
    const expected = all === 0 ? 0 : (resolution * mine) / all;
    total[own] = (total[own] as number) - mine;
    let best = own;
    let most = (flow.get(own) ?? 0) - expected * (total[own] as number) + 1e-13 * all;
    for (const [candidate, weight] of flow) {
      const gain = weight - expected * (total[candidate] as number);
      if (candidate === own || gain < most || (gain === most && (best === own || candidate > best))) continue;
      most = gain;
      best = candidate;
    }
    total[best] = (total[best] as number) + mine;
    community[v] = best;
    if (best === own) continue;
    for (const w of arcs[v]?.keys() ?? []) if (community[w] !== best && mobile.has(w)) queue.add(w);
  }
  return community;
}

/** 0, 1, and two classes for each power of two. */
function classOf(degree: number): number {
  if (degree < 2) return degree;
  const power = Math.floor(Math.log2(degree));
  return 2 * power + (Math.floor(degree / 2 ** (power - 1)) % 2);
}

/** The vertices that move at the first level: all but those of the largest classes that are no more than a 256th together. */
function mobileVertices(degrees: readonly number[]): number[] {
  const ordered = degrees.map(classOf).sort((a, b) => b - a);
  const limit = Math.floor(degrees.length / 256);
  const staying = ordered.findLastIndex((own, i) => i < limit && own !== ordered[i + 1]);
  const least = staying < 0 ? Number.POSITIVE_INFINITY : (ordered[staying] as number);
  return [...degrees.keys()].filter((v) => classOf(degrees[v] as number) < least);
}

/** Louvain by levels until nothing moves, then every vertex once more; answers each vertex's community by its smallest id. */
export function naiveLouvain(scope: PlainScope, resolution = 1): number[] {
  const add = (list: Map<number, number>, to: number, weight: number) => list.set(to, (list.get(to) ?? 0) + weight);
  const plain = arcsOf(scope, 'both');
  const degrees = plain.map((list) => list.length);
  const first: LevelGraph = {
    arcs: plain.map((list) => list.reduce((sum, arc) => add(sum, arc.to, arc.weight), new Map())),
  };
  const each = [...scope.ids.keys()];
  const cost = degrees.map((degree) => degree + 1);
  const looks = 2 * cost.reduce((sum, own) => sum + own, 0);
  let graph = first;
  let map = each;
  while (map.length > 0) {
    const alone = [...graph.arcs.keys()];
    const start = graph === first ? { queue: mobileVertices(degrees), looks, cost } : { queue: alone.toReversed() };
    const community = moveVertices(graph, resolution, { ...start, community: alone });
    const numbers = new Map([...new Set(community)].map((own, i) => [own, i]));
    map = map.map((v) => numbers.get(community[v] as number) as number);
    if (community.every((own, v) => own === v)) break;
    const arcs = [...numbers].map(() => new Map<number, number>());
    for (const [v, list] of graph.arcs.entries()) {
      const own = arcs[numbers.get(community[v] as number) as number] as Map<number, number>;
      for (const [w, weight] of list) add(own, numbers.get(community[w] as number) as number, weight);
    }
    graph = { arcs };
  }
  map = moveVertices(first, resolution, { community: map, queue: each });
  return map.map((own) => scope.ids[map.indexOf(own)] as number);
}
