// Whole classes: each file of the corpus declares its own types and says by `Case.Run()` what they do. What it says is what the real compiler and
// runtime say (scripts/plugin-oracle); the interpreter says the same, and the compiled module wherever the emitter takes it.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { bindPlugin } from '../../src/fragments/plugins/compile.ts';
import type { EmittedOutcome } from '../../src/queries/plugins/emitted.ts';
import { boundPlugin, PluginHome } from './support/plugin-corpus.ts';

const folder = at('test/fixtures/plugins/classes');
const answers: Readonly<Record<string, string>> = JSON.parse(readFileSync(`${folder}/answers.json`, 'utf8'));
const cases = readdirSync(folder).filter((file) => file.endsWith('.cs'));

/** What the model of the engine beside the real compiler has not. */
const onNothing = `using System;
using System.Collections.Generic;
using NoSQL.GraphDB.Core.Model;
public static class Case {
  static string said = "";
  static int Say(int n) { said += n + ","; return n; }
  static string Word(string text) { said += text; return text; }
  static void Try(Action action) {
    try { action(); } catch (NullReferenceException) { said += ";"; }
  }
  public static string Run() {
    VertexModel vertex = null;
    IFallen8 graph = null;
    PriorityQueue<int, int> queue = null;
    Try(() => vertex.TryGetProperty<int>(out var age, Word("a")));
    Try(() => { foreach (var one in graph.GetAllVertices(Word("c"))) Say(one.Id); });
    Try(() => queue.Enqueue(Say(1), Say(2)));
    Try(() => graph.TryGetVertex(out vertex, Say(3)));
    return said.TrimEnd(';');
  }
}`;

/** A function that throws what the case says. */
function pluginOf(source: string): string {
  const space = /^namespace ([\w.]+)/m.exec(source)?.[1];
  const usings = ['Core', 'Core.Plugin', 'Core.Plugins'].map((name) => `using NoSQL.GraphDB.${name};`).join(' ');
  const missing = ['System', 'System.Collections.Generic'].filter((name) => !source.includes(`using ${name};`));
  const head = `${usings} ${missing.map((name) => `using ${name};`).join(' ')}`;
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line.startsWith('using'));
  lines[first] = `${head} ${lines[first]}`;
  return `${lines.join('\n')}
public sealed class Says : IGraphFunction {
  public string PluginName => "Says"; public Type PluginCategory => typeof(IGraphFunction);
  public string Description => ""; public string Manufacturer => "tests";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    throw new InvalidOperationException(${space === undefined ? '' : `${space}.`}Case.Run());
  }
}`;
}

function saidBy(outcome: EmittedOutcome | string): string {
  if (typeof outcome === 'string') return `not compiled: ${outcome}`;
  return outcome.kind === 'exception' ? outcome.message : JSON.stringify(outcome);
}

describe('classes of a source', () => {
  const home = new PluginHome('dist/wasm/debug/core.shared.wasm');

  it.each(cases)('%s says what the real compiler makes of it', (file) => {
    const name = file.replace('.cs', '');
    const bound = boundPlugin(pluginOf(readFileSync(`${folder}/${file}`, 'utf8')), 'GraphFunction');
    expect(saidBy(home.interpreted(bound))).toBe(answers[name]);
    const compiled = saidBy(home.compiled(bound));
    if (!compiled.startsWith('not compiled')) expect(compiled).toBe(answers[name]);
    else console.log(file, compiled);
  });

  // Worked out by hand from the language's specification: the compiler at hand knows C# 7.
  it.each([
    ['records are equal by their values', 'new P(1, 2) == new P(1, 2)', 'True'],
    ['records differ by their values', 'new P(1, 2) != new P(1, 3)', 'True'],
    ['records as keys', 'new HashSet<P> { new P(1, 2), new P(1, 2), new P(2, 1) }.Count', '2'],
    ['records derive', 'new Q(1, 2, "n").Sum() + new Q(1, 2, "n").Name', '3n'],
    ['records say their values', 'new Q(1, 2, "n")', 'Q { X = 1, Y = 2, Name = n }'],
    ['records of other types differ', 'new P(1, 2) == new Q(1, 2, null)', 'False'],
    ['members that are set once', 'new Once { Value = 5 }.Value', '5'],
    ['an index from the end', 'new[] { 1, 2, 3 }.Where(x => x > 0).ElementAt(^1)', '3'],
    [
      'a range of a sequence',
      'string.Join(",", Enumerable.Range(0, 6).Take(1..3)) + string.Join(",", Enumerable.Range(0, 6).Take(^2..))',
      '1,24,5',
    ],
    ['a declaration that is disposed of', 'Twice()', 'body-b-a'],
    ['a switch over types', 'Kind(new P(3, 4)) + Kind(new Once()) + Kind(null)', 'P3otherother'],
    ['a heap of structs', 'Heap()', '123'],
    ['days over the end of a month', 'new DateOnly(2024, 2, 28).AddDays(2).ToString("yyyy-MM-dd")', '2024-03-01'],
    ['months keep to the last day', 'new DateOnly(2024, 1, 31).AddMonths(1).ToString("o")', '2024-02-29'],
    ['a leap day a year later', 'new DateOnly(2024, 2, 29).AddYears(1).ToString("yyyy-MM-dd")', '2025-02-28'],
    ['days that are read', 'DateOnly.Parse("2024-02-29").DayOfYear', '60'],
    ['days by their number', 'DateOnly.FromDateTime(new DateTime(2020, 5, 6, 7, 8, 9)).DayNumber', '737550'],
    [
      'days of the week, and their order',
      '(new DateOnly(2024, 1, 1) < new DateOnly(2024, 2, 29)) + "," + new DateOnly(2024, 2, 29).DayOfWeek',
      'True,Thursday',
    ],
    [
      'a day with its time',
      'new DateOnly(2024, 3, 4).ToDateTime(new TimeOnly(5, 6)).ToString("yyyy-MM-dd HH:mm")',
      '2024-03-04 05:06',
    ],
    ['times over midnight', 'new TimeOnly(23, 30).AddHours(1).ToString("HH:mm:ss")', '00:30:00'],
    ['from one time to an earlier one', 'new TimeOnly(10, 0) - new TimeOnly(11, 30)', '22:30:00'],
    [
      'between two times around midnight',
      'new TimeOnly(23, 0).IsBetween(new TimeOnly(22, 0), new TimeOnly(2, 0))',
      'True',
    ],
    ['a method of a struct just made', 'new Added(3).Add(4)', '7'],
    ['values of an enum by a switch expression', 'Of(Level.High)', 'top'],
    ['fields that a constructor of a struct leaves out', 'new Half(3).X + "," + new Half(3).Y', '3,0'],
    ['a method that a constructor of a struct calls first', 'new Early(2).X', '2'],
    ['words and types of an interface', 'new Shown().F() + new Shown().G() + new IShown.Inner().Seven', '8'],
    ['a var that holds a lambda, a method, a method of an object', 'Held()', '1,body,5'],
    ['an operator that shifts by an object', '(new Shift(1) << new Shift(3)).Bits', '8'],
    ['a text that may be null, and a static local function', 'Local(null) + Local("a")', 'none1a1'],
  ])('%s', (_what, expression, answer) => {
    const bound = boundPlugin(pluginOf(newer.replace('EXPRESSION', expression)), 'GraphFunction');
    expect(saidBy(home.interpreted(bound))).toBe(answer);
    const compiled = saidBy(home.compiled(bound));
    if (!compiled.startsWith('not compiled')) expect(compiled).toBe(answer);
  });

  it('evaluates arguments before an element, the engine or a queue by priority turns out to be null', () => {
    const bound = boundPlugin(pluginOf(onNothing), 'GraphFunction');
    const said = 'a;c;1,2,;3,';
    expect(saidBy(home.interpreted(bound))).toBe(said);
    expect(saidBy(home.compiled(bound))).toBe(said);
  });

  it.each([
    ['class A { int x; string x; }', 'CS0102'],
    ['class A { void F() { } void F() { } }', 'CS0111'],
    ['class A { } class A { }', 'CS0101'],
    ['abstract class A { public abstract int F(); } class B : A { }', 'CS0534'],
    ['interface I { int F(); } class B : I { }', 'CS0535'],
    ['class A { public override int F() => 1; }', 'CS0115'],
    ['class A { public int F() => 1; } class B : A { public override int F() => 2; }', 'CS0506'],
    ['sealed class A { } class B : A { }', 'CS0509'],
    ['class A : B { } class B : A { }', 'CS0146'],
    ['class A { private int x; } class B { int F(A a) => a.x; }', 'CS0122'],
    ['class A { int x; static int F() => x; }', 'CS0120'],
    ['class A { static int F() => this.GetHashCode(); }', 'CS0026'],
    ['class A { readonly int x; void F() { x = 1; } }', 'CS0191'],
    ['class A { static readonly int x; void F() { x = 1; } }', 'CS0198'],
    ['class A { int X { get; } void F() { X = 1; } }', 'CS0200'],
    ['class A { A(int x) { } } class B { A F() => new A(); }', 'CS7036'],
    ['abstract class A { } class B { A F() => new A(); }', 'CS0144'],
    ['static class A { int x; }', 'CS0708'],
    ['struct S { public int X; } class A { S P { get; } void F() { P.X = 1; } }', 'CS1612'],
    ['class A { const int x = y; const int y = x; }', 'CS0110'],
    ['class A { int F() { } }', 'CS0161'],
    ['class A { int F(); }', 'CS0501'],
    ['class A { Unknown x; }', 'CS0246'],
    ['class A { int F() { yield return 1; } }', 'CS1624'],
    ['class A<T> { }', 'CS8652'],
    ['class A { ~A() { } }', 'CS8652'],
    ['class A { unsafe void F() { } }', 'CS0227'],
    ['class A { void F() { var t = new System.Threading.Thread(null); } }', 'CS1069'],
    ['class A : System.IO.Stream { }', 'CS1069'],
    ['#if X', 'CS1027'],
    ['#endif', 'CS1028'],
    ['#error no', 'CS1029'],
    ['class A {', 'CS1513'],
    ['int x;', 'CS0116'],
    ['using Unknown.Space;', 'CS1529'],
  ])('%s is %s', (source, id) => {
    const binding = bindPlugin(`${pluginOf(newer.replace('EXPRESSION', '""'))}\n${source}\n`, 'GraphFunction');
    expect(binding.ok ? [] : binding.errors.join('\n')).toMatch(new RegExp(`error ${id}:`));
  });
});

const newer = `using System; using System.Collections.Generic; using System.Linq;
public record P(int X, int Y) { public int Sum() => X + Y; }
public record Q(int X, int Y, string Name) : P(X, Y);
public class Once { public int Value { get; init; } }
public enum Level { Low, High }
public struct Added { public int Sum; public Added(int n) { Sum = n; } public int Add(int n) { Sum += n; return Sum; } }
public class Closes : IDisposable { public static string Log = ""; readonly string name; public Closes(string name) { this.name = name; }
  public void Dispose() { Log += "-" + name; } }
public struct Half { public int X; public int Y; public Half(int x) { X = x; } }
public struct Early { public int X; public Early(int x) { this.Set(1); X *= x; } void Set(int x) { X = x; } }
public interface IShown { public int F(); abstract int G(); class Inner { public int Seven = 7; } }
public class Shown : IShown { public int F() => 0; public int G() => 1; }
public struct Shift { public int Bits; public Shift(int bits) { Bits = bits; }
  public static Shift operator <<(Shift a, Shift b) => new Shift(a.Bits << b.Bits); }
public struct Item { public int Cost; public string Name; }
public static class Case {
  static string Body() { using var a = new Closes("a"); using var b = new Closes("b"); return "body"; }
  static string Twice() => Body() + Closes.Log;
  static string Kind(object o) => o switch { P p when p.X > 2 => "P" + p.X, _ => "other" };
  static string Of(Level level) => level switch { Level.Low => "bottom", Level.High => "top", _ => "none" };
  static string Held() { var one = () => 1; var body = Bare; var sum = new P(2, 3).Sum; return one() + "," + body() + "," + sum(); }
  static string Bare() => "body";
  static string Local(string? s) { static int One() => 1; return (s ?? "none") + One(); }
  static string Heap() { var queue = new PriorityQueue<Item, int>(); foreach (var cost in new[] { 3, 1, 2 }) queue.Enqueue(new Item { Cost = cost }, cost);
    var text = ""; while (queue.Count > 0) text += queue.Dequeue().Cost; return text; }
  public static string Run() => "" + (EXPRESSION);
}
`;
