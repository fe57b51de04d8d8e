// What a request becomes for the kernel where an answer does not show it: the step that SSSP goes by, weights beside targets.

import { expect, it } from 'vitest';
import type { AnalyticsRun } from '../../src/engine/analytics/types.ts';
import { algorithms } from '../../src/queries/analytics/algorithms.ts';
import { runOf, type Specification } from '../../src/queries/analytics/request.ts';

const settings = { defaultTimeBudgetSeconds: 10, maxTimeBudgetSeconds: 300, logWriteBack: false };
const blank: Specification = {
  vertexLabel: null,
  edgePropertyId: null,
  direction: null,
  maxIterations: null,
  epsilon: null,
  timeBudgetSeconds: null,
  maxResults: null,
  offset: null,
  parameters: { Source: 0 },
  writeBack: null,
  writeBackPropertyKey: null,
  weightPropertyId: 'weight',
};

function runFor(name: string, epsilon: number | null): AnalyticsRun {
  const algorithm = algorithms.get(name);
  if (algorithm === undefined) throw new Error(`There is no ${name}.`);
  return runOf(algorithm, { ...blank, epsilon }, settings, null);
}

it('SSSP chooses its own step, whatever epsilon says', () => {
  for (const epsilon of [null, 0, 1e-6, 7]) expect(runFor('SSSP', epsilon).epsilon).toBe(0);
  expect(runFor('PAGERANK', 7).epsilon).toBe(7);
  expect(runFor('PAGERANK', null).epsilon).toBe(1e-6);
});

it('SSSP asks for weights beside targets, LOUVAIN for weights of their own', () => {
  expect(runFor('SSSP', null).scope).toMatchObject({ weightKey: 'weight', paired: true });
  expect(runFor('LOUVAIN', null).scope).toMatchObject({ weightKey: 'weight', paired: false });
});
