// A writer and its replicas as processes: the same answers at the same commit, events under the same numbers, writes that find their way, and what
// becomes of it all when the writer is killed.

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceProcess } from './service-process.ts';

const directory = await mkdtemp(join(tmpdir(), 'arcwise-replica-'));
const backup = pathToFileURL(join(directory, 'backup')).href;
const quiet = { Service__Log__Level: 'error' };
const serving = {
  ...quiet,
  Service__Replica__Serve: 'true',
  Service__Backup__Url: backup,
  Service__Backup__MaxPutsPerSecond: '20',
};
const open: ServiceProcess[] = [];
let writer: ServiceProcess;
let replica: ServiceProcess;

async function started(name: string, settings: Record<string, string>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(join(directory, name), { ...quiet, ...settings });
  open.push(service);
  return service;
}

beforeAll(async () => {
  writer = await started('writer', serving);
  replica = await started('replica', { Service__Replica__Of: writer.url, Service__Replica__MaxWaitSeconds: '20' });
});
afterAll(async () => {
  for (const one of open) await one.kill();
  await rm(directory, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly text: string;
  readonly position: string | null;
}

async function get(service: ServiceProcess, path: string, init: RequestInit = {}): Promise<Got> {
  const answer = await fetch(service.url + path, init);
  return { status: answer.status, text: await answer.text(), position: answer.headers.get('x-arcwise-position') };
}

const json = (body: unknown): RequestInit => ({
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const vertex = (n: number) => ({
  creationDate: 1,
  label: 'v',
  properties: [{ propertyId: 'n', propertyValue: String(n), fullQualifiedTypeName: 'System.Int32' }],
});

/** The commit that the writer has now. */
async function head(): Promise<string> {
  return (await get(writer, '/vertex/count')).position as string;
}

/** Whether the replica comes to where the writer is, and both have one state there. */
async function same(of = replica, namespace = ''): Promise<void> {
  const position = (await get(writer, `${namespace}/vertex/count`)).position as string;
  await expect
    .poll(async () => (await get(of, `${namespace}/vertex/count?atLeast=${position}`)).status, { timeout: 60_000 })
    .toBe(200);
  const [one, other] = await Promise.all(
    [writer, of].map(async (service) => JSON.parse((await get(service, `${namespace}/hash`)).text)),
  );
  expect(other.hash).toBe(one.hash);
  expect(other.position.sequence).toBe(one.position.sequence);
}

it('answers the same at the same commit', async () => {
  await writer.call(
    'PUT',
    '/vertices?waitForCompletion=true',
    Array.from({ length: 200 }, (_, n) => vertex(n)),
  );
  await writer.call(
    'PUT',
    '/edges?waitForCompletion=true',
    Array.from({ length: 199 }, (_, n) => ({
      creationDate: 1,
      edgePropertyId: 'next',
      sourceVertex: n,
      targetVertex: n + 1,
    })),
  );
  await writer.call('POST', '/index', { uniqueId: 'numbers', pluginType: 'RangeIndex' });
  await writer.call('POST', '/index/backfill/numbers', { propertyId: 'n' });
  const filter = { edgePropertyFilter: 'return t => t != "road";' };
  await writer.call('POST', '/storedquery', { name: 'q', kind: 'Path', path: { filter } });
  await writer.call('PUT', '/subgraph', { name: 'one' });
  await same();
  for (const path of ['/graph', '/vertex/3', '/storedquery', '/storedquery/q', '/subgraph', '/subgraph/one']) {
    const [one, other] = await Promise.all([get(writer, path), get(replica, path)]);
    expect(one.status, path).toBe(200);
    // The one thing that each process names by itself.
    const own = /"sourceGraphId":"[^"]+"/;
    expect(other.text.replace(own, ''), path).toBe(one.text.replace(own, ''));
    expect(other.position?.split(':')[1]).toBe(one.position?.split(':')[1]);
  }
});

it('publishes events under the same numbers', async () => {
  const ids = async (service: ServiceProcess, count: number): Promise<string[]> => {
    const end = new AbortController();
    const answer = await fetch(`${service.url}/changefeed`, { signal: end.signal });
    const found: string[] = [];
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      for (const [, id] of text.matchAll(/^id: (\S+)\nevent: (?!heartbeat)/gm))
        if (!found.includes(id as string)) found.push(id as string);
      if (found.length >= count) break;
    }
    end.abort();
    return found;
  };
  const both = Promise.all([ids(writer, 5), ids(replica, 5)]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let n = 0; n < 3; n++) await writer.call('PUT', '/vertices?waitForCompletion=true', [vertex(n), vertex(n)]);
  const [one, other] = await both;
  expect(other.slice(0, 5)).toEqual(one.slice(0, 5));
});

it('sends writes to the writer, or refuses them, and shows what was written', async () => {
  const before = await get(replica, '/vertex/count');
  const redirected = await fetch(`${replica.url}/vertices?waitForCompletion=true`, {
    ...json([vertex(1)]),
    redirect: 'manual',
  });
  expect(redirected.status).toBe(307);
  expect(redirected.headers.get('location')).toBe(`${writer.url}/vertices?waitForCompletion=true`);
  const followed = await fetch(`${replica.url}/vertices?waitForCompletion=true`, json([vertex(1)]));
  expect(followed.status).toBe(200);
  const position = followed.headers.get('x-arcwise-position') as string;
  const own = await get(replica, `/vertex/count?atLeast=${position}`);
  expect(JSON.parse(own.text)).toBe(JSON.parse(before.text) + 1);
  expect((await get(replica, '/vertex/count?atLeast=none')).status).toBe(400);
  const refusing = await started('refusing', {
    Service__Replica__Of: writer.url,
    Service__Replica__Writes: 'Refuse',
    Service__Replica__MaxWaitSeconds: '1',
  });
  expect(await get(refusing, '/vertices', json([vertex(1)]))).toMatchObject({ status: 403 });
  await same(refusing);
  const sequence = Number((await head()).split(':')[1]);
  expect((await get(refusing, `/vertex/count?atLeast=${sequence + 100}`)).status).toBe(503);
  expect((await get(writer, `/log?from=${sequence + 100}`)).status).toBe(409);
  expect((await get(refusing, `/log?from=${sequence}`)).status).toBe(403);
  await refusing.stop();
});

it('has the namespaces of its writer', async () => {
  await writer.call('PUT', '/ns/other');
  await writer.call('PUT', '/ns/other/vertices?waitForCompletion=true', [vertex(1), vertex(2)]);
  await expect.poll(async () => (await get(replica, '/ns/other/vertex/count')).text, { timeout: 30_000 }).toBe('2');
  await same(replica, '/ns/other');
  await writer.call('DELETE', '/ns/other');
  await expect.poll(async () => (await get(replica, '/ns/other/vertex/count')).status, { timeout: 30_000 }).toBe(404);
});

it('follows through erase, trim and a restore of its writer', async () => {
  await writer.call('DELETE', '/graphelement/5?waitForCompletion=true');
  await writer.call('HEAD', '/trim?waitForCompletion=true');
  await same();
  const saved = (await writer.call('PUT', '/save', {})) as string;
  expect(saved).not.toBeNull();
  await writer.call('PUT', '/vertices?waitForCompletion=true', [vertex(7)]);
  await writer.call('HEAD', '/tabularasa');
  await writer.call('PUT', '/vertices?waitForCompletion=true', [vertex(8)]);
  await same();
});

it('follows a backup', async () => {
  const archive = await started('archive', { Service__Replica__Of: backup, Service__Replica__MaxWaitSeconds: '20' });
  await writer.call('PUT', '/vertices?waitForCompletion=true', [vertex(9)]);
  await same(archive);
  expect((await get(archive, '/vertices', json([vertex(1)]))).status).toBe(403);
  await archive.stop();
});

it('comes back to its writer after kill -9', async () => {
  const port = new URL(writer.url).port;
  const writing = (async () => {
    for (let n = 0; ; n++) {
      const answer = await fetch(`${writer.url}/vertices?waitForCompletion=true`, json([vertex(n)])).catch(() => null);
      if (answer === null) return n;
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 700));
  await writer.kill();
  const acknowledged = await writing;
  expect((await get(replica, '/vertex/count')).status).toBe(200);
  writer = await started('writer', { ...serving, Service__Http__Port: port });
  await writer.call('PUT', '/vertices?waitForCompletion=true', [vertex(1)]);
  await same();
  expect(JSON.parse((await get(replica, '/vertex/count')).text)).toBeGreaterThanOrEqual(acknowledged + 1);
});
