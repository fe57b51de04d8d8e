import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../runtime-node/storage/file-system.ts';
import { Log } from '../../src/engine/log/log.ts';
import { chooserOf, everyChoice, randomFrom } from './choices.ts';
import {
  checkPowerLoss,
  type MakeLog,
  openLog,
  type PowerLossCheck,
  payloadOf,
  runBursts,
  storeOver,
} from './log-scripts.ts';
import { SimulatedDisk } from './simulated-disk.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260102);

async function diskAfter(sizes: readonly (readonly number[])[], check: PowerLossCheck = {}): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const { log } = await openLog(storeOver(check.over?.(disk) ?? disk), check.makeLog);
  await runBursts(disk, log, 0, sizes);
  await log.close();
  return disk;
}

/** A few outcomes at every place of the journal; each second one loses the power again while recovery and appends run. */
async function sampleOutcomes(disk: SimulatedDisk, outcomes: number, check: PowerLossCheck = {}): Promise<number> {
  const random = randomFrom(seed);
  let checked = 0;
  for (let place = 0; place <= disk.journal.length; place++) {
    for (let outcome = 0; outcome < outcomes; outcome++) {
      const { after } = await checkPowerLoss(disk, place, chooserOf(outcome, random), check);
      checked++;
      if (outcome % 2 === 0) continue;
      const again = Math.floor(random() * (after.journal.length + 1));
      // Until the second recovery ends, what the first one was told holds.
      const before = { note: 'acknowledged', value: disk.noted('acknowledged', place), at: 'note' } as const;
      const appended = { note: 'appended', value: disk.noted('appended', place), at: 'note' } as const;
      after.journal.unshift(before, appended);
      await checkPowerLoss(after, again + 2, chooserOf(outcome, random), check);
      checked++;
    }
  }
  return checked;
}

describe('a log on a disk that loses power', () => {
  it('keeps its word in every outcome of a short script', async () => {
    const disk = await diskAfter([[8], [30, 700, 8], [8]]);
    let outcomes = 0;
    for (let place = 0; place <= disk.journal.length; place++) {
      // The zeros of an extent are many sectors that all come out the same; a limit on their number keeps the rest exhaustive.
      outcomes += await everyChoice(100_000, async (choose) => {
        let asked = 0;
        await checkPowerLoss(disk, place, (count) => (asked++ < 8 ? choose(count) : 0));
      });
    }
    expect(outcomes).toBeGreaterThan(5000);
  });

  it('keeps its word in sampled outcomes of a long script', { tags: ['long'] }, async () => {
    const random = randomFrom(seed);
    const burst = (): number[] =>
      Array.from({ length: 1 + Math.floor(random() * 7) }, () => Math.floor(random() ** 3 * 3000));
    const disk = await diskAfter(Array.from({ length: 25 }, burst));
    expect(await sampleOutcomes(disk, 10)).toBeGreaterThan(1000);
  });

  it('keeps its word where large groups extend the file by themselves', { tags: ['long'] }, async () => {
    const disk = await diskAfter([[100], [300_000, 50], [20], [400_000]]);
    expect(await sampleOutcomes(disk, 4)).toBeGreaterThan(100);
  });
});

describe('the harness', () => {
  const script = [[8], [30, 700], [8], [900, 20]];

  it('catches a log that acknowledges before it has written', async () => {
    class Hasty extends Log {
      override append(payload: Uint8Array): Promise<boolean> {
        void super.append(payload);
        return Promise.resolve(true);
      }
    }
    const makeLog: MakeLog = (...parameters) => new Hasty(...parameters);
    await expect(sampleOutcomes(await diskAfter(script, { makeLog }), 4, { makeLog })).rejects.toThrow('acknowledged');
  });

  it('catches a store that does not sync what it wrote', async () => {
    const over = (disk: SimulatedDisk): FileSystem =>
      changed(disk, { open: (path, mode) => disk.open(path, mode, false) });
    await expect(sampleOutcomes(await diskAfter(script, { over }), 4, { over })).rejects.toThrow('acknowledged');
  });

  it('catches a store that does not sync its directories', async () => {
    const over = (disk: SimulatedDisk): FileSystem => changed(disk, { syncDirectory: async () => {} });
    await expect(sampleOutcomes(await diskAfter(script, { over }), 4, { over })).rejects.toThrow('acknowledged');
  });

  it('catches a recovery that does not sync what it found', async () => {
    // A process dies whose last write is in the platform's cache and not on disk; the next one reads it and goes on from there.
    const found = async (over: (disk: SimulatedDisk) => FileSystem): Promise<number> => {
      const disk = await diskAfter([[8]]);
      const dying = await openLog(storeOver(changed(disk, { open: (path, mode) => disk.open(path, mode, false) })));
      await dying.log.append(payloadOf(1, 30));
      const next = await openLog(storeOver(over(disk)));
      expect(next.found).toEqual([0, 1]);
      await runBursts(disk, next.log, 2, [[10]]);
      return (await checkPowerLoss(disk, disk.journal.length, () => 0)).found;
    };
    expect(await found((disk) => disk)).toBe(3);
    await expect(found((disk) => changed(disk, { open: withoutSync(disk) }))).rejects.toThrow();
  });
});

function changed(disk: SimulatedDisk, methods: Partial<FileSystem>): FileSystem {
  return {
    open: (path, mode, synchronous) => disk.open(path, mode, synchronous),
    rename: (source, target) => disk.rename(source, target),
    remove: (path) => disk.remove(path),
    removeDirectory: (path) => disk.removeDirectory(path),
    makeDirectory: (path) => disk.makeDirectory(path),
    syncDirectory: (path) => disk.syncDirectory(path),
    readDirectory: (path) => disk.readDirectory(path),
    ...methods,
  };
}

function withoutSync(disk: SimulatedDisk): FileSystem['open'] {
  return async (path, mode, synchronous) => ({ ...(await disk.open(path, mode, synchronous)), sync: async () => {} });
}
