// From a path request to its answer: the order of checks is the contract's, and so is what each refusal is called by the route.

import { JobFailed, resultOf } from '../../engine/jobs/failure.ts';
import type { JobModule } from '../../engine/jobs/types.ts';
import { pathAlgorithms } from '../../engine/plugin-names.ts';
import type { GraphEngine } from '../../engine/types.ts';
import type { CompiledSet, FragmentCompiler, SetOutcome } from '../fragments/compiler.ts';
import type { Caller } from '../fragments/compilers.ts';
import { type FragmentLimits, ownBudget } from '../fragments/spending.ts';
import type { CompiledPlugin } from '../plugins/compiler.ts';
import type { PluginTerms } from '../plugins/plugins.ts';
import { type FoundPaths, type PathJobRequest, pathJob, type Slot } from './path-job.ts';
import {
  givenTexts,
  type PathAlgorithm,
  type PathTexts,
  readSemantic,
  type Semantic,
  type SemanticBody,
  semanticConflict,
} from './request.ts';

export interface PathQuery {
  readonly from: number;
  readonly to: number;
  readonly algorithm: string;
  readonly maxDepth: number;
  readonly maxResults: number;
  readonly maxWeight: number;
  readonly texts: PathTexts;
  /** Of these texts, when they are compiled already. */
  readonly compiled: CompiledSet | null;
  readonly semantic: SemanticBody | null;
  /** Null: none. */
  readonly timeoutMs: number | null;
  readonly caller: Caller;
  /** Of that name; null: there is none that can run. */
  readonly plugin: PathPlugin | null;
}

export interface PathPlugin {
  readonly compiled: CompiledPlugin;
  readonly limits: PluginTerms;
}

export type PathAnswer =
  | ({ readonly ok: true } & FoundPaths)
  | {
      readonly ok: false;
      readonly failure: 'invalid' | 'notCompiled' | 'threw' | 'limit' | 'deadline';
      readonly detail: string;
      /** For the log. */
      readonly cause?: string;
    };

const budgetUsedUp = { ok: false, failure: 'deadline', detail: 'The time budget is used up.' } as const;
const noPaths = {
  ok: true,
  json: new TextEncoder().encode('[]') as Uint8Array,
  clampedCost: false,
  cutByDepth: false,
} as const;

export async function runPath(
  graph: GraphEngine,
  compiler: FragmentCompiler,
  limits: FragmentLimits,
  query: PathQuery,
): Promise<PathAnswer> {
  if (query.maxDepth === 0) return noPaths;
  const endsAtMs = query.timeoutMs === null ? Number.POSITIVE_INFINITY : performance.now() + query.timeoutMs;
  const compiled = await compiledFor(compiler, query);
  if (compiled === 'late') return budgetUsedUp;
  if (!compiled.ok) {
    const detail = `A path filter or cost does not compile.\n${compiled.errors.join('\n')}`;
    return { ok: false, failure: 'notCompiled', detail };
  }
  const semantic = query.semantic === null ? null : readSemantic(query.semantic);
  if (semantic !== null && 'flaw' in semantic) return { ok: false, failure: 'invalid', detail: semantic.flaw };
  const conflict = semantic === null ? null : semanticConflict(semantic, query.texts, query.algorithm);
  if (conflict !== null) return { ok: false, failure: 'invalid', detail: conflict };
  const algorithm = pathAlgorithms.find((name) => name === query.algorithm);
  if (query.maxResults === 0) return noPaths;
  if (algorithm === undefined) {
    const remainingMs = Number.isFinite(endsAtMs) ? Math.max(0, endsAtMs - performance.now()) : undefined;
    return query.plugin === null ? noPaths : callPathPlugin(graph, query, query.plugin, semantic, remainingMs);
  }
  const request = jobRequest(query, algorithm, semantic, compiled.set.fragments, limits);
  return search(graph, request, compiled.set.modules, query, endsAtMs);
}

/** `late`: the time budget is used up before there is anything to run. */
async function compiledFor(
  compiler: FragmentCompiler,
  { compiled: set, texts, timeoutMs, caller }: PathQuery,
): Promise<SetOutcome | 'late'> {
  if (set !== null) return { ok: true, set };
  try {
    return await compiler.compile(givenTexts(texts), { ...caller, timeoutMs: timeoutMs ?? undefined });
  } catch (error) {
    if (error instanceof JobFailed && error.reason === 'deadline') return 'late';
    throw error;
  }
}

/** The plugin calls the filters and costs itself. A vertex cost of the semantic block needs DIJKSTRA, so there is none here. */
async function callPathPlugin(
  graph: GraphEngine,
  query: PathQuery,
  { compiled, limits }: PathPlugin,
  semantic: Semantic | null,
  timeoutMs: number | undefined,
): Promise<PathAnswer> {
  const { from, to, maxDepth, maxResults, maxWeight, texts, caller } = query;
  const given = givenTexts(texts);
  const path = {
    ...{ from, to, maxDepth, maxResults, maxWeight, semantic },
    vertexFilter:
      semantic !== null && semantic.minScore !== null ? ('semantic' as const) : (given.vertexFilter ?? null),
    edgeFilter: given.edgeFilter ?? null,
    typeFilter: given.edgePropertyFilter ?? null,
    vertexCost: texts.vertexCost === undefined ? ('one' as const) : (given.vertexCost ?? null),
    edgeCost: texts.edgeCost === undefined ? ('one' as const) : (given.edgeCost ?? null),
  };
  const { callPlugin } = await import('../plugins/run-plugin.ts');
  const end = await callPlugin(graph, compiled, limits, { path }, { caller, timeoutMs });
  if (end === 'deadline') return budgetUsedUp;
  switch (end.ended) {
    case 'value':
      return end.value.kind === 'json' ? { ...noPaths, json: end.value.json } : noPaths;
    case 'declined':
      return noPaths;
    case 'limit':
      return { ok: false, failure: 'limit', detail: `The plugin spent all that ${end.limit} allows.` };
    case 'threw': {
      const detail = `The search from ${from} to ${to} failed.`;
      return { ok: false, failure: 'threw', detail, cause: end.exception };
    }
  }
}

type Fragments = ReadonlyMap<string, Slot & object>;

function jobRequest(
  query: PathQuery,
  algorithm: PathAlgorithm,
  semantic: Semantic | null,
  fragments: Fragments,
  limits: FragmentLimits,
): Omit<PathJobRequest, 'graph'> {
  const { texts } = query;
  const slot = (name: string): Slot => fragments.get(name) ?? null;
  const filters = semantic !== null && (semantic.minScore !== null || semantic.costBySimilarity);
  const weighs = semantic?.costBySimilarity === true;
  return {
    from: query.from,
    to: query.to,
    algorithm,
    maxDepth: query.maxDepth,
    maxResults: query.maxResults,
    maxWeight: query.maxWeight,
    vertexFilter: filters ? 'semantic' : slot('vertexFilter'),
    edgeFilter: slot('edgeFilter'),
    typeFilter: slot('edgePropertyFilter'),
    // An omitted cost inside a cost block is a constant 1.
    vertexCost: weighs ? 'semantic' : texts.vertexCost === undefined ? 'one' : slot('vertexCost'),
    edgeCost: texts.edgeCost === undefined ? 'one' : slot('edgeCost'),
    semantic,
    limits,
  };
}

async function search(
  graph: GraphEngine,
  request: Omit<PathJobRequest, 'graph'>,
  modules: readonly JobModule[],
  query: PathQuery,
  endsAtMs: number,
): Promise<PathAnswer> {
  const outcome = await graph.runJob(pathJob, request, {
    signal: query.caller.signal,
    timeoutMs: query.timeoutMs === null ? undefined : Math.max(0, endsAtMs - performance.now()),
    modules,
  });
  if (!outcome.ok && outcome.reason === 'deadline') return budgetUsedUp;
  const end = resultOf(outcome);
  if (end.ended === 'limit' && end.limit === ownBudget) return budgetUsedUp;
  if (end.ended === 'value') return { ok: true, ...end.value };
  if (end.ended === 'limit')
    return { ok: false, failure: 'limit', detail: `The search spent all that ${end.limit} allows.` };
  const detail = `The search from ${query.from} to ${query.to} failed.`;
  return { ok: false, failure: 'threw', detail, cause: end.exception };
}
