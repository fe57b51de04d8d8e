// Fragments run by the interpreter from their text: what they read of the graph, the language's semantics, exceptions and limits.

import { expect, test } from 'vitest';
import { newBudget, run } from './support/fragment-graph.ts';

type Case = readonly [text: string, expected: boolean | string];

const MODEL: readonly Case[] = [
  ['return v => v.Label == "person" && v.TryGetProperty<int>(out var age, "age") && age > 30;', true],
  ['return v => v.TryGetProperty(out long x, "age");', false],
  ['return v => v.TryGetProperty<object>(out var o, "age") && o is int i && i == 42;', true],
  [
    'return v => v.TryGetProperty<object>(out var o, "price") && o is decimal d && d == 1.1m && $"{d}" == "1.10";',
    true,
  ],
  ['return v => v.OutEdges.Count == 2 && v.OutEdges["knows"][0].TargetVertex.Id == 2;', true],
  ['return v => v.OutEdges.Values.SelectMany(e => e).Any(e => e.TargetVertex.Label == "city");', true],
  [
    'return v => { foreach (var kv in v.OutEdges) foreach (var e in kv.Value) if (e.EdgePropertyId != kv.Key) return false; return true; };',
    true,
  ],
  ['return v => v.TryGetOutEdge(out var edges, "knows") && edges.Count == 1 && edges[0].SourceVertex == v;', true],
  [
    'return v => { if (v.TryGetOutEdgesSpan(out var span, "knows")) { foreach (var e in span) { if (e.Id == 10) return true; } } return false; };',
    true,
  ],
  ['return v => context.TrySimilarity(v, out var s) && s > 0.7f && s < 0.71f;', true],
  ['return v => v.TryGetEmbedding(out var vec) && vec.Length == 2 && vec[0] == 1f;', true],
  ['return v => v.AnyPropertyValueMatches(s => s.Contains("lic", StringComparison.OrdinalIgnoreCase));', true],
  [
    'return v => v.InEdges["nope"].Count > 0;',
    "!KeyNotFoundException: The given key 'nope' was not present in the dictionary.",
  ],
  ['return v => v.GetCreationDate().Year == 2020 && v.GetCreationDate() < DateTime.UtcNow;', true],
  ['return v => v.TryGetProperty(out string s, "__proto__") || v.TryGetProperty(out object o, "constructor");', false],
  ['return v => v.TryGetProperty(out object o, "missing");', false],
  ['return v => v.TryGetProperty(out IComparable c, "age") && c.CompareTo(40) > 0;', true],
  ['return v => v.TryGetProperty(out double age, "age");', false],
  [
    'return v => v.TryGetProperty(out Guid g, "key") && g == Guid.Parse("{0F8FAD5B-D9CB-469F-A165-70867728950E}");',
    true,
  ],
  ['return v => v.TryGetProperty(out DateTime d, "born") && d.Kind == DateTimeKind.Utc && d.Year == 1997;', true],
  ['return v => v.GetOutDegree() == 2 && v.GetInDegree() == 1u && v.GetPropertyCount() == 7;', true],
  ['return v => v.GetModificationDate() - v.GetCreationDate() == TimeSpan.FromSeconds(100);', true],
  ['return v => v.OutEdges.First().Value[0].TargetVertex.OutEdges["knows"].Single().TargetVertex == v;', true],
  [
    'return v => v.OutEdges["knows"][0].TargetVertex.Label.Length > 0;',
    '!NullReferenceException: Object reference not set to an instance of an object.',
  ],
  [
    'return v => context.HasQueryVector && context.QueryVector.Length == 2 && context.Metric == VectorDistanceMetric.Cosine;',
    true,
  ],
];

const LANGUAGE: readonly Case[] = [
  ['return v => { int[] a = [1, 2, 3]; return a[^1] == 3 && a[1..].Length == 2 && a is [1, .., 3]; };', true],
  ['return v => { object o = 5; return o.GetType() == typeof(int) && typeof(string).Name == "String"; };', true],
  [
    'return v => (DayOfWeek)Enum.Parse(typeof(DayOfWeek), "Sunday") == DayOfWeek.Sunday && Enum.IsDefined(typeof(DayOfWeek), 6);',
    true,
  ],
  [
    'return v => { var d = new System.Collections.Generic.Dictionary<object, int>(); d.Add("__proto__", 1); d.Add(1, 3); d.Add(1L, 4); return d.Count == 3 && d["__proto__"] == 1; };',
    true,
  ],
  [
    'return v => { object o = 5; object p = 5L; return !o.Equals(p) && o.Equals(5) && o.ToString() == "5" && !(o == p); };',
    true,
  ],
  [
    'return v => { object o = 2.5; return o.GetType().Name == "Double" && o.GetHashCode() == 2.5.GetHashCode(); };',
    true,
  ],
  ['int n = 0; return v => ++n == 1;', true],
  ['return v => { int Fib(int n) => n < 2 ? n : Fib(n-1) + Fib(n-2); return Fib(15) == 610; };', true],
  ['return v => { int z = 0; return 1 / z > 0; };', '!DivideByZeroException: Attempted to divide by zero.'],
  [
    'return v => { try { int z = 0; return 1 / z > 0; } catch (DivideByZeroException e) when (e.Message.Length > 0) { return true; } finally { } };',
    true,
  ],
  [
    'return v => { var f = new System.Collections.Generic.List<Func<int>>(); for (int i = 0; i < 3; i++) { int j = i; f.Add(() => j * 10); } return f.Sum(g => g()) == 30; };',
    true,
  ],
  [
    'return v => { var t = (a: 1, b: "x"); t.a += 4; var (p, q) = t; return p == 5 && q == "x" && t == (5, "x"); };',
    true,
  ],
  ['return v => v.Label switch { "person" when v.Id == 1 => true, null => false, _ => false };', true],
  ['return v => v is { Id: > 0 and < 5, Label: "person" };', true],
  [
    'return v => { checked { int x = int.MaxValue; try { x++; return false; } catch (OverflowException) { return true; } } };',
    true,
  ],
  [
    'return v => new[] { 3, 1, 2 }.OrderByDescending(x => x).Select(x => x.ToString()).Aggregate((a, b) => a + b) == "321";',
    true,
  ],
  [
    'return v => string.Join(",", new[] { 1, 2, 3 }.GroupBy(x => x % 2).Select(g => $"{g.Key}:{g.Count()}")) == "1:2,0:1";',
    true,
  ],
  ['return v => (DateTime.UtcNow - new DateTime(2020,1,1)).TotalDays > 100;', true],
  ['return v => { int? x = null; int? y = 5; return (x ?? 1) + y == 6 && !(x > 1) && (x + y) == null; };', true],
  ["return v => \"hello\"[^1] == 'o' && \"hello\"[1..3] == \"el\" && 'a' + 1 == 98 && (char)('a' + 1) == 'b';", true],
  [
    'return v => ((float)0.1).ToString() == "0.1" && (0.1f + 0.2f).ToString() == "0.3" && (0.1 + 0.2).ToString() == "0.30000000000000004";',
    true,
  ],
  ['return v => new { A = 1, B = "x" }.ToString() == "{ A = 1, B = x }" && new { A = 1 }.Equals(new { A = 1 });', true],
  [
    'return v => { var sb = new System.Text.StringBuilder(); for (int i = 0; i < 3; i++) sb.Append(i).Append(\',\'); return sb.ToString() == "0,1,2,"; };',
    true,
  ],
  [
    'return v => { uint a = 0; a--; return a == uint.MaxValue && (a << 33) == a << 1 && unchecked((int)a) == -1; };',
    true,
  ],
  ['return v => { long a = long.MaxValue; a++; return a == long.MinValue && (a >> 63) == -1L; };', true],
  [
    'return v => DayOfWeek.Monday.ToString() == "Monday" && (int)DayOfWeek.Friday == 5 && Enum.Parse<DayOfWeek>("Sunday") == 0;',
    true,
  ],
  [
    'return v => { Func<int,int> f = null; return f(1) == 1; };',
    '!NullReferenceException: Object reference not set to an instance of an object.',
  ],
  ['return v => string.Format("{0,5:F1}|{1}", 2.25, true) == "  2.2|True";', true],
  [
    'return v => int.TryParse("12", out var x) && x == 12 && !int.TryParse("x", out _) && double.Parse("1.5") == 1.5;',
    true,
  ],
  [
    'return v => { int[,] m = new int[2,2]; m[1,1] = 7; int[] a = {1,2,3}; a[0] ^= 3; return m[1,1] == 7 && a[0] == 2 && a.Length == 3 && m.Length == 4; };',
    true,
  ],
  ['return v => { Span<int> s = stackalloc int[3]; s[1] = 5; return s.ToArray().Sum() == 5; };', true],
  ['return v => (new[]{1,2,3} as object) is System.Collections.Generic.IEnumerable<int> e && e.Count() == 3;', true],
  ['return v => Enumerable.Range(0, 1000000000).Take(3).Last() == 2;', true],
  ['return v => { switch (v.Id) { case 1: case 2: goto case 3; case 3: return true; default: return false; } };', true],
  ['return v => { var x = 0; Action inc = () => x++; inc(); inc(); return x == 2; };', true],
  [
    'return v => { void Swap(ref int a, ref int b) { var t = a; a = b; b = t; } int x = 1, y = 2; Swap(ref x, ref y); return x == 2 && y == 1; };',
    true,
  ],
  ['return v => { throw new InvalidOperationException("boom"); };', '!InvalidOperationException: boom'],
  [
    'return v => { try { throw new ArgumentException("m", "p"); } catch (Exception e) { return e is ArgumentException a && a.ParamName == "p" && e.Message == "m (Parameter \'p\')"; } };',
    true,
  ],
  ['return v => { int i = 5; return i++ + ++i == 12 && i == 7; };', true],
  [
    'return v => { decimal m = decimal.MaxValue; return m + 1 > 0; };',
    '!OverflowException: Value was either too large or too small for a Decimal.',
  ],
];

const LIMITS: readonly Case[] = [
  ['return v => { int R(int n) => R(n + 1); return R(0) > 0; };', '#depth'],
  ['return v => { while (true) { } };', '#fuel'],
  ['return v => { var s = "x"; while (true) s += s; };', '#memory'],
  ['return v => Enumerable.Range(0, 1000000000).Count() > 2;', '#fuel'],
  ['return v => { var a = new int[1000000000]; return true; };', '#memory'],
  ['return v => { try { while (true) { } } catch { return true; } finally { while (true) { } } };', '#fuel'],
  ['return v => { var l = new System.Collections.Generic.List<int>(); while (true) l.Add(1); };', '#memory'],
  ["return v => { var s = new string('y', 10000); while (true) { DateTime.UtcNow.ToString(s); } };", '#memory'],
  [
    "return v => { var a = new string('a', 90000); var b = new string('a', 90000); while (a == b) { } return true; };",
    '#fuel',
  ],
  ['return v => "x".PadLeft(2000000000).Length > 0;', '#memory'],
  ['return v => Enumerable.Repeat("xxxxxxxxxxxxxxxx", 2000000).ToArray().Length > 0;', '#memory'],
  ['return v => string.Concat(Enumerable.Repeat("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 1000000)).Length > 0;', '#memory'],
  ['return v => { Func<int, int> f = null; f = n => f(n + 1) + 1; return f(0) > 0; };', '#depth'],
];

test.each(MODEL)('reads the graph: %s', (text, expected) => {
  expect(run(text)).toBe(expected);
});

test.each(LANGUAGE)('runs as C# does: %s', (text, expected) => {
  expect(run(text)).toBe(expected);
});

test.each(LIMITS)('stops: %s', (text, expected) => {
  expect(run(text)).toBe(expected);
});

test('other kinds of delegates', () => {
  expect(run('return e => e.TryGetProperty(out double w, "weight") ? w : 1;', 'EdgeCost', 10)).toBe(2.5);
  expect(run('return e => e.SourceVertex.Id == 1 && e.EdgePropertyId == "lives";', 'EdgeFilter', 11)).toBe(true);
  expect(run('return p => p.StartsWith("kn");', 'EdgePropertyFilter', 'knows')).toBe(true);
  expect(run('return v => v.GetOutDegree() * 0.5;', 'VertexCost', 1)).toBe(1);
  expect(run('return g => g is EdgeModel { EdgePropertyId: "knows" };', 'GraphElementFilter', 12)).toBe(true);
  expect(run('return g => g is EdgeModel;', 'GraphElementFilter', 1)).toBe(false);
});

test('statements before the return run once, and their variables live on', () => {
  expect(run('var n = 0; for (int i = 0; i < 5; i++) n += i; return v => n == 10;')).toBe(true);
  expect(run('int z = 0; var x = 1 / z; return v => true;')).toBe(
    '!DivideByZeroException: Attempted to divide by zero.',
  );
});

test('a caller that leaves stops the fragment', () => {
  let asked = 0;
  const budget = { ...newBudget(), cancelled: () => ++asked > 3 };
  expect(run('return v => { while (true) { } };', 'VertexFilter', 1, budget)).toBe('#cancelled');
  expect(asked).toBe(4);
});

test('fuel counts over the calls of a search and is all spent at the end', () => {
  const budget = { ...newBudget(), fuel: 5000 };
  expect(run('return v => { for (int i = 0; i < 100; i++) { } return true; };', 'VertexFilter', 1, budget)).toBe(true);
  expect(budget.fuel).toBeLessThan(4901);
  expect(budget.fuel).toBeGreaterThan(4500);
});
