// Random fragments whose queries leave the place where they are made, in both back ends. FRAGMENT_SEED repeats a run, FRAGMENT_QUERIES sets
// how many.

import { describe, expect, it } from 'vitest';
import { compileDiagnostics } from '../../src/fragments/compile.ts';
import { bound, compiledResults, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';
import { randomQueries } from './support/fragment-queries.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const count = Number(process.env.FRAGMENT_QUERIES ?? 120);

it(`has queries agree with themselves: FRAGMENT_SEED=${seed}`, () => {
  const graph = corpusGraph('dist/wasm/core.shared.wasm');
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % bound;
  };
  const wrong: string[] = [];
  let asked = 0;
  for (let made = 0; made < count; made++) {
    const text = randomQueries(below);
    if (compileDiagnostics(text, 'VertexFilter').some(({ severity }) => severity === 'error')) continue;
    asked++;
    const fragment = bound(text, 'VertexFilter');
    const given = compiledResults(graph, fragment);
    const expected = interpretedResults(graph, fragment);
    if (!Array.isArray(given) || given.join('\n') !== expected.join('\n')) {
      wrong.push(`${text}\n  interpreted ${expected.join(' | ')}\n  compiled ${JSON.stringify(given)}`);
    }
  }
  expect(wrong.join('\n')).toBe('');
  expect(asked).toBeGreaterThan(count / 2);
});

describe('asks its sequences in the order that LINQ asks them', () => {
  const second = 'new[] { 3, 1 }.TakeWhile(i => { log += "p" + i; return i % 2 == 0; })';
  const first = 'new[] { 1, 2 }.Where(x => { log += "w" + x; return true; })';
  const none = 'Enumerable.Range(1, 0)';
  it.each([
    [`${none}.Except(${second})`, 'p3'],
    [`${none}.Intersect(${second})`, 'p3'],
    [`${none}.Except(${second}).Append(0)`, 'p3[0]'],
    [`${first}.Except(${second})`, 'p3w1[1]w2[2]'],
    [`${first}.Intersect(${second})`, 'p3w1w2'],
    [`${first}.Zip(Enumerable.Range(5, 3).Except(${second}), (a, b) => a + b)`, 'w1p3[6]w2[8]'],
    [`${none}.Union(${second})`, 'p3'],
    [`${none}.Join(${second}, a => a, b => b, (a, b) => a)`, ''],
    [`${none}.GroupJoin(${second}, a => a, b => b, (a, b) => a)`, ''],
    [`${first}.GroupJoin(${second}, a => a, b => b, (a, b) => a)`, 'w1p3[1]w2[2]'],
    [`${first}.Join(${second}, a => { log += "k"; return a; }, b => b, (a, b) => a)`, 'w1p3'],
    [`${first}.Join(${second}, a => { log += "k"; return a; }, b => b, (a, b) => a).Append(0)`, 'w1p3[0]'],
    [`${first}.Join(new[] { 2 }, a => { log += "k"; return a; }, b => b, (a, b) => a)`, 'w1kw2k[2]'],
    [`${first}.Join(new[] { 2 }, a => "k", b => (string)null, (a, b) => a)`, 'w1'],
    [`${first}.GroupJoin(new[] { 2 }, a => "k", b => (string)null, (a, b) => a * 10 + b.Count())`, 'w1[10]w2[20]'],
  ])('%s', (query, log) => {
    const graph = corpusGraph('dist/wasm/core.shared.wasm');
    const text = `return v => { var log = ""; foreach (var x in ${query}) { log += "[" + x + "]"; } throw new Exception(log); };`;
    const fragment = bound(text, 'VertexFilter');
    const expected = interpretedResults(graph, fragment);
    expect(new Set(expected)).toEqual(new Set([`!Exception: ${log}`]));
    expect(compiledResults(graph, fragment)).toEqual(expected);
  });
});
