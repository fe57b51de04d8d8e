// What a page measures of its own engine, by its own clock. Each function runs in the page; the engine is started once and kept there.

import type { Page } from 'playwright-core';
import type * as LibraryModule from '../../runtime-browser/index.ts';

type Library = typeof LibraryModule;
type InPage = { arcwise: LibraryModule.Arcwise };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Missing: once. */
  readonly times?: number;
}

/** Milliseconds of each answer, read to its end. */
export function pageMs(page: Page, asked: Asked): Promise<number[]> {
  return page.evaluate(async ({ method, path, body, times = 1 }) => {
    const { arcwise } = globalThis as never as InPage;
    const init = body === undefined ? { method } : { method, headers: { 'content-type': 'application/json' }, body };
    const took: number[] = [];
    for (let at = 0; at < times; at++) {
      const began = performance.now();
      const answer: Response = await arcwise.fetch(path, init);
      const text = await answer.text();
      took.push(performance.now() - began);
      if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    }
    return took;
  }, asked);
}

/** Starts an engine in the page; answers the milliseconds to its first answer since it began to load the library. */
export function openEngine(page: Page, store: string, settings: object): Promise<number> {
  return page.evaluate(
    async ([name, values]) => {
      const began = performance.now();
      const { createArcwise } = await (globalThis as never as { load(): Promise<Library> }).load();
      const arcwise = await createArcwise({ store: name as 'memory://', settings: values as Record<string, number> });
      await (await arcwise.fetch('/vertex/count')).text();
      const ms = performance.now() - began;
      Object.assign(globalThis, { arcwise });
      return ms;
    },
    [store, settings] as const,
  );
}

export function closeEngine(page: Page): Promise<void> {
  return page.evaluate(() => (globalThis as never as InPage).arcwise.close());
}

/** Milliseconds of an import of a file that the page has as a whole. */
export function importInPage(page: Page, path: string): Promise<number> {
  return page.evaluate(async (from) => {
    const { arcwise } = globalThis as never as InPage;
    await (await arcwise.fetch('/tabularasa', { method: 'HEAD' })).text();
    const file = await (await fetch(from)).blob();
    const headers = { 'content-type': 'application/x-ndjson' };
    const began = performance.now();
    const answer: Response = await arcwise.fetch('/bulk/import', { method: 'POST', headers, body: file });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The import answers ${answer.status}: ${text}`);
    return performance.now() - began;
  }, path);
}

/** Waited writes a second by so many clients. */
export function writesInPage(page: Page, clients: number, forMs: number): Promise<number> {
  return page.evaluate(
    async ([count, ms]) => {
      const { arcwise } = globalThis as never as InPage;
      const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '[{"label":"person"}]' };
      const began = performance.now();
      let done = 0;
      const client = async (): Promise<void> => {
        while (performance.now() - began < ms) {
          const answer: Response = await arcwise.fetch('/vertices?waitForCompletion=true', init);
          if (answer.status !== 200) throw new Error(`A write answers ${answer.status}.`);
          await answer.text();
          done++;
        }
      };
      await Promise.all(Array.from({ length: count }, client));
      return (1000 * done) / (performance.now() - began);
    },
    [clients, forMs] as const,
  );
}

/** As a number of the body. */
export function numberIn(page: Page, path: string): Promise<number> {
  return page.evaluate(async (where) => {
    const answer: Response = await (globalThis as never as InPage).arcwise.fetch(where);
    return answer.json();
  }, path);
}
