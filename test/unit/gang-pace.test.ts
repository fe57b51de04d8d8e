// How many threads a job takes, by what jobs like it took before: a machine on which a second thread does not help uses one.

import { expect, test } from 'vitest';
import { GangPace, helpsFrom } from '../../src/engine/jobs/gang-pace.ts';

const bytes = 2 ** 28;

/** Members of so many passes on a machine where one thread takes `aloneMs` and two take `togetherMs`. */
function passes(count: number, aloneMs: number, togetherMs: number, size = bytes): number[] {
  let nowMs = 0;
  const pace = new GangPace(() => nowMs);
  return Array.from({ length: count }, () => {
    const { members, ended } = pace.begin(2, size, 'a');
    nowMs += members === 1 ? aloneMs : togetherMs;
    ended(members);
    return members;
  });
}

function share(of: readonly number[], members: number): number {
  return of.filter((had) => had === members).length / of.length;
}

test('one thread where two take longer, or hardly less time; two where they help', () => {
  expect(share(passes(1000, 8.4, 11.5), 1)).toBeGreaterThan(0.95);
  expect(share(passes(1000, 8.4, 8.4 / (helpsFrom - 0.01)), 1)).toBeGreaterThan(0.95);
  expect(share(passes(1000, 8.4, 8.4 / (helpsFrom + 0.01)), 2)).toBeGreaterThan(0.95);
  expect(share(passes(1000, 20, 10.5), 2)).toBeGreaterThan(0.95);
});

test('both ways are tried again and again: a machine may change', () => {
  for (const togetherMs of [5, 20]) {
    const had = passes(200, 10, togetherMs).slice(20);
    expect(new Set(had.slice(0, 64)).size).toBe(2);
  }
});

test('follows a machine that changes', () => {
  let nowMs = 0;
  let togetherMs = 5;
  const pace = new GangPace(() => nowMs);
  const pass = (): number => {
    const { members, ended } = pace.begin(2, bytes, 'a');
    nowMs += members === 1 ? 10 : togetherMs;
    ended(members);
    return members;
  };
  for (let i = 0; i < 100; i++) pass();
  togetherMs = 12;
  for (let i = 0; i < 100; i++) pass();
  expect(share(Array.from({ length: 100 }, pass), 1)).toBeGreaterThan(0.9);
  togetherMs = 5;
  for (let i = 0; i < 300; i++) pass();
  expect(share(Array.from({ length: 100 }, pass), 2)).toBeGreaterThan(0.9);
});

test('a pass that had fewer threads than it wanted says nothing', () => {
  let nowMs = 0;
  const pace = new GangPace(() => nowMs);
  for (let i = 0; i < 50; i++) {
    const { members, ended } = pace.begin(2, bytes, 'a');
    expect(members).toBe(2);
    nowMs += 100;
    ended(1);
  }
  expect(pace.begin(1, bytes, 'a').members).toBe(1);
});

test('kinds of passes are told apart, and those that were begun first are forgotten', () => {
  let nowMs = 0;
  const pace = new GangPace(() => nowMs);
  const pass = (like: string, togetherMs: number): number => {
    const { members, ended } = pace.begin(2, bytes, like);
    nowMs += members === 1 ? 10 : togetherMs;
    ended(members);
    return members;
  };
  for (let i = 0; i < 20; i++) {
    pass('helps', 5);
    pass('does not', 15);
  }
  expect([pass('helps', 5), pass('does not', 15)]).toEqual([2, 1]);
  for (let i = 0; i < 300; i++) pass(`other ${i}`, 5);
  expect(pass('does not', 15)).toBe(2);
});
