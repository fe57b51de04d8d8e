// Pages with the built library in Chromium, as the service of Node is started for measurements: a server of plain files, a browser with a
// profile of its own, and what the process of a page holds.

import { createReadStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { scratchFolder } from './servers.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const built = fileURLToPath(new URL('../../browser/', import.meta.url));
const types: Record<string, string> = { js: 'text/javascript', wasm: 'application/wasm' };
/** Of pages that may share memory between their workers, and of all they load. */
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** `load()` is the library: an import that TypeScript does not see. */
const html = `<!doctype html><title>A page</title><script>globalThis.load = () => import('/arcwise/index.js');</script>`;

/** Why there can be no page; null when there can. */
export function missingPage(): string | null {
  if (!existsSync(executablePath)) return `there is no ${executablePath}; CHROMIUM_PATH names another one`;
  return existsSync(`${built}index.js`) ? null : 'the modules for pages are not built: npm run build';
}

/** `data`: files by the path that pages fetch them at. */
export async function servePages(data: Readonly<Record<string, string>>, isolated: boolean): Promise<PageOrigin> {
  const server = createServer((asked, answer) => {
    const path = (asked.url ?? '/').split('?')[0] as string;
    const file = data[path] ?? `${built}${path.replace('/arcwise/', '')}`;
    const type = path === '/' ? 'text/html' : (types[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain');
    const headers = { 'content-type': type, ...(isolated ? isolation : {}) };
    if (path === '/') answer.writeHead(200, headers).end(html);
    else if (data[path] !== undefined) createReadStream(file).pipe(answer.writeHead(200, headers));
    else if (path.startsWith('/arcwise/') && existsSync(file) && statSync(file).isFile())
      answer.writeHead(200, headers).end(readFileSync(file));
    else answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => closed(server) };
}

export interface PageOrigin {
  readonly url: string;
  close(): Promise<void>;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export interface PageBrowser {
  /** An empty page of that origin. */
  open(url: string): Promise<Page>;
  /** Bytes that the fullest process of pages has for itself, which files it maps are no part of. */
  pageBytes(): Promise<number>;
  close(): Promise<void>;
}

/** A fresh browser whose pages keep what they store until it is closed. */
export async function startBrowser(): Promise<PageBrowser> {
  const profile = scratchFolder('arcwise-pages');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
  const context: BrowserContext = await chromium.launchPersistentContext(profile, { executablePath, args });
  const session: CDPSession | undefined = await context.browser()?.newBrowserCDPSession();
  return {
    open: async (url) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    pageBytes: async () => {
      const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
      return Math.max(0, ...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => ownBytes(id)));
    },
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Bytes of memory that a process has for itself; 0 where the system does not tell. */
export function ownBytes(pid: number | undefined): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  const status = readFileSync(path, 'utf8');
  const of = (name: string): number => 1024 * Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? 0);
  return of('RssAnon') + of('RssShmem');
}
