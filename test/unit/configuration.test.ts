// Changes of the configuration: what is refused, what is stored, what counts at once, what waits for a restart.

import { describe, expect, test } from 'vitest';
import { ChangesNotStored, Configuration, type OverrideStore } from '../../src/config/configuration.ts';
import type { RawSetting } from '../../src/config/sources.ts';
import { sealDocument } from '../../src/engine/sealed-document.ts';
import { settingOverrides } from '../../src/engine/setting-overrides.ts';
import { createQueries } from '../../src/queries/queries.ts';
import { MemoryBlobStore } from '../../src/storage/memory-store.ts';
import { keepLive } from '../../src/written-settings.ts';
import { NaiveEngine } from '../model/naive-engine.ts';

const name = 'config.overrides.json';
const topN = 'Service:Observability:StatisticsTopN';
const maxCount = 'Service:StoredQueries:MaxCount';

async function opened(store: MemoryBlobStore, sources: readonly RawSetting[] = []) {
  const configuration = new Configuration(sources);
  const problems = await configuration.openStore(settingOverrides(store));
  return { configuration, problems };
}

const textsOf = async (store: MemoryBlobStore): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode((await store.get(name)) ?? new Uint8Array()));

const settingOf = (configuration: Configuration, key: string) =>
  configuration.entries().find((entry) => entry.key === key);

describe('a change', () => {
  test('for the next start is stored, shown as pending, and in force after it', async () => {
    const store = new MemoryBlobStore();
    const { configuration } = await opened(store);
    expect(await configuration.change({ [topN]: ' 7 ' })).toEqual({
      ok: true,
      results: [{ key: topN, value: '7', coerced: true, cleared: false, applyMode: 'restart', restartPending: true }],
    });
    expect(configuration.settings['Observability:StatisticsTopN']).toBe(20);
    expect(configuration.pendingRestart()).toEqual([{ key: topN, runningValue: '20', pendingValue: '7' }]);
    expect(settingOf(configuration, topN)).toMatchObject({ value: '7', source: 'override', restartPending: true });
    expect(await textsOf(store)).toEqual({ version: 1, settings: { [topN]: ' 7 ' }, checksum: expect.any(String) });

    const next = await opened(store);
    expect(next.problems).toEqual([]);
    expect(next.configuration.settings['Observability:StatisticsTopN']).toBe(7);
    expect(next.configuration.pendingRestart()).toEqual([]);
    expect(await next.configuration.change({ [topN]: null })).toMatchObject({
      results: [{ key: topN, value: '20', coerced: false, cleared: true, restartPending: true }],
    });
    expect(settingOf(next.configuration, topN)).toMatchObject({ value: '20', source: 'default' });
    expect(await textsOf(store)).toMatchObject({ settings: {} });
  });

  test('back to what is running waits for nothing', async () => {
    const { configuration } = await opened(new MemoryBlobStore());
    await configuration.change({ [topN]: '7' });
    expect(await configuration.change({ [topN]: '20' })).toMatchObject({
      results: [{ coerced: false, restartPending: false }],
    });
    expect(configuration.pendingRestart()).toEqual([]);
  });

  test('of several settings answers by key, whatever their letters', async () => {
    const { configuration } = await opened(new MemoryBlobStore());
    const outcome = await configuration.change({ [maxCount.toUpperCase()]: '3', [topN.toLowerCase()]: '4' });
    expect(outcome).toMatchObject({ results: [{ key: topN }, { key: maxCount, restartPending: false }] });
    expect(configuration.settings['StoredQueries:MaxCount']).toBe(3);
  });

  test('counts at once where it may: quotas, namespaces, feeds that are there', async () => {
    const store = new MemoryBlobStore();
    const { configuration } = await opened(store);
    const engine = new NaiveEngine({ maxNamespaces: 10_000 });
    keepLive(configuration, engine);
    const { limits } = createQueries(configuration.settings, { shared: true, now: () => 0 });
    await configuration.change({
      'Service:Namespaces:MaxNamespaces': '5',
      'Service:ChangeFeed:SubscriberQueueSize': '6',
      'Service:ChangeFeed:MaxSubscribers': '7',
      'Service:ChangeFeed:KeepAliveSeconds': '8',
      'Service:Fragments:MaxFuel': '9',
    });
    expect(engine.maxNamespaces).toBe(5);
    expect(engine.find('default')?.graph?.changeFeed.settings).toMatchObject({
      subscriberQueueSize: 6,
      maxSubscribers: 7,
      keepAliveSeconds: 8,
    });
    expect(limits.maxFuel).toBe(9);
    expect(structuredClone(limits)).toEqual({ maxFuel: 9, maxSeconds: 600 });
    expect(configuration.pendingRestart()).toEqual([]);
  });

  test('that cannot be applied is stored, told, and waits for a restart', async () => {
    const { configuration } = await opened(new MemoryBlobStore());
    configuration.onChange(['StoredQueries:MaxCount'], () => {
      throw new Error('not today');
    });
    expect(await configuration.change({ [maxCount]: '3' })).toMatchObject({
      results: [{ key: maxCount, value: '3', restartPending: true, applyFailure: 'not today' }],
    });
    expect(configuration.settings['StoredQueries:MaxCount']).toBe(256);
    expect(configuration.pendingRestart()).toEqual([{ key: maxCount, runningValue: '256', pendingValue: '3' }]);
  });

  test('is made after the one before, whatever became of that', async () => {
    const { configuration } = await opened(new MemoryBlobStore());
    const outcomes = await Promise.all([
      configuration.change({ [topN]: '5' }),
      configuration.change({ [topN]: 'five' }),
      configuration.change({ [maxCount]: '6' }),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(configuration.pendingRestart()).toMatchObject([{ key: topN, pendingValue: '5' }]);
    expect(configuration.settings['StoredQueries:MaxCount']).toBe(6);
  });

  test('that cannot be stored changes nothing', async () => {
    const store: OverrideStore = {
      read: async () => new Map(),
      write: () => Promise.reject(new Error('EROFS: read-only file system')),
    };
    const configuration = new Configuration([]);
    await configuration.openStore(store);
    configuration.onChange(['StoredQueries:MaxCount'], () => {
      throw new Error('never asked');
    });
    await expect(configuration.change({ [maxCount]: '3', [topN]: '4' })).rejects.toThrow(ChangesNotStored);
    expect(configuration.settings['StoredQueries:MaxCount']).toBe(256);
    expect(configuration.pendingRestart()).toEqual([]);
    expect(settingOf(configuration, topN)).toMatchObject({ value: '20', source: 'default' });
  });
});

describe('refused', () => {
  const sources: RawSetting[] = [
    { key: 'BulkIO:ImportBatchSize', text: '', source: 'test', layer: 'environment' },
    { key: 'BulkIO:MaxLineBytes', text: '5', source: 'test', layer: 'commandLine' },
    { key: 'Plugins:MaxCount', text: '5', source: 'test', layer: 'appSettings' },
    { key: 'Analytics:MaxConcurrentRuns', text: '5', source: 'test', layer: 'host' },
  ];

  test.each([
    ['Service:Nothing', '1', 'Service:Nothing is not a setting.'],
    ['Observability:StatisticsTopN', '1', 'Observability:StatisticsTopN is not a setting.'],
    ['Service:Http:Port:0', '1', 'is not a setting.'],
    ['', '1', 'is not a setting.'],
    ['__proto__', '1', '__proto__ is not a setting.'],
    ['Service:Security:ApiKey', 'x', 'Service:Security:ApiKey is never written over HTTP (R1: '],
    ['Service:AllowedCorsOrigins', 'x', 'Service:Security:AllowedCorsOrigins is never written over HTTP (R1: '],
    ['Service:Security:AllowedCorsOrigins:0', 'x', 'is never written over HTTP (R1: '],
    ['Service:Metadata:Directory', null, '(R2: '],
    ['Service:Embedding:Backend', 'Ollama', '(R3: '],
    ['Service:Observability:Otlp:Endpoint', 'http://x', '(R4: '],
    ['Service:Observability:Prometheus:Enabled', 'true', '(R5: '],
    ['Service:Identity:Tenant:Id', 'x', '(R6: '],
    ['Service:Chat:OpenAI:ApiKey', 'x', '(R8: '],
    ['Service:ChangeFeed:Enabled', 'yes', 'Service:ChangeFeed:Enabled takes true or false, not "yes".'],
    ['Service:ChangeFeed:Enabled', '', 'takes true or false, not "".'],
    [topN, '0', `${topN} takes a whole number from 1 to 2147483647, not "0".`],
    [topN, '2147483648', 'takes a whole number'],
    [topN, '1.5', 'takes a whole number'],
    [topN, '1e3', 'takes a whole number'],
    ['Service:ChangeFeed:BufferSize', '1000001', 'from 1 to 1000000'],
    ['Service:ChangeFeed:KeepAliveSeconds', '2147484', 'from 1 to 2147483'],
    ['Service:Observability:TracingSamplingRatio', '1.01', 'takes a number from 0 to 1, not "1.01".'],
    ['Service:Observability:TracingSamplingRatio', '-0.1', 'takes a number from 0 to 1'],
    ['Service:Observability:TracingSamplingRatio', 'NaN', 'takes a number from 0 to 1'],
    ['Service:Observability:TracingSamplingRatio', 'Infinity', 'takes a number from 0 to 1'],
    ['Service:Chat:Backend', 'openai', 'takes one of Ollama, Nahil, OpenAI, Anthropic, not "openai".'],
    ['Service:Chat:OpenAI:Model', 'm'.repeat(4097), 'takes a text of at most 4096 characters, not one of 4097.'],
    ['Service:Ingestion:ChunkMinChars', '3601', 'may not exceed Service:Ingestion:ChunkMaxChars'],
  ])('%s with %s', async (key, text, detail) => {
    const store = new MemoryBlobStore();
    const { configuration } = await opened(store, sources);
    const asked = Object.fromEntries([
      [maxCount, '3'],
      [key, text],
    ]);
    const outcome = await configuration.change(asked);
    expect(outcome).toMatchObject({
      ok: false,
      refusals: [{ kind: 'invalid', detail: expect.stringContaining(detail) }],
    });
    expect(await store.get(name)).toBeNull();
    expect(configuration.settings['StoredQueries:MaxCount']).toBe(256);
  });

  test('at the edges of their range they are taken', async () => {
    const { configuration } = await opened(new MemoryBlobStore());
    const edges: [string, string][] = [
      [topN, '1'],
      [topN, '2147483647'],
      ['Service:ChangeFeed:BufferSize', '1000000'],
      ['Service:ChangeFeed:KeepAliveSeconds', '2147483'],
      ['Service:Observability:TracingSamplingRatio', '0'],
      ['Service:Observability:TracingSamplingRatio', '1'],
      ['Service:Chat:OpenAI:Model', 'm'.repeat(4096)],
      ['Service:Ingestion:ChunkMinChars', '3600'],
    ];
    for (const [key, text] of edges) {
      expect(await configuration.change({ [key]: text }), `${key} ${text}`).toMatchObject({ ok: true });
    }
  });

  test('one setting twice in other letters', async () => {
    const { configuration } = await opened(new MemoryBlobStore());
    const outcome = await configuration.change({ [topN]: '1', [topN.toLowerCase()]: '2' });
    expect(outcome).toMatchObject({ refusals: [{ kind: 'invalid', detail: `${topN} is named twice.` }] });
  });

  test('what the environment or the command line names, even as nothing; a file and a program do not keep it', async () => {
    const { configuration } = await opened(new MemoryBlobStore(), sources);
    for (const key of ['Service:BulkIO:ImportBatchSize', 'Service:BulkIO:MaxLineBytes']) {
      for (const text of ['7', null]) {
        const outcome = await configuration.change({ [key]: text });
        expect(outcome).toMatchObject({ refusals: [{ key, kind: 'conflict' }] });
      }
    }
    const asked = { 'Service:Plugins:MaxCount': '7', 'Service:Analytics:MaxConcurrentRuns': '8' };
    expect(await configuration.change(asked)).toMatchObject({ ok: true });
  });

  test('everything of a batch is told together', async () => {
    const { configuration } = await opened(new MemoryBlobStore(), sources);
    const outcome = await configuration.change({
      'Service:Nothing': '1',
      [topN]: '0',
      'Service:Security:ApiKey': 'x',
      'Service:BulkIO:MaxLineBytes': '6',
      [maxCount]: '3',
    });
    const kinds = outcome.ok ? [] : outcome.refusals.map(({ key, kind }) => [key, kind]);
    expect(kinds).toEqual([
      ['Service:Nothing', 'invalid'],
      [topN, 'invalid'],
      ['Service:Security:ApiKey', 'invalid'],
      ['Service:BulkIO:MaxLineBytes', 'conflict'],
    ]);
  });

  test('without a place to store it', async () => {
    const outcome = await new Configuration([]).change({ [topN]: '1' });
    expect(outcome).toMatchObject({
      refusals: [{ kind: 'conflict', detail: expect.stringContaining('Metadata:Directory') }],
    });
  });
});

describe('what is stored', () => {
  const bytesOf = (value: unknown) =>
    new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  const sealed = sealDocument({ version: 1, settings: { [topN]: '7' } });
  const sealedText = new TextDecoder().decode(sealed);

  test.each([
    ['torn', sealed.subarray(0, sealed.length - 9)],
    ['empty', new Uint8Array()],
    ['no UTF-8', new Uint8Array([0xff])],
    ['edited below its seal', bytesOf(sealedText.replace('"7"', '"8"'))],
    ['of another version', bytesOf({ version: 2, settings: {} })],
    ['without settings', bytesOf({ version: 1 })],
    ['a list', bytesOf({ version: 1, settings: [] })],
    ['with a number', bytesOf({ version: 1, settings: { [topN]: 7 } })],
    ['with a member too many', bytesOf({ version: 1, settings: {}, checksun: '1' })],
  ])('is ignored and left alone when it is %s', async (_, bytes) => {
    const store = new MemoryBlobStore();
    await store.put(name, bytes);
    const { configuration, problems } = await opened(store);
    expect(problems).toEqual([
      expect.stringMatching(/^The stored settings are ignored: config\.overrides\.json cannot be/),
    ]);
    expect(configuration.settings['Observability:StatisticsTopN']).toBe(20);
    const outcome = await configuration.change({ [topN]: '9' });
    expect(outcome).toMatchObject({ refusals: [{ kind: 'conflict', detail: expect.stringContaining(name) }] });
    expect(await store.get(name)).toEqual(bytes);
  });

  test('and cannot be read at all is ignored as well', async () => {
    const store = new MemoryBlobStore();
    store.get = () => Promise.reject(new Error('EACCES: permission denied'));
    const { problems } = await opened(store);
    expect(problems).toEqual([expect.stringContaining('EACCES')]);
  });

  test('may be edited by hand when the seal is taken out', async () => {
    const store = new MemoryBlobStore();
    await store.put(name, bytesOf({ version: 1, settings: { [topN]: '8' } }));
    const { configuration, problems } = await opened(store);
    expect([problems, configuration.settings['Observability:StatisticsTopN']]).toEqual([[], 8]);
  });

  test('counts only where a change could have stored it; what is not understood is kept', async () => {
    const store = new MemoryBlobStore();
    const settings = { [topN]: '0', 'Service:Later': 'x', 'Service:Security:ApiKey': 'hush', [maxCount]: '3' };
    await store.put(name, bytesOf({ version: 1, settings }));
    const { configuration, problems } = await opened(store);
    expect(problems).toEqual([
      `What is stored of ${topN} is ignored: it takes a whole number from 1 to 2147483647.`,
      'The stored setting Service:Later is unknown and ignored.',
      'Service:Security:ApiKey is never written over HTTP, so what is stored of it is ignored.',
    ]);
    expect(configuration.settings).toMatchObject({
      'Observability:StatisticsTopN': 20,
      'Security:ApiKey': null,
      'StoredQueries:MaxCount': 3,
    });
    await configuration.change({ [maxCount]: null, [topN]: '5' });
    expect(await textsOf(store)).toMatchObject({
      settings: { [topN]: '5', 'Service:Later': 'x', 'Service:Security:ApiKey': 'hush' },
    });
  });

  test('is weaker than the environment and stronger than a file', async () => {
    const store = new MemoryBlobStore();
    await store.put(name, sealed);
    const given = (layer: RawSetting['layer']): RawSetting => ({
      key: 'Observability:StatisticsTopN',
      text: '3',
      source: 'test',
      ...(layer === undefined ? {} : { layer }),
    });
    for (const [layer, value, source] of [
      ['appSettings', 7, 'override'],
      ['host', 7, 'override'],
      ['environment', 3, 'environment'],
      ['commandLine', 3, 'commandLine'],
    ] as const) {
      const { configuration } = await opened(store, [given(layer)]);
      expect(configuration.settings['Observability:StatisticsTopN'], layer).toBe(value);
      expect(settingOf(configuration, topN)).toMatchObject({ value: String(value), source });
    }
  });

  test('for a capability that is not there is told at the start', async () => {
    const store = new MemoryBlobStore();
    await (await opened(store)).configuration.change({ 'Service:Integrations:TimeoutSeconds': '5', [topN]: '5' });
    expect((await opened(store)).problems).toEqual([
      'Service:Integrations:TimeoutSeconds has no effect: in this version there are no integrations.',
    ]);
  });

  test('and does not go with a file any more is ignored', async () => {
    const store = new MemoryBlobStore();
    await store.put(name, bytesOf({ version: 1, settings: { 'Service:Ingestion:ChunkMinChars': '3000' } }));
    const file = { key: 'Ingestion:ChunkMaxChars', text: '1000', source: 'test', layer: 'appSettings' } as const;
    const { configuration, problems } = await opened(store, [file]);
    expect(problems).toEqual([expect.stringContaining('ChunkMinChars may not exceed')]);
    expect(configuration.settings['Ingestion:ChunkMinChars']).toBe(800);
    expect(() => new Configuration([{ key: 'Ingestion:ChunkMaxChars', text: '799', source: 'test' }])).toThrow(
      'may not exceed',
    );
  });

  test('is applied at the start too', async () => {
    const store = new MemoryBlobStore();
    await store.put(name, bytesOf({ version: 1, settings: { 'Service:Log:Level': 'debug' } }));
    const configuration = new Configuration([]);
    let level = '';
    configuration.onChange(['Log:Level'], () => {
      level = configuration.settings['Log:Level'];
    });
    await configuration.openStore(settingOverrides(store));
    expect(level).toBe('debug');
  });
});
