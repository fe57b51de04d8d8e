// What is asked of a finished run: best lists with their ties, partitions, pages of members, statistics, values; estimates and bounds
// of memory; weights of every type. The kernels themselves are in analytics.test.ts.

import { afterAll, describe, expect, it } from 'vitest';
import {
  beginKernel,
  dropKernel,
  fillProjection,
  isInScope,
  type Job,
  Kernel,
  largestPartitions,
  type Projection,
  partitionMembers,
  projectionSize,
  projectScope,
  Run,
  runJob,
  type Scope,
  scoreStatistics,
  settleProjection,
  topScores,
  View,
  vertexValues,
} from '../../src/core/analytics.ts';
import { TypeId } from '../../src/core/values.ts';
import { builds } from '../differential/support/readers-threads.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { AnalyticsCore } from './support/analytics-core.ts';

const whole: Scope = { label: null, edgeType: null, view: View.both };

describe.each(builds)('results (%s)', (build) => {
  const test = new AnalyticsCore(build);
  const { instance } = test;
  afterAll(() => test.dispose());

  function withRun(kernel: Kernel, scope: Scope, look: (job: Job, projection: Projection) => void): void {
    const projection = test.project(scope);
    const job = beginKernel(instance, projection, kernel, { members: 1, maxIterations: 9 });
    if (job === null) throw new Error('no memory');
    expect(test.play(job, 1)).toBe(Run.finished);
    look(job, projection);
    dropKernel(instance, job);
    test.drop(projection);
  }

  it('lists the best by score and then by id', () => {
    const random = randomFrom(11);
    const pairs = Array.from({ length: 400 }, () => [random(100), random(100)] as const);
    test.replace(100, pairs);
    for (const order of ['ids', 'degrees'] as const) {
      withRun(Kernel.degree, { ...whole, order }, (job) => {
        const { ids, values } = vertexValues(instance, job, 0, 1000);
        const expected = [...ids.keys()].sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
        for (const limit of [0, 1, 2, 7, 50, 99, 100, 101, 10_000]) {
          const top = topScores(instance, job, limit);
          expect([...top.ids]).toEqual(expected.slice(0, limit));
          expect([...top.scores]).toEqual(expected.slice(0, limit).map((id) => values[id]));
          expect(top.total).toBe(100);
        }
        const sum = values.reduce((all, value) => all + value, 0);
        expect(scoreStatistics(instance, job)).toEqual({
          min: Math.min(...values),
          max: Math.max(...values),
          mean: sum / 100,
        });
        expect([...vertexValues(instance, job, 98, 10).ids]).toEqual([98, 99]);
        expect(vertexValues(instance, job, 100, 10).total).toBe(100);
      });
    }
  });

  it('lists partitions by size and their members by page', () => {
    // Components {0, 4, 8}, {1, 5}, {2, 6}, {3}, {7}.
    test.replace(9, [
      [8, 4],
      [4, 0],
      [5, 1],
      [2, 6],
    ]);
    for (const order of ['ids', 'degrees'] as const) {
      withRun(Kernel.wcc, { ...whole, order }, (job, projection) => {
        const all = largestPartitions(instance, job, 10);
        expect([...all.ids]).toEqual([0, 1, 2, 3, 7]);
        expect([...all.scores]).toEqual([3, 2, 2, 1, 1]);
        const two = largestPartitions(instance, job, 2);
        expect([[...two.ids], two.total]).toEqual([[0, 1], 5]);
        const members = (id: number, offset: number, limit: number) => {
          const { ids, total } = partitionMembers(instance, job, id, offset, limit);
          return [[...ids], total];
        };
        expect(members(0, 0, 10)).toEqual([[0, 4, 8], 3]);
        expect(members(0, 1, 1)).toEqual([[4], 3]);
        expect(members(0, 3, 1)).toEqual([[], 3]);
        expect(members(4, 0, 10)).toEqual([[], 0]);
        expect(members(99, 0, 10)).toEqual([[], 0]);
        expect(isInScope(instance, projection, 8)).toBe(true);
        // Id 9 is an edge, 13 nothing at all.
        expect(isInScope(instance, projection, 9)).toBe(false);
        expect(isInScope(instance, projection, 13)).toBe(false);
      });
    }
  });

  it('gives every byte back wherever memory runs out', () => {
    test.replace(50, [
      [0, 1],
      [1, 2],
    ]);
    const { exports } = instance;
    const before = test.core.memoryUse();
    for (let allocation = 1; allocation < 6; allocation++) {
      exports.failAfter(allocation);
      const projection = projectScope(instance, test.graph, whole);
      if (projection === null) continue;
      expect(runJob(instance, projection, 0, -1)).toBe(Run.finished);
      if (fillProjection(instance, projection)) {
        expect(runJob(instance, projection, 0, -1)).toBe(Run.finished);
        beginKernel(instance, projection, Kernel.triangleCount, { members: 2 });
      }
      exports.failAfter(0);
      expect(projectionSize(instance, projection).bytes).toBe(test.core.memoryUse().projections);
      test.drop(projection);
    }
    exports.failAfter(0);
    expect({ ...test.core.memoryUse(), system: 0, pages: 0 }).toEqual({ ...before, system: 0, pages: 0 });
  });

  // What an entry of the array by id holds is one less than two below its largest number; a few of a chunk may be larger.
  const { int32, int64, byte, single, double, uint32 } = TypeId;
  it.each([
    ['bytes', [int32, byte], ['0', '7', '253'], []],
    ['bytes and few that are larger', [int32, byte], ['0', '7', '253'], ['254', '255', '70000', '2147483647']],
    ['halves', [int32, int64], ['3', '254', '255', '65533'], []],
    ['halves and few that are larger', [int64], ['3', '254', '65533'], ['65534', '2147483647']],
    ['words', [int64, uint32], ['3', '254', '65534', '70000', '2147483647'], []],
    ['numbers that no word holds', [int64, uint32], ['3', '70000', '2147483648', '4294967294', '4294967295'], []],
    ['words and few that are none', [double], ['3', '70000'], ['0.5']],
    ['numbers', [double, single], ['0', '7', '2147483647', '-0.0', '0.25', '1E-300'], []],
    ['whole numbers of every kind', [int32, double, single, byte], ['0', '7', '200'], ['255']],
  ] as const)(
    'takes the same weights by id, and edge by edge where there is no room or few arcs are in scope: %s',
    (_, types, texts, rare) => {
      const random = randomFrom(5);
      const edges = Array.from({ length: 9000 }, (_, i) => {
        return { source: random(2000), target: random(2000), type: i % 90 === 0 ? 'rare' : 'to', weight: null };
      });
      test.write([{ kind: 'erase' }]);
      test.fill(Array(2000).fill(null), edges, () => {
        const kind = types[random(types.length)] as TypeId;
        const text = random(2000) === 0 ? rare[random(rare.length)] : texts[random(texts.length + 1)];
        const isHeld = kind !== byte || Number(text) < 256;
        return text === undefined ? [] : [{ key: 'weight', type: isHeld ? kind : int32, text }];
      });
      test.write([20, 3000, 5000].map((element) => ({ kind: 'removeElement', element, skipRemoved: false })));
      for (const paired of [false, true]) {
        for (const edgeType of [null, 'rare']) {
          const scope: Scope = { ...whole, edgeType, weightKey: 'weight', paired };
          const byId = filled(scope, 0);
          const byEdge = filled(scope, 2);
          expect(byId.answer).toEqual(byEdge.answer);
          expect(byEdge.takenBytes).toBe(0);
          const ids = edgeType === null ? 11_000 : 0;
          expect(byId.takenBytes).toBeGreaterThanOrEqual(8 * ids);
          expect(byId.takenBytes > 0).toBe(ids > 0);
        }
      }
    },
  );

  it.each(['7', '300', '0.5'])('leaves out what went between counting and filling, with weights such as %s', (text) => {
    const random = randomFrom(6);
    const edges = Array.from({ length: 9000 }, () => ({
      source: random(2000),
      target: random(2000),
      type: 'to',
      weight: null,
    }));
    for (const paired of [false, true]) {
      for (const failing of [0, 2]) {
        test.write([{ kind: 'erase' }]);
        test.fill(Array(2000).fill(null), edges, () => {
          return random(5) === 0 ? [] : [{ key: 'weight', type: TypeId.double, text: random(3) === 0 ? '2' : text }];
        });
        const scope: Scope = { ...whole, weightKey: 'weight', paired };
        const removed = [5, 20, 1999].concat(Array.from({ length: 1000 }, () => 2000 + random(9000)));
        const meanwhile = () => {
          test.write(removed.map((element) => ({ kind: 'removeElement', element, skipRemoved: true })));
        };
        const { values, weighted, arcs } = filled(scope, failing, meanwhile).answer;
        const anew = filled(scope, failing).answer;
        expect({ weighted, arcs }).toEqual({ weighted: anew.weighted, arcs: anew.arcs });
        // Vertices that were removed had been counted, and stand without arcs.
        const kept = values.filter((_, id) => !removed.includes(id));
        expect(kept).toEqual(anew.values);
      }
    }
  });

  it.each(['7', '0.5'])('leaves out edges that go between filling and the look for weights such as %s', (text) => {
    const random = randomFrom(7);
    const edges = Array.from({ length: 9000 }, () => ({
      source: random(2000),
      target: random(2000),
      type: 'to',
      weight: null,
    }));
    const idChunks = 3;
    for (const paired of [false, true]) {
      test.write([{ kind: 'erase' }]);
      test.fill(Array(2000).fill(null), edges, () => [{ key: 'weight', type: TypeId.double, text }]);
      const scope: Scope = { ...whole, weightKey: 'weight', paired };
      const before = filled(scope, 0).answer;
      const removed = Array.from({ length: 1000 }, () => 2000 + random(9000));
      const meanwhile = () => {
        test.write(removed.map((element) => ({ kind: 'removeElement', element, skipRemoved: true })));
        instance.exports.retireAdvance();
        // Rows of other shapes take the places of those that have gone.
        const properties = [{ key: 'other', type: TypeId.int64, text: '-1' }];
        test.write(removed.map(() => ({ kind: 'createVertex', creationDate: 0, label: null, properties })));
      };
      const { values, weighted, arcs } = filled(scope, 2, () => {}, [idChunks, meanwhile]).answer;
      const anew = filled(scope, 2).answer;
      expect(arcs).toBeLessThan(before.arcs);
      expect({ weighted, arcs }).toEqual({ weighted: anew.weighted, arcs: anew.arcs });
      // Those that came meanwhile are not in scope of the first.
      expect(values).toEqual(anew.values.slice(0, values.length));
    }
  });

  /** What a run tells of the weights, and the bytes that filling gave back. `failing`: the allocation that fails, 0 for none; `behind` runs after so many chunks. */
  function filled(
    scope: Scope,
    failing: number,
    meanwhile = () => {},
    [chunks, behind]: readonly [number, () => void] = [0, () => {}],
  ) {
    const projection = projectScope(instance, test.graph, scope);
    if (projection === null) throw new Error('no memory');
    expect(test.play(projection, 1)).toBe(Run.finished);
    meanwhile();
    instance.exports.failAfter(failing);
    expect(fillProjection(instance, projection)).toBe(true);
    instance.exports.failAfter(0);
    if (chunks > 0) expect(runJob(instance, projection, 0, -1, chunks)).toBe(Run.more);
    behind();
    expect(test.play(projection, 1)).toBe(Run.finished);
    const { bytes } = projectionSize(instance, projection);
    settleProjection(instance, projection);
    const size = projectionSize(instance, projection);
    const job = beginKernel(instance, projection, Kernel.sssp, { members: 1, source: 0 });
    if (job === null) throw new Error('no memory');
    expect(test.play(job, 1)).toBe(Run.finished);
    const { values } = vertexValues(instance, job, 0, 10_000);
    test.drop(projection);
    return { answer: { values, weighted: size.weighted, arcs: size.arcs }, takenBytes: bytes - size.bytes };
  }
});
