// What every SharedLog with its LogOwnership must do, whatever is below it.

import { describe, expect, it } from 'vitest';
import { type LogBatch, type LogOwnership, LogTruncated, type SharedLog } from '../../src/storage/shared-log.ts';

export function batchOf(
  term: number,
  firstSequence: number,
  frameCount: number,
  text = `${term}:${firstSequence}`,
): LogBatch {
  return { term, firstSequence, frameCount, bytes: new TextEncoder().encode(text) };
}

/** The frame that comes next: a take-over may have put one of its own. */
async function endOf(log: SharedLog): Promise<number> {
  const last = (await log.read(await log.first(), 1e9)).at(-1);
  return last === undefined ? log.first() : last.firstSequence + last.frameCount;
}

/** Runs all of it; `open` gives a fresh log. `hasClock`: the store's clock is not the one given. */
export function sharedLogSuite(
  name: string,
  open: (nowMs: () => number) => Promise<SharedLog & LogOwnership>,
  hasClock = false,
): void {
  describe(name, () => {
    it('takes batches that follow, and no others', async () => {
      const log = await open(() => 0);
      expect(await log.append(batchOf(1, 1, 1))).toBe('fenced');
      expect(await log.take(0, 'a', 1000)).toBe(true);
      const at = await endOf(log);
      expect(await log.append(batchOf(1, at + 1, 1))).toBe('conflict');
      expect(await log.append(batchOf(1, at, 2))).toBe('ok');
      expect(await log.append(batchOf(1, at, 2))).toBe('conflict');
      expect(await log.append(batchOf(1, at + 3, 1))).toBe('conflict');
      expect(await log.append(batchOf(1, at + 2, 5))).toBe('ok');
      expect(await log.read(at, 1e9)).toEqual([batchOf(1, at, 2), batchOf(1, at + 2, 5)]);
      expect(await log.read(at + 1, 1)).toEqual([batchOf(1, at, 2)]);
      expect(await log.read(at + 6, 1e9)).toEqual([batchOf(1, at + 2, 5)]);
      expect(await log.read(at + 7, 1e9)).toEqual([]);
    });

    it('fences whoever had it before', async () => {
      const log = await open(() => 0);
      await log.take(0, 'a', 1000);
      await log.append(batchOf(1, await endOf(log), 1));
      expect(await log.take(0, 'b', 1000)).toBe(false);
      expect(await log.take(1, 'b', 1000)).toBe(true);
      const at = await endOf(log);
      expect(await log.append(batchOf(1, at, 1))).toBe('fenced');
      expect(await log.renew(1, 1000)).toBe(false);
      expect(await log.append(batchOf(3, at, 1))).toBe('fenced');
      expect(await log.append(batchOf(2, at, 1))).toBe('ok');
      const written = (await log.read(1, 1e9)).filter(({ bytes }) => bytes.length > 0);
      expect(written.map(({ term }) => term)).toEqual([1, 2]);
      expect(await log.owner()).toMatchObject({ term: 2, holder: 'b' });
    });

    it('gives it to one of many takers', async () => {
      const log = await open(() => 0);
      const takes = await Promise.all(Array.from({ length: 8 }, (_, i) => log.take(0, String(i), 1000)));
      expect(takes.filter(Boolean).length).toBe(1);
      expect(await log.owner()).toMatchObject({ term: 1, holder: String(takes.indexOf(true)) });
    });

    it('appends one of many batches that are meant for one place', async () => {
      const log = await open(() => 0);
      await log.take(0, 'a', 1000);
      const at = await endOf(log);
      const outcomes = await Promise.all(Array.from({ length: 8 }, (_, i) => log.append(batchOf(1, at, 1, String(i)))));
      expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(1);
      expect(outcomes.filter((outcome) => outcome === 'conflict').length).toBe(7);
      expect(await log.read(at, 1e9)).toEqual([batchOf(1, at, 1, String(outcomes.indexOf('ok')))]);
    });

    it('lets go of what a checkpoint has', async () => {
      const log = await open(() => 0);
      await log.take(0, 'a', 1000);
      const at = await endOf(log);
      for (const first of [at, at + 2, at + 4]) await log.append(batchOf(1, first, 2));
      await log.truncate(at + 5);
      expect(await log.first()).toBe(at + 4);
      await expect(log.read(at + 1, 1e9)).rejects.toThrow(LogTruncated);
      expect(await log.read(at + 4, 1e9)).toEqual([batchOf(1, at + 4, 2)]);
      await log.truncate(100);
      expect(await log.read(at + 6, 1e9)).toEqual([]);
      await expect(log.read(at + 5, 1e9)).rejects.toThrow(LogTruncated);
      expect(await log.append(batchOf(1, at + 6, 1))).toBe('ok');
    });

    it('is not taken from who has renewed the lease meanwhile', async () => {
      const log = await open(() => 0);
      await log.take(0, 'a', 1000);
      const { beat } = await log.owner();
      await log.renew(1, 2000);
      expect(await log.take(1, 'b', 1000, beat)).toBe(false);
      expect(await log.owner()).toMatchObject({ term: 1, holder: 'a' });
      expect(await log.take(1, 'b', 1000, (await log.owner()).beat)).toBe(true);
    });

    it('has no gap for those who read while it lets go', async () => {
      const log = await open(() => 0);
      await log.take(0, 'a', 1000);
      const at = await endOf(log);
      const batches = 15;
      for (let i = 0; i < batches; i++) await log.append(batchOf(1, at + 2 * i, 2));
      let isOver = false;
      const letGo = async (): Promise<void> => {
        for (let i = 0; i < batches; i += 3) await log.truncate(at + 2 * i);
        isOver = true;
      };
      const read = async (): Promise<void> => {
        while (!isOver) {
          const from = await log.first();
          const found = await log.read(from, 100).catch((error: unknown) => {
            if (error instanceof LogTruncated) return null;
            throw error;
          });
          let next = from;
          for (const { firstSequence, frameCount } of found ?? []) {
            expect(firstSequence).toBe(next);
            next += frameCount;
          }
          if (found !== null) expect(found).not.toEqual([]);
          await new Promise((resolve) => setTimeout(resolve));
        }
      };
      await Promise.all([letGo(), read(), read(), read()]);
    });

    it.skipIf(hasClock)('counts a lease by the clock of the store', async () => {
      let nowMs = 1_000_000;
      const log = await open(() => nowMs);
      expect((await log.owner()).leftMs).toBeLessThanOrEqual(0);
      await log.take(0, 'a', 500);
      expect((await log.owner()).leftMs).toBe(500);
      nowMs += 600;
      expect((await log.owner()).leftMs).toBe(-100);
      expect(await log.renew(1, 500)).toBe(true);
      expect((await log.owner()).leftMs).toBe(500);
      expect(await log.renew(1, 0)).toBe(true);
      expect((await log.owner()).leftMs).toBeLessThanOrEqual(0);
      // It says who may try, not who may append.
      expect(await log.append(batchOf(1, await endOf(log), 1))).toBe('ok');
    });
  });
}
