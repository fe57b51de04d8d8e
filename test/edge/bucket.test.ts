// Checkpoints and exports in a bucket: the suites of stores over the runtime's own binding, and objects that have one.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SuiteResult } from '../browser/support/vitest-in-page.ts';
import { BucketServer } from './support/bucket-server.ts';
import { workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

const headers = { 'content-type': 'application/json' };

describe.skipIf(workerdPath === null)('a bucket', () => {
  let bucket: BucketServer;
  let edge: Workerd;

  beforeAll(async () => {
    bucket = await BucketServer.start();
    const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000 };
    const main = await workerModule('test/edge/support/hooked-worker.ts');
    edge = await Workerd.start({ settings, main, bucket: bucket.address });
  });

  afterAll(async () => {
    await edge?.stop();
    await bucket?.stop();
  });

  const call = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(edge.url + path, body === undefined ? { method } : { method, headers, body: JSON.stringify(body) });
  const hook = (command: string): Promise<Response> => fetch(edge.url, { headers: { 'x-hook': command } });
  const keys = (prefix: string): string[] => [...bucket.objects.keys()].filter((key) => key.startsWith(prefix)).sort();

  it('passes the suites of blobs and of checkpoints', async () => {
    const suites = await BucketServer.start();
    const main = await workerModule('test/edge/support/bucket-suite-object.ts');
    const runtime = await Workerd.start({ main, bucket: suites.address });
    try {
      const told = await fetch(runtime.url);
      expect(told.status, runtime.log).toBe(200);
      const results = (await told.json()) as SuiteResult[];
      expect(results.filter(({ failure }) => failure !== null)).toEqual([
        { name: 'a canary that must fail', failure: expect.stringContaining('expected') },
      ]);
      expect(results.length).toBeGreaterThan(8);
      expect(suites.uploads.size).toBe(0);
    } finally {
      await runtime.stop();
      await suites.stop();
    }
  });

  it('has the save games of objects, which open from it', async () => {
    expect((await call('PUT', '/ns/kept')).status).toBe(201);
    const vertices = Array.from({ length: 300 }, (_, at) => ({ label: `v${at}` }));
    expect((await call('PUT', '/ns/kept/vertices?waitForCompletion=true', vertices)).status).toBe(200);
    const saved = (await (await call('PUT', '/ns/kept/save')).json()) as {
      id: string;
      namespaces: { location: string }[];
    };
    expect(saved.namespaces[0]?.location).toMatch(/^edge:\/\/kept\//);
    expect(keys('objects/kept/').length).toBeGreaterThan(0);
    await edge.kill();
    await edge.start();
    expect(await (await call('GET', '/ns/kept/vertex/count')).json()).toBe(300);
    expect((await call('PUT', '/ns/kept/vertices?waitForCompletion=true', [{}])).status).toBe(200);
    expect((await call('PUT', '/ns/kept/save')).status).toBe(200);
    expect((await call('PUT', `/savegames/${saved.id}/load?waitForCompletion=true`)).status).toBe(200);
    expect(await (await call('GET', '/ns/kept/vertex/count')).json()).toBe(300);
  });

  it('that fails fails the save, and leaves the object whole', async () => {
    bucket.failAt = bucket.asked + 1;
    expect((await call('PUT', '/ns/kept/save')).status).toBe(500);
    expect(await (await call('GET', '/ns/kept/vertex/count')).json()).toBe(300);
    expect((await call('PUT', '/ns/kept/save')).status).toBe(200);
  });

  it('takes an export of each namespace by the schedule', async () => {
    expect((await hook('scheduled 1700000000000')).status).toBe(200);
    expect(keys('exports/')).toEqual([
      'exports/default/2023-11-14T22:13:20.000Z.jsonl',
      'exports/kept/2023-11-14T22:13:20.000Z.jsonl',
    ]);
    const stored = bucket.objects.get('exports/kept/2023-11-14T22:13:20.000Z.jsonl');
    const lines = stored?.bytes.toString().trim().split('\n') ?? [];
    expect(lines).toHaveLength(301);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'meta', vertexCount: 300 });
  });

  it('has nothing of a namespace that was dropped', async () => {
    expect((await call('DELETE', '/ns/kept')).status).toBe(204);
    expect(keys('objects/kept/')).toEqual([]);
    expect(keys('exports/kept/')).toHaveLength(1);
  });
});
