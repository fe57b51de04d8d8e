// Plain `fetch` and `EventSource` of tabs, answered by the engine of one of them through the service worker. Wants Chromium, as page.test.ts.

// @module-tag long

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as LibraryModule from '../../runtime-browser/index.ts';
import { executablePath, hasBrowser, type PageServer, servePages } from './support/page-server.ts';

type Library = typeof LibraryModule;
type Arcwise = LibraryModule.Arcwise;

if (!hasBrowser) console.log(`No tests of the service worker: there is no ${executablePath}.`);

describe.skipIf(!hasBrowser)('the service worker', () => {
  let server: PageServer;
  let browser: Browser;
  let context: BrowserContext;
  let leading: Page;
  let other: Page;

  beforeAll(async () => {
    server = await servePages({ '/service-worker.js': "import '/arcwise/service-worker.js';" });
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
    context = await browser.newContext();
    leading = await openPage();
    await answerFrom(leading);
    other = await openPage();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function openPage(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${server.origin}/empty.html`);
    await page.waitForFunction(() => 'createArcwise' in globalThis);
    return page;
  }

  const answerFrom = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise: Arcwise = await createArcwise({ store: 'memory://' });
      await arcwise.serviceWorker('/api/', { script: '/service-worker.js?streamMs=1000' });
      Object.assign(globalThis, { arcwise });
    });

  const ask = (page: Page, path: string, json?: unknown): Promise<readonly [status: number, text: string]> =>
    page.evaluate(
      async ([where, body]) => {
        const headers = { 'content-type': 'application/json' };
        const init = body === undefined ? {} : { method: 'PUT', headers, body };
        const answer: Response = await fetch(`/api${where}`, init);
        return [answer.status, await answer.text()] as const;
      },
      [path, json === undefined ? undefined : JSON.stringify(json)] as const,
    );

  /** Stops every service worker, as a browser does with one that has been idle. */
  async function stopWorkers(): Promise<void> {
    const session = await context.newCDPSession(leading);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  }

  /** What the listener of a page has seen. */
  interface Heard {
    opened: number;
    readonly labels: string[];
  }

  const listen = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const heard: Heard = { opened: 0, labels: [] };
      const source = new EventSource('/api/changefeed');
      source.addEventListener('open', () => heard.opened++);
      source.addEventListener('vertexCreated', ({ data }) => heard.labels.push(JSON.parse(data).label));
      Object.assign(globalThis, { heard });
    });
  const opened = (page: Page, times: number) =>
    page.waitForFunction((least) => (globalThis as never as { heard: Heard }).heard.opened >= least, times);
  const labelsHeard = (page: Page): Promise<string[]> =>
    page.evaluate(() => (globalThis as never as { heard: Heard }).heard.labels);

  /** Writes again and again: what is written between two connections of the listener is not told. */
  async function writtenUntilHeard(page: Page, count: number): Promise<void> {
    do {
      expect((await ask(page, '/vertices?waitForCompletion=true', [{ label: 'd' }]))[0]).toBe(200);
      await page.waitForTimeout(200);
    } while ((await labelsHeard(other)).length < count);
  }

  it('answers plain fetches of the tab that has the engine and of another one', async () => {
    expect(await ask(leading, '/vertices?waitForCompletion=true', [{ label: 'a' }, { label: 'b' }])).toEqual([
      200,
      '[0,1]',
    ]);
    expect(await ask(other, '/vertices?waitForCompletion=true', [{ label: 'c' }])).toEqual([200, '[2]']);
    expect(await ask(other, '/vertex/count')).toEqual([200, '3']);
    expect((await ask(other, '/ns/none/vertex/count'))[0]).toBe(404);
    const [status, text] = await ask(other, '/bulk/export');
    expect([status, text.trim().split('\n').length]).toEqual([200, 4]);
  });

  it('passes on only what lies below its path', async () => {
    const status = await other.evaluate(async () => ((await fetch('/vertex/count')) as Response).status);
    expect(status).toBe(404);
  });

  it('answers again after the browser has stopped it', async () => {
    await stopWorkers();
    expect(await ask(other, '/vertex/count')).toEqual([200, '3']);
  });

  it('tells an EventSource of another tab every event, also those between two of its connections', async () => {
    await listen(other);
    await opened(other, 1);
    // Nothing is heard in the first connection: what the listener goes on behind is where it began.
    await opened(other, 2);
    const labels: string[] = [];
    const connections = (): Promise<number> =>
      other.evaluate(() => (globalThis as never as { heard: Heard }).heard.opened);
    while ((await connections()) < 4) {
      labels.push(`e${labels.length}`);
      expect((await ask(leading, '/vertices?waitForCompletion=true', [{ label: labels.at(-1) }]))[0]).toBe(200);
    }
    await other.waitForFunction(
      (least) => (globalThis as never as { heard: Heard }).heard.labels.length >= least,
      labels.length,
    );
    expect(await labelsHeard(other)).toEqual(labels);
  });

  it('goes to another tab when the one that answered is gone, and says so when none is left', async () => {
    await leading.close();
    leading = await openPage();
    const waits = ask(other, '/vertex/count');
    await answerFrom(leading);
    const first = await waits;
    // It is looked for 5 s; an engine that takes longer to start is there for the next request.
    expect(first[0] === 503 ? await ask(other, '/vertex/count') : first).toEqual([200, '0']);
    // Nobody has told its listener to stop, so it hears of the new engine too.
    await writtenUntilHeard(leading, (await labelsHeard(other)).length + 1);
    await leading.evaluate(() => (globalThis as never as { arcwise: Arcwise }).arcwise.close());
    const [status, text] = await ask(other, '/vertex/count');
    expect([status, JSON.parse(text).title]).toEqual([503, 'No engine']);
  });

  it('is refused where its script may not serve the page, and the error says what may be done', async () => {
    const message = await other.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise: Arcwise = await createArcwise({ store: 'memory://' });
      const told = await arcwise.serviceWorker('/api/').catch((error: Error) => error.message);
      await arcwise.close();
      return told;
    });
    expect(message).toContain('service-worker-allowed');
  });
});
