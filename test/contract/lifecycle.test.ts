// Contract part 1, Save games rules 2 to 5 and States: what a start loads, the save at a clean end, what PUT /load does to graph and
// log. Every start is the real process over real files.

import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { copyCheckpoint, deleteCheckpoint, filesOf, truncateSidecars } from './support/checkpoint-files.ts';
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

  test('of several namespaces, each from its own newest entry', { tags: ['long'] }, async () => {
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

  test('after a clean end has one entry of all that were loaded, and nothing to replay', {
    tags: ['long'],
  }, async () => {
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
    // Nothing has changed since: the stop had nothing to write.
    expect((await service.saveGames()).length).toBe(1);
    await service.add(['b'], '/ns/kept');
    await service.stop();
    await service.start();
    const entries = await service.saveGames();
    expect(entries.length).toBe(2);
    expect(entries[0]?.namespaces.map(({ name }) => name)).toEqual(['default', 'kept']);
    expect(entries[0]?.namespaces[0]?.location).toBe(first?.namespaces[0]?.location);
    expect(await durability(service, '/ns/kept')).toMatchObject({ lastRecoveryReplayedEntries: 0 });
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

  test('in volatile mode loads nothing, saves nothing, logs nothing', { tags: ['long'] }, async () => {
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

  test('ends with 1 when the file of a registered entry is missing, of any namespace it loads', {
    tags: ['long'],
  }, async () => {
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

  test('over a registry or a catalogue with a changed digit ends with 1, says why and leaves it alone', {
    tags: ['long'],
  }, async () => {
    const service = await start();
    await service.add(['a']);
    expectJson(await service.put('/ns/other'), 201);
    await service.save();
    await service.stop();
    for (const path of [service.registry, service.registry.replace('savegames', 'namespaces')]) {
      const good = readFileSync(path, 'utf8');
      const bad = good.replace(/"(savedAt|createdAt)": "2/, '"$1": "3');
      expect(bad).not.toBe(good);
      writeFileSync(path, bad);
      const { code, err } = await service.failToStart();
      expect(code).toBe(1);
      expect(err).toMatch(/^arcwise: The (save game registry|namespace catalogue) .* its checksum does not hold/m);
      expect(readFileSync(path, 'utf8')).toBe(bad);
      writeFileSync(path, good);
    }
    await service.start();
    expect(await service.labels()).toEqual(['a']);
  });

  test('adopts an unregistered checkpoint that is strictly newer than the newest entry', async () => {
    const service = await start();
    await service.add(['a']);
    const entry = await service.save();
    await service.add(['b']);
    const newer = await service.save();
    await service.add(['c']);
    await service.kill();
    const { checksum: _, ...document } = JSON.parse(readFileSync(service.registry, 'utf8'));
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

  test('only warns of a checkpoint in its directory that no entry names', { tags: ['long'] }, async () => {
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
    writeFileSync(join(service.storage, 'cut.f8s_elements_99'), ''); // killed before its first byte
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

  test('takes what the log builds on, after the only entry was deleted', { tags: ['long'] }, async () => {
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

describe.runIf(isReal)('a start over a registry', () => {
  let service: KeptService;
  let good: Buffer | undefined;
  /** The registry as it was saved; read where a test can be left out. */
  const saved = (): Buffer => {
    good ??= readFileSync(service.registry);
    return good;
  };
  beforeAll(async () => {
    service = await KeptService.start({ 'Durability:SaveOnShutdown': false });
    await service.add(['a']);
    await service.save();
    await service.stop();
  });
  afterAll(() => service?.remove());

  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['cut off', '{"schemaVersion": 2, "saveGames": ['],
    ['no object', '[]'],
    ['of a later version', '{"schemaVersion": 3, "saveGames": []}'],
    ['without entries', '{"schemaVersion": 2}'],
    ['with a bad entry', '{"schemaVersion": 2, "saveGames": [{"id": "sg-1"}]}'],
    ['not UTF-8', '\u0000\ufffd'],
  ])('that is %s ends with 1, says why and leaves it alone', async (_, text) => {
    saved();
    writeFileSync(service.registry, text);
    const { code, err } = await service.failToStart();
    expect(code).toBe(1);
    expect(err).toMatch(/^arcwise: The save game registry savegames\.json cannot be read/m);
    expect(readFileSync(service.registry, 'utf8')).toBe(text);
  });

  test('that is whole again has lost nothing', async () => {
    writeFileSync(service.registry, saved());
    await service.start();
    expect(await service.labels()).toEqual(['a']);
    expect((await service.saveGames()).length).toBe(1);
  });
});

describe.runIf(isReal)('PUT /load', { tags: ['long'] }, () => {
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

  test('of a checkpoint from elsewhere registers it as imported, and the next start has it', {
    tags: ['long'],
  }, async () => {
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

  test('of a checkpoint whose history went on elsewhere takes it; a start does not adopt it', {
    tags: ['long'],
  }, async () => {
    const original = await start();
    await original.add(['a']);
    await original.save();
    await original.stop();
    const copy = await start();
    await copy.stop();
    rmSync(copy.storage, { recursive: true });
    cpSync(original.storage, copy.storage, { recursive: true });
    await original.start();
    await original.add(['x']);
    await original.add(['y']);
    const { location } = await original.save();
    await copy.start();
    for (const label of ['p', 'q', 'r', 's']) await copy.add([label]);
    await copy.kill();
    copyCheckpoint(location as string, join(copy.storage, 'elsewhere.f8s'), new Date(Date.now() + 1000));
    await copy.start();
    expect(await copy.labels()).toEqual(['a', 'p', 'q', 'r', 's']);
    expect((await copy.saveGames()).length).toBe(1);
    expectEmpty(await copy.put('/load', { saveGameLocation: 'elsewhere.f8s' }), 204);
    expect(copy.log).toMatch(/"level":40.*discarded/);
    expect(await copy.labels()).toEqual(['a', 'x', 'y']);
    await copy.add(['z']);
    await copy.kill();
    await copy.start();
    expect(await copy.labels()).toEqual(['a', 'x', 'y', 'z']);
  });

  test('of what is no checkpoint, or a damaged one, is 500 and changes nothing', async () => {
    const service = await start();
    await service.add(['a']);
    const { location } = await service.save();
    await service.add(['b']);
    writeFileSync(join(service.storage, 'text.f8s'), 'not a checkpoint');
    writeFileSync(join(service.storage, 'empty.f8s'), '');
    copyCheckpoint(location as string, join(service.storage, 'cut.f8s'));
    truncateSidecars(join(service.storage, 'cut.f8s'));
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

  test('tells subscribers of the change feed, whose stream goes on until the end of the service', async () => {
    const service = await start({ 'Durability:SaveOnShutdown': true });
    await service.add(['a']);
    const { location } = await service.save();
    const stream = await fetch(`${service.url}/changefeed`);
    const frames = stream.text();
    expectEmpty(await service.put('/load', { saveGameLocation: location }), 204);
    await service.add(['b']);
    await service.stop();
    const events = [...(await frames).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string));
    expect(events).toMatchObject([
      { seq: 2, kind: 'resync', reason: 'load' },
      { seq: 3, kind: 'vertexCreated', id: 1, label: 'b' },
    ]);
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
