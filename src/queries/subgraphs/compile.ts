// From a recipe to what the matching job is given: its fragments compiled, each text once however many steps share it, and its steps as
// numbers of tests.

import type { MatchStep } from '../../core/match.ts';
import type { JobModule } from '../../engine/jobs/types.ts';
import { tooLongTogether } from '../../fragments/limits.ts';
import type { FragmentCompiler, FragmentTexts } from '../fragments/compiler.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { JobFragment } from '../fragments/runtime.ts';
import type { Semantic } from '../paths/request.ts';
import type { JobTest, MatchJobRequest } from './match-job.ts';
import { type PatternStep, readTemplate, type Template } from './patterns.ts';
import type { Recipe } from './recipe.ts';

/** Different fragments in one recipe: all are installed in a thread's table at the same time. */
const mostFragments = 512;

export interface MatchPlan {
  readonly ok: true;
  readonly plan: Pick<MatchJobRequest, 'tests' | 'vertexTest' | 'edgeTest' | 'pattern' | 'semantic'>;
  readonly modules: readonly JobModule[];
  /** Every element belongs to it: there is nothing to match. */
  readonly takesAll: boolean;
}

export type PlanOutcome = MatchPlan | { readonly ok: false; readonly detail: string };

type VertexStep = Extract<PatternStep, { kind: 'vertex' }>;
type EdgeStep = Extract<PatternStep, { kind: 'edge' }>;

/** The tests of a template, numbered as they come, equal ones once. */
class Tests {
  readonly all: ({ readonly slot: string } | { readonly minScore: number })[] = [];
  /** What is to be compiled: of equal fragments the first. */
  readonly texts: Record<string, FragmentTexts[string]> = {};
  private readonly given: FragmentTexts;
  private readonly numbers = new Map<string, number>();

  constructor(given: FragmentTexts) {
    this.given = given;
  }

  fragment(slot: string | null): number | null {
    if (slot === null) return null;
    const { kind, text } = this.given[slot] as FragmentTexts[string];
    const key = `${kind}:${text}`;
    if (!this.numbers.has(key)) this.texts[slot] = { kind, text };
    return this.number(key, { slot });
  }

  score(minScore: number | null): number | null {
    return minScore === null ? null : this.number(`score:${minScore}`, { minScore });
  }

  private number(key: string, test: Tests['all'][number]): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.all.length);
    return this.all.push(test) - 1;
  }
}

/** Of equal fragments the first, whatever slot they stand in. */
export function distinctTexts(texts: FragmentTexts): FragmentTexts {
  const first = new Map<string, readonly [slot: string, FragmentTexts[string]]>();
  for (const [slot, { kind, text }] of Object.entries(texts)) {
    const key = `${kind}:${text}`;
    if (!first.has(key)) first.set(key, [slot, { kind, text }]);
  }
  return Object.fromEntries(first.values());
}

/** Why the fragments of one template are too many or too long together to be compiled; null when they are not. */
export function templateFlaw(texts: FragmentTexts): string | null {
  if (Object.keys(distinctTexts(texts)).length > mostFragments) {
    return `A subgraph takes at most ${mostFragments} different fragments.`;
  }
  return tooLongTogether(Object.values(texts).map(({ text }) => text));
}

/** Throws JobFailed. */
export async function planMatch(recipe: Recipe, compiler: FragmentCompiler, caller: Caller): Promise<PlanOutcome> {
  const template = readTemplate(recipe.template, recipe.semantic === null ? 'withoutSemantic' : 'withSemantic');
  if ('flaw' in template) return { ok: false, detail: template.flaw };
  const flaw = templateFlaw(template.texts);
  if (flaw !== null) return { ok: false, detail: `A subgraph filter does not compile.\n${flaw}` };
  const tests = new Tests(template.texts);
  const vertexTest = tests.score(recipe.semantic?.minScore ?? null) ?? tests.fragment(template.vertexFilter);
  const edgeTest = tests.fragment(template.edgeFilter);
  const pattern = template.steps.length === 0 ? null : planPattern(template, tests);
  const compiled = await compiler.compile(tests.texts, caller);
  if (!compiled.ok) {
    return { ok: false, detail: `A subgraph filter does not compile.\n${compiled.errors.join('\n')}` };
  }
  const { fragments, modules } = compiled.set;
  const jobTests = tests.all.map((test): JobTest => {
    if ('minScore' in test) return test;
    const fragment = fragments.get(test.slot) as JobFragment;
    return { fragment, subject: fragment.kind === 'EdgePropertyFilter' ? 'edgeType' : 'element' };
  });
  const plan = { tests: jobTests, vertexTest, edgeTest, pattern, semantic: semanticOf(recipe) };
  return { ok: true, plan, modules, takesAll: vertexTest === null && edgeTest === null && pattern === null };
}

function planPattern({ steps }: Template, tests: Tests): MatchJobRequest['pattern'] {
  const vertexTest = (step: VertexStep): number | null =>
    tests.score(step.minScore) ?? tests.fragment(step.vertexFilter);
  const [first, ...others] = steps;
  // A leading edge step has any vertex before it.
  const rest = first?.kind === 'vertex' ? others : steps;
  const firstTest = first?.kind === 'vertex' ? vertexTest(first) : null;
  const planned: MatchStep[] = [];
  for (let i = 0; i < rest.length; i += 2) {
    const [edge, vertex] = [rest[i] as EdgeStep, rest[i + 1] as VertexStep];
    planned.push({
      direction: edge.direction,
      typeTest: tests.fragment(edge.edgePropertyFilter),
      edgeTest: tests.fragment(edge.edgeFilter),
      vertexTest: vertexTest(vertex),
      leastHops: edge.minLength,
      mostHops: edge.maxLength,
    });
  }
  return { firstTest, steps: planned };
}

export function semanticOf({ semantic }: Recipe): Semantic | null {
  if (semantic === null) return null;
  const { embeddingName, metric, minScore } = semantic;
  const queryVector = Float32Array.from(semantic.queryVector);
  return { queryVector, embeddingName, metric, minScore, costBySimilarity: false };
}
