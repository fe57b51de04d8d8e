// Contract part 3, Configuration read; reference 16.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { home } from './support/homes/index.ts';
import { expectJson, expectProblem } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

interface Setting {
  readonly key: string;
  readonly [member: string]: unknown;
}

interface Config {
  readonly settings: readonly Setting[];
  readonly [member: string]: unknown;
}

async function readConfig(service: TestService, headers: Record<string, string> = {}): Promise<Config> {
  return expectJson(await service.call('GET', '/config', { headers })) as Config;
}

describe('GET /config', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      'ChangeFeed:BufferSize': 100,
      'Chat:Backend': 'OpenAI',
      'Chat:OpenAI:Model': 'm1',
      'Chat:OpenAI:ApiKey': 'hush-chat',
      'Observability:Otlp:Endpoint': 'http://user:hush-otlp@127.0.0.1:9/path?token=hush-otlp',
    });
  });
  afterAll(() => service.stop());

  test('has the members of the contract, with the blocks of the status', async () => {
    const config = await readConfig(service);
    const status = expectJson(await service.call('GET', '/status')) as Record<string, unknown>;
    expect(Object.keys(config)).toEqual([
      'settings',
      'pendingRestart',
      'configWriteEnabled',
      'semantic',
      'observability',
      'apiKeyRequired',
    ]);
    expect(config.semantic).toEqual({ embedding: status.embedding, chat: status.chat });
    expect(config).toMatchObject({ pendingRestart: [], configWriteEnabled: false, apiKeyRequired: false });
    expect(config.observability).toEqual({
      otlpEnabled: true,
      otlpEndpoint: 'http://127.0.0.1:9/path',
      prometheusEnabled: false,
      prometheusRequireApiKey: false,
      tracingSamplingRatio: 1,
      statisticsElementBudget: 1_000_000,
      statisticsTopN: 20,
    });
  });

  test('lists settings by section, each with all that is known of it', async () => {
    const { settings } = await readConfig(service);
    const keys = settings.map(({ key }) => key);
    expect(keys).toEqual([...keys].sort());
    const find = (key: string) => settings.find((one) => one.key === `Service:${key}`);
    expect(find('ChangeFeed:BufferSize')).toEqual({
      key: 'Service:ChangeFeed:BufferSize',
      kind: 'int',
      tier: 'restart',
      applyMode: 'restart',
      value: '100',
      source: isReal && home.name === 'node' ? 'commandLine' : 'host',
      restartPending: false,
      minimum: 1,
      maximum: 1_000_000,
      allowedValues: null,
      rule: null,
      reason: null,
    });
    expect(find('ChangeFeed:MaxSubscribers')).toMatchObject({
      tier: 'live',
      applyMode: 'liveForNewWork',
      value: '32',
      source: 'default',
    });
    expect(find('Chat:Backend')).toMatchObject({
      kind: 'enum',
      allowedValues: ['Ollama', 'Nahil', 'OpenAI', 'Anthropic'],
      value: 'OpenAI',
    });
    expect(find('Observability:TracingSamplingRatio')).toMatchObject({ kind: 'double', minimum: 0, maximum: 1 });
    expect(find('Security:AllowedCorsOrigins')).toMatchObject({ kind: 'array', rule: 'R1' });
    expect(find('Chat:Nahil:Model')).not.toHaveProperty('value');
  });

  test('shows no value of a setting that is never written, and no credential anywhere', async () => {
    const { settings } = await readConfig(service);
    for (const { key, tier, applyMode, value, valueWithheld, rule, reason } of settings) {
      const never = tier === 'notWritable';
      expect([applyMode === 'never', valueWithheld === true, rule !== null, reason !== null], key).toEqual(
        Array(4).fill(never),
      );
      if (never) expect(value, key).toBeUndefined();
    }
    expect((await service.call('GET', '/config')).text).not.toContain('hush');
  });

  test('the chat model of the status is that of the backend', async () => {
    const status = expectJson(await service.call('GET', '/status')) as { chat: unknown };
    expect(status.chat).toMatchObject({ backend: 'OpenAI', model: 'm1', agentModel: 'm1' });
  });

  test('exists once and takes only its own methods', async () => {
    expectProblem(await service.call('GET', '/ns/default/config'), 404);
    expectProblem(await service.call('DELETE', '/config'), 405);
  });
});

test('the configuration is told to nobody without the key', async () => {
  const service = await startService({ 'Security:ApiKey': 'k', 'Security:EnableConfigurationWrite': true });
  try {
    expectProblem(await service.call('GET', '/config'), 401);
    const config = await readConfig(service, { authorization: 'Bearer k' });
    expect(config).toMatchObject({ apiKeyRequired: true });
  } finally {
    await service.stop();
  }
});
