// The shape of a graph as a job: the core counts range by range (assembly/read/statistics.ts), the job makes lists and percentiles of it.

import type { CoreReader } from '../../core/reader.ts';
import { readStatistics, type StatisticsTotals } from '../../core/statistics.ts';
import { mostNameCharacters } from '../names.ts';
import type { DegreeSpread, GraphStatistics, NameTally, StatisticsOptions } from '../types.ts';
import type { JobKind } from './types.ts';

export type StatisticsRequest = StatisticsOptions & { readonly graph: number };

/** Some 300 µs. */
const sliceIds = 65_536;

export const statisticsJob: JobKind<StatisticsRequest, GraphStatistics> = {
  name: 'statistics',
  run: async (reader, { graph, elementBudget, topN }, control) => {
    const vertexCount = reader.vertexCount(graph);
    const edgeCount = reader.edgeCount(graph);
    const sampleStride = Math.max(1, Math.ceil((vertexCount + edgeCount) / elementBudget));
    await control.fitting(() => reader.beginStatistics(graph, sampleStride));
    const end = reader.nextId(graph);
    for (let from = 0; from < end; from += sliceIds) {
      reader.addStatistics(graph, from, Math.min(end, from + sliceIds));
      await control.slice();
    }
    const totals = readStatistics(reader.instance);
    return {
      vertexCount,
      edgeCount,
      vertexLabels: tally(reader, totals.vertexLabels, topN),
      edgeLabels: tally(reader, totals.edgeLabels, topN),
      propertyKeys: tally(reader, totals.keys, topN),
      inDegree: spread(totals, 0),
      outDegree: spread(totals, 1),
      totalDegree: spread(totals, 2),
      sampleStride,
    };
  },
};

/** `counts` by number of the name; the last entry counts what has none. */
function tally(reader: CoreReader, counts: Uint32Array, topN: number): NameTally {
  const none = counts.length - 1;
  const numbers: number[] = [];
  for (let number = 0; number < none; number++) if (counts[number] !== 0) numbers.push(number);
  const empty = numbers.find((number) => reader.nameBytes(number) === 0);
  const nameless = counts[none] as number;
  const countOf = (number: number): number =>
    (counts[number] as number) + (number === empty && number !== none ? nameless : 0);
  if (nameless > 0 && empty === undefined) numbers.push(none);
  numbers.sort((a, b) => countOf(b) - countOf(a));
  // Those that may be among the first by their names.
  const least = countOf(numbers[Math.min(topN, numbers.length) - 1] ?? none);
  const named = numbers
    .filter((number) => countOf(number) >= least)
    .map((number) => ({
      name: number === none ? '' : reader.nameStart(number, mostNameCharacters),
      count: countOf(number),
    }));
  named.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { top: named.slice(0, topN), distinctTotal: numbers.length };
}

function spread({ vertices, degrees }: StatisticsTotals, list: 0 | 1 | 2): DegreeSpread {
  const { sum, least, greatest, small, large } = degrees[list];
  if (vertices === 0) return { min: 0, max: 0, mean: 0, p50: 0, p90: 0, p99: 0 };
  const sorted = large.slice().sort();
  const percentile = (share: number): number => {
    let before = Math.ceil((share / 100) * vertices);
    for (let degree = 0; degree < small.length; degree++) {
      before -= small[degree] as number;
      if (before <= 0) return degree;
    }
    return sorted[before - 1] ?? greatest;
  };
  return {
    min: least,
    max: greatest,
    mean: sum / vertices,
    p50: percentile(50),
    p90: percentile(90),
    p99: percentile(99),
  };
}
