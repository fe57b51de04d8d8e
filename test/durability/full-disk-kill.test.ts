// The real service on a real disk of 128 MiB that is filled and emptied beside it, killed at any moment, started full or not. Three
// rounds with the suite; 200 with `npm run soak:disk` (ARCWISE_DISK_ROUNDS). The seed (ARCWISE_SEED) and what happened are printed.
// It mounts a tmpfs; where that is not permitted full-disk.test.ts alone has to do.

// @module-tag long

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from './choices.ts';
import { ServiceProcess } from './service-process.ts';

const rounds = Number(process.env.ARCWISE_DISK_ROUNDS ?? 3);
const seed = Number(process.env.ARCWISE_SEED ?? 20261124);
/** Room for what four clients write in a round, in the log and in two save games. */
const diskBytes = 128 * 2 ** 20;
const clients = 4;
const settings = { Service__Log__Level: 'error', Service__Durability__SaveOnShutdown: 'false' };

const mountPoint = mkdtempSync(join(tmpdir(), 'arcwise-disk-'));
const isMounted = mount(mountPoint);
const ballast = join(mountPoint, 'ballast');
let service: ServiceProcess | null = null;

afterAll(async () => {
  await service?.kill(); // it has ended already, unless the test failed
  if (isMounted) spawnSync('umount', [mountPoint]);
  rmdirSync(mountPoint);
});

function mount(directory: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', directory]).status === 0;
}

/** Takes all the room there is. */
function fillDisk(): void {
  const file = openSync(ballast, 'a');
  try {
    for (const block of [1 << 20, 1 << 16, 1 << 12, 1]) {
      const bytes = Buffer.alloc(block);
      while (writesAll(file, bytes));
    }
  } finally {
    closeSync(file);
  }
}

function writesAll(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

const emptyDisk = (): void => rmSync(ballast, { force: true });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Vertex {
  readonly id: number;
  readonly label: string;
}

/** What the clients were told, over all rounds, and what became of it. */
class Tally {
  /** id → label, for each write that was answered as durable. */
  readonly acknowledged = new Map<number, string>();
  readonly counts = {
    acknowledged: 0,
    refused: 0,
    saves: 0,
    failedSaves: 0,
    deletes: 0,
    reads: 0,
    fullStarts: 0,
    degradedStarts: 0,
    unregistered: 0,
  };
  private written = 0;

  next(): string {
    return `n${this.written++}`;
  }
}

/** One round's work against one process; ends when the process is gone. */
class Load {
  private readonly url: string;
  private readonly tally: Tally;
  private readonly random: () => number;

  constructor(url: string, tally: Tally, random: () => number) {
    this.url = url;
    this.tally = tally;
    this.random = random;
  }

  run(): Promise<unknown> {
    const writers = Array.from({ length: clients }, () => this.untilGone(() => this.write()));
    return Promise.all([...writers, this.untilGone(() => this.read()), this.untilGone(() => this.save())]);
  }

  private async untilGone(step: () => Promise<void>): Promise<void> {
    while (true) {
      try {
        await step();
      } catch (error) {
        if (error instanceof TypeError) return; // fetch: the connection is gone
        throw error;
      }
    }
  }

  private async write(): Promise<void> {
    const label = this.tally.next();
    // Large ones extend the file as they are written, so a full disk tears them.
    const length = this.random() < 0.08 ? 400_000 : Math.floor(this.random() ** 4 * 60_000);
    const text = 'x'.repeat(length);
    const properties = [{ propertyId: 't', propertyValue: text, fullQualifiedTypeName: 'String' }];
    const answer = await fetch(`${this.url}/vertices?waitForCompletion=true`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ label, properties }]),
    });
    const told = (await answer.json()) as { title?: string };
    if (answer.status === 200) {
      this.tally.acknowledged.set((told as unknown as [number])[0], label);
      this.tally.counts.acknowledged++;
      return;
    }
    if (told.title !== 'Write not durable')
      throw new Error(`A write was answered ${answer.status} ${JSON.stringify(told)}`);
    this.tally.counts.refused++;
    await pause(5);
  }

  /** Whatever room there is. */
  private async read(): Promise<void> {
    const known = [...this.tally.acknowledged];
    const picked = known[Math.floor(this.random() * known.length)];
    if (picked !== undefined) {
      const vertex = await getJson<Vertex>(`${this.url}/vertex/${picked[0]}`);
      expect(vertex.label).toBe(picked[1]);
      this.tally.counts.reads++;
    }
    await pause(3);
  }

  /** Saves, and deletes what it has saved: there is room for few. */
  private async save(): Promise<void> {
    await pause(this.random() * 120);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/save`, { method: 'PUT', headers, body: '{}' });
    const saved = (await answer.json()) as { id: string };
    expect([200, 500]).toContain(answer.status);
    if (answer.status === 500) this.tally.counts.failedSaves++;
    else {
      this.tally.counts.saves++;
      expect((await getJson<{ id: string }>(`${this.url}/savegames/${saved.id}`)).id).toBe(saved.id);
    }
    this.tally.counts.deletes += await dropOldEntries(this.url, 2);
  }
}

async function getJson<T>(url: string): Promise<T> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`GET ${url}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

async function isDegraded(url: string): Promise<boolean> {
  return (await getJson<{ durability: { degraded: boolean } }>(`${url}/status`)).durability.degraded;
}

/** Deletes entries with their files, but for the newest. */
async function dropOldEntries(url: string, kept: number): Promise<number> {
  const old = (await getJson<{ id: string }[]>(`${url}/savegames`)).slice(kept);
  for (const { id } of old) {
    const answer = await fetch(`${url}/savegames/${id}?deleteFiles=true`, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  }
  return old.length;
}

/**
 * Takes away what a service leaves to its operator: torn tails, and checkpoints that a kill, or a registry without room, kept from being
 * registered. Answers how many of those there were; nothing else may be there without a name.
 */
async function removeStrays(url: string, directory: string): Promise<number> {
  const files = readdirSync(directory);
  const known = (await getJson<{ location: string }[]>(`${url}/savegames`)).map(({ location }) => basename(location));
  const isStray = (primary: string): boolean => primary.startsWith('Temp.f8s') && !known.includes(primary);
  const primaries = files.filter((name) => isStray(name) && !name.includes('_'));
  for (const name of files) {
    const [primary = ''] = name.split('_');
    if (isStray(primary)) expect(primaries).toContain(primary);
    if (isStray(primary) || name.includes('.torn-')) rmSync(join(directory, name));
  }
  expect(files.filter((name) => name.includes('.part-') || name.startsWith('arcwise.base-'))).toEqual([]);
  return primaries.length;
}

async function checkAcknowledged(url: string, acknowledged: ReadonlyMap<number, string>): Promise<number> {
  const { vertices } = await getJson<{ vertices: Vertex[] }>(`${url}/graph?maxElements=100000`);
  expect(vertices.map(({ id }) => id)).toEqual(vertices.map((_, i) => i));
  for (const [id, label] of acknowledged) expect(vertices[id]?.label).toBe(label);
  return vertices.length;
}

describe.runIf(isMounted)('the service on a disk that fills up', () => {
  it(`starts, reads and deletes, and keeps every write it answered, in ${rounds} rounds`, {
    timeout: 60_000 + rounds * 120_000,
  }, async () => {
    const random = randomFrom(seed);
    const tally = new Tally();
    const directory = join(mountPoint, 'data');
    service = await ServiceProcess.start(directory, settings);
    for (let round = 0; round < rounds; round++) {
      const { acknowledged } = tally.counts;
      const load = new Load(service.url, tally, random).run();
      while (tally.counts.acknowledged === acknowledged) await pause(5); // the disk has room still
      await pause(50 + random() * 300);
      if (random() < 0.7) fillDisk();
      await pause(random() * 300);
      if (random() < 0.3) emptyDisk();
      await pause(random() * 100);
      await service.kill();
      await load;
      const startsFull = round === 0 || random() < 0.6; // at least one
      if (startsFull) fillDisk();
      else emptyDisk();
      service = await ServiceProcess.start(directory, settings);
      const { url } = service;
      if (startsFull) tally.counts.fullStarts++;
      if (await isDegraded(url)) tally.counts.degradedStarts++;
      await checkAcknowledged(url, tally.acknowledged);
      tally.counts.deletes += await dropOldEntries(url, 1);

      emptyDisk();
      await service.call('PUT', '/save', {});
      expect(await isDegraded(url)).toBe(false);
      // The disk is small: what is kept begins anew each time.
      if ((await checkAcknowledged(url, tally.acknowledged)) > 40) {
        await service.call('HEAD', '/tabularasa');
        tally.acknowledged.clear();
        await service.call('PUT', '/save', {});
      }
      await dropOldEntries(url, 1);
      tally.counts.unregistered += await removeStrays(url, directory);
    }
    console.log(
      `Seed ${seed}: ${rounds} kills on a disk of ${diskBytes} bytes, none lost: ${JSON.stringify(tally.counts)}`,
    );
    expect(tally.counts.acknowledged).toBeGreaterThanOrEqual(rounds);
    expect(tally.counts.fullStarts).toBeGreaterThan(0);
    expect(await service.stop()).toBe(0);
  });

  it('answers 500 to saves that a full metadata directory cannot take, leaves no file of them, and still deletes', async () => {
    await service?.kill(); // it has ended already, unless the test before failed
    emptyDisk();
    const storage = mkdtempSync(join(tmpdir(), 'arcwise-beside-'));
    const metadata = join(mountPoint, 'metadata');
    const checkpoints = (): string[] => readdirSync(storage).filter((name) => name.startsWith('Temp.f8s'));
    service = await ServiceProcess.start(storage, { ...settings, Service__Metadata__Directory: metadata });
    await service.call('PUT', '/ns/other');
    const { id } = (await service.call('PUT', '/save/all')) as { id: string };
    const before = checkpoints();
    await service.call('PUT', '/vertices?waitForCompletion=true', [{ label: 'a' }]);
    fillDisk();
    await expect(service.call('PUT', '/save', {})).rejects.toThrow(
      /500 .*registry cannot be written: .*ENOSPC.*savegames\.json/,
    );
    await expect(service.call('PUT', '/save/all')).rejects.toThrow(/500 .*"failedNamespaces":\["default","other"\]/);
    expect(checkpoints()).toEqual(before);
    expect((await getJson<{ id: string }[]>(`${service.url}/savegames`)).map((entry) => entry.id)).toEqual([id]);
    expect(await isDegraded(service.url)).toBe(false);
    await service.kill();
    service = await ServiceProcess.start(storage, { ...settings, Service__Metadata__Directory: metadata });
    expect(await getJson<number>(`${service.url}/vertex/count`)).toBe(1);
    await service.call('DELETE', `/savegames/${id}?deleteFiles=true`);
    expect(await getJson<unknown[]>(`${service.url}/savegames`)).toEqual([]);
    emptyDisk();
    await service.call('PUT', '/save/all');
    await service.kill();
    rmSync(storage, { recursive: true });
    service = null;
  });
});
