// WCC beside a union-find of a few lines, on graphs that are hard on what it guesses: which component is the largest, what its name is,
// which position is in it. On one thread and on several, over both views and both orders. `COMPONENTS_SEED` repeats a run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gang } from '../../benchmarks/lib/gang.ts';
import {
  beginKernel,
  dropProjection,
  fillProjection,
  Kernel,
  projectScope,
  runOutcome,
  type Scope,
  View,
  vertexValues,
} from '../../src/core/analytics.ts';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { binaryOf, builds } from './support/readers-threads.ts';

const seed = Number(process.env.COMPONENTS_SEED ?? (Date.now() ^ 0xcc) >>> 0);
const random = randomFrom(seed);
const threads = 3;

interface Shape {
  readonly vertices: number;
  readonly edges: readonly (readonly [number, number])[];
}

function edges(count: number, one: (index: number) => [number, number]): [number, number][] {
  return Array.from({ length: count }, (_, index) => one(index));
}

/** The same graph with its ids in another order. */
function shuffled({ vertices, edges: list }: Shape): Shape {
  const ids = Array.from({ length: vertices }, (_, id) => id);
  for (let i = vertices - 1; i > 0; i--) {
    const j = random(i + 1);
    [ids[i], ids[j]] = [ids[j] as number, ids[i] as number];
  }
  return { vertices, edges: list.map(([source, target]) => [ids[source] as number, ids[target] as number]) };
}

const path = (from: number, count: number): [number, number][] => edges(count - 1, (i) => [from + i, from + i + 1]);
const dense = (from: number, count: number, degree: number): [number, number][] =>
  edges(count * degree, () => [from + random(count), from + random(count)]);

const shapes: Readonly<Record<string, Shape>> = {
  'a path': { vertices: 9000, edges: path(0, 9000) },
  'a path in any order': shuffled({ vertices: 9000, edges: path(0, 9000) }),
  'two of a size': shuffled({ vertices: 8000, edges: [...dense(0, 4000, 3), ...dense(4000, 4000, 3)] }),
  'pairs before the largest': {
    vertices: 9000,
    edges: [...edges(1500, (i) => [2 * i, 2 * i + 1]), ...dense(3000, 6000, 3)],
  },
  'a hub apart from the largest': shuffled({
    vertices: 9000,
    edges: [...edges(2000, (i) => [0, i + 1]), ...dense(2001, 6999, 3)],
  }),
  'the smallest id at the end of a path': {
    vertices: 9000,
    edges: [...path(0, 4000), [3999, 4000], ...dense(4000, 5000, 4)],
  },
  'sparse at random': { vertices: 9000, edges: dense(0, 9000, 1) },
  'no edge': { vertices: 50, edges: [] },
  'few edges': { vertices: 5000, edges: dense(0, 5000, 0).concat(path(4000, 5)) },
};

/** By vertex: the smallest id of its component. */
function expected({ vertices, edges: list }: Shape): Float64Array {
  const above = new Float64Array(vertices).map((_, id) => id);
  const root = (id: number): number => {
    let at = id;
    while (above[at] !== at) {
      above[at] = above[above[at] as number] as number;
      at = above[at] as number;
    }
    return at;
  };
  for (const [source, target] of list) {
    const [a, b] = [root(source), root(target)];
    above[Math.max(a, b)] = Math.min(a, b);
  }
  return above.map((_, id) => root(id));
}

describe.each(builds)(`components (%s, seed ${seed})`, (build) => {
  const core = new Core(binaryOf(build), new MemoryPool({ shared: true }), 2 ** 31);
  let gang: Gang;

  beforeAll(async () => {
    gang = await Gang.start(core, binaryOf(build), threads);
  });
  afterAll(async () => {
    await gang.stop();
    core.dispose();
  });

  function fill({ vertices, edges: list }: Shape): number {
    const graph = core.createGraph();
    const operations: WriteOperation[] = [
      ...Array.from({ length: vertices }, () => ({
        kind: 'createVertex',
        creationDate: 0,
        label: null,
        properties: [],
      })),
      ...list.map(([source, target]) => ({
        kind: 'createEdge',
        creationDate: 0,
        source,
        target,
        edgeType: 'to',
        label: null,
        properties: [],
      })),
    ] as WriteOperation[];
    for (let from = 0; from < operations.length; from += 5000) {
      if (!core.write(graph, operations.slice(from, from + 5000), 0).ok) throw new Error('the core refused a write');
    }
    return graph;
  }

  async function components(graph: number, scope: Scope, members: number) {
    const projection = projectScope(core.instance, graph, scope);
    if (projection === null) throw new Error('no memory');
    await gang.run(projection, members);
    if (!fillProjection(core.instance, projection)) throw new Error('no memory');
    await gang.run(projection, members);
    const job = beginKernel(core.instance, projection, Kernel.wcc, { members });
    if (job === null) throw new Error('no memory');
    await gang.run(job, members);
    const { values } = vertexValues(core.instance, job, 0, 2 ** 31);
    const { sum } = runOutcome(core.instance, job);
    dropProjection(core.instance, projection);
    return { names: Float64Array.from(values as ArrayLike<number>), sum };
  }

  it.each(Object.entries(shapes))('of %s', async (_name, shape) => {
    const graph = fill(shape);
    const names = expected(shape);
    for (const view of [View.both, View.simple, View.out]) {
      for (const order of ['degrees', 'ids'] as const) {
        for (const members of [1, 2, threads]) {
          const found = await components(graph, { label: null, edgeType: null, view, order }, members);
          expect(found.names.findIndex((name, id) => name !== names[id])).toBe(-1);
          expect(found.names.length).toBe(names.length);
          expect(found.sum).toBe(new Set(names).size);
        }
      }
    }
  });
});
