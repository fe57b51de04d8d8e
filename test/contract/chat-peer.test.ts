// The OpenAI type against a server of somebody else's that speaks its protocol, so that what our own scripted servers assume of it is not ours
// alone. It is no dependency: MOCK_LLM names a folder that `@dwmkerr/mock-llm` is installed in (it says what it was told). Skipped without one.

import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectJson } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

const { MOCK_LLM } = process.env;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const withoutPeer = { meta: { skipReason: 'MOCK_LLM names no folder that such a server is installed in.' } };

describe.skipIf(MOCK_LLM === undefined)('a server of the OpenAI type', withoutPeer, () => {
  let peer: ChildProcess;
  let service: TestService;

  beforeAll(async () => {
    const port = await freePort();
    const found = createRequire(join(MOCK_LLM ?? '', 'here.js')).resolve('@dwmkerr/mock-llm/package.json');
    peer = spawn(process.execPath, [join(dirname(found), 'dist/main.js')], {
      ...{ env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port) }, cwd: dirname(found) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve, reject) => {
      peer.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
      peer.stdout?.on('data', (text: Buffer) => {
        if (text.includes('server running')) resolve();
      });
    });
    service = await startService({
      ...{ 'Security:ApiKey': 'a-key-of-the-service', 'Security:SensitiveRateLimitPermitPerWindow': 1000 },
      ...{ 'Chat:Enabled': true, 'Chat:Backend': 'OpenAI', 'Chat:OpenAI:Endpoint': `http://127.0.0.1:${port}` },
      ...{ 'Chat:OpenAI:ApiKey': 'some-key', 'Chat:OpenAI:Model': 'any-model', 'Durability:Volatile': true },
    });
  });
  afterAll(async () => {
    await service?.stop();
    peer?.kill();
  });

  const key = { 'x-api-key': 'a-key-of-the-service' };
  const chat = (body: object) => service.call('POST', '/chat', { headers: key, json: body });

  test('streams its answer, and answers whole where tools are given', async () => {
    const content = 'words '.repeat(40).trim();
    const messages = [{ role: 'user', content }];
    const said = { backend: 'OpenAI', model: 'any-model', content };
    expect(expectJson(await chat({ messages }))).toMatchObject(said);
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
    expect(expectJson(await chat({ messages, tools }))).toMatchObject(said);
  });

  test('lists its models', async () => {
    const answer = await service.call('GET', '/chat/models', { headers: key });
    expect(expectJson(answer)).toMatchObject({ backend: 'OpenAI', models: [{ name: 'gpt-5.2' }] });
  });
});
