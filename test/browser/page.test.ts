// The engine in a page: the built modules, from a server of plain files under a strict content security policy. Wants Chromium
// (CHROMIUM_PATH, or /usr/bin/chromium); without one the tests are skipped and say so.

import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as LibraryModule from '../../runtime-browser/index.ts';
import { expectJson } from '../contract/support/requests.ts';
import { startService } from '../contract/support/service.ts';
import { executablePath, hasBrowser, type PageServer, servePages } from './support/page-server.ts';

/** What the page's own script takes from the library. */
type Library = typeof LibraryModule;

if (!hasBrowser) console.log(`No page tests: there is no ${executablePath}; CHROMIUM_PATH names another one.`);

describe.skipIf(!hasBrowser)('the engine in a page', () => {
  let server: PageServer;
  let browser: Browser;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    server = await servePages();
    ({ origin } = server);
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage();
    await page.goto(`${origin}/empty.html`);
    await page.waitForFunction(() => 'createArcwise' in globalThis);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('runs the page of the guide', { tags: ['long'] }, async () => {
    const guide = await browser.newPage();
    const problems: string[] = [];
    guide.on('pageerror', (error) => problems.push(error.message));
    await guide.goto(`${origin}/guide.html`);
    await guide.waitForFunction(() => (globalThis as never as { out: { textContent: string } }).out.textContent !== '');
    expect(await guide.locator('#out').textContent()).toBe('2 people');
    expect(problems).toEqual([]);
    await guide.close();
  });

  it('runs the first program of the guide', { tags: ['long'] }, async () => {
    const guide = await browser.newPage();
    const problems: string[] = [];
    guide.on('pageerror', (error) => problems.push(error.message));
    const told = guide.waitForEvent('console');
    await guide.goto(`${origin}/first.html`);
    expect((await told).text()).toBe('0');
    expect(problems).toEqual([]);
    await guide.close();
  });

  it('answers writes, reads, problems, filters in C# and analytics', async () => {
    const seen = await page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise = await createArcwise({ store: 'memory://' });
      const call = async (method: string, path: string, json?: unknown) => {
        const headers = { 'content-type': 'application/json' };
        const init = json === undefined ? { method } : { method, headers, body: JSON.stringify(json) };
        const answer: Response = await arcwise.fetch(path, init);
        const text = await answer.text();
        return [answer.status, text === '' ? null : JSON.parse(text)];
      };
      const wait = 'waitForCompletion=true';
      const answers = [
        await call('PUT', `/vertices?${wait}`, [{ label: 'a' }, { label: 'b' }, { label: 'a' }]),
        await call('PUT', `/edges?${wait}`, [
          { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'x' },
          { sourceVertex: 1, targetVertex: 2, edgePropertyId: 'x' },
        ]),
        await call('POST', '/path/0/to/2', { maxDepth: 4, filter: { vertexFilter: 'return v => v.Label != "c";' } }),
        await call('POST', '/analytics/WCC', {}),
        await call('GET', '/vertex/99'),
        await call('GET', '/ns/nowhere/vertex/count'),
      ];
      await arcwise.close();
      return answers;
    });
    expect(seen.map(([status]) => status)).toEqual([200, 200, 200, 200, 204, 404]);
    expect(seen[0]?.[1]).toEqual([0, 1, 2]);
    expect(seen[2]?.[1]).toHaveLength(1);
    expect(seen[5]?.[1]).toMatchObject({ status: 404, title: 'Namespace not found', namespace: 'nowhere' });
  });

  it('streams an import and an export of more than a window', { tags: ['long'] }, async () => {
    const [imported, lines, again] = await page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const [first, second] = [
        await createArcwise({ store: 'memory://' }),
        await createArcwise({ store: 'memory://' }),
      ];
      const bodies = Array.from({ length: 20_000 }, (_, at) => ({ label: `a label of vertex ${at}` }));
      const json = { 'content-type': 'application/json' };
      const put = { method: 'PUT', headers: json, body: JSON.stringify(bodies) };
      await first.fetch('/vertices?waitForCompletion=true', put);
      const exported: Response = await first.fetch('/bulk/export');
      const [one, two] = (exported.body as ReadableStream<Uint8Array>).tee();
      const headers = { 'content-type': 'application/x-ndjson' };
      const taken = second.fetch('/bulk/import', { method: 'POST', headers, body: one });
      const text = await new Response(two).text();
      const status: number = (await taken).status;
      const copy = await (await second.fetch('/bulk/export')).text();
      await Promise.all([first.close(), second.close()]);
      // The first line says when.
      const elements = (whole: string) => whole.slice(whole.indexOf('\n'));
      return [status, text.split('\n').length, elements(copy) === elements(text)] as const;
    });
    expect(imported).toBe(200);
    expect(lines).toBeGreaterThan(20_000);
    expect(again).toBe(true);
  });

  it('opens a package of a service, whatever it travels as, and hands it on', { tags: ['long'] }, async () => {
    const service = await startService();
    await service.call('GET', '/ns/default/generate?nodeCount=1000&edgeCount=3');
    const { bytes } = await service.call('GET', '/package');
    const seen = await page.evaluate(async (base64) => {
      const { createArcwise } = globalThis as never as Library;
      const whole = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const counts: unknown[] = [];
      let again = new ArrayBuffer(0);
      for (const form of [whole, new Blob([whole]), new Response(whole), new Blob([whole]).stream()]) {
        const arcwise = await createArcwise({ package: form });
        counts.push(await (await arcwise.fetch('/vertex/count')).json());
        again = await (await arcwise.fetch('/package')).arrayBuffer();
        await arcwise.close();
      }
      const broken = new Uint8Array(again.slice(0));
      const copy = await createArcwise({ package: again });
      const edges = await (await copy.fetch('/edge/count')).json();
      await copy.close();
      broken[again.byteLength >> 1] = (broken[again.byteLength >> 1] as number) ^ 1;
      const refusal = await createArcwise({ package: broken }).then(
        () => 'nothing',
        (error: Error) => `${error.name}: ${error.message}`,
      );
      return { counts, edges, refusal, again: btoa(String.fromCharCode(...new Uint8Array(again))) };
    }, bytes.toString('base64'));
    expect(seen.counts).toEqual([1000, 1000, 1000, 1000]);
    expect(seen.edges).toBe(3000);
    expect(seen.refusal).toMatch(/^PackageRefused: The checksum of the record at byte \d+ does not hold\.$/);
    expectJson(await service.call('PUT', '/ns/back'), 201);
    const headers = { 'content-type': 'application/octet-stream' };
    const body = Buffer.from(seen.again, 'base64');
    expect(expectJson(await service.call('POST', '/ns/back/package', { body, headers }))).toMatchObject({
      edgeCount: 3000,
    });
    await service.stop();
  });

  it('has a change feed that ends with its signal', async () => {
    const [event, ended] = await page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise = await createArcwise({ store: 'memory://' });
      const controller = new AbortController();
      const feed: Response = await arcwise.fetch('/changefeed', { signal: controller.signal });
      const reader = (feed.body as ReadableStream<Uint8Array>).getReader();
      const headers = { 'content-type': 'application/json' };
      await arcwise.fetch('/vertices?waitForCompletion=true', { method: 'PUT', headers, body: '[{"label":"seen"}]' });
      const decoder = new TextDecoder();
      let text = '';
      while (!text.includes('vertexCreated')) text += decoder.decode((await reader.read()).value, { stream: true });
      controller.abort();
      const after = await reader.read().then(
        () => 'goes on',
        (error: Error) => error.name,
      );
      await arcwise.close();
      return [text, after];
    });
    expect(event).toContain('event: vertexCreated');
    expect(ended).toBe('AbortError');
  });

  it('refuses what it does not know, and ends what waits when it is closed', async () => {
    const seen = await page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const told = (promise: Promise<unknown>) =>
        promise.then(
          () => 'nothing',
          (error: Error) => `${error.name}: ${error.message}`,
        );
      const store = await told(createArcwise({ store: 'tape://' as 'memory://' }));
      const setting = await told(createArcwise({ store: 'memory://', settings: { 'No:Such': 1 } }));
      const arcwise = await createArcwise({ store: 'memory://' });
      const feed: Response = await arcwise.fetch('/changefeed');
      const body = feed.text().then(
        () => 'ended',
        () => 'broke off',
      );
      await Promise.all([arcwise.close(), arcwise.close()]);
      return { store, setting, body: await body, after: await told(arcwise.fetch('/vertex/count')) };
    });
    expect(seen).toEqual({
      store: 'TypeError: There is no store "tape://": "memory://" and "opfs://<name>" are.',
      setting: expect.stringMatching(/^InvalidSetting: .*No:Such/),
      body: expect.stringMatching(/^(ended|broke off)$/),
      after: 'Error: The engine is closed.',
    });
  });
});
