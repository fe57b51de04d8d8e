// Contract part 1, Save games rules 2 to 8 and States: what a start loads, what a restore does to graph and log, activation, the
// save at a clean end. Every start is the real process over real files.

import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
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

/** Deletes, or copies, every file of a checkpoint. */
function filesOf(location: string): string[] {
  const service = services.find(({ storage }) => location.startsWith(storage)) as KeptService;
  const name = basename(location);
  const below = dirname(location).slice(service.storage.length + 1);
  return service.files(below).filter((file) => file === name || file.startsWith(`${name}_`));
}
function deleteCheckpoint(location: string): void {
  for (const file of filesOf(location)) rmSync(join(dirname(location), file));
}
function copyCheckpoint(location: string, target: string, modified = new Date()): void {
  mkdirSync(dirname(target), { recursive: true });
  for (const file of filesOf(location)) {
    const copy = join(dirname(target), basename(target) + file.slice(basename(location).length));
    copyFileSync(join(dirname(location), file), copy);
    utimesSync(copy, modified, modified);
  }
}
const locationOf = (entry: SavedEntry): string => entry.location as string;
const restore = (service: KeptService, { id }: SavedEntry, more = '') =>
  service.put(`/savegames/${id}/load${waited}${more}`);
const stateOf = async (service: KeptService, name: string): Promise<string> =>
  (expectJson(await service.call('GET', `/ns/${name}`)) as { state: string }).state;
const exclude = (service: KeptService, name: string) =>
  service.call('PATCH', `/ns/${name}`, { json: { loadOnStartup: 'disabled' } });
const durability = async (service: KeptService, prefix = '') =>
  (expectJson(await service.call('GET', `${prefix}/status`)) as { durability: Record<string, unknown> }).durability;

describe.runIf(isReal)('a start', () => {
  test('loads the newest save game and replays what came after it, after kill -9', async () => {
    const service = await start();
    await service.add(['a', 'b']);
    await service.save();
    await service.add(['c']);
    await service.save();
    await service.add(['d', 'e']);
    expectEmpty(await service.call('DELETE', `/graphelement/0${waited}`), 202);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['b', 'c', 'd', 'e']);
    expect(await service.add(['f'])).toEqual([5]);
    expect(await durability(service)).toMatchObject({ lastRecoveryReplayedEntries: 2, degraded: false });
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  test('of several namespaces, each from its own newest entry', async () => {
    const service = await start();
    for (const name of ['one', 'two', 'three']) {
      expectJson(await service.put(`/ns/${name}`), 201);
      await service.add([name], `/ns/${name}`);
    }
    expectJson(await service.put('/save/all'));
    await service.add(['after'], '/ns/one');
    await service.save('/ns/two');
    await service.add(['after'], '/ns/two');
    await service.kill();
    await service.start();
    expect(await service.labels('/ns/one')).toEqual(['one', 'after']);
    expect(await service.labels('/ns/two')).toEqual(['two', 'after']);
    expect(await service.labels('/ns/three')).toEqual(['three']);
    expect(service.log).toMatch(/4 of 4 namespaces are loaded/);
    for (const name of ['default', 'one', 'two', 'three'])
      expect(service.log).toContain(`Namespace \\"${name}\\" is loaded`);
  });

  test('after a clean end has one entry of all that were loaded, and nothing to replay', async () => {
    const service = await start({ 'Durability:SaveOnShutdown': true });
    for (const name of ['kept', 'excluded']) expectJson(await service.put(`/ns/${name}`), 201);
    expectJson(await exclude(service, 'excluded'));
    await service.add(['a'], '/ns/kept');
    await service.stop();
    await service.start();
    const [first] = await service.saveGames();
    expect(first).toMatchObject({ trigger: 'shutdown', location: null });
    expect(first?.namespaces.map(({ name }) => name)).toEqual(['default', 'excluded', 'kept']);
    expect(await service.labels('/ns/kept')).toEqual(['a']);
    expect(await durability(service, '/ns/kept')).toMatchObject({ lastRecoveryReplayedEntries: 0 });
    await service.stop();
    await service.start();
    const entries = await service.saveGames();
    expect(entries.length).toBe(2);
    expect(entries[0]?.namespaces.map(({ name }) => name)).toEqual(['default', 'kept']);
  });

  test('writes nothing at the end when SaveOnShutdown is false, and keeps everything', async () => {
    const service = await start();
    await service.add(['a']);
    await service.stop();
    expect(service.files()).not.toContain('Temp.f8s');
    await service.start();
    expect(await service.saveGames()).toEqual([]);
    expect(await service.labels()).toEqual(['a']);
  });

  test('in volatile mode loads nothing, saves nothing, logs nothing', async () => {
    const service = await start();
    await service.add(['durable']);
    await service.save();
    await service.stop();
    await service.start({ 'Durability:Volatile': true, 'Durability:SaveOnShutdown': true });
    expect(await service.labels()).toEqual([]);
    expect(await durability(service)).toMatchObject({ walEnabled: false, degraded: false });
    await service.add(['gone tomorrow']);
    expect(await service.saveGames()).toEqual([]);
    expectEmpty(await service.call('GET', '/savegames/x'), 204);
    expectProblem(await service.call('DELETE', '/savegames/x'), 404);
    expectProblem(await service.put('/savegames/x/load'), 404);
    expectProblem(await service.put('/save', {}), 500);
    expectProblem(await service.put('/save/all'), 500);
    await service.stop();
    await service.start({ 'Durability:Volatile': false });
    expect(await service.labels()).toEqual(['durable']);
  });

  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['cut off', '{"schemaVersion": 2, "saveGames": ['],
    ['no object', '[]'],
    ['of a later version', '{"schemaVersion": 3, "saveGames": []}'],
    ['without entries', '{"schemaVersion": 2}'],
    ['with a bad entry', '{"schemaVersion": 2, "saveGames": [{"id": "sg-1"}]}'],
    ['not UTF-8', '\u0000\ufffd'],
  ])('over a registry that is %s ends with 1, says why and leaves it alone', async (_, text) => {
    const service = await start();
    await service.add(['a']);
    await service.save();
    await service.stop();
    const good = readFileSync(service.registry);
    writeFileSync(service.registry, text);
    const { code, err } = await service.failToStart();
    expect(code).toBe(1);
    expect(err).toMatch(/^arcwise: The save game registry savegames\.json cannot be read/m);
    expect(readFileSync(service.registry, 'utf8')).toBe(text);
    writeFileSync(service.registry, good);
    await service.start();
    expect(await service.labels()).toEqual(['a']);
  });

  test('ends with 1 when the file of a registered entry is missing, of any namespace it loads', async () => {
    const service = await start();
    expectJson(await service.put('/ns/other'), 201);
    await service.add(['a'], '/ns/other');
    const entry = await service.save('/ns/other');
    await service.stop();
    const location = locationOf(entry);
    renameSync(location, `${location}.away`);
    const { code, err } = await service.failToStart();
    expect(code).toBe(1);
    expect(err).toContain(`registered as save game ${entry.id}, is missing`);
    await service.start({ 'Namespaces:StartupLoadMode': 'DefaultOnly' });
    expect(await stateOf(service, 'other')).toBe('notLoaded');
    expectProblem(await service.call('POST', '/ns/other/activate'), 500, 'Namespace activation failed');
    await service.stop();
    renameSync(`${location}.away`, location);
    await service.start({ 'Namespaces:StartupLoadMode': 'Catalog' });
    expect(await service.labels('/ns/other')).toEqual(['a']);
  });

  test('adopts an unregistered checkpoint that is strictly newer than the newest entry', async () => {
    const service = await start();
    await service.add(['a']);
    const entry = await service.save();
    await service.add(['b']);
    const newer = await service.save();
    await service.add(['c']);
    await service.kill();
    const document = JSON.parse(readFileSync(service.registry, 'utf8'));
    document.saveGames = document.saveGames.filter(({ id }: SavedEntry) => id === entry.id);
    writeFileSync(service.registry, JSON.stringify(document));
    await service.start();
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
    const entries = await service.saveGames();
    expect(entries.map(({ trigger, location }) => ({ trigger, location }))).toEqual([
      { trigger: 'imported', location: newer.location },
      { trigger: 'api', location: entry.location },
    ]);
  });

  test('only warns of a checkpoint in its directory that no entry names', async () => {
    const source = await start();
    await source.add(['from elsewhere']);
    const { location } = await source.save();
    const service = await start();
    await service.add(['own']);
    await service.stop();
    copyCheckpoint(location as string, join(service.storage, 'Temp.f8s'));
    await service.start();
    expect(await service.labels()).toEqual(['own']);
    expect(await service.saveGames()).toEqual([]);
    expect(service.log).toMatch(/"level":40.*no save game names.*Temp\.f8s/);
  });

  test('clears away what a save that was never finished has left, and nothing else', async () => {
    const service = await start();
    await service.add(['a']);
    const { location } = await service.save();
    await service.stop();
    copyCheckpoint(location as string, join(service.storage, 'cut.f8s'));
    rmSync(join(service.storage, 'cut.f8s'));
    writeFileSync(join(service.storage, 'notes_tail'), 'mine');
    const left = service.files().filter((name) => name.startsWith('cut.f8s'));
    expect(left.length).toBeGreaterThan(0);
    await service.start();
    const files = service.files();
    expect(files.filter((name) => name.startsWith('cut.f8s'))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['Temp.f8s', 'notes_tail']));
    expect(await service.labels()).toEqual(['a']);
  });

  test('finds its checkpoints in a storage directory that has moved', async () => {
    const service = await start();
    await service.add(['a']);
    await service.save();
    await service.stop();
    renameSync(service.storage, join(service.directory, 'moved'));
    await service.start({ 'Durability:StorageDirectory': 'moved' });
    expect(await service.labels()).toEqual(['a']);
    expect((await service.saveGames())[0]?.location).toBe(join(service.directory, 'moved', 'Temp.f8s'));
  });

  test('takes what the log builds on, after the only entry was deleted', async () => {
    const service = await start();
    await service.add(['a']);
    const entry = await service.save();
    await service.add(['b']);
    expectEmpty(await service.call('DELETE', `/savegames/${entry.id}?deleteFiles=true`), 204);
    expect(service.files()).not.toContain('Temp.f8s');
    await service.add(['c']);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
    expect(await service.saveGames()).toEqual([]);
    await service.save();
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
    expect(service.files().filter((name) => name.startsWith('arcwise.base'))).toEqual([]);
  });
});

describe.runIf(isReal)('PUT /load', () => {
  test('of a missing file is 204 and loads nothing; null, blank or no body is 400', async () => {
    const service = await start();
    await service.add(['a']);
    expectEmpty(await service.put('/load', { saveGameLocation: 'nothing.f8s' }), 204);
    expectEmpty(await service.put('/load', { saveGameLocation: 'no/such/directory.f8s' }), 204);
    expect(await service.labels()).toEqual(['a']);
    expect(await service.saveGames()).toEqual([]);
    for (const json of [null, {}, { saveGameLocation: null }, { saveGameLocation: ' ' }, { saveGameLocation: '' }]) {
      expectProblem(await service.put('/load', json), 400, 'One or more validation errors occurred.');
    }
    expectProblem(await service.put('/load'), 400);
    expectProblem(await service.put('/load', { saveGameLocation: 'x', startServices: 'perhaps' }), 400);
  });

  test('of the checkpoint the log is anchored to ends at the current state', async () => {
    const service = await start();
    await service.add(['a']);
    const { location, id } = await service.save();
    await service.add(['b']);
    expectEmpty(await service.put(`/load${waited}`, { saveGameLocation: location, startServices: true }), 204);
    expect(await service.labels()).toEqual(['a', 'b']);
    expect(await service.add(['c'])).toEqual([2]);
    expect((await service.saveGames()).map((entry) => entry.id)).toEqual([id]);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
  });

  test('of an older one discards what came later, with a warning, for good', async () => {
    const service = await start();
    await service.add(['a']);
    const first = await service.save();
    await service.add(['b']);
    await service.save();
    await service.add(['c']);
    expectEmpty(await service.put('/load', { saveGameLocation: first.location }), 204);
    expect(await service.labels()).toEqual(['a']);
    expect(service.log).toMatch(/"level":40.*discarded/);
    expect(await service.add(['d'])).toEqual([1]);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a', 'd']);
    await service.save();
    await service.add(['e']);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a', 'd', 'e']);
  });

  test('of a checkpoint from elsewhere registers it as imported, and the next start has it', async () => {
    const source = await start();
    await source.add(['x', 'y']);
    const entry = await source.save();
    const service = await start();
    await service.add(['old']);
    expectJson(await service.put('/ns/named'), 201);
    const modified = new Date('2024-03-02T01:00:00.000Z');
    copyCheckpoint(locationOf(entry), join(service.storage, 'in/from there.f8s'), modified);
    for (const prefix of ['', '/ns/named']) {
      expectEmpty(await service.put(`${prefix}/load`, { saveGameLocation: 'in/from there.f8s' }), 204);
      expect(await service.labels(prefix)).toEqual(['x', 'y']);
      expect(await service.add(['more'], prefix)).toEqual([2]);
    }
    const entries = await service.saveGames();
    expect(entries.length).toBe(2);
    for (const one of entries) {
      expect(one).toMatchObject({ trigger: 'imported', savedAt: modified.toISOString(), kpis: { vertexCount: 2 } });
      expect(one.location).toBe(join(service.storage, 'in/from there.f8s'));
    }
    await service.kill();
    await service.start();
    for (const prefix of ['', '/ns/named']) expect(await service.labels(prefix)).toEqual(['x', 'y', 'more']);
    await service.save('/ns/named');
    await service.add(['last'], '/ns/named');
    await service.kill();
    await service.start();
    expect(await service.labels('/ns/named')).toEqual(['x', 'y', 'more', 'last']);
  });

  test('of what is no checkpoint, or a damaged one, is 500 and changes nothing', async () => {
    const service = await start();
    await service.add(['a']);
    const { location } = await service.save();
    await service.add(['b']);
    writeFileSync(join(service.storage, 'text.f8s'), 'not a checkpoint');
    writeFileSync(join(service.storage, 'empty.f8s'), '');
    copyCheckpoint(location as string, join(service.storage, 'cut.f8s'));
    for (const file of service.files().filter((name) => name.startsWith('cut.f8s_'))) {
      truncateSync(join(service.storage, file), 20);
    }
    copyCheckpoint(location as string, join(service.storage, 'alone.f8s'));
    for (const file of service.files().filter((name) => name.startsWith('alone.f8s_')))
      rmSync(join(service.storage, file));
    for (const saveGameLocation of ['text.f8s', 'empty.f8s', 'cut.f8s', 'alone.f8s']) {
      expectProblem(await service.put('/load', { saveGameLocation }), 500);
      expect(await service.labels()).toEqual(['a', 'b']);
    }
    expect((await service.saveGames()).length).toBe(1);
    await service.add(['c']);
    await service.kill();
    await service.start();
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
  });

  test('lets reads that are under way finish, and loses no write around it', async () => {
    const service = await start();
    await service.add(Array.from({ length: 5000 }, (_, i) => `v${i}`));
    const { location } = await service.save();
    let going = true;
    const acknowledged: string[] = [];
    const writer = (async () => {
      for (let i = 0; going; i++) {
        await service.add([`w${i}`]);
        acknowledged.push(`w${i}`);
      }
    })();
    const exports = Array.from({ length: 10 }, () => service.call('GET', '/bulk/export'));
    for (let i = 0; i < 5; i++) expectEmpty(await service.put('/load', { saveGameLocation: location }), 204);
    going = false;
    await writer;
    for (const answer of await Promise.all(exports)) {
      expect(answer.status).toBe(200);
      const lines = answer.text.trimEnd().split('\n');
      const meta = JSON.parse(lines[0] as string) as { vertexCount: number };
      expect(lines.length - 1).toBeGreaterThanOrEqual(meta.vertexCount);
    }
    expect((await service.labels()).slice(5000)).toEqual(acknowledged);
    await service.kill();
    await service.start();
    expect((await service.labels()).slice(5000)).toEqual(acknowledged);
  });
});

describe.runIf(isReal)('PUT /savegames/{id}/load', () => {
  test('of the newest entry ends at the current state, of an older one at its own', async () => {
    const service = await start();
    await service.add(['a']);
    const first = await service.save();
    await service.add(['b']);
    const second = await service.save();
    await service.add(['c']);
    expect(expectJson(await restore(service, second))).toEqual({ ...second, activatedNamespaces: [] });
    expect(await service.labels()).toEqual(['a', 'b', 'c']);
    expectJson(await restore(service, first));
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

  test('goes on with the others when one member cannot be loaded', async () => {
    const service = await start();
    for (const name of ['bad', 'good']) expectJson(await service.put(`/ns/${name}`), 201);
    for (const name of ['bad', 'good']) await service.add(['a'], `/ns/${name}`);
    const entry = expectJson(await service.put('/save/all')) as SavedEntry;
    for (const name of ['bad', 'good']) await service.add(['b'], `/ns/${name}`);
    expectJson(await service.put('/save/all'));
    const location = entry.namespaces.find(({ name }) => name === 'bad')?.location as string;
    for (const file of filesOf(location))
      if (file !== basename(location)) truncateSync(join(dirname(location), file), 20);
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
    for (const file of filesOf(location))
      if (file !== basename(location)) truncateSync(join(dirname(location), file), 20);
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
    expect(service.log).toMatch(/asleep\\" is not loaded: its policy excludes it/);
    const both = await Promise.all([1, 2].map(() => service.call('POST', '/ns/asleep/activate')));
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
    for (const file of filesOf(location))
      if (file !== basename(location)) truncateSync(join(dirname(location), file), 20);
    await service.start();
    const answer = await service.call('POST', '/ns/asleep/activate');
    const problem = expectProblem(answer, 500, 'Namespace activation failed');
    expect(problem).toMatchObject({ namespace: 'asleep', namespaceState: 'notLoaded' });
    expect(await stateOf(service, 'asleep')).toBe('notLoaded');
  });
});

test.runIf(isReal)('a second process on the same storage directory is refused, and says why', async () => {
  const service = await start();
  await service.add(['a']);
  const rival = await start({ 'Durability:Volatile': true });
  await rival.stop();
  rival.settings = { ...service.settings, 'Durability:StorageDirectory': service.storage };
  const { code, err } = await rival.failToStart();
  expect(code).toBe(1);
  expect(err).toMatch(/^arcwise: .*is in use by/m);
  expect(await service.labels()).toEqual(['a']);
});

test.runIf(isReal)('dropping a namespace leaves its checkpoints', async () => {
  const service = await start();
  expectJson(await service.put('/ns/short'), 201);
  const entry = await service.save('/ns/short');
  expectEmpty(await service.call('DELETE', '/ns/short'), 204);
  expect(filesOf(locationOf(entry)).length).toBe(entry.fileCount);
  deleteCheckpoint(locationOf(entry));
});
