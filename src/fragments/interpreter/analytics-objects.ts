// What a plugin of analytics is handed and what it answers: the definition of a run, and its values by vertex.

import type { AnalyticsInput, PluginResult } from '../engine-reader.ts';
import type { Type } from '../types.ts';
import { budgetSpan, type CallClock, TokenValue } from './call-clock.ts';
import { DictionaryObject } from './collections.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { type KeyValue, TimeSpanValue } from './structs.ts';
import { Boxed, over, type Value } from './values.ts';

const typeNamed = (name: string, ...list: readonly Type[]): RuntimeType =>
  runtimeType({ kind: 'named', name, arguments: list });
const INT: Type = { kind: 'primitive', name: 'int' };
const STRING: Type = { kind: 'primitive', name: 'string' };
const OBJECT: Type = { kind: 'primitive', name: 'object' };
const DOUBLE = runtimeType({ kind: 'primitive', name: 'double' });
const BAG = typeNamed('Dictionary', STRING, OBJECT);
const INDEX = typeNamed('Dictionary', INT, INT);
const SCORES = typeNamed('Dictionary', INT, { kind: 'primitive', name: 'double' });

const ticksPerMs = 10_000;

/** Names and values of any kind. */
export const bagOf = (entries: readonly (readonly [string, Value])[]): DictionaryObject => {
  const bag = new DictionaryObject(BAG, null);
  for (const [key, value] of entries) bag.set(key, value);
  return bag;
};

/** Its members by their names. */
export class AnalyticsDefinitionObject {
  readonly type = typeNamed('GraphAnalyticsDefinition');
  readonly members: Record<AnalyticsMember, Value>;

  constructor(members: Partial<Record<AnalyticsMember, Value>> = {}) {
    this.members = { ...initialAnalytics, ...members };
  }

  static of(input: AnalyticsInput, clock: CallClock): AnalyticsDefinitionObject {
    const { parameters } = input;
    const bag = (given: NonNullable<typeof parameters>) =>
      bagOf(
        Object.entries(given).map(([key, value]) => [
          key,
          typeof value === 'number' ? new Boxed(DOUBLE, value) : value,
        ]),
      );
    return new AnalyticsDefinitionObject({
      ...{ VertexLabel: input.vertexLabel, EdgePropertyId: input.edgeType, Direction: input.direction },
      ...{ MaxIterations: input.maxIterations, Epsilon: input.epsilon, TimeBudget: budgetSpan(clock) },
      CancellationToken: new TokenValue(clock),
      Parameters: parameters === null ? null : bag(parameters),
    });
  }

  /** What another plugin is handed. */
  get own(): AnalyticsInput {
    const { members } = this;
    const parameters: Record<string, Value> = {};
    const given = members.Parameters === null ? [] : (over(members.Parameters) as Iterable<KeyValue>);
    for (const { key, value } of given) parameters[key] = value;
    return {
      ...{ vertexLabel: members.VertexLabel, edgeType: members.EdgePropertyId, direction: members.Direction },
      ...{ maxIterations: members.MaxIterations, epsilon: members.Epsilon },
      parameters: members.Parameters === null ? null : parameters,
      timeBudgetMs: Number((members.TimeBudget as TimeSpanValue).ticks) / ticksPerMs,
    };
  }
}

const initialAnalytics = {
  VertexLabel: null,
  EdgePropertyId: null,
  Direction: null,
  MaxIterations: 0,
  Epsilon: 0,
  TimeBudget: new TimeSpanValue(0n),
  CancellationToken: null,
  Parameters: null,
} satisfies Record<string, Value>;
export type AnalyticsMember = keyof typeof initialAnalytics;

export class AnalyticsResultObject {
  readonly type = typeNamed('GraphAnalyticsResult');
  readonly isPartition: boolean;
  readonly values: Value;
  readonly statistics: Value;
  readonly converged: boolean;
  readonly iterations: number;
  readonly elapsed: TimeSpanValue;
  readonly budgetExhausted: boolean;

  constructor(isPartition: boolean, [values, statistics, converged, iterations, elapsed, exhausted]: Value[]) {
    this.isPartition = isPartition;
    this.values = values ?? new DictionaryObject(INDEX, null);
    this.statistics = statistics ?? new DictionaryObject(BAG, null);
    this.converged = converged;
    this.iterations = iterations;
    this.elapsed = elapsed;
    this.budgetExhausted = exhausted;
  }

  static of(result: PluginResult & { kind: 'values' }): AnalyticsResultObject {
    const { isPartition, ids, values, statistics, converged, iterations, budgetExhausted } = result;
    const byVertex = new DictionaryObject(isPartition ? INDEX : SCORES, null);
    for (const [at, id] of ids.entries()) byVertex.set(id, values[at]);
    const bag = bagOf(Object.entries(statistics).map(([key, value]) => [key, new Boxed(DOUBLE, value)]));
    const elapsed = new TimeSpanValue(0n);
    return new AnalyticsResultObject(isPartition, [byVertex, bag, converged, iterations, elapsed, budgetExhausted]);
  }
}

export function valuesOf(answer: AnalyticsResultObject): PluginResult {
  const ids: number[] = [];
  const values: number[] = [];
  for (const { key, value } of over(answer.values) as Iterable<KeyValue>) {
    ids.push(key);
    values.push(value);
  }
  const statistics: Record<string, number> = {};
  for (const { key, value } of over(answer.statistics) as Iterable<KeyValue>) {
    const bare = value instanceof Boxed ? value.value : null;
    if (typeof bare === 'number' || typeof bare === 'bigint') statistics[key] = Number(bare);
  }
  const { isPartition, converged, iterations, budgetExhausted } = answer;
  return { kind: 'values', isPartition, ids, values, statistics, converged, iterations, budgetExhausted };
}
