// How jobs that give way are told to: what is left to them of the machine, and that they hear of it and go on.

import { expect, test } from 'vitest';
import { paceBesideRequests, shareBeside } from '../../runtime-node/workers/request-pace.ts';
import { paceReader } from '../../src/core/lease.ts';
import { type Pace, Rest } from '../../src/engine/jobs/pace.ts';
import { kinds, newCore, slotsOf, threads } from './support/jobs-home.ts';

test.each([
  [2, 1, 0, 100],
  [2, 1, 0.5, 100],
  [2, 1, 1, 50],
  [2, 2, 1, 25],
  [4, 2, 1, 100],
  [4, 3, 1, 83],
  [1, 1, 1, 25],
  [64, 62, 1, 100],
])(
  'on %i processors %i threads beside a main thread that is busy for %f of its time may work %i per cent',
  (processors, count, busy, share) => {
    expect(shareBeside(processors, count, busy)).toBe(share);
  },
);

test('what the main thread has just been busy for counts, what it was before less and less', () => {
  const spans = [1, 1, 0, 0, 0.4];
  const nothing = { idle: 0, active: 0, utilization: 0 };
  const pace = paceBesideRequests(2, (now) => ({
    ...nothing,
    utilization: now === undefined ? 0 : (spans.shift() ?? 0),
  }));
  // Busy for .5, .75, .375, .1875 and .29375 of its time.
  expect(Array.from({ length: 5 }, () => pace.shareOf(2))).toEqual([62, 43, 71, 85, 77]);
  expect(paceBesideRequests(2).shareOf(1)).toBeGreaterThanOrEqual(50);
});

/** Notes with how many threads it was asked, and answers `share`. */
function paceOf(share: number): Pace & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    everyMs: 1,
    shareOf: (count) => {
      asked.push(count);
      return share;
    },
  };
}

test.each([25, 100])(
  'a job that gives way and may work %i per cent of its time hears so and comes to its end',
  async (share) => {
    const core = newCore();
    const pace = paceOf(share);
    const jobs = threads(3, { pace });
    const space = jobs.open(core);
    const options = { members: 2, sharedBytes: 0 };
    expect(await space.runGang(kinds.givesWay, share === 100 ? 0 : share, options)).toEqual({
      ok: true,
      value: [true, true],
    });
    expect(pace.asked[0]).toBe(2);
    await space.close();
    await jobs.close();
    const asked = pace.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pace.asked.length).toBe(asked);
    core.dispose();
  },
);

test('other jobs are not asked to', async () => {
  const core = newCore();
  const pace = paceOf(25);
  const jobs = threads(2, { pace });
  const space = jobs.open(core);
  expect(await space.run(kinds.slices, 10)).toEqual({ ok: true, value: 10 });
  expect(pace.asked).toEqual([]);
  await space.close();
  await jobs.close();
  core.dispose();
});

test('a slot that is given back has no share any more', () => {
  const core = newCore();
  const { exports } = core.instance;
  const slot = exports.readerAttach();
  paceReader(core.instance, slot, 30);
  exports.stopWatch(exports.readerStopAddress(slot));
  expect(exports.shareWord()).toBe(30);
  exports.readerDetach(slot);
  expect(exports.shareWord()).toBe(0);
  exports.stopWatch(0);
  expect(slotsOf(core)).toEqual({ taken: 0, announced: 0 });
  core.dispose();
});

test.each([
  [85, 0.06, 0.02],
  [85, 0, 0.15],
  [50, 0.06, 0.05],
  [25, 0.06, 0.1],
])(
  'a thread that may work %i per cent of its time does, though its rests are %f ms too long and its slices take %f ms',
  (share, lateMs, sliceMs) => {
    let nowMs = 1;
    let restedMs = 0;
    const rest = new Rest(
      () => nowMs,
      (ms) => {
        nowMs += ms + lateMs;
        restedMs += ms + lateMs;
      },
    );
    rest.take(share);
    const beganMs = nowMs;
    for (let slice = 0; slice < 100_000; slice++) {
      nowMs += sliceMs;
      rest.take(share);
    }
    const took = nowMs - beganMs;
    expect((100 * (took - restedMs)) / took).toBeCloseTo(share, 0);
  },
);
