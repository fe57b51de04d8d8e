// Where a kernel of one thread is cut into slices shows nowhere: the debug build cuts after a few vertices and arcs, the release build after
// many, and a graph large enough for both gives the same bits. A run that is stopped in the middle of a round keeps the round before.

import { describe, expect, it } from 'vitest';
import {
  beginKernel,
  dropKernel,
  Kernel,
  Run,
  runJob,
  runOutcome,
  type Scope,
  stopJob,
  View,
  vertexValues,
} from '../../src/core/analytics.ts';
import { builds } from '../differential/support/readers-threads.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { AnalyticsCore } from './support/analytics-core.ts';

const scope: Scope = { label: null, edgeType: null, view: View.both };
const kernels = [
  [Kernel.louvain, View.both],
  [Kernel.kCore, View.simple],
  [Kernel.scc, View.out],
  [Kernel.betweenness, View.out],
] as const;

function randomPairs(vertices: number, edges: number, seed: number): [number, number][] {
  const random = randomFrom(seed);
  // Small ids are met more often, so that degrees differ.
  const some = (): number => random(1 + random(vertices));
  return Array.from({ length: edges }, () => [some(), some()]);
}

describe('kernels in slices', () => {
  it('give the same wherever they are cut', () => {
    const vertices = 20_000;
    const pairs = randomPairs(vertices, 90_000, 7);
    const answers = builds.map((build) => {
      const test = new AnalyticsCore(build);
      test.replace(vertices, pairs);
      return kernels.flatMap(([kernel, view]) =>
        [0, 1].map((slice) => {
          const { values, sum } = test.answer({ view }, kernel, { damping: 1, samples: 9, seed: 3, slice });
          return { kernel, sum, values };
        }),
      );
    });
    expect(answers[1]).toEqual(answers[0]);
    for (let i = 0; i < 2 * kernels.length; i += 2) expect(answers[0]?.[i + 1]).toEqual(answers[0]?.[i]);
  });

  it('keep the last complete level of LOUVAIN wherever they are stopped', () => {
    const test = new AnalyticsCore('debug');
    const vertices = 60;
    test.replace(vertices, randomPairs(vertices, 150, 11));
    const projection = test.project(scope);
    const first = test.run(projection, Kernel.louvain, { damping: 1, maxIterations: 1 });
    let stops = 0;
    for (let beyond = 0; ; beyond++) {
      const job = beginKernel(test.instance, projection, Kernel.louvain, {
        members: 1,
        damping: 1,
        maxIterations: 100,
      });
      if (job === null) throw new Error('no memory for a kernel');
      let left = beyond;
      let answer: Run = Run.more;
      while (answer === Run.more && (runOutcome(test.instance, job).iterations === 0 || left-- > 0)) {
        answer = runJob(test.instance, job, 0, -1, 1);
      }
      if (answer === Run.more && runOutcome(test.instance, job).iterations === 1) {
        stopJob(test.instance, job, 'deadline');
        expect(runJob(test.instance, job, 0, -1, 1)).toBe(Run.deadline);
        const { iterations, sum } = runOutcome(test.instance, job);
        expect({ iterations, sum }).toEqual({ iterations: 1, sum: first.sum });
        expect([...vertexValues(test.instance, job, 0, 2 ** 31).values]).toEqual(first.values);
        stops++;
      }
      const over = runOutcome(test.instance, job).iterations !== 1 || answer !== Run.more;
      dropKernel(test.instance, job);
      if (over) break;
    }
    expect(stops).toBeGreaterThan(10);
    test.drop(projection);
  });
});
