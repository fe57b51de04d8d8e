// Fragments compiled to WebAssembly and run over a real graph: what each answers for each element, beside the same thing said in
// JavaScript. Every fragment here must be compiled; what is left to the interpreter is listed at the end.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { BoundFragmentModule } from '../../src/core/fragments.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { bindFragment } from '../../src/fragments/compile.ts';
import type { Diagnostic } from '../../src/fragments/diagnostics.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { failures } from '../../src/fragments/emit/wasm/failures.ts';
import { foreignImports } from '../../src/fragments/emit/wasm/imports.ts';
import { createInterpreter } from '../../src/fragments/interpreter/index.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { CoreElements, realFunctions } from '../../src/queries/fragments/elements.ts';

interface Subject {
  readonly core: Core;
  readonly graph: number;
}

function subject(file: string): Subject {
  const module = new WebAssembly.Module(readFileSync(at(file)));
  const core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 28);
  const graph = core.createGraph();
  const properties = (values: Record<string, [number, string]>) =>
    Object.entries(values).map(([key, [type, text]]) => ({ key, type: type as TypeId, text }));
  const vertex = (label: string | null, values: Record<string, [number, string]> = {}): WriteOperation => ({
    kind: 'createVertex',
    creationDate: 1_600_000_000,
    label,
    properties: properties(values),
  });
  const edge = (
    source: number,
    target: number,
    edgeType: string,
    values: Record<string, [number, string]> = {},
  ): WriteOperation => ({
    kind: 'createEdge',
    creationDate: 0,
    label: null,
    source,
    target,
    edgeType,
    properties: properties(values),
  });
  const write = (operations: readonly WriteOperation[]): void => {
    const done = core.write(graph, operations, 1_700_000_000_000);
    if (!done.ok) throw new Error(`refused ${done.status}`);
  };
  write([
    vertex('person', { age: [TypeId.int32, '42'], name: [TypeId.string, 'Trent'], score: [TypeId.double, '1.5'] }),
    vertex('person', {
      age: [TypeId.int32, '17'],
      name: [TypeId.string, 'Ångström'],
      active: [TypeId.boolean, 'true'],
    }),
    vertex('city', { name: [TypeId.string, 'Zürich'], age: [TypeId.int64, '42'] }),
    vertex(null, { text: [TypeId.string, 'hello world'], note: [TypeId.string, '😀 smile'] }),
  ]);
  write([
    edge(0, 1, 'knows', { weight: [TypeId.double, '2.5'] }),
    edge(0, 2, 'livesIn', { weight: [TypeId.double, '0.5'] }),
    edge(1, 2, 'livesIn'),
    edge(0, 3, 'knows'),
  ]);
  return { core, graph };
}

/** Compiles, joins and prepares a fragment; answers what it gives for an id. */
function compiled({ core, graph }: Subject, kind: DelegateKind, text: string): (id: number) => number {
  const found: Diagnostic[] = [];
  const bound = bindFragment(text, kind, { report: (diagnostic) => found.push(diagnostic) });
  if (bound === null) throw new Error(`${text}: ${found.map(({ id, message }) => `${id} ${message}`).join('; ')}`);
  const emitted = emitFragment(bound, true);
  if (!emitted.ok) throw new Error(`${text}: ${emitted.reason}`);
  const { bytes, names, texts } = emitted.fragment;
  const module = new WebAssembly.Module(bytes);
  expect(foreignImports(module)).toEqual([]);
  const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 1_000_000);
  const refuel = (): void => {
    throw new Error('no fuel');
  };
  core.instance.exports.fragmentBegin(graph);
  core.instance.exports.contextSet(0, 0, 0, 0, 0, 0);
  const joined = new BoundFragmentModule(core.instance, { module, names, texts }, { fuel, refuel });
  expect(joined.prepare()).toBe(true);
  return joined.call as unknown as (id: number) => number;
}

/** The same in the interpreter. */
function interpreted({ core, graph }: Subject, kind: DelegateKind, text: string): (id: number) => boolean | number {
  const bound = bindFragment(text, kind, { report: () => {} });
  if (bound === null) throw new Error(text);
  core.instance.exports.fragmentBegin(graph);
  const budget = { fuel: 1_000_000, memoryBytes: 2 ** 24, depth: 200, cancelled: null };
  const context = {
    queryVector: null,
    embeddingName: 'default',
    metric: 0,
    score: () => Number.NaN,
    reals: realFunctions(core.instance),
  } as const;
  const binding = createInterpreter(bound).bind(new CoreElements(core.instance), context, budget);
  if (binding.kind !== 'ready') throw new Error(`${text}: ${binding.kind}`);
  return (id) => {
    const outcome = binding.call(id);
    if (outcome.kind !== 'value') throw new Error(`${text}: ${JSON.stringify(outcome)}`);
    return outcome.value;
  };
}

/** Vertices 0 to 3, then edges 4 to 7. */
const vertexCases: readonly [string, readonly boolean[]][] = [
  ['return (v) => v.Label == "person";', [true, true, false, false]],
  ['return (v) => v.Label != "person";', [false, false, true, true]],
  ['return v => v.Label == null;', [false, false, false, true]],
  ['return v => "city" == v.Label;', [false, false, true, false]],
  ['return v => v.Label == "nobody";', [false, false, false, false]],
  ['return (v) => v.TryGetProperty<int>(out var age, "age") && age > 30;', [true, false, false, false]],
  ['return (v) => v.TryGetProperty(out int age, "age") && age < 30;', [false, true, false, false]],
  ['return (v) => v.TryGetProperty<long>(out var age, "age") && age == 42;', [false, false, true, false]],
  ['return (v) => v.TryGetProperty<double>(out var s, "score") && s * 2 >= 3.0;', [true, false, false, false]],
  ['return (v) => v.TryGetProperty<bool>(out var a, "active") && a;', [false, true, false, false]],
  ['return (v) => v.TryGetProperty<string>(out var n, "name") && n.StartsWith("T");', [true, false, false, false]],
  ['return (v) => v.TryGetProperty<string>(out var n, "name") && n.Length == 8;', [false, true, false, false]],
  ['return (v) => v.TryGetProperty<string>(out var n, "name") && n.Contains("ström");', [false, true, false, false]],
  ['return (v) => v.TryGetProperty<string>(out var n, "name") && n.Contains("ÅNG", StringComparison.OrdinalIgnoreCase);', [false, true, false, false]],
  ['return (v) => v.TryGetProperty<string>(out var n, "name") && n.EndsWith("rich");', [false, false, true, false]],
  ['return (v) => v.TryGetProperty<string>(out var n, "name") && n.Length == 5 && n.ToLower() == "trent";', [true, false, false, false]],
  ['return v => v.AnyPropertyValueMatches(s => s.Contains("world"));', [false, false, false, true]],
  ['return v => v.AnyPropertyValueMatches(s => { if (s.Length < 5) return false; return s[0] == \'T\'; });', [true, false, false, false]],
  ['return v => v.Id % 2 == 0;', [true, false, true, false]],
  ['return v => v.GetOutDegree() > 1u;', [true, false, false, false]],
  ['return v => v.GetOutDegree() + v.GetInDegree() == 2;', [false, true, true, false]],
  ['return v => v.OutEdges != null && v.OutEdges.ContainsKey("knows");', [true, false, false, false]],
  ['return v => v.OutEdges?.ContainsKey("livesIn") == true;', [true, true, false, false]],
  ['return v => v.OutEdges != null && v.OutEdges.Values.Any(list => list.Any(e => e.TargetVertex.Label == "city"));', [true, true, false, false]],
  ['return v => v.OutEdges != null && v.OutEdges.TryGetValue("knows", out var list) && list.Count == 2;', [true, false, false, false]],
  ['return v => v.TryGetOutEdge(out var edges, "knows") && edges.All(e => e.TargetVertex.Id > 0);', [true, false, false, false]],
  ['return v => v.TryGetInEdge(out var edges, "livesIn") && edges.Count(e => e.SourceVertex.Label == "person") == 2;', [false, false, true, false]],
  ['return v => { var total = 0; for (var i = 0; i <= v.Id; i++) { if (i == 2) continue; total += i; } return total > 3; };', [false, false, false, true]],
  ['var limit = 20; return v => v.TryGetProperty<int>(out var age, "age") && age > limit;', [true, false, false, false]],
  ['bool adult(int age) => age >= 18; return v => v.TryGetProperty<int>(out var age, "age") && adult(age);', [true, false, false, false]],
  ['return v => v.Label switch { "person" => true, null => true, _ => false };', [true, true, false, true]],
  ['return v => v.Label is "city" or null;', [false, false, true, true]],
  ['return v => v.GetPropertyCount() is > 2 and < 4;', [true, true, false, false]],
  ['return v => !context.HasQueryVector;', [true, true, true, true]],
  ['return v => (v.Label ?? "none").Length == 4;', [false, false, true, true]],
  ['return v => string.IsNullOrEmpty(v.Label);', [false, false, false, true]],
  ['return v => v.GetCreationDate() <= v.GetModificationDate() && v.GetCreationDate().Ticks > 0L;', [true, true, true, true]],
  ['return v => { foreach (var c in v.Label ?? "") { if (c == \'y\') return true; } return false; };', [false, false, true, false]],
  ['return v => { if (v.OutEdges == null) return false; foreach (var pair in v.OutEdges) { if (pair.Key == "livesIn" && pair.Value.Count == 1) return true; } return false; };', [true, true, false, false]],
  ['return v => Math.Max(v.Id, 2) == 2 && Math.Sqrt(v.Id * 1.0) < 1.2;', [true, true, false, false]],
  ['return v => (byte)(v.Id + 255) == 0;', [false, true, false, false]],
  ['return v => v.OutEdges != null && v.OutEdges.Values.SelectMany(l => l).Where(e => e.TargetVertex.Id == 2).Select(e => e.EdgePropertyId).Any(t => t == "livesIn");', [true, true, false, false]],
]; // biome-ignore format: a table

const files = ['dist/wasm/core.shared.wasm', 'dist/wasm/debug/core.shared.wasm'];

describe.each(files)('compiled fragments over %s', (file) => {
  const over = subject(file);

  it.each(vertexCases)('%s', (text, expected) => {
    const call = compiled(over, 'VertexFilter', text);
    expect([0, 1, 2, 3].map((id) => call(id) !== 0)).toEqual(expected);
    const other = interpreted(over, 'VertexFilter', text);
    expect([0, 1, 2, 3].map((id) => other(id))).toEqual(expected);
  });

  it('filters blocks of ids as it filters one', () => {
    for (const [text, expected] of vertexCases) {
      const bound = bindFragment(text, 'VertexFilter', { report: () => {} });
      const emitted = bound === null ? null : emitFragment(bound, true);
      if (emitted?.ok !== true) throw new Error(text);
      const { core, graph } = over;
      const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 1_000_000);
      const module = new WebAssembly.Module(emitted.fragment.bytes);
      core.instance.exports.fragmentBegin(graph);
      const joined = new BoundFragmentModule(
        core.instance,
        { module, ...emitted.fragment },
        { fuel, refuel: () => {} },
      );
      joined.prepare();
      const [index] = [
        core.instance.functions.install(`block ${text}`, () => [joined.select as WebAssembly.ExportValue]),
      ];
      const count = core.instance.exports.fragmentSweep(graph, 1, index, 1, 0, 4);
      expect(count, text).toBe(expected.filter(Boolean).length);
    }
  });

  it('filters edges and edge types', () => {
    const edges = compiled(
      over,
      'EdgeFilter',
      'return e => e.EdgePropertyId == "knows" && e.TargetVertex.Label == null;',
    );
    expect([4, 5, 6, 7].map((id) => edges(id) !== 0)).toEqual([false, false, false, true]);
    const types = compiled(over, 'EdgePropertyFilter', 'return t => t.StartsWith("kn");');
    const id = over.core.instance.exports.fragmentTypeId(4);
    expect(types(id)).toBe(1);
  });

  it('costs', () => {
    const cost = compiled(over, 'EdgeCost', 'return e => e.TryGetProperty<double>(out var w, "weight") ? w : 10;');
    expect([4, 5, 6, 7].map((id) => cost(id))).toEqual([2.5, 0.5, 10, 10]);
    const vertexCost = compiled(over, 'VertexCost', 'return v => v.Id * 0.5f + 1;');
    expect([0, 1, 2].map((id) => vertexCost(id))).toEqual([1, 1.5, 2]);
  });

  it.each([
    ['return v => v.Label.Length > 0;', 'NullReferenceException'],
    ['return v => 10 / (v.Id - 3) > 0;', 'DivideByZeroException'],
    ['return v => v.OutEdges["nothing"].Count > 0;', 'NullReferenceException'],
    ['return v => "abc"[v.Id] == \'x\';', 'IndexOutOfRangeException'],
    ['return v => "abc".Substring(v.Id + 1).Length == 0;', 'ArgumentOutOfRangeException'],
    ['return v => checked(v.Id * 2147483647) > 0;', 'OverflowException'],
    ['return v => throw new Exception("no");', 'Exception'],
  ])('%s throws for the last vertex', (text, exception) => {
    const call = compiled(over, 'VertexFilter', text);
    let failure = 0;
    try {
      call(3);
    } catch (error) {
      failure = (error as { failure: number }).failure;
    }
    expect(failures[failure]).toBe(exception);
  });

  it('stops loops and recursion without end', () => {
    expect(() => compiled(over, 'VertexFilter', 'return v => { while (true) { } };')(0)).toThrow('no fuel');
    expect(() => compiled(over, 'VertexFilter', 'int f(int n) => f(n + 1) + 1; return v => f(0) > 0;')(0)).toThrow();
  });
});
