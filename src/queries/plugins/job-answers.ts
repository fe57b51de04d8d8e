// What a plugin answered, in the form that leaves the thread: JSON of elements and paths, or the wanted page of its values.

import { joinedBytes } from '../../core/joined.ts';
import type { CoreReader } from '../../core/reader.ts';
import type { RunQuery } from '../../engine/analytics/types.ts';
import type { JobControl } from '../../engine/jobs/types.ts';
import type { PluginResult } from '../../fragments/engine-reader.ts';

/** What is wanted of the values of a run. */
export interface AnswerWanted {
  readonly page: RunQuery;
  /** All values as well, to be written back. */
  readonly values: boolean;
}

export interface ValuesAnswer {
  readonly kind: 'values';
  readonly isPartition: boolean;
  /** JSON list: `{graphElementId, score}`, `{partitionId, size}`, or ids. */
  readonly rows: string;
  /** Vertices with a score, partitions there are, or members the partition has. */
  readonly total: number;
  readonly vertexCount: number;
  readonly statistics: Readonly<Record<string, number>>;
  readonly converged: boolean;
  readonly iterations: number;
  readonly budgetExhausted: boolean;
  /** By ascending id; null unless they are wanted. */
  readonly values: { readonly ids: Int32Array; readonly values: Float64Array } | null;
}

export type PluginAnswer =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'json'; readonly json: Uint8Array }
  | ValuesAnswer
  | Extract<PluginResult, { kind: 'graph' | 'source' }>
  /** It answered true, and nothing that its contract knows. */
  | { readonly kind: 'nothing' };

const utf8 = new TextEncoder();

export async function answerOf(
  reader: CoreReader,
  graph: number,
  control: JobControl,
  result: Exclude<PluginResult, { kind: 'name' | 'declined' }>,
  wanted: AnswerWanted | null,
): Promise<PluginAnswer> {
  switch (result.kind) {
    case 'elements': {
      const vertices = await elements(reader, graph, control, result.vertices, 1);
      const edges = await elements(reader, graph, control, result.edges, 2);
      const pieces = [
        utf8.encode('{"vertices":['),
        ...vertices,
        utf8.encode('],"edges":['),
        ...edges,
        utf8.encode(']}'),
      ];
      return { kind: 'json', json: joinedBytes(pieces) };
    }
    case 'paths':
      return { kind: 'json', json: utf8.encode(`[${result.paths.map(pathText).join(',')}]`) };
    case 'values':
      return valuesAnswer(result, wanted);
    case 'graph':
    case 'source':
    case 'nothing':
      return result;
  }
}

/** Those that are there, in the order of the ids, with commas between them. */
async function elements(
  reader: CoreReader,
  graph: number,
  control: JobControl,
  ids: readonly number[],
  kind: 1 | 2,
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const comma = utf8.encode(',');
  for (const [at, id] of ids.entries()) {
    if (at % 1024 === 0) await control.slice();
    const json = await control.fitting(() => reader.readElement(graph, id, kind));
    if (json === null) continue;
    if (pieces.length > 0) pieces.push(comma);
    pieces.push(json);
  }
  return pieces;
}

type Paths = Extract<PluginResult, { kind: 'paths' }>['paths'];

function pathText({ steps, weight }: Paths[number]): string {
  const pathElements = steps.map((step) => ({
    sourceVertexId: step.source,
    targetVertexId: step.target,
    edgeId: step.edge,
    edgePropertyId: step.edgeType,
    direction: step.direction,
    weight: step.weight,
  }));
  return JSON.stringify({ pathElements, totalWeight: weight });
}

function valuesAnswer(
  { isPartition, ids, values, statistics, converged, iterations, budgetExhausted }: PluginResult & { kind: 'values' },
  wanted: AnswerWanted | null,
): ValuesAnswer {
  const order = ids.map((_, at) => at).sort((left, right) => (ids[left] as number) - (ids[right] as number));
  const { rows, total } = pageOf(isPartition, ids, values, order, wanted?.page ?? { kind: 'top', limit: 0 });
  const kept = wanted?.values === true;
  return {
    ...{ kind: 'values', isPartition, rows, total, vertexCount: ids.length },
    ...{ statistics, converged, iterations, budgetExhausted },
    values: kept
      ? {
          ids: Int32Array.from(order, (at) => ids[at] as number),
          values: Float64Array.from(order, (at) => values[at] as number),
        }
      : null,
  };
}

/** `order`: places by ascending id. */
function pageOf(
  isPartition: boolean,
  ids: readonly number[],
  values: readonly number[],
  order: readonly number[],
  page: RunQuery,
): { readonly rows: string; readonly total: number } {
  if (page.kind === 'members') {
    const members = order.filter((at) => values[at] === page.partitionId).map((at) => ids[at] as number);
    return { rows: JSON.stringify(members.slice(page.offset, page.offset + page.limit)), total: members.length };
  }
  if (isPartition) {
    const sizes = new Map<number, number>();
    for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
    const partitions = [...sizes].sort(([a, sizeA], [b, sizeB]) => sizeB - sizeA || a - b).slice(0, page.limit);
    return {
      rows: JSON.stringify(partitions.map(([partitionId, size]) => ({ partitionId, size }))),
      total: sizes.size,
    };
  }
  // What is no number comes last; ascending ids among equals, as they stand.
  const rank = (at: number): number => (Number.isNaN(values[at]) ? Number.NEGATIVE_INFINITY : (values[at] as number));
  const best = [...order].sort((left, right) => (rank(left) === rank(right) ? 0 : rank(left) < rank(right) ? 1 : -1));
  const rows = best.slice(0, page.limit).map((at) => ({ graphElementId: ids[at], score: values[at] }));
  return { rows: JSON.stringify(rows), total: ids.length };
}
