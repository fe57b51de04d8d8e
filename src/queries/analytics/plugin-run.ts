// A registered plugin as an analytics run: the specification as its definition, its values as the wanted page, and their write-back
// (reference 12). Scores are written as Double, partitions as Int32.

import type { WriteOperation } from '../../core/requests.ts';
import { TypeId } from '../../core/values.ts';
import type { WrittenBack } from '../../engine/analytics/types.ts';
import type { GraphEngine } from '../../engine/types.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { CompiledPlugin } from '../plugins/compiler.ts';
import type { ValuesAnswer } from '../plugins/job-answers.ts';
import type { PluginTerms } from '../plugins/plugins.ts';
import { budgetSecondsOf, queryOf, type RunSettings, type Specification } from './request.ts';

/** Vertices of one transaction (contract part 2, Limits). */
const chunkVertices = 50_000;
/** The contract's words as numbers of the enum Direction. */
const directions: Readonly<Record<string, number>> = { in: 0, out: 1, both: 2 };

export type PluginRunAnswer =
  | { readonly ok: true; readonly values: ValuesAnswer; readonly writtenBack: WrittenBack | null }
  | { readonly ok: false; readonly reason: 'budget' | 'noResult'; readonly detail: string }
  | { readonly ok: false; readonly reason: 'threw'; readonly exception: string; readonly detail: string }
  | ({ readonly ok: false; readonly reason: 'writeBack'; readonly detail: string } & WrittenBack);

export interface PluginRun {
  readonly name: string;
  readonly compiled: CompiledPlugin;
  readonly limits: PluginTerms;
}

/** Of a specification without a flaw. `partitionId`: whose members are wanted; null for the best scores or largest partitions. */
export async function runPluginAnalytics(
  graph: GraphEngine,
  { name, compiled, limits }: PluginRun,
  specification: Specification,
  settings: RunSettings,
  partitionId: number | null,
  caller: Caller,
): Promise<PluginRunAnswer> {
  const budgetSeconds = budgetSecondsOf(specification, settings);
  const { vertexLabel, edgePropertyId: edgeType, direction, parameters, writeBack } = specification;
  const analytics = {
    ...{ vertexLabel, edgeType, parameters },
    direction: direction ? (directions[direction] ?? null) : null,
    maxIterations: specification.maxIterations ?? 0,
    epsilon: specification.epsilon ?? 0,
  };
  const wanted = { page: queryOf(specification, partitionId), values: writeBack === true };
  // The run's own budget bounds it, and that has a ceiling of its own.
  const { maxFuel, maxMemoryBytes, log } = limits;
  // The run has a place already, and what it runs goes in its turn.
  const takeRunSlot = () => () => {};
  const terms = { maxSeconds: budgetSeconds, maxFuel, maxMemoryBytes, log, takeRunSlot };
  const { callPlugin } = await import('../plugins/run-plugin.ts');
  const end = await callPlugin(graph, compiled, terms, { analytics, wanted }, { caller });
  if (end === 'deadline' || end.ended === 'limit') {
    return { ok: false, reason: 'budget', detail: `The run had no result after ${budgetSeconds} s.` };
  }
  if (end.ended === 'declined') return { ok: false, reason: 'noResult', detail: 'The plugin has no result.' };
  if (end.ended === 'threw') {
    const { exception, message } = end;
    return { ok: false, reason: 'threw', exception, detail: message };
  }
  if (end.value.kind !== 'values') return { ok: false, reason: 'noResult', detail: 'The plugin has no result.' };
  const values = end.value;
  if (values.values === null) return { ok: true, values, writtenBack: null };
  return writeBackOf(graph, values, writeBackKeyOf(name, specification));
}

export function writeBackKeyOf(name: string, { writeBackPropertyKey: key }: Specification): string {
  return key ?? `analytics.${name.toLowerCase()}`;
}

async function writeBackOf(graph: GraphEngine, answer: ValuesAnswer, key: string): Promise<PluginRunAnswer> {
  const { ids, values } = answer.values as NonNullable<ValuesAnswer['values']>;
  const type = answer.isPartition ? TypeId.int32 : TypeId.double;
  let verticesWritten = 0;
  let chunks = 0;
  for (let from = 0; from < ids.length; from += chunkVertices) {
    const operations = Array.from(ids.subarray(from, from + chunkVertices), (element, at): WriteOperation => {
      return { kind: 'setProperty', element, key, type, text: textOf(values[from + at] as number) };
    });
    const transaction = await graph.runs.delegate();
    try {
      const committed = transaction.commit(operations);
      if (!committed.ok) return { ok: false, reason: 'writeBack', detail: committed.flaw, verticesWritten, chunks };
    } finally {
      transaction.end();
    }
    verticesWritten += operations.length;
    chunks++;
  }
  return { ok: true, values: answer, writtenBack: { verticesWritten, chunks } };
}

/** The invariant text of a number. */
function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
