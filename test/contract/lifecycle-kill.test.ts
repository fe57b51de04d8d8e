// Nothing that was acknowledged is lost, whatever the process was doing with save games when it was killed: saving, registering,
// deleting entries with their files, loading the newest one. Every round starts on what the one before has left. Deleting the newest
// entry and loading what is then the newest one discards writes by contract, so these two are not mixed.

// @module-tag long

import { afterEach, expect, test } from 'vitest';
import { KeptService } from './support/kept-service.ts';
import { expectJson, waited } from './support/requests.ts';
import { isReal } from './support/service.ts';

const rounds = Number(process.env.RESTORE_ROUNDS ?? 6);
const seed = Number(process.env.SEED ?? 20_261_121);
const prefixes = ['', '/ns/named'];

let service: KeptService | null = null;
afterEach(async () => {
  await service?.remove();
});

/** A small generator with a seed (mulberry32): 0 .. 1. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes until the process is gone; each label is in `acknowledged` once its write was answered. */
async function write(running: KeptService, prefix: string, round: number, acknowledged: Set<string>): Promise<void> {
  for (let i = 0; ; i++) {
    const label = `${round}-${i}`;
    const answer = await running.put(`${prefix}/vertices${waited}`, [{ label }]).catch(() => null);
    if (answer === null) return;
    if (answer.status === 200) acknowledged.add(label);
  }
}

type Meddling = 'loads the newest, deletes the oldest' | 'deletes the newest and the oldest';

/** One operation on save games after the other until the process is gone; the answers do not matter here. */
async function meddle(running: KeptService, meddling: Meddling, random: () => number): Promise<void> {
  const loads = meddling === 'loads the newest, deletes the oldest';
  while (true) {
    const prefix = prefixes[Math.floor(random() * prefixes.length)] as string;
    const kind = Math.floor(random() * 4);
    const call = async (): Promise<unknown> => {
      const entries = await running.saveGames();
      const [newest] = entries;
      const oldest = entries.at(-1);
      if (kind === 0 || newest === undefined || oldest === undefined) return running.put(`${prefix}/save`, {});
      if (kind === 1) return running.put('/save/all');
      if (kind === 2) return running.call('DELETE', `/savegames/${oldest.id}?deleteFiles=true`);
      if (loads) return running.put(`/savegames/${newest.id}/load${waited}`);
      return running.call('DELETE', `/savegames/${newest.id}?deleteFiles=true`);
    };
    const isGone = await call().then(
      () => false,
      () => true,
    );
    if (isGone) return;
  }
}

const meddlings: readonly Meddling[] = ['loads the newest, deletes the oldest', 'deletes the newest and the oldest'];

test.runIf(isReal).each(meddlings)(
  `kill -9 of one that saves, %s, ${rounds} times (SEED=${seed})`,
  async (meddling) => {
    const random = randomOf(seed);
    const kept = prefixes.map(() => new Set<string>());
    service = await KeptService.start({ 'Durability:SaveOnShutdown': false, 'Log:Level': 'error' });
    const running = service;
    expectJson(await running.put('/ns/named'), 201);
    for (let round = 0; round < rounds; round++) {
      const work = [
        ...prefixes.map((prefix, i) => write(running, prefix, round, kept[i] as Set<string>)),
        meddle(running, meddling, random),
      ];
      await new Promise((resolve) => setTimeout(resolve, 30 + random() * 400));
      while ((kept[0] as Set<string>).size <= round + 1) await new Promise((resolve) => setTimeout(resolve, 1));
      await running.kill();
      await Promise.all(work);
      await running.start();
      for (const [i, prefix] of prefixes.entries()) {
        const labels = new Set(await running.labels(prefix));
        const lost = [...(kept[i] as Set<string>)].filter((label) => !labels.has(label));
        expect(lost, `round ${round}, ${prefix || 'default'}`).toEqual([]);
        expect(labels.size - (kept[i] as Set<string>).size).toBeLessThanOrEqual(round + 1);
      }
    }
    expect((kept[0] as Set<string>).size).toBeGreaterThan(rounds);
  },
);
