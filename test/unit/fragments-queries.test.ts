// Random fragments whose queries leave the place where they are made, in both back ends. FRAGMENT_SEED repeats a run, FRAGMENT_QUERIES sets
// how many.

import { expect, it } from 'vitest';
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
