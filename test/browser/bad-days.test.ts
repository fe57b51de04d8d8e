// What may happen to a page and must cost nothing that was acknowledged: the leading tab dies while it saves, the engine is closed in the
// middle of everything, and another version of the library has the store. Wants Chromium, as page.test.ts.
//
// PAGE_KILLS: how many leading tabs are killed, each one later within its save than the one before (`npm run soak:page` for 20).

// @module-tag long

import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as LibraryModule from '../../runtime-browser/index.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { executablePath, hasBrowser, type PageServer, servePages } from './support/page-server.ts';

type Library = typeof LibraryModule;
type InPage = { arcwise: LibraryModule.Arcwise };

if (!hasBrowser) console.log(`No bad days of a page: there is no ${executablePath}.`);

const kills = Number(process.env.PAGE_KILLS ?? 2);

describe.skipIf(!hasBrowser)('a page on a bad day', () => {
  let server: PageServer;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    server = await servePages();
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
    context = await browser.newContext();
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

  /** Null, or why it does not start. */
  const start = (page: Page, store: string): Promise<string | null> =>
    page.evaluate(async (name) => {
      const { createArcwise } = globalThis as never as Library;
      try {
        const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 1000 };
        Object.assign(globalThis, { arcwise: await createArcwise({ store: name as 'memory://', settings }) });
        return null;
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`;
      }
    }, store);

  const countIn = (page: Page, path = '/vertex/count'): Promise<number> =>
    page.evaluate(async (where) => {
      const { arcwise } = globalThis as never as InPage;
      const answer: Response = await arcwise.fetch(where);
      return answer.json();
    }, path);

  it('has its engine in memory in a page over plain HTTP, and says that a store wants a secure one', async () => {
    const { port } = new URL(server.origin);
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP plain.test 127.0.0.1'];
    const own = await chromium.launch({ executablePath, args });
    try {
      const page = await own.newPage();
      await page.goto(`http://plain.test:${port}/empty.html`);
      await page.waitForFunction(() => 'createArcwise' in globalThis);
      expect(await page.evaluate(() => [isSecureContext, typeof crypto.randomUUID])).toEqual([false, 'undefined']);
      expect(await start(page, 'memory://')).toBeNull();
      const ids = await page.evaluate(async () => {
        const { arcwise } = globalThis as never as InPage;
        await (await arcwise.fetch('/ns/default/generate?nodeCount=10&edgeCount=2')).text();
        const made = await arcwise.fetch('/subgraph?waitForCompletion=true', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'one', patterns: [{ type: 'Vertex', patternName: 'v' }] }),
        });
        return [made.status, (await (await arcwise.fetch('/vertex/count')).json()) as number];
      });
      expect(ids).toEqual([201, 10]);
      expect(await page.evaluate(() => typeof crypto.randomUUID)).toBe('undefined');
      expect(await start(page, 'opfs://plain')).toMatch(/^StoreRefused: /);
    } finally {
      await own.close();
    }
  });

  it('keeps fifty namespaces, each with what was written to it', async () => {
    const page = await openPage();
    expect(await start(page, 'opfs://fifty')).toBeNull();
    const statuses = await page.evaluate(async () => {
      const { arcwise } = globalThis as never as InPage;
      const headers = { 'content-type': 'application/json' };
      const make = async (i: number): Promise<readonly number[]> => {
        const made = await arcwise.fetch(`/ns/n${i}`, { method: 'PUT', headers, body: '{}' });
        const body = JSON.stringify(Array.from({ length: i + 1 }, () => ({ label: `n${i}` })));
        const written = await arcwise.fetch(`/ns/n${i}/vertices?waitForCompletion=true`, {
          method: 'PUT',
          headers,
          body,
        });
        return [made.status, written.status];
      };
      const all = await Promise.all(Array.from({ length: 50 }, (_, i) => make(i)));
      await arcwise.close();
      return all;
    });
    expect(statuses).toEqual(Array.from({ length: 50 }, () => [201, 200]));
    expect(await start(page, 'opfs://fifty')).toBeNull();
    for (let i = 0; i < 50; i++) expect(await countIn(page, `/ns/n${i}/vertex/count`)).toBe(i + 1);
    await page.close();
  });

  it('is refused beside a tab with another version of the library', async () => {
    const [other, page] = [await openPage(), await openPage()];
    await other.evaluate(async () => {
      const lock = 'arcwise:opfs://versions';
      await new Promise<void>((resolve) => {
        void navigator.locks.request(lock, () => {
          resolve();
          return new Promise(() => {});
        });
      });
      const hall = new BroadcastChannel(lock);
      hall.onmessage = () => hall.postMessage({ kind: 'leading', version: 4711, leader: 'other' });
    });
    expect(await start(page, 'opfs://versions')).toMatch(/another version/);
    await Promise.all([other.close(), page.close()]);
  });

  it('says why where the browser gives the page no store, and has its engine in memory there', async () => {
    const worker = '/arcwise/worker.js';
    const refusing = `navigator.storage.getDirectory = () => Promise.reject(new DOMException('not in private windows', 'SecurityError'));`;
    const text = readFileSync(at(`dist/browser/${worker.slice('/arcwise/'.length)}`), 'utf8');
    const other = await servePages({ [worker]: `${refusing}\n${text}` });
    const page = await context.newPage();
    await page.goto(`${other.origin}/empty.html`);
    await page.waitForFunction(() => 'createArcwise' in globalThis);
    expect(await start(page, 'opfs://private')).toMatch(/^StoreRefused: .*not in private windows/);
    expect(await start(page, 'memory://')).toBeNull();
    expect(await countIn(page)).toBe(0);
    await page.close();
    await other.close();
  });

  it('takes nothing of a package that is cut short or changed, and the whole one behind it', async () => {
    const page = await openPage();
    expect(await start(page, 'memory://')).toBeNull();
    const seen = await page.evaluate(async () => {
      const { arcwise, createArcwise } = globalThis as never as InPage & Library;
      await (await arcwise.fetch('/ns/default/generate?nodeCount=500&edgeCount=3')).text();
      const whole = new Uint8Array(await (await arcwise.fetch('/package')).arrayBuffer());
      await arcwise.close();
      const store = 'opfs://packages';
      const opened = async (more: object): Promise<string> => {
        try {
          const own = await createArcwise({ store, ...more });
          const count = await (await own.fetch('/vertex/count')).text();
          await own.close();
          return count;
        } catch (error) {
          return (error as Error).name;
        }
      };
      const said: string[] = [];
      for (const length of [0, 1, 20, whole.length >> 1, whole.length - 1])
        said.push(await opened({ package: whole.slice(0, length) }), await opened({}));
      const changed = whole.slice();
      changed[whole.length >> 1] = (changed[whole.length >> 1] as number) ^ 16;
      said.push(await opened({ package: changed }), await opened({}));
      said.push(await opened({ package: whole }), await opened({}));
      return said;
    });
    expect(seen).toEqual([...Array.from({ length: 6 }, () => ['PackageRefused', '0']).flat(), '500', '500']);
    await page.close();
  });

  it('ends everything that is under way when it is closed, and has what was acknowledged', async () => {
    const page = await openPage();
    expect(await start(page, 'opfs://closed')).toBeNull();
    const [acknowledged, ends] = await page.evaluate(async () => {
      const { arcwise } = globalThis as never as InPage;
      const json = { 'content-type': 'application/json' };
      let written = 0;
      const ended = (work: Promise<unknown>): Promise<string> =>
        work.then(
          () => 'answered',
          () => 'rejected',
        );
      const body = async (path: string, init: RequestInit = {}): Promise<string> =>
        ((await arcwise.fetch(path, init)) as Response).text();
      const write = async (): Promise<void> => {
        for (;;) {
          const init = { method: 'PUT', headers: json, body: '[{"label":"a"}]' };
          const answer: Response = await arcwise.fetch('/vertices?waitForCompletion=true', init);
          if (answer.status !== 200) return;
          if (answer.headers.get('x-durability') === null) written++;
        }
      };
      await body('/ns/default/generate?nodeCount=20000&edgeCount=5');
      await body('/ns/empty', { method: 'PUT', headers: json, body: '{}' });
      const endless = {
        maxDepth: 3,
        filter: { vertexFilter: 'return v => { while (true) { } };' },
        timeBudgetSeconds: 2,
      };
      const lines = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
      const under = [
        ...Array.from({ length: 8 }, () => ended(write())),
        ended(body('/changefeed')),
        ended(body('/bulk/export')),
        ended(body('/save', { method: 'PUT', headers: json, body: '{}' })),
        ended(body('/analytics/PAGERANK', { method: 'POST', headers: json, body: '{"maxIterations":50,"epsilon":0}' })),
        ended(body('/path/0/to/1', { method: 'POST', headers: json, body: JSON.stringify(endless) })),
        ended(
          body('/ns/empty/bulk/import', {
            method: 'POST',
            headers: { 'content-type': 'application/x-ndjson' },
            body: lines,
          }),
        ),
      ];
      while (written < 20) await new Promise((resolve) => setTimeout(resolve, 1));
      await arcwise.close();
      return [written, await Promise.all(under)] as const;
    });
    // Each has come to an end, the feed and the import of lines that never come too.
    expect(ends).toHaveLength(14);
    expect(await start(page, 'opfs://closed')).toBeNull();
    expect(await countIn(page)).toBeGreaterThanOrEqual(20_000 + acknowledged);
    await page.close();
  });

  it('loses nothing that was acknowledged when the leading tab is killed in the middle of a save', async () => {
    const store = 'opfs://killed';
    let acknowledged = 0;
    let leading = await leader();
    const saveMs = await leading.evaluate(async () => {
      const { arcwise } = globalThis as never as InPage;
      await (await arcwise.fetch('/ns/default/generate?nodeCount=50000&edgeCount=5')).text();
      const headers = { 'content-type': 'application/json' };
      const began = performance.now();
      const saved = await arcwise.fetch('/save?waitForCompletion=true', { method: 'PUT', headers, body: '{}' });
      if (saved.status !== 200) throw new Error(`The save is ${saved.status}: ${await saved.text()}`);
      return performance.now() - began;
    });
    const base = await countIn(leading);
    for (let round = 0; round < kills; round++) {
      const following = await leader();
      await Promise.all([load(leading), load(following)]);
      const saving = leading.evaluate(async () => {
        const { arcwise } = globalThis as never as InPage;
        const headers = { 'content-type': 'application/json' };
        for (;;)
          await (await arcwise.fetch('/save?waitForCompletion=true', { method: 'PUT', headers, body: '{}' })).text();
      });
      saving.catch(() => {}); // it ends with the tab
      await new Promise((resolve) => setTimeout(resolve, (saveMs * (round + 0.5)) / kills));
      const session = await context.newCDPSession(leading);
      session.send('Page.crash').catch(() => {}); // nobody answers this
      await leading.waitForEvent('crash');
      leading = following;
      await stopped(following);
      expect(await countIn(leading), `after ${round + 1} kills`).toBeGreaterThanOrEqual(base + acknowledged);
    }
    const statuses = await leading.evaluate(async () => {
      const { arcwise } = globalThis as never as InPage;
      const saves: { readonly location: string }[] = await ((await arcwise.fetch('/savegames')) as Response).json();
      return saves.length;
    });
    expect(statuses).toBeGreaterThan(0);
    await leading.close();

    async function leader(): Promise<Page> {
      const page = await openPage();
      await page.exposeFunction('acknowledge', () => {
        acknowledged++;
      });
      expect(await start(page, store)).toBeNull();
      return page;
    }

    /** Writes until it is told to stop. */
    async function load(page: Page): Promise<void> {
      await page.evaluate(() => {
        const state = globalThis as never as InPage & { stop: boolean; ended: Promise<unknown>; acknowledge(): void };
        const { arcwise, acknowledge } = state;
        state.stop = false;
        const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '[{"label":"a"}]' };
        const write = async (): Promise<void> => {
          while (!state.stop) {
            // Whether a write took effect whose leader went, nobody knows: it is not counted.
            const answer = (await arcwise
              .fetch('/vertices?waitForCompletion=true', init)
              .catch(() => null)) as Response | null;
            if (answer?.status === 200 && answer.headers.get('x-durability') === null) acknowledge();
          }
        };
        state.ended = Promise.all(Array.from({ length: 4 }, write));
      });
    }

    async function stopped(page: Page): Promise<void> {
      await page.evaluate(async () => {
        const state = globalThis as never as { stop: boolean; ended: Promise<unknown> };
        state.stop = true;
        await state.ended;
      });
    }
  });
});
