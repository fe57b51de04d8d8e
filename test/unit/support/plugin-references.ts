// What the plugins of test/fixtures/plugins answer, found in other ways: plain loops over plain objects.

import type { PluginResult } from '../../../src/fragments/engine-reader.ts';
import type { CorpusEdge, CorpusGraph, CorpusInput } from './plugin-corpus.ts';

type Values = ReadonlyMap<number, number>;

export interface Reference {
  readonly input?: CorpusInput;
  readonly expected: (graph: CorpusGraph) => PluginResult;
}

export const elements = (vertices: readonly number[], edges: readonly number[] = []): PluginResult => ({
  ...{ kind: 'elements', vertices, edges },
});

/** Of scores or partitions, by ascending id. */
export function values(isPartition: boolean, found: Values): PluginResult {
  const sorted = [...found].sort(([a], [b]) => a - b);
  return {
    ...{ kind: 'values', isPartition, ids: sorted.map(([id]) => id), values: sorted.map(([, value]) => value) },
    ...{ statistics: {}, converged: true, iterations: 1, budgetExhausted: false },
  };
}

export const perVertex = (graph: CorpusGraph, value: (id: number) => number): Values =>
  new Map(graph.vertices.map(({ id }) => [id, value(id)]));

/** Neighbours in either direction, without the vertex itself. */
export function around(graph: CorpusGraph): Map<number, Set<number>> {
  const found = new Map(graph.vertices.map(({ id }) => [id, new Set<number>()]));
  for (const { source, target } of graph.edges) {
    if (source === target) continue;
    found.get(source)?.add(target);
    found.get(target)?.add(source);
  }
  return found;
}

/** Which vertices each one reaches along outgoing edges, itself included. */
function reach(graph: CorpusGraph, isDirected = true): Map<number, Set<number>> {
  const found = new Map(graph.vertices.map(({ id }) => [id, new Set([id])]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { source, target } of graph.edges) {
      const pairs = isDirected ? [[source, target]] : [[source, target], [target, source]]; // biome-ignore format: pairs
      for (const [from, to] of pairs as [number, number][]) {
        const own = found.get(from) as Set<number>;
        const before = own.size;
        for (const id of found.get(to) as Set<number>) own.add(id);
        changed ||= own.size > before;
      }
    }
  }
  return found;
}

/** All distances by Floyd and Warshall. */
export function distances(graph: CorpusGraph, cost: (edge: CorpusEdge) => number): number[][] {
  const n = graph.vertices.length;
  const far = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 0 : Infinity)));
  for (const edge of graph.edges) {
    const row = far[edge.source] as number[];
    row[edge.target] = Math.min(row[edge.target] as number, cost(edge));
  }
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const through = (far[i]?.[k] as number) + (far[k]?.[j] as number);
        if (through < (far[i]?.[j] as number)) (far[i] as number[])[j] = through;
      }
    }
  }
  return far;
}

export const byWeight = (a: CorpusEdge, b: CorpusEdge): number => a.weight - b.weight || a.id - b.id;

export const references: Readonly<Record<string, Reference>> = {
  Neighbours: {
    input: { parameters: { from: '3', steps: '2' } },
    expected: (graph) => {
      const found = [3];
      const walked: number[] = [];
      const depth = new Map([[3, 0]]);
      for (const id of found) {
        if (depth.get(id) === 2) continue;
        // Groups stand in the order in which their types came to the vertex.
        const out = graph.edges.filter(({ source }) => source === id);
        const types = [...new Set(out.map(({ type }) => type))];
        for (const edge of types.flatMap((type) => out.filter((each) => each.type === type))) {
          walked.push(edge.id);
          if (depth.has(edge.target)) continue;
          depth.set(edge.target, (depth.get(id) as number) + 1);
          found.push(edge.target);
        }
      }
      return elements(found, walked);
    },
  },
  HeaviestEdges: {
    input: { parameters: { count: '12' } },
    expected: ({ edges }) => {
      const sorted = [...edges].sort((a, b) => b.weight - a.weight || a.id - b.id);
      return elements([], sorted.slice(0, 12).map(({ id }) => id)); // biome-ignore format: a line
    },
  },
  CommonNeighbours: {
    expected: (graph) => {
      const near = around(graph);
      let best = { score: -1, pair: [-1, -1] };
      for (const { id: left } of graph.vertices) {
        for (const { id: right } of graph.vertices) {
          const [one, other] = [near.get(left) as Set<number>, near.get(right) as Set<number>];
          if (left >= right || one.has(right)) continue;
          const union = new Set([...one, ...other]).size;
          const score = union === 0 ? 0 : [...one].filter((id) => other.has(id)).length / union;
          if (score > best.score) best = { score, pair: [left, right] };
        }
      }
      return elements(best.pair);
    },
  },
  AdamicAdar: {
    input: { parameters: { from: '7' } },
    expected: (graph) => {
      const near = around(graph);
      const own = near.get(7) as Set<number>;
      let best = { score: 0, ids: [] as number[] };
      for (const { id } of graph.vertices) {
        if (id === 7 || own.has(id)) continue;
        const common = [...(near.get(id) as Set<number>)].filter((each) => own.has(each)).sort((a, b) => a - b);
        const score = common
          .map((each) => (near.get(each) as Set<number>).size)
          .reduce((sum, degree) => (degree > 1 ? sum + 1 / Math.log(degree) : sum), 0);
        if (score > best.score) best = { score, ids: [id] };
      }
      return elements(best.ids);
    },
  },
  Classify: {
    expected: ({ vertices, edges }) => {
      const rank = new Map(
        vertices.map(({ id, label, age }) => {
          const ages = age === null || age < 20 ? 0 : age < 60 ? 1 : 2;
          const degree = edges.filter(({ source }) => source === id).length;
          return [id, Number(label === 'p') + ages + Number(degree > 3)];
        }),
      );
      const of = (id: number): number => rank.get(id) as number;
      const found = vertices.map(({ id }) => id).filter((id) => of(id) >= 2);
      return elements(found.sort((a, b) => of(b) - of(a) || a - b));
    },
  },
  Walk: {
    expected: (graph) => {
      const visits = graph.vertices.map(() => 0);
      let state = 12_345;
      let at = 0;
      for (let step = 0; step < 2000; step++) {
        visits[at] = (visits[at] as number) + 1;
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        const out = graph.edges.filter(({ source }) => source === at);
        if (out.length === 0 || state >>> 24 < 32) {
          at = 0;
          continue;
        }
        const types = [...new Set(out.map(({ type }) => type))];
        const targets = types.flatMap((type) => out.filter((edge) => edge.type === type));
        at = (targets[(state >>> 8) % targets.length] as CorpusEdge).target;
      }
      const ids = graph.vertices.map(({ id }) => id);
      return elements(ids.sort((a, b) => (visits[b] as number) - (visits[a] as number) || a - b).slice(0, 10));
    },
  },
  SpanningForest: {
    expected: (graph) => {
      const part = graph.vertices.map(({ id }) => id);
      const kept: number[] = [];
      for (const { id, source, target } of [...graph.edges].sort(byWeight)) {
        const [left, right] = [part[source] as number, part[target] as number];
        if (left === right) continue;
        for (const [at, each] of part.entries()) if (each === left) part[at] = right;
        kept.push(id);
      }
      return elements([], kept);
    },
  },
  UnionFind: {
    expected: (graph) => {
      const reached = reach(graph, false);
      return values(true, perVertex(graph, (id) => Math.min(...(reached.get(id) as Set<number>)))); // biome-ignore format: a line
    },
  },
  StrongComponents: {
    expected: (graph) => {
      const reached = reach(graph);
      const mutual = (id: number): number[] =>
        [...(reached.get(id) as Set<number>)].filter((other) => reached.get(other)?.has(id));
      return values(true, perVertex(graph, (id) => Math.min(...mutual(id)))); // biome-ignore format: a line
    },
  },
  PowerRank: {
    input: { analytics: { parameters: { DampingFactor: 0.7 } } },
    expected: (graph) => {
      const n = graph.vertices.length;
      let rank = graph.vertices.map(() => 1 / n);
      for (let round = 0; round < 30; round++) {
        const degree = (id: number): number => graph.edges.filter(({ source }) => source === id).length;
        const next = graph.vertices.map(() => 0);
        for (const { source, target } of graph.edges) {
          next[target] = (next[target] as number) + (rank[source] as number) / degree(source);
        }
        const lost = graph.vertices.reduce((sum, { id }) => (degree(id) === 0 ? sum + (rank[id] as number) : sum), 0);
        rank = next.map((value) => 0.3 / n + 0.7 * (value + lost / n));
      }
      return values(false, perVertex(graph, (id) => rank[id] as number)); // biome-ignore format: a line
    },
  },
  CoreNumbers: {
    expected: (graph) => {
      const near = around(graph);
      const core = new Map(graph.vertices.map(({ id }) => [id, 0]));
      for (let k = 1; k < graph.vertices.length; k++) {
        const left = new Set(graph.vertices.map(({ id }) => id));
        for (let changed = true; changed; ) {
          changed = false;
          for (const id of left) {
            if ([...(near.get(id) as Set<number>)].filter((other) => left.has(other)).length >= k) continue;
            left.delete(id);
            changed = true;
          }
        }
        for (const id of left) core.set(id, k);
      }
      return values(true, core);
    },
  },
};

/** Path plugins: what the path weighs; null without one. */
export interface PathReference {
  readonly input: CorpusInput;
  readonly weight: (graph: CorpusGraph) => number | null;
}

const finite = (value: number | undefined): number | null => (value === undefined || value === Infinity ? null : value);
const weightOf = (graph: CorpusGraph) => (id: number) =>
  (graph.edges.find((edge) => edge.id === id) as CorpusEdge).weight;

export const pathReferences = (graph: CorpusGraph): Readonly<Record<string, PathReference>> => ({
  HeapDijkstra: {
    input: { path: { from: 0, to: 30, edgeCost: weightOf(graph), vertexFilter: (id) => id % 11 !== 5 } },
    weight: ({ vertices, edges }) => {
      const open = { vertices, edges: edges.filter(({ target }) => target % 11 !== 5) };
      return finite(distances(open, ({ weight }) => weight)[0]?.[30]); // biome-ignore format: a line
    },
  },
  BellmanFord: {
    input: { path: { from: 2, to: 41, edgeCost: weightOf(graph), edgeFilter: (id) => id % 5 !== 0 } },
    weight: ({ vertices, edges }) => {
      const open = { vertices, edges: edges.filter(({ id }) => id % 5 !== 0) };
      return finite(distances(open, ({ weight }) => weight)[2]?.[41]); // biome-ignore format: a line
    },
  },
  AnyDirection: {
    input: { path: { from: 4, to: 22 } },
    weight: ({ vertices, edges }) => {
      const turned = edges.map((edge) => ({ ...edge, source: edge.target, target: edge.source }));
      return finite(distances({ vertices, edges: [...edges, ...turned] }, () => 1)[4]?.[22]);
    },
  },
  OneType: {
    input: { path: { from: 0, to: 30, typeFilter: (type) => type === 'a' } },
    weight: ({ vertices, edges }) => {
      const open = { vertices, edges: edges.filter(({ type }) => type === 'a') };
      return finite(distances(open, () => 1)[0]?.[30]);
    },
  },
  FewHops: {
    input: { path: { from: 6, to: 33, maxDepth: 4, edgeCost: weightOf(graph) } },
    weight: ({ vertices, edges }) => {
      // One row of least weights after the other, by the hops that are taken.
      let row = vertices.map(({ id }) => (id === 6 ? 0 : Infinity));
      let best = Infinity;
      for (let hops = 0; hops < 4; hops++) {
        const into = (id: number): CorpusEdge[] => edges.filter(({ target }) => target === id);
        row = vertices.map(({ id }) => Math.min(...into(id).map((edge) => (row[edge.source] as number) + edge.weight)));
        best = Math.min(best, row[33] as number);
      }
      return finite(best);
    },
  },
  Bottleneck: {
    input: { path: { from: 2, to: 50, edgeCost: weightOf(graph) } },
    weight: (whole) => {
      const limits = [...new Set(whole.edges.map(({ weight }) => weight))].sort((a, b) => a - b);
      const open = (limit: number): CorpusGraph => ({
        ...whole,
        edges: whole.edges.filter(({ weight }) => weight <= limit),
      });
      return limits.find((limit) => (distances(open(limit), () => 1)[2]?.[50] as number) < Infinity) ?? null;
    },
  },
  NoWay: { input: { path: { from: 0, to: 1 } }, weight: () => null },
});
