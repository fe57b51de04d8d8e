// Contract part 3, Configuration write; reference 16.2, over the service's own process and its metadata directory.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectEmpty, expectJson, expectProblem } from './support/requests.ts';
import { isReal, type ServiceSettings, startService, type TestService } from './support/service.ts';

const headers = { 'x-api-key': 'k' };
const topN = 'Service:Observability:StatisticsTopN';
const maxCount = 'Service:StoredQueries:MaxCount';
const directories: string[] = [];

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'arcwise-config-'));
  directories.push(directory);
  return directory;
}

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

const writing = (directory: string, more: ServiceSettings = {}): ServiceSettings => ({
  'Security:ApiKey': 'k',
  'Security:EnableConfigurationWrite': true,
  'Security:SensitiveRateLimitPermitPerWindow': 1000,
  'Metadata:Directory': directory,
  ...more,
});

async function withService(settings: ServiceSettings, use: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startService(settings);
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

const patch = (service: TestService, settings: unknown) =>
  service.call('PATCH', '/config', { json: { settings }, headers });

interface Config {
  readonly settings: readonly { readonly key: string; readonly [member: string]: unknown }[];
  readonly [member: string]: unknown;
}

async function configOf(service: TestService): Promise<Config> {
  return expectJson(await service.call('GET', '/config', { headers })) as Config;
}

describe.runIf(isReal)('PATCH /config', () => {
  const directory = isReal ? newDirectory() : '';
  const file = join(directory, 'config.overrides.json');
  let service: TestService;
  beforeAll(async () => {
    service = await startService(writing(directory));
  });
  afterAll(() => service.stop());

  test('stores a value for the next start, which finds it', async () => {
    expect((await configOf(service)).configWriteEnabled).toBe(true);
    const answer = expectJson(await patch(service, { [topN]: '5', 'Service:Chat:Ollama:Model': 'm1' }));
    const pendingRestart = [
      { key: 'Service:Chat:Ollama:Model', runningValue: 'phi4-f8-mini:latest', pendingValue: 'm1' },
      { key: topN, runningValue: '20', pendingValue: '5' },
    ];
    const common = { coerced: false, cleared: false, applyMode: 'restart', restartPending: true };
    expect(answer).toEqual({
      results: [
        { key: 'Service:Chat:Ollama:Model', value: 'm1', ...common },
        { key: topN, value: '5', ...common },
      ],
      pendingRestart,
    });
    const before = await configOf(service);
    expect(before).toMatchObject({ pendingRestart, observability: { statisticsTopN: 20 } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, settings: { [topN]: '5' } });
    expect(readdirSync(directory).filter((name) => name.includes('.part-'))).toEqual([]);

    await service.restart();
    const after = await configOf(service);
    expect(after).toMatchObject({
      pendingRestart: [],
      observability: { statisticsTopN: 5 },
      semantic: { chat: { model: 'm1' } },
    });
    expect(after.settings.find(({ key }) => key === topN)).toMatchObject({ value: '5', source: 'override' });
    expect(expectJson(await patch(service, { [topN]: null }))).toMatchObject({
      results: [{ key: topN, value: '20', cleared: true, restartPending: true }],
    });
  });

  test('changes what counts at once: namespaces, stored queries, subscribers', async () => {
    const changed = {
      'Service:Namespaces:MaxNamespaces': '2',
      [maxCount]: '1',
      'Service:ChangeFeed:MaxSubscribers': '1',
    };
    expect(expectJson(await patch(service, changed))).toMatchObject({
      results: [{ restartPending: false }, { restartPending: false }, { restartPending: false }],
    });
    expect(expectJson(await service.call('GET', '/ns', { headers }))).toMatchObject({ maxNamespaces: 2 });
    expectJson(await service.call('PUT', '/ns/one', { headers }), 201);
    expectProblem(await service.call('PUT', '/ns/two', { headers }), 422, 'Namespace quota exceeded');
    const query = (name: string) =>
      service.call('POST', '/storedquery', { headers, json: { name, kind: 'Path', path: {} } });
    expectJson(await query('a'), 201);
    expectProblem(await query('b'), 409);
    const feed = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${service.url}/changefeed`, { headers }, resolve).on('error', reject);
    });
    expect(feed.statusCode).toBe(200);
    expectProblem(await service.call('GET', '/changefeed', { headers }), 503, 'Subscriber limit reached');
    // A namespace that is made later has the new limits as well.
    expectEmpty(await service.call('DELETE', '/ns/one', { headers }), 204);
    expectJson(await patch(service, { 'Service:Namespaces:MaxNamespaces': null, [maxCount]: null }));
    expectJson(await service.call('PUT', '/ns/later', { headers }), 201);
    const later = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${service.url}/ns/later/changefeed`, { headers }, resolve).on('error', reject);
    });
    expectProblem(await service.call('GET', '/ns/later/changefeed', { headers }), 503, 'Subscriber limit reached');
    for (const stream of [feed, later]) stream.on('error', () => {}).destroy();
    expectJson(await patch(service, { 'Service:ChangeFeed:MaxSubscribers': null }));
    expectJson(await query('b'), 201);
  });

  test('refuses a batch whole, with every reason in one answer', async () => {
    const before = readFileSync(file, 'utf8');
    const problem = expectProblem(
      await patch(service, {
        [maxCount]: '9',
        'Service:Nothing': '1',
        [topN]: 'many',
        'Service:Chat:OpenAI:ApiKey': 'hush',
        'Service:Metadata:Directory': '/elsewhere',
      }),
      400,
      'Bad Request',
    );
    for (const part of [
      'Service:Nothing',
      topN,
      'Service:Chat:OpenAI:ApiKey',
      '(R8: ',
      '(R2: ',
      'Nothing has been stored',
    ])
      expect(problem.detail).toContain(part);
    expect(problem.detail).not.toContain('hush');
    expectProblem(await patch(service, { [topN]: '1', [topN.toUpperCase()]: '2' }), 400);
    expectProblem(await patch(service, { 'Service:Log:Level': 'debug' }), 409, 'Conflict'); // the command line names it
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await configOf(service)).settings.find(({ key }) => key === maxCount)).toMatchObject({ value: '256' });
  });

  test('takes bodies of its form only, up to 1 MiB', async () => {
    for (const json of [
      {},
      { settings: {} },
      { settings: [] },
      { settings: { [topN]: 5 } },
      { settings: null },
      [],
      'x',
    ])
      expectProblem(await service.call('PATCH', '/config', { json, headers }), 400);
    expectProblem(await service.call('PATCH', '/config', { body: '', headers }), 400);
    expectProblem(await service.call('PATCH', '/config', { body: '{"settings":{"__proto__":"1"}}', headers }), 400);
    const bodyOf = (bytes: number): string => {
      const text = JSON.stringify({ settings: { 'Service:x': '' } });
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
    };
    for (const bytes of [1_048_575, 1_048_576]) {
      const problem = expectProblem(await service.call('PATCH', '/config', { body: bodyOf(bytes), headers }), 400);
      expect(String(problem.detail).length).toBeLessThan(200);
    }
    expectProblem(await service.call('PATCH', '/config', { body: bodyOf(1_048_577), headers }), 413);
    const unknown = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`Service:${i}`, '1']));
    const problem = expectProblem(await patch(service, unknown(16_000)), 400);
    expect(problem.detail).toContain('15900 more are refused.');
    expect(expectProblem(await patch(service, unknown(30_000)), 413).detail).toContain('Http:MaxObjectMembers');
  });

  test('counts against the limiter of sensitive requests', async () => {
    const settings = writing(newDirectory(), { 'Security:SensitiveRateLimitPermitPerWindow': 1 });
    await withService({ ...settings, 'Security:RateLimitWindowSeconds': 1000 }, async (limited) => {
      expectJson(await patch(limited, { [topN]: '5' }));
      expectProblem(await patch(limited, { [topN]: '6' }), 429);
    });
  });
});

describe.runIf(isReal)('settings are written by nobody', () => {
  test('without a key', async () => {
    const settings = { 'Security:EnableConfigurationWrite': true, 'Metadata:Directory': newDirectory() };
    await withService(settings, async (service) => {
      expectProblem(await patch(service, { [topN]: '5' }), 401);
      expect((await configOf(service)).configWriteEnabled).toBe(false);
    });
  });

  test('while writing is off, without the right key, without a metadata directory of their own', async () => {
    await withService({ 'Security:ApiKey': 'k', 'Metadata:Directory': newDirectory() }, async (service) => {
      expectProblem(await patch(service, { [topN]: '5' }), 403);
      expectProblem(await service.call('PATCH', '/config', { json: { settings: { [topN]: '5' } } }), 401);
      expect((await configOf(service)).configWriteEnabled).toBe(false);
    });
    await withService({ 'Security:ApiKey': 'k', 'Security:EnableConfigurationWrite': true }, async (service) => {
      const problem = expectProblem(await patch(service, { [topN]: '5' }), 409);
      expect(problem.detail).toContain('Service:Metadata:Directory is not configured');
    });
  });
});

describe.runIf(isReal)('where they are stored', () => {
  test('a torn file is left alone, and the service runs without it', async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'config.overrides.json'), '{"version":1,"settings":{"Service:');
    await withService(writing(directory), async (service) => {
      const problem = expectProblem(await patch(service, { [topN]: '5' }), 409);
      expect(problem.detail).toContain('config.overrides.json cannot be read');
      expect((await configOf(service)).pendingRestart).toEqual([]);
    });
    expect(readFileSync(join(directory, 'config.overrides.json'), 'utf8')).toBe('{"version":1,"settings":{"Service:');
  });

  test('a directory that takes no file leaves everything as it was', async () => {
    const directory = newDirectory();
    await withService(writing(directory), async (service) => {
      // A directory under the file's name refuses the new file to everybody, the superuser included.
      mkdirSync(join(directory, 'config.overrides.json/x'), { recursive: true });
      expectProblem(await patch(service, { [maxCount]: '1', [topN]: '5' }), 500, 'Settings not stored');
      const config = await configOf(service);
      expect(config.pendingRestart).toEqual([]);
      expect(config.settings.find(({ key }) => key === maxCount)).toMatchObject({ value: '256', source: 'default' });
      expect(readdirSync(directory).filter((name) => name.includes('.part-'))).toEqual([]);
      rmSync(join(directory, 'config.overrides.json'), { recursive: true });
      expectJson(await patch(service, { [maxCount]: '1' }));
    });
  });

  test('a volatile service keeps its settings all the same', async () => {
    await withService(writing(newDirectory(), { 'Durability:Volatile': true }), async (service) => {
      expectJson(await patch(service, { [maxCount]: '1' }));
      await service.restart();
      expect((await configOf(service)).settings.find(({ key }) => key === maxCount)).toMatchObject({ value: '1' });
    });
  });
});
