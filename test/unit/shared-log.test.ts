// The shared log in memory by the suite of all, and how an append with an unknown outcome is found out.

import { expect, it } from 'vitest';
import { MemorySharedLog } from '../../src/storage/memory-shared-log.ts';
import { type AppendOutcome, appendSettled, type LogBatch, type SharedLog } from '../../src/storage/shared-log.ts';
import { batchOf, sharedLogSuite } from './shared-log-suite.ts';

sharedLogSuite('the shared log in memory', async (nowMs) => new MemorySharedLog(nowMs));

const never = async (): Promise<void> => {
  throw new Error('There was no need to try again.');
};

/** Does as `plan` says, one word an append; then as the log does. */
function failing(log: SharedLog, plan: ('lostRequest' | 'lostAnswer' | 'broken')[]): SharedLog {
  return {
    append: async (batch): Promise<AppendOutcome> => {
      const fault = plan.shift();
      if (fault === 'lostRequest') return 'unknown';
      if (fault === 'broken') throw new Error('connection reset');
      const outcome = await log.append(batch);
      return fault === 'lostAnswer' ? 'unknown' : outcome;
    },
    read: (from, limit) => log.read(from, limit),
    first: () => log.first(),
    truncate: (sequence) => log.truncate(sequence),
  };
}

async function owned(): Promise<MemorySharedLog> {
  const log = new MemorySharedLog(() => 0);
  await log.take(0, 'a', 1000);
  return log;
}

it.each([[['lostRequest']], [['lostAnswer']], [['broken', 'lostAnswer', 'lostRequest']]] as const)(
  'appends once, whatever is lost (%s)',
  async (plan) => {
    const log = await owned();
    let waits = 0;
    const batch = batchOf(1, 1, 3);
    expect(await appendSettled(failing(log, [...plan]), batch, async () => void waits++)).toBe('ok');
    expect(waits).toBe(plan.length);
    expect(await log.read(1, 1e9)).toEqual([batch]);
    expect(await appendSettled(log, batchOf(1, 4, 1), never)).toBe('ok');
  },
);

it('says ok of a batch that was there before the log was taken over', async () => {
  const log = await owned();
  const batch = batchOf(1, 1, 2);
  const losing: SharedLog = failing(log, ['lostAnswer']);
  const taken = appendSettled(losing, batch, async () => void (await log.take(1, 'b', 1000)));
  expect(await taken).toBe('ok');
});

it('is fenced where it was not, and whoever is not alone under its term is told', async () => {
  const log = await owned();
  const fenced = appendSettled(failing(log, ['lostRequest']), batchOf(1, 1, 2), async () => {
    await log.take(1, 'b', 1000);
    await log.append(batchOf(2, 1, 2, 'theirs'));
  });
  expect(await fenced).toBe('fenced');
  expect(await appendSettled(log, batchOf(2, 1, 1, 'another'), never)).toBe('lost');
});

it('ends when the caller has waited enough', async () => {
  const log = await owned();
  const batch: LogBatch = batchOf(1, 1, 1);
  await expect(appendSettled(failing(log, ['lostRequest']), batch, never)).rejects.toThrow('no need');
});
