// Query syntax is the calls that it stands for, and an anonymous method the lambda: each pair answers the same, compiled and interpreted.

import { describe, expect, it } from 'vitest';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';
import { run } from './support/fragment-graph.ts';

const xs = 'new[] { 5, 3, 8, 1, 9, 2 }';
const ys = 'new[] { 1, 2, 3, 4 }';

/** Bodies that give an int. */
const pairs: readonly (readonly [query: string, calls: string])[] = [
  [`(from x in ${xs} select x * 2).Sum()`, `${xs}.Select(x => x * 2).Sum()`],
  [`(from x in ${xs} where x > 2 where x < 9 select x).Count()`, `${xs}.Where(x => x > 2).Where(x => x < 9).Count()`],
  [`(from int x in ${xs} orderby x select x).First()`, `${xs}.OrderBy(x => x).First()`],
  [
    `(from x in ${xs} orderby x % 3 descending, x select x).Skip(1).First()`,
    `${xs}.OrderByDescending(x => x % 3).ThenBy(x => x).Skip(1).First()`,
  ],
  [
    `(from x in ${xs} let y = x * x where y > 20 select y - x).Sum()`,
    `${xs}.Where(x => x * x > 20).Select(x => x * x - x).Sum()`,
  ],
  [
    `(from x in ${xs} from y in ${ys} where x > y select x * y).Sum()`,
    `${xs}.SelectMany(x => ${ys}, (x, y) => (x, y)).Where(t => t.x > t.y).Select(t => t.x * t.y).Sum()`,
  ],
  [
    `(from x in ${xs} from y in ${ys} let z = x + y orderby z descending, x select z * 100 + x).First()`,
    `${xs}.SelectMany(x => ${ys}, (x, y) => x * 10 + y).OrderByDescending(p => p / 10 + p % 10).ThenBy(p => p / 10).Select(p => (p / 10 + p % 10) * 100 + p / 10).First()`,
  ],
  [
    `(from x in ${xs} join y in ${ys} on x equals y * 2 select x + y).Sum()`,
    `${xs}.Join(${ys}, x => x, y => y * 2, (x, y) => x + y).Sum()`,
  ],
  [
    `(from x in ${xs} join y in ${ys} on x % 4 equals y into g select x * g.Count()).Sum()`,
    `${xs}.GroupJoin(${ys}, x => x % 4, y => y, (x, g) => x * g.Count()).Sum()`,
  ],
  [`(from x in ${xs} group x by x % 3).Count()`, `${xs}.GroupBy(x => x % 3).Count()`],
  [
    `(from x in ${xs} group x * 2 by x % 3 into g where g.Count() > 1 select g.Key * 100 + g.Sum()).Sum()`,
    `${xs}.GroupBy(x => x % 3, x => x * 2).Where(g => g.Count() > 1).Select(g => g.Key * 100 + g.Sum()).Sum()`,
  ],
  [
    `(from x in ${xs} select x + 1 into y where y % 2 == 0 select y).Sum()`,
    `${xs}.Select(x => x + 1).Where(y => y % 2 == 0).Sum()`,
  ],
  [
    `(from x in ${xs} from y in (from z in ${ys} where z < x select z) select x * y).Sum()`,
    `${xs}.Sum(x => ${ys}.Where(z => z < x).Sum(y => x * y))`,
  ],
  [`(from x in ${xs} let f = new { x, twice = x * 2 } select f.twice + f.x).Sum()`, `${xs}.Sum(x => x * 2 + x)`],
  [`new Func<int, int>(delegate (int x) { return x * 3; })(4)`, '12'],
  [`${xs}.Where(delegate (int x) { return x > 4; }).Sum()`, `${xs}.Where(x => x > 4).Sum()`],
  // Words of queries are names everywhere else.
  ['((Func<int, int>)(from => from + 1))(2)', '3'],
];

const fragmentOf = (body: string): string => `return v => { int result = ${body}; return result; };`;

describe.each(corpusCores)('over %s', (wasm) => {
  const graph = corpusGraph(wasm);

  it.each(pairs)('%s', (query, calls) => {
    const [one, other] = [query, calls].map((body) => bound(fragmentOf(body), 'VertexCost'));
    const expected = interpretedResults(graph, other!);
    expect(interpretedResults(graph, one!)).toEqual(expected);
    expect(emitFragment(one!, true).ok).toBe(true);
    expect(compiledResults(graph, one!)).toEqual(expected);
  });
});

it.each([
  ['return v => (from x in new[] { 1 } select y).Any();', 'CS0103'],
  ['return v => (from x in new[] { 1 } from y in new[] { 2 } select x + z).Any();', 'CS0103'],
  ['return v => (from x in new[] { 1 } where x select x).Any();', 'CS0029 CS1662'],
  ['return v => (from x in new[] { 1 } where x > 0).Any();', 'CS0742'],
])('%s is %s', (text, ids) => {
  expect(run(text)).toBe(ids);
});

const variables = (count: number): string => {
  const lets = Array.from({ length: count - 1 }, (_, i) => `let y${i} = x + ${i}`).join(' ');
  return `return v => (from x in new[] { 1 } ${lets} select x).Any();`;
};

it('a query has at most so many variables', () => {
  expect(run(variables(32))).toBe(true);
  expect(run(variables(33))).toBe('CS8078');
  expect(run(variables(3000))).toBe('CS8078');
});
