import { describe, expect, it } from 'vitest';
import { type FaultPlan, FaultyFileSystem } from './faulty-file-system.ts';
import { openLog, payloadOf, storeOver } from './log-scripts.ts';
import { SimulatedDisk } from './simulated-disk.ts';

const sizes = [[10], [20, 900, 30], [8], [60_000, 40], [300_000], [10, 10, 10], [5]];

interface Run {
  readonly opened: boolean;
  readonly calls: number;
  /** How each append was settled, in order. */
  readonly settled: readonly boolean[];
}

/** Appends all of `sizes` on a disk that fails by plan; every promise must settle. */
async function run(disk: SimulatedDisk, plan: FaultPlan | null, bursts = sizes): Promise<Run> {
  const faulty = new FaultyFileSystem(disk, plan);
  const opened = await openLog(storeOver(faulty)).catch((error: { code?: string }) => {
    expect(error.code).toBe(plan?.code);
    return null;
  });
  if (opened === null) return { opened: false, calls: faulty.calls, settled: [] };
  const settled: boolean[] = [];
  let next = 0;
  for (const burst of bursts) {
    settled.push(...(await Promise.all(burst.map((bytes) => opened.log.append(payloadOf(next++, bytes))))));
  }
  await opened.log.close();
  return { opened: true, calls: faulty.calls, settled };
}

describe('a log on a disk that fails', () => {
  it('never says durable of what is not, at whichever call it fails', async () => {
    const { calls, settled } = await run(new SimulatedDisk(), null);
    expect(settled).not.toContain(false);
    let degraded = 0;
    for (let call = 1; call <= calls; call++) {
      for (const code of ['ENOSPC', 'EIO'] as const) {
        for (const [stays, short] of [
          [true, false],
          [false, false],
          [true, true],
          [false, true],
        ] as const) {
          const disk = new SimulatedDisk();
          const result = await run(disk, { call, code, stays, short });
          const durable = result.settled.filter((good) => good).length;
          // Once false, false for good: what follows builds on what was lost.
          expect(result.settled.slice(durable)).not.toContain(true);
          if (result.settled.includes(false)) degraded++;
          const at = `${code} at call ${call} of ${calls}${stays ? ', staying' : ''}${short ? ', short' : ''}`;
          for (const back of [disk, disk.afterPowerLoss(disk.journal.length, () => 0)]) {
            const { found } = await openLog(storeOver(back));
            expect(found, at).toEqual(found.map((_, i) => i));
            expect(found.length, at).toBeGreaterThanOrEqual(durable);
          }
        }
      }
    }
    expect(degraded).toBeGreaterThan(50);
  });

  it('fails to open, and loses nothing, when recovery cannot write', async () => {
    const whole = new SimulatedDisk();
    await run(whole, null, [[10], [20, 900, 30], [8], [700, 40]]);
    const places = [whole.journal.length, whole.journal.length - 3, Math.floor(whole.journal.length / 2)];
    for (const place of places) {
      for (let call = 1; call <= 12; call++) {
        const disk = whole.afterPowerLoss(place, (count) => (count === 3 ? 2 : 0));
        const before = (await openLog(storeOver(whole.afterPowerLoss(place, (count) => (count === 3 ? 2 : 0))))).found;
        const faulty = new FaultyFileSystem(disk, { call, code: 'EIO', stays: false, short: false });
        const found = await openLog(storeOver(faulty)).then(
          (opened) => opened.found,
          () => null,
        );
        if (found !== null) expect(found).toEqual(before);
        expect((await openLog(storeOver(disk))).found).toEqual(before);
      }
    }
  });
});
