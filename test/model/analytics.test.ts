// Every kernel beside its naive twin: all directed graphs of three vertices with self-loops, and random multigraphs with labels, types
// and removed elements; arrays ordered by ids and by degrees, one member and several, whole runs and slices of one chunk.
// `ANALYTICS_SEED` repeats a run, `ANALYTICS_ROUNDS` makes it longer.

import { afterAll, describe, expect, it } from 'vitest';
import { Kernel, type Scope, View } from '../../src/core/analytics.ts';
import { builds } from '../differential/support/readers-threads.ts';
import { randomFrom } from '../unit/memory-module.ts';
import {
  type Direction,
  naiveComponents,
  naiveDegrees,
  naiveLabelPropagation,
  naivePageRank,
  naiveTriangles,
  type PlainGraph,
  type PlainScope,
  type Rounds,
  scopeOf,
} from './naive-analytics.ts';
import { AnalyticsCore, type Outcome, type RunOptions } from './support/analytics-core.ts';

const seed = Number(process.env.ANALYTICS_SEED ?? (Date.now() ^ 0xa11) >>> 0);
const rounds = Number(process.env.ANALYTICS_ROUNDS ?? 30);
const directions: readonly Direction[] = ['out', 'in', 'both'];
const views = { out: View.out, in: View.in, both: View.both } as const;
const pulls = { out: View.in, in: View.out, both: View.both } as const;

type Narrow = Partial<Scope>;

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of actual.entries()) {
    const other = expected[i] as number;
    if (Number.isNaN(value) && Number.isNaN(other)) continue;
    expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(other)));
  }
}

function expectRounds(actual: Outcome, expected: Rounds<number>): void {
  expect([actual.iterations, actual.converged]).toEqual([expected.iterations, expected.converged]);
}

function checkScores(test: AnalyticsCore, plain: PlainScope, scope: Narrow, options: RunOptions): void {
  for (const direction of directions) {
    const degrees = test.answer({ ...scope, view: views[direction] }, Kernel.degree, options);
    expect(degrees.values).toEqual(naiveDegrees(plain, direction));
    const limits = { maxIterations: 40, epsilon: 1e-6, damping: 0.85 };
    const ranks = test.answer({ ...scope, view: pulls[direction], opposite: true }, Kernel.pageRank, {
      ...options,
      ...limits,
    });
    const twin = naivePageRank(plain, direction, 0.85, 1e-6, 40);
    expectRounds(ranks, twin);
    expectClose(ranks.values, twin.values);
    expect(ranks.ids).toEqual(plain.ids);
  }
  const triangles = test.answer({ ...scope, view: View.simple }, Kernel.triangleCount, options);
  expect(triangles.values).toEqual(naiveTriangles(plain));
  expect(triangles.sum * 3).toBe(triangles.values.reduce((sum, value) => sum + value, 0));
}

function checkPartitions(test: AnalyticsCore, plain: PlainScope, scope: Narrow, options: RunOptions): void {
  const components = naiveComponents(plain);
  for (const view of Object.values(View)) {
    const { values, sum } = test.answer({ ...scope, view }, Kernel.wcc, options);
    expect(values).toEqual(components);
    expect(sum).toBe(new Set(components).size);
  }
  for (const direction of directions) {
    const labels = test.answer({ ...scope, view: views[direction] }, Kernel.labelPropagation, {
      ...options,
      maxIterations: 7,
    });
    const twin = naiveLabelPropagation(plain, direction, 7);
    expectRounds(labels, twin);
    expect(labels.values).toEqual(twin.values);
  }
}

function checkAll(test: AnalyticsCore, graph: PlainGraph, scope: Narrow, options: RunOptions): void {
  const plain = scopeOf(graph, scope.label ?? null, scope.edgeType ?? null);
  checkScores(test, plain, scope, options);
  checkPartitions(test, plain, scope, options);
}

/** A multigraph with self-loops, three labels, three types; some of it removed again. */
function randomGraph(test: AnalyticsCore, random: (below: number) => number): PlainGraph {
  const vertexCount = 1 + random(random(4) === 0 ? 200 : 40);
  const labels = Array.from({ length: vertexCount }, () => [null, 'a', 'b'][random(3)] as string | null);
  const hub = random(vertexCount);
  const edges = Array.from({ length: random(6 * vertexCount) }, () => ({
    source: random(3) === 0 ? hub : random(vertexCount),
    target: random(3) === 0 ? hub : random(vertexCount),
    type: ['x', 'y', 'z'][random(3)] as string,
    weight: null,
  }));
  const graph = test.fill(labels, edges);
  const removed = new Set<number>();
  for (const { id } of [...graph.vertices, ...graph.edges]) if (random(12) === 0) removed.add(id);
  for (const element of removed) test.write([{ kind: 'removeElement', element, skipRemoved: true }]);
  return {
    vertices: graph.vertices.filter(({ id }) => !removed.has(id)),
    edges: graph.edges.filter((edge) => ![edge.id, edge.source, edge.target].some((id) => removed.has(id))),
  };
}

describe.each(builds)('kernels (%s)', (build) => {
  const test = new AnalyticsCore(build);
  afterAll(() => test.dispose());

  it('agree with their twins on every graph of three vertices', () => {
    const step = build === 'release' ? 1 : 7;
    for (let bits = 0; bits < 512; bits += step) {
      const pairs: [number, number][] = [];
      for (let pair = 0; pair < 9; pair++) if ((bits >> pair) & 1) pairs.push([Math.floor(pair / 3), pair % 3]);
      const graph = test.replace(3, pairs);
      checkAll(
        test,
        graph,
        { order: bits % 2 === 0 ? 'ids' : 'degrees' },
        { members: 1 + (bits % 3), slice: bits % 2 },
      );
    }
  });

  it('give labels as their twin does, whatever the degree and after any number of rounds', () => {
    const random = randomFrom(seed ^ 0x5eed);
    const count = build === 'release' ? 400 : 150;
    for (let round = 0; round < 3; round++) {
      // Vertex i has about i % 40 arcs, many of them into its own group of 50, some twice; leaves and pairs swap labels for ever.
      const near = (vertex: number): number => Math.min(count - 1, vertex - (vertex % 50) + random(50));
      const pairs = Array.from({ length: count }, (_, vertex) =>
        Array.from({ length: (vertex % 40) >> 1 }, (): [number, number] => {
          const other = random(4) === 0 ? random(count) : near(vertex);
          return random(2) === 0 ? [vertex, other] : [other, vertex];
        }),
      ).flat();
      const plain = scopeOf(test.replace(count, pairs), null, null);
      for (const order of ['degrees', 'ids'] as const) {
        for (const maxIterations of [1, 2, 3, 4, 5, 6, 9, 12, 30]) {
          const options = { members: 1 + random(3), slice: random(2), maxIterations };
          const labels = test.answer({ view: View.both, order }, Kernel.labelPropagation, options);
          const twin = naiveLabelPropagation(plain, 'both', maxIterations);
          expectRounds(labels, twin);
          expect(labels.values).toEqual(twin.values);
        }
      }
    }
  });

  it('give ranks as their twin does where most arcs join few vertices of many', () => {
    const random = randomFrom(seed ^ 0xf407);
    // In debug builds rounds over so many vertices have two phases, unless the hubs are called by too many others.
    for (const share of [0, 2, 4, 8, 16]) {
      const count = 200 + random(150);
      const end = (): number => (random(16) < share ? random(count) : random(40));
      const pairs = Array.from({ length: 20 * count }, (): [number, number] => [
        end(),
        random(5) === 0 ? end() : random(40),
      ]);
      const plain = scopeOf(test.replace(count, pairs), null, null);
      for (const direction of directions) {
        const scope: Narrow = { view: pulls[direction], opposite: true, order: 'degrees' };
        const limits = { maxIterations: 1 + random(20), epsilon: 1e-9, damping: 0.85 };
        const options = { members: 1 + random(3), slice: random(2), ...limits };
        const ranks = test.answer(scope, Kernel.pageRank, options);
        const twin = naivePageRank(plain, direction, 0.85, 1e-9, limits.maxIterations);
        expectRounds(ranks, twin);
        expectClose(ranks.values, twin.values);
      }
    }
  });

  it('agree with their twins on random multigraphs', () => {
    console.log(`analytics (${build}): ANALYTICS_SEED=${seed}`);
    const random = randomFrom(seed);
    for (let round = 0; round < rounds; round++) {
      test.write([{ kind: 'erase' }]);
      const graph = randomGraph(test, random);
      for (const label of [null, 'a', 'nowhere']) {
        const edgeType = random(2) === 0 ? null : 'x';
        const order = random(2) === 0 ? 'ids' : 'degrees';
        checkAll(test, graph, { label, edgeType, order }, { members: 1 + random(4), slice: random(3) });
      }
      checkAll(test, graph, { edgeType: 'never' }, {});
    }
    expect(test.core.memoryUse().projections).toBe(0);
  });

  it('answer for a graph without anything', () => {
    test.write([{ kind: 'erase' }]);
    checkAll(test, { vertices: [], edges: [] }, {}, { members: 2 });
  });
});
