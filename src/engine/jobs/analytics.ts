// Analytics as jobs: members of a run or of the building of a projection, and what a finished run came to.

import {
  type Job,
  largestPartitions,
  partitionMembers,
  ResultType,
  Run,
  runJob,
  runOutcome,
  scoreStatistics,
  topScores,
} from '../../core/analytics.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import { ArenaTooSmall, type CoreReader } from '../../core/reader.ts';
import type { SliceLength } from '../../core/slices.ts';
import type { RunQuery } from '../analytics/types.ts';
import type { JobControl, JobKind } from './types.ts';

export interface MemberRequest {
  readonly job: Job;
  /** Whether jobs take turns on one thread. */
  readonly takesTurns: boolean;
}

/** Where jobs take turns, one ends with the chunk that made it this long: a chunk may be 4,096 vertices, or a search through the whole graph. */
const turn: SliceLength = { ms: 1, steps: 1 };

/** Takes part until the run is over or told to stop, and answers which; a run that was stopped keeps its complete rounds. */
export const analyticsMemberJob: JobKind<MemberRequest, Run> = {
  name: 'analyticsMember',
  isLong: true,
  isOpenEnded: true,
  givesWay: true,
  arenaBytes: 64 * 1024,
  run: async (reader, { job, takesTurns }, control) => {
    const member = control.gang?.index ?? 0;
    let slice = control.slices(turn);
    while (true) {
      const answer = runJob(reader.instance, job, member, reader.slot, takesTurns ? 1 : 0);
      if (answer !== Run.more) return answer;
      if (takesTurns && !slice.isOver()) continue;
      await control.slice();
      slice = control.slices(turn);
    }
  },
};

/** The same where all of it takes some ten milliseconds: it may have every thread. */
export const analyticsShortJob: JobKind<MemberRequest, Run> = {
  ...analyticsMemberJob,
  name: 'analyticsShort',
  isLong: false,
  isOpenEnded: false,
};

export interface ResultRequest {
  readonly job: Job;
  readonly query: RunQuery;
  readonly wantsStatistics: boolean;
}

export interface ResultPage {
  readonly iterations: number;
  readonly converged: boolean;
  readonly sum: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly total: number;
  readonly rows: Uint8Array;
}

/** Reads the values of a run that nobody is at work on any more. Some ns a vertex. */
export const analyticsResultJob: JobKind<ResultRequest, ResultPage> = {
  name: 'analyticsResult',
  run: async (reader, { job, query, wantsStatistics }, control) => {
    const { instance } = reader;
    const { type, iterations, converged, sum } = runOutcome(instance, job);
    const { min, max, mean } = wantsStatistics ? scoreStatistics(instance, job) : { min: 0, max: 0, mean: 0 };
    const { total, text } = await rows(reader, control, () => rowsOf(reader, job, query, type));
    const bytes = new TextEncoder().encode(text);
    return { iterations, converged, sum, least: min, greatest: max, mean, total, rows: bytes };
  },
};

function rows<T>(reader: CoreReader, control: JobControl, read: () => T): Promise<T> {
  return control.fitting(() => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CoreMemoryExhausted) || !Number.isFinite(reader.arenaBytes)) throw error;
      return new ArenaTooSmall(Math.max(reader.instance.exports.arenaNeed() >>> 0, 2 * reader.arenaBytes));
    }
  });
}

function rowsOf(
  { instance }: CoreReader,
  job: Job,
  query: RunQuery,
  type: ResultType,
): { readonly total: number; readonly text: string } {
  if (query.kind === 'members') {
    const { ids, total } = partitionMembers(instance, job, query.partitionId, query.offset, query.limit);
    return { total, text: `[${ids.join(',')}]` };
  }
  const isPartition = type === ResultType.partition;
  const { ids, scores, total } = (isPartition ? largestPartitions : topScores)(instance, job, query.limit);
  const [id, score] = isPartition ? ['partitionId', 'size'] : ['graphElementId', 'score'];
  const parts = Array.from(ids, (value, i) => `{"${id}":${value},"${score}":${JSON.stringify(scores[i])}}`);
  return { total, text: `[${parts.join(',')}]` };
}
