// What the explorer keeps, follows and takes in: stored queries, full text, links, resyncs, looks, dropped files, thinned edges, warnings.
// `npm run test:explorer` runs them.

import { mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../contract/support/service.ts';
import { dropFile, explore, fill, type Line, launch, linesOf, newPage, settled } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

const isWhole = process.env.EXPLORER_WHOLE !== undefined;
const json = { 'content-type': 'application/json' };

describe.skipIf(!hasBrowser || !isWhole)('the explorer keeps, follows and takes in', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;

  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'explorer-'));
    service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': 10_000 });
    const people: Line[] = Array.from({ length: 40 }, (_, id) => ({
      label: id % 4 === 0 ? 'town' : 'person',
      properties: { name: `Name ${id}`, age: String(20 + id), team: id % 2 === 0 ? 'red' : 'blue' },
    }));
    const knows = Array.from({ length: 80 }, (_, i) => [i % 40, (i * 7 + 1) % 40, 'knows'] as const);
    await fill(service, 'keeping', people, knows);
    await fill(service, 'living', people, knows);
    await post('/ns/keeping/index', { uniqueId: 'texts', pluginType: 'RegExIndex' });
    await post('/ns/keeping/index/backfill/texts', { propertyId: 'name' });
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** By its name alone: a label's text has what can be chosen in it too. */
  const choice = (page: Page, name: string): Locator => page.getByRole('combobox', { name, exact: true });
  const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();
  const ask = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer').waitFor();
    return (await page.locator('.answer').textContent()) ?? '';
  };
  const keepAs = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Keep as …' }).click();
    await page.getByLabel('Name of the question').fill(name);
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
  };

  test('a question made of fragments is kept by the service, asked by its name, and there for the next page', async () => {
    const { page, errors } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Ask');
    await page.getByLabel('Ask for').selectOption('path');
    await page.getByLabel('From', { exact: true }).fill('0');
    await page.getByLabel('To', { exact: true }).fill('17');
    await page.getByLabel('Vertices that may be passed').fill('return v => v.Label != "none";');
    await keepAs(page, 'known');
    await page.getByRole('button', { name: 'known', exact: true }).click();
    await page.locator('.answer').waitFor();
    expect(await page.locator('.answer').textContent()).toContain('shortest path');
    await page.getByLabel('Ask for').selectOption('pattern');
    await choice(page, 'Label').first().selectOption('person');
    await keepAs(page, 'from-people');
    await page.getByRole('button', { name: 'from-people', exact: true }).click();
    await page.locator('.answer h3', { hasText: 'A match' }).waitFor();
    const stored = (await (await fetch(`${service.url}/ns/keeping/storedquery`)).json()) as { name: string }[];
    expect(stored.map(({ name }) => name).sort()).toEqual(['from-people', 'known']);
    await page.close();
    const again = await explore(browser, service.url, 'keeping');
    await tab(again.page, 'Ask');
    await again.page.getByRole('button', { name: 'known', exact: true }).click();
    await again.page.getByLabel('From', { exact: true }).fill('0');
    await again.page.getByLabel('To', { exact: true }).fill('17');
    expect(await ask(again.page)).toContain('shortest path');
    expect(errors).toEqual([]);
    await again.page.close();
  });

  test('a name that is taken is said to be', async () => {
    const { page } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Ask');
    await page.getByLabel('Ask for').selectOption('pattern');
    await keepAs(page, 'known');
    await page.locator('.trouble', { hasText: 'known' }).waitFor();
    await page.close();
  });

  test('full text finds by an index and says what matched', async () => {
    const { page } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Ask');
    await page.getByLabel('Ask for').selectOption('fulltext');
    await page.getByLabel('Index').selectOption('texts');
    await page.getByLabel('Regular expression').fill('^Name 1\\d$');
    const answer = await ask(page);
    expect(answer).toContain('10 of 10 shown');
    expect(answer).toContain('By the full-text index texts.');
    await page.getByLabel('Regular expression').fill('([');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer h3, .flaw').first().waitFor();
    await page.close();
  });

  test('what is similar to a vertex is found by its vector, nearest first, with the scores', async () => {
    const put = (id: number, vector: readonly number[]) =>
      fetch(`${service.url}/ns/keeping/graphelement/${id}/embedding/default?waitForCompletion=true`, {
        ...{ method: 'PUT', headers: json, body: JSON.stringify({ vector }) },
      });
    const directions: readonly (readonly number[])[] = [
      [1, 0],
      [0, 1],
      [0.6, 0.8],
      [0.8, 0.6],
    ];
    for (const [id, vector] of directions.entries()) expect((await put(id, vector)).status).toBeLessThan(300);
    const option = (propertyValue: string, fullQualifiedTypeName: string) => ({ propertyValue, fullQualifiedTypeName });
    await post('/ns/keeping/index', {
      ...{ uniqueId: 'near', pluginType: 'VectorIndex' },
      pluginOptions: {
        dimension: option('2', 'System.Int32'),
        metric: option('Cosine', 'System.String'),
        embeddingName: option('default', 'System.String'),
      },
    });
    const { page, errors } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Ask');
    await page.getByLabel('Ask for').selectOption('similar');
    await page.getByLabel('Vertex', { exact: true }).fill('0');
    await page.getByLabel('Index').selectOption('near');
    expect(await ask(page)).toContain('By the vector index near: Cosine, higher is nearer.');
    const found = page.locator('.answer .found li');
    expect(await found.locator('span[dir]').allTextContents()).toEqual(['Name 3', 'Name 2', 'Name 1']);
    const scores = (await found.locator('.small').allTextContents()).map((text) => Number(text.trim().split(' ')[0]));
    expect(scores.map((score) => score.toFixed(3))).toEqual(['0.800', '0.600', '0.000']);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a link brings back places, filter, looks and what is hidden, and no key', async () => {
    const { page } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Look');
    await page.getByLabel('Colours show').selectOption('rule');
    await choice(page, 'Property').first().selectOption('age');
    await page.getByLabel('Contains a text, or compares: > 10').fill('>= 50');
    await choice(page, 'Vertices').selectOption('degree');
    await page.getByLabel('From', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Filter' }).click();
    await settled(page);
    const places = await page.evaluate(
      'JSON.stringify([3, 9].map((id) => globalThis.arcwisePicture.positions.get(id)))',
    );
    await tab(page, 'Share');
    await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link is copied.').waitFor();
    const link = (await page.evaluate('globalThis.copied')) as string;
    expect(link.length).toBeLessThan(4000);
    await page.close();

    const next = await newPage(browser);
    const asked: string[] = [];
    next.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await next.goto(link);
    await next.locator('.legend', { hasText: 'age >= 50' }).waitFor();
    await next.locator('.shown', { hasText: /^40 of 40/ }).waitFor();
    expect(asked.filter((path) => path.endsWith('/analytics/DEGREE'))).toEqual([]); // no other picture before it
    expect(await next.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await settled(next);
    const back = JSON.parse(
      (await next.evaluate(
        'JSON.stringify([3, 9].map((id) => globalThis.arcwisePicture.positions.get(id)))',
      )) as string,
    ) as { x: number; y: number }[];
    for (const [at, { x, y }] of (JSON.parse(places as string) as { x: number; y: number }[]).entries()) {
      expect(Math.abs((back[at]?.x ?? Number.NaN) - x)).toBeLessThanOrEqual(0.5);
      expect(Math.abs((back[at]?.y ?? Number.NaN) - y)).toBeLessThanOrEqual(0.5);
    }
    await next.evaluate('location.hash = location.hash.replace(/view=.*/, "view=AAAA")');
    await next.locator('.trouble', { hasText: 'This link holds no view' }).waitFor();
    await next.close();
  });

  test('colours by a property and sizes by a number have a scale with both ends', async () => {
    const { page } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Look');
    await page.getByLabel('Colours show').selectOption('property');
    await choice(page, 'Property').first().selectOption('team');
    await page.locator('.legend', { hasText: 'blue' }).waitFor();
    await page.getByLabel('Sizes show').selectOption('property');
    await choice(page, 'Property').nth(1).selectOption('age');
    await page.locator('.legend', { hasText: 'Size: age' }).waitFor();
    const legend = (await page.locator('.legend').textContent()) ?? '';
    for (const part of ['team', 'red', '20', '59']) expect(legend).toContain(part);
    const radii = (await page.evaluate(
      '[...globalThis.arcwisePicture.buffers.vertices].filter((_, at) => at % 4 === 2)',
    )) as number[];
    expect(Math.max(...radii)).toBeGreaterThan(2 * Math.min(...radii));
    await page.close();
  });

  test('what was not used of a call is told beside it, and counted', async () => {
    const { page } = await explore(browser, service.url, 'keeping');
    await tab(page, 'Ask');
    await page.getByLabel('Ask for').selectOption('property');
    await page.getByLabel(/^Property/).selectOption('age');
    await page.getByLabel(/^Value$/).fill('30');
    await page.getByLabel('Type').selectOption('System.Int32');
    expect(await ask(page)).toContain('Nothing found');
    await page.locator('.ask .warning', { hasText: 'none equals a literal of Int32' }).waitFor();
    await page.getByRole('button', { name: /^Calls\s*1/ }).click();
    await page.locator('dialog .warning', { hasText: 'none equals a literal of Int32' }).waitFor();
    await page.close();
  });

  test('the living graph: what is new comes in beside what stands; another graph in its place is said to be one', async () => {
    const { page, errors } = await explore(browser, service.url, 'living');
    await page.getByRole('button', { name: 'Live' }).click();
    await page.waitForFunction(() => performance.getEntriesByType('resource').length >= 0);
    const at = (): Promise<unknown> =>
      page.evaluate('JSON.stringify([...globalThis.arcwisePicture.positions].slice(0, 40))');
    const stood = await at();
    await page.locator('[role=status]', { hasText: 'New elements appear' }).waitFor({ state: 'attached' });
    await fetch(`${service.url}/ns/living/vertices?waitForCompletion=true`, {
      ...{ method: 'PUT', headers: json },
      body: JSON.stringify([{ label: 'person', creationDate: 0 }]),
    });
    await page.locator('.shown', { hasText: /^41 of 41/ }).waitFor();
    await settled(page);
    expect(await at()).toBe(stood);
    await fetch(`${service.url}/ns/living/analytics/PAGERANK`, {
      ...{ method: 'POST', headers: json },
      body: JSON.stringify({ writeBack: true, writeBackPropertyKey: 'rank' }),
    });
    await page.locator('.trouble', { hasText: 'delegateWrite' }).waitFor();
    expect(await at()).toBe(stood);
    await fetch(`${service.url}/ns/living/trim`, { method: 'HEAD' });
    await page.locator('.trouble', { hasText: '(trim): this is a new picture' }).waitFor();
    await fetch(`${service.url}/ns/living/tabularasa`, { method: 'HEAD' });
    await page.locator('.trouble', { hasText: '(tabulaRasa)' }).waitFor();
    await page.getByText('This graph has no vertices yet').waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('files that are dropped: a package opens, a folder and what is too large are refused with a word', async () => {
    const { page, errors } = await explore(browser, service.url, 'keeping');
    const packed = Buffer.from(await (await fetch(`${service.url}/ns/keeping/package`)).arrayBuffer());
    writeFileSync(join(folder, 'graph.arcwise'), packed);
    writeFileSync(join(folder, 'cut.arcwise'), packed.subarray(0, packed.length - 100));
    const large = join(folder, 'large.jsonl');
    openSync(large, 'w');
    truncateSync(large, 3 * 1024 ** 3);
    await dropFile(page, folder);
    await page.locator('.trouble', { hasText: 'This is a folder' }).waitFor();
    await dropFile(page, large);
    await page.locator('.trouble', { hasText: '3.0 GiB; a page opens up to 1 GiB' }).waitFor();
    await dropFile(page, join(folder, 'cut.arcwise'));
    await page.locator('.trouble', { hasText: 'no graph that can be opened' }).waitFor();
    await page.locator('.shown', { hasText: /^40 of 40/ }).waitFor();
    await dropFile(page, join(folder, 'graph.arcwise'));
    await page.locator('.chip', { hasText: 'in this page' }).waitFor();
    await page.locator('.shown', { hasText: /^40 of 40 vertices and 80 of 80/ }).waitFor();
    await tab(page, 'Ask');
    await page.getByLabel('Ask for').selectOption('fulltext');
    await page.getByLabel('Index').selectOption('texts');
    await tab(page, 'Share');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('this graph is in the page alone').waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a file of service-jsonl that is dropped says how much of it is in, and its graph is the whole one', async () => {
    const { page, errors } = await explore(browser, service.url, 'keeping');
    const people: Line[] = Array.from({ length: 30_000 }, (_, id) => ({
      label: 'person',
      properties: { name: `Name ${id} ${'.'.repeat(100)}` },
    }));
    const file = join(folder, 'many.jsonl');
    writeFileSync(
      file,
      linesOf(
        people,
        people.slice(1).map((_, id) => [id, id + 1, 'knows'] as const),
      ),
    );
    await page.evaluate(() => {
      const told = new Set<string>();
      new MutationObserver(() => {
        const text = document.querySelector('.busy')?.textContent ?? '';
        if (text.includes('many.jsonl')) told.add(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { toldOfFile: told });
    });
    await dropFile(page, file);
    await page.locator('.chip', { hasText: 'many.jsonl' }).waitFor();
    await page.locator('.shown', { hasText: 'of 30,000 vertices' }).waitFor();
    const told = await page.evaluate(() => [...(globalThis as unknown as { toldOfFile: Set<string> }).toldOfFile]);
    const shares = told.flatMap((text) => /: (\d+) %$/.exec(text)?.[1] ?? []).map(Number);
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(await page.locator('.shown').textContent()).toContain('of 29,999 edges');
    expect(errors).toEqual([]);
    await page.close();
  });
});
