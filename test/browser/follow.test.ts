// A page that follows a service: the engine in it takes a snapshot, then frame by frame what comes behind it, and answers from its own memory. Wants
// Chromium (CHROMIUM_PATH, or /usr/bin/chromium); without one the tests are skipped and say so.

// @module-tag long

import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as LibraryModule from '../../runtime-browser/index.ts';
import { startService, type TestService } from '../contract/support/service.ts';
import { executablePath, hasBrowser, type PageServer, servePages } from './support/page-server.ts';

type Library = typeof LibraryModule;

if (!hasBrowser) console.log(`No page tests: there is no ${executablePath}; CHROMIUM_PATH names another one.`);

/** What a page sees of the graph, in itself or at the service. */
interface Seen {
  readonly hash: string;
  readonly position: string | null;
}

describe.skipIf(!hasBrowser)('a page that follows a service', () => {
  let pages: PageServer;
  let service: TestService;
  let browser: Browser;
  let page: Page;

  const seenAtService = async (): Promise<Seen> => {
    const answer = await fetch(`${service.url}/hash`);
    return {
      hash: ((await answer.json()) as { hash: string }).hash,
      position: answer.headers.get('x-arcwise-position'),
    };
  };
  const write = async (labels: readonly string[]): Promise<void> => {
    const answer = await fetch(`${service.url}/vertices?waitForCompletion=true`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(labels.map((label) => ({ label }))),
    });
    expect(answer.status).toBe(200);
  };
  /** Asks the page's own engine, which the first call makes. */
  const inPage = (path: string, init: { method?: string; body?: string } = {}) =>
    page.evaluate(
      async ([url, asked, more]) => {
        const held = globalThis as never as Library & { following?: Promise<LibraryModule.Arcwise> };
        held.following ??= held.createArcwise({ store: 'memory://', settings: { 'Replica:Of': url } });
        const headers = { 'content-type': 'application/json' };
        const answer = await (await held.following).fetch(asked, { ...more, headers });
        const { status } = answer;
        const at = answer.headers.get('x-arcwise-position');
        return { status, at, location: answer.headers.get('location'), text: await answer.text() };
      },
      [service.url, path, init] as const,
    );

  beforeAll(async () => {
    let mayAsk = '';
    pages = await servePages({}, { mayAsk: () => mayAsk });
    service = await startService({ 'Replica:Serve': true, 'Security:AllowedCorsOrigins': pages.origin });
    mayAsk = service.url;
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage();
    await page.goto(`${pages.origin}/empty.html`);
    await page.waitForFunction(() => 'createArcwise' in globalThis);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await pages?.close();
  });

  it('comes to the state of the service and stays with it', async () => {
    await write(['before', 'before']);
    await expect.poll(async () => (await inPage('/vertex/count')).text, { timeout: 60_000 }).toBe('2');
    for (let round = 0; round < 3; round++) {
      await write(['behind']);
      const { hash, position } = await seenAtService();
      const { status, text } = await inPage(`/hash?at=${position?.split(':')[1]}`);
      expect([status, JSON.parse(text).hash]).toEqual([200, hash]);
    }
    const counted = await inPage('/vertex/count');
    expect([counted.text, counted.at]).toEqual(['5', (await seenAtService()).position]);
  });

  it('reads what the page wrote, which goes to the service', async () => {
    const body = JSON.stringify([{ label: 'written' }]);
    const sent = await inPage('/vertices?waitForCompletion=true', { method: 'PUT', body });
    expect([sent.status, sent.location]).toEqual([307, `${service.url}/vertices?waitForCompletion=true`]);
    await write(['written']);
    const { position } = await seenAtService();
    const counted = await inPage(`/vertex/count?atLeast=${encodeURIComponent(position ?? '')}`);
    expect([counted.status, counted.text]).toEqual([200, '6']);
  });

  it('hears what is written, under the numbers that the service has', async () => {
    const heard = page.evaluate(async () => {
      const { following } = globalThis as never as { following: Promise<LibraryModule.Arcwise> };
      const feed = await (await following).fetch('/changefeed');
      const reader = (feed.body as ReadableStream<Uint8Array>).getReader();
      Object.assign(globalThis, { listening: true });
      let text = '';
      while (!text.includes('vertexCreated')) text += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
      return /id: (\S+)/.exec(text)?.[1];
    });
    await page.waitForFunction(() => 'listening' in globalThis);
    const atService = await fetch(`${service.url}/changefeed`);
    await write(['heard']);
    const reader = atService.body?.getReader();
    let text = '';
    while (!text.includes('vertexCreated')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    const id = /id: (\S+)/.exec(text)?.[1];
    expect(id).toBeDefined();
    expect(await heard).toBe(id);
  });
});
