// LOUVAIN in its plainest form: maps and lists instead of arrays, one step after the other.

import { arcsOf, type PlainScope } from './naive-analytics.ts';

interface LevelGraph {
  /** To other vertices, parallel ones together. */
  readonly arcs: Map<number, number>[];
  readonly strength: readonly number[];
  /** Arcs of each vertex, parallel ones apart: what a look at it costs beside one. */
  readonly rows: readonly number[];
}

interface Start {
  /** Where everybody is; changed. */
  readonly community: number[];
  readonly order: readonly number[];
  /** Those that do not move. */
  readonly stays: ReadonlySet<number>;
  /** Of what a look at everybody costs, how much is spent. */
  readonly share: number;
}

const blockWork = 16_384;

function sumOf(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0);
}

/** The vertices of a level while they move. */
class Moves {
  private readonly graph: LevelGraph;
  private readonly start: Start;
  private readonly totals: number[];
  private readonly rate: number;
  private readonly least: number;
  private readonly awake: boolean[];
  private readonly wishes = new Map<number, number>();
  private readonly clashes = new Set<number>();
  moved = false;

  constructor(graph: LevelGraph, start: Start, all: number, resolution: number) {
    this.graph = graph;
    this.start = start;
    this.totals = start.community.map(() => 0);
    for (const [v, own] of start.community.entries()) this.totals[own] = this.total(own) + this.strength(v);
    this.rate = resolution / (all === 0 ? 1 : all);
    this.least = 1e-13 * all;
    this.awake = start.community.map((_, v) => !start.stays.has(v));
  }

  run(): void {
    const { order, share } = this.start;
    const count = order.length;
    const arcs = sumOf(this.graph.rows);
    const fair = Math.floor((blockWork * count) / (arcs + count));
    const most = Math.min(count, 4096, Math.max(fair, 256));
    let looks = Math.ceil(share * (arcs + count));
    let at = 0;
    while (looks > 0) {
      if (order.slice(at).every((v) => !this.awake[v])) at = 0;
      const block: number[] = [];
      for (; at < count && block.length < most; at++)
        if (this.awake[order[at] as number]) block.push(order[at] as number);
      if (block.length === 0) return;
      if (at === count) at = 0;
      looks -= sumOf(block.map((v) => 1 + (this.graph.rows[v] as number)));
      this.move(block);
    }
  }

  /** All look, those that want to move wake others, then they move one by one. */
  private move(block: readonly number[]): void {
    const place = new Map(block.map((v, i) => [v, i]));
    for (const v of block) this.awake[v] = false;
    for (const v of block) if (this.best(v) !== this.start.community[v]) this.wishes.set(v, this.best(v));
    for (const [v, wish] of this.wishes) {
      this.wake(v, wish, (w) => (place.get(w) as number) > (place.get(v) as number));
    }
    for (const v of block) {
      const wish = this.wishes.get(v);
      if (wish === undefined) continue;
      this.wishes.delete(v);
      const again = this.clashes.delete(v) || !(this.gain(v, wish) > this.least);
      const to = again ? this.best(v) : wish;
      if (to === this.start.community[v]) continue;
      if (to !== wish) this.wake(v, to, () => true);
      this.put(v, to);
    }
  }

  private wake(v: number, to: number, isLater: (w: number) => boolean): void {
    for (const w of this.graph.arcs[v]?.keys() ?? []) {
      if (this.start.community[w] !== to && !this.start.stays.has(w)) this.awake[w] = true;
      if (this.wishes.has(w) && isLater(w)) this.clashes.add(w);
    }
  }

  private put(v: number, to: number): void {
    const own = this.start.community[v] as number;
    this.totals[own] = this.total(own) - this.strength(v);
    this.totals[to] = this.total(to) + this.strength(v);
    this.start.community[v] = to;
    this.moved = true;
  }

  private flows(v: number): Map<number, number> {
    const flows = new Map<number, number>();
    for (const [w, weight] of this.graph.arcs[v] ?? []) {
      const its = this.start.community[w] as number;
      flows.set(its, (flows.get(its) ?? 0) + weight);
    }
    return flows;
  }

  private gain(v: number, to: number): number {
    const own = this.start.community[v] as number;
    const flows = this.flows(v);
    const without = this.total(own) - this.strength(v);
    return (flows.get(to) ?? 0) - (flows.get(own) ?? 0) - this.rate * this.strength(v) * (this.total(to) - without);
  }

  private best(v: number): number {
    const own = this.start.community[v] as number;
    const flows = this.flows(v);
    const expected = this.rate * this.strength(v);
    let best = own;
    let most = (flows.get(own) ?? 0) - expected * (this.total(own) - this.strength(v)) + this.least;
    for (const [candidate, weight] of flows) {
      const gain = weight - expected * this.total(candidate);
      if (candidate === own || gain < most || (gain === most && (best === own || candidate > best))) continue;
      most = gain;
      best = candidate;
    }
    return best;
  }

  private total(community: number): number {
    return this.totals[community] as number;
  }

  private strength(v: number): number {
    return this.graph.strength[v] as number;
  }
}

/** 0, 1, and two classes for each power of two. */
function classOf(degree: number): number {
  if (degree < 2) return degree;
  const power = Math.floor(Math.log2(degree));
  return 2 * power + (Math.floor(degree / 2 ** (power - 1)) % 2);
}

/** Those of the largest classes of degrees, as many as are together no more than one of `share`. */
function topOf(degrees: ReadonlyMap<number, number>, share: number): Set<number> {
  const limit = Math.floor(degrees.size / share);
  const classes = [...new Set([...degrees.values()].map(classOf))].sort((a, b) => b - a);
  let top = new Set<number>();
  for (const least of classes) {
    const wider = new Set([...degrees].filter(([, degree]) => classOf(degree) >= least).map(([v]) => v));
    if (wider.size > limit) break;
    top = wider;
  }
  return top;
}

interface FirstLevel {
  readonly graph: LevelGraph;
  /** Vertex of the scope -> of the level, if it has arcs. */
  readonly numbers: ReadonlyMap<number, number>;
  readonly front: number;
  readonly stays: ReadonlySet<number>;
}

/** The scope without leaves, which go with their neighbours, and without vertices that have no arcs; those of most arcs are the first. */
function firstLevel(scope: PlainScope, resolution: number): FirstLevel {
  const arcs = arcsOf(scope, 'both');
  const leader = (v: number): number | null => {
    const [first, second] = arcs[v] ?? [];
    if (first === undefined) return null;
    if (second !== undefined || resolution > 1 || first.weight === 0) return v;
    return arcs[first.to]?.length === 1 && v < first.to ? v : first.to;
  };
  const degrees = new Map(arcs.map((list, v): [number, number] => [v, list.length]).filter(([v]) => leader(v) === v));
  const front = topOf(degrees, 16);
  const order = [...front, ...[...degrees.keys()].filter((v) => !front.has(v))];
  const numbers = new Map(order.map((v, i) => [v, i]));
  for (const v of arcs.keys()) {
    const its = leader(v);
    if (its !== null && its !== v) numbers.set(v, numbers.get(its) as number);
  }
  const own = order.map(() => new Map<number, number>());
  const rows = order.map(() => 0);
  const strength = order.map(() => 0);
  for (const [v, list] of arcs.entries()) {
    const from = numbers.get(v);
    if (from === undefined) continue;
    for (const { to, weight } of list) {
      strength[from] = (strength[from] as number) + weight;
      const its = numbers.get(to) as number;
      if (its === from || weight === 0) continue;
      rows[from] = (rows[from] as number) + 1;
      own[from]?.set(its, (own[from]?.get(its) ?? 0) + weight);
    }
  }
  const stays = new Set([...topOf(degrees, 256)].map((v) => numbers.get(v) as number));
  return { graph: { arcs: own, rows, strength }, numbers, front: front.size, stays };
}

/** Communities become vertices, in order of their smallest vertex. */
function nextLevel(graph: LevelGraph, community: readonly number[]): { graph: LevelGraph; numbers: number[] } {
  const names = [...new Set(community)];
  const numberOf = new Map(names.map((own, i) => [own, i]));
  const numbers = community.map((own) => numberOf.get(own) as number);
  const arcs = names.map(() => new Map<number, number>());
  const strength = names.map(() => 0);
  for (const [v, list] of graph.arcs.entries()) {
    const own = numbers[v] as number;
    strength[own] = (strength[own] as number) + (graph.strength[v] as number);
    for (const [w, weight] of list) {
      const its = numbers[w] as number;
      if (its !== own) arcs[own]?.set(its, (arcs[own]?.get(its) ?? 0) + weight);
    }
  }
  return { graph: { arcs, strength, rows: arcs.map((list) => list.size) }, numbers };
}

/** Louvain by levels until nothing moves, then every vertex once more; answers each vertex's community by its smallest id. */
export function naiveLouvain(scope: PlainScope, resolution = 1): number[] {
  const first = firstLevel(scope, resolution);
  const all = sumOf(first.graph.strength);
  let { graph } = first;
  let map = [...graph.strength.keys()];
  for (let round = 0; ; round++) {
    const each = [...graph.strength.keys()];
    const order = round === 0 ? [...each.slice(first.front), ...each.slice(0, first.front)] : each.toReversed();
    const start = {
      community: [...each],
      order,
      stays: round === 0 ? first.stays : new Set<number>(),
      share: round === 0 ? 1.5 : 2,
    };
    const moves = new Moves(graph, start, all, resolution);
    moves.run();
    if (!moves.moved) break;
    const next = nextLevel(graph, start.community);
    map = map.map((own) => next.numbers[own] as number);
    graph = next.graph;
  }
  new Moves(first.graph, { community: map, order: [...map.keys()], stays: new Set(), share: 2 }, all, resolution).run();
  const names = scope.ids.map((_, v) => (first.numbers.has(v) ? map[first.numbers.get(v) as number] : -1 - v));
  return names.map((own) => scope.ids[names.indexOf(own)] as number);
}
