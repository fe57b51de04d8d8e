// The binder: fragments that compile, and what is said about those that do not (ids and the text they mark). The corpus holds
// what the C# compiler of .NET Core 3.1 says about each fragment, as body of a method that returns the delegate of its kind.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindFragment, compileDiagnostics } from '../../src/fragments/compile.ts';
import { MAX_DIAGNOSTICS } from '../../src/fragments/limits.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';

/** `CS0029 'v.Id'` for each diagnostic, warnings in lower case. */
function said(text: string, kind: DelegateKind = 'VertexFilter'): string[] {
  return compileDiagnostics(text, kind).map(({ id, severity, start, end }) => {
    const name = severity === 'error' ? id : id.toLowerCase();
    return `${name} ${text.slice(start, end)}`;
  });
}

const GOOD: readonly (readonly [DelegateKind, string])[] = [
  ['VertexFilter', 'return (v) => v.Label == "person" && v.TryGetProperty<int>(out var age, "age") && age > 30;'],
  ['VertexFilter', 'return v => v.Label.StartsWith("p");'],
  ['VertexFilter', 'return v => v.OutEdges != null && v.OutEdges.Any(kv => kv.Key == "knows" && kv.Value.Count > 2);'],
  [
    'VertexFilter',
    'return v => v.OutEdges?.Values.SelectMany(e => e).Where(e => e.TargetVertex.Label == "x").Sum(e => e.Id) > 3;',
  ],
  ['EdgeCost', 'return e => e.TryGetProperty(out double w, "weight") ? w : 1.0;'],
  ['EdgeCost', 'return e => { if (e.TryGetProperty<double>(out var w, "w")) return w; return 1; };'],
  ['EdgePropertyFilter', 'return p => p == "knows" || p.Contains("x", StringComparison.OrdinalIgnoreCase);'],
  ['VertexCost', 'return v => Math.Sqrt(v.Id) + v.GetOutDegree() * 2;'],
  ['VertexFilter', 'return v => v.Label switch { "a" => true, "b" or "c" => false, null => false, _ => true };'],
  ['VertexFilter', 'return v => v is { Id: > 3 and < 10, Label: "x" };'],
  ['VertexFilter', 'var names = new[] { "a", "b" }; return v => names.Contains(v.Label);'],
  ['VertexFilter', 'int Twice(int x) => x * 2; return v => Twice(v.Id) == 4;'],
  [
    'VertexFilter',
    'return v => { var t = (a: 1, b: "x"); var (p, q) = t; return p == 1 && q == t.b && t.Item1 == 1; };',
  ],
  ['VertexFilter', 'return v => DateTime.UtcNow - v.GetCreationDate() > TimeSpan.FromDays(1);'],
  ['VertexFilter', `return v => v.Label[^1] == 'a' && v.Label[1..^1] == "b";`],
  ['VertexFilter', 'return v => { int? x = null; return x > 3 || x == null || (x ?? 4) == 4; };'],
  ['VertexFilter', 'return v => { decimal d = 1.5m; d += 2; d++; return d > 3 && d * 2 == 5m; };'],
];

describe('fragments that compile', () => {
  it.each(GOOD)('%s %s', (kind, text) => {
    const found: unknown[] = [];
    const bound = bindFragment(text, kind, { report: (diagnostic) => found.push(diagnostic) });
    expect(found).toEqual([]);
    expect(bound?.kind).toBe(kind);
  });
});

const BAD: readonly (readonly [string, ...string[]])[] = [
  ['return v => v.Foo;', 'CS1061 Foo'],
  ['return v => v.OutEdges.Any(x => x.Foo == 1);', 'CS1061 Foo'],
  ['return v => v.Id;', 'CS0029 v.Id', 'CS1662 v.Id'],
  ['return v => { int x; return x > 1; };', 'CS0165 x'],
  ['return v => v.GetAllProperties() != null;', 'CS0012 v.GetAllProperties'],
  // By the specification: the compiler that the corpus comes from knows no such patterns.
  ['return v => v.Id switch { < 0 => true, < 5 => false, < 3 => true, _ => false };', 'CS8510 < 3'],
  ['return v => v.Id switch { not 5 => true, 6 => false, _ => true };', 'CS8510 6'],
  ['return v => v.Id switch { < 0 => true, >= 0 and < 3 => false, 3 => true };', 'cs8509 switch'],
  ['return v => v.Id is 1 or var x;', 'CS8780 x'],
  ['return v => v.Id is not var x;', 'CS8518 v.Id is not var x'],
  ['return v => v.Id is < 3 and > 5;', 'CS8518 v.Id is < 3 and > 5'],
  ['return v => v.Id is < 3 or >= 3;', 'cs8794 v.Id is < 3 or >= 3'],
  ['return v => v.Id is > "a";', 'CS0029 "a"'],
  ['return v => v.Label is > "a";', 'CS8781 > "a"'],
  ['return v => v.Label is > null;', 'CS8781 > null'],
  ['return v => 1.5 is > double.NaN;', 'CS8782 double.NaN'],
];

const CORPUS: readonly (readonly [DelegateKind, string, readonly string[]])[] = JSON.parse(
  readFileSync(new URL('fragments-binder.corpus.json', import.meta.url), 'utf8'),
);

describe('what the C# compiler says', () => {
  it.each(CORPUS)('%s %s', (kind, text, expected) => {
    const found = compileDiagnostics(text, kind).map(({ id, start, end }) => `${id} ${text.slice(start, end)}`);
    expect(found.sort()).toEqual([...expected].sort());
  });
});

describe('fragments that do not', () => {
  it.each(BAD)('%s', (text, ...expected) => {
    expect(said(text)).toEqual(expected);
  });
});

describe('bounded work', () => {
  it('looks for later declarations once, however many names are unknown', () => {
    const names = compileDiagnostics(`return v => { ${'foo(); '.repeat(5_000)} return true; };`, 'VertexFilter');
    expect(names.every(({ id }) => id === 'CS0103')).toBe(true);
    expect(names.length).toBe(MAX_DIAGNOSTICS);
  });

  it('binds nested lambdas once for each list of parameter types', () => {
    let inner = 'v.Id';
    for (let at = 0; at < 12; at++) inner = `v.OutEdges.Sum(x${at} => ${inner})`;
    expect(compileDiagnostics(`return v => ${inner} > 3;`, 'VertexFilter')).toEqual([]);
  });
});
