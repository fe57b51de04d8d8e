// The change feed in a real browser: a page of another origin listens with the browser's own EventSource. Wants Chromium (CHROMIUM_PATH, or
// /usr/bin/chromium); without one the tests are skipped and say so.

// @module-tag long

import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReverseProxy } from '../contract/support/proxy.ts';
import { createEdges, createVertices, property } from '../contract/support/requests.ts';
import { startService, type TestService } from '../contract/support/service.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.log(`No browser tests: there is no ${executablePath}; CHROMIUM_PATH names another one.`);

const kinds = [
  'vertexCreated',
  'vertexRemoved',
  'edgeCreated',
  'edgeRemoved',
  'propertySet',
  'propertyRemoved',
  'resync',
];

/** What the page sees of one event. */
interface Seen {
  readonly kind: string;
  readonly id: string;
  readonly seq: number;
  readonly reason: string | undefined;
}

/** Runs in the page: listens to every kind, keeps what comes, counts how often the connection opened and broke. */
function listen({ url, names }: { url: string; names: readonly string[] }): void {
  const state = { events: [] as unknown[], opened: 0, failed: 0 };
  const source = new EventSource(url);
  Object.assign(globalThis, { state, source });
  source.onopen = () => state.opened++;
  source.onerror = () => state.failed++;
  source.onmessage = () => state.events.push({ kind: 'message' });
  for (const name of names) {
    source.addEventListener(name, (event) => {
      const { seq, kind, reason } = JSON.parse(event.data);
      state.events.push({ kind: kind === name ? kind : `${kind} as ${name}`, id: event.lastEventId, seq, reason });
    });
  }
}

interface PageState {
  readonly events: Seen[];
  readonly opened: number;
  readonly failed: number;
}

/** Both ways to subscribers: a thread that delivers, and the service's own. */
const deliveries = [
  ['delivered by a thread', true],
  ['delivered by the service itself', false],
] as const;

describe.runIf(hasBrowser).each(deliveries)('EventSource in a browser, %s,', (_, onThread) => {
  let browser: Browser;
  let pages: Server;
  let origin: string;
  let service: TestService;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    pages = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>feed</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    service = await startService({ 'ChangeFeed:DeliveryThread': onThread, 'Security:AllowedCorsOrigins': origin });
    proxy = await ReverseProxy.start(service.url);
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], headless: true });
  });

  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await service?.stop();
    pages?.closeAllConnections();
    pages?.close();
  });

  const stateOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { state: PageState }).state);

  /** The page's state once it satisfies `isSo`. */
  async function until(page: Page, isSo: (state: PageState) => boolean): Promise<PageState> {
    const late = Date.now() + 20_000;
    for (let state = await stateOf(page); ; state = await stateOf(page)) {
      if (isSo(state)) return state;
      if (Date.now() > late) throw new Error(`The page never got there: ${JSON.stringify(state).slice(0, 1000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function listening(url: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(origin);
    await page.evaluate(listen, { url, names: kinds });
    return page;
  }

  it('hears every kind, goes on from Last-Event-ID after the stream has ended, and is told of a new history', async () => {
    const page = await listening(`${proxy.url}/changefeed`);
    await until(page, ({ opened }) => opened === 1);
    const [a, b] = await createVertices(service, [{ label: 'a', properties: [property('p', '1')] }, { label: 'b' }]);
    const [edge] = await createEdges(service, [{ sourceVertex: a, targetVertex: b, edgePropertyId: 'knows' }]);
    const expectOk = async (method: string, path: string, json?: unknown): Promise<void> => {
      const answer = await service.call(method, `${path}?waitForCompletion=true`, json === undefined ? {} : { json });
      expect([200, 202], `${method} ${path}: ${answer.text}`).toContain(answer.status);
    };
    await expectOk('PUT', `/graphelement/${a}/p`, property('p', '2'));
    await expectOk('DELETE', `/graphelement/${a}/p`);
    await expectOk('DELETE', `/graphelement/${edge}`);
    await expectOk('DELETE', `/graphelement/${b}`);
    const first = await until(page, ({ events }) => events.length >= 7);
    expect(first.events.map(({ kind }) => kind)).toEqual([
      'vertexCreated',
      'vertexCreated',
      'edgeCreated',
      'propertySet',
      'propertyRemoved',
      'edgeRemoved',
      'vertexRemoved',
    ]);

    // The stream ends; what is written before the browser is back is not lost.
    proxy.cut();
    await createVertices(service, Array(30).fill({ label: 'meanwhile' }));
    const second = await until(page, ({ events }) => events.length >= 37);
    expect(second.opened).toBe(2);
    expect(second.failed).toBeGreaterThanOrEqual(1);
    expect(second.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 37 }, (_, i) => i + 1));
    expect(proxy.lastEventIds).toEqual([null, first.events[6]?.id]);

    // Another start of the service is another history, and the page is told to read anew.
    await service.restart();
    proxy.target = service.url;
    const third = await until(page, ({ events }) => events.some(({ kind }) => kind === 'resync'));
    expect(third.events.slice(37).map(({ kind, reason }) => [kind, reason])).toEqual([['resync', 'seekOutOfRange']]);
    await createVertices(service, [{ label: 'after' }]);
    const last = await until(page, ({ events }) => events.length >= 39);
    expect(last.events[38]).toMatchObject({ kind: 'vertexCreated', seq: 1 });
    expect(last.events[38]?.id.split(':')[0]).not.toBe(first.events[0]?.id.split(':')[0]);
    await page.close();
  });

  it('is refused to a page whose origin is not listed', async () => {
    const page = await browser.newPage();
    await page.goto(origin.replace('127.0.0.1', 'localhost'));
    await page.evaluate(listen, { url: `${service.url}/changefeed`, names: kinds });
    const state = await until(page, ({ failed }) => failed > 0);
    expect(state.opened).toBe(0);
    await page.close();
  });
});
