// A graph in a core and beside it as plain arrays, and runs of kernels on it by one thread that plays all members in turn.

import { expect } from 'vitest';
import {
  beginKernel,
  dropKernel,
  dropProjection,
  estimateKernel,
  estimateProjection,
  fillProjection,
  type Job,
  Kernel,
  type KernelOptions,
  type Projection,
  projectionSize,
  projectScope,
  Run,
  type RunOutcome,
  runJob,
  runOutcome,
  type Scope,
  settleProjection,
  vertexValues,
} from '../../../src/core/analytics.ts';
import { Core } from '../../../src/core/core.ts';
import type { CoreInstance } from '../../../src/core/instance.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import type { PropertyText, WriteOperation } from '../../../src/core/requests.ts';
import { type Build, binaryOf } from '../../differential/support/readers-threads.ts';
import type { PlainEdge, PlainGraph } from '../naive-analytics.ts';

const pool = new MemoryPool({ shared: true });

export interface Outcome extends RunOutcome {
  readonly ids: number[];
  readonly values: number[];
}

export interface RunOptions extends Partial<KernelOptions> {
  /** Chunks a member does before the next one has its turn. */
  readonly slice?: number;
}

export class AnalyticsCore {
  readonly core: Core;
  graph: number;

  constructor(build: Build, limitBytes = 2 ** 30) {
    this.core = new Core(binaryOf(build), pool, limitBytes);
    this.graph = this.core.createGraph();
  }

  get instance(): CoreInstance {
    return this.core.instance;
  }

  dispose(): void {
    this.core.dispose();
  }

  write(operations: readonly WriteOperation[]): number {
    const result = this.core.write(this.graph, operations, 1_700_000_000_000);
    if (!result.ok) throw new Error(`the core refused a write: ${result.status}`);
    return result.firstId;
  }

  /** Replaces the contents by vertices 0 … n - 1 without labels and edges between them. */
  replace(vertexCount: number, pairs: readonly (readonly [number, number])[]): PlainGraph {
    this.write([{ kind: 'erase' }]);
    return this.fill(
      Array.from({ length: vertexCount }, () => null),
      pairs.map(([source, target]) => ({ source, target, type: 'to', weight: null })),
    );
  }

  /** Adds vertices with these labels and then edges between the vertices by index. */
  fill(
    labels: readonly (string | null)[],
    edges: readonly Omit<PlainEdge, 'id'>[],
    weights: (edge: Omit<PlainEdge, 'id'>) => readonly PropertyText[] = () => [],
  ): PlainGraph {
    const creationDate = 0;
    const first =
      labels.length === 0
        ? 0
        : this.write(labels.map((label) => ({ kind: 'createVertex', creationDate, label, properties: [] })));
    const ends = edges.map((edge) => ({ ...edge, source: first + edge.source, target: first + edge.target }));
    const firstEdge =
      edges.length === 0
        ? 0
        : this.write(
            ends.map((edge) => ({
              kind: 'createEdge',
              creationDate,
              source: edge.source,
              target: edge.target,
              edgeType: edge.type,
              label: null,
              properties: weights(edge),
            })),
          );
    return {
      vertices: labels.map((label, i) => ({ id: first + i, label })),
      edges: ends.map((edge, i) => ({ ...edge, id: firstEdge + i })),
    };
  }

  /** Plays members 0 … members - 1 in turn until the job ends. */
  play(job: Job, members: number, slice = 0): Run {
    for (let turn = 0; ; turn++) {
      const answer = runJob(this.instance, job, turn % members, -1, slice);
      if (answer !== Run.more) return answer;
    }
  }

  /** A projection, counted and filled (`counted`: counted only); its bytes are exactly those of the estimates. */
  project(scope: Scope, counted = false, slice = 0): Projection {
    const before = this.core.memoryUse().projections;
    const projection = projectScope(this.instance, this.graph, scope);
    if (projection === null) throw new Error('no memory for a projection');
    expect(this.play(projection, 1, slice)).toBe(Run.finished);
    if (!counted) {
      expect(fillProjection(this.instance, projection)).toBe(true);
      expect(this.play(projection, 1, slice)).toBe(Run.finished);
      settleProjection(this.instance, projection);
    }
    const { bytes } = projectionSize(this.instance, projection);
    expect(this.core.memoryUse().projections - before).toBe(bytes);
    expect(bytes).toBeLessThan(estimateProjection(this.instance, this.graph, scope, !counted) + 2 * 65536);
    return projection;
  }

  /** Runs a kernel and answers all its values in ascending id. */
  run(projection: Projection, kernel: Kernel, options: RunOptions = {}): Outcome {
    const { slice = 0, members = 1, ...rest } = options;
    const before = this.core.memoryUse().projections;
    const job = beginKernel(this.instance, projection, kernel, { members, ...rest });
    if (job === null) throw new Error('no memory for a kernel');
    const taken = this.core.memoryUse().projections - before;
    const estimate = estimateKernel(this.instance, kernel, projectionSize(this.instance, projection), members);
    expect(taken).toBeGreaterThanOrEqual(estimate);
    expect(taken).toBeLessThan(Math.max(estimate * 1.34, estimate + 65536));
    expect(this.play(job, members, slice)).toBe(Run.finished);
    const { ids, values } = vertexValues(this.instance, job, 0, 2 ** 31);
    const outcome = { ...runOutcome(this.instance, job), ids: [...ids], values: [...values] };
    dropKernel(this.instance, job);
    return outcome;
  }

  drop(projection: Projection): void {
    expect(dropProjection(this.instance, projection)).toBe(true);
    this.instance.exports.retireAdvance();
  }

  /** Projects, runs once and drops. */
  answer(scope: Partial<Scope>, kernel: Kernel, options: RunOptions = {}): Outcome {
    const whole: Scope = { label: null, edgeType: null, view: 0, ...scope };
    const projection = this.project(whole, kernel === Kernel.degree, options.slice);
    const outcome = this.run(projection, kernel, options);
    this.drop(projection);
    return outcome;
  }
}
