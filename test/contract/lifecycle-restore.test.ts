// Contract part 1, Save games rules 5 to 8 and States: restores of save games and activation, over the real process and real files.

// @module-tag long

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { filesOf, truncateSidecars } from './support/checkpoint-files.ts';
import { KeptService, type SavedEntry } from './support/kept-service.ts';
import { expectEmpty, expectJson, expectProblem, waited } from './support/requests.ts';
import { isReal, type ServiceSettings } from './support/service.ts';

const services: KeptService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.remove();
});

/** Log lines from level info on go to the error stream; a start alone does not save at its end. */
async function start(settings: ServiceSettings = {}): Promise<KeptService> {
  const service = await KeptService.start({ 'Log:Level': 'info', 'Durability:SaveOnShutdown': false, ...settings });
  services.push(service);
  return service;
}

const locationOf = (entry: SavedEntry): string => entry.location as string;
const restore = (service: KeptService, { id }: SavedEntry, more = '') =>
  service.put(`/savegames/${id}/load${waited}${more}`);
const stateOf = async (service: KeptService, name: string): Promise<string> =>
  (expectJson(await service.call('GET', `/ns/${name}`)) as { state: string }).state;
const exclude = (service: KeptService, name: string) =>
  service.call('PATCH', `/ns/${name}`, { json: { loadOnStartup: 'disabled' } });

describe.runIf(isReal)('PUT /savegames/{id}/load', () => {
  test('of the newest entry ends at the current state, of an older one at its own', async () => {
    const service = await start();
    await service.add(['a']);
    const first = await service.save();
    await service.add(['b']);
    const second = await service.save();
    await service.add(['c']);
    const newest = await restore(service, second);
    expect(expectJson(newest)).toEqual({ ...second, activatedNamespaces: [] });
    expect(newest.headers['x-arcwise-warnings']).toMatch(/"logReplayed".*1 transactions/);
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
    const older = await restore(service, first);
    expectJson(older);
    expect(older.headers['x-arcwise-warnings']).toBeUndefined();
    expect(await service.labels()).toEqual(['a']);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a']);
    expectJson(await restore(service, second));
    expect(await service.labels()).toEqual(['a', 'b']);
  });

  test('answers 202 at once when it is not waited for', async () => {
    const service = await start();
    await service.add(['a']);
    const first = await service.save();
    await service.add(['b']);
    await service.save();
    expectEmpty(await service.put(`/savegames/${first.id}/load`), 202);
    await expect.poll(() => service.labels()).toEqual(['a']);
  });

  test('concerns the members of the entry, or the one that is named', async () => {
    const service = await start();
    for (const name of ['one', 'two', 'new']) expectJson(await service.put(`/ns/${name}`), 201);
    for (const name of ['one', 'two']) await service.add([name], `/ns/${name}`);
    expectEmpty(await service.call('DELETE', '/ns/new'), 204);
    const all = expectJson(await service.put('/save/all')) as SavedEntry;
    expectJson(await service.put('/ns/new'), 201);
    for (const name of ['one', 'two', 'new']) await service.add(['later'], `/ns/${name}`);
    expectJson(await service.put('/save/all'));
    const problem = expectProblem(await restore(service, all, '&namespace=new'), 404, 'Namespace not in save game');
    expect(problem).not.toHaveProperty('namespace');
    expectJson(await restore(service, all, '&namespace=one'));
    expect(await service.labels('/ns/one')).toEqual(['one']);
    expect(await service.labels('/ns/two')).toEqual(['two', 'later']);
    expectJson(await restore(service, all));
    expect(await service.labels('/ns/two')).toEqual(['two']);
    expect(await service.labels('/ns/new')).toEqual(['later']);
  });

  test('makes a dropped namespace again, under a new id, for good', async () => {
    const service = await start();
    expectJson(await service.put('/ns/phoenix'), 201);
    await service.add(['a', 'b'], '/ns/phoenix');
    const entry = await service.save('/ns/phoenix');
    expectEmpty(await service.call('DELETE', '/ns/phoenix'), 204);
    const answer = expectJson(await restore(service, entry)) as SavedEntry;
    expect(answer.namespaces[0]).toMatchObject({ name: 'phoenix', location: entry.location });
    expect(answer.namespaces[0]?.id).not.toBe(entry.namespaces[0]?.id);
    expect(await service.labels('/ns/phoenix')).toEqual(['a', 'b']);
    expect(await service.add(['c'], '/ns/phoenix')).toEqual([2]);
    await service.kill();
    await service.start();
    expect(await service.labels('/ns/phoenix')).toEqual(['a', 'b', 'c']);
    expectJson(await restore(service, entry));
    expect(await service.labels('/ns/phoenix')).toEqual(['a', 'b', 'c']);
  });

  test('touches nothing when a dropped namespace cannot be made again', async () => {
    const service = await start({ 'Namespaces:MaxNamespaces': 3 });
    for (const name of ['gone', 'there']) expectJson(await service.put(`/ns/${name}`), 201);
    await service.add(['a'], '/ns/there');
    const entry = expectJson(await service.put('/save/all')) as SavedEntry;
    await service.add(['b'], '/ns/there');
    await service.save('/ns/there');
    expectEmpty(await service.call('DELETE', '/ns/gone'), 204);
    expectJson(await service.put('/ns/gone'), 201);
    await service.add(['another'], '/ns/gone');
    expectProblem(await restore(service, entry), 500, 'Namespace restore failed');
    expectProblem(await service.put(`/savegames/${entry.id}/load`), 500, 'Namespace restore failed');
    expect(await service.labels('/ns/gone')).toEqual(['another']);
    expect(await service.labels('/ns/there')).toEqual(['a', 'b']);
    expectEmpty(await service.call('DELETE', '/ns/gone'), 204);
    expectJson(await service.put('/ns/in its place'.replaceAll(' ', '%20')), 201);
    expectProblem(await restore(service, entry), 500, 'Namespace restore failed');
    expect(await service.labels('/ns/there')).toEqual(['a', 'b']);
  });

  test('touches nothing when the file of a member is missing', async () => {
    const service = await start();
    for (const name of ['one', 'two']) expectJson(await service.put(`/ns/${name}`), 201);
    await service.add(['a'], '/ns/one');
    const entry = expectJson(await service.put('/save/all')) as SavedEntry;
    await service.add(['b'], '/ns/one');
    expectJson(await service.put('/save/all'));
    rmSync(entry.namespaces.find(({ name }) => name === 'two')?.location as string);
    const problem = expectProblem(await restore(service, entry), 500, 'Save game files missing');
    expect(problem.detail).toContain('two');
    expect(await service.labels('/ns/one')).toEqual(['a', 'b']);
    expectJson(await restore(service, entry, '&namespace=one'));
    expect(await service.labels('/ns/one')).toEqual(['a']);
  });

  test('touches nothing when a checkpoint is damaged, and does not say that it is missing', async () => {
    const service = await start();
    await service.add(['a']);
    const entry = await service.save();
    await service.add(['b']);
    const bytes = readFileSync(locationOf(entry));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(locationOf(entry), bytes);
    const problem = expectProblem(await restore(service, entry), 500, 'Save game files unreadable');
    expect(problem.detail).toMatch(/Nothing was restored\. .*Temp\.f8s .*[^.]\.$/);
    expect(await service.labels()).toEqual(['a', 'b']);
  });

  test('goes on with the others when one member cannot be loaded', async () => {
    const service = await start();
    for (const name of ['bad', 'good']) expectJson(await service.put(`/ns/${name}`), 201);
    for (const name of ['bad', 'good']) await service.add(['a'], `/ns/${name}`);
    const entry = expectJson(await service.put('/save/all')) as SavedEntry;
    for (const name of ['bad', 'good']) await service.add(['b'], `/ns/${name}`);
    expectJson(await service.put('/save/all'));
    const location = entry.namespaces.find(({ name }) => name === 'bad')?.location as string;
    truncateSidecars(location);
    const problem = expectProblem(await restore(service, entry), 500, 'Restore incomplete');
    expect(problem).toMatchObject({ failedNamespaces: ['bad'] });
    expect(await service.labels('/ns/bad')).toEqual(['a', 'b']);
    expect(await service.labels('/ns/good')).toEqual(['a']);
    await service.add(['c'], '/ns/bad');
    await service.kill();
    await service.start();
    expect(await service.labels('/ns/bad')).toEqual(['a', 'b', 'c']);
    expect(await service.labels('/ns/good')).toEqual(['a']);
  });

  test('activates a member that is not loaded, and lets every later start load it', async () => {
    const service = await start();
    for (const name of ['asleep', 'broken']) {
      expectJson(await service.put(`/ns/${name}`), 201);
      await service.add(['a'], `/ns/${name}`);
      expectJson(await exclude(service, name));
    }
    const older = await service.save('/ns/asleep');
    await service.add(['b'], '/ns/asleep');
    const newest = await service.save('/ns/asleep');
    await service.add(['c'], '/ns/asleep');
    const broken = await service.save('/ns/broken');
    await service.kill();
    await service.start();
    expect(await stateOf(service, 'asleep')).toBe('notLoaded');
    expectProblem(await service.put('/ns/asleep/save', {}), 503, 'Namespace not loaded');
    expectProblem(await service.put('/ns/asleep/load', { saveGameLocation: newest.location }), 503);
    const all = expectJson(await service.put('/save/all')) as SavedEntry;
    expect(all.skippedNamespaces).toEqual(['asleep', 'broken']);

    const answer = expectJson(await service.put(`/savegames/${older.id}/load${waited}`)) as SavedEntry;
    expect(answer.activatedNamespaces).toEqual(['asleep']);
    expect(await service.labels('/ns/asleep')).toEqual(['a']);
    const location = locationOf(broken);
    truncateSidecars(location);
    const problem = expectProblem(await service.put(`/savegames/${broken.id}/load`), 500, 'Namespace restore failed');
    expect(problem).toMatchObject({ activatedNamespaces: [] });
    expect(await stateOf(service, 'broken')).toBe('notLoaded');
    await service.kill();
    await service.start();
    expect(await service.labels('/ns/asleep')).toEqual(['a']);
    expectJson(await restore(service, newest));
    expect(await service.labels('/ns/asleep')).toEqual(['a', 'b']);
  });

  test('activated with the entry its log is anchored to, it has everything', async () => {
    const service = await start();
    expectJson(await service.put('/ns/asleep'), 201);
    await service.add(['a'], '/ns/asleep');
    const entry = await service.save('/ns/asleep');
    await service.add(['b'], '/ns/asleep');
    expectJson(await exclude(service, 'asleep'));
    await service.kill();
    await service.start();
    expectEmpty(await service.put(`/savegames/${entry.id}/load`), 202);
    expect(await stateOf(service, 'asleep')).toBe('ready');
    expect(await service.labels('/ns/asleep')).toEqual(['a', 'b']);
  });
});

describe.runIf(isReal)('activation', () => {
  test('loads as a start does, once, and changes no policy', async () => {
    const service = await start();
    expectJson(await service.put('/ns/asleep'), 201);
    await service.add(['a'], '/ns/asleep');
    await service.save('/ns/asleep');
    await service.add(['b'], '/ns/asleep');
    expectJson(await exclude(service, 'asleep'));
    await service.kill();
    await service.start();
    const both = await Promise.all([1, 2].map(() => service.call('POST', '/ns/asleep/activate')));
    // At the edge a namespace starts when it is first asked for.
    await expect.poll(() => service.log).toMatch(/asleep\\" is not loaded: its policy excludes it/);
    for (const answer of both) {
      expect(expectJson(answer)).toMatchObject({
        namespace: { name: 'asleep', state: 'ready', vertexCount: 2, loadOnStartupEnabled: false },
        detail: expect.any(String),
      });
    }
    const again = expectJson(await service.call('POST', '/ns/asleep/activate')) as Record<string, unknown>;
    expect(Object.keys(again)).toEqual(['namespace', 'activated', 'detail']);
    expect(again.activated).toBe(false);
    expect(await service.labels('/ns/asleep')).toEqual(['a', 'b']);
  });

  test('is 409 when there are only checkpoints that no save game names', async () => {
    const service = await start();
    expectJson(await service.put('/ns/asleep'), 201);
    await service.add(['a'], '/ns/asleep');
    const entry = await service.save('/ns/asleep');
    expectJson(await exclude(service, 'asleep'));
    await service.kill();
    await service.start();
    expectEmpty(await service.call('DELETE', `/savegames/${entry.id}`), 204);
    const answer = await service.call('POST', '/ns/asleep/activate');
    const problem = expectProblem(answer, 409, 'Namespace has unregistered checkpoints');
    expect(problem).toMatchObject({ namespace: 'asleep', namespaceState: 'notLoaded' });
    expect(problem.detail).toContain('PUT /load');
    expect(await stateOf(service, 'asleep')).toBe('notLoaded');
    await service.kill();
    await service.start({ 'Namespaces:StartupLoadMode': 'All' });
    expect(await service.labels('/ns/asleep')).toEqual(['a']);
    expect(service.log).toMatch(/"level":40.*no save game names/);
    expectEmpty(await service.put('/ns/asleep/load', { saveGameLocation: entry.location }), 204);
    expect((await service.saveGames())[0]).toMatchObject({ trigger: 'imported', location: entry.location });
    await service.kill();
    await service.start({ 'Namespaces:StartupLoadMode': 'Catalog' });
    expectJson(await service.call('POST', '/ns/asleep/activate'));
    expect(await service.labels('/ns/asleep')).toEqual(['a']);
  });

  test('of a namespace whose last save game was deleted with its files has everything', async () => {
    const service = await start();
    expectJson(await service.put('/ns/asleep'), 201);
    await service.add(['a'], '/ns/asleep');
    const entry = await service.save('/ns/asleep');
    await service.add(['b'], '/ns/asleep');
    expectJson(await exclude(service, 'asleep'));
    await service.kill();
    await service.start();
    expectEmpty(await service.call('DELETE', `/savegames/${entry.id}?deleteFiles=true`), 204);
    expect(filesOf(locationOf(entry))).toEqual([]);
    expectJson(await service.call('POST', '/ns/asleep/activate'));
    expect(await service.labels('/ns/asleep')).toEqual(['a', 'b']);
  });

  test('of one whose checkpoint is damaged is 500 and stays notLoaded', async () => {
    const service = await start();
    expectJson(await service.put('/ns/asleep'), 201);
    await service.add(['a'], '/ns/asleep');
    const entry = await service.save('/ns/asleep');
    expectJson(await exclude(service, 'asleep'));
    await service.kill();
    const location = locationOf(entry);
    truncateSidecars(location);
    await service.start();
    const answer = await service.call('POST', '/ns/asleep/activate');
    const problem = expectProblem(answer, 500, 'Namespace activation failed');
    expect(problem).toMatchObject({ namespace: 'asleep', namespaceState: 'notLoaded' });
    expect(await stateOf(service, 'asleep')).toBe('notLoaded');
  });
});
