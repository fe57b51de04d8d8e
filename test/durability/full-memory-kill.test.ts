// The real service, killed when a namespace is full to its memory limit: it starts under the same limit with everything that was
// acknowledged, from its log and from a save game, and full as it is it gives memory back.

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ServiceProcess } from './service-process.ts';

const mebibyte = 2 ** 20;
let directory = '';
let settings: Record<string, string> = {};
let service: ServiceProcess;

async function begin(limitMebibytes: number): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'arcwise-full-'));
  settings = {
    Service__Log__Level: 'error',
    Service__Security__SensitiveRateLimitPermitPerWindow: '10000',
    Service__Memory__MaxBytesPerNamespace: String(limitMebibytes * mebibyte),
  };
  service = await ServiceProcess.start(directory, settings);
}

afterEach(async () => {
  await service.kill();
  await rm(directory, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown): Promise<unknown> => service.call(method, path, body);

async function killed(): Promise<void> {
  await service.kill();
  service = await ServiceProcess.start(directory, settings);
}

const counts = async (): Promise<unknown[]> => [
  await call('GET', '/vertex/count'),
  await call('GET', '/edge/count'),
  ((await call('GET', '/storedquery')) as unknown[]).length,
];

/** Writes until the memory is full. */
async function repeat(make: (i: number) => [method: string, path: string, body?: unknown]): Promise<void> {
  for (let i = 0; i < 2000; i++) {
    const [method, path, body] = make(i);
    const refused = await call(method, `${path}${path.includes('?') ? '&' : '?'}waitForCompletion=true`, body).then(
      () => null,
      (error: Error) => error.message,
    );
    if (refused === null) continue;
    expect(refused).toMatch(/Memory limit reached/);
    return;
  }
}

it('starts with a generated graph that its log alone would not fit', async () => {
  await begin(96);
  await call('GET', '/ns/default/generate?nodeCount=200000&edgeCount=5');
  await killed();
  expect(await counts()).toEqual([200_000, 1_000_000, 0]);
  expect(await call('GET', '/ns/default/benchmark?iterations=1')).toMatchObject({ edgesTraversed: 1_000_000 });
}, 60_000);

it('starts full, from log and save game, and is emptied', async () => {
  await begin(10);
  const text = (i: number): string => `${i} ${'text '.repeat(i % 90)}`;
  const property = (i: number) => ({
    propertyId: `k${i % 7}`,
    propertyValue: text(i),
    fullQualifiedTypeName: 'System.String',
  });
  const vertices = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ label: `l${i % 9}`, properties: [property(i)] }));
  for (let i = 0; i < 10; i++) await call('PUT', '/vertices?waitForCompletion=true', vertices(300));
  const edges = Array.from({ length: 5000 }, (_, i) => ({
    sourceVertex: i % 50,
    targetVertex: i % 2999,
    edgePropertyId: `t${i % 3}`,
  }));
  await call('PUT', '/edges?waitForCompletion=true', edges);
  await call('POST', '/index', { uniqueId: 'i', pluginType: 'DictionaryIndex' });
  for (let i = 0; i < 20; i++) {
    await call('PUT', `/graphelement/${i}/embedding/e?waitForCompletion=true`, { vector: Array(64).fill(i + 1) });
    const filter = { edgePropertyFilter: `return t => t != "${i}";` };
    await call('POST', '/storedquery', { name: `q${i}`, kind: 'Path', path: { filter } });
  }
  await repeat((i) => ['PUT', '/vertices', vertices(200 + (i % 100))]);
  await call('POST', '/index/backfill/i', { propertyId: 'k', prefix: true }).catch((error: Error) => {
    expect(error.message).toMatch(/Memory limit reached/);
  });
  await repeat((i) => ['PUT', '/vertex', { label: `name ${text(i)}` }]);
  let before = await counts();
  await killed();
  expect(await counts()).toEqual(before);
  await call('PUT', '/save', {});
  const removed = Array.from({ length: 200 }, (_, i) => i + 100);
  await call('DELETE', '/graphelements?waitForCompletion=true', removed);
  await repeat((i) => ['PUT', '/vertices', vertices(10 + (i % 10))]);
  before = await counts();
  await killed();
  expect(await counts()).toEqual(before);
  const [{ id }] = (await call('GET', '/savegames')) as [{ id: string }];
  await call('PUT', `/savegames/${id}/load?waitForCompletion=true`);
  expect(await counts()).toEqual(before);
  const whole = (await call('GET', '/graph?maxElements=100000')) as { vertices: unknown[] };
  expect(whole.vertices).toHaveLength(before[0] as number);
  for (let i = 0; i < 3; i++) {
    await call('DELETE', `/graphelement/${i}?waitForCompletion=true`);
    await call('HEAD', '/trim');
    await call('PUT', '/save', {});
  }
  await call('DELETE', '/index/i');
  for (let i = 0; i < 3; i++) await call('HEAD', '/tabularasa');
  expect((await counts())[0]).toBe(0);
  await call('PUT', '/vertices?waitForCompletion=true', vertices(1000));
  await killed();
  expect((await counts())[0]).toBe(1000);
}, 120_000);
