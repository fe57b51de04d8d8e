// Contract part 3, Chat: completions through each protocol, what a backend may do wrong, and the catalogue of models. Backends are real
// HTTP servers that answer by script.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import {
  events,
  type FakeProvider,
  json,
  lines,
  never,
  type Reply,
  startProvider,
  status,
  stream,
} from './support/provider.ts';
import { expectJson, expectProblem } from './support/requests.ts';
import { type ServiceSettings, startService, type TestService } from './support/service.ts';

const unavailable = 'Chat provider unavailable';
const timedOut = 'Chat backend timed out';
const noOutput = 'Chat backend produced no output';
const ask = { messages: [{ role: 'user', content: 'Hello?' }] };
const tools = [
  { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { id: { type: 'integer' } } } },
];
/** As long as a test may hold a rate limit open. */
const unlimited = { 'Security:SensitiveRateLimitPermitPerWindow': 100_000 };
const secret = 'sk-very/secret+key';

let provider: FakeProvider;
let service: TestService;

async function start(settings: ServiceSettings): Promise<void> {
  service = await startService({ ...unlimited, 'Durability:Volatile': true, 'Chat:Enabled': true, ...settings });
}

const chat = (body: unknown): Promise<Answer> => service.call('POST', '/chat', { json: body });

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());
afterEach(() => {
  provider.received.length = 0;
});

describe('Ollama', () => {
  beforeAll(() =>
    start({
      'Chat:Ollama:Endpoint': provider.origin,
      'Chat:Ollama:Models:Assist': 'small',
      'Chat:TimeoutSeconds': 2,
    }),
  );
  afterAll(() => service.stop());

  const path = '/api/chat';
  const done = {
    model: 'small',
    done: true,
    prompt_eval_count: 7,
    eval_count: 4,
    eval_duration: 2e9,
    total_duration: 3e9,
  };
  const word = (content: string) => ({ model: 'small', message: { role: 'assistant', content }, done: false });

  test('streams from the backend and answers one document with its numbers', async () => {
    provider.on(path, lines([word('Good '), word('day.'), done]));
    const body = { ...ask, temperature: 0.5, options: { stop: ['', 'END'] }, purpose: 'assist' };
    expect(expectJson(await chat(body))).toEqual({
      ...{ backend: 'Ollama', model: 'small', content: 'Good day.' },
      stats: { promptTokens: 7, completionTokens: 4, durationMs: 3000, tokensPerSecond: 2 },
    });
    expect(provider.received[0]?.body).toEqual({
      ...{ model: 'small', stream: true, messages: [{ role: 'user', content: 'Hello?' }] },
      options: { temperature: 0.5, stop: ['END'] },
    });
  });

  test('hands tools over without streaming, and their calls and results back', async () => {
    const call = { function: { name: 'look', arguments: { id: 3 } } };
    provider.on(path, json({ ...done, message: { role: 'assistant', content: '', tool_calls: [call] } }));
    const asked = expectJson(await chat({ ...ask, tools })) as { toolCalls: { id: string }[]; content?: string };
    expect(provider.received[0]?.body).toMatchObject({
      stream: false,
      tools: [{ type: 'function', function: tools[0] }],
    });
    expect(asked.content).toBeUndefined();
    expect(asked.toolCalls).toEqual([{ id: expect.any(String), name: 'look', arguments: { id: 3 } }]);
    provider.on(path, lines([word('Seen.'), done]));
    const id = asked.toolCalls[0]?.id;
    const messages = [
      ...ask.messages,
      { role: 'Assistant ', toolCalls: asked.toolCalls },
      { role: 'TOOL', content: '{"label":"x"}', toolCallId: id },
    ];
    expect(expectJson(await chat({ messages }))).toMatchObject({ content: 'Seen.' });
    expect(provider.received[1]?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: '{"label":"x"}', tool_call_id: id, tool_name: 'look' },
    ]);
  });

  test('a tool without parameters takes none', async () => {
    provider.on(path, json({ model: 'm', message: { content: 'Right.' }, done: true }));
    expectJson(await chat({ ...ask, tools: [{ name: 'now' }, { name: 'here', parameters: null }] }));
    const none = { type: 'object', properties: {} };
    expect(provider.received[0]?.body.tools.map((one: { function: object }) => one.function)).toEqual([
      { name: 'now', description: null, parameters: none },
      { name: 'here', description: null, parameters: none },
    ]);
  });

  test('reads lines however they are cut and ended', async () => {
    const text = `\r\n${JSON.stringify(word('ü'))}\r\n\n${JSON.stringify(word('😀'))}\n${JSON.stringify(done)}`;
    provider.on(path, (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const byte of Buffer.from(text)) response.write(Buffer.of(byte));
      response.end();
    });
    expect(expectJson(await chat(ask))).toMatchObject({ content: 'ü😀' });
  });

  test('refuses what is no conversation before it asks anybody', async () => {
    for (const bad of [
      ...[{}, { messages: [] }, { messages: null }, { messages: [{ role: 'user' }] }],
      ...[{ messages: [{ role: 'user', content: ' ' }] }, { messages: [{ role: 'assistant', toolCalls: [] }] }],
    ]) {
      expectProblem(await chat(bad), 400);
    }
    const problem = expectProblem(await chat({ ...ask, purpose: 'Assist' }), 400);
    expect(JSON.stringify(problem)).toMatch(/assist.*agent/);
    expectProblem(await chat({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] }), 413);
    expect(provider.received).toEqual([]);
  });

  test('a purpose without a model is 503 with the key, and the other one goes on', async () => {
    const problem = expectProblem(await chat({ ...ask, purpose: 'agent' }), 503, unavailable);
    expect(problem.detail).toContain('Service:Chat:Ollama:Models:Agent');
    provider.on(path, lines([word('x'), done]));
    expect((await chat(ask)).status).toBe(200);
    expect(provider.received).toHaveLength(1);
  });

  test.each<[string, Reply, number, string]>([
    ['an error', status(500, { error: 'no\nroom' }), 503, unavailable],
    ['a stream that breaks before a word', stream('application/x-ndjson', [], 'cut'), 503, unavailable],
    ['a stream that ends before a word', lines([]), 503, unavailable],
    ['an error before a word', lines([{ error: 'full' }]), 503, unavailable],
    ['a stream that breaks behind a word', lines([word('x')], 'cut'), 502, noOutput],
    ['a stream that ends behind a word', lines([word('x')]), 502, noOutput],
    ['an error behind a word', lines([word('x'), { error: 'full' }]), 502, noOutput],
    ['a line that is no JSON', stream('application/x-ndjson', [`${JSON.stringify(word('x'))}\n{"mess`]), 502, noOutput],
    ['nothing but an end', lines([done]), 502, noOutput],
    ['silence', never, 504, timedOut],
    ['silence behind a word', lines([word('x')], false), 504, timedOut],
    ['a wait longer than the deadline', status(429, {}, { 'retry-after': '60' }), 504, timedOut],
    [
      'an endless line',
      stream('application/x-ndjson', ['{"a":"', ...Array(300).fill('x'.repeat(65_536))]),
      502,
      noOutput,
    ],
    ['what is no JSON at all', stream('application/x-ndjson', Array(300).fill('x'.repeat(65_536))), 503, unavailable],
    ['a redirection', status(302, '', { location: 'http://127.0.0.1:1/' }), 503, unavailable],
  ])('%s is a problem, and the service goes on', async (_name, reply, code, title) => {
    provider.on(path, reply);
    expectProblem(await chat(ask), code, title);
    provider.on(path, lines([word('x'), done]));
    expect((await chat(ask)).status).toBe(200);
  });

  test('waits as it is asked to, inside the deadline', async () => {
    provider.on(path, status(429, { error: 'busy' }, { 'retry-after': '1' }), lines([word('x'), done]));
    expect((await chat(ask)).status).toBe(200);
    expect(provider.received).toHaveLength(2);
  });

  test('a client that goes away ends the call', async () => {
    provider.on(path, lines([word('x')], false));
    const before = provider.abandoned;
    const leave = new AbortController();
    const asked = fetch(`${service.url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ask),
      signal: leave.signal,
    });
    asked.catch(() => {});
    while (provider.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    leave.abort();
    while (provider.abandoned === before) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('lists models by name, with what the backend says of each', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `m${19 - i}`);
    provider.on('/api/tags', json({ models: names.map((name) => ({ name })) }));
    provider.on('/api/show', (response, { body }) =>
      (body.model === 'm3' ? status(404, { error: 'gone' }) : json({ capabilities: ['completion', 'tools'] }))(
        response,
        {} as never,
      ),
    );
    const list = expectJson(await service.call('GET', '/chat/models')) as {
      models: { name: string; capability: string }[];
    };
    expect(list.models.map(({ name }) => name)).toEqual([...names].sort());
    expect(list.models.find(({ name }) => name === 'm3')).toEqual({
      name: 'm3',
      capability: null,
      available: null,
      class: null,
    });
    expect(list.models[0]).toEqual({ name: 'm0', capability: 'completion', available: null, class: null });
    provider.on('/api/tags', status(500, {}));
    expectProblem(await service.call('GET', '/chat/models'), 503, unavailable);
  });

  test('status says what is configured, and the configuration where the model is', async () => {
    const block = { enabled: true, backend: 'Ollama', model: 'small', agentModel: null };
    const shown = expectJson(await service.call('GET', '/status')) as { chat: object };
    expect(shown.chat).toMatchObject({ ...block, resident: null, gpu: null });
    provider.on('/api/ps', json({ models: [{ name: 'small', size_vram: 1 }] }));
    const config = expectJson(await service.call('GET', '/config')) as { semantic: { chat: object } };
    expect(config.semantic.chat).toMatchObject({ ...block, resident: true, gpu: true });
  });
});

describe('OpenAI', () => {
  beforeAll(() =>
    start({
      ...{ 'Chat:Backend': 'OpenAI', 'Chat:OpenAI:Endpoint': `${provider.origin}/`, 'Chat:OpenAI:Model': 'gpt' },
      ...{ 'Chat:OpenAI:ApiKey': secret, 'Chat:TimeoutSeconds': 2 },
    }),
  );
  afterAll(() => service.stop());

  const path = '/v1/chat/completions';
  const delta = (content: string) => ({ model: 'gpt-x', choices: [{ delta: { content }, finish_reason: null }] });
  const usage = { model: 'gpt-x', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } };

  test('streams events up to their end', async () => {
    provider.on(path, events([delta('Good '), delta('day.'), usage, '[DONE]'], false));
    expect(expectJson(await chat({ ...ask, temperature: 0, options: { stop: ['a', 'b'] } }))).toEqual({
      ...{ backend: 'OpenAI', model: 'gpt-x', content: 'Good day.' },
      stats: { promptTokens: 3, completionTokens: 2, durationMs: null, tokensPerSecond: null },
    });
    const [sent] = provider.received;
    expect(sent?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(sent?.body).toMatchObject({ model: 'gpt', stream: true, temperature: 0, stop: ['a', 'b'] });
  });

  test('calls of tools keep their ids, and arguments that are no JSON stay a text', async () => {
    const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'look', arguments: text } });
    const toolCalls = [call('a', '{"id":3}'), call('b', '{"id":')];
    provider.on(path, json({ model: 'gpt', choices: [{ message: { content: null, tool_calls: toolCalls } }] }));
    const answer = expectJson(await chat({ ...ask, tools })) as { toolCalls: unknown[] };
    expect(answer.toolCalls).toEqual([
      { id: 'a', name: 'look', arguments: { id: 3 } },
      { id: 'b', name: 'look', arguments: '{"id":' },
    ]);
    provider.on(path, events([delta('Seen.'), '[DONE]']));
    await chat({
      messages: [
        ...ask.messages,
        { role: 'assistant', toolCalls: answer.toolCalls },
        { role: 'tool', content: 'x', toolCallId: 'a' },
      ],
    });
    expect(provider.received[1]?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: toolCalls },
      { role: 'tool', content: 'x', tool_call_id: 'a' },
    ]);
  });

  test('no credential leaves, whatever the backend repeats of it', async () => {
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify({ key: secret }),
      Buffer.from(secret).toString('base64'),
    ];
    for (const form of forms) {
      provider.on(path, status(401, { error: { message: `Wrong key ${form}!` } }));
      const answer = await chat(ask);
      expectProblem(answer, 503, unavailable);
      expect(answer.text).toContain('Wrong key');
      for (const other of forms) expect(answer.text).not.toContain(other.replace(/=+$/, ''));
      expect(answer.text).not.toContain('secret');
    }
    for (const shown of ['/config', '/status']) expect((await service.call('GET', shown)).text).not.toContain(secret);
  });

  test('a stream without its end is 502, an answer that came whole is taken', async () => {
    provider.on(path, events([delta('Good ')]));
    expectProblem(await chat(ask), 502, noOutput);
    provider.on(path, json({ choices: [{ message: { content: 'Whole.' } }] }));
    expect(expectJson(await chat(ask))).toMatchObject({ model: 'gpt', content: 'Whole.' });
    provider.on(path, stream('application/json', ['<html>']));
    expectProblem(await chat(ask), 502, noOutput);
  });

  test('lists names only', async () => {
    provider.on('/v1/models', json({ data: [{ id: 'b' }, { id: 'a' }, {}] }));
    const none = { capability: null, available: null, class: null };
    expect(expectJson(await service.call('GET', '/chat/models'))).toEqual({
      backend: 'OpenAI',
      models: [
        { name: 'a', ...none },
        { name: 'b', ...none },
      ],
    });
  });
});

describe('Anthropic', () => {
  beforeAll(() =>
    start({
      ...{ 'Chat:Backend': 'Anthropic', 'Chat:Anthropic:Endpoint': provider.origin, 'Chat:Anthropic:Model': 'son' },
      ...{ 'Chat:Anthropic:ApiKey': secret, 'Chat:TimeoutSeconds': 3 },
    }),
  );
  afterAll(() => service.stop());

  const path = '/v1/messages';
  const begun = { type: 'message_start', message: { model: 'son-1', usage: { input_tokens: 5, output_tokens: 1 } } };
  const text = (part: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text: part } });
  const ended = [{ type: 'message_delta', usage: { output_tokens: 9 } }, { type: 'message_stop' }];

  test('puts the system apart, leaves the temperature out, and waits out an overload', async () => {
    provider.on(path, status(529, {}, { 'retry-after': '1' }), events([begun, text('Good '), text('day.'), ...ended]));
    const messages = [{ role: 'system', content: 'Be kind.' }, ...ask.messages];
    expect(expectJson(await chat({ messages, temperature: 1, options: { stop: ['END'] } }))).toEqual({
      ...{ backend: 'Anthropic', model: 'son-1', content: 'Good day.' },
      stats: { promptTokens: 5, completionTokens: 9, durationMs: null, tokensPerSecond: null },
    });
    expect(provider.received[1]?.headers).toMatchObject({ 'x-api-key': secret, 'anthropic-version': '2023-06-01' });
    expect(provider.received[1]?.body).toEqual({
      ...{ model: 'son', max_tokens: 4096, stream: true, system: 'Be kind.', stop_sequences: ['END'] },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
    });
  });

  test('tools and their results are blocks', async () => {
    const use = { type: 'tool_use', id: 't1', name: 'look', input: { id: 3 } };
    provider.on(path, json({ model: 'son', content: [{ type: 'text', text: 'Let me see.' }, use] }));
    const { toolCalls } = expectJson(await chat({ ...ask, tools })) as { toolCalls: unknown[] };
    expect(toolCalls).toEqual([{ id: 't1', name: 'look', arguments: { id: 3 } }]);
    expect(provider.received[0]?.body.tools).toEqual([
      { name: 'look', description: 'Looks.', input_schema: tools[0]?.parameters },
    ]);
    provider.on(path, events([begun, text('Seen.'), ...ended]));
    const result = (id: string) => ({ role: 'tool', content: id, toolCallId: id });
    await chat({ messages: [...ask.messages, { role: 'assistant', toolCalls }, result('t1'), result('t2')] });
    expect(provider.received[1]?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: [use] },
      { role: 'user', content: ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })) },
    ]);
  });

  test('a stream that reports an error, or has no end, is a problem', async () => {
    const error = { type: 'error', error: { message: `overloaded ${secret}` } };
    provider.on(path, events([begun, error]));
    const problem = await chat(ask);
    expectProblem(problem, 503, unavailable);
    expect(problem.text).not.toContain(secret);
    provider.on(path, events([begun, text('x'), error]));
    expectProblem(await chat(ask), 502, noOutput);
    provider.on(path, events([begun, text('x')]));
    expectProblem(await chat(ask), 502, noOutput);
  });
});

describe('settings that do not do', () => {
  const remote = { 'Chat:Backend': 'OpenAI', 'Chat:OpenAI:Model': 'm' };
  test.each<[string, ServiceSettings]>([
    ['Chat:Backend', { 'Chat:Backend': 'ollama' }],
    ['Chat:Ollama:Endpoint', { 'Chat:Ollama:Endpoint': 'http://127.0.0.1:1/api' }],
    ['Chat:OpenAI:Endpoint', { ...remote, 'Chat:OpenAI:Endpoint': 'ftp://host' }],
    ['Chat:OpenAI:Endpoint', { ...remote, 'Chat:OpenAI:Endpoint': `http://me:${secret}@host` }],
    ['Chat:OpenAI:Endpoint', { ...remote, 'Chat:OpenAI:Endpoint': 'http://host?key=1' }],
    ['Chat:OpenAI:Model', { 'Chat:Backend': 'OpenAI', 'Chat:OpenAI:Endpoint': 'http://127.0.0.1:1' }],
    ['Chat:Anthropic:ApiKey', { 'Chat:Backend': 'Anthropic' }],
    ['Chat:Nahil:ApiKey', { 'Chat:Backend': 'Nahil' }],
  ])('%s is named, and the rest of the service goes on', async (key, settings) => {
    await start(settings);
    try {
      const answer = await chat(ask);
      expect(expectProblem(answer, 503, unavailable).detail).toContain(`Service:${key}`);
      expect(answer.text).not.toContain(secret);
      expect((await service.call('GET', '/status')).status).toBe(200);
      expect((await service.call('GET', '/config')).text).not.toContain(secret);
    } finally {
      await service.stop();
    }
  });

  test('off is 401 without a key, 403 with one, and the limit of sensitive routes counts', async () => {
    service = await startService({ 'Durability:Volatile': true, 'Security:SensitiveRateLimitPermitPerWindow': 3 });
    try {
      expectProblem(await chat({ nonsense: 1 }), 401);
      expectProblem(await service.call('GET', '/chat/models'), 401);
      expectProblem(await chat(ask), 401);
      expectProblem(await chat(ask), 429);
    } finally {
      await service.stop();
    }
  });
});
