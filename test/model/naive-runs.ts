// Whole-graph runs, statistics, the generator and the benchmark over the naive graph. A run that writes back goes through ordinary writes.

import { Kernel, View } from '../../src/core/analytics.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import type { AnalyticsRun, RunAnswer, RunResult } from '../../src/engine/analytics/types.ts';
import type {
  DegreeSpread,
  Generation,
  GraphStatistics,
  NameTally,
  StatisticsOptions,
  WriteOutcome,
} from '../../src/engine/types.ts';
import {
  type Direction,
  naiveComponents,
  naiveDegrees,
  naiveLabelPropagation,
  naivePageRank,
  naiveTriangles,
  type PlainScope,
  scopeOf,
} from './naive-analytics.ts';
import {
  naiveBetweenness,
  naiveCloseness,
  naiveClustering,
  naiveCores,
  naiveDirectedClustering,
  naiveDistances,
  naiveLevels,
  naiveModularity,
  naiveSample,
  naiveStrongComponents,
} from './naive-analytics-more.ts';
import type { NaiveElement } from './naive-graph.ts';
import { naiveLouvain } from './naive-louvain.ts';
import { formatValue } from './naive-values.ts';

interface NaiveRun {
  readonly values: readonly number[];
  readonly iterations?: number;
  readonly converged?: boolean;
  readonly sum?: number;
}

const directionOf: Readonly<Record<number, Direction>> = { [View.out]: 'out', [View.in]: 'in', [View.both]: 'both' };
const partitions: readonly Kernel[] = [Kernel.wcc, Kernel.labelPropagation, Kernel.louvain, Kernel.scc];
const distinct = (values: readonly number[]): number => new Set(values).size;

function valuesOf(run: AnalyticsRun, scope: PlainScope): NaiveRun {
  const direction = directionOf[run.scope.view] ?? 'both';
  const sample = (): number[] => naiveSample(scope.ids.length, run.samples, run.seed);
  switch (run.kernel) {
    case Kernel.pageRank: {
      const flow = ({ out: 'in', in: 'out', both: 'both' } as const)[direction];
      return naivePageRank(scope, flow, run.damping, run.epsilon, run.maxIterations);
    }
    case Kernel.labelPropagation:
      return naiveLabelPropagation(scope, direction, run.maxIterations);
    case Kernel.degree:
      return { values: naiveDegrees(scope, direction) };
    case Kernel.triangleCount: {
      const values = naiveTriangles(scope);
      return { values, sum: values.reduce((sum, count) => sum + count, 0) / 3 };
    }
    case Kernel.wcc: {
      const values = naiveComponents(scope);
      return { values, sum: distinct(values) };
    }
    case Kernel.scc: {
      const values = naiveStrongComponents(scope);
      return { values, sum: distinct(values) };
    }
    case Kernel.louvain: {
      const values = naiveLouvain(scope, run.damping);
      return { values, sum: naiveModularity(scope, values, run.damping) };
    }
    case Kernel.kCore:
      return { values: naiveCores(scope) };
    case Kernel.clusteringCoefficient:
      return { values: naiveClustering(scope) };
    case Kernel.directedClustering:
      return { values: naiveDirectedClustering(scope) };
    case Kernel.betweenness:
      return { values: naiveBetweenness(scope, direction, sample()) };
    case Kernel.closeness:
      return { values: naiveCloseness(scope, direction, sample()) };
    case Kernel.bfs:
      return { values: naiveLevels(scope, direction, run.source ?? 0) };
    case Kernel.sssp:
      return { values: naiveDistances(scope, direction, run.source ?? 0) };
  }
}

function weightOf(edge: NaiveElement, key: string | null): number | null {
  const value = key === null ? undefined : edge.properties.get(key);
  return value === undefined ? null : Number(formatValue(value, 'bulk'));
}

export function naiveRun(
  run: AnalyticsRun,
  vertices: readonly NaiveElement[],
  edges: readonly NaiveElement[],
  write: (operations: readonly WriteOperation[]) => WriteOutcome,
): RunAnswer {
  const plain = {
    vertices,
    edges: edges.flatMap(({ id, edge, ...rest }) =>
      edge === null
        ? []
        : [
            {
              id,
              source: edge.source,
              target: edge.target,
              type: edge.edgeType,
              weight: weightOf({ id, edge, ...rest }, run.scope.weightKey ?? null),
            },
          ],
    ),
  };
  const scope = scopeOf(plain, run.scope.label, run.scope.edgeType);
  const count = scope.ids.length;
  if (count > 0 && run.source !== null && !scope.ids.includes(run.source)) return { ok: false, reason: 'source' };
  const { edgeType } = run.scope;
  const heavy = plain.edges.find(
    ({ weight, type }) =>
      (edgeType === null || type === edgeType) &&
      weight !== null &&
      !(weight >= 0 && weight < Number.POSITIVE_INFINITY),
  );
  if (heavy) {
    return { ok: false, reason: 'weight', edge: heavy.id, flaw: Number.isNaN(heavy.weight) ? 'type' : 'value' };
  }
  const { values, iterations = 1, converged = true, sum = 0 } = count === 0 ? { values: [] } : valuesOf(run, scope);
  if (!Number.isFinite(sum)) return { ok: false, reason: 'weightSum' };
  const { writeBack } = run;
  if (writeBack !== null && count > 0) {
    const { key, type } = writeBack;
    write(
      scope.ids.map((element, i) =>
        Number.isNaN(values[i])
          ? { kind: 'removeProperty', element, key }
          : { kind: 'setProperty', element, key, type, text: `${values[i]}` },
      ),
    );
  }
  const scored = values.filter((value) => !Number.isNaN(value));
  const result: Omit<RunResult, 'rows' | 'total'> = {
    vertexCount: count,
    iterations: count === 0 ? 0 : iterations,
    converged,
    budgetExhausted: false,
    sum,
    least: scored.length === 0 ? 0 : Math.min(...scored),
    greatest: scored.length === 0 ? 0 : Math.max(...scored),
    mean: scored.length === 0 ? 0 : scored.reduce((all, value) => all + value, 0) / scored.length,
    bytes: 0,
    writtenBack: writeBack && { verticesWritten: scored.length, chunks: Math.ceil(count / 50_000) },
  };
  const { rows, total } = rowsOf(run, scope.ids, values);
  return { ok: true, ...result, total, rows: new TextEncoder().encode(JSON.stringify(rows)) };
}

function rowsOf(
  { kernel, query }: AnalyticsRun,
  ids: readonly number[],
  values: readonly number[],
): { rows: unknown[]; total: number } {
  if (query.kind === 'members') {
    const members = ids.filter((_, i) => values[i] === query.partitionId);
    return { rows: members.slice(query.offset, query.offset + query.limit), total: members.length };
  }
  if (partitions.includes(kernel)) {
    const sizes = new Map<number, number>();
    for (const name of values) sizes.set(name, (sizes.get(name) ?? 0) + 1);
    const rows = [...sizes].map(([partitionId, size]) => ({ partitionId, size }));
    rows.sort((a, b) => b.size - a.size || a.partitionId - b.partitionId);
    return { rows: rows.slice(0, query.limit), total: rows.length };
  }
  const rows = ids
    .map((graphElementId, i) => ({ graphElementId, score: values[i] as number }))
    .filter(({ score }) => !Number.isNaN(score));
  rows.sort((a, b) => b.score - a.score || a.graphElementId - b.graphElementId);
  return { rows: rows.slice(0, query.limit), total: rows.length };
}

export function naiveStatistics(
  vertices: readonly NaiveElement[],
  edges: readonly NaiveElement[],
  { elementBudget, topN }: StatisticsOptions,
): GraphStatistics {
  const sampleStride = Math.max(1, Math.ceil((vertices.length + edges.length) / elementBudget));
  const sampled = [...vertices, ...edges].filter((_, i) => i % sampleStride === 0);
  const [some, others] = [sampled.filter(({ edge }) => edge === null), sampled.filter(({ edge }) => edge !== null)];
  const degree = (id: number, end: 'source' | 'target'): number =>
    edges.filter(({ edge }) => edge?.[end] === id).length;
  const ins = some.map(({ id }) => degree(id, 'target'));
  const outs = some.map(({ id }) => degree(id, 'source'));
  return {
    vertexCount: vertices.length,
    edgeCount: edges.length,
    vertexLabels: tally(
      some.map(({ label }) => label ?? ''),
      topN,
    ),
    edgeLabels: tally(
      others.map(({ label }) => label ?? ''),
      topN,
    ),
    propertyKeys: tally(
      sampled.flatMap(({ properties }) => [...properties.keys()]),
      topN,
    ),
    inDegree: spread(ins),
    outDegree: spread(outs),
    totalDegree: spread(ins.map((count, i) => count + (outs[i] as number))),
    sampleStride,
  };
}

function tally(names: readonly string[], topN: number): NameTally {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].map(([name, count]) => ({ name, count }));
  all.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { top: all.slice(0, topN), distinctTotal: all.length };
}

function spread(values: readonly number[]): DegreeSpread {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  const at = (share: number): number => sorted[Math.ceil((share / 100) * n) - 1] ?? 0;
  const mean = n === 0 ? 0 : sorted.reduce((sum, value) => sum + value, 0) / n;
  return { min: sorted[0] ?? 0, max: sorted[n - 1] ?? 0, mean, p50: at(50), p90: at(90), p99: at(99) };
}

/** Pairs of indexes of the new vertices; not at random, which the contract leaves open. */
export function naiveLinks({ vertices, edges, distribution }: Generation): [source: number, target: number][] {
  return Array.from({ length: vertices }, (_, source) => {
    const count = Math.min(edges, distribution === 'uniform' ? vertices : source);
    return Array.from({ length: count }, (_none, target): [number, number] => [source, target]);
  }).flat();
}
