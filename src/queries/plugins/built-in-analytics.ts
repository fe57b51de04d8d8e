// The built-in whole-graph algorithms as plugins run them: the writer makes what a run needs, the thread of the plugin, which is announced
// anyway, does the work alone, and reads the values where the kernel left them.

import {
  type Job,
  JobError,
  jobFailure,
  ResultType,
  Run,
  runJob,
  runOutcome,
  scoreStatistics,
  vertexValues,
} from '../../core/analytics.ts';
import type { CoreInstance } from '../../core/instance.ts';
import type { RunResult } from '../../engine/analytics/types.ts';
import type { AnalyticsInput, PluginResult } from '../../fragments/engine-reader.ts';
import { ExceptionObject, Thrown } from '../../fragments/interpreter/exceptions.ts';
import { LimitError } from '../../fragments/interpreter/machine.ts';
import { Boxed } from '../../fragments/interpreter/values.ts';
import { type Algorithm, algorithms } from '../analytics/algorithms.ts';
import { algorithmFlaw, runOf, type Specification, specificationFlaw } from '../analytics/request.ts';
import type { WriterChannel } from './writer-channel.ts';

type Values = PluginResult & { kind: 'values' };

/** By the numbers of the enum Direction. */
const directions = ['in', 'out', 'both'] as const;
/** A plugin's time is its own limit; values are not written back. */
const settings = { defaultTimeBudgetSeconds: 1, maxTimeBudgetSeconds: 1, logWriteBack: false };
/** Vertices whose values are read at once: 64 KiB of the arena. */
const valuesAtOnce = 4096;
/** A thread that is announced as a reader for the whole call need not announce each chunk. */
const noSlot = -1;

/** Null: what is asked for is none of theirs, or they have no result; undefined: there is none of that name. */
export function builtInAnalytics(
  instance: CoreInstance,
  channel: WriterChannel,
  name: string,
  input: AnalyticsInput,
): Values | null | undefined {
  const algorithm = algorithms.get(name);
  if (algorithm === undefined) return undefined;
  const specification = specificationOf(input);
  const flaw = specificationFlaw(specification, settings) ?? algorithmFlaw(algorithm, specification);
  if (flaw !== null) return null;
  const endsAt = input.timeBudgetMs ? performance.now() + input.timeBudgetMs : Number.POSITIVE_INFINITY;
  const work = new Work(instance, channel, endsAt);
  let hasValues = false;
  try {
    let next = channel.beginRun(runOf(algorithm, specification, settings, null));
    while (next.kind === 'projection') {
      if (work.finish(next.job) !== 'finished') return null;
      next = channel.stepRun();
    }
    if (next.kind === 'memory') throw new Thrown(new ExceptionObject('OutOfMemoryException', null));
    if (next.kind === 'source' || next.kind === 'busy') return null;
    if (next.kind === 'nothing') {
      hasValues = true;
      return valuesOf(algorithm, nothing);
    }
    const end = work.finish(next.job);
    const outcome = runOutcome(instance, next.job);
    if (end === 'failed' || (end === 'deadline' && !(algorithm.keepsRounds && outcome.iterations > 0))) return null;
    if (!Number.isFinite(outcome.sum)) return null;
    hasValues = true;
    return valuesOf(algorithm, read(instance, next.job, algorithm, end === 'deadline'));
  } finally {
    channel.endRun(hasValues);
  }
}

class Work {
  private readonly instance: CoreInstance;
  private readonly channel: WriterChannel;
  private readonly endsAt: number;

  constructor(instance: CoreInstance, channel: WriterChannel, endsAt: number) {
    this.instance = instance;
    this.channel = channel;
    this.endsAt = endsAt;
  }

  /** Looks after each chunk whether the call was told to stop. */
  finish(job: Job): 'finished' | 'deadline' | 'failed' {
    for (;;) {
      const answer = runJob(this.instance, job, 0, noSlot, 1);
      if (answer === Run.finished) return 'finished';
      this.channel.look();
      if (answer === Run.failed) {
        if (jobFailure(this.instance, job).error !== JobError.stale) return 'failed';
        const message = 'The graph was erased or trimmed meanwhile.';
        throw new Thrown(new ExceptionObject('InvalidOperationException', message));
      }
      if (answer !== Run.more) throw new LimitError('cancelled');
      if (performance.now() >= this.endsAt) return 'deadline';
    }
  }
}

/** A run as the engine tells it, with all of its values in place of a page of them. */
interface Read extends Omit<RunResult, 'rows' | 'bytes' | 'writtenBack'> {
  readonly ids: number[];
  readonly values: number[];
}

const nothing: Read = {
  ...{ ids: [], values: [], vertexCount: 0, total: 0, iterations: 0, converged: true, budgetExhausted: false },
  ...{ sum: 0, least: 0, greatest: 0, mean: 0 },
};

/** Vertices without a value are left out. */
function read(instance: CoreInstance, kernel: Job, { wantsSpread }: Algorithm, budgetExhausted: boolean): Read {
  const { type, iterations, converged, sum } = runOutcome(instance, kernel);
  const { min, max, mean } = wantsSpread ? scoreStatistics(instance, kernel) : { min: 0, max: 0, mean: 0 };
  const [ids, values]: [number[], number[]] = [[], []];
  let vertexCount = 0;
  for (let isMore = true; isMore; ) {
    const page = vertexValues(instance, kernel, vertexCount, valuesAtOnce);
    for (const [at, value] of page.values.entries()) {
      if (Number.isNaN(value)) continue;
      ids.push(page.ids[at] as number);
      values.push(type === ResultType.partition ? value | 0 : value);
    }
    vertexCount += page.ids.length;
    isMore = page.ids.length > 0 && vertexCount < page.total;
  }
  const total = type === ResultType.partition ? new Set(values).size : values.length;
  return {
    ...{ ids, values, vertexCount, total, iterations, converged: converged && !budgetExhausted, budgetExhausted },
    ...{ sum, least: min, greatest: max, mean },
  };
}

function valuesOf(algorithm: Algorithm, { ids, values, ...numbers }: Read): Values {
  const statistics = algorithm.statistics({ ...numbers, rows: new Uint8Array(0), bytes: 0, writtenBack: null });
  const { iterations, converged, budgetExhausted } = numbers;
  const isPartition = algorithm.kind === 'partition';
  return { kind: 'values', isPartition, ids, values, statistics, converged, iterations, budgetExhausted };
}

function specificationOf(input: AnalyticsInput): Specification {
  const parameters: Record<string, number> = {};
  for (const [key, value] of Object.entries(input.parameters ?? {})) {
    const bare = value instanceof Boxed ? value.value : value;
    if (typeof bare === 'number' || typeof bare === 'bigint') parameters[key] = Number(bare);
  }
  return {
    ...{ vertexLabel: input.vertexLabel, edgePropertyId: input.edgeType, parameters },
    direction: input.direction === null ? null : (directions[input.direction] ?? String(input.direction)),
    ...{ maxIterations: input.maxIterations, epsilon: input.epsilon },
    ...{ timeBudgetSeconds: null, maxResults: null, offset: null, writeBack: null, writeBackPropertyKey: null },
    weightPropertyId: null,
  };
}
