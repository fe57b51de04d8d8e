// The best elements for some words through the core's counting, against the naive model that tries expressions on every text: scores and
// order, for texts within ASCII and beyond, long and short, under one key and several, after removals and a trim. WORDS_SEED repeats a run.

import { expect, test } from 'vitest';
import { TypeId } from '../../src/core/values.ts';
import type { WordQuery } from '../../src/engine/indexes/types.ts';
import { graphOf, startedWith } from '../unit/engine-support.ts';
import { randomFrom } from '../unit/support/reads-values.ts';
import { NaiveGraph } from './naive-graph.ts';

const seed = Number(process.env.WORDS_SEED ?? (Date.now() ^ 0x3a7) >>> 0);
const random = randomFrom(seed);
const below = (count: number): number => Math.floor(random() * count);
const one = <Item>(list: readonly Item[]): Item => list[below(list.length)] as Item;

const words = [
  'oil',
  'Oil',
  'foil',
  'oilfield',
  'OILED',
  'a',
  'aa',
  'be',
  'kelvin',
  '\u212aelvin',
  'glass',
  'gla\u017fs',
  'grün',
  'GRÜN',
];
const marks = [' ', ' ', ' ', '_', '-', '\n', '.', '', 'é', '\u{1f600}', '@', '`', '[', '{'];
const textOf = (most: number): string => {
  let text = '';
  for (let i = below(most); i >= 0; i--) text += one(words) + one(marks);
  return text;
};

test(`words find what the model finds (WORDS_SEED=${seed})`, { tags: ['long'] }, async () => {
  const { engine } = await startedWith();
  const live = graphOf(engine);
  const naive = new NaiveGraph(() => 1);
  const both = [live, naive];
  for (const { indexes } of both) indexes.create('x', 'RegExIndex', new Map(), false);
  const vertex = { kind: 'createVertex', creationDate: 1, label: null, properties: [] } as const;
  const count = 300;
  for (const graph of both) graph.write(Array.from({ length: count }, () => vertex));
  for (let i = 0; i < 500; i++) {
    const text = textOf(one([1, 3, 8, 60, 400]));
    const element = below(count);
    for (const { indexes } of both) indexes.add('x', element, TypeId.string, text);
  }
  const check = async (): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      const text = Array.from({ length: 1 + below(4) }, () =>
        one([...words, 'field', 'il', 'oil.', 'ü', 'missing']),
      ).join(' ');
      const query: WordQuery = {
        ...{ index: 'x', text, score: one(['matches', 'bm25']), most: one([1, 5, 50, 1000]), timeoutMs: 60_000 },
      };
      const [found, all] = [await live.indexes.words(query), await naive.indexes.words({ ...query, most: 1e6 })];
      const expected = new Map(Array.from(all?.ids ?? [], (id, rank) => [id, all?.scores[rank] ?? 0]));
      const ids = Array.from(found?.ids ?? []);
      expect(ids.length, JSON.stringify(query)).toBe(Math.min(query.most, expected.size));
      expect(new Set(ids).size).toBe(ids.length);
      for (const [rank, id] of ids.entries()) {
        const score = found?.scores[rank] ?? -1;
        expect(score, JSON.stringify(query)).toBeCloseTo(expected.get(id) ?? -1, 9);
        expect(score).toBeCloseTo(all?.scores[rank] ?? -1, 9);
        // Sums of relevance in another order differ in their last digits; numbers of matches are exact, and so is the order among equals.
        if (query.score === 'matches') expect(id).toBe(all?.ids[rank]);
      }
    }
  };
  await check();
  for (let i = 0; i < 100; i++) {
    const element = below(count);
    for (const graph of both) graph.write([{ kind: 'removeElement', element, skipRemoved: true }]);
  }
  await check();
  for (const graph of both) graph.write([{ kind: 'trim' }]);
  await check();
  expect(await live.indexes.words({ index: 'none', text: 'a', score: 'bm25', most: 1, timeoutMs: 1000 })).toBe(null);
  await engine.close();
});
