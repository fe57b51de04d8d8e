// Clusters under every kind of weather, each from one seed (support/cluster-simulation.ts). CLUSTER_SEEDS says how many, CLUSTER_SEED where they
// begin; `npm run soak:cluster` takes ten thousand.

import { expect, it } from 'vitest';
import { type Shared, simulate } from './support/cluster-simulation.ts';
import type { Defect } from './support/cluster-weather.ts';

const seeds = Number(process.env.CLUSTER_SEEDS ?? 200);
const first = Number(process.env.CLUSTER_SEED ?? 1);

it(`loses, doubles and reorders nothing that was acknowledged, in ${seeds} runs from CLUSTER_SEED=${first}`, async () => {
  let acknowledged = 0;
  let takeovers = 0;
  let compactions = 0;
  let moves = 0;
  let restored = 0;
  let reads = 0;
  let keptOn = 0;
  let keptOff = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await simulate(seed);
    expect(result.flaws, `CLUSTER_SEED=${seed}`).toEqual([]);
    acknowledged += result.acknowledged;
    takeovers += result.takeovers;
    compactions += result.compactions;
    moves += result.moves;
    restored += result.restored;
    reads += result.reads;
    keptOn += result.keptOn;
    keptOff += result.keptOff;
  }
  console.log(
    `${seeds} runs, ${acknowledged} acknowledged, ${takeovers} take-overs, ${moves} of them moves, ${keptOn} from a state that had followed (${keptOff} refused), ${compactions} compactions, ${reads} reads, ${restored} in backups`,
  );
  // Weather in which nothing happens would pass anything.
  expect(takeovers).toBeGreaterThan(2 * seeds);
  expect(acknowledged).toBeGreaterThan(120 * seeds);
  expect(reads).toBeGreaterThan(40 * seeds);
  expect(compactions).toBeGreaterThan(seeds);
  expect(moves).toBeGreaterThan(seeds / 2);
  expect(keptOn).toBeGreaterThan(seeds);
  expect(keptOff).toBeGreaterThan(seeds / 20);
  expect(restored).toBeGreaterThan(5 * seeds);
});

it('is the same for the same seed', async () => {
  for (const seed of [1, 2, 3]) expect((await simulate(seed)).trace).toBe((await simulate(seed)).trace);
});

/** Of a cluster with that defect, in how many of the first seeds it shows. */
async function shows(defect: Defect, shared: Shared): Promise<number> {
  let shown = 0;
  for (let seed = 1; seed <= 20; seed++) if ((await simulate(seed, defect, shared)).flaws.length > 0) shown++;
  return shown;
}

it.each(['table', 'bucket'] as const)(
  'finds a store that takes whatever comes, under any term and in any place (%s)',
  async (shared) => {
    expect(await shows('noFence', shared)).toBeGreaterThan(0);
  },
);

it.each(['table', 'bucket'] as const)('finds a node that takes no answer for success (%s)', async (shared) => {
  expect(await shows('unknownIsSuccess', shared)).toBeGreaterThan(0);
});

it.each(['table', 'bucket'] as const)('finds a node that follows and skips frames (%s)', async (shared) => {
  expect(await shows('skipsFrames', shared)).toBeGreaterThan(0);
});
