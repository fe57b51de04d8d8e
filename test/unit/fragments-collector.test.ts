// The heap of a run and its collector (assembly/fragments/run-heap.ts, src/fragments/emit/control/collecting.ts): what is live stays,
// what is not comes back. With a collection at every place where one is possible, where what was given back is overwritten, everything
// answers as it does without. The debug build checks every object at every collection.

// @module-tag long

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { provideMachine } from '../../src/core/machine.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { bound, compiledResults, corpusGraph, interpretedResults, readable } from './support/fragment-corpus.ts';
import { askedInput, oracleAnswers } from './support/plugin-answers.ts';
import {
  boundPlugin,
  corpusPlugins,
  PluginHome,
  corpusGraph as pluginGraph,
  resultOf,
} from './support/plugin-corpus.ts';
import { pathReferences, references } from './support/plugin-references.ts';
import { moreReferences } from './support/plugin-references-more.ts';

interface Entry {
  readonly kind: DelegateKind;
  readonly fragment: string;
  readonly results: readonly string[];
  readonly refused?: string;
}

const corpus: readonly Entry[] = JSON.parse(readFileSync(at('test/fixtures/fragments/results.json'), 'utf8'));
const debug = 'dist/wasm/debug/core.shared.wasm';
/** Of the corpus each so-many-th is asked; COLLECTOR_WHOLE=1 asks all of it (`npm run soak:collector`). */
const step = process.env.COLLECTOR_WHOLE === '1' ? 1 : 4;

beforeAll(() => provideMachine(new WebAssembly.Module(readFileSync(at('dist/wasm/machine.plain.wasm')))));

/** Whether a module asks for collections. */
function collects(text: string, kind: DelegateKind): boolean {
  const emitted = emitFragment(bound(text, kind), true);
  if (!emitted.ok) throw new Error(emitted.reason);
  const { bytes } = emitted.fragment;
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes)).some(({ name }) => name === 'fragmentCollect');
}

describe('which modules collect', () => {
  it.each([
    ['return v => v.Label == "person";', false],
    // The block of elements that a filter is asked of is a loop.
    ['return v => { var n = new int[8]; n[0] = v.Id; return n[0] > 3; };', true],
    ['return v => { var sum = 0; for (var i = 0; i < 9; i++) sum += i; return sum > v.Id; };', false],
    ['return v => { var n = 0; for (var i = 0; i < 9; i++) n += new int[i].Length; return n > v.Id; };', true],
    ['return v => { int F(int n) => n == 0 ? 0 : new int[n].Length + F(n - 1); return F(9) > v.Id; };', true],
  ])('%s: %s', (text, expected) => {
    expect(collects(text, 'VertexFilter')).toBe(expected);
  });
});

describe.each([
  [debug, 'module'],
  ['dist/wasm/core.plain.wasm', 'module'],
  ['dist/wasm/core.plain.wasm', 'program'],
] as const)('a collection wherever one is possible, over %s as a %s', (wasm, how) => {
  it('the corpus answers what C# answers', () => {
    const graph = corpusGraph(wasm, undefined, true);
    const wrong: string[] = [];
    let collecting = 0;
    for (const [number, { kind, fragment, results, refused }] of corpus.entries()) {
      if (refused !== undefined || number % step !== 0) continue;
      const given = compiledResults(graph, bound(fragment, kind), undefined, how);
      if (!Array.isArray(given) || given.includes('!NotCompiled')) continue;
      if (collects(fragment, kind)) collecting++;
      const expected = results.map(readable);
      if (given.join('\u0000') === expected.join('\u0000')) continue;
      wrong.push(`${kind} ${fragment}\n  C#   ${expected.join(' | ')}\n  here ${given.join(' | ')}`);
    }
    expect(wrong.join('\n')).toBe('');
    expect(collecting).toBeGreaterThan(100 / step);
  });
});

describe('plugins with a collection wherever one is possible', () => {
  const home = new PluginHome(debug, pluginGraph, true);
  const paths = pathReferences(pluginGraph);
  const inputs = { ...references, ...moreReferences };

  it.each(corpusPlugins())('$name answers as interpreted', ({ name, source, contract }) => {
    const input = inputs[name]?.input ?? paths[name]?.input ?? askedInput(oracleAnswers[name]?.asked ?? []);
    const plugin = boundPlugin(source, contract);
    const compiled = home.compiled(plugin, input);
    if (typeof compiled === 'string') return;
    expect(resultOf(compiled)).toEqual(resultOf(home.interpreted(plugin, input)));
  });
});

describe('what is not needed any more comes back', () => {
  const graph = corpusGraph('dist/wasm/core.shared.wasm');
  const answers = (text: string, fuel = 2_000_000_000): string => {
    const given = compiledResults(graph, bound(text, 'VertexCost'), fuel);
    return Array.isArray(given) ? (given[0] as string) : `left: ${given.left}`;
  };

  // The memory of the core is bounded at 256 MiB; each of these allocates more.
  it.each([
    [
      'large arrays',
      'var n = 0L; for (var i = 0; i < 1000; i++) { var a = new long[100000]; a[i] = i; n += a[i]; } return n;',
      '499500',
    ],
    [
      'small objects',
      'var n = 0; for (var i = 0; i < 9000000; i++) { var t = Tuple.Create(i, "x"); n += t.Item1 & 1; } return n;',
      '4500000',
    ],
    [
      'lists that grow',
      'var n = 0; for (var i = 0; i < 3000; i++) { var l = new System.Collections.Generic.List<int>(); for (var j = 0; j < 10000; j++) l.Add(j); n += l.Count; } return n;',
      '30000000',
    ],
    [
      'tables',
      'var n = 0; for (var i = 0; i < 250; i++) { var d = new System.Collections.Generic.Dictionary<int, string>(); for (var j = 0; j < 9000; j++) d[j] = "v" + j; n += d.Count; } return n;',
      '2250000',
    ],
    [
      'texts',
      'var n = 0; for (var i = 0; i < 500; i++) { var s = ""; for (var j = 0; j < 1500; j++) s += "ab"; n += s.Length; } return n;',
      '1500000',
    ],
    [
      'a window of what is live',
      'var w = new System.Collections.Generic.List<int[]>(); for (var i = 0; i < 100; i++) w.Add(new int[25000]); var n = 0L; for (var i = 0; i < 4000; i++) { w[i % 100] = new int[25000]; w[i % 100][7] = i; n += w[(i + 50) % 100][7]; } return n;',
      String(windowSum()),
    ],
    [
      'a chain',
      'var keep = new System.Collections.Generic.List<object>(); object last = null; for (var i = 0; i < 3000000; i++) { last = Tuple.Create(i % 1000 == 0 ? null : last, i); if (i % 100000 == 0) keep.Add(last); } return keep.Count;',
      '30',
    ],
    [
      'by a function that calls itself',
      'int F(int n) => n == 0 ? 0 : new int[20000].Length + F(n - 1); var s = 0L; for (var i = 0; i < 100; i++) s += F(100); return s;',
      '200000000',
    ],
  ])('%s', (_what, body, expected) => {
    expect(answers(`return v => { ${body} };`)).toBe(expected);
  });

  it('what is live is too much', () => {
    const text =
      'return v => { var w = new System.Collections.Generic.List<long[]>(); for (var i = 0; i < 1000; i++) w.Add(new long[100000]); return w.Count; };';
    expect(answers(text)).toBe('!OutOfMemoryException');
  });

  it('calls that nest without an end', () => {
    const text = 'return v => { int F(int n) => new int[4].Length + F(n + 1); return F(0); };';
    expect(answers(text)).toBe('!InsufficientExecutionStackException');
  });

  it('answers what the interpreter answers', () => {
    const text = `return v => { var l = new System.Collections.Generic.List<string>(); var q = new System.Collections.Generic.Queue<int[]>(); for (var i = 0; i < 3000; i++) {
      q.Enqueue(new[] { i, i * i }); if (q.Count > 20) { var a = q.Dequeue(); l.Add((a[0] ^ a[1]).ToString()); }
      if (l.Count > 100) { l.Sort(); l.RemoveRange(0, 50); } } return l.Sum(x => x.Length) + l.Count; };`;
    const fragment = bound(text, 'VertexCost');
    const stressed = corpusGraph(debug, undefined, true);
    expect(compiledResults(stressed, fragment)).toEqual(interpretedResults(stressed, fragment));
  });
});

function windowSum(): number {
  const window = new Array<number>(100).fill(0);
  let sum = 0;
  for (let i = 0; i < 4000; i++) {
    window[i % 100] = i;
    sum += window[(i + 50) % 100] as number;
  }
  return sum;
}
