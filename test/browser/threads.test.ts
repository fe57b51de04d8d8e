// The engine in a page that is isolated from other origins, and so has threads, beside one that is not: both answer the same. Wants Chromium,
// as page.test.ts.

// @module-tag long

import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as LibraryModule from '../../runtime-browser/index.ts';
import { executablePath, hasBrowser, type PageServer, servePages } from './support/page-server.ts';

type Library = typeof LibraryModule;

if (!hasBrowser) console.log(`No tests of threads in a page: there is no ${executablePath}.`);

const kinds = ['isolated', 'plain'] as const;

/** Runs in the page: what long reads answer over a graph that is the same each time. */
async function answersOf(settings: Record<string, number>): Promise<readonly [status: number, body: unknown][]> {
  const { createArcwise } = globalThis as never as Library;
  const arcwise = await createArcwise({ store: 'memory://', settings });
  const headers = { 'content-type': 'application/json' };
  const call = async (method: string, path: string, json?: unknown): Promise<[number, unknown]> => {
    const init = json === undefined ? { method } : { method, headers, body: JSON.stringify(json) };
    const answer: Response = await arcwise.fetch(path, init);
    const text = await answer.text();
    return [answer.status, text === '' ? null : JSON.parse(text)];
  };
  const count = 20_000;
  const vertices = Array.from({ length: count }, (_, at) => ({ label: at % 3 === 0 ? 'a' : 'b' }));
  const edges = Array.from({ length: 2 * count }, (_, at) => ({
    ...{ sourceVertex: at % count, targetVertex: (at * 7919 + 13) % count, edgePropertyId: 'x' },
  }));
  const wait = 'waitForCompletion=true';
  const written = [
    (await call('PUT', `/vertices?${wait}`, vertices))[0],
    (await call('PUT', `/edges?${wait}`, edges))[0],
  ];
  const few = { maxResults: 20 };
  const read: [number, unknown][] = [
    await call('POST', '/analytics/WCC', few),
    await call('POST', '/analytics/DEGREE', few),
    await call('POST', '/analytics/PAGERANK', { ...few, maxIterations: 20, epsilon: 0 }),
    await call('POST', '/path/0/to/9000', {
      maxDepth: 8,
      maxResults: 3,
      filter: { vertexFilter: 'return v => v.Label != "c";' },
    }),
  ];
  await arcwise.close();
  return [...written.map((status): [number, unknown] => [status, null]), ...read];
}

/** Without what is measured. */
function facts([status, body]: readonly [number, unknown]): unknown {
  const {
    elapsedMs: _ms,
    elapsedMilliseconds: _milliseconds,
    durationMs: _duration,
    ...rest
  } = { ...(body as object) } as Record<string, unknown>;
  return [status, Array.isArray(body) ? body : rest];
}

describe.skipIf(!hasBrowser)('the engine in an isolated page', () => {
  let browser: Browser;
  const servers: Partial<Record<(typeof kinds)[number], PageServer>> = {};
  const pages: Partial<Record<(typeof kinds)[number], Page>> = {};

  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
    for (const kind of kinds) {
      const server = await servePages({}, { isolated: kind === 'isolated' });
      servers[kind] = server;
      const page = await browser.newPage();
      pages[kind] = page;
      await page.goto(`${server.origin}/empty.html`);
      await page.waitForFunction(() => 'createArcwise' in globalThis);
    }
  });

  afterAll(async () => {
    await browser?.close();
    for (const server of Object.values(servers)) await server.close();
  });

  it('computes on threads over shared memory, and answers what the plain core answers', async () => {
    const [isolated, plain] = await Promise.all(
      kinds.map((kind) => (pages[kind] as Page).evaluate(answersOf, { 'Jobs:Threads': 2 })),
    );
    expect((isolated ?? []).map(([status]) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((isolated ?? []).map(facts)).toEqual((plain ?? []).map(facts));
    const loaded = (kind: (typeof kinds)[number]): string[] =>
      ['core.shared.wasm', 'core.plain.turns.wasm', 'job-worker.js', 'compiler-worker.js'].filter((name) =>
        servers[kind]?.asked.has(`/arcwise/${name}`),
      );
    expect(loaded('isolated')).toEqual(['core.shared.wasm', 'job-worker.js', 'compiler-worker.js']);
    expect(loaded('plain')).toEqual(['core.plain.turns.wasm']);
  });

  it('has no threads where the settings want none', async () => {
    const page = pages.isolated as Page;
    const isolated = await page.evaluate(answersOf, { 'Jobs:Threads': -1 });
    expect(isolated.map(([status]) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(servers.isolated?.asked.has('/arcwise/core.plain.turns.wasm')).toBe(true);
  });
});
