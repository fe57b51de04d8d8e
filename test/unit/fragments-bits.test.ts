// BitOperations: what .NET documents of each, compiled and interpreted.

import { describe, expect, it } from 'vitest';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';

const wide = 'ulong.MaxValue';

/** Calls, as what they give. */
const calls: readonly (readonly [call: string, answer: number])[] = [
  ['PopCount(0u)', 0],
  ['PopCount(uint.MaxValue)', 32],
  ['PopCount(0x80000001u)', 2],
  [`PopCount(${wide})`, 64],
  ['PopCount(0x8000000100000003ul)', 4],
  ['LeadingZeroCount(0u)', 32],
  ['LeadingZeroCount(1u)', 31],
  ['LeadingZeroCount(uint.MaxValue)', 0],
  ['LeadingZeroCount(0ul)', 64],
  ['LeadingZeroCount(1ul)', 63],
  ['LeadingZeroCount(0x100000000ul)', 31],
  ['TrailingZeroCount(0)', 32],
  ['TrailingZeroCount(int.MinValue)', 31],
  ['TrailingZeroCount(12u)', 2],
  ['TrailingZeroCount(0x80000000u)', 31],
  ['TrailingZeroCount(0L)', 64],
  ['TrailingZeroCount(long.MinValue)', 63],
  ['TrailingZeroCount(0x300000000ul)', 32],
  ['Log2(0u)', 0],
  ['Log2(1u)', 0],
  ['Log2(1000u)', 9],
  ['Log2(uint.MaxValue)', 31],
  ['Log2(0ul)', 0],
  [`Log2(${wide})`, 63],
  ['RotateLeft(0x80000001u, 1)', 3],
  ['RotateLeft(1u, 33)', 2],
  ['RotateLeft(6u, -1)', 3],
  ['RotateRight(3u, 1)', 0x80000001],
  ['RotateRight(7u, 0)', 7],
  ['RotateLeft(0x8000000000000001ul, 1)', 3],
  ['RotateRight(6ul, 65)', 3],
  ['RotateRight(3ul, -1)', 6],
  ['RotateLeft(5ul, 64)', 5],
];

describe.each(corpusCores)('over %s', (wasm) => {
  const graph = corpusGraph(wasm);

  it.each(calls)('%s', (call, answer) => {
    const tree = bound(`return v => System.Numerics.BitOperations.${call};`, 'VertexCost');
    const expected = interpretedResults(graph, tree);
    expect(new Set(expected)).toEqual(new Set([String(answer)]));
    expect(emitFragment(tree, true).ok).toBe(true);
    expect(compiledResults(graph, tree)).toEqual(expected);
  });
});
