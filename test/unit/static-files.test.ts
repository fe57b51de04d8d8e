// A folder of static files beside the routes, over the Node listener: what is served to whom, and what never is.

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodePlatform } from '../../runtime-node/http-platform.ts';
import { type Listener, listen } from '../../runtime-node/listener.ts';
import { openStaticFiles } from '../../runtime-node/static-files.ts';
import { Configuration } from '../../src/config/configuration.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { createHandler } from '../../src/http/handler.ts';
import { type CallOptions, send } from '../contract/support/client.ts';
import { NaiveEngine } from '../model/naive-engine.ts';

const hugeBytes = 300 * 2 ** 20;
const quiet: Logger = { info: () => {}, warn: () => {}, error: () => {} };
const directory = mkdtempSync(join(tmpdir(), 'arcwise-static-'));
const page = join(directory, 'page');
const html = '<!doctype html><title>page</title>';
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let listener: Listener;

beforeAll(async () => {
  mkdirSync(join(page, 'assets'), { recursive: true });
  mkdirSync(join(page, 'folder'));
  mkdirSync(join(directory, 'page-beside'));
  const files: Record<string, string | Uint8Array> = {
    'page/index.html': html,
    'page/config.js': 'window.__F8_CONFIG__ = {};',
    'page/assets/app-1a2b.js': 'let x;',
    'page/assets/a b ü.jsonl': '{}\n',
    'page/empty.txt': '',
    'page/no-extension': 'x',
    'page/status': 'never seen',
    'page/.env': 'hidden',
    'secret.txt': 'outside',
    'page-beside/secret.txt': 'outside',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  writeFileSync(join(page, 'huge.bin'), '');
  truncateSync(join(page, 'huge.bin'), hugeBytes);
  symlinkSync(join(page, 'config.js'), join(page, 'inside.js'));
  symlinkSync(join(directory, 'secret.txt'), join(page, 'outside.txt'));
  symlinkSync('../../secret.txt', join(page, 'assets/outside.txt'));
  symlinkSync(join(directory, 'page-beside'), join(page, 'beside'));
  symlinkSync('loop', join(page, 'loop'));
  symlinkSync('nowhere', join(page, 'dangling'));
  execFileSync('mkfifo', [join(page, 'pipe')]);
  const platform = createNodePlatform(quiet, { staticFiles: await openStaticFiles(page) });
  const configuration = new Configuration([
    { key: 'Security:ApiKey', text: 'k', source: 'test' },
    { key: 'Security:AllowedCorsOrigins', text: 'http://page', source: 'test' },
  ]);
  const engine = new NaiveEngine({ maxNamespaces: 10 });
  listener = await listen(createHandler({ engine, configuration, platform }), { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await listener.close(0);
  rmSync(directory, { recursive: true });
});

const get = (path: string, headers: CallOptions['headers'] = {}) => send(listener.url, 'GET', path, { headers });
const withKey = { authorization: 'Bearer k' };

describe('served without the key', () => {
  test.each([
    ['/', html, 'text/html; charset=utf-8'],
    ['/index.html', html, 'text/html; charset=utf-8'],
    ['/config.js', 'window.__F8_CONFIG__ = {};', 'text/javascript; charset=utf-8'],
    ['/assets/app-1a2b.js?v=1', 'let x;', 'text/javascript; charset=utf-8'],
    ['/assets/a%20b%20%C3%BC.jsonl', '{}\n', 'application/x-ndjson'],
    ['/inside.js', 'window.__F8_CONFIG__ = {};', 'text/javascript; charset=utf-8'],
    ['/empty.txt', '', 'text/plain; charset=utf-8'],
    ['/no-extension', 'x', 'application/octet-stream'],
  ])('%s', async (path, text, type) => {
    const answer = await get(path);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, text, type]);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const head = await send(listener.url, 'HEAD', path);
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      answer.headers['content-length'],
    ]);
  });

  test('again only when it has changed', async () => {
    const { etag = '' } = (await get('/config.js')).headers;
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const answer = await get('/config.js', { 'if-none-match': known });
      expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, etag]);
    }
    expect((await get('/config.js', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('with the permission of an origin that is allowed', async () => {
    const answer = await get('/config.js', { origin: 'http://page' });
    expect(answer.headers['access-control-allow-origin']).toBe('http://page');
  });
});

describe('a path of the page', () => {
  const paths = ['/q/default/canvas', '/save-games', '/path', '/analytics', '/integrations', '/ns/x/y', '/folder'];
  test.each(paths)('%s is the page to a navigation, and to nobody else', async (path) => {
    for (const headers of [navigation, { 'sec-fetch-mode': 'navigate' }]) {
      const answer = await get(path, headers);
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
        200,
        html,
        'text/html; charset=utf-8',
      ]);
    }
    for (const headers of [{}, { accept: '*/*' }, { ...navigation, 'sec-fetch-mode': 'cors' }]) {
      expect((await get(path, headers)).status).toBe(401);
      expect((await get(path, { ...headers, ...withKey })).status).toBe(404);
    }
  });

  test('is none where there is a route', async () => {
    expect((await get('/status', navigation)).headers['content-type']).toBe('application/json');
    expect((await get('/vertex/1', navigation)).status).toBe(401);
    expect((await get('/delegates/validate', { ...navigation, ...withKey })).status).toBe(405);
  });

  test('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await send(listener.url, method, '/config.js', { headers: { ...navigation, ...withKey } });
      expect(answer.status, method).toBe(404);
    }
  });
});

describe('never served', () => {
  const hostile = [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/%252e%252e/secret.txt',
    '/....//secret.txt',
    '/page-beside/secret.txt',
    '/beside/secret.txt',
    '/outside.txt',
    '/assets/outside.txt',
    '/.env',
    '/%2eenv',
    '/config.js%00.html',
    '/config.js%20',
    '/config.js.',
    '/c:%5cwindows',
    '/%ff',
    '/%',
    '//etc/passwd',
    '/loop',
    '/dangling',
    '/pipe',
    '/folder',
    '/config.js/x',
    `/${'a'.repeat(300)}`,
    `/${'a/'.repeat(5000)}a`,
  ];
  test.each(hostile)('%s', async (path) => {
    for (const headers of [{}, navigation]) {
      const answer = await get(path, headers);
      expect(answer.text).not.toMatch(/outside|hidden|root:|__F8_CONFIG__/);
      expect([400, 401, 404].includes(answer.status) || answer.text === html, answer.text).toBe(true);
    }
    expect([400, 404]).toContain((await get(path, withKey)).status);
  });
});

/** Whether this process holds the huge file open. */
function isHugeOpen(): boolean {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // closed meanwhile
    }
  });
  return links.some((link) => link.endsWith('/huge.bin'));
}

test.runIf(process.platform === 'linux')('a huge file is read as it is taken, and let go with its client', async () => {
  const before = process.memoryUsage().arrayBuffers;
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(`${listener.url}/huge.bin`, (incoming) => {
      expect(incoming.headers['content-length']).toBe(String(hugeBytes));
      incoming.once('data', () => {
        expect(isHugeOpen()).toBe(true);
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(hugeBytes / 4);
        incoming.on('error', () => {});
        outgoing.destroy();
        resolve();
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
  while (isHugeOpen()) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('a huge file arrives whole', { tags: ['long'] }, async () => {
  let bytes = 0;
  const answer = await fetch(`${listener.url}/huge.bin`);
  for await (const block of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += block.length;
  expect(bytes).toBe(hugeBytes);
});

test('a folder that is not there is said so', async () => {
  await expect(openStaticFiles(join(directory, 'missing'))).rejects.toThrow('Service:Http:StaticDirectory');
  await expect(openStaticFiles(join(directory, 'secret.txt'))).rejects.toThrow('which is no directory');
});
