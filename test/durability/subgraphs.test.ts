// Subgraphs through kill -9: what was answered is there, whatever else was kept and could not be built, and however much is going on at
// the start.

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ServiceProcess } from './service-process.ts';

const directory = await mkdtemp(join(tmpdir(), 'arcwise-subgraphs-'));
const settings = {
  Service__Log__Level: 'error',
  Service__Security__SensitiveRateLimitPermitPerWindow: '1000',
  Service__Subgraphs__MaxCount: '4',
  // One job runs, one waits; all others are refused.
  Service__Jobs__Threads: '1',
  Service__Jobs__MaxWaiting: '1',
};
let service = await ServiceProcess.start(directory, settings);

afterAll(async () => {
  await service.kill();
  await rm(directory, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown): Promise<unknown> => service.call(method, path, body);

async function killed(): Promise<void> {
  await service.kill();
  service = await ServiceProcess.start(directory, settings);
}

const spaces = ['', '/ns/one', '/ns/two', '/ns/three', '/ns/four', '/ns/five'];

const make = (prefix: string, name: string, from?: string): Promise<unknown> =>
  call('PUT', `${prefix}/subgraph${from === undefined ? '' : `?fromSubGraph=${from}`}`, {
    name,
    vertexFilter: `return v => v.Label != "${name}";`,
  });

it('are there after a kill, in all namespaces at once, where few jobs may wait', async () => {
  for (const prefix of spaces) {
    if (prefix !== '') await call('PUT', prefix);
    await call('PUT', `${prefix}/vertices?waitForCompletion=true`, [{ label: 'a' }, { label: 'b' }]);
    await make(prefix, 'a');
    await make(prefix, 'all');
    await make(prefix, 'none', 'a');
    await make(prefix, 'b', 'a');
  }
  await killed();
  const lists = await Promise.all(spaces.map((prefix) => call('GET', `${prefix}/subgraph`)));
  for (const list of lists) expect(list).toEqual(['a', 'all', 'b', 'none']);
  expect(await call('GET', '/subgraph/b')).toMatchObject({ vertexCount: 0 });
  expect(await call('GET', '/ns/five/subgraph/a')).toMatchObject({ vertexCount: 1 });
}, 60_000);

it('do not lose their place to one that could not be built, and could be again', async () => {
  const names = (): Promise<unknown> => call('GET', '/ns/one/subgraph');
  await call('DELETE', '/ns/one/subgraph/a');
  await call('DELETE', '/ns/one/subgraph/b');
  expect(await names()).toEqual(['all', 'none']);
  await killed();
  // Its source is gone, and nobody sees it any more.
  expect(await names()).toEqual(['all']);
  await make('/ns/one', 'a');
  await make('/ns/one', 'later', 'all');
  await make('/ns/one', 'last', 'later');
  await killed();
  expect(await names()).toEqual(['a', 'all', 'last', 'later']);
}, 60_000);
