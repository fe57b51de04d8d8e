// The page of the guide made by Vite, as a build and by its server of development, and by esbuild and webpack as the guide says, of an installed
// package. Wants Chromium, as page.test.ts; the last two are no dependencies, so they want a registry of packages as well.

// @module-tag long

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build, createServer, type InlineConfig } from 'vite';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { executablePath, guideBlock, hasBrowser } from './support/page-server.ts';

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

  /** The same of the files of a folder. */
  async function toldByFiles(folder: string): Promise<string> {
    const files: Server = createHttpServer((asked, answer) => {
      const path = join(folder, asked.url === '/' ? 'index.html' : (asked.url ?? ''));
      try {
        const content = readFileSync(path);
        answer.writeHead(200, { ...headers, 'content-type': types[extname(path)] ?? 'text/plain' }).end(content);
      } catch {
        answer.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    try {
      return await toldBy(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`);
    } finally {
      files.closeAllConnections();
      await new Promise((resolve) => files.close(resolve));
    }
  }

  /** Runs a command in the project; what it says where it fails. */
  const said = (command: string): string => {
    const { status, stderr, stdout } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  };

  /** Brings a program into the project; a test that finds no registry says so. */
  function bring(context: TestContext, ...packages: string[]): void {
    const failure = said(`npm install --prefix tools --ignore-scripts --no-audit --no-fund ${packages.join(' ')}`);
    context.skip(/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(failure), 'no registry of packages');
    expect(failure).toBe('');
    cpSync(join(root, 'tools/node_modules'), join(root, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  }

  const plain: InlineConfig = { configFile: false, logLevel: 'silent' };

  it.each([
    ['with nothing set', {}],
    ['with modules as workers', { worker: { format: 'es' } }],
  ] as const)('answers, on threads too: a build %s', async (_, more) => {
    const outDir = join(root, 'out');
    await build({ ...plain, ...more, root, build: { outDir, emptyOutDir: true } });
    expect(await toldByFiles(outDir)).toBe('2 200 200 true');
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

  it('answers, made by esbuild as the guide says', async (context) => {
    bring(context, 'esbuild@0.28.2');
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src/main.js'), script);
    rmSync(join(root, 'out'), { recursive: true, force: true });
    for (const line of guideBlock('sh', '## With esbuild').trim().split('\n')) expect(said(line)).toBe('');
    const html = `<!doctype html><title>A page</title><pre id="out"></pre>${guideBlock('html', '## With esbuild')}`;
    writeFileSync(join(root, 'out/index.html'), html);
    expect(await toldByFiles(join(root, 'out'))).toBe('2 200 200 true');
  });

  it('answers, made by webpack with nothing set', async (context) => {
    bring(context, 'webpack@5.113.0', 'webpack-cli@6.0.1');
    expect(said('npx webpack --mode production --entry ./main.js --output-path packed')).toBe('');
    const html = '<!doctype html><title>A page</title><pre id="out"></pre><script src="/main.js"></script>';
    writeFileSync(join(root, 'packed/index.html'), html);
    expect(await toldByFiles(join(root, 'packed'))).toBe('2 200 200 true');
  });
});
