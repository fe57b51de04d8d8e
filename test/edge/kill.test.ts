// The local runtime is killed under load, again and again: whatever was acknowledged is there when the object is opened next.
// `npm run soak:edge` makes fifty rounds; EDGE_SEED repeats one that failed.

import { expect, it } from 'vitest';
import { Workerd, workerdPath } from './support/workerd.ts';

const rounds = Number(process.env.EDGE_ROUNDS ?? 3);
const seed = Number(process.env.EDGE_SEED ?? (process.env.EDGE_ROUNDS ? Date.now() % 1_000_000 : 7));
const clients = 4;
const headers = { 'content-type': 'application/json' };

let state = seed + 1;
const below = (most: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % most;
};

/** Writes until the runtime is gone; counts the vertices whose write was acknowledged, and those whose outcome nobody told. */
async function write(edge: Workerd, told: { acknowledged: number; unknown: number }): Promise<void> {
  for (;;) {
    const count = 1 + below(50);
    const body = JSON.stringify(Array.from({ length: count }, () => ({ label: 'x'.repeat(100) })));
    try {
      const url = `${edge.url}/vertices?waitForCompletion=true`;
      const { status } = await fetch(url, { method: 'PUT', headers, body });
      if (status !== 200) throw new Error(`A write was answered ${status}.`);
      told.acknowledged += count;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // else: the connection is gone
      told.unknown += count;
      return;
    }
  }
}

it.skipIf(workerdPath === null)(`nothing acknowledged is lost in ${rounds} kills (seed ${seed})`, async () => {
  console.log(`kills at the edge: seed ${seed}`);
  // Checkpoints begin while others write.
  const edge = await Workerd.start({ bindings: { ARCWISE_CHECKPOINT_BYTES: '100000' } });
  let present = 0;
  let written = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const told = { acknowledged: 0, unknown: 0 };
      const wanted = 1 + below(1500);
      const writers = Array.from({ length: clients }, () => write(edge, told));
      const isOver = Promise.all(writers);
      while (told.acknowledged < wanted) await Promise.race([isOver, new Promise((done) => setTimeout(done, 1))]);
      await edge.kill();
      await isOver;
      await edge.start({ ARCWISE_CHECKPOINT_BYTES: '100000' });
      const count = (await (await fetch(`${edge.url}/vertex/count`)).json()) as number;
      expect(count).toBeGreaterThanOrEqual(present + told.acknowledged);
      expect(count).toBeLessThanOrEqual(present + told.acknowledged + told.unknown);
      present = count;
      written += told.acknowledged;
    }
    expect(written).toBeGreaterThan(rounds);
    console.log(`${written} acknowledged writes of vertices, ${present} there`);
  } finally {
    await edge.stop();
  }
});
