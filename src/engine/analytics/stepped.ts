// A whole-graph run whose work its caller does, on one thread with an instance over the memory: what only the writer may do happens here, one
// call before each piece of work and one behind all of them. For callers that wait on their thread, which the gang of a usual run could
// need.

import {
  beginKernel,
  dropKernel,
  dropProjection,
  fillProjection,
  isInScope,
  type Job,
  type Projection,
  projectionSize,
  projectScope,
  settleProjection,
} from '../../core/analytics.ts';
import type { Core } from '../../core/core.ts';
import { type Held, keyOf, type Projections } from './projections.ts';
import type { AnalyticsRun, SteppedRun, SteppedWork } from './types.ts';

interface SteppedSource {
  readonly core: Core;
  readonly graph: number;
  readonly projections: Projections;
}

export class RunInSteps implements SteppedRun {
  private readonly source: SteppedSource;
  private readonly run: AnalyticsRun;
  private readonly key: string;
  /** Being built by the caller. */
  private projection: Projection | null = null;
  private isFilled = false;
  private held: Held | null = null;
  private kernel: Job | null = null;
  private readonly settle: (hasValues: boolean) => void;
  /** What `end` was told. */
  readonly over: Promise<boolean>;

  constructor(source: SteppedSource, run: AnalyticsRun) {
    this.source = source;
    this.run = run;
    this.key = keyOf(run.scope);
    let settle = (_hasValues: boolean): void => {};
    this.over = new Promise((resolve) => {
      settle = resolve;
    });
    this.settle = settle;
    this.held = source.projections.take(this.key, run.needsArcs);
  }

  /** What is to be done next; the work before has to be finished. A kernel is the last. */
  next(): SteppedWork {
    if (this.held === null && this.projection === null) return this.project();
    if (this.held === null && !this.isFilled && this.run.needsArcs && !this.isEmpty) return this.fill();
    return this.begin();
  }

  /** Gives back what the run took; nobody may be at work for it. `hasValues`: it came to its end. */
  end(hasValues: boolean): void {
    const { core, projections } = this.source;
    if (this.kernel !== null) dropKernel(core.instance, this.kernel);
    this.kernel = null;
    if (this.held !== null) projections.release(this.held);
    else if (this.projection !== null && dropProjection(core.instance, this.projection))
      core.instance.exports.retireAdvance();
    this.held = null;
    this.projection = null;
    this.settle(hasValues);
  }

  private get isEmpty(): boolean {
    return projectionSize(this.source.core.instance, this.projection as Projection).vertices === 0;
  }

  private project(): SteppedWork {
    const { core, graph } = this.source;
    this.projection = this.fitting(() => projectScope(core.instance, graph, this.run.scope));
    return this.projection === null ? { kind: 'memory' } : { kind: 'projection', job: this.projection };
  }

  private fill(): SteppedWork {
    const projection = this.projection as Projection;
    this.isFilled = this.fitting(() => fillProjection(this.source.core.instance, projection) || null) ?? false;
    return this.isFilled ? { kind: 'projection', job: projection } : { kind: 'memory' };
  }

  private begin(): SteppedWork {
    const { core, projections } = this.source;
    const { instance } = core;
    if (this.held === null) {
      const projection = this.projection as Projection;
      if (this.isFilled) settleProjection(instance, projection);
      const { bytes } = projectionSize(instance, projection);
      this.held = projections.add(this.key, projection, this.isFilled, bytes);
      this.projection = null;
    }
    const { projection } = this.held;
    const { source, kernel, maxIterations, epsilon, damping, samples, seed } = this.run;
    if (projectionSize(instance, projection).vertices === 0) return { kind: 'nothing' };
    if (source !== null && !isInScope(instance, projection, source)) return { kind: 'source' };
    const options = {
      members: 1,
      maxIterations,
      epsilon,
      damping,
      samples,
      seed,
      ...(source === null ? {} : { source }),
    };
    this.kernel = this.fitting(() => beginKernel(instance, projection, kernel, options));
    return this.kernel === null ? { kind: 'memory' } : { kind: 'kernel', job: this.kernel };
  }

  /** Once more without kept projections where there is no memory. */
  private fitting<Made>(make: () => Made | null): Made | null {
    return make() ?? (this.source.projections.yield() ? make() : null);
  }
}
