// The page of the guide made by Vite, as a build and by its server of development, of an installed package. Wants Chromium, as page.test.ts.

// @module-tag long

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build, createServer, type InlineConfig } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { executablePath, hasBrowser } from './support/page-server.ts';

const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };
const script = `
import { createArcwise } from 'arcwise/browser';
const arcwise = await createArcwise({ store: 'memory://', settings: { 'Jobs:Threads': 1 } });
const json = { 'content-type': 'application/json' };
const post = async (path, body) =>
  (await arcwise.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) })).status;
await arcwise.fetch('/vertices?waitForCompletion=true', { method: 'PUT', headers: json, body: '[{"label":"a"},{"label":"b"}]' });
const filter = { vertexFilter: 'return v => v.Label != "c";' };
const statuses = [await post('/path/0/to/1', { filter }), await post('/analytics/WCC', {})];
const count = await (await arcwise.fetch('/vertex/count')).text();
document.querySelector('#out').textContent = [count, ...statuses, crossOriginIsolated].join(' ');
`;
const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

describe.skipIf(!hasBrowser)('a page made by Vite', () => {
  let root: string;
  let browser: Browser;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'arcwise-vite-'));
    mkdirSync(join(root, 'node_modules/arcwise/dist'), { recursive: true });
    cpSync(at('dist/browser'), join(root, 'node_modules/arcwise/dist/browser'), { recursive: true });
    cpSync(at('package.json'), join(root, 'node_modules/arcwise/package.json'));
    writeFileSync(join(root, 'main.js'), script);
    writeFileSync(
      join(root, 'index.html'),
      '<!doctype html><title>A page</title><pre id="out"></pre><script type="module" src="/main.js"></script>',
    );
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
  });

  afterAll(async () => {
    await browser?.close();
    if (root) rmSync(root, { recursive: true, force: true });
  });

  /** What the page at this address tells in the end; each problem of it is a line. */
  async function toldBy(url: string): Promise<string> {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(url);
    await page.waitForFunction(() => (globalThis as never as { out: { textContent: string } }).out.textContent !== '');
    const text = (await page.locator('#out').textContent()) ?? '';
    await page.close();
    return [text, ...problems].join('\n');
  }

  const plain: InlineConfig = { configFile: false, logLevel: 'silent' };

  it.each([
    ['with nothing set', {}],
    ['with modules as workers', { worker: { format: 'es' } }],
  ] as const)('answers, on threads too: a build %s', async (_, more) => {
    const outDir = join(root, 'out');
    await build({ ...plain, ...more, root, build: { outDir, emptyOutDir: true } });
    const files: Server = createHttpServer((asked, answer) => {
      const path = join(outDir, asked.url === '/' ? 'index.html' : (asked.url ?? ''));
      try {
        const content = readFileSync(path);
        answer.writeHead(200, { ...headers, 'content-type': types[extname(path)] ?? 'text/plain' }).end(content);
      } catch {
        answer.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    expect(await toldBy(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`)).toBe('2 200 200 true');
    files.closeAllConnections();
    await new Promise((resolve) => files.close(resolve));
  });

  it('answers in development', async () => {
    const server = await createServer({ ...plain, root, server: { host: '127.0.0.1', port: 0, headers } });
    await server.listen();
    try {
      expect(await toldBy(server.resolvedUrls?.local[0] ?? '')).toBe('2 200 200 true');
    } finally {
      await server.close();
    }
  });
});
