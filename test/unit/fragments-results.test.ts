// The corpus of results: fragments over the graph of graph.json with what a real C# compiler and runtime answered for every element
// (scripts/fragment-oracle writes them). Each runs in the interpreter and, where it is compiled, as WebAssembly.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { compileDiagnostics } from '../../src/fragments/compile.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import {
  bound,
  compiledResults,
  corpusCores,
  corpusGraph,
  interpretedResults,
  readable,
} from './support/fragment-corpus.ts';

interface Entry {
  readonly topic: string;
  readonly kind: DelegateKind;
  readonly fragment: string;
  readonly results: readonly string[];
  /** `specification`: newer than the compiler that was asked, worked out by hand. */
  readonly by?: string;
  /** Fragments do without this part of C#; the id of what they are told. */
  readonly refused?: string;
}

const corpus: readonly Entry[] = JSON.parse(readFileSync(at('test/fixtures/fragments/results.json'), 'utf8'));

const [asked, refused] = [corpus.filter((entry) => !entry.refused), corpus.filter((entry) => entry.refused)];

it('has the fragments that are refused refused', () => {
  for (const { kind, fragment, refused: id } of refused)
    expect(compileDiagnostics(fragment, kind)[0]?.id, fragment).toBe(id);
  expect(asked.length).toBeGreaterThan(700);
});

/** Shown by documentation of the contract, and no C#: what is out cannot be inferred, and these members and types are out of reach. */
it.each([
  ['VertexCost', 'return (v) => v.TryGetProperty(out var age, "age") ? (double)age : 1.0;', 'CS0411'],
  ['EdgeFilter', 'return (e) => e.TryGetProperty(out var weight, "weight") && (double)weight < 10;', 'CS0411'],
  ['VertexFilter', 'return (v) => v.GetAllNeighbors().Any(n => n.Label == "a" && n.Id > 1);', 'CS0012'],
  ['VertexFilter', 'return (v) => v.DoesNotExist;', 'CS1061'],
  ['VertexFilter', 'return (v) => v.GetAge() > 30;', 'CS1061'],
  ['VertexFilter', 'return (v) => v.GetAllProperties() != null;', 'CS0012'],
  ['VertexFilter', 'return (v) => v.GetAllNeighbors() != null;', 'CS0012'],
  ['VertexFilter', 'return (v) => v.GetIncomingEdgeIds() != null;', 'CS0012'],
  ['VertexFilter', 'return (v) => v.GetOutgoingEdgeIds() != null;', 'CS0012'],
  ['VertexFilter', 'return (v) => v.EdgePropertyId == "x";', 'CS1061'],
  ['VertexFilter', 'return (v) => new StringBuilder().Length == v.Label.Length ? true : false;', 'CS0246'],
  [
    'GraphElementFilter',
    'return (ge) => ge.Id < 1000 && ((v) => v.TryGetProperty(out int age, "age"))(ge) && age > 10;',
    'CS0149',
  ],
] as const)('%s %s is told %s', (kind, text, id) => {
  expect(compileDiagnostics(text, kind).map((diagnostic) => diagnostic.id)).toContain(id);
});

/** Of the fragments asked: raise it with every construct that is compiled. */
const leastCompiled = 2045;

/** The plain core runs the same code as the shared one: where time is short it is left out. */
const tagged = corpusCores.map((wasm) => [wasm, wasm.includes('plain') ? { tags: ['long'] } : {}] as const);

for (const [wasm, options] of tagged)
  describe(`the corpus over ${wasm}`, options, () => {
    const graph = corpusGraph(wasm);

    it('gives what C# gives in the interpreter', () => {
      const wrong: string[] = [];
      for (const { kind, fragment, results } of asked) {
        let given: readonly string[];
        try {
          given = interpretedResults(graph, bound(fragment, kind));
        } catch (error) {
          given = [String(error)];
        }
        if (given.join('\\u0000') === results.map(readable).join('\\u0000')) continue;
        wrong.push(`${kind} ${fragment}\n  C#   ${results.map(readable).join(' | ')}\n  here ${given.join(' | ')}`);
      }
      expect(wrong.join('\n')).toBe('');
    });

    it('gives what C# gives as WebAssembly', () => {
      const wrong: string[] = [];
      const left = new Map<string, number>();
      for (const { kind, fragment, results } of asked) {
        const given = compiledResults(graph, bound(fragment, kind));
        if (!Array.isArray(given)) {
          const { left: reason } = given as { left: string };
          left.set(reason, (left.get(reason) ?? 0) + 1);
          continue;
        }
        const expected = results.map(readable);
        if (given.join('\\u0000') === expected.join('\\u0000') || given.includes('!NotCompiled')) continue;
        wrong.push(`${kind} ${fragment}\n  C#   ${expected.join(' | ')}\n  wasm ${given.join(' | ')}`);
      }
      const leftCount = [...left.values()].reduce((sum, count) => sum + count, 0);
      console.log(`${asked.length - leftCount} of ${asked.length} fragments of the corpus are compiled to WebAssembly`);
      expect(wrong.join('\n')).toBe('');
      expect(asked.length - leftCount).toBeGreaterThanOrEqual(leastCompiled);
      if (process.env.FRAGMENTS_LEFT) {
        for (const [reason, count] of [...left].sort(([, a], [, b]) => b - a)) console.log(`${count} ${reason}`);
      }
    });
  });
