// Threads for jobs that are started before anybody waits for them.

import { expect, test, vi } from 'vitest';
import { startAheadAtRest } from '../../runtime-node/workers/start-ahead.ts';
import { startsAhead } from '../../src/queries/fragments/starts-ahead.ts';
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

test('the compiler first, then threads, and nothing while a job is under way', () => {
  const calls: string[] = [];
  const jobs = {
    isAtWork: true,
    startAhead: () => {
      calls.push('thread');
      return calls.length < 3;
    },
  };
  const startAhead = startsAhead(jobs, { warm: () => calls.push('compiler') });
  expect([startAhead(), startAhead(), calls]).toEqual([true, true, []]);
  jobs.isAtWork = false;
  expect([startAhead(), startAhead()]).toEqual([true, true]);
  jobs.isAtWork = true;
  expect([startAhead(), calls]).toEqual([true, ['compiler', 'thread']]);
  jobs.isAtWork = false;
  expect([startAhead(), calls]).toEqual([false, ['compiler', 'thread', 'thread']]);
});

test('a pool is at work from the moment a job is taken until it has ended', async () => {
  const jobs = threads(1);
  const core = newCore();
  const space = jobs.open(core);
  expect(jobs.isAtWork).toBe(false);
  const controller = new AbortController();
  let begun = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = space.run(kinds.poll, false, { signal: controller.signal, onBlock: () => begun() });
  expect(jobs.isAtWork).toBe(true);
  await hasBegun;
  expect(jobs.isAtWork).toBe(true);
  controller.abort();
  expect(await first).toMatchObject({ ok: false, reason: 'cancelled' });
  expect(jobs.isAtWork).toBe(false);
  await jobs.close();
  core.dispose();
});
