// Graphs that a page keeps: they outlive a reload, and the death of the whole browser at any moment. Wants Chromium, as page.test.ts.

// @module-tag long

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as LibraryModule from '../../runtime-browser/index.ts';
import { executablePath, hasBrowser, type PageServer, servePages } from './support/page-server.ts';
import { suiteModule } from './support/suite-module.ts';
import type { SuiteResult } from './support/vitest-in-page.ts';

type Library = typeof LibraryModule;
type Arcwise = LibraryModule.Arcwise;

if (!hasBrowser) console.log(`No tests of a page's storage: there is no ${executablePath}.`);

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--remote-debugging-port=0'],
];

interface Running {
  readonly browser: Browser;
  readonly child: ChildProcess;
}

/** A browser as a process of its own, which can be killed. */
async function start(profile: string): Promise<Running> {
  const child = spawn(executablePath, [...flags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      told += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The browser ended: ${told}`)));
  });
  return { browser: await chromium.connectOverCDP(endpoint), child };
}

async function kill({ child }: Running): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

describe.skipIf(!hasBrowser)("a page's own storage", () => {
  let server: PageServer;
  let profile: string;
  let running: Running;

  beforeAll(async () => {
    server = await servePages({ '/suite.js': await suiteModule() });
    profile = await mkdtemp(join(tmpdir(), 'arcwise-profile-'));
    running = await start(profile);
  });

  afterAll(async () => {
    if (running) await kill(running);
    await server?.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  async function openPage(): Promise<Page> {
    const context = running.browser.contexts()[0];
    if (context === undefined) throw new Error('The browser has no context.');
    const page = await context.newPage();
    await page.goto(`${server.origin}/empty.html`);
    await page.waitForFunction(() => 'createArcwise' in globalThis);
    return page;
  }

  /** What another engine finds in the store. */
  const found = (page: Page, store: string): Promise<readonly [count: number, saves: number, replayed: boolean]> =>
    page.evaluate(async (name) => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise = await createArcwise({ store: name as 'memory://' });
      const count: number = await (await arcwise.fetch('/vertex/count')).json();
      const saves: unknown[] = await (await arcwise.fetch('/savegames')).json();
      const status = await (await arcwise.fetch('/status')).json();
      await arcwise.close();
      return [count, saves.length, status.durability.recoveryRan] as const;
    }, store);

  it('passes the suite of all stores, which runs in a worker of the page', async () => {
    const page = await openPage();
    const results = await page.evaluate(
      () =>
        new Promise<readonly SuiteResult[]>((resolve, reject) => {
          const worker = new Worker('/suite.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        }),
    );
    expect(results.filter(({ failure }) => failure !== null)).toEqual([
      { name: 'a canary that must fail', failure: expect.stringContaining('expected') },
    ]);
    expect(results.length).toBeGreaterThan(9);
    await page.close();
  });

  it('keeps graphs, names and save games over a reload', async () => {
    const page = await openPage();
    const seen = await page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise = await createArcwise({ store: 'opfs://kept' });
      const headers = { 'content-type': 'application/json' };
      const put = (path: string, body: string) =>
        arcwise.fetch(path, { method: 'PUT', headers, body }) as Promise<Response>;
      const statuses = [
        (await put('/vertices?waitForCompletion=true', '[{"label":"a"},{"label":"b"}]')).status,
        (await put('/save?waitForCompletion=true', '{}')).status,
        (await put('/vertices?waitForCompletion=true', '[{"label":"c"}]')).status,
      ];
      const [save] = await (await arcwise.fetch('/savegames')).json();
      return { statuses, location: save?.location, persisted: typeof (await arcwise.persisted) };
    });
    expect(seen).toEqual({
      ...{ statuses: [200, expect.any(Number), 200], persisted: 'boolean' },
      location: expect.stringMatching(/^opfs:\/\/kept\//),
    });
    await page.reload();
    await page.waitForFunction(() => 'createArcwise' in globalThis);
    expect(await found(page, 'opfs://kept')).toEqual([3, 1, true]);
    await page.close();
  });

  it('loses nothing that was acknowledged when the browser is killed while it writes and saves', async () => {
    const page = await openPage();
    let acknowledged = 0;
    let enough = (): void => {};
    const many = new Promise<void>((resolve) => {
      enough = resolve;
    });
    await page.exposeFunction('acknowledge', (count: number) => {
      acknowledged += count;
      if (acknowledged >= 600) enough();
    });
    const writing = page.evaluate(async () => {
      const { createArcwise, acknowledge } = globalThis as never as Library & { acknowledge(count: number): void };
      const arcwise = await createArcwise({ store: 'opfs://killed' });
      const headers = { 'content-type': 'application/json' };
      const put = (path: string, body: string) => arcwise.fetch(path, { method: 'PUT', headers, body });
      const write = async (): Promise<void> => {
        for (;;) {
          const answer: Response = await put('/vertices?waitForCompletion=true', '[{"label":"a"}]');
          if (answer.status === 200) acknowledge(1);
        }
      };
      const save = async (): Promise<void> => {
        for (;;) await put('/save?waitForCompletion=true', '{}');
      };
      await Promise.all([...Array.from({ length: 8 }, write), save()]);
    });
    writing.catch(() => {}); // it ends with the browser
    await many;
    await kill(running);
    const told = acknowledged;
    running = await start(profile);
    const [count, saves] = await found(await openPage(), 'opfs://killed');
    expect(count).toBeGreaterThanOrEqual(told);
    expect(saves).toBeGreaterThan(0);
  });

  it('is a full disk when the share of the page is used up: says so, answers reads, and keeps what it acknowledged', async () => {
    const page = await openPage();
    const session = await page.context().newCDPSession(page);
    const used = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
    const quotaSize = used + 10_000_000;
    await session.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize });
    const [kept, refused, reads, statuses] = await page.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise = await createArcwise({ store: 'opfs://small' });
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(Array.from({ length: 2000 }, (_, at) => ({ label: `${at}`.padStart(200, 'x') })));
      let acknowledged = 0;
      const statuses = new Set<number>();
      for (let tries = 0; tries < 400; tries++) {
        const init = { method: 'PUT', headers, body };
        const answer: Response = await arcwise.fetch('/vertices?waitForCompletion=true', init);
        statuses.add(answer.status);
        const isDurable = answer.status === 200 && answer.headers.get('x-durability') === null;
        if (!isDurable) break;
        acknowledged++;
      }
      const status = await (await arcwise.fetch('/status')).json();
      const count: number = await (await arcwise.fetch('/vertex/count')).json();
      await arcwise.close();
      return [acknowledged * 2000, status.durability.degraded, count, [...statuses]] as const;
    });
    expect(statuses[0]).toBe(200);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(400 * 2000);
    expect(refused).toBe(true);
    expect(reads).toBeGreaterThanOrEqual(kept);
    await session.send('Storage.overrideQuotaForOrigin', { origin: server.origin });
    expect((await found(page, 'opfs://small'))[0]).toBeGreaterThanOrEqual(kept);
    await page.close();
  });

  it('has one tab that leads: others ask through it, one of them follows it, and nothing acknowledged is lost', async () => {
    const [first, second, third] = [await openPage(), await openPage(), await openPage()];
    const start = (page: Page): Promise<void> =>
      page.evaluate(async () => {
        const { createArcwise } = globalThis as never as Library;
        const arcwise = await createArcwise({ store: 'opfs://shared' });
        Object.assign(globalThis, { arcwise });
      });
    const add = (page: Page, count: number): Promise<number[]> =>
      page.evaluate(async (times) => {
        const { arcwise } = globalThis as never as { arcwise: Arcwise };
        const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '[{"label":"a"}]' };
        // Whether a request took effect whose leader went, nobody knows: here one more vertex does no harm.
        const one = async (): Promise<number> => {
          const asked = (await arcwise.fetch('/vertices?waitForCompletion=true', init).catch((error: Error) => {
            if (error.name === 'LeaderGone') return null;
            throw error;
          })) as Response | null;
          return asked === null ? one() : asked.status;
        };
        return Promise.all(Array.from({ length: times }, one));
      }, count);
    const elementsAre = async (page: Page, least: number): Promise<void> => {
      const [count, lines] = await countAndLines(page);
      expect(count).toBeGreaterThanOrEqual(least);
      expect(lines).toBe(count + 1);
    };
    const countAndLines = (page: Page): Promise<readonly [number, number]> =>
      page.evaluate(async () => {
        const { arcwise } = globalThis as never as { arcwise: Arcwise };
        const count: number = await ((await arcwise.fetch('/vertex/count')) as Response).json();
        const text: string = await ((await arcwise.fetch('/bulk/export')) as Response).text();
        return [count, text.trim().split('\n').length] as const;
      });
    for (const page of [first, second, third]) await start(page);
    for (const page of [first, second, third]) expect(new Set(await add(page, 20))).toEqual(new Set([200]));
    await elementsAre(third, 60);
    // A request that is under way when the tab that leads goes fails at whoever asked; a later one is answered by the next leader.
    await first.close();
    for (const page of [second, third]) expect(new Set(await add(page, 5))).toEqual(new Set([200]));
    await elementsAre(second, 70);
    await second.evaluate(() => (globalThis as never as { arcwise: Arcwise }).arcwise.close());
    expect(new Set(await add(third, 1))).toEqual(new Set([200]));
    await elementsAre(third, 71);
    await Promise.all([second.close(), third.close()]);
  });

  it('lets nobody write beside a tab that had the lock taken from it, and ends that tab', async () => {
    const [asleep, taker] = [await openPage(), await openPage()];
    await asleep.evaluate(async () => {
      const { createArcwise } = globalThis as never as Library;
      const arcwise = await createArcwise({ store: 'opfs://stolen' });
      const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '[{"label":"a"}]' };
      await arcwise.fetch('/vertices?waitForCompletion=true', init);
      Object.assign(globalThis, { arcwise });
    });
    const refusal = await taker.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const directory = await root.getDirectoryHandle('arcwise-stolen');
      const file = await directory.getFileHandle('catalogue.a');
      const handles = file as unknown as { createWritable(options: object): Promise<unknown> };
      const refused = await handles.createWritable({ mode: 'exclusive' }).then(
        () => 'written',
        (error: Error) => error.name,
      );
      await navigator.locks.request('arcwise:opfs://stolen', { steal: true }, () => {});
      return refused;
    });
    expect(refusal).toBe('NoModificationAllowedError');
    const after = await asleep.evaluate(async () => {
      const { arcwise } = globalThis as never as { arcwise: Arcwise };
      for (;;) {
        const told = await arcwise.fetch('/vertex/count').then(
          () => null,
          (error: Error) => error.name,
        );
        if (told !== null) return told;
      }
    });
    expect(after).toBe('AbortError');
    expect((await found(taker, 'opfs://stolen'))[0]).toBe(1);
    await Promise.all([asleep.close(), taker.close()]);
  });
});
