// The typed client in a page and in a worker of that page, and the reference page: the built files against a running service. Wants
// Chromium as page.test.ts does; without one the tests are skipped and say so.

// @module-tag long

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { startService, type TestService } from '../contract/support/service.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser)
  console.log(`No client tests in a page: there is no ${executablePath}; CHROMIUM_PATH names another one.`);

const apiKey = 'a-key-of-some-length';

interface Tried {
  tryClient(url: string, apiKey: string, namespace: string): Promise<unknown>;
}

/** What both places run; answers what it saw. */
const script = `
import { Client, ProblemError } from '/client/index.js';
export async function tryClient(url, apiKey, namespace) {
  const warned = [];
  const service = new Client({ url, apiKey, onWarnings: (warnings) => warned.push(...warnings.map(({ code }) => code)) });
  await service.put('/ns/{name}', { path: { name: namespace } });
  const client = service.inNamespace(namespace);
  const heard = [];
  const ending = new AbortController();
  const changes = client.changes({ signal: ending.signal });
  const listening = (async () => {
    for await (const change of changes) heard.push(change.kind);
  })().catch((error) => error.name);
  const lines = ['{"type":"meta","format":"service-jsonl","version":2,"vertexCount":2,"edgeCount":1}',
    '{"type":"vertex","id":0,"label":"a","creationDate":0,"properties":{}}',
    '{"type":"vertex","id":1,"label":"b","creationDate":0,"properties":{}}',
    '{"type":"edge","id":2,"edgePropertyId":"e","source":0,"target":1,"creationDate":0}'].join('\\n');
  const imported = await client.importLines(lines);
  do {
    const created = await client.put('/vertex', { body: { label: 'heard', cretionDate: 1 }, query: { waitForCompletion: true } });
    if (created !== null) throw new Error('A vertex answers nothing.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!heard.includes('vertexCreated'));
  const paths = await client.post('/path/{from}/to/{to}', { path: { from: 0, to: 1 }, body: {} });
  const exported = [];
  for await (const line of client.exportLines()) exported.push(JSON.parse(line).type);
  const missing = await client.delete('/graphelement/{id}', { path: { id: 4711 }, query: { waitForCompletion: true } }).catch((error) => error);
  ending.abort();
  await listening;
  return {
    imported: [imported.verticesCreated, imported.edgesCreated],
    heard: heard.includes('vertexCreated'),
    paths: paths.length,
    exported: [...new Set(exported)],
    missing: missing instanceof ProblemError ? missing.status : String(missing),
    warned: [...new Set(warned)],
  };
}
`;
const worker = `
import { tryClient } from '/try.js';
onmessage = async ({ data }) => postMessage(await tryClient(...data).catch((error) => String(error.stack ?? error)));
`;

function contentOf(path: string): string | Buffer | null {
  if (path === '/') return '<!doctype html><title>A page</title><script type="module" src="/page.js"></script>';
  if (path === '/page.js') return "import { tryClient } from '/try.js'; globalThis.tryClient = tryClient;";
  if (path === '/try.js') return script;
  if (path === '/worker.js') return worker;
  const file = at(`dist/src${path}`);
  return path.startsWith('/client/') && existsSync(file) ? readFileSync(file) : null;
}

describe.skipIf(!hasBrowser)('in Chromium', () => {
  let service: TestService;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    server = createServer(({ url = '/' }, answer) => {
      const content = contentOf(url);
      const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
      answer.writeHead(content === null ? 404 : 200, { 'content-type': type }).end(content ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const development = { Environment: 'Development', 'Security:ApiKey': apiKey };
    service = await startService({ ...development, 'Security:AllowedCorsOrigins': origin });
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    server?.close();
  });

  const seen = {
    imported: [2, 1],
    heard: true,
    paths: 1,
    exported: ['meta', 'vertex', 'edge'],
    missing: 404,
    warned: ['ignoredMember'],
  };

  test('the client imports, asks, hears changes, exports and tells problems, in a page', async () => {
    await page.goto(origin);
    await page.waitForFunction(() => 'tryClient' in globalThis);
    const answer = await page.evaluate(
      ([url, key]) => (globalThis as unknown as Tried).tryClient(url, key, 'of-the-page'),
      [service.url, apiKey] as const,
    );
    expect(answer).toEqual(seen);
  });

  test('and in a worker', async () => {
    await page.goto(origin);
    const answer = await page.evaluate(
      ([url, key]) =>
        new Promise((resolve) => {
          const thread = new Worker('/worker.js', { type: 'module' });
          thread.onmessage = ({ data }) => resolve(data);
          thread.onerror = ({ message }) => resolve(message);
          thread.postMessage([url, key, 'of-the-worker']);
        }),
      [service.url, apiKey] as const,
    );
    expect(answer).toEqual(seen);
  });

  test('the reference page shows the operations and asks no other host', async () => {
    const reader = await browser.newPage({ extraHTTPHeaders: { 'x-api-key': apiKey } });
    reader.setDefaultTimeout(0); // a slow machine draws two hundred operations in its own time
    const asked: string[] = [];
    const problems: string[] = [];
    reader.on('request', (request) => asked.push(request.url()));
    reader.on('pageerror', (error) => problems.push(String(error)));
    await reader.goto(`${service.url}/scalar/v0.1`);
    await reader.locator('.opblock-summary-path').first().waitFor();
    const operations = await reader.locator('.opblock').count();
    expect(operations).toBeGreaterThan(50);
    const [path] = await reader.locator('[data-path="/vertex/{id}"]').allInnerTexts();
    expect(path?.replace(/\u200b/g, '')).toBe('/vertex/{id}');
    expect(asked.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
    expect(problems).toEqual([]);
    await reader.setViewportSize({ width: 390, height: 844 });
    expect(await reader.evaluate('document.documentElement.scrollWidth')).toBe(390);
    if (process.env.SCREENSHOT !== undefined) await reader.screenshot({ path: process.env.SCREENSHOT });
    await reader.close();
  });
});
