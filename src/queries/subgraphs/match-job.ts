// Matching as a job: the recipe's fragments become functions of the thread's instance, a kernel of the core matches (assembly/traverse/match.ts),
// and the answer is the set of elements as bits by id.

import {
  type MatchLimits,
  type MatchOutcome,
  type MatchStep,
  type MatchTest,
  matchInTurns,
  semanticTest,
} from '../../core/match.ts';
import type { ArenaTooSmall, CoreReader } from '../../core/reader.ts';
import type { JobControl, JobKind } from '../../engine/jobs/types.ts';
import { spans } from '../../telemetry/spans.ts';
import { type FragmentEnd, type FragmentRuntime, type JobFragment, withFragments } from '../fragments/runtime.ts';
import type { FragmentLimits } from '../fragments/spending.ts';
import type { Semantic } from '../paths/request.ts';
import { searchValues, setContext } from '../semantic.ts';

/** A test as the job gets it: a fragment, or a bound on the semantic score. */
export type JobTest =
  | { readonly fragment: JobFragment; readonly subject: MatchTest['subject'] }
  | { readonly minScore: number };

export interface MatchJobRequest {
  readonly graph: number;
  readonly tests: readonly JobTest[];
  /** Numbers of tests. */
  readonly vertexTest: number | null;
  readonly edgeTest: number | null;
  readonly pattern: { readonly firstTest: number | null; readonly steps: readonly MatchStep[] } | null;
  readonly semantic: Semantic | null;
  readonly limits: FragmentLimits;
  readonly matchLimits: MatchLimits;
}

export type Matched = MatchOutcome & { readonly ended: 'matched' | 'limit' };

export const matchJob: JobKind<MatchJobRequest, FragmentEnd<Matched>> = {
  name: 'subgraphMatch',
  span: spans.subgraph,
  isLong: true,
  isOpenEnded: true,
  arenaBytes: 2 ** 20,
  run: async (reader, request, control) => {
    const end = await withFragments(reader, control, request.limits, (runtime, interpret) =>
      match(reader, runtime, request, control, interpret),
    );
    // The kernel came back early: the job was told to stop.
    if (end.ended === 'value' && end.value === null) await control.slice();
    return end as FragmentEnd<Matched>;
  },
};

/** Null when the stop word ended the match. */
async function match(
  reader: CoreReader,
  runtime: FragmentRuntime,
  request: MatchJobRequest,
  control: JobControl,
  interpret: boolean,
): Promise<Matched | null | ArenaTooSmall> {
  const { graph, semantic } = request;
  reader.instance.exports.fragmentBegin(graph);
  if (!setContext(reader, semantic)) return reader.tooSmall();
  const context = searchValues(semantic);
  const tests: MatchTest[] = [];
  for (const test of request.tests) {
    if ('minScore' in test) {
      tests.push({ function: semanticTest, subject: 'element', bound: Math.fround(test.minScore), select: 0 });
      continue;
    }
    const installed = runtime.install(test.fragment, control, interpret, context);
    if (installed === null) return reader.tooSmall();
    tests.push({ function: installed.call, subject: test.subject, bound: 0, select: installed.select });
  }
  const { vertexTest, edgeTest, pattern, matchLimits } = request;
  const asked = { tests, vertexTest, edgeTest, pattern };
  const outcome = await matchInTurns(reader.instance, graph, asked, matchLimits, () => control.slice());
  if (outcome.ended === 'stopped') return null;
  return outcome.ended === 'full' ? reader.tooSmall() : outcome;
}
