// From an analytics specification to a run of the engine: bounds and defaults (contract part 2, Analytics request; reference 12). First
// what holds whatever the algorithm, then what it takes; a flaw is a sentence for the caller.

import type { AnalyticsRun, RunQuery } from '../../engine/analytics/types.ts';
import type { Algorithm, Direction, OwnParameter } from './algorithms.ts';

/** The body of the request; null: not named. */
export interface Specification {
  readonly vertexLabel: string | null;
  readonly edgePropertyId: string | null;
  readonly direction: string | null;
  readonly maxIterations: number | null;
  readonly epsilon: number | null;
  readonly parameters: Readonly<Record<string, number>> | null;
  readonly timeBudgetSeconds: number | null;
  readonly maxResults: number | null;
  readonly offset: number | null;
  readonly writeBack: boolean | null;
  readonly writeBackPropertyKey: string | null;
  readonly weightPropertyId: string | null;
}

/** The `Analytics:` settings. */
export interface RunSettings {
  readonly defaultTimeBudgetSeconds: number;
  readonly maxTimeBudgetSeconds: number;
  readonly logWriteBack: boolean;
}

const directions: readonly Direction[] = ['in', 'out', 'both'];
const mostResults = 10_000;
const mostIterations = 10_000;
const mostKeyCharacters = 256;
const initialResults = 100;
const initialEpsilon = 1e-6;
const initialDamping = 0.85;
const initialResolution = 1;
/** Embeddings and their stamps. */
const reservedKey = /^\$embedding(Model)?:/;
const mostId = 2 ** 31 - 1;
const mostUint32 = 2 ** 32 - 1;

/** What is wrong with a specification whatever the algorithm; null: nothing. */
export function specificationFlaw(specification: Specification, { maxTimeBudgetSeconds }: RunSettings): string | null {
  const { direction, maxIterations, epsilon, timeBudgetSeconds, maxResults } = specification;
  if (direction && !directions.includes(direction as Direction)) {
    return `The direction is one of in, out and both, not '${direction}'.`;
  }
  if (maxResults !== null && !isWhole(maxResults, 1, mostResults)) {
    return `maxResults is a whole number from 1 to ${mostResults}.`;
  }
  if (maxIterations !== null && !isWhole(maxIterations, 0, mostIterations)) {
    return `maxIterations is a whole number from 0 to ${mostIterations}.`;
  }
  if (epsilon !== null && !(epsilon >= 0)) return 'epsilon is a number of at least 0.';
  if (timeBudgetSeconds !== null && !(timeBudgetSeconds >= 1 && timeBudgetSeconds <= maxTimeBudgetSeconds)) {
    return `timeBudgetSeconds is a number from 1 to ${maxTimeBudgetSeconds}.`;
  }
  const { DampingFactor = 0 } = specification.parameters ?? {};
  if (!(DampingFactor >= 0 && DampingFactor <= 1)) return 'The parameter DampingFactor is a number from 0 to 1.';
  return writeBackFlaw(specification);
}

/** Of the parameters that are the algorithm's own. */
function parameterFlaw(parameters: OwnParameters): string | null {
  const { Resolution = 1, Source = 0, Samples = 0, Seed = 0 } = parameters;
  if (!(Resolution > 0)) return 'The parameter Resolution is a number above 0.';
  if (!isWhole(Source, 0, mostId)) return 'The parameter Source is the id of a vertex.';
  if (!isWhole(Samples, 0, mostId)) return `The parameter Samples is a whole number from 0 to ${mostId}.`;
  if (!isWhole(Seed, 0, mostUint32)) return `The parameter Seed is a whole number from 0 to ${mostUint32}.`;
  return null;
}

function writeBackFlaw({ writeBack, writeBackPropertyKey: key }: Specification): string | null {
  if (writeBack !== true || key === null) return null;
  if (key.trim() === '') return 'writeBackPropertyKey may not be blank.';
  if (reservedKey.test(key)) return `The property '${key}' belongs to the engine.`;
  return key.length > mostKeyCharacters ? `writeBackPropertyKey has at most ${mostKeyCharacters} characters.` : null;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** What is wrong with it for this algorithm. */
export function algorithmFlaw(algorithm: Algorithm, specification: Specification): string | null {
  const own = ownParameters(algorithm, specification);
  if (algorithm.needsSource && own.Source === undefined) {
    return 'The algorithm needs the id of a vertex as the parameter Source.';
  }
  return parameterFlaw(own);
}

type OwnParameters = Readonly<Partial<Record<OwnParameter, number>>>;

/** Those that the algorithm takes; it ignores all others (reference 12). */
function ownParameters({ ownParameters: names = [] }: Algorithm, { parameters }: Specification): OwnParameters {
  const given = names.flatMap((name) => (parameters?.[name] === undefined ? [] : [[name, parameters[name]] as const]));
  return Object.fromEntries(given);
}

/** How long the run may take. */
export function budgetSecondsOf({ timeBudgetSeconds }: Specification, settings: RunSettings): number {
  return timeBudgetSeconds ?? Math.min(settings.defaultTimeBudgetSeconds, settings.maxTimeBudgetSeconds);
}

/** The run of a specification without a flaw. `partitionId`: whose members are wanted; null for the best scores or largest partitions. */
export function runOf(
  algorithm: Algorithm,
  specification: Specification,
  settings: RunSettings,
  partitionId: number | null,
): AnalyticsRun {
  const { vertexLabel: label, edgePropertyId: edgeType, parameters } = specification;
  const direction = directionOf(algorithm, specification);
  const view = algorithm.views[direction];
  const { Resolution, Source, Samples = 0, Seed = 0 } = ownParameters(algorithm, specification);
  const { takesWeights, needsSource, needsArcs, keepsRounds } = algorithm;
  const weightKey = takesWeights ? specification.weightPropertyId : null;
  return {
    kernel: algorithm.kernels?.[direction] ?? algorithm.kernel,
    scope: {
      label,
      edgeType,
      view,
      weightKey,
      paired: algorithm.pairsWeights === true,
      opposite: algorithm.countsOpposite === true && direction !== 'both',
    },
    needsArcs,
    maxIterations: specification.maxIterations || algorithm.maxIterations,
    epsilon: algorithm.choosesStep === true ? 0 : specification.epsilon || initialEpsilon,
    damping: takesWeights ? (Resolution ?? initialResolution) : (parameters?.DampingFactor ?? initialDamping),
    source: needsSource ? (Source ?? null) : null,
    samples: Samples,
    seed: Seed,
    budgetMs: budgetSecondsOf(specification, settings) * 1000,
    keepsRounds,
    wantsStatistics: algorithm.wantsSpread,
    query: queryOf(specification, partitionId),
    writeBack: specification.writeBack === true ? writeBackOf(algorithm, specification, direction) : null,
    logWriteBack: settings.logWriteBack,
  };
}

function directionOf(algorithm: Algorithm, { direction }: Specification): Direction {
  return direction ? (direction as Direction) : algorithm.direction;
}

/** What is wanted of the values; `partitionId`: as of `runOf`. */
export function queryOf({ maxResults, offset }: Specification, partitionId: number | null): RunQuery {
  const limit = maxResults ?? initialResults;
  return partitionId === null ? { kind: 'top', limit } : { kind: 'members', partitionId, offset: offset ?? 0, limit };
}

function writeBackOf(
  { key, valueType }: Algorithm,
  { writeBackPropertyKey }: Specification,
  direction: Direction,
): AnalyticsRun['writeBack'] {
  return { key: writeBackPropertyKey ?? key(direction), type: valueType };
}
