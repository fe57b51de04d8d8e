// No credential leaves (contract part 3, Configuration read; Embedding provider configuration): every answer, line of the log, span, metric and
// file of a service is searched for all of them, in every form, while its backends repeat whatever they were sent.

// @module-tag long

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { Collector } from './support/collector.ts';
import { boundary, multipart } from './support/documents.ts';
import { KeptService } from './support/kept-service.ts';
import { events, type FakeProvider, lines, type Reply, startProvider, status } from './support/provider.ts';
import { isReal, type ServiceSettings } from './support/service.ts';

const secrets = {
  api: 'api/key+of=this"test',
  embedding: 'embed-key/7+a"b',
  chat: 'chat-key/7+a"b',
  password: 'pass-word-in-url',
};

/** What a text with a credential in it could have in it instead. */
const forms = Object.values(secrets).flatMap((secret) => [
  ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
]);

/** All that a request brought, back in an error: headers, address and body. */
const repeats =
  (code: number): Reply =>
  (response, { headers, path, body }) => {
    const said = { headers, path, body, key: headers.authorization ?? headers['x-api-key'] };
    status(code, { error: { message: JSON.stringify(said), ...said } })(response, {} as never);
  };
const repeatsAsText: Reply = (response, { headers }) => {
  const key = String(headers.authorization ?? headers['x-api-key']).replace('Bearer ', '');
  const text = [key, encodeURIComponent(key), Buffer.from(key).toString('base64'), key.toUpperCase()].join(' ');
  status(500, text, { 'content-type': 'text/plain' })(response, {} as never);
};
const redirects: Reply = (response, { headers }) => {
  response.writeHead(307, { location: `http://127.0.0.1:1/?key=${encodeURIComponent(String(headers.authorization))}` });
  response.end();
};
/** In the middle of a stream, in the form of each protocol. */
const breaks: Reply = (response, received) => {
  const message = `Refused ${String(received.headers.authorization ?? received.headers['x-api-key'])}`;
  const reply =
    received.path === '/api/chat' ? lines([{ error: message }]) : events([{ type: 'error', error: { message } }]);
  reply(response, received);
};

let provider: FakeProvider;
let collector: Collector;
const said: string[] = [];

async function ask(service: KeptService, method: string, path: string, options: object = {}): Promise<Answer> {
  const headers = { 'x-api-key': secrets.api, ...(options as { headers?: object }).headers };
  const answer = await service.call(method, path, { ...options, headers });
  said.push(`${method} ${path} ${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`);
  return answer;
}

/** Everything that a service with these settings says, from its start to its end. */
async function everything(settings: ServiceSettings): Promise<readonly string[]> {
  said.length = 0;
  const service = await KeptService.start({
    ...{ 'Security:ApiKey': secrets.api, 'Log:Level': 'trace', 'Observability:Otlp:Endpoint': collector.url },
    ...{ 'Observability:Prometheus:Enabled': true, 'Security:EnableConfigurationWrite': true },
    ...{ 'Embedding:Enabled': true, 'Embedding:ModelName': 'm', 'Embedding:Dimension': 2, 'Chat:Enabled': true },
    ...{ 'Ingestion:Enabled': true, 'Nlp:Enabled': true, 'Chat:TimeoutSeconds': 5, ...settings },
  });
  const chat = { json: { messages: [{ role: 'user', content: 'Hello?' }] } };
  for (const reply of [repeats(401), repeats(400), repeatsAsText, redirects, breaks]) {
    for (const path of ['/api/embed', '/v1/embeddings', '/api/chat', '/v1/chat/completions', '/v1/messages'])
      provider.on(path, reply);
    for (const path of ['/api/tags', '/v1/models', '/health']) provider.on(path, reply);
    await ask(service, 'POST', '/embedding/text', { json: { texts: ['cat'] } });
    await ask(service, 'POST', '/chat', chat);
    await ask(service, 'GET', '/chat/models');
  }
  await ask(service, 'POST', '/document/binding/ensure');
  const text = { name: 'a', text: 'A cat.' };
  const { json: document } = await ask(service, 'POST', '/document/text', { json: text });
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nx\r\n`;
  const body = Buffer.from(`${file}--${boundary}--\r\n`);
  await ask(service, 'POST', '/document', { headers: multipart, body });
  for (let state = 'processing'; document !== undefined && state === 'processing'; ) {
    state = (await ask(service, 'GET', `/document/${document.documentId}`)).json?.summary?.status;
  }
  for (const path of ['/status', '/statistics', '/config', '/document', '/metrics', '/openapi/v0.1.json'])
    await ask(service, 'GET', path);
  for (const key of ['Embedding:OpenAI:ApiKey', 'Chat:Anthropic:ApiKey', 'Security:ApiKey', 'Chat:Ollama:Endpoint'])
    await ask(service, 'PATCH', '/config', { json: { settings: { [`Service:${key}`]: secrets.password } } });
  await service
    .call('GET', '/config', { headers: { 'x-api-key': `${secrets.api}x` } })
    .then(({ text }) => said.push(text));
  await ask(service, 'PUT', '/save', { json: {} });
  const files = service.everyFile().length;
  await service.stop();
  expect(files).toBeGreaterThan(0);
  return [...said, service.log];
}

function expectNone(texts: readonly string[]): void {
  const leaks = texts.flatMap((text) =>
    forms.filter((form) => text.toLowerCase().includes(form.toLowerCase())).map((form) => [form, text]),
  );
  expect(leaks).toEqual([]);
}

describe.runIf(isReal)('no credential leaves', () => {
  beforeAll(async () => {
    provider = await startProvider();
    collector = await Collector.start();
  });
  afterAll(async () => {
    await provider.close();
    await collector.stop();
  });

  test('of backends that repeat what they were sent', async () => {
    const { origin } = provider;
    const texts = await everything({
      ...{ 'Embedding:Backend': 'OpenAI', 'Embedding:OpenAI:Endpoint': origin, 'Embedding:OpenAI:Model': 'm' },
      ...{ 'Embedding:OpenAI:ApiKey': secrets.embedding, 'Chat:Backend': 'Anthropic', 'Chat:Anthropic:Model': 'm' },
      ...{ 'Chat:Anthropic:Endpoint': origin, 'Chat:Anthropic:ApiKey': secrets.chat },
    });
    // Each of the keys was sent, and what came back was shown: the search has something to find.
    const sent = provider.received.map(({ headers }) => `${headers.authorization} ${headers['x-api-key']}`).join();
    for (const key of [secrets.embedding, secrets.chat]) expect(sent).toContain(key);
    expect(texts.join()).toContain('It refused the credential.');
    expect(collector.spansNamed('POST /chat').length).toBeGreaterThan(0);
    expect(collector.logs.length).toBeGreaterThan(0);
    expectNone([...texts, collector.raw]);
  });

  test('of addresses that have one in them', async () => {
    const address = provider.origin.replace('http://', `http://user:${secrets.password}@`);
    const keyed = `${provider.origin}/v1?key=${secrets.password}`;
    const texts = await everything({
      ...{ 'Embedding:Backend': 'Ollama', 'Embedding:Ollama:Endpoint': address, 'Chat:Ollama:Endpoint': keyed },
      ...{ 'Ingestion:Docling:Endpoint': address, 'Nlp:Endpoint': keyed },
    });
    expect(texts.join()).toContain('takes an address without credentials');
    expectNone([...texts, collector.raw]);
  });

  test('when it is looked for: the search would find one', () => {
    expect(() => expectNone([`x${encodeURIComponent(secrets.chat)}y`])).toThrow();
    expect(() => expectNone([Buffer.from(secrets.api).toString('base64')])).toThrow();
  });
});
