// Stored queries through kill -9, save games and a restore: what was answered is there, what was deleted is not.

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ServiceProcess } from './service-process.ts';

const directory = await mkdtemp(join(tmpdir(), 'arcwise-stored-'));
const settings = { Service__Log__Level: 'error', Service__Security__SensitiveRateLimitPermitPerWindow: '1000' };
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

const register = (name: string): Promise<unknown> =>
  call('POST', '/storedquery', {
    name,
    kind: 'Path',
    path: { filter: { edgePropertyFilter: `return t => t != "${name}";` } },
  });
const names = async (): Promise<string[]> =>
  ((await call('GET', '/storedquery')) as { name: string; compileState: string }[]).map(
    ({ name, compileState }) => `${name} ${compileState}`,
  );

it('are there after a kill, beside and after a save game, and as it has them after its restore', async () => {
  await call('PUT', '/vertices?waitForCompletion=true', [{ label: 'a' }, { label: 'b' }]);
  await call('PUT', '/edges?waitForCompletion=true', [{ sourceVertex: 0, targetVertex: 1, edgePropertyId: 'one' }]);
  await register('one');
  await register('two');
  await killed();
  expect(await names()).toEqual(['one Compiled', 'two Compiled']);
  const paths = async (storedQuery: string): Promise<unknown[]> =>
    (await call('POST', '/path/0/to/1', { storedQuery })) as unknown[];
  expect(await paths('one')).toHaveLength(0);
  expect(await paths('two')).toHaveLength(1);

  const before = await call('GET', '/storedquery/two');
  const { id } = (await call('PUT', '/save', {})) as { id: string };
  await register('three');
  await call('DELETE', '/storedquery/one');
  await killed();
  expect(await names()).toEqual(['three Compiled', 'two Compiled']);
  expect(await call('GET', '/storedquery/two')).toEqual(before);

  await call('HEAD', '/tabularasa');
  expect(await names()).toEqual(['three Compiled', 'two Compiled']);
  // The log goes through the newest save game, whose restore replays it; that of an older one begins it anew.
  await call('PUT', `/savegames/${id}/load?waitForCompletion=true`);
  expect(await names()).toEqual(['three Compiled', 'two Compiled']);
  await call('PUT', '/save', {});
  await call('PUT', `/savegames/${id}/load?waitForCompletion=true`);
  expect(await names()).toEqual(['one Compiled', 'two Compiled']);
  expect(await paths('one')).toHaveLength(0);
  await killed();
  expect(await names()).toEqual(['one Compiled', 'two Compiled']);
}, 60_000);
