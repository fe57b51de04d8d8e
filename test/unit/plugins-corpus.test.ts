// A corpus of whole plugins over one graph: each is compiled, each answers what the interpreter answers, what the real compiler and runtime
// answer (scripts/plugin-oracle), and what a program of another kind finds. Both builds of the core: the debug build watches every store.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import type { FoundPath, PluginResult } from '../../src/fragments/engine-reader.ts';
import { type PluginResult as Compiled, compileInSteps } from '../../src/queries/fragments/compile-task.ts';
import { askedInput, graphLines, oracleAnswers, printed, rounded } from './support/plugin-answers.ts';
import {
  boundPlugin,
  type CorpusPlugin,
  corpusGraph,
  corpusPlugins,
  PluginHome,
  resultOf,
} from './support/plugin-corpus.ts';
import { references as first, pathReferences } from './support/plugin-references.ts';
import { moreReferences } from './support/plugin-references-more.ts';

const references = { ...first, ...moreReferences };
const plugins = corpusPlugins();
const paths = pathReferences(corpusGraph);

/** Values by ascending id; numbers are rounded, as sums are made in another order. */
function normal(result: PluginResult): PluginResult {
  if (result.kind !== 'values') return result;
  const order = result.ids.map((_, at) => at).sort((a, b) => (result.ids[a] as number) - (result.ids[b] as number));
  return {
    ...result,
    ids: order.map((at) => result.ids[at] as number),
    values: order.map((at) => Number((result.values[at] as number).toFixed(9))),
  };
}

/** The steps are edges of the graph, one behind the other. */
function expectPath(path: FoundPath, from: number, to: number): void {
  let vertex = from;
  for (const { source, target, edge, direction } of path.steps) {
    const known = corpusGraph.edges.find(({ id }) => id === edge);
    expect(direction === 1 ? [known?.source, known?.target] : [known?.target, known?.source]).toEqual([source, target]);
    expect(source).toBe(vertex);
    vertex = target;
  }
  expect(vertex).toBe(to);
}

const answerOf = ({ name }: CorpusPlugin): string => oracleAnswers[name]?.answer ?? '';
/** What the real compiler at hand, which knows C# 7, can say nothing of. */
const isNewer = (answer: string): boolean => answer.startsWith('error CS');
/** Which only the interpreter runs. */
const isOfGraphs = ({ contract }: CorpusPlugin): boolean => contract === 'SubGraph';
const inputOf = ({ name }: CorpusPlugin) =>
  references[name]?.input ?? paths[name]?.input ?? askedInput(oracleAnswers[name]?.asked ?? []);

it('there are sixty, each with an answer, most of them of the real compiler over this graph', () => {
  expect(plugins.length).toBeGreaterThanOrEqual(60);
  expect(Object.keys(oracleAnswers).sort()).toEqual(plugins.map(({ name }) => name).sort());
  expect(plugins.filter((plugin) => isNewer(answerOf(plugin))).length).toBeLessThanOrEqual(6);
  expect(graphLines()).toBe(readFileSync(at('test/fixtures/plugins/graph.tsv'), 'utf8'));
});

describe.each(['dist/wasm/core.shared.wasm', 'dist/wasm/debug/core.shared.wasm'])('over %s', (wasm) => {
  const home = new PluginHome(wasm);

  it.each(plugins.filter(isOfGraphs))('$name makes the same graph', (plugin) => {
    const bound = boundPlugin(plugin.source, plugin.contract);
    expect(home.compiled(bound, inputOf(plugin))).toMatch(/is left to the interpreter/);
    expect(printed(resultOf(home.interpreted(bound, inputOf(plugin))))).toBe(answerOf(plugin));
  });

  it.each(plugins.filter((plugin) => !isOfGraphs(plugin)))(
    '$name answers the same compiled and interpreted',
    (plugin) => {
      const bound = boundPlugin(plugin.source, plugin.contract);
      const compiled = resultOf(home.compiled(bound, inputOf(plugin)));
      expect(compiled).toEqual(resultOf(home.interpreted(bound, inputOf(plugin))));
      const answer = answerOf(plugin);
      if (!isNewer(answer)) expect(rounded(printed(compiled))).toBe(rounded(answer));
      const reference = references[plugin.name];
      if (reference !== undefined) expect(normal(compiled)).toEqual(normal(reference.expected(corpusGraph)));
      const path = paths[plugin.name];
      if (isNewer(answer)) expect(reference ?? path).toBeDefined();
      if (path === undefined) return;
      const weight = path.weight(corpusGraph);
      if (weight === null) expect(compiled.kind).toBe('declined');
      else if (compiled.kind !== 'paths') expect(compiled).toBe('paths');
      else {
        expect(compiled.paths[0]?.weight).toBeCloseTo(weight, 9);
        expectPath(compiled.paths[0] as FoundPath, path.input.path?.from ?? 0, path.input.path?.to ?? 0);
      }
    },
  );
});

it('a wrong answer would be seen', () => {
  const expected = references.HeaviestEdges?.expected(corpusGraph) as PluginResult;
  const other = {
    ...corpusGraph,
    edges: corpusGraph.edges.slice(1).map((edge) => ({ ...edge, weight: 20 - edge.weight })),
  };
  expect(normal(references.HeaviestEdges?.expected(other) as PluginResult)).not.toEqual(normal(expected));
});

it.each([true, false])('a compiler hands out a module where it may compile: %s', (emits) => {
  const [{ source, contract }] = plugins as [CorpusPlugin];
  const steps = compileInSteps({ kind: 'plugin', source, contract, shared: true, emits });
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { errors, module } = step.value as Compiled;
  expect([errors, module !== null]).toEqual([[], emits]);
});
