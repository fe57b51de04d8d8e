// How slices of work are measured, by a clock and by steps.

import { expect, test } from 'vitest';
import { slicesByCount, slicesByTime } from '../../src/core/slices.ts';

test('by time a slice is over at its last millisecond, however often it is asked', () => {
  let now = 100;
  const slice = slicesByTime(() => now)({ ms: 5, steps: 1 });
  expect(slice.isOver()).toBe(false);
  now = 104.9;
  expect(slice.isOver()).toBe(false);
  now = 105;
  expect(slice.isOver()).toBe(true);
});

test('by count a slice is over with its last step, whatever the time', () => {
  const slice = slicesByCount({ ms: 0, steps: 3 });
  expect([slice.isOver(), slice.isOver(), slice.isOver(), slice.isOver()]).toEqual([false, false, true, true]);
  expect(slicesByCount({ ms: 1000, steps: 1 }).isOver()).toBe(true);
});
