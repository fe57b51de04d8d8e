// What a compiler does with a set: each text is read once, and nothing is emitted of a set with an error in it.

import { expect, test, vi } from 'vitest';
import { compileInSteps, type SetTask } from '../../src/queries/fragments/compile-task.ts';
import { SlidingCache } from '../../src/queries/fragments/sliding-cache.ts';

const { parsed } = vi.hoisted(() => ({ parsed: [] as string[] }));

vi.mock('../../src/fragments/parser/parser.ts', async (original) => {
  const real = await original<typeof import('../../src/fragments/parser/parser.ts')>();
  const parseFragment: typeof real.parseFragment = (text, sink) => {
    parsed.push(text);
    return real.parseFragment(text, sink);
  };
  return { ...real, parseFragment };
});

function resultOf(...fragments: string[]) {
  const texts = Object.fromEntries(fragments.map((text, i) => [`f${i}`, { kind: 'VertexFilter' as const, text }]));
  const task: SetTask = { kind: 'set', texts, shared: true, emits: true };
  const steps = compileInSteps(task);
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, count };
  }
}

test('each text is read once, and the work can be left after each', () => {
  const texts = ['return v => v.Id > 1;', 'return v => v.Gone;', 'return v => v.Id > 2;'];
  parsed.length = 0;
  expect(resultOf(...texts)).toMatchObject({
    value: { ok: false, errors: [expect.stringContaining('CS1061')] },
    count: 3,
  });
  expect(parsed).toEqual(texts);
  parsed.length = 0;
  expect(resultOf('return v => v.Id > 1;')).toMatchObject({ value: { ok: true }, count: 1 });
  expect(parsed).toHaveLength(1);
});

test.each([
  [9, true],
  [10, true],
  [11, false],
])('a cache of 10 bytes keeps a value of %i: %s', (bytes, isKept) => {
  const cache = new SlidingCache<string>({ entries: 5, bytes: 10, ageMs: 1 }, () => 0);
  cache.set('a', 'value', bytes);
  expect(cache.get('a') !== undefined).toBe(isKept);
});

test('a cache gives up what was not used for longest until its bytes suffice', () => {
  const cache = new SlidingCache<string>({ entries: 5, bytes: 10, ageMs: 1 }, () => 0);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 3);
  cache.get('a');
  cache.set('d', 'd', 4);
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd']);
  // A value in the place of another counts once.
  cache.set('d', 'd', 4);
  expect(['a', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd']);
});
