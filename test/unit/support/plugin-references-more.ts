// More of what the plugins of test/fixtures/plugins answer, found in other ways.

import type { PluginResult } from '../../../src/fragments/engine-reader.ts';
import type { CorpusEdge, CorpusGraph } from './plugin-corpus.ts';
import { around, byWeight, distances, elements, perVertex, type Reference, values } from './plugin-references.ts';

const inTypes = (edges: readonly CorpusEdge[]): CorpusEdge[] => {
  const types = [...new Set(edges.map(({ type }) => type))];
  return types.flatMap((type) => edges.filter((edge) => edge.type === type));
};
const outOf = (graph: CorpusGraph, id: number): CorpusEdge[] =>
  inTypes(graph.edges.filter(({ source }) => source === id));
const ageOf = (graph: CorpusGraph, id: number): number | null => graph.vertices[id]?.age ?? null;

/** Components when an edge is left out. */
function componentCount(graph: CorpusGraph, without: number): number {
  const part = graph.vertices.map(({ id }) => id);
  for (const { id, source, target } of graph.edges) {
    if (id === without) continue;
    const [left, right] = [part[source], part[target]];
    for (const [at, each] of part.entries()) if (each === left) part[at] = right as number;
  }
  return new Set(part).size;
}

/** The sum over paths of fewest hops, counted by brute force: how many of those from s to t go through v. */
function betweenness(graph: CorpusGraph): number[] {
  const far = distances(graph, () => 1);
  const n = graph.vertices.length;
  const count = Array.from({ length: n }, (_, s) => {
    const ways = new Array<number>(n).fill(0);
    ways[s] = 1;
    const order = graph.vertices.map(({ id }) => id).sort((a, b) => (far[s]?.[a] as number) - (far[s]?.[b] as number));
    for (const v of order) {
      if (far[s]?.[v] === Infinity) continue;
      for (const { source, target } of graph.edges) {
        if (source !== v || far[s]?.[target] !== (far[s]?.[v] as number) + 1) continue;
        ways[target] = (ways[target] as number) + (ways[v] as number);
      }
    }
    return ways;
  });
  return graph.vertices.map(({ id: v }) => {
    let sum = 0;
    for (let s = 0; s < n; s++) {
      for (let t = 0; t < n; t++) {
        const whole = far[s]?.[t] as number;
        if (s === v || t === v || s === t || whole === Infinity) continue;
        if ((far[s]?.[v] as number) + (far[v]?.[t] as number) !== whole) continue;
        sum += ((count[s]?.[v] as number) * (count[v]?.[t] as number)) / (count[s]?.[t] as number);
      }
    }
    return sum;
  });
}

/** Rounds of a vector: `step` adds what each edge carries to the next one. */
function iterate(rounds: number, start: number[], step: (old: number[]) => number[]): number[] {
  let current = start;
  for (let round = 0; round < rounds; round++) current = step(current);
  return current;
}

const scores = (graph: CorpusGraph, value: (id: number) => number): PluginResult =>
  values(false, perVertex(graph, value));
const parts = (graph: CorpusGraph, value: (id: number) => number): PluginResult =>
  values(true, perVertex(graph, value));
const near = (graph: CorpusGraph, id: number): Set<number> => around(graph).get(id) as Set<number>;
const unit = (list: number[]): number[] => list.map((value) => value / Math.hypot(...list));

export const moreReferences: Readonly<Record<string, Reference>> = {
  Bridges: {
    expected: (graph) => {
      const whole = componentCount(graph, -1);
      return elements(
        [],
        graph.edges.filter(({ id }) => componentCount(graph, id) > whole).map(({ id }) => id),
      );
    },
  },
  GreedyMatching: {
    expected: ({ edges }) => {
      const taken = new Set<number>();
      const kept: number[] = [];
      for (const { id, source, target } of [...edges].sort((a, b) => b.weight - a.weight || a.id - b.id)) {
        if (source === target || taken.has(source) || taken.has(target)) continue;
        kept.push(id);
        taken.add(source).add(target);
      }
      return elements([], kept);
    },
  },
  TemporalReach: {
    input: { parameters: { from: '9' } },
    expected: ({ edges }) => {
      const reached = [9];
      for (const { source, target } of edges) {
        if (reached.includes(source) && !reached.includes(target)) reached.push(target);
      }
      return elements(reached);
    },
  },
  FeedForward: {
    expected: (graph) => {
      const joined = (a: number, b: number): boolean =>
        a !== b && graph.edges.some(({ source, target }) => source === a && target === b);
      const ids = graph.vertices.map(({ id }) => id);
      const count = new Map<number, number>();
      for (const a of ids) {
        for (const b of ids.filter((each) => joined(a, each))) {
          for (const c of ids) if (c !== a && joined(b, c) && joined(a, c)) count.set(a, (count.get(a) ?? 0) + 1);
        }
      }
      const best = [...count].sort(([a, m], [b, n]) => n - m || a - b).slice(0, 5);
      return elements(best.map(([id]) => id));
    },
  },
  TypeProfile: {
    expected: (graph) => {
      const profiles = new Map<string, number[]>();
      for (const { id } of graph.vertices) {
        const counts = new Map<string, number>();
        for (const { type } of outOf(graph, id)) counts.set(type, (counts.get(type) ?? 0) + 1);
        const key = JSON.stringify([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
        profiles.set(key, [...(profiles.get(key) ?? []), id]);
      }
      return elements([...profiles.values()].reduce((most, list) => (list.length > most.length ? list : most)));
    },
  },
  MinimumCut: {
    input: { parameters: { from: '0', to: '30' } },
    expected: (graph) => {
      const n = graph.vertices.length;
      const room = Array.from({ length: n }, () => new Array<number>(n).fill(0));
      const add = (v: number, w: number, by: number): void => {
        (room[v] as number[])[w] = (room[v]?.[w] as number) + by;
      };
      for (const { source, target, weight } of graph.edges) add(source, target, Math.floor(weight));
      // One unit after the other, depth first.
      const push = (v: number, seen: Set<number>): boolean => {
        if (v === 30) return true;
        seen.add(v);
        for (let w = 0; w < n; w++) {
          if (seen.has(w) || (room[v]?.[w] as number) <= 0 || !push(w, seen)) continue;
          add(v, w, -1);
          add(w, v, 1);
          return true;
        }
        return false;
      };
      let seen = new Set<number>();
      while (push(0, seen)) seen = new Set();
      return elements([], graph.edges.filter(({ source, target }) => seen.has(source) && !seen.has(target)).map(({ id }) => id)); // biome-ignore format: a line
    },
  },
  OldestAround: {
    expected: (graph) => {
      const found = graph.vertices.flatMap(({ id }) => {
        const known = [...near(graph, id)].filter((other) => ageOf(graph, other) !== null);
        return known.sort((a, b) => (ageOf(graph, b) as number) - (ageOf(graph, a) as number) || a - b).slice(0, 1);
      });
      return elements([...new Set(found)].sort((a, b) => a - b));
    },
  },
  LongestTrail: {
    input: { parameters: { from: '5' } },
    expected: (graph) => {
      let best: { vertices: number[]; edges: number[] } = { vertices: [], edges: [] };
      const extend = (vertices: number[], edges: number[]): void => {
        if (vertices.length > best.vertices.length) best = { vertices, edges };
        if (edges.length === 6) return;
        for (const { id, target } of outOf(graph, vertices.at(-1) as number)) {
          if (!vertices.includes(target)) extend([...vertices, target], [...edges, id]);
        }
      };
      extend([5], []);
      return elements(best.vertices, best.edges);
    },
  },
  DepthFirst: {
    input: { parameters: { from: '1' } },
    expected: (graph) => {
      const stack = [1];
      const found: number[] = [];
      while (stack.length > 0 && found.length < 10) {
        const id = stack.pop() as number;
        if (found.includes(id)) continue;
        found.push(id);
        for (const { target } of outOf(graph, id)) if (!found.includes(target)) stack.push(target);
      }
      return elements([...new Set([...found, ...stack.reverse()])]);
    },
  },
  HeapOfPairs: {
    expected: ({ edges }) => elements([], [...edges].sort(byWeight).slice(0, 15).map(({ id }) => id)), // biome-ignore format: a line
  },
  Throwing: {
    expected: ({ vertices }) => {
      const of = (test: (age: number) => boolean): number[] =>
        vertices.filter(({ age }) => test(age ?? -7)).map(({ id }) => id);
      return elements([
        ...of((age) => age % 3 === 0),
        ...of((age) => age % 3 !== 0 && Math.trunc(100 / (age % 3)) + age < 0),
      ]);
    },
  },
  LabelPairs: {
    expected: (graph) => {
      const groups = new Map<string, number[]>();
      for (const { id, source, target } of graph.edges) {
        const key = `${graph.vertices[source]?.label}${graph.vertices[target]?.label}`;
        groups.set(key, [...(groups.get(key) ?? []), id]);
      }
      const sorted = [...groups].sort(([a, one], [b, other]) => one.length - other.length || (a < b ? -1 : 1));
      return elements([], sorted[0]?.[1] ?? []);
    },
  },
  Decades: {
    expected: ({ vertices }) => {
      const decade = (age: number): number => Math.floor(age / 10);
      const counts = new Array<number>(10).fill(0);
      for (const { age } of vertices) if (age !== null) counts[decade(age)] = (counts[decade(age)] as number) + 1;
      const most = counts.indexOf(Math.max(...counts));
      return elements(vertices.filter(({ age }) => age !== null && decade(age) === most).map(({ id }) => id));
    },
  },
  Scanned: {
    expected: ({ vertices, edges }) =>
      elements(
        vertices.filter(({ label, age }) => label === 'p' && age !== null && age < 30).map(({ id }) => id),
        edges.filter(({ weight }) => weight >= 9.5).map(({ id }) => id),
      ),
  },
  Reservoir: {
    expected: ({ edges }) => {
      let state = 88_172_645_463_325_252n;
      const kept: number[] = [];
      for (const [seen, { id }] of edges.entries()) {
        state = BigInt.asUintN(64, state ^ (state << 13n));
        state ^= state >> 7n;
        state = BigInt.asUintN(64, state ^ (state << 17n));
        const place = seen < 10 ? seen : Number(state % BigInt(seen + 1));
        if (place < 10) kept[place] = id;
      }
      return elements([], kept);
    },
  },
  Authorities: {
    expected: (graph) => {
      let hubs = graph.vertices.map(() => 1);
      let found = hubs;
      for (let round = 0; round < 20; round++) {
        const sum = (from: number[], key: 'source' | 'target'): number[] =>
          graph.vertices.map(
            ({ id }) =>
            graph.edges.filter((edge) => edge[key] === id).reduce((all, edge) => all + (from[key === 'target' ? edge.source : edge.target] as number), 0), // biome-ignore format: a line
          );
        found = unit(sum(hubs, 'target'));
        hubs = unit(sum(found, 'source'));
      }
      return scores(graph, (id) => found[id] as number);
    },
  },
  PersonalRank: {
    input: { analytics: { maxIterations: 25, parameters: { Source: 3 } } },
    expected: (graph) => {
      const degree = graph.vertices.map(({ id }) => outOf(graph, id).length);
      const start = graph.vertices.map(({ id }) => Number(id === 3));
      const rank = iterate(25, start, (old) => {
        const next = graph.vertices.map(() => 0);
        const lost = graph.vertices.reduce((sum, { id }) => sum + (degree[id] === 0 ? (old[id] as number) : 0), 0);
        for (const { source, target } of graph.edges)
          next[target] = (next[target] as number) + (0.8 * (old[source] as number)) / (degree[source] as number);
        next[3] = (next[3] as number) + 0.8 * lost + 0.2;
        return next;
      });
      return scores(graph, (id) => rank[id] as number);
    },
  },
  Triangles: {
    expected: (graph) =>
      parts(graph, (id) => {
        const own = [...near(graph, id)];
        return own.flatMap((a) => own.filter((b) => a < b && near(graph, a).has(b))).length;
      }),
  },
  Clustering: {
    expected: (graph) =>
      scores(graph, (id) => {
        const own = [...near(graph, id)];
        const joined = own.flatMap((a) => own.filter((b) => near(graph, a).has(b))).length;
        return own.length < 2 ? 0 : joined / (own.length * (own.length - 1));
      }),
  },
  Harmonic: {
    expected: (graph) => {
      const far = distances(graph, () => 1);
      return scores(graph, (id) => (far[id] as number[]).reduce((sum, d) => sum + (d > 0 && d < Infinity ? 1 / d : 0), 0)); // biome-ignore format: a line
    },
  },
  Eccentricity: {
    expected: (graph) => {
      const far = distances(graph, () => 1);
      return parts(graph, (id) => Math.max(...(far[id] as number[]).filter((d) => d < Infinity)));
    },
  },
  Brandes: {
    expected: (graph) => {
      const found = betweenness(graph);
      return scores(graph, (id) => found[id] as number);
    },
  },
  Colours: {
    expected: (graph) => {
      const colour = new Map<number, number>();
      const ids = graph.vertices.map(({ id }) => id);
      for (const id of ids.sort((a, b) => near(graph, b).size - near(graph, a).size || a - b)) {
        const used = [...near(graph, id)].map((other) => colour.get(other));
        colour.set(
          id,
          graph.vertices.findIndex((_, at) => !used.includes(at)),
        );
      }
      return values(true, colour);
    },
  },
  Spreading: {
    expected: (graph) => {
      const ids = graph.vertices.map(({ id }) => id);
      const labels = iterate(5, ids, (old) =>
        ids.map((id) => {
          const counts = new Map<number, number>();
          for (const other of near(graph, id)) {
            counts.set(old[other] as number, (counts.get(old[other] as number) ?? 0) + 1);
          }
          return [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0]?.[0] ?? (old[id] as number);
        }),
      );
      return parts(graph, (id) => labels[id] as number);
    },
  },
  WeightSum: {
    expected: (graph) =>
      scores(graph, (id) =>
        graph.edges.reduce(
          (sum, { source, target, weight }) => sum + weight * (Number(source === id) + Number(target === id)),
          0,
        ),
      ),
  },
  AgeAround: {
    expected: (graph) =>
      scores(graph, (id) => {
        const ages = [...near(graph, id)].flatMap((other) => ageOf(graph, other) ?? []);
        return ages.length === 0 ? -1 : ages.reduce((sum, age) => sum + age, 0) / ages.length;
      }),
  },
  Katz: {
    expected: (graph) => {
      const start = graph.vertices.map(() => 0);
      const found = iterate(15, start, (old) => {
        const next = graph.vertices.map(() => 1);
        for (const { source, target } of graph.edges) next[target] = (next[target] as number) + 0.05 * (old[source] as number); // biome-ignore format: a line
        return next;
      });
      return scores(graph, (id) => found[id] as number);
    },
  },
  Buckets: {
    expected: (graph) =>
      parts(graph, (id) => {
        const age = ageOf(graph, id);
        return age === null ? 0 : age < 20 ? 1 : age > 70 ? 3 : 2;
      }),
  },
  FromRoots: {
    expected: (graph) => {
      const far = distances(graph, () => 1);
      const roots = graph.vertices.map(({ id }) => id).filter((id) => !graph.edges.some(({ target }) => target === id));
      return parts(graph, (id) => {
        const least = Math.min(...roots.map((root) => far[root]?.[id] as number));
        return least === Infinity ? -1 : least;
      });
    },
  },
  Likeness: {
    expected: (graph) =>
      scores(graph, (id) => {
        const own = near(graph, id);
        const indices = graph.vertices.map(({ id: other }) => {
          const union = new Set([...own, ...near(graph, other)]).size;
          const common = [...near(graph, other)].filter((each) => own.has(each)).length;
          return other === id || union === 0 ? 0 : common / union;
        });
        return Math.max(...indices);
      }),
  },
};
