// Threads for jobs that are started before anybody waits for them.

import { expect, test, vi } from 'vitest';
import { startAheadAtRest } from '../../runtime-node/workers/start-ahead.ts';
import { kinds, newCore, oneThread, threads } from './support/jobs-home.ts';

test('a pool starts as many as it has, and jobs take those', async () => {
  const jobs = threads(3);
  const core = newCore();
  const graph = core.createGraph();
  const space = jobs.open(core);
  expect([space.freeThreads, space.startedThreads]).toEqual([3, 0]);
  expect([jobs.startAhead(), jobs.startAhead()]).toEqual([true, true]);
  expect([space.freeThreads, space.startedThreads]).toEqual([3, 2]);
  expect(await space.run(kinds.counts, graph)).toMatchObject({ ok: true });
  expect([jobs.startAhead(), jobs.startAhead()]).toEqual([true, false]);
  await jobs.close();
  expect(jobs.startAhead()).toBe(false);
  core.dispose();
});

test('where jobs take turns on one thread there is none to start', async () => {
  const jobs = oneThread();
  expect(jobs.startAhead()).toBe(false);
  await jobs.close();
});

test('one at a time, never while the main thread is busy, and none after the end', () => {
  vi.useFakeTimers();
  try {
    let left = 2;
    let busy = 1;
    const startAhead = vi.fn(() => left-- > 0);
    const end = startAheadAtRest({ startAhead }, 100, () => busy);
    vi.advanceTimersByTime(500);
    expect(startAhead).not.toHaveBeenCalled();
    busy = 0.2;
    vi.advanceTimersByTime(100);
    expect(startAhead).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1000);
    expect(startAhead).toHaveBeenCalledTimes(3);
    left = 2;
    const other = startAheadAtRest({ startAhead }, 100, () => busy);
    other();
    end();
    vi.advanceTimersByTime(1000);
    expect(startAhead).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});
