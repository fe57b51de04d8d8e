// Programs of the fragment machine, made of emitted modules: the corpus of results, deep calls, spent fuel, and what is no program.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { BoundProgram, provideMachine } from '../../src/core/machine.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { coreSignatures, operations } from '../../src/fragments/machine/operations.ts';
import { translateFragment } from '../../src/fragments/machine/translate.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { bound, compiledResults, corpusGraph, readable } from './support/fragment-corpus.ts';

interface Entry {
  readonly kind: DelegateKind;
  readonly fragment: string;
  readonly results: readonly string[];
  readonly refused?: string;
}

/** Each fourth fragment; with CORPUS_WHOLE=1 all of them. */
const step = process.env.CORPUS_WHOLE ? 1 : 4;
const over = corpusGraph('dist/wasm/core.plain.wasm');

beforeAll(() => provideMachine(new WebAssembly.Module(readFileSync(at('dist/wasm/machine.plain.wasm')))));

const answers = (text: string, fuel?: number): unknown =>
  compiledResults(over, bound(text, 'VertexFilter'), fuel, 'program');

it('programs answer what C# answers, wherever there is a module', () => {
  const corpus: readonly Entry[] = JSON.parse(readFileSync(at('test/fixtures/fragments/results.json'), 'utf8'));
  const wrong: string[] = [];
  let run = 0;
  for (const { kind, fragment, results } of corpus.filter(
    ({ refused }, at) => refused === undefined && at % step === 0,
  )) {
    const given = compiledResults(over, bound(fragment, kind), undefined, 'program');
    if (!Array.isArray(given)) {
      if ((given as { left: string }).left === 'no program') wrong.push(`no program of ${fragment}`);
      continue;
    }
    run++;
    const expected = results.map(readable);
    if (given.join('\u0000') !== expected.join('\u0000') && !given.includes('!NotCompiled'))
      wrong.push(`${kind} ${fragment}\n  C#   ${expected.join(' | ')}\n  here ${given.join(' | ')}`);
  }
  expect(wrong.join('\n')).toBe('');
  expect(run).toBeGreaterThan(2040 / step);
});

describe('a program', () => {
  it('ends by its fuel, which it spends as its module does', () => {
    const text = 'return v => { for (int i = 0; i < 1000; i++) { } return true; };';
    const fragment = bound(text, 'VertexFilter');
    for (const fuel of [0, 999, 2500, 20_000]) {
      expect(answers(text, fuel)).toEqual(compiledResults(over, fragment, fuel));
    }
    expect(answers('return v => { while (true) { } };', 100_000)).toContain('#fuel');
  });

  it('says that its calls are too deep, and answers those that are deep', () => {
    const deep = (depth: number): string =>
      `return v => { int F(int n) => n == 0 ? 0 : 1 + F(n - 1); return F(${depth}) == ${depth}; };`;
    expect(new Set(answers(deep(200)) as string[])).toEqual(new Set(['1']));
    expect(new Set(answers(deep(100_000)) as string[])).toEqual(new Set(['!InsufficientExecutionStackException']));
  });

  it('takes blocks of ids, and passes those that the filter does', () => {
    const { core } = over;
    const emitted = emitFragment(bound('return v => v.Id % 3 == 1;', 'VertexFilter'), false);
    if (!emitted.ok) throw new Error(emitted.reason);
    const program = translateFragment(emitted.fragment);
    if (program === null) throw new Error('There is no program.');
    const tank = {
      fuel: new WebAssembly.Global({ value: 'i32', mutable: true }, 1_000_000),
      refuel: () => {},
      stack: 0,
    };
    const mark = core.instance.exports.fragmentMark();
    core.instance.exports.fragmentBegin(over.graph);
    const joined = new BoundProgram(core.instance, program, emitted.fragment, tank);
    expect(joined.prepare()).toBe(true);
    const block = core.instance.input(4 * 100) as number;
    for (let id = 0; id < 100; id++) core.instance.words[(block >>> 2) + id] = id;
    const select = joined.select as unknown as (ids: number, count: number, out: number) => number;
    const passed = select(block, 100, block);
    const ids = [...core.instance.words.subarray(block >>> 2, (block >>> 2) + passed)];
    core.instance.exports.fragmentRelease(mark);
    expect(ids).toEqual(Array.from({ length: 33 }, (_, at) => 3 * at + 1));
  });

  it('is told from an instruction that no program has', () => {
    const emitted = emitFragment(bound('return v => v.Id > 1;', 'VertexFilter'), false);
    if (!emitted.ok) throw new Error(emitted.reason);
    const { bytes } = emitted.fragment;
    const at = 2 + bytes.findIndex((byte, i) => byte === 0x41 && bytes[i + 1] === 1 && bytes[i + 2] === 0x4a);
    const changed = bytes.slice();
    changed[at] = 0x3f; // memory.size in the place of i32.gt_s
    expect(translateFragment({ ...emitted.fragment, bytes: changed })).toBeNull();
    expect(translateFragment(emitted.fragment)).not.toBeNull();
  });
});

it('every signature and operation has a number of its own', () => {
  expect(new Set(coreSignatures).size).toBe(coreSignatures.length);
  const numbers = Object.values(operations);
  expect(new Set(numbers).size).toBe(numbers.length);
});
