import { describe, expect, it } from 'vitest';
import { CatalogueUnreadable } from '../../src/engine/catalogue.ts';
import { NamespaceGone } from '../../src/engine/gone.ts';
import type { JobOptions } from '../../src/engine/jobs/types.ts';
import type { LoadState } from '../../src/engine/load-progress.ts';
import { LogCorruption } from '../../src/engine/log/recovery.ts';
import { CatalogueMissing } from '../../src/engine/lost-catalogue.ts';
import { pathJob } from '../../src/queries/paths/path-job.ts';
import { MemoryBlobStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import type { LogFile, LogStore } from '../../src/storage/types.ts';
import {
  bodyOf,
  failureOf,
  graphOf,
  homeWith,
  importLimits,
  ringOf,
  startedWith,
  textOf,
  vertex,
} from './engine-support.ts';

const catalogueOf = async (metadata: MemoryBlobStore): Promise<Record<string, unknown>> =>
  JSON.parse(new TextDecoder().decode((await metadata.get('namespaces.json')) as Uint8Array));

const put = (metadata: MemoryBlobStore, text: string): Promise<void> =>
  metadata.put('namespaces.json', new TextEncoder().encode(text));

async function flipByte(logs: MemoryLogStore, name: string, at: number): Promise<void> {
  const file = (await logs.open(name)) as LogFile;
  const byte = new Uint8Array(1);
  await file.read(at, byte);
  byte[0] = (byte[0] as number) ^ 4;
  await file.write(at, byte);
}

describe('namespaces', () => {
  it('start with default alone', async () => {
    const { engine, lines } = await startedWith();
    expect(engine.ready).toBe(true);
    expect(engine.list()).toMatchObject([
      { id: 'default', name: 'default', state: 'ready', loadOnStartupEnabled: true, pluginRegistrationEnabled: null },
    ]);
    expect(lines).toEqual(['info Namespace "default" is loaded.', 'info 1 of 1 namespaces are loaded.']);
    await engine.close();
  });

  it('are made, listed in ordinal order, renamed, given policies and dropped', async () => {
    const metadata = new MemoryBlobStore();
    const logs = new MemoryLogStore();
    const { engine } = await startedWith({ metadata, logs });
    for (const name of ['zoo', 'Ärger', 'Zoo', 'flights EU']) expect(failureOf(await engine.create(name))).toBe('ok');
    expect(engine.list().map(({ name }) => name)).toEqual(['Zoo', 'default', 'flights EU', 'zoo', 'Ärger']);
    const id = engine.find('zoo')?.id as string;
    expect(id).toMatch(/^ns-20260506-070809-[0-9a-f]{4}$/);
    expect(engine.find('zoo')?.createdAt).toMatch(/^2026-05-06T07:08:09\.0\d\dZ$/);

    await engine.update('zoo', { name: 'park', pluginRegistration: 'disabled', loadOnStartup: 'enabled' });
    expect(engine.find('zoo')).toBeUndefined();
    expect(engine.find('park')).toMatchObject({ id, pluginRegistrationEnabled: false, loadOnStartupEnabled: true });
    await engine.update('park', { pluginRegistration: 'inherit' });
    await engine.update('default', { pluginRegistration: 'enabled' });
    expect(await catalogueOf(metadata)).toMatchObject({ schemaVersion: 1, defaultPluginRegistrationEnabled: true });
    const entries = (await catalogueOf(metadata)).namespaces as Record<string, unknown>[];
    const createdAt = engine.find('park')?.createdAt;
    expect(entries.find((entry) => entry.id === id)).toEqual({
      id,
      name: 'park',
      createdAt,
      pluginRegistrationEnabled: null,
      loadOnStartupEnabled: true,
    });

    expect(await logs.list('namespaces/')).toContain(`namespaces/${id}/arcwise.wal`);
    const held = graphOf(engine, 'park');
    expect(failureOf(await engine.remove('park'))).toBe('ok');
    expect(await logs.list(`namespaces/${id}`)).toEqual([]);
    expect(() => held.vertexCount).toThrow(NamespaceGone);
    expect(() => held.write([vertex()])).toThrow(NamespaceGone);
    // A fragment that was compiled for it meanwhile finds no memory to run in.
    const modules = [{}] as unknown as NonNullable<JobOptions['modules']>;
    await expect(held.runJob(pathJob, {} as never, { modules })).rejects.toThrow(NamespaceGone);
    expect(failureOf(await engine.remove('park'))).toBe('notFound');
    await engine.close();
  });

  it('refuse what the contract refuses', async () => {
    const { engine } = await startedWith({ maxNamespaces: 3 });
    const bad = ['', ' ', ' x', 'x ', '.', '..', 'a/b', 'a\\b', 'a\u0000', '\u0085x', 'x'.repeat(64), '\ud800'];
    for (const name of bad) expect(failureOf(await engine.create(name)), JSON.stringify(name)).toBe('invalidName');
    for (const name of ['x'.repeat(63), 'fraud!(q3)#2']) expect(failureOf(await engine.create(name))).toBe('ok');
    expect(failureOf(await engine.create('default'))).toBe('nameInUse');
    expect(failureOf(await engine.create('fraud!(q3)#2'))).toBe('nameInUse');
    expect(failureOf(await engine.create('one too many'))).toBe('quotaExceeded');
    expect(failureOf(await engine.update('default', { name: 'other' }))).toBe('reserved');
    expect(failureOf(await engine.update('default', { loadOnStartup: 'disabled' }))).toBe('reserved');
    expect(failureOf(await engine.update('nope', { loadOnStartup: 'disabled' }))).toBe('notFound');
    expect(failureOf(await engine.update('nope', { name: 'a/b' }))).toBe('invalidName');
    expect(failureOf(await engine.update('fraud!(q3)#2', { name: 'fraud!(q3)#2' }))).toBe('nameInUse');
    expect(failureOf(await engine.remove('default'))).toBe('reserved');
    expect(await engine.activate('nope')).toMatchObject({ ok: false, failure: 'notFound' });
    expect(await engine.activate('default')).toMatchObject({ ok: true, activated: false });
    await engine.close();
  });

  it('make one of two that want the same name at once', async () => {
    const { engine } = await startedWith();
    const results = await Promise.all([engine.create('twin'), engine.create('twin')]);
    expect(results.map(failureOf)).toEqual(['ok', 'nameInUse']);
    await engine.close();
  });

  it('come back after a restart, loaded by mode and policy', async () => {
    const metadata = new MemoryBlobStore();
    const logs = new MemoryLogStore();
    const first = await startedWith({ metadata, logs });
    for (const name of ['kept', 'excluded', 'wanted']) await first.engine.create(name);
    await first.engine.update('excluded', { loadOnStartup: 'disabled' });
    await first.engine.update('wanted', { loadOnStartup: 'enabled' });
    const write = graphOf(first.engine, 'excluded').write([vertex('a'), vertex('b')]);
    expect(write.ok && (await write.durable)).toBe(true);
    await first.engine.close();
    await first.engine.close();

    const loaded = async (changes: Parameters<typeof homeWith>[0]): Promise<string[]> => {
      const { engine } = await startedWith({ metadata, logs, ...changes });
      const names = engine.list().flatMap(({ name, state }) => (state === 'ready' ? [name] : []));
      await engine.close();
      return names;
    };
    expect(await loaded({})).toEqual(['default', 'kept', 'wanted']);
    expect(await loaded({ loadOnStartupDefault: false })).toEqual(['default', 'wanted']);
    expect(await loaded({ startupLoadMode: 'all' })).toEqual(['default', 'excluded', 'kept', 'wanted']);
    expect(await loaded({ startupLoadMode: 'defaultOnly' })).toEqual(['default']);

    const { engine, lines } = await startedWith({ metadata, logs });
    expect(lines).toContain('info Namespace "excluded" is not loaded: its policy excludes it.');
    expect(lines.at(-1)).toBe('info 3 of 4 namespaces are loaded.');
    const [one, two] = await Promise.all([engine.activate('excluded'), engine.activate('excluded')]);
    expect(one).toMatchObject({ ok: true });
    expect(two).toMatchObject({ ok: true });
    expect(graphOf(engine, 'excluded').vertexCount).toBe(2);
    expect(graphOf(engine, 'excluded').durability).toMatchObject({ recoveryRan: true, lastRecoveryReplayedEntries: 1 });
    await engine.close();
  });

  it('leave out bad entries of the catalogue, loudly, and keep them in the file', async () => {
    const metadata = new MemoryBlobStore();
    const good = { id: 'ns-20260101-000000-00aa', name: 'good', createdAt: '2026-01-01T00:00:00.000Z' };
    const bad = [
      { ...good, name: 'same id' },
      { ...good, id: 'ns-20260101-000000-00ab' },
      { ...good, id: '../../etc', name: 'a' },
      { ...good, id: 'ns-20260101-000000-00ac', name: 'default' },
      { ...good, id: 'ns-20260101-000000-00ad', name: 'a/b' },
      { ...good, id: 'ns-20260101-000000-00ae', name: 'c', createdAt: 'yesterday' },
      { ...good, id: 'ns-20260101-000000-00af', name: 'd', loadOnStartupEnabled: 'yes' },
      7,
    ];
    await put(metadata, JSON.stringify({ schemaVersion: 1, namespaces: [good, ...bad] }));
    const { engine, lines } = await startedWith({ metadata });
    expect(engine.list().map(({ name }) => name)).toEqual(['default', 'good']);
    expect(lines.filter((line) => line.startsWith('error')).length).toBe(bad.length);
    await engine.create('new');
    expect((await catalogueOf(metadata)).namespaces).toEqual(
      expect.arrayContaining([...bad, expect.objectContaining({ name: 'new' }), expect.objectContaining(good)]),
    );
    await engine.close();
  });

  it('do not start over a catalogue that cannot be read, and leave it alone', async () => {
    const texts = ['', '{', '[]', 'null', '{"schemaVersion":2,"namespaces":[]}', '{"schemaVersion":1}', '\u0000'];
    for (const text of texts) {
      const metadata = new MemoryBlobStore();
      await put(metadata, text);
      const { engine } = homeWith({ metadata });
      await expect(engine.start(), JSON.stringify(text)).rejects.toThrow(CatalogueUnreadable);
      await expect(engine.create('x')).rejects.toThrow(CatalogueUnreadable);
      expect(new TextDecoder().decode((await metadata.get('namespaces.json')) as Uint8Array)).toBe(text);
      await engine.close();
    }
  });

  it('abort the start when the log of default is corrupt', async () => {
    const logs = new MemoryLogStore();
    const first = await startedWith({ logs });
    for (let i = 0; i < 3; i++) {
      const write = graphOf(first.engine).write([vertex()]);
      expect(write.ok && (await write.durable)).toBe(true);
    }
    await first.engine.close();
    await flipByte(logs, 'arcwise.wal', 4096 + 40);
    const { engine, lines } = homeWith({ logs });
    await expect(engine.start()).rejects.toThrow(LogCorruption);
    expect(engine.ready).toBe(false);
    expect(lines[0]).toMatch(
      /^error Namespace "default" could not be loaded: The log arcwise.wal is corrupt at byte 4096/,
    );
    await engine.close();
  });

  it('say so when the log of one that the catalogue lists is gone', async () => {
    const logs = new MemoryLogStore();
    const metadata = new MemoryBlobStore();
    const first = await startedWith({ logs, metadata });
    await first.engine.create('bereft');
    const name = `namespaces/${first.engine.find('bereft')?.id}/arcwise.wal`;
    await first.engine.close();
    for (const file of await logs.list(name)) await logs.delete(file);
    const { engine, lines } = await startedWith({ logs, metadata });
    expect(engine.find('bereft')).toMatchObject({ state: 'ready' });
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
      'warn The log of namespace "bereft" is missing; the namespace starts empty, and no save game has it.',
    ]);
    await engine.close();
    const again = await startedWith({ logs, metadata });
    expect(again.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
    await again.engine.close();
  });

  it('never commit before what is there when the clock is set back', async () => {
    const times = [5_000_000, 9_000_000, 1_000_000, 2_000_000, 9_500_000];
    let reading = 0;
    const { engine } = await startedWith({ clock: { nowMs: () => times[reading] as number } });
    const modified: number[] = [];
    expect(graphOf(engine).write([vertex()]).ok).toBe(true);
    for (reading = 1; reading < times.length; reading++) {
      const set = { kind: 'setProperty', element: 0, key: 'n', type: 7, text: `${reading}` } as const;
      expect(graphOf(engine).write([set]).ok).toBe(true);
      const text = textOf(graphOf(engine).reads.element(0, 'vertex'));
      modified.push(Date.parse(`${/"modificationDate":"([^"]+)"/.exec(text)?.[1]}Z`) / 1000);
    }
    expect(modified).toEqual([9000, 9000, 9000, 9500]);
    await engine.close();
  });

  it('leave a named one with a corrupt log not loaded, and say why', async () => {
    const logs = new MemoryLogStore();
    const metadata = new MemoryBlobStore();
    const first = await startedWith({ logs, metadata });
    await first.engine.create('broken');
    const name = `namespaces/${first.engine.find('broken')?.id}/arcwise.wal`;
    await first.engine.close();
    await flipByte(logs, name, 20);
    const { engine, lines } = await startedWith({ logs, metadata });
    expect(engine.find('broken')).toMatchObject({ state: 'notLoaded', graph: null });
    expect(lines.some((line) => line.startsWith('error Namespace "broken" could not be loaded'))).toBe(true);
    expect(await engine.activate('broken')).toMatchObject({
      ok: false,
      failure: 'activationFailed',
      detail: expect.stringContaining('checksum of its header'),
    });
    expect(failureOf(await engine.remove('broken'))).toBe('ok');
    expect(await logs.list('namespaces/')).toEqual([]);
    await engine.close();
  });

  it('keep nothing in volatile mode', async () => {
    const { engine } = await startedWith({ logs: null, metadata: null });
    expect(failureOf(await engine.create('gone tomorrow'))).toBe('ok');
    const write = graphOf(engine).write([vertex()]);
    expect(write.ok && (await write.durable)).toBe(true);
    expect(graphOf(engine).durability).toEqual({
      walEnabled: false,
      degraded: false,
      recoveryRan: false,
      lastRecoveryTruncated: false,
      lastRecoveryReplayedEntries: 0,
      lastCheckpointDroppedIndices: 0,
    });
    await engine.close();
  });

  it('are all erased at once: default emptied, the others dropped, loaded or not', async () => {
    const logs = new MemoryLogStore();
    const metadata = new MemoryBlobStore();
    const first = await startedWith({ logs, metadata });
    await first.engine.create('loaded');
    await first.engine.create('sleeping');
    await first.engine.update('sleeping', { loadOnStartup: 'disabled' });
    const write = graphOf(first.engine).write([vertex()]);
    expect(write.ok && (await write.durable)).toBe(true);
    await first.engine.close();
    const { engine } = await startedWith({ logs, metadata });
    const erased = await engine.eraseAll();
    expect(erased?.ok && (await erased.durable)).toBe(true);
    expect(engine.list().map(({ name }) => name)).toEqual(['default']);
    expect(graphOf(engine).vertexCount).toBe(0);
    expect(await logs.list('')).toEqual(['arcwise.wal']);
    await engine.close();
    const again = await startedWith({ logs, metadata });
    expect(again.engine.list().length).toBe(1);
    expect(graphOf(again.engine).vertexCount).toBe(0);
    await again.engine.close();
  });

  it('are dropped one by one with other work in between, also where nothing is kept', async () => {
    const { engine } = await startedWith({ logs: null, metadata: null });
    for (let i = 0; i < 20; i++) await engine.create(`n${i}`);
    let isOver = false;
    const erasing = engine.eraseAll().finally(() => {
      isOver = true;
    });
    let turns = 0;
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toBeGreaterThanOrEqual(20);
    await erasing;
    expect(engine.list().length).toBe(1);
    await engine.close();
  });

  it('are not forgotten where the catalogue is missing: the start says what there is, and writes nothing', async () => {
    const logs = new MemoryLogStore();
    const metadata = new MemoryBlobStore();
    const first = await startedWith({ logs, metadata });
    await first.engine.create('a');
    const id = first.engine.find('a')?.id ?? '';
    await first.engine.close();
    await metadata.delete('namespaces.json');
    const { engine } = homeWith({ logs, metadata });
    await expect(engine.start()).rejects.toThrow(CatalogueMissing);
    await expect(engine.start()).rejects.toThrow(
      `and there are namespaces: ${id} (files in namespaces/${id}). Bring it back`,
    );
    expect(failureOf(await engine.create('b').catch(() => ({ ok: false, failure: 'notFound', detail: '' })))).toBe(
      'notFound',
    );
    await engine.close();
    expect(await metadata.list('')).toEqual([]);
    await metadata.put('namespaces.json', new TextEncoder().encode('{"schemaVersion":1,"namespaces":[]}'));
    const { engine: without } = await startedWith({ logs, metadata });
    expect(without.list().length).toBe(1);
    await without.close();
  });

  it('that a crash left half made beside no catalogue are no loss', async () => {
    const logs = new MemoryLogStore();
    const metadata = new MemoryBlobStore();
    const { engine } = await startedWith({ logs, metadata });
    const create = logs.create.bind(logs);
    let before: string[] = [];
    logs.create = async (name, content) => {
      before = await metadata.list('');
      return create(name, content);
    };
    await engine.create('first');
    expect(before).toEqual(['namespaces.json']);
    await engine.close();
  });

  it('are left alone by an erase of everything that comes while default is being loaded', async () => {
    const first = await startedWith();
    await first.engine.create('a');
    await first.engine.close();
    const { logs, metadata } = first.options;
    const { engine } = homeWith({ logs, metadata });
    const starting = engine.start();
    expect(await engine.eraseAll()).toBe(null);
    await starting;
    expect(engine.list().map(({ name }) => name)).toEqual(['a', 'default']);
    await engine.close();
  });

  it('tell how much of a log is replayed while they are loaded', async () => {
    const first = await startedWith();
    await graphOf(first.engine).importLines(bodyOf(ringOf(20_000), 65_536), importLimits);
    await first.engine.close();
    const { logs, metadata } = first.options;
    const seen: LoadState[] = [];
    const look = (): void => {
      const state = home.engine.find('default')?.loadState;
      if (state) seen.push(state);
    };
    const open = logs?.open.bind(logs) as LogStore['open'];
    const watched = Object.assign(logs as LogStore, {
      open: async (name: string) => {
        const file = await open(name);
        if (file === null) return null;
        const sync = file.sync.bind(file);
        return Object.assign(file, {
          sync: async () => {
            look();
            return sync();
          },
        });
      },
    });
    const pause = async (): Promise<void> => look();
    const home = homeWith({ logs: watched, metadata, pause });
    await home.engine.start();
    const replayed = seen.find(({ phase }) => phase === 'log') as LoadState;
    expect(replayed.bytesDone).toBeGreaterThan(1_000_000);
    expect(replayed.bytesTotal).toBeGreaterThanOrEqual(replayed.bytesDone as number);
    expect(seen.at(-1)).toEqual({ phase: 'edges', bytesDone: null, bytesTotal: null });
    expect(home.engine.find('default')).toMatchObject({ isLoading: false, loadState: null });
    await home.engine.close();
  });

  it('reuse the memory of a dropped namespace, empty', async () => {
    const { engine } = await startedWith();
    for (let round = 0; round < 5; round++) {
      await engine.create('short');
      const graph = graphOf(engine, 'short');
      expect(graph.vertexCount).toBe(0);
      expect(graph.write([vertex(`l${round}`), vertex()])).toMatchObject({ ok: true, firstId: 0, createCount: 2 });
      await engine.remove('short');
    }
    await engine.close();
  });

  it('answer storageFailed when the catalogue cannot be written, and change nothing', async () => {
    class Full extends MemoryBlobStore {
      full = false;
      override put(name: string, bytes: Uint8Array): Promise<void> {
        return this.full ? Promise.reject(new Error('ENOSPC')) : super.put(name, bytes);
      }
    }
    const metadata = new Full();
    const logs = new MemoryLogStore();
    const { engine } = await startedWith({ metadata, logs });
    await engine.create('old');
    metadata.full = true;
    expect(failureOf(await engine.create('new'))).toBe('storageFailed');
    expect(failureOf(await engine.update('old', { name: 'renamed' }))).toBe('storageFailed');
    expect(failureOf(await engine.remove('old'))).toBe('storageFailed');
    await expect(engine.eraseAll()).rejects.toThrow('ENOSPC');
    expect(engine.list().map(({ name, state }) => `${name} ${state}`)).toEqual(['default ready', 'old ready']);
    expect((await logs.list('namespaces/')).length).toBe(1);
    await engine.close();
  });
});
