// The kernels beyond the contract beside their naive twins: all directed graphs of three vertices, random multigraphs with weights,
// samples, sources, and every kind of weight property. `ANALYTICS_SEED` repeats a run, `ANALYTICS_ROUNDS` makes it longer.

import { afterAll, describe, expect, it } from 'vitest';
import {
  fillProjection,
  JobError,
  jobFailure,
  Kernel,
  projectionSize,
  projectScope,
  Run,
  runJob,
  View,
} from '../../src/core/analytics.ts';
import { TypeId } from '../../src/core/values.ts';
import { builds } from '../differential/support/readers-threads.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { type Direction, type PlainEdge, type PlainGraph, type PlainScope, scopeOf } from './naive-analytics.ts';
import {
  naiveBetweenness,
  naiveCloseness,
  naiveClustering,
  naiveCores,
  naiveDirectedClustering,
  naiveDistances,
  naiveLevels,
  naiveModularity,
  naiveSample,
  naiveStrongComponents,
} from './naive-analytics-more.ts';
import { naiveLouvain } from './naive-louvain.ts';
import { AnalyticsCore, type RunOptions } from './support/analytics-core.ts';

const seed = Number(process.env.ANALYTICS_SEED ?? (Date.now() ^ 0xa12) >>> 0);
const rounds = Number(process.env.ANALYTICS_ROUNDS ?? 30);
const views = { out: View.out, in: View.in, both: View.both } as const;
const directions: readonly Direction[] = ['out', 'in', 'both'];

type Order = { readonly order: 'ids' | 'degrees' };

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of actual.entries()) {
    const other = expected[i] as number;
    expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(other)));
  }
}

function checkDistances(
  test: AnalyticsCore,
  plain: PlainScope,
  order: Order,
  options: RunOptions,
  source: number,
): void {
  for (const direction of directions) {
    const view = views[direction];
    const levels = test.answer({ ...order, view }, Kernel.bfs, { ...options, source });
    const expected = naiveLevels(plain, direction, source);
    expect(levels.values).toEqual(expected);
    expect(levels.sum).toBe(expected.filter((level) => !Number.isNaN(level)).length);
    const hops = test.answer({ ...order, view }, Kernel.sssp, { ...options, source });
    expect(hops.values).toEqual(expected);
    const distances = naiveDistances(plain, direction, source);
    for (const paired of [false, true]) {
      const scope = { ...order, view, weightKey: 'weight', paired };
      expect(test.answer(scope, Kernel.sssp, { ...options, source }).values).toEqual(distances);
    }
  }
}

function checkStructure(test: AnalyticsCore, plain: PlainScope, order: Order, options: RunOptions): void {
  expect(test.answer({ ...order, view: View.simple }, Kernel.kCore, options).values).toEqual(naiveCores(plain));
  const strong = naiveStrongComponents(plain);
  for (const view of [View.out, View.in]) {
    const { values, sum } = test.answer({ ...order, view }, Kernel.scc, options);
    expect(values).toEqual(strong);
    expect(sum).toBe(new Set(strong).size);
  }
  const clustering = test.answer({ ...order, view: View.simple }, Kernel.clusteringCoefficient, options);
  expectClose(clustering.values, naiveClustering(plain));
  const directed = test.answer({ ...order, view: View.out }, Kernel.directedClustering, options);
  expectClose(directed.values, naiveDirectedClustering(plain));
}

function checkCentrality(test: AnalyticsCore, plain: PlainScope, order: Order, options: RunOptions): void {
  for (const direction of directions) {
    for (const samples of [0, 5]) {
      const list = naiveSample(plain.ids.length, samples, 77);
      const given = { ...options, samples, seed: 77 };
      const scope = { ...order, view: views[direction] };
      expectClose(test.answer(scope, Kernel.betweenness, given).values, naiveBetweenness(plain, direction, list));
      expectClose(test.answer(scope, Kernel.closeness, given).values, naiveCloseness(plain, direction, list));
    }
  }
}

function checkLouvain(test: AnalyticsCore, plain: PlainScope, order: Order, options: RunOptions): void {
  const scope = { ...order, view: View.both, weightKey: 'weight' };
  const { values, sum, converged } = test.answer(scope, Kernel.louvain, { ...options, damping: 1 });
  expect(converged).toBe(true);
  expectClose([sum], [naiveModularity(plain, values)]);
  for (const name of values) expect(values[plain.ids.indexOf(name)]).toBe(name);
  expect(values).toEqual(naiveLouvain(plain));
}

function weightedGraph(test: AnalyticsCore, random: (below: number) => number): PlainGraph {
  const vertexCount = 1 + random(30);
  const hub = random(vertexCount);
  const edges = Array.from({ length: random(5 * vertexCount) }, () => ({
    source: random(3) === 0 ? hub : random(vertexCount),
    target: random(3) === 0 ? hub : random(vertexCount),
    type: 'to',
    weight: random(5) === 0 ? null : random(40) / 4,
  }));
  return test.fill(
    Array.from({ length: vertexCount }, () => null),
    edges,
    ({ weight }) => (weight === null ? [] : [{ key: 'weight', type: TypeId.double, text: `${weight}` }]),
  );
}

describe.each(builds)('more kernels (%s)', (build) => {
  const test = new AnalyticsCore(build);
  afterAll(() => test.dispose());

  it('agree with their twins on every graph of three vertices', () => {
    const step = build === 'release' ? 3 : 11;
    for (let bits = 0; bits < 512; bits += step) {
      const pairs: [number, number][] = [];
      for (let pair = 0; pair < 9; pair++) if ((bits >> pair) & 1) pairs.push([Math.floor(pair / 3), pair % 3]);
      const plain = scopeOf(test.replace(3, pairs), null, null);
      const order: Order = { order: bits % 2 === 0 ? 'ids' : 'degrees' };
      const options = { members: 1 + (bits % 3), slice: bits % 2 };
      checkDistances(test, plain, order, options, plain.ids[bits % 3] as number);
      checkStructure(test, plain, order, options);
      checkCentrality(test, plain, order, options);
      checkLouvain(test, plain, order, options);
    }
  });

  it('agree with their twins on random multigraphs', () => {
    console.log(`more analytics (${build}): ANALYTICS_SEED=${seed}`);
    const random = randomFrom(seed);
    for (let round = 0; round < rounds; round++) {
      test.write([{ kind: 'erase' }]);
      const plain = scopeOf(weightedGraph(test, random), null, null);
      const order: Order = { order: random(2) === 0 ? 'ids' : 'degrees' };
      const options = { members: 1 + random(4), slice: random(3) };
      checkDistances(test, plain, order, options, plain.ids[random(plain.ids.length)] as number);
      checkStructure(test, plain, order, options);
      checkCentrality(test, plain, order, options);
      checkLouvain(test, plain, order, options);
    }
    expect(test.core.memoryUse().projections).toBe(0);
  });

  it('find levels of large rounds, near the source and where levels no longer fit in a byte', () => {
    const random = randomFrom(seed);
    const width = 1500;
    for (const tail of [2, 250, 300]) {
      const pairs = Array.from({ length: tail }, (_, v): [number, number] => [v, v + 1]);
      const first = tail + 1;
      for (let v = 0; v < width; v++) if (random(3) > 0) pairs.push([tail, first + v]);
      for (let v = first; v < first + 5 * width; v++) {
        for (let arcs = random(3) * random(5); arcs >= 0; arcs--) {
          const other = v + width - random(30) + random(random(4) === 0 ? width : 30);
          if (other < first + 5 * width) pairs.push(random(5) === 0 ? [other, v] : [v, other]);
        }
      }
      const plain = scopeOf(test.replace(first + 5 * width + 10, pairs), null, null);
      for (const direction of directions) {
        const expected = naiveDistances(plain, direction, plain.ids[0] as number);
        for (const order of ['ids', 'degrees'] as const) {
          const options = { members: 1 + random(3), slice: random(2), source: plain.ids[0] as number };
          expect(test.answer({ order, view: views[direction] }, Kernel.bfs, options).values).toEqual(expected);
        }
      }
    }
  });

  it('gather communities around vertices of many arcs, which stay at the first level', () => {
    const random = randomFrom(seed);
    const vertices = 1100 + random(300);
    const pairs: [number, number][] = [];
    for (let v = 0; v < vertices; v++) {
      pairs.push([v, (v + 1 + random(3)) % vertices]);
      if (random(3) > 0) pairs.push([v, (v % 7) * (1 + random(4))]);
    }
    const plain = scopeOf(test.replace(vertices, pairs), null, null);
    for (const order of ['ids', 'degrees'] as const) checkLouvain(test, plain, { order }, { members: 2, slice: 0 });
  });

  it('move in several blocks, whose vertices are neighbours, too', () => {
    const random = randomFrom(seed);
    const vertices = 2500 + random(500);
    const pairs: [number, number][] = [];
    for (let v = 0; v < vertices; v++) {
      for (let i = 0; i < 9; i++) pairs.push([v, (v + 1 + random(40)) % vertices]);
      if (random(3) === 0) pairs.push([v, random(vertices)]);
    }
    const plain = scopeOf(test.replace(vertices, pairs), null, null);
    for (const order of ['ids', 'degrees'] as const) checkLouvain(test, plain, { order }, { members: 2, slice: 0 });
  });

  it('end the first level after a few looks at each arc where there is no structure', () => {
    const random = randomFrom(seed);
    const vertices = 300 + random(50);
    const pairs = Array.from({ length: 12 * vertices }, (): [number, number] => [random(vertices), random(vertices)]);
    const plain = scopeOf(test.replace(vertices, pairs), null, null);
    for (const order of ['ids', 'degrees'] as const) checkLouvain(test, plain, { order }, { members: 2, slice: 0 });
  });

  it('share out shortest paths of which there are more than numbers, beside a single one', () => {
    const count = build === 'release' ? 1100 : 120;
    // From vertex 0 a chain of double edges, 2^count paths, and a plain one behind it.
    const chain = Array.from({ length: count }, (_, i): [number, number] => [i, i + 1]);
    const plainChain = chain.map(([source, target]): [number, number] => [
      source === 0 ? 0 : count + source,
      count + target,
    ]);
    test.replace(2 * count + 1, [...chain, ...chain, ...plainChain]);
    const own = Array.from({ length: count }, (_, i) => (i + 1) * (count - i - 1));
    for (const order of ['ids', 'degrees'] as const) {
      const { values } = test.answer({ view: View.out, order }, Kernel.betweenness, { slice: 1 });
      expectClose(values, [0, ...own, ...own]);
    }
  });

  it('find least weights that are lowered more often than entries were planned for', () => {
    const leaves = 3000;
    const hubs = 8;
    const edges = Array.from({ length: hubs }, (_, hub) => [
      { source: 0, target: 1 + hub, type: 'to', weight: hub },
      ...Array.from({ length: leaves }, (__, leaf) => {
        return { source: 1 + hub, target: 1 + hubs + leaf, type: 'to', weight: 1000 - 110 * hub };
      }),
    ]).flat();
    checkWeights(edges, 1 + hubs + leaves);
  });

  it('find least weights of all magnitudes', () => {
    const random = randomFrom(seed);
    const edges = Array.from({ length: 3000 }, () => {
      return { source: random(600), target: random(600), type: 'to', weight: (1 + random(9)) * 10 ** (random(13) - 6) };
    });
    checkWeights(edges, 600);
  });

  it('find least weights of whole numbers, near and beyond what 31 bits hold', () => {
    const random = randomFrom(seed);
    for (const most of [1, 255, 2 ** 20, 2 ** 27, 2 ** 30, 2 ** 31 - 1, 2 ** 33]) {
      const edges = Array.from({ length: 1500 }, (_, i) => {
        return {
          source: i % 3 === 0 ? i % 400 : random(400),
          target: random(400),
          type: 'to',
          weight: random(most + 1),
        };
      });
      checkWeights(edges, 400);
      // All but one whole.
      checkWeights([...edges, { source: 0, target: 1, type: 'to', weight: 0.1 }], 400);
    }
  });

  function checkWeights(edges: readonly Omit<PlainEdge, 'id'>[], vertexCount: number): void {
    test.write([{ kind: 'erase' }]);
    const graph = test.fill(
      Array.from({ length: vertexCount }, () => null),
      edges,
      ({ weight }) => [{ key: 'weight', type: TypeId.double, text: `${weight}` }],
    );
    const plain = scopeOf(graph, null, null);
    const source = plain.ids[0] as number;
    const expected = naiveDistances(plain, 'out', source);
    for (const paired of [false, true]) {
      const scope = { view: View.out, weightKey: 'weight', paired };
      for (const options of [{ members: 1 }, { members: 3, slice: 2 }, { members: 1, epsilon: 1e-9 }]) {
        expect(test.answer(scope, Kernel.sssp, { ...options, source }).values).toEqual(expected);
      }
    }
  }

  it('take every numeric type as a weight', () => {
    const texts: [TypeId, string, number][] = [
      [TypeId.byte, '200', 200],
      [TypeId.sbyte, '100', 100],
      [TypeId.int16, '30000', 30000],
      [TypeId.uint16, '60000', 60000],
      [TypeId.int32, '2000000000', 2e9],
      [TypeId.uint32, '4000000000', 4e9],
      [TypeId.int64, '9000000000000000000', 9e18],
      [TypeId.uint64, '18000000000000000000', 1.8e19],
      [TypeId.single, '0.5', 0.5],
      [TypeId.double, '0.1', 0.1],
      [TypeId.decimal, '12.345', 12.345],
    ];
    for (const [type, text, weight] of texts) {
      test.write([{ kind: 'erase' }]);
      test.fill([null, null], [{ source: 0, target: 1, type: 'to', weight: null }], () => [{ key: 'w', type, text }]);
      const { values } = test.answer({ weightKey: 'w' }, Kernel.sssp, { source: 0 });
      expectClose(values, [0, weight]);
    }
  });

  it('refuse weights that are no numbers, negative or not finite, and count those that are there', () => {
    const texts: [TypeId, string, number][] = [
      [TypeId.string, '3', JobError.weightType],
      [TypeId.boolean, 'true', JobError.weightType],
      [TypeId.int32, '-1', JobError.weightValue],
      [TypeId.double, '-0.5', JobError.weightValue],
      [TypeId.double, 'NaN', JobError.weightValue],
      [TypeId.decimal, '-2', JobError.weightValue],
    ];
    const edges = [0, 1].map(() => ({ source: 0, target: 1, type: 'to', weight: null }));
    for (const [type, text, error] of texts) {
      test.write([{ kind: 'erase' }]);
      let edge = 0;
      test.fill([null, null], edges, () => (edge++ === 0 ? [] : [{ key: 'w', type, text }]));
      const scope = { label: null, edgeType: null, view: View.out, weightKey: 'w' };
      const projection = projectScope(test.instance, test.graph, scope);
      if (projection === null) throw new Error('no memory');
      expect(runJob(test.instance, projection, 0, -1)).toBe(Run.finished);
      expect(fillProjection(test.instance, projection)).toBe(true);
      expect(runJob(test.instance, projection, 0, -1)).toBe(Run.failed);
      expect(jobFailure(test.instance, projection)).toEqual({ error, element: 3 });
      test.drop(projection);
    }
    const known = test.project({ label: null, edgeType: null, view: View.out, weightKey: 'never seen' });
    expect(projectionSize(test.instance, known).weighted).toBe(0);
    expect(test.run(known, Kernel.sssp, { source: 0 }).values).toEqual([0, 1]);
    test.drop(known);
  });
});
