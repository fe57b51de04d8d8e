// LINQ and collections as WebAssembly: each fragment here is compiled, and answers for every element what the interpreter answers.

import { describe, expect, it } from 'vitest';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';

const edges = 'v.OutEdges.Values.SelectMany(l => l)';

/** What costs a number, as the expression behind `return v =>`. */
const streaming: readonly string[] = [
  'Enumerable.Range(1, 5).Where(x => x % 2 == 1).Select(x => x * x).Sum()',
  'Enumerable.Range(v.Id, 5).Where((x, i) => x * i % 3 != 1).Select((x, i) => x * i + 1).Sum()',
  'Enumerable.Range(0, v.Id).Sum()',
  'Enumerable.Range(2147483640, v.Id + 6).Count()',
  'Enumerable.Range(v.Id - 2, v.Id - 2).Count()',
  'Enumerable.Range(0, 9).Skip(v.Id).Take(3).Sum()',
  'Enumerable.Range(0, 9).Take(v.Id - 1).Skip(1).Count()',
  'Enumerable.Range(0, 9).SkipWhile(x => x < v.Id).TakeWhile(x => x < 5).Sum()',
  'Enumerable.Range(0, 9).SkipWhile((x, i) => x + i < v.Id).TakeWhile((x, i) => x * i < 20).Sum()',
  'Enumerable.Range(0, 3).Concat(Enumerable.Range(5, v.Id)).Append(7).Prepend(100).Aggregate(1, (a, x) => a * 3 + x)',
  'Enumerable.Range(0, 3).Concat(Enumerable.Range(5, v.Id)).Skip(2).First()',
  'Enumerable.Range(0, v.Id).DefaultIfEmpty().Max() + Enumerable.Range(0, v.Id).DefaultIfEmpty(9).Min()',
  'Enumerable.Range(0, v.Id).DefaultIfEmpty(4).Select(x => x + 1).Where(x => x > 1).Count()',
  'Enumerable.Range(0, 5).Zip(Enumerable.Range(v.Id, 3), (a, b) => a * b).Sum()',
  'Enumerable.Range(0, 3).SelectMany(x => Enumerable.Range(x, v.Id)).Aggregate((a, b) => a * 2 + b)',
  'Enumerable.Range(0, 3).SelectMany((x, i) => Enumerable.Range(x, i)).Sum()',
  'Enumerable.Range(0, 4).SelectMany(x => Enumerable.Range(0, x), (x, y) => x * 10 + y).Skip(1).Take(3).Sum()',
  'Enumerable.Range(0, 4).SelectMany(x => { x += 1; return Enumerable.Range(0, x); }).Count()',
  'Enumerable.Range(0, 4).Where(x => { x = 2; return true; }).Sum()',
  'Enumerable.Repeat(v.Id, 3).Sum() + Enumerable.Empty<int>().Count()',
  'Enumerable.Repeat("ab", v.Id).Select(s => s.Length).Sum()',
  'Enumerable.Repeat(1, v.Id - 2).Count()',
  'Enumerable.Range(0, v.Id).Aggregate((a, b) => a * 2 + b)',
  'Enumerable.Range(1, 3).Aggregate(1, (a, b) => a * b, r => r / 2.0)',
  'Enumerable.Range(1, 3).Aggregate(1.5f, (a, b) => a * b)',
  'Enumerable.Range(1, v.Id).First(x => x > 1)',
  'Enumerable.Range(1, v.Id).FirstOrDefault(x => x > 1)',
  'Enumerable.Range(1, v.Id).Last(x => x < 3)',
  'Enumerable.Range(1, v.Id).LastOrDefault()',
  'Enumerable.Range(1, v.Id).Single()',
  'Enumerable.Range(1, v.Id).SingleOrDefault()',
  'Enumerable.Range(1, 5).Single(x => x == v.Id)',
  'Enumerable.Range(1, 5).SingleOrDefault(x => x % 3 == v.Id)',
  'Enumerable.Range(5, 3).ElementAt(v.Id - 1)',
  'Enumerable.Range(5, 3).ElementAtOrDefault(v.Id - 1)',
  'Enumerable.Range(0, v.Id).Average()',
  'Enumerable.Range(0, 4).Average(x => (float)x / 3) + Enumerable.Range(0, 4).Sum(x => (float)x / 3)',
  'Enumerable.Range(0, 4).Average(x => x / 3.0)',
  'Enumerable.Range(2147483640, 6).Average()',
  'Enumerable.Range(2147483640, v.Id).Sum()',
  'Enumerable.Range(0, 4).Select(x => x == v.Id ? double.NaN : x).Max()',
  'Enumerable.Range(0, 4).Select(x => x == v.Id ? double.NaN : x).Min()',
  'Enumerable.Range(0, v.Id).Max(x => x / 2f)',
  'Enumerable.Range(0, v.Id).Min(x => -(long)x)',
  'Enumerable.Range(0, 6).MaxBy(x => (x * 4) % 7) + Enumerable.Range(0, 6).MinBy(x => (x * 4) % 7)',
  'Enumerable.Range(0, 5).Select(x => x < v.Id ? (int?)null : x).Sum().Value',
  'Enumerable.Range(0, 3).Select(x => x < v.Id ? (int?)null : x).Max() ?? -5',
  'Enumerable.Range(0, 3).Min(x => x < v.Id ? (double?)null : x) ?? -5',
  'Enumerable.Range(0, 3).Average(x => x < v.Id ? (int?)null : x) ?? -5',
  'Enumerable.Range(0, 9).LongCount(x => x > v.Id)',
  'Enumerable.Range(0, 9).Contains(v.Id) ? 1 : 0',
  '"abc".Select(c => (float)c).Contains(97f) ? 1 : 0',
  'Enumerable.Range(0, 3).SequenceEqual(Enumerable.Range(0, v.Id)) ? 1 : 0',
  'Enumerable.Range(0, 3).SequenceEqual(Enumerable.Range(0, 2).SelectMany(x => Enumerable.Range(x, x + 1))) ? 1 : 0',
  '"hello".Max() * 1000 + "hello".Min()',
  '"hello".Zip("world", (a, b) => a == b ? 1 : 0).Sum()',
  'v.OutEdges == null ? -1 : v.OutEdges.Values.SelectMany(l => l, (l, e) => l.Count * 100 + e.TargetVertex.Id).Sum()',
  `v.OutEdges == null ? -1 : ${edges}.Last().Id + ${edges}.ElementAtOrDefault(1)?.Id ?? -7`,
  `v.OutEdges == null ? -1 : ${edges}.Select(e => e.TargetVertex.Id).Zip(${edges}.Skip(1).Select(e => e.Id), (a, b) => a * b).Sum()`,
  `v.OutEdges == null ? -1 : ${edges}.Max(e => e.TryGetProperty(out double w, "weight") ? w : double.NaN)`,
  'v.OutEdges?.Sum(p => p.Value.Sum(e => e.TryGetProperty(out double w, "weight") ? w : 1)) ?? -1',
  'v.OutEdges == null ? -1 : v.OutEdges.Values.SelectMany(l => l.Where(e => e.Id % 2 == 0)).Count()',
  'v.OutEdges == null ? -1 : v.OutEdges.First().Value.First().Id + v.OutEdges.Last().Value[0].Id',
  'v.OutEdges == null ? -1 : v.OutEdges.Keys.Select(k => k.Length).Sum()',
  'v.OutEdges == null ? "" == v.Label ? 1 : 2 : v.OutEdges.Keys.Max().Length',
  '(v.OutEdges?.Keys.Where(k => k.Length > 5) ?? Enumerable.Empty<string>()).Count()',
  '(v.Id > 2 ? Enumerable.Range(0, 4) : Enumerable.Range(0, 2).Concat(Enumerable.Range(4, 2))).Select(x => x + v.Id).Sum()',
  '(v.Id > 2 ? null : Enumerable.Range(0, v.Id)).Sum()',
  'Enumerable.Range(0, 3).Where((Func<int, bool>)null).Count()',
  '((string)null).Select(c => 1).Sum()',
  'v.Label.Where(c => c > 100).Select((c, i) => i).Sum()',
];

/** Bodies of `return v => { … }`. */
const blocks: readonly string[] = [
  'var n = 0; foreach (var i in Enumerable.Range(0, 10)) { if (i % 2 == 0) continue; if (i > 7) break; n += i; } return n;',
  'var n = 0; Enumerable.Range(0, 10).Any(x => { n++; return x == 3; }); return n;',
  'var n = 0; var q = Enumerable.Range(0, 5).Select(x => { n++; return x; }); return n;',
  'var n = 0; var q = Enumerable.Range(0, 5).Select(x => { n++; return x; }); q.First(); q.Take(2).Count(); return n;',
  'var n = 0; var q = Enumerable.Range(0, 5).Select(x => { n++; return x; }); var s = q.Zip(q, (a, b) => a * b).Sum(); return n * 1000 + s;',
  'var k = 2; var q = Enumerable.Range(0, 5).Where(x => x > k); var a = q.Count(); k = v.Id; return a * 10 + q.Count();',
  'var m = 3; var q = Enumerable.Range(0, m); m = 10; return q.Count();',
  'var s = 0; for (var i = 0; i < 3; i++) { var q = Enumerable.Range(0, 4).Where(x => x > i).Select(x => x * i); s += q.Sum() * 10 + q.Count(); } return s;',
  'IEnumerable<int> q = Enumerable.Range(0, 3); var n = 0; foreach (var x in q) foreach (var y in q) n += x * y; return n;',
  'var n = 0; Enumerable.Range(0, 0).Zip(Enumerable.Range(0, 3).Select(x => { n++; return x; }), (a, b) => a).Count(); return n;',
  'var n = 0; Enumerable.Range(0, 3).Select(x => { n++; return x; }).Take(2).Count(); return n;',
  'var n = 0; Enumerable.Range(0, 1).Concat(Enumerable.Range(0, 3).Select(x => { n++; return x; })).First(); return n;',
  'var q = v.OutEdges?.Keys.Where(k => k.Length > 5); return q == null ? -1 : q.Count();',
];

const costs = [...streaming.map((text) => `return v => ${text};`), ...blocks.map((text) => `return v => { ${text} };`)];

const others: readonly [DelegateKind, string][] = [
  ['EdgePropertyFilter', 'return t => t.Where(c => c > 110).Any();'],
  ['EdgeFilter', 'return e => e.SourceVertex.OutEdges.Any(p => p.Value.Contains(e));'],
];

describe.each(corpusCores)('sequences over %s', (wasm) => {
  const graph = corpusGraph(wasm);
  const check = (kind: DelegateKind, text: string) => {
    const fragment = bound(text.replaceAll('IEnumerable<', 'System.Collections.Generic.IEnumerable<'), kind);
    const compiled = compiledResults(graph, fragment);
    const expected = interpretedResults(graph, fragment).map((answer) => answer.replace(/^(~?!Exception): .*$/s, '$1'));
    expect(compiled, text).toEqual(expected);
  };
  it.each(costs)('%s', (text) => check('VertexCost', text));
  it.each(others)('%s %s', check);
});
