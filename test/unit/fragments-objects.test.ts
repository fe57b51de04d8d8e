// What makes objects in fragments: boxes, arrays, tuples, delegates, exceptions. Each fragment here has to be compiled to WebAssembly, over shared
// and plain memories alike, and to answer what the interpreter answers.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';

interface Case {
  readonly topic: string;
  readonly fragment: string;
}

/** `## topic` lines, and one fragment for each other line that is not empty. `#` begins a comment. */
function casesOf(text: string): Case[] {
  let topic = '';
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) topic = line.slice(3);
    return line === '' || line.startsWith('#') ? [] : [{ topic, fragment: line }];
  });
}

const cases = casesOf(readFileSync(at('test/fixtures/fragments/objects.txt'), 'utf8'));

/** Those that give a number are costs. */
function kindOf(fragment: string): DelegateKind {
  return fragment.startsWith('cost ') ? 'VertexCost' : fragment.startsWith('edge ') ? 'EdgeFilter' : 'VertexFilter';
}

describe.each(corpusCores)('objects over %s', (wasm) => {
  const graph = corpusGraph(wasm);

  it.each(cases)('$topic: $fragment', ({ fragment }) => {
    const text = fragment.replace(/^(cost|edge) /, '');
    const tree = bound(text, kindOf(fragment));
    const plain = emitFragment(tree, false);
    expect(plain.ok ? WebAssembly.validate(plain.fragment.bytes) : plain.reason).toBe(true);
    const compiled = compiledResults(graph, tree);
    expect(compiled).toEqual(interpretedResults(graph, tree));
    expect(
      (compiled as string[]).filter((answer) => /^~?[#!](fuel|NotCompiled)|unreachable|bounds/.test(answer)),
    ).toEqual([]);
  });
});
