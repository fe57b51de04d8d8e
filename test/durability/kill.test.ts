// The real service, killed under load. Five rounds with the suite; ARCWISE_KILL_ROUNDS=200 for an evening.

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from './choices.ts';
import { ServiceProcess } from './service-process.ts';

const rounds = Number(process.env.ARCWISE_KILL_ROUNDS ?? 5);
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

async function getJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

describe('the service, killed', () => {
  it(`keeps every write it answered, in ${rounds} rounds`, { timeout: 60_000 + rounds * 5_000 }, async () => {
    const random = randomFrom(seed);
    const acknowledged = new Map<number, number>();
    let sent = 0;
    let erased = 0;
    const next = (): number => sent++;
    service = await ServiceProcess.start(directory, settings);
    await fetch(`${service.url}/ns/bulk`, { method: 'PUT' });
    for (let round = 0; round < rounds; round++) {
      const { url } = service;
      await fetch(`${url}/ns/bulk/tabularasa`, { method: 'HEAD' });
      const work = [importUntilGone(url)];
      for (let i = 0; i < clients; i++) work.push(writeUntilGone(url, next, acknowledged));
      await new Promise((resolve) => setTimeout(resolve, 50 + random() * 600));
      await service.kill();
      await Promise.all(work);

      service = await ServiceProcess.start(directory, settings);
      const count = await getJson<number>(`${service.url}/vertex/count`);
      expect(count).toBeGreaterThanOrEqual(acknowledged.size);
      // Ids are dense, so what came back is the beginning of what was committed: nothing between is missing.
      const { vertices } = await getJson<{ vertices: VertexRead[] }>(`${service.url}/graph?maxElements=100000`);
      expect(vertices.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i));
      expect(new Set(vertices.map(numberOf)).size).toBe(count);
      for (const [id, number] of acknowledged) expect(numberOf(vertices[id] as VertexRead)).toBe(number);

      // The page has a limit; long runs begin anew below it.
      if (count > 50_000) {
        await fetch(`${service.url}/tabularasa`, { method: 'HEAD' });
        acknowledged.clear();
        erased++;
      }

      const imported = await getJson<number>(`${service.url}/ns/bulk/vertex/count`);
      expect(imported % batchSize).toBe(0);
      if (imported === 0) continue;
      const last = await getJson<VertexRead>(`${service.url}/ns/bulk/vertex/${imported - 1}`);
      expect(numberOf(last)).toBe(imported - 1);
    }
    expect(acknowledged.size + erased * 50_000).toBeGreaterThan(rounds * 20);
    await expect(ServiceProcess.start(directory, settings)).rejects.toThrow(/in use by process \d+/);
    expect(await service.stop()).toBe(0);
  });
});
