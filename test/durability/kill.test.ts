// The real service, killed under load, in every other round while it writes a checkpoint. Four rounds with the suite; 200 with
// `npm run soak:kill` (ARCWISE_KILL_ROUNDS). The seed (ARCWISE_SEED) and what happened are printed.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from './choices.ts';
import { ServiceProcess } from './service-process.ts';

const rounds = Number(process.env.ARCWISE_KILL_ROUNDS ?? 4);
const seed = Number(process.env.ARCWISE_SEED ?? 20260102);
const directory = await mkdtemp(join(tmpdir(), 'arcwise-kill-'));
const clients = 16;
let service: ServiceProcess;
const batchSize = 500;

afterAll(async () => {
  await service.kill(); // it has ended already, unless the test failed
  await rm(directory, { recursive: true, force: true });
});

const settings = { Service__BulkIO__ImportBatchSize: String(batchSize), Service__Log__Level: 'error' };

interface VertexRead {
  readonly id: number;
  readonly properties: readonly { readonly propertyId: string; readonly propertyValue: string }[];
}

const numberOf = (vertex: VertexRead): number =>
  Number(vertex.properties.find((p) => p.propertyId === 'n')?.propertyValue);

function vertexBody(number: number): string {
  const property = { propertyId: 'n', propertyValue: String(number), fullQualifiedTypeName: 'Int32' };
  return JSON.stringify([{ creationDate: 1, label: 'v', properties: [property] }]);
}

/** One client that writes and waits until the service is gone. Fills `acknowledged` with id → number. */
async function writeUntilGone(url: string, next: () => number, acknowledged: Map<number, number>): Promise<void> {
  while (true) {
    const number = next();
    try {
      const answer = await fetch(`${url}/vertices?waitForCompletion=true`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: vertexBody(number),
      });
      const [id] = (await answer.json()) as [number];
      if (answer.status !== 200) throw new Error(`The service answered ${answer.status} under load.`);
      acknowledged.set(id, number);
    } catch (error) {
      if (error instanceof TypeError) return; // fetch: the connection is gone
      throw error;
    }
  }
}

/** An import of as many vertices as the service takes before it is gone. */
async function importUntilGone(url: string): Promise<void> {
  const options = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } };
  const importing = request(`${url}/ns/bulk/bulk/import`, options);
  let gone = false;
  importing.on('error', () => {
    gone = true;
  });
  importing.on('response', (answer) => answer.resume());
  for (let number = 0; !gone; ) {
    let lines = '';
    for (let i = 0; i < 200; i++, number++) {
      lines += `{"type":"vertex","id":${number},"creationDate":1,"properties":{"n":{"type":"Int32","value":"${number}"}}}\n`;
    }
    importing.write(lines);
    do await new Promise((resolve) => setTimeout(resolve, 1));
    while (!gone && importing.writableLength > 1_000_000);
  }
  importing.destroy();
}

/** What the client that saves knows. */
interface Saving {
  /** Since when a save is under way; null between two. */
  sinceMs: number | null;
  /** Ids of entries that were answered. */
  readonly answered: string[];
}

/** One save after the other, of one namespace or all, until the service is gone. */
async function saveUntilGone(url: string, saving: Saving): Promise<void> {
  const paths = ['/save', '/ns/bulk/save', '/save/all'];
  for (let i = 0; ; i++) {
    saving.sinceMs = performance.now();
    try {
      const body = paths[i % 3] === '/save/all' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' };
      const answer = await fetch(url + paths[i % 3], { method: 'PUT', ...body });
      const entry = (await answer.json()) as { id: string };
      if (answer.status !== 200) throw new Error(`A save under load was answered with ${answer.status}.`);
      saving.answered.push(entry.id);
    } catch (error) {
      if (error instanceof TypeError) return; // fetch: the connection is gone
      throw error;
    }
    saving.sinceMs = null;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves a moment after a save has begun, at a random place in it. */
async function amidSave(saving: Saving, random: () => number): Promise<void> {
  let place = { sinceMs: saving.sinceMs, afterMs: random() * 25 };
  while (saving.sinceMs === null || performance.now() - saving.sinceMs < place.afterMs) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    // That one was over before: another place in the next.
    if (saving.sinceMs !== place.sinceMs) place = { sinceMs: saving.sinceMs, afterMs: random() * 25 };
  }
}

/** Checkpoints of which there are parts but no manifest. */
async function unfinishedCheckpoints(): Promise<number> {
  const files = (await readdir(directory, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const present = new Set(files);
  const primaries = new Set(files.map((name) => /^(.+)_(?:elements_\d+|tail)$/.exec(name)?.[1] ?? name));
  return [...primaries].filter((name) => !present.has(name)).length;
}

/** Keeps the newest of the entries, so that a long run does not fill the disk. */
async function dropOldEntries(url: string): Promise<void> {
  const entries = await getJson<{ id: string }[]>(`${url}/savegames`);
  for (const { id } of entries.slice(4)) await fetch(`${url}/savegames/${id}?deleteFiles=true`, { method: 'DELETE' });
}

async function getJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

/** What came of the rounds. */
interface Tally {
  acknowledged: number;
  midSave: number;
  unfinished: number;
  saves: number;
  imported: number;
}

/** Checks `default` after a restart: dense ids, each acknowledged write, nothing twice. Answers the number of vertices. */
async function checkDefault(url: string, acknowledged: ReadonlyMap<number, number>): Promise<number> {
  const count = await getJson<number>(`${url}/vertex/count`);
  expect(count).toBeGreaterThanOrEqual(acknowledged.size);
  // Ids are dense, so what came back is the beginning of what was committed: nothing between is missing.
  const { vertices } = await getJson<{ vertices: VertexRead[] }>(`${url}/graph?maxElements=100000`);
  expect(vertices.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i));
  expect(new Set(vertices.map(numberOf)).size).toBe(count);
  for (const [id, number] of acknowledged) expect(numberOf(vertices[id] as VertexRead)).toBe(number);
  return count;
}

/** Checks `bulk`: whole batches. */
async function checkBulk(url: string): Promise<number> {
  const imported = await getJson<number>(`${url}/ns/bulk/vertex/count`);
  expect(imported % batchSize).toBe(0);
  if (imported === 0) return 0;
  const last = await getJson<VertexRead>(`${url}/ns/bulk/vertex/${imported - 1}`);
  expect(numberOf(last)).toBe(imported - 1);
  return imported;
}

/** Load until the kill; in a round that saves, the kill comes while a save is under way. */
async function killUnderLoad(
  saves: boolean,
  random: () => number,
  next: () => number,
  acknowledged: Map<number, number>,
): Promise<Saving> {
  const { url } = service;
  const enough = acknowledged.size + 25;
  const saving: Saving = { sinceMs: null, answered: [] };
  const work = [importUntilGone(url)];
  for (let i = 0; i < clients; i++) work.push(writeUntilGone(url, next, acknowledged));
  if (saves) work.push(saveUntilGone(url, saving));
  await new Promise((resolve) => setTimeout(resolve, 50 + random() * 600));
  while (acknowledged.size < enough) await new Promise((resolve) => setTimeout(resolve, 1));
  if (saves) await amidSave(saving, random);
  const { sinceMs } = saving;
  await service.kill();
  await Promise.all(work);
  return { sinceMs, answered: saving.answered };
}

describe('the service, killed', () => {
  it(`keeps every write it answered, in ${rounds} rounds`, { timeout: 60_000 + rounds * 120_000 }, async () => {
    const random = randomFrom(seed);
    const acknowledged = new Map<number, number>();
    const tally: Tally = { acknowledged: 0, midSave: 0, unfinished: 0, saves: 0, imported: 0 };
    let sent = 0;
    const next = (): number => sent++;
    service = await ServiceProcess.start(directory, settings);
    await fetch(`${service.url}/ns/bulk`, { method: 'PUT' });
    for (let round = 0; round < rounds; round++) {
      await fetch(`${service.url}/ns/bulk/tabularasa`, { method: 'HEAD' });
      await dropOldEntries(service.url);
      const before = acknowledged.size;
      const saving = await killUnderLoad(round % 2 === 1, random, next, acknowledged);
      if (saving.sinceMs !== null) tally.midSave++;
      if ((await unfinishedCheckpoints()) > 0) tally.unfinished++;
      tally.acknowledged += acknowledged.size - before;
      tally.saves += saving.answered.length;

      service = await ServiceProcess.start(directory, settings);
      expect(await unfinishedCheckpoints()).toBe(0);
      const entries = await getJson<{ id: string }[]>(`${service.url}/savegames`);
      expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(saving.answered));
      const count = await checkDefault(service.url, acknowledged);
      tally.imported += await checkBulk(service.url);
      // The page has a limit; long runs begin anew below it.
      if (count > 50_000) {
        await fetch(`${service.url}/tabularasa`, { method: 'HEAD' });
        acknowledged.clear();
      }
    }
    console.log(
      `Seed ${seed}: ${rounds} kills, ${tally.midSave} of them while a save was under way (${tally.unfinished} left parts of a` +
        ` checkpoint behind); ${tally.acknowledged} acknowledged writes, ${tally.imported} imported vertices and` +
        ` ${tally.saves} answered saves, none lost.`,
    );
    expect(tally.midSave).toBe(Math.floor(rounds / 2));
    expect(tally.acknowledged).toBeGreaterThan(rounds * 20);
    await expect(ServiceProcess.start(directory, settings)).rejects.toThrow(/in use by process \d+/);
    expect(await service.stop()).toBe(0);
  });
});
