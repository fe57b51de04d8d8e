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

/** What has to be remembered. */
const remembering: readonly string[] = [
  'new[] { 3, 1, 2 }.OrderBy(x => x).Aggregate(0, (a, x) => a * 10 + x)',
  'new[] { 3, 1, 2, 1 }.Select((x, i) => x * 10 + i).OrderByDescending(x => x / 10).ThenBy(x => -x).Aggregate(0L, (a, x) => a * 100 + x)',
  'new[] { 3, 1, 2, 1 }.Select((x, i) => (x, i)).OrderBy(p => p.x).Aggregate(0L, (a, p) => a * 10 + p.i)',
  'new[] { "b", "A", "a", "B", null }.OrderBy(x => x, StringComparer.OrdinalIgnoreCase).Select(x => x == null ? 1 : x[0]).Aggregate(0L, (a, x) => a * 200 + x)',
  'new[] { "b", "A", "a", "B", null }.OrderByDescending(x => x).Select(x => x == null ? 1 : x[0]).Aggregate(0L, (a, x) => a * 200 + x)',
  'new[] { 1.5, double.NaN, -1, 0, -0.0 }.OrderBy(x => x).Skip(v.Id).First()',
  'new[] { (2, "b"), (1, "z"), (1, "a") }.OrderBy(t => t).Last().Item1',
  'new object[] { 1, "a" }.OrderBy(x => x).Count()',
  'new[] { 5m, 1.5m, 3m }.OrderBy(x => x).ThenBy(x => -x).Select(x => (int)x).Aggregate(0, (a, x) => a * 10 + x)',
  'Enumerable.Range(0, 100).OrderBy(x => x * 37 % 101).Select((x, i) => x * i).Sum()',
  'Enumerable.Range(0, 10).Reverse().Take(3).Sum() + "abc".Reverse().First()',
  'Enumerable.Range(0, 10).TakeLast(v.Id - 1).Sum() * 100 + Enumerable.Range(0, 10).SkipLast(v.Id - 1).Sum()',
  'new[] { 1, 2, 2, 3, 1 }.Distinct().Aggregate(0, (a, x) => a * 10 + x)',
  'new[] { 1.0, double.NaN, double.NaN, 0.0, -0.0 }.Distinct().Count()',
  'new[] { 1m, 1.0m, 2m }.Distinct().Count()',
  'new[] { "a", "A", null, "a", null }.Distinct().Count() * 10 + new[] { "a", "A", null, "b" }.Distinct(StringComparer.OrdinalIgnoreCase).Count()',
  'new[] { (1, "a"), (1, "a"), (2, "a") }.Distinct().Count()',
  'new int?[] { 1, null, 1, null, 2 }.Distinct().Count()',
  'new[] { 1, 2 }.Union(new[] { 2, 3 }).Aggregate(0, (a, x) => a * 10 + x) * 1000 + new[] { 1, 2, 3 }.Intersect(new[] { 3, 2, 3 }).Aggregate(0, (a, x) => a * 10 + x)',
  'new[] { 1, 2, 2, 3 }.Except(new[] { 3 }).Aggregate(0, (a, x) => a * 10 + x)',
  'Enumerable.Range(0, 10).DistinctBy(x => x % 3).Sum() + Enumerable.Range(0, 10).ExceptBy(new[] { 1, 2 }, x => x % 3).Count()',
  'new[] { "apple", "avocado", "bean" }.GroupBy(x => x[0]).Select(g => g.Key * g.Count()).Sum()',
  'new[] { 1, 2, 3, 4 }.GroupBy(x => x % 2, x => x * 10, (k, xs) => k * 1000 + xs.Sum()).Aggregate(0, (a, x) => a * 3 + x)',
  'new[] { 1, 2, 3, 4, 5 }.GroupBy(x => x % 2).OrderBy(g => g.Key).Select(g => g.Where(x => x > 1).Sum()).Aggregate(0, (a, x) => a * 100 + x)',
  'new[] { 1, 2, 3 }.GroupBy(x => x > v.Id).First().Last()',
  'new[] { "a", null, "a" }.GroupBy(x => x).Select(g => g.Count()).Aggregate(0, (a, x) => a * 10 + x)',
  'new[] { 1, 2, 3 }.Join(new[] { 2, 3, 4, 3 }, a => a, b => b, (a, b) => a * b).Aggregate(0, (a, x) => a * 10 + x)',
  'new[] { "a", null }.Join(new[] { null, "a" }, a => a, b => b, (a, b) => 1).Count()',
  'new[] { 1, 2 }.GroupJoin(new[] { 2, 2 }, a => a, b => b, (a, bs) => a * 10 + bs.Count()).Sum()',
  'new[] { 1, 2, 3 }.ToDictionary(x => x, x => x * x).Sum(p => p.Key * p.Value)',
  'new[] { 1, 1 }.ToDictionary(x => x).Count',
  'new[] { "x", "y", "x" }.ToLookup(x => x).Select(g => g.Key[0] + g.Count()).Sum()',
  'new[] { "x", "y", "x" }.ToLookup(x => x, x => 2).Contains("y") ? 1 : 0',
  'new[] { 1, 2, 2 }.ToHashSet().Count',
  'Enumerable.Range(0, v.Id).ToArray().Length + Enumerable.Range(0, v.Id).ToList().Count',
  'new[] { 1, 2, 3 }.ToList().IndexOf(v.Id) + new[] { 1, 2, 3 }.ToArray()[v.Id]',
  'new[] { 1, 2 }.SequenceEqual(new System.Collections.Generic.List<int> { 1, 2 }) ? 1 : 0',
  'new System.Collections.Generic.List<int> { 1 }[v.Id]',
  'new System.Collections.Generic.HashSet<string>(new[] { "a", "B" }, StringComparer.OrdinalIgnoreCase).Contains("b") ? 1 : 0',
  'new System.Collections.Generic.Dictionary<string, int>()["x"]',
  'new System.Collections.Generic.Dictionary<string, int>()[v.Label]',
  '((int[])null).Sum()',
  `v.OutEdges == null ? -1 : ${edges}.Select(e => e.TargetVertex).Distinct().Count()`,
  `v.OutEdges == null ? -1 : ${edges}.OrderByDescending(e => e.Id).First().Id`,
  `v.OutEdges == null ? -1 : ${edges}.GroupBy(e => e.EdgePropertyId).OrderBy(g => g.Key).Select(g => g.Count() * g.Key.Length).Sum()`,
  `v.OutEdges == null ? -1 : ${edges}.GroupBy(e => e.TargetVertex.Label, (k, es) => es.Max(e => e.Id)).Sum()`,
  `v.OutEdges == null ? -1 : ${edges}.ToLookup(e => e.TargetVertex)[v].Count()`,
  `v.OutEdges == null ? -1 : ${edges}.ToList().Count(e => e.Id > 3)`,
  `v.OutEdges == null ? -1 : ${edges}.ToDictionary(e => e.Id, e => e.TargetVertex)[v.Id].Id`,
];

const list = 'System.Collections.Generic.List';
const dictionary = 'System.Collections.Generic.Dictionary';
const collections: readonly string[] = [
  `var l = new ${list}<int> { 3, 1, 2 }; l.Sort(); l.Insert(1, 9); l.RemoveAt(0); l.Remove(2); return l[0] * 100 + l.Count * 10 + l.IndexOf(3);`,
  `var l = new ${list}<string> { "b", "a" }; l.AddRange(new[] { "c" }); l.Reverse(); return l.FindIndex(x => x == "a") + (l.Contains("c") ? 10 : 0) + l.RemoveAll(x => x != "a") * 100;`,
  `var l = new ${list}<int> { 1, 2, 3 }; foreach (var x in l) if (x == v.Id) l.Add(4); return l.Count;`,
  `var l = new ${list}<int> { 1, 2, 3 }; foreach (var x in l) { if (x == v.Id) { l.Add(4); break; } } return l.Count;`,
  `var l = new ${list}<int> { 1, 2 }; var q = l.Where(x => x > 1); l.Add(5); return q.Sum();`,
  `var l = new ${list}<int>(); for (var i = 0; i < 100; i++) l.Add(i * i); l.AddRange(l); l.RemoveRange(10, 180); return l.Sum() + l.Count;`,
  `var l = new ${list}<int>(Enumerable.Range(0, 9)); l.Reverse(2, 4); l.RemoveRange(v.Id, v.Id); return l.Aggregate(0, (a, x) => (a * 7 + x) % 10007);`,
  `var l = new ${list}<double> { 1, double.NaN, -3 }; l.Sort(); return l.IndexOf(double.NaN) * 10 + l.Find(x => x < 0) + l.FindLastIndex(x => x < 100);`,
  `var l = new ${list}<long> { 1, 2, 3 }; l[v.Id] = 7; l.ForEach(x => l.Contains(x)); return l.Sum(x => (double)x) + l.ConvertAll(x => (int)x).Max();`,
  `var l = new ${list}<decimal> { 1.5m, 2m }; l.Insert(v.Id, 9m); return (double)l.Sum() + l.LastIndexOf(2m);`,
  `var l = new ${list}<int?> { 1, null }; l.Add(v.Id); return l.Count(x => x == null) + (l.Max() ?? 0) + (l.TrueForAll(x => x > 0) ? 1 : 2);`,
  `var l = new ${list}<(int, string)> { (1, "a") }; l.Add((2, "b")); return l.Contains((2, "b")) ? l.GetRange(1, 1)[0].Item1 : 0;`,
  `var l = new ${list}<${list}<int>> { new ${list}<int> { 1 }, new ${list}<int> { 2, 3 } }; return l.SelectMany(x => x).Sum() + l[1].Count;`,
  `var l = new ${list}<VertexModel> { v }; if (v.OutEdges != null) foreach (var p in v.OutEdges) foreach (var e in p.Value) l.Add(e.TargetVertex); return l.Select(x => x.Id).Distinct().Sum();`,
  `var d = new ${dictionary}<string, int> { ["a"] = 1, ["b"] = 2 }; d["a"] += 10; d.Remove("b"); return d["a"] + d.Count;`,
  `var d = new ${dictionary}<string, int> { { "a", 1 } }; return d.TryGetValue("x", out var n) ? n : d.ContainsKey("a") ? 5 : 6;`,
  `var d = new ${dictionary}<string, int> { { "a", 1 } }; d.Add("a", 2); return 1;`,
  `var d = new ${dictionary}<string, int>(StringComparer.OrdinalIgnoreCase) { ["Key"] = 1 }; d["KEY"] += 4; return d.Count * 10 + d["kEy"];`,
  `var d = new ${dictionary}<(int, string), int>(); d[(1, "a")] = 5; return d[(1, "a")];`,
  `var d = new ${dictionary}<char, int>(); foreach (var c in v.Label ?? "") d[c] = d.TryGetValue(c, out var n) ? n + 1 : 1; return d.Values.DefaultIfEmpty().Max() + d.Keys.Count();`,
  `var d = new ${dictionary}<int, int>(); for (var i = 0; i < 200; i++) d[i * 7 % 64] = i; for (var i = 0; i < 50; i++) d.Remove(i); foreach (var p in d) d[p.Key + 0] = 1; return d.Count;`,
  `var d = new ${dictionary}<int, int>(); for (var i = 0; i < 200; i++) d[i * 7 % 64] = i; for (var i = 0; i < 50; i++) if (!d.Remove(i, out var x) || x < 0) return -1; return d.Sum(p => p.Key * p.Value % 100);`,
  `var d = new ${dictionary}<double, string> { [0.0] = "zero", [double.NaN] = "nan" }; return (d.ContainsKey(-0.0) ? 1 : 0) + (d.ContainsKey(double.NaN) ? 2 : 0) + (d.ContainsValue("zero") ? 4 : 0);`,
  `var d = new ${dictionary}<VertexModel, int>(); d[v] = 3; d.Clear(); return d.TryAdd(v, 4) && !d.TryAdd(v, 5) ? d[v] : 0;`,
  `var d = new ${dictionary}<long, float> { [5000000000] = 1.5f }; var e = new ${dictionary}<long, float>(d); e[1] = 2; return d.Count * 10 + e.Count + e[5000000000];`,
  'var s = new System.Collections.Generic.HashSet<int> { 1, 2 }; s.Add(2); s.UnionWith(new[] { 3, 1 }); s.Remove(1); return s.Count * 100 + s.Sum() + (s.Overlaps(new[] { 9, 3 }) ? 1000 : 0);',
  'var q = new System.Collections.Generic.Queue<int>(); for (var i = 0; i < 50; i++) { q.Enqueue(i); if (i % 3 == 0) q.Dequeue(); } return q.Peek() * 1000 + q.Count + q.Sum();',
  'var q = new System.Collections.Generic.Queue<string>(new[] { "a" }); return (q.TryDequeue(out var a) ? a.Length : 0) + (q.TryDequeue(out var b) ? 1 : 2) + q.Dequeue().Length;',
  'var n = 0; var q = Enumerable.Range(0, 5).OrderBy(x => { n++; return -x; }); var a = n; q.First(); q.Last(); return a * 100 + n;',
  'var n = 0; var q = Enumerable.Range(0, 5).GroupBy(x => { n++; return x % 2; }); var a = n; q.First(); q.Count(); return a * 100 + n;',
  'var n = 0; new int[0].Zip(Enumerable.Range(0, 5).OrderBy(x => { n++; return -x; }), (a, b) => a).Count(); return n;',
  'var a = new[] { 1, 2, 3 }; var q = a.Select(x => x * 2); a[1] = 10; return q.Sum();',
  'var s = 0; foreach (var g in Enumerable.Range(0, 7).GroupBy(x => x % 3)) foreach (var x in g) s = s * 3 + g.Key * x; return s;',
];

const costs = [
  ...streaming.map((text) => `return v => ${text};`),
  ...remembering.map((text) => `return v => ${text};`),
  ...[...blocks, ...collections].map((text) => `return v => { ${text} };`),
];

const others: readonly [DelegateKind, string][] = [
  ['EdgePropertyFilter', 'return t => t.Where(c => c > 110).Any();'],
  ['EdgePropertyFilter', 'return t => new[] { "knows", "likes" }.Contains(t);'],
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
