// Subgraphs that a registered plugin makes: what the plugin is called with, and what its answer means.

import type { CreateEdge, CreateVertex } from '../../core/requests.ts';
import type { HeldSource } from '../../engine/extracts/types.ts';
import type { GraphEngine } from '../../engine/types.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { CompiledPlugin } from '../plugins/compiler.ts';
import type { PatternCall, Slot, SubGraphCall } from '../plugins/path-call.ts';
import type { Plugins, PluginTerms } from '../plugins/plugins.ts';
import { callOverSource } from '../plugins/run-plugin.ts';
import { type MatchPlan, semanticOf } from './compile.ts';
import { type PatternStep, readTemplate, type Template } from './patterns.ts';
import type { Recipe } from './recipe.ts';
import { refusal, type SubgraphRefusal } from './refusal.ts';

export interface PluginPlan {
  readonly plugin: CompiledPlugin;
  readonly call: SubGraphCall;
}

/** What makes the graph, where the place of an element is its id. */
export interface MadeGraph {
  readonly contents: readonly (CreateVertex | CreateEdge)[];
  readonly elements: number;
}

/** Which elements of the source it has (null: all), or a graph of its own; and how many they are. */
export type Found =
  | (({ readonly bits: Uint8Array | null } | Pick<MadeGraph, 'contents'>) & { readonly elements: number })
  | SubgraphRefusal
  | 'changed';

/** `plugin`: what makes the graph where no pattern is matched. */
export type BuildPlan = MatchPlan & { readonly plugin: PluginPlan | null };

/** Of the enum Direction. */
const directions = { in: 0, out: 1, either: 2 } as const;

/** Of a recipe whose fragments compile; null: there is no such plugin that can run. Throws JobFailed. */
export async function planCall(
  graph: GraphEngine,
  plugins: Plugins,
  recipe: Recipe,
  caller: Caller,
): Promise<PluginPlan | null> {
  const found = await plugins.algorithm(graph, 'SubGraph', recipe.algorithm, caller);
  const template = readTemplate(recipe.template, recipe.semantic === null ? 'withoutSemantic' : 'withSemantic');
  if (found === null || 'flaw' in template) return null;
  return { plugin: found.compiled, call: callOf(recipe, template) };
}

function callOf(recipe: Recipe, template: Template): SubGraphCall {
  const { name, additionalInformation } = recipe;
  const semantic = semanticOf(recipe);
  const slot = (text: string | null): Slot => (text === null ? null : (template.texts[text] ?? null));
  const pattern = template.steps.map((step, at): PatternCall => {
    if (step.kind === 'vertex') {
      const vertexFilter = step.minScore === null ? slot(step.vertexFilter) : { minScore: step.minScore };
      return { kind: 'vertex', name: step.name, vertexFilter };
    }
    const isVariable = recipe.template.patterns?.[at]?.type?.trim().toLowerCase() === 'variablelengthedge';
    return { ...edgeCall(step, slot), kind: isVariable ? 'variable' : 'edge' };
  });
  return {
    ...{ name, additionalInformation, semantic, pattern },
    vertexFilter: semantic !== null && semantic.minScore !== null ? 'semantic' : slot(template.vertexFilter),
    edgeFilter: slot(template.edgeFilter),
  };
}

function edgeCall(step: PatternStep & { readonly kind: 'edge' }, slot: (text: string | null) => Slot) {
  const { name, minLength, maxLength } = step;
  return {
    ...{ name, minLength, maxLength, direction: directions[step.direction] },
    typeFilter: slot(step.edgePropertyFilter),
    edgeFilter: slot(step.edgeFilter),
  };
}

/** What the plugin made: a graph of its own, all of the source, or nothing. Throws JobFailed and CoreMemoryExhausted. */
export async function madeByPlugin(
  graph: GraphEngine,
  source: HeldSource,
  { plugin, call }: PluginPlan,
  terms: PluginTerms,
  caller: Caller,
): Promise<MadeGraph | { readonly bits: null; readonly elements: number } | SubgraphRefusal | 'changed'> {
  const end = await callOverSource(graph, source, plugin, terms, { subGraph: call }, caller);
  if (end === 'changed') return end;
  if (end === 'deadline') return refusal('limit', 'The plugin took too long.');
  switch (end.ended) {
    case 'limit':
      return refusal('limit', `The plugin spent all that ${end.limit} allows.`);
    case 'threw':
      return refusal('threw', 'The plugin failed.', `${end.exception}: ${end.message}`);
    case 'declined':
      return refusal('declined', 'The plugin answered false.');
    case 'value':
      if (end.value.kind === 'source') return { bits: null, elements: source.vertexCount + source.edgeCount };
      if (end.value.kind === 'graph') return { contents: end.value.contents, elements: end.value.contents.length };
      return refusal('declined', 'The plugin answered no graph.');
  }
}
