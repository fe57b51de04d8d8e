// Texts that compiled fragments make, beside the interpreter's: numbers of random bits, dates over the whole range, odd strings, under many
// formats. What C# itself says to some of them is in the corpus (fragments-results.test.ts). The seed is printed; FRAGMENT_SEED repeats a
// run.

// @module-tag long

import { describe, expect, it } from 'vitest';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';
import { randomOf } from './support/fragment-generator.ts';
import { hashFunction, type TextCase, textCases, valueGraph } from './support/fragment-texts.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const vertexCount = Number(process.env.FRAGMENT_TEXTS ?? 150);

describe.each(corpusCores)(`texts over %s: FRAGMENT_SEED=${seed}`, (wasm) => {
  it('writes what the interpreter writes', { timeout: 0 }, () => {
    Error.stackTraceLimit = 0;
    const random = randomOf(seed);
    const over = corpusGraph(wasm, valueGraph(random, vertexCount));
    const wrong: string[] = [];
    const left: string[] = [];
    for (const each of textCases(random)) {
      const text = fragmentOf(each);
      const fragment = bound(text, 'VertexCost');
      const given = compiledResults(over, fragment);
      if (!Array.isArray(given)) {
        left.push(`${given.left} ${each.text}`);
        continue;
      }
      const expected = interpretedResults(over, fragment);
      const index = given.findIndex((answer, at) => answer !== expected[at] && answer !== '!NotCompiled');
      if (index < 0) continue;
      const message = interpretedResults(over, bound(messageOf(each), 'VertexCost'))[index];
      wrong.push(
        `${text}\n  vertex ${JSON.stringify(over.file.vertices[index])}\n  wasm ${given[index]}, interpreter ${expected[index]} ${message}`,
      );
      if (wrong.length >= 5) break;
    }
    expect(wrong.join('\n')).toBe('');
    expect(left).toEqual([]);
  });
});

const declared = ({ reads }: TextCase): string => reads.map((read) => `v.TryGetProperty(out ${read});`).join(' ');

function fragmentOf(each: TextCase): string {
  return `${hashFunction} return v => { ${declared(each)} return h(${each.text}); };`;
}

function messageOf(each: TextCase): string {
  return `return v => { ${declared(each)} throw new Exception((${each.text}) + ""); };`;
}
