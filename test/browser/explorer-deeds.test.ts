// What a person does with a picture, one test a kind of deed, over a service and over the engine in the page: the same page must do the same
// with both. `npm run test:explorer` runs it.

import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeEdge } from '../../scripts/lib/explorer-screens.mjs';
import { startService, type TestService } from '../contract/support/service.ts';
import { fill, inPicture, type Line, launch, linesOf, newPage, settled } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

const isWhole = process.env.EXPLORER_WHOLE !== undefined;

const people: Line[] = Array.from({ length: 40 }, (_, id) => ({
  label: id % 4 === 0 ? 'town' : 'person',
  properties: { name: `Name ${id}`, age: String(20 + id) },
}));
const knows = Array.from({ length: 60 }, (_, i) => [i % 40, (i * 7 + 1) % 40, 'knows'] as const);
/** Parallel edges in both directions, and a loop. */
const odd = [
  [5, 6, 'likes'],
  [5, 6, 'helps', { since: 'May, 1968' }],
  [6, 5, 'likes'],
  [5, 5, 'likes'],
] as const;
const edges = [...knows, ...odd];

/** What this file asks of the page's picture. */
interface Picture {
  readonly camera: { readonly x: number; readonly y: number; readonly scale: number };
  readonly captions: readonly { readonly id: number; readonly text: string }[];
  readonly positions: ReadonlyMap<number, { readonly x: number; readonly y: number }>;
  readonly texts: HTMLElement;
  readonly buffers: {
    readonly edges: Float32Array;
    readonly drawnEdges: readonly { source: number; target: number }[];
  };
  screenOf(id: number): { readonly x: number; readonly y: number };
}

describe.skipIf(!hasBrowser || !isWhole)('deeds in the explorer', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': 10_000 });
    await fill(service, 'deeds', people, edges);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open: Record<string, (page: Page) => Promise<unknown>> = {
    'a service': (page) => page.goto(`${service.url}/explorer#ns=deeds`),
    'the engine in the page': async (page) => {
      await page.goto(`${service.url}/explorer#ns=none`);
      const file = { name: 'deeds.jsonl', mimeType: 'text/plain', buffer: Buffer.from(linesOf(people, edges)) };
      await page.getByText('No graph to show').waitFor();
      await page.locator('input[aria-label="File with a graph"]').setInputFiles(file);
    },
  };

  describe.each(Object.keys(open))('with %s', (home) => {
    const opened = async (): Promise<{ page: Page; errors: string[] }> => {
      const page = await newPage(browser, { viewport: { width: 1280, height: 800 } });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await (open[home] as (page: Page) => Promise<unknown>)(page);
      await shows(page, 40, 64);
      await settled(page);
      return { page, errors };
    };
    const shows = (page: Page, vertices: number, edgeCount: number): Promise<void> =>
      page.locator('.shown', { hasText: new RegExp(`^${vertices} of \\d+ vertices and ${edgeCount} of`) }).waitFor();
    const choose = async (page: Page, name: string): Promise<void> => {
      if ((await page.locator('.table').count()) === 0) await page.getByRole('button', { name: 'Table' }).click();
      await page.getByLabel('Find in the picture').fill(name);
      await page.locator('tbody').getByRole('button', { name, exact: true }).click();
      await page.locator('.groups li').first().waitFor();
      await settled(page);
    };
    const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();
    const choice = (page: Page, name: string): Locator => page.getByRole('combobox', { name, exact: true });
    const places = (page: Page): Promise<Record<string, { x: number; y: number }>> =>
      inPicture(page, ({ positions }) => Object.fromEntries(positions));
    const send = async (page: Page, call: string): Promise<void> => {
      await page.locator('dialog pre', { hasText: call }).waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await settled(page);
    };
    const takeBack = async (page: Page, title: string): Promise<void> => {
      await page.getByRole('button', { name: `Take back: ${title}` }).click();
      await page.getByRole('button', { name: `Take back: ${title}` }).waitFor({ state: 'detached' });
      await settled(page);
    };

    test('changes: off until switched on, shown before they are sent, taken back', async () => {
      const { page, errors } = await opened();
      expect(await page.getByRole('button', { name: /New vertex/ }).count()).toBe(0);
      await page.getByLabel('Allow changes to the graph').check();
      const form = page.locator('[aria-label=Editing]');
      await form.getByLabel('Label', { exact: true }).fill('city');
      await form.getByLabel('name', { exact: true }).fill('Bonn');
      await page.getByRole('button', { name: 'New vertex …' }).click();
      await page.getByRole('button', { name: 'Do not send' }).click();
      await shows(page, 40, 64);
      await page.getByRole('button', { name: 'New vertex …' }).click();
      await send(page, 'PUT /vertices');
      await shows(page, 41, 64);
      await takeBack(page, 'Create a vertex city');
      await shows(page, 40, 64);

      await choose(page, 'Name 3');
      const change = page.locator('[aria-label="Change this vertex"]');
      const age = page.locator('.properties > div', { hasText: 'age' }).locator('dd');
      await change.getByLabel('Property', { exact: true }).fill('age');
      await change.getByLabel('Value', { exact: true }).fill('77');
      await page.getByRole('button', { name: 'Set …' }).click();
      await send(page, 'PUT /graphelement/3/age');
      await age.filter({ hasText: '77' }).waitFor();
      await takeBack(page, 'Set age');
      await age.filter({ hasText: '23' }).waitFor();
      await page.getByRole('button', { name: 'Remove it …' }).click();
      await send(page, 'DELETE /graphelement/3/age');
      await age.waitFor({ state: 'detached' });
      await takeBack(page, 'Remove age');
      await age.filter({ hasText: '23' }).waitFor();

      await change.getByLabel('Edge of type', { exact: true }).fill('visits');
      await change.getByLabel('to the id', { exact: true }).fill('#8');
      await page.getByRole('button', { name: 'New edge …' }).click();
      await send(page, 'PUT /edges');
      await shows(page, 40, 65);
      await takeBack(page, 'Create an edge visits');
      await shows(page, 40, 64);

      await choose(page, 'Name 9');
      const degree = await page.locator('.groups .count').allTextContents();
      await page.getByRole('button', { name: 'Remove this vertex …' }).click();
      await send(page, 'DELETE /graphelement/9');
      await page.locator('.shown', { hasText: /^39 of 39/ }).waitFor();
      await takeBack(page, 'Remove Name 9 and its edges');
      await shows(page, 40, 64);
      await choose(page, 'Name 9');
      expect(await page.locator('.groups .count').allTextContents()).toEqual(degree);
      expect(errors).toEqual([]);
      await page.close();
    });

    test('parallel edges, their directions and loops are drawn apart, and captions come with zoom', async () => {
      const { page } = await opened();
      const bends = await page.evaluate(() => {
        const { arcwisePicture: picture } = globalThis as unknown as { arcwisePicture: Picture };
        const { drawnEdges, edges } = picture.buffers;
        const of = (isWanted: (source: number, target: number) => boolean): number[] =>
          drawnEdges.flatMap(({ source, target }, row) => {
            // Across the same line whichever way the edge goes.
            const side = source > target ? -1 : 1;
            return isWanted(source, target) ? [side * (edges[8 * row + 4] as number)] : [];
          });
        return {
          pair: of((a, b) => Math.min(a, b) === 5 && Math.max(a, b) === 6),
          loops: of((a, b) => a === 5 && b === 5),
        };
      });
      expect(bends.pair).toHaveLength(3);
      expect(new Set(bends.pair).size).toBe(3);
      expect(bends.loops[0]).toBeGreaterThan(0);
      await choose(page, 'Name 5');
      const texts = (): Promise<string[]> =>
        page.evaluate(() =>
          (globalThis as unknown as { arcwisePicture: Picture }).arcwisePicture.captions.map(({ text }) => text),
        );
      expect(await texts()).toContain('Name 5');
      const few = (await texts()).length;
      for (let step = 0; step < 6 && !(await texts()).includes('helps'); step++) {
        await page.getByRole('button', { name: 'Zoom in' }).click();
        await settled(page);
      }
      expect(few).toBeGreaterThan(1);
      expect((await texts()).filter((text) => ['likes', 'helps', 'knows'].includes(text)).length).toBeGreaterThan(0);
      await page.close();
    });

    test('vertices, edges, labels and types are hidden with a word, and each step is undone', async () => {
      const { page } = await opened();
      await choose(page, 'Name 5');
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      const hidden = page.locator('.status', { hasText: 'hidden · show all' });
      await hidden.waitFor();
      await page.locator('.shown', { hasText: /^39 of 40/ }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await shows(page, 40, 64);
      await page.locator('.overview').getByTitle('Hide town').click();
      await page.locator('.shown', { hasText: /^30 of 40/ }).waitFor();
      await page.locator('.overview').getByTitle('Hide likes').click();
      await hidden.waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await shows(page, 40, 64);
      const spot = await page.evaluate(freeEdge);
      await page.mouse.click(spot.x, spot.y);
      await page.getByText('edge · #').waitFor();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await shows(page, 40, 63);
      await page.getByRole('button', { name: 'Undo' }).click();
      await shows(page, 40, 64);
      await page.close();
    });

    test('lasso, wheel, keys and buttons find the way; what is chosen dims the rest; neighbours are listed', async () => {
      const { page } = await opened();
      const camera = (): Promise<Picture['camera']> =>
        inPicture(page, ({ camera: { x, y, scale } }) => ({ x, y, scale }));
      const start = await camera();
      const box = (await page.locator('.surface').boundingBox()) as {
        x: number;
        y: number;
        width: number;
        height: number;
      };
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.wheel(0, -300);
      await settled(page);
      expect((await camera()).scale).toBeGreaterThan(start.scale);
      await page.locator('.surface').focus();
      await page.keyboard.press('ArrowRight');
      expect((await camera()).x).toBeGreaterThan(start.x);
      await page.keyboard.press('0');
      await settled(page);
      expect((await camera()).scale).toBeCloseTo(start.scale, 6);
      await page.getByRole('button', { name: 'Lasso' }).click();
      const corners = [
        [0.004, 0.004],
        [0.996, 0.004],
        [0.996, 0.996],
        [0.004, 0.996],
      ] as const;
      for (const [place, [right, down]] of corners.entries()) {
        await page.mouse.move(box.x + right * box.width, box.y + down * box.height);
        if (place === 0) await page.mouse.down();
      }
      await page.mouse.up();
      await page.getByText('40 vertices chosen').waitFor();
      await page.getByRole('button', { name: 'Lasso' }).click();
      await choose(page, 'Name 5');
      const emphasis = await page.evaluate(() => {
        const { vertices } = (globalThis as unknown as { arcwisePicture: { buffers: { vertices: Float32Array } } })
          .arcwisePicture.buffers;
        return [0, 1, 2].map((wanted) => vertices.filter((one, at) => at % 4 === 3 && one === wanted).length);
      });
      expect(emphasis[2]).toBe(1);
      expect(emphasis[1]).toBeGreaterThan(0);
      expect(emphasis[0]).toBeGreaterThan(10);
      await page.locator('.groups button', { hasText: 'helps' }).click();
      await page.locator('.neighbours').getByRole('button', { name: 'Name 6' }).click();
      await page.locator('.details h2', { hasText: 'Name 6' }).waitFor();
      await page.getByRole('button', { name: 'Full screen' }).click();
      await page.waitForFunction(() => document.fullscreenElement !== null);
      await page.close();
    });

    test('the cheapest way is found, listed with its weight, and drawn', async () => {
      const { page } = await opened();
      await tab(page, 'Ask');
      await choice(page, 'Ask for').selectOption('path');
      await page.getByLabel('From', { exact: true }).fill('5');
      await page.getByLabel('To', { exact: true }).fill('6');
      await choice(page, 'Ways').selectOption('cheapest');
      await page.getByLabel('What an edge costs').fill('return e => e.EdgePropertyId == "helps" ? 2 : 5;');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('.ways button').first().waitFor();
      expect(await page.locator('.ways button').first().textContent()).toBe('1 edge, weight 2.000: Name 5 → Name 6');
      await page.locator('.ways button').first().click();
      await page.getByText('2 vertices chosen').waitFor();
      await page.close();
    });

    test('layouts settle and stand; frozen and pinned ones do not move', async () => {
      const { page } = await opened();
      const stands = await places(page);
      await tab(page, 'Look');
      for (const kind of ['layered', 'radial', 'force']) {
        const before = await places(page);
        await choice(page, 'Stand').selectOption(kind);
        await settled(page);
        const after = await places(page);
        expect(after, kind).not.toEqual(before);
        await page.waitForTimeout(300);
        expect(await places(page), `${kind} stands`).toEqual(after);
      }
      await choose(page, 'Name 7');
      await page.getByRole('button', { name: 'Pin', exact: true }).click();
      const pinned = (await places(page))['7'];
      await choice(page, 'Stand').selectOption('layered');
      await settled(page);
      const layered = await places(page);
      expect(layered['7']).toEqual(pinned);
      expect(layered['8']).not.toEqual(stands['8']);
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('slider', { name: 'Spacing' }).fill('2');
      await settled(page);
      expect(await places(page)).toEqual(layered);
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.waitForFunction((before) => {
        const { positions } = (globalThis as unknown as { arcwisePicture: Picture }).arcwisePicture;
        return positions.get(8)?.x !== before;
      }, layered['8']?.x);
      await page.close();
    });

    test('what is seen is taken along: PNG, SVG, CSV, GraphML, lines that can be opened again, and the view', async () => {
      const { page, errors } = await opened();
      await tab(page, 'Share');
      const saved = async (name: string): Promise<Buffer> => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name, exact: true }).click(),
        ]);
        return readFileSync(await download.path());
      };
      const png = await saved('PNG');
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.length).toBeGreaterThan(10_000);
      const svg = (await saved('SVG')).toString();
      expect(svg.match(/<circle /g)).toHaveLength(40);
      expect(svg.match(/<path /g)).toHaveLength(64);
      expect(svg).toContain('Name 5<');
      expect((await saved('CSV of vertices')).toString().split('\r\n')).toHaveLength(42);
      expect((await saved('CSV of edges')).toString()).toMatch(/,helps,5,6,,"May, 1968"\r\n/);
      const graphml = (await saved('GraphML')).toString();
      const elements = await page.evaluate((text) => {
        const document = new DOMParser().parseFromString(text, 'application/xml');
        return ['parsererror', 'node', 'edge'].map((name) => document.getElementsByTagName(name).length);
      }, graphml);
      expect(elements).toEqual([0, 40, 64]);
      expect(graphml).toMatch(/<data key="type">helps<\/data><data key="q0">May, 1968<\/data>/);
      const lines = await saved('service-jsonl');
      const view = await saved('Save view');
      expect(view.length).toBeLessThan(10_000);
      const stood = await places(page);
      await page.getByRole('button', { name: 'Undo' }).isVisible();
      await choice(page, 'Show so many vertices').selectOption('100');
      await page.getByRole('button', { name: 'Arrange again' }).click();
      await settled(page);
      await page
        .locator('input[aria-label="File with a view"]')
        .setInputFiles({ name: 'view.json', mimeType: 'application/json', buffer: view });
      await page.getByText('The view is back.').first().waitFor();
      await settled(page);
      const back = await places(page);
      for (const [id, { x, y }] of Object.entries(stood)) {
        expect(Math.abs((back[id]?.x ?? Number.NaN) - x)).toBeLessThanOrEqual(0.5);
        expect(Math.abs((back[id]?.y ?? Number.NaN) - y)).toBeLessThanOrEqual(0.5);
      }
      await page.locator('.chip').click();
      await page
        .locator('input[aria-label="File with a graph"]')
        .setInputFiles({ name: 'again.jsonl', mimeType: 'text/plain', buffer: lines });
      await page.locator('.chip', { hasText: 'again.jsonl' }).waitFor();
      await shows(page, 40, 64);
      await tab(page, 'Share');
      // What was shown has ids of its own now.
      expect((await saved('CSV of edges')).toString()).toMatch(/,helps,\d+,\d+,,"May, 1968"\r\n/);
      expect(errors).toEqual([]);
      await page.close();
    });
  });
});
